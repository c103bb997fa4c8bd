"""Included by rows: a batch of rows read. Each has a text (as it stands in the column, or written anew), a state and
offsets."""
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memchr, memcpy, memmove, memset
from urlsm.columns.cells cimport Cell, Found, MALFORMED, cell_at, no_text, popcount, prefetch, texts_at
from urlsm.columns.jobs cimport (
    AS_IS, HOSTS, JUDGED, Job, KEYS, NULL_ROW, Part, Plan, READ, ROW_BY_ROW, SPANS, URLS, refuse_row, set_written,
)
from urlsm.machine.codes cimport TOO_LONG
from urlsm.machine.driver cimport BY_LANE, BY_MACHINE, LENIENT, TO_AUTHORITY, WHOLE, plain_lane
from urlsm.machine.machine cimport HOST, Span
from urlsm.machine.reading cimport Reading, is_unclean, read
from urlsm.machine.special cimport FILE, NOT_SPECIAL
from urlsm.octets.buffer cimport MAX_LENGTH, buffer_reserve
from urlsm.octets.chars cimport TAB_NEWLINE
from urlsm.octets.text cimport copy_without
from urlsm.octets.words cimport first_bit
from urlsm.url.normal cimport is_normal, offsets_of_plain
from urlsm.url.parser cimport WHATWG
from urlsm.url.structs cimport Href, Offsets
from urlsm.url.write.host cimport is_normal_domain


cdef extern from "machine/lane/batch.h" nogil:
    void take_plain "urlsm_take_plain"(const Cell* texts, uint32_t count, int octets, bint whole, Found* found) noexcept


cdef inline int64_t read_batch(Job* job, Part* part, uint32_t count, int octets_at_once) except -1 nogil:
    """Read rows part.row to part.row + count. Returns the number of octets. octets_at_once: for the plain lane."""
    cdef const Plan* plan = job.plan
    cdef int64_t octets
    cdef uint64_t left
    cdef uint32_t k
    cdef bint by_lane = plan.reading <= HOSTS and plan.base == NULL and not job.has_bases
    part.any_written = False
    memset(part.state, READ, count)
    memset(part.asked, False, sizeof(part.asked))
    memset(part.refused, False, sizeof(part.refused))
    octets = texts_at(&job.cells, part.row, count, part.texts)
    if octets < 0:
        octets = read_texts(job, part, count)
    take_plain(part.texts, count, octets_at_once if by_lane and plain_lane else 1, plan.reading == URLS, &part.found)
    for k in range(2):
        left = part.left[k] = ~part.found.plain[k] & ones(count, 64 * k)
        part.plain += popcount(part.found.plain[k])
        while left:
            read_left(job, part, 64 * k + first_bit(left), by_lane)
            left &= left - 1
    return octets


cdef inline int64_t read_texts(Job* job, Part* part, uint32_t count) except -1 nogil:
    """Set the texts of rows of any column. Returns the number of octets. ValueError for one that leaves its buffer."""
    cdef int64_t octets = 0
    cdef uint32_t k
    cdef Cell* text
    for k in range(count):
        text = &part.texts[k]
        if not cell_at(&job.cells, part.row + k, text):
            no_text(text)
            part.state[k] = NULL_ROW
        elif text.n > MAX_LENGTH:
            if text.n == MALFORMED:
                return malformed()
            no_text(text)
            refuse_row(part, k, TOO_LONG, MAX_LENGTH)
        octets += text.n
    return octets


cdef inline int malformed() except -1 with gil:
    raise ValueError("the column's buffers are not what its type says")


cdef inline uint64_t ones(uint32_t count, uint32_t before) noexcept nogil:
    """Return a bit for each of count rows, less those before the first of a word."""
    if count >= before + 64:
        return ~<uint64_t>0
    return (<uint64_t>1 << (count - before)) - 1 if count > before else 0


cdef inline int read_left(Job* job, Part* part, uint32_t k, bint by_lane) except -1 nogil:
    """Read a row that the plain lane has left."""
    cdef const Plan* plan = job.plan
    if part.state[k] != READ:
        return 0
    prefetch(part.texts[k].p + 1024)
    if plan.reading == AS_IS:
        return write_as_text(job, part, k) if plan.as_text else 0
    if plan.reading == KEYS:
        return read_key(job, part, k)
    if plan.reading == JUDGED:
        return read_judged(plan, part, k)
    if plan.reading == ROW_BY_ROW:
        return read_row(job, part, k)
    if plan.reading == SPANS:
        return read_spans(job, part, k)
    if not by_lane:
        return read_on_base(job, part, k)
    return read_host(job, part, k) if plan.reading == HOSTS else read_row(job, part, k)


