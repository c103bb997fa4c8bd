"""The commands that check URLs: validate, normalize, resolve, compare and audit."""

from __future__ import annotations

import sys

from urlsm.cli.output import (
    Marked,
    Place,
    as_json,
    blocks,
    cell,
    complain,
    declare_input,
    declare_output,
    json_text,
    print_json,
    row_printer,
    severity,
    shown,
    table,
    texts,
    write,
)
from urlsm.cli.rows import declare_errors, print_answers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from urlsm.errors.rules import Violation
    from urlsm.security.comparison import ReaderComparison
    from urlsm.security.hazards import Hazard

    _Declare = Callable[[ArgumentParser], None]
    _Run = Callable[[ArgumentParser, Namespace], int]

__all__ = ["COMMANDS"]

_JUDGED = ("scheme", "host", "port")


def _declare(
    parser: ArgumentParser, dialects: Iterable[str] = (), default: str = "rfc3986", *, tables: bool = True
) -> None:
    declare_input(parser)
    declare_output(parser, tables=tables)
    if dialects:
        parser.add_argument(
            "--dialect", choices=dialects, default=default, help="the standard to follow (default: %(default)s)"
        )


def _print_findings(
    args: Namespace,
    name: str,
    judge: Callable[[str], Sequence[Violation | Hazard]],
    refuses: Callable[[str], object] | None = None,
) -> int:
    """Print the violations or hazards that judge finds in each URL. Return 1 if any of them is more than a warning, or
    if a URL is invalid. refuses: a function that raises ValueError for a string that is not a URL."""
    code = 0
    row = row_printer(args, ("input", "severity", "code", "component", "position", "message", "reference"))
    in_json = as_json(args)
    nothing = f'","{name}":[]}}\n'
    for block in blocks(args.urls, args.file):
        named = block.name is not None
        printed: list[str] = []  # lines of JSON
        for number, text in enumerate(block.lines(), block.first):
            if named and (not text or text.isspace()):  # (as block.skips; a call would take as long as some judges)
                continue
            found = judge(text)
            if refuses is not None:
                try:
                    refuses(text)
                except ValueError as error:
                    code = 1
                    complain(f"{Place(block.name, number)}{error}")
            if found and any(getattr(item, "severity", "error") != "warning" for item in found):
                code = 1
            if row:
                for item in found:
                    row((text, severity(item), item.code, item.component, item.position, item.message, item.reference))
            elif not in_json:
                _print_tables(Place(block.name, number), text, name, found)
            elif not found and text.isascii() and text.isprintable() and '"' not in text and "\\" not in text:
                printed.append(f'{{"input":"{text}{nothing}')
            else:
                printed.append(f"{json_text({'input': text, name: [item._asdict() for item in found]})}\n")
        write("".join(printed))
    return code


def _print_tables(place: Place, text: str, name: str, found: Sequence[Violation | Hazard]) -> None:
    from urlsm.url.masked import without_secrets_of

    print(shown(f"{place}{without_secrets_of(text)}", sys.stdout))
    if found:
        table()([_finding(item) for item in found])
    else:
        print(f"no {name}")
    print(flush=True)


def _finding(item: Violation | Hazard) -> tuple[str, ...]:
    said = f"{item.code}: {item.message} ({item.reference})"
    return severity(item), cell(item.component), str(item.position), cell(said)


# --- validate, normalize, resolve --------------------------------------------------------------


def _declare_validate(parser: ArgumentParser) -> None:
    parser.epilog = "The exit code is 1 if a URL breaks a rule. Warnings do not count."
    _declare(parser, ("rfc3986", "rfc3987", "rfc2396", "rfc1738", "whatwg"))


def _run_validate(parser: ArgumentParser, args: Namespace) -> int:
    from urlsm.meaning.web import validate

    return _print_findings(args, "violations", lambda text: validate(text, dialect=args.dialect))


def _declare_normalize(parser: ArgumentParser) -> None:
    _declare(parser, ("rfc3986", "rfc3987", "rfc2396", "rfc1738"), tables=False)
    declare_errors(parser)


