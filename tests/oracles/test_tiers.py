"""The tiers of the schemes (oracles/tiers.py writes them): what they say is what the documents, the vectors and the
records say, and the oracles that only they ask agree on fresh texts."""

from __future__ import annotations

import pytest

import urlsm
from oracles import tiers
from urlsm.schemes.built_in import BUILT_IN
from urlsm.schemes.tiers import TIERS, Tier


def test_the_table_is_what_the_records_say():
    assert tiers.written(tiers.noted()) == tiers.TARGET.read_text(encoding="utf-8")


def test_each_built_in_scheme_has_a_tier():
    assert TIERS.keys() == {urlsm.handler(name).names[0] for name in BUILT_IN}
    for name in BUILT_IN:
        found = urlsm.handler(name).tier
        assert isinstance(found, Tier) and found.name in ("frozen", "living", "table")
        assert (found.name == "frozen") is (found.vectors >= tiers.STRICT)
        assert bool(found.texts) is bool(found.oracle) is bool(found.version) is bool(found.date)
        assert found.name != "living" or (found.oracle in tiers.ORACLES and found.texts > 10)


def test_a_handler_of_others_has_no_tier():
    class Lamp(urlsm.schemes.Scheme):
        names = ("s3",)

    assert Lamp().tier is urlsm.handler("no-such").tier is None
    assert urlsm.handler("mysql+pymysql").tier == urlsm.handler("mysql").tier


def test_each_document_can_be_cited():
    """Where nothing but a document holds a handler, there must be one."""
    for name in BUILT_IN:
        reference = urlsm.handler(name).reference
        assert reference and "by use" not in reference and "usage" not in reference, name


@pytest.mark.parametrize("name", ["SQLAlchemy", "SQLAlchemy, files and accounts"])
def test_sqlalchemy_reads_other_dialects_alike(name, cases):
    pytest.importorskip("sqlalchemy", reason="SQLAlchemy is not installed")
    assert sum(tiers.asked(name, cases).values()) > 50
