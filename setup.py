"""The extension modules and their flags; everything else is in pyproject.toml.

URLSM_BUILD=quick       with -Og, which compiles in half the time: for other interpreters, which are not timed
URLSM_BUILD=checked     bounds checks, assertions, the portable path only
URLSM_BUILD=sanitized   that, with AddressSanitizer and UndefinedBehaviorSanitizer (run with libasan preloaded)
URLSM_BUILD=threads     for ThreadSanitizer: for an interpreter that is itself built for it
URLSM_PGO=1             with gcc's profiles, made first, as wheels are built: faster code in twice the time
URLSM_PROFILE=FOLDER    with the profiles that tools/pgo.py has made there

Cython makes the C of a module where it is missing or older than what it is made of. An sdist holds the C, so that
installing it needs no Cython. ccache serves the C compiler where it is on the path; CYTHON_CACHE_DIR=FOLDER keeps the C
of Cython there.
"""

import atexit
import gc
import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from functools import cache
from glob import glob
from pathlib import Path
from runpy import run_path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

# Cython makes millions of objects that live on: going through them again and again took almost half of its time
gc.set_threshold(100_000, 1000, 1000)
BEFORE_A_BUILD = sys.argv[1:2] in (["egg_info"], ["dist_info"])
makes_code = not BEFORE_A_BUILD and sys.argv[1:2] != ["sdist"]
if os.environ.get("URLSM_PGO") == "1" and makes_code and "URLSM_PROFILE" not in os.environ:
    trained = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, trained, ignore_errors=True)
    subprocess.run([sys.executable, "tools/pgo.py", trained], check=True)
    os.environ["URLSM_PROFILE"] = trained  # also for the processes that Cython starts

build = os.environ.get("URLSM_BUILD", "release")
as_released = build in ("release", "quick", "threads")  # the same C
directives = {
    "language_level": 3,
    "emit_code_comments": False,  # they are a third of the C
    "embedsignature": True,
    "embedsignature.format": "clinic",
    "boundscheck": False,
    "wraparound": False,
    "initializedcheck": False,
    "cdivision": True,
    "nonecheck": False,
    "auto_pickle": False,  # Cython's restores any state, and crashes; a class that can be pickled says how
    "freethreading_compatible": True,  # docs/threads.md says why
}
flags, links = ["-O2"], []
if sys.platform == "linux":
    # without symbols: saves a third of the size, and of the compiler's time; without tables for unwinding, which C
    # does not use
    flags, links = ["-O2", "-g0", "-fno-asynchronous-unwind-tables"], ["-s"]
if os.name == "nt":
    flags, links = ["/O2"], []
# and readers: mostly calls of Python objects. -O2 compiles half as long again as -O1, and is not faster (bench, all
# rows)
cold = {
    *("columns/lookups", "columns/work", "crawler/pages", "documents/scanning", "errors/masking"),
    *("patterns/pattern_strings", "patterns/robots_lines"),
    *("security/comparison", "security/disguise", "server/requests", "url/edit"),
}
small = ["-O1"] if build == "release" and os.name != "nt" else []
if build == "quick":
    # newer compilers refuse a function without a declaration, which an interpreter's headers may have lost
    flags = [*flags, *(["/O1"] if os.name == "nt" else ["-Og", "-Werror=implicit-function-declaration"])]
hot = []
if "URLSM_PROFILE" in os.environ:
    # Always with libcall: with a profile, gcc would copy short texts by `rep movs`, which takes longer than all the
    # rest. Partial: untrained code is not made small instead of fast. Without copies of loops: they make nothing
    # faster.
    hot = [
        "-fprofile-use=" + os.path.abspath(os.environ["URLSM_PROFILE"]),
        "-fprofile-partial-training",
        "-Wno-missing-profile",
        "-fno-unroll-loops",
        "-fno-peel-loops",
        "-fno-split-loops",
        "-fno-unswitch-loops",
        "-fno-version-loops-for-strides",
        "-fno-tree-loop-distribution",
    ]
    if platform.machine() == "x86_64":
        hot.append("-mstringop-strategy=libcall")
if build in ("checked", "sanitized"):
    directives |= {"boundscheck": True, "wraparound": False, "cdivision": False, "nonecheck": True}
    flags, links = ["-O1", "-g1", "-DURLSM_NO_VECTORS", "-UNDEBUG"], []
if build == "checked" and sys.platform == "linux":
    # a warning is an error, but for what Cython writes: functions that nothing calls, temporaries without const. Not in
    # the sanitized build, in which gcc sees variables without a value where there are none
    flags = [*flags, "-Werror", "-Wno-unused-function", "-Wno-discarded-qualifiers"]
if build == "sanitized":
    # not nonnull-attribute: memcpy and its kin may have null pointers where the length is 0 (C2y, N3322)
    sanitizers = [
        "-fsanitize=address,undefined",
        "-fno-sanitize=nonnull-attribute",
        "-fno-sanitize-recover=undefined",
        "-fno-omit-frame-pointer",
    ]
    flags, links = [*flags, *sanitizers], sanitizers

if build == "threads":
    flags, links = ["-O1", "-g1", "-fsanitize=thread", "-fno-omit-frame-pointer"], ["-fsanitize=thread"]

