"""HTTPS with certificates of a test authority, through each client: the name is checked and sent as SNI, though the
client connects to an address."""

from __future__ import annotations

import pytest
from support.askers import NAMES, asker_of
from support.listening import Authority, Names, Server, connects

from urlsm.guard import Policy


@pytest.fixture(scope="module")
def authority():
    return Authority()


@pytest.fixture(scope="module")
def shared(authority):
    server = Server(authority.server("good.example.com", "127.77.0.2"))
    yield server
    server.close()


@pytest.fixture
def names(monkeypatch):
    found = Names(monkeypatch)
    for name in ("good.example.com", "bad.example.com"):
        found[name] = ["127.77.0.1"]
    found["inside.example.com"] = ["127.0.0.1"]
    return found


@pytest.fixture(params=NAMES)
def make(request, server):
    kind = asker_of(request.param)
    made = []

    def make(context):
        made.append(kind(Policy(["public", "127.77.0.0/16"], ports={server.port}), context))
        return made[-1]

    yield make
    for asker in made:
        asker.close()


def test_names_are_checked_and_sent(make, server, names, authority):
    asker = make(authority.client())
    with connects() as connected:
        assert asker.ask(server.url(host="good.example.com")).content == b"fine"
        assert server.names == ["good.example.com"]
        assert server.requests[0].headers["Host"] == f"good.example.com:{server.port}"
        assert asker.ask(server.url(host="127.77.0.2")).content == b"fine"  # by the certificate's address
        for host in ("bad.example.com", "127.77.0.1"):
            with pytest.raises(asker.error) as found:
                asker.ask(server.url(host=host))
            assert not isinstance(found.value, asker.refused)
        with pytest.raises(asker.refused):
            asker.ask(server.url(host="inside.example.com"))
    assert {address for address, _ in connected} == {"127.77.0.1", "127.77.0.2"} and not server.leaked()
    assert len(server.requests) == 2


def test_redirects_between_names(make, server, names, authority):
    asker = make(authority.client())
    to = server.url("/ok", "good.example.com")
    assert asker.ask(server.url(f"/to?url={to}", "good.example.com")).url == to
    with pytest.raises(asker.error):
        asker.ask(server.url(f"/to?url={server.url('/ok', 'bad.example.com')}", "good.example.com"))
    assert len(server.requests) == 3 and not server.leaked()


def test_authorities_that_are_not_known(make, server, names):
    asker = make(None)
    with pytest.raises(asker.error) as found:
        asker.ask(server.url(host="good.example.com"))
    assert not isinstance(found.value, asker.refused) and not server.requests
