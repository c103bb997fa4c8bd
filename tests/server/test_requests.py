"""URL.from_request_target, from_scope and from_environ: which URL a request asks for, or why it is refused."""

from __future__ import annotations

import copy
import pickle
import urllib.parse

import pytest
from support.seeds import draws, least, seeded

import urlsm
from urlsm import URL
from urlsm.server import Hosts, RequestError


def by_target(target, host, method="GET", scheme="http", **more):
    return URL.from_request_target(target, host=host, scheme=scheme, method=method, **more)


def scope_of(path="/", query=b"", host=b"h.example", **more):
    headers = more.pop("headers", []) + ([] if host is None else [(b"host", host)])
    return {
        "type": "http",
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": path,
        "raw_path": None,
        "query_string": query,
        "root_path": "",
        "headers": headers,
        "server": ("10.9.8.7", 8000),
        "client": ("10.0.0.1", 5),
    } | more


def environ_of(path="/", query="", host="h.example", **more):
    made = {
        "REQUEST_METHOD": "GET",
        "SCRIPT_NAME": "",
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "SERVER_NAME": "me",
        "SERVER_PORT": "8000",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "wsgi.url_scheme": "http",
        "REMOTE_ADDR": "10.0.0.1",
    }
    return made | ({} if host is None else {"HTTP_HOST": host}) | more


# --- the four forms -------------------------------------------------------------------------------

ASKED = [
    ("/", "h.example", "GET", "http://h.example/"),
    ("/a/b?q=1&r", "H.Example:8080", "GET", "http://h.example:8080/a/b?q=1&r"),
    ("/a", "h.example:80", "GET", "http://h.example/a"),
    ("/a", "h.example:", "GET", "http://h.example/a"),
    ("//evil.example/x", "h.example", "GET", "http://h.example//evil.example/x"),
    ("///evil.example", "h.example", "GET", "http://h.example///evil.example"),
    ("/@evil.example", "h.example", "GET", "http://h.example/@evil.example"),
    ("/:80", "h.example", "GET", "http://h.example/:80"),
    ("/x?u=http://evil.example/\\", "h.example", "GET", "http://h.example/x?u=http://evil.example/\\"),
    ("/%2F%5C%00", "h.example", "GET", "http://h.example/%2F%5C%00"),
    ("/..%2fb", "h.example", "GET", "http://h.example/..%2fb"),
    ("/a/...?/../b", "h.example", "GET", "http://h.example/a/...?/../b"),
    ("/.a/b./..c/%2e%2e%2e/%252e%252e", "h.example", "GET", "http://h.example/.a/b./..c/%2e%2e%2e/%252e%252e"),
    ("/\u00e9", "h.example", "GET", "http://h.example/%C3%A9"),
    (b"/\xff", "h.example", "GET", "http://h.example/%FF"),
    ("/", "[::1]:81", "GET", "http://[::1]:81/"),
    ("/", "[0:0::1]", "GET", "http://[::1]/"),
    ("/", "127.0.0.1", "GET", "http://127.0.0.1/"),
    ("http://other.example/x", "h.example", "GET", "http://other.example/x"),
    ("HTTP://Other.Example:8080?q", "h.example", "GET", "http://other.example:8080/?q"),
    ("http://other.example", None, "GET", "http://other.example/"),
    ("http://other.example//evil.example", "h.example", "GET", "http://other.example//evil.example"),
    ("other.example:443", "h.example", "CONNECT", "http://other.example:443/"),
    ("[::1]:443", "h.example", "CONNECT", "http://[::1]:443/"),
    ("*", "h.example:81", "OPTIONS", "http://h.example:81/"),
]


@pytest.mark.parametrize(("target", "host", "method", "href"), ASKED)
def test_it_is_asked_for(target, host, method, href):
    url = by_target(target, host, method)
    assert type(url) is URL and url.href == href and url == urlsm.parse(href) and url.username is None
    octets = target if isinstance(target, bytes) else target.encode()
    assert by_target(octets, None if host is None else host.encode(), method).href == href
    path, _, query = octets.partition(b"?")
    scope = scope_of(None, query, None if host is None else host.encode(), raw_path=path, method=method, server=None)
    if host is not None or not path.startswith(b"/"):
        assert URL.from_scope(scope).href == href


