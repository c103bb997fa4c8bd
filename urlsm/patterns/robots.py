"""robots.txt: the syntax "robots", for the lines of one group; and Robots, a whole file as RFC 9309 reads it."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator

from urlsm.errors.masking import without_secrets
from urlsm.octets.records import NamedTuple
from urlsm.patterns.errors import PatternError
from urlsm.patterns.matcher import Matcher
from urlsm.patterns.robots_lines import AGENT, ALLOW, DELAY, DISALLOW, RATE, SITEMAP, Paths, folded, key_of
from urlsm.patterns.rule import Rule
from urlsm.patterns.syntax import Syntax
from urlsm.url.value import URL, parse, try_parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from urlsm.patterns.errors import LintFinding
    from urlsm.url.value import StrOrURL

__all__ = ["SYNTAX", "RequestRate", "Robots", "folded"]

_LONE = re.compile("[\ud800-\udc7f\udd00-\udfff]")  # lone surrogates, except those that stand for an octet
_PRODUCT = re.compile(r"[A-Za-z_-]*")
_PRODUCT_ALONE = re.compile(r"([A-Za-z_-]+)(?:\s*$|[^A-Za-z_\s-])")
# a version may follow a name with a dot: "my.crawler/2.1"
_URL_OR_PATH = re.compile(
    r"/|[a-z][a-z0-9+.-]*://|(?:[a-z0-9-]+\.)+[a-z]{2,}(?::[0-9]+)?/(?!v?[0-9])\S*\Z", re.ASCII | re.IGNORECASE
)
_RATE = re.compile(r"(\d+)\s*/\s*(\d*)\s*([smhd]?)\s*(?:(\d{2}):?(\d{2})\s*-\s*(\d{2}):?(\d{2}))?", re.ASCII)
_SECONDS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}


def target_of(url: StrOrURL) -> bytes | None:
    """Return the path and query to compare with rules, or None for a string that is not a URL. A string that begins
    with a single "/" is read as a path and query."""
    if isinstance(url, str) and url[:1] == "/" and url[1:2] != "/":
        read = try_parse(url, base="https://h/")
    else:
        read = url if isinstance(url, URL) else try_parse(url)
    if read is None:
        return None
    query = read.query
    path = read.path if read.path[:1] == "/" else f"/{read.path}"
    return folded((path if query is None else f"{path}?{query}").encode())


def path_rules(allow: bool, path: bytes) -> Iterator[Rule]:
    """Yield the rules for a line. The weight of a rule is the length of its path. The longest path decides; if two
    paths have the same length, the path of an Allow line decides (section 2.2.2). As in Google's parser, a line that
    allows "/d/index.html" also allows "/d/"."""
    if not path:
        return
    ends = path.endswith(b"$")
    pieces = [folded(piece) for piece in (path[:-1] if ends else path).split(b"*")]
    program: list[Any] = [pieces[0]]
    for piece in pieces[1:]:
        program += ("*", piece)
    if ends:
        program.append("$")
    weight = sum(map(len, pieces)) + len(pieces) - 1 + ends
    yield Rule(allow=allow, checks=(("target", tuple(program)),), weight=weight)
    directory, slash, name = path.rpartition(b"/")
    if allow and slash and name.startswith(b"index.htm"):
        yield from path_rules(True, directory + b"/$")


# --- the lines of one group --------------------------------------------------------------------------


def rules(pattern: str, options: dict[str, Any]) -> Iterator[Rule]:
    """Yield the rules for a line such as "Allow: /a*b$" or "Disallow: /"."""
    found = key_of(pattern.encode("utf-8", "surrogatepass" if _LONE.search(pattern) else "surrogateescape"))
    if found is None and pattern.startswith("<"):
        raise PatternError("unreadable", "this is an HTML page, not a robots.txt file", pattern)
    if found is None or found[0] not in (ALLOW, DISALLOW):
        raise PatternError("not-a-rule", "a rule must start with Allow: or Disallow:", pattern)
    return path_rules(found[0] == ALLOW, found[1])


def reads(text: str, options: dict[str, Any]) -> bytes | None:
    return target_of(text)


SYNTAX = Syntax("robots", rules=rules, precedence="longest", otherwise=True, reads=reads, closes=True)


# --- a whole file --------------------------------------------------------------------------------------


class RequestRate(NamedTuple):
    """The rate of requests that a robots.txt file allows.

    Attributes:
        requests: the number of requests.
        seconds: the number of seconds.
        start: the time of day from which the rate applies ("HHMM", UTC). None: always.
        end: the time of day until which the rate applies ("HHMM", UTC). None: always.

    Example:
        >>> from urlsm.crawler import Robots
        >>> Robots("User-agent: *\\nRequest-rate: 1/10").request_rate("my-crawler")
        RequestRate(requests=1, seconds=10, start=None, end=None)
    """

    requests: int
    seconds: int
    start: str | None
    end: str | None


RequestRate.__module__ = "urlsm.crawler"


class _Group:
    """The lines of a group: its paths (numbered from `start` up to, but not including, `stop`), a delay and a rate."""

    __slots__ = ("delay", "rate", "start", "stop")

    def __init__(self, start: int) -> None:
        self.start = self.stop = start
        self.delay: float | None = None
        self.rate: RequestRate | None = None


class Robots(Paths):
    """A robots.txt file, read according to RFC 9309, or as Google reads it where the RFC is silent. Any text is
    accepted.

    All groups that name an agent's product token apply to the agent; case is ignored. If there are none, the groups for
    "*" apply. The longest rule that matches a path decides. If an Allow and a Disallow rule have the same length, Allow
    decides. "/robots.txt" itself is always allowed.

    Args:
        text: the file, as str or bytes. Bytes are UTF-8, or UTF-16 if they begin with its byte order mark.
        url: the URL of the file, after redirects. Sitemaps are resolved against it.

    Attributes:
        sitemaps: the URLs in the Sitemap lines, in order and without duplicates. If `url` is given, they are resolved,
            and values that are not URLs are left out. Otherwise they are unchanged.

    Raises:
        ParseError: `url` is not a URL.
        TypeError: an argument has the wrong type.

    Example:
        >>> robots = Robots("User-agent: *\\nDisallow: /private\\nCrawl-delay: 2")
        >>> robots.allows("/private/x", "my-crawler"), robots.crawl_delay("my-crawler")
        (False, 2.0)

    RFC 9309
    """

    __slots__ = ("_groups", "_made", "_url", "sitemaps")

    def __init__(self, text: str | bytes = b"", *, url: StrOrURL | None = None) -> None:
        if isinstance(text, str):  # call str's own method, because a subclass may override it
            text = str.encode(text, "utf-8", "surrogatepass")
        elif not isinstance(text, bytes):
            raise TypeError(f"text must be str or bytes, not {type(text).__name__}")
        text = bytes.__getitem__(text, slice(None))
        if text.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            text = text.decode("utf-16", "replace").encode("utf-8", "replace")
        base = None if url is None else parse(url)
        self._url: str | None = None if base is None else base.href
        self._groups: dict[str, list[_Group]] = {}
        self._made: dict[str, Matcher] = {}
        sitemaps: dict[str, None] = {}
        group: _Group | None = None
        lines, count = self._read(text)
        for key, value, paths in lines:
            if key == AGENT:
                if group is None or paths > group.start:  # an Allow or Disallow line has ended the list of agents
                    if group is not None:
                        group.stop = paths
                    group = _Group(paths)
                groups = self._groups.setdefault(_token(value), [])
                if not groups or groups[-1] is not group:
                    groups.append(group)
            elif key == SITEMAP:
                sitemap = value.decode("utf-8", "replace")
                found = try_parse(sitemap, base=base) if sitemap and base is not None else None
                if found is not None:
                    sitemap = found.href
                if sitemap and (found is not None or base is None):
                    sitemaps[sitemap] = None
            elif group is None:
                continue
            elif key == DELAY:
                group.delay = _number(value, group.delay)
            elif key == RATE:
                group.rate = _rate(value) or group.rate
        if group is not None:
            group.stop = count
        self.sitemaps: tuple[str, ...] = tuple(sitemaps)

    @classmethod
    def for_status(cls, status: int | None, text: str | bytes = b"", *, url: StrOrURL | None = None) -> Robots:
        """Return the rules to obey after a request for robots.txt.

        After a 2xx status, the rules come from the text. A 4xx status, or a 3xx status (after more than five
        redirects), allows everything; a 5xx status allows nothing. If the file is unreachable for a long time, a
        crawler may treat this like a 4xx status.

        Args:
            status: the status of the response; None if there was no response.
            text: the content of the response.
            url: as for Robots.

        Raises:
            ParseError: `url` is not a URL.
            TypeError: an argument has the wrong type.

        Example:
            >>> Robots.for_status(404).allows("/a", "my-crawler"), Robots.for_status(503).allows("/a", "my-crawler")
            (True, False)

        RFC 9309 section 2.3.1
        """
        if status is not None and 200 <= status < 300:
            return cls(text, url=url)
        if status is not None and 300 <= status < 500:
            return cls(url=url)
        return cls("User-agent: *\nDisallow: /\n", url=url)

    def _found(self, agent: str, header: bool, hint: str = "") -> str:
        """Return the name of the groups that an agent must obey. The name is "*" if no group names the agent, or if
        `agent` has two words and is therefore not a product token. header: whether `agent` is a User-Agent header. The
        first word in it that names a group is used. hint: the end of the message if `agent` is a URL or a path."""
        if not isinstance(agent, str):
            raise TypeError(f"agent must be str, not {type(agent).__name__}")
        if _URL_OR_PATH.match(agent):
            shown = without_secrets(agent)[:100]
            raise ValueError(f"agent must be the crawler's name, not {shown!r}{hint}")
        if header:
            names = re.findall(r"[A-Za-z_-]+", agent)
            return next((name.lower() for name in names if name.lower() in self._groups), "*")
        found = _PRODUCT_ALONE.match(agent)
        name = "*" if found is None else found[1].lower()
        return name if name in self._groups else "*"

    def _rules_for(self, agent: str, header: bool) -> Matcher:
        name = self._found(agent, header, ": the URL comes first")
        rules = self._made.get(name)
        if rules is None:
            spans = [(group.start, group.stop) for group in self._groups.get(name, ())]
            rules = self._made[name] = self._compiled(spans, path_rules)
        return rules

    _target_of = staticmethod(target_of)

    def rules(self, agent: str, *, header: bool = False) -> list[tuple[bool, str]]:
        """Return a tuple (allowed, path) for each line that the agent must obey, in file order.

        Args:
            agent: the crawler's product token or, if `header` is true, its User-Agent header.
            header: whether `agent` is a User-Agent header. The first word in it that names a group is used.

        Raises:
            TypeError: `agent` is not a str.
            ValueError: `agent` is a URL or a path.

        Example:
            >>> Robots("User-agent: *\\nDisallow: /x\\nAllow: /x/y").rules("my-crawler")
            [(False, '/x'), (True, '/x/y')]
        """
        name = self._found(agent, header)
        return [(allow, path.decode("utf-8", "replace")) for group in self._groups.get(name, ())
                for allow, path in self._paths(group.start, group.stop)]  # fmt: skip

    def crawl_delay(self, agent: str, *, header: bool = False) -> float | None:
        """Return the number of seconds to wait between two requests (Crawl-delay), or None if the file gives no delay.

        Args:
            agent: the crawler's product token or, if `header` is true, its User-Agent header.
            header: whether `agent` is a User-Agent header. The first word in it that names a group is used.

        Raises:
            TypeError: `agent` is not a str.
            ValueError: `agent` is a URL or a path.

        Example:
            >>> Robots("User-agent: *\\nCrawl-delay: 2").crawl_delay("my-crawler")
            2.0
        """
        groups = self._groups.get(self._found(agent, header), ())
        return next((group.delay for group in reversed(groups) if group.delay is not None), None)

    def request_rate(self, agent: str, *, header: bool = False) -> RequestRate | None:
        """Return the rate of requests that the agent may make (Request-rate), or None if the file gives no rate.

        Args:
            agent: the crawler's product token or, if `header` is true, its User-Agent header.
            header: whether `agent` is a User-Agent header. The first word in it that names a group is used.

        Raises:
            TypeError: `agent` is not a str.
            ValueError: `agent` is a URL or a path.

        Example:
            >>> Robots("User-agent: *\\nRequest-rate: 1/10").request_rate("my-crawler")
            RequestRate(requests=1, seconds=10, start=None, end=None)
        """
        groups = self._groups.get(self._found(agent, header), ())
        return next((group.rate for group in reversed(groups) if group.rate is not None), None)

    def lint(self, *, hints: bool = False, ignore: Iterable[str] = ()) -> tuple[LintFinding, ...]:
        """Return findings about lines that have no effect, or do not mean what their author intended.

        Args:
            hints: as for PatternSet.lint.
            ignore: as for PatternSet.lint.

        Example:
            >>> [finding.code for finding in Robots("User-agent: *\\nDisalow: /x").lint()]
            ['mistyped-key']
        """
        from urlsm.patterns.linting import linted_robots

        return linted_robots(self._text, hints, ignore)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Robots):
            return NotImplemented
        return self._text == other._text and self._url == other._url

    def __hash__(self) -> int:
        return hash((self._text, self._url))

    def __reduce__(self) -> tuple[object, ...]:
        return _robots, (self._text, self._url)

    def __repr__(self) -> str:
        return f"Robots(<{len(self._text)} bytes, {len(self._groups)} agents>)"


Robots.__module__ = "urlsm.crawler"


def _robots(text: bytes, url: str | None) -> Robots:
    """Return the Robots that a pickle describes."""
    return Robots(text, url=url)


def _token(value: bytes) -> str:
    """Return the product token of a User-agent line, in lower case. The token of "* and more" is "*"."""
    if value == b"*":
        return "*"
    text = value.decode("utf-8", "replace")
    if text[:1] == "*" and text[1].isspace():
        return "*"
    return _PRODUCT.match(text)[0].lower()  # type: ignore[index]


def _number(value: bytes, otherwise: float | None) -> float | None:
    try:
        number = float(value)
    except ValueError:
        return otherwise
    return number if 0 <= number < float("inf") else otherwise


def _rate(value: bytes) -> RequestRate | None:
    found = _RATE.match(value.decode("latin-1"))
    if found is None:
        return None
    start, end = (None, None) if found[4] is None else (found[4] + found[5], found[6] + found[7])
    return RequestRate(int(found[1][:9]), int((found[2] or "1")[:9]) * _SECONDS[found[3]], start, end)
