"""Sets of URI templates: a set agrees with Template.match of each of its templates, and decides by OpenAPI's order."""

from __future__ import annotations

import json
import pickle
import random

import pytest
from support.times import at_last, least_seconds

from urlsm import Template, UnsafeValue, parse
from urlsm import columns as uc
from urlsm.cli.app import main
from urlsm.patterns import PatternError, PatternSet

PETS = ["/pets/{id}", "/pets/mine", "/pets/{id}/toys{?sort,page}", "/files/{+path}", "/files/{name}.json"]


def made(templates, **how):
    return PatternSet(templates, "uri-template", **how)


@pytest.mark.parametrize(
    ("url", "pattern", "values"),
    [
        ("/pets/mine", "/pets/mine", {}),
        ("/pets/mine2", "/pets/{id}", {"id": "mine2"}),
        ("/pets/%6Dine", "/pets/{id}", {"id": "mine"}),
        ("/pets/é", "/pets/{id}", {"id": "é"}),
        ("/pets/1/toys?page=2&sort=x", "/pets/{id}/toys{?sort,page}", {"id": "1", "sort": "x", "page": "2"}),
        ("/pets/1/toys?page=2&page=3", None, None),
        ("/pets/1/toys?size=2", None, None),
        ("/pets/1/toys#top", None, None),
        ("/pets/%FF", None, None),
        ("/files/a/b.json", "/files/{+path}", {"path": "a/b.json"}),
        ("/files/b.json", "/files/{name}.json", {"name": "b"}),
        ("/PETS/mine", None, None),
        ("", None, None),
    ],
)
def test_the_template_that_decides(url, pattern, values):
    patterns = made(PETS)
    found = patterns.match(url)
    assert (found and (found.pattern, found.groups)) == (pattern and (pattern, values))
    assert (url in patterns) == (pattern is not None)
    assert patterns.match_many([url, url.encode()]) == [found, found]
    assert patterns.filter([url]) == [url] * (found is not None)


def test_rank():
    ranked = [
        *("/a/b", "/a/{x}.json", "/a/{x}", "/a/{+x}", "/{x}/b", "/{x}/{y}", "/{x}{/y*}"),
        *("/s?q={q}", "/s{?q}"),
    ]
    for seed in range(20):
        drawn = random.Random(seed).sample(ranked, len(ranked))
        patterns = made(drawn)
        for url in ("/a/b", "/a/b.json", "/a/c", "/a/b/c", "/c/b", "/c/d", "/c/d/e", "/s?q=1"):
            fits = [text for text in ranked if Template(text).match(url) is not None]
            assert patterns.match(url).pattern == fits[0], (url, drawn)
            assert [found.pattern for found in patterns.all(url)] == [text for text in drawn if text in fits]
    assert made(["/{a}", "/{b}"]).match("/x").pattern == "/{a}"
    assert made(["/{a}", "/{b}"], precedence="last").match("/x").pattern == "/{b}"
    assert made(["/{a}", "/b"], precedence="first").match("/b").pattern == "/{a}"


PIECES = [
    *("a", "b", "/", "/", ".", "{x}", "{y,z}", "{/p}", "{/q*}", "{.e}", "{;s}", "{+r}"),
    *("?k=", "{?u,v}", "{&w}", "{#f}"),
]
OCTETS = ["a", "b", "c", "/", "/", ".", ",", ";s", "=", "?", "u=", "v=", "k=", "&", "#", "%2F", "%41", "é", ".."]


def drawn_templates(draw, pieces=PIECES):
    texts = []
    while len(texts) < 8:
        text = "/" + "".join(draw.choices(pieces, k=draw.randint(1, 6)))
        try:
            Template(text).match("")
        except PatternError:
            continue
        texts.append(text)
    return texts


@pytest.mark.slow(5)
@pytest.mark.parametrize("how", [{}, {"extra": True}, {"empty": True}, {"raw": frozenset("xyr")}])
def test_a_set_agrees_with_each_of_its_templates(how):
    draw = random.Random(len(how) + 7)
    counts = [0, 0, 0]
    for _ in range(150):
        texts = drawn_templates(draw)
        patterns = made(texts, **how)
        for _ in range(40):
            url = draw.choice(["/", "/a", "/a/b"]) + "".join(draw.choices(OCTETS, k=draw.randint(0, 7)))
            fits = {}
            unsafe = False
            for text in texts:
                try:
                    fits[text] = Template(text).match(url, **how)
                except UnsafeValue:
                    unsafe = True
            expected = {text: values for text, values in fits.items() if values is not None}
            try:
                found = patterns.match(url)
            except UnsafeValue:
                assert unsafe
                assert url not in patterns
                counts[0] += 1
                continue
            counts[1 + bool(expected)] += 1
            if not unsafe:
                assert {one.pattern: one.groups for one in patterns.all(url)} == expected, (texts, url)
                assert (found is None) == (not expected), (texts, url)
            assert (url in patterns) == (found is not None)
            if found is not None:
                assert found.groups == expected[found.pattern]
    assert min(counts[1:]) > 100


