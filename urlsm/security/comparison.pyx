"""Finds the components that each dialect or program sees in a URL, and whether they agree on where a request would go.

Each view comes from a row of READERS, which reads a text as one kind of software does. All results are normalised by
the same rules (`see`), so two views only differ if two programs would find different components.
"""
cimport cython
import re
from collections.abc import ItemsView, Mapping, ValuesView
from functools import partial
from sys import exc_info
from cpython.object cimport PyObject
from cpython.unicode cimport PyUnicode_DATA, PyUnicode_KIND, PyUnicode_READ
from libc.stdint cimport uint8_t, uint32_t
from urlsm.components.parts cimport Values, made_of
from urlsm.machine.codes cimport MISSING_SCHEME_NON_RELATIVE_URL
from urlsm.machine.driver cimport BY_LANE, default_port, kind_of
from urlsm.machine.reading cimport Reading as Spans, read
from urlsm.octets.buffer cimport MAX_LENGTH, ascii_data, ascii_text, is_ascii
from urlsm.octets.chars cimport (
    AT, BACKSLASH, BRACKET, CLASS, COLON, DIGIT, ENC_C0, HASH, HEX, PERCENT, QUESTION, SLASH, URL_CODE_POINT,
)
from urlsm.octets.dots cimport dots, segment_end
from urlsm.octets.once cimport publish, published
from urlsm.octets.text cimport among, deciding, exact, octets_of
from urlsm.url.parser cimport error_of
from urlsm.url.structs cimport Failure
from urlsm.url.value cimport read_url
from urlsm.security.plain cimport (
    Authority, LONGEST_NAME, has_a_label, is_ordinary, names_in_scheme, ordinary_authority, scalars, unremarkable,
)
from urlsm.components.parts import Parts, decode, decode_bytes
from urlsm.components.value import resolve, split
from urlsm.errors import ParseError
from urlsm.octets.objects import url_string
from urlsm.octets.text import utf8
from urlsm.unicode.domains import DISPUTED
from urlsm.url.value import Later, parse, try_parse

cdef PyObject* _netloc_rule = NULL  # refusal_of of urlsm.readers.stdlib, which few texts need
cdef object WHATWG = object(), RFC3986 = object()  # keys of the cache `known` that no host equals

cdef enum:
    # a code point has at most four octets, and the escape of an octet has three characters
    MOST_WRITTEN = 12 * (LONGEST_NAME + 1)
    LONGEST_LABEL = 63  # octets: RFC 1035 section 2.3.4

DECIDES = ("scheme", "host", "port")  # these decide where a request goes
COMPONENTS = ("refusal", "scheme", "userinfo", "host", "port", "path", "query", "fragment", "connects")
cdef tuple NO_COMPONENTS = (None,) * 7
cdef tuple DIALECT_SEES = ("scheme", "userinfo", "host", "port", "path")
EDGE = "".join(map(chr, range(0x21)))  # what the URL Standard calls "leading or trailing C0 control or space"

cdef dict BREAKS_3986 = {"scheme": "the scheme breaks RFC 3986 section 3.1",
                         "authority": "the authority breaks RFC 3986 section 3.2"}
cdef dict BREAKS_2396 = {"scheme": "the scheme breaks RFC 2396 section 3.1",
                         "authority": "the authority is not a server by RFC 2396 section 3.2.2"}
cdef dict known_readers = {}  # tuples of names of readers -> their Readers; emptied, but not replaced
cdef enum:
    MOST_KNOWN = 64
    MOST_TOLD = 200  # characters of a component, of which a longer one is told without its middle

cdef object SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*")  # RFC 3986 appendix A
# RFC 2396 section 3.2.2: hostname | IPv4address. "_" is allowed, too, because the DNS resolves names with it. The last
# label must not begin with a digit (toplabel), and some readers only take four decimal numbers for an address.
cdef str OCTET = "(?:[0-9]|[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5])"
# all ASCII characters except "-", "_", digits and lower-case letters. SERVER says which characters a label does not
# have, because re is slow with large sets
cdef str OTHERS = r"\x00-,./:-^`{-\x7f"
cdef object SERVER = re.compile(
    rf"(?!-)(?:[^{OTHERS}]+(?<!-)\.(?!-))*(?![0-9])[^{OTHERS}-][^{OTHERS}]*(?<!-)\.?"
    rf"|{OCTET}(?:\.{OCTET}){{3}}|\[.*\]|"
)


# --- views -------------------------------------------------------------------------------------

class View(Parts):
    """The components of a URL as one dialect sees them, normalised so that views can be compared.

    `scheme` and `host` are in lower case. An IDN is in its ToASCII form, an IPv6 address in its canonical form, and an
    empty host is None. `port` is an int, or None if it is absent, empty or the default of a special scheme; if it is
    not a number of at most five digits, it is a str. `userinfo` and `path` are as written, except in the view of
    whatwg, where they are normalised. `refusal` says why the dialect rejects the URL, and is None if the dialect
    accepts it. If the dialect rejects it, all other fields except `dialect` are None.
    """
    dialect: str
    scheme: str | None
    userinfo: str | None
    host: str | None
    port: int | str | None
    path: str | None
    refusal: str | None

    def __repr__(self):
        from urlsm.security.masked_views import shown
        if self.refusal is not None:
            return f"View({self.dialect!r}, refusal={self.refusal!r})"
        host, port = shown(self, "host"), shown(self, "port")
        return f"View({self.dialect!r}, scheme={self.scheme!r}, host={host!r}, port={port!r})"


