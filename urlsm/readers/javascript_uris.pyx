"""fast-uri and uri-js, which validators of JSON Schema use: RFC 3986's regular expression, then each component."""
import re
from libc.stdint cimport uint8_t
from urlsm.octets.buffer cimport Buffer, buffer_copy, buffer_free, buffer_put, buffer_start, utf8_text
from urlsm.octets.text cimport octet_escaped, scalar_values
from urlsm.readers.ada2 cimport ada_host
from urlsm.readers.ages cimport lowered
from urlsm.readers.forms cimport decimal_port, nearest, with_full_stops
from urlsm.readers.javascript cimport UNICODE, decode_uri_component, joined
from urlsm.readers.programs import Program

cdef enum:
    LOWERS_ASCII = 40204  # fast-uri, since 4.2.4: a host of ASCII is only lowered, and ws and wss must have a host
    # classes of octets that stay as they are
    UNRESERVED = 1
    REG_NAME = 2      # unreserved and sub-delims
    USERINFO = 4      # and ":"
    HOST = 8          # and "[", "]", ":", "%"
    PATH = 16         # and ":", "@", "/"
    PATH_NOSCHEME = 32
    QUERY = 64        # and "?"
    UNDOTTED = 128    # unreserved, but for "."
    IRI = 256         # the name of a host, and octets beyond ASCII
    ANY = 512
    LABEL_MAX = 1000  # characters of a label that is not ASCII: a limit of ours, as Punycode takes quadratic time

cdef str LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
cdef str DIGITS = "0123456789"
cdef str PLAIN = LETTERS + DIGITS + "-._~"
cdef str NAME = PLAIN + "!$&'()*+,;="
cdef frozenset SCHEME = frozenset(LETTERS + DIGITS + "+.-")
cdef frozenset HEX_DIGITS = frozenset("0123456789abcdefABCDEF")
cdef frozenset VERSIONED = frozenset(NAME + ":")
cdef frozenset UNRESERVED_CHARS = frozenset(PLAIN)
cdef frozenset DOMAIN_SCHEMES = frozenset(("http", "https", "ws", "wss"))
cdef int[256] CLASSES

for _octet in range(256):
    _char = chr(_octet)
    CLASSES[_octet] = (
        UNRESERVED * (_char in PLAIN) | UNDOTTED * (_char in PLAIN and _char != ".") | REG_NAME * (_char in NAME)
        | USERINFO * (_char in NAME + ":") | HOST * (_char in NAME + ":[]") | PATH * (_char in NAME + ":@/")
        | PATH_NOSCHEME * (_char in NAME + "@/") | QUERY * (_char in NAME + ":@/?")
        | IRI * (_char in NAME or _octet >= 0x80) | ANY
    )


cdef bint all_in(str text, frozenset chars) except -1:
    """Return whether a text has only some characters."""
    for char in text:
        if char not in chars:
            return False
    return True


cdef str normal(bytes text, int kept, int decodes):
    """Return a text with octets outside of a class escaped, and escapes of a class decoded; other escapes are written
    in upper case, and "%" that begins none stays."""
    cdef const uint8_t* p = text
    cdef const uint8_t* digits = b"0123456789ABCDEF"
    cdef Py_ssize_t k = 0, n = len(text)
    cdef int octet
    cdef Buffer b
    buffer_start(&b)
    try:
        while k < n:
            octet = octet_escaped(p + k, n - k)
            if octet >= 0:
                k += 3
                if CLASSES[octet] & decodes:
                    buffer_put(&b, octet)
                    continue
            else:
                octet = p[k]
                k += 1
                if CLASSES[octet] & kept or octet == c"%":
                    buffer_put(&b, octet)
                    continue
            buffer_put(&b, c"%")
            buffer_put(&b, digits[octet >> 4])
            buffer_put(&b, digits[octet & 15])
        return utf8_text(b.p, b.n)
    finally:
        buffer_free(&b)


