"""Write urlsm/unicode/toascii_table.h, all that UTS 46 asks of Unicode, for each code point; or with --check, see if it
is current.

    python tools/toascii_table.py [--check]

The data are of one version of Unicode: the mapping table and the joining types of the `idna` package, and the
`unicodedata2` package for the rest, both of pip. urlsm's answers depend on no version of either, nor of Python.
"""

import sys
from bisect import bisect
from collections.abc import Iterator
from pathlib import Path

import idna
import idna.uts46data as uts46
import unicodedata2 as unicodedata
from idna import idnadata

HEADER = Path(__file__).resolve().parents[1] / "urlsm" / "unicode" / "toascii_table.h"
CLASSES = (
    *("LETTER", "RIGHT_TO_LEFT", "NEUTRAL", "EUROPEAN", "ARABIC"),  # by direction
    *("SPACING", "NONSPACING", "REORDRANT", "COMPOSING", "COMPOSING_SPACING"),  # marks
    *("COMPOSING_LETTER", "IGNORED", "MAPPED", "EXPANDED", "DISALLOWED"),
)
LETTER, RIGHT_TO_LEFT, NEUTRAL, EUROPEAN, ARABIC, *MARKS = range(10)
COMPOSING_LETTER, IGNORED, MAPPED, EXPANDED, DISALLOWED = range(10, 15)
SPACING, NONSPACING, REORDRANT, COMPOSING, COMPOSING_SPACING = MARKS
DIRECTIONS = {"L": LETTER, "R": RIGHT_TO_LEFT, "AL": RIGHT_TO_LEFT, "EN": EUROPEAN, "AN": ARABIC}
DIRECTIONS |= dict.fromkeys(("ON", "ET", "CS", "ES", "BN"), NEUTRAL)
BLOCK = 128
ALPHABETS_END = 0x2012  # U+2011 is in names of shops; above it, only mappings that are one of a run are worth their row
HANGUL_VOWELS_AND_TAILS = {*range(0x1161, 0x1176), *range(0x11A8, 0x11C3)}
HANGUL_SYLLABLES = range(0xAC00, 0xD7A4)
SELECTORS = range(0xE0100, 0xE01F0)  # of variations: what is not DISALLOWED far behind all others, and IGNORED


def status(code: int) -> tuple[str, str | None]:
    """UTS 46's status (V valid, D deviation, M mapped, I ignored, X disallowed) and what it maps to."""
    at = code if code < 0x100 else bisect(uts46.uts46_starts, code) - 1
    return chr(uts46.uts46_statuses[at]), uts46.uts46_replacements[at]


def pairs() -> dict[int, tuple[int, int]]:
    """Return the two that each code point decomposes to, if canonically. Hangul is not in it."""
    found = {}
    for code in {*range(0x80, 0x110000)}.difference(HANGUL_SYLLABLES):
        halves = unicodedata.decomposition(chr(code)).split()
        if len(halves) == 2 and not halves[0].startswith("<"):
            found[code] = int(halves[0], 16), int(halves[1], 16)
    return found


def composing() -> set[int]:
    """Return the code points that may compose with the one before, or decompose to one that may and others."""
    decomposed = pairs()
    found = HANGUL_VOWELS_AND_TAILS | {second for _, second in decomposed.values()}
    while more := {code for code, (first, _) in decomposed.items() if first in found} - found:
        found |= more
    return found


def class_as_it_is(code: int, composing: set[int]) -> int:
    """Return the class of a code point that stays in the result."""
    char = chr(code)
    combining, direction = unicodedata.combining(char), unicodedata.bidirectional(char)
    assert unicodedata.normalize("NFC", char) == char
    if unicodedata.category(char).startswith("M"):
        if code in composing or (combining and direction == "L"):
            return {"NSM": COMPOSING, "L": COMPOSING_SPACING}[direction]
        return {"NSM": REORDRANT if combining else NONSPACING, "L": SPACING}[direction]
    assert not combining
    if code in composing:
        assert direction == "L"
        return COMPOSING_LETTER
    return DIRECTIONS[direction]


