"""Finds the components that each dialect sees in a URL, whether the dialects agree on where a request would go, and
paths that some programs read as other paths.

Each view comes from a row of READERS, which reads a text as one kind of software does. All results are normalised by
the same rules (`see`), so two views only differ if two programs would find different components.
"""
import re
import unicodedata
from functools import partial
from sys import exc_info
from cpython.object cimport PyObject
from cpython.unicode cimport PyUnicode_DATA, PyUnicode_KIND, PyUnicode_READ
from libc.stdint cimport uint8_t, uint32_t
from urlsm.components.parts cimport made_of
from urlsm.machine.codes cimport MISSING_SCHEME_NON_RELATIVE_URL
from urlsm.machine.driver cimport BY_LANE, default_port, kind_of
from urlsm.machine.reading cimport Reading, read
from urlsm.octets.buffer cimport MAX_LENGTH, ascii_data, ascii_text, is_ascii
from urlsm.octets.chars cimport (
    ALPHA, AT, BACKSLASH, BRACKET, CLASS, COLON, DIGIT, ENC_C0, HASH, HEX, PERCENT, QUESTION, SLASH, URL_CODE_POINT,
)
from urlsm.octets.once cimport publish, published
from urlsm.octets.text cimport among, deciding, exact, octet_escaped, octets_of
from urlsm.url.parser cimport error_of
from urlsm.url.structs cimport Failure
from urlsm.url.value cimport read_url
from urlsm.security.plain cimport (
    Authority, LONGEST_NAME, decoded_at, hexes, is_ordinary, names_in_scheme, ordinary_authority, scalars, unremarkable,
)
from urlsm.components.parts import Parts, decode
from urlsm.components.value import resolve, split
from urlsm.errors import ParseError
from urlsm.errors.masking import SHOWN as _SHOWN, cut, masked_part, masked_userinfo, secret_spans, without_secrets
from urlsm.octets.objects import url_string
from urlsm.unicode.domains import DISPUTED
from urlsm.url.value import Later, parse, try_parse

cdef object WHATWG = object(), RFC3986 = object()  # keys of the cache `known` that no host equals

cdef enum:
    # a code point has at most four octets, and the escape of an octet has three characters
    MOST_WRITTEN = 12 * (LONGEST_NAME + 1)

DECIDES = ("scheme", "host", "port")  # these decide where a request goes
EDGE = "".join(map(chr, range(0x21)))  # what the URL Standard calls "leading or trailing C0 control or space"

cdef dict BREAKS_3986 = {"scheme": "the scheme breaks RFC 3986 section 3.1",
                         "authority": "the authority breaks RFC 3986 section 3.2"}
cdef dict BREAKS_2396 = {"scheme": "the scheme breaks RFC 2396 section 3.1",
                         "authority": "the authority is not a server by RFC 2396 section 3.2.2"}
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
        if self.refusal is not None:
            return f"View({self.dialect!r}, refusal={self.refusal!r})"
        host, port = shown(self, "host"), shown(self, "port")
        return f"View({self.dialect!r}, scheme={self.scheme!r}, host={host!r}, port={port!r})"


def shown(view, str name not None):
    """Return a field of a view with secrets masked. What this dialect reads as a host, a port, or a path without a host
    may contain a password for another dialect."""
    value = view[name]
    if name == "userinfo":
        return masked_userinfo(value, view["scheme"])
    if type(value) is not str or name not in ("host", "port", "path"):
        return value
    if name == "port":
        return _SHOWN
    if name == "host":
        return without_secrets(f"//{value}", refused=True)[2:]
    host = view["host"] or ""
    # for example "//user:pass/word@host", "//user;auth:password@host" (by Barth's draft, the host ends at ";") or
    # "/\t/user:password@host"
    is_user = type(view["port"]) is str or (":" in host and host[:1] != "[") or host.isspace() \
        or (host and value[:1] not in "/\\")
    if is_user and "@" in value:
        return _SHOWN + value[value.rindex("@"):]
    if "@" in value and host and view["scheme"]:  # other dialects read a password in "https://user/password@host"
        begin = f"{view['scheme']}://{host}"
        value = cut(begin + value, secret_spans(begin + value), len(begin))
    return masked_part("", without_secrets(value, refused=view["host"] is None))


