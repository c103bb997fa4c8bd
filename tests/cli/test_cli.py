"""urlsm.cli.app: the output of the command line, its streams and its exit codes."""

import importlib.util
import io
import json
import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys
from contextlib import suppress

import pytest

import urlsm.machine.driver
from urlsm import parse
from urlsm.cli import app as cli
from urlsm.cli import output as terminal_module

KEYS = ["scheme", "username", "password", "host", "port", "path", "query", "fragment"]
WHATWG_KEYS = ["input", "href", *KEYS, "origin"]
# characters that a terminal may act on, may not show, or shows in another order
HOSTILE = [
    *map(chr, [*range(0x20), *range(0x7F, 0xA1)]),
    *"\xad\u061c\u200b\u200e\u200f\u2028\u2029\u202a\u202b\u202d\u202e\u2066\u2067\u2069\ufeff\U000e0041",
    *"\ud800\udbff\udc80\udcff\udfff",
]


@pytest.fixture
def terminal(monkeypatch):
    """Make standard output look like a terminal of 100 columns without colours."""
    monkeypatch.setattr(terminal_module, "on_terminal", lambda: True)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.delenv("FORCE_COLOR", raising=False)


@pytest.fixture(params=["rich", "plain"])
def either_table(request, monkeypatch, terminal):
    if request.param == "rich":
        pytest.importorskip("rich", reason="the extra cli is not installed")
    else:
        without_rich(monkeypatch)


def without_rich(monkeypatch):
    for name in [name for name in sys.modules if name.partition(".")[0] == "rich"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "rich", None)


def records(out):
    return [json.loads(line) for line in out.splitlines()]


def cells(out):
    """The rows of a table of two columns, of either kind."""
    rows = [line.strip("│ ").replace("│", " ").split(maxsplit=1) for line in out.splitlines()]
    return {row[0]: row[1].strip() for row in rows if len(row) == 2 and row[0][0].isalpha()}


# --- JSON lines ------------------------------------------------------------------------------------------


def test_json_has_one_object_per_url_with_stable_keys(run):
    given = ["HTTP://u:p@Example.org:81/a/../b?q#f", "mailto:a@b"]
    assert [list(record) for record in records(run("parse", *given)[1])] == [WHATWG_KEYS, WHATWG_KEYS]
    code, out, err = run("parse", "--parts", *given)
    assert (code, err) == (0, "")
    assert [list(record) for record in records(out)] == [[*WHATWG_KEYS, "parts"]] * 2
    for record, text in zip(records(out), given, strict=True):
        assert record.pop("input") == text
        assert record.pop("parts").keys() == dict(parse(text).parts).keys()
        assert record == {name: getattr(parse(text), name) for name in record}


def test_json_tells_absent_from_empty(run):
    (bare,) = records(run("parse", "http://h")[1])
    (empty,) = records(run("parse", "http://h?#")[1])
    assert [bare["query"], bare["fragment"]] == [None, None]
    assert [empty["query"], empty["fragment"]] == ["", ""]


def test_json_is_data_and_holds_the_password(run):
    (record,) = records(run("parse", "http://u:secret@h/")[1])
    assert record["password"] == "secret"
    assert record["href"] == "http://u:secret@h/"


def test_json_is_ascii_whatever_comes(run):
    given = "x:" + "-".join(HOSTILE) + "é例"
    for argv in (["parse", given], ["parse", "--explain", "--dialect", "rfc3986", given]):
        code, out, _ = run(*argv)
        assert code == 0
        assert out.isascii() and out[:-1].isprintable() and out.endswith("\n")
        assert records(out)[0]["input"] == given


def test_base_makes_references_absolute(run):
    code, out, _ = run("parse", "--base", "http://h/a/b", "../c", "?q", "//i")
    assert code == 0
    assert [record["href"] for record in records(out)] == ["http://h/c", "http://h/a/b?q", "http://i/"]


@pytest.mark.parametrize("dialect", [name for name in urlsm.machine.driver.DIALECTS if name != "whatwg"])
def test_other_dialects_show_the_components_as_written(run, dialect):
    code, out, _ = run("parse", "--parts", "--dialect", dialect, "HTTP://u:p@H:080/a/../b?q#f")
    assert code == 0
    values = ["HTTP", "u", "p", "H", "080", "/a/../b", "q", "f"]
    [record] = records(out)
    parts = record.pop("parts")
    assert record == {"input": "HTTP://u:p@H:080/a/../b?q#f", **dict(zip(KEYS, values, strict=True))}
    # the handlers know the grammars of the RFCs
    assert (parts is None) == (dialect in ("barth", "stdlib"))
    assert parts is None or (parts["host"], parts["port"], parts["segments"]) == ("h", 80, ["a", "..", "b"])


