"""A row, and its timing: each way over the same inputs, after a comparison of the answers, in blocks and in turns.

A *way* is an expression of the list's targets and of the peer's names:

    [PREPARATION =>] WORK [-> ANSWER]

PREPARATION makes what WORK gets in the target's place; it is not timed, and runs anew in each round. WORK is timed; it
is an expression, or statements that bind x. ANSWER is what is compared with ours of the value, x: by default x itself,
or its text.
"""

import dis
import re
import statistics
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from time import perf_counter_ns
from typing import Any

from bench import peers
from bench.clocks import in_turns, now
from bench.lists import TARGETS, Lists

OTHER_RULES = 0.05  # a peer whose answers differ more often follows other rules: shown, but never the fastest peer
OTHER_RULES_RARE = 1 / 3  # the same, for the links of the classes among the inputs
BLOCK, BLOCKS = 100, 20  # inputs of a block, at most; blocks, at least
REFUSED = "refused"


@dataclass(frozen=True)
class Row:
    title: str
    given: str  # the name of a list
    ours: str  # a way
    peers: dict[str, str] = field(default_factory=dict)  # peer -> its way
    refused: bool = False  # each input must be refused; catching the exception is timed
    other: tuple[str, ...] = ()  # peers that follow other rules, whatever they answer here
    code: str = ""  # what the interpreter runs, of what was prepared: a peer of which it is equal runs the same code


@dataclass
class Figures:
    """The result of a row: nanoseconds per input, the median of the blocks and their 95th percentile."""

    inputs: int
    ns: dict[str, tuple[float, float]]
    differs: dict[str, float]  # peer -> share of answers that are not ours
    other: list[str]  # peers that follow other rules
    left_out: dict[str, str]  # peer -> why
    same_code: list[str] = field(default_factory=list)  # peers that run the same code of the interpreter as urlsm


class Way:
    def __init__(self, text: str, peer: str, target: str, refused: bool, code: str = "") -> None:
        work, _, answer = text.partition(" -> ")
        prepared, _, self.work = work.rpartition(" => ")
        names = peers.names_of(peer)
        assert not isinstance(names, str)
        words = set(re.findall(r"[A-Za-z_]\w*", text)) - {"u", "v", "x", "host"}
        bound = "".join(f", {name}={name}" for name in sorted(words & {*names}))
        expression = is_expression(self.work)
        timed = f"\n   try: {self.work}\n   except Exception: pass" if refused else f" {self.work}"
        source = f"""
def prepare(given{bound}):
 {target} = given
 return {prepared or target}
def answer(given{bound}):
 {target} = given
 {"x = " if expression else ""}{self.work}
 return {answer or "x"}
def loop(blocks, now{bound}):
 spent = []
 for block in blocks:
  start = now()
  for {target} in block:{timed}
  spent.append(now() - start)
 return spent
def code(given, loop, instructions):
 {target} = given
 return {code or None}
"""
        made: dict[str, Any] = dict(names)
        exec(compile(source, f"<{peer}: {text}>", "exec"), made)
        self.prepare: Callable[[Any], Any] | None = made["prepare"] if prepared else None
        self.of_prepared: Callable[[Any], Any] = made["answer"]
        self.loop: Callable[[list[list[Any]], Callable[[], int]], list[int]] = made["loop"]
        self.code_of: Callable[..., Any] = made["code"]

    def answer(self, given: Any) -> Any:
        """Return what is compared; REFUSED if the work raises."""
        try:
            return comparable(self.of_prepared(self.prepare(given) if self.prepare else given))
        except Exception:  # each peer raises its own
            return REFUSED

    def code(self, given: Any) -> Any:
        """Return the code that the interpreter runs, by the row; after the loop was timed, which specialises it."""
        return self.code_of(self.prepare(given) if self.prepare else given, self.loop, instructions)

    def clock(self, blocks: list[list[Any]]) -> list[int]:
        if self.prepare:
            blocks = [[self.prepare(given) for given in block] for block in blocks]
        return self.loop(blocks, now)


def instructions(function: Callable[..., Any]) -> Any:
    """Return the names of a function's instructions, as the interpreter has specialised them (since 3.11)."""
    if sys.version_info < (3, 11):
        return object()  # unlike any other
    return [found.opname for found in dis.get_instructions(function, adaptive=True)]


def is_expression(work: str) -> bool:
    try:
        compile(work, "", "eval")
    except SyntaxError:
        return False
    return True


def comparable(value: Any) -> Any:
    if value is None or isinstance(value, str | bytes | bool | int | float | tuple | list | dict | frozenset):
        return value
    return str(value)


