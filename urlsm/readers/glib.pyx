"""GLib: g_uri_split (glib/guri.c), plain, relaxed, and with libsoup's flags; host names by glib/ghostutils.c."""
from unicodedata import category, normalize
from libc.stdint cimport uint8_t, uint32_t
from urlsm.octets.chars cimport ALPHA, CLASS, DIGIT, HEX, SCHEME_CHAR
from urlsm.readers.ages cimport is_newer_point, lowered as lowered_in
from urlsm.readers.forms cimport (
    decimal_port, decoded, escaped, first_of, has_bad_escape, kept, octets, utf8_or_none, uts46,
)
from urlsm.readers.programs import Program

cdef enum:
    RELAXED = 1                # G_URI_FLAGS_PARSE_RELAXED
    ENCODED = 2                # G_URI_FLAGS_ENCODED_PATH, _QUERY, _FRAGMENT
    SCHEME_NORMALIZE = 4       # G_URI_FLAGS_SCHEME_NORMALIZE
    KNOWS_SOCKS = 8            # a scheme that begins with "socks" has a default port
    UNICODE_15 = 16            # the version of Unicode; else it is 17
    SOUP = RELAXED | ENCODED | SCHEME_NORMALIZE
    SINCE_SOCKS = 27500        # KNOWS_SOCKS: after 2.74
    MAX_HOST = 1021            # g_hostname_to_ascii: "4 * MAX (255, hostname_max_length_bytes)"
    MAX_LABEL = 63

cdef dict PORTS = {"http": "80", "ws": "80", "https": "443", "wss": "443", "ftp": "21"}  # default_scheme_port
cdef bytes SPACES = b" \t\n\r\f"
cdef bytes VISIBLE = kept("".join(map(chr, range(0x21, 0x7F))), False)
# idna_is_junk, RFC 3454 table B.1
cdef frozenset JUNK = frozenset(
    "\xad\u1806\u200b\u2060\ufeff\u034f\u180b\u180c\u180d\u200c\u200d" + "".join(map(chr, range(0xFE00, 0xFE10)))
)
cdef frozenset LETTERS = frozenset(("Lu", "Ll", "Lt", "Lm", "Lo"))
cdef frozenset PROHIBITED = frozenset(("Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp", "Zs"))
cdef frozenset ALSO_PROHIBITED = frozenset("\u0340\u0341\ufffc\ufffd" + "".join(map(chr, range(0x2FF0, 0x2FFC))))


cdef str decode(bytes text, int flags):
    """uri_decode: return a text decoded; None: an escape is bad, or the octets are not UTF-8, or one is zero."""
    cdef bytes plain
    if not flags & RELAXED and has_bad_escape(text):
        return None
    plain = decoded(text)
    return None if b"\0" in plain else utf8_or_none(plain)


cdef str normalized(bytes text, int flags):
    """uri_normalize: decode; or with ENCODED, escape what is not visible, and decode escapes of what is unreserved.
    None: it is refused."""
    cdef list parts
    cdef bytes part, octet
    cdef Py_ssize_t k
    if not flags & ENCODED:
        return decode(text, flags)
    parts = escaped(text, VISIBLE).split(b"%")
    for k in range(1, len(parts)):
        part = parts[k]
        octet = decoded(b"%" + part[:2])
        if len(octet) != 1 or len(part) < 2:  # "In non-strict mode, just let it through"
            parts[k] = b"%" + part
        elif octet.isalnum() or octet in b"-._~":
            parts[k] = octet + part[2:]
        else:
            parts[k] = b"%" + part[:2].upper() + part[2:]
    return b"".join(parts).decode()


