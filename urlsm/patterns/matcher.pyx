"""The matcher: which of many rules a URL falls under, and which of them decides.

All tables are words of 32 bits in one block:

    rules    rank, schemes, ports, checks; each of the last three says where that is in the block, 0: anything goes
    roots    three tries for each entry of the host table: of rules for that host, for what is below it, for both
    nodes    of the tries: label (from, length; in the pool), where its rules are listed, has it children?
    edges    a table of (node, next octet) -> node, open-addressed

A trie holds the octets with which a target (path and query) has to begin for a rule to fit; so only rules whose
beginning is right are looked at. Rules with a higher rank decide; the rank is all that is left of any policy. The rules
of a node are listed with the highest rank first, so the list is left where no other can win.
"""
cimport cython
from libc.stdint cimport uint8_t, uint32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcmp, memcpy, memset
from urlsm.machine.machine cimport ABSENT
from urlsm.machine.special cimport NOT_SPECIAL, listed_port
from urlsm.octets.buffer cimport MAX_LENGTH, Buffer, ascii_data, buffer_free, buffer_reserve, buffer_start
from urlsm.patterns.hosts cimport NO_ENTRY, HostTable, Walk, begin_walk, next_entry
from urlsm.patterns.program cimport Work, holds
from urlsm.url.value cimport URL
from urlsm.patterns.rule import TEXTS, Pool, compiled, prefix_of

cdef enum Kind:              # as TEXTS has them
    TARGET
    PATH
    HREF
    WHOLE
    PROTOCOL
    USERNAME
    PASSWORD
    HOSTNAME
    PORT
    SEARCH
    HASH
    QUERY

cdef enum:
    RULE_WORDS = 4
    NODE_WORDS = 4
    EDGE_WORDS = 3           # node, octet, child + 1
    ANY_PORT = 0

cdef tuple SPECIAL = ("", "http", "https", "ws", "wss", "ftp", "file")
cdef dict NUMBERS = {name: number for number, name in enumerate(TEXTS)}


# --- what is looked at ---------------------------------------------------------------------------

cdef inline uint32_t end_of_path(const View* v) noexcept nogil:
    if v.o.query_start != ABSENT:
        return v.o.query_start
    return v.o.fragment_start if v.o.fragment_start != ABSENT else v.n


cdef inline uint32_t end_of_query(const View* v) noexcept nogil:
    return v.o.fragment_start if v.o.fragment_start != ABSENT else v.n


cdef const uint8_t* text_of(const View* v, uint32_t kind, uint32_t* n) noexcept nogil:
    """One text of a URL. search and hash without "?" and "#", empty where they are absent; query is with it."""
    cdef uint32_t start = 0, end = 0
    if kind == TARGET:
        start, end = v.o.path_start, end_of_query(v)
    elif kind == PATH:
        start, end = v.o.path_start, end_of_path(v)
    elif kind == HREF:
        end = end_of_query(v)
    elif kind == WHOLE:
        end = v.n
    elif kind == PROTOCOL:
        end = v.o.scheme_end
    elif kind == USERNAME:
        if v.o.username_end > v.o.scheme_end + 3:
            start, end = v.o.scheme_end + 3, v.o.username_end
    elif kind == PASSWORD:
        if v.o.host_start > v.o.username_end + 1:
            start, end = v.o.username_end + 1, v.o.host_start - 1
    elif kind == HOSTNAME:
        start, end = v.o.host_start, v.o.host_end
    elif kind == PORT:
        if v.o.port >= 0:
            start, end = v.o.host_end + 1, v.o.path_start
            if v.p[end - 1] == c'.':  # never: a URL with a port has a host, so no "/." before its path
                end -= 2
    elif kind == SEARCH:
        if v.o.query_start != ABSENT:
            start, end = v.o.query_start + 1, end_of_query(v)
    elif kind == QUERY:
        if v.o.query_start != ABSENT:
            start, end = v.o.query_start, end_of_query(v)
    elif v.o.fragment_start != ABSENT:
        start, end = v.o.fragment_start + 1, v.n
    n[0] = end - start
    return v.p + start


