"""A proxy that the policy names, through each client: all goes to it and nothing elsewhere, and URLs are judged by what
can be judged without the DNS. The proxy counts, and answers as the origin would."""

from __future__ import annotations

import asyncio
import base64
import logging
from contextlib import suppress
from urllib.parse import quote

import pytest
from support.askers import NAMES, Loop, asker_of
from support.hostile import texts
from support.listening import OPENED, Authority, connects
from support.seeds import seeded

from urlsm.guard import Policy
from urlsm.guard.proxy import Proxy, take_answer

SECRET = "Basic " + base64.b64encode(b"user:p@ss").decode()
LOOKED_UP = {"egress.internal", "127.0.0.1"}  # httpcore asks for the number too
HOST6 = "[2606:4700:4700::1111]"
ELSEWHERE = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"]


@pytest.fixture(scope="module")
def authority():
    return Authority()


@pytest.fixture
def proxy(server, names, monkeypatch, inner):
    """The server as a proxy, at a name of an address that no policy allows; another one in the environment."""
    server.tunnel, server.tunnel_answer = inner, OPENED
    names["egress.internal"] = ["127.0.0.1"]
    names["environment.example.com"] = ["127.99.0.1"]
    for name in ELSEWHERE:
        monkeypatch.setenv(name, f"http://environment.example.com:{server.port}")
    yield server
    server.tunnel = None


@pytest.fixture(scope="module")
def context(authority):
    return authority.client()


@pytest.fixture(scope="module")
def inner(authority):
    return authority.server("good.example.com", "1.1.1.1")


@pytest.fixture(params=NAMES)
def make(request, proxy, context):
    kind = asker_of(request.param)
    made = []

    def make(*networks, **options):
        options.setdefault("proxy", f"http://user:p%40ss@egress.internal:{proxy.port}")
        options.setdefault("ports", {80, 443, 8080})
        made.append(kind(Policy(["public", *networks], **options), context))
        return made[-1]

    yield make
    for asker in made:
        asker.close()


def lines(server):
    return [(seen.method, seen.target) for seen in server.requests]


def tunnels(server):
    return list(dict.fromkeys(seen.target for seen in server.requests if seen.method == "CONNECT"))


def test_http_goes_through_a_tunnel(make, proxy, names):
    asker = make()
    proxy.tunnel = None
    with connects() as connected:
        for _ in range(2):
            answer = asker.ask("http://OPEN.example.com/a/../ok?q=%20#f")
            assert (answer.status, answer.content) == (200, b"fine")
        assert asker.ask("http://open.example.com:8080//127.0.0.1/ok").content == b"fine"
        assert asker.ask("http://1.1.1.1", "POST", {"X-A": "b"}, b"text").content == b"fine"
        assert asker.ask("http://[2606:4700:4700::1111]:8080/ok").content == b"fine"
    assert tunnels(proxy) == [
        *("open.example.com:80", "open.example.com:8080", "1.1.1.1:80", "[2606:4700:4700::1111]:8080"),
    ]
    assert [line for line in lines(proxy) if line[0] != "CONNECT"] == [
        *(("GET", "/ok?q=%20"), ("GET", "/ok?q=%20"), ("GET", "//127.0.0.1/ok"), ("POST", "/"), ("GET", "/ok")),
    ]
    check_fields(proxy)
    assert set(connected) == {("127.0.0.1", proxy.port)} and set(names.calls) <= LOOKED_UP


def check_fields(proxy):
    """The credentials of the proxy go to it alone, and each request to the host of its tunnel."""
    for seen in proxy.requests:
        if seen.method == "CONNECT":
            assert seen.headers == {"Host": seen.target, "Proxy-Authorization": SECRET}
        else:
            assert seen.headers["Host"] in (seen.via, seen.via.rpartition(":")[0])
            assert not any(name.lower().startswith("proxy-") for name in seen.headers)


def test_https_goes_through_a_tunnel(make, proxy, names):
    asker = make()
    with connects() as connected:
        for _ in range(2):
            assert asker.ask("https://GOOD.example.com/ok").content == b"fine"
        assert asker.ask("https://1.1.1.1:8080/ok").content == b"fine"
        with pytest.raises(asker.error) as found:  # the name of the certificate is checked
            asker.ask("https://[2606:4700:4700::1111]/ok")
        assert not isinstance(found.value, asker.refused)
    assert tunnels(proxy) == ["good.example.com:443", "1.1.1.1:8080", "[2606:4700:4700::1111]:443"]
    check_fields(proxy)
    assert set(connected) == {("127.0.0.1", proxy.port)} and set(names.calls) <= LOOKED_UP


