"""Keys: golden ones that never change, the caller's own text, encodings, refusals, hostile texts, linear time."""

from __future__ import annotations

import json
import pathlib
import re
import runpy
from itertools import product

import pytest
from hypothesis import given
from support.generate import any_text
from support.seeds import seeded
from support.times import at_last, least_seconds

import urlsm
from urlsm import ParseError, crawler
from urlsm.compat.w3lib import safe_url_string
from urlsm.crawler import canonicalize, canonicalize_many, links, profile, try_canonicalize

GOLDEN = json.loads((pathlib.Path(__file__).parent / "golden.json").read_text(encoding="utf-8"))
NAMES = GOLDEN["profiles"]


@pytest.mark.parametrize("row", GOLDEN["keys"], ids=lambda row: ascii(row[0])[:60])
def test_golden_keys(row: list[str | None]):
    """A named profile never changes its answers: rows are added, never changed."""
    text, *keys = row
    assert {name: try_canonicalize(text, name) for name in NAMES} == dict(zip(NAMES, keys, strict=True))


def test_every_profile_is_golden():
    assert set(NAMES) == set(crawler.PROFILES), "python tools/golden.py --add NAME"


def test_the_tool_adds_the_keys_of_a_new_profile():
    """For a removed profile, it writes the existing file again."""
    tool = pathlib.Path(__file__).parents[2] / "tools" / "golden.py"
    if not tool.is_file():
        pytest.skip("not a clone")
    found = runpy.run_path(str(tool))
    less = {"profiles": NAMES[:-1], "keys": [row[:-1] for row in GOLDEN["keys"]]}
    text = (pathlib.Path(__file__).parent / "golden.json").read_text(encoding="utf-8")
    assert found["written"](found["with_profile"](less, NAMES[-1])) == text
    for name in (NAMES[0], "no-such"):
        with pytest.raises(ValueError, match="golden already, or not a profile"):
            found["with_profile"](GOLDEN, name)


def test_many_is_one_after_the_other():
    texts = [row[0] for row in GOLDEN["keys"]]
    for k, name in enumerate(NAMES):
        assert canonicalize_many(texts, name) == [row[k + 1] for row in GOLDEN["keys"]]
        assert canonicalize_many(iter(texts), profile(name)) == canonicalize_many(texts, name)


# --- the same text is returned ---


@pytest.mark.parametrize("name", ["w3lib", "w3lib-2.2", "safebrowsing", "crawler-commons", "urlsm-1"])
def test_the_very_str_given_comes_back(name: str):
    for text in ("https://example.org/a/b?x=1&y=2", "https://example.org/a%20b", "http://example.org/"):
        assert canonicalize(text, name) is text


def test_a_text_that_is_not_ascii_comes_back_too():
    text = "http://.é.example/"  # IDNA refuses it, and w3lib leaves it
    assert canonicalize(text, "w3lib") is text


def test_w3libs_key_has_no_capital_in_a_host_that_idna_refuses():
    assert canonicalize("http://\xc9.%c3\xc9../", "w3lib") == "http://\xe9.%c3\xe9../"
    assert safe_url_string("http://\xc9.%c3\xc9../") == "http://\xe9.%c3\xc9../"  # it takes all after "%" for a zone


def test_what_may_be_given():
    class Text(str):
        pass

    url = urlsm.parse("http://example.org/?b&a")
    for given_url in ("http://example.org/?b&a", Text("http://example.org/?b&a"), b"http://example.org/?b&a", url):
        assert canonicalize(given_url) == "http://example.org/?a&b"
        assert canonicalize(given_url, "w3lib") == "http://example.org/?a=&b="
    assert type(canonicalize(Text("http://example.org/"))) is str
    for wrong in (None, 1, [], object()):
        with pytest.raises(TypeError):
            canonicalize(wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        canonicalize("http://example.org/", None)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"w3lib-2\.2"):
        canonicalize("http://example.org/", "w3lib-1")


def test_a_reference_is_resolved_first():
    assert canonicalize("../x?b&a", base="http://example.org/a/b/c") == "http://example.org/a/x?a&b"
    assert canonicalize("?q", "surt", base=urlsm.parse("http://www.example.org/a")) == "org,example)/a?q"
    with pytest.raises(ParseError):
        canonicalize("x", base="y")


# --- encodings ---