REFUSED = [
    # code, target, Host, method
    *(
        ("host-invalid", "/", host, "GET")
        for host in (
            "h.example/x",
            "h.example\\x",
            "h example",
            "h\0",
            "h\t",
            "h#",
            "h?",
            "h,h",
            "a..b",
            "\u00fc.example",
            "h%2e",
            " h",
            "h ",
            "h\r\nX: y",
            "a" * 9000,
        )
    ),
    *(
        ("userinfo-not-allowed", "/", host, "GET")
        for host in ("u@h.example", "u:p@h.example", "h.example:80@evil", "h\\@e")
    ),
    *(("ip-literal-invalid", "/", host, "GET") for host in ("::1", "2001:db8::1:80", "[::1", "[::g]", "[::1%25a]")),
    *(("ipv4-invalid", "/", host, "GET") for host in ("127.1", "0x7f000001", "2130706433", "1.2.3.4.5")),
    *(("port-invalid", "/", host, "GET") for host in ("h:x", "h:65536", "h:-1", "h:80 ", "h:000080", "[::1]:x")),
    ("host-missing", "/", None, "GET"),
    ("host-missing", "/", "", "GET"),
    ("host-missing", "/", ":80", "GET"),
    ("host-missing", "*", None, "OPTIONS"),
    *(
        ("target-form-invalid", target, "h", "GET")
        for target in (
            "",
            "*",
            "x",
            "evil.example:80",
            "?q",
            "#",
            "@evil/",
            ":80/",
            "\\evil",
            " /",
            "http:/evil",
            "http:evil",
            "https:///"[:6],
            "javascript:x",
            "\0/",
        )
    ),
    ("target-form-invalid", "*", "h", "POST"),
    ("target-form-invalid", "*x", "h", "OPTIONS"),
    *(("scheme-invalid", target, "h", "GET") for target in ("ftp://evil/", "ws://h/", "file:///x", "httpss://evil/")),
    ("scheme-misdirected", "https://h/", "h", "GET"),
    *(
        ("character-not-allowed", target, "h", "GET")
        for target in (
            "/a b",
            "/\0",
            "/\r\nX:",
            "/\\evil",
            "/a#f",
            "/?a#f",
            "/\t",
            "/\x7f",
            "/\ud800",
            "/?\n",
            "http://h/ x",
            "http://h\\@evil/",
            "http://h#@evil/",
        )
    ),
    ("userinfo-not-allowed", "http://u@h/", "h", "GET"),
    ("userinfo-not-allowed", "http://h:80@evil/", "h", "GET"),
    ("host-missing", "http:///x", "h", "GET"),
    ("host-missing", "http://", "h", "GET"),
    ("port-invalid", "http://h:x/", "h", "GET"),
    ("host-invalid", "http://h%2eexample/", "h", "GET"),
    ("host-invalid", "http://h /", "h", "GET"),
    ("port-invalid", "h", "h", "CONNECT"),
    ("port-invalid", "h:", "h", "CONNECT"),
    ("host-invalid", "/", "h", "CONNECT"),
    ("host-invalid", "http//h:80", "h", "CONNECT"),
    ("userinfo-not-allowed", "u@h:80", "h", "CONNECT"),
    ("target-form-invalid", "", "h", "CONNECT"),
    *(
        ("dot-segments", target, "h", "GET")
        for target in (
            "/admin/../health",
            "/..",
            "/.",
            "/a/.",
            "/a/./b",
            "/.?q",
            "/..?/",
            "/%2e%2E/x",
            "/.%2e",
            "/a/%2e.//",
            "/.//evil.example",
            "//../x",
            "/x/%2E",
            "http://other.example/a/../b",
            "HTTP://other.example/%2e?q",
        )
    ),
    ("port-invalid", "http://h/", "h:x", "GET"),  # a Host that does not count still has to be one
]


