"""What only httpx has: HTTP/2, authentication flows, requests and URLs of its own, extensions, pools of one's own."""

from __future__ import annotations

import asyncio
import json

import pytest
from support.listening import Authority, Server, connects

from urlsm.guard import Policy
from urlsm.patterns import PatternSet

httpx = pytest.importorskip("httpx")
httpcore = pytest.importorskip("httpcore")

from urlsm.guard import _httpcore as network  # noqa: E402
from urlsm.guard import _httpx as guarded  # noqa: E402

OPEN = "127.77.0.1"
LIMITS = {"max_bytes": 1 << 20, "max_decoded_bytes": 1 << 20, "header_timeout": 0.3, "total_timeout": 0.8}


def policy(server, **options):
    return Policy(["public", "127.77.0.0/16"], ports={server.port}, **options)


@pytest.fixture
def client(server, names):
    with guarded.httpx_client(policy(server)) as made:
        yield made


def seen(answer):
    return {name.lower(): value for name, value in json.loads(answer.content)["headers"].items()}


def test_what_goes_past_the_policy_is_an_error(server):
    other = httpx.HTTPTransport()
    for options in (
        {"transport": other},
        {"mounts": {"all://": other}},
        {"proxy": "http://127.0.0.1:1"},
        {"uds": "/run/docker.sock"},
        {"network_backend": httpcore.SyncBackend()},
    ):
        for make in (guarded.httpx_client, guarded.httpx_async_client):
            with pytest.raises(TypeError, match="would bypass the policy"):
                make(Policy(), **options)


def test_an_untested_version_is_an_error(monkeypatch):
    for module in (httpx, httpcore):
        with monkeypatch.context() as patched:
            patched.setattr(module, "__version__", "9.1.0")
            with pytest.raises(RuntimeError, match=r"not tested with .*9\.1\.0"):
                guarded.httpx_client(Policy())
            with pytest.warns(RuntimeWarning, match="not tested"):
                guarded.httpx_client(Policy(), allow_untested=True).close()


def test_what_a_request_says_of_itself_is_not_what_counts(client, server):
    url = server.url("/echo", "open.example.com")
    answer = client.get(url, headers={"Host": "inside.example.com"})
    assert seen(answer)["host"] == f"open.example.com:{server.port}"
    client.get(url, extensions={"target": b"http://127.0.0.1/", "sni_hostname": "inside.example.com"})
    assert server.requests[-1].target == "/echo"
    with pytest.raises(guarded.BlockedError, match="proxy"):
        client.request("CONNECT", url)
    assert len(server.requests) == 2


def test_requests_and_urls_of_httpx(client, server):
    for text in (
        f"http://open.example.com:{server.port}\\@127.0.0.1:{server.port}/",
        f"http://127.0.0.1:{server.port}/",
        f"http://inside.example.com:{server.port}/",
        "http://127.1/",
        "file:///etc/passwd",
        "/ok",
    ):
        with connects() as connected:
            with pytest.raises(guarded.BlockedError):
                client.send(httpx.Request("GET", text))
            with pytest.raises(guarded.BlockedError):
                client.get(httpx.URL(text))
        assert not connected
    request = client.build_request("GET", server.url("/%C3%A9|[]"), params={"a": "b c"})
    assert client.send(request).status_code == 200 and server.requests[-1].target == "/%C3%A9|[]?a=b+c"
    request.url = httpx.URL(server.url(host="127.0.0.1"))  # as a hook can
    with pytest.raises(guarded.BlockedError) as found:
        client.send(request)
    assert str(found.value.request.url) == server.url("/", "127.0.0.1")
    assert not server.leaked()


def test_base_url(server, names):
    base = server.url("/base", "open.example.com")
    with guarded.httpx_client(policy(server), base_url=base) as client:
        for text in ("ok", "/ok", "//127.0.0.1/ok", "\\\\127.0.0.1\\ok", "../ok"):
            assert client.get(text).status_code == 200
            assert server.requests[-1].headers["Host"] == f"open.example.com:{server.port}"
        with pytest.raises(guarded.BlockedError):
            client.get(server.url(host="127.0.0.1"))
    with (
        guarded.httpx_client(policy(server), base_url=server.url("/", "127.0.0.1")) as client,
        pytest.raises(guarded.BlockedError),
    ):
        client.get("ok")
    assert not server.leaked()


def test_redirects_are_followed_when_asked_for(client, server):
    away, near = server.url(f"/to?url={server.url(host='127.0.0.1')}"), server.url("/to?url=/ok")
    answer = client.get(away)
    assert answer.status_code == 302 and answer.next_request is not None
    with pytest.raises(guarded.BlockedError):
        client.send(answer.next_request)
    with pytest.raises(guarded.BlockedError):
        client.get(away, follow_redirects=True)
    with pytest.raises(guarded.BlockedError), client.stream("GET", away, follow_redirects=True):
        pass
    assert client.get(server.url("/to?url=http://[")).next_request is None
    assert client.send(client.get(near).next_request).content == b"fine"
    answer = client.get(near, follow_redirects=True)
    assert [each.status_code for each in (*answer.history, answer)] == [302, 200] and answer.url == server.url("/ok")
    client.max_redirects = 2
    with pytest.raises(httpx.TooManyRedirects):
        client.get(server.url("/loop"), follow_redirects=True)
    assert not server.leaked()


