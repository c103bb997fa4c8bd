"""What type checkers see of the public names. Checked by test_typing.py, never run.

Each "type: ignore" is a claim as well: mypy --strict complains of one that is not needed.
"""

from typing import Any, Literal
from urllib.parse import DefragResult, ParseResultBytes, SplitResult, SplitResultBytes

from typing_extensions import assert_type

import urlsm
from urlsm import URL, ParseError, can_parse, compat, parse, resolve, stdlib, try_parse, whatwg
from urlsm.components.trace import Trace, explain
from urlsm.components.value import Components, split, unsplit
from urlsm.errors.rules import Violation
from urlsm.meaning.web import validate
from urlsm.schemes import (
    Bucket,
    BucketParts,
    Database,
    DatabaseParts,
    HierarchicalParts,
    HostPort,
    MailtoParts,
    Name,
    Parts,
    Scheme,
    Section,
)
from urlsm.url.params import QueryParams

# --- what takes a URL ------------------------------------------------------------------------------------

url = parse("http://example.org/")
assert_type(url, URL)
assert_type(parse(b"/a", base=url), URL)
assert_type(parse(url, encoding="latin1", max_length=2048), URL)
assert_type(parse(whatwg.URL("http://example.org/")), URL)
assert_type(URL("/a", base="http://example.org/"), URL)
assert_type(URL("/a", base="http://example.org/", max_length=9), URL)
assert_type(try_parse("x"), URL | None)
assert_type(can_parse("x", base=url), bool)
assert_type(resolve(b"b", base=url), str)

parse(1)  # type: ignore[arg-type]
parse(None)  # type: ignore[arg-type]
parse("x", None)  # type: ignore[call-arg]
can_parse("x", base=1)  # type: ignore[arg-type]
print(try_parse("x").href)  # type: ignore[union-attr]

# --- the value -------------------------------------------------------------------------------------------

assert_type(url.href, str)
assert_type(url.scheme, str)
assert_type(url.username, str | None)
assert_type(url.password, str | None)
assert_type(url.host, str | None)
assert_type(url.port, int | None)
assert_type(url.authority, str | None)
assert_type(url.path, str)
assert_type(url.query, str | None)
assert_type(url.fragment, str | None)
assert_type(url.origin, str)
assert_type(url.segments, tuple[str, ...])
assert_type(url.query_params, QueryParams)
assert_type(str(url), str)
assert_type(hash(url), int)
assert_type(url == url, bool)
assert_type(url == "http://example.org/", bool)
assert_type(sorted([url, url]), list[URL])
assert_type({url: 1}, dict[URL, int])

assert_type(url.join("b"), URL)
assert_type(url.join(url), URL)
assert_type(url / "a" / "b", URL)
assert_type(url.replace(scheme="https", username=None, password=None, host="a", port=81), URL)
assert_type(url.replace(path="/a", query=None, fragment=None), URL)
assert_type(URL.build(scheme="http", host="h", query={"a": "b", "c": 2, "d": ["x", "y"]}, fragment=None), URL)
assert_type(URL.build(scheme="http", host="h", query=[("a", "b"), ("c", 2)]), URL)
assert_type(URL.build(scheme="mailto", path="a@b", query="c=d"), URL)
assert_type(URL.build(scheme="http", host="h", query=url.query_params), URL)
assert_type(url.with_query(None), URL)
assert_type(url.with_query("a=1"), URL)
assert_type(url.with_query({"a": "1"}), URL)
assert_type(url.with_query({"a": 1, "b": 2.5, "c": ["x", "y"], "d": (1, "z")}), URL)
assert_type(url.with_query([("a", "1"), ("b", 2)]), URL)
assert_type(url.with_query({"a": None, "b": ["x", None]}, space="%20"), URL)
assert_type(url.update_query([("a", None)], query="x", url=1), URL)
assert_type(url.extend_query("a&b", space=None, c=None), URL)
assert_type(url.with_query(url.query_params), URL)
assert_type(url.without_credentials(), URL)
assert_type(URL.build(scheme="https", host="h", port=81, path="/a", query={"a": 1}, fragment=None), URL)
assert_type(URL.build(scheme="mailto", path="a@b", query="subject=x"), URL)
assert_type(url.without_fragment(), URL)
assert_type(url.relative_to(b"http://example.org/"), str)
assert_type(url.display(), str)