def refusal(call):
    try:
        return call()
    except RequestError as error:
        assert 0 <= error.position <= len(error.url) and error.reference.startswith("RFC ")
        assert error.status in (400, 421) and str(error) and isinstance(error, urlsm.ParseError)
        return error.code


@pytest.mark.parametrize(("code", "target", "host", "method"), REFUSED)
def test_it_is_refused(code, target, host, method):
    assert refusal(lambda: by_target(target, host, method)) == code
    octets, name = (text if text is None else text.encode("utf-8", "surrogatepass") for text in (target, host))
    if "\ud800" not in target:
        assert refusal(lambda: by_target(octets, name, method)) == code
    if host is not None and target[:1] == "/":
        path, _, query = octets.partition(b"?")
        scope = scope_of(None, query, name, raw_path=path, method=method)
        assert "\ud800" in target or refusal(lambda: URL.from_scope(scope)) == code
        if target == "/" and host.isascii():
            assert refusal(lambda: URL.from_environ(environ_of("/", "", host, REQUEST_METHOD=method))) == code


@pytest.mark.parametrize("wrong", [5, None, "", []])
def test_an_environ_is_a_dict(wrong):
    with pytest.raises(TypeError, match="environ must be dict"):
        URL.from_environ(wrong)


def test_the_error():
    with pytest.raises(RequestError, match='must not contain "user@"') as caught:
        by_target("/", "user@h.example")
    error = caught.value
    assert (error.code, error.state, error.position, error.url) == ("userinfo-not-allowed", "host", 4, "user@h.example")
    assert error.reference == "RFC 9110 section 4.2.4" and error.status == 400
    twin = pickle.loads(pickle.dumps(error))
    assert (type(twin), twin.code, twin.url, twin.status) == (RequestError, error.code, error.url, 400)
    assert copy.copy(error).code == error.code
    with pytest.raises(RequestError) as caught:
        by_target("https://h/", "h")
    assert (caught.value.state, caught.value.status) == ("request-target", 421)


def test_what_is_not_a_request():
    for scheme in ("ftp", "HTTP", "", None):
        with pytest.raises(ValueError, match="scheme"):
            by_target("/", "h", scheme=scheme)
    for given in ((1, "h"), ("/", 1), (None, "h"), ("/", ["h"])):
        with pytest.raises(TypeError):
            by_target(*given)
    with pytest.raises(ValueError, match="forwarded must be"):
        by_target("/", "h", forwarded="both")


def test_two_hosts():
    for headers in ([("Host", "h"), ("host", "h")], [("HOST", "h"), (b"host", b"evil")], [("Host", "evil")]):
        assert refusal(lambda headers=headers: by_target("/", "h", headers=headers)) == "host-repeated"
        octets = [(name if isinstance(name, bytes) else name.encode(), b"h") for name, _ in headers]
        if len(headers) > 1:
            assert refusal(lambda octets=octets: URL.from_scope(scope_of(host=None, headers=octets))) == "host-repeated"
    assert by_target("/", "h", headers=[("Host", "h"), ("Hos", "x")]).host == "h"
    assert by_target("/", b"h", headers=iter([(b"Host", "h")])).host == "h"
    assert refusal(lambda: by_target("/", None, headers=[("Host", "h")])) == "host-repeated"
    assert refusal(lambda: URL.from_environ(environ_of(host="h,h"))) == "host-invalid"  # as servers join them


