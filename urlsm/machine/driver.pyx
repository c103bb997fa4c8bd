"""The state machine. It reads octets in any dialect, and finds the spans of the components and the classes of the
octets in them.

There is one short function per state of the URL Standard (https://url.spec.whatwg.org/#url-parsing) or per consume step
of Barth's draft. Above each branch is the sentence that it implements. A step reads at m.i, leaves m.i where the next
one starts, and returns the next step. No state is ever followed by an earlier one, so the driver, run(), goes through
them once, from top to bottom. Steps look only at *marks* (marks.h): the octets between marks do not affect them.

The differences between dialects are data (dialects.pxd). If there is a Log, it receives every step taken and every
violation seen.

From top to bottom: octets and marks; spans, log entries and errors; the states, in the standard's order; the driver;
the process's dialects, special schemes and vector width. The file has over a thousand lines because it is one machine.
"""
cimport cython
from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.bytes cimport PyBytes_AS_STRING
from libc.stdint cimport uint32_t, uint64_t, uint8_t
from libc.string cimport memcmp, memcpy, memset
from urlsm.machine.bounds cimport Bounds, Lane, PLAIN_NAME
from urlsm.machine.codes cimport (
    Code, FILE_INVALID_WINDOWS_DRIVE_LETTER, FILE_INVALID_WINDOWS_DRIVE_LETTER_HOST, HOST_MISSING,
    INVALID_CREDENTIALS, INVALID_REVERSE_SOLIDUS, INVALID_URL_UNIT, MISSING_SCHEME_NON_RELATIVE_URL, NO_ERROR,
    PORT_INVALID, PORT_OUT_OF_RANGE, SPECIAL_SCHEME_MISSING_FOLLOWING_SOLIDUS,
)
from urlsm.machine.dialects cimport (
    COLON_AFTER_BRACKETS, DIALECT_COUNT, Dialect, FIRST_COLON, LAST_COLON, list_dialects,
)
from urlsm.machine.log cimport (
    AFTER_SCHEME, AUTHORITY_STATE, DONE, FAILED, FILE_HOST_STATE, FILE_SLASH_STATE, FILE_STATE, FRAGMENT_STATE,
    HOSTNAME_STATE, HOST_STATE, NO_OVERRIDE, NO_SCHEME_STATE, OPAQUE_PATH_STATE, PATH_OR_AUTHORITY_STATE,
    PATH_START_STATE, PATH_STATE, PORT_STATE, QUERY_STATE, RELATIVE_SLASH_STATE, RELATIVE_STATE,
    SCHEME_START_STATE, SCHEME_STATE, SPECIAL_AUTHORITY_IGNORE_SLASHES_STATE, SPECIAL_AUTHORITY_SLASHES_STATE,
    SPECIAL_RELATIVE_OR_AUTHORITY_STATE, Step, push, unlikely,
)
from urlsm.machine.machine cimport (
    ABSENT, AUTHORITY, FRAGMENT, HOST, INHERIT_AUTHORITY, INHERIT_DIRECTORY, INHERIT_DRIVE, INHERIT_PATH,
    INHERIT_QUERY, INHERIT_SCHEME, Machine, NOTHING, PASSWORD, PATH, PORT, QUERY, SCHEME, Span, USERINFO, USERNAME,
)
from urlsm.machine.marks cimport Cursor, Looks, WINDOW
from urlsm.machine.special cimport (
    FILE, HTTP, HTTPS, MAX_SPECIAL, MAX_SPECIAL_NAME, NOT_SPECIAL, SchemeKind, SpecialScheme, is_listed,
    is_opaque_among, is_windows_drive_letter, kind_among, listed_port,
)
from urlsm.octets.chars cimport (
    ALPHA, AT, BACKSLASH, BRACKET, C0_OR_SPACE, CLASS, COLON, DELIMITER, DIGIT, DOT_SEGMENT, ENC_C0, ENC_COMPONENT,
    ENC_FORM, ENC_FRAGMENT, ENC_PATH, ENC_QUERY, ENC_SPECIAL_QUERY, ENC_USERINFO, END, FORBIDDEN_DOMAIN,
    FORBIDDEN_HOST, HASH, HEX, MARK, NON_ASCII, PERCENT, QUESTION, SCHEME_CHAR, SEMICOLON, SLASH, TAB_NEWLINE, UPPER,
    URL_CODE_POINT,
)
from urlsm.octets.once cimport load_text, store, store_text
from urlsm.octets.units cimport is_url_unit

