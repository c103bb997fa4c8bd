"""Rows of text to columns of fields, without the interpreter's lock.

A job is a column and a plan; its parts are ranges of rows, one a thread. A part goes on in batches: each row of a batch
is read (reading.pxd: a text, and where its components lie), then each field of the batch is cut out of the texts
and written (cuts.h). At last the parts' memory becomes columns (assembly.pxd). Texts that are a URL as they stand are
never copied where views go out; the others are written into the part's own buffer, one more buffer of the column.
"""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memcpy, memset
from urlsm.columns.arrow cimport ArrowArray, Column, column_free, column_held, column_new
from urlsm.columns.assembly cimport field_column, source_buffers, source_octets, written_column
from urlsm.columns.cells cimport (
    BATCH, Cells, LARGE_UTF8, Layout, MALFORMED, NO_TEXT, UTF8, VIEW, cell_at, is_utf8, rows_new, widest,
)
from urlsm.columns.cutting cimport write_batch
from urlsm.columns.dictionaries cimport Distinct, distinct_free, indexed, set_indexed_validity
from urlsm.columns.reading cimport malformed, read_batch, refuse_row, set_written
from urlsm.crawler.keys cimport MAX_KEY_TEXT, scratch_free, scratch_start, write_key
from urlsm.crawler.rules cimport KeyFailure
from urlsm.crawler.suffix_list cimport Suffixes
from urlsm.machine.codes cimport DOMAIN_TO_ASCII, TOO_LONG
from urlsm.octets.buffer cimport MAX_LENGTH, buffer_copy, buffer_free, buffer_reserve, buffer_start
from urlsm.octets.chars cimport CLASS, FORBIDDEN_DOMAIN, NON_ASCII, PERCENT, TAB_NEWLINE, UPPER
from urlsm.url.parser cimport write_url
from urlsm.url.structs cimport BASE as BASE_IS_URL, Failure, GIVEN, REFUSED
from urlsm.errors.rules import TABLE as _TABLE

cdef enum:
    LOOK_ROWS = 1 << 16      # after so many rows, or
    LOOK_OCTETS = 1 << 26    # so many octets, signals are looked at

cdef int octets_at_once = widest(64)

# the codes of refusals, as the values of the field error: row k is code k of errors/rules.py
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
    """For tests: look at so many octets at a time (64, 32, 16, 1), as far as the CPU can. How many is it now?"""
    global octets_at_once
    octets_at_once = widest(width)
    return octets_at_once


cdef int cells_of(Cells* cells, const ArrowArray* array, const char* format) except -1 nogil:
    """Cells of an imported array of this format: text, binary or null."""
    memset(cells, 0, sizeof(Cells))
    cells.length, cells.offset = array.length, array.offset
    cells.layout = layout_of(format)
    if cells.layout == NO_TEXT:
        return 0
    cells.validity = <const uint8_t*>array.buffers[0]
    cells.main = array.buffers[1]
    if cells.layout == VIEW:
        cells.buffers, cells.n_buffers = <const uint8_t**>array.buffers + 2, array.n_buffers - 3
        cells.sizes = <const int64_t*>array.buffers[array.n_buffers - 1]
    else:
        cells.data = <const uint8_t*>b"" if array.buffers[2] == NULL else <const uint8_t*>array.buffers[2]
        cells.octets = source_octets(cells)
    return 0


cdef Layout layout_of(const char* format) noexcept nogil:
    if format[0] == c'v':
        return VIEW
    if format[0] == c'u' or format[0] == c'z':
        return UTF8
    return LARGE_UTF8 if format[0] == c'U' or format[0] == c'Z' else NO_TEXT


