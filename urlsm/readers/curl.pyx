"""curl: libcurl's curl_url_set (lib/urlapi.c), and the host that a transfer resolves (lib/url.c, lib/hostip.c)."""
from libc.stdint cimport uint8_t
from urlsm.octets.chars cimport ALPHA, CLASS, SCHEME_CHAR
from urlsm.readers.forms cimport (
    decimal_port, decoded, dotted, first_of, inet_aton, ipv6_address, ipv6_text, octets, text_of, texts_of,
)
from urlsm.readers.idn2 cimport LIBIDN2_2_3_3, LIBIDN2_2_3_8, libidn2
from urlsm.readers.programs import Program

cdef enum:
    MAX_INPUT = 8_000_000                # CURL_MAX_INPUT_LENGTH
    MAX_SCHEME = 40                      # MAX_SCHEME_LEN
    MAX_ZONE = 15
    REFUSES_PERCENT = 80000              # since 8.0.0: "%" in a host that was decoded
    SCHEME_BEGINS_WITH_A_LETTER = 80200  # since 8.2.0; before: with any character of a scheme
    HIDES_EMPTY_QUERY = 80800            # since 8.8.0
    HAS_WEBSOCKETS = 81100               # since 8.11.0
    REFUSES_0X = 81300                   # from 8.13.0 until 8.21.0: "0X" is no prefix of a hexadecimal number
    REMOVES_ENCODED_DOTS = 81300         # since 8.13.0: "%2e" in dot segments
    LOCALHOST_IS_IPV6 = 81400            # not in 7.88.1: "::1" before 127.0.0.1, and for "localhost." too
    DECODES_FIRST = 82100                # since 8.21.0: a host is decoded before it is looked at
    WITH_NEWER_LIBIDN2 = 82300           # as it was compared: 8.23.0 with libidn2 2.3.8, the others with 2.3.3

cdef bytes FORBIDDEN = b" \r\n\t/:#?!@{}[]\\$'\"^`*<>=;,+&()"  # of hostname_check
cdef bytes FORBIDDEN_LATER = bytes(range(33)) + FORBIDDEN + b"%|\x7f"  # invalid_host_char, since 8.21.0
cdef bytes ADDRESS = b"0123456789abcdefABCDEF:."
cdef tuple GUESSES = (b"ftp", b"dict", b"ldap", b"imap", b"smtp", b"pop3")
cdef frozenset WITH_OPTIONS = frozenset((b"imap", b"imaps", b"pop3", b"pop3s", b"smtp", b"smtps"))  # PROTOPT_URLOPTIONS
cdef dict PORTS = {
    "http": "80", "https": "443", "ftp": "21", "ws": "80", "wss": "443", "gopher": "70", "ldap": "389"
}
# of an LDAP search
cdef frozenset SCOPES = frozenset((b"", b"base", b"one", b"onelevel", b"sub", b"subtree", b"subordinate", b"children"))


cdef bint is_junk(bytes url) noexcept:
    """junkscan: return whether a text has a control character or a space."""
    cdef const uint8_t* p = <const uint8_t*><const char*>url
    cdef Py_ssize_t k
    for k in range(len(url)):
        if p[k] <= 0x20 or p[k] == 0x7F:
            return True
    return False


cdef Py_ssize_t scheme_length(bytes url, int release) noexcept:
    """Curl_is_absolute_url, with guess_scheme: return the length of the scheme, after which there are ":" and "/"; 0 if
    there is none."""
    cdef const uint8_t* p = <const uint8_t*><const char*>url  # a zero octet ends it
    cdef Py_ssize_t k = 0
    if CLASS[p[0]] & ALPHA or release < SCHEME_BEGINS_WITH_A_LETTER:
        while k < MAX_SCHEME and CLASS[p[k]] & SCHEME_CHAR:
            k += 1
    return k if k and p[k] == c':' and p[k + 1] == c'/' else 0


cdef bint is_drive(bytes text, Py_ssize_t at) noexcept:
    """STARTS_WITH_URL_DRIVE_PREFIX: return whether a drive letter of Windows is at a place."""
    cdef const uint8_t* p = <const uint8_t*><const char*>text + at
    return CLASS[p[0]] & ALPHA and p[1] in b":|" and p[2] in b"/\\\0"


cdef bytes file_path(bytes url):
    """parse_file: return the path of a "file:" URL with its query and fragment; None: it is refused."""
    cdef bytes path = url[5:]
    if len(url) <= 6:
        return None
    if path[:2] == b"//":
        path = path[2:]
        if path[:1] != b"/" and not is_drive(path, 0):
            # "it must match "localhost" or "127.0.0.1" to be valid"
            if path[:10].lower() not in (b"localhost/", b"127.0.0.1/"):
                return None
            path = path[9:]
    return None if is_drive(path, 0) or is_drive(path, 1) else path


