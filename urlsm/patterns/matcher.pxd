"""The matcher: finds the rules that match a URL, and the one that decides."""
from libc.stdint cimport uint8_t, uint32_t
from urlsm.crawler.sites cimport PublicSuffixList
from urlsm.octets.buffer cimport Buffer
from urlsm.patterns.hosts cimport HostTable
from urlsm.patterns.programs cimport Work
from urlsm.patterns.tables cimport Layout
from urlsm.url.structs cimport Offsets

cdef enum:                   # values in place of a rule's number
    NO_RULE = -1             # no rule matches
    REFUSED_URL = -2         # the text is not a URL, or readers disagree on it
    UNSURE = -3              # the octets alone do not decide: a URL object is needed

    FEW_MET = 24
    WHOLE_HOST = 1           # bits of `how`: the entry of the table of hosts is the whole host
    ROOTED = 2               # the host ends in a dot
    MOST_SOURCES = 128       # at most this many entries of the table of sources are found for one host

cdef struct View:            # a URL as the rules see it
    const uint8_t* p
    const uint8_t* cased     # the octets before they were put in lower case
    uint32_t n
    Offsets o

cdef struct Request:         # who requests the URL, and as which type
    uint32_t types           # the bit of the request's type, or UNKNOWN
    uint32_t parties         # UNKNOWN without a source; otherwise ALL_PARTIES, until set_party sets the bits that apply
    const uint8_t* host      # the host of the source, of n octets (0 if there is no source); its site begins at `site`
    uint32_t n, site
    uint32_t count
    uint32_t[MOST_SOURCES] sources  # the entries of the table of sources that this host lies in

cdef struct Search:
    uint32_t rank            # the number of the rule that decides so far, plus 1; 0 if there is none yet
    uint32_t misses          # how many rules were tried and do not match
    bint all                 # whether `found` receives every rule that matches
    Request* request         # NULL if the caller did not say who requests the URL, and as which type
    bint knows_own           # whether own_entries holds the entries of the table of sources for the URL's host
    uint32_t own_count
    uint32_t[MOST_SOURCES] own_entries
    Buffer own               # receives the URL's host with "*" in place of its public suffix
    Work found
    bint is_folded, knows_tokens
    Buffer folded            # the URL in lower case, if case is ignored or a branch was met
    Buffer tokens            # the URL's tokens (tokens.pxd) that some branch may have, if a branch was met
    # the places of the edges to rules that the search has taken; after FEW_MET of them, a bit for each edge
    int met_count
    uint32_t[FEW_MET] met
    Buffer met_bits
    Work work

cdef int view_octets(View* v, const uint8_t* p, size_t n) except -1
cdef bint read_view(View* v, const uint8_t* p, uint32_t n, const Offsets* o, Buffer* b) except -1 nogil
cdef const uint8_t* text_of(const View* v, uint32_t kind, uint32_t* n) noexcept nogil

cdef class Matcher:
    cdef readonly HostTable hosts, sources
    cdef readonly list unindexed     # the numbers of patterns that no text tells apart from many others
    cdef PublicSuffixList suffixes   # None until a question about parties or sites needs it
    cdef readonly bint folds  # whether URLs are compared in lower case
    cdef readonly uint32_t count
    cdef uint32_t* w         # all tables, followed by the octets of literals
    cdef const uint8_t* octets
    cdef Layout at
    cdef uint32_t size
    cdef uint32_t whose(self, uint32_t rule) noexcept nogil
    cdef uint32_t traits(self, uint32_t rule) noexcept nogil
    cdef int search(self, const View* given, Search* s) except -1 nogil
    cdef int descend(self, uint32_t node, const View* v, uint32_t kind, uint32_t how, Search* s) except -1 nogil
    cdef int try_rules(self, uint32_t place, const View* v, uint32_t at, uint32_t how, Search* s) except -1 nogil
    cdef int try_branch(self, uint32_t place, const View* v, uint32_t at, uint32_t how, Search* s) except -1 nogil
    cdef int find_tokens(self, const View* v, Search* s) except -1 nogil
    cdef int take(self, uint32_t branch, uint32_t token, const View* v, uint32_t at, uint32_t how,
                  Search* s) except -1 nogil
    cdef bint is_met(self, uint32_t slot, Search* s) except -1 nogil
    cdef bint consider(self, uint32_t rule, const View* v, uint32_t at, uint32_t how, Search* s) except -1 nogil
    cdef bint fits(self, const uint32_t* demand, const View* v, uint32_t at, uint32_t how, Search* s) except -1 nogil
    cdef Py_ssize_t deciding_rule(self, const View* v, Search* s) except -2 nogil
    cdef void set_party(self, Request* request, const View* v) noexcept nogil
    cdef int find_own_host(self, const View* v, Search* s) except -1 nogil
    cdef list matching_rules(self, const View* v, Request* request)

cdef class Lookup:
    cdef readonly Matcher _matcher
    cdef dict types          # name of a type of request -> its bit; None if types do not matter
    cdef bint refuses, blocks, otherwise, of_urls, takes_paths_out, takes_queries_out, has_prover
    cdef Py_ssize_t rule_of(self, const uint8_t* p, uint32_t n, const Offsets* o, Search* s, Buffer* b) except -4 nogil
    cdef Py_ssize_t number_of(self, object url, object source=*, object type_=*) except -4
    cdef Py_ssize_t at_length(self, object url, object source=*, object type_=*) except -4
    cdef int begin_request(self, Request* request, Buffer* host, object source, object type_) except -1
    cdef bint says(self, Py_ssize_t rule) noexcept nogil
    cdef bint puts_in(self, Py_ssize_t rule) noexcept nogil
