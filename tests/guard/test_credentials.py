"""To another origin than the program asked goes no credential, in no field, by no hook or handler, nor when
the redirects lead back: judged by what the servers see."""

from __future__ import annotations

import asyncio
import copy
import http.cookiejar
import pickle
import ssl
import time
import urllib.error
import urllib.request
from contextlib import suppress
from urllib.parse import quote

import pytest
from support.askers import NAMES, asker_of

from urlsm.guard import Policy
from urlsm.guard import _urllib as of_urllib

SECRET = "s3cret"
A, B, C = "open.example.com", "other.example.com", "third.example.com"
FIELDS = {
    "Authorization": f"Bearer {SECRET}",
    "Cookie": f"a={SECRET}",
    "X-Api-Key": SECRET,
    "Proxy-Authorization": f"Basic {SECRET}",
    "Referer": f"http://{A}/{SECRET}",
    "authorization2": SECRET,
}
ROUTES = {  # the hosts of the redirects
    "away": [A, B],
    "away, and on there": [A, B, B],
    "away, and on there twice": [A, B, B, B],
    "at home, then away": [A, A, B],
    "away and back": [A, B, A],
    "away and back, and on there": [A, B, A, A],
    "to a third": [A, B, C],
    "to an address": [A, "127.77.0.1"],
}


@pytest.fixture
def policy(server, names):
    names[C] = ["127.77.0.1"]
    return Policy(["public", "127.77.0.0/16"], ports={server.port, 80}, total_timeout=20)


def routed(server, hosts, last="/echo", status=302):
    """Return the URL from which redirects lead by these hosts."""
    url = ""
    for host in reversed(hosts):
        port = "" if ":" in host else f":{server.port}"
        url = f"http://{host}{port}" + (f"/to?status={status}&url={quote(url, safe='')}" if url else last)
    return url


def leaks(server):
    """Return the requests, but for those before a redirect led away from A, that have a secret."""
    found, crossed = [], False
    for seen in server.requests:
        crossed = crossed or seen.headers["Host"].partition(":")[0] != A
        if crossed and (SECRET in str(seen.headers) or "Authorization" in seen.headers):
            found.append((seen.headers["Host"], seen.headers))
    return found


def settle(server):
    """Wait until the server has read what was sent before a connection was closed: leaks() goes by the order."""
    seen = -1
    while seen < len(server.requests):
        seen = len(server.requests)
        time.sleep(0.04)


ROUTED = pytest.mark.parametrize("route", ROUTES)


@ROUTED
@pytest.mark.parametrize("client", NAMES)
def test_fields_of_a_request(client, route, server, policy):
    asker = asker_of(client)(policy)
    for status in (301, 302, 303, 307, 308):
        server.clear()
        with suppress(asker.error):  # nobody listens at port 80
            asker.ask(routed(server, ROUTES[route], status=status), headers=FIELDS)
        assert not leaks(server) and SECRET in str(server.requests[0].headers)
        at_home = next((k for k, host in enumerate(ROUTES[route]) if host != A), len(ROUTES[route]))
        assert all(seen.headers["X-Api-Key"] == SECRET for seen in server.requests[:at_home])
    asker.close()


# --- httpx ---------------------------------------------------------------------------------------


def hooked(request):
    request.headers.update(FIELDS)


async def ahooked(request):
    hooked(request)


