"""Mono's System.Uri, with UriKind.Absolute, on Linux. Docstrings name the methods that functions follow; those for
hosts are in mono_hosts.pyx."""
from unicodedata import normalize
from libc.stdint cimport uint8_t
from urlsm.octets.chars cimport HEX
from urlsm.octets.text cimport among, hex_value
from urlsm.readers.forms cimport decimal_port, kept, lettered_scheme_end, octets, text_of
from urlsm.readers.mono_hosts cimport (
    BASIC, BIDI_CONTROLS, DNS, IPV4, IPV6, NO_HOST, NOT_PARSED, UNC, HostType, domain_end, host_string, ipv4_end,
    ipv6_end, is_slash, unc_end, without_bidi_controls,
)
from urlsm.readers.programs import Program

cdef enum Syntax:  # UriSyntaxFlags, of what differs between schemes
    MUST_HAVE_AUTHORITY = 0x1
    USERINFO = 0x4
    PORT = 0x8
    QUERY = 0x20
    EMPTY_HOST = 0x80
    HOSTS = 0x100            # AllowAnInternetHost
    UNC_HOST = 0x200
    FILE_LIKE = 0x2000
    MAILTO_LIKE = 0x4000
    UNKNOWN = 0x10000        # a scheme without rules of its own
    DOS_PATH = 0x100000
    PATH_IS_ROOTED = 0x200000
    CONVERT_SLASHES = 0x400000
    COMPRESS_PATH = 0x800000
    AS_FILE_PATH = 0x1000000
    UNESCAPE_DOTS = 0x2000000

    HTTP = (MUST_HAVE_AUTHORITY | USERINFO | PORT | QUERY | HOSTS | UNC_HOST | PATH_IS_ROOTED | CONVERT_SLASHES
            | COMPRESS_PATH | AS_FILE_PATH)
    PLAIN = MUST_HAVE_AUTHORITY | USERINFO | PORT | HOSTS | UNC_HOST | PATH_IS_ROOTED
    FILE = (MUST_HAVE_AUTHORITY | QUERY | HOSTS | UNC_HOST | EMPTY_HOST | FILE_LIKE | DOS_PATH | PATH_IS_ROOTED
            | CONVERT_SLASHES | COMPRESS_PATH | AS_FILE_PATH | UNESCAPE_DOTS)
    MAILTO = USERINFO | PORT | QUERY | HOSTS | UNC_HOST | EMPTY_HOST | MAILTO_LIKE
    NET_PIPE = (MUST_HAVE_AUTHORITY | QUERY | HOSTS | PATH_IS_ROOTED | CONVERT_SLASHES | COMPRESS_PATH | AS_FILE_PATH
                | UNESCAPE_DOTS)
    ANY = (UNKNOWN | USERINFO | PORT | QUERY | EMPTY_HOST | HOSTS | UNC_HOST | DOS_PATH | PATH_IS_ROOTED
           | CONVERT_SLASHES | COMPRESS_PATH)

cdef dict SYNTAXES = {
    "http": (HTTP, 80), "https": (HTTP, 443), "ws": (HTTP, 80), "wss": (HTTP, 443),
    "ftp": (PLAIN | CONVERT_SLASHES | COMPRESS_PATH | AS_FILE_PATH, 21), "file": (FILE, -1),
    "gopher": (PLAIN, 70), "nntp": (PLAIN, 119), "telnet": (PLAIN, 23), "news": (0, -1), "uuid": (0, -1),
    "ldap": (PLAIN | EMPTY_HOST | QUERY, 389), "mailto": (MAILTO, 25),
    "net.pipe": (NET_PIPE, -1), "net.tcp": (NET_PIPE | PORT, 808), "vsmacros": (FILE & ~(QUERY | PATH_IS_ROOTED), -1),
}

