"""The transports of the httpx clients. Each sends a request and returns its response, within the limits of a policy."""

from __future__ import annotations

from contextlib import suppress

import httpcore
import httpx

from urlsm.errors import ParseError
from urlsm.guard import policy as _policy
from urlsm.guard.answers import limited_answer, time_limit
from urlsm.guard.cookies import cookies_of_host
from urlsm.guard.exchange import Exchange, method_changes
from urlsm.guard.policy import Policy
from urlsm.guard.proxy import is_for_proxy
from urlsm.guard.sockets import within
from urlsm.url.value import URL, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["AsyncTransport", "BlockedError", "Transport", "exchange_for", "request_after"]

# the name under which a request after a redirect carries two facts: the origin that the program requested, and whether
# a redirect has left it. They are stored as an extension, and as an attribute as well, because copies and pickles of a
# request lose extensions
_CHAIN = "_urlsm_guard"


class BlockedError(_policy.BlockedError, httpx.TransportError):
    """A BlockedError that is an httpx.TransportError. The URL of its request is cut off after the host, because the
    rest may be secret."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "_request" and value is not None:
            value = httpx.Request(value.method, value.url.copy_with(userinfo=b"", raw_path=b"/", fragment=None))
        super().__setattr__(name, value)


def _sent(exchange: Exchange, request: httpx.Request) -> httpx.Request:
    """Return the request to send. Its target, its Host field and the TLS server name come from the URL that is checked
    here."""
    url = exchange.judge(str(request.url))
    if request.method == "CONNECT":
        exchange.refuse("proxy")
    read = httpx.URL(url.href)
    if read.raw_host != (url.host or "").strip("[]").encode() or read.port != url.port:
        exchange.refuse("ambiguous")
    fields = request.headers.copy()
    if exchange.crossed:  # hooks of the client may have added credentials
        fields = httpx.Headers(_kept_fields(exchange, request))
        if (cookies := cookies_of_host([exchange.jar], url.href)) is not None:
            fields["Cookie"] = cookies
    fields["Host"] = read.netloc.decode()
    if exchange.policy.proxy is not None:
        for name in filter(is_for_proxy, request.headers):
            del fields[name]
    extensions = {name: given for name, given in request.extensions.items() if name in ("timeout", "trace")}
    extensions["target"] = url.request_target.encode()
    exchange.start_request()
    return httpx.Request(request.method, read, headers=fields, stream=request.stream, extensions=extensions)


def exchange_for(client: Any, request: httpx.Request) -> Exchange:
    """Return the exchange for a call. If the request is the next_request of a response, the exchange inherits two
    values from that response's exchange: the first origin, and whether a redirect has left that origin."""
    exchange = Exchange(client.policy, BlockedError)
    exchange.first, exchange.crossed = getattr(request, _CHAIN, request.extensions.get(_CHAIN, (None, False)))
    exchange.jar = client.cookies.jar
    return exchange


def request_after(
    client: Any, exchange: Exchange, answer: httpx.Response, follow: bool, history: list[httpx.Response]
) -> httpx.Request | None:
    """Return the request that a response redirects to; None if there is none, or if follow is false. If follow is
    false, the request becomes the next_request of the response."""
    history += answer.history  # answers that only asked for authentication
    answer.history, answer.next_request = list(history), None
    if not answer.has_redirect_location:
        return None
    old = parse(str(answer.request.url))
    location = next(value for name, value in answer.headers.raw if name.lower() == b"location")
    if not follow:
        with suppress(ParseError):
            target = old.join_location(location)
            exchange.note_redirect(old, target)
            answer.next_request = _redirected_request(client, exchange, answer, target.without_credentials())
        return None
    if len(history) >= client.max_redirects:
        raise httpx.TooManyRedirects("Exceeded maximum allowed redirects.", request=answer.request)
    history.append(answer)
    return _redirected_request(client, exchange, answer, exchange.follow(old, location))


def _kept_fields(exchange: Exchange, request: httpx.Request, content: bool = True) -> list[tuple[bytes, bytes]]:
    """Return the fields that a request keeps after a redirect, without cookies."""
    names = {*exchange.kept_fields(request.headers, content=content)} - {"cookie"}
    return [(name, value) for name, value in request.headers.raw if name.decode("latin-1").lower() in names]


def _redirected_request(client: Any, exchange: Exchange, answer: httpx.Response, new: URL) -> httpx.Request:
    request = answer.request
    changes = method_changes(request.method, answer.status_code)
    chain = exchange.first, exchange.crossed
    made = httpx.Request(
        "GET" if changes else request.method,
        new.href,
        headers=_kept_fields(exchange, request, content=not changes),
        cookies=None if exchange.crossed else httpx.Cookies(client.cookies),
        stream=None if changes else request.stream,
        extensions={**request.extensions, _CHAIN: chain},
    )
    setattr(made, _CHAIN, chain)
    return made


class Transport(httpx.HTTPTransport):
    def __init__(self, policy: Policy, pool: httpcore.ConnectionPool) -> None:
        self._policy, self._pool = policy, pool

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        with within(self._policy, BlockedError) as exchange:
            sent = _sent(exchange, request)
            with exchange.step(None, httpx.TimeoutException):
                answer = super().handle_request(sent)
            try:
                return limited_answer(exchange, answer, sent.method)
            except BlockedError:
                answer.close()
                raise


class AsyncTransport(httpx.AsyncHTTPTransport):
    def __init__(self, policy: Policy, pool: httpcore.AsyncConnectionPool) -> None:
        self._policy, self._pool = policy, pool

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        with within(self._policy, BlockedError) as exchange:
            sent = _sent(exchange, request)
            with time_limit(exchange):
                answer = await super().handle_async_request(sent)
            try:
                return limited_answer(exchange, answer, sent.method)
            except BlockedError:
                await answer.aclose()
                raise
