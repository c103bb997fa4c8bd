"""Legacy encodings of URL queries.

If a document is not UTF-8, the queries of its URLs are encoded in the document's encoding, and then percent-encoded:
https://url.spec.whatwg.org/#string-percent-encode-after-encoding

This needs the *encoders* of https://encoding.spec.whatwg.org/ (here as of June 2025, with GB18030-2022). Python's
encoders differ: some leave bytes undefined that the standard defines, accept characters that it rejects, or choose
other bytes. But Python *decodes* almost exactly as the standard does. So, when an encoding is first used, this module
recovers its index by decoding every byte or byte pair once, and corrects the few entries where Python differs. Each
encoder is then the standard's own algorithm with that index.
"""

from __future__ import annotations

from codecs import charmap_decode
from collections.abc import Iterable
from encodings import normalize_encoding
from encodings.aliases import aliases

__all__ = [
    "codec_of",
    "decode",
    "decode_text",
    "encode_or_escape",
    "encoding_by_label",
    "encoding_of",
    "output_encoding",
    "texts_in",
]


# https://encoding.spec.whatwg.org/#names-and-labels
# The lower-case name of an encoding is always one of its labels, and is not repeated here.
_LABELS = {
    "UTF-8": "unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf8 x-unicode20utf8",
    "IBM866": "866 cp866 csibm866",
    "ISO-8859-2": "csisolatin2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2",
    "ISO-8859-3": "csisolatin3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3",
    "ISO-8859-4": "csisolatin4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4",
    "ISO-8859-5": "csisolatincyrillic cyrillic iso-ir-144 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988",
    "ISO-8859-6": "arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6-e "
    "iso-8859-6-i iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987",
    "ISO-8859-7": "csisolatingreek ecma-118 elot_928 greek greek8 iso-ir-126 iso8859-7 iso88597 iso_8859-7 "
    "iso_8859-7:1987 sun_eu_greek",
    "ISO-8859-8": "csiso88598e csisolatinhebrew hebrew iso-8859-8-e iso-ir-138 iso8859-8 iso88598 iso_8859-8 "
    "iso_8859-8:1988 visual",
    "ISO-8859-8-I": "csiso88598i logical",
    "ISO-8859-10": "csisolatin6 iso-ir-157 iso8859-10 iso885910 l6 latin6",
    "ISO-8859-13": "iso8859-13 iso885913",
    "ISO-8859-14": "iso8859-14 iso885914",
    "ISO-8859-15": "csisolatin9 iso8859-15 iso885915 iso_8859-15 l9",
    "ISO-8859-16": "",
    "KOI8-R": "cskoi8r koi koi8 koi8_r",
    "KOI8-U": "koi8-ru",
    "macintosh": "csmacintosh mac x-mac-roman",
    "windows-874": "dos-874 iso-8859-11 iso8859-11 iso885911 tis-620",
    "windows-1250": "cp1250 x-cp1250",
    "windows-1251": "cp1251 x-cp1251",
    "windows-1252": "ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 "
    "iso88591 iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii x-cp1252",
    "windows-1253": "cp1253 x-cp1253",
    "windows-1254": "cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 "
    "l5 latin5 x-cp1254",
    "windows-1255": "cp1255 x-cp1255",
    "windows-1256": "cp1256 x-cp1256",
    "windows-1257": "cp1257 x-cp1257",
    "windows-1258": "cp1258 x-cp1258",
    "x-mac-cyrillic": "x-mac-ukrainian",
    "GBK": "chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 iso-ir-58 x-gbk",
    "gb18030": "",
    "Big5": "big5-hkscs cn-big5 csbig5 x-x-big5",
    "EUC-JP": "cseucpkdfmtjapanese x-euc-jp",
    "ISO-2022-JP": "csiso2022jp",
    "Shift_JIS": "csshiftjis ms932 ms_kanji shift-jis sjis windows-31j x-sjis",
    "EUC-KR": "cseuckr iso-ir-149 korean windows-949 "  # the labels below are names of its character set
    "csksc56011987 ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601",
    "replacement": "csiso2022kr hz-gb-2312 iso-2022-cn iso-2022-cn-ext iso-2022-kr",
    "UTF-16BE": "unicodefffe",
    "UTF-16LE": "csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16",
    "x-user-defined": "",
}

# codecs of Python that no label names, and the encodings that they implement
_MORE_CODECS = {"utf_8_sig": "UTF-8", "cp874": "windows-874", "cp949": "EUC-KR", "cp950": "Big5",
                "mac_cyrillic": "x-mac-cyrillic"}  # fmt: skip

