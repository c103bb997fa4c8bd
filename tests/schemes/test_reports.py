"""What public reports say of smaller schemes: a row each, and those beside it."""

from __future__ import annotations

import pytest
from support.checks import broken, check_equivalence, check_normal_form, noted

import urlsm
from urlsm.schemes.built_in import BUILT_IN
from urlsm.schemes.messaging.irc import IrcParts
from urlsm.schemes.network.unix import RedisSocketParts, UnixParts


def warnings(text):
    return [(v.code, v.position) for v in urlsm.validate(text) if v.severity == "warning"]


# --- a path for a port -----------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", [name for name in BUILT_IN if urlsm.handler(name).host_may_pass_for_option])
def test_a_path_for_a_port_is_told_apart(scheme):
    """ssh://git@h:o/r (microsoft/apm#787, jelmer/dulwich#1012): in every scheme of repositories and of ssh."""
    for rest, meant in (("h.example:team/r.git", True), ("h:o", True), ("h:1a/r", False)):
        (found,) = [v for v in urlsm.validate(f"{scheme}://{rest}") if v.code == "port-invalid"]
        assert ('write "/" for the ":"' in found.message and "scp" in found.message) is meant, rest


def test_other_ports_are_not():
    (found,) = [v for v in urlsm.validate("http://h:a/b") if v.code == "port-invalid"]
    assert "scp" not in found.message


# --- repositories ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("git+gopher://h/r.git", [("vcs-transport-unknown", 4)]),
        ("git+x+y://h/r", [("vcs-transport-unknown", 4)]),
        ("hg+svn://h/r", [("vcs-transport-unknown", 3)]),
        ("svn+git://h/r", [("vcs-transport-unknown", 4)]),
        ("git+https://h/r", []),
        ("svn+svn://h/r@5", []),
        ("git+https://h/r#subdirectory=x@v1", [("vcs-revision-in-fragment", 30)]),
        ("git+https://h/r@v1#subdirectory=x", []),
        ("git+https://h/r#subdirectory=x%40v1", []),
    ],
)
def test_repositories(text, found):
    assert noted(text) == found


def test_svn_over_svn():
    parts = urlsm.parts("svn+svn://h/r/trunk@5")
    assert (parts.vcs, parts.url, parts.revision) == ("svn", "svn://h/r/trunk", "5")


@pytest.mark.parametrize(
    ("transport", "port"),
    [
        *(("git+https", 443), ("git+ssh", 22), ("git+http", 80), ("git+git", 9418), ("bzr+sftp", 22), ("bzr+ftp", 21)),
        *(("hg+static-http", 80), ("svn+svn", 3690)),
    ],
)
def test_the_default_port_of_the_transport_means_nothing(transport, port):
    check_equivalence(f"{transport}://h:{port}/r", f"{transport}://h/r", True)
    check_equivalence(f"{transport}://h:{port + 1}/r", f"{transport}://h/r", False)


# --- line protocols --------------------------------------------------------------------------------

LINES = (
    *(
        "acap",
        "cap",
        "dict",
        "finger",
        "gemini",
        "icap",
        "imap",
        "irc",
        "irc6",
        "ircs",
        "msrp",
        "msrps",
        "mtqp",
        "mupdate",
    ),
    *("news", "pop", "rtsp", "rtsps", "rtspu", "sieve", "spartan", "telnet", "tip", "titan", "git"),
    "tn3270",
)


@pytest.mark.parametrize("scheme", LINES)
@pytest.mark.parametrize("escape", ["%0A", "%0d", "%0D%0A"])
def test_an_escaped_line_break_would_end_a_line(scheme, escape):
    example = urlsm.handler(scheme).example
    assert "line-break-encoded" not in dict(noted(example))
    end = min([place for place in (example.find("?"), example.find("#")) if place >= 0], default=len(example))
    text = example[:end] + ("" if "/" in example[:end].partition("://")[2] else "/") + f"a{escape}QUIT"
    if scheme in ("telnet", "tn3270"):
        text = (
            text.replace(f"{scheme}://", f"{scheme}://u{escape}QUIT@")
            .replace("@user@", "@")
            .replace(f"a{escape}QUIT", "")
        )
    assert "line-break-encoded" in dict(broken(text)), text


