"""Results from keys: fingerprints, SURTs and back, the look-ups of Safe Browsing, the path for robots.txt."""

from __future__ import annotations

import hashlib
import inspect
import json
import re

import pytest
from support import browsing
from support.generate import random_case
from support.seeds import seeded

import urlsm
import urlsm.columns
from urlsm import ParseError, crawler, parse
from urlsm.compat import scrapy
from urlsm.crawler import (
    DupeFilter,
    canonicalize,
    fingerprint,
    fingerprint_many,
    links,
    profile,
    robots_path,
    safebrowsing_expressions,
    safebrowsing_hashes,
    split_surt,
    surt,
    unsurt,
)
from urlsm.crawler.canonical import request_digest, request_fingerprints, use_sha1_instructions, xxh64_of
from urlsm.crawler.profiles import DEFAULT_PROFILE, LATEST, SAFE_URL


@pytest.mark.parametrize(
    ("data", "digest"),
    [  # the vectors of xxHash's own sanity checks and of its documentation, with seed 0
        (b"", 0xEF46DB3751D8E999),
        (b"a", 0xD24EC4F1A98C6E5B),
        (b"abc", 0x44BC2CF5AD770999),
        (b"Nobody inspects the spammish repetition", 0xFBCEA83C8A378BF1),
        (b"xxhash", 0x32DD38952C4BC720),
    ],
)
def test_xxh64(data: bytes, digest: int):
    assert xxh64_of(data) == digest


def test_fingerprints():
    url = "https://example.org/?b=2&a=1#c"
    text = json.dumps({"body": "", "headers": {}, "method": "GET", "url": canonicalize(url, "w3lib")}, sort_keys=True)
    assert scrapy.fingerprint(url) == hashlib.sha1(text.encode()).digest()
    key = canonicalize(url).encode()
    assert fingerprint(url, kind="sha1") == hashlib.sha1(key).digest()
    assert fingerprint(url, kind="blake2b-128") == hashlib.blake2b(key, digest_size=16).digest()
    assert fingerprint(url) == fingerprint(url, kind="xxh64") == xxh64_of(key)
    assert fingerprint(url, "w3lib") == xxh64_of(canonicalize(url, "w3lib").encode())
    assert fingerprint(url, "surt", kind="sha1") == hashlib.sha1(b"org,example)/?a=1&b=2").digest()
    assert fingerprint(parse(url)) == fingerprint(url) == fingerprint(url, profile("urlsm"))


def test_what_is_stored_has_a_numbered_profile():
    assert DupeFilter(set()).profile == "urlsm-1" and scrapy.DupeFilter(set()).profile == "w3lib-2.5"
    for alias, named in LATEST.items():
        assert re.search(r"-[\d.]+$", named) and DupeFilter(set(), profile=named).profile == named
        with pytest.raises(ValueError, match=f"pass '{named}' instead"):
            DupeFilter(set(), profile=alias)


def test_one_default_profile():
    """Each function of the crawler, of columns and of the engines that takes a profile has the same default."""
    found = {
        f"{module.__name__}.{name}": parameters["profile"].default
        for module in (urlsm.crawler, urlsm.columns)
        for name in module.__all__
        if inspect.isroutine(getattr(module, name))
        and "profile" in (parameters := inspect.signature(getattr(module, name)).parameters)
    }
    assert len(found) > 8
    assert {name: default for name, default in found.items() if default != DEFAULT_PROFILE} == {
        "urlsm.crawler.surt": "surt",
        "urlsm.crawler.surt_range": "surt",
        "urlsm.columns.surt": "surt",
    }
    texts = ["http://h/?b&a#x", "HTTP://H:80/a/../b?z=&y"]
    keys = [canonicalize(text) for text in texts]
    assert [link.key for link in links(texts, base="http://h/")] == keys
    assert fingerprint_many(texts) == [xxh64_of(key.encode()) for key in keys]


def test_sha1_of_every_length_by_instructions_and_without():
    try:
        for wanted in (False, True):
            assert use_sha1_instructions(wanted) <= wanted
            for n in (*range(140), 1000, 100_000):
                url = "http://h.example/" + "ab7" * n
                assert fingerprint(url, kind="sha1") == hashlib.sha1(url.encode()).digest()
    finally:
        use_sha1_instructions(True)


