"""What a matcher is made of: a table of hosts, compiled programs, and the tables of rules."""
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from urlsm.octets.buffer cimport Buffer

# --- hosts, read without the lock -------------------------------------------------------------------

cdef enum:
    NO_ENTRY = 0xFFFFFFFF

cdef struct Hosts:           # the table; a pointer into it lives as long as its HostTable
    uint32_t* slots          # of entries, plus 1; 0 is empty
    uint32_t* entries        # three words each: hash, start of the key in octets, its length
    const uint8_t* octets
    uint32_t mask
    uint32_t longest         # octets of the longest name
    uint64_t sizes           # bit k: there is a name of k octets, or of 64 more, or of 128 more ...
    uint64_t[3] lengths      # bit k: there is a network of IPv6 (of IPv4: 132 + k) with k bits
    uint64_t[2] key          # of the hashes: another one in each table, so that no list makes its names collide

cdef struct Walk:            # over the entries that a host is or lies in, the shortest suffix first
    const uint8_t* p         # the name, in lower case, without a dot at its end
    uint32_t n
    uint32_t end             # where the suffix begins that was looked at last
    uint64_t dots
    uint64_t[4] hash         # of the labels behind end, as octets/sip goes on with it
    uint8_t[18] address      # the key of a network: 4 or 6, bits, octets
    int bits                 # to be asked for next; below 0: a name, or nothing more
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
    NOWHERE = 0xFFFFFFFF     # no such position; a group that took no part
    SHORT_PIECE = 8          # the most octets of a literal that is searched without a table of where to go on

cdef struct Work:            # one for a call: the memory of a run, and its steps
    uint64_t steps           # instructions run and octets searched
    Buffer b

cdef bint holds(const uint32_t* program, const uint32_t* words, const uint8_t* pool, const uint8_t* p, uint32_t n,
                uint32_t* saved, Work* work) except -1 nogil

cdef class Block:            # words and literals, while they are written: each program, table and literal once
    cdef Buffer b            # the words; nothing is at 0
    cdef Buffer literals
    cdef dict places         # of literals, of programs and of whatever else has a key
    cdef Py_ssize_t left     # instructions that programs may still have
    cdef uint32_t here(self) except 0
    cdef int word(self, uint32_t value) except -1
    cdef object place(self, bytes literal)
    cdef uint32_t table(self, bytes literal) except? 0
    cdef uint32_t program(self, tuple program) except 0
    cdef list full_words(self, instructions)
    cdef uint32_t* copied(self, const uint8_t** literals) except NULL

# --- the tables --------------------------------------------------------------------------------------

cdef enum:
    GRAM = 4
    GRAM_HASHES = 1 << 16

    # the tries: the first are of rules for any host, the others of each host's rules, and of each source's
    ANY_TARGET = 0
    ANY_WHOLE = 1
    OF_HOST = 2
    OF_SOURCE = 0x40000000
    OF_GRAM = 0x7FFFFFFF     # not a trie: the table of grams

    RULE_WORDS = 2
    NODE_WORDS = 4           # the last two: 0 for nothing; ALONE and a number; the place of a list (1: see edges)
    EDGE_WORDS = 3           # node, octet, child
    ALLOWS = 1               # bits of a demand's first word: it puts a URL into the list
    BEHIND = 2               # it matches what is behind a prefix or a "*" of a path
    BEHIND_TOO = ALLOWS | BEHIND
    HOW_BIT = 2              # 0, or EXACT, BELOW, BOTH and 1
    END_BIT = 4              # 0, or 2 * kind of text + 1: the trie's octets lie within it; + 2: they are all of it

cdef extern from *:
    """
    #define URLSM_ALONE 0x80000000u  /* not an enumerator: those are of type int */
    """
    const uint32_t ALONE "URLSM_ALONE"

cdef struct Layout:          # of the block: where each table begins
    uint32_t rules, roots, edges, edge_mask, grams, gram_mask, gram_bits
    uint64_t[3] key          # of the hashes of grams and edges, so that no list makes them collide

cdef struct Row:             # of a trie, or of the table of grams
    uint32_t group           # ANY_TARGET, ANY_WHOLE, or that of an entry: OF_HOST and more, OF_SOURCE and more; OF_GRAM
    uint32_t at, n           # the octets with which a text has to begin, among the literals; of OF_GRAM: those that it
    #                          has to have, and at last four of them as a number, and 0
    uint32_t rule            # the number of the rule
    uint32_t whose
    uint32_t demand
    uint64_t head            # while rows are sorted: the first eight octets, as a number; zeros behind the last

cdef struct Todo:            # the rows from low to high, which have `depth` octets in common with the node above
    uint32_t low, high, depth, parent
    bint only                # whether it is that node's only child

cdef class Tables:
    cdef Block block
    cdef dict keys           # of hosts -> entry
    cdef dict source_keys    # of sources -> entry
    cdef Buffer rows         # a Row of each rule, in the order in which they were added
    cdef Buffer labels       # of edges: node, octet, child
    cdef readonly uint32_t count
    cdef readonly bint takes_paths_out, takes_queries_out
    cdef readonly bint leads  # whether one asks for a URL's own host below any public suffix
    cdef bytes name_start, name_end  # of expect_names; None: add_name does not take a line
    cdef uint32_t name_demand
    cdef uint32_t[4] targets  # the places of target_demand; 0: it is not written yet
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
    """Return the keyed hash of a gram: multiply-add-shift, of which any two grams have the same with a chance of 2^-32
    (Dietzfelbinger, Universal hashing and k-wise independent random variables via integer arithmetic without primes,
    1996)."""
    return <uint32_t>((gram * key[0] + key[1]) >> 32)


cdef inline uint32_t slot_of(uint32_t node, uint32_t octet, const uint64_t* key) noexcept nogil:
    """Return the keyed hash of an edge, as gram_slot makes one."""
    return <uint32_t>((node * key[0] + octet * key[1] + key[2]) >> 32)
