"""The state machine: octets in, spans and seen-class bits out, in any dialect.

One short function per state of the URL Standard (https://url.spec.whatwg.org/#url-parsing) or per
consume step of Barth's draft; the sentence it implements stands above each branch. A step reads at
m.i, leaves m.i where the next one starts, and ends in a call of that one: a jump, to the C compiler.
It answers True when the input is consumed, False when it is refused (m.error). Steps look only at
*marks* (marks.h): plain octets in between mean nothing to any of them.

What differs between dialects is data (dialects.pxd). A Log, where one is given, receives every step
taken and every violation seen; without one a step pays a test for it.
"""
from libc.string cimport memcmp, memset
from urlsm.chars cimport (
    ALPHA, AT, BACKSLASH, BRACKET, C0_OR_SPACE, CLASS, COLON, DELIMITER, DIGIT, DOT_SEGMENT, ENC_C0, ENC_COMPONENT,
    ENC_FORM, ENC_FRAGMENT, ENC_PATH, ENC_QUERY, ENC_SPECIAL_QUERY, ENC_USERINFO, END, FORBIDDEN_DOMAIN,
    FORBIDDEN_HOST, HASH, HEX, MARK, NON_ASCII, PERCENT, QUESTION, SCHEME_CHAR, SEMICOLON, SLASH, TAB_NEWLINE,
    UPPER, URL_CODE_POINT,
)
from urlsm.codes cimport (
    Code, FILE_INVALID_WINDOWS_DRIVE_LETTER, FILE_INVALID_WINDOWS_DRIVE_LETTER_HOST, HOST_MISSING,
    INVALID_CREDENTIALS, INVALID_REVERSE_SOLIDUS, INVALID_URL_UNIT, MISSING_SCHEME_NON_RELATIVE_URL,
    NO_ERROR, PORT_INVALID, PORT_OUT_OF_RANGE, SPECIAL_SCHEME_MISSING_FOLLOWING_SOLIDUS,
)
from urlsm.cursor cimport (
    at, dot_segment_between, index_text, next_delimiter, next_mark, upper_between,
)
from urlsm.dialects cimport FIRST_COLON, barth, rfc3986, whatwg
from urlsm.log cimport (
    AFTER_SCHEME, AUTHORITY_STATE, FILE_HOST_STATE, FILE_SLASH_STATE, FILE_STATE, FRAGMENT_STATE, HOSTNAME_STATE,
    HOST_STATE, NO_OVERRIDE, NO_SCHEME_STATE, OPAQUE_PATH_STATE, PATH_OR_AUTHORITY_STATE, PATH_START_STATE,
    PATH_STATE, PORT_STATE, QUERY_STATE, RELATIVE_SLASH_STATE, RELATIVE_STATE, SCHEME_START_STATE, SCHEME_STATE,
    DONE, FAILED, Step, SPECIAL_AUTHORITY_IGNORE_SLASHES_STATE, SPECIAL_AUTHORITY_SLASHES_STATE,
    SPECIAL_RELATIVE_OR_AUTHORITY_STATE, push, unlikely,
)
from urlsm.marks cimport WINDOW, choose_index, index_fn
from urlsm.special cimport FILE, HTTP, HTTPS, NOT_SPECIAL, is_listed, is_windows_drive_letter, scheme_kind
from urlsm.units cimport is_url_unit

# --- dialects by number ------------------------------------------------------------------------

cdef Dialect[3] _dialects
_dialects[0] = whatwg()
_dialects[1] = rfc3986()
_dialects[2] = barth()

DIALECTS = tuple([(<bytes>_dialects[k].name).decode() for k in range(3)])


cdef const Dialect* dialect_at(int number) noexcept nogil:
    return &_dialects[number]


def octet_classes():
    """The classes of chars.h as Python sees them: name -> the octets in it."""
    named = {
        "enc_c0": ENC_C0, "enc_fragment": ENC_FRAGMENT, "enc_query": ENC_QUERY, "enc_special_query": ENC_SPECIAL_QUERY,
        "enc_path": ENC_PATH, "enc_userinfo": ENC_USERINFO, "enc_component": ENC_COMPONENT, "enc_form": ENC_FORM,
        "forbidden_host": FORBIDDEN_HOST, "forbidden_domain": FORBIDDEN_DOMAIN, "url_code_point": URL_CODE_POINT,
        "alpha": ALPHA, "upper": UPPER, "digit": DIGIT, "hex": HEX, "scheme_char": SCHEME_CHAR,
        "tab_newline": TAB_NEWLINE, "c0_or_space": C0_OR_SPACE, "non_ascii": NON_ASCII, "slash": SLASH,
        "backslash": BACKSLASH, "question": QUESTION, "hash": HASH, "colon": COLON, "at": AT, "bracket": BRACKET,
        "percent": PERCENT, "semicolon": SEMICOLON, "mark": MARK, "delimiter": DELIMITER,
    }
    return {name: frozenset([k for k in range(256) if CLASS[k] & bits]) for name, bits in named.items()}


