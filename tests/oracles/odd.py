"""What the lane reads though parts of it have to be written anew (urlsm/machine/lane/odd.h), beside the states.

    cd tests && python -m oracles.odd -n 10000000 --seed 5     so many texts; the same seed makes the same texts

Each text is parsed with the plain lane off, and on at each width of vector that this CPU has: the same URL and offsets,
or the same refusal; can_parse says the same.
"""

from __future__ import annotations

import argparse
import random
import time

import urlsm
from urlsm.machine.driver import use_plain, use_vectors
from urlsm.url.edit import offsets_of

WIDTHS = (64, 32, 16, 1)
NAMES = [
    *(
        "example.org",
        "EXAMPLE.org",
        "Www.Ex-ample.DE",
        "localhost",
        "a_b",
        "A.B.",
        "a.",
        "a..b",
        "xn--a",
        "XN--bcher-KVA",
    ),
    *("a!b", "$&'()*+,;=", "a.0x", "x.1F", "ex.1", "ex.f1", "0xg", "08", "a" * 40, "B" * 52, "c" * 70, "", ".", "-"),
]
NUMBERS = [
    "0",
    "1",
    "9",
    "10",
    "127",
    "255",
    "256",
    "00",
    "010",
    "0377",
    "0x1",
    "0XfF",
    "0x",
    "08",
    "65535",
    "4294967295",
]
PIECES = ["0", "1", "a", "F", "00", "db8", "2001", "FFFF", "0f0", "12345", "", "", "g"]
PORTS = [
    "",
    ":",
    ":80",
    ":443",
    ":8080",
    ":0",
    ":00080",
    ":000443",
    ":65535",
    ":65536",
    ":99999",
    ":x",
    ":8a",
    ":80:80",
]
PATHS = [
    *(
        "/",
        "/",
        "/a",
        "/b.c",
        "/.",
        "/..",
        "/./",
        "/../",
        "/%2e",
        "/%2E%2e/",
        "/.%2e",
        "/...",
        "/.a",
        "//",
        "/%20",
        "/%2f",
    ),
    *("/index.html", "/" + "seg" * 20, "/" + "d" * 500),
]
TAILS = ["?", "?q=1&r=/../", "#", "#f/../?", "?a#b", "?" + "q" * 80]
NOISE = [*map(chr, range(0x21)), *"\x7f@[]:\\%<>\"'`{}|^;", "é", "u@", "u:p@", "://", "%41", "\ud800"]


def host_of(rng: random.Random) -> str:
    kind = rng.randrange(4)
    if kind == 0:
        return rng.choice(NAMES)
    if kind == 1:
        return ".".join(rng.choices(NUMBERS, k=rng.choice((1, 1, 2, 3, 4, 4, 4, 5)))) + rng.choice(("", "", "", "."))
    if kind == 2:
        pieces = rng.choices(PIECES[:-2] if rng.randrange(4) else PIECES, k=rng.choice((1, 2, 3, 4, 6, 8, 8, 8, 9)))
        last = [".".join(rng.choices(NUMBERS[:7], k=4))] if rng.random() < 0.3 else []
        if rng.random() < 0.6:
            pieces.insert(rng.randint(0, len(pieces)), rng.choice(("", ":")))
        return f"[{':'.join(pieces + last)}]"
    return ".".join(rng.choices(NAMES, k=2))


def link(rng: random.Random) -> str:
    scheme = rng.choice(("http", "https", "HTTP", "hTTps", "HTTPS", "Http", "ws", "ftp"))
    text = f"{scheme}://{host_of(rng)}{rng.choice(PORTS) if rng.random() < 0.5 else ''}"
    text += "".join(rng.choices(PATHS, k=rng.choice((0, 1, 2, 3, 5)))) + "".join(
        rng.choices(TAILS, k=rng.choice((0, 0, 1, 2)))
    )
    for _ in range(rng.choice((0, 0, 0, 0, 1, 2))):
        at = rng.randint(0, len(text))
        text = text[:at] + rng.choice(NOISE) + text[at + rng.randrange(2) :]
    return text


def said(text: str) -> tuple[object, ...]:
    """The URL's text and where its components lie; or the refusal. And what can_parse says."""
    try:
        url = urlsm.parse(text)
    except urlsm.ParseError as error:
        return error.code, error.position, error.state, urlsm.can_parse(text)
    return url.href, offsets_of(url), urlsm.can_parse(text)


def differences(texts: list[str]) -> list[tuple[int, str, object, object]]:
    """Width, text, what the states say, what the lane says."""
    use_plain(False)
    wanted = [said(text) for text in texts]
    use_plain(True)
    found = []
    for width in WIDTHS:
        if use_vectors(width) == width:
            found += [
                (width, text, want, got)
                for text, want in zip(texts, wanted, strict=True)
                if (got := said(text)) != want
            ]
    use_vectors(64)
    return found


def main() -> None:
    arguments = argparse.ArgumentParser(description="Texts that are odd in parts, by the lane and by the states.")
    arguments.add_argument("-n", type=int, default=100_000, help="texts (default: 100000)")
    arguments.add_argument("--seed", type=int, default=0)
    arguments.add_argument("--seconds", type=float, default=float("inf"), help="end after so many, with fewer texts")
    given = arguments.parse_args()
    rng, start, tried, wrong = random.Random(given.seed), time.monotonic(), 0, 0
    while tried < given.n and time.monotonic() - start < given.seconds:
        texts = [link(rng) for _ in range(min(1000, given.n - tried))]
        found = differences(texts)
        for difference in found[:5]:
            print(*map(ascii, difference), flush=True)
        tried += len(texts)
        wrong += len(found)
    print(f"{tried} texts, {wrong} differences")
    raise SystemExit(wrong != 0)


if __name__ == "__main__":
    main()
