/* Cells of text columns: read from any Arrow layout, and written, a batch at a time.
 *
 * A cell is a row as it was read, or written anew; a cut is the part of it that a field is. A batch of cells and cuts
 * becomes a column without a branch on what they hold, where the CPU can look octets up 16 at a time; nothing outside a
 * text is read. Views point into the buffers that the text stands in.
 */
#ifndef URLSM_CELLS_H
#define URLSM_CELLS_H
#include <stdlib.h>
#include <string.h>
#include "../octets/chars.h"
#include "../octets/vectors.h"
#include "arrow.h"

enum { URLSM_BATCH = 128, URLSM_WINDOW_BITS = 30, URLSM_ROOM = 16 };
#define URLSM_NULL 0xFFFFFFFFu
#define URLSM_INLINE 12u

typedef enum { URLSM_UTF8, URLSM_LARGE_UTF8, URLSM_VIEW, URLSM_NO_TEXT } urlsm_layout;

typedef struct {
    const uint8_t *p;
    uint32_t n, buffer, offset; /* which of a view column's buffers, and where in it */
} urlsm_cell;

typedef struct {
    uint32_t start, n; /* n URLSM_NULL: null */
} urlsm_cut;

typedef struct {
    uint32_t n;
    uint8_t prefix[4];
    uint32_t buffer, offset; /* n <= 12: these hold octets as well */
} urlsm_view;

/* --- in: a column of any layout */

typedef struct {
    urlsm_layout layout;
    int64_t length, offset;
    const uint8_t *validity; /* NULL: nothing is null */
    const void *main;        /* offsets or views */
    const uint8_t *data;
    const uint8_t *const *buffers;    /* of views */
    int index;                        /* 0, or the format of a dictionary's indices */
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

/* The text of row k; 0: it is null. A length that no text can have becomes URLSM_NULL - 1: too long. */
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
        text->buffer = text->offset = 0;
        text->p = view->prefix;
        if (view->n > URLSM_INLINE) {
            text->buffer = view->buffer;
            text->offset = view->offset;
            text->p = c->buffers[view->buffer] + view->offset;
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
    text->p = c->data + start;
    text->n = (uint64_t)(end - start) < URLSM_NULL ? (uint32_t)(end - start) : URLSM_NULL - 1;
    text->buffer = (uint32_t)(start >> URLSM_WINDOW_BITS);
    text->offset = (uint32_t)(start & (((int64_t)1 << URLSM_WINDOW_BITS) - 1));
    return 1;
}

static inline void urlsm_prefetch(const uint8_t *p)
{
#if defined(__GNUC__) || defined(__clang__)
    __builtin_prefetch(p);
    __builtin_prefetch(p + 64);
#endif
    (void)p;
}

/* How many of the first octets of p[0..n) are ASCII. */
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

/* Is p[0..n) UTF-8 (RFC 3629 section 4)? */
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

/* --- out */

typedef struct {
    urlsm_layout layout;
    void *main;         /* views, or offsets: the one behind row k is set when row k is */
    uint64_t *validity; /* a word for each 64 rows */
    uint8_t *data;      /* owned; octets of a layout that has its own */
    size_t n, capacity;
    int64_t nulls;
} urlsm_out;

static inline int urlsm_popcount(uint64_t word)
{
#if defined(__GNUC__) || defined(__clang__)
    return __builtin_popcountll(word);
#else
    int n = 0;
    for (; word; word &= word - 1)
        n++;
    return n;
#endif
}

static inline void urlsm_put_word(uint64_t *words, int64_t k, uint64_t word)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    words[k] = word;
}

/* Room for more octets, and for what a whole vector writes behind them. 0: no memory is left. */
static inline int urlsm_out_reserve(urlsm_out *out, size_t more)
{
    size_t capacity = out->n + more + URLSM_ROOM;
    if (capacity <= out->capacity)
        return 1;
    capacity += capacity / 2;
    uint8_t *grown = (uint8_t *)realloc(out->data, capacity);
    if (grown == NULL)
        return 0;
    out->data = grown;
    out->capacity = capacity;
    return 1;
}

