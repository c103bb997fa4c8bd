"""Merging the parts of a job into one, and then into columns: octets are moved together, and memory changes owners."""
from libc.stdint cimport INT32_MAX, int32_t, int64_t, uint8_t, uint32_t
from libc.stdlib cimport malloc
from libc.string cimport memcpy
from urlsm.columns.arrow cimport Column, block_resized, column_free, column_held, column_new
from urlsm.columns.cells cimport LARGE_UTF8, Out, UTF8, VIEW, View, WINDOW_BITS
from urlsm.columns.fields cimport F_ERROR
from urlsm.columns.jobs cimport Job, is_text, memory_new, out_of_memory, too_much
from urlsm.octets.buffer cimport Buffer


cdef inline int64_t windows_of(int64_t octets) noexcept nogil:
    return (octets + (<int64_t>1 << WINDOW_BITS) - 1) >> WINDOW_BITS


cdef inline int64_t source_buffers(const Job* job) noexcept nogil:
    """Return the number of buffers that a view column needs for the source's octets."""
    if job.cells.layout == VIEW:
        return max(job.array.n_buffers - 3, 0)
    return windows_of(job.cells.octets)


cdef inline int set_windows(Column* c, int64_t first, const uint8_t* p, int64_t octets) except -1 nogil:
    """Set memory as the buffers of a view column, from number first on. They overlap, for texts across a border."""
    cdef int64_t k, start
    cdef int64_t* sizes = <int64_t*>c.owned[2]
    for k in range(windows_of(octets)):
        start = k << WINDOW_BITS
        c.array.buffers[2 + first + k] = p + start
        sizes[first + k] = min(octets - start, INT32_MAX)
    return 0


cdef inline Column* written_column(Buffer* written) except NULL nogil:
    """Return the written text, as memory that columns hold."""
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


# --- merging parts -----------------------------------------------------------------------------

cdef inline int gather(Job* job) except -1 nogil:
    """Make room after the first part's octets for those of the others, when all parts are done."""
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
    """Shift the offsets of a part's rows: by so many octets, and so many written buffers."""
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


cdef inline void move_share(Job* job, int share, int shares) noexcept nogil:
    """Do one share of merging the parts after gather, on any thread: each part's octets are put after those of the one
    before, and its rows count from there."""
    cdef int f, t
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


# --- columns -----------------------------------------------------------------------------------

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
    if not text and field == F_ERROR:
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
