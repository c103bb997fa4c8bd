"""urllib3 and requests, which prepares its URLs with urllib3."""
import re
from urlsm.readers.forms cimport (
    capital_escapes, escaped, has_bad_escape, kept, lettered_scheme_end, nearest, octets, unquoted,
)
from urlsm.readers.idna cimport idna2003
from urlsm.readers.programs import Program
from urlsm.readers.stdlib cimport (
    has_unwanted, hostinfo, hostname, is_latin, may_be_reached, port, urlsplit, userinfo,
)
from urlsm.unicode.idna2008 cimport idna2008

cdef enum:
    PORT_MAX = 65535
    CPYTHON = 31107  # that requests was run with: it also reads by urllib.parse

NUMBERS = re.compile(r"(?:0[xX][0-9a-fA-F]+|[0-9]+)(?:\.(?:0[xX][0-9a-fA-F]+|[0-9]+)){0,3}")
QUAD = re.compile(r"(?:[0-9]{1,3}\.){3}[0-9]{1,3}")
PIECE = re.compile(r"[0-9a-fA-F]{1,4}")
ZONE = re.compile(r"(?:%25|%)(?:[A-Za-z0-9._~-]|%[0-9a-fA-F]{2})+")
ESCAPE = re.compile(r"%[0-9a-fA-F]{2}")
CONTROL_ESCAPE = re.compile(r"%(?:[01][0-9a-fA-F]|7[fF])")
UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

cdef bytes USERINFO_KEPT = kept("._-~!$&'()*+,;=:", True)
cdef bytes PATH_KEPT = kept("._-~!$&'()*+,;=:@/", True)
cdef bytes QUERY_KEPT = kept("._-~!$&'()*+,;=:@/?", True)
# of requote_uri, with and without "%"
cdef bytes ALL_KEPT = kept("_.-~!#$%&'()*+,/:;=?@[]", True)
cdef bytes ALL_BUT_PERCENT_KEPT = kept("_.-~!#$&'()*+,/:;=?@[]", True)


# --- urllib3 -----------------------------------------------------------------------------------------

cdef object parse_url(str text):
    """parse_url: return the seven components of a text, or what is refused."""
    cdef str scheme, authority, auth = None, host = None, number = None, path, query, fragment
    cdef Py_ssize_t end
    cdef bint normal
    if not text:
        return (None,) * 7
    if text[0] != "/":
        end = lettered_scheme_end(text)
        if not end or "." in text[:end]:  # _SCHEME_RE
            text = "//" + text
    scheme, authority, path, query, fragment = split_uri(text)
    if scheme is not None:
        scheme = scheme.lower()
    normal = scheme in (None, "http", "https")
    if authority:
        auth, _, host = authority.rpartition("@")
        host, number = host_and_port(host)
        if host is None:
            return "host"
        auth = (encode_invalid(auth, USERINFO_KEPT) if normal else auth) or None
        if number is not None and int(number) > PORT_MAX:
            return "port"
    if host:
        host = normalize_host(host, normal)
        if host is None:
            return "host"
    if normal:
        path = encode_invalid(without_dot_segments(path), PATH_KEPT)
        query = query and encode_invalid(query, QUERY_KEPT)
        fragment = fragment and encode_invalid(fragment, QUERY_KEPT)
    if not path:
        path = None if query is None and fragment is None else ""
    elif path[0] != "/":
        path = "/" + path
    return scheme, auth, host, number, path, query, fragment


cdef tuple split_uri(str text):
    """_URI_RE: return the five components of a text by RFC 3986 appendix B. A backslash also ends an authority."""
    cdef str scheme = None, authority = None, query = None, fragment = None
    cdef Py_ssize_t begin = lettered_scheme_end(text), end, n = len(text)
    if begin:
        scheme = text[:begin]
        begin += 1
    if text[begin:begin + 2] == "//":
        end = nearest(text, begin + 2, n, "\\/?#")
        authority, begin = text[begin + 2:end], end
    end = nearest(text, begin, n, "#")
    if end < n:
        fragment = text[end + 1:]
    n = nearest(text, begin, end, "?")
    if n < end:
        query = text[n + 1:end]
    return scheme, authority, text[begin:n], query, fragment


cdef tuple host_and_port(str text):
    """_HOST_PORT_RE: return a host and its port, without zeros before it. The host is None if they are refused."""
    cdef str host, mark, digits
    host, mark, digits = text.rpartition("]")
    if mark:
        host += mark
        if host[0] != "[" or not is_bracketed(host[1:len(host) - 1]) or digits[:1] not in ("", ":"):
            return None, None
        mark, digits = digits[:1], digits[1:]
    else:
        host, mark, digits = text.partition(":")
        if "[" in host or ("%" in host and has_bad_escape(octets(host))):
            return None, None
    if not digits:
        return host, None
    if not (digits.isascii() and digits.isdigit()):
        return None, None
    digits = digits.lstrip("0") or "0"
    return (host, digits) if len(digits) <= 5 else (None, None)


