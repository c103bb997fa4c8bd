"""The URL parser, from octets to a URL's octets and offsets: write_url. It runs without the interpreter's lock; only
two steps take the lock: queries in legacy encodings, and the log of a domain. read_octets returns the text of the URL,
and value.pyx makes the URL.

If the machine saw no octet that would change, the text is the URL itself (normal.pxd), or the URL is a piece of the
base with a piece of the text after it (can_splice). Otherwise the URL is written, by the host parser and the serializer
below. The plain lane (machine/lane) is a fast parser for most http and https texts, which is tried before the machine.
It marks a text as odd if the head (scheme, host and port) or dot segments have to be rewritten. A Record is a URL
record of the standard.
"""
from cpython.exc cimport PyErr_SetObject
from cpython.number cimport PyNumber_Index
from cpython.object cimport PyObject, PyTypeObject
from cpython.unicode cimport PyUnicode_New
from libc.stdint cimport uint16_t, uint32_t, uint8_t
from libc.string cimport memcmp, memcpy, memmove
from urlsm.machine.bounds cimport Bounds, ODD_HEAD, ODD_PATH
from urlsm.machine.codes cimport (
    Code, HOST_INVALID_CODE_POINT, INVALID_URL_UNIT, IPV6_UNCLOSED, NO_ERROR, TOO_LONG,
)
from urlsm.machine.dialects cimport Dialect, WHATWG as WHATWG_ROW
from urlsm.machine.driver cimport (
    BY_LANE, BY_MACHINE, IPV4_TOO, LONG_TEXT, ODD_TOO, Refusal, TO_AUTHORITY, default_port, dialect_at, holds,
)
from urlsm.machine.log cimport Log, PORT_STATE, SCHEME_START_STATE, Step, log_violation
from urlsm.machine.machine cimport ABSENT, Base, HOST, Machine, NOTHING, QUERY, Span
from urlsm.machine.reading cimport Reading, read, read_on
from urlsm.machine.special cimport FILE, HTTP, HTTPS, NOT_SPECIAL, WS, WSS, listed_port
from urlsm.octets.buffer cimport (
    Buffer, ascii_data, ascii_text, buffer_copy, buffer_copy_lower, buffer_free, buffer_put, buffer_reserve,
    buffer_start,
)
from urlsm.octets.chars cimport (
    BACKSLASH, C0_OR_SPACE, CLASS, DOT_SEGMENT, ENC_C0, ENC_FRAGMENT, ENC_PATH, ENC_QUERY, ENC_SPECIAL_QUERY,
    ENC_USERINFO, FORBIDDEN_HOST, NON_ASCII, PERCENT, TAB_NEWLINE,
)
from urlsm.octets.once cimport publish, published
from urlsm.octets.text cimport copy_without, octets_of, write_encoded
from urlsm.octets.units cimport is_url_unit
from urlsm.url.inherited cimport Splice, can_splice, head_of
from urlsm.url.normal cimport offsets_of_plain, seen_by, tail_is_normal
from urlsm.url.structs cimport BASE, Failure, GIVEN, Href, Offsets, Piece, Record, REFUSED, WRITTEN
from urlsm.url.write.domain cimport ascii_domain, encoded_domain, write_domain_to_ascii
from urlsm.url.write.host cimport (
    HostInput, is_normal_domain, refuse as refuse_host, violation as host_violation, write_number,
)
from urlsm.url.write.ipv6 cimport ipv6_parser, ipv6_serializer
from urlsm.url.write.path cimport write_opaque_path, write_segments
from urlsm.url.write.record cimport (
    offsets_reach, record_of_text, set_piece, take_host, take_reference, take_tail,
)

cdef enum:
    NO_DEFAULT_PORT = 0x10000
    SPLICED = BASE + 1       # an Outcome of write_or_splice: Call.s has the two pieces of the URL; nothing was written

cdef struct Call:            # the arguments and results of one run of the URL parser, without the plain lane
    Buffer* b                # the URL is appended to this buffer
    Offsets* o               # the URL's offsets, counted from the end of what the buffer held before
    Failure* failure
    const uint8_t* p         # the text is p[0:n]
    uint32_t n
    const Href* base         # NULL: there is no base
    PyObject* encoding       # the name of the legacy encoding (str) of the query; NULL: UTF-8
    Log* log                 # NULL: nothing is logged
    Splice s                 # set if the outcome is SPLICED; see Splice