@ROUTED
@pytest.mark.parametrize("last", ["/echo", "/asks?status=401&scheme=Digest", "/asks?status=407&scheme=Basic"])
@pytest.mark.parametrize("options", ["cookies", "cookies of a request", "headers", "auth", "digest", "hooks"])
def test_httpx(options, last, route, server, policy):
    httpx = pytest.importorskip("httpx")
    guarded = pytest.importorskip("urlsm.guard._httpx")
    of_client, of_request = {
        "cookies": ({"cookies": {"sid": SECRET}}, {}),
        "cookies of a request": ({}, {"headers": {"Cookie": f"sid={SECRET}"}}),
        "headers": ({"headers": FIELDS}, {}),
        "auth": ({"auth": ("user", SECRET)}, {"auth": ("user", SECRET)}),
        "digest": ({"auth": httpx.DigestAuth("user", SECRET)}, {}),
        "hooks": ({"event_hooks": {"request": [hooked]}}, {}),
    }[options]
    url = routed(server, ROUTES[route], last)
    with guarded.httpx_client(policy, follow_redirects=True, **of_client) as client:
        with suppress(httpx.HTTPError):
            client.get(url, **of_request)
        assert not leaks(server) and len(server.requests) > 1
        # the program sends each next request itself
        server.clear()
        with suppress(httpx.HTTPError):
            answer = client.get(url, follow_redirects=False, **of_request)
            while answer.next_request is not None:
                answer = client.send(answer.next_request, follow_redirects=False)
        assert not leaks(server) and len(server.requests) > 1

    async def asked():
        server.clear()
        if options == "hooks":
            of_client["event_hooks"] = {"request": [ahooked]}
        async with guarded.httpx_async_client(policy, follow_redirects=True, **of_client) as client:
            with suppress(httpx.HTTPError):
                await client.get(url, **of_request)

    asyncio.run(asked())
    assert not leaks(server) and len(server.requests) > 1


@ROUTED
@pytest.mark.parametrize("copied", [copy.copy, lambda request: pickle.loads(pickle.dumps(request))])
def test_a_copy_of_a_request_of_httpx(copied, route, server, policy):
    httpx = pytest.importorskip("httpx")
    guarded = pytest.importorskip("urlsm.guard._httpx")
    with guarded.httpx_client(policy, headers=FIELDS, auth=("user", SECRET), cookies={"sid": SECRET}) as client:
        answer = client.get(routed(server, ROUTES[route]))
        while answer.next_request is not None:
            with suppress(httpx.HTTPError, httpx.StreamError):  # a copy has no stream
                client.send(copied(answer.next_request))
            with suppress(httpx.HTTPError, httpx.StreamError):
                client.send(copied(answer).next_request)
            settle(server)
            then = answer.next_request
            with suppress(httpx.HTTPError):
                client.send(httpx.Request(then.method, then.url, headers=then.headers, extensions=then.extensions))
            try:
                answer = client.send(answer.next_request)
            except httpx.HTTPError:
                break
    settle(server)
    assert not leaks(server)


def test_httpx_keeps_what_is_of_the_origin_and_of_a_host(server, policy):
    guarded = pytest.importorskip("urlsm.guard._httpx")
    with guarded.httpx_client(policy, follow_redirects=True, cookies={"sid": SECRET}, auth=("user", SECRET)) as client:
        client.cookies.set("of_b", "kept", domain=B)
        client.get(routed(server, [A, A, B]))
        first, second, third = [seen.headers for seen in server.requests]
        assert first["Cookie"] == second["Cookie"] == f"sid={SECRET}" and "Authorization" in second
        assert third["Cookie"] == "of_b=kept" and "Authorization" not in third
        answer = client.get(routed(server, [A, B]), follow_redirects=False)
        assert answer.next_request.url.host == B and SECRET not in str(answer.next_request.headers)
        # credentials that the text of a redirect has are nobody's
        answer = client.get(server.url(f"/to?url=http://u:p@{B}:{server.port}/ok", A), follow_redirects=False)
        assert answer.next_request.url.userinfo == b""


# --- requests ------------------------------------------------------------------------------------


