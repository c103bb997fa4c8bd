"""What contributors run: workflows, hooks and sessions name the same things, all pinned."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import settings
from support.seeds import SEED

import urlsm

ROOT = Path(__file__).resolve().parents[1]
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))

pytestmark = pytest.mark.skipif(not WORKFLOWS, reason="not a clone")


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def sessions() -> set[str]:
    """Return the sessions of noxfile.py; tests is one for each CPython."""
    text = text_of("noxfile.py")
    names = set(re.findall(r"^@nox\.session.*\ndef (\w+)\(", text, re.MULTILINE))
    versions = re.findall(r'"(3\.\d+t?)"', re.findall(r"^PYTHONS = (.*)$", text, re.MULTILINE)[0])
    return names - {"tests"} | {f"tests-{version}" for version in versions}


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_actions_are_pinned_by_commit_with_their_tag_beside_it(path):
    used = re.findall(r"^ *- uses: (.*)$|^ *uses: (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    assert used
    for line in used:
        assert re.fullmatch(r"[\w-]+/[\w-]+(/[\w-]+)?@[0-9a-f]{40} # v\d+\.\d+\.\d+", "".join(line)), line


def test_one_action_has_one_commit():
    pins = {pin for path in WORKFLOWS for pin in re.findall(r"uses: ([\w-]+/[\w-]+)[\w/-]*@(\w+)", path.read_text())}
    assert len(pins) == len({action for action, _ in pins})


def test_every_hook_has_a_fixed_version_and_is_local():
    text = text_of(".pre-commit-config.yaml")
    assert re.findall(r"repo: (.*)", text) == ["local"]
    packages = re.findall(r"additional_dependencies: \[(.*)\]", text)
    assert len(packages) == text.count("- id: ") and all(re.fullmatch(r"[\w-]+==[\d.]+", name) for name in packages)
    assert len(dict(name.split("==") for name in packages)) == len(set(packages)), "two versions of one package"


def test_every_workflow_file_and_form_is_held_to_its_schema():
    text = text_of(".pre-commit-config.yaml")
    forms = [path for path in (ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml") if path.name != "config.yml"]
    for path in (*WORKFLOWS, *forms):
        assert path.relative_to(ROOT).as_posix() in text


def test_the_workflow_and_the_whole_run_name_sessions_that_there_are():
    workflow, run = text_of(".github/workflows/ci.yml"), text_of(".ci/run")
    versions = re.findall(r'"(3\.\d+t?)"', re.findall(r"^ *python: \[(.*)\]$", workflow, re.MULTILINE)[0])
    run = re.sub("#.*", "", run)
    named = {word.strip() for found in re.findall(r"session: \[(.*)\]", workflow) for word in found.split(",")}
    named |= {f"tests-{version}" for version in versions} | set(re.findall(r"nox -s (tests-3\.\d+)", workflow))
    named |= set(re.findall(r"\bsession (?!tests)([a-z]+)", run))
    assert len(named) > 10 and named <= sessions()
    assert {f"tests-{version}" for version in versions} == {name for name in sessions() if name.startswith("tests-")}


def test_random_cases_are_the_fixed_ones_but_at_night():
    assert (settings().derandomize, settings().database) == (SEED is None, None)
    assert "URLSM_SEED=" not in re.sub("#.*", "", text_of(".ci/run"))
    [line] = re.findall("URLSM_SEED: .*", text_of(".github/workflows/ci.yml"))
    assert line == "URLSM_SEED: ${{ github.event_name == 'schedule' && github.run_id || '' }}"


def test_the_same_nox_everywhere():
    pins = set(re.findall(r"nox==[\d.]+", text_of(".github/workflows/ci.yml") + text_of(".ci/run")))
    assert len(pins) == 1


def test_the_tested_pythons_are_those_that_are_promised():
    promised = re.findall(r"Python :: (3\.\d+)", text_of("pyproject.toml"))
    tested = re.findall(r"^tests-3\.(\d+)$", "\n".join(sessions()), re.MULTILINE)
    assert promised == [f"3.{minor}" for minor in sorted(map(int, tested))]


def test_the_recipe_has_this_version():
    assert f'version: "{urlsm.__version__}"\n' in text_of("conda/recipe.yaml")
