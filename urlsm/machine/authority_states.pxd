"""The steps within the authority: authority, host and port state; Barth 3.3 and 3.4."""
from libc.stdint cimport uint32_t
from urlsm.machine.codes cimport HOST_MISSING, INVALID_CREDENTIALS, PORT_INVALID, PORT_OUT_OF_RANGE
from urlsm.machine.cursor cimport at, delimiter_after, next_delimiter, upper_between
from urlsm.machine.dialects cimport COLON_AFTER_BRACKETS, FIRST_COLON, LAST_COLON
from urlsm.machine.log cimport (
    AUTHORITY_STATE, DONE, FAILED, FILE_HOST_STATE, HOSTNAME_STATE, HOST_STATE, NO_OVERRIDE, PATH_START_STATE,
    PORT_STATE, Step,
)
from urlsm.machine.machine cimport ABSENT, AUTHORITY, HOST, Machine, PASSWORD, PORT, USERINFO, USERNAME
from urlsm.machine.notes cimport refuse, span, took, violation
from urlsm.machine.special cimport FILE
from urlsm.octets.chars cimport AT, BRACKET, COLON, DIGIT, UPPER


cdef inline Step authority_state(Machine* m) noexcept nogil:
    """User information ends at the last "@"; its first ":" separates user name and password."""
    cdef uint32_t start = m.i, i = start, c, last_at = ABSENT, colon = ABSENT, seen = 0
    i = next_delimiter(&m.text, i)
    while True:
        c = at(&m.text, i)
        if c & m.authority_stop:
            break
        seen |= c
        if c & COLON and colon == ABSENT:
            colon = i
        elif c & AT:
            # "Invalid-credentials validation error."
            violation(m, AUTHORITY_STATE, INVALID_CREDENTIALS, i)
            last_at = i
        i = delimiter_after(&m.text, i)
    span(m, AUTHORITY, start, i)
    if last_at != ABSENT:
        m.seen |= seen
        span(m, USERINFO, start, last_at)
        if colon < last_at:
            span(m, USERNAME, start, colon)
            span(m, PASSWORD, colon + 1, last_at)
        else:
            span(m, USERNAME, start, last_at)
        took(m, AUTHORITY_STATE, start, last_at + 1)
        # "If atSignSeen is true and buffer is the empty string, host-missing validation error"
        if m.dialect.url_standard and last_at + 1 == i and refuse(m, AUTHORITY_STATE, HOST_MISSING, i):
            return FAILED
        m.i = last_at + 1
    elif not seen & (COLON | BRACKET):
        return host_found(m, i, False, seen)  # the host state would find the same
    return HOST_STATE


cdef inline Step host_state(Machine* m) noexcept nogil:
    cdef uint32_t start = m.i, i = start, c, seen = 0, colon = ABSENT, bracket = ABSENT
    cdef bint inside_brackets = False
    # "If state override is given and url's scheme is "file", [...] set state to file host state."
    if m.override != NO_OVERRIDE and m.kind == FILE:
        return FILE_HOST_STATE
    i = next_delimiter(&m.text, i)
    while True:
        c = at(&m.text, i)
        if c & m.authority_stop:
            break
        if m.dialect.port == COLON_AFTER_BRACKETS:
            if c & BRACKET:
                # _hostinfo: the first "[", and the first "]" after it; the text before does not matter
                if m.text.p[i] == c'[':
                    inside_brackets = bracket == ABSENT
                elif inside_brackets:
                    inside_brackets = False
                    bracket = i
                    colon = ABSENT
            elif c & COLON and not inside_brackets and colon == ABSENT:
                colon = i
        elif c & BRACKET:
            # "If c is U+005B ([), then set insideBrackets to true"; "(]) [...] to false"
            inside_brackets = m.text.p[i] == c'['
            if not inside_brackets:
                bracket = i
        elif c & COLON:
            if m.dialect.port != FIRST_COLON:
                colon = i  # the last one so far
            elif not inside_brackets:
                colon = i
                break
        seen |= c
        i = delimiter_after(&m.text, i)
    # "the first character is "[" [and] the last ":" occurs before the last "]": all is host" (Barth 3.3)
    if m.dialect.port == LAST_COLON and colon != ABSENT \
            and m.text.p[start] == c'[' and bracket != ABSENT and colon < bracket:
        colon = ABSENT
    return host_found(m, i if colon == ABSENT else colon, colon != ABSENT, seen)


cdef inline Step host_found(Machine* m, uint32_t end, bint port_follows, uint32_t seen) noexcept nogil:
    """Take the host from m.i to end: the host state at ":" or at the end of the authority."""
    cdef uint32_t start = m.i
    # "If buffer is the empty string [before ":", or if url is special], host-missing validation error"
    if start == end and (port_follows or m.special) and m.dialect.url_standard \
            and refuse(m, HOST_STATE, HOST_MISSING, start):
        return FAILED
    # "If state override is given and state override is hostname state, then return failure."
    if port_follows and m.override == HOSTNAME_STATE:
        return FAILED
    span(m, HOST, start, end)
    m.host_seen = seen | UPPER if upper_between(&m.text, start, end) else seen
    took(m, HOST_STATE, start, end)
    if port_follows:
        m.i = end + 1
        return PORT_STATE
    m.i = end
    # "If state override is given, then return."
    return DONE if m.override != NO_OVERRIDE else PATH_START_STATE


cdef inline Step port_state(Machine* m) noexcept nogil:
    cdef uint32_t start = m.i, i = start, port = 0
    if not m.dialect.url_standard:
        # "The remaining string is the port."
        while not at(&m.text, i) & m.authority_stop:
            i += 1
        span(m, PORT, start, i)
        took(m, PORT_STATE, start, i)
        m.i = i
        return PATH_START_STATE
    # "If c is an ASCII digit, append c to buffer."
    while at(&m.text, i) & DIGIT:
        port = min(port * 10 + m.text.p[i] - c'0', 0x10000)
        i += 1
    # "[...] or state override is given"
    if not at(&m.text, i) & m.authority_stop and m.override == NO_OVERRIDE:
        # "Otherwise, port-invalid validation error, return failure."
        if refuse(m, PORT_STATE, PORT_INVALID, i):
            return FAILED
        while not at(&m.text, i) & m.authority_stop:
            i += 1
    if i > start:
        # "If port is not a 16-bit unsigned integer, port-out-of-range validation error, return failure."
        if port > 0xFFFF and refuse(m, PORT_STATE, PORT_OUT_OF_RANGE, start):
            return FAILED
        m.port = port
    elif m.override == PORT_STATE:
        # "If state override is given, then return failure."
        return FAILED
    span(m, PORT, start, i)
    took(m, PORT_STATE, start, i)
    m.i = i
    return DONE if m.override != NO_OVERRIDE else PATH_START_STATE
