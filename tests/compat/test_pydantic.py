"""URL as a field of pydantic, and as a parameter of FastAPI."""

from __future__ import annotations

import subprocess
import sys
from typing import Annotated, Optional

import pytest

import urlsm
from urlsm import URL
from urlsm.security.public import has_public_host

pydantic = pytest.importorskip("pydantic", minversion="2", reason="pydantic 2 is not installed")
constraints = pytest.importorskip("urlsm.compat.pydantic").URLConstraints


class Page(pydantic.BaseModel):
    link: URL
    other: Optional[URL] = None  # noqa: UP045


def errors(kind, value):
    with pytest.raises(pydantic.ValidationError) as caught:
        pydantic.TypeAdapter(kind).validate_python(value)
    return [(error["type"], error.get("ctx", {}).get("position")) for error in caught.value.errors()]


def test_a_field_is_parsed_kept_and_written():
    page = Page(link="HTTP://Example.org:80/a/../b", other=None)
    assert page.link == urlsm.parse("http://example.org/b") and type(page.link) is URL
    assert page.model_dump() == {"link": page.link, "other": None} and page.model_copy() == page
    assert page.model_dump(mode="json") == {"link": "http://example.org/b", "other": None}
    assert page.model_dump_json() == '{"link":"http://example.org/b","other":null}'
    assert Page.model_validate_json(page.model_dump_json()) == page
    assert Page(link=page.link).link is not None and Page(link=pydantic.AnyUrl("http://h/")).link.host == "h"
    assert pydantic.TypeAdapter(dict[URL, list[URL]]).validate_python({"http://h": ["http://i"]})


def test_an_error_has_our_code_and_position():
    assert errors(Page, {"link": "http://h:x/"}) == [("port-invalid", 9)]
    assert errors(Page, {"link": "/x"}) == [("missing-scheme-non-relative-URL", 0)]
    assert errors(Page, {"link": 5}) == [("url_type", None)]
    with pytest.raises(
        pydantic.ValidationError, match="the port contains a character that is not a digit, in the port"
    ):
        Page(link="http://h:x/")


@pytest.mark.parametrize("mode", ["validation", "serialization"])
def test_the_json_schema_says_uri(mode):
    found = Page.model_json_schema(mode=mode)["properties"]["link"]
    assert found == {"type": "string", "format": "uri", "minLength": 1, "title": "Link"}
    limited = pydantic.TypeAdapter(Annotated[URL, constraints(max_length=9)]).json_schema()
    assert limited == {"type": "string", "format": "uri", "minLength": 1, "maxLength": 9}


@pytest.mark.parametrize(
    ("limits", "good", "bad", "code"),
    [
        ({"max_length": 9}, "http://h", "http://hi", "url_too_long"),
        ({"allowed_schemes": ("https", "ftp")}, "HTTPS://h", "http://h", "url_scheme"),
        ({"host_required": True}, "foo://h", "foo:h", "url_host_missing"),
        ({"host_required": True}, "http://h", "file:///x", "url_host_missing"),
        ({"public_host": True}, "https://example.org", "http://127.1", "url_host_not_public"),
    ],
)
def test_constraints(limits, good, bad, code):
    kind = Annotated[URL, constraints(**limits)]
    assert pydantic.TypeAdapter(kind).validate_python(good) == urlsm.parse(good)
    assert errors(kind, bad) == [(code, None)]
    assert pydantic.TypeAdapter(Annotated[Optional[URL], constraints(**limits)]).validate_python(None) is None  # noqa: UP045


def test_a_field_in_canonical_form():
    kind = Annotated[URL, constraints(profile="urlsm-1", max_length=20)]
    found = pydantic.TypeAdapter(kind).validate_python("http://h/?b=2&a=1#" + "x" * 20)
    assert found.href == "http://h/?a=1&b=2" and type(found) is URL
    assert errors(Annotated[URL, constraints(profile="surt")], "http://h/") == [("url_not_canonical", None)]
    assert errors(Annotated[URL, constraints(profile="commoncrawl")], "tel:1a") == [("url_not_canonical", None)]
    with pytest.raises(ValueError, match="unknown profile 'nope'"):
        constraints(profile="nope")


def test_schemes_are_a_collection():
    with pytest.raises(TypeError, match="collection of str, not str"):
        constraints(allowed_schemes="https")


@pytest.mark.parametrize(
    ("host", "public"),
    [
        ("example.org", True),
        ("example.org.", True),
        ("8.8.8.8", True),
        ("[2606:4700:4700::1111]", True),
        ("xn--bcher-kva.de", True),
        ("localhost", False),
        ("a.localhost", False),
        ("intranet", False),
        ("printer.local", False),
        ("db.internal", False),
        ("x.home.arpa", False),
        ("metadata.google.internal.", False),
        ("127.0.0.1", False),
        ("0x7f.1", False),
        ("2130706433", False),
        ("10.1.2.3", False),
        ("169.254.169.254", False),
        ("[::1]", False),
        ("[::ffff:10.0.0.1]", False),
        ("[64:ff9b::7f00:1]", False),
        ("[fd00::1]", False),
        ("0.0.0.0", False),
    ],
)
def test_what_is_a_public_host(host, public):
    assert has_public_host(urlsm.parse(f"http://{host}/")) is public
    assert has_public_host(urlsm.parse(f"foo://{host}/")) is public


