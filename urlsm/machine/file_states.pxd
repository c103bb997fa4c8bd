"""The file states: hosts and Windows drive letters of file URLs."""
from libc.stdint cimport uint32_t
from urlsm.machine.codes cimport FILE_INVALID_WINDOWS_DRIVE_LETTER_HOST, INVALID_REVERSE_SOLIDUS
from urlsm.machine.cursor cimport at, next_delimiter, upper_between
from urlsm.machine.log cimport (
    DONE, FILE_HOST_STATE, FILE_SLASH_STATE, FILE_STATE, NO_OVERRIDE, PATH_START_STATE, PATH_STATE, Step,
)
from urlsm.machine.machine cimport (
    ABSENT, AUTHORITY, HOST, INHERIT_AUTHORITY, INHERIT_DRIVE, INHERIT_SCHEME, Machine, SCHEME,
)
from urlsm.machine.notes cimport span, took, violation
from urlsm.machine.scheme_states cimport inherit, starts_with_drive_letter
from urlsm.machine.special cimport FILE, is_windows_drive_letter
from urlsm.octets.chars cimport BACKSLASH, END, HASH, QUESTION, SLASH, UPPER


cdef inline Step file_state(Machine* m) noexcept nogil:
    cdef uint32_t c = at(&m.text, m.i)
    # "If c is U+002F (/) or U+005C (\)": "set state to file slash state"
    if c & (SLASH | BACKSLASH):
        if c & BACKSLASH:
            violation(m, FILE_STATE, INVALID_REVERSE_SOLIDUS, m.i)
        return FILE_SLASH_STATE
    # "Otherwise, if base is non-null and base's scheme is "file""
    if m.base != NULL and m.base.kind == FILE:
        return inherit(m, FILE_STATE, c)
    # "Otherwise, set state to path state, and decrease pointer by 1."
    took(m, FILE_STATE, m.i, m.i)
    return PATH_STATE


cdef inline Step file_slash_state(Machine* m) noexcept nogil:
    cdef uint32_t c = at(&m.text, m.i + 1)
    # "If c is U+002F (/) or U+005C (\)": "set state to file host state"
    if c & (SLASH | BACKSLASH):
        if c & BACKSLASH:
            violation(m, FILE_SLASH_STATE, INVALID_REVERSE_SOLIDUS, m.i + 1)
        took(m, FILE_SLASH_STATE, m.i, m.i + 2)
        if m.spans[SCHEME].start == ABSENT:
            m.inherit = INHERIT_SCHEME
        m.i += 2
        return FILE_HOST_STATE
    # "Otherwise: If base is non-null and base's scheme is "file": set url's host to base's host"
    if m.base != NULL and m.base.kind == FILE:
        # "If the [rest] does not start with a Windows drive letter and base's path[0] is a normalized
        # Windows drive letter, then append base's path[0] to url's path."
        m.inherit = INHERIT_AUTHORITY if starts_with_drive_letter(m, m.i + 1) else INHERIT_DRIVE
    took(m, FILE_SLASH_STATE, m.i, m.i)
    return PATH_STATE


cdef inline Step file_host_state(Machine* m) noexcept nogil:
    cdef uint32_t start = m.i, i = start, c, seen = 0
    cdef bint drive = False
    while True:
        i = next_delimiter(&m.text, i)
        c = at(&m.text, i)
        if c & (SLASH | BACKSLASH | QUESTION | HASH | END):
            break
        seen |= c
        i += 1
    # "If state override is not given and buffer is a Windows drive letter": "set state to path state"
    if m.override == NO_OVERRIDE and is_windows_drive_letter(m.text.p + start, i - start):
        violation(m, FILE_HOST_STATE, FILE_INVALID_WINDOWS_DRIVE_LETTER_HOST, start)
        i = start
        seen = 0
        drive = True
    span(m, AUTHORITY, start, i)
    span(m, HOST, start, i)
    took(m, FILE_HOST_STATE, start, i)
    m.host_seen = seen
    if upper_between(&m.text, start, i):
        m.host_seen |= UPPER
    m.i = i
    # "If state override is given, then return."
    if m.override != NO_OVERRIDE:
        return DONE
    return PATH_STATE if drive else PATH_START_STATE
