"""URL.build, and the messages of build and replace for impossible components."""

from __future__ import annotations

import inspect
import random
import re

import pytest
from support.checks import check_url, components
from support.generate import random_case
from support.seeds import seeded

import urlsm
from urlsm import URL, parse, try_parse

NAMES = URL.__match_args__


@pytest.mark.parametrize(
    ("components", "wanted"),
    [
        ({"scheme": "https", "host": "ex.com"}, "https://ex.com/"),
        ({"scheme": "HTTPS", "host": "EX.com", "path": "/A"}, "https://ex.com/A"),
        ({"scheme": "https", "host": "bücher.example", "port": 443}, "https://xn--bcher-kva.example/"),
        ({"scheme": "https", "host": "h", "port": 0}, "https://h:0/"),
        ({"scheme": "http", "host": "[2001:DB8::1]", "port": 8080}, "http://[2001:db8::1]:8080/"),
        ({"scheme": "http", "host": "h", "path": "/a b/%41%2f/é?#"}, "http://h/a%20b/%41%2f/%C3%A9%3F%23"),
        ({"scheme": "http", "host": "h", "query": "a=é&b=%20#'"}, "http://h/?a=%C3%A9&b=%20%23%27"),
        ({"scheme": "foo", "host": "h", "query": "'"}, "foo://h?'"),
        ({"scheme": "http", "host": "h", "query": "", "fragment": ""}, "http://h/?#"),
        ({"scheme": "http", "host": "h", "query": {"a": "b c", "n": [1, 2]}}, "http://h/?a=b+c&n=1&n=2"),
        ({"scheme": "http", "host": "h", "query": [("x", "&"), ("x", 1.5)]}, "http://h/?x=%26&x=1.5"),
        ({"scheme": "ftp", "host": "h", "username": "a@b", "password": "c:/d"}, "ftp://a%40b:c%3A%2Fd@h/"),
        ({"scheme": "http", "host": "h", "password": "p"}, "http://:p@h/"),
        ({"scheme": "mailto", "path": "a b@ex.com", "query": "subject=x y"}, "mailto:a b@ex.com?subject=x%20y"),
        ({"scheme": "data", "path": ",x  "}, "data:,x%20%20"),
        ({"scheme": "urn", "path": "isbn:5#"}, "urn:isbn:5%23"),
        ({"scheme": "file", "path": "/a b"}, "file:///a%20b"),
        ({"scheme": "file", "host": "server", "path": "/x"}, "file://server/x"),
        ({"scheme": "foo"}, "foo:"),
        ({"scheme": "foo", "path": "/"}, "foo:/"),
        ({"scheme": "foo", "path": "//x"}, "foo:/.//x"),
        ({"scheme": "foo", "host": "", "path": "/x"}, "foo:///x"),
        ({"scheme": "s3", "host": "bucket", "path": "/k"}, "s3://bucket/k"),
        ({"scheme": "http", "host": "h", "path": "/\udc80\ud800"}, "http://h/%80%EF%BF%BD"),
    ],
)
def test_build(components, wanted):
    assert check_url(URL.build(**components)).href == wanted


def test_a_url_is_built_of_its_own_components(cases):
    """Only with "%" that begin an escape: others are encoded, so that the text is read as given."""
    rng, count = seeded(20), 0
    for _ in range(cases):
        text, base = random_case(rng)
        url = try_parse(text, base=base)
        if url is not None and not re.search("%(?![0-9A-Fa-f]{2})", url.href):
            assert URL.build(**components(url)) == url
            count += 1
    assert count > cases / 4


@pytest.mark.parametrize(
    ("components", "said"),
    [
        ({"scheme": "http"}, "an http URL needs a host"),
        ({"scheme": "https", "host": "", "path": "/"}, "an https URL needs a host"),
        ({"scheme": "foo", "port": 5}, "a username, password or port needs a host"),
        ({"scheme": "foo", "username": "u"}, "a username, password or port needs a host"),
        ({"scheme": "foo", "host": "", "port": 5}, "a username, password or port needs a host that is not empty"),
        ({"scheme": "file", "host": "h", "port": 5}, "a file URL has no username, password or port"),
        ({"scheme": "1a", "host": "h"}, "the scheme '1a' must be a letter, then"),
        ({"scheme": "", "path": "x"}, "the scheme '' must be a letter, then"),
        ({"scheme": "é", "path": "x"}, "the scheme 'é' must be a letter, then"),
        ({"scheme": "http", "host": "h", "path": "x"}, "the path must be empty or start with '/' after a host"),
        ({"scheme": "http", "host": "h", "path": "/a/./b"}, "the path '/a/./b' would be parsed as '/a/b'"),
        ({"scheme": "foo", "path": "/a/../b"}, "the path '/a/../b' would be parsed as '/b'"),
        ({"scheme": "http", "host": "a b"}, "the host contains a space (domain-to-ASCII, at position 1 of 'a b')"),
        ({"scheme": "http", "host": "x.256.1.1.1"}, "the host ends in a number, so it must be an IPv4 address"),
        ({"scheme": "http", "host": "[::1"}, 'the IPv6 address lacks its closing "]"'),
        ({"scheme": "foo", "host": "a^b"}, 'the host contains "^" (host-invalid-code-point, at position 1 of'),
        ({"scheme": "http", "host": "::1"}, "an IPv6 address must be in brackets"),
        ({"scheme": "http", "host": "h:80"}, "the host must not contain ':' (at position 1)"),
        ({"scheme": "http", "host": "h\\x"}, "the host must not contain '\\\\' (at position 1)"),
        ({"scheme": "http", "host": "h\tx"}, "the host must not contain '\\t' (at position 1)"),
        ({"scheme": "http", "host": "me.hunter2@h"}, "the host must not contain '@' (at position 10)"),
    ],
)
def test_what_no_url_can_have_is_told(components, said):
    with pytest.raises(ValueError) as caught:
        URL.build(**components)
    assert not isinstance(caught.value, urlsm.ParseError) and "hunter2" not in str(caught.value)
    assert str(caught.value).startswith(f"cannot build this URL: {said}")


