"""The table of hosts and networks, beside a loop over its keys."""

from __future__ import annotations

import ipaddress
import time

import pytest
from support.seeds import draws, least, seeded

import urlsm
from urlsm.patterns import PatternError, PatternSet
from urlsm.patterns.hosts import HostTable, network_key, plain_key

LABELS = ("a", "b", "com", "example", "xn--bcher-kva", "a-rather-long-label-of-some-octets", "x" * 63)


def random_name(rng):
    return ".".join(rng.choice(LABELS) for _ in range(rng.randrange(1, 5)))


def plainly(keys, host):
    name = host.removesuffix(".")
    return sorted(
        (number, name == key.decode())
        for number, key in enumerate(keys)
        if name == key.decode() or name.endswith("." + key.decode())
    )


def test_every_suffix_that_is_a_key_is_found():
    rng = seeded("hosts")
    hits = 0
    for _ in range(300):
        keys = [name.encode() for name in {random_name(rng) for _ in range(rng.randrange(60))}]
        table = HostTable(keys)
        for _ in range(30):
            host = random_name(rng) + rng.choice(("", "", "."))
            found = table.find(host.encode())
            assert sorted(found) == plainly(keys, host), (keys, host)
            hits += len(found)
    assert hits > 1000


def test_every_network_that_holds_an_address_is_found():
    rng = seeded("networks")
    hits = 0
    for _ in range(200):
        networks = []
        for _ in range(30):
            if rng.random() < 0.5:
                networks.append(ipaddress.ip_network((rng.choice((10, 127, 0xC0A8)) << 16 | rng.getrandbits(9),
                                                      rng.randrange(33)), strict=False))  # fmt: skip
            else:
                networks.append(ipaddress.ip_network((rng.choice((1, 0x20010DB8 << 96)) | rng.getrandbits(7),
                                                      rng.randrange(129)), strict=False))  # fmt: skip
        networks = list(dict.fromkeys(networks))
        keys = [network_key(str(network)) for network in networks]
        table = HostTable(keys)
        for _ in range(40):
            address = rng.choice(networks).network_address + rng.getrandbits(2)
            host = str(address) if address.version == 4 else f"[{address}]"
            expected = [k for k, network in enumerate(networks) if address in network]
            if address.version == 6 and address.ipv4_mapped:
                continue
            assert sorted(k for k, _ in table.find(host.encode())) == expected
            hits += len(expected)
    assert hits > 8000


def test_an_address_of_ipv4_within_ipv6_is_that_address():
    table = HostTable([network_key("10.0.0.0/8")])
    assert table.find(b"[::ffff:a01:203]") == [(0, True)]
    assert table.find(b"[::ffff:b01:203]") == []
    for text, same in (
        ("::ffff:10.0.0.1", "10.0.0.1"),
        ("[::ffff:c0a8:1]", "192.168.0.1"),
        ("::ffff:172.16.0.0/108", "172.16.0.0/12"),
        ("::ffff:0:0/96", "0.0.0.0/0"),
    ):
        assert network_key(text) == network_key(same)
    assert network_key("::fffe:0:0/95")[0] == 6  # wider than all of IPv4
    for syntax in ("domains", "no-proxy"):
        patterns = PatternSet(["::ffff:10.0.0.1"], syntax)
        assert "http://10.0.0.1/" in patterns and "http://[::ffff:a00:1]/" in patterns
        assert "http://10.0.0.2/" not in patterns and "http://[::a00:1]/" not in patterns


@pytest.mark.parametrize("text", ["10.0.0.1/8", "10.0.0.0/33", "10.0.0.0/", "::/129", "10.0.0.0/+8", "2001:db8::1/32"])
def test_what_is_nearly_a_network_is_refused(text):
    with pytest.raises(ValueError, match=r"network|address"):
        network_key(text)


@pytest.mark.parametrize("text", ["010.0.0.1", "10.00.0.1", "10.0.0.01", "010.0.0.0/8", "00.0.0.0/0", "256.0.0.01"])
def test_a_leading_zero_is_refused_because_it_is_octal_to_some(text):
    with pytest.raises(ValueError, match="octal"):
        network_key(text)
    for syntax in ("domains", "no-proxy"):
        for written in (text, f"={text}", f"{text}:80") if "/" not in text else (text,):
            with pytest.raises(PatternError):
                PatternSet([written], syntax)
    assert HostTable([network_key("10.0.0.0/8")]).find(b"010.0.0.1") == []


