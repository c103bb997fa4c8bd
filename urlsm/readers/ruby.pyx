"""Ruby's URI: the parsers of RFC 3986 and RFC 2396, and the classes of known schemes."""
import re
from urlsm.readers.forms cimport escaped, has_bad_escape, is_scheme, kept, nearest, texts_of
from urlsm.readers.generic cimport LOWER_V, RUBY, is_literal, parts_of
from urlsm.readers.programs import Program

cdef enum:
    REWRITTEN = 30308        # since 3.3.8, or after 3.1.2: RFC3986_Parser of the gem uri has other expressions

cdef dict DEFAULT_PORTS = {
    b"ftp": b"21", b"http": b"80", b"https": b"443", b"ldap": b"389", b"ldaps": b"636", b"ws": b"80", b"wss": b"443",
}
MALFORMED = re.compile(rb"%[^0-9a-fA-F]{2}")
cdef bytes QUERY_KEPT = kept("!$%&()*+,-./:;=?@[\\]^_{|}~", True)  # query=: [!$-&(-;=?-_a-~]
cdef bytes HEX_DIGITS = b"0123456789abcdefABCDEF"
# octets of RFC 2396's components, but for escapes
cdef bytes ALNUM = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
cdef bytes OF_HOST = ALNUM + b"-."
cdef bytes OF_USERINFO = ALNUM + b"-_.!~*'();:&=+$,"
cdef bytes OF_PATH = OF_USERINFO + b"@/"
cdef bytes URIC = OF_PATH + b"?[]"


# --- RFC3986_Parser ------------------------------------------------------------------------------

cdef object rfc3986(str text, int release):
    """RFC3986_Parser#split, and URI.for: return the components, or what is refused."""
    cdef object found
    cdef bytes scheme, path, opaque, mark = b""
    if release < REWRITTEN and text.startswith("//") and ("[" in text or "]" in text):
        text, mark = with_both_brackets(text)
        if text is None:
            return "host"
    found = parts_of(text, LOWER_V | RUBY)
    if type(found) is str:
        # path-absolute of RFC3986_relative_ref is "/" and any segments, so a path may begin with "//"
        if release < REWRITTEN or not text.startswith("//"):
            return found
        found = parts_of("/." + text, LOWER_V | RUBY)
        if type(found) is str:
            return found
        return components(None, None, None, None, found[4][2:], None, found[5], found[6], release)
    scheme, userinfo, host, port, path, query, fragment = <tuple>found
    if mark:
        host = host[1:] if mark == b"[" else host[:len(host) - 1]
    if host is not None and not host and (release < REWRITTEN or (scheme is None and userinfo is None)):
        host = None
    if scheme is not None and path and not path.startswith(b"/"):  # path-rootless
        opaque = path if query is None else path + b"?" + query
        return components(scheme, None, None, None, None, opaque, None, fragment, release)
    return components(scheme, userinfo, host, port, path, None, query, fragment, release)


cdef tuple with_both_brackets(str text):
    """RFC3986_relative_ref: IP-literal was \\[IPv6address|IPvFuture\\], so each has only one bracket. Return the text
    with the other one, and which was added; None: it is refused."""
    cdef Py_ssize_t end = nearest(text, 2, len(text), "/?#"), at = text.rfind("@", 2, end) + 1 or 2, colon
    if "[" not in text[at:end] and "]" not in text[at:end]:
        return text, b""
    if "]" not in text[at:end]:
        if text.startswith(("v", "V"), at + 1):
            return None, b""
        if not is_literal(text[at + 1:end].encode(errors="replace"), RUBY):
            colon = text.rfind(":", at, end)
            end = end if colon < 0 else colon
        return f"{text[:end]}]{text[end:]}", b"]"
    return (f"{text[:at]}[{text[at:]}", b"[") if text.startswith("v", at) else (None, b"")


# --- RFC2396_Parser ------------------------------------------------------------------------------

