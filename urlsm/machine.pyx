"""The state machine: octets in, spans and seen-class bits out, in any dialect.

One short function per state of the URL Standard (https://url.spec.whatwg.org/#url-parsing) or per
consume step of Barth's draft; the sentence it implements stands above each branch. A step reads at
m.i, leaves m.i where the next one starts and returns which that is; run() is the driver. Steps look
only at *marks* (marks.h): plain octets in between mean nothing to any of them.

What differs between dialects is data (dialects.pxd). A Log, where one is given, receives every step
taken and every violation seen; without one a step pays a test for it.
"""
from libc.stdlib cimport free, realloc
from libc.string cimport memset
from urlsm.chars cimport (
    ALPHA, AT, BACKSLASH, BRACKET, CLASS, COLON, DIGIT, DOT_SEGMENT, END, HASH, HEX, NON_ASCII, PERCENT,
    QUESTION, SLASH, UPPER, URL_CODE_POINT,
)
from urlsm.codes cimport (
    FILE_INVALID_WINDOWS_DRIVE_LETTER, FILE_INVALID_WINDOWS_DRIVE_LETTER_HOST, HOST_MISSING,
    INVALID_CREDENTIALS, INVALID_REVERSE_SOLIDUS, INVALID_URL_UNIT, MISSING_SCHEME_NON_RELATIVE_URL,
    NO_ERROR, PORT_INVALID, PORT_OUT_OF_RANGE, SPECIAL_SCHEME_MISSING_FOLLOWING_SOLIDUS,
)
from urlsm.marks cimport WINDOW, choose_marks, ctz, marks_fn
from urlsm.dialects cimport FIRST_COLON, barth, rfc3986, whatwg

# --- dialects by number ------------------------------------------------------------------------

cdef Dialect[3] _dialects
_dialects[0] = whatwg()
_dialects[1] = rfc3986()
_dialects[2] = barth()

DIALECTS = tuple([(<bytes>_dialects[k].name).decode() for k in range(3)])


cdef const Dialect* dialect_at(int number) noexcept nogil:
    return &_dialects[number]


cdef marks_fn _index_marks = choose_marks(1)


def use_vectors(bint wanted):
    """For tests: choose between the vector path (where the CPU has one) and the portable one."""
    global _index_marks
    _index_marks = choose_marks(wanted)
    return _index_marks != choose_marks(0)


# --- reading -----------------------------------------------------------------------------------

cdef inline uint32_t at(const Machine* m, uint32_t i) noexcept nogil:
    """The class bits of the octet at i; the end of input is just one more input."""
    return CLASS[m.p[i]] if i < m.end else END


cdef void index_window(Machine* m, uint32_t i) noexcept nogil:
    """Index the marks of the window that begins at i; at the end of input stands a mark of its own."""
    cdef uint32_t count = min(WINDOW, m.end - i)
    m.window = i
    _index_marks(m.p + i, count, m.marks, m.upper)
    if count < WINDOW:
        if count & 63 == 0:
            m.marks[count >> 6] = 0
            m.upper[count >> 6] = 0
        m.marks[count >> 6] |= <uint64_t>1 << (count & 63)


cdef inline uint32_t next_mark(Machine* m, uint32_t i) noexcept nogil:
    """The first mark at or after i, or the end."""
    cdef uint32_t k = i - m.window  # wraps, and so is large, where a step went back before the window
    cdef uint64_t word
    while True:
        if k >= WINDOW:
            index_window(m, m.window + k)
            k = 0
        word = m.marks[k >> 6] >> (k & 63)
        if word:
            return m.window + k + ctz(word)
        k = (k | 63) + 1


cdef bint upper_between(Machine* m, uint32_t start, uint32_t end) noexcept nogil:
    """Is there an upper-case letter in [start, end)?"""
    cdef uint32_t k = start - m.window, stop = end - m.window, count
    cdef uint64_t word
    if stop > WINDOW or k > stop:
        while start < end:
            if CLASS[m.p[start]] & UPPER:
                return True
            start += 1
        return False
    while k < stop:
        count = min(64 - (k & 63), stop - k)
        word = m.upper[k >> 6] >> (k & 63)
        if count < 64:
            word &= (<uint64_t>1 << count) - 1
        if word:
            return True
        k += count
    return False


