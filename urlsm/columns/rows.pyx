"""Makes columns of fields from rows of text, without the GIL.

A job is a column and a plan. Its parts are ranges of rows, one for each thread. A part proceeds in batches. First, each
row of a batch is read: its text, and where its components lie. Then each field of the batch is cut out of the texts and
written (cuts.h). At the end, the memory of the parts becomes columns. If the answer is in views, a text that is in
normal form already is never copied; any other text is written into the part's own buffer (Part.written), which becomes
a further buffer of the column.

"The plain lane" is a short way to read a batch, which takes only plain texts (machine/lane/plain.h). The "other" text
of a row (Part.others) is a text that is made for a field, such as the origin.

This is one long file, because the steps of a batch are inlined into job_work, and all of them need the same
declarations.
"""
from libc.stdint cimport INT32_MAX, int32_t, int64_t, int8_t, uint16_t, uint32_t, uint64_t, uint8_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memchr, memcmp, memcpy, memmove, memset
from urlsm.columns.arrow cimport (
    ArrowArray, Column, Stock, block_free, block_resized, column_free, column_held, column_new, stock_recount,
    stock_release,
)
from urlsm.columns.cells cimport (
    BATCH, Cell, Cells, Cut, Cuts, Found, LARGE_UTF8, Layout, MALFORMED, NO_BUFFER, Out, ROOM, UTF8, VIEW, View,
    WINDOW_BITS, bit_at, cell_at, cells_of, index_at, is_utf8, no_text, popcount, prefetch, prefetch_line, put_word,
    room_of, texts_at, widest,
)
from urlsm.columns.cuts cimport NO_MEMORY, TOO_MUCH, put, put_validity, roomy_octets
from urlsm.columns.fields cimport (
    F_AUTHORITY, F_BLAKE2B_128, F_CAN_PARSE, F_ERROR_CODE, F_ERROR_POSITION, F_FRAGMENT, F_HAZARDS, F_HOST, F_HREF,
    F_ICANN_REGISTRABLE_DOMAIN, F_IS_AMBIGUOUS, F_LABEL1, F_LABEL5, F_NAME, F_ORIGIN, F_PASSWORD, F_PATH, F_PORT,
    F_PUBLIC_SUFFIX, F_QUERY, F_QUERY_PARAM, F_REGISTRABLE_DOMAIN, F_REVERSED, F_SCHEME, F_SHA1, F_TRAPS, F_USERNAME,
    F_XXH64, is_of_host, is_of_list,
)
from urlsm.columns.jobs cimport (
    AS_IS, HOSTS, JUDGED, Job, KEYS, MAX_FIELDS, NULL_ROW, Part, Plan, READ, REFUSED_ROW, ROW_BY_ROW, SPANS, URLS,
    is_text, memory_new, out_of_memory, refuse_row, set_written, too_much, width_of, words_of,
)
from urlsm.crawler.hashes cimport PADDING, Padded, pad, write_digests, xxh64
from urlsm.crawler.keys cimport MAX_KEY_TEXT, scratch_free, scratch_start, write_key
from urlsm.crawler.sites cimport Ending, PublicSuffixList, end_start, is_name
from urlsm.crawler.structs cimport KeyFailure
from urlsm.crawler.traps cimport traps_of
from urlsm.machine.codes cimport DOMAIN_TO_ASCII, TOO_LONG
from urlsm.machine.driver cimport BY_LANE, BY_MACHINE, LENIENT, TO_AUTHORITY, WHOLE, plain_lane
from urlsm.machine.machine cimport ABSENT, HOST, Span
from urlsm.machine.reading cimport Reading, is_unclean, read
from urlsm.machine.special cimport FILE, HTTP, HTTPS, NOT_SPECIAL, scheme_kind
from urlsm.octets.buffer cimport (
    Buffer, MAX_LENGTH, buffer_copy, buffer_copy_lower, buffer_free, buffer_put, buffer_reserve, buffer_start,
)
from urlsm.octets.chars cimport (
    CLASS, FORBIDDEN_DOMAIN, NON_ASCII, PERCENT, SCHEME_CHAR, TAB_NEWLINE, UPPER, classes_of, lower,
)
from urlsm.octets.query cimport QueryField, next_field, value_of
from urlsm.octets.text cimport copy_without, write_unquoted
from urlsm.octets.words cimport first_bit
from urlsm.url.coding cimport Coding, is_form, is_spaced, set_coding_of_scheme
from urlsm.url.normal cimport is_normal, offsets_of_plain
from urlsm.url.parser cimport WHATWG, write_url
from urlsm.url.spans cimport (
    authority_start, end_of_path, fragment_span, host_span, password_span, path_span, query_span, username_span,
)
from urlsm.url.structs cimport BASE as BASE_IS_URL, Failure, GIVEN, Href, Offsets, REFUSED
from urlsm.url.write.host cimport is_normal_domain
import os
from urlsm.errors.rules import TABLE as _TABLE

cdef extern from "columns/indices.h" nogil:
    enum:
        HASH_WORDS "URLSM_HASH_WORDS"

    ctypedef struct Indices "urlsm_indices":
        int64_t width
        void (*places)(void* to, const void* given, int64_t rows, const int64_t* place, uint64_t n) noexcept nogil
        int64_t (*valid)(uint64_t* bits, const void* given, int64_t rows, const uint8_t* valid, int64_t offset,
                         const uint8_t* there, uint64_t n) noexcept nogil

    const Indices* indices_of "urlsm_indices_of"(int format) noexcept
    uint64_t keyed_hash "urlsm_keyed_hash"(const uint64_t* key, const uint8_t* p, size_t n) noexcept

cdef extern from "machine/lane/batch.h" nogil:
    void take_plain "urlsm_take_plain"(const Cell* texts, uint32_t count, int octets, bint whole, Found* found) noexcept

cdef enum:
    MAX_NAME = 64            # a text whose scheme has more octets is not passed to read_connection
    LOOK_ROWS = 1 << 16      # job_work returns after this many rows, so that the caller can check for signals
    LOOK_OCTETS = 1 << 26    # job_work returns after this many octets, for the same reason

cdef int octets_at_once = widest(64)

cdef uint64_t[HASH_WORDS] KEY  # the key with which the texts of a dictionary are hashed; random in each process
cdef bytes chance = os.urandom(sizeof(KEY))
memcpy(KEY, <const char*>chance, sizeof(KEY))

# the codes of refusals, for the dictionary of the field "error_code". A code's index is its number in errors/rules.py.
cdef list CODES = [row.code for row in _TABLE[:TOO_LONG + 1]]
cdef Column* codes = NULL


cdef int make_codes() except -1:
    global codes
    cdef bytes octets = "".join(CODES).encode("ascii")
    cdef int k, at = 0
    codes = column_new(len(CODES), 3, 0, 0)
    if codes == NULL:
        raise MemoryError()
    codes.owned[0] = malloc(4 * (len(CODES) + 1))
    codes.owned[1] = malloc(len(octets))
    if codes.owned[0] == NULL or codes.owned[1] == NULL:
        raise MemoryError()
    for k in range(len(CODES)):
        (<int32_t*>codes.owned[0])[k] = at
        at += len(CODES[k])
    (<int32_t*>codes.owned[0])[len(CODES)] = at
    memcpy(codes.owned[1], <const char*>octets, len(octets))
    codes.array.buffers[1], codes.array.buffers[2] = codes.owned[0], codes.owned[1]
    return 0


make_codes()


def use_vectors(int width):
    """Limit the width of vectors to 64, 32, 16 or 1 bytes, for tests. Return the width that is now used on this CPU."""
    global octets_at_once
    octets_at_once = widest(width)
    return octets_at_once


# --- memory ------------------------------------------------------------------------------------

cdef Stock stock             # the stock of kept blocks (blocks.h); there is one in each process


def release_memory():
    """Return memory that is kept from freed columns for future columns, at most 64 MiB, to the operating system.

    Columns that are still in use keep their memory.

    Returns:
        The number of bytes returned.

    Example:
        >>> import urlsm.columns
        >>> urlsm.columns.release_memory() >= 0
        True
    """
    return stock_release(&stock)


def _recount():
    stock_recount(&stock)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_recount)


# --- reading a batch ------------------------------------------------------------------------------
# To read a row is to set its text (as it is in the column, or rewritten), its state and its offsets in Part.

