"""Hosts: whether a Host header names one of a server's hosts, also as two frameworks check it; the middlewares."""

from __future__ import annotations

import asyncio
import contextlib
import copy
import pickle
import random
import re

import pytest
from support.seeds import draws, least, seeded

import urlsm
from urlsm.server import AsgiHosts, Hosts, WsgiHosts

ENTRIES = [
    "example.com",
    ".example.org",
    "*.example.net",
    "localhost:*",
    "api.example:8080",
    "10.0.0.0/8",
    "[::1]:81",
    "b\u00fccher.example",
]
HOSTS = Hosts(ENTRIES)

NAMED = [
    "example.com",
    "EXAMPLE.com",
    "example.com.",
    "example.com:",
    "example.com:80",
    "example.com:443",
    "example.com:00080",
    "example.org",
    "a.example.org",
    "a.b.Example.Org.",
    "a.example.net",
    "localhost",
    "localhost:1",
    "localhost:65535",
    "api.example:8080",
    "10.1.2.3",
    "10.255.255.255:443",
    "[::1]:81",
    "[0:0::1]:81",
    "xn--bcher-kva.example",
]
REFUSED = {
    "host-missing": ["", ":80"],
    "host-invalid": [
        "example.com,evil.example",
        "example.com evil",
        " example.com",
        "example.com\0",
        "example.com\\x",
        "example.com/x",
        "example.com#",
        "example.com?",
        "ex%61mple.com",
        "b\u00fccher.example",
        "a..b",
        ".",
        ".example.com",
        "example.com..",
        "\u2488",
        "example.com\r\nX: y",
        "a" * 256,
        "a" * 9000,
    ],
    "userinfo-not-allowed": [
        "user@example.com",
        "example.com:80@evil.example",
        "example.com:@evil",
        "example.com\\@evil",
        "[::1]@evil",
    ],
    "ip-literal-invalid": ["::1", "[::1", "[::g]", "[]", "[v1.a]", "[::1%25eth0]", "1:2:3", "2001:db8::1:80"],
    "ipv4-invalid": ["127.1", "0x7f.1", "0177.0.0.1", "10.0.0.256", "2130706433", "10.0.0.1.", "1.2.3.4.5", "09.1"],
    "port-invalid": [
        "example.com:x",
        "example.com:65536",
        "example.com:000080",
        "example.com:+80",
        "example.com: 80",
        "example.com:80 ",
        "[::1]:8a",
    ],
    "host-not-allowed": [
        "evil.example",
        "example.com.evil.example",
        "notexample.com",
        "example.com:81",
        "a.example.com",
        "notexample.org",
        "example.net",
        "api.example",
        "api.example:80",
        "11.0.0.1",
        "10.0.0.1:81",
        "[::1]",
        "[::1]:80",
        "[::ffff:10.0.0.1]",
        "[::2]:81",
        "localhost.evil:1",
        "a" * 253,
    ],
}


@pytest.mark.parametrize("header", NAMED)
def test_it_names_a_host(header):
    for given in (header, header.encode()):
        assert HOSTS.check(given) == urlsm.security.Verdict(True) and given in HOSTS


@pytest.mark.parametrize(("code", "header"), [(code, header) for code, all_ in REFUSED.items() for header in all_])
def test_it_says_why_not(code, header):
    verdict = HOSTS.check(header)
    assert (bool(verdict), verdict.codes) == (False, (code,)) and verdict.message and header not in HOSTS
    assert HOSTS.check(header.encode()).codes == (code,)


def test_every_host():
    assert "evil.example:99" in Hosts(["*"]) and "[::1]" in Hosts(["*"])
    assert "user@evil" not in Hosts(["*"]) and None not in Hosts(["*"]) and "" not in Hosts(["*"])
    assert HOSTS.check(None).codes == ("host-missing",) and "example.com" not in Hosts([])


def test_an_ipv4_address_within_ipv6_is_another_host():
    hosts = Hosts(["[::ffff:10.0.0.1]", "::ffff:10.1.0.0/112", "10.2.0.0/16"])
    for header in ("[::ffff:10.0.0.1]", "[::FFFF:a00:1]:443", "[::ffff:10.1.2.3]", "10.2.0.1"):
        assert hosts.check(header).allowed, header
    for header in ("10.0.0.1", "10.1.2.3", "[::ffff:10.2.0.1]", "[::ffff:10.0.0.2]", "[::a00:1]", "[::ffff:10.0.0.1"):
        assert not hosts.check(header).allowed, header