cdef tuple login(bytes text, bytes scheme):
    """Curl_parse_login_details: return the user, and the password or None. Options between ";" and the end are left out
    in the schemes that have them."""
    cdef Py_ssize_t colon = text.find(b":")
    cdef Py_ssize_t semicolon = text.find(b";") if scheme in WITH_OPTIONS else -1
    user = text[:first_of(text, 0, len(text), b":;" if scheme in WITH_OPTIONS else b":")]
    if colon < 0:
        return user, None
    return user, text[colon + 1:semicolon if semicolon > colon else len(text)]


cdef bytes ipv6_host(bytes host, int release):
    """ipv6_parse: return a host in brackets, its address in the shortest form if that is shorter; None: it is refused.
    The first octet is "["; the last is taken for "]"."""
    cdef Py_ssize_t n = len(host) - 1, length = n - len(host[1:].lstrip(ADDRESS)), end
    cdef bytes written, shortest, zone = b""
    if n < 3:
        return None
    if length != n - 1:
        if host[1 + length:2 + length] != b"%":
            return None
        begin = length + 2
        if host[begin:begin + 2] == b"25" and host[begin + 2:begin + 3] not in (b"", b"]"):
            begin += 2
        end = begin + len(host[begin:begin + MAX_ZONE].partition(b"]")[0])
        if end == begin or host[end:end + 1] != b"]":
            return None
        zone = host[begin:end]
        if release >= DECODES_FIRST and len(zone.translate(None, FORBIDDEN_LATER)) < len(zone):
            return None
        zone = b"%" + zone
    written = host[1:1 + length]
    address = ipv6_address(written)
    if address is None:
        return None
    shortest = ipv6_text(address, True).encode()
    if len(shortest) < len(written) + (release >= DECODES_FIRST):
        written = shortest
    return b"[" + written + zone + b"]"


cdef bint is_forbidden(bytes host, int release) except -1:
    """hostname_check: return whether a host has what it must not have."""
    if release >= DECODES_FIRST:
        return len(host.translate(None, FORBIDDEN_LATER)) < len(host) or host.endswith(b"..") or host == b"."
    return len(host.translate(None, FORBIDDEN)) < len(host) or (release >= REFUSES_PERCENT and b"%" in host)


cdef bytes ipv4_host(bytes host, int release):
    """ipv4_normalize: return a host that is an IPv4 address as four numbers; None: it is none."""
    cdef bytes number = host
    if release >= DECODES_FIRST:
        if host.endswith(b"."):
            number = host[:len(host) - 1]  # "A single dot following the numerical address is accepted"
    elif release >= REFUSES_0X and b"X" in host:
        return None
    address = inet_aton(number)
    return None if address is None else dotted(address).encode()


cdef bytes host_of(bytes host, int release):
    """parse_authority: return a host as curl gives it; None: it is refused."""
    cdef bytes plain = host, address
    cdef bint literal = host.startswith(b"[")
    if not literal and release < DECODES_FIRST:
        address = ipv4_host(host, release)
        if address is not None:
            return address
    if not literal or release >= DECODES_FIRST:
        plain = decoded(host)  # urldecode_host
        if plain is not host and min(plain) < 0x20:
            return None
    # up to 8.20, also a bracket that was escaped begins an address
    if literal or (release < DECODES_FIRST and plain.startswith(b"[")):
        return ipv6_host(plain, release)
    if release >= DECODES_FIRST:
        address = ipv4_host(plain, release)
        if address is not None:
            return address
    return None if is_forbidden(plain, release) else plain


cdef bytes without_dot_segments(bytes path, int release):
    """dedotdotify: return a path, which begins with "/", without its dot segments."""
    cdef list kept = [], segments
    cdef bytes segment, plain
    cdef Py_ssize_t k
    if b"." not in path and (b"%" not in path or release < REMOVES_ENCODED_DOTS):
        return path
    segments = path.split(b"/")
    for k in range(1, len(segments)):
        segment = plain = segments[k]
        if release >= REMOVES_ENCODED_DOTS and b"%" in segment and len(segment) <= 6:
            plain = segment.lower().replace(b"%2e", b".")
        if plain == b".." and kept:
            kept.pop()
        if plain != b"." and plain != b"..":
            kept.append(segment)
        elif k == len(segments) - 1:
            kept.append(b"")
    return b"/" + b"/".join(kept)


