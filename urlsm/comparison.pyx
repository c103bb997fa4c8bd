"""What each dialect sees in a URL, and whether they agree on where a request would go.

Every view is a row of READERS: how one kind of software reads a text. What a row gives is folded by the same rules
(`see`), so that two views differ only where two programs would.
"""
import re
from functools import partial
from libc.stdint cimport uint8_t
from urlsm.buffer cimport ascii_data, is_ascii
from urlsm.chars cimport ALPHA, BACKSLASH, CLASS, DIGIT, PERCENT
from urlsm.machine cimport default_port, kind_of
from urlsm.special cimport FILE, NOT_SPECIAL, same_letters, scheme_kind
from urlsm.text cimport exact
from urlsm.components import split
from urlsm.errors import ParseError
from urlsm.url import parse, resolve, try_parse
from urlsm.values import Parts

DECIDES = ("scheme", "host", "port")  # what decides where a request goes
cdef object EDGE = "".join(map(chr, range(0x21)))  # "leading or trailing C0 control or space"

# RFC 3986 appendix A. Beyond ASCII: RFC 3987's ucschar, more or less; ToASCII judges those of a host.
cdef object SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*")
cdef str NAME = r"A-Za-z0-9._~!$&'()*+,;=\x80-\U0010ffff-"
cdef object AUTHORITY = re.compile(
    rf"(?:[{NAME}:]*(?:%[0-9A-Fa-f]{{2}}[{NAME}:]*)*@)?"
    rf"(?:\[[0-9A-Fa-f:.]+\]|[{NAME}]*(?:%[0-9A-Fa-f]{{2}}[{NAME}]*)*)(?::[0-9]*)?"
)
# RFC 2396 section 3.2.2: hostname | IPv4address; "_" besides, for it stands in names that resolve. A last label that
# begins with a digit is no toplabel, and a number in another form than decimal is no address to all readers.
cdef str OCTET = "(?:[0-9]|[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5])"
cdef object SERVER = re.compile(rf"(?:[a-z0-9_-]+\.)*[a-z_-][a-z0-9_-]*\.?|{OCTET}(?:\.{OCTET}){{3}}|\[.*\]|")
cdef object IP_LITERAL = re.compile(r"\[(?:[0-9A-Fa-f:.]+|[vV][0-9A-Fa-f]+\..+)(?:%.*)?\]", re.DOTALL)


# --- what is seen ------------------------------------------------------------------------------

class View(Parts):
    """What one dialect sees in a URL, in the form in which views are compared.

    scheme and host are in lower case, an IDN is its ToASCII form, an IPv6 address canonical; an empty host is None. The
    port is an int, the default of a special scheme and an empty one are None, and what is no port stays text. userinfo
    and path are as the dialect has them: written, or normalised by whatwg. refusal: why the dialect refuses the text;
    all else is None then.
    """
    dialect: str
    scheme: str | None
    userinfo: str | None
    host: str | None
    port: int | str | None
    path: str | None
    refusal: str | None

    def __repr__(self):
        # what is a port or a path to this dialect may be a password to another
        if self.refusal is not None:
            return f"View({self.dialect!r}, refusal={self.refusal!r})"
        port = self.port if isinstance(self.port, int) or self.port is None else "***"
        return f"View({self.dialect!r}, scheme={self.scheme!r}, host={self.host!r}, port={port!r})"


class Comparison(Parts):
    """What the dialects see in a URL.

    Attributes: url: the text. views: a View of each, by the dialect's name. agree: do they see the same scheme, host
    and port? (All may refuse: that is agreement, too.) differences: of what they see differently ("scheme",
    "userinfo", "host", "port", "path", and "refusal", where some refuse), each dialect's value; passwords are masked.
    """
    url: str
    views: dict[str, View]

    @property
    def agree(self):
        views = iter(self.views.values())
        first = next(views)
        for view in views:
            if view.host != first.host or view.scheme != first.scheme or view.port != first.port \
                    or (view.refusal is None) != (first.refusal is None):
                return False
        return True

    @property
    def differences(self):
        found = {}
        for name in ("refusal", "scheme", "userinfo", "host", "port", "path"):
            if name == "refusal":
                seen = {dialect: view.refusal for dialect, view in self.views.items()}
                differ = len({refusal is None for refusal in seen.values()}) > 1
            else:
                seen = {dialect: view[name] for dialect, view in self.views.items() if view.refusal is None}
                differ = len(set(seen.values())) > 1
            if name == "userinfo":
                seen = {dialect: masked(userinfo) for dialect, userinfo in seen.items()}
            if differ:
                found[name] = seen
        return found

    def __repr__(self):
        return f"Comparison(agree={self.agree}, views={list(self.views.values())!r})"


cdef object masked(object userinfo):
    name, colon, _ = (userinfo or "").partition(":")
    return f"{name}:***" if colon else userinfo


# --- the readers: text -> (scheme, userinfo, host, port, path), or ValueError -------------------