def test_what_is_not_an_entry():
    with pytest.raises(TypeError):
        Hosts("example.com")
    with pytest.raises(TypeError):
        Hosts([b"example.com"])
    with pytest.raises(TypeError):
        HOSTS.check(1)
    for entry in ("", ".", "a b", "example.com:99999", "10.0.0.1/8", "a/b", "http://example.com", "u@h", "a*b", ":80"):
        with pytest.raises(ValueError):
            Hosts([entry])
    with pytest.raises(ValueError):
        Hosts([], flavor="flask")
    assert repr(Hosts(["a"], flavor="django")) == "Hosts(['a'], flavor='django')"
    assert HOSTS.flavor is None


def drawn(rng: random.Random) -> str:
    parts = [
        "example",
        "com",
        "org",
        "EXAMPLE",
        ".",
        ".",
        ".",
        ":",
        "80",
        "8080",
        "@",
        "[",
        "]",
        "::1",
        "%",
        "_",
        "-",
        "\0",
        " ",
        "\\",
        "/",
        "\u00fc",
        "a",
        "localhost",
        "10.0.0.1",
        "0x7f",
        "1",
        ",",
        "*",
        "~",
        "xn--",
        "\u212a",
        "v1.",
    ]
    return (
        "".join(rng.choice(parts) for _ in range(rng.randrange(7)))
        if rng.random() < 0.7
        else rng.choice([*NAMED, *(header for all_ in REFUSED.values() for header in all_)])
        + rng.choice(["", "", *parts])
    )


def test_a_host_that_it_names_is_the_url_s_for_every_reader():
    rng, every, seen = seeded(26), Hosts(["*"]), 0
    for _ in range(draws(20_000)):
        header = drawn(rng)
        if header not in every:
            continue
        url = urlsm.try_parse(f"http://{header}/")
        if url is None:  # ToASCII refuses the name
            assert "xn--" in header.lower()
            continue
        seen += 1
        name = re.fullmatch(r"(.*?)(:\d*)?", header)[1].lower() if header[0] != "[" else url.host
        assert (url.host, url.username, url.path) == (name, None, "/")
        assert (
            urlsm.split(f"http://{header}/", dialect="rfc3986").host.lower()
            == header.rpartition("]")[0].lower() + "]" * (header[0] == "[")
            or urlsm.split(f"http://{header}/", dialect="rfc3986").host.lower() == name
        )
    assert seen > least(1000)


# --- the frameworks' checks -----------------------------------------------------------------------

NUMBERS = ["example.com", "80", ".80", "*.80", "8080.80", "[::1", "[::1]", ".[::1]", "80.com", "com.80."]
FLAVORED = ["example.com", "EXAMPLE.org", "localhost", "[::1]", "10.0.0.1", "a_b.example", "a"]


def test_django_s_flavor_is_django_s():
    request = pytest.importorskip("django.http.request", reason="compares with Django")
    rng = seeded(7)
    for entries in (FLAVORED, [".example.com", ".org", "", "a:80"], ["*"], [".Example.COM", "example.com."], NUMBERS):
        hosts = Hosts(entries, flavor="django")
        for _ in range(draws(4_000)):
            header = drawn(rng).encode("latin-1", "replace").decode("latin-1")  # Django also makes a "k" of U+212A
            name, _ = request.split_domain_port(header)
            assert (header in hosts) == bool(name and request.validate_host(name, entries)), (header, entries)


def test_starlette_s_flavor_is_starlette_s():
    trusted = pytest.importorskip("starlette.middleware.trustedhost", reason="compares with Starlette")
    rng = seeded(8)
    for entries in (["example.com", "*.example.org", "localhost", "[::1]"], ["*"], ["*.com", "10.0.0.1"], NUMBERS):
        hosts = Hosts(entries, flavor="starlette")
        theirs = trusted.TrustedHostMiddleware(reached, allowed_hosts=entries, www_redirect=False)
        for _ in range(draws(1_500)):
            header = drawn(rng).encode("latin-1", "replace")
            assert (header in hosts) == (asked(theirs, [(b"host", header)]) == 200), (header, entries)


# --- the middlewares --------------------------------------------------------------------------------