class Reading(Parts):
    """What one program sees in a URL, as its API gives it.

    Attributes:
        reader: the name of the program, one of those that `urlsm.security.readers()` lists.
        version: the release of the program that reads so.
        refusal: the part that the program refuses, such as "host"; None if it accepts the URL. If it refuses the URL,
            all components are None.
        scheme, userinfo, host, port, path, query, fragment: str, or None where the program gives nothing. A port is
            "!" and a message where asking for it raises an error. The path of `go` is "opaque:" and URL.Opaque where
            the URL has that ("mailto:a").
        connects: for a client, the host and port that it hands to the resolver, a tuple of two str; else None.

    Example:
        >>> view = compare_readers("http://127.1/", readers=["curl"]).views["curl"]
        >>> view["host"], view["connects"]
        ('127.0.0.1', ('127.0.0.1', '80'))
    """
    __module__ = "urlsm.security"
    __slots__ = ("_text",)  # what was read: its secrets are masked in repr wherever the program sees them
    reader: str
    version: str
    refusal: str | None
    scheme: str | None
    userinfo: str | None
    host: str | None
    port: str | None
    path: str | None
    query: str | None
    fragment: str | None
    connects: tuple[str, str] | None

    def __repr__(self):
        from urlsm.security.masked_views import secrets_of, shown_view
        text = getattr(self, "_text", None)
        fields = shown_view(self, None if text is None else secrets_of(text))
        return f"Reading({', '.join([f'{name}={value!r}' for name, value in fields.items()])})"

    def __reduce__(self):
        text = getattr(self, "_text", None)
        return super().__reduce__() if text is None else (reading_of, (text, (<Values>self).values))


cpdef object reading_of(str text, tuple values):
    """Return the Reading of a text. values: those of its fields."""
    made = made_of(Reading, values)
    made._text = text
    return made


class ReaderComparison(Parts):
    """How different parsers read one URL: the result of `compare_readers`.

    Attributes:
        url: the URL as given.
        views: a mapping from the name of each parser to its view: for a program, a Reading; for a dialect, a view with
            the fields scheme, userinfo, host, port, path and refusal, whose port is an int.

    Example:
        >>> compare_readers("http://h/a").agree
        True
    """
    __module__ = "urlsm.security"
    url: str
    views: Mapping[str, View | Reading]

    _repr_html_ = Later("comparison_table", "urlsm.pictures.sheet")

    def __rich_repr__(self):
        yield "agree", self.agree
        yield "views", masked_views(self)

    @property
    def agree(self):
        """Whether the parsers see the same scheme, host and port, in this URL and in the URLs within it. If all of them
        reject the URL, they agree. If only some reject it, they do not."""
        return agree_alone(self) and agree_within(self.url, self.views)

    def agree_on(self, *components):
        """Return whether the readers see the same in these components. Spellings of one host are the same, and escapes
        of the path, query, fragment and user name are decoded once.

        Args:
            *components: "refusal" (whether the URL is rejected), "scheme", "userinfo", "host", "port", "path", "query",
                "fragment", or "connects" (the host and port that clients hand to the resolver). Readers that reject the
                URL count for "refusal" only, and those that do not see a component, as servers see no scheme, do not
                count for it.

        Raises:
            ValueError: there is no such component, or none is given. Dialects have no query, fragment and `connects`.

        Example:
            >>> found = compare_readers("http://h/a/../b", readers=["curl", "go"])
            >>> found.agree_on("host", "port"), found.agree_on("path")
            (True, False)
        """
        known = COMPONENTS if is_named(self) else COMPONENTS[:6]
        for name in components:
            if name not in known:
                raise ValueError(f"unknown component {name!r}; the components are {', '.join(known)}")
        if not components:
            raise ValueError("agree_on needs at least one component")
        for name in components:
            if differs(self, name):
                return False
        return True

    @property
    def within(self):
        """The comparisons of the URLs within this one (`view-source:`, `git+https:`), outermost first; at most 8."""
        from urlsm.meaning.within import urls_within
        readers = readers_of(self.views)
        return tuple([compared_by(inner.text, readers) for inner in urls_within(scalars(self.url))[0]])

    @property
    def differences(self):
        """The fields that differ, each with the value that each parser sees. Secrets are masked."""
        from urlsm.security.masked_views import secrets_of, shown
        secrets, found = secrets_of(self.url), {}
        for name in COMPONENTS if is_named(self) else COMPONENTS[:6]:
            if differs(self, name):
                found[name] = {}
                for reader, view in self.views.items():
                    if name == "refusal" or (view.refusal is None and name in view.keys()):
                        found[name][reader] = shown(view, name, secrets)
        return found

    def __repr__(self):
        return f"ReaderComparison(agree={self.agree}, views={masked_views(self)!r})"


cdef list masked_views(object comparison):
    """Return the views of a comparison with secrets masked."""
    from urlsm.security.masked_views import secrets_of, shown_view
    secrets = secrets_of(comparison.url)
    if secrets is None:
        return [*comparison.views.values()]
    return [type(view)(**shown_view(view, secrets)) for view in comparison.views.values()]


cpdef bint agree_alone(object comparison) except -1:
    """Return whether the views in a comparison agree. URLs within its URL are ignored."""
    if is_named(comparison):
        return agree_named(comparison)
    views = iter(comparison.views.values())
    first = next(views)
    if has_long_host(comparison) or urllib3_differs(comparison):
        return False
    for view in views:
        if view.host != first.host or view.scheme != first.scheme or view.port != first.port \
                or (view.refusal is None) != (first.refusal is None):
            return False
    return True


