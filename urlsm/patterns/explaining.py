"""Explains why a URL is in a set or not: names the pattern that decided, or the nearest pattern and what it does not
match."""

from __future__ import annotations

import re

from urlsm.octets.records import NamedTuple
from urlsm.patterns.matcher import fits
from urlsm.patterns.rule import BELOW, EXACT, Rule, prefix_of
from urlsm.security.comparison import text_of
from urlsm.url.value import URL, try_parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from urlsm.patterns.sets import PatternSet
    from urlsm.url.value import StrOrURL

__all__ = ["Explanation", "explained"]

# the order in which components are compared; the nearest pattern is the one that agrees with the most of them
_ORDER = ("host", "scheme", "port", "userinfo", "path", "query", "fragment")
_OF_CHECK = {
    **{"protocol": "scheme", "username": "userinfo", "password": "userinfo", "hostname": "host", "port": "port"},
    **{"search": "query", "query": "query", "hash": "fragment"},
}
_PARTS = re.compile(
    r"([^:/?#]*:)?(//(?:[^/?#]*@)?)?(\[[^\]/?#]*\]?|[^:/?#]*)(:[^/?#]*)?([^?#]*)(\?[^#]*)?(#.*)?", re.DOTALL
)
_GROUPS = ("scheme", "userinfo", "host", "port", "path", "query", "fragment")


class Explanation(NamedTuple):
    """The reason why a URL is or is not in a PatternSet.

    Attributes:
        included: whether the URL is in the set.
        pattern: the pattern that decided, or the nearest pattern; None if there is none.
        exception: whether a pattern excluded the URL.
        component: the component that the nearest pattern does not match: "host", "scheme", "port", "userinfo", "path",
            "query" or "fragment". It is "url" if the text is not a URL or if parsers disagree about it, and None if a
            pattern decided or if there is no nearest pattern.
        position: where that component begins to differ, as a character index in the URL's normal form (for redirect-uri
            and robots, in the URL as given).
        message: the reason in words, with a caret below the position. str() returns the same text.

    Example:
        >>> why = PatternSet(["example.com"]).explain("https://www.example.com/")
        >>> why.included, why.pattern, why.message
        (True, 'example.com', "'example.com' puts it in (line 1)")
    """

    included: bool
    pattern: str | None
    exception: bool
    component: str | None
    position: int
    message: str

    def __str__(self) -> str:
        return self.message


Explanation.__module__ = "urlsm.patterns"


def explained(patterns: PatternSet, url: StrOrURL, source: StrOrURL | None, type: str | None) -> Explanation:
    rule = patterns._decides(url, source, type)
    included = patterns._says(rule)
    if rule >= 0:
        number = patterns._matcher.pattern_of(rule)
        pattern = patterns._texts[number]
        exception = number >= patterns._count or not patterns._matcher.allows(rule)
        how = "takes it out" if exception else "puts it in"
        said = f"{pattern!r} {how} (line {patterns._lines[number]})"
        return Explanation(included, pattern, exception, None, 0, said)
    given = text_of(url)
    read = url if isinstance(url, URL) else try_parse(url)
    of_texts = patterns._syntax.reads is not None or patterns._prover is not None
    if rule == -2 or (read is None and patterns._prover is None):
        why = (
            "this is not a URL"
            if read is None and patterns._prover is None
            else "URL parsers disagree about it, or its path may leave the allowed directory"
        )
        return Explanation(included, None, False, "url", 0, _with_caret(why, given, 0))
    if included:
        return Explanation(True, None, False, None, 0, "no pattern matches, so it is in the set")
    if patterns._syntax.types is not None:  # in a list of filters, the nearest filter would not help anybody
        return Explanation(False, None, False, None, 0, "no pattern matches")
    shown = given if of_texts or read is None else read.href
    spans = _spans(shown)
    nearest: tuple[int, int, int, int, str] | None = None
    for number in range(patterns._count):
        for made in patterns._rules(number):
            component, position = (
                _refused_text(patterns, made, given) if of_texts or read is None else _refused(made, read)
            )
            component = component or _at(spans, position)
            order = 0 if of_texts else _ORDER.index(component)
            place = (order, -position if component == "host" and not of_texts else position, -number)
            if nearest is None or place > nearest[:3]:
                nearest = (*place, position, component)
    if nearest is None:
        return Explanation(included, None, False, None, 0, "there are no patterns")
    _, _, number, position, component = nearest
    pattern = patterns._texts[-number]
    why = f"no pattern matches; the closest, {pattern!r}, differs in the {component}"
    return Explanation(included, pattern, False, component, position, _with_caret(why, shown, position))


