"""The interface of the machine for other packages: read. A plain link is read by the plain lane, a fast parser
(lane/plain.h); any other text is read by the states of the machine. In both cases, span_of then returns where a
component lies.

    cdef Reading r
    if read(&r, text, length, dialect_at(WHATWG), WHOLE):
        ... span_of(&r, HOST).start
"""
from libc.stdint cimport uint8_t, uint32_t
from urlsm.machine.bounds cimport Bounds, OF_IPV4, PLAIN_IPV4, PLAIN_NAME
from urlsm.machine.dialects cimport Dialect, WHATWG
from urlsm.machine.driver cimport (
    BY_LANE, BY_MACHINE, IPV4_TOO, ODD_TOO, TO_AUTHORITY, dialect_at, enter, lane, prepare, read_by_machine, run,
    trim,
)
from urlsm.machine.log cimport Log, Step
from urlsm.machine.machine cimport (
    ABSENT, AUTHORITY, Base, FRAGMENT, HOST, Machine, PATH, QUERY, SCHEME, Span,
)
from urlsm.machine.special cimport SchemeKind, is_listed
from urlsm.octets.text cimport contains

cdef struct Reading:         # what is known about a text that was read
    # Whether the lane has read the text. If so, `at` has the bounds, and of m only m.text is set. Such a text is its
    # own serialisation, unless at.root_missing or at.odd is set
    bint by_lane
    Bounds at
    Machine m


cdef inline bint is_taken(Bounds* at, const uint8_t* p, uint32_t n, const Dialect* dialect, int how) noexcept nogil:
    """Return whether the plain lane accepts p[0:n]. If so, set `at` to the bounds. All dialects read such a text alike,
    except rfc1738, in which only some schemes have a query; this exception is checked, unless BY_LANE is set. After a
    plain authority nothing is refused."""
    cdef uint32_t host_end
    cdef int host
    if how & TO_AUTHORITY:
        host_end = lane.authority(p, n)
        if not host_end or (host_end & OF_IPV4 and not how & IPV4_TOO):
            return False
        at.host_end = host_end & ~OF_IPV4
        at.host_start = 8 if p[4] == c's' else 7  # the length of "https://" or "http://"
        at.scheme_end = at.host_start - 3
        return True
    host = lane.text(p, n, at)
    if host != PLAIN_NAME and (host == 0 or not how & (IPV4_TOO if host == PLAIN_IPV4 else ODD_TOO)):
        return False
    return how & BY_LANE or at.query_start == ABSENT or not dialect.with_query[0] \
        or is_listed(dialect.with_query, p, at.scheme_end)


cdef inline bint read_on(Reading* r, const uint8_t* p, uint32_t n, const Dialect* dialect, int how, const Base* base,
                         Log* log) noexcept nogil:
    """Read p[0:n], n <= MAX_LENGTH, in a dialect, and find its components. Return False if the text is refused, for the
    reason r.m.error, or if only the lane may read the text, and declines it.

    dialect: may be NULL if only the lane may read (see is_taken). how: bits of the enum in driver.pxd. base, log:
    passed to the machine, or NULL. If one of them is not NULL, `how` has to exclude the lane.
    """
    r.by_lane = not how & BY_MACHINE and is_taken(&r.at, p, n, dialect, how)
    if how & BY_LANE:
        return r.by_lane
    if r.by_lane:
        r.m.text.p, r.m.text.start, r.m.text.end = p, 0, n
        return True
    r.m.base, r.m.log = base, log
    return read_by_machine(&r.m, p, n, dialect, how)


cdef inline bint read(Reading* r, const uint8_t* p, uint32_t n, const Dialect* dialect, int how) noexcept nogil:
    """Do what read_on does, without a base or a log."""
    return read_on(r, p, n, dialect, how, NULL, NULL)


cdef inline bint read_component(Reading* r, const uint8_t* p, uint32_t n, Step state, SchemeKind kind) noexcept nogil:
    """Read one component as the setters of a URL do, starting at a state override. kind: the kind of the URL's
    scheme."""
    r.by_lane = False
    prepare(&r.m, p, n, dialect_at(WHATWG))
    enter(&r.m, n, state, kind)
    return run(&r.m)


cdef inline bint is_unclean(const uint8_t* p, uint32_t n, const Dialect* dialect, uint32_t* start,
                            uint32_t* end) noexcept nogil:
    """Return whether p[0:n] holds octets that the dialect removes. If so, set start and end: the caller has to read a
    copy of p[start:end] without these octets."""
    if not dialect.remove or not contains(p, 0, n, dialect.remove):
        return False
    trim(p, n, dialect, start, end)
    return contains(p, start[0], end[0], dialect.remove)


cdef inline Span span_of(const Reading* r, int which) noexcept nogil:
    """Return the span of a component in the text. Its start and end are ABSENT if the component is absent."""
    cdef uint32_t end = r.m.text.end
    if not r.by_lane:
        return r.m.spans[which]
    if which == SCHEME:
        return Span(0, r.at.scheme_end)
    if which == AUTHORITY or which == HOST:
        return Span(r.at.host_start, r.at.host_end)
    if which == PATH:
        return Span(r.at.host_end, r.at.path_end)
    if which == QUERY and r.at.query_start != ABSENT:
        return Span(r.at.query_start + 1, end if r.at.fragment_start == ABSENT else r.at.fragment_start)
    if which == FRAGMENT and r.at.fragment_start != ABSENT:
        return Span(r.at.fragment_start + 1, end)
    return Span(ABSENT, ABSENT)