cdef enum Check:  # what CheckCanonical finds
    ESCAPED_CANONICAL = 1
    DISPLAY_CANONICAL = 2
    DOT_SLASH = 4
    BACKSLASH = 16
    RESERVED_FOUND = 32
    DOT_SLASH_ESCAPED = 128

cdef enum:
    SIZE_MAX = 0xFFF0      # UTF-16
    SCHEME_MAX = 1024
    EOL = 0xFFFE           # no delimiter
    NONE = 0xFFFF          # no character

cdef str SPACE = " \n\r\t"
cdef str UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
cdef bytes KEPT = kept(UNRESERVED + ":/?#[]@!$&'()*+,;=", False)


cdef class Uri:
    """The text that is parsed, and where its parts begin."""
    cdef str scheme, text, original
    cdef int syntax, default_port, port
    cdef HostType host_type
    cdef bint implicit_file, authority_found, dos_path, unc_path, compressed, has_userinfo, unicode, use_original
    cdef Py_ssize_t index, at_scheme, at_user, at_host, at_path, at_query, at_fragment, at_end


cdef inline Py_UCS4 char_at(str text, Py_ssize_t k) noexcept:
    """Return a character, or NUL past the end."""
    return text[k] if k < len(text) else 0


cdef inline bint is_letter(Py_UCS4 char) noexcept:
    return c"a" <= (<int>char | 0x20) <= c"z"


cdef int escaped(str text, Py_ssize_t k, Py_ssize_t end) noexcept:
    """EscapedAscii: return the octet that text[k:k + 3] is the escape of; -1: it is none, or does not end before
    `end`."""
    if k + 2 >= end or not among(text[k + 1], HEX) or not among(text[k + 2], HEX):
        return -1
    return hex_value(<uint8_t>text[k + 1]) << 4 | hex_value(<uint8_t>text[k + 2])


# --- the scheme and the authority ------------------------------------------------------------------

cdef str parse_scheme(Uri uri):
    """ParseSchemeCheckImplicitFile: set the scheme, and where what follows it begins. Return what is refused, or
    None."""
    cdef str text = uri.text
    cdef Py_ssize_t n = len(text), k = n - len(text.lstrip(SPACE)), end = text.find(":", k)
    cdef Py_UCS4 char
    if end < 0:
        end = n
    if k + 2 >= n or end == k:
        return "scheme"
    char = text[k + 1]
    if char == c":" or char == c"|":
        if not is_letter(text[k]) or not is_slash(text[k + 2]):
            return "scheme"
        uri.dos_path = True
    elif text[k] == c"\\":
        if not is_slash(char):
            return "scheme"
        uri.unc_path = True
        k += 2
        while k < n and is_slash(text[k]):
            k += 1
    elif text[k] != c"/":
        if end - k > SCHEME_MAX or lettered_scheme_end(text[k:]) != end - k:
            return "scheme"
        uri.scheme, uri.index = text[k:end].lower(), end + 1
        return None
    uri.implicit_file = uri.authority_found = True
    uri.scheme, uri.index = "file", k
    return None


