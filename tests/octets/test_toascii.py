"""toascii.h: where it takes a domain, or calls it invalid, it says what urlsm.octets.idna says; and it takes the common
ones."""

from __future__ import annotations

import importlib.util
import random
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest

import urlsm
from urlsm.octets.idna import TABLE_VERSION, IDNAError, parse_domain
from urlsm.url.parser import common_domain_to_ascii

ROOT = Path(__file__).resolve().parents[2]
GENERATOR = ROOT / "tools" / "toascii_table.py"
KNOWN = [code for code in range(0x80, 0x110000) if unicodedata.category(chr(code)) not in ("Cn", "Cs", "Co")]
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
DECLINED = [
    *("ü<\u0338", "ü" * 129, "a" * 129 + ".ü", "a" + "\u00ad" * 128, "\ufb50", "\uf900", "\U0002f800"),
    *("\u1b05\u1b44\u200d", "\U00010a10\U00010a0f\U00010a0d", "ü.a" + "\u0e33" * 65),
]
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
}


TABLE = Path(urlsm.get_include(), "octets", "toascii_table.h").read_text("ascii")
CURRENT = f'"{TABLE_VERSION}"' in TABLE  # what the table says is disallowed counts
urlsm.can_parse("https://\ue000/")  # the first of its kind: from now on that is known


def wanted(domain: str) -> str | None:
    try:
        return parse_domain(domain)
    except IDNAError:
        return None


def encoded(label: str) -> str:
    return "xn--" + label.encode("punycode").decode()


def differing(domains: list[str]) -> list[tuple[str, bytes, str | None]]:
    """Those that toascii.h takes, or calls invalid, and urlsm.octets.idna reads otherwise. Not ASCII ones."""
    taken = ((domain, common_domain_to_ascii(domain.encode())) for domain in domains if not domain.isascii())
    told = ((domain, got.decode() or None) for domain, got in taken if got is not None)
    return [(domain, got, wanted(domain)) for domain, got in told if got != wanted(domain)]


@pytest.mark.parametrize(("domain", "result"), COMMON.items())
def test_common_domains_are_taken(domain, result):
    assert common_domain_to_ascii(domain.encode()) == result.encode()
    assert parse_domain(domain) == result
    assert urlsm.parse(f"https://{domain}:8/a?b#c").host == result
    assert urlsm.can_parse(f"https://{domain}")


@pytest.mark.parametrize("domain", DECLINED)
def test_what_needs_a_closer_look_is_declined(domain):
    assert common_domain_to_ascii(domain.encode()) is None


@pytest.mark.parametrize("domain", INVALID)
def test_what_is_plainly_invalid_is_refused(domain):
    assert wanted(domain) is None
    assert common_domain_to_ascii(domain.encode()) in ([b""] if CURRENT else [b"", None])
    assert not domain or not urlsm.can_parse(f"https://{domain}/a")


def test_the_installed_idna_decides_what_is_disallowed_unless_it_is_of_the_tables_version():
    code = """if True:
        import urlsm.octets.idna as ours
        from urlsm.url.parser import common_domain_to_ascii
        ours.TABLE_VERSION = "19.0.0"
        ours._map = lambda label: label.lower()  # where nothing is disallowed any more
        assert [urlsm.parse("https://\\u0378.de").host for _ in range(2)] == ["xn--zva.de"] * 2
        assert common_domain_to_ascii("\\u0378".encode()) is None
    """
    subprocess.run([sys.executable, "-c", f"import urlsm\n{code}"], check=True)


def test_every_ascii_character_beside_what_may_compose_with_it():
    marks = [*map(chr, range(0x300, 0x370)), "\u1161", "\u3099", "ü", "\u05d0", "\u00ad"]
    texts = [f"a{chr(code)}{mark}b" for code in range(0x80) for mark in marks]
    assert differing(texts + [text[1:] for text in texts] + [f"ü.{text}" for text in texts]) == []


@pytest.mark.parametrize("octets", NOT_UTF_8)
def test_octets_that_are_not_utf_8_are_invalid(octets):
    for domain in (octets, b"a" + octets + b".b"):
        assert common_domain_to_ascii(domain) == b""
        assert wanted(domain.decode(errors="replace")) is None


old_unicode = pytest.mark.skipif(
    tuple(map(int, unicodedata.unidata_version.split("."))) < (14,),
    reason="this Python's Unicode is older than the table's: it does not know the direction of newer characters",
)


@pytest.mark.once
@old_unicode
def test_every_code_point_alone_and_within_a_label():
    domains = []
    for code in range(0x110000):
        many_alike = 0x34000 <= code < 0xE0000 or code >= 0xE1000  # unassigned, private use
        if not 0xD800 <= code < 0xE000 and (not many_alike or code % 61 == 0):
            char = chr(code)
            domains += [char, f"a{char}b"]
            if not (0x3400 <= code < 0xA000 or 0xAC00 <= code < 0xD7A4 or 0x20000 <= code < 0xE0000):
                domains += [f"{char}ü", f"\u05d0{char}", f"か{char}", f"{char}.\u05d0", f"\u0628\u200c{char}"]
                domains += [f"{encoded(char)}.ü", f"{encoded('a' + char)}.ü"]
    assert differing(domains) == []


def test_pairs_of_what_the_rules_tell_apart():
    assert differing([f"{a}{b}{c}" for a in TROUBLE for b in TROUBLE for c in ("", "\u0301", "ü", ".\u05d0")]) == []


@pytest.mark.once
@old_unicode
def test_random_labels_of_many_scripts(cases):
    rng = random.Random(3492)
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
    rng = random.Random(15)
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
        result = wanted(domain.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
        url = urlsm.try_parse(f"https://{domain}/")
        assert (url and url.host) == result or (result and result.rstrip(".").rpartition(".")[2].isdigit()), domain
        assert urlsm.can_parse(f"https://{domain}/") == (url is not None)


def test_a_long_domain_and_a_long_label():
    """Any quadratic step would take minutes here."""
    assert common_domain_to_ascii("ü.".encode() * 100_000) == b"xn--tda." * 100_000
    assert common_domain_to_ascii("ü".encode() * 1_000_000) is None
    longest = "".join(chr(0x4E00 + at * 7 % 128) for at in range(128))
    assert common_domain_to_ascii(longest.encode()) == parse_domain(longest).encode()


def test_the_table_is_current():
    if not GENERATOR.exists():
        pytest.skip(f"no {GENERATOR}: not the repository")
    spec = importlib.util.spec_from_file_location("toascii_table", GENERATOR)
    generator = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generator)
    if generator.made_from() not in generator.HEADER.read_text("ascii"):
        pytest.skip(f"the table was not made {generator.made_from()}; that it is right is what the other tests see")
    assert generator.main(["--check"]) == 0
