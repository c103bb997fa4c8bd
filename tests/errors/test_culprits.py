"""What errors say of the character that is to blame; and URLs of other libraries that str() would mask."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from urlsm import ParseError, can_parse, compare, crawler, parse, resolve, split


def said(url: Any) -> str:
    with pytest.raises(ParseError) as caught:
        parse(url)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    return str(caught.value).partition("\n")[0]


# pydantic#8061, #13470
@pytest.mark.parametrize("scheme", ["postgresql", "http", "redis", "zz"])
@pytest.mark.parametrize(("end", "escape"), [("/", "%2F"), ("?", "%3F"), ("#", "%23")])
def test_an_unescaped_delimiter_in_a_password(scheme: str, end: str, escape: str):
    message = said(f"{scheme}://u:s3cret{end}s3cret@db.example:5432/x")
    assert f'an unescaped "{end}" ends it, and "@" follows. In a password "{end}" is written {escape}' in message
    assert "s3cret" not in message
    assert can_parse(f"{scheme}://u:s3cret{escape}s3cret@db.example:5432/x")


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("http://u:pa\\ss@h/", True),
        (b"http://u:pa/ss@h/", True),
        ("http:u:pa/ss@h/", True),
        ("http://a@b:pa/ss@h/", True),
        ("http://u:99999/ss@h/", True),
        ("http://h:8a/", False),
        ("http://h:8a/path", False),
        ("http://h:8a", False),
        ("http://u:p@h:8a/", False),
        ("http://u:p@h:8a/x@y", True),
        ("http://é:" + "p/" * 50_000 + "@h/", True),
    ],
)
def test_only_where_an_at_sign_follows(url: str | bytes, told: bool):
    assert ("In a password" in said(url)) == told


@pytest.mark.parametrize(
    ("url", "blank"),
    [
        ("http://a b/", "a space"),
        ("http://a b", "a space"),
        ("x://a b/", "a space"),
        (b"http://a b/", "a space"),
        ("http://u:p w@a b/", "a space"),
        ("http://h\tx y/", "a space"),
        ("http:a b/", "a space"),
        ("http://a%20b/", "an escaped space"),
        ("http://a\xa0b/", "a blank, U+00A0"),
        ("http://a\u3000b/", "a blank, U+3000"),
        ("http://a<b/", None),
        ("http://u w@a<b/", None),
        ("http://a<b/c d", None),
    ],
)
def test_a_blank_in_a_host_is_named(url: str | bytes, blank: str | None):
    message = said(url)
    assert (f": {blank} (" in message) if blank else ("space" not in message and "blank" not in message)


# autogen#7349, ixmp4#243, compair#1103, pq#8
def test_sqlalchemys_urls_are_taken():
    make_url = pytest.importorskip("sqlalchemy").make_url
    url = make_url("postgresql+psycopg://u:p%40w@h:5432/db?a=b")
    assert "***" in str(url)
    for text in (parse(url).href, split(url).text, resolve(url, "")):
        assert text == "postgresql+psycopg://u:p%40w@h:5432/db?a=b"
    assert parse(url).password == "p%40w" and parse(url).parts.password == "p@w"
    assert compare(url) and crawler.canonicalize(url) and can_parse(url)


def test_hyperlinks_urls_are_taken():
    hyperlink = pytest.importorskip("hyperlink")
    for url in (
        hyperlink.URL.from_text("http://u:pw@h/a?b#c"),
        hyperlink.parse("http://u:pw@h/a?b#c"),
        hyperlink.DecodedURL.from_text("http://u:pw@h/a?b#c"),
    ):
        assert parse(url).href == "http://u:pw@h/a?b#c"


def test_no_error_advises_str():
    class Url:
        def __str__(self):
            raise AssertionError("str() of an unknown object")

    with pytest.raises(TypeError, match=r"SQLAlchemy, hyperlink .* \(str\(\) of some hides the password\)$") as caught:
        parse(Url())  # type: ignore[arg-type]
    assert "such as str(" not in str(caught.value)


@pytest.mark.parametrize("extensions", [".pdf", "pdf", b".pdf", ""])
def test_has_extension_takes_no_bare_text(extensions):
    with pytest.raises(TypeError, match="extensions must be a set or a list of str"):
        crawler.has_extension("http://h/a.pd", extensions)


@pytest.mark.parametrize("extensions", [{".pdf"}, [".pdf"], (".pdf",), frozenset({"pdf"}), {".pdf": 1}])
def test_has_extension(extensions):
    assert crawler.has_extension("http://h/a.PDF", extensions) and not crawler.has_extension(
        "http://h/a.pd", extensions
    )
