"""The URL that a request asks for, of its target and Host, of an ASGI scope or of a WSGI environ; and Hosts.

The text of the URL is put together from a scheme, an authority that read_host has read, and a path that begins with
"/", and parsed once. No octet of such an authority ends it or hides another in it, so the host of the URL is the one
that was read. RFC 9112 section 3, RFC 9110 section 7.
"""
cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.object cimport PyObject
from libc.stdint cimport int32_t, uint8_t, uint32_t
from libc.string cimport memchr, memcmp, memcpy
from urlsm.octets.buffer cimport (
    Buffer, ascii_data, ascii_text, buffer_copy, buffer_copy_lower, buffer_free, buffer_put, buffer_start, is_ascii,
)
from urlsm.octets.chars cimport (
    ALPHA, BACKSLASH, C0_OR_SPACE, CLASS, DIGIT, ENC_C0, HASH, NON_ASCII, QUESTION, SLASH, lower,
)
from urlsm.octets.once cimport publish, published
from urlsm.octets.text cimport (
    Quoting, UNRESERVED, keep_octets, quoting_at, write_decoded, write_encoded, write_quoted,
)
from urlsm.patterns.hosts cimport HostTable, NO_ENTRY, Walk, begin_walk, next_entry, read_ipv6
from urlsm.security.kinds cimport read_ipv4
from urlsm.security.plain cimport LONGEST_NAME
from urlsm.url.value cimport URL
from urlsm.url.write.host cimport ends_in_a_number
from urlsm.server.entries import ALL, FLAVORS, allows, packed, read_entry
from urlsm.server.errors import VERDICTS as _VERDICTS, error_of
from urlsm.url.value import try_parse

cdef enum:
    LONGEST_FIELD = 0x2000   # octets of a Host or an authority

cdef tuple VERDICTS = _VERDICTS
cdef tuple SCHEMES = ("http", "https", "ws", "wss")
cdef Quoting PATH_OCTETS = quoting_at(UNRESERVED)[0]  # of a decoded path: RFC 3986's pchar without "%", and "/"
keep_octets(&PATH_OCTETS, b"!$&'()*+,;=:@/", 14)

include "hosts.pxi"


# --- the target ----------------------------------------------------------------------------------

cdef Fault target_fault(const uint8_t* p, uint32_t n, uint32_t* at) noexcept nogil:
    """Return why p[0:n], a path with a query, may not stand in a request target, and where.

    No octet of it may be a control character, white space or "#", nor a backslash in the path: readers differ on
    these. What else the grammar does not allow, clients send all the same, and the URL has it percent-encoded where
    the URL Standard says so.
    """
    cdef uint32_t refused = C0_OR_SPACE | HASH | BACKSLASH, k
    for k in range(n):
        if CLASS[p[k]] & (refused | QUESTION):
            if CLASS[p[k]] & refused:
                at[0] = k
                return CHARACTER_NOT_ALLOWED
            refused &= ~<uint32_t>BACKSLASH
        elif p[k] == 0x7F:
            at[0] = k
            return CHARACTER_NOT_ALLOWED
    return NO_FAULT


cdef bint has_dots(const uint8_t* p, uint32_t n, uint32_t* at) noexcept nogil:
    """Return whether a segment of the path at the start of p[0:n] is a dot segment of the URL Standard, and which.

    "A single-dot URL path segment is a URL path segment that is "." or an ASCII case-insensitive match for "%2e"."
    """
    cdef uint32_t k = 0, end, number
    while k < n and p[k] != c'?':
        if p[k] == c'/':
            end, number = k + 1, 0
            while number < 3:
                if end < n and p[end] == c'.':
                    end += 1
                elif end + 2 < n and p[end] == c'%' and p[end + 1] == c'2' and p[end + 2] | 0x20 == c'e':
                    end += 3
                else:
                    break
                number += 1
            if 0 < number < 3 and (end == n or p[end] == c'/' or p[end] == c'?'):
                at[0] = k + 1
                return True
        k += 1
    return False


