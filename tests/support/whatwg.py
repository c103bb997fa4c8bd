"""Shared by the tests of the browser's API."""

from __future__ import annotations

from hypothesis import strategies as st

from urlsm.whatwg import URLSearchParams

FULL = "https://user:pass@example.com:8080/a/b?x=1&y=2#frag"
SETTERS = ["href", "protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "hash"]
SURROGATES = st.characters(min_codepoint=0xD800, max_codepoint=0xDFFF, categories=["Cs"])
TEXTS = st.text(st.sampled_from("aZ0:/?#@%&=+[]\\. \t\n\0é\ud800") | st.characters() | SURROGATES, max_size=12)


def pairs(params: URLSearchParams) -> list[tuple[str, str]]:
    return list(params)