cdef int view_text(View* v, bytes text) except -1:
    memset(v, 0, sizeof(View))
    if len(text) > MAX_LENGTH:
        raise ValueError("the text is too long")
    v.p, v.n = text, <uint32_t>len(text)
    v.o.query_start = v.o.fragment_start = ABSENT
    return 0


# --- matching ------------------------------------------------------------------------------------

@cython.final
@cython.binding(False)
cdef class Matcher:
    """Rules, compiled. rules: in the order of their numbers; ranks: of each, above 0; no two are the same."""

    def __cinit__(self, list rules not None, list ranks not None):
        cdef Tables tables = Tables(rules, ranks)
        self.hosts, self.pool, self.count = tables.hosts, bytes(tables.pool.octets), <uint32_t>len(rules)
        self.octets = self.pool
        self.size = <uint32_t>(tables.b.n // 4)
        self.w = <uint32_t*>malloc(tables.b.n)
        if self.w == NULL:
            raise MemoryError()
        memcpy(self.w, tables.b.p, tables.b.n)
        self.rules, self.roots, self.edges = tables.rules_at, tables.roots_at, tables.edges_at
        self.edge_mask, self.any_target, self.any_href = tables.edge_mask, tables.any_target, tables.any_href

    def __dealloc__(self):
        free(self.w)

    def __sizeof__(self):
        """Octets of all tables."""
        return 4 * self.size + len(self.pool) + len(self.hosts.keys[0]) + 4 * (self.hosts.hosts.mask + 1)

    cdef int search(self, const View* v, Search* s) except -1 nogil:
        """Search for the rule that decides. The caller has started s."""
        cdef Walk walk
        cdef bint whole = False
        cdef uint32_t entry
        cdef const uint32_t* roots
        if self.any_target:
            self.descend(self.any_target, v, TARGET, s)
        if self.any_href:
            self.descend(self.any_href, v, WHOLE, s)
        if not v.o.has_host:
            return 0
        begin_walk(&walk, v.p + v.o.host_start, v.o.host_end - v.o.host_start)
        while True:
            entry = next_entry(&self.hosts.hosts, &walk, &whole)
            if entry == NO_ENTRY:
                return 0
            roots = self.w + self.roots + 3 * entry
            if roots[2]:
                self.descend(roots[2], v, TARGET, s)
            if roots[not whole]:
                self.descend(roots[not whole], v, TARGET, s)

    cdef int descend(self, uint32_t node, const View* v, uint32_t kind, Search* s) except -1 nogil:
        """Try the rules whose beginning the text has."""
        cdef uint32_t n, at = 0, slot
        cdef const uint8_t* p = text_of(v, kind, &n)
        cdef const uint8_t* pool = self.octets
        cdef const uint32_t* here
        cdef const uint32_t* edge
        while True:
            here = self.w + node
            s.work.steps += 1
            if n - at < here[1] or memcmp(p + at, pool + here[0], here[1]) != 0:
                return 0
            at += here[1]
            if here[2]:
                self.consider(self.w + here[2], v, s)
            if not here[3] or at == n:
                return 0
            slot = (node * 0x9E3779B1u + p[at] * 0x85EBCA6Bu) >> 8 & self.edge_mask
            while True:
                edge = self.w + self.edges + EDGE_WORDS * slot
                if edge[2] == 0:
                    return 0
                if edge[0] == node and edge[1] == p[at]:
                    break
                slot = (slot + 1) & self.edge_mask
            node = edge[2]

    cdef int consider(self, const uint32_t* listed, const View* v, Search* s) except -1 nogil:
        """Try the rules that are listed: how many, and their numbers."""
        cdef uint32_t k, rule
        for k in range(1, listed[0] + 1):
            rule = listed[k]
            s.work.steps += 1
            if not s.all and self.w[self.rules + RULE_WORDS * rule] <= s.rank:
                return 0
            if self.fits(rule, v, &s.work):
                s.rank, s.rule = self.w[self.rules + RULE_WORDS * rule], rule
                if not s.all:
                    return 0
                s.rank = 0
                buffer_reserve(&s.found.b, 4)
                memcpy(s.found.b.p + s.found.b.n, &rule, 4)
                s.found.b.n += 4
        return 0

    cdef int fits(self, uint32_t rule, const View* v, Work* work) except -1 nogil:
        """Do scheme, port and all checks allow it? The host, and what the trie knows, is asked for before."""
        cdef const uint32_t* now = self.w + self.rules + RULE_WORDS * rule
        cdef const uint32_t* part
        cdef const uint8_t* text
        cdef const uint8_t* pool = self.octets
        cdef uint32_t k, n
        cdef int port
        cdef bint found
        if now[1]:
            part = self.w + now[1]
            found = part[0] >> v.o.kind & 1 if v.o.kind != NOT_SPECIAL else False
            if v.o.kind == NOT_SPECIAL:
                for k in range(part[1]):
                    if part[2 * k + 3] == v.o.scheme_end and memcmp(pool + part[2 * k + 2], v.p, v.o.scheme_end) == 0:
                        found = True
            if not found:
                return False
        if now[2]:
            part, found = self.w + now[2], False
            port = v.o.port
            if port < 0:
                port = <int>listed_port(v.o.kind)
                if port == 0:
                    port = -1
            for k in range(part[0]):
                if <int>part[2 * k + 1] <= port <= <int>part[2 * k + 2]:
                    found = True
            if not found:
                return False
        if now[3]:
            part = self.w + now[3]
            for k in range(part[0]):
                text = text_of(v, part[2 * k + 1], &n)
                if not holds(self.w + part[2 * k + 2], self.w, pool, text, n, NULL, work):
                    return False
        return True

    def decides(self, URL url not None):
        """The number of the rule that decides; -1: no rule fits."""
        cdef View v
        cdef Search s
        v.p, v.n, v.o = ascii_data(url.href), <uint32_t>len(url.href), url.o
        return self.decided(&v, &s)

    cdef Py_ssize_t decided(self, const View* v, Search* s) except -2:
        s.rank, s.rule, s.all, s.work.steps = 0, NO_RULE, False, 0
        buffer_start(&s.work.b)
        try:
            self.search(v, s)
        finally:
            buffer_free(&s.work.b)
        return -1 if s.rank == 0 else <Py_ssize_t>s.rule

    def all(self, URL url not None):
        """The numbers of all rules that fit, in order."""
        cdef View v
        v.p, v.n, v.o = ascii_data(url.href), <uint32_t>len(url.href), url.o
        return self.fitting(&v)

    cdef list fitting(self, const View* v):
        cdef Search s
        cdef size_t k
        s.rank, s.all, s.work.steps = 0, True, 0
        buffer_start(&s.work.b)
        buffer_start(&s.found.b)
        try:
            self.search(v, &s)
            return sorted([(<uint32_t*>s.found.b.p)[k] for k in range(s.found.b.n // 4)])
        finally:
            buffer_free(&s.work.b)
            buffer_free(&s.found.b)

    def decides_text(self, bytes text not None):
        """As decides, of octets that are no URL: they are the target, and all there is."""
        cdef View v
        cdef Search s
        view_text(&v, text)
        return self.decided(&v, &s)

    def all_of_text(self, bytes text not None):
        """As all, of octets that are no URL."""
        cdef View v
        view_text(&v, text)
        return self.fitting(&v)

    def steps(self, URL url not None):
        """How many steps it takes to say which rule decides: instructions, rules, nodes, octets searched."""
        cdef View v
        cdef Search s
        v.p, v.n, v.o = ascii_data(url.href), <uint32_t>len(url.href), url.o
        self.decided(&v, &s)
        return s.work.steps


include "tables.pxi"
