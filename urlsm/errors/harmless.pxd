"""Can anything in a text be secret? masking.pyx finds what is; most texts need not ask it."""
from libc.stdint cimport uint8_t
from libc.string cimport memchr, memcmp


cdef inline bint begins_secret_name(const uint8_t* p, size_t n) noexcept nogil:
    """Is this, in any case, how a word begins that makes the name of a parameter secret?"""
    cdef uint8_t word[4]
    if n < 4:
        return False
    word[0], word[1], word[2], word[3] = p[0] | 0x20, p[1] | 0x20, p[2] | 0x20, p[3] | 0x20
    return (memcmp(word, b"pass", 4) == 0 or memcmp(word, b"secr", 4) == 0 or memcmp(word, b"toke", 4) == 0
            or memcmp(word, b"auth", 4) == 0 or memcmp(word, b"scra", 4) == 0)


cdef inline bint holds_secret_name(const uint8_t* p, size_t n) noexcept nogil:
    """May the value of a parameter or field of this name be secret, though no handler declares it?"""
    cdef size_t k
    for k in range(n):
        if begins_secret_name(p + k, n - k):
            return True
    return False


cdef inline bint is_harmless(const uint8_t* p, size_t n, bint any_name) noexcept nogil:
    """No "@", which ends user information in every dialect, no parameter whose name may be secret, and no escape of
    "@", "=", "%" or a letter, which may hide them. any_name: any name may be secret, as handlers declare it."""
    cdef const uint8_t* end = p + n
    cdef const uint8_t* seen = p
    cdef const uint8_t* name
    cdef uint8_t high, low
    if memchr(p, c'@', n) != NULL:
        return False
    while True:
        seen = <const uint8_t*>memchr(seen, c'=', end - seen)
        if seen == NULL:
            break
        if any_name:
            return False
        name = seen
        while name > p and (name - 1)[0] != c'&' and (name - 1)[0] != c'?' and (name - 1)[0] != c'=':
            name -= 1
        if holds_secret_name(name, seen - name):
            return False
        seen += 1
    seen = p
    while True:
        seen = <const uint8_t*>memchr(seen, c'%', end - seen)
        if seen == NULL or end - seen < 3:
            return True
        high, low = seen[1], seen[2] | 0x20
        if c'4' <= high <= c'7' and not (high == c'5' and c'b' <= low <= c'f') and not (high == c'7' and low >= c'b'):
            return False
        if (high == c'3' and low == c'd') or (high == c'2' and low == c'5'):
            return False
        seen += 1