cdef inline int64_t read_batch(Job* job, Part* part, uint32_t count, int octets_at_once) except -1 nogil:
    """Read the rows from part.row to part.row + count. Returns the number of octets of their texts. octets_at_once: the
    width of the vectors that the plain lane may use."""
    cdef const Plan* plan = job.plan
    cdef int64_t octets
    cdef uint64_t left
    cdef uint32_t k
    cdef bint by_lane = (plan.reading == URLS or plan.reading == HOSTS) and plan.base == NULL and not job.has_bases
    part.any_written = False
    memset(part.state, READ, count)
    memset(part.is_site, False, sizeof(part.is_site))
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
    """Set the texts of a batch of rows, in a column of any layout. Returns the number of their octets. Raises
    ValueError if a text is not within its buffer."""
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
    raise ValueError("the column is malformed: its buffers do not match its type")


cdef inline uint64_t ones(uint32_t count, uint32_t before) noexcept nogil:
    """Return a word with a set bit for each row of a batch, up to 64 rows. count: the number of rows in the batch.
    before: the number of rows whose bits are in earlier words."""
    if count >= before + 64:
        return ~<uint64_t>0
    return (<uint64_t>1 << (count - before)) - 1 if count > before else 0


cdef inline int read_left(Job* job, Part* part, uint32_t k, bint by_lane) except -1 nogil:
    """Read a row that the plain lane did not take."""
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
    """Rewrite a text that is in normal form, except that it lacks the "/" of its path: insert this "/"."""
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
    """Find the host of a row. A URL is read only up to the end of the authority if this is enough. If the plan allows
    bare hosts, the text may also be a bare host."""
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
    if part.state[k] == READ and text.p == NULL and o.has_host:  # the text was rewritten: keep only its host
        n = o.host_end - o.host_start
        memmove(part.written.p + start, part.written.p + start + o.host_start, n)
        part.written.n = start + n
        part.texts[k].n, o.host_start, o.host_end = n, 0, n
    return 0


cdef inline bint is_bare(const Cell* text) noexcept nogil:
    """Return whether a text is a host, not a URL: it has neither ":" nor "/"."""
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
    if part.base_state != READ:  # if the base is null or refused, the answer is null
        no_text(&part.texts[k])
        part.state[k] = NULL_ROW
        return 0
    base.p, base.n, base.o = part.base.p, <uint32_t>part.base.n, &part.base_offsets
    return write_row(job, part, k, &base)


cdef inline int read_spans(const Job* job, Part* part, uint32_t k) except -1 nogil:
    """Set part.spans to the components of a row as written, like urlsm.split."""
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


# --- rows that are rewritten, or need more work ---------------------------------------------------
# The functions of this section are deliberately not inlined: the compiler should not copy the rare cases into the loop
# of read_batch.

cdef int set_to_written(const Job* job, Part* part, uint32_t k, size_t start) except -1 nogil:
    """Set the row's text to the octets of part.written from `start` on. place_written sets their address at the end of
    the batch, because the buffer may move."""
    cdef size_t n = part.written.n - start
    if n > MAX_LENGTH:
        part.written.n = start
        refuse_row(part, k, TOO_LONG, MAX_LENGTH)
        return 0
    set_written(job, part, &part.texts[k], start, n)
    part.state[k] = READ
    return 0


cdef int write_as_text(const Job* job, Part* part, uint32_t k) except -1 nogil:
    """If the row's text is not valid UTF-8, rewrite it with U+FFFD in place of invalid octets."""
    cdef size_t start = part.written.n
    if is_utf8(part.texts[k].p, part.texts[k].n):
        return 0
    replace_invalid(&part.written, &part.texts[k])
    return set_to_written(job, part, k, start)


cdef int read_bare_host(const Job* job, Part* part, uint32_t k) except -1 nogil:
    """Read a text that is a bare host, and normalise it as the URL parser does. If the host has an escape or is not
    ASCII, ask Python."""
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
    return set_to_written(job, part, k, start)


cdef int ask_site(const Job* job, Part* part, uint32_t k, size_t start) except -1 nogil:
    """Set the row's text to the site (or public suffix) of its host, as Python finds it. This is for hosts that are not
    domains in normal form by the URL Standard."""
    part.is_site[k] = True
    part.o[k].host_start, part.o[k].has_host = 0, True
    if not write_site_of(job.plan, &part.written, &part.texts[k]):
        refuse_row(part, k, DOMAIN_TO_ASCII, 0)
        return 0
    part.o[k].host_end = <uint32_t>(part.written.n - start)
    return set_to_written(job, part, k, start)


cdef bint write_site_of(const Plan* plan, Buffer* b, const Cell* text) except -1 with gil:
    from urlsm.crawler import sites
    cdef Ending ending = ending_of(plan, plan.fields[0])
    suffixes = None if plan.suffixes == NULL else <object>plan.suffixes
    ask = sites.registrable_domain if ending.with_label else sites.public_suffix
    site = ask(text.p[:text.n], only_icann=not ending.private, accept_unknown=not ending.only_listed,
               suffix_list=suffixes)
    if site is None:
        return False
    octets = site.encode("utf-8")
    return buffer_copy(b, octets, len(octets)) == 0


cdef int ask_judge(const Plan* plan, Part* part, uint32_t k) except -1 with gil:
    cdef object octets = part.texts[k].p[:part.texts[k].n]
    if plan.fields[0] == F_IS_AMBIGUOUS:
        from urlsm.security.comparison import is_ambiguous
        part.code[k] = is_ambiguous(octets)
        return 0
    from urlsm.security.ordinary import audit
    from urlsm.security.hazards import HAZARDS
    found = {hazard.code for hazard in audit(octets)}
    for number, code in enumerate(HAZARDS if found else ()):
        part.number[k] |= <uint64_t>(code in found) << <int>number
    return 0


cdef int read_key(const Job* job, Part* part, uint32_t k) except -1 nogil:
    """Set the row's text to its key under the plan's profile (for F_SHA1 and F_BLAKE2B_128, the key is followed by
    padding). For F_XXH64, leave the text, and set part.number[k] to the key's hash."""
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
        elif job.plan.fields[0] == F_XXH64:
            part.number[k] = xxh64(written.p + start, written.n - start)
            written.n = start
        elif not is_text(job.plan, 0):  # for SHA-1 and BLAKE2b, write_batch hashes many padded keys at once
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
            set_to_written(job, part, k, start)
    finally:
        buffer_free(&replaced)
    return 0


cdef int set_base(Job* job, Part* part, int64_t row) except -1 nogil:
    """Set part.base to the base of a row, unless it equals the base of the previous row."""
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
    """Read a row with the URL parser: a text that may not be in normal form, or that is relative to a base."""
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
            set_to_written(job, part, k, start)
    finally:
        buffer_free(&replaced)
    return 0


cdef bint may_connect(const uint8_t* p, uint32_t n) noexcept nogil:
    """Return whether an invalid URL begins like a database connection: with a scheme that is not special (and may
    contain "_"), and "://"."""
    cdef uint32_t k = 0
    while k < n and (CLASS[p[k]] & SCHEME_CHAR or p[k] == c'_'):
        k += 1
    return 0 < k <= MAX_NAME and n - k > 3 and memcmp(p + k, b"://", 3) == 0 and scheme_kind(p, k) == NOT_SPECIAL


cdef int read_connection(Part* part, uint32_t k) except -1 with gil:
    """Set the offsets of a text that the parser rejects, if the handler of its scheme can read it. The row then counts
    as READ, but keeps the error code."""
    from urlsm.meaning.connections import connection
    cdef Offsets* o = &part.o[k]
    found = connection(part.texts[k].p[:part.texts[k].n].decode("latin-1"))  # Latin-1, so that positions count octets
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
    """Find the octet to which a failure refers, and return its index in the row's text. valid: whether the text is
    UTF-8."""
    cdef uint32_t at = failure.at, k, end = text.n
    if not valid:
        with gil:
            from urlsm.octets.text import position_of
            return position_of(text.p[:text.n], at, failure.removed_from)
    if failure.removed_from < 0:
        return min(at, end)
    # the parser has trimmed the text first, and then removed tabs and newlines: go the same way to find the octet
    while end > <uint32_t>failure.removed_from and text.p[end - 1] <= 0x20:
        end -= 1
    k = failure.removed_from
    while k < end and (at > 0 or CLASS[text.p[k]] & TAB_NEWLINE):
        at -= CLASS[text.p[k]] & TAB_NEWLINE == 0
        k += 1
    return k


# --- cutting a field out of the texts of a batch --------------------------------------------------

