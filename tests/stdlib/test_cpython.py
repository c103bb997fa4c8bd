"""CPython's own test.test_urlparse, as shipped with this interpreter, against urlsm.stdlib: unchanged, in a process
of its own."""

import importlib.util
import subprocess
import sys

import pytest

RUN = """if True:
    import sys, unittest, urllib, urllib.parse
    import urlsm.compat, urlsm.stdlib
    if sys.argv[1] == "instead":
        sys.modules["urllib.parse"] = urllib.parse = urlsm.stdlib
    else:
        urlsm.compat.install("urllib.parse")
    import test.test_urlparse as tests
    assert tests.urllib.parse.urlsplit is urlsm.stdlib.urlsplit
    found = unittest.defaultTestLoader.loadTestsFromModule(tests)
    result = unittest.TextTestRunner().run(found)
    print(result.testsRun)
    sys.exit(not result.wasSuccessful())
"""


def is_shipped() -> bool:
    try:
        return importlib.util.find_spec("test.test_urlparse") is not None
    except ModuleNotFoundError:
        return False


@pytest.mark.skipif(not is_shipped(), reason="this interpreter comes without test.test_urlparse")
@pytest.mark.parametrize("way", ["instead", "install"])
def test_cpythons_own_tests_pass(way):
    done = subprocess.run([sys.executable, "-c", RUN, way], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 60
