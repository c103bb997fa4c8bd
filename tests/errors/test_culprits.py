"""What errors say of the character that is to blame; and URLs of other libraries that str() would mask."""

from __future__ import annotations

import pickle
from itertools import product
from typing import Any

import pytest

import urlsm
from urlsm import ParseError, can_parse, crawler, parse, resolve, split
from urlsm.security import compare_readers


def said(url: Any) -> str:
    with pytest.raises(ParseError) as caught:
        parse(url)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    return str(caught.value).partition("\n")[0]


# pydantic#8061, #13470
@pytest.mark.parametrize("scheme", ["postgresql", "http", "redis", "zz"])
@pytest.mark.parametrize(("end", "escape"), [("/", "%2F"), ("?", "%3F"), ("#", "%23")])
def test_an_unescaped_delimiter_in_a_password(scheme: str, end: str, escape: str):
    message = said(f"{scheme}://u:s3cret{end}s3cret@db.example:5432/x")
    assert f'an unescaped "{end}" ends the port, and "@" follows: in a password write "{end}" as {escape}' in message
    assert "s3cret" not in message
    assert can_parse(f"{scheme}://u:s3cret{escape}s3cret@db.example:5432/x")


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("http://u:pa\\ss@h/", True),
        (b"http://u:pa/ss@h/", True),
        ("http:u:pa/ss@h/", True),
        ("http://a@b:pa/ss@h/", True),
        ("http://u:99999/ss@h/", True),
        ("http://h:8a/", False),
        ("http://h:8a/path", False),
        ("http://h:8a", False),
        ("http://u:p@h:8a/", False),
        ("http://u:p@h:8a/x@y", True),
        ("http://é:" + "p/" * 50_000 + "@h/", True),
    ],
)
def test_only_where_an_at_sign_follows(url: str | bytes, told: bool):
    assert ("in a password" in said(url)) == told


@pytest.mark.parametrize(
    ("url", "character"),
    [
        ("http://a b/", "a space"),
        ("http://a b", "a space"),
        ("x://a b/", "a space"),
        (b"http://a b/", "a space"),
        ("http://u:p w@a b/", "a space"),
        ("http://h\tx y/", "a space"),
        ("http:a b/", "a space"),
        ("http://a%20b/", "an escaped space"),
        ("http://a\xa0b/", "U+00A0"),
        ("http://a\u3000b/", "U+3000"),
        ("http://a<b/", '"<"'),
        ("http://u w@a<b/", '"<"'),
        ("http://a<b/c d", '"<"'),
        ("foo://a<b:80", '"<"'),
        ("foo://a%3Cb<", '"<"'),
        ("http://a%3cb/", 'an escaped "<"'),
        ("http://a%b/", '"%"'),
        ("http://a%25b/", 'an escaped "%"'),
        ("http://a\uff05b:80/", '"\uff05"'),
        ("http://a\x01b/", "U+0001"),
        ("http://a\x7f", "U+007F"),
    ],
)
def test_the_character_in_a_host_is_named(url: str | bytes, character: str):
    assert said(url).startswith(f"the host contains {character} (")


@pytest.mark.parametrize("url", ["http://a\ud800b/", "http://\u0640\u200d/", "http://xn--a\u0301/", "http://%ff/"])
def test_a_host_without_such_a_character(url: str):
    assert said(url).startswith("the host is not a valid domain name (IDNA) (")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: parse("x"), "the URL has no scheme (such as https:) and no base was given"),
        (lambda: parse("x", base="y"), "the base URL has no scheme"),
        (lambda: resolve("x", base="y"), "the base URL has no scheme"),
        (lambda: parse("x", base="mailto:a"), "the URL is relative, and its base has an opaque path"),
        (lambda: resolve("x", base="mailto:a"), "the URL is relative, and its base has an opaque path"),
        (
            lambda: resolve("x", base="mailto:a", dialect="barth"),
            "the URL is relative, and its base has an opaque path",
        ),
        (lambda: parse("mailto:a").join("x"), "the URL is relative, and its base has an opaque path"),
    ],
)
def test_a_missing_scheme(call: Any, message: str):
    with pytest.raises(ParseError) as caught:
        call()
    assert str(caught.value).startswith(message) and caught.value.message.startswith(message)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_public_errors_are_named_as_they_are_imported():
    for kind in (ParseError, urlsm.SchemeError, urlsm.PluginError, urlsm.Violation, urlsm.Components, urlsm.Trace):
        assert kind.__module__ == "urlsm" and getattr(urlsm, kind.__name__) is kind
    assert "errors" not in dir(urlsm)


