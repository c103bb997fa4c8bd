"""What the clients share: the fields that follow a redirect, codings in bounds, versions, the room's own imports."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import time
import types
import zlib
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context

import pytest
from support.seeds import seeded

import urlsm
from urlsm.guard import BlockedError, Policy
from urlsm.guard.exchange import Decoder, Exchange
from urlsm.guard.sockets import exchange_of, within
from urlsm.guard.versions import TESTED, require_tested

A, B = urlsm.parse("https://a.example.com/"), urlsm.parse("https://b.example.com/")


def exchange(**options):
    return Exchange(Policy(**options), BlockedError)


def kept(names, *locations, content=True):
    """What a request has after these redirects from A."""
    each, url = exchange(max_redirects=9, ports={80, 443, 8443}), A
    each.judge(A)
    for location in locations:
        url = each.follow(url, location)
    return each.kept_fields(names, content=content)


def test_what_follows_a_redirect():
    names = ["Accept", "Authorization", "Cookie", "Host", "X-Token", "Referer", "Content-Type", "Proxy-Authorization"]
    every = [name for name in names if name != "Host"]
    assert kept(names, "https://A.example.com:443/x") == every
    assert kept(names, "/x", content=False) == [name for name in every if name != "Content-Type"]
    for other in ("https://b.example.com/", "http://a.example.com/", "https://a.example.com:8443/"):
        assert (
            kept(names, other) == kept(names, other, "/x") == kept(names, other, str(A)) == ["Accept", "Content-Type"]
        )
        assert kept(names, other, content=False) == ["Accept"]


def test_where_a_redirect_leads():
    each = exchange(max_redirects=100)
    for location, target in (
        ("/x", "https://a.example.com/x"),
        ("//b.example.com", "https://b.example.com/"),
        ("https://us:secret@b.example.com/", "https://b.example.com/"),
        ("http:\\\\b.example.com\\x", "http://b.example.com/x"),
        ("/\u00e9", "https://a.example.com/%E9"),  # as browsers: the octets stay, and the fragment of the request
        (b"/\xe9", "https://a.example.com/%E9"),
        ("/\u00c3\u00a9".encode("latin-1"), "https://a.example.com/%C3%A9"),
        ("/\u00c3\u00a9", "https://a.example.com/%C3%A9"),  # the octets of UTF-8, as http.client reads them
        ("/\u20ac\udc80", "https://a.example.com/%E2%82%AC%80"),  # decoded as UTF-8, and an octet that is not
        ("", "https://a.example.com/"),
    ):
        assert each.follow(A, location).href == target
    for location in (
        "\\\\127.0.0.1\\",
        "file:///etc/passwd",
        "http://[",
        "https://b.example.com:22/",
        "\x00//127.0.0.1/",
    ):
        with pytest.raises(BlockedError):
            each.follow(A, location)


@pytest.mark.parametrize("coding", ["gzip", "deflate", "raw", "gzip, deflate", "deflate, gzip"])
def test_codings_decode_as_they_were_made(coding):
    rng = seeded(f"codings {coding}")
    for _ in range(60):
        content = rng.randbytes(rng.randrange(5000)) * rng.randrange(1, 20)
        sent = content
        for name in coding.split(", "):
            if name == "gzip":
                cut = rng.randrange(len(sent) + 1)
                sent = (
                    gzip.compress(sent[:cut]) + gzip.compress(sent[cut:]) if rng.random() < 0.5 else gzip.compress(sent)
                )
            else:
                sent = zlib.compress(sent)[2:-4] if name == "raw" else zlib.compress(sent)
        decoder = exchange().decoder(coding.replace("raw", "deflate"))
        found, at = [], 0
        while at < len(sent):
            step = rng.choice([1, 10, 1000, 100000])
            found.append(decoder.decode(sent[at : at + step]))
            at += step
        assert b"".join(found) + decoder.flush() == content
    assert exchange().decoder("identity") is None and exchange().decoder(None) is None


def test_codings_stay_in_bounds():
    bomb = gzip.compress(bytes(1 << 22))
    for name, sent in (
        ("gzip", bomb),
        ("gzip, x-gzip", gzip.compress(bomb)),
        ("gzip", gzip.compress(bytes(1000)) * 200),
    ):
        decoder = exchange(max_decoded_bytes=100_000).decoder(name)
        with pytest.raises(BlockedError) as found:
            decoder.decode(sent)
        assert found.value.verdict.codes == ("too-large-decoded",) and max(decoder._made) <= 100_001
    for name in ("br", "zstd", "gzip, br", "compress"):
        with pytest.raises(BlockedError) as found:
            exchange().decoder(name).decode(b"x")
        assert found.value.verdict.codes == ("coding",)
    with pytest.raises(BlockedError):
        exchange().decoder("gzip, gzip, gzip, gzip")
    # many empty members cost time, which is limited
    start = time.monotonic()
    with pytest.raises(BlockedError):
        exchange(total_timeout=0.1).decoder("gzip").decode(gzip.compress(b"") * 200_000)
    assert time.monotonic() - start < 5
    with pytest.raises(zlib.error):
        exchange().decoder("gzip").decode(b"not gzip")


def test_lengths_that_are_declared():
    each = exchange(max_bytes=100)
    for given in ("100", 100, "", None, "x", "-1", "\u0661" * 3):
        each.check_length(given)
    for given in ("101", 101, " 101 ", "9" * 5000):
        with pytest.raises(BlockedError):
            each.check_length(given)


def test_time_runs_out(monkeypatch):
    clock = [100.0]
    monkeypatch.setattr("urlsm.guard.exchange.monotonic", lambda: clock[0])
    each = exchange(total_timeout=5, header_timeout=2)
    each.start_request()
    assert each.seconds_left() == 2 and each.seconds_left(0.5) == 0.5
    clock[0] += 3
    with pytest.raises(BlockedError) as found:
        each.seconds_left()
    assert found.value.verdict.codes == ("too-slow",)
    each.note_header()
    assert each.seconds_left() == 2
    clock[0] += 3
    with pytest.raises(BlockedError), each.step(None, TimeoutError):
        pass
    assert exchange(total_timeout=None, header_timeout=None).seconds_left() is None


def test_a_thread_of_a_call_makes_calls_of_its_own():
    """It may inherit the call's context: always from asyncio.to_thread, and when started by a free-threaded 3.14."""
    policy = Policy()

    def ask():
        with within(policy, BlockedError) as outer, within(policy, BlockedError) as inner:
            return outer, inner

    with ThreadPoolExecutor(1) as pool, within(policy, BlockedError) as call:
        context = copy_context()
        assert exchange_of(policy, BlockedError) is context.run(exchange_of, policy, BlockedError) is call
        outer, inner = pool.submit(context.run, ask).result()
        assert outer is inner is not call
        assert exchange_of(policy, BlockedError) is call
    assert exchange_of(policy, BlockedError) is not call
    assert context.run(exchange_of, policy, BlockedError) is not call  # a task of this thread that outlives the call


