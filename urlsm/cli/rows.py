"""Makes output lines for many URLs at once. C fills in the lines that need no Python objects; Python makes the
others."""

from __future__ import annotations

from itertools import repeat

from urlsm.cli.output import Place, blocks, complain, is_utf8, write
from urlsm.url.value import URL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable

    from urlsm.url.value import URL

__all__ = ["CSV", "FIELDS", "JSON", "TSV", "Form", "print_lines"]

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


def _filled(form: Form, octets: bytes, base: URL | None) -> tuple[str, list[tuple[int, int]]]:
    """Return the lines that C has written for a block, and the rows that it has left to Python. Each of these rows is a
    pair: the row's number, and the position at which its line belongs."""
    from urlsm.columns.calls import parse as parse_column
    from urlsm.columns.work import Array, column_of_lines, fill_rows

    lines = column_of_lines(octets)
    asked = dict.fromkeys([*[name for name in form.names if name != "input"], "can_parse"])
    found = parse_column(lines, tuple(asked), base=base, layout="view")
    assert isinstance(found, Array)
    return fill_rows(lines, found, *form.how)


def _record(before: str, between: str, after: str, **how: bytes) -> Form:
    """Return a form with a place for each of FIELDS."""
    heads = [before.format(name) if k == 0 else between.format(name) for k, name in enumerate(FIELDS)]
    return Form(FIELDS, tuple([text.encode() for text in (*heads, f"{after}\n")]), bytes(len(FIELDS)), **how)


JSON = _record('{{"{}":', ',"{}":', "}", quote=b'"', absent=b"null", hard=b'"\\')
CSV = _record("", ",", "", hard=b'",')
TSV = _record("", "\t", "", hard=b"\\")


def print_lines(args: Namespace, base: URL | None, form: Form | None, made: Callable[[str], str]) -> int:
    """Print the lines for each input. If possible, C fills in `form`; otherwise, `made` returns the lines. Return 1 if
    an input is invalid."""
    code = 0
    for block in blocks(args.urls, args.file):
        named = block.name is not None
        text, left = "", None
        if form is not None and isinstance(block.given, bytes) and is_utf8(block.given):
            text, left = _filled(form, block.given, base)
        if left != []:
            lines, pieces, at = block.lines(), [], 0
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
                    complain(f"{Place(block.name, block.first + row)}{error}")
            text = "".join([*pieces, text[at:]])
        write(text)
    return code
