"""Included by rows: rows that are written anew, or ask for more than the loop of reading.pxi looks at. The compiler
shall not copy these functions into that loop."""


cdef int wrote(const Job* job, Part* part, uint32_t k, size_t start) except -1 nogil:
    """Set the row's text to all written from start on; its address is known at the end of the batch."""
    cdef size_t n = part.written.n - start
    if n > MAX_LENGTH:
        part.written.n = start
        refuse_row(part, k, TOO_LONG, MAX_LENGTH)
        return 0
    set_written(job, part, &part.texts[k], start, n)
    part.state[k] = READ
    return 0


cdef int write_as_text(const Job* job, Part* part, uint32_t k) except -1 nogil:
    """Write the octets anew, unless they are UTF-8."""
    cdef size_t start = part.written.n
    if is_utf8(part.texts[k].p, part.texts[k].n):
        return 0
    replace_invalid(&part.written, &part.texts[k])
    return wrote(job, part, k, start)


cdef int read_bare_host(const Job* job, Part* part, uint32_t k) except -1 nogil:
    """Read a host, normalised as the URL parser does. Python answers for one that is not plain ASCII."""
    cdef Cell* text = &part.texts[k]
    cdef Offsets* o = &part.o[k]
    cdef size_t start = part.written.n
    cdef uint32_t j, seen = 0
    buffer_reserve(&part.written, text.n + 1)
    for j in range(text.n):
        seen |= CLASS[text.p[j]]
        part.written.p[start + j] = lower(text.p[j])
    o.host_start, o.host_end, o.has_host = 0, text.n, True
    part.written.n = start + text.n
    if seen & (NON_ASCII | PERCENT):
        part.written.n = start
        return ask_site(job, part, k, start)
    if seen & FORBIDDEN_DOMAIN or text.n == 0:
        part.written.n = start
        refuse_row(part, k, DOMAIN_TO_ASCII, 0)
        return 0
    return wrote(job, part, k, start)


cdef int ask_site(const Job* job, Part* part, uint32_t k, size_t start) except -1 nogil:
    """Ask Python for the site of a URL whose host is not a domain by the URL Standard."""
    part.asked[k] = True
    part.o[k].host_start, part.o[k].has_host = 0, True
    if not write_site_of(job.plan, &part.written, &part.texts[k]):
        refuse_row(part, k, DOMAIN_TO_ASCII, 0)
        return 0
    part.o[k].host_end = <uint32_t>(part.written.n - start)
    return wrote(job, part, k, start)


cdef bint write_site_of(const Plan* plan, Buffer* b, const Cell* text) except -1 with gil:
    from urlsm.crawler import sites
    cdef Ending ending = ending_of(plan, plan.fields[0])
    suffixes = None if plan.suffixes == NULL else <object>plan.suffixes
    ask = sites.registrable_domain if ending.with_label else sites.public_suffix
    site = ask(text.p[:text.n], private=ending.private, suffixes=suffixes,
               unknown="null" if ending.only_listed else "rule")
    if site is None:
        return False
    octets = site.encode("utf-8")
    return buffer_copy(b, octets, len(octets)) == 0


cdef int ask_judge(const Plan* plan, Part* part, uint32_t k) except -1 with gil:
    cdef object octets = part.texts[k].p[:part.texts[k].n]
    if plan.fields[0] == F_AMBIGUOUS:
        from urlsm.security.comparison import is_ambiguous
        part.code[k] = is_ambiguous(octets)
        return 0
    from urlsm.security.hazards import HAZARDS, audit
    found = {hazard.code for hazard in audit(octets)}
    for number, code in enumerate(HAZARDS if found else ()):
        part.number[k] |= <uint64_t>(code in found) << <int>number
    return 0


cdef int read_key(const Job* job, Part* part, uint32_t k) except -1 nogil:
    """Write the text's key under the plan's profile."""
    cdef Cell* text = &part.texts[k]
    cdef Cell key
    cdef KeyFailure why
    cdef Buffer replaced
    cdef Buffer* written = &part.written
    cdef size_t start = written.n
    cdef const uint8_t* p = text.p
    cdef uint32_t n = text.n
    buffer_start(&replaced)
    try:
        if not is_utf8(p, n):
            replace_invalid(&replaced, text)
            p, n = replaced.p, <uint32_t>min(replaced.n, <size_t>MAX_KEY_TEXT)
        if n > MAX_KEY_TEXT:
            refuse_row(part, k, TOO_LONG, n)
        elif not write_key(written, p, n, job.plan.rules, &part.scratch, &why):
            written.n = start
            refuse_row(part, k, why.code, 0)
        elif job.plan.fields[0] == F_HASH64:
            part.number[k] = xxh64(written.p + start, written.n - start)
            written.n = start
        elif not is_text(job.plan, 0):  # another fingerprint: write_batch makes them of many keys at once
            set_written(job, part, text, start, written.n - start)
            buffer_reserve(written, PADDING)
            written.n = start + pad(job.plan.fields[0] == F_SHA1, written.p + start, text.n)
        elif written.n - start == text.n and memcmp(written.p + start, text.p, text.n) == 0:
            written.n = start
            part.state[k] = READ
        else:
            key.p, key.n = written.p + start, <uint32_t>(written.n - start)
            if not is_utf8(key.p, key.n):
                replace_written(written, start, &key)
            wrote(job, part, k, start)
    finally:
        buffer_free(&replaced)
    return 0


