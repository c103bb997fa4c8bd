"""Cutting fields out of the texts of a batch: where each row's part of its text lies."""
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset
from urlsm.columns.cells cimport Cell, Cut, Cuts
from urlsm.columns.fields cimport (
    F_AUTHORITY, F_FRAGMENT, F_HOST, F_HREF, F_ICANN_SITE, F_LABEL1, F_NAME, F_PASSWORD, F_PATH, F_QUERY, F_SCHEME,
    F_SITE, F_SUFFIX, F_USERNAME,
)
from urlsm.columns.jobs cimport Part, Plan, READ
from urlsm.crawler.sites cimport Ending, Suffixes, end_start, is_name
from urlsm.machine.machine cimport ABSENT, Span
from urlsm.octets.chars cimport FORBIDDEN_DOMAIN, UPPER, classes_of
from urlsm.octets.words cimport first_bit
from urlsm.url.spans cimport (
    authority_start, fragment_span, host_span, password_span, path_span, query_span, username_span,
)
from urlsm.url.structs cimport Offsets


cdef inline void set_cut(Cuts* cuts, uint32_t k, bint there, uint32_t start, uint32_t end) noexcept nogil:
    cuts.at[k].start = start if there else 0
    cuts.at[k].n = end - start if there else 0
    cuts.there[k >> 6] |= <uint64_t>there << (k & 63)


cdef inline void cut_span(Cuts* cuts, uint32_t k, Span lies) noexcept nogil:
    set_cut(cuts, k, lies.start != ABSENT, lies.start, lies.end)


cdef inline int no_case(int field) except -1 with gil:
    """Raise AssertionError for a row of TABLE in columns/names.py that no case here handles."""
    raise AssertionError(f"the column field number {field} has no case in C")


cdef inline int cut_row(Cuts* cuts, uint32_t k, int field, const Offsets* o, uint32_t n) except -1 nogil:
    """Set the cut of a field, like the attribute of URL."""
    cdef Span lies
    if field == F_SCHEME:
        set_cut(cuts, k, True, 0, o.scheme_end)
    elif field == F_USERNAME:
        lies = username_span(o)
        set_cut(cuts, k, lies.end > lies.start, lies.start, lies.end)
    elif field == F_PASSWORD:
        cut_span(cuts, k, password_span(o))
    elif field == F_HOST:
        cut_span(cuts, k, host_span(o))
    elif field == F_PATH:
        cut_span(cuts, k, path_span(o, n))
    elif field == F_QUERY:
        cut_span(cuts, k, query_span(o, n))
    elif field == F_FRAGMENT:
        cut_span(cuts, k, fragment_span(o, n))
    elif field == F_AUTHORITY:
        # without a host, only a list of them has an authority; "/." may precede a path
        set_cut(cuts, k, o.has_host or o.path_start > authority_start(o), authority_start(o), o.path_start)
    elif field == F_HREF:
        set_cut(cuts, k, True, 0, n)
    else:
        return no_case(field)
    return 0


cdef inline int cut_plain(Part* part, int field, uint32_t count) except -1 nogil:
    """Make the cuts of a field that the plain lane has not made, for the rows that it took."""
    cdef uint32_t k
    cdef Cut* cuts = part.cuts.at
    cdef const Cut* hosts = part.found.host.at
    cdef bint there = field != F_USERNAME and field != F_PASSWORD
    memset(cuts, 0, sizeof(Cut) * count)
    for k in range(2):
        part.cuts.there[k] = part.found.plain[k] if there else 0
    if field == F_SCHEME:
        for k in range(count):
            cuts[k].n = hosts[k].start - 3
    elif field == F_AUTHORITY:
        memcpy(cuts, hosts, sizeof(Cut) * count)
    elif field == F_HREF:
        for k in range(count):
            cuts[k].n = part.texts[k].n
    elif there:
        return no_case(field)
    return 0


cdef inline Cuts* cuts_of(Part* part, int field, uint32_t count) except NULL nogil:
    """Return the cuts of a field, valid until the next call."""
    cdef uint32_t k, word
    cdef uint64_t left
    cdef Cuts* cuts = &part.cuts
    if field == F_HOST:
        cuts = &part.found.host
    elif field == F_PATH:
        cuts = &part.found.path
    elif field == F_QUERY:
        cuts = &part.found.query
    elif field == F_FRAGMENT:
        cuts = &part.found.fragment
    else:
        cut_plain(part, field, count)
    for word in range(2):
        cuts.there[word] &= part.found.plain[word]
        left = part.left[word]
        while left:
            k = 64 * word + first_bit(left)
            left &= left - 1
            set_cut(cuts, k, False, 0, 0)
            if part.state[k] == READ:
                cut_row(cuts, k, field, &part.o[k], part.texts[k].n)
    return cuts


