"""The machine's states as a diagram (SVG), for each dialect: an edge for each step that some text takes.

The steps are those of urlsm.explain for our own texts (tests/data/own_urls.json) and for MORE. With the conformance
data, tests/docs/test_diagrams.py checks that no text of those takes another step.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from html import escape
from itertools import pairwise
from pathlib import Path

import urlsm
from urlsm.pictures import spans
from urlsm.pictures.drawing import COLOURS, colour

OWN = Path(__file__).resolve().parents[1] / "tests/data/own_urls.json"
MORE = [("http://u:p@h/", "http://b/"), ("http:/u@h", None)]
START, URL, REFUSED = "a text", "a URL", "refused"

Edge = tuple[str, str]


def own_texts() -> list[tuple[str, str | None]]:
    """Return texts and bases."""
    cases = json.loads(OWN.read_text(encoding="utf-8"))
    return [(case["input"], case.get("base")) for case in cases if isinstance(case, dict)] + MORE


def edges_of(texts: Iterable[tuple[str, str | None]], dialect: str) -> dict[Edge, str]:
    """Return each step from state to state, and the shortest text that takes it."""
    found: dict[Edge, str] = {}
    for text, base in texts:
        try:
            trace = urlsm.explain(text, base=base if dialect == "whatwg" else None, dialect=dialect)
        except urlsm.ParseError:  # of the base
            continue
        states = [START, *[step.state for step in trace.steps if step.code is None], REFUSED if trace.error else URL]
        for edge in pairwise(states):
            if edge[0] != edge[1] and len(text) < len(found.get(edge, text + " ")):
                found[edge] = text
    return found


def in_order(edges: Iterable[Edge]) -> list[str]:
    """Return the states, each after all that lead to it. ValueError if the machine goes back."""
    left = {state: {one for one, other in edges if other == state} for edge in edges for state in edge}
    order: list[str] = []
    while left:
        ready = sorted([state for state, before in left.items() if before <= {*order}], key=_rank)
        if not ready:
            raise ValueError(f"these states lead to each other: {sorted(left)}")
        order.append(ready[0])
        del left[ready[0]]
    return order


def _rank(state: str) -> tuple[int, str]:
    return [REFUSED, URL].index(state) + 100 if state in (REFUSED, URL) else [*COLOURS].index(colour(state)), state


WIDE, HIGH, GAP, LEFT, TOP, LANE = 300, 26, 20, 60, 44, 15


def diagram(dialect: str) -> str:
    """Return the diagram of a dialect, as SVG. Steps to a state, but from the one above it, share a line of their own
    colour; a dot is where another state joins it."""
    edges = edges_of(own_texts(), dialect)
    order = in_order(edges)
    y = {state: TOP + k * (HIGH + GAP) for k, state in enumerate(order)}
    under, over = [], []
    taken: list[list[tuple[int, int]]] = []
    for k, state in enumerate(order):
        x, tone, left = LEFT + WIDE // 2, _dark(state), state in (URL, REFUSED)
        sources = [one for one in order[: max(k - (not left), 0)] if (one, state) in edges]
        if not left and k and (order[k - 1], state) in edges:
            over.append(
                f'<path d="M{x} {y[state] - GAP}V{y[state] - 2}" stroke="{tone}">'
                f"{_tip(edges, order[k - 1], state)}</path>"
            )
        if not sources:
            continue
        side, out = (LEFT, -1) if left else (LEFT + WIDE, 1)
        lane = (state == REFUSED) if left else _lane(taken, order.index(sources[0]), k)
        x = side + out * (14 + LANE * lane)
        start = y[sources[0]] + HIGH * 3 // 4
        over.append(f'<path d="M{x} {start}V{y[state] + HIGH // 4}H{side + 2 * out}" stroke="{tone}"/>')
        for one in sources:
            at = y[one] + HIGH * 3 // 4
            under.append(f'<path class="from" d="M{side} {at}H{x}"/>')
            over.append(f'<circle cx="{x}" cy="{at}" r="4" fill="{tone}">{_tip(edges, one, state)}</circle>')
    boxes = []
    for state in order:
        fill = "#fff" if state in (START, URL, REFUSED) else COLOURS[colour(state)][0]
        boxes.append(
            f'<rect class="state" x="{LEFT}" y="{y[state]}" width="{WIDE}" height="{HIGH}" rx="5" fill="{fill}"/>'
            f'<text x="{LEFT + WIDE // 2}" y="{y[state] + 18}">{escape(state)}</text>'
        )
    width = LEFT + WIDE + 24 + LANE * len(taken)
    height = TOP + len(order) * (HIGH + GAP)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img"><title>The states of the dialect {dialect}: {len(edges)} steps</title>\n'
        "<style>text{font:14px ui-sans-serif,sans-serif;text-anchor:middle;fill:#1a1a1a}.state{stroke:#555}"
        "path{fill:none;stroke-width:2;marker-end:url(#tip)}.from{stroke:#aaa;stroke-width:1;marker-end:none}"
        ".head{font-size:17px}</style>\n"
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="4" markerHeight="4" orient="auto">'
        '<path d="M0 0L8 4L0 8z" style="fill:#333;marker-end:none"/></marker></defs>\n'
        f'<rect width="{width}" height="{height}" rx="8" fill="#fff"/>\n'
        f'<text class="head" x="{LEFT + WIDE // 2}" y="28">{dialect}</text>\n'
        + "\n".join(under + over + boxes)
        + "\n</svg>\n"
    )


def _tip(edges: dict[Edge, str], one: str, other: str) -> str:
    return f"<title>{escape(f'{one} → {other}: {_shown(edges[one, other])}')}</title>"


def _shown(text: str) -> str:
    """Return a text as people may see it."""
    return "".join([span.text for span in spans(text)])


def _lane(lanes: list[list[tuple[int, int]]], a: int, b: int) -> int:
    """Return the first lane that is free between a and b."""
    for number, taken in enumerate(lanes):
        if all(b <= start or end <= a for start, end in taken):
            taken.append((a, b))
            return number
    lanes.append([(a, b)])
    return len(lanes) - 1


def _dark(state: str) -> str:
    """Return the colour of the lines to a state: that of its box, darker."""
    if state in (URL, REFUSED):
        return "#2d7d46" if state == URL else "#b00020"
    red, green, blue = (int(COLOURS[colour(state)][0][k : k + 2], 16) for k in (1, 3, 5))
    return f"#{red * 5 // 8:02x}{green * 5 // 8:02x}{blue * 5 // 8:02x}"
