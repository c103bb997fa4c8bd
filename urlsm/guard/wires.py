"""httpcore connections with limits on the time and on the bytes received, and with the tunnel through a proxy."""

from __future__ import annotations

import anyio
import httpcore

from urlsm.guard.proxy import take_answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from urlsm.guard.exchange import Exchange

__all__ = ["AsyncWire", "Wire", "aopen_tunnel", "open_tunnel"]


class Wire(httpcore.NetworkStream):
    """A connection that belongs to an exchange. Each step ends when the exchange runs out of time, and tells the
    exchange how many bytes arrived."""

    def __init__(self, running: Callable[[], Exchange], stream: httpcore.NetworkStream) -> None:
        self._running, self._stream = running, stream

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        exchange = self._running()
        found = self._stream.read(max_bytes, exchange.seconds_left(timeout))
        exchange.count(len(found))
        return found

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, self._running().seconds_left(timeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(self, ssl_context: Any, server_hostname: Any = None, timeout: Any = None) -> httpcore.NetworkStream:
        made = self._stream.start_tls(ssl_context, server_hostname, self._running().seconds_left(timeout))
        return Wire(self._running, made)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


class AsyncWire(httpcore.AsyncNetworkStream):
    """A connection like Wire, for asyncio and trio. A context manager around the calls sets the time limit."""

    def __init__(self, running: Callable[[], Exchange], stream: httpcore.AsyncNetworkStream) -> None:
        self._running, self._stream = running, stream

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        found = await self._stream.read(max_bytes, timeout)
        self._running().count(len(found))
        return found

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        await self._stream.write(buffer, timeout)

    async def aclose(self) -> None:
        await self._stream.aclose()

    async def start_tls(
        self, ssl_context: Any, server_hostname: Any = None, timeout: Any = None
    ) -> httpcore.AsyncNetworkStream:
        return AsyncWire(self._running, await self._stream.start_tls(ssl_context, server_hostname, timeout))

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


def open_tunnel(stream: httpcore.NetworkStream, request: bytes | None, timeout: float | None) -> httpcore.NetworkStream:
    """Open the tunnel that `request` asks for, through the proxy at the other end of a connection. Return the
    connection. If request is None, return the connection unchanged."""
    if request is not None:
        try:
            stream.write(request, timeout)
            head = bytearray()
            while not take_answer(head, stream.read(1 << 12, timeout)):
                pass
        except BaseException as error:
            stream.close()
            if isinstance(error, OSError):
                raise httpcore.ProxyError(str(error)) from error
            raise
    return stream


async def aopen_tunnel(
    stream: httpcore.AsyncNetworkStream, request: bytes | None, timeout: float | None
) -> httpcore.AsyncNetworkStream:
    """The async version of open_tunnel(), for asyncio and trio."""
    if request is not None:
        try:
            await stream.write(request, timeout)
            head = bytearray()
            while not take_answer(head, await stream.read(1 << 12, timeout)):
                pass
        except BaseException as error:
            with anyio.CancelScope(shield=True):
                await stream.aclose()
            if isinstance(error, OSError):
                raise httpcore.ProxyError(str(error)) from error
            raise
    return stream