cdef extern from "machine/marks.h" nogil:
    const Looks* LOOKS "URLSM_LOOKS"
    const uint8_t* MARKS_LOW "URLSM_MARKS_LOW"
    const uint8_t* BOTH_LOW "URLSM_BOTH_LOW"
    uint32_t choose_looks "urlsm_choose_looks"(int width) noexcept
    uint32_t ctz "urlsm_ctz"(uint64_t word) noexcept

cdef extern from "machine/lane/one.h" nogil:
    const Lane* LANES "URLSM_LANES"  # the plain lane, compiled for each vector width
    const Lane NO_LANE "URLSM_NO_LANE"

# --- octets within bounds, and the marks among them (marks.h) ----------------------------------------

cdef inline uint32_t at(const Cursor* t, uint32_t i) noexcept nogil:
    """Return the class bits of the octet at i. Past the end of input, the bit is END."""
    return CLASS[t.p[i]] if i < t.end else END


cdef inline void index_text(Cursor* t, uint32_t most, uint32_t looks) noexcept nogil:
    """Index the first octets of the text, at most `most` of them (a multiple of 64, up to WINDOW). If the input ends
    within these, its end counts as a mark."""
    cdef uint32_t count = t.end - t.start
    t.indexed = most
    t.looks = looks
    if count >= most:
        LOOKS[looks].index(t.p + t.start, most, &t.index)
        return
    LOOKS[looks].index(t.p + t.start, count, &t.index)
    if count & 63 == 0:
        t.index.marks[count >> 6] = t.index.delimiters[count >> 6] = 0
    t.index.marks[count >> 6] |= <uint64_t>1 << (count & 63)


cdef inline uint32_t search(const Cursor* t, uint32_t i, uint32_t bits, const uint8_t* low) noexcept nogil:
    """Return the position of the first octet with one of these classes at or after i, or the end. i may lie past the
    end. low: the table of the same classes. The first eight octets are checked one by one, which is faster in texts
    full of such octets."""
    cdef uint32_t near = i + 8 if i + 8 < t.end else t.end
    while i < near:
        if CLASS[t.p[i]] & bits:
            return i
        i += 1
    return i + <uint32_t>LOOKS[t.looks].find(t.p + i, t.end - i, i - t.start, low) if i < t.end else i


cdef inline uint32_t next_mark(const Cursor* t, uint32_t i) noexcept nogil:
    """Return the position of the first mark at or after i, or the end."""
    cdef uint32_t k = i - t.start
    cdef uint64_t word
    while k < t.indexed:
        word = t.index.marks[k >> 6] >> (k & 63)
        if word:
            return t.start + k + ctz(word)
        k = (k | 63) + 1
    return search(t, t.start + k, MARK, MARKS_LOW)


cdef inline uint32_t past_non_ascii(const Cursor* t, uint32_t i) noexcept nogil:
    """Return the position of the first ASCII octet at or after i, or the end."""
    cdef uint64_t octets
    while i + 8 <= t.end:
        memcpy(&octets, t.p + i, 8)
        if ~octets & <uint64_t>0x8080808080808080U:
            break
        i += 8
    while i < t.end and t.p[i] > 0x7F:
        i += 1
    return i


