"""PatternSet: many patterns in one syntax, compiled into one matcher that decides whether a URL is in the set."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, product, zip_longest

from urlsm.machine.driver import SPECIAL
from urlsm.octets.records import NamedTuple
from urlsm.patterns.climbing import any_segment_climbs, leaves, readings
from urlsm.patterns.errors import PatternError
from urlsm.patterns.matcher import Lookup, Matcher
from urlsm.patterns.rule import decoded
from urlsm.patterns.syntax import PRECEDENCES, Syntax, find, ignored_of, lines_of
from urlsm.patterns.tables import Tables
from urlsm.security.comparison import compare_readers, is_ambiguous, readers_named, text_of
from urlsm.security.verdict import UrlSet
from urlsm.url.value import URL, parse, try_parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from typing import Any

    from urlsm.patterns.errors import LintFinding
    from urlsm.patterns.explaining import Explanation
    from urlsm.patterns.rule import Rule
    from urlsm.url.value import StrOrURL

__all__ = ["PatternMatch", "PatternSet"]

_NOTHING, _REFUSED = -1, -2  # values in place of a rule's number
# the programs of a list may have this many instructions, and this many more for each character of the list
_INSTRUCTIONS, _OF_A_CHARACTER = 1 << 15, 4


class PatternMatch(NamedTuple):
    """The pattern that includes a URL in a PatternSet.

    Attributes:
        pattern: the text of the pattern.
        index: the index of the pattern, counted from 0.
        line: the line of the pattern in the list, counted from 1; index + 1 if the patterns were passed one by one.
        groups: the text that each named group matched, if the syntax has named groups; the values of a URI template.

    Example:
        >>> PatternSet(["example.org", "example.com"]).match("https://www.example.com/")
        PatternMatch(pattern='example.com', index=1, line=2, groups={})
    """

    pattern: str
    index: int  # type: ignore[assignment]  # hides tuple.index
    line: int
    groups: dict[str, Any]


PatternMatch.__module__ = "urlsm.patterns"


class PatternSet(Lookup, UrlSet):
    """An allow-list or a block list of URLs: patterns in one syntax. Immutable and hashable.

    `url in patterns` is true for a URL that an allow-list allows, or that a block list blocks. Text that is not a URL
    never matches an allow-list and always matches a block list. Matching takes linear time.

    Args:
        patterns: a list as text, which may contain comments, or an iterable of patterns.
        syntax: "domains", "origins", "redirect-uri", "no-proxy", "robots", "match-pattern", "glob", "urlpattern",
            "csp", "blocklist", "adblock", "hosts", "surt" or "uri-template"; a name that an installed
            distribution adds (entry point group "urlsm.syntaxes"); or a Syntax.
        exclude: patterns in the same syntax for URLs to exclude.
        precedence: which pattern decides if several match: "any", "first", "last", "longest" or "specific". None: the
            default of the syntax.
        ambiguous: what happens to a URL that parsers read differently, or whose path may leave a prefix: "refuse" (it
            never matches an allow-list and always matches a block list) or "match" (it is matched as the URL Standard
            parses it). None: the default of the syntax.
        readers: programs that must agree on the scheme, host, port and path of a URL, as for
            urlsm.security.compare_readers: ["nginx", "go"]. A URL that they read differently never matches an
            allow-list, and always matches a block list. None: no programs.
        strict: whether an invalid line raises PatternError. If False, `errors` lists invalid lines.
        options: the options of the syntax.

    Raises:
        PatternError: a pattern is invalid.
        ValueError: the syntax, the precedence, a reader or the value of `ambiguous` does not exist, or `readers` is
            combined with `ambiguous="match"`.
        TypeError: the syntax does not have one of the options, or a pattern is not a str.

    Example:
        >>> scope = PatternSet(["example.com", "=login.example.org"], exclude=["ads.example.com"])
        >>> "https://www.example.com/" in scope, "https://x.ads.example.com/" in scope
        (True, False)
        >>> "https://api.example.com/cb" in PatternSet(["https://*.example.com/**"], "glob")
        True
    """

    __slots__ = (
        *("_ambiguous", "_count", "_deny_paths", "_deny_queries", "_exclude", "_ignored", "_lines", "_options"),
        *("_precedence", "_prover", "_readers", "_refused", "_refuses", "_sources", "_syntax", "_texts", "_unread"),
        "errors",
    )

    def __init__(
        self,
        patterns: Iterable[str] | str = (),
        syntax: str | Syntax = "domains",
        *,
        exclude: Iterable[str] | str = (),
        precedence: str | None = None,
        ambiguous: str | None = None,
        readers: Iterable[str] | None = None,
        strict: bool = True,
        **options: Any,
    ) -> None:
        found = find(syntax)
        found = found.flavors.get(options.get("flavor", ""), found)
        if precedence is not None and precedence not in PRECEDENCES:
            raise ValueError(f"precedence must be one of {', '.join(PRECEDENCES)}, not {precedence!r}")
        if ambiguous not in (None, "refuse", "match"):
            raise ValueError(f"ambiguous must be 'refuse' or 'match', not {ambiguous!r}")
        unknown = options.keys() - found.options.keys()
        if unknown:
            raise TypeError(f"the syntax {found.name!r} has no option {min(unknown)!r}")
        self._syntax = found
        given = {name: _option(name, value, found.options[name]) for name, value in options.items()}
        self._options = {**found.options, **given}
        self._precedence = found.precedence if precedence is None else precedence
        if readers is not None and ambiguous == "match":
            raise ValueError("readers cannot be combined with ambiguous='match'")
        self._readers = None if readers is None else tuple(readers_named(readers))
        usual = "refuse" if found.careful or found.blocks or readers is not None else "match"
        self._ambiguous = usual if ambiguous is None else ambiguous
        included, excluded = _listed(patterns, found), _listed(exclude, found, "exclude")
        self._count = len(included)
        if "_alone" in found.options:  # this option says whether the whole list is a single pattern
            alone = patterns == included[0][1] if included and isinstance(patterns, str) else True
            self._options["_alone"] = self._count == 1 and bool(options.get("_alone", alone))
        self._sources = tuple([text for _, text in included])
        self._exclude = tuple([text for _, text in excluded])
        self._texts = self._sources + self._exclude
        self._lines = [line for line, _ in chain(included, excluded)]
        self._ignored = {**ignored_of(patterns, found), **ignored_of(exclude, found, self._count)}
        self.errors: tuple[PatternError, ...] = ()
        self._compile(strict, {})

    def _compile(self, strict: bool, refused: dict[int, PatternError]) -> None:
        """Compile the tables. refused: the patterns that are known to be unreadable."""
        tables = Tables()
        tables.limit(_INSTRUCTIONS + _OF_A_CHARACTER * sum(map(len, self._texts)))
        keys: list[Any] = []
        known, in_part = frozenset(refused), False
        self._unread: frozenset[int] = known
        add, key, precedence, blocks = tables.add, keys.append, self._precedence, self._syntax.blocks
        ranked = precedence in ("longest", "specific")
        if self._syntax.withdrawn is not None:
            self._unread |= frozenset(self._syntax.withdrawn(self._texts))
        included, rules, options, unread = self._count, self._syntax.rules, self._options, self._unread
        add_name, names = tables.add_name, self._syntax.names
        key_of_name: Any = None
        if names is not None:
            tables.expect_names(*names)
            band, weight, allow = names[2].band, names[2].weight, names[2].allow
            key_of_name = (band, weight, allow != blocks) if ranked else band
        for number, text in enumerate(self._texts):
            if number in known:
                continue
            count = tables.count
            try:
                plainly = number < included and number not in unread  # if so, _rules would return rules(text, options)
                if plainly and add_name(text, number):
                    key(key_of_name)
                    continue
                for rule in rules(text, options) if plainly else self._rules(number):
                    add(rule, number)
                    key((rule.band, rule.weight, rule.allow != blocks) if ranked else rule.band)
            except PatternError as error:
                told = PatternError(error.code, error.message, text, error.position, self._lines[number])
                if strict:
                    raise told from None
                refused[number] = told
                in_part = in_part or tables.count > count
        if in_part:  # compile again without the rules of refused lines
            self._compile(strict, refused)
            return
        self.errors, self._refused = tuple(refused.values()), tuple(refused)
        self._unread |= refused.keys()
        # weakest first: of two rules that are otherwise equal, the later is weaker, unless the precedence is "last"
        places = range(len(keys)) if precedence == "last" else range(len(keys) - 1, -1, -1)
        self._deny_paths = (tables.takes_paths_out or tables.takes_queries_out) and not blocks
        self._deny_queries = tables.takes_queries_out and not blocks
        self._refuses = self._ambiguous == "refuse" or (self._syntax.closes and bool(self._exclude))
        matcher, prover = Matcher(tables, sorted(places, key=keys.__getitem__), self._syntax.folds), self._syntax.prover
        self._prover: Any = None if prover is None else prover(matcher, self._texts, self._count, self._options)
        self._set_matcher(
            matcher,
            refuses=self._refuses,
            blocks=blocks,
            otherwise=self._syntax.otherwise,
            of_urls=self._syntax.reads is None and self._readers is None and prover is None,
            has_prover=prover is not None,
            takes_paths_out=tables.takes_paths_out,
            takes_queries_out=tables.takes_queries_out,
            types=self._syntax.types,
        )

    def _rules(self, number: int) -> Iterable[Rule]:
        """Return the rules of a pattern. The rules of a pattern of `exclude` have the opposite meaning. An unreadable
        pattern has no rules."""
        if number in self._unread:
            return ()
        if number < self._count:
            return self._syntax.rules(self._texts[number], self._options)
        return self._excluding(number)

    def _excluding(self, number: int) -> Iterator[Rule]:
        options = {**self._options, "_excluding": True} if "_excluding" in self._options else self._options
        for rule in self._syntax.rules(self._texts[number], options):
            contrary = rule._replace(allow=not rule.allow, band=rule.band + (0 if self._syntax.contest else 1000))
            if self._syntax.blocks:
                yield contrary
                continue
            checks = tuple(_of_any_spelling(rule))
            yield contrary._replace(checks=checks)
            plainer = tuple([(kind, decoded(program)) for kind, program in checks])
            if plainer != checks and not contrary.allow:
                yield contrary._replace(checks=plainer)

    # --- whether a URL is in the set --------------------------------------------------------------

    def _decides_at_length(self, url: StrOrURL, source: StrOrURL | None = None, type: str | None = None) -> int:
        """Return the number of the rule that decides. Return _NOTHING if no rule matches, and _REFUSED if url is not a
        URL or readers disagree on it. Lookup calls this method if the bytes of the URL do not suffice."""
        if self._readers is not None and self._is_disputed(url):
            return _REFUSED
        if self._syntax.reads is not None or self._prover is not None:
            return self._decides_text(text_of(url))
        read = url if isinstance(url, URL) else try_parse(url)
        if read is None:
            return _REFUSED
        if self._refuses and (read.scheme in SPECIAL and is_ambiguous(url)):
            return _REFUSED
        if source is not None or type is not None:
            return int(self._rules_for_request(read, source, type, False))
        rule: int = self._matcher.decides(read)
        if rule >= 0 and self._refuses and (self._matcher.allows_behind(rule) or self._deny_paths):
            target = read.path + (read.query or "") if self._deny_queries else read.path
            # a reader only sees ".." if it is written literally or escaped; some readers also merge "//"
            odd = "%" in target or ".." in read.path or (self._deny_paths and ("//" in read.path or "+" in target))
            if odd and not self._syntax.blocks:
                return self._undisguised(read, rule)
        return rule

    def _is_disputed(self, url: StrOrURL) -> bool:
        """Return whether the readers, of which a browser is always one, see other things in a URL."""
        found = compare_readers(url, readers=(*(self._readers or ()), "whatwg"))
        return not (found.agree and found.agree_on("path"))

    def _decides_text(self, text: str) -> int:
        """Return what _decides_at_length returns, for a syntax that compares whole strings."""
        rule = self._decides_spelling(text)
        if not self._exclude or not self._says(rule):
            return rule
        absolute = try_parse(text)
        base = "" if absolute is not None else "https://h"
        read = try_parse(text, base=f"{base}/") if base else absolute
        if read is None or any_segment_climbs(read.path) or not read.href.startswith(f"{base}/" if base else ""):
            return _REFUSED
        try:
            if read.host:  # neither a user nor a dot at the end leads to another server
                read = read.replace(username="", password="", host=read.host.removesuffix("."))
            for url in _spellings(read, True):
                other = self._decides_spelling(url.href.removeprefix(base))
                if other >= 0 and not self._matcher.allows(other) and self._matcher.pattern_of(other) >= self._count:
                    return other
        except ValueError:  # no URL has this path
            return _REFUSED
        return rule

    def _decides_spelling(self, text: str) -> int:
        """Return what _decides_text returns, without a look at other spellings of the text."""
        if self._prover is not None:
            return int(self._prover.decides(text))
        octets = self._syntax.reads(text, self._options)  # type: ignore[misc]
        return _REFUSED if octets is None else int(self._matcher.decides_text(octets))

    def _undisguised(self, url: URL, rule: int) -> int:
        """Return the rule that decides on a URL whose path may look different to some readers. If paths can exclude a
        URL from the set, the URL is rejected if any reader sees a ".." segment, and is excluded if any reader sees a
        path that excludes it. A rule with a prefix decides only if no reader sees the path leave the prefix."""
        path = url.path
        if self._deny_paths:
            if any_segment_climbs(path):
                return _REFUSED
            try:
                for spelling in _spellings(
                    url, self._deny_queries
                ):  # a pattern that takes a URL out also takes out the URL's other spellings
                    other = int(self._matcher.decides(spelling))
                    if other >= 0 and not self._matcher.allows(other):
                        return other
            except ValueError:  # no URL has this path
                return _REFUSED
        if not self._matcher.allows_behind(rule) or not self._leaves(path, rule):
            return rule
        numbers = self._matcher.all(url)
        if not all(map(self._matcher.allows, numbers)):
            return _REFUSED
        others = [n for n in numbers if not self._matcher.allows_behind(n) or not self._leaves(path, n)]
        return others[-1] if others else _REFUSED

    def _leaves(self, path: str, rule: int) -> bool:
        """Return whether any reader sees the path leave the part that the rule allows."""
        return any(leaves(path, made.checks) for made in self._rules(self._matcher.pattern_of(rule)))

    def _match(self, number: int, url: StrOrURL) -> PatternMatch:
        text, told = self._texts[number], self._syntax.groups
        return PatternMatch(text, number, self._lines[number], {} if told is None else told(text, url, self._options))

    def _match_proved(self, url: StrOrURL) -> PatternMatch | None:
        """Return what match returns, if the syntax has a prover."""
        found = self._prover.find(url)
        if found is None or ((self._exclude or self._readers is not None) and not self._says(self._decides(url))):
            return None
        return self._proved(*found)

    def _proved(self, number: int, values: dict[str, Any]) -> PatternMatch:
        # this is what PatternMatch() does, without its time
        return tuple.__new__(PatternMatch, (self._texts[number], number, self._lines[number], values))

    def all(self, url: StrOrURL, *, source: StrOrURL | None = None, type: str | None = None) -> list[PatternMatch]:
        """Return every pattern that matches a URL, in order, not only the pattern that decides.

        Patterns in `exclude` are not returned.

        Args:
            url: the URL.
            source: for "adblock", the URL of the page that makes the request.
            type: for "adblock", the type of the request, such as "script".

        Example:
            >>> [found.line for found in PatternSet(["example.com", "www.example.com"]).all("https://www.example.com/")]
            [1, 2]
        """
        if self._prover is not None:
            proved = [self._proved(*found) for found in self._prover.find_all(url)]
            return proved if self._decides(url) != _REFUSED else []
        if self._decides(url, source, type) == _REFUSED:
            return []
        octets = self._syntax.reads(text_of(url), self._options) if self._syntax.reads is not None else None
        if octets is not None:
            numbers = self._matcher.all_of_text(octets)
        else:
            read = url if isinstance(url, URL) else parse(url)
            asked = source is not None or type is not None
            numbers = self._rules_for_request(read, source, type, True) if asked else self._matcher.all(read)
        told = dict.fromkeys(map(self._matcher.pattern_of, numbers))
        return [self._match(number, url) for number in sorted(told) if number < self._count]

    def explain(self, url: StrOrURL, *, source: StrOrURL | None = None, type: str | None = None) -> Explanation:
        """Explain why a URL is or is not in the set: which pattern decides, or which pattern is closest and where it
        differs.

        Args:
            url: the URL.
            source: for "adblock", the URL of the page that makes the request.
            type: for "adblock", the type of the request, such as "script".

        Example:
            >>> print(PatternSet(["https://example.com"], "origins").explain("http://example.com/"))
            no pattern matches; the closest, 'https://example.com', differs in the scheme
              http://example.com/
              ^
        """
        from urlsm.patterns.explaining import explained

        return explained(self, url, source, type)

    def lint(self, *, hints: bool = False, ignore: Iterable[str] = ()) -> tuple[LintFinding, ...]:
        """Return the probable mistakes in the patterns. Most findings include a URL that shows the mistake.

        Args:
            hints: whether to include findings that are common in correct lists.
            ignore: codes to leave out. A comment "urlsm: ignore CODE, CODE" leaves out these codes for the next
            pattern.

        Raises:
            TypeError: `ignore` is a single str.

        Example:
            >>> [(found.code, found.witness) for found in PatternSet(["https://example.com*"], "urlpattern").lint()]
            [('open-host', 'https://example.com.evil.example/')]
        """
        from urlsm.patterns.linting import linted

        return linted(self, hints, ignore)

    # --- the value ----------------------------------------------------------------------------------

    def extended(self, patterns: Iterable[str] | str, *, exclude: Iterable[str] | str = ()) -> PatternSet:
        """Return a set with additional patterns.

        Args:
            patterns: a list as text, or an iterable of patterns.
            exclude: patterns for URLs to exclude.

        Example:
            >>> PatternSet(["a.example"]).extended(["b.example"]).patterns
            ('a.example', 'b.example')
        """
        more = tuple([text for _, text in _listed(patterns, self._syntax)])
        fewer = tuple([text for _, text in _listed(exclude, self._syntax, "exclude")])
        return _made(self._syntax, self._sources + more, self._exclude + fewer, *self._facts()[3:])

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], syntax: str | Syntax = "domains", **options: Any) -> PatternSet:
        """Read a set from a UTF-8 file.

        Args:
            path: the path of the file that contains the list.
            syntax: as for PatternSet.
            options: the other arguments of PatternSet, and the options of the syntax.

        Raises:
            OSError: the file cannot be read.
            PatternError: a pattern is invalid.

        Example:
            >>> import pathlib, tempfile
            >>> path = pathlib.Path(tempfile.mkdtemp(), "scope.txt")
            >>> _ = path.write_text("example.com")
            >>> PatternSet.from_file(path, "domains").patterns
            ('example.com',)
        """
        with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
            return cls(file.read(), syntax, **options)

    @property
    def patterns(self) -> tuple[str, ...]:
        """The patterns as strings, in order.

        Example:
            >>> PatternSet(["a.example"]).patterns
            ('a.example',)
        """
        return self._sources

    @property
    def exclude(self) -> tuple[str, ...]:
        """The patterns in `exclude` as strings, in order.

        Example:
            >>> PatternSet(["a.example"], exclude=["b.a.example"]).exclude
            ('b.a.example',)
        """
        return self._exclude

    @property
    def syntax(self) -> str:
        """The name of the syntax.

        Example:
            >>> PatternSet(["a.example"]).syntax
            'domains'
        """
        return self._syntax.name

    def __len__(self) -> int:
        """Return the number of patterns, including the patterns in `exclude`."""
        return len(self._texts)

    def __iter__(self) -> Iterator[str]:
        return iter(self._sources)

    def __sizeof__(self) -> int:
        """Return the size of the set's tables in bytes. The texts of the patterns are not counted."""
        return object.__sizeof__(self) + self._matcher.__sizeof__()

    def __bool__(self) -> bool:
        return True  # a set is true even if it is empty

    def _facts(self) -> tuple[Any, ...]:
        options = tuple(sorted(self._options.items()))
        return (
            self._syntax.name,
            self._sources,
            self._exclude,
            self._precedence,
            self._ambiguous,
            self._readers,
            options,
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PatternSet):
            return NotImplemented
        return self._facts() == other._facts()

    def __hash__(self) -> int:
        return hash(self._facts())

    def __reduce__(self) -> tuple[object, ...]:
        facts = self._facts()
        lines = tuple(self._lines)
        return _made, (facts[0] if find_is(self._syntax) else self._syntax, *facts[1:], lines, self._ignored)

    def __repr__(self) -> str:
        shown = ", ".join(map(repr, self._sources[:3])) + (", ..." if self._count > 3 else "")
        exclude = f", exclude=<{len(self._exclude)}>" if self._exclude else ""
        return f"PatternSet([{shown}], syntax={self._syntax.name!r}{exclude}: {self._count} patterns)"


