"""extract: full-width brackets, e-mail addresses and defanged texts, which are found on request."""

from __future__ import annotations

import copy
import pickle
import time

import pytest
from support.seeds import draws, seeded

import urlsm
from urlsm.documents import extract_urls


def found(text: str | bytes, **options: bool) -> list[str]:
    return [match.text for match in extract_urls(text, **options)]


# --- full-width and ideographic brackets ---

PAIRS = [
    "（）",
    "［］",
    "｛｝",
    "｟｠",
    "＜＞",
    "「」",
    "『』",
    "【】",
    "〈〉",
    "《》",
    "〔〕",
    "〖〗",
    "〘〙",
    "〚〛",
    "｢｣",
]


@pytest.mark.parametrize(("left", "right"), PAIRS)
def test_a_pair_of_brackets_belongs_to_the_url(left: str, right: str):
    url = f"http://a/b{left}c{right}"
    for text in (
        url,
        f"{url}/d",
        f"{url}{url[8:]}?{left}{left}x{right}y{right}#{left}{right}",
        f"http://h/?q={left}x{right}",
    ):
        for given in (text, f"{left}{text}{right}", f"看 {text}。", f"({text})"):
            assert found(given) == [text], given
            assert [m.text for m in extract_urls(given.encode())] == [text]
    assert found(f"{left}http://a/b{right}c") == ["http://a/b"]
    assert found(f"http://a/b{left}c d{right}") == ["http://a/b"]
    assert found(f"http://a/b{left}") == found(f"http://a/b.{left}c") == ["http://a/b"]
    assert found(f"http://a{left}b{right}/") == ["http://a"]  # no host has one
    assert found(f"http://a/{left}b，c{right} http://a/{left}b。{right}") == ["http://a/", "http://a/"]


@pytest.mark.parametrize("text", ["http://a/b（c】", "http://a/b（c【d）】", "http://a/b（c）】", "http://a/b〒c"])
def test_brackets_that_are_no_pair_end_it(text: str):
    [match] = extract_urls(text)
    assert match.text in ("http://a/b", "http://a/b（c）") and (match.text == "http://a/b") == ("c）】" not in text)


def test_many_open_brackets():
    inside = "（" * 8 + "x" + "）" * 8
    assert found(f"http://a/{inside}") == [f"http://a/{inside}"]
    assert found(f"http://a/（{inside}）") == ["http://a/"]
    start = time.process_time()
    for text in (
        "http://a/（" * 50_000,
        "http://a/（x（）" * 50_000,
        "http://a/【（" * 50_000,
        "http://a/" + "（" * 500_000,
    ):
        found(text)
    assert time.process_time() - start < 5


# --- e-mail addresses ---

ADDRESSES = [
    "joe@a.com", "x.y+z-w_v@b-c.co.uk", "o'neil@d.org", "J@A.DE", "1@2.museum", "100%x@a.com", "a~b@c.de", "_a@b.cd",
    "a@xn--bcher-kva.xn--p1ai", "a" * 64 + "@b.cd", "a@" + "b." * 124 + "cd",
]  # fmt: skip


@pytest.mark.parametrize("address", ADDRESSES)
def test_an_address_is_found(address: str):
    places = ["{}", "Write to {}.", "<{}>", "'{}'", '"{}",', "({})!", "mail:{}: hi", "to={};", "请联系{}吧", "**{}**",
              "a;{},b",               "é {} é", "\t{}\0", "{}...", "{}-", "„{}“", "|{}|", "`{}`"]  # fmt: skip
    for place in places:
        text = place.format(address)
        [match] = extract_urls(text, emails=True)
        assert (match.text, match.guessed) == (address, True), text
        assert text[match.start : match.end] == address
        assert match.url == urlsm.parse("mailto:" + address.replace("%", "%25"))
        assert urlsm.parts(match.url).recipients == (address,)
        assert [m.text for m in extract_urls(text.encode(), emails=True)] == [address]
        assert found(text, emails=True, guess_scheme=True) == [address]
        assert found(text) == []


