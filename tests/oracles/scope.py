"""All short texts, as far as the machine distinguishes octets, against each kind of base, compared with the
transcription of the standard (support/standard.py).

    cd tests && python -m oracles.scope --length 4             every text of up to four octets
    cd tests && python -m oracles.scope --length 5 --part 0/8  an eighth of those of up to five

Two octets are alike where the machine's own table (octets/chars.h) has them in the same classes; one of each
  stands for all.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import time
from collections.abc import Iterable, Iterator

from support import standard

from urlsm import ParseError, parse
from urlsm.machine.driver import octet_classes

# the representatives: octets with a meaning besides their class ("." in a path, "%2e", "0x")
TELLING = b".2eEx["
ALSO = b"]"  # of the class of "[", with another meaning
BASES = (  # one of each kind that the states for references distinguish
    None,
    "http://h/p/q?r#s",
    "file:///p/q?r",
    "file://h/C:/q",
    "e://h/p/q?r",
    "e:/p/q?r",
    "e:///p",
    "e:p?r",
)


def representatives() -> bytes:
    """Return one octet of each set of octets in the same classes."""
    classes = octet_classes()
    alike: dict[tuple[str, ...], int] = {}
    for octet in sorted(range(256), key=lambda octet: octet not in TELLING):
        alike.setdefault(tuple(name for name, octets in classes.items() if octet in octets), octet)
    return bytes(sorted({*alike.values(), *ALSO}))


def texts(length: int) -> Iterator[bytes]:
    """Yield every text of this many representatives."""
    return map(bytes, itertools.product(representatives(), repeat=length))


def differences(cases: Iterable[bytes], bases: Iterable[str | None] = BASES) -> Iterator[str]:
    """Yield the texts that parse reads unlike the standard: accepted or refused, and as what."""
    pairs = [(base and parse(base), None if base is None else standard.parse(base)) for base in bases]
    for octets in cases:
        text = octets.decode("utf-8", "replace")
        for base, record in pairs:
            try:
                wanted = standard.parse(text, record).href
            except standard.Failure as failure:
                wanted = failure.code
            try:
                found = parse(octets, base=base).href
            except ParseError as error:
                found = error.code
            if found != wanted:
                yield f"{octets!r} against {base}: {found!r}, not {wanted!r}"


def main() -> int:
    options = argparse.ArgumentParser(description="Every short text against each kind of base.")
    options.add_argument("--length", type=int, default=4, help="octets, at most (default: 4)")
    options.add_argument("--part", default="0/1", help="which of how many equal parts, from 0/1 (default: all)")
    given = options.parse_args()
    part, parts = map(int, given.part.split("/"))
    start, failures = time.monotonic(), 0
    print(f"{len(representatives())} octets, {len(BASES)} bases", flush=True)
    for length in range(given.length + 1):
        for difference in differences(itertools.islice(texts(length), part, None, parts)):
            failures += 1
            print(difference)
        cases = len(range(part, len(representatives()) ** length, parts)) * len(BASES)
        print(f"length {length}: {cases} cases, {time.monotonic() - start:.0f} s", flush=True)
    print(f"{failures} differences")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
