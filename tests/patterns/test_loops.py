"""A set is the loop over its single rules, for each syntax and precedence; `filter` is `in`; a set is a value."""

from __future__ import annotations

import pickle

import pytest
from support.seeds import seeded

import urlsm
from urlsm.patterns import PatternError, PatternSet
from urlsm.patterns.matcher import Matcher
from urlsm.patterns.syntax import NAMES, PRECEDENCES, find
from urlsm.patterns.tables import Tables

HOSTS = ("a.com", "b.a.com", "c.b.a.com", "xa.com", "com", "a.org")
ALL_HOSTS = (*HOSTS, "10.0.0.1", "[::1]", "ads.a.com")
PATHS = ("/", "/a", "/a/", "/a/b", "/a/b?c", "/ab", "/b/a/b", "/a%2Fb", "/x?/a", "/A/ads.js?c=d")
PIECES = ("a", "b", "/", "*", "**", "/a", "/a/b", "?c")
SCHEMES = ("http", "https")
PLAIN = ("robots", "uri-template")  # "%2F" is an unsafe value, and all spellings of what exclude takes out are out
PORTS = ("", "", ":8")
HOSTS_AND_PORTS = [start + host + port for host in HOSTS[:4] for start in ("", "*.") for port in ("", ":8")]
PATTERNS = {
    "domains": lambda r: r("10.0.0.0/8", "::1", "10.0.0.1", *[r("", "=", "*.", ".") + host for host in HOSTS]),
    "origins": lambda r: f"{r(*SCHEMES)}://{r(*HOSTS_AND_PORTS)}",
    "redirect-uri": lambda r: f"{r(*SCHEMES)}://{r(*ALL_HOSTS)}{r(*PORTS)}{r(*PATHS)}",
    "no-proxy": lambda r: r("*", ":8", "10.0.0.0/8", "::1", ".a.com", ".b.a.com:8", *HOSTS_AND_PORTS),
    "robots": lambda r: r("Allow: /", "Disallow: /") + r(*PIECES, "") + r(*PIECES, "") + r("", "$", "/index.html"),
    "match-pattern": lambda r: f"{r('*', *SCHEMES)}://{r('*', *HOSTS_AND_PORTS)}/{r(*PIECES, '')}{r(*PIECES, '')}",
    "glob": lambda r: (
        f"{r('**', 'http{,s}', *SCHEMES)}://{r(*HOSTS, '*.com', '*')}/{r(*PIECES, '{a,b}')}{r('', '[ab]')}"
    ),
    "urlpattern": lambda r: (
        f"{r('http{s}?', '*', *SCHEMES)}://{r(*HOSTS, '*.com', ':h.com', '*')}{r('', ':8', ':*')}"
        + r("/*", "/", "/a/:x", "/:x?", "/a{/b}?", "/(a|b)", "/a/*")
    ),
    "csp": lambda r: r("*", "https:", "http:", f"{r(*SCHEMES)}://{r(*HOSTS_AND_PORTS)}{r('', '/a', '/a/')}"),
    "surt": lambda r: r(
        *("http://(com,", "http://(com,a,", "http://(com,a,)/", "com,a", "org,a", "com,a)/a", "+http://a.com/a/b"),
        "http://(com,a,:8)/",
    ),
    "uri-template": lambda r: r(
        *("https://{h}/{+p}", "http{s}://a.com/a", "http://a.com{/p*}{?c}", "{s}://{h}/{a}", "{s}://{h}/{a}/{b}{?q}"),
        *("http://{h}.com/a{/b}", "https://{h}/a{+p}", "http://a.com:8/{a}", "https://a.{d}/a/b", "{+all}"),
    ),
    "blocklist": lambda r: (
        r("", "http://") + r("", ".") + r(*HOSTS) + r(*PORTS) + r("", "/a", "/a/b") + r("", "", "?c")
    ),
    "adblock": lambda r: (
        r("", "", "@@")
        + r("||a.com^", "||ads.", "||a", "|https://a", "/a/b", "ads.js", "/b/a/*", "^a^", "*b", "||com^*b|", "a.com")
        + r("", "", "$all", "$~script", "$match-case", "$to=a.*", "$to=~com|b.a.com")
    ),
    "hosts": lambda r: r("0.0.0.0 {}", ":: {} x.{}", "address=/{}/", 'local-zone: "{}" static', "{}").format(
        *[r(*HOSTS)] * 2
    ),
}


def random_url(choice):
    return choice("http", "https") + "://" + choice(*ALL_HOSTS) + choice("", "", ":8") + choice(*PATHS)


def single(rule, folds):
    tables = Tables()
    tables.add(rule)
    return Matcher(tables, None, folds)


def decided(patterns, singles, text):
    """Return the rule that decides, and the numbers of the patterns that match, by a loop over the rules."""
    syntax = find(patterns.syntax)
    url = urlsm.parse(text)
    octets = None if syntax.reads is None else syntax.reads(text, patterns._options)
    if syntax.prover is not None:
        octets = text.partition("#")[0].partition("?")[0].encode()
    ranked = patterns._precedence in ("longest", "specific")
    decides, best, matching = None, None, set()
    for number, rule, matcher in singles:
        if syntax.reads is not None and octets is None:
            continue
        if (matcher.decides(url) if octets is None else matcher.decides_text(octets)) < 0:
            continue
        if syntax.prover is not None and urlsm.Template(patterns._texts[number]).match(text) is None:
            continue
        matching.add(number)
        key = (rule.band, rule.weight, rule.allow != syntax.blocks) if ranked else (rule.band,)
        if best is None or key > best or (key == best and patterns._precedence == "last"):
            decides, best = (number, rule), key
    return decides, sorted(number for number in matching if number < len(patterns.patterns))


