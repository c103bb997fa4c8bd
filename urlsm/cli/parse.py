"""The commands parse and explain, which show the parts of a URL and how it is parsed, and schemes, which lists
handlers."""

from __future__ import annotations

import sys

from urlsm.cli import output
from urlsm.cli.edit import Edits, declare_edits
from urlsm.cli.output import (
    as_json,
    base_option,
    cell,
    complain,
    declare_input,
    declare_output,
    delimited,
    fit,
    flat_json,
    in_colours,
    print_json,
    row_printer,
    severity,
    shown,
    table,
    texts,
)
from urlsm.url.value import URL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable, Iterator
    from typing import Any, TypeAlias

    from urlsm.components.trace import Trace
    from urlsm.components.value import Components
    from urlsm.errors.rules import Violation
    from urlsm.meaning.connections import Connection
    from urlsm.schemes import Parts

    _Record: TypeAlias = dict[str, object]
    _Report: TypeAlias = Callable[
        [URL | Connection | Components | None, _Record, Trace | None, list[Violation] | None], None
    ]

__all__ = ["COMMANDS", "EXAMPLES"]

EXAMPLES = """\
examples:
  urlsm parse 'HTTP://user@Example.org:80/a/../b?q#f'
  urlsm parse --base https://example.org/a/ ../b '?q'
  urlsm parse --explain --violations 'http:\\\\example.org/%zz'
  urlsm parse --dialect rfc3986 s3://bucket/key
  urlsm parse --file links.txt | jq -r .host
  urlsm schemes mailto
"""
_COMPONENTS = URL.__match_args__


# --- parse -------------------------------------------------------------------------------------


def _declare_parse(parser: ArgumentParser) -> None:
    from urlsm.machine.driver import DIALECTS

    parser.epilog = f"""\
On a terminal each URL becomes a table, without absent components and with passwords
and tokens masked. Elsewhere it becomes a line of JSON with the keys input, href,
scheme, username, password, host, port, path, query, fragment and origin; an absent
component is null. JSON masks nothing. Bytes that are not UTF-8 are \\udc80 to \\udcff
in "input" (Python's "surrogateescape"); the parser reads them as U+FFFD.
An invalid URL is reported on standard error, and the exit code is 1.

{EXAMPLES}"""
    declare_input(parser)
    parser.add_argument("-b", "--base", metavar="URL", help="the base URL, to resolve relative references")
    parser.add_argument(
        "--dialect",
        choices=DIALECTS,
        default="whatwg",
        metavar="NAME",
        help=f"{', '.join(DIALECTS)}. whatwg (the default) parses as browsers do; the others split the URL into "
        "components as written, without href and origin",
    )
    parser.add_argument("--parts", action="store_true", help="add the parts that the scheme defines (always in tables)")
    parser.add_argument("--explain", action="store_true", help="add each step of the parser (JSON: steps)")
    parser.add_argument("--violations", action="store_true", help="add each broken rule (JSON: violations)")
    declare_output(parser)
    declare_edits(parser)


def _run_parse(parser: ArgumentParser, args: Namespace) -> int:
    standard = args.dialect == "whatwg"
    base, edits = _check(parser, args)
    if args.csv or args.tsv or edits.asked:
        if not standard or args.explain or args.violations or args.parts:
            parser.error(
                "edits, --get, --csv, --tsv work only with --dialect whatwg, without --parts, --explain, --violations"
            )
        return _print_lines(parser, args, edits, base)
    if as_json(args) and standard and not (args.explain or args.violations or args.parts):
        from urlsm.cli.rows import JSON, fields_filled, print_lines

        line = _json_line()
        return print_lines(args, fields_filled(JSON, base), lambda text: f"{line(_read(text, base), text)}\n")
    return _print_reports(args, base)


def _check(parser: ArgumentParser, args: Namespace) -> tuple[URL | None, Edits]:
    """Return the base and the edits from the arguments. End the program if the arguments contradict each other."""
    if args.base is not None and args.dialect != "whatwg":
        parser.error("--base works only with --dialect whatwg")
    base = base_option(parser, args.base)
    try:
        if args.violations:
            from urlsm.meaning.web import validate

            validate("", dialect=args.dialect)
        return base, Edits(args)
    except ValueError as error:
        parser.error(str(error))


