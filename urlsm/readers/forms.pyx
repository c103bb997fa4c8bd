"""Forms that several programs share: a text as octets, delimiters, ports, addresses as hosts, percent-coding,
domains."""
from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.unicode cimport PyUnicode_FindChar
from libc.stdint cimport uint16_t, uint32_t, uint8_t
from unicodedata import normalize
from urllib.parse import unquote
from urlsm.octets.buffer cimport Buffer, buffer_free, buffer_start, utf8_text
from urlsm.octets.chars cimport ALPHA, CLASS, DIGIT, HEX, SCHEME_CHAR
from urlsm.octets.text cimport among, write_unquoted
from urlsm.unicode.domains cimport write_domain
from urlsm.url.write.ipv6 cimport ipv6_serializer, read_pieces

cdef enum:
    DIGITS_MAX = 11        # of 32 bits in octal
    NORMALIZED_MAX = 2000  # characters


# --- octets ----------------------------------------------------------------------------------------

cdef bytes octets(str text):
    """Return a text in UTF-8. Octets that were no UTF-8 are lone surrogates in the text (surrogateescape)."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # of another lone surrogate
        pass
    return text.encode("utf-8", "surrogatepass")


cdef str text_of(bytes octets):
    """Return octets as a text: the opposite of `octets`."""
    return octets.decode("utf-8", "surrogateescape")


cdef str utf8_or_none(bytes octets):
    """Return the text that octets of UTF-8 encode; None: they are not UTF-8."""
    try:
        return octets.decode()
    except UnicodeDecodeError:
        pass
    return None


cdef tuple texts_of(tuple components):
    """Return components that are octets, or None, as texts."""
    return tuple([None if octets is None else text_of(octets) for octets in components])


# --- delimiters, schemes and ports -----------------------------------------------------------------

cdef Py_ssize_t first_of(bytes text, Py_ssize_t begin, Py_ssize_t end, bytes stops) noexcept:
    """Return where the first of some octets is in text[begin:end], or `end`."""
    cdef const uint8_t* p = <const uint8_t*><const char*>text
    cdef const uint8_t* wanted = <const uint8_t*><const char*>stops
    cdef Py_ssize_t k, j, n = len(stops)
    for k in range(begin, end):
        for j in range(n):
            if p[k] == wanted[j]:
                return k
    return end


cdef Py_ssize_t nearest(str text, Py_ssize_t begin, Py_ssize_t end, str stops) except -1:
    """Return where the first of some characters is in text[begin:end], or `end`."""
    cdef Py_ssize_t at
    cdef Py_UCS4 stop
    for stop in stops:
        at = PyUnicode_FindChar(text, stop, begin, end, 1)
        if at >= 0:
            end = at
    return end


cdef Py_ssize_t scheme_end(str text) noexcept:
    """Return where the ":" after a text's first characters is, if all of them may be in a scheme; 0: there is none."""
    cdef Py_ssize_t k
    cdef Py_UCS4 char
    for k in range(len(text)):
        char = text[k]
        if not among(char, SCHEME_CHAR):
            return k if char == c':' else 0
    return 0


cdef Py_ssize_t lettered_scheme_end(str text) noexcept:
    """Do the same as `scheme_end` for schemes that begin with a letter (RFC 3986 section 3.1)."""
    cdef Py_ssize_t end = scheme_end(text)
    return end if end and among(text[0], ALPHA) else 0


cdef bint is_scheme(bytes text) noexcept:
    """Return whether a text is a scheme by RFC 3986 section 3.1: ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )."""
    cdef const uint8_t* p = <const uint8_t*><const char*>text
    cdef Py_ssize_t k, n = len(text)
    for k in range(n):
        if not CLASS[p[k]] & (SCHEME_CHAR if k else ALPHA):
            return False
    return n > 0


cdef int decimal_port(bytes text) noexcept:
    """Return the port that a text of decimal digits is; -1: it is no such text, or above 65535."""
    cdef const uint8_t* p = <const uint8_t*><const char*>text
    cdef Py_ssize_t k, n = len(text)
    cdef int value = 0
    for k in range(n):
        if not CLASS[p[k]] & DIGIT:
            return -1
        value = min(10 * value + p[k] - c'0', 0x10000)
    return value if n > 0 and value <= 0xFFFF else -1