cdef bint is_ip_address(bytes text) noexcept:
    """g_hostname_is_ip_address: return whether a text is an IPv4 address, or an IPv6 address with or without a zone."""
    cdef const uint8_t* start = <const uint8_t*><const char*>text  # a zero octet ends it
    cdef const uint8_t* p = start
    cdef const uint8_t* end
    cdef int segments = 0, octet
    cdef bint skipped = False, colon = b":" in text
    while colon and p[0] and p[0] != c'%' and segments < 8:
        # "Each segment after the first must be preceded by a ':'"
        if p != start or (p[0] == c':' and p[1] == c':'):
            if p[0] != c':':
                return False
            p += 1
        if p[0] == c':' and not skipped:
            skipped = True
            segments += 1
            if not p[1]:
                p += 1
            continue
        end = p
        while CLASS[end[0]] & HEX:
            end += 1
        if end == p or end > p + 4:
            return False
        if end[0] == c'.':
            if segments == 6 or (segments < 6 and skipped):
                break
            return False
        segments += 1
        p = end
    else:
        if colon:
            return (not p[0] or (p[0] == c'%' and p[1])) and (segments == 8 or skipped)
    # "Parse IPv4: N.N.N.N, where each N <= 255 and doesn't have leading 0s."
    for segments in range(4):
        if segments:
            if p[0] != c'.':
                return False
            p += 1
        octet = 0
        end = p + 1 if p[0] == c'0' else p
        while p[0] != c'0' and CLASS[end[0]] & DIGIT:
            octet = 10 * octet + end[0] - c'0'
            if octet > 255:
                return False
            end += 1
        if end == p:
            return False
        p = end
    return not p[0]


cdef uint32_t version_of(int flags) noexcept:
    """Return the version of Unicode, times ten."""
    return 150 if flags & UNICODE_15 else 170


cdef str lowered(str text, int flags):
    """g_utf8_strdown: return a text in lower case, if it has a capital. A sigma is final where no letter follows."""
    cdef list kinds, chars
    cdef Py_ssize_t k
    if text.isascii():
        return text.lower()
    kinds, chars = [category(char) for char in text] + [""], list(text)
    for k in range(len(chars)):
        if kinds[k] == "Cn" and lowered_in(chars[k], version_of(flags)) != chars[k]:
            kinds[k] = "Lu"  # the interpreter's Unicode is older
    if "Lu" not in kinds:
        return text
    for k in range(len(chars)):
        if chars[k] == "\u03a3":
            chars[k] = "\u03c3" if kinds[k + 1] in LETTERS else "\u03c2"
        elif kinds[k] in ("Lu", "Lt"):
            chars[k] = lowered_in(chars[k], version_of(flags))
    return "".join(chars)


cdef str nfkc(str name, int flags):
    """Return a name in NFKC. What the interpreter's Unicode does not have is mapped by UTS 46."""
    cdef list chars = list(name)
    cdef object found
    cdef Py_ssize_t k
    for k in range(len(chars)):
        if category(chars[k]) == "Cn" and is_newer_point(ord(chars[k]), 130) \
                and not is_newer_point(ord(chars[k]), version_of(flags)):
            found = uts46(chars[k], True)
            if isinstance(found, str) and found:
                chars[k] = found
    return normalize("NFKC", "".join(chars))


cdef bint is_prohibited(Py_UCS4 char, int flags) except -1:
    """Return whether a name must not have a code point: a control, a space, or one that is not assigned."""
    cdef str kind
    if char < 0x80:
        return char <= c' ' or char == 0x7F
    kind = category(char)
    if is_newer_point(char, version_of(flags)):
        return True
    if kind == "Cn" and is_newer_point(char, 130):  # the interpreter's Unicode is older
        return 0x13430 <= char <= 0x1343F  # of these, only the hieroglyphic controls are no letters, marks or symbols
    return kind in PROHIBITED or char in ALSO_PROHIBITED


cdef str to_ascii(str host, int flags):
    """g_hostname_to_ascii: return a host in ASCII; None: it is refused."""
    cdef str name, label, out
    cdef list labels = []
    if len(host.encode()) > MAX_HOST:
        return None
    # nameprep
    name = lowered("".join([char for char in host if char not in JUNK]), flags)
    if name.isascii():
        return name
    name = lowered(nfkc(name, flags), flags)
    for char in name:
        if is_prohibited(char, flags):
            return None
    for label in name.replace("\u3002", ".").split("."):
        out = label
        if not label.isascii():
            if label.startswith("xn--"):
                return None
            out = "xn--" + label.encode("punycode").decode()
        if len(out) > MAX_LABEL:
            return None
        labels.append(out)
    if len(labels) > 1 and not labels[len(labels) - 1]:
        labels.pop()
    return ".".join(labels)


cdef str ip_literal(bytes host, int flags):
    """parse_ip_literal: return a host in brackets without them; None: it is refused."""
    cdef bytes address, zone
    cdef str plain
    if not host.endswith(b"]"):
        return None
    address, percent, zone = host[1:len(host) - 1].partition(b"%")
    if percent:
        if zone.startswith(b"25") and len(zone) > 2:
            zone = zone[2:]
        elif not zone or not flags & RELAXED:
            return None
    if b":" not in address or not is_ip_address(address):
        return None
    plain = address.decode()
    if not percent:
        return plain
    zone_id = decode(zone, flags)
    return None if zone_id is None else f"{plain}%{zone_id}"


