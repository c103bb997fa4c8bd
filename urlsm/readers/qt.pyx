"""Qt's QUrl, tolerant and strict: the components as its getters give them, fully encoded.

QUrl parses into decoded components and encodes them again; here that is one pass. The numbers of addresses are read as
C's strtoull reads them.
"""
from libc.stdint cimport uint32_t, uint64_t, uint8_t
from unicodedata import category, combining, normalize
from urlsm.octets.buffer cimport Buffer, buffer_copy, buffer_free, buffer_put, buffer_start, utf8_text
from urlsm.octets.chars cimport ALPHA, CLASS, DIGIT, HEX
from urlsm.octets.text cimport hex_value, octet_escaped
from urlsm.readers.ages cimport is_newer
from urlsm.readers.forms cimport dotted, has_bad_escape, ipv6_text, utf8_or_none, uts46, with_full_stops
from urlsm.readers.programs import Program

cdef extern from "unicode/label.h" nogil:
    const int MARK "URLSM_IDNA_V6"
    const int DISALLOWED "URLSM_IDNA_V7"
    const int JOINERS "URLSM_IDNA_V8"
    const int LABEL_TOO_LONG "URLSM_IDNA_LABEL_TOO_LONG"

cdef enum:
    LABEL_MAX = 63
    VIRAMA = 9
    UNICODE = 170       # the version that Qt has, times ten
    PRETTY = 1          # recoded: spaces and octets beyond ASCII are decoded
    DECODED_COLON = 2   # recoded, with PRETTY: ":" is decoded, too


# --- escapes: qurlrecode.cpp -----------------------------------------------------------------------

cdef enum Action:
    DECODE
    LEAVE
    ENCODE

cdef Action[128] ACTIONS  # defaultActionTable

for _octet in range(128):
    ACTIONS[_octet] = (DECODE if chr(_octet).isalnum() or chr(_octet) in "-._~"
                       else LEAVE if chr(_octet) in "!#$&'()*+,/:;=?@[]" else ENCODE)


cdef bytes as_utf8(str text):
    """Return a text in UTF-8, and lone surrogates likewise; two that are a pair are one character."""
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        pass
    text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    return text.encode("utf-8", "surrogatepass")


cdef bytes decoded_sequence(const uint8_t* p, Py_ssize_t n):
    """encodedUtf8ToUtf16: return the octets of a character whose escapes p[0:n] begins with; else None."""
    cdef int octet = octet_escaped(p, n)
    cdef uint8_t octets[4]
    cdef bytes found
    cdef Py_ssize_t count = 2 if octet < 0xE0 else 3 if octet < 0xF0 else 4, k
    if not 0xC2 <= octet < 0xF5 or n < 3 * count:
        return None
    for k in range(count):
        octet = octet_escaped(p + 3 * k, 3)
        if octet < 0:
            return None
        octets[k] = <uint8_t>octet
    found = octets[:count]
    char = utf8_or_none(found)
    if char is None:
        return None
    point = ord(char)
    return None if point & 0xFFFE == 0xFFFE or 0xFDD0 <= point <= 0xFDEF else found


cdef str recoded(str text, bytes encoded=b"", int flags=0):
    """qt_urlRecode: return a text with its escapes in normal form. If one "%" begins no escape, all are written "%25".
    encoded: octets to encode besides those of the default table. flags: PRETTY for the form that is stored; without it,
    as all is encoded."""
    cdef bytes octets = as_utf8(text), sequence
    cdef const uint8_t* p = octets
    cdef const uint8_t* digits = b"0123456789ABCDEF"
    cdef const uint8_t* more = encoded
    cdef Py_ssize_t k = 0, n = len(octets), m = len(encoded), j
    cdef int octet
    cdef bint malformed = has_bad_escape(octets), is_coded
    cdef Action action
    cdef Buffer b
    buffer_start(&b)
    try:
        while k < n:
            is_coded = p[k] == c"%" and not malformed
            octet = octet_escaped(p + k, n - k) if is_coded else p[k]
            if octet >= 0x80:
                if flags & PRETTY:
                    sequence = decoded_sequence(p + k, n - k) if is_coded else octets[k:k + 1]
                    if sequence is not None:
                        buffer_copy(&b, sequence, len(sequence))
                        k += 3 * len(sequence) if is_coded else 1
                        continue
                action = LEAVE if is_coded else ENCODE
            elif octet < 0x20:
                action = ENCODE
            else:
                action = ACTIONS[octet]
                if flags & PRETTY and (octet == c" " or (octet == c":" and flags & DECODED_COLON)):
                    action = DECODE
                for j in range(m):
                    if more[j] == octet:
                        action = ENCODE
            if action == DECODE or (action == LEAVE and not is_coded):
                buffer_put(&b, octet)
            else:
                buffer_put(&b, c"%")
                buffer_put(&b, digits[octet >> 4])
                buffer_put(&b, digits[octet & 15])
            k += 3 if is_coded else 1
        return utf8_text(b.p, b.n)
    finally:
        buffer_free(&b)