cdef bint is_bracketed(str text) except -1:
    """_IPV6_ADDRZ_PAT: return whether a text is an IPv6 address with or without a zone."""
    cdef Py_ssize_t at = text.find("%")
    if at < 0:
        return is_ip6(text)
    return is_ip6(text[:at]) and ZONE.fullmatch(text, at) is not None


cdef bint is_ip6(str text) except -1:
    """_IPV6_PAT: return whether a text is an IPv6 address by RFC 3986's grammar, but for the numbers of IPv4 in it."""
    cdef str left, gap, right, piece
    cdef list pieces
    cdef Py_ssize_t count
    left, gap, right = text.partition("::")
    pieces = left.split(":") if left or not gap else []
    if right:
        pieces += right.split(":")
    count = len(pieces)
    if count and QUAD.fullmatch(pieces[count - 1]) is not None and (right or not gap):
        pieces.pop()
        count += 1
    for piece in pieces:
        if PIECE.fullmatch(piece) is None:
            return False
    return count <= 7 if gap else count == 8


cdef str encode_invalid(str text, bytes allowed):
    """_encode_invalid_chars: return a component with what is not allowed escaped; and each "%", if one begins no
    escape."""
    cdef bint valid = False
    cdef bytes written = text.encode("utf-8", "surrogatepass")
    if "%" in text:
        written = capital_escapes(written, &valid)
    written = escaped(written, allowed)
    return (written.replace(b"%25", b"%") if valid else written).decode("ascii")


cdef str without_dot_segments(str path):
    """_remove_path_dot_segments: return a path without them."""
    cdef list written = []
    cdef str segment
    if "." not in path and path[:2] != "//":
        return path
    for segment in path.split("/"):
        if segment == "..":
            if written:
                written.pop()
        elif segment != ".":
            written.append(segment)
    if path[:1] == "/" and (not written or written[0]):
        written.insert(0, "")
    if path.endswith(("/.", "/..")):
        written.append("")
    return "/".join(written)


cdef str normalize_host(str host, bint normal):
    """_normalize_host: return the host as it is reported; None if it is refused. normal: whether the scheme is http,
    https, or none."""
    cdef list labels
    cdef str label, coded
    cdef Py_ssize_t k
    if has_unwanted(host):
        return None
    if not normal:
        return host
    if host[0] == "[" and host[len(host) - 1] == "]" and is_bracketed(host[1:len(host) - 1]):
        return normalize_address(host)
    if c"0" <= host[0] <= c"9" and NUMBERS.fullmatch(host) is not None:
        return host
    if "%" in host:
        host = decode_unreserved(host)
        if host is None:
            return None
    if host.isascii():
        return lowered(host)
    labels = host.split(".")
    for k in range(len(labels)):  # _idna_encode
        label = labels[k]
        coded = lowered(label) if label.isascii() else idna2008(label.lower(), False, True)
        if coded is None:
            return None
        labels[k] = coded
    return ".".join(labels)


cdef str lowered(str text):
    """Return a text in ASCII in lower case, but for its escapes, which get capitals."""
    text = text.lower()
    return ESCAPE.sub(capital, text) if "%" in text else text


def capital(found):
    """Return what a match of ESCAPE found, with capital digits."""
    return found[0].upper()


cdef str normalize_address(str host):
    """_normalize_host: return an IPv6 address in brackets, with or without a zone, as it is reported; None: it is
    refused."""
    cdef Py_ssize_t at = host.find("%")
    cdef str zone
    if at < 0:
        return host.lower()
    zone = host[at + 1:len(host) - 1]
    if zone[:2] == "25" and zone != "25":
        zone = zone[2:]
    if CONTROL_ESCAPE.search(zone) is not None:
        return None
    return f"{host[:at].lower()}%{encode_invalid(zone, USERINFO_KEPT)}]"


cdef str decode_unreserved(str host):
    """_normalize_host_percent_encoding: return a host with the escapes of unreserved characters decoded. None: one is
    of a control, or a "%" begins none."""
    cdef list parts = host.split("%")
    cdef str part, char
    cdef Py_ssize_t k
    for k in range(1, len(parts)):
        part = parts[k]
        if ESCAPE.match("%" + part[:2]) is None:
            return None
        char = chr(int(part[:2], 16))
        if char < " " or char == "\x7f":
            return None
        parts[k] = (char if char in UNRESERVED else "%" + part[:2].upper()) + part[2:]
    return "".join(parts)


cdef object pool(str scheme, str host, str number):
    """PoolManager.connection_from_host, create_connection: return the host and port that are resolved, or what is
    refused."""
    if scheme not in (None, "http", "https"):
        return "scheme"
    if not host:
        return "host"
    host = normalize_host(host, True)
    if host is None:
        return "host"
    if host[:1] == "[" and host[len(host) - 1] == "]":
        host = host[1:len(host) - 1]
    if has_unwanted(host):  # of http.client
        return "characters"
    if host[:1] == "[":
        host = host.strip("[]")
    if idna2003(host) is None:  # "label empty or too long"
        return "host"
    return host, number or ("443" if scheme == "https" else "80")


