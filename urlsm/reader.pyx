"""The URL parser, from octets to a URL's text and offsets; url.pyx makes values of them.

Where the seen bits say that nothing is to change, the text read is the URL's (normal.pxd), or its part
behind the base's (spliced). Otherwise record.pyx writes the text.
"""
from cpython.unicode cimport PyUnicode_New
from libc.stdint cimport uint32_t, uint8_t
from libc.string cimport memcmp, memcpy
from urlsm.buffer cimport Buffer, ascii_data, ascii_text, buffer_free, buffer_start
from urlsm.chars cimport (
    BACKSLASH, C0_OR_SPACE, DOT_SEGMENT, ENC_FRAGMENT, ENC_PATH, ENC_SPECIAL_QUERY, NON_ASCII, TAB_NEWLINE,
)
from urlsm.codes cimport Code, TOO_LONG
from urlsm.dialects cimport Dialect
from urlsm.log cimport Log, PORT_STATE, SCHEME_START_STATE, Step, log_violation
from urlsm.machine cimport (
    ABSENT, Base, FRAGMENT, INHERIT_AUTHORITY, INHERIT_PATH, INHERIT_QUERY, Machine, NOTHING, QUERY, SCHEME, Span,
    dialect_at, prepare, run,
)
from urlsm.normal cimport is_normal, seen_by
from urlsm.record cimport (
    Offsets, Record, base_of, host_is_accepted, record_of_text, serialize, set_piece, take_reference,
)
from urlsm.special cimport FILE, NOT_SPECIAL, WS, WSS
from urlsm.text cimport contains, without
from urlsm.errors import ParseError as _ParseError

cdef object ParseError = _ParseError
cdef size_t MAX_TEXT = 0xFFFFFFFE  # what 32-bit offsets reach
cdef const Dialect* WHATWG = dialect_at(0)


cdef object error_of(object given, const Failure* failure):
    error = ParseError(<int>failure.code)
    error.url = given
    error.facts = (<int>failure.step, failure.at, failure.removed_from)
    return error


cdef void fail(Failure* failure, Code code, Step step, uint32_t at) noexcept:
    failure.code = code
    failure.step = step
    failure.at = at


cdef str spliced(const Machine* m, str base, const Offsets* b, Offsets* o):
    """The text of a reference that can stand as it is behind what it inherits: a cut of the base, plus
    the reference. None where something has to be written anew."""
    cdef const uint8_t* text = ascii_data(base)
    cdef uint32_t length = len(base), n = m.text.end - m.text.start, cut, shift
    cdef uint32_t query = m.spans[QUERY].start, fragment = m.spans[FRAGMENT].start
    if not b.has_host or m.kind == FILE or m.inherit < INHERIT_AUTHORITY or m.spans[SCHEME].start != ABSENT \
            or m.path_seen & (ENC_PATH | DOT_SEGMENT | BACKSLASH) \
            or m.query_seen & ENC_SPECIAL_QUERY or m.fragment_seen & ENC_FRAGMENT:
        return None
    cut = b.path_start
    if m.inherit != INHERIT_AUTHORITY:
        cut = length if b.fragment_start == ABSENT else b.fragment_start
        if m.inherit != INHERIT_QUERY:
            cut = cut if b.query_start == ABSENT else b.query_start
            if m.inherit != INHERIT_PATH:
                # "Shorten url's path."
                while cut > b.path_start and text[cut - 1] != c'/':
                    cut -= 1
                if cut == b.path_start:
                    return None
    if <size_t>cut + n > MAX_TEXT:
        return None
    shift = cut - m.text.start  # may wrap; so does the sum
    o.scheme_end = b.scheme_end
    o.username_end = b.username_end
    o.host_start = b.host_start
    o.host_end = b.host_end
    o.path_start = b.path_start
    o.port = b.port
    o.kind = b.kind
    o.has_host = True
    o.opaque_path = False
    o.query_start = b.query_start if m.inherit == INHERIT_QUERY else ABSENT if query == ABSENT else query - 1 + shift
    o.fragment_start = ABSENT if fragment == ABSENT else fragment - 1 + shift
    if n == 0 and cut == length:
        return base
    joined = PyUnicode_New(cut + n, 127)
    memcpy(ascii_data(joined), text, cut)
    memcpy(ascii_data(joined) + cut, m.text.p + m.text.start, n)
    return joined