@ROUTED
@pytest.mark.parametrize("last", ["/echo", "/asks?status=401&scheme=Digest", "/asks?status=407&scheme=Digest"])
@pytest.mark.parametrize("way", ["cookies", "of_session", "auth", "digest", "proxy digest", "hook", "hook of session"])
def test_requests(way, last, route, server, policy):
    requests = pytest.importorskip("requests")
    guarded = pytest.importorskip("urlsm.guard._requests")

    def again(answer, **options):
        """What HTTPDigestAuth does, and Kerberos and NTLM, with any field."""
        if answer.status_code in (401, 407) and not answer.history:
            _ = answer.content
            request = answer.request.copy()
            hooked(request)
            request.hooks = {}
            sent = answer.connection.send(request, **options)
            sent.history.append(answer)
            return sent
        return answer

    with guarded.requests_session(policy) as session:
        given = {
            "cookies": {"cookies": {"sid": SECRET}},
            "auth": {"auth": ("user", SECRET)},
            "digest": {"auth": requests.auth.HTTPDigestAuth("user", SECRET)},
            "proxy digest": {"auth": requests.auth.HTTPProxyDigest("user", SECRET)}
            if hasattr(requests.auth, "HTTPProxyDigest")
            else {"auth": requests.auth.HTTPProxyAuth("user", SECRET)},
            "hook": {"hooks": {"response": again}},
        }.get(way, {})
        if way == "of_session":
            session.cookies.set("sid", SECRET)
            session.headers.update(FIELDS)
        if way == "hook of session":
            session.hooks["response"] = again
        with suppress(requests.RequestException):
            session.get(routed(server, ROUTES[route], last), **given)
        assert not leaks(server) and len(server.requests) > 1
        # an authentication that has a nonce of A
        server.clear()
        with suppress(requests.RequestException):
            session.get(routed(server, [A], last), **given)
            session.get(routed(server, ROUTES[route], last), **given)
        del server.requests[: 1 + ("asks" in last and len(server.requests) > len(ROUTES[route]) + 1)]
        assert not leaks(server)


def test_a_hook_of_requests_makes_calls_of_its_own(server, policy):
    """To the origin that it asks go the credentials that it gives; those of the call are not affected."""
    guarded = pytest.importorskip("urlsm.guard._requests")

    def asked(answer, **options):
        if "/echo" not in answer.url:
            session.get(routed(server, [C, C]), headers={"X-Api-Key": "its own"})

    with guarded.requests_session(policy) as session:
        answer = session.get(routed(server, [A, B]), headers=FIELDS, hooks={"response": asked})
        assert answer.status_code == 200
        seen = [(each.headers["Host"].partition(":")[0], each.headers.get("X-Api-Key")) for each in server.requests]
        assert seen == [(A, SECRET), (C, "its own"), (C, "its own"), (B, None)]


@ROUTED
def test_redirects_of_requests_that_a_program_follows(route, server, policy):
    requests = pytest.importorskip("requests")
    guarded = pytest.importorskip("urlsm.guard._requests")
    with guarded.requests_session(policy) as session:
        session.cookies.set("sid", SECRET)
        digest = requests.auth.HTTPDigestAuth("user", SECRET)
        for last in ("/echo", "/asks?status=401&scheme=Digest"):
            server.clear()
            with suppress(requests.RequestException):
                url = routed(server, ROUTES[route], last)
                answer = session.get(url, headers=FIELDS, auth=digest, allow_redirects=False)
                server.clear()
                while answer.is_redirect:
                    answer = next(session.resolve_redirects(answer, answer.request))
            assert not leaks(server) and server.requests


@ROUTED
@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda session: pickle.loads(pickle.dumps(session))])
def test_a_copy_of_a_session(copied, route, server, policy):
    requests = pytest.importorskip("requests")
    guarded = pytest.importorskip("urlsm.guard._requests")
    session = guarded.requests_session(policy)
    session.headers.update(FIELDS)
    made = copied(session)
    with suppress(requests.RequestException):
        made.get(routed(server, ROUTES[route]))
    assert not leaks(server) and len(server.requests) > 1
    with pytest.raises(guarded.BlockedError):
        made.get("http://127.0.0.1/")
    with pytest.raises(ValueError):
        made.mount("http://", requests.adapters.HTTPAdapter())
    with pytest.raises(TypeError):  # what cannot be copied is not left out
        pickle.dumps(guarded.requests_session(policy, context=ssl.create_default_context()))