cdef index_fn index_octets = choose_index(64)


def use_vectors(int width):
    """For tests: index at most so many octets at a time (64, 32, 1), as far as the CPU can. How many is it now?"""
    global index_octets
    index_octets = choose_index(width)
    return 1 if index_octets == choose_index(1) else 32 if index_octets == choose_index(32) else 64


cdef inline void span(Machine* m, int which, uint32_t start, uint32_t end) noexcept nogil:
    m.spans[which].start = start
    m.spans[which].end = end


# --- the log -----------------------------------------------------------------------------------

cdef inline void took(Machine* m, Step step, uint32_t start, uint32_t end) noexcept nogil:
    """Record what a step consumed."""
    if unlikely(m.log != NULL):
        push(m.log, step, NO_ERROR, False, start, end)


cdef inline void violation(Machine* m, Step step, Code code, uint32_t at) noexcept nogil:
    """"A validation error does not mean that the parser terminates.\""""
    if unlikely(m.log != NULL) and m.dialect.url_standard:
        push(m.log, step, code, False, at, at)


cdef bint refused(Machine* m, Step step, Code code, uint32_t at) noexcept nogil:
    """Note a failure; False where the caller shall go on all the same (split)."""
    if m.error == NO_ERROR:
        m.error = code
        m.error_at = at
        m.error_step = step
        if unlikely(m.log != NULL):
            push(m.log, step, code, True, at, at)
    return not m.lenient


cdef void check_url_units(Machine* m, Step step, uint32_t start, uint32_t end) noexcept nogil:
    """"If c is not a URL code point and not U+0025 (%), invalid-URL-unit validation error. If c is
    U+0025 (%) and remaining does not start with two ASCII hex digits, invalid-URL-unit.\""""
    cdef uint32_t size
    while start < end:
        if not is_url_unit(m.text.p + start, m.text.end - start, &size):
            violation(m, step, INVALID_URL_UNIT, start)
        start += size


# --- schemes -----------------------------------------------------------------------------------

cdef void set_kind(Machine* m, SchemeKind kind) noexcept nogil:
    m.kind = kind
    if m.dialect.url_standard and kind != NOT_SPECIAL:
        # "url is special and c is U+005C (\)" ends an authority and a path segment
        m.special = True
        m.authority_stop = m.dialect.authority_stop | BACKSLASH | END


cdef inline Step scheme_start_state(Machine* m) noexcept nogil:
    # "If c is an ASCII alpha, [...] set state to scheme state."
    if at(&m.text, m.i) & m.dialect.scheme_first or not m.dialect.scheme_first:
        return SCHEME_STATE
    # "Otherwise, if state override is not given, set state to no scheme state"
    return NO_SCHEME_STATE


