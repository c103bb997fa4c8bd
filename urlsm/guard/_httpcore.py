"""Network backends with a policy, for httpcore's pools. They see no URLs, so they cannot check schemes, ports,
redirects or sizes; the clients in _httpx can."""

from __future__ import annotations

from contextlib import contextmanager

import anyio
import anyio.to_thread
import httpcore

from urlsm.guard import policy as _policy
from urlsm.guard.exchange import Exchange
from urlsm.guard.policy import Policy, checked_policy, refusal
from urlsm.guard.sockets import exchange_of
from urlsm.guard.wires import AsyncWire, Wire, aopen_tunnel, open_tunnel
from urlsm.url.value import try_parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

__all__ = ["AsyncHttpcoreBackend", "BlockedError", "HttpcoreBackend"]


class BlockedError(_policy.BlockedError, httpcore.NetworkError):
    """A BlockedError that is an httpcore.NetworkError."""


class _Judging:
    """The base of network backends with a policy."""

    policy: Policy
    error: type[_policy.BlockedError]

    def __init__(self, policy: Policy) -> None:
        policy = checked_policy(policy)
        if policy.domains is not None and policy.domains.syntax != "domains":
            named = policy.domains.syntax
            raise ValueError(f"policy.domains must use the syntax 'domains', not {named!r}: this backend sees no URLs")
        self.policy, self.error = policy, BlockedError

    def _exchange(self, host: str, port: int) -> Exchange:
        found = exchange_of(self.policy, self.error)
        found.url = found.url or f"tcp://{host}:{port}"  # the log shows the URL
        return found

    def _tunnel(self, exchange: Exchange, host: str, port: int) -> bytes | None:
        """Return the request for a tunnel through the proxy; None if there is no proxy. The host is checked here,
        because its URL may not have been checked."""
        if self.policy.proxy is None:
            return None
        read = try_parse(f"https://{f'[{host}]' if ':' in host else host}:{port}/")
        verdict = refusal("not-a-url") if read is None else self.policy.resolve(read.host or "")
        if read is None or not verdict.allowed:
            self.policy._refuse(self.error, verdict, exchange.url)
        return self.policy.proxy.connect(f"{read.host}:{port}")

    def _running(self) -> Exchange:
        return exchange_of(self.policy, self.error)


@contextmanager
def _resolving() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        kind = httpcore.ConnectTimeout if isinstance(error, TimeoutError) else httpcore.ConnectError
        raise kind(str(error)) from error


class HttpcoreBackend(_Judging, httpcore.NetworkBackend):
    """A network backend for httpcore.ConnectionPool that connects only to addresses that a policy allows.

    It sees hosts but not URLs, so it does not check schemes, ports, redirects or the size of a response.

    Args:
        policy: the Policy to enforce.

    Raises:
        ValueError: `policy.domains` does not use the syntax "domains"; any other syntax needs whole URLs.

    Example:
        >>> import httpcore
        >>> pool = httpcore.ConnectionPool(network_backend=HttpcoreBackend(Policy()))
    """

    _plain = httpcore.SyncBackend()

    def connect_tcp(
        self, host: str, port: int, timeout: float | None = None, *given: Any, **options: Any
    ) -> httpcore.NetworkStream:
        exchange = self._exchange(host, port)
        failed: Exception = httpcore.ConnectError("no address")
        with _resolving():
            addresses = exchange.addresses(host, timeout)
        for address in addresses:
            try:
                made = self._plain.connect_tcp(
                    address, exchange.port(port), self._running().seconds_left(timeout), *given, **options
                )
                return open_tunnel(Wire(self._running, made), self._tunnel(exchange, host, port), timeout)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failed = error
        raise failed


class AsyncHttpcoreBackend(_Judging, httpcore.AsyncNetworkBackend):
    """A network backend like HttpcoreBackend, for httpcore.AsyncConnectionPool (asyncio and trio).

    Args:
        policy: the Policy to enforce.

    Raises:
        ValueError: `policy.domains` does not use the syntax "domains"; any other syntax needs whole URLs.

    Example:
        >>> import httpcore
        >>> pool = httpcore.AsyncConnectionPool(network_backend=AsyncHttpcoreBackend(Policy()))
    """

    _plain = httpcore.AnyIOBackend()

    async def connect_tcp(
        self, host: str, port: int, timeout: float | None = None, *given: Any, **options: Any
    ) -> httpcore.AsyncNetworkStream:
        exchange = self._exchange(host, port)
        with _resolving(), anyio.fail_after(timeout):
            # in a thread of its own: unanswered look-ups would use up the threads that the program shares
            verdict = await anyio.to_thread.run_sync(
                self.policy._reached, host, abandon_on_cancel=True, limiter=anyio.CapacityLimiter(1)
            )
        if not verdict:
            self.policy._refuse(self.error, verdict, exchange.url)
        failed: Exception = httpcore.ConnectError("no address")
        for address in verdict.addresses:
            try:
                made = await self._plain.connect_tcp(address, exchange.port(port), timeout, *given, **options)
                return await aopen_tunnel(AsyncWire(self._running, made), self._tunnel(exchange, host, port), timeout)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failed = error
        raise failed

    sleep = httpcore.AnyIOBackend.sleep


HttpcoreBackend.__module__ = AsyncHttpcoreBackend.__module__ = "urlsm.guard"
