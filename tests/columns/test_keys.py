"""Columns of keys, sites and parameters give what urlsm.crawler and QueryParams give, row by row."""

from __future__ import annotations

import random

import pytest
from support.generate import random_case

import urlsm
import urlsm.columns as uc
from urlsm import crawler

pa = pytest.importorskip("pyarrow", minversion="16", reason="needs pyarrow 16 or newer")

RANDOM = random.Random(5)
TEXTS = [
    *(
        "http://WWW.Example.com:80/a//b/../c?b=2&a=1&utm_source=x#f",
        "https://example.org/",
        "",
        "no url",
        "http://h/%FF",
    ),
    *("http://ä.example/ä?ä=1&x=%e4", "ftp://a.b.co.uk/x;y", "//example.com/a", "http://1.2.3.4/", "http://[::1]/?a"),
    *(random_case(RANDOM)[0].encode("utf-8", "replace").decode() for _ in range(400)),
]
COLUMN = [*TEXTS, None]


@pytest.mark.parametrize("profile", crawler.PROFILES)
@pytest.mark.parametrize("text", [None, "view"])
def test_canonicalize_gives_the_keys_of_the_crawler(profile, text):
    made = uc.canonicalize(pa.array(COLUMN), profile, layout=text)
    expected = [crawler.try_canonicalize(value, profile) for value in TEXTS]
    assert made.to_pylist() == [
        value and value.encode("utf-8", "surrogateescape").decode("utf-8", "replace") for value in expected
    ] + [None]
    pa.array(made).validate(full=True)


def test_surt_gives_the_keys_of_archives():
    expected = []
    for value in TEXTS:
        try:
            expected.append(crawler.surt(value, with_scheme=True))
        except urlsm.ParseError:
            expected.append(None)
    assert uc.surt(pa.array(TEXTS), with_scheme=True).to_pylist() == expected
    with pytest.raises(ValueError, match="nonsense"):
        uc.canonicalize(pa.array(TEXTS), "nonsense")


def test_registrable_domain_of_urls_and_hosts():
    pytest.importorskip("publicsuffixlist", reason="the list of public suffixes is publicsuffixlist's")
    texts = [
        *TEXTS,
        "example.co.uk",
        "WWW.Example.COM.",
        "co.uk",
        "ä.example",
        "B%C3%BCcher.example",
        "a b",
        "user.github.io",
    ]
    texts += ["http://a.b.example.co.uk./x", "127.0.0.1", "a..example", "HTTP://Ä.Example.org", "file://host/x"]
    expected = [urlsm.domains.registrable_domain(text) for text in texts]
    for text in (None, "view"):
        made = uc.registrable_domain(pa.array([*texts, None]), layout=text)
        assert made.to_pylist() == [*expected, None]
        pa.array(made).validate(full=True)
    urls = [text for text in texts if urlsm.can_parse(text)]
    sites = [urlsm.domains.registrable_domain(text) for text in urls]
    assert uc.parse(pa.array(urls), ("registrable_domain", "href")).field("registrable_domain").to_pylist() == sites


def test_param_gives_the_first_value():
    queries = [
        "a=1&b=2&a=3",
        "a",
        "a=",
        "",
        "b",
        "%61=x%20y+z",
        "&&a=1",
        "a=%FF",
        "a=%EF%BB%BFx",
        "A=1",
        "=&a==b",
        "a%3D=1&a=2",
    ]
    queries += ["a=" + "x" * 40, "b=" + "y" * 40 + "&a=%C3%A4"]
    texts = [*(f"http://h/?{query}#a=9" for query in queries), "http://h/", "no url", "mailto:x?a=b", "http://H/?a=é"]
    expected = []
    for text in texts:
        url = urlsm.try_parse(text)
        value = None if url is None else url.query_params.get("a")
        expected.append(value if value is None else value.encode("utf-8", "surrogateescape").decode("utf-8", "replace"))
    for text in (None, "view", "large_string"):
        made = uc.query_param(pa.array([*texts, None]), "a", layout=text)
        assert made.to_pylist() == [*expected, None]
        pa.array(made).validate(full=True)
    with pytest.raises(TypeError, match="str, not int"):
        uc.query_param(pa.array(texts), 5)


def test_ambiguous():
    texts = ["http://good.example\\@evil.example/", "http://a.example/", "no url", "http://u@a@b/", "http://127.1/"]
    expected = [urlsm.security.is_ambiguous(text) for text in texts]
    assert uc.is_ambiguous(pa.array([*texts, None])).to_pylist() == [*expected, None]
    assert pa.array(uc.is_ambiguous(pa.array(texts).dictionary_encode())).to_pylist() == expected


@pytest.mark.parametrize("layout", ["string", "large_string", "string_view", "binary"])
def test_segments(layout):
    """Like URL.segments, but octets that are not UTF-8 become U+FFFD."""
    texts = [*TEXTS, "http://h/%2Fa//%E4/%F0%9F%98%80/", "mailto:a/b", "x:", "x:/", "http://h/%FF%FE/%C3"]
    column = pa.array([*texts, None, *texts[:70]], getattr(pa, layout)())

    def expected(text):
        url = text if text is None else urlsm.try_parse(text)
        return url and [part.encode("utf-8", "surrogateescape").decode("utf-8", "replace") for part in url.segments]

    wanted = [expected(text) for text in [*texts, None, *texts[:70]]]
    made = uc.segments(column)
    assert made.to_pylist() == wanted
    theirs = pa.array(made)
    theirs.validate(full=True)
    assert theirs.type == pa.list_(pa.string())
    assert theirs.to_pylist() == wanted
    assert theirs.null_count == made.null_count == wanted.count(None)
    assert uc.segments(column.slice(3)).to_pylist() == wanted[3:]
    assert uc.segments(column[:0]).to_pylist() == []
    chunks = uc.segments(pa.chunked_array([column, column.slice(5)]), threads=2)
    assert pa.chunked_array(chunks).to_pylist() == wanted + wanted[5:]
    if layout == "string":
        assert uc.segments(column.dictionary_encode()).to_pylist() == wanted
