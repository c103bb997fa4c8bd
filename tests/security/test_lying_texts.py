"""A subclass of str or bytes counts as its own octets, whatever its methods say."""

from __future__ import annotations

import pytest

import urlsm
from urlsm import crawler

FORWARDED = {"method": "GET", "peer": "10.0.0.1", "trusted_proxies": 1, "forwarded": "forwarded"}


class _Str(str):
    __slots__ = ()

    def __len__(self):
        return 10**9

    def __getitem__(self, at):
        return _Str("x")

    def __eq__(self, other):
        return True

    def __hash__(self):
        return 7

    def encode(self, *how):
        return b"lie"

    def isascii(self):
        return True

    def startswith(self, *what):
        return True

    find = rfind = lower = strip = partition = split = lambda self, *more: None


class _Bytes(bytes):
    __slots__ = ()

    def __len__(self):
        return 10**9

    def __getitem__(self, at):
        return _Bytes(b"x")

    def __eq__(self, other):
        return True

    def __hash__(self):
        return 7

    def decode(self, *how):
        return "lie"

    def isascii(self):
        return True

    def startswith(self, *what):
        return True

    find = rfind = lower = strip = partition = split = lambda self, *more: None


CALLS = {
    "audit": urlsm.security.audit,
    "base_url": urlsm.documents.base_url,
    "base": lambda text: urlsm.documents.base_url(text, enclosing="http://h/"),
    "explain": lambda text: str(urlsm.explain(text)),
    "parts": urlsm.parts,
    "validate": urlsm.validate,
    "robots_path": crawler.robots_path,
    "Robots": lambda text: crawler.Robots(text).allows("http://h/x", "a"),
    "allows": lambda text: crawler.Robots("User-agent: *\nDisallow: /").allows(text, "a"),
    "forwarded": lambda text: urlsm.URL.from_request_target(
        "/", host="h", scheme="http", headers=[("Forwarded", text)], **FORWARDED
    ),
}
TEXTS = (
    "http://u:p@b\u00fccher.example:8080/a/../b?q=1&r=%20#f",
    "q=1&r=+2",
    "/x/../y",
    'host=shop.example;proto="https"',
    "User-agent: *\nDisallow: /x\n",
    '<base href="/a/">',
    "",
)


def answered(call, text):
    try:
        return repr(call(text))
    except Exception as error:
        return type(error)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("name", CALLS)
def test_a_lying_text_counts_as_its_octets(name, text):
    octets = text.encode()
    assert answered(CALLS[name], _Str(text)) == answered(CALLS[name], text)
    assert answered(CALLS[name], _Bytes(octets)) == answered(CALLS[name], octets)
