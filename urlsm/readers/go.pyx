"""Go's net/url, and the address that net/http's client dials. Docstrings name functions of net/url/url.go. The rules
are those of a module whose go.mod names the same release: without one, Go reads as releases before 1.26 did."""
from unicodedata import bidirectional
from libc.stdint cimport uint32_t, uint8_t
from urlsm.octets.chars cimport ALPHA, CLASS, DIGIT, HEX, SCHEME_CHAR
from urlsm.readers.ages cimport is_newer, is_newly_allowed
from urlsm.readers.forms cimport decoded, ipv6_address, nfkc, octets, text_of, texts_of, uts46, with_full_stops
from urlsm.readers.programs import Program

cdef enum:
    # the first release of each rule
    BRACKETS_ARE_IPV6 = 12502  # in brackets is an IPv6 address (CVE-2025-47912), and only at the start (CVE-2026-25679)
    ONE_COLON = 12600          # urlstrictcolons: a host of http or https has one colon
    NO_ASCII_CODED = 12600     # an xn-- label is not ASCII once it is decoded (it came after 1.19)
    UNICODE_15 = 12100         # before it, Unicode 13
    UNICODE_17 = 12700         # UTS 46 as of Unicode 17: no rule for sharp S; STD 3 is checked only after normalisation

cdef enum Mode:  # what is unescaped: encodeHost, encodeZone, or what may have any escape
    HOST
    ZONE
    OTHER

cdef bytes ALNUM = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
cdef bytes USERINFO = ALNUM + b"-._:~!$&'()*+,;=%@"
cdef bytes HOST_OCTETS = ALNUM + b"-_.~!$&'()*+,;=:[]<>\""
cdef frozenset SYMBOLS = frozenset("ℵℶℷℸ"), RIGHT_TO_LEFT = frozenset(("R", "AL", "AN"))
cdef frozenset NOT_STD3 = frozenset("\u2260\u226e\u226f")  # "=", "<" and ">" with a stroke, until Unicode 17


cdef class Parsed:
    """url.URL, in octets."""
    cdef bytes scheme, opaque, username, password, host, path, query, fragment


cdef object parsed(bytes text, int release):
    """Parse, parse: return a text as a Parsed, or what is refused."""
    cdef Parsed url = Parsed()
    cdef bytes rest, authority, mark, fragment
    cdef str refusal
    text, _, fragment = text.partition(b"#")
    if has_controls(text):
        return "characters"
    url.scheme = url.opaque = url.host = b""
    if text == b"*":
        url.path = text
    else:
        rest = scheme_cut(text, url)
        if rest is None:
            return "scheme"
        rest, mark, url.query = rest.partition(b"?")
        if not mark:
            url.query = None
        if rest[:1] != b"/":
            if url.scheme:
                url.opaque, url.path = rest, b""
                url.fragment = unescaped(fragment, OTHER)
                return url if url.fragment is not None else "fragment"
            if b":" in rest.partition(b"/")[0]:
                return "scheme"
        if rest[:2] == b"//" and (url.scheme or rest[:3] != b"///"):
            authority, mark, rest = rest[2:].partition(b"/")
            refusal = read_authority(url, authority, release)
            if refusal is not None:
                return refusal
            rest = mark + rest
        url.path = unescaped(rest, OTHER)
        if url.path is None:
            return "path"
    url.fragment = unescaped(fragment, OTHER)
    return url if url.fragment is not None else "fragment"


cdef bint has_controls(bytes text) noexcept:
    """stringContainsCTLByte: return whether a text has a control character."""
    cdef uint8_t octet
    for octet in text:
        if octet < 0x20 or octet == 0x7F:
            return True
    return False


cdef bytes scheme_cut(bytes text, Parsed url):
    """getScheme: set the scheme, and return what follows it; None if there is nothing before its colon."""
    cdef const uint8_t* p = text
    cdef Py_ssize_t k, n = len(text)
    for k in range(n):
        if p[k] == c":":
            if not k:
                return None
            url.scheme = text[:k].lower()
            return text[k + 1:]
        if not CLASS[p[k]] & (ALPHA if k == 0 else SCHEME_CHAR):
            break
    return text


cdef str read_authority(Parsed url, bytes authority, int release):
    """parseAuthority: set the host and the userinfo. Return what is refused, or None."""
    cdef bytes userinfo, at, colon, host, password
    userinfo, at, host = authority.rpartition(b"@")
    url.host = host_with_port(url.scheme, host, release)
    if url.host is None:
        return "host"
    if not at:
        return None
    if userinfo.translate(None, USERINFO):
        return "userinfo"
    userinfo, colon, password = userinfo.partition(b":")
    url.username = unescaped(userinfo, OTHER)
    if colon:
        url.password = unescaped(password, OTHER)
    return "userinfo" if url.username is None or colon and url.password is None else None


