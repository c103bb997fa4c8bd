"""urlsm.logging: the output of a handler holds no password of a URL, for any record."""

from __future__ import annotations

import io
import logging
import traceback

import pytest

import urlsm
from urlsm.logging import MaskURLs

URL = urlsm.parse("http://u:hunter2@h/")


@pytest.fixture
def written():
    """Return a function that logs by a logger with the filter, and returns the handler's output."""

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
        ("http://u:hunt/er2@h/ is refused", (), "http://u:***@h/ is refused"),
        ("to postgres://u:hunt#er2@h/db", (), "to postgres://u:***@h/db"),
        ("see //u:hunter2@h/ now", (), "see //u:***@h/ now"),
        ("git push https://ghp_hunter2@github.com/a", (), "git push https://***@github.com/a"),
        ("jdbc:oracle:thin:scott/hunter2@h:1521:o", (), "jdbc:oracle:thin:scott/***@h:1521:o"),
        ("?user[password]=hunter2 and pass%77ord=hunter2", (), "?user[password]=*** and pass%77ord=***"),
    ],
)
def test_passwords_are_masked_and_the_rest_stays(written, message, args, shown):
    assert written(message, *args) == shown + "\n"


def test_secret_parameters_are_masked(written):
    assert written("GET %s", "/x?Name=abc&q=1", secrets=["name"]) == "GET /x?Name=***&q=1\n"
    with pytest.raises(TypeError, match="secrets must be an iterable of str, not str"):
        MaskURLs(secrets="name")
    assert written("GET %s", "/x?Name=abc&q=1") == "GET /x?Name=abc&q=1\n"


def test_repr_says_what_is_masked():
    assert repr(MaskURLs()) == "MaskURLs()"
    assert repr(MaskURLs(name="app", secrets=["SID", "!sig"], replace=True)) == (
        "MaskURLs(name='app', secrets=['!sig', 'sid'], replace=True)"
    )


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
    assert MaskURLs(name="app").filter(record) and record.msg == str(URL)


def fields_of(**extra):
    record = logging.LogRecord("x", logging.INFO, "f", 1, "said", (), None)
    vars(record).update(extra)
    assert MaskURLs().filter(record)
    return {name: vars(record)[name] for name in extra}


def test_the_fields_of_extra_are_masked():
    plain, untouched = {"a": [1, "http://h/"]}, urlsm.parse("http://h/")
    found = fields_of(
        link=URL, text=f"to {URL}", within={"to": [str(URL), 1], "password": "x"}, pair=(str(URL), 2), plain=plain,
        untouched=untouched, api_password="x",
    )  # fmt: skip
    assert found["link"] == "http://u:***@h/" and found["text"] == "to http://u:***@h/" and found["pair"][1] == 2
    assert found["within"] == {"to": ["http://u:***@h/", 1], "password": "***"} and found["api_password"] == "***"
    assert found["plain"] is plain and found["untouched"] is untouched
    record = logging.LogRecord("x", logging.INFO, "f", 1, "said", (), None, sinfo=f"Stack: {URL}")
    assert MaskURLs().filter(record) and record.stack_info == "Stack: http://u:***@h/"


class Refused(KeyError):
    """An exception of a program, with its own __str__."""

    def __init__(self, url):
        super().__init__(url)
        self.url = url

    def __str__(self):
        return f"refused: {self.url}"


def raised():
    try:
        try:
            raise OSError(2, f"no file {URL}")
        except OSError as cause:
            raise Refused(URL) from cause
    except Refused as error:
        return error


def test_a_formatter_that_formats_exceptions_itself_gets_masked_texts():
    error = raised()
    record = logging.LogRecord("x", logging.ERROR, "f", 1, "failed", (), (type(error), error, error.__traceback__))
    MaskURLs().filter(record)
    kind, shown, trace = record.exc_info
    assert kind.__name__ == "Refused" and kind.__module__ == __name__ and issubclass(kind, KeyError)
    assert str(shown) == "refused: http://u:***@h/" and trace is error.__traceback__ is shown.__traceback__
    said = "".join(traceback.format_exception(kind, shown, trace))
    assert "hunter2" not in said and f"{__name__}.Refused: refused: http://u:***@h/" in said
    assert (
        "FileNotFoundError: [Errno 2] no file http://u:***@h/" in said
        and "direct cause" in said
        and "in raised" in said
    )
    assert error.args == (URL,) and str(error.__cause__) == f"[Errno 2] no file {URL}"  # the program's own


def test_exceptions_without_secrets_and_odd_ones():
    plain = ValueError("x")
    info = (ValueError, plain, None)
    record = logging.LogRecord("x", logging.ERROR, "f", 1, "failed", (), info)
    assert MaskURLs().filter(record) and record.exc_info is info
    record = logging.LogRecord("x", logging.ERROR, "f", 1, "failed", (), (None, None, None))
    assert MaskURLs().filter(record)
    loop = ValueError(str(URL))
    loop.__cause__ = loop.__context__ = loop
    if hasattr(loop, "add_note"):
        loop.add_note(f"asked {URL}")
        loop = ExceptionGroup(f"of {URL}", [loop, OSError(str(URL))])  # noqa: F821
    record = logging.LogRecord("x", logging.ERROR, "f", 1, "failed", (), (type(loop), loop, None))
    assert MaskURLs().filter(record)
    said = "".join(traceback.format_exception(*record.exc_info))
    assert "hunter2" not in said and said.count("***") >= 1 and "hunter2" in str(loop)


def test_a_word_by_position_is_no_secret():
    """logging.Filter's first argument is the name of a logger, and a filter for another logger masks nothing."""
    with pytest.raises(TypeError):
        MaskURLs("sid")