# --- ASGI and WSGI ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "href"),
    [
        ({"path": "/a b/\u00e9%"}, "http://h.example/a%20b/%C3%A9%25"),
        ({"path": "/a?b#c"}, "http://h.example/a%3Fb%23c"),
        ({"path": "/a/b", "raw_path": b"/a%2Fb"}, "http://h.example/a%2Fb"),
        ({"path": "/a", "raw_path": b"/a?q"}, "http://h.example/a"),
        ({"path": "/a", "raw_path": b"/a?q", "query": b"q"}, "http://h.example/a?q"),
        ({"path": ""}, "http://h.example/"),
        ({"path": "", "root_path": "/app"}, "http://h.example/app"),
        ({"path": "/app/x", "root_path": "/app"}, "http://h.example/app/x"),
        ({"path": "/x", "root_path": "/app"}, "http://h.example/app/x"),
        ({"path": "/apple", "root_path": "/app/"}, "http://h.example/app/apple"),
        ({"path": "/x", "root_path": "/\u00e9 /"}, "http://h.example/%C3%A9%20/x"),
        ({"path": "/a p/x", "raw_path": b"/%61%20p/x", "root_path": "/a p"}, "http://h.example/%61%20p/x"),
        ({"path": "//evil.example"}, "http://h.example//evil.example"),
        ({"path": "/x", "root_path": "//evil.example"}, "http://h.example//evil.example/x"),
        ({"path": "/x", "root_path": "evil.example"}, "http://h.example/evil.example/x"),
        ({"type": "websocket", "scheme": "wss"}, "wss://h.example/"),
        ({"scheme": "https", "host": b"h.example:443"}, "https://h.example/"),
        ({"host": None, "http_version": "1.0"}, "http://10.9.8.7:8000/"),
        ({"host": None, "http_version": "2", "server": ("::1", 80)}, "http://[::1]/"),
        ({"path": "*", "method": "OPTIONS"}, "http://h.example/"),
    ],
)
def test_a_scope(more, href):
    assert URL.from_scope(scope_of(**more)).href == href


def test_a_scope_without_its_optional_keys():
    assert URL.from_scope({"type": "http", "path": "/x", "headers": ((b"host", b"h"),)}).href == "http://h/x"
    assert URL.from_scope({"type": "websocket", "path": "/", "headers": [(b"Host", b"h")]}).href == "ws://h/"


def test_a_scope_that_is_refused():
    for more in (
        {"host": None},
        {"host": None, "http_version": "1.0", "server": ("/socket", None)},
        {"host": None, "http_version": "1.0", "server": None},
    ):
        assert refusal(lambda more=more: URL.from_scope(scope_of(**more))) == "host-missing"
    for path in ("http://evil.example/", "evil.example", "*", "@evil.example", "\\evil"):  # decoded: no host is certain
        assert refusal(lambda path=path: URL.from_scope(scope_of(path))) == "target-form-invalid"
    assert refusal(lambda: URL.from_scope(scope_of(query=b"a#b"))) == "character-not-allowed"


@pytest.mark.parametrize(
    ("more", "href"),
    [
        ({"path": "/a b/\xc3\xa9%"}, "http://h.example/a%20b/%C3%A9%25"),
        ({"path": "/\xff?#"}, "http://h.example/%FF%3F%23"),
        ({"path": "/x", "SCRIPT_NAME": "/app"}, "http://h.example/app/x"),
        ({"path": "", "SCRIPT_NAME": "/app"}, "http://h.example/app"),
        ({"path": ""}, "http://h.example/"),
        ({"query": "a=1&b=\xe9"}, "http://h.example/?a=1&b=%E9"),
        ({"path": "//evil.example"}, "http://h.example//evil.example"),
        ({"path": "//evil.example/\\"}, "http://h.example//evil.example/%5C"),
        ({"host": "h.example:8443", "wsgi.url_scheme": "https"}, "https://h.example:8443/"),
        ({"host": None, "SERVER_PROTOCOL": "HTTP/1.0"}, "http://me:8000/"),
        ({"path": "*", "REQUEST_METHOD": "OPTIONS"}, "http://h.example/"),
    ],
)
def test_an_environ(more, href):
    assert URL.from_environ(environ_of(**more)).href == href


def test_an_environ_that_is_refused():
    for path in ("http://evil.example/", "evil.example", "*", "@evil", "\\evil", "?"):
        assert refusal(lambda path=path: URL.from_environ(environ_of(path))) == "target-form-invalid"
    assert refusal(lambda: URL.from_environ(environ_of(host=None))) == "host-missing"
    assert refusal(lambda: URL.from_environ(environ_of("/\u0100"))) == "character-not-allowed"
    assert refusal(lambda: URL.from_environ(environ_of(query="a b"))) == "character-not-allowed"


