"""Programs of Java: java.net.URI, java.net.URL, okhttp 3 and Spring 4.3. Docstrings name the methods that functions
follow. Java's characters are UTF-16; nothing here depends on how many a text has."""
from encodings.idna import nameprep
from libc.stdint cimport uint16_t
from stringprep import in_table_a1
from urlsm.readers.forms cimport (
    decoded, dotted, escaped, ipv6_address, ipv6_text, nearest, octets, text_of, with_full_stops,
)
from urlsm.readers.programs import Program

cdef enum:
    # the first release of a rule
    EARLY_CHECKS = 200000  # java.net.URL: userinfo and host are checked when they are read, not when they are used

cdef enum:  # classes of octets: those of RFC 2396, as java.net.URI has them
    ALPHA = 1
    DIGIT = 2
    HEX = 4
    SCHEME = 8
    URIC = 16
    PATH = 32
    USERINFO = 64
    REG_NAME = 128
    SERVER = 256
    SCOPE = 512
    DASH = 1024
    PERCENT = 2048
    IPV4 = 4096
    ESCAPED = URIC | PATH | USERINFO | REG_NAME | SERVER  # a set with these also has escapes, and what is not ASCII

cdef uint16_t CLASSES[128]


cdef int classify(int bit, str chars) except -1:
    """Put characters into a class."""
    for char in chars:
        CLASSES[ord(char)] |= bit
    return 0


cdef str LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", DIGITS = "0123456789"
cdef str ALPHANUM = LETTERS + DIGITS, UNRESERVED = ALPHANUM + "-_.!~*'()"
classify(ALPHA, LETTERS)
classify(DIGIT, DIGITS)
classify(HEX, DIGITS + "ABCDEFabcdef")
classify(SCHEME, ALPHANUM + "+-.")
classify(URIC, UNRESERVED + ";/?:@&=+$,[]")
classify(PATH, UNRESERVED + ":@&=+$,;/")
classify(USERINFO, UNRESERVED + ";:&=+$,")
classify(REG_NAME, UNRESERVED + "$,;:@&=+")
classify(SERVER, UNRESERVED + ";:&=+$,.:@[]")
classify(SCOPE, ALPHANUM + "_.")
classify(DASH, "-")
classify(PERCENT, "%")
classify(IPV4, DIGITS + ".")


# --- java.net.URI --------------------------------------------------------------------------------

cdef class Address:
    """The parts of an authority that parseServer finds."""
    cdef str userinfo, host, port


cdef bint is_space_or_control(Py_UCS4 char) noexcept:
    """Character.isSpaceChar, isISOControl: return whether a character beyond ASCII is white space or a control."""
    return (char <= 0xA0 or char == 0x1680 or 0x2000 <= char <= 0x200A or char == 0x2028 or char == 0x2029
            or char == 0x202F or char == 0x205F or char == 0x3000)


cdef Py_ssize_t scan(str text, Py_ssize_t p, Py_ssize_t end, int classes) except -2:
    """scan, scanEscape: return where the first character is that is in none of the classes; -1 at a bad escape."""
    cdef Py_UCS4 char
    while p < end:
        char = text[p]
        if char < 128 and CLASSES[char] & classes:
            p += 1
        elif classes & ESCAPED and char == c"%":
            if p + 2 >= end or not is_hex(text[p + 1]) or not is_hex(text[p + 2]):
                return -1
            p += 3
        elif classes & ESCAPED and char > 128 and not is_space_or_control(char):
            p += 1
        else:
            break
    return p


cdef bint is_hex(Py_UCS4 char) noexcept:
    return char < 128 and CLASSES[char] & HEX != 0


cdef bint all_in(str text, Py_ssize_t p, Py_ssize_t end, int classes) except -1:
    """checkChars: return whether all characters of text[p:end] are in some of the classes."""
    return scan(text, p, end, classes) == end


