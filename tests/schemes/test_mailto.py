"""mailto: addresses and header fields (RFC 6068), and the RFC 822 address that it was (RFC 1738 section 3.5)."""

from __future__ import annotations

import pytest
from support.checks import broken, check_normal_form

import urlsm
from urlsm.schemes.mail.mailto import MailtoParts

MAILTO = urlsm.handler("mailto")


def warnings(text: str) -> list[tuple[str, int]]:
    return [(v.code, v.position) for v in urlsm.validate(text, dialect="rfc3986") if v.severity == "warning"]


@pytest.mark.parametrize(
    ("address", "fault"),
    [
        # the examples of sections 6.1 and 6.2
        ("Mike%26family@example.org", None),
        ("%22not%40me%22@example.org", None),
        ("%22not@me%22@example.org", None),
        ("%22\\\\%22@e", 3),  # "\" is not a character of a URL
        # dot-atom-text, quoted-string
        ("a.b.c@d", None),
        ("a%7Cb@d", None),
        ("joe", 3),
        (".a@d", 0),
        ("a..b@d", 2),
        ("a.@d", 2),
        ("a@d.", 4),
        ("a@.d", 2),
        ("a%40b@c", 5),
        ("%22a%22.b@c", 7),  # obs-local-part
        ("%22a%20b%22@c", 4),  # rule 3: no white space
        ("%22a%5C%20b%22@c", None),  # but quoted
        ("%22a@c", 6),
        ("%22a,b%22@c", 4),  # a bare comma separates addresses
        ("%22a%2Cb%22@c", None),
        ("%22a:b%22@c", None),
        ("a(comment)@c", 1),
        # domain
        ("a@%5BIPv6:::1%5D", None),
        ("a@%5B1%5D2", 9),
        ("a@%5B1", 6),
        ("a@%5B%5B1%5D%5D", 5),
        # UTF-8 only
        ("%C3%A9@%C3%A9.example", None),
        ("%C3%A9%FF@x", 6),
        ("a@%E9", 2),
        # what must be escaped
        ("a;b@c", 1),
        ("a=b@c", 1),
        ("a/b@c", 1),
        ("a%00b@c", 1),
    ],
)
def test_addresses(address, fault):
    for before in ("", "x@y,"):
        found = [position - len("mailto:" + before) for _, position in broken(f"mailto:{before}{address}")]
        assert found == [] if fault is None else fault in found


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("mailto:", []),
        ("mailto:a@b,", [("mailto-address-invalid", 11)]),
        ("mailto:a@b,,c@d", [("mailto-address-invalid", 11)]),
        ("mailto:a@b?x=1&y=2", []),
        ("mailto:a@b?", [("parameter-name-missing", 11), ("parameter-value-missing", 11)]),
        ("mailto:a@b?x=1&", [("parameter-name-missing", 15), ("parameter-value-missing", 15)]),
        ("mailto:a@b?=1", [("parameter-name-missing", 11)]),
        ("mailto:a@b?x&y=", [("parameter-value-missing", 12)]),
        ("mailto:a@b?x=a=b", [("character-not-allowed", 14)]),
        # a name is that of a header field
        ("mailto:a@b?X%2FY=1", []),
        ("mailto:a@b?X:Y=1", [("character-not-allowed", 12)]),
        ("mailto:a@b?X%3AY=1", [("character-not-allowed", 12)]),
        ("mailto:a@b?X%C3%A9%20=1", [("character-not-allowed", 12)]),
        # line breaks
        ("mailto:a@b?subject=%0A%0D", [("mailto-header-injection", 19)]),
        ("mailto:a@b?subject=1%0a2%0D3", [("mailto-header-injection", 20), ("mailto-header-injection", 24)]),
        ("mailto:a@b?BODY=1%0d%0a2", []),
        ("mailto:a@b?body=1%0D%0D%0A2%0A", [("mailto-body-line-break", 17), ("mailto-body-line-break", 27)]),
        ("mailto:a@b?body%0D=", [("mailto-header-injection", 15)]),
        ("mailto:a@b,c%0Ad@e", [("mailto-header-injection", 12)]),
        ("mailto:a@b?subject=%00", [("nul-encoded", 19)]),
        ("mailto:a@b?subject=%zz", [("bad-percent-escape", 19)]),
        ("mailto://a@b", [("authority-not-allowed", 7)]),
    ],
)
def test_rules(text, wanted):
    assert broken(text) == wanted


@pytest.mark.parametrize(
    "name", ["From", "sender", "REPLY-TO", "Date", "Resent-To", "Received", "Content-Type", "%46rom"]
)
def test_fields_that_a_client_must_ignore(name):
    assert warnings(f"mailto:a@b?x=1&{name}=1") == [("mailto-header-unsafe", 15)]


