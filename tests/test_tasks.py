"""Twenty tasks and thirty hand-overs, as a newcomer would try them: each works as written
here, or stands in docs/integrations.md, which tests/docs/test_integrations.py runs."""

from __future__ import annotations

import contextlib
import copy
import io
import json
import logging
import pathlib
import pickle
import re
import sqlite3
import urllib.parse

import pytest

import urlsm
from urlsm import parse

U = parse("https://me:hunter2@shop.example.co.uk:8443/a/b.html?id=4&utm_source=t&x=%20+%2f#top")


def task_parse_join_and_compare():
    assert parse("HTTP://Ex.com:80/a/../b") == parse("http://ex.com/b") and U.join("/c").path == "/c"
    assert min(parse("http://b"), parse("http://a")).host == "a"
    assert len({parse("http://a"), parse("http://A")}) == 1


def task_read_an_error():
    with pytest.raises(urlsm.ParseError, match="port-invalid") as caught:
        parse("http://me:hunter2@h:x/")
    assert "hunter2" not in str(caught.value) and pickle.loads(pickle.dumps(caught.value)).position == 20


def task_forget_the_scheme():
    with pytest.raises(urlsm.ParseError, match=r"Did you mean https://example\.com/x\?"):
        parse("example.com/x")


def task_change_one_parameter():
    assert U.update_query(id="5").query == "id=5&utm_source=t&x=%20+%2f"


def task_strip_trackers():
    assert U.without_query_params("utm_*").query == "id=4&x=%20+%2f"


def task_canonicalise():
    assert urlsm.crawler.canonicalize("http://h/?b=1&a=2#x") == urlsm.crawler.canonicalize("HTTP://H:80?a=2&b=1")


def task_registrable_domain():
    pytest.importorskip("publicsuffixlist", reason="the extra suffixes is not installed")
    assert urlsm.domains.registrable_domain(U) == "example.co.uk"


def task_count_hosts():
    lines = ["http://a/", "nonsense", "http://a/x", "http://b"]
    assert [url.host for line in lines if (url := urlsm.try_parse(line))] == ["a", "a", "b"]


def task_walk_the_path():
    assert (U.name, U.suffix, U.parent.path, (U.parent / "c d").path) == ("b.html", ".html", "/a", "/a/c%20d")


def task_send_a_request():
    assert (U.host, U.effective_port, U.request_target) == ("shop.example.co.uk", 8443, U.path + "?" + U.query)
    assert parse("https://h").effective_port == 443


def task_log_it():
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.addFilter(urlsm.logging.MaskURLs())
    logger = logging.Logger("x")
    logger.addHandler(handler)
    logger.warning("got %s", U)
    assert "hunter2" not in stream.getvalue() + repr(U) + f"{U:masked}" and "***" in stream.getvalue()


def task_format_it():
    assert f"{parse('http://h'):>12}|" == "   http://h/|"


def task_match_it():
    match U:
        case urlsm.URL(scheme="https", host=host):
            assert host == U.host
        case _:
            pytest.fail("no match")


def task_guess_a_name():
    with pytest.raises(AttributeError, match=r"Did you mean replace\(host=\.\.\.\)"):
        U.with_host("x")
    with pytest.raises(AttributeError) as caught:
        _ = urlsm.prase
    assert caught.value.name == "prase"


def task_open_a_file_url():
    handler = urlsm.handler("file")
    assert handler.to_path(handler.from_path("/a b", windows=False), windows=False) == "/a b"
    assert pathlib.PurePosixPath(handler.to_path("file:///a", windows=False)).name == "a"


def task_pickle_and_copy():
    assert pickle.loads(pickle.dumps(U)) == copy.deepcopy(U) == copy.copy(U) == U


def task_own_a_scheme():
    from urlsm.testing import check_handler

    check_handler(urlsm.handler("s3"), linear=False)
    with pytest.raises(TypeError, match="Did you mean default_port"):
        type("Book", (urlsm.schemes.Scheme,), {"defalt_port": 5})


def task_look_at_it():
    assert "hunter2" not in U._repr_html_() and "host state" in U._repr_html_()


def task_judge_a_redirect():
    assert urlsm.security.is_safe_redirect("/x", base=U) and not urlsm.security.is_safe_redirect(
        "//evil.example", base=U
    )


def task_use_the_shell(capsys):
    from urlsm.cli.app import main

    assert main(["parse", "--get", "{host} {query:id}", str(U)]) == 0
    assert capsys.readouterr().out == "shop.example.co.uk 4\n"


TASKS = {name[5:]: task for name, task in list(globals().items()) if name.startswith("task_")}


@pytest.mark.parametrize("name", TASKS)
def test_task(name, capsys):
    TASKS[name](*([capsys] if name == "use_the_shell" else []))


# --- hand-overs: to us, and from us ---

GIVEN = {
    "urllib SplitResult": lambda: urllib.parse.urlsplit(str(U)),
    "urllib ParseResult": lambda: urllib.parse.urlparse(str(U)),
    "urllib SplitResultBytes": lambda: urllib.parse.urlsplit(str(U).encode()),
    "whatwg.URL": lambda: urlsm.whatwg.URL(str(U)),
    "bytes": lambda: str(U).encode(),
    "yarl": lambda: pytest.importorskip("yarl", reason="yarl is not installed").URL(str(U), encoded=True),
    "httpx": lambda: pytest.importorskip("httpx", reason="httpx is not installed").URL(str(U)),
    "AnyUrl": lambda: pytest.importorskip("pydantic", reason="pydantic is not installed").AnyUrl(str(U)),
    "HttpUrl": lambda: pytest.importorskip("pydantic", reason="pydantic is not installed").HttpUrl(str(U)),
}


def _of_sqlite(value: object) -> object:
    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        return connection.execute("select ?", (value,)).fetchone()


TAKEN = {  # those that take a URL as it is
    "str": lambda: str(U) == U.href,
    "json by default=str": lambda: json.loads(json.dumps([U], default=str)) == [str(U)],
    "sqlite3": lambda: _of_sqlite(U) == (str(U),),
    "urlsm.stdlib.urljoin": lambda: urlsm.stdlib.urljoin(U, "/x").endswith(":8443/x"),
    "urlsm.stdlib.urlsplit": lambda: urlsm.stdlib.urlsplit(U) == urllib.parse.urlsplit(str(U)),
    "opentelemetry": lambda: "hunter2" not in str(U.otel_attributes()),
    "rich": lambda: list(U.__rich_repr__()) == [U.masked()],
}
BY_RECIPE = (
    *("pydantic", "fastapi", "sqlalchemy", "django", "msgspec", "cattrs", "attrs", "orjson", "httpx", "aiohttp"),
    *("scrapy", "urllib3", "requests", "flask", "starlette"),
)


@pytest.mark.parametrize("name", GIVEN)
def test_a_url_of_theirs_is_taken(name):
    assert parse(GIVEN[name]()) == U


@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.parametrize("name", TAKEN)
def test_a_url_of_ours_is_taken(name):
    assert TAKEN[name]()


def test_the_others_stand_on_the_page():
    page = (pathlib.Path(__file__).resolve().parents[1] / "docs/integrations.md").read_text(encoding="utf-8")
    page = page.lower()
    assert all(f"\n## {name}\n" in page or re.search(f"\n\\| .*`{name}\\b", page) for name in BY_RECIPE)
    assert len(GIVEN) + len(TAKEN) + len(BY_RECIPE) >= 30 and len(TASKS) == 20
