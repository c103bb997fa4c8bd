"""URLs in running text, MB/s: `python -m bench.extract`, or `python bench/extract.py`. Markdown, to standard output.

The text is prose made from a seed, with links of the corpus in the forms that people write, so all links in it are
known. The links that each peer finds are counted before timing: a peer that misses some does less work.
"""

import argparse
import random
import re
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

if not __package__:
    sys.path[0] = str(Path(__file__).resolve().parents[1])

import urlsm
from bench import corpora
from bench.clocks import clocked, interleaved, load_average, print_head, print_row

Finder = Callable[[str], list[str]]

FORMS = ["{}", "{}.", "({})", "{},", "<{}>", '<a href="{}">', "[here]({})", "see: {}"]
COMMON = {  # every peer must find these
    "see http://example.org/x for more": ["http://example.org/x"],
    "http://example.com/a?b=c&d=1 and https://www.example.org/x.html\n": [
        "http://example.com/a?b=c&d=1",
        "https://www.example.org/x.html",
    ],
    '<a href="https://example.org/x/y">': ["https://example.org/x/y"],
    "no link, at 12:30: none.": [],
}
# white space and quotes delimit; then the sentence's punctuation is removed
SIMPLE = re.compile(r"https?://[^\s<>\"]+")
CAREFUL = re.compile(
    r"\b(?:https?|ftp)://[^\s<>\"'`()\[\]{}]*(?:\([^\s()<>]*\)[^\s<>\"'`()\[\]{}]*)*(?<![.,;:!?])", re.I
)


def finders() -> dict[str, Finder]:
    found: dict[str, Finder] = {
        "urlsm": lambda text: [match.text for match in urlsm.documents.extract_urls(text)],
        "urlsm, guesses too": lambda text: [
            match.text for match in urlsm.documents.extract_urls(text, guess_scheme=True)
        ],
        "re, simple": SIMPLE.findall,
        "re, careful": CAREFUL.findall,
        "re, careful, then parse": lambda text: [url for url in CAREFUL.findall(text) if urlsm.try_parse(url)],
    }
    try:
        from urlextract import URLExtract
    except ImportError:
        print("Left out: urlextract (not installed).\n")
    else:
        found["urlextract"] = URLExtract().find_urls
    return found


def prose(links: list[str], size: int, words: int, seed: int = corpora.SEED) -> tuple[str, list[str]]:
    """Return a text of size characters with a link for every `words` words, and the links."""
    rng = random.Random(seed)
    parts: list[str] = []
    used: list[str] = []
    length = 0
    while length < size:
        sentence = corpora.words(rng, rng.randint(words // 2, words * 3 // 2), " ").capitalize()
        link = rng.choice(links)
        part = (
            f"{sentence} {rng.choice(FORMS).format(link)} {corpora.words(rng, 3, ' ')}, {rng.choice(corpora.WORDS)}.\n"
        )
        used.append(link)
        parts.append(part)
        length += len(part)
    return "".join(parts), used


def links_of(name: str | None) -> list[str]:
    """Return the corpus's links that end in a letter, digit or slash and hold no brackets or quotes."""
    name = name or next(
        name for name in corpora.NAMES if name == "generated" or (corpora.FOLDER / f"{name}.txt").exists()
    )
    lines = corpora.generate(20_000) if name == "generated" else corpora.read(corpora.FOLDER / f"{name}.txt")
    print(f"Corpus {name}.", end=" ")
    ordinary = re.compile(r"https?://[A-Za-z0-9-]+\.[^\s<>\"'`\\()\[\]{}|;,\x7f-\U0010ffff]*[A-Za-z0-9/]")
    return [line for line in lines if ordinary.fullmatch(line) and urlsm.can_parse(line)]


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", choices=corpora.NAMES, help="default: the first there is")
    parser.add_argument(
        "--size", type=int, default=400_000, metavar="N", help="characters of text (default: %(default)s)"
    )
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="default: %(default)s")
    options = parser.parse_args(arguments)
    load = load_average()
    links = links_of(options.corpus)
    found = finders()
    for text, wanted in COMMON.items():
        for name, finder in found.items():
            assert finder(text) == wanted, f"{name} finds {finder(text)} in {text!r}"

    texts = {
        "a link to 12 words": prose(links, options.size, 12),
        "a link to 100 words": prose(links, options.size, 100),
    }
    texts["that, one word not ASCII"] = (texts["a link to 100 words"][0] + "café", texts["a link to 100 words"][1])
    print(f"Texts of {options.size} characters. Links found exactly as written, in the first:\n")
    for name, finder in found.items():
        got, wanted = finder(texts["a link to 12 words"][0]), texts["a link to 12 words"][1]
        print(f"- {name}: {exact(got, wanted):.2%}, and {len(got) - len(wanted):+d} in number")
        assert not name.startswith("urlsm") or exact(got, wanted) == 1, "urlsm misses a link"
    print()
    print_head("MB/s (urlsm against it)", *texts)
    rates: dict[str, list[float]] = {name: [] for name in found}
    for text, _ in texts.values():
        octets = len(text.encode())
        clocks = {
            name: (lambda finder=finder, text=text: clocked(lambda: finder(text))) for name, finder in found.items()
        }
        for name, time in interleaved(clocks, options.rounds).items():
            rates[name].append(octets / time * 1000)
    for name, speeds in rates.items():
        print_row(name, *(f"{s:.1f} ({ours / s:.1f}x)" for s, ours in zip(speeds, rates["urlsm"], strict=True)))
    print(f"\nLoad of the machine: {load} at the start, {load_average()} at the end (one core's work is ours).")


def exact(found: list[str], wanted: list[str]) -> float:
    """Return the share of the wanted links that were found."""
    return (Counter(found) & Counter(wanted)).total() / len(wanted)


if __name__ == "__main__":
    main()
