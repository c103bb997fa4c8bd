"""Servers: what they make of a request line, "GET TEXT HTTP/1.1", with "Host: front.example" where the text does not
name the host. A reading has the host, the path and the query that the server goes on with. How long a line may be is
set in a server's configuration, and not asked here."""
from libc.stdint cimport uint8_t
from urlsm.octets.chars cimport ALPHA, CLASS, DIGIT
from urlsm.readers.forms cimport decimal_port, first_of, is_scheme, octets, texts_of
from urlsm.readers.hops import APACHE_PATH, HAPROXY_LINE, NGINX_PATH
from urlsm.readers.programs import HOST_FIELD, Program
from urlsm.readers.steps import Pipeline, ask

cdef bytes FRONT = HOST_FIELD.encode()
cdef object NGINX_NORMAL = Pipeline(NGINX_PATH), APACHE_NORMAL = Pipeline(APACHE_PATH)
cdef object HAPROXY_VALID = Pipeline((HAPROXY_LINE,))

cdef enum:
    # the first release of each rule
    PORT_LIMIT = 13000       # nginx: a port is at most 65535
    ABSOLUTE_FORM = 30000    # HAProxy: a target is a path or has a scheme; the authority ends at "?" too


# --- nginx ---------------------------------------------------------------------------------------

cdef bytes nginx_host(bytes host, int release):
    """ngx_http_validate_host: return the host in lower case, without its port and a last full stop; None: it is
    refused."""
    cdef bytes port
    cdef Py_ssize_t end
    if b".." in host:
        return None
    end = host.find(b"]") + 1 if host[:1] == b"[" else first_of(host, 0, len(host), b":")
    host, port = host[:end], host[end + 1:]
    if release >= PORT_LIMIT and port and decimal_port(port) < 0:
        return None
    host = host.removesuffix(b".").lower()
    return host or None


cdef Py_ssize_t nginx_authority_end(bytes target, Py_ssize_t begin) except -2:
    """ngx_http_parse_request_line, sw_host_start to sw_port: return where the host and port end that begin at a place;
    -1 if "[" is not closed, or an octet is not allowed in brackets."""
    cdef const uint8_t* p = target
    cdef Py_ssize_t k = begin, n = len(target)
    if k < n and p[k] == c"[":
        k += 1
        while k < n and p[k] != c"]":
            if not (CLASS[p[k]] & (ALPHA | DIGIT) or p[k] in b":-._~!$&'()*+,;="):
                return -1
            k += 1
        if k == n:
            return -1
        k += 1
    else:
        while k < n and (CLASS[p[k]] & (ALPHA | DIGIT) or p[k] == c"." or p[k] == c"-"):
            k += 1
    if k < n and p[k] == c":":
        k += 1
        while k < n and CLASS[p[k]] & DIGIT:
            k += 1
    return k


def nginx(str text, int release):
    """Return $host, $uri and $args, or what is refused."""
    cdef bytes target = octets(text).strip(b" "), host = FRONT, scheme, path, query, mark
    cdef Py_ssize_t begin = 0, end, n = len(target)
    cdef uint8_t octet
    for octet in target:
        if octet <= 0x20 or octet == 0x7F:
            return "characters"
    if target[:1] != b"/":
        scheme, mark, _ = target.partition(b"://")
        if not mark or not is_scheme(scheme):
            return "scheme"
        begin = len(scheme) + 3
        end = nginx_authority_end(target, begin)
        if end < 0 or end < n and target[end] != c"/" and target[end] != c"?":
            return "host"
        host = nginx_host(target[begin:end], release)
        if host is None:
            return "host"
        target = target[end:]
    path, _, _ = target.partition(b"#")
    path, _, query = path.partition(b"?")
    path = ask(path or b"/", NGINX_NORMAL)[1]
    if path is None:
        return "path"
    return texts_of((None, None, host, None, path, query or None, None))


# --- Apache --------------------------------------------------------------------------------------

