"""RFC 2396's generic grammar (appendix A) and section 6."""

from __future__ import annotations

import pytest
from support.checks import noted

import urlsm
from urlsm.schemes import HierarchicalParts


@pytest.mark.parametrize(
    "text",
    [
        *("", "#", "?y", "a", "a/b;c;d=e?f#g", "/a//b", "//h", "//", "../a", ";x", "a:b", "mailto:a@b?c/d", "x:?a"),
        *("x://u:p@h.example.:80/", "x://h:", "x://1.2.3.4:65535", "x://a_b", "x://registry,name$;:@&=+", "x://h:port"),
        *("x://h:65536/", "http://h:999999/", f"x://1.2.3.4:{'9' * 5000}"),
        *("x:/-_.!~*'()", "x:a%00", "x:/:@&=+$,", "ftp://h/a;type=x", "http://", "data:no-comma"),
    ],
)
def test_what_the_grammar_allows(text):
    assert noted(text, "rfc2396") == []


@pytest.mark.parametrize(
    ("text", "dialect", "parts"),
    [
        ("http://u:p@h:8An/", "rfc2396", HierarchicalParts("u", "p", "h:8an", None, "/", ("",))),
        ("x://h:999999", "rfc2396", HierarchicalParts(host="h:999999")),
        ("x://h:8An/?q", "rfc1738", HierarchicalParts(None, None, "h:8an", None, "/", ("",), "q")),
        ("s3:m%79-bucket/key", "rfc1738", HierarchicalParts(path="m%79-bucket/key", segments=("my-bucket", "key"))),
        ("s3:m%79-bucket/key", "rfc2396", HierarchicalParts(path="m%79-bucket/key", segments=("my-bucket", "key"))),
    ],
)
def test_a_text_that_only_its_scheme_refuses_has_the_parts_of_any_scheme(text, dialect, parts):
    assert urlsm.validate(text, dialect=dialect) == [] and urlsm.parts(text, dialect=dialect) == parts


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
        ("x:/a#b#c", [("character-not-allowed", 6)]),
    ],
)
def test_what_it_does_not_allow(text, wanted):
    assert noted(text, "rfc2396") == wanted


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("HTTP://EX.org:80", "http://ex.org/"),
        ("x://h/%7e%21%2f%zz/../b", "x://h/%7E%21%2F%zz/../b"),
        ("x://h/%7e%21%2f/../b", "x://h/~!%2F/../b"),
        ("URN:ISBN:%2a", "urn:isbn:%2A"),
        ("s3://b/%7e", "s3://b/%7e"),
        # what tel and ldap make of these, appendix A does not have
        ("TEL:..", "tel:.."),
        ("ldap:??", "ldap:??"),
        ("git://h%41:65536/", "git://ha:65536/"),
    ],
)
def test_normal_forms_keep_their_dots(text, normal):
    assert urlsm.normalize(text, dialect="rfc2396") == normal == urlsm.normalize(normal, dialect="rfc2396")
    assert urlsm.equivalent(text, normal, dialect="rfc2396")


def test_parts_are_the_schemes_where_the_generic_grammar_is_kept():
    assert urlsm.parts("ftp://h/a;type=i", dialect="rfc2396").typecode == "i"
    with pytest.raises(urlsm.SchemeError):
        urlsm.parts("ftp://h/a b", dialect="rfc2396")
    assert not urlsm.equivalent("http://h/a/../b", "http://h/b", dialect="rfc2396")
