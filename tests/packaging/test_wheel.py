"""The wheel: its content, and that it works away from the source. Needs pip, a package index and a C compiler."""

import re
import sysconfig
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow(15)

ROOT = Path(__file__).resolve().parents[2]
OFFERED = ("octets", "machine", "errors", "url", "write")  # to Cython
UNUSUAL = "HTTP://Ex.com:80/a/../b?q#f"

THIRD_PARTY_SETUP = """\
import urlsm
from Cython.Build import cythonize
from setuptools import Extension, setup

extension = Extension("party", ["party.pyx"], include_dirs=[urlsm.get_include()])
setup(name="party", ext_modules=cythonize([extension]))
"""


PARSER = """\
from threading import Thread

from libc.stdint cimport uint8_t, uint32_t
from urlsm.octets.buffer cimport Buffer, buffer_copy, buffer_free, buffer_put, buffer_reserve, buffer_start
from urlsm.url.parser cimport write_url
from urlsm.url.structs cimport BASE, Failure, GIVEN, Href, Offsets, REFUSED


cdef int write_lines(Buffer* b, const uint8_t* p, size_t n, const Href* base) except -1 nogil:
    \"\"\"Each line's URL and its host; "!" and the code's number where there is none.\"\"\"
    cdef Buffer one
    cdef Offsets o
    cdef Failure failure
    cdef size_t start = 0, end, before
    cdef int outcome
    while start < n:
        end = start
        while p[end] != c'\\n':
            end += 1
        before = b.n
        outcome = write_url(b, &o, &failure, p + start, <uint32_t>(end - start), base, NULL, NULL)
        if outcome == GIVEN:
            buffer_copy(b, p + start, end - start)
        elif outcome == BASE:
            buffer_copy(b, base.p, base.n)
        elif outcome == REFUSED:
            buffer_put(b, c'!')
            buffer_put(b, <uint8_t>(c'0' + failure.code))
            o.host_start = o.host_end = 0
        buffer_put(b, c' ')
        buffer_reserve(b, o.host_end - o.host_start)
        buffer_copy(b, b.p + before + o.host_start, o.host_end - o.host_start)
        buffer_put(b, c'\\n')
        start = end + 1
    return 0


def parsed(bytes lines not None, bytes base=None):
    cdef Buffer b, of_base
    cdef Offsets o
    cdef Failure failure
    cdef Href href
    cdef const uint8_t* p = lines
    cdef size_t n = len(lines)
    cdef const Href* given = NULL
    buffer_start(&b)
    buffer_start(&of_base)
    try:
        if base is not None:
            if write_url(&of_base, &o, &failure, base, len(base), NULL, NULL, NULL) == GIVEN:
                buffer_copy(&of_base, base, len(base))
            href.p, href.n, href.o = of_base.p, of_base.n, &o
            given = &href
        with nogil:
            write_lines(&b, p, n, given)
        return b.p[:b.n]
    finally:
        buffer_free(&b)
        buffer_free(&of_base)


def in_threads(lines, base, count):
    found = {}
    threads = [Thread(target=lambda k=k: found.update({k: parsed(lines, base)})) for k in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return list(found.values())
"""


