"""Each code of lint, with its witness looked up in the set."""

from __future__ import annotations

import pickle

import pytest
from support.seeds import seeded

from urlsm.crawler import Robots
from urlsm.patterns import PatternSet
from urlsm.patterns.linting import HINTS, SHOWS, _shows
from urlsm.patterns.proxy_flavors import FLAVORS

ROWS = [
    ("urlpattern", "https://example.com*", "open-host", "https://example.com.evil.example/"),
    ("urlpattern", "https://*example.com/*", "joined-host", "https://evilexample.com/x"),
    ("urlpattern", "https://*.example.com/x", "not-the-name-itself", "https://example.com/x"),
    ("urlpattern", "https://(www.example.com)/", "unescaped-dot", "https://wwwxexamplexcom/"),
    ("urlpattern", "https://h.example/a/:id?b=c", "modifier", "https://h.example/ab=c"),
    ("urlpattern", "https://h.example/*?*", "modifier", "https://h.example/"),
    ("urlpattern", "https://h.example", "any-path", "https://h.example/any/where"),
    ("urlpattern", "https://h.example/a", "any-query", "https://h.example/a?any=thing"),
    ("urlpattern", "https://h.example/a", "any-credentials", "https://me:pw@h.example/a"),
    ("urlpattern", "https://h.example/a", "default-port", "https://h.example:8443/a"),
    ("urlpattern", "http{s}?://h.example/", "plain-http", "http://h.example/"),
    ("urlpattern", "https://*/cb", "everything", "https://evil.example/cb"),
    ("urlpattern", "https://h.example/(a(?=b))", "look-around", ""),
    ("urlpattern", "https://h.example/*\\?*(^|&)a=*", "look-around", ""),  # well formed, but not read
    ("urlpattern", "https://h.example/{", "not-a-url-pattern", ""),
    ("glob", "https://example.com*/a", "open-host", "https://example.comx/a"),
    ("glob", "https://example.com*", "no-path", ""),
    ("glob", "https://*example.com/*", "joined-host", "https://evilexample.com/x"),
    ("glob", "https://*.example.com/x", "not-the-name-itself", "https://example.com/x"),
    ("glob", "https://example.com/a/../b", "nothing", "https://example.com/b"),
    ("glob", "https://example.com/a?b=c", "bare-question-mark", "https://example.com/axb=c"),
    ("glob", "https://**.example.com/", "wildcard", ""),
    ("glob", "https://**/a", "everything", "https://evil.example/a"),
    # hostile.json 17 and 18: neither has a scheme
    ("glob", "**.example.com/**", "no-scheme", ""),
    ("glob", "**/api/**", "no-scheme", ""),
    ("glob", "https://h.example/{", "brace", ""),
    ("match-pattern", "<all_urls>", "everything", "http://evil.example/"),
    ("match-pattern", "*://h.example/*", "plain-http", "http://h.example/"),
    ("match-pattern", "https://h.example/cb/*", "encoded-dots", "https://h.example/cb/..%2f..%2fsteal"),
    ("origins", "http://h.example", "plain-http", "http://h.example/"),
    ("origins", "https://h.example", "default-port", "https://h.example:8443/"),
    ("origins", "https://*.h.example", "not-the-name-itself", "https://h.example/"),
    ("origins", "https://*.example", "public-suffix", "https://anybody.example/"),
    ("domains", "com", "public-suffix", "https://anybody.com/"),
    ("domains", "*.h.example", "not-the-name-itself", "https://h.example/"),
    ("csp", "https://h.example", "default-port", "https://h.example:8443/"),
    ("csp", "http:", "plain-http", "http://host.example/"),
    ("csp", "https:*", "no-slashes", ""),
    ("csp", "WSS:*", "no-slashes", ""),
    ("csp", "turns:", "nothing", ""),
    ("csp", "STUN:", "nothing", ""),
    ("redirect-uri", "https://vault.${server_name}/cb", "placeholder", ""),
    ("match-pattern", "*://*.${hostname}/*", "placeholder", ""),
    ("origins", "https://{{host}}", "placeholder", ""),
    ("match-pattern", "https://*.co.uk/*", "public-suffix", "https://anybody.co.uk/"),
    ("no-proxy", "http://h.example", "url-for-host", ""),
    ("no-proxy", "10.1.2.3/8", "not-a-network", ""),
    ("robots", "Disallow: /admin/", "two-slashes", "https://host.example//admin/"),
    ("blocklist", "h.example/admin", "two-slashes", "https://h.example//admin"),
    ("redirect-uri", "http://localhost/cb", "localhost", "http://localhost/cb"),
    ("adblock", "ads.js", "bare-host", "https://host.example/ads.js"),
    ("adblock", "@@banner.png", "bare-host", "https://host.example/banner.png"),
    ("adblock", "address=/ads.example/0.0.0.0", "other-format", ""),
    ("adblock", 'local-zone: "ads.example" static', "other-format", ""),
    ("adblock", "Disallow: /ads", "other-format", ""),
    ("hosts", "||ads.example^", "not-a-host", ""),
    ("hosts", "93.184.216.34 www.example.com", "nothing", ""),
    ("domains", "||ads.example^", "not-a-host", ""),
    ("domains", "0.0.0.0 ads.example", "not-a-host", ""),
    ("no-proxy", "0.0.0.0 ads.example", "not-a-host", ""),
    ("robots", "Disallow: admin", "no-slash", ""),
    ("robots", "Disalow: /admin", "mistyped-key", ""),
    ("robots", "<!DOCTYPE html>", "unreadable", ""),
]


