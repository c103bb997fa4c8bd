"""The URL Standard's API for browsers, in snake_case: URL with setters, and URLSearchParams.
https://url.spec.whatwg.org/#api

All strings are str, and a lone surrogate is read as U+FFFD (Web IDL's USVString). Two URL or URLSearchParams objects
are equal only if they are identical, as in a browser, since both can change. Use str(a) == str(b) to compare their
strings.

Threads may share an object. The critical section of a URL guards the URL and its search_params, which change each
other. (With the interpreter's lock, critical sections do nothing. Without it, a critical section may be suspended while
a function that it calls waits, so no pointer into an object that a field holds is used after such a call.)
"""
cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.object cimport PyObject
from cpython.unicode cimport PyUnicode_DecodeUTF8, PyUnicode_New
from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memchr, memcmp, memcpy
from urlsm.machine.machine cimport ABSENT, FRAGMENT, HOST, PASSWORD, PATH, QUERY, SCHEME, Span, USERNAME
from urlsm.machine.special cimport FILE, NOT_SPECIAL
from urlsm.octets.buffer cimport (
    Buffer, MAX_LENGTH, ascii_data, ascii_text, buffer_free, buffer_put, buffer_start, is_ascii,
)
from urlsm.octets.chars cimport CLASS, DIGIT
from urlsm.octets.find cimport find
from urlsm.octets.once cimport stay
from urlsm.octets.text cimport FORM, quoting_at, write_quoted, write_unquoted
from urlsm.octets.utf8 cimport read_point
from urlsm.url.params cimport pairs_in
from urlsm.url.spans cimport host_span, password_span, port_span, username_span
from urlsm.url.splicing cimport with_host_and_port, with_piece, with_port
from urlsm.url.value cimport URL as ImmutableURL, part, path_end, query_end
from operator import itemgetter
from urlsm.errors import ParseError as _ParseError
from urlsm.octets.later import later
from urlsm.url.edit import set_component, set_query
from urlsm.url.params import parse_form, scalar_pair, scalar_values, serialize_form
from urlsm.url.value import can_parse, parse

__all__ = ["URL", "URLPattern", "URLSearchParams"]
# URLPattern is loaded on first use, because it needs the modules of urlsm.patterns
__getattr__ = later(globals(), {"URLPattern": "urlsm.patterns.urlpattern"})[0]


def __dir__():
    return __all__


cdef extern from *:
    """
    /* Whether this is a tuple of two exact str. */
    #define URLSM_IS_PAIR(pair) (PyTuple_CheckExact(pair) && PyTuple_GET_SIZE(pair) == 2 \\
        && PyUnicode_CheckExact(PyTuple_GET_ITEM(pair, 0)) && PyUnicode_CheckExact(PyTuple_GET_ITEM(pair, 1)))
    """
    bint is_pair "URLSM_IS_PAIR"(PyObject* pair) noexcept
    PyObject* PyList_GET_ITEM(list pairs, Py_ssize_t k) noexcept
    PyObject* PyTuple_GET_ITEM(PyObject* pair, Py_ssize_t k) noexcept
    Py_ssize_t PyUnicode_GET_LENGTH(PyObject* text) noexcept
    # the greatest code point that a str of the same kind can hold: 0x7F, 0xFF, 0xFFFF ...
    uint32_t largest "PyUnicode_MAX_CHAR_VALUE"(PyObject* text) noexcept

cdef enum:
    FEW_FIELDS = 16          # up to this many fields are sorted in an array on the stack

cdef struct Field:
    const uint8_t* start
    const uint8_t* equals    # where the field's name ends
    const uint8_t* end       # where the field ends; NULL if there is no such field


cdef inline str scalars(object value):
    """Return scalar_values(value), but do not call it if nothing would change."""
    return value if type(value) is str and is_ascii(value) else scalar_values(value)


cdef inline str part_or_empty(ImmutableURL url, Span lies):
    return "" if lies.start == ABSENT else part(url, lies.start, lies.end)


cdef inline str delimited(ImmutableURL url, uint32_t start, uint32_t end):
    """Return the query or fragment with its delimiter, which is at `start`. Return "" if the component is absent or
    empty."""
    return part(url, start, end) if start != ABSENT and end - start > 1 else ""


cdef URLSearchParams params_of(URL url):
    """Return a new URLSearchParams for a URL that does not have one yet."""
    cdef URLSearchParams made = URLSearchParams.__new__(URLSearchParams)
    cdef uint32_t start = url._url.o.query_start
    if start != ABSENT:
        made.take(part(url._url, start + 1, query_end(url._url)))
    made._owner, made.belongs = url, True
    return made


cdef ImmutableURL BLANK = parse("about:blank")  # the URL of an object before __init__ or __setstate__ is called
stay(BLANK)


