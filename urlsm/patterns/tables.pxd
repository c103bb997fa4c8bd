"""What a matcher reads: a table of hosts, compiled programs, and the tables of rules."""
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from urlsm.octets.buffer cimport Buffer

# --- hosts: the table is read without the interpreter's lock ---------------------------------------------

cdef enum:
    NO_ENTRY = 0xFFFFFFFF

cdef struct Hosts:           # the table; valid as long as its HostTable lives
    uint32_t* slots          # of entries, plus 1; 0 is empty
    uint32_t* entries        # three words each: hash, start of the key in octets, its length
    const uint8_t* octets
    uint32_t mask
    uint32_t longest         # octets of the longest name
    uint64_t sizes           # bit k: some name has k octets, or k + 64, k + 128 ...
    uint64_t[3] lengths      # bit k: some network of IPv6 has k bits; bit 132 + k: one of IPv4 has
    uint64_t[2] key          # of the hashes; random, so that no list can make its names collide

cdef struct Walk:            # a walk over the entries that a host is or lies in, the shortest suffix first
    const uint8_t* p         # the name, in lower case, without a dot at its end
    uint32_t n
    uint32_t end             # start of the suffix that was looked up last
    uint64_t dots
    uint64_t[4] hash         # state of octets/sip after the labels behind end
    uint8_t[18] address      # the key of a network: 4 or 6, bits, octets
    int bits                 # the length to look up next; below 0: it is a name, or the walk is over
    bint rooted              # the name ended in a dot

cdef class HostTable:
    cdef Hosts hosts
    cdef readonly list keys
    cdef readonly uint32_t count

cdef bytes plain_name(const uint8_t* p, size_t size)
cdef void begin_walk(Walk* walk, const Hosts* hosts, const uint8_t* p, uint32_t n) noexcept nogil
cdef uint32_t next_entry(const Hosts* hosts, Walk* walk, bint* whole) noexcept nogil
cdef bint read_brackets(const uint8_t* p, uint32_t n, uint8_t* address) noexcept nogil

# --- programs ----------------------------------------------------------------------------------------

cdef enum:
    NOWHERE = 0xFFFFFFFF     # not found; or a group took no part
    SHORT_PIECE = 8          # longer literals are searched with a table of Knuth, Morris and Pratt

cdef struct Work:            # for one call: the memory of runs, and the steps so far
    uint64_t steps           # instructions run and octets searched
    Buffer b

cdef bint holds(const uint32_t* program, const uint32_t* words, const uint8_t* pool, const uint8_t* p, uint32_t n,
                uint32_t* saved, Work* work) except -1 nogil

cdef class Block:            # a block while it is written; each program, table and literal is in it once
    cdef Buffer b            # the words; 0 is not a place
    cdef Buffer literals
    cdef dict places         # of literals, programs and everything else by its key
    cdef Py_ssize_t left     # instructions that further programs may have
    cdef uint32_t here(self) except 0
    cdef int word(self, uint32_t value) except -1
    cdef object place(self, bytes literal)
    cdef uint32_t table(self, bytes literal) except? 0
    cdef uint32_t program(self, tuple program) except 0
    cdef list full_words(self, instructions)
    cdef uint32_t* copy_words(self, const uint8_t** literals) except NULL

# --- the tables --------------------------------------------------------------------------------------

cdef enum:
    GRAM = 4
    GRAM_HASHES = 1 << 16

    # the groups of rows. Each has a trie: two groups of rules for any host, then one for each host and each source
    ANY_TARGET = 0
    ANY_WHOLE = 1
    OF_HOST = 2
    OF_SOURCE = 0x40000000
    OF_GRAM = 0x7FFFFFFF     # no trie, but the table of grams

    RULE_WORDS = 2
    NODE_WORDS = 4           # label (two), rules, children; 0: none, ALONE | n: a single one, 1: see edges
    EDGE_WORDS = 3           # node, octet, child
    ALLOWS = 1               # bits of a demand's first word: the rule puts URLs into the list
    BEHIND = 2               # it matches whatever follows a prefix or a "*" of a path
    BEHIND_TOO = ALLOWS | BEHIND
    HOW_BIT = 2              # two bits: 0 for any host, or 1 + EXACT, BELOW or BOTH
    END_BIT = 4              # 0, or 2 * kind + 1: the trie's octets begin that text; + 2: they are all of it