url.path = "/"  # type: ignore[misc]
print(url / 1)  # type: ignore[operator]
print(url < "http://example.org/")  # type: ignore[operator]
url.replace("https")  # type: ignore[call-arg]
url.replace(scheme=None)  # type: ignore[arg-type]
url.replace(port="80")  # type: ignore[arg-type]
url.replace(hostname="a")  # type: ignore[call-arg]
URL.build(host="h")  # type: ignore[call-overload]
URL.build(scheme="http", host="h", port="80")  # type: ignore[call-overload]
url.with_query({1: "a"})  # type: ignore[dict-item]
url.with_query({"a": b"1"})  # type: ignore[dict-item]


class Special(URL):  # type: ignore[misc]
    """URL is final."""


# --- the query -------------------------------------------------------------------------------------------

params = QueryParams([("a", "1")])
assert_type(QueryParams({"a": "1"}), QueryParams)
assert_type(params["a"], str)
assert_type(params.get("a"), str | None)
assert_type(params.get("a", 0), str | int)
assert_type(params.get_all("a"), tuple[str, ...])
assert_type(params.items(), tuple[tuple[str, str], ...])
assert_type(list(params), list[str])
assert_type(dict(params), dict[str, str])

QueryParams([("a", 1)])  # type: ignore[list-item]

# --- components ------------------------------------------------------------------------------------------

text = split("s3://bucket/key", dialect="rfc3986")
octets = split(b"s3://bucket/key", dialect="rfc3986")
assert_type(text, Components[str])
assert_type(octets, Components[bytes])
assert_type(split(url), Components[str])
assert_type(text.scheme, str | None)
assert_type(text.userinfo, str | None)
assert_type(text.path, str | None)
assert_type(text.port, str | None)
assert_type(octets.port, bytes | None)
assert_type(octets.authority, bytes | None)
assert_type(text.rest, str)
assert_type(text.text, str)
assert_type(text.dialect, Literal["whatwg", "rfc3986", "rfc3987", "barth", "rfc1738", "rfc2396", "stdlib"])
split("x", dialect="rfc3968")  # type: ignore[call-overload]
assert_type(text.span("host"), tuple[int, int] | None)
assert_type(unsplit(text), str)
assert_type(unsplit(octets), bytes)
assert_type(Components(scheme="a", path="b"), Components[str])
assert_type(Components(scheme=b"a", path=b"b"), Components[bytes])


def host_of(components: Components) -> str | None:
    """Components alone is Components[str]."""
    return components.host


Components(scheme="a", path=b"b")  # type: ignore[type-var]
Components("a")  # type: ignore[call-arg]
split(1)  # type: ignore[call-overload]

# --- diagnosis -------------------------------------------------------------------------------------------

trace = explain("http://a b/", base=url)
assert_type(trace, Trace)
assert_type(trace.url, URL | None)
assert_type(trace.error, ParseError | None)
assert_type(trace.steps[0].state, str)
assert_type(trace.steps[0].start, int)
assert_type(trace.steps[0].text, str | bytes)

found = validate("http://a b/", dialect="whatwg", base=url)
assert_type(found, list[Violation])
assert_type(found[0].position, int)
assert_type(found[0].severity, Literal["fatal", "error", "warning"])

try:
    parse("")
except ParseError as error:
    assert_type(error.code, str)
    assert_type(error.position, int)
    assert_type(error.state, str)
    assert_type(error.reference, str)

# --- the browser's API -----------------------------------------------------------------------------------

page = whatwg.URL("/a", base=url)
assert_type(page.href, str)
assert_type(page.search_params, whatwg.URLSearchParams)
page.pathname = "/b"
page.origin = "x"  # type: ignore[misc]

assert_type(urlsm.__version__, str)

# --- urllib.parse ----------------------------------------------------------------------------------------

