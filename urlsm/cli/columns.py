"""The command columns, which reads files of URLs and writes files of their fields in constant memory."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack

from urlsm.cli.output import complain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable
    from typing import Any

    from urlsm.cli.table_output import Output

EXAMPLES = """examples:
  urlsm columns links.parquet -c url -f host,path,registrable_domain -o hosts.parquet
  urlsm columns links.txt -f href --errors-to refused.csv -o links.csv
  urlsm columns 'crawl/**/*.cdxj.gz' -f surt:commoncrawl,host,fingerprint,query_param:id -o keys.parquet
  urlsm columns objects.csv -c url -f scheme,parts.bucket,parts.key -o keys.parquet
  urlsm columns crawl/ -c url -f host -o hosts/ --jobs 8

The file extension determines the format: .parquet, .arrow, .feather, .csv, .tsv, .jsonl, .ndjson, .cdxj, .cdx. In any
other file, the first lines show whether it is lines of text, CDXJ or CDX. gzip, zstd and bzip2 are decompressed, and
UTF-16 with a byte order mark is decoded. A folder stands for all files in it with such an extension. A line of text
with a tab is invalid.

Fields are scheme, username, password, host, port, path, query, fragment, href, authority, origin, can_parse,
error_code, error_position, registrable_domain, public_suffix, icann_registrable_domain, icann_public_suffix,
is_ambiguous, key[:PROFILE], surt[:PROFILE], fingerprint[:PROFILE], query_param:NAME, and parts.NAME for a part of any
scheme.