def _read_whatwg(text):
    """The URL Standard's parser. A text without a scheme is read as a reference on an https page."""
    try:
        url = parse(text)
    except ParseError as error:
        if error.code != "missing-scheme-non-relative-URL":
            raise
        url, c = parse(text, "https://h/"), split(text)
        return None, c.userinfo, url.host if c.host is not None else None, c.port, c.path
    username, password = url.username, url.password
    userinfo = username if password is None else f"{username or ''}:{password}"
    return url.scheme, userinfo, url.host, url.port, url.path


def _read_rfc3986(text):
    """Appendix B. The generic grammar of scheme and authority, which decide where a request goes, has to hold: readers
    recover from what breaks it in different ways. Nobody is sent elsewhere by a path: it may hold anything."""
    c = split(text, "rfc3986")
    if not is_plain(text):
        if c.scheme is not None and SCHEME.fullmatch(c.scheme) is None:
            raise ValueError("no scheme by RFC 3986 section 3.1")
        if c.authority is not None and AUTHORITY.fullmatch(c.authority) is None:
            raise ValueError("no authority by RFC 3986 section 3.2")
    return c.scheme, c.userinfo, c.host, c.port, c.path


def _read_rfc2396(text):
    """As RFC 3986, but an authority that names no server (section 3.2.2) is some registry's name (3.2.1): no host."""
    found = _read_rfc3986(text)
    if not is_plain(text):
        host = folded_host(found[2])
        if host is not None and SERVER.fullmatch(host) is None:
            return found[0], None, None, None, found[4]
    return found


def _read_barth(text):
    """Barth's draft, which refuses next to nothing: the stand-in for every reader that recovers. By its section 4, a
    text whose scheme would hold anything but scheme characters is a reference."""
    if is_plain(text) or names_scheme(text):
        c = split(text, "barth")
        return c.scheme, c.userinfo, c.host, c.port, c.path
    text = text.strip(EDGE)
    if not (text[:1] in ("/", "\\") and text[1:2] in ("/", "\\")):
        return None, None, None, None, text
    c = split(f"http:{text}", "barth")
    return None, c.userinfo, c.host, c.port, c.path


cdef bint names_scheme(text) except -1:
    """Is a ":" behind scheme characters? One letter is a Windows drive."""
    scheme, colon, _ = text.lstrip(EDGE).partition(":")
    return colon and len(scheme) != 1 and re.fullmatch("[A-Za-z0-9+.-]*", scheme) is not None


def _read_stdlib(text):
    """urllib.parse's urlsplit, and hostname and port of its result, by CPython 3.11.4 and later: it refuses brackets
    that hold no address, and ports that are none, only when they are asked for."""
    c = split(text, "stdlib")
    host = c.host
    if host is not None and ("[" in c.authority or "]" in c.authority) and IP_LITERAL.fullmatch(host) is None:
        raise ValueError("Invalid IPv6 URL")
    return c.scheme, c.userinfo, host, c.port, c.path


# A further view is a row here: its name, its reader, and its resolver: (base, reference) -> text.
READERS = {
    "whatwg": (_read_whatwg, resolve),
    "rfc3986": (_read_rfc3986, partial(resolve, dialect="rfc3986")),
    "rfc2396": (_read_rfc2396, partial(resolve, dialect="rfc2396")),
    "barth": (_read_barth, partial(resolve, dialect="barth")),
    "stdlib": (_read_stdlib, partial(resolve, dialect="stdlib")),
}


# --- folding -----------------------------------------------------------------------------------

cpdef object see(str dialect, str text):
    """The view of one row of READERS."""
    try:
        scheme, userinfo, host, port, path = READERS[dialect][0](text)
    except ValueError as error:
        return View(dialect, None, None, None, None, None, error.code if isinstance(error, ParseError) else str(error))
    if scheme is not None:
        scheme = scheme.lower()
    return View(dialect, scheme, userinfo, folded_host(host), folded_port(scheme, port), path or "", None)


cpdef object folded_host(object host):
    """A host as it is compared. An IDN is one if each label that is not ASCII becomes an A-label: what IDNA's mapping
    turns into an ASCII name, or into an address, is a disguise that not every reader sees through."""
    if not host:
        return None
    if is_ascii(host):
        if host[0] == "[" and host[len(host) - 1] == "]":
            url = try_parse(f"http://{host}/")
            return host.lower() if url is None else url.host
        return host.lower()
    from urlsm.idna import parse_domain
    try:
        folded = parse_domain(host)
    except ValueError:
        return host.lower()
    labels, written = folded.split("."), host.split(".")
    if len(labels) != len(written):
        return host.lower()
    for label, wide in zip(labels, written):
        if not (is_ascii(wide) or label.startswith("xn--")):
            return host.lower()
    return folded


cdef object folded_port(object scheme, object port):
    cdef uint8_t* p
    if port is None or port == "":
        return None
    if type(port) is str:
        if not (is_ascii(port) and port.isdigit()):
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


