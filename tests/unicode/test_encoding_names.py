"""Names of encodings: labels of the Encoding Standard, and Python's names of its encodings, wherever one is taken."""

from __future__ import annotations

import codecs
import encodings
import pkgutil
from collections.abc import Callable
from encodings.aliases import aliases
from importlib.util import find_spec

import pytest

import urlsm
from urlsm import crawler, parse, try_parse
from urlsm.documents.page import page_links
from urlsm.unicode.encoding import _LABELS, codec_of, encoding_of, output_encoding

LABELS = {key: name for name, labels in _LABELS.items() for key in (name, name.lower(), *labels.split())}
PYTHONS = sorted({*aliases, *aliases.values(), *[module.name for module in pkgutil.iter_modules(encodings.__path__)]})
UTF_8 = ("UTF-8", "UTF-16LE", "UTF-16BE", "replacement")


def codec_named(name: str) -> str | None:
    try:
        return codecs.lookup(name).name
    except LookupError:
        return None


CODECS = {codec: name for label, name in LABELS.items() if (codec := codec_named(label))}
CODECS |= {"utf-8-sig": "UTF-8", "cp874": "windows-874", "cp949": "EUC-KR", "cp950": "Big5"}
CODECS |= {"mac-cyrillic": "x-mac-cyrillic"}


@pytest.mark.parametrize("label", LABELS)
def test_a_label_is_taken_first(label: str):
    """Also where Python means another encoding by it: "latin1", "gb2312", "shift_jis"."""
    for written in (label, label.upper(), f" \t{label}\n", label.title()):
        assert encoding_of(written) == LABELS[label]


@pytest.mark.parametrize("name", PYTHONS)
def test_a_name_of_pythons(name: str):
    """As codecs.lookup understands it, in any spelling; of an encoding that is not the standard's, none is taken."""
    codec = codec_named(name)
    wanted = LABELS.get(name) or (None if codec is None else CODECS.get(codec))
    for written in (name, name.replace("_", "-"), name.upper(), name.replace("_", " ")):
        if written.lower() in LABELS or codec_named(written) != codec:
            continue
        if wanted is None:
            with pytest.raises(LookupError, match="use a label from the Encoding Standard or Python"):
                encoding_of(written)
        else:
            assert encoding_of(written) == wanted
            assert output_encoding(written) == ("UTF-8" if wanted in UTF_8 else wanted)


@pytest.mark.parametrize("name", _LABELS)
def test_the_codec_of_an_encoding(name: str):
    codec = codec_of(name)
    assert codec == name if name in ("x-user-defined", "replacement") else codec_named(codec)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "x",
        "utf-7",
        "cp437",
        "rot13",
        "idna",
        "uu",
        "latin-1\0",
        "latin-\udc80",
        "ſhift_jis",
        "\u212aoi8-r",
        "u" * 10**6,
    ],
)
def test_another_name_is_a_lookup_error(name: str):
    with pytest.raises(LookupError) as caught:
        encoding_of(name)
    assert len(str(caught.value)) < 999 and str(caught.value).isascii()


TAKERS: dict[str, Callable[[str], object]] = {
    "parse": lambda name: parse("?q=é", base="http://h/", encoding=name),
    "try_parse": lambda name: try_parse("?q=é", base="http://h/", encoding=name),
    "URL": lambda name: urlsm.URL("?q=é", base="http://h/", encoding=name),
    "resolve_many": lambda name: urlsm.resolve_many(["?q=é"], base="http://h/", encoding=name)[0],
    "links": lambda name: crawler.links(["?q=é"], base="http://h/", encoding=name)[0].url,
    "page_links": lambda name: page_links("<a href='?q=é'>", url="http://h/", encoding=name)[0].url,
    "canonicalize": lambda name: crawler.canonicalize("http://h/?q=é", "w3lib", encoding=name),
    "try_canonicalize": lambda name: crawler.try_canonicalize("http://h/?q=é", "w3lib", encoding=name),
}
if not all(map(find_spec, ("lxml", "tinycss2"))):
    del TAKERS["page_links"]