cdef str parse_minimal(Uri uri):
    """PrivateParseMinimal: set whether there is an authority, and what kind of path; then read the authority. Return
    what is refused, or None."""
    cdef str text = uri.text, refusal
    cdef Py_ssize_t k = uri.index, n = trimmed_end(text, uri.index), slashes
    cdef int syntax = uri.syntax
    if syntax & EMPTY_HOST and syntax & DOS_PATH and not uri.implicit_file and k + 1 < n:
        slashes = k
        while slashes < n and is_slash(text[slashes]):
            slashes += 1
        if syntax & FILE_LIKE or slashes - k <= 3:
            if slashes - k >= 2:
                uri.authority_found = True
            if slashes + 1 < n and text[slashes + 1] in ":|" and is_letter(text[slashes]):
                if slashes + 2 >= n or not is_slash(text[slashes + 2]):
                    if syntax & FILE_LIKE:
                        return "path"
                else:
                    uri.dos_path = True
                    if syntax & MUST_HAVE_AUTHORITY:
                        uri.authority_found = True
                    k = slashes - 1 if slashes != k and slashes - k != 2 else slashes
            elif syntax & FILE_LIKE and slashes - k > 3 and slashes < n and text[slashes] not in "?#":
                uri.compressed = True
                k = slashes
    if not (uri.unc_path or uri.dos_path or uri.implicit_file or uri.compressed):
        if k + 2 <= n and syntax & MUST_HAVE_AUTHORITY:
            if text[k:k + 2] != "//":
                return "host"
            uri.authority_found = True
            k += 2
        elif k + 2 <= n and syntax & UNKNOWN and (uri.authority_found or text[k:k + 2] == "//"):
            uri.authority_found = True
            k += 2
        elif syntax & MUST_HAVE_AUTHORITY:
            return "host"
        elif not syntax & MAILTO_LIKE:
            uri.host_type, uri.index = NO_HOST, k
            return None
    if uri.dos_path:
        uri.host_type, uri.index = BASIC if uri.authority_found else NO_HOST, k
        return None
    refusal = check_authority(uri, k, n)
    if refusal is not None:
        return refusal
    k = uri.index
    if k < n and text[k] == c"\\" and not uri.implicit_file and not syntax & DOS_PATH:
        return "host"
    uri.use_original = uri.unicode
    return None


cdef Py_ssize_t trimmed_end(str text, Py_ssize_t begin) except -1:
    """Return where the text ends without white space; but one character is left."""
    cdef Py_ssize_t n = len(text)
    if n > begin and text[n - 1] in SPACE:
        n = max(begin + len(text[begin:].rstrip(SPACE)), begin + 1)
    return n


cdef str check_authority(Uri uri, Py_ssize_t k, Py_ssize_t n):
    """CheckAuthorityHelper: set the type of the host, where it ends, and the text up to there in Unicode. Return what
    is refused, or None."""
    cdef str text = uri.text, new_host = text[:k], host, port
    cdef Py_ssize_t start = k, end = n, found = -1
    cdef int syntax = uri.syntax
    cdef Py_UCS4 char = char_at(text, k) if k < n else 0
    if k == n or char in "/#?" or char == c"\\" and syntax & FILE_LIKE:
        uri.unc_path = False
        if not syntax & EMPTY_HOST or uri.implicit_file and char_at(text, k) != c"/":
            return "host"
        uri.host_type, uri.index = BASIC, k
        if uri.unicode:
            uri.text = new_host
        return None
    if syntax & USERINFO:
        while start < end:
            if start == end - 1 or text[start] in "?#\\/":
                start = k
                break
            if text[start] == c"@":
                uri.has_userinfo = True
                start += 1
                new_host += escape_unescape_iri(text[k:start], USERINFO_PART)
                char = text[start]
                break
            start += 1
    if syntax & HOSTS:
        if char == c"[":
            uri.host_type, found = IPV6, ipv6_end(text, start + 1, end)
        elif c"0" <= char <= c"9":
            uri.host_type, found = IPV4, ipv4_end(text, start, end, syntax & UNKNOWN, uri.implicit_file)
        if found < 0:
            uri.host_type, found = DNS, domain_end(text, start, end, uri.implicit_file)
        if found < 0:
            uri.host_type = NOT_PARSED
    if found >= 0:
        end = found
        host = text[start:end]
        if uri.host_type == DNS:
            host = normalize("NFC", without_bidi_controls(host))
        new_host += host
    elif syntax & UNC_HOST:
        found = unc_end(text, start, end, uri.implicit_file)
        if found > 0:
            end = found
            if end - start <= 256:
                uri.host_type = UNC
    if end < n and text[end] == c"\\" and uri.host_type != NOT_PARSED and not syntax & FILE_LIKE:
        if syntax & UNKNOWN:
            return "host"
        uri.host_type = NOT_PARSED
    elif end < n and text[end] == c":":
        if syntax & PORT:
            k = end + 1
            while k < n and c"0" <= text[k] <= c"9":
                k += 1
            port = text[end + 1:k]
            if k < n and text[k] not in "/?#" or port and decimal_port(port.encode()) < 0:
                return "port"
            if uri.host_type != UNC:
                new_host += text[end:k]
        else:
            uri.host_type = NOT_PARSED
    if uri.host_type == NOT_PARSED:
        uri.has_userinfo = False
        if not syntax & UNKNOWN:
            if syntax & (MUST_HAVE_AUTHORITY | MAILTO_LIKE):
                return "host"
        else:
            end = k
            while end < n and not (end > k and text[end] in "/?#"):
                if end >= k + 2 or text[end] != c".":
                    return "host"
                end += 1
            uri.host_type = BASIC
            new_host += normalize("NFC", text[k:end])
    uri.index = end
    if uri.unicode:
        uri.text = new_host
    return None


