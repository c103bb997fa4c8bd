"""What proxies say of a request: believed of trusted ones alone, by the family of fields that is named."""

from __future__ import annotations

import pytest
from support.seeds import draws, seeded

from urlsm import URL
from urlsm.server import Hosts, RequestError

TRUSTED = ["10.0.0.0/8", "2001:db8::/32"]


def asked(family, headers, trusted=TRUSTED, peer="10.0.0.1", scheme="http", host="inner.example"):
    """Return the URL that the three constructors agree on, or the code of their error."""
    octets = [(name.lower().encode(), value.encode("latin-1")) for name, value in headers]
    joined = {}
    for name, value in headers:
        joined.setdefault("HTTP_" + name.upper().replace("-", "_"), []).append(value)
    scope = {
        "type": "http",
        "path": "/x",
        "scheme": scheme,
        "headers": [(b"host", host.encode()), *octets],
        "client": None if peer is None else (peer, 1),
    }
    environ = {"REQUEST_METHOD": "GET", "PATH_INFO": "/x", "wsgi.url_scheme": scheme, "HTTP_HOST": host}
    environ |= {name: ",".join(values) for name, values in joined.items()}
    environ |= {} if peer is None else {"REMOTE_ADDR": peer}
    more = {"trusted_proxies": trusted, "forwarded": family}
    found = []
    for call in (
        lambda: URL.from_request_target(
            "/x", host=host, scheme=scheme, method="GET", peer=peer, headers=headers, **more
        ),
        lambda: URL.from_scope(scope, **more),
        lambda: URL.from_environ(environ, **more),
    ):
        try:
            found.append(call().href)
        except RequestError as error:
            assert 0 <= error.position <= len(error.url)
            found.append(error.code)
    assert found[0] == found[1] and (found[2] == found[0] or len({name.lower() for name, _ in headers}) < len(headers))
    return found[0]


def forwarded(*values, **more):
    return asked("forwarded", [("Forwarded", value) for value in values], **more)


PLAIN = "http://inner.example/x"
TOLD = "https://outer.example/x"


@pytest.mark.parametrize(
    ("value", "answer"),
    [
        ("host=outer.example;proto=https", TOLD),
        ('for=192.0.2.1;Host="outer.example:8443";PROTO=https', "https://outer.example:8443/x"),
        ('for="[2001:db9::1]:80";by=_x;host="out\\er.example";proto="https"', TOLD),
        (" for = x", "forwarded-invalid"),
        ("for=_hidden ; proto=https", "https://inner.example/x"),
        ("for=unknown;host=outer.example", "http://outer.example/x"),
        ("", PLAIN),
        (",, ,", PLAIN),
        (";;host=outer.example;;", "http://outer.example/x"),
        ("host=evil.example, for=192.0.2.1;proto=https", "https://inner.example/x"),  # the client's own element
        ("host=evil.example, for=192.0.2.1", PLAIN),
        ('for="x, host=outer.example', "forwarded-invalid"),  # an open quotation mark hides what follows
        ('for="x, for=192.0.2.1;host=outer.example', "forwarded-invalid"),
        ('for="\\", host=evil.example, for=x', "forwarded-invalid"),
        ("host=a;host=b", "forwarded-invalid"),
        ("host=a;HOST=a", "forwarded-invalid"),
        ("host", "forwarded-invalid"),
        ("host=", "forwarded-invalid"),
        ("=x", "forwarded-invalid"),
        ("host=a b", "forwarded-invalid"),
        ("host=a:80", "forwarded-invalid"),  # a token has no ":"
        ("for=[::1]", "forwarded-invalid"),
        ("host=\xe9", "forwarded-invalid"),
        ('for="\xe9\\\xff";host=outer.example', "http://outer.example/x"),  # quoted, obs-text is let pass
        ('for="\x7f"', "forwarded-invalid"),
        ('host="u@evil.example"', "userinfo-not-allowed"),
        ('host="evil.example/x"', "host-invalid"),
        ('host="a\\\\@b"', "userinfo-not-allowed"),
        ('host=""', "host-missing"),
        ('host="::1"', "ip-literal-invalid"),
        ('host="[::1]:81"', "http://[::1]:81/x"),
        ("proto=ftp", "scheme-invalid"),
        ("proto=javascript", "scheme-invalid"),
        ("proto=HTTPS", "https://inner.example/x"),
    ],
)
def test_the_grammar_of_forwarded(value, answer):
    assert forwarded(value) == answer


def test_the_elements_are_counted_from_the_right():
    client, first, second = (
        "for=192.0.2.9;host=evil.example",
        "for=192.0.2.1;host=outer.example;proto=https",
        "for=10.0.0.2",
    )
    assert forwarded(client, first, second) == forwarded(f"{client}, {first},{second}") == TOLD
    assert forwarded(first, "for=10.0.0.2;host=inner2.example") == TOLD
    assert forwarded(first, "for=10.0.0.3", 'for="10.0.0.2:99"') == TOLD
    assert forwarded(first, "for=192.0.2.2") == PLAIN  # what lies left of a stranger is not believed
    assert (
        forwarded(first, "for=_hidden") == forwarded(first, "for=unknown") == forwarded(first, "by=10.0.0.1") == PLAIN
    )
    assert forwarded(first, 'for="[2001:db8::5]:1"') == TOLD and forwarded(first, 'for="[2001:db9::5]"') == PLAIN
    assert forwarded("for=10.0.0.9;host=outer.example;proto=https") == TOLD  # a client within the networks
    for trusted, answer in ((1, PLAIN), (2, TOLD), (3, "http://evil.example/x"), (4, PLAIN), (0, PLAIN), (-1, PLAIN)):
        assert forwarded(client, first, second, trusted=trusted, peer=None) == answer