@cython.binding(False)
cdef class URL:
    """URL(url, base=None)\n--\n
    The URL class of browsers: mutable, with the same attributes and setters.

    Every attribute except `search_params` is a str; an absent component is "". As in a browser, a setter ignores a
    value that is not valid for its component; only the setter of `href` raises. Two objects are equal only if they are
    identical.

    Args:
        url: str, bytes (read as UTF-8), or an object with a str attribute `href`.
        base: the URL to resolve a relative URL against.

    Raises:
        ParseError: `url` or `base` is not a URL.
        TypeError: an argument has the wrong type.

    Example:
        >>> url = urlsm.whatwg.URL("https://ex.com/a")
        >>> url.port = "8080"
        >>> url.href
        'https://ex.com:8080/a'

    https://url.spec.whatwg.org/#url-class
    """

    cdef ImmutableURL _url
    cdef URLSearchParams _search_params  # None until search_params is first used
    cdef object __weakref__

    def __cinit__(self):
        self._url = BLANK

    @cython.critical_section
    def __init__(self, url, base=None):
        self._url = parse(url) if base is None else parse(url, base=base)
        self._search_params = None

    @classmethod
    def parse(cls, url, base=None):
        """Return the URL, or None if `url` or `base` is not a URL.

        Args:
            url: as for the class.
            base: the URL to resolve a relative URL against.

        Raises:
            TypeError: an argument has the wrong type.

        Example:
            >>> urlsm.whatwg.URL.parse("//") is None
            True

        https://url.spec.whatwg.org/#dom-url-parse
        """
        made = None
        try:
            made = cls(url, base)
        except _ParseError:
            pass
        return made

    @staticmethod
    def can_parse(url, base=None):
        """Return whether `url` is a URL.

        Args:
            url: as for the class.
            base: the URL to resolve a relative URL against.

        Raises:
            TypeError: an argument has the wrong type.

        Example:
            >>> urlsm.whatwg.URL.can_parse("/x", "https://ex.com/")
            True

        https://url.spec.whatwg.org/#dom-url-canparse
        """
        return can_parse(url, base=base)

    cdef bint set_plain(self, int which, str value, Py_ssize_t start) except -1:
        """Set a component to value[start:] and return True, if the parser would certainly not change the value.
        Otherwise do nothing and return False."""
        if not is_ascii(value) or len(value) > MAX_LENGTH:
            return False
        return self.become(with_piece(self._url, which, ascii_data(value) + start, <uint32_t>(len(value) - start), 0))

    cdef bint set_parsed(self, str name, value) except -1:
        """Let the parser set a component, starting at the setter's state override."""
        return self.become(set_component(self._url, name, value))

    cdef bint become(self, ImmutableURL changed) except -1:
        """Make `changed` the URL and return True. If `changed` is None, change nothing and return False."""
        if changed is not None:
            self._url = changed
        return changed is not None

    @property
    @cython.critical_section
    def href(self):
        """The whole URL.

        Raises:
            ParseError: the new value is not a URL; the object is not changed.

        Example:
            >>> urlsm.whatwg.URL("https://me:pw@ex.com:8080/a?b#c").href
            'https://me:pw@ex.com:8080/a?b#c'

        https://url.spec.whatwg.org/#dom-url-href
        """
        return self._url.href

    @href.setter
    @cython.critical_section
    def href(self, value):
        self._url = parse(scalar_values(value))
        if self._search_params is not None:
            self._search_params.assign(self._url.query or "")

    @property
    @cython.critical_section
    def origin(self):
        """The origin; "null" if it is opaque. It cannot be set.

        Example:
            >>> urlsm.whatwg.URL("https://me:pw@ex.com:8080/a?b#c").origin
            'https://ex.com:8080'

        https://url.spec.whatwg.org/#dom-url-origin
        """
        return self._url.origin

    @property
    @cython.critical_section
    def protocol(self):
        """The scheme, followed by ":".

        Example:
            >>> urlsm.whatwg.URL("https://me:pw@ex.com:8080/a?b#c").protocol
            'https:'

        https://url.spec.whatwg.org/#dom-url-protocol
        """
        return part(self._url, 0, self._url.o.scheme_end + 1)

    @protocol.setter
    @cython.critical_section
    def protocol(self, value):
        cdef str text = scalars(value)
        if not self.set_plain(SCHEME, text.removesuffix(":"), 0):
            self.set_parsed("protocol", text)

    @property
    @cython.critical_section
    def username(self):
        """The user name, percent-encoded.

        Example:
            >>> urlsm.whatwg.URL("https://me:pw@ex.com:8080/a?b#c").username
            'me'

        https://url.spec.whatwg.org/#dom-url-username
        """
        return part_or_empty(self._url, username_span(&self._url.o))

    @username.setter
    @cython.critical_section
    def username(self, value):
        cdef str text = scalars(value)
        if not self.set_plain(USERNAME, text, 0):
            self.set_parsed("username", text)

    @property
    @cython.critical_section
    def password(self):
        """The password, percent-encoded.

        Example:
            >>> urlsm.whatwg.URL("https://me:pw@ex.com:8080/a?b#c").password
            'pw'

        https://url.spec.whatwg.org/#dom-url-password
        """
        return part_or_empty(self._url, password_span(&self._url.o))

    @password.setter
    @cython.critical_section
    def password(self, value):
        cdef str text = scalars(value)
        if not self.set_plain(PASSWORD, text, 0):
            self.set_parsed("password", text)

    @property
    @cython.critical_section
    def host(self):
        """The host, followed by ":" and the port unless it is the default.

        Example:
            >>> urlsm.whatwg.URL("https://me:pw@ex.com:8080/a?b#c").host
            'ex.com:8080'

        https://url.spec.whatwg.org/#dom-url-host
        """
        return part(self._url, self._url.o.host_start, self._url.o.path_start) if self._url.o.has_host else ""

    @host.setter
    @cython.critical_section
    def host(self, value):
        cdef str text = scalars(value)
        cdef ImmutableURL changed = None
        if is_ascii(text) and len(text) <= MAX_LENGTH:
            changed = with_host_and_port(self._url, ascii_data(text), len(text))
        if not self.become(changed):
            self.set_parsed("host", text)

    @property
    @cython.critical_section
    def hostname(self):
        """The host; an IPv6 address is in brackets.

        Example:
            >>> urlsm.whatwg.URL("https://me:pw@ex.com:8080/a?b#c").hostname
            'ex.com'

        https://url.spec.whatwg.org/#dom-url-hostname
        """
        return part_or_empty(self._url, host_span(&self._url.o))

    @hostname.setter
    @cython.critical_section
    def hostname(self, value):
        cdef str text = scalars(value)
        if not self.set_plain(HOST, text, 0):
            self.set_parsed("hostname", text)

    @property
    @cython.critical_section
    def port(self):
        """The digits of the port; "" if it is absent or the default.

        Example:
            >>> urlsm.whatwg.URL("https://me:pw@ex.com:8080/a?b#c").port
            '8080'

        https://url.spec.whatwg.org/#dom-url-port
        """
        return part_or_empty(self._url, port_span(&self._url.o))

    @port.setter
    @cython.critical_section
    def port(self, value):
        cdef str text = scalars(value)
        cdef ImmutableURL changed = None
        cdef uint32_t port = 0, k
        if 0 < len(text) <= 5 and is_ascii(text) and NOT_SPECIAL < self._url.o.kind < FILE:
            for k in range(len(text)):
                port = 10 * port + (ascii_data(text)[k] - c'0') if CLASS[ascii_data(text)[k]] & DIGIT else 0xFFFF
            if port < 0xFFFF:
                changed = with_port(self._url, port)
        if not self.become(changed):
            self.set_parsed("port", text)

    @property
    @cython.critical_section
    def pathname(self):
        """The path, percent-encoded.

        Example:
            >>> urlsm.whatwg.URL("https://me:pw@ex.com:8080/a?b#c").pathname
            '/a'

        https://url.spec.whatwg.org/#dom-url-pathname
        """
        return part(self._url, self._url.o.path_start, path_end(self._url))

    @pathname.setter
    @cython.critical_section
    def pathname(self, value):
        cdef str text = scalars(value)
        if not self.set_plain(PATH, text, 0):
            self.set_parsed("pathname", text)

    @property
    @cython.critical_section
    def search(self):
        """The query, starting with "?"; "" if it is empty.

        Example:
            >>> urlsm.whatwg.URL("https://me:pw@ex.com:8080/a?b#c").search
            '?b'

        https://url.spec.whatwg.org/#dom-url-search
        """
        return delimited(self._url, self._url.o.query_start, query_end(self._url))

    @search.setter
    @cython.critical_section
    def search(self, value):
        cdef str text = scalars(value)
        if text and self.set_plain(QUERY, text, text[0] == "?"):
            if self._search_params is None:
                return  # search_params does not exist yet; it will be made from the query, which is the same text
        else:
            self.set_parsed("search", text)
        # "Set this's query object's list to the result of parsing input": input may have tabs that the URL does not
        # have
        self.params().assign(text.removeprefix("?"))

    @property
    @cython.critical_section
    def search_params(self):
        """The names and values of the query. It is always the same object, kept in sync with the query of the URL.

        Example:
            >>> url = urlsm.whatwg.URL("https://ex.com/?a=1")
            >>> url.search_params.append("b", "2 3")
            >>> url.search
            '?a=1&b=2+3'

        https://url.spec.whatwg.org/#dom-url-searchparams
        """
        return self.params()

    cdef URLSearchParams params(self):
        if self._search_params is None:
            self._search_params = params_of(self)
        return self._search_params

    @property
    @cython.critical_section
    def hash(self):
        """The fragment, starting with "#"; "" if it is empty.

        Example:
            >>> urlsm.whatwg.URL("https://me:pw@ex.com:8080/a?b#c").hash
            '#c'

        https://url.spec.whatwg.org/#dom-url-hash
        """
        return delimited(self._url, self._url.o.fragment_start, len(self._url.href))

    @hash.setter
    @cython.critical_section
    def hash(self, value):
        cdef str text = scalars(value)
        if not text or not self.set_plain(FRAGMENT, text, text[0] == "#"):
            self.set_parsed("hash", text)

    @cython.critical_section
    def to_json(self):
        """Return `href`, as JSON.stringify does.

        Example:
            >>> urlsm.whatwg.URL("https://ex.com").to_json()
            'https://ex.com/'

        https://url.spec.whatwg.org/#dom-url-tojson
        """
        return self._url.href

    @cython.critical_section
    def __str__(self):
        return self._url.href

    @cython.critical_section
    def __repr__(self):
        return f"URL({self._url.masked()!r})"

    @cython.critical_section
    def __copy__(self):
        cdef URL copy = type(self).__new__(type(self))
        copy._url = self._url
        if self._search_params is not None:
            copy.params().all_pairs()[:] = self._search_params.all_pairs()
        return copy

    def __reduce_ex__(self, protocol):
        return object.__reduce_ex__(self, 2)  # protocols below 2 cannot pickle an object of an extension type

    @cython.critical_section
    def __getstate__(self):
        # the state has the current pairs, because search_params is pickled later, and may have been changed by then
        return self._url, self._search_params, \
            None if self._search_params is None else list(checked_pairs(self._search_params.all_pairs()))

    @cython.critical_section
    def __setstate__(self, state):
        url, search_params, pairs = state
        if type(url) is not ImmutableURL:
            raise TypeError(f"expected urlsm.URL, not {type(url).__name__}")
        self._url, self._search_params = url, search_params
        if search_params is not None:
            if self._search_params._owner is None:
                self._search_params._owner = self
            elif self._search_params._owner is not self:
                self._search_params = None
                raise TypeError("these parameters belong to another URL")
            self._search_params.belongs = True
            self._search_params.text, self._search_params.fields = None, 0
            self._search_params.pairs[:] = map(scalar_pair, pairs)


