"""Finds every rule that a URL breaks, for urlsm.validate."""

from __future__ import annotations

from urlsm.components.value import dialect_number, logged
from urlsm.errors import ParseError
from urlsm.errors.excerpt import cause
from urlsm.errors.rules import TABLE, Violation, Violations
from urlsm.machine.steps import STEPS
from urlsm.octets.objects import url_text
from urlsm.octets.text import positions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from urlsm._words import Component, Severity
    from urlsm.machine.driver import _Dialect
    from urlsm.url.value import StrOrURL

__all__ = ["validate"]

_judged: Any = None  # urlsm.meaning.questions.violations_of_text, imported on first use
_INVALID_URL_UNIT = next(row for row, rule in enumerate(TABLE) if rule.code == "invalid-URL-unit")


def validate(url: StrOrURL, dialect: _Dialect, base: StrOrURL | None) -> list[Violation]:
    """Do the same as urlsm.validate: ask the scheme's handler or, for "whatwg", read the parser's log."""
    global _judged
    dialect_number(dialect)
    if dialect != "whatwg":
        if _judged is None:  # running the import statement in each call would double the time
            from urlsm.meaning.questions import violations_of_text as _judged
        if base is not None:
            raise ValueError(f"base needs the dialect 'whatwg', not {dialect!r}")
        return Violations(_judged(url, dialect))
    entries, removed_from, result = logged(url, base, dialect)
    given = url_text(url)
    where = positions(given, removed_from)
    found = [_violation(_INVALID_URL_UNIT, "url", position, "error") for position in _stray_octets(given)]
    fatal = False
    for number, row, is_fatal, start, _ in entries:
        if row >= 0:
            severity: Severity = "fatal" if is_fatal else "error"
            fatal |= is_fatal
            component = _component(TABLE[row].code, number)
            one = _violation(row, component, where[min(start, len(where) - 1)], severity)
            found.append(one._replace(message=cause(url, one.code) or one.message) if is_fatal else one)
    if not fatal and isinstance(result, ParseError):  # the text is too long, so the machine did not run
        found.append(_violation(result.args[0], "url", result.position, "fatal"))
    return Violations(sorted(dict.fromkeys(found), key=lambda violation: violation.position))


def _component(code: str, step: int) -> Component:
    """Return the component of a violation: the one that its code names, otherwise the component of the step that logged
    the violation."""
    return "host" if code.startswith(("host-", "domain-", "IPv")) else STEPS[step][2]  # type: ignore[return-value]


def _violation(row: int, component: Component, position: int, severity: Severity) -> Violation:
    rule = TABLE[row]
    return Violation(rule.code, component, position, severity, rule.reference, rule.message)


def _stray_octets(given: str | bytes) -> list[int]:
    """Return the positions where the parser removes something: "any leading or trailing C0 control or space" (one
    position for each end of the text), and "any ASCII tab or newline"."""
    text = bytes.decode(given, "latin-1") if isinstance(given, bytes) else given
    edge = "".join(map(chr, range(0x21)))
    start = len(text) - len(text.lstrip(edge))
    end = max(start, len(text.rstrip(edge)))
    found = [0] if start else []
    found += [k for k in range(start, end) if text[k] in "\t\n\r"]
    return [*found, end] if end < len(text) and start < len(text) else found
