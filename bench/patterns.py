"""Lists of rules beside their peers: python -m bench.patterns URLS [ROUNDS]. URLS: a file of links, one a line.

The answers are compared before anything is timed. Peers that are not installed (upa-url, protego) are left out.
"""

from __future__ import annotations

import contextlib
import importlib
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from time import perf_counter_ns
from types import ModuleType
from typing import Any

import urlsm
from bench.clocks import clocked, interleaved, load_average, print_head, print_row
from urlsm.crawler import Robots
from urlsm.patterns import PatternSet
from urlsm.whatwg import URLPattern

PATTERN = "https://*.example.com/:kind/*"
ROBOTS = {
    "500 rules with *": "".join(f"Disallow: /a{k}*x/*.y\n" for k in range(500)),
    "500 plain rules": "".join(f"Disallow: /a{k}/\n" for k in range(500)),
    "2 rules": "Disallow: /a/\nAllow: /a/b\n",
}


def installed(name: str) -> ModuleType | None:
    with contextlib.suppress(ImportError):
        return importlib.import_module(name)
    return None


def each(work: Callable[[Any], object], texts: Iterable[object]) -> Callable[[], int]:
    """Return a clock of the work on every text."""

    def all_of_them() -> None:
        for text in texts:
            work(text)

    return lambda: clocked(all_of_them)


def compare(title: str, clocks: dict[str, Callable[[], int]], count: int, rounds: int) -> None:
    best = interleaved(clocks, rounds)
    ours = best["urlsm"]
    for name, time in best.items():
        print_row(title, name, f"{time / count:,.0f}", "" if name == "urlsm" else f"{time / ours:.1f}")


def main(path: str, rounds: int = 15) -> None:
    texts = [line.strip() for line in Path(path).read_text(encoding="utf-8", errors="replace").splitlines()[:4000]]
    urls = [url for url in map(urlsm.try_parse, texts) if url is not None]
    texts = [url.href for url in urls]
    n = len(texts)
    print(f"{n} links; load {load_average()}; nanoseconds a link, best of {rounds}")
    print_head("work", "who", "ns", "ours is so many times as fast")

    pattern, upa = URLPattern(PATTERN), installed("upa_url")
    clocks = {"urlsm": each(pattern.test, texts)}
    if upa is not None:
        theirs = upa.URLPattern(PATTERN)
        if [theirs.test(text) for text in texts] != [pattern.test(text) for text in texts]:
            raise SystemExit("upa-url answers otherwise")
        clocks["upa-url"] = each(theirs.test, texts)
    compare("URLPattern.test(str)", clocks, n, rounds)
    compare("URLPattern.test(URL)", {"urlsm": each(pattern.test, urls)}, n, rounds)
    clocks = {"urlsm": each(pattern.exec, texts)}
    if upa is not None:
        clocks["upa-url"] = each(theirs.exec, texts)
    compare("URLPattern.exec(str)", clocks, n, rounds)

    hosts = list(dict.fromkeys(url.host for url in urls if url.host))
    for count in (20, 10_000, 100_000):
        rules = [f"https://{hosts[k % len(hosts)] if k % 5 == 0 else f'h{k}.example'}/p{k}/*" for k in range(count)]
        start = perf_counter_ns()
        patterns = PatternSet(rules, "match-pattern")
        took = perf_counter_ns() - start
        singles = [PatternSet([rule], "match-pattern") for rule in rules[:20]]
        if count == 20 and [text in patterns for text in texts] != [any(text in s for s in singles) for text in texts]:
            raise SystemExit("a set is not the loop over its patterns")
        compare(f"a set of {count:,}", {"urlsm": each(patterns.__contains__, texts)}, n, rounds)
        compare(f"filter, {count:,}", {"urlsm": lambda s=patterns: clocked(lambda: s.filter(texts))}, n, rounds)
        print_row(f"a set of {count:,}", "build, ms", f"{took / 1e6:,.0f}", "")
        print_row(f"a set of {count:,}", "octets a pattern", f"{patterns._matcher.__sizeof__() / count:,.0f}", "")

    protego = installed("protego")
    for name, lines in ROBOTS.items():
        text = f"User-agent: *\n{lines}"
        ours = Robots(text)
        clocks = {"urlsm": each(lambda url, robots=ours: robots.allows(url, "bot"), texts[:500])}
        if protego is not None:
            other = protego.Protego.parse(text)
            if [other.can_fetch(url, "bot") for url in texts[:500]] != [ours.allows(url, "bot") for url in texts[:500]]:
                raise SystemExit("Protego answers otherwise")
            clocks["protego"] = each(lambda url, robots=other: robots.can_fetch(url, "bot"), texts[:500])
        compare(f"robots.txt, {name}", clocks, 500, rounds)
        clocks = {"urlsm": each(lambda text: Robots(text).allows("/", "bot"), [text])}
        if protego is not None:
            clocks["protego"] = each(lambda text: protego.Protego.parse(text).can_fetch("/", "bot"), [text])
        compare(f"robots.txt read, {name}", clocks, 1, rounds)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    main(sys.argv[1], *map(int, sys.argv[2:3]))
