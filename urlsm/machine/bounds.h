/* What the plain lane tells of a text, and how it is asked. A leaf: the lane (lane/one.h) is in driver.pyx alone. */
#ifndef URLSM_BOUNDS_H
#define URLSM_BOUNDS_H
#include <stdint.h>

typedef struct { /* volatile: read one by one as they were written. The CPU waits where one load spans two stores */
    volatile uint32_t scheme_end;                            /* of ":" */
    volatile uint32_t host_start, host_end;                  /* where the path starts */
    volatile uint32_t query_start, fragment_start, path_end; /* of "?" and of "#", UINT32_MAX where there is none */
    volatile uint32_t root_missing;                          /* 1: the path is empty; the serialisation has "/" there */
} urlsm_bounds;

enum { URLSM_PLAIN_NAME = 1, URLSM_PLAIN_IPV4 }; /* the kinds of a plain host (lane/host.h); 0: it is not plain */
#define URLSM_OF_IPV4 0x80000000u                /* a greater number than the length of any URL */

typedef struct {
    /* Is p[0..n) plain, but perhaps for the "/" of an empty path? If so, tell the kind of its host, and where its
     * components lie. */
    int (*text)(const uint8_t *p, uint32_t n, urlsm_bounds *found);
    /* Where does a plain authority end in p[0..n)? 0: it is not plain. Nothing behind it is read. Where the host is an
     * IPv4 address, URLSM_OF_IPV4 is added. */
    uint32_t (*authority)(const uint8_t *p, uint32_t n);
} urlsm_lane;
#endif