def held(patterns: PatternSet) -> dict[str, str]:
    """Return the codes that are found, hints too, each with its witness, which was looked up in the set."""
    found = {}
    for lint in patterns.lint(hints=True):
        assert not lint.witness or (lint.witness in patterns) == _shows(patterns, lint.code), lint
        assert lint.message and lint.pattern and lint.line >= 1 and 0 <= lint.position <= len(lint.pattern)
        found[lint.code] = lint.witness
    return found


@pytest.mark.parametrize(("syntax", "pattern", "code", "witness"), ROWS)
def test_each_code(syntax: str, pattern: str, code: str, witness: str):
    patterns = PatternSet([pattern], syntax, strict=False)
    assert held(patterns)[code] == witness


def test_all_codes_stand_here():
    shown = {row[2] for row in ROWS} | {
        "covered",
        "more-concrete",
        "overlap",
        "url-for-host",
        "wildcard-crosses-host",
        "wildcard-crosses-scheme",
    }
    assert shown >= set(SHOWS)


@pytest.mark.parametrize(
    ("syntax", "patterns"),
    [
        ("domains", ["example.com"]),
        ("hosts", ["127.0.0.1 localhost", "0.0.0.0 ads.example"]),
        ("adblock", ["||ads.example^", "a.example", "0.0.0.0 b.example", "127.0.0.1 localhost"]),
        ("origins", ["https://example.com:8443"]),
        ("glob", ["https://example.com/a"]),
        ("urlpattern", ["https://:@example.com:*/a?*"]),
        ("redirect-uri", ["https://example.com/cb"]),
        ("no-proxy", "example.com, 10.0.0.0/8, localhost"),
        ("csp", ["'none'"]),
        ("robots", ["Disallow: /", "Allow: /a"]),
        ("match-pattern", ["https://example.com/a"]),
        # what people meant in public configurations, and was found
        ("match-pattern", ["https://*.github.io/*", "*://*.blogspot.com/*"]),
        ("redirect-uri", ["http://127.0.0.1:8080/cb", "http://127.0.0.1:5173/cb", "http://[::1]:1", "http://[::1]:2"]),
        ("urlpattern", ["https://example.com/logs/:level?", "https://example.org/*?", "https://example.net/:a?/:b"]),
        ("urlpattern", ["myapp:*", "note::id"]),
        ("csp", ["https:", "https://a.example:*"]),
    ],
)
def test_what_is_right_has_no_finding(syntax: str, patterns: list[str] | str):
    assert PatternSet(patterns, syntax).lint() == ()


def test_covered():
    covered = [(lint.line, lint.witness) for lint in PatternSet("a.example\n\nb.a.example\n*.a.example\n").lint()
               if lint.code == "covered"]  # fmt: skip
    assert covered == [(3, "https://b.a.example/"), (4, "https://www.a.example/")]
    loopback = ["http://localhost:1/cb", "http://localhost:1/cb", "http://localhost:2/cb"]
    assert [lint.line for lint in PatternSet(loopback, "redirect-uri").lint() if lint.code == "covered"] == [2]
    different = ["https://*.a.example/x", "https://*.b.example/x", "https://(a|b).example/x"]
    assert "covered" not in held(PatternSet(different, "urlpattern"))


