"""trurl's own tests: each row has our answer, or the reason why it differs."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import parse_qsl, unquote

import pytest
from support import suites

from urlsm.cli.edit import declare_edits

ROWS = 213
# options that only trurl has -> our equivalent
THEIRS = {
    "--accept-space": "the URL Standard encodes a space",
    "--curl": "any scheme is taken",
    "--force-replace": "--append query=NAME=VALUE",
    "--no-guess-scheme": "no scheme is guessed without --guess-scheme",
    "--punycode": "a host is always in ASCII, unless --as-idn asks",
    "--query-separator": "fields end at &, by the URL Standard",
    "--redirect": "urlsm resolve",
    "--replace-append": "--append query=NAME=VALUE",
    "--trim": "trurl's older name of --qtrim",
    "--urlencode": "{url:path} is as it stands, and so is JSON",
    "--verify": "a text that is refused makes the exit code 1",
}
# why our answer differs -> the rows, counted from 0
DIFFERENCES = {
    "a brace that is not closed is an error": (88,),
    "an empty argument is a text, which is refused": (120,),
    "escapes stay as they are written, with their letters in the case that they have": (
        *(30, 31, 32, 33, 75, 100, 170, 171, 172, 182, 183, 184, 185),
    ),
    "what is encoded has upper-case letters, as RFC 3986 section 2.1 has it": (48, 127, 128, 131, 187),
    "the path of a URL that is not special may be empty": (3,),
    "a port that is the default of the handler, but not of the parser, stays": (21,),
    "the options of imap are a part of the user name": (36,),
    "a browser's URL has no zone identifier, and no scope in an address": (40, 41, 116),
    "--set encodes what the component cannot hold, and no more": (51,),
    "a port that was its scheme's default is not kept": (72, 96),
    "the URL Standard has hosts in lower case": (83,),
    "control characters are escaped, never replaced or left out": (94, 164, 165, 176),
    "--keep-port shows a default port that is written or set, not one that is iterated": (95,),
    "files that are not among the data": (123, 125, 191),
    "a name of --qtrim is not escaped": (139,),
    "a field that is replaced has a value, if an empty one": (149,),
    "a scheme that was guessed is there": (166,),
    "the last --get counts": (190,),
    "empty fields stay": (203, 204, 205, 206),
}
_KEYS = {"username": "user"}
_PARTS = ("scheme", "username", "password", "host", "port", "path", "query", "fragment")


def as_trurl(record):
    """Return our record in the form of theirs."""
    parts = {_KEYS.get(name, name): unquote(str(record[name])) for name in _PARTS if record[name] not in (None, "")}
    made = {"url": record["href"], "parts": parts}
    if record["query"]:
        made["params"] = [{"key": key, "value": value} for key, value in parse_qsl(record["query"], True)]
    return made


def options_of(given):
    """Return the options among arguments, without their values: -shost=x is -s."""
    return {re.match("--[^=]+|-.", text)[0] for text in given if text.startswith("-") and text != "-"}


@pytest.fixture(scope="module")
def rows(request):
    """trurl's tests.json of the edition whose rows are counted above; its commit was not recorded."""
    folder = Path(request.config.getoption("--wpt") or suites.BESIDE / "conformance")
    path = folder / "trurl_tests.json"
    if not path.is_file():
        why = "public, but the commit of the edition whose rows are counted here is not known"
        suites.absent("trurl's tests", "--wpt PATH names the folder of trurl_tests.json", why)
    found = json.loads(path.read_text(encoding="utf-8"))
    if len(found) != ROWS:
        pytest.skip("this is another edition of trurl's tests: the rows have other numbers")
    return found


def test_each_row_of_trurls_tests(run, rows, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    same, theirs, wrong = [], [], []
    for number, row in enumerate(rows):
        given, wanted = row["input"]["arguments"], row["expected"]
        if options_of(given) & THEIRS.keys():
            theirs.append(number)
            continue
        code, out, _ = run("parse", "--guess-scheme", *[text for text in given if text != "--url"])
        said = wanted["stdout"]
        if isinstance(said, list):
            out = [as_trurl(json.loads(line)) for line in out.splitlines()] if code in (0, 1) else out
        alike = out == said and (code == 0) == (wanted["returncode"] == 0)
        excused = [why for why, numbers in DIFFERENCES.items() if number in numbers]
        same += [number] * alike
        if alike == bool(excused):
            wrong.append((number, given, "as trurl", said, "ours", code, out, excused))
    assert not wrong, "\n".join(map(str, wrong))
    assert (len(same), len(theirs)) == (130, 37)


def test_theirs_are_not_ours(rows):
    import argparse

    parser = argparse.ArgumentParser()
    declare_edits(parser)
    assert not THEIRS.keys() & {name for action in parser._actions for name in action.option_strings}
    seen = {name for row in rows for name in options_of(row["input"]["arguments"])}
    assert THEIRS.keys() <= seen
