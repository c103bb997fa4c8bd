"""Ruby's Addressable::URI. Its regular expressions begin at any line ("^") and end at any ("$"), so a newline matters.
Docstrings quote them."""
from libc.stdint cimport uint8_t
from unicodedata import category
from urlsm.octets.chars cimport CLASS, DIGIT
from urlsm.readers.forms cimport decoded, first_of, is_scheme, octets, texts_of, utf8_or_none
from urlsm.readers.programs import Program

cdef bytes SPACE = b"\0 \t\n\v\f\r"      # what String#strip removes
cdef bytes LETTERS = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
cdef frozenset WORD = frozenset(("Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "Pc"))
cdef bytes DIGITS = b"0123456789"
cdef bytes LONG_S = "\u017f".encode(), KELVIN = "\u212a".encode()
cdef bytes HTTP_LONG_S = b"http" + LONG_S + b":/"
cdef bytes IN_BRACKETS = LETTERS + DIGITS + b"-._~!$&'()*+,;=:"
# schemes that need a host or a path (PORT_MAPPING)
cdef frozenset IP_BASED = frozenset((
    b"http", b"https", b"ftp", b"tftp", b"sftp", b"ssh", b"svn+ssh", b"telnet", b"nntp", b"gopher", b"wais", b"ldap",
    b"prospero",
))
# [[:space:]] beyond ASCII
cdef frozenset WIDE_SPACES = frozenset(
    "\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)


cdef object parsed(bytes uri):
    """Addressable::URI.parse: return the components, or what is refused."""
    cdef bytes scheme = None, userinfo = None, host = None, port = None, path, query = None, fragment = None, authority
    cdef Py_ssize_t n = len(uri), k = first_of(uri, 0, n, b":/?#"), end
    path = uri
    if 0 < k < n and uri[k] == c':':
        scheme, path = uri[:k], uri[k + 1:]
    path, mark, rest = path.partition(b"#")
    if mark:
        fragment = rest.partition(b"\n")[0]
    path, mark, rest = path.partition(b"?")
    if mark:
        query = rest
    if path.startswith(b"//"):
        end = path.find(b"/", 2)
        authority, path = (path[2:], b"") if end < 0 else (path[2:end], path[end:])
        userinfo, host = userinfo_of(authority)
        k, end = port_of(host)
        if k >= 0:
            host = host[:k] + host[end:]
        k, end = port_of(authority)
        port = authority[k + 1:end] or None if k >= 0 else None
    if scheme is not None:
        if not is_scheme(scheme.replace(LONG_S, b"s").replace(KELVIN, b"k")):  # what [a-z] matches with the option "i"
            return "scheme"
    if port is not None:  # port=
        port = decoded(port)
        if utf8_or_none(port) is None or not any([line and not line.strip(DIGITS) for line in port.split(b"\n")]):
            return "port"
        port = to_i(port)
    return validated(scheme, userinfo, host, port, path, query, fragment)


cdef tuple userinfo_of(bytes authority):
    """/^([^\\[\\]]*)@/: return user information and the rest. They begin at the first line where that matches."""
    cdef Py_ssize_t start = 0, end, at
    cdef bytes userinfo, user, mark, password
    while True:
        end = first_of(authority, start, len(authority), b"[]")
        at = authority.rfind(b"@", start, end)
        if at >= 0:
            userinfo = authority[start:at].strip(SPACE)
            user, mark, password = userinfo.partition(b":")
            return user + mark + password.partition(b"\n")[0], authority[:start] + authority[at + 1:]
        # a later line that begins before the bracket has no "@" before it either
        start = authority.find(b"\n", end) + 1
        if not start:
            return None, authority


cdef tuple port_of(bytes text):
    """/:([^:@\\[\\]]*?)$/: return where the first match begins and ends; -1, -1: there is none."""
    cdef Py_ssize_t start = 0, end, at, n = len(text)
    while start <= n:
        end = first_of(text, start, n, b"\n")
        at = text.rfind(b":", start, end)
        if at >= 0 and first_of(text, at, end, b"@[]") == end:
            return at, end
        start = end + 1
    return -1, -1


cdef bytes to_i(bytes text):
    """String#to_i: return the number that a text begins with, without zeros before it; None: it is 0, which is no
    port."""
    cdef bytes digits = text.lstrip(b" \t\n\v\f\r")
    cdef const uint8_t* p
    cdef Py_ssize_t k = 0
    if digits[:1] == b"+":
        digits = digits[1:]
    p = <const uint8_t*><const char*>digits  # a zero octet ends it
    while CLASS[p[k]] & DIGIT or (p[k] == c'_' and k and p[k - 1] != c'_'):
        k += 1
    return digits[:k].replace(b"_", b"").lstrip(b"0") or None


cdef object validated(bytes scheme, bytes userinfo, bytes host, bytes port, bytes path, bytes query, bytes fragment):
    """validate, and to_s, which may raise: return the components, or what is refused."""
    if scheme is not None and scheme.lower() in IP_BASED and not host and not path:
        return "host"
    if host is None and (port is not None or userinfo is not None):
        return "host"
    if path.startswith(b"//") and host is None:
        return "path"
    if host is not None:
        if host.translate(None, b"<>{}/\\?#@\" \t\n\v\f\r") != host or (
                not host.isascii() and not WIDE_SPACES.isdisjoint(host.decode("utf-8", "replace"))):
            return "host"
        if host.startswith(b"[") and host.endswith(b"]") and len(host) > 1 \
                and host[1:len(host) - 1].translate(None, IN_BRACKETS):
            return "host"
    if scheme is None and b":" in path and any([
            not line.startswith(b"/") and b":" in line.partition(b"/")[0] for line in path.split(b"\n")]):
        return "path"  # NORMPATH: "ambiguous path"
    return scheme, userinfo, host, port, path, query, fragment


# --- heuristic_parse -----------------------------------------------------------------------------

cdef object heuristic(bytes given):
    """Addressable::URI.heuristic_parse: return the components, or what is refused."""
    cdef bytes uri = given.strip(SPACE), path, host
    cdef Py_ssize_t start, end
    uri = with_slashes(uri)
    start = authority_at(uri)
    if start >= 0:
        end = first_of(uri, start, len(uri), b"/?#")
        uri = uri[:start] + uri[start:end].replace(b"\\", b"/").replace(b" ", b"%20") + uri[end:]
    found = parsed(uri)
    if type(found) is str:
        return found
    scheme, userinfo, host, port, path, query, fragment = <tuple>found
    if scheme is not None and b"." in scheme[:len(scheme) - 1]:
        found = parsed(b"http://" + uri)
        if type(found) is str:
            return found
        scheme, userinfo, host, port, path, query, fragment = <tuple>found
    if b"." not in path:
        return found
    if b"@" in path and has_address(path.decode("utf-8", "replace")):
        if scheme is None:
            scheme = b"mailto"
        return validated(scheme, userinfo, host, port, path, query, fragment)
    # /^([^\/]+\.[^\/]*)/
    start = 0
    while True:
        end = first_of(path, start, len(path), b"/")
        if path.find(b".", start + 1, end) >= 0:
            host, path = path[start:end], path[:start] + path[end:]
            if path and not path.startswith(b"/"):
                path = b"/" + path
            return validated(b"http" if scheme is None else scheme, userinfo, host, port, path, query, fragment)
        # a later line that begins before the slash has no "." before it either
        start = path.find(b"\n", end) + 1
        if not start:
            return found


cdef bint has_address(str path) except -1:
    """/\\b@\\b/: return whether a word ends, and another begins, at an "@"."""
    cdef Py_ssize_t k = path.find("@")
    while k >= 0:
        if is_word(path[k - 1:k] if k else "") and is_word(path[k + 1:k + 2]):
            return True
        k = path.find("@", k + 1)
    return False


cdef bint is_word(str char) except -1:
    """\\w: return whether a character is of a word: Alphabetic, Mark, Decimal_Number or Connector_Punctuation."""
    return char != "" and (category(char) in WORD or "\u24b6" <= char <= "\u24e9")


cdef Py_ssize_t authority_at(bytes uri) except -2:
    """Return where the authority begins, -1 if there is none (URIREGEX)."""
    cdef Py_ssize_t k = first_of(uri, 0, len(uri), b":/?#")
    if 0 < k < len(uri) and uri[k] == c':':
        k += 1
    else:
        k = 0
    return k + 2 if uri.startswith(b"//", k) else -1


cdef Py_ssize_t line_with(bytes lower, bytes prefix) except -2:
    """Return where the first line with a prefix begins, or -1."""
    cdef Py_ssize_t k = 0, n = len(lower)
    while not lower.startswith(prefix, k):
        k = first_of(lower, k, n, b"\n") + 1
        if k > n:
            return -1
    return k


cdef bytes with_slashes(bytes uri):
    """The `case uri` of heuristic_parse: return a text with the slashes that its scheme should have after it, or with
    "http://" before an address."""
    cdef bytes lower = uri.lower(), rest
    cdef Py_ssize_t k
    k = line_with(lower, HTTP_LONG_S)
    if k >= 0:
        uri = uri[:k] + b"https" + uri[k + 6:]
        lower = uri.lower()
    for prefix in (b"http:/", b"https:/"):
        k = line_with(lower, prefix)
        if k >= 0:
            return uri[:k] + prefix + b"/" + uri[k + len(prefix):].lstrip(b"/")
    k = line_with(lower, b"feed:/")
    if k >= 0:
        rest = uri[k + 5:].lstrip(b"/")
        if rest.lower().startswith(b"http:/"):
            return uri[:k] + b"feed:http://" + rest[5:].lstrip(b"/")
        return uri[:k] + b"feed://" + rest
    k = line_with(lower, b"file:////")
    if k >= 0:
        k = line_with(lower, b"file:/")
        return uri[:k] + b"file:////" + uri[k + 5:].lstrip(b"/")
    k = line_with(lower, b"file://localhost/")
    if k >= 0:
        return uri[:k] + b"file:///" + uri[k + 16:].lstrip(b"/")
    k = line_with(lower, b"file:/")
    if k >= 0:
        return uri[:k] + b"file:///" + uri[k + 5:].lstrip(b"/")
    k = 0
    while k >= 0:
        if begins_with_ipv4(uri, k):
            return b"http://" + uri
        k = uri.find(b"\n", k)
        k += k >= 0
    if uri[:1].isdigit() and b"\n" not in uri:  # /\A\d+\..*:\d+\z/
        rest = uri.lstrip(DIGITS)
        head, _colon, port = rest.rpartition(b":")
        if head.startswith(b".") and port.isdigit():
            return b"http://" + uri
    return uri


cdef bint begins_with_ipv4(bytes text, Py_ssize_t k) noexcept:
    """/^\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}/: return whether this matches the line that begins at k."""
    cdef const uint8_t* p = <const uint8_t*><const char*>text + k  # a zero octet ends it
    cdef int number, digits
    for number in range(4):
        if number:
            if p[0] != c'.':
                return False
            p += 1
        digits = 0
        while digits < 3 and CLASS[p[digits]] & DIGIT:
            digits += 1
        if not digits:
            return False
        p += digits
    return True


cdef object told(object found):
    """Return components as texts; what is refused as it is."""
    return found if type(found) is str else texts_of(found)


def parse(str text, int release):
    return told(parsed(octets(text)))


def heuristic_parse(str text, int release):
    return told(heuristic(octets(text)))


PROGRAMS = (
    Program("addressable", "Ruby's gem addressable, Addressable::URI.parse", ("2.8.1", "2.9.0"), parse),
    Program("addressable-heuristic", "Ruby's gem addressable, Addressable::URI.heuristic_parse", ("2.8.1", "2.9.0"),
            heuristic_parse),
)
