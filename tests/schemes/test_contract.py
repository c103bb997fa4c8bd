"""The contract: what a subclass of a few lines inherits, and the dialects of the handlers."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from typing import ClassVar

import pytest
from support.checks import check_normal_form, noted

import urlsm
from urlsm import Components, SchemeError, Violation
from urlsm.schemes import HierarchicalParts, Parts, PathParts, Scheme, ServerParts
from urlsm.schemes.generic import remove_dot_segments


class RoomParts(Parts):
    house: str | None
    room: int


class Room(Scheme):
    names = ("room",)
    title = "A room in a house"
    reference = "the house rules"
    authority = "required"
    host = "required"
    query = "forbidden"
    parts_type = RoomParts

    def read_parts(self, c: Components) -> RoomParts:
        if not (c.path or "")[1:].isdigit():
            raise self.refusal(c, "path-missing", "path", (c.span("path") or (0, 0))[0])
        return RoomParts(c.host, int((c.path or "")[1:4]))

    def violations(self, c: Components) -> Iterator[Violation]:
        yield from super().violations(c)
        if c.path == "/13":
            yield self.violation("no-such-room", "path", (c.span("path") or (0, 0))[0] + 1, message="no house has it")

    def write_parts(self, p: RoomParts) -> str:
        return f"//{p.house}/{p.room}"


@pytest.fixture(autouse=True)
def _room():
    urlsm.register(Room)
    yield
    urlsm.unregister("room")


def test_a_few_lines_make_a_handler():
    assert urlsm.parts("room://blue/12") == RoomParts("blue", 12) == urlsm.parse("room://blue/12").parts
    assert urlsm.handler("room").build(house="blue", room=12) == "room://blue/12"
    assert urlsm.normalize("ROOM://Blue/./%31%32") == "room://blue/12"
    assert urlsm.equivalent("room://blue/12", "ROOM://BLUE/1%32")
    assert noted("room:///13?") == [("host-missing", 7), ("no-such-room", 8), ("query-not-allowed", 10)]
    [violation] = urlsm.parse("room://blue/13").violations()
    assert violation == Violation("no-such-room", "path", 12, "error", "the house rules", "no house has it")


@pytest.mark.parametrize(
    "parts",
    [
        {"house": "blue/13?x", "room": 1},
        {"house": "a\r\nb", "room": 1},
        {"house": "", "room": 1},
        {"house": "blue", "room": -1},
        {"house": "blue", "room": "012"},
        {"house": "blue", "room": 13},
    ],
)
def test_build_refuses_what_would_not_read_back(parts):
    with pytest.raises(ValueError):
        urlsm.handler("room").build(**parts)


def test_build_knows_its_parts():
    with pytest.raises(TypeError, match="has no field 'floor': its fields are house, room"):
        urlsm.handler("room").build(house="blue", room=1, floor=2)


# --- parts, u.parts, violations ---


def test_parts_of_a_url_are_made_once_and_are_lenient():
    url = urlsm.parse("http://h/a|b?[c]")
    assert url.parts is url.parts and url.parts.segments == ("a|b",)
    assert [v.code for v in url.violations()] == ["character-not-allowed"] * 3
    with pytest.raises(SchemeError):
        urlsm.parts("http://h/a|b?[c]")
    with pytest.raises(SchemeError) as caught:
        _ = urlsm.parse("room://blue/x").parts
    assert (caught.value.code, caught.value.position) == ("path-missing", 11)


def test_parts_of_a_text_are_those_of_what_is_written():
    assert urlsm.parts("HTTP://EX.org:80/a/../b").path == "/a/../b"
    assert urlsm.parse("HTTP://EX.org:80/a/../b").parts.path == "/b"
    assert urlsm.parts(b"http://h/\xc3\xa9".replace(b"\xc3\xa9", b"%C3%A9")).segments == ("é",)


def test_a_scheme_error_says_what_where_and_why_without_the_password():
    with pytest.raises(SchemeError) as caught:
        urlsm.parts("http://me:secret@h/<")
    error = caught.value
    assert (error.code, error.position, error.state, error.reference) == (
        "character-not-allowed",
        19,
        "path",
        "RFC 9110 section 4.2",
    )
    assert isinstance(error, urlsm.ParseError) and error.url == "http://me:secret@h/<"
    for shown in (str(error), repr(error), repr(error.args)):
        assert "secret" not in shown and "character-not-allowed" in shown
    assert str(error).splitlines()[1:] == ["  http://me:***@h/<", "                  ^"]
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.code, again.url) == (str(error), error.code, error.url)


def test_positions_count_characters_of_str_and_bytes_of_bytes():
    assert noted("foo://é€/a b") == [("host-invalid", 6), ("character-not-allowed", 10)]
    assert noted("foo://é€/a b".encode()) == [("host-invalid", 6), ("character-not-allowed", 13)]
    with pytest.raises(SchemeError) as caught:
        urlsm.parts("foo:é b".encode())
    assert caught.value.position == 4 and caught.value.url == "foo:é b".encode()


@pytest.mark.parametrize(
    "function",
    [
        lambda a, dialect: urlsm.parts(a, dialect=dialect),
        urlsm.normalize,
        lambda a, dialect: urlsm.equivalent(a, "x:", dialect=dialect),
    ],
)
def test_an_unknown_dialect_is_refused_with_those_there_are(function):
    for dialect in ("whatwg", "barth", "rfc9999"):
        with pytest.raises(ValueError, match="rfc3986, rfc3987, rfc2396, rfc1738"):
            function("http://h/", dialect=dialect)
    with pytest.raises(TypeError):
        function(None, dialect="rfc3986")


def test_a_text_without_scheme_has_no_parts():
    with pytest.raises(SchemeError) as caught:
        urlsm.parts("//h/a")
    assert caught.value.code == "missing-scheme-non-relative-URL"


# --- the generic grammar ---


@pytest.mark.parametrize(
    "text",
    [
        *("", "#", "?", "//", "a/b", "/a//b", "//h:/", "x:", "x:///a", "x://u:@[::1]:0/a;b=c?d/?#e/?", "x://h:65535"),
        *("x:a:b@c", "x://%41", "x+-.1:%00", "x://1.2.3.999", "x://[v1.a:b]", "?a=b&c", "x://!$&'()*+,;=/:@-._~"),
    ],
)
def test_what_rfc_3986_allows(text):
    assert [v for v in urlsm.validate(text, dialect="rfc3986") if v.severity != "warning"] == []


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("a b", [("character-not-allowed", 1)]),
        ("1x:a", [("character-not-allowed", 0)]),
        ("x_y:a", [("character-not-allowed", 1)]),
        ("x:%", [("bad-percent-escape", 2)]),
        ("x:%4g%", [("bad-percent-escape", 2), ("bad-percent-escape", 5)]),
        ("x:a<>b^", [("character-not-allowed", 3), ("character-not-allowed", 6)]),
        ("x://a@b@c", [("character-not-allowed", 5)]),
        ("x://[::1", [("ip-literal-invalid", 4)]),
        ("x://[fe80::1%25eth0]", [("ip-literal-invalid", 4)]),
        ("x://a[b]", [("host-invalid", 5), ("host-invalid", 7)]),
        ("x://h:8a:1", [("host-invalid", 5)]),
        ("x://h:1a", [("port-invalid", 7)]),
        ("x://h:65536", [("port-out-of-range", 6)]),
        ("x://h:" + "9" * 10_000, [("port-out-of-range", 6)]),
        ("x:?\\#\\", [("character-not-allowed", 3), ("character-not-allowed", 5)]),
        ("x:\ud800", [("character-not-allowed", 2)]),
        ("x:\0é\n", [("character-not-allowed", 2)]),
        ("x://u:p@h", [("password-deprecated", 5)]),
    ],
)
def test_what_rfc_3986_does_not_allow(text, wanted):
    assert noted(text) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("x:a?b;/:@&=$-_.+!*'(),", []),
        ("x:%7E", []),
        ("x://", []),
        ("x:~", [("character-not-allowed", 2)]),
        ("x:[a]", [("character-not-allowed", 2), ("character-not-allowed", 4)]),
        ("x:a#b", [("fragment-not-allowed", 3)]),
        ("s3://a?#", [("fragment-not-allowed", 7)]),
    ],
)
def test_rfc_1738_judges_other_schemes_by_genericurl(text, wanted):
    assert noted(text, "rfc1738") == wanted


# --- normal forms ---


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        (
            "EXAMPLE://U%3a:P%7e@HOST%41%c3%a9:/%7e/./a/../%2e/b%2f?%3d%5A#%2D",
            "example://U%3A:P~@hosta%C3%A9/~/b%2F?%3DZ#-",
        ),
        ("x:a/../b", "x:a/../b"),  # no "/": not the start of a hierarchy
        ("x:/.//a", "x:/.//a"),  # else it would be an authority
        ("example:/a/..//b", "example:/.//b"),
        ("example:/../../a/.", "example:/a/"),
        ("../a/./b", "../a/./b"),  # a reference: its dots are relative to a base
        ("HTTP://h", "http://h/"),
        ("http://h:080?q", "http://h/?q"),
        ("http://h:81", "http://h:81/"),
        ("http://[::A]/", "http://[::a]/"),
        ("http://h:80:80/", "http://h:80:80/"),  # no default port: the host would change
        ("http://h:0081/", "http://h:81/"),
        ("http://a%2bb%3ac/", "http://a%2Bb%3Ac/"),
        ("file:///t%2/../%2e1", "file:///.1"),  # the bad escape goes with its segment
        ("x:%4%41", "x:%4%41"),  # decoded, it would be an escape
        ("x:%", "x:%"),
        ("x:%zz%4", "x:%zz%4"),
        ("\ud800", "\ud800"),
    ],
)
def test_normal_forms(text, normal):
    check_normal_form(text, normal)


@pytest.mark.parametrize(
    ("path", "kept"),
    [
        ("/a/b/c/./../../g", "/a/g"),  # RFC 3986 section 5.2.4
        ("/", "/"),
        ("//", "//"),
        ("/.", "/"),
        ("/..", "/"),
        ("/a/..", "/"),
        ("/a/b/..", "/a/"),
        ("/a//..", "/a/"),
        ("/a/...", "/a/..."),
        ("/.a/..b", "/.a/..b"),
    ],
)
def test_dot_segments(path, kept):
    assert remove_dot_segments(path) == kept


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("http://h/a", "http://h/A"),
        ("http://h/a", "https://h/a"),
        ("foo:a", "bar:a"),
        ("git+foo://h", "git://h"),
        ("http://h/?", "http://h/"),
        ("http://h/a%2Fb", "http://h/a/b"),
        ("x:", ""),
    ],
)
def test_what_is_not_equivalent(a, b):
    assert not urlsm.equivalent(a, b)


# --- build ---


def test_the_generic_build():
    handler = urlsm.handler("no-such")
    assert handler.build(scheme="x", host="h", segments=("a b/c", "é")) == "x://h/a%20b%2Fc/%C3%A9"
    assert handler.build(scheme="x", path="a", query="b", fragment="c") == "x:a?b#c"
    assert (
        handler.build(scheme="x", host="::1", username="a:b@", password="c:d@", port=8) == "x://a%3Ab%40:c:d%40@[::1]:8"
    )
    assert handler.build(scheme="x", host="é \udcff") == "x://%C3%A9%20%FF"
    assert handler.build(scheme="x", host="a@b]:1/") == "x://a%40b%5D%3A1%2F"
    assert handler.build(scheme="x", host="H").lower() == "x://h"
    assert type(handler.read_parts(urlsm.split("x:", dialect="rfc3986"))) is HierarchicalParts
    for wrong in (
        {"host": "h", "path": "a"},
        {"path": "//h"},
        {"path": "a?b"},
        {"path": "a\n"},
        {"query": "#"},
        {"fragment": "#"},
        {"port": 65536, "host": "h"},
        {"port": "8/", "host": "h"},
        {"path": "/a", "segments": ("b",)},
        {"scheme": "1x", "path": "a"},
        {"scheme": "x:y", "path": "a"},
    ):
        with pytest.raises(ValueError):
            handler.build(**{"scheme": "x", **wrong})


def test_build_writes_the_handlers_own_schemes_only():
    assert urlsm.handler("ssh").build(scheme="git+ssh", host="h", path="/a") == "git+ssh://h/a"
    for scheme in ("javascript", "ftp", "http:x", "http+\n"):
        with pytest.raises(ValueError):
            urlsm.handler("http").build(scheme=scheme, host="h", path="/%0aalert(1)")


def test_build_tells_no_password():
    for scheme in ("http", "sip"):
        with pytest.raises(ValueError) as caught:
            urlsm.handler(scheme).build(host="h", username="u", password="SECRET\ud800")
        assert "SECRET" not in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "view-source:http://u:SECRET@h/",
        "jdbc:mysql://u:SECRET@h/x",
        "jdbc:mysql://h/?password=SECRET",
        "postgresql://u:x@h/db?password=SECRET&connect_timeout=1",
        "sip:u:SECRET@h",
    ],
)
def test_no_password_is_shown(text):
    assert "SECRET" not in repr(urlsm.parts(text)) and "SECRET" not in repr(urlsm.parse(text))
    with pytest.raises(SchemeError) as caught:
        urlsm.parts(f"{text} <")
    assert "SECRET" not in str(caught.value)


def test_a_sockets_path_keeps_its_case():
    assert urlsm.normalize("HTTP+unix://%2Ftmp%2fSock.A/info") == "http+unix://%2Ftmp%2FSock.A/info"
    assert not urlsm.equivalent("redis://%2FTmp", "redis://%2Ftmp")
    assert urlsm.parts("redis://%2FTmp").host == "/Tmp"


def test_rfc_1738_has_no_grammar_of_what_inherits_from_its_schemes():
    for text in ("git+http://u@h/a;b", "https://u@h/", "imap://h/%7ea"):
        assert noted(text, "rfc1738") == noted(urlsm.normalize(text, dialect="rfc1738"), "rfc1738") == []
    assert urlsm.normalize("imap://h/%7ea", dialect="rfc1738") == "imap://h/%7Ea"


def test_equivalent_needs_one_handler_for_both():
    class Mine(Room):
        names = ("postgres", "mine")

    assert urlsm.equivalent("postgres://h/x", "postgresql://h/x") and urlsm.equivalent(
        "postgresql://h/x", "postgres://h/x"
    )
    urlsm.register(Mine)
    try:
        assert not urlsm.equivalent("postgres://h/x", "postgresql://h/x")
        assert not urlsm.equivalent("postgresql://h/x", "postgres://h/x")
        assert not urlsm.equivalent("postgres://h/1", "mine://h/1")
    finally:
        urlsm.unregister("postgres")
        urlsm.unregister("mine")


def test_components_without_a_path():
    c = Components(scheme="http", host="h", path=None, dialect="rfc3986")
    assert urlsm.handler("http").normalize(c).path == "/"


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("coaps+ws://h:80/x", "coaps+ws://h:80/x"),
        ("clickhouse+http://h:80/db", "clickhouse+http://h:80/db"),
        ("clickhouse+http://H:080", "clickhouse+http://h:80"),
        ("clickhouse+http://h:/db", "clickhouse+http://h/db"),
        ("x+mongodb://a:27017,b:1", "x+mongodb://a:27017,b:1/"),
        ("git+ssh://h:22/a", "git+ssh://h/a"),
        ("x+stun:h:3478", "x+stun:h:3478"),
        ("svn+ssh://h:22/a", "svn+ssh://h/a"),  # a handler of its own
        ("HTTP://h:80/", "http://h/"),
        ("postgres://h:5432,g:5432", "postgres://h,g/"),
    ],
)
def test_a_default_port_is_not_inherited(text, normal):
    for dialect in ("rfc3986", "rfc2396", "rfc1738"):
        assert urlsm.normalize(text, dialect=dialect) == normal
    assert urlsm.equivalent(text, normal)
    without = normal.replace(":80/", "/").replace(":3478", "").replace(":27017", "").replace(":22", "")
    assert urlsm.equivalent(text, without) is (without == normal)


@pytest.mark.parametrize(
    "text", ["x:///p", "x://", "x:////p", "x://:80/p", "x://u@/p?q", "x:/p", "x:p", "x:", "x://h/p"]
)
def test_build_of_any_scheme_keeps_an_empty_authority(text):
    parts = urlsm.parts(text)
    assert urlsm.handler("x").build(scheme="x", **parts) == text
    assert parts.host == urlsm.split(text, dialect="rfc3986").host


class VaultParts(PathParts):
    token: str | None = None
    pin: int | None = None
    fields: tuple[tuple[str, str], ...] = ()
    query: str = ""


class Vault(Scheme):
    names = ("vault",)
    secrets = ("Token", "pin", "vault")
    parts_type = VaultParts


def test_repr_masks_what_a_handler_declares_secret():
    fields = (("SIG", "12345"), ("kept", "shown"), ("none", None))
    parts = VaultParts(
        password="p12345", token="t12345", pin=12345, fields=fields, query="a=b&Vault=12345&keyPassword=12345"
    )
    assert "12345" not in repr(parts) and "***" in repr(parts)
    assert "query='a=b&Vault=***&keyPassword=***'" in repr(parts) and "('kept', 'shown'), ('none', None)" in repr(parts)
    assert "token=None" in repr(VaultParts()) and VaultParts(token="t").token == "t"
    assert "Vault=5" in repr(PathParts(path="/?Vault=5"))  # another's
    for wrong, error in (("token", TypeError), (("token",), ValueError)):
        with pytest.raises(error, match="secrets"):
            type("Wrong", (Scheme,), {"names": ("wrong",), "secrets": wrong})


class LockerParts(PathParts):
    shelf: str | None = None
    box: str | None = None
    hall: str | None = None
    key: str | None = None


class Locker(Scheme):
    names = ("locker",)
    joined = ("//{shelf}:{box}@{hall}",)
    in_userinfo = ("key",)
    parts_type = LockerParts


def test_a_handler_says_which_fields_are_pieces_of_one_text():
    """Neither alone holds what is secret."""
    shown = repr(LockerParts(shelf="me", box="S3CR3T", hall="h", key="me:S3CR3T"))
    assert "S3CR3T" not in shown and "shelf='me', box='***', hall='h', key='me:***'" in shown
    assert "box='b'" in repr(LockerParts(shelf="me", box="b")) and "hall='a:b'" in repr(LockerParts(hall="a:b"))

    class Room(PathParts):
        shelf: str | None = None

    heir = type("Heir", (Locker,), {"names": ("heir",), "parts_type": Room})
    assert heir.joined == Locker.joined and "shelf='a'" in repr(Room(shelf="a"))
    for trait in ("joined", "in_userinfo"):
        for wrong, kind, error in (("{key}", LockerParts, TypeError), (("{key}",), PathParts, ValueError)):
            with pytest.raises(error, match=trait):
                type("Wrong", (Scheme,), {"names": ("wrong",), "parts_type": kind, trait: wrong})
    for wrong in ("", "key", "{other}", "{key}{other}"):
        with pytest.raises(ValueError, match="joined"):
            type("Wrong", (Scheme,), {"names": ("wrong",), "parts_type": LockerParts, "joined": (wrong,)})


@pytest.mark.parametrize(
    "text",
    [
        "mongodb://h/?tlsCertificateKeyFilePassword=S3CR3T",
        "mongodb+srv://h.example.org/?authMechanismProperties=AWS_SESSION_TOKEN:S3CR3T",
        "postgresql://h?sslpassword=S3CR3T&oauth_client_secret=S3CR3T",
        "redis://h?password=S3CR3T",
        "jdbc:x:y;trustStorePassword=S3CR3T",
        "imap://h/b/;UID=1;URLAUTH=anonymous:internal:" + "5ec12e7" * 5,
    ],
)
def test_repr_masks_the_secrets_of_built_in_schemes(text):
    shown = repr(urlsm.parts(text))
    assert "S3CR3T" not in shown and "5ec12e7" not in shown and "***" in shown


class Old(Scheme):
    """A handler whose arguments have other names, and whose parts have fewer fields than any scheme's."""

    names = ("old",)
    parts_type = ServerParts
    authority = "required"

    def normalize(self, c):
        return super().normalize(c).replace(fragment=None)

    def write_parts(self, p):
        return super().write_parts(p) + "/"


