"""The pages about profile fields, column fields and commands."""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import shlex
from typing import Any

import reference_api
import reference_examples as examples
from reference_text import WIDTH, block, code, prose, sentence, table

import urlsm
from urlsm.cli.app import HOMES, main, make_parser
from urlsm.columns.names import TABLE as COLUMNS
from urlsm.columns.names import type_name
from urlsm.crawler.rules import TABLE as RULES


def _values(rule: Any) -> str:
    if rule.choices:
        return ", ".join(map(code, rule.choices))
    if rule.default in (True, False) and isinstance(rule.default, bool):
        return "`True`, `False`"
    kind = "a tuple of names" if isinstance(rule.default, tuple) else "text"
    return kind + (" or `None`" if rule.may_be_none else "")


def _meaning(rule: Any) -> str:
    of_values = "; ".join(f"{code(value)}: {prose(said)}" for value, said in (rule.choices or {}).items() if said)
    return "; ".join(said for said in (prose(rule.meaning), of_values) if said)


def _effect(name: str) -> str:
    if name not in examples.PROFILE:
        return ""
    of, more, value, url = examples.PROFILE[name]
    try:
        before, after = examples.keys(name)
    except (TypeError, ValueError):  # tests/docs says which example is out of date
        return ""
    fields = ", ".join(f"{key}={one!r}" for key, one in examples.settings({**more, name: value}).items())
    return f"{code(url)}: {code(before)} by {code(of)}, {code(after)} with {code(fields)}"


def profile() -> str:
    remove = next(rule.name for rule in RULES if rule.name.startswith("remove") and rule.default == ())
    rows = [
        (code(rule.name), code(repr(rule.default)), _values(rule), _meaning(rule), _effect(rule.name)) for rule in RULES
    ]
    return f"""# Profile fields

These fields define the rules of a profile. Pass them to `crawler.Profile(...)` or `profile(...).replace(...)`.
`urlsm profiles NAME` shows the fields of a named profile.

```python
>>> from urlsm import crawler
>>> own = crawler.profile("urlsm-1").replace(path_lower=True, {remove}=("ref",))
>>> own.canonicalize("http://example.com/A?ref=x&b=1")
'http://example.com/a?b=1'
```

{table(("field", "default", "values", "meaning", "effect"), rows)}"""


URL = "https://me:secret@shop.example.co.uk:8443/a/b?c=d#e"


def columns() -> str:
    """Return the page about the fields, each described by the attribute of URL or the function with its name."""
    rows = []
    for field in COLUMNS:
        if field.of_parse:
            kind = type_name(field.format) if field.format not in ("", "c") else "text"
            rows.append((code(field.name), kind, prose(described(field.name)), _value(field.name)))
    return f"""# Column fields

These fields are available in `columns.parse`, in `.url.parse()` for Polars, pandas and Dask, in `url_parse` for SQL and
in `urlsm columns -f`. A field has the same name as the attribute or function for a single URL. `parts.NAME` is the
field `NAME` of the [parts of the scheme](schemes.md). The examples are the fields of {code(URL)}.

{table(("field", "type", "meaning", "example"), rows)}{engines()}"""


def described(name: str) -> str:
    """Return the first sentence about the attribute or function with a field's name."""
    plain = name.removeprefix("icann_")
    said = sentence(getattr(getattr(urlsm.URL, plain, None), "__doc__", ""))
    if not said and plain.startswith("error_"):
        said = f"The {plain.removeprefix('error_')} of the ParseError; null for a valid URL."
    for module, known in () if said else reference_api.public():
        if known == plain and not said:
            said = sentence(reference_api.doc(module, known))
    return said + (" By the ICANN section of the list only." if said and plain != name else "")


def _value(name: str) -> str:
    """Return the example's value of a field; "" if pyarrow, or the list for a public suffix, is not installed."""
    from urlsm import columns

    try:
        import pyarrow

        columns.parse(pyarrow.array([URL]), (name,))
    except ImportError:
        return ""
    found = pyarrow.array(columns.parse(pyarrow.array([URL]), (name,))).to_pylist()[0][name]
    return code(repr(found))


def engines() -> str:
    """Return a table with the names in columns, engines, SQL and the shell, from the table that defines them."""
    from urlsm import columns

    try:
        functions = importlib.import_module("urlsm.columns.functions").FUNCTIONS
    except ImportError:
        return ""
    rows = []
    for row in functions:
        more = f", {row.takes}" if row.needs else f"[, {row.takes}]" if row.takes else ""
        field = (row.field or row.name) + (f":{row.takes.upper()}" if row.needs else "")
        rows.append(
            (
                code(f"columns.{row.name}") if hasattr(columns, row.name) else "-",
                _offered(row, "method", f".url.{row.name}()"),
                _offered(row, "SQL", f"url_{row.name}(url{more})"),
                _offered(row, "field", field),
                type_name(row.result) if row.result not in ("", "c") else "-" if "method" in row.lacks else "text",
                prose(described(row.name)),
            )
        )
    head = ("columns", "Polars, pandas, Dask", "DuckDB, Spark", "`urlsm columns -f`", "type", "meaning")
    return f"\n## Functions by engine\n\n{table(head, rows)}"


def _offered(row: Any, what: str, name: str) -> str:
    return f"- ({row.lacks[what]})" if what in row.lacks else code(name)


def command_line() -> str:
    os.environ["COLUMNS"] = str(WIDTH)
    parser = make_parser()
    found: Any = parser._subparsers
    commands = found._group_actions[0].choices
    text = "# Command line reference\n\nThe output of `urlsm COMMAND --help`, with an example of each command.\n"
    for name in HOMES:
        text += f"\n## urlsm {name}\n\n{block('text', commands[name].format_help())}\nFor example:\n\n"
        text += _shown(examples.COMMANDS.get(name, f"urlsm {name} --help"))
    return text


def _shown(command: str) -> str:
    """Return an example of a command, with its output if the output is short and always the same."""
    _, name, *arguments = shlex.split(command)
    out, err = io.StringIO(), io.StringIO()
    if name not in ("columns", "extract", "page", "psl", "serve"):  # they read or write files, or go on
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            main([name, *arguments])
    lines = out.getvalue().splitlines()
    if err.getvalue() or not 0 < len(lines) <= 20 or max(map(len, lines)) > WIDTH:
        return block("sh", command)
    return block("console", f"$ {command}\n{out.getvalue()}")


def pages() -> dict[str, str]:
    return {"profile-fields.md": profile(), "column-fields.md": columns(), "commands.md": command_line()}
