from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, final

from urlsm.security.verdict import Verdict
from urlsm.url.value import URL

@final
class Hosts:
    @property
    def flavor(self) -> Literal["django", "starlette"] | None: ...
    def __new__(cls, entries: Iterable[str], *, flavor: Literal["django", "starlette"] | None = None) -> Hosts: ...
    def check(self, header: str | bytes | None) -> Verdict: ...
    def __contains__(self, header: str | bytes | None, /) -> bool: ...

def from_request_target(
    target: str | bytes,
    *,
    host: str | bytes | None,
    scheme: str,
    method: str,
    peer: str | None = None,
    headers: Iterable[tuple[str | bytes, str | bytes]] = (),
    trusted_proxies: Hosts | Iterable[str] | int = (),
    forwarded: Literal["forwarded", "x-forwarded"] | None = None,
    dots: Literal["refuse", "resolve"] = "refuse",
) -> URL: ...
def from_scope(
    scope: Mapping[str, Any],
    *,
    trusted_proxies: Hosts | Iterable[str] | int = (),
    forwarded: Literal["forwarded", "x-forwarded"] | None = None,
    dots: Literal["refuse", "resolve"] = "refuse",
) -> URL: ...
def from_environ(
    environ: Mapping[str, Any],
    *,
    trusted_proxies: Hosts | Iterable[str] | int = (),
    forwarded: Literal["forwarded", "x-forwarded"] | None = None,
    dots: Literal["refuse", "resolve"] = "refuse",
) -> URL: ...
def lies_in(hosts: Hosts, node: str) -> bool: ...
def membership(entries: Hosts | Iterable[str]) -> Callable[[str], bool]: ...