# --- addresses: qipaddress.cpp ---------------------------------------------------------------------

cdef bint read_number(const uint8_t* text, Py_ssize_t* at, Py_ssize_t end, uint32_t base, uint64_t* value) noexcept:
    """qstrntoull: read a number from text[at:end], after white space and "+"; base 0 is that of its prefix. Move `at`
    past it. Return False if there is none, or it is too large."""
    cdef Py_ssize_t k = at[0], start
    cdef uint32_t digit
    while k < end and (text[k] == c" " or 0x09 <= text[k] <= 0x0D):
        k += 1
    if k < end and text[k] == c"+":
        k += 1
    if k < end and text[k] == c"0" and k + 1 < end and text[k + 1] | 0x20 == c"x" and base in (0, 16):
        base = 16
        k += 2
    elif k < end and text[k] == c"0" and k + 1 < end and text[k + 1] | 0x20 == c"b" and base == 0:
        base = 2
        k += 2
    elif base == 0:
        if k == end or not CLASS[text[k]] & DIGIT:
            return False
        base = 8 if text[k] == c"0" else 10
    start = k
    value[0] = 0
    while k < end and CLASS[text[k]] & HEX:
        digit = hex_value(text[k])
        if digit >= base:
            break
        value[0] = min(value[0] * base + digit, <uint64_t>1 << 40)  # no more is ever accepted
        k += 1
    at[0] = k
    return k > start


cdef object ipv4_at(const uint8_t* p, Py_ssize_t end, bint leading_zeros):
    """parseIp4Internal: return the address that is all of p[0:end], which ends at the first NUL; else None."""
    cdef Py_ssize_t k = 0
    cdef int dots = 0
    cdef uint64_t value = 0, address = 0
    while True:
        if not leading_zeros and p[k] == c"0" and p[k + 1] != c"." and p[k + 1] != 0:
            return None
        if not read_number(p, &k, end, 0, &value) or value > 0xFFFFFFFF:
            return None
        if p[k] == c"." or dots == 3:
            if value > 0xFF:
                return None
            address <<= 8
        elif dots == 2:
            if value > 0xFFFF:
                return None
            address <<= 16
        elif dots == 1:
            if value > 0xFFFFFF:
                return None
            address <<= 24
        address |= value
        if dots == 3 or p[k] == 0:
            return address if p[k] == 0 else None
        if p[k] != c".":
            return None
        dots += 1
        k += 1


cdef str ipv4(str host):
    """parseIp4: return a host as an IPv4 address; None if it is none."""
    cdef bytes text
    if not host.isascii() or not host or host[0] > "9" or "\x7f" in host:
        return None
    text = host.encode("ascii")
    address = ipv4_at(text, len(text.partition(b"\0")[0]), True)
    return None if address is None else dotted(address)


