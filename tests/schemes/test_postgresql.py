"""postgresql and postgres: libpq's connection URIs, beyond the vectors."""

from __future__ import annotations

import pytest
from support.checks import check_normal_form, noted

import urlsm
from urlsm.schemes.hostlist import HostListParts, HostPort

HANDLER = urlsm.handler("postgresql")


def test_a_host_list_with_ports_is_not_a_url_and_has_parts():
    text = "postgresql://u:p@h1:1,H2,[::1]:3,:4/db?user=x"
    with pytest.raises(urlsm.ParseError):
        urlsm.parse(text)
    hosts = (HostPort("h1", 1), HostPort("h2", None), HostPort("::1", 3), HostPort(None, 4))
    assert urlsm.parts(text) == HostListParts("u", "p", hosts, "db", (("user", "x"),))
    assert noted(text) == []
    assert urlsm.parse("postgresql://h1,h2/db").parts.hosts == (HostPort("h1"), HostPort("h2"))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        *((f"postgresql://{rest}", []) for rest in ("", ",", "a,,b:", "u@,", "a:b:c@h", "h/a/b", "h?", "@")),
        *((f"postgresql://h?{rest}", []) for rest in ("u%73er=x", "ssl=true", "host=", "host=a,b&port=1,2")),
        ("postgresql://a:,b:1a", [("port-invalid", 19)]),
        ("postgresql://a:99999,b:1", [("port-out-of-range", 15)]),
        ("postgresql://a,[::1", [("ip-literal-invalid", 15)]),
        ("postgresql://[::1]:1x,[::g]:2", [("port-invalid", 20), ("ip-literal-invalid", 22)]),
        ("postgresql://[::1]z:1", [("host-invalid", 18)]),
        ("postgresql://a::1,b", [("host-invalid", 14)]),
        ("postgresql://a@b@c,d", [("character-not-allowed", 14)]),
        ("postgresql://h?u%7aer=x", [("parameter-unknown", 15)]),
        ("postgresql://h?USER=x&ssl=false", [("parameter-unknown", 15), ("parameter-unknown", 22)]),
        ("postgresql://h?user", [("parameter-value-missing", 19)]),
        ("postgresql://h?=x", [("parameter-name-missing", 15)]),
        ("postgresql://h?user=x&", [("parameter-name-missing", 22)]),
        ("postgresql://h?user=x==", [("character-not-allowed", 21)]),
        (
            "postgresql://%00:%00@%00/%00?user=%00",
            [("nul-encoded", position) for position in (13, 17, 21, 25, 34)],
        ),
        ("postgres:/h", [("authority-missing", 9)]),
        ("Postgresql://h", [("character-not-allowed", 0)]),
        ("postgreS://h", [("character-not-allowed", 7)]),
        ("postgres://h#", [("fragment-not-allowed", 12)]),
    ],
)
def test_violations(text, wanted):
    assert noted(text) == wanted


def test_what_cannot_be_read():
    for port, read, code in (("x", None, "port-invalid"), ("999999", 999999, "port-out-of-range")):
        text = f"postgresql://a:{port},b"
        assert HANDLER.read_parts(urlsm.split(text, dialect="rfc3986")).hosts == (HostPort("a", read), HostPort("b"))
        assert noted(text) == [(code, 15)]
        assert urlsm.equivalent(text, text.upper().lower()) and not urlsm.equivalent(text, "postgresql://a:y,b")
    assert HANDLER.read_parts(urlsm.split("postgres:a", dialect="rfc3986")).hosts == ()