_names: dict[str, str] = {}  # label -> name of the encoding; empty before the first use
_codecs: dict[str, str] = {}  # module of one of Python's codecs -> name of the encoding


def encoding_of(label: str) -> str:
    """Return the name of an encoding, as the standard spells it. label is a label from the standard, or Python's name
    for the encoding.

    https://encoding.spec.whatwg.org/#concept-encoding-get lists the labels. "latin-1", which is not a label, means the
    same as the label "latin1": windows-1252. Raises LookupError for any other str, and TypeError if label is not a str.
    """
    global _names, _codecs
    if not isinstance(label, str):
        raise TypeError(f"an encoding must be str, not {type(label).__name__}")
    if label in ("utf-8", "UTF-8", "utf8"):
        return "UTF-8"
    if not _names:
        names: dict[str, str] = {}
        for name, labels in _LABELS.items():
            names.update(dict.fromkeys((name.lower(), *labels.split()), name))
        _codecs = {**{_codec_named(key): name for key, name in names.items()}, **_MORE_CODECS}
        _names = names  # set last, when it is complete, because another thread may read it
    key = label.strip("\t\n\f\r ")
    # "ASCII case-insensitive": str.lower() would also turn U+212A KELVIN SIGN into "k".
    found = None
    if key.isascii() and key.isprintable():
        found = _names.get(key.lower()) or _codecs.get(_codec_named(key))
    if found is None:
        raise LookupError(
            f"unknown encoding {label[:80]!a}: use a label from the Encoding Standard or Python's name for its encoding"
        )
    return found


def encoding_by_label(label: str) -> str | None:
    """Return the name of the encoding that has this label in the Encoding Standard; None if there is no such label.
    HTML and CSS documents may use only these labels, not Python's codec names, which encoding_of also accepts."""
    if not _names:
        encoding_of("latin1")  # this call fills _names
    key = label.strip("\t\n\f\r ")
    return _names.get(key.lower()) if key.isascii() else None


def _codec_named(name: str) -> str:
    """Return the name of the module that codecs.lookup would import for a codec. The module is not imported."""
    module = normalize_encoding(name).lower()
    return aliases.get(module) or aliases.get(module.replace(".", "_")) or module


def output_encoding(label: str) -> str:
    """Return the name of the encoding that is used to *encode* text in a document with this label. It accepts the same
    labels as encoding_of. Raises LookupError for an unknown label, and TypeError if it is not a str.

    https://encoding.spec.whatwg.org/#get-an-output-encoding
    """
    name = encoding_of(label)
    return "UTF-8" if name in _DECODED else name


def codec_of(label: str) -> str:
    """Return the name of Python's codec for an encoding. If Python has no codec ("x-user-defined", "replacement"),
    return the encoding's own name. Raises LookupError for an unknown label, and TypeError if it is not a str."""
    name = encoding_of(label)
    if name == "GBK":
        # not gb18030, whose encoder in Python writes sequences of four octets; the standard's encoder for GBK writes
        # none
        return "gbk"
    return _DECODED.get(name) or _CODECS.get(name) or _PYTHON_NAMES.get(name) or name.lower()


def encode_or_escape(text: str, label: str) -> bytes:
    """Encode *text* in the output encoding of *label*, as the query of a URL is encoded in a document with this label.

    A code point that the encoder cannot encode becomes ``%26%23NNNN%3B``, the percent-encoded form of an HTML character
    reference, where NNNN is the code point in decimal. A surrogate is encoded as U+FFFD. Raises LookupError for an
    unknown label.

    To complete "percent-encode after encoding", the caller percent-encodes the bytes with the query or special-query
    percent-encode set. Neither set contains ``%``, so these escapes are kept unchanged.
    """
    name = output_encoding(label)
    if name == "UTF-8":
        try:
            return text.encode()
        except UnicodeEncodeError:
            return "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in text).encode()
    if name == "ISO-2022-JP":
        return _iso_2022_jp(text).encode("latin-1")
    if text.isascii():  # every encoding other than ISO-2022-JP encodes ASCII as it is
        return text.encode("ascii")
    return text.translate(_table(name)).encode("latin-1")