def test_a_dialect_may_refuse_a_text(run):
    code, out, err = run("parse", "--dialect", "barth", "no-scheme", "http://h/")
    assert code == 1
    assert [record["host"] for record in records(out)] == ["h"]
    assert "missing-scheme" in err


def test_json_and_table_can_be_forced(run, terminal):
    assert records(run("parse", "--json", "http://h/")[1])[0]["host"] == "h"
    assert cells(run("parse", "--table", "http://h/")[1])["host"] == "h"


# --- texts that do not parse -----------------------------------------------------------------------------


def test_a_url_that_does_not_parse_is_reported_and_the_rest_go_on(run):
    code, out, err = run("parse", "http://a/", "http://h:x/", "http://b/")
    assert code == 1
    assert [record["host"] for record in records(out)] == ["a", "b"]
    message, excerpt, caret = err.splitlines()
    assert message.startswith("the port contains") and "(port-invalid," in message
    assert excerpt[caret.index("^")] == "x"


def test_an_error_names_the_line_of_a_file(run, tmp_path):
    file = tmp_path / "urls"
    file.write_text("http://a/\n\nhttp://b:x/\n")
    code, out, err = run("parse", "--file", str(file))
    assert (code, len(records(out))) == (1, 1)
    assert err.startswith(f"{file}:3: the port contains") and "(port-invalid," in err


@pytest.mark.parametrize("options", [[], ["--table"], ["--explain"], ["--table", "--explain"], ["--violations"]])
def test_an_error_shows_no_password(run, options):
    code, out, err = run("parse", *options, "http://u:secret@h:x/", "--base", "http://h")
    assert code == 1
    assert "secret" not in err
    assert "--table" not in options or "secret" not in out


# --- files and standard input ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "urls"),
    [
        (b"", []),
        (b"\n \t\n\r\n", []),
        (b"http://a/\nhttp://b/\n", ["http://a/", "http://b/"]),
        (b"http://a/\r\n\r\nhttp://b/", ["http://a/", "http://b/"]),
        (b"\xef\xbb\xbfhttp://a/\n", ["http://a/"]),
        (b" http://a/ \n", [" http://a/ "]),
        ("x:é例\n".encode(), ["x:é例"]),
        (b"x:\xff\xe2\x82\n", ["x:\udcff\udce2\udc82"]),
        (b"x:\xed\xa0\x80\x00\x0b\x0c\x85\xe2\x80\xa8y\n", ["x:\udced\udca0\udc80\0\x0b\x0c\udc85\u2028y"]),
    ],
)
@pytest.mark.parametrize("source", ["file", "stdin"])
def test_a_line_is_a_url_octet_for_octet(run, tmp_path, monkeypatch, source, content, urls):
    if source == "stdin":
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content), encoding="ascii"))
        argv = ["parse", "-"]
    else:
        (tmp_path / "urls").write_bytes(content)
        argv = ["parse", "--file", str(tmp_path / "urls")]
    code, out, err = run(*argv)
    assert (code, err) == (0, "")
    assert [record["input"] for record in records(out)] == urls


@pytest.mark.parametrize(
    "command", ["parse", "parse --set port=8", "parse -j 2", "audit", "compare", "surt", "resolve x:"]
)
def test_file_minus_is_standard_input(run, monkeypatch, command):
    def told(*argv):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"http://h/\n\nhttp://h:x/\n")))
        return run(*command.split(), *argv)

    assert told("--file", "-") == told("-f-") == told("-") and told("-f", "-")[1]


BLANK = ["", " ", "\t\n"]


@pytest.mark.parametrize("text", BLANK)
@pytest.mark.parametrize(
    ("command", "code"),
    [
        *(("parse", 1), ("parse --csv", 1), ("parse --get {host}", 1), ("parse --set port=8", 1), ("parse --table", 1)),
        *(("parse --explain", 1), ("parse --dialect rfc3986", 0), ("parse --base http://h/", 0), ("parse -j 2", 1)),
        *(("parse --guess-scheme", 1), ("audit", 1), ("audit --table", 1), ("compare", 0), ("canonicalize", 1)),
        *(("registrable-domain", 1), ("resolve http://a/b", 0), ("resolve x:", 1)),
    ],
)
def test_an_empty_argument_is_a_text_like_any_other(run, command, code, text):
    found, out, err = run(*command.split(), text)
    assert found == code and (out.strip() or err.strip())


