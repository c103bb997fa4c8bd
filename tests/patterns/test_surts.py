"""The syntax "surt", and the tables of docs/patterns.md and docs/pattern-syntaxes.md."""

from __future__ import annotations

import re
from fnmatch import fnmatch
from pathlib import Path

import pytest
from support.seeds import seeded

from urlsm.crawler import surt
from urlsm.patterns import PatternError, PatternSet

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = "".join((DOCS / name).read_text(encoding="utf-8") for name in ("patterns.md", "pattern-syntaxes.md"))


@pytest.mark.parametrize(
    ("prefix", "urls", "others"),
    [
        ("http://(org,example,)/a", ["http://example.org/a", "https://example.org/ab?x"], ["http://www.example.org/a", "http://example.org/"]),
        ("http://(org,example,", ["http://example.org/", "https://www.example.org:8080/x"], ["http://examples.org/"]),
        ("org,example", ["http://a.example.org/x"], ["http://examplea.org/", "http://org/"]),
        ("org,example)/a/", ["http://example.org/a/b"], ["http://a.example.org/a/b", "http://example.org/a"]),
        ("+http://example.org/a/b", ["http://example.org/a/c"], ["http://www.example.org/a/b", "http://example.org/x"]),
        ("example.org", ["http://www.example.org/"], ["http://example.com/"]),
        ("http://(org,example,:8080)/", ["http://example.org:8080/x"], ["http://example.org/x"]),
        ("http://(com,a,)/", ["http://a.com/", "https://a.com/x"], ["http://a.com:8080/"]),
        ("com,a)/", ["http://a.com/", "ftp://a.com/"], ["http://a.com:8080/", "foo://a.com:1/"]),
        ("com,a", ["http://a.com/", "https://b.a.com:8080/"], ["http://ba.com:8080/"]),
        ("http://a.com:8080/", ["http://a.com:8080/x"], ["http://a.com/x"]),
        ("ftp://(org,example,)/", ["ftp://example.org/x"], ["http://example.org/x"]),
        ("http://(127.0.0.1)/", ["http://127.0.0.1/x"], ["http://127.0.0.2/"]),
        ("http://(org,", ["http://a.org/"], ["http://org.com/"]),
    ],
)  # fmt: skip
def test_surts(prefix: str, urls: list[str], others: list[str]):
    scope = PatternSet([prefix], "surt")
    assert all(url in scope for url in urls)
    assert not any(url in scope for url in others)


@pytest.mark.parametrize(
    "prefix", ["(", "http://(", "http://(,)/", "http://(a/b", "(org,example,:99999)/", "http://[/", ",,,"]
)
def test_what_is_no_surt(prefix: str):
    with pytest.raises(PatternError):
        PatternSet([prefix], "surt")


def test_a_prefix_of_the_key_at_a_label_or_in_the_path(cases: int):
    """A list of keys' prefixes holds the URLs whose keys begin with one, up to the end of a label."""
    rng = seeded("surt")
    held = 0
    for _ in range(cases // 10):
        labels = [rng.choice(("a", "b", "ab", "c-d")) for _ in range(rng.randrange(1, 4))]
        url = f"http://{'.'.join([*labels, 'org'])}/{rng.choice(('', 'x', 'x/y', 'xy/z'))}"
        key = surt(url, "commoncrawl")
        other = ["org", *(rng.choice(("a", "b", "ab", "c-d")) for _ in range(rng.randrange(3)))]
        prefix = ",".join(other) + rng.choice(("", ",", ")/", ")/x", ")/x/"))
        begins = key.startswith(prefix) and (")" in prefix or key[len(prefix.rstrip(","))] in ",)")
        if prefix.endswith(","):  # what is below it, and the name itself
            begins = key.startswith(prefix) or key.startswith(prefix[:-1] + ")")
        assert (url in PatternSet([prefix], "surt")) == begins, (url, key, prefix)
        held += begins
    assert held > cases // 400


def table(head: str) -> list[list[str]]:
    rows = PAGE[PAGE.index(head) :].partition("\n\n")[0].splitlines()[2:]
    return [[cell.strip().strip("`") for cell in row.strip("|").split("|")] for row in rows]


def test_how_three_programs_read_the_same_list():
    rows = table("| the rule | the URL |")
    for rule, url, *told in rows:
        found = (fnmatch(url, rule), re.match(rule, url), url in PatternSet([rule], "glob"))
        assert ["in" if each else "out" for each in found] == told, (rule, url)
    assert len(rows) == 4


def test_how_programs_read_no_proxy():
    flavors = ("curl", "requests", "httpx", "urllib", "go", "chromium")
    rows = {row[0]: row[1:] for row in table("| | curl 7.88 |")}

    def said(text: str, flavor: str, *urls: str) -> list[bool] | None:
        try:
            patterns = PatternSet(text, "no-proxy", flavor=flavor)
        except PatternError:
            return None
        return [url in patterns for url in urls]

    names = {(True, True): "and below", (True, False): "alone", (False, True): "below", (False, False): "nothing"}
    for entry in ("example.com", ".example.com", "*.example.com"):
        found = [names[tuple(said(entry, f, "http://example.com/", "http://a.example.com/") or ())] for f in flavors]
        assert found == rows[entry], entry
    for entry, url, words in (
        ("example.com:8080", "http://example.com:8080/", {True: "that port", False: "nothing"}),
        ("10.0.0.0/8", "http://10.1.2.3/", {True: "yes", False: "nothing"}),
        ("fe81::/16", "http://[fe81::1]/", {True: "yes", False: "nothing"}),
    ):
        for flavor, told in zip(flavors, rows[entry.replace("fe81::/16", "fe80::/10")], strict=True):
            found = said(entry, flavor, url)
            assert ("an error" if found is None else words[found[0]]) == told or flavor == "chromium", (entry, flavor)
    for flavor, told in zip(flavors, rows["*` in a list"], strict=True):
        assert told == ("everything" if said("*,x", flavor, "http://a/") == [True] else "nothing")
    for flavor, told in zip(flavors, rows["localhost"], strict=True):
        assert told == ("always" if said("x", flavor, "http://localhost/") == [True] else "if listed")
    for flavor, told in zip(flavors, rows["[::1]"], strict=True):
        listed, always = said("[::1]", flavor, "http://[::1]/"), said("x", flavor, "http://[::1]/")
        found = "an error" if listed is None else "yes" if listed[0] else "nothing"
        assert told == ("always direct" if always == [True] else found), flavor
