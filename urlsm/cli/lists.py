"""The command match, which matches URLs against rules."""

from __future__ import annotations

import sys

from urlsm.cli.output import (
    complain,
    declare_file,
    declare_output,
    declare_quiet,
    print_json,
    row_printer,
    shown,
    texts,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable
    from typing import Any

    from urlsm.patterns import LintFinding, PatternSet

__all__ = ["COMMANDS"]

_FIELDS = ("input", "included", "pattern", "line")
_EXPLAINED = ("input", "included", "pattern", "exception", "component", "position", "text")
_FINDING = ("file", "line", "position", "code", "pattern", "message", "witness")


def _declare(parser: ArgumentParser) -> None:
    parser.epilog = (
        "The exit code is 1 if a URL does not match, or if --lint finds something.\n\n"
        "  urlsm match --rules scope.txt https://example.com/\n"
        "  urlsm match --syntax redirect-uri --explain --pattern https://a.example/cb https://a.example/cb2\n"
        "  urlsm match --syntax robots --agent MyBot --rules robots.txt --file urls.txt\n"
        "  urlsm match --syntax urlpattern --lint origins.txt"
    )
    parser.add_argument(
        "urls",
        nargs="*",
        metavar="URL",
        help='a URL; "-" reads standard input, one URL per line. With --lint: a file of rules',
    )
    declare_file(parser)
    parser.add_argument("--rules", "-r", metavar="FILE", help="the file of rules")
    parser.add_argument("--pattern", "-p", action="append", default=[], metavar="P", help="a rule; may be repeated")
    parser.add_argument("--exclude", "-x", metavar="FILE", help="a file of rules for URLs to exclude")
    parser.add_argument(
        "--syntax", default="domains", metavar="NAME", help="the syntax of the rules (default: domains)"
    )
    parser.add_argument("--flavor", metavar="NAME", help="the program whose version of the syntax to follow")
    parser.add_argument("--agent", metavar="NAME", help="robots: the user agent; the rules are a whole robots.txt")
    parser.add_argument("--ambiguous", choices=("refuse", "match"),
                        help="refuse or match URLs that parsers read differently")  # fmt: skip
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--lint", action="store_true", help="report probable mistakes in the rules")
    parser.add_argument(
        "--hints", action="store_true", help="with --lint: also report findings common in correct rules"
    )
    parser.add_argument("--ignore", action="append", default=[], metavar="CODE",
                        help="with --lint: do not report this code; may be repeated")  # fmt: skip
    how.add_argument(
        "--explain", action="store_true", help="show the rule that decides, or why the nearest one does not"
    )
    declare_quiet(parser)
    declare_output(parser, tables=False)


def _text(path: str) -> str:
    if path == "-":
        return sys.stdin.buffer.read().decode("utf-8", "surrogateescape")
    with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
        return file.read()


def _run(parser: ArgumentParser, args: Namespace) -> int:
    from urlsm.patterns import PatternError

    if args.lint:
        return _lint(parser, args)
    if args.rules is None and not args.pattern:
        parser.error("no rules: use --rules FILE or --pattern P")
    try:
        patterns = _make_set(parser, args, _text(args.rules) if args.rules is not None else None)
    except PatternError as error:
        complain(f"urlsm: {f'{args.rules}: ' if args.rules else ''}{error}")
        return 2
    code = 0
    row = row_printer(args, _EXPLAINED if args.explain else _FIELDS)
    for _, text in texts(args.urls, args.file):
        found = _explain(patterns, text) if args.explain else _match(patterns, text)
        code |= not found["included"]
        if row:
            row([found[name] for name in found])
        elif args.json:
            print_json(found)
        else:
            _print(found)
    return code


def _print(found: dict[str, Any]) -> None:
    from urlsm.url.masked import without_secrets_of

    url, told = without_secrets_of(found["input"]), "in " if found["included"] else "out"
    if "text" in found:
        print(shown(f"{told}  {url}", sys.stdout))
        for line in found["text"].splitlines():
            print(shown(f"     {line}", sys.stdout))
    else:
        place = f"  {found['pattern']}  (line {found['line']})" if found["line"] else ""
        print(shown(f"{told}  {url}{place}", sys.stdout))


def _match(patterns: PatternSet, text: str) -> dict[str, Any]:
    included = text in patterns
    match = patterns.match(text) if included else None  # a URI template raises an error for an unsafe value
    pattern, line = (match.pattern, match.line) if match else (None, None)
    return dict(zip(_FIELDS, (text, included, pattern, line), strict=True))


def _explain(patterns: PatternSet, text: str) -> dict[str, Any]:
    return dict(zip(_EXPLAINED, (text, *patterns.explain(text)), strict=True))


def _make_set(parser: ArgumentParser, args: Namespace, text: str | None, *, strict: bool = True) -> PatternSet:
    """Return the set of patterns that the arguments describe. Raise PatternError if a pattern is invalid."""
    from urlsm.crawler import Robots
    from urlsm.patterns import PatternError, PatternSet
    from urlsm.patterns.syntax import find

    options = {} if args.flavor is None else {"flavor": args.flavor}
    try:
        syntax = find(args.syntax)
        if args.agent is not None and args.syntax == "robots":
            rules = Robots(text or "").rules(args.agent)
            listed = [f"{'Allow' if allow else 'Disallow'}: {path}" for allow, path in rules]
        else:
            listed = [] if text is None else text  # type: ignore[assignment]
        exclude = _text(args.exclude) if args.exclude else ()
        made = PatternSet(listed, syntax, exclude=exclude, strict=strict, ambiguous=args.ambiguous, **options)
        if not args.pattern:
            return made
        more = PatternSet([*made.patterns, *args.pattern], syntax, exclude=exclude, strict=strict,
                          ambiguous=args.ambiguous, **options)  # fmt: skip
        more._lines[: made._count] = made._lines[: made._count]
        more._ignored = {number: codes for number, codes in made._ignored.items() if number < made._count}
        return more
    except PatternError:
        raise
    except (TypeError, ValueError) as error:
        parser.error(str(error))


def _lint(parser: ArgumentParser, args: Namespace) -> int:
    from urlsm.crawler import Robots

    files = [*([args.rules] if args.rules is not None else []), *args.urls]
    if not files and not args.pattern:
        parser.error("no rules: use --lint FILE")
    code = 0
    row = row_printer(args, _FINDING)
    for file in files or [None]:
        text = None if file is None else _text(file)
        found: tuple[LintFinding, ...]
        if args.syntax == "robots" and text is not None:
            found = Robots(text).lint(hints=args.hints, ignore=args.ignore)
        else:
            found = _make_set(parser, args, text, strict=False).lint(hints=args.hints, ignore=args.ignore)
        for lint in found:
            code = 1
            values = (file, lint.line, lint.position, lint.code, lint.pattern, lint.message, lint.witness)
            if row:
                row(values)
            elif args.json:
                print_json(dict(zip(_FINDING, values, strict=True)))
            else:
                witness = f"  {lint.witness}" if lint.witness else ""
                place = f"{file}:{lint.line}" if file else f"{lint.line}"
                print(shown(f"{place}: {lint.pattern}: {lint.message} ({lint.code}){witness}", sys.stdout))
    return code


COMMANDS: list[tuple[str, str, Callable[[ArgumentParser], None], Callable[[ArgumentParser, Namespace], int]]] = [
    ("match", "match URLs against an allow-list, robots.txt, CSP ..., or lint the list", _declare, _run),
]
