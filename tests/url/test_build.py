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
        url = try_parse(*random_case(rng))
        if url is not None and not re.search("%(?![0-9A-Fa-f]{2})", url.href):
            assert URL.build(**components(url)) == url
            count += 1
    assert count > cases / 4


@pytest.mark.parametrize(
    ("components", "said"),
    [
        ({"scheme": "http"}, "A URL of the scheme 'http' needs a host"),
        ({"scheme": "https", "host": "", "path": "/"}, "A URL of the scheme 'https' needs a host"),
        ({"scheme": "foo", "port": 5}, "A username, a password and a port need a host"),
        ({"scheme": "foo", "username": "u"}, "A username, a password and a port need a host"),
        ({"scheme": "foo", "host": "", "port": 5}, "A username, a password and a port need a host that is not empty"),
        ({"scheme": "file", "host": "h", "port": 5}, "A URL of the scheme 'file' has no username, password or port"),
        ({"scheme": "1a", "host": "h"}, "The scheme '1a' is not a letter and then"),
        ({"scheme": "", "path": "x"}, "The scheme '' is not a letter and then"),
        ({"scheme": "é", "path": "x"}, "The scheme 'é' is not a letter and then"),
        ({"scheme": "http", "host": "h", "path": "x"}, "After a host, the path is empty or begins with '/'"),
        ({"scheme": "http", "host": "h", "path": "/a/./b"}, "The path '/a/./b' would be read as '/a/b'"),
        ({"scheme": "foo", "path": "/a/../b"}, "The path '/a/../b' would be read as '/b'"),
        ({"scheme": "http", "host": "a b"}, "The host 'a b' is refused at position 1: the domain "),
        ({"scheme": "http", "host": "x.256.1.1.1"}, "The host 'x.256.1.1.1' is refused at position "),
        ({"scheme": "http", "host": "[::1"}, "The host '[::1' is refused at position "),
        ({"scheme": "foo", "host": "a^b"}, "The host 'a^b' is refused at position 1: "),
        ({"scheme": "http", "host": "::1"}, "An IPv6 address stands in brackets"),
        ({"scheme": "http", "host": "h:80"}, "A host cannot hold ':', which stands at position 1 of it"),
        ({"scheme": "http", "host": "h\\x"}, "A host cannot hold '\\\\', which stands at position 1 of it"),
        ({"scheme": "http", "host": "h\tx"}, "A host cannot hold '\\t', which stands at position 1 of it"),
        ({"scheme": "http", "host": "me.hunter2@h"}, "A host cannot hold '@', which stands at position 10 of it"),
    ],
)
def test_what_no_url_can_have_is_told(components, said):
    names = ", ".join(sorted({*components, "path"}, key=["scheme", "path", *NAMES].index))
    with pytest.raises(ValueError) as caught:
        URL.build(**components)
    assert not isinstance(caught.value, urlsm.ParseError) and "hunter2" not in str(caught.value)
    assert str(caught.value).startswith(f"no URL can have these components: {names}. {said}")


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
        ({"host": "a b"}, "host. The host 'a b' is refused at position 1: the domain "),
        ({"host": "a" * 300 + " "}, f"host. The host '{'a' * 80}…' is refused at position 300: "),
        ({"host": "\x1b[0m"}, "host. The host '\\x1b[0m' is refused at position 0: "),
        ({"host": None}, "host. A username, a password and a port need a host"),
        ({"scheme": "file"}, "scheme. A URL of the scheme 'file' has no username, password or port"),
        ({"path": "x", "query": "y"}, "path, query. After a host, the path is empty or begins with '/'"),
    ):
        with pytest.raises(ValueError) as caught:
            url.replace(**changes)
        assert str(caught.value).startswith(f"no URL can have these components: {said}")
        assert "hunter2" not in str(caught.value)
    with pytest.raises(TypeError, match="query must be str or None, not dict; with_query takes mappings"):
        url.replace(query={"a": "b"})
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
    for word in ("str, bytes or urlsm.URL, not Random", "yarl", "httpx", "pydantic", "urllib.parse", "give its text"):
        assert word in str(caught.value)


@pytest.mark.parametrize("name", ["copy_with", "raw_path", "with_suffix", "stem", "parents", "args"])
def test_names_of_more_libraries_are_hinted_at(name):
    url = parse("http://h/")
    assert not hasattr(url, name) and name not in dir(url)
    with pytest.raises(AttributeError, match=rf"^'URL' object has no attribute '{name}'\. Did you mean .+\?$"):
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
