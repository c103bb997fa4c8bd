"""toascii.h beside another processing of UTS 46 (support.uts46), code point by code point, and one answer of every
Python."""

from __future__ import annotations

import hashlib
import importlib.util
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from support import uts46
from support.seeds import seeded

import urlsm
from urlsm.unicode.idna import UNICODE_VERSION, IDNAError, parse_domain, to_unicode
from urlsm.url.parser import domain_to_ascii

ROOT = Path(__file__).resolve().parents[2]
GENERATOR = ROOT / "tools" / "toascii_table.py"
ASSIGNED = (*range(0x80, 0x40000), *range(0xE0000, 0xE1000))  # Unicode has nothing but private characters elsewhere
KNOWN = [code for code in ASSIGNED if unicodedata.category(chr(code)) not in ("Cn", "Cs", "Co")]
KNOWN_LETTERS = [chr(code) for code in KNOWN if unicodedata.category(chr(code)) == "Ll" or 0x620 <= code < 0xE00]
BY_BLOCK: dict[int, list[str]] = {}
for _code in KNOWN:
    BY_BLOCK.setdefault(_code >> 6, []).append(chr(_code))
# what the rules tell apart: joiners, jamo, marks that compose, reorder or do neither, directions, digits, full stops
TROUBLE = (
    "aZ09-_.!<xn--XN\u00ad\u00df\u0130\u0308\u0316\u0301\u0338\u0345\u0378\u05d0\u05b0\u0628\u064b\u0660\u06f1\u0640"
    "\u093e\u094d\u093c\u0958\u09c7\u09be\u0dca\u0dd9\u0e33\u0e38\u0e48\u1100\u1161\u11a8\u1b05\u1b44\u200b\u200c\u200d"
    "\u2028\u2060\u2126\u3002\u3099\u304b\uac00\ue000\uff0e\uff38\uff4e\uff11\uff61\ufe0f\U0001f600\U0001d41a\U0002f800"
)
RIGHT_TO_LEFT = [
    chr(code)
    for code in (*range(0x5B0, 0x5F5), *range(0x606, 0x700), *range(0x10E60, 0x10E7F), *range(0x1E900, 0x1E95A))
    if unicodedata.category(chr(code)) != "Cn"
] + list("019-\u20ac\u200c\u200d")
MARKS = [chr(code) for code in KNOWN if unicodedata.category(chr(code)).startswith("M")]
VIRAMAS = "\u0915\u094d\u0dc1\u0dca\u200c\u200d"
INVALID = [
    *("", "\u00ad", "\u00ad\u200b", "a b.ü", "ü\x7f", "ü%", "\ufffd", "ü.a\ufffdb", "ü<", "ü<b", "\uff05"),
    *("\u2028", "\ue000", "\U0010ffff", "\u0378", "\uff05", "ü.\u2100"),  # disallowed; maps to what is forbidden
    *("\u05d0a", "a\u05d0", "0a.\u05d0", "a!.\u05d0", "-.\u05d0", "\u05d0-", "\u05d0-\u05b0", "\u06281\u0661"),  # Bidi
    *("\u0308a", "a.\u094d", "\u093ea", "ü.xn--a-0ic"),  # begins with a mark
    *("a\u200db", "ab\u200cü", "\u200d", "\u0628\u200ca", "xn--a-mgn.ü"),  # joiners
    *("xn--ü", "\uff38n--ü", "xn--.ü", "xn--a.ü", "xn--a-.ü", "xn---tda.ü", "xn--tda-.ü", "xn--99999999.ü"),
    *("xn--" + bad.encode("punycode").decode() + ".ü" for bad in ("Ü", "e\u0301", "\ue000", "xn--ü", "\u0e33")),
]
NOT_UTF_8 = [
    *(b"\xc3", b"\xc3(", b"\x80", b"\xc0\xaf", b"\xc1\xbf", b"\xe0\x80\xaf", b"\xe3\x81", b"\xed\xa0\x80"),
    *(b"\xf0\x8f\xbf\xbf", b"\xf0\x9f\x98", b"\xf4\x90\x80\x80", b"\xf5\x80\x80\x80", b"\xff", b"\xc3\xbc\xfe"),
]
COMMON = {
    "Bücher.DE": "xn--bcher-kva.de",
    "faß.de": "xn--fa-hia.de",
    "ПРИМЕР.рф": "xn--e1afmkfd.xn--p1ai",
    "παράδειγμα.δοκιμή": "xn--hxajbheg2az3al.xn--jxalpdlp",
    "例子.测试": "xn--fsqu00a.xn--0zwm56d",
    "例え。テスト": "xn--r8jz45g.xn--zckzah",
    "실례.테스트": "xn--9n2bp8q.xn--9t4b11yi5a",
    "उदाहरण.परीक्षा": "xn--p1b6ci4b4b3a.xn--11b5bs3a9aj6g",
    "مثال.إختبار": "xn--mgbh0fb.xn--kgbechtv",
    "דוגמה.טעסט": "xn--6dbbec0c.xn--deba0ad",
    "საიტი.გე": "xn--lodqa7ah.xn--node",
    "ไทย.com": "xn--o3cw4h.com",
    "☃.net": "xn--n3h.net",
    "ｅｘ－ü.com": "xn--ex--joa.com",
    "www.a\u00adü.": "www.xn--a-eha.",
    "א1-ב.a-1": "xn--1--uldg.a-1",
    "ü.\u05d0": "xn--tda.xn--4db",  # each label goes one way
    "مثال۱۲.ایران": "xn--mgbh0fb77fga.xn--mgba3a4f16a",
    "نمی\u200cخواهم.ir": "xn--mgbn2ecbjf86hg67n.ir",
    "\u0dc1\u0dca\u200d\u0dbb\u0dd3.lk": "xn--10cl1a0b660p.lk",
    "cafe\u0301.fr": "xn--caf-dma.fr",
    "a\u0316\u0316\u0323\u0302": "xn--2ca24ia6c",
    "か\u3099っこう": "xn--p8jlv7d",
    "\u1112\u1161\u11ab\uac00\u11a8": "xn--p39a679e",
    "\u0995\u09c7\u09be": "xn--p5b2i",
    "น\u0e49\u0e33": "xn--q3c4c8cq",
    "o\ufb03ce\u2122.com": "officetm.com",
    "\u09a1\u09bc.\u09dc": "xn--15b8c.xn--15b8c",
    "xn--BCHER-kva.Bücher": "xn--bcher-kva.xn--bcher-kva",
    "１２７.０.０.１": "127.0.0.1",
    "ü<\u0338": "xn--tda832o",  # forbidden alone, but not composed
    "a\uff1d\u0338": "xn--a-ufo",
    "\ufb50.\uf900": "xn--qib.xn--oh3a",
    "\ufefb\ufdf2": "xn--mgba9fcas",  # ligatures
    "\U0002f800": "xn--viq",
    "\u3316": "xn--nckucudvbh5g",
    "\u1b05\u1b44\u200d": "xn--8sf1jz0m",  # a virama that takes space
    "\u0627\ufc5b": "xn--mgbs6q",
}
# Unicode 14 and later. Each Python but the newest lacks some of it.
NEWER = {
    "e\u1add\u0301": "xn--9ca204k",  # 18: a mark of class 220, which U+0301 passes
    "\U000105d2\u0307": "xn--ev8c",  # 16: compose
    "\U00016d63\U00016d68": "xn--dj0f",  # 16: decomposed first, since its first half composes
    "\U0001611e\U0001611e\u0301": None,  # 16: composes to a mark, at the start
    "a\U0001611e\U0001611f": "xn--a-vn1m",
    "\u1b3a\u05d0": None,  # 15: its direction was that of a mark, and is L
    "\u1cf0\u05d0": None,
    "\ua7f2": "c",  # 14
    "\U0001ccd6\U0001ccf3": "a3",  # 16
    "\ua7cb.\u1c89": "xn--3na.xn--d4f",  # 16: capitals
    "\u0628\u200c\u0870": "xn--ngb28ib29a",  # 14: joins to the right
    "\u088f": "xn--7xb",  # 17
    "\ufbd0\u0378": None,
}