@pytest.mark.parametrize(
    "peer",
    [
        None,
        "",
        "192.0.2.1",
        "testclient",
        "unix:",
        "10.0.0.1.evil",
        "010.0.0.1",
        "[::1",
        "::1%x",
        "11.0.0.1",
        "2001:db9::1",
        "\u0661\u0660.0.0.1",
        "_x",
        "unknown",
        "*",
    ],
)
def test_a_stranger_is_not_believed(peer):
    assert forwarded("host=evil.example;proto=https", peer=peer) == PLAIN
    fields = [("X-Forwarded-Host", "evil.example"), ("X-Forwarded-Proto", "https"), ("X-Forwarded-For", "10.0.0.1")]
    assert asked("x-forwarded", fields, peer=peer) == PLAIN
    assert forwarded('for="', "host=a b", peer=peer) == PLAIN  # nor is it read
    assert forwarded("host=outer.example;proto=https", trusted=(), peer="10.0.0.1") == PLAIN


@pytest.mark.parametrize("peer", ["10.255.0.1", "2001:db8::1", "[2001:db8::1]", "2001:DB8:0::1", "::ffff:10.0.0.1"])
def test_a_trusted_peer(peer):
    assert forwarded("host=outer.example;proto=https", peer=peer) == TOLD
    assert forwarded("host=outer.example;proto=https", peer=peer, trusted=Hosts(TRUSTED)) == TOLD


def test_the_other_family_is_never_believed():
    old = [("X-Forwarded-Host", "evil.example"), ("X-Forwarded-Proto", "https")]
    new = [("Forwarded", "host=evil.example;proto=https")]
    assert asked("forwarded", old) == asked("x-forwarded", new) == PLAIN
    assert asked(None, old + new) == PLAIN
    others = [
        ("X-Forwarded-Server", "evil"),
        ("X-Original-Host", "evil"),
        ("X-Forwarded-Port", "1"),
        ("X-Host", "evil"),
        ("X-Forwarded-Scheme", "https"),
        ("X-Rewrite-URL", "/evil"),
        ("X-Forwarded-Ssl", "on"),
    ]
    assert asked("x-forwarded", others) == asked("forwarded", others) == PLAIN


def x(host=None, proto=None, for_=None, **more):
    fields = [("X-Forwarded-Host", host), ("X-Forwarded-Proto", proto), ("X-Forwarded-For", for_)]
    return asked("x-forwarded", [(name, value) for name, value in fields if value is not None], **more)


def test_x_forwarded():
    assert x("outer.example", "https") == x("outer.example", "HTTPS", "192.0.2.1") == TOLD
    assert x("evil.example, outer.example", "http,https", "192.0.2.9, 192.0.2.1") == TOLD
    assert x("outer.example, inner2.example", "https, http", "192.0.2.1, 10.0.0.2") == TOLD
    assert x("outer.example", "https", "192.0.2.1, 10.0.0.2") == TOLD  # written anew by the nearest
    assert x("outer.example, i, i", "https", "192.0.2.1, 2001:db8::2, [2001:db8::3]:80") == TOLD
    assert x("a, b", None, "192.0.2.1, 10.0.0.2, 10.0.0.3") == "forwarded-uneven"
    assert x("outer.example:81") == "http://outer.example:81/x"
    assert x("u@evil") == "userinfo-not-allowed" and x("a b") == "host-invalid" and x(proto="x") == "scheme-invalid"
    assert x("", "") == PLAIN and x(" , ", ",") == PLAIN
    assert x("a, outer.example", "https", trusted=1, peer=None) == TOLD
    assert x("outer.example, b", "https", trusted=2, peer=None) == TOLD
    assert x(proto="https", scheme="ws") == "wss://inner.example/x" and x(proto="wss", scheme="http")[:6] == "https:"
    assert x(proto="http", scheme="https") == PLAIN


def test_a_host_that_is_not_believed_still_has_to_be_one():
    assert asked("x-forwarded", [("X-Forwarded-Host", "outer.example")], host="u@inner") == "userinfo-not-allowed"


def test_what_cannot_be_trusted():
    for trusted in (["proxy.example"], [".example"], ["10.0.0.1:80"], ["*"], Hosts(["a"])):
        with pytest.raises(ValueError):
            forwarded("for=x", trusted=trusted)
    with pytest.raises(TypeError):
        forwarded("for=x", trusted="10.0.0.1")


def test_random_fields_of_a_stranger_never_name_host_or_scheme():
    rng = seeded(7239)
    parts = [
        "host=evil.example",
        "proto=https",
        "for=10.0.0.1",
        ",",
        ";",
        '"',
        "=",
        " ",
        "\\",
        "for=_x",
        "[::1]",
        "by=a",
    ]
    for _ in range(draws(3_000)):
        value = "".join(rng.choice(parts) for _ in range(rng.randrange(9)))
        assert forwarded(value, peer=rng.choice([None, "192.0.2.1", "x"])) == PLAIN
        # a trusted proxy appends its element: it is the one believed, or all is refused
        assert forwarded(value, "for=192.0.2.1;host=outer.example;proto=https") in (TOLD, "forwarded-invalid")