class ReaderComparison(Parts):
    """How different parsers read one URL: the result of `compare_readers`.

    Attributes:
        url: the URL as given.
        views: a mapping from the name of each parser to its view, with the fields scheme, userinfo, host, port, path
            and refusal.

    Example:
        >>> compare_readers("http://h/a").agree
        True
    """
    __module__ = "urlsm.security"
    url: str
    views: dict[str, View]

    _repr_html_ = Later("comparison_table", "urlsm.pictures.sheet")

    def __rich_repr__(self):
        yield "agree", self.agree
        yield "views", [*self.views.values()]

    @property
    def agree(self):
        """Whether the parsers see the same scheme, host and port, in this URL and in the URLs within it. If all of them
        reject the URL, they agree."""
        return agree_alone(self) and agree_within(self.url, self.views)

    @property
    def within(self):
        """The comparisons of the URLs within this one (`view-source:`, `git+https:`), outermost first; at most 8."""
        from urlsm.meaning.within import urls_within
        return tuple([compare_readers(inner.text, readers=self.views) for inner in urls_within(scalars(self.url))[0]])

    @property
    def differences(self):
        """The fields that differ, each with the value that each parser sees. Secrets are masked."""
        found = {}
        for name in ("refusal", "scheme", "userinfo", "host", "port", "path"):
            if differs(self, name):
                found[name] = {}
                for dialect, view in self.views.items():
                    if name == "refusal" or view.refusal is None:
                        found[name][dialect] = shown(view, name)
        return found

    def __repr__(self):
        return f"ReaderComparison(agree={self.agree}, views={list(self.views.values())!r})"


cpdef bint agree_alone(object comparison) except -1:
    """Return whether the views in a comparison agree. URLs within its URL are ignored."""
    views = iter(comparison.views.values())
    first = next(views)
    if has_long_host(comparison) or urllib3_differs(comparison):
        return False
    for view in views:
        if view.host != first.host or view.scheme != first.scheme or view.port != first.port \
                or (view.refusal is None) != (first.refusal is None):
            return False
    return True


cdef bint agree_within(str text, object readers) except -1:
    """Return whether these readers (all if None) agree on the URLs within a text. Return False if there are too many
    URLs to check. An ordinary link has no URL within it, because its scheme is special (urlsm.meaning.within)."""
    if is_ordinary(text):
        return True
    from urlsm.meaning.within import urls_within
    found, are_all = urls_within(scalars(text))
    for inner in found:
        if not agree_alone(compare_readers(deciding(inner.text), readers=readers)):
            return False
    return are_all


cpdef bint differs(object comparison, str name) except -1:
    """Return whether a field differs between the views of the readers that accept the text. For "refusal", return
    whether only some readers reject it."""
    cdef list seen = []
    for view in comparison.views.values():
        if name == "refusal":
            seen.append(view.refusal is None)
        elif view.refusal is None:
            seen.append(view[name])
    for value in seen:
        if value != seen[0]:
            return True
    return (name == "host" and has_long_host(comparison)) or (name == "scheme" and urllib3_differs(comparison))


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
    """Read a text like urllib.parse: urlsplit, then hostname and port of its result (CPython 3.11.4 and later). It
    rejects brackets that do not contain an address. A port that is not a number raises an error only when a program
    reads the port."""
    c = split(text, dialect="stdlib")
    host, authority = c.host, c.authority
    if host is not None and ("[" in authority or "]" in authority) and not is_bracketed_address(host):
        raise ValueError("Invalid IPv6 URL")
    return c.scheme, c.userinfo, host, c.port, c.path


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


cdef bint is_bracketed_address(str host) except -1:
    """Return whether the host has roughly the form of an IP-literal:
    "[" ( 1*( HEXDIG / ":" / "." ) [ "%" *any ] / "v" 1*HEXDIG "." 1*any ) "]"."""
    cdef int kind = PyUnicode_KIND(host)
    cdef void* data = PyUnicode_DATA(host)
    cdef Py_ssize_t k = 1, n = len(host) - 1, start
    if n < 2 or host[0] != "[" or host[n] != "]":
        return False
    if host[1] in "vV":
        k = start = 2
        while k < n and among(PyUnicode_READ(kind, data, k), HEX):
            k += 1
        return k > start and k + 1 < n and PyUnicode_READ(kind, data, k) == c'.'
    while k < n and (among(PyUnicode_READ(kind, data, k), HEX | COLON) or PyUnicode_READ(kind, data, k) == c'.'):
        k += 1
    return k == n or (k > 1 and PyUnicode_READ(kind, data, k) == c'%')


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


