"""Connections of httpcore: what each step may take, and the tunnel through a proxy."""

from __future__ import annotations

import anyio
import httpcore

from urlsm.guard.proxy import opened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

__all__ = ["Wire", "atunnelled", "tunnelled"]


class Wire(httpcore.NetworkStream):
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
        return Wire(self._left, self._stream.start_tls(ssl_context, server_hostname, self._left(timeout)))

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


def tunnelled(stream: httpcore.NetworkStream, request: bytes | None, timeout: float | None) -> httpcore.NetworkStream:
    """Return a connection to a proxy as the tunnel for which a request asks; without one, as it is."""
    if request is not None:
        try:
            stream.write(request, timeout)
            head = bytearray()
            while not opened(head, stream.read(1 << 12, timeout)):
                pass
        except BaseException as error:
            stream.close()
            if isinstance(error, OSError):
                raise httpcore.ProxyError(str(error)) from error
            raise
    return stream


async def atunnelled(
    stream: httpcore.AsyncNetworkStream, request: bytes | None, timeout: float | None
) -> httpcore.AsyncNetworkStream:
    """The same as tunnelled, for asyncio and trio."""
    if request is not None:
        try:
            await stream.write(request, timeout)
            head = bytearray()
            while not opened(head, await stream.read(1 << 12, timeout)):
                pass
        except BaseException as error:
            with anyio.CancelScope(shield=True):
                await stream.aclose()
            if isinstance(error, OSError):
                raise httpcore.ProxyError(str(error)) from error
            raise
    return stream