/* Which of the cuts, at most 64, are not null, as bits; the others' length becomes 0. total: the lengths added. */
static uint64_t urlsm_there(urlsm_cut *cuts, uint32_t many, uint64_t *total)
{
    uint64_t word = 0;
    uint32_t j = 0;
#if defined(URLSM_X86) && defined(__SSE2__)
    const __m128i null = _mm_set_epi32(-1, 0, -1, 0); /* of the lengths: a start may be anything */
    __m128i sum = _mm_setzero_si128();
    uint64_t sums[2];
    for (; j + 4 <= many; j += 4) {
        __m128i *at = (__m128i *)(cuts + j), a = _mm_loadu_si128(at), b = _mm_loadu_si128(at + 1);
        __m128i none_a = _mm_and_si128(_mm_cmpeq_epi32(a, null), null);
        __m128i none_b = _mm_and_si128(_mm_cmpeq_epi32(b, null), null);
        a = _mm_andnot_si128(none_a, a);
        b = _mm_andnot_si128(none_b, b);
        _mm_storeu_si128(at, a);
        _mm_storeu_si128(at + 1, b);
        sum = _mm_add_epi64(sum, _mm_add_epi64(_mm_srli_epi64(a, 32), _mm_srli_epi64(b, 32)));
        int none = _mm_movemask_ps(_mm_shuffle_ps(_mm_castsi128_ps(none_a), _mm_castsi128_ps(none_b), 0xDD));
        word |= (uint64_t)(~none & 15) << j;
    }
    _mm_storeu_si128((__m128i *)sums, sum);
    *total += sums[0] + sums[1];
#endif
    for (; j < many; j++) {
        uint64_t there = cuts[j].n != URLSM_NULL;
        word |= there << j;
        cuts[j].n = there ? cuts[j].n : 0;
        *total += cuts[j].n;
    }
    return word;
}

/* Which of the batch's cuts are null; their length becomes 0. The sum of the lengths of the others. */
static uint64_t urlsm_put_validity(urlsm_out *out, urlsm_cut *cuts, int64_t row, uint32_t count)
{
    uint64_t total = 0;
    for (uint32_t k = 0; k < count; k += 64) {
        uint32_t many = count - k < 64 ? count - k : 64;
        uint64_t word = urlsm_there(cuts + k, many, &total);
        urlsm_put_word(out->validity, (row + k) >> 6, word);
        out->nulls += many - urlsm_popcount(word);
    }
    return total;
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
#define URLSM_CELLS __attribute__((target("ssse3")))
static const uint8_t URLSM_FIRST[32] = {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};

/* The 16 octets from the cut's start on, of a text of at least 16: what lies behind the text is 0. */
URLSM_FOR("ssse3") __m128i urlsm_from(const urlsm_cell *text, uint32_t start)
{
    uint32_t last = text->n - 16, at = start < last ? start : last;
    return _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(text->p + at)),
                            _mm_loadu_si128((const __m128i *)(URLSM_DOWN + (start - at))));
}

URLSM_CELLS static void urlsm_put_views_16(urlsm_view *views, const urlsm_cell *texts, const urlsm_cut *cuts,
                                           uint32_t count)
{
    for (uint32_t k = 0; k < count; k++) {
        const urlsm_cell *text = texts + k;
        urlsm_cut cut = cuts[k];
        if (text->n < 16 || cut.start > text->n) { /* (the start of a cut that is null may be anything) */
            urlsm_put_view_1(views + k, text, cut);
            continue;
        }
        uint32_t elsewhere = 0 - (uint32_t)(cut.n > URLSM_INLINE), kept = elsewhere ? 4 : cut.n;
        __m128i octets = _mm_and_si128(urlsm_from(text, cut.start),
                                       _mm_loadu_si128((const __m128i *)(URLSM_FIRST + 16 - kept)));
        __m128i rest = _mm_set_epi32((int)((text->offset + cut.start) & elsewhere), (int)(text->buffer & elsewhere), 0,
                                     (int)cut.n);
        _mm_storeu_si128((__m128i *)(views + k), _mm_or_si128(_mm_slli_si128(octets, 4), rest));
    }
}

