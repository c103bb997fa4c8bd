"""Names and values that a query is to have, as forms write them, found by name."""
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.stdint cimport uint8_t, uint32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memchr, memcmp, memset
from urlsm.octets.buffer cimport Buffer, ascii_data, buffer_copy, buffer_free, buffer_put, buffer_start, is_ascii
from urlsm.octets.percent cimport write_unquoted
from urlsm.url.params cimport write_form

cdef enum:
    FEW_PAIRS = 8            # so many need no heap
    FEW_PLACES = 16          # a power of two

cdef struct Pair:
    uint32_t hash            # of its name
    size_t name              # where its name begins, decoded octets; there is no "=" in between
    size_t name_end
    size_t field             # where it begins as forms write it
    size_t field_end
    int next                 # another of the same name, or -1
    int last                 # of the first of a name: the last of them
    bint first               # of its name
    bint written

cdef struct Given:
    Buffer text              # names and fields
    int count
    Pair* pairs
    int* places              # open-addressed: the first pair of a name, or -1
    uint32_t mask            # places, less one
    Pair[FEW_PAIRS] few_pairs
    int[FEW_PLACES] few_places


cdef inline void given_start(Given* g) noexcept:
    buffer_start(&g.text)
    g.count = 0
    g.pairs = g.few_pairs
    g.places = g.few_places
    g.mask = FEW_PLACES - 1


cdef inline void given_free(Given* g) noexcept:
    buffer_free(&g.text)
    if g.pairs != g.few_pairs:
        free(g.pairs)
    if g.places != g.few_places:
        free(g.places)


cdef inline uint32_t hash_of(const uint8_t* p, size_t n) noexcept nogil:
    """FNV-1a."""
    cdef uint32_t hash = 0x811C9DC5
    cdef size_t k
    for k in range(n):
        hash = (hash ^ p[k]) * 0x01000193
    return hash


cdef inline int* place_of(Given* g, const uint8_t* p, size_t n, uint32_t hash) noexcept nogil:
    """The place of the name p[0:n], decoded: of its first pair, or an empty one."""
    cdef uint32_t k = hash & g.mask
    cdef Pair* pair
    while g.places[k] >= 0:
        pair = &g.pairs[g.places[k]]
        if pair.hash == hash and pair.name_end - pair.name == n and memcmp(g.text.p + pair.name, p, n) == 0:
            break
        k = (k + 1) & g.mask
    return &g.places[k]


cdef inline int read_given(Given* g, list pairs) except -1:
    """Take pairs of names and values, each str: once."""
    cdef Py_ssize_t count = len(pairs)
    cdef Pair* pair
    cdef int* place
    cdef int k
    cdef bytes octets
    if count > FEW_PAIRS:
        if count > 0x0FFFFFFF:
            raise ValueError("the URL would be too long")
        while g.mask < 2 * count:
            g.mask = 2 * g.mask + 1
        g.pairs = <Pair*>malloc(count * sizeof(Pair))
        g.places = <int*>malloc((<size_t>g.mask + 1) * sizeof(int))
        if g.pairs == NULL or g.places == NULL:
            raise MemoryError()
    memset(g.places, 0xFF, (<size_t>g.mask + 1) * sizeof(int))
    for name, value in pairs:
        k = g.count
        pair = &g.pairs[k]
        pair.name = g.text.n
        if is_ascii(name):
            buffer_copy(&g.text, ascii_data(name), len(<str>name))
        else:
            from urlsm.octets.percent import utf8
            octets = utf8(name)
            buffer_copy(&g.text, <const uint8_t*>PyBytes_AS_STRING(octets), PyBytes_GET_SIZE(octets))
        pair.name_end = pair.field = g.text.n
        write_form(&g.text, name)
        buffer_put(&g.text, c'=')
        write_form(&g.text, value)
        pair.field_end = g.text.n
        pair.hash = hash_of(g.text.p + pair.name, pair.name_end - pair.name)
        place = place_of(g, g.text.p + pair.name, pair.name_end - pair.name, pair.hash)
        pair.next = -1
        pair.last = k
        pair.written = False
        pair.first = place[0] < 0
        if pair.first:
            place[0] = k
        else:
            g.pairs[g.pairs[place[0]].last].next = k
            g.pairs[place[0]].last = k
        g.count += 1
    return 0


cdef inline int given_for(Given* g, const uint8_t* p, size_t n) except? -1:
    """The first pair of the name p[0:n], decoded as forms are; -1: there is none."""
    cdef size_t start = g.text.n
    cdef int found
    if n == 0 or (memchr(p, c'%', n) == NULL and memchr(p, c'+', n) == NULL):
        return place_of(g, p, n, hash_of(p, n))[0]
    write_unquoted(&g.text, p, n, True)
    n = g.text.n - start
    found = place_of(g, g.text.p + start, n, hash_of(g.text.p + start, n))[0]
    g.text.n = start
    return found
