"""The URL classes of Node (Ada) and of npm's whatwg-url, where they are installed: every attribute, every setter.

Both follow older texts of the standard, or have bugs: DIFFERENCES lists each class, as narrowly as it can be told.
whatwg-url is looked for where Node looks: NODE_PATH, and node_modules of the current folder.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import unicodedata
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from support.generate import build_host, build_tail, build_url, random_case
from support.seeds import seeded

from oracles.pipe import as_utf_16, ask
from oracles.rows import Judge, Rows, judged
from urlsm import ParseError, can_parse, parse, try_parse
from urlsm.whatwg import URL

PROGRAM = str(Path(__file__).with_name("url.cjs"))
ATTRIBUTES = ("href", "origin", "protocol", "username", "password", "hostname", "port", "pathname", "search", "hash")
SETTERS = ("protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "hash")
C0_OR_SPACE = "".join(map(chr, range(0x21)))
Case = Sequence[str | None]  # a text, its base; the name of a setter, and what it sets
Answer = list[str] | None  # the attributes; None where the text is refused


def ours(case: Case) -> Answer:
    try:
        url = URL(case[0], case[1])
    except ParseError:
        return None
    if len(case) > 2:
        setattr(url, case[2], case[3])
    return [getattr(url, name) for name in ATTRIBUTES]


def code(case: Case) -> str | None:
    try:
        parse(case[0], base=case[1])
    except ParseError as error:
        return error.code
    return None


def reads_as(theirs: str) -> str | None:
    """Return their serialisation by today's standard."""
    url = try_parse(theirs)
    return None if url is None else url.href


def is_invalid_idn(host: str) -> bool:
    """Return whether this is an ASCII host that was refused before 2026-06, and still is with a label beyond ASCII."""
    return "xn--" in host and not can_parse(f"http://\xe9.{host}/")


def bidi_or_joiner(text: str) -> bool:
    """Return whether RFC 5893, section 2, or RFC 5892, appendix A, has a rule on a character of text."""
    labels = re.findall(r"xn--([0-9a-z-]+)", text, re.IGNORECASE)
    for label in labels:
        try:
            text += label.encode().decode("punycode")
        except UnicodeError:
            continue
    text = unicodedata.normalize("NFKC", text + unquoted(text))
    return any(c in "\u200c\u200d" or unicodedata.bidirectional(c) in ("R", "AL", "AN") for c in text)


def unquoted(text: str) -> str:
    octets = re.sub(rb"%([0-9A-Fa-f]{2})", lambda m: bytes([int(m[1], 16)]), text.encode("utf-8", "surrogatepass"))
    return octets.decode("utf-8", "replace")


def whole(case: Case) -> str:
    """Return all the text of a case."""
    return " ".join(part for part in case if part)


def before(case: Case) -> str | None:
    """Return our href before the setter."""
    answer = ours(case[:2])
    return answer and answer[0]


def sets(case: Case, *names: str) -> bool:
    return len(case) > 2 and case[2] in names


def host_of(text: str | None) -> str:
    url = None if text is None else try_parse(text)
    return (url is not None and url.host) or ""


def without_host(href: str) -> str:
    """Return href with an empty host as an absent one."""
    return re.sub("://[^/?#]*", ":", re.sub("^([^/?#:]+:)/[.]//", r"\1////", href))


def without_port(href: str) -> str:
    return re.sub(r"^([^/?#]*//[^/?#]*):[0-9]+(?=[/?#]|$)", r"\1", href)


def with_empty_path(href: str) -> str:
    path, *rest = path_cut(href)
    return "".join([f"{path}/", *rest])


def path_cut(href: str) -> list[str]:
    return re.split("(?=[?#])", href, maxsplit=1)


