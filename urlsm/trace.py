"""explain(): the steps that the machine took, as a person can read them."""

from __future__ import annotations

from typing import NamedTuple

from urlsm.components import logged, positions_raw
from urlsm.errors import ParseError
from urlsm.excerpt import printable, without_passwords
from urlsm.text import positions
from urlsm.url import URL, masked
from urlsm.violations import TABLE

__all__ = ["Trace", "TraceStep", "explain", "step_name"]

# by enum Step of log.pxd: the URL Standard's name, and what the draft and the RFCs would call it
_STEPS: tuple[tuple[str, str], ...] = (
    ("scheme start state", ""),
    ("scheme state", "consume scheme"),
    ("no scheme state", "no scheme"),
    ("special relative or authority state", ""),
    ("path or authority state", ""),
    ("relative state", ""),
    ("relative slash state", ""),
    ("special authority slashes state", ""),
    ("special authority ignore slashes state", ""),
    ("authority state", "consume user-info"),
    ("host state", "consume host"),
    ("hostname state", ""),
    ("port state", "consume port"),
    ("file state", "file state"),
    ("file slash state", "file slash state"),
    ("file host state", "file host state"),
    ("path start state", ""),
    ("path state", "consume path"),
    ("opaque path state", ""),
    ("query state", "consume query"),
    ("fragment state", "consume fragment"),
    ("", "consume slash characters"),
)


def step_name(number: int, dialect: str = "whatwg") -> str:
    """The name of a step of the machine."""
    standard, consume = _STEPS[number]
    return standard or consume if dialect == "whatwg" else consume or standard


class TraceStep(NamedTuple):
    """One step, or a violation seen during it.

    state: the step's name. start, end: what it consumed, in characters of the text as given (bytes of
    bytes). text: that. code: of the violation, else None (then start and end are where it is).
    """

    state: str
    start: int
    end: int
    text: str | bytes
    code: str | None = None


class Trace(NamedTuple):
    """What the machine did with a text.

    input: the text as given. dialect. steps: in order. url: the result under whatwg, else None. error:
    why it was refused, else None. str() is a table that holds no password.
    """

    input: str | bytes
    dialect: str
    steps: tuple[TraceStep, ...]
    url: URL | None
    error: ParseError | None

    def __str__(self) -> str:
        given = self.input if isinstance(self.input, str) else self.input.decode("latin-1")
        lines = [f"{self.dialect}: {printable(without_passwords(given)[0])}"]
        for step in self.steps:
            where = f"{step.start}-{step.end}" if step.end > step.start else f"{step.start}"
            if step.code is not None:
                lines.append(f"  {'!':>9} {step.code} at {step.start}")
                continue
            text = step.text if isinstance(step.text, str) else step.text.decode("latin-1")
            if step.state in ("authority state", "consume user-info"):
                text = _masked(text)
            lines.append(f"  {where:>9} {step.state:<40} '{printable(text)}'")
        if self.error is not None:
            lines.append(str(self.error))
        elif self.url is not None:
            lines.append(f"  {'=':>9} {masked(self.url)}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return str(self)


def _masked(userinfo: str) -> str:
    user, colon, _ = userinfo.partition(":")
    return f"{user}:***@" if colon else userinfo


def explain(url: str | bytes | URL, base: str | bytes | URL | None = None, dialect: str = "whatwg") -> Trace:
    """Each step that the machine takes on a text, and what it consumed.

    The steps are those that parse (whatwg) and split take: the same machine, with a log.

    Raises:
        ValueError: no such dialect, or a base with another dialect than whatwg. ParseError: the base is
            no URL. TypeError: not a text.
    """
    entries, removed_from, result = logged(url, base, dialect)
    given = url if isinstance(url, (str, bytes)) else url.href
    where = positions(given, removed_from) if dialect == "whatwg" else positions_raw(given, removed_from, dialect)
    steps = []
    for number, row, _, start, end in entries:
        first, last = where[min(start, len(where) - 1)], where[min(end, len(where) - 1)]
        code = TABLE[row].code if row >= 0 else None
        steps.append(TraceStep(step_name(number, dialect), first, last, given[first:last], code))
    error = result if isinstance(result, ParseError) else None
    return Trace(given, dialect, tuple(steps), result if isinstance(result, URL) else None, error)