PatternSet.__module__ = "urlsm.patterns"


def _spellings(url: URL, with_query: bool) -> Iterator[URL]:
    """Yield the URLs that readers may see in place of this one, because they read its path, and perhaps its
    query, differently.

    ValueError: no URL has such a path.
    """
    path, query = url.path, url.query
    queries = readings(query.replace("+", " "), False) if with_query and query else iter(())
    seen: set[tuple[str, str | None]] = set()
    hrefs: set[str] = set()
    for paths, asked in zip_longest(readings(path), queries, fillvalue=()):
        for pair in product((path, *paths), (query, *asked)):
            if pair in seen:
                continue
            seen.add(pair)
            made = url.replace(path=pair[0], query=pair[1]) if pair != (path, query) else url
            if made.href in hrefs:
                continue
            hrefs.add(made.href)
            yield made
            first, *pieces = made.path.split("%")
            for case in (str.upper, str.lower) if pieces else ():
                cased = "%".join([first, *[case(piece[:2]) + piece[2:] for piece in pieces]])
                if cased != made.path:
                    yield made.replace(path=cased)


def _of_any_spelling(rule: Rule) -> Iterator[tuple[str, Any]]:
    """Yield the checks of a rule that excludes URLs. They are made less exact, so that they also match a host with a
    dot at its end, or an IPv4 address within IPv6."""
    for kind, program in rule.checks:
        if kind != "hostname" or program[-1:] != ("$",):
            yield kind, program
        elif rule.host is None or rule.host[1][0] >= 8:
            *before, last = program[:-1] or (b"",)
            last = last.removesuffix(b".") if isinstance(last, bytes) else last
            yield kind, (*before, last, ("or", ((), (b".",))), "$")


