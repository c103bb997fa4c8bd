"""The crawler kit beside the libraries whose answers it gives: `python -m bench.crawler`. Markdown, to standard output.

Answers are compared before any timing, and differences counted. Each text is a new object, so that no library answers
from a cache. Rounds are interleaved, best of each in processor time, less the bare loop. --pages: Scrapy's work on
pages of 299 links, with our functions installed and without.
"""

import argparse
import ctypes
import ctypes.util
import gc
import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from html import escape
from importlib import import_module
from time import process_time_ns
from typing import Any

from bench import corpora
from bench.table import interleaved, load_average
from urlsm import crawler, parse
from urlsm.compat import install, uninstall
from urlsm.compat import w3lib as ours

PROSE = "Crawlers read pages and follow the links that these pages hold, a long way down. " * 4
LINKS_A_PAGE = 300


@dataclass
class Job:
    title: str
    work: Callable[..., object]
    peer: str  # "module:attribute", or a name of SPECIAL
    aim: str
    inputs: str = "links"
    same: bool = True  # are the answers to be the same?
    profile: str = ""  # our function's second argument

    def answer(self, text: object) -> object:
        return answer(self.work, text, self.profile)


def tldextract() -> Callable[[str], object]:
    made = import_module("tldextract").TLDExtract
    extract = made(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True)
    return lambda text: extract(text).top_domain_under_public_suffix or None


def scrapy_fingerprint() -> Callable[[str], object]:
    fingerprint = import_module("scrapy.utils.request").fingerprint
    request = import_module("scrapy").Request
    return lambda text: fingerprint(request(text))


def yarl_update() -> Callable[[Any], object]:
    return lambda pair: pair[1].update_query({"page": "2"})


def yarl_without() -> Callable[[Any], object]:
    return lambda pair: pair[1].without_query_params("utm_source", "gclid")


def cleaner() -> Callable[[str], object]:
    clean = import_module("w3lib.url").url_query_cleaner
    return lambda text: clean(text, ["utm_source"], remove=True)


def libpsl() -> Callable[[str], object]:
    """The C library on the same list, its call by ctypes included (some 200 ns)."""
    found = ctypes.util.find_library("psl")
    if found is None:
        raise ImportError("libpsl")
    library = ctypes.CDLL(found)
    library.psl_load_file.restype = ctypes.c_void_p
    rules = ctypes.c_void_p(library.psl_load_file((crawler.suffixes().path or "").encode()))
    site = library.psl_registrable_domain
    site.restype = ctypes.c_char_p
    return lambda host: site(rules, host.encode())


SPECIAL = {f.__name__: f for f in (tldextract, scrapy_fingerprint, yarl_update, yarl_without, cleaner, libpsl)}
JOBS = [
    Job("canonicalize, w3lib", crawler.canonicalize, "w3lib.url:canonicalize_url", "50x", profile="w3lib"),
    Job("canonicalize, w3lib", crawler.canonicalize, "turbohtml.extract:normalize_url", "8x", same=False,
        profile="w3lib"),
    Job("compat.w3lib.canonicalize_url", ours.canonicalize_url, "w3lib.url:canonicalize_url", ""),
    Job("canonicalize, surt", crawler.canonicalize, "surt:surt", "60x", profile="surt"),
    Job("surt()", crawler.surt, "surt:surt", "60x"),
    Job("safe_url_string", ours.safe_url_string, "w3lib.url:safe_url_string", "40x"),
    Job("url_query_cleaner", lambda text: ours.url_query_cleaner(text, ["utm_source"], remove=True), "cleaner", "4x"),
    Job("fingerprint, Scrapy's", crawler.fingerprint, "scrapy_fingerprint", "25x"),
    Job("fingerprint, hash64", lambda text: crawler.fingerprint(text, kind="hash64"), "scrapy_fingerprint", "60x",
        same=False),
    Job("registrable_domain of a URL", crawler.registrable_domain, "tldextract", "30x"),
    Job("registrable_domain of a host", crawler.registrable_domain, "tldextract", "50x", "hosts"),
    Job("registrable_domain of a host", crawler.registrable_domain, "libpsl", "8x", "hosts", False),
    Job("update_query", lambda pair: pair[0].update_query({"page": "2"}), "yarl_update", "5x", "urls", False),
    Job("without_query_params", lambda pair: pair[0].without_query_params("utm_source", "gclid"), "yarl_without",
        "300 ns", "urls", False),
]  # fmt: skip


def peer_of(job: Job) -> Callable[[Any], object] | None:
    """None where the peer is not installed."""
    try:
        if job.peer in SPECIAL:
            return SPECIAL[job.peer]()
        module, _, name = job.peer.partition(":")
        found: Callable[[Any], object] = getattr(import_module(module), name)
        return found
    except ImportError:
        return None


def answer(work: Callable[..., object], text: object, profile: str = "") -> object:
    try:
        return work(text, profile) if profile else work(text)
    except Exception:
        return None


def anew(text: Any) -> Any:
    """A new object, without what a library kept in the old one."""
    if type(text) is str:
        return "".join([text[:9], text[9:]])
    return parse(text[0].href), text[1] and type(text[1])(str(text[1]))


