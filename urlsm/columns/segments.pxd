"""List columns: of paths their percent-decoded segments, of words the names of their bits."""
from libc.stdint cimport INT32_MAX, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport malloc
from libc.string cimport memchr
from urlsm.columns.arrow cimport Column, column_free, column_new
from urlsm.columns.assembly cimport written_column
from urlsm.columns.cells cimport Cell, Cells, bit_at, cell_at, is_utf8, popcount, put_word
from urlsm.columns.batches cimport replace_written
from urlsm.columns.jobs cimport out_of_memory, too_much, words_of
from urlsm.octets.buffer cimport Buffer, buffer_copy, buffer_free, buffer_start
from urlsm.octets.text cimport write_unquoted
from urlsm.octets.words cimport first_bit


cdef inline int64_t segment_count(const Cell* path) noexcept nogil:
    cdef int64_t count = 0
    cdef uint32_t k
    if path.n and path.p[0] == c'/':
        for k in range(path.n):
            count += path.p[k] == c'/'
    return count


cdef inline int64_t write_segments(Buffer* b, const Cell* path, int32_t* starts) except -1 nogil:
    """Append the segments of a path, and set where each ends. Returns the number of segments."""
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
    """Return a list column of `count` texts of utf8, without their octets: its memory is not written yet."""
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


cdef inline Column* names_of(const Column* words, const uint8_t* names, const int32_t* ends) except NULL nogil:
    """Return the names of the bits that each row of a column of uint64 has. ends: where each name ends in names; the
    first begins after ends[0]."""
    cdef int64_t k, count = 0, rows = words.array.length
    cdef const uint8_t* validity = <const uint8_t*>words.array.buffers[0]
    cdef const uint64_t* given = <const uint64_t*>words.array.buffers[1]
    cdef uint64_t left, word = 0
    cdef uint32_t bit
    cdef Column* c
    cdef int32_t* starts
    cdef bint done = False
    cdef Buffer b
    for k in range(rows):  # (a null's word is 0)
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
            if validity == NULL or bit_at(validity, k):
                word |= <uint64_t>1 << (k & 63)
            else:
                c.array.null_count += 1
            if k & 63 == 63 or k + 1 == rows:
                put_word(<uint64_t*>c.owned[0], k >> 6, word)
                word = 0
        (<int32_t*>c.owned[1])[rows] = <int32_t>count
        c.children[0].held[0] = written_column(&b)
        c.children[0].array.buffers[2] = c.children[0].held[0].owned[0]
        done = True
    finally:
        buffer_free(&b)
        if not done:
            column_free(c)
    return c


cdef inline Column* segments_of(const Cells* cells, int64_t rows) except NULL nogil:
    """Return the percent-decoded segments of each path, as a list column of utf8, empty for a path without a "/" in
    front."""
    cdef Column* c
    cdef Column* found
    cdef int64_t k, count = 0
    cdef uint64_t word = 0
    cdef bint done = False
    cdef Cell text
    cdef Buffer b
    cdef int32_t* starts
    for k in range(rows):
        if cell_at(cells, k, &text):
            count += segment_count(&text)
    c = list_column(rows, count)
    found = c.children[0]
    starts = <int32_t*>found.owned[1]
    buffer_start(&b)
    try:
        count = 0
        for k in range(rows):
            (<int32_t*>c.owned[1])[k] = <int32_t>count
            if cell_at(cells, k, &text):
                word |= <uint64_t>1 << (k & 63)
                count += write_segments(&b, &text, starts + count)
            else:
                c.array.null_count += 1
            if k & 63 == 63 or k + 1 == rows:
                put_word(<uint64_t*>c.owned[0], k >> 6, word)
                word = 0
        (<int32_t*>c.owned[1])[rows] = <int32_t>count
        found.held[0] = written_column(&b)
        found.array.buffers[2] = found.held[0].owned[0]
        done = True
    finally:
        buffer_free(&b)
        if not done:
            column_free(c)
    return c
