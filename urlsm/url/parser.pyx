"""The URL parser, from octets to a URL's octets and offsets, without the interpreter's lock: write_url. Three
steps take it: ToASCII, a legacy encoding's query, a log of domains. read_octets makes text of it; value.pyx, values.

Where the seen bits say that nothing changes, the text is the URL's (normal.pxd), or its end, after a piece of the
base's text (spliced). Otherwise serializer.pxd writes the URL's text.

All that this takes is inline in .pxd files, and so one extension: each more would cost `import urlsm` 0.1 ms.
"""
from cpython.exc cimport PyErr_SetObject
from cpython.object cimport PyObject, PyTypeObject
from cpython.unicode cimport PyUnicode_New
from libc.stdint cimport uint32_t, uint8_t
from libc.string cimport memcmp, memcpy
from urlsm.machine.bounds cimport Bounds
from urlsm.machine.codes cimport Code, NO_ERROR, TOO_LONG
from urlsm.machine.dialects cimport Dialect, WHATWG as WHATWG_ROW
from urlsm.machine.driver cimport (
    BY_LANE, BY_MACHINE, IPV4_TOO, LONG_TEXT, ODD_TOO, Refusal, TO_AUTHORITY, dialect_at, holds,
)
from urlsm.machine.log cimport Log, PORT_STATE, SCHEME_START_STATE, Step, log_violation
from urlsm.machine.machine cimport Base, HOST, Machine, NOTHING, QUERY, Span
from urlsm.machine.reading cimport Reading, read, read_on
from urlsm.machine.special cimport NOT_SPECIAL, WS, WSS
from urlsm.octets.buffer cimport Buffer, ascii_data, ascii_text, buffer_copy, buffer_free, buffer_reserve, buffer_start
from urlsm.octets.chars cimport C0_OR_SPACE, NON_ASCII, TAB_NEWLINE
from urlsm.octets.once cimport publish, published
from urlsm.octets.text cimport copy_without, octets_of
from urlsm.url.inherited cimport Splice, head_of, spliced
from urlsm.url.normal cimport offsets_of_plain, seen_by, tail_is_normal
from urlsm.url.structs cimport BASE, Failure, GIVEN, Href, Offsets, Record, REFUSED, WRITTEN
from urlsm.url.write.domain cimport write_domain_to_ascii
from urlsm.url.write.host cimport is_normal_domain
from urlsm.url.write.record cimport offsets_reach, record_of_text, set_piece, take_reference, take_tail
from urlsm.url.write.serializer cimport (
    base_of, host_is_accepted, odd_host_is_accepted, write_head, write_odd, write_tail,
)

cdef PyObject* ParseError = NULL  # loaded by the first refusal: a sixth of the time of `import urlsm`
cdef const Dialect* WHATWG = dialect_at(WHATWG_ROW)


cdef object parse_error():
    kind = Refusal
    try:
        from urlsm.errors import ParseError as kind
        publish(&ParseError, kind)
    except ImportError:  # the interpreter ends, and imports nothing more
        pass
    return kind


cdef object error_of(object given, const Failure* failure):
    cdef tuple code = (<int>failure.code,)
    cdef object kind = <object>published(&ParseError) if published(&ParseError) != NULL else parse_error()
    cdef Refusal error = (<PyTypeObject*>kind).tp_new(kind, <PyObject*>code, NULL)  # a call takes longer
    error.given = given
    error.step, error.at, error.removed_from = failure.step, failure.at, failure.removed_from
    return error


cdef PyObject* raised(object error) noexcept:
    """NULL, with the error set. A function that returns this is not in the traceback, for making an entry takes longer
    than all else."""
    PyErr_SetObject(type(error), error)
    return NULL


cdef void refuse(Failure* failure, Code code, Step step, uint32_t at) noexcept nogil:
    failure.code, failure.step, failure.at = code, step, at


cdef object output_encoding(object label):
    """The canonical name of an encoding; None for UTF-8."""
    if label == "utf-8":
        return None
    from urlsm.unicode.encoding import output_encoding
    name = output_encoding(label)
    return None if name == "UTF-8" else name


cdef bint is_longer(object url, size_t limit, Failure* failure) except -1:
    """Is url longer than limit characters (bytes of bytes)? If so, failure is filled in."""
    text = url if isinstance(url, (str, bytes)) else octets_of(url, False).owner
    if <size_t>len(text) <= limit:
        return False
    start = text[:limit] if isinstance(text, str) else text[:limit].decode("utf-8", "replace")
    failure.removed_from = -1
    refuse(failure, TOO_LONG, SCHEME_START_STATE, len(start.encode("utf-8", "surrogatepass")))
    return True


