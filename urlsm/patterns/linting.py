"""Finds patterns that probably do not mean what their author intended. Most findings include a URL that shows the
fault."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable, Iterator

from urlsm.patterns.errors import LintFinding
from urlsm.patterns.glob_texts import CROSSINGS
from urlsm.patterns.globs import bare_question_mark
from urlsm.patterns.matcher import fits
from urlsm.patterns.rule import BELOW, BOTH, EXACT
from urlsm.patterns.samples import sample_of, sample_url
from urlsm.url.value import URL, try_parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from urlsm.patterns.sets import PatternSet

__all__ = ["HINTS", "SHOWS", "linted", "linted_robots"]

# maps the code of a finding to whether its witness (the URL that shows the fault) is in the set; a block list holds the
# URLs that it blocks
SHOWS = {
    "any-credentials": True,
    "any-path": True,
    "any-query": True,
    "bare-question-mark": True,
    "bare-host": False,
    "covered": True,
    "default-port": False,
    "encoded-dots": True,
    "everything": True,
    "joined-host": True,
    "localhost": True,
    "modifier": True,
    "not-the-name-itself": False,
    "more-concrete": True,
    "nothing": False,
    "open-host": True,
    "overlap": True,
    "plain-http": True,
    "public-suffix": True,
    "two-slashes": True,  # False for a block list
    "unescaped-dot": True,
    "url-for-host": False,
    "wildcard-crosses-host": True,
    "wildcard-crosses-scheme": True,
}
_WEB = ("http", "https", "ws", "wss")
# codes that are reported only as hints: they explain how a syntax works, and most lists with such patterns are right
HINTS = frozenset((
    *("any-credentials", "any-path", "any-query", "default-port", "encoded-dots", "not-the-name-itself", "other-key"),
    *("more-concrete", "two-slashes", "unindexed"),
))  # fmt: skip
# maps a code to the syntaxes in which it is only reported as a hint, because in these an author who allows http, or any
# host, does so on purpose
_ON_PURPOSE = {
    "plain-http": ("glob", "match-pattern", "urlpattern"),
    "everything": ("csp", "match-pattern"),
}
# an expression for lines of another format, the name of that format, and the syntaxes that can read such lines
_FORMATS = (
    (re.compile(r"(0\.0\.0\.0|127\.0\.0\.1|::1?)\s+\S"), "a hosts file", ("adblock", "hosts")),
    (re.compile(r"(address|server|local)\s*=\s*/"), "dnsmasq", ("hosts",)),
    (re.compile(r"local-(zone|data):"), "unbound", ("hosts",)),
    (re.compile(r"(@@)?\|\||.*\^(\$|$)|.*##"), "an ad blocker", ("adblock",)),
    (re.compile(r"(user-agent|disallow|allow|sitemap)\s*:", re.IGNORECASE), "robots.txt", ("robots",)),
    (re.compile(r"'(self|none|unsafe-\S+)'", re.IGNORECASE), "a Content-Security-Policy", ("csp",)),
    (re.compile(r"[a-z]+-src(-elem|-attr)?([\s;]|$)", re.IGNORECASE), "a whole Content-Security-Policy", ()),
    (re.compile(r"\^(https?|\.\*|\(|\\)|.*(\\\.|\(\?:)"), "regular expressions", ("adblock", "urlpattern")),
    (re.compile(r"<(!doctype|html|head|\?xml)", re.IGNORECASE), "a page", ()),
)
_CSP_WORDS = re.compile(r"self|none|unsafe-(inline|eval|hashes)|strict-dynamic|(nonce|sha(256|384|512))-\S+", re.I)
_WRITTEN_PORT = re.compile(r":\d+(?=[/?]|$)")
# no request that a policy controls has these schemes: connect-src says nothing about the servers of WebRTC
_OF_WEBRTC = re.compile(r"(stuns?|turns?):", re.IGNORECASE)
_PLACEHOLDER = re.compile(r"\$\{|\{\{")  # of a template: "https://${host}/cb"
_LITERAL = ("blocklist", "csp", "domains", "hosts", "match-pattern", "no-proxy", "origins", "redirect-uri")
_SCHEME_AND_STAR = re.compile(r"(https?|wss?|data|blob):\*", re.IGNORECASE)
_DELIBERATE = re.compile(r"(0\.0\.0\.0|127\.|::1?\s|fe80:|ff0|255\.|server|local|address|#)", re.IGNORECASE)
_FILES = re.compile(
    r"(?:.*\.)?(?:js|mjs|css|html?|php|aspx?|jsp|cgi|png|jpe?g|gif|svg|webp|swf|json|xml|txt|woff2?|mp4)"
)
# nobody can register a name below these top-level names: some are reserved (RFC 6761, RFC 6762, ICANN's .internal), and
# the others are usual in local networks
_NOT_REGISTERED = frozenset(("corp", "home", "internal", "intranet", "lan", "local", "localhost", "test"))
_FEW = 4  # at most this many rules of a pattern are examined


def linted(patterns: PatternSet, hints: bool = False, ignore: Iterable[str] = ()) -> tuple[LintFinding, ...]:
    """Return the findings, in line order. A finding is dropped if its witness does not show the fault because another
    pattern decides about that URL. hints: whether to include findings whose code is in HINTS. ignore: codes to leave
    out."""
    left_out = _codes(hints, ignore)
    found = []
    nothing: frozenset[str] = frozenset()
    for number, error in zip(patterns._refused, patterns.errors, strict=True):
        if error.code not in left_out | patterns._ignored.get(number, nothing):
            found.append(LintFinding(error.code, error.line, error.position, error.pattern, error.message, ""))
    if patterns.syntax == "robots":  # if the text is an HTML page, report that once, not for each line
        found = [lint for lint in found if lint.code == "unreadable"][:1] or found
    if patterns.syntax == "uri-template":
        found += [lint for number, lint in _overlapping(patterns)
                  if lint.code not in left_out | patterns._ignored.get(number, nothing)]  # fmt: skip
        return tuple(sorted(found, key=lambda lint: (lint.line, lint.code)))
    for number, text in enumerate(patterns._texts):
        codes = set(left_out | patterns._ignored.get(number, nothing))
        for lint in _of_pattern(patterns, number, text):
            if lint.code in codes or (not hints and patterns.syntax in _ON_PURPOSE.get(lint.code, ())):
                continue
            if lint.witness:
                shown = (lint.witness in patterns) == _shows(patterns, lint.code)
            else:  # there is no witness; the line alone shows the fault
                shown = lint.code in _OF_LINES
            if shown and lint.code not in codes:
                codes.add(lint.code)
                found.append(lint._replace(line=patterns._lines[number], pattern=text))
    if "unindexed" not in left_out:
        for number in sorted(set(patterns._matcher.unindexed)):
            if "unindexed" not in patterns._ignored.get(number, nothing):
                message = "no text tells this pattern apart from many others: they are tried one after another"
                found.append(LintFinding("unindexed", patterns._lines[number], 0, patterns._texts[number], message, ""))
    if "covered" not in left_out:
        found += [
            lint for number, lint in _covered(patterns) if "covered" not in patterns._ignored.get(number, nothing)
        ]
    return tuple(sorted(found, key=lambda lint: (lint.line, lint.code)))


def _codes(hints: bool, ignore: Iterable[str]) -> frozenset[str]:
    """Return all codes to leave out."""
    if isinstance(ignore, str | bytes) or not isinstance(ignore, Iterable):
        raise TypeError(f"ignore must be an iterable of codes, not {type(ignore).__name__}")
    return frozenset(ignore) | (frozenset() if hints else HINTS)


_OF_LINES = (
    *("nothing", "no-gram", "bare-question-mark", "other-format", "no-quotes", "no-slashes", "mistyped-key"),
    *("no-slash", "placeholder"),
)


def _shows(patterns: PatternSet, code: str) -> bool:
    return SHOWS[code] != (code == "two-slashes" and patterns._syntax.blocks)


def _lint(code: str, message: str, witness: str | URL, position: int = 0) -> LintFinding:
    return LintFinding(code, 0, position, "", message, str(witness))


def _of_pattern(patterns: PatternSet, number: int, text: str) -> Iterator[LintFinding]:
    """Yield a finding for each fault that a single pattern may have, with a URL that would show the fault."""
    rules = list(patterns._rules(number))
    if number in patterns._unread:
        return
    for looks, name, syntaxes in _FORMATS:
        if patterns.syntax not in syntaxes and looks.match(text):
            yield _lint("other-format", f"this looks like a line of {name}", "")
    if patterns.syntax in _LITERAL and (placeholder := _PLACEHOLDER.search(text)):
        yield _lint("placeholder", "a template placeholder was not replaced", "", placeholder.start())
    if patterns._syntax.reads is not None:
        yield from _of_text(patterns, number, text, rules)
        return
    if patterns.syntax == "no-proxy":
        if "://" in text and patterns._options["flavor"] not in ("httpx", "chromium"):
            yield _lint("url-for-host", "write a host here, not a URL", text)
        meant = _meant_by(text)
        if meant is not None and not any(fits(rule, meant) for rule in rules):
            yield _lint("nothing", f"no URL matches this in {patterns._options['flavor'] or 'any program'}", meant)
        return
    if patterns.syntax == "hosts":
        if not rules and not _DELIBERATE.match(text):
            yield _lint("nothing", "the address is a real server, so the names are not blocked", "")
        return
    if patterns._syntax.types is not None:
        name = text.removeprefix("@@")
        if patterns.syntax == "adblock" and rules and rules[0].host and not rules[0].checks and _FILES.fullmatch(name):
            yield _lint("bare-host", f"a bare name is a host; write /{name} for a file", f"https://host.example/{name}")
        if any(map(_is_tried_always, rules)):
            yield _lint(
                "no-gram",
                "the filter is slow: without a host, a source or four fixed bytes it is tried on every URL",
                "",
            )
        return
    if patterns.syntax == "glob":
        if patterns._options["flavor"]:
            yield from _of_whole_texts(patterns, text, rules) if number < patterns._count else ()
            return
        at = bare_question_mark(text)
        if at >= 0:
            sample = sample_url(rules[0]) if number < patterns._count else None
            yield _lint("bare-question-mark", "? matches any one character; write \\? for a query", sample or "", at)
    if patterns.syntax == "csp" and _CSP_WORDS.fullmatch(text):
        yield _lint("no-quotes", f"without quotes this is a host; write '{text}'", "")
    if patterns.syntax == "csp" and _SCHEME_AND_STAR.fullmatch(text):
        scheme = text.partition(":")[0]
        yield _lint("no-slashes", f"this is a host named {scheme} with any port; write {scheme}: for all hosts", "")
    if patterns.syntax == "csp" and _OF_WEBRTC.fullmatch(text):
        yield _lint("nothing", "this never matches: connect-src does not restrict WebRTC", "")
    elif not rules and not (patterns.syntax == "csp" and (text[:1] == "'" or patterns._options["self_origin"] is None)):
        yield _lint("nothing", "no URL matches this", "")
    samples = [(rule, sample) for rule in rules[:_FEW] if (sample := sample_url(rule)) is not None]
    fitting = [(rule, sample) for rule, sample in samples if fits(rule, sample)]
    kinds = [kind for kind, _ in rules[0].checks] if rules else []
    # one sample cannot satisfy two checks of the same text
    if samples and not fitting and len(kinds) == len(set(kinds)):
        yield _lint("nothing", "no normalized URL matches this", samples[0][1])
    for rule, sample in fitting:
        if number >= patterns._count or patterns._syntax.blocks:
            yield from _of_what_is_kept_out(rule, sample)
        else:
            yield from _of_the_host(patterns, text, rule, sample)
            yield from _of_the_rest(patterns, text, rule, sample)


def _meant_by(entry: str) -> URL | None:
    """Return a URL that the author of an entry of no_proxy probably had in mind: its host is below a name, or in a
    network."""
    if entry.startswith("*."):
        return try_parse(f"http://www{entry[1:]}/")
    try:
        last = ipaddress.ip_network(entry, strict=False).broadcast_address
    except ValueError:
        return None
    return try_parse(f"http://[{last}]/" if last.version == 6 else f"http://{last}/")


def _of_whole_texts(patterns: PatternSet, text: str, rules: list[Any]) -> Iterator[LintFinding]:
    """Yield the findings for a glob that matches whole URLs (with a flavor): a star matches a part of the host or the
    scheme. There are no other findings for such globs."""
    head = re.match(r"(?:[^/]*://)?[^/]*", text)[0]  # type: ignore[index]
    scheme, colon, host = head.rpartition("://")
    home = max(re.split(r"[*?{}\[\]]+", host.partition(":")[0]), key=len).strip(".").lower()
    if not colon and not home:
        return  # a pattern like "**/api/**" is for any host
    for star in re.finditer(r"\*+", head):
        for inside in CROSSINGS:
            filled = f"{text[: star.start()]}{inside}{text[star.end() :]}"
            filled = re.sub(r"\*+", "x", re.sub(r"/\*\*/", "/", re.sub(r"\{([^{},]*)[^{}]*\}", r"\1", filled)))
            url = try_parse(filled)
            if url is None or not any(fits(rule, url) for rule in rules):
                continue
            if url.scheme not in _WEB and (star.start() < len(scheme) or not colon) and url in patterns:
                yield _lint("wildcard-crosses-scheme", "* also matches another scheme", url, star.start())
            elif home and url.host and not f".{url.host}".endswith(f".{home}") and url in patterns:
                yield _lint("wildcard-crosses-host", "* also matches another host", url, star.start())


def _is_tried_always(rule: Any) -> bool:
    """Return whether the matcher must try a filter for every URL, because nothing in it can be looked up."""
    program = rule.checks[0][1] if rule.checks else ()
    literals = [piece for piece in program if isinstance(piece, bytes)]
    return not (
        rule.host
        or rule.request[2]
        or program[:1] == tuple(literals[:1]) != ()
        or max(map(len, literals), default=0) >= 4
    )


def _of_text(patterns: PatternSet, number: int, text: str, rules: list[Any]) -> Iterator[LintFinding]:
    """Yield the findings for a pattern of a syntax that compares whole strings."""
    if patterns.syntax == "redirect-uri" and re.match(r"http://localhost(?=[:/]|$)", text, re.IGNORECASE):
        yield _lint("localhost", "write 127.0.0.1 or [::1]: the name may resolve elsewhere (RFC 8252 section 8.3)",
                    text, 7)  # fmt: skip
    if patterns.syntax == "redirect-uri" and text[:7].lower() == "http://":
        url = try_parse(text)
        if url is not None and url.host and not _is_near(url.host):
            yield _lint("plain-http", "use https: http exposes the code, except on loopback addresses", text)
    if patterns.syntax == "robots":
        yield from _of_a_line(text.encode("utf-8", "replace"))
    for rule in rules[:1]:
        path = sample_of(rule.checks[0][1]).decode("latin-1") if rule.checks else ""
        if patterns.syntax == "robots" and not rule.allow and len(path) > 1 and path[0] == "/":
            yield _lint(
                "two-slashes",
                "many servers serve the same page for a path with two slashes, which this does not match",
                f"https://host.example/{path}",
            )


def _of_a_line(line: bytes) -> Iterator[LintFinding]:
    """Yield the findings for a single Allow or Disallow line of robots.txt."""
    from urlsm.patterns.robots_lines import key_of

    read = key_of(line)
    if read is None:
        return
    if read[2]:
        yield _lint("mistyped-key", "the key is misspelled: many crawlers ignore it", "")
    if read[1] and read[1][:1] not in b"/*":
        yield _lint("no-slash", "start the path with / or *: no path matches this", "")


def _of_what_is_kept_out(rule: Any, sample: URL) -> Iterator[LintFinding]:
    if len(sample.path) > 1 and sample.path[0] == "/" and any(kind in ("target", "path") for kind, _ in rule.checks):
        yield _lint(
            "two-slashes",
            "many servers serve the same page for a path with two slashes, which this does not match",
            _at(sample, f"/{sample.path}"),
        )


def _of_the_host(patterns: PatternSet, text: str, rule: Any, sample: URL) -> Iterator[LintFinding]:
    syntax = patterns.syntax
    key = rule.host[1] if rule.host else b""
    name = key.decode("latin-1") if key and key[0] >= 8 else ""
    if name and rule.host[0] in (BELOW, BOTH):
        if rule.host[0] == BELOW and syntax in ("domains", "origins", "csp"):
            yield _lint("not-the-name-itself", f"this matches only subdomains of {name}, not {name} itself",
                        _changed(sample, host=name))  # fmt: skip
        # an extension may want all pages below a suffix that is not a registry's, like github.io
        if name not in _NOT_REGISTERED and ("." not in name or _is_public_suffix(name, syntax != "match-pattern")):
            yield _lint("public-suffix", f"{name} is a public suffix: anyone can register a name below it",
                        _changed(sample, host=f"anybody.{name}"))  # fmt: skip
    written = re.match(r"(?:[^/]*?://)([^/]*)", text) if syntax in ("glob", "urlpattern") else None
    host, start = (written[1], written.start(1)) if written else ("", 0)
    bare = host.partition(":")[0]
    if sample.host and bare.endswith("*") and bare.strip("*."):
        evil = sample.host[: -1 if sample.host.endswith("x") else None].rstrip(".") + ".evil.example"
        evil = sample.host if syntax == "glob" else evil  # in a glob, a star matches nothing beyond its label
        yield _lint(
            "open-host",
            "* also matches longer host names, of other owners",
            _changed(sample, host=evil),
            start + len(bare) - 1,
        )
    elif sample.host and re.match(r"\*+[^*.:/{(]", bare):
        evil = "evil" + sample.host.removeprefix("x")
        yield _lint(
            "joined-host",
            "* starts inside a label: other domains also end like this",
            _changed(sample, host=evil),
            start,
        )
    elif sample.host and re.match(r"\*\.[^*]", bare):
        yield _lint("not-the-name-itself", "this matches only subdomains, not the domain itself",
                    _changed(sample, host=sample.host.partition(".")[2]), start)  # fmt: skip
        if syntax == "urlpattern" and re.fullmatch(r"[\w.-]+", bare[2:]) and _is_public_suffix(bare[2:]):
            yield _lint("public-suffix", f"{bare[2:]} is a public suffix: anyone can register a name below it",
                        _changed(sample, host=f"anybody.{bare[2:]}"), start)  # fmt: skip
    dot = re.search(r"\([^()]*?(?<!\\)(\.)(?![*+?{])", bare)
    if dot and sample.host:
        yield _lint(
            "unescaped-dot",
            "an unescaped dot in a regular expression matches any character",
            sample,
            start + dot.start(1),
        )
    if rule.host is None and syntax not in ("domains", "origins"):
        elsewhere = _changed(sample, host="evil.example") if sample.host else ""
        if isinstance(elsewhere, URL) and fits(rule, elsewhere):
            yield _lint("everything", "this matches every host", elsewhere)


def _of_the_rest(patterns: PatternSet, text: str, rule: Any, sample: URL) -> Iterator[LintFinding]:
    syntax = patterns.syntax
    if syntax in ("origins", "urlpattern", "csp") and sample.host and not re.search(r":(\d+|\*)?(/|$)", text[6:]):
        yield _lint("default-port", "without a port only the default port matches", _changed(sample, port=8443))
    if syntax in ("origins", "urlpattern", "csp", "glob", "match-pattern") and sample.host:
        plain = sample if sample.scheme == "http" else _changed(sample, scheme="http")
        if (
            sample.scheme in ("http", "https")
            and isinstance(plain, URL)
            and fits(rule, plain)
            and not _is_near(sample.host)
            and (syntax != "csp" or text[:5].lower() == "http:")  # "*" means any scheme, so its author also wants http
        ):
            yield _lint("plain-http", "http: anyone on the network can read and change the traffic", plain)
    if syntax == "urlpattern" and sample.host:
        kinds = {kind for kind, _ in rule.checks}
        if not kinds & {"username", "password"}:
            yield _lint("any-credentials", "any user and password match unless the pattern has them",
                        _changed(sample, username="me", password="pw"))  # fmt: skip
        if "path" not in kinds:
            yield _lint("any-path", "without a path every path matches", _at(sample, "/any/where"))
        elif "search" not in kinds and "?*" not in text:
            yield _lint("any-query", "without a query every query matches", _changed(sample, query="any=thing"))
        # at the end of a segment, the "?" of ":id?" is meant as a modifier; in ":id?b=c" and "*?*" it is meant to begin
        # a query
        modifier = re.search(r"(?::\w+|(?<=/)\*)(\?)(?=[\w*&%])", text)
        without = sample_url(rule, fewest=True)
        if modifier and without is not None:
            yield _lint("modifier", "? makes the item before it optional; write \\? for a query", without,
                        modifier.start(1))  # fmt: skip
    for kind, program in rule.checks:
        open_end = program[-1:] != ("$",) or program[-2:] == ("*", "$")
        if kind in ("target", "path", "whole") and sample.path[:1] == "/" and open_end:
            path = f"{sample.path[: sample.path.rfind('/') + 1]}..%2f..%2fsteal"
            yield _lint("encoded-dots", "a server that decodes the path may leave this directory", _at(sample, path))


def _is_near(host: str) -> bool:
    """Return whether a request to this host stays on the machine or in the local network."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_private
    except ValueError:
        return host.rpartition(".")[2] in _NOT_REGISTERED