def wanted(domain: str) -> str | None:
    try:
        return uts46.parse_domain(domain)
    except IDNAError:
        return None


def given(domain: str) -> str | None:
    try:
        return parse_domain(domain)
    except IDNAError:
        return None


def encoded(label: str) -> str:
    return "xn--" + label.encode("punycode").decode()


def differing(domains: Iterable[str]) -> list[tuple[str, str | None, str | None]]:
    """Those that urlsm reads otherwise than the other processing does, if that knows their characters."""
    known = (domain for domain in domains if uts46.knows(domain))
    both = ((domain, given(domain), wanted(domain)) for domain in known)
    return [(domain, got, expected) for domain, got, expected in both if got != expected]


@pytest.mark.parametrize(("domain", "result"), (COMMON | NEWER).items())
def test_a_domain_and_its_ascii_form(domain, result):
    assert domain_to_ascii(domain.encode()) == (result or "").encode()
    assert given(domain) == result
    url = urlsm.try_parse(f"https://{domain}:8/a?b#c")
    assert (url and url.host) == result
    assert urlsm.can_parse(f"https://{domain}") == (result is not None)
    assert uts46.knows(domain) is False or wanted(domain) == result


@pytest.mark.parametrize("domain", INVALID)
def test_what_is_invalid_is_refused(domain):
    assert wanted(domain) is None
    assert given(domain) is None
    assert domain_to_ascii(domain.encode()) == b""
    assert not domain or not urlsm.can_parse(f"https://{domain}/a")


