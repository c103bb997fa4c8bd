"""Write urlsm/machine/codes.pxd, the numbers that C has for the codes of errors; or with --check, see if it is current.

    python tools/codes.py [--check]

They are the rows of the table in urlsm/errors/rules.py, up to those that only handlers use.
"""

import runpy
import sys
from itertools import groupby
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1] / "urlsm"
HEADER = PACKAGE / "machine" / "codes.pxd"
GROUPS = {"#idna": "IDNA", "#host-parsing": "host parsing", "#url-parsing": "URL parsing", "urlsm": "urlsm's own"}


def written() -> str:
    table = runpy.run_path(str(PACKAGE / "errors" / "rules.py"))["TABLE"]
    lines = []
    for reference, rows in groupby(table, lambda row: row.reference.removeprefix("https://url.spec.whatwg.org/")):
        if reference in GROUPS:
            lines.append(f"    # {GROUPS[reference]}")
            lines += ["    " + row.code.upper().replace("-", "_") for row in rows]
    lines[1] += " = 0"
    return f'''"""The codes of errors and violations as C sees them: row numbers of the table in errors/rules.py.

Written by tools/codes.py.
"""

cdef enum Code:
    NO_ERROR = -1
{chr(10).join(lines)}
'''


if __name__ == "__main__":
    if sys.argv[1:] != ["--check"]:
        HEADER.write_text(written(), "ascii")
    elif HEADER.read_text("ascii") != written():
        sys.exit(f"{HEADER.name} is not what tools/codes.py writes")
