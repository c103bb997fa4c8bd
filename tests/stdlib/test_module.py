"""urlsm.stdlib as a module: names, classes, lists, caches, warnings, and the methods that it calls."""

import codecs
import copy
import gc
import inspect
import multiprocessing.reduction
import pickle
import subprocess
import sys
import urllib.parse as theirs
import warnings

import pytest

import urlsm
import urlsm.stdlib as ours
from urlsm.compat import install
from urlsm.stdlib._probe import DIFFERENCES

LONG = 1 << 20
URL = "https://user:pass@www.example.org:8080/a/b;p/../c;q?x=1&y=%C3%A9+z#top"


def test_every_name_of_urllib_parse_is_there():
    missing = [name for name in dir(theirs) if not hasattr(ours, name)]
    assert missing == []
    assert ours.__all__ == theirs.__all__
    functions = {
        name for name, value in vars(theirs).items()
        if callable(value) and not isinstance(value, type) and getattr(value, "__module__", None) == "urllib.parse"
    }  # fmt: skip
    assert {name for name in theirs.__all__ if name in functions} | {"clear_cache"} == set(ours.FUNCTIONS)
    for name in functions - {"__getattr__"}:  # deprecated functions are the interpreter's own
        assert (getattr(ours, name) is getattr(theirs, name)) == (name not in ours.FUNCTIONS)


def test_classes_and_lists_are_the_interpreters_own():
    for name in ("DefragResult", "ParseResult", "SplitResult"):
        assert getattr(ours, name) is getattr(theirs, name)
        assert getattr(ours, name + "Bytes") is getattr(theirs, name + "Bytes")
    for name in ("uses_relative", "uses_netloc", "uses_params", "uses_query", "uses_fragment"):
        assert getattr(ours, name) is getattr(theirs, name)
    assert type(ours.urlsplit(URL)) is theirs.SplitResult
    assert type(ours.urlparse(URL)) is theirs.ParseResult
    assert type(ours.urldefrag(URL)) is theirs.DefragResult
    assert type(ours.urlsplit(URL.encode())) is theirs.SplitResultBytes
    assert type(ours.urlparse(URL.encode())) is theirs.ParseResultBytes
    assert type(ours.urldefrag(URL.encode())) is theirs.DefragResultBytes


@pytest.mark.parametrize("name", ["uses_relative", "uses_netloc", "uses_params"])
@pytest.mark.parametrize("scheme", ["x-new", object()], ids=["str", "object"])
def test_what_is_appended_to_the_lists_counts(monkeypatch, name, scheme):
    class Equal(str):
        __hash__ = str.__hash__

    monkeypatch.setattr(theirs, name, getattr(theirs, name))
    names = getattr(theirs, name)
    added = scheme if isinstance(scheme, str) else Equal("x-new")
    calls = [("urljoin", "x-new://h/a/b;p", "../c;d"), ("urljoin", "x-new:/a/b", "c"), ("urlparse", "x-new:/a;b"),
             ("urlunsplit", ("x-new", "", "/a", "", "")), ("urlunsplit", ("x-new", "", "", "", ""))]  # fmt: skip
    before = [getattr(ours, function)(*args) for function, *args in calls]
    names.append(added)
    try:
        after = [getattr(ours, function)(*args) for function, *args in calls]
        assert after == [getattr(theirs, function)(*args) for function, *args in calls]
    finally:
        names.pop()
    theirs.clear_cache()
    assert before == [getattr(theirs, function)(*args) for function, *args in calls]
    assert before != after


def test_a_list_may_be_emptied():
    kept = theirs.uses_relative[:]
    theirs.uses_relative.clear()
    try:
        assert ours.urljoin("https://h/a", "b") == "b"
    finally:
        theirs.uses_relative.extend(kept)
    assert ours.urljoin("https://h/a", "b") == "https://h/b"


