"""From rows of text to columns of fields, without the interpreter's lock.

A job is a column and a plan; its parts are ranges of rows, one a thread. A part goes on in batches: each row of a batch
is read (reading.pxi: a text, and where its components lie), then each field of the batch is cut out of the texts
and written (cuts.h). At last the parts' memory becomes columns (assembly.pxd). Texts that are a URL as they stand are
never copied where views go out; the others are written into the part's own buffer, one more buffer of the column.
"""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memcpy, memset
from urlsm.columns.arrow cimport (
    ArrowArray, Column, Stock, block_free, column_free, column_held, column_new, stock_recount, stock_release,
)
from urlsm.columns.assembly cimport field_column, gather, move_share, source_buffers, written_column
from urlsm.columns.cells cimport BATCH, Cell, MALFORMED, VIEW, cell_at, is_utf8, widest
from urlsm.columns.batches cimport replace_invalid, replace_written, write_batch
from urlsm.columns.cutting cimport ending_of
from urlsm.columns.dictionaries cimport indexed_column
from urlsm.columns.fields cimport F_AMBIGUOUS, F_HASH64, F_SHA1
from urlsm.columns.jobs cimport (
    Job, MAX_FIELDS, NULL_ROW, Part, Plan, READ, REFUSED_ROW, is_text, memory_new, out_of_memory, refuse_row,
    set_written, width_of, words_of,
)
from urlsm.crawler.hashes cimport PADDING, pad, xxh64
from urlsm.crawler.keys cimport MAX_KEY_TEXT, scratch_free, scratch_start, write_key
from urlsm.crawler.sites cimport Ending, Suffixes
from urlsm.crawler.structs cimport KeyFailure
from urlsm.machine.codes cimport DOMAIN_TO_ASCII, TOO_LONG
from urlsm.machine.machine cimport ABSENT
from urlsm.octets.buffer cimport Buffer, MAX_LENGTH, buffer_copy, buffer_free, buffer_reserve, buffer_start
from urlsm.machine.special cimport scheme_kind
from urlsm.octets.chars cimport CLASS, FORBIDDEN_DOMAIN, NON_ASCII, PERCENT, SCHEME_CHAR, TAB_NEWLINE, lower
from urlsm.url.parser cimport write_url
from urlsm.url.structs cimport BASE as BASE_IS_URL, Failure, GIVEN, Href, Offsets, REFUSED
import os
from urlsm.errors.rules import TABLE as _TABLE

cdef enum:
    MAX_NAME = 64            # octets of a scheme that read_connection asks for
    LOOK_ROWS = 1 << 16      # signals are checked after this many rows
    LOOK_OCTETS = 1 << 26    # or octets

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
    """For tests: limit the vector width to 64, 32, 16 or 1 octets. Returns the width in effect on this CPU."""
    global octets_at_once
    octets_at_once = widest(width)
    return octets_at_once


# --- memory ------------------------------------------------------------------------------------

cdef Stock stock             # the kept blocks: one stock per process, like malloc's


def release_memory():
    """Give the memory that is kept for the next columns, at most 64 MiB of freed memory, back to the system. Returns
    the number of octets. Existing columns keep their memory."""
    return stock_release(&stock)


def _recount():
    stock_recount(&stock)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_recount)


include "anew.pxi"
include "reading.pxi"


# --- jobs --------------------------------------------------------------------------------------

cdef int job_start(Job* job, const Plan* plan, const ArrowArray* array, int parts) except -1 nogil:
    """Allocate a job, whose cells are set, of `parts` ranges of rows. Call job_free in every case."""
    cdef int f, k
    cdef int64_t share, rows = job.rows
    cdef size_t width
    cdef Part* part
    if plan.reading == JUDGED and plan.judge == NULL:
        return no_judge()
    job.plan, job.array, job.codes = plan, array, codes
    job.written_from = <uint32_t>source_buffers(job)
    job.part = <Part**>calloc(parts, sizeof(Part*))
    job.validity = <uint64_t*>malloc(8 * words_of(rows))
    if job.part == NULL or job.validity == NULL:
        return out_of_memory()
    for f in range(plan.count):
        width = width_of(plan, f)
        job.main[f] = memory_new(&stock, width * <size_t>(rows + 1) if width else 8 * words_of(rows))
        job.validities[f] = <uint64_t*>malloc(8 * words_of(rows))
        if job.validities[f] == NULL:
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
            part.out[f].layout = plan.layout
            part.out[f].rows = part.stop - part.row if k else rows  # the others' octets come after the first's
            part.out[f].stock = &stock
            part.out[f].main = job.main[f]
            part.out[f].validity = job.validities[f]
    return 0


cdef int no_judge() except -1 with gil:
    raise TypeError("a judged field needs a judge")


cdef int job_work(Job* job, int number, Suffixes suffixes) except -1 nogil:
    """Go on with a part for some milliseconds. Returns 1 if there is more to do. suffixes: for F_SITE, else None."""
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
    """Return the struct of the job's fields, or its single field. Several parts must have been merged by job_gather and
    job_move. The job is empty then; job_free frees the rest."""
    cdef Column* c
    cdef Column** written = <Column**>calloc(job.parts + 1, sizeof(Column*))
    cdef Column* whole = NULL
    cdef int f, t
    if written == NULL:
        out_of_memory()
    try:
        if job.parts == 1:
            gather(job)
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


cdef int job_gather(Job* job) except -1 nogil:
    """Prepare the merge of the parts by job_move, when all are done."""
    return gather(job)


cdef void job_move(Job* job, int share) noexcept nogil:
    """Do a share of the merge. There are as many as parts; their order and threads do not matter."""
    move_share(job, share, job.parts)


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
    free(job.validity)
    memset(job, 0, sizeof(Job))


cdef Column* with_indices(Column* values, const ArrowArray* array, Column* source, int format, const Plan* plan,
                          const uint64_t* key) except NULL nogil:
    """What was made of a dictionary's values becomes the column that its indices make of them. source: what owns the
    array; key: HASH_WORDS of chance."""
    return indexed_column(values, array, source, format, plan, key, &stock)
