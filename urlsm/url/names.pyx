"""Matching the names of query parameters: exact names, and names that end in "*"."""
cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.stdlib cimport calloc, free
from libc.string cimport memchr, memcmp, memset
from urlsm.octets.buffer cimport Buffer, buffer_free, buffer_start
from urlsm.octets.percent cimport write_unquoted
from urlsm.octets.percent import utf8


cdef void names_start(Names* names, Name* room) noexcept nogil:
    """No names yet; room is for all that come."""
    memset(names.first, 0xFF, sizeof(names.first))
    names.any = -1
    names.names = room


cdef void names_put(Names* names, int k, const uint8_t* p, size_t n, bint starred) noexcept nogil:
    """Put in the k-th name p[0:n], whose octets stay where they are. starred: one that ends in "*" stands for all that
    begin so."""
    cdef Name* name = &names.names[k]
    name.begins = starred and n != 0 and p[n - 1] == c'*'
    name.p = p
    name.n = n - name.begins
    if name.begins and name.n == 0:
        names.any = k
    name.next = names.first[p[0] if name.n else 0]
    names.first[p[0] if name.n else 0] = k


cdef bint is_named(const Names* names, const uint8_t* p, size_t n) noexcept nogil:
    """Is the decoded name p[0:n] in the set?"""
    cdef int k
    cdef const Name* name
    if names.any >= 0:
        return True
    k = names.first[p[0] if n else 0]
    while k >= 0:
        name = &names.names[k]
        if (name.n == n or (name.begins and name.n < n)) and memcmp(name.p, p, name.n) == 0:
            return True
        k = name.next
    return False


cdef bint is_field_named(const Names* names, const uint8_t* p, size_t n) except? -1 nogil:
    """Is the name p[0:n], decoded as forms are, in the set?"""
    cdef Buffer b
    cdef bint found
    if n and names.first[p[0]] < 0 and names.any < 0 and p[0] != c'%' and p[0] != c'+':
        return False
    if n == 0 or (memchr(p, c'%', n) == NULL and memchr(p, c'+', n) == NULL):
        return is_named(names, p, n)
    buffer_start(&b)
    try:
        write_unquoted(&b, p, n, True)
        found = is_named(names, b.p, b.n)
    finally:
        buffer_free(&b)
    return found


@cython.binding(False)
cdef class NameSet:
    """The names given, str each; one that ends in "*" stands for all that begin so."""

    def __cinit__(self, texts):
        cdef Py_ssize_t k
        cdef Name* room
        self.texts = tuple([utf8(text) for text in texts])
        room = <Name*>calloc(len(self.texts) or 1, sizeof(Name))
        if room == NULL:
            raise MemoryError()
        names_start(&self.names, room)
        for k in range(len(self.texts)):
            names_put(&self.names, k, <const uint8_t*>PyBytes_AS_STRING(self.texts[k]),
                      PyBytes_GET_SIZE(self.texts[k]), True)

    def __dealloc__(self):
        free(self.names.names)

    def __contains__(self, text):
        octets = utf8(text)
        return is_named(&self.names, <const uint8_t*>PyBytes_AS_STRING(octets), PyBytes_GET_SIZE(octets))
