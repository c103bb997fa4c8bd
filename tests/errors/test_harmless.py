"""The proofs that nothing in a text is secret (errors/harmless.pxd, url/value.pyx), compared with the long way."""

from __future__ import annotations

import re
import unicodedata

import pytest
from support.seeds import seeded

import urlsm
from urlsm.errors.masking import cut, masked_part, secret_spans
from urlsm.errors.secret_names import BESIDE, NAMES, SECRETS
from urlsm.unicode.idna import to_unicode
from urlsm.url.display import is_safe_label
from urlsm.url.masked import masked, spans_in
from urlsm.url.telemetry import otel_attributes

PIECES = (
    *(
        "/",
        "/",
        "//",
        ":",
        ":",
        "@",
        "@",
        "?",
        "#",
        "&",
        ";",
        "=",
        "%",
        "\\",
        "[",
        "]",
        "(",
        ",",
        "'",
        '"',
        " ",
        "{",
        ".",
    ),
    *(
        "http:",
        "https://",
        "http://h/",
        "https://h/a/",
        "foo:",
        "file:///",
        "sip:",
        "mailto:",
        "jdbc:",
        "oci:",
        "thin:",
    ),
    *(
        "x",
        "u",
        "a/b",
        "2",
        "h:80",
        "http",
        "https",
        "password",
        "pass",
        "word",
        "user[password]",
        "_token",
        "access",
        "sig",
    ),
    *("ghp_x", "gh", "p_", "glpat-x", "npm_" + "x" * 16, "a2" * 20, "0123456789abcdef" * 2 + "01234567"),
    *("%40", "%3A", "%3a", "%2F", "%2f", "%5C", "%25", "%3D", "%26", "%5F", "%2D", "%70", "%20", "%09", "%5B", "%00"),
    *("%2540", "%253A", "%252F", "%25", "%%", "%4", "%3", "0", "34", "é", "\u212a", "\t", "\n"),
)
WIDE = (
    *("%C3%A9", "%c3%9f", "%E6%97%A5", "%F0%9F%92%A9", "%E2%80%AE", "%CC%81", "%E0%A5%8B", "%C2%A0", "%E3%80%80"),
    *(
        "%C3",
        "%A9",
        "%E6%97",
        "%ED%A0%80",
        "%F4%90%80%80",
        "%C0%80",
        "%FF",
        "%E2%82%AC",
        "%D9%A1",
        "%EF%BB%BF",
        "%c",
        "%C",
    ),
)


STARTS = ("", "", "http://h/", "https://h.example/a?b", "foo:", "//h/", "https://ghp_x@", "http:", "foo://h@")


def made(draw, pieces, most=9):
    return "".join(draw.choices(pieces, k=draw.randrange(1, most)))


def test_what_is_harmless_is_not_masked(many):
    """The masking removes a tab at the end; the check passes no text with one. With a name of the caller, the masking
    looks at each name."""
    draw, passed = seeded(61), 0
    for _ in range(many):
        text = draw.choice(STARTS) + made(draw, PIECES)
        if not secret_spans(text):
            passed += "@" in text or "%40" in text
            assert secret_spans(text, {"~"}) == [] == secret_spans(text + "\t"), text
        if not secret_spans(text, {"x"}):
            assert secret_spans(text + "\t", {"x"}) == [], text
    assert passed > many // 100


KNOWN = sorted(
    {*NAMES, *BESIDE, *BESIDE.values(), *(name for own in SECRETS.values() for name in own if name[0] != "!")}
)
AROUND = (
    *("", "", "", "x", "my_", "a-", "$", ".", "[", "]", "[0]", "%5B", "%5D", " ", "+", "%20", "%09", "%C2%A0", "%2520"),
    *(
        "%26",
        "%3F",
        "\t",
        "\n",
        "%C3%A9",
        "é",
        "2",
        "%32",
        "%5F",
        "%2B",
        "%3B",
        "%ac",
        "%de",
        "%1",
        "%",
        "%25",
        "(",
        ",",
        "'",
    ),
)
STANDING = {"*": ("", "my", "x_", "%2D"), "_": ("_", "-", ".", "", "%5F", "%2e", "%255F"), "#": ("", "12", "%31")}


