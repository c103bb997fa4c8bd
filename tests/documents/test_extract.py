"""urlsm.documents.extract_urls and urlsm.documents.unwrap, rule by rule. Properties for any text:
tests/properties/test_extract.py."""

from __future__ import annotations

import copy
import json
import pathlib
import pickle
import subprocess
import sys

import pytest

import urlsm
from urlsm import ParseError
from urlsm.documents import UrlMatch, extract_urls, unwrap
from urlsm.schemes.generic import Scheme


def found(text: str | bytes, **options: object) -> list[str]:
    return [match.text for match in extract_urls(text, **options)]


# --- where a URL begins and ends ---

BARE = [
    # white space
    ("http://a.org/x", ["http://a.org/x"]),
    ("see http://a.org/x and\thttps://b.org/\nftp://c.org", ["http://a.org/x", "https://b.org/", "ftp://c.org"]),
    ("http://a/\x00b http://c/\x7fd", ["http://a/", "http://c/"]),
    (
        "http://a/\u00a0x http://b/\u3000x http://c/\u2028x http://d/\ufeffx http://e/\u202ex",
        [f"http://{c}/" for c in "abcde"],
    ),
    ("", []),
    ("no URL: none", []),
    # the delimiters of appendix C
    ('"http://a/b" <http://c/d> "http://e/f', ["http://a/b", "http://c/d", "http://e/f"]),
    ("`http://a/b` \\url{http://c/d}\\\\", ["http://a/b", "http://c/d"]),
    (
        "'http://a/b' ['http://c','http://d'] it's http://e/it's",
        ["http://a/b", "http://c", "http://d", "http://e/it's"],
    ),
    # the sentence's punctuation
    *[(f"http://a.org/x{mark} y", ["http://a.org/x"]) for mark in ".,;:!?'\")]}>|"],
    *[(f"http://a.org{mark} y", ["http://a.org"]) for mark in ".,;:!?'\")]}>|*"],
    ("(http://a/b).) http://a/b?!... http://a/b';", ["http://a/b"] * 3),
    ("http://a/b,c;d:e!f?g'h.i", ["http://a/b,c;d:e!f?g'h.i"]),
    (
        "http://a/b/ http://a/b- http://a/b= http://a/b# http://a/b& http://a/*",
        ["http://a/b/", "http://a/b-", "http://a/b=", "http://a/b#", "http://a/b&", "http://a/*"],
    ),
    ("&lt;http://a/b&gt; &quot;http://a/b&quot;. http://a/?x=1&y;", ["http://a/b", "http://a/b", "http://a/?x=1"]),
    ("http://a/?x=1&amp;y=2;", ["http://a/?x=1&amp;y=2"]),
    # brackets
    ("https://en.wikipedia.org/wiki/A_(b)", ["https://en.wikipedia.org/wiki/A_(b)"]),
    (
        "(see https://en.wikipedia.org/wiki/A_(b)) {http://a/{x}} [http://a/[y]]",
        ["https://en.wikipedia.org/wiki/A_(b)", "http://a/{x}", "http://a/[y]"],
    ),
    ("http://a/?x[]=1&y[0]=2", ["http://a/?x[]=1&y[0]=2"]),
    (
        "http://a/b(c http://a/b( http://a/b)c http://a/b[( .",
        ["http://a/b(c", "http://a/b", "http://a/b", "http://a/b"],
    ),
    ("[x](http://a/b)[y](http://c/d_(e) 'title')![](http://f.png)", ["http://a/b", "http://c/d_(e)", "http://f.png"]),
    ("[url]http://a/b[/url][url=http://c]x[/url][http://d e]", ["http://a/b", "http://c", "http://d"]),
    # emphasis
    (
        "**http://a/b** _http://a/b_c_ ~~http://a/b~~ *http://a/b_*",
        ["http://a/b", "http://a/b_c", "http://a/b", "http://a/b_"],
    ),
    ("http://a/b** http://a/b_", ["http://a/b**", "http://a/b_"]),
    # HTML
    ("<a href='http://a/b'>x</a><a href=\"http://c/?x=1&amp;y=2\">", ["http://a/b", "http://c/?x=1&amp;y=2"]),
    ("<a href=http://a/b>http://a/b</a><br>http://c<br>", ["http://a/b", "http://a/b", "http://c"]),
    ('<img srcset="http://a/1 1x, http://b/2 2x">', ["http://a/1", "http://b/2"]),
    ('{"u":"http://a/b","v":"http://c/d\\n"}', ["http://a/b", "http://c/d"]),
    ("url(http://a/b.png)", ["http://a/b.png"]),
    # lists
    ("http://a/x,http://b/y;http://c|http://d", ["http://a/x", "http://b/y", "http://c", "http://d"]),
    (
        "http://a/x,y http://a/?u=http://b/,c http://web/2020/http://b/",
        ["http://a/x,y", "http://a/?u=http://b/,c", "http://web/2020/http://b/"],
    ),
    # not in the middle of a word
    ("xhttp://a 1http://b x1http://c", []),
    (
        "x.http://a x-http://b ..http://c -http://d (http://e _http://f /http://g =http://h",
        [f"http://{c}" for c in "abcdefgh"],
    ),
    ("URL:http://a link:http://b", ["http://a", "http://b"]),
    # beyond ASCII
    ("http://bücher.example/straße?ä#ö", ["http://bücher.example/straße?ä#ö"]),
    (
        "请看http://例え.jp/吧。好（http://a/b）「http://c/d」http://e/f，http://g/、",
        ["http://例え.jp/吧", "http://a/b", "http://c/d", "http://e/f", "http://g/"],
    ),
    ("“http://a/b” ‘http://c’ «http://d/» http://e/…", ["http://a/b", "http://c", "http://d/", "http://e/"]),
    ("http://a/々 http://a/\u200cb http://a/–b", ["http://a/々", "http://a/\u200cb", "http://a/–b"]),
    ("http://a/\ud800b http://a\ud800/ \udfffhttp://b", ["http://a/\ud800b", "http://b"]),
]