def java_uri(str text, int release):
    """new URI(text): return the components as they are written, or what is refused. The path of an opaque URI is its
    scheme-specific part."""
    cdef Py_ssize_t n = len(text), p = 0, q
    cdef str scheme = None, path, query = None, fragment = None, mark
    cdef Address server = Address()
    q = nearest(text, 0, n, "/?#:")
    if q < n and text[q] == c":":
        if not q or not all_in(text, 0, 1, ALPHA) or not all_in(text, 1, q, SCHEME):
            return "scheme"
        scheme = text[:q]
        p = q + 1
    text, mark, fragment = text.partition("#")
    if not mark:
        fragment = None
    elif not all_in(fragment, 0, len(fragment), URIC):
        return "fragment"
    n = len(text)
    if scheme is not None and text[p:p + 1] != "/":
        path = text[p:]
        return (scheme, None, None, None, path, None, fragment) if path and all_in(text, p, n, URIC) else "path"
    # parseHierarchical
    if text[p:p + 2] == "//":
        p += 2
        q = nearest(text, p, n, "/?")
        if q > p:
            server = server_of(text[p:q])
            if server is None:
                return "host"
            p = q
        elif q == n and not mark:
            return "host"
    path, mark, query = text[p:].partition("?")
    if not all_in(path, 0, len(path), PATH):
        return "path"
    if not mark:
        query = None
    elif not all_in(query, 0, len(query), URIC):
        return "query"
    return scheme, server.userinfo, server.host, server.port, path, query, fragment


cdef Address server_of(str authority):
    """parseAuthority: return the userinfo, host and port of an authority, all None if it is a registry's name. None: it
    is refused."""
    cdef Py_ssize_t n = len(authority), percent
    cdef bint server_chars, registry_chars
    cdef Address found
    percent = scan(authority, 0, n, SERVER | PERCENT if "]" in authority[1:] else SERVER)
    registry = scan(authority, 0, n, REG_NAME)
    if percent == -1 or registry == -1:
        return None
    server_chars = percent == n
    registry_chars = registry == n
    found = parsed_server(authority) if server_chars else None
    if found is None and registry_chars:
        return Address()
    return found


cdef Address parsed_server(str authority):
    """parseServer: return the parts of [userinfo@]host[:port]; None: the authority is not of this form."""
    cdef Py_ssize_t n = len(authority), p = 0, q
    cdef str userinfo, at, port
    cdef Address found = Address()
    userinfo, at, _ = authority.partition("@")
    if at:
        p = len(userinfo) + 1
        if not all_in(authority, 0, p - 1, USERINFO):
            return None
        found.userinfo = userinfo
    if p < n and authority[p] == c"[":
        q = authority.find("]", p)
        if q <= p + 1 or not is_ipv6_reference(authority[p + 1:q]):
            return None
        q += 1
    else:
        q = ipv4_end(authority, p, n)
        if q <= p:
            q = hostname_end(authority, p, n)
            if q < 0:
                return None
    found.host = authority[p:q]
    if q < n:
        if authority[q] != c":":
            return None
        port = authority[q + 1:]
        if port:
            if not all_in(port, 0, len(port), DIGIT):
                return None
            port = port.lstrip("0") or "0"
            if len(port) > 10 or int(port) > 0x7FFFFFFF:
                return None
            found.port = port
    return found


cdef Py_ssize_t byte_end(str text, Py_ssize_t p, Py_ssize_t end) except -2:
    """scanByte: return where a number up to 255 ends; p if there is none."""
    cdef Py_ssize_t q = scan(text, p, end, DIGIT)
    return p if len(text[p:q].lstrip("0")) > 3 or int(text[p:q].lstrip("0") or "0") > 255 else q


cdef Py_ssize_t ipv4_scan(str text, Py_ssize_t p, Py_ssize_t end) except -2:
    """scanIPv4Address: return where four numbers end that are all the digits and dots there; -1: they are not four."""
    cdef Py_ssize_t m = scan(text, p, end, IPV4), q
    cdef int k
    for k in range(4):
        if k:
            if p == m or text[p] != c".":
                return -1
            p += 1
        q = byte_end(text, p, m)
        if q == p:
            return -1
        p = q
    return p if p == m else -1


cdef Py_ssize_t ipv4_end(str text, Py_ssize_t p, Py_ssize_t end) except -2:
    """parseIPv4Address: return where an IPv4 address ends, which is all of the host; -1: there is none."""
    cdef Py_ssize_t q = ipv4_scan(text, p, end)
    return -1 if 0 <= q < end and text[q] != c":" else q


