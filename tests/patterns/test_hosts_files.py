"""The syntax "hosts": lines of hosts files, of dnsmasq and of unbound."""

from __future__ import annotations

import pickle

import pytest

from urlsm.patterns import PatternError, PatternSet


@pytest.mark.parametrize(
    ("line", "inside", "outside"),
    [
        ("0.0.0.0 ads.example", "ads.example ADS.example.", "a.ads.example ads.example.com bads.example"),
        ("127.0.0.1\ta.example  b.example # both", "a.example b.example", "both x.b.example"),
        (":: a.example", "a.example", "::"), ("::1 a.example", "a.example", "x.a.example"),
        ("0 a.example", "a.example", "x.a.example"), ("127.3.2.1 a.example", "a.example", ""),
        ("127.0.0.1 localhost", "", "localhost"), ("::1 localhost ip6-localhost ip6-loopback", "", "localhost"),
        ("fe80::1%lo0 localhost", "", "localhost"), ("ff02::1 ip6-allnodes", "", "ip6-allnodes"),
        ("255.255.255.255 broadcasthost", "", "broadcasthost"), ("0.0.0.0 0.0.0.0", "", "0.0.0.0"),
        ("10.0.0.5 intranet.example", "", "intranet.example"), ("a.example", "a.example", "x.a.example"),
        ("0.0.0.0 B\xdccher.example", "xn--bcher-kva.example", "bucher.example"), ("1.2.3.4", "1.2.3.4", "1.2.3.5"),
        ("address=/a.example/0.0.0.0", "a.example x.a.example", "xa.example"),
        ("address=/a.example/", "x.a.example", ""),
        ("address=/a.example/b.example/#", "x.a.example b.example", ""), ("address=/#/", "a.example", ""),
        ("server=/a.example/", "x.a.example", ""), ("server=/a.example/8.8.8.8", "", "a.example"),
        ("address=/a.example/10.0.0.5", "", "a.example"), ("local=/a.example/", "x.a.example", ""),
        ('local-zone: "a.example" always_nxdomain', "a.example x.a.example", "xa.example"),
        ("local-zone: 'a.example.' static", "x.a.example", ""),
        ('local-zone: "a.example" transparent', "", "a.example"),
        ('local-data: "a.example. 60 IN A 0.0.0.0"', "a.example", "x.a.example"), ("server:", "", "server"),
        ('local-data: "a.example A 10.0.0.5"', "", "a.example"), ("# 0.0.0.0 a.example", "", "a.example"),
    ],
)  # fmt: skip
def test_a_line(line, inside, outside):
    patterns = PatternSet(line, "hosts")
    assert [host for host in inside.split() if f"https://{host}/x" not in patterns] == []
    assert [host for host in outside.split() if f"https://{f'[{host}]' if ':' in host else host}/x" in patterns] == []
    assert pickle.loads(pickle.dumps(patterns)) == patterns


@pytest.mark.parametrize(
    "line",
    ["||a.example^", "*.a.example", ".a.example", "a.example b.example", "a.example/x", "https://a.example/", "a b",
     "Disallow: /", "local-zone:", "local-foo: a.example x", "0.0.0.0 a%b", "address=/a.example", "\ud800", "\0",
     "a b c"],
)  # fmt: skip
def test_what_is_no_such_line_is_refused(line):
    with pytest.raises(PatternError):
        PatternSet([line], "hosts")


def test_a_file_of_hosts():
    text = "# a list\n127.0.0.1 localhost\n" + "".join(f"0.0.0.0 h{k}.example\n" for k in range(50_000))
    patterns = PatternSet(text, "hosts")
    assert patterns.match("https://h49999.example/").line == 50_002
    assert "https://h50000.example/" not in patterns and "https://x.h1.example/" not in patterns
    assert "no URL" in patterns  # it is a block list