@pytest.mark.parametrize(("text", "wanted"), BARE)
def test_where_a_url_begins_and_ends(text, wanted):
    assert found(text) == wanted
    for match in extract_urls(text):
        assert text[match.start : match.end] == match.text and not match.guessed
        assert match.url == urlsm.parse(match.text)


AUTHORITIES = [
    ("http://[::1]/ http://[1::2]:80/x (http://[::1])", ["http://[::1]/", "http://[1::2]:80/x", "http://[::1]"]),
    ("http://[::1]:80. http://[x] http://[", ["http://[::1]:80"]),
    (
        "http://u:p@h/ ftp://u!(x)@h/ http://h:80, http://h: x http://h:/x",
        ["http://u:p@h/", "ftp://u!(x)@h/", "http://h:80", "http://h", "http://h:/x"],
    ),
    ("http://h:x http://a.org(x) http://a.org,x http://a.org'x http://a.org;x", ["http://h", *["http://a.org"] * 4]),
    ("http://HOST.org/ HTTP://h hTtPs://h", ["http://HOST.org/", "HTTP://h", "hTtPs://h"]),
    ("http://h?x http://h#x", ["http://h?x", "http://h#x"]),
    ("mongodb://a,b/c postgresql:///x redis://:p@h:1/0", ["mongodb://a,b/c", "postgresql:///x", "redis://:p@h:1/0"]),
    ("http:// http://... http:///x http://<h>/ http://{h}/ http://$h/ http://) http:/x http:x http:", []),
    ("http://%zz/x http://a^b/ http://h:99999/ http://1.2.3.256/", ["http://a"]),
    ("http://%zz/http://a/ http://b", ["http://b"]),
]


@pytest.mark.parametrize(("text", "wanted"), AUTHORITIES)
def test_authorities(text, wanted):
    assert found(text) == wanted


# --- schemes ---

