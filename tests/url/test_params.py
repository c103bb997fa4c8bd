"""urlsm.url.params: the form parser and serialiser over any text, and the multi-map."""

import copy
import pickle
import string
from collections.abc import Mapping
from urllib.parse import parse_qsl, unquote_to_bytes

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from urlsm.url.params import QueryParams, parse_form, scalar_values, serialize_form
from urlsm.url.value import parse

SURROGATES = st.characters(min_codepoint=0xD800, max_codepoint=0xDFFF, categories=["Cs"])
CHARS = st.sampled_from("&&&===+++%%%%0123abcdefABCDEFsz?#;\0 \x7f~é€\ufeff\U0001f600\ud800\udc80\udcff")
TEXTS = st.text(CHARS | st.characters() | SURROGATES)


def octets_of(text: str, errors: str) -> bytes:
    kept = range(0xDC80, 0xDD00) if errors == "surrogateescape" else ()
    text = "".join("\ufffd" if 0xD800 <= ord(c) <= 0xDFFF and ord(c) not in kept else c for c in text)
    return text.encode("utf-8", "surrogateescape")


def reference(text: str, errors: str) -> list[tuple[str, str]]:
    """The standard's steps, one for one."""

    def decoded(octets: bytes) -> str:
        return unquote_to_bytes(octets.replace(b"+", b" ")).decode("utf-8", errors)

    pieces = [piece.partition(b"=") for piece in octets_of(text, errors).split(b"&") if piece]
    return [(decoded(name), decoded(value)) for name, _, value in pieces]


# ---- parsing -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("", []),
        ("&", []),
        ("&&&a=b&&&&c=d&", [("a", "b"), ("c", "d")]),
        ("a", [("a", "")]),
        ("a=", [("a", "")]),
        ("=b", [("", "b")]),
        ("=", [("", "")]),
        ("a&b", [("a", ""), ("b", "")]),
        ("a=1&a=2&a=1", [("a", "1"), ("a", "2"), ("a", "1")]),
        ("a==b=c", [("a", "=b=c")]),
        ("a;b=c", [("a;b", "c")]),
        ("?a=b", [("?a", "b")]),
        ("a+b=+c++d+", [("a b", " c  d ")]),
        ("%2B=%20%26%3d%2B", [("+", " &=+")]),
        ("%61+%4d%4D=", [("a MM", "")]),
        ("%=a", [("%", "a")]),
        ("%a=a", [("%a", "a")]),
        ("%a_=a", [("%a_", "a")]),
        ("id=0&value=%", [("id", "0"), ("value", "%")]),
        ("b=%2sf%2a", [("b", "%2sf*")]),
        ("b=%2%2af%2a", [("b", "%2*f*")]),
        ("b=%%2a", [("b", "%*")]),
        ("%4&1=%3&d=x", [("%4", ""), ("1", "%3"), ("d", "x")]),  # an escape does not reach across a delimiter
        ("%00=\0", [("\0", "\0")]),
        ("†&†=x", [("†", ""), ("†", "x")]),
        ("é=%C3%A9&%E2%82%AC=€+", [("é", "é"), ("€", "€ ")]),
        ("%F0%9F%98%80=\U0001f600", [("\U0001f600", "\U0001f600")]),
        # "UTF-8 decode without BOM"
        ("\ufefftest=\ufeff", [("\ufefftest", "\ufeff")]),
        ("%EF%BB%BFtest=%EF%BB%BF", [("\ufefftest", "\ufeff")]),
    ],
)
def test_parse_form(text, pairs):
    assert parse_form(text) == parse_form(text, "surrogateescape") == pairs


