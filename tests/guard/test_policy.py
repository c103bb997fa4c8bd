"""Policy: each row of the table by each spelling, ordinary addresses, names, networks, prefixes."""

from __future__ import annotations

import re
from decimal import Decimal
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

import pytest
from oracles.judges import HOSTS
from support.seeds import seeded
from support.spellings import NAMES, NETWORKS, SPECIAL4, SPECIAL6, disguised, in_ipv6, numbers, row_of

import urlsm
from urlsm import guard
from urlsm.guard import Policy
from urlsm.machine.driver import use_plain
from urlsm.patterns import PatternSet

POLICY = Policy()
PUBLIC = ("8.8.8.8", "1.1.1.1", "93.184.216.34", "223.255.255.255", "2606:4700:4700::1111", "2a00:1450::1")


@pytest.mark.parametrize("address", SPECIAL4, ids=str)
def test_no_spelling_of_a_special_ipv4_address_passes(address):
    plain = str(address)
    spelled = [plain, *numbers(address)]
    spelled += [other for text in spelled for other in disguised(text)]
    for text in spelled:
        assert not POLICY.check_address(text).allowed, text
        for url in (
            f"http://{text}/",
            f"https://{text}:443/x",
            f"http://u:p@{text}",
            f"http:\\\\{text}\\",
            f"http:/{text}/",
        ):
            assert not POLICY.check(url).allowed, url
        assert not POLICY.resolve(text).allowed, text
    for text in in_ipv6(address):
        for form in (text, f"[{text}]", text.upper(), f"{text}%eth0", text.encode()):
            assert not POLICY.check_address(form).allowed, form
        for url in (f"http://[{text}]/", f"https://[{text.upper()}]:443"):
            assert not POLICY.check(url).allowed, url
        assert not POLICY.resolve(f"[{text}]") and not POLICY.resolve(text)
    assert not POLICY.check_address(address) and not POLICY.check_address(plain.encode())
    assert POLICY.check_address(plain).final and POLICY.check_address(plain).message


@pytest.mark.parametrize("address", SPECIAL6, ids=str)
def test_no_spelling_of_a_special_ipv6_address_passes(address):
    for text in (str(address), address.exploded, address.exploded.upper(), f"{address}%1", f"{address}%25lo"):
        assert not POLICY.check_address(text).allowed, text
        assert not POLICY.check_address(f"[{text}]").allowed, text
        assert not POLICY.check(f"https://[{text}]/").allowed, text
        assert not POLICY.resolve(text)


def test_the_special_addresses_are_many():
    assert len(SPECIAL4) > 60 and len(SPECIAL6) > 40 and len(NAMES) > 10


@pytest.mark.parametrize("name", NAMES)
def test_no_spelling_of_a_special_name_passes(name):
    for text in (name, name.upper(), f"{name}.", f"a.{name}", f"A.b.{name}."):
        if row_name(text) in NAMES:
            assert not POLICY.check(f"https://{text}/x").allowed, text
            assert not POLICY.resolve(text), text


def row_name(text):
    kind = urlsm.security.address_kind(text)
    return kind and kind.network


def test_a_thousand_public_addresses_pass_as_they_are_and_behind_nat64():
    rng = seeded("public addresses")
    found = 0
    while found < 1000:
        address = IPv4Address(rng.getrandbits(32))
        if not (row_of(address) is None or row_of(address).public):
            continue
        found += 1
        for text in (str(address), *in_ipv6(address)):
            assert POLICY.check_address(text), text
            verdict = POLICY.check(f"https://{f'[{text}]' if ':' in text else text}/")
            assert verdict and verdict.final, text


def test_every_octet_that_a_row_begins_or_ends_with():
    """The addresses beside each network are as the smallest row there says."""
    for network, _ in NETWORKS:
        for n in (int(network[0]) - 1, int(network[0]), int(network[-1]), int(network[-1]) + 1):
            if network.version == 4 and 0 <= n < 1 << 32:
                row = row_of(IPv4Address(n))
                assert bool(POLICY.check_address(str(IPv4Address(n)))) == (row is None or row.public)