cdef inline uint32_t mark_to_stop_at(const Cursor* t, uint32_t i, uint32_t stop, uint32_t* seen) noexcept nogil:
    """Return the position of the first mark at or after i with one of the classes `stop`, which may include END. Add
    the classes of the marks before it to seen. Octets beyond ASCII never stop the search, and are skipped in runs."""
    cdef uint32_t c
    while True:
        i = next_mark(t, i)
        c = at(t, i)
        if c & stop:
            return i
        seen[0] |= c
        i = past_non_ascii(t, i + 1) if c & NON_ASCII else i + 1


cdef inline uint32_t next_delimiter(const Cursor* t, uint32_t i) noexcept nogil:
    """Return the position of the first mark or delimiter at or after i, or the end."""
    cdef uint32_t k = i - t.start
    cdef uint64_t word
    while k < t.indexed:
        word = (t.index.marks[k >> 6] | t.index.delimiters[k >> 6]) >> (k & 63)
        if word:
            return t.start + k + ctz(word)
        k = (k | 63) + 1
    return search(t, t.start + k, MARK | DELIMITER, BOTH_LOW)


cdef inline uint32_t delimiter_after(const Cursor* t, uint32_t i) noexcept nogil:
    """Return the position of the first mark or delimiter after i, or the end. The octet after i is checked first,
    because in names beyond ASCII it is a mark."""
    return i + 1 if at(t, i + 1) & (MARK | DELIMITER | END) else next_delimiter(t, i + 1)


cdef inline bint any_bit(const uint64_t* bits, uint32_t k, uint32_t stop) noexcept nogil:
    """Return whether any of the bits [k, stop) is set. stop must be greater than k."""
    cdef uint32_t w = k >> 6, last = (stop - 1) >> 6
    cdef uint64_t word = bits[w] & ~<uint64_t>0 << (k & 63)
    while w < last:
        if word:
            return True
        w += 1
        word = bits[w]
    return word << (63 - ((stop - 1) & 63)) != 0


cdef inline bint in_window(const Cursor* t, uint32_t start, uint32_t end) noexcept nogil:
    return start < end and end - t.start <= t.indexed


cdef inline bint upper_between(const Cursor* t, uint32_t start, uint32_t end) noexcept nogil:
    """Return whether [start, end) contains an upper-case letter."""
    if in_window(t, start, end):
        return any_bit(t.index.upper, start - t.start, end - t.start)
    while start < end:
        if CLASS[t.p[start]] & UPPER:
            return True
        start += 1
    return False


cdef inline bint dot_segment_between(const Cursor* t, uint32_t start, uint32_t end) noexcept nogil:
    """Return whether a segment of the path in [start, end) may begin with a dot: "." or "%2e" at the start or after a
    "/"."""
    if start == end:
        return False
    if t.p[start] == c'.' or t.p[start] == c'%':
        return True
    if in_window(t, start, end) and not any_bit(t.index.dots, start - t.start, end - t.start):
        return False
    return LOOKS[t.looks].dot_segment(t.p + start, end - start, start - t.start)


# --- what every step may note: a span, a step taken, a violation, a refusal --------------------------

cdef inline void span(Machine* m, int which, uint32_t start, uint32_t end) noexcept nogil:
    m.spans[which].start = start
    m.spans[which].end = end


cdef inline void took(Machine* m, Step step, uint32_t start, uint32_t end) noexcept nogil:
    """Log that a step consumed the octets [start, end)."""
    if unlikely(m.log != NULL):
        push(m.log, step, NO_ERROR, False, start, end)


cdef inline void violation(Machine* m, Step step, Code code, uint32_t i) noexcept nogil:
    """Log a validation error at octet i. ("A validation error does not mean that the parser terminates.")"""
    if unlikely(m.log != NULL) and m.dialect.url_standard:
        push(m.log, step, code, False, i, i)


