"""Hostile pairs of pattern and text: their sizes bound the steps, and the matcher never gives up."""

from __future__ import annotations

import threading

import pytest

import urlsm
from urlsm.crawler import Robots
from urlsm.patterns import PatternError, PatternSet
from urlsm.patterns.programs import Program

KIB = (1, 8, 64)
A = ("in", b"ab")


def many(piece):
    return ("times", (piece,), 0, None, True)


def nested(depth):
    program = (b"a",)
    for _ in range(depth):
        program = (("times", program, 0, None, True), ("optional", (b"b",), True))
    return program


# name -> (program, the unit that its text repeats, whether a text that ends in "!" matches)
FULL = {
    "stars": (("*", ("in", b"!")), "a", True),
    "many stars": (("*", A) * 10 + (b"c", "$"), "ab", False),
    "lazy": ((("times", (A,), 0, None, False), b"c", "$"), "ab", False),
    "nested": ((*nested(4), b"c"), "ab", False),
    "nested deep": ((*nested(12), b"c"), "a", False),
    "choices": ((many(("or", ((b"a",), (b"a", b"a"), (b"ab",), (A,)))), b"c"), "aab", False),
    "empty choices": ((many(("or", ((), (b"a",), ()))), b"c"), "a", False),
    "groups": ((many(("group", 0, (many(("group", 1, (b"a",))),))), b"c"), "a", False),
    "optional": ((*[("optional", (b"a",), True)] * 60, *[b"a"] * 60, b"c"), "a", False),
    "counted": ((("times", (("in", b"a"),), 3, 60, True), b"c"), "a", False),
    "spans": ((("times", (("in", b"a"),), 1, None, True), b"!", "$"), "a", True),
    "spans behind a star": (("*", ("times", (("in", b"a"),), 1, None, True), b"c", "$"), "a", False),
    "two loops": ((many(A), many(A), many(A), b"c", "$"), "ab", False),
    "loop of loops": ((many(("or", ((many(A),), (b"!", b"c")))), b"c", "$"), "ab", False),
}


def size(program):
    """Return about the number of a program's instructions."""
    if isinstance(program, (bytes, str, int)) or program is None:
        return 3
    if program[:1] == ("times",):
        return 6 + size(program[1]) * max(1, program[2], program[3] or 0) * 2
    return 4 + sum(map(size, program))