# --- Unicode -----------------------------------------------------------------------------------------

cdef enum Part:
    USERINFO_PART
    PATH_PART
    QUERY_PART
    FRAGMENT_PART

cdef tuple RESERVED = (frozenset("/?#[]@"), frozenset("/?#[]"), frozenset("#[]"), frozenset("#[]"))


cdef str HALF = "\ud800"  # half a character of UTF-16


cdef bint is_unsafe(int octet) noexcept:
    """IsNotSafeForUnescape: return whether an escape of an octet stays."""
    return (octet <= 0x1F or 0x7F <= octet <= 0x9F or c";" <= octet <= c"@" and octet != c"<" and octet != c">"
            or c"#" <= octet <= c"&" or octet == c"+" or octet == c"," or octet == c"/" or octet == c"\\")


cdef bint is_iri_char(Py_UCS4 char, bint in_query) noexcept:
    """CheckIriUnicodeRange: return whether a character beyond ASCII may stand in an IRI."""
    if char > 0xFFFF:
        if (<int>char & 0xFFFF) > 0xFFFD or 0xE0000 <= char < 0xE1000:
            return False
        return char < 0xF0000 or in_query
    return (0xA0 <= char <= 0xD7FF or 0xF900 <= char <= 0xFDCF or 0xFDF0 <= char <= 0xFFEF
            or in_query and 0xE000 <= char <= 0xF8FF)


cdef str percent(str chars):
    """Return the octets of a text as escapes."""
    return "".join([f"%{octet:02X}" for octet in octets(chars)])


cdef str escape_unescape_iri(str text, Part part):
    """EscapeUnescapeIri: return a part of a text with what may stand as it is decoded, and what may not encoded."""
    cdef list out = []
    cdef Py_ssize_t k = 0, n = len(text), begin
    cdef int octet
    cdef Py_UCS4 char
    cdef str decoded_text
    cdef bytes run
    if "%" not in text and text.isascii():
        return text
    while k < n:
        char = text[k]
        if char == c"%" and k + 2 < n:
            octet = escaped(text, k, n)
            if octet < 0 and text[k + 2] > 0xFFFF and text[k + 1] <= 0xFFFF:  # its first half is taken alone
                out.append(text[k:k + 2] + HALF + "%EF%BF%BD")
                k += 3
            elif octet < 0 or chr(octet) in RESERVED[part] or is_unsafe(octet):
                out.append(text[k:k + 3])
                k += 3
            elif octet < 0x80:
                out.append(chr(octet))
                k += 3
            else:
                begin = k
                while octet >= 0x80:
                    k += 3
                    octet = escaped(text, k, n) if char_at(text, k) == c"%" else -1
                run = bytes.fromhex(text[begin:k].replace("%", ""))
                if not run.decode("utf-8", "ignore"):
                    out.append(text[begin:k])
                    continue
                decoded_text = text_of(run)
                for one in decoded_text:
                    if not is_iri_char(one, part == QUERY_PART):
                        out.append(percent(one))
                    elif one not in BIDI_CONTROLS:
                        out.append(one)
        else:
            if char <= 0x7F or is_iri_char(char, part == QUERY_PART):
                if chr(char) not in BIDI_CONTROLS:
                    out.append(chr(char))
            else:
                out.append(percent(char))
                if char > 0xFFFF:  # its second half is read again
                    out.append("%EF%BF%BD")
            k += 1
    return "".join(out)


