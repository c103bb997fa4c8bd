"""urlsm.documents.page_links: what a page refers to, as the HTML Standard says, and as Scrapy's link extractor."""

from __future__ import annotations

import importlib.util
import re
import sys

import pytest
from support.seeds import draws, seeded

import urlsm
from urlsm.documents import page, page_links
from urlsm.unicode.encoding import _CODECS, _LABELS, decode, encode_or_escape, in_utf8

HERE = "http://h/a/b?q#f"


def urls(html: str | bytes, **options) -> list[str]:
    return [link.url.removeprefix("http://h/") for link in page_links(html, url=HERE, **options)]


def test_without_lxml_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "lxml.etree", None)
    with pytest.raises(ModuleNotFoundError, match=r"urlsm\[html\]"):
        page_links("<a href=x>", url=HERE)


def test_what_is_wrong_is_told_before_a_page_is_read():
    with pytest.raises(ValueError, match="'b'"):
        page_links("", url=HERE, tags=("a", "b"))
    with pytest.raises(LookupError):
        page_links("", url=HERE, encoding="latin1337")
    with pytest.raises(TypeError):
        page_links(None, url=HERE)
    with pytest.raises(urlsm.ParseError):
        page_links("", url="::")


def test_octets_are_decoded_by_their_mark_or_the_label():
    for label, codec, queries in (
        ("Windows-1251 ", "cp1251", "windows-1251"),
        ("utf8", "utf-8", "UTF-8"),
        ("koi8-r", "koi8-r", "KOI8-R"),
        ("utf-16", "utf-16-le", "UTF-8"),
        ("unicodefffe", "utf-16-be", "UTF-8"),
        ("gb_2312", "gbk", "GBK"),
        ("big5", "big5hkscs", "Big5"),
        ("ms_kanji", "cp932", "Shift_JIS"),
    ):
        assert decode("<a>\u0416".encode(codec), label) == ("<a>\u0416", queries)
    for codec in ("utf-8", "utf-16-be", "utf-16-le"):
        assert decode("\ufeff\u0416".encode(codec), "latin1") == ("\u0416", "UTF-8")
    assert decode(b"a\x80\xff", "x-user-defined") == ("a\uf780\uf7ff", "x-user-defined")
    assert decode(b"a\xff", "utf-8")[0] == "a\ufffd" == decode(b"a\xaa", "windows-1253")[0]
    assert decode(b"\x81\x80", "latin1")[0] == "\x81\u20ac"  # the standard has no hole here, and Python has
    assert decode(b"<a href=x>", "hz-gb-2312") == ("\ufffd", "UTF-8") and decode(b"", "replacement")[0] == ""
    for name in _LABELS:
        two = {"UTF-16LE": "\u6261", "UTF-16BE": "\u6162", "replacement": "\ufffd"}
        assert decode(b"ab", name)[0] == two.get(name, "ab")
    with pytest.raises(LookupError):
        decode(b"", "none")


def test_what_is_decoded_is_encoded_again():
    """Each octet of the encodings of one octet for which the standard has a character."""
    for name in _LABELS.keys() - _CODECS.keys() - {"UTF-8", "UTF-16BE", "UTF-16LE", "replacement"}:
        for octet in range(256):
            text, queries = decode(bytes((octet,)), name)
            if "\ufffd" not in text:
                assert encode_or_escape(text, queries) == bytes((octet,)), (name, octet)


def test_what_is_decoded_in_utf8():
    random = seeded("in_utf8")
    pieces = (
        b"a",
        b"<a href=x>",
        b"\0",
        b"\xef\xbb\xbf",
        b"\xff\xfe",
        b"\xfe\xff",
        b"\xc3\xa9",
        b"\xc3",
        b"\xed\xa0\x80",
        b"\xf0\x9f\x98\x80",
        b"\x80",
        b"\x1b$B",
    )
    labels = ("utf-8", "UTF-8", " utf-8", "utf8", "utf-16", "utf-16be", "replacement", "hz-gb-2312", "latin1", "gbk")
    for _ in range(draws(20_000)):
        octets, label = b"".join(random.choices(pieces, k=random.randrange(7))), random.choice(labels)
        text, queries = decode(octets, label)
        assert in_utf8(octets, label) == (text.encode(), queries), (octets, label)


