"""Scrapy's work on pages of 299 links, with and without our functions: pages a second, in processor time.

It is a part of `python -m bench.table`; `python -m bench.pages` runs it alone.
"""

import gc
from html import escape
from time import process_time_ns
from typing import Any

import urlsm
from bench.clocks import interleaved
from bench.lists import Lists
from urlsm import crawler, parse
from urlsm.compat import install, scrapy, uninstall

PROSE = "Crawlers read pages and follow the links that these pages hold, a long way down. " * 4
LINKS_A_PAGE = 300


def pages_of(links: list[str], count: int) -> list[tuple[str, bytes]]:
    """Return (URL, HTML) of pages of consecutive links; links to the page's own host are relative."""
    made = []
    for start in range(0, min(len(links) - LINKS_A_PAGE, count * LINKS_A_PAGE), LINKS_A_PAGE):
        url, *others = links[start : start + LINKS_A_PAGE]
        own = parse(url).origin
        hrefs = [text.removeprefix(own) or "/" for text in others]
        items = "".join(
            f'<p>{PROSE[: 60 + k % 200]}<a href="{escape(href)}">{k}</a></p>\n' for k, href in enumerate(hrefs)
        )
        made.append((url, f"<html><body>{items}</body></html>".encode()))
    return made


def extraction(made: list[tuple[str, bytes]], rounds: int = 3) -> dict[str, float]:
    """Return pages a second of finding the links of a and area alone, and of all elements, CSS included.

    Raises:
        ImportError: Scrapy or lxml is not installed. AssertionError: the ways find different numbers of links.
    """
    from scrapy.http import HtmlResponse
    from scrapy.linkextractors import LinkExtractor

    extractor = LinkExtractor(unique=False, deny_extensions=[])
    counts: dict[str, int] = {}

    def by_scrapy() -> int:
        start = process_time_ns()
        counts["theirs"] = sum(
            len(extractor.extract_links(HtmlResponse(url, body=body, encoding="utf-8"))) for url, body in made
        )
        return process_time_ns() - start

    def ours(tags: tuple[str, ...] | None) -> int:
        start = process_time_ns()
        counts[str(tags)] = sum(len(urlsm.documents.page_links(body, url=url, tags=tags)) for url, body in made)
        return process_time_ns() - start

    works = {
        "Scrapy's LinkExtractor": by_scrapy,
        "page_links of a and area": lambda: ours(("a", "area")),
        "page_links of all elements": lambda: ours(None),
    }
    best = interleaved(works, rounds)
    print(counts)
    return {name: round(len(made) * 1e9 / spent, 1) for name, spent in best.items()}


def pages(links: list[str], count: int, rounds: int = 3) -> dict[str, float]:
    """Return pages a second of each way, by parsing, LinkExtractor, Request and the duplicate filter.

    Raises:
        ImportError: Scrapy is not installed. AssertionError: the ways find different links.
    """
    from scrapy import Request
    from scrapy.dupefilters import RFPDupeFilter
    from scrapy.http import HtmlResponse
    from scrapy.linkextractors import LinkExtractor
    from scrapy.utils.request import RequestFingerprinter

    class Ours:
        def fingerprint(self, request: Any) -> bytes:
            return scrapy.fingerprint(request.url, method=request.method, body=request.body)

    made = pages_of(links, count)
    seen: dict[str, list[object]] = {}

    def by_scrapy(fingerprinter: object, name: str) -> int:
        extractor, dupes = LinkExtractor(), RFPDupeFilter(fingerprinter=fingerprinter)
        kept: list[object] = []
        start = process_time_ns()
        for url, body in made:
            response = HtmlResponse(url, body=body, encoding="utf-8")
            for link in extractor.extract_links(response):
                request = Request(link.url)
                if not dupes.request_seen(request):
                    kept.append(request.url)
        spent = process_time_ns() - start
        seen[name] = kept
        return spent

    def installed(fingerprinter: object, name: str) -> int:
        with install("w3lib", patch=True), install("urllib.parse", patch=True):
            return by_scrapy(fingerprinter, name)

    def by_links() -> int:
        keys: set[str] = set()
        start = process_time_ns()
        for url, body in made:
            response = HtmlResponse(url, body=body, encoding="utf-8")
            for link in crawler.links(response.xpath("//a/@href").getall(), base=url):
                if link is not None:
                    keys.add(link.key)
        return process_time_ns() - start

    def by_page_links() -> int:
        keys: set[str] = set()
        start = process_time_ns()
        for url, body in made:
            found = urlsm.documents.page_links(body, url=url, tags=("a", "area"))
            for link in crawler.links([link.url for link in found], base=url, schemes=("http", "https")):
                if link is not None:
                    keys.add(link.key)
        return process_time_ns() - start

    uninstall("w3lib")
    works = {
        "Scrapy as it is": lambda: by_scrapy(RequestFingerprinter(), "plain"),
        "install()": lambda: installed(RequestFingerprinter(), "installed"),
        "install() and our fingerprinter": lambda: installed(Ours(), "ours"),
        "parse, XPath, crawler.links": by_links,
        "urlsm.documents.page_links, crawler.links": by_page_links,
    }
    best = interleaved(works, rounds)
    assert seen["plain"] == seen["installed"] == seen["ours"]
    return {name: round(len(made) * 1e9 / spent, 1) for name, spent in best.items()}


if __name__ == "__main__":
    gc.freeze()
    for name, speed in pages(Lists().web, 40).items():
        print(f"{name}: {speed} pages a second")
