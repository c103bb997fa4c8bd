"""The components that the machine found, as octets and as text."""
from libc.stdint cimport uint8_t, uint32_t
from urlsm.components.value cimport error_in
from urlsm.machine.codes cimport TOO_LONG
from urlsm.machine.log cimport NO_SCHEME_STATE, SCHEME_START_STATE
from urlsm.machine.machine cimport ABSENT, Machine
from urlsm.octets.buffer cimport Buffer, buffer_copy
from urlsm.octets.chars cimport lower
from urlsm.url.structs cimport Failure


cdef inline bint absent(const Machine* m, int which) noexcept nogil:
    return m.spans[which].start == ABSENT


cdef inline uint32_t length(const Machine* m, int which) noexcept nogil:
    return m.spans[which].end - m.spans[which].start


cdef inline const uint8_t* octets(const Machine* m, int which) noexcept nogil:
    return m.text.p + m.spans[which].start


cdef inline int copy(Buffer* out, const Machine* m, int which) except -1:
    return buffer_copy(out, octets(m, which), length(m, which))


cdef inline bint same_text(const uint8_t* a, const uint8_t* b, uint32_t n) noexcept nogil:
    """Return whether n octets match ASCII case-insensitively."""
    cdef uint32_t k
    for k in range(n):
        if a[k] != b[k] and lower(a[k]) != lower(b[k]):
            return False
    return True


cdef inline object error_of_text(given, code, dialect):
    """Return the ParseError of a text that is refused as a whole."""
    cdef Failure failure
    failure.removed_from, failure.code, failure.at = -1, code, 0
    failure.step = SCHEME_START_STATE if code == TOO_LONG else NO_SCHEME_STATE
    return error_in(given, &failure, dialect)