MEANT = [
    *("mailto:a@b.c", "mailto:a@b.c?subject=x", "mailto:?to=a@b", "mailto:a+x@[1.2.3.4]", "MAILTO:a@b"),
    *("tel:+1-201-555-0123", "tel:911", "tel:(201)555", "sms:+15105550101", "sms:+15105550101?body=hi"),
    *("urn:isbn:0-395-36341-1", "urn:ietf:rfc:2648", "URN:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6"),
    *("news:comp.lang.python", "news:a1@b.org", "snews:a.b", "sip:a@b", "sips:a.example", "xmpp:a@b/c"),
    *("hdl:10.1000/182", "dns:www.example.org", "stun:h.example:3478"),
    *("turns:h.example?transport=tcp", "geo:37.78,-122.4;u=35", "geo:1,2"),
    *("data:,x", "data:text/plain;base64,SGk=", "data:;charset=utf-8,x", "magnet:?xt=urn:btih:x", "about:blank"),
    *("about:srcdoc", "ABOUT:Blank", "javascript:void(0)", "javascript:a.b(1)", "javascript:(function(){})()"),
    *("blob:https://a/b", "view-source:http://a", "jdbc:mysql://h/x", "jdbc:sqlite:x.db"),
    *("file:///etc/x", "file:/etc/x", "file://h/x", "ws://h", "wss://h", "ssh://h", "git://h/x", "svn+ssh://h/x"),
    *("s3://b/k", "ldap:///dc=x", "git+https://h/x", "x+http://h", "http+unix://%2Frun%2Fx/y", "gopher://h/1"),
]  # fmt: skip
PROSE = [
    *("mailto: a@b", "mailto:x", "mailto:", "mailto:@b", "mailto:a@", "mailto:a b@c", "mailto:a@。"),
    *(
        "tel: 911",
        "tel:x",
        "tel:1",
        "Tel:-",
        "sms:hello",
        "urn:",
        "urn:x",
        "urn:x:",
        "urn:a b:c",
        "urn:isbn: 1",
        "urn:ab:。",
    ),
    *("news: today", "news:today", "News:x.", "sip:it", "xmpp:x", "dns:failed", "hdl:x", "stun:him", "turn:left"),
    *(
        "geo:x",
        "geo:1",
        "geo:1,",
        "geo:1,x",
        "geo:.,1",
        "data: we saw",
        "data:x",
        "data:a,b",
        "data:,",
        "data:;x,.",
        "data:1/2",
    ),
    *("magnet:x", "magnet:?x", "magnet:?", "about: x", "about:x", "about:me", "about:blanket"),
    *("javascript:x", "JavaScript: the good parts", "javascript:the", "blob:x", "blob:", "view-source:x", "jdbc:x"),
    *("file:x", "file: /x", "file:/", "ws:x", "ssh:x", "git:x", "s3:x", "redis:6379", "http:g", "std::vector", "12:30"),
    *("a:b", "x:y:z", ":", "::", "://h", "://", "foo://h", "no-such://h", "unknown+thing://h", "+://h"),
]


@pytest.mark.parametrize("text", MEANT)
def test_schemes_with_enough_behind_them(text):
    assert found(text) == found(f"({text}), x") == found(f"<{text}>") == found(f"é {text}.") == [text]


@pytest.mark.parametrize("text", PROSE)
def test_prose_that_only_begins_like_a_url(text):
    assert found(text) == found(f"({text}), x") == found(f"é {text} x") == []


def test_a_registered_scheme_is_found():
    class Isbn(Scheme):
        names = ("x-isbn-here",)

    assert found("x-isbn-here:12 x-isbn-here://h") == []
    urlsm.register(Isbn)
    try:
        assert found("X-Isbn-Here:12, x-isbn-here://h/ x-isbn-here: x x-isbn-here:. a.x-isbn-here:x") == [
            "X-Isbn-Here:12", "x-isbn-here://h/", "x-isbn-here:x",
        ]  # fmt: skip
        assert found("y+x-isbn-here://h y+x-isbn-here:h") == ["y+x-isbn-here://h"]
    finally:
        urlsm.unregister("x-isbn-here")
    assert found("x-isbn-here:12") == []


def test_a_plug_in_is_found_by_its_name_and_not_imported(tmp_path):
    info = tmp_path / "party-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: party\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[urlsm.schemes]\nparty = party_that_is_not_there:Party\n")
    code = "import json\nfrom urlsm.documents import extract_urls\n"
    code += "print(json.dumps([str(m) for m in extract_urls('party:x, party://h other:x')]))"
    root = pathlib.Path(urlsm.__file__).parents[1]
    path = f"import sys; sys.path[:0] = [{str(tmp_path)!r}, {str(root)!r}]\n"
    run = subprocess.run([sys.executable, "-c", path + code], capture_output=True, text=True, check=True)
    assert json.loads(run.stdout) == ["party:x", "party://h"]


