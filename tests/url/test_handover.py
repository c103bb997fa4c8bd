"""What a URL hands on, and takes: components as texts, values encoded, credentials, paths, the field Location."""

from __future__ import annotations

import contextlib
import copy
import re

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from support.checks import COMPONENTS, check_url, unescape
from support.generate import any_text, urls

from urlsm import URL, ParseError, parse, split, try_parse, validate

parsed = urls().map(try_parse).filter(lambda url: url is not None)


# --- a component is its text ---


@given(parsed)
@example(parse("http://h/100%"))
@example(parse("http://u%:p%@h/?%#%"))
@example(parse("foo:/.//x%"))
@example(parse("x:a  %"))
@example(parse("file:///C:/%7"))
def test_a_component_given_back_changes_nothing(url):
    """a lone "%" too: e106 and e107 of the reports of 2026-11"""
    given = {name: getattr(url, name) for name in COMPONENTS}
    assert url.replace(**given) == url
    for name, text in given.items():
        assert url.replace(**{name: text}) == url
    assume(not (url.password is not None and url.username is None))
    assert URL.build(**given) == url


@given(parsed, st.sampled_from(["path", "query", "fragment"]), any_text())
def test_a_percent_sign_stays_where_a_component_is_given(url, name, text):
    try:
        changed = url.replace(**{name: text})
    except ValueError:
        return
    assert len(re.findall("%25", getattr(changed, name) or "")) == text.count("%25") or "%" in text


# --- a value is encoded ---

VALUES = [
    "100%41",
    "50%25",
    "a%2Fb",
    "..%2f",
    "%00x",
    "%e9",
    "x%20y",
    "%7E",
    "%",
    "%2e",
    "%2E%2e",
    "a/b",
    "é",
    "a b",
    "\t",
    ";=+",
]


@pytest.mark.parametrize("value", VALUES)
def test_a_value_comes_back(value):
    """yarl, furl, hyperlink's DecodedURL and uritools write "%25"; pydantic#12434, sqlalchemy#10852"""
    for base in ("http://h/", "foo://h/a", "foo:/a"):
        longer = parse(base) / value
        assert longer.segments[-1] == longer.name == value
    made = URL.build(scheme="https", auth=("u", value), host="h", path="/")
    assert made.parts.password == value and made.auth == ("u", value)
    assert parse("https://x:y@h/?q#f").replace(auth=(value, value)).auth == (value, value)


@pytest.mark.parametrize("text", ["http://h/a%252Fb", "http://h/a%2541", "http://h/%25", "http://h/a%20b"])
def test_a_segment_of_one_url_is_one_of_another(text):
    segment = parse(text).segments[-1]
    assert (parse("http://h/") / segment).href == text


# --- auth ---


@given(st.text(max_size=9), st.text(max_size=9))
def test_credentials_come_back(user, password):
    assume(not re.search("[\ud800-\udfff]", user + password))
    made = URL.build(scheme="http", auth=(user, password), host="h")
    check_url(made)
    assert made.auth == ((user, password) if user or password else None)
    assert (
        made == parse("http://h").replace(auth=[user, password]) == parse("http://a:b@h").replace(auth=(user, password))
    )
    assert made.replace(auth=None).auth is None and made.replace(auth=made.auth) == made


@pytest.mark.parametrize(
    ("text", "auth"),
    [
        ("http://h/", None),
        ("http://@h/", None),
        ("http://:@h/", None),
        ("mailto:a@b", None),
        ("http://u@h/", ("u", "")),
        ("http://:p@h/", ("", "p")),
        ("http://u:p%40%C3%A9%@h/", ("u", "p@é%")),
        ("postgres://%2B+:a:b@h/", ("++", "a:b")),
        ("http://u:p@[::1]:80/", ("u", "p")),
    ],
)
def test_auth(text, auth):
    assert parse(text).auth == auth


@pytest.mark.parametrize("text", ["http://%FF@h/", "http://u:%C3@h/", "http://%ED%A0%80@h/"])
def test_octets_that_have_no_text_are_no_credentials(text):
    with pytest.raises(ValueError, match="not valid UTF-8"):
        parse(text).auth  # noqa: B018


