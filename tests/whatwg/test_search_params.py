"""urlsm.whatwg: URLSearchParams, alone and as the search_params of a URL."""

import io
import pickle
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.seeds import draws, seeded
from support.whatwg import FULL, SETTERS, TEXTS, pairs

from urlsm.url.params import QueryParams, parse_form, serialize_form
from urlsm.url.value import parse
from urlsm.whatwg import URL, URLSearchParams

# ---- search_params and its URL -------------------------------------------------------------------------


def test_a_state_is_pairs_of_texts():
    for state in ([()], [("a",)], [1], ["ab"]):
        with pytest.raises(TypeError):
            URLSearchParams().__setstate__((state, None))


def test_search_params_is_one_object_live_both_ways():
    url = URL("http://u:p@h/p?a=1#f")
    params = url.search_params
    params.append("b", "x y")
    assert url.href == "http://u:p@h/p?a=1&b=x+y#f"
    url.search = "c=%33"
    assert pairs(params) == [("c", "3")]
    url.href = "http://q/?d=4"
    assert pairs(params) == [("d", "4")]
    url.href = "http://q/"
    assert pairs(params) == []
    url.search = "?e"
    url.search = ""
    assert pairs(params) == []
    assert url.search_params is params


def test_only_search_and_href_set_the_list():
    url = URL("http://h/?a=%31")
    url.search_params._pairs[:] = [("untouched", "")]
    for name in SETTERS:
        if name not in ("search", "href"):
            setattr(url, name, "1")
    assert pairs(url.search_params) == [("untouched", "")]


def test_search_setter_parses_its_input_not_the_url():
    for touched in False, True:
        url = URL("http://h/")
        if touched:
            assert url.search_params.size == 0
        url.search = "??a\t=\n1\ud800"
        assert url.href == "http://h/??a=1%EF%BF%BD"
        assert pairs(url.search_params) == [("?a\t", "\n1\ufffd")]
        url.search_params.sort()
        assert url.href == "http://h/?%3Fa%09=%0A1%EF%BF%BD"


def test_url_query_keeps_its_question_mark():
    assert pairs(URL("http://h/??a=1").search_params) == [("?a", "1")]
    url = URL("http://h/")
    assert url.search_params.size == 0
    url.href = "http://h/??a=1"
    assert pairs(url.search_params) == [("?a", "1")]


@pytest.mark.parametrize(
    "update",
    [
        lambda p: p.delete("missing"),
        lambda p: p.delete("missing", "x"),
        lambda p: p.sort(),
        lambda p: p.set("a", "~'%\ufeff"),
    ],
)
def test_update_steps_serialise_the_whole_list(update):
    url = URL("http://h/?a=~'%%EF%BB%BF#x")
    assert url.search == "?a=~%27%%EF%BB%BF"
    update(url.search_params)
    assert url.href == "http://h/?a=%7E%27%25%EF%BB%BF#x"


def test_empty_list_is_null_query():
    url = URL("http://h/?a=1#f")
    url.search_params.delete("a")
    assert url.href == "http://h/#f"
    url.href = "http://h/?&#f"
    assert (url.href, url.search_params.size) == ("http://h/?&#f", 0)
    url.search_params.delete("a")
    assert url.href == "http://h/#f"
    url.search_params.append("", "")
    assert url.href == "http://h/?=#f"


@pytest.mark.parametrize(
    "text", ["mailto:a", "data:x  ?y#z", "foo:/.//p#f", "foo://h", "file:///C:/x", "javascript:x ?y", "foo:#", "x:"]
)
def test_update_touches_nothing_else(text):
    url = URL(text)
    before = {name: getattr(url, name) for name in SETTERS if name not in ("href", "search")}
    url.search_params.set("k", "v")
    assert url.search.endswith("k=v")
    assert {name: getattr(url, name) for name in before} == before
    url.search_params._pairs.clear()
    url.search_params.sort()
    assert url.search == ""
    assert {name: getattr(url, name) for name in before} == before
    assert parse(url.href).href == url.href


