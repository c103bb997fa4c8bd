/* The structs of marks.h and plain.h, for those that call neither: what these two look with is large. */
#ifndef URLSM_STRUCTS_H
#define URLSM_STRUCTS_H
#include <stddef.h>
#include <stdint.h>

#define URLSM_WINDOW 512 /* octets indexed */
#define URLSM_WORDS (URLSM_WINDOW / 64)

typedef struct {
    uint64_t marks[URLSM_WORDS], delimiters[URLSM_WORDS], dots[URLSM_WORDS], upper[URLSM_WORDS];
} urlsm_index;

/* How marks.h looks, at one width. */
typedef struct {
    int octets; /* at a time */
    void (*index)(const uint8_t *, uint32_t, urlsm_index *);
    size_t (*find)(const uint8_t *, size_t, size_t, const uint8_t *);
    int (*dot_segment)(const uint8_t *, size_t, size_t);
} urlsm_looks;

/* Where the components of a plain text lie (plain.h). */
typedef struct { /* volatile: read one by one as they were written. The CPU waits where one load spans two stores */
    volatile uint32_t scheme_end;                            /* of ":" */
    volatile uint32_t host_start, host_end;                  /* where the path starts */
    volatile uint32_t query_start, fragment_start, path_end; /* of "?" and of "#", UINT32_MAX where there is none */
    volatile uint32_t root_missing;                          /* 1: the path is empty; the serialisation has "/" there */
} urlsm_plain;

enum { URLSM_PLAIN_NAME = 1, URLSM_PLAIN_IPV4 }; /* the kinds of a plain host; 0: it is not plain */
#define URLSM_OF_IPV4 0x80000000u

typedef struct {
    /* Is p[0..n) plain, but perhaps for the "/" of an empty path? If so, tell the kind of its host, and where its
     * components lie. */
    int (*text)(const uint8_t *p, uint32_t n, urlsm_plain *found);
    /* Where does a plain authority end in p[0..n)? 0: it is not plain. Nothing behind it is read. Where the host is
     * an IPv4 address, URLSM_OF_IPV4 is added: a greater number than the length of any URL. */
    uint32_t (*authority)(const uint8_t *p, uint32_t n);
} urlsm_lane;
#endif
