"""The clients behind a policy, against hostile servers and resolvers on loopback: what was connected to is what was
judged, and within its limits. A test runs for each module of tests/support/askers."""

from __future__ import annotations

import contextlib
import json
import logging
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import quote

import pytest
from support.askers import NAMES, asker_of
from support.listening import connects

from urlsm.guard import BlockedError as AnyBlocked
from urlsm.guard import Policy

OPEN = "127.77.0.1"  # what the policy of the tests allows; all else of 127.0.0.0/8 and ::1 is refused
LIMITS = {"max_bytes": 1 << 20, "max_decoded_bytes": 1 << 20, "header_timeout": 0.3, "total_timeout": 0.8}


@pytest.fixture(params=NAMES)
def make(request, server):
    """Make an asker of one client, with a policy for the server."""
    kind = asker_of(request.param)
    made = []

    def make(*networks, context=None, **options):
        options.setdefault("ports", {server.port, 80, 443})
        asker = kind(Policy(["public", "127.77.0.0/16", *networks], **options), context)
        made.append(asker)
        return asker

    yield make
    for asker in made:
        asker.close()


def refuses(asker, *code):
    """Refused, with one of the codes, and as an exception of the client."""
    return _Refuses(asker, code)


class _Refuses:
    def __init__(self, asker, code):
        self._asker, self._code = asker, code
        self._raises = pytest.raises(asker.refused)

    def __enter__(self):
        return self._raises.__enter__()

    def __exit__(self, *given):
        done = self._raises.__exit__(*given)
        error = given[1]
        assert isinstance(error, self._asker.error) and isinstance(error, AnyBlocked)
        assert not error.verdict and set(self._code) <= set(error.verdict.codes), error.verdict
        assert error.verdict.message in str(error)
        return done


def test_what_is_allowed_is_fetched(make, server, names):
    asker = make()
    answer = asker.ask(server.url(host="open.example.com"))
    assert (answer.status, answer.content, answer.url) == (200, b"fine", server.url(host="open.example.com"))
    assert server.requests[0].headers["Host"] == f"open.example.com:{server.port}"
    assert asker.ask(server.url("/echo"), "POST", {"X-A": "b"}, b"text").content
    seen = json.loads(asker.ask(server.url("/echo?q=%20%C3%A9"), "POST", {"X-A": "b"}, b"text").content)
    assert seen["method"] == "POST" and seen["headers"]["X-A"] == "b" and seen["content"] == "text"
    assert server.requests[-1].target == "/echo?q=%20%C3%A9"
    assert asker.ask(server.url("/large"), "HEAD").status == 200  # its length is not that of what is sent
    assert not server.leaked()


def test_targets_and_hosts_are_sent_as_they_were_judged(make, server, names):
    asker = make("::1/128")
    for path, sent in (
        ("//127.0.0.1/x", "//127.0.0.1/x"),
        ("/a/../b/./c?d=e f#g", "/b/c?d=e%20f"),
        ("/@127.0.0.1:80/", "/@127.0.0.1:80/"),
        ("/%2e%2e/ok", "/ok"),
        ("", "/"),
    ):
        asker.ask(server.url(path, "OPEN.example.com"))
        assert server.requests[-1].target == sent
        assert server.requests[-1].headers["Host"] == f"open.example.com:{server.port}"
    if socket.has_dualstack_ipv6():
        assert asker.ask(server.url("/ok", "[::1]")).content == b"fine"
        assert server.requests[-1].address == "::1" and server.requests[-1].headers["Host"] == f"[::1]:{server.port}"