REFUSED = [
    "http://127.0.0.1/",
    "http://169.254.169.254/latest/meta-data/",
    "https://10.0.0.1/",
    "http://0x7f.1/",
    "http://2130706433/",
    "http://[::ffff:127.0.0.1]/",
    "http://[64:ff9b::7f00:1]/",
    "http://localhost/",
    "http://egress.internal/",
    "http://metadata.google.internal/",
    "http://printer/",
    "http://open.example.com:22/",
    "ftp://open.example.com/",
    "http://open.example.com\\@127.0.0.1/",
    "http://open.example.com\r\nX: y/",
    "http://①②⑦.0.0.1/",
]


def test_what_is_refused_without_the_dns_is_not_sent(make, proxy, names):
    asker = make("10.0.0.0/8")
    proxy.tunnel = None
    with connects() as connected:
        for url in REFUSED:
            if "10.0.0.1" not in url:
                with pytest.raises(asker.refused):
                    asker.ask(url)
    assert not connected and not names.calls and not proxy.connections
    assert asker.ask("http://10.0.0.1/ok").content == b"fine"  # an address is judged by the networks


def test_redirects_are_judged(make, proxy, names):
    asker = make()
    # a header cannot have some, and the text of a redirect is judged in normal form
    targets = [url for url in REFUSED if url.isascii() and "\\" not in url and "\n" not in url]
    with connects() as connected:
        for url in targets:
            with pytest.raises(asker.refused):
                asker.ask(f"https://good.example.com/to?url={quote(url, safe='')}")
        assert tunnels(proxy) == ["good.example.com:443"]
        assert asker.ask("https://good.example.com/to?url=https://1.1.1.1:8080/ok").content == b"fine"
        with pytest.raises(asker.refused):
            asker.ask("https://good.example.com/loop")
        assert tunnels(proxy) == ["good.example.com:443", "1.1.1.1:8080"]
        proxy.tunnel = None
        assert asker.ask("http://good.example.com/to?url=http://1.1.1.1/ok").content == b"fine"
    assert tunnels(proxy)[2:] == ["good.example.com:80", "1.1.1.1:80"]
    check_fields(proxy)
    assert set(connected) == {("127.0.0.1", proxy.port)} and set(names.calls) <= LOOKED_UP


def test_no_credentials_go_astray(make, proxy):
    asker = make()
    own = {"Proxy-Authorization": "Basic b3du", "proxy-connection": "x", "Authorization": "Bearer t", "Cookie": "a=b"}
    assert asker.ask("https://good.example.com/to?url=https://1.1.1.1/ok", headers=own).content == b"fine"
    _, first, _, then = proxy.requests
    assert "Authorization" in first.headers and not {"Authorization", "Cookie"} & then.headers.keys()
    check_fields(proxy)
    assert asker.ask("https://good.example.com/cookie").status == 200
    assert asker.ask("https://1.1.1.1/ok").status == 200
    assert "secret" not in str([seen.headers for seen in proxy.requests])


def test_what_hides_in_a_request_stays_in_its_tunnel(make, proxy):
    """A second request, in the content of the first or in its method, reaches the host that was judged."""
    asker = make(total_timeout=2)
    proxy.tunnel = None
    hidden = b"CONNECT 127.0.0.1:80 HTTP/1.1\r\n\r\nGET http://127.0.0.1/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    fields = [{"Content-Length": "0"}, {"Content-Length": "0", "Transfer-Encoding": "chunked"}]
    with connects() as connected:
        for headers in fields:
            with suppress(Exception):  # one of h11, too
                asker.ask("http://open.example.com/ok", "POST", headers, hidden)
        for method in ("GET http://127.0.0.1/", "CONNECT", "GET\r\nX: y"):
            with suppress(asker.error, ValueError):
                asker.ask("http://open.example.com/ok", method)
    assert set(connected) <= {("127.0.0.1", proxy.port)}
    outer = [seen.target for seen in proxy.requests if "Proxy-Authorization" in seen.headers]
    assert set(outer) == {"open.example.com:80"}


ANSWERS = [
    b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n",
    b"HTTP/1.1 403 Forbidden\r\n\r\n",
    b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1/\r\n\r\n",
    b"HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil",
    b"HTTP/1.1 100 Continue\r\n\r\n",
    b"SSH-2.0-x\r\n\r\n",
    b"HTTP/1.1 200 OK\r\na: " + b"x" * (1 << 17) + b"\r\n\r\n",
    b"",
]


