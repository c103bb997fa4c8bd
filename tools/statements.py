"""How large the hand-written code is: statements and declarations of urlsm/ and schemes/, counted by tokens.

    python tools/statements.py [TREE]    the counts, beside those of another tree (default: of the commit before);
                                         then what is long; the last line says what has grown

Nothing is forbidden: a number that grows has a reason, which the author of the change tells.
A statement counts once, wherever lines break: `if a: b` is two, `cdef int a, b` two declarations, a docstring none.
In C a semicolon, a block and a directive count. Generated files say "Written by tools/" and are counted apart.
"""

import io
import re
import subprocess
import sys
import tarfile
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

SUFFIXES = (".py", ".pyx", ".pxd", ".pxi", ".pyi", ".h")
LONG_FILE, LONG_FUNCTION = 1000, 60
PYTHON = re.compile(
    r"""(?P<blank>\\\r?\n|[ \t\f]+|\#[^\n]*)|(?P<text>[A-Za-z]{0,2}(?:'''(?s:\\.|.)*?'''|\"\"\"(?s:\\.|.)*?\"\"\"
    |'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"))|(?P<end>\n)|(?P<word>\w+)|(?P<sign>.)""",
    re.VERBOSE,
)
C = re.compile(
    r"""(?P<blank>/\*(?s:.*?)\*/|//[^\n]*|\s+)|(?P<directive>\#(?:\\\n|/\*(?s:.*?)\*/|[^\n])*)
    |(?P<text>'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*")|(?P<word>\w+)|(?P<sign>.)""",
    re.VERBOSE,
)
HEADS = {"if", "elif", "else", "for", "while", "try", "except", "finally", "with", "def", "class", "cdef", "cpdef"}
DECLARING = re.compile(r"( *)(?:cdef|ctypedef) (?:packed )?(?:enum|struct|union|extern|class)\b.*:$", re.MULTILINE)
FUNCTION = re.compile(r"^( *)(?:async )?(?:def|cdef|cpdef) (?!class|enum|struct|union|extern)[^=\n]*\(", re.MULTILINE)
C_FUNCTION = re.compile(r"^(?![#}\s]).*\)[^;\n]*\n?\{(?:.*\n)*?\}", re.MULTILINE)


def logical(text: str) -> Iterator[list[str]]:
    """Yield the tokens of each logical line of Python or Cython, without comments; a string is one token."""
    line: list[str] = []
    depth = 0
    for found in PYTHON.finditer(text + "\n"):
        token = found.group()
        if found.lastgroup == "end":
            if line and not depth:
                yield line
                line = []
        elif found.lastgroup != "blank":
            depth += (token in "([{") - (token in ")]}") if found.lastgroup == "sign" else 0
            line.append(token)


def in_line(line: list[str]) -> int:
    """Return the number of statements and declarations of a logical line."""
    if len(line) == 1 and line[0][-1] in "\"'":
        return 0
    depth, colon, marks = 0, len(line), Counter[str]()
    for k, token in enumerate(line):
        depth += (token in "([{") - (token in ")]}") if len(token) == 1 else 0
        if not depth:
            marks[token] += 1
            colon = min(colon, k) if token == ":" else colon
    behind = line[0] in HEADS and colon < len(line) - 1
    declared = marks[","] if line[0] == "cdef" and ":" not in marks else 0
    return 1 + marks[";"] + behind + declared