cdef inline Step scheme_state(Machine* m) noexcept nogil:
    cdef uint32_t start = m.i, i = start, upper = 0, c, stop = m.dialect.scheme_stop | COLON | END
    # what nearly every link begins with, at one look
    if m.text.end - start >= 8 and m.dialect.url_standard and m.base == NULL and m.override == NO_OVERRIDE \
            and memcmp(m.text.p + start, b"https://", 8) == 0:
        span(m, SCHEME, start, start + 5)
        took(m, SCHEME_STATE, start, start + 6)
        took(m, SPECIAL_AUTHORITY_SLASHES_STATE, start + 6, start + 8)
        m.i = start + 8
        set_kind(m, HTTPS)
        return SPECIAL_AUTHORITY_IGNORE_SLASHES_STATE
    while True:
        c = at(&m.text, i)
        if c & stop or (m.dialect.scheme_char and not c & m.dialect.scheme_char):
            break
        upper |= c
        i += 1
    # "Otherwise, if state override is not given, [...] start over"; a scheme has at least one octet
    if not c & COLON or (i == start and not m.dialect.scheme_required):
        return NO_SCHEME_STATE
    if m.dialect.one_letter_is_drive and i == start + 1 and CLASS[m.text.p[start]] & ALPHA:
        return PATH_STATE
    # "Set url's scheme to buffer." (lowercased)
    span(m, SCHEME, start, i)
    took(m, SCHEME_STATE, start, i + 1)
    m.scheme_upper = upper & UPPER != 0
    m.i = i + 1
    if m.dialect.file_states:
        set_kind(m, scheme_kind(m.text.p + start, i - start))
    if m.override != NO_OVERRIDE:
        return DONE
    if m.kind == FILE:
        # "If remaining does not start with "//", special-scheme-missing-following-solidus"
        if not (at(&m.text, m.i) & SLASH and at(&m.text, m.i + 1) & SLASH):
            violation(m, SCHEME_STATE, SPECIAL_SCHEME_MISSING_FOLLOWING_SOLIDUS, m.i)
        return FILE_STATE
    if not m.dialect.url_standard:
        return AFTER_SCHEME
    # "Otherwise, if url is special, base is non-null, and base's scheme is url's scheme"
    if m.special and m.base != NULL and m.base.kind == m.kind and m.base.scheme_length == i - start:
        return SPECIAL_RELATIVE_OR_AUTHORITY_STATE
    # "Otherwise, if url is special"
    if m.special:
        return SPECIAL_AUTHORITY_SLASHES_STATE
    # "Otherwise, if remaining starts with an U+002F (/)"
    if at(&m.text, m.i) & SLASH:
        return PATH_OR_AUTHORITY_STATE
    # "Otherwise, set url's path to the empty string and set state to opaque path state."
    m.opaque_path = True
    return OPAQUE_PATH_STATE


cdef Step no_scheme_state(Machine* m) noexcept nogil:
    took(m, NO_SCHEME_STATE, m.i, m.i)
    if not m.dialect.url_standard:
        # "If the remaining string does not contain a ":" character: The URL is invalid." (Barth 3.1)
        if m.dialect.scheme_required and refused(m, NO_SCHEME_STATE, MISSING_SCHEME_NON_RELATIVE_URL, m.i):
            return FAILED
        return AFTER_SCHEME
    # "If base is null, or base has an opaque path and c is not U+0023 (#), [...] return failure."
    if m.base == NULL or (m.base.opaque and not at(&m.text, m.i) & HASH):
        if refused(m, NO_SCHEME_STATE, MISSING_SCHEME_NON_RELATIVE_URL, m.i):
            return FAILED
    set_kind(m, HTTP if m.base == NULL else m.base.kind)  # split: a reference reads as under a special base
    # "Otherwise, if base has an opaque path and c is U+0023 (#), set [all but the fragment to base's]"
    if m.base != NULL and m.base.opaque:
        m.opaque_path = True
        m.inherit = INHERIT_QUERY
        return FRAGMENT_STATE
    # "Otherwise, if base's scheme is not "file", set state to relative state"
    return FILE_STATE if m.kind == FILE else RELATIVE_STATE


# --- what follows the scheme -------------------------------------------------------------------

cdef Step after_scheme(Machine* m) noexcept nogil:
    """The draft's and the RFCs' way: slash characters introduce an authority."""
    cdef uint32_t start = m.i, i = start
    cdef Span* scheme = &m.spans[SCHEME]
    # "[not hierarchical:] The remaining string is the path."
    if scheme.start != ABSENT and m.dialect.opaque[0] \
            and is_listed(m.dialect.opaque, m.text.p + scheme.start, scheme.end - scheme.start):
        m.opaque_path = True
        span(m, PATH, m.i, m.text.end)
        took(m, PATH_STATE, m.i, m.text.end)
        return DONE
    if m.dialect.slashes < 0:
        # "Consume any number of slash characters."
        while at(&m.text, i) & m.dialect.slash:
            i += 1
    elif at(&m.text, i) & m.dialect.slash and at(&m.text, i + 1) & m.dialect.slash:
        # (//([^/?#]*))?
        i += 2
    else:
        return PATH_STATE
    took(m, AFTER_SCHEME, start, i)
    m.i = i
    return AUTHORITY_STATE


