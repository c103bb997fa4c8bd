"""Special addresses and names: each row of the table, its edges, and all forms of an address in it."""

from __future__ import annotations

import importlib
import pathlib
import re
import sys
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import urlsm
from urlsm.security import AddressKind, address_kind, has_public_host
from urlsm.security.addresses import IPV4, IPV6, REGISTRIES, ROWS, Row

PUBLIC, PRIVATE = None, "private-address"
LOOPBACK, LINK_LOCAL, METADATA = "loopback-address", "link-local-address", "metadata-address"
NO_HAZARD = "none"
# network -> addresses in it that no smaller one contains; the code of audit
ADDRESSES = {
    "0.0.0.0/8": ("0.0.0.1 0.1.2.3", PRIVATE), "0.0.0.0/32": ("0.0.0.0", LOOPBACK),
    "10.0.0.0/8": ("10.20.30.40", PRIVATE), "100.64.0.0/10": ("100.100.1.1 100.127.0.0", PRIVATE),
    "127.0.0.0/8": ("127.0.0.1 127.53.0.53", LOOPBACK), "169.254.0.0/16": ("169.254.7.7", LINK_LOCAL),
    "172.16.0.0/12": ("172.20.0.1", PRIVATE), "192.0.0.0/24": ("192.0.0.11 192.0.0.191", PRIVATE),
    "192.0.0.0/29": ("192.0.0.2", PRIVATE), "192.0.0.8/32": ("192.0.0.8", PRIVATE),
    "192.0.0.9/32": ("192.0.0.9", PUBLIC), "192.0.0.10/32": ("192.0.0.10", PUBLIC),
    "192.0.0.170/32": ("192.0.0.170", PRIVATE), "192.0.0.171/32": ("192.0.0.171", PRIVATE),
    "192.0.2.0/24": ("192.0.2.33", PRIVATE), "192.31.196.0/24": ("192.31.196.5", PUBLIC),
    "192.52.193.0/24": ("192.52.193.5", PUBLIC), "192.88.99.0/24": ("192.88.99.1 192.88.99.200", PRIVATE),
    "192.88.99.2/32": ("192.88.99.2", PRIVATE), "192.168.0.0/16": ("192.168.100.14", PRIVATE),
    "192.175.48.0/24": ("192.175.48.6", PUBLIC), "198.18.0.0/15": ("198.18.4.4 198.19.1.1", PRIVATE),
    "198.51.100.0/24": ("198.51.100.7", PRIVATE), "203.0.113.0/24": ("203.0.113.9", PRIVATE),
    "240.0.0.0/4": ("250.1.2.3 255.255.255.254", PRIVATE), "255.255.255.255/32": ("255.255.255.255", PRIVATE),
    "::1/128": ("::1", LOOPBACK), "::/128": ("::", LOOPBACK), "::ffff:0:0/96": ("::ffff:1.1.1.1", PUBLIC),
    "64:ff9b::/96": ("64:ff9b::9.9.9.9", PUBLIC),
    "64:ff9b:1::/48": ("64:ff9b:1::8.8.8.8 64:ff9b:1:abcd::1", PRIVATE), "100::/64": ("100::9:9", PRIVATE),
    "100:0:0:1::/64": ("100:0:0:1:2:3:4:5", PRIVATE), "2001::/23": ("2001:1::4 2001:1ff::1", PRIVATE),
    "2001::/32": ("2001::53aa:64c:0:7f01:f7f7:f7f7", PRIVATE), "2001:1::1/128": ("2001:1::1", PUBLIC),
    "2001:1::2/128": ("2001:1::2", PUBLIC), "2001:1::3/128": ("2001:1::3", PUBLIC),
    "2001:2::/48": ("2001:2:0:1::7", PRIVATE), "2001:3::/32": ("2001:3:4::5", PUBLIC),
    "2001:4:112::/48": ("2001:4:112::1", PUBLIC), "2001:10::/28": ("2001:1a::1", PRIVATE),
    "2001:20::/28": ("2001:2f::1", PUBLIC), "2001:30::/28": ("2001:30::7", PUBLIC),
    "2001:db8::/32": ("2001:db8:1::5", PRIVATE), "2002::/16": ("2002:101:101::7", PUBLIC),
    "2620:4f:8000::/48": ("2620:4f:8000::6", PUBLIC), "3fff::/20": ("3fff:abc::1", PRIVATE),
    "5f00::/16": ("5f00:1:2::3", PRIVATE), "fc00::/7": ("fc00::7 fdab::1", PRIVATE),
    "fe80::/10": ("fe80::7 fe9f::1", LINK_LOCAL), "224.0.0.0/4": ("224.0.0.251 232.1.1.1", PRIVATE),
    "ff00::/8": ("ff02::fb ff0e::1", PRIVATE), "::/96": ("::4.4.8.8", PUBLIC),
    "::ffff:0:0:0/96": ("::ffff:0:4.4.8.8", PUBLIC), "fec0::/10": ("fec0::7 feff::1", PRIVATE),
    **{f"{address}/32": (address, METADATA) for address in (
        "169.254.169.254", "169.254.170.2", "169.254.170.23", "168.63.129.16", "192.0.0.192", "100.100.100.200",
        "169.254.0.23", "169.254.42.42",
    )},
    **{f"{address}/128": (address, METADATA) for address in (
        "fd00:ec2::254", "fd00:ec2::23", "fd20:ce::254", "fd00:c1::a9fe:a9fe", "fd00:100::100:200", "fd00:42::42",
        "fd00:a9fe:a9fe::1", "fe80::a9fe:a9fe",
    )},
}  # fmt: skip
NAMES = {
    LOOPBACK: "localhost",
    METADATA: "metadata.google.internal metadata.goog metadata.tencentyun.com api.metadata.cloud.ibm.com "
    "metadata.exoscale.com",
    NO_HAZARD: "example invalid onion alt",
    PRIVATE: "test local home.arpa 6tisch.arpa eap-noob.arpa ipv4only.arpa resolver.arpa service.arpa internal corp "
    "home intranet lan private localdomain mail svc default kube-system consul 10.in-addr.arpa 168.192.in-addr.arpa "
    "254.169.in-addr.arpa 8.e.f.ip6.arpa 9.e.f.ip6.arpa a.e.f.ip6.arpa b.e.f.ip6.arpa 170.0.0.192.in-addr.arpa "
    "171.0.0.192.in-addr.arpa " + " ".join(f"{number}.172.in-addr.arpa" for number in range(16, 32)),
}
CASES = [
    *((network, text, hazard) for network, (texts, hazard) in ADDRESSES.items() for text in texts.split()),
    *((name, name, hazard) for hazard, names in NAMES.items() for name in names.split()),
]
# the further codes of a metadata address in them
AROUND = {
    **{"169.254.0.0/16": LINK_LOCAL, "fe80::/10": LINK_LOCAL},
    **{"100.64.0.0/10": PRIVATE, "192.0.0.0/24": PRIVATE, "fc00::/7": PRIVATE},
}
CODES = {LOOPBACK, LINK_LOCAL, METADATA, PRIVATE}


