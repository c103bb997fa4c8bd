"""What every step may record: a span, a step taken, a violation, a refusal."""
from libc.stdint cimport uint32_t
from urlsm.machine.codes cimport Code, INVALID_URL_UNIT, NO_ERROR
from urlsm.machine.log cimport Step, push, unlikely
from urlsm.machine.machine cimport Machine
from urlsm.machine.special cimport NOT_SPECIAL, SchemeKind
from urlsm.octets.chars cimport BACKSLASH, END
from urlsm.octets.units cimport is_url_unit


cdef inline void span(Machine* m, int which, uint32_t start, uint32_t end) noexcept nogil:
    m.spans[which].start = start
    m.spans[which].end = end


cdef inline void took(Machine* m, Step step, uint32_t start, uint32_t end) noexcept nogil:
    """Record what a step consumed."""
    if unlikely(m.log != NULL):
        push(m.log, step, NO_ERROR, False, start, end)


cdef inline void violation(Machine* m, Step step, Code code, uint32_t i) noexcept nogil:
    """"A validation error does not mean that the parser terminates.\""""
    if unlikely(m.log != NULL) and m.dialect.url_standard:
        push(m.log, step, code, False, i, i)


cdef inline bint refuse(Machine* m, Step step, Code code, uint32_t i) noexcept nogil:
    """Record a failure at octet i. Returns False if the caller goes on nevertheless (split)."""
    if m.error == NO_ERROR:
        m.error = code
        m.error_at = i
        m.error_step = step
        if unlikely(m.log != NULL):
            push(m.log, step, code, True, i, i)
    return not m.lenient


cdef inline void check_url_units(Machine* m, Step step, uint32_t start, uint32_t end) noexcept nogil:
    """"If c is not a URL code point and not U+0025 (%), invalid-URL-unit validation error. If c is
    U+0025 (%) and remaining does not start with two ASCII hex digits, invalid-URL-unit.\""""
    cdef uint32_t size
    while start < end:
        if not is_url_unit(m.text.p + start, m.text.end - start, &size):
            violation(m, step, INVALID_URL_UNIT, start)
        start += size


cdef inline void set_kind(Machine* m, SchemeKind kind) noexcept nogil:
    m.kind = kind
    if m.dialect.url_standard and kind != NOT_SPECIAL:
        # "url is special and c is U+005C (\)" ends an authority and a path segment
        m.special = True
        m.authority_stop = m.dialect.authority_stop | BACKSLASH | END