def test_an_empty_text_is_answered(run):
    assert run("resolve", "http://a/b", "") == (0, "http://a/b\n", "")
    assert records(run("parse", "--base", "http://h/a#b", "")[1])[0]["href"] == "http://h/a"
    assert run("normalize", "")[1] == "\n" and records(run("validate", "")[1]) == [{"input": "", "violations": []}]
    assert run("audit", "")[1:] == ('{"input":"","hazards":[]}\n', run("parse", "")[2])
    assert run("parse", "--set", "scheme=http", "--set", "host=h", "")[0] == 1  # not as without a URL
    assert records(run("parse", "x:1", "", "x:2")[1])[1]["path"] == "2" and run("parse", "x:1", "", "x:2")[0] == 1


def test_audit_does_not_pass_what_is_refused(run):
    for text, code in (("https://example.org/a", 0), ("/a", 1), ("example.org", 1), ("http://h:x/", 1), ("http://", 1)):
        assert run("audit", text)[0] == code


def test_sources_are_read_in_order(run, tmp_path, monkeypatch):
    (tmp_path / "urls").write_text("x:4\n")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"x:2\n")))
    _, out, _ = run("parse", "x:1", "-", "x:3", "--file", str(tmp_path / "urls"))
    assert [record["path"] for record in records(out)] == ["1", "2", "3", "4"]


def test_closed_standard_streams_do_not_crash(monkeypatch):
    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, name, None)
    assert cli.main(["parse", "-", "http://h/"]) == 0
    assert cli.main(["parse", "--table", "http://h/", "http://h:x/"]) == 1


# --- explain and violations ------------------------------------------------------------------------------


def test_explain_in_json_is_a_list_of_steps(run):
    text = "http://h/a?q#f"
    (record,) = records(run("parse", "--explain", text)[1])
    assert list(record) == [*WHATWG_KEYS, "steps"]
    assert {"state": "host state", "start": 7, "end": 8, "text": "h", "code": None} in record["steps"]
    for step in record["steps"]:
        assert text[step["start"] : step["end"]] == step["text"]


def test_explain_goes_as_far_as_the_parser(run):
    code, out, err = run("parse", "--explain", "http://h:x/")
    (record,) = records(out)
    assert code == 1
    assert [record[name] for name in WHATWG_KEYS[1:]] == [None] * 10
    assert record["steps"][-1]["code"] == "port-invalid"
    assert err.startswith("the port contains") and "(port-invalid," in err


def test_violations_in_json(run):
    code, out, _ = run("parse", "--violations", "http:/h", "http://h/")
    assert code == 0
    broken, valid = records(out)
    assert list(broken) == [*WHATWG_KEYS, "violations"]
    (violation,) = broken["violations"]
    assert list(violation) == ["code", "component", "position", "severity", "reference", "message"]
    assert violation["code"] == "special-scheme-missing-following-solidus"
    assert valid["violations"] == []


def test_violations_of_what_does_not_parse_are_shown_too(run):
    code, out, _ = run("parse", "--violations", "http://h:x/")
    (record,) = records(out)
    assert (code, record["href"]) == (1, None)
    assert [violation["severity"] for violation in record["violations"]] == ["fatal"]


# --- parts and schemes -----------------------------------------------------------------------------------


def test_the_parts_are_shown_as_json_can_hold_them(run):
    given = ["ftp://h/a%FFb;type=I", "data:;base64,/w==", "mailto:a@b.c?subject=x", "no-such:x"]
    code, out, err = run("parse", "--parts", *given)
    assert (code, err) == (0, "")
    ftp, data, mail, other = [record["parts"] for record in records(out)]
    assert (ftp["segments"], ftp["typecode"]) == (["a\udcffb"], "i")
    assert (data["data"], data["params"]) == ("\udcff", [["charset", "US-ASCII"]])
    assert (mail["recipients"], mail["headers"]) == (["a@b.c"], [["subject", "x"]])
    assert other["path"] == "x"


