"""The published algorithm over the Public Suffix List (https://publicsuffix.org/list/).

Every suffix of a rule, and each of its parents, is a node of one open-addressed table. A look-up hashes
the host from its end, label by label, and stops where no longer suffix is known.
"""
cimport cython
from cpython.bytes cimport PyBytes_AS_STRING
from cpython.object cimport PyObject
from libc.stdlib cimport calloc, free
from libc.string cimport memchr, memcmp
from urlsm.crawler.labels cimport FIRST_HASH, dots_of, hashed, label_start
from urlsm.octets.buffer cimport buffer_copy, buffer_free, buffer_reserve, buffer_start
from urlsm.octets.once cimport publish, published, stay_all
from urlsm.url.parser cimport domain_to_ascii
import threading
from importlib.util import find_spec
from os import fspath
from os.path import join

cdef object _lock = threading.Lock()
cdef PyObject* _default = NULL  # loaded once, under the lock, and never changed


cdef inline bint is_space(uint8_t octet) noexcept nogil:
    return octet == c' ' or 9 <= octet <= 13


cdef bint is_lower(const uint8_t* p, size_t n) noexcept nogil:
    """Return whether p[0:n] is ASCII without upper-case letters."""
    cdef size_t k
    for k in range(n):
        if p[k] > 0x7F or c'A' <= p[k] <= c'Z':
            return False
    return True


cdef bytes ascii_rule(bytes rule):
    """Return a rule with the labels that are not ASCII in Punycode."""
    if rule.isascii():
        return rule
    labels = rule.decode("utf-8").split(".")
    return b".".join([label.encode() if label.isascii() else b"xn--" + label.encode("punycode") for label in labels])


