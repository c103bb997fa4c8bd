"""Hosts in Mono's System.Uri: where a host of each type ends in a text, and how it is shown. Docstrings name the
methods that functions follow. A label has at most 63 characters, so no step of IDNA takes long."""
from libc.stdint cimport uint32_t
from unicodedata import category, normalize
from urlsm.octets.chars cimport ALPHA, DIGIT, HEX
from urlsm.octets.text cimport among
from urlsm.readers.ages cimport is_newer_point
from urlsm.readers.forms cimport dotted, inet_aton, with_full_stops

cdef frozenset BIDI_CONTROLS = frozenset("\u200e\u200f\u202a\u202b\u202c\u202d\u202e")


cdef str without_bidi_controls(str host):
    """StripBidiControlCharacter: return a host without these."""
    return "".join([char for char in host if char not in BIDI_CONTROLS])


# --- where a host ends -----------------------------------------------------------------------------

cdef Py_ssize_t host_end(str text, Py_ssize_t start, Py_ssize_t end, bint implicit_file) except -1:
    """Return where a host ends at the latest: at a slash, or at ":", "?" or "#" unless the text is a path of a file."""
    for start in range(start, end):
        if is_slash(text[start]) or not implicit_file and text[start] in ":?#":
            return start
    return end


cdef Py_ssize_t domain_end(str text, Py_ssize_t start, Py_ssize_t end, bint implicit_file) except -2:
    """DomainNameHelper.IsValidByIri: return where a domain ends; -1 if it is none."""
    cdef str label
    cdef list labels
    cdef Py_UCS4 char
    cdef Py_ssize_t size
    cdef bint unicode
    end = host_end(text, start, end, implicit_file)
    if end == start:
        return -1
    labels = with_full_stops(text[start:end]).split(".")
    if not labels[len(labels) - 1]:
        labels.pop()
    for label in labels:
        size = 0
        unicode = False
        for char in label:
            size += 1 if char <= 0xFF else 2 if char <= 0xFFFF else 4
            if char < 0xA0 and not (among(char, ALPHA | DIGIT) or char == c"-" or char == c"_"):
                return -1
            unicode = unicode or char >= 0xA0
        if not label or label[0] in "-_" or size + 4 * unicode > 63:
            return -1
    return end


cdef Py_ssize_t unc_end(str text, Py_ssize_t start, Py_ssize_t end, bint implicit_file) except -2:
    """UncNameHelper.IsValid: return where a name ends; -1 if it is none."""
    cdef bint valid = False
    cdef Py_ssize_t k = start
    cdef str char
    end = host_end(text, start, end, implicit_file)
    while k < end:
        char = text[k]
        k += 1
        if char == ".":
            break
        if is_unc_letter(char) or char in "-_":
            valid = True
        elif char not in "0123456789":
            return -1
    if not valid:
        return -1
    while k < end:
        char = text[k]
        if char == ".":
            if not valid or text[k - 1] == c".":
                return -1
            valid = False
        elif char in "-_":
            if not valid:
                return -1
        elif is_unc_letter(char) or char in "0123456789":
            valid = True
        else:
            return -1
        k += 1
    return end if valid or text[k - 1] == c"." else -1


cdef bint is_unc_letter(str char) except -1:
    """Char.IsLetter: return whether a character is a letter. No letter is two units of UTF-16."""
    return char <= "\uffff" and category(char)[0] == "L"


cdef Py_ssize_t ipv4_end(str text, Py_ssize_t start, Py_ssize_t end, bint canonical, bint implicit_file) except -2:
    """IPv4AddressHelper.IsValid: return where an address ends; -1 if it is none."""
    end = host_end(text, start, end, implicit_file)
    if canonical:
        return end if is_canonical_ipv4(text[start:end]) else -1
    return end if ipv4_value(text[start:end]) is not None else -1


