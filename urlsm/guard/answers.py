"""The content of an httpx response, within the limits of a policy."""

from __future__ import annotations

import zlib
from contextlib import contextmanager

import anyio
import httpx

from urlsm.guard.exchange import Decoder, Exchange
from urlsm.guard.sockets import as_current

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from typing import Any

__all__ = ["limited_answer", "time_limit"]


class _Decoding:
    def __init__(self, decoder: Decoder) -> None:
        self._decoder, self.flush = decoder, decoder.flush

    def decode(self, data: bytes) -> bytes:
        try:
            return self._decoder.decode(data)
        except zlib.error as error:
            raise httpx.DecodingError(str(error)) from error


class _Content:
    """The content of a response as it is sent, within the limits of its exchange."""

    def __init__(self, exchange: Exchange, stream: Any) -> None:
        self._exchange, self._stream, self._octets = exchange, stream, 0

    def _count(self, part: bytes) -> bytes:
        self._octets += len(part)
        self._exchange.check_size(self._octets)
        return part


class _SyncContent(_Content, httpx.SyncByteStream):
    def __iter__(self) -> Iterator[bytes]:
        parts = iter(self._stream)
        while True:
            with as_current(self._exchange), self._exchange.step(None, httpx.TimeoutException):
                part = next(parts, None)
            if part is None:
                return
            yield self._count(part)

    def close(self) -> None:
        self._stream.close()


class _AsyncContent(_Content, httpx.AsyncByteStream):
    async def __aiter__(self) -> AsyncIterator[bytes]:
        parts = self._stream.__aiter__()
        while True:
            try:
                with as_current(self._exchange), time_limit(self._exchange):
                    part = await parts.__anext__()
            except StopAsyncIteration:
                return
            yield self._count(part)

    async def aclose(self) -> None:
        await self._stream.aclose()


@contextmanager
def time_limit(exchange: Exchange) -> Iterator[None]:
    """A context manager that cancels the awaits in its block when the exchange runs out of time."""
    seconds = exchange.seconds_left()
    with exchange.step(None, TimeoutError), anyio.fail_after(None if seconds is None else seconds + 0.01):
        yield


def limited_answer(exchange: Exchange, answer: httpx.Response, method: str) -> httpx.Response:
    exchange.note_header()
    # in HTTP/2 nothing is counted here: the connection also carries frames of other exchanges, and chunks have no
    # extensions
    exchange.sent = None if answer.http_version == "HTTP/2" else 0
    if method != "HEAD":
        exchange.check_length(answer.headers.get("Content-Length"))
    decoder = exchange.decoder(answer.headers.get("Content-Encoding"))
    if decoder is not None:
        answer._decoder = _Decoding(decoder)  # type: ignore[assignment]
    kind = _SyncContent if isinstance(answer.stream, httpx.SyncByteStream) else _AsyncContent
    answer.stream = kind(exchange, answer.stream)
    return answer
