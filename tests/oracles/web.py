"""Links of http and https without their handler (urlsm/meaning/web.pyx), compared with the handler's answers.

    cd tests && python -m oracles.web -n 10000000 --seed 5     this many texts; the same seed makes the same texts

Each text is read with the plain lane off, and on with vectors of each width that this CPU has.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator

import urlsm
from urlsm.components.value import split, unsplit
from urlsm.machine import driver
from urlsm.meaning.web import equivalent_links, is_valid_link, normal_link
from urlsm.octets import text as percent

BEGINNINGS = [
    *("http://", "https://", "HTTPS://h", "hTTp://", "http://example.org/", "https://a.b", "http://e.org?"),
    *("http://e.org/a/b/c/", "https://e.org#", "http:/", "ftp://h/", ""),
]
PIECES = [
    *("/", "/", "/.", "/..", "/./", "/%2e", "/%2E%2e/", "%2e", ".", "..", "//", "?", "?", "#", "?q=1&r=/../", "|", "{"),
    *(
        "example.org",
        "EX.org",
        "-h",
        "1.2.3.4",
        "0x7f",
        "a_b",
        "ab--c",
        "x-.",
        ":80",
        ":443",
        ":0080",
        ":00443",
        ":8080",
        ":65535",
    ),
    *("%41", "%7E", "%7e", "%2D", "%20", "%c3%a9", "%C3%A9", "%2F", "%2f", "%00", "%0d", "%25", "%25%34%31", "%3F"),
    *("index.html", "!$&'()*+,;=:@~", "a" * 64, "%D0%9F" * 30, "c" * 500, "http://", "'", '"', "<", "\\", "x y"),
]
ODD = [
    *("%", "%%41", "%4", "%4g", "%G4", "%4%31", "u@", "u:p@", "[::1]", "[", ":65536", ":x", ":8:0", "#", "@", ":"),
    *("é", "\ud800", "`", "^", "\t", "\n", "\x00", "\x7f", ":" + "0" * 40 + "80"),
]
LOOKS = [(False, 64)] + [(True, width) for width in (64, 32, 16, 1)]  # whether the lane is on, and the most octets


def link(rng: random.Random) -> str:
    pieces = rng.choices(PIECES, k=rng.randrange(8))
    if rng.random() < 0.4:
        pieces.insert(rng.randint(0, len(pieces)), rng.choice(ODD))
    return rng.choice(BEGINNINGS) + "".join(pieces)


def much_like(text: str, rng: random.Random) -> str:
    """Return a text that may be equivalent to this one."""
    kind = rng.randrange(6)
    if kind == 0:
        return text.replace("%c3%a9", "%C3%A9").replace("%41", "A").replace("%2D", "-")
    if kind == 1:
        return text.swapcase()
    if kind == 2:
        return text.replace("/", "/./", 4)
    if kind == 3:
        return text.replace(":80", "").replace(":443", "")
    return text + "#" if kind == 4 else link(rng)


def differences(text: str, other: str) -> Iterator[str]:
    """Yield the answers of web.pyx to a text and another that differ from the handlers'."""
    answers, valid_by_standard = set(), []
    for lane, width in LOOKS:
        driver.use_plain(lane)
        driver.use_vectors(width)
        percent.use_vectors(width)
        answers.add((normal_link(text), is_valid_link(text, "rfc3986"), equivalent_links(text, other)))
        valid_by_standard.append(is_valid_link(text, "whatwg"))
    driver.use_plain(False)
    if any(valid_by_standard) and (valid_by_standard[0] or not all(valid_by_standard[1:])):
        yield f"{text!r}: valid by the URL Standard: {valid_by_standard}"
    if any(valid_by_standard) and (said := urlsm.validate(text, dialect="whatwg")):
        yield f"{text!r}: by the URL Standard, {said}"
    driver.use_plain(True)
    if len(answers) > 1:
        yield f"{text!r} beside {other!r}: {answers}"
    normal, valid, same = answers.pop()
    if normal is None and not valid:
        return
    c = split(text, dialect="rfc3986")
    found = urlsm.handler(c.scheme)
    if normal is not None:
        wanted = unsplit(found.normalize(c))
        if normal != wanted or (normal == text and normal_link(text) is not text):
            yield f"{text!r}: normal form {normal!r}, not {wanted!r}"
        if normal_link(normal) is not normal:
            yield f"{text!r}: the normal form of {normal!r} is {normal_link(normal)!r}"
    if valid and (broken := list(found.violations(c))):
        yield f"{text!r}: breaks {broken}"
    if same is not None:
        other_c = split(other, dialect="rfc3986")
        alike = type(urlsm.handler(other_c.scheme)) is type(found) and found.equivalent(c, other_c)
        if same != alike:
            yield f"{text!r} and {other!r}: equivalent is {same}, not {alike}"


def main() -> int:
    options = argparse.ArgumentParser(description="Links of http and https without their handler, and with it.")
    options.add_argument("-n", type=int, default=100_000, help="texts (default: 100000)")
    options.add_argument("--seed", type=int, default=None, help="of every choice (default: drawn)")
    options.add_argument("--seconds", type=float, default=float("inf"), help="end after so many, with fewer texts")
    given = options.parse_args()
    seed = random.randrange(1 << 32) if given.seed is None else given.seed
    print(f"seed {seed}", flush=True)
    rng, start, failures, tried, taken = random.Random(seed), time.monotonic(), 0, 0, 0
    while tried < given.n and time.monotonic() - start < given.seconds:
        text = link(rng)
        for difference in differences(text, much_like(text, rng)):
            failures += 1
            print(difference, flush=True)
        tried += 1
        taken += normal_link(text) is not None
    print(f"{tried} texts, {taken} of them not for the handler, {failures} differences")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
