"""check_git_url: each code is provoked, and near misses are not; oracles/test_git.py asks live git."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import urlsm
from urlsm.patterns import PatternSet
from urlsm.security import Verdict, check_git_url, git_urls

BASE = "https://good.example/team/project.git"
ALLOWED = ["good.example", "::1", "ports.example:*"]
PROVOKED = {
    "surrogate": ["https://good.example/\ud800a"],
    "control-character": ["https://good.example/a\rb", "https://good.example/a%0ahost=evil.example",
                          "git@good.example:a%0D",
                          "https://good.example/%250a", "https://good.example/a%00b", "../a%0ab", "ssh://a%7fb@good.example/c",
                          "git@good.example:a\u2028b"],
    "edge": ["https://good.example/a\r", " git@good.example:a", "\tx", "https://good.example/a\n", "\u200bext::sh"],
    "option": ["-u", "--upload-pack=touch x", "-", "-oProxyCommand=id", "ssh://-oProxyCommand=id/a",
               "ssh://-l@good.example/a", "ssh://a@-oProxyCommand=id/b", "ssh://%2doProxyCommand=id/a", "git@-x:a",
               "-x@good.example:a", "git@good.example:-a", "good.example:--upload-pack=id", "git://-x/a",
               "https://good.example/-u", "git@good.example:a/-b.git", "https://good.example/-a/.git/", "../-x",
               "https://good.example/a:-b"],
    "remote-helper": ["ext::sh -c id", "fd::7,8", "https::https://good.example/a", "foo::bar", "git+ssh::x", "EXT::sh"],
    "climbs": ["../../../evil.example/a", "../../../../a", "../:x", "..//evil.example", "./../../../a", ".//a"],
    "local-path": ["/etc/project", "project", "~/project", "a/b:c", "file:///etc/project", "\\\\host\\share",
                   "C:\\a", "c:a",
                   "."],
    "scheme-not-allowed": ["ftp://good.example/a", "HTTPS://good.example/a", "foo://good.example/a", "ext://sh",
                           "git+https://good.example/a", "rsync://good.example/a", "javascript://good.example/a"],
    "path-missing": ["ssh://good.example", "git://good.example", ""],
    "host-missing": ["https:///a", "ssh:///a", ":a", "http:///good.example/a"],
    "credentials": ["https://me@good.example/a", "https://:pw@good.example/a", "ssh://me:pw@good.example/a",
                    "ssh://me%3apw@good.example/a", "https://@good.example/a", "https://good.example\\@evil.example/a",
                    "https://good.example:80@evil.example:x/a"],
    "user-not-normal": ["ssh://a`id`@good.example/b", "$(id)@good.example:a",
                        "a b@good.example:c", "a@b@good.example:c",
                        "@good.example:a"],
    "host-not-normal": ["ssh://good.example;id/a", "git@$(id):a", "http://127.1/a",
                        "http://0x7f000001/a", "https://bücher.example/a",
                        "git://me@good.example/a", "http://good.example:+80/a", "https://good.example./a",
                        "git@a\\b:c", "ssh://[fe80::1%25eth0]/a"],
    "ambiguous": ["ssh://good.example%2fa@evil.example/b", "https://good.example:0/a",
                  "https://good.example:65536/a", "ssh://good.example:022222/a",
                  "ssh://good.example:+22/a"],
    "query": ["https://good.example/admin?a=", "https://good.example/admin#", "http://good.example/?x"],
    "host-not-allowed": ["https://evil.example/a", "git@evil.example:good.example/a", "ssh://git@good.example:2222/a",
                         "https://a.good.example/b", "https://good.example.evil.example/a"],
}  # fmt: skip
OPEN = [
    *("https://good.example/a/b.git", "http://good.example/a", "https://good.example/", "https://GOOD.example:443/a"),
    *("git@good.example:a/b.git", "good.example:a", "git@good.example:/a", "ssh://git@good.example/a.git"),
    *("ssh://git@good.example:22/~me/a", "git://good.example/a", "git+ssh://git@good.example/a", "git@[::1]:a"),
    *("[git@good.example:22]:a", "ssh://ports.example:2222/a", "https://good.example/-/a", "https://good.example/a-b"),
    *("https://good.example/a%20b", "ssh://first.last+x@good.example/a", "git@good.example:a?b", "../library.git"),
    *("./a", "../../a", "../../other/a/", "https://ports.example:8443/a"),
]


@pytest.mark.parametrize(("code", "text"), [(code, text) for code, texts in PROVOKED.items() for text in texts])
def test_each_code(code, text):
    verdict = check_git_url(text, base=BASE, allowed_hosts=ALLOWED)
    assert verdict == Verdict(False, codes=(code,), message=git_urls._MESSAGES[code])
    assert not verdict and verdict.message


def test_every_code_is_provoked():
    assert {"", *PROVOKED} == set(git_urls._MESSAGES)


@pytest.mark.parametrize("text", OPEN)
def test_allowed(text):
    assert check_git_url(text, base=BASE, allowed_hosts=ALLOWED) == Verdict(True)
    assert check_git_url(text.encode(), base=BASE.encode()).allowed


@pytest.mark.parametrize("text", ["https:good.example/a", "HTTPS:/good.example/a", "ssh:good.example/a", "wss:x/a"])
def test_a_scheme_is_no_host(text):
    """git reads the short form of ssh, with the host "https"; browsers see good.example."""
    assert check_git_url(text).codes == ("ambiguous",)


def test_hosts_and_schemes():
    assert check_git_url("https://10.0.0.1/a").allowed  # all hosts, as the docstring says
    assert check_git_url("https://good.example/a", allowed_hosts=[]).codes == ("host-not-allowed",)
    hosts = PatternSet(["https://good.example/team/**", "ssh://good.example/team/**"], "glob")
    assert check_git_url("https://good.example/team/a", allowed_hosts=hosts).allowed
    assert check_git_url("git@good.example:team/a", allowed_hosts=hosts).allowed
    assert check_git_url("https://good.example/team/../a", allowed_hosts=hosts).codes == ("host-not-allowed",)
    assert check_git_url("git@good.example:team/../a", allowed_hosts=hosts).codes == ("host-not-allowed",)
    assert check_git_url("ftp://good.example/a", allowed_schemes=["ftp"]).allowed
    assert check_git_url("http://good.example/a", allowed_schemes=["https"]).codes == ("scheme-not-allowed",)
    assert check_git_url("git@good.example:a", allowed_schemes=["https"]).codes == ("scheme-not-allowed",)
    for text in ("/etc/a", "a", "file:///a", "C:a"):
        assert check_git_url(text, allowed_schemes=["file"]).allowed
    assert check_git_url(urlsm.parse("https://good.example/a")).allowed
    assert check_git_url("../a").codes == ("local-path",)


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"allowed_schemes": ["ext"]}, ValueError),
        ({"allowed_schemes": "https"}, TypeError),
        ({"allowed_hosts": "good.example"}, TypeError),
        ({"allowed_hosts": ["*"]}, ValueError),
        ({"allowed_hosts": PatternSet(["evil.example"], "blocklist")}, ValueError),
        ({"base": 5}, TypeError),
    ],
)
def test_wrong_arguments(options, error):
    for text in ("https://good.example/a", "-x"):
        with pytest.raises(error):
            check_git_url(text, **options)
    with pytest.raises(TypeError):
        check_git_url(None)


PIECES = ["https://", "ssh://", "git@", "good.example", "evil.example", ":", "/", "::", "-x", "..", "%2f", "%0a", "@",
          "[", "]", "\\", "?", "#", "é", " ", "ext", "22", "~", ";"]  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES), max_size=8).map("".join) | st.text(max_size=20)


@given(TEXTS)
def test_any_text(text):
    verdict = check_git_url(text, base=BASE, allowed_hosts=ALLOWED)
    assert verdict.allowed is (verdict.codes == ())
    assert not verdict.allowed or check_git_url(text, base=BASE).allowed


@pytest.mark.parametrize("unit", ["/-", "-/", "../", "a:", "@", "[", "%0", "%2f", "é", ".git/", "?", "a."])
def test_a_long_text_takes_no_longer_than_linear(unit):
    for text in ("{}", "https://good.example/{}", "ssh://{}", "git@h:{}x", "../{}"):
        check_git_url(text.format(unit * 50_000), base=BASE)
