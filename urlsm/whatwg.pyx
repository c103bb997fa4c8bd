"""The browser's API of the URL Standard, in snake_case: URL with setters, and URLSearchParams.
https://url.spec.whatwg.org/#api

A text is str, and a lone surrogate in it counts as U+FFFD (Web IDL's USVString). Two URL or URLSearchParams
objects are equal only if they are identical, as in a browser, since both can change. str(a) == str(b) compares texts.

Threads may share an object: a URL's critical section guards the URL and its search_params, which change each other. (A
critical section is nothing where the interpreter has a lock. It can end while a function in it waits, so no pointer
into a field's object is used after that.)
"""
cimport cython
from cpython.object cimport PyObject
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport uint8_t, uint32_t
from urlsm.machine.machine cimport ABSENT, FRAGMENT, HOST, PASSWORD, PATH, QUERY, SCHEME, Span, USERNAME
from urlsm.machine.special cimport FILE, NOT_SPECIAL
from urlsm.octets.buffer cimport MAX_LENGTH, ascii_data, is_ascii
from urlsm.octets.chars cimport CLASS, DIGIT, FORBIDDEN_DOMAIN, UPPER, classes_of
from urlsm.octets.once cimport publish, published, stay
from urlsm.url.params cimport pairs_in
from urlsm.url.query_list cimport (
    FEW_FIELDS, Field, SORTED, WIDE, checked_pairs, field_from, order_of, place_of, read_fields, remove_pairs,
    serialized, value_at, value_in, with_fields_sorted,
)
from urlsm.url.spans cimport host_span, password_span, port_span, username_span
from urlsm.url.splicing cimport with_host_and_port, with_piece, with_port
from urlsm.url.value cimport URL as ImmutableURL, part, path_end, query_end
from operator import itemgetter
from urlsm.errors import ParseError
from urlsm.octets.later import later
from urlsm.url.edit import set_component, set_query
from urlsm.url.params import parse_form, scalar_pair, scalar_values, serialize_form
from urlsm.url.value import can_parse, parse

__all__ = ["URL", "ParseError", "URLPattern", "URLSearchParams", "domain_to_ascii"]
__getattr__, __dir__ = later(globals(), {"URLPattern": "urlsm.patterns.urlpattern"})  # it uses the matcher of lists


cdef inline str scalars(object value):
    """Return scalar_values(value), without a call if that is value itself."""
    return value if type(value) is str and is_ascii(value) else scalar_values(value)


cdef inline str part_or_empty(ImmutableURL url, Span lies):
    return "" if lies.start == ABSENT else part(url, lies.start, lies.end)


cdef inline str delimited(ImmutableURL url, uint32_t start, uint32_t end):
    """Return the query or fragment with its delimiter, which is at start; "" if it is absent or empty."""
    return part(url, start, end) if start != ABSENT and end - start > 1 else ""


cdef URLSearchParams params_of(URL url):
    """Return a new query object for a URL that does not have one."""
    cdef URLSearchParams made = URLSearchParams.__new__(URLSearchParams)
    cdef uint32_t start = url._url.o.query_start
    if start != ABSENT:
        made.take(part(url._url, start + 1, query_end(url._url)))
    made._owner, made.belongs = url, True
    return made


cdef ImmutableURL BLANK = parse("about:blank")  # of an object before __init__ or __setstate__
stay(BLANK)


