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
OURS = re.compile(r'File "(?:[^"]*/)?urlsm/(?:__main__|cli/)')  # a frame of the program


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


def is_the_interpreters(start, code, err):
    """Return whether the interpreter ended before it began the program, or while it loaded urlsm. It prints a
    traceback; just before it reads a script, it prints the exception alone (Modules/main.c, pymain_run_file_obj), as no
    frame is there yet."""
    unread = start == "script" and (code, err) == (1, "KeyboardInterrupt\n")
    return unread or ("Traceback" in err and not OURS.search(err))


@pytest.mark.once
@pytest.mark.parametrize("start", STARTS)
def test_no_moment_shows_a_traceback_of_ours(start, share):
    """But the interpreter's, before it begins the program. Or it dies of the signal."""
    if not os.path.exists(STARTS[start][0]):
        pytest.skip("no script urlsm beside this interpreter")
    for k, command in zip(share(range(60)), itertools.cycle(COMMANDS), strict=False):
        code, err = interrupted([*STARTS[start], *command.split()], 0.3 * k / 60)
        ended = code in (0, 130, -signal.SIGINT) and "Traceback" not in err
        assert ended or is_the_interpreters(start, code, err), (k, code, err)


@pytest.mark.once
@pytest.mark.parametrize("seconds", [0.2, 0.6])
@pytest.mark.parametrize("signals", [1, 2])
def test_processes_are_interrupted_together(tmp_path, seconds, signals):
    """-j: a terminal sends the signal to the workers too."""
    path = tmp_path / "urls"
    path.write_text("http://h/\u00e9\n" * 400_000, encoding="utf-8")
    code, err = interrupted([*STARTS["module"], "parse", "-j", "2", "-f", str(path)], seconds, signals)
    assert (code in (130, -signal.SIGINT) and err == "") or is_the_interpreters("module", code, err), (
        code,
        err,
    )


AMID = """
import signal, sys

class Finder:
    def find_spec(name, path=None, target=None):
        if name == {name!r}:
            signal.raise_signal(signal.SIGINT)

sys.argv[1:] = [{command!r}, *{options!r}, "http://h/\\u00e9"]
import urlsm
sys.meta_path.insert(0, Finder)
from urlsm.{module} import main
print(main(), file=sys.stderr)
"""


@pytest.mark.parametrize("module", ["__main__", "cli.app"])
@pytest.mark.parametrize("name", ["urlsm.cli.app", "argparse", "urlsm.cli.rows", "json", "orjson.orjson", "uuid"])
def test_amid_an_import(name, module):
    """The program, and a program of others that calls main. orjson crashes if an exception is raised while it imports
    uuid."""
    if name in ("orjson.orjson", "uuid"):
        pytest.importorskip("orjson", reason="the extra cli is not installed")
    if (name, module) == ("urlsm.cli.app", "cli.app"):
        pytest.skip("before the command line begins, Ctrl-C is the other program's")
    # commands that load the module: a simple line of parse needs neither argparse nor json
    asked = "parse" if name.startswith("urlsm.") else "validate"
    options = ["--json", "--"] if name == "argparse" else ["--json"]
    code = AMID.format(name=name, module=module, command=asked, options=options)
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=ENV, cwd=FOLDER, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) in ((130, ""), (0, "130\n"), (-signal.SIGINT, ""))


@pytest.mark.parametrize("before", ["default_int_handler", "SIG_IGN", "SIG_DFL"])
@pytest.mark.parametrize("program", ["urlsm", "other"])
def test_another_program_keeps_its_own_answer(tmp_path, program, before):
    """A script that is called urlsm, too."""
    script = tmp_path / program
    script.write_text(
        f"import signal; signal.signal(signal.SIGINT, signal.{before})\nimport urlsm, urlsm.cli.app\n"
        f"urlsm.cli.app.main(['--help'])\nassert signal.getsignal(signal.SIGINT) is signal.{before}"
    )
    command = [sys.executable, str(script)]
    subprocess.run(command, env=ENV, check=True, stdout=subprocess.DEVNULL)
