"""yarl (URL, not encoded), and aiohttp's client, which takes its URLs from yarl."""
import re
from libc.stdint cimport uint8_t
from urlsm.readers.forms cimport (
    decoded, escaped, ipv6_address, ipv6_text, is_hex, kept, nfkc, scheme_end, unquoted,
)
from urlsm.readers.idna cimport idna2003
from urlsm.readers.programs import Program
from urlsm.readers.stdlib cimport is_ip4, is_latin, may_be_reached, meets_nfkc_rule, number, split_rest
from urlsm.readers.stdlib import FUTURE, WHITE_SPACE
from urlsm.unicode.idna2008 cimport idna2008

cdef enum:
    PORT_MAX = 65535

# _DEFAULT_IGNORABLE_RE
IGNORABLE = re.compile(
    "[\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u1806\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
DEFAULT_PORTS = {"http": "80", "https": "443", "ws": "80", "wss": "443", "ftp": "21"}

cdef bytes USER_KEPT = kept("-._~!$'()*,+&=;", True)
cdef bytes PATH_KEPT = kept("-._~!$'()*,+&=;@:/", True)
cdef bytes QUERY_KEPT = kept("-._~!$'()*,?/:@=+&;", True)
cdef bytes FRAGMENT_KEPT = kept("-._~!$'()*,+&=;?/:@", True)


cdef object split_url(str text):
    """split_url: return scheme, netloc, path, query and fragment, or what is refused."""
    cdef str scheme = "", netloc, rest, query, fragment
    cdef Py_ssize_t end
    rest = text.lstrip(WHITE_SPACE).replace("\t", "").replace("\r", "").replace("\n", "")
    end = scheme_end(rest)
    if end:
        scheme, rest = rest[:end].lower(), rest[end + 1:]
    netloc, rest, query, fragment = split_rest(rest)
    if "\\" in netloc or (("[" in netloc or "]" in netloc) and not is_bracketed(netloc)):
        return "host"
    if not meets_nfkc_rule(netloc) or makes_percent(netloc):
        return "host"
    return scheme, netloc, rest, query, fragment


cdef bint is_bracketed(str netloc) except -1:
    """Return whether the host is one in brackets, which looks like an address, and nothing but a port is after it."""
    cdef str host, after
    host = netloc.rpartition("@")[2]
    if "[" not in netloc or "]" not in netloc or host[:1] != "[" or host.count("[") > 1 or host.count("]") > 1:
        return False
    host, _, after = host[1:].partition("]")
    if after[:1] not in ("", ":"):
        return False
    return FUTURE.fullmatch(host) is not None if host[:1] == "v" else ":" in host


cdef bint makes_percent(str netloc) except -1:
    """_check_netloc: return whether NFKC makes "%" of a character."""
    cdef str text
    if netloc.isascii():
        return False
    text = netloc.replace("@", "").replace(":", "").replace("#", "").replace("?", "")
    return nfkc(text) != text and "%" in nfkc(text)


cdef object split_netloc(str netloc):
    """split_netloc: return user, password, host and port, or what is refused."""
    cdef str user = None, password = None, host, mark, digits
    cdef object value
    digits, mark, host = netloc.rpartition("@")
    if mark:
        user, mark, password = digits.partition(":")
        if not mark:
            password = None
    if "[" in host:
        if host[0] != "[" or host.count("[") > 1 or host.count("]") > 1:
            return "host"
        host, _, digits = host[1:].partition("]")
        if digits[:1] not in ("", ":"):
            return "host"
        digits = digits[1:]
    else:
        host, _, digits = host.partition(":")
    if digits:
        value = number(digits)
        if value is None or not 0 <= value <= PORT_MAX:
            return "port"
        digits = str(value)
    return user or None, password, host or None, digits or None


cdef str encode_host(str host):
    """_encode_host: return a host in ASCII, an IPv6 address in brackets; None if it is refused."""
    cdef str mark, address, zone, coded
    if host and (host[len(host) - 1].isdigit() or ":" in host):
        address, mark, zone = host.partition("%25" if "%25" in host else "%")
        coded = compressed(address)
        if coded is not None:
            return f"[{coded}{mark}{zone}]" if ":" in coded else coded + mark + zone
    if host.isascii():
        return host.lower()
    if IGNORABLE.search(host) is not None:
        return None
    coded = idna2008(host, True)
    return idna2003(host) if coded is None else coded


cdef str compressed(str text):
    """ip_address(text).compressed: return an address in its shortest form; None: the text is no address."""
    cdef str address, mark, scope
    cdef bytes octets
    if is_ip4(text):
        return text
    address, mark, scope = text.partition("%")
    if (not address.isascii()) or "/" in text or (mark and (not scope or "%" in scope)):
        return None
    octets = ipv6_address(address.encode())
    return None if octets is None else ipv6_text(octets, False) + mark + scope


cdef str requoted(str text, bytes safe, str protected, bint in_query):
    """_Quoter: return a text with the escapes of what is safe and not protected decoded, and what is not safe escaped.
    Lone surrogates are dropped."""
    cdef bytes octets = text.encode("utf-8", "ignore"), part
    cdef list parts
    cdef Py_ssize_t k
    cdef uint8_t octet
    if in_query:
        octets = octets.replace(b" ", b"+")
    if b"%" not in octets:
        return escaped(octets, safe).decode("ascii")
    parts = octets.split(b"%")
    parts[0] = escaped(parts[0], safe)
    for k in range(1, len(parts)):
        part = parts[k]
        if is_hex(part, 0) and is_hex(part, 1):
            octet = int(part[:2], 16)
            if (<const uint8_t*><const char*>safe)[octet] and chr(octet) not in protected:
                parts[k] = chr(octet).encode("latin-1") + escaped(part[2:], safe)
            else:
                parts[k] = b"%" + part[:2].upper() + escaped(part[2:], safe)
        else:
            parts[k] = b"%25" + escaped(part, safe)
    return b"".join(parts).decode("ascii")


cdef str normalize_path(str path):
    """normalize_path: return a path without dot segments, of which a last one leaves a slash."""
    cdef list written = []
    cdef str root = "", segment = ""
    if path[:1] == "/":
        root, path = "/", path[1:]
    for segment in path.split("/"):
        if segment == "..":
            if written:
                written.pop()
        elif segment != ".":
            written.append(segment)
    if segment in (".", ".."):
        written.append("")
    return root + "/".join(written)


cdef str without_scheme(str path):
    """_encode_relative_scheme_colon: return a path with its colon escaped if that looks like the end of a scheme."""
    cdef Py_ssize_t end = scheme_end(path)
    return f"{path[:end]}%3A{path[end + 1:]}" if end else path


cdef object encode_url(str text):
    """encode_url: return netloc, scheme, user, password, host, port, path, query and fragment of a text as they are
    written, or what is refused."""
    cdef object found = split_url(text)
    cdef str scheme, netloc, path, query, fragment, user = None, password = None, host = None, port = None
    if isinstance(found, str):
        return found
    scheme, netloc, path, query, fragment = found
    if netloc:
        found = split_netloc(netloc)
        if isinstance(found, str):
            return found
        user, password, host, port = found
        if host is None:
            if scheme in DEFAULT_PORTS:  # SCHEME_REQUIRES_HOST
                return "host"
            host = ""
        host = encode_host(host)
        if host is None:
            return "host"
        user = user and requoted(user, USER_KEPT, "", False)
        password = password and requoted(password, USER_KEPT, "", False)
        netloc = host if port is None else f"{host}:{port}"  # make_netloc
        if password is not None:
            netloc = f"{user or ''}:{password}@{netloc}"
        elif user:
            netloc = f"{user}@{netloc}"
        if "[" in host:  # also one that IDNA made
            host = host[1:len(host) - 1]
    if path:
        path = requoted(path, PATH_KEPT, "/+", False)
        if netloc and "." in path:
            path = normalize_path(path)
        elif not scheme and not netloc:
            path = without_scheme(path)
    if netloc and not path:
        path = "/"
    return (netloc, scheme, user, password, host, port, path, requoted(query, QUERY_KEPT, "=+&;", True),
            requoted(fragment, FRAGMENT_KEPT, "", False))


cdef tuple components(tuple found):
    """Return the components of what encode_url returns."""
    cdef str scheme, user, password, host, port, path, query, fragment
    _, scheme, user, password, host, port, path, query, fragment = found
    if password is not None:
        user = f"{user or ''}:{password}"
    return scheme, user, host, port, path, query, fragment


def read_yarl(str text, int release):
    """yarl.URL: return the components, or what is refused."""
    cdef object found = encode_url(text)
    return found if isinstance(found, str) else components(found)


# --- aiohttp -----------------------------------------------------------------------------------------

cdef object requested(tuple encoded):
    """ClientSession._request, ClientRequest: return scheme, host and port of what is requested, or what is refused.
    encoded: what encode_url returns."""
    cdef object found
    cdef str netloc, scheme, user, password, host, port, fragment
    netloc, scheme, user, password, host, port, _, _, fragment = encoded
    if scheme not in ("", "http", "https", "ws", "wss"):  # HIGH_LEVEL_SCHEMA_SET
        return "scheme"
    if not host:
        return "host"
    if user is not None or password is not None:  # strip_auth_from_url, encode_basic_auth
        if ":" in unquoted(user or "") or not decodes_to_latin(user or "") or not decodes_to_latin(password or ""):
            return "userinfo"
        netloc = f"[{host}]" if ":" in host else host
        if port is not None:
            netloc += ":" + port
    if fragment or user is not None or password is not None:  # then the URL is split again
        found = split_netloc(netloc)
        if isinstance(found, str):
            return found
        _, _, host, port = found
        if not host:
            return "host"
    return scheme, host, port


cdef bint decodes_to_latin(str text) except -1:
    """Return whether all that _Unquoter decodes is Latin-1. It keeps escapes of what is not UTF-8."""
    return is_latin(decoded(text.encode()).decode("utf-8", "ignore"))


cdef object connected(object requested):
    """TCPConnector._create_direct_connection: return the host and port that are resolved, or what is refused.
    requested: what `requested` returns."""
    cdef str scheme, host, port
    if isinstance(requested, str):
        return requested
    scheme, host, port = requested
    if port is None:
        port = DEFAULT_PORTS.get(scheme)
    if port is None:
        return "scheme"
    return host.rstrip(".") + "." if host.endswith("..") else host, port


def read_aiohttp(str text, int release):
    """yarl.URL, and ClientSession.get: return the components, or what is refused."""
    cdef object found = encode_url(text)
    return found if isinstance(found, str) else (*components(found), connected(requested(found)))


def aiohttp_sent(str text, int release):
    """Return the request target and Host that ClientSession.get sends; Host in UTF-8. Or what is refused."""
    cdef object encoded = encode_url(text), found, to
    cdef str scheme, host, port, path, query
    if isinstance(encoded, str):
        return encoded
    found = requested(encoded)
    to = connected(found)
    if isinstance(to, str):
        return to
    scheme, _, port = found
    host, path, query = to[0], encoded[6], encoded[7]
    if idna2003(host) is None or not may_be_reached(scheme, host.rstrip(".")):
        return "host"
    host = host.encode("utf-8", "ignore").decode().rstrip(".")  # host_port_subcomponent
    if CONTROL.search(host) is not None:  # "Forbidden control character detected in headers"
        return "characters"
    if ":" in host:
        host = f"[{host}]"
    if port is not None and port != DEFAULT_PORTS.get(scheme):
        host += ":" + port
    return f"{path}?{query}" if query else path, host


PROGRAMS = (
    Program("yarl", "yarl.URL", ("1.25.1",), read_yarl),
    Program("aiohttp", "yarl.URL; aiohttp.ClientSession().get", ("3.14.5",), read_aiohttp, aiohttp_sent),
)
