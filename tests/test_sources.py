"""The sources: rules that neither the compiler nor a linter checks."""

from __future__ import annotations

import pathlib
import re
import runpy
import shutil
import subprocess
import sys

import pytest

import urlsm

pytestmark = pytest.mark.skipif(not pathlib.Path(urlsm.__file__).with_name("whatwg.pyx").exists(), reason="no sources")

PACKAGE = pathlib.Path(urlsm.__file__).parent
SOURCES = {
    path.relative_to(PACKAGE).as_posix(): path.read_text(encoding="utf-8")
    for path in sorted(PACKAGE.rglob("*.p[yx][xdi]"))
    if path.suffix != ".pyi"
}
CLASSES = {name for text in SOURCES.values() for name in re.findall(r"^cdef class (\w+)", text, re.MULTILINE)}
OBJECTS = CLASSES | {"object", "str", "bytes", "list", "dict", "tuple", "set", "type"}
# cdef TYPE NAME(ARGUMENTS) HOW:
FUNCTION = re.compile(
    r"^ *cdef (?!class )(?:inline )?((?:const )?\w+[ *]+)(\w+)\((?:[^()]|\([^()]*\))*\)(.*?):$", re.MULTILINE
)
CIMPORT = re.compile(r"^from \S+ cimport (?:\(([^)]*)\)|(.+))$", re.MULTILINE)


def silent(text: str) -> list[str]:
    """Return the functions that return a value of C without `except` or `noexcept`."""
    found = FUNCTION.findall(text)
    return [name for kind, name, how in found if kind.strip() not in OBJECTS and not re.search("except", how)]


def unused(text: str) -> list[str]:
    """Return the names that a .pxd file cimports and does not use."""
    code = re.sub(r'#.*|"""(?s:.*?)"""', "", text)
    names = re.findall(r"\w+(?=\s*(?:,|$))", ",".join("".join(found) for found in CIMPORT.findall(code)))
    body = CIMPORT.sub("", code)
    return [name for name in names if not re.search(rf"\b{name}\b", body)]


def test_every_function_says_except_or_noexcept():
    assert silent("cdef bint f(int a, (int*) b):\n") == ["f"] == silent("    cdef inline const char* f(\n        a):\n")
    assert silent("cdef const char* f(\n        a) except *:\n    cdef inline URL g(a):\n") == []
    assert sum(len(FUNCTION.findall(text)) for text in SOURCES.values()) > 500
    assert {path: names for path, text in SOURCES.items() if (names := silent(text))} == {}


def test_a_pxd_file_cimports_only_what_it_uses():
    assert unused("from a cimport b, c as d\nfrom e cimport (\n    f, g,\n)\nb + f\n") == ["d", "g"]
    files = {path: text for path, text in SOURCES.items() if re.search(r"(?<!/__init__)\.pxd$", path)}
    assert {path: names for path, text in files.items() if (names := unused(text))} == {}


def test_no_line_of_a_header_is_longer_than_120_characters():
    headers = [path for path in PACKAGE.rglob("*.h") if not path.name.endswith("_table.h")]
    lines = {path.name: path.read_text(encoding="utf-8").splitlines() for path in headers}
    assert len(lines) > 15
    assert {name: found for name, text in lines.items() if (found := [line for line in text if len(line) > 120])} == {}


@pytest.fixture
def tables():
    tool = PACKAGE.parent / "tools" / "tables.py"
    if not tool.exists():
        pytest.skip("not a clone")
    return tool


def test_what_is_made_of_tables_is_current(tables):
    assert runpy.run_path(str(tables))["stale"]() == []