def test_another_pattern_makes_a_finding_moot():
    assert "not-the-name-itself" in held(PatternSet(["https://*.h.example:81"], "origins"))
    assert held(PatternSet(["https://*.h.example:81", "https://h.example:81"], "origins")) == {}
    careful = PatternSet(["https://h.example/cb/*"], "match-pattern", ambiguous="refuse")
    assert "encoded-dots" not in held(careful)


def test_what_is_taken_out():
    patterns = PatternSet(["https://h.example/*"], "glob", exclude=["https://h.example/admin"])
    assert held(PatternSet(["https://h.example/**"], "glob", exclude=["https://h.example/admin"])) is not None
    assert "https://h.example/admin" not in patterns
    firefox = PatternSet(["https://h.example/*"], "match-pattern", exclude=["https://h.example/admin/*"])
    assert held(firefox)["two-slashes"] == "https://h.example//admin"


def test_a_url_where_a_host_is_wanted():
    found = held(PatternSet("http://h.example", "no-proxy", flavor="curl"))
    assert found == {"url-for-host": "http://h.example"}
    assert held(PatternSet("http://h.example", "no-proxy", flavor="httpx")) == {}


def test_lines_and_places():
    (lint,) = PatternSet("# a\n\nhttps://example.com*/\n", "glob").lint()
    assert (lint.line, lint.position, lint.pattern) == (3, 19, "https://example.com*/")


def test_what_covers_what():
    def covered(patterns, syntax):
        return [lint.line for lint in PatternSet(patterns, syntax).lint() if lint.code == "covered"]

    assert covered(["a.com", "b.a.com", "*.a.com", "x.y.a.com", "ba.com", "com.a"], "domains") == [2, 3, 4]
    assert covered(["*.b.com", "a.b.com", "b.com"], "domains") == [1, 2]
    assert covered(["https://a.b", "https://a.b.", "https://A.b"], "origins") == [3]
    assert not {"nothing", "covered"} & {
        lint.code for lint in PatternSet(["https://a.b.", "https://a.b"], "origins").lint()
    }


def test_a_name_of_many_labels_is_linted_in_linear_time():
    labels = 50_000  # which took half a minute
    patterns = PatternSet(["a." * labels + "com", "=" + "a." * (labels - 1) + "com"])
    assert [lint.code for lint in patterns.lint()] == []
    patterns = PatternSet(["a." * labels + "com", "a." * (labels - 1) + "com"])
    assert [(lint.code, lint.line) for lint in patterns.lint()] == [("covered", 1)]


@pytest.mark.parametrize(("syntax", "pattern"), [row[:2] for row in ROWS if row[2] in HINTS])
def test_a_hint_is_told_if_it_is_asked_for(syntax, pattern):
    patterns = PatternSet([pattern], syntax)
    assert not HINTS & {lint.code for lint in patterns.lint()}
    assert HINTS & {lint.code for lint in patterns.lint(hints=True)}


def test_a_plain_origin_has_no_finding():
    for origin in ("https://app.example.com", "http://localhost:3000", "http://127.0.0.1:8080", "http://192.168.1.100",
                   "https://*.example.com", "http://[::1]:3000", "http://app.localhost"):  # fmt: skip
        assert PatternSet([origin], "origins").lint() == ()
    assert [lint.code for lint in PatternSet(["http://app.example.com"], "origins").lint()] == ["plain-http"]