def test_warnings():
    for name in ("subject", "keywords", "in-reply-to", "cc", "fromage", "x-content-type"):
        assert warnings(f"mailto:a@b?{name}=1") == []
    assert warnings("mailto:a@b?to=1&TO=2&t%6F=3") == [("parameter-duplicate", 16), ("parameter-duplicate", 21)]
    assert warnings("mailto:a@b#") == [("fragment-ignored", 10)]


@pytest.mark.parametrize(
    ("address", "fault"),
    [
        ("", ("mailto-address-missing", 7)),
        ("joe@example.com?subject=a/b", None),
        ("//x@y", None),
        ("%22a%20b%22.c@d", None),  # local-part = word *("." word)
        ("a@%5B1%5D.b", None),
        ("a@b.", ("mailto-address-invalid", 11)),
        ("a@b.%5B", ("mailto-address-invalid", 14)),
        ("a.%22b@c", ("mailto-address-invalid", 15)),
        ("a,b@c", ("mailto-address-invalid", 8)),
        ("%C3%A9@c", ("mailto-address-invalid", 7)),
        ("a%20b@c", ("mailto-address-invalid", 8)),
        ("a~@c", ("character-not-allowed", 8)),
        ("a@b#", ("fragment-not-allowed", 10)),
    ],
)
def test_the_address_of_rfc_1738(address, fault):
    assert broken(f"mailto:{address}", "rfc1738") == ([] if fault is None else [fault])


def test_parts_under_rfc_1738_are_one_address():
    assert urlsm.parts("mailto:%22a,b%22@c?d=e", dialect="rfc1738") == MailtoParts(('"a,b"@c?d=e',), ())


# --- parts ---


@pytest.mark.parametrize(
    ("link", "parts"),
    [
        ("mailto:", MailtoParts()),
        ("mailto:a@b,,c@d,?", MailtoParts(("a@b", "c@d"))),
        ("mailto:a@b?subject=x y&&amp;body=é", MailtoParts(("a@b",), (("subject", "x y"), ("amp;body", "é")))),
        ("mailto:a@b?Subject&X=%FF+", MailtoParts(("a@b",), (("subject", ""), ("x", "\udcff+")))),
        ("mailto:Joe <joe@b>", MailtoParts(("Joe <joe@b>",))),
        ("mailto://joe@example.com?cc=x@y", MailtoParts(("joe@example.com",), (("cc", "x@y"),))),
        ("mailto:a@b?body=%0A%zz", MailtoParts(("a@b",), (("body", "\n%zz"),))),
    ],
)
def test_parts_of_real_links(link, parts):
    assert urlsm.parse(link).parts == parts


def test_what_the_header_fields_say():
    parts = urlsm.parts(
        "mailto:a@b?TO=c@d,%20%22e%2Cf%22%20%3Ce@f%3E&cc=g@h&Cc=i@j,&subject=S&subject=T&body=x%0D%0Ay&bcc=,"
    )
    assert parts.recipients == ("a@b", "c@d", '"e,f" <e@f>')
    assert parts.cc == ("g@h", "i@j") and parts.bcc == ()
    assert (parts.subject, parts.body) == ("S", "x\r\ny")
    assert parts.header("SUBJECT") == "S" and parts.header("keywords") is None
    assert urlsm.parts("mailto:a@b").body is None
    assert MailtoParts(headers=(("cc", 'a,"b,c\\",d'),)).cc == ("a", '"b,c\\",d')


# --- normal form, equivalence ---


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("MAILTO:%6aoe@Example.com?SUBJECT=%c3%a9%2c", "mailto:joe@example.com?subject=%C3%A9%2C"),
        ("mailto:%22a%2cb%22@c?X%2fY=Z", "mailto:%22a%2Cb%22@c?x%2Fy=Z"),
        ("mailto:a@b?body", "mailto:a@b?body"),
        ("mailto:..@b/../c?", "mailto:..@b/../c?"),
    ],
)
def test_normal_forms(text, normal):
    check_normal_form(text, normal)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        # section 2
        ("mailto:addr1@an.example,addr2@an.example", "mailto:?to=addr1@an.example,addr2@an.example", True),
        ("mailto:addr1@an.example,addr2@an.example", "mailto:addr1@an.example?to=addr2@an.example", True),
        ("mailto:a@b?To=c@d&cc=e@f", "mailto:?cc=e@f&to=a@b,c@d", True),
        ("mailto:a@b?subject=x", "mailto:a@b?SUBJECT=%78#y", True),
        ("mailto:%22a@b%22@c", "mailto:%22a%40b%22@c", True),
        ("mailto:a@b,c@d", "mailto:c@d,a@b", False),
        ("mailto:%22a%2Cb%22@c", "mailto:%22a,b%22@c", False),
        ("mailto:a@b?subject=x", "mailto:a@b?subject=X", False),
        ("mailto:a@b?subject=1&subject=2", "mailto:a@b?subject=2&subject=1", False),
        ("mailto:a@b", "mailto:A@b", False),
        ("mailto:a@b?cc=c@d", "mailto:a@b,c@d", False),
        ("mailto://a@b", "mailto:a@b", False),
    ],
)
def test_equivalence(one, other, same):
    assert urlsm.equivalent(one, other) is same is urlsm.equivalent(other, one)


