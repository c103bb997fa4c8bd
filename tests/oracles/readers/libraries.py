"""What the Python packages that are installed see in texts. getaddrinfo is hooked: nothing is contacted.

python -m oracles.readers.libraries [NAME ...] < TEXTS    in tests/: one JSON string a line; prints {NAME: [scheme,
userinfo, host, port, path, query, fragment]} or {NAME: ["!", class]} a line; "NAME>" is where a client connects. Writes
the versions to standard error, as JSON.
"""

from __future__ import annotations

import asyncio
import importlib.metadata
import json
import socket
import sys
import warnings
from collections.abc import Callable
from typing import Any

Answer = list["str | None"]
Ask = Callable[[str], Answer]

_asked: list[Answer] = []


def as_text(value: object) -> str | None:
    """Return a component as a str; None for None."""
    if value is None:
        return None
    return value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else str(value)


def joined(user: object, password: object) -> str | None:
    """Return user information of a user name and a password."""
    if user is None and password is None:
        return None
    return (as_text(user) or "") + ("" if password is None else f":{as_text(password)}")


def resolve(host: object, port: object, *_: object, **__: object) -> None:
    """Stand for socket.getaddrinfo: write down the host and port, and fail."""
    _asked.append([as_text(host), as_text(port)])
    raise socket.gaierror(-2, "stop")


def client(request: Callable[[str], object]) -> Ask:
    """Return a function that tells where a client connects."""

    def ask(text: str) -> Answer:
        del _asked[:]
        try:
            request(text)
        except Exception:
            if not _asked:
                raise
        if not _asked:
            raise ConnectionError("no connection was tried")
        return [None, None, *_asked[0], None, None, None]

    return ask


def _urllib3() -> dict[str, Ask]:
    import urllib3

    def read(text: str) -> Answer:
        url = urllib3.util.parse_url(text)
        return [url.scheme, url.auth, url.host, as_text(url.port), url.path, url.query, url.fragment]

    pool = urllib3.PoolManager(retries=False, timeout=1)

    def request(text: str) -> None:
        pool.clear()
        pool.request("GET", text, redirect=False)

    return {"urllib3": read, "urllib3>": client(request)}


def _requests() -> dict[str, Ask]:
    import requests

    session = requests.Session()
    session.trust_env = False

    def read(text: str) -> Answer:
        url = requests.compat.urlsplit(requests.Request("GET", text).prepare().url)
        try:
            port = as_text(url.port)
        except ValueError:
            port = "!"
        userinfo = url.netloc.rpartition("@")[0] if "@" in url.netloc else None
        return [url.scheme, userinfo, url.hostname, port, url.path, url.query, url.fragment]

    return {"requests": read, "requests>": client(lambda text: session.get(text, allow_redirects=False, timeout=1))}


def _httpx() -> dict[str, Ask]:
    import httpx

    session = httpx.Client(trust_env=False, timeout=1)

    def read(text: str) -> Answer:
        url = httpx.URL(text)
        path, userinfo = url.raw_path.partition(b"?")[0], as_text(url.userinfo) or None
        found = [url.scheme, userinfo, url.raw_host, url.port, path, url.query, url.fragment]
        return [as_text(value) for value in found]

    return {"httpx": read, "httpx>": client(session.get)}


def _yarl() -> dict[str, Ask]:
    import yarl

    def read(text: str) -> Answer:
        url = yarl.URL(text)
        userinfo, port = joined(url.raw_user, url.raw_password), as_text(url.explicit_port)
        return [url.scheme, userinfo, url.raw_host, port, url.raw_path, url.raw_query_string, url.raw_fragment]

    return {"yarl": read}


def _aiohttp() -> dict[str, Ask]:
    import aiohttp

    async def resolve_host(host: str, port: int, traces: object = None) -> None:
        resolve(host, port)

    async def session() -> Any:
        connector = aiohttp.TCPConnector(use_dns_cache=False)
        connector._resolve_host = resolve_host
        return aiohttp.ClientSession(connector=connector)

    loop = asyncio.new_event_loop()
    ours = loop.run_until_complete(session())

    async def get(text: str) -> None:
        async with ours.get(text, allow_redirects=False):
            pass

    return {"aiohttp>": client(lambda text: loop.run_until_complete(get(text)))}