# --- addresses -------------------------------------------------------------------------------------

cdef object ipv4_number(bytes text):
    """Return the number that the C library's strtoul reads in the whole text: hexadecimal after 0x, octal after 0, else
    decimal. Return None if the text is not such a number, or greater than 32 bits."""
    cdef bytes digits = text, allowed = b"0123456789"
    cdef int base = 10
    if text[:2] in (b"0x", b"0X"):
        digits, base, allowed = text[2:], 16, b"0123456789abcdefABCDEF"
    elif text[:1] == b"0":
        base, allowed = 8, b"01234567"
    if not digits or digits.strip(allowed) or len(digits.lstrip(b"0")) > DIGITS_MAX:
        return None
    value = int(digits, base)
    return value if value <= 0xFFFFFFFF else None


cdef object inet_aton(bytes host):
    """Return the IPv4 address of one to four numbers, the last of which fills the octets that are left; else None."""
    cdef list parts = host.split(b".")
    cdef object address = 0, value, last
    cdef Py_ssize_t k
    if len(parts) > 4:
        return None
    for k in range(len(parts) - 1):
        value = ipv4_number(parts[k])
        if value is None or value > 0xFF:
            return None
        address |= value << 8 * (3 - k)
    last = ipv4_number(parts[len(parts) - 1])
    if last is None or last >> 8 * (5 - len(parts)):
        return None
    return address | last


cdef str dotted(object address):
    """Return an IPv4 address as four decimal numbers."""
    return f"{address >> 24}.{address >> 16 & 0xFF}.{address >> 8 & 0xFF}.{address & 0xFF}"


cdef bytes ipv6_address(bytes text):
    """Return the 16 octets of an IPv6 address, written as in RFC 4291 without brackets and zone; else None."""
    cdef uint16_t pieces[8]
    cdef uint8_t out[16]
    cdef int k
    cdef bytes bracketed = b"[" + text + b"]"
    if len(text) > 45 or not read_pieces(<const uint8_t*><const char*>bracketed, len(text) + 1, pieces):
        return None
    for k in range(8):
        out[2 * k], out[2 * k + 1] = pieces[k] >> 8, pieces[k] & 0xFF
    return out[:16]


cdef str ipv6_text(bytes address, bint mixed):
    """Return an IPv6 address in its shortest form (RFC 5952), without brackets. mixed: whether the last 32 bits of an
    IPv4-mapped or IPv4-compatible address are written as IPv4, as inet_ntop does."""
    cdef uint16_t pieces[8]
    cdef const uint8_t* p = <const uint8_t*><const char*>address
    cdef Buffer b
    cdef int k
    for k in range(8):
        pieces[k] = <uint16_t>(p[2 * k] << 8 | p[2 * k + 1])
    if mixed and not any(address[:10]) and (
            address[10:12] == b"\xff\xff" or (not any(address[10:12]) and any(address[12:14]))):
        quad = f"{p[12]}.{p[13]}.{p[14]}.{p[15]}"
        return f"::ffff:{quad}" if p[10] else f"::{quad}"
    buffer_start(&b)
    try:
        ipv6_serializer(&b, pieces)
        return b.p[1:b.n - 1].decode("ascii")
    finally:
        buffer_free(&b)


# --- percent-coding --------------------------------------------------------------------------------

cdef bytes decoded(bytes text):
    """Return the octets of a text, with each valid escape decoded once."""
    cdef Buffer b
    if b"%" not in text:
        return text
    buffer_start(&b)
    try:
        write_unquoted(&b, <const uint8_t*><const char*>text, len(text), False)
        return b.p[:b.n]
    finally:
        buffer_free(&b)


cdef str unquoted(str text):
    """urllib.parse.unquote: return a text with its escapes decoded, and U+FFFD for what is not UTF-8."""
    if "%" not in text:
        return text
    try:
        return decoded(text.encode()).decode("utf-8", "replace")
    except UnicodeEncodeError:  # of a lone surrogate, which stays
        pass
    return unquote(text)


cdef bint has_bad_escape(bytes text) noexcept:
    """Return whether a "%" is not followed by two hex digits."""
    cdef const uint8_t* p = <const uint8_t*><const char*>text  # a zero octet ends it
    cdef Py_ssize_t k
    for k in range(len(text)):
        if p[k] == c'%' and not (CLASS[p[k + 1]] & HEX and CLASS[p[k + 2]] & HEX):
            return True
    return False


