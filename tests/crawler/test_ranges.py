"""Ranges of a sorted index, and the parts of a key: pywb's answers, and a scan of the index."""

from __future__ import annotations

from bisect import bisect_left

import pytest
from support.generate import random_case
from support.seeds import draws, least, seeded

import urlsm
from urlsm import ParseError, crawler
from urlsm.crawler import split_surt, surt, surt_range, try_canonicalize, unsurt

MATCHES = ("exact", "prefix", "host", "domain")

# what calc_search_range of pywb 2.10.0 gives
PYWB = [
    ("http://example.com/path/file.html", "exact", "com,example)/path/file.html", "com,example)/path/file.html!"),
    ("http://example.com/path/file.html", "prefix", "com,example)/path/file.html", "com,example)/path/file.htmm"),
    ("http://example.com/path/", "exact", "com,example)/path", "com,example)/path!"),
    ("http://example.com/path/", "prefix", "com,example)/path/", "com,example)/path0"),
    ("http://example.com/path?", "prefix", "com,example)/path?", "com,example)/path@"),
    ("http://example.com/path/?", "prefix", "com,example)/path?", "com,example)/path@"),
    ("http://example.com/path/file.html", "host", "com,example)/", "com,example*"),
    ("http://example.com/path/file.html", "domain", "com,example)/", "com,example-"),
    ("http://www.a.example.com:8080/", "host", "com,example,a:8080)/", "com,example,a:8080*"),
    ("com", "domain", "com,", "com-"),
    ("http://1.2.3.4/a", "host", "4,3,2,1)/", "4,3,2,1*"),
    ("http://1.2.3.4/a", "domain", "4,3,2,1)/", "4,3,2,1-"),
]


@pytest.mark.parametrize("row", PYWB)
def test_the_answers_of_pywb(row: tuple[str, str, str, str]):
    url, match, start, end = row
    assert surt_range(url, match=match) == surt_range(url.encode(), match=match) == (start, end)  # type: ignore[arg-type]


def test_arguments():
    assert surt_range("http://h.example/a") == surt_range(urlsm.parse("http://h.example/a"), match="exact")
    assert surt_range("http://www1.www.h.com/", match="host", profile="commoncrawl") == ("com,h)/", "com,h*")
    assert surt_range("http://h.example/é", match="prefix", profile=crawler.profile("surt"))[0] == "example,h)/%c3%a9"
    with pytest.raises(ValueError, match="exact, prefix, host or domain"):
        surt_range("http://h/", match="site")  # type: ignore[arg-type]
    with pytest.raises(ParseError):
        surt_range("http://h:x/")
    with pytest.raises(TypeError):
        surt_range(5)  # type: ignore[arg-type]


def test_ranges_like_pywb():
    pywb = pytest.importorskip("pywb.utils.canonicalize")
    rng = seeded(22)
    for _ in range(draws(10_000)):
        url = random_case(rng)[0]
        for match in MATCHES:
            try:
                theirs = pywb.calc_search_range(url, match)
            except Exception:  # whatever surt raises
                theirs = None
            try:
                ours = surt_range(url, match=match)  # type: ignore[arg-type]
            except ParseError:
                ours = None
            assert ours == theirs, url


def is_held(line: str, url: str, match: str) -> bool:
    key = surt(url)
    host = key.partition(")")[0]
    if match == "exact":
        return line.split(" ")[0] == key
    if match == "prefix":
        return line.startswith(key + "/" * (url.endswith("/") and not key.endswith("/")))
    if match == "host":
        return line.partition(")")[0] == host
    return line.startswith(host + ",") or (host != "com" and line.startswith(host + ")"))


def test_a_range_is_what_a_scan_finds():
    rng = seeded(23)
    hosts = [
        "example.com",
        "a.example.com",
        "b.a.example.com",
        "example.org",
        "a-example.com",
        "example.com:8080",
        "com",
    ]
    paths = ["/", "/a", "/a/", "/a/b", "/ab", "/a?", "/a?b", "/a!", "/a-b", "/é", "/a/b?c=1", "/\U0010ffff"]
    urls = [
        f"http://{rng.choice(hosts)}{rng.choice(paths)}{rng.choice(['', rng.randrange(99)])}"
        for _ in range(draws(3_000))
    ]
    index = sorted({surt(url) for url in urls} | {surt(url) + " 2026 x" for url in urls})
    for url in rng.sample(urls, 60):
        for match in MATCHES:
            if not (match == "prefix" and url.endswith("?")):
                start, end = surt_range(url, match=match)  # type: ignore[arg-type]
                found = index[bisect_left(index, start) : bisect_left(index, end)]
                assert found == [line for line in index if is_held(line, url, match)], (url, match)
                assert found or surt(url).startswith("com)")


def test_parts_of_a_key():
    key = "https://(org,example,a:81)/b/c?d=e?f"
    assert split_surt(key) == ("https", ("org", "example", "a"), "81", "/b/c", "d=e?f")
    assert split_surt(key).host == "a.example.org"
    assert split_surt("org,example,)/") == (None, ("org", "example"), None, "/", None)
    assert split_surt("[::1]:8)/") == (None, ("[::1]:8",), None, "/", None)
    assert split_surt("1.2.3.4)/?") == (None, ("1.2.3.4",), None, "/", "")
    for text in ("mailto:a@h", "", "org,example"):
        with pytest.raises(ValueError, match="not a SURT"):
            split_surt(text)


def test_parts_make_what_unsurt_makes():
    rng = seeded(24)
    count = 0
    for _ in range(draws(5_000)):
        key = try_canonicalize(random_case(rng)[0], "surt")
        if key is None or unsurt(key) == key:
            continue
        parts = split_surt(key)
        port = "" if parts.port is None else ":" + parts.port
        query = "" if parts.query is None else "?" + parts.query
        scheme = "" if parts.scheme is None else parts.scheme + "://"
        assert scheme + parts.host + port + parts.path + query == unsurt(key)
        count += 1
    assert count > least(500)