# --- the list of a URLSearchParams ---------------------------------------------------------------
# The list has two parts: `text`, which is a plain query or None, and `pairs`, the pairs of str that follow the pairs in
# `text`. A query is plain if it is all ASCII, no name has an escape ("%" or "+") and no field is empty. The names in
# such a text need no decoding: a name ends at the first "=" of its field, the value follows, and there is one more
# field than there are "&".
# https://url.spec.whatwg.org/#concept-urlencoded-parser

cdef inline Py_ssize_t read_fields(const uint8_t* p, Py_ssize_t n, bint* escaped) noexcept:
    """Return the number of fields of the query p[0:n], which is ASCII, or 0 if the query is not plain. Set escaped to
    whether a value has escapes."""
    cdef const uint8_t* last = p + n
    cdef const uint8_t* percent = find(p, last, c'%')  # the next "%"
    cdef const uint8_t* plus = find(p, last, c'+')
    cdef const uint8_t* end
    cdef Py_ssize_t fields = 0
    escaped[0] = percent < last or plus < last
    while True:
        end = find(p, last, c'&')
        if end == p or (escaped[0] and min(percent, plus) < find(p, end, c'=')):
            return 0
        fields += 1
        if end == last:
            return fields
        p = end + 1
        if percent < p:
            percent = find(p, last, c'%')
        if plus < p:
            plus = find(p, last, c'+')


