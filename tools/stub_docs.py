"""Write the docstrings of the sources into the stubs of a built package, so that editors show them: an editor reads a
stub in place of a compiled module.

    python tools/stub_docs.py FOLDER

FOLDER holds the package `urlsm` with its stubs, as setup.py builds it for a wheel. The sources are read as text and not
imported, because a cross-compiled package cannot run here.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

DEFINITION = re.compile(r"^( *)(?:cdef class|class|cpdef(?: \w+)*?|(?:async )?def) (\w+)(?=[(:])", re.MULTILINE)
# the list of parameters, in which a string may hold anything; then what is between it and the line's end
SIGNATURE = re.compile(r"""(?:\((?:[^()"']|"[^"\n]*"|'[^'\n]*'|\((?:[^()]|\([^()]*\))*\))*\))?[^\n"]*:[^\n"]*\n""")
TEXT = re.compile(r'\s*(r?)"""(.*?)"""', re.DOTALL)
HEADER = re.compile(r"\A.*?(?:\n|\\n)--(?:\n|\\n)\s*", re.DOTALL)  # the signature that a compiled class begins with


def docstrings(source: str) -> dict[str, str]:
    """Return the docstring of each function, class and method in the text of a .py or .pyx file, by its dotted name: as
    the literal is written there, without the quotes at its end."""
    found: dict[str, str] = {}
    scope: list[tuple[int, str]] = []
    for match in DEFINITION.finditer(source):
        scope = [*(each for each in scope if each[0] < len(match[1])), (len(match[1]), match[2])]
        signature = SIGNATURE.match(source, match.end())
        text = signature and TEXT.match(source, signature.end())
        if text:
            found.setdefault(".".join(name for _, name in scope), text[1] + '"""' + HEADER.sub("", text[2]).strip())
    return found


def of_folder(folder: Path) -> dict[str, str]:
    """Return the docstrings of all functions in a folder: methods of URL that load on first use are functions there."""
    found: dict[str, str] = {}
    for path in sorted([*folder.glob("*.py"), *folder.glob("*.pyx")]):
        found |= {name: text for name, text in docstrings(path.read_text(encoding="utf-8")).items() if "." not in name}
    return found


def places(stub: ast.Module | ast.ClassDef, scope: str = "") -> Iterator[tuple[str, ast.stmt]]:
    """Yield the functions, classes and methods of a stub, with their dotted names; of overloads only the first."""
    seen = set()
    for node in stub.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and node.name not in seen:
            seen.add(node.name)
            yield scope + node.name, node
            if isinstance(node, ast.ClassDef):
                yield from places(node, f"{scope}{node.name}.")


def documented(stub: str, texts: dict[str, str], others: dict[str, str]) -> str:
    """Return the text of a stub with docstrings, but for those that it has already. A method that has none in *texts*
    gets that of the function of its name in *others*."""
    lines = stub.split("\n")
    for name, node in reversed(list(places(ast.parse(stub)))):
        text = texts.get(name) or ("." in name and others.get(name.rpartition(".")[2])) or ""
        if not text or ast.get_docstring(node) is not None:
            continue
        indent = " " * (node.col_offset + 4)
        body = node.body[0]
        quoted = indent + text + (f"\n{indent}" if text.endswith('"') else "") + '"""'
        first = body.lineno - 1 - len(getattr(body, "decorator_list", []))
        if ast.unparse(body) == "...":  # it ends the line of the signature
            lines[first] = lines[first][: body.col_offset].rstrip()
            first += 1
        lines.insert(first, quoted)
    return "\n".join(lines)


def write(folder: Path, sources: Path) -> int:
    """Write the docstrings into the stubs below a folder, and return how many stubs have changed."""
    count = 0
    for stub in sorted(folder.rglob("*.pyi")):
        beside = sources / stub.relative_to(folder)
        texts: dict[str, str] = {}
        for source in map(beside.with_suffix, (".py", ".pxd", ".pyx")):
            if source.exists():
                texts |= docstrings(source.read_text(encoding="utf-8"))
        before = stub.read_text(encoding="utf-8")
        after = documented(before, texts, of_folder(beside.parent))
        if after != before:
            stub.write_text(after, encoding="utf-8")
            count += 1
    return count


if __name__ == "__main__":
    print(f"{write(Path(sys.argv[1]), Path(__file__).resolve().parents[1])} stubs with docstrings")
