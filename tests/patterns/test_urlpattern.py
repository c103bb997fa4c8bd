"""URLPattern: the standard's own suite, and that it is a value and takes linear time."""

from __future__ import annotations

import json
import pickle

import pytest
from support.seeds import seeded
from support.suites import WPT, absent, wpt

import urlsm
from urlsm.patterns import PatternError, PatternSet
from urlsm.patterns.canonical import ENCODERS
from urlsm.patterns.components import compile_component, escape_pattern
from urlsm.patterns.urlpattern import NAMES, URLPattern

# a component is "*" unless it, or one of these before it, is given
BEFORE = {
    "protocol": (), "username": (), "password": (), "hostname": ("protocol",), "port": ("protocol", "hostname"),
    "pathname": ("protocol", "hostname", "port"), "search": ("protocol", "hostname", "port", "pathname"),
    "hash": ("protocol", "hostname", "port", "pathname", "search"),
}  # fmt: skip


def suite(name: str) -> list[dict]:
    path = wpt(f"urlpattern/{name}") or wpt(f"urlpattern/resources/{name}")
    if path is None:
        absent(WPT, f"--wpt PATH names a checkout ({name} is looked for)", "the lock has no urlpattern")
    return json.loads(path.read_text(encoding="utf-8"))


def expected_pattern(entry: dict, name: str) -> str:
    """Return what a component should be, as urlpattern.https.any.js of web-platform-tests finds it."""
    given = entry["pattern"]
    told = entry.get("expected_obj")
    if isinstance(told, dict) and told.get(name) is not None:
        return told[name]
    if name in entry.get("exactly_empty_components", ()):
        return ""
    init = given[0] if given and isinstance(given[0], dict) else {}
    if init.get(name) is not None:
        return init[name]
    if any(earlier in init for earlier in BEFORE[name]):
        return "*"
    base = init.get("baseURL") or (given[1] if len(given) > 1 and isinstance(given[1], str) else None)
    if base and name not in ("username", "password"):
        text = getattr(urlsm.whatwg.URL(base), name)
        return {"protocol": text[:-1], "search": text[1:], "hash": text[1:]}.get(name, text)
    return "*"


def test_the_suite_of_the_standard():
    entries = suite("urlpatterntestdata.json")
    assert len(entries) >= 369
    for entry in entries:
        if entry.get("expected_obj") == "error":
            with pytest.raises(TypeError):
                URLPattern(*entry["pattern"])
            continue
        pattern = URLPattern(*entry["pattern"])
        for name in NAMES:
            assert getattr(pattern, name) == expected_pattern(entry, name), (entry, name)
        if "inputs" in entry:
            check_match(pattern, entry)
        assert pickle.loads(pickle.dumps(pattern)) == pattern
        assert hash(pickle.loads(pickle.dumps(pattern))) == hash(pattern)


def check_match(pattern: URLPattern, entry: dict) -> None:
    told = entry["expected_match"]
    if told == "error":
        with pytest.raises(TypeError):
            pattern.test(*entry["inputs"])
        with pytest.raises(TypeError):
            pattern.exec(*entry["inputs"])
        return
    assert pattern.test(*entry["inputs"]) == (told is not None), entry
    found = pattern.exec(*entry["inputs"])
    if told is None:
        assert found is None, entry
        return
    assert found["inputs"] == told.get("inputs", entry["inputs"])
    for name in NAMES:
        nothing = {} if name in entry.get("exactly_empty_components", ()) else {"0": ""}
        assert found[name] == told.get(name, {"input": "", "groups": nothing}), (entry, name)


def test_components_are_compared_as_the_suite_has_it():
    for row in suite("urlpattern-compare-test-data.json"):
        left, right = URLPattern(row["left"]), URLPattern(row["right"])
        assert URLPattern.compare_component(row["component"], left, right) == row["expected"], row
        assert URLPattern.compare_component(row["component"], right, left) == -row["expected"], row


def test_a_component_is_generated_as_the_suite_has_it():
    for row in suite("urlpattern-generate-test-data.json"):
        pattern = URLPattern(row["pattern"])
        if row["expected"] is None:
            with pytest.raises(TypeError):
                pattern.generate(row["component"], row["groups"])
        else:
            assert pattern.generate(row["component"], row["groups"]) == row["expected"], row


