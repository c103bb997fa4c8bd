"""data: RFC 2397, beyond the vectors."""

from __future__ import annotations

import json
import time

import pytest
from support import suites
from support.checks import check_normal_form, noted

import urlsm
from urlsm.schemes.web.data import DataParts

HANDLER = urlsm.handler("data")


# --- violations ---


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        *((f"data:{head},x", []) for head in ("", "a/b", "a%23/b%7E", ";a=b", "a/b;c=%22d%20%3B%22")),
        *((f"data:{head},", []) for head in (";base64", ";BASE64", "a/b;base64=x;base64", "a/b;c=%41;base64")),
        ("data:,%00%0D%0A?/@:;=[", [("character-not-allowed", 21)]),  # the data may be any octets
        ("data:?,x", [("data-media-type-invalid", 5)]),
        ("data:x", [("data-comma-missing", 6)]),
        ("data:x#,y", [("data-comma-missing", 6)]),
        ("data:x;base64", [("data-comma-missing", 13)]),
        ("data:base64,x", [("data-media-type-invalid", 5)]),
        ("data:/b,x", [("data-media-type-invalid", 5)]),
        ("data:/,x", [("data-media-type-invalid", 5), ("data-media-type-invalid", 6)]),
        ("data:a/b/c,x", [("data-media-type-invalid", 8)]),
        ("data:a(/b%20,x", [("data-media-type-invalid", 6), ("data-media-type-invalid", 9)]),
        ("data:a/b%0D%0Ac,x", [("data-media-type-invalid", 8)]),
        ("data:a/b;,x", [("parameter-name-missing", 9)]),
        ("data:;;a=b,x", [("parameter-name-missing", 6)]),
        ("data:;=b,x", [("parameter-name-missing", 6)]),
        ("data:;a,x", [("parameter-value-missing", 7)]),
        ("data:;a=,x", [("parameter-value-missing", 8)]),
        ("data:;a=b=c,x", [("character-not-allowed", 9)]),
        ("data:;a=b/c(,x", [("character-not-allowed", 9), ("character-not-allowed", 11)]),
        ("data:;a%20@=b,x", [("character-not-allowed", 7), ("character-not-allowed", 10)]),
        ("data:;a=%0d%0A%00,x", [("line-break-encoded", 8), ("line-break-encoded", 11), ("nul-encoded", 14)]),
        ('data:;a="b",x', [("character-not-allowed", 8), ("character-not-allowed", 10)]),
        ("data:%zz,%zz", [("bad-percent-escape", 5), ("data-media-type-invalid", 5), ("bad-percent-escape", 9)]),
        ("data:///a,b", [("authority-not-allowed", 5), *(("data-media-type-invalid", p) for p in (5, 6))]),
        ("data:,x#[", [("character-not-allowed", 8)]),
    ],
)
def test_violations(text, wanted):
    assert noted(text) == wanted


@pytest.mark.parametrize(
    ("written", "data", "position"),
    [
        ("", b"", None),
        ("QQ", b"A", None),  # without padding
        ("QQ==", b"A", None),
        ("QUI", b"AB", None),
        ("QUI=", b"AB", None),
        ("QUJD", b"ABC", None),
        ("%51%55%4a%44", b"ABC", None),
        ("%2B%2f+/", b"\xfb\xff\xbf", None),
        ("QQ%3D%3d", b"A", None),
        ("/w", b"\xff", None),
        ("Q", None, 1),
        ("QUJDR", None, 5),
        ("Q===", None, 1),
        ("QQ=", None, 3),
        ("QQ===", None, 4),
        ("QUI%3D%3D", None, 6),
        ("QUJD=", None, 4),
        ("=", None, 0),
        ("QQ==QQ==", None, 4),
        ("Q-_Q", None, 1),
        ("QU%2DI", None, 2),
        ("QUI,", None, 3),
        ("QUI?", None, 3),
    ],
)
def test_base64(written, data, position):
    text = f"data:;base64,{written}"
    found = [violation.position - 13 for violation in urlsm.validate(text, dialect="rfc3986")]
    if position is None:
        assert found == [] and urlsm.parts(text).data == data
    else:
        assert found == [position]
        with pytest.raises(urlsm.SchemeError) as caught:
            _ = urlsm.parse(text).parts
        assert (caught.value.code, caught.value.position) == ("data-base64-invalid", 13 + position)


# --- parts ---


def test_defaults():
    assert urlsm.parts("data:,") == DataParts("text/plain", (("charset", "US-ASCII"),), False, b"")
    assert urlsm.parts("data:text/plain,") == DataParts("text/plain", (), False, b"")
    assert urlsm.parts("data:;CHARSET=UTF-8,%FF") == DataParts("text/plain", (("charset", "UTF-8"),), False, b"\xff")


