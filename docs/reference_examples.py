"""An input for each code, profile field and command, from reference_examples.json: the reference shows and runs it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import urlsm
from urlsm import patterns
from urlsm.crawler import Robots, profile
from urlsm.guard import Policy
from urlsm.server import Hop, Hosts, Paths

_READ: dict[str, dict[str, Any]] = json.loads(
    Path(__file__).with_name("reference_examples.json").read_text(encoding="utf-8")
)

COMMANDS: dict[str, str] = _READ["commands"]
HAZARDS: dict[str, str] = _READ["hazards"]
REDIRECTS: dict[str, str] = _READ["redirects"]  # the target
GIT: dict[str, str] = _READ["git"]  # the URL
TRAPS: dict[str, str] = _READ["traps"]
VIOLATIONS: dict[str, list[str]] = _READ["violations"]  # the URL, the dialect, and the base if there is one
PATTERNS: dict[str, list[str]] = _READ["patterns"]  # the syntax, and the pattern
LINT: dict[str, list[Any]] = _READ["lint"]  # the syntax, the patterns, and options
PROFILE: dict[str, list[Any]] = _READ["profile"]  # the profile, what else it changes, the field's value, and a URL
BASE, ALLOWED = "https://good.example/app/", ["cdn.example", "::1"]  # of the redirects
PARENT, GIT_ALLOWED = "https://good.example/team/project.git", ["good.example"]  # of the URLs for git
GUARD: dict[str, str] = _READ["guard"]
REQUESTS: dict[str, str] = _READ["requests"]


def violations(code: str) -> list[str]:
    """Return the codes that the example for a code produces."""
    url, dialect, *base = VIOLATIONS[code]
    return [found.code for found in urlsm.validate(url, dialect=dialect, base=base[0] if base else None)]


def lint(code: str) -> dict[str, str]:
    """Return the code and the message of each finding in the example for a code."""
    syntax, lines, *options = LINT[code]
    more = options[0] if options else {}
    found = Robots("\n".join(lines)) if syntax == "robots" else patterns.PatternSet(lines, syntax, **more)
    return {finding.code: finding.message for finding in found.lint(hints=True)}


def pattern(code: str) -> tuple[str, str]:
    """Return the code and the message of the error that the example for a code raises."""
    syntax, line = PATTERNS[code]
    try:
        patterns.PatternSet([line], syntax)
    except patterns.PatternError as error:
        return error.code, error.message
    return "", ""


def called(call: str) -> tuple[str, ...]:
    """Return the codes that a call produces, in its verdict or its error."""
    names = {
        "Hop": Hop,
        "Hosts": Hosts,
        "Paths": Paths,
        "Policy": Policy,
        "URL": urlsm.URL,
        "urlsm": urlsm,
        "profile": profile,
    }
    try:
        answer = eval(call, names)
    except urlsm.ParseError as error:
        return (error.code,)
    except ValueError:
        return ()
    return tuple(getattr(answer, "codes", ()))


def settings(given: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a profile, with the lists from JSON as tuples."""
    return {name: tuple(value) if isinstance(value, list) else value for name, value in given.items()}


def keys(field: str) -> tuple[str, str]:
    """Return the key of a field's example without and with the field's value, or the error code if there is no key."""
    name, more, value, url = PROFILE[field]
    before = profile(name).replace(**settings(more))
    return _key(before.canonicalize, url), _key(before.replace(**settings({field: value})).canonicalize, url)


def _key(canonicalize: Callable[[str], str], url: str) -> str:
    try:
        return canonicalize(url)
    except urlsm.ParseError as error:
        return f"ParseError: {error.code}"
