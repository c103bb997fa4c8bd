"""Builds the data that a matcher reads: a table of hosts, compiled programs, and the tables of rules.

They are built in one unit, of more than 1,500 lines, because each rule that is added to the class Tables adds to all
three. matcher.pyx describes the tables.
"""
cimport cython
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, qsort
from libc.string cimport memchr, memcmp, memcpy, memset
from os import urandom
from urlsm.crawler.labels cimport dots_of, has_empty_label, label_start
from urlsm.machine.driver cimport lane
from urlsm.octets.buffer cimport (
    MAX_LENGTH, Buffer, ascii_data, buffer_copy, buffer_free, buffer_reserve, buffer_start, is_ascii,
)
from urlsm.octets.chars cimport CLASS, DIGIT
from urlsm.octets.sip cimport sip_end, sip_start, sip_word
from urlsm.octets.words cimport first_bits, word_at
from urlsm.patterns.opcodes cimport (
    ANY_OCTET, AT_END, CASED_TARGET, CLASS_OF, DEEPEST, DONE, FULL, FULL_LEVELS, FULL_SAVED, FULL_SPLITS, FULL_WORDS,
    GREEDY, GREEDY_ENDS, GREEDY_PIECES, GREEDY_WORDS, INSTRUCTION_WORDS, JUMP, LITERAL, MARK, MOST, NONEMPTY, OF_SPLIT,
    PATH, PIECE_AT, PIECE_SIZE, PIECE_TABLE, PIECE_WORDS, QUERY, SAVE, SEARCH, SET_WORDS, SPAN, SPLIT, STAR, TARGET,
    WHOLE,
)
from urlsm.patterns.tokens cimport GRAM, Token, b_of, op_of, put_grams, put_tokens
from urlsm.security.plain cimport read_ipv4
from urlsm.url.write.ipv6 cimport read_pieces
from urlsm.machine.driver import SCHEMES
from urlsm.patterns.errors import PatternError
from urlsm.patterns.opcodes import TEXTS
from urlsm.patterns import rule as rule_py
from urlsm.patterns.rule import is_literal, prefix_of

cdef extern from "Python.h":
    const Py_ssize_t PY_SSIZE_T_MAX
    int Py_EnterRecursiveCall(const char* where) except -1
    void Py_LeaveRecursiveCall()

TOO_LARGE = f"the pattern needs more than {MOST} instructions"
LIST_TOO_LARGE = "the patterns in the list need too many instructions for the length of the list"

cdef int EXACT = rule_py.EXACT, BELOW = rule_py.BELOW, BOTH = rule_py.BOTH
cdef dict NUMBERS = {name: number for number, name in enumerate(TEXTS)}


# --- hosts: finding the entries of a table that a host is, or lies in -----------------------------------
#
# A name is its own key. Keyed hashes are computed over its labels from the right. So a walk over one host finds every
# suffix of it that is a key, and nobody can write a list whose names collide. The key of a network is 4 or 6, the
# number of its bits, and the address with all other bits 0. An address is looked up once for each number of bits that
# some network has. An IPv4 address within IPv6 counts as that IPv4 address, in hosts and in keys. So ::ffff:0:0/96 and
# the networks in it are networks of IPv4, and ::/0 does not hold them.

cdef enum:
    OF_IPV4 = 132            # in the field `lengths`, bits from this one on are for networks of IPv4
    MOST_PLAIN = 255         # length of the longest name that plain_key takes, in octets


cdef bint read_brackets(const uint8_t* p, uint32_t n, uint8_t* address) noexcept nogil:
    """Read the IPv6 address in brackets p[0:n] into `address`. Return False if it is not one. The caller has checked
    that the first byte is "["."""
    cdef uint16_t[8] pieces
    cdef int k
    if n < 4 or p[n - 1] != c']' or not read_pieces(p, n - 1, pieces):
        return False
    for k in range(8):
        address[2 * k] = pieces[k] >> 8
        address[2 * k + 1] = pieces[k] & 0xFF
    return True


cdef inline bint read_four_numbers(const uint8_t* p, uint32_t n, uint8_t* address) noexcept nogil:
    """Read an IPv4 address as the URL Standard writes it (four decimal numbers without leading zeros) into `address`.
    Return False if the text is not one."""
    cdef uint32_t ipv4
    cdef int k
    if not read_ipv4(p, n, &ipv4):
        return False
    for k in range(4):
        address[k] = <uint8_t>(ipv4 >> (24 - 8 * k))
    return True


cdef inline bint is_mapped(const uint8_t* address) noexcept nogil:
    """Return whether 16 bytes are an IPv4 address within IPv6 (RFC 4291 section 2.5.5.2)."""
    return memcmp(address, b"\0\0\0\0\0\0\0\0\0\0\xff\xff", 12) == 0


def network_key(str text not None):
    """Return the key of a network or an address ("10.0.0.0/8", "2001:db8::/32", "[::1]"); None for any other string.

    ValueError: the address has bits beyond the length of the network, the length is not a number or is too large, or a
    decimal number has a leading zero. inet_aton and the URL Standard read such a number as octal, but others read it as
    decimal.
    """
    cdef uint8_t[16] address
    cdef bytes octets
    address_text, slash, length = text.partition("/")
    if ":" in address_text and address_text[:1] != "[":
        address_text = f"[{address_text}]"
    if not address_text.isascii():
        return None
    octets = address_text.encode()
    if address_text[:1] == "[":
        if not read_brackets(octets, len(octets), address):
            return None
        key, most = address[:16], 128
    elif read_four_numbers(octets, len(octets), address):
        key, most = address[:4], 32
    else:
        parts = address_text.split(".")
        numbers = [part for part in parts if part.isdigit()]
        if len(parts) == len(numbers) == 4 and any([part[0] == "0" != part for part in numbers]):
            raise ValueError("a number of an address has a leading zero: some read it as octal")
        return None
    bits = most
    if slash:
        if not (length.isascii() and length.isdigit() and len(length) <= 3 and int(length) <= most):
            raise ValueError(f"a network must have 0 to {most} bits, not {length!r}")
        bits = int(length)
    kept = int.from_bytes(key, "big") >> (most - bits) << (most - bits)
    if kept != int.from_bytes(key, "big"):
        raise ValueError(f"the address has bits beyond the first {bits}")
    if most == 128 and bits >= 96 and is_mapped(address):
        key, most, bits = key[12:], 32, bits - 96
    return bytes((4 if most == 32 else 6, bits)) + key


def plain_key(str text not None):
    """Return the key of a name that the host parser certainly leaves unchanged, because the fast parser for plain URLs
    (machine/lane) accepts it. Return None if the host parser has to decide, or if the name has a star."""
    return plain_name(ascii_data(text), len(text)) if is_ascii(text) else None


cdef bytes plain_name(const uint8_t* p, size_t size):
    """Return what plain_key returns for these bytes."""
    cdef uint8_t[MOST_PLAIN + 9] octets
    cdef uint32_t n = <uint32_t>size, end
    if not 0 < size <= MOST_PLAIN:
        return None
    memcpy(octets, b"https://", 8)
    memcpy(octets + 8, p, n)
    octets[8 + n] = c'/'
    # lane.authority returns where the authority ends, which must be the end of the name. For an address it also sets
    # another bit of the result, so the comparison fails
    end = lane.authority(octets, n + 9)
    if end != 8 + n or octets[7 + n] == c'.' or memchr(octets + 8, c'*', n) != NULL:
        return None
    return (<char*>octets + 8)[:n]


# --- the table of hosts --------------------------------------------------------------------------

