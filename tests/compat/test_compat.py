"""urlsm.compat: w3lib's and surt's functions, and putting them into those libraries."""

from __future__ import annotations

import pathlib
import sys
import types
from collections.abc import Callable
from itertools import product
from urllib.parse import ParseResult, urlparse

import pytest
from support.seeds import draws, seeded
from support.times import at_last, least_seconds

from urlsm import ParseError
from urlsm.compat import install, uninstall
from urlsm.compat import surt as our_surt
from urlsm.compat import w3lib as ours

# --- w3lib ---


def test_w3lib_tools(peers_rows: Callable[[str], list[dict]]):
    """safe_url_string, safe_download_url, url_query_cleaner, url_query_parameter, add_or_replace_parameter(s)."""
    for row in peers_rows("w3lib-tools"):
        text = row["input"].encode("latin-1") if "bytes" in row else row["input"]
        try:
            got = getattr(ours, row["function"])(text, **row["options"])
        except ValueError:
            got = None
        assert got == row["expected"], row


def test_w3lib_canonicalize_url(peers_rows: Callable[[str], list[dict]]):
    for row in peers_rows("w3lib"):
        text = row["input"].encode("latin-1") if "bytes" in row else row["input"]
        if row["options"].get("encoding") != "utf-16":  # it is refused
            try:
                got = ours.canonicalize_url(text, **row["options"])
            except ValueError:
                got = None
            assert got == row["expected"], row


class Text(str):
    pass


@pytest.mark.parametrize(
    ("name", "args", "answer"),
    [
        ("safe_url_string", ("http://h/a b?c d#e f",), "http://h/a%20b?c%20d#e%20f"),
        ("safe_url_string", ("http://H?é",), "http://h/?%C3%A9"),
        ("safe_url_string", ("http://h/é?é", "latin-1"), "http://h/%C3%A9?%E9"),
        ("safe_url_string", ("http://h/é?é", "utf8", "latin-1"), "http://h/%E9?%C3%A9"),
        ("safe_url_string", ("http://h/é b?é", "utf8", "utf8", False), "http://h/é b?%C3%A9"),
        ("safe_url_string", (b"http://h/\xe9", "latin-1"), "http://h/%C3%A9"),
        ("safe_url_string", ("\u00a9", "utf8", "iso-8859-1"), "%A9"),
        ("safe_url_string", ("http://h\\\u00e9?\u00e9", "utf-16"), "http://h/%C3%A9?%FF%FE%E9%00"),
        ("parse_qsl_to_bytes", (b"a=%ff&\xe9=+",), [(b"a", b"\xff"), (b"\xe9", b" ")]),
        ("safe_download_url", ("http://h/a/../../b/?c#d",), "http://h/b/?c"),
        ("safe_download_url", ("http://h",), "http://h/"),
        ("canonicalize_url", ("http://h/?b&a=#c",), "http://h/?a=&b="),
        ("canonicalize_url", ("http://h/?b&a=1#c", False, True), "http://h/?a=1#c"),
        ("canonicalize_url", (urlparse("http://h/x;y?b&a#c"),), "http://h/x;y?a=&b="),
        ("url_query_cleaner", ("x?id=200&foo=bar&id=3#f", ["id"]), "x?id=200"),
        ("url_query_cleaner", ("x?id=200&foo=bar", "id", "&", "=", True), "x?foo=bar"),
        ("url_query_cleaner", ("x?a#f", ["a"], "&", "=", True, True, True), "x#f"),
        ("url_query_cleaner", ("x?a=1&b=2", [Text("a")]), "x?a=1"),
        ("url_query_parameter", ("x?id=2%00+&id=3", "id"), "2\x00 "),
        ("url_query_parameter", ("x?id=", "id", "none"), "none"),
        ("url_query_parameter", ("x?id=", "id", None, 1), ""),
        ("add_or_replace_parameter", ("http://h/x?a=1&b=%2f&a=2#f", "a", "v "), "http://h/x?a=v+&b=%2F#f"),
        ("add_or_replace_parameters", ("x", {"a": "1", "b": "é"}), "x?a=1&b=%C3%A9"),
        ("is_url", ("file:///x",), True),
        ("is_url", ("ftp://x",), False),
        ("add_http_if_no_scheme", ("h/x",), "http://h/x"),
        ("add_http_if_no_scheme", ("//h/x",), "http://h/x"),
        ("add_http_if_no_scheme", ("ftp://h",), "ftp://h"),
        ("any_to_uri", ("http://h/a b",), "http://h/a b"),
        ("file_uri_to_path", ("file:///a%20b",), "/a b"),
        ("file_uri_to_path", ("file:///%E9%C3%A9",), "/\udce9é"),
        ("file_uri_to_path", ("file://localhost/é%FF?x",), "/é\udcff"),
        ("parse_qsl_to_bytes", ("a=%ff&b&c=+",), [(b"a", b"\xff"), (b"c", b" ")]),
        ("parse_url", ("HTTP://h\\x;y?z#f",), ParseResult("http", "h", "/x", "y", "z", "f")),
        ("parse_data_uri", ("data:,a%20b",), ("text/plain", {"charset": "US-ASCII"}, b"a b")),
        ("parse_data_uri", (b'data:a/b;c=d;e="\\f g";base64,YQ==',), ("a/b", {"c": "d", "e": "f g"}, b"a")),
    ],
)
@pytest.mark.skipif(sys.platform == "win32", reason="paths of another kind")
def test_w3lib_functions(name: str, args: tuple, answer: object):
    assert getattr(ours, name)(*args) == answer
    theirs = pytest.importorskip("w3lib.url")
    assert getattr(theirs, name)(*args) == answer


