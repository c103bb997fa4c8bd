/* Processing up to 64 octets at a time, with vectors of every width, from one source.
 *
 * Code that processes many octets at once is written once, in a body file, in terms of a block. A block has 64 octets,
 * which are 0 after the end of the text. Including this file with URLSM_BODY set includes the body once for each width
 * that this compiler has, 64 (AVX-512), 32 (AVX2) and 16 (SSSE3, NEON) octets, with
 *
 *     W(name)                   urlsm_name_64, urlsm_name_32, urlsm_name_16
 *     URLSM_WIDTH               64, 32, 16
 *     URLSM_TARGET              goes before each function of the body
 *     W(block)                  the type
 *     W(load)(p, n, before)     the block at p; reads p[-before..n) at most, and nothing outside it
 *     W(equal)(b, octet)        bit k: octet k is this one
 *     W(within)(b, low)         bit k: octet k is in the set. Bit r of low[c] is set where octet 16 * r + c is in it
 *     W(non_ascii)(b)           bit k: octet k is above 0x7F. No set has such octets
 *     W(leave)()                returns 0, to return from within a loop: gcc 12 forgets vzeroupper there, and the code
 *                               that follows would take three times as long
 *
 * Without URLSM_BODY, this file has only functions that need no vectors, as the compilers' headers for vectors are
 * huge. urlsm_widest(most) returns the largest width, up to `most` octets, that this CPU has, or 1 if only the portable
 * code can run.
 */
#ifndef URLSM_VECTORS_H
#define URLSM_VECTORS_H
#include <string.h>
#include "compiler.h"

static inline int urlsm_widest(int most)
{
    int widest = 1;
#ifdef URLSM_X86
    widest = urlsm_x86_widest();
#elif defined(URLSM_NEON)
    widest = 16;
#endif
    return most >= widest ? widest : most >= 32 && widest > 32 ? 32 : most >= 16 && widest >= 16 ? 16 : 1;
}

/* Return a word whose lowest n bits are set, 0 < n. (If n is 64 or more, all bits are set.) */
static inline uint64_t urlsm_first(size_t n)
{
    return n < 64 ? ((uint64_t)1 << n) - 1 : ~(uint64_t)0;
}

#define URLSM_PASTE(name, width) urlsm_##name##_##width
#endif

#ifdef URLSM_BODY
#include "block.h"
#ifdef URLSM_X86
#define W(name) URLSM_PASTE(name, 64)
#define URLSM_WIDTH 64
#define URLSM_TARGET URLSM_ISA("avx512bw,bmi,bmi2,lzcnt")
#include URLSM_BODY
#undef W
#undef URLSM_WIDTH
#undef URLSM_TARGET
#define W(name) URLSM_PASTE(name, 32)
#define URLSM_WIDTH 32
#define URLSM_TARGET URLSM_ISA("avx2,bmi,bmi2,lzcnt")
#include URLSM_BODY
#undef W
#undef URLSM_WIDTH
#undef URLSM_TARGET
#define W(name) URLSM_PASTE(name, 16)
#define URLSM_WIDTH 16
#define URLSM_TARGET URLSM_ISA("ssse3")
#include URLSM_BODY
#undef W
#undef URLSM_WIDTH
#undef URLSM_TARGET
#elif defined(URLSM_NEON)
#define W(name) URLSM_PASTE(name, 16)
#define URLSM_WIDTH 16
#define URLSM_TARGET
#include URLSM_BODY
#undef W
#undef URLSM_WIDTH
#undef URLSM_TARGET
#endif
#undef URLSM_BODY
#endif