cdef bytes host_with_port(bytes scheme, bytes host, int release):
    """parseHost: return the host with its port, decoded. None: it is refused."""
    cdef Py_ssize_t opening = host.rfind(b"["), closing, colon
    cdef bytes inside, address, zone
    if release >= BRACKETS_ARE_IPV6 and opening > 0:
        return None
    if host[:1] == b"[":
        closing = host.rfind(b"]")
        if closing < 0 or not is_port(host, closing + 1):
            return None
        inside, mark, zone = host[1:closing].partition(b"%25")
        address = unescaped(inside, HOST)
        zone = unescaped(mark + zone, ZONE)
        if address is None or zone is None:
            return None
        if release >= BRACKETS_ARE_IPV6 and not is_ipv6(address + zone):
            return None
        return b"[" + address + zone + host[closing:]
    colon = host.find(b":") if release >= ONE_COLON and scheme in (b"http", b"https") else host.rfind(b":")
    if colon >= 0 and not is_port(host, colon):
        return None
    return unescaped(host, HOST)


cdef bint is_ipv6(bytes text) except -1:
    """netip.ParseAddr: return whether the text is an IPv6 address, if need be with a zone."""
    cdef bytes address, mark, zone
    address, mark, zone = text.partition(b"%")
    return (zone or not mark) and ipv6_address(address) is not None


cdef bint is_port(bytes host, Py_ssize_t at) noexcept:
    """validOptionalPort: return whether host[at:] is empty, or a colon and digits."""
    cdef const uint8_t* p = host
    cdef Py_ssize_t n = len(host)
    if at == n:
        return True
    if p[at] != c":":
        return False
    for at in range(at + 1, n):
        if not CLASS[p[at]] & DIGIT:
            return False
    return True


cdef bytes unescaped(bytes text, Mode mode):
    """unescape: return a text with its escapes decoded. None: an escape or an octet is not allowed there."""
    cdef const uint8_t* p = text
    cdef Py_ssize_t at = text.find(b"%"), n = len(text)
    cdef uint8_t octet
    while at >= 0:
        if at + 2 >= n or not CLASS[p[at + 1]] & HEX or not CLASS[p[at + 2]] & HEX:
            return None
        if mode != OTHER and text[at:at + 3] != b"%25":
            octet = int(text[at + 1:at + 3], 16)
            if octet < 0x80 and (mode == HOST or octet != c" " and octet not in HOST_OCTETS):
                return None
            if mode == ZONE and octet >= 0x80:
                return None
        at = text.find(b"%", at + 3)
    if mode != OTHER:
        for octet in text:
            if octet < 0x80 and octet != c"%" and octet not in HOST_OCTETS:
                return None
    return decoded(text)


cdef tuple split_host_port(bytes host):
    """splitHostPort: return the host without port and brackets, and the port."""
    cdef bytes port = b""
    cdef Py_ssize_t colon = host.rfind(b":")
    if colon >= 0 and is_port(host, colon):
        host, port = host[:colon], host[colon + 1:]
    if host[:1] == b"[" and host[len(host) - 1:] == b"]":
        host = host[1:len(host) - 1]
    return host, port


def read(str text, int release):
    """url.Parse, and http.Client.Get: return the components, or what is refused. What follows a scheme without "/" is
    not Path but Opaque: it is returned as the path, with "opaque:" before it."""
    found = parsed(octets(text), release)
    if isinstance(found, str):
        return found
    cdef Parsed url = found
    cdef bytes userinfo = url.username, host, port
    if url.password is not None:
        userinfo = url.username + b":" + url.password
    host, port = split_host_port(url.host)
    return *texts_of((url.scheme, userinfo, host, port or None, b"opaque:" + url.opaque if url.opaque else url.path,
                      url.query, url.fragment or None)), connected(url, release)


# --- net/http ------------------------------------------------------------------------------------

cdef object connected(Parsed url, int release):
    """http.Client.Get: return the host and port of the address that is dialed, or what is refused. The address itself
    is the host, if it cannot be split again."""
    cdef bytes host = url.host, port
    if url.scheme not in (b"http", b"https"):
        return "scheme"
    if host[len(host) - 1:] == b":":  # NewRequestWithContext: "The host's colon:port should be normalized"
        host = host[:len(host) - 1]
    if not host:
        return "host"
    host, port = split_host_port(host)
    host = looked_up(host, release)
    port = port or (b"80" if url.scheme == b"http" else b"443")  # canonicalAddr
    if b"[" in host or b"]" in host:  # SplitHostPort of JoinHostPort refuses
        joined = b"[%b]:%b" if b":" in host else b"%b:%b"
        return text_of(joined % (host, port)), ""
    return text_of(host), text_of(port)