cdef inline int read_row(Job* job, Part* part, uint32_t k) except -1 nogil:
    cdef Reading r
    cdef const Cell* text = &part.texts[k]
    cdef bint done = read(&r, text.p, text.n, WHATWG, WHOLE)
    if r.by_lane:
        offsets_of_plain(&r.at, &part.o[k])
        return write_with_root(job, part, k) if r.at.root_missing else 0
    if done and is_normal(&r.m, text.n, &part.o[k]):
        part.state[k] = READ
        return 0
    return write_row(job, part, k, NULL)


cdef inline int write_with_root(const Job* job, Part* part, uint32_t k) except -1 nogil:
    """Write a text that lacks only the "/" of its path."""
    cdef Cell* text = &part.texts[k]
    cdef size_t start = part.written.n
    cdef uint32_t n = text.n, path = part.o[k].path_start
    if n == MAX_LENGTH:
        return write_row(job, part, k, NULL)
    buffer_reserve(&part.written, n + 1)
    memcpy(part.written.p + start, text.p, path)
    part.written.p[start + path] = c'/'
    memcpy(part.written.p + start + path + 1, text.p + path, n - path)
    part.written.n = start + n + 1
    set_written(job, part, text, start, n + 1)
    return 0


cdef inline int read_host(Job* job, Part* part, uint32_t k) except -1 nogil:
    """Read a URL for its host only: nothing after the authority is refused."""
    cdef Reading r
    cdef const Cell* text = &part.texts[k]
    cdef Offsets* o = &part.o[k]
    cdef size_t start = part.written.n
    cdef Cell given
    cdef uint32_t n
    cdef Span host
    if read(&r, text.p, text.n, WHATWG, TO_AUTHORITY | BY_LANE):
        o.host_start, o.host_end, o.has_host = r.at.host_start, r.at.host_end, True
        part.state[k] = READ
        return 0
    if job.plan.bare_hosts and is_bare(text):
        return read_bare_host(job, part, k)
    if read(&r, text.p, text.n, WHATWG, TO_AUTHORITY | BY_MACHINE):
        host = r.m.spans[HOST]
        if r.m.kind != NOT_SPECIAL and r.m.kind != FILE and not r.m.seen & TAB_NEWLINE \
                and is_normal_domain(text.p + host.start, host.end - host.start, r.m.host_seen):
            o.host_start, o.host_end, o.has_host = host.start, host.end, True
            part.state[k] = READ
            return 0
    given = text[0]
    write_row(job, part, k, NULL)
    if job.plan.bare_hosts and part.state[k] == READ and o.kind == NOT_SPECIAL and o.has_host:
        part.texts[k] = given
        part.written.n = start
        return ask_site(job, part, k, start)
    if part.state[k] == READ and text.p == NULL and o.has_host:  # keep only the host
        n = o.host_end - o.host_start
        memmove(part.written.p + start, part.written.p + start + o.host_start, n)
        part.written.n = start + n
        part.texts[k].n, o.host_start, o.host_end = n, 0, n
    return 0


cdef inline bint is_bare(const Cell* text) noexcept nogil:
    """"a text with ":" or "/" is read as a URL, any other as a host" """
    return memchr(text.p, c':', text.n) == NULL and memchr(text.p, c'/', text.n) == NULL


cdef inline int read_judged(const Plan* plan, Part* part, uint32_t k) except -1 nogil:
    cdef const Cell* text = &part.texts[k]
    part.code[k], part.number[k] = 0, 0
    return 0 if plan.judge(text.p, text.n) else ask_judge(plan, part, k)


cdef inline int read_on_base(Job* job, Part* part, uint32_t k) except -1 nogil:
    cdef Href base
    if not job.has_bases:
        return write_row(job, part, k, job.plan.base)
    set_base(job, part, part.row + k)
    if part.base_state != READ:  # "null base or reference gives null", and so does a refused base
        no_text(&part.texts[k])
        part.state[k] = NULL_ROW
        return 0
    base.p, base.n, base.o = part.base.p, <uint32_t>part.base.n, &part.base_offsets
    return write_row(job, part, k, &base)


cdef inline int read_spans(const Job* job, Part* part, uint32_t k) except -1 nogil:
    """Find the components as written, as urlsm.split."""
    cdef Reading r
    cdef const uint8_t* p
    cdef uint32_t n, from_, to
    cdef const Plan* plan = job.plan
    cdef Cell* text = &part.texts[k]
    cdef size_t start = part.written.n
    cdef bint unclean
    p, n = text.p, text.n
    unclean = is_unclean(p, n, plan.dialect, &from_, &to)
    if unclean:
        buffer_reserve(&part.written, to - from_)
        n = <uint32_t>copy_without(part.written.p + start, p, from_, to, plan.dialect.remove)
        p = part.written.p + start
    if not read(&r, p, n, plan.dialect, LENIENT | BY_MACHINE):
        refuse_row(part, k, r.m.error, r.m.error_at)
        return 0
    memcpy(part.spans[k], r.m.spans, sizeof(r.m.spans))
    part.state[k] = READ
    if unclean:
        part.written.n = start + n
        set_written(job, part, text, start, n)
    return 0
