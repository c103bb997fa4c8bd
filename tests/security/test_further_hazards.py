"""Hazards of texts that are not quite URLs: shares, parameters of dot segments, scripts, git's helpers, drivers' lists.

Rows with a letter and a number are of the review of e498d79 (reports-4: h is hostile.json, j jobs.json, from 0).
"""

from __future__ import annotations

import pytest
from support.times import at_last, least_seconds

import urlsm


def codes(text: str) -> list[str]:
    return [hazard.code for hazard in urlsm.security.audit(text)]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("oracle+cx_oracle://u:p@127.0.0.1/d", {"credentials", "loopback-address"}),  # j40
        ("postgresql+psycopg_async://u:p@10.0.0.1/d", {"credentials", "private-address"}),
        ("oracle+cx_oracle://u:p@db.example/d", {"credentials"}),
        ("mysql://u:1/q@h/d", {"dialects-disagree"}),  # SQLAlchemy: the password "1/q", the host "h"
        ("mysql+pymysql://u:1/q@127.0.0.1/d", {"dialects-disagree", "loopback-address"}),
        ("postgresql://u:1/q@[::1]:5432/d", {"dialects-disagree", "loopback-address"}),
        ("clickhouse://u:1/a/b@10.0.0.1/d", {"dialects-disagree", "private-address"}),
        (" --upload-pack=x", {"leading-hyphen"}),
        ("git+ext::sh -c x", {"dialects-disagree", "unknown-scheme", "non-default-port", "git-helper"}),
        ("git::ext::sh -c x", {"dialects-disagree", "non-default-port", "git-helper"}),
        ("file:////evil.example/s", {"network-share"}),  # h56
        ("file:////?/UNC/evil.example/s", {"network-share"}),  # h57
        ("file:////127.0.0.1/s", {"network-share", "loopback-address"}),
        ("file://///evil.example/s", {"network-share"}),
        ("file:\\\\\\\\evil.example\\s", {"network-share"}),
        ("file:///%5C%5Cevil.example/s", {"network-share"}),
        ("file:///%2f/evil.example/s", {"network-share"}),
        ("file://localhost//evil.example/s", {"network-share"}),
        ("file:///..//evil.example/s", {"network-share"}),
        ("file:///a/..//evil.example/s", {"network-share"}),
        ("file:////localhost/s", {"network-share", "loopback-address"}),
        ("jdbc:oracle:thin:@//127.0.0.1:1521/x", {"loopback-address"}),  # h58
        ("jdbc:h2:tcp://127.0.0.1/x", {"loopback-address"}),  # h59
        ("jdbc:mysql:loadbalance://127.0.0.1/x", {"loopback-address"}),  # h60
        ("jdbc:mariadb:sequential://127.0.0.1/x", {"loopback-address"}),  # h61
        ("jdbc:mysql:loadbalance://[::1]:3306/x", {"loopback-address"}),
        ("redis://a.ex:1,[::1]:2/0", {"loopback-address"}),
        ("http://localhost./", {"loopback-address"}),
        ("http://a.localhost./", {"loopback-address"}),
        ("redis://localhost./0", {"loopback-address"}),
        ("jdbc:mysql:sequential://localhost./x", {"loopback-address"}),
        ("http://[%3a%3a1]/", {"loopback-address"}),
        ("http://[%3A%3aFFFF:127.0.0.1]/", {"loopback-address"}),
        ("http://[fd00%3aec2%3a%3a254]/", {"metadata-address"}),
        ("http://a.example/x/..;/admin", {"dot-segment-parameter"}),
        ("http://a.example/..;x=1/admin", {"dot-segment-parameter"}),
        ("http://a.example/.;/admin", {"dot-segment-parameter"}),
        ("/x/%2e.;/admin", {"dot-segment-parameter"}),
        ("http://a.example/x/..%3b/admin", {"dot-segment-parameter"}),
        ("http://a.example/x%2f..;/admin", {"dot-segment-parameter"}),
        ("http://a.example/\u00e9/..;/admin", {"dot-segment-parameter"}),
        ("http://a.example/api%2e%2e/secret", {"dot-segment-encoded"}),
        ("http://a.example/api.%2E", {"dot-segment-encoded"}),
        ("http://a.example/api%252e%252e%2fx", {"dot-segment-encoded"}),
        ("javascript:x//host/", {"script"}),
        ("javascript://good.example/%0aalert(1)", {"script"}),
        ("JavaScript:alert(1)//good.example/", {"script"}),
        ("view-source:javascript:alert(1)", {"script"}),
        ("-oProxyCommand=x", {"leading-hyphen"}),
        ("--upload-pack=touch x", {"leading-hyphen"}),
        ("ext::sh -c touch% x", {"git-helper"}),
        ("EXT::sh", {"git-helper"}),
        ("fd::17", {"git-helper"}),
    ],
)
def test_each_is_named(text, wanted):
    assert wanted <= {*codes(text)}
    assert wanted <= {hazard.code for hazard in urlsm.security.audit(text.encode())}
    assert all(0 <= hazard.position < len(text) for hazard in urlsm.security.audit(text))