cdef Py_ssize_t hostname_end(str text, Py_ssize_t start, Py_ssize_t end) except -2:
    """parseHostname: return where labels of letters, digits and inner dashes end, the last of which begins with a
    letter; -1 if there are none, or what follows is no port."""
    cdef Py_ssize_t p = start, q, last = -1
    while p < end:
        q = scan(text, p, end, ALPHA | DIGIT)
        if q == p:
            break
        last = p
        p = scan(text, q, end, ALPHA | DIGIT | DASH)
        if text[p - 1] == c"-":
            return -1
        if p == end or text[p] != c".":
            break
        p += 1
    if p < end and text[p] != c":" or last < 0:
        return -1
    return -1 if last > start and not all_in(text, last, last + 1, ALPHA) else p


cdef bint is_ipv6_reference(str text) except -1:
    """parseServer between brackets: return whether the text is an IPv6 address, if need be with a scope."""
    cdef str address, mark, scope
    address, mark, scope = text.partition("%")
    if mark and address and (not scope or not all_in(scope, 0, len(scope), SCOPE)):
        return False
    return is_ipv6(address if address else text)


cdef bint is_ipv6(str text) except -1:
    """parseIPv6Reference, scanHexPost: return whether a text is an IPv6 address."""
    cdef Py_ssize_t n = len(text), p
    cdef int count = 0
    cdef bint compressed = False, ipv4 = False
    p = hex_sequence_end(text, 0, n, &count)
    if p == -2:
        return False
    if p > 0:
        if text[p:p + 2] == "::":
            compressed = True
        elif text[p:p + 1] == ":":
            ipv4 = True
            p += 1
    elif text[:2] == "::":
        compressed = True
        p = 0
    else:
        return False
    if compressed:
        p += 2
        if p < n:
            q = hex_sequence_end(text, p, n, &count)
            if q == -2:
                return False
            if q == -1:
                ipv4 = True
            else:
                p = q
                if text[p:p + 1] == ":":
                    ipv4 = True
                    p += 1
    if ipv4:
        p = ipv4_scan(text, p, n)
        count += 4
    return p == n and count < 16 if compressed else p == n and count == 16


cdef Py_ssize_t hex_sequence_end(str text, Py_ssize_t p, Py_ssize_t n, int* count) except -3:
    """scanHexSeq: return where numbers end that single colons part; -1: there is none, or an IPv4 address begins here;
    -2: one is too long or missing. count: the octets are added to it."""
    cdef Py_ssize_t q = scan(text, p, n, HEX)
    if q == p or text[q:q + 1] == ".":
        return -1
    if q > p + 4:
        return -2
    count[0] += 2
    p = q
    while text[p:p + 1] == ":" and text[p + 1:p + 2] != ":":
        q = scan(text, p + 1, n, HEX)
        if q == p + 1:
            return -2
        if text[q:q + 1] == ".":
            break
        if q > p + 5:
            return -2
        count[0] += 2
        p = q
    return p


# --- java.net.URL --------------------------------------------------------------------------------

cdef frozenset HANDLERS = frozenset(("http", "https", "file", "ftp", "jar", "jmod", "jrt", "mailto"))
cdef str CONTROLS = "".join(map(chr, [*range(32), 127]))
cdef str BLANKS = " " + CONTROLS[:32]
# white space by Character.isWhitespace
cdef str WHITE = (
    "\t\n\v\f\r\x1c\x1d\x1e\x1f \u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2008\u2009\u200a\u2028\u2029\u205f"
    "\u3000"
)
# characters whose NFKC has one of "/?#:@", and some of these
cdef str OTHERS = (
    "\u2047\u2048\u2049\u2100\u2101\u2105\u2106\u2a74\ufe55\ufe56\ufe5f\ufe6b\uff03\uff0f\uff1a\uff1f\uff20"
)
cdef frozenset IN_HOST = frozenset(CONTROLS + "/" + OTHERS)  # not in a host
cdef frozenset IN_HOST_EARLY = frozenset(CONTROLS + "#/:?@[\\]{}|^`<>\" " + OTHERS)
cdef frozenset IN_SCOPE_EARLY = frozenset(CONTROLS + "[]/\\#?")
cdef frozenset IN_USERINFO_EARLY = frozenset(CONTROLS + "#/?@[\\]")
cdef frozenset IN_AUTHORITY_EARLY = frozenset(CONTROLS + "#/?\\")