cdef bint agree_within(str text, object views) except -1:
    """Return whether the readers of some views (the dialects if None) agree on the URLs within a text. Return False if
    there are too many URLs to check. An ordinary link has no URL within it, because its scheme is special
    (urlsm.meaning.within)."""
    if is_ordinary(text):
        return True
    from urlsm.meaning.within import urls_within
    found, are_all = urls_within(scalars(text))
    for inner in found:  # a program may reject a URL for any part of it
        start = inner.text if type(views) is Views else deciding(inner.text)
        if not agree_alone(compared(start, {}) if views is None else compared_by(start, readers_of(views))):
            return False
    return are_all


cpdef bint differs(object comparison, str name) except -1:
    """Return whether a field differs between the views of the readers that accept the text. For "refusal", return
    whether only some readers reject it."""
    cdef list seen = []
    if is_named(comparison):
        return not (name != "query" and read_alike(comparison.url, (<Views?>comparison.views).readers)) \
            and not one_view(comparison, name)
    for view in comparison.views.values():
        if name == "refusal":
            seen.append(view.refusal is None)
        elif view.refusal is None:
            seen.append(view[name])
    for value in seen:
        if value != seen[0]:
            return True
    return (name == "host" and has_long_host(comparison)) or (name == "scheme" and urllib3_differs(comparison))


cdef inline bint is_named(object comparison) except -1:
    """Return whether the comparison is one of named programs (urlsm.security.named), not of dialects alone."""
    return type(comparison.views) is not dict


cdef bint urllib3_differs(object comparison) except -1:
    """Return whether all readers are compared and urllib3, which has no view, reads the scheme as a host."""
    return len(comparison.views) == len(READERS) and names_in_scheme(comparison.url)


cpdef bint has_long_host(object comparison) except -1:
    """Return whether the host that the URL Standard finds is, as it is written, too long for a domain name."""
    if "whatwg" not in comparison.views:
        return names_too_long(comparison.url)
    cdef object host = comparison.views["whatwg"].host
    if host is None or len(<str>host) <= LONGEST_NAME:
        return False
    # the host may be the result of ToASCII, which can be longer than the host as written, but not this much longer: so
    # the host was too long as written
    return len(<str>host) > 8 * MOST_WRITTEN or names_too_long(comparison.url)


# --- the readers: text -> (scheme, userinfo, host, port, path), or ValueError -------------------
# known: a cache for one text; it has hosts with their normal forms, and the splits of two dialects

def _read_whatwg(text, known):
    """Read a text as the URL Standard's parser does. A text without a scheme is read as a reference on an https
    page."""
    cdef Failure failure
    c = None if is_ordinary(text) else whatwg_split(text, known)
    if c is not None and is_too_long(c.host):
        return c.scheme, c.userinfo, c.host, c.port, c.path
    url = read_url(octets_of(text, False), None, None, &failure, NULL)
    if url is None:
        if failure.code != MISSING_SCHEME_NON_RELATIVE_URL:
            raise error_of(text, &failure)
        url = parse(text, base="https://h/")
        return None, c.userinfo, url.host if c.host is not None else None, c.port, c.path
    username, password = url.username, url.password
    userinfo = username if password is None else f"{username or ''}:{password}"
    return url.scheme, userinfo, url.host, url.port, url.path


cdef object whatwg_split(text, known):
    if WHATWG not in known:
        known[WHATWG] = split(text)
    return known[WHATWG]


def _read_rfc3986(text, known):
    """Read a text as RFC 3986's appendix B does. The scheme and authority must match the generic grammar, because they
    decide where a request goes, and programs recover from errors in them in different ways. The path need not match
    it."""
    found = appendix_b(text, known)
    if type(found) is str:
        raise ValueError(BREAKS_3986[found])
    return found


cdef object appendix_b(text, known):
    """Return the components according to RFC 3986. If the scheme breaks the RFC's grammar, return "scheme"; if only the
    authority breaks it, return "authority"."""
    if RFC3986 not in known:
        known[RFC3986] = generic_split(text)
    return known[RFC3986]


cdef object generic_split(text):
    c = split(text, dialect="rfc3986")
    host = c.host
    if not (is_ordinary(text) or is_too_long(host)):
        authority = c.authority
        if c.scheme is not None and SCHEME.fullmatch(c.scheme) is None:
            return "scheme"
        if authority is not None and not is_authority(authority):
            return "authority"
    return c.scheme, c.userinfo, host, c.port, c.path


def _read_rfc2396(text, known):
    """Read a text according to RFC 2396. It differs from RFC 3986 if an authority is not a server (section 3.2.2): such
    an authority is the name of a registry (section 3.2.1), and the URL has no host."""
    found = appendix_b(text, known)
    if type(found) is str:
        raise ValueError(BREAKS_2396[found])
    if not (is_ordinary(text) or is_too_long(found[2])):
        host = folded_host(found[2])
        if host is not None and SERVER.fullmatch(host) is None:
            return found[0], None, None, None, found[4]
    return found


