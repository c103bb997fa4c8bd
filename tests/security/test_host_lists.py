"""Lists of hosts: one grammar for all that take one, and what a bare name means to each (docs/patterns.md)."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.seeds import draws, least, seeded

import urlsm
from urlsm.domains import in_domains
from urlsm.guard import Policy
from urlsm.patterns import PatternSet
from urlsm.security.host_lists import HostList, read_host_entry
from urlsm.server import Hosts

HOME = "https://home.invalid/"
# each taker of a list: the test that (list) -> (host and port) -> whether it is in it
TAKERS = {
    "PatternSet": lambda entries: lambda host: f"https://{host}/" in PatternSet(entries),
    "Policy": lambda entries: lambda host: "host" not in Policy(domains=entries).check(f"https://{host}/").codes,
    "Hosts": lambda entries: lambda host: host in Hosts(entries),
    "is_safe_redirect": lambda entries: lambda host: urlsm.security.is_safe_redirect(
        f"https://{host}/", base=HOME, allowed_hosts=entries
    ),
    "in_domains": lambda entries: lambda host: in_domains(f"https://{host}/", entries),
}  # fmt: skip
NEVER = [
    *("", "=", ".", "*.", "http://a.example", "https://a.example/", "a.example/x", "a b", "a\tb", "a@b", "a?b", "a#b"),
    *("a*", "*a", "a.*", "*.*.example", "**.example", "=*.a", "10.0.0.0/33", "10.0.0.1/8", "010.0.0.1", "*.10.0.0.1"),
    *(".10.0.0.1", "[::1", "::1]", "::g", "a:b", "a:", ":80", "a:99999", "a:-1", "a:8x", "a..b", "..a", "\0", "\ud800"),
    *("10.0.0.0/8:80", "fe80::1%eth0", "[::1]x", "[::1]:", "1.2.3.4.5", "256.0.0.1", "x y", "%zz", "\\a"),
    *("a,b.example", "a;b", "a'b"),
]  # fmt: skip


@pytest.mark.parametrize("taker", TAKERS)
@pytest.mark.parametrize("entry", NEVER)
def test_what_can_never_match_is_refused_when_the_list_is_made(taker: str, entry: str):
    for entries in ([entry], ["a.example", entry], [entry, "a.example"]):
        with pytest.raises(ValueError):  # each taker has its words
            TAKERS[taker](entries)("a.example")
    if taker == "PatternSet":
        patterns = PatternSet([entry, "a.example"], strict=False)
        assert [error.pattern for error in patterns.errors] == [entry]
        assert "https://a.example/" in patterns


@pytest.mark.parametrize("taker", TAKERS)
def test_a_star_is_for_hosts_alone(taker: str):
    if taker == "Hosts":
        assert "a.example" in Hosts(["*"])
        return
    with pytest.raises(ValueError, match="every host"):
        TAKERS[taker](["*"])("a.example")


@pytest.mark.parametrize("target", ["/x", "https://a.example/", "https://evil.example/", "javascript:x", ""])
def test_a_bad_list_is_told_whatever_the_target_is(target: str):
    for entries in (["*"], ["a.example", "https://b.example"], iter(["a.example/"]), {""}):
        with pytest.raises(ValueError):
            urlsm.security.is_safe_redirect(target, base="https://a.example/", allowed_hosts=entries)
    for wrong in ([None], [b"a"], 1, "a.example", b"a.example"):
        with pytest.raises(TypeError):
            urlsm.security.is_safe_redirect(target, base="https://a.example/", allowed_hosts=wrong)


def rows() -> list[list[str]]:
    page = (Path(__file__).parents[2] / "docs/patterns.md").read_text(encoding="utf-8")
    lines = page[page.index("| entry | `PatternSet`") :].partition("\n\n")[0].splitlines()
    return [[cell.strip().strip("`") for cell in line.strip("|").split("|")] for line in (lines[0], *lines[2:])]


WORDS = {  # of the table -> whether the name itself, what is below, another port of it are in the list
    "and below, any port": (True, True, True),
    "alone, the scheme's port": (True, False, False),
    "and below, the scheme's port": (True, True, False),
    "below, any port": (False, True, False),
    "below, the scheme's port": (False, True, False),
    "alone, any port": (True, False, True),
    "and below, that port": (False, False, True),
    "alone, that port": (False, False, True),
    "a ValueError": (None, None, None),
    "every host": (True, True, True),
}


def test_the_table_of_the_page():
    head, *listed = rows()
    assert " ".join(head[1:]).replace("`", "").replace(",", "").split() == list(TAKERS)
    assert len(listed) > 6
    for entry, *told in listed:
        for taker, words in zip([*TAKERS][:1] + [*TAKERS][2:], told, strict=True):
            takers = [taker, "Policy"] if taker == "PatternSet" else [taker]
            for each in takers:
                if WORDS[words][0] is None:
                    with pytest.raises(ValueError):
                        TAKERS[each]([entry])("example.com")
                    continue
                holds = TAKERS[each]([entry])
                hosts = ("10.1.2.3", "10.1.2.3.example", "10.1.2.3:8080") if "/" in entry else (
                    "example.com", "a.b.example.com", "example.com:8080")  # fmt: skip
                assert tuple(map(holds, hosts)) == WORDS[words], (entry, each)
                assert not holds("evil.example") or entry == "*"


def test_all_takers_agree_on_what_an_entry_names():
    """But for what a bare name means, and for ports that none is written for."""
    rng = seeded("host lists")
    hosts = ("example.com", "a.example.com", "b.a.example.com", "xexample.com", "com", "127.0.0.1", "10.9.8.7", "[::1]",
             "[2001:db8::1]", "xn--bcher-kva.de", "a.xn--bcher-kva.de")  # fmt: skip
    starts = ("=", ".", "*.")
    held = 0
    for _ in range(draws(400)):
        entries = []
        for _ in range(rng.randrange(1, 5)):
            name = rng.choice(("example.com", "Example.COM.", "a.example.com", "bücher.de", "com"))
            entry = rng.choice(starts) + name
            entry = rng.choice((entry, entry, "127.0.0.1", "::1", "[0::1]", "10.0.0.0/8", "2001:db8::/32"))
            entries.append(entry + (rng.choice(("", ":*")) if "/" not in entry and entry != "::1" else ""))
        for host in hosts:
            told = {taker: make(entries)(host) for taker, make in TAKERS.items()}
            assert len(set(told.values())) == 1, (entries, host, told)
            held += told["Hosts"]
    assert held > least(200)


def test_an_address_is_itself_however_it_is_written():
    for entry in ("127.1", "0x7f.0.0.1", "2130706433", "127.0.0.1", "=127.0.0.1", "::ffff:127.0.0.1"):
        assert "http://127.0.0.1/" in PatternSet([entry])
        assert in_domains("http://0x7f.1/", [entry])
        assert urlsm.security.is_safe_redirect("https://127.0.0.1/", base=HOME, allowed_hosts=[entry])
    assert read_host_entry("2001:DB8::/32").host == "2001:db8::/32"
    assert read_host_entry("[2001:db8::]/32") == read_host_entry("2001:db8:0::/32")
    assert "http://[::ffff:a01:203]/" in PatternSet(["10.0.0.0/8"])


def test_a_dot_at_the_end():
    assert "https://example.com./" in PatternSet(["example.com"]) and "https://example.com/" in PatternSet(
        ["example.com."]
    )
    assert in_domains("https://example.com./", ["example.com"])
    assert in_domains("https://example.com/", ["example.com."])
    assert "example.com." in Hosts(["example.com"]) and "example.com" in Hosts(["example.com."])
    assert urlsm.security.is_safe_redirect("https://example.com/", base=HOME, allowed_hosts=["example.com."])
    assert not urlsm.security.is_safe_redirect("https://example.com./", base=HOME, allowed_hosts=["example.com"])


@pytest.mark.slow(1)
def test_a_long_host_takes_linear_time():
    listed = HostList(["example.com", "=" + "a." * 50_000 + "com"], below=True, any_port=True)
    assert not listed.holds("a." * 200_000 + "org", 443)
    assert listed.holds("a." * 50_000 + "com", 443)


def test_django_lists_are_not_ours():
    django = pytest.importorskip("urlsm.compat.django")
    pytest.importorskip("django")
    for hosts in (["*"], ["", "a.example"], None, "", ["a.example:"]):
        assert not django.url_has_allowed_host_and_scheme("https://evil.example/", hosts)
    assert django.url_has_allowed_host_and_scheme("https://a.example/", ["*", "a.example"])
