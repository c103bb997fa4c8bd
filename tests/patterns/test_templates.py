"""Templates: RFC 6570's expansion, and matching, which a search of all ways to match judges too."""

from __future__ import annotations

import copy
import json
import pickle
import random
import re
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import suites
from support.times import at_last, least_seconds

from urlsm import Template, UnsafeValue, parse
from urlsm.patterns import PatternError
from urlsm.patterns.template_grammar import OPERATORS

SUITE = "uritemplate-test"
# the variables of RFC 6570 section 3.2
VALUES = {
    "count": ["one", "two", "three"],
    "dom": ["example", "com"],
    "dub": "me/too",
    "hello": "Hello World!",
    "half": "50%",
    "var": "value",
    "who": "fred",
    "base": "http://example.com/home/",
    "path": "/foo/bar",
    "list": ["red", "green", "blue"],
    "keys": {"semi": ";", "dot": ".", "comma": ","},
    "v": "6",
    "x": "1024",
    "y": "768",
    "empty": "",
    "empty_keys": {},
    "undef": None,
}


# --- expansion ---


@pytest.mark.parametrize(
    ("template", "url"),
    [
        ("{hello}{half}|", None),
        ("O{empty}X{undef}{x,empty}", "OX1024,"),
        ("{var:3}{var:30}{list}{list*}{keys}{keys*}", None),
        ("{keys}", "semi,%3B,dot,.,comma,%2C"),
        ("{keys*}", "semi=%3B,dot=.,comma=%2C"),
        ("{+keys*}", "semi=;,dot=.,comma=,"),
        ("{+base}index{+half}{+path:6}here", "http://example.com/home/index50%25/foo/bhere"),
        ("foo{#path,x}{#undef}", "foo#/foo/bar,1024"),
        ("X{.list*}{.empty_keys}{.keys}", "X.red.green.blue.semi,%3B,dot,.,comma,%2C"),
        ("{/var,x}/here{/var:1,var}{/keys*}{/list*,path:4}", None),
        ("{;v,empty,who,undef}{;keys*}{;list}{;hello:5}", None),
        ("{?x,y,empty,undef}{&keys*}{&list*}{&var:3}", None),
        ("{?empty_keys,undef}", ""),
        ("é{who}", "%C3%A9fred"),
        ("a%2fb'{who}", "a%2fb'fred"),
    ],
)
def test_expansion(template, url):
    """Against the RFC's algorithm (section 3), written as plainly as it is there."""
    if "|" in template:
        with pytest.raises(PatternError):
            Template(template)
        return
    found = Template(template).expand(VALUES)
    assert found == expanded(template, VALUES) and (url is None or found == url)


def encoded(text: str, reserved: bool) -> str:
    kept = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~" + ":/?#[]@!$&'()*+,;=" * reserved
    units = re.findall("%[0-9A-Fa-f]{2}|.", text, re.DOTALL) if reserved else list(text)
    return "".join(
        unit if len(unit) == 3 or unit in kept else "".join(f"%{octet:02X}" for octet in unit.encode())
        for unit in units
    )


def expanded(template: str, values: dict) -> str:
    def expression(found: re.Match) -> str:
        row = OPERATORS[found[1]]
        made = []
        for spec in found[2].split(","):
            name, _, prefix = spec.removesuffix("*").partition(":")
            value = values.get(name)
            if value is None or value in ([], {}):
                continue
            code = lambda text: encoded(str(text), row.reserved)  # noqa: E731
            if isinstance(value, (str, int, float)):
                value = code(str(value)[: int(prefix)] if prefix else value)
                made.append(f"{name}{'=' if value else row.if_empty}{value}" if row.named else value)
            elif not spec.endswith("*"):
                pairs = [part for pair in value.items() for part in pair] if isinstance(value, dict) else value
                joined = ",".join(map(code, pairs))
                made.append(f"{name}={joined}" if row.named else joined)
            elif isinstance(value, dict):
                made += [
                    f"{code(k)}{'=' if one or not row.named else row.if_empty}{code(one)}" for k, one in value.items()
                ]
            else:
                made += [
                    f"{name}{'=' if one else row.if_empty}{code(one)}" if row.named else code(one) for one in value
                ]
        return row.first + row.separator.join(made) if made else ""

    text = re.sub(r"\{([+#./;?&]?)([^}]*)\}", lambda found: f"\0{expression(found)}\0", template)
    return "".join(part if k % 2 else re.sub("[^\0-\x7f]", lambda c: encoded(c[0], False), part)
                   for k, part in enumerate(text.split("\0")))  # fmt: skip