def _read_barth(text, known):
    """Read a text according to Barth's draft. It accepts almost anything, so it represents all programs that recover
    from errors. According to its section 4, a text is a reference if the part before its first ":" has characters that
    no scheme can have."""
    if is_ordinary(text) or names_scheme(text):
        c = split(text, dialect="barth")
        return c.scheme, c.userinfo, c.host, c.port, c.path
    text = text.strip(EDGE)
    if not (text[:1] in ("/", "\\") and text[1:2] in ("/", "\\")):
        return None, None, None, None, text
    c = split(f"http:{text}", dialect="barth")
    return None, c.userinfo, c.host, c.port, c.path


cdef bint names_scheme(text) except -1:
    """Return whether the text begins with characters of a scheme and ":". A single letter does not count, because it is
    a drive of Windows."""
    scheme, colon, _ = text.lstrip(EDGE).partition(":")
    return colon and len(scheme) != 1 and re.fullmatch("[A-Za-z0-9+.-]*", scheme) is not None


def _read_stdlib(text, known):
    """Read a text like urllib.parse of CPython 3.14: urlsplit, then hostname and port of its result. It rejects
    brackets that do not contain an address or that have text beside them, and characters that NFKC turns into
    delimiters. A port that is not a number raises an error only when a program reads the port."""
    c = split(text, dialect="stdlib")
    authority = c.authority
    if authority is not None and (not is_ascii(authority) or "[" in authority or "]" in authority):
        refusal = netloc_rule()(authority)
        if refusal is not None:
            raise ValueError(refusal)
    return c.scheme, c.userinfo, c.host, c.port, c.path


cdef object netloc_rule():
    if published(&_netloc_rule) == NULL:
        from urlsm.readers.stdlib import refusal_of
        publish(&_netloc_rule, refusal_of)
    return <object>published(&_netloc_rule)


# To add a dialect, add a row with its name, its reader, and its resolver, a function of a reference and its base.
READERS = {
    "whatwg": (_read_whatwg, resolve),
    "rfc3986": (_read_rfc3986, partial(resolve, dialect="rfc3986")),
    "rfc2396": (_read_rfc2396, partial(resolve, dialect="rfc2396")),
    "barth": (_read_barth, partial(resolve, dialect="barth")),
    "stdlib": (_read_stdlib, partial(resolve, dialect="stdlib")),
}


cdef tuple DIALECTS = tuple(READERS)
cdef dict NO_VIEWS = dict.fromkeys(READERS)  # dicts of views are copies of this: a copy has its final size at once


# --- the grammar of an authority, RFC 3986 appendix A --------------------------------------------

cdef bint is_authority(str text) except -1:
    """Return whether the text is [ userinfo "@" ] host [ ":" port ]. Characters beyond ASCII are allowed, roughly as in
    RFC 3987's ucschar; those in a host are left to ToASCII."""
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_ssize_t k, n = len(text), start = 0
    k = name_end(kind, data, 0, n, True)
    if k < n and PyUnicode_READ(kind, data, k) == c'@':
        start = k + 1
    k = start
    if k < n and PyUnicode_READ(kind, data, k) == c'[':
        k += 1
        while k < n and (among(PyUnicode_READ(kind, data, k), HEX | COLON) or PyUnicode_READ(kind, data, k) == c'.'):
            k += 1
        if k == start + 1 or k == n or PyUnicode_READ(kind, data, k) != c']':
            return False
        k += 1
    else:
        k = name_end(kind, data, k, n, False)
    if k < n and PyUnicode_READ(kind, data, k) == c':':
        k += 1
        while k < n and among(PyUnicode_READ(kind, data, k), DIGIT):
            k += 1
    return k == n


cdef bint is_digits(str text) except -1:
    """Return whether the text consists of ASCII digits only."""
    cdef const uint8_t* p
    cdef Py_ssize_t k, n = len(text)
    if n == 0 or not is_ascii(text):
        return False
    p = ascii_data(text)
    for k in range(n):
        if not CLASS[p[k]] & DIGIT:
            return False
    return True


cdef Py_ssize_t name_end(int kind, void* data, Py_ssize_t k, Py_ssize_t n, bint colons) noexcept:
    """Return where *( unreserved / pct-encoded / sub-delims ) ends. colons: whether ":" is allowed as well, as in
    userinfo."""
    cdef Py_UCS4 char
    while k < n:
        char = PyUnicode_READ(kind, data, k)
        if char == c'%':
            if k + 2 >= n or not among(PyUnicode_READ(kind, data, k + 1), HEX) \
                    or not among(PyUnicode_READ(kind, data, k + 2), HEX):
                return k
            k += 2
        elif char < 0x80 and not (colons and char == c':'):
            if not CLASS[char] & URL_CODE_POINT or CLASS[char] & (SLASH | COLON | QUESTION | AT):
                return k
        k += 1
    return k


# --- named programs (urlsm.readers) --------------------------------------------------------------

@cython.final
@cython.binding(False)
cdef class Reader:
    """A program of one release."""
    cdef readonly object program
    cdef readonly str name, release, host_field, opaque
    cdef readonly tuple decoded, sees
    cdef readonly bint delimited, selector
    cdef object number

    def __cinit__(self, str name not None):
        from urlsm.readers.programs import DECODED, DELIMITED, HOST_FIELD, OPAQUE, SEEN, SELECTORS, asked, number
        self.name = name
        self.program, self.release = asked(name)
        known = self.program.name
        self.decoded, self.sees = DECODED.get(known, ()), SEEN.get(known, COMPONENTS[1:8])
        self.host_field, self.selector = HOST_FIELD if known in SEEN else None, known in SELECTORS
        self.delimited, self.opaque = known in DELIMITED, OPAQUE.get(known)
        self.number = number(self.release)

    cdef object view(self, str text):
        """Return the Reading of a text."""
        cdef object found = self.program.read(text, self.number), refusal = None, to = None
        if type(found) is str:
            refusal, found = found, NO_COMPONENTS
        elif len(<tuple>found) == 8 and type(found[7]) is tuple:
            to = found[7]
        scheme, userinfo, host, port, path, query, fragment = (<tuple>found)[:7]
        return reading_of(text, (
            self.program.name, self.release, refusal, scheme, userinfo, host, port, path, query, fragment, to,
        ))

    def __reduce__(self):
        return Reader, (self.name,)


