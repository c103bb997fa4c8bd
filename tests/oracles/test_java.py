"""java.net.URI compared with the dialect rfc2396: what is a reference, its components, what it resolves to.

java.net.URI is RFC 2396 with RFC 2732's addresses, and the deviations of its documentation: the rows below.
"""

from __future__ import annotations

import random
import re
import unicodedata
from pathlib import Path

import pytest
from support.generate import random_case
from support.seeds import seeded

import urlsm
from oracles.pipe import as_utf_16, ask_lines
from oracles.rows import Rows, judged

PROGRAM = ["java", "-XX:TieredStopAtLevel=1", str(Path(__file__).with_name("JavaUri.java"))]
PIECES = [
    *("http", "https", "x", "mailto", "news", "a+b", "1x", "HTTP", "file", "u:p@", ":", ":", "//", "//", "//"),
    *("/", "/", "/", ":8a", ":99999", ":99999999999"),
    *("?", "?", "#", "#", ";", "@", "@", "=", "&", "$", ",", "+", "!", "~", "*", "'", "(", ")", "-", "_", "."),
    *("..", "../", "./", "/.", "/..", "a", "b", "c", "h", "a.b", "a-", "-a", "h.1", "1.h", "1.2.3.4", "1.2.3"),
    *("256.0.0.1", "h.", "a..b", "a_b", "[::1]", "[1::2%eth0]", "[", "]", "80", ":80", ":", ":0"),
    *("%41", "%2e", "%", "%4", "%zz", " ", "\t", "\n", "\x7f", "\\", "^", "`", "{", "}", "|", "<", ">", '"'),
    *("\xe9", "\xa0", "\u2028", "\u65e5", "\U0001f600", "\x85"),
]
PATH_PIECES = [
    *("a", "b", "g", "/", "/", "..", ".", "./", "../", "?", "#", "x:", "http:", "//h", ";p", "=1", "%2e", "a:b"),
]
BASES = [
    *("http://a/b/c/d;p?q", "http://a/b/c/d", "http://a", "http://a/", "http://a?q", "x:/a/b", "file:///a/b"),
    "mailto:a",
]
COMPONENTS = ("scheme", "opaque_part", "authority", "userinfo", "host", "port", "path", "query", "fragment")
SERVER = ("userinfo", "host", "port")
Case = tuple[str, str]  # base, reference
Found = list[str | None] | None


def escaped(text: str) -> str:
    """Return the UTF-16 units of text, in hexadecimal."""
    return text.encode("utf-16-be", "surrogatepass").hex()


def unescaped(found: str) -> str | None:
    return None if found == "-" else bytes.fromhex(found[1:]).decode("utf-16-be", "surrogatepass")


def theirs(cases: list[tuple[str, ...]]) -> list[list[str | None] | None]:
    """Return for each text its components, for each (base, reference) [the result]; None where one is refused."""
    answers = ask_lines(PROGRAM, ["\t".join(map(escaped, case)) for case in cases])
    return [None if answer == "refused" else list(map(unescaped, answer.split("\t"))) for answer in answers]


def ours(text: str) -> list[str | None] | None:
    """Return the same from us, None where a rule is broken. By java.net.URI's documentation, an opaque part has no
    path, an empty authority or port counts as absent, and an authority that is a registry's name has no components."""
    if any(violation.severity == "error" for violation in urlsm.validate(text, dialect="rfc2396")):
        return None
    c = urlsm.split(text, dialect="rfc2396")
    found = {name: getattr(c, name) for name in COMPONENTS}
    if c.opaque_part is not None:
        found |= dict.fromkeys(("path", "query"))
    if c.registry is not None:
        found |= dict.fromkeys(("userinfo", "host", "port"))
    for name in ("authority", "host"):
        found[name] = found[name] or None
    found["port"] = str(int(found["port"])) if found["port"] else None
    return list(found.values())


def to_rfc_2396(text: str | None) -> str | None:
    """Return text with the documented additions in the RFC's terms: RFC 2732's brackets as another reserved character,
    and as an escape "the Unicode characters that are not in the US-ASCII character set, are not control characters
    (according to the Character.isISOControl method), and are not space characters (according to the
    Character.isSpaceChar method)"."""
    return text and "".join(
        c
        if c.isascii() or unicodedata.category(c)[0] == "Z" or unicodedata.category(c) == "Cc"
        else "".join(f"%{octet:02X}" for octet in c.encode("utf-8", "surrogatepass"))
        for c in text.replace("[", "=").replace("]", "=")
    )


def without_additions(text: str, found: Found) -> tuple[str, Found]:
    host = found and found[COMPONENTS.index("host")]
    if found and host and host.startswith("["):
        text, found = text.replace(host, "h", 1), [part and part.replace(host, "h", 1) for part in found]
    return to_rfc_2396(text) or "", found and [to_rfc_2396(part) for part in found]


def without_server(found: Found) -> Found:
    """Return found without the components of its authority."""
    return found and [part for name, part in zip(COMPONENTS, found, strict=True) if name not in SERVER]


def has_authority(text: str, pattern: str) -> re.Match[str] | None:
    return re.match(f"(?:[^/?#]+:)?//(?:[^/?#@]*@)?(?:{pattern})(?=[/?#]|$)", text)