cdef str host_of(bytes host, int flags):
    """parse_host: return a host decoded, or in ASCII by IDNA; None: it is refused."""
    cdef str plain
    if host.startswith(b"["):
        return ip_literal(host, flags)
    if host[:1].isdigit() and is_ip_address(host):
        return host.decode()
    plain = decode(host, flags)
    # "You're not allowed to %-encode an IP address"
    if plain is None or is_ip_address(plain.encode()):
        return None
    return plain if plain.isascii() else to_ascii(plain, flags)


cdef bytes cleaned(bytes text):
    """uri_cleanup: return a text without white space around it, without tabs and line ends, and with spaces escaped."""
    if first_of(text, 0, len(text), b" \t\n\r") == len(text):
        return text
    return text.strip(SPACES).translate(None, b"\t\n\r\f").replace(b" ", b"%20")


cdef object split(str text, int flags):
    """g_uri_split_internal: return the components, or what is refused."""
    cdef bytes uri = octets(text)
    cdef const uint8_t* p
    cdef Py_ssize_t begin = 0, end, at, host_end
    cdef int number
    cdef str scheme = None, userinfo = None, host = None, port = None, path, query = None, fragment = None
    if b"\0" in uri:
        return "characters"
    if flags & RELAXED:
        uri = cleaned(uri)
    p = <const uint8_t*><const char*>uri
    if CLASS[p[0]] & ALPHA:
        end = 1
        while CLASS[p[end]] & SCHEME_CHAR:
            end += 1
        if p[end] == c':':
            scheme = uri[:end].decode().lower()
            begin = end + 1
    if uri[begin:begin + 2] == b"//":
        begin += 2
        end = first_of(uri, begin, len(uri), b"/?#")
        at = uri.rfind(b"@", begin, end) if flags & RELAXED else uri.find(b"@", begin, end)
        if at >= 0:
            userinfo = decode(uri[begin:at], flags)
            if userinfo is None:
                return "userinfo"
            begin = at + 1
        if flags & RELAXED:
            end = first_of(uri, begin, end, b";")
        host_end = begin
        if uri[begin:begin + 1] == b"[":
            host_end = uri.find(b"]", begin, end) + 1
            if host_end == 0 or uri[host_end:host_end + 1] != b":":
                host_end = end
        host_end = first_of(uri, host_end, end, b":")
        host = host_of(uri[begin:host_end], flags)
        if host is None:
            return "host"
        if host_end < end - 1:
            number = decimal_port(uri[host_end + 1:end])
            if number < 0:
                return "port"
            port = str(number)
        begin = end
    end = first_of(uri, begin, len(uri), b"#")
    if end < len(uri):
        fragment = normalized(uri[end + 1:], flags)
        if fragment is None:
            return "fragment"
    at = uri.find(b"?", begin, end)
    if at >= 0:
        query = normalized(uri[at + 1:end], flags)
        if query is None:
            return "query"
        end = at
    path = normalized(uri[begin:end], flags)
    if path is None:
        return "path"
    if flags & SCHEME_NORMALIZE and scheme is not None:
        if not path and scheme in PORTS and scheme != "ftp":  # should_normalize_empty_path
            path = "/"
        if port is None:
            port = "1080" if flags & KNOWS_SOCKS and scheme.startswith("socks") else PORTS.get(scheme)
    return scheme, userinfo, host, port, path, query, fragment


def read_glib(str text, int release):
    return split(text, UNICODE_15 if release < SINCE_SOCKS else 0)


def read_relaxed(str text, int release):
    return split(text, RELAXED | UNICODE_15 if release < SINCE_SOCKS else RELAXED)


def read_soup(str text, int release):
    return split(text, SOUP | (KNOWS_SOCKS if release >= SINCE_SOCKS else UNICODE_15))


RELEASES = ("2.74.4", "2.90.1")
PROGRAMS = (
    Program("glib", "GLib, g_uri_split(G_URI_FLAGS_NONE)", RELEASES, read_glib),
    Program("glib-relaxed", "GLib, g_uri_split(G_URI_FLAGS_PARSE_RELAXED)", RELEASES, read_relaxed),
    Program("soup", "GLib, g_uri_split with SOUP_HTTP_URI_FLAGS of libsoup 3", RELEASES, read_soup),
)