cdef bint has_unicode(str text) except -1:
    """CheckForUnicode, CheckForEscapedUnreserved: return whether the text is not ASCII once it is decoded, or has
    escapes that need not be."""
    cdef Py_ssize_t k = text.find("%"), n = len(text)
    cdef int octet
    cdef list run = []
    if not text.isascii():
        return True
    while k >= 0:
        octet = escaped(text, k, n)
        if octet >= 0x80:
            run.append(octet)
            k += 3
            if char_at(text, k) == c"%":
                continue
        else:
            if octet >= 0 and chr(octet) in UNRESERVED:
                return True
            k += 1
        if run:
            if bytes(run).decode("utf-8", "ignore"):
                return True
            run.clear()
        k = text.find("%", k)
    return False


# --- what follows the host -------------------------------------------------------------------------

cdef bint create_info(Uri uri) except -1:
    """CreateUriInfo: set where the parts begin, and the port. Return False if it reads past the end of the text."""
    cdef str text = uri.text
    cdef Py_ssize_t k = 0, n = len(text)
    cdef unsigned int port = 0, value
    uri.port = max(uri.default_port, 0)
    if uri.implicit_file:
        while k < n and text[k] in SPACE:
            k += 1
        uri.at_scheme = k
        if uri.unc_path:
            k += 2
            while k < uri.index and is_slash(char_at(text, k)):
                k += 1
            if n <= k < uri.index:
                return False
    else:
        k = text.find(":") + 1
        uri.at_scheme = k - 1 - len(uri.scheme)
        if uri.authority_found:
            k += 2
            if uri.unc_path or uri.dos_path or uri.compressed:
                while k < uri.index and is_slash(char_at(text, k)):
                    k += 1
                if n <= k < uri.index:
                    return False
    if uri.host_type == NO_HOST or uri.dos_path:
        uri.at_user = uri.at_host = uri.at_path = uri.index
        return True
    uri.at_user = uri.at_host = k
    uri.at_path = uri.index
    if uri.host_type == BASIC:
        return True
    if uri.has_userinfo:
        uri.at_host = text.find("@", k) + 1
    if uri.use_original:
        text = uri.original
        n = len(text)
    k = uri.index
    if k < n and text[k] == c":":
        k += 1
        if k < n and text[k] not in "/?#":
            while k < n and text[k] not in "/?#":
                value = <unsigned int>(<int>char_at(text, k) - 48) & 0xFFFF
                port = port * 10 + value
                k += 1
            if uri.port != <int>(port & 0xFFFF):
                uri.port = <int>(port & 0xFFFF)
                uri.default_port = uri.port
        uri.at_path = k
    return True


cdef Py_ssize_t component_end(Uri uri, str text, Py_ssize_t k, int delimiter) except -1:
    """FindEndOfComponent: return where a component ends that begins at k."""
    cdef Py_ssize_t end = text.find(chr(delimiter), k), n = len(text)
    if end < 0:
        end = n
    if delimiter == c"?":
        n = text.find("#", k, end)
        if n >= 0:
            end = n
    return end


