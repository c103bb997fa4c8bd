"""Resolving a reference in every dialect: the RFCs' own examples, and the cases that they leave open."""

from __future__ import annotations

import copy
import pickle

import pytest

import urlsm
from urlsm import ParseError, resolve, resolve_many, schemes, split
from urlsm.crawler import links
from urlsm.documents import same_document
from urlsm.meaning.registry import handler

BASE = "http://a/b/c/d;p?q"
# RFC 3986 section 5.4.1 and 5.4.2
RFC_3986 = {
    **{"g:h": "g:h", "g": "http://a/b/c/g", "./g": "http://a/b/c/g", "g/": "http://a/b/c/g/", "/g": "http://a/g"},
    **{"//g": "http://g", "?y": "http://a/b/c/d;p?y", "g?y": "http://a/b/c/g?y", "#s": "http://a/b/c/d;p?q#s"},
    **{"g#s": "http://a/b/c/g#s", "g?y#s": "http://a/b/c/g?y#s", ";x": "http://a/b/c/;x", "g;x": "http://a/b/c/g;x"},
    **{"g;x?y#s": "http://a/b/c/g;x?y#s", "": "http://a/b/c/d;p?q", ".": "http://a/b/c/", "./": "http://a/b/c/"},
    **{"..": "http://a/b/", "../": "http://a/b/", "../g": "http://a/b/g", "../..": "http://a/", "../../": "http://a/"},
    **{"../../g": "http://a/g", "../../../g": "http://a/g", "../../../../g": "http://a/g", "/./g": "http://a/g"},
    **{"/../g": "http://a/g", "g.": "http://a/b/c/g.", ".g": "http://a/b/c/.g", "g..": "http://a/b/c/g.."},
    **{"..g": "http://a/b/c/..g", "./../g": "http://a/b/g", "./g/.": "http://a/b/c/g/", "g/./h": "http://a/b/c/g/h"},
    **{"g/../h": "http://a/b/c/h", "g;x=1/./y": "http://a/b/c/g;x=1/y", "g;x=1/../y": "http://a/b/c/y"},
    **{"g?y/./x": "http://a/b/c/g?y/./x", "g?y/../x": "http://a/b/c/g?y/../x", "g#s/./x": "http://a/b/c/g#s/./x"},
    **{"g#s/../x": "http://a/b/c/g#s/../x", "http:g": "http:g"},
}
# RFC 2396 appendix C, where it differs; "" and "#s" are the current document
RFC_2396 = RFC_3986 | {
    **{"?y": "http://a/b/c/?y", "../../../g": "http://a/../g", "../../../../g": "http://a/../../g"},
    **{"/./g": "http://a/./g", "/../g": "http://a/../g"},
}


@pytest.mark.parametrize(("ref", "target"), RFC_3986.items())
def test_rfc_3986(ref, target):
    assert resolve(ref, base=BASE, dialect="rfc3986") == target
    assert resolve(ref, base=BASE + "#f", dialect="rfc3986") == target
    assert resolve(ref.encode(), base=BASE.encode(), dialect="rfc3986") == target


@pytest.mark.parametrize(("ref", "target"), RFC_2396.items())
def test_rfc_2396(ref, target):
    assert resolve(ref, base=BASE, dialect="rfc2396") == target
    assert resolve(ref, base=BASE + "#f", dialect="rfc2396") == target


@pytest.mark.parametrize("dialect", ["rfc3986", "rfc2396"])
def test_a_reference_with_the_bases_scheme_is_relative_where_that_is_asked_for(dialect):
    assert resolve("HTTP:g?x", base=BASE, dialect=dialect, strict=False) == "http://a/b/c/g?x"
    assert resolve("HTTP:g?x", base=BASE, dialect=dialect) == "HTTP:g?x"
    assert resolve("httq:g", base=BASE, dialect=dialect, strict=False) == "httq:g"


