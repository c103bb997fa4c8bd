"""The syntax "urlpattern": each line is a constructor string of urlsm.whatwg.URLPattern."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from urlsm.patterns.errors import PatternError
from urlsm.patterns.rule import EXACT, Rule
from urlsm.patterns.syntax import Syntax, host_key
from urlsm.patterns.urlpattern import NAMES, URLPattern

__all__ = ["SYNTAX"]


def rules(pattern: str, options: dict[str, Any]) -> Iterator[Rule]:
    """Yield the rule for a pattern. It has a check for each component that is not "*". The check of the path comes
    first, because the trie can use it. A protocol and a hostname without wildcards are looked up. The hostname is also
    checked, since the look-up ignores a trailing dot."""
    made = _read(pattern, options)
    schemes = host = None
    checks = []
    for name, component in zip(NAMES, made._components, strict=True):
        if component.is_any:
            continue
        fixed = component.fixed_text
        if fixed is not None:
            if name == "protocol":
                schemes = (fixed,)
                continue
            if name == "hostname" and fixed.strip("."):
                try:
                    host = (EXACT, host_key(fixed, pattern))
                except PatternError:  # only URLs whose scheme is not special can have this host
                    host = None
        checks.append(("path" if name == "pathname" else name, component.plain))
    checks.sort(key=lambda check: check[0] != "path")
    yield Rule(schemes=schemes, host=host, checks=tuple(checks))


def _read(pattern: str, options: dict[str, Any]) -> URLPattern:
    if options["regexps"] == "re":
        raise PatternError(
            "not-linear", "regexps must be True or False, because a set must match in linear time", pattern
        )
    try:
        return URLPattern(pattern, options["base"], ignore_case=options["ignore_case"], regexps=options["regexps"])
    except TypeError as error:
        code = "look-around" if re.search("looks around|asks where", str(error)) else "not-a-url-pattern"
        raise PatternError(code, str(error), pattern) from None


def groups(pattern: str, url: object, options: dict[str, Any]) -> dict[str, str | None]:
    """Return the text that each group of a pattern matched, except groups in components that are only "*". If two
    groups have the same name, the first one is returned."""
    read = _read(pattern, options)
    found = read.exec(url) or {}
    made: dict[str, str | None] = {}
    for name, component in zip(NAMES, read._components, strict=True):
        if component.is_any:
            continue
        for group, text in found.get(name, {"groups": {}})["groups"].items():
            made.setdefault(group, text)
    return made


SYNTAX = Syntax(
    "urlpattern",
    rules=rules,
    options={"base": None, "ignore_case": False, "regexps": True},
    precedence="first",
    careful=True,
    groups=groups,
)
