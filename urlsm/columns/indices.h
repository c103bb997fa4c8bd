/* Functions for the indices of Arrow dictionaries, and a hash for texts that an attacker may choose. */
#ifndef URLSM_INDICES_H
#define URLSM_INDICES_H
#include "cells.h"

/* Defines two functions for one type of index. urlsm_places_... writes place[index] to `to` for each index, and 0 for
 * an index that is out of range. urlsm_valid_... sets the bits of the rows that are not null, and returns the number of
 * nulls. Its argument `valid` says which indices are not null, from bit `offset` on; `there` says which values are not
 * null. NULL as `valid` or `there` says that none of them is null. */
#define URLSM_OF_INDICES(name, type)                                                                                 \
    static void urlsm_places_##name(void *to, const void *given, int64_t rows, const int64_t *place, uint64_t n)     \
    {                                                                                                                \
        const type *at = (const type *)given;                                                                        \
        for (int64_t k = 0; k < rows; k++)                                                                           \
            ((type *)to)[k] = (uint64_t)at[k] < n ? (type)place[at[k]] : 0;                                          \
    }                                                                                                                \
    static int64_t urlsm_valid_##name(uint64_t *bits, const void *given, int64_t rows, const uint8_t *valid,         \
                                      int64_t offset, const uint8_t *there, uint64_t n)                              \
    {                                                                                                                \
        const type *at = (const type *)given;                                                                        \
        int64_t nulls = 0;                                                                                           \
        for (int64_t row = 0; row < rows; row += 64) {                                                               \
            int64_t count = rows - row < 64 ? rows - row : 64;                                                       \
            uint64_t word = 0;                                                                                       \
            for (int64_t k = 0; k < count; k++) {                                                                    \
                int bit = valid == NULL || urlsm_bit(valid, offset + row + k);                                       \
                if (there != NULL)                                                                                   \
                    bit = (uint64_t)at[row + k] < n ? bit & urlsm_bit(there, (int64_t)at[row + k]) : 0;              \
                word |= (uint64_t)bit << k;                                                                          \
            }                                                                                                        \
            urlsm_put_word(bits, row >> 6, word);                                                                    \
            nulls += count - urlsm_popcount(word);                                                                   \
        }                                                                                                            \
        return nulls;                                                                                                \
    }
URLSM_OF_INDICES(c, int8_t)
URLSM_OF_INDICES(C, uint8_t)
URLSM_OF_INDICES(s, int16_t)
URLSM_OF_INDICES(S, uint16_t)
URLSM_OF_INDICES(i, int32_t)
URLSM_OF_INDICES(I, uint32_t)
URLSM_OF_INDICES(l, int64_t)
URLSM_OF_INDICES(L, uint64_t)

typedef struct {
    char format;
    int64_t width; /* in octets */
    void (*places)(void *, const void *, int64_t, const int64_t *, uint64_t);
    int64_t (*valid)(uint64_t *, const void *, int64_t, const uint8_t *, int64_t, const uint8_t *, uint64_t);
} urlsm_indices;

/* Returns the functions for indices of this format. */
static inline const urlsm_indices *urlsm_indices_of(int format)
{
#define URLSM_ROW(letter, name, type) {letter, sizeof(type), urlsm_places_##name, urlsm_valid_##name}
    static const urlsm_indices all[] = {
        URLSM_ROW('c', c, int8_t),  URLSM_ROW('C', C, uint8_t),  URLSM_ROW('s', s, int16_t),
        URLSM_ROW('S', S, uint16_t), URLSM_ROW('i', i, int32_t), URLSM_ROW('I', I, uint32_t),
        URLSM_ROW('l', l, int64_t), URLSM_ROW('L', L, uint64_t),
    };
    const urlsm_indices *found = all;
    while (found->format != format && found->format != 'L')
        found++;
    return found;
}

/* A hash with a key that is random in each process, so that an attacker cannot choose texts that collide. Texts of up
 * to 256 octets are hashed by NH (RFC 4418 section 5.2.2, with words of 64 bits): a sum of independent products. For
 * hardly any key do two given texts have the same sum. The last word may overlap the word before it; since the length
 * is also hashed, different texts still give different words. CPython hashes longer texts, and all texts if the
 * compiler has no integers of 128 bits. */
enum { URLSM_HASH_WORDS = 36 };

#if PY_VERSION_HEX >= 0x030E0000
#define URLSM_OTHER_HASH(p, n) ((uint64_t)Py_HashBuffer(p, n))
#else
/* CPython 3.13 exports this function, but Python.h does not declare it */
PyAPI_FUNC(Py_hash_t) _Py_HashBytes(const void *, Py_ssize_t);
#define URLSM_OTHER_HASH(p, n) ((uint64_t)_Py_HashBytes(p, n))
#endif

static inline uint64_t urlsm_keyed_hash(const uint64_t *key, const uint8_t *p, size_t n)
{
#ifdef URLSM_HAVE_WIDE
    uint64_t a = 0, b = 0;
    urlsm_wide sum = (urlsm_wide)(key[0] + n) * key[1];
    const uint64_t *last = key + URLSM_HASH_WORDS - 2;
    if (n > 256)
        return URLSM_OTHER_HASH(p, (Py_ssize_t)n);
    key += 2;
    if (n < 16) {
        if (n >= 8) {
            memcpy(&a, p, 8);
            memcpy(&b, p + n - 8, 8);
        } else if (n >= 4) {
            uint32_t low, high;
            memcpy(&low, p, 4);
            memcpy(&high, p + n - 4, 4);
            a = low, b = high;
        } else if (n) {
            a = (uint64_t)p[0] << 16 | (uint64_t)p[n >> 1] << 8 | p[n - 1];
        }
        sum += (urlsm_wide)(a + key[0]) * (b + key[1]);
    } else {
        for (size_t k = 0;; k += 16, key += 2) {
            size_t at = k + 16 <= n ? k : n - 16;
            memcpy(&a, p + at, 8);
            memcpy(&b, p + at + 8, 8);
            sum += (urlsm_wide)(a + key[0]) * (b + key[1]);
            if (k + 16 >= n)
                break;
        }
    }
    sum = (urlsm_wide)((uint64_t)sum ^ last[0]) * ((uint64_t)(sum >> 64) ^ last[1]);
    return (uint64_t)sum ^ (uint64_t)(sum >> 64);
#else
    (void)key;
    return URLSM_OTHER_HASH(p, (Py_ssize_t)n);
#endif
}
#endif