cdef str ipv6(str host):
    """QIPAddressUtils::parseIp6: return a host as an IPv6 address; None if it is none."""
    cdef bytes text
    cdef const uint8_t* p
    cdef uint8_t address[16]
    cdef Py_ssize_t n = len(host), k = 0, end, colons, dots
    cdef int zeros, pos = 0, j
    cdef uint64_t value = 0
    if not host.isascii() or "\x7f" in host or not n:
        return None
    text = host.encode("ascii")
    p = text
    colons, dots = text.partition(b"\0")[0].count(b":"), text.partition(b"\0")[0].count(b".")
    if dots != 0 and dots != 3:
        return None
    if colons == 2 and n == 2:
        return "::"
    if text.startswith(b"::") or text.endswith(b"::"):
        zeros = 9 - colons
    elif colons < 2 or colons > 7:
        return None
    else:
        zeros = 8 - colons
    if dots:
        zeros -= 1
    for j in range(16):
        address[j] = 0
    while pos < 15:
        if p[k] == c":":
            if zeros < 1:
                return None
            if pos == 0 or pos == colons * 2:
                if p[k + 1] != c":":
                    return None
                k += 1
            pos += zeros * 2
            zeros = 0
            k += 1
            continue
        end = k
        if not read_number(p, &end, n, 16, &value) or end > k + 4:
            return None
        if p[end] == c".":
            quad = ipv4_at(p + k, len(text[k:].partition(b"\0")[0]), False) if pos == 12 else None
            if quad is None:
                return None
            for j in range(4):
                address[12 + j] = quad >> 8 * (3 - j) & 0xFF
            pos = 16
            break
        address[pos], address[pos + 1] = value >> 8, value & 0xFF
        pos += 2
        if p[end] == 0:
            break
        if p[end] != c":":
            return None
        k = end + 1
    if pos != 16:
        return None
    return ipv6_text(address[:16], True)


# --- domains: qurlidna.cpp -------------------------------------------------------------------------

# top-level domains below which a domain is stored decoded (idn_whitelist); "" is found by chance
cdef frozenset DECODED_BELOW = frozenset((
    "", "ac", "ar", "asia", "at", "biz", "br", "cat", "ch", "cl", "cn", "com", "de", "dk", "es", "fi", "gr", "hu", "il",
    "info", "io", "is", "ir", "jp", "kr", "li", "lt", "lu", "lv", "museum", "name", "net", "no", "nu", "nz", "org",
    "pl", "pr", "se", "sh", "tel", "th", "tm", "tw", "ua", "vn", "xn--fiqs8s", "xn--fiqz9s", "xn--fzc2c9e2c",
    "xn--j6w193g", "xn--kprw13d", "xn--kpry57d", "xn--mgba3a4f16a", "xn--mgba3a4fra", "xn--mgbaam7a8h",
    "xn--mgbayh7gpa", "xn--mgberp4a5d4ar", "xn--ogbpf8fl", "xn--p1ai", "xn--wgbh1c", "xn--wgbl6a", "xn--xkc2al3hye2a"))
# what joins on the left (Joining_Type=L)
cdef frozenset JOINING_LEFT = frozenset("\ua872\U00010acd\U00010ad7\U00010d00\U00010fcb")


cdef bint is_ascii_label(str label) except -1:
    """validateAsciiLabel: return whether a label in lower case is letters, digits, "_" and inner hyphens."""
    cdef Py_UCS4 char
    if not 0 < len(label) <= LABEL_MAX or label[0] == "-" or label[len(label) - 1] == "-":
        return False
    for char in label:
        if not (char == c"-" or char == c"_" or c"0" <= char <= c"9" or c"a" <= char <= c"z"):
            return False
    return True


cdef str mapped(str char):
    """mapDomainName: return what a character is mapped to; None if it is not allowed."""
    cdef object found
    if char.isascii():
        return char.lower()
    found = uts46("\u4e00" + char, True)  # so that it does not come first in a label
    if isinstance(found, str):
        return found[1:]
    if found == DISALLOWED:
        return None
    found = uts46(f"\u05d0{char}\u05d0", True)  # it is written from right to left
    return found[1:len(found) - 1] if isinstance(found, str) else char


