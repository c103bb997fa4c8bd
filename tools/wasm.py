"""Build urlsm for WebAssembly, and test it in Pyodide (CPython compiled to WebAssembly) under node.

    python tools/wasm.py SOURCE WORK [PYTEST ARGUMENT...]

SOURCE has the C that Cython made. npm's package `pyodide` is CPython; pip's package `ziglang` has a clang and a linker
for WebAssembly. Emscripten is not needed: a module is a side module of Pyodide's program if it is linked as a shared
library with imported memory. What an extension module calls of libc is little, and the same in musl, on which
Emscripten's is built. Pyodide tells its own pyconfig.h; the other headers of CPython are those of the same version:
of this Python, or of $URLSM_CACHE/python3.14. Exits with 77, and the reason, where it cannot run.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from machines import CACHE, NEEDED, ROOT, cannot, compile_all, libraries

PYODIDE = "pyodide@314.0.7"
START = """
import { realpathSync } from "node:fs";
import { loadPyodide } from "pyodide";
const py = await loadPyodide();
for (const name of ["site", "needed", "tested", "shared"]) {
  py.FS.mkdir("/" + name);
  py.FS.mount(py.FS.filesystems.NODEFS, { root: realpathSync(name) }, "/" + name);
}
"""
CONFIGURED = """
import re, sys, sysconfig
named = re.compile("HAVE|SIZEOF|WITH|ALIGNOF|Py|PY|STDC|TIME|_|ENABLE|DOUBLE")
values = sorted(sysconfig.get_config_vars().items())
lines = [f"#define {name} {value}" for name, value in values if named.match(name) and isinstance(value, int) and value]
"\\n".join([f"// {sys.version_info.minor} {sysconfig.get_config_var('EXT_SUFFIX')}", *lines])
"""
TESTED = """
import os, sys
sys.path[:0] = ["/site", "/needed"]
sys.dont_write_bytecode = True
os.chdir("/tested")
import urlsm
print(urlsm.parse("https://ex.org/a?b#c").host, sys.platform, sys.version, flush=True)
import pytest
int(pytest.main(%s))
"""


def node(work: Path, code: str, then: str) -> str:
    """Run Python code in Pyodide, and what JavaScript does with its value. Return what it printed."""
    (work / "run.mjs").write_text(f"{START}const value = py.runPython({json.dumps(code)});\n{then}\n")
    done = subprocess.run(["node", "run.mjs"], cwd=work, stdout=subprocess.PIPE, text=True)
    print(done.stdout if "pytest" in code else "", end="", flush=True)
    if done.returncode:
        sys.exit(done.returncode)
    return done.stdout


def main() -> None:
    source, work = (Path(word).resolve() for word in sys.argv[1:3])
    words = sys.argv[3:] or ["-q", "--brief", *(f"tests/{room}" for room in ("machine", "octets", "conformance"))]
    for name in ("site", "needed", "tested", "shared", "headers"):
        (work / name).unlink() if (work / name).is_symlink() else shutil.rmtree(work / name, ignore_errors=True)
        (work / name).mkdir(parents=True)
    if not shutil.which("npm") or not shutil.which("node"):
        cannot("no npm and node, which have and run Pyodide")
    install = ["npm", "install", "--silent", "--prefix", str(work), PYODIDE]
    if subprocess.run(install, capture_output=True).returncode:
        cannot(f"npm has no {PYODIDE}")
    config = node(work, CONFIGURED, "console.log(value);")
    minor, suffix = re.match(r"// (\d+) (\S+)", config).groups()
    ours = Path(sysconfig.get_path("include"))
    there = CACHE / f"python3.{minor}/usr/include/python3.{minor}"
    headers = ours if sys.version_info[:2] == (3, int(minor)) else there
    if not (headers / "Python.h").exists():
        cannot(f"no headers of CPython 3.{minor}")
    shutil.copytree(headers, work / "headers", ignore=shutil.ignore_patterns("pyconfig.h"), dirs_exist_ok=True)
    (work / "headers/pyconfig.h").write_text(config)

    import ziglang

    zig = (sys.executable, "-m", "ziglang")
    library = Path(ziglang.__file__).parent / "lib"
    folders = (library / "include", library / "libc/include/wasm-wasi-musl", library / "libc/include/generic-musl")
    features = ("-mbulk-memory", "-mnontrapping-fptoint", "-msign-ext", "-D__wasi__", "-D__EMSCRIPTEN__")
    command = [*zig, "clang", "--target=wasm32-unknown-emscripten", "-c", "-w", "-O2", "-g0", "-fPIC", "-fwrapv"]
    command += ["-DNDEBUG", "-DCYTHON_COMPRESS_STRINGS=0", *features, "-nostdinc"]
    command += [word for folder in folders for word in ("-isystem", str(folder))]
    kept = shutil.ignore_patterns("*.so", "*.c", "*.pyx", "__pycache__")
    shutil.copytree(source / "urlsm", work / "site/urlsm", ignore=kept)
    shutil.copytree(source / "schemes", work / "site/urlsm/schemes", ignore=kept, dirs_exist_ok=True)
    modules = compile_all([*command, f"-I{work / 'headers'}"], source, work / "site", ".o")
    link = [*zig, "wasm-ld", "-shared", "--experimental-pic", "--import-memory", "--import-table", "--strip-debug"]
    link += ["--unresolved-symbols=import-dynamic", "--export-if-defined=__wasm_apply_data_relocs"]
    parts = libraries(source)
    for path, files in parts.items():
        made = (work / "site" / path.relative_to(source)).with_suffix(suffix)
        exported = ["--export-if-defined=__wasm_call_ctors", f"--export=PyInit_{path.stem}"]
        objects = [str(work / "site" / file.relative_to(source).with_suffix(".o")) for file in files]
        subprocess.run([*link, *exported, *objects, "-o", str(made)], check=True)
    for module in modules:
        module.unlink()
    print(f"{len(modules)} modules for WebAssembly, in {len(parts)} libraries", flush=True)

    install = [sys.executable, "-m", "pip", "install", "-q", "--only-binary=:all:", "--platform=any", "--abi=none"]
    install += ["--implementation=py", f"--python-version=3.{minor}", "--target", str(work / "needed"), *NEEDED]
    subprocess.run(install, check=True)
    for name in ("tests", "docs"):
        shutil.copytree(source / name, work / "tested" / name)
    for path in (*source.glob("*.md"), source / "pyproject.toml"):
        shutil.copy2(path, work / "tested")
    if (ROOT.parent / "shared").is_dir():
        (work / "shared").rmdir()
        (work / "shared").symlink_to(ROOT.parent / "shared", target_is_directory=True)
    arguments = ["-p", "no:faulthandler", "-o", "timeout=0", *words]  # there are no signals
    node(work, TESTED % repr(arguments), "process.exit(value);")


if __name__ == "__main__":
    os.environ.setdefault("ZIG_GLOBAL_CACHE_DIR", str(CACHE / "zig"))
    main()
