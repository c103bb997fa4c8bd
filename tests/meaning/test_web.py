"""Links of http and https without their handler: web.pyx answers like the handler."""

from __future__ import annotations

import random

import pytest
from oracles.web import differences, link, much_like
from support.seeds import SEED

import urlsm
from urlsm.components.value import split, unsplit
from urlsm.machine.driver import use_plain, use_vectors
from urlsm.meaning.web import equivalent_links, is_valid_link, normal_link
from urlsm.octets import text as percent
from urlsm.schemes.web.http import Http

NORMAL = [  # a text, and its normal form
    ("http://example.org/a?b#c", None),
    ("https://example.org/%20%2F%00%D0%9F?%26#%23", None),
    ("http://h/a|b[c]?{d}^#`", None),
    ("http://1.2.3.4/", None),
    ("http://h:8080/", None),
    ("http://-h/", None),
    ("http://h", "http://h/"),
    ("http://h?q", "http://h/?q"),
    ("https://h#f", "https://h/#f"),
    ("HTTP://WWW.Example.ORG/A", "http://www.example.org/A"),
    ("http://h:80/", "http://h/"),
    ("https://h:0443", "https://h/"),
    ("https://h:80/", None),
    ("http://h:/", "http://h/"),
    ("http://h:00/", "http://h:0/"),
    ("http://h:0" + "0" * 40 + "81/", "http://h:81/"),
    ("http://h/%7Euser/%41%2d?%61#%2E", "http://h/~user/A-?a#."),
    ("http://h/%c3%a9?%2f#%ab", "http://h/%C3%A9?%2F#%AB"),
    ("http://h/%25%34%31", "http://h/%2541"),
    ("http://h/a/./b/../c", "http://h/a/c"),
    ("http://h/a/%2E%2e/b/%2e", "http://h/b/"),
    ("http://h/../..//./?../.", "http://h//?../."),
    ("http://h/a//../b/..", "http://h/a/"),
    ('http://a b"<\\/', None),
]
FOR_THE_HANDLER = [
    *("http://u@h/", "http://u:p@h/", "http://[::1]/", "http://h%41/", "http://a:b:1/", "http://h:x/", "http:///p"),
    *("http://:80/", "http://h/%", "http://h/%4", "http://h/?%zz", "http://h/#%%41", "http://h/é", "http://é/"),
    *("ftp://h/", "http:/h/", "http:h", "//h/", "", "httpss://h/", "shttp://h/", "http+unix://h/", "http://"),
]
VALID = [
    *("http://example.org/a?b#c", "https://h", "http://h?q", "http://h#", "HTTPS://H:65535/%41%2f", "http://h:/"),
    *("http://1.2.3.4/a/../b", "http://h/%00?%0D#?/@", "http://-h/!$&'()*+,;=:@~", "http://h:000000080/", "http://h/'"),
]
NOT_CLEARLY_VALID = [
    *(
        "http://u@h/",
        "http://h:65536/",
        "http://h:x/",
        "http:///",
        "http://h/|",
        "http://h/ ",
        "http://h/%",
        "http://h/#%4",
    ),
    *("http://h/##", "http://h/[", "http://h/?^", "http://h/é", "http://[::1]/", "http://a:1:2/", "ftp://h/", "h"),
]


@pytest.mark.parametrize(("text", "normal"), NORMAL)
def test_normal_forms(text, normal):
    assert normal_link(text) == urlsm.normalize(text) == (normal or text) == long_way(text)
    assert (normal_link(text) is text) == (normal is None)  # the caller's own
    assert equivalent_links(text, normal or text) is True and not urlsm.equivalent(text, "http://other/")
    assert list(differences(text, normal or text)) == []


def long_way(text: str) -> str:
    c = split(text, dialect="rfc3986")
    return unsplit(urlsm.handler(c.scheme).normalize(c))


@pytest.mark.parametrize("text", FOR_THE_HANDLER)
def test_what_the_handler_has_to_judge(text):
    assert normal_link(text) is None
    assert equivalent_links(text, "http://h/") is equivalent_links("http://h/", text) is None
    assert urlsm.equivalent(text, text) and not urlsm.equivalent("http://other/", text)


@pytest.mark.parametrize("text", VALID)
def test_valid_links(text):
    assert is_valid_link(text, "rfc3986") and urlsm.validate(text) == [] == list(differences(text, text))


@pytest.mark.parametrize("text", NOT_CLEARLY_VALID)
def test_links_that_may_break_a_rule(text):
    assert not is_valid_link(text, "rfc3986") and not is_valid_link(text, "whatwg")


@pytest.mark.parametrize("text", ["http://ab", "https://h?q", "http://a-b.c--d.1z/%7e?/%2F@#?", f"http://{'a' * 55}/"])
def test_links_that_the_url_standard_calls_valid(text):
    assert is_valid_link(text, "whatwg") and urlsm.validate(text, dialect="whatwg") == [] == list(
        differences(text, text)
    )
    use_plain(False)
    assert not is_valid_link(text, "whatwg") and urlsm.validate(text, dialect="whatwg") == []


