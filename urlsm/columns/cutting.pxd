"""A batch of fields written: which part of its text each row's field is, and what fields say that are not text."""
from libc.stdint cimport int8_t, int32_t, int64_t, uint16_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memchr, memcmp
from urlsm.columns.cells cimport (
    Cell, NO_MEMORY, NULL_CELL, Out, TOO_MUCH, VIEW, WINDOW_BITS, is_utf8, put, put_validity, put_word,
)
from urlsm.columns.reading cimport set_written
from urlsm.columns.rows cimport (
    F_AMBIGUOUS, F_AUTHORITY, F_ERROR, F_FRAGMENT, F_HOST, F_ORIGIN, F_PARAM, F_PASSWORD, F_PATH, F_PORT, F_QUERY,
    F_SCHEME, F_SITE, F_USERNAME, F_VALID, Job, Part, Plan, READ, REFUSED_ROW, SPANS, is_text, out_of_memory,
    replace_invalid, too_much,
)
from urlsm.crawler.sites cimport is_name, site_start
from urlsm.crawler.suffix_list cimport Suffixes
from urlsm.machine.machine cimport ABSENT
from urlsm.machine.special cimport FILE, HTTP, HTTPS, NOT_SPECIAL
from urlsm.octets.buffer cimport Buffer, buffer_copy, buffer_free, buffer_start
from urlsm.octets.chars cimport CLASS, FORBIDDEN_DOMAIN, UPPER
from urlsm.octets.percent cimport write_unquoted
from urlsm.url.parser cimport Failure, GIVEN, REFUSED, write_url
from urlsm.url.record cimport Offsets


cdef inline void set_cut(Part* part, uint32_t k, bint there, uint32_t start, uint32_t end) noexcept nogil:
    there = there and part.state[k] == READ
    part.cuts[k].start = start if there else 0
    part.cuts[k].n = end - start if there else NULL_CELL


cdef inline uint32_t end_of_path(const Offsets* o, uint32_t n) noexcept nogil:
    return min(min(o.query_start, o.fragment_start), n)  # ABSENT is the largest number


cdef inline void cut_field(Part* part, int field, uint32_t count) noexcept nogil:
    """The cuts of a field, as URL's attributes have them; each loop is short, for the compiler."""
    cdef uint32_t k
    cdef const Offsets* o = part.o
    cdef const Cell* texts = part.texts
    if field == F_SCHEME:
        for k in range(count):
            set_cut(part, k, True, 0, o[k].scheme_end)
    elif field == F_USERNAME:
        for k in range(count):
            set_cut(part, k, o[k].username_end > o[k].scheme_end + 3, o[k].scheme_end + 3, o[k].username_end)
    elif field == F_PASSWORD:
        for k in range(count):
            set_cut(part, k, o[k].host_start > o[k].username_end + 1, o[k].username_end + 1, o[k].host_start - 1)
    elif field == F_HOST:
        for k in range(count):
            set_cut(part, k, o[k].has_host, o[k].host_start, o[k].host_end)
    elif field == F_PATH:
        for k in range(count):
            set_cut(part, k, True, o[k].path_start, end_of_path(&o[k], texts[k].n))
    elif field == F_QUERY:
        for k in range(count):
            set_cut(part, k, o[k].query_start != ABSENT, o[k].query_start + 1, min(o[k].fragment_start, texts[k].n))
    elif field == F_FRAGMENT:
        for k in range(count):
            set_cut(part, k, o[k].fragment_start != ABSENT, o[k].fragment_start + 1, texts[k].n)
    elif field == F_AUTHORITY:
        for k in range(count):
            set_cut(part, k, o[k].has_host, o[k].scheme_end + 3, o[k].path_start)
    else:  # all of it
        for k in range(count):
            set_cut(part, k, True, 0, texts[k].n)


cdef inline void cut_spans(Part* part, int which, uint32_t count) noexcept nogil:
    cdef uint32_t k
    for k in range(count):
        set_cut(part, k, part.spans[k][which].start != ABSENT, part.spans[k][which].start, part.spans[k][which].end)


# --- texts that are made for a field -----------------------------------------------------------

cdef inline void place_written(const Job* job, Part* part, Cell* texts, uint32_t count) noexcept nogil:
    """Where written texts lie, now that the buffer will not move until the batch is written."""
    cdef uint32_t k
    for k in range(count):
        if texts[k].buffer >= job.written_from and part.state[k] == READ and texts[k].n:
            texts[k].p = part.written.p + (
                <size_t>(texts[k].buffer - job.written_from) << WINDOW_BITS) + texts[k].offset


cdef inline int put_other(const Job* job, Part* part, uint32_t k, uint32_t count) except -1 nogil:
    """Make part.key's text the other text of row k. The texts that lie in what is written move with it."""
    cdef size_t start = part.written.n
    cdef const uint8_t* before = part.written.p
    buffer_copy(&part.written, part.key.p, part.key.n)
    set_written(job, part, &part.others[k], start, part.key.n)
    if part.written.p != before:
        place_written(job, part, part.texts, count)
    return 0


