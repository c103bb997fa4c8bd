"""GNU wget (src/url.c, src/html-url.c, src/iri.c), and libwget of wget2 (libwget/iri.c)."""
from libc.stdint cimport uint8_t
from urlsm.octets.chars cimport ALPHA, CLASS, DIGIT, HEX, SCHEME_CHAR
from urlsm.readers.forms cimport decimal_port, decoded, escaped, first_of, octets, text_of, texts_of
from urlsm.readers.idn2 cimport LIBIDN2_2_3_3, LIBIDN2_2_3_8, USE_STD3_ASCII_RULES, libidn2
from urlsm.readers.programs import Program

cdef enum:
    SINCE_2 = 20000  # libwget 2, after 1.99.1: only http and https, paths are normalized, ports are checked

cdef bytes SPACES = b" \t\n\v\f\r"
cdef bytes HEX_DIGITS = b"0123456789abcdefABCDEF"


# --- libwget --------------------------------------------------------------------------------------

cdef bytes unescaped(bytes text, int release):
    """iri_unescape_inline: return a text decoded, up to a zero octet, which ends a text in C."""
    if release < SINCE_2:
        text = decoded(text)
    elif b"\n" in text or b"\r" in text:  # they are left out
        text = b"".join([dereferenced(line) for line in text.replace(b"\r", b"\n").split(b"\n")])
    else:
        text = dereferenced(text)
    return text.partition(b"\0")[0]


cdef bytes dereferenced(bytes text):
    """Return a text with its escapes decoded, and "#65;" and "#x41;" replaced by the ASCII that they stand for."""
    cdef list parts = text.split(b"#"), out = [decoded(parts[0])]
    cdef bytes part, digits
    for part in parts[1:]:
        digits, semicolon, rest = part.partition(b";")
        value = 0
        if semicolon and digits.isdigit() and len(digits.lstrip(b"0")) < 8:
            value = int(digits.lstrip(b"0") or b"0")
        elif semicolon and digits[:1] == b"x" and not digits[1:].strip(HEX_DIGITS):
            value = int(b"0" + digits[max(1, len(digits) - 8):], 16)
        out.append(bytes((value,)) + decoded(rest) if 0 < value < 128 else b"#" + decoded(part))
    return b"".join(out)


cdef bytes normalized_path(bytes path):
    """normalize_path: return a path without dot segments and empty ones before a "?" or "#", which was escaped."""
    cdef bytearray out = bytearray()
    cdef Py_ssize_t k = 0, n = first_of(path, 0, len(path), b"?#"), end
    cdef bytes segment
    cdef bint leading = True  # dots are also skipped at the beginning
    while k < len(path) and leading:
        end = first_of(path, k, len(path), b"/")
        segment = path[k:end]
        leading = segment == b"" or segment == b"." or segment == b".."
        if leading:
            k = end + 1 if end < len(path) else end
    while k < n:
        if path[k:k + 1] != b"/":
            end = first_of(path, k, n, b"/")
            out += path[k:end]
            k = end
            continue
        end = first_of(path, k + 1, len(path), b"/")
        segment = path[k + 1:end]
        if segment == b"." or segment == b"..":
            if segment == b"..":
                del out[max(out.rfind(b"/"), 0):]
            k = end
            if k == len(path) and out:
                out += b"/"
        else:
            # "avoid leading slash", "double slash to single slash"
            if segment.startswith(b".") or (out and (segment or end == len(path))):
                out += b"/"
            k += 1
    return bytes(out) + path[n:]


cdef bytes port_of(bytes text, int release):
    """Return the port in ":80...", up to what is no digit; None: it is none from 1 to 65535. Up to 1.99.1, only the
    lowest 32 bits of atoi's number count."""
    cdef bytes digits = text[1:len(text) - len(text[1:].lstrip(b"0123456789"))].lstrip(b"0")
    if len(digits) > 19:
        return None
    number = int(digits or b"0")
    if release < SINCE_2 and number < 1 << 63:
        number &= 0xFFFFFFFF
    return str(number).encode() if 0 < number <= 0xFFFF else None