cdef Step special_relative_or_authority_state(Machine* m) noexcept nogil:
    # "If c is U+002F (/) and remaining starts with U+002F (/)"
    if at(&m.text, m.i) & SLASH and at(&m.text, m.i + 1) & SLASH:
        took(m, SPECIAL_RELATIVE_OR_AUTHORITY_STATE, m.i, m.i + 2)
        m.i += 2
        return SPECIAL_AUTHORITY_IGNORE_SLASHES_STATE
    # "Otherwise, special-scheme-missing-following-solidus validation error, [...] relative state"
    took(m, SPECIAL_RELATIVE_OR_AUTHORITY_STATE, m.i, m.i)
    violation(m, SPECIAL_RELATIVE_OR_AUTHORITY_STATE, SPECIAL_SCHEME_MISSING_FOLLOWING_SOLIDUS, m.i)
    return RELATIVE_STATE


cdef Step path_or_authority_state(Machine* m) noexcept nogil:
    # "If c is U+002F (/), then set state to authority state."
    if at(&m.text, m.i + 1) & SLASH:
        took(m, PATH_OR_AUTHORITY_STATE, m.i, m.i + 2)
        m.i += 2
        return AUTHORITY_STATE
    # "Otherwise, set state to path state, and decrease pointer by 1."
    return PATH_STATE


cdef Step inherit(Machine* m, Step step, uint32_t c) noexcept nogil:
    """The common end of the relative and the file state: all comes from the base but what follows."""
    took(m, step, m.i, m.i)
    if c & (QUESTION | HASH | END):
        span(m, PATH, m.i, m.i)  # as split sees it
    if c & QUESTION:
        m.inherit = INHERIT_PATH
        return QUERY_STATE
    if c & HASH:
        m.inherit = INHERIT_QUERY
        return FRAGMENT_STATE
    if c & END:
        m.inherit = INHERIT_QUERY
        return DONE
    # "Set url's query to null. [...] shorten url's path."
    m.inherit = INHERIT_DIRECTORY
    # "Otherwise [it starts with a Windows drive letter]: Set url's path to « »." (file state)
    if step == FILE_STATE and starts_with_drive_letter(m, m.i):
        violation(m, FILE_STATE, FILE_INVALID_WINDOWS_DRIVE_LETTER, m.i)
        m.inherit = INHERIT_AUTHORITY
    return PATH_STATE


cdef Step relative_state(Machine* m) noexcept nogil:
    cdef uint32_t c = at(&m.text, m.i)
    # "If c is U+002F (/), then set state to relative slash state."
    if c & SLASH:
        return RELATIVE_SLASH_STATE
    # "Otherwise, if url is special and c is U+005C (\), invalid-reverse-solidus validation error"
    if m.special and c & BACKSLASH:
        violation(m, RELATIVE_STATE, INVALID_REVERSE_SOLIDUS, m.i)
        return RELATIVE_SLASH_STATE
    return inherit(m, RELATIVE_STATE, c)


cdef Step relative_slash_state(Machine* m) noexcept nogil:
    cdef uint32_t c = at(&m.text, m.i + 1)
    m.inherit = INHERIT_SCHEME
    # "If url is special and c is U+002F (/) or U+005C (\)"
    if m.special and c & (SLASH | BACKSLASH):
        took(m, RELATIVE_SLASH_STATE, m.i, m.i + 2)
        if c & BACKSLASH:
            violation(m, RELATIVE_SLASH_STATE, INVALID_REVERSE_SOLIDUS, m.i + 1)
        m.i += 2
        return SPECIAL_AUTHORITY_IGNORE_SLASHES_STATE
    # "Otherwise, if c is U+002F (/), then set state to authority state."
    if c & SLASH:
        took(m, RELATIVE_SLASH_STATE, m.i, m.i + 2)
        m.i += 2
        return AUTHORITY_STATE
    # "Otherwise, set url's username [...] port to base's port, state to path state"
    took(m, RELATIVE_SLASH_STATE, m.i, m.i)
    m.inherit = INHERIT_AUTHORITY
    return PATH_STATE


cdef inline Step special_authority_slashes_state(Machine* m) noexcept nogil:
    # "If c is U+002F (/) and remaining starts with U+002F (/)"
    if at(&m.text, m.i) & SLASH and at(&m.text, m.i + 1) & SLASH:
        took(m, SPECIAL_AUTHORITY_SLASHES_STATE, m.i, m.i + 2)
        m.i += 2
    else:
        # "Otherwise, special-scheme-missing-following-solidus validation error"
        violation(m, SPECIAL_AUTHORITY_SLASHES_STATE, SPECIAL_SCHEME_MISSING_FOLLOWING_SOLIDUS, m.i)
        m.seen |= BACKSLASH  # not in normal form
    return SPECIAL_AUTHORITY_IGNORE_SLASHES_STATE


