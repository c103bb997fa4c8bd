"""Names and values to put into a query, encoded, found by name."""
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memchr, memcmp, memset
from urlsm.octets.buffer cimport Buffer, ascii_data, buffer_copy, buffer_free, buffer_start, is_ascii
from urlsm.octets.query cimport QueryField, next_field
from urlsm.octets.text cimport write_encoded, write_unquoted
from urlsm.url.coding cimport Coding
from urlsm.url.names cimport lower_octets, name_hash
from urlsm.url.params cimport write_field

cdef enum:
    FEW_PAIRS = 8            # up to this many need no heap, and are searched in order

cdef struct Pair:
    uint64_t hash            # of its name, if there are places
    size_t name              # where its name begins, in decoded octets; no "=" separates the two
    size_t name_end
    size_t field             # where it begins, encoded
    size_t field_end
    int next                 # another of the same name, or -1
    int last                 # in the first pair of a name: the last one
    bint first               # whether it is the first of its name; never of an empty field, which has none
    bint written

cdef struct Given:
    Buffer text              # names and fields
    int count
    Py_ssize_t most          # the number of pairs that there is room for
    Pair* pairs
    int* places              # open-addressed: the first pair of a name, or -1; NULL if there are few pairs
    size_t mask              # the number of places, less one
    Coding coding            # of the query
    Pair[FEW_PAIRS] few_pairs


cdef inline void given_start(Given* g) noexcept:
    buffer_start(&g.text)
    g.count = 0
    g.most = 0
    g.pairs = g.few_pairs
    g.places = NULL


cdef inline void given_free(Given* g) noexcept:
    buffer_free(&g.text)
    if g.pairs != g.few_pairs:
        free(g.pairs)
    free(g.places)


cdef inline bint is_pair_named(const Given* g, const Pair* pair, const uint8_t* p, size_t n) noexcept nogil:
    return pair.name_end - pair.name == n and memcmp(g.text.p + pair.name, p, n) == 0


cdef inline int few_named(const Given* g, const uint8_t* p, size_t n) noexcept nogil:
    """Return the first pair of the decoded name p[0:n], where there are few pairs; -1 if it has none."""
    cdef int k
    for k in range(g.count):
        if g.pairs[k].first and is_pair_named(g, &g.pairs[k], p, n):
            return k
    return -1


cdef inline int* place_of(Given* g, const uint8_t* p, size_t n, uint64_t hash) noexcept nogil:
    """Return the place of the decoded name p[0:n]: that of its first pair, or an empty one."""
    cdef size_t k = hash & g.mask
    cdef const Pair* pair
    while g.places[k] >= 0:
        pair = &g.pairs[g.places[k]]
        if pair.hash == hash and is_pair_named(g, pair, p, n):
            break
        k = (k + 1) & g.mask
    return &g.places[k]


cdef inline int make_room(Given* g, Py_ssize_t most) except -1:
    """Make room for this many names and values, once."""
    g.most = most
    if most <= FEW_PAIRS:
        return 0
    if most > 0x0FFFFFFF:
        raise ValueError("the URL would be too long")
    g.mask = 4 * FEW_PAIRS - 1
    while g.mask < 2 * <size_t>most:
        g.mask = 2 * g.mask + 1
    g.places = <int*>malloc((g.mask + 1) * sizeof(int))
    if g.places == NULL:
        raise MemoryError()
    memset(g.places, 0xFF, (g.mask + 1) * sizeof(int))
    g.pairs = <Pair*>malloc(most * sizeof(Pair))
    if g.pairs == NULL:
        raise MemoryError()
    return 0


cdef inline void fold_from(Given* g, size_t start) noexcept nogil:
    """Write the letters of the name that begins at start in lower case, where their case does not matter."""
    if g.coding.fold:
        lower_octets(g.text.p + start, g.text.n - start)


cdef inline int give(Given* g, object name, object value) except -1:
    """Add a name and its value, each str, or None for no value; there must be room."""
    cdef Pair* pair = &g.pairs[g.count]
    cdef bytes octets
    pair.name = g.text.n
    if is_ascii(name):
        buffer_copy(&g.text, ascii_data(name), len(<str>name))
    else:
        from urlsm.octets.text import utf8
        octets = utf8(name)
        buffer_copy(&g.text, <const uint8_t*>PyBytes_AS_STRING(octets), PyBytes_GET_SIZE(octets))
    fold_from(g, pair.name)
    pair.name_end = pair.field = g.text.n
    write_field(&g.text, name, value, &g.coding)
    pair.field_end = g.text.n
    return add(g)


cdef inline int give_text(Given* g, const uint8_t* p, size_t n, uint32_t encode_set, Py_ssize_t more) except -1:
    """Make room for the fields of a query p[0:n] and more, and add these fields, as they are but for octets of the
    set."""
    cdef QueryField f
    cdef Pair* pair
    cdef Py_ssize_t count = 0
    f.next = p
    while next_field(&f, p + n):
        count += 1
    make_room(g, count + more)
    f.next = p
    while next_field(&f, p + n):
        pair = &g.pairs[g.count]
        pair.name = g.text.n
        write_unquoted(&g.text, f.name, f.equals - f.name, g.coding.plus_in_names)
        fold_from(g, pair.name)
        pair.name_end = pair.field = g.text.n
        write_encoded(&g.text, f.name, f.end - f.name, encode_set)
        pair.field_end = g.text.n
        if f.end > f.name:
            add(g)
        else:
            pair.first, pair.written, pair.next = False, True, -1
            g.count += 1
    return 0


cdef inline int add(Given* g) except -1:
    """Add the pair that is written."""
    cdef int k = g.count, found
    cdef Pair* pair = &g.pairs[k]
    cdef int* place = NULL
    if g.places == NULL:
        found = few_named(g, g.text.p + pair.name, pair.name_end - pair.name)
    else:
        pair.hash = name_hash(g.text.p + pair.name, pair.name_end - pair.name)
        place = place_of(g, g.text.p + pair.name, pair.name_end - pair.name, pair.hash)
        found = place[0]
    pair.next = -1
    pair.last = k
    pair.written = False
    pair.first = found < 0
    if found >= 0:
        g.pairs[g.pairs[found].last].next = k
        g.pairs[found].last = k
    elif place != NULL:
        place[0] = k
    g.count += 1
    return 0


cdef inline int given_for(Given* g, const uint8_t* p, size_t n) except? -1 nogil:
    """Return the first pair of the name p[0:n], as it stands in the query; -1 if it has none."""
    cdef size_t start = g.text.n
    if n and (g.coding.fold or memchr(p, c'%', n) != NULL or memchr(p, c'+', n) != NULL):
        write_unquoted(&g.text, p, n, g.coding.plus_in_names)
        fold_from(g, start)
        n = g.text.n - start
        g.text.n = start
        p = g.text.p + start
    return few_named(g, p, n) if g.places == NULL else place_of(g, p, n, name_hash(p, n))[0]
