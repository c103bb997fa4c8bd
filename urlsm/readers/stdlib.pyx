"""CPython: urllib.parse (urlsplit and the attributes of its result) and urllib.request (urlopen).

NFKC is that of the interpreter that runs this, not of the release that is read.
"""
import re
from libc.stdint cimport uint32_t
from urlsm.readers.ages cimport lowered
from urlsm.readers.forms cimport ipv6_address, nearest, nfkc, scheme_end, unquoted
from urlsm.readers.idna cimport idna2003
from urlsm.readers.programs import Program

cdef enum:
    # the first known release with each rule; after the ";", the release that brought it
    TRIMS = 30818                  # white space and controls at the left are removed; 3.8.17
    ANY_REST_AFTER_SCHEME = 30918  # "ab:80" has a scheme; 3.9.0
    ASCII_DIGITS = 31013           # a port has only these, not all that int() takes; 3.10.0
    LETTER_FIRST = 31107           # a scheme begins with a letter; 3.11.4
    BRACKETS = 31107               # they hold an IPv6 address, or an IPvFuture; 3.11.4, CVE-2024-11168
    NOTHING_BESIDE = 31315         # but a port may be beside brackets; 3.13.2, CVE-2025-0938
    DIGITS_LIMITED = 30716         # int() takes only so many; 3.7.14
    ERRORS_NAMED = 30818           # urllib.parse words the error of a port that is no number; 3.8.0
    LIMIT_IN_DIGITS = 31107        # int()'s error says "4300 digits"; 3.11.0
    DIGITS_MAX = 4300              # sys.get_int_max_str_digits()
    PORT_MAX = 65535

# the releases with a new version of Unicode, and that version, times ten
UNICODE = (
    (31500, 170), (31400, 160), (31300, 151), (31200, 150), (31100, 140), (30900, 130), (30800, 121), (30700, 110),
    (0, 90),
)
WHITE_SPACE = "".join(map(chr, range(0x21)))
QUAD = re.compile(r"(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(?:\.(?!\Z)|\Z)){4}")
FUTURE = re.compile(r"v[0-9a-fA-F]+\..+")
LONG_NUMBER = re.compile(r"(?:(?![\x1c-\x1f])\s)*[-+]?\d(?:_?\d)*(?:(?![\x1c-\x1f])\s)*")
HEADER_ENDS = re.compile(r"\n(?![ \t])|\r(?![ \t\n])")


# --- urllib.parse ------------------------------------------------------------------------------------

cdef tuple urlsplit(str text, int release):
    """urlsplit: return scheme, netloc, path, query and fragment of a text; None if its host is refused."""
    cdef str scheme = "", netloc, rest = text, query, fragment
    cdef Py_ssize_t end
    if release >= TRIMS:
        rest = rest.lstrip(WHITE_SPACE)
    rest = rest.replace("\t", "").replace("\r", "").replace("\n", "")
    end = scheme_end(rest)
    if end and has_scheme(rest, end, release):
        scheme, rest = rest[:end].lower(), rest[end + 1:]
    netloc, rest, query, fragment = split_rest(rest)
    return (scheme, netloc, rest, query, fragment) if is_netloc(netloc, release) else None


cdef bint is_netloc(str netloc, int release) except -1:
    """Return whether urlsplit takes a netloc."""
    return may_have_brackets(netloc, release) and meets_nfkc_rule(netloc)


def refusal_of(netloc: str):
    """Return the error with which urlsplit refuses a netloc, in the newest release that is known; None: it is taken."""
    if not may_have_brackets(netloc, NOTHING_BESIDE):
        return "Invalid IPv6 URL"
    return None if meets_nfkc_rule(netloc) else "netloc contains invalid characters under NFKC normalization"


cdef tuple split_rest(str text):
    """Return netloc, path, query and fragment of what is after the scheme."""
    cdef str netloc = "", query, fragment
    cdef Py_ssize_t end
    if text[:2] == "//":
        end = nearest(text, 2, len(text), "/?#")
        netloc, text = text[2:end], text[end:]
    text, _, fragment = text.partition("#")
    text, _, query = text.partition("?")
    return netloc, text, query, fragment


cdef bint has_scheme(str text, Py_ssize_t end, int release) noexcept:
    """Return whether what is before text[end], which is ":", is a scheme."""
    cdef Py_ssize_t at
    cdef uint32_t first = text[0]
    if release >= LETTER_FIRST:
        return c"a" <= first | 0x20 <= c"z"
    if release >= ANY_REST_AFTER_SCHEME or text[:end] == "http" or end + 1 == len(text):
        return True
    for at in range(end + 1, len(text)):  # "make sure "url" is not actually a port number"
        if not c"0" <= text[at] <= c"9":
            return True
    return False


