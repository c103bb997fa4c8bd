"""crawler.page_links: what a page refers to, as the HTML Standard reads each attribute, and as Scrapy's link extractor."""

from __future__ import annotations

import importlib.util
import re
import sys

import pytest
from support.seeds import seeded

import urlsm
from urlsm.crawler import page_links
from urlsm.documents import page
from urlsm.unicode.encoding import _LABELS, decode

HERE = "http://h/a/b?q#f"


def urls(html: str | bytes, **options) -> list[str]:
    return [link.url.removeprefix("http://h/") for link in page_links(html, HERE, **options)]


def test_without_lxml_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "lxml.etree", None)
    with pytest.raises(ModuleNotFoundError, match=r"urlsm\[html\]"):
        page_links("<a href=x>", HERE)


def test_what_is_wrong_is_told_before_a_page_is_read():
    with pytest.raises(ValueError, match="'b'"):
        page_links("", HERE, tags=("a", "b"))
    with pytest.raises(LookupError):
        page_links("", HERE, encoding="latin1337")
    with pytest.raises(TypeError):
        page_links(None, HERE)
    with pytest.raises(urlsm.ParseError):
        page_links("", "::")


def test_octets_are_decoded_by_their_mark_or_the_label():
    for label, codec in (("Windows-1251 ", "cp1251"), ("utf8", "utf-8"), ("koi8-r", "koi8-r"), ("utf-16", "utf-16-le")):
        assert decode("<a>Ж".encode(codec), label) == "<a>Ж"
    assert decode("Ж".encode("utf-16-be"), "unicodefffe") == "Ж"
    for codec in ("utf-8", "utf-16-be", "utf-16-le"):
        assert decode("\ufeffЖ".encode(codec), "latin1") == "Ж"
    assert decode(b"a\x80\xff", "x-user-defined") == "a\uf780\uf7ff" and decode(b"a\xff", "utf-8") == "a\ufffd"
    for name in _LABELS:
        assert decode(b"ab", name) == ("\u6261" if name == "UTF-16LE" else "\u6162" if name == "UTF-16BE" else "ab")
    with pytest.raises(LookupError):
        decode(b"", "none")


# --- texts that hold URLs among other words, without lxml ----------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a.jpg, b.jpg 2x", ["a.jpg", "b.jpg"]),
        ("a,b", ["a,b"]),
        ("data:,a 1x", ["data:,a"]),
        (" ,, a, ,b,, c 1x", ["a", "b", "c"]),
        ("a (x,y) 2x, b", ["a", "b"]),
        ("a (x, b", ["a"]),
        ("a 1x,b 2x", ["a", "b"]),
        ("", []),
        (" , ", []),
    ],
)
def test_srcset(text, expected):
    assert [*page._candidates(text)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *[(text, ["a"]) for text in ("0;url=a", "5; a", "5 a", "5;a", "0;url='a", "0,a", ".;a", "0;'a'b")],
        (".5 , URL = 'b' c", ["b"]),
        ('0;"a b"c', ["a b"]),
        *[(text, [""]) for text in ("0;URL=", "0;url= ", "0;''")],  # the page itself
        *[("0;" + text, [text]) for text in ("u=a", "url", "ur=a", "url a", ";a")],
        *[(text, []) for text in ("5", "5;", "5 ; ", "5a", "x;url=a", "", ";a")],
    ],
)
def test_refresh(text, expected):
    assert [*page._refresh(text)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a{b:url(c)}", ["c"]),
        ('URL( "a b" )', ["a b"]),
        ("url('x\\27y')", ["x'y"]),
        ("url(a\\)b\\000041 c)", ["a)bAc"]),
        ("url('a\\\nb')", ["ab"]),
        ("url(\\0) url(\\d800 ) url(\\ffffff )", ["\ufffd"] * 3),
        ("@import \"q\";@import url(z); @import /* x */'k'", ["q", "z", "k"]),
        ("/* url(n) */ \"url(n)\" '\\'url(n)' url(y) /* url(n)", ["y"]),
        ("myurl(n) -url(n) url (n) url(n n) url(n'n) url(n(n)", []),
        ("@namespace url(n); @NameSpace p 'n'; url(m", ["m"]),
        ("url() url('') url(  )", []),
        ("'a\nurl(b)", ["b"]),  # a string ends with its line
    ],
)
def test_css(text, expected):
    assert [*page._of_css(text)] == expected