cdef str read_octets(const uint8_t* p, uint32_t n, str owner, str base, const Offsets* base_offsets, object encoding,
                     Offsets* o, Failure* failure, Log* log):
    """The URL parser on p[0:n], n <= MAX_LENGTH: the URL's text, with its offsets, or None with the
    failure. owner: the exact str that these octets are, or None. base: a URL's text, or None."""
    cdef Machine m
    cdef Base b
    cdef bint done = False
    cdef str text
    failure.removed_from = -1
    prepare(&m, p, n, WHATWG)
    if base is not None:
        base_of(&b, ascii_data(base), base_offsets)
        m.base = &b
    if log == NULL:
        done = run(&m)
        if done and base is not None:
            text = spliced(&m, base, base_offsets, o)
            if text is not None:
                return text
        if done and owner is not None and is_normal(&m, n, o):
            return owner
        if done and not seen_by(&m) & TAB_NEWLINE:
            return written(&m, owner, base, base_offsets, encoding, o, failure)
    if contains(p, m.text.start, m.text.end, TAB_NEWLINE):
        # "Remove all ASCII tab or newline from input."
        cleaned = without(p, m.text.start, m.text.end, TAB_NEWLINE)
        text = read_octets(cleaned, len(cleaned), None, base, base_offsets, encoding, o, failure, log)
        failure.removed_from = m.text.start
        return text
    if log != NULL:
        m.log = log
        done = run(&m)
    if done:
        return written(&m, owner, base, base_offsets, encoding, o, failure)
    fail(failure, m.error, m.error_step, m.error_at)
    if m.error_step == PORT_STATE:
        check_host_before_port(&m, failure)
    return None


cdef int check_host_before_port(Machine* m, Failure* failure) except -1:
    """The host state parses the host before the port state begins: a host that is refused goes first."""
    cdef Record r
    cdef Log* log = m.log
    if log != NULL:
        log.count -= 1  # the port's error, the last entry
    if not host_is_accepted(&r, m):
        fail(failure, r.error, r.host_step, r.error_at)
    elif log != NULL:
        log_violation(log, m.error_step, m.error, True, m.error_at)
    return 0


cdef str written(Machine* m, str owner, str base, const Offsets* base_offsets, object encoding, Offsets* o,
                 Failure* failure):
    """Write what the machine found, on top of the base."""
    cdef Record r
    cdef Buffer b
    cdef bytes query
    buffer_start(&b)
    try:
        if m.inherit != NOTHING:
            record_of_text(&r, ascii_data(base), len(base), base_offsets)
        take_reference(&r, m)
        # (to ISO-2022-JP some controls are no characters; every encoding leaves other ASCII as it is)
        if encoding is not None and m.query_seen & (NON_ASCII | C0_OR_SPACE):
            query = legacy_query(m, encoding)
            set_piece(&r.query, <const uint8_t*>query, len(query), m.query_seen)
        if not serialize(&b, o, &r):
            fail(failure, r.error, r.host_step, r.error_at)
            return None
        if b.n > MAX_TEXT:
            fail(failure, TOO_LONG, SCHEME_START_STATE, m.text.end)
            return None
        if owner is not None and b.n == <size_t>len(owner) and memcmp(b.p, ascii_data(owner), b.n) == 0:
            return owner
        return ascii_text(b.p, b.n)
    finally:
        buffer_free(&b)


cdef bytes legacy_query(const Machine* m, object encoding):
    """#query-state: "percent-encode after encoding, with encoding"; here the encoding."""
    from urlsm.encoding import encode_or_escape
    cdef Span s = m.spans[QUERY]
    query = m.text.p[s.start:s.end]
    # "If encoding is not UTF-8 and [url is not special, or ws or wss], then set encoding to UTF-8."
    if m.kind == NOT_SPECIAL or m.kind == WS or m.kind == WSS:
        return query
    return encode_or_escape(query.decode("utf-8"), encoding)
