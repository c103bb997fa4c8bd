"""urlsm.documents.base_url: the order of RFC 3986 section 5.1, and the <base href> that HTML sees."""

from __future__ import annotations

import re

import pytest
from support.seeds import draws, least, seeded

import urlsm
from urlsm import ParseError, parse
from urlsm.documents import base_url

HERE = "http://h/a/b?q#f"


def href(document: str | bytes) -> str:
    """Return the document's base, relative to http://h/a/b, as text."""
    found = base_url(document, url=HERE)
    assert found is not None
    return found.href


NONE = "http://h/a/b?q"  # the fallback, without its fragment


# --- the order ---


def test_the_first_that_there_is():
    html = "<base href='http://doc/'>"
    rest = {"enclosing": "http://enc/", "url": "http://ret/", "default": "http://def/"}
    assert str(base_url(html, **rest)) == "http://doc/"
    assert str(base_url("<p>", **rest)) == "http://enc/" == str(base_url(**rest))
    del rest["enclosing"]
    assert str(base_url(html, **rest)) == "http://doc/" and str(base_url("", **rest)) == "http://ret/"
    del rest["url"]
    assert str(base_url(**rest)) == "http://def/"
    assert base_url() is None and base_url("<p>") is None and base_url(b"") is None
    assert str(base_url(html)) == "http://doc/" and base_url("<base href=x>") is None


def test_each_may_be_relative_to_those_after_it():
    assert str(base_url(None, enclosing="../x", url="y/z/", default="http://h/a/b")) == "http://h/a/y/x"
    assert str(base_url("<base href=../w>", enclosing="../x/", url="y/z/", default="http://h/a/b")) == "http://h/a/y/w"
    with pytest.raises(ParseError):
        base_url(None, enclosing="../x")
    with pytest.raises(ParseError):
        base_url("<base href='http://doc/'>", enclosing="http://enc/", url="", default=None)


@pytest.mark.parametrize("base", [HERE, HERE.encode(), parse(HERE)])
def test_the_answer_is_a_url_without_fragment(base):
    for argument in ("enclosing", "url", "default"):
        assert base_url(**{argument: base}) == parse("http://h/a/b?q")
    assert base_url("<base href='x#y'>", enclosing=base) == parse("http://h/a/x")
    assert str(base_url(default="data:x #f")) == str(parse("data:x #f").without_fragment())


@pytest.mark.parametrize("wrong", [5, bytearray(b"<p>"), ["<p>"], parse(HERE)])
def test_anything_but_a_document_is_a_type_error(wrong):
    with pytest.raises(TypeError):
        base_url(wrong)


@pytest.mark.parametrize("argument", ["enclosing", "url", "default"])
def test_anything_but_a_url_is_an_error(argument):
    with pytest.raises(TypeError):
        base_url(**{argument: 5})
    with pytest.raises(ParseError):
        base_url("<base href='http://doc/'>", **{argument: "no base"})


# --- the element ---


@pytest.mark.parametrize(
    ("document", "wanted"),
    [
        ("<html><head><base href='/x/'></head>", "http://h/x/"),
        ('<BASE HREF="/x/">', "http://h/x/"),
        ("<base href=/x/>", "http://h/x/"),
        ("<base href=/x>", "http://h/x"),
        ("<base\n\ttarget=_top\fhref\r=\n'/x' >", "http://h/x"),
        ("<base/href='/x'/>", "http://h/x"),
        ("<base target='a>b'href=/x>", "http://h/x"),
        ("<base href=' /x\n'>", "http://h/x"),
        ("<base href='a&amp;b&#47;c&#x2F;d&eacute'>", "http://h/a/a&b/c/d%C3%A9"),
        ("<base href='?a=1&copy=2&notit;&amp'>", "http://h/a/b?a=1&copy=2&notit;&"),
        (f"<base href='x&#{'9' * 5000};y&#0;'>", "http://h/a/x%EF%BF%BDy%EF%BF%BD"),
        ("<body><p>x</p><base href='/x'>", "http://h/x"),
        ("<base href=é\ud800>", "http://h/a/%C3%A9%EF%BF%BD"),
        # which of several
        ("<base target=x><base href=/1><base href=/2>", "http://h/1"),
        ("<base href=/1 href=/2>", "http://h/1"),
        ("<base HREF href=/2>", NONE),
        ("<base href><base href=/2>", NONE),
        ("<base href=''><base href=/2>", NONE),
        ("<base href='http://a:b/'><base href=/2>", NONE),
        ("<base href='data:x'><base href=/2>", NONE),
        ("<base href='JavaScript:x'><base href=/2>", NONE),
        ("<base href='mailto:x'>", "mailto:x"),
        # not that element, not that attribute
        ("<basefont href=/x><bas href=/x><base2 href=/x><base-x href=/x></base href=/x>", NONE),
        ("<base data-href=/x hrefs=/x =href=/x xhref=/x>", NONE),
        ("<base 'href=/x'>", NONE),
        ("< base href=/x>&lt;base href=/x>", NONE),
        ("<base href=/x", NONE),
        ("<base href='/x>", NONE),
        ("<base href='/x><p title='y'>", "http://h/x%3E%3Cp%20title="),
        ("<", NONE),
        ("</", NONE),
        ("<!", NONE),
        ("<b", NONE),
        ("", NONE),
    ],
)
def test_the_base_element(document, wanted):
    assert href(document) == wanted
    if "\ud800" not in document:
        assert href(document.encode()) == href(b"\xff\xfe" + document.encode("utf-16-le")) == wanted
        assert href(b"\xfe\xff" + document.encode("utf-16-be")) == href(b"\xef\xbb\xbf" + document.encode()) == wanted


