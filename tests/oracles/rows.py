"""Known differences between us and another program: rows of a name, the reason, and a narrow judge of each case."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

Judge = Callable[[Any, Any, Any], object]  # case, ours, theirs: whether this row explains the difference
Rows = dict[str, tuple[str, Judge]]


def judged(triples: Iterable[tuple[Any, Any, Any]], rows: Rows) -> Counter[str]:
    """Return how often both agree on a case, and how often each row was needed; an unexplained difference fails."""
    seen: Counter[str] = Counter()
    unexplained = []
    for case, ours, theirs in triples:
        if ours == theirs:
            seen["agree"] += 1
            continue
        reason = next((name for name, (_, judge) in rows.items() if judge(case, ours, theirs)), None)
        if reason is None:
            unexplained.append((case, ours, theirs))
        else:
            seen[reason] += 1
    shortest = sorted(unexplained, key=lambda row: len(str(row[0])))[:10]
    assert not unexplained, "\n".join([f"{len(unexplained)} differences no row explains", *map(ascii, shortest)])
    return seen
