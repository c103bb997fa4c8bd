"""ldap, ldaps: the four fields, their defaults, and the grammars of RFC 4512, 4514 and 4515 in them."""

from __future__ import annotations

import pytest
from support.checks import broken, check_normal_form

import urlsm

LDAP = urlsm.handler("ldap")


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        # RFC 4516 section 4
        (
            "ldap://ldap3.example.com/o=Babsco,c=US???(four-octet=%5c00%5c00%5c00%5c04)",
            {"dn": "o=Babsco,c=US", "filter": r"(four-octet=\00\00\00\04)"},
        ),
        ("ldap://ldap.example.com/o=An%20Example%5C2C%20Inc.,c=US", {"dn": r"o=An Example\2C Inc.,c=US"}),
        (
            "ldap:///??sub??e-bindname=cn=Manager%2cdc=example%2cdc=com",
            {"scope": "sub", "extensions": (("e-bindname", "cn=Manager,dc=example,dc=com", False),)},
        ),
        (
            "ldap:///??sub??!e-bindname=cn=Manager%2cdc=example%2cdc=com",
            {"scope": "sub", "extensions": (("e-bindname", "cn=Manager,dc=example,dc=com", True),)},
        ),
        ("ldap:///????a,!1.2.3=%00", {"extensions": (("a", None, False), ("1.2.3", "\0", True))}),
        ("ldap:///?*,+,1.1,2.5.4.3;x;lang-de", {"attributes": ("*", "+", "1.1", "2.5.4.3;x;lang-de")}),
        ("ldap:///o=a/b?%63n", {"dn": "o=a/b", "attributes": ("cn",)}),
        ("ldap://:389/", {"port": 389}),
        ("ldap://[2001:db8::7]/c=GB", {"host": "2001:db8::7", "dn": "c=GB"}),
    ],
)
def test_parts(text, parts):
    assert broken(text) == []
    found = urlsm.parts(text)
    assert {name: found[name] for name in parts} == parts
    assert all(found[name] == getattr(LDAP.parts_type(), name) for name in found.keys() - parts.keys() - {"host"})
    url = urlsm.try_parse(text)  # not where a port has no host
    assert url is None or url.parts == found
    assert urlsm.equivalent(LDAP.build(**found), text)


def quoted(text: str) -> str:
    return "".join([f"%{octet:02X}" for octet in text.encode("utf-8", "surrogateescape")])


@pytest.mark.parametrize(
    "dn",
    [
        "",
        "UID=jsmith,DC=example,DC=net",  # the examples of RFC 4514 section 4
        "OU=Sales+CN=J.  Smith,DC=example,DC=net",
        r"CN=James \"Jim\" Smith\, III,DC=example,DC=net",
        r"CN=Before\0dAfter,DC=example,DC=net",
        "1.3.6.1.4.1.1466.0=#04024869",
        r"CN=Lu\C4\8Di\C4\87",
        "cn=",
        "cn=,dc=",
        r"cn=\ a\ ",
        r"cn=\#a=b#",
        "cn=Lučić",
        "cn=\udcff",
    ],
)
def test_distinguished_names(dn):
    text = f"ldap:///{quoted(dn)}"
    assert broken(text) == []
    assert LDAP.build(dn=dn) and urlsm.parts(text).dn == dn


@pytest.mark.parametrize(
    "dn",
    [
        *("a", "=a", "cn=a,", ",cn=a", "cn=a+", "cn=a, dc=b", "cn =a", "c_n=a", "1=a", "01.2=a", "1.2.=a", "-a=b"),
        *("cn= a", "cn=a ", "cn=a ,dc=b", r"cn=a\\ ", "cn=#a", "cn=#", "cn=#0", "cn=a#\\", r"cn=\g", r"cn=\4"),
        *('cn=a"b', "cn=a;b", "cn=<", "cn=a>b", "çn=a"),
    ],
)
def test_no_distinguished_names(dn):
    assert broken(f"ldap:///{quoted(dn)}") == [("ldap-dn-invalid", 8)]
    with pytest.raises(urlsm.SchemeError):
        LDAP.build(dn=dn)


