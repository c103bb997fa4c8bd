"""The class Protego from protego 0.7, with the same results. (The results of urlsm.crawler.Robots follow RFC 9309.)

A rule set is compiled into one matcher when it is first used; protego itself loops over the patterns.
https://github.com/scrapy/protego
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import time
from math import isfinite

from urlsm.octets.records import NamedTuple
from urlsm.patterns.matcher import Matcher
from urlsm.patterns.rule import Rule
from urlsm.patterns.tables import Tables
from urlsm.stdlib import urlparse, urlsplit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from typing_extensions import Self

__all__ = ["Protego", "RequestRate", "VisitTime"]

_KINDS = {
    **dict.fromkeys(("user-agent", "useragent", "user agent"), "agent"),
    **dict.fromkeys(("disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"), "disallow"),
    **dict.fromkeys(("crawl-delay", "crawl delay"), "delay"),
    **dict.fromkeys(("request-rate", "request rate"), "rate"),
    **dict.fromkeys(("visit-time", "visit time"), "visit"),
    **dict.fromkeys(("sitemap", "sitemaps", "site-map"), "sitemap"),
    "allow": "allow",
    "host": "host",
}  # fmt: skip
_OF_THE_SITE = ("sitemap", "host")
_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
ABOUT = {  # for urlsm.about
    "directives of Protego": {
        "tables": "_KINDS",
        "source": "protego 0.7, with its misspellings",
        "version": "0.7",
        "date": "2026-11-23",
        "licence": "BSD-3-Clause",
        "used_by": "compat.protego",
    },
}
_INDEX = b"index.html"

# matches a URL whose path is compared as written: it has no query, and nothing to encode or decode
_COMPARED = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*://[^/?#]*)?(/(?!/)[A-Za-z0-9_.~/=-]*)")
_ESCAPE = re.compile(rb"%([0-9A-Fa-f]{2})")
_KEPT_OF_URLS = frozenset((b"2F", b"25"))  # the escapes of "/" and "%", which are not decoded
_KEPT_OF_RULES = _KEPT_OF_URLS | {b"2A"}
_ENCODED_OF_URLS = re.compile(rb"[^A-Za-z0-9_.~/%=-]")
_ENCODED_OF_RULES = re.compile(rb"[^A-Za-z0-9_.~/%=*-]")


class RequestRate(NamedTuple):
    """The rate of requests that a site allows: the result of `Protego.request_rate`.

    Attributes:
        requests: the number of requests.
        seconds: the number of seconds.
        start_time: the time of day (UTC) from which the rate applies; None if it always applies.
        end_time: the time of day (UTC) until which the rate applies, or None.

    Example:
        >>> RequestRate(1, 10, None, None).seconds
        10
    """

    requests: int
    seconds: int
    start_time: time | None
    end_time: time | None


class VisitTime(NamedTuple):
    """The times of day (UTC) between which a site may be visited: the result of `Protego.visit_time`.

    Attributes:
        start_time: the first time.
        end_time: the last time.

    Example:
        >>> from datetime import time
        >>> VisitTime(time(4), time(8, 45)).end_time
        datetime.time(8, 45)
    """

    start_time: time
    end_time: time


class Protego:
    """A robots.txt file as Protego reads it. Create one with Protego.parse(text).

    Example:
        >>> robots = Protego.parse("Sitemap: https://example.org/sitemap.xml")
        >>> list(robots.sitemaps)
        ['https://example.org/sitemap.xml']
    """

    def __init__(self) -> None:
        self._user_agents: dict[str, _RuleSet] = {}
        self._host: str | None = None
        self._sitemap_list: list[str] = []
        self._matched: dict[str, _RuleSet | None] = {}
        self._total_line_seen = 0
        self._total_directive_seen = 0
        self._invalid_directive_seen = 0

    @classmethod
    def parse(cls, content: str) -> Self:
        """Parse the content of a robots.txt file, and return a Protego.

        Args:
            content: the content of the file.

        Raises:
            TypeError: `content` is not a str.
            UnicodeEncodeError: a rule contains a lone surrogate.

        Example:
            >>> robots = Protego.parse("User-agent: *\\nDisallow: /private")
            >>> robots.can_fetch("https://example.org/private/x", "MyBot")
            False
        """
        if not isinstance(content, str):
            raise TypeError(f"Protego.parse expects str, got {type(content).__name__}")
        made = cls()
        made._read(content)
        return made

    def _read(self, content: str) -> None:
        group: list[_RuleSet] = []
        in_agents = True  # whether only lines for the whole site (_OF_THE_SITE) came after the last User-agent line
        for line in content.splitlines():
            self._total_line_seen += 1
            line = line.partition("#")[0].strip()
            read = _directive(line) if line else None
            if read is None:
                continue
            kind, value = read
            if kind == "agent" and not in_agents:
                group = []
            if kind not in _OF_THE_SITE:
                in_agents = kind == "agent"
            if not value or not (group or kind == "agent" or kind in _OF_THE_SITE):
                continue
            self._total_directive_seen += 1
            if kind == "agent":
                self._add_agent(value.lower(), group)
            elif kind == "sitemap":
                self._sitemap_list.append(value)
            elif kind == "host":
                self._host = value
            elif kind is None:
                self._invalid_directive_seen += 1
            else:
                for rules in group:
                    rules.take(kind, value)

    def _add_agent(self, name: str, group: list[_RuleSet]) -> None:
        """Add to the group the rule set for the name in a User-agent line, and the rule set for this name without its
        asterisks."""
        for agent in dict.fromkeys((name, name if name == "*" else name.replace("*", ""))):
            if not agent:
                continue
            rules = self._user_agents.get(agent)
            if rules is None:
                rules = self._user_agents[agent] = _RuleSet()
            if rules not in group:
                group.append(rules)

    def _rules(self, user_agent: str) -> _RuleSet | None:
        """Return the rule set for a user agent, or None. The name of the rule set is the longest name in the file that
        a word of the user agent's name begins with. The name "*" matches every user agent. If several names have the
        same length, the first in the file counts."""
        if user_agent not in self._matched:
            name = user_agent.strip().lower()
            best, found = 0, None
            for agent, rules in self._user_agents.items():
                score = 1 if agent == "*" else len(agent) * _is_named(agent, name)
                if score > best:
                    best, found = score, rules
            self._matched[user_agent] = found
        return self._matched[user_agent]

    def can_fetch(self, url: str, user_agent: str) -> bool:
        """Return whether a crawler may fetch a URL. The host is not compared.

        Args:
            url: the URL, or its path.
            user_agent: the name of the crawler.

        Raises:
            ValueError: urllib.parse rejects the URL.

        Example:
            >>> robots = Protego.parse("User-agent: *\\nDisallow: /private")
            >>> robots.can_fetch("https://example.org/", "MyBot")
            True
        """
        if "/robots.txt" in url and urlparse(url).path == "/robots.txt":
            return True
        rules = self._rules(user_agent) if self._user_agents else None
        return rules is None or rules.can_fetch(url)

    def crawl_delay(self, user_agent: str) -> float | None:
        """Return the number of seconds that must pass between two requests; None if the file gives no delay.

        Args:
            user_agent: the name of the crawler.

        Example:
            >>> Protego.parse("User-agent: *\\nCrawl-delay: 2").crawl_delay("MyBot")
            2.0
        """
        rules = self._rules(user_agent) if self._user_agents else None
        return rules.delay if rules else None

    def request_rate(self, user_agent: str) -> RequestRate | None:
        """Return the allowed rate of requests; None if the file gives no rate.

        Args:
            user_agent: the name of the crawler.

        Example:
            >>> Protego.parse("User-agent: *\\nRequest-rate: 1/10s").request_rate("MyBot")
            RequestRate(requests=1, seconds=10, start_time=None, end_time=None)
        """
        rules = self._rules(user_agent) if self._user_agents else None
        return rules.rate if rules else None

    def visit_time(self, user_agent: str) -> VisitTime | None:
        """Return the times between which the site may be visited; None if the file gives no times.

        Args:
            user_agent: the name of the crawler.

        Example:
            >>> Protego.parse("User-agent: *\\nVisit-time: 0400-0845").visit_time("MyBot")
            VisitTime(start_time=datetime.time(4, 0), end_time=datetime.time(8, 45))
        """
        rules = self._rules(user_agent) if self._user_agents else None
        return rules.visit if rules else None

    @property
    def sitemaps(self) -> Iterator[str]:
        """The URLs of sitemaps, in file order."""
        return iter(self._sitemap_list)

    @property
    def preferred_host(self) -> str | None:
        """The value of the last Host line."""
        return self._host

    @property
    def _valid_directive_seen(self) -> int:
        return self._total_directive_seen - self._invalid_directive_seen


class _RuleSet:
    """The rules of the file for one agent."""

    def __init__(self) -> None:
        self.patterns: list[tuple[bool, bytes]] = []  # for each rule: whether it allows, and the octets to compare
        self.matcher: Matcher | None = None  # made on first use: a file has many agents, but a crawler asks for one
        self.delay: float | None = None
        self.rate: RequestRate | None = None
        self.visit: VisitTime | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "matcher": None}

    def take(self, kind: str, value: str) -> None:
        """Add the rule on a line to this set. kind: a value in _KINDS. A rule value that cannot be read is ignored."""
        if kind in ("allow", "disallow"):
            if "$" in value:
                self.add(kind == "allow", value.replace("$", "%24"))
            self.add(kind == "allow", value)
            return
        try:
            if kind == "delay":
                seconds = float(value)
                if isfinite(seconds) and seconds >= 0:
                    self.delay = seconds
            elif kind == "rate":
                self.rate = _rate(value)
            elif kind == "visit":
                self.visit = _visit(value)
        except (ValueError, IndexError):
            pass

    def add(self, allow: bool, value: str) -> None:
        pattern = _compared_rule(value)
        if pattern:
            self.patterns.append((allow, pattern))
        if allow and pattern.endswith(b"/" + _INDEX):  # the folder's "/" is the same page, so allow this URL as well
            self.patterns.append((True, pattern.removesuffix(_INDEX) + b"$"))

    def can_fetch(self, url: str) -> bool:
        matcher = self.matcher or self._made()
        rule = matcher.decides_text(_compared_url(url))
        return rule < 0 or matcher.allows(rule)

    def _made(self) -> Matcher:
        """Create the matcher and return it. In the matcher, the longest pattern decides. If an Allow and a Disallow
        pattern have the same length, the Allow pattern decides."""
        order = sorted(dict.fromkeys(self.patterns), key=lambda row: (len(row[1]), row[0]))
        tables = Tables()
        for allow, pattern in order:
            if b"*" in pattern or b"$" in pattern:
                tables.add(Rule(allow=allow, checks=(("target", _program(pattern)),)))
            else:
                tables.add_prefix(allow, pattern)
        self.matcher = Matcher(tables, range(len(order)))
        return self.matcher


def _directive(line: str) -> tuple[str | None, str] | None:
    """Return (kind, value) for a line. kind is one of the values of _KINDS, or None if the name is unknown. Return None
    if the line is not a directive."""
    name, colon, rest = line.partition(":")
    if colon:
        name, value = name.strip().lower(), rest.strip()
        if name in _KINDS:
            return _KINDS[name], value
        if not rest or rest[0].isspace():
            return None, value
    words = line.split()
    for count in (1, 2):  # a space may end the name: "Disallow /x", "User agent foo"
        kind = _KINDS.get(" ".join(words[:count]).lower())
        if kind is not None:
            return kind, " ".join(words[count:])
    return (None, value) if colon else None


def _is_named(agent: str, name: str) -> bool:
    """Return whether a word of `name` begins with `agent`."""
    at = name.find(agent)
    while at > 0 and (name[at - 1].isalnum() or name[at - 1] in "-_"):
        at = name.find(agent, at + 1)
    return at >= 0


# --- the forms of URLs and rules that are compared --------------------------------------------------------


def _folded(text: str, kept: frozenset[bytes], encoded: re.Pattern[bytes]) -> bytes:
    """Return the bytes of a string in the form that is compared. First, all escapes except those in `kept` are decoded;
    then each byte that `encoded` matches is escaped."""

    def decoded(escape: re.Match[bytes]) -> bytes:
        digits = escape[1].upper()
        return b"%" + digits if digits in kept else bytes.fromhex(digits.decode())

    octets = text.encode()
    if b"%" in octets:
        octets = _ESCAPE.sub(decoded, octets).decode("utf-8", "replace").encode()
    return encoded.sub(lambda found: b"%%%02X" % found[0][0], octets)


def _compared_url(url: str) -> bytes:
    plain = _COMPARED.fullmatch(url)
    if plain:
        return plain[1].encode()
    url = url.partition("#")[0]
    parts = urlsplit(url)
    target = f"{parts.path}?{parts.query}" if "?" in url else parts.path
    octets = _folded(target, _KEPT_OF_URLS, _ENCODED_OF_URLS)
    return octets if octets.startswith(b"/") else b"/" + octets


def _compared_rule(value: str) -> bytes:
    """Return a rule in the form that is compared. A "*", and a "$" at the end, stay as written. A rule that is a whole
    URL is compared as a path, which is "/" and then the URL."""
    if value.startswith(("https://", "http://")):
        value = f"/{value}"
    anchor = b"$" if value.endswith("$") else b""
    return _folded(value.removesuffix("$"), _KEPT_OF_RULES, _ENCODED_OF_RULES) + anchor


def _program(pattern: bytes) -> tuple[Any, ...]:
    ends = pattern.endswith(b"$")
    first, *others = (pattern[:-1] if ends else pattern).split(b"*")
    program: list[Any] = [first]
    for piece in others:
        program += ("*", piece) if piece else ("*",)
    return (*program, "$") if ends else tuple(program)


# --- values -------------------------------------------------------------------------------------------------


def _rate(value: str) -> RequestRate:
    """Return the rate in a string such as "1/10", "1/10m" or "1/10s 1300-1659". Raises ValueError or IndexError if the
    text is not a rate."""
    rate, *period = value.split()
    given, _, per = rate.partition("/")
    unit = per[-1].lower()
    requests, count = int(given), int(per[:-1] if unit in _UNITS else per)
    if requests <= 0 or count <= 0:
        raise ValueError("a rate must be positive")
    start, end = _period(period[0], "-") if len(period) == 1 else (None, None)
    return RequestRate(requests, count * _UNITS.get(unit, 1), start, end)


def _visit(value: str) -> VisitTime:
    """Return the times in a string such as "0400-0845" or "0400 0845". Raises ValueError for any other string."""
    try:
        return VisitTime(*_period(value, "-"))
    except ValueError:
        return VisitTime(*_period(value, " "))


def _period(text: str, separator: str) -> tuple[time, time]:
    start, end = text.split(separator)
    return _time(start.strip()), _time(end.strip())


def _time(text: str) -> time:
    """Return the time in a string with the form HMM or HHMM. Raises ValueError for any other string."""
    if not (3 <= len(text) <= 4 and text.isascii() and text.isdigit()):
        raise ValueError(text)
    return time(int(text[:-2]), int(text[-2:]))
