"""The scheme vectors (vectors.json; their "source" names the RFC section): verdict, codes, positions, warnings and
parts, under each profile. The profile "current" is the dialect rfc3986. A test has all vectors of a scheme."""

from __future__ import annotations

import json
import pathlib
from collections.abc import Iterator

import pytest
from support.checks import unescape

import urlsm
from urlsm.errors import SchemeError
from urlsm.schemes import Parts

VECTORS = json.loads((pathlib.Path(__file__).parent / "vectors.json").read_text(encoding="utf-8"))
OLD = {"ftp", "http", "gopher", "mailto", "news", "nntp", "telnet", "wais", "file", "prospero"}


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


def vectors(scheme: str) -> Iterator[tuple[dict, str]]:
    """Yield the vectors of a scheme, each with the dialects that it is about."""
    for vector in VECTORS:
        if vector["scheme"] == scheme:
            yield vector, "rfc3986"
            if scheme in OLD:
                yield vector, "rfc1738"


each_scheme = pytest.mark.parametrize("scheme", sorted({vector["scheme"] for vector in VECTORS}))


@each_scheme
def test_violations(scheme: str) -> None:
    for vector, dialect in vectors(scheme):
        found = urlsm.validate(vector["url"], dialect=dialect)
        errors = [(violation.code, violation.position) for violation in found if violation.severity == "error"]
        warnings = {(violation.code, violation.position) for violation in found if violation.severity == "warning"}
        name = vector["id"], dialect
        if valid(vector, dialect):
            assert errors == [], name
            if dialect == "rfc3986":
                assert warnings == {(warning["code"], warning["index"]) for warning in vector.get("warnings", [])}, name
        else:
            profile = "current" if dialect == "rfc3986" else "rfc1738"
            wanted = [(v["code"], v["index"]) for v in vector["violations"] if v["profile"] in ("both", profile)]
            assert len(wanted) == 1 and wanted[0] in errors, name


@each_scheme
def test_parts(scheme: str) -> None:
    for vector, dialect in vectors(scheme):
        if not valid(vector, dialect):
            with pytest.raises(SchemeError):
                urlsm.parts(vector["url"], dialect=dialect)
            continue
        found = urlsm.parts(vector["url"], dialect=dialect)
        # the vectors' parts are those under current, where it accepts the text
        if dialect == "rfc3986" or not valid(vector, "rfc3986"):
            shown = plain(found)
            assert {name: shown[name] for name in vector["parts"]} == vector["parts"], (vector["id"], dialect)
            # fields that are younger than the vectors
            assert not any(shown[name] for name in shown.keys() - vector["parts"].keys()), (vector["id"], dialect)


@each_scheme
def test_build_gives_an_equivalent_url_back(scheme: str) -> None:
    for vector, dialect in vectors(scheme):
        if dialect != "rfc3986" or not valid(vector, dialect):
            continue
        text = vector["url"]
        c = urlsm.split(text, dialect="rfc3986")
        again = urlsm.handler(c.scheme or "").build(scheme=c.scheme, **urlsm.parts(text))
        assert urlsm.parts(again) == urlsm.parts(text), vector["id"]
        if c.fragment is not None and "#" not in again:  # no part of the parts, of most schemes
            again += f"#{c.fragment}"
        # user information is as build writes it: an escaped delimiter in it stays one (RFC 3986 section 6.2.2.2)
        assert urlsm.equivalent(split_user(again), split_user(text)), vector["id"]


def split_user(text: str) -> str:
    """Return a text with its user information decoded."""
    c = urlsm.split(text, dialect="rfc3986")
    return text if c.userinfo is None else text.replace(f"//{c.userinfo}@", f"//{unescape(c.userinfo)}@")


@each_scheme
def test_normal_forms(scheme: str) -> None:
    for vector, dialect in vectors(scheme):
        if dialect != "rfc3986" or not valid(vector, dialect):
            continue
        once = urlsm.normalize(vector["url"])
        assert urlsm.normalize(once) == once, vector["id"]
        assert urlsm.equivalent(once, vector["url"]), vector["id"]
        assert [v for v in urlsm.validate(once, dialect="rfc3986") if v.severity == "error"] == [], vector["id"]
