/* The structs of marks.h, for files that do not need its large functions. */
#ifndef URLSM_STRUCTS_H
#define URLSM_STRUCTS_H
#include <stddef.h>
#include <stdint.h>

#define URLSM_WINDOW 512 /* octets; the index covers at most this many */
#define URLSM_WORDS (URLSM_WINDOW / 64)

typedef struct {
    uint64_t marks[URLSM_WORDS], delimiters[URLSM_WORDS], dots[URLSM_WORDS], upper[URLSM_WORDS];
} urlsm_index;

/* The functions of marks.h, compiled for one width. */
typedef struct {
    int octets; /* how many octets they take at a time */
    void (*index)(const uint8_t *, uint32_t, urlsm_index *);
    size_t (*find)(const uint8_t *, size_t, size_t, const uint8_t *);
    int (*dot_segment)(const uint8_t *, size_t, size_t);
} urlsm_looks;
#endif
