"""What a policy says of the answers of a resolver: each address is judged, and a name may have networks of its own."""

from __future__ import annotations

import asyncio
import socket

import pytest

from urlsm.guard import Policy

POLICY = Policy()


@pytest.fixture
def answers(monkeypatch):
    """What the resolver answers, by name; a name that it does not have is unknown."""
    found: dict[str, list[str]] = {}

    def getaddrinfo(host, port, family=0, type=0, proto=0, flags=0):
        name = host.decode() if isinstance(host, bytes) else host
        if name.rstrip(".") not in found:
            raise socket.gaierror(socket.EAI_NONAME, "unknown")
        return [
            (
                socket.AF_INET6 if ":" in text else socket.AF_INET,
                type,
                6,
                "",
                (text, 0, *((0, 0) if ":" in text else ())),
            )
            for text in found[name.rstrip(".")]
        ]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    return found


def test_each_answer_of_the_resolver_is_judged(answers):
    answers["mixed.example.com"] = ["8.8.8.8", "127.0.0.1", "::ffff:10.0.0.1", "2606:4700::1", "fe80::1%lo"]
    answers["good.example.com"] = ["8.8.8.8", "2606:4700::1", "8.8.8.8"]
    answers["empty.example.com"] = []
    both = [POLICY.resolve, lambda *given, **options: asyncio.run(POLICY.aresolve(*given, **options))]
    for resolve in both:
        assert resolve("good.example.com").addresses == ("8.8.8.8", "2606:4700::1") and resolve("good.example.com.")
        verdict = resolve("mixed.example.com")
        assert not verdict and verdict.codes == ("loopback-address", "private-address", "link-local-address")
        verdict = resolve("mixed.example.com", require_all_addresses=False)
        assert verdict and verdict.addresses == ("8.8.8.8", "2606:4700::1")
        assert resolve("empty.example.com").codes == ("no-address",)
        assert resolve("8.8.8.8").addresses == ("8.8.8.8",) and resolve("[2606:4700::1]").addresses == ("2606:4700::1",)
        with pytest.raises(socket.gaierror):
            resolve("unknown.example.com")
        for name in ("localhost", "printer", "127.1", "a b", "", "a\0b.com", "\ud800.com", "metadata.google.internal"):
            assert not resolve(name).allowed
    assert Policy(require_all_addresses=False).resolve("mixed.example.com").addresses == ("8.8.8.8", "2606:4700::1")


def test_hosts_count_for_addresses_too():
    policy = Policy(domains=["example.com", "8.8.4.4"])
    assert policy.resolve("8.8.4.4").addresses == ("8.8.4.4",)
    for host in ("8.8.8.8", "2606:4700::1111", "[2606:4700::1111]", "10.0.0.1"):
        assert policy.resolve(host).codes[0] == "host"


def test_a_host_is_a_text():
    assert POLICY.resolve(b"8.8.8.8").addresses == ("8.8.8.8",) and not POLICY.resolve(b"[::1]")
    assert not POLICY.resolve(b"127.0.0.1") and not POLICY.resolve(b"\xff.com")
    for host in (None, 5, ["8.8.8.8"], bytearray(b"8.8.8.8")):
        with pytest.raises(TypeError, match="host must be str or bytes"):
            POLICY.resolve(host)
        with pytest.raises(TypeError, match="host must be str or bytes"):
            asyncio.run(POLICY.aresolve(host))


def test_a_name_goes_to_the_resolver_in_ascii(answers):
    answers["xn--bcher-kva.example.com"] = ["8.8.8.8"]
    assert POLICY.resolve("BÜCHER.example.com")


def test_a_name_with_networks_of_its_own(answers):
    policy = Policy(host_networks={"Billing.internal": "10.0.0.0/8"})
    assert policy.check("https://billing.internal/").allowed and policy.check("https://BILLING.internal./").allowed
    assert (
        not policy.check("https://other.internal/").allowed and not policy.check("https://a.billing.internal/").allowed
    )
    answers["billing.internal"] = ["10.1.2.3"]
    answers["other.example.com"] = ["10.1.2.3"]
    assert policy.resolve("billing.internal").addresses == ("10.1.2.3",) and policy.resolve("billing.internal")
    assert not policy.resolve("other.example.com") and not policy.check_address("10.1.2.3")
    answers["billing.internal"] = ["127.0.0.1"]
    assert policy.resolve("billing.internal").codes == ("loopback-address",)