def read_libwget(str text, int release):
    """wget_iri_parse, of UTF-8: return the components, or what is refused."""
    cdef bytes url = octets(text).lstrip(SPACES), scheme = b"http", authority, rest
    cdef const uint8_t* p = <const uint8_t*><const char*>url
    cdef Py_ssize_t begin = 0, end = 0
    cdef bytes userinfo = None, host, port = None, path = None, query = None, fragment = None
    if b"\0" in url:
        return "characters"
    if not url:
        return "host"
    if CLASS[p[0]] & ALPHA:
        while CLASS[p[end]] & SCHEME_CHAR:
            end += 1
        if p[end] == c':' and not CLASS[p[end + 1]] & DIGIT:
            scheme = url[:end].lower()
            begin = end + 1
            if release >= SINCE_2 and scheme not in (b"http", b"https"):
                return "scheme"
    while p[begin] == c'/':  # "accept any number of /, like most browsers"
        begin += 1
    end = first_of(url, begin, len(url), b"/?#")
    authority, rest = unescaped(url[begin:end], release), url[end:]
    rest, mark, after = rest.partition(b"#")
    if mark:
        fragment = unescaped(after, release)
    rest, mark, after = rest.partition(b"?")
    if mark:
        query = after.replace(b"+", b" ")
    if rest:
        path = unescaped(rest[1:], release)
        if release >= SINCE_2:
            path = normalized_path(path)
    if not authority and scheme in (b"http", b"https"):
        return "host"
    if b"@" in authority:
        userinfo, _, authority = authority.partition(b"@")
        userinfo = userinfo.partition(b":")[0]
    if authority.startswith(b"["):
        end = authority.rfind(b"]")
        if end < 0:
            end = len(authority)
        host, rest = authority[1:end], authority[end + 1:]
    elif authority or userinfo is not None:
        end = first_of(authority, 0, len(authority), b":")
        host, rest = authority[:end], authority[end:]
    else:
        host, rest = None, b""
    if rest.startswith(b":") and rest[1:2].isdigit():
        port = port_of(rest, release)
        if port is None and release >= SINCE_2:
            return "port"
    if host is not None:
        host = host.lower()
    if host is not None and not host.isascii():
        found = libidn2(host, LIBIDN2_2_3_8 | USE_STD3_ASCII_RULES if release >= SINCE_2 else LIBIDN2_2_3_3)
        if found is not None:
            host = found
    return texts_of((scheme, userinfo, host, port, path, query, fragment))


# --- GNU wget -------------------------------------------------------------------------------------

cdef tuple LEADING = (b"http://", b"https://", b"ftp://", b"ftps://")  # supported_schemes
cdef dict DEFAULT_PORTS = {b"http://": b"80", b"https://": b"443", b"ftp://": b"21", b"ftps://": b"21"}
# urlchr_table; and tables for `escaped`
cdef bytes UNSAFE = bytes(range(33)) + b"\"#%:<>@[\\]^`{|}\x7f" + bytes(range(128, 256))
cdef bytes RESERVED = b"#$&+,/:;=?@[]"
cdef bytes SAFE_KEPT = bytes([octet not in UNSAFE for octet in range(256)])
cdef bytes SAFE_OR_RESERVED_KEPT = bytes([octet not in UNSAFE or octet in RESERVED for octet in range(256)])


cdef bytes url_unescaped(bytes text):
    """url_unescape: return a text decoded, but for "%00"."""
    if b"%" not in text:
        return text
    return b"%00".join([decoded(part) for part in text.split(b"%00")])


cdef bytes leading(bytes url):
    """url_scheme: return the supported scheme that a text begins with, and its "://"; None: there is none."""
    cdef bytes begin = url[:8].lower()
    for known in LEADING:
        if begin.startswith(known):
            return known
    return None


cdef bytes longhand(bytes url):
    """rewrite_shorthand_url: return a text with its scheme: "www.foo.com:80/dir" is http, "foo.bar.com:dir/file" is
    ftp."""
    cdef Py_ssize_t at = first_of(url, 0, len(url), b":/")
    if leading(url) is not None or (at == 0 and url) or url[at:at + 3] == b"://":
        return url
    rest = url[at + 1:].lstrip(b"0123456789")
    if url[at:at + 1] == b":" and not (url[at + 1:at + 2].isdigit() and rest[:1] in (b"", b"/")):
        return b"ftp://" + url[:at] + b"/" + url[at + 1:]
    return b"http://" + url