cdef inline bint refuse(Machine* m, Step step, Code code, uint32_t i) noexcept nogil:
    """Record a failure at octet i. Return False if the caller must continue nevertheless, as in a lenient reading."""
    if m.error == NO_ERROR:
        m.error = code
        m.error_at = i
        m.error_step = step
        if unlikely(m.log != NULL):
            push(m.log, step, code, True, i, i)
    return not m.lenient


cdef inline void check_url_units(Machine* m, Step step, uint32_t start, uint32_t end) noexcept nogil:
    """Log each violation in [start, end): "If c is not a URL code point and not U+0025 (%), invalid-URL-unit validation
    error. If c is U+0025 (%) and remaining does not start with two ASCII hex digits, invalid-URL-unit.\""""
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


# --- from the scheme to the authority or the path; these states decide what a reference inherits -----
# These states are in the URL Standard from #scheme-start-state to #special-authority-ignore-slashes-state, and in
# Barth's draft in 3.1 and 3.2.

cdef inline Step scheme_start_state(Machine* m) noexcept nogil:
    # "If c is an ASCII alpha, [...] set state to scheme state."
    if at(&m.text, m.i) & m.dialect.scheme_first or not m.dialect.scheme_first:
        return SCHEME_STATE
    # "Otherwise, if state override is not given, set state to no scheme state"
    return NO_SCHEME_STATE


cdef inline Step scheme_state(Machine* m) noexcept nogil:
    cdef uint32_t start = m.i, i = start, upper = 0, c, stop = m.dialect.scheme_stop | COLON | END
    # nearly every URL begins with "https://"
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
    # "Otherwise, if state override is not given, [...] start over" (a scheme has at least one octet)
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
        set_kind(m, kind_among(m.dialect.registered, m.text.p + start, i - start))
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


cdef inline Step no_scheme_state(Machine* m) noexcept nogil:
    took(m, NO_SCHEME_STATE, m.i, m.i)
    if not m.dialect.url_standard:
        # "If the remaining string does not contain a ":" character: The URL is invalid." (Barth 3.1)
        if m.dialect.scheme_required and refuse(m, NO_SCHEME_STATE, MISSING_SCHEME_NON_RELATIVE_URL, m.i):
            return FAILED
        return AFTER_SCHEME
    # "If base is null, or base has an opaque path and c is not U+0023 (#), [...] return failure."
    if m.base == NULL or (m.base.opaque and not at(&m.text, m.i) & HASH):
        if refuse(m, NO_SCHEME_STATE, MISSING_SCHEME_NON_RELATIVE_URL, m.i):
            return FAILED
    # only a lenient reading gets here without a base; it treats the reference as if its base had the scheme http
    set_kind(m, HTTP if m.base == NULL else m.base.kind)
    # "Otherwise, if base has an opaque path and c is U+0023 (#), set [all but the fragment to base's]"
    if m.base != NULL and m.base.opaque:
        m.opaque_path = True
        m.inherit = INHERIT_QUERY
        return FRAGMENT_STATE
    # "Otherwise, if base's scheme is not "file", set state to relative state"
    return FILE_STATE if m.kind == FILE else RELATIVE_STATE


cdef inline bint is_opaque(const Dialect* dialect, const uint8_t* p, uint32_t n) noexcept nogil:
    """Return whether a dialect reads neither an authority nor a query after this scheme."""
    return is_listed(dialect.opaque, p, n) or (dialect.opaque_by_handler and is_opaque_among(dialect.registered, p, n))


