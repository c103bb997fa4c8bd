"""redis and rediss: the registrations at IANA, beyond the vectors."""

from __future__ import annotations

import pytest
from support.checks import check_normal_form, noted

import urlsm
from urlsm.schemes.databases.redis import RedisParts

HANDLER = urlsm.handler("redis")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        *((f"redis://h{path}", []) for path in ("", "/", "/0", "/10", "/" + "9" * 5000)),
        ("redis://h/00", [("redis-database-invalid", 10)]),
        ("redis://h/1a", [("redis-database-invalid", 11)]),
        ("redis://h/0a", [("redis-database-invalid", 11)]),
        ("redis://h/0/", [("redis-database-invalid", 11)]),
        ("redis://h/-1", [("redis-database-invalid", 10)]),
        ("redis://h/%31", [("redis-database-invalid", 10)]),
        ("redis://h/\u0661", [("character-not-allowed", 10), ("redis-database-invalid", 10)]),
        ("redis:0", [("authority-missing", 6)]),
        ("redis://a:b:c@h", []),  # RFC 3986: a ":" in the password
        ("redis://a::@h", []),
        ("redis://a:[@h", [("character-not-allowed", 10)]),
        ("redis://h?a&&=b", []),  # the query is the client's
        ("redis://h?[", [("character-not-allowed", 10)]),
        ("redis://h#", [("fragment-ignored", 9)]),
    ],
)
def test_violations(text, wanted):
    assert noted(text) == wanted


def test_parts_of_queries():
    assert urlsm.parts("redis://?").query_params == ()
    assert urlsm.parts("redis://?a&b=&=c&d=e=f&&%26=%3d+").query_params == (
        *(("a", None), ("b", ""), ("", "c"), ("d", "e=f"), ("", None), ("&", "=+")),
    )


def test_parts_of_a_url_are_lenient():
    assert urlsm.parse("redis://u%3ar:p%20w@H:6379/%31?[]#x").parts == RedisParts(
        "u:r", "p w", "h", 6379, 1, (("[]", None),)
    )
    assert urlsm.parse("redis:7").parts.database_index == 7
    assert urlsm.parse("redis://h/007").parts.database_index == 7
    assert urlsm.parse("redis://h/" + "9" * 600).parts.database_index == 10**600 - 1
    for path in ("name", "1/2", "1" * 4301, "%C2%B2", "-1"):
        assert urlsm.parse(f"redis://u@h/{path}?a=b").parts == RedisParts("u", None, "h", None, None, (("a", "b"),))


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("REDIS://U@H:6379", "redis://U@h/"),
        ("redis://h:06379/?", "redis://h/"),
        ("rediss://h:6379/0?b%2f=%41", "rediss://h/0?b%2F=A"),
        ("redis://h:6380/1#f", "redis://h:6380/1#f"),
    ],
)
def test_normal_forms(text, normal):
    check_normal_form(text, normal)


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("redis://h", "redis://h/#x", True),
        ("redis://h?a=%21", "redis://h?a=!", True),
        ("redis://h/name", "redis://H/name", True),  # unreadable, yet the same text
        ("redis://h", "redis://h/0", False),  # by most clients only
        ("redis://h", "redis://@h", False),
        ("redis://h?a", "redis://h?a=", False),
        ("redis://h?a&b", "redis://h?b&a", False),
        ("redis://h", "rediss://h", False),
        ("redis://h/name", "redis://h/", False),
        ("redis://h/name", "redis://h/Name", False),
        ("redis://h/name", "redis://h/n%61me", True),
        ("redis://h/" + "1" * 5000, "redis://h/" + "1" * 5001, False),
    ],
)
def test_equivalence(a, b, same):
    assert urlsm.equivalent(a, b) is same and urlsm.equivalent(b, a) is same


def test_build():
    assert HANDLER.build() == "redis://"
    assert HANDLER.build(password="p@:/?", host="::1", database_index=3) == "redis://:p%40:%2F%3F@[::1]/3"
    assert HANDLER.build(host="h", query_params=[("a b", "c+&=d"), ("e", None)]) == "redis://h?a%20b=c%2B%26%3Dd&e"
    assert HANDLER.build(username="é\r\n\0\udcff", host="h") == "redis://%C3%A9%0D%0A%00%FF@h"
    assert urlsm.handler("rediss").build(host="h", port=1) == "rediss://h:1"


@pytest.mark.parametrize(
    "parts",
    [
        {"database_index": -1},
        {"database_index": "1?a"},
        {"database_index": "01"},
        {"host": "", "port": "1\r\n"},
        {"username": "\ud800"},
        {"query_params": [("", None)]},
        {"fragment": "a b"},
    ],
)
def test_build_refuses(parts):
    with pytest.raises(ValueError):
        HANDLER.build(**parts)
