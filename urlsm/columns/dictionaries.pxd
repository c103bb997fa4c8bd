"""What was made of a dictionary's values becomes what its indices make of it: dictionaries again, of each text once.

Arrow lets a dictionary repeat a value and hold nulls, but its consumers compare rows by their indices: to them a value
that stands there twice is two values. Many URLs have one host, and so the answers are unified.
"""
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memcpy, memset
from urlsm.columns.arrow cimport ArrowArray, Column, column_free, column_held, column_new
from urlsm.columns.cells cimport (
    BATCH, Cell, Cells, LARGE_UTF8, Layout, UTF8, VIEW, View, bit_at, cell_at, index_at, prefetch, put_word, rows_new,
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
    /* The bits of a slot that are a number; the rest are the hash's highest. */
    #define URLSM_NUMBER (((uint64_t)1 << 40) - 1)
    """
    const uint64_t NUMBER "URLSM_NUMBER"
    uint64_t keyed_hash "urlsm_keyed_hash"(const void* p, Py_ssize_t n) noexcept nogil

cdef enum:
    FIRST_SLOTS = 1 << 10

cdef struct Entry:           # a text
    int64_t row              # the first row that has it
    uint64_t hashed

cdef struct Distinct:        # the texts of a column, each once; of another column of as many rows in the same memory
    Column* values
    int64_t* place           # of each given row: where its text is in values; 0 for a null. NULL: where it was
    Entry* entries
    int64_t count
    uint64_t* slots          # of a hash table: the number of a text, from 1, and bits of its hash; 0: the slot is free
    uint64_t mask            # the number of slots, a power of two, less 1; at least half of them are free
    uint64_t room            # for so many slots there is memory

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
        if cells.layout != VIEW and cell_at(cells, found.entries[k].row, &text):
            octets += text.n
    c.owned[0], c.owned[1] = calloc(found.count + 1, width), malloc(octets + 1)
    if c.owned[0] == NULL or c.owned[1] == NULL:
        column_free(c)
        out_of_memory()
    c.array.buffers[1] = c.owned[0]
    if cells.layout == VIEW:
        c.held[0] = column_held(given)
        for k in range(found.count):
            (<View*>c.owned[0])[k] = (<const View*>cells.main)[found.entries[k].row]
        return c
    c.array.buffers[2] = c.owned[1]
    octets = 0
    for k in range(found.count):
        if cell_at(cells, found.entries[k].row, &text):
            memcpy(<uint8_t*>c.owned[1] + octets, text.p, text.n)
            octets += text.n
        if cells.layout == UTF8:
            (<int32_t*>c.owned[0])[k + 1] = <int32_t>octets
        else:
            (<int64_t*>c.owned[0])[k + 1] = octets
    return c


cdef inline int more_slots(Distinct* found, int64_t row, int64_t rows) except -1 nogil:
    """The first slots; then twice as many, or, where most of the rows so far brought a new text, enough for all."""
    cdef uint64_t at, mask = 2 * found.mask + 1 if found.mask else FIRST_SLOTS - 1
    cdef int64_t k
    if found.mask and found.count > row // 2:
        while mask < 2 * <uint64_t>(rows + BATCH):
            mask = 2 * mask + 1
    if found.room <= mask:
        free(found.slots)
        found.room, found.slots = 0, <uint64_t*>rows_new(8 * (mask + 1))
        if found.slots == NULL:
            return out_of_memory()
        found.room = mask + 1
    found.mask = mask
    memset(found.slots, 0, 8 * (mask + 1))
    for k in range(found.count):
        at = found.entries[k].hashed & mask
        while found.slots[at]:
            at = (at + 1) & mask
        found.slots[at] = (found.entries[k].hashed & ~NUMBER) | <uint64_t>(k + 1)
    return 0


cdef inline int64_t place_of(Distinct* found, const Cells* cells, const Cell* text, uint64_t hashed,
                             int64_t row) noexcept nogil:
    """The number of the row's text, from 0; a new one is entered."""
    cdef uint64_t at = hashed & found.mask
    cdef uint64_t slot
    cdef Entry* entry
    cdef Cell other
    while found.slots[at]:
        slot = found.slots[at]
        entry = &found.entries[(slot & NUMBER) - 1]
        if (slot ^ hashed) & ~NUMBER == 0 and entry.hashed == hashed and cell_at(cells, entry.row, &other) \
                and other.n == text.n and memcmp(other.p, text.p, text.n) == 0:
            return <int64_t>(slot & NUMBER) - 1
        at = (at + 1) & found.mask
    found.entries[found.count].row, found.entries[found.count].hashed = row, hashed
    found.count += 1
    found.slots[at] = (hashed & ~NUMBER) | <uint64_t>found.count
    return found.count - 1


cdef inline int places_start(Distinct* found, int64_t row, int64_t rows) except -1 nogil:
    """A place of each row: so far, where it was."""
    cdef int64_t k
    found.place = <int64_t*>rows_new(8 * rows)
    if found.place == NULL:
        out_of_memory()
    for k in range(row):
        found.place[k] = k
    return 0


cdef inline int find_distinct(Distinct* found, Column* given, Layout layout) except -1 nogil:
    """The distinct texts of a column that we made. found is empty, or of another of as many rows; distinct_free frees
    what it holds, whatever happened."""
    cdef Cells cells
    cdef Cell[BATCH] texts
    cdef uint64_t[BATCH] hashed
    cdef bint[BATCH] there
    cdef int64_t row = 0, place, n = given.array.length
    cdef uint32_t k, count
    free(found.place)
    column_free(found.values)
    found.place, found.values, found.count, found.mask = NULL, NULL, 0, 0
    cells_of(&cells, &given.array, b"vu" if layout == VIEW else b"U" if layout == LARGE_UTF8 else b"u")
    if found.entries == NULL:
        found.entries = <Entry*>rows_new(sizeof(Entry) * (n + 1))
    if found.entries == NULL:
        out_of_memory()
    while row < n:
        count = <uint32_t>min(n - row, BATCH)
        if 2 * (found.count + BATCH) > <int64_t>found.mask:
            more_slots(found, row, n)
        for k in range(count):  # no slot of a large table is in a cache: all of them are asked for before any is read
            there[k] = cell_at(&cells, row + k, &texts[k])
            if there[k]:
                hashed[k] = keyed_hash(texts[k].p, texts[k].n)
                prefetch(<const uint8_t*>&found.slots[hashed[k] & found.mask])
        for k in range(count):
            place = place_of(found, &cells, &texts[k], hashed[k], row) if there[k] else 0
            if found.place == NULL and (place != row or not there[k]):
                places_start(found, row, n)
            if found.place != NULL:
                found.place[row] = place
            row += 1
    found.values = column_held(given) if found.place == NULL else distinct_column(given, &cells, found)
    return 0


cdef inline void distinct_free(Distinct* found) noexcept nogil:
    column_free(found.values)
    free(found.place)
    free(found.entries)
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
                            int f, Distinct* found) except NULL nogil:
    """The column that the indices make of the values of a field. source: what owns the array; found: as find_distinct
    takes it."""
    cdef Column* c = column_new(array.length, 2, 0, 1)
    cdef bint done = False
    if c == NULL:
        out_of_memory()
    try:
        set_indexed_validity(c, values, array, format)
        c.held[0] = column_held(source)
        if is_text(plan, f):
            set_indices(c, values, array, format, plan.layout, found)
        else:
            spread(c, values, array, format, width_of(plan, f))
        done = True
    finally:
        if not done:
            column_free(c)
    return c


cdef inline int set_indices(Column* c, Column* values, const ArrowArray* array, int format, Layout layout,
                            Distinct* found) except -1 nogil:
    """A dictionary of the values, each once and none of them null: the array's own indices, where they can stay."""
    cdef int64_t width = width_of_index(format)
    cdef const uint8_t* given = <const uint8_t*>array.buffers[1] + array.offset * width
    find_distinct(found, values, layout)
    c.dictionary = column_held(found.values)
    if found.place == NULL:
        c.array.buffers[1] = given
        return 0
    c.owned[1] = malloc((array.length + 1) * width)
    if c.owned[1] == NULL:
        return out_of_memory()
    c.array.buffers[1] = c.owned[1]
    put_indices(c.owned[1], given, format, array.length, found.place, values.array.length)
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