@pytest.mark.parametrize(
    ("text", "replaced", "escaped"),
    [
        ("%ff", "\ufffd", "\udcff"),
        ("%FE%FF", "\ufffd\ufffd", "\udcfe\udcff"),
        ("%C2x", "\ufffdx", "\udcc2x"),
        ("%E2%82", "\ufffd", "\udce2\udc82"),  # one U+FFFD for the beginning of a character
        ("%ED%A0%80", "\ufffd" * 3, "\udced\udca0\udc80"),  # a surrogate is not UTF-8
        ("%C0%80", "\ufffd" * 2, "\udcc0\udc80"),
        ("\ud800", "\ufffd", "\ufffd"),
        ("x\udfff%41", "x\ufffdA", "x\ufffdA"),
        ("\udcff", "\ufffd", "\udcff"),
        ("\udcc3%A9", "\ufffd\ufffd", "é"),  # the octet that it came from
        ("\ud83d\ude00", "\ufffd\ufffd", "\ufffd\ufffd"),  # two code points, though they are one in UTF-16
    ],
)
def test_what_is_not_utf_8(text, replaced, escaped):
    assert parse_form(text) == parse_form(text, errors="replace") == [(replaced, "")]
    assert parse_form("a=" + text, "surrogateescape") == [("a", escaped)]


def test_other_error_handlers():
    assert parse_form("a=%ff%41", "ignore") == [("a", "A")]
    assert parse_form("a=%41", "strict") == [("a", "A")]
    with pytest.raises(UnicodeDecodeError):
        parse_form("a=%ff", "strict")
    with pytest.raises(LookupError):
        parse_form("a=%ff", "no such handler")


@given(TEXTS, st.sampled_from(["replace", "surrogateescape"]))
@example("a+%", "replace")
@example("%&+=%41", "replace")
def test_parse_form_is_the_standards_steps(text, errors):
    assert parse_form(text, errors) == reference(text, errors)


@given(st.text(st.sampled_from("&=+%4aé;?") | st.characters(exclude_categories=["Cs"])))
def test_parse_form_is_parse_qsl(text):
    assert parse_form(text) == parse_qsl(text, keep_blank_values=True)


@pytest.mark.parametrize("size", [0, 1, 2, 766, 767, 768, 769, 1535, 1536, 1537, 4000])
def test_around_the_buffers_size(size):
    for unit, decoded in [("x", "x"), ("+", " "), ("%41", "A"), ("é", "é"), ("%ff", "\ufffd")]:
        assert parse_form("n=" + unit * size + "&" + unit * size + "=v&%20") == [
            ("n", decoded * size),
            (decoded * size, "v"),
            (" ", ""),
        ]
        text = serialize_form([(decoded * size, "+" * size)])
        assert parse_form(text) == [(decoded * size, "+" * size)]


@pytest.mark.slow(4)
@pytest.mark.parametrize("unit", ["a", "&", "=", "+", "%", "%4", "%41", "%ff", "é", "\ud800", "a=b&", "+&%&", "\0"])
def test_megabytes(unit):
    text = unit * (1 << 18) if "&" in unit else unit * (1 << 20)
    pairs = parse_form(text)
    assert pairs == reference(text, "replace")
    assert parse_form(serialize_form(pairs)) == pairs


@pytest.mark.parametrize("bad", [None, b"a=b", 1, ["a"], bytearray(b"a")])
def test_text_only(bad):
    with pytest.raises(TypeError):
        parse_form(bad)
    with pytest.raises(TypeError):
        parse_form(bad, "surrogateescape")
    with pytest.raises(TypeError):
        parse_form("a", bad)
    with pytest.raises(TypeError):
        QueryParams.parse(bad)
    with pytest.raises(TypeError):
        scalar_values(bad)


class Liar(str):
    """A str subclass that overrides what we might call."""

    def __str__(self):
        return "lie"

    def encode(self, *args):
        return b"lie"

    def __len__(self):
        return 1 << 30


@pytest.mark.parametrize("text", ["a=b", "é=\u20ac", "\ud800=%ff"])
def test_subclass_of_str(text):
    for errors in "replace", "surrogateescape":
        assert parse_form(Liar(text), errors) == parse_form(text, errors)
    assert serialize_form([(Liar(text), Liar(text))]) == serialize_form([(text, text)])
    params = QueryParams([(Liar(text), Liar(text))])
    assert {type(part) for part in params.items()[0]} == {str}
    assert type(scalar_values(Liar(text))) is str


def test_scalar_values():
    for text in ["", "a", "é€", "\U0001f600"]:
        assert scalar_values(text) is text
    assert scalar_values("\ud800a\udc80é\udfff") == "\ufffda\ufffdé\ufffd"


# ---- serialising ---------------------------------------------------------------------------------------


