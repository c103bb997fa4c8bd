"""Texts beyond the recorded ones that a reader once read otherwise than the live program, with its answer."""

from __future__ import annotations

import pytest

from urlsm.security import compare_readers

REFUSED = None


@pytest.mark.parametrize(
    ("reader", "text", "component", "answer"),
    [
        # query=: /(%\H\H)/n, in which \H is also "%"; asked of Ruby 3.1.2
        ("ruby@3.1.2", "http://h/?%%g", "query", REFUSED),
        ("ruby@3.1.2", "http://h/?%g%", "query", REFUSED),
        ("ruby@3.1.2", "http://h/?%%1", "query", "%%1"),
        ("ruby@3.1.2", "http://h/?%g", "query", "%g"),
        # Number("0x0x1f") is NaN; asked of urijs 1.19.11
        ("urijs", "http://h:0x0x1f/", "port", REFUSED),
        ("urijs", "http://h:0o0o7/", "port", REFUSED),
        ("urijs", "http://h:0b0b1/", "port", REFUSED),
        ("urijs", "http://h:0x0b1/", "port", "0x0b1"),
        # parse_userinfo: ":@" leaves no user name, and the host may be empty; asked of url-py 2026.5.1
        ("url-py", "foo://:@//h\t", "path", "//h"),
        ("url-py", "foo://:@?q", "query", "q"),
        ("url-py", "foo://@/", "path", REFUSED),
        ("pydantic", "foo://:@/../a", "path", "/a"),
        # MAX_RECURSION_COUNT of netwerk/base/nsNetUtil.cpp
        ("firefox", "view-source:" * 49 + "http://h/", "scheme", "view-source"),
        ("firefox", "view-source:" * 50 + "http://h/", "scheme", REFUSED),
    ],
)
def test_reads_as_the_live_program(reader, text, component, answer):
    view = compare_readers(text, readers=[reader]).views[reader]
    assert (REFUSED if view.refusal is not None else view[component]) == answer
