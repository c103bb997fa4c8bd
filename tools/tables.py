"""Write the C side of the tables in Python, each row of which is the only place of a fact; or check it.

    python tools/tables.py [--check]

urlsm/machine/codes.pxd: the codes of errors, from TABLE in urlsm/errors/rules.py, up to those that only handlers use.
urlsm/columns/fields.h, fields.pxd: the fields of a column, from TABLE in urlsm/columns/names.py.
urlsm/engines/methods.pyi: the methods of .url, from FUNCTIONS in urlsm/columns/functions.py, with the parameters of the
functions of urlsm/columns.
urlsm/crawler/rules.pxd: the rules of a profile, from TABLE in urlsm/crawler/rules.py.
urlsm/errors/secret_names.h: the names of secrets, from TABLE and SECRETS in urlsm/errors/secret_names.py.
urlsm/patterns/opcodes.pxd: the instructions and words of the matcher's programs, from urlsm/patterns/opcodes.py.
"""

import ast
import re
import runpy
import sys
from itertools import groupby
from pathlib import Path
from types import ModuleType

PACKAGE = Path(__file__).resolve().parents[1] / "urlsm"
DIALECTS = ("whatwg", "rfc3986", "rfc3987", "rfc2396", "rfc1738", "barth", "stdlib")
GROUPS = {"#idna": "IDNA", "#host-parsing": "host parsing", "#url-parsing": "URL parsing", "urlsm": "urlsm's own"}


def table(path: str, name: str = "TABLE") -> tuple:
    """Return a table of urlsm/ without importing urlsm, whose compiled modules need the files that this tool writes.

    The module of the table imports others from packages whose __init__ does not run. All these modules are forgotten
    afterwards, because a test calls this in a process that uses urlsm.
    """
    loaded = set(sys.modules)
    for folder in (PACKAGE, *filter(Path.is_dir, PACKAGE.iterdir())):
        bare = ModuleType(".".join(folder.relative_to(PACKAGE.parent).parts))
        bare.__path__ = [str(folder)]
        sys.modules.setdefault(bare.__name__, bare)
    try:
        return runpy.run_path(str(PACKAGE / path))[name]
    finally:
        for module in set(sys.modules) - loaded:
            del sys.modules[module]


def member(*words: str) -> str:
    """Return the name of a constant of C."""
    words = tuple([{":": "colon", ":/": "colon-slash"}.get(word, word) for word in words])
    return re.sub(r"\W", "_", "_".join(words)).upper()


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
    hosts, listed = (
        "    switch (field) {\n"
        + "".join(f"    case {name_of(row)}:\n" for row in rows if getattr(row, what))
        + "        return 1;\n    default:\n        return 0;\n    }\n"
        for what in ("of_host", "of_list")
    )
    return f"""/* The fields of a column as C sees them: the rows of TABLE in columns/names.py.
 * Written by tools/tables.py. */
#ifndef URLSM_FIELDS_H
#define URLSM_FIELDS_H
#include <stddef.h>

enum {{
{"".join(f"    {name_of(row)},{chr(10)}" for row in rows)}    FIELD_COUNT
}};

/* Returns Arrow's format of the field's values; NULL for a text, whose layout the caller chooses. */
static inline const char *urlsm_field_format(int field)
{{
    switch (field) {{
{formats}    default: return NULL;
    }}
}}

/* Returns whether the text after the authority has no effect on the field. */
static inline int urlsm_is_of_host(int field)
{{
{hosts}}}

/* Returns whether the field needs a list of public suffixes. */
static inline int urlsm_is_of_list(int field)
{{
{listed}}}

#endif
"""


def fields_pxd() -> str:
    names = "".join(f"        {name_of(row)}\n" for row in table("columns/names.py"))
    return f'''"""The fields of a column as C sees them: the rows of TABLE in columns/names.py.

Written by tools/tables.py, like fields.h.
"""

cdef extern from "columns/fields.h" nogil:
    enum:
{names}
    const char* field_format "urlsm_field_format"(int field) noexcept
    bint is_of_host "urlsm_is_of_host"(int field) noexcept
    bint is_of_list "urlsm_is_of_list"(int field) noexcept
'''


HIDDEN = ("column", "layout")  # parameters that the methods lack


def methods_pyi() -> str:
    """Return the methods of .url, with the parameters of the functions of urlsm.columns."""
    found = {}
    for file in ("calls", "judging", "crawl_index"):
        for node in ast.parse((PACKAGE / "columns" / f"{file}.py").read_text("utf-8")).body:
            if isinstance(node, ast.FunctionDef):
                found[node.name] = node.args
    lines = []
    for row in table("columns/functions.py", "FUNCTIONS"):
        if "method" not in row.lacks:
            words = parameters(found.get(row.name, found["port"]))
            line = f"    def {row.name}({', '.join(words)}) -> Any: ..."
            if len(line) > 120:
                line = f"    def {row.name}(\n{''.join(f'        {word},{chr(10)}' for word in words)}    ) -> Any: ..."
            lines.append(f"{line}\n")
    return f"""# Written by tools/tables.py.
from collections.abc import Sequence
from datetime import date
from typing import Any, Literal

from urlsm.crawler.record import Profile
from urlsm.crawler.sites import PublicSuffixList
from urlsm.patterns import PatternSet
from urlsm.url.value import StrOrURL

__all__ = ["Methods"]

class Methods:
{"".join(lines)}"""


