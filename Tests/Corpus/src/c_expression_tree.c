/* SPDX-License-Identifier: MIT */
/* A recursive-descent parser of random formulas. It frees the tree but for one number, found at another depth each time. */
#include "bench.h"

struct node { char kind; int value; struct node *left, *right; };
static const char *at;
static int numbers, forgotten;

static struct node *parse_sum(void);

static struct node *node_new(char kind, struct node *left, struct node *right)
{
    struct node *n = malloc(sizeof *n);
    n->kind = kind; n->value = 0; n->left = left; n->right = right;
    return n;
}

static struct node *parse_atom(void)
{
    if (*at == '(') {
        at++;
        struct node *inner = parse_sum();
        at++;
        return inner;
    }
    struct node *n = node_new('n', NULL, NULL);
    n->value = *at++ - '0';
    if (numbers++ == forgotten) return node_new('n', NULL, NULL);      /* n is lost */
    return n;
}

static struct node *parse_product(void)
{
    struct node *left = parse_atom();
    while (*at == '*') { at++; left = node_new('*', left, parse_atom()); }
    return left;
}

static struct node *parse_sum(void)
{
    struct node *left = parse_product();
    while (*at == '+') { at++; left = node_new('+', left, parse_product()); }
    return left;
}

static void tree_free(struct node *n)
{
    if (!n) return;
    tree_free(n->left);
    tree_free(n->right);
    free(n);
}

static void formula(char *text, size_t *length, unsigned *seed, int depth)
{
    for (int terms = 2; terms; terms--) {
        if (depth && bench_rand(seed) % 3) {
            text[(*length)++] = '(';
            formula(text, length, seed, depth - 1);
            text[(*length)++] = ')';
        } else {
            text[(*length)++] = (char)('0' + bench_rand(seed) % 10);
        }
        if (terms > 1) text[(*length)++] = bench_rand(seed) % 2 ? '+' : '*';
    }
}

int main(int argc, char **argv)
{
    static char text[1 << 16];
    int cycles = bench_cycles(argc, argv);
    unsigned seed = 3;
    for (int i = 1; i <= cycles; i++) {
        size_t length = 0;
        formula(text, &length, &seed, 6);
        text[length] = 0;
        int found = 0;
        for (size_t k = 0; k < length; k++) found += text[k] >= '0' && text[k] <= '9';
        at = text;
        numbers = 0;
        forgotten = (int)(bench_rand(&seed) % (unsigned)found);
        tree_free(parse_sum());
        bench_mark("cycle");
    }
    return bench_done(cycles);
}
