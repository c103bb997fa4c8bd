"""What an answer may cost: chunks that are said to be huge, extensions of chunks, codings, look-ups, timers; and the
cookies that a host may set. Each client is asked alike where all of them have it."""

from __future__ import annotations

import asyncio
import gc
import importlib.util
import socket
import threading
import time
import weakref
from http.cookiejar import Cookie, CookieJar

import pytest
from support.askers import NAMES, asker_of
from support.listening import Server

from urlsm.guard import BlockedError as AnyBlocked
from urlsm.guard import Policy

OPEN = "127.77.0.1"


def policy(server, **options):
    return Policy(["public", "127.77.0.0/16"], **{"ports": {server.port}, "total_timeout": 20, **options})


def test_the_limits_by_default():
    assert (Policy().max_bytes, Policy().max_decoded_bytes) == (64 << 20, 16 << 20)


# --- chunks --------------------------------------------------------------------------------------


@pytest.mark.parametrize("limits", [{}, {"max_bytes": None, "max_decoded_bytes": None}, {"max_bytes": 2}])
@pytest.mark.parametrize("path", ["/huge", "/larger", "/negative"])
@pytest.mark.parametrize("client", NAMES)
def test_a_chunk_that_is_said_to_be_huge(client, path, limits, server):
    """CVE-2025-13836: no buffer is made of the size that a chunk says it has."""
    asker = asker_of(client)(policy(server, **limits))
    with pytest.raises(asker.error):
        asker.ask(server.url(path))
    if limits.get("max_bytes") is None:
        assert asker.ask(server.url("/")).status == 200
    asker.close()


@pytest.mark.parametrize("size", [None, -1, 1, 5, 999, 1 << 16, 1 << 20, 1 << 60])
def test_reads_of_urllib(size, server):
    from urlsm.guard import _urllib as guarded

    for path in ("/huge", "/ok", *([] if size in (1, 5) else ["/many"])):  # which is 300,000 octets
        for read in ("read", "read1"):
            if (read == "read1" and size is None) or (read == "read" and size == -1):  # which http.client gets wrong
                continue
            with guarded.urllib_opener(policy(server)).open(server.url(path)) as answer:
                found = []
                try:
                    while part := getattr(answer, read)(size):
                        found.append(part)
                except OSError:
                    raise
                except Exception as error:  # IncompleteRead: the server ended the chunk too early
                    assert path == "/huge" and "IncompleteRead" in repr(error)
                assert path == "/huge" or b"".join(found) == (b"fine" if path == "/ok" else b"x" * 300_000)


class Extensions(Server):
    """/plain has 50 chunks of one octet; /long as many, each with an extension of 4,000 octets; /later sends them after
    the header; /image is a chunked answer of 1 MiB."""

    def _handle(self, sock):
        sock.settimeout(10)
        try:
            while head := sock.recv(1 << 16):
                path = head.split(b" ")[1]
                extension = b"" if path == b"/plain" else b";" + b"e" * 4000
                sock.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
                if path == b"/image":
                    sock.sendall((b"10000\r\n" + b"x" * (1 << 16) + b"\r\n") * 16 + b"0\r\n\r\n")
                    continue
                for _ in range(50):
                    sock.sendall(b"1" + extension + b"\r\nx\r\n")
                    time.sleep(0.001)
                sock.sendall(b"0\r\n\r\n")
        except OSError:
            pass
        sock.close()


@pytest.mark.parametrize("client", NAMES)
def test_extensions_of_chunks_are_counted(client):
    server = Extensions()
    asker = asker_of(client)(policy(server, max_bytes=20_000))
    for _ in range(2):
        assert asker.ask(server.url("/plain")).content == b"x" * 50
        with pytest.raises(asker.refused) as found:
            asker.ask(server.url("/long"))
        assert found.value.verdict.codes == ("too-large",)
    wider = asker_of(client)(policy(server, max_bytes=1 << 21))
    assert wider.ask(server.url("/long")).content == b"x" * 50
    for _ in range(4):  # what an answer before sent does not count
        assert len(wider.ask(server.url("/image")).content) == 1 << 20
    asker.close()
    wider.close()
    server.close()


def test_extensions_of_a_stream():
    httpx = pytest.importorskip("httpx")
    guarded = pytest.importorskip("urlsm.guard._httpx")
    server = Extensions()

    async def asked():
        async with guarded.httpx_async_client(policy(server, max_bytes=20_000)) as client:
            with pytest.raises(guarded.BlockedError):
                async with client.stream("GET", server.url("/long")) as answer:
                    async for _ in answer.aiter_bytes():
                        pass

    asyncio.run(asked())
    with (
        guarded.httpx_client(policy(server, max_bytes=20_000)) as client,
        pytest.raises(httpx.TransportError),
        client.stream("GET", server.url("/long")) as answer,
    ):
        for _ in answer.iter_raw():
            pass
    server.close()


# --- codings -------------------------------------------------------------------------------------