# imported at the first refusal: importing it earlier would make `import urlsm` a sixth slower
cdef PyObject* ParseError = NULL
cdef const Dialect* WHATWG = dialect_at(WHATWG_ROW)


cdef object parse_error():
    kind = Refusal
    try:
        from urlsm.errors import ParseError as kind
        publish(&ParseError, kind)
    except ImportError:  # the interpreter is shutting down and cannot import modules
        pass
    return kind


cdef object error_of(object given, const Failure* failure):
    cdef tuple code = (<int>failure.code,)
    cdef object kind = <object>published(&ParseError) if published(&ParseError) != NULL else parse_error()
    cdef Refusal error = (<PyTypeObject*>kind).tp_new(kind, <PyObject*>code, NULL)  # calling `kind` would take longer
    error.given = given
    error.step, error.at, error.removed_from = failure.step, failure.at, failure.removed_from
    return error


cdef PyObject* set_error(object error) noexcept:
    """Set the error and return NULL. A plain C function that returns this adds no traceback entry, which would take
    longer than everything else."""
    PyErr_SetObject(type(error), error)
    return NULL


cdef void refuse(Failure* failure, Code code, Step step, uint32_t at) noexcept nogil:
    failure.code, failure.step, failure.at = code, step, at


cdef object output_encoding(object label):
    """Return the canonical name of the encoding in which a query is written; None for UTF-8."""
    if label == "utf-8":
        return None
    from urlsm.unicode.encoding import output_encoding
    name = output_encoding(label)
    return None if name == "UTF-8" else name


cdef bint is_longer(object url, object limit, Failure* failure) except -1:
    """Return whether url is longer than limit, the argument max_length, in characters (or in octets if url is bytes).
    If so, set failure."""
    text = url if isinstance(url, (str, bytes)) else octets_of(url, False).owner
    if type(limit) is not int:
        if not hasattr(limit, "__index__"):
            raise TypeError(f"max_length must be int or None, not {type(limit).__name__}")
        limit = PyNumber_Index(limit)
    if limit < 0:
        raise ValueError(f"max_length must be 0 or more, not {limit}")
    if len(text) <= limit:
        return False
    start = text[:limit] if isinstance(text, str) else text[:limit].decode("utf-8", "replace")
    failure.removed_from = -1
    refuse(failure, TOO_LONG, SCHEME_START_STATE, len(start.encode("utf-8", "surrogatepass")))
    return True


# --- the host parser: it appends the serialised host to a buffer, or refuses the host ----------

cdef inline bint opaque_host_parser(Buffer* b, HostInput* h) except -1 nogil:
    cdef uint32_t k, size
    # "If input contains a forbidden host code point, host-invalid-code-point validation error"
    if h.seen & FORBIDDEN_HOST:
        for k in range(h.n):
            if CLASS[h.p[k]] & FORBIDDEN_HOST:
                return refuse_host(h, HOST_INVALID_CODE_POINT, k)
    # "a code point that is not a URL code point and not U+0025 (%)", "(%) [not followed by] two ASCII hex digits"
    if h.log != NULL:
        k = 0
        while k < h.n:
            if not is_url_unit(h.p + k, h.n - k, &size):
                host_violation(h, INVALID_URL_UNIT, k)
            k += size
    # "UTF-8 percent-encode on input using the C0 control percent-encode set"
    write_encoded(b, h.p, h.n, ENC_C0)
    return True


cdef inline bint host_parser(Buffer* b, HostInput* h) except -1 nogil:
    """Append the serialised host. Return False if the host is rejected; then h.error is the reason. The caller handles
    an empty host."""
    cdef uint16_t[8] pieces
    # "If input starts with U+005B ([)": "If input does not end with U+005D (]), IPv6-unclosed"
    if h.n and h.p[0] == c'[':
        if h.p[h.n - 1] != c']':
            return refuse_host(h, IPV6_UNCLOSED, h.n)
        if not ipv6_parser(h, pieces):
            return False
        return ipv6_serializer(b, pieces) == 0
    if not h.special:
        return opaque_host_parser(b, h)
    if not h.seen & (PERCENT | NON_ASCII):
        # "If domain is an ASCII string, then set result to domain, lowercased."
        return ascii_domain(b, h, h.p, h.n, True)
    return encoded_domain(b, h)