cdef int validity(const uint8_t* p, uint32_t n) except -2 nogil:
    """Does p[0:n] parse? 1, 0, or -1: tabs or newlines have to be removed to know. Scheme and authority tell:
    nothing after them is ever refused. Of a text that the lane takes, its odd host alone may be."""
    cdef Reading found
    cdef const Machine* m = &found.m
    cdef Record r
    cdef bint done
    cdef Span host
    if n <= LONG_TEXT and read(&found, p, n, WHATWG, BY_LANE | IPV4_TOO | ODD_TOO):
        return odd_host_is_accepted(p, &found.at)
    done = read(&found, p, n, WHATWG, TO_AUTHORITY | BY_MACHINE)
    host = m.spans[HOST]
    if not done or host.start == host.end:  # no host, or an empty one, or a refusal: if no tab or newline made it so
        return -1 if holds(&m.text, TAB_NEWLINE) else done
    if (m.seen | m.host_seen) & TAB_NEWLINE:
        return -1
    if m.kind != NOT_SPECIAL and is_normal_domain(p + host.start, host.end - host.start, m.host_seen):
        return 1
    return host_is_accepted(&r, m)


# --- octets to octets --------------------------------------------------------------------------

cdef enum:
    SPLICED = BASE + 1       # the Outcome that only write_or_splice has: nothing was written


cdef int write_url(Buffer* b, Offsets* o, Failure* failure, const uint8_t* p, uint32_t n, const Href* base,
                   PyObject* encoding, Log* log) except -1 nogil:
    """The URL parser on p[0:n], n <= MAX_LENGTH: an Outcome. The offsets count from where the buffer ended before.

    base, log: NULL for none. encoding: a legacy encoding's name for the query (str), NULL for UTF-8.
    """
    cdef Reading r
    cdef Splice s
    cdef int outcome
    if base == NULL and log == NULL and read(&r, p, n, WHATWG, BY_LANE | IPV4_TOO | ODD_TOO):
        if r.at.odd or r.at.root_missing:
            if write_odd(b, o, p, n, &r.at):
                return WRITTEN
        else:
            offsets_of_plain(&r.at, o)
            return GIVEN
    outcome = write_or_splice(b, o, failure, p, n, base, encoding, log, &s)
    if outcome == SPLICED:
        buffer_copy(b, base.p, s.cut)
        buffer_copy(b, p + s.start, s.end - s.start)
        outcome = WRITTEN
    return outcome


cdef int write_or_splice(Buffer* b, Offsets* o, Failure* failure, const uint8_t* p, uint32_t n, const Href* base,
                         PyObject* encoding, Log* log, Splice* s) except -1 nogil:
    """write_url, but for the plain lane, and the copying of what is there in two pieces: most references on a base."""
    cdef Reading r
    cdef Machine* m = &r.m
    cdef Base b_of
    cdef const Base* relative_to = NULL
    cdef const uint8_t* head = NULL
    cdef uint32_t told = 0 if log == NULL else log.count
    failure.removed_from = -1
    if base != NULL:
        base_of(&b_of, base.p, base.o)
        relative_to = &b_of
    if read_on(&r, p, n, WHATWG, BY_MACHINE, relative_to, log):
        if log == NULL:
            if base != NULL and spliced(o, s, m, base):
                return BASE if s.cut == base.n and s.start == s.end else SPLICED
            head = head_of(m, base, o)
            if m.inherit == NOTHING and head != NULL and tail_is_normal(m, n, o):
                return GIVEN
        if not seen_by(m) & TAB_NEWLINE:
            return write_found(b, o, failure, m, head, base, encoding)
    elif tell_refusal(m, failure):
        return REFUSED
    if log != NULL:
        log.count = told  # all is told again, of the text without tabs and newlines
    return write_cleaned(b, o, failure, m, base, encoding, log)


cdef bint tell_refusal(Machine* m, Failure* failure) except -1 nogil:
    """Why did the machine refuse? False: that is not clear, as tabs and newlines have to be removed first."""
    if holds(&m.text, TAB_NEWLINE):
        return False
    failure.removed_from = -1
    refuse(failure, m.error, m.error_step, m.error_at)
    if m.error_step == PORT_STATE:
        check_host_before_port(m, failure)
    return True


cdef int write_cleaned(Buffer* b, Offsets* o, Failure* failure, const Machine* m, const Href* base, PyObject* encoding,
                       Log* log) except -1 nogil:
    """"Remove all ASCII tab or newline from input." """
    cdef Buffer cleaned
    cdef int outcome
    buffer_start(&cleaned)
    try:
        buffer_reserve(&cleaned, m.text.end - m.text.start)
        cleaned.n = copy_without(cleaned.p, m.text.p, m.text.start, m.text.end, TAB_NEWLINE)
        outcome = write_url(b, o, failure, cleaned.p, cleaned.n, base, encoding, log)
        failure.removed_from = m.text.start
        if outcome == GIVEN:  # the cleaned text, that is
            buffer_copy(b, cleaned.p, cleaned.n)
            outcome = WRITTEN
    finally:
        buffer_free(&cleaned)
    return outcome