# --- irc -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "channel", "nick", "flags"),
    [
        ("irc://h/#python", "#python", None, ()),
        ("irc://h#python", "#python", None, ()),
        ("irc://h/%23python", "#python", None, ()),
        ("irc://h/python", "#python", None, ()),
        ("irc://h/##python", "##python", None, ()),
        ("irc://h/&local", "&local", None, ()),
        ("irc://h/python,needkey", "#python", None, ("needkey",)),
        ("irc://h/anna,ISNICK", None, "anna", ("isnick",)),
        ("irc://h/a%2Cb", "#a,b", None, ()),
        ("irc://h/", None, None, ()),
        ("irc:///%23python", "#python", None, ()),
    ],
)
def test_channels(text, channel, nick, flags):
    found = urlsm.parts(text)
    assert (found.channel, found.nick, found.flags) == (channel, nick, flags)
    assert urlsm.parse(text).parts == found
    assert urlsm.parts(urlsm.normalize(text)) == found
    assert urlsm.parts(urlsm.handler("irc").build(**found)) == found


def test_a_channel_behind_an_unescaped_number_sign():
    assert warnings("irc://h/#python") == [("irc-channel-unescaped", 8)]
    assert warnings("irc://h/%23python") == []
    check_normal_form("irc://H:6667/#Python", "irc://h/%23Python")
    check_equivalence("ircs://h/#python", "ircs://h:6697/%23python", True)
    check_equivalence("irc://h/#python", "irc://h/python", True)
    check_equivalence("irc://h/#python", "irc://h/#Python", False)
    assert ("line-break-encoded", 11) in broken("irc://h/#ab%0AQUIT")
    assert urlsm.parts("irc://u:p@h/#c?k") == IrcParts("u", "p", "h", None, "#c?k", None, (), None)


# --- sockets ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("unix:///var/run/docker.sock", UnixParts(None, None, "/var/run/docker.sock", ())),
        ("unix:/run/a%20b.sock", UnixParts(None, None, "/run/a b.sock", ())),
        ("unix:a.sock", UnixParts(None, None, "a.sock", ())),
        ("unix:@abstract", UnixParts(None, None, "@abstract", ())),
        ("unix://u:p@/tmp/x.sock?db=1", UnixParts("u", "p", "/tmp/x.sock", (("db", "1"),))),
        ("redis+socket:///tmp/x.sock", RedisSocketParts(None, None, "/tmp/x.sock", (), None)),
        (
            "redis+socket:///tmp/x.sock?virtual_host=3",
            RedisSocketParts(None, None, "/tmp/x.sock", (("virtual_host", "3"),), 3),
        ),
    ],
)
def test_sockets(text, parts):
    scheme = text.partition(":")[0]
    assert urlsm.parts(text) == parts and broken(text) == []
    assert urlsm.parts(urlsm.handler(scheme).build(**parts)) == parts
    assert "'p'" not in repr(parts)


def test_a_socket_has_no_host_and_no_port():
    assert broken("unix://var/run/a.sock") == [("unix-host-not-allowed", 7)]
    assert broken("unix:") == [("path-missing", 5)]
    assert urlsm.handler("redis+socket").build(file_path="/a b", database_index=2) == (
        "redis+socket:///a%20b?virtual_host=2"
    )
    assert urlsm.handler("http+unix").names == ("http",) and urlsm.handler("amqp+tcp").names == ("amqp",)


def test_tcp():
    found = urlsm.parts("tcp://u:p@h:2376/v1")
    assert (found.username, found.password, found.host, found.port, found.path) == ("u", "p", "h", 2376, "/v1")
    assert broken("tcp://*:5555") == [] and broken("tcp:h:1") == [("authority-missing", 4)]


# --- shares ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["smb", "cifs"])
def test_the_domain_of_a_share(scheme):
    """Also of a parsed URL, whose parser escapes the ";" (a row of ../shared/reports-4/editing.json)."""
    text = f"{scheme}://WORK;user@server.example.org/share"
    for url in (text, urlsm.parse(text), text.replace(";", "%3b")):
        found = url.parts if isinstance(url, urlsm.URL) else urlsm.parts(url)
        assert (found.domain, found.username) == ("WORK", "user")
        assert urlsm.equivalent(url, text)
    assert urlsm.normalize(text) == text  # and an escaped ";" stays escaped, as every delimiter of an authority
    assert urlsm.parse(f"{scheme}://u:p%3B@h/s").parts.domain is None
    assert ("smb-domain", len(scheme) + 3) in warnings(str(urlsm.parse(text)))


# --- payments, hashes, one-time passwords, names ---------------------------------------------------

