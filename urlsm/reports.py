"""The commands that judge URLs: validate, normalize, resolve, compare, audit; and extract, which finds them."""

from __future__ import annotations

import sys

from urlsm import terminal
from urlsm.terminal import cell, lines, shown, table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable, Iterable, Iterator

    from urlsm.hazards import Hazard
    from urlsm.violations import Violation

    _Declare = Callable[[ArgumentParser], None]
    _Run = Callable[[ArgumentParser, Namespace], int]

__all__ = ["COMMANDS"]


def _declare(parser: ArgumentParser, dialects: Iterable[str] = (), default: str = "rfc3986") -> None:
    parser.add_argument("urls", nargs="+", metavar="URL", help='a URL; "-" reads standard input, a URL a line')
    _declare_output(parser)
    if dialects:
        parser.add_argument("--dialect", choices=dialects, default=default, help="default: %(default)s")


def _declare_output(parser: ArgumentParser) -> None:
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--json", action="store_true", help="JSON lines, also on a terminal")
    mode.add_argument("--table", action="store_true", help="for people, also elsewhere")


def _texts(args: Namespace) -> Iterator[str]:
    for text in args.urls:
        if text == "-":
            yield from (line for _, line in lines("-", getattr(sys.stdin, "buffer", ())))
        else:
            yield text


def _as_json(args: Namespace) -> bool:
    return args.json or not (args.table or terminal.on_terminal())


def _print_json(record: object) -> None:
    from json import dumps

    print(dumps(record), flush=True)


def _masked(text: str) -> str:
    from urlsm.excerpt import without_passwords

    return without_passwords(text, refused=True)[0]


def _judged(args: Namespace, name: str, judge: Callable[[str], Iterable[Violation | Hazard]]) -> int:
    """Print what judge finds in each URL; 1 where that is more than warnings."""
    code = 0
    for text in _texts(args):
        found = list(judge(text))
        if any(getattr(item, "severity", "error") != "warning" for item in found):
            code = 1
        if _as_json(args):
            _print_json({"input": text, name: [vars(item) for item in found]})
            continue
        print(shown(_masked(text), sys.stdout))
        if found:
            rows = [(getattr(item, "severity", "hazard"), item.component, str(item.position), item) for item in found]
            table()(
                [(*map(cell, row[:3]), cell(f"{row[3].code}: {row[3].message} ({row[3].reference})")) for row in rows]
            )
        else:
            print(f"no {name}")
        print(flush=True)
    return code


# --- validate, normalize, resolve --------------------------------------------------------------


def _declare_validate(parser: ArgumentParser) -> None:
    parser.epilog = "The exit code is 1 where a URL breaks a rule; warnings do not count."
    _declare(parser, ("rfc3986", "rfc2396", "rfc1738", "whatwg"))


def _run_validate(parser: ArgumentParser, args: Namespace) -> int:
    from urlsm.validation import validate

    return _judged(args, "violations", lambda text: validate(text, args.dialect))


def _declare_normalize(parser: ArgumentParser) -> None:
    _declare(parser, ("rfc3986", "rfc2396", "rfc1738"))


def _run_normalize(parser: ArgumentParser, args: Namespace) -> int:
    from urlsm.meaning import normalize

    for text in _texts(args):
        normal = normalize(text, args.dialect)
        if args.json:
            _print_json({"input": text, "normal": normal})
        else:
            print(shown(normal, sys.stdout))
    return 0


def _declare_resolve(parser: ArgumentParser) -> None:
    parser.add_argument("base", metavar="BASE", help="the URL that the references are relative to")
    parser.add_argument("--lenient", action="store_true", help="http:a is relative to a base of that scheme (RFCs)")
    _declare(parser, ("whatwg", "rfc3986", "rfc2396", "barth", "stdlib"), "whatwg")


def _run_resolve(parser: ArgumentParser, args: Namespace) -> int:
    from urlsm.url import resolve

    code = 0
    for text in _texts(args):
        try:
            target = resolve(args.base, text, args.dialect, strict=not args.lenient)
        except ValueError as error:
            code = 1
            print(shown(str(error), sys.stderr), file=sys.stderr)
            continue
        if args.json:
            _print_json({"base": args.base, "reference": text, "target": target})
        else:
            print(shown(target, sys.stdout))
    return code


# --- compare, audit ----------------------------------------------------------------------------


def _declare_compare(parser: ArgumentParser) -> None:
    parser.epilog = "The exit code is 1 where the dialects disagree on scheme, host or port."
    _declare(parser)


def _run_compare(parser: ArgumentParser, args: Namespace) -> int:
    from urlsm.comparison import compare

    code = 0
    for text in _texts(args):
        found = compare(text)
        code |= not found.agree
        if _as_json(args):
            views = {name: dict(view) for name, view in found.views.items()}
            _print_json({"input": text, "agree": found.agree, "views": views})
            continue
        print(shown(_masked(text), sys.stdout))
        heads = ("dialect", "scheme", "host", "port", "refusal")
        rows = [[cell("" if view[name] is None else view[name]) for name in heads] for view in found.views.values()]
        table()([heads, *[[text.replace('""', "-") for text in row] for row in rows]])
        print("they agree\n" if found.agree else "they disagree\n", flush=True)
    return code


def _declare_audit(parser: ArgumentParser) -> None:
    parser.epilog = "The exit code is 1 where a hazard was found."
    _declare(parser)


def _run_audit(parser: ArgumentParser, args: Namespace) -> int:
    from urlsm.hazards import audit

    return _judged(args, "hazards", audit)


# --- extract -----------------------------------------------------------------------------------


def _declare_extract(parser: ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help='a text file; "-" is standard input')
    parser.add_argument("--base", metavar="URL", help="what relative references in <> are relative to")
    parser.add_argument("--guess", action="store_true", help="abbreviations too, such as www.example.org/x")
    _declare_output(parser)


def _run_extract(parser: ArgumentParser, args: Namespace) -> int:
    from urlsm.running import extract

    for name in args.files:
        if name == "-":
            text = sys.stdin.buffer.read().decode("utf-8", "surrogateescape")
        else:
            with open(name, encoding="utf-8", errors="surrogateescape") as stream:
                text = stream.read()
        for match in extract(text, args.base, guess=args.guess):
            if _as_json(args):
                record = {
                    "file": name,
                    "start": match.start,
                    "end": match.end,
                    "text": match.text,
                    "guess": match.guess,
                }
                _print_json({**record, "href": match.url.href})
            else:
                print(shown(_masked(match.url.href), sys.stdout))
    return 0


COMMANDS: list[tuple[str, str, _Declare, _Run]] = [
    ("validate", "name the rules that URLs break", _declare_validate, _run_validate),
    ("normalize", "print the normal forms of URLs", _declare_normalize, _run_normalize),
    ("resolve", "print what references are, relative to a base", _declare_resolve, _run_resolve),
    ("compare", "show what each dialect sees in URLs", _declare_compare, _run_compare),
    ("audit", "name what may go wrong with URLs", _declare_audit, _run_audit),
    ("extract", "find the URLs in text", _declare_extract, _run_extract),
]