def _changed(url: URL, **parts: Any) -> URL | str:
    """Return the URL with other components; "" if no URL can have these components."""
    try:
        return url.replace(**parts)
    except ValueError:
        return ""


def _at(url: URL, path: str) -> str:
    """Return the text of the URL with another path; "" if that is not a URL."""
    made = try_parse(f"{url.origin}{path}")
    return made.href if made is not None else ""


def _is_public_suffix(name: str, private: bool = True) -> bool:
    from urlsm.crawler.sites import public_suffix

    try:
        return public_suffix(name, only_icann=not private) == name
    except ModuleNotFoundError:  # without publicsuffixlist, a name is certain to be a suffix only if it has no dot
        return False


def _overlapping(patterns: PatternSet) -> Iterator[tuple[int, LintFinding]]:
    """Yield the number and the finding of each URI template that makes a URL that an earlier one makes as well."""
    from urlsm.patterns.template_overlaps import overlaps

    for number, other, url, ordered in overlaps(patterns._sources, patterns._options):
        code = "more-concrete" if ordered else "overlap"
        which = "the more concrete template decides" if ordered else "neither is more concrete in every segment"
        text, line = patterns._texts[number], patterns._lines[number]
        yield number, LintFinding(code, line, 0, text, f"{other!r} matches this URL as well: {which}", url)


