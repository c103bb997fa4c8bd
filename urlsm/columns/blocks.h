/* Memory for the octets of columns. To get many fresh pages of 4 KiB from the system takes as long as all other work on
 * a column. So large blocks lie in huge pages, and up to 64 MiB of freed blocks are kept for the next columns.
 *
 * A stock holds the kept blocks. Consumers free columns on any thread, with or without the interpreter, in a child
 * process after fork, and at the end of the process. Therefore each block points to its stock. There is no lock, since
 * a fork could leave it locked; instead, a thread takes a block out of the stock, by one atomic exchange of a pointer,
 * before it reads the block.
 */
#ifndef URLSM_BLOCKS_H
#define URLSM_BLOCKS_H
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#endif
#include "../octets/compiler.h"

enum { URLSM_KEPT_BLOCKS = 256 /* a power of two */, URLSM_BLOCK_HEAD = 64 };
#define URLSM_KEPT_MOST ((int64_t)64 << 20)     /* octets */
#define URLSM_LARGE ((size_t)1 << 17)           /* a block of this size or more is mapped, and kept when it is freed */
#define URLSM_COPIED ((size_t)1 << 23)          /* large blocks below this size are resized by copying */
#define URLSM_HUGE_PAGE ((size_t)1 << 21)
#define URLSM_PAGE ((size_t)1 << 16)            /* a multiple of every page size */

typedef struct urlsm_stock urlsm_stock;

typedef struct { /* the head of a block; the octets for the user follow at URLSM_BLOCK_HEAD */
    size_t size; /* including this head */
    urlsm_stock *stock; /* NULL: the block is from malloc */
} urlsm_block;

struct urlsm_stock {
    urlsm_block *volatile kept[URLSM_KEPT_BLOCKS];
    volatile size_t sizes[URLSM_KEPT_BLOCKS]; /* the sizes of the kept blocks; may be out of date */
    volatile int64_t octets, dropped; /* dropped: a counter that says which place is emptied next */
};

/* --- memory from the system, and back to it */

#if defined(__linux__) && defined(MREMAP_FIXED)
static inline void urlsm_advise(void *p, size_t size)
{
#ifdef MADV_HUGEPAGE
    if (size >= URLSM_HUGE_PAGE)
        madvise(p, size, MADV_HUGEPAGE);
#endif
    (void)p, (void)size;
}

static inline void *urlsm_mapped(size_t size)
{
    size_t more = size < URLSM_HUGE_PAGE ? 0 : URLSM_HUGE_PAGE;
    uint8_t *p = (uint8_t *)mmap(NULL, size + more, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == (uint8_t *)MAP_FAILED)
        return NULL;
    if (more) { /* huge pages begin at multiples of their size */
        size_t before = (size_t)(0 - (uintptr_t)p) & (more - 1);
        if (before)
            munmap(p, before);
        if (more > before)
            munmap(p + before + size, more - before);
        p += before;
        urlsm_advise(p, size);
    }
    return p;
}

static inline void urlsm_unmapped(urlsm_block *block)
{
    munmap(block, block->size);
}

/* Resizes a mapped block, which may move, and returns it. If memory runs out, leaves the block unchanged and returns
 * NULL. A move maps the same pages at a new place, without copying. Huge pages stay huge, because the new place begins
 * where a huge page can begin. */
static inline urlsm_block *urlsm_remapped(urlsm_block *block, size_t size)
{
    void *to = NULL;
    if (size < block->size) {
        munmap((uint8_t *)block + size, block->size - size);
    } else if (size > block->size) {
        if ((to = urlsm_mapped(size)) == NULL)
            return NULL;
        if (mremap(block, block->size, size, MREMAP_MAYMOVE | MREMAP_FIXED, to) == MAP_FAILED) {
            munmap(to, size);
            return NULL;
        }
        block = (urlsm_block *)to;
        urlsm_advise(block, size);
    }
    block->size = size;
    return block;
}
#else
static inline void *urlsm_mapped(size_t size)
{
    return malloc(size);
}

