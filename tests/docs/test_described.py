"""docs/described.py: each field of each class of parts has a meaning, and each class an example that runs."""

from __future__ import annotations

import doctest
import importlib.util
import pathlib

import pytest

import urlsm
from urlsm.schemes.built_in import BUILT_IN

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"
_SPEC = importlib.util.spec_from_file_location("described", DOCS / "described.py")
described = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(described)

KINDS = {urlsm.handler(name).parts_type for name in BUILT_IN} | {
    urlsm.schemes.HostPort,
    urlsm.schemes.DrivenParts,
    urlsm.schemes.Fetched,
}


@pytest.mark.parametrize("kind", sorted(KINDS, key=lambda kind: kind.__name__), ids=lambda kind: kind.__name__)
def test_a_class_of_parts_says_what_it_is(kind):
    found = described.described(kind)  # raises KeyError for a field without a meaning
    assert tuple(found.fields) == kind._fields
    assert found.summary.endswith(".") and len(found.summary.split()) < 25
    assert all(
        kind and said and not said.endswith(".") and len(said.split()) < 30 for kind, said in found.fields.values()
    )
    examples = doctest.DocTestParser().get_doctest(found.example, {}, kind.__name__, kind.__name__, 0)
    said = []
    doctest.DocTestRunner(verbose=False).run(examples, out=said.append)
    assert len(examples.examples) == 2 and not said, "".join(said)


def test_families_hold_every_scheme():
    assert sorted(name for names in described.families().values() for name in names) == sorted(BUILT_IN)
    assert described.rules("s3").keys() >= {"bucket-missing", "key-dot-segment"}
    assert described.described(urlsm.schemes.BucketParts).schemes[:3] == ("s3", "s3a", "s3n")
