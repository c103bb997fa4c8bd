/* The plain lane (plain.h) for a batch of texts, with hardly a branch that depends on their octets.
 *
 * It accepts the texts that one.h accepts, except for some rare ones: texts with a host whose last label begins with a
 * digit, an empty path, "/%" in the path, or a mark that need not be encoded in its component. These are read one by
 * one, and so are the last texts of a buffer, because the lane reads whole blocks, which must lie within the buffer.
 */
#ifndef URLSM_BATCH_H
#define URLSM_BATCH_H
#include "../../octets/block.h"
#include "plain.h"
#include "texts.h"

#ifdef URLSM_HAVE_VECTORS
/* Return a word whose lowest n bits are set, n < 256. */
static inline uint64_t urlsm_below_16(uint32_t n)
{
    return ~(~(uint64_t)0 << (n & 63)) | (0 - (uint64_t)(n > 63));
}
#ifdef URLSM_X86
URLSM_FOR("bmi2") uint64_t urlsm_below_32(uint32_t n)
{
    return _bzhi_u64(~(uint64_t)0, n);
}
#define urlsm_below_64 urlsm_below_32
#endif

/* Return the index of the lowest bit that is set among 128 bits, or URLSM_NULL. It is computed by arithmetic, because
 * compilers would make a branch otherwise. The same is true of the next function. */
static inline uint32_t urlsm_first_of(uint64_t low, uint64_t high)
{
    uint64_t second = 0 - (uint64_t)(low == 0), word = low | (high & second);
    return (urlsm_ctz(word | (uint64_t)1 << 63) + (uint32_t)(second & 64)) | (0 - (uint32_t)(word == 0));
}

/* Return the cut (texts.h) from start to end or, if `there` is 0, the cut that stands for null. */
static inline urlsm_cut urlsm_cut_if(uint64_t there, uint32_t start, uint32_t end)
{
    uint32_t all = 0 - (uint32_t)there;
    return (urlsm_cut){start & all, (end - start) & all};
}
#endif

#define URLSM_BODY "machine/lane/batch_body.h"
#include "../../octets/vectors.h"

/* Find the components of the plain texts of a batch. If whole is 0, find only the hosts; octets after a host are
 * neither read nor checked. octets: the width of a block. On old x86 CPUs, blocks of 16 octets would not be worth their
 * code. */
static inline void urlsm_take_plain(const urlsm_cell *texts, uint32_t count, int octets, int whole, urlsm_found *found)
{
    memset(found->plain, 0, sizeof(found->plain));
#ifdef URLSM_X86
    if (octets == 64)
        (whole ? urlsm_lane_64 : urlsm_hosts_64)(texts, count, found);
    else if (octets == 32)
        (whole ? urlsm_lane_32 : urlsm_hosts_32)(texts, count, found);
#endif
#ifdef URLSM_NEON
    if (octets == 16)
        (whole ? urlsm_lane_16 : urlsm_hosts_16)(texts, count, found);
#endif
    (void)texts, (void)count, (void)octets, (void)whole;
}
#endif
