"""aiohttp connections with a policy. The sessions that urlsm.guard.aiohttp_session returns use this connector."""

from __future__ import annotations

import asyncio
import socket
from contextvars import ContextVar
from functools import partial

import aiohttp

from urlsm.guard.exchange import origin_of, stay_inside
from urlsm.guard.policy import Policy, checked_policy
from urlsm.guard.protocols import BlockedError, Protocol
from urlsm.guard.proxy import is_for_proxy, take_answer
from urlsm.guard.sockets import exchange_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["AiohttpConnector", "BlockedError"]

# the addresses that this task last approved
_JUDGED: ContextVar[frozenset[str]] = ContextVar("urlsm.guard.connector", default=frozenset())


class AiohttpConnector(aiohttp.TCPConnector):
    """A connector for your own aiohttp.ClientSession that connects only to servers that a policy allows.

    It checks the URL of each request, including requests after a redirect, and connects only to checked addresses.
    Unlike aiohttp_session(), it does not limit the time, and does not remove credentials on a redirect to another
    origin.

    Args:
        policy: the Policy to enforce.
        options: options for aiohttp.TCPConnector, except `resolver`.

    Raises:
        TypeError: an option would bypass the policy.

    Example:
        >>> import aiohttp
        >>> async def fetch(url):
        ...     async with aiohttp.ClientSession(connector=AiohttpConnector(Policy())) as session:
        ...         return await (await session.get(url)).text()
    """

    policy: Policy

    def __init__(self, policy: Policy, **options: Any) -> None:
        stay_inside(options, ("resolver",))
        self.policy, self._made = checked_policy(policy), options.pop("socket_factory", None)
        super().__init__(socket_factory=self._create_socket, **options)
        factory: Any = partial(Protocol, loop=self._loop)
        self._factory = factory

    async def connect(self, req: aiohttp.ClientRequest, *given: Any, **options: Any) -> Any:
        exchange = exchange_of(self.policy, BlockedError)
        if req.proxy is not None or req.method == "CONNECT":
            exchange.refuse("proxy")
        url = exchange.judge(str(req.url))
        if (url.host or "").strip("[]") != req.url.raw_host or origin_of(url)[2] != req.url.port:
            exchange.refuse("ambiguous")
        if self.policy.proxy is not None:
            for name in [name for name in req.headers if is_for_proxy(name)]:
                req.headers.popall(name, None)
        connection: Any = await super().connect(req, *given, **options)
        connection.protocol.begin(exchange)
        return connection

    async def _resolve_host(self, host: str, port: int, traces: Any = None) -> list[Any]:
        exchange = exchange_of(self.policy, BlockedError)
        found = await exchange.aaddresses(host)
        _JUDGED.set(frozenset(found))
        families = [socket.AF_INET6 if ":" in address else socket.AF_INET for address in found]
        more = {"hostname": host, "port": exchange.port(port), "proto": 0, "flags": socket.AI_NUMERICHOST}
        return [{"host": address, "family": family, **more} for address, family in zip(found, families, strict=True)]

    async def _wrap_create_connection(self, *factory: Any, req: Any, **options: Any) -> tuple[Any, Any]:
        proxy, secure = self.policy.proxy, options["ssl"] is not None
        if proxy is None:
            return await super()._wrap_create_connection(*factory, req=req, **options)
        reader = asyncio.StreamReader(loop=self._loop)
        waiting = partial(asyncio.StreamReaderProtocol, reader, loop=self._loop)
        options.update(ssl=None, server_hostname=None)
        transport: Any
        transport, _ = await super()._wrap_create_connection(waiting, req=req, **options)
        try:
            transport.write(proxy.connect(f"{req.url.host_subcomponent}:{req.url.port}"))
            head = bytearray()
            while not take_answer(head, await reader.read(1 << 12)):
                pass
            if secure:
                return await self._start_tls_connection(transport, req=req, timeout=options["timeout"])
            made: Any = self._factory()
            transport.set_protocol(made)
            made.connection_made(transport)
            return transport, made
        except BaseException as error:
            transport.close()
            if isinstance(error, OSError) and not isinstance(error, aiohttp.ClientError):
                raise aiohttp.ClientProxyConnectionError(req.connection_key, error) from error
            raise

    def _create_socket(self, info: Any) -> socket.socket:
        """Create the socket for an address, which must be one that was approved for this connection."""
        if info[4][0] not in _JUDGED.get():
            exchange_of(self.policy, BlockedError).refuse("other-address")
        return socket.socket(*info[:3]) if self._made is None else self._made(info)


AiohttpConnector.__module__ = "urlsm.guard"