# --- the serializer (#concept-url-serializer): write_head, then write_tail ---------------------
# A piece in normal form is copied. write_odd writes a URL from the bounds that the lane found.

cdef inline void base_of(Base* base, const uint8_t* text, const Offsets* o) noexcept nogil:
    """Set everything that the machine must know about a base. text, o: the text and the offsets of the base."""
    base.scheme = text
    base.scheme_length = o.scheme_end
    base.kind = o.kind
    base.opaque = o.opaque_path


cdef inline int write(Buffer* b, const Piece* piece, uint32_t encode_set) except -1 nogil:
    if piece.normal or not piece.seen & encode_set:
        return buffer_copy(b, piece.p, piece.n)
    return write_encoded(b, piece.p, piece.n, encode_set)


cdef inline int write_scheme(Buffer* b, const Piece* scheme) except -1 nogil:
    buffer_copy_lower(b, scheme.p, scheme.n)
    return buffer_put(b, c':')


cdef inline int write_userinfo(Buffer* b, Offsets* o, const Record* r) except -1 nogil:
    """Append the user information with its "@": the user name, and ":" and the password unless the password is empty
    ("If url includes credentials [...]")."""
    if r.username.n or r.password.n:
        if r.username.normal:
            buffer_copy(b, r.username.p, r.username.n)
        else:
            write_encoded(b, r.username.p, r.username.n, ENC_USERINFO)
        o.username_end = b.n
        if r.password.n:
            buffer_put(b, c':')
            if r.password.normal:
                buffer_copy(b, r.password.p, r.password.n)
            else:
                write_encoded(b, r.password.p, r.password.n, ENC_USERINFO)
        buffer_put(b, c'@')
    else:
        o.username_end = b.n
    o.host_start = b.n
    return 0


cdef inline bint write_host(Buffer* b, Record* r) except -1 nogil:
    cdef size_t start = b.n
    cdef HostInput h
    # most hosts are in normal form; an empty host gets here only if the machine has accepted it
    if r.host.normal or r.host.n == 0 or (
            r.kind != NOT_SPECIAL and r.log == NULL and is_normal_domain(r.host.p, r.host.n, r.host.seen)):
        buffer_copy(b, r.host.p, r.host.n)
    else:
        h.p, h.n, h.seen = r.host.p, r.host.n, r.host.seen
        h.offset, h.special, h.step, h.log = r.host_offset, r.kind != NOT_SPECIAL, r.host_step, r.log
        if not host_parser(b, &h):
            r.error, r.error_at = h.error, h.error_at
            return False
    # "If host is "localhost", then set host to the empty string." (file host state)
    if r.kind == FILE and not r.host.normal and b.n - start == 9 and memcmp(b.p + start, b"localhost", 9) == 0:
        b.n = start
    return True


cdef inline bint host_is_accepted(Record* r, const Machine* m) except -1 nogil:
    """Return whether the host parser accepts the host that the machine found. If not, r.error is the reason."""
    cdef Buffer b
    r.kind = m.kind
    take_host(r, m)
    buffer_start(&b)
    try:
        return write_host(&b, r)
    finally:
        buffer_free(&b)


cdef inline void take_odd_host(HostInput* h, const uint8_t* p, const Bounds* at) noexcept nogil:
    """Point h at the host of the text p. The lane has found that the text's head (scheme, host or port) has to be
    rewritten (ODD_HEAD)."""
    h.p, h.n, h.seen, h.special, h.log = p + at.host_start, at.name_end - at.host_start, 0, True, NULL
    h.offset = 0


cdef inline bint odd_host_is_accepted(const uint8_t* p, const Bounds* at) except -1 nogil:
    """Return whether the host parser accepts the host of a text that the lane has accepted, perhaps as odd."""
    cdef Buffer b
    cdef HostInput h
    cdef uint16_t[8] pieces
    if not at.odd & ODD_HEAD:
        return True
    take_odd_host(&h, p, at)
    if h.p[0] == c'[':  # the lane has made sure that there is a "]" at the end
        return ipv6_parser(&h, pieces)
    buffer_start(&b)
    try:
        return host_parser(&b, &h)
    finally:
        buffer_free(&b)