def test_versions_that_are_not_tested():
    def client(version):
        return types.SimpleNamespace(__name__="urllib3", __version__=version)

    first, last = TESTED["urllib3"]
    for version in (first, last, f"{last}.99"):
        require_tested(False, client(version))
    for version in ("1.26.20", "99.0", "0"):
        with pytest.raises(RuntimeError, match="is not tested with urllib3"):
            require_tested(False, client(version))
        with pytest.warns(RuntimeWarning, match="is not tested"):
            require_tested(True, client(version))


def test_limits_are_numbers():
    for name in ("max_bytes", "max_decoded_bytes", "header_timeout", "total_timeout"):
        assert getattr(Policy(**{name: None}), name) is None
        for value in (0, -1):
            with pytest.raises(ValueError, match=f"{name} must be above 0"):
                Policy(**{name: value})
    with pytest.raises(ValueError, match="max_redirects must be 0 or more"):
        Policy(max_redirects=-1)


def test_the_core_imports_no_client():
    code = (
        "import sys, json, urlsm, urlsm.guard; urlsm.guard.Policy().check('https://example.com/'); urlsm.parse('x:')\n"
        "print(json.dumps(sorted({'httpx', 'requests', 'urllib3', 'aiohttp', 'http.client'} & set(sys.modules))))"
    )
    assert json.loads(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout) == []


def test_a_decoder_has_the_methods_of_urllib3s():
    decoder = Decoder(exchange(), ["gzip"])
    assert decoder.decompress(gzip.compress(b"x"), max_length=5) == b"x" and not decoder.has_unconsumed_tail
