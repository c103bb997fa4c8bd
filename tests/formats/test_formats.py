"""The formats of JSON Schema: their grammars, the violations, and the validators that take them."""

from __future__ import annotations

import copy
import json
import pickle
import random
from typing import Annotated

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import suites
from support.generate import any_text
from support.iris import draw_iri
from support.times import at_last, least_seconds

import urlsm
from urlsm import formats
from urlsm.formats import FORMATS, Format, check, install

SUITE = "JSON-Schema-Test-Suite"
DRAFTS = ("draft4", "draft6", "draft7", "draft2019-09", "draft2020-12")

# (format, in it, not in it)
CASES = [
    ("uri", ["http://h", "a:", "a+b.c-1:x?y#z", "http://u:p@h:99999999/", "x://[v1.a:b]/", "x://[::1]:/", "urn:a:b%20"],
     ["", "/a", "1a:", "a_b:", ":x", "://h", "http://[::1", "http://[::1]x", "http://[1::g]", "http://[v.a]",
      "http://[vg.a]", "http://[v1.]", "http://h:8a/", "http://a:1:2/", "http://h/%", "http://h/%0", "http://h/%0g",
      "http://h/a b", "http://h/é", "http://h/[", "http://h/#a#b", "http://h/?a`", "http://h\n", "http://a@b@c/"]),
    ("uri-reference", ["", "a", "/a:b", "./a:b", "//h", "?a", "#a", "a/b:c", "//u@h:1/a"],
     ["a b", "1a:b", ":a", "//[", "%", "\\", "é", "a#b#c"]),
    ("iri", ["http://é/é?\ue000#é", "x:\U00010000", "x:\ud7ff\uf900", "http://[::1]/é", "x:?\U000f0000\U0010fffd"],
     ["é", "/é", "x:\ue000", "x:#\ue000", "x:\ufdd0", "x:\ufffe", "x:\U0001fffe", "x:\U000e0001", "x:\x80", "x:\x9f",
      "x:\ud800", "http://\ue000/", "x:\u200e", "x:a\u202eb", "é://h"]),
    ("iri-reference", ["é", "/é", "?\uf8ff", "é/a:b"], ["é:b", "\ue000", "\\é", "/\u200f", "\udc80"]),
    ("uri-template", ["", "a'b", "{a}", "{+a,b:3,c*}", "{a.b_c%20}", "é\ue000{%41}", "{v:9999}", "a%41b", "{&a*,b}"],
     ["{", "}", "{}", "{a", "a}", "{a b}", "{a,}", "{,a}", "{a..b}", "{.a.}", "{a:0}", "{a:01}", "{a:10000}", "{a:}",
      "{a:1*}", "{a*:1}", "{!a}", "{=a}", "{a-b}", "{%4}", "%", "a b", '"', "a\x7f", "\ufdd0", "{{a}}"]),
    ("hostname", ["a", "a-b.c1", "1", "a." + "b" * 63, "xn--bcher-kva.example", "r3---sn-x.example", "XN--BCHER-KVA"],
     ["", ".", "a.", ".a", "a..b", "-a", "a-", "a_b", "a" * 64, "a." * 126 + "aa", "é", "xn--x", "xn--"]),
    ("idn-hostname", ["a", "bücher.example", "ßς་〇", "a。b", "xn--bcher-kva", "faß.de", "a1.\u05d0", "0a.é",
                      "é1.\u05d01"],
     ["0a.\u05d0", "\u05d0.1", "xn--4db.0a.b", "0é.\u05d0", "\u05d0a",
      "", ".", "。", "a.", "a。", "☃.example", "Ä", "a\u200db", "xn--x", "-é", "é-", "aé--b", "é" * 64, "\ud800"]),
    ("ipv4", ["0.0.0.0", "255.255.255.255", "127.0.0.1"],
     ["", "1", "1.2.3", "1.2.3.4.5", "1.2.3.", ".1.2.3", "256.1.1.1", "01.1.1.1", "1.1.1.00", "1.1.1.1 ", "1.1.1.a",
      "1.1.1.1000", "१.1.1.1", "1..1.1"]),
    ("ipv6", ["::", "::1", "1::", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7::", "::2:3:4:5:6:7:8", "::ffff:1.2.3.4", "A::F",
              "1111:2222:3333:4444:5555:6666:255.255.255.255"],
     ["", ":", "1", ":::", "1::2::3", "12345::", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:8::", "::1.2.3",
      "::1.2.3.256", "::01.2.3.4", "fe80::1%eth0", "[::1]", "::1 ", "g::", "1:2:3:4:5:6:7:1.2.3.4", "0" * 46]),
    ("json-pointer", ["", "/", "/a", "//", "/~0~1", "/é\ud800", "/%"], ["a", "#", "/~", "/~2", "/~0~", "~0"]),
    ("relative-json-pointer", ["0", "1", "120/a", "0#", "0/~1", "0+1/a", "1-10"],
     ["", "/a", "01", "-1", "+1", "0##", "0#a", "00#", "0a", "1~", "0+", "0+01", "1+1#", "１"]),
]  # fmt: skip
IN = [(name, text) for name, valid, _ in CASES for text in valid]
OUT = [(name, text) for name, _, invalid in CASES for text in invalid]


