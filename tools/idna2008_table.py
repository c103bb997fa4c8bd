"""Write urlsm/unicode/idna2008_table.h, what IDNA 2008 does not allow though UTS 46 does; or with --check, see if it is
current.

    python tools/idna2008_table.py [--check]

The data are those of the `idna` package, of the version of Unicode of urlsm/unicode/toascii_table.h.
"""

import sys
from collections.abc import Iterable
from pathlib import Path

from idna import idnadata
from toascii_table import lines, made_from, status

HEADER = Path(__file__).resolve().parents[1] / "urlsm" / "unicode" / "idna2008_table.h"


def code_points(packed: Iterable[int]) -> set[int]:
    """Return the code points of runs as the package keeps them: first << 32 | last + 1."""
    return {code for run in packed for code in range(run >> 32, run & 0xFFFFFFFF)}


def edges(codes: set[int]) -> list[int]:
    """Return, in order, each code point that is in the set while the one before it is not, or the other way round."""
    return sorted(codes ^ {code + 1 for code in codes})


def array(name: str, comment: str, codes: set[int]) -> str:
    items = edges(codes)
    return f"/* {comment} */\nstatic const uint32_t URLSM_{name}[{len(items)}] = {{\n{lines(items)}\n}};\n"


def written() -> str:
    classes, scripts = idnadata.codepoint_classes, idnadata.scripts
    allowed = set().union(*(code_points(classes[name]) for name in ("PVALID", "CONTEXTJ", "CONTEXTO")))
    valid = {code for code in range(0x80, 0x110000) if status(code)[0] in "VD"}
    assert {code for code in allowed if code >= 0x80} <= valid
    japanese = set().union(*(code_points(scripts[name]) for name in ("Hiragana", "Katakana", "Han")))
    return f"""\
/* Do not edit: written by tools/idna2008_table.py, {made_from()}.
 * Each table has the edges of a set: a code point is in the set if the number of edges up to it is odd. */
#ifndef URLSM_IDNA2008_TABLE_H
#define URLSM_IDNA2008_TABLE_H
#include <stdint.h>

/* clang-format off */
{array("IDNA2008_DISALLOWED", "valid in UTS 46, and not in IDNA 2008", valid - allowed)}
{array("GREEK", "of this script", code_points(scripts["Greek"]))}
{array("HEBREW", "of this script", code_points(scripts["Hebrew"]))}
{array("JAPANESE", "Hiragana, Katakana and Han", japanese)}
/* clang-format on */
#endif
"""


def main(arguments: list[str]) -> int:
    text = written()
    if arguments == ["--check"]:
        if HEADER.read_text("ascii") != text:
            print(f"{HEADER.name} is not what tools/idna2008_table.py writes with what is installed here")
            return 1
        return 0
    HEADER.write_text(text, "ascii")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
