"""git: what it makes of an argument that names a repository.

Such an argument is, in this order: an option; a helper's name, "::" and what the helper gets; a URL; or the form of
scp, `[user@]host:path`, if a colon comes before any slash; else a path. A URL of git's own transports is decoded as a
whole before it is split. Files, remotes and `insteadOf` of a configuration are not looked at; transports are allowed as
they are by default, for a user. The components of HTTP are those that git asks credentials for: libcurl connects by its
own reading.
"""
from urlsm.readers.forms cimport decimal_port, decoded, first_of, octets, texts_of
from urlsm.readers.programs import Program

cdef bytes LATER = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+-."
cdef frozenset SSH = frozenset((b"ssh", b"git+ssh", b"ssh+git"))
cdef frozenset OWN = SSH | {b"git", b"file"}
cdef frozenset CURL = frozenset((b"http", b"https", b"ftp", b"ftps"))  # the helpers that come with git, but for fd, ext


cdef Py_ssize_t scheme_end(bytes url) except -1:
    """is_urlschemechar: return where the characters of a scheme end that a text begins with."""
    return len(url) - len(url.lstrip(LATER)) if url[:1] not in b"+-." else 0


cdef bytes url_decode(bytes text):
    """url_decode_mem: return a text with its escapes decoded, but for %00, and for those before the first colon, which
    is taken for the end of a scheme."""
    cdef Py_ssize_t at = max(text.find(b":"), 0)
    cdef bytes part
    return text[:at] + b"%00".join([decoded(part) for part in text[at:].split(b"%00")])


cdef bint is_port(bytes text) except -1:
    """Return whether strtol reads a number from 0 to 65535 in the whole text."""
    cdef bytes number = text.lstrip(b" \t\n\v\f\r")
    cdef bint negative = number[:1] == b"-"
    if number[:1] in (b"+", b"-"):
        number = number[1:]
    return decimal_port(number) == 0 if negative else decimal_port(number) >= 0


cdef Py_ssize_t bracket_start(bytes host) except -2:
    """host_end: return where "[" begins the host, after "@" or at the start; -1 if nowhere."""
    cdef Py_ssize_t at = host.find(b"@[")
    return at + 1 if at >= 0 else 0 if host[:1] == b"[" else -1


cdef Py_ssize_t host_end(bytes host) except -1:
    """host_end, which keeps brackets: return where "]" ends the host in brackets, or 0."""
    cdef Py_ssize_t at = bracket_start(host)
    return max(host.find(b"]", at + 1), 0) if at >= 0 else 0


cdef tuple host_and_port(bytes host, bint is_ssh):
    """get_host_and_port: return a host without brackets, and its port or None. is_ssh: whether get_port is asked,
    too."""
    cdef Py_ssize_t begin = bracket_start(host), end = host.find(b"]", begin + 1) if begin >= 0 else -1, at
    cdef bytes rest = host, port = None
    if end >= 0:
        host, rest = host[:begin] + host[begin + 1:end], host[end + 1:]
    at = rest.find(b":")
    if at >= 0 and (at + 1 == len(rest) or is_port(rest[at + 1:])):
        port = rest[at + 1:] or None
        if end < 0:
            host = host[:at]
    if is_ssh and port is None:
        at = host.find(b":")
        if at >= 0 and is_port(host[at + 1:]):
            host, port = host[:at], host[at + 1:]
    return host, port