def test_sockets_keep_their_case():
    hosts = urlsm.parts("postgresql://%2Fvar%2FRun,%40Abstract,H%4f").hosts
    assert [host.host for host in hosts] == ["/var/Run", "@Abstract", "ho"]
    assert urlsm.normalize("postgresql://%2fvar%2fRun:5432,%40Abstract") == "postgresql://%2Fvar%2FRun,%40Abstract/"


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("POSTGRESQL://U@H1:5432,H2:05432,H3:5433/?", "postgresql://U@h1,h2,h3:5433/"),
        ("postgresql://H%c3%A9%4a:,[::A]:1", "postgresql://h%C3%A9j,[::a]:1/"),
        ("postgres:///db?user=%7e%2b", "postgres:///db?user=~%2B"),
        ("postgresql://h/../a", "postgresql://h/../a"),  # no dot segments: a name
        ("postgresql:h", "postgresql:h"),
        ("postgresql://h%zz:x", "postgresql://h%zz:x/"),
    ],
)
def test_normal_forms(text, normal):
    check_normal_form(text, normal)


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("postgres://h/db", "postgresql://h:5432/db", True),
        ("postgresql://h", "postgresql://h/?", True),
        ("postgresql://h/a%2Fb", "postgresql://h/a/b", True),  # libpq: all up to "?"
        ("postgresql://h/db", "postgresql://h/DB", False),
        ("postgresql://a,b", "postgresql://b,a", False),
        ("postgresql://%2FA", "postgresql://%2Fa", False),
        ("postgresql://h?user=a&user=b", "postgresql://h?user=b&user=a", False),
        ("postgresql://a:x", "postgresql://a:y", False),
    ],
)
def test_equivalence(a, b, same):
    assert urlsm.equivalent(a, b) is same


def test_build():
    assert HANDLER.build() == "postgresql://"
    hosts = [HostPort("h", 1), {"host": "::1", "port": None}, {"host": "/run/a,b:c", "port": 2}, HostPort(None, 3)]
    assert (
        HANDLER.build(scheme="postgres", username="a:b", password="c:@/", hosts=hosts, database="é/?")
        == "postgres://a%3Ab:c:%40%2F@h:1,[::1],%2Frun%2Fa%2Cb%3Ac:2,:3/%C3%A9%2F%3F"
    )
    assert HANDLER.build(query_params=[("options", "-c a=b\r\n")]) == "postgresql:///?options=-c%20a%3Db%0D%0A"
    assert HANDLER.build(hosts=[HostPort("a:b")]) == "postgresql://a%3Ab"  # no address, so no brackets


@pytest.mark.parametrize(
    "parts",
    [
        {"hosts": [HostPort("a\0b")]},
        {"hosts": [HostPort("h", "1,b")]},
        {"hosts": [HostPort("h", -1)]},
        {"hosts": ()},
        {"hosts": [("h", "x")]},
        {"username": "\0"},
        {"database": ""},
        {"database": "\ud800"},
        {"query_params": [("no such", "x")]},
        {"query_params": [("user", None)]},
        {"fragment": "x"},
    ],
)
def test_build_refuses(parts):
    with pytest.raises(ValueError):
        HANDLER.build(**parts)


def test_parts_hide_the_password():
    assert "secret" not in repr(urlsm.parts("postgresql://u:secret@h"))


@pytest.mark.parametrize("host", [HostPort("H", 1), ("H", 1), ["h", 1], {"host": "H", "port": 1}])
def test_build_takes_hosts_in_many_forms(host):
    assert urlsm.parts(HANDLER.build(hosts=[host])).hosts == (HostPort("h", 1),)


def test_build_takes_hosts_without_a_port():
    hosts = [("A",), ("b", None), {"host": "c"}, ("::1", 2), ("/Run/Db", 3)]
    assert HANDLER.build(hosts=hosts) == "postgresql://a,b,c,[::1]:2,%2FRun%2FDb:3"


@pytest.mark.parametrize("host", ["h", b"h", ("h", 1, 2), {"name": "h"}, 1])
def test_build_refuses_anything_but_a_host(host):
    with pytest.raises(TypeError):
        HANDLER.build(hosts=[host])


@pytest.mark.parametrize(
    ("given", "mode"), [("requiressl=1", "require"), ("requiressl=0", "prefer"), ("ssl=true", "require")]
)
def test_what_libpq_takes_for_sslmode(given, mode):
    assert urlsm.parts(f"postgresql://h?{given}").query_params == (("sslmode", mode),)
    assert urlsm.equivalent(f"postgresql://h?{given}", f"postgres://h/?sslmode={mode}")
    assert not urlsm.equivalent(f"postgresql://h?{given}", "postgres://h/?sslmode=disable")
