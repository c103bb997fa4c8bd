"""aiohttp with a policy: async with aiohttp_session(policy) as session: await session.get(url)."""

from __future__ import annotations

import asyncio
import warnings
from collections.abc import Mapping
from http.cookies import Morsel

import aiohttp
import yarl
from multidict import CIMultiDict

from urlsm.guard.connector import AiohttpConnector, BlockedError
from urlsm.guard.cookies import is_public_suffix
from urlsm.guard.exchange import CODINGS, REDIRECTS, Exchange, method_changes, stay_inside, translating
from urlsm.guard.policy import Policy, checked_policy
from urlsm.guard.sockets import as_current, exchange_of
from urlsm.guard.versions import require_tested
from urlsm.url.value import try_parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["AiohttpConnector", "BlockedError", "aiohttp_session"]

_PAST = {"proxy", "proxy_auth", "proxy_headers", "server_hostname", "trust_env", "request_class"}


def _fields(given: Any, exchange: Exchange, **options: bool) -> CIMultiDict[str]:
    """Return the given fields that the next request of an exchange keeps."""
    fields = CIMultiDict(given or ())
    names = set(exchange.kept_fields(fields, **options))
    return CIMultiDict([(name, value) for name, value in fields.items() if name in names])


class _Request(aiohttp.ClientRequest):
    """A request whose Host field matches its URL, and which sends no credentials after a redirect to another origin."""

    def __init__(self, method: str, url: yarl.URL, **given: Any) -> None:
        session = given["session"]
        exchange = exchange_of(session.connector.policy, BlockedError)
        given["headers"] = _fields(given["headers"], exchange)
        if exchange.crossed:
            shared = {morsel.key for morsel in session.cookie_jar if not morsel["domain"]}  # cookies for any host
            cookies = {name: morsel for name, morsel in given["cookies"].items() if name not in shared}
            given.update(auth=None, cookies=cookies)
        super().__init__(method, url, **given)


class _Jar(aiohttp.CookieJar):
    """A cookie jar that accepts no cookie for a public suffix, unless the host is the suffix itself. Then the cookie is
    for this host alone."""

    def _update_cookies(self, cookies: Any, response_url: yarl.URL, **options: Any) -> None:
        host, taken = response_url.raw_host, []
        for name, cookie in cookies.items() if isinstance(cookies, Mapping) else cookies:
            domain = cookie["domain"] if host and isinstance(cookie, Morsel) else ""
            if is_public_suffix(domain):
                if domain.strip(".").lower() != host:
                    continue
                cookie = cookie.copy()
                cookie["domain"] = ""
            taken.append((name, cookie))
        super()._update_cookies(taken, response_url, **options)


with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # aiohttp discourages inheritance, but there is no other hook

    class _Session(aiohttp.ClientSession):
        async def _request(
            self, method: str, str_or_url: Any, *, allow_redirects: bool = True, max_redirects: int = 10, **options: Any
        ) -> aiohttp.ClientResponse:
            stay_inside(options, _PAST)
            history: list[aiohttp.ClientResponse] = []
            asked: Any = str(str_or_url)
            if self._base_url is not None and try_parse(asked) is None:
                asked = try_parse(asked, base=str(self._base_url)) or asked
            connector: Any = self.connector
            with as_current(Exchange(connector.policy, BlockedError)) as exchange:
                url = exchange.judge(asked)
                while True:
                    answer = await self._answer(exchange, method, yarl.URL(url.href, encoded=True), options)
                    location = next((value for name, value in answer.raw_headers if name.lower() == b"location"), b"")
                    if not allow_redirects or answer.status not in REDIRECTS or not location:
                        break
                    answer.release()
                    history.append(answer)
                    if max_redirects and len(history) >= max_redirects:
                        raise aiohttp.TooManyRedirects(history[0].request_info, tuple(history))
                    url = exchange.follow(url, location)
                    options["params"] = None
                    if exchange.crossed:  # a middleware may add credentials
                        options.update(auth=None, cookies=None, middlewares=())
                    if method_changes(method.upper(), answer.status):
                        method, fields = "GET", _fields(options.get("headers"), exchange, content=False)
                        options.update(data=None, json=None, headers=fields)
                    elif not isinstance(options.get("data"), (str, bytes, dict, type(None))):
                        raise aiohttp.ClientPayloadError("the content of the request cannot be sent again")
            answer._history = tuple(history)
            return answer

        async def _answer(self, exchange: Exchange, method: str, url: yarl.URL, options: Any) -> aiohttp.ClientResponse:
            exchange.start_request()
            left = exchange.seconds_left()
            asking = super()._request(method, url, allow_redirects=False, **options)
            with exchange.step(None, asyncio.TimeoutError):
                answer = await asyncio.wait_for(asking, None if left is None else left + 0.01)
            with translating(BlockedError, BlockedError, answer):
                exchange.note_header()
                exchange.check_length(None if answer.method == "HEAD" else answer.headers.get("Content-Length"))
                codings = answer.headers.getall("Content-Encoding", ())
                if len(codings) > 1 or any(name.lower() in ("br", "zstd") for name in codings):
                    exchange.refuse("coding")  # aiohttp would obey only the last of several fields
                protocol: Any = answer.connection and answer.connection.protocol
                if protocol is not None:  # more of the content follows
                    protocol.limit_rest(exchange.seconds_left())
            return answer


def aiohttp_session(
    policy: Policy, *, allow_untested: bool = False, connector: AiohttpConnector | None = None, **options: Any
) -> aiohttp.ClientSession:
    """Return an aiohttp.ClientSession that requests only URLs that a policy allows.

    A WebSocket URL must start with http or https. Only aiohttp's own limits apply to WebSockets.

    Args:
        policy: the Policy to enforce.
        allow_untested: whether to accept an untested version of aiohttp, with a warning.
        connector: an AiohttpConnector with this policy, if you need to set connector options.
        options: options for aiohttp.ClientSession.

    Raises:
        RuntimeError: this version of aiohttp has not been tested.
        TypeError: an option would bypass the policy, or `connector` is not an AiohttpConnector with this policy.

    Example:
        >>> async def fetch(url):
        ...     async with aiohttp_session(Policy()) as session, session.get(url) as response:
        ...         return await response.text()
    """
    require_tested(allow_untested, aiohttp)
    stay_inside(options, _PAST)
    policy = checked_policy(policy)
    connector = AiohttpConnector(policy) if connector is None else connector
    if options.get("cookie_jar") is None:
        options["cookie_jar"] = _Jar()
    if not isinstance(connector, AiohttpConnector) or connector.policy != policy:
        raise TypeError("connector must be an AiohttpConnector with this policy")
    fields = CIMultiDict(options.pop("headers", None) or ())
    fields.setdefault("Accept-Encoding", CODINGS)
    return _Session(connector=connector, headers=fields, request_class=_Request, **options)


aiohttp_session.__module__ = "urlsm.guard"