OLDER: Rows = {
    "circumflex, or an opaque path's last space": (
        "'^' is in the path percent-encode set, and a space before '?' or '#' is '%20', since 2025-03",
        lambda case, ours, theirs: ours and theirs and reads_as(theirs) == ours
        and ("^" in path_cut(theirs)[0] or path_cut(theirs)[0].endswith(" ")),
    ),
    "an opaque path's last space, the fragment or query removed": (
        "such spaces went with the last '?' or '#', before they were '%20'",
        lambda case, ours, theirs: sets(case, "search", "hash") and ours and theirs
        and ours.replace("%20", "") == theirs.replace("%20", "") and ours.startswith(f"{theirs}%20"),
    ),
    "ASCII xn-- labels": (
        "an ASCII domain never fails ToASCII since 2026-06",
        lambda case, ours, theirs: ours and theirs is None
        and any(is_invalid_idn(host_of(href)) for href in (ours, before(case), case[1])),
    ),
    "ASCII xn-- labels that are set": (
        "the same, in the setters of host and hostname, which leave the URL as it was",
        lambda case, ours, theirs: sets(case, "host", "hostname") and ours and theirs
        and is_invalid_idn(host_of(ours)) and reads_as(theirs) == before(case),
    ),
}  # fmt: skip

ADA: Rows = {
    "Bidi and joiner rules": (
        "the Bidi rule holds for all labels of a domain that has a right-to-left one, not so in Ada",
        lambda case, ours, theirs: ours is None and theirs and code(case) == "domain-to-ASCII"
        and bidi_or_joiner(whole(case)),
    ),
    "Bidi and joiner rules of what is set": (
        "the same, in the setters of host and hostname",
        lambda case, ours, theirs: sets(case, "host", "hostname") and theirs != ours == before(case)
        and bidi_or_joiner(case[3] or ""),
    ),
    "a fragment after a reference to an opaque path": (
        "a bug of Ada 2: 'x#y' is taken although the base's path is opaque",
        lambda case, ours, theirs: ours is None and theirs and "#" in theirs
        and code(case) == "missing-scheme-non-relative-URL" and can_parse(case[1] or ""),
    ),
    "dots alone": (
        "a bug of Ada 2: the last '/' of a URL that is not special goes with dot segments, where nothing is before it",
        lambda case, ours, theirs: ours and theirs and re.search("[.]|%2e", whole(case), re.IGNORECASE)
        and any(with_empty_path(theirs) == href for href in (ours, before(case))) and URL(ours).origin == "null",
    ),
    "drive letters": (
        "a bug of Ada 2: '..' does not remove a segment of a file URL that only begins like a drive letter (a:b)",
        lambda case, ours, theirs: ours and theirs and ours.startswith("file:")
        and re.match("/[A-Za-z]:[^/]", parse(theirs).path)
        and parse(theirs).path.endswith(parse(ours).path),
    ),
    "dots after a dot": (
        "a bug of Ada 2: dot segments after a segment that only begins with a dot may stay",
        lambda case, ours, theirs: ours and theirs and reads_as(theirs) == ours
        and re.search(r"/[.][^/]*/(.*/)?[.]{1,2}$", path_cut(theirs)[0]),
    ),
    "an empty query of a base": (
        "a bug of Ada 2: '' against a base with an empty query loses the '?'",
        lambda case, ours, theirs: case[1] and re.match("#|$", case[0].strip(C0_OR_SPACE))
        and ours and theirs == ours.replace("?", "", 1),
    ),
    "an empty host that is set": (
        "a bug of Ada 2: a URL without a host does not get an empty one; host = ':x' empties the host",
        lambda case, ours, theirs: sets(case, "host", "hostname") and ours and theirs
        and re.match("[:/?#]|$", case[3].strip())
        and (without_host(ours) == without_host(theirs) or reads_as(theirs) is None),
    ),
    "a port that is set with a host": (
        "a bug of Ada 2: host = 'h:8' on a URL without a host sets no port, and host = 'h::8' removes one",
        lambda case, ours, theirs: sets(case, "host") and ":" in (case[3] or "") and without_port(ours or "") == theirs,
    ),
    "port 0": (
        "a bug of Ada 2: setting the protocol of a URL that is not special removes port 0",
        lambda case, ours, theirs: sets(case, "protocol") and ours and ":0" in ours and without_port(ours) == theirs,
    ),
    "a path that needs '/.'": (
        "a bug of Ada 2: setting it on a URL without a host loses the query and the fragment",
        lambda case, ours, theirs: sets(case, "pathname") and ours and "/.//" in ours and path_cut(ours)[0] == theirs,
    ),
}  # fmt: skip