cdef int check_canonical(Uri uri, Py_ssize_t* at, Py_ssize_t end, int delimiter) except -1:
    """CheckCanonical: return what a component has, as flags of Check. at: where it begins; set to where it ends."""
    cdef str text = uri.text
    cdef Py_ssize_t k = at[0]
    cdef int found = 0, octet
    cdef bint needs = False, escapes = False
    cdef Py_UCS4 char, following
    while k < end:
        char = text[k]
        if char <= 0x1F or 0x7F <= char <= 0x9F:
            needs = escapes = True
            found |= RESERVED_FOUND
        elif char > c"z" and char != c"~":
            needs = True
        elif <int>char == delimiter or delimiter == c"?" and char == c"#":
            break
        elif char == c"?":
            if uri.implicit_file or not uri.syntax & QUERY and delimiter != EOL:
                found |= RESERVED_FOUND
                escapes = needs = True
        elif char == c"#":
            needs = True
            if uri.implicit_file:
                found |= RESERVED_FOUND
                escapes = True
        elif is_slash(char):
            if char == c"\\":
                found |= BACKSLASH
            if k + 1 != end and is_slash(char_at(text, k + 1)):
                found |= DOT_SLASH
        elif char == c".":
            following = char_at(text, k + 1)
            if k + 1 == end or following in "./\\?#":
                found |= DOT_SLASH
        elif not needs and (char <= c'"' and char != c"!" or c"[" <= char <= c"^" or char in "><`"):
            needs = True
        elif char == c"%":
            escapes = True
            octet = escaped(text, k, end)
            if octet >= 0:
                if octet == c"." or octet == c"/" or octet == c"\\":
                    found |= DOT_SLASH_ESCAPED
                k += 3
                continue
            needs = True
        k += 1
    at[0] = k
    if not escapes:
        found |= DISPLAY_CANONICAL
    return found if needs else found | ESCAPED_CANONICAL


cdef str escape_string(str text, str force, bint escapes_kept):
    """EscapeString: return a text with what may not stand in a URI escaped, and the characters of `force`; None: it
    throws."""
    cdef list out = []
    cdef Py_ssize_t k = 0, n = len(text)
    cdef const uint8_t* keep = <const uint8_t*><const char*>KEPT
    cdef Py_UCS4 char
    while k < n:
        char = text[k]
        if char == c"%" and escapes_kept:
            if escaped(text, k, n) >= 0:
                out.append(text[k:k + 3])
                k += 3
                continue
            out.append("%25")
        elif char == 0xD800:  # HALF: with what is before it, the octet that follows is taken for its other half
            if text[k - 1] < 0x80:
                return None
            out.append("%EF%BF%BD" + percent(text[k + 1]))
            k += 1
        elif char >= 0x80 or not keep[char] or char in force:
            out.append(percent(char))
        else:
            out.append(char)
        k += 1
    return "".join(out)


cdef str unescape_only(str text, str chars):
    """UnescapeOnly: return a text with escapes of these characters decoded."""
    cdef list out = []
    cdef Py_ssize_t k = 0, n = len(text)
    cdef int octet
    while k < n:
        if text[k] == c"%" and k + 2 < n:
            octet = escaped(text, k, n)
            out.append(chr(octet) if octet >= 0 and chr(octet) in chars else text[k:k + 3])
            k += 3
        else:
            out.append(text[k])
            k += 1
    return "".join(out)


