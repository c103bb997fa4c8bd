"""Globs compare components: no part of a glob matches another component, however the URL is written."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.seeds import seeded

import urlsm
from urlsm.guard import Policy
from urlsm.patterns import PatternError, PatternSet, globs

# (list, exclude, URL): the rows 0 to 14 of hostile.json, none of which is in the set
OUT = [
    ("https://example.com:*/**", "", "https://example.com:x@evil.example/"),
    ("https://*.example.com:*/**", "", "https://a.example.com:x@evil.example/"),
    ("https://cdn.example/**/*.png", "", "https://cdn.example/admin/delete?.png"),
    ("https://cdn.example/**/*.png", "", "https://cdn.example/admin/delete#.png"),
    ("https://cdn.example/img/*.png", "", "https://cdn.example/img/delete?.png"),
    ("https://example.com/**/public/**", "", "https://example.com/admin?/public/"),
    ("https://example.com/v?/x", "", "https://example.com/v#/x"),
    ("*://example.com/**", "", "mailto:a@evil?x://example.com/"),
    ("**://example.com/**", "", "data:text/html,x://example.com/<script>alert(1)</script>"),
    ("https://*.example/**", "https://evil.example/**", "https://u@evil.example/"),
    ("https://*.example/**", "https://evil.example/**", "https://u:p@evil.example/"),
    ("https://a.example/**", "https://a.example/admin", "https://a.example/admin?"),
    ("https://a.example/**", "https://a.example/admin/**", "https://a.example/ad%ffmin/x"),
    ("https://a.example/**", "https://a.example/admin/**", "https://a.example/ａdmin/x"),
    ("https://a.example/**", "https://a.example/admin/**", "https://a.example/adm%c2%adin/x"),
    # and beside these
    ("http://localhost:*/**", "", "http://localhost:80@evil.example/"),
    ("*://example.com/**", "", "javascript:x://example.com/%0aalert(1)"),
    ("*://example.com/**", "", "ws://example.com/"),
    ("https://example.com/x\\?a=*", "", "https://example.com/x#?a=1"),
    ("https://example.com/x?a", "", "https://example.com/x?a"),
    ("https://*.example.com/", "", "https://evil.example/.example.com/"),
    ("https://*.com/", "", "https://a@b.com/"),
    ("https://*/**", "", "https://me@a.example/"),
    ("https://a.example/**", "https://a.example/x", "https://a.example/x#y"),
    ("https://a.example/**", "https://a.example/x", "https://a.example/x?y#z"),
    ("https://a.example/**", "https://a.example/x\\?a=1", "https://a.example/x?%61=1#z"),
    ("https://*.example/**", "https://evil.example/**", "https://evil.example./x"),
    ("https://a.example/**", "https://a.example/año", "https://a.example/a%c3%b1o"),
    ("https://a.example/**", "https://a.example/g%2Fr", "https://a.example/g%2fr"),
]


@pytest.mark.parametrize(("pattern", "exclude", "url"), OUT)
def test_what_is_out(pattern: str, exclude: str, url: str):
    assert url not in PatternSet([pattern], "glob", exclude=[exclude] if exclude else ())


def test_a_policy_connects_nowhere_else():
    """hostile.json 19"""
    policy = Policy(domains=PatternSet(["https://api.example.com:*/**"], "glob"))
    assert not policy.check("https://api.example.com:x@evil.com/").allowed
    assert policy.check("https://api.example.com/x").codes == ()


def test_each_rule_of_the_page():
    page = (Path(__file__).parents[2] / "docs/pattern-syntaxes.md").read_text()
    lines = page[page.index("| rule | glob |") :].partition("\n\n")[0].splitlines()[2:]
    rows = [[cell.strip().strip("`") for cell in line.strip("|").split(" | ")] for line in lines]
    for rule, glob, inside, outside in rows:
        patterns = PatternSet([glob], "glob")
        assert inside in patterns, rule
        assert outside not in patterns, rule
    assert len(rows) > 15


@pytest.mark.parametrize(
    ("pattern", "code"),
    [
        *(
            (text, "no-scheme")
            for text in ("**/api/**", "example.com/**", "**.example.com/**", "", "/x", "data:x", "**")
        ),
        *((f"https://{host}/", "wildcard") for host in ("**.example.com", "a**", "x.**.com", "{**,a}b")),
        *((f"https://{text}", "no-path") for text in ("example.com", "example.com*", "example.com\\?x", "a#/", "**")),
        *((f"https://a:{port}/", "not-a-port") for port in ("", "**", "8*", "65536", "x", "[0-9]", "80:80", "\uff18")),
        *((f"https://{host}/", "not-a-host") for host in ("a b", "a..*", "é*", "*.é é", "%", "a%zz")),
        ("https://u@a/", "userinfo"),
        ("https://*@a/", "userinfo"),
        ("https:///x", "no-host"),
        ("ws*://a/", "no-such-scheme"),
        ("1x://a/", "no-such-scheme"),
        ("://a/", "no-such-scheme"),
        ("https://a/{" + "{" * 40, "too-deep"),
        ("https://{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}.example/", "too-large"),
    ],
)
def test_what_is_no_glob(pattern: str, code: str):
    with pytest.raises(PatternError) as caught:
        PatternSet([pattern], "glob")
    assert caught.value.code == code
    assert PatternSet([pattern], "glob", strict=False).errors[0].code == code
    if code == "no-scheme":  # the three ways to mean it
        assert all(way in str(caught.value) for way in ("https://example.com/**", "*://**/api/**", "playwright"))


@pytest.mark.parametrize(
    ("pattern", "inside", "outside"),
    [
        ("http{,s}://{a,b.c}.example{,:8080}/{x,y/**}", "http://a.example/x https://b.c.example:8080/y/1?2",
         "https://a.example/x?1 https://a.example:8081/x http://c.example/x"),
        ("{https://a.example/x,https://b.example}/y", "https://a.example/x/y https://b.example/y", "https://a.example/y"),
        ("https://a.example/{x,**/y}", "https://a.example/x https://a.example/y https://a.example/b/c/y",
         "https://a.example/xy https://a.example/z https://a.example/y?z"),
        ("https://a.example/x{,\\?y=*}", "https://a.example/x https://a.example/x?y=1&z", "https://a.example/x?z"),
        ("https://a.example/x{,#*}", "https://a.example/x https://a.example/x#z", "https://a.example/x?z"),
        ("https://a.example/x{,/**}", "https://a.example/x https://a.example/x/?z#q", "https://a.example/x?z"),
        ("http://{localhost,127.0.0.1,[::1]}:*/", "http://[::1]:81/ http://127.0.0.1:8/ http://localhost/", "http://[::2]/"),
        ("http://[0:0::1]/[ab:c]", "http://[::1]/b http://[::1]/:", "http://[::1]/d"),
        ("http://192.168.*.*:*/**", "http://192.168.1.2/ http://192.168.0.255:9/x", "http://192.169.1.2/"),
        ("https://[a-c]?.example/", "https://bx.example/ https://Bx.example./", "https://dx.example/ https://b.example/"),
        ("https://[!A].example/", "https://b.example/", "https://a.example/ https://A.example/"),
        ("https://*.*.example.com/", "https://a.b.example.com/ https://a.b.c.example.com/", "https://a.example.com/"),
        ("https://x.*.example.com/", "https://x.b.example.com/", "https://x.example.com/ https://x.b.c.example.com/"),
        ("https://a*b.bücher.example/", "https://axb.bücher.example/ https://ab.xn--bcher-kva.example/", "https://a.b/"),
        ("https://bücher.*/", "https://xn--bcher-kva.de/ https://BÜCHER.at/", "https://bucher.de/"),
        ("https://a.example./x", "https://a.example/x https://a.example./x", "https://a.examplex/x"),
        ("https://a.example/\\*\\{é\\} b", "https://a.example/*{é} b https://a.example/*%7B%C3%A9%7D%20b", "https://a.example/x"),
        ("https://a.example/x\\?a=?&'", "https://a.example/x?a=1&'", "https://a.example/x?a=&'"),
        ("https://a.example/x#?b", "https://a.example/x#?b https://a.example/x#bb", "https://a.example/x#b"),
        ("https://a.example/x\\?", "https://a.example/x?", "https://a.example/x https://a.example/x?y"),
        ("tauri://localhost/**", "tauri://localhost/x", "tauri://localhost:1/x tauri://evil/x tauri://u@localhost/x"),
        ("file:///home/**", "file:///home/x", "file://host/home/x file:///etc"),
        ("file://nas/**", "file://nas/home/x", "file:///home/x"),
        ("ws://*.example/**", "ws://a.example/x", "http://a.example/x wss://a.example/x"),
        ("chrome-extension://*/x", "chrome-extension://abc/x", "chrome-extension:/x chrome-extension://abc/y"),
        ("h[t]*p://a.example/", "http://a.example/", "https://a.example/"),
        ("?ttps://a.example/", "https://a.example/", "http://a.example/"),
    ],
)  # fmt: skip
def test_what_globs_hold(pattern: str, inside: str, outside: str):
    patterns = PatternSet([pattern], "glob")
    split = re.compile(r" (?=[a-z-]+:)")
    assert [url for url in split.split(inside) if url not in patterns] == []
    assert [url for url in split.split(outside) if url in patterns] == []


def expression(text: str, star: str, one: str) -> str:
    """Return the regular expression of a part of a glob."""
    pieces = {"/**/": "/(?:[^/]*/)*", "**": ".*", "*": star, "?": one, "{a,b}": "(?:a|b)", "[ab]": "[ab]"}
    found = re.split(r"(/\*\*/|\*\*|\*|\?|\{a,b\}|\[ab\])", text)
    return "".join(pieces[piece] if piece in pieces else re.escape(piece) for piece in found)


def test_a_glob_is_an_expression_for_each_component(cases: int):
    rng, inside = seeded("glob components"), 0
    hosts = ("example.com", "*.example.com", "a*.example.com", "{a,b}.example.com", "*", "?.example.com", "*.a*.com")
    pieces = ("/", "a", "b", "/**/", "/a", "/*", "x*", "?", "{a,b}", "[ab]", ".png", "/b**")
    for _ in range(cases // 10):
        scheme, host = rng.choice(("https", "*", "http")), rng.choice(hosts)
        path = re.sub(r"\*\*\*+", "**", "/" + "".join(rng.choices(pieces, k=rng.randrange(4))) + rng.choice(("", "**")))
        query, fragment = rng.choice((None, None, "a*", "x=?")), rng.choice((None, None, None, "f*"))
        text = f"{scheme}://{host}{path}" + ("" if query is None else f"\\?{query}")
        text += "" if fragment is None else f"#{fragment}"
        made = PatternSet([text], "glob", ambiguous="match")
        first = "^.+" if host.startswith("*") else "^"
        name = re.compile(first + expression(host.removeprefix("*"), "[^.]*", "[^.]") + r"\.?\Z")
        for _ in range(8):
            url = urlsm.try_parse(
                rng.choice(("https://", "http://", "ws://", "https://u@"))
                + rng.choice(("example.com", "a.example.com", "b.a.example.com", "a.example.com.", "x.ab.com"))
                + rng.choice(("", "", ":81")) + "/" + "".join(rng.choices(("a", "b", "/", ".png", "x", "a/b"), k=3))
                + rng.choice(("", "", "?", "?ab", "?x=1", "?.png")) + rng.choice(("", "", "#f", "#.png"))
            )  # fmt: skip
            assert url is not None
            held = (
                url.scheme in {"*": ("http", "https")}.get(scheme, (scheme,))
                and name.match(url.host or "") is not None
                and url.port is None
                and not url.username
                and re.fullmatch(expression(path, "[^/]*", "[^/]"), url.path) is not None
                and (re.fullmatch(expression(query, ".*", "."), url.query or "") is not None and url.query is not None
                     if query is not None else url.query is None or path.endswith("**"))
                and (re.fullmatch(expression(fragment, ".*", "."), url.fragment or "") is not None
                     if fragment is not None else not url.fragment or path.endswith("**"))
            )  # fmt: skip
            assert (url in made) == held, (text, url)
            inside += held
    assert inside > cases // 1000


@pytest.mark.parametrize("flavor", ["playwright", "crawlee"])
def test_lint_tells_of_whole_texts_only_what_crosses(flavor: str):
    def told(pattern: str) -> dict[str, str]:
        patterns = PatternSet([pattern], "glob", flavor=flavor)
        found = {lint.code: lint.witness for lint in patterns.lint()}
        assert all(witness in patterns for witness in found.values())
        return found

    assert told("http://localhost:*/**") == {"wildcard-crosses-host": "http://localhost:80@evil.example/x"}
    assert told("*://example.com/**") == {"wildcard-crosses-scheme": "javascript:x://example.com/x"}
    assert told("**.example.com/**").keys() == {"wildcard-crosses-host", "wildcard-crosses-scheme"}
    assert told("https://example.com*/**").keys() == {"wildcard-crosses-host"}
    for right in ("https://example.com/**", "**/api/**", "**/*.{png,jpg}", "https://*.example.com/**",
                  "https://cdn.example/**/*.png", "https://{a,b}.example/x"):  # fmt: skip
        assert told(right) == {}


def test_globs_that_the_rows_of_lint_name():
    """hostile.json 15 and 16: the URLs of its other rows are no longer in these lists, so nothing is to be told."""
    for pattern in ("http://localhost:*/**", "https://cdn.example/**/*.png"):
        assert PatternSet([pattern], "glob").lint() == ()


@pytest.mark.parametrize("pattern", ["https://a.example/x?y=1", "https://a.example/??a=", "*://**/x?{a,b=c}=1"])
def test_a_question_mark_that_begins_no_query(pattern: str):
    patterns = PatternSet([pattern], "glob")
    (lint,) = [lint for lint in patterns.lint() if lint.code == "bare-question-mark"]
    assert lint.position == pattern.index("?")
    assert lint.witness in patterns
    assert "bare-question-mark" in {lint.code for lint in PatternSet([], "glob", exclude=[pattern]).lint()}


@pytest.mark.parametrize(
    "pattern",
    ["https://a.example/v?/x", "https://a.example/x\\?y=?", "https://a.example/x[?]y=1", "https://a.example/x=?"],
)
def test_a_question_mark_that_is_meant(pattern: str):
    assert "bare-question-mark" not in {lint.code for lint in PatternSet([pattern], "glob").lint()}


@pytest.mark.slow(1)
def test_a_long_glob_takes_linear_time():
    for text in ("*" * 100_000, "a*" * 1000, "[a]" * 20_000, "{" * 30 + "}" * 30, "é" * 50_000, "/**" * 1000):
        patterns = PatternSet([f"https://a.example/{text}", f"https://{text[:200]}.example/"], "glob", strict=False)
        assert "https://b.example/" not in patterns or text[0] in "*{"
    with pytest.raises(PatternError):
        PatternSet(["https://a.example/" + "{\\?,x}" * 100_000], "glob")


def test_plain_globs_have_the_rules_of_any_other_glob(cases: int):
    rng = seeded("plain globs")
    hosts = ("a.example", "*.a.example", "*", "**", "h", "a.org.", "*.1.2.3.4", "1.2.3.4", "*.5", "a..b", "*.xn--a")
    plain = 0
    for _ in range(cases // 10):
        pattern = rng.choice(("http://", "https://", "*://", "ws://")) + rng.choice(hosts)
        pattern += "/" + "".join(rng.choices(("/", "*", "**", "a", "%41", "..", "@:", "=,", "(b)"), k=rng.randrange(7)))
        for excluding in (False, True):
            found = globs._of_plain(pattern, excluding)
            plain += found is not None
            assert found is None or found == globs._of_pattern(pattern, excluding)
    assert plain > cases // 50  # without the plain lane, a host is none of a plain glob