@pytest.mark.parametrize(
    ("components", "said"),
    [
        ({"scheme": 1}, "scheme must be str, not int"),
        ({"scheme": None, "host": "h"}, "scheme must be str, not NoneType"),
        ({"scheme": "http", "host": b"h"}, "host must be str or None, not bytes"),
        ({"scheme": "http", "host": "h", "port": "80"}, "port must be int or None, not str"),
        ({"scheme": "http", "host": "h", "port": True}, "port must be int or None, not bool"),
        ({"scheme": "http", "hostname": "h"}, r"a URL has no component 'hostname'\. Did you mean host\?$"),
        ({"scheme": "http", "host": "h", "user": "me"}, r"no component 'user'\. Did you mean username\?$"),
        (
            {"scheme": "x", "netloc": "h:1"},
            r"no component 'netloc'\. Did you mean username, password, host and port\?$",
        ),
        ({"scheme": "x", "qurey": ""}, r"no component 'qurey'\. Did you mean query\?$"),
        ({"scheme": "x", "zzz": 1}, r"no component 'zzz': it has scheme, username, password"),
        ({"host": "h"}, r"build\(\) .*scheme"),
    ],
)
def test_what_has_the_wrong_type_is_told(components, said):
    with pytest.raises(TypeError, match=said):
        URL.build(**components)


def test_build_shows_its_arguments():
    assert list(inspect.signature(URL.build).parameters) == [*NAMES[:3], "auth", *NAMES[3:], "space", "others"]
    assert URL.build.__doc__ and "build" in dir(URL) and "build" in dir(parse("x:"))


# --- replace ---


def test_replace_takes_a_query_as_build_does():
    for query in ({"a b": "é&"}, [("a", 1), ("a", None)], {"a": [1, 2]}, urlsm.QueryParams.parse("x=1&x"), "a b"):
        for scheme, space in (("http", None), ("http", "%20"), ("mailto", None)):
            built = URL.build(
                scheme=scheme, host=None if scheme == "mailto" else "h", path="", query=query, space=space
            )
            url = parse(f"{scheme}:{'' if scheme == 'mailto' else '//h'}?x=1")
            assert url.replace(query=query, space=space) == built
            assert isinstance(query, str) or url.with_query(query, space=space) == built
    assert parse("http://h/a").replace(scheme="foo", query={"a": "b c"}).href == "foo://h/a?a=b%20c"
    with pytest.raises(TypeError, match="query must be str, a mapping or pairs, not int"):
        parse("http://h/").replace(query=5)


def test_with_query_takes_fields():
    url = parse("http://h/?a=1#f")
    assert url.with_query(b=2, query="x").href == "http://h/?b=2&query=x#f"
    assert url.with_query({"b": 2}, c="3 4", space="%20").href == "http://h/?b=2&c=3%204#f"
    assert url.with_query("b=2", c=3).href == "http://h/?b=2&c=3#f" == url.with_query(None, b=2, c=3).href
    with pytest.raises(TypeError, match=r"^with_query\(\) needs a query, or fields as keywords$"):
        url.with_query()


@pytest.mark.parametrize(
    ("text", "changes", "wanted"),
    [
        ("foo:/a", {"path": ""}, "foo:"),
        ("foo:a", {"path": "/b"}, "foo:/b"),
        ("foo:/a", {"path": "b c"}, "foo:b c"),
        ("foo://h/a", {"host": None, "path": "b"}, "foo:b"),
        ("http://h/a", {"scheme": "x", "host": None, "path": "b"}, "x:b"),
        ("x://h", {"scheme": "https", "path": "/", "query": "'"}, "https://h/?%27"),
        ("mailto:a", {"scheme": "http", "host": "h", "path": ""}, "http://h/"),
    ],
)
def test_replace_goes_from_one_kind_of_path_to_another(text, changes, wanted):
    assert check_url(parse(text).replace(**changes)).href == wanted


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("hostname", "host"),
        ("netloc", "username, password, host and port"),
        ("user", "username"),
        ("protocol", "scheme"),
        ("pathname", "path"),
        ("search", "query"),
        ("hash", "fragment"),
        ("params", "query, or with_query(...)"),
        ("frgment", "fragment"),
        ("Host", "host"),
    ],
)
def test_replace_says_what_a_name_of_others_is_here(name, meant):
    with pytest.raises(TypeError) as caught:
        parse("http://h/").replace(**{name: "x"})
    assert str(caught.value) == f"a URL has no component {name!r}. Did you mean {meant}?"
    with pytest.raises(TypeError, match="a URL has no component 'zzz': it has scheme, username, password"):
        parse("http://h/").replace(zzz=None)


