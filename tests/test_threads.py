"""Many threads at once: the answers of one, with the lock or without it. tests/support/stress.py takes longer."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import sysconfig
import threading

import pytest
from support import stress

import urlsm

WITHOUT_LOCK = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))


def run(*words: str) -> str:
    """Run the program of the stress; in a process of its own, so that nothing is loaded yet."""
    done = subprocess.run(
        [sys.executable, stress.__file__, *words], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def test_every_public_function_from_16_threads():
    said = run("0.5")
    assert ", 0 raised, " in said and int(said.split()[2]) > 16, said
    assert said.endswith("without the lock\n" if WITHOUT_LOCK else "with the lock\n")


IMPORT_ALL = """
import importlib.machinery, pathlib, sys, urlsm
suffix, top = importlib.machinery.EXTENSION_SUFFIXES[0], pathlib.Path(urlsm.__file__).parent
found = [".".join(path.relative_to(top.parent).parts)[: -len(suffix)] for path in top.rglob("*" + suffix)]
for name in found:
    importlib.import_module(name)
print(len(found), sys._is_gil_enabled())
"""


@pytest.mark.skipif(not WITHOUT_LOCK, reason="this interpreter always has its lock")
def test_no_module_switches_the_lock_on():
    """By itself: PYTHON_GIL=0 would keep it off. The interpreter warns of a module that needs it."""
    variables = {name: value for name, value in os.environ.items() if name != "PYTHON_GIL"}
    command = [sys.executable, "-W", "error", "-c", IMPORT_ALL]
    done = subprocess.run(command, capture_output=True, text=True, env=variables, check=False)
    count, _, lock = done.stdout.strip().partition(" ")
    assert int(count or 0) > 20 and lock == "False", done.stdout + done.stderr[-3000:]


@pytest.mark.skipif(not WITHOUT_LOCK, reason="this interpreter has its lock when it counts")
def test_functions_are_not_counted():
    """Two threads that call one would change its count in turn, which takes longer than to parse."""
    functions = [
        *(
            urlsm.parse,
            urlsm.can_parse,
            urlsm.crawler.canonicalize,
            urlsm.split,
            urlsm.normalize,
            urlsm.domains.same_site,
        ),
        *(
            urlsm.documents.extract_urls,
            urlsm.crawler.surt,
            urlsm.stdlib.urljoin,
            urlsm.stdlib.parse_qsl,
            urlsm.stdlib.unquote,
        ),
        urlsm.security.address_kind,
        urlsm.crawler.profile("urlsm-1").rulebook,
    ]
    assert [function for function in functions if sys.getrefcount(function) < 2**31] == []


def at_once(count, work):
    """Call work in this many threads, which begin together."""
    assert stress.at_once(count, lambda number, chosen: work()) == []


def test_the_first_test_of_a_pattern():
    """Each thread makes the matcher; the first one stays, and none is freed while another looks with it."""
    text = "http://h/" + "a/" * 20_000
    for _ in range(30):
        pattern, found = urlsm.whatwg.URLPattern({"pathname": "/" + "a" * 3000 + "*"}), []
        at_once(5, lambda pattern=pattern, found=found: found.append([pattern.test(text) for _ in range(3)]))
        assert found == [[False] * 3] * 5


def test_a_set_that_keeps_fingerprints():
    links, told = [f"http://h/{k}" for k in range(500)], []
    seen = urlsm.crawler.DupeFilter(set())
    at_once(6, lambda: told.append(sum(not seen.seen(link) for link in links)))
    assert sum(told) == len(links)


FIRST_USE = """
import threading, warnings
from urlsm import stdlib
filters = warnings.filters[:]
names = ["urlsplit", "urlparse", "urldefrag", "urljoin", "quote", "unquote", "parse_qsl", "urlencode"]
begin = threading.Barrier(len(names))
def work(name):
    begin.wait()
    getattr(stdlib, name)
threads = [threading.Thread(target=work, args=(name,)) for name in names]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(warnings.filters == filters)
"""


def test_first_use_of_functions_leaves_the_filters_of_warnings():
    for _ in range(5):
        done = subprocess.run([sys.executable, "-c", FIRST_USE], capture_output=True, text=True, check=False)
        assert done.stdout == "True\n", done.stdout + done.stderr[-3000:]


def test_urllib_parse_replaced_meanwhile():
    assert ", 0 raised, " in run("0", "--install")


def test_the_stress_tells_a_wrong_answer():
    made = stress.Stress.__new__(stress.Stress)
    made.web, made.done = urlsm.whatwg.URL("https://ex.example/"), []
    made.calls = [(lambda: 1, "another")] * 20
    try:
        assert len(made.run(0.1, 3)) == 3
    finally:
        for k in range(3):  # what a thread has registered, other tests must not see
            with contextlib.suppress(KeyError):
                urlsm.unregister(f"x-mine{k}")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_fork_beside_threads():
    """The child has the forking thread only: nothing that it asks for waits for another."""
    stop = threading.Event()

    def work() -> None:
        while not stop.is_set():
            urlsm.parse("https://ex.example/a?b#c").query_params.get("b")
            urlsm.whatwg.URL("http://h/?a").search_params.append("b", "c")

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(5):
            child = os.fork()
            if child == 0:
                code = 1
                try:
                    right = urlsm.parse("http://a/b/../c").href == "http://a/c" and urlsm.parse("tel:1").handler.names
                    web = urlsm.whatwg.URL("http://h/?a")
                    web.search_params.append("b", "c")
                    code = 0 if right and web.href == "http://h/?a=&b=c" else 2
                finally:
                    os._exit(code)
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    finally:
        stop.set()
        for thread in threads:
            thread.join()


SUBINTERPRETER = """
try:
    from _interpreters import create, exec
    ask = lambda code: exec(create(), code)
except ImportError:
    from _xxsubinterpreters import create, run_string
    ask = lambda code: run_string(create(), code)
import urlsm
said = ask('''
try:
    import urlsm
    urlsm.parse("http://h/")
except ImportError as error:
    print(type(error).__name__, error)
else:
    print("imported")
''')
assert said is None, said
print(urlsm.parse("http://h/a/../b").href)
"""


def test_a_subinterpreter_that_cannot_import_it_is_told_so():
    if sys.version_info < (3, 12):
        pytest.skip("since 3.12 a module says whether a second interpreter may import it")
    done = subprocess.run([sys.executable, "-c", SUBINTERPRETER], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    first, last = done.stdout.splitlines()
    assert first == "imported" or first.startswith("ImportError ")
    assert last == "http://h/b"
