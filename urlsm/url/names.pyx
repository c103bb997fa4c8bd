"""Matching the names of query parameters: exact names, and names that end in "*".

The author of a URL chooses the names in it, and may choose thousands. So names are found by binary search, or by a hash
with a secret key: no choice of names makes either slow.
"""
cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from cpython.object cimport PyObject
from libc.stdlib cimport calloc, free
from libc.string cimport memchr, memcmp, memcpy, memset
from urlsm.octets.buffer cimport Buffer, ascii_data, buffer_free, buffer_start, is_ascii
from urlsm.octets.merge cimport merge_sort
from urlsm.octets.once cimport publish, published
from urlsm.octets.sip cimport sip_end, sip_start, sip_word
from urlsm.octets.text cimport write_unquoted
from urlsm.octets.words cimport word_at
from os import urandom
from urlsm.octets.text import utf8

cdef enum:
    HALF = 8                 # of the number of names that can be sorted without the heap


# --- sets --------------------------------------------------------------------------------------

cdef void names_start(Names* names, Name* room) noexcept nogil:
    """Start an empty set; room has space for all names."""
    memset(names.first, 0xFF, sizeof(names.first))
    names.any = False
    names.count = 0
    names.names = room


cdef void names_put(Names* names, const uint8_t* p, size_t n, bint starred) noexcept nogil:
    """Add the name p[0:n], whose octets have to outlive the set. starred: a name that ends in "*" stands for all that
    begin so."""
    cdef Name* name = &names.names[names.count]
    names.count += 1
    name.begins = starred and n != 0 and p[n - 1] == c'*'
    name.p = p
    name.n = <uint32_t>n - name.begins


cdef inline int compared(const Name* name, const uint8_t* p, size_t n) noexcept nogil:
    cdef int order = memcmp(name.p, p, min(name.n, n))
    return order if order else (name.n > n) - (name.n < n)


cdef inline bint stands_for(const Name* name, const uint8_t* p, size_t n) noexcept nogil:
    return (name.n == n or (name.begins and name.n < n)) and memcmp(name.p, p, name.n) == 0


cdef int in_order(const void* first, const void* second) noexcept nogil:
    """Compare two names by their octets; a prefix comes before the name."""
    cdef const Name* a = <const Name*>first
    cdef const Name* b = <const Name*>second
    cdef int order = compared(a, b.p, b.n)
    return order if order else b.begins - a.begins


