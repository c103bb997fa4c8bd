"""urlsm.logging: no password of a URL in what a handler writes, whatever the record holds."""

from __future__ import annotations

import io
import logging

import pytest

import urlsm
from urlsm.logging import MaskURLs

URL = urlsm.parse("http://u:hunter2@h/")


@pytest.fixture
def written():
    """A function that logs by a logger with the filter, and gives what the handler wrote."""

    def written(message, *args, secrets=(), exc_info=None):
        stream = io.StringIO()
        handler = logging.StreamHandler(stream)
        handler.addFilter(MaskURLs(secrets=secrets))
        logger = logging.Logger("test")
        logger.addHandler(handler)
        logger.warning(message, *args, exc_info=exc_info)
        return stream.getvalue()

    return written


class Client:
    def __repr__(self) -> str:
        return "<Client of http://u:hunter2@h/>"


@pytest.mark.parametrize(
    ("message", "args", "shown"),
    [
        ("got http://u:hunter2@h/x twice", (), "got http://u:***@h/x twice"),
        ("got %s", ("http://u:hunter2@h/",), "got http://u:***@h/"),
        ("got %s of %d", (URL, 3), "got http://u:***@h/ of 3"),
        (URL, (), "http://u:***@h/"),
        ("%r", (URL,), "URL('http://u:***@h/')"),
        ("%s", ([str(URL)],), "['http://u:***@h/']"),
        ("%s", (ValueError(str(URL)),), "http://u:***@h/"),
        ("%s", (Client(),), "<Client of http://u:***@h/>"),
        ("%(to)s", ({"to": str(URL)},), "http://u:***@h/"),
        ("http://u:hunter2@%s/", ("h",), "http://u:***@h/"),
        ("calling sip:alice:hunter2@h now", (), "calling sip:alice:***@h now"),
        ("in a browser, https:u:hunter2@h", (), "in a browser, https:u:***@h"),
        (r"and http:\\u:hunter2@h too", (), r"and http:\\u:***@h too"),
        ("postgresql://h/?sslpassword=hunter2&x=1", (), "postgresql://h/?sslpassword=***&x=1"),
        ("(ftp://u:hunter2@h/), 'ftp://u:hunter2@i/'", (), "(ftp://u:***@h/), 'ftp://u:***@i/'"),
        ("at 10:30 me@example.org; %s", ("a:b",), "at 10:30 me@example.org; a:b"),
        ("nothing here", (), "nothing here"),
    ],
)
def test_passwords_are_masked_and_the_rest_stays(written, message, args, shown):
    assert written(message, *args) == shown + "\n"


def test_secret_parameters_are_masked(written):
    assert written("GET %s", "/x?Token=abc&q=1", secrets=["token"]) == "GET /x?Token=***&q=1\n"
    assert written("GET %s", "/x?Token=abc&q=1", secrets="token") == "GET /x?Token=***&q=1\n"
    assert written("GET %s", "/x?Token=abc&q=1") == "GET /x?Token=abc&q=1\n"


def test_the_text_of_an_exception_is_masked(written):
    try:
        raise ValueError(f"no answer from {URL}")
    except ValueError:
        said = written("failed", exc_info=True)
    assert "http://u:***@h/" in said and "hunter2" not in said and "Traceback" in said


def test_a_template_and_its_arguments_stay_apart_where_they_can():
    record = logging.LogRecord("x", logging.INFO, "f", 1, "got %s in %d", (str(URL), 2), None)
    assert MaskURLs().filter(record) and (record.msg, record.args) == ("got %s in %d", ("http://u:***@h/", 2))
    plain = logging.LogRecord("x", logging.INFO, "f", 1, "got %s", ("x",), None)
    before = dict(vars(plain))
    assert MaskURLs().filter(plain) and vars(plain) == before


def test_a_record_that_cannot_be_formatted_is_left_to_the_handler():
    record = logging.LogRecord("x", logging.INFO, "f", 1, "%d", (str(URL),), None)
    assert MaskURLs().filter(record) and record.args == ("http://u:***@h/",)


def test_a_name_says_which_records_are_masked():
    record = logging.LogRecord("other", logging.INFO, "f", 1, str(URL), (), None)
    assert MaskURLs("app").filter(record) and record.msg == str(URL)