@pytest.mark.parametrize("text", [
    "a@b", "@a.com", "a@", "a@.com", "a@b..com", "a@-b.com", "a@b-.com", "a@b.c", "a@b.1", "lodash@4.17.21", "a@b.c1",
    "logo@2x.png", "git@github.com:o/r", "@joe@masto.social", "//joe@a.com", "a.@b.com", "a@b.com@c.com", "a@b.com_c",
    "a@b.com/c", "jörg@a.com", "joe@a.comé", "joe@exämple.de", "a" * 65 + "@b.cd", "a@" + "b." * 127 + "cd", "@",
    "a@@b.com",     "a@" + "b" * 64 + ".com",
])  # fmt: skip
def test_what_is_no_address(text: str):
    assert found(text, emails=True) == [] == found(text.encode(), emails=True)


def test_addresses_beside_urls():
    text = "mailto:q@e.com http://u@f.com/ a@b.com,http://c.de/?x=d@e.fr xmpp:z@a.com/x www.a.org/x@y.de a.b@c.de"
    urls = ["mailto:q@e.com", "http://u@f.com/", "http://c.de/?x=d@e.fr", "xmpp:z@a.com/x"]
    assert found(text) == urls
    mixed = ["mailto:q@e.com", "http://u@f.com/", "a@b.com", "http://c.de/?x=d@e.fr", "xmpp:z@a.com/x"]
    assert found(text, emails=True) == [*mixed, "a.b@c.de"]
    assert found(text, emails=True, guess_scheme=True) == [*mixed, "www.a.org/x@y.de", "a.b@c.de"]
    kinds = [
        match.url.scheme for match in extract_urls("www.a.org?x@y.de a@b.de www.b.org", emails=True, guess_scheme=True)
    ]
    assert kinds == ["http", "mailto", "http"]


# --- defanged texts ---

DEFANGED = [
    ("hxxp://evil[.]com/x", "http://evil.com/x", False),
    ("hXXps[:]//a(dot)b{.}ru[:]8080/p?q", "https://a.b.ru:8080/p?q", False),
    ("HXXP[://]a.b/", "http://a.b/", False),
    ("http[:]//a.b", "http://a.b/", False),
    ("ssh[:]//a[.]b", "ssh://a.b", False),
    ("fxp://a[.]b/", "ftp://a.b/", False),
    ("sfxp://a[.]b/", "sftp://a.b/", False),
    ("h**ps://a.b/", "https://a.b/", False),
    ("hxxp[s]://a.b/", "https://a.b/", False),
    ("http(s)://a.b/", "https://a.b/", False),
    ("hxxp:[//]a.b[/]c", "http://a.b/c", False),
    ("hxxp://[::1]/[.]x", "http://[::1]/[.]x", False),
    ("hxxp://1[.]2[.]3[.]4:80/", "http://1.2.3.4/", False),
    ("hxxps://a[.]b/?u=c[.]com", "https://a.b/?u=c.com", False),
    ("hxxp://joe[@]a[.]b/", "http://joe@a.b/", False),
    ("hxxp://bücher[.]example/ö", "http://xn--bcher-kva.example/%C3%B6", False),
    ("evil[.]example", "http://evil.example/", True),
    ("a[dot]b(DOT)co.uk/x?y#z", "http://a.b.co.uk/x?y#z", True),
    ("evil[.]com:8080/x", "http://evil.com:8080/x", True),
    ("1[.]2[.]3[.]4", "http://1.2.3.4/", True),
    ("hxxp://evil[.com/", "http://evil.com/", False),
    ("hxxp://evil.]com/", "http://evil.com/", False),
    ("evil[.com", "http://evil.com/", True),
    ("evil\\.com", "http://evil.com/", True),
    ("a-b[.]xn--p1ai", "http://a-b.xn--p1ai/", True),
    ("http://a.org/x", "http://a.org/x", False),  # and what nobody defanged
]


@pytest.mark.parametrize(("text", "url", "guess"), DEFANGED)
def test_a_defanged_text_is_found(text: str, url: str, guess: bool):
    for place in ("{}", "see {}.", "<{}>", "'{}'", '"{}"', "({})", "é,{} é", "日 {} 本", "\udc80 {} x", "{}，{}"):
        given = place.format(text, text)
        matches = [*extract_urls(given, defanged=True)]
        assert [(m.text, str(m.url), m.guessed) for m in matches] == [
            (text, str(urlsm.parse(url)), guess)
        ] * place.count("{}"), given
        assert all(given[m.start : m.end] == text for m in matches)
        for match in matches:
            for again in (pickle.loads(pickle.dumps(match)), copy.copy(match)):
                assert again == match
        octets = given.encode("utf-8", "surrogatepass")
        matches = [*extract_urls(octets, defanged=True)]
        assert (
            [octets[m.start : m.end].decode() for m in matches]
            == [text] * place.count("{}")
            == [m.text for m in matches]
        )


