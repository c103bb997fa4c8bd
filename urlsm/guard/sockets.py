"""Connections for http.client, which urllib and urllib3 build on. They connect only to checked addresses, and read
within the limits of an exchange."""

from __future__ import annotations

import http.client
import io
import socket
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from threading import local

from urlsm.guard.exchange import Exchange, origin_of
from urlsm.guard.policy import PORTS, BlockedError, Policy
from urlsm.guard.proxy import is_for_proxy, take_answer
from urlsm.url.value import try_parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from urlsm.url.value import StrOrURL

__all__ = ["Guarded", "as_current", "connect", "exchange_of", "within"]

_SENT = 1 << 16  # one step sends or reads at most this many octets


class _Thread(local):
    """Marks the current thread: the attribute `mark` is a different object in each thread."""

    def __init__(self) -> None:
        self.mark = object()


_THREAD = _Thread()
# The exchange of the current call, in a list that is emptied when the call ends; and the mark of its thread. A task
# that is started within the call may inherit both; since Python 3.14 a thread may do so as well. If such a task runs in
# another thread or outlives the call, its own calls get new exchanges.
_CURRENT: ContextVar[tuple[list[Exchange], object]] = ContextVar("urlsm.guard", default=([], None))


def exchange_of(policy: Policy, error: type[BlockedError]) -> Exchange:
    """Return the exchange of this client's current call in this thread, or a new one."""
    running, mark = _CURRENT.get()
    for found in running if mark is _THREAD.mark else ():
        if found.policy is policy and found.error is error:
            return found
    return Exchange(policy, error)


@contextmanager
def as_current(exchange: Exchange) -> Iterator[Exchange]:
    """A context manager in which the connections of a client belong to this exchange."""
    running = [exchange]
    token = _CURRENT.set((running, _THREAD.mark))
    try:
        yield exchange
    finally:
        running.clear()
        _CURRENT.reset(token)


def within(policy: Policy, error: type[BlockedError], url: StrOrURL = "") -> AbstractContextManager[Exchange]:
    """A context manager in which the connections of a client belong to the exchange of the current call. They belong to
    a new exchange if there is no current call, or if a hook sends a request to another origin that no redirect led
    to."""
    found, read = exchange_of(policy, error), try_parse(url)
    if read is not None and not found.crossed and origin_of(read) != (found.first or origin_of(read)):
        found = Exchange(policy, error)
    return as_current(found)


def _seconds(timeout: Any) -> float | None:
    """Return an http.client timeout in seconds, or None. The object that represents the default timeout becomes the
    default timeout of the socket module."""
    return timeout if timeout is None or isinstance(timeout, (int, float)) else socket.getdefaulttimeout()


def connect(
    exchange: Exchange,
    scheme: str,
    host: str,
    port: int,
    timeout: Any = None,
    source: tuple[str, int] | None = None,
    options: Iterable[tuple[Any, ...]] | None = None,
) -> socket.socket:
    """Return a socket that is connected to a checked address of a host, or to a checked host through a proxy's tunnel.
    Its timeout for the TLS handshake is `timeout` or the time that the exchange has left, whichever is shorter. Raises
    OSError if no address answers or the tunnel is rejected."""
    bare = exchange.judge_origin(scheme, host, port)
    given = _seconds(timeout)
    made = _dial(exchange, bare, exchange.port(port), given, source, options)
    try:
        if exchange.policy.proxy is not None:
            sender, head = Metered(made, exchange, given), bytearray()
            sender.sendall(exchange.policy.proxy.connect(exchange.authority()))
            while True:
                with exchange.step(given, TimeoutError) as seconds:
                    made.settimeout(seconds)
                    if take_answer(head, made.recv(1 << 12)):
                        break
        made.settimeout(exchange.seconds_left(given))
    except BaseException:
        made.close()
        raise
    return made


def _dial(exchange: Exchange, bare: str, port: int, given: float | None, source: Any, options: Any) -> socket.socket:
    failed = OSError("no address")
    for address in exchange.addresses(bare, given):
        made = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET, socket.SOCK_STREAM)
        try:
            for option in options or ():
                made.setsockopt(*option)
            with exchange.step(given, TimeoutError) as seconds:
                made.settimeout(seconds)
                if source is not None:
                    made.bind(source)
                made.connect((address, port))  # an address, so the resolver is not asked again
            return made
        except BaseException as error:
            made.close()
            if not isinstance(error, OSError) or isinstance(error, BlockedError):
                raise
            failed = error
    raise failed