def in_url(host: str) -> str:
    return f"http://[{host}]/" if ":" in host else f"http://{host}/"


def is_in(network: str, other: str) -> bool:
    return ip_network(network).version == ip_network(other).version and ip_network(network).subnet_of(ip_network(other))


def hazards(host: str) -> set[str]:
    return CODES & {hazard.code for hazard in urlsm.security.audit(in_url(host))}


def test_every_row_has_its_test():
    assert {network for network, _, _ in CASES} == {row.network for row in ROWS}
    assert len(ROWS) == len({row.network for row in ROWS}) == 127
    assert re.fullmatch(r"20\d\d-\d\d-\d\d", REGISTRIES)


@pytest.mark.parametrize(("network", "text", "hazard"), CASES, ids=[text for _, text, _ in CASES])
def test_a_row(network, text, hazard):
    kind = address_kind(text)
    assert isinstance(kind, AddressKind) and kind == (kind.name, network, kind.reference, hazard is PUBLIC)
    assert kind.name and re.match(r"(RFC|SAC) \d|https://[a-z.]+/.|ICANN Board", kind.reference)
    around = {AROUND[one] for one in AROUND if hazard is METADATA and "/" in network and is_in(network, one)}
    assert hazards(text) == (set() if hazard in (PUBLIC, NO_HAZARD) else {hazard} | around)
    assert has_public_host(urlsm.parse(in_url(text))) is (hazard is PUBLIC)


