"""From the answers for a dictionary's values to those for its rows: dictionaries again, which hold each text once.

Arrow lets a dictionary repeat a value and hold nulls, but its consumers compare rows by their indices: to them a
repeated value is two values. Many URLs share one host, so equal answers are merged.
"""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport malloc
from libc.string cimport memcmp, memcpy, memset
from urlsm.columns.arrow cimport ArrowArray, Column, Stock, block_free, column_free, column_held, column_new
from urlsm.columns.cells cimport (
    BATCH, Cell, Cells, LARGE_UTF8, Layout, UTF8, VIEW, View, bit_at, cell_at, cells_of, index_at,
    prefetch_line,
)
from urlsm.columns.jobs cimport Plan, is_text, memory_new, out_of_memory, width_of, words_of

cdef extern from *:
    """
    /* The bits of a slot that hold a number; the rest are the highest of the hash. */
    #define URLSM_NUMBER (((uint64_t)1 << 40) - 1)
    """
    const uint64_t NUMBER "URLSM_NUMBER"

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

cdef enum:
    FIRST_SLOTS = 1 << 10

cdef struct Entry:           # a text, and the first row with it
    const uint8_t* p
    uint64_t hashed
    int64_t row
    uint32_t n

cdef struct Distinct:        # the texts of a column, each once; of another column of as many rows in the same memory
    Stock* stock             # where memory comes from
    const uint64_t* key      # of the hash
    Column* values
    int64_t* place           # of each given row: where its text is in values; 0 for a null. NULL: where it was
    bint moved               # some row's text has moved: place is set
    Entry* entries
    int64_t count
    uint64_t* slots          # of a hash table: the number of a text, from 1, and bits of its hash; 0: the slot is free
    uint64_t mask            # the number of slots, a power of two, less 1; a fifth of them is free
    uint64_t room            # the number of slots that there is memory for


# --- each text once ----------------------------------------------------------------------------

cdef inline Column* distinct_column(Column* given, const Cells* cells, const Distinct* found) except NULL nogil:
    """Return the distinct rows, as a column in the layout of the given one. Views keep pointing to the same place."""
    cdef int64_t k, octets = 0, width = 16 if cells.layout == VIEW else 4 if cells.layout == UTF8 else 8
    cdef Column* c = column_new(found.count, given.array.n_buffers, 0, 1)
    cdef const Entry* entry
    cdef bint done = False
    if c == NULL:
        out_of_memory()
    for k in range(2, given.array.n_buffers):
        c.array.buffers[k] = given.array.buffers[k]
    try:
        c.blocks[0] = memory_new(found.stock, (found.count + 1) * width)
        memset(c.blocks[0], 0, width)  # the first offset
        c.array.buffers[1] = c.blocks[0]
        if cells.layout == VIEW:
            c.held[0] = column_held(given)
            for k in range(found.count):
                (<View*>c.blocks[0])[k] = (<const View*>cells.main)[found.entries[k].row]
        else:
            for k in range(found.count):
                octets += found.entries[k].n
            c.blocks[1] = memory_new(found.stock, octets + 1)
            c.array.buffers[2] = c.blocks[1]
            octets = 0
            for k in range(found.count):
                entry = &found.entries[k]
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
    """Return whether there are slots for a batch more than count texts."""
    return 5 * <uint64_t>(count + BATCH) <= 4 * mask


cdef inline int more_slots(Distinct* found, int64_t row, int64_t rows) except -1 nogil:
    """Make the first slots; then twice as many, or enough for all where most rows so far had a new text."""
    cdef uint64_t at, mask = 2 * found.mask + 1 if found.mask else FIRST_SLOTS - 1
    cdef int64_t k
    if found.mask and found.count > row // 2:
        while not has_room(mask, rows):
            mask = 2 * mask + 1
    if found.room <= mask:
        block_free(found.slots)
        found.room, found.slots = 0, NULL
        found.slots = <uint64_t*>memory_new(found.stock, 8 * (mask + 1))
        found.room = mask + 1
    found.mask = mask
    memset(found.slots, 0, 8 * (mask + 1))
    for k in range(found.count):
        at = found.entries[k].hashed & mask
        while found.slots[at]:
            at = (at + 1) & mask
        found.slots[at] = (found.entries[k].hashed & ~NUMBER) | <uint64_t>(k + 1)
    return 0


cdef inline bint is_entry(const Entry* entry, const Cell* text, uint64_t hashed) noexcept nogil:
    return entry.hashed == hashed and entry.n == text.n and memcmp(entry.p, text.p, text.n) == 0


cdef inline int64_t place_of(Distinct* found, const Cell* text, uint64_t hashed, int64_t row) noexcept nogil:
    """Return the number of the row's text, from 0; a new text is entered."""
    cdef uint64_t at = hashed & found.mask
    cdef uint64_t slot
    cdef Entry* entry
    while found.slots[at]:
        slot = found.slots[at]
        if (slot ^ hashed) & ~NUMBER == 0 and is_entry(&found.entries[(slot & NUMBER) - 1], text, hashed):
            return <int64_t>(slot & NUMBER) - 1
        at = (at + 1) & found.mask
    entry = &found.entries[found.count]
    entry.p, entry.n, entry.hashed, entry.row = text.p, text.n, hashed, row
    found.count += 1
    found.slots[at] = (hashed & ~NUMBER) | <uint64_t>found.count
    return found.count - 1


