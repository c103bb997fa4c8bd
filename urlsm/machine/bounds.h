/* Where the plain lane finds the components of a text, and how to call it. The lane itself (lane/one.h) is compiled
 * only into driver.pyx. */
#ifndef URLSM_BOUNDS_H
#define URLSM_BOUNDS_H
#include <stdint.h>

typedef struct { /* volatile: fields are read as they were written, one by one. The CPU stalls if one load spans two
                  * stores. */
    volatile uint32_t scheme_end;                            /* of ":" */
    volatile uint32_t host_start, host_end;                  /* where the path starts */
    volatile uint32_t query_start, fragment_start, path_end; /* of "?" and of "#", UINT32_MAX where there is none */
    volatile uint32_t root_missing;                          /* 1: the path is empty; the serialisation has "/" there */
    volatile uint32_t odd;                                   /* which parts have to be written anew */
    volatile uint32_t name_end;                              /* of an odd head: where the host ends, before its port */
    volatile int32_t port;                                   /* the port after it; -1: none */
} urlsm_bounds;

/* What the lane returns for a text: the kind of its plain host (lane/host.h), or URLSM_ODD; 0 if it is not plain. */
enum { URLSM_PLAIN_NAME = 1, URLSM_PLAIN_IPV4, URLSM_ODD };
enum { URLSM_ODD_HEAD = 1, URLSM_ODD_PATH = 2 }; /* scheme, host or port; a path with dot segments */
#define URLSM_OF_IPV4 0x80000000u                /* added to the end of a host; no URL is as long */

typedef struct {
    /* Return whether p[0..n) is plain, and how (see above). The "/" of an empty path may be missing, and parts may be
     * odd. Then found tells where the components lie. */
    int (*text)(const uint8_t *p, uint32_t n, urlsm_bounds *found);
    /* Return where the authority of p[0..n) ends, or 0 if it is not plain. Nothing behind it is read. If the host is an
     * IPv4 address, URLSM_OF_IPV4 is added. */
    uint32_t (*authority)(const uint8_t *p, uint32_t n);
} urlsm_lane;
#endif
