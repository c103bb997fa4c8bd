/* Reads the cells of text columns in any layout of Arrow. A cell is the text of a row, as it was read or as it was
 * rewritten. A cut is the part of a cell that becomes a field (cuts.h). The room of a cell is the number of octets that
 * can be read from its start. */
#ifndef URLSM_CELLS_H
#define URLSM_CELLS_H
#include <stdlib.h>
#include <string.h>
#include "../octets/chars.h"
#include "../machine/lane/texts.h"
#include "../octets/vectors.h"
#include "arrow.h"

enum { URLSM_WINDOW_BITS = 30, URLSM_ROOM = 64 };
#define URLSM_MALFORMED 0xFFFFFFFFu
#define URLSM_INLINE 12u

typedef enum { URLSM_UTF8, URLSM_LARGE_UTF8, URLSM_VIEW, URLSM_NO_TEXT } urlsm_layout;

typedef struct {
    uint32_t n;
    uint8_t prefix[4];
    uint32_t buffer, offset; /* if n <= 12, the text continues here from `prefix` */
} urlsm_view;

/* --- the input: a column in any layout */

typedef struct {
    urlsm_layout layout;
    int64_t length, offset;
    const uint8_t *validity; /* NULL: no row is null */
    const void *main;        /* offsets or views */
    const uint8_t *data;              /* the text into which the offsets point; it ends at data + octets */
    int64_t octets;
    const uint8_t *const *buffers;    /* the buffers that views point into; `sizes` has the number of octets of each */
    const int64_t *sizes;
    int64_t n_buffers;
    int index;                        /* the format of the indices if the column is a dictionary, otherwise 0 */
    const void *indices;
    const uint8_t *index_validity;
    int64_t index_offset;
} urlsm_cells;

static inline int urlsm_bit(const uint8_t *bits, int64_t k)
{
    return bits[k >> 3] >> (k & 7) & 1;
}

static inline int64_t urlsm_index_at(int format, const void *indices, int64_t k)
{
    switch (format) {
    case 'c': return ((const int8_t *)indices)[k];
    case 'C': return ((const uint8_t *)indices)[k];
    case 's': return ((const int16_t *)indices)[k];
    case 'S': return ((const uint16_t *)indices)[k];
    case 'i': return ((const int32_t *)indices)[k];
    case 'I': return ((const uint32_t *)indices)[k];
    default: return ((const int64_t *)indices)[k];
    }
}

static const uint8_t URLSM_NOTHING[URLSM_ROOM];

/* Sets `text` to an empty cell, for a row without a text. */
static inline void urlsm_no_text(urlsm_cell *text)
{
    text->p = URLSM_NOTHING;
    text->n = text->offset = 0;
    text->buffer = URLSM_NULL;
    text->room = sizeof(URLSM_NOTHING);
}

static inline uint32_t urlsm_room(int64_t octets)
{
    return octets < URLSM_NULL ? (uint32_t)(octets < 0 ? 0 : octets) : URLSM_NULL;
}

/* Sets `text` to the cell of row k. Returns 0 if the row is null, or if its index is not in the dictionary. The length
 * is set to URLSM_NULL - 1 for a text that is too long or ends before its start, and to URLSM_MALFORMED for any other
 * text that is not within its buffer. */
static inline int urlsm_cell_at(const urlsm_cells *c, int64_t k, urlsm_cell *text)
{
    int64_t start, end;
    if (c->index) {
        k += c->index_offset;
        if (c->index_validity != NULL && !urlsm_bit(c->index_validity, k))
            return 0;
        k = urlsm_index_at(c->index, c->indices, k);
        if (k < 0 || k >= c->length)
            return 0;
    }
    k += c->offset;
    if (c->validity != NULL && !urlsm_bit(c->validity, k))
        return 0;
    switch (c->layout) {
    case URLSM_VIEW: {
        const urlsm_view *view = (const urlsm_view *)c->main + k;
        text->n = view->n;
        if (view->n > URLSM_INLINE) {
            if (view->buffer >= c->n_buffers || (int64_t)view->offset + view->n > c->sizes[view->buffer]) {
                urlsm_no_text(text);
                text->n = URLSM_MALFORMED;
                return 1;
            }
            text->buffer = view->buffer;
            text->offset = view->offset;
            text->p = c->buffers[view->buffer] + view->offset;
            text->room = urlsm_room(c->sizes[view->buffer] - view->offset);
        } else {
            text->buffer = URLSM_NULL;
            text->offset = 0;
            text->p = view->prefix;
            text->room = urlsm_room((c->offset + c->length - k) * (int64_t)sizeof(*view) - 4);
        }
        return 1;
    }
    case URLSM_UTF8:
        start = ((const int32_t *)c->main)[k];
        end = ((const int32_t *)c->main)[k + 1];
        break;
    case URLSM_LARGE_UTF8:
        start = ((const int64_t *)c->main)[k];
        end = ((const int64_t *)c->main)[k + 1];
        break;
    default:
        return 0;
    }
    if (start < 0 || end > c->octets) {
        urlsm_no_text(text);
        text->n = start > end ? URLSM_NULL - 1 : URLSM_MALFORMED;
        return 1;
    }
    text->p = c->data + start;
    text->n = (uint64_t)(end - start) < URLSM_NULL ? (uint32_t)(end - start) : URLSM_NULL - 1;
    text->room = urlsm_room(c->octets - start);
    text->buffer = (uint32_t)(start >> URLSM_WINDOW_BITS);
    text->offset = (uint32_t)(start & (((int64_t)1 << URLSM_WINDOW_BITS) - 1));
    return 1;
}

