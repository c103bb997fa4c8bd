/* Every width of vector that this CPU has against the portable path: tests/machine/test_widths.py compiles and runs it, for
 * aarch64 too where a cross compiler and an emulator are at hand. Prints the widths; where two differ, the text. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include "machine/lane/one.h"
#include "octets/quoting.h"

static uint32_t state = 1738;

static uint32_t pick(uint32_t below)
{
    state = state * 1664525 + 1013904223;
    return (state >> 8) % below;
}

/* Fill p[0..n) with a link of sorts. */
static void fill(uint8_t *p, uint32_t n)
{
    static const char *const pieces[] = {"/", "/.", "/..", "/%2e", "/%2E", "/%2", "/%", "%2e", ".", "?", "#", "'", "\\", " ",
        "A", "Z", "@", "[", ":", ";", "`", "{", "\t", "\x7f", "\x80", "\xff", "a", "segment", "0123456789abcdef-_~!$&()*+,="};
    const uint32_t every = sizeof(pieces) / sizeof(pieces[0]), some = pick(every) + 1, only = pick(3);
    uint32_t k = 0;
    const char *head = pick(2) ? "https://example.org/" : "";
    while (*head && k < n)
        p[k++] = (uint8_t)*head++;
    while (k < n) {
        const char *piece = pieces[only && pick(40) ? every - only : pick(some)];
        if (pick(200) == 0)
            p[k++] = (uint8_t)pick(256);
        while (*piece && k < n)
            p[k++] = (uint8_t)*piece++;
    }
}

static int differ(const uint8_t *p, uint32_t n, const urlsm_looks *one, const urlsm_looks *other)
{
    urlsm_index a, b;
    urlsm_bounds x, y;
    const urlsm_lane *lane = &URLSM_LANES[one - URLSM_LOOKS], *of_other = &URLSM_LANES[other - URLSM_LOOKS];
    const uint32_t indexed = n < URLSM_WINDOW ? n : URLSM_WINDOW, from = n ? pick(n) : 0;
    memset(&a, 0, sizeof(a));
    memset(&b, 0, sizeof(b));
    memset(&x, 0, sizeof(x));
    memset(&y, 0, sizeof(y));
    one->index(p, indexed, &a);
    other->index(p, indexed, &b);
    if (memcmp(&a, &b, sizeof(a)) != 0)
        return 1;
    for (uint32_t k = from; k < n; k += 97)
        if (one->find(p + k, n - k, k, URLSM_MARKS_LOW) != other->find(p + k, n - k, k, URLSM_MARKS_LOW)
            || one->find(p + k, n - k, k, URLSM_BOTH_LOW) != other->find(p + k, n - k, k, URLSM_BOTH_LOW))
            return 2;
    if (one->dot_segment(p + from, n - from, from) != other->dot_segment(p + from, n - from, from))
        return 3;
    if (lane->text(p, n, &x) != of_other->text(p, n, &y) || memcmp(&x, &y, sizeof(x)) != 0
        || lane->authority(p, n) != of_other->authority(p, n))
        return 4;
    return urlsm_choose_outside(one->octets)(p, indexed < 64 ? indexed : 64, URLSM_MARKS_LOW)
        != urlsm_choose_outside(other->octets)(p, indexed < 64 ? indexed : 64, URLSM_MARKS_LOW) ? 5 : 0;
}

int main(void)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint8_t *pages = mmap(NULL, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    const uint32_t widest = urlsm_choose_looks(64);
    uint32_t taken = 0;
    if (pages == MAP_FAILED || mprotect(pages, page, PROT_NONE) != 0 || mprotect(pages + 2 * page, page, PROT_NONE) != 0)
        return 2;
    for (uint32_t row = 0; row <= widest; row++)
        printf("%d ", URLSM_LOOKS[row].octets);
    for (uint32_t turn = 0; turn < 30000; turn++) {
        const uint32_t n = turn < 700 ? turn : pick(3) ? pick(150) : pick(2000);
        uint8_t *p = turn & 1 ? pages + page : pages + 2 * page - n; /* nothing outside may be read */
        urlsm_bounds found;
        fill(p, n);
        for (uint32_t row = 1; row <= widest; row++) {
            const int where = differ(p, n, &URLSM_LOOKS[0], &URLSM_LOOKS[row]);
            if (where) {
                printf("\n%d octets at a time, %d: %.*s\n", URLSM_LOOKS[row].octets, where, (int)n, (const char *)p);
                return 1;
            }
        }
        taken += (uint32_t)URLSM_LANES[0].text(p, n, &found);
    }
    printf("octets at a time agree; plain: %u\n", taken);
    return taken < 1000;
}
