"""A counting server on loopback, and a resolver that answers what a test says: for the clients behind a policy."""

from __future__ import annotations

import pytest
from support.listening import Names, Server


@pytest.fixture(scope="module")
def shared():
    server = Server()
    yield server
    server.close()


@pytest.fixture
def server(shared):
    shared.clear()
    return shared


@pytest.fixture
def names(monkeypatch):
    """open and other lead to the server, inside to where no policy of these tests lets anything through."""
    found = Names(monkeypatch)
    found["open.example.com"] = found["other.example.com"] = ["127.77.0.1"]
    found["inside.example.com"] = ["127.0.0.1"]
    return found