# autogen#7349, ixmp4#243, compair#1103, pq#8
def test_sqlalchemys_urls_are_taken():
    make_url = pytest.importorskip("sqlalchemy").make_url
    url = make_url("postgresql+psycopg://u:p%40w@h:5432/db?a=b")
    assert "***" in str(url)
    for text in (parse(url).href, split(url).text, resolve("", base=url)):
        assert text == "postgresql+psycopg://u:p%40w@h:5432/db?a=b"
    assert parse(url).password == "p%40w" and parse(url).parts.password == "p@w"
    assert compare_readers(url) and crawler.canonicalize(url) and can_parse(url)


def test_hyperlinks_urls_are_taken():
    hyperlink = pytest.importorskip("hyperlink")
    for url in (
        hyperlink.URL.from_text("http://u:pw@h/a?b#c"),
        hyperlink.parse("http://u:pw@h/a?b#c"),
        hyperlink.DecodedURL.from_text("http://u:pw@h/a?b#c"),
    ):
        assert parse(url).href == "http://u:pw@h/a?b#c"


def test_no_error_advises_str():
    class Url:
        def __str__(self):
            raise AssertionError("str() of an unknown object")

    with pytest.raises(
        TypeError, match=r"SQLAlchemy, hyperlink .* with its password, which str\(\) may hide$"
    ) as caught:
        parse(Url())  # type: ignore[arg-type]
    assert "such as str(" not in str(caught.value)


@pytest.mark.parametrize("extensions", [".pdf", "pdf", b".pdf", ""])
def test_has_extension_takes_no_bare_text(extensions):
    with pytest.raises(TypeError, match="extensions must be a set or list of str"):
        crawler.has_extension("http://h/a.pd", extensions)


@pytest.mark.parametrize("extensions", [{".pdf"}, [".pdf"], (".pdf",), frozenset({"pdf"}), {".pdf": 1}])
def test_has_extension(extensions):
    assert crawler.has_extension("http://h/a.PDF", extensions) and not crawler.has_extension(
        "http://h/a.pd", extensions
    )


# --- arguments -----------------------------------------------------------------------------------

BASES = {
    "parse": lambda base: urlsm.parse("y", base=base),
    "relative_to": lambda base: urlsm.parse("http://h/").relative_to(base),
    "canonicalize_many": lambda base: urlsm.crawler.canonicalize_many(["y"], base=base),
    "check_redirect": lambda base: urlsm.security.check_redirect("/y", base=base),
    "page_links": lambda base: list(urlsm.documents.page_links("<a href=x>", url=base)),
    "base_url": lambda base: urlsm.documents.base_url("<a href=x>", default=base),
}


@pytest.mark.parametrize("name", BASES)
@pytest.mark.parametrize("base", ["x", "", "//h/"])
def test_a_base_without_a_scheme_is_the_cause(name, base):
    cause = "the URL has no scheme" if name in ("page_links", "base_url") else "the base URL has no scheme"
    with pytest.raises(urlsm.ParseError, match=f"^{cause}"):
        BASES[name](base)