class Coded(Server):
    """The path names the fields Content-Encoding, divided by ":"."""

    def _handle(self, sock):
        head = sock.recv(1 << 16)
        names = head.split(b" ")[1][1:].replace(b"%20", b" ").split(b":")
        fields = b"".join(b"Content-Encoding: " + name + b"\r\n" for name in names)
        sock.sendall(b"HTTP/1.1 200 OK\r\nConnection: close\r\n" + fields + b"\r\n" + BROTLI)
        sock.close()


BROTLI = b"\x0b\x02\x80hello\x03"  # of "hello"


@pytest.mark.parametrize("names", ["gzip:br", "br:gzip", "br", "BR", "identity:br", "br:identity", "br:br", "gzip:zstd",
                                   "zstd", "gzip,%20br", "br,%20gzip", "deflate:br", "x:br"])  # fmt: skip
@pytest.mark.parametrize("client", [name for name in NAMES if name != "urllib"])  # which decodes nothing
def test_another_coding_is_refused(client, names):
    server = Coded()
    asker = asker_of(client)(policy(server))
    try:
        content = asker.ask(server.url(f"/{names}")).content
    except asker.error as error:
        gzip_first = names in ("br:gzip", "br,%20gzip")  # the last coding is undone first, and this is none
        assert isinstance(error, asker.refused) or gzip_first
    else:  # aiohttp leaves two codings of one field to the program
        assert client == "aiohttp" and "," in names and content == BROTLI
    asker.close()
    server.close()


# --- look-ups ------------------------------------------------------------------------------------


@pytest.mark.parametrize("client", NAMES)
def test_a_resolver_that_hangs_starves_nobody(client, server, names):
    """Neither the executor of the program's loop, nor the next request."""
    held = threading.Event()
    real = socket.getaddrinfo

    def hanging(host, *given, **options):
        if b"hangs" in (host if isinstance(host, bytes) else host.encode()):
            held.wait(20)
        return real(host, *given, **options)

    names["hangs.example.com"] = [OPEN]
    socket.getaddrinfo, before = hanging, socket.getaddrinfo
    asker = asker_of(client)(policy(server, total_timeout=0.3))
    loop = getattr(asker, "loop", None)
    try:
        for _ in range(40):  # more than an executor has threads
            if loop is None:
                break
            with pytest.raises(asker.error):
                asker.ask(server.url(host="hangs.example.com"), timeout=0.01)
        with pytest.raises(asker.refused):
            asker.ask(server.url(host="hangs.example.com"))
        start = time.monotonic()
        if loop is not None:

            async def other():
                return await asyncio.wait_for(asyncio.to_thread(lambda: 5), 5)

            assert loop.run(other()) == 5
        assert asker.ask(server.url(host="open.example.com")).content == b"fine"
        assert time.monotonic() - start < 3
    finally:
        held.set()
        socket.getaddrinfo = before
        asker.close()


def test_a_resolver_that_hangs_takes_no_thread_that_the_program_shares(server, names):
    """anyio's own, by which a server runs what blocks: 40 of them."""
    anyio = pytest.importorskip("anyio")
    pytest.importorskip("httpx")
    from urlsm.guard import _httpx as guarded

    names["slow.example.com"] = 1.0

    async def asked():
        async with guarded.httpx_async_client(policy(server)) as client:
            waiting = [asyncio.create_task(client.get(server.url(host="slow.example.com"))) for _ in range(60)]
            await asyncio.sleep(0.3)
            assert anyio.to_thread.current_default_thread_limiter().borrowed_tokens == 0
            await asyncio.gather(*waiting, return_exceptions=True)

    asyncio.run(asked())


def test_aresolve_does_not_take_the_executor(names, server):
    names["slow.example.com"] = 0.5
    names["open.example.com"] = [OPEN]

    async def asked():
        loop = asyncio.get_running_loop()
        loop.set_default_executor = loop.run_in_executor = None  # not to be used
        found = await asyncio.gather(
            *[policy(server).aresolve(f"{name}.example.com") for name in ("open", "slow", "unknown")],
            return_exceptions=True,
        )
        assert found[0].addresses == (OPEN,)
        assert all(isinstance(each, socket.gaierror) for each in found[1:])
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(policy(server).aresolve("slow.example.com"), 0.05)

    asyncio.run(asked())
    time.sleep(0.6)  # the answers of a loop that is closed are nobody's


# --- aiohttp: timers, jars -----------------------------------------------------------------------