def test_parts_of_a_url_are_lenient():
    parts = urlsm.parse("data: text/html ; charset=utf-8;x,<p> é?\u2028#f").parts
    assert (parts.media_type, parts.params) == ("text/html", (("charset", "utf-8"), ("x", None)))
    assert parts.data == "<p> é?\u2028".encode()
    assert urlsm.parse("data:;base64, QU JD%0D%0A").parts.data == b"ABC"
    assert noted("data:;base64,QU%20JD") == [("data-base64-invalid", 15)]
    with pytest.raises(urlsm.SchemeError) as caught:
        _ = urlsm.parse("data:text/html").parts
    assert caught.value.code == "data-comma-missing"


# --- normal forms, equivalence ---


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("DATA:Text/HTML;Charset=UTF-8;BASE64,QUJD", "data:text/html;charset=UTF-8;base64,QUJD"),
        ("data:,A%2fb%61/../B", "data:,A%2Fba/../B"),
        ("data:;A%2F=b,x?%61,Y", "data:;A%2F=b,x?a,Y"),
        ("data:A/B?,x", "data:a/b?,x"),
        ("data:X", "data:X"),
        ("data:tplain;ba%73e64,SGVsbG8=", "data:tplain;%62ase64,SGVsbG8="),  # a parameter of that name
        ("data:;BA%73E6%34?,%61", "data:;base64?,a"),
        ("data:?;b%61se64,QUI", "data:?;%62ase64,QUI"),
    ],
)
def test_normal_forms(text, normal):
    check_normal_form(text, normal)


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("data:,Hello", "data:;base64,SGVsbG8=", True),
        ("data:,a%21", "data:,a!", True),
        ("data:A/b;C=d,", "data:a/B;c=d,", True),
        ("data:,", "data:;charset=US-ASCII,", True),
        ("data:,a", "data:,a#f", True),
        ("data:x", "data:x", True),
        ("data:,a", "data:,A", False),
        ("data:,a", "data:text/html,a", False),
        ("data:;a=b,", "data:;a=B,", False),
        ("data:;base64,QUJD", "data:;base64,QUJE", False),
        ("data:;base64,?", "data:,?", False),
    ],
)
def test_equivalence(a, b, same):
    assert urlsm.equivalent(a, b) is same and urlsm.equivalent(b, a) is same


# --- build ---


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        ({}, "data:,"),
        ({"data": b"a b,?#%"}, "data:,a%20b,?%23%25"),
        ({"data": b"\0\xff"}, "data:,%00%FF"),
        ({"data": bytes(6)}, "data:;base64,AAAAAAAA"),  # the shorter of the two
        ({"data": bytes(6), "is_base64": False}, "data:,%00%00%00%00%00%00"),
        ({"data": b"A", "is_base64": True}, "data:;base64,QQ=="),
        ({"data": bytearray(b"A"), "media_type": "Text/HTML"}, "data:Text/HTML,A"),
        ({"data": memoryview(b"A"), "params": [["charset", "utf-8"]]}, "data:;charset=utf-8,A"),
        ({"media_type": "text/plain", "params": (("charset", "US-ASCII"),)}, "data:,"),
        ({"media_type": "text/plain", "params": ()}, "data:text/plain,"),
        ({"media_type": "a/b#", "params": [("n", '"a;b," é=/')]}, "data:a/b%23;n=%22a%3Bb%2C%22%20%C3%A9%3D%2F,"),
    ],
)
def test_build(parts, text):
    assert HANDLER.build(**parts) == text
    found = urlsm.parts(text)
    assert all(found[name] == value for name, value in parts.items() if name in ("data", "is_base64"))


@pytest.mark.parametrize(
    "parts",
    [
        {"media_type": "text"},
        {"media_type": ""},
        {"media_type": "text/html;charset=utf-8"},
        {"media_type": "text/html,<p>"},
        {"media_type": "a/b\r\nc"},
        {"params": [("a", "b\r\nC: d")]},
        {"params": [("a", "b\0")]},
        {"params": [("a;b", "c")]},
        {"params": [("a", None)]},
        {"params": [("base64", None)]},
        {"params": ()},  # text/plain without parameters has to be said
        {"params": [("a", "\ud800")]},
    ],
)
def test_build_refuses(parts):
    with pytest.raises(ValueError):
        HANDLER.build(data=b"x", **parts)


@pytest.mark.parametrize("data", ["text", 5, [65]])
def test_data_is_bytes(data):
    with pytest.raises(TypeError):
        HANDLER.build(data=data)


@pytest.mark.slow(1)
def test_megabytes_are_fast():
    data = bytes(range(256)) * (1 << 12)
    began = time.perf_counter()
    for is_base64 in (True, False):
        text = HANDLER.build(media_type="a/b", data=data, is_base64=is_base64)
        assert urlsm.parts(text).data == data == urlsm.parse(text).parts.data
    assert time.perf_counter() - began < 5  # takes about 0.3


@pytest.mark.parametrize("data", [b"", b"a note", bytearray(b"\xff"), memoryview(b"\0\r\n,#%" * 9)])
def test_build_of_data_by_position(data):
    text = HANDLER.build(data, media_type="a/b")
    assert text == HANDLER.build(data=data, media_type="a/b")
    assert urlsm.parts(text).data == bytes(data)


