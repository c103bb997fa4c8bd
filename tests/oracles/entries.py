"""What has to hold for each public function and any text: round trips, idempotence, agreement between the functions,
and only the documented exceptions. Each check takes two texts, and raises AssertionError or the unexpected exception.
"""

from __future__ import annotations

import contextlib
import copy
import pickle
import re
import urllib.parse
import warnings
from collections.abc import Callable, Iterable

import urlsm
from urlsm import URL, Components, ParseError, SchemeError
from urlsm.domains import IDNAError, to_ascii
from urlsm.whatwg import URL as BrowserURL
from urlsm.whatwg import URLSearchParams

DIALECTS = ("whatwg", "rfc3986", "rfc3987", "rfc2396", "rfc1738", "barth", "stdlib")
GRAMMARS = ("rfc3986", "rfc3987", "rfc2396", "rfc1738")
SETTERS = ("protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "hash")
STDLIB = ("urlsplit", "urlparse", "urldefrag", "parse_qsl", "quote", "unquote")  # those of one text
Check = Callable[[str, str], object]


def octets(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def fields(c: Components) -> tuple[str | None, ...]:
    return c.scheme, c.userinfo, c.username, c.password, c.host, c.port, c.path, c.query, c.fragment


def spoken(error: ParseError) -> None:
    """Check what every error has."""
    assert error.position >= 0 and error.code and error.state and error.reference and str(error) and repr(error)


# --- the parser ---


def parse(text: str, other: str) -> None:
    for base in (None, other):
        found = urlsm.try_parse(text, base=base)
        assert urlsm.can_parse(text, base=base) is (found is not None)
        try:
            url = urlsm.parse(text, base=base)
        except ParseError as error:
            assert found is None
            spoken(error)
        else:
            assert url == found and urlsm.parse(url.href) == url and repr(url)
            assert pickle.loads(pickle.dumps(url)) == copy.copy(url) == url


def parse_bytes(text: str, other: str) -> None:
    plain = octets(text).decode("utf-8", "replace")
    base = octets(other).decode("utf-8", "replace")
    assert urlsm.try_parse(octets(text), base=octets(other)) == urlsm.try_parse(plain, base=base)


def parse_with_encoding(text: str, other: str) -> None:
    url = urlsm.try_parse(text, base=other, encoding="windows-1252")
    assert (url is None) == (urlsm.try_parse(text, base=other) is None)
    assert url is None or urlsm.parse(url.href) == url


def explain(text: str, other: str) -> None:
    trace = urlsm.explain(text)
    assert trace.url == urlsm.try_parse(text) and (trace.error is None) is (trace.url is not None)
    assert str(trace) and all(0 <= step.start <= step.end <= len(text) for step in trace.steps)


# --- as written ---


def split(dialect: str) -> Check:
    def check(text: str, other: str) -> None:
        try:
            found = urlsm.split(text, dialect=dialect)
        except ParseError as error:
            assert dialect == "barth"
            spoken(error)
            return
        written = urlsm.unsplit(found)
        if dialect in ("rfc3986", "rfc2396"):
            assert written == text
        assert urlsm.split(written, dialect=dialect) == found
        wanted = tuple(None if part is None else octets(part) for part in fields(found))
        assert fields(urlsm.split(octets(text), dialect=dialect)) == wanted  # type: ignore[arg-type]

    return check


def resolve(dialect: str) -> Check:
    def check(text: str, other: str) -> None:
        try:
            found = urlsm.resolve(text, base=other, dialect=dialect)
        except ParseError as error:
            spoken(error)
        except ValueError:
            assert dialect in ("rfc1738", "stdlib")  # a relative reference; what urljoin raises
        else:
            assert isinstance(found, str)
            if dialect in ("rfc3986", "rfc2396"):
                assert isinstance(urlsm.documents.same_document(text, base=other, dialect=dialect), bool)
            if dialect == "whatwg":
                assert urlsm.resolve(found, base=other) == found == urlsm.parse(text, base=other).href
            if dialect == "rfc3986":
                again = urlsm.resolve(
                    found, base=other, dialect=dialect
                )  # an empty reference keeps the dots of its base's path
                assert urlsm.resolve(again, base=other, dialect=dialect) == again

    return check


def validate(dialect: str) -> Check:
    def check(text: str, other: str) -> None:
        found = urlsm.validate(text, dialect=dialect)
        assert all(0 <= violation.position <= len(text) and violation.message for violation in found)
        if dialect == "whatwg":
            assert any(violation.severity == "fatal" for violation in found) is not urlsm.can_parse(text)
        urlsm.validate(octets(text), dialect=dialect)

    return check


# --- what a scheme means ---


def parts(dialect: str) -> Check:
    def check(text: str, other: str) -> None:
        errors = [violation for violation in urlsm.validate(text, dialect=dialect) if violation.severity == "error"]
        try:
            found = urlsm.parts(text, dialect=dialect)
        except SchemeError as error:
            spoken(error)
            # the older grammars allow texts that the scheme's own handler cannot read
            assert errors or dialect != "rfc3986" or urlsm.split(text, dialect=dialect).scheme is None
        else:
            assert not errors and repr(found) and pickle.loads(pickle.dumps(found)) == found == copy.copy(found)

    return check


def hosts_of(text: str) -> list[str]:
    return [(view.host or "").lower() for view in urlsm.security.compare_readers(text).views.values()]


def normalize(dialect: str) -> Check:
    def check(text: str, other: str) -> None:
        normal = urlsm.normalize(text, dialect=dialect)
        assert urlsm.normalize(normal, dialect=dialect) == normal, normal
        # two texts of http are never equivalent where a reader asks two hosts
        assert urlsm.equivalent(text, normal, dialect=dialect) or hosts_of(text) != hosts_of(normal), normal
        assert urlsm.equivalent(text, other, dialect=dialect) is urlsm.equivalent(other, text, dialect=dialect)

    return check


def meaning(text: str, other: str) -> None:
    url = urlsm.try_parse(text, base=other)
    if url is None:
        return
    assert url.handler is not None and all(violation.code for violation in url.violations())
    try:
        assert repr(url.parts)
    except SchemeError as error:
        spoken(error)


# --- judges ---


def compare(text: str, other: str) -> None:
    found = urlsm.security.compare_readers(text)
    assert found.agree is not urlsm.security.is_ambiguous(text) and str(found) and repr(found)
    assert found.agree or found.differences or any(view.refusal for view in found.views.values())


def audit(text: str, other: str) -> None:
    for hazard in urlsm.security.audit(text):
        assert hazard.code and 0 <= hazard.position <= len(text) and str(hazard)


def is_safe_redirect(text: str, other: str) -> None:
    base = "https://example.org/a/b"
    if urlsm.security.is_safe_redirect(text, base=base):
        url = urlsm.parse(text, base=base)
        assert url.host == "example.org" and url.scheme in ("http", "https")
    hosts = urlsm.split(other).host or "h"
    with contextlib.suppress(ValueError):  # no host can match it
        urlsm.security.is_safe_redirect(text, base=base, allowed_hosts=[hosts])


def safe_join(text: str, other: str) -> None:
    base = "https://example.org/a/b/"
    try:
        found = urlsm.security.safe_join(base, text)
    except ValueError:
        return
    assert found.href.startswith(base), found


def address_kind(text: str, other: str) -> None:
    url = urlsm.try_parse(text)
    kind = urlsm.security.address_kind(text if url is None else url)
    assert kind is None or (kind.name and kind.network and kind.reference)
    assert not urlsm.security.has_public_host(text) or kind is None or kind.public


# --- running text ---


def extract(text: str, other: str) -> None:
    running = f"{other} {text}"
    end = 0
    for match in urlsm.documents.extract_urls(running, base="https://example.org/", guess_scheme=True):
        assert end <= match.start < match.end <= len(running)
        end = match.end
        written = running[match.start : end]
        assert match.text == "".join(written.split()), written
        if match.text != written:  # white space is dropped, but only within <...> and <URL:...>
            assert re.search(r"<\s*(url:\s*)?$", running[: match.start], re.IGNORECASE), written
    assert isinstance(urlsm.documents.unwrap(running), str)
    for match in urlsm.documents.extract_urls(octets(running)):
        assert isinstance(match.url, URL)


def base_url(text: str, other: str) -> None:
    try:
        base = urlsm.documents.base_url(f'<base href="{text}">', enclosing="https://example.org/a")
    except ParseError as error:
        spoken(error)
    else:
        assert base is None or urlsm.parse(base.href) == base


# --- changes ---


def edit(text: str, other: str) -> None:
    """Every change parses back to the requested components, or is refused."""
    url = urlsm.try_parse(text)
    if url is None:
        return
    for name in ("scheme", "username", "password", "host", "path", "query", "fragment"):
        changed(url, lambda name=name: url.replace(**{name: other}))
    changed(url, lambda: url / other)
    for made in (url.with_query({"k": other}), url.without_credentials(), url.without_fragment()):
        assert urlsm.parse(made.href) == made
    assert isinstance(url.display(), str)


def changed(url: URL, change: Callable[[], URL]) -> None:
    try:
        made = change()
    except ValueError:
        return
    assert urlsm.parse(made.href) == made


def relative_to(text: str, other: str) -> None:
    base = urlsm.try_parse(other)
    url = urlsm.try_parse(text, base=base) if base is not None else None
    if url is not None and base is not None:
        assert base.join(url.relative_to(base)) == url


def browser_setters(text: str, other: str) -> None:
    """After each setter, href is a URL, and reads back."""
    if not BrowserURL.can_parse(text):
        return
    for name in SETTERS:
        url = BrowserURL(text)
        setattr(url, name, other)
        again = BrowserURL(url.href)
        if name == "protocol" and url.protocol == "file:" and "|" in url.pathname:
            continue  # the standard's setter keeps a path "/C|", which the parser then reads as "/C:"
        assert again.href == url.href, (name, url.href)
        assert all(getattr(again, each) == getattr(url, each) for each in SETTERS), (name, url.href)
    url = BrowserURL(text)
    url.search_params.append(other, text)
    assert BrowserURL(url.href).href == url.href and url.search_params.get_all(other)


def query_params(text: str, other: str) -> None:
    params = urlsm.QueryParams.parse(text)
    assert urlsm.QueryParams.parse(str(params)) == params
    search = URLSearchParams(text)
    search.append(other, text)
    search.sort()
    assert list(URLSearchParams(str(search)).items()) == list(search.items())


def domain(text: str, other: str) -> None:
    try:
        found = to_ascii(text)
    except IDNAError:
        return
    assert found.isascii() and to_ascii(found) == found


# --- urllib.parse ---


def outcome(function: Callable[..., object], *arguments: object) -> object:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return function(*arguments)
        except Exception as error:
            return type(error), str(error)


def stdlib(name: str, *, pair: bool = False) -> Check:
    def check(text: str, other: str) -> None:
        arguments = (other, text) if pair else (text,)
        found = outcome(getattr(urlsm.stdlib, name), *arguments)
        assert found == outcome(getattr(urllib.parse, name), *arguments), found

    return check


def each(make: Callable[[str], Check], dialects: Iterable[str]) -> dict[str, Check]:
    return {f"{make.__name__} {dialect}": make(dialect) for dialect in dialects}


ENTRIES: dict[str, Check] = {
    **{
        check.__name__: check
        for check in (
            parse,
            parse_bytes,
            parse_with_encoding,
            explain,
            meaning,
            compare,
            audit,
            is_safe_redirect,
            safe_join,
            address_kind,
            extract,
            base_url,
            edit,
            relative_to,
            browser_setters,
            query_params,
            domain,
        )
    },
    **each(split, DIALECTS),
    **each(resolve, DIALECTS),
    **each(validate, ("whatwg", *GRAMMARS)),
    **each(parts, GRAMMARS),
    **each(normalize, GRAMMARS),
    **{f"stdlib.{name}": stdlib(name) for name in STDLIB},
    "stdlib.urljoin": stdlib("urljoin", pair=True),
}