cdef bytes kept(str chars, bint letters_and_digits):
    """Return a table of 256 octets for `escaped`: 1 for each that is kept."""
    cdef bytearray table = bytearray(256)
    cdef uint8_t octet
    for octet in chars.encode("ascii"):
        table[octet] = 1
    if letters_and_digits:
        for octet in range(0x80):
            if CLASS[octet] & (ALPHA | DIGIT):
                table[octet] = 1
    return bytes(table)


cdef inline bint is_kept(const uint8_t* p, const uint8_t* keep, bint escapes) noexcept:
    """Return whether `escaped` keeps an octet. A zero octet ends the text."""
    return keep[p[0]] or (escapes and p[0] == c"%" and CLASS[p[1]] & HEX and CLASS[p[2]] & HEX)


cdef bytes escaped(bytes text, bytes kept, bint escapes=False):
    """Return the octets of a text, with an escape in capital digits for each that is not kept. kept: a table, as the
    function `kept` makes it. escapes: whether a "%" is kept if it begins an escape."""
    cdef const uint8_t* p = <const uint8_t*><const char*>text
    cdef const uint8_t* keep = <const uint8_t*><const char*>kept
    cdef const char* digits = b"0123456789ABCDEF"
    cdef Py_ssize_t k, n = len(text), more = 0
    cdef bytes written
    cdef char* out
    for k in range(n):
        more += not is_kept(p + k, keep, escapes)
    if not more:
        return text
    written = PyBytes_FromStringAndSize(NULL, n + 2 * more)
    out = <char*><const char*>written
    for k in range(n):
        if is_kept(p + k, keep, escapes):
            out[0] = p[k]
            out += 1
        else:
            out[0], out[1], out[2] = c"%", digits[p[k] >> 4], digits[p[k] & 0xF]
            out += 3
    return written


cdef bytes capital_escapes(bytes text, bint* valid):
    """Return the octets of a text with the digits of each valid escape as capitals. valid: set to whether all are."""
    cdef bytes written = PyBytes_FromStringAndSize(<const char*>text, len(text))
    cdef uint8_t* p = <uint8_t*><char*>written  # a zero octet ends it
    cdef Py_ssize_t k
    valid[0] = True
    for k in range(len(text)):
        if p[k] != c'%':
            continue
        if CLASS[p[k + 1]] & HEX and CLASS[p[k + 2]] & HEX:
            p[k + 1], p[k + 2] = capital(p[k + 1]), capital(p[k + 2])
        else:
            valid[0] = False
    return written


cdef inline uint8_t capital(uint8_t octet) noexcept:
    """Return an octet, or the capital if it is a small letter of ASCII."""
    return octet & 0xDF if CLASS[octet] & ALPHA else octet


cdef bint is_hex(bytes text, Py_ssize_t at) noexcept:
    """Return whether text[at] is a hex digit."""
    return at < len(text) and CLASS[<uint8_t>(<const char*>text)[at]] & HEX != 0


# --- domains ---------------------------------------------------------------------------------------

cdef str with_full_stops(str domain):
    """Return a domain with "." for each of the other characters that part labels (RFC 3490 section 3.1)."""
    return domain.replace("\u3002", ".").replace("\uff0e", ".").replace("\uff61", ".")


cdef str nfkc(str text):
    """Return a text in NFKC, which takes quadratic time: a long one is only normalised by the character, which makes
    the same ASCII."""
    if len(text) <= NORMALIZED_MAX:
        return normalize("NFKC", text)
    return "".join([normalize("NFKC", char) for char in text])


cdef object uts46(str label, bint in_unicode):
    """Return a label processed by UTS 46, or the number of the rule that it breaks (unicode/label.h)."""
    cdef bytes text = label.encode("utf-8", "replace")
    cdef Buffer b
    cdef uint32_t culprit = 0
    cdef int rule
    buffer_start(&b)
    try:
        rule = write_domain(&b, <const uint8_t*><const char*>text, len(text), in_unicode, &culprit)
        return rule if rule else utf8_text(b.p, b.n)
    finally:
        buffer_free(&b)