@cython.final
@cython.binding(False)
cdef class HostTable:
    """A table of keys, each of which occurs once. The keys are names in lower-case ASCII without a trailing dot,
    and networks (network_key)."""

    def __cinit__(self, list keys not None):
        cdef bytes octets = b"".join(keys), key, chance = urandom(sizeof(self.hosts.key))
        cdef uint32_t k = 0, n, at = 0, size = 8, length
        cdef const uint8_t* p
        if len(octets) > 0x7FFFFFFF:
            raise MemoryError()
        while size < 2 * len(keys):
            size *= 2
        self.keys, self.count = [octets], <uint32_t>len(keys)
        self.hosts.octets = octets
        memcpy(self.hosts.key, <const uint8_t*>chance, sizeof(self.hosts.key))
        self.hosts.mask = size - 1
        self.hosts.slots = <uint32_t*>calloc(size, 4)
        self.hosts.entries = <uint32_t*>calloc(3 * len(keys) + 1, 4)
        if self.hosts.slots == NULL or self.hosts.entries == NULL:
            raise MemoryError()
        for key in keys:
            p, n = self.hosts.octets + at, <uint32_t>len(key)
            self.hosts.entries[3 * k] = <uint32_t>key_hash(&self.hosts, p, n)
            self.hosts.entries[3 * k + 1] = at
            self.hosts.entries[3 * k + 2] = n
            if n and p[0] < 8:
                length = p[1] + (OF_IPV4 if p[0] == 4 else 0)
                self.hosts.lengths[length >> 6] |= <uint64_t>1 << (length & 63)
            else:
                self.hosts.sizes |= <uint64_t>1 << (n & 63)
                self.hosts.longest = max(self.hosts.longest, n)
            at += n
            add_entry(&self.hosts, k)
            k += 1

    def __dealloc__(self):
        free(self.hosts.slots)
        free(self.hosts.entries)

    def find(self, bytes host not None):
        """Return a list of (number, whether it is the whole host) for the entries that equal or contain the host. The
        shortest suffix comes first."""
        cdef Walk walk
        cdef bint whole
        cdef uint32_t entry
        cdef list found = []
        begin_walk(&walk, &self.hosts, host, len(host))
        while True:
            entry = next_entry(&self.hosts, &walk, &whole)
            if entry == NO_ENTRY:
                return found
            found.append((entry, bool(whole)))


cdef uint64_t key_hash(const Hosts* hosts, const uint8_t* p, uint32_t n) noexcept nogil:
    """Return the hash of a key, as a walk computes it: over the labels of a name from the right, or over the bytes of
    a network."""
    cdef uint64_t[4] hash
    cdef uint64_t dots
    cdef uint32_t end = n, start
    if n and p[0] < 8:
        return address_hash(hosts, p)
    sip_start(hash, hosts.key)
    dots = dots_of(p, n)
    while True:
        start = label_start(p, end, dots)
        add_label(hash, p, start, end, n)
        if start == 0:
            return sip_end(hash)
        end = start - 1


cdef inline void add_label(uint64_t* hash, const uint8_t* p, uint32_t start, uint32_t end, uint32_t n) noexcept nogil:
    """Add the label p[start:end] to a hash. All of p[0:n] may be read. The last word holds the length of the label, so
    two labels never give the same words as one label."""
    cdef uint32_t size = end - start, k
    cdef uint64_t word = 0
    while end - start >= 8:
        sip_word(hash, word_at(p + start))
        start += 8
    if start + 8 <= n:
        word = word_at(p + start) & first_bits(8 * (end - start))
    elif end >= 8 and start < end:
        word = word_at(p + end - 8) >> (64 - 8 * (end - start))
    else:
        for k in range(end - start):
            word |= <uint64_t>p[start + k] << 8 * k
    sip_word(hash, word | <uint64_t>size << 56)


cdef inline uint64_t address_hash(const Hosts* hosts, const uint8_t* p) noexcept nogil:
    cdef uint64_t[4] hash
    cdef uint64_t word
    cdef uint32_t k, n = 6 if p[0] == 4 else 18
    sip_start(hash, hosts.key)
    for k in range(0, n, 6):
        word = 0
        memcpy(&word, p + k, 6)
        sip_word(hash, word)
    return sip_end(hash)


cdef void add_entry(Hosts* hosts, uint32_t entry) noexcept nogil:
    cdef uint32_t slot = hosts.entries[3 * entry] & hosts.mask
    while hosts.slots[slot]:
        slot = (slot + 1) & hosts.mask
    hosts.slots[slot] = entry + 1


cdef inline uint32_t find_entry(const Hosts* hosts, uint64_t hash, const uint8_t* p, uint32_t n) noexcept nogil:
    cdef uint32_t slot = <uint32_t>hash & hosts.mask, entry
    cdef const uint32_t* found
    while hosts.slots[slot]:
        entry = hosts.slots[slot] - 1
        found = hosts.entries + 3 * entry
        if found[0] == <uint32_t>hash and found[2] == n and memcmp(hosts.octets + found[1], p, n) == 0:
            return entry
        slot = (slot + 1) & hosts.mask
    return NO_ENTRY


# --- the walk over a host ------------------------------------------------------------------------

cdef void begin_walk(Walk* walk, const Hosts* hosts, const uint8_t* p, uint32_t n) noexcept nogil:
    """Begin a walk over the entries that a host is or lies in. The host is in the normal form of a URL."""
    walk.bits = -1
    walk.rooted = n > 0 and p[n - 1] == c'.'
    if walk.rooted:
        n -= 1
    walk.p, walk.n, walk.end = p, n, n
    sip_start(walk.hash, hosts.key)
    if n and p[0] == c'[':
        if read_brackets(p, n, walk.address + 2):
            walk.address[0], walk.bits = 6, 128
            if is_mapped(walk.address + 2):
                walk.address[0], walk.bits = 4, 32
                memcpy(walk.address + 2, walk.address + 14, 4)
        walk.n = 0
    elif n and CLASS[p[n - 1]] & DIGIT and read_four_numbers(p, n, walk.address + 2):
        walk.address[0], walk.bits, walk.n = 4, 32, 0
    else:
        walk.dots = dots_of(p, n)


cdef uint32_t next_entry(const Hosts* hosts, Walk* walk, bint* whole) noexcept nogil:
    """Return the next entry that the host is or lies in, or NO_ENTRY after the last one. whole: set to whether the
    entry is the host itself; always True for a network."""
    cdef uint32_t start, entry, length, size
    while walk.n and walk.end:
        start = label_start(walk.p, walk.end, walk.dots)
        if walk.n - start > hosts.longest:
            walk.n = 0
            break
        add_label(walk.hash, walk.p, start, walk.end, walk.n)
        walk.end = start - 1 if start else 0
        if not hosts.sizes >> ((walk.n - start) & 63) & 1:
            continue
        entry = find_entry(hosts, sip_end(walk.hash), walk.p + start, walk.n - start)
        if entry != NO_ENTRY:
            whole[0] = start == 0
            return entry
    while walk.bits >= 0:
        length = <uint32_t>walk.bits
        walk.bits -= 1
        mask_bits(walk.address + 2, length, 4 if walk.address[0] == 4 else 16)
        walk.address[1] = <uint8_t>length
        if walk.address[0] == 4:
            length += OF_IPV4
        if hosts.lengths[length >> 6] >> (length & 63) & 1:
            size = 6 if walk.address[0] == 4 else 18
            entry = find_entry(hosts, address_hash(hosts, walk.address), walk.address, size)
            if entry != NO_ENTRY:
                whole[0] = True
                return entry
    return NO_ENTRY


cdef inline void mask_bits(uint8_t* address, uint32_t bits, uint32_t octets) noexcept nogil:
    """Clear all bits of an address after the first `bits`. The caller has done so for `bits` + 1 before, so only one
    bit is left to clear."""
    if bits < 8 * octets:
        address[bits >> 3] &= <uint8_t>(0xFF00 >> (bits & 7))


# --- programs, run over octets -----------------------------------------------------------------------
#
# A run takes time that is linear in the product of the lengths of the program and the text. There is no limit at which
# it gives up.
#
# A program of literals, "*" and "$" takes the leftmost position of each literal in turn. This leaves the most text for
# what follows, so no other choice could succeed where this one fails.
#
# Any other program tries its choices in ECMAScript's order, but never the same split twice at the same position: if a
# choice failed there once, it would fail again. Between two splits instructions run in a straight line. So a run takes
# at most instructions times (octets + 1) steps.
#
# Within optional groups it is not enough to remember the position of a split. NONEMPTY also depends on which of the
# groups around it have matched something so far. If an inner group has matched something, so have all groups around it.
# So it is enough to know how many of these groups are still empty, which is at most their depth. The rest of the run
# depends only on (split, position, this number), and these triples are remembered.
#
# Where no groups are asked for, the order of choices does not matter, and a repeated octet or class outside of optional
# groups is one instruction, STAR, which takes the fewest octets first. It remembers each position that it passes.


# --- literals, "*" and "$" -----------------------------------------------------------------------