@pytest.mark.parametrize(
    ("name", "args", "answer"),
    [
        ("safe_url_string", ("http://%C3%89.com\u00e9",), "http://%C3%89.xn--com-dma"),
        ("safe_url_string", ("http://X\u017f.%c3%A9",), "http://xs.%c3%A9"),
        ("any_to_uri", ("http://\ud800/\udcff",), "http://\ud800/\udcff"),
        ("add_or_replace_parameter", ("http://h/\ud800?b=1#\udcff", "a", "c"), "http://h/\ud800?b=1&a=c#\udcff"),
        ("url_query_parameter", ("http://\ud800/?a=1", "a"), "1"),
        ("add_http_if_no_scheme", ("\ud800/",), "http://\ud800/"),
    ],
)
def test_w3lib_takes_surrogates_and_keeps_escapes(name: str, args: tuple, answer: str):
    theirs = pytest.importorskip("w3lib.url")
    assert getattr(theirs, name)(*args) == getattr(ours, name)(*args)
    if "xn--" not in answer:
        assert getattr(ours, name)(*args) == answer


def test_w3lib_of_any_text():
    theirs = pytest.importorskip("w3lib.url")
    pieces = ["\ud800", "\udcff", "a", "\u00e9", "%c3%A9", "%zz", "[", "]", "?", "=", "&", "#", "/", ":", "h", "\u017f"]
    pieces += ["http://", "\t", " ", "@", ";", "+", "x.com", "%5b", "//"]
    calls: list[Callable] = [
        lambda m, t: m.safe_url_string(t),
        lambda m, t: m.safe_download_url(t),
        lambda m, t: m.canonicalize_url(t),
        lambda m, t: m.any_to_uri(t),
        lambda m, t: m.add_http_if_no_scheme(t),
        lambda m, t: m.url_query_parameter(t, "a"),
        lambda m, t: m.add_or_replace_parameter(t, "a", "b"),
    ]
    rng = seeded(23)
    for _ in range(draws(1500)):
        text = rng.choice(["", "http://"]) + "".join(rng.choices(pieces, k=rng.randrange(9)))
        for call in calls:
            answers = []
            for module in (ours, theirs):
                try:
                    answers.append(call(module, text))
                except ValueError:
                    answers.append(None)
            assert answers[0] == answers[1], (text, call.__code__.co_names)