def written_name(draw, name):
    pieces = [draw.choice(STANDING.get(c, (c, c, c, c.upper()))) for c in name.lstrip("!")]
    if draw.random() < 0.2:
        k = draw.randrange(len(pieces))
        pieces[k] = "".join(f"%{ord(c):02x}" for c in pieces[k])
    return "".join(pieces)


def test_the_names_that_are_looked_for_are_those_of_the_table(many):
    """What C skips, the long way skips: each name, written in each way, among what may stand around it."""
    draw, passed = seeded(63), 0
    for _ in range(many):
        text = draw.choice(("https://h.example/?", "otpauth://totp/a?", "/p?a=1&", "see ", "pkcs11:token=a;"))
        for _ in range(draw.randrange(1, 4)):
            name = written_name(draw, draw.choice(KNOWN))
            before, behind = draw.choice(AROUND) + draw.choice(AROUND), draw.choice(AROUND)
            text += f"{before}{name}{behind}{draw.choice(('=', '=', '%3D', '%253d'))}v{draw.choice('&&;#? ')}"
        for whole in (True, False):
            spans = secret_spans(text, whole=whole)
            assert spans == secret_spans(text, {"~"}, whole=whole), text
            passed += not spans
        assert masked_part("", text) == masked_part("", text, {"~"}), text
    assert passed > many // 10


@pytest.mark.parametrize(
    "query",
    [
        *(
            "linkCode=ll1&linkId=2",
            "bibcode=1",
            "fromSignIn=1",
            "signin=1&signed_next=1",
            "sessionKeys=1",
            "page_token=1",
        ),
        *("code=1", "state=1", "code=1&states=2", "otpx=1", "tokens=1", "pass%2Dage=1", "user[keys][0]=1"),
    ],
)
def test_the_masking_is_not_asked_about_other_names(query, monkeypatch):
    monkeypatch.setattr("urlsm.errors.secrets.parameters", None)
    url = urlsm.parse(f"https://h.example/a?{query}")
    assert url.masked() == url.href == url.display()
    with pytest.raises(TypeError):
        urlsm.parse(f"https://h.example/a?{query}&password=1").masked()


INVISIBLE = "\u115f\u1160\u2800\u3164\uffa0\U0001d159"  # letters and symbols all the same


def readable_by_runs(text):
    """Return Python's decoding of each run of escapes, and of each character in it."""

    def run(found):
        written, pieces, at = found[0], [], 0
        for c in bytes.fromhex(written.replace("%", " ")).decode("utf-8", "surrogateescape"):
            end = at + 3 * len(c.encode("utf-8", "surrogateescape"))
            seen = c.isprintable() and unicodedata.category(c)[0] in "LNPS" and c not in INVISIBLE
            pieces.append(c if seen else written[at:end])
            at = end
        return "".join(pieces)

    return re.sub("(?:%[89A-Fa-f][0-9A-Fa-f])+", run, text)


def displayed(url):
    host = url.host
    if host is not None and "xn--" in host:
        labels = zip(host.split("."), to_unicode(host).split("."), strict=True)
        host = ".".join([shown if is_safe_label(shown) else label for label, shown in labels])
    shown = f"{url.scheme}:"
    if host is not None:
        shown += f"//{host}" + ("" if url.port is None else f":{url.port}")
    elif url.path.startswith("//"):
        shown += "/."
    shown += readable_by_runs(url.path)
    for delimiter, value in (("?", url.query), ("#", url.fragment)):
        shown += "" if value is None else delimiter + readable_by_runs(value)
    return cut(shown, spans_in(shown, url))