@cython.final
@cython.binding(False)
cdef class Views:
    """A mapping from the name of each reader to its view, which is made when it is first asked for."""
    cdef str text
    cdef dict readers, found  # the name of a reader -> its Reader, or None for a dialect; -> its view

    def __cinit__(self, str text not None, dict readers not None):
        self.text, self.readers, self.found = text, readers, {}

    def __getitem__(self, name):
        view = self.found.get(name)
        if view is None:
            reader = self.readers[name]
            view = self.found[name] = see(name, scalars(self.text)) if reader is None else (
                (<Reader?>reader).view(self.text))
        return view

    def get(self, key, /, default=None):
        """Return the view of a reader, or `default` if it was not asked for."""
        return self[key] if key in self.readers else default

    def keys(self):
        """Return the names of the readers."""
        return self.readers.keys()

    def values(self):
        """Return the views."""
        return ValuesView(self)

    def items(self):
        """Return the names of the readers with their views."""
        return ItemsView(self)

    def __contains__(self, name):
        return name in self.readers

    def __iter__(self):
        return iter(self.readers)

    def __len__(self):
        return len(self.readers)

    def __eq__(self, other):
        return dict(self) == dict(other) if isinstance(other, Mapping) else NotImplemented

    __hash__ = None

    def __repr__(self):
        return repr(dict(self))

    def __reduce__(self):
        return Views, (self.text, self.readers)


Mapping.register(Views)


def readers_named(names):
    """Return the readers of an iterable of names as a dict: a name -> a Reader, or None for a dialect. TypeError: it is
    a str, or a name is not a str. ValueError: a name is unknown, or there are no names."""
    if isinstance(names, (str, bytes)) or not hasattr(names, "__iter__"):
        raise TypeError(f"readers must be an iterable of names, such as ['curl', 'go'], not {type(names).__name__}")
    cdef tuple wanted = tuple(names)
    cdef dict found = {}
    for name in wanted:
        if type(name) is not str:
            raise TypeError(f"readers must contain str, not {type(name).__name__}")
    readers = known_readers.get(wanted)
    if readers is not None:
        return readers
    from urlsm.readers.programs import GROUPS, HOMES
    for name in wanted:
        for single in GROUPS.get(name, (name,)):
            if single.partition("@")[0] in HOMES:  # first: "rfc3986" is also the name of a dialect
                found[single] = Reader(single)
            elif single in READERS:
                found[single] = None
            else:
                names = ", ".join(dict.fromkeys([*sorted(HOMES), *GROUPS, *READERS]))
                raise ValueError(f"unknown reader {single!r}; the readers are {names}")
    if not found:
        raise ValueError("readers must have at least one name")
    if len(known_readers) >= MOST_KNOWN:
        known_readers.clear()
    known_readers[wanted] = found
    return found


cdef object asked_before(object names):
    """Return the readers of a list or tuple of str, if they were asked before; None for all else."""
    cdef tuple wanted
    if type(names) is not list and type(names) is not tuple:
        return None
    wanted = tuple(names)
    for name in wanted:
        if type(name) is not str:
            return None
    return known_readers.get(wanted)


cdef bint read_alike(str text, dict readers) except -1:
    """Return whether these readers certainly see the same scheme, host, port and path in a text: an http or https link
    in lower case with an ordinary host and no port, whose path, query and fragment have only characters that RFC 3986
    allows there, no escapes, no empty segments and no dot segments. The host has no "xn--", which some readers decode,
    no label that is too long for the DNS, which some refuse, and no dot at its end, which some drop. Some servers
    refuse a fragment, which clients do not send."""
    cdef Authority a
    cdef const uint8_t* p
    cdef Py_ssize_t n = len(text), k, path_end, end, label
    cdef bint fragment = False
    if not is_ascii(text) or n < 8:
        return False
    p = ascii_data(text)
    if p[0] != c'h' or not ordinary_authority(p, n, &a) or a.has_port:
        return False
    label = a.host
    for k in range(a.host, a.host_end):
        if p[k] == c'.':
            label = k + 1
        elif c'A' <= p[k] <= c'Z' or p[k] == c'_' or k - label == LONGEST_LABEL:
            return False
    if label == a.host_end or has_a_label(p + a.host, a.host_end - a.host):
        return False
    path_end = n
    for k in range(a.end, n):
        if p[k] == c'#' and not fragment:
            fragment = True
            for reader in readers.values():
                if reader is not None and reader.host_field is not None:
                    return False
        elif not CLASS[p[k]] & URL_CODE_POINT or CLASS[p[k]] & (PERCENT | BRACKET):
            return False
        if k < path_end and CLASS[p[k]] & (QUESTION | HASH):
            path_end = k
    k = a.end
    while k < path_end:
        k += 1  # past the "/"
        end = segment_end(p, k, path_end)
        if (end == k and end < path_end) or dots(p, k, end):
            return False
        k = end
    return True