cdef inline Step special_authority_ignore_slashes_state(Machine* m) noexcept nogil:
    cdef uint32_t start = m.i
    # "If c is neither U+002F (/) nor U+005C (\), then set state to authority state"
    while at(&m.text, m.i) & (SLASH | BACKSLASH):
        # "Otherwise, special-scheme-missing-following-solidus validation error."
        violation(m, SPECIAL_AUTHORITY_IGNORE_SLASHES_STATE, SPECIAL_SCHEME_MISSING_FOLLOWING_SOLIDUS, m.i)
        m.seen |= BACKSLASH  # not in normal form
        m.i += 1
    if m.i > start:
        took(m, SPECIAL_AUTHORITY_IGNORE_SLASHES_STATE, start, m.i)
    return AUTHORITY_STATE


# --- authority ---------------------------------------------------------------------------------

cdef inline Step authority_state(Machine* m) noexcept nogil:
    """User-info: up to the last "@"; user and password: its first ":"."""
    cdef uint32_t start = m.i, i = start, c, last_at = ABSENT, colon = ABSENT, seen = 0
    while True:
        i = next_delimiter(&m.text, i)
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
        i += 1
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
        if m.dialect.url_standard and last_at + 1 == i and refused(m, AUTHORITY_STATE, HOST_MISSING, i):
            return FAILED
        m.i = last_at + 1
    elif not seen & (COLON | BRACKET):
        return host_found(m, i, False, seen)  # what the host state would find
    return HOST_STATE


cdef inline Step host_state(Machine* m) noexcept nogil:
    cdef uint32_t start = m.i, i = start, c, seen = 0, colon = ABSENT, bracket = ABSENT
    cdef bint inside_brackets = False
    # "If state override is given and url's scheme is "file", [...] set state to file host state."
    if m.override != NO_OVERRIDE and m.kind == FILE:
        return FILE_HOST_STATE
    while True:
        i = next_delimiter(&m.text, i)
        c = at(&m.text, i)
        if c & m.authority_stop:
            break
        if c & BRACKET:
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
        i += 1
    # "the first character is "[" [and] the last ":" occurs before the last "]": all is host" (Barth 3.3)
    if m.dialect.port != FIRST_COLON and colon != ABSENT \
            and m.text.p[start] == c'[' and bracket != ABSENT and colon < bracket:
        colon = ABSENT
    return host_found(m, i if colon == ABSENT else colon, colon != ABSENT, seen)


cdef inline Step host_found(Machine* m, uint32_t end, bint port_follows, uint32_t seen) noexcept nogil:
    """The host is the text from m.i to end: the host state at ":" or at the end of the authority."""
    cdef uint32_t start = m.i
    # "If buffer is the empty string [before ":", or if url is special], host-missing validation error"
    if start == end and (port_follows or m.special) and m.dialect.url_standard \
            and refused(m, HOST_STATE, HOST_MISSING, start):
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


cdef Step port_state(Machine* m) noexcept nogil:
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
        if refused(m, PORT_STATE, PORT_INVALID, i):
            return FAILED
        while not at(&m.text, i) & m.authority_stop:
            i += 1
    if i > start:
        # "If port is not a 16-bit unsigned integer, port-out-of-range validation error, return failure."
        if port > 0xFFFF and refused(m, PORT_STATE, PORT_OUT_OF_RANGE, start):
            return FAILED
        m.port = port
    elif m.override == PORT_STATE:
        # "If state override is given, then return failure."
        return FAILED
    span(m, PORT, start, i)
    took(m, PORT_STATE, start, i)
    m.i = i
    return DONE if m.override != NO_OVERRIDE else PATH_START_STATE


# --- file --------------------------------------------------------------------------------------

cdef bint starts_with_drive_letter(const Machine* m, uint32_t i) noexcept nogil:
    """"its length is 2 or its third code point is U+002F (/), U+005C (\\), U+003F (?), or U+0023 (#)\""""
    return i + 1 < m.text.end and is_windows_drive_letter(m.text.p + i, 2) \
        and at(&m.text, i + 2) & (SLASH | BACKSLASH | QUESTION | HASH | END)