cdef inline int write_path(Buffer* b, Offsets* o, const Record* r) except -1 nogil:
    cdef size_t start = b.n
    cdef bint special = r.kind != NOT_SPECIAL
    o.path_start = b.n
    if r.path.normal:
        buffer_copy(b, r.path.p, r.path.n)
    elif r.opaque_path:
        write_opaque_path(b, r.path.p, r.path.n, r.query.p != NULL or r.fragment.p != NULL)
        return 0
    elif r.path.n and r.path.p[0] == c'/' and r.base_path.p == NULL and r.kind != FILE \
            and not r.path.seen & (DOT_SEGMENT | (BACKSLASH if special else 0)):
        write(b, &r.path, ENC_PATH)
    elif r.path.n or special:
        buffer_copy(b, r.base_path.p, r.base_path.n)
        write_segments(b, start, r.path.p, r.path.n, special, r.kind == FILE, r.path.seen & ENC_PATH and ENC_PATH)
    # "If url's host is null, [...] path's size is greater than 1, and path[0] is the empty string, then
    # append U+002F (/) followed by U+002E (.)"
    if r.host.p == NULL and not r.opaque_path and b.n - start >= 2 and b.p[start + 1] == c'/' and b.p[start] == c'/':
        buffer_reserve(b, 2)
        memmove(b.p + start + 2, b.p + start, b.n - start)
        memcpy(b.p + start, b"/.", 2)
        b.n += 2
        o.path_start += 2
    return 0


cdef inline bint write_head(Buffer* b, Offsets* o, Record* r) except -1 nogil:
    """Append everything before the path, and set its offsets. Return False if the host is rejected; then r.error is the
    reason."""
    cdef uint32_t start = b.n
    o.kind = r.kind
    o.opaque_path = r.opaque_path
    o.has_host = r.host.p != NULL
    write_scheme(b, &r.scheme)
    o.scheme_end = b.n - 1
    o.username_end = o.host_start = b.n
    if o.has_host:
        buffer_copy(b, <const uint8_t*>b"//", 2)
        write_userinfo(b, o, r)
        if not write_host(b, r):
            return False
    o.host_end = b.n
    # "Set url's port to null, if port is url's scheme's default port"
    o.port = -1
    if r.port >= 0 and <uint32_t>r.port != (default_port(r.kind) or NO_DEFAULT_PORT):
        o.port = r.port
        buffer_put(b, c':')
        write_number(b, r.port, 10)
    if start:  # o.kind and o.port are no offsets; the other fields become relative to start, modulo 2**32
        o.scheme_end -= start
        o.username_end -= start
        o.host_start -= start
        o.host_end -= start
    return True


cdef inline int write_tail(Buffer* b, Offsets* o, const Record* r, uint32_t start) except -1 nogil:
    """Append path, query and fragment, and set their offsets relative to start."""
    write_path(b, o, r)
    o.path_start -= start
    o.query_start = o.fragment_start = ABSENT
    if r.query.p != NULL:
        o.query_start = b.n - start
        buffer_put(b, c'?')
        write(b, &r.query, ENC_SPECIAL_QUERY if r.kind != NOT_SPECIAL else ENC_QUERY)
    if r.fragment.p != NULL:
        o.fragment_start = b.n - start
        buffer_put(b, c'#')
        write(b, &r.fragment, ENC_FRAGMENT)
    return 0


cdef inline bint write_odd(Buffer* b, Offsets* o, const uint8_t* p, uint32_t n, const Bounds* at) except -1 nogil:
    """Append the URL of the text p[0:n], which the lane has marked as odd: rewrite the head or the path (see at.odd),
    and copy the other parts. Offsets count from the end of what the buffer held before. If the host is refused, append
    nothing and return False."""
    cdef HostInput h
    cdef size_t start = b.n
    cdef uint32_t kept = at.host_end, shift
    o.kind = HTTPS if at.host_start == 8 else HTTP
    o.has_host, o.opaque_path, o.port = True, False, -1
    o.scheme_end = at.scheme_end
    o.username_end = o.host_start = at.host_start
    if at.odd & ODD_HEAD:
        buffer_copy(b, <const uint8_t*>b"https://" if o.kind == HTTPS else <const uint8_t*>b"http://", at.host_start)
        take_odd_host(&h, p, at)
        if not host_parser(b, &h):
            b.n = start
            return False
        o.host_end = b.n - start
        if at.port >= 0 and <uint32_t>at.port != listed_port(o.kind):
            o.port = at.port
            buffer_put(b, c':')
            write_number(b, at.port, 10)
    else:
        buffer_copy(b, p, at.host_end)
        o.host_end = at.host_end
    o.path_start = b.n - start
    if at.odd & ODD_PATH:
        kept = at.path_end
        write_segments(b, b.n, p + at.host_end, kept - at.host_end, True, False, 0)
    elif at.root_missing:
        buffer_put(b, c'/')
    shift = b.n - start - kept  # unsigned arithmetic: this may wrap around, and then the sums below wrap back
    o.query_start = ABSENT if at.query_start == ABSENT else at.query_start + shift
    o.fragment_start = ABSENT if at.fragment_start == ABSENT else at.fragment_start + shift
    buffer_copy(b, p + kept, n - kept)
    return True


