"""Character classes: every octet, against definitions that share nothing with octets/chars.h."""

from __future__ import annotations

import string

import pytest
from support import standard

from urlsm.machine.driver import octet_classes

CONTROLS = set(range(0x20))
NON_ASCII = set(range(0x80, 0x100))


def octets(text: str) -> set[int]:
    return {ord(c) for c in text}


def encode_set(points: frozenset[str]) -> set[int]:
    return {octet for octet in range(256) if chr(octet) in points}


WANTED = {
    "enc_c0": CONTROLS | {0x7F} | NON_ASCII,
    "enc_fragment": CONTROLS | {0x7F} | NON_ASCII | octets(' "<>`'),
    "enc_query": CONTROLS | {0x7F} | NON_ASCII | octets(' "#<>'),
    "enc_special_query": CONTROLS | {0x7F} | NON_ASCII | octets(" \"#<>'"),
    "enc_path": CONTROLS | {0x7F} | NON_ASCII | octets(' "#<>?^`{}'),
    "enc_userinfo": CONTROLS | {0x7F} | NON_ASCII | octets(' "#<>?^`{}/:;=@[\\]|'),
    "enc_component": CONTROLS | {0x7F} | NON_ASCII | octets(' "#<>?^`{}/:;=@[\\]|$%&+,'),
    # "all code points, except the ASCII alphanumeric, * - . _"
    "enc_form": set(range(256)) - octets(string.ascii_letters + string.digits + "*-._"),
    "forbidden_host": octets("\0\t\n\r #/:<>?@[\\]^|"),
    "forbidden_domain": CONTROLS | octets(" #/:<>?@[\\]^|%\x7f"),
    "url_code_point": octets(string.ascii_letters + string.digits + "!$&'()*+,-./:;=?@_~"),
    "alpha": octets(string.ascii_letters),
    "upper": octets(string.ascii_uppercase),
    "digit": octets(string.digits),
    "hex": octets(string.hexdigits),
    "scheme_char": octets(string.ascii_letters + string.digits + "+-."),
    "tab_newline": octets("\t\n\r"),
    "c0_or_space": CONTROLS | {0x20},
    "non_ascii": NON_ASCII,
    "slash": octets("/"),
    "backslash": octets("\\"),
    "question": octets("?"),
    "hash": octets("#"),
    "colon": octets(":"),
    "at": octets("@"),
    "bracket": octets("[]"),
    "percent": octets("%"),
    "semicolon": octets(";"),
    # the engine's own: the marks of the index
    "delimiter": octets("/:@[];%"),
    "mark": set(range(256)) - octets(string.ascii_letters + string.digits + "!$&()*+,-.=_~" + "/:@[];%"),
}


@pytest.mark.parametrize("name", WANTED)
def test_class_holds_exactly_these_octets(name):
    assert octet_classes()[name] == WANTED[name]


def test_no_class_is_missing_here():
    assert set(octet_classes()) == set(WANTED)


@pytest.mark.parametrize("name", ["c0", "fragment", "query", "special_query", "path", "userinfo", "component", "form"])
def test_percent_encode_sets_are_those_of_the_transcribed_standard(name):
    points = getattr(standard, f"{name.upper()}_SET")
    assert octet_classes()[f"enc_{name}"] == encode_set(points)


def test_percent_encode_sets_grow_as_the_standard_builds_them():
    found = octet_classes()
    assert found["enc_c0"] < found["enc_fragment"] and found["enc_c0"] < found["enc_query"] < found["enc_special_query"]
    assert found["enc_query"] < found["enc_path"] < found["enc_userinfo"] < found["enc_component"] < found["enc_form"]
    assert found["forbidden_host"] < found["forbidden_domain"]


def test_whatever_some_component_encodes_or_refuses_is_a_mark_or_a_delimiter():
    """Otherwise the machine would skip it."""
    found = octet_classes()
    looked_at = found["mark"] | found["delimiter"]
    for name in ("enc_fragment", "enc_special_query", "enc_path", "forbidden_domain", "tab_newline", "non_ascii"):
        assert found[name] <= looked_at, name
    for name in ("enc_fragment", "enc_special_query", "enc_path"):  # the path and what follows look at marks only
        assert found[name] <= found["mark"], name
    assert not found["mark"] & found["delimiter"]