def test_parts_that_cannot_be_read_are_told_and_the_rest_is_shown(run):
    code, out, err = run("parse", "--parts", "data:text/plain")
    [record] = records(out)
    assert (code, record["path"], record["parts"]) == (0, "text/plain", None)
    assert "data-comma-missing" in err


def test_a_table_shows_what_the_scheme_adds(run, either_table):
    found = cells(run("parse", "sip:alice:secret@h;transport=tcp")[1])
    assert (found["username"], found["password"], found["transport"]) == ("alice", "***", "tcp")
    assert "secret" not in "".join(found.values())


def test_schemes_are_listed_with_where_they_are_from(run):
    code, out, err = run("schemes")
    rows = [line.split() for line in out.splitlines()]
    assert (code, err) == (0, "") and len(rows) > 59
    assert ["ftp", "21", "built", "in", "frozen", "File", "transfer"] in [row[:7] for row in rows]
    assert [row[0] for row in rows[1:]] == sorted(row[0] for row in rows[1:])


def test_schemes_as_json(run):
    found = records(run("schemes", "--json")[1])
    assert {"gopher", "mongodb+srv"} <= {record["scheme"] for record in found}
    assert all(record["from"] == "built in" and record["reference"] for record in found)


def test_one_scheme_is_shown_with_its_traits_and_an_example(run, either_table):
    found = cells(run("schemes", "mailto")[1])
    assert (found["authority"], found["hierarchical"], found["from"]) == ("forbidden", "False", "built in")
    assert found["example"].startswith("mailto:") and found["tier"] == "frozen"
    assert cells(run("schemes", "s3")[1])["held_by"].partition(" ")[0] in ("s3fs", "cloudpathlib")
    [record] = records(run("schemes", "--json", "x+SSH")[1])
    assert (record["scheme"], record["default_port"], record["from"]) == ("x+SSH", None, "as ssh")
    assert run("schemes", "no-such")[0] == 1
    assert "SECRET" not in run("parse", "view-source:http://u:SECRET@h/", "postgresql://h/?password=SECRET")[1]


# --- tables ----------------------------------------------------------------------------------------------


def test_a_table_shows_what_is_there_with_the_password_masked(run, either_table):
    code, out, err = run("parse", "HTTP://u:secret@Example.org:81/a/../b?#f")
    assert (code, err) == (0, "")
    assert cells(out) == {
        "href": "http://u:***@example.org:81/b?#f",
        "scheme": "http",
        "username": "u",
        "password": "***",
        "host": "example.org",
        "port": "81",
        "path": "/b",
        "query": '""',
        "fragment": "f",
        "origin": "http://example.org:81",
    }


def test_a_table_of_another_dialect_shows_what_is_written(run, either_table):
    _, out, _ = run("parse", "--dialect", "rfc3986", "HTTP://u:secret@Example.org:/a/..")
    assert list(cells(out).values()) == ["HTTP", "u", "***", "Example.org", '""', "/a/.."]


def test_a_table_is_followed_by_trace_and_violations(run, either_table):
    _, out, _ = run("parse", "--explain", "--violations", "http:/h", "http://h/")
    first, second = out.split("no violations")[0].split("whatwg: http://h/")
    assert first.index("http://h/") < first.index("whatwg: http:/h") < first.index("error")
    assert "special-scheme-missing-following-solidus: " in first
    assert "host state" in second


def test_a_trace_that_ends_in_an_error_is_printed_once(run, either_table):
    code, out, err = run("parse", "--explain", "http://h:x/")
    assert (code, err) == (1, "")
    assert out.count("(port-invalid, in the port state)") == 1


def test_a_long_value_is_shown_whole(run, either_table):
    path = "/" + "0123456789" * 50
    _, out, _ = run("parse", "http://h" + path)
    assert path in "".join(c for c in out.split("path")[1] if c not in "│ \n")


@pytest.mark.once
@pytest.mark.parametrize("options", [[], ["--dialect", "rfc3986"]], ids=["parsed", "split"])
@pytest.mark.parametrize("form", ["x:{}", "http://h/{}?{}#{}", "http://h:{}/", "http://{}/", "{}", "//u:{}@h"])
def test_nothing_reaches_a_terminal_that_it_may_act_on(run, either_table, form, options):
    for c in HOSTILE:
        text = form.replace("{}", f"a{c}[31mb")
        _, out, err = run("parse", *options, "--explain", text)
        _, out_too, err_too = run("parse", *options, text)
        if not options:
            out_too += run("parse", "--violations", text)[1]
        for line in (out + out_too + err + err_too).split("\n"):
            assert line.isprintable(), (text, line)


