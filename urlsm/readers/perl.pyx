"""Perl's URI: nothing is refused. The scheme decides which class reads the text."""
from unicodedata import normalize
from urlsm.readers.ages cimport lowered
from urlsm.readers.forms cimport decoded, escaped, kept, lettered_scheme_end, nearest
from urlsm.readers.programs import Program

cdef enum:
    LONGEST_NAME = 251       # of a module, as in URI::http
    LATER = 54000            # after 5.17, at the latest 5.40: host() drops an empty port; IDNA composes; more schemes
    LABEL_MAX = 63

# classes of schemes: URI::_server; those without a host; URI; and URI with a query. All others are URI::_generic
cdef frozenset SERVER = frozenset((
    "ftp", "gopher", "http", "https", "ldap", "ldaps", "mms", "news", "nntp", "nntps", "pop", "rlogin", "rsync",
    "rtsp", "rtspu", "sftp", "sip", "sips", "snews", "ssh", "telnet", "tn3270",
))
cdef frozenset LATER_SERVER = frozenset((
    "ftpes", "ftps", "icap", "icaps", "irc", "ircs", "otpauth", "scp", "smb", "smtp", "ws", "wss",
))
cdef str ALNUM = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
cdef str URIC = ALNUM + ";/?:@&=+$,-_.!~*'()%"       # $URI::uric
cdef bytes URI_KEPT = kept(URIC + "#", False)
cdef frozenset IN_HOST = frozenset(URIC + "[]")      # $URI::uric4host
# \s of a text that is not ASCII: Unicode's white space
cdef str SPACE = (
    " \t\n\v\f\r\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f"
    "\u205f\u3000"
)


cdef str unwrapped(str uri):
    """URI::new: return a text without "<" and ">" or quotes around it, and without white space."""
    cdef str end, inner
    for before, after in (("<", ">"), ('"', '"')):
        end = "\n" if uri.endswith("\n") else ""  # "$" is before a last newline
        inner = uri.removesuffix("\n")
        if inner.startswith(before) and inner.endswith(after) and len(inner) > 1:
            inner = inner[1:len(inner) - 1]
            if "\n" not in inner:  # "." is no newline
                uri = (inner.removeprefix("URL:") if before == "<" else inner) + end
    return uri.strip(SPACE)


cdef str with_ascii_host(str uri, int release):
    """URI::_server::_uric_escape: return a text with its host by IDNA, without mapping, if that has characters of no
    URI."""
    cdef Py_ssize_t start = authority_at(uri), end, k
    cdef str host, userinfo = "", port = "", before
    if start < 0:
        return uri
    end = nearest(uri, start, len(uri), "/?#")
    host = uri[start:end]
    if IN_HOST.issuperset(host):
        return uri
    if "@" in host:  # s/(.*@)//, in the first line with "@"
        k = host.find("@")
        before = host[:host.rfind("\n", 0, k) + 1]
        k = host.rfind("@", k, nearest(host, k, len(host), "\n"))
        userinfo, host = host[len(before):k + 1], before + host[k + 1:]
    k = len(host)
    while k and host[k - 1:k].isdecimal():
        k -= 1
    if 0 < k < len(host) and host[k - 1] == ":":
        host, port = host[:k - 1], host[k - 1:]
    if not IN_HOST.issuperset(host):
        host = idna(host, release)
        if host is not None:
            return uri[:start] + userinfo + host + port + uri[end:]
    return uri


cdef str idna(str domain, int release):
    """URI::_idna::encode: return a domain in ASCII; None: it croaks."""
    cdef list labels = domain.split(".")
    cdef str label
    cdef Py_ssize_t k
    for k in range(len(labels)):
        label = labels[k]
        if not label and k and k == len(labels) - 1:
            break
        if not label.isascii():
            if len(label) > 4 * LABEL_MAX:
                return None  # no character is composed of more than four
            label = "".join([lowered(char, 160 if release >= LATER else 140) for char in label])
            if release >= LATER:
                label = normalize("NFC", label)
            if not label.isascii():
                if label.startswith("xn--") or len(label) > LABEL_MAX - len("xn--"):  # too long when encoded
                    return None
                label = "xn--" + label.encode("punycode", "replace").decode("ascii", "replace")
        if not 0 < len(label) <= LABEL_MAX:
            return None
        labels[k] = label
    return ".".join(labels)


