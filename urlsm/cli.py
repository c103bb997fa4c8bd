"""The command line: urlsm COMMAND, or python -m urlsm COMMAND.

To add a command: write a function that declares its arguments and one that runs it, and give it a line in
_commands. Whatever is needed is imported when it is needed.
"""

from __future__ import annotations

import sys

from urlsm import terminal
from urlsm.terminal import cell, lines, shown, table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any, NoReturn, TypeAlias

    from urlsm.components import Components
    from urlsm.trace import Trace
    from urlsm.url import URL
    from urlsm.violations import Violation

    _Record: TypeAlias = dict[str, object]
    _Report: TypeAlias = Callable[[_Record, Trace | None, list[Violation] | None], None]

__all__ = ["main"]

_EXAMPLES = """\
examples:
  urlsm parse 'HTTP://user@Example.org:80/a/../b?q#f'
  urlsm parse --base https://example.org/a/ ../b '?q'
  urlsm parse --explain --violations 'http:\\\\example.org/%zz'
  urlsm parse --dialect rfc3986 s3://bucket/key
  urlsm parse --file links.txt | jq -r .host
  urlsm schemes mailto
"""
_COMPONENTS = ("scheme", "username", "password", "host", "port", "path", "query", "fragment")


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; argv is sys.argv[1:] where not given.

    The exit code: 0; 1 where a URL did not parse; 2 for trouble with files or (as SystemExit) wrong usage;
    and as shells have it 130 after Ctrl-C, 141 where nobody reads on.
    """
    try:
        try:
            return _run(argv)
        finally:
            print(end="", flush=True)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        _discard_output()
        return 141
    except OSError as error:
        _discard_output()
        print(shown(f"urlsm: {error}", sys.stderr), file=sys.stderr)
        return 2


def _discard_output() -> None:
    """Where standard output takes no more: have the interpreter's own last flush not fail once more."""
    try:
        print(end="", flush=True)
    except OSError:
        import os

        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(argv: Sequence[str] | None) -> int:
    import argparse
    import re

    from urlsm import __version__

    class _Parser(argparse.ArgumentParser):
        def error(self, message: str) -> NoReturn:
            # repeats arguments as they are, and what looks like an option may be a link from a page
            super().error(shown(re.sub(r":[^:@/\s]+@", ":***@", message), sys.stderr))

    parser = _Parser(
        prog="urlsm",
        description="Reads any URL the way each standard reads it.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"urlsm {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", title="commands (urlsm COMMAND --help says more)")
    for name, text, declare, run in _commands():
        command = commands.add_parser(
            name,
            help=text,
            description=text[0].upper() + text[1:] + ".",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        declare(command)
        command.set_defaults(run=run, parser=command)
    args = parser.parse_args(argv)
    if "run" not in args:
        parser.print_help()
        return 0
    code: int = args.run(args.parser, args)
    return code


def _commands() -> Iterable[
    tuple[str, str, Callable[[ArgumentParser], None], Callable[[ArgumentParser, Namespace], int]]
]:
    """Each command: its name, what it does, what declares its arguments, what runs it."""
    from urlsm.reports import COMMANDS

    return [
        ("parse", "show the components of URLs, and what their schemes make of them", _declare_parse, _run_parse),
        ("schemes", "list the schemes that have a handler, or show one", _declare_schemes, _run_schemes),
        *COMMANDS,
    ]


# --- parse -------------------------------------------------------------------------------------


def _declare_parse(parser: ArgumentParser) -> None:
    from urlsm.machine import DIALECTS

    parser.epilog = f"""\
On a terminal each URL becomes a table, which leaves out what is absent and masks
passwords. Otherwise it becomes a line of JSON with the keys input, href, scheme,
username, password, host, port, path, query, fragment, origin and parts, which is
what the scheme's handler makes of it; absent is null. JSON is data: passwords are
in it. Bytes that are not UTF-8 are \\udc80 to \\udcff in it, as Python's
"surrogateescape" has it, and U+FFFD to the parser.
A URL that does not parse is reported on standard error and makes the exit code 1.

{_EXAMPLES}"""
    parser.add_argument("urls", nargs="*", metavar="URL", help='a URL; "-" reads standard input, a URL a line')
    parser.add_argument("--file", metavar="F", help="read the file, a URL a line; blank lines are skipped")
    parser.add_argument("--base", metavar="URL", help="what relative references are relative to")
    parser.add_argument(
        "--dialect",
        choices=DIALECTS,
        default="whatwg",
        metavar="NAME",
        help=f"one of {', '.join(DIALECTS)}. whatwg, the default, parses; the others split, into the components as "
        "written, without href and origin",
    )
    parser.add_argument("--explain", action="store_true", help="show each step of the parser (JSON: steps)")
    parser.add_argument("--violations", action="store_true", help="show each rule that is broken (JSON: violations)")
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--json", action="store_true", help="JSON lines, also on a terminal")
    mode.add_argument("--table", action="store_true", help="tables, also elsewhere")


def _texts(args: Namespace) -> Iterator[tuple[str, str]]:
    """Each text to parse, with what to put before a message about it."""
    for text in args.urls:
        if text == "-":
            yield from lines("-", getattr(sys.stdin, "buffer", ()))
        else:
            yield "", text
    if args.file is not None:
        with open(args.file, "rb") as stream:
            yield from lines(args.file, stream)


def _run_parse(parser: ArgumentParser, args: Namespace) -> int:
    from urlsm.components import split
    from urlsm.errors import ParseError, PluginError, SchemeError
    from urlsm.trace import explain
    from urlsm.url import parse
    from urlsm.validation import validate

    standard = args.dialect == "whatwg"
    base = None
    if not args.urls and args.file is None:
        parser.error('no URL ("-" reads standard input)')
    if args.base is not None and not standard:
        parser.error("--base needs the dialect whatwg")
    try:
        if args.base is not None:
            base = parse(args.base)
        if args.violations:
            validate("", args.dialect)
    except ValueError as error:
        parser.error(str(error))
    as_json = args.json or not (args.table or terminal.on_terminal())
    report = _json_report() if as_json else _table_report()
    names = ("href", *_COMPONENTS, "origin") if standard else _COMPONENTS
    code = 0
    for place, text in _texts(args):
        found: URL | Components | None = None
        try:
            found = parse(text, base) if standard else split(text, args.dialect)
        except ParseError as error:
            code = 1
            if as_json or not args.explain:  # a readable trace ends with the error
                print(shown(f"{place}{error}", sys.stderr), file=sys.stderr)
            if not args.explain and not args.violations:
                continue
        record: _Record = {"input": text}
        for name in names:
            record[name] = getattr(found, name, None)
        try:
            record["parts"] = _parts(found)
        except SchemeError as error:
            record["parts"] = None
            print(shown(f"{place}{error}", sys.stderr), file=sys.stderr)
        except PluginError as error:
            record["parts"] = None
            code = 1
            print(shown(f"{place}{error}", sys.stderr), file=sys.stderr)
        trace = explain(text, base, args.dialect) if args.explain else None
        violations = validate(text, args.dialect, base) if args.violations else None
        report(record, trace, violations)
    return code


def _parts(found: URL | Components | None) -> _Record | None:
    """The parts of what was found, lenient, in what JSON can hold."""
    from urlsm.meaning import GRAMMARS
    from urlsm.registry import handler

    if found is None or found.scheme is None:
        return None
    if hasattr(found, "parts"):
        return dict(_plain(found.parts))
    return (
        dict(_plain(handler(found.scheme).under(found.dialect, found.scheme).refine(found)))
        if found.dialect in GRAMMARS
        else None
    )


def _plain(value: object) -> Any:
    from urlsm.values import Parts

    if isinstance(value, Parts):
        return {name: _plain(value[name]) for name in value.keys()}  # noqa: SIM118
    if isinstance(value, (tuple, list)):
        return [_plain(item) for item in value]
    return value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else value


def _json_report() -> _Report:
    from json import JSONEncoder

    encode = JSONEncoder().encode

    def report(record: _Record, trace: Trace | None, violations: list[Violation] | None) -> None:
        if trace is not None:
            record["steps"] = [step._asdict() for step in trace.steps]
        if violations is not None:
            record["violations"] = [vars(violation) for violation in violations]
        print(encode(record), flush=True)

    return report


def _table_report() -> _Report:
    show = table()

    def report(record: _Record, trace: Trace | None, violations: list[Violation] | None) -> None:
        parts: _Record = record.pop("parts") or {}  # type: ignore[assignment]
        rows = [(name, cell(_masked(name, value, record))) for name, value in record.items() if value is not None]
        rows += [
            (f"  {name}", cell(_masked(name, value, record)))
            for name, value in parts.items()
            if name != "segments"
            and value not in (None, [])
            and record.get(name) is None  # the components say the rest
        ]
        if len(rows) > 1:
            show(rows[1:])
        if trace is not None:
            print(shown(str(trace), sys.stdout))
        if violations:
            show([(v.severity, f"{v.component} at {v.position}", f"{v.code}: {v.message}") for v in violations])
        elif violations is not None:
            print("no violations")
        print(flush=True)

    return report


def _masked(name: str, value: object, record: _Record) -> object:
    """A component as it is fit to be seen."""
    from urlsm.excerpt import without_passwords
    from urlsm.values import masked

    if isinstance(value, str) and name != "password":
        sip = name in ("href", "path") and str(record["scheme"]).lower() in ("sip", "sips")
        return without_passwords(value, refused=sip)[0]
    if isinstance(value, list):
        value = _tuples(value)
    return masked(name, value) if value else value


def _tuples(value: object) -> object:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


# --- schemes -----------------------------------------------------------------------------------


def _declare_schemes(parser: ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", metavar="NAME", help="a scheme: show its traits and an example")
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--json", action="store_true", help="JSON lines, also on a terminal")
    mode.add_argument("--table", action="store_true", help="tables, also elsewhere")


def _run_schemes(parser: ArgumentParser, args: Namespace) -> int:
    from urlsm.errors import PluginError
    from urlsm.registry import handler, known

    origins = known()
    code = 0
    records: list[_Record] = []
    for name in origins if args.name is None else [args.name]:
        try:
            found = handler(name)
            origin = origins.get(name.lower()) or (f"as {found.names[0]}" if found.names else "nobody: any scheme's")
            code |= not found.names
            records.append({"scheme": name, **found.traits(), "from": origin})
        except PluginError as error:
            code = 1
            records.append({"scheme": name, "from": origins.get(name.lower())})
            print(shown(f"{error}", sys.stderr), file=sys.stderr)
    if args.json or not (args.table or terminal.on_terminal() or args.name is None):
        from json import dumps

        for record in records:
            print(dumps(record))
    elif args.name is not None:
        table()([(name, cell(value)) for name, value in records[0].items() if value is not None])
    else:
        columns = ("scheme", "default_port", "from", "title", "reference")
        heads = [name.replace("_", " ") for name in columns]
        cells = [[cell("" if record.get(name) is None else record[name]) for name in columns] for record in records]
        table()([heads, *[[cell.replace('""', "") for cell in row] for row in cells]])
    return code