def table() -> tuple[list[int], list[tuple[int, int, int, int]], list[tuple[int, str]]]:
    """Return the class of each code point; the mappings of one code point to one: (first, last, step, distance); and
    the mappings to several code points, with those to one that are in no run."""
    joining = composing()
    classes, mapped, expanded = [DISALLOWED] * 0x110000, {}, []
    for code in range(0x80, 0x110000):
        kind, replacement = status(code)
        if kind in "VD":
            classes[code] = class_as_it_is(code, joining)
        elif kind == "I":
            classes[code] = IGNORED
        elif kind == "M" and replacement:
            assert unicodedata.normalize("NFC", replacement) == replacement
            assert all(status(ord(char))[0] in "VD" or char.isascii() for char in replacement)
            assert "." not in replacement or replacement == "."
            classes[code] = EXPANDED
            if len(replacement) == 1:
                mapped[code] = ord(replacement)
    rows = [row for row in runs(mapped) if row[0] != row[1] or row[0] < ALPHABETS_END or mapped[row[0]] == ord(".")]
    for first, last, step, _ in rows:
        classes[first : last + 1 : step] = [MAPPED] * len(range(first, last + 1, step))
    for code, kind in enumerate(classes):
        if kind == EXPANDED:
            expanded.append((code, str(status(code)[1])))
    return classes, rows, expanded


def packed_expansions(found: list[tuple[int, str]]) -> tuple[list[int], list[int], bytes]:
    """Blocks: the first code point of each, and where it begins in the octets; and the octets. An entry is its distance
    from the one before it in the block, the length of its text, and the text in UTF-8."""
    firsts, places, octets, last = [], [], bytearray(), -0x100
    for at, (code, text) in enumerate(found):
        if code - last > 0xFF or at % 16 == 0:
            firsts.append(code)
            places.append(len(octets))
            last = code
        octets += bytes([code - last, len(text.encode())]) + text.encode()
        last = code
    return firsts, [*places, len(octets)], bytes(octets)


def compositions() -> list[tuple[int, int, int]]:
    """Return the compositions that may be in a domain: first, second, composition."""
    return sorted((*pair, code) for code, pair in pairs().items() if status(code)[0] == "V")


def combining_runs() -> Iterator[tuple[int, int, int]]:
    """Yield runs of code points of one combining class, not 0: first, last, class."""
    return neighbours({code: unicodedata.combining(chr(code)) for code in range(0x110000)}, 128)


def joining_runs(classes: list[int]) -> Iterator[tuple[int, int, int]]:
    """Runs of code points of one joining type: first, last, and 1 for T, 2 for R, 4 for L, 6 for D. Non-spacing marks
    have type T, and are left out."""
    types = {"T": 1, "R": 2, "L": 4, "D": 6}
    found = {code: 0 for code, kind in enumerate(classes) if kind <= COMPOSING_LETTER}
    for name, number in types.items():
        for packed in idnadata.joining_types[name]:
            found |= {code: number for code in range(packed >> 32, packed & 0xFFFFFFFF) if code in found}
    transparent = {NONSPACING, REORDRANT, COMPOSING}
    assert all(found[code] == 1 for code in found if classes[code] in transparent)
    return neighbours({code: number for code, number in found.items() if classes[code] not in transparent}, 256)


def neighbours(numbers: dict[int, int], longest: int) -> Iterator[tuple[int, int, int]]:
    """Yield runs of up to `longest` neighbours of one number, not 0."""
    codes = sorted(code for code, number in numbers.items() if number)
    first = 0
    for at, code in enumerate(codes):
        if numbers.get(code + 1) != numbers[code] or at - first == longest - 1:
            yield codes[first], code, numbers[code]
            first = at + 1