def _with_caret(why: str, text: str, position: int) -> str:
    from urlsm.errors.excerpt import with_caret

    return f"{why}\n{with_caret(text, position)}"


def _spans(text: str) -> dict[str, tuple[int, int]]:
    """Return the span of each component of a URL, including the delimiter before it."""
    found = _PARTS.match(text)
    assert found is not None
    spans = {name: found.span(number) for number, name in enumerate(_GROUPS, 1)}
    if spans["userinfo"][0] < 0:  # without "//" there is no authority
        spans["path"] = (spans["host"][0], spans["path"][1])
        del spans["host"], spans["port"]
    return spans


def _at(spans: dict[str, tuple[int, int]], position: int) -> str:
    """Return the component that contains a position. The position at the end of a component belongs to the next
    component. User information counts as part of the host."""
    for name, (start, end) in spans.items():
        if start <= position < end:
            return name if name != "userinfo" else "host"
    return max((name for name, (start, _) in spans.items() if start >= 0), key=lambda name: spans[name][1])


def _agreed(program: tuple[object, ...], text: str) -> int:
    """Return how many characters of a text match the literal at the beginning of a program."""
    prefix = prefix_of(program).decode("latin-1")
    k = 0
    while k < len(prefix) and k < len(text) and prefix[k] == text[k]:
        k += 1
    return k


def _refused_text(patterns: PatternSet, rule: Rule, given: str) -> tuple[str, int]:
    """Return the result of _refused for a syntax that compares whole strings. The component is always "", so the caller
    finds it from the position."""
    reads = patterns._syntax.reads
    octets = given.encode("utf-8", "surrogatepass") if reads is None else reads(given, patterns._options)
    text = (octets or b"").decode("latin-1")
    return "", _agreed(rule.checks[0][1], text) if rule.checks and len(text) == len(given) else 0


def _refused(rule: Rule, url: URL) -> tuple[str, int]:
    """Return the first component in _ORDER that a rule does not match, and its position in the URL. If the component is
    "", the caller must find it from the position. There is always such a component, because no rule of the set
    matches."""
    spans = _spans(url.href)
    host_at = spans["host"][0] if "host" in spans else 0
    if not fits(Rule(host=rule.host), url):
        return "host", _host_position(rule, url, host_at)
    if not fits(Rule(schemes=rule.schemes), url):
        return "scheme", 0
    if not fits(Rule(ports=rule.ports), url):
        return "port", host_at + len(url.host or "")
    refused = [check for check in rule.checks if not fits(Rule(checks=(check,)), url)]
    path_at = spans["path"][0]
    for kind, program in sorted(refused, key=lambda check: _ORDER.index(_OF_CHECK.get(check[0], "path"))):
        if kind == "path":
            return "path", path_at + _agreed(program, url.href[path_at:])
        if kind in ("target", "whole", "href"):
            start = path_at if kind == "target" else 0
            return "", start + _agreed(program, url.href[start:])
        name = _OF_CHECK[kind]
        start = spans.get(name, (-1,))[0]
        return name, start if start >= 0 else len(url.href) if name in ("query", "fragment") else host_at
    return "path", path_at


def _host_position(rule: Rule, url: URL, host_at: int) -> int:
    """Return where the URL's host begins to differ from the rule's host. Both are compared from the end, as domain
    names are."""
    how, key = rule.host
    host = (url.host or "").removesuffix(".")
    if key[0] < 8:
        return host_at
    name = key.decode("latin-1")
    k = 0
    while k < len(name) and k < len(host) and name[-1 - k] == host[-1 - k]:
        k += 1
    return host_at + len(host) - k - (k < len(host) and how in (EXACT, BELOW)) if k < len(host) else host_at
