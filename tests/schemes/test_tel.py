"""tel: RFC 3966, and its comparison of numbers (section 4)."""

from __future__ import annotations

import pytest
from support.checks import broken, check_normal_form

import urlsm
from urlsm.schemes.telephony.tel import TelParts

TEL = urlsm.handler("tel")


@pytest.mark.parametrize(
    ("rest", "wanted"),
    [
        ("863-1234;phone-context=+1-914-555", []),  # section 6
        # global-number-digits = "+" *phonedigit DIGIT *phonedigit
        ("+(0).-1", []),
        ("+-", [("tel-number-missing", 2)]),
        ("+1A", [("character-not-allowed", 2)]),
        ("+1+2", [("character-not-allowed", 2)]),
        ("+1%23", [("character-not-allowed", 2)]),
        ("+1%G0", [("bad-percent-escape", 2)]),
        ("+1 (2)", [("character-not-allowed", 2)]),
        ("+١", [("character-not-allowed", 1), ("tel-number-missing", 2)]),
        # local-number-digits = *phonedigit-hex ( HEXDIG / "*" / "#" ) *phonedigit-hex
        ("af*%23-9;phone-context=a", []),
        ("%23;phone-context=a", []),
        ("%2A1;phone-context=a", [("character-not-allowed", 0)]),
        ("xyz;phone-context=a", [("character-not-allowed", 0), ("tel-number-missing", 3)]),
        ("-;phone-context=a", [("tel-number-missing", 1)]),
        (";phone-context=a", [("tel-number-missing", 0)]),
        ("7;a=1", [("tel-context-missing", 5)]),
        # descriptor = domainname / global-number-digits
        ("7;phone-context=a.b-c.", []),
        ("7;phone-context=+(1)", []),
        ("7;phone-context=1.b", []),
        ("7;phone-context", [("parameter-value-missing", 15)]),
        ("7;phone-context=", [("parameter-value-missing", 16), ("tel-context-invalid", 16)]),
        ("7;phone-context=1", [("tel-context-invalid", 16)]),
        ("7;phone-context=+", [("tel-context-invalid", 16)]),
        ("7;phone-context=a..b", [("tel-context-invalid", 16)]),
        ("7;phone-context=a%2Db", [("tel-context-invalid", 16)]),
        # parameters
        ("+1;ext=(2)-3", []),
        ("+1;ext=2x", [("character-not-allowed", 8)]),
        ("+1;ext", [("parameter-value-missing", 6)]),
        ("+1;isub=", [("parameter-value-missing", 8)]),
        ("+1;isub=%C3%A9[a]/:&+$", []),
        ("+1;isub=a?", [("query-not-allowed", 9)]),
        ("+1;isub=a,b", [("character-not-allowed", 9)]),
        ("+1;a;b=c", []),
        ("+1;a=", [("parameter-value-missing", 5)]),
        ("+1;a=b=c", [("character-not-allowed", 6)]),
        ("+1;", [("parameter-name-missing", 3)]),
        ("+1;=a", [("parameter-name-missing", 3)]),
        ("+1;a_b=1", [("character-not-allowed", 4)]),
        ("+1;%61=1", [("character-not-allowed", 3)]),
        ("+1;%6=1", [("bad-percent-escape", 3)]),
        # order, repeats, "m-"
        ("7;isub=1;phone-context=a;b;c", []),
        ("+1;b;a", [("parameter-order", 5)]),
        ("+1;b;c;a", [("parameter-order", 7)]),
        ("7;phone-context=a;ext=1", [("parameter-order", 18)]),
        ("7;a;phone-context=a", [("parameter-order", 4)]),
        ("+1;a;A=1", [("parameter-duplicate", 5)]),
        ("+1;isub=1;EXT=2", [("tel-ext-isub-conflict", 10)]),
        ("+1;m-a", [("tel-mandatory-parameter-unknown", 3)]),
        ("+1;M-a=1", [("tel-mandatory-parameter-unknown", 3)]),
        ("+1;ma=1", []),
        ("//+1", [("authority-not-allowed", 0), ("tel-number-missing", 4)]),
    ],
)
def test_rules(rest, wanted):
    assert broken(f"tel:{rest}") == [(code, position + 4) for code, position in wanted]


