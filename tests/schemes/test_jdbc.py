"""jdbc beyond the vectors: the subname is its driver's, as written."""

from __future__ import annotations

import pytest
from support.checks import broken, check_equivalence

import urlsm
from urlsm.errors import SchemeError


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("jdbc:oracle:thin:@//h:1521/s?a#b#c", []),
        ("jdbc:mysql://[::1]:3306/d", []),
        ("jdbc:log4jdbc-2_x.y+z:%41", []),
        ("jdbc:a::", []),
        ("jdbc:", [("jdbc-subprotocol-missing", 5), ("jdbc-subname-missing", 5)]),
        ("jdbc::", [("jdbc-subprotocol-missing", 5), ("jdbc-subname-missing", 6)]),
        ("jdbc:a#b", [("character-not-allowed", 6), ("jdbc-subname-missing", 8)]),
        ("jdbc://h:1/x", [("character-not-allowed", 5)]),
        ("jdbc:a b:c d\r\n\0\u00e9", [("character-not-allowed", 6), ("character-not-allowed", 10),
                                      ("character-not-allowed", 12)]),
        ("jdbc:a:100%", [("bad-percent-escape", 10)]),
    ],
)  # fmt: skip
def test_violations(text: str, wanted: list[tuple[str, int]]) -> None:
    assert broken(text) == wanted


@pytest.mark.parametrize(
    ("text", "subprotocol", "subname"),
    [
        ("jdbc:H2:Mem:a b?c{#d", "h2", "Mem:a b?c{#d"),
        ("jdbc:sqlserver://h;databaseName=My DB", "sqlserver", "//h;databaseName=My DB"),
        ("jdbc:derby", "derby", ""),
        ("jdbc:a:%41%2f", "a", "%41%2f"),
    ],
)
def test_parts_of_a_url_are_lenient(text: str, subprotocol: str, subname: str) -> None:
    assert dict(urlsm.parse(text).parts) == {"subprotocol": subprotocol, "subname": subname}


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("JDBC:H2:x", "jdbc:h2:x", True),
        ("jdbc:h2:x", "jdbc:h2:X", False),
        ("jdbc:h2:%41", "jdbc:h2:A", False),
        ("jdbc:h2:%c3", "jdbc:h2:%C3", False),
        ("jdbc:h2:./a/../b", "jdbc:h2:./b", False),
        ("jdbc:h2:a#b", "jdbc:h2:a", False),
        ("jdbc:h2:a?b", "jdbc:h2:a", False),
    ],
)
def test_equivalence(a: str, b: str, same: bool) -> None:
    check_equivalence(a, b, same)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [("JDBC:MySQL://H:3306/%7e/../x#Y", "jdbc:mysql://H:3306/%7e/../x#Y"), ("JDBC:Derby", "jdbc:derby")],
)
def test_normal_forms_keep_the_subname(text: str, wanted: str) -> None:
    assert urlsm.normalize(text) == wanted == urlsm.normalize(wanted)


def test_build() -> None:
    handler = urlsm.handler("jdbc")
    wanted = "jdbc:postgresql://h/d?a=%20b#c"
    assert handler.build(subprotocol="postgresql", subname="//h/d?a=%20b#c") == wanted
    assert handler.build(**urlsm.parts(wanted)) == wanted


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({}, SchemeError),
        ({"subprotocol": "a"}, SchemeError),
        ({"subname": "a"}, SchemeError),
        ({"subprotocol": "a", "subname": "b\r\nc"}, SchemeError),
        ({"subprotocol": "a", "subname": "\0"}, SchemeError),
        ({"subprotocol": "a", "subname": "\ud800"}, SchemeError),
        ({"subprotocol": "a", "subname": "a b"}, SchemeError),  # no escape would be the same to every driver
        ({"subprotocol": "a/b", "subname": "c"}, SchemeError),
        ({"subprotocol": "a:b", "subname": "c"}, ValueError),
        ({"subprotocol": "a", "subname": "b", "fragment": "c"}, ValueError),
    ],
)
def test_build_refuses(given: dict[str, object], error: type[Exception]) -> None:
    with pytest.raises(error):
        urlsm.handler("jdbc").build(**given)
