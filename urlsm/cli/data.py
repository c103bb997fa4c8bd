"""The command data, which lists the tables of the world: where each is from, and how old it is."""

from __future__ import annotations

from urlsm.cli.output import Marked, cell, declare_output, print_json, row_printer, table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable

__all__ = ["COMMANDS"]

_COLUMNS = (
    *("name", "date", "version", "age", "rows", "licence", "comparer", "compared", "over", "differences"),
    *("source", "used_by"),
)
_SHOWN = ("name", "date", "age", "rows", "over", "differences")  # what fits on a terminal


def _declare_data(parser: ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", metavar="NAME", help="a table, such as trackers")
    declare_output(parser)


def _run_data(parser: ArgumentParser, args: Namespace) -> int:
    from urlsm.about import tables

    found = [one for one in tables() if args.name in (None, one.name)]
    if not found:
        parser.error(f"there is no table {args.name!r}: urlsm data lists their names")
    if row := row_printer(args, _COLUMNS):
        for one in found:
            row([getattr(one, column) for column in _COLUMNS])
    elif args.json:
        for one in found:
            print_json({**one._asdict(), "stale": one.stale})
    elif args.name is not None:
        table()([(column, cell(value)) for column, value in found[0]._asdict().items()])
    else:
        rows = [[cell(getattr(one, column)).replace('""', "") for column in _SHOWN] for one in found]
        for cells, one in zip(rows, found, strict=True):
            if one.stale:
                cells[_SHOWN.index("age")] = Marked(one.age)
        table()([_SHOWN, *rows])
    return 0


COMMANDS: list[tuple[str, str, Callable[[ArgumentParser], None], Callable[[ArgumentParser, Namespace], int]]] = [
    ("data", "list the tables of the world that urlsm holds, with their dates", _declare_data, _run_data),
]