#define URLSM_TEXTS(type)                                                                                             \
    for (uint32_t k = 0; k < count; k++) {                                                                            \
        const type *at = (const type *)c->main + c->offset + row + k;                                                 \
        int64_t start = at[0], n = at[1] - start;                                                                     \
        texts[k].p = c->data + start;                                                                                 \
        texts[k].n = (uint32_t)n;                                                                                     \
        texts[k].room = urlsm_room(c->octets - start);                                                                \
        texts[k].buffer = (uint32_t)(start >> URLSM_WINDOW_BITS);                                                     \
        texts[k].offset = (uint32_t)(start & (((int64_t)1 << URLSM_WINDOW_BITS) - 1));                                \
        all |= (uint64_t)n;                                                                                           \
        out |= start | (c->octets - at[1]);                                                                           \
        octets += (uint64_t)n;                                                                                        \
    }

/* Sets `texts` to the cells of the rows from row to row + count, and returns the number of their octets. Returns -1 if
 * the cells must be read one by one: the column has views, indices or nulls, or a text may have more than 2^30 - 1
 * octets or not be within the buffer. */
static inline int64_t urlsm_texts_at(const urlsm_cells *c, int64_t row, uint32_t count, urlsm_cell *texts)
{
    uint64_t all = 0, octets = 0;
    int64_t out = 0;
    if (c->index || c->validity != NULL)
        return -1;
    if (c->layout == URLSM_UTF8) {
        URLSM_TEXTS(int32_t)
    } else if (c->layout == URLSM_LARGE_UTF8) {
        URLSM_TEXTS(int64_t)
    } else {
        return -1;
    }
    return all >> 30 || out < 0 ? -1 : (int64_t)octets;
}

/* Returns the length of the run of ASCII octets with which p[0..n) begins. */
static inline size_t urlsm_ascii_run(const uint8_t *p, size_t n)
{
    size_t k = 0;
    uint64_t word;
    while (k + 8 <= n) {
        memcpy(&word, p + k, 8);
        if (word & 0x8080808080808080u)
            break;
        k += 8;
    }
    while (k < n && p[k] < 0x80)
        k++;
    return k;
}

/* Returns whether p[0..n) is valid UTF-8 (RFC 3629 section 4). */
static inline int urlsm_is_utf8(const uint8_t *p, size_t n)
{
    size_t k = urlsm_ascii_run(p, n);
    while (k < n) {
        uint32_t lead = p[k], more = lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
        if (lead < 0xC2 || lead > 0xF4 || n - k <= more)
            return 0;
        uint8_t low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
        uint8_t high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
        if (p[k + 1] < low || p[k + 1] > high)
            return 0;
        for (uint32_t j = 2; j <= more; j++) {
            if ((p[k + j] & 0xC0) != 0x80)
                return 0;
        }
        k += more + 1;
        k += urlsm_ascii_run(p + k, n - k);
    }
    return 1;
}

/* --- the output: a column that is being written (cuts.h) */

typedef struct {
    urlsm_layout layout;
    void *main;         /* views; or offsets, of which number k + 1 is the end of row k; or values that are not texts */
    uint64_t *validity; /* a word for each 64 rows */
    urlsm_stock *stock;
    uint8_t *data;      /* a block with the octets of the texts; not used for views */
    size_t n, capacity;
    int64_t nulls, rows, done; /* rows: how many rows will be written; done: how many were written so far */
} urlsm_out;

static inline void urlsm_put_word(uint64_t *words, int64_t k, uint64_t word)
{
    words[k] = urlsm_little(word);
}
#endif