@pytest.mark.parametrize("text", ["", "example.com", "1.2.3", "1.2.3.4.5", "256.0.0.1", "1.2.3.4x", "::g", "é"])
def test_what_is_no_address_has_no_key(text):
    assert network_key(text) is None


def test_a_host_of_many_labels_takes_no_longer_than_its_octets():
    table = HostTable([b"a.a.a", b"b.a"])
    assert table.find(b".".join([b"a"] * 100_000)) == [(0, False)]
    assert table.find(b"." * 1000) == []
    assert HostTable([]).find(b"example.com") == []


def unkeyed(name: bytes) -> int:
    """Return the hash that had no key, of names of up to eight letters under .com, for a table of 2^17 slots."""
    hash_ = 0x11C9DC5
    for label in reversed(name.split(b".")):
        hash_ = (hash_ ^ int.from_bytes(label, "little")) * 0x9E3779B97F4A7C15 & (1 << 64) - 1
        hash_ ^= hash_ >> 32
    return hash_ & 0x1FFFF


@pytest.mark.slow(1)
def test_no_choice_of_names_makes_a_table_slow():
    """64,000 names of one 64th of the slots took 27 times as long to place, and 100 times to find."""
    rng = seeded("flood")
    letters = b"abcdefghijklmnopqrstuvwxyz"
    chosen: set[bytes] = set()
    while len(chosen) < 16_000:
        name = bytes(rng.choices(letters, k=8)) + b".com"
        if unkeyed(name) < 1 << 11:
            chosen.add(name)
    others = [bytes(rng.choices(letters, k=8)) + b".com" for _ in range(len(chosen))]
    # names whose words are the same in one label and in two, as a hash without lengths of labels takes them
    same = {b".".join([b"b" * 8, b"a" * 8]), b"a" * 8 + b"b" * 8}

    def seconds(names: list[bytes]) -> float:
        table, started = HostTable(names), time.process_time()
        for name in names:
            table.find(name)
        return time.process_time() - started

    floods = min(seconds([*chosen, *same]) for _ in range(3))
    assert floods < 8 * min(seconds(others) for _ in range(3))


def test_a_plain_name_is_the_key_that_the_host_parser_gives():
    rng = seeded("plain keys")
    taken = 0
    for _ in range(draws(5000)):
        text = "".join(
            rng.choices("ab1x-_.A*%:@é[/", [9, 9, 3, 2, 1, 1, 6, 1, 1, 1, 1, 1, 1, 1, 1], k=rng.randrange(1, 12))
        )
        key = plain_key(text)
        if key is not None:
            url = urlsm.parse(f"https://{text}/")
            assert (url.host, url.path, url.port, url.username) == (text, "/", None, None)
            assert (key, network_key(text)) == (text.encode(), None)
            assert "*" not in text
            taken += 1
    assert taken > least(300) or plain_key("a.com") is None  # without the lane no name is plain
    assert plain_key("a" * 300) is None


def test_an_origin_is_compared_as_it_is_written():
    for syntax in ("origins", "csp"):
        for pattern, inside, outside in (
            ("https://a.", "https://a./", "https://a/"),
            ("https://A.example.", "https://a.example./", "https://a.example/"),
            ("https://*.a.com.", "https://x.a.com./", "https://x.a.com/"),
            ("https://*.a.com", "https://x.a.com/", "https://x.a.com./"),
            ("https://1.2.3.4", "https://1.2.3.4/", "https://[::ffff:1.2.3.4]/"),
            ("https://[::ffff:1.2.3.4]", "https://[::FFFF:102:304]/", "https://1.2.3.4/"),
            ("https://[::1:0]", "https://[0::1:0]/", "https://0.1.0.0/"),
            ("https://B\u00dcCHER.example", "https://b\u00fccher.example/", "https://bucher.example/"),
        ):
            patterns = PatternSet([pattern], syntax)
            assert inside in patterns and outside not in patterns, (syntax, pattern)
            assert "nothing" not in [found.code for found in patterns.lint()]
    patterns = PatternSet(["*://[::ffff:1.2.3.4]/*"], "match-pattern")
    assert "http://[::ffff:102:304]/x" in patterns and "http://1.2.3.4/x" not in patterns


