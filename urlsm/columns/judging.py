"""Functions that check the texts of whole columns: whether a set of patterns has them, whether dialects find different
servers in them, and whether they have hazards or look like traps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from urlsm.columns.calls import answer_column, check_threads
from urlsm.columns.names import LIST
from urlsm.columns.work import Array, ChunkedArray, Question, Sources, bit_names, source_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date

    from urlsm.patterns import PatternSet


def matches(column: Any, patterns: PatternSet, *, threads: int | None = 1) -> Array | ChunkedArray:
    """Return whether each text is in a set of patterns, like `text in patterns`: a column of bool, null where the row
    is null.

    The interpreter's lock is taken for the few texts whose path needs a closer check, or that other dialects may read
    differently; with the syntaxes "redirect-uri" and "robots", it is taken for each text.

    Args:
        patterns: a urlsm.patterns.PatternSet. column, threads: as for parse.

    Raises: the errors of parse.
    """
    return _look_up(column, patterns, False, threads)


def pattern_index(column: Any, patterns: PatternSet, *, threads: int | None = 1) -> Array | ChunkedArray:
    """Return the index of the pattern that puts each text into the set, like PatternSet.match: a column of int32, null
    where the row is null or PatternSet.match would return None.

    The arguments and errors are those of matches.
    """
    return _look_up(column, patterns, True, threads)


def _look_up(column: Any, patterns: PatternSet, which: bool, threads: int | None) -> Array | ChunkedArray:
    from urlsm.columns.lookups import INDEX, MATCHES, Lookups
    from urlsm.patterns import PatternSet

    if not isinstance(patterns, PatternSet):
        raise TypeError(f"patterns must be a PatternSet, not {type(patterns).__name__}")
    check_threads(threads)
    source = source_of(column)
    if not isinstance(source, Sources):
        return Lookups(patterns, source, which).run(threads)
    source.text_schema()
    made = [Lookups(patterns, chunk, which).run(threads) for chunk in source]
    return ChunkedArray(made, INDEX if which else MATCHES)


def is_ambiguous(column: Any, *, threads: int | None = 1) -> Array | ChunkedArray:
    """Return whether dialects find different servers in each text, like urlsm.security.is_ambiguous: a column of bool,
    null where the row is null. The interpreter's lock is taken only if it is not certain that all dialects agree.

    The arguments and errors are those of parse.
    """
    from urlsm.security.plain import READS_ALIKE

    return answer_column(column, Question(("is_ambiguous",), single=True).with_judge(READS_ALIKE), threads)


def audit(column: Any, *, threads: int | None = 1) -> Array | ChunkedArray:
    """Return the codes of the hazards of each text, like urlsm.security.audit: a list of utf8, in which each code comes
    once, in the order of urlsm.security.HAZARDS. The list is empty for most links, and null where the row is null. The
    interpreter's lock is taken only for texts that may have a hazard.

    The arguments and errors are those of parse.
    """
    from urlsm.security.hazards import HAZARDS
    from urlsm.security.plain import IS_CLEAR

    return _names(answer_column(column, Question(("hazards",), single=True).with_judge(IS_CLEAR), threads), HAZARDS)


def traps(column: Any, *, today: date | None = None, threads: int | None = 1) -> Array | ChunkedArray:
    """Return the reasons why each URL looks like one of endlessly many URLs that a site makes, like
    urlsm.crawler.traps: a list of utf8, which is empty for most links, and null if the text is refused.

    Args: today: a date; None: the clock's date. The other arguments and the errors are those of parse.
    """
    from urlsm.crawler.pages import TRAPS, latest_month

    question = Question(("traps",), single=True).with_latest(latest_month(today))
    return _names(answer_column(column, question, threads), TRAPS)


def _names(words: Array | ChunkedArray, names: Iterable[str]) -> Array | ChunkedArray:
    names = tuple(names)
    if isinstance(words, Array):
        return bit_names(words, names)
    return ChunkedArray([bit_names(chunk, names) for chunk in words], LIST)