@pytest.mark.parametrize(
    "text",
    [
        *("http://a.example/a;b/c", "http://a.example/x..;y", "http://a.example/...;/x", "http://a.example/x?..;/y"),
        *(
            "http://a.example/#/..;/x",
            "http://a.example/a.b;v=1/c.;d",
            "http://a.example/%2541;/x",
            "http://a.example/.x;/",
        ),
        *("file:///etc/x", "file:///C:/x", "file://host/share", "file:///a//b", "file:////", "http://a.example//b/c"),
        *(
            "mailto:a@b.example",
            "urn:ext::x",
            "text-::",
            "a-b",
            "http://a.example/api%2e/x",
            "http://a.example/a%2e.b/x",
        ),
        *("jdbc:mysql:loadbalance://a.example,b.example/x", "jdbc:oracle:thin:@//a.example:1521/x", "jdbc:h2:mem:test"),
        *(
            "jdbc:oracle:thin:@TNSNAME",
            "redis://a.example/0",
            "mysql://a.example/d?host=b.example",
            "http://[2600::1]/",
        ),
    ],
)
def test_what_is_none_is_not_named(text):
    new = {"dot-segment-parameter", "dot-segment-encoded", "network-share", "script", "git-helper", "leading-hyphen"}
    assert not (new | {"loopback-address", "private-address"}) & {*codes(text)}


def test_positions():
    for marked, code in (
        ("http://a.example/x/^..;/b", "dot-segment-parameter"),
        ("http://a.example/api^%2e%2e/b", "dot-segment-encoded"),
        ("file://^//evil.example/s", "network-share"),
        ("^javascript:a//b/", "script"),
        ("^ext::x", "git-helper"),
        ("^-x", "leading-hyphen"),
        ("oracle+cx_oracle://u:p@^10.0.0.1/d", "private-address"),
        ("mysql://u:1/q@^h/d", "dialects-disagree"),
    ):
        text = marked.replace("^", "")
        assert [one.position for one in urlsm.security.audit(text) if one.code == code] == [marked.index("^")]


@pytest.mark.slow(3)
@pytest.mark.parametrize(
    "piece", ["..;", "%25", "thin:", "(host=", ";a://", "//", "@", "a_", "%2e", ";host=,", "ext::"]
)
def test_the_time_is_linear(piece):
    for start in ("http://a.example/", "jdbc:x:", "redis://", "file://", "a_b://", "mysql:///d?host="):

        def seconds(n, start=start):
            return least_seconds(lambda: urlsm.security.audit(start + piece * n), 2)

        assert at_last(lambda seconds=seconds: seconds(16000) < 30 * max(seconds(2000), 0.002))