@pytest.mark.parametrize(
    "text", ["4000::1", "1::1", "64:ff9b:0:1::808:808", "64:ff9b:2::1", "e000::1", "::1:0:0:0:8.8.8.8", "8000::8.8.8.8"]
)
def test_what_iana_has_not_allocated_does_not_pass(text):
    assert POLICY.check_address(text).codes == ("unallocated-address",)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "1.2.3.4.5",
        "8.8.8.8 ",
        " 8.8.8.8",
        "8.8.8.8\n",
        "8.8.8.8%eth0",
        "\ud800",
        "\0",
        "8.8.8.8\0",
        "::1::",
        "[8.8.8.8",
        "8.8.8.8]",
        "é",
        "1" * 5000,
        ":" * 100000,
        b"\xff",
        "8.8.8.8/32",
        "8.8.8.8:80",
        "[8.8.8.8]",
        "[[2606:4700::1]]",
        "[[::1]]",
        "2606:4700::1%eth0",
        "0x8.8.8.8",
    ],
)
def test_what_is_not_an_address_does_not_pass(text):
    verdict = POLICY.check_address(text)
    assert not verdict.allowed and verdict.final and verdict.codes and verdict.message


def test_other_types_are_no_address():
    for given in (2130706433, None, 8.8, ["8.8.8.8"]):
        with pytest.raises(TypeError, match="address must be str"):
            POLICY.check_address(given)
    with pytest.raises(TypeError):
        POLICY.check(8)


# --- URLs ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "url",
    [
        "https://example.com/",
        "http://example.com:80",
        "https://u:p@example.com./x?y#z",
        "http://a.co",
        b"https://example.com/",
        urlsm.parse("https://example.com/"),
        "https://bücher.example.org/",
    ],
)
def test_a_name_may_pass_but_is_not_final(url):
    verdict = POLICY.check(url)
    assert verdict.allowed and not verdict.final and not verdict and verdict.codes == ()


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("", "not-a-url"),
        ("//example.com/", "not-a-url"),
        ("/x", "not-a-url"),
        ("http://[fe80::1%25eth0]/", "not-a-url"),
        ("http://[::1", "not-a-url"),
        ("file:///etc/passwd", "scheme"),
        ("ftp://example.com/", "scheme"),
        ("gopher://example.com/", "scheme"),
        ("data:,x", "scheme"),
        ("javascript:1", "scheme"),
        ("blob:https://example.com/x", "scheme"),
        ("http+unix://%2Fvar%2Frun%2Fdocker.sock/x", "scheme"),
        ("https://example.com:8443/", "port"),
        ("http://example.com:22/", "port"),
        ("http://example.com:0/", "port"),
        ("https://example.com:00/", "port"),
        ("http://localhost/", "loopback-address"),
        ("http://printer/", "local-name"),
        ("http://printer./", "local-name"),
        ("http://user@127.0.0.1/", "loopback-address"),
        ("http://exa\tmple.com/", "ambiguous"),
        ("http:\\\\example.com\\", "ambiguous"),
        ("http://example.com\\@127.0.0.1/", "ambiguous"),
        ("http://127.0.0.1\\@example.com/", "ambiguous"),
        ("http://example.com#@127.0.0.1\\/", None),
        ("https:example.com", "ambiguous"),
        ("http:///example.com", "ambiguous"),
        ("http://example.com@evil.com@127.0.0.1/", "loopback-address"),
        (" http://example.com/", "ambiguous"),
        ("http://127.1/", "loopback-address"),
        ("http://①②⑦.0.0.1/", "loopback-address"),
        ("http://metadata.google.internal/", "metadata-address"),
        ("http://METADATA.GOOGLE.INTERNAL./", "metadata-address"),
        ("http://169.254.169.254/latest/meta-data/", "metadata-address"),
        ("http://[fd00:ec2::254]/", "metadata-address"),
        ("http://[::ffff:a9fe:a9fe]/", "metadata-address"),
        ("http://[64:ff9b::a9fe:a9fe]/", "metadata-address"),
    ],
)
def test_urls_that_do_not_pass(url, code):
    verdict = POLICY.check(url)
    if code is None:
        assert verdict.allowed  # what stands in a fragment is sent to nobody
    else:
        assert not verdict.allowed and verdict.final and code in verdict.codes


def test_port_schemes_and_hosts():
    policy = Policy(ports={8443}, schemes=["https"], domains=["example.com", "=only.org"])
    assert policy.check("https://a.example.com:8443/").allowed
    assert policy.check("https://only.org:8443/").allowed
    assert policy.check("https://a.only.org:8443/").codes == ("host",)
    assert policy.check("https://notexample.com:8443/").codes == ("host",)
    assert policy.check("https://8.8.8.8:8443/").codes == ("host",)
    assert policy.check("https://example.com/").codes == ("port",)
    assert policy.check("http://example.com:8443/").codes == ("scheme",)
    assert policy.resolve("notexample.com").codes == ("host",)
    patterns = Policy(domains=PatternSet(["https://example.com"], "origins"))
    assert patterns.check("https://example.com/x").allowed and patterns.check("http://example.com/").codes == ("host",)
    every = Policy(ports={1, 80, 443, 65535})
    assert every.check("http://example.com:65535").allowed and not every.check("http://example.com:0").allowed


