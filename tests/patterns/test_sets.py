"""PatternSet: its answers about URLs, and that it is a value."""

from __future__ import annotations

import copy
import pickle
import sys
import threading

import pytest
from support.seeds import draws, seeded

import urlsm
from urlsm.patterns import PatternError, PatternSet, Rule, Syntax
from urlsm.patterns.rule import BOTH
from urlsm.patterns.syntax import PRECEDENCES, find
from urlsm.patterns.tables import Tables


@pytest.mark.parametrize(
    ("pattern", "inside", "outside"),
    [
        ("example.com", "https://example.com/ http://a.b.EXAMPLE.com:8/x https://example.com./",
         "https://evilexample.com/ https://example.com.evil.org/ https://com/ data:x"),
        (".example.com", "https://example.com/ https://a.example.com/", "https://xexample.com/"),
        ("*.example.com", "https://a.example.com/ https://a.b.example.com/", "https://example.com/"),
        ("=example.com", "https://example.com/ ftp://example.com/", "https://a.example.com/"),
        ("bücher.example", "https://xn--bcher-kva.example/ https://BÜCHER.example/", "https://bucher.example/"),
        ("10.0.0.0/8", "http://10.1.2.3/ http://[::ffff:10.1.2.3]/", "http://11.0.0.0/ http://10.example/"),
        ("::1", "http://[::1]/ http://[0:0:0:0:0:0:0:1]:80/", "http://[::2]/ http://0.0.0.1/"),
        ("2001:db8::/32", "http://[2001:db8:1::]/", "http://[2001:db9::]/"),
    ],
)  # fmt: skip
def test_domains(pattern, inside, outside):
    patterns = PatternSet([pattern])
    assert [url for url in inside.split() if url not in patterns] == []
    assert [url for url in outside.split() if url in patterns] == []


@pytest.mark.parametrize("url", [
    "http://localhost:80@evil.com/", "http://example.com\\@evil.com/", "http://evil.com#@example.com/",
    "http://evil.com/.example.com", "https://example.com%2f.evil.com/", "//example.com/", "example.com", "", "\0",
    "http://evil.com?http://example.com/", "http://example.com\t.evil.com/", "https:/\\example.com@evil.com/", "\ud800",
])  # fmt: skip
def test_no_disguise_is_in_an_allow_list(url):
    patterns = PatternSet(["example.com", "localhost"])
    assert url not in patterns
    assert url.encode("utf-8", "surrogatepass") not in patterns
    assert patterns.match(url) is None
    assert patterns.all(url) == []
    assert not patterns.explain(url).included


def test_what_readers_disagree_on_is_refused_unless_told_otherwise():
    url = "http://a:b@c@example.com/"
    assert urlsm.security.is_ambiguous(url)
    assert url not in PatternSet(["example.com"])
    assert url in PatternSet(["example.com"], ambiguous="match")
    assert url in PatternSet(["evil.example"], "blocklist")


@pytest.mark.parametrize(
    "path", ["..%2fsteal", "%252e%252e/x", "..;/x", "a/..;/..;/x", "..%5cx", "%2e%2e%2fx", "..%00/", "..:/x"]
)
def test_behind_a_prefix_what_climbs_for_any_reader_is_refused(path):
    for pattern, syntax in (
        ("https://example.com/callback/**", "glob"),
        ("https://*.com/callback/**", "glob"),
        ("https://{example,a}.com/callback/**", "glob"),
        ("*://**/callback/**", "glob"),
        ("https://example.com/callback/*", "match-pattern"),
        ("https://example.com/callback/", "csp"),
    ):
        patterns = PatternSet([pattern], syntax, ambiguous="refuse")
        assert f"https://example.com/callback/{path}" not in patterns
        assert "https://example.com/callback/group%2Frepo" in patterns
        assert "https://example.com/callback/a..b;c" in patterns


@pytest.mark.parametrize("path", ["..%2f..%2fadmin", "..;/..;/admin", "%252e%252e%252fx"])
def test_a_literal_behind_a_wildcard_is_not_left_either(path):
    for pattern, syntax in (
        *((f"https://a.com/{first}/files/*", "urlpattern") for first in (":tenant", "(t|u)", "*", "{t}?")),
        *((f"https://a.com/{first}/files/**", "glob") for first in ("*", "**", "{t,u}", "?", "[tu]")),
        ("https://a.com/{t/files/**,u/**}", "glob"),
    ):
        patterns = PatternSet([pattern], syntax)
        assert "https://a.com/t/files/a%2Fb" in patterns
        assert f"https://a.com/t/files/{path}" not in patterns, pattern
        assert f"https://a.com/t/files/{path}" in PatternSet([pattern], syntax, ambiguous="match")
    for pattern, syntax in (("https://a.com/files/:x/raw/*", "urlpattern"), ("https://a.com/files/**/raw/**", "glob")):
        assert f"https://a.com/files/1/raw/{path}" not in PatternSet([pattern], syntax)
        assert "https://a.com/files/1/raw/x%2Fy..z" in PatternSet([pattern], syntax)
    for pattern in ("https://a.com/FILES/**", "https://a.com/files/*"):
        assert f"https://a.com/files/{path}" not in PatternSet([pattern], "glob", flavor="crawlee")