def test_caches_look_like_the_interpreters_and_hold_nothing():
    for name in ("cache_info", "cache_clear", "cache_parameters", "__wrapped__"):
        assert hasattr(ours.urlsplit, name) == hasattr(theirs.urlsplit, name), name
    if hasattr(theirs.urlsplit, "cache_info"):
        ours.urlsplit("http://a/")
        ours.urlsplit("http://a/")
        ours.urlsplit.cache_clear()
        assert ours.urlsplit.cache_info()[0] == ours.urlsplit.cache_info().currsize == 0
        assert ours.urlsplit.cache_parameters() == theirs.urlsplit.cache_parameters()
        assert ours.urlsplit.__wrapped__(bytearray(b"http://a/b")) == theirs.urlsplit(b"http://a/b")
    ours.clear_cache()
    url = "http://" + "a" * 50 + "/"
    count = sys.getrefcount(url)
    results = [ours.urlsplit(url), ours.quote(url), ours.urljoin(url, "b")]
    del results
    assert sys.getrefcount(url) == count


@pytest.mark.slow(3)
def test_results_of_str_are_not_the_collectors_business():
    for result in (ours.urlsplit(URL), ours.urlparse(URL), ours.urldefrag(URL), ours.urlsplit(URL.encode())):
        assert not gc.is_tracked(result)
        assert gc.get_referents(result)  # and yet it is a sound object
    for _ in range(3):
        gc.collect()
        kept = [ours.urlsplit(f"http://h/{k}") for k in range(1000)]
    assert [result.path for result in kept[:3]] == ["/0", "/1", "/2"]
    assert kept[0]._replace(path="x") == theirs.SplitResult("http", "h", "x", "", "")


def test_results_can_be_copied_and_pickled():
    for result in (ours.urlsplit(URL), ours.urlparse(URL), ours.urldefrag(URL), ours.urlsplit(URL.encode())):
        for again in (copy.copy(result), copy.deepcopy(result), pickle.loads(pickle.dumps(result))):
            assert again == result
            assert type(again) is type(result)


@pytest.mark.parametrize("name", ["urlsplit", "urljoin", "quote", "urlencode", "clear_cache"])
def test_functions_can_be_pickled(name):
    function = getattr(ours, name)
    assert pickle.loads(multiprocessing.reduction.ForkingPickler.dumps(function)) is function
    assert pickle.loads(pickle.dumps(function, 0)) is function
    assert copy.deepcopy(function) is function


def test_signatures_are_the_interpreters():
    for name in theirs.__all__:
        function = getattr(theirs, name)
        if isinstance(function, type):
            continue
        wanted = inspect.signature(function).parameters
        found = inspect.signature(getattr(ours, name)).parameters
        added = [found[more].kind for more in list(found)[len(wanted) :]]
        assert added == [inspect.Parameter.KEYWORD_ONLY] * len(added), name
        for parameter, ours_too in zip(wanted.values(), found.values(), strict=False):
            assert (parameter.name, parameter.kind) == (ours_too.name, ours_too.kind), name
            if parameter.name != "quote_via":
                assert parameter.default == ours_too.default, name


@pytest.mark.parametrize("call", [
    lambda m: m.urlsplit(), lambda m: m.urlsplit("a", "b", True, 4), lambda m: m.urlsplit("a", nothing=1),
    lambda m: m.urljoin("a"), lambda m: m.quote(), lambda m: m.quote("a", strings="b"), lambda m: m.urlencode(),
    lambda m: m.unquote("a", "b", "c", "d"), lambda m: m.splitport(), lambda m: m.parse_qs(query="a"),
])  # fmt: skip
def test_a_call_that_does_not_fit_is_a_type_error(call):
    for module in (ours, theirs):
        with pytest.raises(TypeError):
            call(module)


@pytest.mark.parametrize("name", ["urlsplit", "urlparse", "urldefrag", "urlunsplit", "quote", "quote_plus", "unquote",
                                  "unquote_plus"])  # fmt: skip