@pytest.mark.parametrize(("name", "text"), IN)
def test_a_text_is_in_the_format(name, text):
    assert FORMATS[name](text) is True and check(text, name) is None


@pytest.mark.parametrize(("name", "text"), OUT)
def test_a_text_is_not_in_the_format(name, text):
    assert FORMATS[name](text) is False
    found = check(text, name)
    assert found.severity == "error" and found.code and found.message and found.reference
    assert 0 <= found.position <= len(text)


def vectors():
    top = suites.folder(SUITE, "json-schema-test-suite")
    if top is None:
        return
    for draft in DRAFTS:
        for name in FORMATS:
            path = top / "tests" / draft / "optional/format" / f"{name}.json"
            if path.is_file():
                for group in json.loads(path.read_text(encoding="utf-8")):
                    yield from ((draft, name, one["data"], one["valid"], one["description"]) for one in group["tests"])


def test_the_vectors_of_json_schema():
    rows = list(vectors())
    if not rows:
        suites.absent(SUITE, "tests/suites has none", "public, but no commit is pinned")
    assert len(rows) > 1000
    wrong = [row for row in rows if isinstance(row[2], str) and FORMATS[row[1]](row[2]) is not row[3]]
    assert wrong == []
    checker = pytest.importorskip("jsonschema").FormatChecker()
    install(checker)
    assert [row for row in rows if checker.conforms(row[2], row[1]) is not row[3]] == []


# --- a violation is where the grammar stops ---


