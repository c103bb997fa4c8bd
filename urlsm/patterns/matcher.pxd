"""The matcher: finds the rules that match a URL, and the one that decides."""
from libc.stdint cimport uint8_t, uint32_t
from urlsm.crawler.sites cimport Suffixes
from urlsm.octets.buffer cimport Buffer
from urlsm.patterns.tables cimport HostTable, Layout, Work
from urlsm.url.structs cimport Offsets

cdef enum:                   # instead of a rule's number:
    NO_RULE = -1             # no rule matches
    REFUSED_URL = -2         # it is not a URL, or its readers disagree
    UNSURE = -3              # only the long way can tell

    MOST_SOURCES = 128       # entries in which one host can lie

cdef struct View:            # a URL as it is matched
    const uint8_t* p
    const uint8_t* cased     # the same octets before they were folded
    uint32_t n
    Offsets o

cdef struct Request:         # who asks for the URL, and for what
    uint32_t types           # the bit of its type, or UNKNOWN
    uint32_t parties         # bits of ALL_PARTIES, or UNKNOWN; of a source with a host all, until tell
    const uint8_t* host      # of the source, and where its site begins; n is 0 if it does not have one
    uint32_t n, site
    uint32_t count
    uint32_t[MOST_SOURCES] sources  # the entries in which the source's host lies

cdef struct Search:
    uint32_t rank            # the number of the rule that decides so far, plus 1; 0: no rule yet
    bint all                 # whether every rule that matches is written into found
    Request* request         # NULL: the question does not tell
    bint led                 # whether own_entries are those in which the URL's own host lies
    uint32_t own_count
    uint32_t[MOST_SOURCES] own_entries
    Buffer own               # for the host with "*" instead of its suffix
    Work found
    Buffer folded            # the URL in lower case, if case does not count
    Buffer met               # bits: the entries of the table of grams that the URL has
    Work work

cdef int view_octets(View* v, const uint8_t* p, size_t n) except -1

cdef class Matcher:
    cdef readonly HostTable hosts, sources
    cdef Suffixes suffixes   # None before the first question about parties
    cdef readonly bint folds  # whether URLs are compared in lower case
    cdef readonly uint32_t count
    cdef uint32_t* w         # all tables, then the octets of literals
    cdef const uint8_t* octets
    cdef Layout at
    cdef uint32_t size
    cdef uint32_t whose(self, uint32_t rule) noexcept nogil
    cdef uint32_t traits(self, uint32_t rule) noexcept nogil
    cdef int search(self, const View* given, Search* s) except -1 nogil
    cdef int sift(self, const View* v, Search* s) except -1 nogil
    cdef int descend(self, uint32_t node, const View* v, uint32_t kind, bint whole, Search* s) except -1 nogil
    cdef bint consider(self, uint32_t rule, const View* v, uint32_t at, bint whole, Search* s) except -1 nogil
    cdef bint fits(self, const uint32_t* demand, const View* v, uint32_t at, bint whole, Search* s) except -1 nogil
    cdef Py_ssize_t decided(self, const View* v, Search* s) except -2 nogil
    cdef void tell(self, Request* request, const View* v) noexcept nogil
    cdef int lead(self, const View* v, Search* s) except -1 nogil
    cdef list fitting(self, const View* v, Request* request)

cdef class Lookup:
    cdef readonly Matcher _matcher
    cdef dict types          # name of a type of request -> its bit; None: the syntax does not ask
    cdef bint refuses, blocks, otherwise, of_urls, takes_paths_out, takes_queries_out
    cdef Py_ssize_t rule_of(self, const uint8_t* p, uint32_t n, const Offsets* o, Search* s, Buffer* b) except -4 nogil
    cdef Py_ssize_t number_of(self, object url, object source=*, object type_=*) except -4
    cdef Py_ssize_t at_length(self, object url, object source=*, object type_=*) except -4
    cdef int begin(self, Request* request, Buffer* host, object source, object type_) except -1
    cdef bint says(self, Py_ssize_t rule) noexcept nogil
    cdef bint puts_in(self, Py_ssize_t rule) noexcept nogil