def test_one_argument_by_place_or_by_name_or_with_the_defaults(name):
    """A single positional argument takes a faster way."""
    parameters = list(inspect.signature(getattr(theirs, name)).parameters.values())
    values = [URL, URL.encode(), "a b+%41/é", b"a%20", bytearray(b"a b"), "", b"", None, 5]
    values.append(("http", "h", "/p", "q", "f"))
    for value in values:

        def outcome(*args, value=value, **named):
            try:
                return getattr(ours, name)(*args, **named)
            except Exception as error:
                return type(error), str(error)

        defaults = {parameter.name: parameter.default for parameter in parameters[1:]}
        assert outcome(value) == outcome(**{parameters[0].name: value}) == outcome(value, **defaults)
        placed = [parameter.default for parameter in parameters[1:] if parameter.kind != parameter.KEYWORD_ONLY]
        assert outcome(value) == outcome(value, *placed)


def test_the_same_object_comes_back_where_it_does_from_urllib():
    class Text(str):
        __slots__ = ()

    for made in (str, Text):
        url, empty = made("".join(["http:", "//h/a"])), made("")
        assert ours.urljoin("", url) is url
        assert ours.urljoin(url, "") is url
        assert ours.urljoin("http://h/", made("mailto:x")) == "mailto:x"
        assert ours.unquote(url) is url
        assert ours.quote(empty) is empty
        assert ours.urldefrag(url).url is url
        assert ours.urlunsplit(("", "", url, "", "")) is url
        # like the interpreter's, results hold exact str
        assert {type(part) for part in ours.urlsplit(url)} == {str}
        assert type(ours.quote(url)) is str
    other = Text("mailto:x")
    assert ours.urljoin("http://h/", other) is other
    octets = b"no escapes"
    assert ours.unquote_to_bytes(octets) is octets


def test_warnings_name_the_callers_line():
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        ours.splittype("a:b")
        line = inspect.currentframe().f_lineno - 1
        ours.to_bytes("a")
        hasattr(ours, "Quoter")
        _ = [ours.parse_qs(0), ours.parse_qsl([])] if DIFFERENCES["queries_of_octets"] else []
    lines = [line, line + 2]
    with warnings.catch_warnings(record=True) as theirs_told:
        warnings.simplefilter("always")
        if hasattr(theirs, "Quoter"):
            lines += [line + 3] * len(theirs_told)
    lines += [line + 4] * 2 * DIFFERENCES["deprecates_false_queries"]
    assert [(warning.category, warning.filename) for warning in told] == [(DeprecationWarning, __file__)] * len(told)
    assert [warning.lineno for warning in told] == lines


@pytest.mark.parametrize("call", [
    lambda m: m.unquote("%5Cp", "unicode_escape"), lambda m: m.unquote(b"%5Cp", "unicode_escape"),
    lambda m: m.unquote_plus("é%5Cp", "unicode_escape"), lambda m: m.parse_qsl("a=%5Cp", encoding="unicode_escape"),
    lambda m: m.quote("a", encoding="warns"), lambda m: m.quote_plus("a b", encoding="warns"),
    lambda m: m.urlencode({"a": "b"}, encoding="warns"),
])  # fmt: skip
def test_a_codecs_warnings_name_what_they_name_in_urllib_parse(call):
    def encode(text, errors="strict"):
        warnings.warn("of a codec", DeprecationWarning, stacklevel=2)
        return text.encode(), len(text)

    codecs.register(search := lambda name: codecs.CodecInfo(encode, None) if name == "warns" else None)
    try:
        told = []
        for module in (ours, theirs):
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                call(module)
            told.append([(warning.category, str(warning.message), warning.filename) for warning in caught])
    finally:
        codecs.unregister(search)
    assert told[0] == told[1] != []


def test_the_interpreters_own_parse_qs_may_call_our_parse_qsl():
    parse_qs = theirs.parse_qs
    with install("urllib.parse"):
        assert parse_qs("a=1&a=2") == {"a": ["1", "2"]}