cdef bint meets_joiner_rules(str label) except -1:
    """checkContextJRules: return whether a label meets the rules of joiners. What follows U+200C is not looked at, but
    for the end of the label."""
    cdef bint joins = False, open_ended = False, after_virama = False
    cdef str char
    if len(label) > 2 * LABEL_MAX or category(label[0])[0] == "M":
        return False
    for char in label:
        if char == "\u200d":
            if not after_virama:
                return False
            joins = open_ended = False
        elif char == "\u200c":
            if not after_virama and not joins:
                return False
            joins, open_ended = False, not after_virama
        elif open_ended and char in JOINING_LEFT:
            return False
        elif uts46(f"a{char}\u200c\u0628", True) != JOINERS and combining(char) != VIRAMA:
            joins, open_ended = True, False
        elif uts46(f"\u0628{char}\u200c\u0628", True) == JOINERS:  # not transparent
            joins = open_ended = False
        after_virama = combining(char) == VIRAMA
    return not open_ended


cdef bint is_hyphenated(str label) except -1:
    """Return whether the third and fourth units of UTF-16 are "--"."""
    if len(label) < 3:
        return False
    if label[0] > 0xFFFF:
        return label[1:3] == "--"
    return label[1] <= 0xFFFF and label[2:4] == "--"


cdef str label_in_ascii(str label):
    """checkUnicodeName, convertToAscii: return a label of a domain that is not ASCII; None if it is refused."""
    cdef object shown = label.lower() if label.isascii() else uts46(label, True), rule = shown
    cdef list chars
    cdef str joined
    if not isinstance(shown, str):
        chars = [mapped(char) for char in label] if rule != LABEL_TOO_LONG else [None]
        if None in chars:
            return None
        joined = "".join(chars)
        if len(joined) > 4 * LABEL_MAX:  # NFC makes one code point of at most four, so the label stays too long
            return None
        shown = normalize("NFC", joined)
        if not shown.isascii() and (rule == MARK or (rule == JOINERS and not meets_joiner_rules(shown))):
            return None
    if not shown:
        return shown
    if is_hyphenated(shown) and not (shown[:2] == "xn" and is_ascii_label(shown)):
        return None
    if shown[0] == "-" or shown[len(shown) - 1] == "-":
        return None
    return shown if shown.isascii() else "xn--" + shown.encode("punycode").decode("ascii")


cdef str decoded_label(str label):
    """qt_punycodeDecoder: return a label in Unicode; "" if it does not decode. Its last number may lack its end."""
    cdef list output
    cdef uint64_t n = 0x80, i = 0, old, weight, digit, threshold, step, bias = 72, delta, length
    cdef Py_ssize_t k = label.rfind("-") + 1
    if label[:4] != "xn--":
        return label
    output = list(label[4:k - 1]) if k > 4 else []
    while k < len(label):
        old, weight, step = i, 1, 36
        while k < len(label):
            if c"0" <= label[k] <= c"9":
                digit = <uint64_t>label[k] - 22
            elif c"a" <= label[k] <= c"z":
                digit = <uint64_t>label[k] - c"a"
            else:
                return ""
            k += 1
            i += digit * weight
            if digit * weight > 0xFFFFFFFF or i > 0xFFFFFFFF:
                return ""
            threshold = 1 if step <= bias else 26 if step >= bias + 26 else step - bias
            if digit < threshold:
                break
            weight *= 36 - threshold
            if weight > 0xFFFFFFFF:
                return ""
            step += 36
        length = len(output) + 1
        delta = (i - old) // 700 if old == 0 else (i - old) // 2
        delta += delta // length
        bias = 0
        while delta > 455:
            delta //= 35
            bias += 36
        bias += 36 * delta // (delta + 38)
        n += i // length
        i %= length
        if n > 0x10FFFF or 0xD800 <= n <= 0xDFFF:
            return ""
        output.insert(i, chr(n))
        i += 1
    return "".join(output)


cdef str canonical(str domain):
    """convertToUnicode: return a domain in ASCII as it is after it was decoded, if it decodes."""
    cdef list labels = [decoded_label(label) if label else label for label in domain.split(".")]
    cdef str shown = ".".join(labels), label
    for label in labels[:len(labels) - 1]:
        if not label:
            return domain
    for label in labels:
        if is_hyphenated(label) or label[:1] == "-" or label[len(label) - 1:] == "-":
            return domain
    if uts46(shown, True) != shown or is_newer(shown, UNICODE):
        return domain
    return ".".join([label if label.isascii() else "xn--" + label.encode("punycode").decode("ascii")
                     for label in labels])


