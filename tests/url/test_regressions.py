"""Former bugs found by reviews, each with the rule that it broke."""

from __future__ import annotations

import copy
import random
from contextlib import suppress

import pytest
from support.seeds import draws, seeded

import urlsm
from urlsm import ParseError, parse, whatwg
from urlsm.errors.excerpt import with_caret
from urlsm.url.edit import offsets_of, unpickled

ABSENT = 0xFFFFFFFF
HTTP = 1


@pytest.mark.parametrize("call", [urlsm.unsplit, parse, urlsm.split, urlsm.explain, urlsm.can_parse, urlsm.try_parse])
def test_none_is_a_type_error(call):
    with pytest.raises(TypeError):
        call(None)


@pytest.mark.parametrize("arguments", [(None, "http://x/"), ("http://x/", None), (5, "x")])
def test_resolving_anything_but_text_is_a_type_error(arguments):
    with pytest.raises(TypeError):
        urlsm.resolve(arguments[1], base=arguments[0])


@pytest.mark.parametrize("label", [None, 5, b"utf-8"])
def test_an_encoding_that_is_not_a_str_is_a_type_error(label):
    with pytest.raises(TypeError):
        parse("http://h/", encoding=label)


@pytest.mark.parametrize(
    "offsets",
    [
        (4, 7, 7, 8, 8, 10, ABSENT, -1, HTTP, True, False),  # "?" past the end
        (4, 7, 7, 8, 8, ABSENT, 10, -1, HTTP, True, False),  # "#" past the end
        (4, 7, 7, 8, 8, 9, ABSENT, -1, HTTP, True, False),  # no "?" there
        (4, 7, 7, 8, 8, 9, 9, -1, HTTP, True, False),
        (4, 7, 7, 99, 8, ABSENT, ABSENT, -1, HTTP, True, False),
        (4, 7, 7, 8, 8, ABSENT, ABSENT, -1, 99, True, False),
    ],
)
def test_a_pickle_whose_offsets_do_not_fit_its_text_is_refused(offsets):
    with pytest.raises(ValueError, match="not a pickled URL"):
        unpickled("http://h/p", offsets)


def test_localhost_is_emptied_by_the_file_host_state_only():
    url = whatwg.URL("http://localhost/x")
    url.protocol = "file"
    assert url.href == "file://localhost/x"
    with pytest.raises(ValueError, match="scheme"):  # it would not parse back to this host
        parse("http://localhost/x").replace(scheme="file")


def test_search_params_of_a_url_that_does_not_parse_back_still_update_it():
    url = whatwg.URL("https://ex.com/c|/x?q")
    url.protocol = "file"
    url.search_params.append("a", "b")
    assert url.href == "file://ex.com/c|/x?q=&a=b"


@pytest.mark.parametrize(
    "text",
    [
        "1ht/tp://u:secret@h/",
        "%http:\\\\u:secret@h/",
        "my_user:secret@db.example/",
        ":u:secret@h/",
        "http://u:x@a^y\\z:secret@h/",
    ],
)
def test_no_text_of_a_refused_url_holds_what_looks_like_a_password(text):
    with pytest.raises(ParseError) as caught:
        parse(text)
    assert "secret" not in str(caught.value) + repr(caught.value) + str(caught.value.args)


def test_no_trace_or_repr_holds_a_password():
    assert "pw" not in str(urlsm.explain("foo:u:pw@h", dialect="barth"))
    assert "secret" not in repr(parse("blob:http://u:secret@h/x"))


def test_the_caret_of_a_password_like_text_stays_in_place():
    assert with_caret("http://u:secret@h:x", 18).splitlines() == ["  http://u:***@h:x", "  " + " " * 15 + "^"]


def test_too_long_is_placed_in_bytes_of_bytes():
    with pytest.raises(ParseError) as caught:
        parse(b"\xff" * 5, max_length=3)
    assert (caught.value.code, caught.value.position) == ("too-long", 3)


