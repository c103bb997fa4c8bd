"""validate(): every rule that a text breaks, by name. Parsing pays nothing for it."""

from __future__ import annotations

from urlsm.components import dialect_number, logged
from urlsm.errors import ParseError
from urlsm.text import positions
from urlsm.trace import step_name
from urlsm.url import URL
from urlsm.violations import TABLE, Violation

__all__ = ["validate"]

# which component a state's violation is of; the states before the authority read slashes
_COMPONENT = {
    "authority state": "userinfo",
    "host state": "host",
    "file host state": "host",
    "port state": "port",
    "path state": "path",
    "opaque path state": "path",
    "query state": "query",
    "fragment state": "fragment",
    "scheme start state": "url",
    "no scheme state": "scheme",
    "scheme state": "scheme",
    "special relative or authority state": "scheme",
    "special authority slashes state": "scheme",
    "special authority ignore slashes state": "scheme",
    "relative slash state": "authority",
    "file slash state": "authority",
    "relative state": "path",
    "file state": "path",
}
_INVALID_URL_UNIT = next(row for row, rule in enumerate(TABLE) if rule.code == "invalid-URL-unit")


def validate(
    url: str | bytes | URL, dialect: str = "rfc3986", base: str | bytes | URL | None = None
) -> list[Violation]:
    """Every rule of a dialect that a text breaks, in the order of the text.

    Args:
        url: judged as given. dialect: "rfc3986" (the current reference of the text's scheme), "rfc1738" (that
            document's own grammar) or "whatwg". base: what a relative reference is relative to (whatwg).

    Returns:
        violations of severity "fatal" (parse refuses, at most one), "error" (the text is not a valid URL
        string) or "warning"; none for a valid text.

    Raises:
        ValueError: no such dialect, or none that can be validated. ParseError: the base is no URL. PluginError: an
            installed plug-in's handler cannot be had. TypeError: not a text.

    https://url.spec.whatwg.org/#writing, or the reference of the scheme's handler
    """
    dialect_number(dialect)
    if dialect != "whatwg":
        from urlsm.meaning import violations_of_text

        if base is not None:
            raise ValueError(f"the dialect {dialect!r} takes no base here")
        return violations_of_text(url, dialect)
    entries, removed_from, result = logged(url, base, dialect)
    given = url if isinstance(url, (str, bytes)) else url.href
    where = positions(given, removed_from)
    found = [_violation(_INVALID_URL_UNIT, "url", position, "error") for position in _stray_octets(given)]
    fatal = False
    for number, row, is_fatal, start, _ in entries:
        if row >= 0:
            severity = "fatal" if is_fatal else "error"
            fatal |= is_fatal
            component = _component(TABLE[row].code, step_name(number))
            found.append(_violation(row, component, where[min(start, len(where) - 1)], severity))
    if not fatal and isinstance(result, ParseError):  # too long: no step was taken
        found.append(_violation(result.args[0], "url", result.position, "fatal"))
    return sorted(dict.fromkeys(found), key=lambda violation: violation.position)


def _component(code: str, state: str) -> str:
    """The component that the code names, else the one whose state saw it."""
    if code.startswith(("host-", "domain-", "IPv")):
        return "host"
    return _COMPONENT.get(state, "url")


def _violation(row: int, component: str, position: int, severity: str) -> Violation:
    rule = TABLE[row]
    return Violation(rule.code, component, position, severity, rule.reference, rule.message)


def _stray_octets(given: str | bytes) -> list[int]:
    """ "If input contains any leading or trailing C0 control or space", "any ASCII tab or newline"."""
    text = given.decode("latin-1") if isinstance(given, bytes) else given
    edge = "".join(map(chr, range(0x21)))
    start = len(text) - len(text.lstrip(edge))
    end = max(start, len(text.rstrip(edge)))
    found = [0] if start else []
    found += [k for k in range(start, end) if text[k] in "\t\n\r"]
    return [*found, end] if end < len(text) and start < len(text) else found
