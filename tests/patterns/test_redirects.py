"""is_safe_redirect with a set of patterns as its allow-list."""

from __future__ import annotations

import pytest

from urlsm.patterns import PatternSet
from urlsm.security import is_safe_redirect

HOME = "https://app.example/login"


@pytest.mark.parametrize(
    ("target", "safe"),
    [
        ("/next", True),
        ("https://app.example/x", True),
        ("https://example.com/", True),
        ("http://a.b.example.com:8080/x?y#z", True),
        ("https://example.com.evil.example/", False),
        ("https://evil.example/example.com", False),
        ("https://notexample.com/", False),
        ("https://ads.example.com/", False),
        ("https://example.com@evil.example/", False),
        ("https://evil.example\\@example.com/", False),
        ("https://me:pw@example.com/", False),
        ("//example.com/", True),
        ("//evil.example", False),
        ("javascript:alert(1)", False),
        ("ftp://example.com/", False),
        ("https://EXAMPLE.com/", True),
    ],
)
def test_domains(target: str, safe: bool):
    scope = PatternSet(["example.com"], exclude=["ads.example.com"])
    assert is_safe_redirect(target, base=HOME, allowed_hosts=scope) is safe
    assert is_safe_redirect(target, base=HOME, allowed_hosts=scope) is safe


def test_a_path_counts():
    scope = PatternSet(["https://a.example/cb/**"], "glob")
    assert is_safe_redirect("https://a.example/cb/x", base=HOME, allowed_hosts=scope)
    assert not is_safe_redirect("https://a.example/steal", base=HOME, allowed_hosts=scope)
    for path in (
        "cb/../steal",
        "cb/..%2fsteal",
        "cb/%2e%2e/steal",
        "cb/..\\steal",
        "cb/..;/steal",
        "cb/%252e%252e/steal",
    ):
        assert not is_safe_redirect(f"https://a.example/{path}", base=HOME, allowed_hosts=scope), path


def test_hosts_one_by_one_are_read_as_before():
    assert is_safe_redirect("https://example.com/", base=HOME, allowed_hosts=["example.com"])
    assert not is_safe_redirect("https://a.example.com/", base=HOME, allowed_hosts=["example.com"])
    assert not is_safe_redirect("https://a.example.com/", base=HOME, allowed_hosts=PatternSet(["=example.com"]))


def test_a_block_list_is_refused():
    with pytest.raises(ValueError, match="is a block list"):
        is_safe_redirect("https://example.com/", base=HOME, allowed_hosts=PatternSet(["evil.example"], "blocklist"))


def test_an_empty_set_allows_nothing_else():
    assert not is_safe_redirect("https://example.com/", base=HOME, allowed_hosts=PatternSet())
    assert is_safe_redirect("/x", base=HOME, allowed_hosts=PatternSet())


def test_a_star_of_redirect_uris_does_not_climb():
    patterns = PatternSet(["https://a.example/cb/*"], "redirect-uri", wildcards=True)
    for segment in (
        "..;x",
        "..;",
        "..:",
        "..%3Bx",
        "..%20",
        "%E2%80%8B..",
        "%EF%BC%8E%EF%BC%8E",
        "%c0%ae%c0%ae",
        "..:@",
    ):
        assert f"https://a.example/cb/{segment}" not in patterns, segment
    for segment in ("x", "a:b@c", "a;..", "...", "a..", "%C3%A9", "x%20y", "%22x%22", "a.b~c-d_e"):
        assert f"https://a.example/cb/{segment}" in patterns, segment
