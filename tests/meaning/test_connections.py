"""Texts that are no URLs to the URL Standard, and that the handlers of databases and brokers read: in parts, columns,
the shell."""

from __future__ import annotations

import json

import pytest

import urlsm
from urlsm.columns import can_parse, host, href, parse
from urlsm.meaning.connections import connection
from urlsm.schemes.built_in import BUILT_IN

pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")

FIELDS = ("scheme", "username", "password", "host", "port", "path", "query", "fragment", "authority", "href")
# text: its fields
TEXTS = {
    # rows of ../shared/reports-4/jobs.json
    "postgresql://u:p@/db?host=/cloudsql/x": (
        *("postgresql", "u", "p", None, None, "/db", "host=/cloudsql/x", None),
        "u:p@",
    ),
    "kafka://a:9092,b:9092": ("kafka", None, None, None, None, "", None, None, "a:9092,b:9092"),
    "mongodb://u:p@h1:1,h2:2/db?w=1": (
        *("mongodb", "u", "p", None, None, "/db", "w=1", None),
        "u:p@h1:1,h2:2",
    ),
    "oracle+cx_oracle://u:p@h:1521/?service_name=x": (
        *("oracle+cx_oracle", "u", "p", "h", 1521, "/", "service_name=x", None),
        "u:p@h:1521",
    ),
    "oracle+oracledb_async://u:p@h/?service_name=x": (
        *("oracle+oracledb_async", "u", "p", "h", None, "/", "service_name=x", None),
        "u:p@h",
    ),
    "vertica+vertica_python://u:p@h/d": ("vertica+vertica_python", "u", "p", "h", None, "/d", None, None, "u:p@h"),
    "ibm_db_sa://u:p@h:50000/d": ("ibm_db_sa", "u", "p", "h", 50000, "/d", None, None, "u:p@h:50000"),
    # beside them
    "nats://a:1,b:2": ("nats", None, None, None, None, "", None, None, "a:1,b:2"),
    "postgresql+psycopg_async://[::1]:5/x#y": None,  # libpq has no fragment
    "mysql+my_sql://u@h:1/d#y": ("mysql+my_sql", "u", None, "h", 1, "/d", None, "y", "u@h:1"),
    "cassandra+x_y://a,[::1]:9/k?x=%C3%A4": (
        "cassandra+x_y",
        None,
        None,
        None,
        None,
        "/k",
        "x=%C3%A4",
        None,
        "a,[::1]:9",
    ),
    "mysql+a_b://:p@h": ("mysql+a_b", None, "p", "h", None, "", None, None, ":p@h"),
    # no connections
    "http://h:x/": None,
    "foo://h:x/": None,
    "foo_bar://u:p@h/d": None,
    "kafka://a b:1,c:2": None,
    "//u:p@/db": None,
    "redis://h:x": None,
    "kafka+" + "a" * 100 + "://a:1,b:2": None,
    "kafka://a:1,b:99999999999999999999": None,
    "": None,
}


@pytest.mark.parametrize("text", TEXTS)
def test_a_column_has_what_the_handler_reads(text):
    wanted = TEXTS[text]
    column = pyarrow.array([text, "http://h/", None])
    row = parse(column, FIELDS).to_pylist()[0]
    if len(text) < 100:  # longer names of schemes are not asked for in columns
        assert (connection(text) is None) is (wanted is None)
    assert row == (dict.fromkeys(FIELDS) if wanted is None else dict(zip(FIELDS, (*wanted, text), strict=True)))
    refusal = parse(column, ("scheme", "can_parse", "error_code", "origin")).to_pylist()[0]
    code = urlsm.errors.ParseError
    with pytest.raises(code) as caught:
        urlsm.parse(text)
    assert refusal["can_parse"] is False and refusal["error_code"] == caught.value.code
    assert refusal["origin"] == (None if wanted is None else "null")
    # functions of URLs alone still say that it is none
    assert [function(column).to_pylist()[0] for function in (host, href, can_parse)] == [None, None, False]


def test_the_parts_are_those_of_the_text():
    texts = [text for text, wanted in TEXTS.items() if wanted is not None]
    fields = ("parts.username", "parts.hosts", "parts.database", "parts.driver")
    for text, row in zip(texts, parse(pyarrow.array(texts), fields).to_pylist(), strict=True):
        parts = urlsm.parts(text)
        for name in ("username", "database", "driver"):
            assert row[f"parts.{name}"] == getattr(parts, name, None), text
        hosts = getattr(parts, "hosts", None)
        assert row["parts.hosts"] == (hosts and json.dumps([dict(one) for one in hosts])), text
        found = connection(text)
        assert found is not None and found.parts == parts


@pytest.mark.parametrize("threads", [1, 4])
@pytest.mark.parametrize("text", ["string", "large_string", "view"])
def test_many_rows_on_threads(threads, text):
    texts = ["kafka://a:1,b:2", "http://h/", None, "oracle+cx_oracle://u:p@h/d", "x", "http://h:x/"] * 500
    found = parse(pyarrow.array(texts), ("scheme", "port", "path"), threads=threads, layout=text).to_pylist()
    schemes = ["kafka", "http", None, "oracle+cx_oracle", None, None] * 500
    assert [row["scheme"] for row in found] == schemes


def test_bytes_that_are_no_utf_8():
    column = pyarrow.array([b"kafka://a:1,b:2/\xff", b"kafka://\xff:1,b:2"], pyarrow.binary())
    assert parse(column, ("scheme",)).to_pylist() == [{"scheme": None}, {"scheme": None}]


def test_which_handlers_take_such_texts():
    """Those with a list of hosts, and those whose names of drivers are SQLAlchemy's."""
    for name in BUILT_IN:
        handler = urlsm.handler(name)
        drives = "driver" in handler.parts_type._fields and handler.authority == "required"
        if hasattr(handler.parts_type, "hosts") or drives:
            assert handler.takes_texts, name


@pytest.mark.parametrize("text", [text for text, wanted in TEXTS.items() if wanted is not None])
def test_the_shell_shows_them(text, run):
    shown = json.loads(run("parse", text))
    assert [shown[name] for name in FIELDS[:8]] == [*TEXTS[text][:8]] and shown["origin"] == "null"
    assert json.loads(run("parse", "--parts", text))["parts"] == json.loads(json.dumps(plain_of(text)))
    assert run("parse", "--get", "{scheme}|{port}", text).strip() == f"{shown['scheme']}|{shown['port'] or ''}"


def test_the_shell_edits_urls_only(run):
    assert "port" in run("parse", "--set", "port=5", "kafka://a:1,b:2", code=1)
    assert run("parse", "--get", "{parts.hosts}", "kafka://a:1,[::1]:2").strip() == "a:1,[::1]:2"


def plain_of(text):
    from urlsm.meaning.questions import plain

    return plain(urlsm.parts(text))


@pytest.fixture
def run(capsys):
    from urlsm.cli.app import main

    def ran(*args, code=0):
        try:
            got = main([*args])
        except SystemExit as ended:
            got = ended.code
        out, err = capsys.readouterr()
        assert (got or 0) == code, err
        return out or err

    return ran
