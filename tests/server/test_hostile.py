"""The sixty hostile requests of docs/hostile-requests.md through the three constructors, with what clients
say of
themselves and what proxies say of them."""

from __future__ import annotations

import pathlib
import runpy
from urllib.parse import quote, unquote_to_bytes

import pytest

from urlsm import URL
from urlsm.server import Hosts, RequestError

HOSTILE = runpy.run_path(str(pathlib.Path(__file__).resolve().parents[2] / "docs/hostile.py"))
REQUESTS, scope_of, environ_of = HOSTILE["REQUESTS"], HOSTILE["scope_of"], HOSTILE["environ_of"]
Request = HOSTILE["Request"]
PROXY = "10.0.0.1"
CLIENTS = {  # what a client says of itself, in each family
    "none": [],
    "forwarded": [("Forwarded", "for=203.0.113.9;proto=https;host=forwarded.example")],
    "x-forwarded": [
        ("X-Forwarded-For", "203.0.113.9"),
        ("X-Forwarded-Proto", "https"),
        ("X-Forwarded-Host", "x-forwarded.example"),
        ("X-Forwarded-Port", "8443"),
        ("X-Forwarded-Prefix", "//prefix.example"),
    ],
}


def by_target(request, headers=(), peer="192.0.2.1", **options):
    if len(request.hosts) > 1:
        headers = [*headers, *(("Host", host) for host in request.hosts)]
    host = request.hosts[0] if request.hosts else None
    return URL.from_request_target(
        request.target, host=host, scheme="http", method=request.method, headers=headers, peer=peer, **options
    )


def by_scope(request, headers=(), peer="192.0.2.1", **options):
    octets = [(name.lower().encode(), value.encode("latin-1")) for name, value in headers]
    return URL.from_scope(scope_of(request, headers=octets, client=(peer, 5)), **options)


def by_environ(request, headers=(), peer="192.0.2.1", **options):
    fields = {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in headers}
    return URL.from_environ(environ_of(request, REMOTE_ADDR=peer, **fields), **options)


WAYS = [by_target, by_scope, by_environ]


def answer(way, request, *arguments, **options):
    try:
        return way(request, *arguments, **options).href
    except RequestError as error:
        return error.code


def expected(way, request):
    """What each constructor answers. A WSGI server decodes the path, and joins two Hosts."""
    if way is not by_environ:
        return {request.answer}
    if request.answer == "host-repeated":
        return {"host-invalid"}
    if request.target[0] not in "/*" and request.method == "GET":
        return {"target-form-invalid"}
    if request.answer == "character-not-allowed" and "#c" not in request.target:
        return {URL.build(scheme="http", host="example.com", path=quoted(request.target)).href}
    if "%" in request.target or "\xe9" in request.target:
        return {URL.build(scheme="http", host="example.com", path=quoted(request.target)).href}
    return {request.answer}


def quoted(path):
    return quote(unquote_to_bytes(path), safe="!$&'()*+,;=:@/-._~")


def test_there_are_sixty_hostile_requests():
    assert len(set(REQUESTS)) == 60


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("forwarded", [None, "forwarded", "x-forwarded"])
def test_hostile_requests_and_what_clients_say_of_themselves(way, client, forwarded):
    for request in REQUESTS:
        for trusted in ((), ["10.0.0.0/8"], 0):
            found = answer(way, request, CLIENTS[client], forwarded=forwarded, trusted_proxies=trusted)
            assert found in expected(way, request), request


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("family", ["forwarded", "x-forwarded"])
@pytest.mark.parametrize("trusted", [["10.0.0.0/8"], Hosts([PROXY]), 1])
def test_hostile_requests_through_a_trusted_proxy(way, family, trusted):
    fields = {  # a client's, and what the proxy appends
        "forwarded": [("Forwarded", "for=a;host=evil.example;proto=http, for=192.0.2.7;proto=https;host=shop.example")],
        "x-forwarded": [
            ("X-Forwarded-For", "198.51.100.1, 192.0.2.7"),
            ("X-Forwarded-Proto", "http, https"),
            ("X-Forwarded-Host", "evil.example, shop.example"),
        ],
    }[family]
    other = CLIENTS["x-forwarded" if family == "forwarded" else "forwarded"]
    for request in REQUESTS:
        [was] = expected(way, request)
        found = answer(way, request, [*fields, *other], peer=PROXY, forwarded=family, trusted_proxies=trusted)
        if request.target.lower().startswith("http") and way is not by_environ:
            assert not found.startswith("http:"), request  # the target's scheme is not that of the client's connection
        elif request.method == "CONNECT" and was.startswith("http"):
            assert found == "https://example.com:80/"
        elif was.startswith("http"):
            assert found == was.replace("http://example.com", "https://shop.example", 1).replace("./", "/", 1), request
        elif not request.hosts:
            assert found == "https://shop.example/"
        else:
            assert found == was