static inline void urlsm_unmapped(urlsm_block *block)
{
    free(block);
}

static inline urlsm_block *urlsm_remapped(urlsm_block *block, size_t size)
{
    if ((block = (urlsm_block *)realloc(block, size)) != NULL)
        block->size = size;
    return block;
}
#endif

/* --- the stock */

/* Subtracts a block, which the caller has taken out of the stock, from the stock's octets, and tells AddressSanitizer
 * that the block may be accessed again. */
static inline urlsm_block *urlsm_left(urlsm_stock *stock, urlsm_block *block)
{
    if (block != NULL) {
        URLSM_ADD(&stock->octets, -(int64_t)block->size);
        ASAN_UNPOISON_MEMORY_REGION(block + 1, block->size - sizeof(*block));
    }
    return block;
}

/* Puts a block into a free place of the stock, whose octets already include the block. Returns 0 if there is no free
 * place. */
static inline int urlsm_placed(urlsm_stock *stock, urlsm_block *block)
{
    for (int k = 0; k < URLSM_KEPT_BLOCKS; k++) {
        if (URLSM_LOOK(&stock->kept[k]) != NULL)
            continue;
        URLSM_TELL(&stock->sizes[k], block->size);
        if (URLSM_FILL(&stock->kept[k], block))
            return 1;
    }
    return 0;
}

/* Keeps a block in its stock, or frees the block if the stock has no room for it. If the stock is full, other blocks
 * are freed first, in the order of their places. */
static inline void urlsm_keep(urlsm_stock *stock, urlsm_block *block)
{
    int64_t octets = (int64_t)block->size <= URLSM_KEPT_MOST ? URLSM_ADD(&stock->octets, (int64_t)block->size) : -1;
    for (int k = 0; k < URLSM_KEPT_BLOCKS && octets > URLSM_KEPT_MOST; k++) {
        int64_t next = URLSM_ADD(&stock->dropped, 1) & (URLSM_KEPT_BLOCKS - 1);
        urlsm_block *other = urlsm_left(stock, (urlsm_block *)URLSM_SWAP(&stock->kept[next], NULL));
        if (other != NULL)
            urlsm_unmapped(other);
        octets = URLSM_LOOK(&stock->octets);
    }
    if (octets >= 0) {
        ASAN_POISON_MEMORY_REGION(block + 1, block->size - sizeof(*block));
        if (octets <= URLSM_KEPT_MOST && urlsm_placed(stock, block))
            return;
        urlsm_left(stock, block);
    }
    urlsm_unmapped(block);
}

static inline size_t urlsm_apart(size_t a, size_t b)
{
    return a < b ? b - a : a - b;
}

/* Takes the kept block whose size is nearest to `size` out of the stock, enlarges it to `size` if necessary, and
 * returns it; NULL if no kept block has nearly this size. Two threads never get the same block. */
static inline urlsm_block *urlsm_take_kept(urlsm_stock *stock, size_t size)
{
    urlsm_block *best = NULL, *block;
    size_t apart = size / 2; /* the difference between `size` and the size of the best block so far */
    for (int k = 0; k < URLSM_KEPT_BLOCKS; k++) {
        /* a block below URLSM_HUGE_PAGE has small pages, and would keep them when it is enlarged */
        size_t hint = URLSM_LOOK(&stock->sizes[k]);
        if (URLSM_LOOK(&stock->kept[k]) == NULL || urlsm_apart(hint, size) > apart
            || (size >= URLSM_HUGE_PAGE && hint < URLSM_HUGE_PAGE)
            || (block = (urlsm_block *)URLSM_SWAP(&stock->kept[k], NULL)) == NULL)
            continue;
        if (urlsm_apart(block->size, size) <= apart) { /* check again, as another thread may have changed the block */
            urlsm_block *before = best;
            best = block;
            apart = urlsm_apart(block->size, size);
            block = before;
        }
        if (block != NULL && !urlsm_placed(stock, block))
            urlsm_unmapped(urlsm_left(stock, block));
        if (apart == 0)
            break;
    }
    if (urlsm_left(stock, best) == NULL || best->size >= size)
        return best;
    block = urlsm_remapped(best, size);
    if (block == NULL)
        urlsm_unmapped(best);
    return block;
}