cdef inline uint32_t find_piece(const uint8_t* p, uint32_t at, uint32_t n, const uint8_t* piece, uint32_t size,
                                const uint32_t* table, Work* work) noexcept nogil:
    """Return where the piece first begins in p[at:n], or NOWHERE. table: the table of Knuth, Morris and Pratt for a
    long piece, or NULL."""
    cdef const uint8_t* next
    cdef uint32_t k, taken = 0
    if size == 0:
        return at
    if table == NULL:
        while n - at >= size:
            next = <const uint8_t*>memchr(p + at, piece[0], n - at - size + 1)
            work.steps += 1
            if next == NULL:
                break
            at = next - p
            if memcmp(p + at, piece, size) == 0:
                return at
            at += 1
        work.steps += n - at
        return NOWHERE
    for k in range(at, n):
        work.steps += 1
        while taken and p[k] != piece[taken]:
            taken = table[taken - 1]
            work.steps += 1
        if p[k] == piece[taken]:
            taken += 1
            if taken == size:
                return k + 1 - size
    return NOWHERE


cdef bint holds_greedy(const uint32_t* program, const uint32_t* words, const uint8_t* pool, const uint8_t* p,
                       uint32_t n, Work* work) noexcept nogil:
    cdef uint32_t pieces = program[GREEDY_PIECES], k, at, size
    cdef const uint32_t* piece = program + GREEDY_WORDS
    cdef const uint32_t* table
    work.steps += 1
    at = piece[PIECE_SIZE]
    if n < at or memcmp(p, pool + piece[PIECE_AT], at) != 0:
        return False
    for k in range(1, pieces):
        piece += PIECE_WORDS
        size = piece[PIECE_SIZE]
        if k == pieces - 1 and program[GREEDY_ENDS]:  # the last piece has to end the text
            return n - at >= size and memcmp(p + n - size, pool + piece[PIECE_AT], size) == 0
        table = words + piece[PIECE_TABLE] if piece[PIECE_TABLE] else NULL
        at = find_piece(p, at, n, pool + piece[PIECE_AT], size, table, work)
        if at == NOWHERE:
            return False
        at += size
    return pieces > 1 or not program[GREEDY_ENDS] or at == n


# --- any other program ---------------------------------------------------------------------------

cdef enum:
    RESTORE = 0x80000000     # this entry of the stack restores a saved position
    OF_A_MARK = 0x40000000   # set besides RESTORE: the entry restores the beginning of an optional group
    MOST_SAVED = 0x10000     # the lower 16 bits of the entry are the number of the position


cdef inline int push(Work* work, uint32_t one, uint32_t other) except -1 nogil:
    buffer_reserve(&work.b, 8)
    (<uint32_t*>(work.b.p + work.b.n))[0] = one
    (<uint32_t*>(work.b.p + work.b.n))[1] = other
    work.b.n += 8
    return 0


cdef bint holds_full(const uint32_t* program, const uint32_t* words, const uint8_t* pool, const uint8_t* p, uint32_t n,
                     uint32_t* saved, Work* work) except -1 nogil:
    """Return whether the text p[0:n] matches. saved: receives the saved positions; a position that was not saved is
    NOWHERE."""
    cdef const uint32_t* code = program + FULL_WORDS
    cdef const uint32_t* now
    cdef const uint32_t* octets
    cdef uint32_t[DEEPEST] marks  # full_words has checked that each index is smaller than DEEPEST
    cdef uint32_t pc = 0, at = 0, k, op, a, b, level, levels = program[FULL_LEVELS]
    cdef size_t bits = <size_t>program[FULL_SPLITS] * levels * (<size_t>n + 1), base = (bits + 63) // 64 * 8, bit
    cdef uint8_t* seen
    cdef bint further, found = False
    work.b.n = 0
    buffer_reserve(&work.b, base + 64)
    memset(work.b.p, 0, base)
    work.b.n = base
    if saved != NULL:
        for k in range(program[FULL_SAVED]):
            saved[k] = NOWHERE
    while True:
        now = code + INSTRUCTION_WORDS * pc
        op, a, b = op_of(now), now[1], b_of(now)
        work.steps += 1
        if op == LITERAL:
            if n - at >= b and memcmp(p + at, pool + a, b) == 0:
                at += b
                pc += 1
                continue
        elif op == CLASS_OF:
            octets = words + a
            if at < n and octets[p[at] >> 5] >> (p[at] & 31) & 1:
                at += 1
                pc += 1
                continue
        elif op == ANY_OCTET:
            if at < n:
                at += 1
                pc += 1
                continue
        elif op == SPLIT:
            octets = now + INSTRUCTION_WORDS  # the instruction OF_SPLIT after the split
            level = 0
            for k in range(b_of(octets)):
                level += marks[k] == at
            bit = (<size_t>octets[1] * levels + level) * (<size_t>n + 1) + at
            seen = work.b.p + (bit >> 3)
            if not seen[0] >> (bit & 7) & 1:
                seen[0] |= 1 << (bit & 7)
                push(work, b, at)
                pc = a
                continue
        elif op == JUMP:
            pc = a
            continue
        elif op == SAVE or op == MARK:
            if op == MARK:
                push(work, RESTORE | OF_A_MARK | a, marks[a])
                marks[a] = at
            elif saved != NULL:
                push(work, RESTORE | a, saved[a])
                saved[a] = at
            pc += 1
            continue
        elif op == NONEMPTY:
            if marks[a] != at:
                pc += 1
                continue
        elif op == SPAN:  # a SPAN comes before all splits, so it runs once
            octets = words + a
            k = at
            while at < n and octets[p[at] >> 5] >> (p[at] & 31) & 1:
                at += 1
            work.steps += at - k
            if at - k >= b:
                pc += 1
                continue
        elif op == AT_END:
            if at == n:
                pc += 1
                continue
        elif op == STAR:
            # at each position that was not tried before, go on if the next instruction, perhaps a literal, may match
            octets = words + a
            bit = <size_t>b * levels * (<size_t>n + 1) + at
            while not work.b.p[bit >> 3] >> (bit & 7) & 1:
                work.b.p[bit >> 3] |= 1 << (bit & 7)
                work.steps += 1
                further = at < n and (a == 0 or octets[p[at] >> 5] >> (p[at] & 31) & 1)
                if op_of(now + INSTRUCTION_WORDS) != LITERAL or (at < n and p[at] == pool[now[INSTRUCTION_WORDS + 1]]):
                    if further:
                        push(work, pc, at + 1)
                    found = True
                    break
                if not further:
                    break
                at += 1
                bit += 1
            if found:
                found = False
                pc += 1
                continue
        else:  # op is DONE
            return True
        while True:  # this choice has failed, so go back to the last one that was not tried completely
            if work.b.n == base:
                return False
            work.b.n -= 8
            pc, at = (<uint32_t*>(work.b.p + work.b.n))[0], (<uint32_t*>(work.b.p + work.b.n))[1]
            if not pc & RESTORE:
                break
            work.steps += 1
            if pc & OF_A_MARK:
                marks[pc & 0xFFFF] = at
            else:
                saved[pc & 0xFFFF] = at


cdef bint holds(const uint32_t* program, const uint32_t* words, const uint8_t* pool, const uint8_t* p, uint32_t n,
                uint32_t* saved, Work* work) except -1 nogil:
    """Return whether the text p[0:n] matches a program. words: the whole block, which includes the tables of the
    program's pieces, and its sets. saved: room for the starts and ends of groups, or NULL."""
    if program[0] == GREEDY:
        return holds_greedy(program, words, pool, p, n, work)
    return holds_full(program, words, pool, p, n, saved, work)


# --- writing programs ----------------------------------------------------------------------------------