# --- the path that a router sees ---------------------------------------------------------------------


def test_dot_segments_are_resolved_on_request():
    for target, href in (("/admin/../health", "/health"), ("/a/.", "/a/"), ("/%2e%2E/x", "/x"), ("/.//e", "//e")):
        path = target.encode()
        for url in (
            by_target(target, "h.example", dots="resolve"),
            URL.from_scope(scope_of(target, raw_path=path), dots="resolve"),
            URL.from_environ(environ_of(urllib.parse.unquote(target)), dots="resolve"),
        ):
            assert url.href == f"http://h.example{href}"
    for wrong in ("", "Refuse", None, True, b"resolve"):
        for call in (
            lambda dots: by_target("/", "h", dots=dots),
            lambda dots: URL.from_scope(scope_of(), dots=dots),
            lambda dots: URL.from_environ(environ_of(), dots=dots),
        ):
            with pytest.raises(ValueError, match="dots must be"):
                call(wrong)


def test_a_dot_segment_of_the_mount():
    for root in ("/a/..", "/.", "/%2e%2E/b", "..", "/a/../"):
        assert refusal(lambda root=root: URL.from_scope(scope_of("/x", root_path=root))) == "dot-segments"
        assert refusal(lambda root=root: URL.from_environ(environ_of("/x", SCRIPT_NAME=root))) == "dot-segments"
        assert type(URL.from_scope(scope_of("/x", root_path=root), dots="resolve")) is URL
    assert refusal(lambda: URL.from_scope(scope_of("/a/../x", raw_path=b"/a/%2e./x"))) == "dot-segments"
    assert refusal(lambda: URL.from_scope(scope_of("/a/../x"))) == "dot-segments"
    # a server has decoded it, so an escaped slash is one that was not
    assert refusal(lambda: URL.from_environ(environ_of("/a/../x"))) == "dot-segments"


@pytest.mark.parametrize(
    ("more", "path"),
    [
        # raw_path is path, or root_path and path, decoded once
        ({"path": "/a/b c", "raw_path": b"/a%2Fb%20c"}, "/a%2Fb%20c"),
        ({"path": "/\ufffd\u00e9", "raw_path": b"/%ff%c3%a9"}, "/%ff%c3%a9"),
        ({"path": "/\u00e9", "raw_path": "/\u00e9".encode()}, "/%C3%A9"),
        ({"path": "/%41", "raw_path": b"/%2541"}, "/%2541"),
        ({"path": "/x", "raw_path": b"/app/%78", "root_path": "/app"}, "/app/%78"),
        ({"path": "/x", "raw_path": b"/app/x", "root_path": "/app/"}, "/app/x"),
        ({"path": "/x", "raw_path": b"/%78", "root_path": "/app"}, "/app/%78"),
        ({"path": "/app/x", "raw_path": b"/app/%78", "root_path": "/app"}, "/app/%78"),
        # neither: the scope was rewritten, and path counts
        ({"path": "/new", "raw_path": b"/old"}, "/new"),
        ({"path": "/A", "raw_path": b"/%2541"}, "/A"),
        ({"path": "/x y", "raw_path": b"/secret/x%20y"}, "/x%20y"),
        ({"path": "/x", "raw_path": b"/old/x", "root_path": "/new"}, "/new/x"),
        ({"path": "/new", "raw_path": b"http://h.example/old"}, "/new"),
    ],
)
def test_a_scope_that_was_rewritten(more, path):
    assert URL.from_scope(scope_of(**more)).path == path


def test_a_scope_of_another_type():
    for kind in ("lifespan", "", None, "HTTP", 1):
        with pytest.raises(TypeError, match=r"scope\['type'\] must be"):
            URL.from_scope(scope_of(type=kind))