def _print_reports(args: Namespace, base: URL | None) -> int:
    from urlsm.components.value import split
    from urlsm.errors import ParseError, PluginError, SchemeError

    if args.explain:
        from urlsm.components.trace import explain
    if args.violations:
        from urlsm.meaning.web import validate

    standard = args.dialect == "whatwg"
    report = _json_report if as_json(args) else _table_report()
    with_parts = args.parts or not as_json(args)
    names = ("href", *_COMPONENTS, "origin") if standard else _COMPONENTS
    code = 0
    for place, text in texts(args.urls, args.file):
        found: URL | Connection | Components | None = None
        try:
            found = _read(text, base) if standard else split(text, dialect=args.dialect)
        except ParseError as error:
            code = 1
            # a trace that is printed as text ends with the error, so the error is not printed here as well
            if as_json(args) or not args.explain:
                complain(f"{place}{error}")
            if not args.explain and not args.violations:
                continue
        record: _Record = {"input": text}
        for name in names:
            record[name] = getattr(found, name, None)
        try:
            if with_parts:
                record["parts"] = _parts(found, text)
        except SchemeError as error:
            record["parts"] = None
            complain(f"{place}{error}")
        except PluginError as error:
            record["parts"] = None
            code = 1
            complain(f"{place}{error}")
        trace = explain(text, base=base, dialect=args.dialect) if args.explain else None
        violations = validate(text, dialect=args.dialect, base=base) if args.violations else None
        report(found, record, trace, violations)
    return code


def _json_line() -> Callable[[URL | Connection, str], str]:
    def line(url: URL | Connection, text: str) -> str:
        return flat_json(
            {
                "input": text,
                "href": url.href,
                "scheme": url.scheme,
                "username": url.username,
                "password": url.password,
                "host": url.host,
                "port": url.port,
                "path": url.path,
                "query": url.query,
                "fragment": url.fragment,
                "origin": url.origin,
            }
        )

    return line


def _print_lines(parser: ArgumentParser, args: Namespace, edits: Edits, base: URL | None) -> int:
    """Print the lines that --get, --csv, --tsv and the edits request."""
    from urlsm.cli.rows import CSV, FIELDS, JSON, TSV, fields_filled, print_lines

    form = JSON if args.json else None
    try:
        show: Callable[[URL, str], str] = edits.written
        if args.get is not None:
            from urlsm.cli.templates import form_of, template

            show = template(args.get, edits)
            form = form_of(args.get, edits)
    except ValueError as error:
        parser.error(str(error))
    if args.json and args.get is not None:
        parser.error("--get cannot be used with --json")
    if args.csv or args.tsv:
        if output.with_heads:
            print(delimited(FIELDS, args.tsv))
        show, form = lambda url, given: delimited(_row(url, given), args.tsv), TSV if args.tsv else CSV
    elif args.json:
        show = _json_line()

    def made(text: str) -> str:
        return shown_as(_read(edits.guessed(text), base, not edits.steps), text)

    def shown_as(url: Any, text: str) -> str:
        return "".join([f"{fit(show(changed, text), sys.stdout)}\n" for changed in edits(url)])

    if args.urls or args.file:
        if edits.steps or edits.values or args.guess_scheme:
            form = None
        href_alone = None if args.json or args.csv or args.tsv else edits.lines(base)
        return print_lines(args, None if form is None else fields_filled(form, base), href_alone or made)
    try:
        print(shown_as(_of_nothing(args), "")[:-1])
    except ValueError as error:
        complain(error)
        return 1
    return 0


def _read(text: str, base: URL | None, connections: bool = True) -> URL | Connection:
    """Return the URL. If it is invalid under the URL Standard, return the database connection that it describes. Raise
    ValueError if it describes none, if there is a base, or if `connections` is false."""
    from urlsm.url.value import parse

    try:
        return parse(text, base=base)
    except ValueError:
        if base is not None or not connections:
            raise
        from urlsm.meaning.connections import connection

        found = connection(text)
        if found is None:
            raise
        return found


def _of_nothing(args: Namespace) -> URL:
    """Return the URL that --set creates without input (--set scheme=... --set host=...). Raise ValueError if it is
    incomplete."""
    from urlsm.url.value import parse

    given = {name: value for text in args.set for name, _, value in [text.replace(":=", "=", 1).partition("=")]}
    if not given.keys() >= {"scheme", "host"}:
        raise ValueError("no URL: pass one, or create one with --set scheme=NAME --set host=NAME")
    return parse(f"{given['scheme']}://unset/")


def _row(url: URL, given: str) -> Any:
    return [given, url.href, *[getattr(url, name) for name in _COMPONENTS], url.origin]


