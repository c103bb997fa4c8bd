"""Named violations: each is provoked, is at the right place, and its message has no password."""

from __future__ import annotations

import pathlib
import pickle
import re
import runpy

import pytest
from hypothesis import given as given_any
from support import standard
from support.generate import any_text, random_case
from support.seeds import seeded

from urlsm import ParseError, Violation, parse, validate
from urlsm.errors.rules import TABLE

GENERATOR = pathlib.Path(__file__).parents[2] / "tools" / "tables.py"

# code -> (input, base, position); the position of the first violation of that name
ERRORS = {
    "domain-to-ASCII": [
        ("http://a_b/", None, 7),
        ("http://xn--a/", None, 7),
        ("http://é_é/", None, 7),
        ("http://-a-/", None, 7),
    ],
    "domain-percent-encoded": [("http://exam%70le.org/", None, 11), ("http://%C3%A9/", None, 7)],
    "IPv4-empty-part": [("http://127.0.0.1./", None, 16)],
    "IPv4-too-few-parts": [("http://1.2.3/", None, 12), ("http://0x/", None, 9)],
    "IPv4-non-decimal-part": [("http://127.0.0x0.1/", None, 13), ("http://01.2.3.4/", None, 7)],
    "IPv4-out-of-range-part": [("http://1.2.256/", None, 11)],
    "IPv4-non-ASCII-input": [("http://①.②.③.④/", None, 7)],
    "IPv6-piece-leading-zero": [("http://[::01]/", None, 10), ("http://[1::2:0003]/", None, 13)],
    "invalid-URL-unit": [
        ("http://h/>", None, 9),
        ("http://h/a%s", None, 10),
        ("http://h/?a\\", None, 11),
        ("http://h/#\ufdd0", None, 10),
        ("foo:a b", None, 5),
        ("foo://a%z/", None, 7),
        ("foo://é\x80/", None, 7),
        (" http://h", None, 0),
        ("http://h ", None, 8),
        ("ht\ntp://h", None, 2),
    ],
    "special-scheme-missing-following-solidus": [
        ("https:example.org", None, 6),
        ("file:c:/my-secret-folder", None, 5),
        ("https:foo.html", "https://example.org/", 6),
        ("http:///h", None, 7),
        ("http:\\\\h", None, 5),
    ],
    "invalid-reverse-solidus": [
        ("https://h\\path\\to", None, 9),
        ("\\x", "https://h", 0),
        ("/\\x", "https://h", 1),
        ("file:\\a", None, 5),
        ("file:/\\a", None, 6),
        ("http://h/a\\b", None, 10),
    ],
    "invalid-credentials": [("https://user@example.org", None, 12), ("ssh://user@example.org", None, 10)],
    "file-invalid-Windows-drive-letter": [("C|/x", "file:///a", 0), ("file:c:/", "file:///a", 5)],
    "file-invalid-Windows-drive-letter-host": [("file://c:", None, 7), ("//C|/x", "file:///", 2)],
}
FATAL = {
    "domain-to-ASCII": [
        ("https://exa%23mple.org", None, 8),
        ("http://a b/", None, 8),
        ("http://é\u00ad.^/", None, 7),
        ("http://u:p@h<x/", None, 12),
        ("http://%/", None, 7),
    ],
    "host-invalid-code-point": [("foo://exa[mple.org", None, 9), ("foo://a b", None, 7), ("foo://u@a|", None, 9)],
    "IPv4-too-many-parts": [("https://1.2.3.4.5/", None, 16)],
    "IPv4-non-numeric-part": [("https://test.42", None, 8), ("http://1..2/", None, 9), ("http://1.08/", None, 9)],
    "IPv4-out-of-range-part": [
        ("https://255.255.4000.1", None, 16),
        ("http://1.2.65536/", None, 11),
        ("http://4294967296", None, 7),
    ],
    "IPv6-unclosed": [("https://[::1", None, 12), ("https://[::1/x", None, 12)],
    "IPv6-invalid-compression": [("https://[:1]", None, 9)],
    "IPv6-too-many-pieces": [("https://[1:2:3:4:5:6:7:8:9]", None, 25)],
    "IPv6-multiple-compression": [("https://[1::1::1]", None, 14)],
    "IPv6-invalid-code-point": [
        ("https://[1:2:3!:4]", None, 14),
        ("https://[1:2:3:]", None, 15),
        ("https://[12345::]", None, 13),
    ],
    "IPv6-too-few-pieces": [("https://[1:2:3]", None, 14)],
    "IPv4-in-IPv6-too-many-pieces": [("https://[1:1:1:1:1:1:1:127.0.0.1]", None, 23)],
    "IPv4-in-IPv6-invalid-code-point": [
        ("https://[ffff::.0.0.1]", None, 15),
        ("https://[ffff::127.0.xyz.1]", None, 21),
        ("https://[ffff::127.0xyz]", None, 20),
        ("https://[ffff::127.00.0.1]", None, 20),
        ("https://[ffff::127.0.0.1.2]", None, 24),
    ],
    "IPv4-in-IPv6-out-of-range-part": [("https://[ffff::127.0.0.4000]", None, 25)],
    "IPv4-in-IPv6-too-few-parts": [("https://[ffff::127.0.0]", None, 22)],
    "missing-scheme-non-relative-URL": [
        ("💩", None, 0),
        ("💩", "mailto:user@example.org", 0),
        ("", None, 0),
        ("  //h", None, 2),
    ],
    "host-missing": [
        ("https://#fragment", None, 8),
        ("https://:443", None, 8),
        ("https://user:pass@", None, 18),
        ("foo://:80", None, 6),
        ("foo://u@/x", None, 8),
    ],
    "port-out-of-range": [("https://example.org:70000", None, 20), ("foo://h:65536/", None, 8)],
    "port-invalid": [("https://example.org:7z", None, 21), ("http://h:80:1", None, 11), ("http://h:-1", None, 9)],
}
CASES = [(code, *case) for code, cases in FATAL.items() for case in cases]
IDS = [f"{code}-{k}" for code, cases in FATAL.items() for k in range(len(cases))]