cdef str uric_escaped(str uri):
    """URI::_uric_escape: return a text with characters of no URI escaped, but for brackets in the host."""
    cdef str text = escaped(uri.encode("utf-8", "surrogatepass"), URI_KEPT).decode("ascii")
    cdef Py_ssize_t start, end, k
    if "%" not in text or text.startswith(("data:", "ldapi:", "urn:", "sqlite:", "sqlite3:")):
        return text
    if text.startswith("mailto:"):
        return with_brackets(text)
    start = authority_at(text)
    if start < 0:
        return text
    end = nearest(text, start, len(text), "/?#")
    k = text.rfind("@", start, end) + 1 or start
    return text[:k] + with_brackets(text[k:end]) + text[end:]


cdef str with_brackets(str text):
    """Return a text with escaped brackets decoded."""
    return text.replace("%5B", "[").replace("%5b", "[").replace("%5D", "]").replace("%5d", "]")


cdef Py_ssize_t authority_at(str uri) except -2:
    """/^(?:$scheme_re:)?\\/\\//: return where the authority begins, or -1."""
    cdef Py_ssize_t k = lettered_scheme_end(uri)
    k += k > 0
    return k + 2 if uri.startswith("//", k) else -1


def read(str text, int release):
    """URI->new: return scheme, userinfo, host, _port, path (opaque where the class has no path), query and fragment; or
    "length"."""
    cdef str uri = unwrapped(text), scheme, path, rest
    cdef str userinfo = None, host = None, port = None, query = None, fragment = None, authority = None, head, mark
    cdef Py_ssize_t k = lettered_scheme_end(uri), start
    cdef bint server
    scheme = uri[:k].lower() if k else None
    if k and k > LONGEST_NAME - len("URI::") - scheme.count(".") - scheme.count("+"):
        return "length"  # implementor: "Identifier too long"
    server = scheme in SERVER or (release >= LATER and scheme in LATER_SERVER)
    uri = uric_escaped(with_ascii_host(uri, release) if server else uri)
    rest, mark, path = uri.partition("#")
    fragment = path if mark else None
    if scheme == "data" or scheme == "urn":
        return scheme, None, None, None, rest[k + 1:], None, fragment
    path, mark, query = rest.partition("?")
    query = query if mark else None
    if scheme == "mailto":
        return scheme, None, None, None, rest[k + 1:], query, fragment
    start = authority_at(uri)
    if start >= 0:
        authority = uri[start:nearest(uri, start, len(uri), "/?#")]
    if scheme == "sip" or scheme == "sips":
        authority = uri[k + 1:nearest(uri, k + 1, len(uri), ";?")]
    # path: /^((?:[^:\/?\#]+:)?(?:\/\/[^\/?\#]*)?)([^?\#]*)/
    k = nearest(path, 0, len(path), ":/")
    k = k + 1 if k and path.startswith(":", k) else 0
    if path.startswith("//", k):
        k = nearest(path, k + 2, len(path), "/")
    path = (rest if scheme == "ftp" else path)[k:]
    if scheme == "sip" or scheme == "sips":
        path = None
    if authority is not None and server:
        userinfo, mark, host = authority.rpartition("@")
        userinfo = userinfo if mark else None
        head, mark, port = authority.rpartition(":")
        port = port if mark and not port.strip("0123456789") else None
        head, mark, rest = host.rpartition(":")
        if mark and not rest.strip("0123456789") and (rest or release >= LATER):
            host = head
        if host.startswith("[") and host.endswith("]") and len(host) > 1:
            host = host[1:len(host) - 1]
        host = decoded(host.encode()).decode("latin-1")
    elif authority is not None and scheme == "file":
        host = decoded(authority.encode()).decode("latin-1")
    return scheme, userinfo, host, port, path, query, fragment


PROGRAMS = (Program("perl", "CPAN's URI, URI->new", ("5.17", "5.40"), read),)
