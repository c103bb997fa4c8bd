"""URLs and bases, hostile and ordinary: pools of parts, put together at random or by hypothesis.

The same builder serves both: `choose` is random.Random.choice, or hypothesis's draw of sampled_from.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import TypeVar

from hypothesis import strategies as st

T = TypeVar("T")
Choose = Callable[[Sequence[T]], T]

SCHEMES = (
    ["http:", "https:"] * 4
    + ["HTTP:", "hTtPs:", "ws:", "wss:", "ftp:", "file:", "file:", "FILE:", "foo:", "foo:", "non-special:", "a+b-c.1:"]
    + [
        "blob:",
        "data:",
        "javascript:",
        "mailto:",
        "about:",
        "constructor:",
        "c:",
        "C|",
        "1a:",
        "+a:",
        "ht tp:",
        "",
        "",
        ":",
    ]
    + ["http", "httpss:", "fil:", "ht\ttp:", "f\nile:", "\u017f:", "http%3A:"]
)
SLASHES = ["//"] * 12 + [
    "",
    "",
    "/",
    "/",
    "///",
    "////",
    "\\",
    "\\\\",
    "/\\",
    "\\/",
    "//\\",
    "/\t/",
    "\n//",
    "//\r",
    "/.//",
    "/ /",
]
USERINFO = [""] * 12 + [
    "u@", "u:p@", "u:@", ":p@", ":@", "@", "@@", "a@b@", "a:b:c@", "a:b@c:d@", "%40@", "%zz:%@", "é:ü@",
    "u\t:p\n@", " : @",
    "[:]@", "a;b=c@", "{|}:^`'@", "\\@", "u:p@w@", "%3a:%2F@", "\U0001f600@", "\ud800:@", "\x7f:\x00@",
    "~!$&'()*+,-._@",
]  # fmt: skip
LABELS = [
    "example", "EXAMPLE", "a", "www", "xn--mgba3gch31f060k", "xn--a", "xn--", "XN--ZCA", "faß", "bücher", "日本",
    "ﬁ", "１２７", "٣", "א",
    "א1", "1א", "a\u0308", "\u00ad", "\u200d", "a\u200cb", "क्‍ष", "☃", "💩", "-a-", "a_b", "*", "%61", "%C3%9F",
    "%ff", "%2e", "%41b", "%", "%4",
    "0", "1", "255", "256", "0x", "0x7F", "0xg", "0X1.", "017", "08", "09a", "4294967295", "4294967296",
    "99999999999999999999",
    "127", "1e1", "0xffffffff", "", "", "K", "ſ", "İ", "\u2024", "。", "．", "ß%C3%9F", "%E2%80%8D", "𝐚", "a" * 64,
]  # fmt: skip
HOSTS = [
    "example.com", "example.org", "EXAMPLE.com", "localhost", "LOCALHOST", "loc%61lhost", "localhost.", "h", "",
    "127.0.0.1", "127.1", "0x7f.1", "0x7f000001", "2130706433", "1.2.3.4.5", "1.2.3.256", "256.1", "1.2.3.08",
    "1.2.3.", "1..2", ".1", "1.",
    "0..0x", "foo.0x", "foo.0xg", "foo.1", "foo.1.", "foo.09", "foo.0x1f.", "0x.0x.0", "00", "0x0.0X0.0.00",
    "1.65536", "1.2.65535", "a.b.c.d.5",
    "[::1]", "[::]", "[1::]", "[1:2:3:4:5:6:7:8]", "[0:0:1:0:0:0:1:0]", "[1:0:0:2:0:0:3:4]", "[::127.0.0.1]",
    "[::ffff:1.2.3.4]", "[::1.2.3]",
    "[1:2:3:4:5:6:1.2.3.4]", "[1:2:3:4:5:6:7:1.2.3.4]", "[::1.2.3.4.5]", "[::1.2.3.256]", "[::01.2.3.4]", "[::.1]",
    "[::1.]", "[:1]", "[1:]", "[::1::]",
    "[1:2:3:4:5:6:7:8:9]", "[1:2]", "[12345::]", "[::g]", "[::1", "::1]", "[]", "[::1]x", "[::%31]",
    "[::1%25eth0]", "[AbCd::0001]", "[::1]:", "[[::1]]",
    "[1:2:3:4:5:6:7::]", "[::2:3:4:5:6:7:8]", "[1:2:3:4::5:6:7:8]", "[::1%5D", "[:::1]", "[v1.x]", "[a:b@c]",
    "[1:2:3:4:5:6:7:8::]", "[00000::]",
    "a b", "a^b", "a|b", "a<b>", "a%5eb", "a%20b", "a%00b", "a%2fb", "a%7fb", "a\x7fb", "a\x00b", "a\x1fb",
    "a`b{c}", "a\"b", "a'b", "a!$&()*+,;=b",
    "C:", "C|", "c%3A", "c%7C", "%43:", "\ufdd0.x", "\ufffd.x", "\U000e0001", "ex\tam\nple", "\ud800", "a\udfffb",
    "faß.de", "①.②.③.④", "０x7f.1", "a.１",
    "1。2。3。4", "%31%2E2.3.4", "xn--1ch.com", "xn--a-ecp.ru", "xn--zn7c.com", "xn--té", "a..b", "a.", ".", "..",
    "%2e", "%2E%2e", "*.a", "_x", "-",
    "+", "~", "user.name", "255.255.255.255", "0377.0xff", "%C2%AD", "\u00ad", "a%C2%ADb", "4294967296",
    "0x100000000", "256.256.256.256",
]  # fmt: skip
PORTS = [""] * 14 + [
    ":", ":80", ":443", ":21", ":8080", ":0", ":00", ":00080", ":65535", ":65536", ":65537", ":4294967376",
    ":99999999999999999999", ":8a", ":-1", ": 80",
    ":80 ", ":8\t0", ":\n", ":8:0", "::", ":%38", ":٣", ":0000000000000000000000443", ":b", ":1\\", ":1;",
]  # fmt: skip
SEGMENTS = [
    "a", "b", "c.html", "index", "", "", ".", "..", "...", "%2e", "%2E", ".%2e", "%2E.", "%2e%2E", "%2e%2e%2e",
    ". ", ".\t.", " ..", "%2f", "%5C", "C:", "c|",
    "C|x", "C:x", "cc:", "é", "日", "💩", "\ud800", "\udfff\ud800", " ", "a b", "%", "%4", "%zz", "%C3%A9", "^", "`",
    "{", "}", "|", "\"", "'", "<>", "[x]", ":", "@",
    ";p=1", "a=b&c", "\x7f", "\x80", "\xa0", "\x00", "\x1f", "\ufeff", "\ufdd0", "\ufffe", "~._-!$&()*+,", "\\",
    "..\\", "\\..", "a\\b", "//", "\t", "\n", "C\t:",
    ".\u0000", "%00", "a" * 30, "a" * 63, "a" * 64, "a" * 65, "a" * 300,
]  # fmt: skip
TAILS = [
    "", "", "q", "a=1&b=2", "'", "\"<>", "#", "?", "??", "^`{|}", "é", "💩", "\ud800", " ", "a b ", " a", "%",
    "%zz", "%C3%A9", "\x00", "\x7f", "\x1f", "\t", "a\nb",
    "[]", "\\", "/../", ":@", "'%27", "\ufffe", "x" * 62, "x" * 64, "x" * 200, "+", "\u2028", "~!*()",
]  # fmt: skip
ODD = list(
    "//\\\\??##::@@[]%%..  \t\n\r|^<>`'\"{};=&+-_~!$*(),0129afxAFX\x00\x0b\x1f\x7f\x80\xa0\xadéß。．日💩"
    "\ud800\udfff\ufffd\ufdd0\u200d"
)
EDGES = [""] * 20 + [" ", "\t", "\n", "\x00", "\x1f ", "\u00a0", "\ufeff", "\x0b\x0c"]


def pick(choose: Choose[str], pool: Sequence[str], odds: Sequence[bool]) -> str:
    return choose(pool) if choose(odds) else ""  # type: ignore[arg-type]


def build_host(choose: Choose[str]) -> str:
    if choose([True, True, False]):  # type: ignore[list-item]
        return choose(HOSTS)
    return ".".join(choose(LABELS) for _ in range(choose([1, 2, 3, 4, 5])))  # type: ignore[list-item,arg-type]


def build_tail(choose: Choose[str]) -> str:
    """Path, query, fragment."""
    text = ""
    if choose([True, True, True, False]):  # type: ignore[list-item]
        for _ in range(choose([0, 1, 1, 2, 3, 4, 6])):  # type: ignore[list-item,arg-type]
            text += choose(["/", "/", "/", "/", "/", "\\", "", "//"]) + choose(SEGMENTS)
    if choose([True, False, False]):  # type: ignore[list-item]
        text += "?" + choose(TAILS)
    if choose([True, False, False]):  # type: ignore[list-item]
        text += "#" + choose(TAILS)
    return text


def build_url(choose: Choose[str]) -> str:
    """A text meant to be absolute, or nearly."""
    scheme = choose(SCHEMES)
    text = scheme + choose(SLASHES)
    if choose([True] * 9 + [False]):  # type: ignore[list-item]
        text += choose(USERINFO) + build_host(choose) + choose(PORTS)
    text += build_tail(choose)
    text = choose(EDGES) + text + choose(EDGES)
    for _ in range(choose([0, 0, 0, 0, 1, 1, 2, 3])):  # type: ignore[list-item,arg-type]
        k = choose(range(len(text) + 1))  # type: ignore[arg-type]
        text = text[:k] + choose(ODD) + text[k + choose([0, 1]) :]  # type: ignore[list-item,operator]
    return text


def build_reference(choose: Choose[str]) -> str:
    """A text meant to be relative to a base, or nearly."""
    kind = choose(["path", "path", "path", "authority", "absolute", "same scheme"])
    if kind == "absolute":
        return build_url(choose)
    text = choose(EDGES)
    if kind == "authority":
        text += choose(["//", "\\\\", "/\\", "///"]) + choose(USERINFO) + build_host(choose) + choose(PORTS)
    elif kind == "same scheme":
        text += choose(["http:", "https:", "file:", "foo:", "c:", "C|", "ws:", "HTTP:", "FILE:"])
    else:
        text += choose(SEGMENTS)
    return text + build_tail(choose) + choose(EDGES)


BASES = [
    "http://example.org/a/b/c?q#f", "http://u:p@h:8080/", "https://h/x", "https://h", "ws://h/a", "ftp://h/a/b",
    "file:///a/b/c", "file:///C:/a/b",
    "file:///C:/", "file:///C:", "file://h/a", "file://h/C:/a/..", "file://h/C:", "file:///", "foo://h/a/b?q",
    "foo://u@h", "foo://h", "foo:/a/b", "foo:/", "foo:///a",
    "foo:/.//a/b", "foo:opaque", "foo:opaque?q", "foo:", "data:a b ?q", "javascript:x", "mailto:a@b",
    "blob:https://h/x", "foo://h/..//a", "file:///C|/x", "foo://h/C:/..",
    "https://h//a//", "foo:////a", "http://[::1]:1/", "foo://[::1]/", "foo:///", "foo:a/../b", "file:///C:/..//",
    "file://h//a", "non-special://h:1/x/",
]  # fmt: skip


def random_case(rng: random.Random) -> tuple[str, str | None]:
    """(text, base): base None for a third."""
    choose = rng.choice
    if rng.random() < 0.45:
        return build_url(choose), None
    base = rng.choice(BASES) if rng.random() < 0.8 else build_url(choose)
    return build_reference(choose), base


def _choosing(draw: st.DrawFn) -> Choose[str]:
    return lambda pool: draw(st.sampled_from(pool))


@st.composite
def urls(draw: st.DrawFn) -> str:
    return build_url(_choosing(draw))


@st.composite
def references(draw: st.DrawFn) -> str:
    return build_reference(_choosing(draw))


def bases() -> st.SearchStrategy[str]:
    return st.one_of(st.sampled_from(BASES), urls())


def any_text() -> st.SearchStrategy[str]:
    """Any text at all, lone surrogates too, or made of characters that mean something in a URL."""
    return st.one_of(
        st.text(st.characters(exclude_categories=[]), max_size=40),
        st.text(st.sampled_from(ODD), max_size=40),
        st.sampled_from([*SEGMENTS, *TAILS, *USERINFO, *HOSTS]),
        urls(),
        references(),
    )