def read_urllib3(str text, int release):
    """parse_url, and PoolManager.request: return the components, or what is refused."""
    found = parse_url(text)
    if isinstance(found, str):
        return found
    return *<tuple>found, pool(found[0], found[2], found[3])


# --- requests ----------------------------------------------------------------------------------------

cdef object prepare_url(str text):
    """prepare_url: return (the URL that is requested,), or what is refused."""
    cdef str scheme, auth, host, number, path, query, fragment
    cdef object found
    text = text.lstrip()
    if ":" in text and text[:4].lower() != "http":
        return (text,)
    found = parse_url(text)
    if isinstance(found, str):
        return found
    scheme, auth, host, number, path, query, fragment = found
    if not scheme:
        return "scheme"
    if not host:
        return "host"
    if not host.isascii():
        host = idna2008(host, True)
    elif host[0] in "*.":
        host = None
    if host is None:
        return "host"
    text = f"{scheme}://{auth}@{host}" if auth else f"{scheme}://{host}"
    if number and number != "0":
        text += ":" + number
    text += path or "/"
    if query:
        text += "?" + query
    if fragment:
        text += "#" + fragment
    text = requote_uri(text)
    return "characters" if text is None else (text,)


cdef str requote_uri(str text):
    """requote_uri: return a text with the escapes of unreserved characters decoded, and what may not be in a URL
    escaped. None: it has a lone surrogate."""
    cdef list parts = text.split("%")
    cdef str part, digits, char
    cdef Py_ssize_t k
    cdef bytes allowed = ALL_KEPT
    for k in range(1, len(parts)):
        part = parts[k]
        char = ""
        digits = part[:2]
        if len(digits) == 2 and digits.isalnum():
            try:
                char = chr(int(digits, 16))
            except ValueError:
                allowed = ALL_BUT_PERCENT_KEPT
            if allowed is ALL_BUT_PERCENT_KEPT:
                break
        parts[k] = char + part[2:] if char in UNRESERVED else "%" + part
    else:
        text = "".join(parts)
    try:
        return escaped(text.encode(), allowed).decode("ascii")
    except UnicodeEncodeError:
        pass
    return None


def read_requests(str text, int release):
    """Request.prepare, and requests.get: return the components of the URL that is requested, read by urllib.parse, or
    what is refused."""
    cdef object found = prepare_url(text)
    cdef tuple parts
    cdef str scheme, netloc, path, query, fragment, before, user, password, host, number
    if isinstance(found, str):
        return found
    text = found[0]
    parts = urlsplit(text, CPYTHON)
    if parts is None:
        return "host"
    scheme, netloc, path, query, fragment = parts
    before = userinfo(netloc)
    if before is not None and ":" in before:  # get_auth_from_url, _basic_auth_str
        user, _, password = before.partition(":")
        if not is_latin(unquoted(user)) or not is_latin(unquoted(password)):
            return "userinfo"
    host, number = hostinfo(netloc)
    host, number = hostname(host), port(number, CPYTHON)
    if number and number[0] == "!":
        number = "!"
    if not text[:8].lower().startswith(("http://", "https://")):  # Session.get_adapter
        found = "scheme"
    else:
        found = "port" if number == "!" else pool(scheme, host, number)
    return scheme, before, host, number, path, query, fragment, found


# --- what they send --------------------------------------------------------------------------------

cdef object pool_sent(str scheme, object connected, str path, str query):
    """HTTPConnectionPool.urlopen, http.client's putrequest: return the request target and Host, or what is refused.
    connected: what `pool` returns."""
    cdef str host, number
    if isinstance(connected, str):
        return connected
    host, number = connected
    host = host.rstrip(".")  # HTTPConnection.host
    if not may_be_reached(scheme, host):
        return "host"
    if ":" in host:
        host = f"[{host.partition('%')[0]}]"
    if number != ("443" if scheme == "https" else "80"):
        host += ":" + number
    path = encode_invalid(path or "/", PATH_KEPT)
    return path if query is None else f"{path}?{encode_invalid(query, QUERY_KEPT)}", host


def urllib3_sent(str text, int release):
    """Return the request target and Host that PoolManager.request sends, or what is refused."""
    found = read_urllib3(text, release)
    return found if isinstance(found, str) else pool_sent(found[0], found[7], found[4], found[5])


def requests_sent(str text, int release):
    """Return the request target and Host that requests.get sends, or what is refused."""
    found = read_requests(text, release)
    return found if isinstance(found, str) else pool_sent(found[0], found[7], found[4], found[5] or None)


PROGRAMS = (
    Program("urllib3", "urllib3.util.parse_url; PoolManager.request", ("2.8.0",), read_urllib3, urllib3_sent),
    Program("requests", "requests.Request(...).prepare().url, read by urllib.parse; requests.get", ("2.34.2",),
            read_requests, requests_sent),
)
