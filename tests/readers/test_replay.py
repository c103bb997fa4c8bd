"""Each reader against the recorded answers of the live program, release by release."""

from __future__ import annotations

import json
import pathlib

import pytest
from oracles.replay import ANSWERS, columns, counts, differences, published, recorded
from support.suites import absent

from urlsm.readers.programs import HOMES, number, program
from urlsm.readers.proofs import PROOFS

RELEASES = [(name, release) for name in sorted(HOMES) for release in program(name).releases]
UNPROVED = {name for name, proofs in PROOFS.items() if any(proof.equal < proof.texts for proof in proofs.values())}


@pytest.fixture(scope="module", params=["ours", "all"])
def answers(request: pytest.FixtureRequest) -> pathlib.Path:
    """tests/data/programs.json.xz, and the file that --readers names, which also has texts of others."""
    if request.param == "ours":
        return ANSWERS
    path = pathlib.Path(request.config.option.readers)
    if not path.exists():
        absent("the answers of named programs to texts of others", "--readers PATH names their file")
    return path


@pytest.mark.parametrize(("name", "release"), RELEASES, ids=map("@".join, RELEASES))
def test_reads_as_the_live_program(name, release, answers):
    if not any(columns(name, release, recorded(answers).programs)):
        if answers == ANSWERS and name != "git":  # which is compared live: oracles/readers/git_arguments.py
            pytest.fail("it was not asked")
        pytest.skip("it was not asked")
    rows = list(differences(program(name), release, answers))
    assert len(rows) > 4000
    wrong = [row for row in rows if row[2] != row[3]]
    if name not in UNPROVED:
        assert wrong == []
    else:
        assert len(wrong) < 0.05 * len(rows)


def test_the_proofs_are_those_of_the_recorded_answers():
    for name, release in RELEASES:
        proof = PROOFS[name][release]
        if name == "git":  # by its live oracle
            continue
        assert (proof.texts, proof.equal) == counts(program(name), release), f"{name}@{release}"


def test_unproved_readers_are_few_and_in_no_group():
    from urlsm.readers.programs import GROUPS

    assert len(UNPROVED) <= 6
    assert not UNPROVED & {name for names in GROUPS.values() for name in names}


def test_every_recorded_program_has_a_reader():
    """Otherwise nothing would list the program."""
    read = set()
    for name, release in RELEASES:
        read.update(columns(name, release, recorded(ANSWERS).programs))
    assert {column for column in recorded(ANSWERS).programs if column not in read} <= NOT_READ


# the same program under another base, or another build of the same release
NOT_READ = {"apache-sid", "chromium-base", "firefox-base", "go-1.27-sent", "uriparser-sid"}


@pytest.mark.parametrize("name", sorted(HOMES))
def test_no_text_raises(name):
    found = program(name)
    texts = ["", "\0", "http://", "//", "@", "[", "http://[", "\ud800", "http://\udcff/", "http://h:/", "a" * 10]
    texts += ["%", "http://%"]
    texts += [
        f"http://{char * 3}/{char * 3}?{char}#{char}" for char in map(chr, [*range(256), 0x130, 0x3002, 0x10FFFF])
    ]
    for text in texts:
        for release in found.releases:
            answer = found.read(text, number(release))
            assert isinstance(answer, str) or len(answer) == 7 or isinstance(answer[7], str) or len(answer[7]) == 2


def test_the_published_table_is_made_of_the_recorded_answers():
    docs = pathlib.Path(__file__).resolve().parents[2] / "docs"
    if not docs.is_dir():
        pytest.skip("not a clone")
    table = json.loads((docs / "readers.json").read_text(encoding="utf-8"))
    assert table == published(ANSWERS)
    schema = json.loads((docs / "readers.schema.json").read_text(encoding="utf-8"))
    fields = schema["properties"]["texts"]["items"]["properties"]["answers"]["items"]["properties"].keys()
    for row in table["texts"]:
        for answer in row["answers"]:
            assert answer.keys() <= fields
            assert set(answer["readers"]) <= table["readers"].keys()