cdef object parsed(str text, int release):
    """parseurl, with CURLU_GUESS_SCHEME and CURLU_NON_SUPPORT_SCHEME, as for a transfer: return the components, or what
    is refused."""
    cdef bytes url = octets(text), scheme, host = None, port = None, user = None, password = None
    cdef bytes authority, rest, path, query, fragment
    cdef Py_ssize_t length, begin, end
    if len(url) > MAX_INPUT:
        return "length"
    if is_junk(url):
        return "characters"
    length = scheme_length(url, release)
    scheme = url[:length].lower()
    if scheme == b"file":
        rest = file_path(url)
        if rest is None:
            return "host"
    else:
        begin = 0
        if length:
            begin = end = length + 1
            while url[begin:begin + 1] == b"/":
                begin += 1
            if begin - end > 3:
                return "authority"
        end = first_of(url, begin, len(url), b"/?#")
        authority, rest = url[begin:end], url[end:]
        if b"@" in authority:
            # parse_hostname_login: the first "@"
            credentials, _, authority = authority.partition(b"@")
            user, password = login(credentials, scheme)
        # parse_port
        host = authority
        if authority[:1] == b"[":
            end = authority.find(b"]") + 1
            if end == 0:
                return "host"
            host, port = authority[:end], authority[end:]
            if port and port[:1] != b":":
                return "port"
            port = port[1:] if port else None
        elif b":" in authority:
            host, _, port = authority.partition(b":")
        if port is not None:
            if not port:
                if not length:
                    return "port"
                port = None
            elif decimal_port(port) < 0:
                return "port"
            else:
                port = port.lstrip(b"0") or b"0"
        host = host_of(host, release) if host else None
        if host is None:
            return "host"
        if not length:
            # "legacy curl-style guess based on hostname"
            scheme = host.partition(b".")[0].lower() if b"." in host else b""
            if scheme not in GUESSES:
                scheme = b"http"
    rest, _, fragment = rest.partition(b"#")
    path, mark, query = rest.partition(b"?")
    if not mark or (not query and release >= HIDES_EMPTY_QUERY):
        query = None
    if len(path) <= 1:
        path = b"/"
    if password is not None:
        user += b":" + password
    return texts_of((scheme, user, host, port, without_dot_segments(path, release), query, fragment or None))


cdef bint is_localhost(bytes host, int release) except -1:
    """Curl_resolv, tailmatch: return whether curl takes a host for this machine without asking the resolver."""
    cdef bytes name = host.lower()
    if release >= LOCALHOST_IS_IPV6 and name.endswith(b"."):
        name = name[:len(name) - 1]
    return name == b"localhost" or name.endswith(b".localhost")


cdef bint is_ldap_url(str query, str fragment) except -1:
    """ldap_url_parse of OpenLDAP: return whether it takes what follows the path:
    ?attributes?scope?filter?extensions."""
    cdef str rest = f"?{query}" if query else ""
    cdef list fields
    if fragment is not None:
        rest = f"{rest}#{fragment}"
    fields = [decoded(octets(field)) for field in rest.split("?")[1:]]
    if len(fields) > 4 or (len(fields) > 1 and fields[1].lower() not in SCOPES):
        return False
    if len(fields) > 2 and fields[2].startswith(b"\0"):
        return False
    return len(fields) < 4 or fields[3].strip(b",") != b""


cdef object connected(tuple components, int release):
    """parseurlandfillconn and Curl_resolv: return the host and port that are resolved, or what is refused; for a
    transfer that may use http, https, ftp, ws, wss, gopher and ldap, in a UTF-8 locale. A release that does not know ws
    stops at it in this list, so it allows only the protocols before."""
    cdef bytes host, plain
    cdef str scheme, userinfo, name, port, query, fragment
    scheme, userinfo, name, port, _, query, fragment = components
    if scheme not in PORTS or (release < HAS_WEBSOCKETS and scheme not in ("http", "https", "ftp")):
        return "scheme"
    if userinfo is not None:
        # "PROTOPT_USERPWDCTRL ? REJECT_ZERO : REJECT_CTRL"
        plain = decoded(octets(userinfo))
        if scheme == "ldap" or b"\0" in plain or (scheme in ("ftp", "gopher") and plain and min(plain) < 0x20):
            return "userinfo"
    if scheme == "ldap" and not is_ldap_url(query, fragment):
        return "query"
    host = octets(name)
    if host.startswith(b"["):
        host = host[1:len(host) - 1].partition(b"%")[0]
    else:
        if release < REFUSES_PERCENT:
            host = host.replace(b"%", b"%25")  # curl_url_get: "only encode '%' in output host name"
        if not host.isascii():
            host = libidn2(host, LIBIDN2_2_3_8 if release >= WITH_NEWER_LIBIDN2 else LIBIDN2_2_3_3)
            if host is None or (not host and release >= DECODES_FIRST):
                return "host"
    address = ipv6_address(host)
    if address is not None:
        name = ipv6_text(address, True)
    elif is_localhost(host, release):
        name = "127.0.0.1" if release < LOCALHOST_IS_IPV6 else "::1"
    else:
        name = text_of(host)
    return name, port or PORTS[scheme]


def read(str text, int release):
    """curl_url_set, and a transfer: return the components, or what is refused."""
    found = parsed(text, release)
    return found if isinstance(found, str) else (*<tuple>found, connected(found, release))


PROGRAMS = (
    Program("curl", "libcurl, curl_url_set(CURLUPART_URL)", ("7.88.1", "8.14.1", "8.23.0"), read),
)
