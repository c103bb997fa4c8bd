"""Large sets: how many patterns are tried for a URL, whatever their syntax and wherever their stars stand."""

import statistics
import sys
from pathlib import Path

import pytest
from support.seeds import draws, seeded

import urlsm
from urlsm.patterns import PatternSet

ROOT = Path(__file__).resolve().parents[2]

if not (ROOT / "bench").is_dir():
    pytest.skip("bench/ does not lie beside these tests", allow_module_level=True)
if str(ROOT) not in sys.path:
    sys.path.append(str(ROOT))

from bench.pattern_shapes import FIXED, SYNTAXES, drawn  # noqa: E402

SIZES = (200, 3200)


def tried(patterns, url):
    """Return how many patterns are tried that do not match."""
    if patterns.syntax != "robots":
        return patterns._matcher.misses(urlsm.parse(url))
    return patterns._matcher.misses_in_text(urlsm.parse(url).request_target.encode())


def counts(shape, size, rng):
    patterns = PatternSet([shape.pattern(k) for k in range(size)], shape.syntax)
    hits = [shape.hit(rng.randrange(size), rng) for _ in range(40)]
    assert [url in patterns for url in hits] == [shape.syntax != "robots"] * 40, shape
    return [tried(patterns, url) for url in hits], [tried(patterns, shape.miss(k, rng)) for k in range(40)]


@pytest.mark.parametrize("shape", FIXED, ids=str)
def test_no_more_patterns_are_tried_of_a_larger_set(shape):
    rng = seeded(str(shape))
    small, large = [counts(shape, size, rng) for size in SIZES]
    for few, many in zip(small, large, strict=True):
        assert statistics.mean(many) <= statistics.mean(few) + 4
        assert max(many) <= 32


@pytest.mark.parametrize("syntax", SYNTAXES)
def test_few_patterns_are_tried_of_any_shape(syntax):
    rng = seeded(f"shapes {syntax}")
    found = []
    for _ in range(draws(12)):
        for each in counts(drawn(rng, syntax), SIZES[1], rng):
            found += each
    found.sort()
    assert statistics.median(found) <= 8
    assert found[len(found) * 99 // 100] <= 32


def test_two_segments_tell_more_than_one():
    """Each segment is in many patterns, but both together only in one."""
    rules = [f"https://h.example/*/a{k % 64}/*/b{k // 64}/*" for k in range(4096)]
    patterns = PatternSet(rules, "match-pattern")
    for k in (0, 65, 4095):
        url = urlsm.parse(f"https://h.example/x/a{k % 64}/y/z/b{k // 64}/")
        assert patterns.match(url).index == k
        assert patterns._matcher.misses(url) <= 8


def test_patterns_that_ignore_case_are_found_as_well():
    rules = [f"https://*/:a/Page{k}/*" for k in range(1000)]
    patterns = PatternSet(rules, "urlpattern", ignore_case=True)
    url = urlsm.parse("https://h.example/x/pAGE777/y")
    assert patterns.match(url).index == 777
    assert patterns._matcher.misses(url) <= 8
    globs = PatternSet([f"https://h.example/*/Page{k}/**" for k in range(1000)], "glob", flavor="crawlee")
    assert globs.match(url).index == 777
    assert globs._matcher.misses(url) <= 8


@pytest.mark.parametrize(
    ("pattern", "matching", "others"),
    [
        ("https://*.ex.org/a", "https://x.ex.org/a https://.ex.org/a", "https://ex.org/a https://x.ex.org./a"),
        ("https://{*.}?ex.org/a", "https://x.ex.org/a https://ex.org/a", "https://xex.org/a https://ex.org./a"),
        ("https://*ex.org/a", "https://x.ex.org/a https://ex.org/a https://xex.org/a", "https://x.org/a"),
        ("https://cdn-*.ex.org/a", "https://cdn-1.ex.org/a https://cdn-1.x.ex.org/a", "https://ex.org/a"),
        ("https://1.2.3.4/a", "https://1.2.3.4/a", "https://[::ffff:1.2.3.4]/a"),
        ("https://ex.org./a", "https://ex.org./a", "https://ex.org/a"),
        ("https://*:x.ex.org/a", "https://y.x.ex.org/a https://x.ex.org/a", "https://ex.org/a"),
        ("foo://*.ex.org/a", "foo://x.ex.org/a", "foo://X.EX.org/a"),
    ],
)
def test_the_host_of_a_pattern_is_looked_up_among_many(pattern, matching, others):
    patterns = PatternSet([*(f"https://*.h{k}.example/*" for k in range(50)), pattern], "urlpattern", ambiguous="match")
    for url in matching.split():
        if urlsm.try_parse(url) is not None:
            assert patterns.match(url).pattern == pattern, url
    for url in others.split():
        assert url not in patterns, url


def test_a_segment_that_a_loop_or_a_choice_ends_is_a_token():
    globs = PatternSet([f"https://h.example/**/x{k}/{{a,b}}" for k in range(100)], "glob")
    assert globs.match("https://h.example/x7/b").index == 7
    assert globs.match("https://h.example/y/z/x7/a").index == 7
    patterns = PatternSet([f"https://h.example/x{k}{{/:more}}?" for k in range(100)], "urlpattern")
    for path in ("/x7", "/x7/more"):
        assert patterns.match(f"https://h.example{path}").index == 7
        assert patterns._matcher.misses(urlsm.parse(f"https://h.example{path}")) == 0


@pytest.mark.parametrize("kib", [1, 16])
def test_a_text_with_many_tokens_takes_linear_time(kib):
    rules = [f"https://h.example/*/a{k}/*b{k}*" for k in range(500)]
    patterns = PatternSet(rules, "match-pattern")
    text = "https://h.example/" + "".join(f"a{k % 500}/" for k in range(200 * kib))
    url = urlsm.parse(text)
    assert url not in patterns
    assert patterns._matcher.misses(url) <= 500
    assert patterns._matcher.steps(url) <= 600 * len(text)


def test_lint_names_patterns_that_no_text_tells_apart_if_asked():
    patterns = PatternSet(
        [f"https://h.example/*/{'?' * k}" for k in range(1, 20)] + ["https://h.example/*/abc*"], "glob"
    )
    assert not patterns.lint(ignore=["covered", "bare-question-mark"])
    found = [lint.line for lint in patterns.lint(hints=True) if lint.code == "unindexed"]
    assert found == list(range(1, 20))
    few = PatternSet([f"https://h.example/*/{'?' * k}" for k in range(1, 9)], "glob")
    assert not [lint for lint in few.lint(hints=True) if lint.code == "unindexed"]
