"""The command columns, which reads files of URLs and writes files of their fields in constant memory."""

from __future__ import annotations

import os
from contextlib import ExitStack

from urlsm.cli.column_progress import Progress
from urlsm.cli.interrupts import stops_on_sigterm
from urlsm.cli.output import complain, declare_quiet

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

EXAMPLES = """examples:
  urlsm columns links.parquet -c url -f host,path,registrable_domain -o hosts.parquet
  urlsm columns links.txt -f href --errors-to refused.csv -o links.csv
  urlsm columns 'crawl/**/*.cdxj.gz' -f surt:commoncrawl,host,fingerprint,query_param:id -o keys.parquet
  urlsm columns objects.csv -c url -f scheme,parts.bucket,parts.key -o keys.parquet
  urlsm columns crawl/ -c url -f host -o hosts/ --jobs 8

The file extension determines the format: .parquet, .arrow, .feather, .csv, .tsv, .jsonl, .ndjson, .cdxj, .cdx. In any
other file, the first lines show whether it is lines of text, CDXJ or CDX. gzip, zstd, bzip2 and xz are decompressed,
and UTF-16 with a byte order mark is decoded. A folder stands for all files in it with such an extension. A line of text
with a tab is invalid.

Fields are scheme, username, password, host, port, path, query, fragment, href, authority, origin, can_parse,
error_code, error_position, registrable_domain, public_suffix, icann_registrable_domain, icann_public_suffix,
is_ambiguous, key[:PROFILE], surt[:PROFILE], fingerprint[:PROFILE], query_param:NAME, and parts.NAME for a part of any
scheme.

Several files are written to one OUT, in order. If OUT is a folder (it exists, or ends in /), each gets its own file.
The output is compressed if OUT ends in .gz, .zst, .bz2 or .xz. OUT gets its name when it is complete. A device or FIFO
gets CSV unless its name says otherwise. The output has the same rows as the input; the fields of an invalid URL are
empty."""


FROM = ("parquet", "arrow", "csv", "tsv", "jsonl", "cdxj", "cdx", "lines")
CODECS = ("", ".gz", ".zst", ".bz2", ".xz")
TO = ("parquet", "arrow", *(f"{kind}{codec}" for kind in ("csv", "tsv", "jsonl") for codec in CODECS))


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
        "--errors-to",
        metavar="CSV",
        help="write the row, error code, byte position and text of each invalid URL, and with --keep its columns",
    )
    parser.add_argument(
        "--bad-rows",
        default="stop",
        metavar="stop|skip|CSV",
        help="what to do with a row that is not valid CSV or JSON: stop, skip it, or skip it and write it to a file "
        "(default: %(default)s)",
    )
    parser.add_argument(
        "--resume",
        action="store_true",
        help="leave out the files that an earlier run with --resume and the same options has done",
    )
    parser.add_argument("--strict", action="store_true", help="exit with 1 if a URL is invalid")
    declare_quiet(parser)


def run(parser: ArgumentParser, args: Namespace) -> int:
    try:
        from urlsm.cli import column_files, column_folder, many, table_output, tables
        from urlsm.cli.bad_rows import BadRows
    except ImportError as error:
        complain(f"urlsm: columns needs {error.name or 'pyarrow'}: pip install 'urlsm[files]'")
        return 2
    try:
        tables.chosen_fields(args.fields)
    except ValueError as error:
        parser.error(str(error))
    for name, value in (("--threads", args.threads), ("--jobs", args.jobs)):
        if not 1 <= value <= 256:
            parser.error(f"{name} must be from 1 to 256")
    is_folder = many.is_folder(args.output)
    for name, given in (("--jobs", args.jobs > 1), ("--resume", args.resume)):
        if given and not is_folder:
            parser.error(f"{name} writes one file per FILE: use a folder as OUT")
    skipped: list[str] = []
    try:
        found = many.files_of(args.file, skipped)
        args.several = len(found) > 1
        pairs = list(zip(found, many.outputs_of(found, args.output, args.to), strict=True)) if is_folder else []
        bad_rows = None if args.bad_rows in ("stop", "skip") else args.bad_rows
        written = [
            ("--output", [out for _, out in pairs] or [args.output]),
            ("--errors-to", [args.errors_to]),
            ("--bad-rows", [bad_rows]),
        ]
        if fault := _fault(args.file, [name for name, _ in found], written):
            parser.error(fault)
        for said in skipped:
            complain(f"urlsm: {said}")
        with stops_on_sigterm(), ExitStack() as stack:
            errors = stack.enter_context(column_files.side_output(args.errors_to)) if args.errors_to else None
            rows = stack.enter_context(column_files.side_output(bad_rows)) if bad_rows else None
            if rows is not None:
                rows.write(BadRows.table([]))
            progress = stack.enter_context(Progress(_size([name for name, _ in found]), args.output))
            if is_folder:
                column_folder.convert_each(args, pairs, (errors, rows), progress, stack)
            else:
                output = stack.enter_context(table_output.Output(args.output))
                bad = BadRows(rows.write if rows else None, stops=args.bad_rows == "stop")
                progress.done(column_files.convert(args, found, output, errors, bad, progress.tell))
                output.done()
                progress.files = len(found)
            for side in (errors, rows):
                if side is not None:
                    side.done()
            progress.finish()
        return 2 if progress.failed else 1 if args.strict and progress.total.refused else 0
    except column_files.FAILURES as error:
        complain(f"urlsm: {error}")
    return 2


def _fault(given: list[str], names: list[str], written: list[tuple[str, list[str | None]]]) -> str | None:
    """Return what is wrong with the names of the outputs: two are the same file, or one is a file that is read, or lies
    in a folder that is read. written: the options that name outputs, with their files."""
    from urlsm.cli.table_output import is_standard_output, place_of

    read = {place_of(name): name for name in names if os.path.isfile(name)}
    folders = [name for name in given if os.path.isdir(name)]
    seen: dict[str, str] = {}
    for option, files in written:
        for name in files:
            if name is None and option != "--output":
                continue
            place = place_of(name)
            if place in seen:
                return f"{option} and {seen[place]} name the same file"
            if place in read and name is not None:
                return f"{option} names a file that is read"
            if name in (None, "-"):
                same = [name for name in names if os.path.isfile(name) and is_standard_output(os.stat(name))]
                if same:
                    return f"{same[0]} is standard output"
            elif found := [top for top in folders if os.path.commonpath([place_of(top), place]) == place_of(top)]:
                return f"{option} is in {found[0]}, which is read: the next run would read it, too"
        seen |= {place_of(name): option for name in files if option == "--output" or name is not None}
    return None


def _size(names: list[str]) -> int | None:
    """Return how many bytes the files have; None if one is standard input, or a device."""
    return sum(map(os.path.getsize, names)) if all(map(os.path.isfile, names)) else None


COMMANDS = [("columns", "extract URL fields from CSV, Parquet, Arrow or text files", declare, run)]
