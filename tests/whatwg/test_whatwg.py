"""urlsm.whatwg: URL, by the standard (URLSearchParams: test_search_params.py)."""

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.whatwg import FULL, SETTERS, TEXTS, pairs

from urlsm import ParseError
from urlsm.url.params import parse_form
from urlsm.url.value import parse
from urlsm.whatwg import URL, URLSearchParams

# ---- URL: making ---------------------------------------------------------------------------------------


def test_attributes():
    url = URL(" HTTPS://User:pa%20ss@EXAMPLE.com:8080/a/../b?x=1#frag ")
    assert url.href == "https://User:pa%20ss@example.com:8080/b?x=1#frag"
    assert url.origin == "https://example.com:8080"
    assert url.protocol == "https:"
    assert url.username == "User"
    assert url.password == "pa%20ss"
    assert url.host == "example.com:8080"
    assert url.hostname == "example.com"
    assert url.port == "8080"
    assert url.pathname == "/b"
    assert url.search == "?x=1"
    assert url.hash == "#frag"
    assert pairs(url.search_params) == [("x", "1")]


@pytest.mark.parametrize("text", ["http://h", "http://h:80/?#", "http://@h/?#", "http://:@h/"])
def test_absent_and_empty_are_empty(text):
    url = URL(text)
    assert (url.username, url.password, url.port, url.search, url.hash) == ("",) * 5
    assert url.host == url.hostname == "h"
    assert len(url.search_params) == 0


@pytest.mark.parametrize(
    ("text", "origin", "host", "pathname"),
    [
        ("mailto:a@b", "null", "", "a@b"),
        ("file:///C|/x", "null", "", "/C:/x"),
        ("file://host/x", "null", "host", "/x"),
        ("foo://h:1", "null", "h:1", ""),
        ("foo:///p", "null", "", "/p"),
        ("web+demo:/.//not-a-host/", "null", "", "//not-a-host/"),
        ("http://[::0:1]:81", "http://[::1]:81", "[::1]:81", "/"),
        ("blob:https://h:443/x", "https://h", "", "https://h:443/x"),
        ("blob:ftp://h/x", "null", "", "ftp://h/x"),
    ],
)
def test_other_schemes(text, origin, host, pathname):
    url = URL(text)
    assert (url.origin, url.host, url.pathname) == (origin, host, pathname)


def test_base():
    assert URL("../c?d", FULL).href == "https://user:pass@example.com:8080/c?d"
    assert URL("../c", URL(FULL)).href == URL("../c", parse(FULL)).href == "https://user:pass@example.com:8080/c"
    assert URL("#x", "mailto:a").href == "mailto:a#x"
    assert URL(URL(FULL)).href == URL(parse(FULL)).href == FULL
    assert URL(url="x", base="http://h").href == "http://h/x"
    assert URL("http://h", None).href == "http://h/"


@pytest.mark.parametrize(
    ("text", "base"),
    [("", None), ("x", None), ("http://", None), ("http://h", ""), ("http://h", "x"), ("x", "mailto:a")],
)
def test_refused(text, base):
    with pytest.raises(ParseError) as caught:
        URL(text, base)
    assert isinstance(caught.value, ValueError)
    assert URL.parse(text, base) is None
    assert URL.can_parse(text, base) is False


def test_parse_and_can_parse():
    url = URL.parse("x", "http://h")
    assert type(url) is URL
    assert url.href == "http://h/x"
    assert URL.can_parse("x", "http://h") is URL.can_parse("http://h") is True
    assert URL.can_parse(URL("x:"), parse("y:")) is True

    class Mine(URL):
        pass

    assert type(Mine.parse("http://h")) is Mine


@pytest.mark.parametrize("bad", [None, 1, ["http://h"], object()])
def test_texts_that_are_not_urls(bad):
    for make in URL, URL.parse, URL.can_parse:
        with pytest.raises(TypeError):
            make(bad)
        if bad is not None:
            with pytest.raises(TypeError):
                make("http://h", bad)


def test_texts():
    url = URL(FULL)
    assert str(url) == url.to_json() == url.href == FULL
    assert repr(url) == "URL('https://user:***@example.com:8080/a/b?x=1&y=2#frag')"
    assert repr(URL("http://u@h/")) == "URL('http://u@h/')"