def measure(row: Row, lists: Lists, rounds: int, budget: float) -> Figures:
    """Return the row's figures, in about `budget` seconds.

    Raises:
        AssertionError: urlsm refuses an input of the row, or accepts one that is to be refused.
    """
    left_out = {peer: why for peer in row.peers if isinstance(why := peers.names_of(peer), str)}
    target = TARGETS.get(row.given, "u")
    texts = {"urlsm": row.ours, **{peer: way for peer, way in row.peers.items() if peer not in left_out}}
    ways = {peer: Way(way, peer, target, row.refused, row.code) for peer, way in texts.items()}
    given = sample(lists[row.given], ways, rounds, budget)
    answers = {peer: [way.answer(one) for one in given] for peer, way in ways.items()}
    ours = answers["urlsm"]
    if row.refused:
        assert set(ours) == {REFUSED}, row.title
    else:
        assert ours.count(REFUSED) <= OTHER_RULES * len(given), f"{row.title}: we refuse {ours.count(REFUSED)}"
        for peer in [*answers]:
            if (share := answers[peer].count(REFUSED) / len(given)) > OTHER_RULES and peer != "urlsm":
                left_out[peer] = f"refuses {share:.0%}"
                del answers[peer], ways[peer]
        kept = [at for at in range(len(given)) if all(found[at] != REFUSED for found in answers.values())]
        given = [given[at] for at in kept]
        answers = {peer: [found[at] for at in kept] for peer, found in answers.items()}
        ours = answers["urlsm"]
    differs, other = {}, {*row.other}
    for peer in [*answers][1:]:
        wrong = sum(mine != theirs for mine, theirs in zip(ours, answers[peer], strict=True)) / len(given)
        if wrong:
            differs[peer] = wrong
        if wrong > OTHER_RULES or (row.given == "links" and rare_differ(ways, peer, lists) > OTHER_RULES_RARE):
            other.add(peer)
    times = timed(ways, given, target, rounds)
    same = [peer for peer in [*ways][1:] if row.code and ways[peer].code(given[0]) == ways["urlsm"].code(given[0])]
    return Figures(len(given), times, differs, sorted(other & {*ways}), left_out, same)


def rare_differ(ways: dict[str, Way], peer: str, lists: Lists) -> float:
    """Return the share of different answers on the links of the classes, which tell rules apart; refusals count."""
    rare = sorted(lists.unusual)
    return sum(ways["urlsm"].answer(text) != ways[peer].answer(text) for text in rare) / len(rare)


def sample(given: list[Any], ways: dict[str, Way], rounds: int, budget: float) -> list[Any]:
    """Return evenly spaced inputs, as many as can be answered once and timed in all rounds within the budget."""
    few = given[:: len(given) // 10 or 1][:10]
    for _ in range(2):  # the first time imports modules, and fills caches
        start = perf_counter_ns()
        for way in ways.values():
            for one in few:
                way.answer(one)
        each = (perf_counter_ns() - start) / len(few)
    affordable = int(budget * 1e9 / each / (rounds + 1))
    count = min(len(given), max(BLOCKS, affordable))
    return [given[at * len(given) // count] for at in range(count)]


def timed(ways: dict[str, Way], given: list[Any], target: str, rounds: int) -> dict[str, tuple[float, float]]:
    """Return nanoseconds per input of each way, without the bare loop: the median block and the 95th percentile."""
    size = max(1, min(BLOCK, len(given) // BLOCKS))
    blocks = [given[at : at + size] for at in range(0, len(given) // size * size, size)]
    bare = Way("pass", "urlsm", target, False)
    nothing = [None] * (target.count(",") + 1) if "," in target else None  # fetching an input is a part of the work
    clocks = {peer: partial(way.clock, blocks) for peer, way in ways.items()}
    times = in_turns({**clocks, "": partial(bare.clock, [[nothing] * size for _ in blocks])}, rounds)
    loop = statistics.median(times.pop(""))
    net = {peer: sorted(max(0.0, (time - loop) / size) for time in spent) for peer, spent in times.items()}
    return {peer: (tidy(statistics.median(spent)), tidy(spent[len(spent) * 95 // 100])) for peer, spent in net.items()}


def tidy(ns: float) -> float:
    return round(ns, 1) if ns < 100 else round(ns)


def told(row: Row, figures: Figures) -> str:
    """Return one line about a row, to show progress."""
    ours = figures.ns["urlsm"][0]
    found = sorted((ns[0] / max(ours, 0.1), peer) for peer, ns in figures.ns.items() if peer != "urlsm")
    names = ", ".join(f"{peer}{' (other rules)' * (peer in figures.other)} {x:.2f}x" for x, peer in found)
    return f"{row.title}: {ours:.0f} ns; {names or '-'}"


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