cdef inline bint is_named(const uint8_t* p, const uint8_t* last, const uint8_t* name, Py_ssize_t n) noexcept:
    """Return whether the field at p has the name name[0:n]. The text ends at last."""
    if last - p < n or (n and (p[0] != name[0] or memcmp(p, name, n) != 0)):
        return False
    if p + n < last and p[n] != c'=' and p[n] != c'&':
        return False
    # if the wanted name has "=" or "&", no field of a plain query has it
    return memchr(name, c'=', n) == NULL and memchr(name, c'&', n) == NULL


cdef inline Field field_from(str query, const uint8_t* p, str name, str value) noexcept:
    """Return the next field of a plain query that has this name and, unless value is None, this value. p: where a field
    begins, or one octet after the query. If value is not None, no value in the query may have escapes."""
    cdef Field found
    cdef const uint8_t* last = ascii_data(query) + len(query)
    cdef Py_ssize_t n = len(name)
    found.start = found.equals = found.end = NULL
    if not is_ascii(name) or (value is not None and not is_ascii(value)):
        return found
    while p <= last:
        if is_named(p, last, ascii_data(name), n):
            found.start, found.equals, found.end = p, p + n, find(p + n, last, c'&')
            if value is None or (found.end - value_of(&found) == len(value)
                                 and memcmp(value_of(&found), ascii_data(value), len(value)) == 0):
                return found
        p = find(p, last, c'&') + 1
    found.end = NULL
    return found


cdef inline const uint8_t* value_of(const Field* field) noexcept:
    """Return where the value of a field starts."""
    return field.equals + (field.equals < field.end)


cdef inline str value_in(str query, const Field* field):
    """Return the value of a field, decoded."""
    cdef const uint8_t* p = value_of(field)
    cdef Py_ssize_t n = field.end - p
    cdef Buffer b
    if find(p, field.end, c'%') == field.end and find(p, field.end, c'+') == field.end:
        # the interpreter has shared objects for the shortest str
        return ascii_text(p, n) if n > 1 else query[p - ascii_data(query):field.end - ascii_data(query)]
    buffer_start(&b)
    try:
        write_unquoted(&b, p, n, True)
        return PyUnicode_DecodeUTF8(<const char*>b.p, b.n, "replace")
    finally:
        buffer_free(&b)


