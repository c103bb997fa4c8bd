"""SQLAlchemy, packageurl-python and pyotp, where installed, beside the handlers of databases, pkg and otpauth."""

from __future__ import annotations

import random
from typing import Any

import pytest
from support.seeds import seeded

import urlsm
from oracles.rows import Rows, judged
from urlsm import SchemeError


def parts(text: str) -> Any:
    try:
        return urlsm.parts(text)
    except SchemeError:
        return None


def codes(text: str) -> set[str]:
    return {violation.code for violation in urlsm.validate(text) if violation.severity == "error"}


# --- SQLAlchemy ---


def database(rng: random.Random) -> str:
    choose = rng.choice
    scheme = choose(
        ["mysql", "mysql+pymysql", "mariadb", "mariadb+mariadbconnector", "trino", "cockroachdb", "redshift"]
    )
    userinfo = choose([""] * 3 + ["u@", "u:p@", "u:p%40q@", "u%3Ax:p%2F@", "u:@", "u:p:q@", ":p@", "u+v:p+q@"])
    host = choose(["h", "db.example.org", "H.example", "1.2.3.4", "[::1]", "h-1", "a_b"]) + choose(
        ["", "", ":1", ":65535"]
    )
    path = choose(["", "/", "/d", "/d%20b", "/d.c", "/a-b", "/d%2Fe"])
    pairs = [choose(["a", "charset", "ssl_ca", "b%20c"]) + "=" + choose(["x", "1", "b+c", "%2B", "a%26b", "utf8mb4"])
             for _ in range(choose([0, 0, 1, 2]))]  # fmt: skip
    return f"{scheme}://{userinfo}{host}{path}" + ("?" + "&".join(pairs) if pairs else "")


def ours_of_database(text: str) -> tuple[Any, ...] | None:
    found = parts(text)
    if found is None:
        return None
    query: dict[str, Any] = {}
    for name, value in found.query_params:
        query.setdefault(name, []).append(value or "")
    name = text.partition(":")[0]
    return (name, found.driver, found.username, found.password, found.host, found.port, found.database or None, query)


def sqlalchemy(text: str) -> tuple[Any, ...] | None:
    from sqlalchemy.engine import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        found = make_url(text)
    except (ArgumentError, ValueError):
        return None
    query = {name: list(value) if isinstance(value, tuple) else [value] for name, value in found.query.items()}
    driver = found.drivername.partition("+")[2] or None
    host = found.host.lower() if found.host else found.host
    password = None if found.password is None else str(found.password)
    return (found.drivername, driver, found.username, password, host, found.port, found.database or None, query)


SQLALCHEMY_ROWS: Rows = {
    "escapes of the database": (
        "SQLAlchemy leaves the escapes of a database's name, which drivers do not decode",
        lambda text, ours, theirs: ours and theirs and ours[6] != theirs[6] and "%" in (theirs[6] or "")
        and ours[:6] == theirs[:6],
    ),
}  # fmt: skip


def test_sqlalchemy_sees_the_same_connection(cases):
    pytest.importorskip("sqlalchemy", reason="SQLAlchemy is not installed")
    rng = seeded("sqlalchemy")
    texts = [database(rng) for _ in range(cases)]
    seen = judged([(text, ours_of_database(text), sqlalchemy(text)) for text in texts], SQLALCHEMY_ROWS)
    assert seen["agree"] > 0.5 * cases, seen


# --- packageurl-python ---


def package(rng: random.Random) -> str:
    choose = rng.choice
    kind = choose(["generic", "npm", "pypi", "maven", "GitHub", "deb", "nuget", "cargo", "gem"])
    namespace = choose(["", "", "a/", "a/b/", "org.example/", "A%20b/"])
    name = choose(["a", "Foo", "foo_bar", "foo-bar", "a.b", "a%20b", "%C3%A4", "a~b"])
    version = choose(["", "", "@1.0", "@1.0-2", "@v1%2B2", "@1:2", "@%20"])
    pairs = sorted(
        {
            choose(["arch", "os", "b_c"]): choose(["x", "i386", "a%20b", "a:b", "1.2"])
            for _ in range(choose([0, 1, 2]))
        }.items()
    )
    subpath = choose(["", "", "", "#a", "#a/b", "#a/./b", "#/a/", "#a%20b"])
    return (
        f"pkg:{kind}/{namespace}{name}{version}"
        + ("?" + "&".join(f"{k}={v}" for k, v in pairs) if pairs else "")
        + subpath
    )


def ours_of_package(text: str) -> tuple[Any, ...] | None:
    found = parts(urlsm.normalize(text))
    if found is None:
        return None
    qualifiers = dict(found.qualifiers)
    return (found.type, found.namespace, found.name, found.version, qualifiers, found.subpath)


def packageurl(text: str) -> tuple[Any, ...] | None:
    from packageurl import PackageURL

    try:
        found = PackageURL.from_string(text)
    except ValueError:
        return None
    return (found.type, found.namespace, found.name, found.version, found.qualifiers, found.subpath)


def plain(seen: tuple[Any, ...]) -> list[str]:
    """What was seen, case and blanks aside."""
    return ["" if value is None else str(value).strip().lower() for value in seen]