# --- build ---


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"recipients": "joe@example.com"}, "mailto:joe@example.com"),
        ({"recipients": ["a@b", "bill+ietf@example.org"]}, "mailto:a@b,bill+ietf@example.org"),
        ({"recipients": ['"not@me"@example.org']}, "mailto:%22not%40me%22@example.org"),
        ({"recipients": ['"a,b/c?"@d']}, "mailto:%22a%2Cb%2Fc%3F%22@d"),
        ({"recipients": "jörg@bücher.example"}, "mailto:j%C3%B6rg@b%C3%BCcher.example"),
        ({"recipients": "user@[192.0.2.1]"}, "mailto:user@%5B192.0.2.1%5D"),
        ({"recipients": "//x@y"}, "mailto:%2F%2Fx@y"),
        ({"subject": "1 + 1 = 2 & more?"}, "mailto:?subject=1%20%2B%201%20%3D%202%20%26%20more%3F"),
        ({"body": "a\nb\r\nc\rd\n\n"}, "mailto:?body=a%0D%0Ab%0D%0Ac%0D%0Ad%0D%0A%0D%0A"),
        ({"body": "\udcff%0A\u2028"}, "mailto:?body=%FF%250A%E2%80%A8"),
        ({"headers": {"In-Reply-To": "<1@a>"}, "cc": "c@d"}, "mailto:?In-Reply-To=%3C1@a%3E&cc=c@d"),
        ({"headers": [("body", "a\r\nb")], "cc": ["c@d", "e@f"]}, "mailto:?body=a%0D%0Ab&cc=c@d,e@f"),
        ({"bcc": "x@y", "subject": "", "cc": ()}, "mailto:?bcc=x@y&subject="),
        ({"recipients": "a@b", "fragment": "x"}, "mailto:a@b#x"),
        ({}, "mailto:"),
    ],
)
def test_build(given, text):
    assert MAILTO.build(**given) == text


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"recipients": "joe"}, "mailto-address-invalid"),
        ({"recipients": "a@b,c@d"}, "mailto-address-invalid"),
        ({"recipients": ["a@b", ""]}, "mailto-address-invalid"),
        ({"recipients": "Joe <joe@b>"}, "mailto-address-invalid"),
        ({"recipients": "\udcff@b"}, "mailto-address-invalid"),
        ({"recipients": "a@b\r\nBcc: x@y"}, "mailto-header-injection"),
        ({"recipients": "a\0@b"}, "nul-encoded"),
        ({"subject": "x\nBcc: x@y"}, "mailto-header-injection"),
        ({"cc": "a@b\r"}, "mailto-header-injection"),
        ({"headers": [("x\r\ny", "z")]}, "mailto-header-injection"),
        ({"headers": [("x: y\tz", "")]}, "character-not-allowed"),
        ({"headers": [("", "z")]}, "parameter-name-missing"),
        ({"headers": [("x", None)]}, "parameter-value-missing"),
        ({"headers": [("body", "a\nb")]}, "mailto-body-line-break"),  # headers are taken as they are
        ({"body": "\0"}, "nul-encoded"),
        ({"recipients": "a@b", "fragment": "x y"}, "character-not-allowed"),
    ],
)
def test_build_refuses(given, code):
    with pytest.raises(urlsm.SchemeError) as caught:
        MAILTO.build(**given)
    assert caught.value.code == code


def test_a_message_is_built_back():
    text = MAILTO.build(recipients=["a@b"], subject="Grüße", body="Zeile 1\nZeile 2", bcc="x@y")
    parts = urlsm.parse(text).parts
    assert (parts.recipients, parts.subject, parts.body) == (("a@b",), "Grüße", "Zeile 1\r\nZeile 2")
    assert MAILTO.build(**parts) == text
    with pytest.raises(TypeError, match="MailtoParts has no field 'to'"):
        MAILTO.build(to="a@b")


@pytest.mark.parametrize("name", ["recipients", "cc", "bcc"])
@pytest.mark.parametrize("addresses", [b"j@e.c", [b"j@e.c"], ["j@e.c", None]])
def test_build_takes_addresses_as_str(name, addresses):
    with pytest.raises(TypeError, match=f"{name} must be addresses of type str"):
        MAILTO.build(**{name: addresses})


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("mailto:j@e.c?subjec%41=%G0", "mailto:j@e.c?subjeca=%G0"),
        ("mailto:j@e.c?%53%c3%89=%G0", "mailto:j@e.c?s%C3%89=%G0"),
    ],
)
def test_normal_form_of_names_beside_a_bad_escape(text, normal):
    assert urlsm.normalize(text) == normal == urlsm.normalize(normal)


def test_a_fragment_means_nothing():
    assert urlsm.equivalent("sip:a@b#c", "sip:a@b")
    assert urlsm.equivalent("mailto:a@b#c", "mailto:a@b#d")
