"""The steps after the authority: path start, path, opaque path, query and fragment state."""
from libc.stdint cimport uint32_t
from urlsm.machine.codes cimport INVALID_REVERSE_SOLIDUS
from urlsm.machine.cursor cimport at, dot_segment_between, mark_to_stop_at
from urlsm.machine.log cimport (
    DONE, FRAGMENT_STATE, NO_OVERRIDE, OPAQUE_PATH_STATE, PATH_STATE, QUERY_STATE, Step, unlikely,
)
from urlsm.machine.machine cimport FRAGMENT, HOST, Machine, PATH, QUERY
from urlsm.machine.notes cimport check_url_units, span, took, violation
from urlsm.machine.special cimport FILE
from urlsm.octets.chars cimport DOT_SEGMENT, END, HASH, QUESTION


cdef inline Step after_path(Machine* m, uint32_t c) noexcept nogil:
    """Return the step at "?", "#" or the end."""
    return QUERY_STATE if c & QUESTION else FRAGMENT_STATE if c & HASH else DONE


cdef inline Step path_start_state(Machine* m) noexcept nogil:
    cdef uint32_t c = at(&m.text, m.i)
    # "Otherwise, if state override is not given and c is U+003F (?)", "U+0023 (#)", "the EOF code point":
    # an empty path, in every case; the rest is the path state's
    if not m.special and m.override == NO_OVERRIDE and c & m.path_stop:
        if not (c & END and m.dialect.path_may_lack):
            span(m, PATH, m.i, m.i)
        return after_path(m, c)
    return PATH_STATE


cdef inline Step path_state(Machine* m) noexcept nogil:
    cdef uint32_t start = m.i, i, seen = 0
    # "state override is not given and c is U+003F (?) or U+0023 (#)"
    i = mark_to_stop_at(&m.text, start, END if m.override != NO_OVERRIDE else m.path_stop, &seen)
    # also after a "\" that separates segments: it makes the parser rewrite the path
    if dot_segment_between(&m.text, start, i):
        seen |= DOT_SEGMENT
    span(m, PATH, start, i)
    m.path_seen = seen
    took(m, PATH_STATE, start, i)
    if unlikely(m.log != NULL):
        check_path(m, start, i)
    m.i = i
    return after_path(m, at(&m.text, i))


cdef inline void check_path(Machine* m, uint32_t start, uint32_t end) noexcept nogil:
    cdef uint32_t i
    if not m.dialect.url_standard:
        return
    # "If url is special and c is U+005C (\), invalid-reverse-solidus validation error."
    if m.special:
        # "buffer is not reset here and instead used in the path state": the file host state has read a drive letter
        if m.kind == FILE and m.spans[HOST].start == start and start < end and m.text.p[start] not in b'/\\':
            start += 2
        for i in range(start, end):
            if m.text.p[i] == c'\\':
                check_url_units(m, PATH_STATE, start, i)
                violation(m, PATH_STATE, INVALID_REVERSE_SOLIDUS, i)
                start = i + 1
    check_url_units(m, PATH_STATE, start, end)


cdef inline Step opaque_path_state(Machine* m) noexcept nogil:
    cdef uint32_t start = m.i, i
    # "If c is U+003F (?) [...] query state"; "if c is U+0023 (#) [...] fragment state"
    i = mark_to_stop_at(&m.text, start, QUESTION | HASH | END, &m.path_seen)
    span(m, PATH, start, i)
    took(m, OPAQUE_PATH_STATE, start, i)
    if unlikely(m.log != NULL):
        check_url_units(m, OPAQUE_PATH_STATE, start, i)
    m.i = i
    return after_path(m, at(&m.text, i))


cdef inline Step query_state(Machine* m) noexcept nogil:
    # with a state override the input begins after "?", and "#" is part of it
    cdef bint whole = m.override != NO_OVERRIDE
    cdef uint32_t start = m.i if whole else m.i + 1, i, seen = 0
    i = mark_to_stop_at(&m.text, start, END if whole else m.dialect.query_stop | END, &seen)
    span(m, QUERY, start, i)
    m.query_seen = seen
    took(m, QUERY_STATE, start, i)
    if unlikely(m.log != NULL) and m.dialect.url_standard:
        check_url_units(m, QUERY_STATE, start, i)
    m.i = i
    return FRAGMENT_STATE if at(&m.text, i) & HASH else DONE


cdef inline Step fragment_state(Machine* m) noexcept nogil:
    cdef uint32_t start = m.i if m.override != NO_OVERRIDE else m.i + 1, i, seen = 0
    i = mark_to_stop_at(&m.text, start, END, &seen)
    span(m, FRAGMENT, start, i)
    m.fragment_seen = seen
    took(m, FRAGMENT_STATE, start, i)
    if unlikely(m.log != NULL) and m.dialect.url_standard:
        check_url_units(m, FRAGMENT_STATE, start, i)
    m.i = i
    return DONE
