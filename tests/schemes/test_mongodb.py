"""mongodb and mongodb+srv: the connection string specification and its tests, beyond the vectors."""

from __future__ import annotations

import pytest
from support.checks import broken, check_normal_form, noted

import urlsm
from urlsm.schemes.databases.mongodb import _NUMBERS, _OPTIONS, _PAIRS, _WORDS
from urlsm.schemes.hostlist import HostPort

HANDLER = urlsm.handler("mongodb")


def test_a_host_list_with_ports_is_not_a_url_and_has_parts():
    text = "mongodb://a:1,B:2/db?readPreferenceTags=dc:ny,rack:1&readPreferenceTags="
    with pytest.raises(urlsm.ParseError):
        urlsm.parse(text)
    parts = urlsm.parts(text)
    assert (parts.hosts, parts.database) == ((HostPort("a", 1), HostPort("b", 2)), "db")
    assert parts.query_params == (("readpreferencetags", "dc:ny,rack:1"), ("readpreferencetags", ""))
    assert urlsm.parse("mongodb://a,b:27017/x").parts.hosts == (HostPort("a"), HostPort("b", 27017))
    assert urlsm.parse("mongodb+srv://A.example/").parts.hosts == (HostPort("a.example"),)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        *((f"mongodb://{rest}", []) for rest in ("h/", "h/?", "h:1,[::1]:65535", "u:@h", "%2Ft.sock/a.b", "%40x")),
        *((f"mongodb://h/?{rest}", []) for rest in ("w=", "a=b%3Dc", "no.such=1", "w=1&W=2", "t=TOKEN:mongodb://x?")),
        *((f"mongodb://h/?{rest}", []) for rest in ("ssl=true&tls=true", "tlsInsecure=true&tls=false&ssl=false")),
        *(
            (f"mongodb://h/?{rest}", [("mongodb-options-contradict", 21)])
            for rest in ("tls=yes&ssl=false", "%73sl=1&TLS=0")
        ),
        ("mongodb://h/?tlsInsecure=a&tlsAllowInvalidHostnames=a", [("mongodb-options-contradict", 27)]),
        *((f"mongodb://h/?w={rest}", [("character-not-allowed", 15)]) for rest in ("=1", "=1=", "=")),
        ("mongodb://h/?w", [("parameter-value-missing", 14)]),
        ("mongodb://h,%2Ftmp%2Fs.sock:1", [("port-not-allowed", 27)]),
        ("mongodb://a,b/?directConnection=true", [("mongodb-options-contradict", 15)]),
        ("mongodb://a,b/?w=1&DIRECTconnection=true", [("mongodb-options-contradict", 19)]),
        ("mongodb+srv://a/?directConnection=true", [("mongodb-options-contradict", 17)]),
        *((f"mongodb://{rest}", []) for rest in ("a/?directConnection=true", "a,b/?directConnection=false")),
        ("mongodb://h:", [("port-empty", 12)]),
        ("mongodb://a:,b", [("port-empty", 12)]),
        ("mongodb://@h", [("username-missing", 10)]),
        ("mongodb+srv://:p@h.example.org", [("username-missing", 14)]),
        ("mongodb://a,h%41.example,%20", [("host-invalid", 13), ("host-invalid", 25)]),
        ("mongodb://,", [("host-missing", 10), ("host-missing", 11)]),
        ("mongodb://::", [("host-invalid", 10), ("port-empty", 12)]),
        ("mongodb://a,b::", [("host-invalid", 13), ("port-empty", 15)]),
        ("mongodb://a::1,b", [("host-invalid", 11)]),
        ("mongodb://a:65536,b:0,c:00,d:x", [("port-out-of-range", p) for p in (12, 20, 24)] + [("port-invalid", 29)]),
        ("mongodb://a:b:c@h", [("character-not-allowed", 13)]),
        ("mongodb://a::b@h", [("character-not-allowed", 12)]),
        ("mongodb://a@b:c@h", [("character-not-allowed", 11)]),
        ("mongodb://a%b@h", [("bad-percent-escape", 11)]),
        ("mongodb://a/@h/db", [("mongodb-database-invalid", 14)]),
        ("mongodb://a:b/c@h/db", [("port-invalid", 12), ("mongodb-database-invalid", 17)]),
        (
            "mongodb:///tmp/x.sock/",
            [("host-missing", 10), ("mongodb-database-invalid", 14), ("mongodb-database-invalid", 21)],
        ),
        ("mongodb://h/a%2fb%5C%20%22$", [("mongodb-database-invalid", p) for p in (13, 17, 20, 23, 26)]),
        ('mongodb://h/a" ', [("character-not-allowed", 13), *(("mongodb-database-invalid", p) for p in (13, 14))]),
        ("mongodb://h?a&=b&", [("parameter-value-missing", 13), *(("parameter-name-missing", p) for p in (14, 17))]),
        ("mongodb://h#", [("fragment-not-allowed", 11)]),
        ("mongodb:h", [("authority-missing", 8)]),
        (
            "mongodb+srv://a.b:1,c:",
            [("port-not-allowed", 17), ("mongodb-srv-multiple-hosts", 19), ("port-not-allowed", 21)],
        ),
        ("mongodb+srv://u,v:p,q@h.example", []),
        ("mongodb+srv:///", [("host-missing", 14)]),
        ("mongodb+srv:a,b", [("authority-missing", 12)]),
    ],
)
def test_violations(text, wanted):
    assert broken(text) == wanted


