/* Writes cuts as a column.
 *
 * A cut is the part of a text (cells.h) that becomes a field of its row. If the CPU has vectors of 16 octets, the cuts
 * of a batch are written without a branch that depends on the octets of the texts. Octets after the end of a cut may be
 * read, but never octets outside the room of the text's cell. Views point into the buffers of the texts.
 */
#ifndef URLSM_CUTS_H
#define URLSM_CUTS_H
#include <stddef.h>
#include "../octets/block.h"
#include "cells.h"

enum { URLSM_RESERVED = 1 << 25 };

/* Makes room for `more` octets, which the next `count` rows need, and for the octets that whole vectors write after
 * them. The new size is an estimate for all rows, from the octets of the rows so far. Returns 0 if memory runs out. */
static inline int urlsm_out_reserve(urlsm_out *out, size_t more, uint32_t count)
{
    size_t least = out->n + more + URLSM_ROOM;
    if (least <= out->capacity)
        return 1;
    double estimate = (double)(out->n + more) / (double)(out->done + count) * (double)out->rows * 17 / 16;
    double all = estimate + (double)URLSM_ROOM;
    double most = out->data == NULL ? (double)URLSM_LARGE - 1 : 4.0 * (double)least + (double)URLSM_RESERVED;
    size_t capacity = (size_t)(all < most ? all : most);
    if (capacity < least + least / 16)
        capacity = least + least / 16;
    void *grown = out->data == NULL ? urlsm_block_new(out->stock, capacity)
                                    : urlsm_block_resized(out->stock, out->data, capacity);
    if (grown == NULL)
        return 0;
    out->data = (uint8_t *)grown;
    out->capacity = capacity;
    return 1;
}

/* Records which rows of a batch are not null. */
static inline void urlsm_put_validity(urlsm_out *out, const uint64_t *there, int64_t row, uint32_t count)
{
    for (uint32_t k = 0; k < count; k += 64) {
        uint64_t word = there[k >> 6];
        urlsm_put_word(out->validity, (row + k) >> 6, word);
        out->nulls += (int64_t)(count - k < 64 ? count - k : 64) - (int64_t)urlsm_popcount(word);
    }
}

/* Returns the number of octets of all texts together, which is at least the number of octets of any field's cuts.
 * Returns -1 if fewer than URLSM_ROOM octets may be readable from the start of some cut. */
static inline int64_t urlsm_roomy_octets(const urlsm_cell *texts, uint32_t count)
{
    int64_t least = URLSM_ROOM, octets = 0;
    for (uint32_t k = 0; k < count; k++) {
        int64_t room = (int64_t)texts[k].room - texts[k].n;
        least = room < least ? room : least;
        octets += texts[k].n;
    }
    return least < URLSM_ROOM ? -1 : octets;
}

static inline void urlsm_put_view_1(urlsm_view *view, const urlsm_cell *text, urlsm_cut cut)
{
    memset(view, 0, sizeof(*view));
    view->n = cut.n;
    if (cut.n > URLSM_INLINE) {
        memcpy(view->prefix, text->p + cut.start, 4);
        view->buffer = text->buffer;
        view->offset = text->offset + cut.start;
    } else if (cut.n) {
        memcpy(view->prefix, text->p + cut.start, cut.n);
    }
}

static void urlsm_put_views_1(urlsm_view *views, const urlsm_cell *texts, const urlsm_cut *cuts, uint32_t count)
{
    for (uint32_t k = 0; k < count; k++)
        urlsm_put_view_1(views + k, texts + k, cuts[k]);
}

static uint8_t *urlsm_put_octets_1(uint8_t *to, const urlsm_cell *text, urlsm_cut cut)
{
    if (cut.n)
        memcpy(to, text->p + cut.start, cut.n);
    return to + cut.n;
}

#ifdef URLSM_X86
static const uint8_t URLSM_FIRST[32] = {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};

/* The functions in this section read octets after the end of a cut, and urlsm_put_octets_16 and _32 also write octets
 * after the end of the copy. */
URLSM_FOR("ssse3") __m128i urlsm_row_at(const urlsm_cell *text, urlsm_cut cut)
{
    return _mm_loadu_si128((const __m128i *)(text->p + cut.start));
}