@pytest.mark.parametrize("function", [urlsm.parse, urlsm.try_parse, urlsm.can_parse, urlsm.URL])
def test_a_wrong_length_is_named(function):
    for wrong in ("a", 1.5, b""):
        with pytest.raises(TypeError, match=rf"^max_length must be int or None, not {type(wrong).__name__}$"):
            function("http://h/", max_length=wrong)
    with pytest.raises(ValueError, match=r"^max_length must be 0 or more, not -1$"):
        function("http://h/", max_length=-1)
    assert function("http://h/", max_length=1 << 80) and function("http://h/", max_length=True + 8)
    other = type("Integer", (), {"__index__": lambda self: 9})()
    assert function("http://h/", max_length=other)


def test_a_robots_file_is_asked_for_a_url_first():
    robots = urlsm.crawler.Robots("User-agent: *\nDisallow: /x")
    urls = (
        "https://ex.com/x",
        "http://ex.com/",
        "/x",
        "HTTPS://ex.com",
        "ftp://ex.com/",
        "ex.com/p",
        "ex.com:80/p",
        "ex.com/",
    )
    for swapped, header in product(urls, (False, True)):
        with pytest.raises(ValueError, match=r"^agent must be the crawler's name, not .*: the URL comes first$"):
            robots.allows("my-crawler", swapped, header=header)
        for method in (robots.rules, robots.crawl_delay, robots.request_rate):
            with pytest.raises(ValueError, match=r"^agent must be the crawler's name, not '[^']*'$"):
                method(swapped, header=header)
    with pytest.raises(ValueError, match=r"^agent must be .* 'https://u:\*\*\*@h/'$"):
        robots.rules("https://u:hunter2@h/")
    for agent in ("my-crawler/1.0", "My.Crawler/1.0", "my.crawler/v2", "ex.com", "bot/x"):
        assert robots.allows("/", agent) and robots.allows("/", agent, header=True)
    header = "Mozilla/5.0 (compatible; my-crawler/2.1; +http://ex.com/bot.html)"
    assert not robots.allows("/x", header, header=True)


def test_a_body_is_bytes():
    seen = urlsm.crawler.DupeFilter(set())
    for wrong in (5, "a", [1]):  # bytes(5) is five zero bytes
        with pytest.raises(TypeError, match=r"^body must be bytes, not"):
            seen.fingerprint("http://h/", body=wrong)
    with pytest.raises(TypeError, match=r"^method must be str, not bytes$"):
        seen.fingerprint("http://h/", method=b"GET")
    assert seen.fingerprint("http://h/", body=bytearray(b"a")) == seen.fingerprint("http://h/", body=b"a")


def test_a_request_lacks_a_key():
    for scope in ({}, {"headers": []}):
        with pytest.raises(ValueError, match=r"^scope has no '(headers|path)'$"):
            urlsm.URL.from_scope(scope)
    for environ in ({}, {"SERVER_NAME": "h"}, {"HTTP_HOST": "h"}):
        with pytest.raises(ValueError, match=r"^environ has no '(SERVER_NAME|SERVER_PORT|wsgi\.url_scheme)'$"):
            urlsm.URL.from_environ(environ)


def test_an_error_shows_its_own_class():
    with pytest.raises(urlsm.server.RequestError) as caught:
        urlsm.URL.from_request_target("/", host="a@b", scheme="http", method="GET")
    assert repr(caught.value) == "RequestError('userinfo-not-allowed', position=1, state='host')"
    with pytest.raises(urlsm.SchemeError) as caught:
        urlsm.parts("tel:x y")
    assert repr(caught.value) == "SchemeError('character-not-allowed', position=4, state='path')"


def test_an_entry_of_hosts_is_quoted_once():
    for entry, said in {
        "10.0.0.1/8": "'10.0.0.1/8': the address has bits beyond the first 8",
        "a b": "'a b' is not a host",
        "http://h": "'http://h': write the host alone, without scheme and path",
        f"{'a' * 200} b": f"'{'a' * 100}' is not a host",
        "": "'': the host is missing",
    }.items():
        with pytest.raises(urlsm.security.HostEntryError) as caught:
            urlsm.server.Hosts([entry])
        error = pickle.loads(pickle.dumps(caught.value))
        assert str(error) == str(caught.value) == said
        assert (error.entry, error.code, error.message) == (entry, caught.value.code, caught.value.message)
    assert str(urlsm.security.HostEntryError("not-a-host", "the host is missing")) == "the host is missing"