cdef object rfc2396(str text, int release):
    """RFC2396_Parser#split, ABS_URI and REL_URI, and #parse: return the components, or what is refused."""
    cdef bytes scheme, userinfo = None, host = None, port = None, path, query, fragment, rest, mark, authority
    if not text.isascii():
        return "characters"
    rest, mark, fragment = text.encode().strip(b" \t\r\n\f\v").partition(b"#")
    fragment = fragment if mark else None
    if fragment is not None and not has_only(fragment, URIC):
        return "fragment"
    scheme, mark, path = rest.partition(b":")
    if not mark or b"/" in scheme or b"?" in scheme:
        scheme, path = None, rest
    elif not is_scheme(scheme):
        return "scheme"
    elif path and not path.startswith(b"/"):
        if path.startswith((b"[", b"]")) or not has_only(path, URIC):
            return "path"
        return components(scheme, None, None, None, None, path, None, fragment, release)
    path, mark, query = path.partition(b"?")
    query = query if mark else None
    if query is not None and not has_only(query, URIC):
        return "query"
    if path.startswith(b"//"):
        authority, mark, path = path[2:].partition(b"/")
        path = mark + path
        userinfo, mark, host = authority.rpartition(b"@")
        userinfo = userinfo if mark else None
        if host.startswith(b"["):
            host, mark, port = host.partition(b"]")
            if not is_ipv6_of_2373(host[1:]) or not mark or port[:1] not in (b"", b":"):
                return "host"
            host, port = host + mark, port[1:] if port else None
        else:
            host, mark, port = host.partition(b":")
            port = port if mark else None
        if userinfo is not None and not has_only(userinfo, OF_USERINFO):
            return "userinfo"
        if not host.startswith(b"[") and not has_only(host, OF_HOST) or port and not port.isdigit():
            return "host"  # reg_name: "the scheme does not accept registry part"
        if scheme is not None and not host and (authority or not path):
            return "host"
        host = host or None
    elif scheme is not None and not path:
        return "path"  # "absolute but no path"
    if not has_only(path, OF_PATH):
        return "path"
    return components(scheme, userinfo, host, port, path, None, query, fragment, release)


cdef bint has_only(bytes text, bytes allowed) except -1:
    """Return whether a text has only these octets and valid escapes."""
    return not text.translate(None, allowed + b"%") and not has_bad_escape(text)


cdef bint is_ipv6_of_2373(bytes text) except -1:
    """IPV6ADDR: return whether a text is hexseq2 | [ hexseq1 ] "::" [ hexseq2 ], with any number of numbers."""
    cdef bytes before, mark, after
    before, mark, after = text.partition(b"::")
    if not mark:
        return is_hexseq(text, True)
    return (not before or is_hexseq(before, False)) and (not after or is_hexseq(after, True))


cdef bint is_hexseq(bytes text, bint ipv4) except -1:
    """Return whether a text is hexadecimal numbers with ":" between them. ipv4: whether the last may be an IPv4
    address."""
    cdef list parts = text.split(b":"), octets
    if ipv4 and b"." in parts[len(parts) - 1]:
        octets = (<bytes>parts.pop()).split(b".")
        if len(octets) != 4 or not all([octet.isdigit() and len(octet) < 4 for octet in octets]):
            return False
    return all([1 <= len(part) <= 4 and not part.strip(HEX_DIGITS) for part in parts])


# --- the classes ---------------------------------------------------------------------------------

cdef object components(bytes scheme, bytes userinfo, bytes host, bytes port, bytes path, bytes opaque, bytes query,
                       bytes fragment, int release):
    """URI::Generic#initialize, and that of the scheme's class: return the components as its attributes give them, or
    what is refused."""
    if scheme is not None:
        scheme = scheme.lower()
    if query is not None:  # query=
        query = query.translate(None, b"\t\r\n")
        if MALFORMED.search(query) is not None:  # "invalid percent escape"
            return "query"
        query = escaped(query, QUERY_KEPT)
    if port is not None:
        port = (port.lstrip(b"0") or b"0") if port else None
    if scheme == b"ftp":
        if path is None:
            return "path"
        path = path.removeprefix(b"/")
        if path.startswith(b"%2F"):
            path = b"/" + path[3:]
        path = path.partition(b";type=")[0]
    elif scheme == b"file":
        userinfo = port = None
        host = b"" if host is None or host == b"localhost" else host
    elif scheme == b"ldap" or scheme == b"ldaps":
        if fragment is not None or path is None:
            return "path"
    elif scheme == b"mailto":
        if query is not None and opaque is None:
            opaque = b"?" + query
        if opaque is None or not is_recipients(opaque.partition(b"?")[0]):
            return "path"
    if port is None and scheme is not None and (scheme != b"wss" or release >= REWRITTEN):
        port = DEFAULT_PORTS.get(scheme)
    return texts_of((scheme, userinfo or None, host, port, opaque or path or b"", query, fragment))


cdef bint is_recipients(bytes text) except -1:
    """MailTo: return whether a text is (?:[^@,;]+@[^@,;]+(?:\\z|[,;]))*."""
    cdef list parts = text.replace(b";", b",").split(b",")
    if not parts[len(parts) - 1]:
        parts.pop()
    return all([len(part.strip(b"@")) == len(part) > 2 and part.count(b"@") == 1 for part in parts])


def uri_parse(str text, int release):
    return rfc3986(text, release)


def with_rfc2396(str text, int release):
    return rfc2396(text, release)


PROGRAMS = (
    Program("ruby", "Ruby, URI.parse", ("3.1.2", "3.3.8"), uri_parse),
    Program("ruby-rfc2396", "Ruby, URI::RFC2396_Parser#parse", ("3.1.2", "3.3.8"), with_rfc2396),
    Program("ruby-rfc3986", "Ruby, URI::RFC3986_Parser#parse", ("3.1.2", "3.3.8"), uri_parse),
)
