"""A set's answers without a URL object, beside the long way."""

from __future__ import annotations

import re

import pytest
from support.seeds import draws, least, seeded

import urlsm
from urlsm.patterns import PatternSet
from urlsm.patterns.glob_texts import FLAVORS
from urlsm.patterns.programs import Program
from urlsm.whatwg import URLPattern

SETS = [
    PatternSet(
        ["example.com", "*.a.org", "10.0.0.0/8", "=b.org", "[::1]", "xn--bcher-kva.de"], exclude=["x.example.com"]
    ),
    PatternSet(["example.com", "a.org"], ambiguous="match"),
    PatternSet(["https://example.com/cb/**", "http://*.a.org/x", "*://**/**/y*"], "glob"),
    PatternSet(["https://example.com/**", "http://a.org/*/b"], "glob", exclude=["https://example.com/cb/**"]),
    PatternSet(["*://*.example.com/cb/*", "http://a.org:81/*", "file:///cb/*"], "match-pattern", ambiguous="refuse"),
    PatternSet(["https://*.example.com", "http://a.org:81"], "origins"),
    PatternSet(["https://example.com/:a/b", "http{s}?://*.a.org/cb/*", "http://example.com/*?*#*"], "urlpattern"),
    PatternSet(["example.com", "a.org/cb"], "blocklist", exclude=["b.example.com"]),
    PatternSet(["https://example.com/cb/", "a.org"], "csp"),
    PatternSet("example.com,.a.org,10.0.0.0/8", "no-proxy"),
]
HEADS = ("https://", "http://", "HTTP://", "https:/\\", "file://", "foo://", "wss://", " https://", "//", "", "https:")
HOSTS = ("example.com", "b.example.com", "a.org", "x.a.org", "10.1.2.3", "0x0a.1", "[::1]", "EXAMPLE.com", "bücher.de",
         "example.com.", "a_.org", "-a.org", "u:p@example.com", "a@b@a.org", "example.com:80", "a.org:81", "",
         "\ud800")  # fmt: skip
PIECES = ("/", "cb", "..", ".", "%2e", "%2F", "%", "%25", "%20", "%41", ";", ":", "\\", "\t", "x", "y", "b", "?", "#",
          "é", "%c0%ae", "%e2%80%a5", "%00", "%u002e", "%0a", "/cb/", "a..b")  # fmt: skip


def random_text(rng):
    return (
        rng.choice(HEADS)
        + rng.choice(HOSTS)
        + rng.choice(("/", "/cb/", "/y/b"))
        + "".join(rng.choices(PIECES, k=rng.randrange(7)))
    )


@pytest.mark.parametrize("number", range(len(SETS)))
def test_what_is_answered_without_a_url_is_what_the_long_way_answers(number, cases):
    patterns, rng, inside = SETS[number], seeded(f"lookup {number}"), 0
    texts = [random_text(rng) for _ in range(cases // 2)]
    for text in texts:
        told = patterns._decides_at_length(text)
        assert patterns._decides(text) == told, text
        url = urlsm.try_parse(text)
        if url is not None:
            assert patterns._decides(url) == patterns._decides_at_length(url), text
        inside += text in patterns
        assert (patterns.match(text) is not None) == (patterns._matcher.allows(told))
    octets = [text.encode("utf-8", "surrogatepass") for text in texts[:500]]
    assert [patterns._decides(text) for text in octets] == [patterns._decides_at_length(text) for text in octets]
    assert patterns.filter(texts) == [text for text in texts if text in patterns]
    assert inside > cases // 1000


def test_a_set_that_was_never_made_raises():
    patterns = PatternSet.__new__(PatternSet)
    for ask in (patterns.__contains__, patterns.match, patterns._decides, lambda url: patterns.filter([url])):
        with pytest.raises(AttributeError):
            ask("https://example.com/")


def test_a_long_way_that_names_no_rule_raises():
    class Other(PatternSet):
        def _decides_at_length(self, url):
            return 7

    with pytest.raises(IndexError):
        _ = "https://a@b@example.com/" in Other(["example.com"])


PATTERNS = [
    *("https://*.example.com/:kind/*", "http{s}?://example.com/cb/:a/b", "https://example.com/:a{/:b}*", "*://a.org/*"),
    *(
        "https://u:p@example.com/*",
        "https://example.com/:a.x",
        "http://:h.org:81/cb/*?*",
        "foo://*/cb/*",
        "https://*/:a",
    ),
    *("https://example.com/([a-c]+)b/*", "https://*#*", "file:///*", "https://example.com/:a;:b"),
]


def test_a_pattern_tests_without_a_url_as_by_its_components():
    rng, inside = seeded("tested"), 0
    patterns = [URLPattern(text) for text in PATTERNS]
    for _ in range(draws(8_000)):
        text, pattern = random_text(rng), rng.choice(patterns)
        told = pattern._test_at_length(text, None)
        assert pattern.test(text) == told, (pattern, text)
        assert (pattern.exec(text) is not None) == told
        url = urlsm.try_parse(text)
        if url is not None:
            assert pattern.test(url) == told, (pattern, text)
        inside += told
    assert inside > least(120)


def test_a_class_is_taken_whole_only_where_no_choice_is_left():
    """Repeated classes match as in `re`, before octets that they hold and that they do not."""
    rng = seeded("spans")
    inside = 0
    for _ in range(draws(4_000)):
        program, expression = [], ""
        for _ in range(rng.randrange(1, 5)):
            kind = rng.randrange(4)
            if kind == 0:
                octets, fewest = rng.choice((b"ab", b"bc", b"a")), rng.randrange(3)
                program.append(("times", (("in", octets),), fewest, None, True))
                expression += f"[{octets.decode()}]{{{fewest},}}"
            elif kind == 1:
                program.append("*")
                expression += ".*"
            else:
                literal = rng.choice((b"a", b"b", b"c", b"ca"))
                program.append(literal)
                expression += literal.decode()
        if rng.random() < 0.7:
            program.append("$")
            expression += "$"
        made, read = Program(tuple(program)), re.compile(expression)
        for _ in range(8):
            text = "".join(rng.choices("abc", k=rng.randrange(8)))
            assert made.matches(text) == (read.match(text) is not None), (program, text)
            inside += made.matches(text)
    assert inside > least(1000)


@pytest.mark.parametrize("flavor", FLAVORS)
def test_a_glob_matches_what_its_program_matches(flavor):
    """The look-up of the host does not leave out a match."""
    rng, inside = seeded(f"globs {flavor}"), 0
    heads = ("https://", "http://", "*://", "**://", "HTTPS://", "https://*.", "https://**.", "https://*@", "ftp://*")
    hosts = ("example.com", "a.org", "x.a.org", "example.com:80", "a.org:81", "*", "{a.org,b}", "Example.com", "com",
             "a.org.")  # fmt: skip
    for _ in range(draws(1_500)):
        tail = "".join(rng.choices(("/", "cb/", "*", "**", "x", "#", "?", "/**"), k=rng.randrange(5)))
        pattern = rng.choice(heads) + rng.choice(hosts) + rng.choice(("/", "/**", "")) + tail
        made = PatternSet([pattern], "glob", ambiguous="match", flavor=flavor)
        ((_, program),) = next(iter(made._rules(0))).checks
        read = Program(program)
        for _ in range(12):
            url = urlsm.try_parse(random_text(rng))
            if url is not None:
                assert (url in made) == read.matches(url.href), (pattern, url)
                inside += url in made
    assert inside > least(20)
