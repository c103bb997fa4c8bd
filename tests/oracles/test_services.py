"""redis-py, pika and spiffe, where installed, beside the handlers of Redis, AMQP and workloads' identities."""

from __future__ import annotations

import random
from typing import Any

import pytest
from support.seeds import seeded

from oracles.rows import Rows, judged
from oracles.test_libraries import codes, parts

Seen = tuple[Any, ...] | None
USERINFO = ("", "", "u@", "u:p@", ":p@", "u%40v:p%2Fq@", "u:@", "u:p:q@")
HOSTS = ("h", "H.example", "1.2.3.4", "[::1]", "a_b", "h-1.example")
PORTS = ("", "", ":1", ":6379", ":65535")

# --- redis-py ---


def server(rng: random.Random) -> str:
    choose = rng.choice
    path = choose(["", "/", "/0", "/3", "/15", "/x", "/1/2", "/%33"])
    query = choose(["", "", "?protocol=3", "?db=2", "?a=b%20c", "?client_name=a%2Bb"])
    return choose(["redis://", "rediss://"]) + choose(USERINFO) + choose(HOSTS) + choose(PORTS) + path + query


def ours_of_server(text: str) -> Seen:
    found = parts(text)
    if found is None:
        return None
    return found.username or None, found.password or None, found.host, found.port, found.database_index


def redis(text: str) -> Seen:
    from redis.connection import parse_url

    try:
        found = parse_url(text)
    except ValueError:
        return None
    return tuple([found.get(name) for name in ("username", "password", "host", "port", "db")])


SERVER_ROWS: Rows = {
    "db of the query": (
        "IANA's registration has it in the path; redis-py prefers the query",
        lambda text, ours, theirs: ours and theirs and "?db=" in text and ours[:4] == theirs[:4] and theirs[4] == 2,
    ),
    "what is no number": (
        "redis-py takes the database 0 for a path that is no number, and 12 for /1/2",
        lambda text, ours, theirs: ours is None and bool(codes(text))
        and all("redis" in code or "path" in code or "database" in code for code in codes(text)),
    ),
}  # fmt: skip


def test_redis_py_sees_the_same_database(cases):
    pytest.importorskip("redis", reason="redis-py is not installed")
    rng = seeded("redis")
    texts = [server(rng) for _ in range(cases)]
    seen = judged([(text, ours_of_server(text), redis(text)) for text in texts], SERVER_ROWS)
    assert seen["agree"] > 0.4 * cases, seen


# --- pika ---


def broker(rng: random.Random) -> str:
    choose = rng.choice
    path = choose(["", "/", "/v", "/%2F", "/%2fv", "/a%20b", "/a.b"])
    query = choose(["", "", "?heartbeat=3", "?channel_max=3&frame_max=4096", "?locale=x"])
    return choose(["amqp://", "amqps://"]) + choose(USERINFO) + choose(HOSTS) + choose(PORTS) + path + query


def ours_of_broker(text: str) -> Seen:
    found = parts(text)
    if found is None:
        return None
    return found.username, found.password, found.host, found.port or (5671 if text[4] == "s" else 5672), found.vhost


def pika(text: str) -> Seen:
    from pika import URLParameters

    try:
        found = URLParameters(text)
    except (TypeError, ValueError):  # TypeError for a user without a password
        return None
    return found.credentials.username, found.credentials.password, found.host, found.port, found.virtual_host


BROKER_ROWS: Rows = {
    "a colon of the password": (
        "the grammar of the RabbitMQ URI specification has none that is not escaped",
        lambda text, ours, theirs: ours is None and ":p:q@" in text,
    ),
    "no password": (
        "the grammar of the RabbitMQ URI specification has a user without a password, which makes pika fail",
        lambda text, ours, theirs: ours and theirs is None and ours[0] and ours[1] is None,
    ),
    "defaults": (
        "pika gives guest, and the virtual host /, for what is absent (and for an empty virtual host)",
        lambda text, ours, theirs: ours and theirs and ours[2:4] == theirs[2:4] and theirs[4] == (ours[4] or "/")
        and ((ours[0] is None and theirs[:2] == ("guest", "guest"))
             or tuple(part or "" for part in ours[:2]) == tuple(part or "" for part in theirs[:2])),
    ),
}  # fmt: skip


def test_pika_sees_the_same_broker(cases):
    pytest.importorskip("pika", reason="pika is not installed")
    rng = seeded("pika")
    texts = [broker(rng) for _ in range(cases)]
    seen = judged([(text, ours_of_broker(text), pika(text)) for text in texts], BROKER_ROWS)
    assert seen["agree"] > 0.1 * cases, seen


# --- spiffe ---


def workload(rng: random.Random) -> str:
    choose = rng.choice
    domain = choose(["td.example", "td", "a-b_c.9", "TD.example", "", "t%41d", "td:80", "u@td", "t d", "[::1]"])
    path = choose(["", "/", "/a", "/a/b", "/a//b", "/a/", "/a/./b", "/..", "/A-b_c.9", "/a%20b", "/~a", "/a b"])
    return choose(["spiffe://"] * 5 + ["SPIFFE://"]) + domain + path + choose([""] * 5 + ["?a", "#a"])


def ours_of_workload(text: str) -> Seen:
    found = parts(text)
    return None if found is None else (found.trust_domain, found.path)


def spiffe(text: str) -> Seen:
    from spiffe import SpiffeId
    from spiffe.spiffe_id.spiffe_id import SpiffeIdError

    try:
        found = SpiffeId(text)
    except SpiffeIdError:
        return None
    return found.trust_domain.name, found.path


WORKLOAD_ROWS: Rows = {
    "capitals": (
        "SPIFFE-ID section 2.1: a trust domain is in lower case; the library makes it so",
        lambda text, ours, theirs: ours is None and "TD." in text and theirs[0] == "td.example",
    ),
}  # fmt: skip


def test_spiffe_sees_the_same_workload(cases):
    pytest.importorskip("spiffe", reason="spiffe is not installed")
    rng = seeded("spiffe")
    texts = [workload(rng) for _ in range(cases)]
    seen = judged([(text, ours_of_workload(text), spiffe(text)) for text in texts], WORKLOAD_ROWS)
    assert seen["agree"] > 0.5 * cases, seen