def refusal(text: str | bytes, base: str | None = None, **options) -> ParseError:
    with pytest.raises(ParseError) as caught:
        parse(text, base=base, **options)
    return caught.value


# --- the table ---


def test_every_name_is_provoked_here():
    """Of the parser's rows; tests/schemes/test_codes.py has the handlers'."""
    ours = [rule.code for rule in TABLE][: [rule.code for rule in TABLE].index("scheme-not-read") + 1]
    assert {*ERRORS, *FATAL, "too-long", "scheme-not-read"} == set(ours)  # tests/crawler provokes the last one


def test_names_are_there_once_and_rows_are_complete():
    assert len({rule.code for rule in TABLE}) == len(TABLE)
    for rule in TABLE:
        assert rule.message[0] == rule.message[0].strip() and not rule.message.endswith(".") and rule.reference


def test_the_enum_of_codes_has_the_order_of_the_table():
    if not GENERATOR.exists():
        pytest.skip(f"no {GENERATOR}: not the repository")
    text = runpy.run_path(str(GENERATOR))["codes"]()
    names = [rule.code.upper().replace("-", "_") for rule in TABLE]
    numbered = re.findall(r"^    ([A-Z][A-Z0-9_]+)$", text, re.MULTILINE)
    assert names[1 : len(numbered) + 1] == numbered and numbered[-1] == "SCHEME_NOT_READ"


def test_the_standards_names_are_in_the_standards_order():
    """ "#validation-error", first to last."""
    names = [rule.code for rule in TABLE if "url.spec.whatwg.org" in rule.reference]
    groups = [
        "domain",
        "host-invalid",
        "IPv4-e",
        "IPv4-too-few",
        "IPv4-too-many",
        "IPv4-non-n",
        "IPv4-non-d",
        "IPv4-out",
        "IPv4-non-A",
    ]
    groups += [
        "IPv6-unclosed",
        "IPv6-invalid-comp",
        "IPv6-too-many",
        "IPv6-multiple",
        "IPv6-invalid-code",
        "IPv6-too-few",
        "IPv6-piece",
    ]
    groups += [
        "IPv4-in-IPv6-too-many",
        "IPv4-in-IPv6-invalid",
        "IPv4-in-IPv6-out",
        "IPv4-in-IPv6-too-few",
        "invalid-URL",
        "special-",
        "missing-",
    ]
    groups += [
        "invalid-rev",
        "invalid-cred",
        "host-missing",
        "port-out",
        "port-inv",
        "file-invalid-Windows-drive-letter",
        "file-",
    ]
    places = [next(k for k, name in enumerate(names) if name.startswith(group)) for group in groups]
    assert places == sorted(places) and len(names) == 32 - 1


# --- fatal ones ---


@pytest.mark.parametrize(("code", "text", "base", "position"), CASES, ids=IDS)
def test_parse_refuses_and_says_why_and_where(code, text, base, position):
    error = refusal(text, base)
    assert (error.code, error.position) == (code, position)
    assert error.url == text and error.state.endswith("state")
    assert error.reference.startswith("https://url.spec.whatwg.org/#")
    assert isinstance(error, ValueError)


@pytest.mark.parametrize(("code", "text", "base", "position"), CASES, ids=IDS)
def test_validate_reports_the_same_as_its_only_fatal_violation(code, text, base, position):
    fatal = [violation for violation in validate(text, dialect="whatwg", base=base) if violation.severity == "fatal"]
    assert [(violation.code, violation.position) for violation in fatal] == [(code, position)]