@pytest.mark.parametrize(
    ("auth", "error"),
    [
        ("ab", TypeError),
        (("a",), TypeError),
        (("a", "b", "c"), TypeError),
        (("a", None), TypeError),
        ((b"a", "b"), TypeError),
        ({"a": 1, "b": 2}, TypeError),
        (1, TypeError),
        (("\udcff", ""), ValueError),
        (("u", "hunter2\ud800"), ValueError),
    ],
)
def test_what_is_no_pair_of_texts_is_refused(auth, error):
    for call in (parse("http://h/").replace, lambda auth: URL.build(scheme="http", host="h", auth=auth)):
        with pytest.raises(error) as refused:
            call(auth=auth)
        assert "hunter2" not in str(refused.value)


def test_auth_beside_its_parts_is_refused():
    for name in ("username", "password"):
        with pytest.raises(TypeError, match="pass either"):
            parse("http://h/").replace(auth=("u", "p"), **{name: "x"})
        with pytest.raises(TypeError, match="pass either"):
            URL.build(scheme="http", host="h", auth=("u", "p"), **{name: "x"})
    with pytest.raises(TypeError, match="pass either"):
        parse("http://h/").replace(auth=None, username=None)
    assert URL.build(scheme="http", host="h", auth=None, username="u").href == "http://u@h/"


def test_credentials_need_a_host():
    for text in ("mailto:a", "file:///a"):
        with pytest.raises(ValueError):
            parse(text).replace(auth=("u", "p"))
        assert parse(text).replace(auth=None) == parse(text)


def test_requests_and_httpx_take_auth():
    requests, httpx = pytest.importorskip("requests"), pytest.importorskip("httpx")
    url = parse("https://u%40x:p%3A%25@h/")
    bare = url.without_credentials().href
    sent = requests.Request("GET", bare, auth=url.auth).prepare().headers["Authorization"]
    assert sent == "Basic dUB4OnA6JQ=="
    flow = httpx.BasicAuth(*url.auth).auth_flow(httpx.Request("GET", bare))
    assert next(flow).headers["Authorization"] == sent


# --- socket_host ---


@pytest.mark.parametrize(
    ("text", "host"),
    [
        ("http://[::1]:8/", "::1"),
        ("foo://[2001:DB8::]/", "2001:db8::"),
        ("http://h/", "h"),
        ("http://127.1/", "127.0.0.1"),
        ("http://bücher.example/", "xn--bcher-kva.example"),
        ("file:///x", ""),
        ("mailto:a@[::1]", None),
    ],
)
def test_socket_host(text, host):
    assert parse(text).socket_host == host


# --- append_path ---


@pytest.mark.parametrize(
    ("text", "path", "wanted"),
    [
        ("https://h", "a/b", "https://h/a/b"),
        ("https://h/", "a/b", "https://h/a/b"),
        ("https://h/x?q#f", "a/b", "https://h/x/a/b?q#f"),
        ("https://h/x/?sig=%2B", "/a/b/", "https://h/x/a/b/?sig=%2B"),
        ("https://h/x", "a%2Fb%", "https://h/x/a%2Fb%"),
        ("https://h/x", "a?b#c", "https://h/x/a%3Fb%23c"),
        ("https://h/x", "", "https://h/x/"),
        ("https://h/x/", "", "https://h/x/"),
        ("https://h/x", "//a", "https://h/x//a"),
        ("https://h/x", "a\\b", "https://h/x/a%5Cb"),
        ("foo:/x", "é", "foo:/x/%C3%A9"),
        ("foo://h", "a", "foo://h/a"),
        ("foo:/", "/b", "foo:/b"),
        ("file:///", "C:/x", "file:///C:/x"),
    ],
)
def test_append_path(text, path, wanted):
    assert parse(text).append_path(path).href == wanted


@pytest.mark.parametrize("path", [".", "..", "a/../b", "%2e%2E/x", "./a", "a/."])
def test_a_dot_segment_is_not_appended(path):
    with pytest.raises(ValueError, match="would be parsed as"):
        parse("https://h/x").append_path(path)


@pytest.mark.parametrize(
    ("text", "path", "error"),
    [("mailto:a", "b", ValueError), ("http://h/", b"a", TypeError), ("http://h/", None, TypeError)],
)
def test_append_path_refuses(text, path, error):
    with pytest.raises(error):
        parse(text).append_path(path)


