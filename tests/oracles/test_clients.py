"""libpq (by psycopg2) and pymongo, if they are installed, compared with the handlers of postgresql and mongodb: which
texts they accept, and how they read them."""

from __future__ import annotations

import random
import warnings
from typing import Any

import pytest
from support.seeds import seeded

import urlsm
from oracles.rows import Rows, judged
from urlsm import SchemeError


def drawn(rng: random.Random, schemes: list[str], names: list[str], values: list[str]) -> str:
    """A connection URL, or nearly."""
    choose = rng.choice
    userinfo = choose([""] * 4 + ["u@", "u:p@"] * 3 + [":p@", "@", "u:@", "u%40:p%3A@", "u:p:q@", "U~:p!$&@", "u;v@"])
    names_of_hosts = ["h", "H.example", "1.2.3.4", "[::1]"] * 4 + ["[::1", "", "%2Fs.sock", "h%41", "a_b", "[v1.x]"]
    ports = [""] * 8 + [":1", ":65535"] * 4 + [":65536", ":0", ":", ":x", ":05", ":1:2"]
    hosts = ",".join(choose(names_of_hosts) + choose(ports) for _ in range(choose([1, 1, 1, 1, 2, 3])))
    path = choose(["/"] * 4 + ["/db"] * 6 + ["", "/d%20b", "/a/b", "/d.c", "/%2Fx", "/d%zz", "/a:b", "/%C3%A9"])
    equals = ["="] * 9 + ["", "=="]
    fields = "&".join(choose(names) + choose(equals) + choose(values) for _ in range(choose([1, 1, 2, 3])))
    query = choose(["", "", f"?{fields}", f"?{fields}", "?"])
    return choose(schemes) + userinfo + hosts + path + query


def codes(text: str) -> set[str]:
    return {violation.code for violation in urlsm.validate(text) if violation.severity == "error"}


def parts(text: str) -> Any:
    try:
        return urlsm.parts(text)
    except SchemeError:
        return None


# --- libpq ---

POSTGRES_NAMES = ["host", "port", "user", "sslmode", "dbname", "password", "x", "ssl", "requiressl", "%68ost"]
POSTGRES_VALUES = ["", "a", "b%20c", "true", "require", "1", "a/b", "%00", "%zz", "+"]


def settings_of(text: str) -> dict[str, str] | None:
    """Return the settings of libpq by our parts: empty ones are left out, a later name wins."""
    found = parts(text)
    if found is None:
        return None
    made = {
        "user": found.username,
        "password": found.password,
        "host": ",".join(entry.host or "" for entry in found.hosts),
        "port": ",".join("" if entry.port is None else str(entry.port) for entry in found.hosts),
        "dbname": found.database,
    }
    made = {name: value for name, value in made.items() if value}
    for name, value in found.query_params:
        if (name, value) == ("ssl", "true"):
            name, value = "sslmode", "require"
        if name == "requiressl":
            name, value = "sslmode", "require" if (value or "").startswith("1") else "prefer"
        made[name] = value or ""
    return folded(made)


def folded(settings: dict[str, str]) -> dict[str, str]:
    """Return settings with hosts in lower case and ports without leading zeros: ours are, theirs are as written."""
    made = dict(settings)
    if "host" in made:
        made["host"] = made["host"].lower()
    if "port" in made:
        made["port"] = ",".join(str(int(port)) if port.isdigit() else port for port in made["port"].split(","))
    return made


def libpq(text: str) -> dict[str, str] | None:
    from psycopg2 import ProgrammingError
    from psycopg2.extensions import parse_dsn

    try:
        return folded(parse_dsn(text))
    except ProgrammingError:
        return None


POSTGRES_ROWS: Rows = {
    "left to the connection": (
        "parse_dsn only cuts: a host or a port that cannot be is refused when it connects",
        lambda text, ours, theirs: ours is None and theirs is not None
        and codes(text) <= {"host-invalid", "ip-literal-invalid", "port-invalid", "port-out-of-range"},
    ),
}  # fmt: skip


def test_libpq_sees_the_same_settings(cases):
    pytest.importorskip("psycopg2", reason="psycopg2, which asks libpq, is not installed")
    rng = seeded("libpq")
    schemes = ["postgresql://"] * 6 + ["postgres://"] * 3 + ["POSTGRESQL://"]
    texts = [drawn(rng, schemes, POSTGRES_NAMES, POSTGRES_VALUES) for _ in range(cases)]
    seen = judged([(text, settings_of(text), libpq(text)) for text in texts], POSTGRES_ROWS)
    assert seen["agree"] > 0.5 * cases, seen


# --- pymongo ---

MONGO_NAMES = ["replicaSet", "w", "ssl", "tls", "authSource", "maxPoolSize", "MAXPOOLSIZE", "directConnection"]
MONGO_VALUES = ["", "a", "1", "true", "false", "b%20c", "a:b", "-1"]


def connection_of(text: str) -> tuple[Any, ...] | None:
    """Return our parts in pymongo's terms: with the default port, a database up to a dot, and an empty password for an
    absent one."""
    found = parts(text)
    if found is None:
        return None
    hosts = tuple((entry.host, socket_or_port(entry.host, entry.port)) for entry in found.hosts)
    database = (found.database or "").partition(".")[0] or None
    return found.username, found.password or None, hosts, database


def socket_or_port(host: str | None, port: int | None) -> int | None:
    return None if host and host.endswith(".sock") else 27017 if port is None else port


def pymongo(text: str) -> tuple[Any, ...] | str:
    """Return pymongo's reading, or why it refuses; of the options only whether they can be read."""
    from pymongo.errors import PyMongoError
    from pymongo.uri_parser import parse_uri

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            found = parse_uri(text, validate=False)
        except (PyMongoError, ValueError) as error:
            return str(error)
    hosts = tuple((host, socket_or_port(host, port)) for host, port in found["nodelist"])
    return found["username"], found["password"] or None, hosts, found["database"]


def says(theirs: Any, *reasons: str) -> bool:
    return isinstance(theirs, str) and any(reason in theirs for reason in reasons)


MONGO_ROWS: Rows = {
    "lax": (
        "pymongo takes a port without a host, leaves broken escapes as they are, and does not validate options here",
        lambda text, ours, theirs: ours is None and isinstance(theirs, tuple)
        and codes(text) <= {"host-missing", "bad-percent-escape", "mongodb-auth-source-empty",
                            "mongodb-options-contradict"},
    ),
    "directConnection": (
        "as it is not asked to validate here, any text is true to it",
        lambda text, ours, theirs: ours and says(theirs, "multiple hosts with directConnection")
        and "directConnection=true" not in text,
    ),
}  # fmt: skip


def test_pymongo_sees_the_same_connection(cases):
    pytest.importorskip("pymongo", reason="pymongo is not installed")
    rng = seeded("pymongo")
    texts = [drawn(rng, ["mongodb://"], MONGO_NAMES, MONGO_VALUES) for _ in range(cases)]
    triples = [(text, connection_of(text), pymongo(text)) for text in texts]
    both = [triple for triple in triples if triple[1] is not None or not isinstance(triple[2], str)]
    seen = judged(both, MONGO_ROWS)
    assert seen["agree"] > 0.2 * cases, seen