def test_a_table_fits_the_encoding_of_the_terminal(monkeypatch, either_table):
    octets = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(octets, encoding="ascii"))
    assert cli.main(["parse", "--explain", "--dialect", "rfc3986", "http://é/例"]) == 0
    assert rb"\u4f8b" in octets.getvalue()


def test_brackets_and_colons_are_not_markup(run, either_table):
    assert cells(run("parse", "--dialect", "rfc3986", "http://[::1]/[red]:smile:")[1])["path"] == "/[red]:smile:"


# --- help and wrong usage --------------------------------------------------------------------------------


def test_without_arguments_there_is_help(run):
    code, out, err = run()
    assert (code, err) == (0, "")
    assert out == run("--help")[1]
    assert "examples:" in out


def test_version(run):
    assert run("--version") == (0, f"urlsm {urlsm.__version__}\n", "")


def test_the_examples_in_the_help_work(run):
    examples = [shlex.split(line) for line in run("parse", "--help")[1].splitlines() if line.startswith("  urlsm ")]
    assert len(examples) >= 3
    for command, *argv in examples:
        if "|" not in argv:
            assert command == "urlsm"
            assert run(*argv)[0] == 0


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["nope"], "nope"),
        (["parse"], "no URL"),
        (["parse", "--nope", "x:"], "--nope"),
        (["parse", "--dialect", "nope", "x:"], "nope"),
        (["parse", "--json", "--table", "x:"], "not allowed"),
        (["parse", "--base", "http://u:secret@h:x/", "x:"], "port-invalid"),
        (["parse", "--base", "http://h/", "--dialect", "barth", "x:"], "whatwg"),
        (["parse", "--violations", "--dialect", "barth", "x:"], "barth"),
        (["parse", "-\x1b[31m\u202e"], r"-\x1b[31m\u202e"),
    ],
)
def test_wrong_usage_is_told_with_exit_code_2(run, argv, message):
    code, out, err = run(*argv)
    assert (code, out) == (2, "")
    assert message in err and "usage:" in err
    assert "secret" not in err
    assert all(line.isprintable() for line in err.split("\n"))
    assert err.count("\n") == 2 and err.endswith("\n")


@pytest.mark.parametrize(
    "argv",
    [
        *(["serve", "--port", "x"], ["parse", "-j", "x", "y:"], ["parse", "--get", "{x}", "y:"]),
        *(["canonicalize", "--profile", "x", "y:"], ["profiles", "x"], ["parse", "--set", "x", "y:"], ["x\ny"]),
        *(["completion", "tcsh"], ["schemes", "--new", "1\n2"], ["parse", "--base", "http://h:x", "y"], ["resolve"]),
        *(["parse", "--iterate", "x=\n", "y:"], ["validate", "--dialect", "barth", "x:"], ["parse", "--dialect"]),
    ],
)
def test_a_wrong_value_is_told_in_two_lines(run, argv):
    code, out, err = run(*argv)
    usage, error = err.splitlines()
    assert (code, out) == (2, "") and usage.startswith("usage: urlsm ") and ": error: " in error


@pytest.mark.parametrize("name", [".", "absent\x1b[31m"])
def test_trouble_with_a_file_is_told_with_exit_code_2(run, tmp_path, name):
    code, out, err = run("parse", "x:1", "--file", str(tmp_path / name))
    assert (code, len(records(out))) == (2, 1)
    assert err.startswith("urlsm: ") and err.rstrip("\n").isprintable()


# --- as a process ----------------------------------------------------------------------------------------


def arguments(*argv):
    """For subprocess: this interpreter and this urlsm, from a folder without another urlsm."""
    source = str(pathlib.Path(urlsm.__file__).resolve().parents[1])
    path = os.pathsep.join(filter(None, [source, os.environ.get("PYTHONPATH")]))
    command = [sys.executable, "-m", "urlsm", *argv]
    return {"args": command, "env": {**os.environ, "PYTHONPATH": path}, "cwd": pathlib.Path(sys.executable).parent}


def as_module(*argv, **options):
    return subprocess.run(**arguments(*argv), capture_output=True, timeout=60, check=False, **options)


