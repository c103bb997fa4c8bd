"""Plug-ins, each its own distribution, installed by pip beside urlsm: found, joined, refined, validated, normalised."""

import os
import shutil
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow(60)

DATA = Path(__file__).resolve().parents[1] / "data"
PLUGINS = ("plugin", "plugin-families", "plugin-cython")


@pytest.fixture(scope="module")
def plugged(tmp_path_factory, wheel, run) -> Path:
    """The interpreter of an environment with urlsm and the plug-ins."""
    folder = tmp_path_factory.mktemp("plugged")
    for name in PLUGINS:
        shutil.copytree(DATA / name, folder / name)  # a build leaves files behind
    run(sys.executable, "-m", "venv", folder / "venv", cwd=folder)
    python = folder / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
    install = (python, "-m", "pip", "install", "-q")
    run(*install, wheel, "setuptools>=77", "Cython>=3.1", cwd=folder)
    # with the urlsm that is there: the one in Cython is built with its .pxd files
    run(*install, "--no-build-isolation", "--no-deps", *[folder / name for name in PLUGINS], cwd=folder)
    return python


def test_the_plugin_is_found_joined_refined_validated_and_normalised(plugged, run):
    code = """if True:
        import sys, pickle, urlsm
        assert "example_schemes" not in sys.modules
        u = urlsm.parse("gemini://Example.org/a/b?q")
        assert "example_schemes" not in sys.modules, "parsing imports nothing"
        assert u.handler.default_port == 1965 and u.handler.title == "Gemini protocol"
        assert str(u.join("../c")) == "gemini://Example.org/c"
        assert u.parts.host == "example.org" and u.parts.segments == ("a", "b") and u.parts.query == "q"
        assert u.violations() == []
        assert [v.code for v in urlsm.validate("gemini://me@h/#x")] == ["userinfo-not-allowed", "fragment-ignored"]
        assert urlsm.normalize("GEMINI://Example.ORG:1965") == "gemini://example.org/"
        assert urlsm.equivalent("gemini://a.org", "gemini://A.org:1965/")
        assert u.handler.build(host="h", segments=("a b",)) == "gemini://h/a%20b"
        assert pickle.loads(pickle.dumps(u)).handler is u.handler
        shelf = urlsm.handler("s3")
        assert type(shelf).__name__ == "Shelf", "a plug-in takes precedence over a built-in handler"
        assert urlsm.parts("s3://crime/The%20Moonstone") == shelf.parts_type(shelf="crime", book="The Moonstone")
        assert shelf.build(shelf="crime", book="a/b") == "s3://crime/a%2Fb"
        found = urlsm.validate("s3://poison/x")
        assert [(v.code, v.position, v.message) for v in found] == [("shelf-locked", 5, "a locked shelf")]
        assert urlsm.schemes.known()["gemini"] == urlsm.schemes.known()["s3"] == "urlsm-example-schemes 1.2"
        print("all of it")
    """
    assert run(plugged, "-W", "error", "-c", code, cwd=plugged.parent) == "all of it\n"


def test_the_command_lists_it(plugged, run):
    found = run(plugged.with_name("urlsm"), "schemes", cwd=plugged.parent)
    assert [line.split()[0] for line in found.splitlines() if "urlsm-example-schemes" in line] == ["gemini", "s3"]


def test_those_of_families_have_what_their_bases_have(plugged, run):
    code = """if True:
        import urlsm
        assert urlsm.schemes.known()["tarn"] == "urlsm-example-families 0.3"
        found = urlsm.parts("tarn+fast://me:pw@A:7070,b/shop?timeout=5")
        assert (found.driver, found.database, [host.host for host in found.hosts]) == ("fast", "shop", ["a", "b"])
        assert "pw" not in repr(found)
        assert [v.code for v in urlsm.validate("tarn://h/?timeout=x")] == ["parameter-value-invalid"]
        assert urlsm.normalize("SHELFMARK:DK:PR%31") == "shelfmark:dk:PR1"
        assert urlsm.handler("mirror").nested(urlsm.split("mirror:https://h/a", dialect="rfc3986")) == ["https://h/a"]
        from urlsm.testing import check_handler
        for name in ("tarn", "shelfmark", "mirror", "depot", "gemini"):
            check_handler(urlsm.handler(name), linear=False)
        print("all of it")
    """
    assert run(plugged, "-W", "error", "-c", code, cwd=plugged.parent) == "all of it\n"


def test_one_in_cython_asks_the_machine(plugged, run):
    code = """if True:
        import sys, urlsm
        url = urlsm.parse("depot://North/a/b")
        assert "example_cython" not in sys.modules
        assert url.parts == url.handler.parts_type("north", "a/b")
        assert sys.modules["example_cython"].__file__.endswith((".so", ".pyd"))
        assert url.handler.build(depot="x", place="b") == "depot://x/b"
        assert urlsm.schemes.known()["depot"] == "urlsm-example-cython 2.0"
        print("all of it")
    """
    assert run(plugged, "-W", "error", "-c", code, cwd=plugged.parent) == "all of it\n"