@pytest.mark.parametrize(
    ("base", "ref", "target"),
    [
        ("s3://bucket/a/b", "../c", "s3://bucket/c"),
        ("gemini://h", "c", "gemini://h/c"),  # merge: an authority and an empty path
        ("git+ssh://h/a/", "./b/..", "git+ssh://h/a/"),
        ("http+unix://%2Fsock/a", "/b", "http+unix://%2Fsock/b"),
        ("no-such:/a/b", "c", "no-such:/a/c"),
        ("mailto:a", "b", "mailto:b"),
        ("urn:a/b", "../../c", "urn:/c"),
        ("x:a/b", "..", "x:/"),
        ("x:", "../a", "x:a"),
        ("x:", "..", "x:"),
        ("x:/a", "/.//b", "x:/.//b"),  # "x://b" would have an authority
        ("x:/a/b", "..//c", "x:/.//c"),
        ("http://é/ü/ö?\ud800", "#\udcff", "http://é/ü/ö?\ud800#\udcff"),
        ("x://h/%2e%2e/a", "%2E/b", "x://h/%2e%2e/%2E/b"),  # as written
        ("x://h/a//b", "../c", "x://h/a/c"),
        ("X://H/a", "b", "X://H/b"),
        ("x://u:p@h:1/a", "?", "x://u:p@h:1/a?"),
    ],
)
def test_rfc_3986_any_scheme(base, ref, target):
    assert resolve(ref, base=base, dialect="rfc3986") == target


@pytest.mark.parametrize("dialect", ["rfc3986", "rfc2396"])
@pytest.mark.parametrize(
    "ref",
    [
        # guzzle/psr7#880; urllib, uritools, rfc3986, whatwg and barth resolve these
        "git@example.com:user/repo",
        "a b:c",
        "é:c",
        "%61:c",
        "foo_bar:c",
        "(a):c",
        "2024-01-01T10:00.html",
        "12:30",
        "+a:b",
        "a\\b:c",
        "1://h/x",
        "a\0:b",
    ],
)
def test_a_scheme_is_one_by_section_3_1(dialect, ref):
    """scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." ), of which appendix B, and so split, asks nothing."""
    target = f"http://h/x/{ref}"
    assert resolve(ref, base="http://h/x/y", dialect=dialect) == target
    assert resolve_many([ref, "a+b-c.1:d"], base="http://h/x/y", dialect=dialect) == [target, "a+b-c.1:d"]
    assert split(ref, dialect=dialect).scheme is not None
    with pytest.raises(ParseError):
        resolve("x", base=ref, dialect=dialect)  # a base without a scheme


@pytest.mark.parametrize("dialect", ["whatwg", "rfc3986", "rfc2396"])
@pytest.mark.parametrize("base", ["/a/b", "", "../x", b"a", "?q"])
def test_the_error_of_a_relative_base_names_the_dialect_that_takes_one(dialect, base):
    with pytest.raises(ParseError, match=r'only resolve\(\.\.\., dialect="stdlib"\) takes a relative base') as refused:
        resolve("c", base=base, dialect=dialect)
    error = refused.value
    assert error.code == "missing-scheme-non-relative-URL"
    assert str(pickle.loads(pickle.dumps(error))) == str(error) == str(copy.copy(error))
    assert resolve("c", base=base, dialect="stdlib")


@pytest.mark.parametrize(
    ("base", "ref", "target"),
    [
        ("http://a", "g", "http://a/g"),
        ("http://a/b//c", "../g", "http://a/b/g"),
        ("http://a/b/../c", "g", "http://a/g"),
        ("http://a/..", "..", "http://a/.."),
        ("http://a/../..", "../g", "http://a/../../g"),
        ("http://a/b/c", "g/..", "http://a/b/"),
        ("http://a/b/c", "../..", "http://a/.."),
        ("http://a/b/c", "./", "http://a/b/"),
        ("http://a/b/c", "?y", "http://a/b/?y"),
        ("http://a/b?x", "", "http://a/b?x"),
    ],
)
def test_rfc_2396_dots(base, ref, target):
    assert resolve(ref, base=base, dialect="rfc2396") == target


