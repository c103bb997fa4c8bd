"""Prints a line for each of many URLs. C fills in the lines that need no Python objects; Python makes the others."""

from __future__ import annotations

import sys
from itertools import repeat

from urlsm.cli import output
from urlsm.cli.output import (
    Place,
    blocks,
    complain,
    delimited,
    first_line,
    fit,
    is_utf8,
    json_text,
    shown,
    write,
)
from urlsm.url.value import URL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable, Sequence
    from typing import Any, TypeAlias

    # takes whole lines; returns the lines that C has written for them, and the rows that it has left to Python: for
    # each, its number, and the position at which its line belongs
    Fill: TypeAlias = Callable[[bytes], tuple[str, list[tuple[int, int]]]]

__all__ = ["CSV", "FIELDS", "JSON", "TSV", "Form", "declare_errors", "fields_filled", "print_answers", "print_lines"]

FIELDS = ("input", "href", *URL.__match_args__, "origin")


class Form:
    """A template for a line, in the form that urlsm.columns.work accepts: literal strings and field names alternate, as
    in literals[0], names[0], literals[1], ..."""

    def __init__(
        self,
        names: tuple[str, ...],
        literals: tuple[bytes, ...],
        decoded: bytes,
        quote: bytes = b"",
        absent: bytes = b"",
        hard: bytes = b"",
    ) -> None:
        self.names = names
        self.how: tuple[tuple[str, ...], tuple[bytes, ...], bytes, bytes, bytes, bytes] = (
            names,
            literals,
            decoded,
            quote,
            absent,
            hard,
        )


def fields_filled(form: Form, base: URL | None) -> Fill:
    """Return what fills in a form with the fields of URLs."""
    asked = tuple(dict.fromkeys([*[name for name in form.names if name != "input"], "can_parse"]))

    def fill(octets: bytes) -> tuple[str, list[tuple[int, int]]]:
        from urlsm.columns.calls import parse as parse_column
        from urlsm.columns.work import Array, column_of_lines, fill_rows

        lines = column_of_lines(octets)
        found = parse_column(lines, asked, base=base, layout="view")
        assert isinstance(found, Array)
        return fill_rows(lines, found, *form.how)

    return fill


def _record(before: str, between: str, after: str, **how: bytes) -> Form:
    """Return a form with a place for each of FIELDS."""
    heads = [before.format(name) if k == 0 else between.format(name) for k, name in enumerate(FIELDS)]
    return Form(FIELDS, tuple([text.encode() for text in (*heads, f"{after}\n")]), bytes(len(FIELDS)), **how)


JSON = _record('{{"{}":', ',"{}":', "}", quote=b'"', absent=b"null", hard=b'"\\')
CSV = _record("", ",", "", hard=b'",')
TSV = _record("", "\t", "", hard=b"\\")


def print_lines(
    args: Namespace,
    fill: Fill | None,
    made: Callable[[str], str],
    refused: Callable[[str, str], str] | None = None,
) -> int:
    """Print the lines for each input. Return 1 if an input is invalid.

    Args:
        fill: writes the lines that C can write, for the lines of files.
        made: returns the lines for a text; raises ValueError if it is invalid.
        refused: returns the lines for an invalid text, which is given with the first line of the error. None: there
            are no such lines.
    """
    code = 0
    for block in blocks(args.urls, args.file):
        named = block.name is not None
        text, left = "", None
        if fill is not None and isinstance(block.given, bytes) and is_utf8(block.given):
            text, left = fill(block.given)
        if left != []:
            lines, pieces, messages, at = block.lines(), [], [], 0
            for row, place in left or zip(range(len(lines)), repeat(0)):
                given = lines[row]
                if named and (not given or given.isspace()):  # (as block.skips; a call would take as long as parsing)
                    continue
                if place > at:
                    pieces.append(text[at:place])
                    at = place
                try:
                    pieces.append(made(given))
                except ValueError as error:
                    code = 1
                    messages.append(f"{Place(block.name, block.first + row)}{error}")
                    if refused is not None:
                        pieces.append(refused(given, first_line(error)))
            text = "".join([*pieces, text[at:]])
            if messages:
                complain("\n".join(messages))  # all at once, because standard error has no buffer
        write(text)
    return code


# --- answers: a line for each input, so that the numbers of lines match ------------------------------------------


def declare_errors(parser: ArgumentParser) -> None:
    """Declare the option that controls print_answers."""
    parser.add_argument(
        "--errors", action="store_true", help="print the error on the line of an invalid URL, instead of an empty line"
    )


def print_answers(
    args: Namespace,
    heads: Sequence[str],
    answer: Callable[[str], str | int],
    column: Callable[[Any], Any] | None = None,
    *,
    given: Sequence[str] = (),
) -> int:
    """Print an answer for each input. Return 1 if an input has none.

    Args:
        heads: the names of the values of a record: those of `given`, that of the input, and that of the answer.
        answer: returns the answer for a text, or raises ValueError.
        column: returns the answers for a column of lines (urlsm.columns.work), with null for a line for which `answer`
            is to be called. It is called for the lines of files, if `given` is empty.
        given: values that each record begins with.
    """
    names = (*heads, *(["error"] if args.errors else []))
    as_rows, as_tsv, with_errors = args.csv or args.tsv, args.tsv, args.errors
    if as_rows and output.with_heads:
        print(delimited(names, as_tsv))

    def record(text: str, made: str | int | None, error: str | None) -> str:
        values = (*given, text, made, *([error] if with_errors else []))
        if as_rows:
            return f"{fit(delimited(values, as_tsv), sys.stdout)}\n"
        return f"{json_text(dict(zip(names, values, strict=True)))}\n"

    fill = None if column is None else _answers_filled(_form_of_answers(args, names), column)
    if as_rows or args.json:
        return print_lines(
            args, fill, lambda text: record(text, answer(text), None), lambda text, error: record(text, None, error)
        )

    def line(text: str) -> str:
        said = str(answer(text))
        return f"{said}\n" if said.isascii() and said.isprintable() else f"{shown(said, sys.stdout)}\n"

    return print_lines(args, fill, line, lambda _, error: f"{shown(f'error: {error}' * with_errors, sys.stdout)}\n")


def _form_of_answers(args: Namespace, names: Sequence[str]) -> Form:
    """Return the form for the line of an input that has an answer, and so no error."""
    if args.json:
        rest = ',"error":null' if args.errors else ""
        texts = (f'{{"{names[0]}":', f',"{names[1]}":', f"{rest}}}\n")
        return Form(("input", "answer"), tuple(map(str.encode, texts)), b"\0\0", quote=b'"', hard=b'"\\')
    if args.csv or args.tsv:
        between = b"\t" if args.tsv else b","
        literals = (b"", between, between * args.errors + b"\n")
        return Form(("input", "answer"), literals, b"\0\0", hard=b"\\" if args.tsv else b'",')
    return Form(("answer",), (b"", b"\n"), b"\0")


def _answers_filled(form: Form, column: Callable[[Any], Any]) -> Fill:
    def fill(octets: bytes) -> tuple[str, list[tuple[int, int]]]:
        from urlsm.columns.work import column_of_lines, fill_rows

        lines = column_of_lines(octets)
        return fill_rows(lines, column(lines), *form.how)

    return fill