HEADS = (
    *(
        "http://h/",
        "https://h.example/a?b",
        "http://u@h/",
        "https://u:p@h:81/",
        "http://xn--bcher-kva.example/",
        "sip:",
    ),
    *(
        "http://xn--80ak6aa92e.com:8080/",
        "foo:",
        "foo:/.//a/",
        "foo://xn--a/",
        "file:///",
        "foo://:pw@h",
        "mysql://h/?",
    ),
)


def draws(number, count):
    draw = seeded(number)
    for _ in range(count):
        text = draw.choice(HEADS) + made(draw, PIECES + WIDE * 2 if draw.random() < 0.7 else WIDE)
        if url := urlsm.try_parse(text):
            yield url


def test_what_is_shown_is_as_the_long_way_shows_it(many):
    plain = 0
    for url in draws(62, many):
        shown = url.masked()
        assert shown == masked(url) == cut(url.href, spans_in(url.href, url))
        assert repr(url) == f"URL({shown!r})"
        assert url.display() == displayed(url), url.href
        assert url.otel_attributes() == otel_attributes(url) and [*url.otel_attributes()] == [*otel_attributes(url)], (
            url.href
        )
        plain += shown is url.href
    assert plain > many // 5


def test_each_character_is_displayed_as_python_calls_it():
    for first in range(0, 0x110000, 0x800):
        points = [chr(point) for point in range(max(first, 0x80), first + 0x800) if not 0xD800 <= point < 0xE000]
        url = urlsm.parse("http://h/" + "".join(points))
        assert url.display() == displayed(url)


def test_a_telemetry_without_secrets():
    found = urlsm.parse("https://h:81/a.b/c.tar.gz?x=1&design=2#f").otel_attributes()
    assert found == {
        "url.full": "https://h:81/a.b/c.tar.gz?x=1&design=2#f",
        "url.scheme": "https",
        "url.domain": "h",
        "url.port": 81,
        "url.path": "/a.b/c.tar.gz",
        "url.query": "x=1&design=2",
        "url.fragment": "f",
        "url.extension": "gz",
    }
    for path, extension in (
        ("", None),
        (".gz", None),
        ("a.", None),
        ("a%2Egz", "gz"),
        ("a.b/", None),
        ("é.%67z", "gz"),
    ):
        assert urlsm.parse(f"http://h/{path}").otel_attributes().get("url.extension") == extension
    assert urlsm.parse("foo:").otel_attributes() == {"url.full": "foo:", "url.scheme": "foo"}


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("http://h/?u=%2F%2Fghp_abc@i", "http://h/?u=%2F%2F***@i"),
        ("http://ghp_abc@h/@i", "http://***@h/@i"),
        ("http://ghp_abc@h?mail=me%40i", "http://***@h/?mail=me%40i"),
        ("http://h/?u=//ghp_abc%40i", "http://h/?u=//***%40i"),
        ("mailto:ghp%5Fabc@h", "mailto:***@h"),
        ("file:///ghp_abc@h", "file:///***@h"),
        ("http://h/http/ghp_abc@i", "http://h/http/***@i"),
        ("http://h/?x%%33d1&pass%%377ord=a", "http://h/?x%%33d1&pass%%377ord=***"),
        ("http://h/?u=http:%%32F%%32Fu:pw%%340i", "http://h/?u=http:%%32F%%32Fu:***%%340i"),
    ],
)
def test_what_escapes_hid_is_masked(given, shown):
    assert urlsm.parse(given).masked() == shown


@pytest.mark.parametrize(
    "path", ["?mail=me%40h.example", "a%40b/c", "?next=%2Fa%2Fb&mail=me%40h", "photos/1@N00/x%2540"]
)
def test_an_escaped_at_sign_that_ends_no_user_information(path):
    url = urlsm.parse(f"https://h.example/{path}")
    assert url.masked() is url.href and url.display() is url.href