def java_url(str text, int release):
    """new URL(text): return the components, or what is refused."""
    cdef str spec = text.strip(BLANKS), protocol, mark, ref = None
    cdef bint prefixed = spec[:4].lower() == "url:" and spec[:4].isascii()
    cdef bint absolute = text[:4].lower() == "jar:" and text[:4].isascii()
    if prefixed:
        spec = spec[4:]
    protocol, mark, spec = spec.partition(":")
    protocol = protocol.lower()
    if not mark or protocol not in HANDLERS:
        return "scheme"
    spec, mark, ref = spec.partition("#")
    if not mark:
        ref = None
    if protocol == "jar":
        return jar_url(spec, ref, absolute, text, release)
    if protocol == "mailto":
        if not spec.strip(WHITE):
            return "path"
        path, mark, query = spec.rpartition("?")
        return protocol, None, "", None, path if mark else spec, query if mark else None, None
    return url_parts(protocol, spec, ref, release)


cdef object url_parts(str protocol, str spec, str ref, int release):
    """URLStreamHandler.parseURL, for a URL without a context: return the components, or what is refused."""
    cdef str query, mark, authority, userinfo = None, host = "", port = None, at
    spec, mark, query = spec.partition("?")
    if not mark:
        query = None
    if spec[:2] == "//" and spec[:4] != "////":
        authority, mark, spec = spec[2:].partition("/")
        spec = mark + spec
        userinfo, at, host = authority.rpartition("@")
        if not at:
            userinfo = None
        elif "@" in userinfo:  # "more than one '@' in authority. This is not server based"
            userinfo, host = None, ""
        if host[:1] == "[":
            host, mark, port = host.partition("]")
            if not mark or not is_ipv6_literal(host[1:]):
                return "host"
            host += "]"
            if port:
                if port[:1] != ":":
                    return "host"
                port = port[1:]
        else:
            host, _, port = host.partition(":")
        if port:
            number = parse_int(port)
            if number is None or number < -1:
                return "port"
            port = None if number == -1 else str(number)
        else:
            port = None
        if not may_be_host(host, release):
            return "host"
        if release >= EARLY_CHECKS and (userinfo and not IN_USERINFO_EARLY.isdisjoint(userinfo)
                                        or not IN_AUTHORITY_EARLY.isdisjoint(authority)):
            return "userinfo"
    return protocol, userinfo, host, port, spec, query, ref


cdef bint may_be_host(str host, int release) except -1:
    """IPAddressUtil.checkHostString: return whether a host has only characters that it may have."""
    if release < EARLY_CHECKS:
        return IN_HOST.isdisjoint(host)
    if host[:1] == "[":
        return IN_SCOPE_EARLY.isdisjoint(host[1:len(host) - 1].partition("%")[2])
    return IN_HOST_EARLY.isdisjoint(host)


cdef object jar_url(str spec, str ref, bint absolute, str text, int release):
    """sun.net.www.protocol.jar.Handler.parseURL: return the components of jar:URL!/entry, or what is refused."""
    cdef Py_ssize_t bang = spec.rfind("!/")
    cdef str path, mark, query
    if ref is not None:
        ref += text[len(text.rstrip(BLANKS)):]  # "spec.length()": what was taken off the end is there again
    if not absolute:
        return ("jar", None, "", None, None, None, ref) if not spec and ref is not None else "path"
    if spec[:4].lower() == "jar:" or bang < 0 or isinstance(java_url(spec[:bang], release), str):
        return "path"
    path, mark, query = spec.rpartition("?")
    return "jar", None, "", None, path if mark else spec, query if mark else None, ref


cdef object parse_int(str text):
    """Integer.parseInt: return a number, which may have a sign and digits of other scripts. None: the text is no
    number, or it has more than 32 bits."""
    cdef str digits = text[1:] if text[:1] in ("+", "-") else text
    cdef Py_UCS4 char
    if not digits.isdecimal():
        return None
    for char in digits:
        if char > 0xFFFF:  # two characters of UTF-16, which are no digits
            return None
    digits = digits.lstrip("0")
    if len(digits) > 10:  # more significant digits than 32 bits have, but for zeros of other scripts
        digits = "".join([str(int(char)) for char in digits]).lstrip("0")
        if len(digits) > 10:
            return None
    number = int(digits or "0")
    if text[:1] == "-":
        number = -number
    return number if -0x80000000 <= number <= 0x7FFFFFFF else None