cdef bint is_canonical_ipv4(str text) except -1:
    """IsValidCanonical: return whether a text is four numbers up to 255, of which only the last may begin with one zero
    before other digits."""
    cdef list parts = text.split(".")
    if len(parts) != 4:
        return False
    for k, part in enumerate(parts):
        if not part.isascii() or not part.isdigit() or part[:2] == "00" or len(part) > 4 or int(part) > 255:
            return False
        if k < 3 and int(part) > 0 and part[0] == "0":
            return False
    return True


cdef object ipv4_value(str text):
    """ParseNonCanonical: return the number of an IPv4 address; None: the text is none."""
    return inet_aton(text.encode()) if text.isascii() else None


cdef Py_ssize_t ipv6_end(str text, Py_ssize_t start, Py_ssize_t end) except -2:
    """IPv6AddressHelper.InternalIsValid: return where an address ends, after its "]"; -1 if it is none."""
    cdef Py_ssize_t k = start, closing = -1, last_sequence = 1, ipv4
    cdef int count = 0, length = 0
    cdef bint compressor = False, ipv4_seen = False, prefix = False, expecting = True
    cdef Py_UCS4 char
    while k < end:
        char = text[k]
        if (c"0" <= char <= c"9") if prefix else among(char, HEX):
            length += 1
            expecting = False
            k += 1
            continue
        if length > 4:
            return -1
        if length:
            count += 1
            last_sequence = k - length
        if char == c"%":
            k += 1
            while k < end and text[k] != c"]" and text[k] != c"/":
                k += 1
            if k == end:
                return -1
            char = text[k]
        if char == c"]":
            closing = k
            break
        elif char == c":":
            if text[k - 1] == c":":
                if compressor:
                    return -1
                compressor = True
                expecting = False
            else:
                expecting = True
        elif char == c"/":
            if not count or prefix:
                return -1
            prefix = expecting = True
        elif char == c".":
            if ipv4_seen:
                return -1
            ipv4 = last_sequence
            while ipv4 < end and text[ipv4] not in "]/%":
                ipv4 += 1
            if not is_canonical_ipv4(text[last_sequence:ipv4]):
                return -1
            count += 1
            ipv4_seen = True
            k = ipv4 - 1
        else:
            return -1
        length = 0
        k += 1
    if prefix and not 1 <= length <= 2 or closing < 0 or expecting or length > 4:
        return -1
    return closing + 1 if (count < 8 + prefix if compressor else count == 8 + prefix) else -1


# --- how a host is shown ---------------------------------------------------------------------------

cdef str lowered(str text):
    """ToLowerInvariant: return a text in lower case, each character mapped to one."""
    if text.isascii():
        return text.lower()
    return "".join([char if char in NOT_LOWERED else char.lower() for char in text])


# upper-case and title-case characters that Mono does not know as such, and one that has two in lower case
cdef frozenset NOT_LOWERED = frozenset(
    "\u01c5\u01c8\u01cb\u01f2\u03f4\u0130\u0524\u0526\u10c7\u10cd\u1e9e\u2c70\u2c7e\u2c7f\u2ceb\u2ced\u2cf2\ua660\ua78d"
    "\ua790\ua792\ua7a0\ua7a2\ua7a4\ua7a6\ua7a8\ua7aa"
)


cdef str host_string(str host, HostType host_type):
    """CreateHostStringHelper, and IdnHost: return a host, after which a port may be, as it is shown. None: IdnMapping
    refuses it."""
    cdef Py_UCS4 char
    if host_type == NO_HOST:
        return ""
    if host_type == BASIC:
        return host
    if host_type == IPV6:
        return "[" + ipv6_name(host[1:host.find("]")]) + "]"
    host = host.partition(":")[0]
    if host_type == IPV4:
        value = ipv4_value(host)
        return dotted(0xFFFFFFFF if value is None else value)  # is_canonical_ipv4 allows "08" at the end
    for char in host:
        if c"A" <= char <= c"Z":
            host = lowered(host)
            break
    if host == "localhost" or host == "loopback":
        return "localhost"
    return host if host_type == UNC or is_idn(host) else None


