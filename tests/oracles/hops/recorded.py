"""tests/data/hops.json.xz: what live programs made of 2,000 targets, the same for each.

python -m oracles.hops.compare --record writes it; tests/server/test_hops_recorded.py compares it with urlsm.server.
For each target it has the different texts that anything was read or sent on as, and for each program with its options
four values: status, rule ("R", "A", "O" or ""), which text was matched and which was sent on (-1: none).
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

SEED = 43  # of the targets
FILE = Path(__file__).parents[2] / "data" / "hops.json.xz"


class Asked(NamedTuple):
    """A program that was asked. forwards: whether it sent requests on."""

    program: str
    options: Mapping[str, Any]
    forwards: bool

    @property
    def name(self) -> tuple[str, str]:
        return self.program, json.dumps(self.options)


class Said(NamedTuple):
    """What a program made of a target. matched, forwarded: None if it did not match it, or send it on."""

    asked: Asked
    status: int
    rule: str
    matched: bytes | None
    forwarded: bytes | None

    @property
    def kind(self) -> str:
        return "matched" if 200 <= self.status < 300 else "redirected" if 300 <= self.status < 400 else "refused"


def write(date: str, targets: Sequence[bytes], said: Sequence[Sequence[Said]]) -> None:
    """Write the file. said: for each program and its options, what it made of each target."""
    rows = []
    for target, row in zip(targets, zip(*said, strict=True), strict=True):
        texts = list(dict.fromkeys([target, *[text for one in row for text in one[3:] if text is not None]]))
        place = {text: index for index, text in enumerate(texts)} | {None: -1}
        values = [[one.status, one.rule, place[one.matched], place[one.forwarded]] for one in row]
        rows.append([[text.decode("latin-1") for text in texts], values])
    programs = [one[0].asked._asdict() for one in said]
    content = json.dumps({"date": date, "programs": programs, "rows": rows}, separators=(",", ":"))
    FILE.write_bytes(lzma.compress(content.encode("ascii"), preset=9 | lzma.PRESET_EXTREME))


def read() -> tuple[str, list[Asked], Iterator[tuple[bytes, list[Said]]]]:
    """Return the date, the programs, and for each target what each program made of it."""
    content = json.loads(lzma.decompress(FILE.read_bytes()))
    programs = [Asked(**one) for one in content["programs"]]

    def rows() -> Iterator[tuple[bytes, list[Said]]]:
        for texts, values in content["rows"]:
            octets = [*(text.encode("latin-1") for text in texts), None]
            said = zip(programs, values, strict=True)
            yield octets[0], [Said(one, status, rule, octets[i], octets[j]) for one, (status, rule, i, j) in said]

    return content["date"], programs, rows()