cdef uint32_t absolute_start(const uint8_t* p, uint32_t n, bint* secure) noexcept nogil:
    """Return where the authority of an absolute-form target begins; 0: it is not one of http or https."""
    cdef uint32_t k = 0
    while k < n and k < 5 and p[k] | 0x20 == (<const uint8_t*>b"https")[k]:
        k += 1
    secure[0] = k == 5
    if k < 4 or k + 3 > n or memcmp(p + k, b"://", 3) != 0:
        return 0
    return k + 3


cdef object refuse_host(Fault fault, object text, uint32_t at):
    raise error_of(<int>fault, "host", at, text)


cdef object refuse_target(Fault fault, object text, uint32_t at):
    raise error_of(<int>fault, "request-target", at, text)


cdef Py_ssize_t host_in(object host, const uint8_t** h, Field* f) except -1:
    """Read an exact str or bytes as the value of Host; return its length, and set h to its octets."""
    cdef Py_ssize_t n = octets_in(host, h)
    cdef Fault fault = HOST_INVALID
    f.at = 0
    if 0 <= n <= LONGEST_FIELD:
        fault = read_host(h[0], <uint32_t>n, f)
    if fault != NO_FAULT:
        refuse_host(fault, host, f.at)
    return n


cdef URL asked(object target, object host, str scheme, object method, bint resolve):
    """Return the URL of a request. target: str or bytes. host: the value of Host, or None. scheme: of SCHEMES. resolve:
    dot segments are resolved, not refused."""
    cdef const uint8_t* p = NULL
    cdef const uint8_t* h = NULL
    cdef Py_ssize_t n, m = 0
    cdef Field f
    cdef Fault fault
    cdef uint32_t start = 0, end = 0, at = 0
    cdef bint secure = False
    if host is not None:
        m = host_in(host, &h, &f)
    given = target = plain(target)
    if type(target) is str and not is_ascii(target):
        target = octets_of_target(target)
    n = octets_in(target, &p)
    if n == 0 or n > MAX_TARGET:
        refuse_target(TARGET_FORM_INVALID, given, 0)
    if method == "CONNECT":
        end = <uint32_t>n
    elif p[0] == c'*' and n == 1 and method == "OPTIONS":
        start = end = 1
    elif p[0] != c'/':
        start = absolute_start(p, <uint32_t>n, &secure)
        if start == 0:
            refuse_other_form(p, <uint32_t>n, given)
        if secure != (scheme == "https" or scheme == "wss"):
            refuse_target(SCHEME_MISDIRECTED, given, 0)
        end = start
        while end < n and not CLASS[p[end]] & (SLASH | BACKSLASH | QUESTION | HASH):
            end += 1
    if end > start or (start and p[0] != c'*'):
        # "the origin server MUST ignore the received Host header field" (RFC 9112 section 3.2.2)
        h, m = p + start, end - start
        if m > LONGEST_FIELD:
            refuse_target(HOST_INVALID, given, start)
        fault = read_host(h, <uint32_t>m, &f)
        if fault == NO_FAULT and start == 0 and f.port < 0:
            fault, f.at = PORT_INVALID, <uint32_t>m  # authority-form = uri-host ":" port
        if fault != NO_FAULT:
            refuse_target(fault, given, start + f.at)
    elif host is None:
        refuse_host(HOST_MISSING, "", 0)
    fault = target_fault(p + end, <uint32_t>n - end, &at)
    if fault != NO_FAULT:
        refuse_target(fault, given, end + at)
    if not resolve and has_dots(p + end, <uint32_t>n - end, &at):
        refuse_target(DOT_SEGMENTS, given, end + at)
    return put_together(scheme, h, <uint32_t>m, &f, p + end, <uint32_t>n - end)