LATIN = ["latin-1", "latin_1", "latin1", "iso-8859-1", "ISO8859-1", "cp1252", "windows-1252", "ascii", "us_ascii"]
# docs/from-w3lib.md; Scrapy's response.encoding is a name of w3lib.encoding.resolve_encoding
REPORTED = ["cp932", "euc_jp", "iso2022_jp", "cp874", "mac-roman", "iso8859-16", "latin-1", "utf_8", "x-sjis"]


@pytest.mark.parametrize("taker", TAKERS)
@pytest.mark.parametrize("name", LATIN)
def test_latin_1_is_windows_1252_wherever_an_encoding_is_taken(name: str, taker: str):
    assert str(TAKERS[taker](name)) == "http://h/?q=%E9"


@pytest.mark.parametrize("taker", TAKERS)
@pytest.mark.parametrize("name", [*REPORTED, *_LABELS])
def test_every_name_is_taken(name: str, taker: str):
    assert str(TAKERS[taker](name)).startswith("http://h/?q=")


@pytest.mark.parametrize("taker", TAKERS)
def test_no_such_name(taker: str):
    with pytest.raises(LookupError):
        TAKERS[taker]("no-such-name")
    with pytest.raises(TypeError):
        TAKERS[taker](1)  # type: ignore[arg-type]


# --- the page's encoding ---


@pytest.mark.parametrize("name", [*_LABELS, "latin-1", "cp949"])
def test_links_of_a_page_in_another_encoding(name: str):
    """Their octets are decoded; a path is UTF-8, a query is in the page's encoding, like page_links'."""
    text = "/é?é=я漢#é"
    references: list[str | bytes] = [text, "/a?b", b"/a?b"]
    if encoding_of(name) != "replacement":
        codec = codec_of(name)
        octets = "/a?b=é".encode(codec, "replace") if codec != "x-user-defined" else b"/a?b=\xe9"
        references.append(octets)
    base = "http://h/"
    wanted = [
        parse(one if isinstance(one, str) else decoded(one, name), base=base, encoding=name).href for one in references
    ]
    assert urlsm.resolve_many(references, base=base, encoding=name) == wanted
    assert [link and link.url for link in crawler.links(references, base=base, encoding=name)] == wanted


def decoded(octets: bytes, name: str) -> str:
    if encoding_of(name) == "replacement":
        return "\ufffd"
    codec = codec_of(name)
    return (
        "".join(chr(b if b < 128 else 0xF700 + b) for b in octets)
        if codec == "x-user-defined"
        else octets.decode(codec, "replace")
    )


def test_what_has_no_octets_there():
    assert urlsm.resolve_many(["?q=я"], base="http://h/", encoding="latin-1") == ["http://h/?q=%26%231103%3B"]
    assert crawler.canonicalize("http://h/?q=я", "w3lib", encoding="latin-1") == "http://h/?q=%D1%8F"
    assert crawler.canonicalize(b"http://h/?q=\xff", "w3lib", encoding="x-user-defined") == "http://h/?q=%FF"
    assert crawler.canonicalize("http://h/?q=é", "w3lib", encoding="x-user-defined") == "http://h/?q=%C3%A9"
    assert crawler.canonicalize("http://h/?q=é", "w3lib", encoding="cp437") == "http://h/?q=%82"


@pytest.mark.parametrize("dialect", ["rfc3986", "rfc2396", "barth", "stdlib"])
def test_other_dialects_encode_nothing(dialect):
    assert urlsm.resolve_many(["?q=é"], base="http://h/", dialect=dialect, encoding="UTF_8") == ["http://h/?q=é"]
    with pytest.raises(ValueError, match="encoding needs the dialect 'whatwg'"):
        urlsm.resolve_many(["?q"], base="http://h/", dialect=dialect, encoding="latin-1")


def test_w3libs_own_function_keeps_pythons_latin_1():
    canonicalize_url = urlsm.compat.w3lib.canonicalize_url
    assert canonicalize_url("http://h/?q=\x80", encoding="latin-1") == "http://h/?q=%80"
    assert canonicalize_url("http://h/?q=€", encoding="latin-1") == "http://h/?q=%E2%82%AC"
    assert crawler.canonicalize("http://h/?q=€", "w3lib", encoding="latin-1") == "http://h/?q=%80"