cdef inline void span(Machine* m, int which, uint32_t start, uint32_t end) noexcept nogil:
    m.spans[which].start = start
    m.spans[which].end = end


# --- the log -----------------------------------------------------------------------------------

cdef void push(Log* log, Step step, Code code, bint fatal, uint32_t start, uint32_t end) noexcept nogil:
    cdef void* grown
    cdef uint32_t capacity
    if log.count == log.capacity:
        capacity = 2 * log.capacity + 16
        grown = realloc(log.entries, capacity * sizeof(Entry))
        if grown == NULL:
            log.out_of_memory = True
            return
        log.entries = <Entry*>grown
        log.capacity = capacity
    log.entries[log.count] = Entry(code=code, fatal=fatal, step=step, start=start, end=end)
    log.count += 1


cdef void free_log(Log* log) noexcept nogil:
    free(log.entries)
    memset(log, 0, sizeof(Log))


cdef void log_violation(Log* log, Step step, Code code, bint fatal, uint32_t at) noexcept nogil:
    push(log, step, code, fatal, at, at)


cdef inline void took(Machine* m, Step step, uint32_t start, uint32_t end) noexcept nogil:
    """Record what a step consumed."""
    if m.log != NULL:
        push(m.log, step, NO_ERROR, False, start, end)


cdef inline void violation(Machine* m, Step step, Code code, uint32_t at) noexcept nogil:
    """"A validation error does not mean that the parser terminates.\""""
    if m.log != NULL:
        push(m.log, step, code, False, at, at)


cdef bint refused(Machine* m, Step step, Code code, uint32_t at) noexcept nogil:
    """Note a failure; False where the caller shall go on all the same (split)."""
    if m.error == NO_ERROR:
        m.error = code
        m.error_at = at
        m.error_step = step
        if m.log != NULL:
            push(m.log, step, code, True, at, at)
    return not m.lenient


cdef void check_url_units(Machine* m, Step step, uint32_t start, uint32_t end) noexcept nogil:
    """"If c is not a URL code point and not U+0025 (%), invalid-URL-unit validation error. If c is
    U+0025 (%) and remaining does not start with two ASCII hex digits, invalid-URL-unit.\""""
    cdef uint32_t size
    while start < end:
        if not is_url_unit(m.p + start, m.end - start, &size):
            violation(m, step, INVALID_URL_UNIT, start)
        start += size


cdef bint is_url_unit(const uint8_t* p, uint32_t n, uint32_t* size) noexcept nogil:
    """Does p[0:n], UTF-8, begin with a URL unit (#url-code-points)? size: octets to go on by."""
    cdef uint32_t point
    size[0] = 1
    if CLASS[p[0]] & PERCENT:
        return n >= 3 and CLASS[p[1]] & HEX and CLASS[p[2]] & HEX
    if not CLASS[p[0]] & NON_ASCII:
        return CLASS[p[0]] & URL_CODE_POINT != 0
    size[0] = min(n, 2 if p[0] < 0xE0 else 3 if p[0] < 0xF0 else 4)
    if size[0] == 2:
        return p[0] != 0xC2 or p[1] >= 0xA0  # U+0080 to U+009F are no URL code points
    # "excluding surrogates and noncharacters"
    point = p[size[0] - 2] << 6 & 0xFC0 | p[size[0] - 1] & 0x3F  # the low 12 bits
    if size[0] == 3:
        return not (p[0] == 0xEF and (point >= 0xFFE or 0xDD0 <= point <= 0xDEF))
    return not (point >= 0xFFE and p[1] & 0x0F == 0x0F)


# --- schemes -----------------------------------------------------------------------------------

cdef inline bint same_letters(const uint8_t* p, const char* lower, uint32_t n) noexcept nogil:
    """ASCII case-insensitive match with n lower-case letters."""
    cdef uint32_t k
    for k in range(n):
        if p[k] | 0x20 != <uint8_t>lower[k]:
            return False
    return True


cdef SchemeKind scheme_kind(const uint8_t* p, uint32_t n) noexcept nogil:
    """Which special scheme the n octets are, in any case (#special-scheme)."""
    if n == 5 and same_letters(p, b"https", 5):
        return HTTPS
    if n == 4 and same_letters(p, b"http", 4):
        return HTTP
    if n == 2 and same_letters(p, b"ws", 2):
        return WS
    if n == 3 and same_letters(p, b"wss", 3):
        return WSS
    if n == 3 and same_letters(p, b"ftp", 3):
        return FTP
    if n == 4 and same_letters(p, b"file", 4):
        return FILE
    return NOT_SPECIAL