cdef enum:
    MAX_TARGET = 0x3FFF0000  # octets; with the rest, less than the parser takes


cdef object octets_of_target(str target):
    """Return a target beyond ASCII as UTF-8; refuse lone surrogates, which cannot be sent."""
    for place, char in enumerate(target):
        if "\ud800" <= char <= "\udfff":
            refuse_target(CHARACTER_NOT_ALLOWED, target, place)
    return target.encode()


cdef object refuse_other_form(const uint8_t* p, uint32_t n, object given):
    """Refuse a target that is neither a path nor absolute, of http or https."""
    cdef uint32_t k = 0
    while k < n and (CLASS[p[k]] & (ALPHA | DIGIT) or p[k] == c'+' or p[k] == c'-' or p[k] == c'.'):
        k += 1
    if 0 < k and k + 3 <= n and memcmp(p + k, b"://", 3) == 0:
        refuse_target(SCHEME_INVALID, given, 0)
    refuse_target(TARGET_FORM_INVALID, given, 0)


cdef URL put_together(str scheme, const uint8_t* host, uint32_t n, const Field* f, const uint8_t* rest, uint32_t m):
    """Return the URL of a scheme, an authority that read_host has read, and a path with a query that target_fault has
    passed; where rest is empty or begins with "?", the path is "/"."""
    cdef Buffer b
    cdef URL made
    cdef str text
    cdef uint32_t k
    cdef uint32_t start = len(scheme) + 3
    buffer_start(&b)
    try:
        buffer_copy(&b, ascii_data(scheme), len(scheme))
        buffer_copy(&b, <const uint8_t*>b"://", 3)
        buffer_copy_lower(&b, host, n if f.port >= 0 else f.end)
        if m == 0 or rest[0] != c'/':
            buffer_put(&b, c'/')
        for k in range(m):
            if CLASS[rest[k]] & NON_ASCII:
                write_encoded(&b, rest, m, ENC_C0)  # octets, which need not be UTF-8
                break
        else:
            buffer_copy(&b, rest, m)
        text = ascii_text(b.p, b.n)
        made = try_parse(text)
        if made is None or made.o.host_start != start or (host[0] != c'[' and (
                made.o.host_end - start != f.end or memcmp(ascii_data(made.href) + start, b.p + start, f.end) != 0)):
            refuse_host(HOST_INVALID, ascii_text(host, n), 0)  # by ToASCII
        return made
    finally:
        buffer_free(&b)


# --- the three constructors ----------------------------------------------------------------------

cdef PyObject* believe = NULL  # of forwarded.py, which few requests need


cdef tuple believed(object family, object headers, object peer, object trusted):
    if published(&believe) == NULL:
        from urlsm.server.forwarded import believe as function
        publish(&believe, function)
    return (<object>published(&believe))(family, headers, peer, trusted)


cdef bint resolves(object dots) except -1:
    """Return whether dot segments are resolved: what the argument dots says."""
    if dots == "refuse" or dots == "resolve":
        return dots == "resolve"
    raise ValueError(f"dots must be 'refuse' or 'resolve', not {dots!r}")


cdef URL answer(object target, object host, object scheme, object method, object peer, object headers, object trusted,
                object forwarded, bint resolve):
    cdef const uint8_t* h = NULL
    cdef Field f
    cdef str name
    if scheme not in SCHEMES:
        raise ValueError(f"the scheme of a server is http, https, ws or wss, not {scheme!r}")
    name = scheme
    if host is not None:
        host = plain(host)
    if forwarded is not None:
        said, named = believed(forwarded, headers, peer, trusted)
        if said is not None:
            name = said if name[0] == "h" else "wss" if said == "https" else "ws"
        if named is not None:
            if host is not None:
                host_in(host, &h, &f)  # a Host that is not believed still has to be one
            host = named
    return asked(target, host, name, method, resolve)


