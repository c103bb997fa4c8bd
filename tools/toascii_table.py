"""Write urlsm/octets/toascii_table.h, what toascii.h knows of each code point; or with --check, see if it is current.

    python tools/toascii_table.py [--check]

The data are the mapping table of the installed `idna` package and the running Python's `unicodedata`. Of code points
that are accepted, only those that Python knows are in the table, and none that has to be looked at together with its
neighbours but for the few ways toascii.h knows, so that a newer Unicode changes no row, it adds some: Unicode's
stability policies (https://www.unicode.org/policies/stability_policy.html) hold normalisation fast, UTS 46 section 6
its mapping, and MOVED tells whose direction was changed (up to Unicode 18). What is DISALLOWED may not stay so: that
counts where the installed `idna` has the same version.
Every answer of the table is tested against `urlsm.octets.idna` under whatever versions are installed.
"""

import sys
import unicodedata
from bisect import bisect
from collections.abc import Iterator
from pathlib import Path

import idna
import idna.uts46data as uts46
from idna import idnadata

HEADER = Path(__file__).resolve().parents[1] / "urlsm" / "octets" / "toascii_table.h"
CLASSES = (
    *("OTHER", "LETTER", "RIGHT_TO_LEFT", "NEUTRAL", "EUROPEAN", "ARABIC"),  # by direction; OTHER: not known here
    *("SPACING", "NONSPACING", "REORDRANT", "VIRAMA", "COMPOSING", "COMPOSING_SPACING"),  # marks
    *("COMPOSING_LETTER", "IGNORED", "MAPPED", "DISALLOWED"),
)
OTHER, LETTER, RIGHT_TO_LEFT, NEUTRAL, EUROPEAN, ARABIC, *MARKS = range(12)
COMPOSING_LETTER, IGNORED, MAPPED, DISALLOWED = range(12, 16)
SPACING, NONSPACING, REORDRANT, VIRAMA, COMPOSING, COMPOSING_SPACING = MARKS
DIRECTIONS = {"L": LETTER, "R": RIGHT_TO_LEFT, "AL": RIGHT_TO_LEFT, "EN": EUROPEAN, "AN": ARABIC}
DIRECTIONS |= dict.fromkeys(("ON", "ET", "CS", "ES", "BN"), NEUTRAL)
BLOCK = 128
UNFORBIDDEN = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-_.")  # ASCII that a mapping may bring in
FORBIDDEN = frozenset(" #/:?@[\\]^|%")  # forbidden domain code points, less "<" and ">", which compose
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


MOVED = {0x1171E, 0x1B3A, 0x1B3C, 0x1B42}  # their direction was NSM up to Unicode 14 or later, and is L now
SINHALA_VIRAMA = 0xDCA  # the only virama that composes


def class_as_it_is(code: int, composing: set[int]) -> int:
    """The class of a code point that is to stand in the result as it is; OTHER where that takes a longer look."""
    char = chr(code)
    category, combining, direction = unicodedata.category(char), unicodedata.combining(char), bidi(char)
    if status(code)[0] not in "VD" or category == "Cn" or code in MOVED or unicodedata.normalize("NFC", char) != char:
        return OTHER
    if code > 0xFFFF and (code in composing or (combining and direction == "L")):
        return OTHER  # the tables of compositions and of combining classes end there
    if category.startswith("M"):
        if direction == "NSM" and combining == 9 and (code not in composing or code == SINHALA_VIRAMA):
            return VIRAMA
        if code in composing or (combining and direction == "L"):
            return {"NSM": COMPOSING, "L": COMPOSING_SPACING}[direction]
        return {"NSM": REORDRANT if combining else NONSPACING, "L": SPACING}[direction]
    if code in composing:
        return COMPOSING_LETTER
    return OTHER if combining else DIRECTIONS[direction]


def bidi(char: str) -> str:
    return unicodedata.bidirectional(char)


def table() -> tuple[list[int], list[tuple[int, int, int, int]]]:
    """The class of each code point, and the mappings of one code point to one: (first, last, step, distance)."""
    joining = composing()
    classes, mapped = [OTHER] * 0x110000, {}
    for code in range(0x80, 0x110000):
        kind, replacement = status(code)
        if kind not in "VDMI" or (kind == "M" and replacement and FORBIDDEN & {*replacement}):
            classes[code] = DISALLOWED
        elif unicodedata.category(chr(code)) == "Cn":
            continue
        elif kind == "I":
            classes[code] = IGNORED
        elif (
            kind == "M"
            and replacement
            and len(replacement) == 1
            and (replacement in UNFORBIDDEN if replacement.isascii() else class_as_it_is(ord(replacement), joining))
        ):
            mapped[code] = ord(replacement)
        else:
            classes[code] = class_as_it_is(code, joining)
    rows = [row for row in runs(mapped) if row[0] != row[1] or row[0] < ALPHABETS_END or mapped[row[0]] == ord(".")]
    for first, last, step, _ in rows:
        classes[first : last + 1 : step] = [MAPPED] * len(range(first, last + 1, step))
    return classes, rows


# Only letters of alphabets and common signs are worth their place: not CJK's compatibility characters and squares, not
# presentation forms of Arabic
UNEXPANDED = {*range(0x2F00, 0x2FE0), *range(0x3200, 0x3400), *range(0xF900, 0xFB00), *range(0xFB50, 0xFE00)}


def expansions(classes: list[int], composing: set[int]) -> list[tuple[int, str]]:
    """The mappings to several code points, and those to one that no run has."""
    found = []
    for code in sorted({*range(0x80, 0x10000)} - UNEXPANDED):
        kind, text = status(code)
        if kind == "M" and classes[code] == OTHER and unicodedata.category(chr(code)) != "Cn":
            kinds = [LETTER if char.isascii() else class_as_it_is(ord(char), composing) for char in text]
            if OTHER not in kinds and not {*"<>."} & {*text}:
                found.append((code, text))
    return found


