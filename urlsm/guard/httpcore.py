"""The network of httpcore's pools behind a policy: httpcore.ConnectionPool(network_backend=Backend(policy)).

A backend judges each address that a name leads to, and dials it. It sees no URL: what a policy says of schemes, ports
and redirects, and of the size of an answer, is up to who makes the pool, as urlsm.guard.httpx does.
"""

from __future__ import annotations

from contextlib import contextmanager

import anyio
import anyio.to_thread
import httpcore

from urlsm.guard import policy as _policy
from urlsm.guard.policy import Policy
from urlsm.guard.sockets import exchange_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ssl
    from collections.abc import Iterator
    from typing import Any

__all__ = ["AsyncBackend", "Backend", "Refused"]


class Refused(_policy.Refused, httpcore.NetworkError):
    """The guard refused; an httpcore.NetworkError, with .verdict."""


class _Wire(httpcore.NetworkStream):
    """A connection of which each step ends when the exchange that takes it has no time left."""

    def __init__(self, backend: Backend, stream: httpcore.NetworkStream) -> None:
        self._backend, self._stream = backend, stream

    def _left(self, seconds: float | None) -> float | None:
        return exchange_of(self._backend.policy, self._backend.error).left(seconds)

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, self._left(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, self._left(timeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        return _Wire(self._backend, self._stream.start_tls(ssl_context, server_hostname, self._left(timeout)))

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


@contextmanager
def _resolving() -> Iterator[None]:
    try:
        yield
    except TimeoutError as error:
        raise httpcore.ConnectTimeout(str(error)) from error
    except OSError as error:
        raise httpcore.ConnectError(str(error)) from error


class Backend(httpcore.NetworkBackend):
    """A network backend of httpcore.ConnectionPool that connects only to addresses that a policy allows.

    Args:
        policy: what is allowed. error: what is raised otherwise.
    """

    def __init__(self, policy: Policy, error: type[_policy.Refused] = Refused) -> None:
        self.policy, self.error = policy, error
        self._plain = httpcore.SyncBackend()

    def connect_tcp(
        self, host: str, port: int, timeout: float | None = None, *given: Any, **options: Any
    ) -> httpcore.NetworkStream:
        exchange = exchange_of(self.policy, self.error)
        failed: Exception = httpcore.ConnectError("no address")
        with _resolving():
            addresses = exchange.addresses(host, timeout)
        for address in addresses:
            try:
                return _Wire(self, self._plain.connect_tcp(address, port, exchange.left(timeout), *given, **options))
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failed = error
        raise failed


class AsyncBackend(httpcore.AsyncNetworkBackend):
    """The same as Backend for httpcore.AsyncConnectionPool, under asyncio and trio."""

    def __init__(self, policy: Policy, error: type[_policy.Refused] = Refused) -> None:
        self.policy, self.error = policy, error
        self._plain = httpcore.AnyIOBackend()

    async def connect_tcp(
        self, host: str, port: int, timeout: float | None = None, *given: Any, **options: Any
    ) -> httpcore.AsyncNetworkStream:
        exchange = exchange_of(self.policy, self.error)
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

    async def sleep(self, seconds: float) -> None:
        await anyio.sleep(seconds)
