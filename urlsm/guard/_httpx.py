"""httpx with a policy: httpx_client(policy).get(url), and httpx_async_client for asyncio and trio."""

from __future__ import annotations

import httpcore
import httpx

from urlsm.guard import policy as _policy
from urlsm.guard._httpcore import AsyncHttpcoreBackend, HttpcoreBackend
from urlsm.guard.cookies import SuffixPolicy
from urlsm.guard.exchange import CODINGS, Exchange, stay_inside
from urlsm.guard.policy import Policy, checked_policy
from urlsm.guard.sockets import as_current
from urlsm.guard.transports import AsyncTransport, BlockedError, Transport, exchange_for, request_after
from urlsm.guard.versions import require_tested
from urlsm.url.value import try_parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["BlockedError", "httpx_async_client", "httpx_client"]

_PAST = {"transport", "mounts", "proxy", "proxies", "app", "uds", "network_backend"}
_OF_POOL = ("http1", "http2", "retries", "local_address", "socket_options")
_DEFAULT: Any = httpx.USE_CLIENT_DEFAULT


class _OfClient:
    """The first base class of backends for these clients. The clients check each URL first, so `domains` may use any
    syntax."""

    policy: Policy
    error: type[_policy.BlockedError]

    def __init__(self, policy: Policy) -> None:
        self.policy, self.error = policy, BlockedError


class _Backend(_OfClient, HttpcoreBackend):
    pass


class _AsyncBackend(_OfClient, AsyncHttpcoreBackend):
    pass


class _Guarded:
    """The first base class of clients with a policy. It overrides methods of the second base class, which is
    httpx.Client or httpx.AsyncClient."""

    policy: Policy
    base_url: httpx.URL
    _cookies: httpx.Cookies

    @property
    def cookies(self) -> httpx.Cookies:
        return self._cookies

    @cookies.setter
    def cookies(self, cookies: Any) -> None:
        self._cookies = httpx.Cookies(cookies)
        if self._cookies.jar is not cookies:  # a jar given by the program keeps its policy
            self._cookies.jar.set_policy(SuffixPolicy())

    def _merge_url(self, url: httpx.URL | str) -> httpx.URL:
        if isinstance(url, str) and (not self.base_url.host or try_parse(url) is not None):
            url = Exchange(self.policy, BlockedError).judge(url).href  # judged as given, before httpx parses it
        return super()._merge_url(url)  # type: ignore[misc, no-any-return]

    def _build_redirect_request(self, request: httpx.Request, response: httpx.Response) -> httpx.Request:
        return request  # not httpx but transports.request_after reads Location


class _Client(_Guarded, httpx.Client):
    def send(
        self, request: httpx.Request, *, stream: bool = False, auth: Any = _DEFAULT, follow_redirects: Any = _DEFAULT
    ) -> httpx.Response:
        follow = self.follow_redirects if follow_redirects is _DEFAULT else follow_redirects
        history: list[httpx.Response] = []
        with as_current(exchange_for(self, request)) as exchange:
            while True:
                auth = None if exchange.crossed else auth
                answer = super().send(request, stream=True, auth=auth, follow_redirects=False)
                try:
                    then = request_after(self, exchange, answer, follow, history)
                    if then is not None or not stream:
                        answer.read()
                except BaseException:
                    answer.close()
                    raise
                if then is None:
                    return answer
                request = then


class _AsyncClient(_Guarded, httpx.AsyncClient):
    async def send(
        self, request: httpx.Request, *, stream: bool = False, auth: Any = _DEFAULT, follow_redirects: Any = _DEFAULT
    ) -> httpx.Response:
        follow = self.follow_redirects if follow_redirects is _DEFAULT else follow_redirects
        history: list[httpx.Response] = []
        with as_current(exchange_for(self, request)) as exchange:
            while True:
                auth = None if exchange.crossed else auth
                answer = await super().send(request, stream=True, auth=auth, follow_redirects=False)
                try:
                    then = request_after(self, exchange, answer, follow, history)
                    if then is not None or not stream:
                        await answer.aread()
                except BaseException:
                    await answer.aclose()
                    raise
                if then is None:
                    return answer
                request = then


def _make(
    kind: Any, transport: Any, pool: Any, backend: Any, policy: Policy, allow_untested: bool, options: Any
) -> Any:
    policy = checked_policy(policy)
    require_tested(allow_untested, httpx, httpcore)
    stay_inside(options, _PAST)
    given = {name: options.pop(name) for name in _OF_POOL if name in options}
    limits = options.pop("limits", httpx.Limits(max_connections=100, max_keepalive_connections=20))
    tls = [options.pop(name, default) for name, default in (("verify", True), ("cert", None), ("trust_env", True))]
    context = httpx.create_ssl_context(*tls)
    connections = pool(context, network_backend=backend(policy), **vars(limits), **given)
    http2 = given.get("http2", False)  # (if h2 is not installed, httpx raises an error that says so)
    made = kind(transport=transport(policy, connections), trust_env=False, http2=http2, **options)
    made.policy = policy
    made.cookies = options.get("cookies")
    if "Accept-Encoding" not in httpx.Headers(options.get("headers")):
        made.headers["Accept-Encoding"] = CODINGS
    return made


def httpx_client(policy: Policy, *, allow_untested: bool = False, **options: Any) -> httpx.Client:
    """Return an httpx.Client that requests only URLs that a policy allows.

    Args:
        policy: the Policy to enforce.
        allow_untested: whether to accept untested versions of httpx and httpcore, with a warning.
        options: options for httpx.Client and httpx.HTTPTransport. `trust_env` affects only certificates.

    Raises:
        RuntimeError: this version of httpx or httpcore has not been tested.
        TypeError: an option, such as `transport`, `mounts` or `proxy`, would bypass the policy.

    Example:
        >>> with httpx_client(Policy()) as client:
        ...     try:
        ...         client.get("http://127.0.0.1/")
        ...     except BlockedError as blocked:
        ...         blocked.verdict.codes
        ('loopback-address',)
    """
    kinds = (_Client, Transport, httpcore.ConnectionPool, _Backend)
    made: httpx.Client = _make(*kinds, policy, allow_untested, options)
    return made


def httpx_async_client(policy: Policy, *, allow_untested: bool = False, **options: Any) -> httpx.AsyncClient:
    """Return an httpx.AsyncClient that requests only URLs that a policy allows.

    Args:
        policy: the Policy to enforce.
        allow_untested: whether to accept untested versions of httpx and httpcore, with a warning.
        options: options for httpx.AsyncClient and httpx.AsyncHTTPTransport. `trust_env` affects only certificates.

    Raises:
        RuntimeError: this version of httpx or httpcore has not been tested.
        TypeError: an option, such as `transport`, `mounts` or `proxy`, would bypass the policy.

    Example:
        >>> async def fetch(url):
        ...     async with httpx_async_client(Policy()) as client:
        ...         return (await client.get(url)).text
    """
    kinds = (_AsyncClient, AsyncTransport, httpcore.AsyncConnectionPool, _AsyncBackend)
    made: httpx.AsyncClient = _make(*kinds, policy, allow_untested, options)
    return made


httpx_client.__module__ = httpx_async_client.__module__ = "urlsm.guard"