# --- texts that hold URLs among other words, without lxml ----------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a.jpg, b.jpg 2x", ["a.jpg", "b.jpg"]),
        ("a,b", ["a,b"]),
        ("data:,a 1x", ["data:,a"]),
        (" ,, a, ,b,, c 1x", ["a", "b", "c"]),
        ("a (x,y) 2x, b", ["b"]),
        ("a (x, b", []),
        ("a 1x,b 2x", ["a", "b"]),
        ("a 1w 2h, b 2h 1w, c 2h, d 1w 1x, e 1w 1w, f 1x 2x, g 2h 1x", ["a", "b"]),
        ("a 0w, b -1x, c -0.0x, d .5x, e 1.x, f 1e3x, g +1x, h 1X, i 00x, j 1e, k \u0661x", ["c", "d", "f", "i"]),
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
        ("url(a\\)b\\000041 c) \\75Rl(d) @\\69mport 'e'", ["a)bAc", "d", "e"]),
        ("url('a\\\nb')", ["ab"]),
        ("url(\\0) url(\\ffffff )", ["\ufffd"] * 2),
        ("@import \"q\";@import url(z); @import /* x */'k'", ["q", "z", "k"]),
        ("/* url(n) */ \"url(n)\" '\\'url(n)' url(y) /* url(n)", ["y"]),
        ("myurl(n) -url(n) url (n) url(n n) url(n'n) url(n(n)", []),
        ("@namespace url(n); @NameSpace p 'n'; url(m", ["m"]),
        ("url(n \"n) url(n\" n) url('n' n) url('n' 'n') #url(n) @url(n) 1url(n) 'x' url('a", ["a"]),
        ("<!--url(a)-->url(b)", ["a", "b"]),
        ("@import url(a) 'n'; @import b 'n'; @media{@import 'c' layer('n')}", ["a", "c"]),
        ("image-set('a' 1x, url(b) 2x type('n')) -WebKit-image-set(('n'), 'c')", ["a", "b", "c"]),
        ("url() url('') url(  ) url(#n) url('#n')", []),
        ("'a\nurl(b)", ["b"]),  # a string ends with its line
    ],
)
def test_css(text, expected):
    pytest.importorskip("tinycss2", reason="tinycss2 is not installed")
    assert [*page._of_css(text)] == expected


@pytest.mark.parametrize(
    "piece", ["url(", "url( ", "/*", "'", '"', "\\", "@import/**/", "@import /*", "a,", ",", "(", " "]
)
def test_long_texts_of_one_piece(piece):
    pytest.importorskip("tinycss2", reason="tinycss2 is not installed")
    for function in (page._of_css, page._candidates, page._refresh):
        for text in (piece * 5_000, "url(" + piece * 5_000, "0;" + piece * 5_000, "a " + piece * 5_000):
            assert sum(1 for _ in function(text)) <= len(text)


@pytest.mark.slow(3)
@pytest.mark.parametrize("piece", ["0", ".", "0.", ".0", "0;", " ", ",", "(", "a,", "1w ", "-", "e", "'", "url", "\\"])
def test_a_mebibyte_of_one_piece_is_read_in_time_that_grows_with_it(piece):
    many = piece * ((1 << 20) // len(piece))
    for function in (page._candidates, page._refresh):
        for text in (many, many + "x", f"0;{many}", f"a {many}x", f"0;url{many}"):
            assert sum(1 for _ in function(text)) <= len(text)


# --- with lxml ---------------------------------------------------------------------------------

needs_lxml = pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in ("lxml", "tinycss2")), reason="lxml or tinycss2 is missing"
)

PAGE = """<!DOCTYPE html><html style=a:url(0)><base href="/z/"><base href="/no/"><title>x<a href=no></title>
<link rel="Canonical  X" href="/c?é"><link rel=preload imagesrcset="p, q 2x"><link href="">
<meta http-equiv=Refresh content="0;url=r"><meta name=refresh content="0;url=no">
<style>@import "s"; a { b: url(t) }</style><script src=u>"<a href=no>"</script><!-- <a href=no> -->
<body style="c: url(&quot;v&quot;)"><a href=" w\nx ">1</a><AREA HREF=y rel="nofollow UGC"><a>2</a><a href>3</a>
<img srcset="a 1x, b 2x" src=c><picture><source srcset=d></picture><iframe src=""></iframe><iframe src=e></iframe>
<form action><input type=image src=f formaction=g><button formaction=h></form><object data=i></object>
<video poster=j src=k><track src=l></video><audio src=m></audio><embed src=n><a href="http://[">4</a>
<template><a href=no></a></template><template shadowrootmode=Open><a href=o></a></template><p style=d:url(p)>
<noscript><a href="mailto:q"></a></noscript><a href="\\\\r\\s" href=no>5</a><a xlink:href=no></a><use href=no>
<svg><a xlink:href=t></a><image href=u xlink:href=no /><use xlink:href=v /></svg><input src=no><a href="?x&copy=1">6</a>
<style type=text/x>a{b:url(no)}</style><style type="">a{b:url(w)}</style><link href=" "><iframe src="">
<a href=no></iframe><textarea><a href=no></textarea><a href=x"""