/* Gives the stock's blocks back to the system. Returns the number of octets given back. */
static inline int64_t urlsm_release(urlsm_stock *stock)
{
    int64_t octets = 0;
    for (int k = 0; k < URLSM_KEPT_BLOCKS; k++) {
        urlsm_block *block = (urlsm_block *)URLSM_SWAP(&stock->kept[k], NULL);
        if (block != NULL) {
            octets += (int64_t)block->size;
            urlsm_unmapped(urlsm_left(stock, block));
        }
    }
    return octets;
}

/* Computes the stock's octets again. This is for a child process after fork, because another thread of the parent may
 * have been adding or taking a block at that moment. */
static inline void urlsm_recount(urlsm_stock *stock)
{
    stock->octets = 0;
    for (int k = 0; k < URLSM_KEPT_BLOCKS; k++)
        stock->octets += stock->kept[k] == NULL ? 0 : (int64_t)stock->kept[k]->size;
}

/* --- the functions for users of blocks, who hold a pointer to the first octet after the head, aligned to 16 */

static inline urlsm_block *urlsm_block_of(void *p)
{
    return (urlsm_block *)((uint8_t *)p - URLSM_BLOCK_HEAD);
}

/* Returns the size of a large block that holds this many octets. There are only four sizes between a power of two and
 * the next one, so that freed blocks fit later requests. */
static inline size_t urlsm_block_size(size_t size)
{
    size_t step = URLSM_PAGE;
    size += URLSM_BLOCK_HEAD;
    while (size > 8 * step)
        step *= 2;
    return (size + step - 1) & ~(step - 1);
}

/* Returns a block with uninitialised memory for this many octets; NULL if memory runs out. */
static inline void *urlsm_block_new(urlsm_stock *stock, size_t size)
{
    urlsm_block *block = NULL;
    int large = size >= URLSM_LARGE;
    if (size > PTRDIFF_MAX / 2)
        return NULL;
    size = large ? urlsm_block_size(size) : size + URLSM_BLOCK_HEAD;
    if (large)
        block = urlsm_take_kept(stock, size);
    if (block == NULL) {
        block = (urlsm_block *)(large ? urlsm_mapped(size) : malloc(size));
        if (block == NULL)
            return NULL;
        block->size = size;
    }
    block->stock = large ? stock : NULL;
    return (uint8_t *)block + URLSM_BLOCK_HEAD;
}

static inline void urlsm_block_free(void *p)
{
    if (p == NULL)
        return;
    urlsm_block *block = urlsm_block_of(p);
    if (block->stock == NULL)
        free(block);
    else
        urlsm_keep(block->stock, block);
}

/* Resizes a block, which may move, and returns it. If memory runs out, leaves the block unchanged and returns NULL. Up
 * to a third of a large block may stay unused. */
static inline void *urlsm_block_resized(urlsm_stock *stock, void *p, size_t size)
{
    urlsm_block *block = urlsm_block_of(p);
    size_t before = block->size - URLSM_BLOCK_HEAD;
    if (size > PTRDIFF_MAX / 2)
        return NULL;
    if (block->stock == NULL && size < URLSM_LARGE) {
        block = (urlsm_block *)realloc(block, size + URLSM_BLOCK_HEAD);
        if (block != NULL)
            block->size = size + URLSM_BLOCK_HEAD;
    } else if (size > before || before - size > size / 2) {
        if (before >= URLSM_COPIED) {
            block = urlsm_remapped(block, urlsm_block_size(size));
        } else { /* copying to a kept block is faster: the system would clear each page that it adds */
            void *other = urlsm_block_new(stock, size);
            if (other == NULL)
                return NULL;
            memcpy(other, p, size < before ? size : before);
            urlsm_block_free(p);
            return other;
        }
    }
    return block == NULL ? NULL : (uint8_t *)block + URLSM_BLOCK_HEAD;
}
#endif