def test_it_runs_as_a_module():
    done = as_module("parse", "-", input=b"http://h/\xff\n")
    assert (done.returncode, done.stderr) == (0, b"")
    assert records(done.stdout.decode())[0]["input"] == "http://h/\udcff"


def test_it_answers_each_line_at_once():
    with subprocess.Popen(**arguments("parse", "-"), stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        for n in range(3):
            process.stdin.write(b"x:%d\n" % n)
            process.stdin.flush()
            assert records(process.stdout.readline().decode())[0]["path"] == str(n)
        process.stdin.close()
        assert process.wait(60) == 0


@pytest.mark.skipif(os.name == "nt", reason="no pseudo-terminals on Windows")
@pytest.mark.parametrize("colour", [False, True])
def test_a_real_terminal_gets_tables(colour):
    call = arguments("parse", "x:\x1b]0;a\x07b\x9b#\u202e", "http://h:\x1b[31m/")
    call["env"] |= {"TERM": "xterm-256color", "PYTHONUTF8": "1", "NO_COLOR": "" if colour else "1"}
    leader, follower = os.openpty()
    octets = b""
    with (
        os.fdopen(leader, "rb", buffering=0) as screen,
        subprocess.Popen(**call, stdin=follower, stdout=follower, stderr=follower) as process,
    ):
        os.close(follower)
        try:
            while some := screen.read(4096):
                octets += some
        except OSError:  # EIO: the other end is closed
            pass
        assert process.wait(60) == 1
    shown = re.sub(r"\x1b\[[0-9;]*m", "", octets.decode())
    assert "%1B]0;a%07b" in shown and r"\x1b[31m" in shown
    assert all(line.isprintable() for line in shown.splitlines())
    if importlib.util.find_spec("rich"):
        assert (b"\x1b[36m" in octets) == colour


@pytest.mark.skipif(os.name == "nt", reason="pipes do not break so on Windows")
def test_a_broken_pipe_ends_it_quietly(tmp_path):
    (tmp_path / "urls").write_text("http://h/\n" * 20_000)
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(**arguments("parse", "--file", str(tmp_path / "urls")), **pipes) as process:
        assert process.stdout.readline().startswith(b"{")
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 141


@pytest.mark.skipif(os.name == "nt", reason="no SIGINT to send on Windows")
def test_ctrl_c_ends_it_quietly():
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    # a background job ignores SIGINT, and so would its children
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        process = subprocess.Popen(**arguments("parse", "-"), **pipes)
    finally:
        signal.signal(signal.SIGINT, handler)
    with process:
        process.stdin.write(b"http://h/\n")
        process.stdin.flush()
        assert process.stdout.readline().startswith(b"{")
        for _ in range(6):  # a signal between Python's last look and read() is seen by the next one only
            process.send_signal(signal.SIGINT)
            with suppress(subprocess.TimeoutExpired):
                assert process.wait(10) == 130
                break
        else:
            process.kill()
        assert (process.stderr.read(), process.returncode) == (b"", 130)


@pytest.mark.skipif(not pathlib.Path("/dev/full").exists(), reason="this system lacks /dev/full")
def test_a_full_disk_is_told():
    with open("/dev/full", "wb") as full:
        done = subprocess.run(**arguments("parse", "x:"), stdout=full, stderr=subprocess.PIPE, timeout=60, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith(b"urlsm: ") and done.stderr.count(b"\n") == 1


def test_importing_it_is_cheap():
    code = "import sys, urlsm.cli.app; print(*sys.modules)"
    call = arguments()
    call["args"] = [sys.executable, "-c", code]
    loaded = subprocess.run(**call, capture_output=True, timeout=60, check=True).stdout.decode().split()
    assert not {"argparse", "json", "rich", "urlsm.components.trace", "urlsm.meaning.validation"} & set(loaded)


def test_a_table_masks_what_a_handler_declares_secret(run, either_table):
    secret = "5ec12e7" * 5
    _, out, _ = run("parse", f"imap://h/b/;UID=1;URLAUTH=anonymous:internal:{secret}")
    assert cells(out)["urlauth_token"] == "***" and secret not in out
    _, out, _ = run("parse", "mongodb://h/?tlsCertificateKeyFilePassword=SECRET&authMechanismProperties=SECRET")
    assert "SECRET" not in out and "***" in out