cdef inline Step after_scheme(Machine* m) noexcept nogil:
    """Go on after the scheme as the draft and the RFCs do, where slash characters introduce an authority."""
    cdef uint32_t start = m.i, i = start
    cdef Span* scheme = &m.spans[SCHEME]
    if scheme.start != ABSENT:
        # "[not hierarchical:] The remaining string is the path."
        if is_opaque(m.dialect, m.text.p + scheme.start, scheme.end - scheme.start):
            m.opaque_path = True
            m.path_stop = m.dialect.opaque_stop | END
            return PATH_STATE
        if m.dialect.with_query[0] \
                and not is_listed(m.dialect.with_query, m.text.p + scheme.start, scheme.end - scheme.start):
            m.path_stop &= ~<uint32_t>QUESTION
            m.authority_stop &= ~<uint32_t>QUESTION  # a user name may hold a "?"
    if m.dialect.slashes < 0:
        # "Consume any number of slash characters."
        while at(&m.text, i) & m.dialect.slash:
            i += 1
    elif at(&m.text, i) & m.dialect.slash and at(&m.text, i + 1) & m.dialect.slash:
        # two slashes: (//([^/?#]*))?
        i += 2
    else:
        return PATH_STATE
    took(m, AFTER_SCHEME, start, i)
    m.i = i
    return AUTHORITY_STATE


cdef inline Step special_relative_or_authority_state(Machine* m) noexcept nogil:
    # "If c is U+002F (/) and remaining starts with U+002F (/)"
    if at(&m.text, m.i) & SLASH and at(&m.text, m.i + 1) & SLASH:
        took(m, SPECIAL_RELATIVE_OR_AUTHORITY_STATE, m.i, m.i + 2)
        m.i += 2
        return SPECIAL_AUTHORITY_IGNORE_SLASHES_STATE
    # "Otherwise, special-scheme-missing-following-solidus validation error, [...] relative state"
    took(m, SPECIAL_RELATIVE_OR_AUTHORITY_STATE, m.i, m.i)
    violation(m, SPECIAL_RELATIVE_OR_AUTHORITY_STATE, SPECIAL_SCHEME_MISSING_FOLLOWING_SOLIDUS, m.i)
    return RELATIVE_STATE


cdef inline Step path_or_authority_state(Machine* m) noexcept nogil:
    # "If c is U+002F (/), then set state to authority state."
    if at(&m.text, m.i + 1) & SLASH:
        took(m, PATH_OR_AUTHORITY_STATE, m.i, m.i + 2)
        m.i += 2
        return AUTHORITY_STATE
    # "Otherwise, set state to path state, and decrease pointer by 1."
    return PATH_STATE


cdef inline Step inherit(Machine* m, Step step, uint32_t c) noexcept nogil:
    """Do what the relative state and the file state have in common: copy components from the base."""
    took(m, step, m.i, m.i)
    if c & (QUESTION | HASH | END):
        span(m, PATH, m.i, m.i)  # `split` reads the spans, and expects an empty path here
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


cdef inline Step relative_state(Machine* m) noexcept nogil:
    cdef uint32_t c = at(&m.text, m.i)
    # "If c is U+002F (/), then set state to relative slash state."
    if c & SLASH:
        return RELATIVE_SLASH_STATE
    # "Otherwise, if url is special and c is U+005C (\), invalid-reverse-solidus validation error"
    if m.special and c & BACKSLASH:
        violation(m, RELATIVE_STATE, INVALID_REVERSE_SOLIDUS, m.i)
        return RELATIVE_SLASH_STATE
    return inherit(m, RELATIVE_STATE, c)


cdef inline Step relative_slash_state(Machine* m) noexcept nogil:
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
        m.seen |= BACKSLASH  # this records that the text is not in normal form
    return SPECIAL_AUTHORITY_IGNORE_SLASHES_STATE


cdef inline Step special_authority_ignore_slashes_state(Machine* m) noexcept nogil:
    cdef uint32_t start = m.i
    # "If c is neither U+002F (/) nor U+005C (\), then set state to authority state"
    while at(&m.text, m.i) & (SLASH | BACKSLASH):
        # "Otherwise, special-scheme-missing-following-solidus validation error."
        violation(m, SPECIAL_AUTHORITY_IGNORE_SLASHES_STATE, SPECIAL_SCHEME_MISSING_FOLLOWING_SOLIDUS, m.i)
        m.seen |= BACKSLASH  # this records that the text is not in normal form
        m.i += 1
    if m.i > start:
        took(m, SPECIAL_AUTHORITY_IGNORE_SLASHES_STATE, start, m.i)
    return AUTHORITY_STATE