def test_an_unsafe_value_never_falls_through():
    patterns = made(["/files/{name}", "/files/{+path}", "/{+all}"])
    for url in ("/files/..%2Fetc", "/files/%2e%2e", "/files/a/../../etc", "/files/a%00"):
        with pytest.raises(UnsafeValue):
            patterns.match(url)
        with pytest.raises(UnsafeValue):
            patterns.all(url)
        assert url not in patterns
        assert patterns.filter([url]) == []
        assert not patterns.explain(url).included
    assert made(["/p/{id}"], raw={"id"}).match("/p/group%2Fproject").groups == {"id": "group/project"}


def test_options():
    assert "/s?q=1&z=2" in made(["/s{?q}"], extra=True)
    assert "/s?q=1&z=2" not in made(["/s{?q}"])
    assert made(["/{a}/{b}"], empty=True).match("//").groups == {"a": "", "b": ""}
    assert made(["/{a}"], raw={"a"}) == made(["/{a}"], raw=frozenset("a"))
    assert made(["/{a}"], raw=["a"]) == made(["/{a}"], raw={"a"})
    assert hash(made(["/{a}"], raw=iter("a"))) == hash(made(["/{a}"], raw={"a"}))
    for names in ("id", b"id", None):  # else "i" and "d" would be the names
        with pytest.raises(TypeError, match="raw must be an iterable of names"):
            made(["/{id}"], raw=names)
    with pytest.raises(TypeError, match="no option 'types'"):
        made(["/{a}"], types={})


@pytest.mark.parametrize(
    ("template", "code"),
    [("/{x", "expression-not-closed"), ("/{x:3}", "prefix"), ("/{x}{/x}", "repeated-variable")],
)
def test_a_refused_template(template, code):
    with pytest.raises(PatternError) as told:
        made(["/a", template])
    assert (told.value.code, told.value.line, told.value.pattern) == (code, 2, template)
    patterns = made(["/a", template, "/{b}"], strict=False)
    assert [error.code for error in patterns.errors] == [code]
    assert patterns.match("/c").index == 2


def test_exclude():
    patterns = made(["/pets/{id}", "https://h.example/{x}"], exclude=["/pets/%61dmin", "https://h.example/b"])
    for url in ("/pets/admin", "/pets/%61dmin", "/pets/a%64min", "https://h.example/b", "https://h.example/%62"):
        assert url not in patterns, url
        assert patterns.match(url) is None
    assert patterns.match("/pets/b").groups == {"id": "b"}
    assert patterns.match("https://h.example/c").groups == {"x": "c"}
    assert [found.pattern for found in patterns.all("/pets/b")] == ["/pets/{id}"]
    with pytest.raises(UnsafeValue):
        patterns.match("/pets/..%2F")


def test_a_set_is_a_value():
    patterns = made("# of a list\n/a/{x}\n\n/b{?y}\n", raw={"x"}, extra=True)
    again = pickle.loads(pickle.dumps(patterns))
    assert (again, hash(again)) == (patterns, hash(patterns))
    assert again.match("/a/..").line == 2
    assert again.match(parse("https://h/a")) is None
    assert patterns.extended(["/c"]).match("/c").index == 2
    assert patterns.explain("/a/b/c").pattern == "/a/{x}"
    assert patterns.explain("/b").message == "'/b{?y}' puts it in (line 4)"


def test_columns_and_the_shell(capsys, tmp_path):
    pa = pytest.importorskip("pyarrow")
    patterns = made(PETS)
    urls = ["/pets/mine", "/pets/7", "/pets/..", "/none", None, "/files/a/b"]
    assert uc.pattern_index(pa.array(urls), patterns).to_pylist() == [1, 0, None, None, None, 3]
    assert uc.matches(pa.array(urls), patterns).to_pylist() == [True, True, False, False, None, True]
    rules = tmp_path / "templates.txt"
    rules.write_text("\n".join(PETS))
    assert main(["match", "--syntax", "uri-template", "--json", "--rules", str(rules), "/pets/7", "/pets/%2e."]) == 1
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(line["included"], line["pattern"]) for line in told] == [(True, "/pets/{id}"), (False, None)]


