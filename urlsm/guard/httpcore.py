"""A network backend for httpcore's pools behind a policy: httpcore.ConnectionPool(network_backend=Backend(policy)).

The backend sees no URLs, so it cannot judge schemes, ports, redirects and sizes; urlsm.guard.httpx can."""

from __future__ import annotations

from contextlib import contextmanager

import anyio
import anyio.to_thread
import httpcore

from urlsm.guard import policy as _policy
from urlsm.guard.exchange import Exchange
from urlsm.guard.policy import Policy, refusal
from urlsm.guard.sockets import exchange_of
from urlsm.guard.wires import AsyncWire, Wire, aopen_tunnel, open_tunnel
from urlsm.url.value import try_parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

__all__ = ["AsyncBackend", "Backend", "Refused"]


class Refused(_policy.Refused, httpcore.NetworkError):
    """A refusal of the guard; also an httpcore.NetworkError. Its attribute verdict says why."""


class _Judging:
    """The base of network backends with a policy. error: the class of exception for a refusal."""

    policy: Policy
    error: type[_policy.Refused]

    def __init__(self, policy: Policy, error: type[_policy.Refused] | None = None) -> None:
        if error is None and policy.hosts is not None and policy.hosts.syntax != "domains":
            # if error is given, a client of urlsm.guard made this object, and judges the URLs first
            raise ValueError(f"hosts of the syntax {policy.hosts.syntax!r} needs URLs, but this sees hosts alone")
        self.policy, self.error = policy, error or Refused

    def exchange(self, host: str, port: int) -> Exchange:
        found = exchange_of(self.policy, self.error)
        found.url = found.url or f"tcp://{host}:{port}"  # the log shows the URL
        return found

    def tunnel(self, exchange: Exchange, host: str, port: int) -> bytes | None:
        """Return the request for a tunnel through the proxy; None if there is no proxy. The host is judged here,
        because its URL may not have been judged."""
        if self.policy.proxy is None:
            return None
        read = try_parse(f"https://{f'[{host}]' if ':' in host else host}:{port}/")
        verdict = refusal("not-a-url") if read is None else self.policy.resolve(read.host or "")
        if read is None or not verdict.allowed:
            self.policy.refuse(self.error, verdict, exchange.url)
        return self.policy.proxy.connect(f"{read.host}:{port}")

    def running(self) -> Exchange:
        return exchange_of(self.policy, self.error)


@contextmanager
def _resolving() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        kind = httpcore.ConnectTimeout if isinstance(error, TimeoutError) else httpcore.ConnectError
        raise kind(str(error)) from error


class Backend(_Judging, httpcore.NetworkBackend):
    """A network backend of httpcore.ConnectionPool that connects only to addresses that a policy allows.

    Raises ValueError if the policy's hosts are of another syntax than "domains", because they cannot judge a host
    without its URL.
    """

    _plain = httpcore.SyncBackend()

    def connect_tcp(
        self, host: str, port: int, timeout: float | None = None, *given: Any, **options: Any
    ) -> httpcore.NetworkStream:
        exchange = self.exchange(host, port)
        failed: Exception = httpcore.ConnectError("no address")
        with _resolving():
            addresses = exchange.addresses(host, timeout)
        for address in addresses:
            try:
                made = self._plain.connect_tcp(
                    address, exchange.port(port), self.running().seconds_left(timeout), *given, **options
                )
                return open_tunnel(Wire(self.running, made), self.tunnel(exchange, host, port), timeout)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failed = error
        raise failed


class AsyncBackend(_Judging, httpcore.AsyncNetworkBackend):
    """A backend like Backend, for httpcore.AsyncConnectionPool under asyncio and trio."""

    _plain = httpcore.AnyIOBackend()

    async def connect_tcp(
        self, host: str, port: int, timeout: float | None = None, *given: Any, **options: Any
    ) -> httpcore.AsyncNetworkStream:
        exchange = self.exchange(host, port)
        with _resolving(), anyio.fail_after(timeout):
            # in a thread of its own: unanswered look-ups would use up the threads that the program shares
            verdict = await anyio.to_thread.run_sync(
                self.policy.reached, host, abandon_on_cancel=True, limiter=anyio.CapacityLimiter(1)
            )
        if not verdict:
            self.policy.refuse(self.error, verdict, exchange.url)
        failed: Exception = httpcore.ConnectError("no address")
        for address in verdict.addresses:
            try:
                made = await self._plain.connect_tcp(address, exchange.port(port), timeout, *given, **options)
                return await aopen_tunnel(AsyncWire(self.running, made), self.tunnel(exchange, host, port), timeout)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failed = error
        raise failed

    sleep = httpcore.AnyIOBackend.sleep