BASE = "<base href=/x>"


@pytest.mark.parametrize(
    "before",
    [
        "<!doctype html>",
        "<!-- x -->",
        "<!-->",
        "<!--->",
        "<!---->",
        "<!-- x --!>",
        "<!-- -- > - -> -->",
        "<!x>",
        "<?xml version='1.0'?>",
        "</ x>",
        "</>",
        "<3",
        "<<",
        "<p title='<!--'>",
        "<script>x</script>",
        "<script></script >",
        "<script><!-- </script>",
        "<script>'</scripts></scrip>'</SCRIPT\n>",
        "<title></title x='>'>",
        "<template></template>",
        "<template><template></template></template>",
        "</template>",
        "<template/></template>",
        "<noscript>",
        "<scripts>",
        "<p a=<script>",
        "<p title=\"<script>\" a='<!--' <template>",
        "</script>",
        "<p/>",
        "<script><!-- <script> --></script>",
        "<script><!--><script></script>",
        "<script><!--<script></script></script>",
        "<script>--><script></script>",
        "<svg></svg>",
        "<svg/>",
        "<math><MATH></math></math>",
        "<svg><g></g><p>",
        "<svg><foreignObject>",
        "</svg>",
    ],
)
def test_it_counts_after(before):
    assert href(before + BASE) == "http://h/x"


@pytest.mark.parametrize(
    "before",
    [
        "<!--",
        "<!-- > -- >",
        "<!--!>",
        "<!--x->",
        "<!",
        "<?",
        "</ ",
        "<p title='",
        '<p title="',
        "<p ",
        *[f"<{name}>" for name in ("script", "STYLE", "textarea", "title", "xmp", "iframe", "noembed", "noframes")],
        "<script type='x' >",
        "<script/>",
        "<script></style>",
        "<script></scripts>",
        "<plaintext></plaintext>",
        "<template>",
        "<template><template></template>",
        "</template><template>",
        "<svg>",
        "<MATH>",
        "<svg><svg></svg>",
        "<svg><g/>",
        "<script><!--<script></script>",
        "<script><!-- <SCRIPT >x</script >",
    ],
)
def test_it_does_not_count_within(before):
    assert href(before + BASE) == NONE


def test_a_document_without_base_needs_no_reading():
    """With "<base" in a comment before it, each document is read; without, only those that have it."""
    random = seeded("base_url")
    tags = (
        "<|<base|<BaSe |<b|ase |/|>| | href=x| href='y'|<!--|-->|<title>|</title>|<template>|</template>|<p |</base|<!"
    )
    pieces = [*re.split("[|]", tags), "<basefont href=z>", '"', "\0", "\u00e9", "&amp;"]
    named = 0
    for _ in range(draws(100_000)):
        document = "".join(random.choices(pieces, k=random.randrange(9)))
        found = href(document)
        named += found != NONE
        assert found == href("<!--<base-->" + document), document
    assert named > least(1_000)


def test_a_page():
    page = (
        f"<!doctype html><html><head><title>{BASE}</title><script>document.write('{BASE}')</script><!-- {BASE} -->"
        f"<template>{BASE}</template><meta content=\"{BASE}\"><base href='//cdn/y/'></head>"
    )
    found = base_url(page, url="https://h/")
    assert found == urlsm.parse("https://cdn/y/") and str(found.join("z")) == "https://cdn/y/z"