URLSM_ISA("ssse3") static void urlsm_put_views_16(urlsm_view *views, const urlsm_cell *texts, const urlsm_cut *cuts,
                                                  uint32_t count)
{
    for (uint32_t k = 0; k < count; k++) {
        const urlsm_cell *text = texts + k;
        urlsm_cut cut = cuts[k];
        uint32_t elsewhere = 0 - (uint32_t)(cut.n > URLSM_INLINE), kept = elsewhere ? 4 : cut.n;
        __m128i octets = _mm_and_si128(urlsm_row_at(text, cut),
                                       _mm_loadu_si128((const __m128i *)(URLSM_FIRST + 16 - kept)));
        __m128i rest = _mm_set_epi32((int)((text->offset + cut.start) & elsewhere), (int)(text->buffer & elsewhere), 0,
                                     (int)cut.n);
        _mm_storeu_si128((__m128i *)(views + k), _mm_or_si128(_mm_slli_si128(octets, 4), rest));
    }
}

#define URLSM_TWO(a, b) _mm256_inserti128_si256(_mm256_castsi128_si256(a), b, 1)
#define URLSM_PLACE(text) _mm_loadu_si128((const __m128i *)((const char *)(text) + offsetof(urlsm_cell, offset) - 12))

/* Writes two views at a time. A view has four lanes of 32 bits: n, prefix, buffer and offset. */
URLSM_ISA("avx2") static void urlsm_put_views_32(urlsm_view *views, const urlsm_cell *texts, const urlsm_cut *cuts,
                                                 uint32_t count)
{
    const __m256i length = _mm256_set_epi32(0, 0, 0, -1, 0, 0, 0, -1), four = _mm256_set1_epi8(4);
    const __m256i place = _mm256_set_epi32(-1, -1, 0, 0, -1, -1, 0, 0);
    const __m256i number = _mm256_broadcastsi128_si256(
        _mm_set_epi8(11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 127, 127, 127, 127)); /* each octet's index in the text */
    uint32_t k = 0;
    for (; k + 2 <= count; k += 2) {
        const urlsm_cell *a = texts + k, *b = a + 1;
        __m256i cut = _mm256_cvtepu32_epi64(_mm_loadu_si128((const __m128i *)(cuts + k)));
        cut = _mm256_shuffle_epi32(cut, 0x16); /* now the lanes are n, 0, 0, start */
        __m256i elsewhere = _mm256_cmpgt_epi32(_mm256_shuffle_epi32(cut, 0), _mm256_set1_epi32(URLSM_INLINE));
        __m256i kept = _mm256_blendv_epi8(_mm256_shuffle_epi8(cut, _mm256_setzero_si256()), four, elsewhere);
        __m256i view = _mm256_and_si256(URLSM_TWO(URLSM_PLACE(a), URLSM_PLACE(b)), place);
        view = _mm256_and_si256(_mm256_add_epi32(view, cut), _mm256_or_si256(elsewhere, length));
        __m256i octets = _mm256_slli_si256(URLSM_TWO(urlsm_row_at(a, cuts[k]), urlsm_row_at(b, cuts[k + 1])), 4);
        octets = _mm256_and_si256(octets, _mm256_cmpgt_epi8(kept, number));
        _mm256_storeu_si256((__m256i *)(views + k), _mm256_or_si256(view, octets));
    }
    for (; k < count; k++)
        urlsm_put_view_1(views + k, texts + k, cuts[k]);
}

URLSM_FOR("ssse3") uint8_t *urlsm_put_octets_16(uint8_t *to, const urlsm_cell *text, urlsm_cut cut)
{
    const uint8_t *p = text->p + cut.start;
    _mm_storeu_si128((__m128i *)to, urlsm_row_at(text, cut));
    for (uint32_t k = 16; k + 16 < cut.n; k += 16)
        _mm_storeu_si128((__m128i *)(to + k), _mm_loadu_si128((const __m128i *)(p + k)));
    if (cut.n > 16)
        _mm_storeu_si128((__m128i *)(to + cut.n - 16), _mm_loadu_si128((const __m128i *)(p + cut.n - 16)));
    return to + cut.n;
}

/* Does the same as urlsm_put_octets_16, but copies the first 64 octets at once. */
URLSM_FOR("avx2") uint8_t *urlsm_put_octets_32(uint8_t *to, const urlsm_cell *text, urlsm_cut cut)
{
    const uint8_t *p = text->p + cut.start;
    __m256i low = _mm256_loadu_si256((const __m256i *)p), high = _mm256_loadu_si256((const __m256i *)(p + 32));
    _mm256_storeu_si256((__m256i *)to, low);
    _mm256_storeu_si256((__m256i *)(to + 32), high);
    for (uint32_t k = 64; k < cut.n; k += 32)
        _mm256_storeu_si256((__m256i *)(to + k), _mm256_loadu_si256((const __m256i *)(p + k)));
    return to + cut.n;
}
#endif

/* Defines a function that writes the octets of a batch, one text after the other, and the offset at which each text
 * ends. out->data must have room for all octets. */
