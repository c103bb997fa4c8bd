"""What was made of a dictionary's values becomes what its indices make of it: dictionaries again, of each text once.

Arrow lets a dictionary repeat a value and hold nulls, but its consumers compare rows by their indices: to them a value
that stands there twice is two values. Many URLs have one host, and so the answers are unified.
"""
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memcpy
from urlsm.columns.arrow cimport ArrowArray, Column, column_free, column_held, column_new
from urlsm.columns.cells cimport (
    Cell, Cells, LARGE_UTF8, Layout, UTF8, VIEW, View, bit_at, cell_at, index_at, put_word,
)
from urlsm.columns.rows cimport Plan, cells_of, is_text, out_of_memory, width_of, words_of

cdef extern from *:
    """
    /* A hash whose key is the process's own: who sends texts cannot choose some that collide. */
    #if PY_VERSION_HEX >= 0x030E0000
    #define urlsm_keyed_hash(p, n) ((uint64_t)Py_HashBuffer(p, n))
    #else
    #define urlsm_keyed_hash(p, n) ((uint64_t)_Py_HashBytes(p, n))
    #endif
    """
    uint64_t keyed_hash "urlsm_keyed_hash"(const void* p, Py_ssize_t n) noexcept nogil

cdef struct Distinct:        # the texts of a column, each once
    Column* values
    int64_t* place           # of each given row: where its text is in values, -1 for null. NULL: where it was
    int64_t* rows            # of each text: the first row that has it
    int64_t count


# --- each text once ----------------------------------------------------------------------------

cdef inline Column* distinct_column(Column* given, const Cells* cells, const Distinct* found) except NULL nogil:
    """The rows that were found, as a column of the given one's layout. Views stay where they point."""
    cdef int64_t k, octets = 0, width = 16 if cells.layout == VIEW else 4 if cells.layout == UTF8 else 8
    cdef Column* c = column_new(found.count, given.array.n_buffers, 0, 1)
    cdef Cell text
    if c == NULL:
        out_of_memory()
    for k in range(2, given.array.n_buffers):
        c.array.buffers[k] = given.array.buffers[k]
    for k in range(found.count):
        if cells.layout != VIEW and cell_at(cells, found.rows[k], &text):
            octets += text.n
    c.owned[0], c.owned[1] = calloc(found.count + 1, width), malloc(octets + 1)
    if c.owned[0] == NULL or c.owned[1] == NULL:
        column_free(c)
        out_of_memory()
    c.array.buffers[1] = c.owned[0]
    if cells.layout == VIEW:
        c.held[0] = column_held(given)
        for k in range(found.count):
            (<View*>c.owned[0])[k] = (<const View*>cells.main)[found.rows[k]]
        return c
    c.array.buffers[2] = c.owned[1]
    octets = 0
    for k in range(found.count):
        if cell_at(cells, found.rows[k], &text):
            memcpy(<uint8_t*>c.owned[1] + octets, text.p, text.n)
            octets += text.n
        if cells.layout == UTF8:
            (<int32_t*>c.owned[0])[k + 1] = <int32_t>octets
        else:
            (<int64_t*>c.owned[0])[k + 1] = octets
    return c


cdef inline int find_distinct(Distinct* found, const Cells* cells, int64_t* slots, uint64_t mask,
                              uint64_t* hashes) except -1 nogil:
    """Fill in found.place, rows and count. slots: all 0; a table of more rows than there are, mask their number - 1."""
    cdef int64_t k, first
    cdef uint64_t hashed, at
    cdef Cell text, other
    for k in range(cells.length):
        if not cell_at(cells, k, &text):
            found.place[k] = -1
            continue
        hashed = keyed_hash(text.p, text.n)
        at = hashed & mask
        while True:
            first = slots[at] - 1
            if first < 0:
                slots[at] = found.count + 1
                hashes[found.count], found.rows[found.count], found.place[k] = hashed, k, found.count
                found.count += 1
                break
            if hashes[first] == hashed and cell_at(cells, found.rows[first], &other) and other.n == text.n \
                    and memcmp(other.p, text.p, text.n) == 0:
                found.place[k] = first
                break
            at = (at + 1) & mask
    return 0


