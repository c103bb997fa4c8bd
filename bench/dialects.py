"""What is built on the dialects and the handlers: `python -m bench.dialects`. Markdown, to standard output.

Every answer is checked before it is timed: split and resolve against each other and urllib.parse, parts and compare for
what they must see. Rounds are interleaved; a figure is the best of them, in nanoseconds per call, less the bare loop.
"""

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import perf_counter_ns
from urllib.parse import urljoin

if not __package__:
    sys.path[0] = str(Path(__file__).resolve().parents[1])

import urlsm
from bench import corpora, peers
from bench.table import load_average

ROUNDS = 9
MANY = 2_000  # links
PARTS = {
    "http": "http://www.example.org/a/b/c?x=1",
    "ftp": "ftp://ftp.example.org/pub/a/b.txt;type=i",
    "mailto": "mailto:someone@example.org?subject=hello",
    "gopher": "gopher://gopher.example.org/1/dir/x",
}
REFERENCES = ["../a/b", "c?d=e", "/x/y/z.html", "//other.example/a", "?q=1", "./img/a.png"]
BASE = "https://www.example.org/one/two/three?q"


def best(jobs: dict[str, tuple[Callable[[str], object], list[str]]]) -> dict[str, float]:
    """Nanoseconds per call of each job, its rounds between those of the others."""
    found = dict.fromkeys(jobs, float("inf"))
    for _ in range(ROUNDS):
        for name, (call, texts) in jobs.items():
            start = perf_counter_ns()
            for text in texts:
                call(text)
            took = perf_counter_ns() - start
            start = perf_counter_ns()
            for _text in texts:
                pass
            bare = perf_counter_ns() - start
            found[name] = min(found[name], (took - bare) / len(texts))
    return found


def check(links: list[str]) -> None:
    for link in links:
        assert urlsm.unsplit(urlsm.split(link, "rfc3986")) == link
    for reference in REFERENCES:
        assert urlsm.resolve(BASE, reference, "rfc3986") == urljoin(BASE, reference)
    for scheme, text in PARTS.items():
        parts = urlsm.parse(text).parts
        assert type(parts).__name__ and parts == urlsm.parts(text), scheme
    assert all(urlsm.compare(link).agree for link in links[:100])


def main() -> None:
    load = load_average()
    links = corpora.load(peers.parsers(), None, MANY).urls
    check(links)
    jobs: dict[str, tuple[Callable[[str], object], list[str]]] = {
        f"split, {dialect}": (partial(urlsm.split, dialect=dialect), links) for dialect in urlsm.machine.DIALECTS
    }
    many = REFERENCES * (MANY // len(REFERENCES))
    jobs["resolve, rfc3986"] = (lambda ref: urlsm.resolve(BASE, ref, "rfc3986"), many)
    jobs["resolve, rfc2396"] = (lambda ref: urlsm.resolve(BASE, ref, "rfc2396"), many)
    jobs["urllib.parse.urljoin"] = (lambda ref: urljoin(BASE, ref), many)
    for scheme, text in PARTS.items():
        jobs[f"parse(u).parts, {scheme}"] = (lambda u: urlsm.parse(u).parts, [text] * MANY)
    jobs["compare"] = (urlsm.compare, links)
    jobs["is_ambiguous"] = (urlsm.is_ambiguous, links)
    jobs["audit"] = (urlsm.audit, links)
    found = best(jobs)
    print("| | ns | |\n|---|---:|---|")
    for name, took in found.items():
        ratio = ""
        if name.startswith("split"):
            ratio = f"{took / found['split, whatwg']:.2f}x whatwg"
        elif name.startswith("resolve"):
            ratio = f"urljoin takes {found['urllib.parse.urljoin'] / took:.0f}x as long"
        print(f"| {name} | {took:.0f} | {ratio} |")
    print(f"\nLoad of the machine: {load} at the start, {load_average()} at the end (one core's work is ours).")


if __name__ == "__main__":
    main()