def test_the_plain_way_answers_as_the_long_way_does(many):
    rng = seeded("gate")
    policies = [
        POLICY,
        Policy(ports={443}),
        Policy(schemes=["http"]),
        Policy(domains=["good.com", "8.8.8.8"]),
        Policy(["public", "10.0.0.0/8"]),
        Policy(host_networks={"x.local": "10.0.0.0/8"}),
        Policy(ports={8443}),
        Policy(nat64_prefixes="2001:db8:64::/96"),
        Policy(["public", "10.0.0.0/8", "64:ff9b::/96"], nat64_prefixes=["2001:db8:64::/96", "2a00:1450::/32"]),
        Policy(["10.0.0.0/8", "8.8.8.0/24"], nat64_prefixes="2001:db8:64::/96", domains=["good.com"]),
        Policy(["public", "fe80::/10"], domains=PatternSet(["https://good.com", "http://8.8.8.8"], "origins")),
        Policy(
            domains=["good.com", "8.8.8.8", "10.0.0.1"],
            host_networks={"good.com": "10.0.0.0/8"},
            nat64_prefixes="2a00:1450::/32",
        ),
        Policy(["public", "10.0.0.0/8"], proxy="http://h"),
        Policy("10.0.0.0/8", proxy="http://h", domains=["good.com"]),
    ]
    hosts = [*HOSTS, *PUBLIC, *map(str, SPECIAL4), *(f"[{address}]" for address in SPECIAL6)]
    hosts += ["10.0.0.1", "[::ffff:10.0.0.1]", "[64:ff9b::7f00:1]", "[2001:db8:64::808:808]", "[2001:db8:64::7f00:1]"]
    pieces = [
        "http://",
        "https://",
        "HTTP://",
        "//",
        "/",
        "\\",
        "@",
        ":",
        ":80",
        ":443",
        ":0",
        ":8443",
        ".",
        "..",
        "%2e",
        "%",
        "\t",
        "\n",
        " ",
        "\0",
        "#",
        "?",
        "xn--a",
        "é",
        "\u3002",
        "\ud800",
        "[",
        "]",
        "a",
        "1",
        "0x7f",
        "a.b",
    ]
    passed = 0
    for _ in range(many):
        text = (
            rng.choice(["http://", "https://", "https://"])
            + rng.choice(hosts)
            + rng.choice(["", "/", "/a?b#c", ":443/"])
        )
        for _ in range(rng.choice([0, 0, 1, 2])):
            at = rng.randrange(len(text) + 1)
            text = text[:at] + rng.choice(pieces) + text[at + rng.choice([0, 0, 1]) :]
        policy = rng.choice(policies)
        verdict = policy.check(text)
        assert verdict == policy._check_at_length(text), (text, policy)
        passed += verdict.allowed
        host = text.partition("://")[2].split("/")[0]
        address = host.strip("[]")
        assert policy.check_address(address) == policy._address_at_length(address), address
    assert many // 20 < passed < many * 19 // 20


def test_the_plain_lane_off_changes_nothing():
    texts = [f"https://{host}/" for host in (*HOSTS, *PUBLIC[:4])]
    with_it = [(POLICY.check(text), POLICY.check_address(text[8:-1])) for text in texts]
    before = use_plain(False)
    try:
        assert with_it == [(POLICY.check(text), POLICY.check_address(text[8:-1])) for text in texts]
    finally:
        use_plain(before)


# --- networks, names and prefixes that a policy allows -------------------------------------------


def test_networks():
    policy = Policy(["10.0.0.0/8", "fd00::/8"])
    assert (
        policy.check_address("10.1.2.3") and policy.check_address("fd12::1") and policy.check_address("::ffff:10.1.2.3")
    )
    for text in (*PUBLIC, "127.0.0.1", "11.0.0.1", "169.254.169.254", "64:ff9b::a01:203", "fe80::1"):
        assert not policy.check_address(text).allowed, text
    both = Policy(["public", "10.0.0.0/8"])
    assert both.check_address("10.1.2.3") and all(map(both.check_address, PUBLIC))
    assert not both.check_address("192.168.0.1") and not both.check_address("127.0.0.1")
    assert not both.check_address("0xa.1.2.3").allowed and not both.check("http://10.66051/").allowed