NETWORKS = {ip_network(row.network): row.network for row in ROWS if "/" in row.network}  # str() of one is the version's
PUBLIC_NETWORKS = {row.network for row in ROWS if row.public}
WITHIN = {  # how an IPv4 address is written within an IPv6 one: the network, bits to the right of it
    "::ffff:0:0/96": 0, "::/96": 0, "::ffff:0:0:0/96": 0, "64:ff9b::/96": 0, "2002::/16": 80,
}  # fmt: skip
ISATAP = (0x5EFE, 0x200_5EFE, 0x100_5EFE, 0x300_5EFE)


def network_of(address: IPv4Address | IPv6Address) -> str | None:
    """Return the network that decides on an address, by the ipaddress module: the slow way."""
    within = [network for network in NETWORKS if network.version == address.version and address in network]
    network = NETWORKS[max(within, key=lambda network: network.prefixlen)] if within else None
    if isinstance(address, IPv4Address) or (network and network not in PUBLIC_NETWORKS):
        return network
    if network in WITHIN:
        inner = network_of(IPv4Address(int(address) >> WITHIN[network] & 0xFFFFFFFF))
        if inner:
            return inner
    if int(address) >> 32 & 0xFFFFFFFF in ISATAP:
        inner = network_of(IPv4Address(int(address) & 0xFFFFFFFF))
        if inner and inner not in PUBLIC_NETWORKS:
            return inner
    return network


def check(address: IPv4Address | IPv6Address) -> None:
    network, kind = network_of(address), address_kind(address)
    assert (kind and kind.network) == network, address
    public = network is None or network in PUBLIC_NETWORKS
    assert kind is None or kind.public is public
    for text in (str(address), address.exploded):
        assert address_kind(text) == address_kind(text.upper()) == kind
    if address.version == 6:
        assert address_kind(f"[{address}]") == address_kind(f"{address}%eth0") == kind
    assert has_public_host(urlsm.parse(in_url(str(address)))) is public


def edges() -> list[IPv4Address | IPv6Address]:
    found = set()
    for network in NETWORKS:
        first, last = int(network.network_address), int(network.broadcast_address)
        top = (1 << network.max_prefixlen) - 1
        made = type(network.network_address)
        found |= {made(value) for value in (first - 1, first, first + 1, last - 1, last, last + 1) if 0 <= value <= top}
    return sorted(found, key=lambda address: (address.version, address))


EDGES = edges()
WRAPPED = [
    IPv6Address(int(ip_network(network).network_address) | int(address) << shift)
    for network, shift in WITHIN.items()
    for address in EDGES
    if address.version == 4
]
ISATAPS = [
    IPv6Address(int(IPv6Address(prefix)) | identifier << 32 | int(address))
    for prefix in ("2606:4700::", "fe80::", "2002:808:808::", "2001:3::", "2002:a00:1::")
    for identifier in (*ISATAP, 0x5EFF, 0x400_5EFE)
    for address in EDGES
    if address.version == 4
]


@pytest.mark.parametrize("addresses", [EDGES, WRAPPED, ISATAPS], ids=["edges", "wrapped", "isatap"])
def test_edges(addresses):
    assert len(addresses) > 250
    for address in addresses:
        check(address)


near = st.builds(
    lambda edge, by: type(edge)((int(edge) + by) % (1 << edge.max_prefixlen)),
    st.sampled_from(EDGES),
    st.integers(-(2**34), 2**34),
)


@given(st.ip_addresses() | near)
def test_any_address(address):
    check(address)