cdef int names_done(Names* names) except -1:
    """Sort the names, and leave out those that a prefix covers. The one before a name in the
    order is then the only one that may cover it."""
    cdef Name[HALF] few
    cdef Name* room = few
    cdef Name* name = NULL   # the last one kept
    cdef Name* first = NULL  # the first with its first octet
    cdef int k, octet
    if names.count > 2 * HALF:
        room = <Name*>calloc(names.count // 2, sizeof(Name))
        if room == NULL:
            raise MemoryError()
    merge_sort(names.names, room, names.count, sizeof(Name), in_order)
    if room != few:
        free(room)
    for k in range(names.count):
        if name != NULL and stands_for(name, names.names[k].p, names.names[k].n):
            continue
        name = names.names if name == NULL else name + 1
        name[0] = names.names[k]
        octet = name.p[0] if name.n else 0
        if names.first[octet] < 0:
            names.first[octet] = <int>(name - names.names)
            first = name
        first.alike = <int>(name - first) + 1
    names.any = names.count != 0 and names.names[0].begins and names.names[0].n == 0
    return 0


cdef bint is_named(const Names* names, const uint8_t* p, size_t n) noexcept nogil:
    """Return whether the decoded name p[0:n] is in the set."""
    cdef const Name* name
    cdef int k, count, half
    if names.any:
        return True
    k = names.first[p[0] if n else 0]
    if k < 0:
        return False
    name = &names.names[k]
    count = name.alike
    while count > 1:  # the last name that is not after p[0:n] is among these
        half = count >> 1
        if compared(name + half, p, n) <= 0:
            name += half
            count -= half
        else:
            count = half
    return stands_for(name, p, n)


cdef bint is_field_named(const Names* names, const uint8_t* p, size_t n, bint plus) except? -1 nogil:
    """Return whether the name p[0:n], decoded, is in the set. plus: "+" is a space."""
    cdef Buffer b
    cdef bint found
    if n and names.first[p[0]] < 0 and not names.any and p[0] != c'%' and p[0] != c'+':
        return False
    if n == 0 or (memchr(p, c'%', n) == NULL and memchr(p, c'+', n) == NULL):
        return is_named(names, p, n)
    buffer_start(&b)
    try:
        write_unquoted(&b, p, n, plus)
        found = is_named(names, b.p, b.n)
    finally:
        buffer_free(&b)
    return found


cdef void lower_octets(uint8_t* p, size_t n) noexcept nogil:
    cdef size_t k
    for k in range(n):
        if c'A' <= p[k] <= c'Z':
            p[k] |= 0x20


cdef bint is_folded_field_named(const Names* names, const uint8_t* p, size_t n, bint plus) except? -1 nogil:
    """The same where the case of letters does not matter; the names of the set are in lower case."""
    cdef Buffer b
    buffer_start(&b)
    try:
        write_unquoted(&b, p, n, plus)
        lower_octets(b.p, b.n)
        return is_named(names, b.p, b.n)
    finally:
        buffer_free(&b)


@cython.binding(False)
cdef class NameSet:
    """A set of names (str); one that ends in "*" stands for all with that prefix."""

    def __cinit__(self, texts):
        cdef Name* room
        self.texts = tuple([utf8(text) for text in texts])
        room = <Name*>calloc(len(self.texts) or 1, sizeof(Name))
        if room == NULL:
            raise MemoryError()
        names_start(&self.names, room)
        for octets in self.texts:
            names_put(&self.names, <const uint8_t*>PyBytes_AS_STRING(octets), PyBytes_GET_SIZE(octets), True)
        names_done(&self.names)

    def __dealloc__(self):
        free(self.names.names)

    def __contains__(self, text):
        octets = utf8(text)
        return is_named(&self.names, <const uint8_t*>PyBytes_AS_STRING(octets), PyBytes_GET_SIZE(octets))


# --- names that are given ----------------------------------------------------------------------

cdef PyObject* known = NULL  # the set of names that are given often


def know(names):
    """Prepare these names, an immutable mapping or tuple of str, for the next calls with the same object. Only the
    first call counts."""
    cdef NameSet made = NameSet(names_of(names))
    made.given = names
    publish(&known, made)


cdef tuple names_of(object names):
    """Return the names as a tuple, of a str or an iterable of str. TypeError for anything else."""
    cdef tuple texts = (names,) if isinstance(names, str) else tuple(names)
    for name in texts:
        if not isinstance(name, str):
            raise TypeError(f"names of parameters are str, not {type(name).__name__}")
    return texts


cdef object choose(Chosen* chosen, object names, bint fold):
    """Prepare names; return the object that owns their octets. fold: the case of their letters does not matter."""
    cdef tuple texts
    cdef NameSet made = None if published(&known) == NULL else <NameSet>published(&known)
    cdef bint few
    if made is None or names is not made.given or fold:
        texts = names_of(names)
        if fold:
            texts = tuple([utf8(name).lower().decode("utf-8", "surrogateescape") for name in texts])  # ASCII's letters
        few = len(texts) <= FEW
        for name in texts:
            few = few and type(name) is str and is_ascii(name)
        if few:
            names_start(&chosen.own, chosen.room)
            for name in texts:
                names_put(&chosen.own, ascii_data(name), len(<str>name), True)
            names_done(&chosen.own)
            chosen.names = &chosen.own
            return texts
        made = NameSet(texts)
    chosen.names = &made.names
    return made


# --- a hash ------------------------------------------------------------------------------------

cdef uint64_t[2] KEY         # another one in each process, also with PYTHONHASHSEED
cdef bytes chance = urandom(sizeof(KEY))
memcpy(KEY, PyBytes_AS_STRING(chance), sizeof(KEY))


cdef uint64_t name_hash(const uint8_t* p, size_t n) noexcept nogil:
    """Return the hash of a name (octets/sip)."""
    cdef uint64_t[4] v
    cdef uint64_t word
    cdef size_t left = n, k
    sip_start(v, KEY)
    while left >= 8:
        sip_word(v, word_at(p))
        p += 8
        left -= 8
    word = <uint64_t>n << 56
    if n >= 8 and left:
        word |= word_at(p + left - 8) >> (64 - 8 * left)
    else:
        for k in range(left):
            word |= <uint64_t>p[k] << 8 * k
    sip_word(v, word)
    return sip_end(v)