cdef tuple pieces(str text):
    """URI_PARSE, which is appendix B of RFC 3986 with the authority split: scheme, userinfo, host, port, path, query
    and fragment. The host is "[...]", or all before ":"; what follows is the port's digits, and then the path."""
    cdef str rest = text, scheme = None, userinfo = None, host = None, port = None, query = None, fragment = None
    cdef Py_ssize_t at = rest.find("#"), end, k
    if at >= 0:
        rest, fragment = rest[:at], rest[at + 1:]
        for line_end in "\u2028\u2029":  # "." does not match these
            fragment = fragment.partition(line_end)[0]
    at = rest.find("?")
    if at >= 0:
        rest, query = rest[:at], rest[at + 1:]
    at = rest.find(":")
    if at > 0 and rest.find("/", 0, at) < 0:
        scheme, rest = rest[:at], rest[at + 1:]
    if rest[:2] == "//":
        end = rest.find("/", 2)
        if end < 0:
            end = len(rest)
        at = rest.find("@", 2, end)
        if at >= 0:
            userinfo = rest[2:at]
        k = at + 1 if at >= 0 else 2
        at = rest.find("]", k, end) if k < end and rest[k] == c"[" else -1
        if at > k + 1:
            host = rest[k:at + 1]
        else:
            at = rest.find(":", k, end)
            host = rest[k:at if at >= 0 else end]
        k += len(host)
        if k < end and rest[k] == c":":
            k += 1
            at = k
            while k < end and c"0" <= rest[k] <= c"9":
                k += 1
            port = rest[at:k]
        rest = rest[k:]
    return scheme, userinfo, host, port, rest, query, fragment


cdef bint is_h16(str text) except -1:
    """RFC 3986 appendix A, h16: return whether a text is one to four hex digits."""
    return 0 < len(text) <= 4 and all_in(text, HEX_DIGITS)


cdef bint is_dec_octets(str text, bint relaxed) except -1:
    """Return whether a text is an IPv4 address of four decimal numbers. relaxed: with zeros before them."""
    cdef list parts = text.split(".")
    cdef str part
    if len(parts) != 4:
        return False
    for part in parts:
        if not (0 < len(part) <= 3 and part.isascii() and part.isdigit()) or int(part) > 255:
            return False
        if not relaxed and len(part) > 1 and part[0] == c"0":
            return False
    return True


cdef tuple ipv6_fields(str text, bint relaxed):
    """Return the fields before and after "::" of an IPv6 address by RFC 3986, and whether there is "::"; else None."""
    cdef str left, mark, right, field
    cdef list before, after, fields
    cdef Py_ssize_t k, count
    left, mark, right = text.partition("::")
    if "::" in right or right[:1] == ":" or len(text) > 45:
        return None
    before = left.split(":") if left or not mark else []
    after = right.split(":") if right else []
    fields = before + after
    count = len(fields)
    for k in range(len(fields)):
        field = fields[k]
        if "." in field:
            if k != len(fields) - 1 or (mark and not after) or not is_dec_octets(field, relaxed):
                return None
            count += 1
        elif not is_h16(field):
            return None
    return None if (count > 7 if mark else count != 8) else (before, after, bool(mark))


# --- fast-uri --------------------------------------------------------------------------------------

cdef frozenset FORBIDDEN_DOMAIN_HOST = frozenset([chr(k) for k in range(0x21)] + list("\"#/:<>?@[\\]^`{|}\x7f"))
cdef frozenset SIMPLE = frozenset("!\"$&'()*+,-.;=_`abcdefghijklmnopqrstuvwxyz{}~")
cdef frozenset SIMPLE_MAILTO = SIMPLE | frozenset(DIGITS)
# numericLastLabel: a host that the URL Standard reads as IPv4
cdef object NUMBER_AT_END = re.compile(r"(?:^|\.)(?:[0-9]+|0x[0-9a-f]*)\.?\Z", re.IGNORECASE)
cdef frozenset FOLDED = frozenset(LETTERS + DIGITS + "\u017f\u212a")  # what [a-z0-9] matches with the flags "iu"
cdef frozenset NSS = FOLDED | frozenset("_!$'()*+,-./:;=@")
cdef str C0_OR_SPACE = "".join([chr(k) for k in range(0x21)])
cdef frozenset LITERAL = frozenset([chr(k) for k in range(0x21, 0x7F) if chr(k) not in "[\\]"])


cdef bint has_malformed_escape(str text) except -1:
    """hasMalformedPercentEncoding: return whether a "%" begins no escape. text: may be None."""
    cdef list parts
    cdef str part
    cdef Py_ssize_t k
    if text is None or "%" not in text:
        return False
    parts = text.split("%")
    for k in range(1, len(parts)):
        part = parts[k]
        if len(part) < 2 or not all_in(part[:2], HEX_DIGITS):
            return True
    return False