def decode(octets: bytes, label: str) -> tuple[str, str]:
    """Decode *octets* as a document labelled *label*. A byte order mark takes precedence over the label. Invalid bytes
    become U+FFFD. Return the text, and the name of the document's output encoding. Raises LookupError for an unknown
    label.

    Multi-byte encodings are decoded by Python's codecs, which do almost exactly what the standard says.

    https://encoding.spec.whatwg.org/#decode
    """
    for mark, codec in ((b"\xef\xbb\xbf", "utf-8"), (b"\xfe\xff", "utf-16-be"), (b"\xff\xfe", "utf-16-le")):
        if octets.startswith(mark):
            output_encoding(label)  # raises LookupError if it is not a label
            return octets[len(mark) :].decode(codec, "replace"), "UTF-8"
    return decode_text(octets, label), output_encoding(label)


def decode_text(octets: bytes, label: str) -> str:
    """Decode bytes from within a document labelled *label*, where a byte order mark has no meaning."""
    name = encoding_of(label)
    if name == "replacement":
        # "The replacement encoding exists to prevent certain attacks": it decodes to one U+FFFD
        return "\ufffd"[: len(octets)]
    codec = "utf-8" if name == "UTF-8" else _DECODED.get(name) or _CODECS.get(name)
    if codec is not None:
        return octets.decode(codec, "replace")
    characters = ["\ufffe"] * 256  # charmap_decode takes U+FFFE to mean "undefined"
    for code, byte in _table(name).items():
        characters[ord(byte)] = chr(code)
    return charmap_decode(octets, "replace", "".join(characters))[0]


def texts_in(references: Iterable[object], label: str) -> Iterable[object]:
    """Return references from a document labelled *label*. References that are bytes are decoded, unless the encoding is
    UTF-8."""
    if encoding_of(label) == "UTF-8":
        return references
    return (decode_text(one, label) if isinstance(one, bytes) else one for one in references)


def in_utf8(octets: bytes, label: str) -> tuple[bytes, str]:
    """Return the text that `decode` returns, encoded as UTF-8, and the name of the document's output encoding. If the
    document is UTF-8 already, its bytes are not copied."""
    if encoding_of(label) == "UTF-8" and not octets.startswith((b"\xef\xbb\xbf", b"\xfe\xff", b"\xff\xfe")):
        try:
            octets.decode()  # raises UnicodeDecodeError if they are not UTF-8
            return octets, "UTF-8"
        except UnicodeDecodeError:
            pass
    text, name = decode(octets, label)
    return text.encode(), name


# Python's codecs for the other encodings whose output encoding is UTF-8; "" if Python has none
_DECODED = {"UTF-16LE": "utf-16-le", "UTF-16BE": "utf-16-be", "replacement": ""}
_CODECS = {"GBK": "gb18030", "gb18030": "gb18030", "Big5": "big5hkscs", "EUC-JP": "euc_jp", "EUC-KR": "cp949",
           "ISO-2022-JP": "iso2022_jp", "Shift_JIS": "cp932"}  # fmt: skip


class _Table(dict[int, str]):
    """A dict from each code point to the bytes that an encoder writes for it, as Latin-1 characters; for
    str.translate."""

    def __init__(self) -> None:
        super().__init__((cp, chr(cp)) for cp in range(0x80))

    def __missing__(self, cp: int) -> str:
        return self[0xFFFD] if 0xD800 <= cp <= 0xDFFF else f"%26%23{cp}%3B"

    def add(self, codec: str, pairs: list[str], values: list[str] | None = None) -> None:
        """Map each character to the pair from which *codec* decodes it, or to the item of *values* at the index of that
        pair. If several pairs decode to the same character, "the first pointer" wins."""
        # One call decodes all pairs, which are separated by line feeds. A line feed is never part of a pair, so it
        # always ends one.
        chars = "\n".join(pairs).encode("latin-1").decode(codec, "replace").split("\n")
        for char, value in zip(chars, values or pairs, strict=True):
            if len(char) == 1 and char != "\ufffd":
                self.setdefault(ord(char), value)


def _pairs(leads: tuple[int, ...] | range, trails: tuple[int, ...] | range) -> list[str]:
    return [chr(lead) + chr(trail) for lead in leads for trail in trails]


# name of an encoding -> its table, which is built on first use and does not change after that
_tables: dict[str, _Table] = {}


def _table(name: str) -> _Table:
    if name not in _tables:
        build = _BUILDERS.get(name)
        _tables[name] = build() if build else _single_byte(name)
    return _tables[name]


def _single_byte(name: str) -> _Table:
    """Return the table of a single-byte encoding (https://encoding.spec.whatwg.org/#single-byte-encoder)."""
    codec = _PYTHON_NAMES.get(name, name)
    table = _Table()
    for byte in range(0x80, 0x100):
        char = _FIXES.get((name, byte)) or bytes((byte,)).decode(codec, "replace")
        if char == "\ufffd" and byte <= 0x9F:
            char = chr(byte)  # where the vendor's code page defines nothing, the standard's index has the C1 control
        if char != "\ufffd":
            table[ord(char)] = chr(byte)
    return table