cdef inline bint starts_with_drive_letter(const Machine* m, uint32_t i) noexcept nogil:
    """Return whether the text starts with a Windows drive letter at i: "its length is 2 or its third code point is
    U+002F (/), U+005C (\\), U+003F (?), or U+0023 (#)\""""
    return i + 1 < m.text.end and is_windows_drive_letter(m.text.p + i, 2) \
        and at(&m.text, i + 2) & (SLASH | BACKSLASH | QUESTION | HASH | END)


# --- the authority: authority, host and port state; Barth 3.3 and 3.4 --------------------------------

cdef inline Step authority_state(Machine* m) noexcept nogil:
    """Find the user information. It ends at the last "@", and its first ":" separates user name and password."""
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
        return host_found(m, i, False, seen)  # shortcut: the host state would stop at the same octet
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
                # the same as in urllib's _hostinfo: the brackets are the first "[" and the first "]" after it; text
                # before the "[" does not matter
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
                colon = i  # the last ":" so far
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
    """Take the text from m.i to `end` as the host, as the host state does at ":" or at the end of the authority."""
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


# --- the file states: hosts and Windows drive letters of file URLs -----------------------------------

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


# --- after the authority: path start, path, opaque path, query and fragment state --------------------

cdef inline Step after_path(Machine* m, uint32_t c) noexcept nogil:
    """Return the step that follows the path: at "?", at "#" or at the end."""
    return QUERY_STATE if c & QUESTION else FRAGMENT_STATE if c & HASH else DONE


cdef inline Step path_start_state(Machine* m) noexcept nogil:
    cdef uint32_t c = at(&m.text, m.i)
    # "Otherwise, if state override is not given and c is U+003F (?)", "U+0023 (#)", "the EOF code point":
    # in these three cases the path is empty, and the path state is skipped. For any other character, the path state
    # follows
    if not m.special and m.override == NO_OVERRIDE and c & m.path_stop:
        if not (c & END and m.dialect.path_may_lack):
            span(m, PATH, m.i, m.i)
        return after_path(m, c)
    return PATH_STATE


cdef inline Step path_state(Machine* m) noexcept nogil:
    cdef uint32_t start = m.i, i, seen = 0
    # "state override is not given and c is U+003F (?) or U+0023 (#)"
    i = mark_to_stop_at(&m.text, start, END if m.override != NO_OVERRIDE else m.path_stop, &seen)
    # this does not search for a dot after a "\": if "\" separates segments, the path is rewritten anyway
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
        # "buffer is not reset here and instead used in the path state": skip the drive letter that the file host state
        # read
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
    # with a state override, the input begins after "?", and "#" is a part of the query
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


# --- the driver -------------------------------------------------------------------------------

cdef inline void point(Machine* m, const uint8_t* p, uint32_t n, const Dialect* dialect, uint32_t most) noexcept nogil:
    """Point the machine at p[0:n], without the octets that the dialect trims, and index at most `most` octets of it."""
    m.text.p = p
    trim(p, n, dialect, &m.text.start, &m.text.end)
    m.i = m.text.start
    index_text(&m.text, most, looks)


cdef inline void clear(Machine* m, const Dialect* dialect) noexcept nogil:
    m.dialect = dialect
    m.override = NO_OVERRIDE
    memset(m.spans, 0xFF, sizeof(m.spans))  # sets all spans to ABSENT
    m.host_seen = 0
    m.path_seen = 0
    m.query_seen = 0
    m.fragment_seen = 0
    m.seen = 0
    m.kind = NOT_SPECIAL
    m.path_stop = dialect.path_stop | END
    m.inherit = NOTHING
    m.opaque_path = False
    m.scheme_upper = False
    m.special = False
    m.port = -1
    m.error = NO_ERROR
    m.authority_stop = dialect.authority_stop | END


