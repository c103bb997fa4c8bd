"""What clients put on the wire, compared with the clients, in this process and on loopback."""

from __future__ import annotations

import asyncio
import contextlib
import platform
import socket
import threading
import urllib.request
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, version

import pytest
from oracles.replay import ANSWERS, load

from urlsm import parse
from urlsm.readers.programs import HOMES, program
from urlsm.security import SentRequest, sent

CLIENTS = ("aiohttp", "httpx", "requests", "urllib.request", "urllib3")
WRITTEN = [
    "http://h.example",
    "http://h.example?q",
    "http://h.example/?",
    "http://h.example/?#f",
    "http://h.example/%7Ea%2fb%2Fc%2e%2E/%41?%7e=%2F%2b+%20&a=%C3%A9#%41",
    "http://h.example/a/../b/./c//d/..",
    "http://h.example/a/%2e%2e/b",
    "http://h.example/a b?c d",
    "http://h.example/%zz%?%zz%",
    "http://h.example/\u00e9?\u00e9",
    'http://h.example/{}|\\^`<>"?{}|\\^`<>"\'',
    "http://h.example/:@!$&'()*+,;=[]?:@!$&'()*+,;=[]/?",
    "http://h.example/X?X-Amz-Credential=A%2F20261126%2Fs3&X-Amz-Signature=a1%3d",
    "http://u:p@h.example:80/",
    "http://u%40:p@h.example:8080/",
    "http://H.Example.:80/",
    "http://[::1]:8080/",
    "http://[fe80::1%25en0]/",
    "http://127.0.0.1:080/",
    "http://b\u00fccher.example/",
    "http://fa\u00df.example/",
    "http://h.example:0/",
    "HTTP://h.example/",
]