cdef inline void set_cut(Cuts* cuts, uint32_t k, bint there, uint32_t start, uint32_t end) noexcept nogil:
    cuts.at[k].start = start if there else 0
    cuts.at[k].n = end - start if there else 0
    cuts.there[k >> 6] |= <uint64_t>there << (k & 63)


cdef inline void cut_span(Cuts* cuts, uint32_t k, Span lies) noexcept nogil:
    set_cut(cuts, k, lies.start != ABSENT, lies.start, lies.end)


cdef inline int no_case(int field) except -1 with gil:
    """Raise AssertionError for a field of TABLE in columns/names.py for which the code here has no case."""
    raise AssertionError(f"the column field number {field} has no case in C")


cdef inline int cut_row(Cuts* cuts, uint32_t k, int field, const Offsets* o, uint32_t n) except -1 nogil:
    """Set the cut of a field in row k: the part of the text that is the value of URL's attribute of the same name. n:
    the length of the text."""
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
        # if has_host is false, there may be an authority (a list of hosts), or only the "/." before a path
        set_cut(cuts, k, o.has_host or o.path_start > authority_start(o), authority_start(o), o.path_start)
    elif field == F_HREF:
        set_cut(cuts, k, True, 0, n)
    else:
        return no_case(field)
    return 0


cdef inline int cut_plain(Part* part, int field, uint32_t count) except -1 nogil:
    """Set the cuts of a field for the rows that the plain lane took. The field is one for which the lane itself makes
    no cuts."""
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
    """Return the cuts of a field for all rows of a batch. They are valid until the next call."""
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
    """For each row in the state READ, set the cut to the whole other text. If all_there is false, do this only for rows
    whose part.code is not 0. The remaining rows have no cut."""
    cdef uint32_t k
    part.cuts.there[0] = part.cuts.there[1] = 0
    for k in range(count):
        set_cut(&part.cuts, k, part.state[k] == READ and (all_there or part.code[k]), 0, part.others[k].n)


# --- the ends of hosts ----------------------------------------------------------------------------

cdef inline bint is_domain(const uint8_t* p, uint32_t n) noexcept nogil:
    """Return whether a host has only octets that a domain may have. An opaque host, such as "a.(B)", may have
    others."""
    return not classes_of(p, n) & (FORBIDDEN_DOMAIN | UPPER)


cdef inline Ending ending_of(const Plan* plan, int field) noexcept nogil:
    """Return the end of a host (a domain or a public suffix) that a field requests."""
    cdef Ending ending
    ending.with_label = field == F_REGISTRABLE_DOMAIN or field == F_ICANN_REGISTRABLE_DOMAIN
    ending.private = field == F_REGISTRABLE_DOMAIN or field == F_PUBLIC_SUFFIX
    ending.only_listed = plan.only_listed
    return ending


cdef inline bint is_of_labels(int field) noexcept nogil:
    """Return whether cut_labels makes the cuts of this field: the name of the host, or one of its labels."""
    return field == F_NAME or F_LABEL1 <= field <= F_LABEL5


cdef inline bint cut_dot(const Cell* text, Cut* host) noexcept nogil:
    """Remove the dot at the end of a host, if any, from its cut. Returns whether the host is a name."""
    cdef const uint8_t* p = text.p + host.start
    if host.n and p[host.n - 1] == c'.':
        host.n -= 1
    return is_name(p, host.n) and is_domain(p, host.n)


cdef inline void cut_labels(Part* part, const Cell* texts, const Cuts* hosts, uint32_t count,
                            int field) noexcept nogil:
    """Set the cut of each row to the host without the dot at its end (F_NAME), or to one of the host's labels (F_LABEL1
    is the last label)."""
    cdef uint32_t k, start = 0, end
    cdef int label
    cdef bint there
    cdef Cut host
    cdef const uint8_t* p
    part.cuts.there[0] = part.cuts.there[1] = 0
    for k in range(count):
        host = hosts.at[k]
        there = hosts.there[k >> 6] >> (k & 63) & 1 and (cut_dot(&texts[k], &host) or field == F_NAME)
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


cdef inline void cut_sites(Part* part, const Cell* texts, const Cuts* hosts, uint32_t count, PublicSuffixList suffixes,
                           bint bare, const Ending* ending) noexcept nogil:
    """Set the cut of each row to the end of its host that is the registrable domain or public suffix."""
    cdef uint32_t k, start
    cdef Cut host
    part.cuts.there[0] = part.cuts.there[1] = 0
    for k in range(count):
        host = hosts.at[k]
        if hosts.there[k >> 6] >> (k & 63) & 1 == 0:
            set_cut(&part.cuts, k, False, 0, 0)
            continue
        if bare and part.is_site[k]:
            set_cut(&part.cuts, k, True, 0, texts[k].n)
            continue
        start = host.n
        if cut_dot(&texts[k], &host):
            start = end_start(texts[k].p + host.start, host.n, suffixes, ending)
        set_cut(&part.cuts, k, start < host.n, host.start + start, host.start + host.n)


# --- texts that are made for a field --------------------------------------------------------------

cdef inline int replace_invalid(Buffer* b, const Cell* text) except -1 with gil:
    """Append the octets of a text as UTF-8, with U+FFFD in place of invalid octets."""
    cdef bytes octets = text.p[:text.n].decode("utf-8", "replace").encode("utf-8")
    return buffer_copy(b, octets, min(len(octets), MAX_LENGTH))


cdef inline void place_written(const Job* job, Part* part, Cell* texts, uint32_t count) noexcept nogil:
    """Set the addresses and rooms of the texts that are in part.written. From now on, this buffer must not move until
    the batch is written."""
    cdef uint32_t k
    cdef size_t start
    for k in range(count):
        if texts[k].buffer >= job.written_from and texts[k].buffer != NO_BUFFER and part.state[k] == READ:
            start = (<size_t>(texts[k].buffer - job.written_from) << WINDOW_BITS) + texts[k].offset
            texts[k].p = part.written.p + start
            texts[k].room = room_of(part.written.capacity - start)


cdef inline int place_all_written(const Job* job, Part* part, Cell* texts, uint32_t count) except -1 nogil:
    """Make room after the last written text, and then do the same as place_written."""
    buffer_reserve(&part.written, ROOM)
    place_written(job, part, texts, count)
    return 0


cdef inline int put_other(const Job* job, Part* part, uint32_t k, uint32_t count) except -1 nogil:
    """Append part.key to part.written, and make it the other text of row k. If the buffer moves, the addresses of
    part.texts are set again."""
    cdef size_t start = part.written.n
    cdef const uint8_t* before = part.written.p
    buffer_copy(&part.written, part.key.p, part.key.n)
    set_written(job, part, &part.others[k], start, part.key.n)
    if part.written.p != before:
        place_written(job, part, part.texts, count)
    return 0


# --- origins --------------------------------------------------------------------------------------

cdef inline int write_origins(const Job* job, Part* part, uint32_t count) except -1 nogil:
    """Set the other text of each row to the serialised origin of its URL (#concept-url-origin)."""
    cdef uint32_t k
    cdef Cut host
    for k in range(count):
        part.others[k] = part.texts[k]
        if part.state[k] == READ:
            part.key.n = 0
            if part.found.plain[k >> 6] >> (k & 63) & 1:
                host = part.found.host.at[k]
                buffer_copy(&part.key, part.texts[k].p, host.start + host.n)
            else:
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
    buffer_copy(b, p, authority_start(o))
    return buffer_copy(b, p + o.host_start, o.path_start - o.host_start)


# --- hosts in lower case or reversed, and query parameters ----------------------------------------

cdef struct Names:           # how a scheme reads the fields of a query
    bint plus                # whether "+" is a space in names
    bint plus_in_value       # whether "+" is a space in the values of the parameter
    bint fold                # whether the ASCII case of names is ignored


