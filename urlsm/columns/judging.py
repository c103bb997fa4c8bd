"""Functions that check whole columns of URLs: whether a set of patterns matches them, whether parsers find different
servers in them, and whether they have hazards or look like crawler traps."""

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
    """Return a bool column that says whether each URL matches a set of patterns, like `url in patterns`.

    The GIL is held for the few URLs that other parsers may read differently or whose path needs a closer look. With the
    syntaxes "redirect-uri" and "robots", it is held for every URL.

    Args:
        column: an Arrow column of URLs, as in `parse`.
        patterns: the set of patterns.
        threads: the number of threads, as in `parse`.

    Raises:
        TypeError: `column` is not an Arrow column of text, or `patterns` is not a PatternSet.

    Example:
        >>> import pyarrow as pa, urlsm.columns as uc
        >>> from urlsm.patterns import PatternSet
        >>> uc.matches(pa.array(["http://a.ex.com/", "http://h/"]), PatternSet(["ex.com"])).to_pylist()
        [True, False]
    """
    return _look_up(column, patterns, False, threads)


def pattern_index(column: Any, patterns: PatternSet, *, threads: int | None = 1) -> Array | ChunkedArray:
    """Return the index of the pattern that each URL matches, as int32, like `PatternSet.match`.

    A row is null if no pattern matches.

    Args:
        column: an Arrow column of URLs, as in `parse`.
        patterns: the set of patterns.
        threads: the number of threads, as in `parse`.

    Raises:
        TypeError: `column` is not an Arrow column of text, or `patterns` is not a PatternSet.

    Example:
        >>> import pyarrow as pa, urlsm.columns as uc
        >>> from urlsm.patterns import PatternSet
        >>> uc.pattern_index(pa.array(["http://b.com/", "http://h/"]), PatternSet(["a.com", "b.com"])).to_pylist()
        [1, None]
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
    r"""Check whether parsers find different servers in each URL, like `urlsm.security.is_ambiguous`.

    The GIL is held only for the few URLs that need a closer look.

    Args:
        column: an Arrow column of URLs, as in `parse`.
        threads: the number of threads, as in `parse`.

    Returns:
        A column of bool.

    Raises:
        TypeError: `column` is not an Arrow column of text.

    Example:
        >>> import pyarrow as pa, urlsm.columns as uc
        >>> uc.is_ambiguous(pa.array(["http://h/", r"http://good.com\@evil.com/"])).to_pylist()
        [False, True]
    """
    from urlsm.security.plain import READS_ALIKE

    return answer_column(column, Question(("is_ambiguous",), single=True).with_judge(READS_ALIKE), threads)


def audit(column: Any, *, threads: int | None = 1) -> Array | ChunkedArray:
    """Return the codes of the hazards in each URL, like `urlsm.security.audit`.

    The GIL is held only for URLs that may have a hazard.

    Args:
        column: an Arrow column of URLs, as in `parse`.
        threads: the number of threads, as in `parse`.

    Returns:
        A column of lists. A list contains each code at most once, in the order of `urlsm.security.HAZARDS`.

    Raises:
        TypeError: `column` is not an Arrow column of text.

    Example:
        >>> import pyarrow as pa, urlsm.columns as uc
        >>> uc.audit(pa.array(["http://h/", "http://127.0.0.1/"])).to_pylist()
        [[], ['loopback-address']]
    """
    from urlsm.security.hazards import HAZARDS
    from urlsm.security.plain import IS_CLEAR

    return _names(answer_column(column, Question(("hazards",), single=True).with_judge(IS_CLEAR), threads), HAZARDS)


def traps(column: Any, *, today: date | None = None, threads: int | None = 1) -> Array | ChunkedArray:
    """Return the reasons why each URL looks like a crawler trap, like `urlsm.crawler.traps`.

    For most URLs, the list is empty. A row is null if the URL is invalid.

    Args:
        column: an Arrow column of URLs, as in `parse`.
        today: the date to compare dates in URLs with; None for the current date.
        threads: the number of threads, as in `parse`.

    Returns:
        A column of lists of codes.

    Raises:
        TypeError: `column` is not an Arrow column of text.

    Example:
        >>> import pyarrow as pa, urlsm.columns as uc
        >>> uc.traps(pa.array(["http://h/a/b/a/b/a/b/a/b/", "http://h/"])).to_pylist()
        [['segments-repeat'], []]
    """
    from urlsm.crawler.pages import TRAPS, latest_month

    question = Question(("traps",), single=True).with_latest(latest_month(today))
    return _names(answer_column(column, question, threads), TRAPS)


def _names(words: Array | ChunkedArray, names: Iterable[str]) -> Array | ChunkedArray:
    names = tuple(names)
    if isinstance(words, Array):
        return bit_names(words, names)
    return ChunkedArray([bit_names(chunk, names) for chunk in words], LIST)