cdef str compress(str text, Py_ssize_t start, int syntax):
    """Compress: return a path without its dot segments, which are resolved from the end on. SIZE_MAX bounds the time
    that this takes, which is quadratic."""
    cdef list dest = list(text)
    cdef Py_ssize_t k = len(dest) - 1, last_slash = 0, cut
    cdef int slashes = 0, dots = 0, removed = 0
    cdef str char = ""
    while k >= start:
        char = dest[k]
        if char == "\\" and syntax & CONVERT_SLASHES:
            dest[k] = char = "/"
        if char == "/":
            slashes += 1
        else:
            if slashes > 1:
                last_slash = k + 1
            slashes = 0
        if char == ".":
            dots += 1
            k -= 1
            continue
        if dots:
            if (syntax & AS_FILE_PATH or dots <= 2) and char == "/" and dots <= 2 and (
                    last_slash == k + dots + 1 or not last_slash and k + dots + 1 == len(dest)):
                cut = k + 1 + dots + (1 if last_slash else 0)
                del dest[k + 1:cut]
                last_slash = k
                if dots == 2:
                    removed += 1
                dots = 0
                k -= 1
                continue
            dots = 0
        if char == "/":
            if removed:
                removed -= 1
                del dest[k + 1:last_slash + 1]
            last_slash = k
        k -= 1
    if len(dest) > start and syntax & AS_FILE_PATH and slashes <= 1:
        if removed and dest[start] != "/":
            cut = last_slash + 1
            dest = (dest[:start] + dest[cut:])[:len(dest) - cut]  # shorter by what is before `start`
        elif dots and (last_slash == dots + 1 or not last_slash and dots + 1 == len(dest)):
            cut = dots + (1 if last_slash else 0)
            dest = (dest[:start] + dest[cut:])[:len(dest) - cut]
    return "".join(dest)


def mono(str text, int release):
    """new Uri(text, UriKind.Absolute): return Scheme, UserInfo, Host, Port, AbsolutePath, Query and Fragment, or what
    is refused."""
    cdef Uri uri = Uri()
    cdef str refusal, path, userinfo = None, query = "", fragment = "", host
    cdef Py_ssize_t k, n, end
    cdef int found, syntax
    cdef bint build, slash_absent, compress_it = False, bad_path = False, display_bad = False, backslash = False
    cdef int delimiter = NONE
    text = octets(text).decode("utf-8", "replace")
    if not text or len(text) >= SIZE_MAX // 2 and len(text.encode("utf-16-le")) // 2 >= SIZE_MAX:
        return "length"
    uri.text = uri.original = text
    refusal = parse_scheme(uri)
    if refusal is not None:
        return refusal
    syntax, uri.default_port = SYNTAXES.get(uri.scheme, (ANY, -1))
    uri.syntax = syntax
    uri.unicode = has_unicode(text)
    refusal = parse_minimal(uri)
    if refusal is not None:
        return refusal
    if not create_info(uri):
        return "host"
    # ParseRemaining
    n = trimmed_end(uri.text, uri.at_scheme)
    if uri.has_userinfo:
        k = uri.at_user
        found = check_canonical(uri, &k, uri.at_host, c"@")
        userinfo = uri.text[uri.at_user:uri.at_host]
        if found & (ESCAPED_CANONICAL | BACKSLASH) != ESCAPED_CANONICAL:
            userinfo = escape_string(userinfo, "?#", True)
            if userinfo is None:
                return "userinfo"
        userinfo = userinfo[:len(userinfo) - 1]
    if not uri.implicit_file:
        delimiter = c"?" if syntax & QUERY else c"#"
    end = uri.at_path
    build = uri.unicode
    if build:
        if uri.dos_path:
            uri.text = "" if uri.implicit_file else uri.scheme + "://"
        uri.at_path = len(uri.text)
        k = end
        end = component_end(uri, uri.original, k, delimiter)
        uri.text += escape_unescape_iri(uri.original[k:end], PATH_PART)
        n = len(uri.text)
    k = uri.at_path
    found = check_canonical(uri, &k, n, delimiter)
    slash_absent = (uri.authority_found and syntax & PATH_IS_ROOTED != 0
                    and (uri.at_path >= n or not is_slash(uri.text[uri.at_path])))
    if uri.dos_path or uri.authority_found and syntax & (COMPRESS_PATH | CONVERT_SLASHES | UNESCAPE_DOTS):
        if found & DOT_SLASH_ESCAPED and syntax & UNESCAPE_DOTS:
            bad_path = display_bad = True
        if found & BACKSLASH and syntax & CONVERT_SLASHES:
            bad_path = display_bad = True
        compress_it = syntax & COMPRESS_PATH != 0 and (bad_path or found & DOT_SLASH != 0)
        backslash = found & BACKSLASH != 0
    elif found & BACKSLASH:
        bad_path = True
    if not found & DISPLAY_CANONICAL and (not uri.implicit_file or found & RESERVED_FOUND):
        display_bad = True
    if uri.implicit_file and found & (RESERVED_FOUND | ESCAPED_CANONICAL):
        found &= ~ESCAPED_CANONICAL
    if not found & ESCAPED_CANONICAL:
        bad_path = True
    if build and char_at(uri.original, end) == c"?":
        n = end
        end = component_end(uri, uri.original, n + 1, c"#")
        uri.text += escape_unescape_iri(uri.original[n:end], QUERY_PART)
        n = len(uri.text)
    uri.at_query = k
    if k < n and uri.text[k] == c"?":
        k += 1
        found = check_canonical(uri, &k, n, c"#")
        query = uri.text[uri.at_query:k]
        if found & (ESCAPED_CANONICAL | BACKSLASH) != ESCAPED_CANONICAL:
            query = escape_string(query[1:], "#", True)
            if query is None:
                return "query"
            query = "?" + query
    if build and char_at(uri.original, end) == c"#":
        n = component_end(uri, uri.original, end + 1, EOL)
        uri.text += escape_unescape_iri(uri.original[end:n], FRAGMENT_PART)
        n = len(uri.text)
    uri.at_fragment = k
    if k < n and uri.text[k] == c"#":
        k += 1
        found = check_canonical(uri, &k, n, EOL)
        fragment = uri.text[uri.at_fragment:k]
        if found & (ESCAPED_CANONICAL | BACKSLASH) != ESCAPED_CANONICAL:
            fragment = escape_string(fragment[1:], "", True)
            if fragment is None:
                return "fragment"
            fragment = "#" + fragment
    path = canonical_path(uri, slash_absent, compress_it, bad_path, display_bad, backslash)
    host = host_string("" if uri.dos_path else uri.text[uri.at_host:uri.at_path], uri.host_type)
    if host is None or path is None:
        return "host" if host is None else "path"
    return (uri.scheme, userinfo or None, host, None if uri.default_port < 0 else str(uri.default_port), path, query,
            fragment)


