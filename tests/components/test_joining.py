"""unsplit of split components equals that of the same components by keyword."""

from __future__ import annotations

import pytest
from support.seeds import seeded

from urlsm import Components, ParseError, split, unsplit
from urlsm.machine.driver import DIALECTS

PIECES = [*"ab:/?#@[];%\\ \t1", "http:", "file:", "mailto:", "//", "u:p@", ":80", "é", "\ud800", "\x00", "C|", "../"]
FIELDS = ("scheme", "username", "password", "host", "port", "path", "query", "fragment")


def outcome(function, *arguments):
    try:
        return function(*arguments)
    except ValueError as error:
        return str(error)


def by_keyword(found):
    return Components(dialect=found.dialect, **{name: getattr(found, name) for name in FIELDS}).text


@pytest.mark.parametrize("dialect", DIALECTS)
def test_unsplit_joins_the_components(dialect, cases):
    rng = seeded(53)
    for _ in range(cases // 4):
        text = "".join(rng.choices(PIECES, k=rng.randint(0, 12)))
        for given in (text, text.encode("utf-8", "surrogatepass"), text.encode("utf-8", "surrogatepass") + b"\xff"):
            try:
                found = split(given, dialect=dialect)
            except ParseError:
                continue
            joined, wanted = outcome(unsplit, found), outcome(by_keyword, found)
            assert joined == wanted and type(joined) is type(wanted), (given, dialect)