def test_texts_that_readers_see_differently_are_not_asked(make, server, names):
    asker = make()
    port = server.port
    texts = [
        f"http://open.example.com:{port}\\@127.0.0.1:{port}/",
        f"http://127.0.0.1:{port}\\@open.example.com:{port}/",
        f"http:\\\\open.example.com:{port}\\ok",
        f"http://open.exam\tple.com:{port}/",
        f"http://open.example.com:{port}\n/ok",
        f"http:open.example.com:{port}/ok",
        f"http:///open.example.com:{port}/ok",
        f"http://127.1:{port}/",
        f"http://2130706433:{port}/",
        f"http://0x7f.1:{port}/",
        f"http://①②⑦.0.0.1:{port}/",
        f"http://127%2e0.0.1:{port}/",
        f"http://[::ffff:127.0.0.1]:{port}/",
        f"http://[::1%25lo]:{port}/",
        f"http://[64:ff9b::7f00:1]:{port}/",
        f"http://localhost:{port}/",
        f"http://127.0.0.1:{port}\\@1.1.1.1",
        f"http://127.0.0.%31:{port}/",
        f"http://www.example.com:xx@127.0.0.1:{port}/",
        f"http://[::127.0.0.1]:{port}/",
        f"http://[::]:{port}/",
        f"http://0.0.0.0:{port}/",
        f"http://0:{port}/",
        f"http://127。0。0。1:{port}/",
        f"http://127.0.0.1.:{port}/",
        f"http://open.example.com:{port}\r\nHost: 127.0.0.1/",
        f"http://127.0.0.1:{port}#@open.example.com:{port}/",
        f"http://127.0.0.1:{port}?@open.example.com:{port}/",
        f"http://open.example.com:{port}@127.0.0.1:{port}/",
        f"//127.0.0.1:{port}/",
        "file:///etc/passwd",
        "ftp://127.0.0.1/",
        "data:,x",
        "gopher://127.0.0.1/_x",
        "http+unix://%2Fvar%2Frun%2Fdocker.sock/x",
        "",
        "\ud800",
        "http://127.0.0.1:22/",
    ]
    names["localhost"] = ["127.0.0.1"]
    with connects() as connected:
        for text in texts:
            with refuses(asker):
                asker.ask(text)
    assert not connected and not server.connections


@pytest.mark.parametrize(
    "answers",
    [
        ["127.0.0.1"],
        ["127.77.0.1", "127.0.0.1"],
        ["127.0.0.1", "127.77.0.1"],
        ["127.77.0.1", "::1"],
        ["::ffff:127.0.0.1"],
        ["64:ff9b::7f00:1"],
        ["169.254.169.254"],
        ["fe80::1%1"],
        ["0.0.0.0"],
        ["10.0.0.1"],
        [],
    ],
    ids=str,
)
def test_a_resolver_that_mixes_addresses(make, server, names, answers):
    names["mixed.example.com"] = answers
    with connects() as connected:
        with refuses(make()):
            make().ask(server.url(host="mixed.example.com"))
        if OPEN in answers:
            assert make(require_all_addresses=False).ask(server.url(host="mixed.example.com")).status == 200
    assert not server.leaked() and {address for address, _ in connected} <= {OPEN}


def test_a_resolver_that_changes_its_answer(make, server, names):
    """The answer is asked for once a connection, and that one is connected to."""
    asker = make()
    for first in ([OPEN], ["127.0.0.1"]):
        names.calls.clear()
        names["turns.example.com"] = [first, ["127.0.0.1"], [OPEN], ["127.0.0.1"]]
        with connects() as connected:
            for _ in range(4):
                with contextlib.suppress(asker.refused):
                    assert (
                        asker.ask(server.url(host="turns.example.com"), headers={"Connection": "close"}).status == 200
                    )
        assert {address for address, _ in connected} == {OPEN} and names.calls["turns.example.com"] == 4
    assert not server.leaked()


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_are_judged_anew(make, server, names, status):
    asker = make()
    port = server.port
    names["inside.example.com"] = ["127.0.0.1"]
    away = [
        f"http://127.0.0.1:{port}/ok",
        f"http://inside.example.com:{port}/ok",
        f"//127.0.0.1:{port}/ok",
        f"\\\\127.0.0.1:{port}\\ok",
        f"http:\\\\127.0.0.1:{port}\\ok",
        f"http://0x7f.1:{port}/ok",
        f"http://[::1]:{port}/ok",
        "http://169.254.169.254/latest/meta-data/",
        f"http://open.example.com:{port}@127.0.0.1:{port}/",
        "file:///etc/passwd",
        "ftp://127.0.0.1/",
        "data:,x",
        "javascript:1",
        "http://open.example.com:22/",
        "http://[",
    ]
    with connects() as connected:
        for target in away:
            with refuses(asker):
                asker.ask(server.url(f"/to?status={status}&url={quote(target, safe='')}"))
        assert asker.ask(server.url(f"/to?status={status}&url=/ok")).url == server.url("/ok")
        assert asker.ask(server.url(f"/to?status={status}&url=%5Cok")).url == server.url("/ok")
    assert not server.leaked() and {address for address, _ in connected} == {OPEN}