cdef uint32_t default_port(SchemeKind kind) noexcept nogil:
    """#default-port; 0: null."""
    if kind == HTTP or kind == WS:
        return 80
    if kind == HTTPS or kind == WSS:
        return 443
    return 21 if kind == FTP else 0


cdef inline bint is_listed(const char* names, const uint8_t* p, uint32_t n) noexcept nogil:
    """Is the scheme p[0:n], in any case, one of the names, each with a space on both sides?"""
    cdef const char* name = names
    cdef uint32_t length
    while name[0]:
        name += 1  # the space before it
        length = 0
        while name[length] and name[length] != 32:
            length += 1
        if length == n and same_letters(p, name, n):
            return True
        name += length
    return False


cdef void set_kind(Machine* m, SchemeKind kind) noexcept nogil:
    m.kind = kind
    if m.dialect.url_standard and kind != NOT_SPECIAL:
        # "url is special and c is U+005C (\)" ends an authority and a path segment
        m.special = True
        m.authority_stop = m.dialect.authority_stop | BACKSLASH | END


cdef inline Step scheme_start_state(Machine* m) noexcept nogil:
    # "If c is an ASCII alpha, [...] set state to scheme state."
    if at(m, m.i) & m.dialect.scheme_first or not m.dialect.scheme_first:
        return SCHEME_STATE
    # "Otherwise, if state override is not given, set state to no scheme state"
    return NO_SCHEME_STATE


cdef inline Step scheme_state(Machine* m) noexcept nogil:
    cdef uint32_t start = m.i, i = start, upper = 0, c, stop = m.dialect.scheme_stop | COLON | END
    while True:
        c = at(m, i)
        if c & stop or (m.dialect.scheme_char and not c & m.dialect.scheme_char):
            break
        upper |= c
        i += 1
    # "Otherwise, if state override is not given, [...] start over"; a scheme has at least one octet
    if not c & COLON or (i == start and not m.dialect.scheme_required):
        return NO_SCHEME_STATE
    if m.dialect.one_letter_is_drive and i == start + 1 and CLASS[m.p[start]] & ALPHA:
        return PATH_STATE
    # "Set url's scheme to buffer." (lowercased)
    span(m, SCHEME, start, i)
    took(m, SCHEME_STATE, start, i + 1)
    m.scheme_upper = upper & UPPER != 0
    m.i = i + 1
    if m.override != NO_OVERRIDE:
        set_kind(m, scheme_kind(m.p + start, i - start))
        return DONE
    if m.dialect.file_states:
        set_kind(m, scheme_kind(m.p + start, i - start))
    if m.kind == FILE:
        # "If remaining does not start with "//", special-scheme-missing-following-solidus"
        if not (at(m, m.i) & SLASH and at(m, m.i + 1) & SLASH):
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
    if at(m, m.i) & SLASH:
        return PATH_OR_AUTHORITY_STATE
    # "Otherwise, set url's path to the empty string and set state to opaque path state."
    m.opaque_path = True
    return OPAQUE_PATH_STATE


cdef inline Step no_scheme_state(Machine* m) noexcept nogil:
    took(m, NO_SCHEME_STATE, m.i, m.i)
    if not m.dialect.url_standard:
        # "If the remaining string does not contain a ":" character: The URL is invalid." (Barth 3.1)
        if m.dialect.scheme_required and refused(m, NO_SCHEME_STATE, MISSING_SCHEME_NON_RELATIVE_URL, m.i):
            return FAILED
        return AFTER_SCHEME
    # "If base is null, or base has an opaque path and c is not U+0023 (#), [...] return failure."
    if m.base == NULL or (m.base.opaque and not at(m, m.i) & HASH):
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