@cython.binding(False)
cdef class URL:
    """URL(url, base=None)\n--\n\nA mutable URL. https://url.spec.whatwg.org/#url-class

    Every attribute is a str; an absent component is "". All but origin can be set. A setter ignores a value that its
    component cannot have, as in a browser; only that of href raises. A value that is not a str is a TypeError.

    Args:
        url: str, or an object with a str attribute href (this class, urlsm.URL). bytes are read as UTF-8.
        base: the same types; the URL that a relative url is resolved against.

    Raises ParseError (a ValueError): url or base does not parse. TypeError: one of them is of another type.
    """

    cdef ImmutableURL _url
    cdef URLSearchParams _search_params  # None until it is asked for
    cdef object __weakref__

    def __cinit__(self):
        self._url = BLANK

    @cython.critical_section
    def __init__(self, url, base=None):
        self._url = parse(url) if base is None else parse(url, base)
        self._search_params = None

    @classmethod
    def parse(cls, url, base=None):
        """Return the URL, or None if url or base does not parse. https://url.spec.whatwg.org/#dom-url-parse"""
        made = None
        try:
            made = cls(url, base)
        except ParseError:
            pass
        return made

    @staticmethod
    def can_parse(url, base=None):
        """Return whether url and base parse. https://url.spec.whatwg.org/#dom-url-canparse"""
        return can_parse(url, base)

    cdef bint set_plain(self, int which, str value, Py_ssize_t start) except -1:
        """Set a component to value[start:] if it certainly stays as given; otherwise do nothing and return False."""
        if not is_ascii(value) or len(value) > MAX_LENGTH:
            return False
        return self.become(with_piece(self._url, which, ascii_data(value) + start, <uint32_t>(len(value) - start), 0))

    cdef bint set_parsed(self, str name, value) except -1:
        """Have the parser set a component, at the setter's state override."""
        return self.become(set_component(self._url, name, value))

    cdef bint become(self, ImmutableURL changed) except -1:
        """Become the URL changed; if that is None, change nothing and return False."""
        if changed is not None:
            self._url = changed
        return changed is not None

    @property
    @cython.critical_section
    def href(self):
        """The whole URL. Setting a value that does not parse raises ParseError, and changes nothing.
        https://url.spec.whatwg.org/#dom-url-href"""
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
        """The serialised origin, "null" if it is opaque; read-only. https://url.spec.whatwg.org/#dom-url-origin"""
        return self._url.origin

    @property
    @cython.critical_section
    def protocol(self):
        """The scheme, with ":". https://url.spec.whatwg.org/#dom-url-protocol"""
        return part(self._url, 0, self._url.o.scheme_end + 1)

    @protocol.setter
    @cython.critical_section
    def protocol(self, value):
        cdef str text = scalars(value)
        if not self.set_plain(SCHEME, text[:-1] if text.endswith(":") else text, 0):
            self.set_parsed("protocol", text)

    @property
    @cython.critical_section
    def username(self):
        """The user name, percent-encoded. https://url.spec.whatwg.org/#dom-url-username"""
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
        """The password, percent-encoded. https://url.spec.whatwg.org/#dom-url-password"""
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
        """The host, with ":" and a port that is not the default. https://url.spec.whatwg.org/#dom-url-host"""
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
        """The host; IPv6 in brackets. https://url.spec.whatwg.org/#dom-url-hostname"""
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
        """The port in decimal digits; "" if it is absent or the scheme's default.
        https://url.spec.whatwg.org/#dom-url-port"""
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
        """The path. https://url.spec.whatwg.org/#dom-url-pathname"""
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
        """The query, with "?"; "" if it is empty. https://url.spec.whatwg.org/#dom-url-search"""
        return delimited(self._url, self._url.o.query_start, query_end(self._url))

    @search.setter
    @cython.critical_section
    def search(self, value):
        cdef str text = scalars(value)
        if text and self.set_plain(QUERY, text, text[0] == "?"):
            if self._search_params is None:
                return  # the list will be made from the URL, which has the same text
        else:
            self.set_parsed("search", text)
        # "Set this's query object's list to the result of parsing input", which may hold what the URL lacks (a tab)
        self.params().assign(text.removeprefix("?"))

    @property
    @cython.critical_section
    def search_params(self):
        """The query's names and values: always the same object. A change of either changes the other.
        https://url.spec.whatwg.org/#dom-url-searchparams"""
        return self.params()

    cdef URLSearchParams params(self):
        if self._search_params is None:
            self._search_params = params_of(self)
        return self._search_params

    @property
    @cython.critical_section
    def hash(self):
        """The fragment, with "#"; "" if it is empty. https://url.spec.whatwg.org/#dom-url-hash"""
        return delimited(self._url, self._url.o.fragment_start, len(self._url.href))

    @hash.setter
    @cython.critical_section
    def hash(self, value):
        cdef str text = scalars(value)
        if not text or not self.set_plain(FRAGMENT, text, text[0] == "#"):
            self.set_parsed("hash", text)

    @cython.critical_section
    def to_json(self):
        """Return the href. https://url.spec.whatwg.org/#dom-url-tojson"""
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
        return object.__reduce_ex__(self, 2)  # older protocols cannot make an extension type's object

    @cython.critical_section
    def __getstate__(self):
        # the pairs of this moment, which may not be those of when search_params is asked
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


include "whatwg_params.pxi"


cdef PyObject* parse_domain = NULL  # urlsm.unicode.idna's, when it is first asked for


def domain_to_ascii(domain, strict=False):
    """Return the domain as in a URL's host, by the domain parser (it does not read IPv4 and IPv6 addresses).
    https://url.spec.whatwg.org/#concept-domain-to-ascii

    Args:
        domain: Unicode or ASCII text, not percent-encoded.
        strict: the standard's beStrict: also refuse long labels, and characters that DNS or STD 3 does not allow.

    Raises urlsm.unicode.idna.IDNAError (a ValueError), whose `reason` names the rule broken. TypeError: not a str.
    """
    cdef uint32_t seen
    if type(domain) is str and is_ascii(domain) and strict is False:
        # like parse_domain: an ASCII domain is only lowercased, and must not have a forbidden domain code point
        seen = classes_of(ascii_data(domain), len(<str>domain))
        if seen and not seen & FORBIDDEN_DOMAIN:
            return (<str>domain).lower() if seen & UPPER else domain
    if published(&parse_domain) == NULL:
        from urlsm.unicode.idna import parse_domain as function
        publish(&parse_domain, function)
    return (<object>published(&parse_domain))(scalar_values(domain), strict)
