"""The data that a matcher reads: a table of hosts, compiled programs, and the tables of rules."""
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from urlsm.octets.buffer cimport Buffer

# --- hosts: the table is read without the interpreter's lock ---------------------------------------------

cdef enum:
    NO_ENTRY = 0xFFFFFFFF

cdef struct Hosts:           # a table of hosts; valid as long as its HostTable lives
    uint32_t* slots          # a hash table: the number of an entry plus 1, or 0 for an empty slot
    uint32_t* entries        # three words for each entry: the hash, and the start and length of the key in octets
    const uint8_t* octets
    uint32_t mask
    uint32_t longest         # length of the longest name, in octets
    uint64_t sizes           # bit k is set if some name has k octets, or k + 64, k + 128 ...
    uint64_t[3] lengths      # bit k is set if an IPv6 network has k bits, and bit 132 + k if an IPv4 network has k bits
    uint64_t[2] key          # the key of the hashes, which is random, so that no list can make its names collide

cdef struct Walk:            # a walk over the entries that a host is or lies in; the shortest suffix comes first
    const uint8_t* p         # the name, in lower case, without a dot at its end
    uint32_t n
    uint32_t end             # start of the suffix that was looked up last
    uint64_t dots
    uint64_t[4] hash         # the state of the hash (octets/sip) after the labels from `end` on
    uint8_t[18] address      # the key of a network: 4 or 6, the number of bits, the octets
    int bits                 # the number of bits to look up next; below 0: the host is a name, or the walk is over
    bint rooted              # whether the name ended in a dot

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
    NOWHERE = 0xFFFFFFFF     # the piece was not found, or the group took no part
    MOST_B = 0x0FFFFFFF      # the greatest value of an instruction's b
    SHORT_PIECE = 8          # longer literals are searched for with a table of Knuth, Morris and Pratt

cdef struct Work:            # the memory of runs, and the steps taken so far, in one call
    uint64_t steps           # instructions run and octets searched
    Buffer b

cdef bint holds(const uint32_t* program, const uint32_t* words, const uint8_t* pool, const uint8_t* p, uint32_t n,
                uint32_t* saved, Work* work) except -1 nogil

cdef class Block:            # the block of a matcher while it is written; it stores equal programs only once
    cdef Buffer b            # the words; a place is never 0
    cdef Buffer literals
    cdef dict places         # a literal, a program or the key of a table -> its place
    cdef dict runs           # a tuple of words -> its place
    cdef Py_ssize_t left     # how many instructions may still be added
    cdef uint32_t here(self) except 0
    cdef int word(self, uint32_t value) except -1
    cdef uint32_t run(self, tuple words) except 0
    cdef object place(self, bytes literal)
    cdef uint32_t table(self, bytes literal) except? 0
    cdef uint32_t program(self, tuple program) except 0
    cdef uint32_t set_of(self, bytes octets) except 0
    cdef bint grouped
    # the FULL program that is being compiled
    cdef Buffer code         # its instructions
    cdef uint32_t splits, depth, deepest, saved
    cdef uint32_t full_program(self, tuple program) except 0
    cdef uint32_t instructions(self) noexcept
    cdef int instruction(self, uint32_t op, uint32_t a, uint32_t b) except -1
    cdef void lead(self, uint32_t instruction, uint32_t a, uint32_t b) noexcept
    cdef uint32_t split(self) except? 0
    cdef int sequence(self, tuple program, Py_ssize_t n) except -1
    cdef int piece(self, object piece) except -1
    cdef int choice(self, tuple programs) except -1
    cdef int optional(self, tuple program, bint greedy) except -1
    cdef int times(self, tuple program, Py_ssize_t fewest, object most, bint greedy) except -1
    cdef uint32_t* copy_words(self, const uint8_t** literals) except NULL

# --- the tables --------------------------------------------------------------------------------------

cdef enum:
    # the groups of rows, each of which becomes a trie. The first two groups hold rules for any host; then each host and
    # each source has a group
    ANY_TARGET = 0
    ANY_WHOLE = 1
    OF_HOST = 2
    OF_SOURCE = 0x40000000

    RULE_WORDS = 2
    # the words of a node: its label (two words), its rules, its children. For rules and children, 0 means none and
    # ALONE | n means only n. If there are several children, they are in the table of edges, and the word is 1
    NODE_WORDS = 4
    # rules are a list or a branch. A list is their number, then the rules. The first word of a branch is ALONE | the
    # number of rules without a token; its other words are its highest rule, two words of bits, one of which is set for
    # each token (branch_bit), and those rules
    BRANCH_WORDS = 4
    EDGE_WORDS = 3           # an edge: a node, an octet and a child; or a branch, a token and rules
    FEW = 8                  # so many rules are not worth a branch
    MOST_LEVELS = 3          # branches within each other
    ALLOWS = 1               # from here on, bits of a demand's first word. ALLOWS: the rule puts URLs into the list
    BEHIND = 2               # the rule matches whatever follows a prefix or a "*" of a path
    BEHIND_TOO = ALLOWS | BEHIND
    HOW_BIT = 2              # two bits: 0 if the rule is for any host, otherwise 1 + EXACT, BELOW or BOTH
    UNROOTED = 16            # the host has no dot at its end
    # the bits from END_BIT on: 2 * kind + 1 if the text of this kind has to begin with the trie's octets, 2 * kind + 2
    # if it has to consist of them, 0 if only the checks decide
    END_BIT = 5

