"""Random hostile texts, asked for and as the target of a redirect: a client connects to nothing but what is allowed."""

from __future__ import annotations

from contextlib import suppress
from urllib.parse import quote

import pytest
from support.askers import NAMES, asker_of
from support.hostile import texts
from support.listening import Names, Server, connects
from support.seeds import seeded

from urlsm.guard import Policy


@pytest.mark.parametrize("count", [60, pytest.param(2_000, marks=pytest.mark.slow(5))])
@pytest.mark.parametrize("client", NAMES)
def test_what_is_connected_to_is_allowed(client, count, monkeypatch):
    kind = asker_of(client)
    server = Server()
    names = Names(monkeypatch)
    names["open.example.com"] = ["127.77.0.1"]
    names["inside.example.com"] = names["localhost"] = ["127.0.0.1"]
    names["mixed.example.com"] = [["127.77.0.1"], ["127.77.0.1", "127.0.0.1"]] * count
    policy = Policy(["public", "127.77.0.0/16"], ports={server.port, 80})
    asker = kind(policy)
    answered = 0
    with connects(held=True) as connected:
        for text in texts(seeded(f"hostile {client}"), server.port, count):
            line = text.replace("\r", "").replace("\n", "")  # what a header can have
            for url in (text, server.url(f"/to?url={quote(line, safe='')}")):
                with suppress(asker.error, ValueError):  # ValueError: of a text that a client cannot read
                    answered += asker.ask(url, timeout=1).status == 200
    asker.close()
    server.close()
    assert not server.leaked()
    for address in {address for address, _ in connected}:  # "0127.0.0.1" is 87.0.0.1, which is public
        assert policy.check_address(address) and policy.check_address(address).final, address
    assert answered > count // 20