def test_every_ascii_character_beside_what_may_compose_with_it():
    marks = [*map(chr, range(0x300, 0x370)), "\u1161", "\u3099", "ü", "\u05d0", "\u00ad"]
    texts = [f"a{chr(code)}{mark}b" for code in range(0x80) for mark in marks]
    assert differing(texts + [text[1:] for text in texts] + [f"ü.{text}" for text in texts]) == []


@pytest.mark.parametrize("octets", NOT_UTF_8)
def test_octets_that_are_not_utf_8_are_invalid(octets):
    for domain in (octets, b"a" + octets + b".b"):
        assert domain_to_ascii(domain) == b""
        assert given(domain.decode(errors="replace")) is None


def every(codes: Iterable[int]) -> Iterator[str]:
    """A domain for each way in which a code point matters."""
    for code in codes:
        many_alike = 0x40000 <= code < 0xE0000 or code >= 0xE1000  # unassigned, private use
        if not 0xD800 <= code < 0xE000 and (not many_alike or code % 61 == 0):
            char = chr(code)
            yield from (char, f"a{char}b")
            if not (0x3400 <= code < 0xA000 or 0xAC00 <= code < 0xD7A4 or 0x20000 <= code < 0xE0000):
                yield from (f"{char}ü", f"\u05d0{char}", f"か{char}", f"{char}.\u05d0", f"\u0628\u200c{char}")
                yield from (f"{char}\u0301", f"e\u0316{char}", f"e{char}\u0301", f"\u0628{char}\u200c\u0628")
                yield from (f"{char}\u200d", f"{char}{char}{char}")
                yield from (f"{encoded(char)}.ü", f"{encoded('a' + char)}.ü")


@pytest.mark.slow(3)
def test_code_points_alone_and_within_a_label():
    assert differing(every(range(0x80, 0x110000, 11))) == []
    assert differing(map(chr, [*range(0x80, 0xD800), *range(0xE000, 0x40000)])) == []


@pytest.mark.slow(30)
def test_every_code_point_alone_and_within_a_label():
    assert differing(every(range(0x80, 0x110000))) == []


