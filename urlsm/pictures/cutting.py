"""Cuts a text into spans, each of which one state of the machine has consumed."""

from __future__ import annotations

from itertools import groupby
from typing import NamedTuple

from urlsm.components.trace import Trace, explain
from urlsm.errors.excerpt import printable
from urlsm.errors.masking import cut
from urlsm.octets.objects import url_text
from urlsm.url.masked import spans_in
from urlsm.url.value import try_parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from urlsm.url.value import StrOrURL

__all__ = ["LONGEST", "Span", "shortened", "spans"]

LONGEST = 2000  # in characters; the middle of a longer text is left out


class Span(NamedTuple):
    """A piece of a text in a form that may be shown to people: "***" for secrets, escapes for invisible characters.

    state: the state that consumed the piece; "" if none did. text: the piece. codes: the codes of the violations that
    were found in the piece.
    """

    state: str
    text: str
    codes: tuple[str, ...] = ()


Span.__module__ = "urlsm.pictures"


def spans(url: Trace | StrOrURL) -> list[Span]:
    """Return the spans of a text, or of the text of a Trace. Together they are the whole text. Raises TypeError for
    anything else."""
    trace = url if isinstance(url, Trace) else explain(url_text(url))
    text = trace.input if isinstance(trace.input, str) else trace.input.decode("latin-1")
    secret = spans_in(text, None if trace.error is not None else trace.url or try_parse(text))
    found: list[Span] = []
    end = 0
    for state, group in groupby(trace.steps, key=lambda step: step.state):
        steps = list(group)
        upto = max(step.end for step in steps)
        codes = tuple(dict.fromkeys([step.code for step in steps if step.code is not None]))
        if upto > end:  # the span begins at the end of the last span, so it includes the delimiters between them
            found.append(Span(state, printable(shortened(cut(text, secret, end, upto))), codes))
            end = upto
        elif codes and found:
            found[-1] = found[-1]._replace(codes=found[-1].codes + codes)
    if end < len(text):
        rest = (trace.error.code,) if trace.error is not None else ()
        found.append(Span("", printable(shortened(cut(text, secret, end, len(text)))), rest))
    return found


spans.__module__ = "urlsm.pictures"


def shortened(text: str) -> str:
    """Return the text; if it is longer than LONGEST, without its middle."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST // 2]}…{text[-LONGEST // 2 :]}"