def test_a_call_of_a_hook_leads_back(server, policy):
    """A hook of a call to A asks C, with credentials for C, and C leads to A."""
    guarded = pytest.importorskip("urlsm.guard._requests")
    requests = pytest.importorskip("requests")
    own = {"X-Api-Key": "its own"}

    def sent(answer, **options):
        if "/ok" in answer.url:
            session.send(requests.Request("GET", routed(server, [C, A]), headers=own).prepare())

    class Opens(urllib.request.BaseHandler):
        def http_response(self, request, response):
            if "/ok" in request.full_url:
                self.parent.open(urllib.request.Request(routed(server, [C, A]), headers=own)).close()
            return response

    with guarded.requests_session(policy) as session:
        session.get(routed(server, [A], "/ok"), headers=FIELDS, hooks={"response": sent})
    of_urllib.urllib_opener(policy, Opens()).open(routed(server, [A], "/ok")).close()
    seen = [(each.headers["Host"].partition(":")[0], each.headers.get("X-Api-Key")) for each in server.requests]
    assert [pair for pair in seen if pair[1] != SECRET] == [
        (C, "its own"),
        (A, None),
        (A, None),
        (C, "its own"),
        (A, None),
    ]


def test_digest_at_home(server, policy):
    """HTTPDigestAuth still answers the challenge of the origin that was asked."""
    requests = pytest.importorskip("requests")
    guarded = pytest.importorskip("urlsm.guard._requests")
    with guarded.requests_session(policy) as session:
        digest = requests.auth.HTTPDigestAuth("user", SECRET)
        answer = session.get(routed(server, [A, A], "/asks?status=401&scheme=Digest"), auth=digest)
        assert answer.status_code == 200 and answer.content == b"fine"
        answer = session.get(routed(server, [A, B], "/asks?status=401&scheme=Digest"), auth=digest)
        assert answer.status_code == 401


# --- urllib --------------------------------------------------------------------------------------


class Adds(urllib.request.BaseHandler):
    def http_request(self, request):
        for name, value in FIELDS.items():
            request.add_unredirected_header(name, value)
        return request


class Answers(urllib.request.BaseHandler):
    def http_error_401(self, request, answer, code, message, fields):
        if request.has_header("X-api-key"):
            return None
        answer.close()
        for name, value in FIELDS.items():
            request.add_header(name, value)
        return self.parent.open(request)

    http_error_407 = http_error_401


def handlers(way):
    passwords = urllib.request.HTTPPasswordMgrWithDefaultRealm()
    passwords.add_password(None, [f"http://{host}/" for host in (A, B, C)], "user", SECRET)
    passwords.add_password(None, [A, B, C], "user", SECRET)
    prior = urllib.request.HTTPPasswordMgrWithPriorAuth()
    prior.add_password(None, [f"http://{host}/" for host in (A, B, C)], "user", SECRET, is_authenticated=True)
    jar = http.cookiejar.CookieJar()
    jar.set_cookie(http.cookiejar.Cookie(
        0, "sid", SECRET, None, False, "", False, False, "/", True, False, None, True, None, None, {}
    ))  # fmt: skip
    made = {
        "basic": [urllib.request.HTTPBasicAuthHandler(passwords), urllib.request.ProxyBasicAuthHandler(passwords)],
        "digest": [urllib.request.HTTPDigestAuthHandler(passwords), urllib.request.ProxyDigestAuthHandler(passwords)],
        "prior": [urllib.request.HTTPBasicAuthHandler(prior)],
        "jar": [urllib.request.HTTPCookieProcessor(jar)],
        "adds": [Adds()],
        "answers": [Answers()],
    }
    return made.get(way, [])


@ROUTED
@pytest.mark.parametrize("last", [
    "/echo", "/asks?status=401&scheme=Basic", "/asks?status=401&scheme=Digest", "/asks?status=407&scheme=Basic"
])  # fmt: skip
@pytest.mark.parametrize("way", ["addheaders", "basic", "digest", "prior", "jar", "adds", "answers", "unredirected"])
def test_urllib(way, last, route, server, policy):
    opener = of_urllib.urllib_opener(policy, *handlers(way))
    asked = urllib.request.Request(routed(server, ROUTES[route], last))
    if way == "addheaders":
        opener.addheaders = [*FIELDS.items()]
    if way == "unredirected":
        for name, value in FIELDS.items():
            asked.add_unredirected_header(name, value)
    try:
        opener.open(asked).close()
    except urllib.error.HTTPError as error:
        error.close()
    except (OSError, ValueError):  # ValueError: of a scheme of authentication that urllib does not know
        pass
    assert not leaks(server) and len(server.requests) > 1