def test_arguments_are_positional_and_parts_are_made_by_the_names_of_their_fields():
    urlsm.register(Old)
    try:
        assert urlsm.parts("old://u:p@H:1/a?q") == ServerParts("u", "p", "h", 1)
        assert urlsm.normalize("OLD://H/#f") == "old://h/" and urlsm.handler("old").build(host="h") == "old://h/"
    finally:
        urlsm.unregister("old")


class Seat(Scheme):
    """A third party's handler with traits that the engine uses."""

    class Parts(Parts):
        row: str
        ticket: str | None

    names = ("seat",)
    hierarchical = False
    authority = "forbidden"
    in_text = "position"
    password_in_path = True
    rules: ClassVar = {"seat-row-missing": "no row"}
    secrets = ("ticket",)
    parts_type = Parts

    def read_parts(self, components):
        row, _, ticket = (components.path or "").partition(";ticket=")
        return self.parts_type(row, ticket or None)

    def path_violations(self, c):
        if not c.path:
            yield self.violation("seat-row-missing", "path", 5)


class WindowSeat(Seat):
    names = ("window",)
    rules: ClassVar = {"window-shut": "shut"}


def test_a_handler_of_a_third_party_has_rules_a_place_in_text_and_secrets():
    text = "a seat:3,4 and a seat:taken, seat://h"
    assert [match.text for match in urlsm.documents.extract_urls(text)] == []
    urlsm.register(Seat)
    try:
        [violation] = urlsm.validate("seat:", dialect="rfc3986")
        assert (violation.code, violation.message, violation.position) == ("seat-row-missing", "no row", 5)
        assert [match.text for match in urlsm.documents.extract_urls(text)] == ["seat:3,4", "seat://h"]
        assert "TOP" not in repr(urlsm.parse("seat:3;ticket=TOP").parts)
        assert repr(urlsm.parse("seat:me:TOP@3,4")) == "URL('seat:me:***@3,4')"
        assert WindowSeat.rules == {"seat-row-missing": "no row", "window-shut": "shut"}
    finally:
        urlsm.unregister("seat")


def test_in_text_is_one_of_its_words():
    with pytest.raises(ValueError, match=r"Wrong\.in_text must be one of anything, absolute"):
        type("Wrong", (Scheme,), {"in_text": "prose"})
