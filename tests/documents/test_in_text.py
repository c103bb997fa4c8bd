"""What must follow each scheme in running text: its handler says it, and only there."""

from __future__ import annotations

import re

import pytest

import urlsm
from urlsm.meaning.registry import known
from urlsm.schemes import Scheme
from urlsm.schemes.contract import IN_TEXT


def found(text):
    return [match.text for match in urlsm.documents.extract_urls(text)]


@pytest.mark.parametrize("scheme", sorted(known()))
def test_the_example_of_each_scheme_is_found_in_a_sentence(scheme):
    handler = urlsm.handler(scheme)
    example = handler.example
    if example.partition(":")[0] not in handler.names or urlsm.try_parse(example) is None:
        return  # a list of hosts is not a URL to the URL Standard
    assert found(f"As {example}, for instance (or <{example}>).") == [example, example]
    assert found(f"Ä {example} ä".encode()) == [example]


@pytest.mark.parametrize(
    "text",
    [
        *("pkg:npm/%40angular/animation@12.3.1", "pkg:github/a/b", "doi:10.1000/182", "tag:a@b.example,2001-05:x"),
        *("tag:blogger.com,1999:blog-555", "did:web:example.com", "did:key:z6Mk", "swh:1:cnt:" + "94a9ed02" * 5),
        *(
            "bitcoin:175tWpb8K1S7NmH4Zx6rewF9WQrcZv245W",
            "bitcoin:?lno=lno1abc",
            "nih:sha-256-120;5326-9057",
            "acct:a@b.c",
        ),
        *("lightning:lnbc20m1pvjluezpp5qqqsyqcyq5rqwzqf", "ethereum:0xfb6916095ca1df60bb79ce92ce3ea74c37c5d359"),
        *("ethereum:pay-vitalik.eth", "pkcs11:token=a;object=b", "intent:#Intent;action=a;end", "tel:+1-816-555-1212"),
        *("mailto:a@b.c", "magnet:?xt=urn:btih:x", "urn:isbn:0451450523", "otpauth://totp/a?secret=AB", "cid:a@b.c"),
        *("sqlite:////var/a.db", "sqlite+aiosqlite:////a.db", "file:////server/a", "tv:wqed.com", "dav:getetag"),
        *("vers:npm/1.2.3|>=2.0.0|<5.0.0", "vers:pypi/>=1.0|!=1.2.3", "vers:deb/*", "vers:npm/<2", "vers:gem/1.0.0"),
        *("cpe:/a:b:c:1.0", r"cpe:2.3:a:foo\\bar:x\"\>y:2010:*:*:*:s:i:80gb:*", "cpe:2.3:a:b:c:*:*:*:*:*:*:*:-"),
        *("matrix:u/a:b.c?action=chat", "matrix:roomid/a:b.c/e/d?via=e", "matrix://h/r/a:b"),
        *("containers-storage:[overlay@/var/lib]alpine:1", "containers-storage:docker.io/library/a:1"),
        *("view-source:http://a/", "git+https://a.b/c", "jdbc:mysql://h/d", "data:,x", "about:blank", "geo:1,2"),
    ],
)
def test_names_are_found(text):
    assert found(f"See {text}.") == [text] == found(f"({text})") == found(f"„{text}“")