@pytest.mark.parametrize("kib", KIB)
@pytest.mark.parametrize("name", FULL)
def test_a_full_program_takes_instructions_times_octets(name, kib):
    program, repeated, matches = FULL[name]
    text = (repeated * (1024 * kib // len(repeated)) + "!").encode()
    spans, steps = Program(program).spans(text)
    assert (spans is not None) == matches
    depth = 14 if "nested" in name else 3
    assert steps <= size(program) * depth * (len(text) + 1)


GREEDY = [("*a" * stars + end, text) for stars in (1, 3, 30, 300, 10_000) for end in ("b", "b$", "*b", "") for text in
          ("a", "ab", "aab", "b/")]  # fmt: skip


@pytest.mark.parametrize("kib", KIB)
def test_stars_alone_take_as_much_as_pattern_and_text_are_long(kib):
    for pattern, repeated in GREEDY:
        rules = PatternSet([f"https://h/{pattern}"], "match-pattern")
        url = urlsm.parse("https://h/" + repeated * (1024 * kib // len(repeated)))
        assert rules._matcher.steps(url) <= 20 * (len(pattern) + len(url.href))


@pytest.mark.parametrize("kib", KIB)
def test_long_pieces_are_searched_once(kib):
    for piece in ("a" * 500 + "b", "ab" * 300 + "c", ("a" * 20 + "b") * 20):
        rules = PatternSet([f"https://h/*{piece}*{piece}*"], "match-pattern")
        url = urlsm.parse("https://h/" + "a" * (1024 * kib))
        assert url not in rules
        assert rules._matcher.steps(url) <= 20 * (len(piece) + len(url.href))


@pytest.mark.parametrize("kib", KIB)
def test_a_host_of_many_labels(kib):
    host = "a." * (512 * kib - 2) + "com"
    rules = PatternSet(["com", "*.a.com", "=" + "a." * 120 + "com"], ambiguous="match")
    assert f"foo://{host}/" in rules
    assert f"foo://{host}x/" not in rules
    assert f"https://{'a.' * 120}com/" in rules


def test_many_rules_that_share_a_prefix():
    shared = "https://h.example/" + "x" * 1024
    rules = PatternSet([f"{shared}{k:05}" for k in range(20_000)], "match-pattern")
    for number in (0, 777, 19_999):
        url = urlsm.parse(f"{shared}{number:05}")
        assert url in rules
        assert rules._matcher.steps(url) < 40
    assert urlsm.parse(shared) not in rules
    assert rules._matcher.__sizeof__() < 2 * sum(map(len, rules))


def test_a_file_of_one_group_takes_as_long_as_it_has_agents():
    names = ["".join(map(chr, (97 + k // 676, 97 + k // 26 % 26, 97 + k % 26))) for k in range(17_576)]
    robots = Robots("".join(f"User-agent: {name}\r" for name in names * 3) + "Disallow: /x\n")
    assert [robots.allows("/x", name) for name in ("aaa", "zzz", "aaaa")] == [False, False, True]
    assert len(robots.rules("aaa")) == 1


def test_threads_share_robots_and_a_set():
    robots = Robots("".join(f"User-agent: a{'b' * k}\nDisallow: /*x{k}\n" for k in range(100)))
    rules = PatternSet([f"https://h{k}.example/*/p{k}/*" for k in range(500)], "match-pattern", ambiguous="refuse")
    agents = [f"a{'b' * k}" for k in range(0, 100, 3)]
    urls = [f"https://h{k % 600}.example/é/p{k % 600}/{'..%2f' * (k % 2)}" for k in range(0, 1200, 7)]
    expected = [[robots.allows(f"/x{k}", agent) for agent in agents] for k in range(0, 100, 9)], rules.filter(urls)
    assert expected[1]
    wrong = []

    def run():
        for _ in range(3):
            mine = Robots("".join(f"User-agent: a{'b' * k}\nDisallow: /*x{k}\n" for k in range(3)))
            found = [[robots.allows(f"/x{k}", agent) for agent in agents] for k in range(0, 100, 9)], rules.filter(urls)
            if found != expected or mine.allows("/x1", "ab"):
                wrong.append(1)

    threads = [threading.Thread(target=run) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@pytest.mark.slow(4)
def test_many_programs_of_a_list_take_no_more_than_its_length():
    """26 KiB took 15 s and 91 MiB."""
    lines = [f"/x{k}a{{3900}}/" for k in range(2000)]
    patterns = PatternSet(lines, "adblock", strict=False)
    assert {error.code for error in patterns.errors} == {"too-large"} and 5 < 2000 - len(patterns.errors) < 100
    assert patterns._matcher.__sizeof__() < 100 * sum(map(len, lines))
    assert "https://h.example/x0" + "a" * 3900 in patterns
    assert PatternSet(lines[:1], "adblock").errors == ()
    with pytest.raises(PatternError, match="for the length of the list"):
        PatternSet(lines, "adblock")
    deep = "(" * 33 + "a{90}" + ")?" * 33  # is refused late, and what was tried counts
    patterns = PatternSet([f"/x{k}a{{3000}}{deep}/" for k in range(2000)], "adblock", strict=False)
    assert [error.code for error in patterns.errors].count("too-deep") < 500


@pytest.mark.parametrize("text", ["(?:){999999999}x", "((a{0}){999999999}){999999999}x", "(?:(){99999}){99999}x"])
def test_nothing_repeated_is_nothing_at_once(text):
    assert "https://h.example/x" in PatternSet([f"/{text}/"], "adblock")