def test_sockets_keep_their_case():
    hosts = urlsm.parts("mongodb://%2Ftmp%2FMongo.sock,rel%2FMongo.sock,Ab.example:1").hosts
    assert hosts == (HostPort("/tmp/Mongo.sock"), HostPort("rel/Mongo.sock"), HostPort("ab.example", 1))


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("MONGODB://A:27017,B:1?replicaSet=R", "mongodb://a,b:1/?replicaset=R"),
        (
            "mongodb://%2ftmp%2fA.sock/%61?readPreferenceTags=&w%2F=%61",
            "mongodb://%2Ftmp%2FA.sock/a?readpreferencetags=&w%2F=a",
        ),
        ("mongodb+srv://A?", "mongodb+srv://a/"),
        ("mongodb+srv://a:27017", "mongodb+srv://a:27017/"),  # has no port, so none by default
    ],
)
def test_normal_forms(text, normal):
    check_normal_form(text, normal)


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("mongodb://h?w=1", "mongodb://H:27017/?W=1", True),
        ("mongodb://h/?a=%2C", "mongodb://h/?a=,", True),
        ("mongodb://h/a", "mongodb://h/A", False),
        ("mongodb://h/?a=x", "mongodb://h/?a=X", False),
        ("mongodb://h/?w=1&w=2", "mongodb://h/?w=2&w=1", False),
        ("mongodb://h", "mongodb+srv://h", False),
        ("mongodb://u:@h", "mongodb://u@h", False),
    ],
)
def test_equivalence(a, b, same):
    assert urlsm.equivalent(a, b) is same


def test_build():
    build = HANDLER.build
    assert build(hosts=[HostPort("h")], query_params=[("w", "1")]) == "mongodb://h/?w=1"
    assert (
        build(username="a:b@c", password=":/%é", hosts=[HostPort("/t.sock"), HostPort("::1", 1)], database="x?")
        == "mongodb://a%3Ab%40c:%3A%2F%25%C3%A9@%2Ft.sock,[::1]:1/x%3F"
    )
    srv = urlsm.handler("mongodb+srv").build
    assert srv(hosts=[HostPort("c.example")], username="u\r\n") == "mongodb+srv://u%0D%0A@c.example"
    for wrong in ({}, {"port": 1}, {"hosts": [HostPort("a"), HostPort("b")]}, {"hosts": [HostPort("a", 1)]}):
        with pytest.raises((ValueError, TypeError)):
            srv(**wrong)


@pytest.mark.parametrize(
    "parts",
    [
        {"hosts": [HostPort("h", 0)]},
        {"hosts": [HostPort(None, 1)]},
        {"hosts": [HostPort("a]")], "database": "b c"},
        {"database": "a/b"},
        {"database": "a$"},
        {"query_params": [("w", None)]},
        {"query_params": [("", "1")]},
        {"password": "\udc00"},
    ],
)
def test_build_refuses(parts):
    with pytest.raises(ValueError):
        HANDLER.build(**{"hosts": [HostPort("h")], **parts})


def test_build_takes_hosts_as_pairs():
    assert urlsm.parts(HANDLER.build(hosts=[("H", 1), ("i", None)])).hosts == (HostPort("h", 1), HostPort("i"))


OPTIONS = (  # what the options of the table take, and what a driver ignores with a warning
    *((name, str(least), str(least - 1)) for name, (least, _) in _NUMBERS.items()),
    *((name, str(most), str(most + 1)) for name, (_, most) in _NUMBERS.items()),
    *((name, str(most), "invalid") for name, (_, most) in _NUMBERS.items()),
    *((name, str(most), "") for name, (_, most) in _NUMBERS.items()),
    *((name, word, "invalid") for name, words in _WORDS.items() for word in words),
    *((name, words[0], "") for name, words in _WORDS.items()),
    *((name, "a:b,c:d", "a:b,c") for name in _PAIRS),
)