# where the newest ipaddress differs from us, and why
DIFFER = {
    **dict.fromkeys(["224.0.0.0/4", "ff00::/8"], "multicast may be global there; no host has it"),
    **dict.fromkeys(["192.88.99.0/24", "fec0::/10"], "withdrawn, and in none of its lists"),
    "168.63.129.16/32": "Azure's, though IANA does not list it",
    **dict.fromkeys(["2001:1::3/128", "100:0:0:1::/64", "5f00::/16", "3fff::/20"], "newer than some of its tables"),
    **dict.fromkeys(["::/96", "::ffff:0:0:0/96", "64:ff9b::/96"], "it does not look at the IPv4 address in them"),
}


@pytest.mark.skipif(sys.version_info < (3, 13), reason="an older table of ipaddress")
def test_the_interpreters_table_says_the_same_but_where_we_say_why():
    for address in EDGES:
        network = network_of(address)
        within = {text for one, text in NETWORKS.items() if one.version == address.version and address in one}
        if not within & DIFFER.keys():
            assert address.is_global is (network is None or network in PUBLIC_NETWORKS), address


SPELLINGS = {
    "127.0.0.0/8": ["127.1", "0x7f.1", "0177.0.0.1", "2130706433", "0x7f000001", "127.0.0.1.", "１27.0.0.1",
                    "127。0。0。1", "%31%32%37.0.0.1", "127.0.0.01", "0X7F.0.0.0X1", "[::ffff:7f00:1]",
                    "::FFFF:127.0.0.1", "[64:ff9b::127.0.0.1]", "[2002:7f00:1::]", "[::127.0.0.1]",
                    "0:0:0:0:0:ffff:7f00:0001", "[::ffff:0:7f00:1]", "[::ffff:127.0.0.1%25lo]",
                    "2a00:1450::5efe:7f00:1"],
    "169.254.169.254/32": ["2852039166", "0xa9fea9fe", "0251.0376.0251.0376", "[::ffff:a9fe:a9fe]", "169.254.43518",
                           "[2606:4700::200:5efe:169.254.169.254]", "[64:ff9b::a9fe:a9fe]", "[2002:a9fe:a9fe::]"],
    "localhost": ["LOCALHOST", "localhost.", "a.b.LocalHost", "localhost..", ".localhost", "%6cocalhost", "ⓛocalhost",
                  "local\u00adhost", "x.localhost", "a!b.localhost"],
    "svc": ["kubernetes.default.svc", "Vault.Ops.SVC."], "consul": ["db.service.consul", "x.node.dc1.consul"],
    "local": ["kubernetes.default.svc.cluster.local", "printer.local"], "default": ["kubernetes.default"],
    "internal": ["ip-10-0-0-1.ec2.internal", "instance-data.ec2.internal", "host.docker.internal"],
    "metadata.google.internal": ["METADATA.google.internal.", "x.metadata.google.internal"],
    "home.arpa": ["nas.home.arpa"], "64:ff9b:1::/48": ["[64:ff9b:1::a9fe:a9fe]"], "fec0::/10": ["[fec0::1]"],
    "fe80::/10": ["fe80::1%eth0", "[FE80::1%25eth0]", "fe80::1%"], "ff00::/8": ["[ff02::1]"],
}  # fmt: skip
NO_ROW = [
    *("example.org", "example.com", "8.8.8.8", "2606:4700::1111", "localhost.example.org", "mylocalhost", "a.svcx"),
    *("localhos", "xlocal", "metadata.goog.example.org", "notmetadata.goog", "128.0.0.1", "1.1", "134744072"),
    *("", ".", "..", "[", "]", "[]", "::", "[::1", "::1]", "[127.0.0.1]", "a/b.local", "a@127.0.0.1", "127.0.0.1:80"),
    *("256.0.0.1", "1.2.3.4.5", "0x100000000", ":::", "::g", "1::2::3", "[::1]:80", "a b.local", "a%00.local", "%"),
    *("127.0.0.1/8", "http://8.8.8.8/", "http://[/", "//", "//127.0.0.1", "mailto:a@localhost//"),
    *("a\\127.0.0.1", "#127.0.0.1", "?", "127.0.0.1?", "\ud800", "::ffff:127.1"),
    *("2606:4700::5eff:7f00:1", "2606:4700::400:5efe:7f00:1", "fe80", "é.example.org", "127.0.0.1.."),
    "10.0.0.1.nip.io",
]  # fmt: skip


