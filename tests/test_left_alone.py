"""A program that uses the package stays as it was: hooks, signals, logging and the like are not the package's."""

from __future__ import annotations

import json
import pathlib
import pkgutil
import subprocess
import sys

import pytest

import urlsm
import urlsm.schemes

TESTS = pathlib.Path(__file__).resolve().parent
ROOT = pathlib.Path(urlsm.__file__).parents[1]  # of the tested package
MODULES = [
    found.name
    for package in (urlsm, urlsm.schemes)
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    if not any(word.startswith("__") for word in found.name.split("."))
]
STATE = """
import contextlib, gc, io, json, locale, logging, os, signal, socket, sys, threading, warnings

def handlers():
    loggers = [logging.root, *logging.root.manager.loggerDict.values()]  # some of these only stand for one to come
    kept = [(getattr(found, "handlers", []), getattr(found, "filters", [])) for found in loggers]
    return [found for found in kept if any(found)]

def state():
    return {
        "sys.meta_path": [*sys.meta_path],
        "sys.path_hooks": [*sys.path_hooks],
        "sys.path": [*sys.path],
        "signals": [(number, signal.getsignal(number)) for number in signal.valid_signals()],
        "warnings": [[*warnings.filters], warnings.showwarning],
        "logging": [handlers(), logging.raiseExceptions, logging.getLogRecordFactory(), logging.getLoggerClass()],
        "locale": locale.setlocale(locale.LC_ALL),
        "hooks": [sys.excepthook, sys.unraisablehook, sys.displayhook, threading.excepthook],
        "environment": [dict(os.environ), os.getcwd()],
        "limits": [sys.getrecursionlimit(), sys.getswitchinterval(), gc.get_threshold(), socket.getdefaulttimeout()],
    }

def changed(before):
    return [name for name, value in state().items() if value != before[name]]
"""
# what the modules import of others is imported first: it may change such things
IMPORTS = """
import importlib

def load(names):
    for name in names:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)

if modules is not None:
    load(others)
    found = {}
    for name in modules:
        before = state()
        load([name])
        if wrong := changed(before):
            found[name] = wrong
else:
    load(every)
    found = [name for name in sys.modules if not name.startswith(("urlsm", "__"))]
"""
# each public function of urlsm, as support.calls does; those of the rooms, with texts; the command line as a function
USES = """
import functools, importlib

def refuse(*_, **__):
    raise OSError("no network")

import support.calls
urlsm = support.calls.urlsm
for name in modules:
    with contextlib.suppress(ImportError):
        importlib.import_module(name)
socket.getaddrinfo = refuse
found, called, out = {}, 0, io.StringIO()
TEXT = "http://127.0.0.1/a?b"

def use(group, calls):
    global called
    before = state()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        for call in calls:
            with contextlib.suppress(Exception, SystemExit):
                call()
                called += 1
    if wrong := changed(before):
        found[group] = wrong

for area, calls_of in support.calls.AREAS.items():
    use(area, calls_of().values())
for name in modules:
    if name in sys.modules and not name.startswith("urlsm.cli"):
        public = [value for key, value in vars(sys.modules[name]).items() if key[0] != "_" and callable(value)]
        use(name, [
            functools.partial(value, *given)
            for value in public if getattr(value, "__module__", "") == name
            for given in ((), (TEXT,), (TEXT, TEXT))
        ])
from urlsm.cli.app import main
LINES = (["parse", TEXT], ["audit", TEXT], ["--version"], ["nothing"], ["validate", "--json", TEXT])
use("urlsm", [functools.partial(main, line) for line in LINES])
"""


def told(code: str, **given: object) -> object:
    """Return what code finds in a new process."""
    names = "".join(f"{name} = {value!r}\n" for name, value in given.items())
    whole = f"{STATE}\n{names}\nsys.path.append({str(TESTS)!r})\n{code}\nprint(json.dumps(found))"
    run = subprocess.run([sys.executable, "-c", whole], capture_output=True, text=True, check=False, cwd=ROOT)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout.splitlines()[-1])


def test_there_are_modules():
    assert len(MODULES) > 200 and {"urlsm.whatwg", "urlsm.schemes.web.http", "urlsm.guard.policy"} <= {*MODULES}


@pytest.mark.once
def test_an_import_changes_nothing_that_the_process_has_once():
    others = told(IMPORTS, modules=None, every=MODULES)
    assert told(IMPORTS, modules=MODULES, others=others) == {}


@pytest.mark.once
def test_a_call_changes_nothing_that_the_process_has_once():
    assert told(f"{USES}\nassert called > 1000, called", modules=MODULES) == {}


@pytest.mark.parametrize(
    "change",
    [
        "sys.meta_path.append(object)",
        "signal.signal(signal.SIGINT, signal.SIG_DFL)",
        "warnings.simplefilter('ignore')",
        "logging.getLogger('x').addHandler(logging.NullHandler())",
        "sys.excepthook = print",
    ],
)
def test_a_change_is_found(change):
    assert told(f"before = state()\n{change}\nfound = changed(before)") != []