assert_type(stdlib.urlsplit("a"), SplitResult)
assert_type(stdlib.urlsplit(b"a", b"http", False), SplitResultBytes)
assert_type(stdlib.urlparse(b"a"), ParseResultBytes)
assert_type(stdlib.urldefrag("a#b"), DefragResult)
assert_type(stdlib.urljoin("a", "b"), str)
assert_type(stdlib.urljoin(b"a", b"b"), bytes)
assert_type(stdlib.urlunsplit(("a", "b", "c", "d", "e")), str)
assert_type(stdlib.parse_qsl("a=b"), list[tuple[str, str]])
assert_type(stdlib.parse_qs(b"a=b"), dict[bytes, list[bytes]])
assert_type(stdlib.quote(b"a"), str)
assert_type(compat.install("urllib.parse", report=True)[0], str)
with compat.install("urllib.parse"):
    pass
optional: SplitResult = stdlib.urlsplit("a", missing_as_none=True)

stdlib.urljoin("a", b"b")  # type: ignore[type-var]
stdlib.quote(1)  # type: ignore[call-overload]

# --- schemes ---------------------------------------------------------------------------------------------


class BookParts(Parts):
    shelf: str
    title: str | None = None


class Book(Scheme[BookParts]):
    names = ("book",)

    def read_parts(self, components: Components) -> BookParts:
        return BookParts(components.host or "", title=components.query)


class Lamp(Scheme[BookParts]):
    """Without a method: the type of the parts is that in brackets."""


class Silo(Bucket):
    """Without brackets: a base has parts of its own."""


class TwoParts(BucketParts):
    second: str = ""


class Two(Bucket[TwoParts]):
    """With others."""


class Tarn(Database):
    names = ("tarn",)


class Shelfmark(Name[BookParts]):
    sections = (Section("shelf"), Section("title", before=":"))


def level_of(url: str) -> str:
    match urlsm.parse(url).parts:
        case MailtoParts(recipients=found):
            assert_type(found, tuple[str, ...])
            return found[0]
        case BucketParts() as place:
            return place.key
        case _:
            return ""


assert_type(Book().parts("book://a"), BookParts)
assert_type(Lamp().parts("lamp://a"), BookParts)
assert_type(Lamp().parts("lamp://a", dialect="rfc1738").shelf, str)
assert_type(Silo().parts("silo://a/b").key, str)
assert_type(Silo().parts("silo://a/b"), BucketParts)
assert_type(Two().parts("two://a/b"), TwoParts)
assert_type(Tarn().parts("tarn://a/b"), DatabaseParts)
assert_type(Shelfmark().parts("shelfmark:a"), BookParts)
assert_type(Scheme().parts("x:"), HierarchicalParts)
print(Silo().parts("silo://a/b").nokey)  # type: ignore[attr-defined]
Book().parts("book://a", "rfc3986")  # type: ignore[call-arg]

book = BookParts("a")
assert_type(book.shelf, str)
assert_type(book.title, str | None)
assert_type(urlsm.register(Book), None)
name: str = "book"
assert_type(urlsm.handler(name), Scheme[Parts])
assert_type(urlsm.handler(name).parts("book://a"), Parts)
assert_type(urlsm.handler("mailto"), Scheme[MailtoParts])
assert_type(urlsm.handler("s3").parts("s3://a/b").key, str)
assert_type(urlsm.handler("ipp").parts(url), HierarchicalParts)
assert_type(urlsm.handler("mongodb").parts("mongodb://a,b").hosts, tuple[HostPort, ...])
assert_type(urlsm.parts("mailto:a@b", "mailto"), MailtoParts)
assert_type(urlsm.parts("mailto:a@b", MailtoParts).recipients, tuple[str, ...])
assert_type(urlsm.parts("book://a", BookParts, dialect="rfc3986").title, str | None)
assert_type(urlsm.parts("book://a", name), Parts)
assert_type(url.parts, Parts)
print(urlsm.handler("s3").parts("s3://a/b").nokey)  # type: ignore[attr-defined]
print(urlsm.parts("s3://a/b", "s3").nokey)  # type: ignore[attr-defined]
print(url.parts.nokey)  # type: ignore[attr-defined]
urlsm.parts("s3://a/b", "rfc3986", "s3")  # type: ignore[call-overload]
urlsm.parts("s3://a/b", 1)  # type: ignore[call-overload]
assert_type(urlsm.handler("file").from_path("/a"), str)
assert_type(urlsm.handler("ftp").read_parts(split("ftp://h/a;type=i", dialect="rfc3986")).typecode, str | None)
assert_type(urlsm.handler("https").read_parts(split("https://h/", dialect="rfc3986")), urlsm.schemes.HierarchicalParts)
assert_type(urlsm.handler("book").build(shelf="a"), str)
assert_type(urlsm.parts("book://a"), urlsm.schemes.Parts)
assert_type(url.handler, Scheme[Parts])
assert_type(url.violations(), list[Violation])
assert_type(urlsm.normalize(b"x:"), str)
assert_type(urlsm.equivalent(url, "x:"), bool)
assert_type(urlsm.schemes.known(), dict[str, str])
written = urlsm.parts("mailto:a@ex.com")
if isinstance(written, MailtoParts):
    assert_type(written.recipients, tuple[str, ...])
