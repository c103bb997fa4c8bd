/* Microsoft's intrinsics that urlsm uses, by their documented signatures, so that the part of octets/compiler.h for that
 * compiler can be compiled and run by gcc with -D_MSC_VER=1940, or by clang with -U__clang__ too. */
#ifndef URLSM_STUB_INTRIN_H
#define URLSM_STUB_INTRIN_H

static inline unsigned char _BitScanForward64(unsigned long *index, unsigned long long mask)
{
    *index = mask ? (unsigned long)__builtin_ctzll(mask) : 0;
    return mask != 0;
}

static inline unsigned char _BitScanReverse64(unsigned long *index, unsigned long long mask)
{
    *index = mask ? 63 - (unsigned long)__builtin_clzll(mask) : 0;
    return mask != 0;
}

/* __int64 is long long there, and int64_t too; here int64_t may be long */
#define _InterlockedIncrement64(addend) __atomic_add_fetch(addend, 1, __ATOMIC_SEQ_CST)
#define _InterlockedDecrement64(addend) __atomic_sub_fetch(addend, 1, __ATOMIC_SEQ_CST)
#define _InterlockedExchangeAdd64(addend, value) __atomic_fetch_add(addend, value, __ATOMIC_SEQ_CST)

static inline void *_InterlockedExchangePointer(void *volatile *target, void *value)
{
    return __atomic_exchange_n(target, value, __ATOMIC_SEQ_CST);
}

static inline void *_InterlockedCompareExchangePointer(void *volatile *destination, void *exchange, void *comparand)
{
    void *expected = comparand;
    __atomic_compare_exchange_n(destination, &expected, exchange, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return expected;
}
#endif
