"""What a list probably means otherwise: each finding with a URL that shows it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from urlsm.octets.records import NamedTuple
from urlsm.patterns.rule import BELOW, BOTH, NO_PORT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from urlsm.patterns.sets import PatternSet

__all__ = ["Lint", "linted", "linted_robots"]


class Lint(NamedTuple):
    """A finding.

    Attributes:
        code: a word that stays. line: of the list, from 1. position: in the pattern. pattern: its text. message: what
        is the matter. witness: a URL that shows it (that is in the set, or is not, as the message says); "" where the
        line alone shows it.
    """

    code: str
    line: int
    position: int
    pattern: str
    message: str
    witness: str


def linted(patterns: PatternSet) -> tuple[Lint, ...]:
    found = []
    for number, text in enumerate(patterns._texts):
        found += [lint._replace(line=patterns._lines[number]) for lint in _of_pattern(patterns, number, text)]
    found += _covered(patterns)
    return tuple(sorted(found, key=lambda lint: (lint.line, lint.code)))


def _of_pattern(patterns: PatternSet, number: int, text: str) -> Iterator[Lint]:
    """What is the matter with a pattern by itself. A witness is given only if the pattern matches it."""
    rules = list(patterns._rules(number))
    syntax = patterns.syntax
    for rule in rules:
        key = rule.host[1] if rule.host else b""
        if rule.host and key[0] >= 8 and rule.host[0] in (BELOW, BOTH):
            name = key.decode()
            if rule.host[0] == BELOW and syntax in ("domains", "origins"):
                witness = _url(rule, name)
                yield Lint(
                    "not-the-name-itself", 0, 0, text, f"{name} itself is not matched: only what is below it", witness
                )
            if "." not in name or _is_public_suffix(name):
                witness = _url(rule, f"anybody.{name}")
                yield Lint("public-suffix", 0, 0, text, f"anybody can register a name below {name}", witness)
        if rule.schemes == ("http",) and syntax == "origins":
            yield Lint(
                "plain-http",
                0,
                0,
                text,
                "whoever is on the way can answer for this origin",
                _url(rule, key.decode("latin-1")),
            )
        if rule.ports is not None and rule.schemes and syntax == "origins" and not re.search(r":\d+$", text):
            witness = f"{rule.schemes[0]}://{_shown(key)}:8443/"
            yield Lint("default-port", 0, 0, text, "a port left out means the default port only", witness)
            break
    if syntax == "glob":
        host = re.match(r"[^/]*://([^/]*)", text)
        if host and "**" in host[1]:
            yield Lint("wildcard-crosses-host", 0, host.start(1), text, "** holds slashes too, so another host",
                       text.replace("**", "evil.example/", 1).replace("**", "x").replace("*", "x"))  # fmt: skip
        elif host and host[1].endswith("*") and host[1].strip("*."):
            evil = host[1].rstrip("*") + ".evil.example"
            yield Lint("open-host", 0, host.end(1), text, "* goes on with the host's name",
                       text[: host.start(1)] + evil + text[host.end(1) :].replace("*", "x"))  # fmt: skip
    if syntax == "match-pattern" and (text == "<all_urls>" or text.startswith("*://*/")):
        yield Lint("everything", 0, 0, text, "this is every site", "http://evil.example/")
    if syntax == "match-pattern" and text.startswith("*://") and not text.startswith("*://*/"):
        for rule in rules[:1]:
            if rule.host:
                yield Lint("plain-http", 0, 0, text, "* as a scheme includes http",
                           f"http://{_shown(rule.host[1])}/")  # fmt: skip
    if syntax == "redirect-uri" and re.match(r"http://localhost(?=[:/]|$)", text, re.IGNORECASE):
        yield Lint(
            "localhost",
            0,
            7,
            text,
            "RFC 8252 section 8.3 advises 127.0.0.1 and [::1]: a name may be resolved elsewhere",
            text,
        )


def _shown(key: bytes) -> str:
    return key.decode("latin-1") if not key or key[0] >= 8 else "10.0.0.1"


def _url(rule: object, name: str) -> str:
    schemes = rule.schemes  # type: ignore[attr-defined]
    ports = rule.ports  # type: ignore[attr-defined]
    port = "" if ports is None or ports[0][0] in (NO_PORT, 80, 443) else f":{ports[0][0]}"
    return f"{schemes[0] if schemes else 'https'}://{name}{port}/"


def _is_public_suffix(name: str) -> bool:
    from urlsm.crawler.sites import public_suffix

    try:
        return public_suffix(name) == name
    except ModuleNotFoundError:  # publicsuffixlist is not installed: only names without a dot are known to be one
        return False


def _covered(patterns: PatternSet) -> Iterator[Lint]:
    """Patterns that say what another one says already: those whose host another one holds, with the same rest."""
    known: dict[tuple[object, ...], int] = {}
    rows = []
    for number in range(len(patterns._texts)):
        rules = list(patterns._rules(number))
        if len(rules) != 1:
            continue
        rule = rules[0]
        rest = (rule.allow, rule.schemes, rule.ports, rule.checks if not _of_the_host(rule) else ())
        rows.append((number, rule, rest))
        known.setdefault((rule.host, *rest), number)
    for number, rule, rest in rows:
        other = known[(rule.host, *rest)]
        if other == number and rule.host and rule.host[1][0] >= 8 and not _of_the_host(rule):
            name = rule.host[1].decode()
            labels = name.split(".")
            for k in range(len(labels)):
                above = ".".join(labels[k:]).encode()
                for how in (BOTH, BELOW) if k else (BOTH,):
                    found = known.get(((how, above), *rest), number)
                    if found != number:
                        other = found
        if other != number:
            text = patterns._texts[number]
            witness = _url(rule, _name_of(rule)) if rule.host and not rule.checks else ""
            yield Lint(
                "covered", patterns._lines[number], 0, text, f"{patterns._texts[other]!r} says it already", witness
            )


def _of_the_host(rule: object) -> bool:
    return any(kind == "hostname" for kind, _ in rule.checks)  # type: ignore[attr-defined]


def _name_of(rule: object) -> str:
    how, key = rule.host  # type: ignore[attr-defined]
    return _shown(key) if how != BELOW else f"www.{_shown(key)}"


# --- robots.txt -----------------------------------------------------------------------------------------


def linted_robots(text: bytes) -> tuple[Lint, ...]:
    from urlsm.patterns.robots import _AGENT, _ALLOW, _DISALLOW, _LINE, _key_of

    found = []
    group = False
    for number, line in enumerate(_LINE.split(text.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")), 1):
        shown = line.decode("utf-8", "replace").strip(" \t\0")
        if not shown or shown.startswith("#"):
            continue
        read = _key_of(line)
        if read is None:
            found.append(Lint("unknown-key", number, 0, shown, "the line means nothing", ""))
            continue
        key, value, mistyped = read
        if mistyped:
            found.append(
                Lint("mistyped-key", number, 0, shown, "the key is mistyped; many crawlers do not read it", "")
            )
        if key == _AGENT:
            group = True
        elif key in (_ALLOW, _DISALLOW):
            if not group:
                found.append(Lint("no-agent", number, 0, shown, "the rule stands before any User-agent line", ""))
            elif value and value[:1] not in b"/*":
                found.append(Lint("no-slash", number, 0, shown, "no path begins so: it begins with / or *", ""))
    return tuple(found)
