"""crawler.DupeFilter: fingerprints in a store, beside Scrapy's own filter."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest
from support.seeds import seeded

import urlsm
from urlsm.crawler import DupeFilter, fingerprint

KINDS = ("scrapy", "sha1", "blake2b-128", "hash64")
PAGE = Path(__file__).resolve().parents[2] / "docs/crawling.md"


@pytest.mark.parametrize("kind", KINDS)
def test_a_request_is_seen_once(kind):
    store = set()
    dupes = DupeFilter(store, kind=kind)
    requests = [
        ("http://h/?a=1&b=2", "GET", b""),
        ("http://h/?a=1&b=2", "POST", b""),
        ("http://h/?a=1&b=2", "GET", b"x"),
        ("http://h/?a=1&b=2", "POST", b"x"),
        ("http://h/", "GET", b""),
    ]
    assert [dupes.seen(*request) for request in requests] == [False] * 5
    assert [dupes.seen(*request) for request in requests] == [True] * 5
    assert dupes.seen("HTTP://H:80/?b=2&a=1#f") and len(store) == 5
    assert fingerprint("http://h/", kind=kind) in store
    assert {type(key) for key in store} == {int if kind == "hash64" else bytes}
    with pytest.raises(urlsm.ParseError):
        dupes.seen("http://h:x/")


def test_what_is_unknown_is_told_at_once():
    with pytest.raises(ValueError, match="md5"):
        DupeFilter(set(), kind="md5")
    with pytest.raises(ValueError, match="none"):
        DupeFilter(set(), profile="none")


def test_the_store_is_closed_if_it_can_be():
    class Store(set):
        closed = False

        def close(self):
            self.closed = True

    store = Store()
    DupeFilter(store).close("finished")
    DupeFilter(set()).close()
    assert store.closed


@pytest.mark.parametrize("kind", KINDS)
def test_beside_scrapys_filter(kind):
    pytest.importorskip("scrapy", reason="scrapy is not installed")
    from scrapy import Request
    from scrapy.dupefilters import RFPDupeFilter

    ours, theirs, random = DupeFilter(set(), kind=kind), RFPDupeFilter(), seeded("dupes")
    paths = ("?b=2&a=1", "?a=1&b=2", "?a=1&b=2#f", "%7ea", "~a", "a b", "a%20b", "é", "%C3%A9", "")
    for _ in range(2000):
        meta = {"verbatim_url": True} if random.random() < 0.2 else {}
        url = "http://h/" + random.choice(paths)
        request = Request(url, random.choice(("GET", "POST")), body=random.choice((b"", b"x")), meta=meta)
        assert ours.request_seen(request) == theirs.request_seen(request), request


def test_the_frontier_of_the_docs_runs():
    if importlib.util.find_spec("lxml") is None:
        pytest.skip("lxml is not installed")
    block = next(text for text in re.findall(r"```py\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S) if "queues" in text)
    exec(compile(block, "crawling.md", "exec"), {})