cdef bint is_ipv6_literal(str text) except -1:
    """IPAddressUtil.textToNumericFormatV6: return whether the text is an IPv6 address, with any zone. Numbers may have
    any number of zeros before them."""
    cdef str address, mark, zone, last
    cdef Py_ssize_t n, k = 0, token
    cdef int count = 0, value = 0
    cdef bint compressed = False, digits = False
    cdef Py_UCS4 char
    address, mark, zone = text.partition("%")
    if len(text) < 2 or mark and not zone:
        return False
    n = len(address)
    if address[:1] == ":":
        k = 1
        if text[1] != c":":
            return False
    token = k
    while k < n:
        char = address[k]
        k += 1
        if is_hex(char):
            value = value << 4 | int(chr(char), 16)
            if value > 0xFFFF:
                return False
            digits = True
        elif char == c":":
            token = k
            if not digits:
                if compressed:
                    return False
                compressed = True
                continue
            if k == n or count + 2 > 16:
                return False
            count += 2
            digits, value = False, 0
        elif char == c"." and count + 4 <= 16:
            last = address[token:]
            if not is_ipv4_literal(last):
                return False
            count += 4
            digits = False
            break
        else:
            return False
    if digits:
        if count + 2 > 16:
            return False
        count += 2
    return count < 16 if compressed else count == 16


cdef bint is_ipv4_literal(str text) except -1:
    """IPAddressUtil.textToNumericFormatV4: return whether a text is an IPv4 address of four numbers."""
    cdef list parts = text.split(".")
    if len(text) > 15 or len(parts) != 4:
        return False
    for part in parts:
        if not (part.isascii() and part.isdigit()) or int(part) > 255:
            return False
    return True


# --- java.net.IDN --------------------------------------------------------------------------------

cdef enum:
    LABEL_MAX = 63

# what RFC 3454 maps to nothing (table B.1)
cdef dict TO_NOTHING = {point: None for point in (
    0xAD, 0x34F, 0x1806, 0x180B, 0x180C, 0x180D, 0x200B, 0x200C, 0x200D, 0x2060, *range(0xFE00, 0xFE10), 0xFEFF
)}


cdef str idn_to_ascii(str host):
    """IDN.toASCII(host, 0): return a host in ASCII by RFC 3490, without unassigned code points. None: it is refused."""
    cdef list written = []
    cdef str label, coded
    cdef Py_UCS4 char
    host = with_full_stops(host)
    if host == "." or not host:
        return host
    for label in host.removesuffix(".").split("."):
        coded = label
        if not label.isascii():
            if len(label.translate(TO_NOTHING)) > 4 * LABEL_MAX:
                return None  # no character is composed of more than four
            for char in label:
                if in_table_a1(chr(char)):
                    return None
            try:
                coded = nameprep(label)
            except UnicodeError:
                coded = None
            if coded is None:
                return None
            if not coded.isascii():
                if coded[:4].lower() == "xn--":
                    return None
                coded = "xn--" + coded.encode("punycode").decode("ascii").lower()
        if not 0 < len(coded) <= LABEL_MAX:
            return None
        written.append(coded)
    return ".".join(written) + ("." if host.endswith(".") else "")


# --- okhttp 3 ------------------------------------------------------------------------------------

cdef str ASCII_SPACE = "\t\n\f\r "


cdef bytes all_but(bytes encoded):
    """Return a table for `escaped`: all octets are kept but these, and controls."""
    return bytes([not (octet < 0x20 or octet == 0x7F or octet in encoded) for octet in range(256)])


cdef bytes BEYOND_ASCII = bytes(range(0x80, 0x100))
cdef bytes OK_USERINFO = all_but(b" \"':;<=>@[]^`{}|/\\?#" + BEYOND_ASCII)
cdef bytes OK_SEGMENT = all_but(b" \"<>^`{}|/\\?#" + BEYOND_ASCII)
cdef bytes OK_QUERY = all_but(b" \"'<>#" + BEYOND_ASCII)
cdef bytes OK_FRAGMENT = all_but(b"")