def test_the_class_is_that_of_whatwg():
    assert urlsm.whatwg.URLPattern is URLPattern
    with pytest.raises(AttributeError):
        _ = urlsm.whatwg.NoSuchName


def test_urls_of_every_kind_are_matched():
    pattern = URLPattern("https://*.example.com/:kind/*", {"ignoreCase": True})
    href = "https://a.example.com/B/c"
    for given in (href, href.encode(), urlsm.parse(href), urlsm.whatwg.URL(href), {"baseURL": href}):
        assert pattern.test(given)
    assert pattern.exec("../B/c", "https://a.example.com/x/y")["pathname"]["groups"] == {"kind": "B", "0": "c"}
    assert not pattern.test("no URL")
    assert not pattern.test("\ud800")
    with pytest.raises(TypeError):
        pattern.test({"pathname": "/"}, "https://a/")
    with pytest.raises(TypeError):
        pattern.test(1)


def test_exec_finds_the_groups_of_the_components():
    """What C reads out of a URL is what the components make of its texts; more than 32 groups are left to them."""
    rng, matched = seeded("exec"), 0
    many = "/".join(f":a{k}" for k in range(40))
    hosts = ("*", ":h.example", "{:s.}?a.example", "a.example", "(a|b).example", "[:x]", "")
    paths = ("", "/*", "/:id", "/:a/:b?", "/:a*", "/x{/:y}+", "/((a)|b)/*", "/(.*)/z", f"/{many}")
    for _ in range(300):
        text = f"{rng.choice(('https', '*', 'http{s}?', ':p', 'data'))}://{rng.choice(hosts)}{rng.choice(paths)}"
        text += rng.choice(("", "\\?*", "\\?q=:q", "#*", "#:f"))
        try:
            pattern = URLPattern(text, ignore_case=rng.random() < 0.3)
        except TypeError:
            continue
        for _ in range(20):
            host = rng.choice(("a.example", "b.example", "s.a.example", "A.EXAMPLE:81", "[::1]", "u:p@x.example"))
            path = rng.choice(("", "/", "/x", "/x/y", "/x/y/z", "/a/b", "/b/%7e", "/é/z", "/" + "s/" * 39 + "s"))
            url = f"{rng.choice(('https', 'http', 'data'))}://{host}{path}{rng.choice(('', '?', '?q=1', '#f', '?q=é'))}"
            for given in (url, urlsm.parse(url), url):
                found = pattern.exec(given)
                assert found == pattern._exec_at_length(given, None), (text, url)
                assert (found is not None) == pattern.test(given)
            matched += found is not None
    assert matched > 100


def test_case_counts_unless_it_is_ignored():
    assert not URLPattern({"pathname": "/a"}).test("https://h/A")
    assert URLPattern({"pathname": "/a(b|[^x])"}, ignore_case=True).test("https://h/AB")
    assert not URLPattern({"pathname": "/a(b|[^x])"}, {"ignoreCase": True}).test("https://h/AX")


def test_the_kelvin_sign_and_the_long_s_fold_to_letters():
    """ECMA-262's Canonicalize, by simple case folding."""
    for expression, yes, no in (
        ("\\u212a", "k K", "s"), ("[\\u{17f}x]", "s S x", "k"), ("[\\u2100-\\u2200]", "k K", "s a"),
        ("[^\\u212a]", "s", "k K"),
        ("[^\\u0100-\\u0200]", "k", "s S"), ("[[a-z]--[\\u212a]]", "s A", "k K"), ("[\\w&&\\u017f]", "s S", "k"),
    ):  # fmt: skip
        pattern = URLPattern({"hash": f"({expression})"}, ignore_case=True)
        assert [text for text in yes.split() if not pattern.test({"hash": text})] == [], expression
        assert [text for text in no.split() if pattern.test({"hash": text})] == [], expression
        assert not URLPattern({"hash": "(\\u212a|[\\u017f])"}).test({"hash": "k"})