@pytest.mark.parametrize(("network", "host"), [(n, host) for n, hosts in SPELLINGS.items() for host in hosts])
def test_a_spelling(network, host):
    assert address_kind(host).network == network == address_kind(host.encode()).network
    url = urlsm.try_parse(f"http://{host}/")
    if url is not None and not url.host.endswith(".."):
        assert address_kind(url).network == address_kind(url.host).network == network and not has_public_host(url)
        assert CODES & {hazard.code for hazard in urlsm.security.audit(url)}
        assert CODES & {hazard.code for hazard in urlsm.security.audit(f"http://{host}/")}


def test_a_text_that_is_a_url_stands_for_its_host():
    for text in ("http://127.0.0.1/", "HTTPS://user@0x7f.1:8443/x?y", "ftp://127.0.0.1//"):
        kind = address_kind(text)
        assert kind is address_kind("127.0.0.1") is address_kind(text.encode()) is address_kind(urlsm.parse(text))
    for text in (
        "http:/127.0.0.1/",
        "http:127.0.0.1",
        "http:\\\\127.0.0.1/",
        "https:/127.1",
        " http:127.1",
        "ht\ntp:127.1",
    ):
        assert address_kind(text) is address_kind(urlsm.parse(text)) is address_kind("127.0.0.1"), text
    assert address_kind("http://metadata.google.internal/x") is address_kind("metadata.google.internal")


@pytest.mark.parametrize("host", [host for host in dict.fromkeys(NO_ROW) if host != "::"], ids=repr)
def test_what_has_no_row(host):
    assert address_kind(host) is None is address_kind(host.encode("utf-8", "surrogatepass"))


def test_a_host_has_one_of_four_types():
    assert address_kind(urlsm.parse("mailto:a@localhost")) is None
    assert address_kind(urlsm.parse("foo://0x7f.1/")).name == "Loopback"
    assert address_kind(ip_address("fe80::1%eth0")).network == "fe80::/10"
    assert address_kind(type("Text", (str,), {"__str__": lambda self: "8.8.8.8"})("10.0.0.1")).network == "10.0.0.0/8"
    for wrong in (None, 1, ip_network("10.0.0.0/8"), ["localhost"]):
        with pytest.raises(TypeError):
            address_kind(wrong)


PIECES = [
    *("127.0.0.1", "localhost", ".", ":", "[", "]", "%", "25", "::", "ffff", "5efe", "0x7f", "internal", "svc", "a"),
    *("é", "\ud800", "\0", "\t", "/", "@", "1", "255", "-", "_", "64:ff9b:", "2002:", "xn--", "。", "１"),
]  # fmt: skip
texts = st.lists(st.sampled_from(PIECES)).map("".join) | st.text()


@given(texts | st.binary())
def test_any_text(host):
    kind = address_kind(host)
    assert kind is None or kind in [(row.name, row.network, row.reference, row.public) for row in ROWS]


@given(texts, st.sampled_from(["http", "https", "foo", "ssh", "ftp"]))
@example("%6cocalhost", "foo")
@example("0x7f.1", "ssh")
@example("a%20b.example", "foo")
def test_a_public_host_has_no_hazard_and_no_row(host, scheme):
    url = urlsm.try_parse(f"{scheme}://{host}/")
    if url is not None and has_public_host(url):
        assert not CODES & {hazard.code for hazard in urlsm.security.audit(url)}
        kind = address_kind(url)
        assert kind is None or kind.public