NAMES = st.sampled_from(["a", "b", "c.d", "e_1"])
SPECS = st.builds(lambda name, more: name + more, NAMES, st.sampled_from(["", "", "*", ":2"]))
EXPRESSIONS = st.builds(
    lambda sign, specs: f"{{{sign}{','.join(specs)}}}", st.sampled_from(sorted(OPERATORS)), st.lists(SPECS, min_size=1)
)
TEXT = st.text(st.sampled_from("aé%2F /?#&=,;.+\U0001f600"), max_size=5)


@given(
    st.lists(st.one_of(EXPRESSIONS, st.sampled_from(["/", "-", "é", "%2f", "x="]))).map("".join),
    st.dictionaries(NAMES, st.one_of(TEXT, st.integers(), st.none(), st.lists(TEXT), st.dictionaries(TEXT, TEXT))),
)
def test_expansion_of_any_template(template, values):
    with_prefix = {name for name in values if re.search(rf"\b{re.escape(name)}:", template)}
    values = {
        name: "x" if name in with_prefix and not isinstance(value, str) else value for name, value in values.items()
    }
    made = Template(template)
    assert made.expand(values) == expanded(template, values)
    some = dict(list(values.items())[::2])
    rest = {name: value for name, value in values.items() if name not in some}
    assert made.partial(some).expand(rest) == made.expand(values)
    assert made.partial(some).expand({**rest, **dict.fromkeys(some, "other")}) == made.expand(values)


def test_the_vectors_of_the_working_group():
    top = suites.folder(SUITE, "uritemplate-test")
    if top is None:
        suites.absent(SUITE, "tests/suites has none", "public, but no commit is pinned")
    count = 0
    for path in sorted(top.glob("*.json")):
        for group in json.loads(path.read_text(encoding="utf-8")).values():
            for template, url in group["testcases"]:
                count += 1
                try:
                    found = Template(template).expand(group["variables"])
                except ValueError:
                    found = False
                assert found == url or (isinstance(url, list) and found in url), (path.name, template, found, url)
    assert count > 200


@pytest.mark.parametrize(
    ("template", "code", "position"),
    [
        ("/{a", "expression-not-closed", 1),
        ("é}", "expression-not-opened", 1),
        ("a b", "character-not-allowed", 1),
        ("a%4", "bad-percent-escape", 1),
        ("{}", "variable-invalid", 1),
        ("{a,}", "variable-invalid", 3),
        ("{a b}", "variable-invalid", 2),
        ("{.a.}", "variable-invalid", 3),
        ("é{!a}", "operator-reserved", 2),
        ("{a:0}", "prefix-invalid", 2),
        ("{a:10000}", "prefix-invalid", 2),
    ],
)
def test_a_text_that_is_no_template(template, code, position):
    with pytest.raises(PatternError) as caught:
        Template(template)
    assert (caught.value.code, caught.value.position, caught.value.pattern) == (code, position, template)


@pytest.mark.parametrize("value", [True, b"x", object(), [b"x"], [["x"]], {"a": True}, {"a": []}, {1, 2}])
def test_values_of_other_types(value):
    with pytest.raises(TypeError, match=r"values\['a'\] must be str, int, float"):
        Template("{a}").expand({"a": value})


def test_arguments_of_expand():
    assert Template("{a}{b}").expand() == "" == Template("x{?a}").expand(None)[1:]
    for values in ("a", [("a", 1)], 3):
        with pytest.raises(TypeError, match="values must be a mapping"):
            Template("{a}").expand(values)
    for value in (["a"], {"a": "b"}):
        with pytest.raises(ValueError, match="prefix"):
            Template("{a:3}").expand({"a": value})
    assert Template("{a:3}").expand({"a": 12345}) == "123" and Template("{a}").expand({"a": 1.5}) == "1.5"
    assert Template("{a}{+a}").expand({"a": "\udce9\ud800"}) == "%E9%EF%BF%BD" * 2