# --- origins -----------------------------------------------------------------------------------

cdef inline int write_origins(const Job* job, Part* part, uint32_t count) except -1 nogil:
    """The serialised origin of each row (#concept-url-origin), as a text of its own."""
    cdef uint32_t k
    for k in range(count):
        part.others[k] = part.texts[k]
        if part.state[k] == READ:
            part.key.n = 0
            write_origin(&part.key, &part.texts[k], &part.o[k])
            put_other(job, part, k, count)
    return 0


cdef inline int write_origin(Buffer* b, const Cell* text, const Offsets* o) except -1 nogil:
    cdef const uint8_t* p = text.p
    cdef Buffer inner
    cdef Offsets of_inner
    cdef Failure failure
    cdef uint32_t path
    cdef int outcome
    if o.kind != NOT_SPECIAL and o.kind != FILE:
        return write_tuple_origin(b, p, o)
    if o.scheme_end != 4 or memcmp(p, b"blob", 4) != 0:
        return buffer_copy(b, <const uint8_t*>b"null", 4)
    buffer_start(&inner)
    try:
        path = o.path_start
        outcome = write_url(&inner, &of_inner, &failure, p + path, end_of_path(o, text.n) - path, NULL, NULL, NULL)
        # "If pathURL's scheme is "http", "https", or "file", then return pathURL's origin."
        if outcome != REFUSED and (of_inner.kind == HTTP or of_inner.kind == HTTPS):
            write_tuple_origin(b, p + path if outcome == GIVEN else inner.p, &of_inner)
        else:
            buffer_copy(b, <const uint8_t*>b"null", 4)
    finally:
        buffer_free(&inner)
    return 0


cdef inline int write_tuple_origin(Buffer* b, const uint8_t* p, const Offsets* o) except -1 nogil:
    buffer_copy(b, p, o.scheme_end + 3)
    return buffer_copy(b, p + o.host_start, o.path_start - o.host_start)


# --- sites, parameters -------------------------------------------------------------------------

cdef inline bint is_domain(const uint8_t* p, uint32_t n) noexcept nogil:
    """Opaque hosts may be anything: "a.(B)"."""
    cdef uint32_t k, seen = 0
    for k in range(n):
        seen |= CLASS[p[k]]
    return not seen & (FORBIDDEN_DOMAIN | UPPER)


cdef inline void cut_sites(Part* part, uint32_t count, Suffixes suffixes, bint bare) noexcept nogil:
    """The registrable domain: a part of the host."""
    cdef uint32_t k, n, start
    cdef const uint8_t* p
    for k in range(count):
        if part.state[k] != READ or not part.o[k].has_host:
            set_cut(part, k, False, 0, 0)
            continue
        if bare and part.asked[k]:  # a site already
            set_cut(part, k, True, 0, part.texts[k].n)
            continue
        p = part.texts[k].p + part.o[k].host_start
        n = part.o[k].host_end - part.o[k].host_start
        if n and p[n - 1] == c'.':
            n -= 1
        start = site_start(p, n, suffixes, True) if is_name(p, n) and is_domain(p, n) else n
        set_cut(part, k, start < n, part.o[k].host_start + start, part.o[k].host_start + n)


cdef inline int write_params(const Job* job, Part* part, uint32_t count) except -1 nogil:
    """The first value of the plan's parameter in each query, form-decoded."""
    cdef uint32_t k, begin, end
    cdef const Offsets* o
    for k in range(count):
        part.others[k] = part.texts[k]
        part.others[k].n = 0
        part.code[k] = 0
        o = &part.o[k]
        if part.state[k] != READ or o.query_start == ABSENT:
            continue
        begin, end = o.query_start + 1, min(o.fragment_start, part.texts[k].n)
        part.key.n = 0
        if write_value(&part.key, part.texts[k].p + begin, end - begin, job.plan):
            part.code[k] = 1
            put_other(job, part, k, count)
            part.others[k].p = <const uint8_t*>b""
    return 0


cdef inline bint write_value(Buffer* b, const uint8_t* p, size_t n, const Plan* plan) except -1 nogil:
    """Append the value of the parameter, if it is in the query p[0:n]: "the first ... whose name is name"."""
    cdef size_t end, equals, start = b.n
    cdef const void* found
    cdef bint same
    cdef Cell decoded
    while True:
        found = memchr(p, c'&', n)
        end = n if found == NULL else <size_t>(<const uint8_t*>found - p)
        found = memchr(p, c'=', end)
        equals = end if found == NULL else <size_t>(<const uint8_t*>found - p)
        if end:
            write_unquoted(b, p, equals, True)
            same = b.n - start == plan.name_length and memcmp(b.p + start, plan.name, plan.name_length) == 0
            b.n = start
            if same:
                if equals < end:
                    write_unquoted(b, p + equals + 1, end - equals - 1, True)
                if not is_utf8(b.p + start, b.n - start):
                    decoded.p, decoded.n = b.p + start, <uint32_t>(b.n - start)
                    replace_written(b, start, &decoded)
                return True
        if end == n:
            return False
        p += end + 1
        n -= end + 1