async def reached(scope, receive, send):
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b""})


def asked(app, headers, kind="http"):
    """Return the status of the response, or the type of the message that a WebSocket gets."""
    sent = []

    async def send(message):
        sent.append(message)

    scope = {"type": kind, "method": "GET", "scheme": "http", "path": "/", "query_string": b"", "headers": headers}
    call = app(scope, None, send)
    with contextlib.suppress(StopIteration):
        call.send(None)
    return sent[0].get("status", sent[0]["type"])


def test_the_asgi_middleware():
    app = AsgiHosts(reached, ["example.com"])
    assert asked(app, [(b"host", b"example.com")]) == 200
    for headers in ([], [(b"host", b"evil")], [(b"host", b"example.com"), (b"Host", b"example.com")], [(b"host", b"")]):
        assert asked(app, headers) == 400
        assert asked(app, headers, "websocket") == "websocket.close"
    assert asked(app, [], "lifespan") == 200
    asyncio.run(app({"type": "lifespan"}, None, sink))


async def sink(message):
    pass


def test_the_wsgi_middleware():
    statuses = []

    def ours(environ, start_response):
        start_response("200 OK", [])
        return [b"reached"]

    app = WsgiHosts(ours, Hosts(["example.com"]))
    bodies = [
        app(environ, lambda status, headers: statuses.append(status))
        for environ in ({"HTTP_HOST": "example.com"}, {}, {"HTTP_HOST": "example.com,example.com"})
    ]
    assert statuses == ["200 OK", "400 Bad Request", "400 Bad Request"]
    assert bodies == [[b"reached"], [b"Invalid host"], [b"Invalid host"]]


def test_it_is_copied_and_never_changes():
    hosts = Hosts(["example.com", "*.example.org"], flavor="starlette")
    for again in (copy.deepcopy(hosts), pickle.loads(pickle.dumps(hosts))):
        assert repr(again) == repr(hosts) and "a.example.org" in again and "example.org" not in again
    hosts.__init__(["other.example"])
    assert "other.example" not in hosts


def test_a_target_that_names_another_host_does_not_pass():
    """In absolute form, which counts before Host; or for CONNECT."""
    passed = []

    async def app(scope, receive, send):
        passed.append(scope)

    async def send(message):
        passed.append(message)

    def is_let_through(target, method="GET", **more):
        passed.clear()
        scope = {"type": "http", "method": method, "headers": [(b"host", b"example.com")], "raw_path": target}
        asyncio.run(AsgiHosts(app, ["example.com"])({**scope, "path": target.decode(), **more}, None, send))
        return passed[0].get("status") is None

    assert [is_let_through(target) for target in (b"/", b"", b"http://example.com/x", b"http://EXAMPLE.com:80")] == [
        True
    ] * 4
    for target in (b"http://evil.example/", b"https://example.com/", b"http://u@example.com/", b"evil.example", b"*"):
        assert not is_let_through(target)
    assert is_let_through(b"*", "OPTIONS") and is_let_through(b"example.com:80", "CONNECT")
    assert not is_let_through(b"evil.example:80", "CONNECT")
    assert not is_let_through(b"evil.example:80", "CONNECT", raw_path=None)  # a server need not tell it
    # only the host is judged: a path with dot segments is the application's to refuse
    assert is_let_through(b"/a/../b") and is_let_through(b"http://example.com/a/../b")
    # a scope that was rewritten still has the target that was sent; one without it was decoded, and names no host
    assert not is_let_through(b"http://evil.example/x", path="/x")
    assert not is_let_through(b"http://example.com/x", raw_path=None)
    front = WsgiHosts(lambda environ, start: [b"app"], ["example.com"])
    environ = {"HTTP_HOST": "example.com", "wsgi.url_scheme": "http"}
    assert front({**environ, "PATH_INFO": "/x"}, print) == front({**environ, "PATH_INFO": ""}, print) == [b"app"]
    for path, method in (("http://example.com/", "GET"), ("evil.example:80", "CONNECT"), ("*", "GET")):
        made = front({**environ, "PATH_INFO": path, "REQUEST_METHOD": method}, lambda *said: None)
        assert made == [b"Invalid host"]
    assert front({**environ, "PATH_INFO": "example.com:80", "REQUEST_METHOD": "CONNECT"}, print) == [b"app"]