cdef int check_host_before_port(Machine* m, Failure* failure) except -1 nogil:
    """The host state parses the host before the port state begins: a host that is refused goes first."""
    cdef Record r
    cdef Log* log = m.log
    if log != NULL and log.count:
        log.count -= 1  # the port's error, the last entry
    if not host_is_accepted(&r, m):
        refuse(failure, r.error, r.host_step, r.error_at)
    elif log != NULL:
        log_violation(log, m.error_step, m.error, True, m.error_at)
    return 0


cdef int write_found(Buffer* b, Offsets* o, Failure* failure, const Machine* m, const uint8_t* head, const Href* base,
                     PyObject* encoding) except -1 nogil:
    """Write what the machine found, on top of the base. head: what head_of tells, or NULL."""
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
    # (ISO-2022-JP does not encode some controls; every encoding leaves other ASCII as it is)
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
    """Write the record; head: what head_of found. end: of the text, where a result that is too long is refused."""
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
    """#query-state: "percent-encode after encoding, with encoding"; here the encoding."""
    cdef Span s = m.spans[QUERY]
    cdef bytes query = m.text.p[s.start:s.end]
    # "If encoding is not UTF-8 and [url is not special, or ws or wss], then set encoding to UTF-8."
    if m.kind != NOT_SPECIAL and m.kind != WS and m.kind != WSS:
        from urlsm.unicode.encoding import encode_or_escape
        query = encode_or_escape(query.decode("utf-8"), <object>encoding)
    return buffer_copy(b, query, len(query))


cpdef bytes domain_to_ascii(bytes octets):
    """The ASCII form of a domain in UTF-8, of which ToASCII looks at ASCII labels too; b"" where it has none."""
    cdef Buffer b
    buffer_start(&b)
    try:
        write_domain_to_ascii(&b, octets, len(octets))
        return b.p[:b.n]
    finally:
        buffer_free(&b)


# --- and to text -------------------------------------------------------------------------------

cdef str read_octets(const uint8_t* p, uint32_t n, str owner, str base, const Offsets* base_offsets, object encoding,
                     Offsets* o, Failure* failure, Log* log):
    """The text of the URL that p[0:n] is, n <= MAX_LENGTH, with its offsets, or None with the failure. owner: the exact
    str that these octets are, or None; where it is the URL it is what is returned. base: a URL's text, or None. Of a
    short text without one, the plain lane was asked before, or need not be."""
    cdef Buffer b
    cdef Href href
    cdef const Href* relative_to = NULL
    cdef PyObject* query_encoding = <PyObject*>encoding if encoding is not None else NULL
    cdef Splice s
    cdef int outcome
    if base is not None:
        href.p, href.n, href.o = ascii_data(base), len(base), base_offsets
        relative_to = &href
    buffer_start(&b)
    try:
        if n <= LONG_TEXT:
            outcome = write_or_splice(&b, o, failure, p, n, relative_to, query_encoding, log, &s)
        else:
            with nogil:  # that takes longer than to let other threads run
                outcome = write_url(&b, o, failure, p, n, relative_to, query_encoding, log)
        if outcome == WRITTEN:
            return written_text(&b, owner)
    finally:
        buffer_free(&b)
    if outcome == SPLICED:
        joined = PyUnicode_New(<Py_ssize_t>s.cut + s.end - s.start, 127)
        memcpy(ascii_data(joined), href.p, s.cut)
        memcpy(ascii_data(joined) + s.cut, p + s.start, s.end - s.start)
        return joined
    if outcome == GIVEN:
        return owner if owner is not None else ascii_text(p, n)
    return base if outcome == BASE else None


cdef str read_found(Machine* m, const uint8_t* head, str owner, object encoding, Offsets* o, Failure* failure):
    """read_octets's answer for a machine that has run, without a base; if it failed, tabs or newlines are why. head:
    what head_of tells, or NULL."""
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
    """The text of the URL that p[0:n] is, of which the lane says that some parts are odd, with its offsets; or None,
    where the host is refused. owner: as in read_octets."""
    cdef Buffer b
    buffer_start(&b)
    try:
        if write_odd(&b, o, p, n, at):
            return written_text(&b, owner)
    finally:
        buffer_free(&b)
    return None


cdef inline str written_text(const Buffer* b, str owner):
    """The text that was written, as owner if that is its text."""
    if owner is not None and b.n == <size_t>len(owner) and memcmp(b.p, ascii_data(owner), b.n) == 0:
        return owner
    return ascii_text(b.p, b.n)
