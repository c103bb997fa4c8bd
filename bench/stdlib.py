"""urlsm.stdlib beside urllib.parse and others that do the same: `python -m bench.stdlib`. Markdown, to standard output.

Rounds are interleaved as in table.py; urllib.parse is a second copy of the module, without a cache of URLs. Each answer
is compared with urllib.parse's before any timing: ours must be equal, and a peer's differences are counted.
"""

import argparse
import platform
import subprocess
import sys
import sysconfig
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from time import perf_counter_ns
from typing import Any

if not __package__:
    sys.path[0] = str(Path(__file__).resolve().parents[1])

import urlsm.stdlib as ours
from bench import corpora, peers
from bench.table import clocked, interleaved, load_average, print_head, print_row

theirs: Any = peers.second_copy("urllib.parse")
theirs.urlsplit = getattr(theirs.urlsplit, "__wrapped__", theirs.urlsplit)  # without its cache of URLs
theirs.MAX_CACHE_SIZE = 0  # the same, up to CPython 3.10

OTHER_WORK = 0.05  # a peer whose answers differ more often is shown in brackets, and never "the best peer"
KEPT = 100_000


@dataclass
class Inputs:
    """Texts of one corpus: real links, and what their paths and queries hold."""

    links: list[str]
    with_fragment: list[str]
    refs: list[str]
    split: list[Any]
    parsed: list[Any]
    clean: list[str]  # quote changes nothing
    dirty: list[str]
    escaped: list[str]  # with "%"
    unescaped: list[str]
    queries: list[str]
    pairs: list[dict[str, str]]


@dataclass
class Job:
    title: str
    inputs: str
    call: str  # an expression of f, the function, and u, the input
    function: str
    aim: float  # times urllib.parse
    peer_aim: float = 0  # times the best peer
    peers: dict[str, tuple[str, dict[str, Any]]] = field(default_factory=dict)  # name -> expression of u, its names


def inputs(corpus: str | None, limit: int) -> Inputs:
    name = corpus or next(n for n in corpora.NAMES if n == "generated" or (corpora.FOLDER / f"{n}.txt").exists())
    lines = corpora.generate(limit) if name == "generated" else corpora.read(corpora.FOLDER / f"{name}.txt")
    links = corpora.thinned(lines, limit)
    split = [ours.urlsplit(link) for link in links]  # whose classes are the interpreter's own
    queries = [query for _, _, _, query, _ in map(theirs.urlsplit, lines) if query]
    pieces = [piece for query in queries for pair in query.split("&") for piece in pair.split("=")]
    texts = [theirs.unquote(path) for _, _, path, _, _ in split] + list(map(theirs.unquote_plus, pieces))
    return Inputs(
        links=links,
        with_fragment=corpora.thinned([line for line in lines if "#" in line], limit),
        refs=corpora.thinned(corpora.references(links), limit),
        split=split,
        parsed=[ours.urlparse(link) for link in links],
        clean=corpora.thinned([text for text in texts if text and theirs.quote(text) == text], limit),
        dirty=corpora.thinned([text for text in texts if theirs.quote(text) != text], limit),
        escaped=corpora.thinned([piece for piece in pieces if "%" in piece], limit),
        unescaped=corpora.thinned([piece for piece in pieces if piece and "%" not in piece], limit),
        queries=corpora.thinned(queries, limit),
        pairs=[made for made in map(dict, map(theirs.parse_qsl, corpora.thinned(queries, limit))) if made],
    )


def jobs() -> list[Job]:
    found = [
        Job("urlsplit", "links", "f(u)", "urlsplit", 15),
        Job("urlparse", "links", "f(u)", "urlparse", 15),
        Job("urljoin", "refs", "f(base, u)", "urljoin", 30),
        Job("urldefrag, links", "links", "f(u)", "urldefrag", 12),
        Job('urldefrag, links with "#"', "with_fragment", "f(u)", "urldefrag", 12),
        Job("urlunsplit", "split", "f(u)", "urlunsplit", 8),
        Job("urlunparse", "parsed", "f(u)", "urlunparse", 8),
        Job("quote, clean", "clean", "f(u)", "quote", 12, 2),
        Job("quote, dirty", "dirty", "f(u)", "quote", 20, 2),
        Job("unquote, no %", "unescaped", "f(u)", "unquote", 4, 1.6),
        Job("unquote, %", "escaped", "f(u)", "unquote", 18, 1.6),
        Job("parse_qsl", "queries", "f(u)", "parse_qsl", 9, 2.5),
        Job("parse_qs", "queries", "f(u)", "parse_qs", 9),
        Job("urlencode", "pairs", "f(u)", "urlencode", 20, 6),
    ]
    add_peers({job.title: job for job in found})
    return found