cdef str domain_in_ascii(str domain):
    """qt_ACE_do: return a domain as it is stored, in ASCII; None if it is refused."""
    cdef str found, label
    cdef list labels
    if domain.isascii():
        found = domain.lower()
        labels = found.split(".")
    else:
        if is_newer(domain, UNICODE):
            return None
        found = with_full_stops(domain)
        labels = [label_in_ascii(label) for label in found.split(".")]
        if None in labels:
            return None
        found = ".".join(labels)
    if not labels[len(labels) - 1]:
        labels.pop()
    if not labels:
        return None
    for label in labels:
        if not is_ascii_label(label):
            return None
    if "xn--" in found and "." in found and found.rpartition(".")[2] in DECODED_BELOW:
        found = canonical(found)
    return found


# --- the URL: qurl.cpp -----------------------------------------------------------------------------

cdef frozenset FUTURE = frozenset("!$&'()*+,;=:-._~\0")  # with strchr's end of the text


cdef str literal(str host, bint tolerant):
    """parseIpFuture, parseIp6: return a host in brackets without them; None if it is refused."""
    cdef str text = host[1:len(host) - 1], zone = "", _mark, rest
    cdef Py_ssize_t at
    if text[:1] == "v":
        if len(host) <= 5 or text[2] != "." or not (text[1].isascii() and text[1] in "0123456789abcdefABCDEF"):
            return None
        rest = text[3:]
        if tolerant and "%" in rest:
            rest = fully_decoded(rest)
        for char in rest:
            if not (char.isascii() and char.isalnum()) and char not in FUTURE:
                return None
        return recoded(f"v{text[1].upper()}.{rest}")
    if tolerant:
        text = recoded(text, b"", PRETTY | DECODED_COLON)
    at = text.find("%25")
    if at >= 0 and text.rfind("%25") == at:
        text, _mark, zone = text.partition("%25")
        if not zone:
            return None
    text = ipv6(text)
    return text if text is None or not zone else recoded(f"{text}%25{zone}")


cdef str fully_decoded(str text):
    """decode of qurlrecode.cpp: return a text decoded, or as it is if an escape is malformed."""
    cdef list parts = text.split("%"), found = [parts[0]]
    cdef str part
    cdef Py_ssize_t k
    for k in range(1, len(parts)):
        part = parts[k]
        if len(part) < 2 or part[:2].strip("0123456789abcdefABCDEF"):
            return text
        found.append(chr(int(part[:2], 16)))
        found.append(part[2:])
    return "".join(found)


cdef bint is_recoded(str text) noexcept:
    """Return whether a host has a character that `recoded` changes."""
    cdef Py_UCS4 char
    for char in text:
        if char < 0x80 and char != c" " and ACTIONS[char] == ENCODE:
            return True
    return False


cdef str host_of(str text, bint tolerant):
    """setHost, appendHost: return a host that is not empty; None if it is refused."""
    cdef str found
    if text[0] == "[":
        return literal(text, tolerant) if text[len(text) - 1] == "]" and len(text) > 1 else None
    found = ipv4(text)
    if found is not None:
        return found
    if tolerant and is_recoded(text):
        text = recoded(text, b"", PRETTY)
        if not text or "%" in text:
            return None
        found = ipv4(text)
        if found is not None:
            return found
    text = domain_in_ascii(text)
    if text is None:
        return None
    found = ipv4(text)
    return text if found is None else found


cdef bint is_strict(str text, str forbidden) except -1:
    """validateComponent: return whether a component has no character that it must not have, and only valid escapes."""
    cdef Py_UCS4 char
    cdef Py_ssize_t k, n = len(text)
    for k in range(n):
        char = text[k]
        if char >= 0x80:
            continue
        if char <= 0x20 or char in "\"<>\\^`{|}\x7f" or char in forbidden:
            return False
        if char == c"%" and not (k + 2 < n and is_hex(text[k + 1]) and is_hex(text[k + 2])):
            return False
    return True