cdef inline bint is_utf8(const uint8_t* p, size_t n) noexcept:
    cdef size_t k = 0
    while k < n:
        if read_point(p, n, &k) > 0x10FFFF:
            return False
    return True


cdef inline str serialized(str query):
    """Return the serialisation of a plain query; None if a value is not UTF-8. Octets that are UTF-8 can be serialised
    without making a str of them.
    https://url.spec.whatwg.org/#concept-urlencoded-serializer"""
    cdef Buffer b, decoded
    cdef const uint8_t* p = ascii_data(query)
    cdef const uint8_t* last = p + len(query)
    cdef const uint8_t* end
    cdef const uint8_t* equals
    buffer_start(&b)
    buffer_start(&decoded)
    try:
        while p <= last:
            end = find(p, last, c'&')
            equals = find(p, end, c'=')
            if b.n:
                buffer_put(&b, c'&')
            write_quoted(&b, p, equals - p, quoting_at(FORM))
            buffer_put(&b, c'=')
            p = equals + (equals < end)
            if find(p, end, c'%') == end and find(p, end, c'+') == end:
                write_quoted(&b, p, end - p, quoting_at(FORM))
            else:
                decoded.n = 0
                if write_unquoted(&decoded, p, end - p, True) and not is_utf8(decoded.p, decoded.n):
                    return None
                write_quoted(&b, decoded.p, decoded.n, quoting_at(FORM))
            p = end + 1
        return ascii_text(b.p, b.n)
    finally:
        buffer_free(&b)
        buffer_free(&decoded)


cdef inline bint is_before(const Field* a, const Field* b) noexcept:
    """Return whether the name of `a` sorts before the name of `b`. Both are ASCII, so their octets sort like code
    units."""
    cdef Py_ssize_t of_a = a.equals - a.start, of_b = b.equals - b.start
    cdef int order = memcmp(a.start, b.start, min(of_a, of_b))
    return order < 0 or (order == 0 and of_a < of_b)


cdef inline str with_fields_sorted(str query):
    """Return a plain query of at most FEW_FIELDS fields, with its fields sorted by name. The sort is stable."""
    cdef Field[FEW_FIELDS] fields
    cdef Field field
    cdef const uint8_t* p = ascii_data(query)
    cdef const uint8_t* last = p + len(query)
    cdef Py_ssize_t count = 0, k
    cdef bint changed = False
    cdef str made
    cdef uint8_t* out
    while p <= last:
        field.start, field.end = p, find(p, last, c'&')
        field.equals = find(p, field.end, c'=')
        k = count
        while k > 0 and is_before(&field, &fields[k - 1]):
            fields[k] = fields[k - 1]
            k -= 1
        changed = changed or k < count
        fields[k] = field
        count += 1
        p = field.end + 1
    if not changed:
        return query
    made = PyUnicode_New(len(query), 127)
    out = ascii_data(made)
    for k in range(count):
        if k:
            out[0] = c'&'
            out += 1
        memcpy(out, fields[k].start, fields[k].end - fields[k].start)
        out += fields[k].end - fields[k].start
    return made


# --- a list of pairs ---------------------------------------------------------------------------

cdef enum:                   # the order of the names of pairs; SORTED: by UTF-16 code units
    SORTED
    NARROW                   # not sorted, but each code point is one code unit
    WIDE                     # not sorted, and there may be code points of two code units


cdef inline object changed_from_outside():
    return ValueError("the list of pairs was changed from outside")


cdef inline list checked_pairs(list pairs):
    """Return the list if all its items are pairs of str, so that C may read them. ValueError if other code has put
    another object into the list."""
    cdef Py_ssize_t k
    for k in range(len(pairs)):
        if not is_pair(PyList_GET_ITEM(pairs, k)):
            raise changed_from_outside()
    return pairs


cdef inline int order_of(list pairs) except -1:
    cdef Py_ssize_t k
    cdef PyObject* name
    cdef PyObject* before = NULL
    cdef int order = SORTED
    for k in range(len(pairs)):
        name = PyTuple_GET_ITEM(PyList_GET_ITEM(pairs, k), 0)
        if largest(name) > 0xFFFF:
            return WIDE
        if before != NULL and <str>name < <str>before:
            order = NARROW
        before = name
    return order


cdef inline object value_at(list pairs, Py_ssize_t k):
    return <object>PyTuple_GET_ITEM(PyList_GET_ITEM(pairs, k), 1)


cdef inline Py_ssize_t place_of(list pairs, str name, str value, Py_ssize_t k) except -1:
    """Return the index of the next pair, from k on, that has this name and, unless value is None, this value;
    len(pairs) if there is none. ValueError as in checked_pairs."""
    cdef PyObject* pair
    cdef Py_ssize_t n = len(name)
    for k in range(k, len(pairs)):
        pair = PyList_GET_ITEM(pairs, k)
        if not is_pair(pair):
            raise changed_from_outside()
        if PyUnicode_GET_LENGTH(PyTuple_GET_ITEM(pair, 0)) == n and <str>PyTuple_GET_ITEM(pair, 0) == name \
                and (value is None or <str>PyTuple_GET_ITEM(pair, 1) == value):
            return k
    return len(pairs)