def test_the_path_is_the_routers():
    """Starlette's, Django's and werkzeug's path is that of the URL, decoded, unless the request is refused."""
    pytest.importorskip("starlette")
    pytest.importorskip("werkzeug")
    from starlette.requests import Request as Starlette
    from werkzeug.wrappers import Request as Werkzeug

    rng, counts, texts = seeded(39), [0, 0], ("a", "/", ".", "..", "%2e", "%2f", "%41", ";", "%25", "~")
    for _ in range(draws(3000)):
        target = "/" + "".join(rng.choice(texts) for _ in range(7))
        decoded, raw = urllib.parse.unquote(target), target.encode()
        scope, environ = scope_of(decoded, raw_path=raw), environ_of(decoded)
        for url, theirs in (
            (accepted(lambda scope=scope: URL.from_scope(scope)), Starlette(scope).scope["path"]),
            (accepted(lambda environ=environ: URL.from_environ(environ)), Werkzeug(environ).path),
        ):
            counts[url is None] += 1
            if url is not None:
                assert urllib.parse.unquote(url.path).lstrip("/") == theirs.lstrip("/")
    assert min(counts) > least(500)


# --- properties -------------------------------------------------------------------------------------

PIECES = [
    "h.example",
    "evil.example",
    "/",
    "//",
    "\\",
    "@",
    ":",
    "80",
    "http://",
    "https://",
    "?",
    "#",
    " ",
    "\0",
    "\t",
    "%2f",
    "%",
    ".",
    "..",
    "[::1]",
    "[",
    "]",
    "::1",
    "127.0.0.1",
    "0x7f.1",
    "xn--a",
    "\xe9",
    "*",
    ",",
    "A",
    "\r\n",
    ";",
    "_",
]


def pieces(rng, most):
    return "".join(rng.choice(PIECES) for _ in range(rng.randrange(most)))


def three_ways(target, host, method, scheme):
    """Yield each constructor's URL, or None, with the target as that constructor gets it."""
    path, _, query = target.partition("?")
    octets = {"raw_path": path.encode("latin-1"), "method": method, "scheme": scheme}
    environ = environ_of(path, query, host, REQUEST_METHOD=method)
    environ["wsgi.url_scheme"] = scheme
    yield target, accepted(lambda: by_target(target, host, method, scheme))
    yield (
        (path or "/") + (f"?{query}" if query else ""),
        accepted(lambda: URL.from_scope(scope_of(path, query.encode("latin-1"), host.encode("latin-1"), **octets))),
    )
    yield "/" if path[:1] in ("", "/") else path, accepted(lambda: URL.from_environ(environ))


def accepted(call):
    try:
        return call()
    except RequestError:
        return None


def bracketed(host):
    return f"[{host}]" if ":" in host and host[0] != "[" else host


def test_the_host_is_the_one_that_hosts_judged():
    """Of random requests by each constructor: what is accepted has the host and port of Host or of an absolute target,
    as every reader finds it in the text; the scheme is always the server's."""
    rng, every, count = seeded(9112), Hosts(["*"]), 0
    for _ in range(draws(30_000)):
        host = rng.choice(["h.example", "h.example:81", "[::1]", pieces(rng, 5)])
        target = rng.choice(["", "/", "//", "http://"]) + pieces(rng, 6)
        method = rng.choice(["GET", "GET", "POST", "OPTIONS", "CONNECT"])
        scheme = rng.choice(["http", "https", "ws", "wss"])
        for seen, url in three_ways(target, host, method, scheme):
            if url is None:
                continue
            count += 1
            assert (url.scheme, url.username, url.password, url.fragment) == (scheme, None, None, None)
            assert host in every
            authority = host
            if method == "CONNECT" and seen[:1] != "/":
                authority = seen
            elif seen[:1] != "/" and seen != "*":
                authority = urlsm.split(seen, dialect="rfc3986").authority
            assert authority in every
            meant = urlsm.parse(f"{scheme}://{authority}/")
            assert (url.host, url.port) == (meant.host, meant.port), (target, host, method)
            for dialect in ("rfc3986", "stdlib"):
                assert bracketed(urlsm.split(url.href, dialect=dialect).host) == url.host
    assert count > least(5_000)