PACKAGE_ROWS: Rows = {
    "namespaces of a type": (
        "packageurl-python does not know which types need a namespace, and which have none (purl-spec's types)",
        lambda text, ours, theirs: ours is None and theirs is not None
        and codes(text) <= {"purl-namespace-prohibited", "purl-namespace-required"},
    ),
    "what a type folds": (
        "it does not fold deb's namespace and name, and folds npm's name, which legacy packages have in capitals",
        lambda text, ours, theirs: ours and theirs and ours[0] in ("deb", "npm") and plain(ours) == plain(theirs),
    ),
    "a version of blanks": (
        "it strips decoded white space",
        lambda text, ours, theirs: ours and theirs and ours[3] == " " and theirs[3] is None
        and (*ours[:3], *ours[4:]) == (*theirs[:3], *theirs[4:]),
    ),
}  # fmt: skip


def test_packageurl_sees_the_same_package(cases):
    pytest.importorskip("packageurl", reason="packageurl-python is not installed")
    rng = seeded("packageurl")
    texts = [package(rng) for _ in range(cases)]
    seen = judged([(text, ours_of_package(text), packageurl(text)) for text in texts], PACKAGE_ROWS)
    assert seen["agree"] > 0.4 * cases, seen


# --- pyotp ---


def key(rng: random.Random) -> str:
    choose = rng.choice
    label = choose(["a", "A:b", "A%20Co:b@c.d", "A:%20b", "a@b.c", "A%3Ab", "a+b@c.d", "A+Co:b"])
    pairs = ["secret=" + choose(["JBSWY3DPEHPK3PXP" * 2, "abcd2345" * 4, "AA" * 14, "AA", "A1" * 14, ""])]
    pairs += ["issuer=" + choose(["A", "A%20Co", "A+Co", "Other"])] * choose([0, 1])
    pairs += ["algorithm=" + choose(["SHA1", "SHA256", "SHA512", "MD5"])] * choose([0, 0, 1])
    pairs += ["digits=" + choose(["6", "7", "8", "5", "x"])] * choose([0, 0, 1])
    pairs += ["period=" + choose(["30", "60", "x"])] * choose([0, 0, 1])
    kind = choose(["totp", "totp", "totp", "hotp", "motp"])
    if kind == "hotp":
        pairs += ["counter=" + choose(["0", "5"])]
    rng.shuffle(pairs)
    return f"otpauth://{kind}/{label}?{'&'.join(pairs)}"


def ours_of_key(text: str) -> tuple[Any, ...] | None:
    found = parts(text)
    if found is None:
        return None
    number = found.counter if found.type == "hotp" else found.period or 30
    return (found.secret, found.issuer, found.account, found.digits, found.algorithm.lower(), number)


def pyotp(text: str) -> tuple[Any, ...] | None:
    import pyotp as library

    try:
        found = library.parse_uri(text)
    except (TypeError, ValueError):  # a period of a HOTP is a TypeError
        return None
    number = found.initial_count if isinstance(found, library.HOTP) else found.interval
    return (found.secret, found.issuer, found.name, found.digits, found.digest().name, number)


KEY_ROWS: Rows = {
    "short secrets": (
        "pyotp wants 112 bits (RFC 4226 section 4, R6); Google's own examples have 80",
        lambda text, ours, theirs: ours and theirs is None and len(ours[0]) < 23,
    ),
    "the period of a counter": (
        "pyotp raises TypeError for it; it says nothing",
        lambda text, ours, theirs: ours and theirs is None and "//hotp/" in text and "period=" in text,
    ),
    "issuers that differ": (
        "pyotp refuses what our handler warns of: the label and the parameter name two issuers",
        lambda text, ours, theirs: ours and theirs is None and parts(text).label_issuer not in (None, ours[1]),
    ),
    "the secret's case, and blanks of the label": (
        "pyotp gives these as written; base32 has no case, and the label may have blanks behind its colon",
        lambda text, ours, theirs: ours and theirs and plain(ours) == plain(theirs),
    ),
    "an escaped colon": (
        "pyotp divides the label before it decodes it; by the Key URI Format the colon may be escaped",
        lambda text, ours, theirs: ours and theirs and "%3A" in text and theirs[2].partition(":")[2] == ours[2]
        and plain((ours[0], *ours[3:])) == plain((theirs[0], *theirs[3:])),
    ),
    "a plus": (
        "pyotp reads a form, where a plus is a space; the Key URI Format encodes by RFC 3986, where it is a plus",
        lambda text, ours, theirs: ours and "+" in (ours[1] or "")
        and (plain((ours[0], ours[1].replace("+", " "), *ours[2:])) == plain(theirs) if theirs
             else parts(text).label_issuer == ours[1]),
    ),
}  # fmt: skip


def test_pyotp_sees_the_same_key(cases):
    pytest.importorskip("pyotp", reason="pyotp is not installed")
    rng = seeded("pyotp")
    texts = [key(rng) for _ in range(cases)]
    seen = judged([(text, ours_of_key(text), pyotp(text)) for text in texts], KEY_ROWS)
    assert seen["agree"] > 0.3 * cases, seen