@pytest.mark.parametrize(
    ("ref", "target"),
    [
        ("", "http://u@a:8/b/c;d?q"),  # path terminators are "?" and "#"; the authority's, also ";"
        ("//x/y", "http://x/y"),
        ("\\\\x", "http:\\\\x"),
        ("\\/x", "http:\\/x"),
        ("/p?r", "http://u@a:8/p?r"),
        ("\\p", "http://u@a:8\\p"),
        ("?r", "http://u@a:8/b/c;d?r"),
        ("#r", "http://u@a:8/b/c;d?q#r"),
        ("g/../h\\.\\i?j", "http://u@a:8/b/h/i?j"),
        ("..", "http://u@a:8/"),
        ("%2E%2e/g", "http://u@a:8/g"),
        ("http:g", "http://u@a:8/b/g"),
        ("HTTP:/g", "http://u@a:8/g"),
        ("http:", "http://u@a:8/b/c;d?q"),
        ("ftp:g", "ftp:g"),
        ("mailto:x?y#z", "mailto:x?y#z"),
        ("a_b:c", "http://u@a:8/b/a_b:c"),
        (":c", "http://u@a:8/b/:c"),
        ("c:/x", "http://u@a:8/b/c:/x"),
        (" \tg \n", "http://u@a:8/b/g"),
        ("é", "http://u@a:8/b/é"),
    ],
)
def test_barth(ref, target):
    assert resolve(ref, base="http://u@a:8/b/c;d?q#f", dialect="barth") == target


def test_barth_files_and_what_is_not_hierarchical():
    assert resolve("../../x", base="file:///c:/a/b", dialect="barth") == "file:///c:/x"
    assert resolve("c:/x", base="file:///a/b", dialect="barth") == "file:///c:/x"
    assert resolve("#d", base="mailto:a?b#c", dialect="barth") == "mailto:a?b#d"
    assert resolve("mailto:b", base="mailto:a", dialect="barth") == "mailto:b"
    for ref in ("", "b", "/b", "?b"):
        with pytest.raises(ParseError):
            resolve(ref, base="mailto:a", dialect="barth")
    with pytest.raises(ParseError):
        resolve("http://h/", base="no-colon", dialect="barth")


def test_rfc_1738_has_no_relative_references():
    assert resolve("ftp://h/../a", base=BASE, dialect="rfc1738") == "ftp://h/../a"
    for ref in ("", "g", "/g", "//g", "#s"):
        with pytest.raises(ValueError, match="'rfc1738' has no relative"):
            resolve(ref, base=BASE, dialect="rfc1738")


@pytest.mark.parametrize("dialect", ["whatwg", "rfc3986", "rfc2396", "barth"])
def test_a_base_is_absolute(dialect):
    with pytest.raises(ParseError) as caught:
        resolve("c", base="//a/b", dialect=dialect)
    assert caught.value.url == "//a/b" and caught.value.code == "missing-scheme-non-relative-URL"
    for wrong in (None, 1):
        with pytest.raises(TypeError):
            resolve("c", base=wrong, dialect=dialect)
        with pytest.raises(TypeError):
            resolve(wrong, base=BASE, dialect=dialect)
    with pytest.raises(ValueError, match="whatwg, rfc3986"):
        resolve("c", base=BASE, dialect="rfc9999")


def test_urls_and_bytes_and_long_texts():
    url = urlsm.parse(BASE)
    assert resolve(urlsm.parse("x:y"), base=url, dialect="rfc3986") == "x:y"
    assert resolve(b"\xc3\xa9", base=b"x://h/\xff", dialect="rfc3986") == "x://h/é"
    long = "a/" * 100_000
    assert resolve("../" * 100_000 + "b", base=f"x://h/{long}", dialect="rfc3986") == "x://h/b"
    assert resolve("../" * 100_001 + "b", base=f"x://h/{long}", dialect="rfc2396") == "x://h/../b"