cdef Py_ssize_t credentials_end(bytes url, Py_ssize_t at) noexcept:
    """Return where the "@" after credentials is, or where another octet is that they may not have
    (url_skip_credentials since CVE-2024-38428, which Debian mended in its 1.21.3)."""
    cdef const uint8_t* p = <const uint8_t*><const char*>url  # a zero octet ends it
    while True:
        if p[at] == c'%' and CLASS[p[at + 1]] & HEX and CLASS[p[at + 2]] & HEX:
            at += 3
        elif CLASS[p[at]] & (ALPHA | DIGIT) or p[at] in b"-_.!~*'();:&=+$,":
            at += 1
        else:
            return at


cdef bytes simplified(bytes path, bint is_ftp):
    """path_simplify: return a path without dot segments. In FTP, a ".." at the beginning stays."""
    cdef list kept = [], parts
    cdef Py_ssize_t k, floor = 0
    cdef bytes part
    if b"." not in path:
        return path
    parts = path.split(b"/")
    for k in range(len(parts)):
        part = parts[k]
        if part == b".." and len(kept) > floor:
            kept.pop()
        elif part == b".." and is_ftp:
            floor += 1
            kept.append(part + b"/" if k < len(parts) - 1 else part)
        elif part != b"." and part != b"..":
            kept.append(part + b"/" if k < len(parts) - 1 else part)
    return b"".join(kept)


cdef bint is_ipv4(bytes text) except -1:
    """is_valid_ipv4_address: return whether a text is four numbers up to 255, with any number of zeros before them."""
    cdef list parts = text.split(b".")
    if len(parts) != 4:
        return False
    for part in parts:
        if not part.isdigit() or len(part.lstrip(b"0")) > 3 or int(part.lstrip(b"0") or b"0") > 255:
            return False
    return True


cdef bint is_ipv6(bytes text) except -1:
    """is_valid_ipv6_address: return whether inet_pton takes a text without zeros before its groups."""
    cdef list groups
    cdef Py_ssize_t count = 0, k
    cdef bint skipped = False
    if text.startswith(b":") and not text.startswith(b"::"):
        return False
    groups = (text[1:] if text.startswith(b":") else text).split(b":")
    for k in range(len(groups)):
        if groups[k] == b"":
            if k == len(groups) - 1 and not (k and groups[k - 1] == b"" and skipped):
                return False
            if k < len(groups) - 1:
                if skipped:
                    return False
                skipped = True
        elif b"." in groups[k]:
            if k < len(groups) - 1 or count > 6 or not is_ipv4(groups[k]):
                return False
            count += 2
        else:
            if groups[k].strip(HEX_DIGITS) or len(groups[k].lstrip(b"0")) > 4:
                return False
            count += 1
    return count < 8 if skipped else count == 8


cdef class Url:
    """struct url"""
    cdef bytes scheme, user, password, host, port
    cdef bytes path   # without its first "/"
    cdef bytes query  # with its "?"; in FTP, the parameters, with their ";"
    cdef str refused


cdef Url refusal(str why):
    """Return a Url of which only `refused` is set."""
    cdef Url url = Url()
    url.refused = why
    return url