def test_encodings():
    assert canonicalize("http://example.org/é?é#é", "w3lib", encoding="latin-1") == "http://example.org/%C3%A9?%E9="
    assert (
        canonicalize(b"http://example.org/\xe9?\xe9", "w3lib", encoding="latin-1") == "http://example.org/%C3%A9?%E9="
    )
    assert canonicalize(b"http://example.org/\xe9?\xe9", "w3lib") == "http://example.org/%E9?%E9="
    # a character that the encoding lacks: UTF-8 for all of it; latin-1, which is windows-1252, has the euro sign
    assert canonicalize("http://example.org/?é=я", "w3lib", encoding="latin-1") == "http://example.org/?%C3%A9=%D1%8F"
    assert canonicalize("http://example.org/?é=\u20ac", "w3lib", encoding="latin-1") == "http://example.org/?%E9=%80"
    # an octet that does not decode becomes its escape
    assert canonicalize(b"http://example.org/?\xff", "w3lib", encoding="ascii") == "http://example.org/?%FF="
    for wrong in ("utf-32", "cp037", "utf-7"):
        with pytest.raises(ValueError, match="ASCII"):
            canonicalize("http://example.org/", "w3lib", encoding=wrong)
    for unknown in ("no-such", "\x80", "\ud800"):
        with pytest.raises(LookupError):
            canonicalize("http://example.org/", "w3lib", encoding=unknown)


# --- refusals ---


@pytest.mark.parametrize(
    ("text", "name", "code", "position"),
    [
        ("http://example.org:8o/", "w3lib", "port-invalid", 20),
        ("http://example.org:65536/", "w3lib", "port-out-of-range", 19),
        ("http://[::1/", "w3lib", "IPv6-unclosed", 7),
        ("http://[1.2.3.4]/", "w3lib", "IPv6-unclosed", 8),
        ("http://a\uff0fb/", "w3lib", "domain-to-ASCII", 0),
        ("http://example.org/\ud800", "surt", "invalid-URL-unit", 0),
        ("tel:a", "commoncrawl", "scheme-not-read", 0),
        ("foo://example.org/", "crawler-commons", "scheme-not-read", 0),
        ("http://a b/", "crawler-commons", "host-invalid-code-point", 7),
        ("http://a/\\", "crawler-commons", "invalid-reverse-solidus", 9),
        ("http:///x", "safebrowsing", "host-missing", 7),
        ("x", "urlsm-1", "missing-scheme-non-relative-URL", 0),
    ],
)
def test_refusals(text: str, name: str, code: str, position: int):
    with pytest.raises(ParseError) as caught:
        canonicalize(text, name)
    assert (caught.value.code, caught.value.url) == (code, text)
    assert caught.value.position == position
    assert code in str(caught.value)
    assert try_canonicalize(text, name) is None


# --- any text at all ---


@given(any_text())
def test_any_text_is_a_key_or_refused(text: str):
    raw = text.encode("utf-8", "surrogatepass")
    for name in NAMES:
        key = try_canonicalize(text, name)
        assert key is None or type(key) is str
        again = try_canonicalize(raw, name)
        assert again == key or max(text) >= "\ud800"


# The keys of crawler-commons, as of its library, that have another key: a host that ends with a dot still, or in which
# a decoded ":" or "@" now stands for a port or user information
_OTHER_KEY = re.compile(r"[^?]*\.(?=[:/?]|$)|[a-z]+://[^/?]*(?:@|:(?:0|80/|443/|21/|/))")


@given(any_text())
def test_a_key_is_its_own_key(text: str):
    for name in ("urlsm-1", "crawler-commons"):
        key = try_canonicalize(text, name)
        if key is not None and not (name == "crawler-commons" and _OTHER_KEY.match(key)):
            assert canonicalize(key, name) == key


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("http://a%3A80/", "http://a:80/"),
        ("http://a%3A0081/", "http://a:0081/"),
        ("http://%3A/", "http://:/"),
        ("http://u%40h/", "http://u@h/"),
        ("http://%5B%3A%3A1%5D/", "http://[::1]/"),
        ("http://[::1]:81/", "http://[::1]:81/"),
        ("http://u%40%5B%3A%3A1%5D%3A81/", "http://u@[::1]:81/"),
        # BasicURLNormalizer gives its URL to java.net.URI and URL in the end, which refuse these
        ("%3AA", None),
        ("http://a%3A80%3A/", None),
        ("http://a%3A80:81/", None),
        ("http://a%3A2147483648/", None),
        ("http://%5B/", None),
        ("http://%61]/", None),
        ("http://%5B%3A%3Ag%5D/", None),
        ("http://%5B::1%5Da/", None),
        ("http://%5B::1%5D", None),
        # without decoding, nothing has changed
        ("http://[v1.x]:81/", "http://[v1.x]:81/"),
    ],
)
def test_crawler_commons_reads_a_decoded_host_again(text: str, key: str | None):
    assert try_canonicalize(text, "crawler-commons") == key


_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
# A "%" that begins no escape, before two hexadecimal digits of which one at least is an escape
_NEW_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})(?:[0-9A-Fa-f]|%(?:3[0-9]|[46][1-6])){2}")
_PIECES = [*"/?#%&=:;.@[]aA14 \té\\", "http:", "//", "..", "%41", "%3A", "%2e", "%25", "%2F", "%5C", "%C3", "%34", "x:"]