class Listener(threading.Thread):
    """A server on loopback that keeps the heads of the requests."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port: int = self.socket.getsockname()[1]
        self.heads: list[bytes] = []
        self.start()

    def run(self) -> None:
        while True:
            try:
                peer, _ = self.socket.accept()
            except OSError:
                return
            with peer:
                peer.settimeout(5)
                head = b""
                try:
                    while b"\r\n\r\n" not in head:
                        received = peer.recv(65536)
                        if not received:
                            break
                        head += received
                    if head:
                        self.heads.append(head)
                        peer.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                except OSError:
                    pass


@pytest.fixture(scope="module")
def listener() -> Iterator[Listener]:
    made = Listener()
    yield made
    made.socket.close()


def named(host: str | bytes | None) -> None:
    """Raise what getaddrinfo raises before it asks for a name."""
    if host is None or b"\0" in (host.encode("idna") if isinstance(host, str) else host):
        raise ValueError("no name")


def with_urllib3(port: int) -> Callable[[str], None]:
    urllib3 = pytest.importorskip("urllib3")

    def ask(text: str) -> None:
        with urllib3.PoolManager(retries=False, timeout=5) as pool:
            pool.request("GET", text, redirect=False)

    return ask


def with_requests(port: int) -> Callable[[str], None]:
    requests = pytest.importorskip("requests")

    def ask(text: str) -> None:
        with requests.Session() as session:
            session.trust_env = False
            session.get(text, timeout=5, allow_redirects=False)

    return ask


def with_httpx(port: int) -> Callable[[str], None]:
    httpx = pytest.importorskip("httpx")
    client = httpx.Client(trust_env=False, timeout=5)

    def ask(text: str) -> None:
        client.get(text)

    return ask


def with_urllib(port: int) -> Callable[[str], None]:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    def ask(text: str) -> None:
        request = urllib.request.Request(text)
        if (request.type or "").lower() in ("http", "https"):
            opener.open(request, timeout=5).close()

    return ask


def with_aiohttp(port: int) -> Callable[[str], None]:
    aiohttp = pytest.importorskip("aiohttp")

    async def get(text: str) -> None:
        connector = aiohttp.TCPConnector(force_close=True)

        async def look_up(host: str, at: int, traces: object = None) -> list[dict[str, object]]:
            named(host)
            found = {"hostname": host, "host": "127.0.0.1", "port": port, "family": socket.AF_INET}
            return [{**found, "proto": 6, "flags": socket.AI_NUMERICHOST}]

        connector._resolve_host = look_up
        timeout = aiohttp.ClientTimeout(total=5)
        async with (
            aiohttp.ClientSession(connector=connector, timeout=timeout) as session,
            session.get(text, allow_redirects=False),
        ):
            pass

    return lambda text: asyncio.run(get(text))


ASKED = {
    "aiohttp": with_aiohttp,
    "httpx": with_httpx,
    "requests": with_requests,
    "urllib.request": with_urllib,
    "urllib3": with_urllib3,
}


@pytest.mark.parametrize("name", CLIENTS)
@pytest.mark.filterwarnings("ignore")
def test_sends_as_the_live_client(name, listener, monkeypatch):
    try:
        release = platform.python_version() if name == "urllib.request" else version(name)
    except PackageNotFoundError:
        pytest.skip(f"{name} is absent")
    if release not in program(name).releases:
        pytest.skip(f"{name} {release} is not a release that is known")
    ask = ASKED[name](listener.port)
    if name != "aiohttp":

        def look_up(host, port, *args, **kwargs):
            named(host)
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", listener.port))]

        monkeypatch.setattr(socket, "getaddrinfo", look_up)
    texts = WRITTEN + [row[0] for row in load(ANSWERS)["rows"] if row[0].lower().startswith("http:")][::37]
    encoding = "utf-8" if name == "aiohttp" else "latin-1"
    requested, wrong = 0, []
    for text in texts:
        del listener.heads[:]
        with contextlib.suppress(Exception):
            ask(text)
        live = wire(listener.heads[0], encoding) if listener.heads else None
        requested += live is not None
        try:
            ours = sent(text, f"{name}@{release}")
        except ValueError:
            ours = None
        if ours != live:
            wrong.append((text, live, ours))
    assert wrong == []
    assert requested > len(WRITTEN) // 2


def wire(head: bytes, encoding: str) -> SentRequest:
    """Return the request target and the Host field of a request."""
    line, _, fields = head.partition(b"\r\n")
    hosts = [field[6:] for field in fields.split(b"\r\n") if field[:5].lower() == b"host:"]
    assert len(hosts) == 1
    return SentRequest(line.split(b" ", 1)[1].rsplit(b" ", 1)[0].decode(encoding), hosts[0].decode(encoding))


def test_the_clients_are_those_of_the_programs():
    assert tuple(name for name in sorted(HOMES) if program(name).sent is not None) == CLIENTS


@pytest.mark.parametrize(
    "client", ["curl", "urllib.parse", "python", "whatwg", "", "nosuch", "REQUESTS", "yarl@1.25.1"]
)
def test_a_reader_that_sends_nothing_is_an_error(client):
    with pytest.raises(ValueError, match=r"one of aiohttp, httpx, requests, urllib\.request, urllib3"):
        sent("http://h/", client)


def test_an_unknown_release_is_an_error():
    for client in ("requests@0.1", "requests@", "requests@x"):
        with pytest.raises(ValueError, match="release"):
            sent("http://h/", client)


def test_other_types_are_errors():
    for url, client in (("http://h/", b"requests"), ("http://h/", None), (None, "requests"), (["http://h/"], "httpx")):
        with pytest.raises(TypeError):
            sent(url, client)


def test_a_refused_url_is_an_error_that_says_what_is_refused():
    for text, client, what in (
        ("ftp://h/", "requests", "scheme"),
        ("http:///", "httpx", "host"),
        ("http://h:x/", "urllib3", "host"),
        ("http://h/a b", "urllib.request", "characters"),
        ("http://h:1:2/secret", "aiohttp", "port"),
    ):
        with pytest.raises(ValueError, match=rf"sends no request for this URL: it rejects the {what}$") as error:
            sent(text, client)
        assert "secret" not in str(error.value)


@pytest.mark.parametrize("client", CLIENTS)
def test_bytes_and_urls_are_read_as_their_text(client):
    text = "http://h.example/%7Ea?b=%2F"
    assert sent(text.encode(), client) == sent(parse(text), client) == sent(text, client)
    assert isinstance(sent(text, client), SentRequest)
