"""urlsm columns: from a file of URLs to a file of their fields, in constant memory."""

from __future__ import annotations

import sys
from contextlib import ExitStack

from urlsm.cli.output import complain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable
    from typing import Any

EXAMPLES = """examples:
  urlsm columns links.parquet -c url -f host,path,site -o hosts.parquet
  urlsm columns links.txt -f href --errors refused.csv -o links.csv
  find . -name '*.parquet' | xargs -P 8 -I {} urlsm columns {} -c url -f host -o {}.hosts.arrow

Files are Parquet (.parquet), Arrow (.arrow, .feather), CSV (.csv) or, with any other name, lines of text.
CSV and lines that gzip, zstd or bzip2 compressed are read as they are; .gz and .zst behind the name of OUT compress.
OUT replaces the file that it names, once it is whole; a device or FIFO is written to, as CSV without such an ending.
The rows of the output are those of the input; a row that is refused is empty in each field."""


def declare(parser: ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    parser.add_argument("file", metavar="FILE", help="the file to read; - for lines on standard input")
    parser.add_argument("-c", "--column", metavar="NAME", help="the column of URLs (default: the only one)")
    parser.add_argument(
        *("-f", "--fields"),
        default="scheme,host,path,query,fragment",
        metavar="NAMES",
        help="the fields to write, separated by commas (default: %(default)s)",
    )
    parser.add_argument("-o", "--output", metavar="OUT", help="the file to write (default, or -: CSV to stdout)")
    parser.add_argument("-b", "--base", metavar="URL", help="resolve relative references against this URL")
    parser.add_argument("-k", "--keep", action="store_true", help="write the columns of FILE before the fields")
    parser.add_argument("-j", "--jobs", type=int, default=1, metavar="N", help="threads (default: 1)")
    parser.add_argument("--errors", metavar="CSV", help="write row, code and octet of each text that is refused")
    parser.add_argument("--strict", action="store_true", help="exit with 1 if a text is refused")


def run(parser: ArgumentParser, args: Namespace) -> int:
    try:
        import pyarrow

        from urlsm.cli import table_output, tables
    except ImportError as error:
        complain(f"urlsm: columns needs {error.name or 'pyarrow'}: pip install 'urlsm[files]'")
        return 2
    from urlsm.columns import FIELDS
    from urlsm.columns.names import chosen

    try:
        fields = chosen([name.strip() for name in args.fields.split(",")], FIELDS)
    except ValueError as error:
        parser.error(str(error))
    if not 1 <= args.jobs <= 256:
        parser.error("--jobs must be from 1 to 256")
    if args.errors and table_output.place_of(args.errors) == table_output.place_of(args.output):
        parser.error("--errors and --output name the same file")
    try:
        with ExitStack() as stack:
            reader = tables.reader_of(args.file, stack)
            return _write(reader, reader.column(args.column), fields, args)
    except tables.Broken as error:
        complain(f"urlsm: {error}")
    except pyarrow.ArrowException as error:
        complain(f"urlsm: {args.file}: {error}")
    except (TypeError, ValueError, LookupError, ModuleNotFoundError, OverflowError) as error:
        complain(f"urlsm: {error}")
    return 2


def _write(reader: Any, column: str, fields: tuple[str, ...], args: Namespace) -> int:
    """Read, parse and write batch after batch; return the exit code."""
    from urlsm.cli import tables
    from urlsm.cli.table_output import Output
    from urlsm.columns.calls import in_order

    asked = (*fields, *(name for name in ("error", "error_at") if name not in fields))
    told = bool(args.errors or args.strict)
    refused = rows = 0
    with ExitStack() as stack:
        progress = stack.enter_context(_progress(reader.total))
        output = stack.enter_context(Output(args.output))
        errors = stack.enter_context(Output(args.errors, "csv")) if args.errors else None

        def parsed(batch: Any) -> tuple[Any, Any]:
            return batch, tables.fields_of(batch.column(column), asked if told else fields, args.base)

        for batch, struct in in_order(parsed, reader.batches(None if args.keep else column), args.jobs):
            kept = output.kept(batch) if args.keep and reader.of_text else batch if args.keep else None
            output.write(tables.joined(kept, struct, fields))
            if told:
                rejected = tables.refusals(struct, rows)
                refused += rejected.num_rows
                if errors is not None:
                    errors.write(rejected)
            rows += batch.num_rows
            progress(rows)
        output.done()
        if errors is not None:
            errors.done()
    return 1 if args.strict and refused else 0


class _progress:
    """A bar with rate and time left, on standard error if that is a terminal. Call it with the number of rows done."""

    def __init__(self, total: int | None) -> None:
        self._total = total
        self._bar: Any = None

    def __enter__(self) -> Callable[[int], None]:
        if sys.stderr is None or not sys.stderr.isatty():
            return lambda rows: None
        try:
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
        except ImportError:
            return lambda rows: None
        self._bar = Progress(
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.speed:,.0f} rows/s"),
            TimeRemainingColumn(),
            console=Console(stderr=True),
        )
        self._bar.start()
        task = self._bar.add_task("rows", total=self._total)
        return lambda rows: self._bar.update(task, completed=rows)

    def __exit__(self, *error: object) -> None:
        if self._bar is not None:
            self._bar.stop()


COMMANDS = [("columns", "write the fields of a file of URLs to a file", declare, run)]