def test_a_clients_own_credentials_stay_with_the_origin(server, names):
    here, there = (server.url("/echo", f"{name}.example.com") for name in ("open", "other"))
    options = {"auth": ("user", "secret"), "cookies": {"a": "secret"}, "headers": {"X-Api-Key": "secret"}}
    with guarded.httpx_client(policy(server), follow_redirects=True, **options) as client:
        assert {"authorization", "cookie", "x-api-key"} <= seen(client.get(here)).keys()
        assert {"authorization", "cookie", "x-api-key"} <= seen(client.get(here.replace("echo", "to?url=/echo"))).keys()
        for url in (there, f"/to?url={there}", server.url(f"/to?url={here}", "other.example.com")):
            server.clear()
            client.get(here.replace("/echo", f"/to?url={url}"))
            assert server.requests[-1].target == "/echo"
            assert [("secret" in str(each.headers)) for each in server.requests][-1] is False


def test_an_authentication_that_asks_twice(client, server):
    class Flow(httpx.Auth):
        def auth_flow(self, request):
            yield httpx.Request("GET", where)
            request.headers["Authorization"] = "token"
            yield request

    where = server.url("/ok")
    answer = client.get(server.url("/echo"), auth=Flow())
    assert seen(answer)["authorization"] == "token" and len(answer.history) == 1
    where = server.url("/ok", "127.0.0.1")
    with pytest.raises(guarded.BlockedError):
        client.get(server.url("/echo"), auth=Flow())
    answer = client.get(server.url("/echo"), auth=httpx.DigestAuth("user", "secret"))
    assert answer.status_code == 200 and not server.leaked()


def test_streams_have_limits_and_give_their_connections_back(server, names):
    with guarded.httpx_client(policy(server, **LIMITS), limits=httpx.Limits(max_connections=2)) as client:
        for path, code in (("/endless", "too-large"), ("/slow", "too-slow"), ("/large", "too-large")) * 2:
            with pytest.raises(guarded.BlockedError) as found, client.stream("GET", server.url(path)) as answer:
                for _ in answer.iter_bytes():
                    pass
            assert found.value.verdict.codes == (code,)
        assert client.get(server.url()).status_code == 200


def test_content_that_is_not_of_its_coding(client, server):
    with pytest.raises(httpx.DecodingError):
        client.get(server.url("/bomb?coding=x-gzip"))


def test_connections_are_for_one_origin(client, server, names):
    for _ in range(3):
        assert client.get(server.url(host="open.example.com")).status_code == 200
    assert len(server.connections) == 1 and names.calls["open.example.com"] == 1
    client.get(server.url(host="other.example.com"))
    assert len(server.connections) == 2


def test_addresses_are_tried_in_turn(client, server, names):
    names["two.example.com"] = ["127.77.255.255", OPEN]  # nobody listens at a broadcast address
    assert client.get(server.url(host="two.example.com")).status_code == 200
    with pytest.raises(httpx.ConnectError):
        client.get(server.url(host="unknown.example.com"))


def test_a_pool_of_ones_own(server, names):
    names["mixed.example.com"] = [OPEN, "127.0.0.1"]
    names["localhost"] = ["127.0.0.1"]
    with httpcore.ConnectionPool(network_backend=network.HttpcoreBackend(policy(server))) as pool:
        assert pool.request("GET", server.url(host="open.example.com")).content == b"fine"
        for host in ("inside.example.com", "mixed.example.com", "127.0.0.1", "127.1", "localhost"):
            with pytest.raises(httpcore.NetworkError) as found:
                pool.request("GET", server.url(host=host))
            assert isinstance(found.value, network.BlockedError) and not found.value.verdict
    with pytest.raises(NotImplementedError):
        network.HttpcoreBackend(Policy()).connect_unix_socket("/run/docker.sock")
    assert not server.leaked()