# --- the value ---


def test_a_template_is_a_value():
    one = Template("/{a}{?b,a}")
    assert one == Template("/{a}{?b,a}") != Template("/{a}") and hash(one) == hash(Template(one.text))
    assert one.names == ("a", "b") and str(one) == one.text == "/{a}{?b,a}" and repr(one) == "Template('/{a}{?b,a}')"
    assert pickle.loads(pickle.dumps(one)) == copy.copy(one) == copy.deepcopy(one) == one != one.text
    one.__init__("/x")
    assert one.text == "/{a}{?b,a}"
    with pytest.raises(TypeError):
        Template.__new__(Template)
    with pytest.raises(TypeError, match="expected str"):
        Template(parse("http://h/"))


def test_partial():
    one = Template("/{a,b}{?c,d}{#e}")
    half = one.partial({"a": "1", "c": "2", "e": "x y"})
    assert half.text == "/{a,b}{?c,d}#x%20y" and half.names == ("b", "d")
    assert half.expand({"b": "3"}) == "/1,3?c=2#x%20y" == pickle.loads(pickle.dumps(half)).expand({"b": "3"})
    assert half != Template(half.text) and half.partial({"b": None, "d": None}) == Template("/1?c=2#x%20y")
    with pytest.raises(ValueError, match="has a value for 'a'"):
        half.match("/1")


def test_partial_copies_the_values_that_it_keeps():
    given = {"a": ["x", None], "m": {"k": 1}}
    half = Template("/{a,b}{?m*,c}").partial(given)
    given["a"].append("y")
    given["m"]["l"] = 2
    assert half.expand({"b": "1", "c": "2"}) == "/x,1?k=1&c=2"
    assert half == Template("/{a,b}{?m*,c}").partial({"a": ("x",), "m": {"k": "1"}})
    for value in (object(), True, ["x", b"y"]):
        with pytest.raises(TypeError, match=r"values\['a'\] must be str"):
            Template("{a,b}").partial({"a": value})
    with pytest.raises(ValueError, match="prefix"):
        Template("{a:3,b}").partial({"a": ["x"]})


# --- matching ---


