"""Libraries of PyPI that read URLs, and do not connect: rfc3986, hyperlink, furl."""
import re
from urlsm.readers.forms cimport escaped, ipv6_address, kept, unquoted
from urlsm.readers.idna cimport idna2003
from urlsm.readers.programs import Program
from urlsm.readers.stdlib cimport is_netloc, number, urlsplit
from urlsm.readers.urllib3 cimport is_bracketed, split_uri
from urlsm.readers.urllib3 import ESCAPE, QUAD

cdef enum:
    CPYTHON = 31107   # that furl was run with: it reads by urllib.parse
    LABEL_MAX = 1024  # characters, of encodings.idna


# --- rfc3986 -----------------------------------------------------------------------------------------

USERINFO = re.compile(r"(?:[A-Za-z0-9._~!$&'()*+,;=:-]|%[0-9A-Fa-f]{2})+")
HOST_NAME = re.compile(r"(?:[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*")
FUTURE = re.compile(r"v[0-9A-Fa-f]+\.[A-Za-z0-9._~!$&'()*+,;=:-]+")
PORT = re.compile(r"(?:[0-9]{1,5})?")

cdef bytes RESERVED_KEPT = kept(":/?#[]@!$&'()*+,;=._-~", True)


def read_rfc3986(str text, int release):
    """uri_reference, authority_info: return the components, or what is refused."""
    cdef str scheme, authority, path, query, fragment
    cdef object info = (None, None, None)
    scheme, authority, path, query, fragment = split_uri(text)
    if fragment is not None:
        fragment = fragment.partition("\n")[0]  # "." of the pattern
    if authority:
        info = authority_info(authority)
        if info is None:
            return "host"
    try:
        return (scheme, *info, encode_component(path) or None, encode_component(query), encode_component(fragment))
    except UnicodeEncodeError:
        pass
    return "characters"


cdef tuple authority_info(str authority):
    """SUBAUTHORITY_MATCHER: return userinfo, host and port; None if the authority is refused."""
    cdef str userinfo = None, host, port, mark, part
    if authority[len(authority) - 1] == "\n":  # "$" of the pattern
        authority = authority[:len(authority) - 1]
    part, mark, host = authority.partition("@")
    if not mark:
        host = authority
    elif USERINFO.fullmatch(part) is not None:
        userinfo = part
    else:
        return None
    if host[:1] == "[":
        host, mark, port = host.partition("]")
        if not mark or not is_literal(host[1:]):
            return None
        host += mark
        if port[:1] == ":":
            port = port[1:]
    else:
        host, mark, port = host.partition(":")
        if HOST_NAME.fullmatch(host) is None:
            return None
    if PORT.fullmatch(port) is None:
        return None
    if QUAD.fullmatch(host) is not None:
        for part in host.split("."):
            if int(part) > 255:
                return None
    return userinfo, host, port or None


cdef bint is_literal(str text) except -1:
    """IP_LITERAL_RE: return whether a text may be in brackets."""
    return FUTURE.fullmatch(text) is not None or is_bracketed(text)


cdef str encode_component(str text):
    """encode_component: return a component with what is neither reserved nor unreserved escaped; and each "%", if one
    begins no escape."""
    cdef bytes octets, mark
    if text is None:
        return None
    octets = text.encode()
    if b"%" not in octets:
        return escaped(octets, RESERVED_KEPT).decode("ascii")
    mark = b"%" if len(ESCAPE.findall(text)) == octets.count(b"%") else b"%25"
    return mark.join([escaped(part, RESERVED_KEPT) for part in octets.split(b"%")]).decode("ascii")


# --- hyperlink ---------------------------------------------------------------------------------------

PARTS = re.compile(r"(?:([^:/?#]+):)?(//)?")
SCHEME = re.compile(r"[a-zA-Z0-9+,.-]*\n?")
HYPERLINK_PORTS = {
    "acap": 674, "afp": 548, "dict": 2628, "dns": 53, "ftp": 21, "git": 9418, "gopher": 70, "http": 80, "https": 443,
    "imap": 143, "ipp": 631, "ipps": 631, "irc": 194, "ircs": 6697, "ldap": 389, "ldaps": 636, "mms": 1755,
    "msrp": 2855, "mtqp": 1038, "nfs": 111, "nntp": 119, "nntps": 563, "pop": 110, "prospero": 1525, "redis": 6379,
    "rsync": 873, "rtsp": 554, "rtsps": 322, "rtspu": 5005, "sftp": 22, "smb": 445, "snmp": 161, "ssh": 22,
    "svn": 3690, "telnet": 23, "ventrilo": 3784, "vnc": 5900, "wais": 210, "ws": 80, "wss": 443,
}


