"""news, snews and nntp beyond the vectors: every rule with both verdicts, normal forms, build."""

from __future__ import annotations

import sys

import pytest
from support.checks import check_normal_form, noted

import urlsm
from urlsm.schemes.mail.news import NewsParts, NntpParts

NEWS, NNTP = urlsm.handler("news"), urlsm.handler("nntp")


@pytest.mark.parametrize(
    "text",
    [
        *("news:%3F%2A*a", "news:$&'();=:+", "news:%C3%A9.%22", "news://h:/", "news://u@h/*"),
        *(
            "news:a%40b",
            "news:!#$%@b".replace("#$%", "%23$%25"),
            "news:a.b@%5B10.0.0.1%5D",
            "news:a@%5b%5D",
            "news:a@%5Bb@c%5D",
        ),
        *("news:a%2eb@c", "news:%5E%60%7b%7C@x", "news:" + "a" * 246 + "@b", "snews:*#x"),
        *("nntp://h/a", "nntp://h/9%C3%A9%2F/0", "nntp://h/./1234567890123456", "nntp://u@h:119/-+_.a#x"),
    ],
)
def test_what_is_valid(text):
    assert noted(text) == []


@pytest.mark.parametrize(
    ("text", "code", "positions"),
    [
        ("news:a,b!", "news-group-invalid", [6, 8]),
        ("news:a%2C%20b", "news-group-invalid", [6]),
        ("news:%5B%5c%5D%7f%00", "news-group-invalid", [5]),
        ("news:a/b", "character-not-allowed", [6]),
        ("news:/a", "character-not-allowed", [5]),
        ("news:%0D%0A", "line-break-encoded", [5, 8]),
        ("news://h", "path-missing", [8]),
        ("news://h?", "query-not-allowed", [8]),
        ("news:a..b@c", "news-message-id-invalid", [7]),
        ("news:.a@b.", "news-message-id-invalid", [5, 10]),
        ("news:a.@b", "news-message-id-invalid", [7]),
        ("news:a@b@c", "news-message-id-invalid", [8]),
        ("news:a%40b@c", "news-message-id-invalid", [6]),
        ("news:%3Ca@b%3E", "news-message-id-invalid", [5, 11]),
        ("news:a@%5Bb", "news-message-id-invalid", [11]),
        ("news:a@%5B%5C%5D", "news-message-id-invalid", [10]),
        ("news:a@%5B%5Dc", "news-message-id-invalid", [13]),
        ("news:%C3%A9@b", "news-message-id-invalid", [5]),
        ("news:" + "a" * 246 + "@%62c", "news-message-id-invalid", [255]),
        ("nntp://h//1", "nntp-group-missing", [9]),
        ("nntp://h/%2A%3f%20", "nntp-group-invalid", [9]),
        ("nntp://h/a~b$", "nntp-group-invalid", [10, 12]),
        ("nntp://h/a%0D%0AQUIT", "line-break-encoded", [10, 13]),
        ("nntp://h/a/", "nntp-article-number-invalid", [11]),
        ("nntp://h/a/1/2", "nntp-article-number-invalid", [12]),
        ("nntp://h/a/%31", "nntp-article-number-invalid", [11]),
        ("nntp://h/a/\u0661", "nntp-article-number-invalid", [11]),
        ("nntp://h/a?b", "query-not-allowed", [10]),
        ("nntp:a", "authority-missing", [5]),
        ("news://u:p@h/a", "password-deprecated", [8]),
    ],
)
def test_what_is_not(text, code, positions):
    found = noted(text)
    assert [position for name, position in found if name == code] == positions
    assert {name for name, _ in found} <= {code, "path-missing"}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("news:*", []),
        ("news:a1-.+_", []),
        ("news:a*", [("news-group-invalid", 6)]),
        ("news:**", [("news-group-invalid", 5), ("news-group-invalid", 6)]),
        ("news:a%41", [("news-group-invalid", 6)]),
        ("news:;/?:&=%3E@h.example", []),
        ("news:a~b@h", [("character-not-allowed", 6)]),
        ("news:@h", [("news-message-id-invalid", 5)]),
        ("news:a@h:119", [("host-invalid", 8)]),
        ("news:a@h/b?c", [("host-invalid", 8)]),
        ("news:a@b@c", [("host-invalid", 8)]),
        ("news:a@1.2.3", [("host-invalid", 11)]),
        ("news:a@[1.2.3.4]", [("host-invalid", 7)]),
        ("news://h/a@b", [("authority-not-allowed", 5)]),
        ("nntp://h/a/" + "1" * 99, []),
        ("nntp://h/a/1x", [("nntp-article-number-invalid", 12)]),
        ("nntp://h/a/", [("nntp-article-number-invalid", 11)]),
        ("nntp://h/?a", [("nntp-group-missing", 9), ("query-not-allowed", 9)]),
        ("nntp://u:p@h/a", [("userinfo-not-allowed", 7)]),
        ("snews:a?b", []),  # genericurl: none of the ten
    ],
)
def test_rfc_1738(text, wanted):
    assert sorted(noted(text, "rfc1738")) == sorted(wanted)


# --- parts ---


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("news:", NewsParts(newsgroup="*")),
        ("news://u:p@H:119", NewsParts("u", "p", "h", 119, "*")),
        ("news:a/b|%FF", NewsParts(newsgroup="a/b|\udcff")),
        ("news:a%40b", NewsParts(newsgroup="a@b")),
        ("snews://h/a@b@c", NewsParts(host="h", message_id="a@b@c")),
        ("nntp://h", NntpParts(host="h")),
        ("nntp://h/a%2Fb~*/", NntpParts(host="h", newsgroup="a/b~*")),
        ("nntp://h/a/" + "0" * 5000 + "7", NntpParts(host="h", newsgroup="a", article_number=7)),
    ],
)
def test_parts_of_urls(text, parts):
    assert urlsm.parse(text).parts == parts