cdef object connect(bytes url):
    """parse_connect_url, git_connect: return the components of what git connects to by itself, or what is refused."""
    cdef bytes scheme = b"", rest, host, port, path, userinfo = None
    cdef Py_ssize_t colon, slash, at
    cdef bytes separator = b"/"
    rest = url
    at = url.find(b"://")
    if at >= 0:
        scheme, rest = url[:at], url[at + 3:]
        if scheme not in OWN:
            return "scheme"
    else:
        colon, slash = url.find(b":"), url.find(b"/")
        if colon >= 0 and not 0 <= slash < colon:  # url_is_local_not_ssh
            scheme, separator = b"ssh", b":"
    at = host_end(rest)
    if scheme:
        at = rest.find(separator, at)
    if at < 0 or at == len(rest):
        return "path"
    host, path = rest[:at], rest[at:]
    if separator == b":":
        path = path[1:]
    if scheme not in (b"", b"file") and path[1:2] == b"~":
        path = path[1:]
    if scheme == b"git":
        if b"\n" in host or b"\n" in path:
            return "characters"
        host, port = host_and_port(host, False)
        return texts_of((b"git", None, host, port, path, None, None))
    if path[:1] == b"-":  # looks_like_command_line_option
        return "path"
    if not scheme or scheme == b"file":
        return texts_of((scheme or None, None, None, None, path, None, None))
    host, port = host_and_port(host, True)
    if host[:1] == b"-":
        return "host"
    at = host.rfind(b"@")  # OpenSSH splits here
    if at >= 0:
        userinfo, host = host[:at], host[at + 1:]
    return texts_of((b"ssh", userinfo, host, port, path, None, None))


cdef object credentials(bytes url):
    """credential_from_url_gently: return the components of what git asks credentials for, or what is refused."""
    cdef bytes scheme, mark, rest, authority, path, userinfo = None, username, password, host, port = None
    cdef Py_ssize_t end, at
    scheme, mark, rest = url.partition(b"://")
    if not mark or not scheme:
        return "scheme"
    end = first_of(rest, 0, len(rest), b"/?#")
    authority, path = rest[:end], rest[end:].lstrip(b"/")
    at = authority.find(b"@")
    if at >= 0:
        username, mark, password = authority[:at].partition(b":")
        userinfo = url_decode(username)
        if mark:
            userinfo += b":" + url_decode(password)
        authority = authority[at + 1:]
    host = url_decode(authority)
    path = url_decode(path)
    path = path[:1] + path[1:].rstrip(b"/")
    for part in (scheme, userinfo, host, path):
        if part is not None and b"\n" in part:
            return "characters"
    at = host.rfind(b":")
    if at > host.rfind(b"]") and host[at + 1:].isdigit():
        host, port = host[:at], host[at + 1:]
    return texts_of((scheme, userinfo, host, port, path or None, None, None))


def read_git(str text, int release):
    """transport_get, and main of the helper: return the components, or what is refused."""
    cdef bytes argument = octets(text), helper, address
    cdef Py_ssize_t end
    if b"\0" in argument:  # no argument of a program has it
        return "characters"
    if argument[:1] == b"-":
        return "option"
    end = scheme_end(argument)
    helper, address = argument[:end], argument[end:]
    if address[:2] == b"::":
        address = address[2:]
    elif argument[:6] == b"rsync:":
        return "scheme"
    elif not end or address[:3] != b"://":
        return connect(argument)
    elif helper in OWN:
        return connect(url_decode(argument))
    else:
        address = argument
    if helper in CURL:
        return credentials(address)
    if helper == b"fd" and is_descriptors(address):
        return texts_of((b"fd", None, None, None, address, None, None))
    return "scheme"


cdef bint is_descriptors(bytes address) except -1:
    """cmd_remote_fd: return whether an address is the number of a descriptor, or two."""
    cdef Py_ssize_t at = number_end(address, 0)
    if at > 0 and address[at:at + 1] == b",":
        at = number_end(address, at + 1)
    return at > 0 and address[at:at + 1] in (b"", b"/")


cdef Py_ssize_t number_end(bytes text, Py_ssize_t at) except -1:
    """Return where the number ends that strtoul reads at a place; 0 if there is none."""
    cdef bytes rest = text[at:].lstrip(b" \t\n\v\f\r")
    if rest[:1] in (b"+", b"-"):
        rest = rest[1:]
    return len(text) - len(rest.lstrip(b"0123456789")) if rest[:1].isdigit() else 0


PROGRAMS = (
    Program("git", "git ls-remote text", ("2.39.5",), read_git),
)
