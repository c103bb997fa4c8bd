"""sip and sips by RFC 3261 section 19.1, with its own examples of comparison."""

from __future__ import annotations

import pytest
from support.checks import broken, check_normal_form

import urlsm
from urlsm.schemes.telephony.sip import SipParts

SIP = urlsm.handler("sip")


@pytest.mark.parametrize(
    ("rest", "wanted"),
    [
        # section 19.1.3, and of RFC 4475 the escaped NUL and the escaped "@"
        ("+1-212-555-1212:1234@gateway.com;user=phone", []),
        ("null-%00-null@example.com", []),
        ("sips%3Auser%40example.com@company.com;other-param=summit", []),
        ("", [("host-missing", 0)]),
        ("@h", [("username-missing", 0)]),
        (":pw@h", [("username-missing", 0)]),
        ("a:@h", []),
        ("a:p;w@h", [("character-not-allowed", 3)]),
        ("a@b@h", [("character-not-allowed", 1)]),
        ("a b@h", [("character-not-allowed", 1)]),
        ("a%@h", [("bad-percent-escape", 1)]),
        ("//a@h", [("authority-not-allowed", 0)]),
        ("%2F/a@h", []),
        # host = hostname / IPv4address / IPv6reference
        ("a@h.", []),
        ("a@1.2.3.4", []),
        ("a@[::1]:5", []),
        ("a@1.2.3", [("host-invalid", 6)]),
        ("a@h.1", [("host-invalid", 4)]),
        ("a@h..i", [("host-invalid", 4)]),
        ("a@-h", [("host-invalid", 2)]),
        ("a@h-", [("host-invalid", 3)]),
        ("a@h_i", [("host-invalid", 3)]),
        ("a@é", [("host-invalid", 2)]),
        ("a@[v1.", [("ip-literal-invalid", 2)]),
        ("a@[::1]x", [("ip-literal-invalid", 2)]),
        ("a@;x", [("host-missing", 2)]),
        # port = 1*DIGIT
        ("h:0005060", []),
        ("h:", [("port-invalid", 2)]),
        ("h:5a", [("port-invalid", 3)]),
        ("h:65536", [("port-out-of-range", 2)]),
        # uri-parameters
        ("h;lr;x=[a]", []),
        ("h;;a", [("parameter-name-missing", 2)]),
        ("h;=a", [("parameter-name-missing", 2)]),
        ("h;a=", [("parameter-value-missing", 4)]),
        ("h;a=b=c", [("character-not-allowed", 5)]),
        ("h;a;%41", [("parameter-duplicate", 4)]),
        ("h;ttl=255", []),
        ("h;ttl=256", [("sip-ttl-invalid", 6)]),
        ("h;ttl=0001", [("sip-ttl-invalid", 6)]),
        ("h;ttl", [("sip-ttl-invalid", 5)]),
        ("h;TTL=%31", []),
        # headers = "?" header *( "&" header )
        ("h?a=&b=[c]/?:+$", []),
        ("h?", [("parameter-name-missing", 2), ("parameter-value-missing", 2)]),
        ("h?a=1&", [("parameter-name-missing", 6), ("parameter-value-missing", 6)]),
        ("h?=a", [("parameter-name-missing", 2)]),
        ("h?a", [("parameter-value-missing", 3)]),
        ("h?a=b;c", [("character-not-allowed", 5)]),
        ("h?a=1%0D%0A2", [("line-break-encoded", 5)]),
        ("h?a%0A=1", [("line-break-encoded", 3)]),
        ("h?Body=1%0A2", []),
        ("h?body%0A=1", [("line-break-encoded", 6)]),
    ],
)
@pytest.mark.parametrize("scheme", ["sip:", "sips:"])
def test_rules(scheme, rest, wanted):
    assert broken(scheme + rest) == [(code, len(scheme) + position) for code, position in wanted]


def test_a_sips_url_needs_a_reliable_transport():
    assert broken("sips:h;transport=%75DP") == [("sip-transport-unreliable", 17)]
    assert broken("sip:h;transport=udp") == broken("sips:h;transport=tls") == broken("sips:h;transport=udpx") == []


def test_warnings():
    found = [(v.code, v.position) for v in urlsm.validate("sip:a:b@h#c", dialect="rfc3986")]
    assert found == [("password-deprecated", 5), ("fragment-ignored", 9)]
    assert urlsm.validate("sip:a:@h", dialect="rfc3986") == []


