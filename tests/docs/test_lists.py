"""docs/pattern-recipes.md: each recipe works, where its library is installed."""

from __future__ import annotations

import pathlib
import re
import warnings

import pytest

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/pattern-recipes.md"
SECTIONS = re.split(r"^## ", PAGE.read_text(encoding="utf-8"), flags=re.M)[1:]
RECIPES = {text.partition("\n")[0]: re.findall(r"^```py\n(.*?)^```$", text, re.M | re.S) for text in SECTIONS}


def recipe(name: str) -> dict:
    found: dict = {}
    (source,) = RECIPES[name]
    exec(compile(source, name, "exec"), found)
    return found


def test_scrapy(tmp_path: pathlib.Path):
    scrapy = pytest.importorskip("scrapy")
    path = tmp_path / "scope.txt"
    path.write_text("example.com\n# theirs\n=example.org\n")
    found = recipe("Scrapy crawl scope")
    crawler = type("Crawler", (), {"settings": {"SCOPE": str(path)}})
    scope = found["Scope"].from_crawler(crawler)
    assert scope.process_request(scrapy.Request("https://a.example.com/x")) is None
    with pytest.raises(found["IgnoreRequest"], match="differs in the host"):
        scope.process_request(scrapy.Request("https://a.example.org/"))


def test_starlette():
    pytest.importorskip("starlette")
    pytest.importorskip("httpx")  # which the client needs
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it would rather have httpx2
        from starlette.testclient import TestClient
    ask = TestClient(recipe("Starlette: CORS and OAuth")["app"], follow_redirects=False).get
    for origin, allowed in (
        ("https://app.example", True),
        ("https://a.preview.example", True),
        ("https://preview.example", False),
        ("https://app.example.evil.example", False),
        ("null", False),
    ):
        answer = ask("/authorize", headers={"Origin": origin})
        assert (answer.headers.get("access-control-allow-origin") == origin) is allowed, origin
    for uri, status in (
        ("https://app.example/cb", 307),
        ("http://127.0.0.1:49152/cb", 307),
        ("https://app.example/cb/../steal", 400),
        ("https://app.example/cb2", 400),
        ("http://localhost:80@evil.example/cb", 400),
    ):
        assert ask("/authorize", params={"redirect_uri": uri}).status_code == status, uri


def test_django():
    pytest.importorskip("django")
    from django.conf import settings

    if not settings.configured:
        settings.configure()
    settings.ALLOWED_HOSTS = ["*"]
    from django.http import HttpResponse
    from django.test import RequestFactory

    found = recipe("Django: CORS and login redirect")
    middleware = found["cors"](lambda request: HttpResponse("x"))
    make = RequestFactory()
    answer = middleware(make.get("/", headers={"Origin": "https://a.preview.example"}))
    assert (answer["Access-Control-Allow-Origin"], answer["Vary"]) == ("https://a.preview.example", "Origin")
    assert "Access-Control-Allow-Origin" not in middleware(make.get("/", headers={"Origin": "https://evil.example"}))
    for target, where in (
        ("/x", "/x"),
        ("https://app.example/x", "https://app.example/x"),
        ("https://evil.example/", "/"),
        ("//evil.example", "/"),
        ("https://app.example@evil.example/", "/"),
    ):
        assert found["next_url"](make.get("/", {"next": target})) == where, target


def test_an_agent():
    open_page = recipe("Agent tool")["open_page"]
    pages = {
        "https://docs.example.com/a": (200, None, "text"),
        "https://docs.example.com/b": (302, "a", ""),
        "https://docs.example.com/c": (302, "https://evil.example/", ""),
        "https://docs.example.com/d": (302, "d", ""),
    }
    assert open_page("https://docs.example.com/a", pages.get) == "text"
    assert open_page("https://docs.example.com/b", pages.get) == "text"
    assert "differs in the host" in open_page("https://docs.example.com/c", pages.get)
    assert open_page("https://docs.example.com/d", pages.get) == "too many redirects"
    assert "not allowed" in open_page("https://docs.example.com.evil.example/a", pages.get)
    assert "not allowed" in open_page("https://docs.example.com/..%2f..%2fsteal", pages.get)
