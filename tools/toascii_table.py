"""Write urlsm/octets/toascii_table.h, what toascii.h knows of each code point; or with --check, see if it is current.

    python tools/toascii_table.py [--check]

The data are the mapping table of the installed `idna` package and the running Python's `unicodedata`. Only code
points that Python knows are in the table, and none that has to be looked at together with its neighbours but for the
few ways toascii.h knows, so that a newer Unicode changes no row, it adds some: Unicode's stability policies
(https://www.unicode.org/policies/stability_policy.html) hold normalisation fast, UTS 46 section 6 its mapping.
Every answer of the table is tested against `urlsm.octets.idna` under whatever versions are installed.
"""

import sys
import unicodedata
from bisect import bisect
from collections.abc import Iterator
from pathlib import Path

import idna
import idna.uts46data as uts46

HEADER = Path(__file__).resolve().parents[1] / "urlsm" / "octets" / "toascii_table.h"
CLASSES = ("OTHER", "LETTER", "RIGHT_TO_LEFT", "SPACING", "NONSPACING", "REORDRANT", "IGNORED", "MAPPED")
OTHER, LETTER, RIGHT_TO_LEFT, SPACING, NONSPACING, REORDRANT, IGNORED, MAPPED = range(8)
BLOCK = 128
UNFORBIDDEN = "abcdefghijklmnopqrstuvwxyz0123456789-_."  # ASCII that a mapping may bring in
JOINERS = {0x200C, 0x200D}
ALPHABETS_END = 0x2012  # U+2011 is in names of shops; above it, only mappings that are one of a run are worth their row
HANGUL_VOWELS_AND_TAILS = {*range(0x1161, 0x1176), *range(0x11A8, 0x11C3)}


def status(code: int) -> tuple[str, str | None]:
    """UTS 46's status (V valid, D deviation, M mapped, I ignored, X disallowed) and what it maps to."""
    at = code if code < 0x100 else bisect(uts46.uts46_starts, code) - 1
    return chr(uts46.uts46_statuses[at]), uts46.uts46_replacements[at]


def composing() -> set[int]:
    """The code points that may compose with one before: the second half of any canonical decomposition."""
    halves = (unicodedata.decomposition(chr(code)).split() for code in range(0x110000))
    pairs = (half for half in halves if len(half) == 2 and not half[0].startswith("<"))
    return HANGUL_VOWELS_AND_TAILS | {int(second, 16) for _, second in pairs}


MOVED = {0x1171E}  # its direction was NSM up to Unicode 14, and is L in later versions


def class_as_it_is(code: int, composing: set[int]) -> int:
    """The class of a code point that is to stand in the result as it is; OTHER where that takes a longer look."""
    char = chr(code)
    category, combining, direction = unicodedata.category(char), unicodedata.combining(char), bidi(char)
    if status(code)[0] not in "VD" or category == "Cn" or code in JOINERS | MOVED or direction == "AN":
        return OTHER
    if code in composing or unicodedata.normalize("NFC", char) != char:
        return OTHER
    if category.startswith("M"):
        if direction == "NSM":
            return REORDRANT if combining else NONSPACING
        return OTHER if combining else SPACING
    if combining or direction == "NSM":
        return OTHER
    return RIGHT_TO_LEFT if direction in ("R", "AL") else LETTER


def bidi(char: str) -> str:
    return unicodedata.bidirectional(char)


def table() -> tuple[list[int], list[tuple[int, int, int, int]]]:
    """The class of each code point, and the mappings of one code point to one: (first, last, step, distance)."""
    joining = composing()
    classes, mapped = [OTHER] * 0x110000, {}
    for code in range(0x80, 0x110000):
        kind, replacement = status(code)
        if unicodedata.category(chr(code)) == "Cn":
            continue
        if kind == "I":
            classes[code] = IGNORED
        elif kind == "M" and replacement and len(replacement) == 1 and (
            replacement in UNFORBIDDEN if replacement.isascii() else class_as_it_is(ord(replacement), joining)
        ):
            mapped[code] = ord(replacement)
        else:
            classes[code] = class_as_it_is(code, joining)
    rows = [row for row in runs(mapped) if row[0] != row[1] or row[0] < ALPHABETS_END or mapped[row[0]] == ord(".")]
    for first, last, step, _ in rows:
        classes[first : last + 1 : step] = [MAPPED] * len(range(first, last + 1, step))
    return classes, rows


def runs(mapped: dict[int, int]) -> Iterator[tuple[int, int, int, int]]:
    """Mappings by the same distance, of neighbours or of every second code point (a capital and its small letter)."""
    first = last = step = distance = 0
    for code in sorted(mapped):
        if first and mapped[code] - code == distance and (code - last == step or (first == last and code - last < 3)):
            last, step = code, code - last
            continue
        if first:
            yield first, last, step, distance
        first, last, step, distance = code, code, 1, mapped[code] - code
    yield first, last, step, distance


def written() -> str:
    classes, rows = table()
    limit = max(code for code, kind in enumerate(classes) if kind and code < 0xE0000) // BLOCK * BLOCK + BLOCK
    blocks: dict[tuple[int, ...], int] = {}
    index = [blocks.setdefault(tuple(classes[at : at + BLOCK]), len(blocks)) for at in range(0, limit, BLOCK)]
    pairs = [low | high << 4 for block in blocks for low, high in zip(block[::2], block[1::2], strict=True)]
    width = "uint8_t" if len(blocks) <= 0x100 else "uint16_t"
    enum = ",\n    ".join(f"URLSM_{name}" for name in CLASSES)
    return f"""\
/* Do not edit: written by tools/toascii_table.py, {made_from()}. */
#ifndef URLSM_TOASCII_TABLE_H
#define URLSM_TOASCII_TABLE_H
#include <stdint.h>

/* clang-format off */
enum urlsm_toascii_class {{
    {enum},
}};
#define URLSM_TOASCII_BLOCK {BLOCK} /* code points whose classes stand together, four bits each */
#define URLSM_TOASCII_LIMIT 0x{limit:X} /* those from here on are OTHER */

/* for each block of code points, which block of classes is its */
static const {width} URLSM_TOASCII_INDEX[{len(index)}] = {{
{lines(index)}
}};
static const uint8_t URLSM_TOASCII_CLASSES[{len(pairs)}] = {{
{lines(pairs)}
}};

/* every step-th code point from first to first + extent maps to the one that lies distance further on */
typedef struct {{
    uint32_t first;
    int32_t distance;
    uint16_t extent, step;
}} urlsm_mapping;
static const urlsm_mapping URLSM_TOASCII_MAPPINGS[{len(rows)}] = {{
{lines([f"{{0x{first:X},{distance},{last - first},{step}}}" for first, last, step, distance in rows])}
}};
/* clang-format on */
#endif
"""


def made_from() -> str:
    """The versions that the table depends on."""
    return f"from idna {idna.__version__} and Unicode {unicodedata.unidata_version}"


def lines(items: list[int] | list[str]) -> str:
    made = [""]
    for item in map(str, items):
        if len(made[-1]) + len(item) > 117:
            made.append("")
        made[-1] += item + ","
    return "\n".join(made).rstrip(",")


def main(arguments: list[str]) -> int:
    text = written()
    if arguments == ["--check"]:
        if HEADER.read_text("ascii") != text:
            print(f"{HEADER.name} is not what tools/toascii_table.py writes with what is installed here")
            return 1
        return 0
    HEADER.write_text(text, "ascii")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