def test_w3libs_short_ways_are_its_long_ways(monkeypatch: pytest.MonkeyPatch, cases: int):
    """The answers for plain links without a split equal those of the split."""
    rng = seeded(44)
    pieces = [*"abé?=&#/:+;,~-\\ ", "a=1", "%61", "%", "%zz", "%C3%A9", "%FF", "&&", "=", "b=%20", "\t"]
    heads = [
        "http://h",
        "https://h.example/",
        "http://h/p?",
        "file:///",
        "file:///a/",
        "http",
        "HTTP://h/?",
        "http://h?",
    ]
    calls: list[Callable] = [
        lambda t, a, b: ours.url_query_parameter(t, a, "none", separator=b),
        lambda t, a, b: ours.url_query_parameter(t, a, None, True),
        lambda t, a, b: ours.add_or_replace_parameter(t, a, b),
        lambda t, a, b: ours.add_or_replace_parameters(t, {a: b, "b": "2", "~": ""}, separator=b),
        lambda t, a, b: ours.add_or_replace_parameters(t, {}),
        lambda t, a, b: ours.file_uri_to_path(t),
    ]

    def answers(asked: list[tuple]) -> list[object]:
        found: list[object] = []
        for call, *given in asked:
            try:
                found.append(call(*given))
            except (ValueError, OSError) as error:  # OSError: url2pathname, since CPython 3.14, of another host
                found.append((type(error), str(error)))
        return found

    asked = []
    for _ in range(cases * 5):
        text, name, value = ("".join(rng.choices(pieces, k=rng.randrange(most))) for most in (10, 3, 3))
        asked.append((rng.choice(calls), rng.choice(heads) + text, name, value if rng.randrange(3) else "&"))
    short = answers(asked)
    assert [ours.is_url(text) for _, text, *_ in asked] == [
        text.partition("://")[0] in ("file", "http", "https") for _, text, *_ in asked
    ]
    monkeypatch.setattr(ours, "parameter_of", lambda *given: ...)
    monkeypatch.setattr(ours, "with_parameters", lambda *given: None)
    monkeypatch.setattr(ours, "plain_file_path", lambda *given: None)
    for case, found, wanted in zip(asked, short, answers(asked), strict=True):
        assert found == wanted, case


@pytest.mark.parametrize(
    "text",
    ["http", "https", "file", "files", "http:", "http:/", "http://", "httpss://", "ftp://", "", "\udcff", "http://é"],
)
def test_is_url(text: str):
    assert ours.is_url(text) == (text.partition("://")[0] in ("file", "http", "https"))


def test_url_query_cleaner_is_w3libs():
    theirs = pytest.importorskip("w3lib.url")
    rng = seeded(12)
    for _ in range(draws(2000)):
        text = "".join(
            rng.choices(["a", "b", "c=", "&", "&", ";", "=", "?", "#", "%61", "é", "\ud800"], k=rng.randrange(14))
        )
        names = rng.choice(["a", "", ["a"], ("b", "c"), {"a", "b"}, [*"abcdefghij"], []])
        options = {name: rng.random() < 0.5 for name in ("remove", "unique", "keep_fragments")}
        options |= rng.choice([{}, {"sep": ";"}, {"kvsep": "%"}, {"sep": "&&"}])
        got = ours.url_query_cleaner(text, names, **options)
        assert got == theirs.url_query_cleaner(text, names, **options), (text, names, options)
    text = "http://h/?a=1"
    assert ours.url_query_cleaner(text, ["a"]) is text