@pytest.mark.parametrize(
    ("link", "parts"),
    [
        ("sip:", SipParts()),
        ("sip:a b:c%3Ad@[::1]:0005", SipParts("a b", "c:d", "::1", 5)),
        (
            "sip:alice@H?Subject=a b&x&=y",
            SipParts("alice", host="h", headers=(("subject", "a b"), ("x", ""), ("", "y"))),
        ),
        (
            "sip:h;LR;Transport=TLS;x=%FF",
            SipParts(host="h", transport="tls", params=(("lr", None), ("transport", "TLS"), ("x", "\udcff"))),
        ),
        ("sip:a?b;c@h", SipParts("a?b;c", host="h")),
        ("sip:a@b@h:", SipParts("a@b", host="h")),
        ("sip://alice@h", SipParts("alice", host="h")),
        ("sip:a@at%6canta", SipParts("a", host="at%6canta")),  # "MUST NOT" be read as its letter
    ],
)
def test_parts_of_real_links(link, parts):
    assert urlsm.parse(link).parts == parts


@pytest.mark.parametrize(
    ("port", "read", "code"),
    [
        *(("x", None, "port-invalid"), ("٣", None, "port-invalid"), ("123456", 123456, "port-out-of-range")),
        ("9" * 5000, None, "port-out-of-range"),
    ],
)
def test_a_port_that_is_none_is_for_the_violation_to_tell(port, read, code):
    text = f"sip:a@h:{port}"
    url = urlsm.parse(text)
    assert (url.parts.host, url.parts.port) == ("h", read)
    assert [(violation.code, violation.position) for violation in url.violations()] == [
        ("port-invalid" if "%" in url.href else code, 8)
    ]
    assert [violation.code for violation in urlsm.validate(text, dialect="rfc3986")] == [code]
    assert urlsm.equivalent(text, text) and not urlsm.equivalent(text, "sip:a@h")


def test_header():
    parts = urlsm.parts("sip:h?Subject=a&subject=b")
    assert parts.header("SUBJECT") == "a" and parts.header("x") is None


# --- section 19.1.4 ---

EQUIVALENT = [
    ("sip:%61lice@atlanta.com;transport=TCP", "sip:alice@AtLanTa.CoM;Transport=tcp"),
    ("sip:carol@chicago.com", "sip:carol@chicago.com;newparam=5"),
    ("sip:carol@chicago.com", "sip:carol@chicago.com;security=on"),
    ("sip:carol@chicago.com;newparam=5", "sip:carol@chicago.com;security=on"),
    (
        "sip:biloxi.com;transport=tcp;method=REGISTER?to=sip:bob%40biloxi.com",
        "sip:biloxi.com;method=REGISTER;transport=tcp?to=sip:bob%40biloxi.com",
    ),
    (
        "sip:alice@atlanta.com?subject=project%20x&priority=urgent",
        "sip:alice@atlanta.com?priority=urgent&subject=project%20x",
    ),
    # equality is not transitive
    ("sip:carol@chicago.com", "sip:carol@chicago.com;security=off"),
    # ours
    ("sip:h:05060;LR=A", "SIP:H:5060;lr=a#x"),
    ("sip:h?Subject=A", "sip:h?subject=%61"),
    ("sip:a%3Bb@h", "sip:a;b@h"),
]
DIFFERENT = [
    ("SIP:ALICE@AtLanTa.CoM;Transport=udp", "sip:alice@AtLanTa.CoM;Transport=UDP"),
    ("sip:bob@biloxi.com", "sip:bob@biloxi.com:5060"),
    ("sip:bob@biloxi.com", "sip:bob@biloxi.com;transport=udp"),
    ("sip:bob@biloxi.com", "sip:bob@biloxi.com:6000;transport=tcp"),
    ("sip:carol@chicago.com", "sip:carol@chicago.com?Subject=next%20meeting"),
    ("sip:bob@phone21.boxesbybob.com", "sip:bob@192.0.2.4"),
    ("sip:carol@chicago.com;security=on", "sip:carol@chicago.com;security=off"),
    # ours
    ("sip:alice@h", "sips:alice@h"),
    ("sip:h", "sip:alice@h"),
    ("sip:alice:@h", "sip:alice@h"),
    ("sip:alice:A@h", "sip:alice:a@h"),
    ("sip:h;user=ip", "sip:h"),
    ("sip:h;ttl=1", "sip:h"),
    ("sip:h;method=INVITE", "sip:h"),
    ("sip:h;maddr=1.2.3.4", "sip:h"),
    ("sip:h;lr", "sip:h;lr=true"),
    ("sip:h?a=1&a=2", "sip:h?a=2&a=1"),
    ("sip:h?body=a", "sip:h?body=A"),
    ("sip:a%3Ab@h", "sip:a:b@h"),
    ("sip:%61%40h", "sip:a@h"),
    ("sip://h", "sip:h"),
    # section 19.1.6
    ("sip:+358-555-1234567;postd=pp22@foo.com;user=phone", "sip:+358-555-1234567;POSTD=PP22@foo.com;user=phone"),
]