@pytest.mark.parametrize(
    "text",
    [
        *(
            "info:foo",
            "note: x",
            "service:x",
            "pkg:foo",
            "pkg: npm/a",
            "tag:release",
            "tag:x,y:z",
            "tag:1,2:x",
            "did:you",
        ),
        *(
            "bitcoin:up",
            "bitcoin:antidisestablishmentarianism",
            "doi:pending",
            "doi:a/b",
            "session:1",
            "go:there",
            "tv:on",
        ),
        *("ethereum:merge", "lightning:strikes", "swh:1:x", "nih:funded", "pkcs11:tokens", "intent:clear", "acct:mine"),
        *(
            "mid:2020",
            "cid:x",
            "im:me",
            "pres:x",
            "mailto:x",
            "tel:me",
            "urn:x",
            "jabber:x",
            "iris:x",
            "iris:a/b",
            "info:and/or",
            "ipn:1",
            "leaptofrogans:a",
            "opaquelocktoken:f81d4fae",
            "service:on/off",
            "session:1/2",
            "dav:x",
            "dav:owner",
            "dav:getetags2",
            "ipn:x",
            "tv:on.Then",
            "tv:no.5",
            "vers:Paris/Lyon",
            "vers:1|2",
            "cpe:x",
            "cpe:/x",
            "cpe:2.3:a:b",
            "matrix:x/y",
            "matrix:reloaded",
            "containers-storage:here",
        ),
    ],
)
def test_prose_is_not(text):
    assert found(f"See {text}, and {text} now.") == []


@pytest.mark.parametrize(
    ("text", "inner"),
    [
        ("view-source:https://a.example/x", ["https://a.example/x"]),
        ("git+https://u@h/r.git@v1", ["https://u@h/r.git"]),
        ("view-source:jar:https://h/a.jar!/b", ["jar:https://h/a.jar!/b", "https://h/a.jar"]),
        ("intent:#Intent;S.browser_fallback_url=https%3A%2F%2Ff.example%2Fp;end", ["https://f.example/p"]),
        ("http://h/?u=http://i/", []),  # a web server may do anything with it
        ("mailto:a@b.c", []),
    ],
)
def test_urls_within_are_found_where_they_stand(text, inner):
    for given in (f"é {text}, and ({text})", f"é {text}, and ({text})".encode()):
        matches = [*urlsm.documents.extract_urls(given, nested=True)]
        assert [match.text for match in matches] == [text, *inner] * 2
        for match in matches:
            placed = given[match.start : match.end]
            placed = placed if isinstance(placed, str) else placed.decode()
            assert placed in (match.text, "https%3A%2F%2Ff.example%2Fp") and match.url == urlsm.parse(match.text)
        assert [match for match in matches if match.text == text] == [*urlsm.documents.extract_urls(given)]


def test_a_url_within_white_space_has_the_place_of_the_whole():
    [outer, inner] = urlsm.documents.extract_urls("<view-source:https://a.\n example/x>", nested=True)
    assert (inner.text, inner.start, inner.end) == ("https://a.example/x", outer.start, outer.end)
    nested = "view-source:" * 5000 + "http://h/"
    assert len([*urlsm.documents.extract_urls(nested, nested=True)]) < 100


def test_each_form_is_bounded_and_quick_whatever_the_text():
    """A form that looks at any length of text, or goes back and forth in it, would make extract quadratic."""
    forms = {urlsm.handler(name).in_text for name in known()}
    for form in forms | IN_TEXT.keys():
        pattern = re.compile(IN_TEXT.get(form, form))
        for piece in ("a", "1", "-", "a.", "1,", "%", "/", "a@", ":", "?", "a=", ";,", "(1"):
            for tail in ("", "!", " ", "@a", ":a", "=", ",x"):
                text = piece * 5000 + tail
                short = pattern.match(text, 0, 600)
                assert bool(short) == bool(pattern.match(text)), (form, piece, tail)


def test_a_handler_has_a_word_or_a_pattern_of_its_own():
    handler = type("Lot", (Scheme,), {"names": ("lot",), "in_text": r"[0-9]{3}-[a-z]", "authority": "forbidden"})
    urlsm.register(handler)
    try:
        assert found("a lot:100-b, a lot:100, a lot:of") == ["lot:100-b"] == found("ä lot:100-b, lot:of")
    finally:
        urlsm.unregister("lot")
    for wrong, error in (("prose", ValueError), ("[", re.error)):
        with pytest.raises(error):
            type("Wrong", (Scheme,), {"in_text": wrong})
