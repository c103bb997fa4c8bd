"""Components made by keyword: a text has them, or they are refused."""

from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from urlsm import Components, parse, split, unsplit
from urlsm.machine.driver import DIALECTS

READ_BACK = [dialect for dialect in DIALECTS if dialect != "stdlib"]  # whose urlunsplit writes what it is given
FIELDS = ("scheme", "username", "password", "host", "port", "path", "query", "fragment")
pieces = st.text(alphabet=":/?#@[]\\%.;|, \t\nahé1\udc80", max_size=6)
texts = st.one_of(
    pieces,
    st.sampled_from(
        [
            "",
            "http",
            "foo",
            "file",
            "mailto",
            "h",
            "::1",
            "[::1]",
            "1.2.3.4",
            "80",
            "/a",
            "//a",
            "a:b",
            "/",
            "@e/x",
            "C:",
        ]
    ),
)
made = st.fixed_dictionaries({}, optional=dict.fromkeys(FIELDS, texts))


def test_the_fields_are_all_of_them():
    assert parse("http://h/").__match_args__ == FIELDS


@given(made, st.sampled_from(READ_BACK), st.booleans())
@example({"scheme": "http", "host": "good.example", "path": "@evil.example/x"}, "rfc3986", False)
@example({"scheme": "http", "host": "h", "path": ""}, "barth", False)
@example({"scheme": "foo", "path": "//evil.example/x"}, "whatwg", True)
@example({"path": "a:b"}, "rfc1738", False)
def test_a_text_has_the_components_or_they_are_refused(given, dialect, as_octets):
    """RFC 3986's guards may have been added to path and host; nothing else changes."""
    if as_octets:
        given = {name: text.encode("utf-8", "surrogatepass") for name, text in given.items()}
    try:
        c = Components(**given, dialect=dialect)
    except ValueError as refusal:
        assert all(text not in str(refusal) for text in given.values() if len(text) > 3 and isinstance(text, str))
        return
    assert unsplit(c) == c.text and split(unsplit(c), dialect=dialect) == c
    for name, text in given.items():
        found = getattr(c, name)
        if name == "path" and found != text:
            assert not text or found in (
                ("./" if isinstance(text, str) else b"./") + text,
                ("/." if isinstance(text, str) else b"/.") + text,
            )
        elif name == "host" and found != text:
            assert found == (f"[{text}]" if isinstance(text, str) else b"[" + text + b"]")
        else:
            assert found == text
    for same in (copy.copy(c), copy.deepcopy(c), pickle.loads(pickle.dumps(c)), c.replace()):
        assert same == c and same.text == c.text


@pytest.mark.parametrize("dialect", ["whatwg", "rfc3986", "rfc2396", "rfc1738"])
@pytest.mark.parametrize(
    ("given", "text"),
    [
        # uritools guards or raises; CPython gh-67693; yarl#1802, starlette#1931
        ({"scheme": "http", "host": "good.example", "path": "@evil.example/x"}, None),
        ({"scheme": "http", "host": "good.example", "port": "80", "path": "@evil.example/x"}, None),
        ({"scheme": "http", "host": "good.example", "path": ".evil.example/x"}, None),
        ({"scheme": "foo", "path": "//evil.example/x"}, "foo:/.//evil.example/x"),
        ({"path": "http://127.0.0.1/x"}, "./http://127.0.0.1/x"),
        ({"path": "a:b"}, "./a:b"),
        ({"path": "//evil.example"}, "/.//evil.example"),
        ({"host": "h", "path": "x"}, None),
        ({"scheme": "http", "host": "::1", "path": "/"}, "http://[::1]/"),
        ({"scheme": "http", "host": "::ffff:1.2.3.4", "path": "/"}, "http://[::ffff:1.2.3.4]/"),
        ({"scheme": "http", "host": "a/b", "path": "/"}, None),
        ({"scheme": "http", "host": "a@b", "path": "/"}, None),
        ({"scheme": "http", "host": "a:1", "path": "/"}, None),
        ({"scheme": "http", "host": "h", "port": "1/x"}, None),
        ({"scheme": "http", "username": "u@x/", "host": "h"}, None),
        ({"scheme": "a/b", "path": "c"}, None),
        ({"path": "a?b#c"}, None),
        ({"query": "a#b", "path": ""}, None),
    ],
)
def test_nobody_else_s_host_is_written(given, text, dialect):
    try:
        assert unsplit(Components(**given, dialect=dialect)) == text
    except ValueError:
        assert text is None


def test_the_port_of_an_ipv6_address_needs_its_brackets():
    given = {"scheme": "http", "host": "::1", "port": "80", "path": "/"}
    assert unsplit(Components(**given)) == "http://[::1]:80/"
    # the RFCs' split takes the last ":", so there the text is what was given
    assert split(unsplit(Components(**given, dialect="rfc3986")), dialect="rfc3986").host == "::1"


def test_a_replaced_component_is_judged_in_the_same_way():
    c = split("http://good.example//evil.example/a", dialect="rfc3986")
    assert unsplit(c.replace(host=None)) == "http:/.//evil.example/a"
    with pytest.raises(ValueError, match="the path must be empty or start with '/' after a host"):
        split("http://good.example/a").replace(path="@evil.example/x")
    with pytest.raises(ValueError, match="'whatwg' would split the joined URL"):
        Components(scheme="http", path="/evil.example/x")  # a special scheme has a host


def test_the_refusal_tells_no_secret():
    with pytest.raises(ValueError) as refused:
        Components(scheme="http", username="u", password="hunter2/", host="h")
    assert "hunter2" not in str(refused.value)


def test_stdlib_joins_as_cpython_does():
    assert unsplit(Components(scheme="http", host="h", path="@e", dialect="stdlib")) == "http://h@e"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"path": object()}, "path must be str, bytes or None, not object"),
        ({"scheme": "a", "host": b"h"}, "all str or all bytes"),
        ({"userinfo": "u", "host": b"h"}, "all str or all bytes"),
        ({"path": 1}, "path must be str, bytes or None, not int"),
        ({"sceme": "a"}, "unexpected keyword argument 'sceme'"),
    ],
)
def test_what_is_not_a_component_is_refused(given, message):
    with pytest.raises(TypeError, match=message):
        Components(**given)
