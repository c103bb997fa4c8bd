"""pkg: purl's own suite (../shared/schemes-2/purl-tests.json, read there), and our own cases."""

from __future__ import annotations

from itertools import product

import pytest
from support.checks import check_normal_form, noted
from support.schemes2 import vectors

import urlsm
from urlsm.schemes.supply.purl import PkgParts
from urlsm.schemes.supply.purl_types import TYPES

PKG = urlsm.handler("pkg")


def read(row: dict) -> object:
    """Return our answer to a row."""
    if row["test_type"] == "parse":
        found = urlsm.parts(row["input"])
        return {**dict(found), "qualifiers": dict(found.qualifiers) or None}
    if row["test_type"] == "validate":
        return urlsm.normalize(row["input"])
    return PKG.build(**{name: value for name, value in row["input"].items() if value is not None})


def wanted(row: dict) -> object:
    answer = row["expected_output"]
    return {**answer, "qualifiers": answer["qualifiers"] or None} if isinstance(answer, dict) else answer


def test_the_suite_of_purl():
    rows, wrong = vectors("purl-tests.json"), []
    for row in rows:
        try:
            answer = read(row)
        except (urlsm.SchemeError, ValueError):
            answer = None
        if answer != (None if row["expected_failure"] else wanted(row)):
            wrong.append((row["test_type"], row["input"], row.get("expected_output"), answer))
    assert wrong == [] and len(rows) == 586


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("PKG:NPM/%40Angular/animation@12.3.1", "pkg:npm/%40Angular/animation@12.3.1"),
        ("pkg://npm//a/b/@1", "pkg:npm/a/b@1"),
        ("pkg:npm/@1", None),  # no name
        ("pkg:generic/@/x", None),
        # the "@" before the version is the last one of the path
        ("pkg:github/golang/mod@refs/tags/v0.30.0", "pkg:github/golang/mod@refs%2Ftags%2Fv0.30.0"),
        ("pkg:git/github.com/a/b@x/y", "pkg:git/github.com/a/b@x%2Fy"),
        ("pkg:npm/%40a/b@c@d", "pkg:npm/%40a/b%40c@d"),
        ("pkg:npm/a@1/", "pkg:npm/a@1"),
        ("pkg:///npm/%40a///b@1", "pkg:npm/%40a/b@1"),
        ("pkg:pypi/Django_REST.x@1?b=2&a=1&c=#/a/./../b/", "pkg:pypi/django-rest.x@1?a=1&b=2#a/b"),
        ("pkg:generic/a+b@1+2?x=1+2#c+d", "pkg:generic/a%2Bb@1%2B2?x=1%2B2#c%2Bd"),
        ("pkg:golang/GitHub.com/A/b@v1", "pkg:golang/GitHub.com/A/b@v1"),
        ("pkg:brew/node@20@20.10.0", "pkg:brew/node%4020@20.10.0"),
        ("pkg:git/github/A/B@1", "pkg:git/github/a/b@1"),
        (
            "pkg:mlflow/M@1?repository_url=https://x.azuredatabricks.net/",
            "pkg:mlflow/m@1?repository_url=https:%2F%2Fx.azuredatabricks.net%2F",
        ),
        (
            "pkg:mlflow/M@1?repository_url=https://x.azureml.ms/",
            "pkg:mlflow/M@1?repository_url=https:%2F%2Fx.azureml.ms%2F",
        ),
        ("pkg:unknown-type/A/B", "pkg:unknown-type/A/B"),
    ],
)
def test_normal_forms(text, normal):
    if normal is None:
        assert urlsm.normalize(text) == text
    else:
        check_normal_form(text, normal)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("pkg:npm/a", []),
        ("pkg://npm/a", [("purl-slashes", 4)]),
        ("pkg:3x/a", [("purl-type-invalid", 4)]),
        ("pkg:npm", [("purl-name-missing", 7)]),
        ("pkg:maven/a", [("purl-namespace-required", 10)]),
        ("pkg:cargo/a/b", [("purl-namespace-prohibited", 10)]),
        ("pkg:cpan/URI::X", [("purl-name-invalid", 9)]),
        ("pkg:chrome-extension/dlpngalgnefjeiefhmpklpfiohadpglk@1-b", [("purl-version-invalid", 54)]),
        ("pkg:julia/a", [("purl-qualifier-required", 11)]),
        (
            "pkg:npm/a?A=1&=2&b&c!=3",
            [
                ("purl-qualifier-key-case", 10),
                ("parameter-name-missing", 14),
                ("parameter-value-missing", 18),
                ("purl-qualifier-key-invalid", 19),
            ],
        ),
        ("pkg:npm/a?a=1&a=2", [("parameter-duplicate", 14)]),
        ("pkg:npm/a b", [("character-not-allowed", 9)]),
    ],
)
def test_violations(text, found):
    assert noted(text) == found


