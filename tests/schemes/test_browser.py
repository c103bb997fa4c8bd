"""blob, about, javascript, view-source."""

from __future__ import annotations

import pytest
from support.checks import broken, check_normal_form

import urlsm

UUID = "9115d58c-bcda-ff47-86e5-083e9a215304"
BLOB, ABOUT, SCRIPT, SOURCE = map(urlsm.handler, ("blob", "about", "javascript", "view-source"))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        # blob
        (f"blob:chrome-extension://abc/{UUID}", []),
        (f"blob:HTTPS://Example.org:8443/{UUID.upper()}#f", []),
        ("blob:", [("blob-origin-invalid", 5), ("blob-uuid-invalid", 5)]),
        ("blob:null", [("blob-uuid-invalid", 9)]),
        ("blob:null/", [("blob-uuid-invalid", 10)]),
        (f"blob:https://example.com:/{UUID}", [("blob-origin-invalid", 5)]),
        (f"blob:https://example.com:80/{UUID}", []),
        (f"blob:/{UUID}", [("blob-origin-invalid", 5)]),
        (f"blob:example.org/{UUID}", [("blob-origin-invalid", 5)]),
        (f"blob:https:/{UUID}", [("blob-origin-invalid", 5)]),
        (f"blob:https:///{UUID}", [("blob-origin-invalid", 5)]),
        (f"blob:https://u@h/{UUID}", [("blob-origin-invalid", 5)]),
        (f"blob:https://h:65536/{UUID}", [("blob-origin-invalid", 5)]),
        (f"blob:https://h:x/{UUID}", [("blob-origin-invalid", 5)]),
        (f"blob:1a://h/{UUID}", [("blob-origin-invalid", 5), ("blob-uuid-invalid", 9)]),
        (f"blob:Null/{UUID}", [("blob-origin-invalid", 5)]),
        (f"blob:https://h/{UUID[:-1]}", [("blob-uuid-invalid", 15)]),
        (f"blob:https://h/{UUID}0", [("blob-uuid-invalid", 15)]),
        (f"blob:https://h/a/{UUID}", [("blob-uuid-invalid", 15)]),
        (f"blob:https://h/{UUID.replace('-', '_')}", [("blob-uuid-invalid", 15)]),
        (f"blob://h/{UUID}", [("authority-not-allowed", 5)]),
        (f"blob:null/{UUID}?q", [("query-not-allowed", 46)]),
        (f"blob:http://[::1]/{UUID}", [("character-not-allowed", 12), ("character-not-allowed", 16)]),
        # about
        ("about:a%2Fb;c=@:!?d/e?#f/?", []),
        ("about:/", [("character-not-allowed", 6)]),
        ("about:é?[#^", [("character-not-allowed", p) for p in (6, 8, 10)]),
        # javascript
        ("javascript:", []),
        ("javascript://h%0Aalert(1)?a:b#c/?", []),
        ("javascript://h:port@x:y", []),
        ("javascript:a#b#c", [("character-not-allowed", 14)]),
        ("javascript:a[0]", [("character-not-allowed", 12), ("character-not-allowed", 14)]),
        ('javascript:"#<%', [("character-not-allowed", 11), ("character-not-allowed", 13), ("bad-percent-escape", 14)]),
        # view-source
        ("view-source:data:,a?b", []),
        ("view-source:about:", []),
        ("view-source:http://u:p@h:80/%41?b?c#d", []),
        ("view-source:a/b:c", [("view-source-target-invalid", 12)]),
        ("view-source:?a:b", [("view-source-target-invalid", 12)]),
        ("view-source:#a:b", [("view-source-target-invalid", 12)]),
        ("view-source:h_p:x", [("view-source-target-invalid", 12)]),
        ("view-source:http://h:x/", [("view-source-target-invalid", 12)]),
        ("view-source:http://h/ %zz", [("character-not-allowed", 21), ("bad-percent-escape", 22)]),
        ("view-source:http://h/#<", [("character-not-allowed", 22)]),
        ("view-source:<", [("character-not-allowed", 12), ("view-source-target-invalid", 12)]),
    ],
)  # fmt: skip
def test_violations(text, found):
    assert broken(text) == found


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (f"blob:HTTPS://Example.org:8443/{UUID.upper()}", ("https://example.org:8443", UUID)),
        (f"blob:null/{UUID}", ("null", UUID)),
        ("about:a%2Fb%3a%FF?c%20d", ("a/b:\udcff", "c%20d")),
        ("about:", ("", None)),
        ("about:?", ("", "")),
        ("javascript:a%20b?c#d%C3%A9%ED%A0%80", ("a b?c#dé\udced\udca0\udc80",)),
        ("javascript:%2F%2Fhost%0Aalert(1)", ("//host\nalert(1)",)),
        ("javascript:%2Fa%2F../", ("/a/../",)),
        ("view-source:http://h/%41?b", ("http://h/%41?b",)),
    ],
)
def test_parts(text, parts):
    found = urlsm.parts(text)
    assert tuple(dict(found).values()) == parts
    assert urlsm.parse(text).parts == found
    again = urlsm.handler(text.partition(":")[0]).build(**found)
    assert urlsm.parts(again) == urlsm.parse(again).parts == found
    assert urlsm.equivalent(again, text)