cdef bint is_localhost(object host) except -1:
    """Return whether a host is localhost, or within it. curl connects to ::1 without a resolver, others ask one: by RFC
    6761 section 6.3, both mean this machine."""
    if not host:
        return False
    lower = host.lower().removesuffix(".")
    return lower == "localhost" or lower.endswith(".localhost")


# the default ports that System.Uri fills in where others see no port
cdef dict FILLED_IN = {"gopher": 70, "ldap": 389, "mailto": 25, "net.tcp": 808, "nntp": 119, "telnet": 23}


cdef object without_filled_in(scheme, port):
    """Return a folded port; None if a program may have filled it in."""
    return None if port is None or FILLED_IN.get(scheme and scheme.lower()) == port else port


cdef object folded(view, reader, str name):
    """Return what a component of a view stands for: the same for two spellings that lead to the same place. reader: the
    Reader; None for a dialect, whose views are folded, except for escapes."""
    cdef object value = view[name]
    if name in ("host", "port") and reader is not None:
        if name == "host" and reader.host_field is not None and value:
            rest, mark, _ = value.rpartition(":")  # HAProxy's is the Host field, with its port
            value = rest if mark and (":" not in rest or rest.endswith("]")) else value
        elif view.connects is not None and not (name == "host" and is_localhost(view.host)):
            value = view.connects[name == "port"]
        if name == "port":
            return without_filled_in(view.scheme, folded_port(view.scheme and view.scheme.lower(), value))
        return folded_host(f"[{value}]" if value and ":" in value and value[0] != "[" else value)
    if name == "scheme":
        return value.lower() if value else None
    if name == "port":
        return without_filled_in(view.scheme, value)
    if name == "host":
        return value
    value = value or ""
    if reader is not None and reader.selector and (name == "path" or (name == "query" and not value)):
        value = (view.path or "").partition("?")[2 if name == "query" else 0]
    if name == "path" and reader is not None and reader.opaque is not None and value.startswith(reader.opaque):
        value = decode_bytes(value[len(reader.opaque):])
    elif reader is not None and name in reader.decoded:
        value = utf8(value)
    else:
        value = decode_bytes(value)
    if name == "path" and view.host and value[:1] != b"/":  # without a host it is an opaque path ("mailto:a")
        return b"/" + value
    if name in ("query", "fragment") and reader is not None and reader.delimited:
        return value[1:]
    return value


cdef bint is_seen(view, reader, str name, str text) except -1:
    """Return whether a reader sees a component of a text. Where a text has no host, a server takes that of the Host
    field: this counts as seen only if the text has its name, too, as a text of an attacker may."""
    if name not in (reader.sees if reader is not None else DIALECT_SEES):
        return False
    return name != "host" or reader is None or reader.host_field is None or view.host != reader.host_field \
        or reader.host_field in text.lower()


cdef list values_of(comparison, str name):
    """Return the folded values of a component, of those readers that accept the text and see this component."""
    cdef list found = []
    cdef dict readers = (<Views?>comparison.views).readers
    for label, view in comparison.views.items():
        reader = readers[label]
        if view.refusal is not None:
            continue
        if name == "connects":
            if reader is not None and view.connects is not None:
                found.append((folded(view, reader, "host"), folded(view, reader, "port")))
        elif is_seen(view, reader, name, comparison.url):
            found.append(folded(view, reader, name))
    return found


cdef bint one_view(object comparison, str name) except -1:
    """Return whether the readers of a comparison agree on one component, or, for "refusal", on whether to accept the
    text."""
    if name == "refusal":
        return len({view.refusal is None for view in comparison.views.values()}) < 2
    found = values_of(comparison, name)
    return not found or found.count(found[0]) == len(found)


cdef bint agree_named(object comparison) except -1:
    """Return whether the readers see the same scheme, host and port, or all reject the text."""
    if read_alike(comparison.url, (<Views?>comparison.views).readers):
        return True
    for name in ("refusal", "scheme", "host", "port"):
        if not one_view(comparison, name):
            return False
    return True


def same_views(comparison) -> dict:
    """Return a number for each reader: those with one number see the same scheme, host, port and path, as `agree_on`
    compares them; None for those that reject the URL."""
    cdef list groups = []
    cdef dict numbers = {}, seen
    cdef dict readers = (<Views>comparison.views).readers if is_named(comparison) else {}
    for label, view in comparison.views.items():
        numbers[label] = None
        if view.refusal is not None:
            continue
        reader = readers.get(label)
        seen = {}
        for name in ("scheme", "host", "port", "path"):
            if is_seen(view, reader, name, comparison.url):
                seen[name] = folded(view, reader, name)
        for number, group in enumerate(groups):
            if group.items() | seen.items() == {**group, **seen}.items():  # no component of both differs
                group.update(seen)
                numbers[label] = number
                break
        else:
            numbers[label] = len(groups)
            groups.append(seen)
    return numbers


def disagreements(str text not None, readers) -> list:
    """Return what readers disagree on: tuples of a component ("url" if only some reject the URL), its position in the
    URL, and a sentence that says which reader sees what. On the scheme, host and port, only the first is returned. URLs
    within the URL are ignored."""
    comparison = compare_readers(text, readers=readers)
    cdef list found = []
    if is_named(comparison) and read_alike(text, (<Views?>comparison.views).readers):
        return found
    for name in ("refusal", "scheme", "host", "port", "path"):
        if (not found or name == "path") and differs(comparison, name):
            found.append(("url" if name == "refusal" else name, position_of(text, name), told(comparison, name)))
    return found


