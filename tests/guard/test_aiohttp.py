"""What only aiohttp has: sessions with headers and cookies, WebSockets, middlewares, connectors of one's own."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import logging
import socket

import pytest
from support.listening import Server, connects

from urlsm.guard import Policy

aiohttp = pytest.importorskip("aiohttp")

from urlsm.guard import _aiohttp as guarded  # noqa: E402

OPEN = "127.77.0.1"


class WebServer(Server):
    """/socket answers the handshake of a WebSocket, and sends one text and a close; /away redirects to 127.0.0.1."""

    def _handle(self, sock):
        head = sock.recv(1 << 16).decode("latin-1")
        self.requests.append(head)
        if head.startswith("GET /socket "):
            key = head[head.lower().index("sec-websocket-key: ") + 19 :].split("\r\n")[0]
            accept = hashlib.sha1(f"{key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11".encode()).digest()
            fields = b"Upgrade: websocket\r\nConnection: upgrade\r\nSec-WebSocket-Accept: " + base64.b64encode(accept)
            sock.sendall(b"HTTP/1.1 101 Switching\r\n" + fields + b"\r\n\r\n\x81\x04text\x88\x00")
            sock.recv(1 << 16)
        else:
            where = f"http://127.0.0.1:{self.port}/socket"
            sock.sendall(f"HTTP/1.1 302 Found\r\nLocation: {where}\r\nContent-Length: 0\r\n\r\n".encode())
        sock.close()


def policy(server, **options):
    return Policy(["public", "127.77.0.0/16"], ports={server.port}, **options)


def run(asking, server, connector=None, /, limits=None, **options):
    """Run asking(session) with a session for the server."""

    async def main():
        allowed = policy(server, **(limits or {}))
        made = None if connector is None else connector(allowed)
        async with guarded.aiohttp_session(allowed, connector=made, **options) as session:
            return await asking(session)

    return asyncio.run(main())


async def fetched(session, url, method="GET", **options):
    async with session.request(method, url, **options) as answer:
        content = await answer.read()
        return json.loads(content)["headers"] if content[:1] == b"{" else answer


def test_what_goes_past_the_policy_is_an_error(server):
    async def asking(session):
        for option in ("proxy", "proxy_auth", "proxy_headers", "server_hostname"):
            with pytest.raises(TypeError, match="would bypass the policy"):
                await session.get(server.url(), **{option: "http://127.0.0.1:1"})
        with pytest.raises(TypeError, match="proxy"):
            await session.ws_connect(server.url(), proxy="http://127.0.0.1:1")
        for options in ({"proxy": "http://127.0.0.1:1"}, {"trust_env": True}, {"request_class": aiohttp.ClientRequest}):
            with pytest.raises(TypeError, match="would bypass the policy"):
                guarded.aiohttp_session(Policy(), **options)
        async with guarded.aiohttp_session(Policy(), connector=guarded.AiohttpConnector(Policy())):
            pass
        for connector in (aiohttp.TCPConnector(), guarded.AiohttpConnector(Policy(ports=[443]))):
            with pytest.raises(TypeError, match="must be an AiohttpConnector"):
                guarded.aiohttp_session(Policy(), connector=connector)
        with pytest.raises(TypeError, match="resolver"):
            guarded.AiohttpConnector(Policy(), resolver=aiohttp.DefaultResolver())

    run(asking, server)
    assert not server.connections


def test_an_untested_version_is_an_error(monkeypatch, server):
    monkeypatch.setattr(aiohttp, "__version__", "9.1.0")
    with pytest.raises(RuntimeError, match=r"not tested with .*9\.1\.0"):
        run(None, server)
    with pytest.warns(RuntimeWarning, match="not tested"):
        assert run(lambda session: fetched(session, server.url()), server, allow_untested=True).status == 200


def test_a_refusal_is_a_client_error(server):
    with pytest.raises(aiohttp.ClientError, match="own") as found:
        run(lambda session: fetched(session, server.url(host="127.0.0.1")), server)
    assert found.value.verdict.codes == ("loopback-address",)


def test_a_sessions_own_credentials_stay_with_the_origin(server, names):
    here, there = (server.url("/echo", f"{name}.example.com") for name in ("open", "other"))
    secrets = {"Authorization": "secret", "X-Api-Key": "secret"}

    async def middleware(request, handler):
        request.headers["X-Middle"] = "secret"
        return await handler(request)

    async def asking(session):
        assert {"Authorization", "X-Api-Key", "Cookie", "X-Middle"} <= (await fetched(session, here)).keys()
        assert {"Authorization", "X-Api-Key", "Cookie"} <= (
            await fetched(session, here.replace("echo", "to?url=/echo"))
        ).keys()
        for url in (there, f"/to?url={there}", server.url(f"/to?url={here}", "other.example.com")):
            for status in (302, 307):
                server.clear()
                found = await fetched(
                    session, here.replace("/echo", f"/to?status={status}&url={url}"), cookies={"b": "secret"}
                )
                assert "secret" not in str(found) and "secret" in str(server.requests[0].headers)

    run(asking, server, headers=secrets, cookies={"a": "secret"}, middlewares=[middleware])
    with pytest.warns(DeprecationWarning):
        auth = aiohttp.BasicAuth("user", "secret")
        options = {"auth": auth}
        found = run(lambda session: fetched(session, here.replace("/echo", f"/to?url={there}")), server, **options)
    assert "Authorization" not in found


def test_what_a_request_says_of_itself_is_not_what_counts(server, names):
    async def asking(session):
        found = await fetched(session, server.url("/echo", "open.example.com"), headers={"Host": "inside.example.com"})
        assert found["Host"] == f"open.example.com:{server.port}"
        with pytest.raises(guarded.BlockedError, match="proxy"):
            await session.request("CONNECT", server.url())
        await fetched(session, server.url("/echo?a"), params={"b": "c d"})
        assert server.requests[-1].target == "/echo?a&b=c+d"
        await fetched(session, server.url("/|%20[]%C3%A9"))
        assert server.requests[-1].target == "/|%20[]%C3%A9"

    run(asking, server)


def test_a_middleware_that_asks_for_something_else(server, names):
    async def middleware(request, handler):
        request.url = request.url.with_host("127.0.0.1")
        return await handler(request)

    with connects() as connected, pytest.raises(guarded.BlockedError):
        run(lambda session: fetched(session, server.url()), server, middlewares=[middleware])
    assert not connected


def test_base_url(server, names):
    async def asking(session):
        for text in ("ok", "/ok", "", "?a"):
            assert (await fetched(session, text)).status == 200
        for text in (f"//127.0.0.1:{server.port}/", f"\\\\127.0.0.1:{server.port}\\", "file:///etc/passwd", "http://["):
            with pytest.raises(guarded.BlockedError):
                await fetched(session, text)

    run(asking, server, base_url=server.url("/", "open.example.com"))
    with pytest.raises(guarded.BlockedError):
        run(lambda session: fetched(session, "ok"), server, base_url=server.url("/", "127.0.0.1"))
    assert not server.leaked()


def test_redirects(server):
    async def asking(session):
        answer = await fetched(session, server.url(f"/to?url={server.url(host='127.0.0.1')}"), allow_redirects=False)
        assert answer.status == 302
        answer = await fetched(session, server.url("/to?url=/to?url=/ok"))
        assert [each.status for each in (*answer.history, answer)] == [302, 302, 200]
        with pytest.raises(aiohttp.TooManyRedirects):
            await fetched(session, server.url("/loop"), max_redirects=2)
        with pytest.raises(guarded.BlockedError) as found:
            await fetched(session, server.url("/loop"))
        assert found.value.verdict.codes == ("too-many-redirects",)
        content = aiohttp.FormData({"a": "b"})
        assert (await fetched(session, server.url("/to?url=/ok"), "POST", data=content)).status == 200
        with pytest.raises(aiohttp.ClientPayloadError, match="sent again"):
            await fetched(session, server.url("/to?status=307&url=/ok"), "POST", data=aiohttp.FormData({"a": "b"}))
        answer = await fetched(session, server.url("/to?status=308&url=/echo"), "PUT", json={"a": 1})
        assert answer["Content-Type"] == "application/json" and answer["Content-Length"] == "8"

    run(asking, server)
    assert not server.leaked()


def test_websockets(names):
    server = WebServer()

    async def asking(session):
        async with session.ws_connect(server.url("/socket", "open.example.com")) as channel:
            assert await channel.receive_str() == "text"
        for url in (
            server.url("/socket", "127.0.0.1"),
            server.url("/socket", "inside.example.com"),
            server.url("/away"),
        ):
            with pytest.raises(guarded.BlockedError):
                await session.ws_connect(url)
        with pytest.raises(guarded.BlockedError) as found:
            await session.ws_connect(server.url("/socket").replace("http", "ws"))
        assert found.value.verdict.codes == ("scheme",)

    try:
        run(asking, server, limits={"max_bytes": 3})
        assert not server.leaked() and len(server.connections) == 2
    finally:
        server.close()


def test_the_time_of_one_exchange_is_not_that_of_the_next(server, caplog):
    async def asking(session):
        for _ in range(3):
            assert (await fetched(session, server.url("/cookie"))).status == 200
            assert (await fetched(session, server.url())).status == 200
            await asyncio.sleep(0.2)

    with caplog.at_level(logging.WARNING):
        run(asking, server, limits={"total_timeout": 0.3})
    assert len(server.connections) == 1 and not caplog.records


@pytest.mark.parametrize("coding", ["gzip", "deflate", "members"])
def test_no_step_decodes_more_than_is_allowed(server, coding):
    """read() takes aiohttp's own bound away."""

    async def asking(session):
        for reading in (lambda answer: answer.read(), lambda answer: answer.content.read(1 << 40)):
            async with session.get(server.url(f"/bomb?coding={coding}")) as answer:
                with pytest.raises(guarded.BlockedError):
                    while await reading(answer):
                        pass
                assert answer.content.total_bytes < 1 << 21

    run(asking, server, limits={"max_decoded_bytes": 1 << 20})

    async def whole(session):
        async with session.get(server.url(f"/bomb?coding={coding}")) as answer:
            return len(await answer.read())

    assert (
        run(whole, server, limits={"max_decoded_bytes": None})
        == run(whole, server, limits={"max_decoded_bytes": 1 << 27})
        > 1 << 23
    )


