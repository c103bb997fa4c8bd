"""URLs of other libraries are taken by every function, and nothing else is: for mypy --strict and pyright."""

import decimal
import pathlib
import urllib.parse
from typing import Annotated

import httpx
import pydantic
import pydantic_core
import starlette.datastructures
import yarl
from fastapi import FastAPI, Query
from starlette.requests import Request
from typing_extensions import assert_type

import urlsm
from urlsm import URL, whatwg
from urlsm.compat.pydantic import URLConstraints

TEXT = "http://ex.com/a"
theirs = yarl.URL(TEXT)

# --- to us -----------------------------------------------------------------------------------------------

for given in (
    urlsm.parse(yarl.URL(TEXT)),
    urlsm.parse(httpx.URL(TEXT)),
    urlsm.parse(starlette.datastructures.URL(TEXT)),
    urlsm.parse(pydantic.AnyUrl(TEXT)),
    urlsm.parse(pydantic.HttpUrl(TEXT)),
    urlsm.parse(pydantic.PostgresDsn("postgres://a,b/c")),
    urlsm.parse(pydantic_core.Url(TEXT)),
    urlsm.parse(pydantic_core.MultiHostUrl(TEXT)),
    urlsm.parse(urllib.parse.urlsplit(TEXT)),
    urlsm.parse(urllib.parse.urlsplit(TEXT.encode())),
    urlsm.parse(urllib.parse.urlparse(TEXT)),
    urlsm.parse(urllib.parse.urlparse(TEXT.encode())),
    urlsm.parse(urllib.parse.urldefrag(TEXT)),
    urlsm.parse(urllib.parse.urldefrag(TEXT.encode())),
    urlsm.parse(whatwg.URL(TEXT)),
    urlsm.parse("b", base=theirs),
    URL(httpx.URL(TEXT), base=theirs),
    URL(TEXT).join(theirs),
):
    assert_type(given, URL)


def judge(request: Request) -> bool:
    return urlsm.security.is_safe_redirect("/x", base=request.url)


assert_type(urlsm.split(urllib.parse.urlsplit(TEXT)), urlsm.Components[str])
assert_type(urlsm.split(urllib.parse.urlsplit(TEXT.encode())), urlsm.Components[bytes])
assert_type(urlsm.resolve(theirs, base=theirs), str)
assert_type(URL(TEXT).relative_to(theirs), str)
assert_type(whatwg.URL(theirs, theirs).href, str)
urlsm.can_parse(theirs)
urlsm.explain(theirs, base=theirs)
urlsm.validate(theirs, base=theirs)
urlsm.normalize(theirs)
urlsm.equivalent(theirs, theirs)
urlsm.parts(theirs)
urlsm.security.audit(theirs)
urlsm.security.compare_readers(theirs)
urlsm.security.is_ambiguous(theirs)
urlsm.security.safe_join(theirs, "x")
urlsm.documents.same_document(theirs, base=theirs)
urlsm.resolve_many([theirs], base=theirs)
urlsm.documents.base_url("", url=theirs)
urlsm.documents.extract_urls("", base=theirs)
urlsm.crawler.canonicalize(theirs, base=theirs)
urlsm.domains.registrable_domain(theirs)
urlsm.domains.same_site(theirs, theirs)
urlsm.crawler.surt(theirs)
urlsm.crawler.fingerprint(theirs)
urlsm.crawler.links([theirs], base=theirs)
urlsm.domains.in_domains(theirs, ["ex.com"])
urlsm.crawler.robots_path(theirs)
urlsm.crawler.without_query_params(theirs, ["a"])
urlsm.crawler.canonicalize_many([theirs])
urlsm.pictures.svg(theirs)

urlsm.parse(1)  # type: ignore[arg-type]
urlsm.parse(None)  # type: ignore[arg-type]
urlsm.parse([TEXT])  # type: ignore[arg-type]
urlsm.parse(object())  # type: ignore[arg-type]
urlsm.parse(pathlib.Path("/a"))  # type: ignore[arg-type]
urlsm.parse(decimal.Decimal(1))  # type: ignore[arg-type]
urlsm.split(pathlib.Path("/a"))  # type: ignore[call-overload]
urlsm.security.is_safe_redirect("/x", base=None)  # type: ignore[arg-type]

# --- from us ---------------------------------------------------------------------------------------------

u = urlsm.parse(TEXT)
assert_type(urlsm.stdlib.urlsplit(u), urllib.parse.SplitResult)
assert_type(urlsm.stdlib.urljoin(u, "/x"), str)
httpx.Request("GET", str(u))


class Page(pydantic.BaseModel):
    link: URL
    hook: Annotated[URL, URLConstraints(allowed_schemes=("https",), public_host=True)]
    short: Annotated[URL, pydantic.Field(max_length=2083)]
    web: Annotated[URL, pydantic.UrlConstraints(allowed_schemes=["https"])]


app = FastAPI()


@app.get("/go")
def go(to: Annotated[URL, Query(max_length=2083)]) -> dict[str, URL]:
    return {"to": to}
