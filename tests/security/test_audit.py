"""Hazards: each row of the table is provoked, and similar texts do not provoke it."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import urlsm
from urlsm.security import Hazard, audit
from urlsm.security.hazards import BAD_PORTS, HAZARDS, cwe_of
from urlsm.security.plain import unremarkable
from urlsm.server import path_as

# code -> texts, with "^" before the place; the component
PROVOKED = {
    "dialects-disagree": {"http://^a%2eb/": "host", "^http://a.b c/": "url", "http:/^a.b": "host", "^a.b:80": "scheme"},
    "credentials": {"http://^u@a.b/": "userinfo", "ssh://^u:p@a.b/": "userinfo", "//^u@a.b": "userinfo"},
    "backslash": {"http://a.b/^\\\\c": "path", "http:^\\\\a.b": "url", "x:^\\": "path", "http://a.b?^\\": "query"},
    "control-character": {"http://a.b/^\n\rc": "path", "http://a.b/^\n": "url",
                          "^\0http://a.b": "url", "http://a^\tb/": "host", "x:#^\x7f": "fragment"},
    "control-character-encoded": {"http://a.b/^%0d%0A": "path",
                                  "http://a.b/?^%00": "query", "http://a.b/^%250a": "path",
                                  "mailto:a?b=^%0D": "query", "http://a.b/#^%7f": "fragment"},
    "delimiter-encoded": {"http://a.b/c^%2fd": "path", "http://a.b/^%5C": "path", "http://a^%40b/": "host",
                          "http://a^%2Eb/": "host", "http://a.b/^%25252f": "path", "http://[::1^%25a]/": "host"},
    "dot-segment-encoded": {"http://a.b/c/^%2e%2e/d": "path", "http://a.b/^.%2E": "path", "http://a.b/^%2e?": "path",
                            "http://a.b/%2f^%252e.%5c": "path", "x:^%2e%2e/": "path", "http://a.b/^.%2e;x/": "path",
                            "http://a.b/api^%2e%2e/c": "path"},
    "ipv4-odd-form": {"http://^127.1/": "host", "http://^0x7f000001/": "host", "http://^010.0.0.1": "host",
                      "http://^1.2.3.4./": "host", "http://^１.2.3.4/": "host", "ssh://^2130706433/": "host"},
    "ipv4-mapped-address": {"http://^[::ffff:8.8.8.8]/": "host", "http://^[64:ff9b::808:808]/": "host",
                            "http://^[2002:808:808::]/": "host", "http://^[::8.8.8.8]/": "host"},
    "loopback-address": {"http://^127.0.0.1/": "host", "http://^127.9.9.9": "host", "http://^[::1]/": "host",
                         "http://^0.0.0.0/": "host", "http://^LocalHost./": "host", "ftp://^x.localhost": "host",
                         "http://^[::ffff:127.0.0.1]/": "host", "ssh://^127.1/": "host", "http://^[::]/": "host",
                         "http://^[%3a%3a1]/": "host", "http://^[::１]/": "host", "http://^[%EF%BC%9A:1]/": "host"},
    "link-local-address": {"http://^169.254.1.1/": "host", "http://^[fe80::1]/": "host"},
    "private-address": {"http://^10.1.2.3/": "host", "http://^192.168.0.1/": "host", "http://^172.31.255.255/": "host",
                        "http://^[fd00::1]/": "host", "http://^100.64.0.1/": "host", "http://^[2002:a00:1::]/": "host"},
    "metadata-address": {"http://^169.254.169.254/latest": "host", "http://^[fd00:ec2::254]/": "host",
                         "http://^metadata.google.internal/": "host", "http://^2852039166/": "host",
                         "http://^[::ffff:a9fe:a9fe]/": "host", "http://^100.100.100.200/": "host"},
    "blocked-port": {"http://a.b:^6667/": "port", "https://a.b:^22": "port", "//a.b:^25/": "port"},
    "non-default-port": {"http://a.b:^8080/": "port", "https://a.b:^80": "port", "ssh://a.b:^23/": "port",
                         "x+ssh://a.b:^22/": "port", "nobody+http://a.b:^80/": "port"},
    "misleading-host": {"http://^аррӏе.com/": "host", "http://^pаypal.com/": "host",
                        "http://^xn--80ak6aa92e.com/": "host",
                        "http://^☃.net/": "host"},
    "mapped-host": {"http://^faß.de/": "host", "http://^ｇood.com/": "host", "http://^a。b/": "host",
                    "http://^a℀b/": "host"},
    "fake-a-label": {"http://^xn--a/": "host", "ssh://^b.XN--a.c/": "host", "http://^xn--example-.org/": "host"},
    "host-too-long": {f"http://^{'a' * 254}/": "host", f"http://u@^{'%61' * 254}./": "host",
                      f"//^{'é.' * 300}": "host"},
    "leading-hyphen": {"ssh://^-oProxyCommand=x/": "host", "http://^-a.b/": "host", "ssh://^-x@a.b/": "userinfo",
                       "^-oProxyCommand=x": "url", "ssh://^%2doProxyCommand=x/": "host", "ssh://^%2Dx@a.b/": "userinfo",
                       "git@^-oProxyCommand=x:a": "url", "git@a.b:^--upload-pack=x": "url"},
    "nested-too-deeply": {"view-source:" * 8 + "^view-source:http://a.b/": "path"},
    "dot-segment-parameter": {"http://a.b/^..;/c": "path", "http://a.b/c/^%2e;d": "path", "/^.%2E%3b/ä": "path"},
    "slashes-doubled": {"http://a.b^//admin": "path", "HTTPS://a.b/x^//Admin/y?q": "path", "/x/^//%61dmin;x": "path",
                        "http://a.b//x//é^//wp-admin": "path"},
    "network-share": {"file://^//a.b/c": "path", "file://^//?/UNC/a.b/c": "path", "file://^/%5Ca.b": "path"},
    "script": {"^javascript:a//b/": "scheme", "^JavaScript://a.b/%0ac": "scheme",
               "^javascript:alert(1)//good.example/": "scheme"},
    "git-helper": {"^ext::sh -c a": "url", "^fd::7,8": "url"},
    "unknown-scheme": {"^nobody-knows://a.b/": "scheme", "^a.b:80": "scheme"},
}  # fmt: skip

OF_NAMED = {"readers-disagree", "hops-disagree"}  # which only named programs find: tests/readers, and below


def test_every_row_is_provoked():
    assert set(PROVOKED) == set(HAZARDS) - OF_NAMED
    for message, reference in HAZARDS.values():
        assert message and re.search(
            r"RFC \d+|https://(url|fetch)\.spec\.whatwg\.org/#|CWE-\d+|CVE-\d+|UTS \d+", reference
        )


@pytest.mark.parametrize(
    ("code", "marked", "component"),
    [(code, marked, component) for code, texts in PROVOKED.items() for marked, component in texts.items()],
)
def test_provoked(code, marked, component):
    position, text = marked.index("^"), marked.replace("^", "")
    wanted = Hazard(code, component, position, *HAZARDS[code])
    found = audit(text)
    assert [hazard for hazard in found if hazard.code == code and hazard.component == component] == [wanted]
    assert found == sorted(found, key=lambda hazard: hazard.position)
    octets = text.encode()
    assert [(hazard.code, hazard.component) for hazard in audit(octets)] == [(h.code, h.component) for h in found]
    assert wanted.position == len(octets[: audit(octets)[found.index(wanted)].position].decode())


@pytest.mark.parametrize(
    ("code", "target", "one", "other"),
    [
        ("slashes-doubled", "/x//admin", "nginx Apache Caddy Tomcat", "HAProxy Envoy uvicorn gunicorn"),
        ("dot-segment-encoded", "/x/%2e%2e/admin", "nginx Apache Caddy Tomcat", "HAProxy Envoy Node"),
        ("dot-segment-parameter", "/x/..;/admin", "Tomcat", "nginx HAProxy"),
        ("delimiter-encoded", "/x%2fadmin", "nginx Jetty uvicorn gunicorn", "HAProxy Envoy Go Node"),
    ],
)
def test_a_message_names_programs_that_read_so(code, target, one, other):
    message = HAZARDS[code].message
    first, second = ({path_as(target, name.lower()).lower() for name in names.split()} for names in (one, other))
    assert len(first) == len(second) == 1 and first != second
    assert all(name in message for name in f"{one} {other}".split())


CLOSE = {
    "dialects-disagree": ["http://a.b/", "HTTP://A.B:80"],
    "credentials": ["http://a.b/@c", "mailto:a@b", "http://@a.b/"],
    "backslash": ["http://a.b/%5c"],
    "control-character": ["http://a.b/ c", "http://a.b/\x80"],
    "control-character-encoded": ["http://a.b/%20%1g%80"],
    "delimiter-encoded": ["http://a.b/%3a%40%23%3F", "http://a.b/?%2f", "http://a.b/#%5c", "http://a.b/%2g"],
    "dot-segment-encoded": ["http://a.b/../c", "http://a.b/%2e%2e%2e", "http://a.b/a%2e", "http://a.b/%2ea",
                            "http://a.b/c%2e%2e.",
                            "http://a.b/?/%2e/"],
    "ipv4-odd-form": ["http://1.2.3.4/", "http://1.2.3.4.nip.io/", "http://[::1.2.3.4]/"],
    "ipv4-mapped-address": ["http://[::1]/", "http://[2606:4700::1]/", "http://[::]/"],
    "loopback-address": ["http://128.0.0.1/", "http://localhost.a/", "http://mylocalhost/", "http://[::2:1]/"],
    "link-local-address": ["http://169.253.1.1/", "http://[fec0::1]/"],
    "private-address": ["http://11.1.2.3/", "http://172.32.0.1/", "http://[2606:4700::1]/", "http://8.8.8.8/"],
    "metadata-address": ["http://169.254.169.253/", "http://metadata.internal/"],
    "blocked-port": ["http://a.b:80/", "ssh://a.b:23/", "http://a.b:8080/"],
    "non-default-port": ["http://a.b:80/", "ssh://a.b:22/", "http://a.b:/", "ldap://a.b:389/",
                         "nobody+http://a.b/"],
    "misleading-host": ["http://bücher.example/", "http://яндекс.рф/", "http://例え.jp/", "http://xn--/"],
    "mapped-host": ["http://bücher.example/", "http://BÜCHER.example/", "http://fass.de/"],
    "fake-a-label": ["http://xn--bcher-kva.example/", "http://axn--a/", "http://a.b/xn--a", "http://xn-a/"],
    "host-too-long": [f"http://{'a' * 253}./", f"http://{'%61' * 253}/", f"http://{'a@' * 300}b/"],
    "leading-hyphen": ["http://a-.b/", "ssh://a@b-c/", "http://a.b/-c", "geo:-37,144", "git@a.b:c/-d", "git@b-c:d"],
    "nested-too-deeply": ["view-source:" * 8 + "http://a.b/", "pkg:npm/a?vcs_url=x&download_url=https://a.b/"],
    "dot-segment-parameter": ["http://a.b/a..;/c", "http://a.b/...;/c", "http://a.b/?/..;/c", "http://a.b/;../c"],
    "slashes-doubled": ["http://a.b/admin", "http://a.b//docs//x", "http://a.b//administrators", "http://a.b/?//admin",
                        "sqlite:////admin/x", "http://a.b/#//admin", "//admin/x"],
    "network-share": ["file:///a//b", "file:////", "file://a.b/c", "http://a.b//c"],
    "script": ["http://a.b/javascript:c", "data:,javascript:a"],
    "git-helper": ["text::a", "http://a.b/ext::c", "ext:a::b"],
    "unknown-scheme": ["git+ssh://a.b/", "urn:a:b", "a/b", "HTTP://a.b"],
}  # fmt: skip


@pytest.mark.parametrize(("code", "text"), [(code, text) for code, texts in CLOSE.items() for text in texts])
def test_what_comes_close(code, text):
    assert code not in {hazard.code for hazard in audit(text)}


def test_close_calls_are_there_for_every_row():
    assert set(CLOSE) == set(HAZARDS) - OF_NAMED


@pytest.mark.parametrize(
    "text",
    [
        *("https://example.org/", "HTTP://Example.org:80/a/../b?c=d&e#f", "https://bücher.example/ä"),
        "mailto:a@example.org",
        *("https://a_b.example/%C3%A9%20x", "ftp://example.org/x;type=i", "ssh://example.org/x", "/a/b", "", "data:,x"),
    ],
)  # fmt: skip
def test_ordinary_texts_have_none(text):
    assert audit(text) == []


def test_bad_ports_are_fetch_s():
    assert len(BAD_PORTS) == 83 and {0, 22, 4190, 6697, 10080} <= BAD_PORTS and BAD_PORTS.isdisjoint({80, 443, 8080})


def test_what_is_a_text():
    assert audit(b"http://\xc3\xa9.b/\\") == audit(b"http://\xff\xff.b/\\")[-1:] != []
    assert [hazard.code for hazard in audit(urlsm.parse("http://127.1/"))] == ["loopback-address"]  # judged as it is
    for wrong in (None, 1):
        with pytest.raises(TypeError):
            audit(wrong)


def test_the_scheme_of_a_plugin_that_cannot_be_loaded_is_not_unknown(monkeypatch):
    from urlsm.meaning import registry

    def broken(name):
        raise urlsm.PluginError(name)

    monkeypatch.setattr(registry, "handler", broken)
    assert audit("nobody-knows://a.b/") == []


PIECES = [
    *("http://", "https://a.b", "a.b", "/", "\\", "@", ":80", ":8080", "%2e", "%2f", "%0a", "\n", "\0", "é"),
    *("ß", "127.1", "-"),
    *("localhost", "xn--", ".internal", ".", "?", "#", "[::1]", " ", "\x7f", "X", "metadata.google", "。", "u:Secret@"),
]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES)).map("".join) | st.text())
def test_the_fast_way_never_differs_from_the_slow_one(text):
    clear = unremarkable(text)
    assert 0 <= clear <= len(text)
    if clear:
        # pieces that force the slow way, and only add hazards of their own at the end
        slow = [
            hazard for hazard in audit("\x01" + text) if hazard.code not in ("control-character", "dialects-disagree")
        ]
        assert slow == [
            Hazard(h.code, h.component, h.position + 1, h.message, h.reference)
            for h in audit(text)
            if h.code != "control-character"
        ]


@given(st.lists(st.sampled_from(PIECES)).map("".join) | st.text() | st.binary())
def test_any_text(url):
    found = audit(url)
    for hazard in found:
        assert HAZARDS[hazard.code] == (hazard.message, hazard.reference)
        assert 0 <= hazard.position <= len(url)
        assert "Secret" not in repr(hazard)
    assert len({(hazard.code, hazard.component) for hazard in found}) == len(found)
    assert ("dialects-disagree" in {hazard.code for hazard in found}) is urlsm.security.is_ambiguous(url)


@pytest.mark.parametrize("unit", ["%2e/", "%25", "%252f", "\\", "\n", "%0a", "a@", "-", "[", "é", "127.", "xn--"])
@pytest.mark.parametrize("form", ["http://{}", "http://a.b/{}", "x:{}"])
def test_a_long_text_takes_no_longer_than_linear(form, unit):
    assert audit(form.format(unit * 100_000)) or unit in ("é", "a@", "-", "127.", "xn--", "[", "%25")


# --- the path at named hops ----------------------------------------------------------------------


def test_hops_that_match_on_different_paths_are_named():
    [found] = [each for each in audit("http://h/x/..;/a", hops=["nginx@1.22", "haproxy", "tomcat"])
               if each.code == "hops-disagree"]  # fmt: skip
    assert found.component == "path" and found.position == 8
    assert found.message == "nginx and haproxy see the path /x/..;/a, tomcat sees the path /a"
    assert audit("http://h/a?b", hops=["nginx", "tomcat"]) == audit("http://h/a?b") == []
    assert audit("/x/../a%zz", hops=["nginx", "apache"]) == audit("/x/../a%zz")  # who refuses it has no say
    assert "hops-disagree" in [each.code for each in audit("//h//a", hops=["nginx", "uvicorn"])]


def test_hops_that_are_unknown():
    with pytest.raises(ValueError, match="no program 'squid' is known; those that are: aiohttp, apache"):
        audit("http://h/", hops=["squid"])
    with pytest.raises(ValueError, match="hops must not be empty"):
        audit("http://h/", hops=[])
    with pytest.raises(TypeError, match="hops must be an iterable of str, not str"):
        audit("http://h/", hops="nginx")


def test_each_hazard_has_its_number_of_cwe():
    """But for two, of which MITRE has none."""
    numbers = {code: cwe_of(row.reference) for code, row in HAZARDS.items()}
    assert [code for code, found in numbers.items() if not found] == ["blocked-port", "non-default-port"]
    assert numbers["misleading-host"] == (1007,) and numbers["hops-disagree"] == (436, 177)
    assert [hazard.cwe for hazard in audit("http://0x7f.1/")] == [numbers[h.code] for h in audit("http://0x7f.1/")]
    assert audit("http://h:25/")[0].cwe == ()
