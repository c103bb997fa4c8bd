"""What other libraries and their users expect of a URL: names, hints, formats, databases, telemetry."""

from __future__ import annotations

import re
import sqlite3
import traceback
import urllib.parse
from contextlib import suppress

import pytest

import urlsm
from urlsm import crawler, parse


@pytest.mark.parametrize(
    ("text", "name", "suffix", "parent"),
    [
        ("http://h/a/b.tar.gz?q#f", "b.tar.gz", ".gz", "http://h/a"),
        ("http://h/a/", "", "", "http://h/a"),
        ("http://h/a", "a", "", "http://h/"),
        ("http://h/?q#f", "", "", "http://h/"),
        ("http://h/", "", "", "http://h/"),
        ("http://h/a/%C3%A9.%C3%BC", "é.ü", ".ü", "http://h/a"),
        ("http://h/.bashrc", ".bashrc", "", "http://h/"),
        ("http://h/x.", "x.", "", "http://h/"),
        ("http://u:p@h:8/a//b", "b", "", "http://u:p@h:8/a/"),
        ("foo://h", "", "", "foo://h"),
        ("foo:/.//a/b", "b", "", "foo:/.//a"),
        ("file:///C:/x.txt", "x.txt", ".txt", "file:///C:"),
        ("mailto:a@b?subject=x", "", "", "mailto:a@b"),
    ],
)
def test_name_suffix_and_parent(text, name, suffix, parent):
    url = parse(text)
    assert (url.name, url.suffix, str(url.parent)) == (name, suffix, parent)
    assert parse(str(url.parent)) == url.parent


@pytest.mark.parametrize("text", ["http://h/a/b.tar.gz?q#f", "http://h/a/", "http://h/", "http://h/.b", "http://h/x."])
def test_names_are_yarls(text):
    yarl = pytest.importorskip("yarl", reason="yarl is not installed")
    ours, theirs = parse(text), yarl.URL(text)
    assert (ours.name, ours.parent) == (theirs.name, parse(theirs.parent))
    assert ours.suffix == theirs.suffix or text.endswith(".")  # where releases of yarl differ


@pytest.mark.parametrize(
    ("text", "port", "target"),
    [
        ("http://h/a?b#c", 80, "/a?b"),
        ("https://h:8443?b", 8443, "/?b"),
        ("redis://h", 6379, "/"),
        ("foo://h?b", None, "/?b"),
        ("git+http://h/", 80, "/"),
        ("file:///a", None, "/a"),
    ],
)
def test_port_and_target_of_a_request(text, port, target):
    assert (parse(text).effective_port, parse(text).request_target) == (port, target)


def test_a_file_has_a_path_and_back():
    handler = urlsm.handler("file")
    assert handler.to_path(parse("file:///home/a%20b"), windows=False) == "/home/a b"
    assert handler.to_path("file:///C:/a%20b", windows=True) == "C:\\a b"
    assert handler.to_path(handler.from_path("/x/é", windows=False), windows=False) == "/x/é"
    for text in ("http://h/x", "file://other/x"):
        with pytest.raises(ValueError):
            handler.to_path(text, windows=False)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("with_host", "replace(host=...)"),
        ("hostname", "host"),
        ("search", "query"),
        ("path_qs", "request_target"),
        ("joinpath", "/ segment, or append_path(path)"),
        ("geturl", "href"),
    ],
)
def test_a_name_of_others_is_answered_with_ours(name, meant):
    url = parse("http://h/")
    assert not hasattr(url, name) and not {name} & {*dir(url), *dir(urlsm.URL)}
    with pytest.raises(AttributeError, match=rf"^type object 'urlsm\.URL' has no attribute '{name}'\. Did you mean "):
        getattr(urlsm.URL, name)
    with pytest.raises(AttributeError) as caught:
        getattr(url, name)
    assert str(caught.value) == f"'urlsm.URL' object has no attribute {name!r}. Did you mean {meant}?"
    said = "".join(traceback.format_exception_only(caught.type, caught.value))
    assert said.count("Did you mean") == 1  # the interpreter does not suggest another one