@pytest.mark.parametrize(("code", "text", "base", "position"), CASES, ids=IDS)
def test_position_counts_what_was_given(code, text, base, position):
    """Characters of str, bytes of bytes; leading spaces, removed tabs and characters beyond ASCII count."""
    for lead in ("", "  ", "\x00\t "):
        error = refusal(lead + text, base)
        assert (error.code, error.position) == (code, len(lead) + position)
    octets = text.encode()
    wanted = len(text[:position].encode())
    assert refusal(octets, base).position == wanted
    assert refusal(b" \n" + octets, base).position == wanted + 2
    if text[:2] == "ht" and position > 2:
        assert refusal(f"h\tt{text[2:]}", base).position == position + 1
        assert refusal(f"h\tt\r\n{octets[2:].decode()}".encode(), base).position == wanted + 3


def test_position_after_characters_beyond_ascii():
    text = "http://é:ü💩@日本:8x/"
    assert refusal(text).position == text.index("x")
    assert refusal(text.encode()).position == text.encode().index(b"x")
    assert refusal("http://\ud800@h:x").position == 11
    assert refusal(b"http://\xff\xfe@h:x").position == 12
    assert refusal(b"http://\xe2\x82@h:x").position == 12


def test_too_long():
    for text, limit, position in [
        ("http://h/aaa", 11, 11),
        (b"http://h/aaa", 11, 11),
        ("http://é/aé", 10, 10),
        (" http://h", 0, 0),
    ]:
        error = refusal(text, max_length=limit)
        assert (error.code, error.position) == ("too-long", position)
        assert str(error)
        assert parse(text, max_length=len(text)) == parse(text)
    assert refusal("http://é/", max_length=8).code == "too-long" and parse("http://é/", max_length=9)


# --- errors that are not fatal ---


@pytest.mark.parametrize(
    ("code", "text", "base", "position"),
    [(code, *case) for code, cases in ERRORS.items() for case in cases],
    ids=[f"{code}-{k}" for code, cases in ERRORS.items() for k in range(len(cases))],
)
def test_validate_names_the_violation_and_parse_accepts(code, text, base, position):
    parse(text, base=base)
    found = [violation for violation in validate(text, dialect="whatwg", base=base) if violation.code == code]
    assert found, validate(text, dialect="whatwg", base=base)
    assert found[0].position == position
    for violation in found:
        assert isinstance(violation, Violation)
        assert violation.severity == "error" and violation.reference.startswith("https://") and violation.message
        names = {
            "scheme",
            "username",
            "password",
            "userinfo",
            "host",
            "port",
            "path",
            "query",
            "fragment",
            "authority",
            "url",
        }
        assert violation.component in names


@pytest.mark.parametrize(
    "text",
    [
        "https://example.org/",
        "http://[::1]:8/a/b?c=d#e",
        "foo:bar",
        "foo://h/%C3%A9",
        "file:///C:/x",
        "mailto:a@b",
        "http://127.0.0.1/",
    ],
)
def test_a_valid_text_breaks_no_rule(text):
    assert validate(text, dialect="whatwg") == []
    assert validate(text.encode(), dialect="whatwg") == validate(parse(text), dialect="whatwg") == []


def test_violations_are_in_the_order_of_the_text():
    found = validate(" http://u@a_b\\c\\^\n?\\#`", dialect="whatwg")
    assert [v.position for v in found] == sorted(v.position for v in found)
    assert [v.code for v in found].count("invalid-reverse-solidus") == 2


def test_a_drive_letter_in_the_place_of_a_host_breaks_one_rule():
    """ "buffer is not reset here and instead used in the path state": its "|" is not looked at again."""
    code = "file-invalid-Windows-drive-letter-host"
    assert [(v.code, v.position) for v in validate("file://c|/a|", dialect="whatwg")] == [
        (code, 7),
        ("invalid-URL-unit", 11),
    ]
    assert [v.code for v in validate("//C|\\x", dialect="whatwg", base="file:///")] == [
        *("invalid-reverse-solidus", code, "invalid-reverse-solidus")[1:]
    ]