def test_what_is_special_looks_nothing_up():
    root = pathlib.Path(urlsm.__file__).parents[1]
    code = (
        f"import sys; sys.path.insert(0, {str(root)!r})\nimport urlsm\n"
        "assert len(list(urlsm.documents.extract_urls('note: at 12:30, http://a/b'))) == 1\n"
        "print('urlsm.meaning.registry' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"


# --- angle brackets ---

WRAPPED = [
    ("<http://a/b>", ["http://a/b"]),
    ("<http://a/b.> <http://a/(b> <http://a/b)c;>", ["http://a/b.", "http://a/(b", "http://a/b)c;"]),
    ("<http://a/b\n   c/\r\n\td>", ["http://a/bc/d"]),
    ("<http://a/b-\n  c>", ["http://a/b-c"]),
    ("< \n http://a/b >", ["http://a/b"]),
    ("<foo://bar> <foo:bar> <svg:rect x='1'> <news:title>", ["foo://bar"]),
    (
        "<URL:http://a/b> <url:foo:bar> <Url: mailto:x > < URL:http://a\n/c>",
        ["http://a/b", "foo:bar", "mailto:x", "http://a/c"],
    ),
    ("<URL:../x> <URL:> <URL: > <../x> <b>", []),
    ("<URL:http://a^ , http://b> x", ["http://a", "http://b"]),
    # not closed: as without it
    ("<http://a/b c", ["http://a/b"]),
    ("<http://a/b. <http://c/d>", ["http://a/b", "http://c/d"]),
    ('<http://a/b" c>', ["http://a/b"]),
    ("<URL:http://a/b, c", ["http://a/b"]),
    # a line break where it prevents a URL
    ("<http://a^ http://b>", ["http://a", "http://b"]),
]


@pytest.mark.parametrize(("text", "wanted"), WRAPPED)
def test_angle_brackets(text, wanted):
    assert found(text) == wanted
    for match in extract_urls(text):
        assert unwrap(text[match.start : match.end]) == match.text
        assert not text[match.start].isspace() and not text[match.end - 1].isspace()


def test_relative_references_are_found_where_they_are_labelled_and_there_is_a_base():
    text = "<URL:../x> ../y <URL: ?q > <../z> http:g <URL:www.a.org> <URL:http://c/>"
    for base in ("http://h/a/b", b"http://h/a/b", urlsm.parse("http://h/a/b")):
        made = [(str(match), match.url.href) for match in extract_urls(text, base=base)]
        assert made == [("../x", "http://h/x"), ("?q", "http://h/a/b?q"), ("www.a.org", "http://h/a/www.a.org"),
                        ("http://c/", "http://c/")]  # fmt: skip


# --- guesses ---

GUESSES = [
    (
        "www.example.org/x, (www.w3.org/Addressing/). WWW.a.de",
        ["www.example.org/x", "www.w3.org/Addressing/", "WWW.a.de"],
    ),
    (
        "example.org, a.com. b.net: c.edu; d.gov! e.info? f.biz",
        ["example.org", "a.com", "b.net", "c.edu", "d.gov", "e.info", "f.biz"],
    ),
    (
        "bbc.co.uk spiegel.de/x www.spiegel.de sub-x.spiegel.de",
        ["bbc.co.uk", "spiegel.de/x", "www.spiegel.de", "sub-x.spiegel.de"],
    ),
    ("spiegel.de foo.py e.g. i.e. U.S.A. end.It 1.2.3.4 v1.2.3 a..com x.c file.txt www.x www.. . .. .com", []),
    (
        "a.com:8080/x a.com:80 a.com: a.com?x a.com#x a.com?",
        ["a.com:8080/x", "a.com:80", "a.com", "a.com?x", "a.com#x", "a.com"],
    ),
    (
        "joe@a.com joe.doe@a.com src/a.com \\a.com $a.com a.com(x) a.com[0] a.com=1 a.com_b _a.com-x x_a.com a.com@b",
        [],
    ),
    (
        "é.a.com a.comé éa.com a.com:x",
        [],
    ),
    (
        "<www.a.org> \"a.com\" 'b.com' (c.com) [d.com] *e.com* _f.com_ g.com, see:h.com x=i.com",
        ["www.a.org", *[f"{c}.com" for c in "abcdefghi"]],
    ),
    ("请看www.a.org。「a.com」 www.a.org，", ["www.a.org", "a.com", "www.a.org"]),
    (
        "http://www.a.org/ www.a.com,http://b.com mailto:x@www.a.org soap.beep.com://x",
        ["http://www.a.org/", "www.a.com", "http://b.com", "mailto:x@www.a.org"],
    ),
    ("www.a.org/b_(c) (www.a.org/b) www.a.org/é", ["www.a.org/b_(c)", "www.a.org/b", "www.a.org/é"]),
    ("www.a.org:99999", []),
]


@pytest.mark.parametrize(("text", "wanted"), GUESSES)
def test_guesses(text, wanted):
    assert found(text, guess_scheme=True) == wanted
    for match in extract_urls(text, guess_scheme=True):
        assert match.guessed == (match.text[:4].lower() not in ("http", "mail"))
        assert match.url == urlsm.parse(("http://" if match.guessed else "") + match.text)
        assert text[match.start : match.end] == match.text
    assert not any(match.guessed for match in extract_urls(text))


# --- texts ---


class Text(str):
    __slots__ = ()

    def __getitem__(self, index):
        raise AssertionError("a subclass's methods must not matter")


def test_str_subclasses_and_bytes():
    text = "é <URL:http://a/\n b> 日http://c/ü. http://d/"
    wanted = [("http://a/b", 7, 19), ("http://c/ü", 22, 32), ("http://d/", 34, 43)]
    for given in (text, Text(text)):
        assert [(m.text, m.start, m.end) for m in extract_urls(given)] == wanted
    octets = text.encode()
    for match, (clean, start, end) in zip(extract_urls(octets), wanted, strict=True):
        assert type(match.text) is str and match.text == clean
        assert octets[match.start : match.end].decode() == text[start:end]
    assert found(b"\xff\xfehttp://a/\xff\xe2\x80 http://b/\xe3\x80\x82 \xc3") == ["http://a/\ufffd\ufffd", "http://b/"]
    assert found(b"http://a/\xed\xa0\x80") == ["http://a/\ufffd\ufffd\ufffd"]
    for wrong in (None, 1, bytearray(b"http://a"), urlsm.parse("http://a")):
        with pytest.raises(TypeError):
            extract_urls(wrong)
        with pytest.raises(TypeError):
            unwrap(wrong)


def test_a_wrong_base_is_told_at_once():
    with pytest.raises(ParseError):
        extract_urls("", base="no base")
    with pytest.raises(TypeError):
        extract_urls("", base=5)
    with pytest.raises(TypeError):
        extract_urls("", None, True)


def test_the_iterator_holds_its_text():
    matches = extract_urls("".join(["é http://a/", "b" * 9, " http://c/"]))
    assert iter(matches) is matches
    assert str(next(matches)) == "http://a/bbbbbbbbb" and str(next(matches)) == "http://c/"
    for _ in range(2):
        with pytest.raises(StopIteration):
            next(matches)
    with pytest.raises(TypeError):
        copy.copy(matches)
    assert list(type(matches).__new__(type(matches))) == []


def test_a_match_is_a_frozen_value():
    [match] = extract_urls("x http://u:secret@a/b.")
    assert (match.text, str(match), match.start, match.end, match.guessed) == (
        str(match),
        "http://u:secret@a/b",
        2,
        21,
        False,
    )
    assert "secret" not in repr(match) and "2:21" in repr(match)
    [same], [moved], [guess] = (
        extract_urls("x http://u:secret@a/b"),
        extract_urls("http://u:secret@a/b"),
        extract_urls("a.com", guess_scheme=True),
    )
    assert match == same and hash(match) == hash(same) and match not in (moved, guess, match.text)
    assert "guess" in repr(guess) and "guess" not in repr(match)
    for again in (pickle.loads(pickle.dumps(match)), copy.copy(match), copy.deepcopy(match)):
        assert again == match and type(again) is UrlMatch
    for name in ("url", "text", "start", "end", "guessed", "other"):
        with pytest.raises(AttributeError):
            setattr(match, name, None)
    with pytest.raises(TypeError):
        UrlMatch()


# --- unwrap ---


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("http://a/b", "http://a/b"),
        (" <http://a/b> ", "http://a/b"),
        ("<URL:http://a/b>", "http://a/b"),
        ("<url: http://a/b >", "http://a/b"),
        ("uRl:http://a/b", "http://a/b"),
        ('"http://a/b"', "http://a/b"),
        ("'http://a/b'", "http://a/b"),
        ('"<URL:http://a/b>"', "http://a/b"),
        ("<http://a/foo-\n   bar>", "http://a/foo-bar"),
        ("<http://a/x\n\t y\u2028z>", "http://a/xyz"),
        ("<http://a/b", "<http://a/b"),
        ("http://a/'b'", "http://a/'b'"),
        ("../x", "../x"),
        ("<", "<"),
        ("<>", ""),
        ("", ""),
        ("URL", "URL"),
        ("u\nrl:x", "x"),
        (b" <URL:http://a/\xc3\xa9> ", "http://a/é"),
    ],
)
def test_unwrap(text, wanted):
    assert unwrap(text) == wanted


# RFC 2396 appendix E, and RFC 3986 appendix C, as they stand
APPENDIX = """\
      Yes, Jim, I found it under "http://www.w3.org/Addressing/",
      but you can probably pick it up from <ftp://foo.example.
      com/rfc/>.  Note the warning in <http://www.ics.uci.edu/pub/
      ietf/uri/historical.html#WARNING>.
"""


def test_the_appendix():
    assert found(APPENDIX) == [
        "http://www.w3.org/Addressing/",
        "ftp://foo.example.com/rfc/",
        "http://www.ics.uci.edu/pub/ietf/uri/historical.html#WARNING",
    ]