def answers(domains: Iterable[str]) -> str:
    """A hash of what they are, in ASCII and in Unicode."""
    sum_of_all = hashlib.sha256()
    for domain in domains:
        got = given(domain) or "!"
        sum_of_all.update(f"{got} {to_unicode(got)}\n".encode())
    return sum_of_all.hexdigest()


# The answers are those of Unicode 18, whichever Unicode the running Python knows. Made where the tests above compared
# them with unicodedata2 18.0; another Unicode for the table changes them.
ANSWERS = {
    range(0x80, 0x3400, 3): "97b99dee3d0876958aa8fd57773664c04fbae30487c8ec9de0d0206f0d18bc66",
    range(0x10000, 0x20000, 7): "0172be21f845d9ea58cc84e78ccfb04975e4a543326858c93fcf88f0123690d6",
}
ALL_ANSWERS = "77a94f2bf6f19f89da51b173cb1872320d4a1e31936e4b99fad1e58a5f17a3fe"
NEWER_ANSWERS = "2b4ad1f8bbf1829cd2385e3b3d183d15be82e8a5c8835d2ad5852478dd2b78f1"


@pytest.mark.parametrize(("codes", "hashed"), ANSWERS.items(), ids=str)
def test_every_python_gives_one_answer_for_these_code_points(codes, hashed):
    assert answers(every(codes)) == hashed


@pytest.mark.slow(30)
def test_every_python_gives_one_answer_for_every_code_point():
    """Each of all 1,114,112, but for surrogates, and those of a thousand that are alike."""
    ways = ("{0}", "a{0}b", "{0}\u0301", "e\u0316{0}", "\u0628{0}\u0628", "\u0628\u200c{0}", "{0}.\u05d0")
    points = (chr(code) for code in range(0x80, 0x110000) if not 0xD800 <= code < 0xE000)
    assert answers(way.format(char) for char in points for way in ways) == ALL_ANSWERS


def test_random_text_of_newer_characters_has_one_answer():
    rng = seeded(18)
    marks = [
        0x1ADD,
        0x1AEB,
        0x897,
        0x898,
        0x1ACF,
        0x1E08F,
        0x10D69,
        0x10EFD,
        0x1611E,
        0x16120,
        0x16D67,
        0x113C2,
        0x113CE,
    ]
    letters = [*range(0x16D40, 0x16D6B), *range(0x16100, 0x1613A), *range(0x11380, 0x113CF), *range(0x10D4A, 0x10D86)]
    pool = list(map(chr, [*marks, *letters, *range(0x870, 0x890), 0x301, 0x316, 0x307, 0x200C, 0x65, 0x105D2, 0x5D0]))
    texts = ["".join(rng.choices(pool, k=rng.randrange(1, 9))) for _ in range(20_000)]
    assert answers(texts + [f"e{text}" for text in texts]) == NEWER_ANSWERS
    assert differing(texts) == []


def test_pairs_of_what_the_rules_tell_apart():
    assert differing([f"{a}{b}{c}" for a in TROUBLE for b in TROUBLE for c in ("", "\u0301", "ü", ".\u05d0")]) == []


@pytest.mark.once
def test_random_labels_of_many_scripts(cases):
    rng = seeded(3492)
    blocks = list(BY_BLOCK.values())

    def label() -> str:
        block, other = rng.choice(blocks), rng.choice(blocks)
        pools = [rng.choice((block, block, RIGHT_TO_LEFT, "abcü"))] * 3
        pools += rng.sample([other, "abcxyz0189-", TROUBLE, RIGHT_TO_LEFT, MARKS, VIRAMAS], rng.randrange(4))
        length = rng.randrange(1, rng.choice((3, 8, 8, 8, 30, 140)))
        text = "".join(rng.choice(rng.choice(pools)) for _ in range(length))
        if rng.random() < 0.1:
            text = unicodedata.normalize("NFD", text)
        if rng.random() < 0.2:
            text = encoded(unicodedata.normalize("NFKC", text).casefold() if rng.random() < 0.5 else text)
        return "xn--" + text if rng.random() < 0.02 else text

    assert differing([".".join(label() for _ in range(rng.randrange(1, 4))) for _ in range(cases)]) == []


