"""The rules of CONTRIBUTING.md that no linter knows, of the sources and of what contributors run: `nox -s lint`.

python tools/rules.py    prints what breaks a rule, and exits with 1
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CYTHON = {path: path.read_text(encoding="utf-8") for path in sorted((ROOT / "urlsm").rglob("*.p[yx][xdi]"))}
HEADERS = {path: path.read_text(encoding="utf-8") for path in sorted((ROOT / "urlsm").rglob("*.h"))}

CLASSES = {name for text in CYTHON.values() for name in re.findall(r"^cdef class (\w+)", text, re.MULTILINE)}
OBJECTS = CLASSES | {"object", "str", "bytes", "list", "dict", "tuple", "set", "type"}
# cdef TYPE NAME(ARGUMENTS) HOW:
FUNCTION = re.compile(
    r"^ *cdef (?!class )(?:inline )?((?:const )?\w+[ *]+)(\w+)\((?:[^()]|\([^()]*\))*\)(.*?):$", re.MULTILINE
)
CIMPORT = re.compile(r"^from \S+ cimport (?:\(([^)]*)\)|(.+))$", re.MULTILINE)
NAMES_A_COMPILER = re.compile(
    r"_MSC_VER|__(?:GNUC|clang|SIZEOF_INT128|BYTE_ORDER|SANITIZE_\w+?)__|__(?:attribute__|declspec|builtin_\w+|asm__|cpuid)"
    r"|__(?:atomic|sync)_|_Interlocked|_BitScan|\b__thread\b|_Pragma|(?:cpuid|[^m]intrin)\.h"
)


def of_cython(text: str, is_declaration: bool) -> Iterator[str]:
    """Yield what breaks a rule in a .pyx or, if is_declaration, a .pxd file."""
    for kind, name, how in FUNCTION.findall(text):
        if kind.strip() not in OBJECTS and "except" not in how:
            yield f"{name} says neither except nor noexcept"
    if is_declaration:
        body = CIMPORT.sub("", re.sub(r'#.*|"""(?s:.*?)"""', "", text))
        taken = ",".join("".join(names) for names in CIMPORT.findall(re.sub(r"#.*", "", text)))
        for name in re.findall(r"\w+(?=\s*(?:,|$))", taken):
            if not re.search(rf"\b{name}\b", body):
                yield f"{name} is cimported, but not used"


def of_sources() -> Iterator[str]:
    for path, text in CYTHON.items():
        where = path.relative_to(ROOT).as_posix()
        is_declaration = path.suffix == ".pxd" and path.name != "__init__.pxd"
        yield from (f"{where}: {said}" for said in of_cython(text, is_declaration))
    for path, text in HEADERS.items():
        where = path.relative_to(ROOT).as_posix()
        if not path.name.endswith("_table.h"):
            long = [number for number, line in enumerate(text.splitlines(), 1) if len(line) > 120]
            yield from (f"{where}:{number}: longer than 120 characters" for number in long)
    for path, text in {**CYTHON, **HEADERS}.items():
        if (named := NAMES_A_COMPILER.search(text)) and path.name != "compiler.h":
            yield f"{path.relative_to(ROOT).as_posix()}: {named[0]} belongs in octets/compiler.h"


def of_workshop() -> Iterator[str]:
    """Yield where two files of the workshop disagree, or name a version that is not fixed."""

    def text_of(name: str) -> str:
        return (ROOT / name).read_text(encoding="utf-8")

    workflows = sorted((ROOT / ".github/workflows").glob("*.yml"))
    uses = [line for path in workflows for line in re.findall("uses: (.*)", path.read_text(encoding="utf-8"))]
    for line in uses:
        if not re.fullmatch(r"[\w-]+/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", line):
            yield f".github/workflows: {line}: not pinned by commit, with its tag beside it"
    pins = {pin for line in uses for pin in re.findall(r"^([\w-]+/[\w-]+)[\w/-]*@(\w+)", line)}
    if len(pins) != len({action for action, _ in pins}):
        yield ".github/workflows: an action in two versions"
    hooks = text_of(".pre-commit-config.yaml")
    packages = re.findall(r"[\w-]+==[\d.]+", hooks)
    if re.findall(r"repo: (.*)", hooks) != ["local"] or len(packages) != hooks.count("additional_dependencies:"):
        yield ".pre-commit-config.yaml: a hook is not local, or its package has no fixed version"
    if len(set(packages)) != len({package.partition("==")[0] for package in packages}):
        yield ".pre-commit-config.yaml: a package in two versions"
    forms = [path for path in (ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml") if path.name != "config.yml"]
    for path in (*workflows, *forms):
        if path.relative_to(ROOT).as_posix() not in hooks:
            yield f".pre-commit-config.yaml: {path.name} is not held to its schema"
    if len(set(re.findall(r"nox==[\d.]+", text_of(".github/workflows/ci.yml") + text_of(".ci/run")))) != 1:
        yield "ci.yml, .ci/run: nox in two versions"
    tested = {version.rstrip("t") for version in re.findall(r'"(3\.\d+t?)"', text_of("noxfile.py"))}
    promised = set(re.findall(r"Python :: (3\.\d+)", text_of("pyproject.toml")))
    if promised - tested:
        yield f"noxfile.py: {', '.join(promised - tested)} of pyproject.toml is not tested"
    [version] = re.findall('^__version__ = "(.*)"', text_of("urlsm/__init__.py"), re.MULTILINE)
    if f'version: "{version}"\n' not in text_of("conda/recipe.yaml"):
        yield f"conda/recipe.yaml: not of {version}"


if __name__ == "__main__":
    assert len(CYTHON) > 50 and len(HEADERS) > 15 and sum(len(FUNCTION.findall(text)) for text in CYTHON.values()) > 500
    assert list(of_cython("cdef bint f(int a, (int*) b):\nfrom a cimport b, c as d\nb\n", True)) == [
        "f says neither except nor noexcept",
        "d is cimported, but not used",
    ]
    faults = [*of_sources(), *of_workshop()]
    print(*faults, sep="\n", end="\n" if faults else "")
    sys.exit(bool(faults))