def test_formats():
    url = parse("http://u:hunter2@xn--bcher-kva.example/")
    assert f"{url}" == str(url) and f"{url:>60}" == str(url).rjust(60) and f"{url:.4}" == "http"
    assert f"{url:masked}" == url.masked() == "http://u:***@xn--bcher-kva.example/"
    assert f"{url:masked:>50}" == f"{url:masked>50}" == url.masked().rjust(50)
    assert f"{url:display}" == url.display() == "http://bücher.example/"
    with pytest.raises(ValueError):
        f"{url:nonsense}"


def test_sqlite_binds_a_url():
    connection = sqlite3.connect(":memory:")
    assert connection.execute("select ?", (parse("http://h/a"),)).fetchone() == ("http://h/a",)
    assert parse("http://h/").__conform__(int) is parse("http://h/").__conform__(None) is None
    connection.close()


def test_telemetry():
    """https://opentelemetry.io/docs/specs/semconv/registry/attributes/url/"""
    url = parse("https://user:pw@www.example.org:8443/a/b.tar.gz?q=1&sig=abc&xsig=2#top")
    query = "q=1&sig=REDACTED&xsig=2"
    assert url.otel_attributes() == {
        "url.full": f"https://REDACTED:REDACTED@www.example.org:8443/a/b.tar.gz?{query}#top",
        "url.scheme": "https",
        "url.domain": "www.example.org",
        "url.port": 8443,
        "url.path": "/a/b.tar.gz",
        "url.query": query,
        "url.fragment": "top",
        "url.extension": "gz",
    }
    assert parse("mailto:a@b").otel_attributes() == {
        "url.full": "mailto:a@b",
        "url.scheme": "mailto",
        "url.path": "a@b",
    }
    assert parse("http://u@h/").otel_attributes()["url.full"] == "http://REDACTED@h/"
    assert "pw" not in parse("sip:a:pw@h").otel_attributes()["url.full"]


# --- URLs of other libraries ---


def others():
    yield urllib.parse.urlsplit("http://u:p@h/a?b#c")
    yield urllib.parse.urlparse("http://u:p@h/a?b#c")
    yield urllib.parse.urlsplit(b"http://u:p@h/a?b#c")
    yield urllib.parse.urldefrag("http://u:p@h/a?b#c")
    yield urlsm.whatwg.URL("http://u:p@h/a?b#c")
    for module, make in (("yarl", "URL"), ("httpx", "URL"), ("pydantic", "AnyUrl"), ("pydantic", "HttpUrl")):
        with suppress(ImportError):
            yield getattr(__import__(module), make)("http://u:p@h/a?b#c")


@pytest.mark.parametrize("given", list(others()), ids=lambda given: f"{type(given).__module__}.{type(given).__name__}")
def test_urls_of_others_are_taken_by_what_they_are(given):
    wanted = parse("http://u:p@h/a?b#c")
    assert parse(given) == urlsm.URL(given) == urlsm.try_parse(given) == wanted and urlsm.can_parse(given)
    assert wanted.join(given) == parse("x", base=given).join(given) == wanted
    assert urlsm.resolve("x", base=given) == "http://u:p@h/x" and urlsm.normalize(given) == str(wanted)
    assert [found.code for found in urlsm.validate(given)] == ["userinfo-deprecated"]
    assert (
        urlsm.security.compare_readers(given).agree
        and urlsm.security.audit(given)
        and not urlsm.security.is_safe_redirect(given, base="http://i/")
    )
    assert urlsm.explain(given).url == wanted and urlsm.parts(given).path == "/a"
    assert urlsm.split(given, dialect="rfc3986").path in ("/a", b"/a")


def test_an_error_of_anothers_url_shows_its_text():
    with pytest.raises(urlsm.ParseError) as caught:
        parse(urllib.parse.urlsplit("http://u:hunter2@h:x/"))
    assert caught.value.position == 19 and str(caught.value).splitlines()[1] == "  http://u:***@h:x/"


