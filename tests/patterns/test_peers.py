"""URLPattern beside upa-url, on random patterns and URLs."""

from __future__ import annotations

import os

import pytest
from support.drawn_patterns import made, random_init, random_url
from support.seeds import seeded

from urlsm.patterns.urlpattern import NAMES, URLPattern


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
