"""Matches whole columns against a set of patterns: whether each URL matches the set, and which pattern matches it.

This is a module of its own, because it loads the matcher of patterns, which other functions of columns do not need.
"""
cimport cython
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport malloc
from urlsm.columns.work cimport Source, array_of
from urlsm.columns.arrow cimport Column, column_free, column_new
from urlsm.columns.cells cimport Cell, Cells, NO_TEXT, cell_at, cells_of, is_utf8, popcount, put_word
from urlsm.columns.jobs cimport go_through, words_of
from urlsm.octets.buffer cimport MAX_LENGTH, Buffer, buffer_free, buffer_start
from urlsm.octets.once cimport load, store
from urlsm.patterns.matcher cimport Lookup, Search, UNSURE
from urlsm.columns.names import Schema

cdef enum:
    AT_ONCE = 1 << 16        # the number of rows between two checks for signals; a multiple of 64
    ROWS_A_THREAD = 1 << 16  # with threads=None, each thread gets at least this many rows

MATCHES = Schema("b")
INDEX = Schema("i")


@cython.final
@cython.binding(False)
cdef class Lookups:
    """The matching of an array's rows against a set of patterns. which: if True, each result is the number of the
    pattern that matches; if False, each result is whether the set matches."""
    cdef Lookup patterns
    cdef Source source
    cdef Cells cells
    cdef Column* made
    cdef int64_t rows, share
    cdef bint which
    cdef int stop

    def __cinit__(self, Lookup patterns not None, Source source not None, bint which=False):
        cdef size_t words
        self.patterns, self.source, self.which = patterns, source, which
        cells_of(&self.cells, source.array.dictionary if source.index else &source.array, source.format)
        if source.index:
            go_through(&self.cells, &source.array, source.index)
        if self.cells.layout == NO_TEXT:
            raise TypeError("column must be a column of text")
        self.rows = source.array.length
        words = 8 * words_of(self.rows)
        self.made = column_new(self.rows, 2, 0, 0)
        if self.made == NULL:
            raise MemoryError()
        self.made.owned[0] = malloc(words)
        self.made.owned[1] = malloc(4 * <size_t>self.rows + 8 if which else words)
        if self.made.owned[0] == NULL or self.made.owned[1] == NULL:
            raise MemoryError()
        self.made.array.buffers[0], self.made.array.buffers[1] = self.made.owned[0], self.made.owned[1]

    def __dealloc__(self):
        if self.made != NULL:
            column_free(self.made)

    cdef Py_ssize_t rule_at(self, const Cell* text, Search* s, Buffer* b) except -4 nogil:
        cdef Py_ssize_t rule = UNSURE
        b.n = 0
        if self.patterns.of_urls and text.n <= MAX_LENGTH and is_utf8(text.p, text.n):
            rule = self.patterns.rule_of(text.p, text.n, NULL, s, b)
        if rule == UNSURE:
            with gil:
                rule = self.patterns.at_length(text.p[:text.n])
        return rule

    cdef int look_up(self, int64_t start, int64_t stop) except -1 nogil:
        """Write the answers for the rows from `start`, a multiple of 64, to `stop`."""
        cdef Search s
        cdef Buffer b
        cdef Cell text
        cdef int64_t k
        cdef uint64_t valid = 0, inside = 0, bit
        cdef Py_ssize_t rule
        cdef bint there
        buffer_start(&b)
        s.request = NULL
        try:
            for k in range(start, stop):
                bit = <uint64_t>1 << (k & 63)
                there = cell_at(&self.cells, k, &text)
                if self.which:
                    (<int32_t*>self.made.owned[1])[k] = 0
                if there:
                    rule = self.rule_at(&text, &s, &b)
                    if not self.which:
                        valid |= bit
                        inside |= bit if self.patterns.says(rule) else 0
                    elif self.patterns.puts_in(rule):
                        valid |= bit
                        (<int32_t*>self.made.owned[1])[k] = <int32_t>self.patterns._matcher.whose(<uint32_t>rule)
                if k & 63 == 63 or k + 1 == stop:
                    put_word(<uint64_t*>self.made.owned[0], k >> 6, valid)
                    if not self.which:
                        put_word(<uint64_t*>self.made.owned[1], k >> 6, inside)
                    valid = inside = 0
        finally:
            buffer_free(&b)
        return 0

    def part(self, int64_t number):
        """Write the results for one share of the rows, in one of the threads of run()."""
        cdef int64_t start = number * self.share, stop = min(self.rows, start + self.share), end
        while start < stop and not load(&self.stop):
            end = min(stop, start + AT_ONCE)
            with nogil:
                self.look_up(start, end)
            PyErr_CheckSignals()
            start = end

    def leave_off(self):
        """Make the running threads stop, after an error or a signal."""
        store(&self.stop, 1)

    def run(self, threads=1):
        """Return the results as an Array. Raise ValueError if it is called a second time."""
        cdef int64_t parts, k, valid = 0
        cdef Column* made
        if self.share:
            raise ValueError("this look-up has already run")
        if threads is None:
            from os import cpu_count
            threads = min(cpu_count() or 1, self.rows // ROWS_A_THREAD)
        parts = max(1, min(<int64_t>threads, self.rows // 256 + 1))
        self.share = max(64, (self.rows // parts + 64) // 64 * 64)
        if parts == 1:
            self.part(0)
        else:
            from urlsm.columns.pool import each
            each(self.part, parts, self.leave_off)
        made, self.made = self.made, NULL
        for k in range((self.rows + 63) // 64):
            valid += popcount((<uint64_t*>made.owned[0])[k])
        made.array.null_count = self.rows - valid
        return array_of(made, INDEX if self.which else MATCHES)
