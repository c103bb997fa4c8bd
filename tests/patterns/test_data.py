"""The rows of others' suites, and the answers of live peers. They are not in this project."""

from __future__ import annotations

import contextlib
import functools
import json
import pathlib
import re

import pytest
from support.suites import BESIDE, absent

from urlsm.patterns import PatternError, PatternSet
from urlsm.patterns.robots import Robots

DATA = BESIDE / "patterns"

# answers that differ from the suite on purpose: (a pattern or the page's origin, url) -> why
DIFFERENT = {
    ("non-standard-scheme://a.com", "non-standard-scheme://a.com"): "Chrome takes no host of a scheme it does not know",
    (
        "example.com",
        "chrome:example.com",
    ): "Chrome makes chrome://example.com of it; the URL Standard has no host there",
}


def rows(name: str) -> list[dict]:
    path = DATA / f"{name}.json"
    if not path.is_file():
        absent("data of pattern matchers", f"{name}.json in {DATA}")
    return json.loads(path.read_text(encoding="utf-8"))


def test_redirect_uris():
    for row in rows("redirect-uris"):
        wildcards = any("*" in pattern for pattern in row["allowed"])
        if row.get("refused"):
            with pytest.raises(PatternError):
                PatternSet(row["allowed"], "redirect-uri", wildcards=wildcards)
            continue
        patterns = PatternSet(row["allowed"], "redirect-uri", wildcards=wildcards)
        assert (row["uri"] in patterns) == row["accepted"], row


def test_match_patterns():
    asked = 0
    for row in rows("match-patterns"):
        if row.get("chrome_only"):
            continue
        asked += 1
        try:
            patterns = PatternSet([row["pattern"]], "match-pattern", schemes=row.get("schemes", "web"))
        except PatternError:
            assert row.get("parse", "ok" if row.get("matches") else "") != "ok", row
            continue
        assert row.get("parse", "ok") == "ok", row
        if "url" in row:
            assert (row["url"] in patterns) == row["matches"], row
    assert asked > 100


def test_csp_sources():
    for row in rows("csp-sources"):
        if "source" in row and (row["self"], row["url"]) not in DIFFERENT:
            options = {"self_origin": row["self"], "redirected": row["redirect"]}
            patterns = PatternSet([row["source"]], "csp", ambiguous="match", **options)
            assert (row["url"] in patterns) == row["matches"], row


def test_blocklist():
    asked = 0
    for row in rows("blocklist"):
        if "url" not in row or row.get("chrome_only") or ("".join(row["block"]), row["url"]) in DIFFERENT:
            continue
        patterns = PatternSet(row["block"], "blocklist", exclude=row["allow"], strict=False, ambiguous="match")
        assert patterns == PatternSet(patterns, "blocklist", exclude=row["allow"], strict=False, ambiguous="match")
        found = patterns.explain(row["url"])
        if found.component == "url":
            assert row["url"] in patterns  # not a URL, so in every block list. Chrome lets it through
            continue
        asked += 1
        assert (row["url"] in patterns) == row["blocked"], row
    assert asked > 200


def otherwise(row: dict, flavor: str) -> str:
    """Return why our answer to a row of no_proxy differs from the program's on purpose; "" if no reason is known."""
    if row["url"] in ("http://0x0a010203/", "http://[2001:db8:0:0::1]:443/", "http://[::ffff:10.1.2.3]/") or (
        "ü" in row["url"] and flavor in ("urllib", "requests")
    ):
        return "the program compares the text of a host that is not in its normal form"
    if row["no_proxy"].endswith("\n"):
        return "the lines of a list are taken apart"
    if row["no_proxy"] == ":" and flavor == "requests":
        return "requests asks urllib about the address ::1, which takes that for a host and a port"
    if flavor == "httpx" and re.search(r",\s*\*\s*$", row["no_proxy"]):
        return "httpx reads nothing else where * is in the list; here an entry that it refuses alone is refused"
    if not row["no_proxy"].strip(" ,") and flavor == "go":
        return "an empty list bypasses nothing"
    return ""


@pytest.mark.parametrize("flavor", ["curl", "requests", "httpx", "urllib", "go"])
def test_no_proxy(flavor: str):
    reasons = 0
    for row in rows("no-proxy"):
        told = row["bypass"][flavor]
        found: object = "error"
        with contextlib.suppress(PatternError):
            found = row["url"] in PatternSet(row["no_proxy"], "no-proxy", flavor=flavor)
        if found != (told if isinstance(told, bool) else "error"):
            reasons += 1
            assert otherwise(row, flavor), (row["no_proxy"], row["url"], found, told)
    assert reasons < 20


def is_rfc_9309(row: dict) -> bool:
    """Return whether a row is about RFC 9309, by the README of the rows."""
    return bool(
        row["url"] and row["agent"] and row["url"].isascii() and "LineTooLong" not in row["test"]
        and "%62%61%7A" not in row["url"] + row["robots"]
    )  # fmt: skip


def test_robots_of_google():
    asked = 0
    for row in rows("robots-google"):
        if "allowed" in row and is_rfc_9309(row):
            text = row["robots"].encode("latin-1") if row.get("bytes") else row["robots"]
            assert Robots(text).allows(row["url"], row["agent"]) == row["allowed"], row
            asked += 1
    assert asked > 120


def test_robots_of_sites():
    @functools.cache
    def robots(file):
        return Robots((DATA / "robots-files" / file).read_bytes())

    for row in rows("robots-protego"):
        assert robots(row["file"]).allows(row["url"], row["agent"]) == row.get("rfc", row["allowed"]), row
    assert pathlib.Path(DATA / "robots-files").is_dir()
