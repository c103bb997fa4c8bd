"""Is there anything in a text that could be a password? masking.pyx finds where; most texts need not ask it."""
from libc.stdint cimport uint8_t
from libc.string cimport memchr


cdef inline bint is_harmless(const uint8_t* p, size_t n) noexcept nogil:
    """No "@", which ends a password in every dialect, and no parameter whose name ends in "password", in any case."""
    cdef const uint8_t* end = p + n
    cdef const uint8_t* equals = p
    cdef const char* name = b"password"
    cdef size_t k
    if memchr(p, c'@', n) != NULL:
        return False
    while True:
        equals = <const uint8_t*>memchr(equals, c'=', end - equals)
        if equals == NULL:
            return True
        if equals - p >= 8:
            k = 0
            while k < 8 and (equals[<Py_ssize_t>k - 8] | 0x20) == <uint8_t>name[k]:
                k += 1
            if k == 8:
                return False
        equals += 1