cdef str introduced(str text):
    """Return what refuses the start of an authority, if anything: "\\" in it, or white space between its slashes."""
    cdef str rest = text, region
    cdef Py_ssize_t at = nearest(rest, 0, len(rest), "#/:?"), k
    if 0 < at < len(rest) and rest[at] == c":":
        rest = rest[at + 1:]
    if rest[:2] == "//" and rest.find("\\", 2, nearest(rest, 2, len(rest), "#?/")) >= 0:
        return "characters"
    k = 0
    while k < len(rest) and rest[k] in "/\\\t\n\r":
        k += 1
    region = rest[:k].replace("\t", "").replace("\n", "").replace("\r", "")
    if len(region) >= 2 and (region[:2] != "//" or len(region) != k):
        return "characters"
    return None


cdef bint is_zone(str zone) except -1:
    """isZoneIdentifier: return whether a text may be the zone of an IPv6 address."""
    return len(zone) > 0 and not has_malformed_escape(zone) and all_in(zone.replace("%", ""), UNRESERVED_CHARS)


cdef str fast_literal(str host):
    """normalizeIPv6: return a host in brackets as it is written without them; None if it is refused."""
    cdef str text = host[1:len(host) - 1], version, mark, zone = "", address
    cdef tuple fields
    cdef list groups, before, after
    cdef Py_ssize_t k, start = -1, length = 1, run
    version, mark, zone = text.partition(".")
    if text[:1] in ("v", "V") and len(version) > 1 and zone:
        if all_in(version[1:], HEX_DIGITS) and all_in(zone, VERSIONED):
            return f"[{text.lower()}]"
    address, mark, zone = text.partition("%")
    if mark:
        if zone[:2] == "25":
            zone = zone[2:]
        if not is_zone(zone):
            return None
    fields = ipv6_fields(address, False)
    if fields is None:
        return None
    before, after, compressed = fields
    groups = [field if "." in field else f"{int(field, 16):x}" for field in before]
    if compressed:
        groups += ["0"] * (8 - len(before) - len(after) - (1 if after and "." in after[len(after) - 1] else 0))
    groups += [field if "." in field else f"{int(field, 16):x}" for field in after]
    # compressIPv6ZeroRun: the first of the longest runs of two or more
    run = 0
    for k in range(len(groups)):
        run = run + 1 if groups[k] == "0" else 0
        if run > length:
            start, length = k + 1 - run, run
    if start >= 0:
        address = ":".join(groups[:start]) + "::" + ":".join(groups[start + length:])
    else:
        address = ":".join(groups)
    return f"{address}%{zone}" if zone else address


cdef bint is_urn(str path) except -1:
    """URN_REG, and UUID of urn:uuid: return whether the path of a URN is accepted."""
    cdef str nid, _colon, nss
    nid, _colon, nss = path.partition(":")
    if not (0 < len(nid) <= 32 and nss and nid[0] != "-" and all_in(nid.replace("-", ""), FOLDED)):
        return False
    if has_malformed_escape(nss) or not all_in(nss.replace("%", ""), NSS):
        return False
    return nid.lower() != "uuid" or is_uuid(nss)


cdef bint is_uuid(str text) except -1:
    """UUID: return whether a text is 8, 4, 4, 4 and 12 hex digits with hyphens between them."""
    cdef list parts = text.split("-")
    return [len(part) for part in parts] == [8, 4, 4, 4, 12] and all_in("".join(parts), HEX_DIGITS)


cdef bint is_mailto_domain(str domain) except -1:
    """mailtoNormalizeDomain: return whether a domain is a literal, or plain, or all of a host that new URL accepts."""
    from urlsm.url.value import parse

    cdef str last, rest, userinfo, mark, port
    cdef Py_ssize_t at
    domain = domain.lower()
    if len(domain) > 1 and domain[0] == "[" and all_in(domain[1:len(domain) - 1], LITERAL) and domain.endswith("]"):
        return True
    last = domain.rpartition(".")[2]
    if domain and all_in(domain, SIMPLE_MAILTO) and not (last.isascii() and last.isdigit()):
        return True
    # the host is read by Node's rules, and the rest by urlsm
    rest = domain.replace("\t", "").replace("\n", "").replace("\r", "").rstrip(C0_OR_SPACE).lstrip("/\\")
    at = nearest(rest, 0, len(rest), "/\\?#")
    userinfo, mark, last = rest[:at].rpartition("@")
    if last[:1] != "[":
        last, mark, port = last.partition(":")
        if port and not (port.isascii() and port.isdigit() and port.lstrip("0") == "80"):
            return False
        if ada_host(joined(last)) is None:
            return False
        last = "h"
    try:
        url = parse(f"http://{userinfo}@{last}{rest[at:]}")
        return not (url.username or url.password or url.port or url.query or url.fragment) and url.path == "/"
    except ValueError:
        pass
    return False


