"""Why a URL is in a set, or not: the pattern that decided, or the nearest one and which component it refuses."""

from __future__ import annotations

from urlsm.octets.records import NamedTuple
from urlsm.patterns.matcher import fits
from urlsm.patterns.program import Program
from urlsm.patterns.rule import BELOW, EXACT, Rule, prefix_of
from urlsm.security.comparison import text_of
from urlsm.url.value import URL, try_parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from urlsm.patterns.sets import PatternSet
    from urlsm.url.value import StrOrURL

__all__ = ["Explanation", "explained"]

_ORDER = ("host", "scheme", "port", "path")  # the nearest pattern is the one that refuses the last of these


class Explanation(NamedTuple):
    """What decided about a URL.

    Attributes:
        included: is it in the set? pattern: the one that decided, or the nearest; None: there is none. exception: did a
        pattern take it out? component: which the nearest refuses ("host", "scheme", "port", "path"; "url": it is none,
        or readers do not read it alike); None where a pattern decided. position: where that begins in the URL's normal
        form, in characters. text: the same for people, with a caret.
    """

    included: bool
    pattern: str | None
    exception: bool
    component: str | None
    position: int
    text: str

    def __str__(self) -> str:
        return self.text


def explained(patterns: PatternSet, url: StrOrURL) -> Explanation:
    included = url in patterns
    rule = patterns._decides(url)
    if rule >= 0:
        number = patterns._matcher.pattern_of(rule)
        pattern = patterns._texts[number]
        exception = number >= patterns._count or not patterns._matcher.allows(rule)
        how = "takes it out" if exception else "puts it in"
        said = f"{pattern!r} {how} (line {patterns._lines[number]})"
        return Explanation(included, pattern, exception, None, 0, said)
    given = text_of(url)
    read = url if type(url) is URL else try_parse(url)
    if read is None or rule == -2:
        why = "it is not a URL" if read is None else "readers of URLs do not read it alike, or its path climbs"
        return Explanation(included, None, False, "url", 0, _with_caret(why, given, 0))
    nearest: tuple[int, int, str, int] | None = None
    for number in range(patterns._count):
        for made in patterns._rules(number):
            component, position = _refused(made, read)
            place = (_ORDER.index(component), position, patterns._texts[number], -number)
            if nearest is None or (place[:2], place[3]) > (nearest[:2], nearest[3]):
                nearest = place
    if nearest is None:
        return Explanation(included, None, False, None, 0, "there is no pattern")
    at, position, pattern, _ = nearest
    why = f"no pattern matches; the nearest, {pattern!r}, refuses its {_ORDER[at]}"
    return Explanation(included, pattern, False, _ORDER[at], position, _with_caret(why, read.href, position))


def _with_caret(why: str, text: str, position: int) -> str:
    from urlsm.errors.excerpt import with_caret

    return f"{why}\n{with_caret(text, position)}"


def _refused(rule: Rule, url: URL) -> tuple[str, int]:
    """The first component that a rule refuses, by _ORDER, and where in the URL it does. One does: the rule is of a set
    that no rule of which matches."""
    scheme_end = url.href.find(":")
    start = scheme_end + 3
    authority = url.href[start:].partition("/")[0] if url.host is not None else ""
    host_at = start + authority.rfind("@") + 1
    if not fits(Rule(host=rule.host), url):
        return "host", _host_position(rule, url, host_at)
    if not fits(Rule(schemes=rule.schemes), url):
        return "scheme", 0
    if not fits(Rule(ports=rule.ports), url):
        return "port", host_at + len(url.host or "")
    path_at = host_at + len(authority.rpartition("@")[2]) if url.host is not None else scheme_end + 1
    for kind, program in rule.checks:
        if kind in ("target", "path"):
            text = url.href[path_at:]
            prefix = prefix_of(program).decode("latin-1")
            k = 0
            while k < len(prefix) and k < len(text) and prefix[k] == text[k]:
                k += 1
            return "path", path_at + k
        if kind == "hostname" and not Program(program).matches(url.host or ""):
            return "host", host_at
    return "path", path_at


def _host_position(rule: Rule, url: URL, host_at: int) -> int:
    """Where the host begins to differ, read from its end as a domain is."""
    how, key = rule.host
    host = (url.host or "").removesuffix(".")
    if key[0] < 8:
        return host_at
    name = key.decode("latin-1")
    k = 0
    while k < len(name) and k < len(host) and name[-1 - k] == host[-1 - k]:
        k += 1
    return host_at + len(host) - k - (k < len(host) and how in (EXACT, BELOW)) if k < len(host) else host_at
