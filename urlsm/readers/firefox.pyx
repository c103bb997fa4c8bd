"""Firefox reads as the URL Standard does, but for schemes that it has a class of its own for. The functions and classes
that docstrings name are those of its folder netwerk."""
from urlsm.readers.forms cimport decoded, escaped, first_of, kept
from urlsm.readers.whatwg cimport (
    DECODES_ACE, KEEPS_CARET, KEEPS_SPACE, RUST, Text, is_drive, standard, text_of_url,
)
from urlsm.url.parser cimport domain_to_ascii
from urlsm.readers.programs import Program

cdef enum:
    MAX_RECURSION_COUNT = 50  # of NS_NewURI, for URLs within URLs

cdef frozenset STANDARD = frozenset((b"http", b"https", b"ws", b"wss", b"ftp"))
# other schemes of nsStandardURL
cdef frozenset OTHER = frozenset((b"sftp", b"smb"))
cdef frozenset SIMPLE = frozenset((b"javascript", b"data", b"blob", b"about"))
cdef bytes PRINTABLE = kept("".join(map(chr, range(0x20, 0x7F))), False)
# ASCII characters that are no letters, digits or "-"
cdef bytes BEFORE_NUMBER = bytes([octet for octet in range(0x80) if not chr(octet).isalnum() and octet != c'-'])


cdef object read(str text, int depth):
    """NS_NewURI: the scheme decides which class reads the text. Return the components, or what is refused. depth: how
    many URLs this one is within."""
    cdef Text t = text_of_url(text)
    cdef bytes rest
    if depth >= MAX_RECURSION_COUNT:
        return "length"
    if t.scheme is None:
        return "scheme"
    rest = t.octets[len(t.scheme) + 1:]
    if t.scheme in STANDARD:
        return standard_url(text, t)
    if t.scheme == b"file":
        return file_url(rest)
    if t.scheme in SIMPLE and not (t.scheme == b"about" and rest.startswith(b"/")):
        # nsJSProtocolHandler::CreateNewURI, nsDataHandler: what may have a host is also read by Rust's crate
        if t.scheme in (b"javascript", b"data") and follows(text, t.scheme.decode() + ":", "//") \
                and type(standard(text, RUST)) is str:
            return "host"
        return simple_url(t.scheme, rest)
    if t.scheme == b"view-source":
        return nested_url(t.scheme, rest.decode(), depth)
    if t.scheme == b"jar":
        return jar_url(rest, depth)
    if t.scheme in OTHER:
        return other_url(t.scheme, rest)
    return standard(text, RUST | KEEPS_CARET | KEEPS_SPACE)


cdef bint follows(str text, str first, str second) except -1:
    """Return whether the second text follows the first one where that is found."""
    cdef Py_ssize_t k = text.find(first)
    return k >= 0 and text.startswith(second, k + len(first))


cdef object standard_url(str text, Text t):
    """nsStandardURL: return the components, or what is refused. t: the text, or None."""
    cdef object found
    cdef Py_ssize_t k
    if t is None:
        t = text_of_url(text)
    if b"\0" in t.octets:
        # ParseServerInfo: a C string is tested for what is no digit, so the port ends at NUL
        k = t.octets.find(b"\0", t.host_end, t.path)
        if k > t.host_end and t.octets.find(b":", k, t.path) < 0 \
                and not t.octets[t.host_end + 1:k].strip(b"0123456789"):
            text = t.with_part(t.host_end + 1, t.path, number_in(t.octets[t.host_end + 1:t.path]))
    found = standard(text, DECODES_ACE)
    if type(found) is tuple:
        name = found[2]
        if '"' in name or "*" in name:
            return "host"
        # EndsInANumber: "0x" without digits is no number
        if name.replace(".", "").isdigit() and last_label(t) == b"0x":
            return "host"
    return found


cdef bytes number_in(bytes text):
    """nsTSubstring::ToInteger: return the number in a text that no letter or "-" is before; "x", which is no port:
    there is none."""
    cdef bytes rest = text.lstrip(BEFORE_NUMBER)
    return rest[:len(rest) - len(rest.lstrip(b"0123456789"))] or b"x"


cdef bytes last_label(Text t):
    """Return the last label of the host before it is read as an IPv4 address."""
    cdef bytes host = t.octets[t.host:t.host_end]
    if b"x" not in host and b"X" not in host and host.isascii() and b"%" not in host:
        return b""
    return domain_to_ascii(decoded(host)).removesuffix(b".").rpartition(b".")[2]