@pytest.mark.parametrize(
    ("one", "other", "same"), [(*pair, True) for pair in EQUIVALENT] + [(*pair, False) for pair in DIFFERENT]
)
def test_comparison(one, other, same):
    assert urlsm.equivalent(one, other) is same is urlsm.equivalent(other, one)
    assert urlsm.equivalent(one, one) and urlsm.equivalent(other, other)


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        (
            "SIP:%41:%62@HOST:5060;LR;Transport=TCP?Subject=%c3%a9#F",
            "sip:A:b@host:5060;lr;transport=TCP?subject=%C3%A9#F",
        ),
        ("sip:a?b/../c@H", "sip:a?b/../c@h"),
        ("sip:h:", "sip:h:"),
        ("sip:a@%41:%30", "sip:a@%41:%30"),
        ("sip://%41@H", "sip://A@h"),
        ("sip:a%3ab@h;;=?", "sip:a%3Ab@h;;=?"),
    ],
)
def test_normal_forms(text, normal):
    check_normal_form(text, normal)


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"host": "h"}, "sip:h"),
        ({"host": "::1", "port": 5060, "username": "+1;x=y"}, "sip:+1;x=y@[::1]:5060"),
        ({"host": "h", "username": "j@s:0n/é\udcff"}, "sip:j%40s%3A0n/%C3%A9%FF@h"),
        ({"host": "h", "username": "//x", "password": "p;/@"}, "sip:%2F/x:p%3B%2F%40@h"),
        ({"host": "h", "username": "a\r\nb\0"}, "sip:a%0D%0Ab%00@h"),
        ({"host": "h", "transport": "tcp"}, "sip:h;transport=tcp"),
        ({"host": "h", "params": [("x", "[;]"), ("lr", None)]}, "sip:h;x=%5B%3B%5D;lr"),
        ({"host": "h", "headers": [("Subject", "a&b=c?"), ("body", "1\n2")]}, "sip:h?Subject=a%26b%3Dc?&body=1%0A2"),
        ({"host": "h", "scheme": "sips"}, "sips:h"),
    ],
)
def test_build(given, text):
    handler = urlsm.handler(given.get("scheme", "sip"))
    assert handler.build(**given) == text
    assert handler.build(scheme=given.get("scheme"), **urlsm.parts(text)) == text.replace("Subject", "subject")


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({}, "host-missing"),
        ({"host": "h", "username": ""}, "username-missing"),
        ({"host": "h", "password": "x"}, "username-missing"),
        ({"host": "a@h"}, "host-invalid"),
        ({"host": "h;lr"}, "host-invalid"),
        ({"host": "é"}, "host-invalid"),
        ({"host": "::1]"}, "ip-literal-invalid"),
        ({"host": "h", "port": -1}, "port-invalid"),
        ({"host": "h", "port": 65536}, "port-out-of-range"),
        ({"host": "h", "params": [("a", "")]}, "parameter-value-missing"),
        ({"host": "h", "params": [("a", "1"), ("A", "2")]}, "parameter-duplicate"),
        ({"host": "h", "headers": [("a", "1\r\nVia: x")]}, "line-break-encoded"),
        ({"host": "h", "headers": [("", "1")]}, "parameter-name-missing"),
        ({"host": "h", "fragment": "\n"}, "character-not-allowed"),
    ],
)
def test_build_refuses(given, code):
    with pytest.raises(urlsm.SchemeError) as caught:
        SIP.build(**given)
    assert caught.value.code == code


def test_parts_that_contradict_each_other():
    with pytest.raises(ValueError, match="cannot contain the transport as given: 'tcp'"):
        SIP.build(host="h", transport="tcp", params=[("transport", "udp")])
