"""explain() shows the steps in which the parser reads a URL."""

from __future__ import annotations

from typing import NamedTuple

from urlsm.components.value import logged, positions_raw
from urlsm.errors import ParseError
from urlsm.errors.excerpt import printable
from urlsm.errors.masking import cut
from urlsm.errors.rules import TABLE
from urlsm.machine.steps import step_name
from urlsm.octets.objects import url_text
from urlsm.octets.text import positions
from urlsm.url.masked import spans_in
from urlsm.url.value import URL, Later, try_parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlsm.machine.driver import _Dialect
    from urlsm.url.value import StrOrURL

__all__ = ["Trace", "TraceStep", "explain"]

# urlsm.pictures is a higher layer, so it is imported only when a notebook or rich needs it
_DRAWN, _CUT = Later("_repr_html_", "urlsm.pictures.drawing"), Later("spans", "urlsm.pictures.cutting")


class TraceStep(NamedTuple):
    """One step of the parser, or a violation that it found.

    Attributes:
        state: the name of the parser state in the URL Standard or, in other dialects, in Barth's draft.
        start: the position in `Trace.input` where the step starts or the violation is, in characters (in bytes, if it
            is bytes).
        end: the position where the step ends.
        text: the characters that the step read.
        code: the code of the violation; None for a step.

    Example:
        >>> urlsm.explain("http://ex.com/").steps[0].state
        'scheme state'
    """

    state: str
    start: int
    end: int
    text: str | bytes
    code: str | None = None


class Trace(NamedTuple):
    """The steps in which the parser read a URL: the result of `explain`.

    `str()` returns a table of the steps with secrets masked. Notebooks and rich show the URL in colour.

    Attributes:
        input: the URL as given.
        dialect: the name of the dialect.
        steps: the steps and violations, in order.
        url: the URL; None if the input is invalid or the dialect is not "whatwg".
        error: the ParseError if the input is invalid, otherwise None.

    Example:
        >>> trace = urlsm.explain("http://ex.com/a b")
        >>> trace.url, [step.code for step in trace.steps if step.code]
        (URL('http://ex.com/a%20b'), ['invalid-URL-unit'])
    """

    input: str | bytes
    dialect: _Dialect
    steps: tuple[TraceStep, ...]
    url: URL | None
    error: ParseError | None

    def __str__(self) -> str:
        given = self.input if isinstance(self.input, str) else self.input.decode("latin-1")
        spans = spans_in(given, None if self.error is not None else self.url or try_parse(given))
        lines = [f"{self.dialect}: {printable(cut(given, spans))}"]
        for step in self.steps:
            where = f"{step.start}-{step.end}" if step.end > step.start else f"{step.start}"
            if step.code is not None:
                lines.append(f"  {'!':>9} {step.code} at {step.start}")
                continue
            lines.append(f"  {where:>9} {step.state:<40} '{printable(cut(given, spans, step.start, step.end))}'")
        if self.error is not None:
            lines.append(str(self.error))
        elif self.url is not None:
            lines.append(f"  {'=':>9} {self.url.masked()}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        """Return HTML for notebooks: the text, cut into spans, and the steps."""
        return str(_DRAWN.__get__(self)())

    def __rich_repr__(self) -> Iterator[tuple[object, ...]]:
        yield "dialect", self.dialect
        yield "spans", _CUT.__get__(self)()
        yield "url", self.url and self.url.masked(), None
        yield "error", self.error and self.error.code, None


Trace.__module__ = "urlsm"


def explain(url: StrOrURL, *, base: StrOrURL | None = None, dialect: _Dialect = "whatwg") -> Trace:
    """Show how the parser reads a URL: each step, and the characters that it reads.

    These are the steps of `parse` (for "whatwg") and `split`: the same parser runs, with logging turned on.

    Args:
        url: as for parse.
        base: the URL to resolve a relative URL against ("whatwg" only).
        dialect: "whatwg", "rfc3986", "rfc3987", "rfc2396", "rfc1738", "barth" or "stdlib".

    Raises:
        ParseError: `base` is not a URL.
        ValueError: the dialect is unknown, or does not support `base`.
        TypeError: an argument has the wrong type.

    Example:
        >>> [(step.state, step.text) for step in urlsm.explain("http://ex.com/").steps][-1]
        ('path state', '/')
    """
    entries, removed_from, result = logged(url, base, dialect)
    given = url_text(url)
    where = positions(given, removed_from) if dialect == "whatwg" else positions_raw(given, removed_from, dialect)
    steps = []
    for number, row, _, start, end in entries:
        first, last = where[min(start, len(where) - 1)], where[min(end, len(where) - 1)]
        code = TABLE[row].code if row >= 0 else None
        steps.append(TraceStep(step_name(number, dialect), first, last, given[first:last], code))
    error = result if isinstance(result, ParseError) else None
    return Trace(given, dialect, tuple(steps), result if isinstance(result, URL) else None, error)