cdef bytes looked_up(bytes host, int release):
    """idnaASCIIFromURL: return the host in ASCII by idna.Lookup, or as it is if that refuses it."""
    cdef str shown, label, stand_in = ""
    cdef list labels = []
    cdef uint32_t version = 170 if release >= UNICODE_17 else 150 if release >= UNICODE_15 else 130
    if host.isascii():
        return host
    shown = host.decode("utf-8", "replace")
    if release < UNICODE_17:
        shown = scalar_values(host)
        if shown is None or b"\xef\xbf\xbd" in host or not meets_std3(shown) or not NOT_STD3.isdisjoint(shown):
            return host
        shown = shown.replace("\u1e9e", "ss")
        if "\ufffd" in shown:  # it is valid, so another symbol stands for it
            stand_in = next(char for char in map(chr, range(0x2600, 0x2700)) if char not in shown)
            shown = shown.replace("\ufffd", stand_in)
    if is_newly_allowed(shown, version):
        return host
    shown = processed(without_ascii_codings(shown, release))
    if shown is None or not meets_std3(shown) or is_newer(shown, version):
        return host
    if stand_in:
        shown = shown.replace(stand_in, "\ufffd")
    for label in shown.split("."):
        if not are_hyphens_valid(label.encode()):
            return host
        labels.append(label if label.isascii() else "xn--" + label.encode("punycode").decode("ascii"))
    return ".".join(labels).encode("ascii")


# what UTS 46 ignores
cdef dict IGNORED = {point: None for point in (
    0xAD, 0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, *range(0x180B, 0x1810), 0x200B, *range(0x2060, 0x2065),
    *range(0x206A, 0x2070), 0x3164, *range(0xFE00, 0xFE10), 0xFEFF, 0xFFA0, *range(0xE0100, 0xE01F0)
)}


cdef str without_ascii_codings(str domain, int release):
    """decode: return a domain in which an "xn--" label without more is empty; and before NO_ASCII_CODED, one that
    encodes ASCII is this ASCII."""
    cdef list labels = []
    cdef str label, mapped
    if "--" not in domain:
        return domain
    for label in with_full_stops(domain).split("."):
        mapped = nfkc(label.translate(IGNORED)).lower()
        if mapped.isascii() and mapped[:4] == "xn--":
            if len(mapped) == 4:
                label = ""
            elif release < NO_ASCII_CODED and mapped.endswith("-") and len(mapped) > 5:
                label = mapped[4:len(mapped) - 1]
        labels.append(label)
    return ".".join(labels)


cdef bint meets_std3(str text) noexcept:
    """allowedSTD3: return whether ASCII characters of a text, in either case, are letters, digits, "-" and "."."""
    cdef Py_UCS4 char
    for char in text:
        if char < 0x80 and not (CLASS[char] & (ALPHA | DIGIT) or char == c"-" or char == c"."):
            return False
    return True


cdef bint are_hyphens_valid(bytes label) except -1:
    """validateLabel, V2 and V3: return whether hyphens of a label are only where they may be."""
    return not (len(label) > 4 and label[2:4] == b"--" or label.startswith(b"-") or label.endswith(b"-"))


cdef str scalar_values(bytes text):
    """idnaTrie.lookupString before Unicode 17: return a text with U+FFFD for octets that are not UTF-8. None: the text
    ends within a character, which is an error there; the others are not."""
    cdef const uint8_t* p = text
    cdef Py_ssize_t at = 0, n = len(text), size, good
    cdef list parts = []
    while at < n:
        size = 1 if p[at] < 0xC2 or p[at] >= 0xF8 else 2 if p[at] < 0xE0 else 3 if p[at] < 0xF0 else 4
        if at + size > n:
            return None
        good = 1
        while good < size and p[at + good] & 0xC0 == 0x80:
            good += 1
        parts.append(text[at:at + good].decode("utf-8", "ignore") or "\ufffd")
        at += good
    return "".join(parts)


cdef str processed(str domain):
    """Return a domain in Unicode, processed by UTS 46; None: it is refused. RFC 5893 counts if a character runs from
    right to left before it is mapped: four symbols become Hebrew letters, and are none yet."""
    cdef str others
    cdef object found
    if not SYMBOLS.isdisjoint(domain):
        others = "".join([char for char in map(chr, range(0x2600, 0x2700)) if char not in domain])[:len(SYMBOLS)]
        if len(others) == len(SYMBOLS):
            found = uts46(domain.translate(str.maketrans("ℵℶℷℸ", others)), True)
            if isinstance(found, str) and RIGHT_TO_LEFT.isdisjoint(map(bidirectional, found)):
                return found.translate(str.maketrans(others, "אבגד"))
    found = uts46(domain, True)
    return found if isinstance(found, str) else None


PROGRAMS = (Program("go", "Go, net/url.Parse", ("1.19.8", "1.26.10", "1.27.3"), read),)