@pytest.mark.parametrize("seed", range(4))
def test_validate_reports_what_the_transcribed_standard_reports(seed, cases):
    """By name. One liberty: the machine has read the path and the rest before the host parser reads the host, so what
    they break is reported besides a fatal host."""
    rng = seeded(seed)
    for _ in range(cases // 20):
        text, base = random_case(rng)
        errors: list[str] = []
        try:
            standard.parse(text, None if base is None else standard.parse(base), errors)
        except standard.Failure as failure:
            try:
                fatal = [v.code for v in validate(text, dialect="whatwg", base=base) if v.severity == "fatal"]
            except ParseError:
                continue  # the base failed
            assert fatal == [failure.code], (text, base)
            continue
        found = {v.code for v in validate(text, dialect="whatwg", base=base)}
        assert found == set(errors), (text, base)


def test_validate_of_other_arguments():
    with pytest.raises(ValueError, match="whatwg"):
        validate("http://h", dialect="no-such-dialect")
    with pytest.raises(ParseError):
        validate("x", dialect="whatwg", base="no base")
    with pytest.raises(TypeError):
        validate(None, dialect="whatwg")


# --- messages ---


def caret(message: str) -> tuple[str, str]:
    """The shown text's character over the caret, and all of the shown text."""
    shown, mark = message.split("\n")[-2:]
    assert mark.strip() == "^"
    return shown[mark.index("^") : mark.index("^") + 1], shown.strip()


@pytest.mark.parametrize(
    ("text", "under"),
    [
        ("http://h:8x/", "x"),
        ("http://é日:8x/", "x"),
        ("http://a b^/", " "),
        ("  http://a<b", "<"),
        ("http://h\t:8\nx", "x"),
        ("http://user:secret@h:8x/", "x"),
        ("http://u:é@h:8x", "x"),
        ("http://" + "a" * 200 + ":8x/", "x"),
        ("http://" + "a" * 200 + ":8x/" + "b" * 200, "x"),
        ("http://a\x00b/", "\\"),
        ("http://\ud800\x1b@h:8x", "x"),
        ("http://h:", None),
        ("https://", ""),
    ],
)
def test_the_caret_stands_under_the_character(text, under):
    if under is None:
        return
    for given in (text, text.encode("utf-8", "surrogatepass")):
        message = str(refusal(given))
        assert caret(message)[0] == under
        assert "secret" not in message


@given_any(any_text())
def test_any_refusal_can_be_shown(text):
    for given_text in (text, text.encode("utf-8", "surrogatepass")):
        try:
            parse(given_text)
        except ParseError as error:
            message = str(error)
            assert error.code in message and error.state in message
            shown = caret(message)[1]
            assert len(shown) <= 80 * 10 + 2  # 80 characters, before a control is escaped
            assert message.replace("\n", "").isprintable()
            assert len(message.split("\n")) == 3
            assert error.code in repr(error) and repr(error).isprintable()


def test_at_most_eighty_characters_are_shown():
    for before in (0, 10, 39, 40, 41, 200, 5000):
        for after in (0, 10, 39, 40, 41, 200, 5000):
            shown = caret(str(refusal("http://" + "a" * before + "^" + "b" * after)))[1]
            assert len(shown) <= 82 and "a" * min(before, 30) in shown and "b" * min(after, 30) in shown


SECRET = "sEcReT"


@pytest.mark.parametrize(
    "text",
    [
        "http://u:{}@h:x",
        "http://u:{}@a b",
        "http://:{}@[::",
        "http://u:a@{}@h:x",
        "http:u:{}@h:x",
        "http:/u:{}@h:x",
        "http:\\\\u:{}@h:x",
        "http:////u:{}@h:x",
        "foo://u:{}@h h",
        " http://u:{}@h:x ",
        "ht\ttp://u:{}@h:x",
        "http://u\t:{}\n@h:x",
        "//u:{}@h:x",
        "\\\\u:{}@h:x",
        "http://u:é{}@h:x",
        "http://u:{}@",
        "http://u:{}@:80",
        "HTTP://u:{}@1.2.3.4.5/",
        "http://u:{}%@h^h/",
    ],
)
def test_no_password_in_str_repr_or_args(text):
    for base in (None, "http://h/"):
        for given in (text.format(SECRET), text.format(SECRET).encode()):
            try:
                parse(given, base=base)
            except ParseError as error:
                assert SECRET not in str(error), str(error)
                assert SECRET not in repr(error)
                assert SECRET not in str(error.args)
                assert SECRET[1:] not in str(error)
                assert error.url == given


def test_a_parse_error_survives_pickling():
    for error in (refusal("http://h\t:8x"), refusal(b"http://h\xff:8x"), refusal("http://h", max_length=3)):
        thawed = pickle.loads(pickle.dumps(error))
        assert type(thawed) is ParseError and str(thawed) == str(error)
        assert (thawed.code, thawed.position, thawed.state, thawed.url) == (
            error.code,
            error.position,
            error.state,
            error.url,
        )


def test_an_error_of_the_base_is_about_the_base():
    error = refusal("x", "http://a b/")
    assert error.url == "http://a b/" and error.code == "domain-to-ASCII" and error.position == 8