# ---- URL: setters --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("start", "name", "value", "href"),
    [
        (FULL, "protocol", "WSS", "wss://user:pass@example.com:8080/a/b?x=1&y=2#frag"),
        (FULL, "protocol", "ftp:anything", "ftp://user:pass@example.com:8080/a/b?x=1&y=2#frag"),
        (FULL, "protocol", "foo", FULL),  # special stays special
        (FULL, "protocol", "", FULL),
        (FULL, "protocol", "1x", FULL),
        (FULL, "protocol", "file", FULL),  # has credentials and a port
        ("http://h:443/", "protocol", "https", "https://h/"),
        ("foo:bar", "protocol", "baz", "baz:bar"),
        ("foo:bar", "protocol", "http", "foo:bar"),
        ("file:///p", "protocol", "http", "file:///p"),
        ("http://h/", "username", "a:b@\ud800", "http://a%3Ab%40%EF%BF%BD@h/"),
        ("http://u:p@h/", "username", "", "http://:p@h/"),
        ("http://u:p@h/", "password", "", "http://u@h/"),
        ("http://h/", "password", "a\tb/%41", "http://:a%09b%2F%41@h/"),  # nothing is removed here
        ("file://h/", "username", "u", "file://h/"),
        ("https://h:8/a?b#c", "username", "u%", "https://u%@h:8/a?b#c"),
        ("https://:p@h:8/a?b#c", "username", "u", "https://u:p@h:8/a?b#c"),
        ("https://user@h/", "username", "u", "https://u@h/"),
        ("https://user:pw@h/?", "username", "longer-user", "https://longer-user:pw@h/?"),
        ("x://h/", "username", "u", "x://u@h/"),
        ("mailto:a", "password", "p", "mailto:a"),
        (FULL, "host", "other:81/ignored", "https://user:pass@other:81/a/b?x=1&y=2#frag"),
        (FULL, "host", "other", "https://user:pass@other:8080/a/b?x=1&y=2#frag"),
        (FULL, "host", "other:", "https://user:pass@other:8080/a/b?x=1&y=2#frag"),
        (FULL, "host", "other:443", "https://user:pass@other/a/b?x=1&y=2#frag"),
        (FULL, "host", "other:99999", "https://user:pass@other:8080/a/b?x=1&y=2#frag"),
        (FULL, "host", "other:x", "https://user:pass@other:8080/a/b?x=1&y=2#frag"),
        (FULL, "host", "", FULL),
        (FULL, "host", ":1", FULL),
        (FULL, "host", "a b", FULL),
        (FULL, "host", "\t0x7f.1\n", "https://user:pass@127.0.0.1:8080/a/b?x=1&y=2#frag"),
        ("foo:/a", "host", "h:1", "foo://h:1/a"),
        ("foo:/a", "host", "", "foo:///a"),
        ("foo://h/a", "host", ":1", "foo://h/a"),
        ("foo://h:1/a", "host", "", "foo://h:1/a"),
        ("mailto:a", "host", "h", "mailto:a"),
        (FULL, "hostname", "Other\\x", "https://user:pass@other:8080/a/b?x=1&y=2#frag"),
        (FULL, "hostname", "other:81", FULL),
        (FULL, "hostname", "[::1]", "https://user:pass@[::1]:8080/a/b?x=1&y=2#frag"),
        (FULL, "hostname", "bücher.de", "https://user:pass@xn--bcher-kva.de:8080/a/b?x=1&y=2#frag"),
        ("file:///p", "hostname", "h", "file://h/p"),
        ("file:///p", "hostname", "localhost", "file:///p"),
        (FULL, "port", "", "https://user:pass@example.com/a/b?x=1&y=2#frag"),
        (FULL, "port", "443", "https://user:pass@example.com/a/b?x=1&y=2#frag"),
        (FULL, "port", "0090x", "https://user:pass@example.com:90/a/b?x=1&y=2#frag"),
        (FULL, "port", "\n9\t1", "https://user:pass@example.com:91/a/b?x=1&y=2#frag"),
        (FULL, "port", "65536", FULL),
        (FULL, "port", "x1", FULL),
        (FULL, "port", " 1", FULL),
        (FULL, "port", "\r", FULL),  # not the empty string
        ("file://h/", "port", "1", "file://h/"),
        (FULL, "pathname", "", "https://user:pass@example.com:8080/?x=1&y=2#frag"),
        (FULL, "pathname", "p/./q/../r?#\\^ ", "https://user:pass@example.com:8080/p/r%3F%23/%5E%20?x=1&y=2#frag"),
        ("foo://h/p", "pathname", "", "foo://h"),
        ("foo:/p", "pathname", "", "foo:/"),
        ("foo:/p", "pathname", "//x", "foo:/.//x"),
        ("mailto:a", "pathname", "b", "mailto:a"),
        (FULL, "search", "", "https://user:pass@example.com:8080/a/b#frag"),
        (FULL, "search", "?", "https://user:pass@example.com:8080/a/b?#frag"),
        (FULL, "search", "??a'#\tb", "https://user:pass@example.com:8080/a/b??a%27%23b#frag"),
        ("foo:a'", "search", "'", "foo:a'?'"),
        (FULL, "hash", "", "https://user:pass@example.com:8080/a/b?x=1&y=2"),
        (FULL, "hash", "#", "https://user:pass@example.com:8080/a/b?x=1&y=2#"),
        (FULL, "hash", "##a`\n \ud800", "https://user:pass@example.com:8080/a/b?x=1&y=2##a%60%20%EF%BF%BD"),
        (FULL, "href", " http://NEW ", "http://new/"),
    ],
)
def test_setter(start, name, value, href):
    url = URL(start)
    setattr(url, name, value)
    assert url.href == href
    assert parse(href).href == href