@pytest.mark.parametrize(
    "host", ["a_b", "-a", "a-", "a.-b.c", "xn--a", "ab--c", "a..b", ".a", "a!b", "a" * 64, "1.2", "H"]
)
def test_hosts_that_the_url_standard_may_report(host):
    assert not is_valid_link(f"http://{host}/", "whatwg") and list(differences(f"http://{host}/", "")) == []


@pytest.mark.parametrize("dialect", ["rfc2396", "rfc1738", "barth", "stdlib", "", None])
def test_other_dialects_are_judged_elsewhere(dialect):
    assert not is_valid_link("http://h/", dialect)


def test_http_is_not_https():
    assert urlsm.equivalent("http://h/", "https://h/") is False
    assert urlsm.equivalent("https://h:443", "HTTPS://H/") is True
    assert urlsm.equivalent("http://h/#a", "http://h/#b") is False


def test_random_links(many):
    rng = random.Random(SEED or 21)
    for _ in range(many):
        text = link(rng)
        assert list(differences(text, much_like(text, rng))) == []


@pytest.fixture(autouse=True)
def restore():
    before = use_plain(True)
    yield
    use_plain(before)
    use_vectors(64)
    percent.use_vectors(64)


@pytest.mark.parametrize("octet", [chr(k) for k in range(0x81)])
def test_any_octet_anywhere(octet):
    for text in ("http://a{}b/", "http://h:8{}/", "http://h/a{}b", "http://h/?a{}b", "http://h/#a{}b", "http{}://h/"):
        assert list(differences(text.format(octet), "http://h/")) == []
    for place in range(6):
        assert list(differences("http://h/%4"[:place] + octet + "http://h/%4"[place:], "http://h/")) == []


def test_any_escape():
    for octet in range(256):
        for escape in (f"%{octet:02x}", f"%{octet:02X}", f"%{octet:02X}"[:2] + f"{octet:02x}"[1:]):
            for text in (f"http://h/{escape}", f"https://h/?{escape}#{escape}", f"http://h/a/{escape}{escape}/b"):
                assert list(differences(text, f"http://h/{chr(octet)}")) == []


@pytest.mark.parametrize("piece", ["%2f", "%2F", "%7e", "/.", "/..", "#", "|", "%"])
def test_pieces_where_the_blocks_end(piece):
    for end in (64, 128, 512, 576, 768):
        for at in range(end - 12, end + 3):
            text = f"http://h/{'a' * (at - 9)}{piece}/b"
            assert list(differences(text, text)) == []


def test_any_type_that_is_a_url():
    class Text(str):
        pass

    url = urlsm.parse("http://h/%7e?q=%2f")
    for given in (url.href, url.href.encode(), url, Text(url.href)):
        assert urlsm.normalize(given) == "http://h/~?q=%2F" and type(urlsm.normalize(given)) is str
        assert urlsm.validate(given) == [] and urlsm.equivalent(given, "http://h/~?q=%2F")
    assert normal_link(b"http://h/a") == "http://h/a" and normal_link("http://h/é".encode()) is None
    for wrong in (None, 1, ["http://h/"], bytearray(b"http://h/")):
        assert normal_link(wrong) is None and not is_valid_link(wrong, "rfc3986")
        with pytest.raises(TypeError):
            urlsm.normalize(wrong)  # type: ignore[arg-type]
        with pytest.raises(TypeError):
            urlsm.equivalent("http://h/", wrong)  # type: ignore[arg-type]


def test_long_links():
    many = 100_000
    text = "http://h/" + "%d0/../" * many + "%41" * many + "?" + "%7e%2f" * many
    assert urlsm.normalize(text) == "http://h/" + "A" * many + "?" + "~%2F" * many == long_way(text)
    assert urlsm.validate(text) == [] and urlsm.validate(text + "%") != []


@pytest.mark.parametrize("name", ["http", "https"])
def test_a_registered_handler_is_asked(name):
    kind = type("Own", (Http,), {"names": (name,), "default_port": 80 if name == "http" else 443})
    text = f"{name}://h/a"
    urlsm.register(kind)
    try:
        assert normal_link(text) is equivalent_links(text, text) is None and not is_valid_link(text, "rfc3986")
        assert urlsm.normalize(text) == text and urlsm.equivalent(text, text) and urlsm.validate(text) == []
    finally:
        urlsm.unregister(name)
    assert normal_link(text) is text and equivalent_links(text, text) and is_valid_link(text, "rfc3986")


def test_a_url_keeps_the_handler_that_it_was_made_with():
    class Loud(Http):
        names = ("http", "loud")

        def violations(self, components):
            yield self.violation("path-not-allowed", "path", 0)

    before = urlsm.parse("http://h/a")
    urlsm.register(Loud)
    try:
        made = urlsm.parse("http://h/a")
        assert len(made.violations()) == 1 and before.violations() == []
    finally:
        urlsm.unregister("http")
    assert len(made.violations()) == 1 and before.violations() == []
    urlsm.unregister("loud")
    assert len(made.violations()) == 1 and urlsm.parse("http://h/a").violations() == []
