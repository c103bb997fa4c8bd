"""The parts of a job become columns: memory changes hands, and views of later parts learn their buffers' numbers."""
from libc.stdint cimport INT32_MAX, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, malloc, realloc
from libc.string cimport memcpy
from urlsm.columns.arrow cimport ArrowArray, Column, column_free, column_held, column_new
from urlsm.columns.cells cimport LARGE_UTF8, UTF8, VIEW, View, WINDOW_BITS, bit_at, index_at, put_word
from urlsm.columns.rows cimport F_ERROR, Job, Plan, is_text, out_of_memory, too_much, width_of, words_of
from urlsm.octets.buffer cimport Buffer


cdef inline int64_t windows_of(int64_t octets) noexcept nogil:
    return (octets + (<int64_t>1 << WINDOW_BITS) - 1) >> WINDOW_BITS


cdef inline int64_t source_octets(const Job* job) noexcept nogil:
    """Octets of the source's data buffer, where it has one."""
    cdef int64_t last = job.cells.offset + job.cells.length
    if job.cells.layout == UTF8:
        return (<const int32_t*>job.cells.main)[last] if job.cells.length else 0
    return (<const int64_t*>job.cells.main)[last] if job.cells.layout == LARGE_UTF8 and job.cells.length else 0


cdef inline int64_t source_buffers(const Job* job) noexcept nogil:
    """How many buffers a view column has for the source's octets."""
    if job.cells.layout == VIEW:
        return max(job.array.n_buffers - 3, 0)
    return windows_of(source_octets(job))


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
        set_windows(c, 0, job.cells.data, source_octets(job))
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


# --- dictionaries ------------------------------------------------------------------------------

cdef inline int64_t width_of_index(int format) noexcept nogil:
    if format == c'c' or format == c'C':
        return 1
    if format == c's' or format == c'S':
        return 2
    return 4 if format == c'i' or format == c'I' else 8


cdef inline int width_of_number(const Plan* plan, int f) noexcept nogil:
    """Octets that a value takes which is not text; 0: a bit; -1: it is text."""
    return -1 if is_text(plan, f) else <int>width_of(plan, f)


cdef inline int set_indexed_validity(Column* c, const Column* values, const ArrowArray* array,
                                     int format) except -1 nogil:
    """A row is null where its index is, or the value there."""
    cdef int64_t k, at
    cdef const uint8_t* given = <const uint8_t*>array.buffers[0]
    cdef const uint8_t* there = <const uint8_t*>values.array.buffers[0]
    cdef uint64_t word = 0
    cdef uint64_t* bits
    cdef bint valid
    if given == NULL and there == NULL:
        return 0
    bits = <uint64_t*>malloc(8 * words_of(array.length))
    if bits == NULL:
        return out_of_memory()
    c.owned[0] = bits
    c.array.buffers[0] = bits
    for k in range(array.length):
        valid = given == NULL or bit_at(given, array.offset + k)
        if valid and there != NULL:
            at = index_at(format, array.buffers[1], array.offset + k)
            valid = 0 <= at < values.array.length and bit_at(there, at)
        word |= <uint64_t>valid << (k & 63)
        c.array.null_count += not valid
        if k & 63 == 63 or k + 1 == array.length:
            put_word(bits, k >> 6, word)
            word = 0
    return 0


cdef inline Column* indexed(Column* values, const ArrowArray* array, Column* source, int format,
                            int width) except NULL nogil:
    cdef Column* c = column_new(array.length, 2, 0, 1)
    cdef bint done = False
    if c == NULL:
        out_of_memory()
    try:
        set_indexed_validity(c, values, array, format)
        c.held[0] = column_held(source)
        if width < 0:
            c.array.buffers[1] = <const uint8_t*>array.buffers[1] + array.offset * width_of_index(format)
            c.dictionary = column_held(values)
        else:
            spread(c, values, array, format, width)
        done = True
    finally:
        if not done:
            column_free(c)
    return c


cdef inline int spread(Column* c, const Column* values, const ArrowArray* array, int format, int width) except -1 nogil:
    """Each row's own value, for a column that is not text."""
    cdef const uint8_t* given = <const uint8_t*>values.array.buffers[1]
    cdef const uint8_t* validity = <const uint8_t*>c.array.buffers[0]
    cdef uint8_t* to = <uint8_t*>calloc(1, <size_t>width * <size_t>array.length + 8 * words_of(array.length))
    cdef int64_t k, at
    if to == NULL:
        return out_of_memory()
    c.owned[1] = to
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