cdef inline int places_start(Distinct* found, int64_t row, int64_t rows) except -1 nogil:
    """Start the places of all rows: so far, where they were."""
    cdef int64_t k
    if found.place == NULL:
        found.place = <int64_t*>memory_new(found.stock, 8 * rows)
    for k in range(row):
        found.place[k] = k
    found.moved = True
    return 0


cdef inline int find_distinct(Distinct* found, Column* given, Layout layout) except -1 nogil:
    """Find the distinct texts of a column that we made. found is empty, or of another column of as many rows. Call
    distinct_free in every case."""
    cdef Cells cells
    cdef Cell[BATCH] texts
    cdef uint64_t[BATCH] hashed
    cdef bint[BATCH] there
    cdef const Entry* entry
    cdef uint64_t slot
    cdef int64_t row = 0, place, n = given.array.length
    cdef uint32_t k, count
    column_free(found.values)
    found.values, found.moved, found.count, found.mask = NULL, False, 0, 0
    cells_of(&cells, &given.array, b"vu" if layout == VIEW else b"U" if layout == LARGE_UTF8 else b"u")
    if found.entries == NULL:
        found.entries = <Entry*>memory_new(found.stock, sizeof(Entry) * (n + 1))
    while row < n:
        count = <uint32_t>min(n - row, BATCH)
        if not has_room(found.mask, found.count):
            more_slots(found, row, n)
        # large tables are not in the caches: slots, entries and their texts are prefetched before any is read
        for k in range(count):
            there[k] = cell_at(&cells, row + k, &texts[k])
            hashed[k] = keyed_hash(found.key, texts[k].p, texts[k].n) if there[k] else 0
            prefetch_line(&found.slots[hashed[k] & found.mask])
        for k in range(count):
            slot = found.slots[hashed[k] & found.mask]
            if slot and (slot ^ hashed[k]) & ~NUMBER == 0:
                prefetch_line(&found.entries[(slot & NUMBER) - 1])
        for k in range(count):
            slot = found.slots[hashed[k] & found.mask]
            if slot and (slot ^ hashed[k]) & ~NUMBER == 0:
                entry = &found.entries[(slot & NUMBER) - 1]
                prefetch_line(entry.p)
        for k in range(count):
            place = place_of(found, &texts[k], hashed[k], row) if there[k] else 0
            if not found.moved and (place != row or not there[k]):
                places_start(found, row, n)
            if found.moved:
                found.place[row] = place
            row += 1
    found.values = distinct_column(given, &cells, found) if found.moved else column_held(given)
    return 0


cdef inline void distinct_free(Distinct* found) noexcept nogil:
    column_free(found.values)
    block_free(found.place)
    block_free(found.entries)
    block_free(found.slots)


# --- by the indices ----------------------------------------------------------------------------

cdef inline int set_indexed_validity(Column* c, const Column* values, const ArrowArray* array,
                                     int format) except -1 nogil:
    """Make a row null where its index is null, or the value there."""
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


cdef inline Column* indexed(Column* values, const ArrowArray* array, Column* source, int format, const Plan* plan,
                            int f, Distinct* found) except NULL nogil:
    """Return the column of a field's values by the indices. source: the owner of the array; found: as for
    find_distinct."""
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
            spread(c, values, array, format, width_of(plan, f), found.stock)
        done = True
    finally:
        if not done:
            column_free(c)
    return c


cdef inline int set_indices(Column* c, Column* values, const ArrowArray* array, int format, Layout layout,
                            Distinct* found) except -1 nogil:
    """Make a dictionary of the distinct values, without nulls: with the array's own indices, where they can stay."""
    cdef const Indices* indices = indices_of(format)
    cdef const uint8_t* given = <const uint8_t*>array.buffers[1] + array.offset * indices.width
    find_distinct(found, values, layout)
    c.dictionary = column_held(found.values)
    if not found.moved:
        c.array.buffers[1] = given
        return 0
    c.blocks[0] = memory_new(found.stock, (array.length + 1) * indices.width)
    c.array.buffers[1] = c.blocks[0]
    indices.places(c.blocks[0], given, array.length, found.place, values.array.length)
    return 0


cdef inline int spread(Column* c, const Column* values, const ArrowArray* array, int format, size_t width,
                       Stock* stock) except -1 nogil:
    """Each row's own value, for a column that is not text. width: octets that a value takes; 0: a bit."""
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


cdef inline Column* indexed_column(Column* values, const ArrowArray* array, Column* source, int format,
                                   const Plan* plan, const uint64_t* key, Stock* stock) except NULL nogil:
    """The column that a dictionary's indices make of what was made of its values: a dictionary, or a struct of such.
    What is not text is spread out. source: what owns the array; key: HASH_WORDS of chance."""
    cdef Column* c = NULL
    cdef Distinct found
    cdef bint done = False
    cdef int f
    memset(&found, 0, sizeof(Distinct))
    found.key, found.stock = key, stock
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