def test_components_of_a_str_subclass_are_of_its_text():
    class Text(str):
        def __str__(self):
            return "evil"

    assert urlsm.split(Text("http://h/p")).text == "http://h/p"


def test_components_cannot_be_made_anew():
    c = urlsm.split("http://h/p")
    before = hash(c)
    with pytest.raises(TypeError):
        c.__init__()
    assert (c.path, hash(c)) == ("/p", before)


@pytest.mark.parametrize(
    "text, rest", [("http:h/p", "h/p"), ("http:\\\\h\\p", "\\\\h\\p"), (" a\tb?c ", "ab?c"), ("foo:é", "é")]
)
def test_rest_is_as_written(text, rest):
    assert urlsm.split(text).rest == rest


def test_a_violation_is_of_the_component_that_its_code_names():
    assert [(v.code, v.component) for v in urlsm.validate("http://u@/", dialect="whatwg")][-1] == (
        "host-missing",
        "host",
    )


def test_explain_ends_in_the_url_as_it_is():
    assert str(urlsm.explain("foo:a\\b\"'")).endswith("= foo:a\\b\"'")


@pytest.mark.parametrize("url, base, reference", [("/a/", "/a/b", "."), ("/a/", "/a/b/c", "..")])
def test_relative_to_knows_the_short_dots(url, base, reference):
    assert parse(url, base="http://h").relative_to(parse(base, base="http://h")) == reference


def test_a_parse_error_made_by_hand_can_be_printed():
    assert str(ParseError("x")) == "x" and str(ParseError()) == "" and repr(ParseError("x"))


def test_a_scheme_that_is_none_is_refused():
    for scheme in ("é", "", "1a", "a b", "a:b"):
        with pytest.raises(ValueError, match="scheme"):
            parse("http://h/").replace(scheme=scheme)


def test_copy_replace():
    if hasattr(copy, "replace"):
        assert copy.replace(parse("http://h/a"), path="/b") == parse("http://h/b")
    assert parse("http://h/a").__replace__(path="/b") == parse("http://h/b")


@pytest.mark.parametrize(
    "text",
    [
        *(
            "postgres://u:S3CR/ET@h:x/db",
            "http://u:S3CR/E@T@h:x",
            "http://u:/S3CRET@h/",
            "http:u:S3CR\\ET@[h",
            "u:S3CR/ET@h",
        ),
        *(
            "mongodb://u:S3CR/ET@a:1,b:2/db",
            "sip:u:S3CR/ET@h%",
            "http://u:S3CR?E#T@[h",
            "x://[S3CR:S3CR/ET@h",
            "//u:S3CR/ET@[h",
        ),
    ],
)
def test_a_password_of_a_refused_text_is_masked_whatever_it_holds(text):
    shown = with_caret(text, len(text))
    assert "CR" not in shown.replace("[S3CR", "") and "ET" not in shown and ":***@" in shown


# --- pickles -----------------------------------------------------------------------------------

PICKLED = [
    *("http://u:p@h:81/a/b?b#c", "http://u@h/", "http://:p@h/", "foo:", "foo:/.//x", "foo://", "foo://u:p@h:1"),
    *("file:///C:/a", "mailto:a@b?c", "data:,x#y", "foo:/a?#", "http://h/", "ws://[::1]:1/", "foo:a b"),
]


def damaged(rng: random.Random, text: str, offsets: tuple) -> tuple[object, object]:
    """Return a pickle with one to three wrong items."""
    found: list = [*offsets]
    for _ in range(rng.randrange(1, 4)):
        if rng.random() < 0.4:
            k = rng.randrange(len(text))
            text = text[:k] + rng.choice("/:@?#ax[%.") + text[k + rng.randrange(3) :] or "x"
        else:
            k = rng.randrange(len(found))
            near = rng.randrange(len(text) + 2)
            found[k] = rng.choice([0, 1, 3, near, len(text), ABSENT, -1, -2, True, found[k] + 1])
    return text, tuple(found)