@cython.binding(False)
cdef class Suffixes:
    """Suffixes(path)
--

    A public suffix list.

    Suffixes(path) reads the list at path: a file in the format of public_suffix_list.dat. OSError where it cannot be
    read, ValueError where it holds no rules. Look-ups take hosts in lower-case ASCII, as in URLs.

    Attributes: path (str); version (str, of the list's "VERSION" line, or ""); rules (int), their number.
    """

    def __cinit__(self, path):
        self.path = fspath(path)
        self.version = ""
        self.mask = 0x7FFF
        buffer_start(&self.pool)
        self.nodes = <Node*>calloc(self.mask + 1, sizeof(Node))
        if self.nodes == NULL:
            raise MemoryError()
        with open(path, "rb") as file:
            self.read(file.read())
        if not self.rules:
            raise ValueError(f"{self.path!r} holds no rules of a public suffix list")

    cdef int read(self, bytes data) except -1:
        """Take in the lines of the file."""
        cdef const uint8_t* p = <const uint8_t*>PyBytes_AS_STRING(data)
        cdef const uint8_t* end = p + len(data)
        cdef const uint8_t* stop
        cdef bint private = False
        buffer_reserve(&self.pool, len(data) // 2)
        while p < end:
            stop = <const uint8_t*>memchr(p, c'\n', end - p)
            if stop == NULL:
                stop = end
            if stop - p >= 2 and p[0] == c'/' and p[1] == c'/':
                if stop - p > 19 and memcmp(p, b"// ===BEGIN PRIVATE", 19) == 0:
                    private = True
                elif stop - p > 11 and memcmp(p, b"// VERSION:", 11) == 0:
                    self.version = p[11:stop - p].strip().decode("ascii", "replace")
            else:
                self.read_rule(p, stop, private)
            p = stop + 1
        return 0

    cdef int read_rule(self, const uint8_t* p, const uint8_t* stop, bint private) except -1:
        """Take in the rule of a line, if there is one: "Each line is only read up to the first whitespace"."""
        cdef const uint8_t* start
        cdef bytes rule = None
        while p < stop and is_space(p[0]):
            p += 1
        start = p
        while p < stop and not is_space(p[0]):
            p += 1
        if p == start:
            return 0
        self.rules += 1
        if is_lower(start, p - start):
            return self.add(start, p - start, private)
        if p - start < 64 and start[0] != c'*' and start[0] != c'!':
            rule = domain_to_ascii(start[:p - start])
        if not rule:
            rule = ascii_rule(start[:p - start]).lower()
        return self.add(<const uint8_t*>PyBytes_AS_STRING(rule), len(rule), private)

    def __dealloc__(self):
        free(self.nodes)
        buffer_free(&self.pool)

    cdef int grow(self) except -1:
        """Double the number of places."""
        cdef Node* old = self.nodes
        cdef const uint8_t* p
        cdef uint32_t k, j, n, start, places = self.mask + 1
        cdef uint64_t hash, dots
        self.nodes = <Node*>calloc(2 * <size_t>places, sizeof(Node))
        if self.nodes == NULL:
            self.nodes = old
            raise MemoryError()
        self.mask = 2 * places - 1
        for k in range(places):
            if old[k].n:
                hash = FIRST_HASH
                p = self.pool.p + old[k].at
                n = j = old[k].n
                dots = dots_of(p, n)
                while True:
                    start = label_start(p, j, dots)
                    hash = hashed(hash, p, start, j, n)
                    if not start:
                        break
                    j = start - 1
                j = <uint32_t>hash & self.mask
                while self.nodes[j].n:
                    j = (j + 1) & self.mask
                self.nodes[j] = old[k]
        free(old)
        return 0

    cdef Node* place(self, const uint8_t* p, uint32_t n, uint64_t hash) except NULL:
        """Return the node of the suffix p[0:n], new if necessary."""
        cdef Node* node
        if 2 * self.used > self.mask:
            self.grow()
        node = find_node(self, p, n, hash)
        if not node.n:
            node.check, node.at, node.n = hash >> 48, <uint32_t>self.pool.n, n
            buffer_copy(&self.pool, p, n)
            filter_word(self, hash)[0] |= <uint64_t>1 << (hash & 63)
            self.used += 1
        return node

    cdef int add(self, const uint8_t* p, uint32_t n, bint private) except -1:
        cdef uint64_t hash = FIRST_HASH, dots
        cdef uint32_t start, end
        cdef int kind = ICANN_RULE
        if p[0] == c'!':
            kind = ICANN_EXCEPTION
            p += 1
            n -= 1
        elif n > 1 and p[0] == c'*' and p[1] == c'.':
            kind = ICANN_WILDCARD
            p += 2
            n -= 2
        if not 0 < n <= 255 or p[0] == c'.' or p[n - 1] == c'.' or memchr(p, c'*', n) != NULL:
            raise ValueError(f"not a rule of a public suffix list: {p[:n]!r}")
        dots = dots_of(p, n)
        end = n
        while True:
            start = label_start(p, end, dots)
            hash = hashed(hash, p, start, end, n)
            if not start:
                break
            self.place(p + start, n - start, hash).rules |= PARENT
            end = start - 1
        self.place(p, n, hash).rules |= kind << 1 if private else kind
        return 0

    def suffix(self, host, *, private=True):
        """Return the public suffix of a host (str): None for an address, or a text that is not a host.

        private: the list's section of private domains counts too; else only that of ICANN's.
        """
        from urlsm.crawler.sites import public_suffix
        return public_suffix(host, private=private, suffixes=self)

    def registrable(self, host, *, private=True):
        """Return the registrable domain of a host (str): its public suffix and one more label, or None."""
        from urlsm.crawler.sites import registrable_domain
        return registrable_domain(host, private=private, suffixes=self)

    def split(self, host, *, private=True):
        """Return (subdomain, domain, suffix, is_private) of a host (str); the first three joined by "." are the host.
        None for an address, or a text that is not a host; domain is "" where the host is a public suffix."""
        from urlsm.crawler.sites import split_host
        return split_host(host, self, private)

    def __reduce__(self):
        return Suffixes, (self.path,)

    def __repr__(self):
        return f"<Suffixes {self.version or self.path}: {self.rules} rules>"


cdef Suffixes default_suffixes():
    """Return the list of the installed publicsuffixlist. ModuleNotFoundError where it is not installed."""
    if published(&_default) == NULL:
        with _lock:
            if published(&_default) == NULL:
                spec = find_spec("publicsuffixlist")
                if spec is None or not spec.submodule_search_locations:
                    raise ModuleNotFoundError(
                        "public suffixes need the package publicsuffixlist: pip install urlsm[suffixes],"
                        " or suffixes(path) with a list of your own", name="publicsuffixlist")
                publish(&_default, Suffixes(join(spec.submodule_search_locations[0], "public_suffix_list.dat")))
    return <Suffixes>published(&_default)


def suffixes(path=None):
    """Return a public suffix list: that of the installed publicsuffixlist (the extra urlsm[suffixes]), loaded once; or
    the one at path, read anew.

    Raises:
        ModuleNotFoundError: publicsuffixlist is not installed. OSError, ValueError: path is not a list that
            can be read.

    https://publicsuffix.org/list/
    """
    return default_suffixes() if path is None else Suffixes(path)


stay_all(globals())
