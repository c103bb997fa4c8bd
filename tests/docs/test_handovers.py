"""docs/integrations.md: each library of its two tables takes a URL as the page says, where it is installed."""

from __future__ import annotations

import copy
import io
import json
import logging
import pathlib
import pickle
import re
import sqlite3
import urllib.parse
import urllib.request
from contextlib import closing

import pytest

import urlsm

PAGE = (pathlib.Path(__file__).resolve().parents[2] / "docs/integrations.md").read_text(encoding="utf-8")
U = urlsm.parse("https://me:hunter2@ex.com:8443/a%2Fb?x=%20")
TEXT = U.href


def library(name):
    return pytest.importorskip(name, reason=f"{name} is not installed")


def as_str():
    return str(U) == f"{U}" == format(U) == TEXT and "hunter2" not in f"{U:masked}"


def as_json():
    return json.loads(json.dumps({"a": U}, default=str)) == {"a": TEXT}


def as_sqlite3():
    with closing(sqlite3.connect(":memory:")) as connection:
        return connection.execute("select ?", (U,)).fetchone() == (TEXT,)


def as_urlsm():
    return urlsm.stdlib.urlsplit(U).geturl() == urlsm.whatwg.URL(U).href == TEXT == urlsm.resolve(U, base=U)


def as_pickle():
    return pickle.loads(pickle.dumps(U)) == copy.deepcopy(U) == U


def as_pydantic():
    pydantic = library("pydantic")
    made = pydantic.create_model("Page", link=(urlsm.URL, ...))(link=U)
    return made.link == U and json.loads(made.model_dump_json()) == {"link": TEXT}


def as_fastapi():
    return library("fastapi.encoders").jsonable_encoder({"to": U, "all": [U]}) == {"to": TEXT, "all": [TEXT]}


def as_requests():
    return library("requests").Request("GET", urlsm.parse("http://ex.com/a")).prepare().url == "http://ex.com/a"


def as_urllib_request():
    return urllib.request.Request(U).full_url == TEXT


def as_flask():
    return library("flask").redirect(U).location == TEXT


def as_starlette():
    return library("starlette.responses").RedirectResponse(U).headers["location"] == TEXT


def as_jinja2():
    template = library("jinja2").Environment(autoescape=True).from_string('<a href="{{ url }}">')
    return template.render(url=urlsm.parse("http://h/?a=1&b=")) == '<a href="http://h/?a=1&amp;b=">'


def as_click():
    click, testing = library("click"), library("click.testing")
    command = click.Command(
        "go", params=[click.Argument(["url"], type=urlsm.parse)], callback=lambda url: click.echo(url)
    )
    done = testing.CliRunner().invoke(command, ["HTTP://u:hunter2@Ex.com:80/"])
    wrong = testing.CliRunner().invoke(command, ["http://u:hunter2@ex.com:x/"])
    assert wrong.exit_code == 2 and "port-invalid" in wrong.output and "hunter2" not in wrong.output
    return done.output == "http://u:hunter2@ex.com/\n"


def as_rich():
    console, table = library("rich.console").Console(file=io.StringIO(), width=20), library("rich.table").Table("url")
    table.add_row(U)
    console.print(table, U, [U])
    shown = re.sub(r"[^!-~]", "", console.file.getvalue())
    return "hunter2" not in shown and U.masked() in shown


def as_pandas():
    pandas, _ = library("pandas"), library("urlsm.engines.pandas")
    series = pandas.Series([U, None, "http://h:x", urlsm.parse("http://B/")], index=[4, 5, 6, 7])
    assert list(series.url.can_parse()) == [True, None, False, True] and series.url.parse()["path"][4] == "/a%2Fb"
    host = series.url.host()
    return host[7] == "b" and pandas.isna(host[5]) and list(host.index) == [4, 5, 6, 7]


def as_logging():
    record = logging.LogRecord("x", 10, "", 0, "%s", (U,), None)
    return record.getMessage() == TEXT and "hunter2" not in urlsm.logging.MaskURLs().masked(TEXT)


AS_IT_IS = {
    "str": as_str,
    "json.dumps": as_json,
    "sqlite3": as_sqlite3,
    "urlsm.stdlib": as_urlsm,
    "pickle": as_pickle,
    "pydantic": as_pydantic,
    "fastapi": as_fastapi,
    "requests": as_requests,
    "urllib.request": as_urllib_request,
    "flask": as_flask,
    "starlette": as_starlette,
    "jinja2": as_jinja2,
    "click": as_click,
    "rich": as_rich,
    "pandas": as_pandas,
    "logging": as_logging,
}


def in_database(url):
    sqlalchemy = library("sqlalchemy")
    with sqlalchemy.create_engine("sqlite://").connect() as connection:
        return connection.scalar(sqlalchemy.text("select :a"), {"a": url}) == TEXT


def redirected_by_django(url):
    library("django")
    from django.conf import settings
    from django.http import HttpResponseRedirect
    from django.shortcuts import redirect

    if not settings.configured:
        settings.configure()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(settings, "ROOT_URLCONF", (), raising=False)
        return redirect(url)["Location"] == HttpResponseRedirect(url)["Location"] == TEXT


def in_duckdb(url):
    duckdb = library("duckdb")
    try:
        return duckdb.execute("select ?", [url]).fetchone() == (TEXT,)
    except duckdb.Error as error:
        raise TypeError from error


BY_TEXT = {
    "httpx": lambda url: str(library("httpx").URL(url)) == TEXT,
    "aiohttp": lambda url: str(library("yarl").URL(url, encoded=True)) == TEXT,
    "urllib3": lambda url: library("urllib3.util").parse_url(url).port == 8443,
    "urllib.parse": lambda url: urllib.parse.urlsplit(url).port == 8443,
    "scrapy": lambda url: library("scrapy").Request(url).url == TEXT,
    "django": redirected_by_django,
    "duckdb": in_duckdb,
    "sqlalchemy": in_database,
    "msgspec": lambda url: library("msgspec").json.encode(url) == json.dumps(TEXT).encode(),
    "pyarrow": lambda url: library("pyarrow").array([url]).to_pylist() == [TEXT],
}


def names_in(part):
    """The first name of each row of a table."""
    return re.findall(r"^\| `([\w.]+)", PAGE.split(part)[1].split("\n## ")[0], re.MULTILINE)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", AS_IT_IS)
def test_who_takes_a_url_as_it_is(name):
    assert AS_IT_IS[name]()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", BY_TEXT)
def test_who_needs_its_text(name):
    assert BY_TEXT[name](str(U))
    if name != "sqlalchemy":  # its driver decides; that of sqlite takes one
        with pytest.raises((TypeError, ValueError, AttributeError)):
            BY_TEXT[name](U)


def test_the_page_lists_what_is_asked_here():
    assert [*AS_IT_IS] == names_in("## Libraries that accept a URL") and [*BY_TEXT] == names_in(
        "## Libraries that need a string"
    )