cdef inline int remove_pairs(list pairs, str name, str value, Py_ssize_t start) except -1:
    """Remove all pairs from index `start` on that have this name and, unless value is None, this value."""
    cdef Py_ssize_t k = place_of(pairs, name, value, start), after
    cdef list kept
    if k < len(pairs):
        kept, start = [], k
        while k < len(pairs):
            after = place_of(pairs, name, value, k + 1)
            kept.extend(pairs[k + 1:after])
            k = after
        pairs[start:] = kept
    return 0


# --- URLSearchParams ------------------------------------------------------------------------------

cdef inline Field field_of(URLSearchParams params, str name, str value):
    """Return the first field in params.text that has this name and, unless value is None, this value."""
    cdef Field found
    found.start = found.equals = found.end = NULL
    if value is not None and params.escaped:
        params.all_pairs()  # moves all pairs to the list, in which values are decoded
    return found if params.text is None else field_from(params.text, ascii_data(params.text), name, value)


@cython.binding(False)
cdef class URLSearchParams:
    """URLSearchParams(init=None)\n--\n
    A mutable list of names and values. The `search_params` of a URL are kept in sync with its query.

    Iteration yields pairs by index, so it reflects changes made during the iteration. A copy made by copy.copy belongs
    to no URL; a copy made by copy.deepcopy or pickle belongs to a copy of the URL.

    Args:
        init: a query (one leading "?" is removed), pairs of str, a mapping of str to str, or None for no pairs.

    Raises:
        TypeError: `init` has the wrong type, or an item is not a pair of str.

    Example:
        >>> str(urlsm.whatwg.URLSearchParams({"q": "a b"}))
        'q=a+b'

    https://url.spec.whatwg.org/#interface-urlsearchparams
    """

    cdef str text              # a plain query, which holds the first pairs; or None
    cdef Py_ssize_t fields     # the number of fields of `text`, 0 if `text` is None
    cdef list pairs            # the pairs of str that follow the pairs in `text`
    cdef bint escaped          # whether a value in `text` may have escapes
    # the URL whose query this is; set at most once, because the URL's critical section also guards this object
    cdef URL _owner
    cdef bint belongs          # whether changes are passed on to the URL; after another call of __init__ they are not
    cdef object __weakref__

    def __cinit__(self):
        self.pairs = []

    cdef object guard(self):
        """Return the object whose critical section guards this one. Only one thread has an object until its __init__ or
        __setstate__ returns."""
        return self if self._owner is None else self._owner

    def __init__(self, init=None):
        with cython.critical_section(self.guard()):
            self.pairs, self.text, self.fields, self.belongs = [], None, 0, False
            if isinstance(init, str):
                self.take(str.removeprefix(init, "?"))
            elif init is not None:
                self.pairs = list(map(scalar_pair, pairs_in(init)))
                if isinstance(init, dict) and len(self.pairs) == len(init):
                    # in a record of Web IDL, names that become equal when they are converted to USVString count as one
                    # name
                    self.pairs = list(dict(self.pairs).items())

    cdef int take(self, str query) except -1:
        """Take over the pairs of a query. There must be no pairs yet."""
        self.fields = read_fields(ascii_data(query), len(query), &self.escaped) if is_ascii(query) else 0
        self.text = query if self.fields else None
        if not self.fields:
            self.pairs[:] = parse_form(query)
        return 0

    cdef int assign(self, str query) except -1:
        """Replace all pairs by the pairs of a query."""
        self.text, self.fields = None, 0
        self.pairs.clear()
        self.take(query)
        return 0

    @property
    def _pairs(self):
        with cython.critical_section(self.guard()):
            return self.all_pairs()

    cdef list all_pairs(self):
        """Parse self.text, put its pairs at the start of self.pairs, and return self.pairs."""
        if self.text is not None:
            self.pairs[:0] = parse_form(self.text)
            self.text, self.fields = None, 0
        return self.pairs

    cdef str serialize(self):
        """Return the pairs as form-encoded text (https://url.spec.whatwg.org/#concept-urlencoded-serializer)."""
        cdef str made = None if self.text is None else serialized(self.text)
        if made is None:
            return serialize_form(checked_pairs(self.all_pairs()))
        return f"{made}&{serialize_form(checked_pairs(self.pairs))}" if self.pairs else made

    cdef int update(self) except -1:
        """Change the URL's query to these pairs (https://url.spec.whatwg.org/#concept-urlsearchparams-update)."""
        cdef URL owner = self._owner if self.belongs else None
        cdef ImmutableURL changed = None
        cdef str query
        if owner is not None:
            query = self.serialize()
            # "If serializedQuery is the empty string, then set serializedQuery to null."
            if len(query) <= MAX_LENGTH:
                changed = with_piece(owner._url, QUERY, ascii_data(query) if query else NULL, len(query), 0)
            if not owner.become(changed):
                owner._url = set_query(owner._url, query.encode("ascii") or None)
        return 0

    @property
    def size(self):
        """The number of pairs.

        Example:
            >>> urlsm.whatwg.URLSearchParams("a=1&b=2").size
            2

        https://url.spec.whatwg.org/#dom-urlsearchparams-size
        """
        with cython.critical_section(self.guard()):
            return self.fields + len(self.pairs)

    def append(self, name, value):
        """Add a pair at the end.

        Args:
            name: the decoded name.
            value: the decoded value.

        Raises:
            TypeError: an argument is not a str.

        Example:
            >>> params = urlsm.whatwg.URLSearchParams("a=1&b=2&a=3")
            >>> params.append("c", "4")
            >>> str(params)
            'a=1&b=2&a=3&c=4'

        https://url.spec.whatwg.org/#dom-urlsearchparams-append
        """
        with cython.critical_section(self.guard()):
            self.pairs.append((scalars(name), scalars(value)))
            self.update()

    def delete(self, name, value=None):
        """Remove all pairs with a name, or with a name and a value.

        Args:
            name: the decoded name.
            value: the value; None matches any value.

        Raises:
            TypeError: an argument is not a str.

        Example:
            >>> params = urlsm.whatwg.URLSearchParams("a=1&b=2&a=3")
            >>> params.delete("a")
            >>> str(params)
            'b=2'

        https://url.spec.whatwg.org/#dom-urlsearchparams-delete
        """
        cdef str wanted, with_value
        cdef list pairs
        with cython.critical_section(self.guard()):
            wanted = scalars(name)
            with_value = None if value is None else scalars(value)
            pairs = self.pairs if field_of(self, wanted, with_value).end == NULL else self.all_pairs()
            if pairs:
                remove_pairs(pairs, wanted, with_value, 0)
            if self._owner is not None:
                self.update()

    def get(self, name):
        """Return the first value for a name, or None if there is none.

        Args:
            name: the decoded name.

        Raises:
            TypeError: an argument is not a str.

        Example:
            >>> urlsm.whatwg.URLSearchParams("a=1&a=2").get("a")
            '1'

        https://url.spec.whatwg.org/#dom-urlsearchparams-get
        """
        cdef str wanted
        cdef Field found
        cdef Py_ssize_t k
        with cython.critical_section(self.guard()):
            wanted = scalars(name)
            found = field_of(self, wanted, None)
            if found.end != NULL:
                return value_in(self.text, &found)
            if not self.pairs:
                return None
            k = place_of(self.pairs, wanted, None, 0)
            return value_at(self.pairs, k) if k < len(self.pairs) else None

    def get_all(self, name):
        """Return all values for a name.

        Args:
            name: the decoded name.

        Raises:
            TypeError: an argument is not a str.

        Example:
            >>> urlsm.whatwg.URLSearchParams("a=1&a=2").get_all("a")
            ['1', '2']

        https://url.spec.whatwg.org/#dom-urlsearchparams-getall
        """
        cdef str wanted
        cdef list values
        cdef Field found
        cdef Py_ssize_t k
        with cython.critical_section(self.guard()):
            wanted = scalars(name)
            values = []
            found = field_of(self, wanted, None)
            k = place_of(self.pairs, wanted, None, 0)
            while found.end != NULL:
                values.append(value_in(self.text, &found))
                found = field_from(self.text, found.end + 1, wanted, None)
            while k < len(self.pairs):
                values.append(value_at(self.pairs, k))
                k = place_of(self.pairs, wanted, None, k + 1)
            return values

    def has(self, name, value=None):
        """Return whether there is a pair with a name, or with a name and a value.

        Args:
            name: the decoded name.
            value: the value; None matches any value.

        Raises:
            TypeError: an argument is not a str.

        Example:
            >>> urlsm.whatwg.URLSearchParams("a=1").has("a", "2")
            False

        https://url.spec.whatwg.org/#dom-urlsearchparams-has
        """
        cdef str wanted, with_value
        with cython.critical_section(self.guard()):
            wanted = scalars(name)
            with_value = None if value is None else scalars(value)
            return field_of(self, wanted, with_value).end != NULL \
                or place_of(self.pairs, wanted, with_value, 0) < len(self.pairs)

    def set(self, name, value):
        """Set the value of the first pair with a name, and remove all other pairs with that name. If there is no such
        pair, append one.

        Args:
            name: the decoded name.
            value: the decoded value.

        Raises:
            TypeError: an argument is not a str.

        Example:
            >>> params = urlsm.whatwg.URLSearchParams("a=1&b=2&a=3")
            >>> params.set("a", "9")
            >>> str(params)
            'a=9&b=2'

        https://url.spec.whatwg.org/#dom-urlsearchparams-set
        """
        cdef tuple made
        cdef list pairs
        cdef Py_ssize_t k
        with cython.critical_section(self.guard()):
            made = (scalars(name), scalars(value))
            pairs = self.pairs if field_of(self, made[0], None).end == NULL else self.all_pairs()
            k = place_of(pairs, made[0], None, 0)
            if k < len(pairs):
                pairs[k] = made
                remove_pairs(pairs, made[0], None, k + 1)
            else:
                pairs.append(made)
            self.update()

    def sort(self):
        """Sort the pairs by name, in the order of UTF-16 code units. Pairs with the same name keep their order.

        Example:
            >>> params = urlsm.whatwg.URLSearchParams("a=1&b=2&a=3")
            >>> params.sort()
            >>> str(params)
            'a=1&a=3&b=2'

        https://url.spec.whatwg.org/#dom-urlsearchparams-sort
        """
        with cython.critical_section(self.guard()):
            if self.text is not None and self.fields <= FEW_FIELDS and not self.pairs:
                self.text = with_fields_sorted(self.text)
            else:
                order = order_of(checked_pairs(self.all_pairs()))
                if order == WIDE:
                    self.pairs.sort(key=lambda pair: code_units(pair[0]))
                elif order != SORTED:
                    self.pairs.sort(key=itemgetter(0))  # correct, as each code point is one code unit
            self.update()

    def keys(self):
        """Return an iterator over the names of the pairs.

        Example:
            >>> list(urlsm.whatwg.URLSearchParams("a=1&b=2").keys())
            ['a', 'b']
        """
        return pairs_of(self, NAMES)

    def values(self):
        """Return an iterator over the values of the pairs.

        Example:
            >>> list(urlsm.whatwg.URLSearchParams("a=1&b=2").values())
            ['1', '2']
        """
        return pairs_of(self, VALUES)

    def items(self):
        """Return an iterator over the pairs.

        Example:
            >>> list(urlsm.whatwg.URLSearchParams("a=1&b=2").items())
            [('a', '1'), ('b', '2')]
        """
        return pairs_of(self, WHOLE)

    def __iter__(self):
        return pairs_of(self, WHOLE)

    def __len__(self):
        with cython.critical_section(self.guard()):
            return self.fields + len(self.pairs)

    def __str__(self):
        """The form-encoded query. https://url.spec.whatwg.org/#urlsearchparams-stringification-behavior"""
        with cython.critical_section(self.guard()):
            return self.serialize()

    def __repr__(self):
        with cython.critical_section(self.guard()):
            from urlsm.errors.masking import masked_part
            return f"URLSearchParams({masked_part('', self.all_pairs())!r})"

    def __copy__(self):
        with cython.critical_section(self.guard()):
            pairs = list(checked_pairs(self.all_pairs()))
        return type(self)(pairs)

    def __reduce_ex__(self, protocol):
        return object.__reduce_ex__(self, 2)  # protocols below 2 cannot pickle an object of an extension type

    def __getstate__(self):
        with cython.critical_section(self.guard()):
            return list(checked_pairs(self.all_pairs())), self._owner if self.belongs else None

    def __setstate__(self, state):
        pairs, owner = state
        if type(pairs) is not list:
            raise TypeError(f"expected a list, not {type(pairs).__name__}")
        if self._owner is not None and owner is not None and owner is not self._owner:
            raise TypeError("these parameters belong to another URL")
        if owner is not None and (<URL?>owner)._search_params is self:
            return  # when the URL was unpickled, it set the pairs that it had when it was pickled
        URLSearchParams.__init__(self, list(map(scalar_pair, pairs)))
        if owner is not None:
            self._owner, self.belongs = owner, True