class Closing(Server):
    """An answer whose content comes after its header, with the end of the connection."""

    def _handle(self, sock):
        sock.recv(1 << 16)
        sock.sendall(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 4\r\n\r\n")
        time.sleep(0.01)
        sock.sendall(b"fine")
        sock.close()


def test_timers_end_with_their_connections():
    pytest.importorskip("aiohttp")
    from urlsm.guard import _aiohttp as guarded
    from urlsm.guard.protocols import Protocol

    server = Closing()
    made = weakref.WeakSet()

    class Seen(Protocol):
        def __init__(self, *given, **options):
            super().__init__(*given, **options)
            made.add(self)

    async def asked():
        allowed = policy(server, total_timeout=300)
        connector = guarded.AiohttpConnector(allowed, limit=8)
        connector._factory = lambda: Seen(loop=connector._loop)
        async with guarded.aiohttp_session(allowed, connector=connector) as session:

            async def one():
                async with session.get(server.url("/")) as answer:
                    assert await answer.read() == b"fine"

            for _ in range(5):
                await asyncio.gather(*[one() for _ in range(8)])
            await asyncio.sleep(0.1)
            gc.collect()
            return len(made)

    assert asyncio.run(asked()) <= 8
    server.close()


class Setting(Server):
    """/set?DOMAIN sets a cookie for a domain; every answer says which cookies came."""

    def _handle(self, sock):
        head = sock.recv(1 << 16).decode("latin-1")
        target = head.split(" ")[1]
        domain = target.partition("?")[2]
        found = next((line[8:] for line in head.split("\r\n") if line.lower().startswith("cookie:")), "")
        field = f"Set-Cookie: super=cookie{f'; Domain={domain}' if domain != '-' else ''}; Path=/\r\n" if domain else ""
        answer = f"HTTP/1.1 200 OK\r\n{field}Connection: close\r\nContent-Length: {len(found)}\r\n\r\n{found}"
        sock.sendall(answer.encode())
        sock.close()


@pytest.mark.parametrize("domain", ["com", ".com", "COM", "co.uk", ".co.uk", "Co.Uk", "github.io"])
@pytest.mark.parametrize("client", ["aiohttp", "requests", "httpx"])
def test_no_cookie_for_a_public_suffix(client, domain, names):
    pytest.importorskip("publicsuffixlist")
    suffix = domain.strip(".").lower()
    for host in (f"a.{suffix}", f"b.{suffix}", f"x.a.{suffix}", "c.example.org"):
        names[host] = [OPEN]
    server = Setting()
    asker = asker_of(client)(policy(server))
    asker.ask(server.url(f"/set?{domain}", f"a.{suffix}"))
    assert asker.ask(server.url("/", f"b.{suffix}")).content == b""
    asker.ask(server.url(f"/set?.a.{suffix}", f"a.{suffix}"))  # of a site's own
    for host, cookies in ((f"a.{suffix}", b"super=cookie"), (f"x.a.{suffix}", b"super=cookie"), (f"b.{suffix}", b"")):
        assert asker.ask(server.url("/", host)).content == cookies, host
    asker.ask(server.url("/set?-", "c.example.org"))
    assert asker.ask(server.url("/", "c.example.org")).content == b"super=cookie"
    asker.close()
    server.close()


def test_cookies_that_a_client_of_httpx_gets_later():
    httpx = pytest.importorskip("httpx")
    from urlsm.guard import _httpx as guarded
    from urlsm.guard.cookies import SuffixPolicy

    for cookies in ({"a": "b"}, [("a", "b")], httpx.Cookies({"a": "b"})):
        with guarded.httpx_client(Policy(), cookies=cookies) as client:
            assert isinstance(client.cookies.jar._policy, SuffixPolicy) and client.cookies["a"] == "b"
            client.cookies = cookies
            assert isinstance(client.cookies.jar._policy, SuffixPolicy) and client.cookies["a"] == "b"
            client.cookies = jar = CookieJar()
            assert client.cookies.jar is jar and not isinstance(jar._policy, SuffixPolicy)


def test_a_suffix_that_is_a_host_has_cookies_of_its_own(names):
    pytest.importorskip("aiohttp")
    pytest.importorskip("publicsuffixlist")
    names["github.io"] = names["a.github.io"] = [OPEN]
    server = Setting()
    asker = asker_of("aiohttp")(policy(server))
    asker.ask(server.url("/set?github.io", "github.io"))
    assert asker.ask(server.url("/", "github.io")).content == b"super=cookie"
    assert asker.ask(server.url("/", "a.github.io")).content == b""
    asker.close()
    server.close()


def test_public_suffixes():
    from urlsm.guard.cookies import is_public_suffix

    for domain in ("com", ".com", "COM", "localhost"):
        assert is_public_suffix(domain)
    if importlib.util.find_spec("publicsuffixlist") is not None:
        for domain in ("co.uk.", "a.kawasaki.jp", "kawasaki.jp", ".kawasaki.jp", "ck", "a.ck"):
            assert is_public_suffix(domain), domain
        assert not is_public_suffix("city.kawasaki.jp") and not is_public_suffix("www.ck")
    assert not is_public_suffix("") and not is_public_suffix("example.com") and not is_public_suffix(".example.com")


def test_cookies_of_a_host():
    from urlsm.guard.cookies import cookies_of_host

    jar = CookieJar()
    for domain, specified in (("", False), (".com", True), ("b.example.com", False), (".example.com", True)):
        jar.set_cookie(Cookie(0, f"of{domain}", "x", None, False, domain, specified, specified, "/", True, False, None,
                              True, None, None, {}))  # fmt: skip
    found = cookies_of_host([jar, None], "http://b.example.com/")
    assert set(found.split("; ")) == {"ofb.example.com=x", "of.example.com=x"}
    assert cookies_of_host([jar], "http://b.com/") is None and cookies_of_host([], "http://b.com/") is None
    assert issubclass(asker_of("urllib").refused, AnyBlocked)