@pytest.mark.parametrize("path", ["..%2fsteal", "..;x", "%252e%252e%2fx", "..%20"])
def test_a_group_that_may_be_left_out_does_not_hide_its_directory(path):
    for pattern, syntax in (
        *((f"https://a.com/cb/{end}", "urlpattern") for end in (":id?", ":p*", ":p+", ":id", "*?", "*")),
        ("https://a.com/cb{/*}?", "urlpattern"),
        *((f"https://a.com/cb{end}", "glob") for end in ("{,/**}", "{,/*}", "**")),
    ):
        patterns = PatternSet([pattern], syntax)
        assert f"https://a.com/cb/{path}" not in patterns, pattern
        assert "https://a.com/cb/a%2Fb..c" in patterns
    assert f"https://a.com/cbs/{path}" not in PatternSet(["https://a.com/cb**"], "glob")
    assert "https://a.com/cbs/a..b%2Fc" in PatternSet(["https://a.com/cb**"], "glob")
    assert "https://a.com/cb%2F..%2Fsteal" not in PatternSet(["https://a.com/cb**"], "glob")


def test_what_is_excluded_is_excluded_however_it_is_written():
    for syntax, end in (("glob", "**"), ("urlpattern", "*"), ("csp", "")):
        patterns = PatternSet([f"https://a/{end}"], syntax, exclude=[f"https://a/admin/{end}"])
        for path in ("%61dmin/x", "a%64min/", "admin%2fx", "adm%69n%5Cx", "%2561dmin/x", "%252e/admin/x?y=%61"):
            assert f"https://a/{path}" not in patterns, (syntax, path)
            assert urlsm.parse(f"https://a/{path}") not in patterns
        for path in ("/admin/x", "//admin//x", "%2fadmin/x", "/a%64min/", "%2F%252f%61dmin/x", "admin//x"):
            assert f"https://a/{path}" not in patterns, (syntax, path)
        for path in ("b//admin/x", "x?//admin/x", "2020/https://b/admin/x", "/b%2F/c", "/", "//", "/adminx//"):
            assert f"https://a/{path}" in patterns, (syntax, path)
        for path in ("%62dmin/x", "group%2Frepo", "a%20b/%C3%A9", "admin%3Fx", "x?%61dmin/x", "b/%252e/x", "admin%23"):
            assert f"https://a/{path}" in patterns, (syntax, path)
    assert "https://a/%61dmin/x" in PatternSet(
        ["https://a/**"], "glob", exclude=["https://a/admin/**"], ambiguous="match"
    )
    assert "https://a//b" in PatternSet(["https://a/**"], "glob") and "https://a//b" in PatternSet(["a"])


def test_what_may_be_excluded_to_somebody_is_refused():
    patterns = PatternSet(["https://example.com/**"], "glob", exclude=["https://example.com/admin/**"])
    assert "https://example.com/admin/x" not in patterns
    assert "https://example.com/public/../admin/x" not in patterns
    assert "https://example.com/public/..%2fadmin/x" not in patterns
    assert "https://example.com/public/x%2Fy" in patterns


def test_what_match_all_and_explain_tell():
    patterns = PatternSet("# ours\nexample.com\r\n\r\n*.example.com\n", exclude=["ads.example.com"])
    assert list(patterns) == ["example.com", "*.example.com"]
    assert patterns.match("https://example.com/") == ("example.com", 0, 2, {})
    assert [match.line for match in patterns.all("https://a.example.com/")] == [2, 4]
    assert patterns.match("https://ads.example.com/") is None
    assert len(patterns.all("https://ads.example.com/")) == 2
    why = patterns.explain("https://ads.example.com/")
    assert (why.included, why.pattern, why.exception, why.component) == (False, "ads.example.com", True, None)
    assert patterns.explain("https://a.example.com/")[:3] == (True, "example.com", False)
    origins = PatternSet(["https://example.com:8443", "https://app.example.com"], "origins")
    why = origins.explain("https://example.com/x")
    assert (why.pattern, why.component, why.position) == ("https://example.com:8443", "port", 19)
    assert str(why).splitlines()[1:] == ["  https://example.com/x", "  " + " " * 19 + "^"]
    assert origins.explain("http://app.example.com/")[3:5] == ("scheme", 0)
    assert origins.explain("https://evil.com/").component == "host"
    assert origins.explain("no URL").component == "url"
    globs = PatternSet(["https://example.com/api/**"], "glob")
    assert globs.explain("https://example.com/app").component == "path"
    assert PatternSet().explain("https://a/").pattern is None