@pytest.mark.parametrize("url", ["http://h/a;b?c#d", "http://u:p@[::1]:8/?"])
def test_a_url_is_taken_for_its_text(url):
    value = urlsm.parse(url)
    for name in ("urlsplit", "urlparse", "urldefrag"):
        assert getattr(ours, name)(value) == getattr(theirs, name)(url)
        assert type(getattr(ours, name)(value)) is type(getattr(theirs, name)(url))
    assert ours.urljoin(value, "../x") == theirs.urljoin(url, "../x")
    assert ours.urljoin("http://other/", value) == theirs.urljoin("http://other/", url)
    assert ours.urlsplit(value, missing_as_none=True).geturl() == url
    with pytest.raises(TypeError, match="Cannot mix"):
        ours.urljoin(b"http://h/", value)


def test_urlencode_evaluates_in_the_interpreters_order():
    class Fails:
        def __str__(self):
            raise ZeroDivisionError

    def order(urlencode, *arguments):
        seen = []

        def quote_via(text, *options):
            seen.append(text)
            return None if text == "none" else b"" if text == "bytes" else text

        try:
            return urlencode(*arguments, quote_via=quote_via), seen
        except Exception as error:
            return type(error), str(error), seen

    for pairs in ([("none", "a"), ("b", "c")], [("a", "bytes"), ("b", "c")], [("none", ["a", "b"])],
                  [("a", ["b", "none", "c"])], [("none", Fails())], [("\ud800", Fails())], [("none", 5)]):  # fmt: skip
        for several in (False, True):
            assert order(ours.urlencode, pairs, several) == order(theirs.urlencode, pairs, several)
    for several in (False, True):
        for pairs in ([("\ud800", Fails())], [(Fails(), "\ud800")], [("\ud800", [Fails()])]):
            told = []
            for module in (ours, theirs):
                with pytest.raises((UnicodeEncodeError, ZeroDivisionError)) as raised:
                    module.urlencode(pairs, several)
                told.append(raised.type)
            assert told[0] is told[1]


def test_unknown_names_are_attribute_errors():
    with pytest.raises(AttributeError, match="has no attribute 'this_does_not_exist'"):
        _ = ours.this_does_not_exist


def test_nothing_calls_into_urllib_parse(monkeypatch):
    calls = [
        ("urlsplit", URL), ("urlsplit", URL.encode()), ("urlsplit", " H\tTTP://[::1]/é"), ("urlsplit", "//é[", ""),
        ("urlsplit", bytearray(b"http:a"), "x"), ("urlparse", URL, "x", False), ("urlparse", b"a;b", b"http"),
        ("urlunsplit", ("http", None, "a", b"", "f")), ("urlunsplit", (b"a", b"b", b"c", b"d", b"e")),
        ("urlunparse", ("http", "h", "a", "p", "q", "f")), ("urlunparse", ("http", "", "a", "p", "q", None)),
        ("urljoin", URL, "../x;y?z"), ("urljoin", URL.encode(), b"//g"), ("urljoin", "é:a", "b"),
        ("urljoin", None, "a"),
        ("urldefrag", URL), ("urldefrag", "é;#f"), ("urldefrag", b"a#b"), ("parse_qs", "a=1&a=%41+&b"),
        ("parse_qsl", b"a=%41", True, True), ("parse_qsl", "é=\ud800", 1, 0, "latin-1"), ("quote", "a b\xe9"),
        ("quote", b"a b"), ("quote", bytearray(b"a b"), b"/"), ("quote", "é", "", "latin-1"),
        ("quote_plus", "a b/", "/"),
        ("quote_plus", b"a b", b"/"), ("quote_from_bytes", b"\xff"), ("unquote", "a%41é%ff"), ("unquote", b"%41"),
        ("unquote", "%41", "latin-1"), ("unquote_plus", "+%41"), ("unquote_to_bytes", "%41"),
        ("unquote_to_bytes", b"%41"), ("urlencode", {"a": "b", "c": 5}), ("urlencode", [("a", [1, 2])], True),
        ("urlencode", [("a b", "é")], False, "", None, None, theirs.quote), ("urlsplit", urlsm.parse("http://h/")),
        ("urlencode", [("a b", "é")], False, "", "latin-1"), ("urlunsplit", (None, None, "a", None, "")),
    ]  # fmt: skip

    def outcome(name, *args):
        try:
            return getattr(ours, name)(*args)
        except Exception as error:
            return type(error), str(error)

    wanted = [outcome(*call) for call in calls]

    def refuse(*args, **named):
        raise AssertionError("called")

    for name, value in list(vars(theirs).items()):
        if callable(value) and getattr(value, "__module__", None) == "urllib.parse" and not isinstance(value, type):
            monkeypatch.setattr(theirs, name, refuse)
    assert theirs._coerce_args is refuse
    assert [outcome(*call) for call in calls] == wanted


