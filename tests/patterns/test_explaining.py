"""Explanations of refused URLs: the nearest pattern, the component, the position."""

from __future__ import annotations

import pytest
from support.seeds import seeded

from urlsm.patterns import PatternSet

LISTS = {
    "domains": ["example.com", "*.example.org"],
    "redirect-uri": ["https://a.example/cb", "http://127.0.0.1/cb"],
    "urlpattern": ["https://a.example/x?y=1"],
    "glob": ["https://a.example/x/**"],
    "origins": ["https://a.example:8443"],
    "match-pattern": ["https://a.example/x/*"],
    "csp": ["https://a.example/x/"],
}


@pytest.mark.parametrize(
    ("syntax", "url", "component", "position", "number"),
    [
        ("domains", "https://example.org/", "host", 8, 1),
        ("domains", "https://me@evil.org/", "host", 14, 1),
        ("domains", "https://notexample.com/", "host", 11, 0),
        ("redirect-uri", "https://a.example/cb2", "path", 20, 0),
        ("redirect-uri", "https://b.example/cb", "host", 8, 0),
        ("redirect-uri", "http://127.0.0.1:80/x", "port", 16, 1),
        ("redirect-uri", "https://a.example/cb?x", "query", 20, 0),
        ("urlpattern", "https://a.example/x?y=2", "query", 19, 0),
        ("urlpattern", "https://a.example/x", "query", 19, 0),
        ("urlpattern", "https://a.example:81/x", "port", 17, 0),
        ("urlpattern", "https://a.example/z", "path", 18, 0),
        ("urlpattern", "https://b.example/x", "host", 8, 0),
        ("urlpattern", "http://a.example/x?y=1", "scheme", 0, 0),
        ("glob", "https://a.example/y", "path", 18, 0),
        ("glob", "https://b.example/x/", "host", 8, 0),
        ("glob", "http://a.example/x/1", "scheme", 0, 0),
        ("origins", "https://a.example/", "port", 17, 0),
        ("origins", "http://a.example:8443/", "scheme", 0, 0),
        ("match-pattern", "https://a.example/xy", "path", 19, 0),
        ("csp", "https://a.example/y/", "path", 18, 0),
    ],
)
def test_the_component(syntax: str, url: str, component: str, position: int, number: int):
    why = PatternSet(LISTS[syntax], syntax).explain(url)
    assert (why.included, why.component, why.position) == (False, component, position)
    assert why.pattern == LISTS[syntax][number]
    assert why.message.splitlines()[2].index("^") == 2 + position


def test_what_no_pattern_speaks_of():
    why = PatternSet(["Disallow: /x"], "robots").explain("https://h/y")
    assert (why.included, why.pattern, why.component) == (True, None, None)


def test_any_url_is_explained(cases: int):
    rng = seeded("explained")
    sets = [PatternSet(patterns, syntax) for syntax, patterns in LISTS.items()]
    pieces = (
        "https://",
        "http://",
        "a.example",
        "example.com",
        ":8443",
        ":",
        "/",
        "x",
        "cb",
        "?",
        "y=1",
        "#",
        "@",
        "é",
        "[::1]",
    )
    for _ in range(cases // 10):
        url = "".join(rng.choice(pieces) for _ in range(rng.randrange(8)))
        for patterns in sets:
            why = patterns.explain(url)
            assert why.included == (url in patterns), (patterns, url)
            assert (why.component is None) == why.included, (patterns, url)
            assert why.position >= 0
