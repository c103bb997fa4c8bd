"""Splits a URL into spans, each of which was read by one state of the parser."""

from __future__ import annotations

from itertools import groupby
from typing import NamedTuple

from urlsm.components.trace import Trace, explain
from urlsm.errors.excerpt import printable, shortened
from urlsm.errors.masking import cut
from urlsm.octets.objects import url_text
from urlsm.url.masked import spans_in
from urlsm.url.value import try_parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from urlsm.url.value import StrOrURL

__all__ = ["Span", "spans"]


class Span(NamedTuple):
    """A part of a URL that one state of the parser read. It is safe to display: secrets are replaced with "***", and
    invisible characters with escapes.

    Attributes:
        state: the state that read the part; "" if no state read it.
        text: the text of the part.
        codes: the codes of the violations in the part.

    Example:
        >>> spans("http://ex.com:x/")[-1]
        Span(state='', text='x/', codes=('port-invalid',))
    """

    state: str
    text: str
    codes: tuple[str, ...] = ()


Span.__module__ = "urlsm.pictures"


def spans(url: Trace | StrOrURL) -> list[Span]:
    """Split a URL into the parts that the parser's states read. Together, the parts make up the whole URL.

    Args:
        url: the URL, or a Trace from urlsm.explain.

    Raises:
        TypeError: `url` has any other type.

    Example:
        >>> [span.text for span in spans("http://u:pw@ex.com/a")]
        ['http:', '//', 'u:***@', 'ex.com', '/a']
    """
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