cdef str canonicalized(str text, bytes kept):
    """canonicalize, with alreadyEncoded: return a text without tabs, line ends and form feeds, and encoded. kept: a
    table for `escaped`."""
    return text_of(escaped(octets(text).translate(None, b"\t\n\f\r"), kept))


def okhttp(str text, int release):
    """HttpUrl.get(text): return the components, or what is refused."""
    cdef str scheme, rest, mark, username, password, host, port = "", path, query = None, fragment = None
    cdef str authority, userinfo, _at
    cdef Py_ssize_t end, colon
    scheme, mark, rest = text.strip(ASCII_SPACE).partition(":")
    scheme = scheme.lower() if scheme.isascii() else ""
    if not mark or scheme not in ("http", "https"):
        return "scheme"
    rest = rest.lstrip("/\\")
    end = nearest(rest, 0, len(rest), "/\\?#")
    authority, rest = rest[:end], rest[end:]
    userinfo, _at, host = authority.rpartition("@")
    username, mark, password = userinfo.partition(":")
    username = "%40".join([canonicalized(part, OK_USERINFO) for part in username.split("@")])
    password = "%40".join([canonicalized(part, OK_USERINFO) for part in password.split("@")])
    colon = port_colon(host)
    host, port = host[:colon], host[colon + 1:]
    if port:
        number = parse_int(port) if port.isascii() else None
        if number is None or not 0 < number <= 65535:
            return "port"
        port = str(number)
    else:
        port = "80" if scheme == "http" else "443"
    host = canonical_host(decoded(octets(host)).decode("utf-8", "replace"))
    if host is None:
        return "host"
    rest, mark, fragment = rest.partition("#")
    fragment = canonicalized(fragment, OK_FRAGMENT) if mark else None
    path, mark, query = rest.partition("?")
    query = canonicalized(query, OK_QUERY) if mark else None
    if password:
        username += ":" + password
    return scheme, username or None, host, port, ok_path(path), query, fragment


cdef Py_ssize_t port_colon(str host) except -1:
    """portColonOffset: return where the first colon is that is not in brackets, or the end."""
    cdef Py_ssize_t k = 0, n = len(host)
    while k < n and host[k] != c":":
        if host[k] == c"[":
            k = host.find("]", k)
            if k < 0:
                return n
        k += 1
    return k


cdef str canonical_host(str host):
    """Util.canonicalizeHost: return a host in lower case and ASCII, an address in its shortest form; None: it is
    refused."""
    cdef bytes address
    cdef str result
    if ":" in host:
        if host[:1] == "[" and host.endswith("]"):
            host = host[1:len(host) - 1]
        address = ipv6_address(host.encode()) if host.isascii() else None
        if address is None:
            return None
        if address[:12] == b"\0\0\0\0\0\0\0\0\0\0\xff\xff":  # InetAddress.getByAddress
            return dotted(int.from_bytes(address[12:], "big"))
        return ipv6_text(address, False)
    result = idn_to_ascii(host)
    if not result or not IN_OK_HOST.isdisjoint(result):
        return None
    return result.lower()


cdef frozenset IN_OK_HOST = frozenset(CONTROLS + " #%/:?@[\\]")  # containsInvalidHostnameAsciiCodes


cdef str ok_path(str path):
    """resolvePath, push, pop: return a path canonicalized and without dot segments."""
    cdef list segments = [""], parts = path.replace("\\", "/").split("/")
    cdef str part, segment, dots
    cdef Py_ssize_t k, last = len(parts) - 1
    for k in range(1, last + 1):
        part = parts[k]
        if k == last and not part:
            break
        segment = canonicalized(part, OK_SEGMENT)
        dots = segment.replace("%2e", ".").replace("%2E", ".") if len(segment) <= 6 else segment
        if dots == ".":
            continue
        if dots == "..":
            if not segments.pop() and segments:
                segments[len(segments) - 1] = ""
            else:
                segments.append("")
            continue
        if not segments[len(segments) - 1]:
            segments[len(segments) - 1] = segment
        else:
            segments.append(segment)
        if k < last:
            segments.append("")
    return "/" + "/".join(segments)