cdef bint is_mailto(str path, str query, bint has_authority) except -1:
    """mailtoParse: return whether fields and recipients are accepted."""
    cdef list recipients = scalar_values(path).decode("utf-8").split(",") if path else []
    cdef str field, name, mark, value, address, _local, domain
    if query:
        for field in scalar_values(query).decode("utf-8").split("&"):
            name, mark, value = field.partition("=")
            if "=" in value:
                return False
            if (decode_uri_component(name) or name).lower() == "to":
                recipients += value.split(",")
    if recipients and has_authority:
        return False
    for address in recipients:
        _local, mark, domain = address.rpartition("@")
        if not mark:
            return False
        value = decode_uri_component(domain)
        if not is_mailto_domain(domain if value is None else value):
            return False
    return True


def read_fast_uri(str text, int release):
    """index.js, parseWithStatus: return the components, or what is refused."""
    cdef str scheme, userinfo, host, port, path, query, fragment, refusal
    cdef bint is_ip = False
    cdef int number
    text = joined(text)
    refusal = introduced(text)
    if refusal is not None:
        return refusal
    if text and (text[0] <= " " or text[len(text) - 1] <= " "):
        return "characters"
    scheme, userinfo, host, port, path, query, fragment = pieces(text)
    if scheme is not None:
        if scheme[0] not in LETTERS or not all_in(scheme, SCHEME):
            return "scheme"
        scheme = scheme.lower()
    if (has_malformed_escape(userinfo) or has_malformed_escape(path) or has_malformed_escape(query)
            or has_malformed_escape(fragment)):
        return "characters"
    if host and not (host[0] == "[" and host[len(host) - 1] == "]") and has_malformed_escape(host):
        return "host"
    if host is not None and path and path[0] != "/":
        return "path"
    if port:
        number = decimal_port(port.encode())
        if number < 0:
            return "port"
        port = str(number)
    if host:
        is_ip = is_dec_octets(host, False)
        if is_ip:
            pass
        elif "[" in host or "]" in host:
            if host[0] != "[" or host[len(host) - 1] != "]":
                return "host"
            host = fast_literal(host)
            if host is None:
                return "host"
            is_ip = True
        else:
            host = lowered(host, UNICODE)
    # canonicalizeHost
    if host and not is_ip and scheme in DOMAIN_SCHEMES:
        for char in host:
            if char in FORBIDDEN_DOMAIN_HOST:
                return "host"
        if not all_in(host, SIMPLE if release < LOWERS_ASCII or NUMBER_AT_END.search(host) else SIMPLE_MAILTO):
            host = ada_host(joined(host))
            if host is None:
                return "host"
    if host and not is_ip:
        if "%" in host:
            host = normal(scalar_values(host), ANY, UNRESERVED).lower()
        host = normal(scalar_values(host), IRI if scheme == "mailto" else REG_NAME, 0)
    if scheme == "mailto":
        if not is_mailto(path, query, host is not None):
            return "path"
        return scheme, userinfo, host, port, None, None, fragment
    if scheme == "urn":
        return (scheme, userinfo, host, port, None, query, fragment) if is_urn(path) else "path"
    path = normal(scalar_values(path), PATH, UNDOTTED)
    query = normal(scalar_values(query), QUERY, UNRESERVED) if query else query
    fragment = normal(scalar_values(fragment), QUERY, UNRESERVED) if fragment else fragment
    if not host and scheme in ("http", "https") or not host and scheme in ("ws", "wss") and release >= LOWERS_ASCII:
        return "host"
    if scheme in ("ws", "wss"):
        path = query = None
    return scheme, userinfo, host, port, path, query, fragment


# --- uri-js ----------------------------------------------------------------------------------------

cdef bint is_ucschar(Py_UCS4 char) noexcept:
    """UCSCHAR$$: return whether a character is in its ranges."""
    return (0xA0 <= char <= 0x200D or 0x2010 <= char <= 0x2029 or 0x202F <= char <= 0xD7FF or 0xF900 <= char <= 0xFDCF
            or 0xFDF0 <= char <= 0xFFEF)


