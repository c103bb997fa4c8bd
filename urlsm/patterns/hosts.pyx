"""The table of hosts: finds the entries that a host is, or lies in."""
cimport cython
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memchr, memcmp, memcpy
from os import urandom
from urlsm.crawler.labels cimport dots_of, label_start
from urlsm.machine.driver cimport lane
from urlsm.octets.buffer cimport ascii_data, is_ascii
from urlsm.octets.chars cimport CLASS, DIGIT
from urlsm.octets.sip cimport sip_end, sip_start, sip_word
from urlsm.octets.words cimport first_bits, word_at
from urlsm.security.plain cimport read_ipv4
from urlsm.url.write.ipv6 cimport read_pieces

# A name is its own key. Keyed hashes are computed over its labels from the right. So a walk over one host finds every
# suffix of it that is a key, and nobody can write a list whose names collide. The key of a network is 4 or 6, the
# number of its bits, and the address with all other bits 0. An address is looked up once for each number of bits that
# some network has. An IPv4 address within IPv6 counts as that IPv4 address, in hosts and in keys. So ::ffff:0:0/96 and
# the networks in it are networks of IPv4, and ::/0 does not hold them.

cdef enum:
    OF_IPV4 = 132            # in the field `lengths`, bits from this one on are for networks of IPv4


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
