"""URLs within a URL: the judges see them, name them at their place in the text around, and stop after a few."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.times import at_last, least_seconds

import urlsm
from urlsm.meaning.within import MOST, has_inner, urls_within
from urlsm.schemes import Scheme
from urlsm.schemes.built_in import BUILT_IN
from urlsm.schemes.hostlist import HostList
from urlsm.testing import _PIECES as PIECES

SHELLS = (  # a URL within: as it is written, escaped, in any of several places
    "view-source:{}",
    "view-source:view-source:{}",
    "blob:{}/40a5fb5a-d56d-4a33-b4e2-0acf6a8e5f64",
    "jdbc:{}",
    "git+{}",
    "intent://a/#Intent;scheme=https;S.browser_fallback_url={};end",
    "intent://a/#Intent;S.browser_fallback_url=https://a.b/;S.browser_fallback_url={};end",
    "bitcoin:175tWpb8K1S7NmH4Zx6rewF9WQrcZv245W?pop={}",
    "pkg:npm/a?download_url={}",
    "pkg:npm/a?download_url=https://a.b/&vcs_url={}",
    "pkcs11:token=a?pin-source={}",
    "swh:1:cnt:94a9ed024d3859793618152ea559a168bbcbb5e2;origin={}",
    "jar:{}!/a.txt",
    "war:{}*/a.txt",
)
LISTS = (  # other hosts than the authority's
    *("kafka://a.ex:9092,{}:9092/t", "nats://a.ex:4222,{}:4222", "nats://a.ex,tls://u:p@{}"),
    *("postgresql://a.ex,{}/db", "postgresql:///db?host=a.ex,{}", "postgres:///?dbname=a&hostaddr={}"),
    *("postgresql:///db?host={}:5432&host=b.ex", "postgresql+asyncpg:///db?h%6Fst={}"),
    *("postgresql://h.ex/db?host=a.ex%2C{}", "postgresql://h.ex/db?host={}%3A5432"),
    *("nats://a.ex/, {}", "nats://a.ex/,  nats://{}:4222 ", "sip:alice@{}?subject=a@b.ex", "sip:alice@{};x=a@b.ex"),
    *("sip:alice@{}", "sips:alice:pw@{}:5061;transport=tcp", "sip:a@b.ex;lr;maddr={};ttl=1?to=x"),
    *("stun:{}", "stuns:{}:5349", "turn:{}?transport=udp", "turns:{}:5349"),
    *("jdbc:oracle:thin:@//{}:1521/x", "jdbc:oracle:thin:u/p@{}:1521:x", "jdbc:oracle:oci:@{}:1521/x"),
    "jdbc:oracle:thin:@(DESCRIPTION=(ADDRESS=(PROTOCOL=TCP)(HOST={})(PORT=1521)))",
    *("jdbc:oracle:thin:@tcps://{}:2484/x", "jdbc:h2:tcp://{}/x", "jdbc:h2:ssl://{}:9092/x", "jdbc:derby://{}:1527/x"),
    *("jdbc:mysql:loadbalance://{}/x", "jdbc:mysql:loadbalance://a.ex,{}:3306/x", "jdbc:mariadb:sequential://{}/x"),
    *("jdbc:mysql:replication://a.ex,{}/x", "jdbc:mysql://(host={},port=1)/x", "jdbc:mysql://address=(host={})/x"),
    *("jdbc:mysql://u:p@a.ex,{}/x", "jdbc:sqlserver://a.ex;serverName={};x=1", "jdbc:sybase:Tds:{}:5000/x"),
    *(
        "redis://a.ex:1,{}:2/0",
        "redis+sentinel://a.ex,{}/0",
        "rediss://u:p@a.ex,{}",
        "amqp://a.ex,{}",
        "amqps://u:p@a.ex,{}",
    ),
    *("amqp://a.ex;amqp://{}:5672", "redis://a.ex/0;redis://u:p@{}:1/0", "mysql:///d?host={}", "mysql://a.ex,{}/d"),
    *(
        "mysql+pymysql://u@/d?host={}",
        "mssql://a.ex/d?host={}",
        "redis://a.ex/0?host={}",
        "oracle+cx_oracle://u:p@{}/d",
    ),
    *("mysql+py_mysql:///d?host={}",),
    *("magnet:?xt=urn:btih:0&x.pe={}:6881", "magnet:?x.pe.1=a.ex:1&x.pe.2={}:2", "magnet:?x.pe={}"),
)
TRACKERS = (
    *("magnet:?tr=udp%3A%2F%2F{}%3A80", "magnet:?xt.1=urn:a:b&tr.1=http://{}/&tr.2=http://a.ex/"),
    *(
        "magnet:?ws=ftp://{}",
        "magnet:?mt=http://{}/",
        "magnet:?tr=http:%5C%5C{}%5C@a.ex",
        "magnet:?tr=http://{}%5C@a.ex/",
    ),
)
HOSTILE = (  # with "^" before the place
    ("http://^127.0.0.1", "loopback-address"),
    ("http://^169.254.169.254", "metadata-address"),
    ("http://^u:p@a.b", "credentials"),
    ("http://^127.1", "dialects-disagree"),
    ("https://a.b:^22", "blocked-port"),
)


@pytest.mark.parametrize(("marked", "code"), HOSTILE)
@pytest.mark.parametrize("shell", SHELLS)
def test_audit_names_a_hostile_url_within_at_its_place(shell, marked, code):
    before, inner = marked.split("^")
    whole = before + inner
    text = shell.format(whole)
    assert text.rindex(whole) + len(before) in [one.position for one in urlsm.security.audit(text) if one.code == code]
    in_bytes = f"{text}#ä".encode()
    assert code in [hazard.code for hazard in urlsm.security.audit(in_bytes)]


@pytest.mark.parametrize("shell", [shell for shell in SHELLS if "=" in shell])
def test_an_escaped_url_within_is_seen_where_its_escapes_are(shell):
    escaped = "%68ttp%3A%2F%2F%C3%A4.example%2F%40127.0.0.1"
    text = shell.format("http%3A%2F%2F127.0.0.1")
    [found] = [hazard for hazard in urlsm.security.audit(text) if hazard.code == "loopback-address"]
    assert text[found.position :].startswith("127.0.0.1")
    text = shell.format(escaped)
    inner = next(one for one in urls_within(text)[0] if "ä" in one.text)
    assert inner.text == "http://ä.example/@127.0.0.1"
    start = text.index("%68")
    assert [inner.at(k) - start for k in range(9)] == [0, 3, 4, 5, 6, 9, 12, 15, 21]
    assert text[inner.at(inner.text.index("127")) :].startswith("127")


def test_ordinary_ones_within_are_not_named():
    for text in (
        *("view-source:https://example.org/", "git+https://git.example.org/a.git@v1#egg=a"),
        *("pkg:pypi/a@1?vcs_url=git%2Bhttps://git.example.org/a.git", "jdbc:mysql://db.example.org/a"),
        "intent://a/#Intent;scheme=https;S.browser_fallback_url=https%3A%2F%2Fa.example;end",
    ):
        assert urlsm.security.audit(text) == [], text
        assert urlsm.security.compare_readers(text).within and all(
            one.agree for one in urlsm.security.compare_readers(text).within
        )


def test_compare_and_is_ambiguous_see_the_url_within():
    text = "view-source:http://a.b\\@c.d/"
    found = urlsm.security.compare_readers(text)
    assert not found.agree and urlsm.security.is_ambiguous(text)
    [within] = found.within
    assert within == urlsm.security.compare_readers("http://a.b\\@c.d/") and within.differences["host"]
    assert urlsm.security.compare_readers("view-source:http://a.b/").agree and not urlsm.security.is_ambiguous(
        "view-source:http://a.b/x y"
    )
    assert urlsm.security.compare_readers("http://a.b/view-source:http://a.b\\@c").within == ()


def test_validate_warns_of_the_url_within():
    text = "pkg:npm/a?download_url=http%3A%2F%2Fa.b%3Ax%2F"
    assert [(v.code, v.position, v.severity) for v in urlsm.validate(text)] == [
        ("port-invalid", text.index("x%2F"), "warning")
    ]
    assert urlsm.parts(text).type == "npm"
    assert urlsm.parse(text).violations() == urlsm.validate(text)
    assert urlsm.validate("jdbc:sqlserver://h:1433;databaseName=x") == []  # the driver's own grammar


@pytest.mark.parametrize("piece", ["view-source:", "View-Source:"])
def test_more_than_a_few_are_said_to_be_too_many(piece):
    few, many = piece * 2 + "http://a.b/", piece * (MOST + 1) + "http://127.0.0.1/"
    assert urls_within(few)[1] and not urls_within(many)[1] and len(urls_within(many)[0]) == MOST
    assert not urlsm.security.is_ambiguous("view-source:http://a.b/") and urlsm.security.is_ambiguous(many)
    assert not urlsm.security.compare_readers(many).agree
    assert "nested-too-deeply" in {hazard.code for hazard in urlsm.security.audit(many)}


def test_special_schemes_have_none_and_broken_plug_ins_too():
    assert not any(map(has_inner, ("http", "HTTPS", "ws", "wss", "ftp", "file", None, "", "nobody-knows", "mailto")))
    assert has_inner("view-source") and has_inner("git+https") and has_inner("Intent")


@given(st.sampled_from((*SHELLS, *LISTS, *TRACKERS)), st.lists(st.sampled_from(PIECES), max_size=8).map("".join))
def test_whatever_is_within_no_judge_fails_and_no_position_is_outside(shell, inner):
    for text in (shell.format(inner), shell.format(f"http://{inner}"), f" \t{shell.format(inner)}\n"):
        for found in urlsm.security.audit(text), urlsm.validate(text):
            assert all(0 <= one.position <= len(text) for one in found)
        for one in urls_within(text)[0]:
            places = [one.at(k) for k in range(len(one.text) + 1)]
            assert places == sorted(places) and places[0] >= 0 and places[-1] <= len(text)
        assert urlsm.security.is_ambiguous(text) or not urlsm.security.compare_readers(text).differences.keys() & {
            "scheme",
            "host",
            "port",
        }
        assert urlsm.security.compare_readers(text).agree is not urlsm.security.is_ambiguous(text)


@pytest.mark.slow(16)
def test_the_time_is_linear():
    within, beside = ("view-source:", "%25", "http:", "a%C3%A4"), ("a,", "&tr=")
    for shell in (*SHELLS, *LISTS[::3], *TRACKERS):
        for piece in within if shell in SHELLS else beside:

            def seconds(n, shell=shell, piece=piece):
                text = shell.format(piece * n)
                return least_seconds(
                    lambda: (urlsm.security.audit(text), urlsm.security.is_ambiguous(text), urlsm.validate(text)), 2
                )

            assert at_last(lambda seconds=seconds: seconds(16000) < 30 * max(seconds(2000), 0.002))


@pytest.mark.parametrize(("host", "code"), [("127.0.0.1", "loopback-address"), ("169.254.169.254", "metadata-address")])
@pytest.mark.parametrize("shell", [*LISTS, *TRACKERS])
def test_audit_judges_hosts_that_are_not_the_authority_s(shell, host, code):
    for text in (shell.format(host), f"\t{shell.format(host)}\n"):
        [found] = [hazard for hazard in urlsm.security.audit(text) if hazard.code == code]
        assert found.component == "host"
        if shell in LISTS:
            assert text.index(host) == found.position
        else:
            assert text[found.position - 1] == "=" and host in text[found.position :]  # where the value begins
    assert code in [hazard.code for hazard in urlsm.security.audit(f"view-source:{shell.format(host)}")]
    assert code not in [hazard.code for hazard in urlsm.security.audit(shell.format("b.ex"))]


def test_an_address_is_not_cut_at_a_colon():
    for host in ("::ffff:8.8.8.8", "64:ff9b::808:808", "[2001:4860::8]:5432"):
        codes = {hazard.code for hazard in urlsm.security.audit(f"postgresql://h.ex/db?hostaddr={host}")}
        assert codes <= {"ipv4-mapped-address"}, host


class Faulty(Scheme):
    names = ("x-faulty",)
    example = "x-faulty:a"

    def hosts(self, components):
        yield 10**6, "127.0.0.1"
        raise self.refusal(components, "host-missing", "host", 0)


def test_what_a_handler_found_before_it_failed_counts():
    urlsm.register(Faulty)
    try:
        places = [one.position for one in urlsm.security.audit("x-faulty:a") if one.code == "loopback-address"]
        assert places == [len("x-faulty:a")]
    finally:
        urlsm.unregister("x-faulty")


def test_every_list_of_hosts_is_judged():
    lists = [name for name in BUILT_IN if isinstance(urlsm.handler(name), HostList)]
    assert len(lists) >= 8
    for name in lists:
        for text in (f"{name}://a.ex,[::1]/x", f"{name}://u:p@10.0.0.1:1,a.ex:2/x", f"{name}://a.ex,%6C%6Fcalhost"):
            codes = [hazard.code for hazard in urlsm.security.audit(text)]
            assert {"loopback-address", "private-address"} & {*codes}, text
        assert "host-too-long" in [hazard.code for hazard in urlsm.security.audit(f"{name}://a.ex,{'b' * 300}/")]


def test_secrets_of_a_url_within_are_not_shown():
    secret = "JBSWY3DPEHPK3PXP"
    for inner in (f"otpauth://totp/a:b?secret={secret}&issuer=a", f"otpauth%3A%2F%2Ftotp%2Fa%3Fsecret%3D{secret}"):
        for shell in ("view-source:{}", "intent://a/#Intent;S.browser_fallback_url={};end", "pkg:npm/a?vcs_url={}"):
            text = shell.format(inner)
            url = urlsm.parse(text)
            shown = [repr(url), url.masked(), url.display(), str(url.otel_attributes()), repr(url.parts)]
            assert not [one for one in shown if secret in one], text


def test_each_built_in_scheme_with_urls_within_is_tried():
    """Those that the shells above do not name are others of the same handlers, and those whose URL is made up."""
    made_up = "did:web:127.0.0.1", "android-app://a.b/http/127.0.0.1"
    for text in made_up:
        assert "loopback-address" in [one.code for one in urlsm.security.audit(text)]
    tried = {type(urlsm.handler(shell.format("https:").partition(":")[0])) for shell in (*SHELLS, *made_up)}
    assert {type(urlsm.handler(name)) for name in BUILT_IN if has_inner(name)} <= tried