cdef bytes units(str text):
    """pctEncChar: return a text with each unit of UTF-16 in UTF-8 by itself."""
    if text.isascii():
        return text.encode("ascii")
    return "".join([char if char <= "\uffff" else (chr(0xD7C0 + (ord(char) >> 10)) + chr(0xDC00 | (ord(char) & 0x3FF)))
                    for char in text]).encode("utf-8", "surrogatepass")


cdef str decoded_escapes(bytes text, bint unreserved_only):
    """Replace what PCT_ENCODED matches (two or three escapes if the first stands for a leading octet of UTF-8, whatever
    the next are) by what pctDecChars makes of it. unreserved_only: only where that has an unreserved character."""
    cdef const uint8_t* p = text
    cdef Py_ssize_t k = 0, n = len(text), width
    cdef int point, first, second, third
    cdef Buffer b
    buffer_start(&b)
    try:
        while k < n:
            first = octet_escaped(p + k, n - k)
            if first < 0:
                buffer_put(&b, p[k])
                k += 1
                continue
            second = octet_escaped(p + k + 3, n - k - 3) if first >= 0x80 else -1
            third = octet_escaped(p + k + 6, n - k - 6) if first >= 0xE0 and second >= 0 else -1
            width = 3 + 3 * (second >= 0) + 3 * (third >= 0)
            point = -1
            if width == 3 and first < 0x80:
                point = first
            elif width == 6 and first < 0xC2:  # the first stays, and the second is decoded
                buffer_copy(&b, p + k, 3)
                k += 3
                width = 3
                if second < 0x80:
                    buffer_put(&b, second)
                    k += 3
                    continue
            elif width == 6 and first < 0xE0:
                point = (first & 0x1F) << 6 | (second & 0x3F)
            elif width == 9:
                point = (first & 0xF) << 12 | (second & 0x3F) << 6 | (third & 0x3F)
            if point < 0 or (unreserved_only and not (point < 0x80 and CLASSES[point] & UNRESERVED)):
                buffer_copy(&b, p + k, width)
            elif point < 0x80:
                buffer_put(&b, point)
            else:
                if point < 0x800:
                    buffer_put(&b, 0xC0 | point >> 6)
                else:
                    buffer_put(&b, 0xE0 | point >> 12)
                    buffer_put(&b, 0x80 | (point >> 6 & 0x3F))
                buffer_put(&b, 0x80 | (point & 0x3F))
            k += width
        return utf8_text(b.p, b.n)
    finally:
        buffer_free(&b)


cdef str decode_unreserved(str text):
    """Return a text with the escapes of unreserved characters decoded."""
    return decoded_escapes(text.encode("utf-8", "surrogatepass"), True) if "%" in text else text


cdef str component(str text, int kept):
    """_normalizeComponentEncoding, for one component but the scheme and the host."""
    return None if text is None else normal(units(decode_unreserved(text)), kept, 0)


cdef str punycoded(str domain):
    """punycode.toASCII: return a domain in ASCII, of which nothing is mapped; None: a label is too long for us."""
    cdef str local = ""
    cdef list labels
    cdef Py_ssize_t k
    if "@" in domain:
        labels = domain.split("@")
        local, domain = labels[0] + "@", labels[1]  # what follows a second "@" is lost
    domain = with_full_stops(domain)
    if not domain.isascii() or "\x7f" in domain:
        labels = domain.split(".")
        for k in range(len(labels)):
            if not labels[k].isascii() or "\x7f" in labels[k]:
                if len(labels[k]) > LABEL_MAX:
                    return None
                labels[k] = "xn--" + labels[k].encode("punycode").decode("ascii")
        domain = ".".join(labels)
    return local + domain


cdef str without_zeros(str field):
    """_stripLeadingZeros: return a number without zeros before it."""
    return field.lstrip("0") or "0"


