"""Recorded answers of 94 programs and releases to hostile texts that generators of this project made.

`parse` reads as the reference implementation of the Standard does, urlsm.stdlib as CPython, and where these two go to
two hosts, is_ambiguous says so.
"""

from __future__ import annotations

import urllib.parse
from collections.abc import Callable

import pytest
from support.recorded import recorded

from urlsm import stdlib, try_parse
from urlsm.security import is_ambiguous

# scheme, userinfo, host, port, path, query, fragment; None where the reader refuses the text
Answer = tuple[str | None, ...] | None
COMPONENTS = 7


@pytest.fixture(scope="module")
def rows() -> Callable[[str], list[tuple[str, Answer]]]:
    """Each text with the answer of one reader."""
    head, found = recorded("readers")
    digits = {digit: number for number, digit in enumerate(head["digits"])}

    def of(reader: str) -> list[tuple[str, Answer]]:
        at = head["readers"].index(reader)
        return [(text, answer(pool, answers[digits[numbers[at]]])) for text, _, pool, answers, numbers in found]

    def answer(pool: list[str], places: list[int]) -> Answer:
        if places[0] == -2:
            return None
        given = [None if place == -1 else pool[place] for place in places]
        return (*given, *[None] * COMPONENTS)[:COMPONENTS]

    return of


def parsed(text: str) -> Answer:
    url = try_parse(text)
    if url is None:
        return None
    userinfo = (url.username or "") + ("" if url.password is None else f":{url.password}")
    port = None if url.port is None else str(url.port)
    # as the reference shows them, which has "" for absent and empty
    query, fragment = (f"{mark}{part}" if part else "" for mark, part in (("?", url.query), ("#", url.fragment)))
    return (url.scheme, userinfo, url.host or "", port or "", url.path, query, fragment)


def test_parse_reads_as_ada(rows):
    texts = rows("ada")
    assert len(texts) > 6000 and sum(theirs is not None for _, theirs in texts) > 3000
    for text, theirs in texts:
        shown = theirs and tuple("" if part is None else str(part) for part in theirs)
        assert parsed(text) == shown, ascii(text)


def test_urlsplit_reads_as_cpython(rows):
    """Its newest release: scheme, path, query and fragment of what both accept. A text that this interpreter reads in
    another way is left out, because urlsm.stdlib follows the interpreter."""
    both = 0
    for text, theirs in rows("urllib.parse-3.14"):
        try:
            ours, here = stdlib.urlsplit(text), urllib.parse.urlsplit(text)
        except ValueError:
            continue
        if theirs is not None and (here.scheme, here.path, here.query, here.fragment) == (theirs[0], *theirs[4:]):
            both += 1
            assert (ours.scheme, ours.path, ours.query, ours.fragment) == (theirs[0], *theirs[4:]), ascii(text)
    assert both > 5000


def test_where_the_two_go_to_two_hosts_the_text_is_ambiguous(rows):
    apart = 0
    for (text, browsers), (_, pythons) in zip(rows("ada"), rows("urllib.parse-3.14"), strict=True):
        if browsers and pythons and browsers[0] in ("http", "https", "ftp", "ws", "wss") and pythons[2]:
            url = try_parse(f"http://{pythons[2]}/")  # two spellings of one host are not two
            if url is not None and url.host != browsers[2]:
                apart += 1
                assert is_ambiguous(text), ascii(text)
    assert apart > 50
