"""The figures of bench/RESULTS.md, docs/benchmarks.md and README.md are those of the recorded run, and every public
name has a row."""

import inspect
import json
import re
import sys
from pathlib import Path

import pytest

import urlsm
from urlsm import compat, crawler, documents, domains, pictures, security, stdlib, whatwg
from urlsm import logging as urlsm_logging
from urlsm.compat import w3lib

ROOT = Path(__file__).resolve().parents[2]

if not (ROOT / "bench").is_dir():
    pytest.skip("bench/ does not lie beside these tests", allow_module_level=True)
if str(ROOT) not in sys.path:
    sys.path.append(str(ROOT))

from bench import figures, rows  # noqa: E402
from bench.lists import Lists  # noqa: E402
from bench.measure import Way  # noqa: E402

NOT_TIMED = {
    "get_include": "a folder's name, asked once in a build",
    "register": "once in a program",
    "unregister": "once in a program",
    "ParseError": "timed as a refusal",
    "PluginError": "raised where a plug-in is wrong",
    "SchemeError": "raised where a scheme's URL is wrong",
    "HostEntryError": "raised where an entry is wrong",
    "Violation": "what validate gives",
    "Components": "what split gives",
    "Trace": "what explain gives",
    "ReaderComparison": "what compare_readers gives",
    "Hazard": "what audit gives",
    "Tracker": "a value of TRACKERS",
    "Reading": "what compare_readers gives",
    "ReaderInfo": "what readers gives",
    "SentRequest": "what sent gives",
    "sent": "asked where a client is chosen, not for each URL",
    "readers": "asked once",
    "HAZARDS": "a table",
    "UrlMatch": "what extract_urls gives",
    "IDNAError": "raised where a domain is wrong",
    "to_unicode": "what a person reads, not asked of each URL",
    "uri_to_iri": "what a person reads, not asked of each URL",
    "iri_to_uri": "parse, which has rows, is asked of many links",
    "Template": "timed beside uritemplate by bench/formats.py",
    "UnsafeValue": "raised by Template.match",
    "AddressKind": "what address_kind gives",
    "Link": "what links gives",
    "DupeFilter": "fingerprint, which has rows, and the store's own add",
    "PageLink": "what page_links gives",
    "page_links": "a whole page, timed beside Scrapy's by bench/pages.py",
    "fingerprint_many": "fingerprint, which has rows, in one loop",
    "SurtParts": "what split_surt gives",
    "Verdict": "what a judge gives",
    "check_git_url": "asked once for each clone, which takes a thousand times as long",
    "check_redirect": "is_safe_redirect with the reason; timed by bench/servers.py",
    "PROFILES": "a table",
    "TRACKERS": "a table",
    "Profile": "what profile gives; its canonicalize has a row",
    "RequestRate": "what Robots.request_rate gives",
    "Robots": "timed beside Protego by bench/patterns.py, whose figures are not in the recorded run yet",
    "profile": "a look-up of a table, once in a program",
    "install": "once in a program",
    "uninstall": "once in a program",
    "Span": "what spans gives",
    "html": "a picture for a page that somebody reads",
    "svg": "a picture for a page that somebody reads",
    "page": "a page that somebody reads",
    "server": "a part of handlers; timed as parts",
    "segments": "a part of handlers; timed as parts",
    "known": "a table, asked once in a program",
    "MaskURLs": "timed by its masked",
    **dict.fromkeys(
        ("DefragResult", "ParseResult", "SplitResult", "DefragResultBytes", "ParseResultBytes", "SplitResultBytes"),
        "what the functions give; its methods have rows",
    ),
}
NOT_TIMED_METHODS = {
    **dict.fromkeys(
        ("from_environ", "from_request_target", "from_scope"),
        "of a server's request, which the lists of links do not have",
    ),
    **dict.fromkeys(
        ("append_path", "auth", "join_location", "rfc3986", "socket_host"), "hands a URL on: replace and join have rows"
    ),
    "args": "a trait of the interpreter's classes",
    "dates": "of the tables under a profile, asked once",
    **dict.fromkeys(
        ("get_list", "getall", "getlist", "multi_items"), "another library's name, which says where ours is"
    ),
    **dict.fromkeys(("netloc", "query", "scheme"), "a field of a tuple"),
    "count": "a tuple's",
    "index": "a tuple's",
    "decode": "of the results of bytes; encode has a row",
    "searchParams": "the same as search_params",
    "path": "a field of a tuple, or where a list lies",
    "rules": "a list's",
    "version": "a list's",
    "name": "a profile's",
    "fields": "a profile's",
    "rulebook": "a profile's",
    "replace": "of a profile, once in a program",
    "filter": "logging's, which calls masked",
}