@pytest.mark.parametrize("syntax", NAMES)
@pytest.mark.parametrize("precedence", PRECEDENCES)
def test_a_set_is_the_loop_over_its_rules(syntax, precedence):
    rng = seeded(f"loop {syntax} {precedence}")

    def choice(*given):
        return rng.choice(given)

    told = find(syntax)
    matched = 0
    for _ in range(8):
        lines = [PATTERNS[syntax](choice) for _ in range(rng.randrange(1, 14))]
        excluded = [PATTERNS[syntax](choice) for _ in range(rng.randrange(3))] if syntax not in PLAIN else []
        patterns = PatternSet(lines, syntax, exclude=excluded, precedence=precedence, ambiguous="match")
        singles = [(number, rule, single(rule, told.folds)) for number in range(len(lines) + len(excluded))
                   for rule in patterns._rules(number)]  # fmt: skip
        again = pickle.loads(pickle.dumps(patterns))
        assert again == patterns and hash(again) == hash(patterns)
        other = PatternSet(
            lines, syntax, exclude=excluded, precedence=next(name for name in PRECEDENCES if name != precedence)
        )
        assert other != patterns
        texts = [text for text in [random_url(choice) for _ in range(40)] if "%" not in text or syntax not in PLAIN]
        texts += [url.href for url in map(urlsm.try_parse, lines) if url is not None and url.scheme in SCHEMES]
        for text in texts:
            decides, matching = decided(patterns, singles, text)
            inside = told.otherwise if decides is None else decides[1].allow
            assert (text in patterns) == inside, (lines, excluded, text)
            assert (urlsm.parse(text) in patterns) == (text.encode() in patterns) == inside
            found = patterns.match(text)
            assert (found and found.index) == (decides[0] if decides and inside else None), (lines, excluded, text)
            assert [match.index for match in patterns.all(text)] == matching, (lines, excluded, text)
            matched += decides is not None
        held = [text for text in texts if text in patterns]
        assert patterns.filter(texts) == again.filter(texts) == held
        assert patterns.match_many(texts) == [patterns.match(text) for text in texts]
    assert matched > 5


@pytest.mark.parametrize("syntax", NAMES)
def test_what_filter_says_of_any_text_is_what_in_says(syntax):
    rng = seeded(f"filter {syntax}")
    lines = [PATTERNS[syntax](lambda *given: rng.choice(given)) for _ in range(30)]
    patterns = PatternSet(lines, syntax)
    pieces = (*ALL_HOSTS, "http://", "https:/", "//", "\\", "@", "..", "%2e", "%2F..", "\t", "é", "\ud800", "\0",
              "/a/b", ":", "?", "#", "ftp://")  # fmt: skip
    texts = ["".join(rng.choices(pieces, k=rng.randrange(6))) for _ in range(400)]
    texts += [f"http://{rng.choice(ALL_HOSTS)}/{text}" for text in texts]
    urls = [url for url in map(urlsm.try_parse, texts) if url is not None]
    given = [*texts, *[text.encode("utf-8", "surrogatepass") for text in texts], *urls]
    said = [url in patterns for url in given]
    assert patterns.filter(given) == [url for url, inside in zip(given, said, strict=True) if inside]
    if patterns._syntax.reads is None:  # a syntax that compares the text sees its spelling
        for text, inside in zip(texts, said, strict=False):
            assert (text.encode("utf-8", "surrogatepass") in patterns) == inside, text


MIB = 1 << 20
LONG = ("https://a.com/" + "a" * MIB, "https://" + "a." * (MIB // 2) + "com/",
        "https://a.com/" + "%2e%2e/" * (MIB // 7),
        "https://a.com/?" + "*a" * (MIB // 2), "\0" * MIB, "https://a.com/" + "../" * (MIB // 3))  # fmt: skip


@pytest.mark.slow(1)
@pytest.mark.parametrize("syntax", NAMES)
def test_a_text_of_a_mebibyte_is_answered(syntax):
    rng = seeded(f"mebibyte {syntax}")
    patterns = PatternSet([PATTERNS[syntax](lambda *given: rng.choice(given)) for _ in range(2)], syntax)
    for text in LONG:
        assert (text in patterns) == (patterns.filter([text]) == [text])


@pytest.mark.parametrize("syntax", NAMES)
def test_a_pattern_of_any_size_is_made_or_refused(syntax):
    for size in (10, 150, 1 << 11):
        for line in ("a" * size, "https://a.com/" + "a*" * size, "||" + "a." * size + "com^", "/" + "{*a}" * size,
                     "Disallow: /" + "a*" * size + "$", "{" * size + "}" * size, "{a," * size + "}" * size,
                     "https://a.com/(" + "[" * size + "a" + "]" * size + ")", "(" * size, "[" * size, ":" * size,
                     "https://a.com/(" + "(?:" * size + "a" + ")" * size + ")", "/" + "(?:a|" * size + ")" * size + "/",
                     "/" + "(?:" * size + "a" + ")?" * size + "/", "." * size, "10." * size, "*." * size):  # fmt: skip
            refused = None
            try:
                patterns = PatternSet([line], syntax)
            except PatternError as error:
                refused = error
            assert refused is not None or ("https://a.com/" in patterns) in (True, False)