cdef int job_start(Job* job, const Plan* plan, const ArrowArray* array, int parts) except -1 nogil:
    """Memory for a job whose cells are set; its rows in so many parts. job_free frees it, whatever happened."""
    cdef int f, k
    cdef int64_t share, rows = job.rows
    cdef size_t width
    cdef Part* part
    job.plan, job.array, job.codes = plan, array, codes
    job.written_from = <uint32_t>source_buffers(job)
    job.part = <Part**>calloc(parts, sizeof(Part*))
    job.validity = <uint64_t*>malloc(8 * words_of(rows))
    if job.part == NULL or job.validity == NULL:
        return out_of_memory()
    for f in range(plan.count):
        width = width_of(plan, f)
        job.main[f] = rows_new(width * <size_t>(rows + 1) if width else 8 * words_of(rows))
        job.validities[f] = <uint64_t*>malloc(8 * words_of(rows))
        if job.main[f] == NULL or job.validities[f] == NULL:
            return out_of_memory()
        if plan.layout != VIEW:
            memset(job.main[f], 0, width)  # the first offset
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
        part.nulls = part.octets = part.plain = 0
        part.any_written = False
        memset(part.out, 0, sizeof(part.out))
        for f in range(plan.count):
            part.out[f].layout, part.out[f].rows = plan.layout, part.stop - part.row
            part.out[f].main = job.main[f]
            part.out[f].validity = job.validities[f]
    return 0


cdef int job_work(Job* job, int number, Suffixes suffixes) except -1 nogil:
    """Go on with a part for some milliseconds: 1 where there is more to do. suffixes: for F_SITE, else None."""
    cdef Part* part = job.part[number]
    cdef int64_t read, octets = 0, look = part.row + LOOK_ROWS
    cdef uint32_t count
    while part.row < part.stop and part.row < look and octets < LOOK_OCTETS:
        count = <uint32_t>min(part.stop - part.row, BATCH)
        read = read_batch(job, part, count, octets_at_once)
        octets += read
        part.octets += read
        write_batch(job, part, count, suffixes, octets_at_once)
        part.row += count
    return part.row < part.stop


cdef Column* job_finish(Job* job) except NULL nogil:
    """The struct of the job's fields, or its single field. The job is empty then; job_free frees what is left."""
    cdef Column* c
    cdef Column** written = <Column**>calloc(job.parts + 1, sizeof(Column*))
    cdef Column* whole = NULL
    cdef int f, t
    if written == NULL:
        out_of_memory()
    try:
        for t in range(job.parts):
            written[t] = written_column(&job.part[t].written)
        whole = column_new(job.rows, 1, job.plan.count, 0)
        if whole == NULL:
            out_of_memory()
        for f in range(job.plan.count):
            whole.children[f] = field_column(job, f, written)
        if job.plan.single:
            c = column_held(whole.children[0])
        else:
            for t in range(job.parts):
                whole.array.null_count += job.part[t].nulls
            if whole.array.null_count:
                whole.owned[0] = job.validity
                whole.array.buffers[0] = job.validity
                job.validity = NULL
            c = column_held(whole)
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
            free(job.part[k].out[f].data)
        free(job.part[k])
    for f in range(MAX_FIELDS):
        free(job.main[f])
        free(job.validities[f])
    free(job.part)
    free(job.validity)
    memset(job, 0, sizeof(Job))


cdef Column* with_indices(Column* values, const ArrowArray* array, Column* source, int format,
                          const Plan* plan) except NULL nogil:
    """The column that a dictionary's indices make of what was made of its values: a dictionary, or a struct of such.
    What is not text is spread out. source: what owns the array."""
    cdef Column* c = NULL
    cdef Distinct found
    cdef bint done = False
    cdef int f
    memset(&found, 0, sizeof(Distinct))
    try:
        if plan.single:
            c = indexed(values, array, source, format, plan, 0, &found)
        else:
            c = column_new(array.length, 1, plan.count, 0)
            if c == NULL:
                out_of_memory()
            for f in range(plan.count):
                c.children[f] = indexed(values.children[f], array, source, format, plan, f, &found)
            set_indexed_validity(c, values, array, format)
        done = True
    finally:
        distinct_free(&found)
        if not done:
            column_free(c)
    return c


