"""Node's url.parse, url-parse and urijs, and the JavaScript that these and javascript_uris.pyx share.

These three cut a text at its delimiters, from either end, and check little. A text in JavaScript is UTF-16; here only
the length of a host depends on that.
"""
from urlsm.readers.ada2 cimport ada_domain
from urlsm.readers.ages cimport lowered
from urlsm.readers.forms cimport escaped, kept, nearest
from urlsm.readers.programs import Program

cdef frozenset SCHEME = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.+-")
cdef bytes COMPONENT_KEPT = kept("-_.!~*'()", True)
cdef dict WITHOUT_TAB_NEWLINE = dict.fromkeys(map(ord, "\t\n\r"))
cdef frozenset SPECIAL = frozenset(("file:", "ftp:", "http:", "https:", "ws:", "wss:"))


# --- JavaScript ------------------------------------------------------------------------------------

cdef bint is_space(Py_UCS4 char) noexcept:
    r"""Return whether a regular expression's \s matches a character."""
    if char < 0x80:
        return char == c" " or 0x09 <= char <= 0x0D
    return (char in (0xA0, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF) or 0x2000 <= char <= 0x200A)


cdef str without_leading_space(str text):
    """Return a text without the C0 controls and the white space at its start."""
    cdef Py_ssize_t at = 0
    while at < len(text) and (text[at] <= 0x20 or is_space(text[at])):
        at += 1
    return text[at:]


cdef bint is_scheme(str text) except -1:
    """Return whether a text has only characters of a scheme, of which any may come first."""
    cdef Py_UCS4 char
    for char in text:
        if char not in SCHEME:
            return False
    return bool(text)


cdef str without_colon(str scheme):
    """Return a scheme without its last character; None if it is empty or None."""
    return scheme[:len(scheme) - 1] if scheme else None


cdef bint begins_with_letter(str text) noexcept:
    """Return whether a text begins with an ASCII letter."""
    return len(text) > 0 and (c"A" <= text[0] <= c"Z" or c"a" <= text[0] <= c"z")


cdef bint is_digits(str text) noexcept:
    """Return whether a text has only ASCII digits, or is empty."""
    cdef Py_UCS4 char
    for char in text:
        if not c"0" <= char <= c"9":
            return False
    return True


