"""The commands completion, manual and help. They make shell scripts, a manual page and help text from the argument
parser."""

from __future__ import annotations

import argparse
import os
import re
from typing import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable, Iterator

__all__ = ["COMMANDS", "SHELLS", "completion", "manual"]

SHELLS = ("bash", "zsh", "fish")
_FILES = ("F", "FILE", "OUT", "CSV", "FOLDER")  # the metavars of options and arguments that take files


class _Option(NamedTuple):
    names: tuple[str, ...]  # empty for a positional argument
    value: str  # the metavar; "" if it takes no value
    choices: tuple[str, ...]  # all possible values, if the parser lists them
    offered: tuple[str, ...]  # the values that the shell offers: the choices, or some of the possible values
    help: str

    @property
    def is_file(self) -> bool:
        return self.value in _FILES


def _values_to_complete(parser: ArgumentParser, action: argparse.Action) -> tuple[str, ...]:
    """Return the values that the shell suggests: the choices, or names from other modules that the help does not
    list."""
    command = parser.prog.rpartition(" ")[2]
    if action.dest == "profile" or (command, action.dest) == ("profiles", "name"):
        from urlsm.crawler import PROFILES

        return tuple(PROFILES)
    if (command, action.dest) == ("schemes", "name"):
        from urlsm.meaning.registry import known

        return tuple(known())
    if (command, action.dest) == ("help", "command"):
        from urlsm.cli.app import HOMES

        return tuple(HOMES)
    return tuple([str(choice) for choice in action.choices or ()])


def _options(parser: ArgumentParser) -> Iterator[_Option]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            continue
        value = "" if action.nargs == 0 else str(action.metavar or action.dest.upper())
        choices = tuple([str(choice) for choice in action.choices or ()])
        offered = _values_to_complete(parser, action)
        said = (action.help or "") % {**vars(action), "prog": parser.prog}
        yield _Option(tuple(action.option_strings), value, choices, offered, said)