# --- Location ---


@pytest.mark.parametrize(
    ("field", "wanted"),
    [
        (b"/caf\xc3\xa9", "http://h/caf%C3%A9#f"),
        (b"/caf\xe9?\xff", "http://h/caf%E9?%FF#f"),
        ("/caf\xc3\xa9", "http://h/caf%C3%A9#f"),  # as http.client, requests and WSGI have the octets
        ("/café", "http://h/caf%E9#f"),
        ("/\u20ac", "http://h/%E2%82%AC#f"),  # as aiohttp and httpx decode them
        ("/\u20ac\udcff", "http://h/%E2%82%AC%FF#f"),
        (b"?q#", "http://h/a?q#"),
        (b"#g", "http://h/a#g"),
        (b"", "http://h/a#f"),
        (b" //x/y\t", "http://x/y#f"),
        (b"http://b\xc3\xbccher.example", "http://xn--bcher-kva.example/#f"),
        (b"mailto:a@b", "mailto:a@b#f"),
        ("/%zz%", "http://h/%zz%#f"),
    ],
)
def test_join_location(field, wanted):
    assert parse("http://h/a#f").join_location(field).href == wanted


@given(st.one_of(any_text(), st.binary(max_size=30)))
def test_join_location_survives_any_field(field):
    with contextlib.suppress(ParseError):
        check_url(parse("http://h/a").join_location(field))


def test_a_location_that_is_no_url_or_no_text_is_refused():
    with pytest.raises(ParseError):
        parse("http://h/").join_location(b"http://b\xfccher.example")  # not UTF-8
    for field in (None, 1, bytearray(b"/")):
        with pytest.raises(TypeError):
            parse("http://h/").join_location(field)


# --- rfc3986 ---


@given(parsed)
@example(parse("http://h/a|b^[c]?{d}[]|\\`#x#y^"))
@example(parse("http://a{b}`/%"))
@example(parse("x: a b|"))
@example(parse("foo:/.//x|"))
def test_the_text_by_rfc_3986_breaks_no_rule_of_its_grammar(url):
    text = url.rfc3986()
    assert text.isascii()
    assert [
        v
        for v in validate("x" + text, dialect="rfc3986")
        if v.code in ("character-not-allowed", "bad-percent-escape", "host-invalid")
    ] == []
    before, after = split(url.href, dialect="rfc3986"), split(text, dialect="rfc3986")
    for name in COMPONENTS:
        one, other = getattr(before, name), getattr(after, name)
        assert one == other or unescape(one) == unescape(other)  # the same values
    assert parse(text).rfc3986() == text


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("http://h/a?b#c", "http://h/a?b#c"),
        ("http://u:p@[::1]:81/", "http://u:p@[::1]:81/"),
        ("http://h/100%|?100%[x]#a#b", "http://h/100%25%7C?100%25%5Bx%5D#a%23b"),
        ("http://:p^@h/", "http://:p%5E@h/"),
        ("foo:/.//x", "foo:/.//x"),
        ("mailto:a b", "mailto:a%20b"),
    ],
)
def test_rfc3986(text, wanted):
    assert parse(text).rfc3986() == wanted


# --- display ---


@pytest.mark.parametrize(
    "text",
    [
        "foo:/.//evil.example/x",
        "s3:/.//x",
        "foo:/.//a?q#f",
        "foo:/.//",
        "foo:/.//é",
        "foo:/a/..//evil.example",
        "foo:/.//a?password=x",
        "foo:/.//a/é?token=x",
    ],
)
def test_display_shows_no_host_that_is_none(text):
    """URL Standard, serializer step 2; rust-url#601"""
    shown = parse(text).display()
    assert shown.startswith("foo:/.//" if text.startswith("foo") else "s3:/.//")
    assert split(shown).host is None and f"{parse(text):display}" == shown


def test_the_names_are_methods_of_the_value():
    url = parse("http://u:p@h/")
    for name in ("append_path", "auth", "join_location", "rfc3986", "socket_host"):
        assert name in dir(url) and getattr(URL, name).__doc__
        with pytest.raises(AttributeError):
            setattr(url, name, 1)
    assert copy.copy(url).auth == ("u", "p")