cdef int validity(const uint8_t* p, uint32_t n) except -2 nogil:
    """Return whether p[0:n] parses: 1, 0, or -1 if that is unknown until tabs and newlines are removed. Only the scheme
    and authority matter, because nothing after them can be invalid. If the lane accepts the text, only an odd host can
    be invalid."""
    cdef Reading found
    cdef const Machine* m = &found.m
    cdef Record r
    cdef bint done
    cdef Span host
    if n <= LONG_TEXT and read(&found, p, n, WHATWG, BY_LANE | IPV4_TOO | ODD_TOO):
        return odd_host_is_accepted(p, &found.at)
    done = read(&found, p, n, WHATWG, TO_AUTHORITY | BY_MACHINE)
    host = m.spans[HOST]
    # the parser refused the text, or the host is missing or empty; in each case a tab or newline may be the cause
    if not done or host.start == host.end:
        return -1 if holds(&m.text, TAB_NEWLINE) else done
    if (m.seen | m.host_seen) & TAB_NEWLINE:
        return -1
    if m.kind != NOT_SPECIAL and is_normal_domain(p + host.start, host.end - host.start, m.host_seen):
        return 1
    return host_is_accepted(&r, m)


# --- octets to octets --------------------------------------------------------------------------

cdef int write_url(Buffer* b, Offsets* o, Failure* failure, const uint8_t* p, uint32_t n, const Href* base,
                   PyObject* encoding, Log* log) except -1 nogil:
    """Run the URL parser on p[0:n], n <= MAX_LENGTH. Return an Outcome. The offsets count from the end of what the
    buffer held before.

    base, log: NULL for none. encoding: the name (str) of the legacy encoding of the query, NULL for UTF-8.
    """
    cdef Reading r
    cdef Call call
    cdef int outcome
    if base == NULL and log == NULL and read(&r, p, n, WHATWG, BY_LANE | IPV4_TOO | ODD_TOO):
        if r.at.odd or r.at.root_missing:
            if write_odd(b, o, p, n, &r.at):
                return WRITTEN
        else:
            offsets_of_plain(&r.at, o)
            return GIVEN
    call.b, call.o, call.failure, call.p, call.n = b, o, failure, p, n
    call.base, call.encoding, call.log = base, encoding, log
    outcome = write_or_splice(&call)
    if outcome == SPLICED:
        buffer_copy(b, base.p, call.s.cut)
        buffer_copy(b, p + call.s.start, call.s.end - call.s.start)
        outcome = WRITTEN
    return outcome


cdef int write_or_splice(Call* call) except -1 nogil:
    """Do the same as write_url, but do not try the plain lane. If the URL consists of a piece of the base and a piece
    of the text, as for most references, set call.s to these pieces and return SPLICED instead of copying them."""
    cdef Reading r
    cdef Machine* m = &r.m
    cdef Base b_of
    cdef const Base* relative_to = NULL
    cdef const uint8_t* head = NULL
    cdef Log* log = call.log
    cdef uint32_t told = 0 if log == NULL else log.count
    call.failure.removed_from = -1
    if call.base != NULL:
        base_of(&b_of, call.base.p, call.base.o)
        relative_to = &b_of
    if read_on(&r, call.p, call.n, WHATWG, BY_MACHINE, relative_to, log):
        if log == NULL:
            if call.base != NULL and can_splice(call.o, &call.s, m, call.base):
                return BASE if call.s.cut == call.base.n and call.s.start == call.s.end else SPLICED
            head = head_of(m, call.base, call.o)
            if m.inherit == NOTHING and head != NULL and tail_is_normal(m, call.n, call.o):
                return GIVEN
        if not seen_by(m) & TAB_NEWLINE:
            return write_found(call.b, call.o, call.failure, m, head, call.base, call.encoding)
    elif tell_refusal(m, call.failure):
        return REFUSED
    if log != NULL:
        # remove what was logged: the next run logs everything again, for the text without tabs and newlines
        log.count = told
    return write_cleaned(call.b, call.o, call.failure, m, call.base, call.encoding, log)