cdef Py_ssize_t position_of(str text, str name) except -1:
    """Return where the URL Standard finds a component; else where the authority begins, or 0."""
    c = split(scalars(text))
    for which in (name, "authority"):
        span = None if which == "refusal" else c.span(which)
        if span is not None:
            return span[0]
    return 0


cdef str told(comparison, str name):
    """Return a sentence that says what each reader sees. Secrets are masked, control characters are escaped, and long
    values are cut."""
    from urlsm.errors.excerpt import printable, shortened
    from urlsm.security.masked_views import secrets_of, shown
    cdef dict seen = {}  # a verb, and what follows it -> readers
    secrets = secrets_of(comparison.url)
    for reader, view in comparison.views.items():
        if view.refusal is not None:
            what = "reject", "the URL"
        elif name == "refusal":
            what = "accept", "the URL"
        else:
            value = shown(view, name, secrets)
            what = "see", f"no {name}" if value is None or value == "" else f"the {name} {value}"
        seen.setdefault(what, []).append(reader)
    return ", ".join([
        f"{' and '.join(readers)} {verb}{'s' if len(readers) == 1 else ''} {printable(shortened(what, MOST_TOLD))}"
        for (verb, what), readers in seen.items()
    ])


# --- normal forms ------------------------------------------------------------------------------

cpdef object see(str dialect, str text, dict known=None):
    """Return a dialect's view of a text. dialect: a key in READERS. known: the cache for this text."""
    error = None
    if known is None:
        known = {}
    try:
        scheme, userinfo, host, port, path = READERS[dialect][0](text, known)
    except ValueError:
        error = exc_info()[1]  # not "as error": if memory runs out, Cython would bind that name to NULL
        if not isinstance(error, ValueError):
            raise MemoryError from None
    if error is not None:
        return View(dialect, None, None, None, None, None, error.code if isinstance(error, ParseError) else str(error))
    if scheme is not None:
        scheme = scheme.lower()
    if host not in known:
        known[host] = folded_host(host)
    return View(dialect, scheme, userinfo, known[host], folded_port(scheme, port), path or "", None)


cpdef bint is_too_long(str host) except -1:
    """Return whether a host is too long for a domain name. Its escapes are decoded, and a dot at its end is ignored. A
    host that is too long is never mapped, because IDNA may take quadratic time."""
    if host is None or len(host) <= LONGEST_NAME:
        return False
    if len(host) > MOST_WRITTEN:
        return True
    return len(decode(host).removesuffix(".")) > LONGEST_NAME


cpdef bint names_too_long(str text) except -1:
    """Return whether the host in a text is too long for a domain name."""
    return is_too_long(split(scalars(text)).host)


cpdef object folded_host(object host):
    """Return a host in the form in which hosts are compared. An IDN is converted to its A-labels only if all versions
    of IDNA, and programs without IDNA, see the same name in it. An IDN with characters that IDNA maps to others is only
    lowercased, because such characters are a disguise."""
    if not host:
        return None
    lower = host.lower()
    if is_too_long(host):
        return lower
    if is_ascii(host) or not DISPUTED.isdisjoint(lower):
        if host[0] == "[" and host[len(host) - 1] == "]":
            url = try_parse(f"http://{host}/")
            return lower if url is None else url.host
        return lower
    return a_labels(host)


cpdef str a_labels(str host):
    """Return the ToASCII form of a host if its lower case is its own ToUnicode form (URL Standard, #domain-to-unicode).
    Otherwise return its lower case."""
    lower = host.lower()
    if is_too_long(host):
        return lower
    from urlsm.unicode.idna import a_labels as same_name
    return same_name(lower)


cpdef object folded_port(object scheme, object port):
    """Return a port as an int, None if it is the scheme's default port, or the text if it is no number of a port."""
    cdef uint8_t* p
    if port is None or port == "":
        return None
    if type(port) is str:
        if not is_digits(port):
            return port
        port = port.lstrip("0")
        if len(port) > 5:
            return port
        port = int(port or "0")
    if scheme is not None and is_ascii(scheme):
        p = ascii_data(scheme)
        if port == default_port(kind_of(p, len(<str>scheme))):
            return None
    return port


# --- public functions --------------------------------------------------------------------------

cpdef str text_of(object url, str name="a URL"):
    """Return a URL as a str. Bytes are decoded as UTF-8; those that are not UTF-8 become lone surrogates. TypeError:
    url, which the message calls `name`, is not str, bytes or URL."""
    return url if type(url) is str else exact(url_string(url, name))