def test_replace_says_why_not():
    url = parse("http://u:hunter2@h/")
    for changes, said in (
        ({"host": "a b"}, "host: the host contains a space (domain-to-ASCII, at position 1 of 'a b')"),
        (
            {"host": "a" * 300 + " "},
            f"host: the host contains a space (domain-to-ASCII, at position 300 of '{'a' * 80}…')",
        ),
        ({"host": "\x1b[0m"}, "host: the host contains U+001B (domain-to-ASCII, at position 0 of '\\x1b[0m')"),
        ({"host": None}, "host: a username, password or port needs a host"),
        ({"scheme": "file"}, "scheme: a file URL has no username, password or port"),
        ({"path": "x", "query": "y"}, "path, query: the path must be empty or start with '/' after a host"),
    ):
        with pytest.raises(ValueError) as caught:
            url.replace(**changes)
        assert str(caught.value).startswith(f"cannot replace {said}")
        assert "hunter2" not in str(caught.value)
    with pytest.raises(ValueError) as caught:  # an opaque path may hold a password
        parse("sip:a:hunter2@h").replace(host="x")
    assert "hunter2" not in str(caught.value)


# --- other messages ---


def test_messages_name_what_was_called():
    for call, said in (
        (lambda: URL(), r"^URL\(\) takes"),
        (lambda: URL("http://h/", color=1), r"^URL\(\) got an unexpected keyword argument 'color'"),
        (lambda: URL(1, 2, 3), r"^URL\(\) takes"),
        (lambda: parse(), r"^parse\(\) takes"),
        (lambda: parse("http://h/") < "x", r"'urlsm\.URL' and 'str'"),
        (lambda: parse("http://h/") + "x", r"'urlsm\.URL' and 'str'"),
        (lambda: parse("http://h/")[0], r"'urlsm\.URL' object is not subscriptable"),
        (lambda: type("Mine", (URL,), {}), r"'urlsm\.URL' is not an acceptable base type"),
    ):
        with pytest.raises(TypeError, match=said):
            call()
    assert (URL.__module__, URL.__qualname__) == ("urlsm", "URL")


def test_an_error_begins_with_the_sentence():
    for text, said in (
        ("http://h:99999/", "the port exceeds 65535 (port-out-of-range, in the port state)\n"),
        ("http://[1/", 'the IPv6 address lacks its closing "]" (IPv6-unclosed, in the host state)\n'),
    ):
        with pytest.raises(urlsm.ParseError) as caught:
            parse(text)
        assert str(caught.value).startswith(said)
    with pytest.raises(urlsm.SchemeError, match=r"^[^\n]* \([\w-]+, in the \w+\)\n"):
        urlsm.parts("tel:x y", dialect="rfc3986")


@pytest.mark.parametrize("call", [parse, urlsm.can_parse, urlsm.split, urlsm.normalize, parse("http://h/").join])
def test_a_refused_object_is_answered_with_what_is_taken(call):
    with pytest.raises(TypeError) as caught:
        call(random.Random())
    for word in ("str, bytes or urlsm.URL, not Random", "yarl", "httpx", "pydantic", "urllib.parse", "to text first"):
        assert word in str(caught.value)


@pytest.mark.parametrize("name", ["copy_with", "raw_path", "with_suffix", "stem", "parents", "args"])
def test_names_of_more_libraries_are_hinted_at(name):
    url = parse("http://h/")
    assert not hasattr(url, name) and name not in dir(url)
    with pytest.raises(AttributeError, match=rf"^'urlsm\.URL' object has no attribute '{name}'\. Did you mean .+\?$"):
        getattr(url, name)


@pytest.mark.parametrize(
    ("name", "meant"), [("getall", "get_all(name)"), ("getlist", "get_all(name)"), ("multi_items", "items()")]
)
def test_names_of_other_multi_maps_are_hinted_at(name, meant):
    url = parse("http://h/?a")
    for given, said in ((url, f"query_params.{meant}"), (url.query_params, meant)):
        assert not hasattr(given, name) and name not in dir(given)
        with pytest.raises(AttributeError) as caught:
            getattr(given, name)
        assert str(caught.value).endswith(f"object has no attribute {name!r}. Did you mean {said}?")