cdef bytes apache_host(bytes host):
    """fix_hostname: return the name of the host, which had no brackets, in lower case; None if it is refused."""
    cdef bytes label, top
    if not host:
        return host
    host = host.lower()
    if b":" in host:  # fix_hostname_v6_literal
        if host.translate(None, b"0123456789abcdef:.") or has_two_double_colons(host):
            return None
        return None if b":." in host or b".:" in host or b".." in host else b"[" + host + b"]"
    if host.isdigit() or b".." in host:
        return None
    host = host.removesuffix(b".")
    # strict_hostname_check
    if host.translate(None, b"0123456789abcdefghijklmnopqrstuvwxyz-_."):
        return None
    if not host.translate(None, b"0123456789."):
        if host[:1] == b"." or host.count(b".") != 3:
            return None
        for label in host.split(b"."):
            if len(label) > 1 and label[:1] == b"0":
                return None
    else:
        top = host.rpartition(b".")[2]
        if b"." in host and top and not top[:1].isalpha():
            return None
    return host


cdef bint has_two_double_colons(bytes host) except -1:
    """Return whether a colon is followed by another one at two places."""
    cdef Py_ssize_t first = host.find(b"::")
    return first >= 0 and host.find(b"::", first + 1) >= 0


cdef bint is_number(bytes text) except -1:
    """Return whether strtol reads all of a text that is not empty and has no white space."""
    if text[:1] in (b"+", b"-"):
        text = text[1:]
    return text.isdigit()


def apache(str text, int release):
    """Return SERVER_NAME (UseCanonicalName Off), REQUEST_URI (AllowEncodedSlashes Off, MergeSlashes On) and
    QUERY_STRING, or what is refused."""
    cdef bytes target = octets(text), host = FRONT, scheme = None, rest, path, query, mark, authority, port
    cdef uint8_t octet
    cdef Py_ssize_t end, k
    for octet in target:  # ap_parse_request_line: one space before and after, no controls
        if octet <= 0x20 or octet == 0x7F:
            return "characters"
    if b"#" in target:
        return "fragment"
    if not target:
        return "path"
    # ap_parse_uri: "We need to resolve the issue by normalizing that out before treating it as a URI"
    rest = b"/" + target.lstrip(b"/") if target[:1] == b"/" else target
    if rest[:1] != b"/":  # apr_uri_parse
        scheme, mark, rest = target.partition(b":")
        if not mark or not is_scheme(scheme):
            if b":" in target.partition(b"/")[0]:
                return "scheme"
            rest = target
        elif scheme.lower() not in (b"http", b"https"):
            return "scheme"
        elif rest[:2] == b"//":
            end = first_of(rest, 2, len(rest), b"/?")
            authority, rest = rest[2:end], rest[end:]
            if b"@" in authority:
                return "userinfo"
            port = b""
            if authority[:1] == b"[":
                k = authority.find(b"]")
                if k < 0:
                    return "host"
                authority, mark, port = authority[1:k], authority[k + 1:k + 2], authority[k + 2:]
                if mark != b":":  # the octet that stands last is taken for the bracket
                    authority = target[len(scheme) + 4:len(scheme) + 1 + end - 1]
                    port = b""
            else:
                authority, _, port = authority.partition(b":")
            if port and not is_number(port):
                return "port"
            if scheme.lower() == b"http":
                host = apache_host(authority)
                if host is None:
                    return "host"
    path, _, query = rest.partition(b"?")
    if path[:1] not in (b"/", b""):
        return "path"
    path = ask(path or b"/", APACHE_NORMAL)[1]
    if path is None:
        return "path"
    path = path.partition(b"\0")[0]  # what follows a NUL is not seen; the answer is 404, as to an escaped slash
    return texts_of((None, None, host, None, path, query or None, None))


# --- HAProxy -------------------------------------------------------------------------------------

cdef bytes host_sent(bytes target):
    """Return the Host field that a client sends for a target: the host and port of an absolute one, by RFC 3986."""
    cdef bytes scheme, mark, rest
    scheme, mark, rest = target.partition(b"://")
    if not mark or not is_scheme(scheme):
        return FRONT
    return rest[:first_of(rest, 0, len(rest), b"/?#")].rpartition(b"@")[2]