cdef Url parsed(bytes text, bint iri):
    """url_parse: return a text as a Url. iri: whether host names are converted, and the text is encoded first
    (reencode_escapes)."""
    cdef Url url = Url()
    cdef bytes encoded = escaped(text, SAFE_OR_RESERVED_KEPT, True) if iri else text, rest
    cdef Py_ssize_t begin, end, at, n = len(encoded)
    cdef bytes ends
    cdef bint is_ftp
    url.scheme = leading(text)
    if url.scheme is None:
        return refusal("scheme")
    is_ftp = url.scheme.startswith(b"ftp")
    ends = b"/;#" if is_ftp else b"/?#"
    begin = len(url.scheme)
    at = credentials_end(encoded, begin)
    if encoded[at:at + 1] == b"@":
        rest = encoded[begin:at]
        if not rest or rest.startswith(b":"):
            return refusal("userinfo")
        url.user, colon, url.password = rest.partition(b":")
        url.user = url_unescaped(url.user)
        url.password = url_unescaped(url.password) if colon else None
        begin = at + 1
    if encoded[begin:begin + 1] == b"[":
        end = encoded.find(b"]", begin)
        if end < 0 or not is_ipv6(encoded[begin + 1:end]):
            return refusal("host")
        url.host = encoded[begin + 1:end]
        at = end + 1
        if at < n and encoded[at:at + 1] not in b":" + ends:
            return refusal("host")
    else:
        at = first_of(encoded, begin, n, b":" + ends)
        url.host = encoded[begin:at]
    if not url.host:
        return refusal("host")
    url.port = DEFAULT_PORTS[url.scheme]
    if encoded[at:at + 1] == b":":
        end = first_of(encoded, at + 1, n, ends)
        rest = encoded[at + 1:end]
        if rest:
            if decimal_port(rest) < 0:
                return refusal("port")
            url.port = rest.lstrip(b"0") or b"0"
        at = end
    rest, _, _ = encoded[at:].partition(b"#")
    if is_ftp:
        url.path, parameters, rest = rest.partition(b";")
        url.query = parameters + rest
    else:
        url.path, mark, rest = rest.partition(b"?")
        url.query = mark + rest
    url.path = simplified(url.path[1:], is_ftp)
    url.host = url.host.lower()
    if b"%" in url.host:
        url.host = url_unescaped(url.host)
        if min(url.host) < 0x20 or b"\x7f" in url.host:
            return refusal("host")
        # idn_encode, which does nothing to ASCII unless the text was not ASCII
        if iri and not (url.host.isascii() and text.isascii()):
            found = libidn2(url.host, LIBIDN2_2_3_3)
            if found is not None:
                url.host = found
    return url


cdef bytes url_string(Url url, bint hidden):
    """url_string: return a Url as a text. hidden: whether "*password*" stands for the password."""
    cdef bytes out = url.scheme, host = escaped(url.host, SAFE_KEPT).replace(b"%3A", b":")
    if url.user is not None:
        out += escaped(url.user, SAFE_KEPT)
        if url.password is not None:
            out += b":*password*" if hidden else b":" + escaped(url.password, SAFE_KEPT)
        out += b"@"
    out += b"[" + host + b"]" if b":" in host else host
    if url.port != DEFAULT_PORTS[url.scheme]:
        out += b":" + url.port
    return out + b"/" + url.path + url.query


cdef Url requested(str text):
    """get_urls_file, retrieve_from_file: return the URL that `wget -i FILE` requests for a line of the file, in a UTF-8
    locale."""
    cdef bytes line = octets(text).strip(SPACES)
    cdef Url first, second
    if first_of(line, 0, len(line), b"\n\0") < len(line):
        return refusal("characters")
    first = parsed(longhand(line), False)
    if first.refused is not None:
        return first
    second = parsed(url_string(first, False), True)
    return first if second.refused is not None else second


def read_wget(str text, int release):
    """Return the components of the URL that is requested, and the host and port that are resolved; or what is
    refused."""
    cdef Url url = requested(text)
    if url.refused is not None:
        return url.refused
    cdef str host = text_of(url.host), port = text_of(url.port)
    userinfo = url.user if url.password is None else url.user + b":" + url.password
    path, query = b"/" + url.path, url.query
    if query.startswith(b";"):  # the parameters of FTP
        path, query = path + query, b""
    return (text_of(url.scheme[:len(url.scheme) - 3]), None if userinfo is None else text_of(userinfo), host, port,
            text_of(path), text_of(query[1:]) if query else None, None, (host, port))


def shown(str text):
    """Return the URL that wget shows when it begins to request one; None: it refuses the text."""
    cdef Url url = requested(text)
    return text_of(url_string(url, True)) if url.refused is None else None


PROGRAMS = (
    Program("libwget", "libwget, wget_iri_parse", ("1.99.1", "2.2.0"), read_libwget),
    Program("wget", "GNU Wget, wget -i FILE", ("1.21.3",), read_wget),
)