cdef void prepare(Machine* m, const uint8_t* p, uint32_t n, const Dialect* dialect) noexcept nogil:
    """Point the machine at p[0:n], n <= MAX_LENGTH, after trimming both ends."""
    point(m, p, n, dialect, WINDOW)
    clear(m, dialect)
    m.base = NULL
    m.log = NULL
    m.lenient = m.authority_only = False


cdef bint read_by_machine(Machine* m, const uint8_t* p, uint32_t n, const Dialect* dialect, int how) noexcept nogil:
    """Prepare the machine, except for its base and log, and run it. Return False if it failed."""
    # There are two calls, so that the compiler knows the number of octets in each copy of index_text. One block of 64
    # octets holds most authorities; the octets after it are searched without an index
    if how & TO_AUTHORITY:
        point(m, p, n, dialect, 64)
    else:
        point(m, p, n, dialect, WINDOW)
    clear(m, dialect)
    m.lenient = dialect.url_standard and how & LENIENT != 0
    m.authority_only = how & TO_AUTHORITY
    return run(m)


def plain_offsets(octets):
    """For tests: return the offsets that the plain lane finds in a buffer: the end of the scheme, the starts of host,
    path, query and fragment (-1 if absent), and the end of the path. None if the lane declines the text or
    finds that a part of it has to be rewritten, if the host is an address, or if the path is empty."""
    cdef Bounds at
    cdef Py_buffer view
    cdef bint taken
    PyObject_GetBuffer(octets, &view, PyBUF_SIMPLE)
    taken = lane.text(<const uint8_t*>view.buf, view.len, &at) == PLAIN_NAME and not at.root_missing
    PyBuffer_Release(&view)
    if not taken:
        return None
    return at.scheme_end, at.host_start, at.host_end, <int>at.query_start, <int>at.fragment_start, at.path_end


cdef void enter(Machine* m, uint32_t n, Step override, SchemeKind kind) noexcept nogil:
    """Prepare the machine, which points at n octets, to start at a state override, for a URL of this kind. Nothing is
    trimmed: the standard trims the input only "if url is not given"."""
    m.text.start = m.i = 0
    m.text.end = n
    m.override = override
    set_kind(m, kind)
    index_text(&m.text, WINDOW, looks)


cdef bint holds(const Cursor* t, uint32_t bits) noexcept nogil:
    """Return whether the text has a mark with one of these classes."""
    cdef uint32_t i = next_mark(t, t.start)
    while i < t.end:
        if CLASS[t.p[i]] & bits:
            return True
        i = next_mark(t, i + 1)
    return False


