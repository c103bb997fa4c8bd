"""The protocol for aiohttp's connections. It keeps responses within the limits of a policy."""

from __future__ import annotations

from contextlib import contextmanager

import aiohttp
from aiohttp.client_proto import ResponseHandler
from aiohttp.streams import EMPTY_PAYLOAD

from urlsm.guard import policy as _policy
from urlsm.guard.exchange import Exchange

TYPE_CHECKING = False
if TYPE_CHECKING:
    import asyncio
    from collections.abc import Iterator

__all__ = ["BlockedError", "Protocol"]


class BlockedError(_policy.BlockedError, aiohttp.ClientError):
    """A BlockedError that is an aiohttp.ClientError."""


class Protocol(ResponseHandler):
    """A protocol that keeps the bytes received on a connection, and the decoded content, within the limits of an
    exchange."""

    exchange: Exchange | None = None  # the exchange whose answer arrives
    _end: asyncio.TimerHandle | None = None
    _refused = False

    def begin(self, exchange: Exchange) -> None:  # called for each answer on the connection
        self.exchange = exchange
        exchange.sent = None
        self._stop()

    def _stop(self) -> None:
        if self._end is not None:  # a handle that is not cancelled would keep this object and its connection alive
            self._end.cancel()
            self._end = None

    def connection_lost(self, exc: BaseException | None) -> None:
        self._stop()
        super().connection_lost(exc)

    def limit_rest(self, seconds: float | None) -> None:
        """Limit the time for the rest of the response, after the header."""
        if seconds is not None:
            self._end = self._loop.call_later(seconds, self._late)

    def data_received(self, data: bytes) -> None:  # b"" means: go on with the octets that arrived before
        if self._refused:  # the rest of the answer is not decoded
            return
        # set the limits again for each piece of data, because read() raises them, and with them what is decoded at once
        if (content := self._content()) is not None:
            content._low_water = min(content._low_water, self._read_bufsize)
            content._high_water = 2 * content._low_water
            if self.exchange is not None and not content.is_eof():  # (content that has ended is the previous answer's)
                self.exchange.sent = self.exchange.sent or 0
                with self._failing(content):
                    self.exchange.count(len(data))
                if self._refused:
                    return
        super().data_received(data)
        if self.exchange is not None and (content := self._content()) is not None:
            limit, sent = self.exchange.policy.max_decoded_bytes, content.total_compressed_bytes
            with self._failing(content):
                self.exchange.check_size(content.total_bytes if sent is None else sent)
                if limit is not None and content.total_bytes > limit:
                    self.exchange.refuse("too-large-decoded")

    def _content(self) -> aiohttp.StreamReader | None:
        payload = self._payload
        return payload if isinstance(payload, aiohttp.StreamReader) and payload is not EMPTY_PAYLOAD else None

    def _late(self) -> None:
        if self.exchange is not None and (content := self._content()) is not None and not content.is_eof():
            with self._failing(content):
                self.exchange.refuse("too-slow")

    @contextmanager
    def _failing(self, payload: aiohttp.StreamReader) -> Iterator[None]:
        try:
            yield
        except BlockedError as error:
            self._refused = True
            self.abort()  # not close(), which with TLS waits for the peer
            payload.set_exception(error)
