"""The scheme vectors (vectors.json; their "source" names the RFC section): verdict, codes, positions, warnings and
parts, under each profile. The profile "current" is the dialect rfc3986."""

from __future__ import annotations

import json
import pathlib

import pytest

import urlsm
from urlsm.errors import SchemeError
from urlsm.schemes import Parts

VECTORS = json.loads((pathlib.Path(__file__).parent / "vectors.json").read_text(encoding="utf-8"))
OLD = {"ftp", "http", "gopher", "mailto", "news", "nntp", "telnet", "wais", "file", "prospero"}
CASES = [
    pytest.param(vector, dialect, id=f"{vector['id']}-{dialect}")
    for vector in VECTORS
    for dialect in ("rfc3986", "rfc1738")
    if dialect == "rfc3986" or vector["scheme"] in OLD
]


def valid(vector: dict, dialect: str) -> bool:
    verdict = vector["valid"]
    return verdict if isinstance(verdict, bool) else verdict["current" if dialect == "rfc3986" else "rfc1738"]


def plain(value: object) -> object:
    """Return a part in the form of the vectors."""
    if isinstance(value, bytes):
        return {"bytes": value.hex()}
    if isinstance(value, Parts):
        return {name: plain(value[name]) for name in value.keys()}  # noqa: SIM118
    return [plain(item) for item in value] if isinstance(value, tuple) else value


@pytest.mark.parametrize(("vector", "dialect"), CASES)
def test_violations(vector: dict, dialect: str) -> None:
    found = urlsm.validate(vector["url"], dialect)
    errors = [(violation.code, violation.position) for violation in found if violation.severity == "error"]
    warnings = {(violation.code, violation.position) for violation in found if violation.severity == "warning"}
    if valid(vector, dialect):
        assert errors == []
        if dialect == "rfc3986":
            assert warnings == {(warning["code"], warning["index"]) for warning in vector.get("warnings", [])}
    else:
        profile = "current" if dialect == "rfc3986" else "rfc1738"
        wanted = [(v["code"], v["index"]) for v in vector["violations"] if v["profile"] in ("both", profile)]
        assert len(wanted) == 1 and wanted[0] in errors


@pytest.mark.parametrize(("vector", "dialect"), CASES)
def test_parts(vector: dict, dialect: str) -> None:
    if not valid(vector, dialect):
        with pytest.raises(SchemeError):
            urlsm.parts(vector["url"], dialect)
        return
    found = urlsm.parts(vector["url"], dialect)
    # the vectors' parts are those under current, where it accepts the text
    if dialect == "rfc3986" or not valid(vector, "rfc3986"):
        assert plain(found) == vector["parts"]


@pytest.mark.parametrize(
    "vector", [pytest.param(vector, id=vector["id"]) for vector in VECTORS if valid(vector, "rfc3986")]
)
def test_build_gives_an_equivalent_url_back(vector: dict) -> None:
    text = vector["url"]
    c = urlsm.split(text, "rfc3986")
    handler = urlsm.handler(c.scheme or "")
    again = handler.build(scheme=c.scheme, **urlsm.parts(text))
    assert urlsm.parts(again) == urlsm.parts(text)
    if c.fragment is not None and "#" not in again:  # no part of the parts, of most schemes
        again += f"#{c.fragment}"
    assert urlsm.equivalent(again, text)


@pytest.mark.parametrize(
    "vector", [pytest.param(vector, id=vector["id"]) for vector in VECTORS if valid(vector, "rfc3986")]
)
def test_normal_forms(vector: dict) -> None:
    once = urlsm.normalize(vector["url"])
    assert urlsm.normalize(once) == once
    assert urlsm.equivalent(once, vector["url"])
    assert [v for v in urlsm.validate(once, "rfc3986") if v.severity == "error"] == []
