"""Public suffixes, in one open-addressed table."""
from libc.stdint cimport uint8_t, uint16_t, uint32_t
from libc.string cimport memcmp
from urlsm.octets.buffer cimport Buffer

cdef enum:
    FIRST_HASH = 0x11C9DC5   # of an empty suffix

cdef struct Node:            # a suffix that a rule speaks of, or its parent
    uint32_t at              # of its text in the pool
    uint16_t check           # the upper half of its hash
    uint8_t n                # 0: an empty place
    uint8_t rules            # which there are, of enum RuleKind

cdef enum RuleKind:
    ICANN_RULE = 1
    PRIVATE_RULE = 2
    ICANN_WILDCARD = 4       # "*." before it
    PRIVATE_WILDCARD = 8
    ICANN_EXCEPTION = 16
    PRIVATE_EXCEPTION = 32
    PARENT = 64              # longer ones end in it

cdef class Suffixes:
    cdef Node* nodes
    cdef uint32_t mask       # places, less one
    cdef uint32_t used
    cdef Buffer pool         # the texts
    cdef readonly str path
    cdef readonly str version
    cdef readonly int rules
    cdef Node* place(self, const uint8_t* p, uint32_t n, uint32_t hash) except NULL
    cdef int grow(self) except -1
    cdef int read(self, bytes data) except -1
    cdef int read_rule(self, const uint8_t* p, const uint8_t* stop, bint private) except -1
    cdef int add(self, const uint8_t* p, uint32_t n, bint private) except -1

cdef Suffixes default_suffixes()


cdef inline uint32_t rolled(uint32_t hash, uint8_t octet) noexcept nogil:
    return (hash ^ octet) * 0x01000193  # FNV-1a


cdef inline Node* find_node(Suffixes self, const uint8_t* p, uint32_t n, uint32_t hash) noexcept nogil:
    """The node of the suffix p[0:n]; an empty place where there is none."""
    cdef uint32_t k = hash & self.mask
    cdef Node* node = &self.nodes[k]
    while node.n and not (node.check == hash >> 16 and node.n == n and memcmp(self.pool.p + node.at, p, n) == 0):
        k = (k + 1) & self.mask
        node = &self.nodes[k]
    return node


cdef inline uint32_t suffix_start(Suffixes self, const uint8_t* p, uint32_t n, bint private,
                                  bint* is_private) noexcept nogil:
    """Where the public suffix of the host p[0:n] begins; private: rules of that section count too."""
    cdef uint32_t hash = FIRST_HASH, k = n, shorter = n, found = 0, begin
    cdef uint8_t rules
    cdef bint first = True
    is_private[0] = False
    while True:
        while k and p[k - 1] != c'.':
            k -= 1
            hash = rolled(hash, p[k])
        # "If no rules match, the prevailing rule is "*"."
        if first:
            found = k
            first = False
        if n - k > 255:
            return found
        rules = find_node(self, p + k, n - k, hash).rules
        if not rules:
            return found
        # "If more than one rule matches, the prevailing rule is the one which is an exception rule": it ends one
        # label later
        if rules & ICANN_EXCEPTION or (private and rules & PRIVATE_EXCEPTION):
            is_private[0] = not rules & ICANN_EXCEPTION
            return shorter
        if rules & ICANN_RULE or (private and rules & PRIVATE_RULE):
            found = k
            is_private[0] = not rules & ICANN_RULE
        if k == 0:
            return found
        if rules & ICANN_WILDCARD or (private and rules & PRIVATE_WILDCARD):
            begin = k - 1
            while begin and p[begin - 1] != c'.':
                begin -= 1
            found = begin
            is_private[0] = not rules & ICANN_WILDCARD
        elif not rules & PARENT:
            return found
        shorter = k
        k -= 1
        hash = rolled(hash, c'.')