@pytest.mark.parametrize(
    ("template", "url", "values"),
    [
        ("/{name}.{ext}", "/a.tar.gz", {"name": "a.tar", "ext": "gz"}),
        ("/{name}.{ext}/{+p}", "/a.tar.gz/x", {"name": "a", "ext": "tar.gz", "p": "x"}),
        ("/{name}.{ext}{#p}", "/a.tar.gz#x", {"name": "a", "ext": "tar.gz", "p": "x"}),
        ("/{name}.{ext}?q={+p}", "/a.tar.gz?q=x", {"name": "a", "ext": "tar.gz", "p": "x"}),
        ("/{a}/{b}", "/1/2", {"a": "1", "b": "2"}),
        ("/{a}/{b}", "/1/2/3", None),
        ("{/owner,repo}", "/a/b", {"owner": "a", "repo": "b"}),
        ("{/owner,repo}", "/a", {"owner": "a"}),
        ("{/owner,repo}", "", {}),
        ("{/owner,repo}", "/a/b/c", None),
        ("x/{a}", "x/", {}),
        ("x{/a}/x", "x/x", {}),
        ("x{/a}/x", "x/x/x", {"a": "x"}),
        ("{a,b}", "1,2", {"a": "1", "b": "2"}),
        ("{a}{.b}", "1.2.3", {"a": "1.2", "b": "3"}),
        ("{/x*}", "/1//3", {"x": ["1", "", "3"]}),
        ("{/x*}/{y}", "/1/2/3", {"x": ["1", "2"], "y": "3"}),
        ("{a}{/x*}", "1/2/3", {"a": "1", "x": ["2", "3"]}),
        ("{.x*}", ".1.2", {"x": ["1", "2"]}),
        ("{;x*}", ";x=1;x;x=3", {"x": ["1", "", "3"]}),
        ("{;x*}", ";x=1;y=3", None),
        ("{x*}", "1,2", {"x": ["1", "2"]}),
        ("/m{;a,b}", "/m;b=2", {"b": "2"}),
        ("/m{;a,b}", "/m;a;b=2", {"a": "", "b": "2"}),
        ("/m{;a,b}", "/m;b=2;a=1", None),
        ("/m{;a}", "/m;ab", None),
        ("/m{;a}", "/m;a=", None),
        ("{?a,b}", "?b=2&a=1", {"a": "1", "b": "2"}),
        ("{?a,b}", "", {}),
        ("{?a,b}", "?a=", {"a": ""}),
        ("{?a,b}", "?a", None),
        ("{?a,b}", "?c=1", None),
        ("{?a,b}", "?a=1&a=2", None),
        ("{?a*,b}", "?a=1&b=x&a=2", {"a": ["1", "2"], "b": "x"}),
        ("{?a}{&b}", "?b=2&a=1", {"a": "1", "b": "2"}),
        ("?fixed=1{&a}", "?fixed=1&a=2", {"a": "2"}),
        ("?fixed=1{&a}", "?fixed=1", {}),
        ("?fixed=1{&a}", "", None),
        ("?q={q}&p={p}", "?q=1&p=2", {"q": "1", "p": "2"}),
        ("?q={q}&p={p}", "?p=2&q=1", None),
        ("/x{?a}", "/x?a=b?c", {"a": "b?c"}),
        ("/x{#f}", "/x#a/b?c#d", {"f": "a/b?c#d"}),
        ("/x{#f}", "/x", {}),
        ("/x{#f}", "/x#", None),
        ("/x#{f}", "/x#1", {"f": "1"}),
        ("/{a}", "/1?x=2", None),
        ("/{a}", "/1#x", None),
        ("/x{?q}", "/x?q=1#f", None),
        ("{+x}", "a/b,c;d", {"x": "a/b,c;d"}),
        ("/{+x}{?q}", "/a/b?q=1", {"x": "a/b", "q": "1"}),
        ("/{+x}", "/a?q=1", None),
        ("/{x}", "/a%20b%C3%A9", {"x": "a bé"}),
        ("/{x}", "/%FF", None),
        ("/{x}", "/é", {"x": "é"}),
        ("/é/{x}", "/%C3%A9/é", {"x": "é"}),
        ("/{x}", "/%zz", {"x": "%zz"}),
        ("/{x}F", "/a%2FF", UnsafeValue),
        ("/{x}2F", "/a%2F", None),
        ("http://{host}{/path*}", "http://h/a/b", {"host": "h", "path": ["a", "b"]}),
    ],
)
def test_matching(template, url, values):
    if values is UnsafeValue:
        with pytest.raises(UnsafeValue):
            Template(template).match(url)
    else:
        assert Template(template).match(url) == values


@pytest.mark.parametrize(
    ("template", "url", "options", "values"),
    [
        ("x/{a}", "x/", {"empty": True}, {"a": ""}),
        ("/{a}/{b}", "/a/", {"empty": True}, {"a": "a", "b": ""}),
        ("/{a}", "/1?x=2&y", {"extra": True}, {"a": "1"}),
        ("/{a}{?b}", "/1?x=2&b=3", {"extra": True}, {"a": "1", "b": "3"}),
        ("/{a}{?b}", "/1?b=2&b=3", {"extra": True}, None),
        ("/{a}", "/group%2Fproject", {"raw": ["a"]}, {"a": "group/project"}),
        ("{?a,m*}", "?x=1&a=2&y=3", {"types": {"m": dict}}, {"a": "2", "m": {"x": "1", "y": "3"}}),
        ("{?m*}", "?x=1&x=3", {"types": {"m": dict}}, None),
        ("{/m*}", "/x=1/y=", {"types": {"m": dict}}, {"m": {"x": "1", "y": ""}}),
        ("{;m*}", ";x=1;y", {"types": {"m": dict}}, {"m": {"x": "1", "y": ""}}),
    ],
)
def test_options_of_match(template, url, options, values):
    assert Template(template).match(url, **options) == values