@pytest.mark.parametrize("number", ["1a", "-1", "+1", " 1", "1/2", "1_0", "%31", "<a@b>", "9" * 4301])
def test_a_number_that_is_none(number):
    assert urlsm.parse(f"nntp://h/a/{number}").parts == NntpParts(host="h", newsgroup="a")
    assert "nntp-article-number-invalid" in {code for code, _ in noted(f"nntp://h/a/{number}")}


def test_a_number_of_any_length_by_rfc_1738():
    assert urlsm.parts("nntp://h/a/" + "9" * 4300, dialect="rfc1738").article_number == 10**4300 - 1
    text = "nntp://h/a/" + "9" * 4301
    assert noted(text, "rfc1738") == [] and urlsm.parts(text, dialect="rfc1738").article_number is None


def test_a_number_that_the_interpreter_is_set_not_to_read():
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(640)
    try:
        assert urlsm.parts("nntp://h/a/" + "9" * 640, dialect="rfc1738").article_number == 10**640 - 1
        assert urlsm.parts("nntp://h/a/" + "9" * 641, dialect="rfc1738").article_number is None
    finally:
        sys.set_int_max_str_digits(limit)


# --- normal forms ---


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("NEWS:", "news:*"),
        ("news://H:119/", "news://h/*"),
        ("news://h", "news://h/*"),
        ("snews://h:563/%2a%3f%40", "snews://h/*%3F%40"),
        ("news:A%3d@B%5b%2f@", "news:A=@B%5B%2F@"),
        ("news:a%2f..", "news:a%2F.."),
        ("news://h/./../a", "news://h/./../a"),
        ("nntp://H:119/A%2b%7e/007", "nntp://h/A+%7E/7"),
        ("nntp://h/../000", "nntp://h/../0"),
        ("nntp://h/a/", "nntp://h/a/"),
        ("nntp://h", "nntp://h"),
    ],
)
def test_normal_form(text, normal):
    check_normal_form(text, normal)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("news:a@b", "news:A@b"),
        ("news:a@b", "news:a@B"),
        ("news:a@b", "news:a%40b"),
        ("news:a", "news://h/a"),
        ("news:a", "snews:a"),
        ("news://h/a", "nntp://h/a"),
        ("news:a#b", "news:a"),
        ("nntp://h/../a", "nntp://h/a"),
        ("nntp://h/a%2F1", "nntp://h/a/1"),
        ("nntp://h/a/1", "nntp://h/a/10"),
    ],
)
def test_what_is_not_equivalent(a, b):
    assert not urlsm.equivalent(a, b)


# --- build ---


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        ({}, "news:*"),
        ({"host": "h"}, "news://h/*"),
        (
            {"host": "::1", "port": 119, "username": "a@b", "newsgroup": "th?se/é@\udcff"},
            "news://a%40b@[::1]:119/th%3Fse%2F%C3%A9%40%FF",
        ),
        ({"message_id": "a/b?#%^@c"}, "news:a%2Fb%3F%23%25%5E@c"),
        ({"message_id": "a@[b@c]"}, "news:a@%5Bb@c%5D"),
    ],
)
def test_build(parts, text):
    assert NEWS.build(**parts) == text


def test_build_of_snews_and_nntp():
    assert urlsm.handler("snews").build(newsgroup="a") == "snews:a"
    assert NNTP.build(host="h", newsgroup="a/~b%", article_number=0) == "nntp://h/a%2F%7Eb%25/0"


@pytest.mark.parametrize(
    "parts",
    [
        {"newsgroup": ""},
        {"newsgroup": "a b"},
        {"newsgroup": "a,b"},
        {"newsgroup": "a\r\nQUIT"},
        {"newsgroup": "a\0"},
        {"newsgroup": "\ud800"},
        {"newsgroup": "a", "message_id": "a@b"},
        {"message_id": "a"},
        {"message_id": "<a@b>"},
        {"message_id": "a@b\r\n"},
        {"message_id": "a b@c"},
        {"message_id": "é@b"},
        {"host": "", "newsgroup": "a"},
        {"host": "h\n", "newsgroup": "a"},
        {"host": "h", "username": "u\r\n"},
    ],
)
def test_build_refuses(parts):
    with pytest.raises(ValueError):
        NEWS.build(**parts)


@pytest.mark.parametrize(
    "parts",
    [
        {"newsgroup": "a"},
        {"host": "h"},
        {"host": "h", "newsgroup": ""},
        {"host": "h", "newsgroup": "a*"},
        {"host": "h", "newsgroup": "a\n"},
        {"host": "h", "newsgroup": "a", "article_number": -1},
        {"host": "h", "newsgroup": "a", "article_number": 10**16},
        {"host": "h", "newsgroup": "a", "article_number": "1\r\nQUIT"},
    ],
)
def test_build_of_nntp_refuses(parts):
    with pytest.raises(ValueError):
        NNTP.build(**parts)


def test_the_normal_form_of_rfc_1738_escapes_what_that_does_not_allow():
    assert urlsm.normalize("news:%2f%2fA%7e%3a@h", dialect="rfc1738") == "news:%2F%2FA%7E:@h"
    assert noted("news:%2F%2FA%7E:@h", "rfc1738") == []
