"""Texts that are their own serialisation, and their neighbours: unchanged texts are right."""

import itertools

import pytest
from support import standard

from urlsm import parse, try_parse

PIECES = ["/", "\\", "C", ":", "|", "@", "u:p@", ".", "..", "?", "#", " ", "%41", ":0", ":07"]
STARTS = ["http:", "http://", "https://u:p", "ftp://u", "file:", "file://", "file:///", "s3:", "s3://", "s3:///"]


@pytest.mark.parametrize("start", STARTS)
def test_a_text_is_its_own_serialisation_only_where_the_standard_says_so(start):
    for count in range(4):
        for pieces in itertools.product(PIECES, repeat=count):
            text = start + "".join(pieces)
            try:
                wanted = standard.parse(text).href
            except standard.Failure:
                wanted = None
            url = try_parse(text)
            assert (url and url.href) == wanted, text
            if url is not None:
                again = parse(f" {url.href}")  # with a space before it, it is rewritten
                names = ("scheme", "username", "password", "host", "port", "path", "query", "fragment", "origin")
                assert [getattr(url, name) for name in names] == [getattr(again, name) for name in names], text