def test_parts_of_a_url_are_lenient():
    assert urlsm.parse(f"blob:http://[::1]:80/{UUID}").parts.origin == "http://[::1]:80"
    assert dict(urlsm.parse("blob:x").parts) == {"origin": "x", "uuid": ""}
    assert urlsm.parse('javascript:"a<b"').parts.source == '"a<b"'
    assert urlsm.parse("view-source:x").parts.target == "x"
    assert urlsm.parse("about:a b").parts.token == "a b"


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        (f"BLOB:HTTPS://H/{UUID.upper()}#A%2d", f"blob:https://h/{UUID}#A-"),
        ("ABOUT:Bl%61nk%3a%2f?%2d#%2d", "about:Blank:%2F?-#-"),
        ("about:..", "about:.."),
        ("JAVASCRIPT://Host%0aAlert(%31)/../?a#b", "javascript://Host%0AAlert(1)/../?a#b"),
        ("View-Source:VIEW-SOURCE:HTTP://H:80/../a?b#c%2d", "view-source:view-source:http://h/a?b#c-"),
        ("view-source:URN:X1:%2d", "view-source:urn:x1:%2D"),
        ("view-source:../A", "view-source:../A"),
    ],
)
def test_normal_forms(text, normal):
    check_normal_form(text, normal)


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        (f"blob:null/{UUID}", f"blob:null/{UUID}#f", False),
        (f"blob:http://h/{UUID}", f"blob:http://h:80/{UUID}", False),  # texts
        ("about:a%3Ab", "about:a:b", True),
        ("about:a%2Fb", "about:a/b", False),
        ("about:blank", "about:Blank", False),
        ("about:blank", "about:blank#", False),
        ("javascript:a%23b", "javascript:a#b", True),
        ("javascript:a%3d%2F%2F", "JavaScript:a=//", True),
        ("javascript:a+b", "javascript:a%20b", False),
        ("javascript:A", "javascript:a", False),
        ("view-source:http://h", "VIEW-SOURCE:HTTP://H:80/", True),
        ("view-source:urn:a1:b?=c", "view-source:urn:a1:b", True),
        ("view-source:http://h/#a", "view-source:http://h/", True),  # outside the target
        ("view-source:http://h/", "view-source:https://h/", False),
        ("view-source:http://h/", "view-source:view-source:http://h/", False),
        ("view-source:http://h/", "http://h/", False),
    ],
)
def test_equivalence(a, b, same):
    assert urlsm.equivalent(a, b) is urlsm.equivalent(b, a) is same


@pytest.mark.parametrize(
    ("handler", "parts", "text"),
    [
        (BLOB, {"origin": "https://h", "uuid": UUID}, f"blob:https://h/{UUID}"),
        (ABOUT, {"token": "a/b?#%é\udcff\r\n\0", "query": "q"}, "about:a%2Fb%3F%23%25%C3%A9%FF%0D%0A%00?q"),
        (SCRIPT, {"source": "//a\nb(\"<é>\")#c%d#"}, "javascript:%2F/a%0Ab(%22%3C%C3%A9%3E%22)#c%25d%23"),
        (SCRIPT, {}, "javascript:"),
        (SOURCE, {"target": "http://h/?a"}, "view-source:http://h/?a"),
    ],
)  # fmt: skip
def test_build(handler, parts, text):
    assert handler.build(**parts) == text


@pytest.mark.parametrize(
    ("handler", "parts"),
    [
        (BLOB, {"origin": "https://h"}),
        (BLOB, {"uuid": UUID}),
        (BLOB, {"origin": "https://h/", "uuid": UUID}),
        (BLOB, {"origin": f"null/{UUID}#", "uuid": UUID}),
        (BLOB, {"origin": "//h", "uuid": UUID}),
        (ABOUT, {"token": "a", "query": "b#c"}),
        (ABOUT, {"token": "a", "query": "b\r\n"}),
        (SOURCE, {"target": ""}),
        (SOURCE, {"target": "a"}),
        (SOURCE, {"target": "http://h/#a"}),
        (SOURCE, {"target": "http://h/\r\n"}),
        (SOURCE, {"target": "http://h/\udcff"}),
    ],
)
def test_build_refuses(handler, parts):
    with pytest.raises(ValueError):
        handler.build(**parts)


@pytest.mark.parametrize("prefix", ["view-source:", "x+view-source:", "View-Source+x:"])
def test_any_number_of_prefixes(prefix):
    """No recursion, also where the scheme only inherits the handler."""
    text = f"view-source:{prefix * (1 << 15)}HTTP://H/"
    assert broken(text) == []
    assert urlsm.parse(text).parts.page == "HTTP://H/"
    normal = urlsm.normalize(text)
    assert normal.endswith(f"{prefix.lower()}http://h/") and urlsm.normalize(normal) == normal
    assert urlsm.equivalent(text, normal)