def test_redirects_are_counted(make, server):
    with refuses(make(), "too-many-redirects"):
        make(max_redirects=3).ask(server.url("/loop"))
    assert len(server.requests) == 4
    with refuses(make(), "too-many-redirects"):
        make(max_redirects=0).ask(server.url("/loop"))
    assert len(server.requests) == 5


def test_credentials_do_not_go_to_another_origin(make, server, names):
    asker = make()
    secrets = {"Authorization": "Bearer secret", "Cookie": "a=secret", "X-Api-Key": "secret", "Accept": "text/plain"}
    for target in (
        server.url("/echo", "other.example.com"),
        server.url("/to?url=" + server.url("/echo", "open.example.com"), "other.example.com"),
    ):
        server.clear()
        seen = json.loads(asker.ask(server.url(f"/to?url={target}", "open.example.com"), headers=secrets).content)
        assert "secret" not in str(seen) and seen["headers"]["Accept"] == "text/plain"
        assert "secret" in str(server.requests[0].headers)
        assert not any("secret" in str(request.headers) for request in server.requests[1:])
    # the same origin keeps what the caller gave, but for what a jar has
    seen = json.loads(asker.ask(server.url("/to?url=/echo", "open.example.com"), headers=secrets).content)
    assert seen["headers"]["Authorization"] == "Bearer secret" and seen["headers"]["X-Api-Key"] == "secret"
    # the URL's own
    asker.ask(server.url(f"/to?url={server.url('/echo', 'other.example.com')}", "us:secret@open.example.com"))
    assert "Authorization" not in server.requests[-1].headers
    # cookies that a server set
    asker.ask(server.url("/cookie", "open.example.com"))
    asker.ask(server.url("/to?url=" + server.url("/echo", "other.example.com"), "open.example.com"))
    assert "secret" not in str(server.requests[-1].headers)


def test_methods_and_content_of_redirects(make, server):
    asker = make()
    for status, method, then, content in (
        (301, "POST", "GET", ""),
        (302, "POST", "GET", ""),
        (303, "POST", "GET", ""),
        (303, "PUT", "GET", ""),
        (307, "POST", "POST", "text"),
        (308, "PUT", "PUT", "text"),
    ):
        answer = asker.ask(server.url(f"/to?url=/echo&status={status}"), method, {"Content-Type": "text/x"}, b"text")
        seen = json.loads(answer.content)
        assert (seen["method"], seen["content"]) == (then, content), (status, method)
        assert ("Content-Type" in seen["headers"]) == bool(content)
    of_requests = type(asker).__module__.endswith("requests")  # its own rules
    for status in (301, 302):
        answer = asker.ask(server.url(f"/to?url=/echo&status={status}"), "PUT", {"Content-Type": "text/x"}, b"text")
        seen = json.loads(answer.content)
        assert seen["method"] == ("GET" if of_requests and status == 302 else "PUT")
        assert seen["content"] == ("" if of_requests else "text")
    assert asker.ask(server.url("/to?url=/ok"), "HEAD").content == b"" and server.requests[-1].method == "HEAD"


def test_a_slow_server(make, server):
    for path in ("/silent", "/drip", "/slow"):
        asker = make(**LIMITS)
        start = time.monotonic()
        with refuses(asker, "too-slow"):
            asker.ask(server.url(path))
        assert time.monotonic() - start < 4  # of 5 and more that the server would take
    with pytest.raises(make().error):  # the client's own limit
        make().ask(server.url("/silent"), timeout=0.2)


