"""Texts for the live programs and their readers: splices of the recorded ones, texts at limits, and every code point.
The same seed makes the same texts."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import cache

from oracles.replay import ANSWERS, load

DELIMITERS = "/\\?#@:[].%;&=+ \t"
PUNCTUATION = [*DELIMITERS, *"|^`{}<>\"'~!$*(),_-", "\0", "\n", "\r"]
ODD = [
    *PUNCTUATION, "\x7f", "\x80", "\xad", "ä", "ß", "İ", "。", "／", "１",
    "\u202e", "//", "/../", "/./", "%2e", "%2F", "%00", "%5c", "%", "[::1]", "127.1", "0x7f", "::", ":80", "xn--",
    "\ud83d\ude00",
]  # fmt: skip


def spliced(seed: int, count: int) -> Iterator[str]:
    """Yield texts: the start of one recorded text and the end of another, often with a change."""
    drawn, texts = random.Random(seed), recorded_texts()
    for _ in range(count):
        text = ""
        for _ in range(drawn.choice((1, 2, 2, 2, 3))):
            other = drawn.choice(texts)
            text = text[: _cut(drawn, text)] + other[_cut(drawn, other) :] if text else other
        for _ in range(drawn.choice((0, 0, 1, 1, 2, 4))):
            at = _cut(drawn, text)
            text = text[:at] + drawn.choice(ODD) + text[at + drawn.randrange(2) :]
        yield _of_scalar_values(text)


@cache
def recorded_texts() -> list[str]:
    """Return the recorded texts that every program can be given."""
    texts = [row[0] for row in load(ANSWERS)["rows"]]
    return [text for text in texts if not any("\ud800" <= char <= "\udfff" for char in text)]


def _cut(drawn: random.Random, text: str) -> int:
    """Return where to cut a text: half of the time, beside a delimiter."""
    places = [at for at, char in enumerate(text) if char in DELIMITERS] if drawn.random() < 0.5 else []
    return drawn.choice(places) + drawn.randrange(2) if places else drawn.randrange(len(text) + 1)


def _of_scalar_values(text: str) -> str:
    """Return a text with its pairs of surrogates as characters, and U+FFFD for the other surrogates."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


# --- texts at limits -----------------------------------------------------------------------------

# of labels, hosts, URLs and buffers
LENGTHS = (
    0, 1, 2, 15, 16, 17, 39, 40, 41, 42, 62, 63, 64, 65, 127, 128, 129, 252, 253, 254, 255, 256, 257, 300, 1000, 1023,
    1024, 1025, 1999, 2000, 2001, 2002,
)  # fmt: skip
NUMBERS = [
    "0", "1", "7", "8", "9", "00", "01", "010", "08", "127", "128", "255", "256", "0x7f", "0X7F", "0x", "0xg", "0x100",
    "65535", "65536", "065535", "99999", "2147483647", "2147483648", "4294967295", "4294967296", "4294967297",
    "18446744073709551615", "18446744073709551616", "1e1", "-1", "+1", "1_0", "١", "１", "²", "①",
]  # fmt: skip
# of each rule of IDNA and of each kind of normalization, and what a program may read as a delimiter or a space
CHARACTERS = [*(
    "ßẞİıς\u200c\u200d\xad\u2060。．｡․‥…／：＠℀℅½㏂ﷺ\u0640\u0e33\u0345\u0300\u05d0\u0627\u06f0\u0660・·͵׳〇一😀\ufffd\ufeff\u180e"
    "\u2028\x85\xa0\u3000\u1680\u202e\ue000\U000e0001\u0378\u1fee\u212a\u2126ſǅ\u1c80\U00010400\U0001d400\u19da\ua7f5"
    "\u2c2f\U00016ea0\u1c89"
)]  # fmt: skip
ESCAPES = [
    "%00", "%09", "%0a", "%20", "%21", "%23", "%25", "%2d", "%2e", "%2E", "%2f", "%30", "%3a", "%3f", "%40", "%41",
    "%5b", "%5c", "%5d", "%5f", "%61", "%7e", "%7f", "%80", "%C3%9F", "%c3%a4", "%ff", "%E3%80%82", "%", "%2", "%zz",
    "%%41", "%u0041", "%C3", "%EF%BC%8E", "%F0%9F%98%80",
]  # fmt: skip
PIECES = [
    *PUNCTUATION, "//", "\\\\", "/../", "/./", "/..", "/.", "..", ".", "@@", "::", "[::]", "[::1]", "]", "[",
]  # fmt: skip
ADDRESSES = [
    "", "::1 ", "::", "::1", "1::", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7::", "::2:3:4:5:6:7:8", "1::8", "::ffff:1.2.3.4",
    "::1.2.3", "::1.2.3.4.5", "::01.2.3.4", "::1.2.3.256", "::1.2.3.4%25eth0", "fe80::1%eth0", "fe80::1%25",
    "fe80::1%", "fe80::1%25e%2fh", "fe80::1%2525x", "1:2", "v1.a", "v1.", "vF.:", "V1.x", "v.x", "12345::", "::12345",
    "::G", "1:::2", "::1::", "0:0:0:0:0:0:0:1", "::FFFF", "1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:7:1.2.3.4", "::1%25é",
    "::1%25[", "::%31", "::1%20", "::1]x", "::１",
]  # fmt: skip
SCHEMES = [
    "http\t", "ht\ntp", "http", "https", "HTTP", "hTTps", "ftp", "ws", "wss", "file", "mailto", "javascript", "data",
    "git", "ssh", "s3", "foo", "a", "h.t", "h+t", "h-t", "1a", "h_t", "h%74tp", "localhost", "urn", "jar", "jar:file",
    "view-source", "blob", "about", "gopher", "ldap", "smb", "telnet", "imap", "ſs", "\u212a", "nntp", "news", "netdoc",
    "mms", "dict", "rtsp", "sip", "tel", "ftps", "url", "URL:http",
]  # fmt: skip
LABELS = [
    "h", "a", "h.example", "localhost", "LOCALHOST", "foo.localhost", "xn--a", "xn--bcher-kva", "xn--fa-hia",
    "xn--zca", "xn--", "xn--0", "xn--a-", "xn--ls8h", "XN--A", "a-", "-a", "a--b", "ab--c", "a_b", "_", "*", "a*", "1",
    "1a", "a1", "a.", "a..", "..a", ".a", ".", "..", "1.2.3.4", "1.2.3", "1.2.3.4.", "1.2.3.4.5", "0x7f.1", "a.1",
    "a.0x1", "1.2.3.a", "0", "00", "а", "exämple", "faß.de", "a。b",
]  # fmt: skip
UNITS = ["a", "a.", "a-", "xn--", "1", "%41", "é", "。", "-", ".", "é.", "ß"]
IN_CREDENTIALS = ["u", "u:p", ":", "::", "u:", ":p", "@", *ESCAPES, *CHARACTERS, *PIECES]
IN_PATH = [
    "a", "b", "/", ".", "..", "/..", "/.", "/../", "/./", "//", "c:", "C|", "C:/", ";x", "..;", "%2e%2e", "%2e.", "~",
    *PIECES, *ESCAPES, *CHARACTERS,
]  # fmt: skip
IN_QUERY = ["a", "b=c", "&", "+", *PIECES, *ESCAPES, *CHARACTERS]


