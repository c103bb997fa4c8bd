"""Syntax: a record that defines how the lines of a list are read, and what they mean together."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from urlsm.octets.later import import_from
from urlsm.octets.records import NamedTuple
from urlsm.patterns.errors import PatternError
from urlsm.patterns.hosts import network_key, plain_key
from urlsm.url.value import try_parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from urlsm.patterns.rule import Rule

__all__ = [
    "GROUP",
    "NAMES",
    "PRECEDENCES",
    "Syntax",
    "codes_of",
    "find",
    "host_key",
    "hostname_check",
    "ignored_of",
    "lines_of",
]

# other distributions announce a syntax by an entry point in this group: the entry point has the name of the syntax, and
# loads the Syntax
GROUP = "urlsm.syntaxes"
PRECEDENCES = ("any", "first", "last", "longest", "specific")

_BUILT_IN = {
    "adblock": "urlsm.patterns.adblock",
    "blocklist": "urlsm.patterns.blocklist",
    "csp": "urlsm.patterns.csp",
    "domains": "urlsm.patterns.domains",
    "glob": "urlsm.patterns.globs",
    "hosts": "urlsm.patterns.hosts_files",
    "match-pattern": "urlsm.patterns.match_patterns",
    "no-proxy": "urlsm.patterns.proxies",
    "origins": "urlsm.patterns.origins",
    "redirect-uri": "urlsm.patterns.redirect_uris",
    "robots": "urlsm.patterns.robots",
    "surt": "urlsm.patterns.surts",
    "uri-template": "urlsm.patterns.template_sets",
    "urlpattern": "urlsm.patterns.url_patterns",
}
NAMES = tuple(_BUILT_IN)


class _Fields(NamedTuple):
    name: str
    rules: Callable[[str, dict[str, Any]], Iterable[Rule]]
    options: dict[str, Any]
    precedence: str
    blocks: bool
    careful: bool
    otherwise: bool
    reads: Callable[[str, dict[str, Any]], bytes | None] | None
    comments: tuple[str, ...]
    separator: str
    closes: bool
    contest: bool
    groups: Callable[[str, object, dict[str, Any]], dict[str, str | None]] | None
    flavors: dict[str, Syntax]
    types: dict[str, int] | None
    folds: bool
    withdrawn: Callable[[Sequence[str]], Iterable[int]] | None
    names: tuple[str, str, Rule] | None
    prover: Callable[[Any, Sequence[str], int, dict[str, Any]], Any] | None


class Syntax(_Fields):
    """A definition of how the lines of a list are read, and what they mean together.

    Args:
        name: the name by which PatternSet finds the syntax.
        rules: (pattern, options) -> the Rules of one pattern. It raises PatternError for an invalid pattern.
        options: the options of the syntax, with their default values.
        precedence: which pattern decides if several match: "any", "first", "last", "longest" or "specific".
        blocks: whether a list is a block list. A block list matches all text that is not a URL, and all ambiguous URLs
            unless ambiguous="match" is given.
        careful: whether URLs that parsers read differently are left out, unless ambiguous="match" is given.
        otherwise: whether a URL is in the set if no pattern matches.
        reads: (text of the URL, options) -> the bytes to compare patterns with, or None if nothing can match. None:
            patterns are compared with the URL.
        comments: the strings that begin a comment line.
        separator: the separator between patterns in a list as text: "" for line breaks, " " for any white space.
        closes: whether a pattern in `exclude` also excludes other spellings of a URL if `ambiguous` is "match".
        contest: whether `precedence` also decides between patterns in `exclude` and the others. If not, patterns in
        `exclude` decide first.
        groups: (pattern, URL, options) -> the text that each of the pattern's named groups matched.
        flavors: the syntax to use for each value of the option `flavor`.
        types: the bit for each type of request, with "other" for all other names. None: patterns do not depend on the
            type of a request or the page that makes it.
        folds: whether to ignore case.
        withdrawn: (patterns) -> the indexes of patterns that other patterns in the list disable.
        names: (beginning, end, Rule). A line that consists of a name between these two strings means this Rule with the
            name as its host, so `rules` is not called. The Rule's own host specifies EXACT, BELOW or BOTH; None means
            BOTH.
        prover: (matcher, patterns, number of patterns not in `exclude`, options) -> an object that decides whether the
            patterns that rules select match. None: rules decide.

    Example:
        >>> ports = Syntax("ports", rules=lambda pattern, options: [Rule(ports=((int(pattern), int(pattern)),))])
        >>> "https://example.com:8443/" in PatternSet(["8443"], ports)
        True
    """

    __slots__ = ()

    def __new__(
        cls,
        name: str,
        *,
        rules: Callable[[str, dict[str, Any]], Iterable[Rule]],
        options: dict[str, Any] | None = None,
        precedence: str = "any",
        blocks: bool = False,
        careful: bool = False,
        otherwise: bool = False,
        reads: Callable[[str, dict[str, Any]], bytes | None] | None = None,
        comments: tuple[str, ...] = ("#",),
        separator: str = "",
        closes: bool = False,
        contest: bool = False,
        groups: Callable[[str, object, dict[str, Any]], dict[str, str | None]] | None = None,
        flavors: dict[str, Syntax] | None = None,
        types: dict[str, int] | None = None,
        folds: bool = False,
        withdrawn: Callable[[Sequence[str]], Iterable[int]] | None = None,
        names: tuple[str, str, Rule] | None = None,
        prover: Callable[[Any, Sequence[str], int, dict[str, Any]], Any] | None = None,
    ) -> Syntax:
        if isinstance(comments, str | bytes):
            raise TypeError(f"comments must be a tuple of str, not {type(comments).__name__}")
        if isinstance(names, str | bytes):
            raise TypeError(f"names must be a tuple or None, not {type(names).__name__}")
        fields = (
            *(name, rules, options or {}, precedence, blocks, careful, otherwise, reads, comments, separator, closes),
            *(contest, groups, flavors or {}, types, folds, withdrawn, names, prover),
        )
        return tuple.__new__(cls, fields)

    def __getnewargs_ex__(self) -> tuple[tuple[Any], dict[str, Any]]:
        named = self._asdict()
        return (named.pop("name"),), named


Syntax.__module__ = "urlsm.patterns"


def find(name: str | Syntax) -> Syntax:
    """Return the syntax with this name: a built-in one, or one from an installed distribution (by its entry points).

    ValueError: there is no such syntax; the message lists all names.
    """
    if isinstance(name, Syntax):
        return name
    if name in _BUILT_IN:
        found: Syntax = import_from(_BUILT_IN[name], "SYNTAX")
        return found
    from importlib.metadata import entry_points

    announced = entry_points(group=GROUP)
    for point in announced:
        if point.name == name:
            syntax: Syntax = point.load()
            return syntax
    names = sorted({*_BUILT_IN, *(point.name for point in announced)})
    raise ValueError(f"syntax must be one of {', '.join(names)}, not {name!r}")


def lines_of(text: str, syntax: Syntax) -> list[tuple[int, str]]:
    """Return the patterns in the text of a list, each with its line number. A line ends at CR, LF or CR LF."""
    text = text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
    comments, separator = syntax.comments or ("\0",), syntax.separator
    lines = enumerate(text.removeprefix("\ufeff").split("\n"), 1)
    pieces: Iterable[tuple[int, str]] = lines
    if separator:
        of_list = ((number, line) for number, line in lines if not line.lstrip().startswith(comments))
        pieces = ((number, piece) for number, line in of_list for piece in line.split(separator.strip() or None))
    return [(number, found) for number, piece in pieces if (found := piece.strip()) and not found.startswith(comments)]


def ignored_of(text: Iterable[str] | str, syntax: Syntax, first: int = 0) -> dict[int, frozenset[str]]:
    """Return the lint codes that a comment "urlsm: ignore CODE, CODE" leaves out for the pattern after it. The keys are
    the numbers of these patterns; the first pattern of the text has the number `first`. Patterns that are passed one by
    one have no comments."""
    found: dict[int, frozenset[str]] = {}
    if not isinstance(text, str) or "urlsm:" not in text:
        return found
    number, codes = first, set[str]()
    for line in text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff").split("\n"):
        if (said := codes_of(line)) is not None:
            codes |= said
            continue
        count = len(lines_of(line, syntax))
        if count and codes:
            found |= dict.fromkeys(range(number, number + count), frozenset(codes))
            codes = set()
        number += count
    return found


def codes_of(line: str) -> frozenset[str] | None:
    """Return the codes in a comment "urlsm: ignore CODE, CODE"; None for any other line."""
    found = _IGNORE.fullmatch(line)
    return None if found is None else frozenset(found[1].replace(",", " ").split())


def host_key(text: str, pattern: str, position: int = 0, *, addresses: bool = True) -> bytes:
    """Return the key of a host, normalised by the URL Standard's host parser: a name without a trailing dot, or an
    address.

    PatternError: the string is not a host, or the name has an empty label. A URL may have such a name, but no server
    has it (RFC 1034 section 3.1: only the root has a label of no octets), so such a pattern is an error of its author.
    """
    key = plain_key(text)
    if key is not None and b".." not in b"." + key:
        return key
    url = None
    if not any(c in _NOT_OF_A_HOST for c in text):
        try:
            network_key(text)
        except ValueError as error:
            raise PatternError("not-a-host", str(error), pattern, position) from None
        url = try_parse(f"https://{text}/")
    if url is None or url.path != "/" or not url.host or (":" in text and text[:1] != "["):
        hint = "; write it without a port" if ":" in text and "/" not in text else ""
        raise PatternError("not-a-host", f"{text!r} is not a host{hint}", pattern, position)
    host = url.host.removesuffix(".")
    key = network_key(host)
    if key is not None:
        if not addresses:
            raise PatternError(
                "not-a-domain", "an IP address has no subdomains: write only the address", pattern, position
            )
        return bytes(key)
    if not host:
        raise PatternError("not-a-host", "the host is only a dot", pattern, position)
    if ".." in f".{host}.":  # the dots may be written as "%2e" or "。"
        hint = ": write *. for all subdomains" if text[0] == "." and pattern[position - 2 : position] != "*." else ""
        raise PatternError("not-a-host", f"a label of the host is empty{hint}", pattern, position)
    return host.encode()


def hostname_check(host: str, key: bytes, below: bool = False) -> tuple[str, tuple[object, ...]]:
    """Return a check that a URL's host is exactly this one or, with `below`, a name below it. key: the result of
    host_key for this host. The table of hosts is less exact: it treats "a." like "a", and "[::ffff:1.2.3.4]" like
    "1.2.3.4", although these are different origins."""
    read = None if key == host.encode("utf-8", "surrogatepass") else try_parse(f"https://{host}/")
    text = key if read is None or read.host is None else read.host.encode()
    return "hostname", (("*", b"." + text, "$") if below else (text, "$"))


# matches a comment "urlsm: ignore CODE, CODE" in any syntax that has comments
_IGNORE = re.compile(r"\s*[#!]+\s*urlsm:\s*ignore\s+([\w, -]+)")
_NOT_OF_A_HOST = frozenset("/\\?#@ \t\r\n*")
