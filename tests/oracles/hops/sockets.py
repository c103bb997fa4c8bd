"""Requests whose target is sent octet by octet, many on a connection, and their answers."""

from __future__ import annotations

import socket
from collections.abc import Iterator, Sequence
from typing import NamedTuple

HOST = b"h.example"
SECONDS = 10.0  # without an octet, after which a connection is given up


class Answer(NamedTuple):
    """What a server answered. status: 0 if it closed the connection, or said nothing, or something else than HTTP."""

    status: int
    location: bytes | None
    body: bytes


NOTHING = Answer(0, None, b"")


class Connection:
    """A connection on which up to `depth` requests wait for an answer."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), SECONDS)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.data = bytearray()
        self.closed = False

    def more(self) -> bool:
        """Read more octets. Return whether there were any."""
        try:
            octets = self.socket.recv(1 << 18)
        except OSError:
            octets = b""
        self.data += octets
        self.closed = self.closed or not octets
        return not self.closed

    def until(self, mark: bytes, start: int = 0) -> int:
        """Return where the text after the next mark begins, or -1 if the connection ends before."""
        found = self.data.find(mark, start)
        while found < 0 and self.more():
            found = self.data.find(mark, start)
        return found + len(mark) if found >= 0 else -1

    def exactly(self, size: int) -> bytes:
        while len(self.data) < size and self.more():
            pass
        taken = bytes(self.data[:size])
        del self.data[:size]
        return taken

    def answer(self) -> Answer | None:
        """Return the next answer; None if there is none. Afterwards `closed` says whether another can come."""
        end = self.until(b"\r\n\r\n")
        if end < 0:
            return None
        head = bytes(self.data[:end])
        del self.data[:end]
        line, *fields = head.split(b"\r\n")
        if not line.startswith(b"HTTP/1.") or not line[9:12].isdigit():
            self.closed = True
            return NOTHING
        status = int(line[9:12])
        if status == 100:
            return self.answer()
        found = {}
        for field in fields:
            name, _, value = field.partition(b":")
            found[name.strip().lower()] = value.strip()
        if status in (204, 304):
            body = b""
        elif b"chunked" in found.get(b"transfer-encoding", b"").lower():
            body = self.chunks()
        elif b"content-length" in found:
            body = self.exactly(int(found[b"content-length"]))
        elif status >= 300:  # nobody wants what it says, and some servers wait before they close
            self.closed, body = True, b""
        else:
            while self.more():
                pass
            body = self.exactly(len(self.data))
        self.closed = self.closed or b"close" in found.get(b"connection", b"").lower()
        return Answer(status, found.get(b"location"), body)

    def chunks(self) -> bytes:
        body = b""
        while (end := self.until(b"\r\n")) >= 0:
            size = int(self.data[: end - 2].split(b";")[0] or b"0", 16)
            del self.data[:end]
            body += self.exactly(size)
            self.exactly(2)
            if not size:
                break
        return body

    def close(self) -> None:
        self.socket.close()


def request(target: bytes, *, method: bytes = b"GET", more: bytes = b"") -> bytes:
    return b"%b %b HTTP/1.1\r\nHost: %b\r\n%b\r\n" % (method, target, HOST, more)


def ask(port: int, targets: Sequence[bytes], *, depth: int = 16, method: bytes = b"GET") -> Iterator[Answer]:
    """Yield the answer to each target. depth: how many requests are sent before the answer to the first is read.

    A server may refuse a request, and close the connection, before or instead of its answers to others. So a request
    that is refused, or on which a connection ends, is sent again, alone, unless it was alone. NOTHING is the answer to
    one that closes the connection without any.
    """
    connection: Connection | None = None
    answered = sent = on_this = 0
    ahead = depth
    while answered < len(targets):
        if connection is None:
            connection, sent, on_this = Connection(port), answered, 0
        wanted = min(answered + ahead, len(targets))
        if sent < wanted and sent - answered <= ahead // 2:
            octets = b"".join(request(target, method=method) for target in targets[sent:wanted])
            sent = wanted
            try:
                connection.socket.sendall(octets)
            except OSError:
                connection.closed = not connection.more()
        answer = connection.answer()
        ends = answer is None or connection.closed
        refused = ends or (answer is not None and answer.status >= 400)
        if refused and (sent > answered + 1 or (answer is None and on_this)):
            connection.close()
            connection, ahead = None, 1
            continue
        yield answer or NOTHING
        answered += 1
        on_this += 1
        if ends:
            connection.close()
            connection = None
        elif on_this >= 2 * ahead:
            ahead = min(depth, 2 * ahead)
    if connection:
        connection.close()


_given: set[int] = set()


def free_ports(count: int) -> list[int]:
    """Return ports that are free now, and that no call has returned before."""
    held: list[socket.socket] = []
    ports: list[int] = []
    try:
        while len(ports) < count:
            held.append(socket.socket())
            held[-1].bind(("127.0.0.1", 0))
            port = int(held[-1].getsockname()[1])
            if port not in _given:
                ports.append(port)
    finally:
        for one in held:
            one.close()
    _given.update(ports)
    return ports


def listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True


__all__ = ["Answer", "ask", "free_ports", "listens", "request"]