def _run_normalize(parser: ArgumentParser, args: Namespace) -> int:
    from urlsm.meaning.web import normalize, validate

    dialect = args.dialect

    def answer(text: str) -> str:
        normal = normalize(text, dialect=dialect)
        for item in validate(normal, dialect=dialect):
            if item.severity != "warning":
                raise ValueError(f"invalid URL: {item.message} ({item.code}, at {item.position})")
        return normal

    return print_answers(args, ("input", "normal"), answer)


def _declare_resolve(parser: ArgumentParser) -> None:
    parser.add_argument("base", metavar="BASE", help="the base URL")
    parser.add_argument(
        "--no-strict", dest="lenient", action="store_true", help="RFC dialects: read http:a as relative to an http base"
    )
    _declare(parser, ("whatwg", "rfc3986", "rfc3987", "rfc2396", "barth", "stdlib"), "whatwg", tables=False)
    declare_errors(parser)


def _run_resolve(parser: ArgumentParser, args: Namespace) -> int:
    from urlsm.components.value import resolve

    def answer(text: str) -> str:
        return resolve(text, base=args.base, dialect=args.dialect, strict=not args.lenient)

    return print_answers(args, ("base", "reference", "target"), answer, given=(args.base,))


# --- compare, audit ----------------------------------------------------------------------------


def declare_readers(parser: ArgumentParser, said: str) -> None:
    """Declare the option that names programs, for readers_of. said: what is done with them."""
    parser.add_argument(
        "--readers", metavar="NAMES", help=f"{said}, such as curl@7.88,go,python (urlsm compare --readers list: all)"
    )


def readers_of(parser: ArgumentParser, args: Namespace) -> list[str] | None:
    """Return the names that the option gives. Raise SystemExit if one of them is unknown."""
    if args.readers is None:
        return None
    from urlsm.security.comparison import readers_named
    from urlsm.security.reader_list import names_in

    names = names_in(args.readers)
    try:
        readers_named(names)
    except ValueError as error:
        parser.error(f"--readers: {error}")
    return names


def _declare_compare(parser: ArgumentParser) -> None:
    parser.epilog = (
        "The exit code is 1 if the readers disagree on scheme, host or port, or on whether to accept the URL. With "
        "--readers, 'connects' is the host and port to which a client connects. With --path, it is 1 if two programs "
        "match on different paths."
    )
    _declare(parser)
    declare_readers(parser, "compare these programs instead of the five dialects")
    parser.add_argument(
        "--path", action="store_true", help="compare what servers, proxies and routers make of the path of a request"
    )


def _run_compare(parser: ArgumentParser, args: Namespace) -> int:
    from urlsm.security.comparison import compare_readers
    from urlsm.url.masked import without_secrets_of

    if args.readers == "list":
        return _list_readers(args)
    if args.path:
        return _compare_paths(args)
    code = 0
    wanted = readers_of(parser, args)
    fields = _JUDGED if wanted is None else (*_JUDGED, "path", "connects")
    heads = ("dialect" if wanted is None else "reader", *fields, "refusal")
    row = row_printer(args, ("input", *heads))
    for place, text in texts(args.urls, args.file):
        found = compare_readers(text, readers=wanted)
        code |= not found.agree
        if row:
            for reader, view in found.views.items():
                values = dict(view)  # a dialect sees no `connects`
                row((text, reader, *[_joined(values.get(name)) for name in heads[1:]]))
            continue
        if as_json(args):
            views = {name: dict(view) for name, view in found.views.items()}
            print_json({"input": text, "agree": found.agree, "views": views})
            continue
        print(shown(f"{place}{without_secrets_of(text)}", sys.stdout))
        table()([heads, *_views(found, heads[1:])])
        print("they agree\n" if found.agree else "they disagree\n", flush=True)
    return code


