"""Encoders of the Encoding Standard, as the queries of URLs in legacy documents need them."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import suites

from urlsm.unicode import encoding
from urlsm.unicode.encoding import encode_or_escape, output_encoding

SINGLE_BYTE = [
    *(f"ISO-8859-{part}" for part in (2, 3, 4, 5, 6, 7, 8, "8-I", 10, 13, 14, 15, 16)),
    *(f"windows-{page}" for page in (874, *range(1250, 1259))),
    *("IBM866", "KOI8-R", "KOI8-U", "macintosh", "x-mac-cyrillic"),
]
STATELESS = [
    *SINGLE_BYTE,
    "x-user-defined",
    "GBK",
    "gb18030",
    "Big5",
    "EUC-JP",
    "Shift_JIS",
    "EUC-KR",
    "UTF-8",
]
OUTPUT = [*STATELESS, "ISO-2022-JP"]


def escape(*code_points: int) -> bytes:
    return b"".join(b"%%26%%23%d%%3B" % cp for cp in code_points)


# Labels


@pytest.mark.parametrize("name", OUTPUT)
def test_lower_case_name_is_a_label(name: str) -> None:
    assert output_encoding(name) == output_encoding(name.lower()) == output_encoding(name.upper()) == name


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("utf8", "UTF-8"),
        ("unicode-1-1-utf-8", "UTF-8"),
        ("unicode11utf8", "UTF-8"),
        ("x-unicode20utf8", "UTF-8"),
        ("866", "IBM866"),
        ("latin2", "ISO-8859-2"),
        ("iso_8859-3:1988", "ISO-8859-3"),
        ("l4", "ISO-8859-4"),
        ("cyrillic", "ISO-8859-5"),
        ("csiso88596i", "ISO-8859-6"),
        ("iso-8859-6-e", "ISO-8859-6"),
        ("sun_eu_greek", "ISO-8859-7"),
        ("visual", "ISO-8859-8"),
        ("logical", "ISO-8859-8-I"),
        ("csiso88598i", "ISO-8859-8-I"),
        ("csiso88598e", "ISO-8859-8"),
        ("latin6", "ISO-8859-10"),
        ("iso885913", "ISO-8859-13"),
        ("l9", "ISO-8859-15"),
        ("koi", "KOI8-R"),
        ("koi8-ru", "KOI8-U"),
        ("x-mac-roman", "macintosh"),
        ("tis-620", "windows-874"),
        ("iso-8859-11", "windows-874"),
        # these labels as the web uses them
        ("ascii", "windows-1252"),
        ("us-ascii", "windows-1252"),
        ("ansi_x3.4-1968", "windows-1252"),
        ("latin1", "windows-1252"),
        ("iso-8859-1", "windows-1252"),
        ("iso-8859-9", "windows-1254"),
        ("latin5", "windows-1254"),
        ("x-cp1258", "windows-1258"),
        ("x-mac-ukrainian", "x-mac-cyrillic"),
        ("gb2312", "GBK"),
        ("gb_2312-80", "GBK"),
        ("big5-hkscs", "Big5"),
        ("x-x-big5", "Big5"),
        ("cseucpkdfmtjapanese", "EUC-JP"),
        ("csiso2022jp", "ISO-2022-JP"),
        ("sjis", "Shift_JIS"),
        ("windows-31j", "Shift_JIS"),
        ("ks_c_5601-1987", "EUC-KR"),
        ("windows-949", "EUC-KR"),
        # no encoder of their own
        ("replacement", "UTF-8"),
        ("iso-2022-kr", "UTF-8"),
        ("hz-gb-2312", "UTF-8"),
        ("utf-16", "UTF-8"),
        ("utf-16le", "UTF-8"),
        ("UTF-16BE", "UTF-8"),
        ("unicodefffe", "UTF-8"),
        ("ucs-2", "UTF-8"),
    ],
)
def test_labels(label: str, name: str) -> None:
    assert output_encoding(label) == name
    assert output_encoding(f"\t\n\f\r {label.swapcase()} \r\f\n\t") == name


def test_all_labels_of_the_standard() -> None:
    labels = [label for name in encoding._LABELS for label in (name.lower(), *encoding._LABELS[name].split())]
    assert len(labels) == len(set(labels)) == 228
    assert {output_encoding(label) for label in labels} == set(OUTPUT)


@pytest.mark.parametrize(
    "label",
    [
        "",
        " ",
        "utf-7",
        "utf-32",
        "cp437",
        "iso-8859-12",
        "utf_9",
        "latin-11",
        "windows 12 52",
        "gb18030-2022",
        "\u212aoi8-r",  # KELVIN SIGN, whose lower case is k
        "\x0butf-16\x0b",  # not ASCII whitespace
        "\xa0utf-16",
        "utf-8\x00",
    ],
)
def test_unknown_labels(label: str) -> None:
    with pytest.raises(LookupError, match="use a label from the Encoding Standard"):
        output_encoding(label)
    with pytest.raises(LookupError):
        encode_or_escape("a", label)


# All encodings


@pytest.mark.parametrize("name", OUTPUT)
def test_ascii_is_itself(name: str) -> None:
    text = "".join(map(chr, range(0x80)))
    if name == "ISO-2022-JP":
        text = text.replace("\x0e", "").replace("\x0f", "").replace("\x1b", "")
    assert encode_or_escape(text, name) == text.encode()
    assert encode_or_escape("", name) == b""
    # and no less so beside other characters
    assert encode_or_escape(text + "\U0001f4a9", name).startswith(text.encode())


@pytest.mark.parametrize("name", [name for name in OUTPUT if name not in ("UTF-8", "gb18030")])
def test_escapes(name: str) -> None:
    assert encode_or_escape("a\U0001f4a9\U0010ffffb", name) == b"a%26%23128169%3B%26%231114111%3Bb"
    assert encode_or_escape("\U0001f4a9", name) == b"%26%23128169%3B"


@pytest.mark.parametrize("surrogate", ["\ud800", "\udbff", "\udc00", "\udfff"])
@pytest.mark.parametrize("name", OUTPUT)
def test_a_surrogate_is_a_replacement_character(name: str, surrogate: str) -> None:
    expected = {"UTF-8": b"\xef\xbf\xbd", "gb18030": b"\x84\x31\xa4\x37"}.get(name, b"%26%2365533%3B")
    assert encode_or_escape(surrogate, name) == encode_or_escape("\ufffd", name) == expected
    assert encode_or_escape(f"a{surrogate}{surrogate}b", name) == b"a" + 2 * expected + b"b"


def test_two_surrogates_are_not_a_pair() -> None:
    assert encode_or_escape("\ud83d\udca9", "utf-8") == 2 * b"\xef\xbf\xbd"


@pytest.mark.parametrize("label", ["utf-8", "UTF8", "utf-16", "replacement"])
def test_utf_8(label: str) -> None:
    assert encode_or_escape("é日\U0001f4a9", label) == b"\xc3\xa9\xe6\x97\xa5\xf0\x9f\x92\xa9"


@given(st.sampled_from(STATELESS), st.text(), st.text())
def test_encoders_but_one_have_no_state(name: str, first: str, second: str) -> None:
    parts = encode_or_escape(first, name) + encode_or_escape(second, name)
    assert encode_or_escape(first + second, name) == parts


@pytest.mark.slow(4)
@pytest.mark.parametrize("name", ["UTF-8", "windows-1252", "gb18030", "Big5", "ISO-2022-JP"])
@pytest.mark.parametrize("unit", ["a", "aé", "日本", "\U0001f4a9", "\ud800", "¥~"])
def test_a_mebibyte(name: str, unit: str) -> None:
    count = 2**20 // len(unit.encode("utf-8", "surrogatepass"))
    result = encode_or_escape(unit * count, name)
    if name == "ISO-2022-JP":
        assert result.count(encode_or_escape(unit, "iso-2022-jp").strip(b"\x1b(BJ$")) >= count
    else:
        assert result == encode_or_escape(unit, name) * count


# Single-byte encodings

C1_BYTES = {  # where the indexes have C1 controls among other characters
    "windows-874": "81 82 83 84 86 87 88 89 8A 8B 8C 8D 8E 8F 90 98 99 9A 9B 9C 9D 9E 9F",
    "windows-1250": "81 83 88 90 98",
    "windows-1251": "98",
    "windows-1252": "81 8D 8F 90 9D",
    "windows-1253": "81 88 8A 8C 8D 8E 8F 90 98 9A 9C 9D 9E 9F",
    "windows-1254": "81 8D 8E 8F 90 9D 9E",
    "windows-1255": "81 8A 8C 8D 8E 8F 90 9A 9C 9D 9E 9F",
    "windows-1256": "",
    "windows-1257": "81 83 88 8A 8C 90 98 9A 9C 9F",
    "windows-1258": "81 8A 8D 8E 8F 90 9A 9D 9E",
    "IBM866": "",
    "KOI8-R": "",
    "KOI8-U": "",
    "macintosh": "",
    "x-mac-cyrillic": "",
}


@pytest.mark.parametrize("name", SINGLE_BYTE)
def test_c1_controls(name: str) -> None:
    controls = range(0x80, 0xA0)
    # the ISO 8859 family has all of them
    present = bytes.fromhex(C1_BYTES[name]) if name in C1_BYTES else bytes(controls)
    expected = b"".join(bytes((c,)) if c in present else escape(c) for c in controls)
    assert encode_or_escape("".join(map(chr, controls)), name) == expected


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("IBM866", "Бя№", b"\x81\xef\xfc"),
        ("ISO-8859-2", "Łő˙", b"\xa3\xf5\xff"),
        ("ISO-8859-3", "Ħĝ", b"\xa1\xf8"),
        ("ISO-8859-4", "ĸŋ", b"\xa2\xbf"),
        ("ISO-8859-5", "Ё№", b"\xa1\xf0"),
        ("ISO-8859-6", "؟ع", b"\xbf\xd9"),
        ("ISO-8859-7", "€₯ͺ‘", b"\xa4\xa5\xaa\xa1"),  # those of the 2003 edition
        ("ISO-8859-8", "את‗\u200e", b"\xe0\xfa\xdf\xfd"),
        ("ISO-8859-8-I", "את‗\u200e", b"\xe0\xfa\xdf\xfd"),
        ("ISO-8859-10", "ĀĪ―", b"\xc0\xa4\xbd"),
        ("ISO-8859-13", "”’", b"\xa1\xff"),
        ("ISO-8859-14", "Ḃŷ", b"\xa1\xfe"),
        ("ISO-8859-15", "€Œ", b"\xa4\xbc"),
        ("ISO-8859-16", "€Ș", b"\xa4\xaa"),
        ("KOI8-R", "ю╬ё", b"\xc0\xbe\xa3"),
        ("KOI8-U", "ґєії", b"\xad\xa4\xa6\xa7"),
        ("KOI8-U", "ўЎ", b"\xae\xbe"),
        ("macintosh", "€Ωı\uf8ff", b"\xdb\xbd\xf5\xf0"),
        ("windows-874", "€ก฿", b"\x80\xa1\xdf"),
        ("windows-1250", "€ž", b"\x80\x9e"),
        ("windows-1251", "Ђ№", b"\x80\xb9"),
        ("windows-1252", "€éŸÿ", b"\x80\xe9\x9f\xff"),
        ("windows-1253", "€΅ώ", b"\x80\xa1\xfe"),
        ("windows-1254", "€ığ", b"\x80\xfd\xf0"),
        ("windows-1255", "€₪\u05ba\u05b9", b"\x80\xa4\xca\xc9"),
        ("windows-1256", "€پے", b"\x80\x81\xff"),
        ("windows-1257", "€Ø", b"\x80\xa8"),
        ("windows-1258", "₫\u0303ư", b"\xfe\xde\xfd"),
        ("x-mac-cyrillic", "Ґѓ€", b"\xa2\xaf\xff"),
        # no bytes
        ("ISO-8859-3", "¥", escape(0xA5)),
        ("ISO-8859-6", "é", escape(0xE9)),
        ("ISO-8859-7", "®", escape(0xAE)),
        ("ISO-8859-8", "¡", escape(0xA1)),
        ("ISO-8859-15", "¤", escape(0xA4)),
        ("KOI8-U", "╝╬", escape(0x255D, 0x256C)),
        ("macintosh", "¤", escape(0xA4)),
        ("x-mac-cyrillic", "¤", escape(0xA4)),
        ("windows-874", "\xdb\xff", escape(0xDB, 0xFF)),
        ("windows-1252", "\x80Ā", escape(0x80, 0x100)),
        ("windows-1253", "ª\xd2", escape(0xAA, 0xD2)),
        ("windows-1255", "\xd9\xff", escape(0xD9, 0xFF)),
        ("windows-1257", "¡¥", escape(0xA1, 0xA5)),
    ],
)
def test_single_byte(name: str, text: str, expected: bytes) -> None:
    assert encode_or_escape(text, name) == expected


@pytest.mark.parametrize("name", [name for name in SINGLE_BYTE if name != "KOI8-U"])
def test_single_byte_agrees_with_python_where_that_has_a_character(name: str) -> None:
    named = {"ISO-8859-8-I": "iso8859-8", "windows-874": "cp874", "x-mac-cyrillic": "mac_cyrillic"}
    for byte in range(0x80, 0x100):
        char = bytes((byte,)).decode(named.get(name, name), "ignore")
        assert not char or encode_or_escape(char, name) == bytes((byte,))


def test_x_user_defined() -> None:
    text = "".join(map(chr, range(0xF780, 0xF800)))
    assert encode_or_escape(text, "x-user-defined") == bytes(range(0x80, 0x100))
    assert encode_or_escape("\x80é\uf77f\uf800", "x-user-defined") == escape(0x80, 0xE9, 0xF77F, 0xF800)


# Chinese

GB18030_2022 = [
    (0xE78D, 0xFE10, "A6D9"),
    (0xE78E, 0xFE12, "A6DA"),
    (0xE78F, 0xFE11, "A6DB"),
    (0xE790, 0xFE13, "A6DC"),
    (0xE791, 0xFE14, "A6DD"),
    (0xE792, 0xFE15, "A6DE"),
    (0xE793, 0xFE16, "A6DF"),
    (0xE794, 0xFE17, "A6EC"),
    (0xE795, 0xFE18, "A6ED"),
    (0xE796, 0xFE19, "A6F3"),
    (0xE81E, 0x9FB4, "FE59"),
    (0xE826, 0x9FB5, "FE61"),
    (0xE82B, 0x9FB6, "FE66"),
    (0xE82C, 0x9FB7, "FE67"),
    (0xE832, 0x9FB8, "FE6D"),
    (0xE843, 0x9FB9, "FE7E"),
    (0xE854, 0x9FBA, "FE90"),
    (0xE864, 0x9FBB, "FEA0"),
]


@pytest.mark.parametrize("name", ["GBK", "gb18030"])
@pytest.mark.parametrize(("private", "assigned", "pair"), GB18030_2022)
def test_gb18030_2022(name: str, private: int, assigned: int, pair: str) -> None:
    assert encode_or_escape(chr(private) + chr(assigned), name) == bytes.fromhex(pair + pair)


@pytest.mark.parametrize("name", ["GBK", "gb18030"])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("中文", b"\xd6\xd0\xce\xc4"),
        ("é", b"\xa8\xa6"),
        ("丂", b"\x81\x40"),
        ("\u3000", b"\xa1\xa1"),  # not A3 A0, the later pair
        ("ḿǹ", b"\xa8\xbc\xa8\xbf"),
        ("\ue000", b"\xaa\xa1"),  # user-defined
        ("\ue5e4\ue5e5\ue5e6", b"\xa3\x9f" + escape(0xE5E5) + b"\xa4\x40"),  # A3 A0 is U+3000 to decoders
    ],
)
def test_gb18030_and_gbk(name: str, text: str, expected: bytes) -> None:
    assert encode_or_escape(text, name) == expected


@pytest.mark.parametrize(
    ("text", "gb18030", "gbk"),
    [
        ("€", "A2E3", b"\x80"),
        ("\x80", "81308130", escape(0x80)),
        ("¥", "81308436", escape(0xA5)),
        ("\ue7c7", "8135F437", escape(0xE7C7)),  # swapped with U+1E3F in 2005
        ("\u1e3e", "8135F436", escape(0x1E3E)),
        ("\u1e40", "8135F438", escape(0x1E40)),
        ("\ufffd", "8431A437", escape(0xFFFD)),
        ("\uffff", "8431A439", escape(0xFFFF)),
        ("\U00010000", "90308130", escape(0x10000)),
        ("\U0001f4a9", "9439DA33", escape(0x1F4A9)),
        ("\U0010ffff", "E3329A35", escape(0x10FFFF)),
    ],
)
def test_gb18030_is_not_gbk(text: str, gb18030: str, gbk: bytes) -> None:
    assert encode_or_escape(text, "gb18030") == bytes.fromhex(gb18030)
    assert encode_or_escape(text, "gbk") == gbk


@pytest.mark.once
def test_gb18030_has_bytes_for_all_but_one() -> None:
    for block in range(0, 0x110000, 0x1000):
        if block not in (0xD000, 0xE000):
            text = "".join(map(chr, range(block or 0x80, block + 0x1000)))
            assert b"%26" not in encode_or_escape(text, "gb18030")
    private = [cp for cp in range(0xE000, 0xF000) if encode_or_escape(chr(cp), "gb18030").startswith(b"%")]
    assert private == [0xE5E5]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("中文", b"\xa4\xa4\xa4\xe5"),
        ("═╞╡╪十卅", b"\xf9\xf9\xf9\xe9\xf9\xeb\xf9\xea\xa4\x51\xa4\xca"),  # "the last pointer"
        ("╭╮╰╯", b"\xa2\x7e\xa2\xa1\xa2\xa2\xa2\xa3"),  # the first
        ("\u3003兀", b"\xa1\xb2\xa4\x61"),
        ("€\u2027¯～￥￠￡∕", b"\xa3\xe1\xa1\x45\xa1\xc2\xa1\xe3\xa2\x44\xa2\x46\xa2\x47\xa2\x41"),
        ("\u2400\u241f\u2421", b"\xa3\xc0\xa3\xdf\xa3\xe0"),
        ("①あアЖ", b"\xc6\xa1\xc6\xe8\xc7\x7c\xc7\xfa"),
        ("仝廴无癶隶", b"\xc6\xdf\xc6\xcf\xc6\xd3\xc6\xd5\xc6\xd7"),
        ("嘅廐悤猪", b"\xfb\x48\xfb\xf9\xfc\x6c\xfe\x52"),
        ("碁銹", b"\xf9\xd6\xf9\xd7"),
        ("\U00020547", b"\xfa\x40"),
        # no bytes: only in the Hong Kong leads, or only in Python's tables
        ("䏰\u0100", escape(0x43F0, 0x100)),
        ("¢£¥•‾∼\uff64", escape(0xA2, 0xA3, 0xA5, 0x2022, 0x203E, 0x223C, 0xFF64)),
        ("\u2609\u2641\ue000", escape(0x2609, 0x2641, 0xE000)),
    ],
)
def test_big5(text: str, expected: bytes) -> None:
    assert encode_or_escape(text, "big5") == expected


def test_big5_never_has_a_hong_kong_lead() -> None:
    for cp in (*range(0x80, 0xD800), *range(0x20000, 0x30000)):
        encoded = encode_or_escape(chr(cp), "big5")
        assert encoded == escape(cp) or (len(encoded) == 2 and encoded[0] >= 0xA1)


# Korean


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("한글", b"\xc7\xd1\xb1\xdb"),
        ("가힝", b"\xb0\xa1\xc8\xfe"),
        ("갂힣", b"\x81\x41\xc6\x52"),  # not in KS X 1001
        ("€®", b"\xa2\xe6\xa2\xe7"),
        ("¥\ue000", escape(0xA5, 0xE000)),
    ],
)
def test_euc_kr(text: str, expected: bytes) -> None:
    assert encode_or_escape(text, "euc-kr") == expected


# Japanese


@pytest.mark.parametrize(
    ("text", "shift_jis", "euc_jp"),
    [
        ("日本", "93FA967B", "C6FCCBDC"),
        ("¥‾", "5C7E", "5C7E"),
        ("−－", "817C817C", "A1DDA1DD"),
        ("｡ｱﾟ", "A1B1DF", "8EA18EB18EDF"),
        ("～∥￠￡￢＼", "816081618191819281CA815F", "A1C1A1C2A1F1A1F2A2CCA1C0"),
        ("①Ⅰ№㈱", "874087548782878A", "ADA1ADB5ADE2ADEA"),  # row 13
        ("≒∪", "81E081BE", "A2E2A2C0"),  # there too, but first before
        ("纊髙ⅰ￤", "FA5CFBFCFA40FA55", "F9A1FCE2FCF1FCFC"),  # twice after row 13
        ("熙", "EAA4", "F4A6"),  # the last of the standard proper
    ],
)
def test_japanese(text: str, shift_jis: str, euc_jp: str) -> None:
    assert encode_or_escape(text, "shift_jis") == bytes.fromhex(shift_jis)
    assert encode_or_escape(text, "euc-jp") == bytes.fromhex(euc_jp)


@pytest.mark.parametrize("name", ["Shift_JIS", "EUC-JP", "ISO-2022-JP"])
@pytest.mark.parametrize("char", "¢£¬‖\u301c€é\x81丂\ue000\ue757\uf8f0\uf8f3\ufffd")
def test_not_in_japanese_encodings(name: str, char: str) -> None:
    assert encode_or_escape(char, name) == escape(ord(char))


def test_u0080_is_in_shift_jis_only() -> None:
    assert encode_or_escape("\x80", "shift_jis") == b"\x80"
    assert encode_or_escape("\x80", "euc-jp") == encode_or_escape("\x80", "iso-2022-jp") == escape(0x80)


def test_shift_jis_never_has_the_duplicates() -> None:
    # pointers 8272 to 8835 are leads ED to EF; those from F0 to F9 are decoded only
    leads = {encode_or_escape(chr(cp), "shift_jis")[0] for cp in range(0x100, 0xFF61)}
    assert not leads & set(range(0xED, 0xFA))
    assert {0x81, 0x9F, 0xE0, 0xEA, 0xFA, 0xFC} <= leads


# ISO-2022-JP

A, R, J = b"\x1b(B", b"\x1b(J", b"\x1b$B"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("日本", J + b"F|K\\" + A),
        ("a日b本c", b"a" + J + b"F|" + A + b"b" + J + b"K\\" + A + b"c"),
        ("¥", R + b"\\" + A),
        ("‾", R + b"~" + A),
        ("¥a‾", R + b"\\a~" + A),  # most of ASCII is in Roman too
        ("¥\\", R + b"\\" + A + b"\\"),
        ("¥~¥", R + b"\\" + A + b"~" + R + b"\\" + A),
        ("日¥本", J + b"F|" + R + b"\\" + J + b"K\\" + A),
        ("¥日a", R + b"\\" + J + b"F|" + A + b"a"),  # back to ASCII, not to Roman
        ("−－", J + b"!]!]" + A),
        ("｡ｱｶﾞﾟｰ", J + b"!#%" + b'"%+!+!,!<' + A),
        ("①髙", J + b"-!|b" + A),
        # errors leave jis0208 before they are reported, and leave Roman alone
        ("é", escape(0xE9)),
        ("日é本", J + b"F|" + A + escape(0xE9) + J + b"K\\" + A),
        ("日é", J + b"F|" + A + escape(0xE9)),
        ("日éé", J + b"F|" + A + escape(0xE9, 0xE9)),
        ("¥é¥", R + b"\\" + escape(0xE9) + b"\\" + A),
        ("¥é", R + b"\\" + escape(0xE9) + A),
        # never as they are, nor under their own number
        ("\x0e\x0f\x1b", escape(0xFFFD, 0xFFFD, 0xFFFD)),
        ("日\x1b", J + b"F|" + A + escape(0xFFFD)),
        ("¥\x1b(B", R + b"\\" + escape(0xFFFD) + b"(B" + A),
        ("\x00\x1a\x7f", b"\x00\x1a\x7f"),
        ("日\ud800", J + b"F|" + A + escape(0xFFFD)),
    ],
)
def test_iso_2022_jp(text: str, expected: bytes) -> None:
    assert encode_or_escape(text, "iso-2022-jp") == expected


def test_iso_2022_jp_halfwidth_katakana() -> None:
    # Normalization Form KC but for the sound marks, which it makes combining.
    for cp in range(0xFF61, 0xFFA0):
        full = {0xFF9E: "\u309b", 0xFF9F: "\u309c"}.get(cp) or unicodedata.normalize("NFKC", chr(cp))
        assert encode_or_escape(chr(cp), "iso-2022-jp") == encode_or_escape(full, "iso-2022-jp")


@given(st.text(st.sampled_from("a\\~¥‾日本あア、 \n")))
def test_iso_2022_jp_decodes_back(text: str) -> None:
    assert encode_or_escape(text, "iso-2022-jp").decode("iso2022_jp") == text


@given(st.text())
def test_iso_2022_jp_is_ascii_and_ends_in_ascii(text: str) -> None:
    encoded = encode_or_escape(text, "iso-2022-jp")
    assert encoded.isascii()
    escape_at = encoded.rfind(b"\x1b")
    assert escape_at == -1 or encoded[escape_at : escape_at + 3] == A


# The whole of "percent-encode after encoding"

SPECIAL_QUERY = frozenset((*range(0x21), *b"\"#<>'", *range(0x7F, 0x100)))


def percent_encode(data: bytes) -> str:
    return "".join(f"%{byte:02X}" if byte in SPECIAL_QUERY else chr(byte) for byte in data)


def test_examples_of_the_url_standard() -> None:
    # https://url.spec.whatwg.org/#example-percent-encode-operations
    assert percent_encode(encode_or_escape("≡", "shift_jis")) == "%81%DF"
    assert percent_encode(encode_or_escape("‽", "shift_jis")) == "%26%238253%3B"
    assert percent_encode(encode_or_escape("¥", "iso-2022-jp")) == "%1B(J\\%1B(B"


def test_conformance() -> None:
    path = suites.wpt_or_skip("percent-encoding.json")
    cases = [case for case in json.loads(path.read_text("utf-8")) if isinstance(case, dict)]
    assert cases
    for case in cases:
        for label, expected in case["output"].items():
            assert percent_encode(encode_or_escape(case["input"], label)) == expected, (case["input"], label)
