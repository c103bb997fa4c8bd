"""The syntax "adblock": network filters of ad blockers, as adblock-rust and uBlock Origin read them.

https://help.adblockplus.org/adblock-plus-filters, https://github.com/gorhill/uBlock/wiki/Static-filter-syntax
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from urlsm.patterns.errors import PatternError
from urlsm.patterns.hosts import plain_key
from urlsm.patterns.hosts_files import is_own_name
from urlsm.patterns.regexps import regexp_program
from urlsm.patterns.rule import (
    ALL_PARTIES,
    BOTH,
    EXACT,
    FIRST_PARTY,
    OTHER_HOST,
    SAME_HOST,
    THIRD_PARTY,
    UNKNOWN,
    Rule,
    joined,
)  # fmt: skip
from urlsm.patterns.syntax import Syntax, host_key
from urlsm.url.value import try_parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["SYNTAX"]

_KINDS = (
    ("document", "main_frame", "doc"), ("subdocument", "sub_frame", "frame"), ("script",), ("image", "imageset"),
    ("stylesheet", "css"), ("xmlhttprequest", "xhr"), ("ping", "beacon"), ("media",), ("font",), ("websocket",),
    ("object", "object-subrequest", "object_subrequest"), ("other",),
)  # fmt: skip
# a filter that names no type does not apply to these types
_BEYOND = ("popup", "popunder", "inline-script", "inline-font")
_TYPES = {name: 1 << bit for bit, names in enumerate((*_KINDS, *((name,) for name in _BEYOND))) for name in names}
_DOCUMENT = _TYPES["document"]
_NETWORK = sum(1 << bit for bit in range(1, len(_KINDS)))  # a filter that names no type applies to these types
_ALL = _NETWORK | _DOCUMENT | sum(_TYPES[name] for name in _BEYOND if name != "popunder") | UNKNOWN
_PARTIES = {
    **dict.fromkeys(("third-party", "3p", "~first-party", "~1p"), THIRD_PARTY),
    **dict.fromkeys(("first-party", "1p", "~third-party", "~3p"), FIRST_PARTY),
    "strict1p": SAME_HOST,
    "strict3p": OTHER_HOST,
}
# options whose value is a list of hosts
_LISTS = {"domain": "domain", "from": "domain", "to": "to", "denyallow": "denyallow"}
# the bands of rules: a higher band overrules the lower ones, so an important filter overrules exceptions
_BLOCK, _EXCEPT, _IMPORTANT = range(3)

_COSMETIC = re.compile(r"#@?(?:[?$%]|\$\?)?#")
_OPTIONS = re.compile(r"\$(~?[A-Za-z0-9_-]+(?:=[^,]*)?(?:,~?[A-Za-z0-9_-]+(?:=[^,]*)?)*)$")
_OPTION = re.compile(r"~?[A-Za-z0-9_-]+(?:=.*)?", re.DOTALL)
_FIRST = re.compile(r"\$~?[A-Za-z0-9_-]+(?:=.*)?\Z", re.DOTALL)
_SINK = re.compile(r"[\w%.:\[\]-]+\s+")  # matches the address at the beginning of a line of a hosts file
# matches a line that uBlock Origin reads as the name of a host
_NAME = re.compile(r"(?:[\da-z][\da-z_-]*\.)*[\da-z][\da-z-]*[\da-z]")
# matches stars at the end of a name, after at least seven letters, digits or "%"; uBlock Origin ignores them
_GOES_ON = re.compile(r"(?<=[%0-9A-Za-z]{7})\*+\Z")
# matches the part of a filter that uBlock Origin reads as the filter's options
_BAD_OPTIONS = re.compile(r"(?<!\\)\$(?![)/|]|$)[^$]*\Z")
_HOST_ALONE = re.compile(r"\|\|([a-z0-9-]+(?:\.[a-z0-9-]+)+)\^")  # the form of most filters
_SHORT = 256  # options with more characters than this are not cached
_HOST = re.compile(r"\[[^\]]*\]|[^/^*?:|]*")
_NOT_A_NAME = re.compile(r"[^\w.-]")
_SPLIT = re.compile(r"([*^])")
_SEPARATORS = bytes(o for o in range(128) if not (chr(o).isalnum() or chr(o) in "_-.%"))
_SEPARATOR = ("in", _SEPARATORS)
_AT_LAST = ("or", ((_SEPARATOR,), ("$",)))  # a "^" at the end of a filter also matches the end of the URL
_GRAM = 4  # the matcher looks up a filter by four consecutive octets of a literal
_ANYBODY = (_NETWORK | UNKNOWN, ALL_PARTIES, (), (), (), ())
_ANYBODY_TOO = (_NETWORK | _DOCUMENT | UNKNOWN, *_ANYBODY[1:])
_OF_A_HOST = Rule(band=_BLOCK, request=_ANYBODY_TOO)


def rules(pattern: str, options: dict[str, Any]) -> Iterable[Rule]:
    """Return the rules of a filter. A filter that only hides page elements (a cosmetic filter) has no rules.

    PatternError: the filter cannot be read. The code of the error is, for example, "regexp" or the name of an unknown
    option.
    """
    found = _HOST_ALONE.fullmatch(pattern)
    if found:
        key = plain_key(found[1])
        host = _host(found[1], pattern) if key is None else (BOTH, key)
        return (_OF_A_HOST._replace(host=host),)
    if "#" in pattern:
        if _COSMETIC.search(pattern):
            return ()
        pattern = pattern.split(" #", 1)[0].rstrip()  # only lines of hosts files have comments of this form
        if not pattern or pattern == "#":
            return ()
    if " " in pattern or "\t" in pattern:
        names = names_of(pattern)
        if names is not None and not pattern.startswith("@@") and "$" not in pattern:
            return tuple([_OF_A_HOST._replace(host=_host(name, pattern)) for name in names])
    return _other_rules(pattern)


def names_of(line: str) -> list[str] | None:
    """Return the names in a line of a hosts file, except the usual names for the machine itself; None for any other
    line."""
    found = _SINK.match(line)
    names = line[found.end() :].split() if found else []
    if not names or not all(map(_NAME.fullmatch, map(str.lower, names))):
        return None
    return [name for name in names if not is_own_name(name.lower())]


def _other_rules(pattern: str) -> Iterator[Rule]:
    allow = not pattern.startswith("@@")
    body = pattern if allow else pattern[2:]
    found = _options_of(body)
    if found and not _is_regexp(body):
        body = body[: found.start()]
    options = found[1] if found and len(body) == found.start() else ""
    if not options and "$" in body and not _is_regexp(body) and _BAD_OPTIONS.search(body):
        raise PatternError("options", "the options after $ are invalid", pattern, pattern.rfind("$"))
    if len(body) < 2 and not options:
        raise PatternError("too-short", "a one-character filter cannot have options", pattern)
    if body and not body.startswith(("||", "/", "*")):
        body = _host_alone(body, options)
    alone = body.startswith("||") and body.endswith("^") and _HOST.match(body, 2).end() == len(body) - 1  # type: ignore[union-attr]
    read = _wanted if len(options) <= _SHORT else _wanted.__wrapped__  # long options are not cached
    # `read` returns None if an option is wrong; then _Wants raises the error again, this time with the pattern in it
    wants, request = read(options, alone, not allow) or (_Wants(options, pattern), _ANYBODY)
    if wants.modifies:
        return
    band = _IMPORTANT if wants.important else _BLOCK if allow else _EXCEPT
    if alone and len(body) > 3:
        yield Rule(allow, host=_host(body[2:-1].lower(), pattern), band=band, request=request)
        return
    for host, checks in _texts(body, pattern, wants.match_case):
        program = checks[0][1] if checks else ()
        literals = [
            piece
            for k, piece in enumerate(program)
            if isinstance(piece, bytes) and (len(piece) >= _GRAM if k else not b"https://".startswith(piece))
        ]
        made = Rule(allow, host=host, checks=checks, band=band, request=request)
        if host is not None or literals:
            yield made
        elif request[4] and not any(key.endswith(b".*") for key in request[4]):
            # make one rule for each host, to be found by the URL's host
            for key in request[4]:
                where = (EXACT if key[0] < 8 else BOTH), key
                yield made._replace(host=where, request=(*request[:4], (), request[5]))
        elif len(request[2]) > 1:
            # make one rule for each source, to be found by the page's host
            for source in request[2]:
                yield made._replace(request=(*request[:2], (source,), *request[3:]))
        else:
            yield made


def _host_alone(body: str, options: str) -> str:
    """Return "||name^" if uBlock Origin reads `body` as the name of a host and all options are in _OF_A_NAME. Otherwise
    return `body` itself."""
    name = _GOES_ON.sub("", body.removeprefix("|").removesuffix("|")).lower()
    if not name.isascii() and not name.startswith("-"):
        url = try_parse(f"https://{name}/") if not _NOT_A_NAME.search(name) else None
        name = url.host or "" if url is not None else ""
    if not _NAME.fullmatch(name):
        return body
    kinds = [option.partition("=")[0] for option in options.split(",")] if options else ()
    return f"||{name}^" if all(kind in _OF_A_NAME or not kind.strip("_") for kind in kinds) else body


def _options_of(body: str) -> re.Match[str] | None:
    """Return what _OPTIONS.search(body) would return. This takes linear time, whereas the search would read to the end
    from each "$"."""
    if "$" not in body:
        return None
    pieces = body.removesuffix("\n").split(",")
    k = len(pieces) - 1
    while k and _OPTION.fullmatch(pieces[k]):  # all pieces after the first option must be options as well
        k -= 1
    at = sum(map(len, pieces[:k])) + k
    for piece in pieces[k:]:
        found = _FIRST.search(piece)
        if found:
            return _OPTIONS.match(body, at + found.start())
        at += len(piece) + 1
    return None


class _Wants:
    """The options of a filter."""

    def __init__(self, options: str, pattern: str) -> None:
        self.types = self.others = self.parties = 0
        # maps "domain", "to", "~domain" and "~to" to keys of hosts; "~" means that these hosts are excluded
        self.lists: dict[str, list[bytes]] = {}
        self.given: set[str] = set()  # the kinds of lists (values of _LISTS) that were read so far
        self.important = self.match_case = self.modifies = self.hides = False
        exception = pattern.startswith("@@")
        for option in options.split(",") if options else ():
            name, _, value = option.partition("=")
            kind = name.removeprefix("~")
            if kind in _TYPES and not value:
                if name == kind:
                    self.types |= _TYPES[kind]
                else:
                    self.others |= _TYPES[kind]
            elif name == "all" and not value:
                self.types |= _ALL
            elif name in _PARTIES and not value:
                self.parties |= _PARTIES[name]
            elif name in _LISTS and value:
                self.hosts(name, value, pattern)
            elif name == "important" and not exception:
                self.important = True
            elif name == "match-case":
                self.match_case = True
            elif name in _MODIFIERS or (name in ("empty", "mp4") and exception):
                self.modifies = True
            elif name in _HIDING:
                self.hides = True
            elif name == "mp4":
                self.types |= _TYPES["media"]
            elif name in ("redirect", "rewrite"):  # a filter with one of these options also blocks the request
                if not value and not exception:
                    raise PatternError(kind, f"the option {name!r} has no value", pattern, pattern.rfind(option))
            elif name not in ("badfilter", "empty") and option.strip("_"):
                raise PatternError(kind, f"the option {name!r} is not supported", pattern, pattern.rfind(option))
        self.modifies = self.modifies or (self.hides and not self.types and not self.others)
        if "denyallow" in self.given and "domain" not in self.given:
            raise PatternError("denyallow", "denyallow= needs the option domain=", pattern, pattern.rfind("denyallow"))

    def hosts(self, option: str, value: str, pattern: str) -> None:
        """Add the hosts in the value of an option. Hosts in the option denyallow are stored as the hosts that "to"
        excludes."""
        kind = _LISTS[option]
        if kind in self.given:
            raise PatternError(option, f"the option {option!r} is given twice", pattern, pattern.rfind(value))
        self.given.add(kind)
        deny = kind == "denyallow"
        for domain in value.split("|"):
            other = deny or domain.startswith("~")
            name = domain if deny else domain.removeprefix("~")
            if name.startswith("/"):
                raise PatternError(option, "a host cannot be a regular expression", pattern, pattern.rfind(value))
            key = _host(name, pattern)[1] if deny else _source_key(name, pattern)
            listed = "to" if deny else kind
            self.lists.setdefault(f"~{listed}" if other else listed, []).append(key)

    def request(self, alone: bool) -> tuple[Any, ...]:
        """Return the field `request` of a Rule. alone: whether the filter consists only of a host. If such a filter
        names no types, it also blocks documents."""
        types = self.types or _NETWORK
        if not self.types and not self.others:
            types |= UNKNOWN | (_DOCUMENT if alone else 0)
        parties = ALL_PARTIES
        for both in (FIRST_PARTY | THIRD_PARTY, SAME_HOST | OTHER_HOST):
            if self.parties & both not in (0, both):  # the filter names only one of the two
                parties &= ~(both & ~self.parties) & ~UNKNOWN
        sources, others, own, not_own = [
            tuple(dict.fromkeys(self.lists.get(name, ()))) for name in ("domain", "~domain", "to", "~to")
        ]
        if sources or others:
            parties &= ~UNKNOWN
        return types & ~self.others, parties, sources, others, own, not_own


@lru_cache(1024)  # many filters of a list have the same options
def _wanted(options: str, alone: bool, exception: bool) -> tuple[_Wants, tuple[Any, ...]] | None:
    """Return the options, and the field `request` that results from them; None if an option is invalid."""
    try:
        wants = _Wants(options, "@@" if exception else "")
    except PatternError:
        return None
    return wants, wants.request(alone)


# options that hide elements of a page and block nothing; they are ignored if the filter also names a type
_HIDING = frozenset(("generichide", "ghide", "specifichide", "shide", "elemhide", "ehide"))
# options that change a page or a request, and block nothing
_MODIFIERS = frozenset((
    *("cname", "csp", "permissions", "redirect-rule", "removeparam", "queryprune", "replace", "urlskip"),
    "uritransform",
))  # fmt: skip
# the options that a filter without "||" may have if uBlock Origin reads its text as the name of a host
_OF_A_NAME = frozenset((
    *_TYPES, *(party for party in _PARTIES if not party.startswith("strict")), *_HIDING, *_MODIFIERS,
    *("all", "badfilter", "empty", "mp4", "redirect", "rewrite"),
))  # fmt: skip
ABOUT = {  # for urlsm.about
    "adblock options": {
        "tables": "_KINDS _BEYOND _PARTIES _LISTS _HIDING _MODIFIERS",
        "source": "uBlock Origin, static filter syntax; adblock-rust",
        "url": "https://github.com/gorhill/uBlock/wiki/Static-filter-syntax",
        "version": "ubo-core 0.1.30",
        "date": "2026-11-26",
        "used_by": "PatternSet(..., 'adblock')",
    },
}


def _source_key(domain: str, pattern: str) -> bytes:
    if domain.endswith(".*"):
        return domain.lower().encode("ascii", "replace")
    return _host(domain, pattern)[1]


def _host(name: str, pattern: str) -> tuple[int, bytes]:
    key = host_key(name, pattern)
    return (EXACT if key[0] < 8 else BOTH), key


# --- the texts of a filter --------------------------------------------------------------------------------


def _texts(body: str, pattern: str, match_case: bool) -> Iterator[tuple[tuple[int, bytes] | None, tuple[Any, ...]]]:
    """Yield the host and the checks of each rule that a filter represents. body: the text of the filter without its
    options."""
    if _is_regexp(body):
        folded = ("href", _regexp(body[1:-1], pattern))
        yield None, (folded, ("cased", _regexp(body[1:-1], pattern, fold=False))) if match_case else (folded,)
        return
    if not body.startswith("||"):
        start = body.startswith("|")
        program = _program(body[start:], at_start=start)
        yield None, _cased("href", program, body[start:], start, match_case) if program != ("*",) else ()
        return
    end = _HOST.match(body, 2).end()  # type: ignore[union-attr]
    name, rest = body[2:end].lower(), body[end:]
    if name and rest[:1] in ("/", "^"):
        # the host has no port, so a path follows it
        checks = _cased("target", _program("/" + rest[1:], at_start=True), "/" + rest[1:], True, match_case)
        yield _host(name, pattern), checks if rest[1:2] == "*" and rest[0] == "^" else (*checks, ("port", ("$",)))
    else:
        if name and not rest and not name.endswith("."):
            yield _host(name, pattern), ()
            name += "."
        # this is the beginning of a name, or a name and a port: the text has to match from the start of a label
        text = name + rest
        for before, wanted in ((b"://", ()), (b".", ("*",))):
            program = _program(text, at_start=True)
            hosts = (*wanted, *((b"." + name.encode(),) if wanted else (name.encode(),)))
            yield (
                None,
                (
                    ("href", tuple(joined(["*", before, *program]))),
                    ("hostname", tuple(joined(list(hosts)))),
                ),
            )


def _cased(kind: str, program: tuple[Any, ...], text: str, start: bool, match_case: bool) -> tuple[Any, ...]:
    """Return the checks for the text of a filter. The first check ignores case (its program is in lower case); with
    match-case, a second check compares the case as well."""
    if not match_case:
        return ((kind, program),)
    return (kind, program), ("cased" if kind == "href" else "cased_target", _program(text, at_start=start, fold=False))


def _program(text: str, *, at_start: bool, fold: bool = True) -> tuple[Any, ...]:
    ends = text.endswith("|")
    text = text.removesuffix("|").lower() if fold else text.removesuffix("|")
    made: list[Any] = [] if at_start else ["*"]
    pieces = _SPLIT.split(text)
    for k, piece in enumerate(pieces):
        if piece == "*":
            if made[-1:] != ["*"]:
                made.append("*")
        elif piece == "^":
            made.append(_AT_LAST if k == len(pieces) - 2 and not pieces[-1] and not ends else _SEPARATOR)
        elif piece:
            made.append(_octets(piece, fold))
    if ends:
        made.append("$")
    while not ends and len(made) > 1 and made[-1] == "*":
        made.pop()
    return tuple(made)


def _octets(text: str, fold: bool) -> bytes:
    """Return a literal as it is written in a URL in normal form."""
    if text.isascii() and " " not in text:
        return text.encode()
    made = "".join(c if "!" <= c <= "~" else "".join(f"%{o:02X}" for o in c.encode("utf-8", "replace")) for c in text)
    return (made.lower() if fold else made).encode()


# --- regular expressions ------------------------------------------------------------------------------------


def _is_regexp(body: str) -> bool:
    return len(body) > 2 and body[0] == "/" and body[-1] == "/"


def _regexp(text: str, pattern: str, fold: bool = True) -> tuple[Any, ...]:
    """Return the program of a regular expression, which may match anywhere in the URL unless it begins with "^" or
    ends with "$". fold: whether to ignore case."""
    start = text.startswith("^")
    ends = text.endswith("$") and not text.endswith("\\$")
    text = re.sub(r"(?<!\\)\((?!\?)", "(?:", text[start : len(text) - ends])
    text = re.sub(r"\\([^\w\s^$\\.*+?()\[\]{}|/-])", r"\1", text)  # remove needless escapes
    try:
        program, _ = regexp_program(text, 0, fold, pattern)
    except TypeError as error:
        raise PatternError("regexp", str(error), pattern) from None
    made: list[Any] = [] if start else ["*"]
    # a class that holds a single letter, in both cases, becomes a literal: with `fold`, the URL is put in lower case
    for piece in program:
        octets = piece[1] if isinstance(piece, tuple) and piece[0] == "in" else b""
        octets = octets.lower() if fold else octets
        made.append(octets[:1] if octets and len(set(octets)) == 1 else piece)
    return (*joined(made), *(("$",) if ends else ()))


def withdrawn(patterns: Sequence[str]) -> Iterator[int]:
    """Yield the index of each filter that has the option badfilter, and of each filter that it disables."""
    bad = {_same(pattern): number for number, pattern in enumerate(patterns) if "badfilter" in pattern}
    bad.pop(None, None)
    if bad:
        for number, pattern in enumerate(patterns):
            if _same(pattern) in bad:
                yield number


def _same(pattern: str) -> tuple[str, frozenset[str]] | None:
    """Return a value that is equal for filters with the same text and the same set of options, apart from
    "badfilter"."""
    found = _options_of(pattern)
    if found is None:
        return pattern, frozenset()
    return pattern[: found.start()], frozenset(found[1].split(",")) - {"badfilter"}


SYNTAX = Syntax(
    "adblock",
    rules=rules,
    blocks=True,
    comments=("!", "[", "# ", "####"),
    types=_TYPES,
    folds=True,
    withdrawn=withdrawn,
    names=("||", "^", _OF_A_HOST),
)