cdef inline void cut_spans(Part* part, int which, uint32_t count) noexcept nogil:
    cdef uint32_t k
    cdef const Span* span
    part.cuts.there[0] = part.cuts.there[1] = 0
    for k in range(count):
        span = &part.spans[k][which]
        set_cut(&part.cuts, k, part.state[k] == READ and span.start != ABSENT, span.start, span.end)


cdef inline void cut_others(Part* part, bint all_there, uint32_t count) noexcept nogil:
    """Make cuts of the whole texts that were made for a field. all_there: of all, or of those that part.code has."""
    cdef uint32_t k
    part.cuts.there[0] = part.cuts.there[1] = 0
    for k in range(count):
        set_cut(&part.cuts, k, part.state[k] == READ and (all_there or part.code[k]), 0, part.others[k].n)


# --- the ends of hosts ---------------------------------------------------------------------------

cdef inline bint is_domain(const uint8_t* p, uint32_t n) noexcept nogil:
    """Return whether a host may be a domain. Opaque hosts may be anything: "a.(B)"."""
    return not classes_of(p, n) & (FORBIDDEN_DOMAIN | UPPER)


cdef inline Ending ending_of(const Plan* plan, int field) noexcept nogil:
    """Return what a field of the list of suffixes asks for."""
    cdef Ending ending
    ending.with_label = field == F_SITE or field == F_ICANN_SITE
    ending.private = field == F_SITE or field == F_SUFFIX
    ending.only_listed = plan.only_listed
    return ending


cdef inline bint takes_name(const Cell* text, Cut* host) noexcept nogil:
    """Leave out the dot at a host's end. Returns whether it is a name."""
    cdef const uint8_t* p = text.p + host.start
    if host.n and p[host.n - 1] == c'.':
        host.n -= 1
    return is_name(p, host.n) and is_domain(p, host.n)


cdef inline void cut_labels(Part* part, const Cell* texts, const Cuts* hosts, uint32_t count,
                            int field) noexcept nogil:
    """Cut a host without the dot at its end, F_NAME, or a label of a name: F_LABEL1 is the last."""
    cdef uint32_t k, start = 0, end
    cdef int label
    cdef bint there
    cdef Cut host
    cdef const uint8_t* p
    part.cuts.there[0] = part.cuts.there[1] = 0
    for k in range(count):
        host = hosts.at[k]
        there = hosts.there[k >> 6] >> (k & 63) & 1 and (takes_name(&texts[k], &host) or field == F_NAME)
        if field == F_NAME or not there:
            set_cut(&part.cuts, k, there, host.start, host.start + host.n)
            continue
        p = texts[k].p + host.start
        end = host.n
        for label in range(field - F_LABEL1 + 1):
            if label and not start:
                there = False
                break
            end = start - 1 if label else host.n
            start = end
            while start and p[start - 1] != c'.':
                start -= 1
        set_cut(&part.cuts, k, there, host.start + start, host.start + end)


cdef inline void cut_sites(Part* part, const Cell* texts, const Cuts* hosts, uint32_t count, Suffixes suffixes,
                           bint bare, const Ending* ending) noexcept nogil:
    """Cut the registrable domain or the public suffix, the end of the host."""
    cdef uint32_t k, start
    cdef Cut host
    part.cuts.there[0] = part.cuts.there[1] = 0
    for k in range(count):
        host = hosts.at[k]
        if hosts.there[k >> 6] >> (k & 63) & 1 == 0:
            set_cut(&part.cuts, k, False, 0, 0)
            continue
        if bare and part.asked[k]:  # a site already
            set_cut(&part.cuts, k, True, 0, texts[k].n)
            continue
        start = host.n
        if takes_name(&texts[k], &host):
            start = end_start(texts[k].p + host.start, host.n, suffixes, ending)
        set_cut(&part.cuts, k, start < host.n, host.start + start, host.start + host.n)