if isinstance(url.parts, BookParts):
    assert_type(url.parts.title, str | None)

BookParts()  # type: ignore[call-arg]
BookParts(1)  # type: ignore[arg-type]
book.shelf = "b"  # type: ignore[misc]
urlsm.register("book")  # type: ignore[arg-type]

# --- what others see, and URLs in text -------------------------------------------------------------------

assert_type(urlsm.security.compare_readers(url).agree, bool)
assert_type(urlsm.security.compare_readers("x:").views["whatwg"].host, str | None)
assert_type(urlsm.security.is_ambiguous(b"x:"), bool)
assert_type(urlsm.security.is_safe_redirect("/a", base=url, allowed_hosts=["h"]), bool)
assert_type(urlsm.security.safe_join(url, "a"), URL)
hazard = urlsm.security.audit(url)[0]
if hazard.code == "backslash" and hazard.component == "host":
    assert_type(hazard.code, Literal["backslash"])
assert_type(urlsm.security.address_kind(b"::1"), urlsm.security.AddressKind | None)
assert_type(urlsm.security.has_public_host(url), bool)
assert_type(urlsm.security.has_public_host("x:"), bool)

hosts = urlsm.server.Hosts(["example.com"], flavor="django")
assert_type(hosts.check(b"example.com"), urlsm.security.Verdict)
assert_type("example.com" in hosts, bool)
assert_type(
    urlsm.URL.from_request_target("/", host="h", scheme="http", method="GET", trusted_proxies=["10.0.0.0/8"]), urlsm.URL
)
assert_type(urlsm.URL.from_scope({}, trusted_proxies=1, forwarded="forwarded"), urlsm.URL)
assert_type(urlsm.URL.from_environ({}, trusted_proxies=hosts, forwarded="x-forwarded"), urlsm.URL)
assert_type(urlsm.resolve_many(["a"], base=url), list[str | None])
assert_type(urlsm.documents.same_document("", base=url, dialect="rfc2396"), bool)
assert_type(next(urlsm.documents.extract_urls("x", guess_scheme=True)).url, URL)
assert_type(urlsm.documents.unwrap("<a:b>"), str)

# --- formats and templates -------------------------------------------------------------------------------

template = urlsm.Template("/users/{id}{?fields*}")
assert_type(template.expand({"id": 7, "fields": ["a", None]}), str)
assert_type(template.partial({"id": None}), urlsm.Template)
assert_type(template.match(url, raw={"id"}, types={"fields": dict}), dict[str, Any] | None)
template.expand({"id": object()})  # type: ignore[dict-item]
assert_type(urlsm.formats.is_iri("é"), bool)
assert_type(urlsm.formats.check("é", "uri"), Violation | None)
urlsm.formats.is_uri(b"x:")  # type: ignore[arg-type]
routes = urlsm.patterns.PatternSet(["/users/{id}"], "uri-template", raw={"id"})
assert_type(routes.match("/users/7"), urlsm.patterns.PatternMatch | None)
assert_type(urlsm.iri_to_uri("x:é", idna=True), str)
assert_type(urlsm.documents.base_url("<base href=a>", url=url), URL | None)