def adversarial(seed: int, count: int) -> Iterator[str]:
    """Yield texts that splices hardly make: of the lengths of limits, of numbers at the borders of types, of addresses
    that are nearly right, of characters that a rule of IDNA, a normalization or a fold is about."""
    drawn = random.Random(seed)

    def perhaps(share: float, *options: str) -> str:
        return drawn.choice(options) if drawn.random() < share else ""

    def some_of(most: int, options: list[str]) -> str:
        return "".join(drawn.choices(options, k=drawn.randrange(most + 1)))

    for _ in range(count):
        scheme = perhaps(0.35, *SCHEMES) or drawn.choice(("http", "https"))
        if drawn.random() < 0.03:
            scheme = _repeated(drawn, drawn.choice(("a", "a+", "a.", "a-")))
        text = perhaps(0.4, " ", "\t", "\0", "\x1f", "\x7f", "\xa0", "\ufeff", "<", "URL:") + scheme
        text += perhaps(0.5, ":", "/", ":/", ":///", "://///", ":\\\\", ":/\\", "//", "\\\\", "") or "://"
        if drawn.random() < 0.3:
            text += some_of(3, [*IN_CREDENTIALS, _repeated(drawn, "u")]) + "@"
        text += _host(drawn)
        text += perhaps(
            0.4, ":", *[f":{number}" for number in (*NUMBERS, "80", "443", "080", " 80", "80 ", "80a", "a")]
        )
        if drawn.random() < 0.85:
            text += perhaps(0.9, "/", "/", "/", "\\") + some_of(4, IN_PATH)
        if drawn.random() < 0.25:
            text += "?" + some_of(3, IN_QUERY)
        if drawn.random() < 0.2:
            text += "#" + some_of(3, IN_QUERY)
        text += perhaps(0.25, " ", "\n", "\0", ">")
        yield text[drawn.randrange(len(text) + 1) if drawn.random() < 0.05 else 0 :]


def _host(drawn: random.Random) -> str:
    """Return a host that is mostly not right."""
    pick = drawn.choice
    kind = drawn.randrange(8)
    if kind == 0:
        return ".".join(drawn.choices(NUMBERS, k=pick((1, 2, 3, 4, 4, 4, 5)))) + pick(("", "", "."))
    if kind == 1:
        return f"[{pick(ADDRESSES)}{pick(('', ']', ']', ']', ']x', ']]'))}"
    if kind == 2:
        return _repeated(drawn, pick(UNITS)) + pick(("", ".de", "a"))
    if kind == 3:
        return "".join(drawn.choices([*CHARACTERS, *LABELS], k=drawn.randrange(1, 4)))
    if kind < 7:
        between = (CHARACTERS, ESCAPES, PIECES)[kind - 4]
        return pick(LABELS) + pick(between) + pick(("", ".", ".de", *LABELS))
    return pick(LABELS)


def _repeated(drawn: random.Random, unit: str) -> str:
    """Return a unit so often that the text has one of LENGTHS, or nearly; less than our limits of labels with it."""
    length = drawn.choice(LENGTHS)
    if not unit.isascii() or unit == "xn--":
        length = min(length, 1000)
    return unit * max(1, length // len(unit)) if length else ""


# --- code points ---------------------------------------------------------------------------------


def code_points(seed: int, count: int) -> Iterator[str]:
    """Yield three hosts for each code point: alone in a label, after a letter, and as Punycode; a sample of them if
    count is less than 791,388. Of the planes that have no characters, one code point of 257 is taken."""
    points = [*range(0x80, 0xD800), *range(0xE000, 0x40000), *range(0x40000, 0x110000, 257), *range(0xE0000, 0xE0200)]
    whole = range(3 * len(points))
    for at in whole if count >= len(whole) else random.Random(seed).sample(whole, count):
        char = chr(points[at // 3])
        if at % 3 == 2:
            char = f"xn--{char.encode('punycode').decode()}"
        yield f"http://{'a' if at % 3 == 1 else ''}{char}.example/"


SOURCES: dict[str, Callable[[int, int], Iterator[str]]] = {
    "spliced": spliced,
    "adversarial": adversarial,
    "code-points": code_points,
}