@pytest.mark.parametrize(
    "search",
    [
        "(cn=Babs Jensen)",  # the examples of RFC 4515 section 4
        "(!(cn=Tim Howes))",
        "(&(objectClass=Person)(|(sn=Jensen)(cn=Babs J*)))",
        "(o=univ*of*mich*)",
        "(seeAlso=)",
        "(cn:caseExactMatch:=Fred Flintstone)",
        "(cn:=Betty Rubble)",
        "(sn:dn:2.4.6.8.10:=Barney Rubble)",
        "(o:dn:=Ace Industry)",
        "(:1.2.3:=Wilma Flintstone)",
        "(:DN:2.4.6.8.10:=Dino)",
        r"(o=Parens R Us \28for all your parenthetical needs\29)",
        r"(cn=*\2A*)",
        r"(bin=\00\00\00\04)",
        "(1.3.6.1.4.1.1466.0=\udcff)",
        "(:dn:=b)",  # a matching rule may have that name
        "(a~=b)",
        "(a>=b=<~>)",
        "(a<=b)",
        "(a=**)",
        "(a;lang-en=b)",
        "(&)",  # RFC 4526
        "(|)",
    ],
)
def test_filters(search):
    assert broken(f"ldap:///???{quoted(search)}") == []
    assert urlsm.parts(LDAP.build(filter=search)).filter == search


@pytest.mark.parametrize(
    "search",
    [
        *("a=b", "()", "(a)", "(a=b", "a=b)", "(a=b))", "((a=b))", "(a=b)(c=d)", "(a=b)x", "(=b)", "(a=b(c)", ")", "("),
        *("(!)", "(!(a=b)(c=d))", "(&(a=b)", "(&a=b)", "(a~=b*)", "(a:=*)", "(:=b)", "(a::=b)", "(!a=b)"),
        *(r"(a=\)", r"(a=\2)", r"(a=\gg)", "(a b=c)", "(a;=b)", "(01.2=a)", "(1=a)", " (a=b)"),
    ],
)
def test_no_filters(search):
    assert broken(f"ldap:///???{quoted(search)}") == [("ldap-filter-invalid", 11)]
    with pytest.raises(ValueError):
        LDAP.build(filter=search)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("ldap:c=GB", [("authority-missing", 5)]),
        ("ldap://h?cn", [("path-missing", 8)]),
        ("ldap://u:p@h/", [("userinfo-not-allowed", 7)]),
        ("ldap://h/a?(?b?c?", [
            ("ldap-dn-invalid", 9),
            ("ldap-attribute-invalid", 11),
            ("ldap-scope-unknown", 13),
            ("ldap-filter-invalid", 15),
            ("ldap-extension-invalid", 17),
        ]),
        ("ldap://h/????", [("ldap-extension-invalid", 13)]),
        ("ldap://h/????a?", [("character-not-allowed", 14)]),
        ("ldap://h/????a,,!=b,1", [
            ("ldap-extension-invalid", 15), ("ldap-extension-invalid", 16), ("ldap-extension-invalid", 20),
        ]),
        ("ldap://h/????%21a", [("ldap-extension-invalid", 13)]),
        ("ldap://h/?cn,,a%2Cb", [("ldap-attribute-invalid", 13), ("ldap-attribute-invalid", 14)]),
        ("ldap://h/?%FF,a;", [("ldap-attribute-invalid", 10), ("ldap-attribute-invalid", 14)]),
        ("ldap://h/??base ", [("character-not-allowed", 15), ("ldap-scope-unknown", 11)]),
        ("ldap://h/o=%00", [("ldap-dn-invalid", 9), ("nul-encoded", 11)]),
        ("ldap://h/???(o=%00)?a=%00", [("ldap-filter-invalid", 12), ("nul-encoded", 15)]),
        ("ldap://h/o=é", [("character-not-allowed", 11)]),
        ("ldap://h/o=[]", [("character-not-allowed", 11)]),
    ],
)  # fmt: skip
def test_violations(text, found):
    assert sorted(broken(text)) == sorted(found)


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("LDAP://H:389", "ldap://h/"),
        ("ldaps://h:636", "ldaps://h/"),
        ("ldap://h/?", "ldap://h/"),
        ("ldap://h/c=G%42?CN?ONE??", "ldap://h/c=GB?CN?one"),
        ("ldap://h/??Base?(objectClass=*)", "ldap://h/??base?(objectClass=*)"),
        ("ldap://h/o=a/../b", "ldap://h/o=a/../b"),
        ("ldap://h/??????", "ldap://h/??????"),
    ],
)
def test_normal_forms(text, normal):
    check_normal_form(text, normal)


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("ldap://ldap.example.net", "ldap://ldap.example.net/", True),  # section 4
        ("ldap://ldap.example.net", "ldap://ldap.example.net/?", True),
        ("ldap://h", "ldap://h:389/?*?BASE?(objectclass=*)", True),
        ("ldap://h/?cn,SN", "ldap://h/?sn,cn", True),
        ("ldap://h/???(CN=a)", "ldap://h/???(cn=a)", True),
        ("ldap://h/o%3Da%2Cb=c", "ldap://h/o=a,b=c", True),
        ("ldap://h/????X=a%2cb,!y", "ldap://h/????x=a%2Cb,!y", True),
        ("ldap://h/???(cn=a)", "ldap://h/???(cn=A)", False),
        ("ldap://h/????x=a%2cy", "ldap://h/????x=a,y", False),
        ("ldap://h/????x", "ldap://h/????x=", False),
        ("ldap://h/????x", "ldap://h/????!x", False),
        ("ldap://h/????%21x", "ldap://h/????!x", False),
        ("ldap://h/o=a%3Fb", "ldap://h/o=a?b", False),
        ("ldap://h/", "ldap://h/#f", False),
        ("ldap://h/", "ldap://u@h/", False),
        ("ldap://h/", "ldaps://h/", False),
        ("ldap://h/", "ldap://h:636/", False),
    ],
)
def test_equivalence(a, b, same):
    assert urlsm.equivalent(a, b) is urlsm.equivalent(b, a) is same