def test_parts():
    assert urlsm.parts("pkg:npm/%40a/b@1.0%2B2?x=y%2Fz#s/t") == PkgParts(
        "npm", "@a", "b", "1.0+2", (("x", "y/z"),), "s/t"
    )
    assert urlsm.parse("pkg:npm/b").parts == PkgParts("npm", None, "b", None, (), None)
    assert PKG.build(type="PyPI", name="A_b", qualifiers={"Z": "1", "a": ""}) == "pkg:pypi/a-b?z=1"
    assert urlsm.equivalent("pkg:npm/a?x=1&y=2", "pkg://NPM/a?y=2&x=1")
    assert not urlsm.equivalent("pkg:npm/a", "pkg:npm/A")
    with pytest.raises(urlsm.SchemeError):
        PKG.build(type="cargo", namespace="a", name="b")


# (input, namespace, name, version): rows of ../shared/reports-4/jobs.json, which packageurl-python 0.17 reads so too
VERSIONS = [
    ("pkg:github/golang/mod@refs/tags/v0.30.0", "golang", "mod", "refs/tags/v0.30.0"),
    ("pkg:github/a/b@feature/x", "a", "b", "feature/x"),
    ("pkg:gem/x@1.0/2", None, "x", "1.0/2"),
    ("pkg:generic/openssl@1.1.1g/a", None, "openssl", "1.1.1g/a"),
    ("pkg://////foo-type/////bar-namespace////bazz-name/////@version", "bar-namespace", "bazz-name", "version"),
    ("pkg:npm/@babel/core", "@babel", "core", None),
    ("pkg:npm/@babel/core@7", "@babel", "core", "7"),
    ("pkg:generic/x/@b/c", None, "x", "b/c"),
    ("pkg:generic/b@", None, "b", None),
]


@pytest.mark.parametrize(("text", "namespace", "name", "version"), VERSIONS)
def test_the_version_follows_the_last_at_sign(text, namespace, name, version):
    found = urlsm.parts(text)
    assert (found.namespace, found.name, found.version) == (namespace, name, version)
    assert urlsm.parse(text).parts == found == urlsm.parts(urlsm.normalize(text))


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("pkg:sid/@busybox.org/busybox@1.35.0", [8]),  # package-url/packageurl-python#229
        ("pkg:sid/=a/b", [8]),
        ("pkg:sid/&a/b", [8]),
        ("pkg:pypi/x@1@2", [10]),
        ("pkg:npm/@babel/core@7", [8]),
        ("pkg:npm/@babel/core", [8]),
        ("pkg:github/a/b@x/y&z", [16, 18]),
        ("pkg:npm/a?vcs_url=git@h", [21]),
        ("pkg:npm/a?x=b=c", [13]),
        ("pkg:npm/a@1/", []),
        ("pkg:npm/a@", []),
        ("pkg:npm/%40a/b%3D@1%2F2?x=%40%3D", []),
    ],
)
def test_an_unescaped_separator_is_warned_of(text, places):
    found = [v for v in urlsm.validate(text) if v.code == "purl-separator"]
    assert [v.position for v in found] == places and all(v.severity == "warning" for v in found)
    assert not [v for v in urlsm.validate(urlsm.normalize(text)) if v.code == "purl-separator"]


def test_packageurl_reads_the_same():
    """Beside packageurl-python, on made paths."""
    packageurl = pytest.importorskip("packageurl", reason="packageurl-python is not installed")
    pieces = ("a", "@", "/", "b", "%40", "1/2")
    seen = 0
    for first, second, third, fourth in product(pieces, repeat=4):
        text = f"pkg:generic/x{first}{second}{third}{fourth}y"
        try:
            peer = packageurl.PackageURL.from_string(text)
        except ValueError:
            continue
        ours = urlsm.parts(text)
        assert (ours.namespace, ours.name, ours.version) == (peer.namespace, peer.name, peer.version), text
        seen += 1
    assert seen > 1000


def test_the_url_within():
    c = urlsm.split("pkg:npm/a?vcs_url=git%2Bhttps:%2F%2Fh%2Fa.git", dialect="rfc3986")
    assert PKG.nested(c) == ["git+https://h/a.git"]
    assert PKG.nested(urlsm.split("pkg:npm/a", dialect="rfc3986")) == []


def test_every_type_says_what_it_needs():
    assert {said[0] for said in TYPES.values()} == {"required", "optional", "prohibited"} and len(TYPES) == 42
