"""The plain ways of the judging functions, compared with their long way: a search for a text on which they differ.

    cd tests && python -m oracles.judges -n 1000000 --seed 5     this many cases; the same seed makes the same cases

A case is a text, a base, a target and allowed hosts: plain links, changed by hostile pieces. The long way judges with
the plain lane off; then each width judges. Where a plain way declines, both are the same, and nothing is compared; the
comparisons are counted. Prints the counts, and each difference. Exits with 1 after a difference.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator

from support import generate

import urlsm
from urlsm.machine.driver import use_plain, use_vectors
from urlsm.security.plain import is_ordinary, is_plainly_safe, joined_plainly, unremarkable

WIDTHS = (64, 32, 16, 1)
HOSTS = [
    *("good.com", "GOOD.com", "good.com.", "a.good.com", "evil.com", "other.com", "localhost", "h"),
    *("xn--bcher-kva.com", "good.example", "xn--", "a_b.com", "good-.com", "-h", "1.2.3.4", "h.1", "h.0x1", "a" * 64),
    *("metadata.google.internal", "x.local", "good.com:443", "good.com:80", "good.com:8443", "h:0443"),
    *(
        "127.0.0.1",
        "01.2.3.4",
        "1.2.3.4.",
        "1.2.3",
        "256.1.1.1",
        "1.2.3.4.5",
        "8.8.8.8:443",
        "169.254.169.254",
        "0.0.0.0",
    ),
    *(
        "project_x.example",
        "a.test",
        "a.example.",
        "xn--a.example",
        "192.88.99.1",
        "198.51.100.255",
        "1.2.3.04",
        "8.8.8.8",
    ),
    *("good.com:", "h:65536", "h:000443", "u@good.com", "a..b", f"{'a.' * 126}a", f"{'a.' * 127}a", "good"),
]
IDNS = [  # some are no hazard; of others a plain way may not say so
    *(
        "b\u00fccher.com",
        "\u043f\u0440\u0438\u043c\u0435\u0440.com",
        "\u65e5\u672c-1.example",
        "\ud55c\uad6d.h",
        "caf\u00e9.a.h:443",
    ),
    *(
        "\u05d3\u05d5\u05d2\u05de\u05d0.h",
        "\u092d\u093e\u0930\u0924.h",
        "\u0e44\u0e17\u0e22.h",
        "\u30b5\u30f3\u30d7\u30eb.h",
        "xn--e1afmkfd.com",
        "XN--BCHER-KVA.de",
    ),
    *(
        "\u0430\u0441\u0435.com",
        "ex\u0430mple.com",
        "fa\u00df.de",
        "\u03b2\u03cc\u03bb\u03bf\u03c2.com",
        "B\u00dcCHER.de",
        "cafe\u0301.h",
        "xn--80ak6aa92e.com",
    ),
    *(
        "\u0646\u0645\u06cc\u200c\u062e.h",
        "\u30ab\u3002h",
        "a_\u00e9.com",
        "\u05d0a.h",
        "1\u05d0.h",
        "\u00e9.1",
        "\u00e9-.h",
        "\u00e9.127.0.0.1",
    ),
    *(
        "\u00e9.local",
        "\u00e9" * 60 + ".h",
        "\u2603.h",
        "\ufb01.h",
        "\u00e9:8080",
        "xn--a-\u00e9.h",
        "\ud800.h",
        "u@\u00e9.h",
    ),
]
PLAIN = ["good.com", "other.com", "a.good.com:8443", "evil.com", "h", "8.8.4.4"]
PATHS = [
    *(
        "",
        "/",
        "/",
        "/x",
        "/app/page",
        "/files/a/index.html",
        "/a/b/c/",
        "/a//b",
        "/a//",
        "/a//..//b",
        "/.well-known/x",
        "/a;b/c",
        "/a:b",
    ),
    *("/%D0%9F/x", "/a%20b", "/@user", "/a,b/(c)", "/~u/x_y-z.html", "/a%2Fb", "/a%2eb", "//b", "/a/../b", "/./x"),
]
TAILS = [
    *("", "", "", "?q", "?q=1&r=a+b", "?next=%2Fa%2Fb", "?next=https://evil.com/", "?u=//x", "#top", "?q#f", "?", "#"),
    *("?a=%2520b", "?a=%250d", "?a=%0D", "#%00", "?a=%25", "?a%", "?[]{}|^`", "?\\", "#//"),
]
STEPS = [
    "",
    "x",
    "page.html",
    "a/b/c",
    "img/a%20b.png",
    "next?x=1",
    "a/",
    "../x",
    "./x",
    "..",
    "%2e%2e/x",
    "a:b",
    "x//y",
]
HOSTILE = [
    *generate.ODD,
    *generate.SEGMENTS,
    *generate.TAILS,
    *generate.PORTS,
    *generate.USERINFO,
    *generate.SLASHES,
]
SHARP = [
    *("%2f", "%5C", "%2e", "%2E%2E", "%252e", "%2%65", "%00", "%0d%0A", "%09", "%c0%af", "%u002e", "%7F", "%25", "%"),
    *("/%09/", "/%2f", "/%2e/", "/.%2E", "/%2e%2e/", "%c0%80", "%c0%af..%c0%af..", "%0a/", "%5c..%5c..", "x%00", "%1F"),
    *("/..", "/../", "/.", "//", "/\\", "..;", ".", ":", ":80", "@", "//evil.com", "?", "#", ";", " ", "xn--"),
]
ENTRIES = [
    *("other.com", "OTHER.com", "evil.com", "good.com", "good.com:443", "good.com:80", "h", ""),
    *("good.com:8443", "good.com:08443", "h:443", "h:", "h:443:", "::1", "[::1]", "bücher.com", "\u212a"),
    *("a]@good.com/:", "[a]@good.com/", "a]@good.com/:b:", "h\n", "h:443\n", "good.com.", "*", "\ud800"),
]

Case = tuple[str, str, str, Callable[[], object]]


def changed(rng: random.Random, text: str) -> str:
    """Return text, in half of the cases with up to three changes: something inserted, removed, or in other letters."""
    for _ in range(rng.choice((0, 0, 0, 0, 1, 1, 2, 3))):
        at = rng.randrange(len(text) + 1)
        end = at + rng.choice((0, 0, 0, 1, 1, 3))
        if rng.random() < 0.3:  # at an edge of a component or a segment
            at = end = max(text.rfind(mark, 0, end) for mark in "/?#:") + 1
        piece = rng.choice(rng.choice((HOSTILE, SHARP))) if rng.random() < 0.85 else text[at:end].swapcase()
        text = text[:at] + piece + text[end:]
    return text


def some_host(rng: random.Random) -> str:
    return rng.choice(PLAIN if rng.random() < 0.7 else HOSTS if rng.random() < 0.7 else IDNS)


def link(rng: random.Random, host: str | None = None) -> str:
    schemes = (
        "https://",
        "https://",
        "https://",
        "http://",
        "http://",
        "HTTPS://",
        "ws://",
        "ftp://",
        "s3://",
        "https:",
    )
    return rng.choice(schemes) + (host or some_host(rng)) + rng.choice(PATHS) + rng.choice(TAILS)


def allowed(rng: random.Random, host: str) -> Callable[[], object]:
    """Return a function that makes allowed hosts anew: some iterables can be read only once."""
    entries: list[object] = [
        rng.choice((host, host.partition(":")[0], rng.choice(ENTRIES))) for _ in range(rng.choice((0, 1, 1, 2, 3)))
    ]
    if rng.random() < 0.05:
        entries.insert(rng.randrange(len(entries) + 1), rng.choice((None, 1, b"h")))
    kind = rng.choice((tuple, list, set, frozenset, iter, dict.fromkeys, None))
    return (lambda: None) if kind is None and rng.random() < 0.2 else (lambda: (kind or tuple)(entries))


def cases(rng: random.Random) -> Iterator[Case]:
    while True:
        host = some_host(rng)
        base = link(rng, host) if rng.random() < 0.5 else f"https://{host}{rng.choice(PATHS)}"
        kind = rng.randrange(9)
        if kind < 3:
            target = rng.choice(PATHS) + rng.choice(TAILS)
        elif kind < 5:
            target = link(rng, rng.choice((host, None)))
        elif kind < 7:
            target = rng.choice(STEPS) + rng.choice(TAILS)
        elif kind < 8:
            target = "//" + rng.choice((host, some_host(rng))) + rng.choice(PATHS) + rng.choice(TAILS)
        else:
            target = generate.build_reference(rng.choice)
        there = rng.choice((target.partition("//")[2].partition("/")[0], some_host(rng)))
        yield changed(rng, link(rng)), changed(rng, base), changed(rng, target), allowed(rng, there)


def outcome(call: Callable[[], object]) -> object:
    try:
        return call()
    except Exception as error:
        return type(error), str(error)


def questions(case: Case) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield the answers of the plain ways to a case, by name, unless they decline."""
    text, base, target, hosts = case
    if is_ordinary(text):
        yield "compare_readers", lambda: [*urlsm.security.compare_readers(text).views.items()]
    if is_ordinary(text) or unremarkable(text):
        yield "is_ambiguous", lambda: urlsm.security.is_ambiguous(text)
    if unremarkable(text):
        yield "audit", lambda: urlsm.security.audit(text)
    if joined_plainly(base, target) is not None:
        yield "safe_join", lambda: urlsm.security.safe_join(base, target)
    given = hosts()
    if is_plainly_safe(target, base, given) is not None:
        for name, read in (("is_safe_redirect", str), ("is_safe_redirect of URLs", urlsm.try_parse)):
            there, home = read(target), read(base)
            if there is not None and home is not None:
                yield (
                    name,
                    lambda there=there, home=home: urlsm.security.is_safe_redirect(
                        there, base=home, allowed_hosts=hosts()
                    ),
                )