def from_request_target(target, host, scheme, *, method, peer=None, headers=(), trusted=(), forwarded=None,
                        dots="refuse"):
    """Return the URL that a request asks for: its target URI (RFC 9112 section 3.3).

    Args:
        target: the request target (str or bytes), in the form that its method has: a path with a query; an absolute URL
            of http or https, whose host counts, not Host; "host:port" for CONNECT; "*" for OPTIONS. The last two
            give the URL with the path "/", which is not what a router sees.
        host: the value of Host (str or bytes); None if there is none.
        scheme: that of the connection: "http", "https", "ws" or "wss".
        method: the method, in upper case.
        peer: the address at the other end of the connection, or None.
        headers: pairs of name and value of all fields (str or bytes); Host may stand there once, with the same value.
        trusted: whose word on host and scheme is believed: a Hosts or an iterable of the proxies' networks
            ("10.0.0.0/8"), or the number of proxies before this server. A Hosts is faster, if there are many requests.
        forwarded: the fields that the proxies write: "forwarded" (Forwarded, RFC 7239) or "x-forwarded"
            (X-Forwarded-For, -Proto and -Host). None: none of them is believed; and the other ones never are.
        dots: "refuse" raises RequestError (dot-segments) for a path with a dot segment ("..", "%2e"): a URL has none,
            and most routers match the path with it. "resolve" resolves it, as browsers do.

    Raises:
        RequestError: host, target or the fields of a trusted proxy break a rule, are missing, or readers differ on
            what they say. Its code, position and reference say why. ValueError: scheme, forwarded or dots is not one
            of those, or trusted holds something else than a network. TypeError: an argument has another type.

    Which element a proxy wrote is counted from the right: the last is peer's. With networks, one more is believed for
    each proxy that lies in them; with a number, the element at that place is. A path that begins with "//" is a path.
    Never decide access by the URL's path: a router may read "/%61dmin", "//admin" and "/x/..%2fadmin" as "/admin".
    """
    headers = list(headers)
    hosts = [value for name, value in headers if is_host(name)]
    if len(hosts) > 1 or (hosts and octets(hosts[0]) != (None if host is None else octets(host))):
        refuse_host(HOST_REPEATED, hosts[len(hosts) - 1], 0)
    return answer(target, host, scheme, method, peer, headers, trusted, forwarded, resolves(dots))


cdef bytes octets(object value):
    """Return a text as octets. Those that a server could not decode were kept as lone surrogates."""
    return value.encode("utf-8", "surrogatepass") if isinstance(value, str) else bytes(value)


cdef bint is_host(object name) except -1:
    cdef const uint8_t* p = NULL
    if type(name) is not bytes:
        name = plain(name)
    if octets_in(name, &p) != 4:
        return False
    return p[0] | 0x20 == c'h' and p[1] | 0x20 == c'o' and p[2] | 0x20 == c's' and p[3] | 0x20 == c't'


def from_scope(scope, *, trusted=(), forwarded=None, dots="refuse"):
    """Return the URL that a request asks for, from the scope of an ASGI application, for HTTP or a WebSocket.

    The path is raw_path, so escapes stay as they were sent. Where raw_path, decoded once, is neither path nor root_path
    and path, or there is none, an application has rewritten the scope, and the path is path, percent-encoded. root_path
    stands before it unless it does already. The peer is client. trusted, forwarded, dots: as for from_request_target,
    whose errors it raises, also for a dot segment in root_path; TypeError: the scope is not of HTTP or a WebSocket. A
    request of HTTP/1.1 has to have a Host; another that has none asks the server of the scope.

    https://asgi.readthedocs.io/en/latest/specs/www.html
    """
    cdef bint resolve = resolves(dots)
    cdef object host = None
    cdef dict d = scope if type(scope) is dict else dict(scope)
    cdef object kind = d.get("type", "http")
    if kind != "http" and kind != "websocket":
        raise TypeError(f"the type of the scope must be 'http' or 'websocket', not {kind!r}")
    cdef object headers = d["headers"]
    if type(headers) is not list:
        headers = list(headers)
    for name, value in headers:
        if is_host(name):
            if host is not None:
                refuse_host(HOST_REPEATED, value, 0)
            host = value
    if host is None:
        host = host_of_server(d.get("server"), d.get("http_version", "1.1"))
    client = d.get("client") if forwarded is not None else None
    scheme = d.get("scheme")
    if scheme is None:
        scheme = "ws" if kind == "websocket" else "http"
    return answer(target_in_scope(d, resolve), host, scheme, d.get("method", "GET"),
                  None if client is None else client[0], headers, trusted, forwarded, resolve)