cdef inline int start_distinct(Distinct* found, Column* given, Layout layout) except -1 nogil:
    """The distinct texts of a column that we made. end_distinct gives back what they hold, whatever happened."""
    cdef Cells cells
    cdef int64_t n = given.array.length
    cdef uint64_t slot_count = 1
    cdef int64_t* slots = NULL
    cdef uint64_t* hashes = NULL
    found.values, found.count = NULL, 0
    found.place, found.rows = <int64_t*>malloc(8 * (n + 1)), <int64_t*>malloc(8 * (n + 1))
    cells_of(&cells, &given.array, b"vu" if layout == VIEW else b"U" if layout == LARGE_UTF8 else b"u")
    while slot_count < <uint64_t>n + n // 2 + 1:
        slot_count *= 2
    try:
        slots, hashes = <int64_t*>calloc(slot_count, 8), <uint64_t*>malloc(8 * (n + 1))
        if slots == NULL or hashes == NULL or found.place == NULL or found.rows == NULL:
            out_of_memory()
        find_distinct(found, &cells, slots, slot_count - 1, hashes)
        if found.count == n:
            free(found.place)
            found.place, found.values = NULL, column_held(given)
        else:
            found.values = distinct_column(given, &cells, found)
    finally:
        free(slots)
        free(hashes)
    return 0


cdef inline void end_distinct(Distinct* found) noexcept nogil:
    column_free(found.values)
    free(found.place)
    free(found.rows)


# --- by the indices ----------------------------------------------------------------------------

cdef inline int64_t width_of_index(int format) noexcept nogil:
    if format == c'c' or format == c'C':
        return 1
    if format == c's' or format == c'S':
        return 2
    return 4 if format == c'i' or format == c'I' else 8


cdef inline void put_index(void* indices, int format, int64_t k, int64_t value) noexcept nogil:
    cdef int64_t width = width_of_index(format)
    if width == 1:
        (<int8_t*>indices)[k] = <int8_t>value
    elif width == 2:
        (<int16_t*>indices)[k] = <int16_t>value
    elif width == 4:
        (<int32_t*>indices)[k] = <int32_t>value
    else:
        (<int64_t*>indices)[k] = value


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


cdef inline Column* indexed(Column* values, const ArrowArray* array, Column* source, int format, const Plan* plan,
                            int f) except NULL nogil:
    """The column that the indices make of the values of a field. source: what owns the array."""
    cdef Column* c = column_new(array.length, 2, 0, 1)
    cdef bint done = False
    if c == NULL:
        out_of_memory()
    try:
        set_indexed_validity(c, values, array, format)
        c.held[0] = column_held(source)
        if is_text(plan, f):
            set_indices(c, values, array, format, plan.layout)
        else:
            spread(c, values, array, format, width_of(plan, f))
        done = True
    finally:
        if not done:
            column_free(c)
    return c


cdef inline int set_indices(Column* c, Column* values, const ArrowArray* array, int format,
                            Layout layout) except -1 nogil:
    """A dictionary of the values, each once and none of them null: the array's own indices, where they can stay."""
    cdef Distinct found
    cdef const uint8_t* validity = <const uint8_t*>c.array.buffers[0]
    cdef int64_t k, at
    try:
        start_distinct(&found, values, layout)
        c.dictionary = column_held(found.values)
        if found.place == NULL:
            c.array.buffers[1] = <const uint8_t*>array.buffers[1] + array.offset * width_of_index(format)
            return 0
        c.owned[1] = calloc(array.length + 1, width_of_index(format))
        if c.owned[1] == NULL:
            out_of_memory()
        c.array.buffers[1] = c.owned[1]
        for k in range(array.length):
            if validity == NULL or bit_at(validity, k):
                at = index_at(format, array.buffers[1], array.offset + k)
                if 0 <= at < values.array.length:
                    put_index(c.owned[1], format, k, found.place[at])
    finally:
        end_distinct(&found)
    return 0


cdef inline int spread(Column* c, const Column* values, const ArrowArray* array, int format,
                       size_t width) except -1 nogil:
    """Each row's own value, for a column that is not text. width: octets that a value takes; 0: a bit."""
    cdef const uint8_t* given = <const uint8_t*>values.array.buffers[1]
    cdef const uint8_t* validity = <const uint8_t*>c.array.buffers[0]
    cdef uint8_t* to = <uint8_t*>calloc(1, width * <size_t>array.length + 8 * words_of(array.length))
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
