"""install() and uninstall("urllib.parse"), and python -m urlsm.stdlib."""

import os
import subprocess
import sys
import threading
import types
import urllib.parse

import pytest

import urlsm.stdlib
from urlsm.compat import install, uninstall

THEIRS = {name: getattr(urllib.parse, name) for name in urlsm.stdlib.FUNCTIONS}


@pytest.fixture(autouse=True)
def undone():
    yield
    uninstall("urllib.parse")
    assert is_undone()


def is_installed():
    return all(getattr(urllib.parse, name) is function for name, function in urlsm.stdlib.FUNCTIONS.items())


def is_undone():
    return all(getattr(urllib.parse, name) is function for name, function in THEIRS.items())


def test_install_and_uninstall_can_be_repeated():
    uninstall("urllib.parse")
    assert is_undone()
    for _ in range(2):
        assert install("urllib.parse") == []
        assert is_installed()
    for _ in range(2):
        uninstall("urllib.parse")
        assert is_undone()


def test_results_put_themselves_together_with_ours():
    with install("urllib.parse"):
        result = urllib.parse.urlsplit("HTTP://h/a?b#c")
        assert result.geturl() == "http://h/a?b#c"
        assert urllib.parse.urlsplit("http://h") is not urllib.parse.urlsplit("http://h")  # no cache
        urllib.parse.clear_cache()


def test_as_a_context_manager_it_undoes_what_it_did():
    with install("urllib.parse"):
        assert is_installed()
        with install("urllib.parse"):
            assert is_installed()
        assert is_installed()  # the inner one did nothing
    assert is_undone()
    with pytest.raises(KeyError), install("urllib.parse"):
        raise KeyError
    assert is_undone()


@pytest.fixture
def importer(monkeypatch):
    module = types.ModuleType("importer")
    exec("from urllib.parse import urlsplit, quote as q; other = len", vars(module))
    monkeypatch.setitem(sys.modules, "importer", module)
    return module


def test_report_lists_who_holds_the_interpreters_functions(importer):
    assert {"importer.urlsplit", "importer.q"} <= set(install("urllib.parse", report=True))
    assert importer.urlsplit is THEIRS["urlsplit"]
    assert is_installed()


def test_what_only_looks_like_a_module_is_left_alone(monkeypatch):
    class Proxy:
        __class__ = types.ModuleType
        urlsplit = THEIRS["urlsplit"]

    monkeypatch.setitem(sys.modules, "proxy", Proxy())
    monkeypatch.setitem(sys.modules, "none", None)
    assert [name for name in install("urllib.parse", patch=True) if name.startswith("proxy.")] == []


def test_patch_replaces_them_there_too(importer):
    assert {"importer.urlsplit", "importer.q"} <= set(install("urllib.parse", patch=True))
    assert importer.urlsplit is urlsm.stdlib.urlsplit
    assert importer.q is urlsm.stdlib.quote
    assert [name for name in install("urllib.parse", report=True) if name.startswith("importer.")] == []
    uninstall("urllib.parse")
    assert importer.urlsplit is THEIRS["urlsplit"]
    assert importer.q is THEIRS["quote"]


def test_what_others_put_there_since_stays(monkeypatch):
    install("urllib.parse")

    def other(url):
        return url

    monkeypatch.setattr(urllib.parse, "quote", other)
    uninstall("urllib.parse")
    assert urllib.parse.quote is other
    install("urllib.parse")
    assert urllib.parse.quote is other
    monkeypatch.undo()
    urllib.parse.quote = THEIRS["quote"]


def test_from_many_threads():
    start = threading.Barrier(8)
    failures = []

    def work(turn):
        start.wait()
        for k in range(200):
            (install if (k + turn) % 2 else uninstall)("urllib.parse")
            if urllib.parse.urlsplit("http://h/a").netloc != "h":
                failures.append(k)

    threads = [threading.Thread(target=work, args=(turn,)) for turn in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    install("urllib.parse")
    assert is_installed()


# --- python -m urlsm.stdlib --------------------------------------------------------------------


PROGRAM = """
import sys, urllib.parse, beside
from urllib.parse import urljoin
assert __name__ == "__main__"
print(urljoin.__class__.__name__, sys.argv[1:], beside.here, urllib.parse.urlsplit("http://h/")[1])
sys.exit(int(sys.argv[-1]))
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    (tmp_path / "beside.py").write_text("here = 'beside the script'")
    return tmp_path


def command(folder, *arguments):
    path = os.pathsep.join([os.path.dirname(os.path.dirname(urlsm.__file__)), str(folder / "elsewhere")])
    return subprocess.run(
        [sys.executable, "-m", "urlsm.stdlib", *arguments],
        cwd=folder, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_a_script_runs_with_it(folder, tmp_path_factory):
    done = command(tmp_path_factory.mktemp("cwd"), str(folder / "program.py"), "-m", "b", "3")
    assert (done.stderr, done.returncode) == ("", 3)
    assert done.stdout == "cython_function_or_method ['-m', 'b', '3'] beside the script h\n"


def test_a_module_runs_with_it(folder):
    done = command(folder, "-m", "program", "4")
    assert (done.stderr, done.returncode) == ("", 4)
    assert done.stdout == "cython_function_or_method ['4'] beside the script h\n"


def test_help(folder):
    assert command(folder, "--help").stdout.startswith("python -m urlsm.stdlib SCRIPT")
    assert command(folder).returncode == 2
    missing = command(folder, "no_such_file.py")
    assert missing.returncode == 1
    assert "no_such_file.py" in missing.stderr
