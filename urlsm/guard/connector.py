"""Connections of aiohttp behind a policy: aiohttp.ClientSession(connector=Connector(policy)), as urlsm.guard.aiohttp
makes it."""

from __future__ import annotations

import socket
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial

import aiohttp
from aiohttp.client_proto import ResponseHandler
from aiohttp.streams import EMPTY_PAYLOAD

from urlsm.guard import policy as _policy
from urlsm.guard.exchange import Exchange, origin_of, stay_inside
from urlsm.guard.policy import Policy
from urlsm.guard.sockets import exchange_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    import asyncio
    from collections.abc import Iterator
    from typing import Any

__all__ = ["Connector", "Refused"]

_JUDGED: ContextVar[frozenset[str]] = ContextVar("urlsm.guard.connector", default=frozenset())  # by this task, last


class Refused(_policy.Refused, aiohttp.ClientError):
    """The guard refused; an aiohttp.ClientError, with .verdict."""


class _Protocol(ResponseHandler):
    """What arrives on a connection, and what it decodes to, within an exchange's limits."""

    exchange: Exchange | None = None  # whose answer arrives
    _end: asyncio.TimerHandle | None = None
    _refused = False

    def begin(self, exchange: Exchange) -> None:  # again for each answer of a connection that is kept alive
        self.exchange = exchange
        if self._end is not None:
            self._end.cancel()

    def answered(self, seconds: float | None) -> None:  # for the rest, after the header
        if seconds is not None:
            self._end = self._loop.call_later(seconds, self._late)

    def data_received(self, data: bytes) -> None:  # b"": what arrived before is decoded on
        if self._refused:  # what is left of an answer is not decoded
            return
        if (content := self._content()) is not None:  # read() takes the bound of what one step decodes away
            content._low_water = min(content._low_water, self._read_bufsize)
            content._high_water = 2 * content._low_water
        super().data_received(data)
        if self.exchange is not None and (content := self._content()) is not None:
            limit, sent = self.exchange.policy.max_decoded, content.total_compressed_bytes
            with self._failing(content):
                self.exchange.counted(content.total_bytes if sent is None else sent)
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
        except Refused as error:
            self._refused = True
            self.close()
            payload.set_exception(error)


class Connector(aiohttp.TCPConnector):
    """A connector of aiohttp that connects only to what a policy allows: it judges the URL of each request, also after
    a redirect, and the addresses of a name, to which alone it connects. Credentials go along with a redirect, and time
    has no limit: a session of urlsm.guard.aiohttp sees to these. TypeError: resolver is among the options."""

    policy: Policy

    def __init__(self, policy: Policy, **options: Any) -> None:
        stay_inside(options, ("resolver",))
        self.policy, self._made = policy, options.pop("socket_factory", None)
        super().__init__(socket_factory=self._judged, **options)
        factory: Any = partial(_Protocol, loop=self._loop)
        self._factory = factory

    async def connect(self, req: aiohttp.ClientRequest, *given: Any, **options: Any) -> Any:
        exchange = exchange_of(self.policy, Refused)
        if req.proxy is not None or req.method == "CONNECT":
            exchange.refuse("proxy")
        url = exchange.judged(str(req.url))
        if (url.host or "").strip("[]") != req.url.raw_host or origin_of(url)[2] != req.url.port:
            exchange.refuse("ambiguous")
        connection: Any = await super().connect(req, *given, **options)
        connection.protocol.begin(exchange)
        return connection

    async def _resolve_host(self, host: str, port: int, traces: Any = None) -> list[Any]:
        found = await exchange_of(self.policy, Refused).aaddresses(host)
        _JUDGED.set(frozenset(found))
        families = [socket.AF_INET6 if ":" in address else socket.AF_INET for address in found]
        more = {"hostname": host, "port": port, "proto": 0, "flags": socket.AI_NUMERICHOST}
        return [{"host": address, "family": family, **more} for address, family in zip(found, families, strict=True)]

    def _judged(self, info: Any) -> socket.socket:
        """Make the socket of an address: one that was judged for this connection."""
        if info[4][0] not in _JUDGED.get():
            exchange_of(self.policy, Refused).refuse("other-address")
        return socket.socket(*info[:3]) if self._made is None else self._made(info)