cdef bint tell_refusal(Machine* m, Failure* failure) except -1 nogil:
    """Set failure to the reason why the machine rejected the text. Return False if the reason is unknown until tabs and
    newlines are removed."""
    if holds(&m.text, TAB_NEWLINE):
        return False
    failure.removed_from = -1
    refuse(failure, m.error, m.error_step, m.error_at)
    if m.error_step == PORT_STATE:
        check_host_before_port(m, failure)
    return True


cdef int write_cleaned(Buffer* b, Offsets* o, Failure* failure, const Machine* m, const Href* base, PyObject* encoding,
                       Log* log) except -1 nogil:
    """"Remove all ASCII tab or newline from input", and write the URL of the result."""
    cdef Buffer cleaned
    cdef int outcome
    buffer_start(&cleaned)
    try:
        buffer_reserve(&cleaned, m.text.end - m.text.start)
        cleaned.n = copy_without(cleaned.p, m.text.p, m.text.start, m.text.end, TAB_NEWLINE)
        outcome = write_url(b, o, failure, cleaned.p, cleaned.n, base, encoding, log)
        failure.removed_from = m.text.start
        if outcome == GIVEN:  # the cleaned text is the URL
            buffer_copy(b, cleaned.p, cleaned.n)
            outcome = WRITTEN
    finally:
        buffer_free(&cleaned)
    return outcome


cdef int check_host_before_port(Machine* m, Failure* failure) except -1 nogil:
    """Called after the port was refused: if the host is invalid too, report the error of the host instead of the
    port's, because the host state parses the host before the port state begins."""
    cdef Record r
    cdef Log* log = m.log
    if log != NULL and log.count:
        log.count -= 1  # remove the last entry, which is the error of the port
    if not host_is_accepted(&r, m):
        refuse(failure, r.error, r.host_step, r.error_at)
    elif log != NULL:
        log_violation(log, m.error_step, m.error, True, m.error_at)
    return 0


cdef int write_found(Buffer* b, Offsets* o, Failure* failure, const Machine* m, const uint8_t* head, const Href* base,
                     PyObject* encoding) except -1 nogil:
    """Write the URL that the machine found, including what it inherits from the base. head: the result of head_of."""
    cdef Record r
    cdef Buffer query
    cdef int outcome
    if m.inherit != NOTHING:
        record_of_text(&r, base.p, base.n, base.o)
    if head == NULL:
        take_reference(&r, m)
    else:
        take_tail(&r, m)
        r.host.p = head if o.has_host else NULL
    # a legacy encoding leaves ASCII as it is, except for a few controls that ISO-2022-JP does not encode
    if encoding == NULL or not m.query_seen & (NON_ASCII | C0_OR_SPACE):
        return write_record(b, o, failure, &r, head, m.text.end)
    buffer_start(&query)
    try:
        legacy_query(&query, m, encoding)
        set_piece(&r.query, query.p, query.n, m.query_seen)
        outcome = write_record(b, o, failure, &r, head, m.text.end)
    finally:
        buffer_free(&query)
    return outcome


cdef int write_record(Buffer* b, Offsets* o, Failure* failure, Record* r, const uint8_t* head,
                      uint32_t end) except -1 nogil:
    """Append the URL of the record. head: the result of head_of. end: the length of the text, which is reported as the
    position if the URL is too long."""
    cdef size_t start = b.n
    if head != NULL:
        buffer_copy(b, head, o.path_start)
    elif not write_head(b, o, r):
        refuse(failure, r.error, r.host_step, r.error_at)
        b.n = start
        return REFUSED
    write_tail(b, o, r, start)
    if offsets_reach(b.n - start):
        return WRITTEN
    refuse(failure, TOO_LONG, SCHEME_START_STATE, end)
    b.n = start
    return REFUSED