def statements(path: Path) -> tuple[int, int]:
    """Return the numbers of statements and tokens of a file."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".h":
        lines = [line for line in logical(text) if not (len(line) == 1 and line[0][-1] in "\"'")]
        return sum(map(in_line, lines)), sum(map(len, lines))
    found = [(match.lastgroup, match.group()) for match in C.finditer(text)]
    tokens = [(kind, token) for kind, token in found if kind != "blank"]
    count = 0
    for (_, before), (kind, token) in zip([("sign", ";"), *tokens], tokens, strict=False):
        count -= 2 * (before == "for")  # for (a; b; c)
        count += kind == "directive" or token == ";" or (token == "{" and before in (")", "else", "do"))
    return count, len(tokens)


def long_functions(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the lines and the head of each function longer than LONG_FUNCTION."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".h":
        spans = [(found.start(), found.end()) for found in C_FUNCTION.finditer(text)]
    else:
        spans = []
        for found in FUNCTION.finditer(text):
            behind = re.compile(rf"^ {{0,{len(found[1])}}}[^\s)#]", re.MULTILINE).search(text, found.end())
            spans.append((found.start(), behind.start() if behind else len(text)))
    for start, end in spans:
        body = text[start:end].strip()
        if (lines := body.count("\n") + 1) > LONG_FUNCTION:
            yield lines, body.partition("\n")[0].strip()


def sources(tree: Path) -> Iterator[tuple[Path, bool]]:
    """Yield each hand-written file (False), and each that a tool has written (True)."""
    for folder in ("urlsm", "schemes"):
        for path in sorted((tree / folder).rglob("*")):
            if path.suffix in SUFFIXES:
                yield path, "ritten by tools/" in path.read_text(encoding="utf-8")[:400]


def rooms(tree: Path) -> dict[str, tuple[int, int]]:
    """Return the statements and tokens of each room; "generated" is a room."""
    found: dict[str, tuple[int, int]] = {}
    for path, generated in sources(tree):
        parts = path.relative_to(tree).parts
        room = "generated" if generated else parts[1] if parts[0] == "urlsm" and len(parts) > 2 else parts[0]
        count, tokens = statements(path)
        found[room] = found.get(room, (0, 0))[0] + count, found.get(room, (0, 0))[1] + tokens
    return found


def long_ones(tree: Path) -> tuple[dict[str, int], dict[str, int]]:
    """Return the hand-written files longer than LONG_FILE, and functions longer than LONG_FUNCTION, with their
    lines."""
    files, functions = {}, {}
    for path, generated in sources(tree):
        lines = path.read_text(encoding="utf-8").count("\n")
        if lines > LONG_FILE and not generated:
            files[path.relative_to(tree).as_posix()] = lines
        for length, head in long_functions(path):
            functions[f"{path.relative_to(tree).as_posix()}: {head}"] = length
    return files, functions


def commit_before(folder: Path) -> Path | None:
    """Lay the sources of the commit before into a folder, and return it; None if there is none."""
    command = ["git", "archive", "HEAD~1", "urlsm", "schemes", "tools"]
    done = subprocess.run(command, capture_output=True, cwd=Path(__file__).resolve().parents[1], check=False)
    if done.returncode:
        return None
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
        archive.extractall(folder, filter="data")
    return folder


def report(trees: list[Path]) -> None:
    """Print the counts of one tree, or of two, side by side."""
    tables = [rooms(tree) for tree in trees]
    for room in sorted(set().union(*tables) - {"generated"}):
        print(f"{room:12}", *(f"{table.get(room, (0, 0))[0]:7} statements" for table in tables))
    for name, which in (("statements", 0), ("tokens", 1)):
        hand = [sum(counts[which] for room, counts in table.items() if room != "generated") for table in tables]
        made = [table.get("generated", (0, 0))[which] for table in tables]
        print(f"{name}: by hand", *hand, " generated", *made)
    tools = [sum(statements(path)[0] for path in (tree / "tools").glob("*.py")) for tree in trees]
    print("tools/:", *tools, "statements")
    long = [long_ones(tree) for tree in trees]
    for kind, found in zip(("files", "functions"), long[0], strict=True):
        print(f"long {kind}:", *[f"\n  {lines:5} {name}" for name, lines in found.items()] or ["none"])
    rows = [
        ("statements", [sum(counts[0] for room, counts in table.items() if room != "generated") for table in tables]),
        (f"files over {LONG_FILE} lines", [len(files) for files, _ in long]),
        (f"functions over {LONG_FUNCTION} lines", [len(functions) for _, functions in long]),
    ]
    said = [f"{now[0]} {name}" + "".join(f" ({now[0] - before:+})" for before in now[1:]) for name, now in rows]
    print(", ".join(said))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        other = Path(sys.argv[1]) if sys.argv[1:] else commit_before(Path(folder))
        report([Path(__file__).resolve().parents[1], *([other] if other else [])])