def add_peers(job: dict[str, Job]) -> None:
    try:
        from yarl._parse import query_to_pairs
        from yarl._query import get_str_query
        from yarl._quoting import _Quoter, _Unquoter
    except ImportError as error:
        print(f"Left out: yarl ({error}).\n")
    else:
        quoter = {"quoter": _Quoter(requote=False, safe="/")}
        job["quote, clean"].peers["yarl"] = job["quote, dirty"].peers["yarl"] = "quoter(u)", quoter
        unquoter = {"unquoter": _Unquoter()}
        job["unquote, no %"].peers["yarl"] = job["unquote, %"].peers["yarl"] = "unquoter(u)", unquoter
        job["parse_qsl"].peers["yarl"] = "query_to_pairs(u)", {"query_to_pairs": query_to_pairs}
        job["urlencode"].peers["yarl"] = "get_str_query(u)", {"get_str_query": get_str_query}
    try:
        from falcon import uri
        from falcon.util.misc import to_query_str
    except ImportError as error:
        print(f"Left out: falcon ({error}).\n")
    else:
        job["quote, clean"].peers["falcon"] = job["quote, dirty"].peers["falcon"] = "encode(u)", {"encode": uri.encode}
        decode = "decode(u, False)", {"decode": uri.decode}
        job["unquote, no %"].peers["falcon"] = job["unquote, %"].peers["falcon"] = decode
        job["parse_qs"].peers["falcon"] = "parse(u)", {"parse": uri.parse_query_string}
        job["urlencode"].peers["falcon"] = "to_query_str(u, False, False)", {"to_query_str": to_query_str}
    try:
        from fast_query_parsers import parse_query_string
    except ImportError as error:
        print(f"Left out: fast_query_parsers ({error}).\n")
    else:
        job["parse_qsl"].peers["fast_query_parsers"] = 'parse(u.encode(), "&")', {"parse": parse_query_string}


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="fewer texts, fewer rounds")
    parser.add_argument("--corpus", choices=corpora.NAMES, help="default: the first there is")
    options = parser.parse_args(arguments)
    load, rounds = load_average(), 5 if options.quick else 9
    texts = inputs(options.corpus, 2_000 if options.quick else 20_000)
    build = "PGO" if "--enable-optimizations" in (sysconfig.get_config_var("CONFIG_ARGS") or "") else "no PGO"
    print(f"{platform.python_implementation()} {platform.python_version()} ({build}), {platform.machine()}.\n")
    notes: list[str] = []
    print_head(
        "ns per call", "urllib.parse", "best peer", "urlsm.stdlib", "to urllib.parse", "aim", "to the peer", "aim"
    )
    for job in jobs():
        print_job(job, texts, rounds, notes)
    print_kept(texts.links, 3)
    print("\nAnswers that differ from urllib.parse's, of peers (ours are all equal):\n")
    print("\n".join(notes) + "\n")
    print_end_to_end(texts.links, rounds)
    print(f"Load of the machine: {load} at the start, {load_average()} at the end (one core's work is ours).")