def test_arguments_of_match():
    one = Template("/{a}")
    assert one.match(parse("http://h/a")) is None and Template("http://h/{a}").match(parse("http://h/b")) == {"a": "b"}
    with pytest.raises(TypeError, match="raw must be an iterable of names"):
        one.match("/a", raw="a")
    with pytest.raises(ValueError, match=r"types\['a'\] must be dict"):
        one.match("/a", types={"a": list})
    for template in ("/{a}{?x}", "/{a}{?y*}"):  # else {?x} would match no value of x
        with pytest.raises(ValueError, match=r"types\['x'\] needs the exploded variable {x\*}"):
            Template(template).match("/a?x=1", types={"x": dict})
    with pytest.raises(TypeError):
        one.match(1)


@pytest.mark.parametrize(
    ("template", "code"),
    [
        ("{a}{b}", "adjacent"),
        ("/{a}{+b}", "adjacent"),
        ("{a:3}", "prefix"),
        ("{?a:3}", "prefix"),
        ("/{a}/{a}", "repeated-variable"),
        ("/{a}{?a}", "repeated-variable"),
        ("{?a,a}", "repeated-variable"),
        ("{+a}/{+b}", "two-of-many"),
        ("{/a*}{/b*}", "two-of-many"),
        ("{+a}{#b}", "two-of-many"),
        ("{#a,b}", "two-of-many"),
        ("{?a}x{?b}", "two-queries"),
        ("{?a*}&x=1", "exploded-field"),
    ],
)
def test_a_template_that_is_expanded_only(template, code):
    made = Template(template)
    assert isinstance(made.expand({"a": "1", "b": "2"}), str)
    for call in (lambda: made.match("/x"), made.lint):
        with pytest.raises(PatternError) as caught:
            call()
        assert caught.value.code == code


# --- matching, by a search of all ways ---

STOPS = {sign: row.stops for sign, row in OPERATORS.items()}
UNIT = re.compile("%[0-9A-Fa-f]{2}|.", re.DOTALL)


def parses(parts: list, text: str, empty: bool) -> Iterator[tuple]:
    """Yield every way to match a text: for each variable, how long its value is, or None."""
    if not parts:
        if not text:
            yield ()
        return
    first, rest = parts[0], parts[1:]
    if isinstance(first, str):
        if text.startswith(first):
            yield from parses(rest, text[len(first) :], empty)
        return
    sign, names, at = first
    for end in parses(rest, text, empty):
        yield (None,) * (len(names) - at) + end
    row = OPERATORS[sign]
    lead = row.separator if at else row.first
    if text.startswith(lead):
        units = UNIT.findall(text[len(lead) :])
        for count in range(not empty, len(units) + 1):
            if count and units[count - 1] in STOPS[sign]:
                break
            size = sum(map(len, units[:count]))
            after = [(sign, names, at + 1)] if at + 1 < len(names) else []
            for end in parses([*after, *rest], text[len(lead) + size :], empty):
                yield (text[len(lead) : len(lead) + size], *end)


def best_parse(parts: list, text: str, empty: bool) -> tuple | None:
    """Return the parse that the definition names: as many variables as can be present, then from the left present
    before absent, and long before short; short before the variable that may hold "/"."""
    signs = [part[0] for part in parts if not isinstance(part, str) for _ in part[1]]
    lazy = signs.index("+") if "+" in signs else 0

    def rank(parse):
        lengths = [(value is not None, (-1 if k < lazy else 1) * len(value or "")) for k, value in enumerate(parse)]
        return sum(value is not None for value in parse), lengths

    return max(parses(parts, text, empty), key=rank, default=None)


def plain(text: str) -> str:
    return re.sub("(?:%[0-9A-Fa-f]{2})+", lambda run: bytes.fromhex(run[0].replace("%", "")).decode(), text)