def test_paths_of_csp_are_decoded():
    for pattern, inside, outside in (
        ("/x%3By", "/x;y /x%3by /%78%3By", "/x /x;yz /x%253By"),
        ("/a,b", "/a%2Cb /a,b", "/a/b"),
        ("/~u/", "/%7Eu/x /~u/ /~%75/", "/~u /%7Eu%2Fx"),
        ("/a%2Fb", "/a%2fb", "/a/b"),
        ("/x%2541", "/x%2541 /%78%2541", "/x%41 /xA"),
        ("/100%", "/100% /100%25", "/100"),
        ("/\u00e9", "/%C3%A9 /%c3%a9 /\u00e9", "/e"),
        ("/", "/ /x %2f", ""),
    ):
        patterns = PatternSet([f"https://a.com{pattern}"], "csp")
        assert [path for path in inside.split() if f"https://a.com/{path[1:]}" not in patterns] == [], pattern
        assert [path for path in outside.split() if f"https://a.com{path}" in patterns] == [], pattern


@pytest.mark.parametrize(
    ("own", "inside", "outside"),
    [
        ("https://a.com", "https://a.com/ wss://a.com/", "http://a.com/ ws://a.com/ https://a.com:8/ https://a.com./"),
        ("http://a.com", "http://a.com/ ws://a.com/ wss://a.com/ https://a.com/", "https://a.com:8/ ftp://a.com/"),
        ("http://a.com:8080", "https://a.com:8080/ ws://a.com:8080/", "https://a.com/ ws://a.com/ wss://b.com:8080/"),
        ("http://[::1]:3000/x", "ws://[::1]:3000/y", "ws://[::1]/"),
        ("data:x", "", "https://null/ data:x"),
        ("null", "", "https://null/ data:x"),
    ],
)
def test_self_of_csp(own, inside, outside):
    patterns = PatternSet(["'self'"], "csp", self_origin=own)
    assert [url for url in inside.split() if url not in patterns] == []
    assert [url for url in outside.split() if url in patterns] == []


@pytest.mark.parametrize("own", ["null", "data:text/html,x", "about:blank", "blob:null/x", "javascript:x"])
def test_an_opaque_origin_has_no_scheme(own):
    """As Chromium: SourceAllowScheme of services/network/public/cpp/content_security_policy/csp_source.cc."""
    patterns = PatternSet(["*", "'self'", "a.com", "*.b.com:*", "c.com/x"], "csp", self_origin=own)
    for url in ("https://a.com/", "ws://x.org/", "ftp://a.com/"):
        assert url in patterns  # by "*"
        assert url not in PatternSet(["'self'", "a.com", "*.b.com:*"], "csp", self_origin=own)
    for url in ("data:text/html,x", "about:blank", "javascript:x", "data://a.com/", "blob:null/x", "file:///x"):
        assert url not in patterns
    for url in ("http://1:x", "", "nul", "a.com"):
        with pytest.raises(ValueError, match="self_origin"):
            PatternSet(["*"], "csp", self_origin=url)


@pytest.mark.parametrize("piece", ["\ud800", "a", "%61", "é"])
def test_a_path_of_csp_of_a_megabyte_is_too_large_at_once(piece):
    with pytest.raises(PatternError) as caught:
        PatternSet([f"https://a.com/{piece * 1_000_000}"], "csp")
    assert caught.value.code == "too-large"


@pytest.mark.parametrize("syntax", ["origins", "csp", "glob", "match-pattern", "redirect-uri"])
@pytest.mark.parametrize("host", ["*..example.com", "a..example", "。example.com", "%2eexample.com", "*.。example.com"])
def test_no_label_of_a_host_is_empty(syntax: str, host: str):
    options = {"wildcards": True} if syntax == "redirect-uri" else {}
    path = "" if syntax == "origins" else "/"
    if syntax != "redirect-uri" or host.isascii():  # others are no URIs
        with pytest.raises(PatternError, match=r"^a label of the host is empty.* \(not-a-host"):
            PatternSet([f"https://{host}{path}"], syntax, **options)
    with pytest.raises(PatternError, match=r"write \*\. for all subdomains") as caught:
        PatternSet([f"https://.example.com{path}"], syntax, **options)
    assert (caught.value.code, caught.value.position) == ("not-a-host", 8)
    hosts = ["[::1]", "127.0.0.1", "example.com.", "*.example.com"]
    assert PatternSet([f"https://{host}{path}" for host in hosts], syntax, **options)


@pytest.mark.parametrize(("option", "values"), [("flavor", "chrome, firefox"), ("schemes", "'web' or 'all'")])
def test_an_unknown_option_of_match_patterns(option: str, values: str):
    with pytest.raises(ValueError, match=f"^{option} must be (one of )?{values}, not 'safari'$"):
        PatternSet(["https://example.com/"], "match-pattern", **{option: "safari"})
