"""The functions that use the dialects and the handlers: `python -m bench.dialects`. Markdown, to standard output.

Answers are checked before they are timed: those of split and resolve against each other and urllib.parse, those of
parts and compare against known ones.

Rounds are interleaved; a figure is the best of them, in nanoseconds per call, less the bare loop.
"""

import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from time import perf_counter_ns, process_time_ns
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
LONG = ("http://{}/", "http://{}@h/", "http://h/{}", "x{}")  # of 1 MiB: hostile texts are as long as their senders like
UNITS = (":", "[", "%61", "é.", "\ufdfa", "../", "a/", "\t", "\ud800")


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


def slowest(judge: Callable[[str], object]) -> tuple[float, str]:
    """The most milliseconds of processor time that a judging function takes for a text of 1 MiB, and for which."""
    found = []
    for form in LONG:
        for unit in UNITS:
            text = form.format(unit * (2**20 // len(unit.encode("utf-8", "surrogatepass"))))
            took = []
            for _ in range(3):
                start = process_time_ns()
                with suppress(ValueError):
                    judge(text)
                took.append((process_time_ns() - start) / 1e6)
            found.append((min(took), form.format(ascii(unit)[1:-1])))
    return max(found)


def main() -> None:
    load = load_average()
    links = corpora.load(peers.parsers(), None, MANY).urls
    check(links)
    jobs: dict[str, tuple[Callable[[str], object], list[str]]] = {
        f"split, {dialect}": (partial(urlsm.split, dialect=dialect), links) for dialect in urlsm.machine.driver.DIALECTS
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
    print("\n| 1 MiB, the slowest | ms | |\n|---|---:|---|")
    for name, judge in {
        "compare": urlsm.compare,
        "is_ambiguous": urlsm.is_ambiguous,
        "audit": urlsm.audit,
        "is_safe_redirect, target": lambda text: urlsm.is_safe_redirect(text, BASE),
        "is_safe_redirect, base": lambda text: urlsm.is_safe_redirect("/x", text),
        "join_within, reference": lambda text: urlsm.join_within(BASE, text),
        "join_within, base": lambda text: urlsm.join_within(text, "x"),
    }.items():
        milliseconds, shape = slowest(judge)
        print(f"| {name} | {milliseconds:.0f} | `{shape}` |")
    print(f"\nLoad of the machine: {load} at the start, {load_average()} at the end (one core's work is ours).")


if __name__ == "__main__":
    main()