@pytest.mark.parametrize(
    ("name", "text", "code", "position", "component"),
    [
        ("uri", "http://h/a b", "character-not-allowed", 10, "path"),
        ("uri", "/a", "missing-scheme-non-relative-URL", 0, "scheme"),
        ("uri", "1a://h/", "character-not-allowed", 0, "scheme"),
        ("uri", "a_b://h/", "character-not-allowed", 1, "scheme"),
        ("uri", "http://h/%g", "bad-percent-escape", 9, "path"),
        ("uri", "http://h:8a/", "port-invalid", 10, "port"),
        ("uri", "http://u<@h/", "character-not-allowed", 8, "userinfo"),
        ("uri", "http://a<b/", "host-invalid", 8, "host"),
        ("uri", "http://[::g]/", "ip-literal-invalid", 7, "host"),
        ("uri", "http://h/?a#b#c", "character-not-allowed", 13, "fragment"),
        ("uri-reference", "a:b:c", None, None, None),
        ("uri-reference", ":b", "character-not-allowed", 0, "path"),
        ("iri", "http://é/\ue000", "character-not-allowed", 9, "path"),
        ("iri", "http://é/é\u202eé", "bidi-formatting-character", 10, "path"),
        ("iri-reference", "é?é\\", "character-not-allowed", 3, "query"),
        ("uri-template", "é{a}{", "expression-not-closed", 4, "url"),
        ("uri-template", "é{a b}", "variable-invalid", 3, "url"),
        ("hostname", "ab.c_d", "hostname-invalid", 4, "host"),
        ("hostname", "ab.xn--x", "hostname-invalid", 3, "host"),
        ("idn-hostname", "☃", "idn-hostname-invalid", 0, "host"),
        ("idn-hostname", "é.ab.☃.c", "idn-hostname-invalid", 5, "host"),
        ("idn-hostname", "é.0a.\u05d0.1", "idn-hostname-invalid", 2, "host"),
        ("ipv4", "1.2.300.4", "ipv4-invalid", 4, "host"),
        ("ipv6", "g::", "ipv6-invalid", 0, "host"),
        ("json-pointer", "/é~2", "json-pointer-invalid", 2, "url"),
        ("relative-json-pointer", "0/~2", "relative-json-pointer-invalid", 2, "url"),
    ],
)
def test_a_violation_says_what_and_where(name, text, code, position, component):
    found = check(text, name)
    assert (found and found.code, found and found.position, found and found.component) == (code, position, component)


@given(any_text(), st.sampled_from(sorted(FORMATS)))
def test_check_agrees_with_the_function(text, name):
    found = check(text, name)
    assert (found is None) == FORMATS[name](text)
    assert found is None or 0 <= found.position <= len(text)


@given(any_text())
def test_a_uri_is_an_iri_and_either_is_a_reference(text):
    if formats.is_uri(text):
        assert formats.is_iri(text) and formats.is_uri_reference(text)
    if formats.is_iri(text) or formats.is_uri_reference(text):
        assert formats.is_iri_reference(text)
    if text.isascii():
        assert formats.is_iri_reference(text) == formats.is_uri_reference(text)


def test_the_grammar_of_rfc_3987():
    """Texts that the ABNF generates, and the same with one character changed, which a regular expression made from
    the ABNF judges too."""
    rng = random.Random(45)
    for _ in range(20_000):
        text, is_reference, oracle = draw_iri(rng)
        assert formats.is_iri_reference(text) and formats.is_iri(text) != is_reference, ascii(text)
        at = rng.randrange(len(text) + 1)
        changed = text[:at] + rng.choice("%:/?#[]@ \\é\ue000\u202e\ufffe\x80`\n") + text[at + rng.randrange(2) :]
        assert formats.is_iri_reference(changed) == oracle(changed, True), ascii(changed)
        assert formats.is_iri(changed) == oracle(changed, False), ascii(changed)
        is_ascii = changed.isascii()
        assert formats.is_uri(changed) == (is_ascii and oracle(changed, False)), ascii(changed)


# --- arguments ---


@pytest.mark.parametrize("given_", [b"http://h/", 1, None, urlsm.parse("http://h/")])
def test_only_a_str_is_judged(given_):
    for judge in FORMATS.values():
        with pytest.raises(TypeError, match="expected str"):
            judge(given_)
    with pytest.raises(TypeError, match="expected str"):
        check(given_, "uri")


def test_a_subclass_of_str_is_its_text():
    class Text(str):
        def encode(self, *_):
            raise AssertionError

    assert formats.is_iri(Text("http://é/")) and not formats.is_ipv4(Text("é"))


@pytest.mark.parametrize(
    "call",
    [
        *(lambda: check("a", "url"), lambda: check("a", ["uri"]), lambda: Format("url"), lambda: Format([])),
        lambda: install(None, formats=["x"]),
    ],
)
def test_an_unknown_format_is_refused(call):
    with pytest.raises(ValueError, match="format must be one of uri, uri-reference"):
        call()