cdef extern from *:
    """
    #define URLSM_ALONE 0x80000000u  /* not an enumerator: those are of type int */
    """
    const uint32_t ALONE "URLSM_ALONE"

cdef struct Layout:          # where each table begins in the block
    uint32_t rules, roots, edges, edge_mask, grams, gram_mask, gram_bits
    uint64_t[3] key          # of the hashes; random, so that no list can make grams or edges collide

cdef struct Row:             # a rule, with the trie or table in which it will be
    uint32_t group           # ANY_TARGET, ANY_WHOLE, OF_HOST + entry, OF_SOURCE + entry or OF_GRAM
    uint32_t at, n           # the octets that the text has to begin with, among the literals. For OF_GRAM: octets that
    #                          it has to hold; choose_grams replaces them by four of them as a number, and 0
    uint32_t rule            # the number of the rule
    uint32_t whose
    uint32_t demand
    uint64_t head            # for sorting: the first eight octets as a number, with zeros behind the last

cdef struct Todo:            # rows[low:high], which agree in `depth` octets, those of the nodes above
    uint32_t low, high, depth, parent
    bint only                # whether this is the parent's only child

cdef class Tables:
    cdef Block block
    cdef dict keys           # key of a host -> entry
    cdef dict source_keys    # key of a source -> entry
    cdef Buffer rows         # a Row for each rule, in the order of addition
    cdef Buffer labels       # the edges: node, octet, child
    cdef readonly uint32_t count
    cdef readonly bint takes_paths_out, takes_queries_out
    cdef readonly bint leads  # whether a rule asks for a name below any public suffix
    cdef bytes name_start, name_end  # of expect_names; None: add_name takes nothing
    cdef uint32_t name_demand
    cdef uint32_t[4] targets  # of target_demand; 0: not written yet
    cdef int put(self, uint32_t group, tuple demand, bytes prefix, uint32_t whose) except -1
    cdef uint32_t demand(self, tuple words) except 0
    cdef uint32_t target_demand(self, bint allow, bint ends) except 0
    cdef int row(self, uint32_t group, uint32_t demand, uint32_t at, uint32_t n, uint32_t whose) except -1
    cdef uint32_t schemes(self, object names) except? 0
    cdef uint32_t ports(self, object ranges) except? 0
    cdef uint32_t checks(self, tuple checks, uint32_t first) except? 0
    cdef uint32_t source(self, bytes key) except? 0
    cdef uint32_t request(self, object wanted) except? 0
    cdef int finish(self, Layout* made, object order) except -1
    cdef int trie(self, const Row* rows, uint32_t start, uint32_t stop, uint32_t root, Todo* todo) except -1
    cdef int write_grams(self, Layout* made, const Row* rows, uint32_t low) except -1
    cdef int write_edges(self, Layout* made) except -1


cdef inline uint32_t gram_at(const uint8_t* p) noexcept nogil:
    return <uint32_t>p[0] | <uint32_t>p[1] << 8 | <uint32_t>p[2] << 16 | <uint32_t>p[3] << 24


cdef inline uint32_t gram_hash(uint32_t gram) noexcept nogil:
    return gram * 0x9E3779B1u >> 16


cdef inline uint32_t gram_slot(uint32_t gram, const uint64_t* key) noexcept nogil:
    """Return the keyed hash of a gram by multiply-add-shift: two grams collide with a probability of 2^-32
    (Dietzfelbinger, Universal hashing and k-wise independent random variables via integer arithmetic without primes,
    1996)."""
    return <uint32_t>((gram * key[0] + key[1]) >> 32)


cdef inline uint32_t slot_of(uint32_t node, uint32_t octet, const uint64_t* key) noexcept nogil:
    """Return the keyed hash of an edge, in the same way."""
    return <uint32_t>((node * key[0] + octet * key[1] + key[2]) >> 32)
