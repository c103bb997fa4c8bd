"""Lists of rules beside their peers: python -m bench.patterns URLS [ROUNDS [FOLDER]]
                                   python -m bench.patterns --growth [SIZE ...]

URLS: a file of links, one a line. FOLDER: where easylist.txt and easyprivacy.txt are, and adblock-live.json with
requests. The answers are compared before anything is timed. Peers that are not installed are left out: upa-url,
urlpattern (Rust), google-re2, protego, braveblock; pyarrow for columns.

--growth times each shape of pattern_shapes.py, and some that are drawn, at each size (1, 100 and 10,000 rules unless
others are given): a hit, a miss, the rules that are tried and do not match, the build and the memory. RE2's set is
timed beside it where it has room for the rules.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import random
import re
import statistics
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from types import ModuleType
from typing import Any

import urlsm
from bench.clocks import clocked, interleaved, load_average, print_head, print_row
from bench.pattern_shapes import FIXED, SYNTAXES, Shape, drawn
from urlsm import columns
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


def same(who: str, theirs: list[bool], ours: list[bool]) -> None:
    unlike = sum(a != b for a, b in zip(theirs, ours, strict=True))
    if unlike:
        raise SystemExit(f"{who} answers otherwise: {unlike} of {len(ours)}")


def url_patterns(texts: list[str], urls: list[Any], rounds: int) -> None:
    pattern = URLPattern(PATTERN)
    expected = [pattern.test(text) for text in texts]
    peers = {name: module.URLPattern for name, module in
             (("upa-url", installed("upa_url")), ("urlpattern (Rust)", installed("urlpattern"))) if module}  # fmt: skip
    made = {name: kind(PATTERN) for name, kind in peers.items()}
    for name, other in made.items():
        same(name, [other.test(text) for text in texts], expected)
    n = len(texts)
    tests = {name: each(other.test, texts) for name, other in {"urlsm": pattern, **made}.items()}
    compare("URLPattern.test(str)", tests, n, rounds)
    tests["urlsm"] = each(pattern.test, urls)
    compare("URLPattern.test(URL), theirs str", tests, n, rounds)
    runs = {name: each(other.exec, texts) for name, other in {"urlsm": pattern, **made}.items()}
    compare("URLPattern.exec(str)", runs, n, rounds)
    many = [f"https://*.example.com/{k}/:kind/*" for k in range(50)]
    makers = {name: each(kind, many) for name, kind in {"urlsm": URLPattern, **peers}.items()}
    compare("URLPattern(str)", makers, 50, rounds)


def sets(texts: list[str], urls: list[Any], rounds: int) -> None:
    n = len(texts)
    hosts = list(dict.fromkeys(url.host for url in urls if url.host))
    upa, re2 = installed("upa_url"), installed("re2")
    for count in (20, 10_000, 100_000):
        parts = [(hosts[k % len(hosts)] if k % 5 == 0 else f"h{k}.example", f"/p{k}/") for k in range(count)]
        parts[::7] = [(host, "/") for host, _ in parts[::7]]  # so that some match
        rules = [f"https://{host}{path}*" for host, path in parts]
        patterns = PatternSet(rules, "match-pattern")
        took = min(clocked(lambda rules=rules: PatternSet(rules, "match-pattern")) for _ in range(3))
        expected = [text in patterns for text in texts]
        clocks = {"urlsm": each(patterns.__contains__, texts)}
        expressions = [f"https://{re.escape(host)}(?::[0-9]+)?{re.escape(path)}" for host, path in parts]
        if count == 20:
            singles = [PatternSet([rule], "match-pattern") for rule in rules]
            same("a loop over the patterns", [any(text in s for s in singles) for text in texts], expected)
            one = re.compile("|".join(expressions)).match
            same("re", [one(text) is not None for text in texts], expected)
            clocks["re, one alternation, after parse"] = each(lambda text, one=one: one(urlsm.parse(text).href), texts)
            if upa is not None:
                loop = [upa.URLPattern({"protocol": "https", "hostname": host, "port": "*", "pathname": f"{path}*"})
                        for host, path in parts]  # fmt: skip
                same("upa-url", [any(p.test(text) for p in loop) for text in texts], expected)
                clocks["upa-url, a loop"] = each(lambda text, loop=loop: any(p.test(text) for p in loop), texts)
        if count <= 10_000 and re2 is not None:
            options = re2.Options()
            options.max_mem = 1 << 30
            theirs = re2.Set.MatchSet(options)
            for expression in expressions:
                theirs.Add(expression)
            compiled = clocked(theirs.Compile)
            print_row(f"a set of {count:,}", "RE2 Set, compile, ms", f"{compiled / 1e6:,.0f}", "")
            same("RE2", [bool(theirs.Match(text)) for text in texts], expected)
            clocks["RE2 Set"] = each(theirs.Match, texts)
        compare(f"a set of {count:,}", clocks, n, rounds)
        compare(f"filter, {count:,}", {"urlsm": lambda s=patterns: clocked(lambda: s.filter(texts))}, n, rounds)
        print_row(f"a set of {count:,}", "build, ms", f"{took / 1e6:,.0f}", "")
        print_row(f"a set of {count:,}", "octets a pattern", f"{patterns._matcher.__sizeof__() / count:,.0f}", "")
        arrow = installed("pyarrow") if count == 10_000 else None
        if arrow is not None:
            column = arrow.array(texts * 20)
            same("columns.matches", arrow.array(columns.matches(column, patterns)).to_pylist()[:n], expected)
            matching = {"urlsm": lambda c=column, s=patterns: clocked(lambda: columns.matches(c, s)),
                        "columns.host": lambda c=column: clocked(lambda: columns.host(c))}  # fmt: skip
            compare("columns.matches, 10,000", matching, 20 * n, rounds)


DRAWN = 4  # shapes that are drawn for each syntax
GROWTH = "{:<58} {:>7} {:>7} {:>7} {:>6} {:>5} {:>9} {:>8} {:>6}"


def tried(patterns: PatternSet, url: str) -> int:
    """Return how many patterns are tried that do not match."""
    if patterns.syntax == "robots":
        return patterns._matcher.misses_in_text(url.partition("//")[2].partition("/")[2].join(("/", "")).encode())
    return patterns._matcher.misses(urlsm.parse(url))


def growth_of(shape: Shape, count: int, rng: random.Random, rounds: int) -> tuple[float, float]:
    """Print a row about a list of a shape, and return the nanoseconds a hit and a miss."""
    rules = [shape.pattern(k) for k in range(count)]
    took = min(clocked(lambda: PatternSet(rules, shape.syntax)) for _ in range(1 if count > 1000 else 3))
    patterns = PatternSet(rules, shape.syntax)
    hits = [shape.hit(rng.randrange(count), rng) for _ in range(300)]
    misses = [shape.miss(rng.randrange(count), rng) for _ in range(300)]
    if any((url in patterns) == (shape.syntax == "robots") for url in hits):
        raise SystemExit(f"{shape}: a URL is not found")
    clocks = {"hit": each(patterns.__contains__, hits), "miss": each(patterns.__contains__, misses)}
    best = interleaved(clocks, rounds)
    counts = sorted(tried(patterns, url) for url in hits + misses)
    octets = sys.getsizeof(patterns) / count
    tail = f"{statistics.median(counts):.0f}", counts[len(counts) * 99 // 100]
    times = best["hit"] / len(hits), best["miss"] / len(misses)
    print(GROWTH.format(str(shape), f"{count:,}", *(f"{time:,.0f}" for time in times), *tail,
                        f"{took / count / 1e3:.1f}", f"{octets:,.0f}", ""))  # fmt: skip
    return times


def growth(*sizes: int, rounds: int = 5) -> None:
    """Print how lists of each shape grow."""
    rng = random.Random("growth")
    shapes = [*FIXED, *(drawn(rng, syntax) for syntax in SYNTAXES for _ in range(DRAWN))]
    print(f"load {load_average()}; nanoseconds a link, best of {rounds}")
    print(GROWTH.format("shape", "rules", "hit", "miss", "tried", "p99", "us a rule", "octets", "times"))
    for shape in shapes:
        first: tuple[float, float] | None = None
        for count in sizes or (1, 100, 10_000):
            times = growth_of(shape, count, rng, rounds)
            if first is not None and count == (sizes or (10_000,))[-1]:
                more = max(after / before for before, after in zip(first, times, strict=True))
                print(GROWTH.format("", "", *[""] * 6, f"x{more:.1f}"))
            first = first or times


def robots_files(texts: list[str], rounds: int) -> None:
    protego = installed("protego")
    for name, lines in ROBOTS.items():
        text = f"User-agent: *\n{lines}"
        ours = Robots(text)
        expected = [ours.allows(url, "bot") for url in texts]
        clocks = {"urlsm": each(lambda url, robots=ours: robots.allows(url, "bot"), texts)}
        reads = {"urlsm": each(lambda text: Robots(text).allows("/", "bot"), [text] * 20)}
        if protego is not None:
            other = protego.Protego.parse(text)
            same("Protego", [other.can_fetch(url, "bot") for url in texts], expected)
            clocks["protego"] = each(lambda url, robots=other: robots.can_fetch(url, "bot"), texts)
            reads["protego"] = each(lambda text: protego.Protego.parse(text).can_fetch("/", "bot"), [text] * 20)
        compare(f"robots.txt, {name}", clocks, len(texts), rounds)
        compare(f"robots.txt read, {name}", reads, 20, rounds)


def filters(folder: Path, rounds: int) -> None:
    lists = "\n".join((folder / f"{name}.txt").read_text(encoding="utf-8") for name in ("easylist", "easyprivacy"))
    rows = json.loads((folder / "adblock-live.json").read_text(encoding="utf-8"))
    asked = [(row["url"], row["source"], row["type"]) for row in rows]
    patterns = PatternSet(lists, "adblock", strict=False, ambiguous="match")
    clocks = {"urlsm": each(lambda row: patterns.match(row[0], source=row[1], type=row[2]), asked)}
    builds = {"urlsm": each(lambda text: PatternSet(text, "adblock", strict=False), [lists])}
    brave = installed("braveblock")
    if brave is not None:
        lines = lists.split("\n")
        nothing = {"include_easylist": False, "include_easyprivacy": False}
        theirs = brave.Adblocker(rules=lines, **nothing)
        answers = [bool(theirs.check_network_urls(*row)) for row in asked]
        found = [patterns.match(url, source=source, type=type_) is not None for url, source, type_ in asked]
        unlike = sum(ours != blocked for ours, blocked in zip(found, answers, strict=True))
        print_row("EasyList + EasyPrivacy", "rows that differ", f"{unlike} of {len(rows)}", "")
        clocks["braveblock"] = each(lambda row: theirs.check_network_urls(*row), asked)
        builds["braveblock"] = each(lambda rules: brave.Adblocker(rules=rules, **nothing), [lines])
    compare("EasyList + EasyPrivacy, a request", clocks, len(asked), rounds)
    compare("EasyList + EasyPrivacy, build", builds, 1, 5)


HOSTILE = {
    "/*a*a*a*b": ("match-pattern", "/*a*a*a*b", "a" * 8000),
    "10,000 stars": ("match-pattern", "/" + "*a" * 10_000, "a" * 8000 + "b"),
    "groups": ("urlpattern", "/((?:a|aa|a?)*)b", "a" * 8000),
}


def hostile(rounds: int) -> None:
    for name, (syntax, pattern, text) in HOSTILE.items():
        patterns = PatternSet([f"https://h{pattern}"], syntax)
        clocks = {"urlsm": each(patterns.__contains__, [f"https://h/{text}"])}
        clocks["urlsm, twice the text"] = each(patterns.__contains__, [f"https://h/{text}{text}"])
        compare(f"hostile: {name}", clocks, 1, rounds)


def main(path: str, rounds: int = 15, folder: str = "") -> None:
    texts = [line.strip() for line in Path(path).read_text(encoding="utf-8", errors="replace").splitlines()[:4000]]
    urls = [url for url in map(urlsm.try_parse, texts) if url is not None]
    texts = [url.href for url in urls]
    print(f"{len(texts)} links; load {load_average()}; nanoseconds a link, best of {rounds}")
    print_head("work", "who", "ns", "ours is so many times as fast")
    url_patterns(texts, urls, rounds)
    sets(texts, urls, rounds)
    robots_files(texts[:500], rounds)
    if folder:
        filters(Path(folder), rounds)
    hostile(rounds)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    if sys.argv[1] == "--growth":
        growth(*map(int, sys.argv[2:]))
        raise SystemExit
    main(sys.argv[1], *map(int, sys.argv[2:3]), *sys.argv[3:4])