cdef bytes port_of(bytes host):
    """http_get_host_port: return the port of a host; None if there is no colon before digits."""
    cdef Py_ssize_t colon = host.rfind(b":")
    if colon < 0 or host[colon + 1:] and not host[colon + 1:].isdigit():
        return None
    return host[colon + 1:]


cdef bint is_authority(bytes authority) except -1:
    """Return whether an authority is allowed since release 3: brackets are around all of the host."""
    cdef bytes host = authority, mark, after
    if authority[:1] == b"[":
        host, mark, after = authority[1:].partition(b"]")
        if not mark or after and after[:1] != b":":
            return False
        host += after
    return not any(octet in host for octet in b"\\,[]")


cdef bint is_default_port(bytes scheme, bytes port) except -1:
    """http_is_default_port: return whether a port, which may be empty, is that of a scheme."""
    scheme = scheme.lower()
    return not port or port == b"80" and scheme == b"http" or port == b"443" and scheme == b"https"


cdef bytes last_value(bytes field):
    """http_find_hdr_value_end: return the last of the values that commas part, but for those in quotes."""
    cdef Py_ssize_t k, begin = 0
    cdef bint quoted = False, escaped = False
    for k in range(len(field)):
        if escaped:
            escaped = False
        elif quoted:
            escaped = field[k] == c"\\"
            quoted = field[k] != c'"'
        elif field[k] == c'"':
            quoted = True
        elif field[k] == c",":
            begin = k + 1
    return field[begin:].strip(b" \t")


def haproxy(str text, int release):
    """Return req.hdr(host), path and query, or what is refused. The Host field is that of host_sent."""
    cdef bytes target = octets(text), host, scheme, mark, rest, path, query, authority, bare, port
    cdef bint older = release < ABSOLUTE_FORM
    host = host_sent(target).strip(b" \t")
    target = target.strip(b" \t")
    if not target or ask(target, HAPROXY_VALID)[1] is None or not older and b"\x7f" in target:
        return "characters"
    query = target.partition(b"?")[2]
    if target[:1] in (b"*", b"/"):
        if not older and target[:1] == b"*":
            return "path"
        path = target.partition(b"?")[0] if target[:1] == b"/" else b""
        return texts_of((None, None, last_value(host), None, path, query or None, None))
    scheme, mark, rest = target.partition(b"://")
    if not mark or not is_scheme(scheme):  # authority form
        if not older:
            return "scheme"
        scheme, rest = b"", target
    authority, mark, path = rest.partition(b"/")
    path = mark + path
    if not older and b"?" in authority:
        authority, mark, path = rest.partition(b"?")
        path = mark + path
    authority = authority.rpartition(b"@")[2]
    if not older and not is_authority(authority):
        return "host"
    port = port_of(authority) if scheme else None
    bare = authority  # without the default port
    if port is not None and is_default_port(scheme, port):
        bare = authority[:len(authority) - len(port) - 1]
    if (authority or not older) and host.lower() not in (authority.lower(), bare.lower()):
        return "host"  # h1_validate_mismatch_authority
    if bare is not authority:  # http_scheme_based_normalize
        host = bare
        query = (target[:len(target) - len(path) - len(authority)] + bare + path).partition(b"?")[2]
    path = path.partition(b"?")[0] if path or older or query else b"/"
    if not scheme:
        path = b""
    return texts_of((None, None, last_value(host), None, path, query or None, None))


PROGRAMS = (
    Program("nginx", "nginx, $host, $uri and $args of a request line", ("1.22.1", "1.30.6"), nginx),
    Program("apache", "Apache httpd, SERVER_NAME, REQUEST_URI and QUERY_STRING of a request line", ("2.4.71",), apache),
    Program("haproxy", "HAProxy, req.hdr(host), path and query of a request line", ("2.6.12", "3.2.26"), haproxy),
)