@pytest.mark.parametrize("c", ["/", "-", "|", "(", "{"])
def test_what_a_class_has_to_escape_is_named(c):
    with pytest.raises(TypeError) as caught:
        URLPattern(f"https://h.example/:id([^{c}]+)" if c not in "({" else {"hash": f"(a[{c}])"})
    if c != "(":  # the parentheses are counted before
        assert f"escape the {c} in a class, as \\{c}" in str(caught.value)
    assert URLPattern({"hash": f"(a[^\\{c}]+)"}).test({"hash": "ab"})


def test_a_range_is_no_operand():
    for expression in ("[a-z--b]", "[a-z&&[^b]]", "[^a-z--[b]]", "[ab-z--b]", "[[a-z&&b]]"):
        with pytest.raises(TypeError, match="not well formed"):
            URLPattern({"hash": f"({expression})"})
    assert URLPattern({"hash": "([[a-z]--b])"}).test({"hash": "a"}) and URLPattern({"hash": "([a-zA-Z_])"})


def test_what_a_pattern_is_made_of():
    url, mutable = urlsm.parse("http://h/x"), urlsm.whatwg.URL("http://h/x")
    for given in (url, mutable):
        assert URLPattern(given) == URLPattern("http://h/x") == pickle.loads(pickle.dumps(URLPattern(given)))
        assert (
            URLPattern("/a", given)
            == URLPattern("/a", "http://h/x")
            == pickle.loads(pickle.dumps(URLPattern("/a", given)))
        )
        assert URLPattern({"pathname": "/a", "baseURL": given}) == URLPattern(
            {"pathname": "/a", "baseURL": "http://h/x"}
        )
    for given in ((b"http://h/*",), (5,), ([],), ("/a", 5), ("/a", b"http://h/"), ({"hash": 5},)):
        with pytest.raises(TypeError, match="not "):
            URLPattern(*given)
    for left, right in (([], 1), (URLPattern(url), None), ("a", URLPattern(url))):
        with pytest.raises(TypeError, match="must be URLPatterns"):
            URLPattern.compare_component("port", left, right)


def test_errors_do_not_grow_with_the_pattern():
    long = "x" * 300_000
    for given in (long, f"http://h/({long}", {"baseURL": long}, {"protocol": "\xe9" * 300_000},
                  {"hash": f"({long}\\1)"}, {"port": long}, f"http://h/:{long}/:{long}"):  # fmt: skip
        with pytest.raises(TypeError) as found:
            URLPattern(given)
        assert 20 < len(str(found.value)) < 600
    for pattern, groups in (
        (f"/:a{{{long[:900]}}}", {"a": "/"}),
        ("/:a", {"a": long + "/"}),
        (f"/{{{long[:900]}}}?", {}),
    ):
        with pytest.raises(TypeError) as found:
            URLPattern({"pathname": pattern}).generate("pathname", groups)
        assert 20 < len(str(found.value)) < 600


@pytest.mark.parametrize(
    "bad", ["(", ":", "{", "(a", "(?a)", "(a(b))", "{a}}", ":a:a", "(\\1)", "((?=a)b)", "([)", "(a{2,1})"]
)
def test_what_is_no_pattern_is_a_type_error(bad):
    with pytest.raises(TypeError):
        URLPattern({"pathname": f"/{bad}"})


def test_regular_expressions_are_read_as_ecmascript_has_them():
    for expression, yes, no in [
        ("[a-c]{2,3}", "ab abc", "a abcd ad"), ("(?:ab)+", "ab abab", "a aba"), ("a|bc|", "a bc", "b"),
        ("\\d+?x", "1x 12x", "x 1"), ("[\\w--[0-9]]", "a _", "1 -"), ("\\p{Lu}", "A", "a 1"), ("a{0}b", "b", "ab"),
        ("[^\\d]", "a -", "1"), ("\\x41\\u0042", "AB", "ab"), ("[[a-z]&&[aeiou]]", "a u", "b"), (".", "a -", "ab"),
    ]:  # fmt: skip
        pattern = URLPattern({"pathname": f"/({expression})"})
        assert [text for text in yes.split() if not pattern.test(f"https://h/{text}")] == []
        assert [text for text in no.split() if pattern.test(f"https://h/{text}")] == []
    with pytest.raises(TypeError, match="regexps=False"):
        URLPattern({"pathname": "/(a)"}, regexps=False)
    assert URLPattern({"pathname": "/:a*"}, regexps=False).test("https://h/x/y")


