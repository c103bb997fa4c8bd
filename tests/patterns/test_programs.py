"""Programs: what they match, beside the interpreter's regular expressions; and the number of steps."""

from __future__ import annotations

import contextlib
import re
import sys

import pytest
from support.seeds import draws, least, seeded

import urlsm
from urlsm.patterns import PatternError, Rule
from urlsm.patterns.matcher import Matcher
from urlsm.patterns.opcodes import DEEPEST, MOST
from urlsm.patterns.programs import Program
from urlsm.patterns.tables import Tables

LETTERS = b"ab/"


def text_steps(program, text):
    """Return whether the program matches, the number of steps, and the groups."""
    groups, steps = Program(program).spans(text)
    return groups is not None, steps, groups or []


def is_found(program, text):
    """Return whether a rule that has only this check, without groups, matches a text."""
    tables = Tables()
    tables.add(Rule(checks=(("target", program),)))
    return Matcher(tables).decides_text(text) == 0


def random_greedy(rng):
    pieces = []
    for _ in range(rng.randrange(5)):
        pieces.append("*" if rng.random() < 0.4 else bytes(rng.choice(LETTERS) for _ in range(rng.randrange(1, 12))))
    return tuple(pieces) + (("$",) if rng.random() < 0.5 else ())


def random_full(rng, depth=0, optional=True):
    made = []
    for _ in range(rng.randrange(1, max(2, 4 - depth))):
        kind = rng.randrange(8 if depth < 2 else 3)
        if kind == 0:
            made.append(bytes(rng.choice(LETTERS) for _ in range(rng.randrange(1, 3))))
        elif kind == 1:
            made.append(rng.choice(("?", "*")))
        elif kind == 2:
            made.append(("in", bytes(rng.choice(LETTERS) for _ in range(rng.randrange(1, 3)))))
        elif kind < 5:
            made.append(("or", tuple(random_full(rng, depth + 1, optional) for _ in range(rng.randrange(1, 4)))))
        elif kind < 7:
            fewest = rng.randrange(3)
            most = rng.choice((None, fewest + rng.randrange(3)))
            made.append(("times", random_full(rng, depth + 1, optional), fewest, most, rng.random() < 0.7))
        elif optional:
            made.append(("optional", random_full(rng, depth + 1, optional), rng.random() < 0.7))
    return tuple(made)


def as_re(program):
    made = b""
    for piece in program:
        if isinstance(piece, bytes):
            made += re.escape(piece)
        elif isinstance(piece, str):
            made += {"*": b"(?:.*)", "?": b".", "$": b"\\Z"}[piece]
        elif piece[0] == "in":
            made += b"[" + re.escape(piece[1]) + b"]"
        elif piece[0] == "or":
            made += b"(?:" + b"|".join(map(as_re, piece[1])) + b")"
        elif piece[0] == "optional":
            made += b"(?:" + as_re(piece[1]) + b")?" + (b"" if piece[2] else b"?")
        elif piece[0] == "group":
            made += b"(" + as_re(piece[2]) + b")"
        else:
            _, inner, fewest, most, greedy = piece
            count = b"{%d,%s}" % (fewest, b"" if most is None else b"%d" % most)
            made += b"(?:" + as_re(inner) + b")" + count + (b"" if greedy else b"?")
    return made


def random_text(rng, most):
    return bytes(rng.choice(LETTERS) for _ in range(rng.randrange(most)))


@pytest.mark.parametrize("make", [random_greedy, random_full])
def test_a_program_matches_as_a_regular_expression_does(make):
    rng = seeded(f"programs {make.__name__}")
    yes = 0
    for _ in range(draws(1500)):
        program = make(rng)
        expression = re.compile(as_re(program), re.DOTALL)
        for _ in range(6):
            text = random_text(rng, 24 if make is random_greedy else 7)  # re takes exponential time
            found = text_steps(program, text)[0]
            assert found == is_found(program, text) == bool(expression.match(text)), (program, text)
            yes += found
    assert yes > least(1500)


def test_groups_are_those_of_the_first_match_in_the_order_of_preference():
    rng = seeded("groups")
    told = 0
    for _ in range(draws(1500)):
        program = []
        for number in range(rng.randrange(1, 4)):
            program += [("group", number, random_full(rng, 2, optional=False)), random_full(rng, 3, False)[0]]
        program = (*program, "$")
        expression = re.compile(as_re(program), re.DOTALL)
        for _ in range(4):
            text = random_text(rng, 7)
            found, _, groups = text_steps(program, text)
            match = expression.match(text)
            assert found == is_found(program, text) == bool(match), (program, text)
            if match and not nested_times(program):
                told += 1
                assert groups == [match.span(k + 1) for k in range(len(groups))], (program, text)
    assert told > least(200)