# --- rows that are written anew, or ask for more -----------------------------------------------

cdef int wrote(const Job* job, Part* part, uint32_t k, size_t start) except -1 nogil:
    """The row's text is what was written from start on; where that lies in memory is known at the end of the batch."""
    cdef size_t n = part.written.n - start
    if n > MAX_LENGTH:
        part.written.n = start
        refuse_row(part, k, TOO_LONG, MAX_LENGTH)
        return 0
    set_written(job, part, &part.texts[k], start, n)
    part.state[k] = READ
    return 0


cdef int read_bare_host(const Job* job, Part* part, uint32_t k) except -1 nogil:
    """A host, as the URL parser folds it. What is not plain ASCII is asked in Python, which gives the answer itself."""
    cdef Cell* text = &part.texts[k]
    cdef Offsets* o = &part.o[k]
    cdef size_t start = part.written.n
    cdef uint32_t j, seen = 0
    buffer_reserve(&part.written, text.n + 1)
    for j in range(text.n):
        seen |= CLASS[text.p[j]]
        part.written.p[start + j] = text.p[j] | 0x20 if CLASS[text.p[j]] & UPPER else text.p[j]
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
    """The site of a URL whose host the URL Standard does not call a domain, as Python has it."""
    part.asked[k] = True
    part.o[k].host_start, part.o[k].has_host = 0, True
    if not write_site_of(&part.written, &part.texts[k]):
        refuse_row(part, k, DOMAIN_TO_ASCII, 0)
        return 0
    part.o[k].host_end = <uint32_t>(part.written.n - start)
    return wrote(job, part, k, start)


cdef bint write_site_of(Buffer* b, const Cell* text) except -1 with gil:
    from urlsm.crawler.sites import registrable_domain
    site = registrable_domain(text.p[:text.n])
    if site is None:
        return False
    octets = site.encode("utf-8")
    return buffer_copy(b, octets, len(octets)) == 0


cdef int read_key(const Job* job, Part* part, uint32_t k) except -1 nogil:
    """The text's key under the plan's profile."""
    cdef Cell* text = &part.texts[k]
    cdef Cell key
    cdef KeyFailure why
    cdef Buffer replaced
    cdef size_t start = part.written.n
    cdef const uint8_t* p = text.p
    cdef uint32_t n = text.n
    buffer_start(&replaced)
    try:
        if not is_utf8(p, n):
            replace_invalid(&replaced, text)
            p, n = replaced.p, <uint32_t>min(replaced.n, MAX_KEY_TEXT)
        part.key.n = 0
        if n > MAX_KEY_TEXT:
            refuse_row(part, k, TOO_LONG, n)
        elif not write_key(&part.key, p, n, job.plan.rules, &part.scratch, &why):
            refuse_row(part, k, why.code, 0)
        elif part.key.n == text.n and memcmp(part.key.p, text.p, text.n) == 0:
            part.state[k] = READ
        else:
            if is_utf8(part.key.p, part.key.n):
                buffer_copy(&part.written, part.key.p, part.key.n)
            else:
                key.p, key.n = part.key.p, <uint32_t>part.key.n
                replace_invalid(&part.written, &key)
            wrote(job, part, k, start)
    finally:
        buffer_free(&replaced)
    return 0


cdef int set_base(Job* job, Part* part, int64_t row) except -1 nogil:
    """Read the base of a row, unless it is the same as that of the row before."""
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
    """The URL parser on a row that may not be in normal form, or is relative to a base."""
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


cdef int replace_invalid(Buffer* b, const Cell* text) except -1 with gil:
    """The octets as UTF-8, with U+FFFD for what is invalid."""
    cdef bytes octets = text.p[:text.n].decode("utf-8", "replace").encode("utf-8")
    return buffer_copy(b, octets, min(len(octets), MAX_LENGTH))


cdef int64_t position_in(const Cell* text, const Failure* failure, bint valid) except -1 nogil:
    """The octet of the text as given that a failure is about."""
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
