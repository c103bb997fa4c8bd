"""RFC 3987: IRIs in the dialect "rfc3987", and their conversion to URIs and back."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given
from support.generate import any_text
from support.iris import draw_iri

import urlsm
from urlsm import equivalent, iri_to_uri, normalize, resolve, split, unsplit, uri_to_iri, validate
from urlsm.domains import IDNAError


def found(text, dialect="rfc3987"):
    return [(one.code, one.component, one.position, one.severity) for one in validate(text, dialect=dialect)]


# --- the grammar (section 2.2), and the rules of schemes ---


@pytest.mark.parametrize(
    "text",
    [
        "http://bücher.example/straße?é=\ue000#é",  # iprivate in the query
        "http://résumé.example.org",  # examples of sections 1.3, 3.1 and 5.3
        "http://example.com/\U00010300\U00010301\U00010302",
        "http://www.example.org/red%09rosé#red",
        "mailto:user@example.org?subject=résumé",
        "urn:example:straße",
        "//é/é",
        "é",
        "",
    ],
)
def test_a_valid_iri(text):
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "code", "component", "position"),
    [
        ("http://h/\ue000", "character-not-allowed", "path", 9),
        ("http://h/é#\ue000", "character-not-allowed", "fragment", 11),
        ("http://\ue000/", "character-not-allowed", "host", 7),
        ("http://h/é\ufffe", "character-not-allowed", "path", 10),
        ("http://h/é\x80", "character-not-allowed", "path", 10),
        ("http://h/é é", "character-not-allowed", "path", 10),
        ("http://é<b/", "host-invalid", "host", 8),
        ("http://h/é%g", "bad-percent-escape", "path", 10),
        ("http://h/é\ud800", "character-not-allowed", "path", 10),
        ("http://h/é\u200e", "bidi-formatting-character", "path", 10),
        ("http://h/?é\u202eé", "bidi-formatting-character", "query", 11),
        ("http://h:é/", "port-invalid", "port", 9),
        ("é:b", "character-not-allowed", "scheme", 0),
        ("tel:+1é", "character-not-allowed", "path", 6),  # a rule of the scheme
        ("http:///é", "host-missing", "host", 7),
    ],
)
def test_an_invalid_iri(text, code, component, position):
    assert (code, component, position, "error") in found(text)
    with pytest.raises(urlsm.SchemeError):
        urlsm.parts(text, dialect="rfc3987")  # a reference has no scheme


def test_positions_count_bytes_if_the_iri_is_bytes():
    assert [one.position for one in validate("http://h/é é".encode(), dialect="rfc3987")] == [11]
    assert [one.position for one in validate(b"http://h/\xc3\xa9\xff", dialect="rfc3987")] == [11]
    assert validate("http://h/é".encode(), dialect="rfc3987") == []


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        ("http://ab.CDEFGH.ij/".replace("CDEFGH", "אבג"), []),  # the examples of section 4.4, in Hebrew
        ("http://אבג.דה/וז?ח=ט#י", []),
        ("http://אבa.example/", [7]),
        ("http://h/אב1", [9]),  # it has to end with a character from right to left
        ("http://h/1אב", [9]),
        ("http://h/א1ב/אa", [13]),
        ("http://h/?a=א&aא=b", [14]),
        ("http://h/אָ", []),  # a mark at the end
        ("http://uא:p@h/#aא", [7, 15]),
        ("http://h/%D7%90", []),
    ],
)
def test_mixed_directions_are_a_warning(text, starts):
    warnings = [one for one in validate(text, dialect="rfc3987") if one.code == "bidi-component"]
    assert [one.position for one in warnings] == starts
    assert all(one.severity == "warning" and one.reference == "RFC 3987 section 4.2" for one in warnings)


def test_what_the_grammar_allows_breaks_no_rule_of_it():
    """An unknown scheme has no rules of its own; a port may not be greater than 65535."""
    rng = random.Random(46)
    for _ in range(5_000):
        text, _, oracle = draw_iri(rng)
        if ":99999" in text:
            continue
        text = re.sub("^[aZ][a0+.-]*:", "zz:", text)
        wrong = [one for one in validate(text, dialect="rfc3987") if one.severity == "error"]
        assert wrong == [] and oracle(text, True), ascii(text)
        assert [one for one in validate(iri_to_uri(text)) if one.severity == "error"] == [], ascii(text)


@given(any_text())
def test_an_iri_in_ascii_is_a_uri(text):
    if text.isascii():
        assert validate(text, dialect="rfc3987") == validate(text)
        assert normalize(text, dialect="rfc3987") == normalize(text)
    c = split(text, dialect="rfc3987")
    assert unsplit(c) == text and c.replace(fragment=None).dialect == "rfc3987"
    assert [getattr(c, name) for name in urlsm.URL.__match_args__] == [
        getattr(split(text, dialect="rfc3986"), name) for name in urlsm.URL.__match_args__
    ]


def test_references_are_resolved_as_in_rfc_3986():
    assert resolve("../é?x", base="http://bücher.example/a/b/ç", dialect="rfc3987") == "http://bücher.example/a/é?x"
    assert resolve("http:é", base="http://h/a", dialect="rfc3987", strict=False) == "http://h/é"
    assert urlsm.resolve_many(["é", "#ü"], base="http://h/a", dialect="rfc3987") == ["http://h/é", "http://h/a#ü"]


# --- normalisation and comparison (section 5) ---


def test_the_steps_of_normalisation():
    # 5.3.2.1 case, 5.3.2.3 escapes, 5.3.2.4 segments, 5.3.3 the scheme
    assert normalize("HTTP://Ré.Example:80/%7eme/../%c3%a9/é", dialect="rfc3987") == "http://ré.example/%C3%A9/é"
    # 5.3.2.2 only on request
    assert normalize("http://h/re\u0301", dialect="rfc3987") == "http://h/re\u0301"
    assert normalize("http://h/re\u0301", dialect="rfc3987", unicode_form="NFC") == "http://h/r\xe9"


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("http://h/é", "http://h/%C3%A9", True),
        ("http://h/é", "http://h/%c3%a9", True),
        ("http://bücher.example/", "http://xn--bcher-kva.example", True),
        ("http://bücher.example/", "http://b%C3%BCcher.example", False),  # programs differ on the host
        ("ftp://bücher.example/", "ftp://b%C3%BCcher.example/", True),
        ("http://h/r\xe9", "http://h/re\u0301", False),
        ("http://h/é", "http://h/É", False),
        ("zz://h/é", "zz://h/%C3%A9", True),
    ],
)
def test_equivalence(a, b, same):
    assert equivalent(a, b, dialect="rfc3987") is same is equivalent(b, a, dialect="rfc3987")


def test_equivalence_of_composed_characters():
    assert equivalent("http://h/r\xe9", "http://h/re\u0301", dialect="rfc3987", unicode_form="NFC")


@pytest.mark.parametrize(
    "call", [lambda **how: normalize("http://h/", **how), lambda **how: equivalent("a", "b", **how)]
)
def test_a_unicode_form_needs_the_dialect(call):
    with pytest.raises(ValueError, match="unicode_form needs the dialect 'rfc3987', not 'rfc3986'"):
        call(unicode_form="NFC")
    with pytest.raises(ValueError, match="unicode_form must be None or 'NFC', not 'NFKC'"):
        call(dialect="rfc3987", unicode_form="NFKC")


def test_parts_of_an_iri():
    parts = urlsm.parts("http://bücher.example/straße?q=é", dialect="rfc3987")
    assert (parts.host, parts.path, parts.segments, parts.query) == ("bücher.example", "/straße", ("straße",), "q=é")
    assert urlsm.parts("mailto:é@ex.com", "mailto", dialect="rfc3987").recipients == ("é@ex.com",)


# --- to a URI (3.1) ---


@pytest.mark.parametrize(
    ("iri", "uri", "with_idna"),
    [
        ("http://résumé.example.org", "http://r%C3%A9sum%C3%A9.example.org", "http://xn--rsum-bpad.example.org"),
        ("http://www.example.org/red%09rosé#red", "http://www.example.org/red%09ros%C3%A9#red", None),
        ("http://example.com/\U00010300\U00010301", "http://example.com/%F0%90%8C%80%F0%90%8C%81", None),
        ("http://r%C3%A9sum%C3%A9.example.org/é", "http://r%C3%A9sum%C3%A9.example.org/%C3%A9",
         "http://xn--rsum-bpad.example.org/%C3%A9"),
        ("http://u:é@é:80/", "http://u:%C3%A9@%C3%A9:80/", "http://u:%C3%A9@xn--9ca:80/"),
        ("ftp://é/", "ftp://%C3%A9/", "ftp://xn--9ca/"),
        ("zz://é/", "zz://%C3%A9/", None),  # nobody knows whether it is a domain
        ("s3://é/", "s3://%C3%A9/", None),  # a bucket
        ("mailto:é@é", "mailto:%C3%A9@%C3%A9", None),
        ('a b"<>\\^`{|}', "a%20b%22%3C%3E%5C%5E%60%7B%7C%7D", None),
        ("?\ue000", "?%EE%80%80", None),
        ("http://Ex.com/A%c3#[", "http://Ex.com/A%c3#[", None),
    ],
)  # fmt: skip
def test_to_a_uri(iri, uri, with_idna):
    assert iri_to_uri(iri) == uri
    assert iri_to_uri(iri, idna=True) == (with_idna or uri)


@pytest.mark.parametrize("iri", ["a\n", "\x00", "a\x7f", "\x80", "\ufffe", "\ud800", "\U000e0001"])
def test_what_has_no_uri(iri):
    with pytest.raises(urlsm.SchemeError) as caught:
        iri_to_uri(iri)
    assert caught.value.code == "character-not-allowed" and caught.value.position == len(iri) - 1


def test_a_host_that_is_no_domain():
    with pytest.raises(IDNAError):
        iri_to_uri("http://a\u200db/", idna=True)
    assert iri_to_uri("http://a\u200db/") == "http://a%E2%80%8Db/"


# --- back (3.2) ---


@pytest.mark.parametrize(
    ("uri", "iri"),
    [
        ("http://www.example.org/D%C3%BCrst", "http://www.example.org/Dürst"),  # the RFC's examples
        ("http://www.example.org/D%FCrst", "http://www.example.org/D%FCrst"),
        ("http://xn--99zt52a.example.org/%e2%80%ae", "http://xn--99zt52a.example.org/%e2%80%ae"),
        ("/%7Eme/%41%2f%20%25", "/~me/A%2f%20%25"),
        ("/%C3%A9%C3%A9%FF%C3%A9", "/éé%FFé"),
        ("/%C3", "/%C3"),
        ("/%ED%A0%80", "/%ED%A0%80"),
        ("/%C0%AF", "/%C0%AF"),
        ("/%F0%9F%98%80", "/\U0001f600"),
        ("?%EE%80%80", "?%EE%80%80"),  # private use
        ("/%C2%A0%E3%80%80%E2%80%A8", "/%C2%A0%E3%80%80%E2%80%A8"),  # like spaces
        ("/%EF%BC%A1%EF%BD%B1", "/%EF%BC%A1%EF%BD%B1"),  # full-width Latin, half-width Katakana
        ("/e%CC%81", "/e%CC%81"),  # NFC would make one character of two
        ("/%D7%90%D6%B8", "/אָ"),
        ("/a%CC%A1%CC%81", "/a%CC%A1%CC%81"),
        ("/%%341", "/%%341"),
        ("/%C3%A9%g", "/%C3%A9%g"),
    ],
)
def test_to_an_iri(uri, iri):
    assert uri_to_iri(uri) == iri


def test_a_domain_in_an_iri():
    assert uri_to_iri("HTTP://XN--bcher-kva.example/%C3%A9", idna=True) == "HTTP://bücher.example/é"
    assert uri_to_iri("http://xn--99zt52a.example.org/", idna=True) == "http://納豆.example.org/"
    for uri in ("http://xn--x/", "zz://xn--bcher-kva/", "http://xn--/", "xn--bcher-kva"):
        assert uri_to_iri(uri, idna=True) == uri


@given(any_text())
def test_an_iri_becomes_the_same_uri(text):
    try:
        uri = iri_to_uri(text)
    except ValueError:
        return
    iri = uri_to_iri(uri)
    assert uri.isascii() and uri_to_iri(iri) == iri
    again = iri_to_uri(iri)

    def one_case(uri):
        return re.sub("%[0-9a-fA-F]{2}", lambda escape: escape[0].upper(), uri)

    unreserved = {f"%{ord(c):02X}": c for c in "-._~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"}
    decoded = re.sub("%[0-9A-F]{2}", lambda escape: unreserved.get(escape[0], escape[0]), one_case(uri))
    assert one_case(again) in (one_case(uri), decoded)
    errors = [one for one in validate(text, dialect="rfc3987") if one.severity == "error"]
    assert errors or not [one for one in validate(iri, dialect="rfc3987") if one.severity == "error"]