# --- validators ---


class Checker:
    """What `install` needs of jsonschema.FormatChecker."""

    def __init__(self):
        self.found = {}

    def checks(self, name):
        return lambda judge: self.found.__setitem__(name, judge)


def test_install_adds_what_was_asked_for():
    checker = Checker()
    assert install(checker) is checker and list(checker.found) == list(FORMATS)
    assert all(judge(12) is True and judge(None) is True for judge in checker.found.values())
    assert checker.found["uri"]("http://h/") is True and checker.found["uri"]("x") is False
    checker = install(Checker(), formats=["iri"])
    assert list(checker.found) == ["iri"]
    with pytest.raises(TypeError, match="iterable of names"):
        install(checker, formats="iri")
    with pytest.raises(ValueError, match="not 'url'"):
        install(checker, formats=iter(["uri", "url"]))
    assert list(checker.found) == ["iri"], "all or none"


def test_fastjsonschema_takes_the_functions():
    fastjsonschema = pytest.importorskip("fastjsonschema")
    validate = fastjsonschema.compile({"type": "string", "format": "iri"}, formats=FORMATS)
    assert validate("http://é/") == "http://é/"
    with pytest.raises(fastjsonschema.JsonSchemaException):
        validate("é")


def test_pydantic_takes_a_format():
    pydantic = pytest.importorskip("pydantic")
    adapter = pydantic.TypeAdapter(Annotated[str, Format("uri-template")])
    assert adapter.validate_python("/{a}") == "/{a}"
    assert adapter.json_schema() == {"type": "string", "format": "uri-template"}
    with pytest.raises(pydantic.ValidationError) as caught:
        adapter.validate_python("/{a}}")
    [error] = caught.value.errors()
    assert error["type"] == "expression-not-opened" and error["ctx"]["position"] == 4
    assert error["msg"] == 'uri-template: "}" without "{" before it'
    adapter = pydantic.TypeAdapter(Annotated[str | None, Format("uri")])
    assert adapter.validate_python(None) is None and adapter.validate_python("x:") == "x:"
    for given_ in ("x", 1):
        with pytest.raises(pydantic.ValidationError):
            adapter.validate_python(given_)


def test_a_format_is_a_value():
    one = Format("iri")
    assert one == Format("iri") != Format("uri") and hash(one) == hash(Format("iri")) and repr(one) == "Format('iri')"
    assert pickle.loads(pickle.dumps(one)) == copy.deepcopy(one) == one
    for change in (lambda: setattr(one, "name", "uri"), lambda: delattr(one, "name")):
        with pytest.raises(AttributeError, match="immutable"):
            change()
    with pytest.raises(TypeError, match="immutable"):
        one.__init__("uri")
    assert one.name == "iri"


# --- time ---

HOSTILE = {
    "uri": ["http://h/" + "%41", "a", "x:" + "/", "http://" + "@", "http://" + ":", "[", "http://" + "["],
    "iri": ["x:é", "x:" + "é%", "\u202e"],
    "uri-template": ["{a", "{a}", "{a.", "{a,", "%41", "é", "{a:1"],
    "hostname": ["a.", "xn--a.", "-"],
    "idn-hostname": ["é", "é.", "\u0628\u200c", "xn--a"],
    "ipv6": ["1:", "::"],
    "json-pointer": ["/~0", "~"],
    "relative-json-pointer": ["1", "0/~1"],
}


@pytest.mark.slow(5)
@pytest.mark.parametrize(("name", "unit"), [(name, unit) for name, units in HOSTILE.items() for unit in units])
def test_time_grows_linearly(name, unit):
    short, long = unit * 10_000, unit * 160_000
    judge = FORMATS[name]
    assert at_last(lambda: least_seconds(lambda: judge(long), 3) < 0.001 + 64 * least_seconds(lambda: judge(short), 3))