@pytest.mark.parametrize("name", sorted(_OPTIONS))
def test_every_option_is_known(name):
    assert "parameter-unknown" not in {v.code for v in urlsm.validate(f"mongodb://h/?{name.upper()}=1")}


@pytest.mark.parametrize(("name", "right", "wrong"), OPTIONS)
def test_values_of_options(name, right, wrong):
    """A row of ../shared/reports-4/suites.json (connectTimeoutMS=invalid), and the 39 like it."""
    found = {text: noted(f"mongodb+srv://h/?{name}={text}") for text in (right, wrong)}
    invalid = ("parameter-value-invalid", len("mongodb+srv://h/?") + len(name) + 1)
    assert invalid not in found[right] and invalid in found[wrong]
    assert invalid not in broken(f"mongodb+srv://h/?{name}={wrong}")  # a warning: parts reads the text


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        *(
            (f"mongodb://h/?{rest}", [("parameter-unknown", 13)])
            for rest in ("foo=bar", "fsync=ifPossible", "wtimeout=5")
        ),
        ("mongodb://h/?replicaSet=a&replicaSet=a", [("parameter-duplicate", 26)]),
        ("mongodb://h/?readPreferenceTags=a:b&readPreferenceTags=", []),
        ("mongodb://h/?authMechanismProperties=TOKEN_RESOURCE:x%2Cy", [("parameter-value-invalid", 37)]),
        ("mongodb://b\u00fccher.example,\u00fc", [("host-invalid", 11), ("host-invalid", 25)]),
        ("mongodb://%2Ftmp%2F %2Fx.sock", [("host-invalid", 19)]),
    ],
)
def test_warnings(text, wanted):
    """Rules of the connection string specification that drivers tell, and go on."""
    assert noted(text) == wanted and broken(text) == []
    assert urlsm.parts(text).hosts


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("mongodb://example1,example2/?loadBalanced=true", [("mongodb-options-contradict", 29)]),  # suites.json
        ("mongodb://h/?loadBalanced=true&directConnection=true", [("mongodb-options-contradict", 31)]),
        ("mongodb://h/?replicaSet=r&loadBalanced=true", [("mongodb-options-contradict", 26)]),
        ("mongodb+srv://h/?loadBalanced=true", []),
        ("mongodb://h/?loadBalanced=true&directConnection=false", []),
        ("mongodb://example.com/?srvMaxHosts=2", [("mongodb-option-of-srv", 23)]),  # suites.json
        *(
            (f"mongodb://{rest}/?authSource=", [("mongodb-auth-source-empty", len(rest) + 22)])
            for rest in ("h", "u:p@h", "a,b")
        ),
        ("mongodb://h/?authSource=%20", []),
        ("mongodb://h/?srvServiceName=x", [("mongodb-option-of-srv", 13)]),
        ("mongodb://h/?srvAllowedHostsSuffix=.x", [("mongodb-option-of-srv", 13)]),
        ("mongodb+srv://h/?srvMaxHosts=2&replicaSet=r", [("mongodb-options-contradict", 17)]),
        ("mongodb+srv://h/?srvMaxHosts=2&loadBalanced=true", [("mongodb-options-contradict", 17)]),
        ("mongodb+srv://h/?srvMaxHosts=0&loadBalanced=true&replicaSet=r", [("mongodb-options-contradict", 31)]),
        ("mongodb+srv://h/?srvMaxHosts=0&replicaSet=r", []),
        ("mongodb+srv://h/?srvMaxHosts=-1&replicaSet=r", []),
        ("mongodb://h/?tls=true&tls=false", [("mongodb-options-contradict", 22)]),
        ("mongodb://h/?tls=true&ssl=true&tls=true", []),
        (
            "mongodb://h/?tlsDisableOCSPEndpointCheck=true&tlsDisableCertificateRevocationCheck=true",
            [("mongodb-options-contradict", 46)],
        ),
        ("mongodb://h/?proxyPort=1080", [("mongodb-proxy-incomplete", 13)]),
        (
            "mongodb://h/?proxyHost=p&proxyUsername=u",
            [("mongodb-proxy-incomplete", 13), ("mongodb-proxy-incomplete", 25)],
        ),
        ("mongodb://h/?proxyHost=p&proxyUsername=u&proxyPassword=s&proxyPort=1", []),
        ("mongodb://h/?proxyHost=p&proxyHost=q", [("parameter-duplicate", 25)]),
    ],
)
def test_options_that_do_not_go_together(text, wanted):
    assert broken(text) == wanted