@needs_lxml
def test_the_links_of_a_page():
    found = page_links(PAGE, url=HERE)
    assert [(link.url.removeprefix("http://h/z/"), link.element, link.attribute, link.line) for link in found] == [
        ("0", "html", "style", 1),
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
        ("http://h/a/b?q#f", "form", "action", 8),  # the document's URL, not its base
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
        ("t", "a", "xlink:href", 12),
        ("u", "image", "href", 12),
        ("v", "use", "xlink:href", 12),
        ("?x&copy=1", "a", "href", 12),
        ("w", "style", None, 13),
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
    assert urls(PAGE, tags=["area"]) == ["z/y"] and urls(PAGE, tags=()) == []
    assert urls(PAGE, tags=("style",)) == ["z/0", "z/s", "z/t", "z/v", "z/p", "z/w"]
    of_each = [link for name in page.ATTRIBUTES for link in urls(PAGE, tags=(name,))]
    assert sorted(of_each) == sorted(urls(PAGE))


@needs_lxml
def test_the_encoding_of_the_document_writes_queries_alone():
    text = "<meta charset=utf-8><base href='/ж/'><a href='ж?ж#ж'>"
    for given in (text, text.encode("cp1251")):
        assert urls(given, encoding="windows-1251") == ["%D0%B6/%D0%B6?%E6#%D0%B6"]
    assert urls(text.encode()) == urls(text) == ["%D0%B6/%D0%B6?%D0%B6#%D0%B6"]
    assert urls(("\ufeff" + text).encode(), encoding="windows-1251") == urls(text)  # its mark says that it is UTF-8
    style = "<img srcset='?\u0436 2x' style='a:url(?\u0436)'>"  # CSS is of no document
    assert urls(style, encoding="windows-1251") == ["a/b?%E6", "a/b?%D0%B6"]
    assert urls(text.encode("utf-16-le"), encoding="utf-16le") == urls(text)


@needs_lxml
@pytest.mark.parametrize(
    "html", ["", " ", "<", "<!--", "\0", "\ud800", "abc", "<a href=\udfffx>", "<a href=x" * 9, b"\xff"]
)
def test_pages_that_hardly_are(html):
    assert all(urlsm.can_parse(link.url) for link in page_links(html, url=HERE))


@needs_lxml
def test_what_follows_the_end_of_the_document_is_in_its_body():
    assert urls("<html><body><a href=1>x</a></body></html>\n<a href=2>y</a>") == ["a/1", "a/2"]
    more = "<p style='a:url(2)'><a href=3></html><!--x--><img src=4><template><a href=n></template><b><a href=5>"
    assert urls("<a href=1></html>" + more) == [f"a/{k}" for k in range(1, 6)]
    assert urls("</html><a href=1>", tags=["a"]) == ["a/1"]


@needs_lxml
def test_a_style_attribute_has_declarations_alone():
    assert urls("<p style='@import \"n\"; a:url(1); @import url(n); b:url(2) @media{c:url(n)} d:url(3)'>") == [
        "a/1",
        "a/2",
        "a/3",
    ]
    assert urls("<style>@import 'a'; @media{b{c:url(d)}}</style>") == ["a/a", "a/d"]


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
    for _ in range(draws(2000)):
        text = "".join(random.choices(pieces, k=random.randrange(60)))
        for link in page_links(text, url=HERE):
            assert urlsm.parse(link.url).href == link.url and link.line >= 1


@pytest.mark.slow(2)
@needs_lxml
def test_pages_of_megabytes_and_deep_ones():
    assert len(urls("<a href=x></a>" * 20_000)) == 20_000
    assert len(urls("<div>" * 1000 + "<a href=x>")) == 1
    page_links("<div>" * 1_000_000 + "<a href=x>", url=HERE)


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
    for _ in range(50):
        tags = [
            f'<{random.choice("pa")}><{random.choice(("a", "area", "A"))} href="{random.choice(words)}">'
            for _ in range(30)
        ]
        html = random.choice(("", "<base href='/base/x'>", "<base href=http://n/o>")) + "\n".join(tags)
        links = theirs.extract_links(HtmlResponse("http://h/a/b?q", body=html, encoding="utf-8"))
        expected = [urlsm.parse(link.url + ("#" + link.fragment if link.fragment else "")).href for link in links]
        ours = [url for link in page_links(html, url=HERE, tags=("a", "area")) if (url := link.url).startswith("http")]
        assert ours == expected