@pytest.mark.parametrize("text", [
    "a [.] b", "a[.]b.c", "a[.]1", "[.]com", "evil[.] com", "evil.com", "u[.]com@h", "x[.]y=1", "evil(.)", "1[.]2",
    "dot (dot) dot2", "éevil[.]com", "evil[.]comé", "_evil[.]com", "/evil[.]com", "http:", "hxxp", "hxxp:", "hxxp://",
    "[:]//", "regex [.][.]", "1[.]2[.]3[.]4[.]5",
])  # fmt: skip
def test_what_is_not_defanged(text: str):
    assert found(text, defanged=True) == [] == found(text.encode(), defanged=True)


def test_white_space_around_marks():
    text = "joe [at] evil [dot] com, a (dot) com"
    matches = [*extract_urls(text, defanged=True, emails=True)]
    assert [(m.text, str(m.url)) for m in matches] == [
        ("joe[at]evil[dot]com", "mailto:joe@evil.com"), ("a(dot)com", "http://a.com/"),
    ]  # fmt: skip
    assert [text[m.start : m.end] for m in matches] == ["joe [at] evil [dot] com", "a (dot) com"]


def test_defanged_with_other_options():
    assert found("joe[@]evil[.]com", defanged=True) == []
    assert found("joe[@]evil[.]com", defanged=True, emails=True) == ["joe[@]evil[.]com"]
    assert found("请看evil[.]com吧", defanged=True) == ["evil[.]com"]
    text = "jar:hxxp://a[.]b/é!/y, view-source:hxxps://ü[.]com/"
    for given in (text, text.encode()):
        matches = [*extract_urls(given, defanged=True, nested=True)]
        places = [given[m.start : m.end] for m in matches]
        assert [p if isinstance(p, str) else p.decode() for p in places] == [m.text for m in matches] == [
            "jar:hxxp://a[.]b/é!/y", "hxxp://a[.]b/é", "view-source:hxxps://ü[.]com/", "hxxps://ü[.]com/",
        ]  # fmt: skip
    [match] = extract_urls("<URL:../x[.]y>", base="http://h/", defanged=True)
    assert str(match.url) == "http://h/x.y"
    for wrong in (None, 5, bytearray(b"x")):
        with pytest.raises(TypeError):
            extract_urls(wrong, defanged=True)  # type: ignore[arg-type]


def test_any_text_with_all_options():
    random = seeded("extract options")
    pieces = ["hxxp", "http", "://", "[:]//", "a", "evil", "[.]", "(dot)", ".", "com", "@", "[at]", " ", "（", "）",
              "【", "】", "é", "日", "\udcff", "\0", "/", "?", "mailto:", "-", "1", "\\.", "<", ">",
              ",", "URL:", "jar:", "!/"]  # fmt: skip
    for _ in range(draws(20_000)):
        text = "".join(random.choices(pieces, k=random.randrange(14)))
        last = 0
        for match in extract_urls(text, guess_scheme=True, emails=True, defanged=True):
            assert last <= match.start < match.end <= len(text), text
            assert "".join(text[match.start : match.end].split()) == match.text, text
            last = match.end
        octets = text.encode("utf-8", "surrogateescape")
        for match in extract_urls(octets, guess_scheme=True, emails=True, defanged=True):
            assert "".join(octets[match.start : match.end].decode("utf-8", "replace").split()) == match.text


@pytest.mark.slow(1)
def test_a_long_text():
    start = time.process_time()
    for piece in ("hxxp://a[.]b/ ", "a[.]", "a@", "a.b@c.de ", "[.]", "a-", "evil[.]com,", "h**p", "joe [at] ", "a.@",
                  "1[.]2[.]3[.]4 ", "é[.]é", "@a.com/", "a" * 70 + "@"):  # fmt: skip
        text = piece * (200_000 // len(piece))
        for given in (text, text.encode()):
            for _ in extract_urls(given, emails=True, defanged=True, guess_scheme=True):
                pass
    assert time.process_time() - start < 30
