"""The syntax "surt": prefixes of SURTs, as in Heritrix's scopes and pywb's access lists.

A SURT is a URL with the labels of its host in reverse order: "http://(org,example,www,)/a". A prefix that ends within
the host includes all its subdomains. http://crawler.archive.org/articles/user_manual/glossary.html#surt
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from urlsm.patterns.errors import PatternError
from urlsm.patterns.rule import BOTH, EXACT, NO_PORT, Rule
from urlsm.patterns.syntax import Syntax, host_key
from urlsm.url.value import try_parse

__all__ = ["SYNTAX"]

_PREFIX = re.compile(r"(?:([A-Za-z][A-Za-z0-9+.-]*)://)?\(?([^()/:?#]*)(?::([0-9]{1,5}))?(\)?)(/.*)?", re.DOTALL)

_DEFAULT = tuple((port, port) for port in (80, 443, 21, NO_PORT))


def rules(pattern: str, options: dict[str, Any]) -> Iterator[Rule]:
    """Yield the rules for a line. "http://(org,example,)/a" and the key "org,example)/a" mean a host and a prefix of
    its paths. "org,example" and Heritrix's "+http://(org,example," mean that name and all its subdomains. A URL means
    its directory ("http://example.org/a/b") or, if it has no path, the name and all its subdomains."""
    text = pattern.removeprefix("+").strip()
    if "(" not in text and "," not in text and ")" not in text and ("://" in text or "." in text):
        url = try_parse(text if "://" in text else f"http://{text}")
        if url is None or not url.host:
            raise PatternError("not-a-surt", "this is neither a SURT nor a URL", pattern)
        key = host_key(url.host, pattern)
        with_path = text.partition("://")[2].partition("/")[1] if "://" in text else "/" in text
        schemes = (url.scheme,) if "://" in text else None
        path = url.path[: url.path.rfind("/") + 1]  # Heritrix takes the directory of the URL
        yield from _made(
            schemes, key, bool(with_path), None if url.port is None else url.port, path if with_path else ""
        )
        return
    found = _PREFIX.fullmatch(text)
    if found is None or not found[2].strip(","):
        raise PatternError("not-a-surt", "write scheme://(labels,of,the,host,)/path", pattern)
    scheme, labels, port, closed, path = found.groups()
    if path and not closed:
        raise PatternError("not-a-surt", "close the host with ')' before the path", pattern, found.start(5))
    if port and int(port) > 0xFFFF:
        raise PatternError("not-a-port", f"{port!r} is not a port", pattern, found.start(3))
    at = found.start(2)
    is_address = re.fullmatch(r"[0-9]+(?:\.[0-9]+){3}", labels.strip(",")) is not None
    name = labels.strip(",") if is_address else ".".join(reversed(labels.rstrip(",").split(",")))
    yield from _made((scheme.lower(),) if scheme else None, host_key(name, pattern, at), bool(closed),
                     int(port) if port else None, path or "")  # fmt: skip


def _made(schemes: tuple[str, ...] | None, key: bytes, closed: bool, port: int | None, path: str) -> Iterator[Rule]:
    """Yield the rules of a SURT. closed: whether only this host is meant, and no host below it. port: the port of the
    SURT ("com,a:8080)/"), which a URL must have. If it is None, a URL must have a default port if the SURT is closed,
    and may have any port if it is not. path: a prefix of paths. SURTs of archives do not distinguish http from
    https."""
    if schemes in (("http",), ("https",)):
        schemes = ("http", "https")
    octets = path.encode("utf-8", "surrogatepass")
    checks: tuple[Any, ...] = () if octets in (b"", b"/") else (("target", (octets,)),)
    ports = ((port, port),) if port is not None else _DEFAULT if closed else None
    yield Rule(schemes=schemes, host=(EXACT if closed or key[0] < 8 else BOTH, key), ports=ports, checks=checks)


SYNTAX = Syntax("surt", rules=rules, careful=True)
