"""The parts of a job become columns: memory changes hands, and views of later parts learn their buffers' numbers."""
from libc.stdint cimport INT32_MAX, int32_t, int64_t, uint8_t, uint32_t
from libc.stdlib cimport malloc, realloc
from libc.string cimport memcpy
from urlsm.columns.arrow cimport Column, column_free, column_held, column_new
from urlsm.columns.cells cimport Cells, UTF8, VIEW, View, WINDOW_BITS
from urlsm.columns.rows cimport F_ERROR, Job, is_text, out_of_memory, too_much
from urlsm.octets.buffer cimport Buffer


cdef inline int64_t windows_of(int64_t octets) noexcept nogil:
    return (octets + (<int64_t>1 << WINDOW_BITS) - 1) >> WINDOW_BITS


cdef inline int64_t source_octets(const Cells* cells) noexcept nogil:
    """How far the offsets of text that is not in views reach."""
    cdef int64_t last = cells.offset + cells.length
    if cells.length == 0:
        return 0
    return (<const int32_t*>cells.main)[last] if cells.layout == UTF8 else (<const int64_t*>cells.main)[last]


cdef inline int64_t source_buffers(const Job* job) noexcept nogil:
    """How many buffers a view column has for the source's octets."""
    if job.cells.layout == VIEW:
        return max(job.array.n_buffers - 3, 0)
    return windows_of(job.cells.octets)


cdef inline int set_windows(Column* c, int64_t first, const uint8_t* p, int64_t octets) except -1 nogil:
    """Memory as the buffers of a view column, from number first on. Each reaches into the next, for texts at a seam."""
    cdef int64_t k, start
    cdef int64_t* sizes = <int64_t*>c.owned[2]
    for k in range(windows_of(octets)):
        start = k << WINDOW_BITS
        c.array.buffers[2 + first + k] = p + start
        sizes[first + k] = min(octets - start, INT32_MAX)
    return 0


cdef inline Column* written_column(Buffer* written) except NULL nogil:
    """The text that was written, as memory that columns hold."""
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


cdef inline Column* view_column(Job* job, int f, Column** written) except NULL nogil:
    cdef int64_t own = source_buffers(job), number = own, k, row, moved
    cdef int t
    cdef View* view
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
        moved = number - own
        number += windows_of(job.part[t].written.n)
        if moved and job.part[t].written.n:
            row = job.part[t - 1].stop
            while row < job.part[t].stop:
                view = &(<View*>job.main[f])[row]
                if view.n > 12 and view.buffer >= own:
                    view.buffer += <uint32_t>moved
                row += 1
    c.array.buffers[2 + number] = c.owned[2]
    return c


cdef inline Column* octets_column(Job* job, int f) except NULL nogil:
    """utf8 or large_utf8: the octets of all parts in one buffer."""
    cdef Column* c = column_new(job.rows, 3, 0, 0)
    cdef size_t total = 0, at = 0
    cdef int64_t row = 0
    cdef int t
    cdef uint8_t* data
    if c == NULL:
        out_of_memory()
    for t in range(job.parts):
        total += job.part[t].out[f].n
    if job.plan.layout == UTF8 and total > INT32_MAX:
        column_free(c)
        too_much()
    if job.parts == 1:
        data = <uint8_t*>realloc(job.part[0].out[f].data, total + 1)
        if data != NULL:
            job.part[0].out[f].data = NULL
    else:
        data = <uint8_t*>malloc(total + 1)
    if data == NULL:
        column_free(c)
        out_of_memory()
    c.owned[1] = data
    c.array.buffers[2] = data
    if job.parts == 1:
        return c
    for t in range(job.parts):
        while row < job.part[t].stop:
            row += 1
            if job.plan.layout == UTF8:
                (<int32_t*>job.main[f])[row] += <int32_t>at
            else:
                (<int64_t*>job.main[f])[row] += at
        if job.part[t].out[f].n:
            memcpy(data + at, job.part[t].out[f].data, job.part[t].out[f].n)
        at += job.part[t].out[f].n
    return c


cdef inline Column* field_column(Job* job, int f, Column** written) except NULL nogil:
    cdef Column* c
    cdef int t, field = job.plan.fields[f]
    cdef bint text = is_text(job.plan, f)
    if text and job.plan.layout == VIEW:
        c = view_column(job, f, written)
    elif text:
        c = octets_column(job, f)
    else:
        c = column_new(job.rows, 2, 0, 0)
        if c == NULL:
            out_of_memory()
        if field == F_ERROR:
            c.dictionary = column_held(job.codes)
    c.owned[0] = job.main[f]
    c.array.buffers[1] = job.main[f]
    job.main[f] = NULL
    for t in range(job.parts):
        c.array.null_count += job.part[t].out[f].nulls
    if c.array.null_count:
        # (the third place is free: a view column's sizes are in it, but then its octets are others')
        c.owned[1 if text and job.plan.layout == VIEW else 2] = job.validities[f]
        c.array.buffers[0] = job.validities[f]
        job.validities[f] = NULL
    return c