cdef inline int replace_written(Buffer* b, size_t start, const Cell* text) except -1 nogil:
    """The octets from start on, which the text is, as UTF-8."""
    cdef Buffer replaced
    buffer_start(&replaced)
    try:
        replace_invalid(&replaced, text)
        b.n = start
        buffer_copy(b, replaced.p, replaced.n)
    finally:
        buffer_free(&replaced)
    return 0


# --- a batch -----------------------------------------------------------------------------------

cdef inline int write_batch(const Job* job, Part* part, uint32_t count, Suffixes suffixes,
                            int octets_at_once) except -1 nogil:
    """Write the fields of the batch that read_batch has read."""
    cdef const Plan* plan = job.plan
    cdef const Cell* texts
    cdef int f, field, outcome
    if part.any_written:
        place_written(job, part, part.texts, count)
    for f in range(plan.count):
        if plan.reading != SPANS and (plan.fields[f] == F_ORIGIN or plan.fields[f] == F_PARAM):
            if plan.fields[f] == F_ORIGIN:
                write_origins(job, part, count)
            else:
                write_params(job, part, count)
            place_written(job, part, part.texts, count)
            place_written(job, part, part.others, count)
    for f in range(plan.count):
        field = plan.fields[f]
        texts = part.texts
        if plan.reading == SPANS:
            cut_spans(part, field, count)
        elif not is_text(plan, f):
            write_numbers(part, f, field, count)
            continue
        elif field == F_ORIGIN:
            texts = part.others
            for k in range(count):
                set_cut(part, k, True, 0, texts[k].n)
        elif field == F_PARAM:
            texts = part.others
            for k in range(count):
                set_cut(part, k, part.code[k], 0, texts[k].n)
        elif field == F_SITE:
            cut_sites(part, count, suffixes, plan.bare_hosts)
        else:
            cut_field(part, field, count)
        outcome = put(&part.out[f], octets_at_once, texts, part.cuts, part.row, count)
        if outcome == NO_MEMORY:
            return out_of_memory()
        if outcome == TOO_MUCH:
            return too_much()
    if not plan.single:
        write_struct_validity(job, part, count)
    if plan.layout != VIEW:
        part.written.n = 0
    return 0


cdef inline void write_numbers(Part* part, int f, int field, uint32_t count) noexcept nogil:
    cdef Out* out = &part.out[f]
    cdef int64_t row = part.row
    cdef uint32_t k
    cdef uint64_t word = 0
    cdef bint told
    for k in range(count):
        if field == F_VALID or field == F_AMBIGUOUS:
            word |= <uint64_t>(part.state[k] == READ and (field == F_VALID or part.code[k])) << (k & 63)
            if k & 63 == 63 or k + 1 == count:
                put_word(<uint64_t*>out.main, (row + k) >> 6, word)
                word = 0
            told = part.state[k] == READ or (field == F_VALID and part.state[k] == REFUSED_ROW)
            part.cuts[k].n = 0 if told else NULL_CELL
        elif field == F_PORT:
            (<uint16_t*>out.main)[row + k] = part.o[k].port if part.state[k] == READ and part.o[k].port >= 0 else 0
            part.cuts[k].n = 0 if part.state[k] == READ and part.o[k].port >= 0 else NULL_CELL
        elif field == F_ERROR:
            (<int8_t*>out.main)[row + k] = part.code[k] if part.state[k] == REFUSED_ROW else 0
            part.cuts[k].n = 0 if part.state[k] == REFUSED_ROW else NULL_CELL
        else:
            (<int32_t*>out.main)[row + k] = part.at[k] if part.state[k] == REFUSED_ROW else 0
            part.cuts[k].n = 0 if part.state[k] == REFUSED_ROW else NULL_CELL
    put_validity(out, part.cuts, row, count)


cdef inline void write_struct_validity(const Job* job, Part* part, uint32_t count) noexcept nogil:
    """The struct is null where the row is, or is refused; unless a field says why, or that."""
    cdef uint32_t k
    cdef uint64_t word = 0
    cdef bint there
    for k in range(count):
        there = part.state[k] == READ or (part.state[k] == REFUSED_ROW and job.plan.tells_why)
        word |= <uint64_t>there << (k & 63)
        part.nulls += not there
        if k & 63 == 63 or k + 1 == count:
            put_word(job.validity, (part.row + k) >> 6, word)
            word = 0