def test_build_takes_data_once_and_as_bytes():
    with pytest.raises(TypeError, match="both by position and by name"):
        HANDLER.build(b"a", data=b"a")
    with pytest.raises(TypeError):
        HANDLER.build("a")


DEFAULT = "text/plain;charset=US-ASCII"


@pytest.mark.parametrize(
    ("rest", "media_type", "body"),
    [
        (",", DEFAULT, b""),
        ("Text/HTML ;Charset=utf-8 ; a=b,%C3%A9#f", "text/html;charset=utf-8;a=b", b"\xc3\xa9"),
        ("text/plain%3Bcharset=x,a", DEFAULT, b"a"),  # an escape stays, and no token has "="
        ("a/b;c=%41;C=d,?e", "a/b;c=%41", b"?e"),  # the first of a name counts
        ('a/b;c="d\\"e;f"g;h="i\\,', 'a/b;c="d\\"e;f";h="i\\\\"', b""),
        ('a/b;c="";d=;e;=f;g h=i;j=k l,', 'a/b;c="";j="k l"', b""),
        ("a/b/c,", DEFAULT, b""),
        ("/b,", DEFAULT, b""),
        ("a/,", DEFAULT, b""),
        (" a/b ; base64 ,YQ", "a/b", b"a"),
        (";base64 , %59 %51 ", DEFAULT, b"a"),
        (";charset=x;BASE64,YQ%3D%3D", "text/plain;charset=x", b"a"),
        ("base64,YQ", DEFAULT, b"YQ"),
        ("a/b;base64;c=d,YQ", "a/b;c=d", b"YQ"),
        ("//h/a/b;base64,YQ", DEFAULT, b"a"),
    ],
)
def test_what_a_browser_sees(rest, media_type, body):
    found = HANDLER.fetched(f"data:{rest}")
    assert (found.media_type, found.body) == (media_type, body)
    assert HANDLER.fetched(urlsm.parse(f"data:{rest}")) == HANDLER.fetched(f"data:{rest}".encode()) == found


@pytest.mark.parametrize(
    ("text", "error"),
    [
        *(("data:a", urlsm.SchemeError), ("data:a#,", urlsm.SchemeError), ("data:;base64,a", urlsm.SchemeError)),
        *(("data:;base64,ab=", urlsm.SchemeError), ("data:;base64,a_b-", urlsm.SchemeError)),
        *(("data://a:b/,", urlsm.ParseError), ("x:a,b", ValueError), ("a,b", urlsm.ParseError)),
    ],
)
def test_what_a_browser_refuses(text, error):
    with pytest.raises(error):
        HANDLER.fetched(text)


# rows of an older text: today ";" and "base64" may have spaces between them (Fetch), and a quoted string may be empty
# and left open (MIME Sniffing Standard); Node sees both so
NEWER = {
    "data:; base64,WA": ["", [88]],
    'data:text/plain;a=",",X': ['text/plain;a=""', [34, 44, 88]],
}


def test_what_a_browser_sees_by_web_platform_tests(request):
    file = suites.wpt_or_skip("data-urls.json", request.config.getoption("--wpt"))
    for text, *wanted in json.loads(file.read_text(encoding="utf-8")):
        media_type, octets = NEWER.get(text, [*wanted, None][:2])
        if media_type is None:
            with pytest.raises(urlsm.ParseError):
                HANDLER.fetched(text)
        else:
            found = HANDLER.fetched(text)
            assert (text, found.media_type, found.body) == (text, media_type or DEFAULT, bytes(octets))


@pytest.mark.parametrize("text", ["data://u:p@H,Data", "data://h:/a,", "data://h ,B=base64,", "data://[::0]/,%c3"])
def test_what_has_an_authority_stays_as_it_is(text):
    """It breaks a rule, but by RFC 2397 it holds data, whose case matters."""
    for dialect in ("rfc3986", "rfc2396", "rfc1738"):
        assert urlsm.normalize(text, dialect=dialect) == text
        assert urlsm.equivalent(text, urlsm.normalize(text, dialect=dialect), dialect=dialect)
    assert not urlsm.equivalent(f"{text},Data", f"{text},data")


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("%22utf-8%22", "utf-8"),  # reports-4, jobs.json 74
        ('"utf-8"', "utf-8"),
        ("%22a%5C%22b%5C%5Cc%3Bd%22", 'a"b\\c;d'),
        ("%22%22", ""),
        ("%22", '"'),
        ("a%22", 'a"'),
        ("%22a%22b%22", '"a"b"'),
        ("%22a%5C%22", '"a\\"'),
        ("%22" + "a%5C" * 10000 + "%22", '"' + "a\\" * 10000 + '"'),
        ("%22%5C%22a%5C%22%22", '"a"'),
    ],
)
def test_a_quoted_string_is_unquoted(written, value):
    text = f"data:text/plain;charset={written},x"
    parts = urlsm.parse(text).parts
    assert dict(parts.params)["charset"] == value
    built = urlsm.handler("data").build(**parts)
    assert urlsm.parts(built) == parts and urlsm.equivalent(built, text)
