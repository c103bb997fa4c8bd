/* Where the plain lane finds the components of a text, and how to call the lane. The plain lane is a fast parser for
 * texts that need no change, or little (lane/plain.h). Its code (lane/one.h) is only compiled into driver.pyx. */
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
    volatile uint32_t name_end;                              /* the end of the host; only set for an odd head */
    volatile int32_t port;                                   /* the port, or -1; only set for an odd head */
} urlsm_bounds;

/* What the lane returns for a text: the kind of its plain host (lane/host.h), or URLSM_ODD; 0 if the lane declines the
 * text. */
enum { URLSM_PLAIN_NAME = 1, URLSM_PLAIN_IPV4, URLSM_ODD };
enum { URLSM_ODD_HEAD = 1, URLSM_ODD_PATH = 2 }; /* HEAD: scheme, host or port; PATH: a path with dot segments */
#define URLSM_OF_IPV4 0x80000000u                /* added to the offset of a host's end; no text is that long */

typedef struct {
    /* Return one of the values above, or 0 if the lane declines p[0..n). If the result is not 0, found has the bounds
     * of the components; the "/" of an empty path may be missing, and found->odd tells which parts have to be
     * rewritten. */
    int (*text)(const uint8_t *p, uint32_t n, urlsm_bounds *found);
    /* Return where the authority of p[0..n) ends, or 0 if the authority is not plain. Octets after it are not read.
     * URLSM_OF_IPV4 is added if the host is an IPv4 address. */
    uint32_t (*authority)(const uint8_t *p, uint32_t n);
} urlsm_lane;
#endif