@pytest.mark.parametrize(
    ("expression", "yes", "no"),
    [
        ("(?!admin|x).*", "user ad", "admin administrator x"),
        ("(?<y>\\w+)-\\k<y>", "a-a ab-ab", "a-b ab-a -"),
        ("\\w+(?<=-id|_id)", "a_id b_id", "aid id"),
        ("(?=.*\\d)[a-z\\d]+", "a1 1 9z", "a z"),
        ("a\\b-b", "a-b", "ab"),
        ("(?:^|a)b$", "ab", "b a"),
        ("(?:(?<y>a)|b)\\k<y>c", "aac bc", "ac bac"),  # a group that took no part matches nothing
        ("\\k<y>(?<y>a)", "a", "aa"),
        ("(?!\\d)[\\w--[aeiou]]{2}", "bc b1", "ab 1b"),
    ],
)
def test_re_runs_what_is_not_regular(expression, yes, no):
    pattern = URLPattern({"pathname": f"/({expression})"}, regexps="re")
    for text in yes.split():
        assert pattern.test(f"https://h/{text}") and pattern.test(urlsm.parse(f"https://h/{text}"))
        assert pattern.exec(f"https://h/{text}")["pathname"]["groups"]["0"] == text
    assert [text for text in no.split() if pattern.test(f"https://h/{text}")] == []
    assert pattern.has_regexp_groups and pickle.loads(pickle.dumps(pattern)) == pattern
    with pytest.raises(TypeError):
        URLPattern({"pathname": f"/({expression})"})
    with pytest.raises(PatternError, match="linear"):
        PatternSet([f"https://h/({expression})"], "urlpattern", regexps="re")


def test_re_is_only_for_what_is_not_regular():
    assert URLPattern({"pathname": "/:a/(\\1)"}, regexps="re").test("https://h/x/x")
    assert not URLPattern({"pathname": "/:a/(\\1)"}, regexps="re").test("https://h/x/y")
    assert URLPattern({"pathname": "/(a(?=B)b)"}, regexps="re", ignore_case=True).test("https://h/AB")
    assert not URLPattern({"pathname": "/((?!b)[^]*)"}, regexps="re").test("https://h/b")
    linear = URLPattern({"pathname": "/(a+)+b"}, regexps="re")  # re alone would need years
    assert not linear.test(f"https://h/{'a' * 5000}")
    for bad in ("\\9", "\\k<z>", "(?=a)*", "(?<=a*)b", "(?<y>a"):
        with pytest.raises(TypeError):
            URLPattern({"pathname": f"/({bad})"}, regexps="re")
    with pytest.raises(ValueError, match="'re'"):
        URLPattern({"pathname": "/a"}, regexps="v8")


def test_no_pattern_takes_more_than_linear_time():
    for text in (
        "/*a*a*a*b",
        "/(a+)+b",
        "/(a|aa)*b",
        "/:x{a}?:y{a}?:z",
        "/(a*)*(b)",
        "/{a}*{a}*{a}*b",
        "/(a{0,50}){0,20}b",
    ):
        pattern = URLPattern({"pathname": text})
        program = pattern._components[5].program
        taken = []
        for size in (512, 4096):
            groups, steps = program.spans(b"/" + b"a" * size)
            taken.append(steps)
            assert (groups is not None) == (text[-1] == "z")
        assert taken[1] < 9 * taken[0], text
    with pytest.raises(TypeError, match="4096"):
        URLPattern({"pathname": "/((?:a{100}){100})"})