def test_many_references_at_once():
    refs = ["g", "//h:x/", b"\xc3\xa9", "é", urlsm.parse("x:y"), "", "?\ud800"]
    wanted = ["http://a/b/c/g", None, "http://a/b/c/%C3%A9", "http://a/b/c/%C3%A9", "x:y", BASE]
    assert resolve_many(iter(refs), base=BASE) == [*wanted, "http://a/b/c/d;p?%EF%BF%BD"]
    assert resolve_many(["?y", "../../../g"], base=BASE, dialect="rfc2396") == ["http://a/b/c/?y", "http://a/../g"]
    assert resolve_many(["http:g"], base=BASE, dialect="rfc3986", strict=False) == ["http://a/b/c/g"]
    assert resolve_many(["#b", "c"], base="mailto:a", dialect="barth") == ["mailto:a#b", None]
    for bad in ("http://[x", "//[", "http://[::1"):  # urljoin refuses them
        assert resolve_many(["g", bad, "h"], base="http://a/", dialect="stdlib") == ["http://a/g", None, "http://a/h"]
    with pytest.raises(ValueError):
        resolve_many(["g"], base="http://[x", dialect="stdlib")
    assert resolve_many([], base=BASE) == []
    for base in ("x", None):
        for dialect in ("whatwg", "rfc3986"):
            with pytest.raises((ParseError, TypeError)):
                resolve_many(["http://h/"], base=base, dialect=dialect)
    with pytest.raises(TypeError):
        resolve_many([None], base=BASE)


@pytest.mark.parametrize(
    ("ref", "rfc2396", "others"),
    [
        ("", True, True),
        ("#s", True, True),
        ("d;p?q", False, True),
        ("?q", False, True),
        ("?y", False, False),
        ("g", False, False),
    ],
)
def test_same_document(ref, rfc2396, others):
    assert same_document(ref, base=BASE, dialect="rfc2396") is rfc2396
    for dialect in ("rfc3986", "whatwg", "barth"):
        assert same_document(ref, base=BASE + "#f", dialect=dialect) is others


def test_same_document_knows_no_rfc_1738():
    with pytest.raises(ValueError):
        same_document("", base=BASE, dialect="rfc1738")
    assert same_document("http://h", base="http://h", dialect="rfc3986") and not same_document(
        "HTTP://h", base="http://h", dialect="rfc3986"
    )
    assert same_document("HTTP://H:80/", base="http://h", dialect="whatwg")


def test_opaque_schemes_of_barth_are_those_whose_handlers_say_so():
    """machine/opaque.py has their names. Not those that are mostly written with an authority: intent, sqlite."""
    handlers = {name: handler(name) for name in schemes.known()}
    may = {name for name, found in handlers.items() if not found.hierarchical and found.authority != "required"}
    with_authority = {name for name in may if handlers[name].example.partition(":")[2].startswith("//")}
    opaque = {name for name in handlers if urlsm.split(f"{name}://h/p", dialect="barth").host is None}
    assert opaque == may - with_authority | {"dns", "news", "xmpp"}, "python tools/opaque_schemes.py"


@pytest.mark.parametrize("base", ["", b"", " ", "a/b", "#x", "/x"])
def test_a_base_without_a_scheme_is_said_to_be_the_base(base):
    """By whatever takes a base."""
    for call in (
        lambda base, ref: urlsm.resolve(ref, base=base),
        lambda base, ref: urlsm.resolve(ref, base=base, dialect="barth"),
        lambda base, ref: urlsm.resolve_many([ref], base=base),
        lambda base, ref: links([ref], base=base),
        lambda base, ref: urlsm.parse(ref, base=base),
        lambda base, ref: urlsm.URL(ref, base=base),
        lambda base, ref: urlsm.whatwg.URL(ref, base),
        lambda base, ref: urlsm.explain(ref, base=base),
        lambda base, ref: list(urlsm.documents.extract_urls(ref, base=base)),
    ):
        with pytest.raises(urlsm.ParseError, match=r"^the base URL has no scheme"):
            call(base, "c")


@pytest.mark.parametrize("refs", ["abc", b"abc"])
def test_resolve_many_takes_no_bare_text(refs):
    with pytest.raises(TypeError, match=r"refs must be an iterable of URLs, not (str|bytes)"):
        resolve_many(refs, base="http://h/")