@pytest.mark.parametrize(
    "entry",
    ["https://user:hunter2@ex.com", "user:hunter2@ex.com", ".user:hunter2@ex.com", "u:hunter2@h/8", "u:hunter2@[::1]:5",
     f"https://user:hunter2{'x' * 5000}@ex.com", "//user:hunter2@ex.com/x", "https:/user:hunter2@ex.com"],
)  # fmt: skip
def test_an_entry_of_hosts_is_quoted_without_its_password(entry):
    with pytest.raises(urlsm.security.HostEntryError) as caught:
        urlsm.security.is_safe_redirect("/", base="https://ex.com/", allowed_hosts=[entry])
    error = caught.value
    assert error.entry == entry and "hunter2" not in f"{error} {error!r} {error.message}"


def test_a_bad_base_gets_the_remedy_of_its_function():
    from urlsm.crawler import canonicalize_many, links
    from urlsm.documents import base_url, extract_urls

    for call in (
        lambda base: urlsm.parse("x", base=base),
        lambda base: canonicalize_many(["x"], base=base),
        lambda base: links(["x"], base=base),
        lambda base: list(extract_urls("<x>", base=base)),
        lambda base: urlsm.explain("x", base=base),
    ):
        with pytest.raises(urlsm.ParseError, match=r"^the base URL has no scheme .* state\)\n") as caught:
            call("bad")
        assert caught.value.hint == ""
        with pytest.raises(urlsm.ParseError, match=r"^the base URL has no scheme .* Did you mean https://ex\.com/\?\n"):
            call("ex.com/")
    for call in (urlsm.resolve, lambda ref, base: urlsm.resolve_many([ref], base=base)):
        with pytest.raises(urlsm.ParseError, match=r"^the base URL has no scheme .*; only resolve\("):
            call("x", base="bad")
        with pytest.raises(urlsm.ParseError, match=r"^the base URL has no scheme .* Did you mean https://ex\.com/\?\n"):
            call("x", base="ex.com/")
    for url in ("bad", "b/c"):
        with pytest.raises(urlsm.ParseError, match=r"^the URL has no scheme \(such as https:\) and no base was given"):
            base_url("", url=url)
    assert base_url("", url="b/c", default="http://h/a/").href == "http://h/a/b/c"


def test_the_url_of_a_page_is_not_called_a_base():
    pytest.importorskip("lxml")
    pytest.importorskip("tinycss2")
    from urlsm.documents import page_links

    with pytest.raises(urlsm.ParseError, match=r"^the URL has no scheme \(such as https:\) \(missing") as caught:
        page_links("<a href=x>", url="bad")
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    with pytest.raises(urlsm.ParseError, match=r"Did you mean https://ex\.com/\?"):
        page_links("<a href=x>", url="ex.com/")
    with pytest.raises(TypeError, match=r"^url must be"):
        page_links("<a href=x>", url=5)


def test_a_path_of_files_is_not_joined_as_a_url():
    with pytest.raises(urlsm.ParseError, match=r"; for files, use pathlib: \(base / ref\)\.resolve\(\)") as caught:
        urlsm.security.safe_join("/srv/files", "x")
    assert "stdlib" not in str(caught.value)
    for base in ("//h/", "example.com/"):
        with pytest.raises(urlsm.ParseError, match=r"^the base URL has no scheme") as caught:
            urlsm.security.safe_join(base, "x")
        assert "pathlib" not in str(caught.value) and "stdlib" not in str(caught.value)
    assert "Did you mean https://example.com/?" in str(caught.value)