def test_matching_is_that_of_a_search_of_all_ways():
    rng = random.Random(45)
    tried = hits = 0
    while tried < 40_000:
        parts, names = [], iter("abcdefgh")
        for _ in range(rng.randint(1, 4)):
            if rng.random() < 0.5:
                parts.append(rng.choice(["/", "x", ".", "-", "/x", "%41", "a/"]))
            else:
                sign = rng.choice(["", "", "/", ".", "+"])
                parts.append((sign, [next(names) for _ in range(1 if sign == "+" else rng.randint(1, 2))], 0))
        template = "".join(part if isinstance(part, str) else f"{{{part[0]}{','.join(part[1])}}}" for part in parts)
        made = Template(template)
        try:
            made.match("")
        except PatternError:
            continue
        for empty in (False, True):
            for _ in range(10):
                tried += 1
                units = ["/", "x", ".", "-", "a", ",", "%41", "%", "4"]
                text = "".join(rng.choice(units) for _ in range(rng.randrange(9)))
                if rng.random() < 0.5:
                    text = made.expand({name: rng.choice(["x", "a.x", "1-", "x/x", "%"]) for name in made.names})[:12]
                found = best_parse(parts, text, empty)
                hits += found is not None
                try:
                    pairs = [] if found is None else zip(made.names, found, strict=True)
                    expected = {name: plain(value) for name, value in pairs if value is not None}
                except UnicodeDecodeError:
                    found = None
                expected = None if found is None else expected
                assert made.match(text, empty=empty, raw=made.names) == expected, (template, text, empty)
    assert hits > 3000


# what is between two variables is no character of a value
REVERSIBLE = ["/{a}/{b}", "{/a,b}", "{;a,b}", "{?a,b}", "{a,b}", "/{a}{;b}{?c}", "http://{a}/{b}{?c,d}{#e}",
              "/x{/a}{&b}", "?q={a}&p={b}", "{/a*}", "/{a}{?b*}", "{;a*}{?b}"]  # fmt: skip


@given(st.sampled_from(REVERSIBLE), st.data())
def test_matching_undoes_expansion(template, data):
    made = Template(template)
    texts = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=6)
    values = {
        name: data.draw(st.lists(texts, min_size=1, max_size=3) if f"{name}*" in template else texts)
        for name in made.names
    }
    url = made.expand(values)
    assert made.match(url, raw=made.names) == values
    assert made.expand(made.match(url, raw=made.names)) == url


# --- unsafe values ---


@pytest.mark.parametrize(
    ("template", "url", "reason"),
    [
        ("/f/{a}", "/f/..%2Fx", "slash"),
        ("/f/{a}", "/f/%2Fetc", "slash"),
        ("/f/{a}", "/f/a%252Fb", "slash"),
        ("/f/{a}", "/f/a%255Cb", "backslash"),
        ("/f/{a}", "/f/..%5C..", "backslash"),
        ("/f/{a}", "/f/a%00", "nul"),
        ("/f/{a}", "/f/a%2500", "nul"),
        ("/f/{a}", "/f/..", "dot-segment"),
        ("/f/{a}", "/f/%2e%2E", "dot-segment"),
        ("/f/{a}", "/f/.", "dot-segment"),
        ("/f/{a}", "/f/%252e%252e", "dot-segment"),
        ("/f/{a}", "/f/.%E2%80%8B.", "climbs"),
        ("/f{/a}", "/f/..", "dot-segment"),
        ("/f{/a*}", "/f/../x", "climbs"),
        ("/f{/a*}", "/f/x/../../y", "climbs"),
        ("/f{;a*}", "/f;a=..", "dot-segment"),
        ("/f/{+a}", "/f/../x", "climbs"),
        ("/f/{+a}", "/f/a/../../x", "climbs"),
        ("/f/{+a}", "/f/%2e%2e/x", "climbs"),
        ("/f/{+a}", "/f/..%5Cx", "climbs"),
        ("/f/{+a}", "/f//etc/passwd", "climbs"),
        ("/f/{+a}", "/f/C:/x", "climbs"),
        ("/f/{+a}", "/f/a%00", "nul"),
        ("/f{+a}", "/f/../x", "climbs"),
        ("/f{+a}", "/f../x", "climbs"),  # not in the URL, but where the value is used
        ("note:{+a}", "note:../x", "climbs"),
        ("/v{+a}", "/v..", "climbs"),
        ("/f{+a}", "/fx/../../y", "climbs"),
        ("/f{?a}", "/f?a=../x", "climbs"),
        ("/f{?a}", "/f?a=%00", "nul"),
        ("/f{#a}", "/f#../x", "climbs"),
    ],
)
def test_an_unsafe_value(template, url, reason):
    with pytest.raises(UnsafeValue) as caught:
        Template(template).match(url)
    assert (caught.value.name, caught.value.reason) == ("a", reason) and "'a'" in str(caught.value)
    assert Template(template).match(url, raw={"a"})["a"]
    error = pickle.loads(pickle.dumps(caught.value))
    assert (error.name, error.reason) == ("a", reason)


