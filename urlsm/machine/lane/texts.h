/* The texts of a batch, and the components found in them, in the form of columns (columns/cells.h). */
#ifndef URLSM_TEXTS_H
#define URLSM_TEXTS_H
#include "../../octets/compiler.h"

enum { URLSM_BATCH = 128 };
#define URLSM_NULL 0xFFFFFFFFu

typedef struct {
    const uint8_t *p;
    /* buffer: the number of a buffer of a view column, or URLSM_NULL; offset: where the text begins in that buffer */
    uint32_t n, buffer, offset;
    uint32_t room;              /* the number of octets that may be read at p; at least n */
} urlsm_cell;

typedef struct {
    uint32_t start, n; /* the span of a component; both numbers are 0 for null */
} urlsm_cut;

typedef struct { /* the cuts of one component, for all texts of a batch */
    uint64_t there[URLSM_BATCH / 64]; /* bit k is set if cut k is not null */
    urlsm_cut at[URLSM_BATCH];
} urlsm_cuts;

typedef struct { /* the result of batch.h */
    uint64_t plain[URLSM_BATCH / 64]; /* bit k is set if row k is plain; the cuts of other rows are not set */
    urlsm_cuts host, path, query, fragment;
} urlsm_found;

static inline void urlsm_prefetch(const uint8_t *p)
{
    urlsm_prefetch_line(p);
    urlsm_prefetch_line(p + 64);
}
#endif
