"""The example of every handler has the same parts by text, URL, column, series and the shell; build writes it again."""

from __future__ import annotations

import json

import pytest

import urlsm
from urlsm.cli.app import main
from urlsm.meaning.connections import connection
from urlsm.meaning.questions import plain
from urlsm.meaning.registry import known

# what build writes in the form of its scheme: defaults left out, "%20" for "+", no separators, no fragment of a page
REWRITTEN = {
    *("databricks", "dns", "geo", "http", "https", "intent", "magnet", "mongodb", "mongodb+srv", "mssql", "otpauth"),
    *("sqlserver", "tel"),
}
NO_URL = {"aaa", "aaas"}  # ";" behind the port: a list of Diameter's options, which no URL parser reads


def example(scheme: str) -> str:
    return scheme + urlsm.handler(scheme).example.removeprefix(urlsm.handler(scheme).example.partition(":")[0])


def written(value: object) -> str | None:
    return value if value is None or isinstance(value, str) else json.dumps(plain(value))


@pytest.mark.parametrize("scheme", known())
def test_build_is_the_inverse_of_parts(scheme):
    text, handler = example(scheme), urlsm.handler(scheme)
    parts = urlsm.parts(text)
    built = handler.build(scheme=scheme, **parts)
    assert built == text or scheme in REWRITTEN
    assert urlsm.parts(built) == parts
    normal = urlsm.normalize(text)
    assert not [found for found in urlsm.validate(normal) if found.severity == "error"]
    assert urlsm.normalize(normal) == normal and urlsm.equivalent(text, normal)


@pytest.mark.parametrize("scheme", sorted({*known()} - NO_URL))
def test_every_way_has_the_same_parts(scheme, capsys):
    text = example(scheme)
    url = urlsm.try_parse(text) or connection(text)
    parts = url.parts
    assert parts == urlsm.parts(text) or scheme == "awsathena"  # the URL parser drops an empty user
    assert main(["parse", "--parts", "--json", text]) == 0
    assert json.loads(capsys.readouterr().out)["parts"] == json.loads(json.dumps(plain(parts)))
    pa = pytest.importorskip("pyarrow", minversion="16")
    import urlsm.columns as uc

    names = tuple(f"parts.{name}" for name in dict(parts))
    wanted = {f"parts.{name}": value for name, value in dict(parts).items()}
    (row,) = uc.parse(pa.array([text]), names).to_pylist()
    for name, value in wanted.items():
        assert row[name] == value or json.loads(row[name]) == json.loads(written(value) or "null"), name