ADDRESS = "175tWpb8K1S7NmH4Zx6rewF9WQrcZv245W"


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        (f"bitcoin:{ADDRESS}?amount=1.0&label=x", f"bitcoin:{ADDRESS}?label=x&amount=1", True),
        (f"bitcoin:{ADDRESS}?amount=1.00", f"BITCOIN:{ADDRESS}?AMOUNT=01", True),
        (f"bitcoin:{ADDRESS}?amount=1.1", f"bitcoin:{ADDRESS}?amount=1", False),
        (f"bitcoin:{ADDRESS}?label=1.0", f"bitcoin:{ADDRESS}?label=1", False),
        (f"bitcoin:{ADDRESS}?a=1&a=2", f"bitcoin:{ADDRESS}?a=2&a=1", False),
        (f"bitcoin:{ADDRESS}?lightning=a&lightning=b", f"bitcoin:{ADDRESS}?lightning=b&lightning=a", True),
        (f"bitcoin:{ADDRESS}?label=x", f"bitcoin:{ADDRESS}?message=x", False),
        (f"bitcoin:{ADDRESS}?amount=x", f"bitcoin:{ADDRESS}?amount=y", False),
        ("payto://iban/DE7?amount=EUR:200.0&message=x", "payto://iban/DE7?message=x&amount=EUR:200", True),
        ("payto://iban/DE7?amount=EUR:200", "payto://iban/DE7?amount=USD:200", False),
        ("payto://iban/DE7?amount=EUR:2.1", "payto://iban/DE7?amount=EUR:2", False),
        ("payto://iban/DE7?amount=x", "payto://iban/DE7?amount=y", False),
        ("magnet:?xt=urn:a1:b&dn=a", "magnet:?dn=a&xt=urn:a1:b", True),
        ("urn:uuid:F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6", "urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6", True),
        ("urn:uuid:F81D4FAE", "urn:uuid:f81d4fae", False),  # no UUID
        ("urn:isbn:X", "urn:isbn:x", False),
        ("mailto:a@B.EXAMPLE", "mailto:a@b.example", True),
        ("mailto:A@b.example", "mailto:a@b.example", False),
        ("mailto:?to=a@B.example&cc=c@D.example", "mailto:a@b.example?cc=c@d.example", True),
        ("mailto:a@b%C3%BCcher.example", "mailto:a@xn--bcher-kva.example", True),
        ("mailto:a@b?subject=X@Y", "mailto:a@b?subject=X@y", False),
    ],
)
def test_equivalence(a, b, same):
    check_equivalence(a, b, same)
    check_equivalence(b, a, same)


@pytest.mark.parametrize(
    ("text", "recipients", "headers"),
    [
        ("mailto:?to=a@x.example,b@x.example", ("a@x.example", "b@x.example"), ()),  # rspamd/rspamd#181
        ("mailto:c@x?TO=a@x%2C%20b@x&subject=s&to=d@x", ("c@x", "a@x", "b@x", "d@x"), (("subject", "s"),)),
        ("mailto:a@x,b@x", ("a@x", "b@x"), ()),
        ("mailto:?to=&to=,", (), ()),
    ],
)
def test_recipients(text, recipients, headers):
    found = urlsm.parts(text)
    assert (found.recipients, found.headers) == (recipients, headers)
    again = urlsm.handler("mailto").build(**found)
    assert urlsm.parts(again) == found and urlsm.equivalent(again, text)


def test_build_takes_a_to_field():
    build = urlsm.handler("mailto").build
    assert build(recipients="a@x", headers={"To": "b@x, c@x", "subject": "s"}) == "mailto:a@x,b@x,c@x?subject=s"


def test_otpauth_always_writes_the_issuer():
    build = urlsm.handler("otpauth").build
    wanted = "otpauth://totp/A:b?secret=AA&issuer=A"
    assert build(type="totp", issuer="A", account="b", secret="AA") == wanted
    assert build(type="totp", label_issuer="A", account="b", secret="AA") == wanted
    assert build(**urlsm.parts("otpauth://totp/A:b?secret=AA")) == wanted
    assert build(type="totp", account="b", secret="AA") == "otpauth://totp/b?secret=AA"
    assert build(type="totp", issuer="", account="b", secret="AA") == "otpauth://totp/b?secret=AA&issuer="


@pytest.mark.parametrize(
    ("name", "valid"),
    [
        *(("977000.100.1", True), ("1.2", True), ("0.0", True), ("!.7", True), ("4294967295.1", True)),
        *(("x.y", False), ("1", False), ("1.", False), (".1", False), ("01.2", False), ("1.2.3.4", False), ("", False)),
        *(("1.2/3", False), ("!.7.1", False), ("-1.2", False), ("1.2%30", False)),
    ],
)
def test_ipn(name, valid):
    assert (broken(f"ipn:{name}") == []) is valid


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("tel:+1-202,,5", "tel:+1202,,5"),
        ("tel:+1,2%2C3", "tel:+1,2,3"),
        ("tel:1%2C2;a=%2C;phone-context=X", "tel:1,2;phone-context=x;a=%2C"),
    ],
)
def test_a_pause_is_a_comma_in_the_normal_form(text, normal):
    check_normal_form(text, normal)
    assert urlsm.parse(text).parts.post_dial == urlsm.parse(normal).parts.post_dial