def judge(rng: random.Random, count: int) -> tuple[Counter[str], list[str]]:
    """Return how often each plain way answered in count cases, and where the long way answered differently."""
    counts: Counter[str] = Counter()
    wrong = []
    before = use_plain(True)
    try:
        for _, case in zip(range(count), cases(rng), strict=False):
            use_plain(True)
            for name, ask in [*questions(case)]:
                use_plain(False)
                wanted = outcome(ask)
                use_plain(True)
                counts[name] += 1
                for width in WIDTHS if name == "compare_readers" else WIDTHS[:1]:
                    use_vectors(width)
                    found = outcome(ask)
                    if found != wanted or type(found) is not type(wanted):
                        wrong.append(f"{name} {case[:3]!a} {outcome(case[3])!a}: {found!a}, not {wanted!a} ({width})")
    finally:
        use_vectors(64)
        use_plain(before)
    return counts, wrong


def main() -> int:
    options = argparse.ArgumentParser(description="The plain ways of the judging functions against their long way.")
    options.add_argument("-n", type=int, default=100_000, help="cases (default: 100000)")
    options.add_argument("--seed", type=int, default=None, help="of every choice (default: drawn)")
    given = options.parse_args()
    seed = random.randrange(1 << 32) if given.seed is None else given.seed
    print(f"seed {seed}", flush=True)
    counts, wrong = judge(random.Random(seed), given.n)
    print(f"{given.n} cases:", ", ".join(f"{name} {n}" for name, n in sorted(counts.items())))
    print("\n".join([*wrong[:50], f"{len(wrong)} differences"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
