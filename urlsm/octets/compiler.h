/* What differs between compilers, beyond standard C11. No other file names a compiler (tools/rules.py checks this).
 *
 *     URLSM_X86, URLSM_NEON     this compiler makes vector code for x86 or for NEON; URLSM_HAVE_VECTORS: for either
 *     URLSM_ISA(isa)            declares a function that uses instructions which not every CPU has
 *     URLSM_INLINED             always inline it; URLSM_UNUSED: it may be unused; URLSM_UNROLLED: unroll the next loop
 *     URLSM_VECTOR(octets)      declares a vector type, whose operators work on all elements at once
 *     URLSM_HAVE_WIDE           there is urlsm_wide, a number of 128 bits
 *     URLSM_EXPORT              a symbol that other libraries find; URLSM_THREAD_LOCAL: a variable of each thread
 *     URLSM_ADD, URLSM_SWAP, URLSM_FILL, URLSM_LOOK, URLSM_TELL
 *                               atomic: add and return the sum; exchange; set a NULL pointer and return whether it
 *                               was NULL; read and write a value that is only a hint
 *     URLSM_COUNT_UP, _DOWN     reference counts: the thread that drops the last one sees what all others wrote
 *     urlsm_ctz, urlsm_clz, urlsm_popcount, urlsm_little, urlsm_prefetch_line
 *
 * There are two kinds of compiler: those with the extensions of GNU C (gcc, clang, also for Windows), and Microsoft's.
 * The part for Microsoft's has only been tested with gcc and clang standing in for it (tests/support/msvc/intrin.h).
 */
#ifndef URLSM_COMPILER_H
#define URLSM_COMPILER_H
#include "traceback.h"
#include <stddef.h>
#include <stdint.h>

#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
#elif defined(__GNUC__) || defined(__clang__)
#define URLSM_GNU_C 1
#if !defined(URLSM_NO_VECTORS) && defined(__x86_64__)
#define URLSM_X86 1
#include <cpuid.h>
#elif !defined(URLSM_NO_VECTORS) && defined(__aarch64__) && defined(__ARM_NEON) && !defined(__AARCH64EB__)
#define URLSM_NEON 1
#endif
#else
#error "urlsm knows compilers with the extensions of GNU C, and Microsoft's"
#endif
#if defined(URLSM_X86) || defined(URLSM_NEON)
#define URLSM_HAVE_VECTORS 1
#endif

#ifdef __SIZEOF_INT128__
#define URLSM_HAVE_WIDE 1
typedef unsigned __int128 urlsm_wide;
#endif

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(p, n) ((void)(p), (void)(n))
#define ASAN_UNPOISON_MEMORY_REGION(p, n) ((void)(p), (void)(n))
#endif

#ifdef URLSM_GNU_C
#define URLSM_ISA(isa) __attribute__((target(isa)))
#define URLSM_INLINED __attribute__((always_inline))
#define URLSM_UNUSED __attribute__((unused))
#define URLSM_VECTOR(octets) __attribute__((vector_size(octets)))
#define URLSM_THREAD_LOCAL __thread
#define URLSM_ADD(n, more) __atomic_add_fetch(n, more, __ATOMIC_ACQ_REL)
#define URLSM_SWAP(p, value) __atomic_exchange_n(p, value, __ATOMIC_ACQ_REL)
#define URLSM_FILL(p, value) __sync_bool_compare_and_swap(p, NULL, value)
#define URLSM_LOOK(p) __atomic_load_n(p, __ATOMIC_RELAXED)
#define URLSM_TELL(p, value) __atomic_store_n(p, value, __ATOMIC_RELAXED)
#define URLSM_COUNT_UP(n) __atomic_add_fetch(n, 1, __ATOMIC_RELAXED)
#define URLSM_COUNT_DOWN(n) __atomic_sub_fetch(n, 1, __ATOMIC_ACQ_REL)
#else
#define URLSM_INLINED
#define URLSM_UNUSED
#define URLSM_THREAD_LOCAL __declspec(thread)
#define URLSM_ADD(n, more) (_InterlockedExchangeAdd64(n, more) + (more))
#define URLSM_SWAP(p, value) _InterlockedExchangePointer((void *volatile *)(p), value)
#define URLSM_FILL(p, value) (_InterlockedCompareExchangePointer((void *volatile *)(p), value, NULL) == NULL)
#define URLSM_LOOK(p) (*(p))
#define URLSM_TELL(p, value) (*(p) = (value))
#define URLSM_COUNT_UP(n) _InterlockedIncrement64(n)
#define URLSM_COUNT_DOWN(n) _InterlockedDecrement64(n)
#endif

