"""The network of httpcore's pools behind a policy: httpcore.ConnectionPool(network_backend=Backend(policy)).

It sees no URL, so that schemes, ports, redirects and sizes are not judged: urlsm.guard.httpx does that."""

from __future__ import annotations

from contextlib import contextmanager

import anyio
import anyio.to_thread
import httpcore

from urlsm.guard import policy as _policy
from urlsm.guard.exchange import Exchange
from urlsm.guard.policy import Policy
from urlsm.guard.sockets import exchange_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

__all__ = ["AsyncBackend", "Backend", "Refused"]


class Refused(_policy.Refused, httpcore.NetworkError):
    """The guard refused; an httpcore.NetworkError, with .verdict."""


class _Judging:
    """What a network backend becomes with a policy; error is what it raises when it refuses."""

    policy: Policy
    error: type[_policy.Refused]

    def __init__(self, policy: Policy, error: type[_policy.Refused] = Refused) -> None:
        self.policy, self.error = policy, error

    def exchange(self, host: str, port: int) -> Exchange:
        found = exchange_of(self.policy, self.error)
        found.url = found.url or f"tcp://{host}:{port}"  # that of the log
        return found

    def left(self, seconds: float | None) -> float | None:
        return exchange_of(self.policy, self.error).left(seconds)


@contextmanager
def _resolving() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        kind = httpcore.ConnectTimeout if isinstance(error, TimeoutError) else httpcore.ConnectError
        raise kind(str(error)) from error


class _Wire(httpcore.NetworkStream):
    """A connection of which each step ends when the exchange that takes it has no time left."""

    def __init__(self, left: Callable[[float | None], float | None], stream: httpcore.NetworkStream) -> None:
        self._left, self._stream = left, stream

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, self._left(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, self._left(timeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(self, ssl_context: Any, server_hostname: Any = None, timeout: Any = None) -> httpcore.NetworkStream:
        return _Wire(self._left, self._stream.start_tls(ssl_context, server_hostname, self._left(timeout)))

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


class Backend(_Judging, httpcore.NetworkBackend):
    """A network backend of httpcore.ConnectionPool that connects only to addresses that a policy allows."""

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
                return _Wire(self.left, self._plain.connect_tcp(address, port, self.left(timeout), *given, **options))
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failed = error
        raise failed


class AsyncBackend(_Judging, httpcore.AsyncNetworkBackend):
    """The same as Backend for httpcore.AsyncConnectionPool, under asyncio and trio."""

    _plain = httpcore.AnyIOBackend()

    async def connect_tcp(
        self, host: str, port: int, timeout: float | None = None, *given: Any, **options: Any
    ) -> httpcore.AsyncNetworkStream:
        exchange = self.exchange(host, port)
        with _resolving(), anyio.fail_after(timeout):
            verdict = await anyio.to_thread.run_sync(self.policy.resolve, host, abandon_on_cancel=True)
        if not verdict:
            self.policy.refuse(self.error, verdict, exchange.url)
        failed: Exception = httpcore.ConnectError("no address")
        for address in verdict.addresses:
            try:
                return await self._plain.connect_tcp(address, port, timeout, *given, **options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failed = error
        raise failed

    sleep = httpcore.AnyIOBackend.sleep