cdef bint may_have_brackets(str netloc, int release) except -1:
    """_check_bracketed_netloc: return whether there are no brackets, or they hold what they may."""
    cdef str before, host, after
    if "[" not in netloc and "]" not in netloc:
        return True
    if "[" not in netloc or "]" not in netloc:
        return False
    if release < BRACKETS:
        return True
    if release < NOTHING_BESIDE:
        return is_bracketed(netloc.partition("[")[2].partition("]")[0], False)
    before, opened, host = netloc.rpartition("@")[2].partition("[")
    if not opened:
        return is_bracketed(before.partition(":")[0], True)
    host, _, after = host.partition("]")
    return not before and after[:1] in ("", ":") and is_bracketed(host, True)


cdef bint is_bracketed(str host, bint capital) except -1:
    """_check_bracketed_host: return whether a host may be in brackets. capital: whether "V1.x" may be, like "v1.x"."""
    if host[:1] == "v" or (capital and host[:1] == "V"):
        return FUTURE.fullmatch("v" + host[1:]) is not None
    return is_ip6(host)


cdef bint is_ip4(str host) except -1:
    """ipaddress.IPv4Address: return whether a text is an IPv4 address."""
    return QUAD.fullmatch(host) is not None


cdef bint is_ip6(str host) except -1:
    """ipaddress.IPv6Address: return whether a text is an IPv6 address, perhaps with a zone."""
    cdef str address, mark, zone
    address, mark, zone = host.partition("%")
    return (address.isascii() and ipv6_address(address.encode()) is not None
            and (not mark or (zone != "" and "%" not in zone)) and "/" not in zone)


cdef bint meets_nfkc_rule(str netloc) except -1:
    """_checknetloc: return whether NFKC makes no delimiter of a character."""
    cdef str text, normal, mark
    if netloc.isascii():
        return True
    text = netloc.replace("@", "").replace(":", "").replace("#", "").replace("?", "")
    normal = nfkc(text)
    if normal != text:
        for mark in "/?#@:":
            if mark in normal:
                return False
    return True


cdef tuple hostinfo(str netloc):
    """_hostinfo: return the host as it is written, and the port, which may be None."""
    cdef str host, port, opened
    host = netloc.rpartition("@")[2]
    _, opened, port = host.partition("[")
    if opened:
        host, _, port = port.partition("]")
        port = port.partition(":")[2]
    else:
        host, _, port = host.partition(":")
    return host, port or None


cdef str hostname(str host, int release=0):
    """hostname: return a host in lower case, but for its zone; None if it is empty."""
    cdef str mark, zone
    host, mark, zone = host.partition("%")
    return lowered_by(release, host) + mark + zone or None


cdef str lowered_by(int release, str text):
    """Return a text in lower case as str.lower of a release of CPython; of the interpreter if it is 0."""
    cdef int first
    if release and not text.isascii():
        for first, version in UNICODE:
            if release >= first:
                return lowered(text, version)
    return text.lower()


cdef str userinfo(str netloc):
    """Return what is before the last "@"; None: there is none."""
    cdef str before, mark
    before, mark, _ = netloc.rpartition("@")
    return before if mark else None


cdef str port(str text, int release):
    """port: return the number in decimal, or the error that asking for it raises: "!" and its first 40 characters."""
    cdef object value
    if text is None:
        return None
    if release >= ASCII_DIGITS and not (text.isdigit() and text.isascii()):
        return "!Port could not be cast to integer value "
    value = number(text)
    if value is not None:
        return str(value) if 0 <= value <= PORT_MAX else "!Port out of range 0-65535"
    if release >= ERRORS_NAMED and release < ASCII_DIGITS:
        return "!Port could not be cast to integer value "
    if release < ASCII_DIGITS and (len(text) <= DIGITS_MAX or LONG_NUMBER.fullmatch(text) is None):
        return "!invalid literal for int() with base 10: "
    if release < DIGITS_LIMITED:
        return "!Port out of range 0-65535"
    return "!Exceeds the limit (4300 digits) for inte" if release >= LIMIT_IN_DIGITS else (
        "!Exceeds the limit (4300) for integer str")


cdef object number(str text):
    """int(): return the number that a text is; None if it is none, or has too many digits."""
    cdef str digits
    if len(text) > DIGITS_MAX:
        digits = text.strip()
        if len(digits) - digits.count("_") - (digits[:1] in ("+", "-")) > DIGITS_MAX:
            return None
    try:
        return int(text)
    except ValueError:
        pass
    return None


