"""RFC 2396's generic grammar (appendix A) and section 6."""

from __future__ import annotations

import pytest

import urlsm


def codes(text: str) -> list[tuple[str, int]]:
    return [(violation.code, violation.position) for violation in urlsm.validate(text, "rfc2396")]


@pytest.mark.parametrize(
    "text",
    [
        *("", "#", "?y", "a", "a/b;c;d=e?f#g", "/a//b", "//h", "//", "../a", ";x", "a:b", "mailto:a@b?c/d", "x:?a"),
        *("x://u:p@h.example.:80/", "x://h:", "x://1.2.3.4:65535", "x://a_b", "x://registry,name$;:@&=+", "x://h:port"),
        *("x:/-_.!~*'()", "x:a%00", "x:/:@&=+$,", "ftp://h/a;type=x", "http://", "data:no-comma"),
    ],
)
def test_what_the_grammar_allows(text):
    assert codes(text) == []


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("x:", [("path-missing", 2)]),
        ("x:#a", [("path-missing", 2)]),
        ("1x:a", [("character-not-allowed", 0)]),
        ("a b", [("character-not-allowed", 1)]),
        ("x:/a[b]", [("character-not-allowed", 4), ("character-not-allowed", 6)]),
        ("x:a[", [("character-not-allowed", 3)]),
        ("x:/%zz?%", [("bad-percent-escape", 3), ("bad-percent-escape", 7)]),
        ("x:/a?{#^", [("character-not-allowed", 5), ("character-not-allowed", 7)]),
        ("http://[::1]/", [("host-invalid", 7), ("host-invalid", 11)]),  # RFC 2732 has them
        ("x://é/", [("host-invalid", 4)]),
        ("x://h:65536/", [("port-out-of-range", 6)]),
        ("x:/a#b#c", [("character-not-allowed", 6)]),
    ],
)
def test_what_it_does_not_allow(text, wanted):
    assert codes(text) == wanted


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("HTTP://EX.org:80", "http://ex.org/"),
        ("x://h/%7e%21%2f%zz/../b", "x://h/%7E%21%2F%zz/../b"),
        ("x://h/%7e%21%2f/../b", "x://h/~!%2F/../b"),
        ("URN:ISBN:%2a", "urn:isbn:%2A"),
        ("s3://b/%7e", "s3://b/%7e"),
    ],
)
def test_normal_forms_keep_their_dots(text, normal):
    assert urlsm.normalize(text, "rfc2396") == normal == urlsm.normalize(normal, "rfc2396")
    assert urlsm.equivalent(text, normal, "rfc2396")


def test_parts_are_the_schemes_where_the_generic_grammar_is_kept():
    assert urlsm.parts("ftp://h/a;type=i", "rfc2396").typecode == "i"
    with pytest.raises(urlsm.SchemeError):
        urlsm.parts("ftp://h/a b", "rfc2396")
    assert not urlsm.equivalent("http://h/a/../b", "http://h/b", "rfc2396")