cdef object folded_port(object scheme, object port):
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
    """Return the scheme, userinfo, host, port and path that different URL parsers find in one URL.

    Parsers differ on percent-escapes in a host and on IPv4 addresses in unusual forms ("127.1"), so these are kept as
    written. A non-ASCII host becomes Punycode only if all versions of IDNA agree on it. Parsers disagree if one rejects
    what another accepts. They always disagree if the host is longer than a domain name can be.

    Args:
        url: str, bytes or URL. If it has no scheme, it is compared as a relative reference.
        readers: the names of the parsers to compare: "whatwg" (browsers), "rfc3986", "rfc2396", "barth" and "stdlib"
            (urllib.parse). None: all five. In this case, a scheme that urllib3 reads as a host ("a.b://h/") is also a
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
    wanted = names_of_readers(readers)
    text = text_of(url)
    views = compared(text, {}).views
    return ReaderComparison(text, {name: views[name] for name in READERS if name in wanted})


cdef object names_of_readers(object readers):
    """Return the names of readers in an iterable. TypeError: it is a str, or a name is not a str. ValueError: a name is
    unknown, or there are no names."""
    if isinstance(readers, (str, bytes)) or not hasattr(readers, "__iter__"):
        raise TypeError(f"readers must be an iterable of names, such as ['whatwg'], not {type(readers).__name__}")
    cdef frozenset wanted = frozenset(readers)
    for name in wanted:
        if name not in READERS:
            raise ValueError(f"unknown reader {name!r}; the readers are {', '.join(READERS)}")
    if not wanted:
        raise ValueError("readers must have at least one name")
    return wanted


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
    cdef Reading r
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


def is_ambiguous(url):
    """Return whether a program that checks the URL and a program that requests it may find different servers in it.

    A URL is ambiguous if the parsers in `compare_readers` disagree on the scheme, host or port of the URL or of a URL
    within it (`view-source:`, `git+https:`), or if urllib3 reads its scheme as a host ("a.b://h/").

    Args:
        url: str, bytes or URL.

    Raises:
        TypeError: `url` is not str, bytes or URL.

    Example:
        >>> is_ambiguous("http://good.example:80@evil.example/"), is_ambiguous("http://127.1/")
        (False, True)

    CWE-436; RFC 3986 section 7.6
    """
    text = text_of(url)
    if is_ordinary(text) or unremarkable(text):  # in both cases, all readers see the same
        return False
    start = deciding(text)
    known = {}
    if len(<str>start) > MOST_WRITTEN and is_too_long(whatwg_split(scalars(start), known).host):
        return True
    return not (agree_alone(compared(start, known)) and agree_within(text, None))


# --- paths in disguise -------------------------------------------------------------------------------
#
# These functions tell whether a path climbs, and where a component has suspicious escapes. They take linear time, in C
# and without Python objects for segments or escapes, because the sender of a URL chooses its length.

# white space that str.isspace does not know: ECMAScript's trim() removes it, or older versions of Unicode call it white
# space
cdef str OTHER_SPACE = "\u180e\u200b\ufeff"
# Default_Ignorable_Code_Point (UAX 44): NFKC_Casefold, IDNA and HFS+ drop these. FIRST_IGNORED to LAST_IGNORED is the
# range of those that are beyond TABLE
cdef object IGNORED = frozenset(map(chr, [0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, *range(0x180B, 0x1810),
                                          *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070),
                                          0x3164, *range(0xFE00, 0xFE10), 0xFEFF, 0xFFA0, *range(0xFFF0, 0xFFF9),
                                          *range(0x1BCA0, 0x1BCA4), *range(0x1D173, 0x1D17B)]))
cdef enum:
    FIRST_IGNORED = 0xE0000
    LAST_IGNORED = 0xE0FFF
# characters that some code pages turn into slashes and backslashes (bestfit1252.txt, 932, 949 at unicode.org)
cdef str BEST_FIT = "\u2044\u2215\u2216\u00a5\u20a9"
# NFKC mappings that Unicode 14 and 16 added for code points below TABLE; the Unicode data of some interpreters is older
cdef dict NEWER = {0xA7F2: "C", 0xA7F3: "F", **dict(zip(range(0x1CCD6, 0x1CCF0), "ABCDEFGHIJKLMNOPQRSTUVWXYZ")),
                   **dict(zip(range(0x1CCF0, 0x1CCFA), "0123456789"))}
cdef enum:
    TWO_DOTS = 1
    TABLE = 0x20000
cdef PyObject* _reads_as = NULL


cdef bytes reads_as():
    """Return a table of what some readers take each code point below TABLE for: an ASCII character with a meaning in
    paths, TWO_DOTS, or 0 for the code point itself. NFKC or a code page may turn a code point into such a character. A
    backslash in the table also stands for a slash, and for several characters one of which is a slash or a backslash;
    a space stands for white space, and a tab for an ignorable character."""
    cdef bytearray table
    cdef str char
    if published(&_reads_as) == NULL:
        table = bytearray(TABLE)
        for first, end in ((0x80, 0x3400), (0xFE00, 0x10000), (0x1BCA0, 0x1BCA4), (0x1D173, 0x1D17B), (0x1D400, TABLE)):
            for code in range(first, end):
                char = unicodedata.normalize("NFKC", chr(code))
                if "/" in char or "\\" in char or chr(code) in BEST_FIT:
                    table[code] = b"\\"[0]
                elif char == "..":
                    table[code] = TWO_DOTS
                elif chr(code) in IGNORED:
                    table[code] = b"\t"[0]
                elif chr(code).isspace() or chr(code) in OTHER_SPACE:
                    table[code] = b" "[0]
                elif len(char) == 1 and (char in ".%;?#:|" or (char.isascii() and char.isalnum())):
                    table[code] = ord(char)
        for code, char in NEWER.items():
            table[code] = ord(char)
        publish(&_reads_as, bytes(table))
    return <bytes>published(&_reads_as)


cdef Py_ssize_t wide(const uint8_t* p, Py_ssize_t n, uint32_t* code) noexcept nogil:
    """Return the number of octets that a careless decoder takes for one character. It accepts overlong UTF-8 of two to
    six octets (CVE-2000-0884); if that encodes an ASCII character, it accepts any octets after the first ("%c0%2f").
    code: receives the character. Return 1 if the octets do not encode a character."""
    cdef Py_ssize_t size = 2, k
    cdef bint strict = True
    while size < 7 and p[0] & (0x80 >> size):
        size += 1
    if not p[0] & 0x40 or size == 7 or size > n:
        return 1
    code[0] = p[0] & (0x7F >> size)
    for k in range(1, size):
        strict = strict and p[k] & 0xC0 == 0x80
        # at this point an escaped "/" has become a backslash
        code[0] = code[0] << 6 | (c'/' if p[k] == c'\\' else p[k]) & 0x3F
    return size if strict or code[0] < 0x80 else 1


cdef inline bint is_utf8(const uint8_t* p, Py_ssize_t size, uint32_t code) noexcept nogil:
    """Return whether the octets of a character that `wide` has found are valid UTF-8 (RFC 3629): in the shortest form,
    and not a surrogate."""
    cdef Py_ssize_t k
    for k in range(1, size):
        if p[k] & 0xC0 != 0x80:
            return False
    return (0x80 <= code and size == 2) or (0x800 <= code and size == 3 and not 0xD800 <= code < 0xE000) \
        or (0x10000 <= code < 0x110000 and size == 4)


cdef Py_ssize_t fold(uint8_t* p, Py_ssize_t n, const uint8_t* table, bint dropping, bint* malformed) noexcept nogil:
    """Replace each character beyond ASCII by the character that readers take it for, if that has a meaning in paths,
    and remove the characters that readers ignore. Return the new length. dropping: whether octets that are not UTF-8
    are removed as well, as by bottle 0.13 and Python's errors="ignore". malformed: set to True if there are such
    octets."""
    cdef Py_ssize_t k = 0, end = 0, size
    cdef uint32_t code
    cdef uint8_t meant
    while k < n:
        if p[k] >= 0x80:
            code = 0
            size = wide(p + k, n - k, &code)
            if size == 1 or not is_utf8(p + k, size, code):
                malformed[0] = True
                if dropping:
                    k += 1
                    continue
            if size > 1 and FIRST_IGNORED <= code <= LAST_IGNORED:
                k += size
                continue
            if size > 1 and (code < 0x80 or (code < TABLE and table[code])):
                meant = code if code < 0x80 else table[code]
                k += size
                if meant == c'\t' and code >= 0x80:
                    continue
                if meant == TWO_DOTS and code >= 0x80:
                    p[end] = meant = c'.'
                    end += 1
                p[end] = c'\\' if meant == c'/' else meant
                end += 1
                continue
        p[end] = p[k]
        k += 1
        end += 1
    return end


cdef Py_ssize_t unescape(uint8_t* p, Py_ssize_t n) noexcept nogil:
    """Decode each escape like "%41" and "%u0041" once, and return the new length. An escaped "/" becomes a backslash,
    because only some readers take it for a slash (see climbs)."""
    cdef Py_ssize_t k = 0, end = 0
    cdef int octet
    while k < n:
        octet = octet_escaped(p + k, n - k) if p[k] == c'%' else -1
        if octet >= 0:
            k += 3
        elif p[k] == c'%' and n - k >= 6 and p[k + 1] | 0x20 == c'u' and \
                hexes(p[k + 2], p[k + 3]) >= 0 and hexes(p[k + 4], p[k + 5]) >= 0:
            octet = hexes(p[k + 2], p[k + 3]) << 8 | hexes(p[k + 4], p[k + 5])
            k += 6
            if octet >= 0x800:
                p[end] = 0xE0 | octet >> 12
                p[end + 1] = 0x80 | octet >> 6 & 0x3F
                end += 2
            elif octet >= 0x80:
                p[end] = 0xC0 | octet >> 6
                end += 1
            if octet >= 0x80:
                octet = 0x80 | octet & 0x3F
        else:
            octet = p[k]
            k += 1
            p[end] = octet
            end += 1
            continue
        p[end] = c'\\' if octet == c'/' else octet
        end += 1
    return end


def climbs(str path not None, int passes) -> bool:
    """Return whether any program that follows a path from a directory may leave that directory, even if it comes back.

    A segment counts as ".." if any of these steps makes it so: decoding (up to passes times, with overlong UTF-8, "%u"
    and NFKC); removal of tabs, line breaks, ignorable characters and octets that are not UTF-8; removal of white space
    at its end. A ";", ":", "?" or "#" ends a segment. Steps up are counted as by the reader that sees the most, steps
    down as by the reader that sees the fewest: every reader sees a literal "/", but only some readers take a backslash,
    or an escape of either, for a slash. A NUL counts as climbing, because it ends a path in C, and so do escapes left
    after all passes.
    """
    return may_leave(path, passes, False)


def leads_outside(str path not None, int passes) -> bool:
    """Return whether a path climbs (see climbs), or whether some reader finds a slash, a backslash or a drive at its
    beginning after the segments that lead nowhere ("." and "x/..") are removed. Such a reader takes what is left for an
    absolute path: os.path.join and ntpath.join put it in place of the directory (CWE-36)."""
    return may_leave(path, passes, True)


cdef bint may_leave(str path, int passes, bint absolute) except -1:
    cdef bint malformed = False
    return is_seen_to_leave(path, passes, absolute, False, &malformed) \
        or (malformed and is_seen_to_leave(path, passes, absolute, True, &malformed))


cdef bint is_seen_to_leave(str path, int passes, bint absolute, bint dropping, bint* malformed) except -1:
    cdef bytearray octets = bytearray(path.encode("utf-8", "surrogatepass"))
    cdef uint8_t* p = octets
    cdef Py_ssize_t n = len(octets), before
    cdef bytes table = bytes() if path.isascii() and "%" not in path else reads_as()
    cdef const uint8_t* meanings = table
    if table:
        n = fold(p, n, meanings, dropping, malformed)
    while not rises(p, n, absolute):
        before = n
        n = unescape(p, n)
        if n == before:
            return False
        if passes == 0:
            return True
        passes -= 1
        n = fold(p, n, meanings, dropping, malformed)
    return True


cdef bint rises(const uint8_t* p, Py_ssize_t n, bint absolute) noexcept nogil:
    """Return whether the path has a NUL or leaves the directory. absolute: whether to return True as well if the path
    becomes absolute while it is at the directory itself. Segments end at "/", and for some readers at a backslash. Of
    the segments between two "/", only one counts as a step down."""
    cdef Py_ssize_t k = 0, start, depth = 0
    cdef bint counted = False
    cdef int dots
    while k <= n:
        start = k
        while k < n and not CLASS[p[k]] & (SLASH | BACKSLASH):
            if p[k] == 0:
                return True
            k += 1
        if absolute and depth == 0 and begins_anew(p + start, k - start, k < n):
            return True
        dots = dots_of(p + start, k - start)
        if dots == 2:
            depth -= 1
            if depth < 0:
                return True
        elif dots < 0 and not counted:
            depth += 1
            counted = True
        if k < n and p[k] == c'/':
            counted = False
        k += 1
    return False


cdef bint begins_anew(const uint8_t* p, Py_ssize_t n, bint followed) noexcept nogil:
    """Return whether a segment makes a path absolute: it begins with a drive; or it is empty, apart from white space
    and a parameter (";..."), and a slash or a backslash follows it (`followed`). A drive is a letter and ":" or "|"; to
    ntpath, it is any character and ":"."""
    cdef Py_ssize_t k = 0
    cdef bint is_letter
    while k < n and (p[k] == c' ' or 9 <= p[k] <= 13 or 0x1C <= p[k] <= 0x1F):
        k += 1
    if k == n or (p[k] == c';' and followed):
        return followed
    if k > 0 and p[k] == c':':  # the character before is the drive
        return True
    is_letter = CLASS[p[k]] & ALPHA != 0
    k += 1
    while k < n and (p[k] & 0xC0 == 0x80 or p[k] == c'\t' or p[k] == c'\n' or p[k] == c'\r'):
        k += 1
    return k < n and (p[k] == c':' or (p[k] == c'|' and is_letter))


cdef int dots_of(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    """Return the number of dots in a segment that is just 0, 1 or 2 dots. Return -1 for any other segment. Tabs and
    line breaks between the dots do not count, nor does white space after them, nor what a ";", ":", "?" or "#"
    begins."""
    cdef Py_ssize_t k = 0
    cdef int dots = 0
    while k < n and (p[k] == c'.' or p[k] == c'\t' or p[k] == c'\n' or p[k] == c'\r'):
        dots += p[k] == c'.'
        k += 1
        if dots > 2:
            return -1
    while k < n and (p[k] == c' ' or 9 <= p[k] <= 13 or 0x1C <= p[k] <= 0x1F):
        k += 1
    return dots if k == n or p[k] == c';' or p[k] == c':' or p[k] == c'?' or p[k] == c'#' else -1


def first_suspects(str text not None, Py_ssize_t start, Py_ssize_t end) -> tuple:
    """Return six positions in text[start:end]: those of the first backslash, control character, escaped control
    character, escaped slash or backslash, other escape that stands for a delimiter or whose "%" is escaped, and segment
    of dots with escapes. A position is -1 if there is none. Escapes of "%" are decoded repeatedly: "%252541" is "A"."""
    cdef Py_ssize_t backslash = -1, control = -1, encoded = -1, slash = -1, delimiter = -1, dotted = -1
    cdef Py_ssize_t k, after, dots_start = start
    cdef int dots = 0, octet, kind = PyUnicode_KIND(text)
    cdef bint escaped = False
    cdef void* data = PyUnicode_DATA(text)
    if not 0 <= start <= end <= len(text):
        raise ValueError("the text has no such part")
    k = start
    while k <= end:
        after = k + 1
        octet = -1 if k == end else min(PyUnicode_READ(kind, data, k), 0xFF)
        if octet == c'%':
            after = k
            octet = decoded_at(kind, data, &after, end)
            if octet < 0x20 or octet == 0x7F:
                if encoded < 0:
                    encoded = k
            elif octet == c'/' or octet == c'\\':
                if slash < 0:
                    slash = k
            elif delimiter < 0 and (after > k + 3 or (after > k + 1 and is_delimiter(octet))):
                delimiter = k
            if octet == c'.':
                escaped = True
        elif octet == c'\\' and backslash < 0:
            backslash = k
        elif 0 <= octet < 0x20 or octet == 0x7F:
            if control < 0:
                control = k
        if octet == c'.':
            dots += 1
        elif octet < 0 or octet == c'/' or octet == c'\\' or octet == c';':
            if escaped and 1 <= dots <= 2 and dotted < 0:
                dotted = dots_start
            dots, dots_start, escaped = 3 if octet == c';' else 0, after, False
        else:
            dots = 3
        if dots > 3:
            dots = 3
        k = after
    return backslash, control, encoded, slash, delimiter, dotted


cdef inline bint is_delimiter(uint8_t octet) noexcept nogil:
    return CLASS[octet] & (QUESTION | HASH | COLON | AT | BRACKET | PERCENT) != 0 or octet == c'.'
