"""urltestdata.json, toascii.json, IdnaTestV2.json and percent-encoding.json of web-platform-tests, and our own cases
in the same schema. Every case must pass; none is expected to fail.

https://github.com/web-platform-tests/wpt/tree/master/url
"""

from __future__ import annotations

import json
import pathlib
from collections.abc import Callable

import pytest
from support.checks import check_url

from urlsm import URL, ParseError, can_parse, parse, try_parse

OWN = pathlib.Path(__file__).resolve().parents[1] / "data/own_urls.json"
Load = Callable[[str], list[dict]]


@pytest.fixture(params=["web-platform-tests", "own"])
def url_cases(request: pytest.FixtureRequest) -> list[dict]:
    if request.param == "own":
        return [case for case in json.loads(OWN.read_text(encoding="utf-8")) if isinstance(case, dict)]
    return request.getfixturevalue("conformance_cases")("urltestdata.json")


def browser_view(url: URL) -> dict[str, str]:
    """Return the attributes under the names and in the form of the test data."""
    port = "" if url.port is None else str(url.port)
    return {
        "href": url.href,
        "protocol": url.scheme + ":",
        "username": url.username or "",
        "password": url.password or "",
        "host": (url.host or "") + (port and ":" + port),
        "hostname": url.host or "",
        "port": port,
        "pathname": url.path,
        "search": "?" + url.query if url.query else "",
        "hash": "#" + url.fragment if url.fragment else "",
        "origin": url.origin,
    }


def scalar_bytes(text: str) -> bytes:
    """Return a text as the UTF-8 octets of a document."""
    return "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in text).encode()


def wrong_attributes(case: dict, url: URL) -> dict[str, tuple[str, str]]:
    found = browser_view(url)
    return {name: (found[name], case[name]) for name in found if name in case and found[name] != case[name]}


def test_the_files_hold_what_they_should(url_cases, request):
    minimum = 150 if "own" in request.node.name else 590
    assert len(url_cases) >= minimum
    assert len({(case["input"], case["base"]) for case in url_cases}) >= minimum
    assert {"href", "failure"} <= {name for case in url_cases for name in case}


@pytest.mark.parametrize("kind", [str, scalar_bytes], ids=["str", "bytes"])
def test_parse(url_cases, kind, index_width):
    wrong = []
    for case in url_cases:
        text, base = kind(case["input"]), None if case["base"] is None else kind(case["base"])
        try:
            url = parse(text, base=base)
        except ParseError:
            if not case.get("failure"):
                wrong.append((case, "refused"))
        else:
            if case.get("failure"):
                wrong.append((case, url.href))
            elif wrong_attributes(case, url):
                wrong.append((case, wrong_attributes(case, url)))
    assert not wrong


@pytest.mark.parametrize("kind", [str, scalar_bytes], ids=["str", "bytes"])
def test_can_parse_and_try_parse_agree_with_parse(url_cases, kind, index_width):
    wrong = []
    for case in url_cases:
        text, base = kind(case["input"]), None if case["base"] is None else kind(case["base"])
        valid = not case.get("failure")
        url = try_parse(text, base=base)
        if can_parse(text, base=base) is not valid or (url is not None) is not valid:
            wrong.append((case, can_parse(text, base=base), url))
        elif url is not None and url.href != case["href"]:
            wrong.append((case, url.href))
    assert not wrong


def test_join(url_cases):
    """base.join(input), with a base that is a URL value already."""
    joined = 0
    for case in url_cases:
        base = None if case["base"] is None else try_parse(case["base"])
        if base is None:
            continue
        joined += 1
        if case.get("failure"):
            with pytest.raises(ParseError):
                base.join(case["input"])
        else:
            assert base.join(case["input"]).href == case["href"], case
            assert parse(case["input"], base=base).href == case["href"], case
            assert base.join(scalar_bytes(case["input"])).href == case["href"], case
    assert joined > 30


def test_every_url_holds_the_invariants(url_cases):
    for case in url_cases:
        if not case.get("failure"):
            check_url(parse(case["input"], base=case["base"]))


def test_a_reference_that_fails_without_base_parses_with_one(url_cases):
    """If the data says so, the input is relative: to any base, or to those without an opaque path."""
    for case in url_cases:
        if case.get("relativeTo") == "any-base":
            assert not can_parse(case["input"]) and all(
                can_parse(case["input"], base=base)
                for base in ["https://h/", "file:///", "foo:/x", "foo://h", "foo:opaque"]
            ), case
        elif case.get("relativeTo") == "non-opaque-path-base":
            assert not can_parse(case["input"]) and not can_parse(case["input"], base="foo:opaque"), case


# --- IDNA ---


@pytest.mark.parametrize("name", ["toascii.json", "IdnaTestV2.json"])
@pytest.mark.parametrize("scheme", ["https", "file"])
def test_idna(conformance_cases: Load, name, scheme):
    tried, wrong = 0, []
    for case in conformance_cases(name):
        if case["input"] == "":
            continue  # no special URL holds an empty domain: the file's own test cannot try it either
        tried += 1
        url = try_parse(f"{scheme}://{case['input']}/x")
        if (None if url is None else url.host) != case["output"] or (url is not None and url.path != "/x"):
            wrong.append((case, url))
        elif url is not None:
            check_url(url)
        assert can_parse(f"{scheme}://{case['input']}/x") is (url is not None)
    assert not wrong
    assert tried > 100 or name == "toascii.json"


def test_idna_of_escapes(conformance_cases: Load):
    """A domain is percent-decoded first: written in escapes throughout, it gives the same."""
    wrong = []
    for case in conformance_cases("IdnaTestV2.json"):
        escaped = "".join(f"%{octet:02x}" for octet in case["input"].encode("utf-8", "surrogatepass"))
        url = try_parse(f"https://{escaped}/")
        if case["input"] and "\ud800" not in ascii(case["input"]):
            found = None if url is None else url.host
            if found != case["output"]:
                wrong.append((case, escaped, found))
    assert not wrong


# --- query encodings ---


def test_percent_encoding(conformance_cases: Load):
    for case in conformance_cases("percent-encoding.json"):
        for label, output in case["output"].items():
            url = parse(f"https://e.org/?{case['input']}#{case['input']}", encoding=label)
            assert (label, url.query) == (label, output), case
            assert url.fragment == case["output"]["utf-8"]  # the fragment is UTF-8, for every encoding of the page
            check_url(url)
