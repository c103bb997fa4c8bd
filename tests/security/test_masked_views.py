"""What comparisons show: secrets are masked wherever a reader sees them."""

from __future__ import annotations

import copy
import pickle
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from support.generate import any_text

from urlsm.security import audit, compare_readers, readers
from urlsm.security.masked_views import secrets_of, shown
from urlsm.url.masked import without_secrets_of

few = settings(max_examples=max(settings.default.max_examples // 20, 10))
EVERY = [one.name for one in readers()]
MARK = "hunter2"


@pytest.mark.parametrize(
    "text",
    [
        "http://u:hunter2@127.1:8080\\@evil.example:90/a",
        "//u:hunter2@h/",  # to a server, a path
        "https://user/hunter2@host",
        "http://u:hunter2?@h/",
        "http://u:a#hunter2@h/",
        "http://u:a?hunter2@h/",
        "http://u:a/hunter2@h/",
        "http://u:hunter2/b@h/",
        "http:///u:hunter2@h/",
        "http:u:hunter2@h",
        "http://[u:hunter2@h",
        "http://u:h%75nter2@h/",  # which some decode
        "http://u:hun\tter2@h/",  # which some join
        "http://h/?password=hunter2#access_token=hunter2",
        "http://ghp_hunter2hunter2hunter2hunter2hunter2@github.com/",
    ],
)
def test_what_the_url_hides_no_view_shows(text):
    found = compare_readers(text, readers=EVERY)
    assert MARK not in without_secrets_of(text)
    for said in (repr(found), str(found.differences), str([*found.__rich_repr__()]), found._repr_html_()):
        assert MARK not in said and "h%75nter2" not in said
    assert not any(MARK in hazard.message for hazard in audit(text, readers=EVERY))


@few
@given(
    any_text(), some.sampled_from(["//u:{}@", "//{}@", "?token={}", "#access_token={}&", "/x:{}@", ":{}@", "\\\\u:{}@"])
)
def test_what_drawn_urls_hide_no_view_shows(text, inserted):
    at = len(text) // 2
    text = text[:at] + inserted.format(MARK) + text[at:]
    if MARK in without_secrets_of(text).lower():
        return
    found = compare_readers(text, readers=EVERY)
    assert MARK not in f"{found!r}{found.differences}{[*found.__rich_repr__()]}{found._repr_html_()}".lower()


def test_other_values_stay():
    found = compare_readers("http://admin:admin@admin:8080/h?a=b#c", readers=["curl", "go"])
    assert found.agree and "host='admin', port='8080', path='/h', query='a=b', fragment='c'" in repr(found)
    assert "admin:***" in repr(found) and "connects=('admin', '8080')" in repr(found)
    found = compare_readers("http://u:p@h/p/path", readers=["curl", "php"])
    assert [shown(view, "path", secrets_of(found.url)) for view in found.views.values()] == [
        "/p/path"
    ] * 2  # the masked URL shows a "p", too
    view = compare_readers("http://[::1]:99999/@x", readers=["go"]).views["go"]
    assert (shown(view, "host"), shown(view, "port"), shown(view, "path")) == ("::1", "99999", "/@x")
    view = compare_readers("http://h:x/", readers=["urllib.parse"]).views["urllib.parse"]
    assert view.port.startswith("!") and shown(view, "port") == "!"  # the message quotes the text
    assert secrets_of("http://h/") is None and secrets_of("http://a:a@a/") is None


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("http://u:hunter2@h/", "curl"),
        ("http://u:hunter2?@h/", "perl"),
        ("http://u:a#hunter2@h/", "urllib.parse"),
        ("//u:hunter2@h/", "nginx"),  # in the path, where no field of this reading tells that it is a password
    ],
)
def test_a_reading_alone_hides_what_the_url_hides(text, name):
    view = compare_readers(text, readers=[name]).views[name]
    for one in (view, copy.copy(view), pickle.loads(pickle.dumps(view))):
        assert one == view and MARK not in repr(one)


def test_a_reading_that_is_made_of_fields_hides_what_they_tell():
    view = compare_readers("http://u:hunter2@h/a", readers=["curl"]).views["curl"]
    made = type(view)(**dict(view))
    for one in (made, pickle.loads(pickle.dumps(made))):
        assert one == view and MARK not in repr(one) and "path='/a'" in repr(one)


def test_of_many_secrets_nothing_is_shown():
    for secret in (";".join(f"s{k}" for k in range(99)), "s" * 5000):
        pattern = secrets_of(f"http://u:{secret}@h/x")
        assert pattern is not None and re.fullmatch(pattern, "anything")