def test_a_tunnel_that_is_not_opened(make, proxy, caplog):
    caplog.set_level(logging.DEBUG)
    asker = make(total_timeout=20)
    for answer in ANSWERS:
        proxy.tunnel_answer = answer
        with pytest.raises(asker.error) as found:
            asker.ask("https://good.example.com/secret")
        assert {method for method, _ in lines(proxy)} == {"CONNECT"}
        error: BaseException | None = found.value
        while error is not None:
            for text in (str(error), repr(error)):
                assert "p@ss" not in text and "p%40ss" not in text and SECRET[6:] not in text
            error = error.__cause__ or error.__context__
    assert SECRET[6:] not in caplog.text and "p%40ss" not in caplog.text


def test_no_credentials_in_refusals_and_answers(make, proxy, caplog):
    caplog.set_level(logging.DEBUG)
    asker = make(max_bytes=2)
    for url in ("https://good.example.com/ok", "http://127.0.0.1/"):
        with pytest.raises(asker.refused) as found:
            asker.ask(url)
        assert SECRET[6:] not in repr(found.value) + str(vars(found.value))
    for secret in (SECRET[6:], "p%40ss", "p@ss"):
        assert secret not in caplog.text
        assert secret not in repr(Proxy("http://user:p%40ss@h:1")) + str(Proxy("http://user:p%40ss@h:1"))


def test_a_proxy_that_is_slow(make, proxy):
    proxy.tunnel_answer = b"HTTP/1.1 200 OK\r\n"
    asker = make(total_timeout=0.4)
    with pytest.raises(asker.error):
        asker.ask("https://good.example.com/ok")
    with pytest.raises(asker.refused) as found:
        proxy.tunnel_answer = OPENED
        asker.ask("https://good.example.com/slow")
    assert found.value.verdict.codes == ("too-slow",)


def test_bare_pieces_go_to_the_proxy(proxy, names, context):
    policy = Policy(proxy=f"http://egress.internal:{proxy.port}")
    with connects() as connected:
        _bare_httpx(policy, context)
        proxy.tunnel = None
        _bare_requests(policy)
        _bare_aiohttp(policy)
    assert {(seen.method, seen.target) for seen in proxy.requests} == {
        *(("CONNECT", f"{host}:{port}") for host, port in (("good.example.com", 443), ("1.1.1.1", 443))),
        *(("CONNECT", f"{host}:80") for host in ("open.example.com", "other.example.com", HOST6)),
        ("GET", "/ok"),
    }
    assert set(connected) <= {("127.0.0.1", proxy.port)} and set(names.calls) <= LOOKED_UP


def _bare_requests(policy):
    requests = pytest.importorskip("requests")
    from urlsm.guard._requests import Adapter, BlockedError

    with requests.Session() as session:
        session.trust_env = False
        session.mount("http://", Adapter(policy))
        assert session.get("http://open.example.com/ok").content == b"fine"
        with pytest.raises(BlockedError):
            session.get("http://127.0.0.1/")


def _bare_httpx(policy, context):
    httpcore = pytest.importorskip("httpcore")
    from urlsm.guard._httpcore import Backend, BlockedError

    with httpcore.ConnectionPool(context, network_backend=Backend(policy)) as pool:
        for url in ("https://good.example.com/ok", "https://1.1.1.1/ok"):
            assert pool.request("GET", url).content == b"fine"
        for url in ("https://127.0.0.1/", "http://localhost/", "http://[::1]/", "http://[fe80::1%25x]/"):
            with pytest.raises(BlockedError):
                pool.request("GET", url)


def _bare_aiohttp(policy):
    aiohttp = pytest.importorskip("aiohttp")
    from urlsm.guard._aiohttp import BlockedError, Connector, session

    async def asked():
        connector = Connector(policy)
        async with aiohttp.ClientSession(connector=connector) as bare:
            for url in ("http://open.example.com/ok", f"http://{HOST6}/ok"):
                async with bare.get(url) as answer:
                    assert await answer.read() == b"fine"
            for url, options in (
                ("http://127.0.0.1/", {}),
                ("http://a.example.com/", {"proxy": "http://a.example.com"}),
            ):
                with pytest.raises(BlockedError):
                    await bare.get(url, **options)
            whole = session(policy, connector=connector)
            async with whole, whole.get("http://other.example.com/ok") as answer:
                assert await answer.read() == b"fine"

    loop = Loop()
    loop.run(asked())
    loop.close()


def test_pools_of_urllib3_go_to_the_proxy(proxy):
    pytest.importorskip("urllib3")
    from urlsm.guard._urllib3 import BlockedError, pool_manager

    manager = pool_manager(Policy(proxy=f"http://egress.internal:{proxy.port}"))
    pool, proxy.tunnel = manager.connection_from_host("open.example.com"), None
    for target in ("http://127.0.0.1/", "//127.0.0.1/", "@127.0.0.1/", "*", "127.0.0.1:80"):
        with suppress(BlockedError, ValueError):
            pool.urlopen("GET", target, assert_same_host=False, retries=False)
    assert tunnels(proxy) == ["open.example.com:80"]
    with pytest.raises(BlockedError):
        manager.connection_from_host("127.0.0.1").urlopen("GET", "/", retries=False)
    manager.clear()


