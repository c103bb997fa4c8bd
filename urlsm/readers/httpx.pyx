"""httpx: URL (_urlparse.py), and the Client with httpcore."""
import re
from urlsm.readers.forms cimport escaped, kept, unquoted
from urlsm.readers.programs import Program
from urlsm.readers.stdlib cimport is_ip4, is_ip6, may_be_reached, number
from urlsm.unicode.idna2008 cimport idna2008, is_readable2008

cdef enum:
    LENGTH_MAX = 65536  # MAX_URL_LENGTH, in characters

UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f]")
SCHEME = re.compile(r"(?:[a-zA-Z][a-zA-Z0-9+.-]*)?:")
FOUR_NUMBERS = re.compile(r"[0-9]+\.[0-9]+\.[0-9]+\.[0-9]+")
DEFAULT_PORTS = {"ftp": 21, "http": 80, "https": 443, "ws": 80, "wss": 443}

cdef bytes USERINFO_KEPT = kept("-._~!$%&'()*+,:", True)
cdef bytes HOST_KEPT = kept("-._~!$&'()*+,;=\"`{}%|\\", True)
cdef bytes PATH_KEPT = kept("-._~!$%&'()*+,/:;=@[\\]^|", True)
cdef bytes QUERY_KEPT = kept("-._~!$%&'()*+,/:;=@[\\]^|?`{}", True)
cdef bytes FRAGMENT_KEPT = kept("-._~!$%&'()*+,/:;=@[\\]^|?{}#", True)


cdef object urlparse(str text):
    """urlparse: return the seven components of a text, of which host and path may be empty, or what is refused."""
    try:
        return parsed(text)
    except UnicodeEncodeError:  # of a lone surrogate
        pass
    return "characters"


cdef object parsed(str text):
    """Return what `urlparse` does. UnicodeEncodeError: the text has a lone surrogate."""
    cdef str scheme = "", authority, userinfo, host, port, path, mark, query, fragment
    cdef Py_ssize_t end, place
    cdef bint has_authority
    cdef object value
    if len(text) > LENGTH_MAX:
        return "length"
    if UNPRINTABLE.search(text) is not None:
        return "characters"
    path, mark, fragment = text.partition("#")
    if not mark:
        fragment = None
    path, mark, query = path.partition("?")
    if not mark:
        query = None
    authority = ""
    found = SCHEME.match(path)
    if found is not None:
        end = found.end()
        scheme, path = path[:end - 1], path[end:]
    if path[:2] == "//":
        place = path.find("/", 2)
        end = place if place >= 0 else len(path)
        authority, path = path[2:end], path[end:]
    userinfo, _, host = authority.rpartition("@")
    end = host.rfind("]") + 1 if host[:1] == "[" else 0
    if not end:
        end = host.find(":")
        if end < 0:
            end = len(host)
    host, port = host[:end], host[end:]
    if port[:1] == ":":
        port = port[1:]
    userinfo = escaped(userinfo.encode(), USERINFO_KEPT).decode("ascii")
    host = encode_host(host)
    if host is None:
        return "host"
    value = None
    if port:
        value = number(port)
        if value is None:
            return "port"
        if value == DEFAULT_PORTS.get(scheme):  # by the scheme as it is written
            value = None
    has_authority = userinfo != "" or host != "" or value is not None
    # validate_path
    if path and path[0] != "/" and has_authority:
        return "path"
    if scheme or has_authority:
        path = normalize_path(path)
    elif path[:2] == "//" or path[:1] == ":":
        return "path"
    return (
        scheme.lower(), userinfo, host, None if value is None else str(value),
        escaped(path.encode(), PATH_KEPT).decode("ascii"),
        None if query is None else escaped(query.encode(), QUERY_KEPT).decode("ascii"),
        None if fragment is None else escaped(fragment.encode(), FRAGMENT_KEPT).decode("ascii"),
    )


cdef str encode_host(str host):
    """encode_host: return a host in ASCII, an IPv6 address without its brackets; None if it is refused."""
    if FOUR_NUMBERS.fullmatch(host) is not None:
        return host if is_ip4(host) else None
    if host[:1] == "[" and host[len(host) - 1] == "]":
        return host[1:len(host) - 1] if host.isascii() and is_ip6(host[1:len(host) - 1]) else None
    if host.isascii():
        return escaped(host.lower().encode(), HOST_KEPT).decode("ascii")
    return idna2008(host.lower())


cdef str normalize_path(str path):
    """normalize_path: return a path without dot segments, of which a last one leaves no slash."""
    cdef list written = []
    cdef str segment
    if "." not in path:
        return path
    for segment in path.split("/"):
        if segment == "..":
            if written and written != [""]:
                written.pop()
        elif segment != ".":
            written.append(segment)
    return "/".join(written)


def read(str text, int release):
    """httpx.URL, and Client.get: return the components, or what is refused."""
    cdef object found = urlparse(text)
    cdef str scheme, userinfo, host, port, path, query, fragment
    if isinstance(found, str):
        return found
    scheme, userinfo, host, port, path, query, fragment = found
    return (scheme, userinfo or None, host, port, path or "/", query or "", unquoted(fragment or ""),
            connected(scheme, host, port))


cdef object connected(str scheme, str host, str port):
    """httpcore's URL.origin: return the host and port that are resolved, or what is refused."""
    if scheme not in ("http", "https", "ws", "wss"):
        return "scheme"
    if not host or (host[:4] == "xn--" and not is_readable2008(host)):  # URL.host
        return "host"
    return host, str(DEFAULT_PORTS[scheme]) if port in (None, "0") else port


def sent(str text, int release):
    """Return the request target and Host that Client.get sends, or what is refused."""
    cdef object found = urlparse(text)
    cdef str scheme, host, port, path, query
    if isinstance(found, str):
        return found
    scheme, _, host, port, path, query, _ = found
    found = connected(scheme, host, port)
    if isinstance(found, str):
        return found
    if not may_be_reached(scheme, host):
        return "host"
    if ":" in host:
        host = f"[{host}]"
    if port is not None:
        host += ":" + port
    return (path or "/") if query is None else f"{path or '/'}?{query}", host


PROGRAMS = (Program("httpx", "httpx.URL; httpx.Client().get", ("0.28.1",), read, sent),)
