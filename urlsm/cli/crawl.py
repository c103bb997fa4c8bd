"""The commands for crawlers: canonicalize, surt, fingerprint, registrable-domain, profiles and psl."""

from __future__ import annotations

from urlsm.cli.output import (
    as_json,
    cell,
    complain,
    declare_input,
    declare_output,
    print_json,
    table,
)
from urlsm.cli.rows import declare_errors, print_answers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from typing import Any

    from urlsm.crawler import Profile

__all__ = ["COMMANDS"]

KINDS = ("xxh64", "sha1", "blake2b-128")  # the kinds of fingerprints, as in urlsm.columns


def _declare(parser: ArgumentParser, profile: str | None) -> None:
    """Declare the arguments of a command. profile: the default for --profile; None if the command does not have this
    option."""
    declare_input(parser)
    if profile is not None:
        parser.add_argument(
            "--profile",
            default=profile,
            metavar="NAME",
            help="a name that `urlsm profiles` lists (default: %(default)s)",
        )
    declare_output(parser, tables=False)
    declare_errors(parser)


def _profile(parser: ArgumentParser, name: str) -> Profile:
    from urlsm.crawler import profile

    try:
        return profile(name)
    except ValueError as error:
        parser.error(str(error))


# --- keys --------------------------------------------------------------------------------------


def _declare_canonicalize(parser: ArgumentParser) -> None:
    from urlsm.crawler.profiles import DEFAULT_PROFILE

    parser.epilog = "URLs with the same canonical form count as one. Never fetch it: it is not a URL to request."
    _declare(parser, DEFAULT_PROFILE)


def _run_canonicalize(parser: ArgumentParser, args: Namespace) -> int:
    from urlsm import columns

    how = _profile(parser, args.profile)
    return print_answers(args, ("input", "key"), how.canonicalize, lambda lines: columns.canonicalize(lines, how))


def _declare_surt(parser: ArgumentParser) -> None:
    parser.epilog = "The profile surt accepts any text, as web archives do: it reads example.com as a host."
    _declare(parser, "surt")
    parser.add_argument("--with-scheme", action="store_true", help="keep the scheme: http://(org,example)/")
    parser.add_argument("--trailing-comma", action="store_true", help="end the host with a comma: org,example,)/")


def _run_surt(parser: ArgumentParser, args: Namespace) -> int:
    from urlsm import columns
    from urlsm.crawler import surt

    how = _profile(parser, args.profile)
    options: dict[str, Any] = {"with_scheme": args.with_scheme, "trailing_comma": args.trailing_comma}
    return print_answers(
        args,
        ("input", "surt"),
        lambda text: surt(text, how, **options),
        lambda lines: columns.surt(lines, how, **options),
    )


def _declare_fingerprint(parser: ArgumentParser) -> None:
    from urlsm.crawler.profiles import DEFAULT_PROFILE

    parser.epilog = "xxh64 is a number of 64 bits; sha1 and blake2b-128 are printed as hexadecimal digits."
    _declare(parser, DEFAULT_PROFILE)
    parser.add_argument("--kind", choices=KINDS, default=KINDS[0], help="the hash (default: %(default)s)")


def _run_fingerprint(parser: ArgumentParser, args: Namespace) -> int:
    from urlsm import columns
    from urlsm.crawler import fingerprint

    how = _profile(parser, args.profile)
    kind = {} if args.kind == KINDS[0] else {"kind": args.kind}

    def answer(text: str) -> str | int:
        made = fingerprint(text, how, **kind)
        return made.hex() if isinstance(made, bytes) else made

    return print_answers(
        args, ("input", "fingerprint"), answer, lambda lines: columns.fingerprint(lines, how, kind=args.kind)
    )


def _declare_profiles(parser: ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", metavar="NAME", help="a profile, to show its fields")
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


# --- domains -----------------------------------------------------------------------------------


def _declare_domain(parser: ArgumentParser) -> None:
    parser.epilog = "The exit code is 1 if a URL or host has no registrable domain."
    _declare(parser, None)
    parser.add_argument("--only-icann", action="store_true", help="use only the ICANN section of the list")
    parser.add_argument("--suffix-list", metavar="FILE", help="a public suffix list (default: publicsuffixlist's)")


def _run_domain(parser: ArgumentParser, args: Namespace) -> int:
    from urlsm import columns
    from urlsm.crawler.sites import PublicSuffixList, registrable_domain

    try:
        rules = PublicSuffixList(args.suffix_list)
    except (ModuleNotFoundError, ValueError) as error:
        complain(f"urlsm: {error}")
        return 2
    how: dict[str, Any] = {"only_icann": args.only_icann, "suffix_list": rules}

    def answer(text: str) -> str:
        from urlsm.url.masked import without_secrets_of

        made = registrable_domain(text, **how)
        if made is None:
            raise ValueError(f"{without_secrets_of(text)}: no registrable domain")
        return made

    return print_answers(
        args, ("input", "registrable_domain"), answer, lambda lines: columns.registrable_domain(lines, **how)
    )


def _declare_psl(parser: ArgumentParser) -> None:
    parser.add_argument("file", nargs="?", metavar="FILE", help="the list (default: publicsuffixlist's)")
    declare_output(parser, rows=False)


def _run_psl(parser: ArgumentParser, args: Namespace) -> int:
    from urlsm.crawler.sites import PublicSuffixList

    try:
        rules = PublicSuffixList(args.file)
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
    (
        "canonicalize",
        "print the canonical form of each URL, for deduplication",
        _declare_canonicalize,
        _run_canonicalize,
    ),
    ("surt", "print the canonical form of each URL as a SURT, the sort key of web archives", _declare_surt, _run_surt),
    ("fingerprint", "print a hash of the canonical form of each URL", _declare_fingerprint, _run_fingerprint),
    ("registrable-domain", "print the registrable domain (eTLD+1) of each URL or host", _declare_domain, _run_domain),
    ("profiles", "list the profiles for canonical forms, or show one of them", _declare_profiles, _run_profiles),
    ("psl", "print the version and the size of a public suffix list", _declare_psl, _run_psl),
]