@pytest.mark.parametrize(
    ("templates", "code", "witness"),
    [
        (["/pets/{id}", "/pets/{name}"], "overlap", "/pets/x"),
        (["/{entity}/me", "/books/{id}"], "overlap", "/books/me"),
        (["/s{?q}", "/s{?page,q}"], "overlap", "/s"),
        (["/{a}-{b}", "/{c}"], "more-concrete", "/x-x"),
        (["/pets/mine", "/pets/{id}"], "more-concrete", "/pets/mine"),
        (["/{+all}", "/a/{b}"], "more-concrete", "/a/x"),
        (["/a{/b,c}", "/a/{d}/{e}"], "more-concrete", "/a/x/x"),
        (["/s?a={a}", "/s{?a}"], "more-concrete", "/s?a=x"),
        (["/a/{b}", "/a/{b}/c"], None, ""),
        (["/a/{b}.x", "/a/{b}.y"], None, ""),
        (["/s?a={a}", "/s?b={b}"], None, ""),
        (["/p/{id}", "/q/{id}"], None, ""),
    ],
)
def test_lint_shows_a_url_of_two_templates(templates, code, witness):
    for texts in (templates, templates[::-1]):
        found = made(texts).lint(hints=True)
        assert [(lint.code, lint.witness, lint.line) for lint in found] == [(code, witness, 2)] * (code is not None)
        assert [lint.code for lint in made(texts).lint()] == [code] * (code == "overlap")
        assert not made(texts).lint(hints=True, ignore=["overlap", "more-concrete"])
        for text in texts if code else ():
            assert Template(text).match(witness) is not None
            assert witness in made(texts)


@pytest.mark.slow(5)
def test_lint_finds_each_overlap_of_paths():
    draw = random.Random(5)
    pieces = [piece for piece in PIECES if "?" not in piece and "&" not in piece and "#" not in piece]
    count = 0
    while count < 150:
        first, second = made(drawn_templates(draw, pieces)[:2]).patterns
        names = Template(first).names, Template(second).names
        url = Template(first).expand({name: draw.choice(["a", "b", "x"]) for name in names[0]})
        raw = {*names[0], *names[1]}
        found = [Template(text).match(url, raw=raw) for text in (first, second)]
        full = all(values is not None and set(values) == set(own) for values, own in zip(found, names, strict=True))
        if first != second and full and "''" not in str(found):
            count += 1
            assert made([first, second], raw=raw).lint(hints=True), (first, second, url)


@pytest.mark.parametrize(
    ("url", "pattern"),
    [
        ("/s", "/s{?f0,q}"),
        ("/s?q=1", "/s?q={x}"),
        ("/s?f3=1", "/s{?f3,q}"),
        ("/s?f3=1#a", "/s{?f3}{#h}"),
        ("/s?q=1&f7=2", "/s{?f7,q}"),
        ("/s?f7=2&q=1", "/s{?f7,q}"),
        ("/s?f7=2&f8=1", None),
        ("/s?z=1", None),
        ("/s?", None),
        ("/t?f3=1", None),
    ],
)
def test_a_field_finds_its_templates(url, pattern):
    texts = [*(f"/s{{?f{k},q}}" for k in range(40)), "/s?q={x}", "/s{?f3}{#h}"]
    fits = [text for text in texts if Template(text).match(url) is not None]
    patterns = made(texts)
    assert [found.pattern for found in patterns.all(url)] == fits
    found = patterns.match(url)
    assert (found and found.pattern) == pattern


@pytest.mark.slow(10)
@pytest.mark.parametrize(
    ("templates", "url"),
    [
        pytest.param(lambda n: [f"/a/s{k}/{{x}}" for k in range(n)], "/a/s7/12", id="second segment"),
        pytest.param(lambda n: [f"/s{k}/{{x}}/{{+y}}" for k in range(n)], "/s7/12/a/b", id="first segment"),
        pytest.param(lambda n: [f"/s{{?f{k},q}}" for k in range(n)], "/s?q=2&f7=1", id="fields"),
    ],
)
def test_the_size_of_a_set_does_not_matter(templates, url):
    few, many = made(templates(10)), made(templates(1600))
    assert url in few
    assert at_last(lambda: least_seconds(lambda: many.match(url), 200) < 4 * least_seconds(lambda: few.match(url), 200))