PREFIXES = [
    "2001:db8::/32",
    "2001:db8:100::/40",
    "2001:db8:122::/48",
    "2001:db8:122:300::/56",
    "2001:db8:122:344::/64",
    "2001:db8:122:344::/96",
]
# RFC 6052 section 2.4: 192.0.2.33 behind each
TEXTS = [
    "2001:db8:c000:221::",
    "2001:db8:1c0:2:21::",
    "2001:db8:122:c000:2:2100::",
    "2001:db8:122:3c0:0:221::",
    "2001:db8:122:344:c0:2:2100::",
    "2001:db8:122:344::192.0.2.33",
]


def behind(prefix, address):
    network, octets = IPv6Network(prefix), IPv4Address(address).packed
    whole, at = bytearray(network.network_address.packed), network.prefixlen // 8
    for octet in octets:
        at += at == 8
        whole[at] = octet
        at += 1
    return str(IPv6Address(bytes(whole)))


@pytest.mark.parametrize(("prefix", "text"), list(zip(PREFIXES, TEXTS, strict=True)))
def test_prefixes_of_nat64(prefix, text):
    assert ip_address(behind(prefix, "192.0.2.33")) == IPv6Address(text)
    policy = Policy(nat64_prefixes=prefix)
    assert policy.check_address(behind(prefix, "8.8.8.8")) and not POLICY.check_address(behind(prefix, "8.8.8.8"))
    assert policy.check(f"http://[{behind(prefix, '8.8.8.8')}]/")
    for address in SPECIAL4:
        assert not policy.check_address(behind(prefix, str(address))).allowed
    octets = bytearray(ip_address(behind(prefix, "8.8.8.8")).packed)
    octets[8] = 1
    assert not policy.check_address(IPv6Address(bytes(octets))).allowed  # RFC 6052 section 2.2: the octet is zero


def test_the_local_prefix_of_nat64_is_refused_unless_it_is_named():
    assert not POLICY.check_address("64:ff9b:1::808:808")
    policy = Policy(nat64_prefixes="64:ff9b:1:abcd::/96")
    assert policy.check_address("64:ff9b:1:abcd::808:808") and not policy.check_address("64:ff9b:1:abcd::7f00:1")
    assert not policy.check_address("64:ff9b:1:abce::808:808")


@pytest.mark.parametrize(
    "given",
    [
        {"networks": "x"},
        {"networks": "10.0.0.1/8"},
        {"ports": [0]},
        {"ports": [65536]},
        {"schemes": ["ftp"]},
        {"schemes": ["https", "file"]},
        {"nat64_prefixes": "2001:db8::/33"},
        {"nat64_prefixes": "10.0.0.0/8"},
        {"host_networks": {"a b": "10.0.0.0/8"}},
        {"host_networks": {"a.b": "x"}},
        {"domains": PatternSet(["example.com"], "blocklist")},
        {"domains": ["a b"]},
    ],
)
def test_what_a_policy_does_not_take(given):
    with pytest.raises(ValueError):
        Policy(**given)


@pytest.mark.parametrize(("name", "text"), [("schemes", "https"), ("domains", "example.com"), ("domains", b"a.com")])
def test_a_list_of_names_is_not_one_text(name, text):
    with pytest.raises(TypeError, match=f"{name} must be an iterable of str, not {type(text).__name__}"):
        Policy(**{name: text})


def test_repr_says_what_differs_from_the_default():
    assert repr(Policy()) == "Policy()"
    given = Policy(["public", "10.0.0.0/8"], schemes=["https"], ports=[8443, 443], deny="b.com", max_bytes=None)
    shown = "networks=['public', '10.0.0.0/8'], ports={443, 8443}, schemes={'https'}, deny=['b.com'], max_bytes=None"
    assert repr(given) == f"Policy({shown})"
    assert eval(repr(given)).ports == given.ports
    secret = repr(Policy(proxy="http://user:hunter2@proxy:3128", domains=["a.com"]))
    assert "hunter2" not in secret and "user" not in secret and "proxy:3128" in secret and "'a.com'" in secret
    networks = Policy(host_networks={"a.internal": "10.0.0.0/8"}, nat64_prefixes="2001:db8:64::/96")
    assert repr(networks) == "Policy(host_networks={'a.internal': ['10.0.0.0/8']}, nat64_prefixes=['2001:db8:64::/96'])"


def test_a_policy_is_immutable():
    policy = Policy(["public", "10.0.0.0/8"])
    for name in ("networks", "ports", "other", "_public_too"):
        with pytest.raises(AttributeError):
            setattr(policy, name, ())
    with pytest.raises(AttributeError):
        del policy.ports