@cython.final
@cython.binding(False)
cdef class Block:
    """A matcher's block while it is written: its words, and the bytes of literals. grouped: whether programs save where
    groups match. If not, how greedy a piece is does not matter either."""

    def __cinit__(self, bint grouped=False):
        buffer_start(&self.b)
        buffer_start(&self.literals)
        buffer_start(&self.code)
        self.grouped, self.places, self.runs = grouped, {}, {}
        self.left = PY_SSIZE_T_MAX
        self.word(0)

    def __dealloc__(self):
        buffer_free(&self.b)
        buffer_free(&self.literals)
        buffer_free(&self.code)

    cdef uint32_t here(self) except 0:
        """Return the index of the next word."""
        if self.b.n > 0x3FFFFFFF0:
            raise MemoryError()
        return <uint32_t>(self.b.n // 4)

    cdef int word(self, uint32_t value) except -1:
        buffer_reserve(&self.b, 4)
        (<uint32_t*>(self.b.p + self.b.n))[0] = value
        self.b.n += 4
        return 0

    cdef uint32_t run(self, tuple words) except 0:
        """Return the place of these words, and add them if they are new."""
        at = self.runs.get(words)
        if at is None:
            at = self.runs[words] = self.here()
            for word in words:
                self.word(word)
        return at

    cdef object place(self, bytes literal):
        """Return the place of a literal's bytes, and add them if they are new."""
        at = self.places.get(literal)
        if at is None:
            if self.literals.n + len(literal) > 0x7FFFFFFF:
                raise MemoryError()
            at = self.places[literal] = self.literals.n
            buffer_copy(&self.literals, literal, len(literal))
        return at

    cdef uint32_t table(self, bytes literal) except? 0:
        """Return the place of a literal's table of Knuth, Morris and Pratt. For each number of bytes that agreed, the
        table has the next smaller number that may still agree. Return 0 for a short literal, which needs no table."""
        cdef const uint8_t* p = literal
        cdef uint32_t n = <uint32_t>len(literal), k, taken = 0, at
        cdef uint32_t* table
        if n <= SHORT_PIECE:
            return 0
        known = self.places.get(("table", literal))
        if known is not None:
            return known
        at = self.here()
        buffer_reserve(&self.b, 4 * <size_t>n)
        table = <uint32_t*>(self.b.p + self.b.n)
        self.b.n += 4 * <size_t>n
        table[0] = 0
        for k in range(1, n):
            while taken and p[k] != p[taken]:
                taken = table[taken - 1]
            taken += p[k] == p[taken]
            table[k] = taken
        self.places["table", literal] = at
        return at

    cdef uint32_t* copy_words(self, const uint8_t** literals) except NULL:
        """Return a copy of the words, followed by the literals. The caller must free it."""
        cdef uint8_t* made = <uint8_t*>malloc(self.b.n + self.literals.n)
        if made == NULL:
            raise MemoryError()
        memcpy(made, self.b.p, self.b.n)
        memcpy(made + self.b.n, self.literals.p, self.literals.n)
        literals[0] = made + self.b.n
        return <uint32_t*>made

    cdef uint32_t program(self, tuple program) except 0:
        """Return the place of a program, and add the program if it is new. PatternError: the program is too large."""
        cdef uint32_t at
        cdef list pieces, words
        known = self.places.get(program)
        if known is not None:
            return known
        pieces = greedy_pieces(program)
        if pieces is None:
            at = self.full_program(program)
        else:
            words = [GREEDY, len(pieces), len(program) > 0 and program[len(program) - 1] == "$"]
            for piece in pieces:
                words.append(self.place(piece))
                words.append(len(piece))
                words.append(self.table(piece) if len(words) > GREEDY_WORDS + PIECE_TABLE else 0)
            at = self.here()
            for word in words:
                self.word(word)
        self.places[program] = at
        return at

    cdef uint32_t full_program(self, tuple program) except 0:
        """Add a FULL program. The instructions of a program that is too large count towards the limit for a list as
        well. Otherwise, a list could contain many such programs, each of which takes a long time to compile."""
        cdef Py_ssize_t n = len(program)
        cdef uint32_t at, count
        self.code.n = self.splits = self.depth = self.deepest = self.saved = 0
        if n >= 2 and program[n - 2] == "*" and program[n - 1] == "$":
            n -= 2  # these change nothing: without them, anything may follow as well
        try:
            self.sequence(program, n)
            self.instruction(DONE, 0, 0)
        finally:
            count = self.instructions()
            self.left -= count
        at = self.here()
        for word in (FULL, count, self.splits, self.deepest + 1, self.saved):
            self.word(word)
        buffer_copy(&self.b, self.code.p, self.code.n)
        return at

    cdef uint32_t instructions(self) noexcept:
        """Return the number of instructions so far."""
        return <uint32_t>(self.code.n // (4 * INSTRUCTION_WORDS))

    cdef int instruction(self, uint32_t op, uint32_t a, uint32_t b) except -1:
        cdef uint32_t* w
        if <Py_ssize_t>self.instructions() >= min(self.left, MOST):
            raise PatternError("too-large", LIST_TOO_LARGE if self.left < MOST else TOO_LARGE)
        buffer_reserve(&self.code, 4 * INSTRUCTION_WORDS)
        if b > MOST_B:
            raise MemoryError()
        w = <uint32_t*>(self.code.p + self.code.n)
        w[0], w[1] = op | b << 4, a
        self.code.n += 4 * INSTRUCTION_WORDS
        return 0

    cdef void lead(self, uint32_t instruction, uint32_t a, uint32_t b) noexcept:
        """Set where an instruction leads."""
        cdef uint32_t* w = <uint32_t*>self.code.p + INSTRUCTION_WORDS * instruction
        w[0], w[1] = op_of(w) | b << 4, a

    cdef uint32_t split(self) except? 0:
        """Add a SPLIT, and return its number. The caller sets where it leads."""
        cdef uint32_t made = self.instructions()
        self.instruction(SPLIT, 0, 0)
        self.instruction(OF_SPLIT, self.splits, self.depth)
        self.splits += 1
        return made

    @cython.boundscheck(True)
    cdef int sequence(self, tuple program, Py_ssize_t n) except -1:
        """Add the instructions for the first n pieces of a program."""
        cdef Py_ssize_t k = 0
        cdef list literals
        cdef bytes literal
        Py_EnterRecursiveCall(b" in a program")
        try:
            while k < n:
                piece = program[k]
                if not self.grouped and type(piece) is tuple and piece[0] == "group":
                    if len(piece[2]) != 1:
                        self.sequence(piece[2], len(piece[2]))
                        k += 1
                        continue
                    piece = piece[2][0]
                if is_octets(piece):
                    literals = []
                    while is_octets(piece):
                        literals.append(piece if type(piece) is bytes else piece[1])
                        k += 1
                        if k == n:
                            break
                        piece = program[k]
                    literal = literals[0] if len(literals) == 1 else b"".join(literals)
                    if literal:
                        self.instruction(LITERAL, self.place(literal), <uint32_t>len(literal))
                    continue
                if self.splits == 0 and k + 1 < len(program) and is_span(piece, program[k + 1], self.grouped):
                    self.instruction(SPAN, self.set_of(piece[1][0][1]), piece[2])
                else:
                    self.piece(piece)
                k += 1
        finally:
            Py_LeaveRecursiveCall()
        return 0

    @cython.boundscheck(True)
    cdef int piece(self, object piece) except -1:
        cdef uint32_t number
        if type(piece) is str:
            if piece == "*":
                self.times(("?",), 0, None, True)
            else:
                self.instruction(ANY_OCTET if piece == "?" else AT_END, 0, 0)
        elif piece[0] == "in":
            self.instruction(CLASS_OF, self.set_of(piece[1]), 0)
        elif piece[0] == "or":
            self.choice(piece[1])
        elif piece[0] == "group" and not self.grouped:
            self.sequence(piece[2], len(piece[2]))
        elif piece[0] == "group":
            if not 0 <= piece[1] < MOST_SAVED // 2:
                raise ValueError(f"the number of a group must be below {MOST_SAVED // 2}")
            number = piece[1]
            self.saved = max(self.saved, 2 * number + 2)
            self.instruction(SAVE, 2 * number, 0)
            self.sequence(piece[2], len(piece[2]))
            self.instruction(SAVE, 2 * number + 1, 0)
        elif piece[0] == "optional":
            self.optional(piece[1], piece[2])
        else:
            _, program, fewest, most, greedy = piece
            self.times(program, fewest, most, greedy)
        return 0

    cdef int choice(self, tuple programs) except -1:
        cdef uint32_t made, end
        cdef Py_ssize_t k
        cdef list ends = []
        if not programs:
            raise ValueError("a choice must have at least one program")
        for k in range(len(programs) - 1):
            made = self.split()
            self.sequence(programs[k], len(programs[k]))
            ends.append(self.instructions())
            self.instruction(JUMP, 0, 0)
            self.lead(made, made + 2, self.instructions())
        self.sequence(programs[len(programs) - 1], len(programs[len(programs) - 1]))
        for end in ends:
            self.lead(end, self.instructions(), 0)
        return 0

    cdef int optional(self, tuple program, bint greedy) except -1:
        cdef uint32_t made = self.split()
        if self.depth == DEEPEST:
            raise PatternError("too-deep", f"optional groups are nested more than {DEEPEST} deep")
        self.instruction(MARK, self.depth, 0)
        self.depth += 1
        self.deepest = max(self.deepest, self.depth)
        self.sequence(program, len(program))
        self.depth -= 1
        self.instruction(NONEMPTY, self.depth, 0)
        if greedy:
            self.lead(made, made + 2, self.instructions())
        else:
            self.lead(made, self.instructions(), made + 2)
        return 0

    @cython.boundscheck(True)
    cdef int times(self, tuple program, Py_ssize_t fewest, object most, bint greedy) except -1:
        cdef uint32_t start = self.instructions(), made
        cdef Py_ssize_t k
        for k in range(fewest):
            self.sequence(program, len(program))
            # the program has no instructions: it matches only the empty text, however often it is repeated
            if k == 0 and self.instructions() == start:
                return 0
        if most is None and not self.grouped and self.depth == 0 and len(program) == 1 \
                and (program[0] == "?" or program[0][0] == "in"):
            self.instruction(STAR, 0 if program[0] == "?" else self.set_of(program[0][1]), self.splits)
            self.splits += 1
            return 0
        if most is None:
            made = self.split()
            self.sequence(program, len(program))
            self.instruction(JUMP, made, 0)
            if greedy:
                self.lead(made, made + 2, self.instructions())
            else:
                self.lead(made, self.instructions(), made + 2)
            return 0
        for _ in range(<Py_ssize_t>most - fewest):
            self.optional(program, greedy)
        return 0

    cdef uint32_t set_of(self, bytes octets) except 0:
        """Return the place of a set of octets, and add the set if it is new."""
        cdef uint32_t[SET_WORDS] bits
        cdef const uint8_t* p = octets
        cdef Py_ssize_t k
        memset(bits, 0, sizeof(bits))
        for k in range(len(octets)):
            bits[p[k] >> 5] |= <uint32_t>1 << (p[k] & 31)
        return self.run(tuple([bits[k] for k in range(SET_WORDS)]))


@cython.boundscheck(True)
cdef bint is_octets(object piece) except -1:
    """Return whether a piece of a program matches one text: it is a literal, or a class of one octet."""
    return type(piece) is bytes or (type(piece) is tuple and piece[0] == "in" and len(piece[1]) == 1)


@cython.boundscheck(True)
cdef bint is_span(object piece, object after, bint grouped) except -1:
    """Return whether `piece` is a repeated class, and the next piece, `after`, cannot begin with a byte of that class.
    Then a match can take all bytes of the class at once: if it took fewer, `after` could not match. One instruction,
    SPAN, does that. It is only used before the first split, where it is executed once. After a split it could be
    executed many times, and matching would not take linear time."""
    if not (type(piece) is tuple and piece[0] == "times" and piece[3] is None and piece[2] <= MOST_B
            and (piece[4] or not grouped)):
        return False
    inner = piece[1]
    if not (len(inner) == 1 and type(inner[0]) is tuple and inner[0][0] == "in"):
        return False
    return after == "$" or (type(after) is bytes and len(<bytes>after) > 0 and after[:1] not in inner[0][1])


cdef list greedy_pieces(tuple program):
    """Return the literals between the stars of a program, if it consists of literals, "*" and, at its end, "$". Return
    None for any other program."""
    cdef list pieces = []
    cdef bytes literal = b""
    cdef Py_ssize_t k, n = len(program)
    for k in range(n):
        piece = program[k]
        if type(piece) is bytes:
            literal += <bytes>piece
        elif type(piece) is not str or piece == "?" or (piece == "$" and k < n - 1):
            return None
        elif piece == "*" and (literal or not pieces):
            pieces.append(literal)
            literal = b""
    pieces.append(literal)
    return pieces


# --- one program by itself ---------------------------------------------------------------------------

@cython.final
@cython.binding(False)
cdef class Program:
    """A compiled program (urlsm.patterns.rule). greedy: None, or another program that matches the same strings, perhaps
    without groups."""
    cdef uint32_t* w         # the words, followed by the literals
    cdef uint32_t at, plain  # where the program begins, and where the one without groups begins
    cdef const uint8_t* octets
    cdef readonly uint32_t groups

    def __cinit__(self, tuple program not None, tuple greedy=None):
        cdef Block block = Block(True)
        self.at = block.program(program)
        self.plain = self.at if greedy is None else block.program(greedy)
        self.w = block.copy_words(&self.octets)
        self.groups = self.w[self.at + 4] // 2 if self.w[self.at] == FULL else 0

    def matches(self, str text not None):
        """Return whether a text matches. Only ASCII strings can match."""
        cdef Work work
        if not is_ascii(text) or len(text) > MAX_LENGTH:
            return False
        work.steps = 0
        buffer_start(&work.b)
        try:
            return bool(holds(self.w + self.plain, self.w, self.octets, ascii_data(text), <uint32_t>len(text), NULL,
                              &work))
        finally:
            buffer_free(&work.b)

    def spans(self, bytes text not None):
        """Return the span of each group, and the number of steps. The span of a group that did not participate in the
        match is None. If the text does not match, None is returned in place of the spans."""
        cdef Work work
        cdef uint32_t k
        cdef bint found
        cdef uint32_t* saved = <uint32_t*>malloc(8 * <size_t>self.groups + 8)
        cdef list groups = []
        if saved == NULL:
            raise MemoryError()
        work.steps = 0
        buffer_start(&work.b)
        try:
            if len(text) > MAX_LENGTH:
                raise ValueError("the text is too long")
            found = holds(self.w + self.at, self.w, self.octets, text, <uint32_t>len(text), saved, &work)
            if not found:
                return None, work.steps
            for k in range(0, 2 * self.groups, 2):
                groups.append(None if saved[k] == NOWHERE or saved[k + 1] == NOWHERE else (saved[k], saved[k + 1]))
            return groups, work.steps
        finally:
            buffer_free(&work.b)
            free(saved)


# --- rows of the tries, and how they are sorted ------------------------------------------------------------

cdef inline uint64_t head_of(const uint8_t* p, uint32_t n) noexcept nogil:
    cdef uint64_t head = 0
    cdef uint32_t k
    for k in range(min(n, 8)):
        head |= <uint64_t>p[k] << (56 - 8 * k)
    return head


cdef inline bint goes_before(const Row* a, const Row* b, const uint8_t* pool) noexcept nogil:
    """Return whether row a comes before row b. Rows are ordered by group, then by bytes, then by rank with the highest
    first."""
    cdef int order
    if a.group != b.group:
        return a.group < b.group
    if a.head != b.head:  # compare the first eight octets; missing ones count as 0
        return a.head < b.head
    if a.at != b.at or a.n != b.n:
        order = memcmp(pool + a.at, pool + b.at, min(a.n, b.n))
        if order != 0:
            return order < 0
        if a.n != b.n:
            return a.n < b.n
    return a.rule > b.rule


cdef void sort_rows(Row* rows, Row* spare, uint32_t n, const uint8_t* pool) noexcept nogil:
    """Sort the rows by merging runs of 1, 2, 4 rows and so on. Two runs that are already in order are copied without
    merging, so a sorted list takes fewer than n comparisons, but still one copy per pass."""
    cdef Row* a = rows
    cdef Row* b = spare
    cdef size_t width = 1, low, middle, high, i, j, k
    for k in range(n):
        a[k].head = head_of(pool + a[k].at, a[k].n)
    while width < n:
        low = 0
        while low < n:
            middle, high = min(low + width, <size_t>n), min(low + 2 * width, <size_t>n)
            i, j = low, middle
            if middle == high or not goes_before(&a[middle], &a[middle - 1], pool):
                memcpy(b + low, a + low, sizeof(Row) * (high - low))
                low = high
                continue
            for k in range(low, high):
                if i < middle and (j >= high or not goes_before(&a[j], &a[i], pool)):
                    b[k] = a[i]
                    i += 1
                else:
                    b[k] = a[j]
                    j += 1
            low = high
        a, b = b, a
        width *= 2
    if a != rows:
        memcpy(rows, a, sizeof(Row) * <size_t>n)


# --- tokens: texts by which the rules of a branch are found (tokens.pxd) ---------------------------------------

cdef enum:
    COMMON = 1 << 24         # a gram that many URLs have counts as if this many rules had it

cdef bytes IN_MANY_URLS = (
    b"https://www. http://www. .com/ .net/ .org/ .html .htm? .php? .js? .json .jpg .png .gif .css /index /static "
    b"/assets /images /public /content")
cdef uint64_t NO_TOKEN = ~<uint64_t>0  # the head of a row that has no token

cdef struct Count:           # how many rules have a token
    uint32_t value, kind, count
    uint32_t last            # the number of the last of these rules, plus 1


cdef inline Count* count_of(Count* counts, size_t mask, const Token* token) noexcept nogil:
    """Return the place of a token in a hash table that has room for it."""
    cdef size_t slot = filter_hash(token.value, 0) & mask
    while counts[slot].kind and (counts[slot].value != token.value or counts[slot].kind != token.kind):
        slot = (slot + 1) & mask
    return &counts[slot]


cdef int by_token(const void* a, const void* b) noexcept nogil:
    """Order rows by their tokens, then by rank with the highest first."""
    cdef const Row* one = <const Row*>a
    cdef const Row* other = <const Row*>b
    if one.head != other.head:
        return -1 if one.head < other.head else 1
    return (one.rule < other.rule) - (one.rule > other.rule)


# --- the tables, written into one block --------------------------------------------------------------

# most URLs begin with this text, so hardly any URL is excluded by a prefix that is the beginning of it
cdef bytes ANY_SCHEME = b"https://"


@cython.final
@cython.binding(False)
cdef class Tables:
    """Rules that are added one by one, to make a Matcher. takes_paths_out, takes_queries_out: whether some rule takes
    URLs out of the list because of their path, or because of their query. single: whether there is only one rule, which
    is then compared without a look-up of the host."""

    def __cinit__(self, *, bint single=False):
        cdef bytes chance = urandom(sizeof(self.key))
        memcpy(self.key, <const uint8_t*>chance, sizeof(self.key))
        self.block, self.keys, self.source_keys, self.unindexed, self.single = Block(), {}, {}, [], single
        buffer_start(&self.rows)
        buffer_start(&self.labels)
        buffer_start(&self.tokens)
        self.block.word(0)  # an unused word: 1 is not a place, but means that children are in the table of edges

    def __dealloc__(self):
        buffer_free(&self.rows)
        buffer_free(&self.labels)
        buffer_free(&self.tokens)

    def __len__(self):
        return self.count

    def limit(self, Py_ssize_t instructions):
        """Limit the total number of instructions in all programs. GREEDY programs contain none, so they do not
        count."""
        self.block.left = instructions

    def add(self, rule, uint32_t whose=0):
        """Add a Rule. whose: the number of the rule's pattern. PatternError: one of the rule's programs is too
        large."""
        cdef tuple checks, program
        cdef object prefix = b""
        cdef uint32_t kind, packed = 0, first = 0
        cdef bint begins = False  # whether few URLs begin with the prefix
        cdef uint32_t group = ANY_TARGET
        allow, schemes, host, ports, checks, _, _, _, request = rule
        if allow:
            packed = ALLOWS
        for name, program in checks:
            kind = NUMBERS[name]
            if not allow and (kind == SEARCH or kind == QUERY or (kind <= WHOLE and kind != PATH)):
                if kind > WHOLE or not is_literal(program) or b"?" in prefix_of(program):
                    self.takes_queries_out = True
            if kind > WHOLE:
                continue
            if not is_exact(program):
                packed |= BEHIND
            if not allow:
                self.takes_paths_out = True
        if not self.single:
            host, checks, unrooted = with_host(host, checks)
            packed |= <uint32_t>unrooted
        if host is not None:
            packed |= <uint32_t>(<int>host[0] + 1) << HOW_BIT
            group = OF_HOST
        if checks:
            name, program = checks[0]
            kind = NUMBERS[name]
            if kind <= PATH or (kind <= WHOLE and host is None):
                if kind > PATH:
                    group = ANY_WHOLE
                if program and type(program[0]) is bytes:
                    prefix = program[0]
                if program == () or (len(program) == 1 and prefix) or is_exact(program):
                    first = 1  # the trie checks everything except where the text has to end
                    packed |= (2 * kind + 1 + <uint32_t>is_exact(program)) << END_BIT
                begins = len(<bytes>prefix) > 0 and (kind <= PATH or not ANY_SCHEME.startswith(prefix))
        demand = (packed, self.schemes(schemes), self.ports(ports), self.checks(checks, first), self.request(request))
        # from here on no error can occur, so each host in the table has a rule
        if group == OF_HOST:
            entry = self.keys.get(host[1])
            if entry is None:
                entry = self.keys[host[1]] = len(self.keys)
            group = OF_HOST + <uint32_t>entry
        elif request is not None and len(request[2]) == 1 and not begins and (group == ANY_WHOLE or not checks) \
                and (first or not has_gram(checks)):
            group = OF_SOURCE + self.source(request[2][0])
        self.put(group, demand, prefix, whose)

    def expect_names(self, str start not None, str end not None, rule not None):
        """Let add_name accept lines that consist of `start`, a name and `end`. Such a line means the given rule with
        the name as its host. Whether the name is EXACT, BELOW or BOTH is taken from the rule's own host; if that is
        None, it is BOTH. The rule has no checks."""
        allow, schemes, host, ports, _, _, _, _, request = rule
        how = BOTH if host is None else host[0]
        packed = (ALLOWS if allow else 0) | <uint32_t>(how + 1) << HOW_BIT
        self.name_demand = self.block.run(
            (packed, self.schemes(schemes), self.ports(ports), 0, self.request(request))
        )
        self.name_start, self.name_end = start.encode(), end.encode()

    def add_name(self, str line not None, uint32_t whose):
        """Add the rule of a line, if the line is certainly a name between the texts that expect_names has set. The name
        must have at least two labels of lower-case letters, digits and "-" that the host parser would not change.
        Return whether the rule was added."""
        cdef const uint8_t* p
        cdef Py_ssize_t n, start, end, k
        cdef bint dotted = False
        cdef bytes key
        if self.name_start is None or not is_ascii(line):
            return False
        p, n, start, end = ascii_data(line), len(line), len(self.name_start), len(self.name_end)
        if n <= start + end or memcmp(p, <const uint8_t*>self.name_start, start) != 0 \
                or memcmp(p + n - end, <const uint8_t*>self.name_end, end) != 0:
            return False
        p += start
        n -= start + end
        for k in range(n):
            if p[k] == c'.':
                if k == 0 or k == n - 1 or p[k - 1] == c'.':
                    return False
                dotted = True
            elif not (c'a' <= p[k] <= c'z' or c'0' <= p[k] <= c'9' or p[k] == c'-'):
                return False
        key = plain_name(p, n) if dotted else None
        if key is None:
            return False
        entry = self.keys.get(key)
        if entry is None:
            entry = self.keys[key] = len(self.keys)
        self.row(OF_HOST + <uint32_t>entry, self.name_demand, 0, 0, whose)
        return True

    def add_prefix(self, bint allow, bytes prefix not None, uint32_t whose=0):
        """Add the rule for all targets that begin with prefix: Rule(allow, checks=(("target", (prefix,)),))."""
        self.takes_paths_out |= not allow
        self.row(ANY_TARGET, self.target_demand(allow, False), self.block.place(prefix), <uint32_t>len(prefix), whose)

    cdef int put(self, uint32_t group, tuple demand, bytes prefix, uint32_t whose) except -1:
        place = self.block.place(prefix)
        return self.row(group, self.block.run(demand), place, <uint32_t>len(prefix), whose)

    cdef uint32_t target_demand(self, bint allow, bint ends) except 0:
        """Return the place of the demand of a rule for which the trie checks everything except where the target has to
        end."""
        cdef uint32_t* place = &self.targets[2 * ends + allow]
        if place[0] == 0:
            place[0] = self.block.here()
            self.block.word((ALLOWS if allow else 0) | (0 if ends else BEHIND) | (2 * TARGET + 1 + ends) << END_BIT)
            for _ in range(4):
                self.block.word(0)
        return place[0]

    cdef int row(self, uint32_t group, uint32_t demand, uint32_t at, uint32_t n, uint32_t whose) except -1:
        cdef Row* row
        buffer_reserve(&self.rows, sizeof(Row))
        row = <Row*>(self.rows.p + self.rows.n)
        row.group, row.at, row.n, row.whose, row.demand = group, at, n, whose, demand
        self.rows.n += sizeof(Row)
        self.count += 1
        return 0

    cdef uint32_t schemes(self, object names) except? 0:
        """Return the place of these words: the bits of special schemes, the number of other schemes, and the start and
        length of each of these."""
        cdef uint32_t bits = 0
        cdef list others = []
        if names is None:
            return 0
        for name in sorted(names):
            if name in SCHEMES:
                bits |= <uint32_t>1 << <int>SCHEMES.index(name)
            else:
                others.append(self.block.place(name.encode()))
                others.append(len(name))
        return self.block.run((bits, len(others) // 2, *others))

    cdef uint32_t ports(self, object ranges) except? 0:
        """Return the place of these words: the number of ranges, and the lowest and highest port of each. -1 represents
        the port of a URL that has none and whose scheme has no default port."""
        if ranges is None:
            return 0
        return self.block.run((len(ranges), *[<uint32_t><int>port for each in ranges for port in each]))

    cdef uint32_t checks(self, tuple checks, uint32_t first) except? 0:
        """Return the place of these words: the number of checks, and for each the kind of its text and the place of its
        program."""
        cdef uint32_t k
        cdef list words = []
        if first == len(checks):
            return 0
        for k in range(first, len(checks)):
            name, program = checks[k]
            words.append(NUMBERS[name])
            words.append(self.block.program(program))
        return self.block.run((len(checks) - first, *words))

    cdef uint32_t source(self, bytes key) except? 0:
        """Return the entry of a source, and add the source if it is new."""
        entry = self.source_keys.get(key)
        if entry is None:
            entry = self.source_keys[key] = len(self.source_keys)
        return entry

    cdef uint32_t request(self, object wanted) except? 0:
        """Return the place of the words that is_asked reads."""
        cdef list words
        if wanted is None:
            return 0
        types, parties, sources, others, hosts, other_hosts = wanted
        words = [types, parties]
        for keys in (*hosts, *other_hosts):
            self.leads = self.leads or keys.endswith(b".*")
        for keys in (sources, others, hosts, other_hosts):
            entries = sorted([self.source(key) for key in keys])
            words.append(len(entries))
            words.extend(entries)
        return self.block.run(tuple(words))

    # --- the tables of a Matcher ------------------------------------------------------------------

    cdef int finish(self, Layout* made, object order) except -1:
        """Number the rules by rank, and write all tables. order: the indices of the rules, the weakest first."""
        cdef uint32_t number, k, root, size = self.count
        cdef Row* rows = <Row*>self.rows.p
        cdef Row* spare = <Row*>malloc(sizeof(Row) * <size_t>size + 1)
        cdef Todo* todo = <Todo*>malloc(sizeof(Todo) * (<size_t>size + 1))
        cdef uint32_t* w
        memcpy(made.key, self.key, sizeof(made.key))
        try:
            if spare == NULL or todo == NULL:
                raise MemoryError()
            made.rules = self.block.here()
            buffer_reserve(&self.block.b, 4 * RULE_WORDS * <size_t>size)
            w = <uint32_t*>(self.block.b.p + self.block.b.n)
            self.block.b.n += 4 * RULE_WORDS * <size_t>size
            number = 0
            for place in order:
                k = place
                if k >= size or number >= size:
                    raise ValueError("the order has each rule once")
                rows[k].rule = number
                w[RULE_WORDS * number], w[RULE_WORDS * number + 1] = rows[k].whose, rows[k].demand
                number += 1
            if number != size:
                raise ValueError("the order has each rule once")
            made.roots = self.block.here()
            for _ in range(OF_HOST + <uint32_t>(len(self.keys) + len(self.source_keys))):
                self.block.word(0)
            sort_rows(rows, spare, size, self.block.literals.p)
            number = 0
            while number < size:
                k = number + 1
                while k < size and rows[k].group == rows[number].group:
                    k += 1
                root = made.roots + rows[number].group
                if rows[number].group >= OF_SOURCE:
                    root += OF_HOST + <uint32_t>len(self.keys) - OF_SOURCE
                self.trie(rows, number, k, root, todo)
                number = k
            self.write_edges(made)
            self.write_filter(made)
        finally:
            free(spare)
            free(todo)
        return 0

    cdef int trie(self, Row* rows, uint32_t start, uint32_t stop, uint32_t root, Todo* todo) except -1:
        """Write the trie of rows[start:stop], which are sorted, and store its place in the word at root. todo has room
        for as many entries as there are rows. That is enough, because no two entries share a row."""
        cdef uint32_t low, high, depth, parent, end, k, longest, node, next_at, things = 1
        cdef bint only
        cdef const uint8_t* pool = self.block.literals.p
        cdef Buffer* b = &self.block.b
        todo[0] = Todo(start, stop, 0, 0, False)
        while things:
            things -= 1
            low, high, depth = todo[things].low, todo[things].high, todo[things].depth
            parent, only = todo[things].parent, todo[things].only
            # the rows are sorted, so all of them share the octets that the first and the last one share
            longest = depth
            while longest < rows[low].n and longest < rows[high - 1].n \
                    and pool[rows[low].at + longest] == pool[rows[high - 1].at + longest]:
                longest += 1
            node = self.block.here()
            if parent == 0:
                (<uint32_t*>b.p)[root] = node
            elif only:
                (<uint32_t*>b.p)[parent + 3] = ALONE | node
            else:
                self.edge(parent, pool[rows[low].at + depth], node)
            self.block.word(rows[low].at + depth)
            self.block.word(longest - depth)
            k = low
            while k < high and rows[k].n == longest:
                k += 1
            self.block.word(0)
            self.block.word(k < high)
            if k > low:
                end = self.rules_of(rows + low, k - low, 0)
                (<uint32_t*>b.p)[node + 2] = end
            only = k < high and pool[rows[k].at + longest] == pool[rows[high - 1].at + longest]
            while k < high:
                next_at = pool[rows[k].at + longest]
                end = k + 1
                while end < high and pool[rows[end].at + longest] == next_at:
                    end += 1
                todo[things] = Todo(k, end, longest, node, only)
                things += 1
                k = end
        return 0

    cdef uint32_t rules_of(self, Row* rows, uint32_t n, uint32_t level) except 0:
        """Return the word for n rules, which are sorted by rank: ALONE | a rule, or the place of a list or of a branch,
        which is written. level: how many branches it lies in."""
        cdef uint32_t place
        if n == 1:
            return ALONE | rows[0].rule
        if n > FEW and level < MOST_LEVELS:
            place = self.branch(rows, n, level)
            if place != NOWHERE:
                return place
        place = self.block.here()
        self.block.word(n)
        self.put_rules(rows, n)
        return place

    cdef int put_rules(self, const Row* rows, uint32_t n) except -1:
        """Add the numbers of rules that are tried one after another."""
        cdef uint32_t k
        for k in range(n):
            self.block.word(rows[k].rule)
            if n > FEW:
                self.unindexed.append(rows[k].whose)
        return 0

    cdef uint32_t branch(self, Row* rows, uint32_t n, uint32_t level) except 0:
        """Write a branch of n rules, each of which is found by a token, and return its place. Return NOWHERE if tokens
        do not tell these rules apart. The rows are sorted anew."""
        cdef uint32_t place, token, bit, k, end, told, highest = rows[0].rule
        if not self.choose_tokens(rows, n, level == 0):
            return NOWHERE
        qsort(rows, n, sizeof(Row), by_token)
        told = n
        while told and rows[told - 1].head == NO_TOKEN:
            told -= 1
        place = self.block.here()
        self.block.word(ALONE | (n - told))
        self.block.word(highest)
        self.block.word(0)
        self.block.word(0)
        self.put_rules(rows + told, n - told)
        k = 0
        while k < told:
            end = k + 1
            while end < told and rows[end].head == rows[k].head:
                end += 1
            token = <uint32_t>rows[k].head  # a branch of these rows sets other heads
            buffer_copy(&self.tokens, <const uint8_t*>&token, 4)
            bit = branch_bit(token)
            (<uint32_t*>self.block.b.p)[place + 2 + (bit >> 5)] |= <uint32_t>1 << (bit & 31)
            self.edge(place, token, self.rules_of(rows + k, end - k, level + 1))
            k = end
        return place

    cdef bint choose_tokens(self, Row* rows, uint32_t n, bint all_too) except -1:
        """Set the head of each row to the token that the fewest of the rules have, or to NO_TOKEN. Return whether some
        row has a token. all_too: whether a token that all rules have is taken if a rule has no other one."""
        cdef Buffer tokens, scratch
        cdef Count* counts = NULL
        cdef Count* found
        cdef const Token* token
        cdef uint32_t* starts = <uint32_t*>malloc(4 * (<size_t>n + 1))
        cdef uint32_t k, i, best_count, best_kind, kinds = 0
        cdef size_t mask = 255
        buffer_start(&tokens)
        buffer_start(&scratch)
        try:
            if starts == NULL:
                raise MemoryError()
            put_grams(&tokens, IN_MANY_URLS, <uint32_t>len(IN_MANY_URLS))
            starts[0] = <uint32_t>(tokens.n // sizeof(Token))
            for k in range(n):
                self.rule_tokens(&rows[k], &tokens, &scratch)
                if tokens.n // sizeof(Token) > 0x7FFFFFFF:
                    raise MemoryError()
                starts[k + 1] = <uint32_t>(tokens.n // sizeof(Token))
            while mask < 2 * (tokens.n // sizeof(Token)):
                mask = 2 * mask + 1
            counts = <Count*>calloc(mask + 1, sizeof(Count))
            if counts == NULL:
                raise MemoryError()
            token = <const Token*>tokens.p
            for i in range(starts[0]):
                found = count_of(counts, mask, &token[i])
                found.value, found.kind, found.count = token[i].value, token[i].kind, COMMON
            for k in range(n):
                for i in range(starts[k], starts[k + 1]):
                    found = count_of(counts, mask, &token[i])
                    found.value, found.kind = token[i].value, token[i].kind
                    if found.last != k + 1:
                        found.last = k + 1
                        found.count += 1
            for k in range(n):
                rows[k].head, best_count, best_kind = NO_TOKEN, NOWHERE if all_too else n, 0
                for i in range(starts[k], starts[k + 1]):
                    found = count_of(counts, mask, &token[i])
                    if found.count < best_count or (found.count == best_count and found.kind < best_kind):
                        rows[k].head, best_count, best_kind = found.value, found.count, found.kind
                kinds |= best_kind
            self.kinds |= kinds
        finally:
            free(starts)
            free(counts)
            buffer_free(&tokens)
            buffer_free(&scratch)
        return kinds != 0

    cdef int rule_tokens(self, const Row* row, Buffer* tokens, Buffer* scratch) except -1:
        """Append the tokens of a rule: those of all its checks."""
        cdef const uint32_t* w = <const uint32_t*>self.block.b.p
        cdef const uint32_t* checks
        cdef uint32_t k
        if w[row.demand + 3]:
            checks = w + w[row.demand + 3]
            for k in range(checks[0]):
                if checks[2 * k + 1] < CASED_TARGET:
                    put_tokens(tokens, checks[2 * k + 1], w + checks[2 * k + 2], w, self.block.literals.p, self.key,
                               scratch)
        return 0

    cdef int edge(self, uint32_t node, uint32_t label, uint32_t to) except -1:
        cdef uint32_t* w
        buffer_reserve(&self.labels, 4 * EDGE_WORDS)
        w = <uint32_t*>(self.labels.p + self.labels.n)
        w[0], w[1], w[2] = node, label, to
        self.labels.n += 4 * EDGE_WORDS
        return 0

    cdef int write_filter(self, Layout* made) except -1:
        """Write the bits of the hashes of all tokens: at least 16 bits for each token, so that most other tokens of a
        URL are not looked up."""
        cdef size_t count = self.tokens.n // 4, size, k
        cdef const uint32_t* tokens = <const uint32_t*>self.tokens.p
        cdef uint32_t* bits
        cdef uint32_t hash
        made.kinds, made.filter, made.filter_shift = self.kinds, self.block.here(), 32 - 5
        if count == 0:
            return 0
        while made.filter_shift > 32 - 24 and <size_t>1 << (32 - made.filter_shift) < 16 * count:
            made.filter_shift -= 1
        size = <size_t>1 << (32 - made.filter_shift - 3)
        buffer_reserve(&self.block.b, size)
        bits = <uint32_t*>(self.block.b.p + self.block.b.n)
        memset(bits, 0, size)
        self.block.b.n += size
        for k in range(count):
            hash = filter_hash(tokens[k], made.filter_shift)
            bits[hash >> 5] |= <uint32_t>1 << (hash & 31)
        return 0

    cdef int write_edges(self, Layout* made) except -1:
        cdef uint32_t size = 8, slot, k
        cdef uint32_t* edges
        cdef const uint32_t* label
        cdef size_t count = self.labels.n // 12
        while size < count + count // 2:
            size *= 2
        made.edge_mask = size - 1
        made.edges = self.block.here()
        buffer_reserve(&self.block.b, 4 * EDGE_WORDS * <size_t>size)
        edges = <uint32_t*>(self.block.b.p + self.block.b.n)
        memset(edges, 0, 4 * EDGE_WORDS * <size_t>size)
        self.block.b.n += 4 * EDGE_WORDS * <size_t>size
        for k in range(<uint32_t>count):
            label = <uint32_t*>self.labels.p + 3 * <size_t>k
            slot = slot_of(label[0], label[1], made.key) & made.edge_mask
            while edges[EDGE_WORDS * slot + 2]:
                slot = (slot + 1) & made.edge_mask
            memcpy(edges + EDGE_WORDS * slot, label, 12)
        return 0


cdef bint is_exact(tuple program) except -1:
    """Return whether the program matches only one text."""
    return len(program) == 2 and type(program[0]) is bytes and program[1] == "$"


cdef bint has_gram(tuple checks) except -1:
    """Return whether the first check has a literal, after its beginning, that is long enough for a gram."""
    cdef Py_ssize_t k
    cdef tuple program = checks[0][1] if checks else ()
    for k in range(1, len(program)):
        if type(program[k]) is bytes and len(<bytes>program[k]) >= GRAM:
            return True
    return False


cdef tuple PERHAPS_A_DOT = ("or", ((), (b".",)))


@cython.boundscheck(True)
cdef tuple with_host(object host, tuple checks):
    """Return the host of a rule, its checks, and UNROOTED or 0. If the rule has no host, but a check of "hostname"
    fixes the end of it, that is the rule's host. The check is left out if it says nothing else."""
    cdef Py_ssize_t k, n
    cdef tuple program
    cdef bytes last, name
    cdef int how
    cdef bint alone, dotted
    for k in range(len(checks)):
        if checks[k][0] != "hostname":
            continue
        program = checks[k][1]
        n = len(program) - 1
        if n < 1 or program[n] != "$":
            continue
        dotted = program[n - 1] == PERHAPS_A_DOT
        n -= dotted
        if n < 1 or type(program[n - 1]) is not bytes:
            continue
        last = program[n - 1]
        if n == 1:  # the whole host
            how, name, alone = EXACT, last, True
        elif last.startswith(b"."):
            how, name, alone = BELOW, last[1:], n == 2 and program[0] == "*"
        elif n == 2 and ends_in_dot(program[0]):
            how, name, alone = BOTH, last, False
        else:
            how, name, alone = BELOW, last.partition(b".")[2], False
        if not dotted and name.endswith(b"."):
            name, alone = name[:len(name) - 1], False
        if not is_key(name):
            continue
        if host is None:
            host = how, name
        if alone and host[0] == how and host[1] == name:
            return host, checks[:k] + checks[k + 1:], 0 if dotted else UNROOTED
        break
    return host, checks, 0


@cython.boundscheck(True)
cdef bint ends_in_dot(object piece) except -1:
    """Return whether a piece of a program may be left out, and otherwise ends in a dot."""
    cdef object inner
    if type(piece) is not tuple or not (piece[0] == "optional" or (piece[0] == "times" and piece[2] == 0)):
        return False
    inner = piece[1]
    return len(inner) > 0 and type(inner[len(inner) - 1]) is bytes and (<bytes>inner[len(inner) - 1]).endswith(b".")


cdef bint is_key(bytes name) except -1:
    """Return whether the walk over a host that ends in these labels finds them: they are not empty, and the host is not
    an address."""
    cdef const uint8_t* p = name
    cdef uint32_t n = <uint32_t>len(name)
    if n == 0 or n > MOST_PLAIN or CLASS[p[n - 1]] & DIGIT or p[n - 1] == c']' or p[0] < c' ':
        return False
    return not has_empty_label(p, n, dots_of(p, n))