@pytest.mark.parametrize(
    ("link", "parts"),
    [
        ("tel:", TelParts("", False)),
        ("tel:+1 (555) 010.9", TelParts("+15550109", True)),
        ("tel:%2B1%20555", TelParts("+1555", True)),
        ("tel:1-800-flowers", TelParts("1800FLOWERS", False)),
        ("tel://+1-555", TelParts("+1555", True)),
        (
            "tel:*a%23;EXT=1-2;Phone-Context=+1-A;isub=%C3%A9;X=Y;z",
            TelParts("*A#", False, "12", "é", "+1a", (("x", "Y"), ("z", None))),
        ),
        ("tel:+1;ext;;=%zz", TelParts("+1", True, None, None, None, (("", None), ("", "%zz")))),
        ("tel:+1?x", TelParts("+1", True)),
        # pauses (reports-4, jobs.json 77; ezyang/htmlpurifier#388, twentyhq/twenty#12912)
        ("tel:+12029910477,,32288696#", TelParts("+12029910477", True, post_dial=",,32288696#")),
        ("tel:+1-202,,3-2#*4;ext=5", TelParts("+1202", True, post_dial=",,32")),  # that is a fragment
        ("tel:+1202%2C%3B3%234#5", TelParts("+1202", True, post_dial=",;3#4#5")),
        ("tel:+1202p34w5;ext=6", TelParts("+1202", True, "6", post_dial="P34W5")),
        ("tel:+1800PWNED", TelParts("+1800PWNED", True)),
        ("tel:1-800-flowers", TelParts("1800FLOWERS", False)),
        ("tel:,1", TelParts("", False, post_dial=",1")),
        ("tel:+1,#", TelParts("+1", True, post_dial=",#")),
        ("tel:+1#2", TelParts("+1", True)),
        ("tel:+1,2#top", TelParts("+1", True, post_dial=",2")),
    ],
)
def test_parts_of_real_links(link, parts):
    assert urlsm.parse(link).parts == parts


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        # RFC 3261 section 19.1.6
        ("tel:+358-555-1234567;postd=pp22", "tel:+358-555-1234567;POSTD=PP22", True),
        ("tel:+358-555-1234567;isub=1411;postd=pp22", "tel:+358-555-1234567;postd=pp22;isub=1411", True),
        ("tel:+1-201-555-0123", "tel:+1(201)555.0123#x", True),
        ("tel:7;phone-context=EXAMPLE.com", "tel:7;phone-context=example.com", True),
        ("tel:7;phone-context=+1-914", "tel:7;Phone-Context=+1(914)", True),
        ("tel:+1;ext=7-7", "tel:+1;ext=77", True),
        ("tel:aB%23;phone-context=a", "tel:AB%23;phone-context=a", True),
        ("tel:+1;isub=%41%2b", "tel:+1;isub=a+", True),
        ("tel:1;phone-context=+1", "tel:+1;phone-context=+1", False),
        ("tel:7;phone-context=a", "tel:7;phone-context=b", False),
        ("tel:7;phone-context=a-b.c", "tel:7;phone-context=ab.c", False),
        ("tel:+1;a=b", "tel:+1", False),
        ("tel:+1;a=b", "tel:+1;a=c", False),
        ("tel:+1;a", "tel:+1;a=a", False),
        ("tel:+1;isub=1-2", "tel:+1;isub=12", False),
        ("tel:+1", "tel:+1?x", False),
        ("tel:+1", "tel://+1", False),
    ],
)
def test_comparison(one, other, same):
    assert urlsm.equivalent(one, other) is same is urlsm.equivalent(other, one)


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("TEL:+1-(201);B=C%3b;A;Ext=1.2", "tel:+1201;ext=12;a;b=c%3B"),
        ("tel:ab*%23;phone-context=A.B", "tel:AB*%23;phone-context=a.b"),
        ("tel:+1;;=", "tel:+1;;="),
        ("tel:é %zz?%41#%41", "tel:%C3%A9%25ZZ?A#A"),
        ("tel:1-800-FLOWERS;a_B=C", "tel:1800FLOWERS;a_b=c"),
        ("tel://A", "tel://a"),
    ],
)
def test_normal_forms(text, normal):
    check_normal_form(text, normal)


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"number": "+1 (201) 555-0123"}, "tel:+12015550123"),
        ({"number": "*a#", "phone_context": "example.com"}, "tel:*A%23;phone-context=example.com"),
        ({"number": "+1", "params": [("b", "é;\r\n"), ("a", None)]}, "tel:+1;a;b=%C3%A9%3B%0D%0A"),
        (
            {"number": "7", "isdn_subaddress": "a b[", "phone_context": "+1-2", "params": [["x", "=\udcff"]]},
            "tel:7;isub=a%20b%5B;phone-context=+12;x=%3D%FF",
        ),
        ({"number": "+1", "extension": "2-3", "is_global": True}, "tel:+1;ext=23"),
    ],
)
def test_build(given, text):
    assert TEL.build(**given) == text == TEL.build(**urlsm.parts(text))


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({}, "tel-number-missing"),
        ({"number": "7"}, "tel-context-missing"),
        ({"number": "+1\r\n"}, "character-not-allowed"),
        ({"number": "+1;a=b"}, "character-not-allowed"),
        ({"number": "+1/2"}, "character-not-allowed"),
        ({"number": "+1", "extension": "x"}, "character-not-allowed"),
        ({"number": "+1", "extension": ""}, "parameter-value-missing"),
        ({"number": "+1", "extension": "1", "isdn_subaddress": "1"}, "tel-ext-isub-conflict"),
        ({"number": "7", "phone_context": "a;b"}, "tel-context-invalid"),
        ({"number": "+1", "params": [("a=b", "c")]}, "character-not-allowed"),
        ({"number": "+1", "params": [("m-a", "c")]}, "tel-mandatory-parameter-unknown"),
        ({"number": "+1", "params": [("a", ""), ("b", "")]}, "parameter-value-missing"),
    ],
)
def test_build_refuses(given, code):
    with pytest.raises(urlsm.SchemeError) as caught:
        TEL.build(**given)
    assert caught.value.code == code