SYNTAX: Rows = {
    "ports above an int's": (
        "port = *digit, but theirs is an int: the authority is a registry's name then",
        lambda text, ours_, theirs_: has_authority(text, "[^/?#]*:[0-9]{10,}")
        and without_server(ours_) == without_server(theirs_),
    ),
    "numbers above 255": (
        "documented nowhere: a host that is nearly an IPv4 address is a registry's name; by the RFC's grammar a host",
        lambda text, ours_, theirs_: theirs_ and without_server(ours_) == without_server(theirs_)
        and has_authority(text, r"[0-9]+(\.[0-9]+){3}(:[0-9]*)?"),
    ),
    "a last label that begins with a digit": (
        "toplabel = alpha | alpha *( alphanum | '-' ) alphanum; they let a single label begin with any alphanum",
        lambda text, ours_, theirs_: theirs_ and without_server(ours_) == without_server(theirs_)
        and has_authority(text, r"[0-9]([A-Za-z0-9-]*[A-Za-z0-9])?\.?(:[0-9]*)?"),
    ),
    "nothing after //": (
        "an authority may be empty, a path too; they expect one of the two",
        lambda text, ours_, theirs_: ours_ and theirs_ is None and re.match("([^/?#]+:)?//(#|$)", text),
    ),
}  # fmt: skip


def collapsed(text: str) -> str:
    """Return text with one slash for many, except before an authority."""
    start, path, rest = re.match(r"((?:[^/?#:]*:)?(?://[^/?#]*)?)([^?#]*)(.*)", text, re.DOTALL).groups()
    return start + re.sub("/+", "/", path) + rest


RESOLUTION: Rows = {
    "an empty reference": (
        "it is the current document, section 4.2; theirs is the base's folder",
        lambda case, ours_, theirs_: case[1] == "" and expected((case[0], ".")) in (theirs_, f"{theirs_}/"),
    ),
    "an opaque base": (
        "documented: 'if this URI is opaque, then the given URI is returned'",
        lambda case, ours_, theirs_: re.match("[^/?#]+:[^/]", case[0]) and theirs_ == as_written(case[1]),
    ),
    "an empty path": (
        "section 5.2, step 6, makes '/' of a base's empty path; they do only where a segment follows",
        lambda case, ours_, theirs_: re.fullmatch("[^/?#]+://[^/?#]+([?].*)?", case[0]) and case[1].startswith("?")
        and theirs_ == ours_.replace("/?", "?", 1),
    ),
    "an empty authority": (
        "theirs is none, so that '///x' is '/x'",
        lambda case, ours_, theirs_: case[1].startswith("//") and has_authority(case[1], "")
        and theirs_ in (re.match("[^/]+:(//[^/?#]*)?", case[0])[0] + case[1][2:], expected((case[0], case[1][2:]))),
    ),
    "empty segments": (
        "undocumented: their normalisation takes '//' in a path for '/'",
        lambda case, ours_, theirs_: "//" in case[1] and theirs_ == expected((case[0], collapsed(case[1]))),
    ),
}  # fmt: skip


def as_written(href: str) -> str:
    """Return href as they rewrite a URI: an empty authority or port counts as absent, and a port is a number."""
    href = re.sub("^([^/?#]+:)//(?=/)", r"\1", href)
    href = re.sub("^((?:[^/?#:]+:)?//[^/?#]*):0+(?=[0-9])", r"\1:", href)
    return re.sub("^((?:[^/?#:]+:)?//[^/?#]*):(?=[/?#]|$)", r"\1", href)


def expected(case: Case) -> str:
    return as_written(urlsm.resolve(case[1], base=case[0], dialect="rfc2396"))


def drawn(rng: random.Random) -> str:
    if rng.random() < 0.2:
        return as_utf_16(random_case(rng)[0])
    pieces = PIECES if rng.random() < 0.5 else PATH_PIECES
    return "".join(rng.choices(pieces, k=rng.randint(0, 9)))


@pytest.mark.once
def test_what_a_reference_is_and_its_components(cases):
    rng = seeded("java")
    texts = [drawn(rng) for _ in range(cases)]
    triples = []
    for text, found in zip(texts, theirs([(text,) for text in texts]), strict=True):
        plain, wanted = without_additions(text, found)
        assert plain == text or ours(text) is None, text
        triples.append((plain, ours(plain), wanted) if found is not None else (text, ours(text), found))
    seen = judged(triples, SYNTAX)
    assert sum(found is not None for _, found, _ in triples) > 0.2 * cases and seen["agree"] > 0.9 * cases, seen


@pytest.mark.once
def test_what_a_reference_resolves_to(cases):
    rng = seeded("java's resolve")
    pairs = [(rng.choice(BASES), drawn(rng)) for _ in range(cases)]
    triples = [
        (pair, expected(pair), as_written(found[0] or ""))
        for pair, found in zip(pairs, theirs(pairs), strict=True)
        if found is not None and pair[1].isascii()
    ]
    seen = judged(triples, RESOLUTION)
    assert seen["agree"] > 0.2 * cases, seen
