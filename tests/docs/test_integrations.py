"""docs/integrations.md: each recipe works, where its library is installed (pip install 'urlsm[recipes]')."""

from __future__ import annotations

import asyncio
import pathlib
import re

import pytest
from support.pages import blocks, recipes

import urlsm

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/integrations.md"


def scrapys_recipe() -> str:
    """Return the block that makes Scrapy's fingerprinter, on whichever page it stands."""
    pages = [path.read_text(encoding="utf-8") for path in PAGE.parent.glob("*.md")]
    (found,) = (block for text in pages for block in blocks(text, "py") if "class Fingerprinter" in block)
    return found


RECIPES = {**recipes(PAGE.read_text(encoding="utf-8")), "scrapy": scrapys_recipe()}
OURS = {"sqlite3", "opentelemetry", "logging"}  # they need no library
URL = urlsm.parse("http://ex.com/")


def check_pydantic(found, library):
    made = found["Hook"](link="HTTP://ex.com", target="https://ex.com")
    assert made.link == URL
    for wrong in ("http://ex.com", "https://10.0.0.1/"):
        with pytest.raises(library.ValidationError):
            found["Hook"](link=URL, target=wrong)


def check_fastapi(found, library):
    client = pytest.importorskip("fastapi.testclient", reason="httpx is not installed").TestClient(found["app"])
    assert client.get("/host", params={"link": "http://EX.com"}).json() == "ex.com"
    assert client.get("/host", params={"link": "http://h:x"}).json()["detail"][0]["type"] == "port-invalid"


def check_sqlalchemy(found, library):
    table = library.Table("pages", library.MetaData(), library.Column("link", found["URLType"]))
    engine = library.create_engine("sqlite://")
    with engine.begin() as connection:
        table.create(connection)
        connection.execute(table.insert(), [{"link": "HTTP://ex.com"}, {"link": URL}, {"link": None}])
        assert [row.link for row in connection.execute(table.select())] == [URL, URL, None]
    engine.dispose()


def check_django(found, library):
    from django.conf import settings

    if not settings.configured:
        settings.configure()
    found["validate_url"]("http://ex.com")
    with pytest.raises(found["ValidationError"]):
        found["validate_url"]("http://h:x")
    assert found["go"]("/in", "http://ex.com/")["Location"] == "/in"
    assert found["go"]("//evil.com", "http://ex.com/")["Location"] == "/"


def check_sqlite3(found, library):
    assert found["db"].execute("select link from pages").fetchone() == (URL,)
    found["db"].close()


def check_msgspec(found, library):
    page = found["decode"](b'{"link":"HTTP://ex.com"}')
    assert page.link == URL and found["encode"](page) == b'{"link":"http://ex.com/"}'


def check_cattrs(found, library):
    converter = found["converter"]
    assert converter.structure({"a": "HTTP://ex.com"}, dict[str, urlsm.URL]) == {"a": URL}
    assert converter.unstructure({"a": URL}) == {"a": "http://ex.com/"}


def check_attrs(found, library):
    assert found["Page"]("HTTP://ex.com").link == found["Page"](URL).link == URL


def check_scrapy(found, library):
    """Fingerprints are Scrapy's: its duplicate filter keeps and drops the same requests."""
    from scrapy.http import FormRequest, JsonRequest
    from scrapy.utils.request import RequestFingerprinter

    made = found["Fingerprinter"]()
    theirs = RequestFingerprinter()
    requests = [
        library.Request(url, method=method, body=body, meta=meta)
        for url in (
            "http://ex.com/?b=1&a=2",
            "http://ex.com/?a=2&b=1#f",
            "https://ex.com/q",
            "http://ex.com/\u00e9?q=%7e",
        )
        for method, body in (("GET", ""), ("POST", ""), ("POST", "x"), ("POST", "y"), ("PUT", b"\xff"))
        for meta in ({}, {"verbatim_url": True}, {"depth": 3})
    ]
    requests += [FormRequest("http://ex.com/s", formdata={"page": str(k)}) for k in range(3)]
    requests += [JsonRequest("http://ex.com/s", data={"page": k}) for k in range(3)]
    assert [made.fingerprint(one) for one in requests] == [theirs.fingerprint(one) for one in requests]
    # GraphQL and searches: one URL, many bodies
    assert len({made.fingerprint(one) for one in requests[-6:]}) == 6


def test_scrapys_recipe_is_in_one_place():
    assert "scrapy" not in recipes(PAGE.read_text(encoding="utf-8"))
    pages = [path.read_text(encoding="utf-8") for path in PAGE.parent.glob("*.md")]
    assert sum(len(re.findall(r"^class Fingerprinter\b", text, re.M)) for text in pages) == 1


def check_flask(found, library):
    client = found["app"].test_client()
    assert client.get("/go?to=/in").location == "/in" and client.get("/go?to=//evil.com").location == "/"


def check_starlette(found, library):
    from starlette.requests import Request

    def location(query):
        scope = {"type": "http", "method": "GET", "path": "/go", "query_string": query, "headers": [(b"host", b"h")]}
        return asyncio.run(found["go"](Request(scope))).headers["location"]

    assert location(b"to=/in") == "/in" and location(b"to=//evil.com") == "/"


def check_opentelemetry(found, library):
    assert found["attributes"]["url.full"] == "https://REDACTED:REDACTED@ex.com/a?sig=REDACTED"


def check_logging(found, library):
    assert found["handler"].filters


@pytest.mark.filterwarnings("ignore")  # the libraries have warnings of their own
@pytest.mark.parametrize("name", RECIPES)
def test_recipe(name):
    module = {"attrs": "attr"}.get(name, name)
    library = None if name in OURS else pytest.importorskip(module, reason=f"{name} is not installed")
    found: dict = {"__name__": "recipes"}
    exec(compile(RECIPES[name], f"integrations.md, {name}", "exec", dont_inherit=True), found)
    globals()[f"check_{name}"](found, library)


def test_recipes_are_short_and_all_are_in_the_extra():
    for name, code in RECIPES.items():
        assert len([line for line in code.splitlines() if line.strip()]) <= 10, name
    project = (PAGE.parents[1] / "pyproject.toml").read_text(encoding="utf-8")
    extra = re.search(r"^recipes = \[(.*?)\]$", project, re.M | re.S)[1]
    assert {re.match(r"[a-zA-Z0-9]+", text)[0] for text in re.findall('"(.*?)"', extra)} >= RECIPES.keys() - OURS