def test_a_set_of_url_patterns_is_the_loop_over_them():
    texts = [
        "https://example.com/*", "https://example.com:8443/a", "https://*.example.org/:x/b", "http{s}?://a.com/b?c=*",
        "*://b.com/*.html", "data\\:text/*", "https://example.com./", "https://(?:a|b).com/(\\d+)#x",
    ]  # fmt: skip
    texts = [text for text in texts if "(?:" not in text] + ["https://(a|b).com/(\\d+)#x"]
    patterns = [URLPattern(text) for text in texts]
    urls = [
        "https://example.com/", "https://example.com/x/y?z#f", "https://example.com:8443/a", "https://a.example.org/q/b",
        "http://a.com/b?c=1", "https://a.com/b?c=", "ftp://b.com/x.html", "data:text/plain", "https://example.com./",
        "https://a.com/12#x", "https://b.com/12#y", "https://u:p@example.com/", "https://example.org/q/b",
    ]  # fmt: skip
    whole = PatternSet(texts, "urlpattern", ambiguous="match")
    for url in urls:
        assert [match.index for match in whole.all(url)] == [k for k, one in enumerate(patterns) if one.test(url)], url
        first = next((k for k, one in enumerate(patterns) if one.test(url)), None)
        assert (whole.match(url).index if url in whole else None) == first
    assert PatternSet(["/:id"], "urlpattern", base="https://a.com").match("https://a.com/7").groups == {"id": "7"}
    with pytest.raises(PatternError):
        PatternSet(["/relative"], "urlpattern")


def test_compare_and_generate_refuse_what_is_no_component():
    pattern = URLPattern("https://a/:b")
    with pytest.raises(TypeError):
        pattern.generate("path", {})
    with pytest.raises(TypeError):
        URLPattern.compare_component("path", pattern, pattern)
    assert pattern.generate("pathname", {"b": "x y"}) == "/x%20y"
    with pytest.raises(TypeError):
        pattern.generate("pathname", {"b": "x/y"})


@pytest.mark.parametrize(
    "piece", ["*", "**", "*+", "{*}?", "{\U0001f600*}+", "{\u00e9*z}*", "\U0001f600", "{ab}+", "{*a}?"]
)
def test_a_short_pattern_is_never_too_large(piece):
    """It is compiled when it is first asked, and then it must not be refused."""
    for size in (127, 128, 129):
        pattern = URLPattern({"search": (piece * size)[: size // len(piece) * len(piece)]}, ignore_case=True)
        pattern.test("https://h/?a")
        pattern.exec({"search": "%F0%9F%98%80" * 30})
    with pytest.raises(TypeError, match="4096"):
        URLPattern({"search": "*+" * 700})


# letters and digits alone make hosts and ports; the rest is what a component would encode, strip or refuse
CANONICAL = ["az09.-", "0123456789", "aZ%./-:@?#&=+~!'", "".join(map(chr, range(128))), "a.x0:[\u00e9\U0001f600\ud800"]


def test_a_text_without_wildcards_is_written_as_its_encoding_callback_writes_it():
    rng = seeded(31)
    for number in range(40_000):
        which, alphabet = number % len(ENCODERS), rng.choice(CANONICAL)
        text = "".join(rng.choices(alphabet, k=rng.randrange(8)))
        if rng.random() < 0.2:
            text += rng.choice(("xn--a", ".1", "0x", "/../", "/%2e", "/-", "."))
        text = text.encode("utf-8", "replace").decode()
        made = expected = None
        try:
            expected = ENCODERS[which](text)
        except TypeError as error:
            expected = str(error)
        try:
            made = compile_component(escape_pattern(text), which).fixed_text
        except TypeError as error:
            made = str(error)
        assert made == expected, (which, text)


def test_a_text_of_which_nothing_remains_is_a_part():
    assert URLPattern({"pathname": "/:a{\t}?b"}).pathname == "/:a{}?b"
    assert URLPattern({"pathname": "/:a{\t}?"}).test("https://h/x")


def test_a_long_text_without_case_is_too_large_at_once():
    for pattern in ({"search": "a" * 5000}, {"pathname": "/" + "a" * 5000}):
        with pytest.raises(TypeError, match="4096"):
            URLPattern(pattern, ignore_case=True)
        assert URLPattern(pattern).test({"search": "a" * 5000, "pathname": "/" + "a" * 5000})


def test_a_pattern_of_many_pieces_is_read():
    """Each piece is a token; they are joined once."""
    text = "/a\\b" * 100_000
    assert len(URLPattern({"pathname": text}).pathname) == 300_000
