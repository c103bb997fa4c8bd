"""Each special address and name by each spelling, through each client: as the host of a URL, as the answer of a
resolver, and as the target of a redirect. None is connected to."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address

import pytest
from support.askers import NAMES as CLIENTS
from support.askers import asker_of
from support.listening import Names, Server, connects
from support.seeds import seeded
from support.spellings import NAMES, SPECIAL4, SPECIAL6, disguised, in_ipv6, numbers, row_of

from urlsm.guard import Policy


def spelled():
    for address in SPECIAL4:
        texts = [str(address), *numbers(address)]
        yield from texts
        yield from (other for text in texts for other in disguised(text))
        yield from (f"[{text}]" for text in in_ipv6(address))
    for address in SPECIAL6:
        yield from (f"[{text}]" for text in (str(address), address.exploded.upper(), f"{address}%251", f"{address}%1"))
    yield from (text for name in NAMES for text in (name, name.upper(), f"{name}.", f"a.{name}"))


@pytest.fixture
def names(monkeypatch):
    return Names(monkeypatch)


@pytest.mark.parametrize("step", [23, pytest.param(1, marks=pytest.mark.slow(20))])
@pytest.mark.parametrize("client", CLIENTS)
def test_no_special_address_is_connected_to(client, names, step):
    kind = asker_of(client)
    names["www.example.com"] = ["169.254.169.254"]
    asker = kind(Policy(total_timeout=5))
    tried = 0
    with connects() as connected:
        for host in list(spelled())[::step]:
            for url in (f"http://{host}/", f"https://u:p@{host}:443/x"):
                with pytest.raises(asker.refused):
                    asker.ask(url, timeout=1)
                tried += 1
        for address in (*SPECIAL4[::step], *SPECIAL6[::step]):
            for text in (str(address), *(in_ipv6(address) if address.version == 4 else ())):
                names["row.example.com"] = [text]
                with pytest.raises(asker.refused):
                    asker.ask("https://row.example.com/", timeout=1)
                tried += 1
    asker.close()
    assert not connected and tried > 9000 // step


@pytest.mark.parametrize("client", CLIENTS)
def test_no_redirect_leads_to_a_special_address(client, names):
    kind = asker_of(client)
    server = Server()
    port = server.port
    asker = kind(Policy(["public", "127.77.0.0/16"], ports={port, 80}))
    with connects() as connected:
        for address in (*SPECIAL4[::3], *SPECIAL6[::3]):
            host = f"[{address}]" if address.version == 6 else str(address)
            if not host.startswith("127.77."):
                with pytest.raises(asker.refused):
                    asker.ask(server.url(f"/to?url=http://{host}/"))
    asker.close()
    server.close()
    assert {address for address, _ in connected} == {"127.77.0.1"}


@pytest.mark.parametrize("client", CLIENTS)
def test_public_addresses_are_not_refused(client, names):
    """Nor are they behind NAT64: what is connected to is what was asked for, or what the resolver answered."""
    kind = asker_of(client)
    asker = kind(Policy())
    rng = seeded("public addresses of clients")
    addresses = []
    while len(addresses) < 20:
        address = IPv4Address(rng.getrandbits(32))
        row = row_of(address)
        if row is None or row.public:
            addresses += [str(address), str(IPv6Address(int(IPv6Address("64:ff9b::")) + int(address)))]
    for address in addresses:
        names["www.example.com"] = [address]
        for host in (f"[{address}]" if ":" in address else address, "www.example.com"):
            with connects(held=True) as connected, pytest.raises(asker.error) as found:
                asker.ask(f"http://{host}/", timeout=1)
            assert not isinstance(found.value, asker.refused)
            assert set(connected) == {(address, 80)}
    asker.close()