def test_url_and_its_params_outlive_each_other():
    params = URL("http://h/?a=1").search_params
    params.append("b", "2")
    assert str(params) == "a=1&b=2"


# ---- URLSearchParams -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("init", "expected"),
    [
        (None, []),
        ("", []),
        ("?", []),
        ("??a=1", [("?a", "1")]),
        ("?a=1&b=%zz+&a=3", [("a", "1"), ("b", "%zz "), ("a", "3")]),
        ("a=%ff\ud800", [("a", "\ufffd\ufffd")]),
        ([], []),
        ([["a", "1"], ("a", "2"), iter(["b", "3"])], [("a", "1"), ("a", "2"), ("b", "3")]),
        ((pair for pair in [("\ud800", "\udcff")]), [("\ufffd", "\ufffd")]),
        ({"b": "1", "a": "2"}, [("b", "1"), ("a", "2")]),
        (dict(zip(["\ud835x", "xx", "\ud83dx"], "123", strict=True)), [("\ufffdx", "3"), ("xx", "2")]),
        (QueryParams.parse("a=1&b&a=%ff"), [("a", "1"), ("b", ""), ("a", "\ufffd")]),
        (URLSearchParams("a=1&a=2"), [("a", "1"), ("a", "2")]),
        (URL("http://h/?a=1").search_params, [("a", "1")]),
    ],
)
def test_made_from(init, expected):
    assert pairs(URLSearchParams(init)) == expected


@pytest.mark.parametrize(
    "bad",
    [
        1,
        b"a=b",
        ["ab"],
        [b"ab"],
        [["a"]],
        [["a", "b", "c"]],
        [[]],
        [None],
        [1],
        [["a", 1]],
        [[None, "b"]],
        {"a": 1},
        {1: "a"},
        {"a": ["b"]},
        URL("http://h/?a=1"),
    ],
)
def test_what_makes_none(bad):
    with pytest.raises(TypeError):
        URLSearchParams(bad)


def test_copy_of_another_is_its_own():
    one = URLSearchParams("a=1")
    two = URLSearchParams(one)
    two.append("b", "2")
    assert (str(one), str(two)) == ("a=1", "a=1&b=2")


def test_append_and_size():
    params = URLSearchParams()
    assert (params.size, len(params), bool(params)) == (0, 0, False)
    params.append("a", "")
    params.append("a", "é &=\ud800")
    assert (params.size, len(params), bool(params)) == (2, 2, True)
    assert str(params) == "a=&a=%C3%A9+%26%3D%EF%BF%BD"


def test_delete():
    params = URLSearchParams("a=1&b=2&a=3&a=1&\ufffd=4")
    params.delete("a", "1")
    assert str(params) == "b=2&a=3&%EF%BF%BD=4"
    params.delete("b", "no")
    params.delete("no")
    assert params.size == 3
    params.delete("\ud800")
    params.delete("a", value=None)
    assert str(params) == "b=2"


def test_get_and_has():
    params = URLSearchParams("a=1&b=&a=2&\ufffd=\ufffd")
    assert (params.get("a"), params.get("b"), params.get("c"), params.get("\ud800")) == ("1", "", None, "\ufffd")
    assert (params.get_all("a"), params.get_all("c")) == (["1", "2"], [])
    assert params.has("a") and params.has("a", "2") and params.has("b", "") and params.has("\ud800", "\udcff")
    assert not (params.has("c") or params.has("a", "3") or params.has("b", "1") or params.has("a", ""))
    assert params.has("a", None)
    params.get_all("a").append("x")
    assert params.get_all("a") == ["1", "2"]


