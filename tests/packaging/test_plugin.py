"""A plug-in, installed by pip beside urlsm: found, joined, refined, validated, normalised."""

import os
import shutil
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

PLUGIN = Path(__file__).resolve().parents[1] / "data/plugin"


@pytest.fixture(scope="module")
def plugged(tmp_path_factory, wheel, run) -> Path:
    """The interpreter of an environment with urlsm and the plug-in."""
    folder = tmp_path_factory.mktemp("plugged")
    shutil.copytree(PLUGIN, folder / "plugin")  # a build leaves files behind
    run(sys.executable, "-m", "venv", folder / "venv", cwd=folder)
    python = folder / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
    run(python, "-m", "pip", "install", "-q", wheel, folder / "plugin", cwd=folder)
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