_PYTHON_NAMES = {"ISO-8859-8-I": "iso8859_8", "windows-874": "cp874", "x-mac-cyrillic": "mac_cyrillic"}

# The standard's KOI8-U has a letter that is from KOI8-RU, and its windows-1255 has a point that Windows added later.
_FIXES = {("KOI8-U", 0xAE): "\u045e", ("KOI8-U", 0xBE): "\u040e", ("windows-1255", 0xCA): "\u05ba"}


def _x_user_defined() -> _Table:
    """Return the table of https://encoding.spec.whatwg.org/#x-user-defined-encoder."""
    table = _Table()
    table.update((0xF700 + byte, chr(byte)) for byte in range(0x80, 0x100))
    return table


class _Gb18030Table(_Table):
    def __missing__(self, cp: int) -> str:
        if cp == 0xE5E5 or 0xD800 <= cp <= 0xDFFF:  # "If codePoint is U+E5E5, then return error"
            return super().__missing__(cp)
        return chr(cp).encode("gb18030").decode("latin-1")  # four bytes, as the table lacks the code point


def _gb18030() -> _Table:
    """Return the table of https://encoding.spec.whatwg.org/#gb18030-encoder.

    Python implements the edition of 2000. The edition of 2005 swapped U+1E3F and U+E7C7. The edition of 2022 gave
    eighteen pairs new code points; the encoder accepts these, and also the private-use code points that the pairs had
    before.
    """
    table = _Gb18030Table()
    table.add("gb18030", _pairs(range(0x81, 0xFF), (*range(0x40, 0x7F), *range(0x80, 0xFF))))
    table.pop(0xE5E5, None)
    table.update({0x1E3F: "\xa8\xbc", 0xE7C7: "\x81\x35\xf4\x37"})
    for row in _GB18030_2022.split():
        pair, old, new = row.split(":")
        table[int(old, 16)] = table[int(new, 16)] = bytes.fromhex(pair).decode("latin-1")
    return table


_GB18030_2022 = """
    A6D9:E78D:FE10 A6DA:E78E:FE12 A6DB:E78F:FE11 A6DC:E790:FE13 A6DD:E791:FE14 A6DE:E792:FE15
    A6DF:E793:FE16 A6EC:E794:FE17 A6ED:E795:FE18 A6F3:E796:FE19 FE59:E81E:9FB4 FE61:E826:9FB5
    FE66:E82B:9FB6 FE67:E82C:9FB7 FE6D:E832:9FB8 FE7E:E843:9FB9 FE90:E854:9FBA FEA0:E864:9FBB
"""


def _gbk() -> _Table:
    """Return the table of https://encoding.spec.whatwg.org/#gbk-encoder. It equals the table of gb18030, except for the
    euro sign and sequences of four bytes."""
    table = _Table()
    table.update(_gb18030())
    table[0x20AC] = "\x80"
    del table[0xE7C7]
    return table


def _big5() -> _Table:
    """Return the table of https://encoding.spec.whatwg.org/#big5-encoder.

    The encoder uses index Big5 "excluding all entries whose pointer is less than (0xA1 - 0x81) x 157" (the Hong Kong
    leads). In the rows of symbols, the entries are taken from Python's cp950, and elsewhere from big5hkscs, except for
    the fixes.
    """
    table = _Table()
    trails = (*range(0x40, 0x7F), *range(0xA1, 0xFF))
    table.add("cp950", _pairs(range(0xA1, 0xA4), trails))
    table.add("big5hkscs", _pairs(range(0xA4, 0xFF), trails))
    table.update((0x2400 + i, "\xa3" + chr(0xC0 + i)) for i in range(0x20))
    for fix in _BIG5_FIXES.split():
        table[ord(fix[0])] = bytes.fromhex(fix[1:]).decode("latin-1")
    return table


# For the first six characters the standard uses "the last pointer". The other characters are missing in Python's
# codecs, or have other pairs there.
_BIG5_FIXES = """
    ═F9F9 ╞F9E9 ╡F9EB ╪F9EA 十A451 卅A4CA
    ␡A3E0 仝C6DF 嘅FB48 廐FBF9 廴C6CF 悤FC6C 无C6D3 猪FE52 癶C6D5 隶C6D7
"""


def _euc_kr() -> _Table:
    """Return the table of https://encoding.spec.whatwg.org/#euc-kr-encoder."""
    table = _Table()
    table.add("cp949", _pairs(range(0x81, 0xFF), range(0x41, 0xFF)))
    return table