cdef inline Step after_scheme(Machine* m) noexcept nogil:
    """The draft's and the RFCs' way: slash characters introduce an authority."""
    cdef uint32_t start = m.i, i = start
    cdef Span* scheme = &m.spans[SCHEME]
    # "[not hierarchical:] The remaining string is the path."
    if scheme.start != ABSENT and m.dialect.opaque[0] \
            and is_listed(m.dialect.opaque, m.p + scheme.start, scheme.end - scheme.start):
        m.opaque_path = True
        span(m, PATH, m.i, m.end)
        took(m, PATH_STATE, m.i, m.end)
        return DONE
    if m.dialect.slashes < 0:
        # "Consume any number of slash characters."
        while at(m, i) & m.dialect.slash:
            i += 1
    elif at(m, i) & m.dialect.slash and at(m, i + 1) & m.dialect.slash:
        # (//([^/?#]*))?
        i += 2
    else:
        return PATH_STATE
    took(m, AFTER_SCHEME, start, i)
    m.i = i
    return AUTHORITY_STATE


cdef inline Step special_relative_or_authority_state(Machine* m) noexcept nogil:
    # "If c is U+002F (/) and remaining starts with U+002F (/)"
    if at(m, m.i) & SLASH and at(m, m.i + 1) & SLASH:
        took(m, SPECIAL_RELATIVE_OR_AUTHORITY_STATE, m.i, m.i + 2)
        m.i += 2
        return SPECIAL_AUTHORITY_IGNORE_SLASHES_STATE
    # "Otherwise, special-scheme-missing-following-solidus validation error, [...] relative state"
    took(m, SPECIAL_RELATIVE_OR_AUTHORITY_STATE, m.i, m.i)
    violation(m, SPECIAL_RELATIVE_OR_AUTHORITY_STATE, SPECIAL_SCHEME_MISSING_FOLLOWING_SOLIDUS, m.i)
    return RELATIVE_STATE


cdef inline Step path_or_authority_state(Machine* m) noexcept nogil:
    # "If c is U+002F (/), then set state to authority state."
    if at(m, m.i + 1) & SLASH:
        took(m, PATH_OR_AUTHORITY_STATE, m.i, m.i + 2)
        m.i += 2
        return AUTHORITY_STATE
    # "Otherwise, set state to path state, and decrease pointer by 1."
    return PATH_STATE


cdef Step inherit(Machine* m, Step step, uint32_t c) noexcept nogil:
    """The common end of the relative and the file state: all comes from the base but what follows."""
    took(m, step, m.i, m.i)
    if c & QUESTION:
        m.inherit = INHERIT_PATH
        return QUERY_STATE
    if c & HASH:
        m.inherit = INHERIT_QUERY
        return FRAGMENT_STATE
    if c & END:
        m.inherit = INHERIT_QUERY
        span(m, PATH, m.i, m.i)  # split sees an empty path here
        return DONE
    # "Set url's query to null. Shorten url's path. Set state to path state"
    m.inherit = INHERIT_DIRECTORY
    return PATH_STATE


cdef Step relative_state(Machine* m) noexcept nogil:
    cdef uint32_t c = at(m, m.i)
    # "If c is U+002F (/), then set state to relative slash state."
    if c & SLASH:
        return RELATIVE_SLASH_STATE
    # "Otherwise, if url is special and c is U+005C (\), invalid-reverse-solidus validation error"
    if m.special and c & BACKSLASH:
        violation(m, RELATIVE_STATE, INVALID_REVERSE_SOLIDUS, m.i)
        return RELATIVE_SLASH_STATE
    return inherit(m, RELATIVE_STATE, c)


cdef Step relative_slash_state(Machine* m) noexcept nogil:
    cdef uint32_t c = at(m, m.i + 1)
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
    if at(m, m.i) & SLASH and at(m, m.i + 1) & SLASH:
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
    while at(m, m.i) & (SLASH | BACKSLASH):
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
        i = next_mark(m, i)
        c = at(m, i)
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
    return HOST_STATE


