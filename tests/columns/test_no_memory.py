"""Where malloc fails, a column's call raises MemoryError, and leaves nothing behind. (test_memory.py makes allocations
of Python objects fail; these are those of C.)"""

from __future__ import annotations

import pathlib
import shutil
import subprocess
import sys

import pytest
import support

SHIM = pathlib.Path(support.__file__).with_name("failing_malloc.c")
SCRIPT = pathlib.Path(support.__file__).with_name("failing_malloc.py")


@pytest.fixture(scope="module")
def shim(tmp_path_factory):
    compiler = shutil.which("cc") or shutil.which("gcc")
    if sys.platform != "linux" or compiler is None:
        pytest.skip("needs a C compiler, and glibc's names of malloc")
    library = tmp_path_factory.mktemp("shim") / "failing_malloc.so"
    made = subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, SHIM], capture_output=True, check=False)
    if made.returncode:
        pytest.skip("the shim needs glibc")
    return library


@pytest.mark.slow(60)
@pytest.mark.parametrize("calls", ["module", "plugin", "patterns"])
def test_malloc_that_fails(shim, calls):
    run = subprocess.run(
        [sys.executable, str(SCRIPT), str(shim), calls], env={"LD_PRELOAD": str(shim)}, capture_output=True, text=True,
        timeout=500, check=False,
    )  # fmt: skip
    if "AddressSanitizer" in run.stderr and "first in initial library list" in run.stderr:
        pytest.skip("AddressSanitizer has its own malloc")
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith("tried "), run.stdout
