"""What urllib's, urllib3's and requests' clients alone have: handlers, pools, streams, sessions."""

from __future__ import annotations

import http.cookiejar
import json
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context

import pytest

from urlsm.guard import BlockedError as AnyBlocked
from urlsm.guard import Policy
from urlsm.guard import _urllib as of_urllib


@pytest.fixture
def policy(server):
    return Policy(
        ["public", "127.77.0.0/16"], ports={server.port}, max_bytes=1 << 20, max_decoded_bytes=1 << 20, total_timeout=20
    )


# --- urllib ---


@pytest.mark.parametrize("name", ["FileHandler", "FTPHandler", "DataHandler", "HTTPHandler", "HTTPRedirectHandler"])
def test_handlers_that_would_open(policy, name):
    with pytest.raises(ValueError, match="has not checked"):
        of_urllib.urllib_opener(policy, getattr(urllib.request, name)())


def test_proxies_of_urllib(policy, server):
    with pytest.raises(ValueError, match="ProxyHandler"):
        of_urllib.urllib_opener(policy, urllib.request.ProxyHandler({"http": "http://127.0.0.1:1"}))
    asked = urllib.request.Request(server.url())
    asked.set_proxy("127.0.0.1:1", "http")
    with pytest.raises(of_urllib.BlockedError) as found:
        of_urllib.urllib_opener(policy).open(asked)
    assert found.value.verdict.codes == ("proxy",) and not server.connections


def test_handlers_that_do_not_open(policy, server, names):
    jar = http.cookiejar.CookieJar()
    opener = of_urllib.urllib_opener(policy, urllib.request.HTTPCookieProcessor(jar))
    opener.open(server.url("/cookie", "open.example.com")).close()
    assert [cookie.value for cookie in jar] == ["cookie"]
    seen = json.load(opener.open(server.url("/to?url=/echo", "open.example.com")))
    assert seen["headers"]["Cookie"] == "secret=cookie"
    seen = json.load(opener.open(server.url("/echo", "other.example.com")))
    assert "Cookie" not in seen["headers"]
    assert isinstance(of_urllib.BlockedError("x"), urllib.request.URLError) and issubclass(
        of_urllib.BlockedError, AnyBlocked
    )


# --- urllib3 ---


@pytest.fixture
def manager(policy):
    module = pytest.importorskip("urlsm.guard._urllib3", exc_type=ImportError)
    with module.urllib3_pool(policy) as manager:
        yield manager


def test_options_that_go_past_the_policy(policy, manager):
    module = pytest.importorskip("urlsm.guard._urllib3", exc_type=ImportError)
    for name in ("proxy", "_proxy", "_proxy_config", "_proxy_headers"):
        with pytest.raises(TypeError, match="bypass the policy"):
            module.urllib3_pool(policy, **{name: "http://127.0.0.1:1"})
    manager.connection_pool_kw["_proxy"] = "http://127.0.0.1:1"
    with pytest.raises(module.BlockedError):
        manager.request("GET", "http://127.77.0.1/")


def test_pools_themselves(manager, server, names):
    names["inside.example.com"] = ["127.0.0.1"]
    pool = manager.connection_from_url(server.url())
    assert pool.request("GET", "/ok").data == b"fine"
    assert pool.request("GET", f"/to?url={server.url('/ok', '127.0.0.1')}").status == 302
    for host in ("127.0.0.1", "inside.example.com", "::1"):
        with pytest.raises(AnyBlocked):
            manager.connection_from_host(host, server.port).request("GET", "/ok")
    assert not server.leaked()


def test_retries(manager, server):
    urllib3 = pytest.importorskip("urllib3")
    start = time.monotonic()
    for retries in (urllib3.Retry(3), urllib3.Retry(2, status_forcelist=[503]), 3, None):
        with suppress(urllib3.exceptions.MaxRetryError):
            assert manager.request("GET", server.url("/later"), retries=retries).status == 503
    assert time.monotonic() - start < 10


def test_streams_of_urllib3(manager, server):
    for path in ("/endless", "/bomb?coding=gzip"):
        answer = manager.request("GET", server.url(path), preload_content=False)
        with pytest.raises(AnyBlocked):
            for _ in answer.stream(1000):
                pass
        answer.close()
    answer = manager.request("GET", server.url("/ok"), preload_content=False, redirect=False)
    assert answer.read(2) == b"fi" and answer.read() == b"ne"
    answer.release_conn()
    assert manager.request("GET", server.url("/ok")).data == b"fine" and len(server.connections) == 3


# --- requests ---


@pytest.fixture
def session(policy):
    module = pytest.importorskip("urlsm.guard._requests", exc_type=ImportError)
    with module.requests_session(policy) as session:
        yield session