def print_job(job: Job, texts: Inputs, rounds: int, notes: list[str]) -> None:
    given = getattr(texts, job.inputs)
    names = {"base": corpora.BASE}
    adapters = {
        "urllib.parse": peers.Adapter(job.call, {"f": getattr(theirs, job.function), **names}),
        "urlsm": peers.Adapter(job.call, {"f": getattr(ours, job.function), **names}),
        **{peer: peers.Adapter(call, made) for peer, (call, made) in job.peers.items()},
    }
    wanted = [peers.evaluator(adapters["urllib.parse"])(u) for u in given]
    equal = []
    for peer, adapter in adapters.items():
        call = peers.evaluator(adapter)
        different = sum(call(u) != answer for u, answer in zip(given, wanted, strict=True))
        assert not (peer == "urlsm" and different), job.title
        if different:
            notes.append(f"- {job.title}, {peer}: {different} of {len(given)}")
        if peer in job.peers and different <= OTHER_WORK * len(given):
            equal.append(peer)
    loops = {peer: peers.loop(adapter) for peer, adapter in adapters.items()}
    loops["loop"] = peers.loop(None)
    best = interleaved({peer: partial(clocked, partial(loop, given)) for peer, loop in loops.items()}, rounds)
    times = {peer: (time - best["loop"]) / len(given) for peer, time in best.items()}
    urllib, mine = times["urllib.parse"], times["urlsm"]
    peer = min(equal or job.peers, key=times.__getitem__, default="")
    brackets = "{}" if peer in equal else "({})"
    print_row(
        job.title,
        f"{urllib:.0f}",
        brackets.format(f"{peer} {times[peer]:.0f}") if peer else "-",
        f"**{mine:.1f}**",
        f"{urllib / mine:.1f}x",
        f">= {job.aim}x: {'reached' if urllib / mine >= job.aim else 'missed'}",
        f"{times[peer] / mine:.1f}x" if peer else "-",
        f">= {job.peer_aim}x: {'reached' if times[peer] / mine >= job.peer_aim else 'missed'}"
        if peer in equal and job.peer_aim
        else "-",
    )


def print_kept(links: list[str], rounds: int) -> None:
    """A list of so many results, made with the collector on: its work counts too."""
    many = (links * (KEPT // len(links) + 1))[:KEPT]
    times: dict[str, float] = {}
    for _ in range(rounds):
        for name, split in (("urllib.parse", theirs.urlsplit), ("urlsm", ours.urlsplit)):
            start = perf_counter_ns()
            kept = [split(link) for link in many]
            times[name] = min(times.get(name, sys.maxsize), perf_counter_ns() - start)
            del kept
    urllib, mine = times["urllib.parse"] / KEPT, times["urlsm"] / KEPT
    print_row(f"urlsplit, {KEPT} kept", f"{urllib:.0f}", "-", f"**{mine:.1f}**", f"{urllib / mine:.1f}x", "-", "-", "-")


# --- a crawler's page --------------------------------------------------------------------------

END_TO_END = """if True:
    import sys
    from time import perf_counter_ns
    if sys.argv[1] == "with":
        import urlsm.stdlib
        urlsm.stdlib.install()
    import lxml.html
    from urllib.parse import urljoin
    from w3lib.url import canonicalize_url, safe_url_string
    from bench import corpora
    links = corpora.fresh(sys.stdin.read().split("\\n"))
    links = links + corpora.references(links)
    page = "<html><body>" + "".join(f'<a href="{link}">x</a>' for link in links if '"' not in link) + "</body></html>"
    def crawl():
        found = set()
        for element in lxml.html.fromstring(page).iter("a"):
            found.add(canonicalize_url(urljoin(corpora.BASE, safe_url_string(element.get("href")))))
        return found
    best, count = sys.maxsize, len(links)
    for _ in range(int(sys.argv[2])):
        start = perf_counter_ns()
        found = crawl()
        best = min(best, perf_counter_ns() - start)
    import hashlib
    print(best / count, hashlib.sha256("\\n".join(sorted(found)).encode()).hexdigest())
"""


def print_end_to_end(links: list[str], rounds: int) -> None:
    """Extract the links of a page with lxml, resolve them, make them canonical with w3lib: by link."""
    page = "\n".join(links[:: len(links) // 1000 or 1])
    results = {}
    for way in ("without", "with", "without", "with"):
        command = [sys.executable, "-c", END_TO_END, way, str(rounds)]
        done = subprocess.run(command, input=page, cwd=peers.ROOT, capture_output=True, text=True, check=False)
        if done.returncode:
            print(f"Left out: a page with lxml and w3lib ({done.stderr.strip().splitlines()[-1]}).\n")
            return
        time, digest = done.stdout.split()
        results[way] = min(results.get(way, (sys.maxsize / 1, digest)), (float(time), digest))
    assert results["with"][1] == results["without"][1]
    without, with_it = results["without"][0], results["with"][0]
    print(
        f"A page's links extracted with lxml, resolved, and made canonical with w3lib: {without:.0f} ns per link, with "
        f"install() {with_it:.0f}, {without / with_it:.2f}x; the same links come out.\n"
    )


if __name__ == "__main__":
    main()
