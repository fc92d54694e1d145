/* SPDX-License-Identifier: MIT
 *
 * label.c: the texts of marks, each kept once. Under the trace's lock, all of it.
 */
#include "genmark_trace_access.h"
#include "mark_internal.h"

/* FNV-1a, 64 bit (Fowler, Noll, Vo). Over the whole label, so that two that differ past what is kept stay two. */
static uint64_t label_hash(const char *text, size_t length)
{
    uint64_t hash = 0xcbf29ce484222325ull;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (uint8_t)text[i]) * 0x100000001b3ull;
    return hash;
}

struct gm_label *gm_label_at(struct gm_file *file, uint64_t index)
{
    for (uint64_t at = mark_header(file)->first_labels; at;) {
        struct gm_extent *extent = gm_extent_at(file, at, GM_EXTENT_LABELS);
        if (!extent || (extent->next && extent->next <= at))
            return NULL;
        if (index >= extent->first && index - extent->first < extent->capacity) {
            uint64_t offset = (index - extent->first) * sizeof(struct gm_label);
            if (offset + sizeof(struct gm_label) > extent->size - GM_EXTENT_HEADER_SIZE)
                return NULL;
            return (struct gm_label *)((uint8_t *)(extent + 1) + offset);
        }
        at = extent->next;
    }
    return NULL;
}

/* Adds an extent behind the last one. */
static bool labels_grow(struct gm_file *file, uint64_t first)
{
    uint64_t *link = &mark_header(file)->first_labels;
    while (*link) {
        struct gm_extent *extent = gm_extent_at(file, *link, GM_EXTENT_LABELS);
        if (!extent || (extent->next && extent->next <= *link))
            return false;
        link = &extent->next;
    }
    struct gm_extent *extent = gm_extent_add(file, GM_EXTENT_LABELS, first, GM_LABELS_PER_EXTENT, sizeof(struct gm_label),
                                             GM_LABELS_PER_EXTENT * sizeof(struct gm_label), 0);
    if (!extent)
        return false;
    *link = (uint64_t)((uint8_t *)extent - file->base);
    return true;
}

static struct gm_label *label_new(struct gm_file *file)
{
    uint64_t index = mark_header(file)->label_count;
    struct gm_label *label = gm_label_at(file, index);
    if (!label && labels_grow(file, index))
        label = gm_label_at(file, index);
    return label;
}

uint32_t gm_label_intern(struct gm_file *file, const char *text, size_t length)
{
    struct gm_header *header = mark_header(file);
    uint64_t hash = label_hash(text, length), count = header->label_count;
    if (count > GM_LABEL_LIMIT + 1)
        return UINT32_MAX;      /* a damaged trace: no recorder has so many */
    for (uint64_t first = 0; first < count; first += GM_LABELS_PER_EXTENT) {
        uint64_t last = (first + GM_LABELS_PER_EXTENT < count ? first + GM_LABELS_PER_EXTENT : count) - 1;
        struct gm_label *labels = gm_label_at(file, first);
        if (!labels || gm_label_at(file, last) != labels + (last - first))
            continue;
        for (uint64_t i = 0; i <= last - first; i++)
            if (labels[i].hash == hash && !(labels[i].flags & GM_LABEL_OTHER))
                return (uint32_t)(first + i);
    }
    if (count > GM_LABEL_LIMIT) {
        gm_add_u64(&header->losses[GM_LOSS_LABELS], 1);
        return (uint32_t)count - 1;
    }
    struct gm_label *label = label_new(file);
    if (!label)
        return count ? (uint32_t)count - 1 : UINT32_MAX;
    label->hash = hash;
    if (count == GM_LABEL_LIMIT) {
        static const char other[] = "(other labels)";
        label->text = gm_string_add(file, other, sizeof other - 1);
        label->flags = GM_LABEL_OTHER;
        gm_add_u64(&header->losses[GM_LOSS_LABELS], 1);
    } else {
        size_t kept = length > GM_LABEL_LENGTH_LIMIT ? GM_LABEL_LENGTH_LIMIT : length;
        label->text = gm_string_add(file, text, kept);
        label->flags = kept < length ? GM_LABEL_CUT : 0;
    }
    /* Release: the label is whole before it counts. */
    gm_store_release_u64(&header->label_count, count + 1);
    return (uint32_t)count;
}
