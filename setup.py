"""The extension modules and their flags; everything else is in pyproject.toml.

URLSM_BUILD=checked     bounds checks, assertions, the portable path only
URLSM_BUILD=sanitized   that, with AddressSanitizer and UndefinedBehaviorSanitizer (run with libasan preloaded)
URLSM_PROFILE=FOLDER    with gcc's profiles, which tools/pgo.py has made there: tenths faster, for wheels
"""

import os
import platform
import sys
from glob import glob

from Cython.Build import cythonize
from setuptools import Extension, setup

build = os.environ.get("URLSM_BUILD", "release")
directives = {"language_level": 3, "embedsignature": True, "embedsignature.format": "clinic",
              "boundscheck": False, "wraparound": False,
              "initializedcheck": False, "cdivision": True, "nonecheck": False}
flags, links = ["-O2"], []
if sys.platform == "linux":
    # no symbols: a third of the size, and of the compiler's time; no tables for unwinding, which C does not use: 6 % of
    # the size; no PLT: 1 %; strings as they are, which zip compresses better than Cython: 2 % of the wheel
    flags, links = ["-O2", "-g0", "-fno-asynchronous-unwind-tables", "-fno-plt", "-DCYTHON_COMPRESS_STRINGS=0"], ["-s"]
if os.name == "nt":
    flags, links = ["/O2"], []
# mostly calls of Python objects, where -O2 makes them a third larger and no faster
cold = {
    *("columns/array", "columns/exchange", "columns/filling", "columns/plugin", "columns/work"),
    *("components/logged", "components/value", "crawler/pages", "crawler/rulebook", "crawler/suffix_list"),
    *("documents/html", "errors/masking", "security/comparison", "security/disguise", "url/edit"),
}
small = ["-Os", "-fno-builtin-memcpy"] if build == "release" and sys.platform == "linux" else []
hot = []
if "URLSM_PROFILE" in os.environ:
    # Never without libcall: with a profile, gcc would copy short texts by `rep movs`, which takes longer than all else.
    # Partial: what was not trained is not made small instead of fast. No copies of loops: nothing is faster for them,
    # and the wheel would be too large; nor would the cold modules be faster for a profile.
    hot = ["-fprofile-use=" + os.path.abspath(os.environ["URLSM_PROFILE"]), "-fprofile-partial-training",
           "-Wno-missing-profile", "-fno-unroll-loops", "-fno-peel-loops", "-fno-split-loops", "-fno-unswitch-loops",
           "-fno-version-loops-for-strides", "-fno-tree-loop-distribution"]
    if platform.machine() == "x86_64":
        hot.append("-mstringop-strategy=libcall")
if build in ("checked", "sanitized"):
    directives |= {"boundscheck": True, "wraparound": False, "cdivision": False, "nonecheck": True}
    flags, links = ["-O1", "-g1", "-DURLSM_NO_VECTORS", "-UNDEBUG"], []
if build == "sanitized":
    # not nonnull-attribute: memcpy and its kin may have null pointers where the length is 0 (C2y, N3322)
    sanitizers = ["-fsanitize=address,undefined", "-fno-sanitize=nonnull-attribute", "-fno-sanitize-recover=undefined",
                  "-fno-omit-frame-pointer"]
    flags, links = [*flags, *sanitizers], sanitizers

headers = [path for ending in ("h", "pxd", "pxi") for path in glob(f"urlsm/**/*.{ending}", recursive=True)]
modules = [
    Extension(path[:-4].replace("/", "."), [path], include_dirs=["urlsm"], depends=headers,
              extra_compile_args=flags + (small if path[6:-4] in cold else hot), extra_link_args=links)
    for path in sorted(glob("urlsm/**/*.pyx", recursive=True))
]
shared = "urlsm._cython"  # what Cython would write into each module: a fifth of the wheel
modules.append(Extension(shared, [f"{shared.replace('.', '/')}.c"], extra_compile_args=flags + small,
                         extra_link_args=links))
if __name__ == "__main__":  # worker processes import this file too
    cores = os.cpu_count() or 1
    setup(ext_modules=cythonize(modules, compiler_directives=directives, force=build != "release", nthreads=cores,
                                shared_utility_qualified_name=shared,
                                shared_utility_features_disabled=["MemoryView"]),
          options={"build_ext": {"parallel": cores}})