def test_a_url_without_host_has_no_public_one():
    assert not has_public_host(urlsm.parse("mailto:a@example.org")) and not has_public_host(urlsm.parse("file:///x"))


def test_a_route_of_fastapi_answers_with_our_code():
    fastapi = pytest.importorskip("fastapi", reason="fastapi is not installed")
    testclient = pytest.importorskip("fastapi.testclient", reason="fastapi's test client is not installed")
    app = fastapi.FastAPI()

    def route(link: URL) -> dict[str, str]:
        return {"host": link.host or ""}

    route.__annotations__["link"] = URL
    app.get("/")(route)
    client = testclient.TestClient(app)
    assert client.get("/", params={"link": "http://Ex.org"}).json() == {"host": "ex.org"}
    answer = client.get("/", params={"link": "http://h:x"})
    assert answer.status_code == 422
    [detail] = answer.json()["detail"]
    assert (detail["type"], detail["ctx"]["position"], detail["loc"]) == ("port-invalid", 9, ["query", "link"])
    assert app.openapi()["paths"]["/"]["get"]["parameters"][0]["schema"]["format"] == "uri"


def test_pydantic_is_imported_only_when_it_asks():
    code = "import sys, urlsm; urlsm.parse('http://h'); urlsm.compat; print('pydantic' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "False\n"


# --- what pydantic and FastAPI know of their own URLs ---

THEIRS = [
    *((pydantic.Field(max_length=20), text) for text in ("https://ex.com/", "https://ex.com/" + "a" * 20)),
    *(
        (pydantic.UrlConstraints(max_length=20, allowed_schemes=["https", "ws", "x"], host_required=True), text)
        for text in ("https://ex.com/", "https://ex.com/" + "a" * 20, "http://ex.com/", "x:/a", "x://h")
    ),
    (pydantic.UrlConstraints(allowed_schemes=["https"]), "http://ex.com/"),
    (pydantic.UrlConstraints(default_host="h", default_port=5, default_path="/x"), "foo:/"),
    (pydantic.UrlConstraints(default_host="h", default_port=5, default_path="/x"), "https://ex.com:6/y"),
    (pydantic.UrlConstraints(default_host="h"), "mailto:x"),
]


def answer(kind, text):
    """Return the JSON of a field of this type; or its errors, by type, context and (but for ours) message."""
    adapter = pydantic.TypeAdapter(kind)
    try:
        return adapter.dump_json(adapter.validate_python(text)), adapter.json_schema()
    except pydantic.ValidationError as error:
        told = error.errors(include_url=False)
        return [e["type"] if e["type"] == "url_parsing" else (e["type"], e["msg"], e["ctx"]) for e in told]


@pytest.mark.parametrize(("limit", "text"), THEIRS)
def test_their_limits_work_as_on_their_urls(limit, text):
    assert answer(Annotated[URL, limit], text) == answer(Annotated[pydantic.AnyUrl, limit], text)
    assert answer(list[Optional[Annotated[URL, limit]]], [text]) == answer(  # noqa: UP045
        list[Optional[Annotated[pydantic.AnyUrl, limit]]],  # noqa: UP045
        [text],
    )


def test_a_limit_is_that_of_one_field():
    class Two(pydantic.BaseModel):
        short: Annotated[URL, pydantic.UrlConstraints(max_length=9)]
        long: URL
        ours: Annotated[URL, pydantic.UrlConstraints(max_length=30), constraints(allowed_schemes=("https",))]

    text = "https://example.com/"
    assert Two(short="http://h/", long=text, ours=text).long == urlsm.parse(text)
    assert errors(Two, {"short": text, "long": text, "ours": "http://h/"}) == [
        ("url_too_long", None),
        ("url_scheme", None),
    ]
    assert len(urlsm.parse(text)) == len(text)


@pytest.mark.filterwarnings("ignore")
def test_a_route_answers_with_a_url():
    fastapi = pytest.importorskip("fastapi", reason="fastapi is not installed")
    client = pytest.importorskip("fastapi.testclient", reason="httpx is not installed").TestClient
    app, url = fastapi.FastAPI(), urlsm.parse("https://ex.com/")
    app.get("/in")(lambda: {"to": url})
    app.get("/list")(lambda: [url, (url,)])
    app.get("/bare")(lambda: url)

    def limited(link: Annotated[URL, fastapi.Query(max_length=20)]) -> str:
        return str(link)

    limited.__annotations__["link"] = Annotated[URL, fastapi.Query(max_length=20)]  # not as text
    app.get("/limited")(limited)
    get = client(app).get
    assert get("/in").json() == {"to": str(url)} and get("/bare").json() == str(url)
    assert get("/list").json() == [str(url), [str(url)]]
    assert get("/limited", params={"link": "http://h"}).json() == "http://h/"
    refused = get("/limited", params={"link": "http://" + "h" * 20})
    assert (refused.status_code, refused.json()["detail"][0]["type"]) == (422, "too_long")


def test_hide_input_in_errors_hides_the_password():
    class Quiet(pydantic.BaseModel):
        model_config = pydantic.ConfigDict(hide_input_in_errors=True)
        link: URL

    with pytest.raises(pydantic.ValidationError) as caught:
        Quiet(link="http://u:hunter2@h:x/")
    assert "hunter2" not in str(caught.value) and "the port contains" in str(caught.value)