class _Reader(io.RawIOBase):
    """A stream of the bytes that arrive at a socket, within the limits of an exchange."""

    def __init__(self, metered: Metered) -> None:
        self._metered = metered
        self._raw = metered.sock.makefile("rb", buffering=0)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        metered = self._metered
        with metered.exchange.step(metered.seconds, TimeoutError) as seconds:
            metered.sock.settimeout(seconds)
            count: int | None = self._raw.readinto(buffer)
        metered.octets += count or 0
        metered.exchange.check_size(metered.octets)
        return count

    def close(self) -> None:
        if not self.closed:
            self._raw.close()
        super().close()


class _Buffered(io.BufferedReader):
    """The stream from which http.client reads. http.client asks for as many bytes as a chunk claims to have, which may
    be 2**60. This buffer grows only with the bytes that have arrived (CVE-2025-13836)."""

    def read(self, size: int | None = -1, /) -> bytes:
        if size is not None and size < -1:  # http.client takes "-5" for the size of a chunk
            raise http.client.IncompleteRead(b"")
        if size is None or size <= _SENT:
            return super().read(size)
        found = []
        while size > 0 and (part := super().read(min(size, _SENT))):
            found.append(part)
            size -= len(part)
        return b"".join(found)

    def read1(self, size: int = -1, /) -> bytes:
        return super().read1(min(size, _SENT))


class Metered:
    """A socket that is read within an exchange's limits on time and size."""

    sock: Any
    exchange: Exchange

    def __init__(self, sock: Any, exchange: Exchange, seconds: float | None) -> None:
        self.sock, self.exchange = sock, exchange
        self.seconds = seconds  # the timeout of the client, for each step
        self.octets = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.sock, name)

    def settimeout(self, seconds: float | None) -> None:
        self.seconds = seconds
        self.sock.settimeout(seconds)

    def sendall(self, data: Any) -> None:
        rest = memoryview(data).cast("B")
        while rest:  # sent step by step, because sendall of a TLS socket applies its timeout to each record
            with self.exchange.step(self.seconds, TimeoutError) as seconds:
                self.sock.settimeout(seconds)
                rest = rest[self.sock.send(rest[:_SENT]) :]

    def makefile(self, *_: Any, **__: Any) -> io.BufferedReader:
        return _Buffered(_Reader(self))


class _Answer(http.client.HTTPResponse):
    """A response that notifies the exchange when its header has arrived."""

    def __init__(self, sock: Any, *given: Any, **options: Any) -> None:
        self._metered: Metered = sock
        super().__init__(sock, *given, **options)

    def begin(self, **options: Any) -> None:  # Python 3.15 passes a limit on the number of fields
        super().begin(**options)
        self._metered.exchange.note_header()
        self._metered.octets = 0  # the header is not content
        self._metered.exchange.check_length(self.length)  # length is None if there is no content, as for HEAD


class Guarded:
    """The first base class of connections with a policy. It overrides methods of the second base class: the client's
    own class, which derives from the class in http.client."""

    policy: Policy
    error: type[BlockedError]
    guarded_scheme = "http"
    response_class: Any = _Answer
    host: str
    port: Any
    sock: Any

    timeout: Any
    _begun = False  # whether http.client has written its own fields

    @classmethod
    def under(cls, policy: Policy) -> type[Any]:
        """Return a subclass whose connections obey this policy."""
        return type(cls.__name__, (cls,), {"policy": policy})

    def guarded_socket(self, timeout: Any, source: Any = None, options: Any = None) -> socket.socket:
        port = PORTS[self.guarded_scheme] if self.port is None else self.port
        return connect(self.exchange, self.guarded_scheme, self.host, port, timeout, source, options)

    @property
    def exchange(self) -> Exchange:
        return exchange_of(self.policy, self.error)

    def connect(self) -> None:
        super().connect()  # type: ignore[misc]
        self.sock = Metered(self.sock, self.exchange, _seconds(self.timeout))

    def putrequest(self, *given: Any, **options: Any) -> None:
        exchange = self.exchange
        exchange.start_request()
        if isinstance(self.sock, Metered):  # the connection may have been kept alive after another exchange
            self.sock.exchange, self.sock.octets = exchange, 0
        self._begun = False
        super().putrequest(*given, **{**options, "skip_host": False})  # type: ignore[misc]
        self._begun = True

    def putheader(self, header: Any, *values: Any) -> None:
        name = header if isinstance(header, str) else header.decode("latin-1")
        if self._begun and name.strip().lower() == "host":
            return  # the Host must be that of the URL, which putrequest has written
        if self.policy.proxy is None or not is_for_proxy(name):
            super().putheader(header, *values)  # type: ignore[misc]

    def set_tunnel(self, *given: Any, **options: Any) -> None:
        self.exchange.refuse("proxy")