def test_href_that_does_not_parse_changes_nothing():
    url = URL(FULL)
    params = url.search_params
    for bad in ("", "x", "http://", "//h"):
        with pytest.raises(ParseError):
            url.href = bad
    assert url.href == FULL
    assert pairs(params) == [("x", "1"), ("y", "2")]


def test_read_only():
    url = URL(FULL)
    for name in ("origin", "search_params", "path"):
        with pytest.raises(AttributeError):
            setattr(url, name, "x")
    with pytest.raises(AttributeError):
        url.search_params.size = 1


@pytest.mark.parametrize("bad", [None, 80, b"x", ["x"], URL("x:")])
@pytest.mark.parametrize("name", SETTERS)
def test_values_are_str(name, bad):
    url = URL(FULL)
    with pytest.raises(TypeError):
        setattr(url, name, bad)
    assert url.href == FULL
    assert pairs(url.search_params) == [("x", "1"), ("y", "2")]


def test_subclass_of_str():
    class Text(str):
        def __str__(self):
            return "lie"

    for name in SETTERS:
        one, two = URL(FULL), URL(FULL)
        setattr(one, name, Text("ws:1"))
        setattr(two, name, "ws:1")
        assert one.href == two.href
        assert pairs(one.search_params) == pairs(two.search_params)
    params = URLSearchParams(Text("?a=b"))
    params.append(Text("c"), Text("d"))
    assert str(params) == "a=b&c=d"
    assert {type(part) for pair in params for part in pair} == {str}


@given(st.lists(st.tuples(st.sampled_from(SETTERS), TEXTS), max_size=4))
def test_any_setter_with_any_text(steps):
    url = URL(FULL)
    params = url.search_params
    for name, value in steps:
        before = url.href
        try:
            setattr(url, name, value)
        except ParseError:
            assert name == "href"
            assert url.href == before
        assert parse(url.href).href == url.href
        assert url.href.isascii()
        if name == "search":
            assert pairs(params) == parse_form(value.removeprefix("?"))
        assert url.search_params is params


@pytest.mark.slow(3)
@pytest.mark.parametrize("name", SETTERS)
@pytest.mark.parametrize("unit", ["a", "%", "é", "\ud800", "\t", "/", "../", ":", "@", "&=", "1", "\0"])
def test_megabytes(name, unit):
    text = unit * (1 << 18)
    url = URL(FULL)
    if name == "href":
        text = "http://h/" + text
    setattr(url, name, text)
    url.search_params.append("a", "b")
    assert parse(url.href).href == url.href


# ---- copy and pickle -----------------------------------------------------------------------------------


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickle(protocol):
    url = URL(FULL)
    for _ in range(2):  # before search_params is made, and after
        again = pickle.loads(pickle.dumps(url, protocol))
        assert again.href == FULL
        again.search_params.append("z", "3")
        assert again.search == "?x=1&y=2&z=3"
        assert url.href == FULL
        assert url.search_params.size == 2

    url, params = pickle.loads(pickle.dumps((url, url.search_params), protocol))
    assert url.search_params is params
    params.delete("x")
    assert url.search == "?y=2"
    assert pairs(pickle.loads(pickle.dumps(URLSearchParams("a=1"), protocol))) == [("a", "1")]


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
def test_copy(copied):
    url = URL("http://h/")
    assert copied(url).search_params is not url.search_params
    url.search = "a\t=1"
    twin = copied(url)
    assert type(twin) is URL
    assert pairs(twin.search_params) == [("a\t", "1")]
    twin.search_params.append("b", "2")
    twin.hash = "f"
    assert twin.href == "http://h/?a%09=1&b=2#f"
    assert url.href == "http://h/?a=1"
    assert pairs(url.search_params) == [("a\t", "1")]


def test_copy_of_params():
    url = URL("http://h/?a=1")
    for copied in copy.copy, copy.deepcopy:
        twin = copied(url.search_params)
        twin.append("b", "2")
        assert str(twin) == "a=1&b=2"
        assert url.href == "http://h/?a=1"