def test_parts_that_contradict_each_other():
    with pytest.raises(ValueError, match="cannot contain the is_global as given: False"):
        TEL.build(number="+1", is_global=False)
    with pytest.raises(ValueError, match="cannot contain the params as given"):
        TEL.build(number="+1", params=[("ext", "1")])


def test_the_separators_of_a_context_mean_nothing():
    """RFC 3966 section 3: visual separators "are used only to improve readability"."""
    assert urlsm.parts("tel:7;phone-context=+1-(914).555").phone_context == "+1914555"
    assert urlsm.parts("tel:7;phone-context=A-b.example").phone_context == "a-b.example"
    assert urlsm.equivalent("tel:7;phone-context=+1-914", "tel:7;phone-context=+19.14")
    assert not urlsm.equivalent("tel:7;phone-context=a-b.example", "tel:7;phone-context=ab.example")


def test_pauses_are_no_number_of_rfc_3966():
    assert broken("tel:+1202,,3") == [("character-not-allowed", 9)]
    with pytest.raises(urlsm.SchemeError):
        urlsm.handler("tel").build(number="+1202", post_dial=",,3")
    long = urlsm.parse("tel:+1" + "p" * 200_000 + "2").parts
    assert (long.number, len(long.post_dial)) == ("+1", 200_001)
    assert urlsm.parse("tel:+1" + "p2" * 100_000 + "x").parts.number == "+1"