def _rfc3986() -> dict[str, Ask]:
    import rfc3986

    def read(text: str) -> Answer:
        url = rfc3986.uri_reference(text)
        found = url.authority_info() if url.authority is not None else dict.fromkeys(("userinfo", "host", "port"))
        return [url.scheme, found["userinfo"], found["host"], found["port"], url.path, url.query, url.fragment]

    return {"rfc3986": read}


def _hyperlink() -> dict[str, Ask]:
    import hyperlink

    def read(text: str) -> Answer:
        url = hyperlink.URL.from_text(text)
        path = ("/" if url.rooted else "") + "/".join(url.path)
        query = "&".join([name if value is None else f"{name}={value}" for name, value in url.query])
        return [url.scheme, url.userinfo or None, url.host, as_text(url.port), path, query, url.fragment]

    return {"hyperlink": read}


def _furl() -> dict[str, Ask]:
    import furl

    def read(text: str) -> Answer:
        url = furl.furl(text)
        userinfo = joined(url.username, url.password)
        return [url.scheme, userinfo, url.host, as_text(url.port), str(url.path), str(url.query), str(url.fragment)]

    return {"furl": read}


def _pydantic() -> dict[str, Ask]:
    import pydantic_core

    def read(text: str) -> Answer:
        url = pydantic_core.Url(text)
        userinfo = joined(url.username, url.password)
        return [url.scheme, userinfo, url.host, as_text(url.port), url.path, url.query, url.fragment]

    return {"pydantic": read}


def _url_py() -> dict[str, Ask]:
    import url as rust

    def read(text: str) -> Answer:
        url = rust.URL.parse(text)
        userinfo = joined(url.username or None, url.password)
        return [url.scheme, userinfo, url.host_str, as_text(url.port), url.path, url.query, url.fragment]

    return {"url-py": read}


def _ada() -> dict[str, Ask]:
    import ada_url

    def read(text: str) -> Answer:
        url = ada_url.URL(text)
        userinfo = joined(url.username or None, url.password or None)
        return [url.protocol[:-1], userinfo, url.hostname, url.port or None, url.pathname, url.search, url.hash]

    return {"ada": read}


def _qt() -> dict[str, Ask]:
    from PySide6.QtCore import QUrl

    encoded = QUrl.ComponentFormattingOption.FullyEncoded

    def reader(mode: object) -> Ask:
        def read(text: str) -> Answer:
            url = QUrl(text, mode)
            if not url.isValid():
                raise ValueError(url.errorString())
            host = url.host(encoded) if url.authority() or url.host() else None
            query = url.query(encoded) if url.hasQuery() else None
            fragment = url.fragment(encoded) if url.hasFragment() else None
            port = str(url.port()) if url.port() != -1 else None
            return [url.scheme(), url.userInfo(encoded) or None, host, port, url.path(encoded), query, fragment]

        return read

    return {
        "qt-tolerant": reader(QUrl.ParsingMode.TolerantMode),
        "qt-strict": reader(QUrl.ParsingMode.StrictMode),
    }


# name of a distribution -> its readers
PACKAGES: dict[str, Callable[[], dict[str, Ask]]] = {
    "urllib3": _urllib3,
    "requests": _requests,
    "httpx": _httpx,
    "yarl": _yarl,
    "aiohttp": _aiohttp,
    "rfc3986": _rfc3986,
    "hyperlink": _hyperlink,
    "furl": _furl,
    "pydantic_core": _pydantic,
    "url-py": _url_py,
    "ada-url": _ada,
    "PySide6-Essentials": _qt,
}


def main(names: list[str]) -> None:
    warnings.simplefilter("ignore")
    found: dict[str, Ask] = {}
    versions = {}
    for distribution, made in PACKAGES.items():
        try:
            readers = made()
        except ImportError:
            continue
        for name, read in readers.items():
            if not names or name.rstrip(">") in names:
                found[name] = read
                versions[name] = importlib.metadata.version(distribution)
    socket.getaddrinfo = resolve  # type: ignore[assignment]
    socket.socket.connect = lambda self, address: resolve(*address[:2])  # type: ignore[method-assign]
    for line in sys.stdin:
        text, answers = json.loads(line), {}
        for name, read in found.items():
            try:
                answers[name] = read(text)
            except BaseException as error:  # pydantic's PanicException is no Exception
                if isinstance(error, (KeyboardInterrupt, SystemExit)):
                    raise
                answers[name] = ["!", type(error).__name__]
        print(json.dumps(answers))
    print(json.dumps(versions), file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1:])
