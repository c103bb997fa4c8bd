"""Formats beside what jsonschema asks today, and templates beside uritemplate and the MCP SDK: nanoseconds a call.

    python -m bench.formats

Each row is the median and the 95th percentile over its texts, each text at its best of several rounds in turns. A peer
that is not installed is left out. Answers are compared first: a text on which a peer answers otherwise is not timed,
and is counted in the last column.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from statistics import median
from typing import Any

from bench.clocks import clocked, in_turns, print_head, print_row
from urlsm import Template
from urlsm.formats import FORMATS

CALLS = 200  # of each text in a round; a text of 64 KiB is called once
LONG = 0x10000

TEXTS: dict[str, tuple[str, ...]] = {
    "uri": ("http://foo.bar/?baz=qux#quux", "urn:oasis:names:specification:docbook:dtd:xml:4.1.2", "http://h/a b",
            "http://[2001:db8::7]:80/c=GB?objectClass?one", "/abc", "http://h/" + "a%20b/" * (LONG // 6)),
    "uri-reference": ("/abc", "#frag\\ment", "../a/b?c=d#e", "//h/" + "a%20b/" * (LONG // 6)),
    "iri": ("http://ƒøø.ßår/?∂éœ=πîx#πîüx", "é", "http://h/é\\", "http://h/" + "é/" * (LONG // 3)),
    "iri-reference": ("/âππ", "\\\\WINDOWS\\filëßåré", "é/" * (LONG // 3)),
    "uri-template": ("http://example.com/dictionary/{term:1}/{term}", "http://e/{term", "{a}/" * (LONG // 4)),
    "hostname": ("www.example.com", "not_a_valid_host_name", "xn--4gbwdl.xn--wgbh1c", "a." * (LONG // 2)),
    "idn-hostname": ("실례.테스트", "www.example.com", "☃.example", "é." * (LONG // 3)),
    "ipv4": ("192.168.0.1", "256.1.1.1", "1." * (LONG // 2)),
    "ipv6": ("1:2:3:4:5:6:7:8", "::ffff:192.168.0.1", "1::d6::42", "1:" * (LONG // 2)),
    "json-pointer": ("/foo/bar~0/baz~1/%a", "/foo~", "/a~1" * (LONG // 4)),
    "relative-json-pointer": ("2/0/baz/1/zip", "01/a", "0" + "/a~1" * (LONG // 4)),
}  # fmt: skip
TEMPLATES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("https://api.example/users/{id}{?fields}", {"id": "7", "fields": "name"}),
    ("https://api.example/repos{/owner,repo}/issues{?state,page}", {"owner": "o", "repo": "r é", "page": "2"}),
    ("file:///docs/{+path}", {"path": "a/b/c.txt"}),
    ("/{name}.{ext}", {"name": "report", "ext": "pdf"}),
)


def is_valid(judge: Callable[[str], object], text: str) -> bool:
    try:
        return bool(judge(text))
    except Exception:  # the peers raise errors of many kinds
        return False


def peers() -> Iterator[tuple[str, str, Callable[[str], object]]]:
    """Yield (format, name, function) of what jsonschema's checker asks, and of the other packages that it may ask."""
    try:
        checkers = importlib.import_module("jsonschema").FormatChecker.checkers
    except ImportError:
        return
    yield from ((name, "jsonschema", checkers[name][0]) for name in FORMATS if name in checkers)
    for module, call in (
        ("rfc3986_validator", lambda found: lambda text: found.validate_rfc3986(text, rule="URI")),
        ("rfc3987_syntax", lambda found: lambda text: found.is_valid_syntax("iri", text)),
    ):
        try:
            yield {"rfc3986_validator": "uri"}.get(module, "iri"), module, call(importlib.import_module(module))
        except ImportError:
            continue


def timed(ours: Callable[[Any], object], theirs: Callable[[Any], object], given: list[Any]) -> tuple[str, ...]:
    """Return the cells of a row: the medians of ours and theirs, and the median and 5th percentile of the ratio."""
    rows = []
    for one in given:
        slow = clocked(lambda one=one: theirs(one)) > 100_000
        calls = 1 if slow else CALLS

        def of(work: Callable[[Any], object], one: Any = one, calls: int = calls) -> Callable[[], list[int]]:
            return lambda: [clocked(lambda: [work(one) for _ in range(calls)]) // calls]

        best = in_turns({"ours": of(ours), "theirs": of(theirs)}, 5)
        rows.append((max(1, best["ours"][0]), best["theirs"][0]))
    ratios = sorted(theirs / ours for ours, theirs in rows)
    middles = (median(column) for column in zip(*rows, strict=True))
    return *(f"{one:,.0f}" for one in middles), f"{median(ratios):.1f}x", f"{ratios[len(ratios) // 20]:.1f}x"


def main() -> None:
    print_head("format", "peer", "ours, ns", "peer, ns", "ratio", "95 % above", "other answers")
    for name, peer, judge in peers():
        ours, short = FORMATS[name], peer == "rfc3987_syntax"  # which takes minutes for the long text
        texts = [text for text in TEXTS[name] if not short or len(text) < 1000]
        same = [text for text in texts if is_valid(judge, text) == ours(text)]
        theirs = lambda text, judge=judge: is_valid(judge, text)  # noqa: E731
        print_row(name, peer, *timed(ours, theirs, same), len(texts) - len(same))
    try:
        kind = importlib.import_module("uritemplate").URITemplate
    except ImportError:
        return
    for template, values in TEMPLATES:
        mine, other = Template(template), kind(template)
        assert mine.expand(values) == other.expand(values)
        print_row(template, "uritemplate", *timed(mine.expand, other.expand, [values]), 0)


if __name__ == "__main__":
    main()