def test_a_set_is_a_value(tmp_path):
    patterns = PatternSet(["example.com", "=a.org"], exclude=["b.example.com"])
    twin = PatternSet("example.com\n=a.org", exclude="b.example.com\n")
    assert patterns == twin
    assert hash(patterns) == hash(twin)
    for other in (
        PatternSet(["=a.org", "example.com"], exclude=["b.example.com"]),
        PatternSet(["example.com"]),
        PatternSet(["example.com", "=a.org"], exclude=["b.example.com"], precedence="last"),
        "example.com",
    ):
        assert patterns != other
    for made in (pickle.loads(pickle.dumps(patterns)), copy.copy(patterns), copy.deepcopy(patterns)):
        assert made == patterns
        assert made.filter(["https://example.com/", "https://b.example.com/"]) == ["https://example.com/"]
    assert patterns.extended(["c.net"], exclude=["d.c.net"]) == PatternSet(
        ["example.com", "=a.org", "c.net"], exclude=["b.example.com", "d.c.net"]
    )
    assert len(patterns) == 3  # with that of exclude
    assert len(PatternSet(exclude=["a.example"])) == 1
    assert "example.com" in repr(patterns)
    commented = pickle.loads(pickle.dumps(PatternSet("#\n\nexample.com")))
    assert commented.match("https://example.com/").line == 3
    (tmp_path / "scope.txt").write_bytes("\ufeff# scope\r\nexample.com\r\nbücher.de".encode())
    read = PatternSet.from_file(tmp_path / "scope.txt")
    assert read.patterns == ("example.com", "bücher.de")


def test_lines_that_cannot_be_read_are_told_with_their_place():
    with pytest.raises(PatternError) as caught:
        PatternSet("example.com\nhttps://a.b/\n")
    error = caught.value
    assert (error.code, error.line, error.pattern, error.position) == ("not-a-host", 2, "https://a.b/", 5)
    assert "line 2" in str(error)
    assert str(error).splitlines()[1:] == ["  https://a.b/", "       ^"]
    assert pickle.loads(pickle.dumps(error)).args == error.args
    kept = PatternSet("example.com\nhttps://a.b/\n10.0.0.1/8\n", strict=False)
    assert [(error.line, error.code) for error in kept.errors] == [(2, "not-a-host"), (3, "not-a-network")]
    assert "https://example.com/" in kept


def test_what_is_no_pattern_syntax_or_option_is_refused():
    with pytest.raises(ValueError, match="domains"):
        PatternSet(["a"], "no-such-syntax")
    with pytest.raises(ValueError, match="longest"):
        PatternSet(["a"], precedence="best")
    with pytest.raises(ValueError, match="refuse"):
        PatternSet(["a"], ambiguous="maybe")
    with pytest.raises(TypeError, match="wildcard"):
        PatternSet(["a"], wildcard=True)
    with pytest.raises(TypeError, match="int"):
        PatternSet([1])
    with pytest.raises(TypeError):
        _ = 1 in PatternSet(["a"])
    for bad in (
        "http:\nA",
        "a b",
        "*",
        "**.com",
        "a*.com",
        "@",
        "[::1",
        "*.10.0.0.1",
        ".",
        "a..b/",
        "*.",
        "\ud800",
        "\0",
    ):
        with pytest.raises(PatternError):
            PatternSet([bad])


# --- a set is the loop over its patterns ---------------------------------------------------------

HOSTS = ("a.com", "b.a.com", "c.b.a.com", "xa.com", "com", "10.0.0.1", "[::1]")
PATHS = ("/", "/a", "/a/", "/a/b", "/a/b?c", "/ab", "/b/a/b", "/a%2Fb", "/x?/a")
PIECES = ("a", "b", "/", "*", "**", "/a", "/a/b", "?c")