cdef int legacy_query(Buffer* b, const Machine* m, PyObject* encoding) except -1 with gil:
    """Encode the query. "Percent-encode after encoding" (#query-state) has two steps, of which this is the first."""
    cdef Span s = m.spans[QUERY]
    cdef bytes query = m.text.p[s.start:s.end]
    # "If encoding is not UTF-8 and [url is not special, or ws or wss], then set encoding to UTF-8."
    if m.kind != NOT_SPECIAL and m.kind != WS and m.kind != WSS:
        from urlsm.unicode.encoding import encode_or_escape
        query = encode_or_escape(query.decode("utf-8"), <object>encoding)
    return buffer_copy(b, query, len(query))


cpdef bytes domain_to_ascii(bytes octets):
    """Return the ASCII form of a domain, which is in UTF-8; b"" if it has none. ToASCII also checks labels that are
    ASCII already."""
    cdef Buffer b
    buffer_start(&b)
    try:
        write_domain_to_ascii(&b, octets, len(octets))
        return b.p[:b.n]
    finally:
        buffer_free(&b)


# --- octets to text ----------------------------------------------------------------------------

cdef str read_octets(const uint8_t* p, uint32_t n, str owner, const Href* base, object encoding, Offsets* o,
                     Failure* failure, Log* log):
    """Parse p[0:n], n <= MAX_LENGTH. Return the URL's text and set its offsets; or return None and set failure. owner:
    the str that has these octets, or None; if nothing changes, owner itself is returned. base: set by base_at, or NULL.
    For a short text without a base the caller has already tried the plain lane, or knows that it would decline."""
    cdef Buffer b
    cdef Call call
    cdef PyObject* query_encoding = <PyObject*>encoding if encoding is not None else NULL
    cdef int outcome
    buffer_start(&b)
    try:
        if n <= LONG_TEXT:
            call.b, call.o, call.failure, call.p, call.n = &b, o, failure, p, n
            call.base, call.encoding, call.log = base, query_encoding, log
            outcome = write_or_splice(&call)
        else:
            with nogil:  # the text is long, so releasing the lock is worth its time
                outcome = write_url(&b, o, failure, p, n, base, query_encoding, log)
        if outcome == WRITTEN:
            return written_text(&b, owner)
    finally:
        buffer_free(&b)
    if outcome == SPLICED:
        joined = PyUnicode_New(<Py_ssize_t>call.s.cut + call.s.end - call.s.start, 127)
        memcpy(ascii_data(joined), base.p, call.s.cut)
        memcpy(ascii_data(joined) + call.s.cut, p + call.s.start, call.s.end - call.s.start)
        return joined
    if outcome == GIVEN:
        return owner if owner is not None else ascii_text(p, n)
    return <str>base.text if outcome == BASE else None


cdef str read_found(Machine* m, const uint8_t* head, str owner, object encoding, Offsets* o, Failure* failure):
    """Do the rest of read_octets, for a text without a base that the machine has read. If the machine refused the text,
    it has a tab or newline, which may be the cause. head: the result of head_of."""
    cdef Buffer b
    cdef PyObject* query_encoding = <PyObject*>encoding if encoding is not None else NULL
    cdef int outcome
    failure.removed_from = -1
    buffer_start(&b)
    try:
        if m.error != NO_ERROR or seen_by(m) & TAB_NEWLINE:
            outcome = write_cleaned(&b, o, failure, m, NULL, query_encoding, NULL)
        else:
            outcome = write_found(&b, o, failure, m, head, NULL, query_encoding)
        if outcome == WRITTEN:
            return written_text(&b, owner)
    finally:
        buffer_free(&b)
    return None


cdef str read_odd(const uint8_t* p, uint32_t n, const Bounds* at, str owner, Offsets* o):
    """Return the URL's text for p[0:n], which the lane has marked as odd, and set its offsets; None if the host is
    rejected. owner: as in read_octets."""
    cdef Buffer b
    buffer_start(&b)
    try:
        if write_odd(&b, o, p, n, at):
            return written_text(&b, owner)
    finally:
        buffer_free(&b)
    return None


cdef inline str written_text(const Buffer* b, str owner):
    """Return the text in the buffer as a str. Return owner itself if it has the same text."""
    if owner is not None and b.n == <size_t>len(owner) and memcmp(b.p, ascii_data(owner), b.n) == 0:
        return owner
    return ascii_text(b.p, b.n)