cdef inline Step host_state(Machine* m) noexcept nogil:
    cdef uint32_t start = m.i, i = start, c, colon = ABSENT, seen = 0, bracket = ABSENT
    cdef bint inside_brackets = False
    # "If state override is given and url's scheme is "file", [...] set state to file host state."
    if m.override != NO_OVERRIDE and m.kind == FILE:
        return FILE_HOST_STATE
    while True:
        i = next_mark(m, i)
        c = at(m, i)
        if c & m.authority_stop:
            break
        if c & BRACKET:
            # "If c is U+005B ([), then set insideBrackets to true"; "(]) [...] to false"
            inside_brackets = m.p[i] == c'['
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
            and m.p[start] == c'[' and bracket != ABSENT and colon < bracket:
        colon = ABSENT
    m.host_seen = seen
    if colon != ABSENT:
        # "If buffer is the empty string, host-missing validation error, return failure."
        if colon == start and m.dialect.url_standard and refused(m, HOST_STATE, HOST_MISSING, start):
            return FAILED
        # "If state override is given and state override is hostname state, then return failure."
        if m.override == HOSTNAME_STATE:
            return FAILED
        i = colon
    elif i == start and m.special and m.dialect.url_standard and refused(m, HOST_STATE, HOST_MISSING, start):
        # "if url is special and buffer is the empty string, host-missing validation error"
        return FAILED
    span(m, HOST, start, i)
    if upper_between(m, start, i):
        m.host_seen |= UPPER
    took(m, HOST_STATE, start, i)
    if colon != ABSENT:
        m.i = colon + 1
        return PORT_STATE
    m.i = i
    # "If state override is given, then return."
    return DONE if m.override != NO_OVERRIDE else PATH_START_STATE


cdef Step port_state(Machine* m) noexcept nogil:
    cdef uint32_t start = m.i, i = start, port = 0
    if not m.dialect.url_standard:
        # "The remaining string is the port."
        while not at(m, i) & m.authority_stop:
            i += 1
        span(m, PORT, start, i)
        took(m, PORT_STATE, start, i)
        m.i = i
        return PATH_START_STATE
    # "If c is an ASCII digit, append c to buffer."
    while at(m, i) & DIGIT:
        port = min(port * 10 + m.p[i] - c'0', 0x10000)
        i += 1
    # "[...] or state override is given"
    if not at(m, i) & m.authority_stop and m.override == NO_OVERRIDE:
        # "Otherwise, port-invalid validation error, return failure."
        if refused(m, PORT_STATE, PORT_INVALID, i):
            return FAILED
        while not at(m, i) & m.authority_stop:
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

cdef bint is_windows_drive_letter(const uint8_t* p, uint32_t n) noexcept nogil:
    """"two code points, of which the first is an ASCII alpha and the second is either : or |\""""
    return n == 2 and CLASS[p[0]] & ALPHA and (p[1] == c':' or p[1] == c'|')


cdef bint starts_with_drive_letter(const Machine* m, uint32_t i) noexcept nogil:
    """"its length is 2 or its third code point is U+002F (/), U+005C (\\), U+003F (?), or U+0023 (#)\""""
    return i + 1 < m.end and is_windows_drive_letter(m.p + i, 2) \
        and at(m, i + 2) & (SLASH | BACKSLASH | QUESTION | HASH | END)


cdef Step file_state(Machine* m) noexcept nogil:
    cdef uint32_t c = at(m, m.i)
    cdef Step next_step
    # "If c is U+002F (/) or U+005C (\)": "set state to file slash state"
    if c & (SLASH | BACKSLASH):
        if c & BACKSLASH:
            violation(m, FILE_STATE, INVALID_REVERSE_SOLIDUS, m.i)
        return FILE_SLASH_STATE
    # "Otherwise, if base is non-null and base's scheme is "file""
    if m.base != NULL and m.base.kind == FILE:
        next_step = inherit(m, FILE_STATE, c)
        # "If the [rest] does not start with a Windows drive letter, then shorten url's path. Otherwise: [...] « »"
        if next_step == PATH_STATE and starts_with_drive_letter(m, m.i):
            violation(m, FILE_STATE, FILE_INVALID_WINDOWS_DRIVE_LETTER, m.i)
            m.inherit = INHERIT_AUTHORITY
        return next_step
    # "Otherwise, set state to path state, and decrease pointer by 1."
    took(m, FILE_STATE, m.i, m.i)
    return PATH_STATE


cdef Step file_slash_state(Machine* m) noexcept nogil:
    cdef uint32_t c = at(m, m.i + 1)
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
    cdef Step next_step = PATH_START_STATE
    while True:
        i = next_mark(m, i)
        c = at(m, i)
        if c & (SLASH | BACKSLASH | QUESTION | HASH | END):
            break
        seen |= c
        i += 1
    # "If state override is not given and buffer is a Windows drive letter": "set state to path state"
    if m.override == NO_OVERRIDE and is_windows_drive_letter(m.p + start, i - start):
        violation(m, FILE_HOST_STATE, FILE_INVALID_WINDOWS_DRIVE_LETTER_HOST, start)
        i = start
        seen = 0
        next_step = PATH_STATE
    span(m, AUTHORITY, start, i)
    span(m, HOST, start, i)
    took(m, FILE_HOST_STATE, start, i)
    m.host_seen = seen
    if upper_between(m, start, i):
        m.host_seen |= UPPER
    m.i = i
    # "If state override is given, then return."
    return DONE if m.override != NO_OVERRIDE else next_step