def test_form_set_octet_by_octet():
    plain = string.ascii_letters + string.digits + "*-._"
    for octet in range(256):
        char = chr(octet) if octet < 0x80 else chr(0xDC00 + octet)
        expected = char if char in plain else "+" if char == " " else f"%{octet:02X}"
        assert serialize_form([(char, char)]) == f"{expected}={expected}"


@pytest.mark.parametrize(
    ("pairs", "text"),
    [
        ([], ""),
        ([("", "")], "="),
        ([("", ""), ("", "")], "=&="),
        ([("a", "")], "a="),
        ([("a b", " c ")], "a+b=+c+"),
        ([("é", "€"), ("\U0001f600", "\0")], "%C3%A9=%E2%82%AC&%F0%9F%98%80=%00"),
        ([("\ud800", "\udfff")], "%EF%BF%BD=%EF%BF%BD"),
        ([("\udc80\udcff", "\udc7f\udd00")], "%80%FF=%EF%BF%BD%EF%BF%BD"),
        ([("\udc80\ud800", "é\udcff")], "%80%EF%BF%BD=%C3%A9%FF"),
        ([["a", "1"], iter("xy"), ("a", "2")], "a=1&x=y&a=2"),
        ({"a": "1", "b": "2"}, "a=1&b=2"),
        (QueryParams.parse("a=1&b=2&a=%ff"), "a=1&b=2&a=%FF"),
        ((pair for pair in [("a", "b")]), "a=b"),
    ],
)
def test_serialize_form(pairs, text):
    assert serialize_form(pairs) == text


@pytest.mark.parametrize(
    ("pairs", "error"),
    [
        (None, TypeError),
        (1, TypeError),
        ("ab", TypeError),
        (["ab"], TypeError),
        ([b"ab"], TypeError),
        ([None], TypeError),
        ([("a", 1)], TypeError),
        ([(b"a", "b")], TypeError),
        ({"a": None}, TypeError),
        ([("a",)], ValueError),
        ([("a", "b", "c")], ValueError),
        ([()], ValueError),
    ],
)
def test_anything_but_a_pair_is_refused(pairs, error):
    with pytest.raises(error):
        serialize_form(pairs)
    with pytest.raises(error):
        QueryParams(pairs)


@given(st.lists(st.tuples(TEXTS, TEXTS)))
def test_round_trip(pairs):
    text = serialize_form(pairs)
    assert text.isascii()
    assert octets_of("".join(map("".join, pairs)), "surrogateescape") == b"".join(
        octets_of(part, "surrogateescape") for pair in parse_form(text, "surrogateescape") for part in pair
    )
    assert serialize_form(parse_form(text, "surrogateescape")) == text


@given(st.lists(st.tuples(st.binary(), st.binary())))
def test_octets_survive(pairs):
    decoded = [tuple(octets.decode("utf-8", "surrogateescape") for octets in pair) for pair in pairs]
    assert parse_form(serialize_form(decoded), "surrogateescape") == decoded


# ---- the multi-map -------------------------------------------------------------------------------------

PARAMS = QueryParams([("a", "1"), ("b", ""), ("a", "2"), ("é", "\udcff")])


def test_look_up():
    assert PARAMS["a"] == PARAMS.get("a") == "1"
    assert PARAMS["b"] == PARAMS.get("b", "x") == ""
    assert PARAMS.get("c") is None
    assert PARAMS.get("c", 1) == PARAMS.get("c", default=1) == 1
    assert PARAMS.get_all("a") == ("1", "2")
    assert PARAMS.get_all("c") == ()
    assert "a" in PARAMS and "c" not in PARAMS and 1 not in PARAMS
    with pytest.raises(KeyError, match="'c'"):
        PARAMS["c"]


def test_all_pairs_in_order():
    assert list(PARAMS) == ["a", "b", "a", "é"]
    assert PARAMS.keys() == ("a", "b", "a", "é")
    assert PARAMS.values() == ("1", "", "2", "\udcff")
    assert PARAMS.items() == (("a", "1"), ("b", ""), ("a", "2"), ("é", "\udcff"))
    assert len(PARAMS) == 4
    assert not QueryParams()
    assert list(QueryParams()) == [] == list(QueryParams().items())


