"""The syntax "glob": globs that match the components of a URL or, with a flavor, its whole text (glob_texts).

A pattern is scheme://host[:port]/path[\\?query][#fragment]. Each part is compared only with its own component: a star
in the path cannot match any part of the query, and no part matches user information. No part of the pattern can match
another component, whatever bytes a URL contains.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

from urlsm.machine.driver import SPECIAL
from urlsm.patterns import glob_texts
from urlsm.patterns.canonical import hash as of_fragment
from urlsm.patterns.canonical import pathname as of_path
from urlsm.patterns.canonical import search as of_query
from urlsm.patterns.errors import PatternError
from urlsm.patterns.hosts import network_key, plain_key
from urlsm.patterns.programs import Program
from urlsm.patterns.rule import BELOW, EXACT, NO_PORT, Rule, joined
from urlsm.patterns.syntax import Syntax, host_key
from urlsm.url.value import try_parse

__all__ = ["FLAVORS", "SYNTAX", "bare_question_mark"]

FLAVORS = ("", *glob_texts.FLAVORS)
_WEB = ("http", "https")
# how many patterns a pattern with braces may expand to, and how many tokens all these may have together
_MOST, _MOST_TOKENS = 256, 1 << 18
_DEEPEST = 32  # levels of nested braces
_ALL = frozenset(range(256))
_EVERY = ("in", bytes(_ALL))
_NO_SLASH = ("in", bytes(_ALL - {ord("/")}))
_NO_DOT = ("in", bytes(_ALL - {ord(".")}))
_SEGMENT = ("times", (_NO_SLASH,), 0, None, True)
_SEGMENTS = ("times", (_SEGMENT, b"/"), 0, None, True)  # zero or more segments, each with its "/"
_LABEL = ("times", (_NO_DOT,), 0, None, True)
_ABSENT = ("$",)
_PERHAPS_A_DOT = ("or", ((), (b".",)))
# the checks that a URL has no user information, and that it has no query or fragment either
_NO_MORE = (("username", _ABSENT), ("password", _ABSENT))
_ALONE = (("query", _ABSENT), ("hash", _ABSENT), *_NO_MORE)
# the schemes that a scheme means, each with its default port
_DEFAULT_PORTS = {
    name: [((each,), ((SPECIAL[each], SPECIAL[each]),)) for each in (_WEB if name == "*" else (name,))]
    for name in (*_WEB, "*")
}
_NOT_OF_A_LABEL = re.compile(r"\[.*|[^A-Za-z0-9_-]")

# A token is (kind, value, position). The value of LITERAL is a character that may separate parts, a text without such
# characters, or an IPv6 address with its brackets; for STAR it is the number of stars; for CLASS, (whether it is
# negated, the octets); for BRACE, its choices, each a list of tokens. ONE is "?". QUERY is the "?" before the query, as
# it is written: \? or [?].
LITERAL, STAR, ONE, CLASS, BRACE, QUERY = range(6)
Token = tuple[int, Any, int]
_TEXT = re.compile(r"[^*?\\\[{},:/.@#=]+")  # a text that no part of a pattern ends in


def rules(pattern: str, options: dict[str, Any]) -> Iterable[Rule]:
    """Return the rules for a glob.

    A star as the scheme means http or https. In a host, a star matches any text within one label. If it is the whole
    first label, it matches any number of labels. In a path, a star matches any text without "/"; "**" matches any text,
    and "/**/" also matches "/". "?" matches one character, "{a,b}" matches "a" or "b", and "[ab]", "[a-z]" and "[!ab]"
    match one character. A pattern without a port matches the default port; ":*" matches any port. If the pattern has no
    query or fragment, the URL must not have one either, unless the path ends in "**" or the pattern excludes URLs.
    """
    flavor = options["flavor"]
    if not flavor:
        excluding = options["_excluding"]
        return _of_plain(pattern, excluding) or _of_pattern(pattern, excluding)
    if flavor not in FLAVORS:
        raise ValueError(f"flavor must be one of {', '.join(map(repr, FLAVORS))}, not {flavor!r}")
    return glob_texts.rules(pattern, flavor)


@lru_cache(64)  # PatternSet asks for the rules of a pattern again if a URL may leave its prefix by ".."
def _of_pattern(pattern: str, excluding: bool) -> tuple[Rule, ...]:
    tokens, _ = _tokens(pattern, 0, 0)
    return tuple([rule for made in _expanded(tokens, pattern) for rule in _of_components(made, pattern, excluding)])


# --- plain globs: stars and texts in normal form. They have the rules of other globs, but no tokens are made ----------

_PLAIN = re.compile(r"(https?|\*)://(?:\*\*?|(\*\.)?((?:[a-z0-9-]+\.)*[a-z0-9-]+))(/[A-Za-z0-9._~/%!$&()+,;=:@*-]*)")
_STARS = re.compile(r"(\*+)")


def _of_plain(pattern: str, excluding: bool) -> tuple[Rule, ...] | None:
    """Return the rules of a plain glob; None if the glob is not plain."""
    found = _PLAIN.fullmatch(pattern)
    if found is None:
        return None
    scheme, below, host, path = found.groups()
    at = None
    if host is not None:
        key = plain_key(host)
        if key is None:
            return None
        at = (BELOW if below else EXACT), key
    program: list[Any] = []
    pieces = _STARS.split(path)
    for k in range(1, len(pieces), 2):
        before, stars, after = pieces[k - 1 : k + 2]
        if before:
            program.append(before.encode())
        if stars == "*":
            program.append(_SEGMENT)
        elif before[-1:] == "/" == after[:1]:
            program.append(_SEGMENTS)
            pieces[k + 1] = after[1:]
        else:
            program.append("*")
    if pieces[-1]:
        program.append(pieces[-1].encode())
    checks = (("path", (*program, "$")), *(() if excluding else _NO_MORE if path[-2:] == "**" else _ALONE))
    made = [Rule(schemes=schemes, host=at, ports=ports, checks=checks) for schemes, ports in _DEFAULT_PORTS[scheme]]
    return tuple(made)


# --- tokens ---------------------------------------------------------------------------------------------


def _tokens(pattern: str, k: int, depth: int) -> tuple[list[Token], int]:
    """Return the tokens of pattern[k:], which within braces end at "," or "}", and the position where they end."""
    made: list[Token] = []
    n = len(pattern)
    while k < n:
        c, start = pattern[k], k
        k += 1
        if c == "\\" and k < n:
            made.append((QUERY if pattern[k] == "?" else LITERAL, pattern[k], start))
            k += 1
        elif c == "*":
            while k < n and pattern[k] == "*":
                k += 1
            made.append((STAR, k - start, start))
        elif c == "?":
            made.append((ONE, c, start))
        elif c == "[":
            token, k = _bracket(pattern, start)
            made.append(token)
        elif c == "{":
            if depth == _DEEPEST:
                raise PatternError("too-deep", f"braces are nested more than {depth} deep", pattern, start)
            choices = []
            k = start
            while True:
                choice, k = _tokens(pattern, k + 1, depth + 1)
                choices.append(choice)
                if k == n:
                    raise PatternError("brace", "the closing brace is missing", pattern, start)
                if pattern[k] == "}":
                    break
            made.append((BRACE, choices, start))
            k += 1
        elif depth and c in ",}":
            return made, start
        else:
            found = _TEXT.match(pattern, start)
            made.append((LITERAL, c if found is None else found[0], start))
            k = start + len(made[-1][1])
    return made, n


def _bracket(pattern: str, start: int) -> tuple[Token, int]:
    """Return the token of "[...]", and the position where it ends. "!" or "^" at the beginning negates the class, which
    may contain ranges. A class with a single character that is not negated becomes a literal. Before the path, the
    brackets may contain an IPv6 address."""
    end = pattern.find("]", start + 2)
    if end < 0:
        raise PatternError("bracket", "the closing bracket is missing", pattern, start)
    inside = pattern[start + 1 : end]
    path = pattern.find("/", pattern.find("://") + 3)
    if inside.count(":") > 1 and not 0 <= path < start and network_key(f"[{inside}]") is not None:
        return (LITERAL, f"[{inside}]", start), end + 1
    other = inside[:1] in ("!", "^") and len(inside) > 1
    inside = inside[other:]
    if not inside.isascii():
        raise PatternError(
            "not-ascii",
            "a [class] may contain only ASCII characters, because URLs percent-encode all others",
            pattern,
            start,
        )
    if len(inside) == 1 and not other:
        return (QUERY if inside == "?" else LITERAL, inside, start), end + 1
    found: set[int] = set()
    k = 0
    while k < len(inside):
        if inside[k + 1 : k + 2] == "-" and k + 2 < len(inside):
            found.update(range(ord(inside[k]), ord(inside[k + 2]) + 1))
            k += 3
        else:
            found.add(ord(inside[k]))
            k += 1
    return (CLASS, (other, frozenset(found)), start), end + 1


def _expanded(tokens: list[Token], pattern: str) -> Iterator[list[Token]]:
    """Yield the lists of tokens that a pattern expands to. A brace is not expanded if its choices differ only within
    the path, the query or the fragment."""
    todo, count, size = [tokens], 1, 0
    while todo:
        tokens = todo.pop()
        k = _crossing(tokens)
        if k < 0:
            yield tokens
            continue
        choices = tokens[k][1]
        count += len(choices)
        size += len(tokens) * len(choices)
        if count > _MOST or size > _MOST_TOKENS:
            raise PatternError("too-large", "the braces expand to too many patterns", pattern, tokens[k][2])
        todo += [tokens[:k] + choice + tokens[k + 1 :] for choice in reversed(choices)]


def _crossing(tokens: list[Token]) -> int:
    """Return the index of the first brace that must be expanded, or -1. Such a brace is before the path, contains the
    beginning of a query or a fragment, or is at the end of the path and may end in "**"."""
    scheme = _find(tokens, "://")
    path = _find(tokens, "/", scheme + 3) if scheme >= 0 else -1
    end = len(tokens)
    for k, (kind, value, _) in enumerate(tokens):
        if kind == BRACE and (path < 0 or k < path or any(_holds_delimiter(choice) for choice in value)):
            return k
        if path >= 0 and k >= path and _is_delimiter(kind, value):
            end = min(end, k)
    last = tokens[end - 1] if end else None
    return end - 1 if last and last[0] == BRACE and any(_ends_in_stars(choice) for choice in last[1]) else -1


def _find(tokens: list[Token], text: str, start: int = 0) -> int:
    """Return the index where literals that spell a text begin, or -1."""
    first, n = text[0], len(text)
    for k in range(start, len(tokens) - n + 1):
        if tokens[k][1] == first and all(tokens[k + j][:2] == (LITERAL, text[j]) for j in range(n)):
            return k
    return -1


def _is_delimiter(kind: int, value: Any) -> bool:
    return kind == QUERY or (kind == LITERAL and value == "#")


def _holds_delimiter(tokens: list[Token]) -> bool:
    return any(
        _is_delimiter(kind, value) or (kind == BRACE and any(map(_holds_delimiter, value))) for kind, value, _ in tokens
    )


def _ends_in_stars(tokens: list[Token]) -> bool:
    if not tokens:
        return False
    kind, value, _ = tokens[-1]
    return (kind == STAR and value > 1) or (kind == BRACE and any(map(_ends_in_stars, value)))


# --- components -----------------------------------------------------------------------------------------


def _of_components(tokens: list[Token], pattern: str, excluding: bool) -> Iterator[Rule]:
    """Yield the rules of a pattern that has no braces before its path."""
    behind = _find(tokens, "://")
    if behind < 0:
        raise PatternError(
            "no-scheme",
            "write scheme://host/path: https://example.com/** for one host, *://**/api/** for any host; "
            'or use flavor="playwright", which compares the whole text',
            pattern,
        )
    schemes = _schemes(tokens[:behind], pattern)
    start = behind + 3
    path = query = fragment = len(tokens)
    for k in range(start, len(tokens)):
        kind, value, position = tokens[k]
        if kind == LITERAL and value == "/" and path == len(tokens):
            path = k
        elif _is_delimiter(kind, value):
            if path == len(tokens):
                raise PatternError("no-path", "the path is missing: write / for that page only", pattern, position)
            if kind == QUERY:
                query = min(query, k)
            else:
                fragment = k
                break
    if path == len(tokens):
        said = "the path is missing: write / for that page only, or /** for all pages"
        raise PatternError("no-path", said, pattern, len(pattern))
    query = min(query, fragment)
    checks: list[tuple[str, Any]] = [("path", (*_program(tokens[path:query], of_path, True), "$"))]
    is_open = tokens[query - 1][0] == STAR and tokens[query - 1][1] > 1
    if query < fragment:
        checks.append(("query", (*joined([b"?", *_program(tokens[query + 1 : fragment], of_query)]), "$")))
    elif not is_open and not excluding:
        checks.append(("query", _ABSENT))
    if fragment < len(tokens):
        checks.append(("hash", (*_program(tokens[fragment + 1 :], of_fragment), "$")))
    elif not is_open and not excluding:
        checks.append(("hash", _ABSENT))
    if not excluding:
        checks += _NO_MORE
    yield from _of_authority(schemes, tokens[start:path], pattern, checks)


def _program(tokens: list[Token], encoded: Any, is_path: bool = False, begins: bool = False) -> list[Any]:
    """Return the program for a path, a query or a fragment. encoded: the function that writes literals in normal form.
    begins: whether these tokens are a choice of a brace that follows a "/"."""
    made: list[Any] = []
    literal = ""
    one, some, many = (_NO_SLASH, _SEGMENT, _SEGMENTS) if is_path else ("?", "*", "*")

    def flush() -> None:
        if literal:
            made.append(_quoted(literal, encoded))

    k = 0
    while k < len(tokens):
        kind, value, _ = tokens[k]
        if kind in (LITERAL, QUERY):
            literal += value
            k += 1
            continue
        flush()
        behind_slash = literal.endswith("/") or (begins and k == 0)
        literal = ""
        if kind == STAR:
            if value == 1:
                made.append(some)
            elif is_path and behind_slash and tokens[k + 1 : k + 2] and tokens[k + 1][:2] == (LITERAL, "/"):
                made.append(many)
                k += 1
            else:
                made.append("*")
        elif kind == ONE:
            made.append(one)
        elif kind == CLASS:
            made.append(("in", bytes(_octets_of(value) - ({ord("/")} if is_path else set()))))
        else:
            made.append(("or", tuple([tuple(_program(choice, encoded, is_path, behind_slash)) for choice in value])))
        k += 1
    flush()
    return joined(made)


def _quoted(literal: str, encoded: Any) -> bytes:
    """Return a literal in the form that it has in a URL: with the escapes that the parser writes. Dot segments are
    kept."""
    if _KEPT.issuperset(literal):
        return literal.encode()
    return "".join([c if c in _KEPT else _escaped(c, encoded) for c in literal]).encode()


@lru_cache(1024)
def _escaped(c: str, encoded: Any) -> str:
    written: str = encoded(f"-{c}")
    return written[1:]


_KEPT = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/%!$&()*+,;=:@?\\")


def _octets_of(value: tuple[bool, frozenset[int]]) -> frozenset[int]:
    other, found = value
    return _ALL - found if other else found


def _schemes(tokens: list[Token], pattern: str) -> tuple[str, ...]:
    """Return the schemes that the tokens match. A star matches http and https, as in match patterns."""
    if all(kind == LITERAL for kind, _, _ in tokens):
        name = "".join(value for _, value, _ in tokens).lower()
        if not (name and name.isascii() and name[0].isalpha() and name.replace("+", "").replace("-", "").replace(
                ".", "").isalnum()):  # fmt: skip
            raise PatternError("no-such-scheme", f"{name!r} is not a valid scheme", pattern)
        return (name,)
    program = Program((*_program([_folded(token) for token in tokens], lambda text: text), "$"))
    found = tuple(filter(program.matches, _WEB))
    if not found:
        raise PatternError("no-such-scheme", "* in a scheme means http or https, and neither matches here", pattern)
    return found


def _folded(token: Token) -> Token:
    """Return a token, in lower case if it is a literal or a class."""
    kind, value, position = token
    if kind == LITERAL:
        return kind, value.lower(), position
    if kind == CLASS:
        other, found = value
        return kind, (other, frozenset(bytes(found).lower())), position
    return token


def _of_authority(schemes: tuple[str, ...], tokens: list[Token], pattern: str, checks: list[Any]) -> Iterator[Rule]:
    """Yield the rules for the text between "://" and the path. checks: the checks of the path, query and fragment."""
    for kind, value, position in tokens:
        if kind == LITERAL and value == "@":
            raise PatternError(
                "userinfo", "remove the user information: a URL that has it is never in the set", pattern, position
            )
    colon = next((k for k, (kind, value, _) in enumerate(tokens) if kind == LITERAL and value == ":"), len(tokens))
    if colon < len(tokens):
        ports = _ports(tokens[colon + 1 :], pattern, tokens[colon][2])
        at, written = _host(tokens[:colon], schemes[0], pattern)
        yield Rule(schemes=schemes, host=at, ports=ports, checks=(*checks, *written))
        return
    for scheme in schemes:
        number = SPECIAL.get(scheme) or NO_PORT
        at, written = _host(tokens, scheme, pattern)
        yield Rule(schemes=(scheme,), host=at, ports=((number, number),), checks=(*checks, *written))


def _ports(tokens: list[Token], pattern: str, position: int) -> tuple[tuple[int, int], ...] | None:
    """Return the port as the only range, or None for any port."""
    if [token[:2] for token in tokens] == [(STAR, 1)]:
        return None
    digits = "".join(value if kind == LITERAL else "?" for kind, value, _ in tokens)
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 5 and int(digits) <= 0xFFFF):
        raise PatternError("not-a-port", "the port must be a number up to 65535, or *", pattern, position + 1)
    return ((int(digits), int(digits)),)


def _host(tokens: list[Token], scheme: str, pattern: str) -> tuple[tuple[int, bytes] | None, tuple[Any, ...]]:
    """Return the field `host` of a Rule, and the checks for what that field cannot express."""
    special = bool(SPECIAL.get(scheme))
    if not tokens:
        if scheme != "file":
            raise PatternError("no-host", "the host is missing: write ** for any host", pattern, pattern.find("//") + 2)
        return None, (("hostname", _ABSENT),)
    start = tokens[0][2]
    if len(tokens) == 1 and tokens[0][0] == STAR:
        return None, () if special or scheme == "file" else (("hostname", (_EVERY,)),)
    for kind, value, position in tokens:
        if kind == STAR and value > 1:
            raise PatternError(
                "wildcard", "** must be the whole host: within a host, write * for one label", pattern, position
            )
    if all(kind == LITERAL for kind, _, _ in tokens):
        text = "".join(value for _, value, _ in tokens)
        if special:
            return (EXACT, host_key(text, pattern, start)), ()
        url = try_parse(f"{scheme}://{text}/")
        if url is None or not url.host:
            raise PatternError("not-a-host", f"{text!r} is not a host", pattern, start)
        return None, (("hostname", (url.host.encode(), "$")),)
    return _labels(tokens, special, pattern, start)


def _labels(
    tokens: list[Token], special: bool, pattern: str, start: int
) -> tuple[tuple[int, bytes] | None, tuple[Any, ...]]:
    """Return what _host returns, for a host with a star, a class or "?"."""
    labels: list[list[Token]] = [[]]
    for token in tokens:
        if token[:2] == (LITERAL, "."):
            labels.append([])
        else:
            labels[-1].append(token)
    if len(labels) > 1 and not labels[-1]:
        labels.pop()  # ignore a dot at the end
    if not all(labels):
        raise PatternError("not-a-host", "a label of the host is empty", pattern, start)
    literal = len(labels)
    while literal and all(kind == LITERAL for kind, _, _ in labels[literal - 1]):
        literal -= 1
    name = ".".join("".join(value for _, value, _ in label) for label in labels[literal:])
    at = None
    if name and special and not name.rpartition(".")[2].isdigit():
        key = host_key(name, pattern, labels[literal][0][2], addresses=False)
        if literal == 1 and [token[:2] for token in labels[0]] == [(STAR, 1)]:
            return (BELOW, key), ()
        at, name = (BELOW, key), key.decode()
    program: list[Any] = []
    for k, label in enumerate(labels[:literal]):
        program += (b".",) * (k > 0)
        whole = [token[:2] for token in label] == [(STAR, 1)]
        program += ("*",) if whole and k == 0 else _of_label(label, special, pattern)
    if name:
        program += (b".", name.encode("utf-8", "surrogatepass"))
    return at, (("hostname", (*joined(program), _PERHAPS_A_DOT, "$")),)


def _of_label(label: list[Token], special: bool, pattern: str) -> Iterator[Any]:
    """Yield the pieces of the program that match a label. A label that consists of literals may be
    internationalised."""
    if special and all(kind == LITERAL for kind, _, _ in label):
        text = "".join(value for _, value, _ in label)
        yield host_key(f"{text}.a", pattern, label[0][2])[:-2]
        return
    for token in label:
        kind, value, position = _folded(token) if special else token
        if kind == STAR:
            yield _LABEL
        elif kind == ONE:
            yield _NO_DOT
        elif kind == CLASS:
            if ord(":") in value[1]:
                raise PatternError("not-a-host", "an IPv6 address cannot contain wildcards", pattern, position)
            yield ("in", bytes(_octets_of(value) - {ord(".")}))
        elif wrong := _NOT_OF_A_LABEL.search(value):
            said = f"{wrong[0]!r} cannot be next to a wildcard in a label: write an international label as xn--"
            raise PatternError("not-a-host", said, pattern, position + wrong.start())
        else:
            yield value.encode()


def bare_question_mark(pattern: str) -> int:
    """Return the position of a "?" that matches one character but was probably meant to begin a query, because a "="
    follows it; -1 if there is none."""
    tokens, _ = _tokens(pattern, 0, 0)
    path = _find(tokens, "/", _find(tokens, "://") + 3)
    found = -1
    for kind, value, position in tokens[path:]:
        if _is_delimiter(kind, value):
            break
        if kind == ONE and found < 0:
            found = position
        elif kind == LITERAL and value == "=" and found >= 0:
            return found
    return -1


SYNTAX = Syntax("glob", rules=rules, options={"flavor": "", "_excluding": False}, careful=True)