def test_names_of_one_hash_take_no_longer():
    """Names made for one place in a table hashed by FNV-1a, and names that differ only at their ends."""
    state, blocks = 0x811C9DC5, []
    for _ in range(14):
        seen: dict[int, str] = {}
        for block in map("".join, product("abcdefghijklmnopqrstuvwxyz0123456789", repeat=3)):
            end = state
            for octet in block.encode():
                end = (end ^ octet) * 0x01000193 & 0x3FFFF
            if end in seen:
                break
            seen[end] = block
        blocks.append((seen[end], block))
        state = end
    ends = [a + b for a, b in product(map(chr, range(64, 127)), repeat=2)]
    for names in (["".join(parts) for parts in product(*blocks)], [f"a{k}abcd{end}" for k in range(4) for end in ends]):
        fields = [f"{name}=1" for name in names]
        assert len(set(names)) == len(names)

        def seconds(share: int, fields: list[str] = fields) -> float:
            url = "http://h/?" + "&".join(fields[: len(fields) // share])
            assert ours.url_query_cleaner(url, ["x"], remove=True) == url
            return least_seconds(lambda: ours.url_query_cleaner(url, ["x"], remove=True), 3)

        assert at_last(lambda work=seconds: (long := work(1)) < 0.02 or long < 20 * max(work(8), 0.001))


def test_w3lib_refusals():
    for function in (ours.safe_url_string, ours.canonicalize_url):
        with pytest.raises(ValueError, match="Invalid IPv6 URL"):
            function("http://[x]/")
        with pytest.raises(ParseError, match="port-invalid"):
            function("http://h:x/")
    for wrong in ("data", "data:", "x:a", "data:;base32,a", "text:,"):
        with pytest.raises(ValueError):
            ours.parse_data_uri(wrong)
    with pytest.raises(TypeError):
        ours.url_query_parameter(None, "a")  # type: ignore[arg-type]


def test_path_to_file_uri(tmp_path):
    uri = ours.path_to_file_uri(tmp_path / "a b")
    assert uri.startswith("file:///") and uri.endswith("/a%20b")
    assert ours.file_uri_to_path(uri) == str(tmp_path / "a b")
    assert ours.any_to_uri(str(tmp_path / "a b")) == uri


def test_all_of_w3libs_public_names_are_here():
    theirs = pytest.importorskip("w3lib.url")
    assert set(theirs.__all__) <= set(ours.__all__)
    assert all(hasattr(ours, name) for name in ("parse_url", "parse_qsl_to_bytes", "ParseDataURIResult"))
    for name in ("GEN_DELIMS", "SUB_DELIMS", "RESERVED", "UNRESERVED", "USERINFO_SAFE_CHARS"):
        assert sorted(getattr(ours, f"RFC3986_{name}")) == sorted(getattr(theirs, f"RFC3986_{name}"))


# --- surt ---


def test_surt_with_its_options(peers_rows: Callable[[str], list[dict]]):
    for row in peers_rows("surt"):
        try:
            got = our_surt.surt(row["input"], **row["options"])
        except ValueError:
            got = None
        assert got == row["expected"], row


def test_surt():
    assert our_surt.surt(None) == "-" and our_surt.surt("") == "-" and our_surt.surt(b"") == b"-"
    assert our_surt.surt(b"http://www.h.org/\xe9") == b"org,h)/%e9"
    assert our_surt.surt("http://h:80/", port_strip_default=False) == "h:80)/"
    with pytest.raises(TypeError):
        our_surt.surt("http://h/", public_suffix=True)


@pytest.mark.parametrize(
    ("url", "key"),
    [
        *(
            ("http://www.h.com/A?b", "h.com/a?b"),
            ("mailto:a@b", "mailto:a@b"),
            ("dns:h", "dns:h"),
            ("foo:/b", "foo:/b"),
        ),
        *(("http://h:81/#f", "h:81/"), ("ftp://[::1]", "::1/"), ("", "-"), ("filedesc:x", "filedesc:x")),
    ],
)
def test_surt_without_surts_form(url: str, key: str):
    assert our_surt.surt(url, surt=False) == our_surt.surt(url, surt=False, with_scheme=False) == key
    assert our_surt.surt(url.encode(), surt=False) == key.encode()
    assert pytest.importorskip("surt").surt(url, surt=False) == key


@pytest.mark.parametrize(
    ("url", "keys"),
    [  # path_strip_empty; query_strip_empty=False; both
        ("http://h", ("h)", "h)/", "h)")),
        ("http://h/? ", ("h)", "h)/?", "h)?")),
        ("http://h/?a", ("h)/?a", "h)/?a", "h)/?a")),
        ("http://h/x/?", ("h)/x", "h)/x?", "h)/x?")),
        ("http://h#a?", ("h)", "h)/?", "h)?")),
        ("http://h/?#", ("h)", "h)/", "h)")),
        ("http://h/%3f", ("h)/?", "h)/?", "h)/?")),
        ("http://h/?sid=0123456789abcdef0123456789abcdef", ("h)", "h)/?", "h)/?")),
        ("mailto:?", ("mailto:", "mailto:?", "mailto:?")),
        ("mailto:?a", ("mailto:/?a",) * 3),
        ("filedesc?", ("filedesc?",) * 3),
        ("", ("-",) * 3),
    ],
)
def test_surts_empty_parts(url: str, keys: tuple[str, ...]):
    both = {"path_strip_empty": True, "query_strip_empty": False}
    for options, key in zip(({"path_strip_empty": True}, {"query_strip_empty": False}, both), keys, strict=True):
        assert our_surt.surt(url, **options) == key
        assert our_surt.surt(url.encode(), **options) == key.encode()
        assert pytest.importorskip("surt").surt(url, **options) == key


def test_surts_canonicalizers():
    pytest.importorskip("surt")
    from surt import IAURLCanonicalizer, surt  # type: ignore[import-not-found, unused-ignore]

    def as_it_is(hurl: object, **options: bool) -> object:
        return hurl

    for canonicalizer in (as_it_is, IAURLCanonicalizer, [as_it_is, IAURLCanonicalizer]):
        for options in ({}, {"with_scheme": True}, {"surt": False, "host_massage": False}):
            for url in ("http://www.h.org/A?b&a", b"http://www.h.org/A?b&a", "", "filedesc:x", None):
                assert our_surt.surt(url, canonicalizer, **options) == surt(url, canonicalizer, **options)


# --- install ---


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    """A stand-in for w3lib.url, and a module that imported a function from it."""
    theirs = types.ModuleType("w3lib.url")
    for name in [*ours.__all__, "parse_url", "parse_qsl_to_bytes"]:
        setattr(theirs, name, lambda *args: "theirs")
    user = types.ModuleType("user_of_w3lib")
    user.safe = theirs.safe_url_string  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "w3lib", types.ModuleType("w3lib"))
    monkeypatch.setitem(sys.modules, "w3lib.url", theirs)
    monkeypatch.setitem(sys.modules, "user_of_w3lib", user)
    return theirs


def test_install_and_uninstall(library: types.ModuleType):
    user = sys.modules["user_of_w3lib"]
    assert install("w3lib", report=True) == ["user_of_w3lib.safe"]
    assert library.safe_url_string is ours.safe_url_string and user.safe("http://h/ ") == "theirs"
    assert install("w3lib") == []
    assert install("w3lib", patch=True) == ["user_of_w3lib.safe"]
    assert user.safe is ours.safe_url_string
    uninstall("w3lib")
    assert library.safe_url_string("x") == user.safe("x") == "theirs"
    uninstall("w3lib")


def test_install_as_a_context(library: types.ModuleType):
    with install("w3lib"):
        with install("w3lib"):
            pass
        assert library.canonicalize_url is ours.canonicalize_url
    assert library.canonicalize_url("x") == "theirs"


def test_what_cannot_be_installed(monkeypatch: pytest.MonkeyPatch):
    for call in (install, uninstall):
        with pytest.raises(ValueError, match=r"'urllib\.parse', 'w3lib', 'surt', 'protego'"):
            call("requests")
    monkeypatch.setitem(sys.modules, "w3lib.url", None)
    with pytest.raises(ModuleNotFoundError):
        install("w3lib")


def test_scrapy_answers_the_same():
    pytest.importorskip("scrapy")
    from scrapy import Request
    from scrapy.http import HtmlResponse
    from scrapy.linkextractors import LinkExtractor
    from scrapy.utils.request import RequestFingerprinter

    def found() -> list[tuple[str, bytes]]:
        requests = [Request(link.url) for link in LinkExtractor(canonicalize=True).extract_links(page)]
        return [(request.url, RequestFingerprinter().fingerprint(request)) for request in requests]

    hrefs = [
        "/a?b&a#c",
        "../x y",
        "//other.example/%7e;p?q=%20+",
        "http://é.example/é?é",
        "?z=1&z=0",
        "mailto:a@b",
        "#top",
    ]
    body = "".join(f'<a href="{href}">x</a>' for href in hrefs)
    page = HtmlResponse("http://www.example.org/a/b", body=body.encode(), encoding="utf-8")
    plain = found()
    assert len(plain) > 4
    with install("w3lib", patch=True) as installation:
        assert any(name.startswith("scrapy.") for name in installation)
        assert found() == plain
    assert found() == plain


def test_path_to_file_uri_of_a_text_is_that_of_its_path():
    rng = seeded(8089)
    pieces = [
        "/",
        "/",
        "/a",
        "b.c",
        ".",
        "..",
        "/.x",
        "//",
        " ",
        "%",
        "é",
        "\n",
        "~",
        "\\",
        "\x7f",
        "\0",
        "-",
        "+",
        "/a/",
    ]
    for _ in range(draws(10_000)):
        path = "".join(rng.choices(pieces, k=rng.randrange(6)))
        assert ours.path_to_file_uri(path) == ours.path_to_file_uri(pathlib.PurePath(path)), ascii(path)