def test_a_slow_resolver(make, server, names):
    names["slow.example.com"] = 2.0
    start = time.monotonic()
    with refuses(make(), "too-slow"):
        make(total_timeout=0.2).ask(server.url(host="slow.example.com"))
    assert time.monotonic() - start < 1.8


def test_a_server_that_says_when_to_come_again(make, server):
    start = time.monotonic()
    try:
        assert make().ask(server.url("/later")).status == 503
    except make().error:
        pass
    assert time.monotonic() - start < 5


def test_an_endless_answer(make, server):
    asker = make(**LIMITS)
    for path in ("/endless", "/large"):
        with refuses(asker, "too-large"):
            asker.ask(server.url(path))


@pytest.mark.parametrize(
    "path", ["line", "headers", "continues", "extensions", "chunks", "trailers", "members", "redirect"]
)
def test_other_answers_without_an_end(make, server, path):
    """The client or the guard ends them, in time and in bounds."""
    asker = make(**LIMITS)
    start = time.monotonic()
    with pytest.raises(asker.error):
        asker.ask(server.url(f"/{path}"))
    assert time.monotonic() - start < 5


@pytest.mark.parametrize("coding", ["gzip", "deflate", "twice", "members", "br"])
def test_a_compressed_bomb(make, server, coding):
    asker = make(**{**LIMITS, "total_timeout": 5, "header_timeout": 5})
    if coding not in getattr(asker, "codings", (coding,)):
        assert len(asker.ask(server.url(f"/bomb?coding={coding}")).content) < LIMITS["max_bytes"]
        return
    if coding in getattr(asker, "unknown", ()):
        with pytest.raises(asker.error):
            asker.ask(server.url(f"/bomb?coding={coding}"))
        return
    with refuses(asker, "coding" if coding == "br" else "too-large-decoded"):
        asker.ask(server.url(f"/bomb?coding={coding}"))


def test_proxies_of_the_environment_are_not_used(make, server, monkeypatch):
    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{server.port}")
    monkeypatch.setenv("no_proxy", "")
    assert make().ask(server.url()).status == 200
    assert not server.leaked() and server.requests[0].target == "/ok"


def test_refusals_are_logged_without_secrets(make, server, names, caplog):
    names["inside.example.com"] = ["127.0.0.1"]
    url = f"http://user:secret@inside.example.com:{server.port}/secret?secret#secret"
    with caplog.at_level(logging.WARNING, "urlsm.guard"), refuses(make(), "loopback-address") as found:
        make().ask(url, headers={"X": "secret"})
    assert [record.name for record in caplog.records if record.name == "urlsm.guard"] == ["urlsm.guard"]
    error = found.value
    assert "inside.example.com" in caplog.text and "inside.example.com" in str(error)
    for text in (caplog.text, str(error), repr(error), str(error.args), repr(error.verdict), str(vars(error))):
        assert "secret" not in text


def test_two_hundred_at_a_time(make, server, names):
    """A resolver that answers by turns while many ask: nothing reaches a refused address."""
    asker = make(total_timeout=60)
    names["turns.example.com"] = [[OPEN], ["127.0.0.1"]] * 200
    targets = [
        (server.url(host="open.example.com"), True),
        (server.url(host="turns.example.com"), None),
        (server.url(f"/to?url={server.url('/ok', '127.0.0.1')}"), False),
        (server.url(f"/to?url={server.url('/ok', 'turns.example.com')}"), None),
        (server.url("/ok", "127.0.0.1"), False),
        (server.url("/to?url=/ok"), True),
    ]
    ready = threading.Barrier(200)

    def one(number):
        url, passes = targets[number % len(targets)]
        ready.wait()
        try:
            answer = asker.ask(url, headers={"Connection": "close"})
            return passes is not False and answer.content == b"fine"
        except asker.refused:
            return passes is not True

    with connects() as connected, ThreadPoolExecutor(200) as pool:
        assert all(pool.map(one, range(200)))
    assert not server.leaked() and {address for address, _ in connected} == {OPEN}
    assert len(server.requests) >= 2 * 200 // 6
