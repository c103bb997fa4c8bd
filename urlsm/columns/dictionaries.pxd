"""What was made of a dictionary's values becomes what its indices make of it: dictionaries again, of each text once.

Arrow lets a dictionary repeat a value and hold nulls, but its consumers compare rows by their indices: to them a value
that stands there twice is two values. Many URLs have one host, and so the answers are unified.
"""
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memcpy, memset
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

cdef struct Slot:            # of a hash table
    uint64_t hashed
    int64_t number           # of the text, from 1; 0: the slot is free

cdef struct Distinct:        # the texts of a column, each once
    Column* values
    int64_t* place           # of each given row: where its text is in values; 0 for a null. NULL: where it was
    int64_t* rows            # of each text: the first row that has it
    int64_t count
    Slot* slots              # about half of them free
    uint64_t mask            # their number, a power of two, less 1

ctypedef fused Index:
    int8_t
    uint8_t
    int16_t
    uint16_t
    int32_t
    uint32_t
    int64_t
    uint64_t


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


cdef inline int more_slots(Distinct* found) except -1 nogil:
    """Twice as many slots, or the first ones."""
    cdef uint64_t k, at, mask = 2 * found.mask + 1 if found.slots != NULL else 1023
    cdef Slot* slots = <Slot*>calloc(mask + 1, sizeof(Slot))
    if slots == NULL:
        out_of_memory()
    if found.slots != NULL:
        for k in range(found.mask + 1):
            if found.slots[k].number:
                at = found.slots[k].hashed & mask
                while slots[at].number:
                    at = (at + 1) & mask
                slots[at] = found.slots[k]
    free(found.slots)
    found.slots, found.mask = slots, mask
    return 0


cdef inline int64_t place_of(Distinct* found, const Cells* cells, const Cell* text, int64_t row) except -1 nogil:
    """The number of the row's text, from 0; a new one is entered."""
    cdef uint64_t hashed = keyed_hash(text.p, text.n), at
    cdef Slot* slot
    cdef Cell other
    if found.slots == NULL or 2 * found.count > <int64_t>found.mask:
        more_slots(found)
    at = hashed & found.mask
    while found.slots[at].number:
        slot = &found.slots[at]
        if slot.hashed == hashed and cell_at(cells, found.rows[slot.number - 1], &other) and other.n == text.n \
                and memcmp(other.p, text.p, text.n) == 0:
            return slot.number - 1
        at = (at + 1) & found.mask
    found.rows[found.count] = row
    found.count += 1
    found.slots[at].hashed, found.slots[at].number = hashed, found.count
    return found.count - 1


cdef inline int find_distinct(Distinct* found, Column* given, Layout layout) except -1 nogil:
    """The distinct texts of a column that we made. distinct_free frees what they hold, whatever happened."""
    cdef Cells cells
    cdef Cell text
    cdef int64_t k, n = given.array.length
    memset(found, 0, sizeof(Distinct))
    cells_of(&cells, &given.array, b"vu" if layout == VIEW else b"U" if layout == LARGE_UTF8 else b"u")
    found.place, found.rows = <int64_t*>malloc(8 * (n + 1)), <int64_t*>malloc(8 * (n + 1))
    if found.place == NULL or found.rows == NULL:
        out_of_memory()
    for k in range(n):
        found.place[k] = place_of(found, &cells, &text, k) if cell_at(&cells, k, &text) else 0
    if found.count < n:
        found.values = distinct_column(given, &cells, found)
        return 0
    free(found.place)
    found.place, found.values = NULL, column_held(given)
    return 0


cdef inline void distinct_free(Distinct* found) noexcept nogil:
    column_free(found.values)
    free(found.place)
    free(found.rows)
    free(found.slots)


# --- by the indices ----------------------------------------------------------------------------

cdef inline int64_t width_of_index(int format) noexcept nogil:
    if format == c'c' or format == c'C':
        return 1
    if format == c's' or format == c'S':
        return 2
    return 4 if format == c'i' or format == c'I' else 8


cdef inline void put_places(Index* to, const Index* given, int64_t rows, const int64_t* place,
                            int64_t n) noexcept nogil:
    """The place of what each index names; 0 where it names nothing, as under a null."""
    cdef int64_t k
    for k in range(rows):
        to[k] = <Index>place[given[k]] if <uint64_t>given[k] < <uint64_t>n else 0


cdef inline void put_indices(void* to, const void* given, int format, int64_t rows, const int64_t* place,
                             int64_t n) noexcept nogil:
    if format == c'c':
        put_places(<int8_t*>to, <const int8_t*>given, rows, place, n)
    elif format == c'C':
        put_places(<uint8_t*>to, <const uint8_t*>given, rows, place, n)
    elif format == c's':
        put_places(<int16_t*>to, <const int16_t*>given, rows, place, n)
    elif format == c'S':
        put_places(<uint16_t*>to, <const uint16_t*>given, rows, place, n)
    elif format == c'i':
        put_places(<int32_t*>to, <const int32_t*>given, rows, place, n)
    elif format == c'I':
        put_places(<uint32_t*>to, <const uint32_t*>given, rows, place, n)
    elif format == c'l':
        put_places(<int64_t*>to, <const int64_t*>given, rows, place, n)
    else:
        put_places(<uint64_t*>to, <const uint64_t*>given, rows, place, n)


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
    cdef int64_t width = width_of_index(format)
    cdef const uint8_t* given = <const uint8_t*>array.buffers[1] + array.offset * width
    try:
        find_distinct(&found, values, layout)
        c.dictionary = column_held(found.values)
        if found.place == NULL:
            c.array.buffers[1] = given
            return 0
        c.owned[1] = malloc((array.length + 1) * width)
        if c.owned[1] == NULL:
            out_of_memory()
        c.array.buffers[1] = c.owned[1]
        put_indices(c.owned[1], given, format, array.length, found.place, values.array.length)
    finally:
        distinct_free(&found)
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