def test_scrapys_fingerprint_has_a_method_and_a_body():
    url = "https://example.org/"
    text = '{"body": "61ff", "headers": {}, "method": "POST", "url": "https://example.org/"}'
    assert scrapy.fingerprint(url, method="post", body=b"a\xff") == hashlib.sha1(text.encode()).digest()
    # a host that IDNA refuses stays as it is
    host = '{"body": "", "headers": {}, "method": "GET", "url": "http://.\\u00e9/"}'
    assert scrapy.fingerprint("http://.é/") == hashlib.sha1(host.encode()).digest()


@pytest.mark.parametrize("url", ["https://x_\x7f/", 'http://a"b/', "http://a\x01b/", 'foo://a\\b"c/', "foo://é\\/"])
def test_scrapys_fingerprint_escapes_what_json_does(url: str):
    key = canonicalize(canonicalize(url, SAFE_URL), "w3lib")
    text = json.dumps({"body": "", "headers": {}, "method": "GET", "url": key}, sort_keys=True)
    found = scrapy.fingerprint(url)
    assert found == request_fingerprints([url], "GET", b"")[0] == hashlib.sha1(text.encode()).digest()
    assert request_digest(key, "GET", b"") == found
    posted = text.replace("GET", "POST")
    assert scrapy.fingerprint(url, method="POST") == hashlib.sha1(posted.encode()).digest()


def test_fingerprints_refused():
    with pytest.raises(ValueError, match="xxh64"):
        fingerprint("http://h/", kind="md5")  # type: ignore[call-overload]
    for text in ("http:example.org", "http://h:x/", "http://h/\ud800"):  # the first: scrapy.Request asks for "://"
        with pytest.raises(ParseError):
            scrapy.fingerprint(text)


def test_surt():
    assert surt("http://www.archive.org/A?b&a#c") == "org,archive)/a?a&b"
    assert surt("HTTP://archive.org:81/", with_scheme=True) == "HTTP://(org,archive:81)/"
    assert surt("http://archive.org", trailing_comma=True) == "org,archive,)/"
    assert surt("http://www.archive.org/A", "w3lib") == "org,archive,www)/A"
    assert surt("mailto:a@b") == "mailto:a@b" and surt("") == "-"
    with pytest.raises(ParseError):
        surt("http://h:x/")


def test_what_is_wrong_is_told_short_and_without_secrets():
    for text in ("http://me:pw@h/?password=pw", "http://me:pw@h/" * 1000, "password=pw"):
        with pytest.raises(ValueError, match="not a SURT with a host") as told:
            split_surt(text)
        assert "pw" not in str(told.value) and len(str(told.value)) < 150
        with pytest.raises(ValueError, match="the profiles are") as told:
            profile(text)
        assert "pw" not in str(told.value) and len(str(told.value)) < 250


def test_a_surts_profile_is_its_name_or_a_profile():
    for wrong in (None, 1, b"surt", ["surt"]):
        with pytest.raises(TypeError, match="profile must be a name or a Profile"):
            surt("http://a/", wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="unknown profile 'x'"):
        surt("http://a/", "x", with_scheme=True)


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("org,archive)/about?x", "archive.org/about?x"),
        ("org,archive:8080)/", "archive.org:8080/"),
        ("http://(org,archive,)/a)b", "http://archive.org/a)b"),
        ("http://(org,archive:81,)/", "http://archive.org:81/"),
        ("1,2,0,192)/", "192.0.2.1/"),
        ("localhost:81)/", "localhost:81/"),
        ("2001:db8::1)/x", "2001:db8::1/x"),
        ("mailto:a@b", "mailto:a@b"),
        ("-", "-"),
        ("", ""),
    ],
)
def test_unsurt(key: str, text: str):
    assert unsurt(key) == text


def test_unsurt_undoes_surt():
    for host in ("archive.org", "a.b.c.example:81", "x"):
        assert unsurt(surt(f"http://{host}/p?q")) == f"{host}/p?q"
        assert unsurt(surt(f"http://{host}/p", with_scheme=True, trailing_comma=True)) == f"http://{host}/p"