def test_set():
    params = URLSearchParams("a=1&b=2&a=3&c=4&a=5")
    params.set("a", "x")
    assert str(params) == "a=x&b=2&c=4"
    params.set("c", "\ud800")
    params.set("\ud800", "y")
    params.set("\ufffd", "z")
    assert pairs(params) == [("a", "x"), ("b", "2"), ("c", "\ufffd"), ("\ufffd", "z")]


def test_sort_is_stable_and_by_utf_16_code_units():
    params = URLSearchParams(
        [("z", "b"), ("\uffff", "1"), ("z", "a"), ("\U0001f600", "2"), ("", "0"), ("é", "3"), ("z", "b")]
    )
    params.sort()
    assert pairs(params) == [
        ("", "0"),
        ("z", "b"),
        ("z", "a"),
        ("z", "b"),
        ("é", "3"),
        ("\U0001f600", "2"),  # D83D DE00
        ("\uffff", "1"),
    ]


@pytest.mark.parametrize("letters", ["abAB", "ab\xe9\uffff\ue000", "a\uffff\ue000\U0001f600\U0010ffff"])
def test_random_pairs_are_found_deleted_and_sorted(letters):
    rng = seeded(16)
    for _ in range(500):
        given = [(rng.choice(letters) * rng.randint(0, 2), rng.choice("xyz")) for _ in range(rng.randint(0, 9))]
        name, value = rng.choice(letters), rng.choice(["x", "y", None])
        params, changed = URLSearchParams(given), URLSearchParams(given)
        wanted = [(n, v) for n, v in given if n == name and value in (None, v)]
        assert params.has(name, value) == bool(wanted)
        changed.delete(name, value)
        assert pairs(changed) == [pair for pair in given if pair not in wanted]
        params.sort()
        assert pairs(params) == sorted(given, key=lambda pair: pair[0].encode("utf-16-be"))


def test_random_queries_are_as_their_pairs(many):
    """A plain query stays text: each answer is that of the list of its pairs."""
    rng = seeded(17)
    pieces = [
        *"aab=&+*~ ",
        "a=",
        "b=",
        "&a=",
        "%41",
        "%20",
        "%26",
        "%c3%A9",
        "%ff",
        "%ED%A0%80",
        "%",
        "%4",
        "\x7f",
        "\xe9",
    ]
    for _ in range(many):
        query = "".join(rng.choices(pieces, k=rng.randint(0, 9)))
        wanted, name, value = (
            parse_form(query),
            rng.choice(["a", "b", "", "aa", "a&b", "a=", "\xe9"]),
            rng.choice("ab+\xe9"),
        )
        assert str(URLSearchParams(query)) == serialize_form(wanted)
        assert URLSearchParams(query).get(name) == next((v for n, v in wanted if n == name), None)
        assert URLSearchParams(query).get_all(name) == [v for n, v in wanted if n == name]
        assert URLSearchParams(query).has(name) == any(n == name for n, _ in wanted)
        assert URLSearchParams(query).has(name, value) == ((name, value) in wanted)
        assert QueryParams(wanted).get_all(name) == tuple(v for n, v in wanted if n == name)
        url = URL(f"http://h/?{query}#f")
        wanted = parse_form(url.search[1:])
        url.search_params.append(name, value)
        assert url.href == f"http://h/?{serialize_form([*wanted, (name, value)])}#f"
        url.search_params.delete(name)
        left = serialize_form(pair for pair in wanted if pair[0] != name)
        assert url.href == f"http://h/{left and '?'}{left}#f"


def test_iteration():
    params = URLSearchParams("a=1&b=2&a=3")
    assert list(params) == list(params.items()) == [("a", "1"), ("b", "2"), ("a", "3")]
    assert list(params.keys()) == ["a", "b", "a"]
    assert list(params.values()) == ["1", "2", "3"]
    assert list(URLSearchParams().keys()) == []
    assert iter(iterator := params.keys()) is iterator
    with pytest.raises(TypeError):
        params["a"]