# Index jis0208 equals code page 932 without its user-defined pairs, which have leads 0xF0 to 0xF9.
# 0xED and 0xEE are left out, because they repeat the characters of 0xFA to 0xFC
_CP932_LEADS = (*range(0x81, 0xA0), *range(0xE0, 0xED))
_CP932_TRAILS = (*range(0x40, 0x7F), *range(0x80, 0xFD))
_HALFWIDTH_KATAKANA = range(0xFF61, 0xFFA0)


def _shift_jis() -> _Table:
    """Return the table of https://encoding.spec.whatwg.org/#shift_jis-encoder."""
    table = _Table()
    # "excluding all entries whose pointer is in the range 8272 to 8835", which have the leads 0xED to 0xEF
    table.add("cp932", _pairs((*_CP932_LEADS, *range(0xFA, 0xFD)), _CP932_TRAILS))
    table.update({0x80: "\x80", 0xA5: "\\", 0x203E: "~", 0x2212: table[0xFF0D]})
    table.update((cp, chr(cp - 0xFF61 + 0xA1)) for cp in _HALFWIDTH_KATAKANA)
    return table


def _jis0208(base: int) -> _Table:
    """Return index jis0208, with rows and cells counted from *base*."""
    table = _Table()
    square = range(base, base + 94)
    # The 47 x 188 pairs up to lead 0xEF are the 94 x 94 characters of JIS X 0208, in the same order.
    table.add("cp932", _pairs((*_CP932_LEADS, *range(0xED, 0xF0)), _CP932_TRAILS), _pairs(square, square))
    table[0x2212] = table[0xFF0D]
    return table


def _euc_jp() -> _Table:
    """Return the table of https://encoding.spec.whatwg.org/#euc-jp-encoder."""
    table = _jis0208(0xA1)
    table.update({0xA5: "\\", 0x203E: "~"})
    table.update((cp, "\x8e" + chr(cp - 0xFF61 + 0xA1)) for cp in _HALFWIDTH_KATAKANA)
    return table


def _iso_2022_jp_table() -> _Table:
    """Return the table of the bytes that #iso-2022-jp-encoder (see _iso_2022_jp) writes in its ASCII and jis0208
    states."""
    table = _jis0208(0x21)
    katakana = (  # the index ISO-2022-JP katakana
        "。「」、・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソ"
        "タチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン゛゜"
    )
    table.update((cp, table[ord(char)]) for cp, char in zip(_HALFWIDTH_KATAKANA, katakana, strict=True))
    # "This returns U+FFFD rather than codePoint to prevent attacks."
    table.update(dict.fromkeys((0x0E, 0x0F, 0x1B), table[0xFFFD]))
    return table


_ASCII, _ROMAN, _JIS0208 = "\x1b(B", "\x1b(J", "\x1b$B"  # the states, as the escape sequences that switch to them


def _iso_2022_jp(text: str) -> str:
    """Encode text with https://encoding.spec.whatwg.org/#iso-2022-jp-encoder, the only encoder with states."""
    table = _table("ISO-2022-JP")
    output: list[str] = []
    state = _ASCII
    for char in text:
        if char in "¥‾":
            wanted, item = _ROMAN, "\\" if char == "¥" else "~"
        else:
            item = table[ord(char)]
            if len(item) == 2:
                wanted = _JIS0208
            elif state == _ROMAN and char not in "\\~":
                wanted = _ROMAN  # this state has all of ASCII except "\" and "~", so "%26%23NNNN%3B" needs no switch
            else:
                wanted = _ASCII
        if wanted != state:
            state = wanted
            output.append(state)
        output.append(item)
    if state != _ASCII:
        output.append(_ASCII)
    return "".join(output)


_BUILDERS = {
    "x-user-defined": _x_user_defined,
    "GBK": _gbk,
    "gb18030": _gb18030,
    "Big5": _big5,
    "EUC-JP": _euc_jp,
    "ISO-2022-JP": _iso_2022_jp_table,
    "Shift_JIS": _shift_jis,
    "EUC-KR": _euc_kr,
}

ABOUT = {  # for urlsm.about
    "encodings": {
        "tables": "_LABELS _FIXES _MORE_CODECS",
        "source": "Encoding Standard, names and labels, indexes",
        "url": "https://encoding.spec.whatwg.org/#names-and-labels",
        "date": "2025-06",
        "licence": "CC-BY-4.0",
        "used_by": "encoding= everywhere; page_links",
    },
}