def read_hyperlink(str text, int release):
    """URL.from_text: return the components, or what is refused."""
    cdef str rest, scheme, slashes, authority = "", path, query, fragment, userinfo, host, port
    cdef Py_ssize_t end
    cdef object value, found
    rest, _, fragment = text.partition("#")
    if fragment[len(fragment) - 1:] == "\n":  # "$" of the pattern
        fragment = fragment[:len(fragment) - 1]
    if "\n" in fragment:
        return "characters"
    rest, _, query = rest.partition("?")
    found = PARTS.match(rest)
    scheme, slashes = found.groups("")
    path = rest[found.end():]
    if slashes:
        end = path.find("/")
        authority, path = (path, "") if end < 0 else (path[:end], path[end:])
    if SCHEME.fullmatch(scheme) is None:
        return "scheme"
    found = hyperlink_authority(authority)
    if found is None:
        return "host"
    userinfo, host, port = found
    if port is not None:
        value = number(port)
        if value is None:
            return "port"
    else:
        value = HYPERLINK_PORTS.get(scheme)
    if not path and authority:
        path = "/"
    return scheme, userinfo or None, host, None if value is None else str(value), path, query, fragment


cdef tuple hyperlink_authority(str authority):
    """_AUTHORITY_RE, parse_host: return userinfo, host and port; None if the authority is refused."""
    cdef str userinfo, host, port, mark
    userinfo, mark, host = authority.partition("@")
    if not mark:
        userinfo, host = "", authority
    if host[:1] == "[":
        host, mark, port = host[1:].partition("]")
        if not mark or "[" in host or port[:1] not in ("", ":", "\n"):
            return None
        if ":" in host and (not host.isascii() or ipv6_address(host.encode()) is None):  # inet_pton
            return None
        if port == "\n":
            port = ""
        elif port[:1] == "\n":
            return None
        mark, port = port[:1], port[1:]
    else:
        host, mark, port = host.partition(":")
        if "[" in host or "]" in host:
            return None
    if port[len(port) - 1:] == "\n":  # "$" of the pattern
        port = port[:len(port) - 1]
    if "\n" in port or "@" in host or ("\0" in host and is_utf8(host)):  # inet_pton
        return None
    return userinfo, host, port if mark else None


cdef bint is_utf8(str text) except -1:
    """Return whether a text has no lone surrogates."""
    try:
        text.encode()
        return True
    except UnicodeEncodeError:
        pass
    return False


# --- furl --------------------------------------------------------------------------------------------

ENCODED_SEGMENT = re.compile(r"(?:[\w.~:@!$&'()*+,;=-]|%[a-fA-F\d][a-fA-F\d])*")
INVALID_HOST = re.compile(r"[!@#$%^&'\"*()+=:;/]")
FURL_PORTS = {
    **HYPERLINK_PORTS,
    "hdl": 2641, "sip": 5060, "sips": 5061, "snews": 563, "tftp": 69, "xmpp": 5222,
}
cdef bytes SEGMENT_KEPT = kept(":@-._~!$&'()*+,;=", True)
cdef bytes UNRESERVED_KEPT = kept("-._~", True)


def read_furl(str text, int release):
    """furl.furl: return the components, or what is refused."""
    try:
        return furl(text)
    except ValueError:  # of int() and codecs
        pass
    return "host"