def _covered(patterns: PatternSet) -> Iterator[tuple[int, LintFinding]]:
    """Yield the number and the finding of each pattern that another pattern covers: the other pattern has the same host
    or a wider one, and is the same otherwise."""
    known: dict[tuple[object, ...], int] = {}
    # the lengths of hosts; a name of another length is not looked up, because many labels would take quadratic time
    lengths: set[int] = set()
    rows = []
    for number in range(len(patterns._texts)):
        rules = list(patterns._rules(number))
        if len(rules) != 1 or patterns._texts[number][:10].lower() == "local-data":
            continue  # unbound needs both a record and its zone
        rule = rules[0]
        checks = tuple(check for check in rule.checks if rule.host is None or not _is_of_host(rule, check))
        if patterns.syntax == "redirect-uri":
            # another server may compare the port of a loopback address, so patterns with different ports count as
            # different
            checks += tuple(_WRITTEN_PORT.findall(patterns._texts[number]))
        rest = (rule.allow, rule.band, rule.request, rule.schemes, rule.ports, checks)
        rows.append((number, rule, rest))
        known.setdefault((rule.host, *rest), number)
        lengths.add(len(rule.host[1]) if rule.host else 0)
    for number, rule, rest in rows:
        other = known[(rule.host, *rest)]
        if other == number and rule.host and rule.host[1][0] >= 8:
            name, start = rule.host[1], 0
            while True:
                if len(name) - start in lengths:
                    for how in (BOTH, BELOW) if start else (BOTH,):
                        found = known.get(((how, name[start:]), *rest), number)
                        if found != number:
                            other = found
                start = name.find(b".", start) + 1
                if not start:
                    break
        if other != number:
            text = patterns._texts[number]
            sample = sample_url(rule) if rule.allow and patterns._syntax.reads is None else None
            witness = str(sample) if sample is not None and sample in patterns else ""
            said = f"{patterns._texts[other]!r} already covers this"
            yield number, LintFinding("covered", patterns._lines[number], 0, text, said, witness)