def test_usable_as_a_mapping():
    assert isinstance(PARAMS, Mapping)
    assert dict(PARAMS) == {"a": "1", "b": "", "é": "\udcff"}
    match PARAMS:
        case {"a": first, **rest}:
            assert first == "1"
            assert rest == {"b": "", "é": "\udcff"}
        case _:
            pytest.fail("not matched as a mapping")
    match PARAMS:
        case [*_]:
            pytest.fail("matched as a sequence")
        case _:
            pass


def test_made_from():
    assert QueryParams({"a": "1", "b": "2"}).items() == (("a", "1"), ("b", "2"))
    assert QueryParams(PARAMS) == PARAMS  # duplicates too
    assert QueryParams(iter(PARAMS.items())) == PARAMS
    assert QueryParams([["a", "b"]]).items() == (("a", "b"),)
    assert QueryParams(pairs=()) == QueryParams() == QueryParams.parse("") == QueryParams.parse("&&")


def test_parse():
    assert QueryParams.parse("a=1&b&a=2&%C3%A9=%ff") == PARAMS
    assert QueryParams.parse("a=%2B+\udcfe")["a"] == "+ \udcfe"


def test_of_a_url():
    assert parse("http://h/?a=1&b&a=2&é=%ff#a=3").query_params == PARAMS
    assert parse("http://h/??a=1").query_params.items() == (("?a", "1"),)
    assert parse("http://h/").query_params == parse("http://h/?").query_params == QueryParams()


def test_value():
    same = QueryParams(list(PARAMS.items()))
    assert same == PARAMS and hash(same) == hash(PARAMS)
    assert same != QueryParams(sorted(PARAMS.items()))
    assert PARAMS.items() != PARAMS and dict(PARAMS) != PARAMS
    assert str(PARAMS) == "a=1&b=&a=2&%C3%A9=%FF"
    assert repr(PARAMS) == "QueryParams([('a', '1'), ('b', ''), ('a', '2'), ('é', '\\udcff')])"
    assert repr(QueryParams()) == "QueryParams([])"


def test_immutable():
    before = PARAMS.items()
    for change in ("x", "pairs", "index"):
        with pytest.raises(AttributeError):
            setattr(PARAMS, change, ())
    with pytest.raises(TypeError):
        PARAMS["a"] = "3"
    with pytest.raises(TypeError):
        del PARAMS["a"]
    PARAMS.__init__([("x", "y")])
    assert PARAMS.items() is before
    with pytest.raises(TypeError):
        type("Sub", (QueryParams,), {})


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickle(protocol):
    for params in PARAMS, QueryParams():
        again = pickle.loads(pickle.dumps(params, protocol))
        assert again == params and again.items() == params.items()


def test_copy():
    assert copy.copy(PARAMS) is copy.deepcopy(PARAMS) is PARAMS


def test_many_look_ups_are_linear():
    # 100,000 names, each looked up: a scan per look-up would take minutes
    params = QueryParams.parse("&".join(f"n{k}={k}" for k in range(100_000)))
    assert all(params[name] == name[1:] for name in params)


@given(st.lists(st.tuples(TEXTS, TEXTS)))
def test_look_up_is_a_scan(pairs):
    params = QueryParams(pairs)
    for name, _ in [*pairs, ("missing", "")]:
        values = [v for n, v in pairs if n == name]
        assert list(params.get_all(name)) == values
        assert params.get(name) == (values[0] if values else None)
        assert (name in params) == bool(values)


@pytest.mark.parametrize("count", [0, 1, 8, 9, 40])
def test_first_values_of_few_and_of_many_names(count):
    class Name(str):
        __slots__ = ()

    params = QueryParams([(f"n{k // 2}", str(k)) for k in range(count)])
    for k in range(count + 2):
        name, there = f"n{k // 2}", 2 * (k // 2) < count
        assert (params.get(name), name in params) == ((str(2 * (k // 2)), True) if there else (None, False))
        assert params.get(Name(name), "x") == params.get(name, "x") == (params[name] if there else "x")
    assert params.get(1) is params.get(None) is None and 1 not in params
    for ask in (params.get, params.__getitem__, params.__contains__):
        with pytest.raises(TypeError, match="unhashable"):
            ask([])
    with pytest.raises(KeyError, match="none"):
        params["none"]