cdef str literal(str host):
    """_normalizeIPv6: return a host in brackets without them, if an address is in them; any other as it is."""
    cdef str text = host[1:len(host) - 1], address, mark, zone, field
    cdef list before, after, fields
    cdef Py_ssize_t k, count, shift, run = 0, start = -1, length = 0
    address, mark, zone = text.partition("%")
    if mark:
        if zone[:2] == "25" and len(zone) > 2:
            zone = zone[2:]
        elif len(zone) > 1 and all_in(zone[:2], HEX_DIGITS):
            return host
        if not zone or has_malformed_escape(zone):
            return host
        for char in zone:
            if char not in UNRESERVED_CHARS and char != "%" and not is_ucschar(char):
                return host
    if ipv6_fields(address, True) is None:
        return host
    before, after = [], []
    if "::" in address:
        address, mark, field = address.lower().partition("::")
        before = [without_zeros(part) for part in address.split(":")] if address else []
        after = [without_zeros(part) for part in field.split(":")]
    else:
        after = [without_zeros(part) for part in address.lower().split(":")]
    quad = is_dec_octets(after[len(after) - 1], True)
    count = 7 if quad else 8
    shift = len(after) - count
    fields = []
    for k in range(count):
        if k < len(before):
            fields.append(before[k])
        else:
            fields.append(after[k + shift] if k + shift >= 0 else "")
    if quad:
        fields[6] = ".".join([without_zeros(part) for part in fields[6].split(".")])
    for k in range(count):
        run = run + 1 if fields[k] in ("", "0") else 0
        if run > length:
            start, length = k + 1 - run, run
    if length > 1:
        address = ":".join(fields[:start]) + "::" + ":".join(fields[start + length:])
    else:
        address = ":".join(fields)
    return f"{address}%{zone}" if zone else address


cdef str js_number(str digits):
    """String(parseInt(digits, 10)): return a decimal number as JavaScript writes it."""
    cdef str mantissa, exponent, point, rest
    digits = digits.lstrip("0") or "0"
    if len(digits) < 16:
        return digits
    value = float(digits)
    if value == float("inf"):
        return "Infinity"
    mantissa, point, exponent = repr(value).partition("e")
    if value >= 1e21:
        return repr(value)
    if not exponent:
        return mantissa.removesuffix(".0")
    mantissa, point, rest = mantissa.partition(".")
    return mantissa + rest.ljust(int(exponent), "0")


cdef bint is_uri_js_mailto(str path, str query) except -1:
    """schemes/mailto.ts, parse: return whether each recipient has a domain, and each field "to" a value."""
    cdef list recipients = path.split(",") if path else [], parts
    cdef str field, address
    if query:
        for field in query.split("&"):
            parts = field.split("=")
            if parts[0] == "to":
                if len(parts) < 2:
                    return False
                recipients += parts[1].split(",")
    for address in recipients:
        if "@" not in address:
            return False
    return True


def read_uri_js(str text, int release):
    """dist/es5/uri.all.js, parse: return the components, or what is refused."""
    cdef str scheme, userinfo, host, port, path, query, fragment, handler, nid, colon, nss
    text = joined(text)
    scheme, userinfo, host, port, path, query, fragment = pieces(text)
    handler = scheme.lower() if scheme is not None else None
    if port:
        port = js_number(port)
    if host:
        if is_dec_octets(host, True):
            host = ".".join([without_zeros(part) for part in host.split(".")])
        elif host[0] == "[" and host[len(host) - 1] == "]":
            host = literal(host)
        if handler in DOMAIN_SCHEMES:
            if "%" in host:
                host = joined(decoded_escapes(host.encode("utf-8", "surrogatepass"), False))
            host = punycoded(lowered(host, UNICODE))
            if host is None:
                return "length"
    if scheme is not None:
        scheme = "".join([char for char in decode_unreserved(scheme).lower() if char in SCHEME])
    userinfo = component(userinfo, USERINFO)
    if host is not None:
        host = normal(units(lowered(decode_unreserved(host), UNICODE)), HOST, 0)
    path = component(path, PATH if scheme else PATH_NOSCHEME)
    query = component(query, QUERY)
    fragment = component(fragment, QUERY)
    if handler in ("http", "https"):
        if not host:
            return "host"
    elif handler in ("ws", "wss"):
        path = query = None
    elif handler == "mailto":
        if not is_uri_js_mailto(path, query):
            return "path"
        path = query = None
    elif handler == "urn":
        nid, colon, nss = path.partition(":")
        if not nid or not colon or (nid.lower() == "uuid" and not is_uuid(nss)):
            return "path"
        path = None
    return scheme, userinfo, host, port, path, query, fragment


PROGRAMS = (
    Program("fast-uri", "fast-uri, parse(text)", ("4.2.3", "4.2.4"), read_fast_uri),
    Program("uri-js", "uri-js, parse(text)", ("4.4.1",), read_uri_js),
)