def _is_of_host(rule: Any, check: tuple[str, Any]) -> bool:
    """Return whether a check is no more specific than the rule's host. A check is more specific if it has a trailing
    dot, or a star within a label."""
    how, name = rule.host
    return check == ("hostname", (name, "$") if how == EXACT else ("*", b"." + name, "$"))


# --- robots.txt -----------------------------------------------------------------------------------------


_LINE_END = re.compile(rb"[\r\n]")
# keys of robots.txt that only some crawlers read, such as Yandex's, and keys that were only proposed
_OTHER_KEYS = re.compile(
    rb"[ \t]*(clean-param|noindex|nofollow|noarchive|nosnippet|visit-time|cache-delay|content-(signal|usage))[ \t]*:",
    re.IGNORECASE,
)


def linted_robots(text: bytes, hints: bool = False, ignore: Iterable[str] = ()) -> tuple[LintFinding, ...]:
    from urlsm.patterns.robots_lines import AGENT, ALLOW, DISALLOW, key_of
    from urlsm.patterns.syntax import codes_of

    left_out = _codes(hints, ignore)
    found: list[LintFinding] = []
    group = False
    ignored: set[str] = set()
    for number, line in enumerate(_LINE_END.split(text.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")), 1):
        shown = line.decode("utf-8", "replace").strip(" \t\0")
        if not shown or shown.startswith("#"):
            ignored |= codes_of(shown) or set()
            continue
        leaves_out, ignored = left_out | ignored, set()
        read = key_of(line)
        told: list[LintFinding] = []
        if read is None and shown[0] == "<" and not group:
            page = LintFinding("unreadable", number, 0, shown, "this is an HTML page, not a robots.txt file", "")
            return () if page.code in leaves_out else (page,)
        if read is None:
            if _OTHER_KEYS.match(line):
                told.append(_lint("other-key", "only some crawlers support this key", ""))
            else:
                told.append(_lint("unknown-key", "no crawler understands this line", ""))
        elif read[0] in (ALLOW, DISALLOW):
            told += _of_a_line(line)
            if not group:
                told = [lint for lint in told if lint.code != "no-slash"]
                told.append(
                    _lint("no-agent", "the rule is before the first User-agent line, so no crawler obeys it", "")
                )
            elif read[0] == DISALLOW and read[1][:1] == b"/" and len(read[1]) > 1:
                told.append(
                    _lint(
                        "two-slashes",
                        "many servers serve the same page for a path with two slashes, which this does not match",
                        "",
                    )
                )
        else:
            group = group or read[0] == AGENT
            if read[2]:
                told.append(_lint("mistyped-key", "the key is misspelled: many crawlers ignore it", ""))
        found += [lint._replace(line=number, pattern=shown) for lint in told if lint.code not in leaves_out]
    return tuple(found)