def _parts(found: URL | Connection | Components | None, text: str) -> _Record | None:
    """Return the scheme-specific parts, read leniently, as JSON data. Return None if there is no scheme, or if handlers
    do not support the dialect."""
    from urlsm.meaning.connections import Connection
    from urlsm.meaning.literal import parts_of_text
    from urlsm.meaning.questions import GRAMMARS, plain
    from urlsm.meaning.registry import handler

    if found is None or found.scheme is None:
        return None
    if isinstance(found, (URL, Connection)):
        return dict(plain(parts_of_text(text, found)))
    return (
        dict(plain(handler(found.scheme).under(found.dialect, found.scheme).read_parts(found)))
        if found.dialect in GRAMMARS
        else None
    )


def _json_report(
    found: URL | Connection | Components | None,
    record: _Record,
    trace: Trace | None,
    violations: list[Violation] | None,
) -> None:
    if trace is not None:
        record["steps"] = [step._asdict() for step in trace.steps]
    if violations is not None:
        record["violations"] = [violation._asdict() for violation in violations]
    print_json(record)


def _table_report() -> _Report:
    show = table()

    def report(
        found: URL | Connection | Components | None,
        record: _Record,
        trace: Trace | None,
        violations: list[Violation] | None,
    ) -> None:
        parts: _Record = record.pop("parts", None) or {}  # type: ignore[assignment]
        # a part is left out if it is an empty tuple or the segments, or if a component of the same name is shown
        rows = [
            (name, cell(value))
            for name, value in _masked(found, record, parts)
            if value is not None
            and (not name.startswith(" ") or (value != () and name != "  segments" and record.get(name[2:]) is None))
        ]
        if rows:
            show(rows)
        if trace is not None:
            _print_trace(trace)
        if violations:
            show([(severity(v), f"{v.component} at {v.position}", f"{v.code}: {v.message}") for v in violations])
        elif violations is not None:
            print("no violations")
        print(flush=True)

    return report


def _print_trace(trace: Trace) -> None:
    if in_colours():
        from urlsm.pictures import ansi

        print(ansi(trace))
    print(shown(str(trace), sys.stdout))


def _masked(
    found: URL | Connection | Components | None, record: _Record, parts: _Record
) -> Iterator[tuple[str, object]]:
    """Yield the components and the parts with secrets masked."""
    from urlsm.errors.masking import cut, masked_parts, secret_spans
    from urlsm.meaning.registry import handler
    from urlsm.url.masked import masked_components

    masked: dict[object, object] = {}  # the components, each with its masked form
    if isinstance(found, URL):
        yield from masked_components(found).items()
    elif found is not None:
        text = str(record["input"])
        spans = secret_spans(text)
        for name in _COMPONENTS:
            where = found.span(name)
            secret = where is not None and any(start < where[1] and where[0] < end for start, end in spans)
            masked[record[name]] = cut(text, spans, *where) if where is not None and secret else record[name]
            yield name, masked[record[name]]
    if parts:
        kind = handler(str(record["scheme"])).parts_type
        fields = []
        given = str(record["input"])  # a literal part is read from this text, as written
        secrets = [f"{given[start:end]}@" for start, end in secret_spans(given)]
        # in "//user:pass/word@host" a part may begin within the secret
        hidden = any(value != shown for value, shown in masked.items())
        for name, value in parts.items():
            if hidden and isinstance(value, (str, list)) and "@" in str(value):
                value = f"***{value[value.rindex('@') :]}" if isinstance(value, str) else "***"
            elif hidden and name == "username" and value != record["username"]:  # this part was cut from a secret
                value = "***"
            if isinstance(value, str) and "@" in value:  # value may hold a secret, or begin with the end of one
                head, _, rest = value.rpartition("@")
                if any(secret.endswith(f"{head}@") or secret in value for secret in secrets):
                    value = f"***@{rest}"
            fields.append((name, _tuples(value)))
        yield from zip([f"  {name}" for name in parts], masked_parts(fields, kind), strict=True)


def _tuples(value: object) -> object:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


# --- explain -----------------------------------------------------------------------------------


def _declare_explain(parser: ArgumentParser) -> None:
    from urlsm.machine.driver import DIALECTS

    declare_input(parser)
    parser.add_argument("-b", "--base", metavar="URL", help="the base URL, to resolve relative references")
    parser.add_argument(
        "--dialect", choices=DIALECTS, default="whatwg", help="the standard to follow (default: %(default)s)"
    )
    declare_output(parser, rows=False)