@pytest.mark.parametrize("name", ["Host", "host", "HOST"])
@pytest.mark.parametrize("client", NAMES)
def test_the_host_is_that_of_the_url(client, name, server, policy):
    asker = asker_of(client)(policy)
    for fields in ({name: "inside.example.com"}, {name: f"{A}.:80"}):
        asker.ask(routed(server, [A, A, B]), headers=fields)
    assert [each.headers["Host"] for each in server.requests] == [f"{host}:{server.port}" for host in (A, A, B)] * 2
    asker.close()


def test_addheaders_at_home(server, policy):
    opener = of_urllib.urllib_opener(policy)
    opener.addheaders = [("X-Api-Key", SECRET), ("User-Agent", "mine"), ("Host", "inside.example.com")]
    opener.open(routed(server, [A, A, B])).close()
    seen = [(each.headers.get("X-Api-Key"), each.headers["User-Agent"]) for each in server.requests]
    assert seen == [(SECRET, "mine"), (SECRET, "mine"), (None, "mine")]
    assert [each.headers["Host"] for each in server.requests] == [f"{host}:{server.port}" for host in (A, A, B)]


# --- urllib3, aiohttp ----------------------------------------------------------------------------


@ROUTED
def test_urllib3(route, server, policy):
    urllib3 = pytest.importorskip("urllib3")
    guarded = pytest.importorskip("urlsm.guard._urllib3")
    with guarded.urllib3_pool(policy, headers=FIELDS) as manager:
        for options in ({}, {"headers": FIELDS}, {"headers": urllib3.HTTPHeaderDict(FIELDS)}):
            server.clear()
            with suppress(urllib3.exceptions.HTTPError):
                manager.request("GET", routed(server, ROUTES[route]), retries=False, **options)
            assert not leaks(server) and SECRET in str(server.requests[0].headers)


@ROUTED
@pytest.mark.parametrize("last", ["/echo", "/asks?status=401&scheme=Digest"])
@pytest.mark.parametrize("way", ["session", "request", "auth", "middleware", "digest", "trace"])
def test_aiohttp(way, last, route, server, policy):
    aiohttp = pytest.importorskip("aiohttp")
    guarded = pytest.importorskip("urlsm.guard._aiohttp")

    async def middleware(request, handler):
        request.headers.update(FIELDS)
        return await handler(request)

    async def traced(session, context, parameters):
        parameters.headers.update(FIELDS)

    async def asked():
        trace = aiohttp.TraceConfig()
        trace.on_request_start.append(traced)
        of_session, of_request = {
            "session": ({"headers": FIELDS, "cookies": {"sid": SECRET}}, {}),
            "request": ({}, {"headers": FIELDS, "cookies": {"sid": SECRET}}),
            "auth": ({"headers": {"Authorization": aiohttp.encode_basic_auth("user", SECRET)}}, {})
            if hasattr(aiohttp, "encode_basic_auth")
            else ({}, {"headers": FIELDS}),
            "middleware": ({"middlewares": [middleware]}, {"middlewares": [middleware]}),
            "digest": ({"middlewares": [aiohttp.DigestAuthMiddleware("user", SECRET)]}, {}),
            "trace": ({"trace_configs": [trace]}, {}),
        }[way]
        async with guarded.aiohttp_session(policy, **of_session) as session:
            with suppress(aiohttp.ClientError):
                async with session.get(routed(server, ROUTES[route], last), **of_request):
                    pass

    asyncio.run(asked())
    assert not leaks(server) and len(server.requests) > 1
