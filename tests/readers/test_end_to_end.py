"""A program that checks with urllib.parse and fetches with requests, on loopback: is_ambiguous lets no text through
whose request goes elsewhere."""

from __future__ import annotations

import platform
import random
import socket
from importlib.metadata import version
from urllib.parse import urlsplit

import pytest
from support.listening import Server

from urlsm.security import is_ambiguous, readers

requests = pytest.importorskip("requests")
ALLOWED, FORBIDDEN = "good.example", "evil.example"
SEED = 20261126


def listed(name: str, release: str) -> str:
    """Return the reader of a release, or skip if only later ones are known."""
    versions = next(one.versions for one in readers() if one.name == name)
    if [int(part) for part in release.split(".")] < [int(part) for part in versions[0].split(".")]:
        pytest.skip(f"{name} {release} is older than all that are known")
    return f"{name}@{release}"


def hostile(count: int) -> list[str]:
    """Return texts that name both hosts, with whatever stands between them in attacks."""
    draw = random.Random(SEED)
    between = [
        "@", "\\@", "%40", "#@", "?@", "/@", ":80@", ":80\\@", ";@", "\\", "%5c@", "\t@", "[@", "]@", "%00@", "%23@",
        ".", "%2f@", "\u2044@",
    ]  # fmt: skip
    heads = ["http://", "http:\\\\", "http:/", "HTTP://", " http://", "http:///", "http://u:p@"]
    found: list[str] = []
    while len(found) < count:
        hosts = [ALLOWED, FORBIDDEN]
        draw.shuffle(hosts)
        text = draw.choice(heads) + hosts[0] + "".join(draw.choices(between, k=draw.choice([1, 1, 2]))) + hosts[1]
        text += draw.choice(["", "/", ":80/", "/p?q#f", "\\p"])
        if text not in found:
            found.append(text)
    return found


@pytest.fixture
def servers(monkeypatch):
    """The server of the allowed host, and that of every other host: the resolver sends each name to one of them."""
    good, evil = Server(), Server()
    asked: list[str] = []

    def look_up(host, port, *args, **kwargs):
        name = host.decode() if isinstance(host, bytes) else host
        asked.append(name)
        to = good if name.lower() == ALLOWED else evil
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", to.port))]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    yield good, evil, asked
    good.close()
    evil.close()


def checked(text: str) -> bool:
    try:
        return urlsplit(text).hostname == ALLOWED
    except ValueError:
        return False


def fetch(text: str) -> bool:
    with requests.Session() as session:
        session.trust_env = False
        try:
            session.get(text, timeout=5, allow_redirects=False)
        except (requests.RequestException, ValueError):
            return False
    return True


def test_none_gets_through(servers):
    _, evil, _ = servers
    pair = (listed("urllib.parse", platform.python_version()), listed("requests", version("requests")))
    let_in = [text for text in hostile(500) if checked(text)]
    assert len(let_in) > 50
    reached: list[str] = []
    for text in let_in:
        before = len(evil.connections)
        fetch(text)
        if len(evil.connections) > before:
            reached.append(text)
    assert len(reached) > 5  # without is_ambiguous
    for text in let_in:
        if not is_ambiguous(text, readers=pair):
            before = len(evil.connections)
            fetch(text)
            assert len(evil.connections) == before, text
    assert all(is_ambiguous(text, readers=pair) for text in reached)


def test_what_both_read_alike_is_not_refused(servers):
    _, _, asked = servers
    pair = (listed("urllib.parse", platform.python_version()), listed("requests", version("requests")))
    alike = 0
    for text in hostile(500):
        try:
            seen = urlsplit(text)
            host, port = seen.hostname, seen.port
        except ValueError:
            continue
        del asked[:]
        if fetch(text) and asked == [host] and port in (None, 80):
            alike += 1
            assert not is_ambiguous(text, readers=pair), text
    assert alike > 20
