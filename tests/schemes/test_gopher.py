"""gopher beyond the vectors: every rule with both verdicts, the request, normal forms, build."""

from __future__ import annotations

import pytest
from support.checks import broken, check_normal_form

import urlsm
from urlsm.schemes.network.gopher import GopherParts

GOPHER = urlsm.handler("gopher")


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("", ("1", "", None, None)),
        ("/", ("1", "", None, None)),
        ("/0", ("0", "", None, None)),
        ("/0/a/../b", ("0", "/a/../b", None, None)),
        ("/7s%09a%20b", ("7", "s", "a b", None)),
        ("/7s%09", ("7", "s", "", None)),
        ("/7%09a%09%2B%09b", ("7", "", "a", "+\tb")),
        ("/?a?b", ("?", "a?b", None, None)),
        ("/%3Fa", ("?", "a", None, None)),
        ("/0a?b%09c?d", ("0", "a?b", "c?d", None)),
        ("/%C3%A9", ("\udcc3", "\udca9", None, None)),  # one octet is the type
        ("/0%FF%C3%A9", ("0", "\udcffé", None, None)),
    ],
)
def test_type_selector_search_and_string(path, fields):
    parts = urlsm.parts("gopher://h" + path)
    assert parts == GopherParts("h", None, *fields)
    again = GOPHER.build(**parts)
    assert urlsm.parts(again) == parts and urlsm.equivalent(again, "gopher://h" + path)


@pytest.mark.parametrize(
    ("text", "current", "old"),
    [
        ("gopher://h/0/%00", [("gopher-selector-forbidden-octet", 13)], None),
        (
            "gopher://h/0/a%0d%0Ab%0A",
            [("gopher-selector-forbidden-octet", 14), ("gopher-selector-forbidden-octet", 21)],
            None,
        ),
        ("gopher://h/%0A", [("gopher-selector-forbidden-octet", 11)], None),
        ("gopher://h/7a%09%00", [("nul-encoded", 16)], None),
        ("gopher://h/7a%09b%0D%09+%0D%0A", [("line-break-encoded", 17)], None),
        ("gopher://h/7a%09b%09+%0D%0A%00", [], []),
        ("gopher://h/%09", [("gopher-type-missing", 11)], None),
        ("gopher://h?a", [("path-not-absolute", 10)], [("host-invalid", 10)]),
        ("gopher://u@h/", [("userinfo-not-allowed", 9)], None),
        ("gopher:///0", [("host-missing", 9)], None),
        ("gopher:0/a", [("authority-missing", 7)], [("authority-missing", 7), ("path-not-absolute", 7)]),
        ("gopher://h:/", [], [("port-empty", 11)]),
        ("gopher://[::1]/", [], [("host-invalid", 9)]),
        ("gopher://h/0~", [], [("character-not-allowed", 12)]),
        ("gopher://h/0a?b=[", [("character-not-allowed", 16)], None),
        ("gopher://h/0a%zz%09b%z", [("bad-percent-escape", 13), ("bad-percent-escape", 20)], None),
        ("gopher://h/7a/b%09c;:@&=d", [], []),
        ("gopher://h/7a/b%09c/d?", [], [("character-not-allowed", 19), ("character-not-allowed", 21)]),
        ("gopher://h/7a%09%09c/d?", [], []),
    ],
)
def test_verdicts(text, current, old):
    found = broken(text)
    assert [fault for fault in found if fault[0] != "path-not-absolute" or "authority" not in found[0][0]] == current
    assert broken(text, "rfc1738") == (current if old is None else old)


def test_a_url_that_breaks_rules_is_read_all_the_same():
    assert urlsm.parse("gopher://u:p@H:70/%09a|b").parts == GopherParts("h", 70, "1", "", "a|b", None)
    assert urlsm.parse("gopher://h/0a^\ud800").parts.selector == "a^\ufffd"


# --- the request ---


@pytest.mark.parametrize(
    ("path", "octets"),
    [
        ("", b"\r\n"),
        ("/11/a%20b", b"1/a b\r\n"),
        ("/7s%09a%20%C3%A9", b"s\ta \xc3\xa9\r\n"),
        ("/7s%09", b"s\t\r\n"),
        ("/0s%FF", b"s\xff\r\n"),
        ("/7s%09a%09+", b"s\ta\t+\r\n"),
        ("/0/f%09%09!+ABSTRACT%20+SMELL", b"/f\t!+ABSTRACT +SMELL\r\n"),
        # "the Gopher client sends" that (RFC 4266 section 2.9)
        ("/0f%09%09+%091%0D%0A+-1%0D%0Av%0D%0A.%0D%0A", b"f\t+\t1\r\n+-1\r\nv\r\n.\r\n"),
    ],
)
def test_request(path, octets):
    assert urlsm.parts("gopher://h" + path).request() == octets


