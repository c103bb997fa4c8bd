"""Finding an octet."""
from libc.stdint cimport uint8_t
from libc.string cimport memchr


cdef inline const uint8_t* find(const uint8_t* p, const uint8_t* end, uint8_t octet) noexcept nogil:
    """Return where the octet first occurs in the text from p to end, or end."""
    cdef const uint8_t* found = NULL
    if p < end:
        found = <const uint8_t*>memchr(p, octet, end - p)
    return end if found == NULL else found
