"""Chromium reads as the URL Standard does, but for file:, opaque hosts, and the characters of hosts. The functions that
docstrings name are those of its folder url."""
from urlsm.readers.forms cimport decoded, first_of, has_bad_escape, inet_aton, ipv6_address, uts46, utf8_or_none
from urlsm.readers.whatwg cimport C0_AND_SPACE, KEEPS_SPACE, Text, dots_in, standard, text_of_url
from urlsm.readers.programs import Program

# kHostCharLookup: the characters that a host must not have; " " and "*" are escaped
cdef bytes REFUSED = bytes(range(0x20)) + b"#%/<>?@\\^|\x7f"
# kHostCharacterTable: those that the host of another scheme must not have
cdef frozenset FORBIDDEN = frozenset(b"\0\t\n\r #/:<>?@[\\]^|")
cdef frozenset OPAQUE = frozenset((b"android", b"drivefs", b"chromeos-steam", b"steam", b"materialized-view"))
cdef enum:
    LENGTH = 253 * 5  # kMaxHostBufferLength, in UTF-16


cdef object read(str text):
    """DoCanonicalize: the scheme decides which of url_parse's functions reads the text, and which of url_canon's
    rewrites it. Return the components, or what is refused."""
    cdef Text t = text_of_url(text)
    cdef bytes host, name
    if t.scheme == b"data":
        # DoCanonicalize: tabs and newlines are not removed
        name = text.encode("utf-8", "replace").strip(C0_AND_SPACE)
        if name[:5].lower() == b"data:":
            name = name.replace(b"\t", b"%09").replace(b"\n", b"%0A").replace(b"\r", b"%0D")
            text = name.decode()
            t = text_of_url(text)
    if t.scheme is None or t.opaque:
        return told(text, None)
    if t.scheme in OPAQUE:
        return with_opaque_path(t, KEEPS_SPACE)
    if t.scheme == b"file":
        return file_url(t)
    # ParseServerInfo: the last ":" is before the port, unless "]" follows
    t.host_end = t.octets.rfind(b":", t.host, t.path)
    if t.host_end <= t.octets.rfind(b"]", t.host, t.path) or (
            t.octets.startswith(b"[", t.host) and t.octets.find(b"]", t.host, t.path) < 0):
        t.host_end = t.path
    host = t.octets[t.host:t.host_end]
    if not t.special:
        if b"\\" in t.octets[t.path:t.path_end]:
            name = with_slashes_after_dots(t.octets[t.path:t.path_end])
            t = text_of_url(t.with_part(t.path, t.path_end, name))
            text = t.octets.decode()
        if not host.isascii() and not is_opaque_host(host.decode("utf-8", "replace")):
            return "host"
        if host.startswith(b"["):
            text = t.with_part(t.host, t.host_end, with_ipv4_in_hex(host))
        return told(text, None)
    name = host_of(host)
    if name is None:
        return "host"
    if name.startswith(b"["):
        name = with_ipv4_in_hex(name)
        if not name.endswith(b"]") or ipv6_address(name[1:len(name) - 1]) is None:
            return "host"
    elif b"[" in name or b"]" in name or b":" in name or (not name and host):
        return "host"
    if b"%" in name:
        # the Standard's parser refuses a host for the number at its end if and only if Chromium does
        text = t.with_part(t.host, t.host_end, name.replace(b"%20", b"-").replace(b"%2A", b"-"))
        return told(text, name.decode())
    return told(text if name == host else t.with_part(t.host, t.host_end, name), None)


cdef object file_url(Text t):
    """ParseFileURL: return the components, or what is refused. After "file:" are three or more slashes, the last of
    which begins the path; or two slashes and a host, which ends at a slash, not at "?" or "#". Only Windows knows drive
    letters."""
    cdef bytes rest = t.octets[len(b"file:"):], bare = rest.lstrip(b"/\\"), host = b""
    cdef Py_ssize_t k
    cdef object found
    if len(rest) - len(bare) == 2 and bare:
        k = first_of(bare, 0, len(bare), b"/\\")
        host, bare = bare[:k], bare[k + 1:]
        if b"?" in host or b"#" in host or b"@" in host or host.find(b":") > host.rfind(b"]"):
            return "host"
    found = read((b"http://" + (host or b"h") + b"/" + bare).decode())
    if type(found) is str:
        return found
    return ("file", None, found[2] if host else "", None, *(<tuple>found)[4:])


