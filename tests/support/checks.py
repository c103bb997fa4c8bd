"""Properties that hold for every URL value; and the rules that a text breaks."""

from __future__ import annotations

import copy
import pickle
import re
from collections.abc import Iterable

from urlsm import URL, can_parse, equivalent, handler, normalize, parse, parts, try_parse, validate
from urlsm.security import is_safe_redirect

COMPONENTS = ("scheme", "username", "password", "host", "port", "path", "query", "fragment")
ATTRIBUTES = ("href", *COMPONENTS, "authority", "origin", "segments")
DEFAULT_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443, "ftp": 21}
SPECIAL = {*DEFAULT_PORTS, "file"}


def allowable(hosts: Iterable[str]) -> list[str]:
    """Return those of these hosts that a list of hosts may hold; others, which no URL has, are refused in one."""

    def fits(host: str) -> bool:
        try:
            return is_safe_redirect("/", base="http://h/", allowed_hosts=[host])
        except ValueError:
            return False

    return [host for host in hosts if fits(host)]


def broken(text: str | bytes, dialect: str = "rfc3986") -> list[tuple[str, int]]:
    """Return the code and place of each rule that a text breaks, without warnings."""
    return [(found.code, found.position) for found in validate(text, dialect=dialect) if found.severity == "error"]


def noted(text: str | bytes, dialect: str = "rfc3986") -> list[tuple[str, int]]:
    """Return the code and place of each rule that a text breaks, also of warnings."""
    return [(found.code, found.position) for found in validate(text, dialect=dialect)]


def check_normal_form(text: str, normal: str) -> None:
    assert normalize(text) == normal == normalize(normal)
    assert equivalent(text, normal)


def check_equivalence(a: str, b: str, same: bool) -> None:
    """Check equivalence, also of each text with its normal form."""
    assert equivalent(a, b) is same
    for text in (a, b):
        check_normal_form(text, normalize(text))


def check_build(scheme: str, given: dict[str, object], wanted: str) -> None:
    """Check build, also from the parts of the text."""
    assert handler(scheme).build(**given) == wanted
    assert handler(scheme).build(**parts(wanted)) == wanted


def components(url: URL) -> dict[str, object]:
    return {name: getattr(url, name) for name in COMPONENTS}


def attributes(url: URL) -> dict[str, object]:
    return {name: getattr(url, name) for name in ATTRIBUTES}


def unescape(text: str) -> str:
    """Percent-decoded, as UTF-8; octets that are not UTF-8 become lone surrogates."""
    octets = re.sub(rb"%([0-9A-Fa-f]{2})", lambda m: bytes([int(m[1], 16)]), text.encode())
    return octets.decode("utf-8", "surrogateescape")


def read_serialised(text: str) -> dict[str, object]:
    """Return the components of a URL in normal form, read with str methods: independent, and wrong for any other
    text."""
    rest, hash_, fragment = text.partition("#")
    rest, question, query = rest.partition("?")
    scheme, _, rest = rest.partition(":")
    found: dict[str, object] = dict.fromkeys((*COMPONENTS, "authority"))
    found |= {"scheme": scheme, "query": query if question else None, "fragment": fragment if hash_ else None}
    opaque = not rest.startswith("/")
    if rest.startswith("//"):
        authority, slash, path = rest[2:].partition("/")
        rest = slash + path
        userinfo, _, hostport = authority.rpartition("@")
        username, _, password = userinfo.partition(":")
        host, port = re.fullmatch(r"(\[[0-9a-f:]+\]|[^:]*)(?::([0-9]+))?", hostport).groups()
        found |= {"authority": authority, "username": username or None, "password": password or None}
        found |= {"host": host, "port": int(port) if port else None}
        opaque = False
    elif rest.startswith("/.//"):
        rest = rest[2:]
    found["path"] = rest
    found["segments"] = () if opaque or not rest else tuple(map(unescape, rest[1:].split("/")))
    if scheme in DEFAULT_PORTS:
        port = f":{found['port']}" if found["port"] is not None else ""
        found["origin"] = f"{scheme}://{found['host']}{port}"
    elif scheme == "blob":
        inner = try_parse(rest)
        found["origin"] = inner.origin if inner is not None and inner.scheme in ("http", "https") else "null"
    else:
        found["origin"] = "null"
    return found


def check_url(url: URL) -> URL:
    """Assert all that holds for every URL, and return it."""
    text = str(url)
    assert type(url) is URL and type(text) is str and text is url.href and text.isascii()
    assert not re.search(r"[\x00-\x1f\x7f]", text)
    found = attributes(url)
    assert found == {"href": text, **read_serialised(text)}, text
    for name, value in found.items():
        assert value is None or type(value) is (int if name == "port" else tuple if name == "segments" else str), name
    if url.scheme in SPECIAL:
        assert url.path.startswith("/") and url.host is not None and (url.host or url.scheme == "file")
        assert url.port is None or url.port != DEFAULT_PORTS.get(url.scheme)

    # parsing it again changes nothing, and keeps the caller's own string
    assert can_parse(text) and can_parse(text.encode())
    again = parse(text)
    assert again == url and attributes(again) == found
    assert again.href is text
    assert parse(text.encode()) == url == parse(url) == URL(text) == try_parse(text)

    # a value
    assert hash(again) == hash(url) and (again != url) is False and url <= again and url >= again and not url < again
    assert url != text and (url < parse(text + "~" if "#" in text else text + "#~"))
    assert copy.copy(url) == url == copy.deepcopy(url)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        thawed = pickle.loads(pickle.dumps(url, protocol))
        assert type(thawed) is URL and thawed == url and attributes(thawed) == found

    # what is secret stays so
    shown = text
    if url.password is not None:
        start = len(f"{url.scheme}://{url.username or ''}:")
        assert text[start:].startswith(url.password + "@")
        shown = text[:start] + "***" + text[start + len(url.password) :]
    within = f"{url.path}?{url.query}#{url.fragment}"
    if "@" not in within and "password" not in within.lower():  # another dialect may find a password in it
        assert repr(url) == f"URL({shown!r})"
    return url
