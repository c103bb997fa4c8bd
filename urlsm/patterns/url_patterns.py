"""The syntax "urlpattern": each line is a constructor string of urlsm.whatwg.URLPattern."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from urlsm.patterns.errors import PatternError
from urlsm.patterns.rule import EXACT, Rule
from urlsm.patterns.syntax import Syntax, host_key
from urlsm.patterns.urlpattern import NAMES, URLPattern, components_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from urlsm.patterns.components import Component

__all__ = ["SYNTAX"]


def rules(pattern: str, options: dict[str, Any]) -> Iterator[Rule]:
    """Yield the rule for a pattern. It has a check for each component that is not "*". The check of the path comes
    first, because the trie can use it. A protocol and a hostname without wildcards are looked up. The hostname is also
    checked, since the look-up ignores a trailing dot."""
    schemes = host = None
    checks: list[tuple[str, Any]] = []
    for name, component in zip(NAMES, _components(pattern, options), strict=True):
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
        if name == "pathname":
            checks.insert(0, ("path", component.plain))
        else:
            checks.append((name, component.plain))
    yield Rule(schemes=schemes, host=host, checks=tuple(checks))


def _components(pattern: str, options: dict[str, Any]) -> tuple[Component, ...]:
    """Return the components of a pattern."""
    if options["regexps"] == "re":
        raise PatternError(
            "not-linear", "regexps must be True or False, because a set must match in linear time", pattern
        )
    try:
        return components_of(pattern, options["base"], options["ignore_case"], options["regexps"])
    except TypeError as error:
        code = "look-around" if re.search("looks around|asks where", str(error)) else "not-a-url-pattern"
        raise PatternError(code, str(error), pattern) from None


def groups(pattern: str, url: object, options: dict[str, Any]) -> dict[str, str | None]:
    """Return the text that each group of a pattern matched, except groups in components that are only "*". If two
    groups have the same name, the first one is returned."""
    read = URLPattern(pattern, options["base"], ignore_case=options["ignore_case"], regexps=options["regexps"])
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
