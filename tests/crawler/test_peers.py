"""The answers of the libraries whose keys we reproduce, from a folder beside the repository; skipped without it."""

from __future__ import annotations

import importlib.metadata
import re
import socket
from collections.abc import Callable
from typing import Any

import pytest
from support.generate import random_case
from support.seeds import seeded

from urlsm.crawler import (
    Profile,
    canonicalize,
    profile,
    safebrowsing_expressions,
    safebrowsing_hashes,
    try_canonicalize,
)
from urlsm.crawler.canonical import request_fingerprint

# The peers' options, as fields of a profile
OPTIONS: dict[str, Callable[[Any], dict[str, Any]]] = {
    "keep_blank_values": lambda on: {} if on else {"blank_values": "drop"},
    "keep_fragments": lambda on: {"fragment": "keep"} if on else {},
    "query_separator": lambda text: {"param_separators": text},
    "path_strip_trailing_slash_unless_empty": lambda on: {} if on else {"trailing_slash": "keep"},
    "trailing_comma": lambda on: {"trailing_comma": on},
    "with_scheme": lambda on: {"scheme": "keep"} if on else {},
    "surt": lambda on: {} if on else {"key_form": "url"},
    "path_strip_session_id": lambda on: {"path_sessions": on},
    "query_strip_session_id": lambda on: {"query_sessions": on},
    "host_massage": lambda on: {} if on else {"www": "keep"},
    "reverse_ipaddr": lambda on: {"reverse_addresses": on},
    "path_lowercase": lambda on: {"path_lower": on},
    "query_lowercase": lambda on: {"query_lower": on},
    "query_alpha_reorder": lambda on: {} if on else {"sort_params": "none"},
}
# The differences and their reasons: at most one row of a hundred of each file, of crawler-commons three
REASONS = {
    "w3lib": {
        "http://www.example.com/résumé?currency=€": "latin1 is windows-1252, as browsers and w3lib.encoding read it",
    },
    "crawler-commons": {
        "file:///foo/bar.txt": "a text that Java does not rewrite keeps its empty authority",
        "http:///example.com/a": "a text that Java does not rewrite keeps its empty authority",
        "http://host%23.com/~a!b@c%23d$e%25f^00&11*22(33)44_55+": "java.net.URL reads a decoded '#' as a fragment",
    },
}


def counts(name: str, row: dict) -> bool:
    """Return whether a row counts. Not without a text, nor utf-16 (refused), nor Common Crawl's keys of other
    schemes."""
    if row["function"] == "expressions" or row["input"] is None or row["options"].get("encoding", "") == "utf-16":
        return False
    scheme = re.match(r"\s*([A-Za-z][A-Za-z0-9+.-]*):(?!\d+(?:[/?#]|$))", row["input"])
    return name != "commoncrawl" or scheme is None or scheme[1].lower() in ("http", "https")


def composed(name: str, options: dict) -> Profile:
    fields: dict[str, Any] = {}
    for option, value in options.items():
        fields |= OPTIONS[option](value)
    return profile(name).replace(**fields) if fields else profile(name)


def answer(row: dict, how: Profile, encoding: str | None) -> str | None:
    text = row["input"].encode("latin-1") if "bytes" in row else row["input"]
    try:
        return canonicalize(text, how, encoding=encoding)
    except ValueError:
        return None


@pytest.mark.parametrize("name", ["w3lib", "w3lib-2.2", "surt", "commoncrawl", "safebrowsing", "crawler-commons"])
def test_keys_are_the_peers(name: str, peers_rows: Callable[[str], list[dict]]):
    rows = [row for row in peers_rows(name) if counts(name, row)]
    profiles: dict[str, Profile] = {}
    wrong = {}
    for row in rows:
        options = {option: value for option, value in row["options"].items() if option != "encoding"}
        how = profiles.setdefault(repr(options), composed(name, options))
        got = answer(row, how, row["options"].get("encoding"))
        if got != row["expected"]:
            wrong[row["input"]] = (got, row["expected"])
    reasons = REASONS.get(name, {})
    assert {text: both for text, both in wrong.items() if text not in reasons} == {}
    assert len(reasons) <= len(rows) * (0.03 if name == "crawler-commons" else 0.01)


def test_fingerprints_are_scrapys(peers_rows: Callable[[str], list[dict]]):
    for row in peers_rows("scrapy-fingerprint"):
        options = row["options"]
        how = profile("w3lib").replace(fragment="keep") if options.get("keep_fragments") else "w3lib"
        try:
            method, body = options.get("method", "GET"), options.get("body", "").encode()
            got = request_fingerprint(row["input"], method, body, how).hex()
        except ValueError:
            got = None
        assert got == row["expected"], row


def test_expressions_are_those_of_the_page(peers_rows: Callable[[str], list[dict]]):
    rows = [row for row in peers_rows("safebrowsing") if row["function"] == "expressions"]
    assert rows
    for row in rows:
        assert sorted(safebrowsing_expressions(row["input"])) == sorted(row["expected"])
        assert sorted(digest.hex() for digest in safebrowsing_hashes(row["input"])) == sorted(row["hashes"])


def test_keys_are_those_of_the_libraries_installed(monkeypatch: pytest.MonkeyPatch, cases: int):
    """Comparison with w3lib 2.5 and surt 0.3 themselves, if installed, on random texts."""
    w3lib_url, surt = pytest.importorskip("w3lib.url"), pytest.importorskip("surt")
    if importlib.metadata.version("w3lib")[:3] != "2.5":
        pytest.skip("another w3lib")

    def no_dns(host: bytes) -> tuple[str, list[str], list[str]]:
        try:
            return "", [], [socket.inet_ntoa(socket.inet_aton(host.decode()))]
        except OSError:
            raise socket.gaierror from None

    monkeypatch.setattr(socket, "gethostbyname_ex", no_dns)
    rng = seeded(12)
    for _ in range(cases // 4):
        text, _ = random_case(rng)
        for name, function in (("w3lib", w3lib_url.canonicalize_url), ("surt", surt.surt)):
            try:
                want = function(text)
            except (ValueError, AttributeError):
                want = None
            assert try_canonicalize(text, name) == want, (name, text)


def test_surt_reads_brackets_as_the_library_does(cases: int):
    """surt's host is the text after the first "[" after the last "@"; no port precedes it."""
    surt = pytest.importorskip("surt").surt
    rng = seeded(5)
    pieces = ["[", "]", ":", "@", "a", "h.com", "80", ".", "%", "::1", "v1.a"]
    for _ in range(cases):
        authority = "".join(rng.choices(pieces, k=rng.randrange(1, 9)))
        text = (
            rng.choice(["http://", "ftp://", "http:/", "", "x:"]) + authority + rng.choice(["", "/p[", "?q=[:@", "/@"])
        )
        try:
            want = surt(text)
        except (ValueError, AttributeError):
            want = None
        assert try_canonicalize(text, "surt") == want, text


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("http://h:[/", "http:/"),
        ("ftp://a:b[c.d]:80/x", "d,c:80)/x"),
        ("https://u:[@e.f:1[g.h/", "h,g)/"),
        ("http://:81[::]/", "::)/"),
        ("http://a[b]c:8d/", None),
        ("http://0.80/", "80,0)/"),
        ("http://00.10/", "10,0,0,0)/"),
        ("http://1.80/", "80,0,0,1)/"),
    ],
)
def test_surt_of_brackets_and_numbers(text: str, key: str | None):
    assert try_canonicalize(text, "surt") == key