cdef bint is_hex(Py_UCS4 char) noexcept:
    """isHex: return whether the low octet of a unit of UTF-16 is a hex digit."""
    cdef uint32_t low = (<uint32_t>char & 0xFF) | 0x20
    return char <= 0xFFFF and (c"0" <= low <= c"9" or c"a" <= low <= c"f")


cdef object read(str text, bint tolerant):
    """QUrlPrivate::parse, validityError, and the getters: return the components, or what is refused."""
    cdef str rest = text, scheme = "", userinfo = None, username, password, mark, host = "", port = None, path
    cdef str query = None, fragment = None, authority
    cdef Py_ssize_t at, end
    cdef bint has_authority = False, is_shown = False
    if rest[:1] == "\ufeff":  # PySide's QString::fromUtf16 drops a byte order mark
        rest = rest[1:]
    at = rest.find("#")
    if at >= 0:
        rest, fragment = rest[:at], rest[at + 1:]
    at = rest.find("?")
    if at >= 0:
        rest, query = rest[:at], rest[at + 1:]
    at = rest.find(":")
    if at > 0 and is_scheme(rest, at):
        scheme, rest = rest[:at].lower(), rest[at + 1:]
    path = rest
    if rest[:2] == "//":
        has_authority = True
        end = rest.find("/", 2)
        authority, path = (rest[2:end], rest[end:]) if end >= 0 else (rest[2:], "")
        at = authority.find("@")
        if at >= 0:  # setUserInfo
            if not tolerant and not is_strict(authority[:at], "/?#[]@"):
                return "userinfo"
            username, mark, password = authority[:at].partition(":")
            userinfo = recoded(username, b":@][/?#")
            if mark:
                userinfo = f"{userinfo}:{recoded(password, b'@][/?#')}"
            is_shown = True
            authority = authority[at + 1:]
        at = authority.rfind(":")
        if at >= 0 and authority[0] == "[":
            end = authority.find("]")
            if end < 0 or end > at:
                at = -1
        if at >= 0:
            port = authority[at + 1:]
            authority = authority[:at]
            if port:
                at = port_number(port)
                if at < 0:
                    return "port"
                port = str(at)
                is_shown = True
            else:
                port = None
        if authority:
            host = host_of(authority, tolerant)
            if host is None or (not tolerant and not is_strict(authority, "")):
                return "host"
            is_shown = True
    if not (scheme or has_authority or path or query is not None or fragment is not None):
        return "empty"
    if not tolerant and not (is_strict(path, "") and (query is None or is_strict(query, ""))
                             and (fragment is None or is_strict(fragment, ""))):
        return "characters"
    if not (scheme or has_authority) and ":" in path.partition("/")[0]:
        return "path"
    return (
        scheme, userinfo or None, host if is_shown else None, port, recoded(path, b"?#"),
        None if query is None else recoded(query, b"#"), None if fragment is None else recoded(fragment, b"#"),
    )


cdef bint is_scheme(str text, Py_ssize_t end) except -1:
    """setScheme: return whether text[:end] is a scheme by RFC 3986."""
    cdef Py_ssize_t k
    for k in range(end):
        if not (text[k] < 0x80 and (CLASS[text[k]] & ALPHA or (k and (CLASS[text[k]] & DIGIT or text[k] in "+-.")))):
            return False
    return True


cdef Py_ssize_t port_number(str text) except -2:
    """setAuthority: return the number that digits are modulo 2^64; -1: it is refused."""
    cdef uint64_t value = 0
    cdef Py_UCS4 char
    for char in text:
        if not c"0" <= char <= c"9":
            return -1
        value = value * 10 + (<uint32_t>char - c"0")
    return value if value <= 0xFFFF else -1


def read_tolerant(str text, int release):
    return read(text, True)


def read_strict(str text, int release):
    return read(text, False)


PROGRAMS = (
    Program("qt-tolerant", "Qt, QUrl(text)", ("6.12.0",), read_tolerant),
    Program("qt-strict", "Qt, QUrl(text, QUrl.StrictMode)", ("6.12.0",), read_strict),
)