#ifdef _WIN32
#define URLSM_EXPORT __declspec(dllexport)
#else
#define URLSM_EXPORT __attribute__((visibility("default")))
#endif

#if defined(__GNUC__) && !defined(__clang__)
#define URLSM_UNROLLED _Pragma("GCC unroll 4") /* without it, gcc -O2 keeps a block's vectors in memory */
#else
#define URLSM_UNROLLED
#endif

/* Return the number of zero bits below the lowest bit that is set. word must not be 0. */
static inline uint32_t urlsm_ctz(uint64_t word)
{
#ifdef URLSM_GNU_C
    return (uint32_t)__builtin_ctzll(word);
#else
    unsigned long k;
    _BitScanForward64(&k, word);
    return (uint32_t)k;
#endif
}

/* Return the number of zero bits above the highest bit that is set. word must not be 0. */
static inline uint32_t urlsm_clz(uint64_t word)
{
#ifdef URLSM_GNU_C
    return (uint32_t)__builtin_clzll(word);
#else
    unsigned long k;
    _BitScanReverse64(&k, word);
    return 63 - (uint32_t)k;
#endif
}

static inline uint32_t urlsm_popcount(uint64_t word)
{
#ifdef URLSM_GNU_C
    return (uint32_t)__builtin_popcountll(word);
#else
    uint32_t n = 0; /* __popcnt64 is not used, as not every CPU has its instruction */
    for (; word; word &= word - 1)
        n++;
    return n;
#endif
}

/* Return a word that is stored in memory as the octets of `word`, from the lowest to the highest. */
static inline uint64_t urlsm_little(uint64_t word)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return __builtin_bswap64(word);
#else
    return word;
#endif
}

static inline void urlsm_prefetch_line(const void *p)
{
#ifdef URLSM_GNU_C
    __builtin_prefetch(p);
#endif
    (void)p;
}

#ifdef URLSM_X86
/* Return the widest vectors, in octets, that the CPU has and the system saves. __builtin_cpu_supports is not used: it
 * would query all features whenever a module is loaded, and under a hypervisor each query traps, which took a twentieth
 * of the import. */
static inline int urlsm_x86_widest(void)
{
    static int known; /* 0: not known yet; threads that compute it at the same time find the same value */
    unsigned most, a, b, c, d, low = 0, high;
    int widest = URLSM_LOOK(&known);
    if (widest)
        return widest;
    widest = 1;
    __cpuid(0, most, b, c, d);
    __cpuid(1, a, b, c, d);
    if (c & bit_SSSE3)
        widest = 16;
    if (c & bit_OSXSAVE)
        __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    if (widest == 16 && most >= 7 && c & bit_AVX && (low & 0x06) == 0x06) { /* the system saves the YMM registers */
        __cpuid_count(7, 0, a, b, c, d);
        if (b & bit_AVX2 && b & bit_BMI && b & bit_BMI2) /* CPUs with these also have LZCNT */
            widest = 32;
        if (widest == 32 && b & bit_AVX512F && b & bit_AVX512BW && (low & 0xE6) == 0xE6) /* it saves ZMM and masks */
            widest = 64;
    }
    URLSM_TELL(&known, widest);
    return widest;
}

/* Return whether this CPU has the instructions for SHA-1, and the vector instructions that are used with them. */
static inline int urlsm_x86_has_sha(void)
{
    unsigned a, b, c, d;
    return __get_cpuid(1, &a, &b, &c, &d) && c & bit_SSE4_1 && __get_cpuid_count(7, 0, &a, &b, &c, &d) && b >> 29 & 1;
}
#endif
#endif