def random_pattern(rng, syntax):
    if syntax == "domains":
        return rng.choice(("", "=", "*.", ".")) + rng.choice(HOSTS[:5]) if rng.random() < 0.9 else rng.choice(HOSTS[5:])
    if syntax == "robots":
        path = "/" + "".join(rng.choice(PIECES) for _ in range(rng.randrange(4))) + rng.choice(("", "$"))
        return rng.choice(("Allow: ", "Disallow: ")) + path
    if syntax == "match-pattern":
        host = rng.choice(("", "*.")) + rng.choice(HOSTS[:5]) if rng.random() < 0.8 else "*"
        path = "".join(rng.choice(PIECES) for _ in range(rng.randrange(3)))
        return f"{rng.choice(('*', 'http', 'https'))}://{host}{rng.choice(('', ':80', ':8'))}/{path}"
    if syntax == "blocklist":
        scheme, port = rng.choice(("", "http://", "https://")), rng.choice(("", ":8"))
        path = rng.choice(("", "/a", "/a/b", "/"))
        return scheme + rng.choice(("", ".")) + rng.choice(HOSTS[:5]) + port + path + rng.choice(("", "", "?c", "?c=d"))
    path = "".join(rng.choice((*PIECES, "{a,b}", "[ab]")) for _ in range(rng.randrange(4)))
    return f"http://{rng.choice((*HOSTS[:5], '*.com', '*'))}/{path}"


def random_url(rng):
    return rng.choice(("http", "https")) + "://" + rng.choice(HOSTS) + rng.choice(("", ":8")) + rng.choice(PATHS)


@pytest.mark.parametrize("syntax", ["domains", "match-pattern", "glob", "robots", "blocklist"])
@pytest.mark.parametrize("precedence", PRECEDENCES)
def test_a_set_is_the_loop_over_its_patterns(syntax, precedence):
    rng = seeded(f"loop {syntax} {precedence}")
    inside = 0
    for _ in range(25):
        patterns = [random_pattern(rng, syntax) for _ in range(rng.randrange(1, 12))]
        exclude = [random_pattern(rng, syntax) for _ in range(rng.randrange(3))] if syntax != "robots" else []
        whole = PatternSet(patterns, syntax, exclude=exclude, precedence=precedence)
        singles = [PatternSet([pattern], syntax) for pattern in patterns]
        excluded = PatternSet(exclude, syntax)
        urls = [random_url(rng) for _ in range(40)]
        for url in urls:
            matching = [k for k, single in enumerate(singles) if single.all(url)]
            assert [match.index for match in whole.all(url)] == matching
            decided = whole.match(url)
            if decided:
                assert decided.index in matching
            if syntax in ("domains", "match-pattern", "glob"):
                assert (url in whole) == (bool(matching) and url not in excluded), (patterns, exclude, url)
            if precedence in ("any", "first", "last") and matching and not exclude:
                decides = matching[-1 if precedence == "last" else 0]
                assert (url in whole) == (url in singles[decides])
            inside += url in whole
        assert whole.filter(urls) == [url for url in urls if url in whole]
        assert whole.match_many(urls) == [whole.match(url) for url in urls]
    assert inside > 15


def test_a_syntax_of_our_own_takes_few_lines():
    """The syntax has hosts from the top-level domain on, "com.example", and this library does not know it."""

    def rules(pattern, options):
        labels = pattern.split(".")
        if not all(labels):
            raise PatternError("empty-label", "a label is empty", pattern)
        how = 0 if options["exact"] else 2
        yield Rule(host=(how, ".".join(reversed(labels)).encode()), schemes=("https",))

    reversed_hosts = Syntax("reversed", rules=rules, options={"exact": False}, comments=(";",), careful=True)
    patterns = PatternSet("; ours\ncom.example", reversed_hosts)
    assert "https://a.example.com/" in patterns
    assert "http://a.example.com/" not in patterns
    assert "https://a.example.com/" not in PatternSet(["com.example"], reversed_hosts, exact=True)


def test_an_announced_syntax_is_found_by_name(tmp_path, monkeypatch):
    (tmp_path / "their_syntax.py").write_text(
        "from urlsm.patterns import Rule, Syntax\n"
        "SYNTAX = Syntax('theirs', rules=lambda pattern, options: [Rule(schemes=(pattern,))])\n"
    )
    folder = tmp_path / "their_syntax-1.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: their-syntax\nVersion: 1\n")
    (folder / "entry_points.txt").write_text("[urlsm.syntaxes]\ntheirs = their_syntax:SYNTAX\n")
    monkeypatch.syspath_prepend(tmp_path)
    patterns = PatternSet(["https"], "theirs")
    assert "https://a/" in patterns
    assert "http://a/" not in patterns
    assert pickle.loads(pickle.dumps(patterns)) == patterns
    sys.modules.pop("their_syntax")