#define URLSM_PUT_TEXTS(name, target, type, put)                                                                     \
    target static void name(urlsm_out *out, type *offsets, const urlsm_cell *texts, const urlsm_cut *cuts,          \
                            uint32_t count)                                                                          \
    {                                                                                                                \
        uint8_t *to = out->data + out->n;                                                                            \
        for (uint32_t k = 0; k < count; k++) {                                                                       \
            to = put(to, texts + k, cuts[k]);                                                                        \
            offsets[k + 1] = (type)(to - out->data);                                                                 \
        }                                                                                                            \
        out->n = (size_t)(to - out->data);                                                                           \
    }
URLSM_PUT_TEXTS(urlsm_put_utf8_1, , int32_t, urlsm_put_octets_1)
URLSM_PUT_TEXTS(urlsm_put_large_1, , int64_t, urlsm_put_octets_1)
#ifdef URLSM_X86
URLSM_PUT_TEXTS(urlsm_put_utf8_16, URLSM_ISA("ssse3"), int32_t, urlsm_put_octets_16)
URLSM_PUT_TEXTS(urlsm_put_large_16, URLSM_ISA("ssse3"), int64_t, urlsm_put_octets_16)
URLSM_PUT_TEXTS(urlsm_put_utf8_32, URLSM_ISA("avx2"), int32_t, urlsm_put_octets_32)
#endif

enum { URLSM_DONE, URLSM_NO_MEMORY, URLSM_TOO_MUCH };

/* Writes the cuts of the rows from row to row + count; row is a multiple of 64. octets: the width of the vectors in
 * octets. roomy: the result of urlsm_roomy_octets for the texts. Returns URLSM_TOO_MUCH if the text is too much for
 * offsets of 32 bits. */
static inline int urlsm_put(urlsm_out *out, int octets, int64_t roomy, const urlsm_cell *texts, const urlsm_cuts *cuts,
                            int64_t row, uint32_t count)
{
    uint64_t total = (uint64_t)roomy;
    urlsm_put_validity(out, cuts->there, row, count);
    if (roomy < 0)
        octets = 1;
    if (out->layout == URLSM_VIEW) {
        urlsm_view *views = (urlsm_view *)out->main + row;
#ifdef URLSM_X86
        if (octets >= 32)
            urlsm_put_views_32(views, texts, cuts->at, count);
        else if (octets == 16)
            urlsm_put_views_16(views, texts, cuts->at, count);
        else
#endif
            urlsm_put_views_1(views, texts, cuts->at, count);
        return URLSM_DONE;
    }
    if (roomy < 0 || out->n + total + URLSM_ROOM > out->capacity || out->n + total > INT32_MAX) {
        total = 0; /* the estimate may be too high, so compute the exact number */
        for (uint32_t k = 0; k < count; k++)
            total += cuts->at[k].n;
    }
    if (out->layout == URLSM_UTF8 && total + out->n > INT32_MAX)
        return URLSM_TOO_MUCH;
    if (!urlsm_out_reserve(out, total, count))
        return URLSM_NO_MEMORY;
#ifdef URLSM_X86
    if (octets >= 32 && out->layout == URLSM_UTF8)
        urlsm_put_utf8_32(out, (int32_t *)out->main + row, texts, cuts->at, count);
    else if (octets >= 16 && out->layout == URLSM_UTF8)
        urlsm_put_utf8_16(out, (int32_t *)out->main + row, texts, cuts->at, count);
    else if (octets >= 16)
        urlsm_put_large_16(out, (int64_t *)out->main + row, texts, cuts->at, count);
    else
#endif
    if (out->layout == URLSM_UTF8)
        urlsm_put_utf8_1(out, (int32_t *)out->main + row, texts, cuts->at, count);
    else
        urlsm_put_large_1(out, (int64_t *)out->main + row, texts, cuts->at, count);
    (void)octets;
    out->done += count;
    return URLSM_DONE;
}

/* Writes a view of each line of p[0..n), without the LF or CR LF that ends the line. */
static inline void urlsm_put_lines(void *views, const uint8_t *p, size_t n)
{
    urlsm_view *view = (urlsm_view *)views;
    for (size_t start = 0; start < n; view++) {
        const uint8_t *found = (const uint8_t *)memchr(p + start, '\n', n - start);
        size_t next = found == NULL ? n : (size_t)(found - p) + 1, end = found == NULL ? n : next - 1;
        if (found != NULL && end > start && p[end - 1] == '\r')
            end--;
        urlsm_cell line = {p + start, (uint32_t)(end - start), 0, (uint32_t)start, 0};
        urlsm_put_view_1(view, &line, (urlsm_cut){0, line.n});
        start = next;
    }
}

#endif