# --- path, query, fragment ---------------------------------------------------------------------

cdef inline Step path_start_state(Machine* m) noexcept nogil:
    cdef uint32_t c = at(m, m.i)
    # "Otherwise, if state override is not given and c is U+003F (?)", "U+0023 (#)", "the EOF code point":
    # an empty path, in every case; the rest is the path state's
    if not m.special and m.override == NO_OVERRIDE and c & (QUESTION | HASH | END):
        if not (c & END and m.dialect.path_may_lack):
            span(m, PATH, m.i, m.i)
        return QUERY_STATE if c & QUESTION else FRAGMENT_STATE if c & HASH else DONE
    return PATH_STATE


cdef inline Step path_state(Machine* m) noexcept nogil:
    cdef uint32_t start = m.i, i = start, c, seen = 0
    # "state override is not given and c is U+003F (?) or U+0023 (#)"
    cdef uint32_t stop = END if m.override != NO_OVERRIDE else QUESTION | HASH | END
    cdef uint32_t separator = SLASH | BACKSLASH if m.special else SLASH
    if begins_with_dot(m, i):
        seen = DOT_SEGMENT
    while True:
        i = next_mark(m, i)
        c = at(m, i)
        if c & stop:
            break
        seen |= c
        i += 1
        if c & separator and begins_with_dot(m, i):
            seen |= DOT_SEGMENT
    span(m, PATH, start, i)
    m.path_seen = seen
    took(m, PATH_STATE, start, i)
    if m.log != NULL:
        check_path(m, start, i)
    m.i = i
    return QUERY_STATE if c & QUESTION else FRAGMENT_STATE if c & HASH else DONE


cdef inline bint begins_with_dot(const Machine* m, uint32_t i) noexcept nogil:
    """Can the segment at i be a single-dot or double-dot URL path segment?"""
    if i >= m.end:
        return False
    return m.p[i] == c'.' or (m.p[i] == c'%' and i + 2 < m.end and m.p[i + 1] == c'2' and m.p[i + 2] | 0x20 == c'e')


cdef void check_path(Machine* m, uint32_t start, uint32_t end) noexcept nogil:
    cdef uint32_t i
    if not m.dialect.url_standard:
        return
    # "If url is special and c is U+005C (\), invalid-reverse-solidus validation error."
    if m.special:
        for i in range(start, end):
            if m.p[i] == c'\\':
                check_url_units(m, PATH_STATE, start, i)
                violation(m, PATH_STATE, INVALID_REVERSE_SOLIDUS, i)
                start = i + 1
    check_url_units(m, PATH_STATE, start, end)


cdef Step opaque_path_state(Machine* m) noexcept nogil:
    cdef uint32_t start = m.i, i = start, c
    # "If c is U+003F (?) [...] query state"; "if c is U+0023 (#) [...] fragment state"
    while True:
        i = next_mark(m, i)
        c = at(m, i)
        if c & (QUESTION | HASH | END):
            break
        m.path_seen |= c
        i += 1
    span(m, PATH, start, i)
    took(m, OPAQUE_PATH_STATE, start, i)
    if m.log != NULL:
        check_url_units(m, OPAQUE_PATH_STATE, start, i)
    m.i = i
    return QUERY_STATE if c & QUESTION else FRAGMENT_STATE if c & HASH else DONE


cdef inline Step query_state(Machine* m) noexcept nogil:
    # with a state override the input begins after "?", and "#" is part of it
    cdef bint whole = m.override != NO_OVERRIDE
    cdef uint32_t start = m.i if whole else m.i + 1, i = start, c, seen = 0
    cdef uint32_t stop = END if whole else HASH | END
    while True:
        i = next_mark(m, i)
        c = at(m, i)
        if c & stop:
            break
        seen |= c
        i += 1
    span(m, QUERY, start, i)
    m.query_seen = seen
    took(m, QUERY_STATE, start, i)
    if m.log != NULL and m.dialect.url_standard:
        check_url_units(m, QUERY_STATE, start, i)
    m.i = i
    return FRAGMENT_STATE if c & HASH else DONE