def test_iteration_goes_by_index_over_the_live_list():
    params = URLSearchParams("a=1&b=2&c=3&d=4")
    seen = []
    for name, _ in params:
        seen.append(name)
        params.delete(name)
    assert seen == ["a", "c"]
    assert str(params) == "b=2&d=4"

    url = URL("http://h/?a=0&b=1&c=2")
    seen = []
    for name, value in url.search_params:  # a case of web-platform-tests
        seen.append((name, value))
        url.search = "x=1&y=2&z=3"
    assert seen == [("a", "0"), ("y", "2"), ("z", "3")]

    names = params.keys()
    assert next(names) == "b"
    params.append("e", "5")
    params.sort()
    assert list(names) == ["d", "e"]

    growing = URLSearchParams("a")
    names = growing.keys()
    for name in names:
        if growing.size < 100:
            growing.append(name, "")
    assert growing.size == 100


@pytest.mark.parametrize("bad", [None, 1, b"a"])
def test_names_and_values_are_str(bad):
    url = URL(FULL)
    params = url.search_params
    calls = [
        *[lambda method=method: getattr(params, method)(bad, "x") for method in ("append", "set", "has", "delete")],
        *[lambda method=method: getattr(params, method)(bad) for method in ("get", "get_all", "has", "delete")],
        *[lambda method=method: getattr(params, method)("x", bad) for method in ("append", "set")],
    ]
    if bad is not None:
        calls += [lambda: params.has("x", bad), lambda: params.delete("x", bad)]
    for call in calls:
        with pytest.raises(TypeError):
            call()
    assert url.href == FULL
    assert pairs(params) == [("x", "1"), ("y", "2")]


def test_params_text_and_identity():
    params = URLSearchParams("a=1&b=+")
    assert str(params) == "a=1&b=+"
    assert repr(params) == "URLSearchParams([('a', '1'), ('b', ' ')])"
    assert params != URLSearchParams("a=1&b=+")
    assert URL(FULL) != URL(FULL)
    assert len({params, URLSearchParams(params), URL(FULL), URL(FULL)}) == 4


@given(st.lists(st.tuples(st.sampled_from(["append", "set", "delete", "sort"]), TEXTS, TEXTS), min_size=1, max_size=6))
def test_the_url_follows_any_change(steps):
    url = URL("http://h/?a=1&b=2#f")
    alone = URLSearchParams("a=1&b=2")
    for method, *texts in steps:
        for params in url.search_params, alone:
            getattr(params, method)(*([] if method == "sort" else texts))
        text = str(alone)
        assert url.href == (f"http://h/?{text}#f" if text else "http://h/#f")
        assert pairs(url.search_params) == pairs(alone) == parse_form(text)


# ---- the fields that are looked up in the text, and the list ---------------------------------------------


def test_a_text_is_looked_up_as_its_list_is():
    """field_from finds the same in a plain query, before and after changes, as in the list of pairs."""
    rng = seeded(41)
    pieces = [
        "a",
        "b",
        "ab",
        "a",
        "=",
        "=",
        "&",
        "&",
        "x",
        "%41",
        "%",
        "%zz",
        "%C3%A9",
        "%FF",
        "+",
        "",
        "é",
        "?",
        "a=b",
        " ",
    ]
    for _ in range(draws(25_000)):
        text = "".join(rng.choices(pieces, k=rng.randrange(12)))
        params, list_first = URLSearchParams(text), URLSearchParams(text)
        list_first._pairs  # noqa: B018 - which has the list made
        for _ in range(4):
            name = "".join(rng.choices(pieces, k=rng.randrange(3)))
            value = "".join(rng.choices(pieces, k=rng.randrange(3)))
            ways = [
                lambda p, name=name: p.get(name),
                lambda p, name=name: p.get_all(name),
                lambda p, name=name: p.has(name),
                lambda p, name=name, value=value: p.has(name, value),
                lambda p: (p.size, len(p)),
                lambda p, name=name: p.delete(name),
                lambda p, name=name, value=value: p.delete(name, value),
                lambda p, name=name, value=value: p.set(name, value),
                lambda p, name=name, value=value: p.append(name, value),
                lambda p: p.sort(),
                str,
            ]
            way = rng.choice(ways)
            assert way(params) == way(list_first), (text, name, value)
        assert list(params) == list(list_first), text