URLSM_FOR("ssse3") uint8_t *urlsm_put_octets_16(uint8_t *to, const urlsm_cell *text, urlsm_cut cut)
{
    if (text->n < 16 || cut.start > text->n)
        return urlsm_put_octets_1(to, text, cut);
    if (cut.n <= 16) {
        _mm_storeu_si128((__m128i *)to, urlsm_from(text, cut.start));
        return to + cut.n;
    }
    const uint8_t *p = text->p + cut.start;
    for (uint32_t k = 0; k + 16 < cut.n; k += 16)
        _mm_storeu_si128((__m128i *)(to + k), _mm_loadu_si128((const __m128i *)(p + k)));
    _mm_storeu_si128((__m128i *)(to + cut.n - 16), _mm_loadu_si128((const __m128i *)(p + cut.n - 16)));
    return to + cut.n;
}
#else
#define URLSM_CELLS
#endif

/* A batch of octets one behind the other, and the offset behind each; room is there. */
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
URLSM_PUT_TEXTS(urlsm_put_utf8_16, URLSM_CELLS, int32_t, urlsm_put_octets_16)
URLSM_PUT_TEXTS(urlsm_put_large_16, URLSM_CELLS, int64_t, urlsm_put_octets_16)
#endif

enum { URLSM_DONE, URLSM_NO_MEMORY, URLSM_TOO_MUCH };

/* Write the cells of rows row to row + count, row a multiple of 64. URLSM_TOO_MUCH: 32-bit offsets do not reach. */
static inline int urlsm_put(urlsm_out *out, int octets, const urlsm_cell *texts, urlsm_cut *cuts, int64_t row,
                            uint32_t count)
{
    uint64_t total = urlsm_put_validity(out, cuts, row, count);
    int vectors = octets >= 16;
    if (out->layout == URLSM_VIEW) {
        urlsm_view *views = (urlsm_view *)out->main + row;
#ifdef URLSM_X86
        if (vectors)
            urlsm_put_views_16(views, texts, cuts, count);
        else
#endif
            urlsm_put_views_1(views, texts, cuts, count);
        return URLSM_DONE;
    }
    if (out->layout == URLSM_UTF8 && total + out->n > INT32_MAX)
        return URLSM_TOO_MUCH;
    if (!urlsm_out_reserve(out, total))
        return URLSM_NO_MEMORY;
#ifdef URLSM_X86
    if (vectors && out->layout == URLSM_UTF8)
        urlsm_put_utf8_16(out, (int32_t *)out->main + row, texts, cuts, count);
    else if (vectors)
        urlsm_put_large_16(out, (int64_t *)out->main + row, texts, cuts, count);
    else
#endif
    if (out->layout == URLSM_UTF8)
        urlsm_put_utf8_1(out, (int32_t *)out->main + row, texts, cuts, count);
    else
        urlsm_put_large_1(out, (int64_t *)out->main + row, texts, cuts, count);
    (void)vectors;
    return URLSM_DONE;
}

/* A view of each line of p[0..n), without the LF or CR LF that ends it. */
static inline void urlsm_put_lines(void *views, const uint8_t *p, size_t n)
{
    urlsm_view *view = (urlsm_view *)views;
    for (size_t start = 0; start < n; view++) {
        const uint8_t *found = (const uint8_t *)memchr(p + start, '\n', n - start);
        size_t next = found == NULL ? n : (size_t)(found - p) + 1, end = found == NULL ? n : next - 1;
        if (found != NULL && end > start && p[end - 1] == '\r')
            end--;
        urlsm_cell line = {p + start, (uint32_t)(end - start), 0, (uint32_t)start};
        urlsm_put_view_1(view, &line, (urlsm_cut){0, line.n});
        start = next;
    }
}

#endif
