"""The tables of rules that a matcher reads."""
from libc.stdint cimport uint32_t, uint64_t
from urlsm.octets.buffer cimport Buffer
from urlsm.patterns.programs cimport Block

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
    uint32_t filter          # a word for each filter_word of a token, in which the bits of filter_bits are set
    uint32_t filter_shift    # by which these two make them
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
    cdef dict known          # schemes, or ranges of ports -> the place of their words
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
    cdef uint32_t remember(self, object what, tuple words) except 0
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


cdef inline uint32_t token_hash(uint32_t token) noexcept nogil:
    return token * 0x9E3779B1u


cdef inline uint32_t filter_word(uint32_t token, uint32_t shift) noexcept nogil:
    return token_hash(token) >> shift


cdef inline uint32_t filter_bits(uint32_t token, uint32_t shift) noexcept nogil:
    """Return two bits of a token's word, which are perhaps the same one."""
    cdef uint32_t hash = token_hash(token)
    return <uint32_t>1 << (hash >> (shift - 5) & 31) | <uint32_t>1 << (hash >> (shift - 10) & 31)


cdef inline bint may_have(const uint32_t* filter, uint32_t shift, uint32_t token) noexcept nogil:
    """Return False if certainly no branch has a token."""
    cdef uint32_t bits = filter_bits(token, shift)
    return filter[filter_word(token, shift)] & bits == bits


cdef inline uint32_t branch_bit(uint32_t token) noexcept nogil:
    return token_hash(token) >> (32 - 6)


cdef inline uint32_t slot_of(uint32_t node, uint32_t label, const uint64_t* key) noexcept nogil:
    """Return the keyed hash of an edge by multiply-add-shift: two edges collide with a probability of 2^-32
    (Dietzfelbinger, Universal hashing and k-wise independent random variables via integer arithmetic without primes,
    1996)."""
    return <uint32_t>((node * key[0] + label * key[1] + key[2]) >> 32)
