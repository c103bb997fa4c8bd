"""xmpp: RFC 5122, with its examples."""

from __future__ import annotations

import pytest
from support.checks import check_normal_form, noted

import urlsm
from urlsm.schemes.messaging.xmpp import XmppParts

XMPP = urlsm.handler("xmpp")


@pytest.mark.parametrize(
    ("rest", "wanted"),
    [
        ("nasty!%23$%25()*+,-.;=%3F%5B%5C%5D%5E_%60%7B%7C%7D~node@example.com", []),  # section 2.7.2
        ("romeo@montague.net?subscribe", []),
        ("romeo@montague.net?message;subject=Test;body=%0D%0A", []),
        ("//u@h/example.com", []),
        ("//u@[::1]/a@[::2]/x", []),
        # authxmpp = nodeid "@" host
        ("//h", [("username-missing", 2)]),
        ("//@h", [("username-missing", 2)]),
        ("//u@", [("host-missing", 4)]),
        ("//u@h:5", [("port-not-allowed", 5)]),
        ("//u:p@h", [("password-not-allowed", 3), ("character-not-allowed", 3)]),
        ("//u&v@h", [("character-not-allowed", 3)]),
        ("//u@h|", [("host-invalid", 5)]),
        ("//u@h%40i", [("host-invalid", 5)]),
        ("//u%40v@h/a%40b@h%40i/%40", [("host-invalid", 17)]),
        # pathxmpp = [ nodeid "@" ] host [ "/" resid ]
        ("", [("host-missing", 0)]),
        ("?message", [("host-missing", 0)]),
        ("//u@h/", [("host-missing", 6)]),
        ("@h", [("username-missing", 0)]),
        ("a'b@h", [("character-not-allowed", 1)]),
        ("a@b@h", [("character-not-allowed", 1)]),
        ("h:5", [("host-invalid", 1)]),
        ("//u@h/a@h|/x", [("host-invalid", 9)]),
        ("a@[::g]", [("ip-literal-invalid", 2)]),
        ("h/", []),
        ("h/a/b", [("character-not-allowed", 3)]),
        ("h/a@b", [("character-not-allowed", 3)]),
        ("h/%G", [("bad-percent-escape", 2)]),
        ("/h", [("host-missing", 0)]),
        # querycomp = querytype [ *pair ]; pair = ";" key "=" value
        ("h?", []),
        ("h?;=", []),
        ("h?a;", [("parameter-value-missing", 4)]),
        ("h?a;b;c=d", [("parameter-value-missing", 5)]),
        ("h?a=b", [("character-not-allowed", 3)]),
        ("h?a;b=c=d", [("character-not-allowed", 7)]),
        ("h?a;b+=%é", [("character-not-allowed", 5), ("bad-percent-escape", 7), ("character-not-allowed", 8)]),
        ("h#/?", []),
        ("h#[", [("character-not-allowed", 2)]),
    ],
)
def test_rules(rest, wanted):
    assert noted(f"xmpp:{rest}") == [(code, position + 5) for code, position in wanted]


@pytest.mark.parametrize(
    ("link", "parts", "jid"),
    [
        ("xmpp:", XmppParts(), None),
        (
            "xmpp://g;x=1@H/a b@B/c d/e?message;body=x y;z",
            XmppParts("g;x=1@h", "a b", "b", "c d/e", "message", (("body", "x y"), ("z", None))),
            "a b@b/c d/e",
        ),
        ("xmpp:example.com?", XmppParts(host="example.com", query_type=""), "example.com"),
        ("xmpp:a@[::1]/%FF?;K=", XmppParts(None, "a", "::1", "\udcff", "", (("K", ""),)), "a@::1/\udcff"),
        ("xmpp://h", XmppParts("h"), None),
        ("xmpp://u:p@h:5/x", XmppParts("u@h", None, "x"), "x"),
    ],
)
def test_parts_of_real_links(link, parts, jid):
    found = urlsm.parse(link).parts
    assert found == parts and found.jid == jid


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("xmpp:%61@EXAMPLE.com/%21", "XMPP:a@example.com/!#x", True),
        ("xmpp://u@H", "xmpp://%75@h", True),
        ("xmpp:h?a;b=%43", "xmpp:h?a;b=C", True),
        ("xmpp:A@h", "xmpp:a@h", False),  # nodeprep is not done
        ("xmpp:h/R", "xmpp:h/r", False),
        ("xmpp:h/", "xmpp:h", False),
        ("xmpp:h?", "xmpp:h", False),
        ("xmpp:h?a;b=1;c=2", "xmpp:h?a;c=2;b=1", False),
        ("xmpp://u@h", "xmpp:u@h", False),
        ("xmpp:a%40b@h", "xmpp:b@h", False),
    ],
)
def test_equivalence(one, other, same):
    assert urlsm.equivalent(one, other) is same is urlsm.equivalent(other, one)


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("XMPP://%55@H/%41@B%c3%89/../%2f?M;K=%61#%61", "xmpp://U@h/A@b%C3%89/../%2F?M;K=a#a"),
        ("xmpp:A.B/", "xmpp:a.b/"),
        ("xmpp:/A", "xmpp:/A"),
        ("xmpp://h", "xmpp://h"),
        ("xmpp://h/", "xmpp://h/"),
        ("xmpp:", "xmpp:"),
    ],
)
def test_normal_forms(text, normal):
    check_normal_form(text, normal)


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"host": "h"}, "xmpp:h"),
        ({"account": "guest@example.com"}, "xmpp://guest@example.com"),
        ({"account": "a@b@::1", "host": "::2", "resource": ""}, "xmpp://a%40b@[::1]/[::2]/"),
        (
            {"username": "nasty@/:é\udcff\r\n", "host": "bücher.example"},
            "xmpp:nasty%40%2F%3A%C3%A9%FF%0D%0A@b%C3%BCcher.example",
        ),
        ({"username": "//u", "host": "h", "resource": "a/b@c?#"}, "xmpp:%2F%2Fu@h/a%2Fb%40c%3F%23"),
        (
            {"host": "h", "query_type": "message", "query_params": [("body", "a;b=c&\0")]},
            "xmpp:h?message;body=a%3Bb%3Dc%26%00",
        ),
        ({"host": "h", "query_params": [("a", "")]}, "xmpp:h?;a="),
        ({"host": "h", "fragment": "x"}, "xmpp:h#x"),
    ],
)
def test_build(given, text):
    assert XMPP.build(**given) == text
    assert XMPP.build(**urlsm.parts(text), fragment=given.get("fragment")) == text


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({}, "host-missing"),
        ({"username": "u"}, "host-missing"),
        ({"resource": "r"}, "host-missing"),
        ({"username": "", "host": "h"}, "username-missing"),
        ({"account": "h"}, "username-missing"),
        ({"account": "u@"}, "host-missing"),
        ({"account": ""}, "username-missing"),
        ({"host": "h", "query_type": "a", "query_params": [("b", None)]}, "parameter-value-missing"),
    ],
)
def test_build_refuses(given, code):
    with pytest.raises(urlsm.SchemeError) as caught:
        XMPP.build(**given)
    assert caught.value.code == code


@pytest.mark.parametrize(
    "text", ["xmpp:%2fA", "xmpp:n@%2Fa%41/r", "xmpp://n@%2fA/h", "xmpp:%C3%89%41", "xmpp:a%2FA/%2FB"]
)
def test_a_text_is_equivalent_to_its_normal_form(text):
    normal = urlsm.normalize(text)
    assert urlsm.normalize(normal) == normal and urlsm.equivalent(text, normal)