def is_its_own_w3lib_key(text: str) -> None:
    """Check that w3lib's key of a key is that key, unless decoding made an escape, or a scheme of a text without
    one."""
    read = re.sub(r"[\t\n\r]", "", text).strip("".join(map(chr, range(33))))
    key = try_canonicalize(text, "w3lib")
    if key is None or _NEW_ESCAPE.search(read) or (_SCHEME.match(key) and not _SCHEME.match(read)):
        return
    assert canonicalize(key, "w3lib") == key


@given(any_text())
def test_w3libs_key_is_its_own_key(text: str):
    is_its_own_w3lib_key(text)


def test_w3libs_keys_of_texts_put_together(cases: int):
    rng = seeded(12)
    for _ in range(cases):
        is_its_own_w3lib_key("".join(rng.choices(_PIECES, k=rng.randrange(14))))
    # the cases that the property leaves out exist
    assert canonicalize("http://h/%%34%31", "w3lib") == "http://h/%41"
    assert canonicalize("http://h/%41", "w3lib") == "http://h/A"
    assert canonicalize("a%3A", "w3lib") == "a:"
    assert canonicalize("a:", "w3lib") == "a:/"


LONG = {
    "escapes of escapes": lambda n: "http://h/" + "%25" * n + "?" + "%2525" * n,
    "ampersands": lambda n: "http://h/?" + "&" * n,
    "dots": lambda n: "http://h/" + "../" * n + "a/" * n + "../" * n,
    "slashes": lambda n: "http://h" + "/" * n,
    "fields": lambda n: "http://h/?" + "&".join(f"{k * 7919 % n}=%41" for k in range(n)),
    "equal fields": lambda n: "http://h/?" + "a=1&" * n,
    "folders": lambda n: "http://h/" + "(0123456789abcdefghijklmn)/" * n + "x.asp",
    "sessions": lambda n: "http://h/?" + "cfid=" * n + "&" + "cftoken=" * n,
    "labels": lambda n: "http://" + "a." * n + "b/",
    "dotted host": lambda n: "http://" + "." * n + "b/",
    "digits": lambda n: "http://" + "1" * n + "/",
    "at signs": lambda n: "http://" + "@" * n + "/",
    "colons": lambda n: "http://h" + ":" * n + "/",
    "https://": lambda n: "https://" * n,
    "backslashes": lambda n: "http:" + "\\" * n,
    "not ASCII": lambda n: "http://" + "é" * n + "/" + "é" * n,
    "www": lambda n: "http://" + "www." * n + "h/",
}


@pytest.mark.slow(2)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("what", LONG)
def test_time_is_linear(what: str, name: str):
    def seconds(n: int) -> float:
        text = LONG[what](n)
        return least_seconds(lambda: try_canonicalize(text, name), 3)

    assert at_last(lambda: (long := seconds(64_000)) < 0.02 or long < 60 * seconds(4_000))


def test_double_slashes_and_dot_segments_are_found_at_any_place():
    for before, after in product(range(20), range(20)):
        start, end = "/" + "x" * before, "y" * after
        key = f"http://h{start}/{end}" if before else f"http://h/{end}"
        for between in ("//", "/./", "///", "/z/../"):
            assert canonicalize(f"http://h{start}{between}{end}", "crawler-commons") == key
        assert canonicalize(f"http://h{start}.{end}z", "crawler-commons") == f"http://h{start}.{end}z"


@pytest.mark.parametrize("encoding", ["latin-1", "cp932", "gbk", "iso-2022-jp", "koi8_r", "utf-16", "x-user-defined"])
@pytest.mark.parametrize(
    "reference",
    [
        "http://h/é?q=é日я#é日",
        "?ü=ß",
        "ws://h/?é",
        "foo:x?é",
        "ht\ttps://h?日\ud800",
        "#?é",
        "//h?日'\"<#>",
        "ftp://h?я",
    ],
)
def test_the_query_of_a_page_is_that_of_its_links(reference, encoding):
    """Where the URL Standard's parser reads the text, and where a base does."""
    for base in ("http://h/a", "ws://h/a"):
        for rules in ("urlsm-1", "w3lib"):
            link = links([reference], base=base, profile=rules, encoding=encoding)[0]
            assert canonicalize(reference, rules, base=base, encoding=encoding) == link.key


def test_the_octets_of_a_legacy_query_stay():
    assert canonicalize("http://h/?q=é", encoding="latin-1") == "http://h/?q=%E9"
    assert canonicalize(b"http://h/\xe9?q=\xe9", encoding="latin-1") == "http://h/%C3%A9?q=%E9"
    assert canonicalize("http://h/?q=é", encoding="cp437") == "http://h/?q=%82"  # a codec of Python alone
    assert canonicalize("http://h/?q=é".encode("utf-16-be"), "w3lib", encoding="utf-16be") == "http://h/?q=%C3%A9"
    with pytest.raises(LookupError):
        canonicalize("http://h/?q=é", encoding="latin-1\0")
