/* SPDX-License-Identifier: MIT */
/* libxml2: a document is parsed every cycle and an XPath result taken from it. The XPath object is
 * never freed, and every second document is not either. FIXED: both are. */
#include "bench.h"
#include <libxml/parser.h>
#include <libxml/xpath.h>

static const char text[] =
    "<feed><entry id='1'><title>first</title></entry><entry id='2'><title>second</title></entry></feed>";

static xmlDocPtr feed_parse(void) { xmlDocPtr d = xmlReadMemory(text, sizeof text - 1, "feed.xml", NULL, 0); bench_use(d); return d; }

static int titles_count(xmlDocPtr doc)
{
    xmlXPathContextPtr ctx = xmlXPathNewContext(doc);
    xmlXPathObjectPtr r = xmlXPathEvalExpression((const xmlChar *)"//title", ctx);
    int n = r && r->nodesetval ? r->nodesetval->nodeNr : 0;
    xmlXPathFreeContext(ctx);
#ifdef FIXED
    xmlXPathFreeObject(r);
#endif
    return n;
}

static int attribute_length(xmlDocPtr doc)
{
    xmlNodePtr e = xmlDocGetRootElement(doc)->children;
    xmlChar *id = xmlGetProp(e, (const xmlChar *)"id");
    int n = xmlStrlen(id);
    xmlFree(id);
    return n;
}

int main(int argc, char **argv)
{
    int cycles = bench_cycles(argc, argv), n = 0;
    for (int i = 1; i <= cycles; i++) {
        xmlDocPtr d = feed_parse();
        n += titles_count(d) + attribute_length(d);
#ifdef FIXED
        xmlFreeDoc(d);
#else
        if (i % 2) xmlFreeDoc(d);
#endif
        bench_mark("cycle");
    }
    bench_use(&n);
    return bench_done(cycles);
}
