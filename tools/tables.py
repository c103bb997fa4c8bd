"""Write what C has of the tables in Python, each row of which is the one place of a fact; or see if it is current.

    python tools/tables.py [--check]

urlsm/machine/codes.pxd: the codes of errors, from TABLE in urlsm/errors/rules.py, up to those that only handlers use.
urlsm/columns/fields.h, fields.pxd: the fields of a column, from TABLE in urlsm/columns/names.py.
"""

import runpy
import sys
from itertools import groupby
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1] / "urlsm"
GROUPS = {"#idna": "IDNA", "#host-parsing": "host parsing", "#url-parsing": "URL parsing", "urlsm": "urlsm's own"}


def table(path: str, name: str = "TABLE") -> tuple:
    return runpy.run_path(str(PACKAGE / path))[name]


def member(*words: str) -> str:
    """The name of a constant of C."""
    return "_".join(words).upper().replace("-", "_")


def codes() -> str:
    lines = []
    rules = table("errors/rules.py")
    for reference, rows in groupby(rules, lambda row: row.reference.removeprefix("https://url.spec.whatwg.org/")):
        if reference in GROUPS:
            lines.append(f"    # {GROUPS[reference]}")
            lines += ["    " + member(row.code) for row in rows]
    lines[1] += " = 0"
    return f'''"""The codes of errors and violations as C sees them: row numbers of the table in errors/rules.py.

Written by tools/tables.py.
"""

cdef enum Code:
    NO_ERROR = -1
{chr(10).join(lines)}
'''


def name_of(row) -> str:
    return member("F", row.name)


def fields_h() -> str:
    rows = table("columns/names.py")
    formats = "".join(f'    case {name_of(row)}: return "{row.format}";\n' for row in rows if row.format)
    hosts = " || ".join(f"field == {name_of(row)}" for row in rows if row.of_host)
    refused = " || ".join(f"field == {name_of(row)}" for row in rows if row.of_refused)
    return f"""/* The fields of a column as C sees them: the rows of TABLE in columns/names.py.
 * Written by tools/tables.py. */
#ifndef URLSM_FIELDS_H
#define URLSM_FIELDS_H
#include <stddef.h>

enum {{
{"".join(f"    {name_of(row)},{chr(10)}" for row in rows)}    FIELD_COUNT
}};

/* Arrow's format of the field's values; NULL: a text, in the layout that is asked for. */
static inline const char *urlsm_field_format(int field)
{{
    switch (field) {{
{formats}    default: return NULL;
    }}
}}

/* Does nothing behind the authority matter to the field? */
static inline int urlsm_is_of_host(int field) {{ return {hosts}; }}

/* Does the field say something of a text that is refused? */
static inline int urlsm_is_of_refused(int field) {{ return {refused}; }}

#endif
"""


def fields_pxd() -> str:
    names = "".join(f"        {name_of(row)}\n" for row in table("columns/names.py"))
    return f'''"""The fields of a column as C sees them: the rows of TABLE in columns/names.py.

Written by tools/tables.py, as fields.h.
"""

cdef extern from "columns/fields.h" nogil:
    enum:
{names}
    const char* field_format "urlsm_field_format"(int field) noexcept
    bint is_of_host "urlsm_is_of_host"(int field) noexcept
    bint is_of_refused "urlsm_is_of_refused"(int field) noexcept
'''


WRITTEN = {
    "machine/codes.pxd": codes,
    "columns/fields.h": fields_h,
    "columns/fields.pxd": fields_pxd,
}


def stale() -> list[str]:
    """The files that are not what this tool writes."""
    there = {name: path.read_text("ascii") for name in WRITTEN if (path := PACKAGE / name).exists()}
    return [name for name, text in WRITTEN.items() if there.get(name) != text()]


if __name__ == "__main__":
    if sys.argv[1:] != ["--check"]:
        for name in stale():
            (PACKAGE / name).write_text(WRITTEN[name](), "ascii")
    elif found := stale():
        sys.exit(f"not what tools/tables.py writes: {', '.join(found)}")
