"""no_proxy: our own reading, and what programs make of the same text."""

from __future__ import annotations

import contextlib
import pickle

import pytest
from support.seeds import seeded

from urlsm.patterns import PatternError, PatternSet

FLAVORS = ("curl", "requests", "httpx", "urllib", "go", "chromium")


def readers_of(text: str, url: str) -> set[str]:
    """Return the flavors by which the URL goes direct; "" is our own reading."""
    return {flavor for flavor in ("", *FLAVORS) if url in PatternSet(text, "no-proxy", flavor=flavor)}


@pytest.mark.parametrize(
    ("text", "url", "direct"),
    [
        ("example.com", "http://www.example.com/", {"", "curl", "requests", "httpx", "urllib", "go"}),
        (".example.com", "http://example.com/", {"", "curl", "requests", "urllib"}),
        ("*.example.com", "http://a.example.com/", {"", "go", "chromium"}),
        ("example.com:8080", "http://example.com:8080/", {"", "requests", "httpx", "urllib", "go", "chromium"}),
        ("example.com:80", "http://example.com/", {"", "go", "chromium"}),
        ("10.0.0.0/8", "http://10.1.2.3/", {"", "curl", "requests", "go", "chromium"}),
        ("fe80::/10", "http://[fe80::1]/", {"", "go", "chromium"}),
        ("[::1]", "http://[::1]/", {"", "urllib", "go", "chromium"}),
        ("x y", "http://y/", {"curl"}),
        ("x", "http://localhost/", {"go", "chromium"}),
        ("*,x", "http://a/", {"", "httpx", "go", "chromium"}),
        ("*", "http://a/", {"", *FLAVORS}),
        ("10.0.0.0/8", "http://[::ffff:10.1.2.3]/", {"", "go", "chromium"}),
        ("::ffff:10.1.2.3", "http://10.1.2.3/", {"", "go"}),
        ("[::ffff:10.1.2.3]", "http://10.1.2.3/", {""}),
        ("[::ffff:10.1.2.3]", "http://[::ffff:a01:203]/", {"", "chromium"}),
        ("::ffff:10.0.0.0/104", "http://10.1.2.3/", {"", "go", "chromium"}),
        ("https://x", "https://x/", {"httpx", "chromium"}),
        ("https://x", "http://x/", set()),
        ("xample.com", "http://example.com/", set()),
    ],
)
def test_what_each_makes_of_it(text: str, url: str, direct: set[str]):
    found = set()
    for flavor in ("", *FLAVORS):
        try:
            if url in PatternSet(text, "no-proxy", flavor=flavor):
                found.add(flavor)
        except PatternError:
            assert flavor not in direct
    assert found == direct


@pytest.mark.parametrize(
    ("text", "url", "direct"),
    [
        ("<local>", "http://intranet/", True),
        ("<local>", "http://a.b/", False),
        ("<local>", "http://[2001:db8::1]/", False),
        ("<-loopback>", "http://localhost/", False),
        ("<-loopback>;localhost", "http://localhost/", True),
        ("localhost,<-loopback>", "http://localhost/", False),
        ("x", "http://a.localhost/", True),
        ("x", "http://169.254.169.254/", True),
        ("x", "http://[fe80::2]/", True),
        ("a*.corp", "http://abc.corp/", True),
        (".corp", "http://corp/", False),
        ("bücher.de", "http://xn--bcher-kva.de/", True),
        ("http://*.corp:8080", "http://a.corp:8080/", True),
    ],
)
def test_chromium(text: str, url: str, direct: bool):
    assert (url in PatternSet(text.replace(";", ","), "no-proxy", flavor="chromium")) is direct


def test_what_is_taken_out():
    patterns = PatternSet("10.0.0.0/8", "no-proxy", flavor="go", exclude=["10.1.0.0/16"])
    assert "http://10.2.0.1/" in patterns and "http://localhost/" in patterns
    assert "http://10.1.0.1/" not in patterns


@pytest.mark.parametrize("flavor", FLAVORS)
def test_the_value(flavor: str):
    for text in ("*", "*,", "a.example,10.0.0.1"):
        patterns = PatternSet(text, "no-proxy", flavor=flavor)
        again = pickle.loads(pickle.dumps(patterns))
        assert again == patterns and hash(again) == hash(patterns)
        for url in ("http://a.example/", "http://b/", "http://10.0.0.1/", "mailto:a@b", "no"):
            assert (url in again) == (url in patterns)


@pytest.mark.parametrize("flavor", ["", *FLAVORS])
def test_a_list_is_the_sum_of_its_entries(flavor: str, cases: int):
    """Not for "*", which three of them accept only alone, nor for "<-loopback>", which takes out."""
    rng = seeded("no_proxy")
    names = ("a.example", ".a.example", "*.b.a.example", "b.a.example:8080", "example", "10.0.0.0/8", "10.1.0.1", "::1",
             "fe80::/10", "localhost", "a.example.", "A.Example", "xn--bcher-kva.de", ":8080")  # fmt: skip
    urls = [f"http://{host}{port}/" for port in ("", ":8080", ":80") for host in (
        "a.example", "b.a.example", "c.b.a.example", "ba.example", "10.1.0.1", "10.9.9.9", "[::1]", "[fe80::2]",
        "localhost", "a.example.", "xn--bcher-kva.de", "[::ffff:10.1.0.1]")]  # fmt: skip
    single = {}
    for name in names:
        with contextlib.suppress(PatternError):
            single[name] = PatternSet([name], "no-proxy", flavor=flavor)
    for _ in range(cases // 50):
        chosen = rng.sample(sorted(single), rng.randrange(1, 6))
        together = PatternSet(",".join(chosen), "no-proxy", flavor=flavor)
        for url in rng.sample(urls, 4):
            assert (url in together) == any(url in single[name] for name in chosen), (chosen, url)


def test_no_such_flavor():
    with pytest.raises(ValueError, match="flavor must be one of chromium, curl, go, httpx, requests, urllib"):
        PatternSet("a", "no-proxy", flavor="wget")


@pytest.mark.parametrize("flavor", FLAVORS)
@pytest.mark.parametrize("entry", ["\ud800", "a\ud800.b", "[", "]", "::", ":", "*.", ".", "é", "[\ud800]", "x:\ud800",
                                   "1/2", "1.2.3.4/99", "\0", "//", "://", "*" * 50])  # fmt: skip
def test_any_text(flavor: str, entry: str):
    try:
        patterns = PatternSet([entry], "no-proxy", flavor=flavor)
    except PatternError:
        return
    assert "http://only.example/" not in patterns or set(entry) == {"*"}