def clock(work: Callable[..., object], texts: list[Any], profile: str = "") -> int:
    texts = [anew(text) for text in texts]
    start = process_time_ns()
    if profile:
        for text in texts:
            work(text, profile)
    else:
        for text in texts:
            work(text)
    return process_time_ns() - start


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="fewer texts and rounds")
    parser.add_argument("--pages", action="store_true", help="pages of Scrapy a second, and nothing else")
    parser.add_argument("--corpus", choices=corpora.NAMES, help="default: the first there is")
    options = parser.parse_args(arguments)
    gc.freeze()
    corpus = corpora.load({"urlsm": parse}, options.corpus, 2_000 if options.quick else 10_000)
    links = [text for text in corpus.urls if text.isascii() and all(job.answer(text) for job in JOBS[:5])]
    random.Random(12).shuffle(links)
    if options.pages:
        pages(links, 5 if options.quick else 40)
        return
    inputs: dict[str, list[Any]] = {"links": links, "hosts": [parse(text).host for text in links if parse(text).host]}
    try:
        url = import_module("yarl").URL
        inputs["urls"] = [(parse(text), url(text)) for text in links if answer(url, text)]
    except ImportError:
        inputs["urls"] = [(parse(text), None) for text in links]
    print(f"{corpus}\n\n| | peer | ns | ours | ratio | aim | other answers |\n|---|---|---:|---:|---:|---:|---:|")
    for job in JOBS:
        row(job, inputs[job.inputs], 3 if options.quick else 9)
    load(5)
    print(f"\nLoad of the machine: {load_average()}.")


def row(job: Job, texts: list[Any], rounds: int) -> None:
    theirs = peer_of(job)
    works: dict[str, Callable[..., object]] = {"ours": job.work, "loop": id}
    if theirs is not None:
        works["theirs"] = theirs
    others = "-"
    if theirs is not None and job.same:
        others = str(sum(job.answer(text) != answer(theirs, text) for text in texts))
    if theirs is not None:
        texts = [text for text in texts if answer(theirs, text) is not None]
    clocks: dict[str, Callable[[], int]] = {name: partial(clock, work, texts) for name, work in works.items()}
    clocks["ours"] = partial(clock, job.work, texts, job.profile)
    best = interleaved(clocks, rounds)
    net = {name: (best[name] - best["loop"]) / len(texts) for name in works}
    peer, ratio = (f"{net['theirs']:.0f}", f"{net['theirs'] / net['ours']:.1f}x") if theirs else ("-", "-")
    print(f"| {job.title} | {job.peer} | {peer} | {net['ours']:.0f} | {ratio} | {job.aim} | {others} |", flush=True)


def load(rounds: int) -> None:
    """Loading the public suffix list."""
    path = crawler.suffixes().path
    works: dict[str, Callable[[], object]] = {"ours": lambda: crawler.suffixes(path)}
    with suppress(ImportError):
        works["theirs"] = import_module("publicsuffixlist").PublicSuffixList
    best = interleaved({name: partial(clock_once, work) for name, work in works.items()}, rounds)
    theirs, mine = best.get("theirs", 0), best["ours"]
    print(f"| suffixes: load | publicsuffixlist | {theirs} | {mine} | {theirs / mine:.1f}x | 5 ms | - |")


def clock_once(work: Callable[[], object]) -> int:
    start = process_time_ns()
    work()
    return process_time_ns() - start


# --- Scrapy ------------------------------------------------------------------------------------


def pages_of(links: list[str], count: int) -> list[tuple[str, bytes]]:
    """(URL, HTML) of pages of consecutive links, those of the page's own host made relative."""
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


def pages(links: list[str], count: int) -> None:
    """Parse, LinkExtractor, Request, duplicate filter: pages a second, with our functions installed and without."""
    from scrapy import Request
    from scrapy.dupefilters import RFPDupeFilter
    from scrapy.http import HtmlResponse
    from scrapy.linkextractors import LinkExtractor
    from scrapy.utils.request import RequestFingerprinter

    class Ours:
        def fingerprint(self, request: Any) -> bytes:
            return crawler.fingerprint(request.url, method=request.method, body=request.body)

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
        from urlsm import stdlib

        with install("w3lib", patch=True), stdlib.install(patch=True):
            return by_scrapy(fingerprinter, name)

    def by_links() -> int:
        keys: set[str] = set()
        start = process_time_ns()
        for url, body in made:
            response = HtmlResponse(url, body=body, encoding="utf-8")
            for link in crawler.links(url, response.xpath("//a/@href").getall(), sites=False):
                if link is not None:
                    keys.add(link.key)
        return process_time_ns() - start

    uninstall("w3lib")
    works = {
        "Scrapy as it is": lambda: by_scrapy(RequestFingerprinter(), "plain"),
        "install()": lambda: installed(RequestFingerprinter(), "installed"),
        "install() and our fingerprinter": lambda: installed(Ours(), "ours"),
        "parse, XPath, crawler.links": by_links,
    }
    best = interleaved(works, 3)
    plain = best["Scrapy as it is"]
    same = seen["plain"] == seen["installed"] == seen["ours"]
    print(f"{len(made)} pages, {len(seen['plain'])} new links; the same links in the same order: {same}.\n")
    print("| | pages a second | times |\n|---|---:|---:|")
    for name, spent in best.items():
        print(f"| {name} | {len(made) * 1e9 / spent:.1f} | {plain / spent:.2f} |")
    print(f"\nLoad of the machine: {load_average()}.")


if __name__ == "__main__":
    main()
