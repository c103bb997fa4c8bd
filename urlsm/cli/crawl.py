"""The commands for crawlers: canonicalize, surt, site, profiles and psl."""

from __future__ import annotations

import sys

from urlsm.cli.output import (
    as_json,
    cell,
    complain,
    declare_input,
    declare_output,
    print_json,
    row_printer,
    shown,
    table,
    texts,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable

    from urlsm.crawler import Profile

__all__ = ["COMMANDS"]


def _declare(parser: ArgumentParser, profile: str | None) -> None:
    """Declare the arguments of a command. profile: the default of --profile; None: the command has no such option."""
    declare_input(parser)
    if profile is not None:
        parser.add_argument(
            "--profile", default=profile, metavar="NAME", help="one of urlsm profiles (default: %(default)s)"
        )
    declare_output(parser, tables=False)


def _profile(parser: ArgumentParser, name: str) -> Profile:
    from urlsm.crawler import profile

    try:
        return profile(name)
    except ValueError as error:
        parser.error(str(error))


def _print_answers(args: Namespace, name: str, answer: Callable[[str], str | None]) -> int:
    """Print the answer for each URL. Returns 1 if a URL was refused or has no answer."""
    code = 0
    row = row_printer(args, ("input", name))
    for where, text in texts(args.urls, args.file):
        try:
            found = answer(text)
        except ValueError as error:
            code = 1
            complain(f"{where}{error}")
            continue
        code |= found is None
        if row:
            row((text, found))
        elif args.json:
            print_json({"input": text, name: found})
        else:
            print(shown("-" if found is None else found, sys.stdout))
    return code


# --- keys --------------------------------------------------------------------------------------


def _declare_canonicalize(parser: ArgumentParser) -> None:
    from urlsm.crawler.profiles import DEFAULT_PROFILE

    parser.epilog = "URLs with the same key count as one. A key is not a URL to request."
    _declare(parser, DEFAULT_PROFILE)


def _run_canonicalize(parser: ArgumentParser, args: Namespace) -> int:
    return _print_answers(args, "key", _profile(parser, args.profile).canonicalize)


def _declare_surt(parser: ArgumentParser) -> None:
    _declare(parser, "surt")
    parser.add_argument("--with-scheme", action="store_true", help="http://(org,example)/")
    parser.add_argument("--trailing-comma", action="store_true", help="org,example,)/")


def _run_surt(parser: ArgumentParser, args: Namespace) -> int:
    from urlsm.crawler import surt

    how = _profile(parser, args.profile)
    options = {"with_scheme": args.with_scheme, "trailing_comma": args.trailing_comma}
    return _print_answers(args, "surt", lambda text: surt(text, how, **options))


def _declare_profiles(parser: ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", metavar="NAME", help="show the fields of this profile")
    declare_output(parser, rows=False)


def _run_profiles(parser: ArgumentParser, args: Namespace) -> int:
    from urlsm.crawler import PROFILES

    if args.name is None:
        if as_json(args):
            print_json([*PROFILES])
        else:
            print(*PROFILES, sep="\n")
        return 0
    fields = _profile(parser, args.name).fields()
    if as_json(args):
        print_json(fields)
    else:
        table()(
            [(name, cell(" ".join(value) if isinstance(value, tuple) else value)) for name, value in fields.items()]
        )
    return 0


# --- sites -------------------------------------------------------------------------------------


def _declare_site(parser: ArgumentParser) -> None:
    parser.epilog = 'A URL that has no site prints "-" and makes the exit code 1.'
    _declare(parser, None)
    parser.add_argument("--icann", action="store_true", help="use only the ICANN section of the list")
    parser.add_argument("--suffixes", metavar="FILE", help="a public suffix list; default: the one of publicsuffixlist")


def _run_site(parser: ArgumentParser, args: Namespace) -> int:
    from urlsm.crawler import registrable_domain, suffixes

    try:
        rules = suffixes(args.suffixes)
    except (ModuleNotFoundError, ValueError) as error:
        complain(f"urlsm: {error}")
        return 2
    return _print_answers(args, "site", lambda text: registrable_domain(text, private=not args.icann, suffixes=rules))


def _declare_psl(parser: ArgumentParser) -> None:
    parser.add_argument("file", nargs="?", metavar="FILE", help="default: the list of publicsuffixlist")
    declare_output(parser, rows=False)


def _run_psl(parser: ArgumentParser, args: Namespace) -> int:
    from urlsm.crawler import suffixes

    try:
        rules = suffixes(args.file)
    except (ModuleNotFoundError, ValueError) as error:
        complain(f"urlsm: {error}")
        return 2
    facts = {"path": rules.path, "version": rules.version, "rules": rules.rules}
    if as_json(args):
        print_json(facts)
    else:
        table()([(name, cell(value)) for name, value in facts.items()])
    return 0


COMMANDS = [
    ("canonicalize", "print the key of each URL, by a crawler's profile", _declare_canonicalize, _run_canonicalize),
    ("surt", "print the key of each URL in SURT form, as web archives sort them", _declare_surt, _run_surt),
    ("site", "print the registrable domain of each URL or host", _declare_site, _run_site),
    ("profiles", "list the profiles, or the fields of one", _declare_profiles, _run_profiles),
    ("psl", "print the version and the number of rules of a public suffix list", _declare_psl, _run_psl),
]