cdef object host_of_server(object server, object version):
    """Return the host of a server's address, for a request that names none; None for HTTP/1.1, which has to."""
    if server is None or server[1] is None or version == "1.1":  # without a port, it is the path of a socket
        return None
    name, port = server
    return f"[{name}]:{port}" if ":" in name and name[:1] != "[" else f"{name}:{port}"


cdef bytes target_in_scope(dict scope, bint resolve):
    cdef bytes raw = scope.get("raw_path") or b""
    cdef bytes query = scope.get("query_string") or b""
    cdef bytes root = root_of(scope.get("root_path") or "", resolve)
    cdef object path = scope.get("path") if raw else scope["path"]
    if b"?" in raw:
        raw = raw.partition(b"?")[0]
    if not raw or (path is not None and not is_decoded(raw, root, path)):
        raw = octets(path)
        if not is_form_of(raw, scope.get("method", "GET")):
            if raw[:1] not in b"/":  # decoded, so no host is certain in it
                refuse_target(TARGET_FORM_INVALID, raw, 0)
            raw = quoted_path(raw)
    if root and raw[:1] in b"/":
        raw = with_root(raw, root)
    return with_query(raw or b"/", query)


cdef bytes root_of(object text, bint resolve):
    """Return root_path or SCRIPT_NAME as octets, with a "/" at its start and none at its end; refuse dot segments."""
    cdef uint32_t at = 0
    cdef bytes root = octets(text).rstrip(b"/")
    if root and root[:1] != b"/":
        root = b"/" + root
    if not resolve and len(root) < MAX_TARGET and has_dots(root, <uint32_t>len(root), &at):
        refuse_target(DOT_SEGMENTS, root, at)
    return root


cdef bint is_decoded(bytes raw, bytes root, object path) except -1:
    """Return whether path is what a server decodes of raw_path, with or without root_path before it: as UTF-8, with
    U+FFFD for what is none."""
    cdef bytes said = octets(path), decoded
    if raw == said:
        return True
    decoded = decoded_path(raw)
    if decoded == said or decoded == root + said:
        return True
    decoded = decoded.decode("utf-8", "replace").encode()
    return decoded == said or decoded == root + said


cdef bytes with_query(bytes path, bytes query):
    """Return a target of a path and a query, which may be empty."""
    cdef Py_ssize_t n = len(path), m = len(query)
    cdef bytes made
    cdef char* out
    if m == 0:
        return path
    made = PyBytes_FromStringAndSize(NULL, n + 1 + m)
    out = PyBytes_AS_STRING(made)
    memcpy(out, PyBytes_AS_STRING(path), n)
    out[n] = c'?'
    memcpy(out + n + 1, PyBytes_AS_STRING(query), m)
    return made


cdef bytes with_root(bytes raw, bytes root):
    """Return a path with root_path before it, unless it begins with that already."""
    decoded = decoded_path(raw)
    if decoded.startswith(root) and decoded[len(root):len(root) + 1] in b"/":
        return raw
    return quoted_path(root) + raw


cdef bint is_form_of(bytes path, object method) except -1:
    """Return whether what a server tells as the path is the target of CONNECT or OPTIONS, which has no path."""
    return (method == "CONNECT" and path[:1] != b"/") or (method == "OPTIONS" and path == b"*")