cdef inline Step fragment_state(Machine* m) noexcept nogil:
    cdef uint32_t start = m.i if m.override != NO_OVERRIDE else m.i + 1, i = start, seen = 0
    while True:
        i = next_mark(m, i)
        if i >= m.end:
            break
        seen |= CLASS[m.p[i]]
        i += 1
    span(m, FRAGMENT, start, i)
    m.fragment_seen = seen
    took(m, FRAGMENT_STATE, start, i)
    if m.log != NULL and m.dialect.url_standard:
        check_url_units(m, FRAGMENT_STATE, start, i)
    m.i = i
    return DONE


# --- the driver --------------------------------------------------------------------------------

cdef void prepare(Machine* m, const uint8_t* p, uint32_t n, const Dialect* dialect) noexcept nogil:
    """Point the machine at p[0:n], n <= MAX_LENGTH, and trim both ends."""
    cdef uint32_t start = 0, end = n
    while start < end and CLASS[p[start]] & dialect.trim:
        start += 1
    while start < end and CLASS[p[end - 1]] & dialect.trim:
        end -= 1
    m.p = p
    m.start = m.i = start
    m.end = end
    m.dialect = dialect
    m.base = NULL
    m.override = NO_OVERRIDE
    m.lenient = False
    m.log = NULL
    memset(m.spans, 0xFF, sizeof(m.spans))  # all ABSENT
    m.host_seen = m.path_seen = m.query_seen = m.fragment_seen = m.seen = 0
    m.kind = NOT_SPECIAL
    m.special = m.opaque_path = m.scheme_upper = False
    m.inherit = NOTHING
    m.port = -1
    m.error = NO_ERROR
    m.authority_stop = dialect.authority_stop | END
    index_window(m, start)


cdef void enter(Machine* m, uint32_t n, Step override, SchemeKind kind) noexcept nogil:
    """Have a machine prepared with p[0:n] start at a state override, for a URL of this kind. Nothing
    is trimmed "if url is given"."""
    m.start = m.i = 0
    m.end = n
    m.override = override
    set_kind(m, kind)
    index_window(m, 0)


cdef bint run(Machine* m) noexcept nogil:
    """Take steps from the scheme start state, or the state override. False: it failed (m.error)."""
    cdef Step step = SCHEME_START_STATE if m.override == NO_OVERRIDE else m.override
    while True:
        if step == SCHEME_START_STATE:
            step = scheme_start_state(m)
        elif step == SCHEME_STATE:
            step = scheme_state(m)
        elif step == NO_SCHEME_STATE:
            step = no_scheme_state(m)
        elif step == SPECIAL_RELATIVE_OR_AUTHORITY_STATE:
            step = special_relative_or_authority_state(m)
        elif step == PATH_OR_AUTHORITY_STATE:
            step = path_or_authority_state(m)
        elif step == RELATIVE_STATE:
            step = relative_state(m)
        elif step == RELATIVE_SLASH_STATE:
            step = relative_slash_state(m)
        elif step == SPECIAL_AUTHORITY_SLASHES_STATE:
            step = special_authority_slashes_state(m)
        elif step == SPECIAL_AUTHORITY_IGNORE_SLASHES_STATE:
            step = special_authority_ignore_slashes_state(m)
        elif step == AUTHORITY_STATE:
            step = authority_state(m)
        elif step == HOST_STATE or step == HOSTNAME_STATE:
            step = host_state(m)
        elif step == PORT_STATE:
            step = port_state(m)
        elif step == FILE_STATE:
            step = file_state(m)
        elif step == FILE_SLASH_STATE:
            step = file_slash_state(m)
        elif step == FILE_HOST_STATE:
            step = file_host_state(m)
        elif step == PATH_START_STATE:
            step = path_start_state(m)
        elif step == PATH_STATE:
            step = path_state(m)
        elif step == OPAQUE_PATH_STATE:
            step = opaque_path_state(m)
        elif step == QUERY_STATE:
            step = query_state(m)
        elif step == FRAGMENT_STATE:
            step = fragment_state(m)
        elif step == AFTER_SCHEME:
            step = after_scheme(m)
        else:
            return step == DONE