@pytest.mark.parametrize(
    "piece", ["url(", "url( ", "/*", "'", '"', "\\", "@import/**/", "@import /*", "a,", ",", "(", " "]
)
def test_long_texts_take_linear_time(piece):
    for function in (page._of_css, page._candidates, page._refresh):
        for text in (piece * 20_000, "url(" + piece * 20_000, "0;" + piece * 20_000, "a " + piece * 20_000):
            assert sum(1 for _ in function(text)) <= len(text)


# --- with lxml ---------------------------------------------------------------------------------

needs_lxml = pytest.mark.skipif(importlib.util.find_spec("lxml") is None, reason="lxml is not installed")

PAGE = """<!DOCTYPE html><base href="/z/"><base href="/no/"><title>x<a href=no></title>
<link rel="Canonical  X" href="/c?é"><link rel=preload imagesrcset="p, q 2x"><link href="">
<meta http-equiv=Refresh content="0;url=r"><meta name=refresh content="0;url=no">
<style>@import "s"; a { b: url(t) }</style><script src=u>"<a href=no>"</script><!-- <a href=no> -->
<body style="c: url(&quot;v&quot;)"><a href=" w\nx ">1</a><AREA HREF=y rel="nofollow UGC"><a>2</a><a href>3</a>
<img srcset="a 1x, b 2x" src=c><picture><source srcset=d></picture><iframe src=""></iframe><iframe src=e></iframe>
<form action><input type=image src=f formaction=g><button formaction=h></form><object data=i></object>
<video poster=j src=k><track src=l></video><audio src=m></audio><embed src=n><a href="http://[">4</a>
<template><a href=no></a></template><template shadowrootmode=Open><a href=o></a></template><p style=d:url(p)>
<noscript><a href="mailto:q"></a></noscript><a href="\\\\r\\s" href=no>5</a>"""


@needs_lxml
def test_the_links_of_a_page():
    found = page_links(PAGE, HERE)
    assert [(link.url.removeprefix("http://h/z/"), link.element, link.attribute, link.line) for link in found] == [
        ("http://h/c?%C3%A9", "link", "href", 2),
        ("p", "link", "imagesrcset", 2),
        ("q", "link", "imagesrcset", 2),
        ("r", "meta", "content", 3),
        ("s", "style", None, 4),
        ("t", "style", None, 4),
        ("u", "script", "src", 4),
        ("v", "body", "style", 5),
        ("wx", "a", "href", 6),
        ("y", "area", "href", 6),
        ("", "a", "href", 6),
        *[(text, "img", name, 7) for text, name in (("c", "src"), ("a", "srcset"), ("b", "srcset"))],
        ("d", "source", "srcset", 7),
        ("e", "iframe", "src", 7),
        ("", "form", "action", 8),
        ("f", "input", "src", 8),
        ("g", "input", "formaction", 8),
        ("h", "button", "formaction", 8),
        ("i", "object", "data", 8),
        ("k", "video", "src", 9),
        ("j", "video", "poster", 9),
        ("l", "track", "src", 9),
        ("m", "audio", "src", 9),
        ("n", "embed", "src", 9),
        ("o", "a", "href", 10),
        ("p", "p", "style", 10),
        ("mailto:q", "a", "href", 11),
        ("http://r/s", "a", "href", 11),
    ]
    assert [link.position for link in found] == [*range(len(found))]
    rel = {link.url.removeprefix("http://h/"): link.rel for link in found if link.rel}
    assert rel == {
        "c?%C3%A9": ("canonical", "x"),
        **dict.fromkeys(("z/p", "z/q"), ("preload",)),
        "z/y": ("nofollow", "ugc"),
    }