cdef enum Item:
    NAMES
    VALUES
    WHOLE


@cython.final
@cython.binding(False)
cdef class PairIterator:
    """An iterator over the pairs, or their names or values. It goes by index, and reads the list only within the
    critical section of guard(). Other code never gets the list itself, so other code cannot lock the list and make a
    thread wait in the middle of a change."""
    cdef URLSearchParams params
    cdef Py_ssize_t k          # the index of the next pair; -1 after the end
    cdef Item item

    def __iter__(self):
        return self

    def __next__(self):
        cdef list pairs
        cdef Py_ssize_t k
        if self.params is None:  # other code has called the type without arguments
            raise StopIteration
        with cython.critical_section(self.params.guard()):
            pairs, k = self.params.all_pairs(), self.k
            if not 0 <= k < len(pairs):
                self.k = -1
                raise StopIteration
            self.k += 1
            return pairs[k] if self.item == WHOLE else (<tuple?>pairs[k])[<int>self.item]


cdef PairIterator pairs_of(URLSearchParams params, Item item):
    cdef PairIterator made = PairIterator.__new__(PairIterator)
    made.params, made.item = params, item
    return made


cdef inline uint8_t* put_unit(uint8_t* p, uint32_t unit) noexcept nogil:
    p[0], p[1] = unit >> 8, unit & 0xFF
    return p + 2


cdef bytes code_units(str name):
    """Return the UTF-16 code units of a name as octets that sort in the same order. The name must not have surrogates.
    (No codec is used, because a codec may run Python code, during which the critical section may be suspended.)"""
    cdef Py_ssize_t n = 0
    cdef Py_UCS4 c
    cdef bytes made
    cdef uint8_t* p
    for c in name:
        n += 4 if c > 0xFFFF else 2
    made = PyBytes_FromStringAndSize(NULL, n)
    p = <uint8_t*>PyBytes_AS_STRING(made)
    for c in name:
        if c > 0xFFFF:
            p = put_unit(p, 0xD7C0 + (<uint32_t>c >> 10))  # the same as 0xD800 + ((c - 0x10000) >> 10)
            p = put_unit(p, 0xDC00 | (<uint32_t>c & 0x3FF))
        else:
            p = put_unit(p, <uint32_t>c)
    return made