class Anything:
    def __str__(self) -> str:
        return "http://h/"

    def geturl(self) -> str:
        return "http://h/"


@pytest.mark.parametrize("given", [Anything(), 5, None, ["http://h/"], pytest, object])
def test_nothing_else_is_turned_into_text(given):
    for function in (
        parse,
        urlsm.split,
        urlsm.validate,
        urlsm.security.compare_readers,
        urlsm.parts,
        urlsm.explain,
        urlsm.normalize,
    ):
        with pytest.raises(TypeError, match=r"a URL must be str, bytes or urlsm\.URL, not"):
            function(given)


def test_the_stdlib_takes_a_url():
    url, stdlib = parse("http://u@h:8/a?b#c"), urlsm.stdlib
    assert stdlib.urljoin(url, "x") == "http://u@h:8/x" == stdlib.urljoin("http://i/", parse("http://u@h:8/x"))
    assert stdlib.urlsplit(url) == urllib.parse.urlsplit(str(url))
    assert stdlib.urlparse(url) == urllib.parse.urlparse(str(url))
    assert stdlib.urldefrag(url) == urllib.parse.urldefrag(str(url))


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("example.com/x", "https://example.com/x"),
        ("www.example.com", "https://www.example.com"),
        ("127.0.0.1:8080?q", "https://127.0.0.1:8080?q"),
        ("//example.com/x", "https://example.com/x"),
        ("index.html", None),
        ("../x", None),
        ("a/b.com", None),
        ("me@example.com", None),
        ("", None),
    ],
)
def test_a_missing_scheme_is_hinted_at(text, meant):
    with pytest.raises(urlsm.ParseError) as caught:
        parse(text)
    said = str(caught.value).splitlines()[0]
    if meant is None:
        assert "Did you mean" not in said
    else:
        assert said.endswith(f". Did you mean {meant}?") and parse(meant)


@pytest.mark.parametrize("given", [None, 123, 1.5, ["http://h/"], object])
@pytest.mark.parametrize(
    "ask",
    [
        urlsm.parse,
        urlsm.URL,
        parse("http://h/").join,
        parse("http://h/").relative_to,
        urlsm.normalize,
        lambda url: urlsm.resolve("x", base=url),
        lambda url: urlsm.resolve("x", base=url, dialect="stdlib"),
        lambda url: urlsm.resolve("x", base=url, dialect="rfc3986"),
        lambda url: urlsm.resolve(url, base="http://h/"),
        lambda url: urlsm.resolve_many([], base=url),
        lambda url: urlsm.resolve_many([], base=url, dialect="rfc2396"),
        lambda url: urlsm.documents.same_document("#", base=url),
        lambda url: urlsm.security.is_safe_redirect("/x", base=url),
        lambda url: urlsm.security.safe_join(url, "x"),
        lambda url: crawler.links([], base=url),
        lambda url: crawler.has_extension(url, {"pdf"}),
        lambda url: urlsm.domains.in_domains(url, ["h"]),
        lambda url: urlsm.domains.same_site(url, "http://h/"),
        lambda url: urlsm.domains.registrable_domain(url),
        lambda url: urlsm.domains.public_suffix(url),
    ],
)
def test_what_is_not_a_url_is_told_what_is(ask, given):
    kind = re.escape(type(given).__name__)
    with pytest.raises(
        TypeError, match=rf"^(a URL|base) must be str, bytes or urlsm\.URL, not {kind}: .* to text first"
    ):
        ask(given)


@pytest.mark.parametrize("given", [urllib.parse.urlsplit("http://www.ex.com/"), urlsm.whatwg.URL("http://www.ex.com/")])
def test_sites_of_the_urls_of_others(given):
    assert urlsm.domains.registrable_domain(given) == "ex.com"
    assert urlsm.domains.in_domains(given, ["ex.com"])
