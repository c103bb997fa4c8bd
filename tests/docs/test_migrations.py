"""The tables of "Migrate from" a library, run beside it: a row says "the same", or gives a text and both answers."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import urlsm
from urlsm import crawler, domains, stdlib

DOCS = Path(__file__).resolve().parents[2] / "docs"
# what a page's codes see of the library, and how it writes a text again
PEERS: dict[str, tuple[str, Callable[[Any, str], object] | None]] = {
    "from-urllib.md": ("urllib.parse", lambda peer, text: peer.urlunsplit(peer.urlsplit(text))),
    "from-yarl.md": ("yarl", lambda peer, text: peer.URL(text)),
    "from-w3lib.md": ("w3lib.url", lambda peer, text: peer.safe_url_string(text)),
    "from-furl.md": ("furl", lambda peer, text: peer.furl(text)),
    "from-tldextract.md": ("tldextract", None),
    "from-protego.md": ("protego", None),
}
TEXTS = [
    "http://me:pw@h.example:8080/a/b?a=1&id=2#f", "http://h/", "https://h.example/a/b/?q=x", "http://[::1]:8/",
    "https://us%40er:pa%40ss@h/", "http://us%40er@h/", "http://me@h/", "http://h/a?x=1#f", "http://h/x?q#f",
    "http://h/p%20q/r", "http://h/?id=", "http://h/?id=1&id=2#f", "http://xn--bcher-kva.example/", "ftp://h/a",
    "http://h/a.tar.gz", "http://h/?a=b+c&d=%2B", "http://h/%C3%A4?%C3%B6=1#%C3%BC", "http://h/a%2Fb/c",
    "http://127.0.0.1/", "https://h/a:b@c", "http://h/.a/b.", "ws://h/?a=1", "http://h/a?b=1&c=2&b=3",
]  # fmt: skip
ROBOTS = [
    "", "User-agent: *\nDisallow: /\nCrawl-delay: 2", "User-agent: MyBot\nDisallow: /b\nRequest-rate: 3/15s",
    "User-agent: *\nDisallow: /\n\nUser-agent: mybot\nAllow: /b\nDisallow: /", "User-agent: Other\nDisallow: /b",
    "User-agent: *\nDisallow: /*b$\nAllow: /b\nCrawl-delay: 0.5", "User-agent: *\nCrawl-delay: x\nRequest-rate: 1/1m",
    "User-agent: *\nUser-agent: Other\nDisallow: /%62\nDisallow:", "Disallow: /b", "# User-agent: *\nDisallow: /b",
]  # fmt: skip
COUNTS = {
    "from-urllib.md": 14, "from-yarl.md": 31, "from-w3lib.md": 10, "from-furl.md": 15, "from-tldextract.md": 6,
    "from-protego.md": 9,
}  # fmt: skip


class Row(NamedTuple):
    page: str
    theirs: str
    ours: str
    answers: str


def rows(page: str) -> list[Row]:
    """The rows of a page, one for each code."""
    found = []
    table = (DOCS / page).read_text(encoding="utf-8").partition("| answers |\n|---|---|---|\n")[2].partition("\n\n")[0]
    for line in table.splitlines():
        theirs, ours, answers = line.strip("| ").split(" | ")
        both = (re.findall("`([^`]+)`", cell) for cell in (theirs, ours))
        found += [Row(page, *codes, answers) for codes in zip(*both, strict=True)]
    return found


ROWS = [row for page in PEERS for row in rows(page)]
EXAMPLE = re.compile("`([^`]+)` gives `([^`]+)`, here `([^`]+)`")


def run(code: str, names: dict[str, Any]) -> object:
    """The answer of a code; the name of its error."""
    try:
        return plain(eval(code, dict(names)))
    except Exception as error:
        return type(error).__name__


def plain(value: Any) -> object:
    """An answer without its class: URLs as text, multi-maps as pairs."""
    if type(value).__name__ in ("URL", "furl"):
        return str(value)
    if hasattr(value, "items") and not isinstance(value, dict):
        value = value.items()
    return tuple(value) if isinstance(value, list) or type(value).__module__.startswith("multidict") else value


GIVEN = {"base": "http://h/a/b", "path": "/a b", "params": {"a": "b c"}}


def theirs(row: Row, text: str) -> object:
    peer = import_module(PEERS[row.page][0])
    code = row.theirs
    if row.page == "from-yarl.md":
        code = re.sub(r"\bu\b", "URL(text)", code)
    elif row.page == "from-furl.md":
        code = re.sub(r"\bf\b(?=\.| /)", "furl(text)", code)
    given = {"text": text, "url": text, "uri": text, **GIVEN, **vars(peer)}
    if row.page == "from-tldextract.md":  # its extract() would download the list
        given["extract"] = peer.TLDExtract(suffix_list_urls=(), cache_dir=None)
    return run(code, given)


def ours(row: Row, text: str) -> object:
    rooms = {"crawler": crawler, "domains": domains, "stdlib": stdlib}
    given = {name: getattr(urlsm, name) for name in urlsm.__all__} | rooms
    return run(re.sub(r"\bu\b", "parse(text)", row.ours), given | {"text": text, "url": text, "uri": text, **GIVEN})


def is_shown(answer: object, shown: str) -> bool:
    """Is this how the page shows an answer? URLs and errors stand without quotes."""
    if shown == answer:
        return True
    try:
        return plain(eval(shown)) == answer
    except (NameError, SyntaxError):
        return False


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.page}: {row.theirs}")
def test_a_row_holds_beside_the_live_library(row: Row):
    pytest.importorskip(PEERS[row.page][0])
    examples = [(text.replace("\\n", "\n"), *both) for text, *both in EXAMPLE.findall(row.answers)]
    assert (row.answers == "the same") != bool(examples)
    for text, their_answer, our_answer in examples:
        assert is_shown(theirs(row, text), their_answer), (text, theirs(row, text))
        assert is_shown(ours(row, text), our_answer), (text, ours(row, text))
    if row.answers == "the same":
        peer, again = PEERS[row.page]
        alike = ROBOTS
        if again is not None:
            alike = [text for text in TEXTS if str(again(import_module(peer), text)) == urlsm.parse(text).href]
            assert len(alike) > len(TEXTS) * 0.7
        answers = {text: (theirs(row, text), ours(row, text)) for text in alike}
        assert {
            text: both for text, both in answers.items() if both[0] != both[1] and "Error" not in str(both[0])
        } == {}
        assert any("Error" not in str(both[0]) for both in answers.values())
    else:
        assert any(theirs(row, text) != ours(row, text) for text, _, _ in examples), "it is the same"


@pytest.mark.parametrize("page", PEERS)
def test_the_tables_are_read(page: str):
    assert len(rows(page)) >= COUNTS[page]