def test_every_finding_of_lint_has_a_witness_that_shows_it():
    patterns = PatternSet(["example.com", "*.example.org", "www.example.com", "com", "example.com"])
    found = {lint.code: lint for lint in patterns.lint(hints=True)}
    assert {"not-the-name-itself", "covered", "public-suffix"} <= found.keys()
    assert found["not-the-name-itself"].witness not in patterns
    assert found["public-suffix"].witness in patterns
    assert found["covered"].witness in patterns
    globs = PatternSet(["https://example.com*/x", "https://*example.com/"], "glob")
    for lint in globs.lint():
        assert lint.witness in globs
        assert urlsm.parse(lint.witness).host not in ("example.com", "www.example.com")
    assert [lint.code for lint in globs.lint()] == ["open-host", "joined-host"]
    assert PatternSet(["example.com"]).lint() == ()


def test_threads_share_a_set():
    patterns = PatternSet([f"host{k}.example" for k in range(1000)])
    urls = [f"https://host{k}.example/" for k in range(0, 2000, 7)]
    expected = [url in patterns for url in urls]
    wrong = []

    def run():
        for _ in range(20):
            if [url in patterns for url in urls] != expected:
                wrong.append(1)

    threads = [threading.Thread(target=run) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_steps_do_not_grow_with_the_number_of_patterns():
    steps = []
    for count in (500, 4000):
        patterns = PatternSet([f"https://h{k}.example/p{k}/*" for k in range(count)], "match-pattern")
        steps.append(
            max(patterns._matcher.steps(urlsm.parse(f"https://h{k}.example/p{k}/x")) for k in range(0, 500, 9))
        )
    assert steps[1] <= steps[0] + 4
    shared = PatternSet(["https://h.example/" + "x" * 1024 + str(k) for k in range(4000)], "match-pattern")
    url = urlsm.parse("https://h.example/" + "x" * 1024 + "777")
    assert shared._matcher.decides(url) >= 0
    assert shared._matcher.steps(url) < 40


def test_a_line_that_is_a_name_stands_for_what_its_syntax_reads():
    rng = seeded(33)
    for syntax, start, end in (("domains", "", ""), ("adblock", "||", "^")):
        found = find(syntax)
        for _ in range(draws(4000)):
            name = "".join(
                rng.choices("ab1-.xX_\u00e9*^|/0", (9, 9, 3, 2, 9, 3, 1, 1, 1, 1, 1, 1, 1, 2), k=rng.randrange(9))
            )
            line = rng.choice((start, start, start, "|", "@@||")) + name + rng.choice((end, end, end, "^$ping", "."))
            tables = Tables()
            tables.expect_names(*found.names)
            if tables.add_name(line, 0):
                key = line[len(start) : len(line) - len(end)].encode()
                assert list(found.rules(line, found.options)) == [found.names[2]._replace(host=(BOTH, key))], line
                whole = PatternSet([line], syntax, ambiguous="match")
                assert f"https://{key.decode()}/a" in whole and f"https://a.{key.decode()}/" in whole
                assert f"https://b{key.decode()}/" not in whole


def test_each_name_shows_where_it_is_imported_from():
    for name in urlsm.patterns.__all__:
        assert (getattr(urlsm.patterns, name).__module__, getattr(urlsm.patterns, name).__name__) == (
            "urlsm.patterns",
            name,
        )


def test_what_a_url_is_asked_with_is_named():
    patterns = PatternSet(["||a.example^$script"], "adblock")
    url, page = "https://a.example/x.js", "https://b.example/"
    for ask in (patterns.match, patterns.all, patterns.explain):
        assert ask(url, source=page, type="script")
        with pytest.raises(TypeError):
            ask(url, page)
    assert [found.line for found in patterns.match_many([url], source=page, type="script")] == [1]
    assert patterns.match_many([url], source=page, type="image") == [None]
    for ask in (patterns.match_many, patterns.filter):
        for text in (url, url.encode()):
            with pytest.raises(TypeError, match=r"urls must be an iterable of URLs, not (str|bytes)"):
                ask(text)


@pytest.mark.parametrize(
    "made", [Rule(False, schemes=("https",), band=2), Syntax("mine", rules=list, options={"a": 1}, careful=True)]
)
def test_records_of_a_syntax_take_keywords_and_are_copied(made):
    for copied in (copy.copy(made), copy.deepcopy(made), pickle.loads(pickle.dumps(made)), made._replace()):
        assert type(copied) is type(made) and copied == made
    with pytest.raises(TypeError):
        type(made)(*made)