def test_the_tables_of_c_are_written_where_nothing_is_compiled(tables, tmp_path):
    """As in a fresh clone: a broken build needs the tool to mend it."""
    shutil.copytree(PACKAGE, tmp_path / "urlsm", ignore=shutil.ignore_patterns("*.so", "*.pyd", "*.c", "__pycache__"))
    (tmp_path / "tools").mkdir()
    shutil.copy(tables, tmp_path / "tools")
    written = [tmp_path / "urlsm" / name for name in runpy.run_path(str(tables))["WRITTEN"]]
    for path in written:
        path.unlink()
    command = [sys.executable, "-I", "-S", str(tmp_path / "tools" / "tables.py")]
    assert subprocess.run([*command, "--check"], check=False).returncode == 1
    subprocess.run(command, check=True)
    for path in written:
        assert path.read_bytes() == (PACKAGE / path.relative_to(tmp_path / "urlsm")).read_bytes()


# how sentences that are hard to read look, each with a better way to say it (CONTRIBUTING.md, "Words")
HARD_TO_READ = {
    r"\bas [\w' ]{1,30} ha(?:s|ve) it\b": 'name the source: "by RFC 3986", "like urljoin"',
    r"(?<!\bthere)(?<!\bThere) is no (?!more\b|\w+er\b)[A-Za-z]": '"is not a ..."',
    r"\bhow (?:many|long) (?:are|is|it|they)\b": "the noun: the number, the length",
    r"\b(?:whoever|thereof)\b": "name the program or the function",
    r"""[\w"']\?\"{3}""": 'what is returned: "Return whether ..."',
}
QUOTED = re.compile(r"``[^`]+``|`[^`\n]+`")


def hard_to_read(text: str) -> list[str]:
    """Return the passages of a source or a page that are hard to read, each with advice."""
    plain = re.sub(r"\n *(?:# |\* )?", " ", QUOTED.sub("", text))
    return [
        f"{found[0][-60:]!r}: say {advice}"
        for hard, advice in HARD_TO_READ.items()
        for found in re.finditer(hard, plain)
    ]


def test_sentences_are_easy_to_read():
    for text in (
        "as RFC 3986 has\n    # it",
        "it is no URL",
        '"""Is it plain?"""',
        "how many are they",
        "whoever asks",
    ):
        assert len(hard_to_read(text)) == 1, text
    assert (
        hard_to_read('"""Return whether it is plain."""  # there is no host; as it has been; it is no longer special')
        == []
    )
    top = PACKAGE.parent
    if not (top / "CONTRIBUTING.md").exists():
        pytest.skip("not a clone")
    folders = ("urlsm", "schemes", "tests", "tools", "docs", "fuzz", "bench")
    kinds = {".py", ".pyi", ".pyx", ".pxd", ".pxi", ".h", ".md"}
    files = [path for folder in folders for path in (top / folder).rglob("*") if path.suffix in kinds]
    files += [*top.glob("*.md"), *top.glob("*.py")]
    found = {path.relative_to(top).as_posix(): path for path in files if path != pathlib.Path(__file__)}
    assert len(found) > 500
    assert {
        name: wrong
        for name, path in found.items()
        if not name.startswith(("CHANGELOG.md", "tests/suites/"))
        if (wrong := hard_to_read(path.read_text(encoding="utf-8")))
    } == {}, "sentences that are hard to read"


NAMES_A_COMPILER = re.compile(
    r"_MSC_VER|__(?:GNUC|clang|SIZEOF_INT128|BYTE_ORDER|SANITIZE_\w+?)__|__(?:attribute__|declspec|builtin_\w+|asm__|cpuid)"
    r"|__(?:atomic|sync)_|_Interlocked|_BitScan|\b__thread\b|_Pragma|(?:cpuid|[^m]intrin)\.h"
)


def test_only_one_file_names_a_compiler():
    files = {path.relative_to(PACKAGE).as_posix(): path for path in PACKAGE.rglob("*.h")}
    texts = SOURCES | {name: path.read_text(encoding="utf-8") for name, path in files.items()}
    named = {path for path, text in texts.items() if NAMES_A_COMPILER.search(text)}
    assert named == {"octets/compiler.h"}