def test_expressions():
    assert safebrowsing_expressions("http://a.b.c.d.e.f.g/1.html") == (
        *("a.b.c.d.e.f.g/1.html", "a.b.c.d.e.f.g/", "c.d.e.f.g/1.html", "c.d.e.f.g/", "d.e.f.g/1.html", "d.e.f.g/"),
        *("e.f.g/1.html", "e.f.g/", "f.g/1.html", "f.g/"),
    )
    found = safebrowsing_expressions("http://u:p@a.b:81/1/2/3/4/5?q#f")
    assert found == ("a.b/1/2/3/4/5?q", "a.b/1/2/3/4/5", "a.b/", "a.b/1/", "a.b/1/2/", "a.b/1/2/3/")
    assert len(safebrowsing_expressions("http://a.b.c.d.e.f.g/1/2/3/4/5?q")) == 30
    assert safebrowsing_expressions("http://3221225985/a") == ("192.0.2.1/a", "192.0.2.1/")
    assert safebrowsing_hashes("http://x/") == (hashlib.sha256(b"x/").digest(),)
    with pytest.raises(ParseError):
        safebrowsing_expressions("/x")


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("http://h/a%7eb/%2f/é?q=%e9&a#f", "/a~b/%2F/%C3%A9?q=%E9&a"),
        ("/foo/%62az?x", "/foo/baz?x"),
        ("http://h", "/"),
        ("http://h?q", "/?q"),
        ("http://h/?", "/?"),
        ("http://u@h:81/*$=%3D%2A", "/*$=%3D%2A"),
        ("/\\a", "//a"),
        ("/\\\\a/b?c", "///a/b?c"),
        ("//admin/x", "//admin/x"),
        ("//", "//"),
        ("///%7ex", "///~x"),
        ("/a/../b:1@c", "/b:1@c"),
    ],
)
def test_robots_path(url: str, path: str):
    assert robots_path(url) == path


def test_expressions_are_those_of_the_model(cases):
    rng = seeded(256)
    pieces = [
        "a",
        "b.c",
        ".",
        "..",
        "1",
        "1.2.3.4",
        "/",
        "//",
        "?",
        "#",
        "%2f",
        "%41",
        ":80",
        "@",
        "é",
        "[::1]",
        "x-",
        "",
    ]
    for k in range(cases):
        text = rng.choice(["http://", "https://", "", "ftp://h."]) + "".join(rng.choices(pieces, k=rng.randrange(12)))
        if k % 4 == 0:
            text = random_case(rng)[0]
        try:
            wanted = browsing.safebrowsing_expressions(text)
        except urlsm.ParseError as error:
            with pytest.raises(urlsm.ParseError) as caught:
                crawler.safebrowsing_expressions(text)
            assert (caught.value.code, caught.value.position) == (error.code, error.position)
            continue
        assert crawler.safebrowsing_expressions(text) == wanted, text
        if k % 10 == 0:
            assert crawler.safebrowsing_hashes(text) == browsing.safebrowsing_hashes(text), text


def test_one_site_is_that_of_the_model(cases):
    rng = seeded(6265)
    heads = ["http://", "http://", "https://", "ws://", "ftp://", "file://", "x://", "blob:http://", "http://u@"]
    hosts = [
        "a.com",
        "b.a.com",
        "c.a.com.",
        "com",
        "co.uk",
        "a.co.uk",
        "b.co.uk",
        "1.2.3.4",
        "[::1]",
        "a..com",
        "é.com",
    ]
    urls = [
        urlsm.parse(head + host + tail)
        for head in heads
        for host in hosts
        for tail in ("", ":81/a")
        if urlsm.can_parse(head + host + tail)
    ]
    for _ in range(cases // 4):
        a, b = rng.choices(urls, k=2)
        assert (
            urlsm.domains.same_site(a, b)
            is urlsm.domains.same_site(a.href, b.href.encode())
            is browsing.same_site(a, b)
        ), (a, b)


def test_without_an_encoding_the_profile_decides_on_bytes_that_are_not_utf8():
    given = b"http://h/\xed\xb3\xbf"
    assert crawler.canonicalize(given) == "http://h/%EF%BF%BD%EF%BF%BD%EF%BF%BD"
    assert crawler.canonicalize(given, encoding="utf-8") == "http://h/%ED%B3%BF"