def parameters(given: ast.arguments) -> list[str]:
    """Return the parameters of the method, from those of the function."""
    first = [arg for arg in given.args if arg.arg not in HIDDEN]
    defaults = dict(zip([arg.arg for arg in given.args[::-1]], given.defaults[::-1], strict=False))
    defaults |= {arg.arg: value for arg, value in zip(given.kwonlyargs, given.kw_defaults, strict=True) if value}
    words = ["self"]
    for arg in (*first, None, *(arg for arg in given.kwonlyargs if arg.arg not in HIDDEN)):
        default = "" if arg is None or arg.arg not in defaults else " = ..."
        kind = "" if arg is None else ast.unparse(arg.annotation).replace("'", '"')
        words.append("*" if arg is None else f"{arg.arg}: {kind}{default}")
    return words


def commented(line: str, meaning: str) -> str:
    return f"    {line:<23}  # {meaning}\n" if meaning else f"    {line}\n"


def enum_of(rule) -> str:
    """Return the name of the enum of a rule's choices; some rules share one."""
    return "decode" if rule.name.endswith("_decode") else rule.name


def type_of(rule) -> str:
    """Return the C type of a rule's member; "" if the rule has no member."""
    if rule.choices:
        return "".join(word.capitalize() for word in enum_of(rule).split("_"))
    return rule.c or ("bint" if isinstance(rule.default, bool) else "")


def rules_pxd() -> str:
    rules = table("crawler/rules.py")
    enums = {type_of(rule): rule for rule in rules if rule.choices}
    text = ""
    for name, rule in enums.items():
        text += f"cdef enum {name}:\n"
        text += "".join(commented(member(enum_of(rule), word), says) for word, says in rule.choices.items()) + "\n"
    members = "".join(commented(f"{type_of(rule)} {rule.name}", rule.meaning) for rule in rules if type_of(rule))
    return f'''"""The rules of a profile as C reads them: TABLE of crawler/rules.py as a struct, and words as enums.

Written by tools/tables.py. Rulebook in keys.pyx calls set_rules, and sets the other rules itself.
"""
from cpython.bytes cimport PyBytes_AS_STRING
from libc.stdint cimport uint8_t
from urlsm.crawler.structs cimport Plainness, Recoding
from urlsm.machine.dialects cimport Dialect
from urlsm.url.params cimport Names

{text}cdef struct Rules:
{members}    Plainness plain


{set_rules()}'''


def set_rules() -> str:
    lines = []
    for rule in table("crawler/rules.py"):
        name = rule.name
        if rule.c == "const char*" and rule.may_be_none:
            lines.append(f'    r.{name} = NULL if values["{name}"] is None else PyBytes_AS_STRING(values["{name}"])\n')
        elif rule.c == "const char*":
            lines.append(f'    r.{name} = PyBytes_AS_STRING(values["{name}"])\n')
        elif type_of(rule) and not rule.c:
            lines.append(f'    r.{name} = values["{name}"]\n')
    return f'''cdef inline int set_rules(Rules* r, dict values) except -1:
    """Set each rule that is a word, a flag or a text. A rule that is a text points into the octets in `values`."""
{"".join(lines)}    return 0
'''


def annotation(rule) -> str:
    """Return the type of a profile's field for type checkers, as lines within the signature of a method."""
    if rule.choices or rule.c == "Dialect":
        words = ", ".join(f'"{word}"' for word in rule.choices or DIALECTS)
        return f"Literal[{words}]"
    if isinstance(rule.default, tuple):
        return "Collection[str]"
    return "bool" if isinstance(rule.default, bool) else "str | None" if rule.may_be_none else "str"


def keywords(with_default: bool) -> str:
    lines = []
    for rule in table("crawler/rules.py"):
        kind = annotation(rule)
        ending = (f" = {rule.default!r}" if with_default else " = ...").replace("'", '"') + ","
        if isinstance(rule.default, str) and with_default:
            ending = " = " + quoted(rule.default) + ","
        line = f"        {rule.name}: {kind}{ending}"
        if len(line) > 120:
            line = f"        {rule.name}: Literal[\n            {kind[8:-1]}\n        ]{ending}"
        lines.append(line + "\n")
    return "".join(lines)


def quoted(text: str) -> str:
    """Return a text as a literal in the quotation marks that ruff prefers."""
    return f"'{text}'" if '"' in text else '"' + text.replace("\\", "\\\\") + '"'