def test_parts_of_a_url_are_lenient_and_as_the_url_parser_rewrites():
    found = urlsm.parse("ldap://H/o=a b?c|d?SUBTREE?<?é=%FF,!").parts
    assert (found.host, found.dn, found.attributes, found.scope, found.filter) == (
        "h",
        "o=a b",
        ("c|d",),
        "subtree",
        "<",
    )
    assert found.extensions == (("é", "\udcff", False), ("", None, True))
    assert urlsm.parse("ldap://h/o=a/./b").parts.dn == "o=a/b"  # it has dot segments go
    with pytest.raises(urlsm.SchemeError):
        urlsm.parts("ldap://h:x/")


def test_build():
    parts = {
        "host": "h",
        "port": 1389,
        "dn": "o=a?b/c",
        "attributes": ["cn", "sn"],
        "scope": "one",
        "filter": "(o=?#é)",
        "extensions": [["x", "a,b?\0", True], ["y", None, False]],
    }
    assert LDAP.build(**parts) == "ldap://h:1389/o=a%3Fb%2Fc?cn,sn?one?(o=%3F%23%C3%A9)?!x=a%2Cb%3F%00,y"
    assert LDAP.build() == "ldap:///"
    assert LDAP.build(host="::1", scope="base", filter="(objectClass=*)") == "ldap://[::1]/"


@pytest.mark.parametrize(
    "parts",
    [
        {"dn": "o=\0"},
        {"attributes": ("a,b",)},
        {"attributes": ("",)},
        {"attributes": "cn"},
        {"attributes": ("a\r\nb",)},
        {"scope": "subtree"},
        {"scope": ""},
        {"filter": ""},
        {"filter": "(a=b)?x"},
        {"extensions": (("!a", None, False),)},
        {"extensions": (("a=b", None, False),)},
        {"extensions": (("a", None),)},
        {"host": "a@b", "port": "1/x"},
    ],
)
def test_build_refuses(parts):
    with pytest.raises(ValueError):
        LDAP.build(**parts)


def test_values_for_filters_and_names():
    assert LDAP.filter_value("a*(b)\\\0") == r"a\2a\28b\29\5c\00"
    assert LDAP.dn_value(' #a, "b"+\\\0 ') == r"\ #a\, \"b\"\+\\\00\ "
    assert LDAP.dn_value("#a") == r"\#a" and LDAP.dn_value(" ") == r"\ "
    hostile = "*)(uid=*))(|(a,dc=b"
    text = LDAP.build(dn=f"cn={LDAP.dn_value(hostile)},dc=c", filter=f"(uid={LDAP.filter_value(hostile)})")
    assert broken(text) == []


@pytest.mark.parametrize("piece", ["(&", "(!", "(a=b)", r"\2a", ")", "a", "1.1.", "*", "cn=a,", r"\,", "?", ","])
def test_long_texts(piece):
    """Nested or not: nothing crashes, and normal forms stay."""
    for start in ("ldap:///", "ldap:///cn=", "ldap:///?", "ldap:///???", "ldap:///???(a="):
        text = start + piece.replace("\\", "%5C") * (1 << 13)
        urlsm.validate(text, dialect="rfc3986")
        assert urlsm.normalize(urlsm.normalize(text)) == urlsm.normalize(text)


def test_a_deep_filter():
    deep = "(!" * (1 << 18) + "(a=b)" + ")" * (1 << 18)
    assert broken(f"ldap:///???{deep}") == []
    assert broken(f"ldap:///???{deep})") == [("ldap-filter-invalid", 11)]