def test_policies_of_equal_arguments_are_equal():
    given = {
        "networks": ["public", "10.0.0.0/8"], "ports": [443], "domains": ["a.com"], "deny": ["b.com"], "max_bytes": 5,
    }  # fmt: skip
    pairs = [({}, {}), (given, {**given, "ports": {443}}), ({"proxy": "http://u:p@h:1"}, {"proxy": "http://u:p@h:1"})]
    pairs.append(({"host_networks": {"A.b": "10.0.0.0/8"}}, {"host_networks": {"a.b": ["10.0.0.0/8"]}}))
    names = {"a.b": ["10.0.0.0/8", "fd00::/8"], "c.d": "10.0.0.1"}
    turned = {"c.d": "10.0.0.1/32", "a.b": ["fd00:0::/8", "10.0.0.0/8"]}
    pairs.append(({"host_networks": names}, {"host_networks": turned}))
    pairs.append(({"networks": ["public", "FD00::/8"]}, {"networks": ["fd00::/8", "public", "public"]}))
    pairs.append(({"deny": ["A.b", "8.8.8.8"]}, {"deny": ["8.8.8.8/32", "a.b."]}))
    prefixes = ["2001:db8::/32", "2001:db9:0::/32"]
    pairs.append(({"nat64_prefixes": prefixes}, {"nat64_prefixes": ["2001:db9::/32", "2001:db8::/32"]}))
    for one, other in pairs:
        assert Policy(**one) == Policy(**other) and hash(Policy(**one)) == hash(Policy(**other))
    for one, other in ((given, {}), *((given, {**given, name: Policy().__getattribute__(name)}) for name in given)):
        assert Policy(**one) != Policy(**other)
    assert Policy(proxy="http://u:p@h:1") != Policy(proxy="http://u:q@h:1") and Policy() != "Policy()"
    assert Policy(host_networks=names) != Policy(host_networks={**names, "c.d": "10.0.0.2"})
    assert Policy("10.0.0.0/8") != Policy(["public", "10.0.0.0/8"]) and Policy(deny="a.b") != Policy(deny="8.8.8.8")


class Listed:
    """An iterable by __getitem__ alone, as iter() accepts it."""

    def __init__(self, *items):
        self.items = items

    def __getitem__(self, place):
        return self.items[place]


def test_an_iterable_may_have_only_getitem():
    given = Policy(Listed("public", "10.0.0.0/8"), ports=Listed(443), schemes=Listed("https"), domains=Listed("a.com"))
    assert given == Policy(["10.0.0.0/8", "public"], ports=[443], schemes=["https"], domains=["a.com"])


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"host_networks": {5: "10.0.0.0/8"}}, "host_networks must map host names, which are str, not int"),
        ({"schemes": [[]]}, "schemes must contain only str, not list"),
        ({"domains": [5]}, "domains must contain only str, not int"),
        ({"ports": [[]]}, "ports must contain only int, not list"),
        ({"ports": ["80"]}, "ports must contain only int, not str"),
        ({"ports": [True]}, "ports must contain only int, not bool"),
        ({"max_redirects": True}, "max_redirects must be int, not bool"),
        ({"max_bytes": 1.5}, "max_bytes must be int or None, not float"),
        ({"max_decoded_bytes": False}, "max_decoded_bytes must be int or None, not bool"),
        ({"header_timeout": True}, "header_timeout must be a number or None, not bool"),
        ({"total_timeout": "5"}, "total_timeout must be a number or None, not str"),
    ],
)
def test_a_wrong_type_names_its_argument(given, said):
    with pytest.raises(TypeError, match=f"^{re.escape(said)}$"):
        Policy(**given)


def test_numbers_of_other_libraries():
    class Integer:
        def __index__(self):
            return 443

    given = Policy(
        ports=[Integer()], max_redirects=Integer(), max_bytes=Integer(), header_timeout=Decimal("1.5"), total_timeout=7
    )
    assert given == Policy(ports=[443], max_redirects=443, max_bytes=443, header_timeout=1.5, total_timeout=7)
    assert type(given.max_bytes) is int and type(given.header_timeout) is float


@pytest.mark.parametrize(
    "name",
    [
        *("AiohttpConnector", "AsyncHttpcoreBackend", "HttpcoreBackend", "RequestsAdapter", "aiohttp_session"),
        *("httpx_async_client", "httpx_client", "requests_session", "urllib3_pool", "urllib_opener"),
    ],
)
def test_a_client_takes_a_policy_alone(name):
    try:
        make = getattr(guard, name)
    except ModuleNotFoundError as error:
        pytest.skip(str(error))
    for wrong in ("public", None, Policy):
        with pytest.raises(TypeError, match=rf"^policy must be a Policy, not {type(wrong).__name__}$"):
            make(wrong)