cdef inline bint fold_hosts(const Job* job, Part* part, const Cuts* hosts, uint32_t count) except -1 nogil:
    """If a host in the batch has upper-case letters, copy the texts of all rows to the other texts, and put the texts
    with such a host in lower case, because suffixes are compared in lower case. (Only hosts of schemes that are not
    special can have upper-case letters.) Returns whether this was necessary. The cuts `hosts` are then also right for
    the other texts. Reserves room for all hosts after the written texts, so that the written texts will not move."""
    cdef uint32_t k, word
    cdef uint64_t left
    cdef size_t room = ROOM
    cdef bint folded = False
    for word in range((count + 63) // 64):
        left = part.left[word]
        while left:
            k = 64 * word + first_bit(left)
            left &= left - 1
            if part.state[k] == READ and classes_of(part.texts[k].p + hosts.at[k].start, hosts.at[k].n) & UPPER:
                if not folded:
                    memcpy(part.others, part.texts, sizeof(Cell) * count)
                    folded = True
                part.key.n = 0
                buffer_copy_lower(&part.key, part.texts[k].p, part.texts[k].n)
                put_other(job, part, k, count)
    if folded:
        for k in range(count):
            room += hosts.at[k].n
        buffer_reserve(&part.written, room)
        place_written(job, part, part.texts, count)
        place_written(job, part, part.others, count)
    return folded


cdef inline int write_reversed(const Job* job, Part* part, const Cell* texts, const Cuts* hosts,
                               uint32_t count) except -1 nogil:
    """Set the other text of each row to the labels of its host, the last label first, and part.code to whether the host
    is a name. texts: part.texts or part.others."""
    cdef Cell text
    cdef const uint8_t* p
    cdef uint32_t k, start, end
    cdef Cut host
    for k in range(count):
        text = texts[k]
        no_text(&part.others[k])
        part.code[k] = 0
        host = hosts.at[k]
        if hosts.there[k >> 6] >> (k & 63) & 1 and cut_dot(&text, &host):
            part.key.n = 0
            part.code[k] = 1
            p = text.p + host.start
            start = host.n + 1
            while start:
                end = start - 1
                start = end
                while start and p[start - 1] != c'.':
                    start -= 1
                buffer_copy(&part.key, p + start, end - start)
                if start:
                    buffer_put(&part.key, c'.')
            put_other(job, part, k, count)
    return 0


cdef inline int write_params(const Job* job, Part* part, const Cuts* queries, uint32_t count) except -1 nogil:
    """Set the other text of each row to the decoded first value of the plan's parameter in its query, and part.code to
    whether the query has the parameter."""
    cdef uint32_t k
    cdef const uint8_t* p
    cdef Names names
    for k in range(count):
        no_text(&part.others[k])
        part.code[k] = 0
        if queries.there[k >> 6] >> (k & 63) & 1 == 0:
            continue
        part.key.n = 0
        p = part.texts[k].p + queries.at[k].start
        names.plus = names.plus_in_value = True
        names.fold = False
        if part.found.plain[k >> 6] >> (k & 63) & 1 == 0 and not is_form(part.o[k].kind) \
                and depends_on_scheme(p, queries.at[k].n, job.plan):
            ask_scheme(&names, job.plan, part.texts[k].p, part.o[k].scheme_end)
        if write_value(&part.key, p, queries.at[k].n, job.plan, &names):
            part.code[k] = 1
            put_other(job, part, k, count)
    return 0


cdef inline bint depends_on_scheme(const uint8_t* p, size_t n, const Plan* plan) noexcept nogil:
    """Return whether the value of the parameter may depend on how the scheme reads "+" or the case of names: the query
    p[0:n] has a "+", an escape, or a name that differs from the parameter's name only in case."""
    cdef QueryField field
    if memchr(p, c'+', n) != NULL or memchr(p, c'%', n) != NULL:
        return True
    field.next = p
    while next_field(&field, p + n):
        if is_same_name(field.name, field.equals - field.name, plan, True) \
                and not is_same_name(field.name, field.equals - field.name, plan, False):
            return True
    return False


cdef inline int ask_scheme(Names* names, const Plan* plan, const uint8_t* scheme, uint32_t n) except -1 with gil:
    """Fill in `names`: how the handler of a scheme reads the names of fields, and the values of the parameter."""
    cdef Coding coding
    _owner = set_coding_of_scheme(&coding, scheme[:n].decode("ascii"))
    names.plus, names.fold = coding.plus_in_names, coding.fold
    names.plus_in_value = coding.plus_in_values \
        or is_spaced(&coding, plan.name[:plan.name_length].decode("utf-8", "replace"))
    return 0


cdef inline bint is_same_octet(uint8_t a, uint8_t b, bint fold) noexcept nogil:
    return a == b or (fold and lower(a) == lower(b))


cdef inline bint is_same_name(const uint8_t* p, size_t n, const Plan* plan, bint fold) noexcept nogil:
    """Return whether p[0:n] is the name of the plan's parameter. fold: whether ASCII case is ignored."""
    cdef size_t k
    if n != plan.name_length:
        return False
    for k in range(n):
        if not is_same_octet(p[k], plan.name[k], fold):
            return False
    return True


cdef inline bint may_be_named(const QueryField* field, const Plan* plan, bint fold) noexcept nogil:
    """Return whether the decoded name of a field may be the name of the plan's parameter. This is a quick check:
    decoding makes no name longer, and changes the first octet only if it is "%" or "+". An empty field has no name."""
    cdef size_t n = field.equals - field.name
    if field.end == field.name or n < plan.name_length:
        return False
    if n == 0 or field.name[0] == c'%' or field.name[0] == c'+':
        return True
    return plan.name_length and is_same_octet(field.name[0], plan.name[0], fold)


cdef inline bint write_value(Buffer* b, const uint8_t* p, size_t n, const Plan* plan,
                             const Names* names) except -1 nogil:
    """If the query p[0:n] has the plan's parameter, append the decoded value of the first such field, and return
    True."""
    cdef size_t start = b.n
    cdef QueryField field
    cdef bint same
    cdef Cell decoded
    field.next = p
    while next_field(&field, p + n):
        if may_be_named(&field, plan, names.fold):
            write_unquoted(b, field.name, field.equals - field.name, names.plus)
            same = is_same_name(b.p + start, b.n - start, plan, names.fold)
            b.n = start
            if same:
                write_unquoted(b, value_of(&field), field.end - value_of(&field), names.plus_in_value)
                if not is_utf8(b.p + start, b.n - start):
                    decoded.p, decoded.n = b.p + start, <uint32_t>(b.n - start)
                    replace_written(b, start, &decoded)
                return True
    return False


cdef inline int replace_written(Buffer* b, size_t start, const Cell* text) except -1 nogil:
    """Replace the octets of b from `start` on by valid UTF-8. text: these octets as a Cell."""
    cdef Buffer replaced
    buffer_start(&replaced)
    try:
        replace_invalid(&replaced, text)
        b.n = start
        buffer_copy(b, replaced.p, replaced.n)
    finally:
        buffer_free(&replaced)
    return 0


# --- writing a batch ------------------------------------------------------------------------------

cdef inline int write_batch(const Job* job, Part* part, uint32_t count, PublicSuffixList suffixes,
                            int octets_at_once) except -1 nogil:
    """Write all fields of the batch that read_batch has read into the columns."""
    cdef const Plan* plan = job.plan
    cdef const Cell* texts
    cdef const Cuts* cuts
    cdef int64_t roomy, room
    cdef int f, field, outcome
    cdef Ending ending
    cdef bint is_written     # whether the values of this field are the other texts
    if part.any_written:
        place_all_written(job, part, part.texts, count)
    roomy = roomy_octets(part.texts, count)
    for f in range(plan.count):
        field = plan.fields[f]
        texts = part.texts
        cuts = &part.cuts
        room = roomy
        if plan.reading == SPANS:
            cut_spans(part, field, count)
        elif not is_text(plan, f):
            write_numbers(plan, part, f, field, count, octets_at_once)
            continue
        elif field == F_ORIGIN:
            write_origins(job, part, count)
        else:
            cuts = cuts_of(part, F_HOST if is_of_host(field) else F_QUERY if field == F_QUERY_PARAM else field, count)
            if is_of_host(field) and field != F_HOST and not plan.bare_hosts and fold_hosts(job, part, cuts, count):
                texts = part.others
                room = roomy_octets(texts, count)
            if is_of_list(field):
                ending = ending_of(plan, field)
                cut_sites(part, texts, cuts, count, suffixes, plan.bare_hosts, &ending)
                cuts = &part.cuts
            elif is_of_labels(field):
                cut_labels(part, texts, cuts, count, field)
                cuts = &part.cuts
            elif field == F_REVERSED:
                write_reversed(job, part, texts, cuts, count)
            elif field == F_QUERY_PARAM:
                write_params(job, part, cuts, count)
            elif is_of_host(field) and field != F_HOST:
                return no_case(field)
        is_written = plan.reading != SPANS and (field == F_ORIGIN or field == F_QUERY_PARAM or field == F_REVERSED)
        if is_written:
            place_all_written(job, part, part.texts, count)
            place_written(job, part, part.others, count)
            texts, cuts = part.others, &part.cuts
            room = roomy_octets(texts, count)
            cut_others(part, field == F_ORIGIN, count)
        outcome = put(&part.out[f], octets_at_once, room, texts, cuts, part.row, count)
        if outcome == NO_MEMORY:
            return out_of_memory()
        if outcome == TOO_MUCH:
            return too_much()
    if plan.layout != VIEW or (plan.reading == KEYS and not is_text(plan, 0)):
        part.written.n = 0
    return 0


cdef inline int write_numbers(const Plan* plan, Part* part, int f, int field, uint32_t count,
                              int octets_at_once) except -1 nogil:
    cdef Out* out = &part.out[f]
    cdef size_t width = width_of(plan, f), digests = 0
    cdef Padded[BATCH] padded
    cdef int64_t row = part.row
    cdef uint32_t k
    cdef uint64_t[2] words = [0, 0]
    cdef uint64_t[2] valid = [0, 0]
    cdef bint is_read, there, yes
    for k in range(count):
        is_read = part.state[k] == READ
        there = part.state[k] == REFUSED_ROW or part.refused[k]
        if field == F_CAN_PARSE or field == F_IS_AMBIGUOUS:
            yes = is_read and not part.refused[k] and (field == F_CAN_PARSE or part.code[k])
            words[k >> 6] |= <uint64_t>yes << (k & 63)
            there = is_read or (there and field == F_CAN_PARSE)
        elif field == F_PORT:
            there = is_read and part.found.plain[k >> 6] >> (k & 63) & 1 == 0 and part.o[k].port >= 0
            (<uint16_t*>out.main)[row + k] = part.o[k].port if there else 0
        elif field == F_ERROR_CODE:
            (<int8_t*>out.main)[row + k] = part.code[k] if there else 0
        elif field == F_ERROR_POSITION:
            (<int32_t*>out.main)[row + k] = part.at[k] if there else 0
        elif field == F_XXH64 or field == F_HAZARDS or field == F_TRAPS:
            there = is_read
            if field == F_TRAPS and is_read:
                part.number[k] = traps_of(part.texts[k].p, part.texts[k].n, &part.o[k], plan.latest)
            (<uint64_t*>out.main)[row + k] = part.number[k] if is_read else 0
        elif field == F_SHA1 or field == F_BLAKE2B_128:
            there = is_read
            if is_read:
                padded[digests] = Padded(
                    part.texts[k].p, part.texts[k].n, <uint8_t*>out.main + (row + k) * width)
                digests += 1
            else:
                memset(<uint8_t*>out.main + (row + k) * width, 0, width)
        else:
            return no_case(field)
        valid[k >> 6] |= <uint64_t>there << (k & 63)
    if digests:
        write_digests(field == F_SHA1, padded, digests, octets_at_once)
    if field == F_CAN_PARSE or field == F_IS_AMBIGUOUS:
        for k in range(0, count, 64):
            put_word(<uint64_t*>out.main, (row + k) >> 6, words[k >> 6])
    put_validity(out, valid, row, count)
    return 0


# --- the buffers of a view column -----------------------------------------------------------------
# The octets of a source without views, and the octets that each part has written, may be too many for one buffer of a
# view column, whose offsets have 32 bits. So they become several buffers, which begin 2**WINDOW_BITS octets apart.

cdef inline int64_t windows_of(int64_t octets) noexcept nogil:
    return (octets + (<int64_t>1 << WINDOW_BITS) - 1) >> WINDOW_BITS


cdef inline int64_t source_buffers(const Job* job) noexcept nogil:
    """Return how many buffers a view column needs for the octets of the source."""
    if job.cells.layout == VIEW:
        return max(job.array.n_buffers - 3, 0)
    return windows_of(job.cells.octets)


cdef inline int set_windows(Column* c, int64_t first, const uint8_t* p, int64_t octets) except -1 nogil:
    """Add to a view column the buffers for the octets p[0:octets]; the first of these buffers gets the number `first`.
    The buffers overlap, so that a text may cross the start of the next buffer."""
    cdef int64_t k, start
    cdef int64_t* sizes = <int64_t*>c.owned[2]
    for k in range(windows_of(octets)):
        start = k << WINDOW_BITS
        c.array.buffers[2 + first + k] = p + start
        sizes[first + k] = min(octets - start, INT32_MAX)
    return 0


cdef inline Column* written_column(Buffer* written) except NULL nogil:
    """Return a column that owns the octets of a part's buffer `written`. Columns with views of these octets can hold a
    reference to it."""
    cdef Column* c = column_new(0, 0, 0, 0)
    if c == NULL:
        out_of_memory()
    if written.p == written.stack:
        c.owned[0] = malloc(written.n + 1)
        if c.owned[0] == NULL:
            column_free(c)
            out_of_memory()
        memcpy(c.owned[0], written.stack, written.n)
    else:
        c.owned[0] = written.p
        written.p = written.stack
    return c


# --- merging parts --------------------------------------------------------------------------------

cdef int job_gather(Job* job) except -1 nogil:
    """Make room in the first part's output for the octets of all parts. Call this after all parts are done."""
    cdef int f, t
    cdef size_t total
    cdef Out* first
    cdef void* data
    if job.plan.layout == VIEW:
        return 0
    for f in range(job.plan.count):
        if not is_text(job.plan, f):
            continue
        total = 0
        for t in range(job.parts):
            total += job.part[t].out[f].n
        if job.plan.layout == UTF8 and total > INT32_MAX:
            too_much()
        first = &job.part[0].out[f]
        if first.data == NULL:
            data = memory_new(first.stock, total + 1)
        else:
            data = block_resized(first.stock, first.data, total + 1)
            if data == NULL:
                out_of_memory()
        first.data = <uint8_t*>data
    return 0


cdef inline void count_from(Job* job, int f, int64_t row, int64_t stop, size_t octets, int64_t buffers) noexcept nogil:
    """Add `octets` to the offsets of the rows from `row` to `stop` in field f; for a column of views, add `buffers` to
    the buffer numbers of views of written octets."""
    cdef View* view
    if job.plan.layout == UTF8:
        for row in range(row, stop):
            (<int32_t*>job.main[f])[row + 1] += <int32_t>octets
    elif job.plan.layout == LARGE_UTF8:
        for row in range(row, stop):
            (<int64_t*>job.main[f])[row + 1] += <int64_t>octets
    elif buffers:
        for row in range(row, stop):
            view = &(<View*>job.main[f])[row]
            if view.n > 12 and view.buffer >= job.written_from:
                view.buffer += <uint32_t>buffers


cdef void job_move(Job* job, int share) noexcept nogil:
    """Do one share of the merging of parts, after job_gather. There are as many shares as parts; they may be done in
    any order, by any thread. Merging puts the octets of each part after the octets of the part before it, and adjusts
    the offsets of its rows."""
    cdef int f, t, shares = job.parts
    cdef int64_t start, rows, buffers
    cdef size_t behind, n, first
    cdef const Out* out
    for f in range(job.plan.count):
        if not is_text(job.plan, f):
            continue
        behind, buffers = job.part[0].out[f].n, windows_of(job.part[0].written.n)
        for t in range(1, job.parts):
            out = &job.part[t].out[f]
            start, n = job.part[t - 1].stop, out.n
            rows = job.part[t].stop - start
            first = n // shares * share
            n = (n if share + 1 == shares else n // shares * (share + 1)) - first
            if n and job.plan.layout != VIEW:
                memcpy(job.part[0].out[f].data + behind + first, out.data + first, n)
            count_from(job, f, start + rows * share // shares, start + rows * (share + 1) // shares, behind, buffers)
            behind += out.n
            buffers += windows_of(job.part[t].written.n)


# --- columns --------------------------------------------------------------------------------------

cdef inline Column* view_column(Job* job, Column** written) except NULL nogil:
    cdef int64_t own = source_buffers(job), number = own, k
    cdef int t
    cdef Column* c
    for t in range(job.parts):
        number += windows_of(job.part[t].written.n)
    c = column_new(job.rows, 3 + number, 0, 1 + job.parts)
    if c == NULL:
        out_of_memory()
    c.owned[2] = malloc(8 * (number + 1))
    if c.owned[2] == NULL:
        column_free(c)
        out_of_memory()
    c.held[0] = column_held(job.source)
    if job.cells.layout == VIEW:
        for k in range(own):
            c.array.buffers[2 + k] = job.array.buffers[2 + k]
            (<int64_t*>c.owned[2])[k] = (<const int64_t*>job.array.buffers[2 + own])[k]
    else:
        set_windows(c, 0, job.cells.data, job.cells.octets)
    number = own
    for t in range(job.parts):
        c.held[1 + t] = column_held(written[t])
        set_windows(c, number, <const uint8_t*>written[t].owned[0], job.part[t].written.n)
        number += windows_of(job.part[t].written.n)
    c.array.buffers[2 + number] = c.owned[2]
    return c


cdef inline Column* field_column(Job* job, int f, Column** written) except NULL nogil:
    cdef Column* c
    cdef int t, field = job.plan.fields[f]
    cdef bint text = is_text(job.plan, f)
    if text and job.plan.layout == VIEW:
        c = view_column(job, written)
    else:
        c = column_new(job.rows, 3 if text else 2, 0, 0)
        if c == NULL:
            out_of_memory()
    if text and job.plan.layout != VIEW:
        c.blocks[1] = job.part[0].out[f].data
        c.array.buffers[2] = c.blocks[1]
        job.part[0].out[f].data = NULL
    if not text and field == F_ERROR_CODE:
        c.dictionary = column_held(job.codes)
    c.blocks[0] = job.main[f]
    c.array.buffers[1] = job.main[f]
    job.main[f] = NULL
    for t in range(job.parts):
        c.array.null_count += job.part[t].out[f].nulls
    if c.array.null_count:
        c.owned[1] = job.validities[f]
        c.array.buffers[0] = job.validities[f]
        job.validities[f] = NULL
    return c


# --- dictionaries, in which each text comes once --------------------------------------------------
# Arrow allows a dictionary to repeat a value and to hold nulls. But consumers compare rows by their indices, and take a
# repeated value for two values. Different URLs in a dictionary may have the same host, so equal answers are merged.

cdef extern from *:
    """
    /* The bits of a slot that hold a number; the other bits are the highest bits of the hash. */
    #define URLSM_NUMBER (((uint64_t)1 << 40) - 1)
    """
    const uint64_t NUMBER "URLSM_NUMBER"

cdef enum:
    FIRST_SLOTS = 1 << 10

cdef struct Entry:           # a text, and the first row that has it
    const uint8_t* p
    uint64_t hashed
    int64_t row
    uint32_t n

cdef struct Distinct:        # the distinct texts of a column; can be reused for another column with as many rows
    Stock* stock             # the stock from which memory is taken
    const uint64_t* key      # the key with which texts are hashed
    Column* values           # a column of the distinct texts
    # for each row, the index of its text in `values` (0 for a null); only set if `moved` is true, otherwise each index
    # is the row's own number
    int64_t* place
    bint moved               # whether some row's text has another index in `values` than in the column
    Entry* entries
    int64_t count
    # a hash table: a slot holds the number of an entry, counted from 1, and bits of its hash; 0: the slot is free
    uint64_t* slots
    uint64_t mask            # the number of slots (a power of two) less 1; at least a fifth of the slots is always free
    uint64_t room            # the number of slots that the allocated memory can hold


cdef inline Column* distinct_column(Column* given, const Cells* cells, const Distinct* distinct) except NULL nogil:
    """Return a column of the distinct texts, in the layout of the column `given`. Views are copied, and point to the
    same octets."""
    cdef int64_t k, octets = 0, width = 16 if cells.layout == VIEW else 4 if cells.layout == UTF8 else 8
    cdef Column* c = column_new(distinct.count, given.array.n_buffers, 0, 1)
    cdef const Entry* entry
    cdef bint done = False
    if c == NULL:
        out_of_memory()
    for k in range(2, given.array.n_buffers):
        c.array.buffers[k] = given.array.buffers[k]
    try:
        c.blocks[0] = memory_new(distinct.stock, (distinct.count + 1) * width)
        memset(c.blocks[0], 0, width)  # sets the first offset to 0
        c.array.buffers[1] = c.blocks[0]
        if cells.layout == VIEW:
            c.held[0] = column_held(given)
            for k in range(distinct.count):
                (<View*>c.blocks[0])[k] = (<const View*>cells.main)[distinct.entries[k].row]
        else:
            for k in range(distinct.count):
                octets += distinct.entries[k].n
            c.blocks[1] = memory_new(distinct.stock, octets + 1)
            c.array.buffers[2] = c.blocks[1]
            octets = 0
            for k in range(distinct.count):
                entry = &distinct.entries[k]
                memcpy(<uint8_t*>c.blocks[1] + octets, entry.p, entry.n)
                octets += entry.n
                if cells.layout == UTF8:
                    (<int32_t*>c.blocks[0])[k + 1] = <int32_t>octets
                else:
                    (<int64_t*>c.blocks[0])[k + 1] = octets
        done = True
    finally:
        if not done:
            column_free(c)
    return c


cdef inline bint has_room(uint64_t mask, int64_t count) noexcept nogil:
    """Return whether a table with this mask has enough slots for `count` texts and another batch."""
    return 5 * <uint64_t>(count + BATCH) <= 4 * mask


cdef inline int more_slots(Distinct* distinct, int64_t row, int64_t rows) except -1 nogil:
    """Allocate the first slots, or double their number. If most rows before `row` had a new text, allocate enough slots
    for all rows."""
    cdef uint64_t at, mask = 2 * distinct.mask + 1 if distinct.mask else FIRST_SLOTS - 1
    cdef int64_t k
    if distinct.mask and distinct.count > row // 2:
        while not has_room(mask, rows):
            mask = 2 * mask + 1
    if distinct.room <= mask:
        block_free(distinct.slots)
        distinct.room, distinct.slots = 0, NULL
        distinct.slots = <uint64_t*>memory_new(distinct.stock, 8 * (mask + 1))
        distinct.room = mask + 1
    distinct.mask = mask
    memset(distinct.slots, 0, 8 * (mask + 1))
    for k in range(distinct.count):
        at = distinct.entries[k].hashed & mask
        while distinct.slots[at]:
            at = (at + 1) & mask
        distinct.slots[at] = (distinct.entries[k].hashed & ~NUMBER) | <uint64_t>(k + 1)
    return 0


cdef inline bint is_entry(const Entry* entry, const Cell* text, uint64_t hashed) noexcept nogil:
    return entry.hashed == hashed and entry.n == text.n and memcmp(entry.p, text.p, text.n) == 0


cdef inline int64_t place_of(Distinct* distinct, const Cell* text, uint64_t hashed, int64_t row) noexcept nogil:
    """Return the index of the row's text among the distinct texts. A new text gets the next index."""
    cdef uint64_t at = hashed & distinct.mask
    cdef uint64_t slot
    cdef Entry* entry
    while distinct.slots[at]:
        slot = distinct.slots[at]
        if (slot ^ hashed) & ~NUMBER == 0 and is_entry(&distinct.entries[(slot & NUMBER) - 1], text, hashed):
            return <int64_t>(slot & NUMBER) - 1
        at = (at + 1) & distinct.mask
    entry = &distinct.entries[distinct.count]
    entry.p, entry.n, entry.hashed, entry.row = text.p, text.n, hashed, row
    distinct.count += 1
    distinct.slots[at] = (hashed & ~NUMBER) | <uint64_t>distinct.count
    return distinct.count - 1


cdef inline int places_start(Distinct* distinct, int64_t row, int64_t rows) except -1 nogil:
    """Start to record places, because `row` is the first row whose text has moved: set the place of each row before it
    to the row's own number."""
    cdef int64_t k
    if distinct.place == NULL:
        distinct.place = <int64_t*>memory_new(distinct.stock, 8 * rows)
    for k in range(row):
        distinct.place[k] = k
    distinct.moved = True
    return 0


cdef inline int find_distinct(Distinct* distinct, Column* given, Layout layout) except -1 nogil:
    """Set `distinct` to the distinct texts of a column that urlsm made. Before, `distinct` must be empty, or have been
    used for another column with as many rows. The caller has to call distinct_free at the end, even after an error."""
    cdef Cells cells
    cdef Cell[BATCH] texts
    cdef uint64_t[BATCH] hashed
    cdef bint[BATCH] there
    cdef const Entry* entry
    cdef uint64_t slot
    cdef int64_t row = 0, place, n = given.array.length
    cdef uint32_t k, count
    column_free(distinct.values)
    distinct.values, distinct.moved, distinct.count, distinct.mask = NULL, False, 0, 0
    cells_of(&cells, &given.array, b"vu" if layout == VIEW else b"U" if layout == LARGE_UTF8 else b"u")
    if distinct.entries == NULL:
        distinct.entries = <Entry*>memory_new(distinct.stock, sizeof(Entry) * (n + 1))
    while row < n:
        count = <uint32_t>min(n - row, BATCH)
        if not has_room(distinct.mask, distinct.count):
            more_slots(distinct, row, n)
        # A large table is not in the CPU's caches. So prefetch all slots of the batch, then their entries, then the
        # texts of the entries, before they are read.
        for k in range(count):
            there[k] = cell_at(&cells, row + k, &texts[k])
            hashed[k] = keyed_hash(distinct.key, texts[k].p, texts[k].n) if there[k] else 0
            prefetch_line(&distinct.slots[hashed[k] & distinct.mask])
        for k in range(count):
            slot = distinct.slots[hashed[k] & distinct.mask]
            if slot and (slot ^ hashed[k]) & ~NUMBER == 0:
                prefetch_line(&distinct.entries[(slot & NUMBER) - 1])
        for k in range(count):
            slot = distinct.slots[hashed[k] & distinct.mask]
            if slot and (slot ^ hashed[k]) & ~NUMBER == 0:
                entry = &distinct.entries[(slot & NUMBER) - 1]
                prefetch_line(entry.p)
        for k in range(count):
            place = place_of(distinct, &texts[k], hashed[k], row) if there[k] else 0
            if not distinct.moved and (place != row or not there[k]):
                places_start(distinct, row, n)
            if distinct.moved:
                distinct.place[row] = place
            row += 1
    distinct.values = distinct_column(given, &cells, distinct) if distinct.moved else column_held(given)
    return 0


cdef inline void distinct_free(Distinct* distinct) noexcept nogil:
    column_free(distinct.values)
    block_free(distinct.place)
    block_free(distinct.entries)
    block_free(distinct.slots)


# --- rows that are indices into a dictionary ------------------------------------------------------

cdef inline int set_indexed_validity(Column* c, const Column* values, const ArrowArray* array,
                                     int format) except -1 nogil:
    """Set the validity of a column of indices: a row is null if its index is null, or the value at this index is
    null."""
    cdef const Indices* indices = indices_of(format)
    cdef const uint8_t* given = <const uint8_t*>array.buffers[0]
    cdef const uint8_t* there = <const uint8_t*>values.array.buffers[0]
    cdef uint64_t* bits
    if given == NULL and there == NULL:
        return 0
    bits = <uint64_t*>malloc(8 * words_of(array.length))
    if bits == NULL:
        return out_of_memory()
    c.owned[0] = bits
    c.array.buffers[0] = bits
    c.array.null_count = indices.valid(bits, <const uint8_t*>array.buffers[1] + array.offset * indices.width,
                                       array.length, given, array.offset, there, values.array.length)
    return 0


cdef inline Column* column_by_indices(Column* values, const ArrowArray* array, Column* source, int format,
                                      const Plan* plan, int f, Distinct* distinct) except NULL nogil:
    """Return a column with a row for each index of `array`, from the values of a field. source: the column that owns
    the array. distinct: as for find_distinct."""
    cdef Column* c = column_new(array.length, 2, 0, 1)
    cdef bint done = False
    if c == NULL:
        out_of_memory()
    try:
        set_indexed_validity(c, values, array, format)
        c.held[0] = column_held(source)
        if is_text(plan, f):
            set_indices(c, values, array, format, plan.layout, distinct)
        else:
            spread_values(c, values, array, format, width_of(plan, f), distinct.stock)
        done = True
    finally:
        if not done:
            column_free(c)
    return c


cdef inline int set_indices(Column* c, Column* values, const ArrowArray* array, int format, Layout layout,
                            Distinct* distinct) except -1 nogil:
    """Make the column c a dictionary of the distinct values, without nulls. If no value has moved, c keeps the array's
    indices."""
    cdef const Indices* indices = indices_of(format)
    cdef const uint8_t* given = <const uint8_t*>array.buffers[1] + array.offset * indices.width
    find_distinct(distinct, values, layout)
    c.dictionary = column_held(distinct.values)
    if not distinct.moved:
        c.array.buffers[1] = given
        return 0
    c.blocks[0] = memory_new(distinct.stock, (array.length + 1) * indices.width)
    c.array.buffers[1] = c.blocks[0]
    indices.places(c.blocks[0], given, array.length, distinct.place, values.array.length)
    return 0


cdef inline int spread_values(Column* c, const Column* values, const ArrowArray* array, int format, size_t width,
                              Stock* stock) except -1 nogil:
    """Write the value of each row of c, for a field that is not text. width: the number of octets of a value; 0 means
    one bit."""
    cdef const uint8_t* given = <const uint8_t*>values.array.buffers[1]
    cdef const uint8_t* validity = <const uint8_t*>c.array.buffers[0]
    cdef size_t octets = width * <size_t>array.length + 8 * words_of(array.length)
    cdef uint8_t* to = <uint8_t*>memory_new(stock, octets)
    cdef int64_t k, at
    memset(to, 0, octets)
    c.blocks[0] = to
    c.array.buffers[1] = to
    if values.dictionary != NULL:
        c.dictionary = column_held(values.dictionary)
    for k in range(array.length):
        if validity != NULL and not bit_at(validity, k):
            continue
        at = index_at(format, array.buffers[1], array.offset + k)
        if 0 <= at < values.array.length:
            if width:
                memcpy(to + k * width, given + at * width, width)
            elif bit_at(given, at):
                to[k >> 3] |= 1 << (k & 7)
    return 0


cdef Column* with_indices(Column* values, const ArrowArray* array, Column* source, int format,
                          const Plan* plan) except NULL nogil:
    """Return the answer for each row of a dictionary, from the answers for the dictionary's values: a dictionary, or a
    struct of dictionaries. Answers that are not text are written out for each row. values: the answers for the values.
    array: the indices. source: the column that owns the array."""
    cdef Column* c = NULL
    cdef Distinct distinct
    cdef bint done = False
    cdef int f
    memset(&distinct, 0, sizeof(Distinct))
    distinct.key, distinct.stock = KEY, &stock
    try:
        if plan.single:
            c = column_by_indices(values, array, source, format, plan, 0, &distinct)
        else:
            c = column_new(array.length, 1, plan.count, 0)
            if c == NULL:
                out_of_memory()
            for f in range(plan.count):
                c.children[f] = column_by_indices(values.children[f], array, source, format, plan, f, &distinct)
        done = True
    finally:
        distinct_free(&distinct)
        if not done:
            column_free(c)
    return c


# --- lists ----------------------------------------------------------------------------------------
# A list column holds the percent-decoded segments of paths, or the names of the bits that are set in words.

cdef inline int64_t segment_count(const Cell* path) noexcept nogil:
    cdef int64_t count = 0
    cdef uint32_t k
    if path.n and path.p[0] == c'/':
        for k in range(path.n):
            count += path.p[k] == c'/'
    return count


cdef inline int64_t write_segments(Buffer* b, const Cell* path, int32_t* starts) except -1 nogil:
    """Append the percent-decoded segments of a path, and set starts[k + 1] to where segment k ends in b. Returns the
    number of segments."""
    cdef int64_t k, many = segment_count(path)
    cdef const uint8_t* p = path.p
    cdef const uint8_t* end = p + path.n
    cdef const uint8_t* stop
    cdef size_t start
    cdef Cell decoded
    for k in range(many):
        p += 1
        stop = <const uint8_t*>memchr(p, c'/', end - p)
        stop = end if stop == NULL else stop
        start = b.n
        write_unquoted(b, p, stop - p, False)
        if not is_utf8(b.p + start, b.n - start):
            decoded.p, decoded.n = b.p + start, <uint32_t>(b.n - start)
            replace_written(b, start, &decoded)
        if b.n > INT32_MAX:
            too_much()
        starts[k + 1] = <int32_t>b.n
        p = stop
    return many


cdef inline Column* list_column(int64_t rows, int64_t count) except NULL nogil:
    """Return a list column with room for the offsets of `count` texts of utf8. The offsets are not initialised yet, and
    end_list adds the octets of the texts."""
    cdef Column* c = column_new(rows, 2, 1, 0)
    cdef Column* found
    cdef bint done = False
    if c == NULL:
        out_of_memory()
    try:
        if count > INT32_MAX:
            too_much()
        found = c.children[0] = column_new(count, 3, 0, 1)
        c.owned[0], c.owned[1] = malloc(8 * words_of(rows)), malloc(4 * <size_t>(rows + 1))
        if found == NULL or c.owned[0] == NULL or c.owned[1] == NULL:
            out_of_memory()
        found.owned[1] = malloc(4 * <size_t>(count + 1))
        if found.owned[1] == NULL:
            out_of_memory()
        c.array.buffers[0], c.array.buffers[1], found.array.buffers[1] = c.owned[0], c.owned[1], found.owned[1]
        (<int32_t*>found.owned[1])[0] = 0
        done = True
    finally:
        if not done:
            column_free(c)
    return c


cdef inline void end_row(Column* c, int64_t k, bint valid, uint64_t* word) noexcept nogil:
    """Set whether row k is valid. word: collects the validity bits of 64 rows; it is written after the last of these
    rows."""
    if valid:
        word[0] |= <uint64_t>1 << (k & 63)
    else:
        c.array.null_count += 1
    if k & 63 == 63 or k + 1 == c.array.length:
        put_word(<uint64_t*>c.owned[0], k >> 6, word[0])
        word[0] = 0


cdef inline int end_list(Column* c, int64_t count, Buffer* texts) except -1 nogil:
    """Finish a list column. count: the number of texts in all its lists together. texts: their octets."""
    cdef Column* child = c.children[0]
    (<int32_t*>c.owned[1])[c.array.length] = <int32_t>count
    child.held[0] = written_column(texts)
    child.array.buffers[2] = child.held[0].owned[0]
    return 0


cdef Column* names_of(const Column* words, const uint8_t* names, const int32_t* ends) except NULL nogil:
    """Return a list column with the names of the bits that are set in each row of a column of uint64. The name of bit k
    is names[ends[k]:ends[k + 1]]."""
    cdef int64_t k, count = 0, rows = words.array.length
    cdef const uint8_t* validity = <const uint8_t*>words.array.buffers[0]
    cdef const uint64_t* given = <const uint64_t*>words.array.buffers[1]
    cdef uint64_t left, word = 0
    cdef uint32_t bit
    cdef Column* c
    cdef int32_t* starts
    cdef bint done = False
    cdef Buffer b
    for k in range(rows):  # the word of a row that is null is 0
        count += popcount(given[k])
    c = list_column(rows, count)
    starts = <int32_t*>c.children[0].owned[1]
    buffer_start(&b)
    try:
        count = 0
        for k in range(rows):
            (<int32_t*>c.owned[1])[k] = <int32_t>count
            left = given[k]
            while left:
                bit = first_bit(left)
                left &= left - 1
                buffer_copy(&b, names + ends[bit], ends[bit + 1] - ends[bit])
                if b.n > INT32_MAX:
                    too_much()
                count += 1
                starts[count] = <int32_t>b.n
            end_row(c, k, validity == NULL or bit_at(validity, k), &word)
        end_list(c, count, &b)
        done = True
    finally:
        buffer_free(&b)
        if not done:
            column_free(c)
    return c


cdef Column* segments_of(const Cells* cells, int64_t rows) except NULL nogil:
    """Return the percent-decoded segments of each path as a list column of utf8. The list is empty for a path that does
    not begin with "/"."""
    cdef Column* c
    cdef int64_t k, count = 0
    cdef uint64_t word = 0
    cdef bint valid, done = False
    cdef Cell text
    cdef Buffer b
    cdef int32_t* starts
    for k in range(rows):
        if cell_at(cells, k, &text):
            count += segment_count(&text)
    c = list_column(rows, count)
    starts = <int32_t*>c.children[0].owned[1]
    buffer_start(&b)
    try:
        count = 0
        for k in range(rows):
            (<int32_t*>c.owned[1])[k] = <int32_t>count
            valid = cell_at(cells, k, &text)
            if valid:
                count += write_segments(&b, &text, starts + count)
            end_row(c, k, valid, &word)
        end_list(c, count, &b)
        done = True
    finally:
        buffer_free(&b)
        if not done:
            column_free(c)
    return c


# --- jobs -----------------------------------------------------------------------------------------

cdef int job_start(Job* job, const Plan* plan, const ArrowArray* array, int parts) except -1 nogil:
    """Divide a job, whose cells are set, into `parts` ranges of rows, and allocate its memory. The caller has to call
    job_free at the end, even after an error."""
    cdef int f, k
    cdef int64_t share, rows = job.rows
    cdef size_t width
    cdef Part* part
    if plan.reading == JUDGED and plan.judge == NULL:
        return no_judge()
    job.plan, job.array, job.codes = plan, array, codes
    job.written_from = <uint32_t>source_buffers(job)
    job.part = <Part**>calloc(parts, sizeof(Part*))
    if job.part == NULL:
        return out_of_memory()
    for f in range(plan.count):
        width = width_of(plan, f)
        job.main[f] = memory_new(&stock, width * <size_t>(rows + 1) if width else 8 * words_of(rows))
        job.validities[f] = <uint64_t*>malloc(8 * words_of(rows))
        if job.validities[f] == NULL:
            return out_of_memory()
        if plan.layout != VIEW:
            memset(job.main[f], 0, width)  # sets the first offset to 0
    share = (rows // parts // BATCH + 1) * BATCH
    for k in range(parts):
        part = job.part[k] = <Part*>malloc(sizeof(Part))
        if part == NULL:
            return out_of_memory()
        job.parts += 1
        buffer_start(&part.written)
        buffer_start(&part.base)
        buffer_start(&part.key)
        scratch_start(&part.scratch)
        part.row, part.stop = min(k * share, rows), min((k + 1) * share, rows) if k + 1 < parts else rows
        part.base_state, part.base_given.p = NULL_ROW, NULL
        part.octets = part.plain = 0
        part.any_written = False
        memset(part.out, 0, sizeof(part.out))
        for f in range(plan.count):
            part.out[f].layout = plan.layout
            # job_move will copy the octets of all parts into the memory of the first part
            part.out[f].rows = part.stop - part.row if k else rows
            part.out[f].stock = &stock
            part.out[f].main = job.main[f]
            part.out[f].validity = job.validities[f]
    return 0


cdef int no_judge() except -1 with gil:
    raise TypeError("a judged field needs a judge")


cdef int job_work(Job* job, int number, PublicSuffixList suffixes) except -1 nogil:
    """Work on a part for some milliseconds. Returns 1 if there is more to do. suffixes: may be None if no field needs
    suffixes."""
    cdef Part* part = job.part[number]
    cdef int64_t batch_octets, octets = 0, look = part.row + LOOK_ROWS
    cdef uint32_t count
    while part.row < part.stop and part.row < look and octets < LOOK_OCTETS:
        count = <uint32_t>min(part.stop - part.row, BATCH)
        batch_octets = read_batch(job, part, count, octets_at_once)
        octets += batch_octets
        part.octets += batch_octets
        write_batch(job, part, count, suffixes, octets_at_once)
        part.row += count
    return part.row < part.stop


cdef Column* job_finish(Job* job) except NULL nogil:
    """Return the struct of the job's fields, or its single field. If there are several parts, call job_gather and
    job_move first to merge them. The column takes over the job's results, so call this only once; job_free still has to
    free the working memory."""
    cdef Column* c
    cdef Column** written = <Column**>calloc(job.parts + 1, sizeof(Column*))
    cdef Column* whole = NULL
    cdef int f, t
    if written == NULL:
        out_of_memory()
    try:
        if job.parts == 1:
            job_gather(job)
        for t in range(job.parts):
            written[t] = written_column(&job.part[t].written)
        whole = column_new(job.rows, 1, job.plan.count, 0)
        if whole == NULL:
            out_of_memory()
        for f in range(job.plan.count):
            whole.children[f] = field_column(job, f, written)
        # (no row of a struct is null, so that Arrow's consumers take it as a batch of a table)
        c = column_held(whole.children[0] if job.plan.single else whole)
    finally:
        column_free(whole)
        for t in range(job.parts):
            column_free(written[t])
        free(written)
    return c


cdef void job_free(Job* job) noexcept nogil:
    cdef int k, f
    for k in range(job.parts):
        buffer_free(&job.part[k].written)
        buffer_free(&job.part[k].base)
        buffer_free(&job.part[k].key)
        scratch_free(&job.part[k].scratch)
        for f in range(MAX_FIELDS):
            block_free(job.part[k].out[f].data)
        free(job.part[k])
    for f in range(MAX_FIELDS):
        block_free(job.main[f])
        free(job.validities[f])
    free(job.part)
    memset(job, 0, sizeof(Job))