def read_parse(str text, int release):
    """urlsplit, and the attributes of its result: return the components, or what is refused."""
    cdef tuple parts = urlsplit(text, release)
    cdef str scheme, netloc, path, query, fragment, host, after
    if parts is None:
        return "host"
    scheme, netloc, path, query, fragment = parts
    host, after = hostinfo(netloc)
    return scheme, userinfo(netloc), hostname(host, release), port(after, release), path, query, fragment


# --- urllib.request ----------------------------------------------------------------------------------

cdef object request(str text, int release):
    """Request: return type, host, selector and fragment of a text, or what is refused."""
    cdef str url, mark, fragment, scheme, host = None, rest
    cdef Py_ssize_t end
    url = text.strip()  # unwrap
    if url[:1] == "<" and url[len(url) - 1:] == ">":
        url = url[1:len(url) - 1].strip()
    if url[:4] == "URL:":
        url = url[4:].strip()
    rest, mark, fragment = url.rpartition("#")
    if not mark:
        rest, fragment = url, None
    scheme, mark, rest = rest.partition(":")
    if not mark or not scheme or "/" in scheme:
        return "scheme"
    # request_host reads the whole again
    if urlsplit(f"{scheme}:{rest}#{fragment}" if fragment else f"{scheme}:{rest}", release) is None:
        return "host"
    if rest[:2] == "//":
        end = nearest(rest, 2, len(rest), "/#?")
        host, rest = unquoted(rest[2:end]), rest[end:]
        if rest and rest[0] != "/":
            rest = "/" + rest
    return lowered_by(release, scheme), host, rest, fragment


cdef object connection(str scheme, str netloc, str selector):
    """do_open, HTTPConnection: return the host and port that are resolved, or what is refused."""
    cdef Py_ssize_t colon
    cdef str host = netloc
    cdef object value = 443 if scheme == "https" else 80
    if not netloc:
        return "host"
    colon = netloc.rfind(":")
    if colon > netloc.rfind("]"):
        host = netloc[:colon]
        if netloc[colon + 1:]:
            value = number(netloc[colon + 1:])
            if value is None:
                return "port"
    if host[:1] == "[" and host[len(host) - 1:] == "]":
        host = host[1:len(host) - 1]
    if has_unwanted(host) or has_unwanted(selector) or not selector.isascii():
        return "characters"
    if not is_latin(netloc) or HEADER_ENDS.search(netloc):  # putheader("Host", netloc)
        return "host"
    return host, str(value)


cdef bint has_unwanted(str text) noexcept:
    """Return whether a text has a control character of ASCII or a space, which http.client refuses."""
    cdef Py_UCS4 char
    for char in text:
        if char <= 0x20 or char == 0x7F:
            return True
    return False


cdef bint is_latin(str text) noexcept:
    """Return whether a text can be encoded in Latin-1."""
    cdef Py_UCS4 char
    for char in text:
        if char > 0xFF:
            return False
    return True


def read_request(str text, int release):
    """Request, and do_open for http and https: return the components, or what is refused. The path is the selector."""
    cdef object found = request(text, release)
    cdef str scheme, host, selector, fragment, at = None
    if isinstance(found, str):
        return found
    scheme, host, selector, fragment = found
    found = "scheme"
    if scheme in ("http", "https"):
        found = connection(scheme, host, selector)
        if isinstance(found, str):
            return found
        host, at = found
    return scheme, None, host, at, selector, None, fragment, found


cdef bint may_be_reached(str scheme, str host) except -1:
    """socket.getaddrinfo, ssl: return whether a name can be looked up, and named in TLS."""
    return idna2003(host) is not None and (scheme not in ("https", "wss") or host[:1] not in ("", "."))


def request_sent(str text, int release):
    """Return the request target and Host that urlopen sends; Host in Latin-1. Or what is refused."""
    cdef object found = request(text, release)
    cdef object connected
    if isinstance(found, str):
        return found
    if found[0] not in ("http", "https"):
        return "scheme"
    connected = connection(found[0], found[1], found[2])
    if isinstance(connected, str):
        return connected
    return (found[2] or "/", found[1]) if may_be_reached(found[0], connected[0]) else "host"


PROGRAMS = (
    Program(
        "urllib.parse", "CPython, urllib.parse.urlsplit and its attributes",
        ("3.6.15", "3.7.16", "3.8.18", "3.9.18", "3.10.13", "3.11.7", "3.12.1", "3.13.0", "3.13.15", "3.14.10",
         "3.15.2"),
        read_parse,
    ),
    Program(
        "urllib.request", "CPython, urllib.request.urlopen",
        ("3.6.15", "3.7.16", "3.8.18", "3.9.18", "3.10.13", "3.11.7", "3.12.1", "3.13.0", "3.13.15", "3.15.2"),
        read_request, request_sent,
    ),
)
