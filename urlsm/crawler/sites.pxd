"""Declares the public suffix list (PublicSuffixList), and functions that find public suffixes and sites of hosts."""
from libc.stdint cimport uint16_t, uint32_t, uint64_t, uint8_t
from libc.string cimport memcmp
from urlsm.crawler.labels cimport FIRST_HASH, hash_with, label_start
from urlsm.octets.buffer cimport Buffer

cdef struct Node:            # a suffix that has a rule, or that is the end of a longer suffix with a rule
    uint32_t at              # where the suffix begins in PublicSuffixList.pool
    uint16_t check           # the highest 16 bits of the suffix's hash
    uint8_t n                # the length of the suffix; 0: the place in the table is empty
    uint8_t rules            # the suffix's rules, as bits of enum RuleKind

cdef enum RuleKind:
    ICANN_RULE = 1
    PRIVATE_RULE = 2
    ICANN_WILDCARD = 4       # the rule is "*." and this suffix
    PRIVATE_WILDCARD = 8
    ICANN_EXCEPTION = 16
    PRIVATE_EXCEPTION = 32
    PARENT = 64              # longer suffixes in the table end with this one

cdef enum Section:           # the section of the list to which a suffix's rule belongs
    UNLISTED                 # "If no rules match, the prevailing rule is "*"."
    ICANN
    PRIVATE

cdef enum:
    FILTER_WORDS = 2048

cdef class PublicSuffixList:
    cdef Node* nodes
    cdef uint32_t mask       # the number of places in the table, less one
    cdef uint32_t used
    cdef uint64_t[FILTER_WORDS] filter  # a bit for the hash of each node; the filter is far smaller than the table
    cdef Buffer pool         # the suffixes of the nodes, one after another
    cdef readonly str path
    cdef readonly str version
    cdef readonly int rules
    cdef Node* place(self, const uint8_t* p, uint32_t n, uint64_t hash) except NULL
    cdef int grow(self) except -1
    cdef int read_list(self, bytes data) except -1
    cdef int read_rule(self, const uint8_t* p, const uint8_t* stop, bint private) except -1
    cdef int add(self, const uint8_t* p, uint32_t n, bint private) except -1

cdef PublicSuffixList default_suffixes()

cdef enum:
    NO_SITE = 0xFFFFFFF      # returned as the start of a site that does not exist; no real host is so long

cdef struct Ending:          # says which end of a host is wanted
    bint with_label          # True: the registrable domain; False: the public suffix
    bint private             # whether rules of the list's private section count
    bint only_listed         # whether a top-level domain that is not on the list has no public suffix

cdef bint is_name(const uint8_t* p, uint32_t n) noexcept nogil
cdef bint write_host_of(Buffer* b, object url_or_host, bint* unicode) except -1
cdef uint32_t site_start(const uint8_t* p, uint32_t n, PublicSuffixList suffixes, bint private) noexcept nogil
cdef uint32_t end_start(const uint8_t* p, uint32_t n, PublicSuffixList suffixes, const Ending* ending) noexcept nogil
cdef PublicSuffixList suffixes_or_default(object suffixes)


cdef inline Node* find_node(PublicSuffixList self, const uint8_t* p, uint32_t n, uint64_t hash) noexcept nogil:
    """Return the node of the suffix p[0:n], or the empty place for it."""
    cdef uint32_t k = <uint32_t>hash & self.mask
    cdef Node* node = &self.nodes[k]
    while node.n and not (node.check == hash >> 48 and node.n == n and memcmp(self.pool.p + node.at, p, n) == 0):
        k = (k + 1) & self.mask
        node = &self.nodes[k]
    return node


cdef inline uint64_t* filter_word(PublicSuffixList self, uint64_t hash) noexcept nogil:
    """Return the filter's word for a hash. Bit hash % 64 of the word stands for the hash."""
    return &self.filter[(hash >> 6) % FILTER_WORDS]


cdef inline uint32_t suffix_start(PublicSuffixList self, const uint8_t* p, uint32_t n, uint64_t dots, bint private,
                                  Section* section) noexcept nogil:
    """Return where the public suffix of the host p[0:n] begins. dots: the result of dots_of. private: whether rules
    of the private section count. *section is set to the section of the rule that was found."""
    cdef uint64_t hash = FIRST_HASH
    cdef uint32_t end = n, start = label_start(p, n, dots), shorter = n
    cdef uint32_t found = start  # "If no rules match, the prevailing rule is "*"."
    cdef uint8_t rules
    section[0] = UNLISTED
    while n - start <= 255:
        hash = hash_with(hash, p, start, end, n)
        if not filter_word(self, hash)[0] >> (hash & 63) & 1:
            return found
        rules = find_node(self, p + start, n - start, hash).rules
        if not rules:
            return found
        # "If more than one rule matches, the prevailing rule is the one which is an exception rule": the suffix is then
        # one label shorter
        if rules & ICANN_EXCEPTION or (private and rules & PRIVATE_EXCEPTION):
            section[0] = ICANN if rules & ICANN_EXCEPTION else PRIVATE
            return shorter
        if rules & ICANN_RULE or (private and rules & PRIVATE_RULE):
            found = start
            section[0] = ICANN if rules & ICANN_RULE else PRIVATE
        if start == 0:
            return found
        shorter = start
        end = start - 1
        start = label_start(p, end, dots)
        if rules & ICANN_WILDCARD or (private and rules & PRIVATE_WILDCARD):
            found = start
            section[0] = ICANN if rules & ICANN_WILDCARD else PRIVATE
        elif not rules & PARENT:
            return found
    return found