def runs(mapped: dict[int, int]) -> Iterator[tuple[int, int, int, int]]:
    """Yield mappings by the same distance, of neighbours or of every second code point (a capital and its small
    letter)."""
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
    classes, rows, expansions = table()
    assert [code for code in range(SELECTORS[0] & ~0xFFFF, 0x110000) if classes[code] != DISALLOWED] == [*SELECTORS]
    assert {classes[code] for code in SELECTORS} == {IGNORED}
    limit = max(code for code in range(SELECTORS[0]) if classes[code] != DISALLOWED) // BLOCK * BLOCK + BLOCK
    blocks: dict[tuple[int, ...], int] = {}
    index = [blocks.setdefault(tuple(classes[at : at + BLOCK]), len(blocks)) for at in range(0, limit, BLOCK)]
    halves = [low | high << 4 for block in blocks for low, high in zip(block[::2], block[1::2], strict=True)]
    composed = compositions()
    firsts, places, expanded = packed_expansions(expansions)
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
#define URLSM_TOASCII_LIMIT 0x{limit:X} /* from here on all are DISALLOWED, but for the selectors */
#define URLSM_TOASCII_SELECTORS 0x{SELECTORS[0]:X} /* so many from here on are IGNORED */
#define URLSM_TOASCII_SELECTOR_COUNT {len(SELECTORS)}
#define URLSM_TOASCII_UNICODE "{uts46.__version__}"

/* for each block of code points, which block of classes is its */
{array("uint16_t", "INDEX", index)}
{array("uint8_t", "CLASSES", halves)}

/* every step-th code point from first to first + extent maps to the one that lies distance further on */
typedef struct {{
    uint32_t first;
    int32_t distance;
    uint16_t extent, step;
}} urlsm_mapping;
{array("urlsm_mapping", "MAPPINGS", [f"{{0x{a:X},{distance},{b - a},{step}}}" for a, b, step, distance in rows])}

/* code points that map to several, or by themselves: blocks of them, each its first code point, and where it begins
 * below; there, for each, its distance from the one before, the length of what it maps to, and that in UTF-8 */
{array("uint32_t", "EXPANDING", firsts)}
{array("uint16_t", "EXPANDING_AT", places)}
{array("uint8_t", "EXPANDED", [*expanded])}

/* pairs, in order, and what they compose to. Hangul is not in it */
typedef struct {{
    uint32_t first, second, composed;
}} urlsm_composition;
{array("urlsm_composition", "COMPOSITIONS", [f"{{0x{a:X},0x{b:X},0x{code:X}}}" for a, b, code in composed])}
/* their places, in the order of what they compose to */
{array("uint16_t", "BY_COMPOSED", sorted(range(len(composed)), key=lambda place: composed[place][2]))}

/* runs of code points with a combining class: first << 15 | last - first << 8 | class */
{packed_runs("COMBINING", combining_runs(), 15, 8)}

/* runs of code points of a joining type: first << 11 | last - first << 3 | R 2, L 4, D 6 (both), T 1 */
{packed_runs("JOINING", joining_runs(classes), 11, 3)}
/* clang-format on */
#endif
"""


def packed_runs(name: str, found: Iterator[tuple[int, int, int]], first_at: int, extent_at: int) -> str:
    packed = [first << first_at | (last - first) << extent_at | number for first, last, number in found]
    return array("uint32_t", name, packed)


def array(kind: str, name: str, items: list[int] | list[str]) -> str:
    assert kind != "uint16_t" or max(map(int, items)) < 0x10000
    return f"static const {kind} URLSM_TOASCII_{name}[{len(items)}] = {{\n{lines(items)}\n}};"


def made_from() -> str:
    """Return the version of Unicode, from the three places that have it."""
    versions = {uts46.__version__, idnadata.__version__, unicodedata.unidata_version}
    assert len(versions) == 1, f"idna and unicodedata2 are of other versions of Unicode: {versions}"
    return f"from Unicode {uts46.__version__} (idna {idna.__version__}, unicodedata2)"


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