def _compare_paths(args: Namespace) -> int:
    """Print what each known program on the way of a request matches on and sends on. An input is a request target, or a
    URL, of which its path and query are the target."""
    from urlsm.readers.hops import PROGRAMS, answer, settings
    from urlsm.security.hop_views import target_of
    from urlsm.url.masked import without_secrets_of

    heads = ("hop", "answer", "path", "forwards")
    row = row_printer(args, ("input", *heads))
    hops = [settings(name, {}) for name in sorted(program.name for program in PROGRAMS)]
    code = 0
    for place, text in texts(args.urls, args.file):
        rows, target = [], target_of(text).encode("utf-8", "surrogateescape")
        for hop in hops:
            said, *octets = answer(target, hop)
            made = [None if each is None else each.decode("utf-8", "surrogateescape") for each in octets]
            rows.append((hop.name, said, *made))
        paths = {path for _, said, path, _ in rows if said == "matched"}
        code |= len(paths) > 1
        if row:
            for each in rows:
                row((text, *each))
        elif as_json(args):
            views = [dict(zip(heads, each, strict=True)) for each in rows]
            print_json({"input": text, "agree": len(paths) < 2, "hops": views})
        else:
            print(shown(f"{place}{without_secrets_of(text)}", sys.stdout))
            cells = [["-" if each is None else cell(without_secrets_of(each)) for each in one] for one in rows]
            table()([heads, *cells])
            print("they agree\n" if len(paths) < 2 else "they disagree\n", flush=True)
    return code


def _joined(value: object) -> object:
    """Return the host and port to which a client connects as one text; any other value as it is."""
    if not isinstance(value, tuple):
        return value
    host, port = value
    return f"[{host}]:{port}" if ":" in host and host[0] != "[" else f"{host}:{port}"


def _views(found: ReaderComparison, fields: Sequence[str]) -> Iterator[list[str]]:
    """Yield the rows of a comparison. Errors, and cells whose values differ from the first parser's, are
    highlighted."""
    from urlsm.security.masked_views import odd_fields, secrets_of, shown_view

    odd, secrets = odd_fields(found), secrets_of(found.url)
    for reader, view in found.views.items():
        row, seen = [reader], shown_view(view, secrets)
        for name in fields:
            value = seen.get(name)
            text = "-" if value is None else cell(_joined(value))
            is_odd = name in odd[reader] or (name == "refusal" and value is not None)
            row.append(Marked(text) if is_odd else text)
        yield row


def _list_readers(args: Namespace) -> int:
    """Print the programs that can be compared."""
    from urlsm.security.reader_list import ReaderInfo, readers

    row = row_printer(args, ReaderInfo._fields)
    rows = [[", ".join(value) if isinstance(value, tuple) else str(value) for value in found] for found in readers()]
    if row:
        for values in rows:
            row(values)
    elif as_json(args):
        for found in readers():
            print_json(found._asdict())
    else:
        table()([ReaderInfo._fields, *[[cell(value) if value else "-" for value in values] for values in rows]])
    return 0


def _declare_audit(parser: ArgumentParser) -> None:
    parser.epilog = "The exit code is 1 if a URL has a hazard or is invalid."
    _declare(parser)
    declare_readers(parser, "also report on what these programs disagree")
    parser.add_argument(
        "--hops", metavar="NAMES", help="also report if these servers match on different paths, such as nginx,tomcat"
    )


def _run_audit(parser: ArgumentParser, args: Namespace) -> int:
    from urlsm.security.ordinary import audit
    from urlsm.url.value import parse

    if args.readers == "list":
        return _list_readers(args)
    wanted, hops = readers_of(parser, args), None
    if args.hops is not None:
        from urlsm.security.hop_views import hops_named
        from urlsm.security.reader_list import names_in

        hops = names_in(args.hops)
        try:
            hops_named(hops)
        except ValueError as error:
            parser.error(f"--hops: {error}")
    return _print_findings(args, "hazards", lambda text: audit(text, readers=wanted, hops=hops), parse)


COMMANDS: list[tuple[str, str, _Declare, _Run]] = [
    ("validate", "report the rules that URLs break", _declare_validate, _run_validate),
    ("normalize", "print the normal form of each URL", _declare_normalize, _run_normalize),
    ("resolve", "resolve references against a base URL", _declare_resolve, _run_resolve),
    ("compare", "show how each dialect, or each of these programs, reads URLs", _declare_compare, _run_compare),
    ("audit", "report security hazards in URLs", _declare_audit, _run_audit),
]