def test_cookies_of_no_host_stay_at_the_origin(session, server, names):
    away = server.url("/to?url=/echo", "other.example.com")
    target = server.url(f"/to?url={away}", "open.example.com")
    session.cookies.set("of_session", "secret")
    answer = session.get(target, cookies={"of_request": "secret"})
    assert [r.headers.get("Cookie") is None for r in server.requests] == [False, True, True]
    assert "secret" not in answer.text and len(answer.history) == 2
    answer = session.get(server.url("/to?url=/echo", "open.example.com"), cookies={"of_request": "secret"})
    assert answer.json()["headers"]["Cookie"].count("secret") == 2


def test_cookies_of_a_thread_that_a_call_started(session, server, names):
    """The origin that its own call asked is another than that of the call which started it."""

    def asked(answer, **options):
        with ThreadPoolExecutor(1) as pool:
            target = server.url(f"/to?url={server.url('/to?url=/echo', 'open.example.com')}", "other.example.com")
            pool.submit(copy_context().run, session.get, target, cookies={"of_request": "secret"}).result()

    session.get(server.url("/ok", "open.example.com"), hooks={"response": asked})
    assert [request.headers.get("Cookie") for request in server.requests] == [None, "of_request=secret", None, None]


def test_redirects_that_are_not_followed(session, server):
    answer = session.get(server.url(f"/to?url={server.url('/ok', '127.0.0.1')}"), allow_redirects=False)
    assert answer.status_code == 302 and answer.next is None


def test_locations_that_are_not_utf8(session, server):
    """Their octets are those of ISO 8859-1, for which requests itself raises UnicodeDecodeError."""
    assert session.get(server.url("/to?url=/ok%C2%AD")).status_code == 200
    answer = session.get(server.url("/to?url=/ok?%C3%BF"))
    assert answer.status_code == 200 and answer.history[0].status_code == 302


def test_streams_of_requests(session, server):
    refused = pytest.importorskip("urlsm.guard._requests", exc_type=ImportError).BlockedError
    for path in ("/endless", "/bomb?coding=gzip"):
        with session.get(server.url(path), stream=True) as answer, pytest.raises(refused):
            for _ in answer.iter_content(1000):
                pass
        with pytest.raises(refused):
            session.get(server.url(path))
    assert b"".join(session.get(server.url("/ok"), stream=True).iter_lines()) == b"fine"


def test_ways_past_the_policy(session, server, names):
    requests = pytest.importorskip("requests")
    proxies = {"http": "http://127.0.0.1:1", "https": "http://127.0.0.1:1"}
    with pytest.raises(AnyBlocked):
        session.get(server.url(), proxies=proxies)
    with pytest.raises(AnyBlocked):
        session.get_adapter("http://x").send(requests.Request("GET", server.url()).prepare(), proxies=proxies)
    with pytest.raises(ValueError, match="adapter"):
        session.mount("file://", requests.adapters.HTTPAdapter())
    with pytest.raises(AnyBlocked):
        session.send(session.prepare_request(requests.Request("GET", server.url("/ok", "127.0.0.1"))))
    with pytest.raises(AnyBlocked):
        session.get_adapter("http://x").send(requests.Request("GET", server.url("/ok", "127.0.0.1")).prepare())
    session.proxies = proxies
    with pytest.raises(AnyBlocked):
        session.get(server.url())
    assert not server.connections
    session.proxies = {}
    answer = session.get(server.url("/echo"), params={"q": "\\@127.0.0.1"})
    assert answer.status_code == 200 and answer.url.endswith("/echo?q=%5C%40127.0.0.1")
    assert not server.leaked()


def test_versions_that_are_not_tested(policy, monkeypatch):
    requests = pytest.importorskip("requests")
    module = pytest.importorskip("urlsm.guard._requests", exc_type=ImportError)
    monkeypatch.setattr(requests, "__version__", "99.1")
    with pytest.raises(RuntimeError, match="requests 99"):
        module.requests_session(policy)
    with pytest.warns(RuntimeWarning, match="requests 99"):
        module.requests_session(policy, allow_untested=True).close()


def test_an_adapter_in_another_session(policy, server, names):
    requests = pytest.importorskip("requests")
    module = pytest.importorskip("urlsm.guard._requests", exc_type=ImportError)
    names["inside.example.com"] = ["127.0.0.1"]
    with requests.Session() as session:
        session.mount("http://", module.RequestsAdapter(policy))
        assert session.get(server.url()).content == b"fine"
        for url in (
            server.url("/ok", "127.0.0.1"),
            server.url("/ok", "inside.example.com"),
            server.url(f"/to?url={server.url('/ok', '127.0.0.1')}"),
            server.url(f"/to?url={server.url('/ok', 'inside.example.com')}"),
            server.url("/endless"),
        ):
            with pytest.raises(module.BlockedError):
                session.get(url)
        with pytest.raises(module.BlockedError):
            session.get(server.url(), proxies={"http": "http://127.0.0.1:1"})
    assert not server.leaked()