# the names in a file: a header that C includes, or a file that Cython reads
NAMED = re.compile(r'^\s*(?:#|cdef extern from)[^"\n]*"([\w./]+\.h)"|^\s*from (urlsm[\w.]*) cimport', re.MULTILINE)


@cache
def named(path: str) -> frozenset[str]:
    """Return the files that this one names, and its own .pxd; some do not exist."""
    found = {path[:-4] + ".pxd"}
    for file, module in NAMED.findall(Path(path).read_text(encoding="utf-8")):
        if module:
            found |= {module.replace(".", "/") + ending for ending in (".pxd", "/__init__.pxd")}
        else:  # relative to its own folder, or to the package's
            found |= {os.path.normpath(f"{folder}/{file}") for folder in (os.path.dirname(path), "urlsm")}
    return frozenset(filter(os.path.exists, found))


def needed(source: str) -> list[str]:
    """Return the files that a module includes, without its source: it is rebuilt after a change of one of them."""
    found, todo = {source}, [source]
    while todo:
        new = named(todo.pop()) - found
        found |= new
        todo += new
    return sorted(found - {source})


modules = [
    Extension(
        path[:-4].replace("/", "."),
        [path],
        include_dirs=["urlsm"],
        depends=["setup.py", *needed(path)],
        extra_compile_args=flags + (small if path[6:-4] in cold or path.startswith("urlsm/readers/") else hot),
        extra_link_args=links,
    )
    for path in (Path(found).as_posix() for found in sorted(glob("urlsm/**/*.pyx", recursive=True)))
]
core = "urlsm._core"  # the library of the modules that it makes
within_core = re.findall(r'^make\("([\w.]+)"', Path("urlsm/_core.pyx").read_text(encoding="utf-8"), re.MULTILINE)
shared = "urlsm._cython"  # what Cython would otherwise write into each module: a fifth of the wheel
modules.append(
    Extension(shared, [f"{shared.replace('.', '/')}.c"], extra_compile_args=[*flags, *small], extra_link_args=links)
)


def is_made(module: Extension) -> bool:
    """Return whether its C exists, made from these files, and by this Cython if there is one. cythonize also wants
    Cython's own files to be older, which they never are in pip's build environment."""
    made = Path(module.sources[0]).with_suffix(".c")
    needs = [path for path in (*module.sources, *module.depends) if path != made.as_posix()]
    if not as_released or not made.exists() or made.stat().st_mtime < max(map(os.path.getmtime, needs), default=0):
        return False
    try:
        import Cython
    except ModuleNotFoundError:
        return True
    with open(made, encoding="utf-8") as file:
        return file.readline().startswith(f"/* Generated by Cython {Cython.__version__} ")


class Build(build_ext):
    """Build for pip install -e, in an empty folder, to which the modules in place are copied first: only old ones are
    rebuilt."""

    def finalize_options(self) -> None:
        super().finalize_options()
        self.parallel = self.parallel or os.cpu_count()  # -e forgets the option given to setup()

    def build_extension(self, ext: Extension) -> None:
        in_place, target = self.get_ext_filename(ext.name), self.get_ext_fullpath(ext.name)
        if self.editable_mode and build == "release" and not hot and os.path.exists(in_place):
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copy2(in_place, target)
        super().build_extension(ext)


class Copy(build_py):
    """Copy the package for a wheel, with docstrings in its stubs, where editors look for them."""

    def run(self) -> None:
        super().run()
        if not self.editable_mode:
            run_path("tools/stub_docs.py")["write"](Path(self.build_lib), Path())


def with_c(modules: list[Extension]) -> list[Extension]:
    """Return the modules with C as their sources, which Cython makes where it is missing or old."""
    old = [module for module in modules if not is_made(module)]
    for module in modules:
        if module not in old:
            module.sources = [Path(module.sources[0]).with_suffix(".c").as_posix()]
    if not old:
        return modules
    from Cython.Build import cythonize

    for module in old:  # else Cython would keep what is older than setup.py
        Path(module.sources[0]).with_suffix(".c").unlink(missing_ok=True)
    return [module for module in modules if module not in old] + cythonize(
        old,
        compiler_directives=directives,
        nthreads=os.cpu_count() or 1,
        cache="CYTHON_CACHE_DIR" in os.environ,
        shared_utility_qualified_name=shared,
        shared_utility_features_disabled=["MemoryView"],
    )


def linked(modules: list[Extension]) -> list[Extension]:
    """Return the extensions: _core holds the modules that it makes."""
    [whole] = [module for module in modules if module.name == core]
    for module in modules:
        if module.name in within_core:
            whole.sources += module.sources
            whole.depends += module.depends
    # so that no long one comes last
    extensions = [module for module in modules if module.name not in within_core]
    return sorted(extensions, key=lambda module: -sum(map(os.path.getsize, module.sources)))


if __name__ == "__main__":  # worker processes import this file too
    cython: list[str] = []
    if not BEFORE_A_BUILD:
        modules = linked(with_c(modules))
        if "CC" not in os.environ and shutil.which("ccache"):
            os.environ["CC"] = f"ccache {sysconfig.get_config_var('CC')}"
    elif not all(map(is_made, modules)):
        cython = ["Cython>=3.3"]  # build frontends ask for this before they build
    setup(ext_modules=modules, cmdclass={"build_ext": Build, "build_py": Copy}, setup_requires=cython)