@pytest.fixture(scope="module")
def names(wheel) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_holds_every_module_stub_and_header(names):
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    within = re.findall(r'^make\("([\w.]+)"', (ROOT / "urlsm/_core.pyx").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(within) == 5
    for source in (ROOT / "urlsm").rglob("*.*"):
        path = source.relative_to(ROOT).as_posix()
        if source.suffix == ".pyx":
            assert (path[:-4] + suffix in names) is (path[:-4].replace("/", ".") not in within)
        elif source.suffix in (".py", ".pyi") or (source.parent.name in OFFERED and source.suffix in (".pxd", ".h")):
            assert path in names
    for source in (ROOT / "schemes").rglob("*.py"):
        assert f"urlsm/{source.relative_to(ROOT).as_posix()}" in names
    assert {"urlsm/py.typed", "urlsm/schemes/py.typed"} <= names
    assert {name.rpartition("/")[2] for name in names if "/licenses/" in name} == {"LICENSE", "LICENSE-UNICODE"}


def test_holds_nothing_else(names):
    assert {name.partition("/")[0] for name in names if ".dist-info/" not in name} == {"urlsm"}
    assert not [name for name in names if name.endswith((".c", ".pyx", ".pxi", ".pyc"))]
    assert not [name for name in names if name.startswith("urlsm/") and ("/tests/" in name or "/test_" in name)]


def test_parses_away_from_the_source(python, elsewhere, run):
    code = f"import urlsm, urlsm.schemes; print(urlsm.__file__, urlsm.schemes.__name__, urlsm.parse({UNUSUAL!r}))"
    file, name, href = run(python, "-W", "error", "-c", code, cwd=elsewhere).split()
    assert Path(file).is_relative_to(elsewhere)
    assert (name, href) == ("urlsm.schemes", "http://ex.com/b?q#f")


def test_every_module_imports(python, elsewhere, names, run):
    paths = sorted({name.split(".")[0] for name in names if name.endswith((".py", ".so", ".pyd"))})
    # these need other packages
    compat = tuple(f"urlsm/compat/{name}" for name in ("django", "pydantic", "starlette", "werkzeug"))
    guarded = ("_aiohttp", "answers", "connector", "_httpcore", "_httpx", "protocols", "_requests", "transports")
    guarded = (*guarded, "_urllib3", "wires")
    guard = tuple(f"urlsm/guard/{name}" for name in guarded)
    extras = ("urlsm/cli/many", "urlsm/cli/table", "urlsm/cli/column_f", "urlsm/engines/", *compat, *guard)
    paths = [path for path in paths if not path.endswith(("/__init__", "/__main__")) and not path.startswith(extras)]
    modules = [path.replace("/", ".") for path in paths]
    assert len(modules) > 10
    run(python, "-W", "error", "-c", f"import {', '.join(modules)}", cwd=elsewhere)


def test_schemes_is_not_a_module_of_its_own(python, elsewhere, run):
    code = "import importlib.util; print(importlib.util.find_spec('schemes'))"
    assert run(python, "-c", code, cwd=elsewhere) == "None\n"


@pytest.mark.parametrize("folder", ["elsewhere", "source"])
def test_command(python, elsewhere, folder, run):
    cwd = elsewhere if folder == "elsewhere" else ROOT  # there urlsm/ without compiled modules must not be in the way
    version = (ROOT / "urlsm" / "__init__.py").read_text().partition('__version__ = "')[2].partition('"')[0]
    assert run(python.with_name("urlsm"), "--version", cwd=cwd).split()[-1] == version
    assert "ex.com" in run(python.with_name("urlsm"), "parse", UNUSUAL, cwd=cwd)


def test_module_is_the_command(python, elsewhere, run):
    assert "ex.com" in run(python, "-m", "urlsm", "parse", UNUSUAL, cwd=elsewhere)


def build(code: str, party: Path, python: Path, run) -> None:
    """Third-party code in a module `party`."""
    party.mkdir()
    (party / "party.pyx").write_text(code)
    (party / "setup.py").write_text(THIRD_PARTY_SETUP)
    run(python, "-m", "pip", "install", "-q", "setuptools", "Cython>=3.1", cwd=party)
    run(python, "setup.py", "-q", "build_ext", "--inplace", cwd=party)


def test_parser_runs_without_the_lock(python, elsewhere, run):
    party = elsewhere / "parser"
    build(PARSER, party, python, run)
    code = """if True:
        import urlsm
        from party import in_threads
        texts = ["http://h.example/a?b#c", "HTTP://EX.com:80/ b/../c", "http://\u00fcber.example/\u00fc", "x/../y?z",
                 "", "#f", "//0x7f.1/", "http://[::1%]/", "h\tttp://a/", "http://h:x/", "file:///C|/x",
                 "x:a b#", "http://a b/"]
        texts += [f"http://user:p@{'h' * k}.example:{k}/{'%41 ' * k}" for k in range(400)]
        lines = "".join(text + chr(10) for text in texts).encode()
        for base in (None, "http://base.example:81/a/b?c#d", "mailto:x"):
            for found in in_threads(lines, base and base.encode(), 2):
                for text, line in zip(texts, found.decode().splitlines(), strict=True):
                    url = urlsm.try_parse(text, base=base)
                    same = line.startswith("!") if url is None else line == f"{url} {url.host or ''}"
                    assert same, (text, base, line)
    """
    run(python, "-c", code, cwd=party)


def test_the_docs_cython_code_runs_the_installed_machine(python, elsewhere, run):
    party = elsewhere / "party"
    [code] = re.findall("```cython\n(.*?)```", (ROOT / "docs/cython.md").read_text(encoding="utf-8"), re.DOTALL)
    build(code, party, python, run)
    code = """if True:
        from party import host_of
        assert host_of(b"http://me@Ex.com:80/") == b"Ex.com"
        assert host_of(b"http://a b/", browser=False) == b"a b"
        assert host_of(b"mailto:me@ex.com") is None
        assert host_of(b"no scheme") is None
    """
    run(python, "-c", code, cwd=party)