def find_is(syntax: Syntax) -> bool:
    """Return whether `find` would return this syntax for its name."""
    try:
        return find(syntax.name) is syntax
    except ValueError:
        return False


def _made(
    syntax: str | Syntax,
    patterns: tuple[str, ...],
    exclude: tuple[str, ...],
    precedence: str,
    ambiguous: str,
    readers: tuple[str, ...] | None,
    options: tuple[tuple[str, Any], ...],
    lines: tuple[int, ...] | None = None,
    ignored: dict[int, frozenset[str]] | None = None,
) -> PatternSet:
    how = {"precedence": precedence, "ambiguous": ambiguous, "readers": readers, "strict": False}
    made = PatternSet(patterns, syntax, exclude=exclude, **how, **dict(options))  # type: ignore[arg-type]
    if lines is not None:
        made._lines = list(lines)
        told = zip(made._refused, made.errors, strict=True)
        made.errors = tuple([PatternError(e.code, e.message, e.pattern, e.position, lines[n]) for n, e in told])
    made._ignored = ignored or {}
    return made


def _option(name: str, value: Any, usual: Any) -> Any:
    """Return an option of a syntax as the set keeps it. usual: its default."""
    if not isinstance(usual, frozenset):
        return frozenset(value) if isinstance(value, set) else value
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):  # the characters of a name are no names
        raise TypeError(f"{name} must be an iterable of names, not {type(value).__name__}")
    return frozenset(value)


def _listed(patterns: Iterable[str] | str, syntax: Syntax, name: str = "patterns") -> list[tuple[int, str]]:
    if isinstance(patterns, str):
        return lines_of(patterns, syntax)
    if isinstance(patterns, bytes) or not isinstance(patterns, Iterable):
        raise TypeError(f"{name} must be str or an iterable of str, not {type(patterns).__name__}")
    listed = []
    for number, pattern in enumerate(patterns):
        if not isinstance(pattern, str):
            raise TypeError(f"{name} must contain str, not {type(pattern).__name__}")
        listed.append((number + 1, pattern))
    return listed