def _run_explain(parser: ArgumentParser, args: Namespace) -> int:
    from urlsm.components.trace import explain

    base = base_option(parser, args.base)
    code = 0
    for _, text in texts(args.urls, args.file):
        trace = explain(text, base=base, dialect=args.dialect)
        code |= trace.error is not None
        if as_json(args):
            href = None if trace.url is None else trace.url.href
            found = None if trace.error is None else {"code": trace.error.code, "position": trace.error.position}
            print_json({"input": text, "href": href, "error": found, "steps": [step._asdict() for step in trace.steps]})
        else:
            _print_trace(trace)
            print(flush=True)
    return code


# --- schemes -----------------------------------------------------------------------------------


def _declare_schemes(parser: ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", metavar="NAME", help="a scheme: show its traits and the fields of its parts")
    parser.add_argument(
        "--new", metavar="NAME", help="write a package with a handler for your own scheme, and its test"
    )
    bases = ("scheme", "database", "store", "name")
    parser.add_argument(
        "--base", choices=bases, default="scheme", help="with --new: the kind of scheme (default: scheme)"
    )
    parser.add_argument(
        "--output", "-o", metavar="FOLDER", help="with --new: the folder to write (default: urlsm-NAME)"
    )
    declare_output(parser)


def _run_schemes(parser: ArgumentParser, args: Namespace) -> int:
    if args.new is not None:
        from urlsm.cli.scaffold import write
        from urlsm.schemes.built_in import BUILT_IN

        try:
            print("\n".join(write(args.new, args.output, args.base)))
        except ValueError as error:
            parser.error(str(error))
        if args.new in BUILT_IN:
            complain(f"urlsm: warning: where this package is installed, it replaces the built-in handler of {args.new}")
        return 0
    from urlsm.errors import PluginError
    from urlsm.meaning.registry import handler, known
    from urlsm.schemes import iana_registry

    origins, registered = known(), iana_registry()
    code = 0
    records: list[_Record] = []
    for name in origins if args.name is None else [args.name]:
        try:
            found = handler(name)
            origin = origins.get(name.lower()) or (f"as {found.names[0]}" if found.names else "nobody: any scheme's")
            code |= not found.names
            port = found.default_port_of(name)
            status = registered[name.lower()].status if name.lower() in registered else None
            tier = found.tier
            held = {"tier": tier and tier.name, "held_by": tier and (tier.oracle and f"{tier.oracle} {tier.version}")}
            record = {"scheme": name, "status": status, **found.traits(), "default_port": port, "from": origin, **held}
            records.append(record if args.name is None else {**record, "parts": _fields(found.parts_type)})
        except PluginError as error:
            code = 1
            records.append({"scheme": name, "from": origins.get(name.lower())})
            complain(error)
    columns = ("scheme", "default_port", "from", "tier", "title", "reference", "status", "example")
    if row := row_printer(args, columns):
        for record in records:
            row([record.get(name) for name in columns])
    elif args.json or (args.name is not None and as_json(args)):
        for record in records:
            print_json(record)
    elif args.name is not None:
        fields = records[0].pop("parts", {})
        rows = [(name, cell(value)) for name, value in records[0].items() if value is not None]
        table()([*rows, *[(f"parts.{name}", kind) for name, kind in fields.items()]])  # type: ignore[attr-defined]
    else:
        shown = columns[:6]  # what fits on a terminal
        heads = [name.replace("_", " ") for name in shown]
        cells = [[cell("" if record.get(name) is None else record[name]) for name in shown] for record in records]
        table()([heads, *[[cell.replace('""', "") for cell in row] for row in cells]])
    return code


def _fields(parts: type[Parts]) -> dict[str, str]:
    """Return the type of each field in a class of parts, by field name."""
    from inspect import get_annotations

    kinds = {name: kind for one in reversed(parts.__mro__) for name, kind in get_annotations(one).items()}
    return {name: str(getattr(kinds[name], "__name__", kinds[name])) for name in parts._fields}


COMMANDS: list[tuple[str, str, Callable[[ArgumentParser], None], Callable[[ArgumentParser, Namespace], int]]] = [
    ("parse", "show the components of each URL, and the parts that its scheme defines", _declare_parse, _run_parse),
    ("explain", "show how the parser reads each URL, step by step", _declare_explain, _run_explain),
    ("schemes", "list the schemes that have a handler, or show one of them", _declare_schemes, _run_schemes),
]