cdef bint run(Machine* m) noexcept nogil:
    """Take steps, starting at the scheme start state or the state override. Return False if the machine failed; then
    m.error is the reason.

    A step always returns a step that comes later in this function, so one pass suffices.
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


# --- dialects, special schemes and the vector width --------------------------------------------------

cdef Dialect[DIALECT_COUNT] dialects
list_dialects(dialects, &registered)
DIALECTS = tuple([(<bytes>dialects[k].name).decode() for k in range(DIALECT_COUNT)])


cdef const Dialect* dialect_at(int number) noexcept nogil:
    if dialects[number].opaque_by_handler and load_text(&registered.opaque) == NULL:
        read_opaque_schemes()
    return &dialects[number]


cdef void read_opaque_schemes() noexcept with gil:
    names = ()
    try:
        from urlsm.machine.opaque import OPAQUE as names
    except ImportError:  # the interpreter is shutting down and cannot import modules
        pass
    set_opaque_schemes(names, True)


# holds all texts that registered.opaque ever pointed to, because a machine in another thread may still read one
cdef dict texts_in_use = {}


def set_opaque_schemes(names, bint first=False):
    """Make Barth's dialect treat these schemes, and no others, as opaque. first: whether to do nothing if this was
    called before."""
    text = b"".join([bytes((len(name), *name.encode())) for name in sorted(names) if len(name) < 256])
    with cython.critical_section(SPECIAL):
        if not first or load_text(&registered.opaque) == NULL:
            text = texts_in_use.setdefault(text, text)
            store_text(&registered.opaque, PyBytes_AS_STRING(text))


# the name of each SchemeKind
SCHEMES = (None, "http", "https", "ws", "wss", "ftp", "file")
# the URL Standard's special schemes, and their default ports or None for null (#special-scheme)
SPECIAL = {name: listed_port(<SchemeKind>kind) or None for kind, name in enumerate(SCHEMES) if name}


def special_kind(bytes name not None, uint32_t port, active=None) -> int:
    """Return the kind of a special scheme that the URL Standard does not know. The scheme gets a row in the table, if
    it has none.

    A row holds the name and the default port (0: none). It is never removed, so URLs that have the scheme keep their
    meaning. active: whether parsing treats the scheme as special; None does not change that.

    Raises ValueError if the table is full, or the name too long for it.
    """
    cdef int k = 0
    cdef SpecialScheme* row = registered.rows
    with cython.critical_section(SPECIAL):
        while k < registered.count and (row.name != name or row.port != port):
            k += 1
            row += 1
        if k == registered.count:
            if k == MAX_SPECIAL:
                raise ValueError(f"cannot register more than {MAX_SPECIAL} special schemes")
            if not 0 < len(name) < MAX_SPECIAL_NAME:
                raise ValueError(f"a special scheme must have 1 to {MAX_SPECIAL_NAME - 1} characters")
            memcpy(row.name, <const char*>name, len(name) + 1)
            row.n, row.port, row.active = len(name), port, False
            # done last, so that a parser that runs without the lock sees only complete rows
            store(&registered.count, k + 1)
        if active is not None and row.active != active:
            store(&row.active, 1 if active else 0)
            store(&registered.active, registered.active + (1 if active else -1))
    return FILE + 1 + k


def octet_classes():
    """For tests: return the classes of octets/chars.h, as a dict from the name of a class to its octets."""
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


cdef uint32_t looks = choose_looks(64)


def use_vectors(int width):
    """For tests: limit the vector width to 64, 32, 16 or 1 octets. Return the width that is used on this CPU."""
    global looks
    looks = choose_looks(width)
    use_plain(plain_lane)
    return LOOKS[looks].octets


cdef bint plain_lane = True
cdef const Lane* lane = &LANES[looks]


def use_plain(bint wanted):
    """For tests: turn the plain lane (lane/plain.h) on or off. Return the previous setting."""
    global lane, plain_lane
    before, plain_lane = plain_lane, wanted
    lane = &LANES[looks] if wanted else &NO_LANE
    return before


@cython.binding(False)
cdef class Refusal(ValueError):
    """The base class of ParseError, which stores the facts about the error. args contains the error code as a number,
    which is a row in the table of rules.

    url: the text that the caller passed: str, bytes or URL. facts: the step; the position, in bytes of the text that
    was read; where the removal of tabs and newlines began, or -1; and the dialect, if it is not whatwg.
    """

    def __cinit__(self):
        self.given = ""
        self.removed_from = -1

    @property
    @cython.critical_section
    def url(self):
        return self.given

    @url.setter
    @cython.critical_section
    def url(self, given):
        self.given = given

    @property
    @cython.critical_section
    def facts(self):
        facts = (self.step, self.at, self.removed_from)
        return facts if self.dialect is None else (*facts, self.dialect)

    @facts.setter
    @cython.critical_section
    def facts(self, tuple facts not None):
        self.step, self.at, self.removed_from = facts[:3]
        self.dialect = facts[3] if len(facts) > 3 else None
