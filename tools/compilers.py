"""Compile urlsm with other compilers, and for other systems. Nothing here runs what it makes, but for a test in C.

    python tools/compilers.py SOURCE WORK        SOURCE: a folder with the C that Cython made

1. Our headers, by each of gcc, clang and zig's clang that is there: -std=c11 -Wall -Wextra -Wconversion, no warning.
2. What octets/compiler.h has for Microsoft's compiler, by zig's clang in its place, over stubs of its intrinsics; run.
3. Every module by zig's clang (pip install ziglang), for Windows, macOS, musl and glibc 2.17, on x86-64 and arm64,
   against this Python's headers with that system's pyconfig.h; and linked, but for Windows, which needs Python's own
   library for that. What does not compile, or calls what that libc's headers do not declare, is an error.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from machines import CACHE, cannot, compile_all

TARGETS = {
    "x86_64-windows-gnu": "windows",
    "aarch64-windows-gnu": "windows",
    "x86_64-macos": "macos",
    "aarch64-macos": "macos",
    "x86_64-linux-musl": "linux",
    "aarch64-linux-musl": "linux",
    "x86_64-linux-gnu.2.17": "linux",
    "aarch64-linux-gnu.2.17": "linux",
}
STRICT = ("-std=c11", "-O2", "-D_DEFAULT_SOURCE", "-Wall", "-Wextra", "-Wconversion", "-Wno-unused-function", "-Werror")
# pyconfig.h, as far as Python's headers ask it: for Windows from PC/pyconfig.h, where only MinGW's compilers are known
WINDOWS = """
#define MS_WIN32
#define MS_WINDOWS
#define MS_WIN64
#define NT_THREADS
#define Py_ENABLE_SHARED 1
#define HAVE_DECLSPEC_DLL
#define HAVE_SSIZE_T 1
#define HAVE_STDDEF_H 1
#define HAVE_SYS_TYPES_H 1
#define HAVE_SYS_STAT_H 1
#define HAVE_STDARG_PROTOTYPES 1
#define WITH_DOC_STRINGS 1
#define ALIGNOF_MAX_ALIGN_T 16
#define ALIGNOF_SIZE_T 8
#define SIZEOF_VOID_P 8
#define SIZEOF_SIZE_T 8
#define SIZEOF_TIME_T 8
#define SIZEOF_OFF_T 4
#define SIZEOF_FPOS_T 8
#define SIZEOF_SHORT 2
#define SIZEOF_INT 4
#define SIZEOF_LONG 4
#define SIZEOF_LONG_LONG 8
#define SIZEOF_FLOAT 4
#define SIZEOF_DOUBLE 8
#define SIZEOF_WCHAR_T 2
"""
UNLIKE = {  # what this Linux has, and the other system has not
    "macos": ("HAVE_BROKEN_SEM_GETVALUE", "HAVE_CRYPT_H", "HAVE_ENDIAN_H", "HAVE_LINUX_\\w+", "HAVE_EPOLL\\w*"),
    "linux": (),
}


def headers_of(system: str, folder: Path) -> list[str]:
    """Return the options for Python's headers, with a pyconfig.h of that system."""
    ours = Path(sysconfig.get_path("include"))
    folder.mkdir(parents=True, exist_ok=True)
    if system == "windows":
        text = WINDOWS
    else:
        text = Path(sysconfig.get_config_h_filename()).read_text()
        for name in UNLIKE[system]:
            text = re.sub(rf"^#define ({name}) .*$", r"/* #undef \1 */", text, flags=re.MULTILINE)
    (folder / "pyconfig.h").write_text(text)
    # quoted includes look beside the includer first: so without this Python's own pyconfig.h
    copy = folder / "python"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(ours, copy, ignore=shutil.ignore_patterns("pyconfig.h"))
    return [f"-I{folder}", f"-I{copy}"]


def compile_headers(compiler: list[str], source: Path, work: Path, options: list[str]) -> int:
    """Compile each header that no other header includes. Return how many."""
    texts = {path: path.read_text() for path in source.glob("urlsm/**/*.h")}
    included = {
        name for text in texts.values() for name in re.findall(r'#\s*(?:include|define URLSM_BODY) "(.+?)"', text)
    }
    roots = sorted(path for path in texts if not any(path.as_posix().endswith(Path(name).name) for name in included))
    program = work / "headers.c"
    for root in roots:
        program.write_text(f'#include <Python.h>\n#include "{root.relative_to(source / "urlsm")}"\n')
        systems = [option.replace("-I", "-isystem", 1) for option in options]
        command = [*compiler, *STRICT, *systems, "-Iurlsm", "-c", str(program), "-o", str(work / "headers.o")]
        done = subprocess.run(command, cwd=source, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{' '.join(compiler)}: {root.relative_to(source)}\n{done.stderr}")
    return len(roots)


def main() -> None:
    source, work = (Path(word).resolve() for word in sys.argv[1:3])
    work.mkdir(parents=True, exist_ok=True)
    zig = [sys.executable, "-m", "ziglang", "cc"]
    if subprocess.run([*zig, "--version"], capture_output=True).returncode:
        cannot("no zig (pip install ziglang): Windows, macOS, musl and glibc 2.17 were not compiled for")
    here = headers_of("linux", work / "here")
    compilers = [[name] for name in ("gcc", "clang") if shutil.which(name)] + [zig]
    for compiler in compilers:
        count = compile_headers(compiler, source, work, here)
        print(f"{'zig cc' if compiler == zig else compiler[0]}: {count} headers, no warning", flush=True)
    microsoft = ("-fms-compatibility", "-fms-extensions", "-U__clang__", "-D_MSC_VER=1940", "-Itests/support/msvc")
    widths = [*zig, *STRICT, *microsoft, "-Iurlsm", "tests/support/widths.c", "-o", str(work / "widths")]
    subprocess.run(widths, cwd=source, check=True)
    print("as Microsoft's compiler:", end=" ", flush=True)
    subprocess.run([work / "widths"], check=True)
    for target, system in TARGETS.items():
        options = headers_of(system, work / target)
        command = [*zig, "-target", target, "-w", "-O1", "-g0", "-fno-sanitize=all", "-fwrapv", "-DNDEBUG"]
        count = compile_headers([*zig, "-target", target], source, work, options)
        # Windows links with Python's own library, which is not here
        how = {"windows": ["-c"], "macos": ["-shared", "-undefined", "dynamic_lookup"], "linux": ["-shared", "-fPIC"]}
        modules = compile_all([*command, *options, *how[system]], source, work / target / "modules", ".out")
        linked = "compiled" if system == "windows" else "compiled and linked"
        print(f"{target}: {count} headers without a warning, {len(modules)} modules {linked}; not run", flush=True)


if __name__ == "__main__":
    os.environ.setdefault("ZIG_GLOBAL_CACHE_DIR", str(CACHE / "zig"))
    main()
