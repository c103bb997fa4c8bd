"""Every command of the parser on a terminal (a pty): with and without rich, in colour and without, in two widths."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading

import pytest

from urlsm.cli.app import HOMES, make_parser

pty = pytest.importorskip("pty")
fcntl = pytest.importorskip("fcntl")

URL = "https://user:secret@b\u00fccher.example:8443/a%20b/../c?q=1&r=2#f"
# a call of each command, in a folder that has these files
FILES = {
    "links.txt": "http://example.com/a?b\nhttp://a b/\nmailto:a@b.example\n" * 2000,
    "table.csv": "id,url\n1,http://example.com/\n2,//x\n",
    "rules.txt": "example.com\n",
}
CALLS = {
    "parse": ["parse", "--parts", URL],
    "explain": ["explain", "http://me:secret@h:x/"],
    "schemes": ["schemes"],
    "validate": ["validate", "http://a b/", URL],
    "normalize": ["normalize", URL],
    "resolve": ["resolve", URL, "../x"],
    "compare": ["compare", "--readers", "curl,go,php", "http://127.1\\@example.com/"],
    "audit": ["audit", "http://127.0.0.1\\@example.com/..%2f"],
    "extract": ["extract", "links.txt"],
    "match": ["match", "-r", "rules.txt", "http://a.example.com/"],
    "page": ["page", "-o", "page.html", URL],
    "canonicalize": ["canonicalize", URL],
    "surt": ["surt", URL],
    "fingerprint": ["fingerprint", URL],
    "registrable-domain": ["registrable-domain", URL],
    "profiles": ["profiles"],
    "data": ["data"],
    "psl": ["psl", "--help"],
    "columns": ["columns", "links.txt", "-f", "host,path", "-o", "out.csv", "--errors-to", "refused.csv"],
    "completion": ["completion", "bash"],
    "manual": ["manual"],
    "help": ["help", "parse"],
}
RUNS_UNTIL_STOPPED = {"serve"}  # tests/cli/test_serve.py
PROGRAM = """
import json, sys
if not {rich}:
    sys.modules["rich"] = None
from urlsm.cli.app import main
codes = {{}}
for name, argv in json.loads({calls!r}).items():
    print(f"--- {{name}}", flush=True)
    print(f"--- {{name}}", file=sys.stderr, flush=True)
    try:
        codes[name] = main(argv)
    except SystemExit as stop:
        codes[name] = stop.code or 0
with open("codes.json", "w") as file:
    json.dump(codes, file)
"""


def on_a_terminal(program, folder, columns, colour):
    """Run a program of Python on a terminal of so many columns; return its exit code and what the terminal got."""
    import struct
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    left_out = ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES", "TTY_COMPATIBLE", "TTY_INTERACTIVE")
    env = {name: value for name, value in os.environ.items() if name not in left_out}
    env |= {"TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8", "PAGER": "cat"} | (
        {} if colour else {"NO_COLOR": "1"}
    )
    got = []

    def read():
        while True:
            try:
                octets = os.read(ours, 65536)
            except OSError:  # Linux, after the last writer has closed its end
                return
            if not octets:
                return
            got.append(octets)

    done = subprocess.Popen(
        [sys.executable, "-c", program], stdin=theirs, stdout=theirs, stderr=theirs, cwd=folder, env=env
    )
    os.close(theirs)
    reader = threading.Thread(target=read)
    reader.start()
    code = done.wait(timeout=120)
    reader.join(timeout=10)
    os.close(ours)
    return code, b"".join(got).decode("utf-8", "replace")


def test_every_command_has_a_call():
    [commands] = [action for action in make_parser()._actions if action.dest == "==SUPPRESS==" or action.choices]
    assert set(CALLS) | RUNS_UNTIL_STOPPED == set(commands.choices) == set(HOMES)


@pytest.mark.parametrize(
    ("rich", "colour", "columns"),
    [(True, True, 80), (True, False, 200), (False, True, 200), (False, False, 80)],  # each pair of two options
    ids=str,
)
def test_every_command_on_a_terminal(tmp_path, rich, colour, columns):
    pytest.importorskip("pyarrow")
    if rich:
        pytest.importorskip("rich")
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    code, text = on_a_terminal(PROGRAM.format(rich=rich, calls=json.dumps(CALLS)), tmp_path, columns, colour)
    assert code == 0 and "Traceback" not in text, text[-2000:]
    codes = json.loads((tmp_path / "codes.json").read_text())
    refused = {"validate", "audit", "compare", "normalize", "explain"}  # which name what is wrong with a URL
    assert {name: code for name, code in codes.items() if code not in ((0, 1) if name in refused else (0,))} == {}
    assert "urlsm: " not in text
    if not colour:
        assert not re.search(r"\x1b\[[0-9;]*3[0-9][0-9;]*m", text)
    said = dict(re.findall(r"--- ([\w-]+)\r\n--- \1\r\n(.*?)(?=--- |\Z)", text, re.DOTALL))
    assert set(said) == set(CALLS)
    assert all(said[name] for name in CALLS if name != "page")
    assert "6,000 rows, 2,000 refused, 0 null" in said["columns"] and ("100%" in said["columns"]) == rich
    if rich:  # a table fits, with all its columns
        for name in ("data", "schemes"):
            drawn = [re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", line) for line in said[name].splitlines()]
            assert max(map(len, drawn)) <= columns and not any("││" in line for line in drawn), name
    assert (tmp_path / "out.csv").read_text().count("\n") == 6001
    assert (tmp_path / "refused.csv").read_text().count("\n") == 2001


@pytest.mark.parametrize("more", [["-j", "1"], ["-j", "2"], ["-j", "2", "--quiet"], ["--resume"]], ids=" ".join)
def test_one_bar_for_all_files(tmp_path, more):
    pytest.importorskip("pyarrow")
    pytest.importorskip("rich")
    (tmp_path / "in").mkdir()
    for name in ("a", "b", "c"):
        (tmp_path / "in" / f"{name}.csv").write_text("id,url\n1,http://h/\n2,//x\n3,\n" * 1000, encoding="utf-8")
    call = ["columns", "in/", "-c", "url", "-f", "host", "-o", "out/", *more]
    code, text = on_a_terminal(PROGRAM.format(rich=True, calls=json.dumps({"columns": call})), tmp_path, 160, True)
    assert code == 0 and "Traceback" not in text and json.loads((tmp_path / "codes.json").read_text()) == {"columns": 0}
    assert sorted(path.name for path in (tmp_path / "out").glob("*.parquet")) == ["a.parquet", "b.parquet", "c.parquet"]
    text = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", text)
    told = "11,997 rows, 8,997 refused"
    if "--quiet" in more:
        assert told not in text and "%" not in text
    else:
        assert re.search(rf"in/[abc]\.csv .*100% {told} 0:00:0\d", text) and f"{told}, 0 null" in text