cdef str ipv6_name(str text):
    """Parse, CreateCanonicalName: return an IPv6 address, which may have a zone, in its shortest form without that."""
    cdef list numbers, tail
    cdef str head, mark, rest, last
    cdef Py_ssize_t k, length, best = 0, at = -1
    text = text.partition("%")[0].partition("/")[0]
    head, mark, last = text.rpartition(":")
    if "." in last:
        a, b, c, d = [int(part) for part in last.split(".")]
        text = f"{head}:{a << 8 | b:x}:{c << 8 | d:x}"
    head, mark, rest = text.partition("::")
    numbers = [int(part or "0", 16) for part in head.split(":")] if head else []  # ":1::" begins with 0
    tail = [int(part, 16) for part in rest.split(":") if part]
    numbers += [0] * (8 - len(numbers) - len(tail)) + tail
    for k in range(8):
        length = 0
        while k + length < 8 and not numbers[k + length]:
            length += 1
        if length > best and length > 1:
            best, at = length, k
    ipv4 = (not any(numbers[:4]) and numbers[6] and (
        not numbers[4] and numbers[5] in (0, 0xFFFF) or numbers[4] == 0xFFFF and not numbers[5])
        or not numbers[4] and numbers[5] == 0x5EFE)
    out = ""
    for k in range(8):
        if ipv4 and k == 6:
            return out + f":{numbers[6] >> 8}.{numbers[6] & 0xFF}.{numbers[7] >> 8}.{numbers[7] & 0xFF}"
        if k == at:
            out += ":"
        if 0 <= at <= k and at + best == 8:
            return out + ":"
        if at <= k < at + best:
            continue
        out += f":{numbers[k]:x}" if k else f"{numbers[k]:x}"
    return out


cdef bint is_idn(str host) except -1:
    """DomainNameHelper.IdnEquivalent: return whether IdnMapping throws for none of a domain's labels."""
    cdef str label, stripped = host
    cdef int result
    if host.isascii():
        if "xn--" not in host:
            return True
    else:
        stripped = without_bidi_controls(host)
        labels = with_full_stops(lowered(stripped)).split(".")
        if not labels[len(labels) - 1]:
            labels.pop()
        for label in labels:
            if to_ascii(label) is None:
                return False
    for label in with_full_stops(stripped).split("."):
        if label[:4] == "xn--":
            result = is_ace_valid(label)
            if result < 0:
                return False
            if result:
                break
    return True


# code points of the Basic Multilingual Plane that came after Unicode 6.3, which is Mono's
cdef frozenset NEWER = frozenset(
    chr(point)
    for first, _, last in (part.partition("-") for part in (
        "37f-383 528-530 557-558 560 588 58b-58e 5c8-5cf 5eb-5ef 605 61d 7fb-7ff 85f-89f 8a1 8ad-8e3 8ff 978 980 "
        "9fc-a00 a76-a80 af2-b00 b4e-b55 bfb-c00 c04 c34 c3a-c3c c5a-c5f c70-c77 c80-c81 c84 cd7-cdd cf3-d01 d04 "
        "d3b-d3c d4f-d56 d58-d5f d76-d78 d80-d81 de0-df1 e85-e86 e89 e8b-e8c e8e-e93 e98 ea0 ea8-ea9 eac eba ece-ecf "
        "13f5-13ff 16f1-16ff 170d 1715-171f 180f 1878-187f 191d-191f 1aae-1aff 1b4c-1b4f 1b7d-1b7f 1c80-1cbf "
        "1cf7-1cff 1de7-1dfb 208f 20bb-20cf 218a-218f 23f4-23ff 2427-243f 2700 2b4d-2b4f 2b5a-2bff 2c2f 2c5f "
        "2e3c-2e7f 312e-3130 31bb-31bf 31e4-31ef 32ff 4db6-4dbf 9fcd-9fff a698-a69e a78f a794-a79f a7ab-a7ef "
        "a82c-a82f a8c5-a8cd a8fc-a8ff a9e0-a9ff aa7c-aa7f ab2f-abbf fbc2-fbd2 fd40-fd4f fd90-fd91 fdc8-fdef fdfe- "
        "fdff fe27-fe2f 105bd-105ff 107bb-107ff"
    ).split())
    for point in range(int(first, 16), int(last or first, 16) + 1)
)


