"""Programs of RFC 3986's grammar: each reads as the grammar says, but for some rules (generic.pxd)."""
from libc.stdint cimport uint8_t
from urlsm.readers.forms cimport ipv6_address, is_scheme, texts_of
from urlsm.readers.programs import Program

cdef enum:
    LIMITS_PORT = 290000     # since OTP 29 (or after 25.2.3): a long port is refused

cdef uint8_t[256] ALLOWED


cdef void allow(bytes octets, int components) noexcept:
    """Put octets into classes."""
    for octet in octets:
        ALLOWED[octet] |= <uint8_t>components


allow(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", REG_NAME | USERINFO | QUERY)
allow(b"0123456789", REG_NAME | USERINFO | QUERY | DIGIT | HEX)
allow(b"-._~!$&'()*+,;=", REG_NAME | USERINFO | QUERY)
allow(b":", USERINFO | QUERY)
allow(b"@/?", QUERY)
allow(b"abcdefABCDEF", HEX)


cdef Py_ssize_t run(const uint8_t* p, Py_ssize_t k, Py_ssize_t n, int component, int rules) noexcept:
    """Return where the characters of a component end that begin at k. An escape has to be valid."""
    while k < n:
        if p[k] == c'%' and not rules & ERLANG:
            if n - k < 3 or not ALLOWED[p[k + 1]] & ALLOWED[p[k + 2]] & HEX:
                break
            k += 2
        elif not ALLOWED[p[k]] & component and p[k] != c'%':
            break
        k += 1
    return k


cdef bint consists(bytes text, int component, int rules) noexcept:
    """Return whether a text has only characters of a component, and valid escapes."""
    return run(<const uint8_t*><const char*>text, 0, len(text), component, rules) == len(text)


cdef bint is_literal(bytes text, int rules) except -1:
    """IP-literal: return whether a text may be in brackets."""
    cdef bytes version, _dot, rest, mark
    if rules & RUBY and text.startswith(b"::") and text.count(b":") + text.count(b".") // 3 == 7:
        return False  # "[ h16 ] "::" 4( h16 ":" ) ls32" is written \h{1,4}?::, which demands the h16
    if rules & ERLANG and text.translate(None, b"0123456789abcdefABCDEF.:"):
        return False
    if text[:1] == b"v" or (text[:1] == b"V" and not rules & LOWER_V):
        version, _dot, rest = text[1:].partition(b".")
        if rules & HASKELL_LITERAL and (len(version) != 1 or b":" in rest):
            return False
        return rest != b"" and version != b"" and not version.strip(b"0123456789abcdefABCDEF") and b"%" not in rest \
            and consists(rest, USERINFO, 0)
    if rules & ZONE:
        text, mark, rest = text.partition(b"%25")
        if mark and not (rest and rest.translate(None, b"!$&'()*+,;=") == rest and consists(rest, REG_NAME, 0)):
            return False
    if rules & HASKELL_LITERAL and b"." in text:
        text = without_zeros(text)
    return ipv6_address(text) is not None


cdef bytes without_zeros(bytes text):
    """Return an IPv6 address without the zeros that begin the octets, of up to three digits, of its IPv4 address."""
    cdef bytes head, colon, tail
    head, colon, tail = text.rpartition(b":")
    parts = [part.lstrip(b"0") or b"0" if 1 <= len(part) <= 3 else b"x" for part in tail.split(b".")]
    return head + colon + b".".join(parts)


cdef Py_ssize_t characters_in(bytes text) except -1:
    """Return the length of a text, in which an escape counts as one character."""
    return len(text) - 2 * text.count(b"%")


cdef object uri_reference(str text, int rules):
    """URI-reference: return the components as a program gives them, or what is refused."""
    cdef object found = parts_of(text, rules)
    if type(found) is str:
        return found
    scheme, userinfo, host, port, path, query, fragment = <tuple>found
    if rules & BARE_ADDRESS and host is not None and host.startswith(b"["):
        host = host[1:].removesuffix(b"]")
    if rules & NUMBERED_PORT and port:
        port = port.lstrip(b"0") or b"0"
    if rules & EMPTY_PORT_IS_NONE:
        port = port or None
    if rules & EMPTY_IS_NONE:
        userinfo, port, query, fragment = userinfo or None, port or None, query or None, fragment or None
    return texts_of((scheme, userinfo, host, port, path, query, fragment))


cdef object parts_of(str text, int rules):
    """URI-reference: return the components in octets, as they are in the text, or what is refused."""
    cdef Py_ssize_t end
    cdef bytes scheme, userinfo = None, host = None, port = None, path, query, fragment, rest, mark, authority
    if not text.isascii():
        return "characters"
    rest, mark, fragment = text.encode().partition(b"#")
    fragment = fragment if mark else None
    path, mark, query = rest.partition(b"?")
    query = query if mark else None
    scheme, mark, rest = path.partition(b":")
    if mark and b"/" not in scheme:
        if not is_scheme(scheme):
            return "scheme"
        path = rest
    else:
        scheme = None
    if path.startswith(b"//"):
        end = authority_end(path, rules) if rules & BOOST and scheme is None else path.find(b"/", 2)
        authority, path = (path[2:], b"") if end < 0 else (path[2:end], path[end:])
        userinfo, mark, host = authority.rpartition(b"@")
        userinfo = userinfo if mark else None
        if host.startswith(b"["):
            host, mark, port = host.partition(b"]")
            if not mark or not is_literal(host[1:], rules):
                return "host"
            end = 0
            while rules & ERLANG and end < len(port) and (ALLOWED[<uint8_t>port[end]] & HEX or port[end] == c'.'):
                end += 1
            host += mark + port[:end]
            port = port[end:]
            if port and not port.startswith(b":"):
                return "host"
            port = port[1:] if port else None
        else:
            host, mark, port = host.partition(b":")
            port = port if mark else None
            if not consists(host, REG_NAME, rules) or (rules & SHORT_NAME and characters_in(host) > 255):
                return "host"
        if userinfo is not None and not consists(userinfo, USERINFO, rules):
            return "userinfo"
        if port and (not port.isdigit() or (rules & LONG_PORT and (len(port) > 20 or int(port) >> 63))
                     or (rules & FIVE_DIGITS and len(port) > 5)):
            return "port"
    if not consists(path, QUERY, rules):
        return "path"
    if query is not None and not rules & RUBY and \
            not consists(query.translate(None, b"[]") if rules & BOOST else query, QUERY, rules):
        return "query"
    if fragment is not None and not consists(
            fragment.translate(None, b"#") if rules & BOOST else fragment, QUERY, rules):
        return "fragment"
    return scheme, userinfo, host, port, path, query, fragment


cdef Py_ssize_t authority_end(bytes path, int rules) except -2:
    """relative_part_rule of Boost: return where the grammar of an authority ends, which "//" precedes: the path may
    follow without "/". But ":" in the first segment of such a path would be refused: then return where "/" is, or
    -1."""
    cdef const uint8_t* p = <const uint8_t*><const char*>path
    cdef Py_ssize_t n = len(path), at = run(p, 2, n, USERINFO, rules), k, slash = path.find(b"/", 2)
    k = at + 1 if at < n and p[at] == c'@' else 2
    if k < n and p[k] == c'[':
        k = path.find(b"]", k) + 1 or n
    else:
        k = run(p, k, n, REG_NAME, rules)
    if k < n and p[k] == c':':
        k += 1
        while k < n and ALLOWED[p[k]] & DIGIT:
            k += 1
    return slash if path.find(b":", k, n if slash < 0 else slash) >= 0 else k


def uriparser(str text, int release):
    return uri_reference(text, BARE_ADDRESS)


def network_uri(str text, int release):
    return uri_reference(text, EMPTY_IS_NONE | ZONE | SHORT_NAME | LOWER_V | HASKELL_LITERAL)


def boost(str text, int release):
    return uri_reference(text, ZONE | LOWER_V | BOOST)


def php_rfc3986(str text, int release):
    return uri_reference(text, EMPTY_PORT_IS_NONE | NUMBERED_PORT | LONG_PORT)


def erlang(str text, int release):
    return uri_reference(text, BARE_ADDRESS | NUMBERED_PORT | ERLANG | (FIVE_DIGITS if release >= LIMITS_PORT else 0))


PROGRAMS = (
    Program("uriparser", "uriparser, uriParseSingleUriA", ("0.9.7",), uriparser),
    Program("network-uri", "Haskell's network-uri, parseURIReference", ("2.6.4.2",), network_uri),
    Program("boost", "Boost.URL, parse_uri_reference", ("1.92",), boost),
    Program("php-rfc3986", "PHP, Uri\\Rfc3986\\Uri", ("8.5.10",), php_rfc3986),
    Program("erlang", "Erlang/OTP, uri_string:parse", ("25.2.3", "29"), erlang),
)
