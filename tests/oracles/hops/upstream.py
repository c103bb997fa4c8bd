"""A server that answers each request with the target that it received: python -m oracles.hops.upstream PORT"""

from __future__ import annotations

import asyncio
import sys


class Echo(asyncio.Protocol):
    def __init__(self) -> None:
        self.data = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        *heads, self.data = (self.data + data).split(b"\r\n\r\n")
        answers = []
        for head in heads:
            target = head.split(b"\r\n", 1)[0].split(b" ", 1)[1].rpartition(b" ")[0]
            answers.append(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(target), target))
        self.transport.write(b"".join(answers))  # type: ignore[attr-defined]


async def main(port: int) -> None:
    server = await asyncio.get_running_loop().create_server(Echo, "127.0.0.1", port, backlog=1024)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
