"""Every public function of the crawler kit and of urlsm.compat takes any text: it answers, or raises a ValueError (of
which ParseError is one), a TypeError or a LookupError, in time that grows with the length only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from support.generate import any_text
from support.times import at_last, least_seconds

import urlsm
from urlsm import crawler
from urlsm.compat import scrapy, surt, w3lib

BASE = "http://www.example.org/a/b?c"
URL = urlsm.parse("https://www.example.org/a?b&c=d#e")
PAGES = {"encoding": "cp1252"}

CALLS: dict[str, Callable[[Any], object]] = {
    "surt, commoncrawl": lambda text: crawler.surt(text, "commoncrawl", with_scheme=True),
    "unsurt": crawler.unsurt,
    "split_surt": lambda text: crawler.split_surt(crawler.surt(text)),
    "surt_range": lambda text: crawler.surt_range(text, match="prefix"),
    "safebrowsing_expressions": crawler.safebrowsing_expressions,
    "safebrowsing_hashes": crawler.safebrowsing_hashes,
    "canonicalize, base and encoding": lambda text: crawler.canonicalize(text, "w3lib", base=BASE, **PAGES),
    "canonicalize, encoding": lambda text: crawler.canonicalize(text, "w3lib", **PAGES),
    "canonicalize, the base": lambda text: crawler.canonicalize("x", base=text),
    "canonicalize, the profile": lambda text: crawler.canonicalize(BASE, text),
    "canonicalize, the encoding": lambda text: crawler.canonicalize(BASE, encoding=text),
    "canonicalize_many": lambda text: crawler.canonicalize_many([text, text]),
    "fingerprint": crawler.fingerprint,
    "fingerprint, the method": lambda text: scrapy.fingerprint(BASE, method=text),
    "fingerprint, xxh64": lambda text: crawler.fingerprint(text, "urlsm-1", kind="xxh64"),
    "fingerprint, blake2b": lambda text: crawler.fingerprint(text, "surt", kind="blake2b-128"),
    "has_extension": lambda text: crawler.has_extension(text, {"a"}),
    "in_domains": lambda text: urlsm.domains.in_domains(text, ["example.org", text]),
    "links": lambda text: crawler.links([text, text], base=BASE),
    "links, the base": lambda text: crawler.links(["x"], base=text, profile="urlsm-1"),
    "profile": crawler.profile,
    "replace": lambda text: crawler.profile("w3lib").replace(remove_params=(text,), param_separators=text),
    "robots_path": crawler.robots_path,
    "public_suffix": urlsm.domains.public_suffix,
    "registrable_domain": urlsm.domains.registrable_domain,
    "same_site": lambda text: urlsm.domains.same_site(text, text),
    "traps": crawler.traps,
    "shape": crawler.shape,
    "split": lambda text: urlsm.domains.PublicSuffixList().split(text),
    "only_query_params": lambda text: crawler.only_query_params(text, [text, "a*"]),
    "set_query_params": lambda text: crawler.set_query_params(text, {text: text}),
    "set_query_params, text": lambda text: crawler.set_query_params(BASE, text),
    "without_query_params": lambda text: crawler.without_query_params(text, crawler.TRACKERS),
    "update_query": lambda text: URL.update_query(text),
    "extend_query": lambda text: URL.extend_query({text: text}),
    "URL.without_query_params": lambda text: URL.without_query_params(text),
    "compat.surt": surt.surt,
    "compat.surt, options": lambda text: surt.surt(text, path_strip_empty=True, query_strip_empty=False),
    "add_http_if_no_scheme": w3lib.add_http_if_no_scheme,
    "add_or_replace_parameter": lambda text: w3lib.add_or_replace_parameter(text, text, text),
    "add_or_replace_parameters": lambda text: w3lib.add_or_replace_parameters(BASE, {text: text}),
    "any_to_uri": w3lib.any_to_uri,
    "canonicalize_url": lambda text: w3lib.canonicalize_url(text, False, True, **PAGES),
    "file_uri_to_path": w3lib.file_uri_to_path,
    "is_url": w3lib.is_url,
    "parse_data_uri": lambda text: w3lib.parse_data_uri((b"data:" if isinstance(text, bytes) else "data:") + text),
    "parse_qsl_to_bytes": w3lib.parse_qsl_to_bytes,
    "parse_url": w3lib.parse_url,
    "path_to_file_uri": w3lib.path_to_file_uri,
    "safe_download_url": w3lib.safe_download_url,
    "safe_url_string": w3lib.safe_url_string,
    "safe_url_string, encodings": lambda text: w3lib.safe_url_string(text, "cp1252", "latin-1"),
    "url_query_cleaner": lambda text: w3lib.url_query_cleaner(text, ["a"], remove=True),
    "url_query_cleaner, the name": lambda text: w3lib.url_query_cleaner(BASE, text),
    "url_query_parameter": lambda text: w3lib.url_query_parameter(text, "a"),
}
for profile in crawler.PROFILES:
    CALLS[f"canonicalize, {profile}"] = lambda text, profile=profile: crawler.canonicalize(text, profile)


def answered(call: Callable[[Any], object], text: str | bytes) -> bool:
    """Call it; it answers, or raises only what it may."""
    try:
        call(text)
    except (ValueError, TypeError, LookupError):
        return False
    return True


@given(any_text())
def test_any_text_is_answered_or_refused(text: str):
    for call in CALLS.values():
        answered(call, text)
        answered(call, text.encode("utf-8", "surrogatepass"))


@pytest.mark.parametrize("name", CALLS)
def test_each_call_answers_some_text(name: str):
    assert any(answered(CALLS[name], text) for text in (BASE, "w3lib", "cp1252", ";", ","))


LONG = {
    "escapes of escapes": lambda n: "http://h.example/%" + "25" * (n // 2),
    "ampersands": lambda n: "http://h.example/?" + "&" * n,
    "dots": lambda n: "http://h.example/" + "../" * (n // 3),
    "fields": lambda n: "http://h.example/?" + "&".join([f"{k * 7919 % n}=%41" for k in range(n // 10)]),
    "labels": lambda n: "http://" + "a." * (n // 2) + "com/",
}


@pytest.mark.slow(8)
@pytest.mark.parametrize("what", LONG)
@pytest.mark.parametrize("name", CALLS)
def test_time_grows_with_length_only(name: str, what: str):
    """Up to 1 MiB, which has 100,000 fields."""

    def seconds(n: int) -> float:
        text = LONG[what](n)
        return least_seconds(lambda: answered(CALLS[name], text), 2)

    assert at_last(lambda: (long := seconds(1 << 20)) < 0.1 or long < 40 * max(seconds(1 << 17), 0.01))
