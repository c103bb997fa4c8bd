"""Long texts: whether the time of parse is linear, and the time of the judges: `python -m bench.long`. Markdown."""

import math
import sys
from collections.abc import Callable
from contextlib import suppress
from itertools import pairwise
from time import process_time_ns

import urlsm
from bench import corpora
from bench.clocks import clocked, load_average, print_head, print_row

SIZES = [2**16, 2**18, 2**20, 2**22]
UNITS = ["/", ".", "..", "../", "a/../", "@", ":", "%", "%2e/", "[", "\\", "?", "#", ";", "é", "xn--", "a.", "1.", "\t"]
SHAPES = {"path": "http://h/{}", "authority": "http://{}", "userinfo": "http://{}@h/", "query": "http://h/?{}",
          "opaque path": "x:a{}", "reference": "{}"}  # fmt: skip
TOO_STEEP = 1.2
TOO_SHORT = 20_000  # ns: a text that takes less is refused at its first characters, and only noise makes it grow
TOO_LONG = 5_000_000_000  # ns: after this, longer texts of the same kind are not tried
LONG = ("http://{}/", "http://{}@h/", "http://h/{}", "x{}")  # of 1 MiB: senders choose the length of hostile texts
HOSTILE_UNITS = (":", "[", "%61", "é.", "\ufdfa", "../", "a/", "\t", "\ud800")
BASE = "https://www.example.org/one/two/three?q"


def main() -> None:
    load = load_average()
    print_linear(SIZES)
    print_slowest()
    print(f"\nLoad of the machine: {load} at the start, {load_average()} at the end (one core's work is ours).")


def steep(sizes: list[int]) -> tuple[int, int]:
    """Return the number of shapes whose time grows faster than the text, and the number that were measured."""
    base = urlsm.parse(corpora.BASE)
    found = 0
    for shape, form in SHAPES.items():
        for unit in UNITS:
            texts = [form.format(unit * (size // len(unit.encode()))) for size in sizes]
            _, growth = grown(base.join if shape == "reference" else urlsm.parse, texts)
            found += max(growth) > TOO_STEEP
    return found, len(SHAPES) * len(UNITS)


def print_linear(sizes: list[int]) -> None:
    """Print ns per octet of parse() for long texts of one unit; the growth exponent is 1 if time is linear."""
    base = urlsm.parse(corpora.BASE)
    found = 0
    print_head("parse, ns per octet", *(f"{size // 1024} KiB" for size in sizes), "growth exponents")
    for shape, form in SHAPES.items():
        for unit in UNITS:
            texts = [form.format(unit * (size // len(unit.encode()))) for size in sizes]
            times, growth = grown(base.join if shape == "reference" else urlsm.parse, texts)
            found += max(growth) > TOO_STEEP
            cells = [f"{time / size:.3f}" for time, size in zip(times, sizes, strict=False)]
            cells += ["-"] * (len(sizes) - len(cells))
            print_row(f"{shape} of `{unit!r}`", *cells, " ".join(f"{e:.2f}{'!' * (e > TOO_STEEP)}" for e in growth))
    print(f"\nRows with a step steeper than {TOO_STEEP}: {found}\n")


def grown(parse: Callable[[str], object], texts: list[str]) -> tuple[list[int], list[float]]:
    """Return the times of texts, each four times as long as the one before, and the exponents between them."""
    times: list[int] = []
    growth = [math.inf]
    for _ in range(5):  # what looks steep is timed again: another program may have caused it
        again: list[int] = []
        for text in texts:
            if not again or again[-1] < TOO_LONG:
                again.append(long_time(parse, text))
        times = [min(pair) for pair in zip(times, again, strict=False)] if times else again
        growth = [math.log(b / a, 4) if b > TOO_SHORT else 0 for a, b in pairwise(times)]
        if max(growth) <= TOO_STEEP:
            break
    return times, growth


def long_time(parse: Callable[[str], object], text: str) -> int:
    """Return the best time of 3 to 50 runs. The text may be refused."""
    best, spent, runs = sys.maxsize, 0, 0
    while runs < 3 or (runs < 50 and spent < 20_000_000):
        time = clocked(lambda: corpora.accepts(parse, text))
        best, spent, runs = min(best, time), spent + time, runs + 1
        if time > TOO_LONG:
            break
    return best


def slowest(judge: Callable[[str], object]) -> tuple[float, str]:
    """Return the most milliseconds of processor time that a judge takes for a text of 1 MiB, and that text's shape."""
    found = []
    for form in LONG:
        for unit in HOSTILE_UNITS:
            text = form.format(unit * (2**20 // len(unit.encode("utf-8", "surrogatepass"))))
            took = []
            for _ in range(3):
                start = process_time_ns()
                with suppress(ValueError):
                    judge(text)
                took.append((process_time_ns() - start) / 1e6)
            found.append((min(took), form.format(ascii(unit)[1:-1])))
    return max(found)


def print_slowest() -> None:
    print("\n| 1 MiB, the slowest | ms | |\n|---|---:|---|")
    for name, judge in {
        "compare": urlsm.security.compare_readers,
        "is_ambiguous": urlsm.security.is_ambiguous,
        "audit": urlsm.security.audit,
        "is_safe_redirect, target": lambda text: urlsm.security.is_safe_redirect(text, base=BASE),
        "is_safe_redirect, base": lambda text: urlsm.security.is_safe_redirect("/x", base=text),
        "safe_join, reference": lambda text: urlsm.security.safe_join(BASE, text),
        "safe_join, base": lambda text: urlsm.security.safe_join(text, "x"),
    }.items():
        milliseconds, shape = slowest(judge)
        print(f"| {name} | {milliseconds:.0f} | `{shape}` |")


if __name__ == "__main__":
    main()
