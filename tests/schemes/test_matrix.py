"""matrix: the examples of the Matrix specification and of MSC2312, and what they refuse."""

from __future__ import annotations

import pytest
from support.checks import check_build, check_normal_form, noted

import urlsm


@pytest.mark.parametrize(
    ("text", "found", "web"),
    [
        ("r/somewhere:example.org", {"kind": "r"}, "%23somewhere%3Aexample.org"),
        (
            "roomid/somewhere:example.org?via=elsewhere.ca",
            {"kind": "roomid", "via": ("elsewhere.ca",)},
            "%21somewhere%3Aexample.org?via=elsewhere.ca",
        ),
        (
            "r/somewhere:example.org/e/event",
            {"kind": "r", "event": "event"},
            "%23somewhere%3Aexample.org/%24event",
        ),
        (
            "roomid/somewhere:example.org/e/event?via=elsewhere.ca",
            {"kind": "roomid", "event": "event", "via": ("elsewhere.ca",)},
            "%21somewhere%3Aexample.org/%24event?via=elsewhere.ca",
        ),
        ("u/somewhere:example.org?action=chat", {"kind": "u", "action": "chat"}, "%40somewhere%3Aexample.org"),
    ],
)
def test_the_examples_of_the_specification(text, found, web):
    text = f"matrix:{text}"
    found = {"id": "somewhere:example.org", **found}
    assert noted(text) == []
    parts = urlsm.parts(text)
    assert {name: value for name, value in dict(parts).items() if value not in (None, ())} == found
    check_build("matrix", found, text)
    assert urlsm.handler("matrix").web_url(parts) == f"https://matrix.to/#/{web}"


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("MATRIX:USER/Al%69ce%3Aex.org", "matrix:u/Alice:ex.org"),
        ("matrix:room/a:b/event/%24c%2Fd", "matrix:r/a:b/e/$c%2Fd"),
        ("matrix:r/a:b?via=x&&ACTION=chat&org.ex=%26&action=Join", "matrix:r/a:b?action=join&via=x&org.ex=%26"),
        ("matrix:u/a?", "matrix:u/a"),
        ("matrix://H.Ex:08448/u/a", "matrix://h.ex:8448/u/a"),
        ("matrix:u/a/../b", "matrix:u/a/../b"),  # not a Matrix URI
        ("matrix:%75/a#f", "matrix:u/a#f"),
    ],
)
def test_normal_forms(text, normal):
    check_normal_form(text, normal)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("matrix:", [("matrix-path-invalid", 7)]),
        ("matrix:u", [("matrix-path-invalid", 7)]),
        ("matrix:/u/a", [("matrix-path-invalid", 10)]),
        ("matrix:r/a/e", [("matrix-path-invalid", 11)]),
        ("matrix:r/a/e/b/c", [("matrix-path-invalid", 15)]),
        ("matrix:u/", [("matrix-id-missing", 9)]),
        ("matrix:r/a/e/", [("matrix-id-missing", 13)]),
        ("matrix:e/a", [("matrix-kind-unknown", 7)]),
        ("matrix:group/a", [("matrix-kind-unknown", 7)]),
        ("matrix:u/a/e/b", [("matrix-kind-unknown", 7)]),
        ("matrix:r/a/u/b", [("matrix-kind-unknown", 11)]),
        ("matrix:room/a/event/b", [("matrix-kind-deprecated", 7), ("matrix-kind-deprecated", 14)]),
        ("matrix:u/a?action=join", [("matrix-action", 11)]),
        ("matrix:r/a?action=join&action=leave", [("matrix-action", 23)]),
        ("matrix:r/a?via=", [("matrix-via-invalid", 15)]),
        ("matrix:r/a?via=u@h", [("matrix-via-invalid", 15)]),
        ("matrix:r/a?via=h:x&via=%5B::1%5D:1&via=a/b", [("matrix-via-invalid", 15), ("matrix-via-invalid", 39)]),
        ("matrix:r/a?x!=1", [("character-not-allowed", 12)]),
        ("matrix://u@h/u/a", [("userinfo-not-allowed", 9), ("matrix-authority", 11)]),
    ],
)
def test_violations(text, found):
    assert noted(text) == found
