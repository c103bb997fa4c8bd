"""External suites, and what is left out: the messages of a run without them, and that only pinned files are used."""

from __future__ import annotations

import hashlib
import json
import os
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import settings
from support import suites
from support.seeds import SEED

TESTS = Path(__file__).resolve().parent
TOOL = TESTS.parent / "tools/suites.py"
CONTENT = b'[{"input": "x:"}]'
DIGEST = hashlib.sha256(CONTENT).hexdigest()


def bare_run(tmp_path: Path, *arguments: str, **variables: str) -> str:
    """Return pytest's output in a bare clone: only the tests."""
    clone = tmp_path / "clone"
    shutil.copytree(TESTS, clone / "tests", ignore=shutil.ignore_patterns("suites", "__pycache__"))
    shutil.copy2(TESTS.parent / "pyproject.toml", clone)
    environment = {name: value for name, value in os.environ.items() if name != "URLSM_SUITES"} | variables
    command = [sys.executable, "-P" if sys.version_info >= (3, 11) else "-s", "-m", "pytest", "-q", *arguments]
    return subprocess.run(command, cwd=clone, env=environment, capture_output=True, text=True).stdout


@pytest.mark.once
def test_a_bare_clone_says_at_the_end_what_did_not_run(tmp_path):
    names = ("tests/conformance/test_setters.py", "tests/security/test_jury.py", "tests/cli/test_trurl.py")
    said = bare_run(tmp_path, *names)
    assert "failed" not in said and "skipped" in said
    absent = said.splitlines()[-4:-1]
    assert absent[0].startswith("did not run: the jury of parsers on published texts (no public source; --jury")
    assert absent[1].startswith("did not run: trurl's tests (public, but the commit of the edition"), "it has a source"
    assert absent[2].startswith("did not run: web-platform-tests (python tools/suites.py fetches it")


@pytest.mark.once
def test_a_required_suite_that_is_absent_fails(tmp_path):
    names = ("conformance/test_setters.py", "security/test_jury.py", "schemes/test_data.py", "cli/test_trurl.py")
    names = tuple(f"tests/{name}" for name in names)
    said = bare_run(tmp_path, *names, URLSM_SUITES="required")
    assert "web-platform-tests is required (URLSM_SUITES), and absent" in said
    assert "ERROR tests/conformance" in said and "FAILED tests/schemes/test_data.py" in said
    assert "ERROR tests/security" not in said and "ERROR tests/cli" not in said, "the lock has neither"


def test_each_slow_test_says_its_seconds():
    marks = re.compile(r"mark\.slow\b(?!\(\d+\))")
    assert [path for path in TESTS.rglob("*.py") if marks.search(path.read_text(encoding="utf-8"))] == []


def test_the_lock_pins_a_commit_and_a_digest_or_says_that_it_has_none():
    for name, suite in suites.PUBLIC.items():
        assert set(suite) == {"source", "commit", "files"}, name
        assert len(suite["commit"]) == 40 and set(suite["commit"]) <= set("0123456789abcdef")
        assert "{commit}" in suite["source"] and suite["source"].startswith("https://")
        for digest in suite["files"].values():
            assert digest is None or len(digest) == 64


@pytest.mark.skipif(not TOOL.exists(), reason="no tools here")
class TestLayingOut:
    @pytest.fixture
    def lay_out(self, tmp_path, capsys):
        main = runpy.run_path(str(TOOL))["main"]
        lock, to = tmp_path / "suites.lock", tmp_path / "suites"

        def run(digest, *arguments):
            files = {"a/b/one.json": digest}
            suite = {"source": "https://h.invalid/{commit}/{path}", "commit": "0" * 40, "files": files}
            lock.write_text(json.dumps({"suites": {"own": suite}}), encoding="utf-8")
            status = main([str(argument) for argument in arguments], lock, to)
            return status, capsys.readouterr(), json.loads(lock.read_text(encoding="utf-8"))["suites"]["own"]

        return run

    @pytest.fixture
    def folder(self, tmp_path):
        (tmp_path / "checkout/a/b").mkdir(parents=True)
        (tmp_path / "checkout/a/b/one.json").write_bytes(CONTENT)
        return tmp_path / "checkout"

    def test_what_is_pinned(self, lay_out, folder, tmp_path):
        assert lay_out(DIGEST, folder)[0] == 0
        assert (tmp_path / "suites/own/one.json").read_bytes() == CONTENT
        assert lay_out(DIGEST, folder / "a/b")[0] == 0, "under its bare name too"

    def test_what_is_not_pinned_is_refused_and_nothing_is_laid_out(self, lay_out, folder, tmp_path):
        status, said, suite = lay_out("0" * 64, folder, "--record")
        assert status == 1 and DIGEST in said.err and "0" * 64 in said.err
        assert not (tmp_path / "suites").exists() and suite["files"] == {"a/b/one.json": "0" * 64}

    def test_a_missing_digest_is_told_and_recorded_when_asked(self, lay_out, folder):
        status, said, suite = lay_out(None, folder)
        assert status == 0 and DIGEST in said.err and suite["files"] == {"a/b/one.json": None}
        status, said, suite = lay_out(None, folder, "--record")
        assert status == 0 and said.err == "" and suite["files"] == {"a/b/one.json": DIGEST}

    def test_what_is_absent_is_named(self, lay_out, tmp_path):
        status, said, _ = lay_out(DIGEST, tmp_path)
        assert status == 1 and "one.json" in said.err

    def test_a_commit_is_written_out(self, lay_out, folder, capsys):
        with pytest.raises(SystemExit):
            lay_out(DIGEST, "--commit", "main")
        with pytest.raises(SystemExit):
            lay_out(DIGEST, folder, "--commit", "1" * 40)


def test_random_cases_are_the_fixed_ones_but_for_a_seed():
    assert (settings().derandomize, settings().database) == (SEED is None, None)