cdef Step file_state(Machine* m) noexcept nogil:
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


cdef Step file_slash_state(Machine* m) noexcept nogil:
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


cdef Step file_host_state(Machine* m) noexcept nogil:
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


# --- path, query, fragment ---------------------------------------------------------------------

cdef inline Step after_path(Machine* m, uint32_t c) noexcept nogil:
    """At "?", "#" or the end."""
    return QUERY_STATE if c & QUESTION else FRAGMENT_STATE if c & HASH else DONE


cdef inline Step path_start_state(Machine* m) noexcept nogil:
    cdef uint32_t c = at(&m.text, m.i)
    # "Otherwise, if state override is not given and c is U+003F (?)", "U+0023 (#)", "the EOF code point":
    # an empty path, in every case; the rest is the path state's
    if not m.special and m.override == NO_OVERRIDE and c & (QUESTION | HASH | END):
        if not (c & END and m.dialect.path_may_lack):
            span(m, PATH, m.i, m.i)
        return after_path(m, c)
    return PATH_STATE


cdef inline Step path_state(Machine* m) noexcept nogil:
    cdef uint32_t start = m.i, i = start, c, seen = 0
    # "state override is not given and c is U+003F (?) or U+0023 (#)"
    cdef uint32_t stop = END if m.override != NO_OVERRIDE else QUESTION | HASH | END
    while True:
        i = next_mark(&m.text, i)
        c = at(&m.text, i)
        if c & stop:
            break
        seen |= c
        i += 1
    # after a "\" that separates segments too: it is seen itself, and has the path written anew
    if dot_segment_between(&m.text, start, i):
        seen |= DOT_SEGMENT
    span(m, PATH, start, i)
    m.path_seen = seen
    took(m, PATH_STATE, start, i)
    if unlikely(m.log != NULL):
        check_path(m, start, i)
    m.i = i
    return after_path(m, c)


cdef void check_path(Machine* m, uint32_t start, uint32_t end) noexcept nogil:
    cdef uint32_t i
    if not m.dialect.url_standard:
        return
    # "If url is special and c is U+005C (\), invalid-reverse-solidus validation error."
    if m.special:
        for i in range(start, end):
            if m.text.p[i] == c'\\':
                check_url_units(m, PATH_STATE, start, i)
                violation(m, PATH_STATE, INVALID_REVERSE_SOLIDUS, i)
                start = i + 1
    check_url_units(m, PATH_STATE, start, end)


cdef Step opaque_path_state(Machine* m) noexcept nogil:
    cdef uint32_t start = m.i, i = start, c
    # "If c is U+003F (?) [...] query state"; "if c is U+0023 (#) [...] fragment state"
    while True:
        i = next_mark(&m.text, i)
        c = at(&m.text, i)
        if c & (QUESTION | HASH | END):
            break
        m.path_seen |= c
        i += 1
    span(m, PATH, start, i)
    took(m, OPAQUE_PATH_STATE, start, i)
    if unlikely(m.log != NULL):
        check_url_units(m, OPAQUE_PATH_STATE, start, i)
    m.i = i
    return after_path(m, c)


cdef inline Step query_state(Machine* m) noexcept nogil:
    # with a state override the input begins after "?", and "#" is part of it
    cdef bint whole = m.override != NO_OVERRIDE
    cdef uint32_t start = m.i if whole else m.i + 1, i = start, c, seen = 0
    cdef uint32_t stop = END if whole else HASH | END
    while True:
        i = next_mark(&m.text, i)
        c = at(&m.text, i)
        if c & stop:
            break
        seen |= c
        i += 1
    span(m, QUERY, start, i)
    m.query_seen = seen
    took(m, QUERY_STATE, start, i)
    if unlikely(m.log != NULL) and m.dialect.url_standard:
        check_url_units(m, QUERY_STATE, start, i)
    m.i = i
    return FRAGMENT_STATE if c & HASH else DONE


cdef Step fragment_state(Machine* m) noexcept nogil:
    cdef uint32_t start = m.i if m.override != NO_OVERRIDE else m.i + 1, i = start, seen = 0
    while True:
        i = next_mark(&m.text, i)
        if i >= m.text.end:
            break
        seen |= CLASS[m.text.p[i]]
        i += 1
    span(m, FRAGMENT, start, i)
    m.fragment_seen = seen
    took(m, FRAGMENT_STATE, start, i)
    if unlikely(m.log != NULL) and m.dialect.url_standard:
        check_url_units(m, FRAGMENT_STATE, start, i)
    m.i = i
    return DONE