cdef int set_base(Job* job, Part* part, int64_t row) except -1 nogil:
    """Read the base of a row, unless the row before has the same."""
    cdef Cell given
    cdef Failure failure
    cdef Buffer replaced
    cdef const uint8_t* p
    cdef uint32_t n
    cdef int outcome
    cdef bint there = cell_at(&job.bases, row, &given)
    if there and given.n == MALFORMED:
        return malformed()
    if not there or given.n > MAX_LENGTH:
        part.base_state = NULL_ROW
        part.base_given.p = NULL
        return 0
    if part.base_given.p != NULL and given.n == part.base_given.n and memcmp(given.p, part.base_given.p, given.n) == 0:
        return 0
    p, n = given.p, given.n
    part.base.n = 0
    buffer_start(&replaced)
    try:
        if not is_utf8(p, n):
            replace_invalid(&replaced, &given)
            p, n = replaced.p, <uint32_t>replaced.n
        outcome = write_url(&part.base, &part.base_offsets, &failure, p, n, NULL, NULL, NULL)
        if outcome == GIVEN:
            buffer_copy(&part.base, p, n)
    finally:
        buffer_free(&replaced)
    part.base_given = given
    part.base_state = REFUSED_ROW if outcome == REFUSED else READ
    return 0


cdef int write_row(const Job* job, Part* part, uint32_t k, const Href* base) except -1 nogil:
    """Run the URL parser on a row that may not be in normal form, or is relative to a base."""
    cdef Failure failure
    cdef Cell* text = &part.texts[k]
    cdef Buffer replaced
    cdef size_t start = part.written.n
    cdef const uint8_t* p = text.p
    cdef uint32_t n = text.n
    cdef bint valid = is_utf8(p, n)
    cdef int outcome
    buffer_start(&replaced)
    try:
        if not valid:
            replace_invalid(&replaced, text)
            p, n = replaced.p, <uint32_t>replaced.n
        outcome = write_url(&part.written, &part.o[k], &failure, p, n, base, NULL, NULL)
        if outcome == REFUSED:
            refuse_row(part, k, failure.code, position_in(text, &failure, valid))
            if base == NULL and not job.plan.single and valid and may_connect(p, n):
                read_connection(part, k)
        elif outcome == GIVEN and valid:
            part.state[k] = READ
        else:
            if outcome == GIVEN:
                buffer_copy(&part.written, p, n)
            elif outcome == BASE_IS_URL:
                buffer_copy(&part.written, base.p, base.n)
            wrote(job, part, k, start)
    finally:
        buffer_free(&replaced)
    return 0


cdef bint may_connect(const uint8_t* p, uint32_t n) noexcept nogil:
    """Return whether a refused text begins as a database's connection: with a name and "://"."""
    cdef uint32_t k = 0
    while k < n and (CLASS[p[k]] & SCHEME_CHAR or p[k] == c'_'):
        k += 1
    return 0 < k <= MAX_NAME and n - k > 3 and memcmp(p + k, b"://", 3) == 0 and scheme_kind(p, k) == NOT_SPECIAL


cdef int read_connection(Part* part, uint32_t k) except -1 with gil:
    """Set the offsets of a text that the URL Standard refuses and its scheme's handler reads; the refusal is kept."""
    from urlsm.meaning.connections import connection
    cdef Offsets* o = &part.o[k]
    found = connection(part.texts[k].p[:part.texts[k].n].decode("latin-1"))  # so that positions count octets
    if found is None:
        return 0
    o.scheme_end, o.username_end, o.host_start, o.host_end, o.path_start, query, fragment, port = found.offsets()
    o.query_start = ABSENT if query is None else query
    o.fragment_start = ABSENT if fragment is None else fragment
    o.has_host = o.host_end > o.host_start
    o.port = -1 if port is None else port
    o.kind, o.opaque_path = NOT_SPECIAL, False
    part.state[k], part.refused[k] = READ, True
    return 0


cdef int64_t position_in(const Cell* text, const Failure* failure, bint valid) except -1 nogil:
    """Return the octet of the text as given that a failure refers to."""
    cdef uint32_t at = failure.at, k, end = text.n
    if not valid:
        with gil:
            from urlsm.octets.text import position_of
            return position_of(text.p[:text.n], at, failure.removed_from)
    if failure.removed_from < 0:
        return min(at, end)
    while end > <uint32_t>failure.removed_from and text.p[end - 1] <= 0x20:  # trimmed before anything was removed
        end -= 1
    k = failure.removed_from
    while k < end and (at > 0 or CLASS[text.p[k]] & TAB_NEWLINE):
        at -= CLASS[text.p[k]] & TAB_NEWLINE == 0
        k += 1
    return k
