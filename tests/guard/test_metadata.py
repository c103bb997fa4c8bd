"""Where clouds hand out credentials stays shut, however wide a policy is, but to a network of that address alone; and
what a policy denies. Each row of the table, in each spelling, as the host of a URL and as the answer of a resolver."""

from __future__ import annotations

import asyncio
import copy
import ipaddress
import pickle
import time
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

import pytest
from support.askers import NAMES as CLIENTS
from support.askers import asker_of
from support.listening import Names, connects
from support.spellings import in_ipv6, numbers

from urlsm.guard import Policy
from urlsm.patterns import PatternSet
from urlsm.security.addresses import ROWS

ROWS_OF_CLOUDS = [row for row in ROWS if row.hazard == "metadata-address"]
ADDRESSES = [ip_network(row.network)[0] for row in ROWS_OF_CLOUDS if "/" in row.network]
NAMES_OF_CLOUDS = [row.network for row in ROWS_OF_CLOUDS if "/" not in row.network]
PREFIX = "2001:db8:64::/96"
WIDE = ["0.0.0.0/0", "::/0"]
# what a program that reaches its own network may open
OPENED = [
    *("fc00::/7", "fd00::/8", "100.64.0.0/10", "192.0.0.0/24", "169.254.0.0/16", "168.63.0.0/16", "fe80::/10"),
    *("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "::/96", "::ffff:0:0/96", "2001::/32", PREFIX, *WIDE),
]


def embedded(address):
    """IPv6 addresses that may stand for an IPv4 address, beside those that the table knows."""
    n = int(address)
    yield from in_ipv6(address)
    yield str(IPv6Address(int(ip_network(PREFIX)[0]) | n))
    yield str(IPv6Address(0x2001 << 112 | n << 64 | 1))  # Teredo: the server, the client
    yield str(IPv6Address(0x2001 << 112 | 1 << 64 | n ^ 0xFFFFFFFF))
    local = int(IPv6Address("64:ff9b:1::"))
    yield str(IPv6Address(local | n))
    yield str(IPv6Address(local | (n >> 16) << 64 | (n & 0xFFFF) << 40))  # RFC 6052, /48
    yield str(IPv6Address(local | 7 << 72 | (n >> 24) << 64 | (n & 0xFFFFFF) << 32))  # /56
    yield str(IPv6Address(local | 7 << 64 | n << 24))  # /64


def spelled(address):
    yield str(address)
    if address.version == 4:
        padded = ".".join(f"{octet:03}" for octet in address.packed)  # of octal numbers, another address
        yield from (text for text in numbers(address) if text != padded)
        yield from embedded(address)
    else:
        yield from (address.exploded.upper(), f"{address}%eth0")


def host(text):
    return f"[{text}]" if ":" in text else text


@pytest.fixture
def names(monkeypatch):
    return Names(monkeypatch)


def test_the_rows_are_many():
    assert len(ADDRESSES) > 12 and len(NAMES_OF_CLOUDS) > 4
    assert {*map(str, ADDRESSES)} >= {"169.254.169.254", "fd00:ec2::254", "fd20:ce::254", "168.63.129.16"}


@pytest.mark.parametrize("address", ADDRESSES, ids=str)
@pytest.mark.parametrize("nat64", [(), PREFIX])
def test_no_wider_network_opens_an_address(address, nat64, names):
    policies = [Policy(["public", network], nat64_prefixes=nat64) for network in OPENED]
    policies += [Policy(network, nat64_prefixes=nat64) for network in WIDE]
    policies += [
        Policy(["public", *OPENED], nat64_prefixes=nat64, require_all_addresses=all_of_them, domains=hosts)
        for all_of_them in (True, False)
        for hosts in (None, PatternSet(["0.0.0.0/0", "::/0", "a.com"], "domains"))
    ]
    policies.append(
        Policy(["public", *OPENED], nat64_prefixes=nat64, host_networks={"a.com": OPENED, str(address): OPENED})
    )
    for text in spelled(address):
        if not nat64 and text.startswith(PREFIX[:12]):
            continue  # what nobody can know
        names["a.com"] = [text]
        for policy in policies:
            assert not policy.check_address(text).allowed, (text, policy.networks)
            assert not policy.check(f"http://{host(text)}/").allowed, (text, policy.networks)
            assert not policy.resolve(text).allowed, (text, policy.networks)
            if ":" in text or text == str(address):
                assert not policy.resolve("a.com").allowed, (text, policy.networks)
        verdict = policies[-1].check_address(text)
        assert "metadata-address" in verdict.codes, (text, verdict)


@pytest.mark.parametrize("address", ADDRESSES, ids=str)
def test_its_own_network_opens_an_address(address, names):
    own = f"{address}/{address.max_prefixlen}"
    names["a.com"] = names["b.com"] = [str(address)]
    policy = Policy(["public", own])
    assert policy.check(f"http://{host(str(address))}/") and policy.check_address(address) and policy.resolve("a.com")
    assert policy.resolve(str(address)).addresses == (str(address),)
    assert Policy(["public", *OPENED, own]).check_address(address)
    for other in ADDRESSES:
        assert other == address or not policy.check_address(other).allowed
    policy = Policy(host_networks={"a.com": own})
    assert policy.resolve("a.com").addresses == (str(address),)
    assert not policy.resolve("b.com") and not policy.check_address(address)
    policy = Policy(host_networks={str(address): own})
    assert (
        policy.check(f"http://{host(str(address))}/") and policy.resolve(str(address)) and not policy.resolve("a.com")
    )
    if address.version == 4:
        assert Policy(["public", own]).check_address(f"::ffff:{address}")
        for text in embedded(address):
            assert (
                not Policy(["public", own], nat64_prefixes=PREFIX).check_address(text).allowed
                or "::ffff" in str(ip_address(text))
                or ip_address(text) in ip_network(PREFIX)
            )
            verdict = Policy(["public", f"{text}/128"]).check_address(text)
            assert verdict.allowed, (text, verdict)


@pytest.mark.parametrize("address", ADDRESSES, ids=str)
def test_the_refusal_says_which_network_would(address, names):
    own = f"{address}/{address.max_prefixlen}"
    names["a.com"] = [str(address)]
    policy = Policy(["public", *WIDE])
    of_url, of_name = (
        policy.check(f"http://{host(str(address))}/"),
        Policy(host_networks={"a.com": WIDE}).resolve("a.com"),
    )
    for verdict in (of_url, policy.check_address(address), policy.resolve("a.com"), of_name):
        assert (
            f"to allow it, add {own} to networks or host_networks" in verdict.message
            and verdict.codes[0] == "metadata-address"
        )
        assert Policy(["public", own]).check_address(address)
    assert own not in Policy().check_address(address).message  # of a policy that was not widened
    if address.version == 4:
        for text in embedded(address):
            why = Policy(["public", *OPENED]).check_address(text).message
            opens = why.partition("; to allow it, add ")[2].partition(" ")[0]
            assert not opens or Policy(["public", opens]).check_address(text).allowed, (text, opens)


@pytest.mark.parametrize("name", NAMES_OF_CLOUDS)
def test_names(name, names):
    for text in (name, name.upper(), f"{name}.", f"a.{name}"):
        for policy in (
            *(Policy(["public", network]) for network in (*OPENED, "10.0.0.0/8", "10.0.0.1/32")),
            Policy(["public", *OPENED], domains=[name]),
            Policy(["public", *OPENED], host_networks={text: OPENED}),
            *(
                Policy(["public", f"{address}/{address.max_prefixlen}"], proxy="http://proxy:3128")
                for address in ADDRESSES
            ),
        ):
            assert policy.check(f"http://{text}/").codes == ("metadata-address",)
            assert policy.resolve(text).codes == ("metadata-address",)
    assert not names.calls
    names[name] = ["169.254.169.254"]
    for policy in (Policy(["public", "169.254.169.254/32"]), Policy(host_networks={name: "169.254.169.254"})):
        assert policy.check(f"http://{name}/").allowed and policy.resolve(name)
    policy = Policy(host_networks={name: "169.254.169.254/32"})
    assert not policy.check(f"http://a.{name}/").allowed and not policy.check_address("169.254.169.254")
    names[name] = ["169.254.170.2"]
    assert not policy.resolve(name)


@pytest.mark.parametrize("client", CLIENTS)
def test_no_client_connects(client, names):
    asker = asker_of(client)(Policy(["public", *OPENED], nat64_prefixes=PREFIX, total_timeout=5))
    with connects(held=True) as connected:
        for address in ADDRESSES:
            for text in [str(address), *(embedded(address) if address.version == 4 else ())]:
                names["a.com"] = [text]
                for url in (f"http://{host(text)}/", "http://a.com/"):
                    with pytest.raises(asker.refused):
                        asker.ask(url, timeout=1)
        for name in NAMES_OF_CLOUDS:
            names[name] = ["169.254.169.254"]
            with pytest.raises(asker.refused):
                asker.ask(f"http://{name}/", timeout=1)
    asker.close()
    assert not connected


def test_forms():
    from urlsm.guard.embedding import behind, forms, nat64_prefix

    for address in (IPv4Address("1.2.3.4"), IPv4Address("169.254.169.254")):
        assert [*forms(address)] == [address]
        for text in embedded(address):
            found = [*forms(ip_address(text), [nat64_prefix(PREFIX)])]
            assert found[0] == ip_address(text) and address in found, text
    assert [*forms(ip_address("2606:4700::1"))] == [ip_address("2606:4700::1")]
    assert behind(ip_address("2001:db8:122:344:1c0:2:2100::"), 64) is None


# --- what a policy denies ------------------------------------------------------------------------


def test_names_that_are_denied(names):
    hosts, deny = (
        ["evil.com", "evil2.com", "example.org", "noevil.com"],
        ["Evil.com", "bücher.example.org", "x.evil2.com."],
    )
    policy = Policy(["public", "10.0.0.0/8"], deny=deny, host_networks={"a.evil.com": "10.0.0.0/8"}, domains=hosts)
    names["noevil.com"] = names["evil.com"] = names["b.evil.com"] = names["evil2.com"] = ["8.8.8.8"]
    for text in ("evil.com", "EVIL.com.", "a.evil.com", "b.a.evil.com", "x.evil2.com", "xn--bcher-kva.example.org",
                 "a.BÜCHER.example.org", "%65vil.com", "ｅvil.com"):  # fmt: skip
        assert "denied" in policy.check(f"https://u:p@{text}/x").codes, text
        assert policy.resolve(text).codes == ("denied",), text
        assert asyncio.run(policy.aresolve(text)).codes == ("denied",)
    for text in ("noevil.com", "evil2.com", "evil.com.noevil.com", "vil.com.noevil.com"):
        assert policy.check(f"https://{text}/").allowed
    assert policy.resolve("noevil.com") and policy.resolve("evil2.com")
    assert "denied" not in policy.check("https://other.org/evil.com").codes


def test_addresses_that_are_denied(names):
    address = IPv4Address("93.184.216.34")
    for deny in ("93.184.216.34", "93.184.0.0/16", "0x5db8d822", "::ffff:93.184.216.34", "::ffff:5db8:0/112",
                 "64:ff9b::93.184.216.34", "[64:ff9b::93.184.216.34]", ip_network("93.184.216.0/24")):  # fmt: skip
        policy = Policy(
            ["public", "93.184.216.34/32", *OPENED], deny=[deny], nat64_prefixes=PREFIX, host_networks={"a.com": WIDE}
        )
        for text in spelled(address):
            assert "denied" in policy.check(f"http://{host(text)}/").codes, (deny, text)
            assert "denied" in policy.check_address(text).codes and "denied" in policy.resolve(text).codes
            if ":" in text or text == str(address):
                names["a.com"] = [text]
                assert policy.resolve("a.com").codes == ("denied",)
        names["a.com"] = ["93.184.216.34", "8.8.8.8"]
        assert not policy.resolve("a.com") and policy.resolve("a.com", require_all_addresses=False).addresses == (
            "8.8.8.8",
        )
        assert policy.check_address("8.8.8.8") and policy.check("http://93.185.216.34/")
    policy = Policy(deny="2606:4700::/32")
    assert policy.check("http://[2606:4700::1]/").codes == ("denied",) and policy.check("http://[2606:4701::1]/")
    assert policy.check("http://8.8.8.8/") and Policy(deny="::/0").check("http://8.8.8.8/")


def test_an_address_behind_a_prefix_is_denied():
    """As the IPv4 address for which it stands, and in each other form of that."""
    for prefix in (PREFIX, "2001:db8::/32", "2001:db8:1::/48"):
        from urlsm.guard.embedding import behind

        text = {96: "2001:db8:64::808:808", 32: "2001:db8:808:808::", 48: "2001:db8:1:808:8:800::"}[int(prefix[-2:])]
        assert str(behind(ip_address(text), int(prefix[-2:]))) == "8.8.8.8"
        policy = Policy(deny=text, nat64_prefixes=prefix)
        for each in ("8.8.8.8", "::ffff:808:808", "64:ff9b::808:808", text):
            assert policy.check(f"http://{host(each)}/").codes == ("denied",), (prefix, each)
        assert policy.check("http://8.8.4.4/") and Policy(deny=text).check("http://8.8.8.8/")


@pytest.mark.parametrize("text", ["evil.com:80", "//evil.com", "1.2.3.4/8", "::1/129", "x/" + "9" * 1000])
def test_the_error_says_what_deny_takes(text):
    with pytest.raises(ValueError, match="deny must contain names") as found:
        Policy(deny=text)
    assert len(str(found.value)) < 500


def test_the_order_of_the_lists():
    policy = Policy(["public", "169.254.169.254/32"], deny=["169.254.169.254", "a.com"], domains=["b.com"],
                    host_networks={"a.com": "10.0.0.0/8"})  # fmt: skip
    assert policy.check("http://169.254.169.254/").codes == ("denied", "host")
    assert policy.check("http://a.com/").codes == ("denied", "host")
    policy = Policy(["public", "169.254.0.0/16"], domains=["b.com"])
    assert policy.check("http://169.254.169.254/").codes == ("host", "metadata-address", "link-local-address")
    assert Policy(domains=["169.254.169.254"]).check("http://169.254.169.254/").codes[0] == "metadata-address"
    assert Policy(deny=["h.com"], proxy="http://proxy:3128").check("http://a.h.com/").codes == ("denied",)


@pytest.mark.parametrize("client", CLIENTS)
def test_a_client_that_denies(client, server, names):
    names["denied.example.com"] = names["open.example.com"] = ["127.77.0.1"]
    names["away.example.com"] = ["127.77.0.66"]
    asker = asker_of(client)(
        Policy(["public", "127.77.0.0/16"], ports={server.port}, deny=["denied.example.com", "127.77.0.66"])
    )
    for name in ("denied", "away"):
        for url in (
            server.url("/ok", f"{name}.example.com"),
            server.url(f"/to?url={server.url('/ok', f'{name}.example.com')}", "open.example.com"),
        ):
            with pytest.raises(asker.refused) as found:
                asker.ask(url)
            assert found.value.verdict.codes == ("denied",)
    assert {seen.headers["Host"] for seen in server.requests} == {f"open.example.com:{server.port}"}
    asker.close()


@pytest.mark.parametrize("text", [
    "*", "*.evil.com", ".evil.com", "=evil.com", "a b", "", ".", "..", "a..b", "http://evil.com/", "evil.com:80",
    "10.0.0.1/8", "fe80::1%eth0", "evil.com/x", "a@evil.com", "\ud800", "\0", "/", "[::1", "10.0.0.0/33", "evil.com#",
    "public",
])  # fmt: skip
def test_what_deny_does_not_take(text):
    with pytest.raises(ValueError):
        Policy(deny=[text])


def test_long_hosts_are_denied_in_linear_time():
    from urlsm.guard.denials import Denied

    denied = Denied(["evil.com"])
    start = time.perf_counter()
    assert denied.has_name("a." * 500_000 + "evil.com") and not denied.has_name("a." * 500_000 + "good.com")
    assert not denied.has_name("a" * 1_000_000) and not Denied([]).has_name("a." * 500_000)
    assert time.perf_counter() - start < 1


def test_many_networks_are_denied_at_once():
    every = [str(network) for network in ip_network("10.0.0.0/8").subnets(new_prefix=24)]
    policy = Policy(["public", "10.0.0.0/8"], deny=every[:-1])
    start = time.perf_counter()
    for number in range(1000):
        assert not policy.check_address(f"10.{number % 250}.{number % 200}.9").allowed
    assert time.perf_counter() - start < 1
    assert policy.check_address("10.255.255.9") and policy.check_address("9.255.255.255")


def test_other_types_are_no_names():
    for given in ([b"evil.com"], b"evil.com", [5], [None], None, 5):
        for name in ("deny", "networks"):
            with pytest.raises(TypeError):
                Policy(**{name: given})
    with pytest.raises(ValueError) as found:
        Policy(deny=["a " * 1_000_000])
    assert len(str(found.value)) < 300


def test_networks_of_ipaddress():
    policy = Policy(ipaddress.ip_network("10.0.0.0/8"), deny=ipaddress.ip_network("10.1.0.0/16"))
    assert policy.networks == ("10.0.0.0/8",) and policy.check_address("10.2.0.1")
    assert not policy.check_address("10.1.0.1") and not policy.check_address("8.8.8.8")


# --- copies --------------------------------------------------------------------------------------

POLICIES = [
    {},
    {
        "networks": ["public", "10.0.0.0/8"],
        "ports": {8443},
        "schemes": ["https"],
        "max_redirects": 1,
        "require_all_addresses": False,
    },
    {
        "domains": ["a.com"],
        "deny": ["b.a.com", "::1"],
        "host_networks": {"a.com": ["10.0.0.0/8"]},
        "nat64_prefixes": PREFIX,
    },
    {"domains": PatternSet(["https://a.com"], "origins"), "total_timeout": None, "max_bytes": 5, "header_timeout": 0.5},
    {"proxy": "http://user:p%40ss@proxy:3128", "max_decoded_bytes": None},
]


@pytest.mark.parametrize("given", POLICIES)
@pytest.mark.parametrize("copied", [
    copy.copy, copy.deepcopy, *(lambda policy, k=k: pickle.loads(pickle.dumps(policy, k)) for k in range(6)),
    lambda policy: copy.deepcopy([policy])[0], lambda policy: copy.copy(copy.deepcopy(policy)),
])  # fmt: skip
def test_a_copy_judges_alike(given, copied):
    policy = Policy(**given)
    made = copied(policy)
    for url in ("http://127.0.0.1/", "https://a.com/", "https://a.com:8443/", "https://b.a.com/", "http://10.0.0.1/",
                "https://8.8.8.8/", "ftp://a.com/", "http://[2001:db8:64::7f00:1]/", "\\"):  # fmt: skip
        assert made.check(url) == policy.check(url)
    for name in Policy.__slots__:
        if not name.startswith("_") and name not in ("domains", "proxy"):
            assert getattr(made, name) == getattr(policy, name)
    if policy.proxy is not None:
        assert made.proxy.connect("a.com:80") == policy.proxy.connect("a.com:80") and "p@ss" not in repr(made.proxy)
        for each in (copy.copy, copy.deepcopy, lambda proxy: pickle.loads(pickle.dumps(proxy))):
            assert each(policy.proxy).fields == policy.proxy.fields
    with pytest.raises(AttributeError):
        made.ports = ()


@pytest.mark.parametrize("state", [(), (1,), None, {}, (None,) * 40, [], "x"])
def test_no_state_is_put_into_a_policy(state):
    for name in ("__setstate__", "__setstate_cython__"):
        with pytest.raises((AttributeError, TypeError)):
            getattr(Policy(), name)(state)


def test_what_a_policy_allows_stays():
    policy = Policy(host_networks={"a.internal": "10.0.0.0/8"})
    with pytest.raises(TypeError):
        policy.host_networks["metadata.google.internal"] = ("169.254.169.254/32",)
    assert pickle.loads(pickle.dumps(policy)).host_networks == policy.host_networks == {"a.internal": ("10.0.0.0/8",)}


@pytest.mark.parametrize(
    "name", ["*", "*.internal", ".internal", "=a.internal", "a..internal", "", "a:80", "a/b", "\0"]
)
def test_what_host_networks_does_not_take(name):
    """A key that no host of a URL is."""
    with pytest.raises(ValueError, match="host_networks must map one host name or address each"):
        Policy(host_networks={name: "10.0.0.0/8"})