@pytest.mark.parametrize(
    ("url", "public"),
    [
        *[("http://example.org../", False), ("http://a..b/", False), ("http://localhost../", False)],
        *[("http://127.0.0.1../", False), ("foo://a%20b.example.org/", False), ("foo://8.8.8.8/", True)],
        *[("foo://134744072/", True), ("foo://%6cocalhost/", False), ("foo://EXAMPLE.org/", True)],
        *[("foo://[fd00::1]/", False), ("http://com./", False), ("http://x.y.z./", True)],
        *[("http://224.0.0.1/", False), ("http://kubernetes.default.svc/", False), ("http://db.consul/", False)],
        *[("http://[2a00:1450::5efe:8.8.8.8]/", True), ("http://[2001::1]/", False), ("http://x.example/", False)],
    ],
)  # fmt: skip
def test_public_hosts(url, public):
    assert has_public_host(urlsm.parse(url)) is has_public_host(url) is has_public_host(url.encode()) is public


def test_a_public_host_is_that_of_a_url():
    assert not has_public_host("example.org") and not has_public_host(b"http://[/") and not has_public_host("\ud800")
    for wrong in (None, 1, ["http://example.org/"]):
        with pytest.raises(TypeError):
            has_public_host(wrong)


@pytest.mark.parametrize("unit", ["a.", "1.", ":", "[", "%31", "é", "0", "xn--", "f:", "."])
def test_a_long_host_takes_no_longer_than_linear(unit):
    assert address_kind(unit * 300_000) is None
    assert address_kind("a." * 300_000 + "LOCAL").network == "local"


HEADER = (
    "Address Block,Name,RFC,Allocation Date,Termination Date,Source,Destination,Forwardable,Globally Reachable,"
    "Reserved-by-Protocol\n"
)


def as_iana_writes(row: Row) -> str:
    """Return a line of IANA's file, with its footnotes and line ends within cells."""
    document = re.sub(r"; ", "\n        ", re.sub(r"RFC (\w+( \d+)?)", r"[RFC\1]", row.reference))
    document = document.replace("[RFCErrata", "[RFC Errata").replace(" section", ", Section")
    name = row.name.replace('"', '""')
    reachable = {True: "True", False: "False [1]"}[row.public] if row.ipv4_at is None else "N/A [3]"
    return f'{row.network} [2],"{name}","{document}",2006-01,N/A,True,True,True,{reachable},False\n'


def test_the_tool_tells_what_iana_has_changed(tmp_path, monkeypatch, capsys):
    tools = pathlib.Path(__file__).parents[2] / "tools"
    if not tools.is_dir():
        pytest.skip(f"no {tools}: not the repository")
    monkeypatch.syspath_prepend(tools)
    tool = importlib.import_module("addresses")
    files = [tmp_path / "4.csv", tmp_path / "6.csv"]
    for path, rows in zip(files, (IPV4, IPV6), strict=True):
        path.write_text(HEADER + "".join(map(as_iana_writes, rows)), encoding="utf-8")
    assert tool.main([*map(str, files)]) == 0
    text = files[0].read_text(encoding="utf-8")
    text = text.replace("Loopback", "Loop").replace("203.0.113.0/24", "203.0.114.0/24")
    text = re.sub(r"(192.31.196.0.*)True,", r"\1False,", text)
    files[0].write_text(text, encoding="utf-8")
    capsys.readouterr()
    assert tool.main([*map(str, files)]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "127.0.0.0/8 is now Loop, RFC 1122 section 3.2.1.3",
        "192.31.196.0/24 is now public=False",
        "203.0.114.0/24 is new: Documentation (TEST-NET-3), RFC 5737, public=False",
        "203.0.113.0/24 is not there any more",
    ]


def test_both_addresses_within_a_6to4_one_count():
    """2002:c01f:c401:: is that of 192.31.196.1, which is special and public; an ISATAP identifier follows."""
    assert not has_public_host("http://[2002:c01f:c401::5efe:7f00:1]/")
    assert address_kind("2002:c01f:c401::5efe:a9fe:a9fe").public is False
    assert address_kind("2002:c01f:c401::200:5efe:8.8.8.8").public and has_public_host("http://[2002:808:808::1]/")
    assert address_kind("2002:a00:1::5efe:808:808").name == "Private-Use"


@pytest.mark.parametrize("host", [".com", ".example.org", "..com", "a..com", "a.com..", ".", "\u3002com", "%2ecom"])
def test_a_name_with_an_empty_label_is_not_public(host):
    assert not has_public_host(f"http://{host}/")