@pytest.mark.parametrize(
    ("template", "url"),
    [
        ("/f/{a}", "/f/1.0..2.0"),
        ("/f/{a}", "/f/a.b"),
        ("/f/{a}", "/f/100%25"),
        ("/f/{+a}", "/f/a/../b"),
        ("/f/{+a}", "/f/a/b.txt"),
        ("http://h{+a}", "http://h/a/b"),
        ("/f{?a}", "/f?a=http://h/x"),
        ("/f{?a}", "/f?a=/x"),
    ],
)
def test_a_safe_value(template, url):
    assert Template(template).match(url)


# --- lint ---


def test_lint_shows_two_readings():
    [found] = Template("/{a}-{b}").lint()
    assert found.code == "ambiguous-template" and found.witness == "/a-b-c" and found.pattern == "/{a}-{b}"
    assert Template("/{a}/{b}").lint() == () == Template("/{a}{?b,c}").lint() == Template("/x").lint()
    assert [one.witness for one in Template("/{a}.{b}").lint()] == ["/a.b.c"]
    assert [one.witness for one in Template("{+a}/{b}").lint()] == []


@pytest.mark.parametrize(
    ("template", "url", "readings"),
    [
        ("{+a}{/b}", "a/b", [{"a": "a/b"}, {"a": "a", "b": "b"}]),
        ("{/a}{/b*}", "/a", [{"a": "a"}, {"b": ["a"]}]),
        ("{/a}/{+b}", "/a/b", [{"a": "a", "b": "b"}, {"b": "a/b"}]),
        ("{/a*}{;b}{/c}", "/a", [{"a": ["a"]}, {"c": "a"}]),
        ("/{x}{/a}{/b,c}", "/x/a", [{"a": "a"}, {"b": "a"}]),
    ],
)
def test_lint_knows_that_variables_may_be_absent(template, url, readings):
    made = Template(template)
    [found] = made.lint()
    assert found.witness == url and found.message == f"{url!r} may be made from {readings[0]} or {readings[1]}"
    others = {"x": "x"} if "x" in made.names else {}
    assert {made.expand({**others, **values}) for values in readings} == {url}
    assert made.match(url) in [{**others, **values} for values in readings]


@pytest.mark.parametrize(
    "template", ["{a,b}", "{/a,b}", "{a}{/b}", "{/a}{;b}", "{+a}{?b}", "{+a}?b={b}", "/{+a}/{b}", "{a}{;b}{?c}"]
)
def test_lint_has_nothing_to_say(template):
    assert Template(template).lint() == ()


# --- time ---


@pytest.mark.slow(20)
@pytest.mark.parametrize(
    ("template", "unit"),
    [
        ("/{a}-{b}-{c}", "-"),
        ("/{a}-{b}-{c}!", "a-"),
        ("{+x}/{a}.{b}", "/a.b"),
        ("{+x}/{a}.{b}!", "/a.b"),
        ("/{a}", "%41"),
        ("/{a}", "%252e"),
        ("{/x*}", "/.."),
        ("{?x*}", "&x=1"),
        ("{?a,b}", "&a=1"),
        ("/{+x}", "a/../"),
        ("{a,b,c,d,e,f,g,h}", ","),
    ],
)
def test_time_grows_linearly(template, unit):
    made = Template(template)

    def tried(text):
        try:
            return made.match(text)
        except UnsafeValue:
            return None

    short, long = "/" + unit * 10_000, "/" + unit * 160_000
    assert at_last(lambda: least_seconds(lambda: tried(long), 2) < 0.005 + 64 * least_seconds(lambda: tried(short), 3))