# --- Spring 4.3 ----------------------------------------------------------------------------------

def spring(str text, int release):
    """UriComponentsBuilder.fromUriString(text).build(): return the components, or what is refused. An opaque URI has
    only scheme and fragment."""
    cdef str scheme = None, userinfo = None, host = None, port = None, path, query = None, fragment, mark, rest = text
    cdef Py_ssize_t end, n = len(text)
    end = nearest(text, 0, n, ":/?#")
    if 0 < end < n and text[end] == c":":
        scheme, rest = text[:end], text[end + 1:]
    if rest[:2] == "//":
        rest = rest[2:]
        n = len(rest)
        end = nearest(rest, 0, n, "@[/?#")
        if end < n and rest[end] == c"@":
            userinfo, rest = rest[:end], rest[end + 1:]
            n = len(rest)
        end = spring_host_end(rest)
        host, rest = rest[:end], rest[end:]
        if rest[:1] == ":":
            n = len(rest)
            end = scan(rest, 1, n, DIGIT)
            if rest[end:end + 1] == "{" and may_be_variable(rest, end):
                return "port"
            port, rest = rest[1:end], rest[end:]
            port = port.lstrip("0") or ("0" if port else None)
            if port is not None and (len(port) > 10 or int(port) > 0x7FFFFFFF):
                return "port"
    rest, mark, fragment = rest.partition("#")
    if not LINE_ENDS.isdisjoint(fragment):
        return "fragment"
    if not fragment.strip(WHITE):
        fragment = None
    if scheme is not None and text[len(scheme):len(scheme) + 2] != ":/":
        return scheme, None, None, None, None, None, fragment
    path, mark, query = rest.partition("?")
    return (scheme, userinfo, host, port, spring_path(path), spring_query(query) if mark else None, fragment)


cdef frozenset LINE_ENDS = frozenset("\n\r\u0085\u2028\u2029")  # "." of a Pattern matches none of these


cdef bint may_be_variable(str rest, Py_ssize_t brace) except -1:
    """Return whether the brace at a place is closed before a slash, with something in it: a variable as port."""
    cdef Py_ssize_t closing = rest.find("}", brace + 2)
    return closing > 0 and rest.find("/", brace + 1, closing) < 0


cdef Py_ssize_t spring_host_end(str rest) except -1:
    """HOST_PATTERN: return where the host ends that a text begins with."""
    cdef Py_ssize_t k = 1, n = len(rest)
    if rest[:1] == "[":
        while k < n and (is_hex(rest[k]) or rest[k] == c":" or rest[k] == c"."):
            k += 1
        k = scan(rest, k, n, ALPHA | DIGIT | PERCENT)
        return k + 1 if k < n and rest[k] == c"]" else 0
    return nearest(rest, 0, n, "[/?#:")


cdef str spring_path(str path):
    """CompositePathComponentBuilder.addPath, FullPathComponentBuilder.build: return a path with its slashes merged,
    None for white space."""
    if not path.strip(WHITE):
        return None
    if "//" in path:
        parts = [part for part in path.split("/") if part]
        path = ("/" if path[:1] == "/" else "") + "/".join(parts) + ("/" if path.endswith("/") and parts else "")
    return path


cdef str spring_query(str query):
    """QUERY_PARAM_PATTERN, getQuery: return the fields of a query, those of one name together; None: there are none."""
    cdef dict fields = {}
    cdef str field, name
    for field in query.split("&"):
        field = field.lstrip("=")
        if field:
            name = field.partition("=")[0]
            fields.setdefault(name, []).append(field)
    return "&".join([field for values in fields.values() for field in values]) if fields else None


PROGRAMS = (
    Program("java.net.URI", "JDK, new URI(text)", ("17.0.15", "26.0.2"), java_uri),
    Program("java.net.URL", "JDK, new URL(text)", ("17.0.15", "26.0.2"), java_url),
    Program("okhttp", "OkHttp, HttpUrl.get(text)", ("3.13.1",), okhttp),
    Program("spring", "Spring, UriComponentsBuilder.fromUriString(text).build()", ("4.3.30",), spring),
)