cdef extern from *:
    """
    #define URLSM_ALONE 0x80000000u  /* a macro, because an enumerator has the type int, which is too small */
    """
    const uint32_t ALONE "URLSM_ALONE"

cdef struct Layout:          # where each table begins in the block
    uint32_t rules, roots, edges, edge_mask
    uint32_t filter          # a bit for each hash of a token that some branch has
    uint32_t filter_shift    # by which filter_hash makes such a hash
    uint32_t kinds           # the kinds of tokens that some branch has
    uint64_t[3] key          # the key of the hashes, which is random, so that no list can make edges collide

cdef struct Row:             # a rule while its trie or table is built
    uint32_t group           # ANY_TARGET, ANY_WHOLE, OF_HOST + entry or OF_SOURCE + entry
    uint32_t at, n           # the span, among the literals, of the octets that the text has to begin with
    uint32_t rule            # the number of the rule
    uint32_t whose
    uint32_t demand
    # for sorting: the first eight octets as a number, followed by zeros if there are fewer; in a branch, the token
    uint64_t head

# a node to write, for rows[low:high]. These rows agree in their first `depth` octets, which the nodes above it match
cdef struct Todo:
    uint32_t low, high, depth, parent
    bint only                # whether this is the parent's only child

cdef class Tables:
    cdef Block block
    cdef dict keys           # key of a host -> entry
    cdef dict source_keys    # key of a source -> entry
    cdef list unindexed      # the numbers of the patterns of rules that are tried one after another
    cdef Buffer rows         # a Row for each rule, in the order in which they were added
    cdef Buffer labels       # the edges; each is three words: node, octet, child, or branch, token, rules
    cdef Buffer tokens       # the tokens of all branches
    cdef uint32_t kinds      # Layout.kinds
    cdef uint64_t[3] key     # Layout.key
    cdef bint single         # whether there is one rule, for which no host is looked up
    cdef readonly uint32_t count
    cdef readonly bint takes_paths_out, takes_queries_out
    cdef readonly bint leads  # whether some rule has a key like "example.*"
    cdef bytes name_start, name_end  # set by expect_names; if they are None, add_name accepts no line
    cdef uint32_t name_demand
    cdef uint32_t[4] targets  # the places of the demands that target_demand has written; 0: not written yet
    cdef int put(self, uint32_t group, tuple demand, bytes prefix, uint32_t whose) except -1
    cdef uint32_t target_demand(self, bint allow, bint ends) except 0
    cdef int row(self, uint32_t group, uint32_t demand, uint32_t at, uint32_t n, uint32_t whose) except -1
    cdef uint32_t schemes(self, object names) except? 0
    cdef uint32_t ports(self, object ranges) except? 0
    cdef uint32_t checks(self, tuple checks, uint32_t first) except? 0
    cdef uint32_t source(self, bytes key) except? 0
    cdef uint32_t request(self, object wanted) except? 0
    cdef int finish(self, Layout* made, object order) except -1
    cdef int trie(self, Row* rows, uint32_t start, uint32_t stop, uint32_t root, Todo* todo) except -1
    cdef uint32_t rules_of(self, Row* rows, uint32_t n, uint32_t level) except 0
    cdef int put_rules(self, const Row* rows, uint32_t n) except -1
    cdef uint32_t branch(self, Row* rows, uint32_t n, uint32_t level) except 0
    cdef bint choose_tokens(self, Row* rows, uint32_t n, bint all_too) except -1
    cdef int rule_tokens(self, const Row* row, Buffer* tokens, Buffer* scratch) except -1
    cdef int edge(self, uint32_t node, uint32_t label, uint32_t to) except -1
    cdef int write_filter(self, Layout* made) except -1
    cdef int write_edges(self, Layout* made) except -1


cdef inline uint32_t filter_hash(uint32_t token, uint32_t shift) noexcept nogil:
    return token * 0x9E3779B1u >> shift


cdef inline uint32_t branch_bit(uint32_t token) noexcept nogil:
    return filter_hash(token, 32 - 6)


cdef inline uint32_t slot_of(uint32_t node, uint32_t label, const uint64_t* key) noexcept nogil:
    """Return the keyed hash of an edge by multiply-add-shift: two edges collide with a probability of 2^-32
    (Dietzfelbinger, Universal hashing and k-wise independent random variables via integer arithmetic without primes,
    1996)."""
    return <uint32_t>((node * key[0] + label * key[1] + key[2]) >> 32)