WHATWG_URL: Rows = {
    "constructor": (
        "a bug of whatwg-url: the scheme 'constructor' is found on its table's prototype, so it is special",
        lambda case, ours, theirs: "constructor:" in re.sub("[\t\r\n]", "", whole(case)).lower(),
    ),
    "code points in user-info": (
        "a bug of whatwg-url: a code point above U+FFFF there counts twice, which cuts the end off",
        lambda case, ours, theirs: ours and theirs and re.search("[\U00010000-\U0010ffff].*@", whole(case), re.DOTALL)
        and re.sub("//[^/?#]*@", "//", ours) == re.sub("//[^/?#]*@", "//", theirs),
    ),
}  # fmt: skip


def beside_older_text(rows: Rows) -> Rows:
    """Return the same rows, alone or together with an older serialisation."""

    def either(judge: Judge) -> Judge:
        return lambda case, ours, theirs: judge(case, ours, theirs) or (theirs and judge(case, ours, reads_as(theirs)))

    return {name: (reason, either(judge)) for name, (reason, judge) in rows.items()}


def compared(cases: list[Case], answers: list[Answer], rows: Rows) -> Counter[str]:
    hrefs = []
    for case, theirs in zip(cases, answers, strict=True):
        found = ours(case)
        hrefs.append((case, found and found[0], theirs and theirs[0]))
        assert found == theirs or hrefs[-1][1] != hrefs[-1][2], (case, found, theirs)  # the same href, other attributes
    return judged(hrefs, beside_older_text(rows))


def parser_cases(rng: random.Random, cases: int) -> list[Case]:
    return [[part and as_utf_16(part) for part in random_case(rng)] for _ in range(cases)]


def setter_cases(rng: random.Random, cases: int) -> list[Case]:
    made: list[Case] = []
    for _ in range(cases):
        name = rng.choice(SETTERS)
        if name in ("host", "hostname"):
            value = build_host(rng.choice) + rng.choice(["", ":80", ":8", "/x", "?", "@h"])
        elif name == "port":
            value = rng.choice(["", "0", "80", "443", "8080", "65536", "8a", " 8", "a", "-1", "\t8", "8/9"])
        elif name == "protocol":
            value = rng.choice(["http", "https:", "ws", "file", "foo", "FTP:x", "", "1", "h\tttp", "data"])
        else:
            value = build_tail(rng.choice)
        made.append([part and as_utf_16(part) for part in (build_url(rng.choice), None, name, value)])
    return made


def is_installed(package: str) -> bool:
    asked = ["node", "-e", f"require({package!r})"]
    if shutil.which("node") is None:
        pytest.skip("the program node is not installed")
    environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    return subprocess.run(asked, stderr=subprocess.DEVNULL, env=environment).returncode == 0


MAKERS = pytest.mark.parametrize("make", [parser_cases, setter_cases])


@MAKERS
def test_node_agrees_but_for_the_differences_listed(make, cases):
    asked = make(seeded("node"), cases)
    seen = compared(asked, ask(["node", PROGRAM], asked), OLDER | ADA)
    assert seen["agree"] > 0.9 * cases, seen


@MAKERS
def test_whatwg_url_agrees_but_for_the_differences_listed(make, cases):
    if not is_installed("whatwg-url"):
        pytest.skip("the npm package whatwg-url is not installed (NODE_PATH)")
    asked = make(seeded("whatwg-url"), cases)
    seen = compared(asked, ask(["node", PROGRAM, "whatwg-url"], asked), OLDER | WHATWG_URL)
    assert seen["agree"] > 0.9 * cases, seen