cdef bytes decoded_path(bytes path):
    cdef Buffer b
    buffer_start(&b)
    try:
        write_decoded(&b, <const uint8_t*>PyBytes_AS_STRING(path), PyBytes_GET_SIZE(path))
        return b.p[:b.n]
    finally:
        buffer_free(&b)


cdef bytes quoted_path(bytes path):
    """Return a decoded path, percent-encoded."""
    cdef Buffer b
    buffer_start(&b)
    try:
        write_quoted(&b, <const uint8_t*>PyBytes_AS_STRING(path), PyBytes_GET_SIZE(path), &PATH_OCTETS)
        return b.p[:b.n]
    finally:
        buffer_free(&b)


def from_environ(environ, *, trusted=(), forwarded=None, dots="refuse"):
    """Return the URL that a request asks for, from the environ of a WSGI application (PEP 3333, "URL Reconstruction").

    The path is SCRIPT_NAME and PATH_INFO, percent-encoded: which characters of it were escaped, a server does not tell.
    The peer is REMOTE_ADDR. trusted, forwarded, dots: as for from_request_target, whose errors it raises, also for a
    dot segment in SCRIPT_NAME. A request of HTTP/1.1 has to have a Host; another that has none asks SERVER_NAME and
    SERVER_PORT. A PATH_INFO that is not a path, such as a target in absolute form that a server has left there, is
    refused: it was decoded, and no host is certain in it.
    """
    cdef bint resolve = resolves(dots)
    cdef object get = getattr(environ, "get", None)
    if get is None:
        raise TypeError(f"environ is a dict, not {type(environ).__name__}")
    cdef object host = get("HTTP_HOST"), method = get("REQUEST_METHOD", "GET")
    cdef bytes path, query
    if host is None:
        host = host_of_server((environ["SERVER_NAME"], environ["SERVER_PORT"]),
                              get("SERVER_PROTOCOL", "").removeprefix("HTTP/"))
    path = latin_octets(get("SCRIPT_NAME") or "")
    root_of(path, resolve)
    path += latin_octets(get("PATH_INFO") or "")
    query = latin_octets(get("QUERY_STRING") or "")
    if not path:
        path = b"/"
    elif path[:1] == b"/":
        path = quoted_path(path)
    elif not is_form_of(path, method):
        refuse_target(TARGET_FORM_INVALID, path, 0)
    headers = () if forwarded is None else fields_of(environ)
    return answer(with_query(path, query), host, environ["wsgi.url_scheme"], method, get("REMOTE_ADDR"),
                  headers, trusted, forwarded, resolve)


cdef bytes latin_octets(str text):
    """Return the octets of a text of environ, which has one character for each (PEP 3333, "A Note on String Types")."""
    for place, char in enumerate(text if not is_ascii(text) else ""):
        if char > "\xff":
            refuse_target(CHARACTER_NOT_ALLOWED, text, place)
    return text.encode("latin-1")


cdef list fields_of(object environ):
    """Return the fields of both families, as pairs."""
    return [(name[5:].replace("_", "-"), environ[name]) for name in (
        "HTTP_FORWARDED", "HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_PROTO", "HTTP_X_FORWARDED_HOST") if name in environ]


from_request_target = staticmethod(from_request_target)
from_scope = staticmethod(from_scope)
from_environ = staticmethod(from_environ)


def trusts(hosts, str node not None):
    """Return whether an address lies in one of the networks of a Hosts. For forwarded.py."""
    return names_network(<Hosts?>hosts, node)


def networks(entries):
    """Return a Hosts, or entries as one. ValueError: an entry is not a network alone."""
    cdef Hosts made = entries if type(entries) is Hosts else Hosts(entries)
    if made.named:
        raise ValueError("a proxy is trusted by its network or its address, not by a name or a port")
    return made
