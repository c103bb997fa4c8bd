"""Ctrl-C at any moment ends a command without a traceback: by the signal while it starts, then with 130 (a shell says
130 of both). Real processes get real signals."""

from __future__ import annotations

import itertools
import os
import pathlib
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress

import pytest

import urlsm

pytestmark = pytest.mark.skipif(os.name == "nt", reason="no SIGINT to send on Windows")

SOURCE = pathlib.Path(urlsm.__file__).resolve().parents[1]
ENV = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [str(SOURCE), os.environ.get("PYTHONPATH")]))}
FOLDER = pathlib.Path(sys.executable).parent
STARTS = {"module": [sys.executable, "-m", "urlsm"], "script": [str(FOLDER / "urlsm")]}
COMMANDS = ("parse http://h/\u00e9", "serve --port 0", "parse --explain http://h/\u00e9", "audit http://h/")
OURS = re.compile(r'File "(?:[^"]*/)?urlsm/(?!__init__\.py)[^"]*"')  # a frame in the package, compiled or not


@pytest.fixture(autouse=True)
def nobody_ignores_it():
    """A background job ignores SIGINT, and so would its children."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def interrupted(command, seconds, signals=1):
    """Return exit code and standard error of a command whose processes get SIGINT `seconds` after its start."""
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        env=ENV, cwd=FOLDER, start_new_session=True,
    ) as process:  # fmt: skip
        try:
            for _ in range(signals):
                time.sleep(seconds)
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGINT)
            for _ in range(5):  # before urlsm is imported, the interpreter may lose one in a callback
                with suppress(subprocess.TimeoutExpired):
                    return process.wait(10), process.stderr.read().decode()
                os.killpg(process.pid, signal.SIGINT)
            raise AssertionError("it does not end")
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


@pytest.mark.once
@pytest.mark.parametrize("start", STARTS)
def test_no_moment_shows_a_traceback_of_ours(start):
    """Before urlsm is imported, the interpreter itself prints a traceback, or dies of the signal."""
    if not os.path.exists(STARTS[start][0]):
        pytest.skip("no script urlsm beside this interpreter")
    for k, command in zip(range(60), itertools.cycle(COMMANDS)):
        code, err = interrupted([*STARTS[start], *command.split()], 0.3 * k / 60)
        own = "Traceback" in err and not OURS.search(err)
        assert own or (code in (0, 130, -signal.SIGINT) and "Traceback" not in err), (k, code, err)


@pytest.mark.once
@pytest.mark.parametrize("seconds", [0.2, 0.4, 0.6, 0.9])
@pytest.mark.parametrize("signals", [1, 2])
def test_processes_are_interrupted_together(tmp_path, seconds, signals):
    """-j: a terminal sends the signal to the workers too."""
    path = tmp_path / "urls"
    path.write_text("http://h/\u00e9\n" * 400_000, encoding="utf-8")
    code, err = interrupted([*STARTS["module"], "parse", "-j", "2", "-f", str(path)], seconds, signals)
    assert code in (130, -signal.SIGINT) and err == ""


AMID = """
import signal, sys

class Finder:
    def find_spec(name, path=None, target=None):
        if name == {name!r}:
            signal.raise_signal(signal.SIGINT)

sys.argv[0] = {program!r}
sys.meta_path.insert(0, Finder)
from urlsm.cli.app import main
print(main([{command!r}, *{options!r}, "http://h/\\u00e9"]), file=sys.stderr)
"""


@pytest.mark.parametrize("program", ["/bin/urlsm", "another"])
@pytest.mark.parametrize("name", ["urlsm._core", "argparse", "urlsm.cli.rows", "json", "orjson.orjson", "uuid"])
def test_amid_an_import(name, program):
    """orjson crashes if an exception is raised while it imports uuid."""
    if name in ("orjson.orjson", "uuid"):
        pytest.importorskip("orjson", reason="the extra cli is not installed")
    if (name, program) == ("urlsm._core", "another"):
        pytest.skip("before the command line begins, Ctrl-C is the other program's")
    # commands that load the module: a simple line of parse needs neither argparse nor json
    asked = "parse" if name.startswith("urlsm.") else "validate"
    options = ["--json", "--"] if name == "argparse" else ["--json"]
    code = AMID.format(name=name, program=program, command=asked, options=options)
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=ENV, cwd=FOLDER, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) in ((130, ""), (0, "130\n"), (-signal.SIGINT, ""))


def test_another_program_keeps_its_own_answer():
    code = "import signal, sys, urlsm; print(signal.getsignal(signal.SIGINT) is signal.{})"
    for before, begin in (("default_int_handler", ""), ("SIG_IGN", "signal.signal(signal.SIGINT, signal.SIG_IGN); ")):
        for program in ("-c", "/bin/urlsm"):
            if (before, program) == ("default_int_handler", "/bin/urlsm"):
                continue
            asked = f"import signal, sys; {begin}sys.argv[0] = {program!r}; " + code.format(before)
            done = subprocess.run([sys.executable, "-c", asked], env=ENV, cwd=FOLDER, capture_output=True, check=True)
            assert done.stdout == b"True\n"