def test_a_damaged_pickle_is_refused_or_a_url_that_can_be_used():
    """A walk back to a missing "/" would leave the text."""
    rng = seeded(22)
    bases = [parse(text) for text in PICKLED]
    for _ in range(draws(20_000)):
        url = rng.choice(bases)
        text, offsets = damaged(rng, url.href, offsets_of(url))
        try:
            made = unpickled(text, offsets)
        except ValueError:
            continue
        host = "" if made.host is None else f"//{made.authority}"
        between = "/." if made.host is None and made.path.startswith("//") else ""
        query = "" if made.query is None else "?" + made.query
        fragment = "" if made.fragment is None else "#" + made.fragment
        assert f"{made.scheme}:{host}{between}{made.path}{query}{fragment}" == made.href == text
        assert made.path[:1] in ("/", "") or host == ""
        for reference in ("../../../x", "..", "x", "?y", "//h/"):
            with suppress(ValueError):
                made.join(reference)
        for base in bases:
            assert isinstance(made.relative_to(base), str) and isinstance(base.relative_to(made), str)


@pytest.mark.parametrize(
    ("text", "offsets"),
    [
        ("http://h" + "x" * 90, (4, 7, 7, 8, 8, ABSENT, ABSENT, -1, 1, True, False)),  # a path without "/"
        ("http:" + "x" * 90, (4, 5, 5, 5, 5, ABSENT, ABSENT, -1, 1, False, False)),
        ("xxxx" * 90, (4, 7, 7, 8, 8, ABSENT, ABSENT, -1, 1, True, False)),
        ("http://h/", (4, 7, 7, 8, 9, ABSENT, ABSENT, -1, 1, True, False)),
        ("http://h/", (4, 7, 7, 8, 8, ABSENT, ABSENT, 80, 1, True, False)),
        ("http://h/", (4, 7, 7, 8, 8, ABSENT, ABSENT, -1, 0, True, False)),
        ("http://h/", (4, 7, 7, 8, 8, ABSENT, ABSENT, -1, -1, True, False)),
        ("http://h/", (4, 7, 7, 8, 8, ABSENT, ABSENT, -1, 1, True, True)),
        ("http://h/", (4, 5, 5, 5, 5, ABSENT, ABSENT, -1, 1, False, False)),
        ("http://h/?a", (4, 7, 7, 8, 8, ABSENT, ABSENT, -1, 1, True, False)),
        ("HTTP://h/", (4, 7, 7, 8, 8, ABSENT, ABSENT, -1, 1, True, False)),
        ("http://h/", (-4, 7, 7, 8, 8, ABSENT, ABSENT, -1, 1, True, False)),
        ("http://h/", (4, 7, 7, 8, 8, ABSENT, ABSENT, -1, 1 << 70, True, False)),
        ("http://h/", (4, 7, "7", 8, 8, ABSENT, ABSENT, -1, 1, True, False)),
        ("http://h/", (4, 7)),
        ("http://h/", None),
        (None, (4, 7, 7, 8, 8, ABSENT, ABSENT, -1, 1, True, False)),
        (b"http://h/", (4, 7, 7, 8, 8, ABSENT, ABSENT, -1, 1, True, False)),
    ],
)
def test_a_pickle_whose_offsets_are_not_its_delimiters_is_refused(text, offsets):
    with pytest.raises(ValueError, match="not a pickled URL"):
        unpickled(text, offsets)


@pytest.mark.parametrize("wrong", [(), ("a",), ("a", "b", "c"), (1, "b"), ("a", 1), 1, None, "ab", ["a", "b"]])
def test_a_list_of_pairs_that_others_have_changed_is_a_value_error(wrong):
    for call in (
        lambda params: params.get("x"),
        lambda params: params.get_all("x"),
        lambda params: params.has("x"),
        lambda params: params.set("x", "y"),
        lambda params: params.delete("x"),
        lambda params: params.sort(),
        lambda params: params.append("x", "y"),
        lambda params: str(params),
        copy.copy,
    ):
        params = whatwg.URL("http://h/?a=1").search_params
        params._pairs.append(wrong)
        with pytest.raises(ValueError, match="changed from outside"):
            call(params)