def test_a_connector_of_ones_own(server, names):
    names["mixed.example.com"] = [OPEN, "127.0.0.1"]
    made = []

    def factory(info):
        made.append(info[4][0])
        return socket.socket(*info[:3])

    async def asking():
        connector = guarded.AiohttpConnector(policy(server, max_bytes=1000), socket_factory=factory)
        async with aiohttp.ClientSession(connector=connector) as session:
            assert (await fetched(session, server.url(host="open.example.com"))).status == 200
            for url in (
                server.url(host="inside.example.com"),
                server.url(host="mixed.example.com"),
                server.url(host="127.0.0.1"),
                server.url(f"/to?url={server.url(host='127.0.0.1')}"),
                server.url("/endless"),
                "http://open.example.com:22/",
            ):
                with pytest.raises(guarded.BlockedError):
                    await fetched(session, url)
            with pytest.raises(guarded.BlockedError, match="proxy"):
                await session.get(server.url(), proxy=server.url())

    asyncio.run(asking())
    assert set(made) == {OPEN} and not server.leaked()


def test_without_a_hook_nothing_connects(server, names, monkeypatch):
    """What a version of aiohttp that resolves elsewhere would find: sockets for no address."""
    monkeypatch.setattr(guarded.AiohttpConnector, "_resolve_host", aiohttp.TCPConnector._resolve_host)
    with connects() as connected:
        for url in (server.url(), server.url(host="open.example.com"), server.url(host="inside.example.com")):
            with pytest.raises(aiohttp.ClientError):
                run(lambda session, url=url: fetched(session, url), server)
    assert not connected and not server.connections