def test_import_urlsm_imports_neither():
    code = "import sys; sys.modules.pop('urllib.parse', None)  # an editable install's finder may have imported it\n"
    code += "import urlsm; print(sorted({'urlsm.stdlib', 'urllib.parse'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
    assert urlsm.stdlib is ours
    assert "stdlib" in dir(urlsm)


@pytest.mark.slow(15)
@pytest.mark.parametrize("unit", ["a", "/", "%", "%41", "?", "#", ";", ":", "@", "[", "../", "é", "\ud800", "\0", "\t",
                                  "&", "=", "+", "A"])  # fmt: skip
def test_megabytes(unit):
    text = unit * (LONG // len(unit))
    for name in ("urlsplit", "urlparse", "urldefrag", "unquote", "unquote_plus", "quote", "quote_plus", "parse_qsl"):
        if "\ud800" in text and name.startswith("quote"):
            with pytest.raises(UnicodeEncodeError):
                getattr(ours, name)(text)
        elif unit == "[" and name.startswith("url"):
            assert getattr(ours, name)(text) == getattr(theirs, name)(text)
        else:
            assert getattr(ours, name)(text) == getattr(theirs, name)(text)
    for base, url in (
        ("http://h/" + text, "a"),
        ("http://h/a", "/" + text),
        (text, text),
        ("http://h/a/b", "./" + text),
    ):
        assert ours.urljoin(base, url) == theirs.urljoin(base, url)
    for prefix in ("http://", text + "://"):
        try:
            wanted = theirs.urlsplit(prefix + text)
        except ValueError as error:
            with pytest.raises(ValueError) as told:
                ours.urlsplit(prefix + text)
            assert str(told.value) == str(error)
        else:
            assert ours.urlsplit(prefix + text) == wanted


@pytest.mark.slow(1)
def test_more_octets_than_offsets_can_count_are_refused():
    try:
        text = "a" * ((1 << 30) + 1)
    except MemoryError:
        pytest.skip("no memory for a text of a gibibyte")
    for call in (ours.urlsplit, ours.urlparse, lambda url: ours.urljoin(url, "b"), lambda url: ours.urljoin("b", url)):
        with pytest.raises(ValueError, match="octets"):
            call(text)


@pytest.mark.parametrize("length", [1, 2, 3, 85, 86, 127, 128, 255, 256, 257, 1000])
@pytest.mark.parametrize("char", ["\xe9", "\u4f8b", "\U0001f600", "\ud800", "%C3%A9", "%F0%9F%98%80", "%ff", "%C3"])
def test_text_beyond_ascii_of_every_length(char, length):
    """Short text is decoded and encoded without the interpreter."""
    for text in (char * length, "%20" + char * length, char + "%20" * length, "\xff%C4%80" + char * length):
        for name in ("quote", "quote_plus", "unquote", "unquote_plus"):
            answers = []
            for module in (theirs, ours):
                try:
                    answers.append(getattr(module, name)(text))
                except UnicodeEncodeError as error:
                    answers.append(str(error))
            assert answers[0] == answers[1]