# --- the driver --------------------------------------------------------------------------------

cdef inline void reset(Machine* m, const uint8_t* p, uint32_t n, const Dialect* dialect, uint32_t most) noexcept nogil:
    cdef uint32_t start = 0, end = n
    while start < end and CLASS[p[start]] & dialect.trim:
        start += 1
    while start < end and CLASS[p[end - 1]] & dialect.trim:
        end -= 1
    m.text.p = p
    m.text.start = m.i = start
    m.text.end = end
    m.dialect = dialect
    m.base = NULL
    m.override = NO_OVERRIDE
    m.lenient = m.authority_only = False
    m.log = NULL
    memset(m.spans, 0xFF, sizeof(m.spans))  # all ABSENT
    m.host_seen = m.path_seen = m.query_seen = m.fragment_seen = m.seen = 0
    m.kind = NOT_SPECIAL
    m.special = m.opaque_path = m.scheme_upper = False
    m.inherit = NOTHING
    m.port = -1
    m.error = NO_ERROR
    m.authority_stop = dialect.authority_stop | END
    index_text(&m.text, most, index_octets)


cdef void prepare(Machine* m, const uint8_t* p, uint32_t n, const Dialect* dialect) noexcept nogil:
    """Point the machine at p[0:n], n <= MAX_LENGTH, and trim both ends."""
    reset(m, p, n, dialect, WINDOW)


cdef bint run_authority(Machine* m, const uint8_t* p, uint32_t n, const Dialect* dialect) noexcept nogil:
    """prepare and run, but only up to the end of the authority. False: it failed."""
    reset(m, p, n, dialect, 64)
    m.authority_only = True
    return run(m)


cdef void enter(Machine* m, uint32_t n, Step override, SchemeKind kind) noexcept nogil:
    """Have a machine prepared with p[0:n] start at a state override, for a URL of this kind. Nothing
    is trimmed "if url is given"."""
    m.text.start = m.i = 0
    m.text.end = n
    m.override = override
    set_kind(m, kind)
    index_text(&m.text, WINDOW, index_octets)


cdef bint run(Machine* m) noexcept nogil:
    """Take steps from the scheme start state, or the state override. False: it failed (m.error).

    A step answers which is next, and that is always one further down: in this order, one pass suffices.
    """
    cdef Step step = SCHEME_START_STATE if m.override == NO_OVERRIDE else m.override
    if step == SCHEME_START_STATE:
        step = scheme_start_state(m)
    if step == SCHEME_STATE:
        step = scheme_state(m)
    if step == NO_SCHEME_STATE:
        step = no_scheme_state(m)
    if step == AFTER_SCHEME:
        step = after_scheme(m)
    if step == SPECIAL_RELATIVE_OR_AUTHORITY_STATE:
        step = special_relative_or_authority_state(m)
    if step == PATH_OR_AUTHORITY_STATE:
        step = path_or_authority_state(m)
    if step == RELATIVE_STATE:
        step = relative_state(m)
    if step == RELATIVE_SLASH_STATE:
        step = relative_slash_state(m)
    if step == SPECIAL_AUTHORITY_SLASHES_STATE:
        step = special_authority_slashes_state(m)
    if step == SPECIAL_AUTHORITY_IGNORE_SLASHES_STATE:
        step = special_authority_ignore_slashes_state(m)
    if step == AUTHORITY_STATE:
        step = authority_state(m)
    if step == HOST_STATE or step == HOSTNAME_STATE:
        step = host_state(m)
    if step == PORT_STATE:
        step = port_state(m)
    if step == FILE_STATE:
        step = file_state(m)
    if step == FILE_SLASH_STATE:
        step = file_slash_state(m)
    if step == FILE_HOST_STATE:
        step = file_host_state(m)
    if m.authority_only:
        return step != FAILED
    if step == PATH_START_STATE:
        step = path_start_state(m)
    if step == PATH_STATE:
        step = path_state(m)
    if step == OPAQUE_PATH_STATE:
        step = opaque_path_state(m)
    if step == QUERY_STATE:
        step = query_state(m)
    if step == FRAGMENT_STATE:
        step = fragment_state(m)
    return step == DONE