def test_an_iterator_sees_what_the_text_becomes():
    url = URL("http://h/?a=1&b=2")
    found = iter(url.search_params)
    assert next(found) == ("a", "1")
    url.search = "c=3&d=4&e=5"
    assert list(found) == [("d", "4"), ("e", "5")]


def test_an_iterator_that_has_ended_stays_ended():
    params = URLSearchParams("a=1")
    found = params.keys()
    assert iter(found) is found and list(found) == ["a"]
    params.append("b", "2")
    assert list(found) == [] and list(params.values()) == ["1", "2"]


def test_a_loop_meets_every_pair_while_the_pairs_are_sorted():
    """In place, list.sort shows others an empty list, at which their loops would end."""
    params = URLSearchParams([(f"{k * 7919 % 500}", "") for k in range(500)])
    seen = []
    for name, _ in params:
        seen.append(name)
        if len(seen) % 50 == 0:
            params.append("z", "")
            params.sort()
    assert len(seen) == 510


@pytest.mark.parametrize("seed", range(20))
def test_names_beyond_the_basic_plane_are_sorted_by_code_units(seed):
    chosen = random.Random(seed)
    alphabet = ["\ue000", "\uffff", "\ufffd", "\U00010000", "\U0010ffff", "\ud7ff", "a", "\xe9", "\U0001f600"]
    names = ["".join(chosen.choices(alphabet, k=chosen.randrange(4))) for _ in range(60)]
    params = URLSearchParams([(name, str(k)) for k, name in enumerate(names)])
    params.sort()
    expected = sorted(((name, str(k)) for k, name in enumerate(names)), key=lambda pair: pair[0].encode("utf-16-be"))
    assert list(params) == expected


def test_a_state_is_that_of_one_moment():
    url = URL("http://h/?a=1")
    params = url.search_params
    params.append("b", "2")
    of_params, of_url = params.__getstate__(), url.__getstate__()
    params.append("c", "3")
    assert of_params == ([("a", "1"), ("b", "2")], url)
    assert of_url[0].query == "a=1&b=2" and of_url[2] == [("a", "1"), ("b", "2")]


@pytest.mark.parametrize("first", ["url", "params"])
def test_a_pickle_whose_params_are_of_another_moment_is_the_url_s(first):
    """Another thread may change the params between the two."""

    class Later(pickle.Pickler):
        def persistent_id(self, given):  # asked before each object
            if type(given) is str and given == "1":
                params.set("a", "2")

    url = URL("http://h/?a=1")
    params = url.search_params
    octets = io.BytesIO()
    Later(octets).dump(url if first == "url" else params)
    found = pickle.loads(octets.getvalue())
    copy, of_copy = (found, found.search_params) if first == "url" else (None, found)
    if copy is not None:
        assert copy.search == f"?{of_copy}"
    of_copy.append("z", "")
    assert str(of_copy).endswith("&z=")
    assert url.search == "?a=2"


def test_many_fields_are_sorted():
    text = "&".join(f"{name}={number}" for number, name in enumerate("zyxzyxzyxwvutsrqzab"))
    for count in range(1, 20):
        params = URLSearchParams("&".join(text.split("&")[:count]))
        wanted = sorted(parse_form(str(params)), key=lambda pair: pair[0])
        params.sort()
        assert list(params) == wanted


def test_a_state_that_is_refused_changes_nothing():
    params = URLSearchParams("a=1")
    with pytest.raises(TypeError):
        params.__setstate__(([("b", 2)], None))
    assert str(params) == "a=1"