def test_codes_are_left_out():
    patterns = PatternSet(["example.com", "www.example.com", "com", "a b"], strict=False)
    codes = [lint.code for lint in patterns.lint()]
    assert codes == ["covered", "covered", "public-suffix", "not-a-host"]
    assert [lint.code for lint in patterns.lint(ignore=["covered", "not-a-host"])] == ["public-suffix"]
    assert patterns.lint(ignore=set(codes)) == ()
    with pytest.raises(TypeError, match="must be an iterable of codes, not str"):
        patterns.lint(ignore="covered")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_comment_leaves_codes_out_for_the_pattern_that_follows(end):
    lines = ["example.com", "# urlsm: ignore covered, public-suffix", "# why", "", "www.example.com", "a.example.com",
             "#urlsm: ignore not-a-host", "a b", "c d"]  # fmt: skip
    patterns = PatternSet(end.join(lines), strict=False)
    assert [(lint.line, lint.code) for lint in patterns.lint()] == [(6, "covered"), (9, "not-a-host")]
    again = pickle.loads(pickle.dumps(patterns))
    assert again.lint() == patterns.lint() and again == patterns
    assert PatternSet("! urlsm: ignore bare-host\nads.js\nad.css", "adblock").lint()[0].line == 3
    text = f"User-agent: *{end}# urlsm: ignore no-slash{end}Disallow: a{end}Disallow: b"
    assert [(lint.line, lint.code) for lint in Robots(text).lint()] == [(4, "no-slash")]
    excluded = PatternSet("a.example", exclude="# urlsm: ignore not-a-host\na b", strict=False)
    assert excluded.lint() == ()
    for text in (
        "# urlsm: ignore",
        "# urlsm:",
        "urlsm: ignore covered",
        "# urlsm: ignore \ud800",
        "# urlsm: ignore \0",
    ):
        assert PatternSet(f"example.com\n{text}\nwww.example.com", strict=False).lint() != ()


def test_a_page_is_no_robots_txt():
    page = "\n\t<!DOCTYPE html>\n<html>\n<body>Not found</body>\n</html>\n"
    for found in (Robots(page).lint(), Robots(page.encode()).lint(), Robots("\ufeff" + page).lint(),
                  PatternSet(page, "robots", strict=False).lint()):  # fmt: skip
        assert [(lint.code, lint.line) for lint in found] == [("unreadable", 2)]
    assert [lint.code for lint in Robots("User-agent: *\nDisallow: /a\n<b>\n").lint()] == ["unknown-key"]
    assert Robots(page).lint(ignore=["unreadable"]) == ()


def test_robots_through_a_set_has_the_findings_of_robots():
    lines = ["Disallow: admin", "Disalow: /x", "Allow: *.gif", "Allow: a*", "Disallow:", "Disallow: /y"]
    whole = Robots("User-agent: *\n" + "\n".join(lines)).lint(hints=True)
    through = PatternSet(lines, "robots").lint(hints=True)
    assert [(lint.line - 1, lint.code) for lint in whole] == [(lint.line, lint.code) for lint in through]
    assert {lint.code for lint in whole} == {"no-slash", "mistyped-key", "two-slashes"}
    assert Robots("User-agent: *\nClean-param: ref /x\nNoindex: /y").lint() == ()


PIECES = (
    *(
        "https://",
        "http://",
        "*://",
        "file://",
        "data:",
        "mailto:",
        "*",
        "**",
        ".",
        "a",
        "com",
        "example.com",
        "localhost",
    ),
    *(
        "[::1]",
        "10.0.0.1",
        "10.0.0.0/8",
        ":8080",
        ":*",
        ":",
        "/",
        "?",
        "#",
        "(",
        ")",
        "{",
        "}",
        "a.b",
        ":x",
        ":x?",
        "\\",
    ),
    *("é", "\ud800", "%2e", "..", "@", "u:p@", "$", "^", "|", ",", "<all_urls>", "'self'", "null", "+", "(a|.)"),
    *("Disallow: ", "Allow: ", "=", "\0"),
)
SYNTAXES = sorted({row[0] for row in ROWS} | {"surt", "uri-template"})


def test_any_list_has_its_findings(cases: int):
    """No text makes lint or explain raise, and every witness shows its finding."""
    rng = seeded("lint")
    found = 0
    for _ in range(cases // 10):
        syntax = rng.choice(SYNTAXES)
        listed = ["".join(rng.choice(PIECES) for _ in range(rng.randrange(1, 7))) for _ in range(rng.randrange(1, 4))]
        if rng.random() < 0.5:
            listed = [rng.choice(("https://", "http://", "*://")) + pattern for pattern in listed]
        options = {"flavor": rng.choice(("", *FLAVORS))} if syntax == "no-proxy" else {}
        patterns = PatternSet(listed, syntax, strict=False, exclude=listed[: rng.randrange(2)], **options)
        for lint in patterns.lint(hints=True):
            found += 1
            assert not lint.witness or (lint.witness in patterns) == _shows(patterns, lint.code), (listed, lint)
        for url in ("https://a.b/", "x", "https://example.com:8080/a?b"):
            assert patterns.explain(url).included == (url in patterns), (listed, url)
    assert found > cases // 200
