"""telnet beyond the vectors: every rule with both verdicts, normal forms, build."""

from __future__ import annotations

import pytest
from support.checks import check_normal_form, noted

import urlsm
from urlsm.schemes import ServerParts

TELNET = urlsm.handler("telnet")


@pytest.mark.parametrize(
    ("text", "current", "old"),
    [
        ("telnet://h", [], []),
        ("telnet://h/", [], []),
        ("telnet://u@h/", [], []),
        ("telnet://u:@h/", [], []),
        ("telnet://u:p@h/", [("password-deprecated", 10)], []),
        ("telnet://u;&=@h/", [], []),
        ("telnet://u:p:q@h/", [("password-deprecated", 10)], [("character-not-allowed", 12)]),
        ("telnet://u+~@h/", [], [("character-not-allowed", 11)]),
        ("telnet://h/a", [("path-not-allowed", 11)], None),
        ("telnet://h//", [("path-not-allowed", 11)], None),
        ("telnet://h?", [("query-not-allowed", 10)], [("host-invalid", 10)]),
        ("telnet://u?:p?@h/", [("query-not-allowed", 10)], []),
        ("telnet://h/?[", [("query-not-allowed", 11), ("character-not-allowed", 12)], None),
        (
            "telnet://h/?a#b",
            [("query-not-allowed", 11), ("fragment-ignored", 13)],
            [("query-not-allowed", 11), ("fragment-not-allowed", 13)],
        ),
        ("telnet://h#", [("fragment-ignored", 10)], [("fragment-not-allowed", 10)]),
        ("telnet:///", [("host-missing", 9)], None),
        ("telnet:/h", [("authority-missing", 7), ("path-not-allowed", 8)], None),
        (
            "telnet://u%0a:p%0d@h/",
            [("line-break-encoded", 10), ("password-deprecated", 13), ("line-break-encoded", 15)],
            [("line-break-encoded", 10), ("line-break-encoded", 15)],
        ),
        ("telnet://u%00@h/", [], []),
        ("telnet://h:/", [], [("port-empty", 11)]),
        ("telnet://1.2.3.4:0/", [], []),
        ("telnet://h_/", [], [("host-invalid", 10)]),
    ],
)
def test_verdicts(text, current, old):
    assert noted(text) == current
    assert noted(text, "rfc1738") == (current if old is None else old)


def test_no_line_break_in_a_host():
    assert noted("telnet://h%0D%0A/") == [("line-break-encoded", 10), ("line-break-encoded", 13)]
    assert [code for code, _ in noted("telnet://h%0D%0A/", "rfc1738")] == ["host-invalid"]


def test_parts():
    assert urlsm.parts("telnet://u%3Av:p%40@H:23/") == ServerParts("u:v", "p@", "h", 23)
    assert urlsm.parts("telnet://@h:") == ServerParts("", None, "h", None)
    # parse lets an empty user and port vanish, and escapes ";" and "="
    assert urlsm.parse("telnet://@h:").parts == ServerParts(None, None, "h", None)
    assert urlsm.parse("telnet://a;b=c@h/x?y").parts == ServerParts("a;b=c", None, "h", None)


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("TELNET://H:23", "telnet://h/"),
        ("telnet://u%3b%3a:%3a%40@h/#a", "telnet://u%3B%3A:%3A%40@h/#a"),
        ("telnet://h/a/../b", "telnet://h/a/../b"),
    ],
)
def test_normal_form(text, normal):
    check_normal_form(text, normal)


def test_what_is_equivalent():
    assert urlsm.equivalent("telnet://h#a", "telnet://h:23/#b")  # ignored
    for other in ("telnet://@h", "telnet://U@h", "telnet://u:@h", "telnet://u@h:24", "telnet://u@h//"):
        assert not urlsm.equivalent("telnet://u@h", other)


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        ({"host": "h"}, "telnet://h/"),
        (
            {"host": "h", "username": "a:b@c/", "password": "d:e@%é\udcff"},
            "telnet://a%3Ab%40c%2F:d:e%40%25%C3%A9%FF@h/",
        ),
        ({"host": "::1", "port": 23, "password": ""}, "telnet://:@[::1]:23/"),
        ({"host": "a b/é"}, "telnet://a%20b%2F%C3%A9/"),
    ],
)
def test_build(parts, text):
    assert TELNET.build(**parts) == text


@pytest.mark.parametrize(
    "parts",
    [
        {},
        {"host": ""},
        {"username": "u"},
        {"host": "h\r\n"},
        {"host": "h\n"},
        {"host": "h", "username": "u\r"},
        {"host": "h", "password": "p\r\nrm -rf /"},
        {"host": "h", "username": "\ud800"},
        {"host": "h", "port": "23\r\n"},
    ],
)
def test_build_refuses(parts):
    with pytest.raises(ValueError):
        TELNET.build(**parts)