cdef str to_ascii(str label):
    """IdnMapping.ToAscii: return a label in ASCII; None: it is refused."""
    cdef Py_UCS4 char
    if not label.isascii():
        if max(label) > "\uffff" or not NEWER.isdisjoint(label):
            return None
        label = normalize("NFKC", label)
        for char in label:
            if is_prohibited(char):
                return None
        if not label.isascii():
            if label[:4].lower() == "xn--":
                return None
            label = "xn--" + label.encode("punycode").decode("ascii")
    return label if 0 < len(label) <= 63 else None


cdef bint is_prohibited(Py_UCS4 char) except -1:
    """VerifyProhibitedCharacters: return whether a character is prohibited, or unassigned."""
    cdef str kind
    if char < 0x80:
        return char == 0
    if char > 0xFFFF:
        return True
    if is_newer_point(char, 140):
        return True
    kind = category(chr(char))
    return (kind in ("Zs", "Cc", "Co", "Cs", "Cn", "Zl", "Zp") or 0xFDDF <= char <= 0xFDEF or 0xFFF9 <= char <= 0xFFFE
            or 0x2FF0 <= char <= 0x2FFB or 0x202A <= char <= 0x202E or 0x206A <= char <= 0x206F
            or char == 0x340 or char == 0x341 or char == 0x200E or char == 0x200F)


cdef int is_ace_valid(str label) except -2:
    """IdnMapping.ToUnicode: return 1 if an "xn--" label is Punycode, 0 if not, -1 if the decoder reads past its end. A
    number of 32 bits that overflows wraps around."""
    cdef str coded, plain
    cdef list out
    cdef Py_ssize_t b, z, n
    cdef int point = 0x80, i = 0, bias = 72, old, w, k, digit, t, char, size
    if not label.isascii():
        label = normalize("NFKC", label)
        for one in label:
            if is_prohibited(one):
                return 0
    coded = label[4:].lower()
    b, n = max(coded.rfind("-"), 0), len(coded)
    out = list(coded[:b])
    z = b + 1 if b > 0 else 0
    while z < n:
        old, w, k = i, 1, 36
        while True:
            if z == n:
                return -1
            char = coded[z]
            z += 1
            digit = char - 22 if char < 58 else char - 65 if char < 91 else char - 97 if char < 123 else 36
            i = <int>(<uint32_t>i + <uint32_t>digit * <uint32_t>w)
            t = 1 if k <= bias + 1 else 26 if k >= bias + 26 else k - bias
            if digit < t:
                break
            w = <int>(<uint32_t>w * <uint32_t>(36 - t))
            k += 36
        size = len(out) + 1
        t = <int>(<uint32_t>i - <uint32_t>old) // (700 if old == 0 else 2)
        t = t + t // size
        k = 0
        while t > 455:
            t = t // 35
            k += 36
        if t == -38:
            return -1
        bias = k + <int>(36 * <uint32_t>t) // (t + 38)
        point = <int>(<uint32_t>point + <uint32_t>(i // size))
        i = i % size
        if point < 0x80 or i < 0:
            return 0
        out.insert(i, chr(point & 0xFFFF))
        i += 1
    plain = "".join(out)
    try:
        return to_ascii(plain) == label.lower()
    except UnicodeError:
        pass
    return 0