Several files are written to one OUT, in order. If OUT is a folder (it exists, or ends in /), each gets its own file.
The output is compressed if OUT ends in .gz or .zst. OUT gets its name when it is complete. A device or FIFO gets CSV
unless its name says otherwise. The output has the same rows as the input; the fields of an invalid URL are empty."""


FROM = ("parquet", "arrow", "csv", "tsv", "jsonl", "cdxj", "cdx", "lines")
TO = ("parquet", "arrow", "csv", "csv.gz", "csv.zst")


def declare(parser: ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    parser.add_argument(
        "file", metavar="FILE", nargs="+", help='a file, a folder or a pattern; "-" reads lines from standard input'
    )
    parser.add_argument(
        "--from", dest="kind", choices=FROM, help="the format of FILE (default: by its name, then by its first lines)"
    )
    parser.add_argument("-c", "--column", metavar="NAME", help="the column of URLs, if FILE has several columns")
    parser.add_argument(
        *("-f", "--fields"),
        default="scheme,host,path,query,fragment",
        metavar="NAMES",
        help="the fields to write, separated by commas (default: %(default)s)",
    )
    parser.add_argument(
        "-o", "--output", metavar="OUT", help="the file or folder to write (default: CSV to standard output)"
    )
    parser.add_argument("-b", "--base", metavar="URL", help="the base URL, to resolve relative references")
    parser.add_argument("-k", "--keep", action="store_true", help="also write the columns of FILE, before the fields")
    parser.add_argument("--threads", type=int, default=1, metavar="N", help="work in N threads (default: %(default)s)")
    parser.add_argument(
        *("-j", "--jobs"),
        type=int,
        default=1,
        metavar="N",
        help="work in N processes, one file in each (default: %(default)s)",
    )
    parser.add_argument(
        "--to", choices=TO, default="parquet", help="the format of the files in a folder OUT (default: %(default)s)"
    )
    parser.add_argument(
        "--errors-to", metavar="CSV", help="write the row, error code and byte position of each invalid URL"
    )
    parser.add_argument("--strict", action="store_true", help="exit with 1 if a URL is invalid")


def run(parser: ArgumentParser, args: Namespace) -> int:
    try:
        from urlsm.cli import many, table_output, tables
    except ImportError as error:
        complain(f"urlsm: columns needs {error.name or 'pyarrow'}: pip install 'urlsm[files]'")
        return 2
    try:
        tables.chosen_fields(args.fields)
    except ValueError as error:
        parser.error(str(error))
    folder = many.is_folder(args.output)
    for name, value in (("--threads", args.threads), ("--jobs", args.jobs)):
        if not 1 <= value <= 256:
            parser.error(f"{name} must be from 1 to 256")
    if args.errors_to and table_output.place_of(args.errors_to) == table_output.place_of(args.output):
        parser.error("--errors-to and --output name the same file")
    if args.jobs > 1 and (not folder or args.errors_to):
        parser.error("--jobs writes one file per FILE: use a folder as OUT, without --errors-to")
    try:
        found = many.files_of(args.file)
        names = [name for name, _ in found]
        pairs = list(zip(names, many.outputs_of(found, args.output, args.to), strict=True)) if folder else []
        read = {table_output.place_of(name) for name in names if os.path.isfile(name)}
        for option, written in (
            ("--errors-to", [args.errors_to]),
            ("--output", [out for _, out in pairs] or [args.output]),
        ):
            if read & {table_output.place_of(name) for name in written if name}:
                parser.error(f"{option} names a file that is read")
        with ExitStack() as stack:
            errors = stack.enter_context(table_output.Output(args.errors_to, "csv")) if args.errors_to else None
            progress = stack.enter_context(_progress(tables.rows_of(names), args.output))
            if args.jobs > 1:
                done = many.in_processes(_one, args, pairs, args.jobs)
            elif folder:
                done = (_into(args, [name], output, errors, progress, len(names) > 1) for name, output in pairs)
            else:
                done = iter([_into(args, names, args.output, errors, progress, len(names) > 1)])
            refused = 0
            for rows, wrong in done:
                refused += wrong
                if args.jobs > 1:
                    progress(rows)
            if errors is not None:
                errors.done()
        return 1 if args.strict and refused else 0
    except tables.Broken as error:
        complain(f"urlsm: {error}")
    except (TypeError, ValueError, LookupError, ModuleNotFoundError, OverflowError) as error:
        complain(f"urlsm: {error}")
    return 2


def _one(args: Namespace, name: str, output: str) -> tuple[int, int]:
    """Write the output for one file. This runs in its own process."""
    return _into(args, [name], output, None, lambda rows: None, False)


def _into(
    args: Namespace,
    names: list[str],
    into: str | None,
    errors: Output | None,
    progress: Callable[[int], None],
    several: bool,
) -> tuple[int, int]:
    """Read, parse and write one batch after another. Return the number of rows and the number of invalid URLs. several:
    whether the table of errors names the file that contains each URL."""
    import pyarrow

    from urlsm.cli import tables
    from urlsm.cli.table_output import Output
    from urlsm.columns.calls import in_order

    fields = tables.chosen_fields(args.fields)
    asked = (*fields, *(name for name in ("error_code", "error_position") if name not in fields))
    told = bool(args.errors_to or args.strict)
    refused = done = 0
    with ExitStack() as whole:
        output = None
        for name in names:
            with ExitStack() as stack:
                try:
                    reader = tables.reader_of(name, stack, args.kind)
                    column = reader.column(args.column)
                    output = output or whole.enter_context(Output(into))

                    def parsed(batch: Any, column: str = column, tabs: bool = reader.refuses_tabs) -> tuple[Any, Any]:
                        struct = tables.fields_of(batch.column(column), asked if told else fields, args.base)
                        return batch, tables.without_tabs(batch.column(column), struct) if tabs else struct

                    rows = 0
                    for batch, struct in in_order(parsed, reader.batches(None if args.keep else column), args.threads):
                        kept = output.kept(batch) if args.keep and reader.of_text else batch if args.keep else None
                        output.write(tables.joined(kept, struct, fields))
                        if told:
                            rejected = tables.refusals(struct, rows, name if several else None)
                            refused += rejected.num_rows
                            if errors is not None:
                                errors.write(rejected)
                        rows += batch.num_rows
                        progress(batch.num_rows)
                    done += rows
                except pyarrow.ArrowException as error:
                    raise tables.Broken(f"{name}: {error}") from error
        assert output is not None
        output.done()
    return done, refused


class _progress:
    """A context manager that yields a function. Call the function with the number of rows in each finished batch. It
    shows a progress bar with the rate and the time left if standard error is a terminal and the output is not."""

    def __init__(self, total: int | None, output: str | None) -> None:
        self._total = total
        self._shown = output in (None, "-") and sys.stdout is not None and sys.stdout.isatty()
        self._bar: Any = None

    def __enter__(self) -> Callable[[int], None]:
        if self._shown or sys.stderr is None or not sys.stderr.isatty():
            return lambda rows: None
        try:
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TimeRemainingColumn
            from rich.text import Text
        except ImportError:
            return lambda rows: None

        class Rate(ProgressColumn):
            def render(self, task: Task) -> Text:
                speed = task.finished_speed or task.speed  # None until there are two samples
                return Text(f"{speed:,.0f} rows/s" if speed else "")

        self._bar = Progress(
            BarColumn(),
            MofNCompleteColumn(),
            Rate(),
            TimeRemainingColumn(),
            console=Console(stderr=True),
        )
        self._bar.start()
        task = self._bar.add_task("rows", total=self._total)
        return lambda rows: self._bar.update(task, advance=rows)

    def __exit__(self, *error: object) -> None:
        if self._bar is not None:
            self._bar.stop()


COMMANDS = [("columns", "extract URL fields from CSV, Parquet, Arrow or text files", declare, run)]
