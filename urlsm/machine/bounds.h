/* Where the plain lane finds the components of a text, and how to call the lane. The lane itself (lane/one.h) is only
 * compiled into driver.pyx. */
#ifndef URLSM_BOUNDS_H
#define URLSM_BOUNDS_H
#include <stdint.h>

typedef struct { /* volatile: each field is read with its own load, as it was written with its own store. The CPU stalls
                  * if one load spans two stores. */
    volatile uint32_t scheme_end;                            /* offset of the ":" */
    volatile uint32_t host_start, host_end;                  /* the path starts at host_end */
    volatile uint32_t query_start, fragment_start, path_end; /* offsets of "?" and "#", UINT32_MAX if absent */
    volatile uint32_t root_missing;                          /* 1: the path is empty; its serialisation is "/" */
    volatile uint32_t odd;                                   /* which parts have to be rewritten: URLSM_ODD_... */
    volatile uint32_t name_end;                              /* the end of an odd head's host, before its port */
    volatile int32_t port;                                   /* the port of an odd head; -1: none */
} urlsm_bounds;

/* What the lane returns for a text: the kind of its plain host (lane/host.h), or URLSM_ODD; 0 if the lane declines
 * it. */
enum { URLSM_PLAIN_NAME = 1, URLSM_PLAIN_IPV4, URLSM_ODD };
enum { URLSM_ODD_HEAD = 1, URLSM_ODD_PATH = 2 }; /* HEAD: scheme, host or port; PATH: a path with dot segments */
#define URLSM_OF_IPV4 0x80000000u                /* added to the end of a host; no text is that long */

typedef struct {
    /* Return whether p[0..n) is plain, as one of the values above. Even then the "/" of an empty path may be missing,
     * and parts may be odd. If it is not 0, found has the bounds of the components. */
    int (*text)(const uint8_t *p, uint32_t n, urlsm_bounds *found);
    /* Return where the authority of p[0..n) ends, or 0 if it is not plain. Nothing after it is read. URLSM_OF_IPV4 is
     * added if the host is an IPv4 address. */
    uint32_t (*authority)(const uint8_t *p, uint32_t n);
} urlsm_lane;
#endif