def packed_expansions(found: list[tuple[int, str]]) -> tuple[list[int], bytes]:
    """Blocks, as first code point << 16 | where it begins in the octets; and the octets. An entry is its distance from
    the one before it in the block, the length of its text, and the text in UTF-8."""
    blocks, octets, last = [], bytearray(), -0x100
    for at, (code, text) in enumerate(found):
        if code - last > 0xFF or at % 16 == 0:
            blocks.append(code << 16 | len(octets))
            last = code
        octets += bytes([code - last, len(text.encode())]) + text.encode()
        last = code
    return [*blocks, 0xFFFF << 16 | len(octets)], bytes(octets)


def compositions() -> list[tuple[int, int, int]]:
    """What two code points compose to, if it may stand in a domain: first, second, composition."""
    found = []
    for code in range(0x80, 0x10000):
        halves = unicodedata.decomposition(chr(code)).split()
        if len(halves) == 2 and not halves[0].startswith("<") and status(code)[0] == "V":
            found.append((int(halves[0], 16), int(halves[1], 16), code))
    return sorted(found)


def combining_runs() -> Iterator[tuple[int, int, int]]:
    """Runs of the BMP's code points of one combining class, not 0: first, last, class."""
    return neighbours({code: unicodedata.combining(chr(code)) for code in range(0x10000)})


def joining_runs(classes: list[int]) -> Iterator[tuple[int, int, int]]:
    """Runs of code points of one joining type: first, last, and 1 for T, 2 for R, 4 for L, 6 for D. Non-spacing marks
    have type T, and are left out."""
    types = {"T": 1, "R": 2, "L": 4, "D": 6}
    found = {code: 0 for code, kind in enumerate(classes) if kind not in (OTHER, DISALLOWED, MAPPED, IGNORED)}
    for name, number in types.items():
        for packed in idnadata.joining_types[name]:
            found |= {code: number for code in range(packed >> 32, packed & 0xFFFFFFFF) if code in found}
    transparent = {NONSPACING, REORDRANT, VIRAMA, COMPOSING}
    assert all(found[code] == 1 for code in found if classes[code] in transparent)
    return neighbours({code: number for code, number in found.items() if classes[code] not in transparent})


def neighbours(numbers: dict[int, int]) -> Iterator[tuple[int, int, int]]:
    """Runs of up to 256 neighbours of one number, not 0."""
    codes = sorted(code for code, number in numbers.items() if number)
    first = 0
    for at, code in enumerate(codes):
        if numbers.get(code + 1) != numbers[code] or at - first == 255:
            yield codes[first], code, numbers[code]
            first = at + 1


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
    limit = max(code for code in range(0xE0000) if classes[code] != DISALLOWED) // BLOCK * BLOCK + BLOCK
    assert {*classes[0xF0000:]} == {DISALLOWED}
    blocks: dict[tuple[int, ...], int] = {}
    index = [blocks.setdefault(tuple(classes[at : at + BLOCK]), len(blocks)) for at in range(0, limit, BLOCK)]
    pairs = [low | high << 4 for block in blocks for low, high in zip(block[::2], block[1::2], strict=True)]
    width = "uint8_t" if len(blocks) <= 0x100 else "uint16_t"
    pairs_composed = compositions()
    expansion_blocks, expanded = packed_expansions(expansions(classes, composing()))
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
#define URLSM_TOASCII_LIMIT 0x{limit:X} /* those from here on are DISALLOWED, or OTHER in plane 14 */
#define URLSM_TOASCII_UNICODE "{uts46.__version__}" /* of the `idna` package's data */

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

/* code points up to U+FFFF that map to several, or by themselves: blocks of them, each its first code point << 16 |
 * where it begins below; there, for each, its distance from the one before, the length of what it maps to, and that in
 * UTF-8 */
static const uint32_t URLSM_TOASCII_EXPANDING[{len(expansion_blocks)}] = {{
{lines(expansion_blocks)}
}};
static const uint8_t URLSM_TOASCII_EXPANDED[{len(expanded)}] = {{
{lines([*expanded])}
}};

/* first << 16 | second, in order; what they compose to stands at the same place. Hangul is not in it */
static const uint32_t URLSM_TOASCII_PAIRS[{len(pairs_composed)}] = {{
{lines([first << 16 | second for first, second, _ in pairs_composed])}
}};
static const uint16_t URLSM_TOASCII_COMPOSED[{len(pairs_composed)}] = {{
{lines([code for _, _, code in pairs_composed])}
}};
/* those places, in the order of what stands there */
static const uint16_t URLSM_TOASCII_BY_COMPOSED[{len(pairs_composed)}] = {{
{lines(sorted(range(len(pairs_composed)), key=lambda place: pairs_composed[place][2]))}
}};

/* runs of code points up to U+FFFF with a combining class: first << 16 | last - first << 8 | class */
{packed_runs("COMBINING", combining_runs(), 16)}

/* runs of code points of a joining type: first << 11 | last - first << 3 | R 2, L 4, D 6 (both), T 1 */
{packed_runs("JOINING", joining_runs(classes), 11)}
/* clang-format on */
#endif
"""


def packed_runs(name: str, found: Iterator[tuple[int, int, int]], shift: int) -> str:
    packed = [first << shift | (last - first) << (shift - 8) | number for first, last, number in found]
    return f"static const uint32_t URLSM_TOASCII_{name}[{len(packed)}] = {{\n{lines(packed)}\n}};"


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