@pytest.mark.parametrize("octet", ["\r", "\n", "\0", "\t"])
def test_a_request_holds_no_other_line_or_field(octet):
    for parts in (GopherParts(selector=f"a{octet}b"), GopherParts(search=f"a{octet}b")):
        with pytest.raises(ValueError, match="cannot contain a tab"):
            parts.request()
    url = urlsm.parse("gopher://h/0a%0D%0AMAIL")  # no error until it is asked for
    with pytest.raises(ValueError):
        url.parts.request()


# --- normal forms ---


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("GOPHER://H:70", "gopher://h/"),
        ("gopher://h/1", "gopher://h/"),
        ("gopher://h:7070/11", "gopher://h:7070/11"),
        ("gopher://h/0/a/../b/.", "gopher://h/0/a/../b/."),
        ("gopher://h/0%7Ea%2fb%3f%3d%0d", "gopher://h/0~a/b?=%0D"),
        ("gopher://h/0%2525%23%09", "gopher://h/0%2525%23%09"),
        ("gopher://h?a", "gopher://h/?a"),
        ("gopher:/%2Fh", "gopher:/%2Fh"),
        ("gopher://h%3b/0#%41", "gopher://h%3B/0#A"),
    ],
)
def test_normal_form(text, normal):
    check_normal_form(text, normal)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("gopher://h/0a", "gopher://h/0A"),
        ("gopher://h/0a", "gopher://h/1a"),
        ("gopher://h/0a", "gopher://h/0a%09"),
        ("gopher://h/0a%09", "gopher://h/0a%09%09"),
        ("gopher://h/0/a/../b", "gopher://h/0/b"),
        ("gopher://h/0a#b", "gopher://h/0a#c"),
        ("gopher://h:71/", "gopher://h/"),
    ],
)
def test_what_is_not_equivalent(a, b):
    assert not urlsm.equivalent(a, b)


# --- build ---


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        ({"host": "h"}, "gopher://h/"),
        ({"host": "h", "item_type": "0"}, "gopher://h/0"),
        ({"host": "::1", "port": 70, "selector": "1"}, "gopher://[::1]:70/11"),
        ({"host": "h", "selector": "a b%#é\udcff?/"}, "gopher://h/1a%20b%25%23%C3%A9%FF?/"),
        ({"host": "h", "search": "a\u0020b"}, "gopher://h/1%09a%20b"),
        ({"host": "h", "item_type": "0", "plus_string": "+\t1\r\n"}, "gopher://h/0%09%09+%091%0D%0A"),
        ({"host": "a/b@c:d\r\n"}, "gopher://a%2Fb%40c%3Ad%0D%0A/"),
    ],
)
def test_build(parts, text):
    assert GOPHER.build(**parts) == text
    assert not broken(text)


@pytest.mark.parametrize(
    "parts",
    [
        {"selector": "a"},
        {"host": "", "selector": "a"},
        {"host": "h", "selector": "a\r\n"},
        {"host": "h", "selector": "a\0"},
        {"host": "h", "selector": "a\tb"},
        {"host": "h", "search": "a\n"},
        {"host": "h", "search": "a\tb"},
        {"host": "h", "item_type": "\t"},
        {"host": "h", "item_type": ""},
        {"host": "h", "item_type": "01"},
        {"host": "h", "item_type": "é"},
        {"host": "h", "selector": "\ud800"},
        {"host": "h", "port": 65536},
    ],
)
def test_build_refuses(parts):
    with pytest.raises(ValueError):
        GOPHER.build(**parts)


def test_build_has_no_user():
    with pytest.raises(TypeError, match="username"):
        GOPHER.build(host="h", username="u")


def test_the_normal_form_of_rfc_1738_escapes_what_that_does_not_allow():
    assert urlsm.normalize("gopher://H/7%7e%2f%09%2f%3a%3f", dialect="rfc1738") == "gopher://h/7%7E/%09%2F:%3F"
    assert broken("gopher://h/7%7E/%09%2F:%3F", "rfc1738") == []


def test_a_question_mark_in_the_path_of_rfc_1738_stays_there():
    text = "gopher://h/?7/index%09a%20b"
    assert urlsm.normalize(text, dialect="rfc1738") == text == urlsm.normalize(text)
