"""URLPattern beside upa-url, on random patterns and URLs."""

from __future__ import annotations

import os

import pytest
from support.seeds import seeded

from urlsm.patterns.urlpattern import NAMES, URLPattern

PIECES = ("a", "b", ".", "/", ":x", "*", "(a|b)", "{a}?", "{/b}*", ":y?", "%41", "(.*)", "+", "?", "é", "-", "{b:z}",
          "([ab]+)", "[", "&", "=")  # fmt: skip
TEXTS = ("a", "b", ".", "/", "A", "é", "x", "?a", "#b", "%41", "-", "&", "ab")


def random_init(rng):
    init = {}
    for name in NAMES:
        if rng.random() < 0.35:
            init[name] = "".join(rng.choice(PIECES) for _ in range(rng.randrange(5)))
    if "pathname" in init and rng.random() < 0.7:
        init["pathname"] = "/" + init["pathname"]
    if "protocol" in init and rng.random() < 0.7:
        init["protocol"] = rng.choice(("http", "https", "http{s}?", "*", "foo"))
    if "port" in init:
        init["port"] = rng.choice(("", "80", "8*", "443"))
    return init


def random_url(rng):
    host = "".join(rng.choice("ab.") for _ in range(rng.randrange(1, 4))) + rng.choice(("", ":80", ":8080"))
    path = "".join(rng.choice(TEXTS) for _ in range(rng.randrange(6)))
    return f"{rng.choice(('http://', 'https://', 'foo://', 'foo:', 'http://u:p@'))}{host}/{path}"


def made(kind, init):
    try:
        return kind(init)
    except (TypeError, ValueError, RuntimeError):
        return None


def test_patterns_match_as_upa_url_has_it():
    upa_url = pytest.importorskip("upa_url")
    rng = seeded("upa")
    matched = 0
    for _ in range(int(os.environ.get("URLSM_CASES", 2000))):
        init = random_init(rng)
        ours, theirs = made(URLPattern, init), made(upa_url.URLPattern, init)
        assert (ours is None) == (theirs is None), init
        if ours is None:
            continue
        for name in NAMES:
            assert getattr(ours, name) == getattr(theirs, name), init
        for _ in range(10):
            url = random_url(rng)
            found, told = ours.exec(url), theirs.exec(url)
            assert ours.test(url) == theirs.test(url) == (found is not None) == (told is not None), (init, url)
            if found is None:
                continue
            matched += 1
            for name in NAMES:
                assert found[name]["input"] == told[name]["input"], (init, url)
                assert found[name]["groups"] == told[name]["groups"], (init, url)
    assert matched > 500