def test_a_pool_of_ones_own_takes_hosts_that_judge_hosts(server, names):
    for syntax, pattern in (
        ("origins", "https://a.com"),
        ("glob", "https://a.com/**"),
        ("urlpattern", "https://a.com"),
    ):
        only = Policy(domains=PatternSet([pattern], syntax))
        for backend in (network.HttpcoreBackend, network.AsyncHttpcoreBackend):
            with pytest.raises(ValueError, match="must use the syntax 'domains'"):
                backend(only)
        guarded.httpx_client(only).close()  # which judges URLs first
    network.HttpcoreBackend(Policy(domains=["a.com"]))
    only = PatternSet([f"http://open.example.com:{server.port}"], "origins")
    with guarded.httpx_client(policy(server, domains=only)) as client:
        assert client.get(server.url(host="open.example.com")).status_code == 200
        with pytest.raises(guarded.BlockedError):
            client.get(server.url(host="two.example.com"))


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # httpx's generators, cut short
def test_trio(server, names):
    trio = pytest.importorskip("trio")

    async def main():
        async with guarded.httpx_async_client(policy(server, **LIMITS), follow_redirects=True) as client:
            assert (await client.get(server.url(host="open.example.com"))).content == b"fine"
            for url in (server.url(host="inside.example.com"), server.url(f"/to?url={server.url(host='127.0.0.1')}")):
                with pytest.raises(guarded.BlockedError):
                    await client.get(url)
            for path, code in (("/endless", "too-large"), ("/drip", "too-slow"), ("/slow", "too-slow")):
                with pytest.raises(guarded.BlockedError) as found:
                    await client.get(server.url(path))
                assert found.value.verdict.codes == (code,)

    trio.run(main)
    assert not server.leaked()


# --- HTTP/2 ------------------------------------------------------------------------------------------------------


class Server2(Server):
    """A server of HTTP/2: /to redirects, /endless does not end, and every other target is answered."""

    def _handle(self, sock):
        from h2.config import H2Configuration
        from h2.connection import H2Connection
        from h2.events import RequestReceived

        try:
            sock = self._context.wrap_socket(sock, server_side=True)
            connection = H2Connection(H2Configuration(client_side=False, header_encoding="ascii"))
            connection.initiate_connection()
            sock.sendall(connection.data_to_send())
            while data := sock.recv(1 << 16):
                for event in connection.receive_data(data):
                    if isinstance(event, RequestReceived):
                        self._answer(connection, event.stream_id, dict(event.headers))
                sock.sendall(connection.data_to_send())
        except OSError:
            pass
        finally:
            sock.close()

    def _answer(self, connection, stream, fields):
        target = fields[":path"]
        self.requests.append((fields[":authority"], target))
        if target.startswith("/to?url="):
            connection.send_headers(stream, [(":status", "302"), ("location", target[8:])], end_stream=True)
        elif target == "/endless":
            connection.send_headers(stream, [(":status", "200")])
            connection.send_data(stream, bytes(10_000))
        elif target != "/silent":
            connection.send_headers(stream, [(":status", "200")])
            connection.send_data(stream, b"fine", end_stream=True)


@pytest.fixture(scope="module")
def second():
    pytest.importorskip("h2")
    authority = Authority()
    context = authority.server("open.example.com", "*.example.com")
    context.set_alpn_protocols(["h2"])
    server = Server2(context)
    yield server, authority
    server.close()


def test_http2(second, names):
    server, authority = second
    server.clear()
    port = server.port
    with guarded.httpx_client(
        policy(server, max_bytes=1000), http2=True, verify=authority.client(), follow_redirects=True
    ) as client:
        answer = client.get(server.url("/ok", "open.example.com"))
        assert (answer.http_version, answer.content) == ("HTTP/2", b"fine")
        client.get(server.url("/ok", "open.example.com"))
        assert len(server.connections) == 1
        client.get(server.url("/ok", "other.example.com"))  # of the same certificate and the same address
        assert len(server.connections) == 2
        assert server.requests[-1] == (f"other.example.com:{port}", "/ok")
        with connects() as connected, pytest.raises(guarded.BlockedError):
            client.get(server.url(f"/to?url={server.url('/ok', 'inside.example.com')}", "open.example.com"))
        assert not connected
        with pytest.raises(guarded.BlockedError) as found:
            client.get(server.url("/endless", "open.example.com"))
        assert found.value.verdict.codes == ("too-large",)
        with pytest.raises(httpx.ConnectError):  # the certificate is not for this name
            client.get(server.url("/ok", OPEN))
    assert server.names[:2] == ["open.example.com", "other.example.com"] and not server.leaked()


def test_two_hundred_at_a_time_by_http2(second, names):
    """In one thread: httpcore does not take the number of a stream and send its header in one step."""
    server, authority = second
    server.clear()

    async def main():
        async with guarded.httpx_async_client(
            policy(server), http2=True, verify=authority.client(), timeout=60
        ) as client:
            good, bad = (server.url("/ok", f"{name}.example.com") for name in ("open", "inside"))
            asked = [client.get(bad if number % 4 == 0 else good) for number in range(200)]
            return await asyncio.gather(*asked, return_exceptions=True)

    for number, answer in enumerate(asyncio.run(main())):
        assert isinstance(answer, guarded.BlockedError) if number % 4 == 0 else answer.content == b"fine"
    assert len(server.requests) == 150 and not server.leaked()


def test_a_slow_server_of_http2(second, names):
    server, authority = second
    client = guarded.httpx_client(policy(server, **LIMITS), http2=True, verify=authority.client())
    with client, pytest.raises(guarded.BlockedError) as found:
        client.get(server.url("/silent", "open.example.com"))
    assert found.value.verdict.codes == ("too-slow",)
