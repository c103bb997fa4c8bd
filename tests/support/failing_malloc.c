/* malloc, calloc and realloc that fail when they are told to; for LD_PRELOAD. fail_at(n): the n-th call from now on fails,
 * and those behind it too until fail_at(-1). live: blocks that were given out and not freed. */
#define _GNU_SOURCE
#include <stddef.h>

void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
void __libc_free(void *);

static __thread long left = -1; /* of this thread */
long live;

void fail_at(long n) { left = n; }

static int fails(void)
{
    if (left < 0)
        return 0;
    if (left == 0)
        return 1;
    left--;
    return 0;
}

static void *given(void *p)
{
    if (p != NULL)
        __atomic_add_fetch(&live, 1, __ATOMIC_RELAXED);
    return p;
}

void *malloc(size_t n) { return fails() ? NULL : given(__libc_malloc(n)); }

void *calloc(size_t n, size_t size) { return fails() ? NULL : given(__libc_calloc(n, size)); }

void *realloc(void *p, size_t n)
{
    if (p == NULL)
        return malloc(n);
    return fails() ? NULL : __libc_realloc(p, n);
}

void free(void *p)
{
    if (p != NULL)
        __atomic_sub_fetch(&live, 1, __ATOMIC_RELAXED);
    __libc_free(p);
}