def ways(*groups: str) -> str:
    return "\n".join(row.ours for group in groups for row in rows.GROUPS[group])


ALL = ways(*rows.GROUPS)
FUNCTIONS = [
    *((module.__name__, name)
      for module in (urlsm, crawler, documents, domains, security, stdlib, compat, pictures, w3lib, urlsm_logging)
      for name in module.__all__ if not name.startswith("_")),
    *(("urlsm.schemes", name) for name in ("decode", "decode_bytes", "segments", "server", "known")),
]  # fmt: skip


@pytest.mark.parametrize("module, name", FUNCTIONS)
def test_a_function_has_a_row_or_a_reason(module, name):
    called = re.search(rf"(?<![\w.]){name}[(.]", ALL) is not None or name == "URL"
    assert called != (name in NOT_TIMED), f"{module}.{name}: a row, or a reason why it has none"


@pytest.mark.parametrize(
    "kind, groups",
    [
        (urlsm.URL, ("url", "parse")),
        (urlsm.QueryParams, ("url",)),
        (whatwg.URL, ("whatwg",)),
        (whatwg.URLSearchParams, ("whatwg",)),
        (stdlib.SplitResult, ("stdlib",)),
        (urlsm.domains.PublicSuffixList, ("crawler",)),
        (crawler.Profile, ("crawler",)),
    ],
)
def test_a_method_has_a_row_or_a_reason(kind, groups):
    text = ways(*groups)
    names = [name for name in documented(kind) if name not in NOT_TIMED_METHODS]
    assert names and [name for name in names if not re.search(rf"(\.|\b){name}\b", text)] == []


def documented(kind):
    """Return its public names in its stub or, without a stub, in the class."""
    if kind is urlsm.URL:  # the class also has names that only suggest those of other libraries
        text = (Path(inspect.getfile(urlsm)).parent / "url/value.pyi").read_text(encoding="utf-8")
        return sorted(set(re.findall(r"^    def ([a-z]\w*)\(", text.partition("\nclass URL:")[2], re.MULTILINE)))
    return [name for name in dir(kind) if not name.startswith("_") and name not in dir(object)]


def test_a_row_has_one_title_and_a_list_that_there_is():
    titles = [row.title for of_group in rows.GROUPS.values() for row in of_group]
    assert len(titles) == len(set(titles))
    for of_group in rows.GROUPS.values():
        for row in of_group:
            assert ": " in row.given or hasattr(Lists, row.given.replace(" ", "_")), row.title
    assert len(rows.GROUPS["classes"]) >= 60


@pytest.mark.parametrize("page", figures.PAGES, ids=lambda page: page.name)
def test_a_page_holds_the_figures_of_the_recorded_run(page):
    text = page.read_text(encoding="utf-8")
    record = json.loads(figures.JSON.read_text(encoding="utf-8"))
    assert figures.made(text, record) == text, "python -m bench.figures writes them anew"
    record["rows"]["parse"]["parse"]["ns"]["urlsm"] = [10_000, 10_000]
    assert figures.made(text, record) != text


def test_the_record_is_of_these_rows_and_holds_no_link():
    record = json.loads(figures.JSON.read_text(encoding="utf-8"))
    for group, of_group in rows.GROUPS.items():
        assert [row.title for row in of_group] == list(record["rows"][group])
    assert "://" not in figures.JSON.read_text(encoding="utf-8")
    assert record["machine"]["load"] and record["machine"]["versions"]


def test_the_same_code_of_the_interpreter_is_not_a_peer_that_is_ahead():
    shown = [row for of_group in rows.GROUPS.values() for row in of_group if row.code]
    assert {"u.href", "SplitResult.hostname", "SplitResult.geturl"} <= {row.title for row in shown}
    for row in shown[1:]:
        peer = next(iter(row.peers))
        ours, theirs, other = (
            Way(way, name, "u", False, code)
            for way, name, code in (
                (row.ours, "urlsm", row.code),
                (row.peers[peer], peer, row.code),
                (row.ours, "urlsm", "type(u).index"),
            )
        )
        assert ours.code("http://h/#f") == theirs.code("http://h/#f") != other.code("http://h/#f"), row.title
    row = {"ns": {"urlsm": [2, 2], "a": [1, 1], "b": [1, 1]}, "other": [], "left_out": {}, "same_code": ["a"]}
    told = figures.below({"group": {"title": row}})
    assert "| title | b 0.50x |" in told and "title (a 0.50x)" in told
    assert figures.below({"group": {"title": {**row, "ns": {"urlsm": [2, 2], "a": [1, 1]}}}}).startswith("In this run")