@needs_lxml
def test_tags_choose_elements():
    assert urls(PAGE, tags="area") == ["z/y"] and urls(PAGE, tags=()) == []
    assert urls(PAGE, tags=("style",)) == ["z/s", "z/t", "z/v", "z/p"]
    of_each = [link for name in page.ATTRIBUTES for link in urls(PAGE, tags=(name,))]
    assert sorted(of_each) == sorted(urls(PAGE))


@needs_lxml
def test_the_encoding_of_the_document_writes_queries_alone():
    text = "<meta charset=utf-8><base href='/ж/'><a href='ж?ж#ж'>"
    for given in (text, text.encode("cp1251"), "\ufeff" + text, ("\ufeff" + text).encode()):
        assert urls(given, encoding="windows-1251") == ["%D0%B6/%D0%B6?%E6#%D0%B6"]
    assert urls(text.encode()) == urls(text) == ["%D0%B6/%D0%B6?%D0%B6#%D0%B6"]
    assert urls(text.encode("utf-16-le"), encoding="utf-16le") == urls(text)


@needs_lxml
@pytest.mark.parametrize(
    "html", ["", " ", "<", "<!--", "\0", "\ud800", "abc", "<a href=\udfffx>", "<a href=x" * 9, b"\xff"]
)
def test_pages_that_hardly_are(html):
    assert all(urlsm.can_parse(link.url) for link in page_links(html, HERE))


@needs_lxml
def test_any_text_is_a_page():
    random = seeded("page_links")
    pieces = (
        *re.findall(r"<[a-z]+|[\s\S]", PAGE),
        "\0",
        "\ud800",
        "]]>",
        "<![CDATA[",
        "&#0;",
        "&#xd800;",
        "<svg>",
        "</",
    )
    for _ in range(2000):
        text = "".join(random.choices(pieces, k=random.randrange(60)))
        for link in page_links(text, HERE):
            assert urlsm.parse(link.url).href == link.url and link.line >= 1


@needs_lxml
def test_pages_of_megabytes_and_deep_ones():
    assert len(urls("<a href=x></a>" * 20_000)) == 20_000
    assert len(urls("<div>" * 1000 + "<a href=x>")) == 1
    page_links("<div>" * 1_000_000 + "<a href=x>", HERE)


@needs_lxml
def test_scrapys_link_extractor_finds_the_same():
    """Of a and area, with http(s), on a text that both read as one; an empty fragment aside, which Scrapy's drops."""
    pytest.importorskip("scrapy", reason="scrapy is not installed")
    from scrapy.http import HtmlResponse
    from scrapy.linkextractors import LinkExtractor

    theirs = LinkExtractor(unique=False, deny_extensions=[])
    random = seeded("page_links beside scrapy")
    words = (
        "x",
        "../y",
        "/z?a=b&amp;c=é",
        "//i/j",
        "?k",
        "#l",
        "http://m.example/%7E/ n",
        "é/ö",
        "mailto:a@b",
        "p;q=1,2",
        "",
    )
    for _ in range(200):
        tags = [
            f'<{random.choice("pa")}><{random.choice(("a", "area", "A"))} href="{random.choice(words)}">'
            for _ in range(30)
        ]
        html = random.choice(("", "<base href='/base/x'>", "<base href=http://n/o>")) + "\n".join(tags)
        links = theirs.extract_links(HtmlResponse("http://h/a/b?q", body=html, encoding="utf-8"))
        expected = [urlsm.parse(link.url + ("#" + link.fragment if link.fragment else "")).href for link in links]
        ours = [url for link in page_links(html, HERE, tags=("a", "area")) if (url := link.url).startswith("http")]
        assert ours == expected