cdef object file_url(bytes rest):
    """nsNoAuthURLParser::ParseAfterScheme: return the components. What looks like a host is ignored; "|" after a drive
    letter is like ":"."""
    cdef Py_ssize_t end = first_of(rest, 0, len(rest), b"?#"), slashes
    cdef bytes path = rest[:end].replace(b"\\", b"/"), bare = path.lstrip(b"/")
    slashes = len(path) - len(bare)
    if slashes == 2 and not (is_drive(bare.partition(b"/")[0]) and (b"/" in bare or end == len(rest))):
        bare = bare[bare.find(b"/") + 1:] if b"/" in bare else b""
    elif slashes > 2:
        bare = path[3:]
    if is_drive(bare.partition(b"/")[0]):
        bare = bare[:1] + b":" + bare[2:]
    return with_path_of(b"file", b"http://h/" + bare + rest[end:])


cdef object with_path_of(bytes scheme, bytes text):
    """Return the components of a URL without a host, with the path, query and fragment of another text, or what is
    refused."""
    cdef object found = standard(text.decode(), 0)
    return found if type(found) is str else (scheme.decode(), None, "", None, *(<tuple>found)[4:])


cdef object other_url(bytes scheme, bytes rest):
    """nsStdURLParser::ParseAfterScheme: return the components, or what is refused. A host follows two slashes or none;
    "\\" is no slash."""
    cdef Py_ssize_t end, path, slashes = len(rest) - len(rest.lstrip(b"/"))
    cdef bytes authority = b"", tail
    cdef object found
    if slashes == 0 or slashes == 2:
        path = first_of(rest, slashes, len(rest), b"/?#;\0")
        authority, rest = rest[slashes:path], rest[path:]
    elif slashes > 2:
        rest = rest[2:]
    if not rest.startswith(b"/"):
        rest = b"/" + rest
    if b"\\" in authority:
        return "host"
    end = first_of(rest, 0, len(rest), b"?#")
    tail = rest[:end].replace(b"\\", b"%5C") + rest[end:]
    if not authority:
        return with_path_of(scheme, b"http://h" + tail)
    found = standard_url((b"http://" + authority + tail).decode(), None)
    if type(found) is tuple and found[3] is None:  # 80 is no default port
        found = standard_url((b"https://" + authority + tail).decode(), None)
    return found if type(found) is str else (scheme.decode(), *(<tuple>found)[1:])


cdef tuple simple_url(bytes scheme, bytes rest):
    """nsSimpleURI: return the components, with controls and what is not ASCII escaped, and spaces in the fragment."""
    cdef bytes path, mark, query, fragment
    path, mark, fragment = rest.partition(b"#")
    path, mark, query = path.partition(b"?")
    path, query, fragment = escaped(path, PRINTABLE), escaped(query, PRINTABLE), escaped(fragment, PRINTABLE)
    return (scheme.decode(), None, "", None, path.decode(), "?" + query.decode() if query else "",
            "#" + fragment.decode().replace(" ", "%20") if fragment else "")


cdef object nested_url(bytes scheme, str text, int depth):
    """nsViewSourceHandler::CreateNewURI: return the components of a URL whose path is another URL, or what is
    refused."""
    cdef object found = read(text, depth + 1)
    cdef Text t
    cdef str authority = ""
    if type(found) is str:
        return found
    name, userinfo, host, port, path, query, fragment = <tuple>found
    if host:
        authority = f"//{userinfo + '@' if userinfo else ''}{host}{':' + port if port else ''}"
    else:
        t = text_of_url(text)
        if t.scheme == b"file" or t.scheme in OTHER or (
                t.scheme not in SIMPLE and t.octets.startswith(b"//", len(t.scheme) + 1)):
            authority = "//"
    return scheme.decode(), None, "", None, f"{name}:{authority}{path}", query, fragment


cdef object jar_url(bytes rest, int depth):
    """nsJARURI::SetSpecWithBase: return the components, or what is refused. The last "!/" ends the URL of the archive;
    the path is that of the entry in it."""
    cdef Py_ssize_t end = rest.rfind(b"!/")
    cdef object found
    if end < 0:
        return "path"
    found = read(rest[:end].decode(), depth + 1)
    if type(found) is str:
        return found
    return with_path_of(b"jar", b"http://h/" + rest[end + 2:].lstrip(b"/").replace(b"\\", b"%5C"))


def firefox(str text, int release):
    return read(text, 0)


PROGRAMS = (Program("firefox", "Firefox, new URL", ("153.7",), firefox),)