cdef object furl(str text):
    """furl.load: return the seven components of a text, or what is refused. May raise ValueError."""
    cdef str scheme, rest, netloc, path, query, fragment, user = None, password = None, host = None, port = None, mark
    cdef Py_ssize_t colon
    cdef tuple found
    cdef bint absolute, has_authority
    cdef object value = None
    scheme = furl_scheme(text)
    rest = text
    if scheme is not None:
        rest = rest[len(scheme):]
        if rest[:1] == ":":
            rest = rest[1:]
    has_authority = rest.startswith("//")  # as the text is written
    if scheme is not None:
        rest = "http:" + rest
    found = urlsplit(rest, CPYTHON)
    if found is None:
        return "host"
    _, netloc, path, query, fragment = found
    if not has_authority:
        netloc = None
    if netloc is not None:  # netloc.setter
        host = netloc
        if "@" in host:
            user, _, host = host.partition("@")
            user, mark, password = user.partition(":")
            if not mark:
                password = None
        colon = host.rfind(":")
        if colon > host.rfind("]"):
            if "]" in host and host[colon - 1] != "]":
                return "host"
            host, port = host[:colon], host[colon + 1:]
        if port is not None:
            value = number(port) if port.isdigit() else None
            if value is None or not 0 < value <= 65535:
                return "port"
        # host.setter
        if not is_netloc(host, CPYTHON):
            return "host"
        if not (host[:1] == "[" and ":" in host and host[len(host) - 1] == "]") and not is_furl_host(host):
            return "host"
        host = host.lower()
        if host[:4] == "xn--":
            if max(map(len, host.split("."))) > LABEL_MAX:
                return "host"
            host = host.encode("utf-8", "surrogatepass").decode("idna")
        user = user and unquoted(user)
        password = password and unquoted(password)
    scheme = None if scheme is None else scheme.lower()
    if value is None:
        value = FURL_PORTS.get(scheme)
    # netloc: what can be written
    mark = None if host is None else idna2003(host)
    if host is not None and mark is None:
        return "host"
    absolute = bool(mark or user is not None or password is not None) or (value or 0) != FURL_PORTS.get(scheme, 0)
    (user or "").encode()
    (password or "").encode()
    if password is not None:
        user = f"{user or ''}:{password}"
    return (scheme, user, host, None if value is None else str(value), furl_path(path, absolute), furl_query(query),
            furl_fragment(fragment))


cdef str furl_scheme(str text):
    """get_scheme: return the scheme; "" for ":"; None: there is none."""
    cdef str part
    cdef Py_ssize_t colon
    if text[:1] == ":":
        return ""
    part = text.partition("#")[0].partition("?")[0].partition("/")[0]
    colon = part.find(":")
    return part[:colon] if colon > 0 and part[0].isascii() and part[0].isalpha() else None


cdef bint is_furl_host(str host) except -1:
    """is_valid_host: return whether a host that is no address is accepted."""
    cdef list labels = host.split(".")
    if not labels[len(labels) - 1]:
        labels.pop()
    return "" not in labels and INVALID_HOST.search(host) is None


cdef str furl_path(str path, bint absolute):
    """Path.load, Path.__str__: return a path with each segment decoded and escaped again. absolute: whether it has an
    authority."""
    cdef list segments = []
    cdef str segment
    cdef bint rooted
    for segment in path.split("/") if path else []:
        if "%" in segment and ENCODED_SEGMENT.fullmatch(segment) is not None:
            segment = unquoted(segment)
        segments.append(segment)
    rooted = bool(segments) and segments[0] == ""
    if rooted and len(segments) > 1:
        segments.pop(0)
    if rooted or (absolute and segments):
        segments.insert(0, "")
    return "/".join([escaped(segment.encode(), SEGMENT_KEPT).decode("ascii") for segment in segments])


cdef str furl_query(str query):
    """Query.load, Query.encode: return a query with each name and value decoded and escaped again."""
    cdef list pairs = []
    cdef str pair, key, mark, value
    for pair in query.split("&") if query else []:
        key, mark, value = pair.partition("=")
        key = furl_quoted(key)
        value = furl_quoted(value)
        if not key:
            value = value.replace("%3D", "=")
        pairs.append(key + mark + value)
    return "&".join(pairs)


cdef str furl_quoted(str text):
    """Return a name or value of a query decoded and escaped again."""
    text = unquoted(text.replace("+", " "))
    return escaped(text.encode(), UNRESERVED_KEPT).decode("ascii").replace("%20", "+")


cdef str furl_fragment(str fragment):
    """Fragment.load, Fragment.__str__: return a fragment, which is read as a path, or as a path and a query if there is
    "="."""
    cdef str path, mark, query
    path, mark, query = fragment.partition("?")
    if not mark and "=" in fragment:
        path, query = "", fragment
    elif "=" not in query:
        path, query = fragment, ""
    path, query = furl_path(path, False), furl_query(query)
    if not query:
        return path.replace("%3F", "?")
    return f"{path}?{query}" if path else query


PROGRAMS = (
    Program("rfc3986", "rfc3986.uri_reference, authority_info", ("2.0.0",), read_rfc3986),
    Program("hyperlink", "hyperlink.URL.from_text", ("21.0.0",), read_hyperlink),
    Program("furl", "furl.furl", ("2.1.4",), read_furl),
)