def test_decomposed_text_and_marks_in_any_order(cases):
    rng = seeded(15)
    decomposed = [char for char in map(chr, KNOWN) if unicodedata.normalize("NFD", char) != char]
    near = [mark for mark in MARKS if mark < "\u0370"] + list("\u3099\u0653\u093c\u09be\u09d7\u0dca\u11a8\u1161")

    def text() -> str:
        letter = rng.choice(rng.choice((decomposed, KNOWN_LETTERS)))
        marks = "".join(rng.choice(near if rng.random() < 0.7 else MARKS) for _ in range(rng.randrange(4)))
        return unicodedata.normalize("NFD", letter) + marks

    assert differing([text() + rng.choice(("", "", text(), ".ü")) for _ in range(cases)]) == []


def test_conformance(conformance_cases):
    domains = [case["input"] for name in ("IdnaTestV2.json", "toascii.json") for case in conformance_cases(name)]
    assert differing([domain for domain in domains if not any("\ud800" <= char < "\ue000" for char in domain)]) == []
    for domain in domains:  # the way a host goes, whichever it is
        if domain.isascii() or any(char in domain for char in "/?#\\@:[]%\t\n\r"):
            continue
        result = given(domain.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
        url = urlsm.try_parse(f"https://{domain}/")
        assert (url and url.host) == result or (result and result.rstrip(".").rpartition(".")[2].isdigit()), domain
        assert urlsm.can_parse(f"https://{domain}/") == (url is not None)


def test_a_long_domain_and_long_labels():
    """Any quadratic step would take minutes here."""
    assert domain_to_ascii("ü.".encode() * 100_000) == b"xn--tda." * 100_000
    assert domain_to_ascii(("a" * 1_000_000 + ".ü").encode()) == b"a" * 1_000_000 + b".xn--tda"
    assert domain_to_ascii(("a" * 1_000_000 + "\u3002ü").encode()) == b"a" * 1_000_000 + b".xn--tda"
    assert domain_to_ascii("ü".encode() * 1_000_000) == b""
    assert domain_to_ascii(b"a" * 1_000_000 + "ü".encode()) == b""
    assert domain_to_ascii("\u00ad".encode() * 1_000_000) == b""
    assert domain_to_ascii("\uff41".encode() * 1_000_000) == b"a" * 1_000_000


@pytest.mark.parametrize(
    "label",
    [
        "".join(chr(0x4E00 + at * 7 % 1000) for at in range(1000)),
        "ü" * 1000,
        "a" * 999 + "ü",
        "a" + "\u0316\u0301" * 499,
        "\u1ec1\u0323" * 500,  # decomposed to four each
        "\u3316" * 100,
        "\u05d0" * 1000,
        "xn--" + ("ü" * 1000).encode("punycode").decode(),
    ],
    ids=["distinct", "same", "ascii", "marks", "decomposed", "expanded", "right-to-left", "coded"],
)
def test_the_longest_label(label):
    assert differing([label, label + ".ü", label + "\u3002\u05d0", label + "ü"]) == []
    assert given(label)
    assert given("ü" * 1001) is None


def test_the_table_is_current():
    if not GENERATOR.exists():
        pytest.skip(f"no {GENERATOR}: not the repository")
    spec = importlib.util.spec_from_file_location("toascii_table", GENERATOR)
    generator = importlib.util.module_from_spec(spec)
    pytest.importorskip("unicodedata2")
    spec.loader.exec_module(generator)
    if generator.made_from() not in generator.HEADER.read_text("ascii"):
        pytest.skip(f"the table was not made {generator.made_from()}; that it is right is what the other tests see")
    assert generator.main(["--check"]) == 0


def test_the_version_is_that_of_the_table():
    header = Path(urlsm.get_include(), "unicode", "toascii_table.h")
    if not header.exists():
        pytest.skip("no sources")
    assert f'"{UNICODE_VERSION}"' in header.read_text("ascii")
