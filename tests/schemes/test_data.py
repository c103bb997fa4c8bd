"""data: RFC 2397, beyond the vectors."""

from __future__ import annotations

import time

import pytest

import urlsm
from urlsm.schemes.data import DataParts

HANDLER = urlsm.handler("data")


def codes(text: str) -> list[tuple[str, int]]:
    return [(violation.code, violation.position) for violation in urlsm.validate(text, "rfc3986")]


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
    assert codes(text) == wanted


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
    found = [violation.position - 13 for violation in urlsm.validate(text, "rfc3986")]
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
    assert codes("data:;base64,QU%20JD") == [("data-base64-invalid", 15)]
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
        ("data:A/B?,x", "data:A/B?,x"),
        ("data:X", "data:X"),
    ],
)
def test_normal_forms(text, normal):
    assert urlsm.normalize(text) == normal == urlsm.normalize(normal)
    assert urlsm.equivalent(text, normal)


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
        {"params": [("a", "")]},
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
    with pytest.raises(TypeError, match="twice"):
        HANDLER.build(b"a", data=b"a")
    with pytest.raises(TypeError):
        HANDLER.build("a")