# --- the fast way ------------------------------------------------------------------------------

cdef inline bint is_label(uint8_t octet) noexcept nogil:
    return CLASS[octet] & (ALPHA | DIGIT) != 0 or octet == c'-' or octet == c'_'


cdef Py_ssize_t plain_end(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    """Where the host of an ordinary link ends, or -1: a special scheme, "://", a host of labels the last of which no
    number begins, perhaps a port, and then the end, "/", "?" or "#". Every reader sees the same there: no step of any
    dialect, no rule of any grammar and no fold asks for more than that."""
    cdef Py_ssize_t k = 2, label, port = 0, host_end
    while k < n and k < 6 and p[k] != c':':
        k += 1
    if k + 3 >= n or p[k] != c':' or p[k + 1] != c'/' or p[k + 2] != c'/' or not NOT_SPECIAL < scheme_kind(p, k) < FILE:
        return -1
    k += 3
    while True:
        label = k
        while k < n and is_label(p[k]):
            k += 1
        if k == label:
            return -1  # an empty label
        if k + 1 >= n or p[k] != c'.' or not is_label(p[k + 1]):
            break
        k += 1
    if CLASS[p[label]] & DIGIT:
        return -1
    if k < n and p[k] == c'.':  # the root's
        k += 1
    host_end = k
    if k < n and p[k] == c':':
        k += 1
        while k < n and CLASS[p[k]] & DIGIT and port <= 0xFFFF:
            port = 10 * port + p[k] - c'0'
            k += 1
    if port > 0xFFFF or (k < n and p[k] != c'/' and p[k] != c'?' and p[k] != c'#'):
        return -1
    return host_end


cdef bint ends_with(const uint8_t* p, Py_ssize_t n, const char* lower, Py_ssize_t size) noexcept nogil:
    return n >= size and same_letters(p + n - size, lower, size)


cdef Py_ssize_t host_end(str text) except -2:
    """plain_end of a text. Its octets and its characters are the same up to there."""
    cdef bytes octets
    if is_ascii(text):
        return plain_end(ascii_data(text), len(text))
    octets = text.encode("utf-8", "surrogatepass")
    return plain_end(octets, len(octets))


cpdef bint is_plain(str text) except -1:
    """Does the fast way accept?"""
    return host_end(text) >= 0


def unremarkable(str text not None) -> int:
    """Of how many characters from the start is it clear that they hold no hazard of urlsm.audit? All; or those up to
    the path of a link with a plain host, which does not stand for an address, and no port; or none."""
    cdef const uint8_t* p
    cdef bytes octets
    cdef Py_ssize_t n, k, start = 0, end = host_end(text)
    if end < 0:
        return 0
    if is_ascii(text):
        p, n = ascii_data(text), len(text)
    else:
        octets = text.encode("utf-8", "surrogatepass")
        p, n = octets, len(octets)
    if end < n and p[end] == c':':
        return 0
    while p[start] != c'/':
        start += 1
    start += 2
    if p[start] == c'-' or p[end - 1] == c'.':
        return 0
    if ends_with(p, end, b"localhost", 9) or ends_with(p, end, b".internal", 9):
        return 0
    for k in range(start, end - 3):
        if same_letters(p + k, b"xn--", 4):
            return 0
    for k in range(end, n):
        if CLASS[p[k]] & (PERCENT | BACKSLASH) or p[k] < 0x20 or p[k] == 0x7F:
            return end
    return len(text)


# --- public functions --------------------------------------------------------------------------

cpdef str text_of(object url):
    """A URL as str: bytes are read as UTF-8, what is none as lone surrogates. TypeError: not a text."""
    if type(url) is str:
        return url
    if isinstance(url, bytes):
        return url.decode("utf-8", "surrogateescape")
    if not isinstance(url, str):
        url, given = getattr(url, "href", None), url
        if not isinstance(url, str):
            raise TypeError(f"a URL is str, bytes or urlsm.URL, not {type(given).__name__}")
    return exact(url)


def compare(url):
    """What each dialect makes of a URL: scheme, userinfo, host, port and path.

    Args:
        url: str, bytes (read as UTF-8) or URL. A text without a scheme is compared as a reference.

    Returns:
        a Comparison: the views of whatwg, rfc3986, rfc2396 and barth, and whether they agree on scheme, host and port.

    Raises:
        TypeError: not a text.

    Percent-escapes in a host and IPv4 in other than four decimal numbers are not folded (RFC 3986 section 7.4, URL
    Standard, #host-parsing): readers do differ on them. A dialect that refuses what another accepts disagrees. The RFCs
    refuse what breaks their grammar of scheme and authority.
    """
    text = text_of(url)
    return Comparison(text, {dialect: see(dialect, text) for dialect in READERS})


def is_ambiguous(url):
    """Do the dialects disagree on scheme, host or port, so that a check and a request may mean different servers?

    Args and errors: as compare.
    """
    text = text_of(url)
    return not (is_plain(text) or compare(text).agree)