def nested_times(program):
    """Return whether the program repeats what may be empty. ECMAScript and Python leave such a loop differently."""
    return any(
        (piece[0] == "times" and text_steps((*piece[1], "$"), b"")[0]) or any(
            nested_times(inner) for inner in piece[1:] if isinstance(inner, tuple)
        ) or (piece[0] == "or" and any(map(nested_times, piece[1])))
        for piece in program if isinstance(piece, tuple)
    )  # fmt: skip


def test_an_optional_group_that_matched_nothing_took_no_part():
    empty = ("optional", (("group", 0, ("*",)),), True)
    assert text_steps((empty, "$"), b"") == (True, text_steps((empty, "$"), b"")[1], [None])
    assert text_steps((empty, "$"), b"ab")[2] == [(0, 2)]
    assert text_steps((empty, b"b", "$"), b"b")[2] == [None]


HOSTILE = [
    (("*", b"a", "*", b"a", "*", b"a", "*", b"b", "$"), b"a"),
    ((*("*", b"a") * 200, b"b"), b"a"),
    (("*", b"a" * 40 + b"b", "$"), b"a"),
    ((*("*", b"aaaaaaaaab") * 30,), b"a"),
    ((("times", (("times", (b"a",), 0, None, True),), 0, None, True), b"b"), b"a"),
    ((("times", (("or", ((b"a",), (b"aa",), ("?",))),), 0, None, True), b"b"), b"a"),
    ((*(("optional", (b"a",), True),) * 60, *(b"a",) * 60, b"b"), b"a"),
    ((("times", (("in", b"a/"), "*", b"/"), 0, None, False), b"b"), b"a/"),
    ((("optional", (("optional", (("times", (b"a",), 0, None, True),), True), b"a"), True), b"b"), b"a"),
]


@pytest.mark.parametrize(("program", "text"), HOSTILE)
def test_steps_grow_no_faster_than_instructions_times_octets(program, text):
    instructions = 40 + 12 * len(repr(program)) // 4
    taken = []
    for size in (1024, 8192):
        whole = (text * size)[:size]
        found, steps, _ = text_steps(program, whole)
        assert not found
        assert steps <= instructions * (size + 1)
        taken.append(steps)
        tables = Tables(single=True)
        tables.add(Rule(checks=(("hash", program),)))
        assert Matcher(tables).steps(urlsm.parse(f"https://h/#{whole.decode()}")) <= instructions * (size + 3)
    assert taken[1] <= 8.5 * taken[0]


def test_a_greedy_program_takes_one_step_an_octet_and_few_more():
    program = (b"/", *("*", b"a") * 10_000, "*", b"b", "$")
    for size in (1024, 65536):
        assert text_steps(program, b"/" + b"a" * size)[1] < 3 * size + 20_010


def test_a_program_too_large_is_refused_and_not_cut():
    with pytest.raises(PatternError) as caught:
        text_steps((("times", (("times", (b"a",), 100, 100, True),), 100, 100, True),), b"a")
    assert caught.value.code == "too-large"
    assert str(MOST) in str(caught.value)


def nested(depth):
    """Return a program of optional groups within each other, each before a "b"."""
    program = ("optional", (b"a",), True)
    for _ in range(depth - 1):
        program = ("optional", (program, b"b"), True)
    return (program, "$")


def test_the_deepest_program_runs_and_a_deeper_one_is_refused():
    text = b"a" + b"b" * (DEEPEST - 1)
    matched = [text_steps(nested(DEEPEST), each)[0] for each in (b"", text, text[1:], text[:-1], b"b" + text)]
    assert matched == [True, True, True, False, False]
    for depth in (DEEPEST + 1, 300):
        with pytest.raises(PatternError, match="too-deep"):
            text_steps(nested(depth), b"a")


@pytest.mark.parametrize(
    "piece",
    [(), ("in",), ("or",), ("or", ()), ("group", 0), ("group", -1, ()), ("group", 1 << 31, ()), ("optional", ()),
     ("times", (), 0), ("times", (b"a",), -1 << 80, None, True), 7, None],
    ids=str,
)  # fmt: skip
def test_what_is_not_a_piece_is_refused(piece):
    for program in ((piece,), (b"a", piece, "$"), (("optional", (piece,), True),)):
        with pytest.raises((TypeError, ValueError, IndexError, OverflowError)):
            Program(program)


def test_a_program_that_is_nested_deeply_overflows_no_stack():
    program = (b"a",)
    for _ in range(3_000):
        program = (("times", program, 1, 1, True),)
    with contextlib.suppress(RecursionError):  # where the stack has room for it
        assert Program(program).matches("a")


def test_a_set_of_octets_is_stored_once():
    some = ("times", (("in", b"abc"),), 1, None, True)
    rules = [Rule(checks=(("path", (b"/", some, b"%d" % k)),)) for k in range(99)]
    sizes = []
    for count in (1, 99):
        tables = Tables()
        for rule in rules[:count]:
            tables.add(rule)
        sizes.append(sys.getsizeof(Matcher(tables)))
    assert sizes[1] - sizes[0] < 98 * 200