cdef object with_opaque_path(Text t, int rules):
    """Return the components of a URL whose path is opaque, whatever it begins with, or what is refused."""
    cdef object found = standard((t.scheme + b":x" + t.octets[len(t.scheme) + 1:]).decode(), rules)
    if type(found) is str:  # it is too long
        return found
    return (*(<tuple>found)[:4], found[4][1:], *(<tuple>found)[5:])


cdef object told(str text, str host):
    """Return the components, or what is refused. host: the host; None: it is what the Standard reads."""
    cdef object found = standard(text, KEEPS_SPACE)
    if type(found) is str:
        return found
    scheme, userinfo, name, port, path, query, fragment = <tuple>found
    if userinfo:
        userinfo = userinfo.replace("'", "%27")
    if path.startswith("/"):
        path = path.replace("|", "%7C")
    return scheme, userinfo, name if host is None else host, port, path, query.replace("'", "%27"), fragment


cdef bytes with_slashes_after_dots(bytes path):
    """ClassifyAfterDot: return a path with "/" for each "\\" after a dot segment, as in any scheme."""
    cdef list parts = path.split(b"/")
    cdef bytes part
    cdef Py_ssize_t at, end
    for k in range(len(parts)):
        part = parts[k]
        at = 0
        while True:
            end = part.find(b"\\", at, at + 7)
            if end < 0 or not dots_in(part[at:end]):
                break
            at = end + 1
        parts[k] = part[:at].replace(b"\\", b"/") + part[at:]
    return b"/".join(parts)


cdef bytes host_of(bytes host):
    """DoHostSubstring, for a special URL: return the host unescaped, then by IDNA, then escaped; None: it is
    refused."""
    cdef bytes name = host
    cdef str text
    if b"%" in host:
        name = simple_host(host)
    if name is not None and not name.isascii():  # DoIDNHost
        name = simple_host(name)
        text = None if name is None else utf8_or_none(name)
        if text is None or len(text.encode("utf-16-le")) > 2 * LENGTH:
            return None
        found = uts46(text, False)
        if not isinstance(found, str):
            return None
        name = found.encode()
    name = None if name is None else simple_host(name)
    return name if name is not None and name.isascii() else None


cdef bytes simple_host(bytes host):
    """DoSimpleHost: return a host unescaped once, with each ASCII character in lower case or escaped; None: one is
    refused."""
    cdef bytes name
    if has_bad_escape(host):
        return None
    name = decoded(host)
    if len(name.translate(None, REFUSED)) != len(name):
        return None
    return name.lower().replace(b" ", b"%20").replace(b"*", b"%2A")


cdef bint is_opaque_host(str host) except -1:
    """DoOpaqueHost, IsForbiddenHostCodePoint(uint8_t): return whether no unit of UTF-16 is refused for its lower
    octet."""
    cdef bytes units = host.encode("utf-16-le")
    cdef Py_ssize_t k
    for k in range(0, len(units), 2):
        if units[k + 1] and units[k] in FORBIDDEN:
            return False
    return True


cdef bytes with_ipv4_in_hex(bytes host):
    """IPv6AddressToNumber: return a host in brackets with the IPv4 address at its end in hexadecimal. That may have
    octal and hexadecimal numbers, and a dot after it."""
    cdef bytes head, colon, tail
    cdef object address
    head, colon, tail = host[1:len(host) - 1].rpartition(b":")
    tail = tail.removesuffix(b".")
    if tail.count(b".") != 3 or not host.endswith(b"]"):
        return host
    address = inet_aton(tail)
    return host if address is None else b"[%b%b%x:%x]" % (head, colon, address >> 16, address & 0xFFFF)


def chromium(str text, int release):
    return read(text)


PROGRAMS = (Program("chromium", "Chromium, new URL", ("156.0.8078",), chromium),)
