"""Compares a URL with one URLPattern, without a URL object."""
cimport cython
from cpython.object cimport PyObject
from cpython.ref cimport Py_XDECREF
from libc.stdint cimport uint8_t, uint32_t
from urlsm.octets.buffer cimport MAX_LENGTH, Buffer, ascii_data, ascii_text, buffer_free, buffer_start, is_ascii
from urlsm.octets.once cimport publish, published
from urlsm.patterns.matcher cimport Matcher, Search, View, read_view, text_of
from urlsm.patterns.opcodes cimport HASH, HOSTNAME, PASSWORD, PATH, PORT, PROTOCOL, SEARCH, USERNAME
from urlsm.patterns.programs cimport Program, Work
from urlsm.url.value cimport URL

cdef tuple NAMES = ("protocol", "username", "password", "hostname", "port", "pathname", "search", "hash")
cdef uint32_t[8] KINDS
KINDS[:] = [PROTOCOL, USERNAME, PASSWORD, HOSTNAME, PORT, PATH, SEARCH, HASH]


@cython.binding(False)
cdef class Tested:
    """The base of URLPattern: a matcher with one rule. URLPattern adds _test_at_length and _exec_at_length, which
    handle inputs that this class cannot read, such as a mapping, or a str with a base."""
    cdef PyObject* matcher   # the Matcher, which the first test makes; if several threads make one, the first one stays
    cdef PyObject* programs  # a tuple of (Program, names of its groups) for each component, which the first exec makes

    def __dealloc__(self):
        Py_XDECREF(self.matcher)
        Py_XDECREF(self.programs)

    def _set_matcher(self, Matcher matcher not None):
        """Set the matcher, unless another thread has set one."""
        publish(&self.matcher, matcher)

    def _set_programs(self, tuple programs not None):
        """Set the programs with groups, unless another thread has set them."""
        if len(programs) != 8 or not all([type(program) is Program and type(names) is tuple
                                          for program, names in programs]):
            raise TypeError("expected a Program and a tuple of names for each component")
        publish(&self.programs, programs)

    cdef int found(self, object input, View* v, Buffer* b) except -2:
        """Return whether a URL matches, and set v to a view of it. Return -1 if this class cannot tell. The caller has
        initialised b."""
        cdef Search s
        cdef PyObject* matcher = published(&self.matcher)
        if matcher == NULL:
            return -1
        s.request = NULL
        if type(input) is URL:
            read_view(v, ascii_data((<URL>input).href), <uint32_t>len((<URL>input).href), &(<URL>input).o, b)
        elif not (type(input) is str and is_ascii(input) and len(<str>input) <= MAX_LENGTH):
            return -1
        elif not read_view(v, ascii_data(input), <uint32_t>len(<str>input), NULL, b):
            return 0
        return (<Matcher>matcher).deciding_rule(v, &s) == 0

    def test(self, input=None, base_url=None):
        """test(input=None, base_url=None)
--

        Return whether a URL matches. input: a str, a URL, or a mapping of components. A str that is not a URL does not
        match.

        TypeError: input is a mapping, and base_url is given. https://urlpattern.spec.whatwg.org/#dom-urlpattern-test
        """
        cdef View v
        cdef Buffer b
        cdef int found = -1
        if base_url is None:
            buffer_start(&b)
            try:
                found = self.found(input, &v, &b)
            finally:
                buffer_free(&b)
        return self._test_at_length(input, base_url) if found < 0 else found == 1

    def exec(self, input=None, base_url=None):
        """exec(input=None, base_url=None)
--

        Return the text that each component matched: {"inputs": [...], "protocol": {"input": text, "groups": {name:
        text}}, ...}. The value of a group that did not participate in the match is None. Return None if the URL does
        not match.

        TypeError: input is a mapping, and base_url was passed. https://urlpattern.spec.whatwg.org/#dom-urlpattern-exec
        """
        cdef View v
        cdef Buffer b
        cdef Work work
        cdef int found = -1, k
        cdef dict made, groups
        cdef tuple programs, one
        cdef const uint8_t* p
        cdef uint32_t n
        if base_url is not None:
            return self._exec_at_length(input, base_url)
        buffer_start(&b)
        buffer_start(&work.b)
        try:
            found = self.found(input, &v, &b)
            if found == 0:
                return None
            if found < 0 or published(&self.programs) == NULL:
                return self._exec_at_length(input, base_url)
            programs = <tuple>published(&self.programs)
            made = {"inputs": [input]}
            for k in range(8):
                one = <tuple>programs[k]
                p = text_of(&v, KINDS[k], &n)
                groups = (<Program>one[0]).groups_of(p, n, <tuple>one[1], &work)
                if groups is None:
                    return self._exec_at_length(input, base_url)
                made[NAMES[k]] = {"input": ascii_text(p, n), "groups": groups}
            return made
        finally:
            buffer_free(&b)
            buffer_free(&work.b)