def record_pyi() -> str:
    return f"""# Written by tools/tables.py from TABLE of crawler/rules.py.

from collections.abc import Collection
from typing import Any, Literal, final

from urlsm.crawler.keys import Rulebook
from urlsm.url.value import StrOrURL

__all__ = ["Profile", "named"]

@final
class Profile:
    __signature__: Any
    rulebook: Rulebook
    def __init__(
        self,
        *,
{keywords(True)}    ) -> None: ...
    @property
    def name(self) -> str | None: ...
    @property
    def dates(self) -> dict[str, str]: ...
    def fields(self) -> dict[str, Any]: ...
    def replace(
        self,
        *,
{keywords(False)}    ) -> Profile: ...
    def canonicalize(self, url: StrOrURL, *, base: StrOrURL | None = None, encoding: str | None = None) -> str: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[object, ...]: ...
    def __copy__(self) -> Profile: ...
    def __deepcopy__(self, memo: object) -> Profile: ...

def named(name: str | None, fields: dict[str, Any]) -> Profile: ...
"""


def secret_names_h() -> str:
    rows = table("errors/secret_names.py")
    kinds = {row.beside: "NEIGHBOUR" for row in rows if row.beside}
    for row in rows:
        kinds[row.name.lstrip("!")] = "BESIDE" if row.beside else "NEVER" if row.name[0] == "!" else "SECRET"
    for own in table("errors/secret_names.py", "SECRETS").values():
        kinds |= {name: "SECRET" for name in own if name[0] != "!"}
    lines = []
    for last, ending in groupby(sorted(kinds, key=lambda name: (last_of(name), name)), last_of):
        lines += [f"    case '{last}': {{", "        static const urlsm_name names[] = {"]
        lines += [f'            {{URLSM_{kinds[name]}, {len(name)}, "{name}"}},' for name in ending]
        lines += ["            {0, 0, NULL}};", "        return names;", "    }"]
    return f"""/* The names of secrets as C sees them: TABLE and SECRETS of errors/secret_names.py.
 * Written by tools/tables.py. */
#ifndef URLSM_SECRET_NAMES_H
#define URLSM_SECRET_NAMES_H
#include <stddef.h>
#include <stdint.h>

enum {{
    URLSM_SECRET = 1,
    URLSM_NEVER = 2,     /* not secret, even if another row says so */
    URLSM_BESIDE = 4,    /* secret if the text also has a neighbour */
    URLSM_NEIGHBOUR = 8, /* the neighbour of such a name */
}};
typedef struct {{
    int kind;
    size_t size;
    const char *name;
}} urlsm_name;

/* Return the names whose last letter, apart from a "#", is `last` (in lower case). For '*', return the names that end
 * with "*". */
static inline const urlsm_name *urlsm_names_ending(uint8_t last)
{{
    switch (last) {{
{chr(10).join(lines)}
    default: {{
        static const urlsm_name none[] = {{{{0, 0, NULL}}}};
        return none;
    }}
    }}
}}

#endif
"""


def last_of(name: str) -> str:
    return name.rstrip("#")[-1]


def opcodes_pxd() -> str:
    path = "patterns/opcodes.py"
    constants = [
        ("MOST", table(path, "MOST"), "the greatest number of instructions"),
        ("DEEPEST", table(path, "DEEPEST"), "the greatest depth of nested optional groups"),
    ]
    constants += [(name.upper(), number, "") for number, (name, _) in enumerate(table(path, "KINDS"))]
    for part, rows in (
        ("GREEDY", table(path, "GREEDY_HEAD")),
        ("PIECE", table(path, "PIECE")),
        ("FULL", table(path, "FULL_HEAD")),
        ("INSTRUCTION", table(path, "INSTRUCTION")),
    ):
        constants += [(member(part, name), number, meaning) for number, (name, meaning) in enumerate(rows)]
        constants.append((f"{part}_WORDS", len(rows), ""))
    constants.append(("SET_WORDS", table(path, "SET_WORDS"), ""))
    words = "".join(commented(f"{name} = {number}", meaning) for name, number, meaning in constants)
    ops = "".join(commented(name.upper(), meaning) for name, meaning in table(path, "OPCODES"))
    texts = "".join(f"    {name.upper()}\n" for name in table(path, "TEXTS"))
    return f'''"""The words and instructions of programs, and the texts that they match, for C (patterns/opcodes.py).

Written by tools/tables.py.
"""

cdef enum:                   # the index of each word in a program, a piece or an instruction
{words}
cdef enum Op:
{ops}    OP_COUNT

cdef enum Kind:
{texts}'''


WRITTEN = {
    "machine/codes.pxd": codes,
    "columns/fields.h": fields_h,
    "columns/fields.pxd": fields_pxd,
    "engines/methods.pyi": methods_pyi,
    "crawler/record.pyi": record_pyi,
    "crawler/rules.pxd": rules_pxd,
    "errors/secret_names.h": secret_names_h,
    "patterns/opcodes.pxd": opcodes_pxd,
}


def stale() -> list[str]:
    """Return the files that differ from what this tool writes."""
    there = {name: path.read_text("ascii") for name in WRITTEN if (path := PACKAGE / name).exists()}
    return [name for name, text in WRITTEN.items() if there.get(name) != text()]


if __name__ == "__main__":
    if sys.argv[1:] != ["--check"]:
        for name in stale():
            (PACKAGE / name).write_text(WRITTEN[name](), "ascii")
    elif found := stale():
        sys.exit(f"not what tools/tables.py writes: {', '.join(found)}")