def _commands(parser: ArgumentParser) -> dict[str, tuple[str, ArgumentParser]]:
    """Return each command's help text and parser, by command name."""
    found = next(action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    helps = {action.dest: action.help or "" for action in found._choices_actions}
    return {name: (helps[name], command) for name, command in found.choices.items()}


# --- completion --------------------------------------------------------------------------------


def completion(parser: ArgumentParser, shell: str) -> str:
    """Return the script that completes urlsm's commands, options and option values in bash, zsh or fish."""
    return {"bash": _bash, "zsh": _zsh, "fish": _fish}[shell](_commands(parser))


def _bash(commands: dict[str, tuple[str, ArgumentParser]]) -> str:
    values, words = [], []
    for name, (_, parser) in commands.items():
        for option in _options(parser):
            for given in option.names if option.value else ():
                kind = f'-W "{" ".join(option.offered)}"' if option.offered else "-f" if option.is_file else "-W ''"
                values.append(f'        "{name} {given}") COMPREPLY=($(compgen {kind} -- "$cur")); return ;;')
        plain = [choice for option in _options(parser) if not option.names for choice in option.offered]
        flags = [given for option in _options(parser) for given in option.names]
        words.append(f'        {name}) words="{" ".join([*flags, *plain])}" ;;')
    return "\n".join(
        [
            "# bash completion for urlsm, made by: urlsm completion bash",
            "_urlsm() {",
            '    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} words=""',
            "    if ((COMP_CWORD == 1)); then",
            f'        COMPREPLY=($(compgen -W "{" ".join(commands)}" -- "$cur"))',
            "        return",
            "    fi",
            '    case "${COMP_WORDS[1]} $prev" in',
            *values,
            "    esac",
            "    case ${COMP_WORDS[1]} in",
            *words,
            "    esac",
            '    COMPREPLY=($(compgen -W "$words" -- "$cur"))',
            "}",
            "complete -o default -F _urlsm urlsm",
            "",
        ]
    )


def _zsh(commands: dict[str, tuple[str, ArgumentParser]]) -> str:
    def quoted(text: str) -> str:
        return re.sub(r"([\[\]:\\])", r"\\\1", text).replace("'", "'\\''")

    cases = []
    for name, (_, parser) in commands.items():
        specs = []
        for option in _options(parser):
            action = f"({' '.join(option.offered)})" if option.offered else "_files" if option.is_file else ""
            value = f":{quoted(option.value)}:{action}" if option.value else ""
            if not option.names:
                specs.append(f"'*{value}'")
            specs += [f"'*{given}[{quoted(option.help)}]{value}'" for given in option.names]
        cases.append(f"        {name}) _arguments {' '.join(specs)} ;;")
    listed = [f"        '{name}:{quoted(said)}'" for name, (said, _) in commands.items()]
    return "\n".join(
        [
            "#compdef urlsm",
            "# made by: urlsm completion zsh",
            "_urlsm() {",
            "    local -a commands=(",
            *listed,
            "    )",
            "    if (( CURRENT == 2 )); then",
            "        _describe command commands",
            "        return",
            "    fi",
            "    shift words",
            "    (( CURRENT-- ))",
            "    case $words[1] in",
            *cases,
            "    esac",
            "}",
            'if [ "$funcstack[1]" = "_urlsm" ]; then _urlsm "$@"; else compdef _urlsm urlsm; fi',
            "",
        ]
    )


def _fish(commands: dict[str, tuple[str, ArgumentParser]]) -> str:
    def quoted(text: str) -> str:
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"

    lines = ["# fish completion for urlsm, made by: urlsm completion fish"]
    for name, (said, parser) in commands.items():
        lines.append(f"complete -c urlsm -n __fish_use_subcommand -f -a {name} -d {quoted(said)}")
        for option in _options(parser):
            names = [f"-l {given[2:]}" if given.startswith("--") else f"-s {given[1:]}" for given in option.names]
            value = (
                f"-x -a {quoted(' '.join(option.offered))}" if option.offered else "-r -F" if option.is_file else "-x"
            )
            if names or option.offered:
                how = value if option.value else "-f"
                given = f"complete -c urlsm -n '__fish_seen_subcommand_from {name}' {' '.join([*names, how])}"
                lines.append(f"{given} -d {quoted(option.help)}")
    return "\n".join([*lines, ""])


# --- the manual --------------------------------------------------------------------------------


def manual(parser: ArgumentParser) -> str:
    """Return the manual page, written with man(7) macros."""
    from urlsm import __version__

    lines = [
        f'.TH URLSM 1 "{_date()}" "urlsm {__version__}"',
        ".SH NAME",
        "urlsm \\- " + _roff(parser.description or ""),
    ]
    lines += [".SH SYNOPSIS", ".B urlsm", ".I COMMAND", "[options] [URL ...]", ".br", ".B urlsm", ".I URL"]
    lines += [".SH COMMANDS"]
    for name, (said, command) in _commands(parser).items():
        lines += [f".SS urlsm {_roff(name)}", _roff(f"{said[0].upper()}{said[1:]}.")]
        for option in _options(command):
            called = ", ".join([rf"\fB{_roff(given)}\fR" for given in option.names])
            lines += [".TP", " ".join(filter(None, [called, rf"\fI{_roff(option.value)}\fR" if option.value else ""]))]
            chosen = (
                f" ({', '.join(option.choices)})" if option.choices and option.choices[0] not in option.help else ""
            )
            lines.append(_roff(option.help + chosen))
        if command.epilog:
            lines += [".PP", ".nf", *[_roff(line) for line in command.epilog.rstrip().split("\n")], ".fi"]
    lines += [
        ".SH EXIT STATUS",
        "0: success. 1: a URL is invalid, or a check found something. 2: wrong usage, or a file error. "
        "130: interrupted. 141: the reader of the output has closed it.",
        "",
    ]
    return "\n".join(lines)


def _date() -> str:
    """Return the date for the page: SOURCE_DATE_EPOCH, or the date of the installed file."""
    from time import gmtime, strftime

    seconds = os.environ.get("SOURCE_DATE_EPOCH") or os.stat(__file__).st_mtime
    return strftime("%Y-%m-%d", gmtime(float(seconds)))


def _roff(text: str) -> str:
    """Return a line of text, escaped so that roff finds no command in it."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return rf"\&{text}" if text.startswith((".", "'")) else text


# --- commands ----------------------------------------------------------------------------------


def _declare_completion(parser: ArgumentParser) -> None:
    parser.add_argument("shell", choices=SHELLS, metavar="SHELL", help="bash, zsh or fish")


def _run_completion(parser: ArgumentParser, args: Namespace) -> int:
    from urlsm.cli.app import make_parser

    print(completion(make_parser(), args.shell), end="")
    return 0


def _run_manual(parser: ArgumentParser, args: Namespace) -> int:
    from urlsm.cli.app import make_parser

    print(manual(make_parser()), end="")
    return 0


def _declare_help(parser: ArgumentParser) -> None:
    parser.add_argument("command", nargs="?", metavar="COMMAND", help="a command (default: list the commands)")


def _run_help(parser: ArgumentParser, args: Namespace) -> int:
    from urlsm.cli.app import HOMES, make_parser

    if args.command is not None and args.command not in HOMES:
        parser.error(f"unknown command {args.command!r}: the commands are {', '.join(HOMES)}")
    whole = make_parser()
    (whole if args.command is None else _commands(whole)[args.command][1]).print_help()
    return 0


COMMANDS: list[tuple[str, str, Callable[[ArgumentParser], None], Callable[[ArgumentParser, Namespace], int]]] = [
    ("completion", "print the completion script for bash, zsh or fish", _declare_completion, _run_completion),
    ("manual", "print the manual page, for man", lambda parser: None, _run_manual),
    ("help", "print the help for a command", _declare_help, _run_help),
]