cdef str canonical_path(Uri uri, bint slash_absent, bint compress_it, bint bad, bint display_bad, bint backslash):
    """GetEscapedParts, GetCanonicalPath: return AbsolutePath; None: an escape throws."""
    cdef str path = uri.text[uri.at_path:uri.at_query], lead = "/" if slash_absent else ""
    cdef Py_ssize_t drive = 0
    cdef bint bar
    if uri.dos_path:
        drive = 3 if is_slash(char_at(uri.text, uri.at_path)) else 2
    bar = drive > 0 and char_at(path, drive - 1) == c"|"
    if path and bar:
        path = path[:drive - 1] + ":" + path[drive:]
    if path and compress_it:
        if uri.syntax & UNESCAPE_DOTS and display_bad and not uri.implicit_file:
            path = unescape_only(path, "./\\" if uri.syntax & CONVERT_SLASHES else "./")
        path = compress(lead + path, len(lead) + drive, uri.syntax)
        if len(path) < len(lead):  # nothing is left, not even the slash
            return None if bad else path
        path = path[len(lead):]
        if path[:1] == "\\":
            path = "/" + path[1:]
    if bad:
        path = escape_string(path, "?#", not uri.implicit_file)
        if path is None:
            return None
    if not compress_it and uri.syntax & CONVERT_SLASHES and backslash:
        path = path.replace("\\", "/")
    path = lead + path
    return path[1:] if uri.dos_path and path[:1] == "/" else path


PROGRAMS = (Program("mono", "Mono, System.Uri, UriKind.Absolute", ("6.8.0",), mono),)
