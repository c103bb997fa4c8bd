"""The extension modules and their flags; everything else is in pyproject.toml.

URLSM_BUILD=checked     bounds checks, assertions, the portable path only
URLSM_BUILD=sanitized   that, with AddressSanitizer and UndefinedBehaviorSanitizer (run with libasan preloaded)
"""

import os
import sys
from glob import glob

from Cython.Build import cythonize
from setuptools import Extension, setup

build = os.environ.get("URLSM_BUILD", "release")
directives = {"language_level": 3, "embedsignature": True, "boundscheck": False, "wraparound": False,
              "initializedcheck": False, "cdivision": True, "nonecheck": False}
flags, links = ["-O2"], ["-s"] if sys.platform == "linux" else []  # -s: no symbols, a third of the size
if os.name == "nt":
    flags, links = ["/O2"], []
if build in ("checked", "sanitized"):
    directives |= {"boundscheck": True, "wraparound": False, "cdivision": False, "nonecheck": True}
    flags, links = ["-O1", "-g", "-DURLSM_NO_VECTORS", "-UNDEBUG"], []
if build == "sanitized":
    sanitizers = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined", "-fno-omit-frame-pointer"]
    flags, links = [*flags, *sanitizers], sanitizers

modules = [
    Extension(path[:-4].replace("/", "."), [path], include_dirs=["urlsm"], extra_compile_args=flags,
              extra_link_args=links, depends=glob("urlsm/*.h") + glob("urlsm/**/*.pxd", recursive=True))
    for path in sorted(glob("urlsm/**/*.pyx", recursive=True))
]
setup(ext_modules=cythonize(modules, compiler_directives=directives, force=build != "release"))