def compare_readers(url, *, readers=None):
    """Return the components that URL parsers find in one URL: five dialects, or programs by name and version.

    Parsers disagree if one rejects what another accepts. The view of a program is a `Reading`: its components are as
    the program's API gives them, and are compared without regard to their spelling. In the views of dialects, a
    non-ASCII host becomes Punycode if all versions of IDNA agree on it. Percent-escapes in a host and IPv4 addresses in
    unusual forms ("127.1") stay as written, because parsers differ on them. Dialects always disagree if the host is
    longer than a domain name can be.

    Args:
        url: str, bytes or URL. If it has no scheme, it is compared as a relative reference.
        readers: the names of the parsers to compare: programs such as "curl", "curl@7.88", "requests" or "go"
            (`readers()` lists them), groups of programs ("browsers", "python", "jvm", "proxies"), and the dialects
            "whatwg", "rfc2396", "barth" and "stdlib". "rfc3986" is the Python package. None: the five dialects, one
            of which is RFC 3986. In this case, a scheme that urllib3 reads as a host ("a.b://h/") is also a
            disagreement.

    Raises:
        TypeError: `url` is not str, bytes or URL, or `readers` is a str.
        ValueError: `readers` contains an unknown name, or is empty.

    Example:
        >>> found = compare_readers("http://127.1/", readers=["whatwg", "stdlib"])
        >>> found.agree, found.views["whatwg"].host, found.views["stdlib"].host
        (False, '127.0.0.1', '127.1')

    CWE-436; RFC 3986 section 7.4; https://url.spec.whatwg.org/#host-parsing
    """
    if readers is None:
        return compared(text_of(url), {})
    wanted = asked_before(readers)
    if wanted is None:
        wanted = readers_named(readers)
    return compared_by(text_of(url), wanted)


cdef object compared_by(str text, dict readers):
    """Compare the views of some readers: a name -> a Reader, or None for a dialect."""
    if any(readers.values()):
        return made_of(ReaderComparison, (text, Views(text, readers)))
    views = compared(text, {}).views
    return ReaderComparison(text, {name: views[name] for name in READERS if name in readers})


cdef dict readers_of(object views):
    """Return the readers whose views these are."""
    return (<Views>views).readers if type(views) is Views else dict.fromkeys(views)


cdef object compared(str text, dict known):
    cdef dict views = ordinary_views(text)
    if views is not None:
        return made_of(ReaderComparison, (text, views))
    cdef str scalar = scalars(text)
    return ReaderComparison(text, {dialect: see(dialect, scalar, known) for dialect in READERS})


cdef dict ordinary_views(str text):
    """Return the views of an ordinary link in ASCII without control characters, spaces and backslashes; None for any
    other text.

    ordinary_authority proves that all readers find the same scheme, host and port, and no user information. No reader
    strips, skips or replaces anything in the text. So all readers except the URL Standard leave the path as written, up
    to the first "?" or "#". The URL Standard also leaves the path if the text is in normal form already; `read` with
    BY_LANE finds out whether it is.
    """
    cdef Spans r
    cdef Authority a
    cdef Failure failure
    cdef const uint8_t* p
    cdef dict views
    cdef object port = None
    cdef uint32_t n, k, path_end
    if not is_ascii(text) or len(text) > MAX_LENGTH:
        return None
    p, n = ascii_data(text), len(text)
    if not ordinary_authority(p, n, &a):
        return None
    host = ascii_text(p + a.host, a.host_end - a.host)
    if read(&r, p, n, NULL, BY_LANE) and not r.at.root_missing:
        scheme = "https" if r.at.scheme_end == 5 else "http"
        seen = path = ascii_text(p + a.end, r.at.path_end - a.end)
    else:
        path_end = n
        for k in range(a.end, n):
            if p[k] == c' ' or CLASS[p[k]] & (BACKSLASH | ENC_C0):
                return None
            if k < path_end and CLASS[p[k]] & (QUESTION | HASH):
                path_end = k
        url = read_url(octets_of(text, False), None, None, &failure, NULL)
        if url is None:
            return None
        scheme, host, seen = url.scheme, host.lower(), url.path
        path = ascii_text(p + a.end, path_end - a.end)
        if a.has_port and a.port != <int>default_port(a.kind):
            port = a.port
    views = NO_VIEWS.copy()
    for dialect in DIALECTS:
        views[dialect] = made_of(View, (dialect, scheme, None, host, port, seen, None))
        seen = path  # the dialects after whatwg see the path as written
    return views


def compare_start(str text not None, split_text):
    """Return the ReaderComparison of `deciding(text)`, the start of the text that decides on scheme, host and port. The
    text must have no lone surrogates. split_text: the result of split(text)."""
    start = deciding(text)
    return compared(start, {WHATWG: split_text} if len(start) == len(text) else {})


def is_ambiguous(url, *, readers=None):
    """Return whether a program that checks the URL and a program that requests it may find different servers in it.

    A URL is ambiguous if the parsers in `compare_readers` disagree on the scheme, host or port of the URL or of a URL
    within it (`view-source:`, `git+https:`), or if urllib3 reads its scheme as a host ("a.b://h/").

    Args:
        url: str, bytes or URL.
        readers: the programs that check and request the URL, by name and version, as for `compare_readers`: only these
            are compared. None: the five dialects, which stand for all programs.

    Raises:
        TypeError: `url` is not str, bytes or URL, or `readers` is a str.
        ValueError: `readers` contains an unknown name, or is empty.

    Example:
        >>> is_ambiguous("http://good.example:80@evil.example/"), is_ambiguous("http://127.1/")
        (False, True)
        >>> is_ambiguous("http://127.1/", readers=["urllib.parse", "requests"])
        False

    CWE-436; RFC 3986 section 7.6
    """
    text = text_of(url)
    if readers is not None:
        known = asked_before(readers)
        if known is not None and read_alike(text, known):
            return False
        return not compare_readers(text, readers=readers).agree
    if is_ordinary(text) or unremarkable(text):  # in both cases, all readers see the same
        return False
    start = deciding(text)
    known = {}
    if len(<str>start) > MOST_WRITTEN and is_too_long(whatwg_split(scalars(start), known).host):
        return True
    return not (agree_alone(compared(start, known)) and agree_within(text, None))