@pytest.mark.parametrize("client", NAMES)
def test_hostile_texts(client, proxy, names):
    kind = asker_of(client)
    policy = Policy(ports={80, proxy.port}, proxy=f"http://egress.internal:{proxy.port}")
    asker, proxy.tunnel = kind(policy), None
    with connects() as connected:
        for text in texts(seeded(f"proxied {client}"), proxy.port, 60):
            line = text.replace("\r", "").replace("\n", "")
            for url in (text, f"http://open.example.com/to?url={quote(line, safe='')}"):
                with suppress(asker.error, ValueError):
                    asker.ask(url, timeout=5)
    asker.close()
    assert len(proxy.requests) >= 60
    for target in tunnels(proxy):
        assert policy.check(f"http://{target}/").allowed, target
    assert set(connected) == {("127.0.0.1", proxy.port)} and set(names.calls) <= LOOKED_UP


@pytest.mark.parametrize(
    "text",
    [
        *("", "egress:3128", "egress.internal", "//egress:3128", "user:secret@egress:3128", "http://", "\ud800"),
        *("socks5://user:secret@egress:1080", "socks4://egress", "socks5h://egress:1080", "https://egress:3128"),
        *("http://user:secret@egress:3128/path", "http://egress:3128?secret", "http://egress:3128/#", "ftp://egress"),
        *("http://user:secret@egress:99999", "http://egress\\@secret:3128", "http://user:secret@eg\tress:3128"),
        *("http://user:secret@127.1:3128", "http:egress:3128"),
    ],
)
def test_a_text_that_is_not_a_proxy(text):
    with pytest.raises(ValueError, match="SOCKS") as found:
        Policy(proxy=text)
    assert "secret" not in str(found.value) and found.value.__context__ is None


def test_what_a_policy_with_a_proxy_says():
    policy = Policy(
        ["public", "10.0.0.0/8"], proxy="http://user:secret@Egress.internal:3128", nat64_prefixes="2001:db8:64::/96"
    )
    assert (policy.proxy.host, policy.proxy.port, str(policy.proxy)) == ("egress.internal", 3128,
                                                                        "http://egress.internal:3128/")  # fmt: skip
    assert "secret" not in repr(policy.proxy) + repr(policy) and Policy(proxy="http://[::1]").proxy.host == "::1"
    assert Policy(proxy="http://h").proxy.fields == () and Policy(proxy=b"http://h").proxy.port == 80
    with pytest.raises(AttributeError):
        policy.proxy.host = "x"
    for asked in (policy.resolve, lambda host: asyncio.run(policy.aresolve(host))):
        verdict = asked("example.com")
        assert verdict.allowed and not verdict.final and not verdict and not verdict.addresses
        assert asked("10.0.0.1").addresses == ("10.0.0.1",) and not asked("127.0.0.1").allowed
        assert asked("billing.internal").codes == ("private-address",) and asked("printer").codes == ("local-name",)
    assert policy.check("http://10.0.0.1/") and not policy.check("http://[2001:db8:64::7f00:1]/").allowed
    assert policy.check("http://billing.internal/").codes == ("private-address",)
    inside = Policy("10.0.0.0/8", proxy="http://h")
    assert inside.check("http://10.0.0.1/") and inside.check("http://example.com/").codes == ("proxied-name",)
    assert inside.resolve("example.com").codes == ("proxied-name",)
    hosts = Policy(domains=["example.com"], proxy="http://h")
    assert hosts.check("http://a.example.com/").allowed and hosts.check("http://example.org/").codes == ("host",)
    assert hosts.resolve("example.org").codes == ("host",)
    with pytest.raises(ValueError, match="host_networks"):
        Policy(host_networks={"billing.internal": "10.0.0.0/8"}, proxy="http://h")


def test_answers_to_connect():
    assert take_answer(bytearray(b"HTTP/1.0 299 x\r\n\r"), b"\n") and not take_answer(bytearray(), b"HTTP/1.1 200")
    for answer in (*ANSWERS[:6], b"HTTP/1.1 20 x\r\n\r\n", b"HTTP/1.1 2000 x\r\n\r\n", b"HTTP/1.1 1200 x\r\n\r\n"):
        with pytest.raises(OSError, match="proxy"):
            take_answer(bytearray(), answer)
    with pytest.raises(OSError, match="proxy"):
        take_answer(bytearray(b"HTTP/1.1 200"), b"")
