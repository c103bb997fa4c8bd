"""sms: RFC 5724, whose recipients are tel's subscribers."""

from __future__ import annotations

import pytest
from support.checks import broken, check_normal_form

import urlsm
from urlsm.schemes.telephony.sms import SmsParts

SMS = urlsm.handler("sms")


@pytest.mark.parametrize(
    ("rest", "wanted"),
    [
        ("+1,+2,7;phone-context=a", []),
        (",+1", [("sms-recipient-missing", 0)]),
        ("+1,,+2", [("sms-recipient-missing", 3)]),
        ("+1,7", [("tel-context-missing", 4)]),
        ("+1,+", [("tel-number-missing", 4)]),
        ("+1,+2;b;a", [("parameter-order", 8)]),
        ("+1 ,+2", [("character-not-allowed", 2)]),
        ("+1?a.b-c_d~e=%C3%A9", []),
        ("+1?x=1&x=2", []),
        ("+1?body=1&x=2&BODY=3", [("parameter-duplicate", 14)]),
        ("+1?body=a+b", [("character-not-allowed", 9)]),
        ("+1?body=it's", [("character-not-allowed", 10)]),
        ("+1?body=a=b", [("character-not-allowed", 9)]),
        ("+1?body=%zz", [("bad-percent-escape", 8)]),
        ("+1?x:y=1", [("character-not-allowed", 4)]),
        ("+1?%62ody=1", [("character-not-allowed", 3)]),
        ("+1?%6=1", [("bad-percent-escape", 3)]),
        ("+1?", [("parameter-name-missing", 3), ("parameter-value-missing", 3)]),
        ("+1?x=1&", [("parameter-name-missing", 7), ("parameter-value-missing", 7)]),
        ("+1?=1", [("parameter-name-missing", 3)]),
        ("//+1", [("authority-not-allowed", 0), ("sms-recipient-missing", 4)]),
    ],
)
def test_rules(rest, wanted):
    assert broken(f"sms:{rest}") == [(code, position + 4) for code, position in wanted]


@pytest.mark.parametrize(
    ("link", "parts"),
    [
        ("sms:", SmsParts()),
        ("sms:?body=a b", SmsParts((), (), "a b", (("body", "a b"),))),
        ("sms:+1 555,,(2)", SmsParts(("+1 555", "(2)"), ("+1555", "2"))),
        ("sms:*%23;phone-context=%C3%A9", SmsParts(("*#;phone-context=é",), ("*#",))),
        (
            "sms:+1?X&BODY=%FF%0A+&body=2&",
            SmsParts(("+1",), ("+1",), "\udcff\n+", (("x", None), ("body", "\udcff\n+"), ("body", "2"), ("", None))),
        ),
        ("sms:+1;a=%2C%3b%25%41", SmsParts(("+1;a=,%3b%25A",), ("+1",))),
        ("sms://+1?body=x", SmsParts(("+1",), ("+1",), "x", (("body", "x"),))),
    ],
)
def test_parts_of_real_links(link, parts):
    assert urlsm.parse(link).parts == parts


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("sms:+1,+2", "sms:+2,+1", True),
        ("sms:+1,+2", "sms:+(2),+1,+2#x", True),
        ("sms:+1;A=B?body=x", "sms:+1;a=b?BODY=%78", True),
        ("sms:+1,+2", "sms:+1", False),
        ("sms:+1;ext=1", "sms:+1;ext=2", False),
        ("sms:+1?body=x", "sms:+1?body=X", False),
        ("sms:+1?body=", "sms:+1", False),
        ("sms:+1?a=1&b=2", "sms:+1?b=2&a=1", False),
        ("sms:+1", "sms://+1", False),
    ],
)
def test_equivalence(one, other, same):
    assert urlsm.equivalent(one, other) is same is urlsm.equivalent(other, one)


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("SMS:+2-3,+1;B;A=C?Body=%c3%A9%2b&x", "sms:+23,+1;a=c;b?body=%C3%A9%2B&x"),
        ("sms:,?", "sms:,?"),
        ("sms://A?B=%41", "sms://a?b=A"),
    ],
)
def test_normal_forms(text, normal):
    check_normal_form(text, normal)


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"recipients": ["+1-510", "7;phone-context=a"]}, "sms:+1-510,7;phone-context=a"),
        ({"recipients": ["+1;a=%3Bb%25"]}, "sms:+1;a=%3Bb%25"),
        ({"recipients": ["*#;phone-context=a;x=é,=?"]}, "sms:*%23;phone-context=a;x=%C3%A9%2C%3D%3F"),
        (
            {"numbers": ["+1", "+2"], "body": "Grüße,\nit's 5 + 5\0"},
            "sms:+1,+2?body=Gr%C3%BC%C3%9Fe%2C%0Ait%27s%205%20%2B%205%00",
        ),
        ({"recipients": ["+1-510"], "numbers": ["+1510"], "query_params": [("x", "\udcff&")]}, "sms:+1-510?x=%FF%26"),
        ({"numbers": ["+1"], "body": ""}, "sms:+1?body="),
    ],
)
def test_build(given, text):
    assert SMS.build(**given) == text == SMS.build(**urlsm.parts(text))


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({}, "sms-recipient-missing"),
        ({"body": "x"}, "sms-recipient-missing"),
        ({"numbers": [""]}, "sms-recipient-missing"),
        ({"numbers": ["7"]}, "tel-context-missing"),
        ({"numbers": ["+1,+2"]}, "character-not-allowed"),
        ({"numbers": ["+1\r\n"]}, "character-not-allowed"),
        ({"recipients": ["+1?body=x"]}, "character-not-allowed"),
        ({"recipients": ["+1;a%3Db"]}, "character-not-allowed"),
        ({"numbers": ["+1"], "query_params": [("a b", "")]}, "character-not-allowed"),
        ({"numbers": ["+1"], "query_params": [("a", None)]}, "parameter-value-missing"),
        ({"numbers": ["+1"], "query_params": [("body", "1"), ("Body", "2")]}, "parameter-duplicate"),
    ],
)
def test_build_refuses(given, code):
    with pytest.raises(urlsm.SchemeError) as caught:
        SMS.build(**given)
    assert caught.value.code == code


def test_parts_that_contradict_each_other():
    with pytest.raises(ValueError, match="cannot contain the numbers as given"):
        SMS.build(recipients=["+1"], numbers=["+2"])
    with pytest.raises(ValueError, match="cannot contain the recipients as given"):
        SMS.build(recipients=["+1;a=5%"])
    with pytest.raises(ValueError, match="cannot contain the body as given: 'x'"):
        SMS.build(numbers=["+1"], body="x", query_params=[])