cdef str joined(str text):
    """Return a text in which each surrogate that is part of a pair is joined to the character that they encode."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


cdef str decode_uri_component(str text):
    """decodeURIComponent: return a text decoded; None: an escape is not valid, or what the escapes encode is not
    UTF-8."""
    cdef list parts, found, digits = []
    cdef str part
    cdef Py_ssize_t k
    if "%" not in text:
        return text
    parts = text.split("%")
    found = [parts[0]]
    try:
        for k in range(1, len(parts)):
            part = parts[k]
            if len(part) < 2 or not part[:2].isalnum():
                return None
            digits.append(part[:2])
            if len(part) > 2 or k == len(parts) - 1:  # the last escape of a run
                found.append(bytes.fromhex("".join(digits)).decode("utf-8"))
                found.append(part[2:])
                digits = []
        return "".join(found)
    except ValueError:
        pass
    return None


cdef str encode_uri_component(str text):
    """encodeURIComponent: return a text encoded; None: it has a lone surrogate."""
    try:
        return escaped(text.encode("utf-8"), COMPONENT_KEPT).decode("ascii")
    except UnicodeEncodeError:
        pass
    return None


# --- Node's url.parse ------------------------------------------------------------------------------

cdef enum:
    HOST_MAX = 255  # hostnameMaxLen, in units of UTF-16

cdef frozenset SLASHED = SPECIAL | {"gopher:"}
cdef frozenset NO_HOST = frozenset(" \"%';<>\\^`{|}")
cdef frozenset FORBIDDEN = frozenset("\0\t\n\r #%/:<>?@[\\]^|")
cdef frozenset FORBIDDEN_IPV6 = frozenset("\0\t\n\r #%/<>?@\\^|")
cdef dict AUTO_ESCAPED = {ord(char): f"%{ord(char):02X}" for char in "\t\n\r \"'<>\\^`{|}"}


cdef bint has_any(str text, frozenset chars) except -1:
    """Return whether a text has one of some characters."""
    for char in text:
        if char in chars:
            return True
    return False


cdef str trimmed(str text):
    """Url.prototype.parse: return a text without white space around it, and with "/" for each "\\" before "?" and
    "#"."""
    cdef Py_ssize_t begin = 0, end = len(text)
    while begin < end and (text[begin] <= 0x20 or text[begin] in (0xA0, 0xFEFF)):
        begin += 1
    while end > begin and (text[end - 1] <= 0x20 or text[end - 1] in (0xA0, 0xFEFF)):
        end -= 1
    text = text[begin:end]
    if "\\" in text:
        end = nearest(text, 0, len(text), "#?")
        text = text[:end].replace("\\", "/") + text[end:]
    return text


cdef bint is_simple_path(str text) except -1:
    """simplePathPattern: return whether a text is only a path and a query. It has no "#", and no "@" before "?"."""
    if text[:1] != "/" or text[:3] == "///":
        return False
    for char in text:
        if is_space(char):
            return False
    return True


cdef bint begins_with_userinfo(str rest) except -1:
    """hostPattern: return whether a text begins with "//", some characters but "/", "@" and one more."""
    cdef Py_ssize_t at = rest.find("@")
    return (at > 2 and rest[:2] == "//" and rest.find("/", 2, at) < 0
            and at + 1 < len(rest) and rest[at + 1] not in "@/")


def read_node_legacy(str text, int release):
    """lib/url.js, Url.prototype.parse: return the components, or what is refused."""
    cdef str rest = trimmed(text), scheme = None, auth = None, host = None, port = None, path = None, search = None
    cdef str fragment = None, authority, suffix
    cdef bint slashes = False, slashed_scheme = False
    cdef Py_ssize_t at
    if "#" not in rest and "@" not in rest.partition("?")[0] and is_simple_path(rest):
        at = rest.find("?")
        if at < 0:
            return None, None, None, None, rest, None, None
        return None, None, None, None, rest[:at], rest[at:], None
    at = rest.find(":")
    if at > 0 and is_scheme(rest[:at]):
        scheme = rest[:at + 1].lower()
        slashed_scheme = rest[:at + 1] in SLASHED  # as it is written
        rest = rest[at + 1:]
    hostless = scheme == "javascript:"
    if (scheme is not None or begins_with_userinfo(rest)) and rest[:2] == "//":
        slashes = True
        if not hostless:
            rest = rest[2:]
    if not hostless and (slashes or (scheme is not None and not slashed_scheme)):
        # "the first instance of /, ?, ;, or # ends the host", but not before the last "@"
        at = nearest(rest, 0, len(rest), "#/?")
        authority, suffix = rest[:at].translate(WITHOUT_TAB_NEWLINE), rest[at:]
        at = authority.rfind("@")
        if at >= 0:
            auth = decode_uri_component(authority[:at])
            if auth is None:
                return "userinfo"
            authority = authority[at + 1:]
        for at in range(len(authority)):
            if authority[at] in NO_HOST:
                authority, suffix = authority[:at], authority[at:] + suffix
                break
        rest = suffix
        # parseHost: portPattern
        at = authority.rfind(":")
        if at >= 0 and is_digits(authority[at + 1:]):
            port = authority[at + 1:] or None
            authority = authority[:at]
        host = authority
        ipv6 = host[:1] == "[" and host[len(host) - 1:] == "]"
        if not ipv6 and ":" in host:  # getHostname
            at = host.find(":")
            host, rest = host[:at], f"/{host[at:]}{rest}"
        if utf16_length(host) > HOST_MAX:
            host = ""
        if host:
            host = lowered(host, UNICODE)
            if ipv6:
                if has_any(host, FORBIDDEN_IPV6):
                    return "host"
            else:
                host = ada_domain(host)
                if host:
                    host = host.partition("\0")[0]  # encoding_binding::ToASCII: a C string
                if not host or has_any(host, FORBIDDEN):
                    return "host"
        if ipv6:
            host = host[1:len(host) - 1]
            if rest[:1] != "/":
                rest = "/" + rest
    if not hostless:
        rest = rest.translate(AUTO_ESCAPED)
    at = rest.find("#")
    if at >= 0:
        rest, fragment = rest[:at], rest[at:]
    at = rest.find("?")
    if at >= 0:
        rest, search = rest[:at], rest[at:]
    if rest:
        path = rest
    elif host and scheme in SLASHED:
        path = "/"
    return without_colon(scheme), auth, host, port, path, search, fragment


cdef Py_ssize_t utf16_length(str text) noexcept:
    """Return the number of units of a text in UTF-16."""
    cdef Py_ssize_t n = len(text)
    cdef Py_UCS4 char
    for char in text:
        n += char > 0xFFFF
    return n


# --- url-parse -------------------------------------------------------------------------------------

cdef dict URL_PARSE_PORTS = {"http:": "80", "ws:": "80", "https:": "443", "wss:": "443", "ftp:": "21", "gopher:": "70"}


cdef str url_parse_userinfo(str text):
    """Url: return a username and a password decoded and encoded again; None: an escape is malformed."""
    cdef str username, _colon, password
    username, _colon, password = text.partition(":")
    username, password = decode_uri_component(username), decode_uri_component(password)
    if username is None or password is None:
        return None
    username, password = encode_uri_component(username), encode_uri_component(password)
    if username is None or password is None:
        return None
    return f"{username}:{password}" if password else username


def read_url_parse(str text, int release):
    """index.js, Url and extractProtocol: return the components, or what is refused."""
    cdef str rest = without_leading_space(text).translate(WITHOUT_TAB_NEWLINE)
    cdef str scheme = "", userinfo = "", host = "", port = "", path = "", query = "", fragment = ""
    cdef Py_ssize_t at = rest.find(":"), forward, count
    # extractProtocol: protocolre
    if begins_with_letter(rest) and at > 0 and is_scheme(rest[:at]):
        scheme, rest = rest[:at + 1].lower(), rest[at + 1:]
    forward = 2 if rest[:2] == "//" else 0
    count = forward
    while count < len(rest) and rest[count] in "\\/":
        count += 1
    special = scheme in SPECIAL
    if scheme == "file:":
        rest = rest[2:] if count >= 2 else rest
    elif special:
        rest = rest[count:]
    elif scheme:
        rest = rest[forward:]
    at = rest.find("#")
    if at >= 0:
        rest, fragment = rest[:at], rest[at:]
    at = rest.find("?")
    if at >= 0:
        rest, query = rest[:at], rest[at:]
    # "When the authority component is absent the URL starts with a path component."
    drive = begins_with_letter(rest) and rest[1:2] == ":"
    if special:
        rest = rest.replace("\\", "/")
    if (scheme == "file:" and (count != 2 or drive)) or not (forward or special):
        path = rest[:nearest(rest, 0, len(rest), "\u2028\u2029")]
    else:
        at = rest.find("/")
        if at >= 0:
            rest, path = rest[:at], rest[at:]
        at = rest.rfind("@")
        if at >= 0:
            rest, userinfo = rest[at + 1:], rest[:at]
        host = lowered(rest, UNICODE)
        at = host.rfind(":")
        if at >= 0 and is_digits(host[at + 1:]):
            host, port = host[:at], host[at + 1:]
    if special and path[:1] != "/":
        path = "/" + path
    # requires-port: 0 is no port
    if scheme == "file:" or port.lstrip("0") in ("", URL_PARSE_PORTS.get(scheme)):
        port = ""
    if userinfo:
        userinfo = url_parse_userinfo(userinfo)
        if userinfo is None:
            return "userinfo"
    return without_colon(scheme), userinfo or None, host, port or None, path, query, fragment


# --- urijs -----------------------------------------------------------------------------------------

cdef tuple WEB_SCHEMES = ("", "http", "https", "ftp", "ws", "wss")
cdef str SLASHES = "/\\"
cdef dict BASES = {"0x": 16, "0o": 8, "0b": 2}


cdef str substring(str text, Py_ssize_t begin, Py_ssize_t end):
    """String.prototype.substring, which exchanges its arguments if the first is greater."""
    begin, end = max(begin, 0), max(end, 0)
    return text[begin:end] if begin <= end else text[end:begin]


cdef bint is_port(str text) except -1:
    """URI.ensureValidPort: return whether Number(text) is an integer from 1 to 65535."""
    cdef Py_ssize_t begin = 0, end = len(text)
    cdef str number
    while begin < end and is_space(text[begin]):
        begin += 1
    while end > begin and is_space(text[end - 1]):
        end -= 1
    number = text[begin:end]
    if not number.isascii() or "_" in number:
        return False
    base = BASES.get(number[:2].lower())
    try:
        if base is not None:
            if number[2:4].lower() == number[:2].lower() or not number[2:].isalnum():  # int() takes a prefix, and signs
                return False
            return 0 < int(number[2:], base) < 65536
        if number.strip("0123456789+-.eE"):  # float accepts words
            return False
        value = float(number)
        return 0 < value < 65536 and value == int(value)
    except ValueError:
        pass
    return False


cdef tuple urijs_authority(str text):
    """URI.parseUserinfo, URI.parseHost: return userinfo, host, port and path. The userinfo is False if it is
    refused."""
    cdef str rest = text.replace("\\", "/"), username, colon, password, host, port, path
    cdef object userinfo = None
    cdef Py_ssize_t pos = rest.rfind("@", 0, nearest(rest, 0, len(rest), "/")), bracket, first
    if pos >= 0:
        username, colon, password = rest[:pos].partition(":")
        if not password or password[0] == ":":  # "t[0] ? URI.decode(t.join(':')) : null"
            password = None
        username = decode_uri_component(username)
        if password is not None:
            password = decode_uri_component(password)
            if password is None:
                return False, None, None, None
        if username is None:
            return False, None, None, None
        if username or password is not None:
            userinfo = username if password is None else f"{username}:{password}"
        rest = rest[pos + 1:]
    pos = nearest(rest, 0, len(rest), "/")
    if rest[:1] == "[":
        bracket = rest.find("]")
        host = substring(rest, 1, bracket)
        port = substring(rest, min(bracket + 2, len(rest)), pos)
        if bracket + 1 < pos and rest[bracket + 1] > 0xFFFF:  # its second unit is not skipped
            port = "\udc00" + port
        if port == "/":
            port = ""
    else:
        first = rest.find(":")
        if rest.find(":", first + 1, pos) >= 0:
            host, port = rest[:pos], ""
        else:
            host, colon, port = rest[:pos].partition(":")
    path = rest[pos:] or "/"
    return userinfo, host or None, port or None, path


def read_urijs(str text, int release):
    """src/URI.js, URI.parse: return the components, or what is refused."""
    cdef str rest = without_leading_space(text).translate(WITHOUT_TAB_NEWLINE)
    cdef str scheme = None, query = None, fragment = None, mark, path
    cdef Py_ssize_t at
    cdef object userinfo = None, host = None, port = None
    rest, mark, fragment = rest.partition("#")
    rest, mark, query = rest.partition("?")
    # "slashes and backslashes have lost all meaning for the web protocols"
    at = rest.find(":")
    if at >= 0 and rest[:at].lower() in WEB_SCHEMES and rest[:at].isascii():
        rest = f"{rest[:at]}://{rest[at:].lstrip(':').lstrip(SLASHES)}"
    if len(rest) >= 2 and rest[0] in SLASHES and rest[1] in SLASHES:
        rest = "//" + rest.lstrip(SLASHES)
    at = rest.find(":")
    if rest[:2] == "//":
        userinfo, host, port, path = urijs_authority(rest[2:])
    elif at > 0 and not (begins_with_letter(rest) and is_scheme(rest[:at])):
        path = rest  # ": may be within the path"
    elif at >= 0:
        scheme = rest[:at] or None
        path = rest[at + 1:]
        if path[:2].replace("\\", "/") == "//":
            userinfo, host, port, path = urijs_authority(path[2:])
    else:
        path = rest
    if userinfo is False:
        return "userinfo"
    if port is not None and not is_port(port):
        return "port"
    return scheme, userinfo, host, port, path, query or None, fragment or None


PROGRAMS = (
    Program("node-legacy", "Node.js, url.parse(text)", ("20.20.2",), read_node_legacy),
    Program("url-parse", "url-parse, new Url(text, {})", ("1.5.10",), read_url_parse),
    Program("urijs", "URI.js, URI.parse(text)", ("1.19.11",), read_urijs),
)
