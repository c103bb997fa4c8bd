"""imap: the order of its parameters, what their values may be, and what the URL parser leaves of a login."""

from __future__ import annotations

import pytest
from support.checks import broken, check_normal_form

import urlsm

IMAP = urlsm.handler("imap")
TOKEN = "91354a473744909de610943775f92038"
SIGNED = f"imap://joe@example.com/INBOX/;uid=20/;section=1.2;urlauth=submit+fred:internal:{TOKEN}"  # section 6.1.2


@pytest.mark.parametrize(
    ("path", "parts"),
    [
        # section 9
        ("/gray-council;UIDVALIDITY=385759045/;UID=20/;PARTIAL=0.1024", ("gray-council", 385759045, 20, (0, 1024))),
        ("/gray-council/;uid=20/;section=1.2", ("gray-council", None, 20, None)),
        ("/a%2Fb", ("a/b", None, None, None)),
        ("/a//;UID=1", ("a/", None, 1, None)),
        ("/a/;UIDVALIDITY=4294967295", ("a/", 4294967295, None, None)),
        ("//", ("/", None, None, None)),
        ("/..;UIDVALIDITY=385759045/;UID=20", ("..", 385759045, 20, None)),
        ("/IN%3BBOX%FF", ("IN;BOX\udcff", None, None, None)),
    ],
)
def test_parts_of_paths(path, parts):
    text = f"imap://h{path}"
    assert broken(text) == []
    found = urlsm.parts(text)
    assert (found.mailbox, found.uid_validity, found.uid, found.partial) == parts
    assert urlsm.parse(text).parts == found
    assert urlsm.equivalent(IMAP.build(**found), text)


def test_parts_of_a_signed_url():
    expiring = SIGNED.replace(";urlauth", ";Expire=2007-12-31T23:59:60.5+01:00;urlauth").replace(":internal", ":X.Y-1")
    found = urlsm.parts(expiring)
    assert (found.section, found.expire) == ("1.2", "2007-12-31T23:59:60.5+01:00")
    assert (found.urlauth_access, found.urlauth_mechanism, found.urlauth_token) == ("submit+fred", "x.y-1", TOKEN)
    assert urlsm.equivalent(IMAP.build(**found), expiring)
    for access in ("user+a%40b", "authuser", "ANONYMOUS"):
        assert broken(SIGNED.replace("submit+fred", access)) == []


@pytest.mark.parametrize(
    ("login", "parts"),
    [
        ("", (None, None)),
        ("joe@", ("joe", None)),
        ("joe;AUTH=*@", ("joe", "*")),
        (";auth=GSSAPI@", (None, "GSSAPI")),
        ("a%3Bb;AUTH=X@", ("a;b", "X")),
        ("a=b&c@", ("a=b&c", None)),
        ("a;AUTH=b=c@", ("a", "b=c")),
    ],
)
def test_logins_as_written_and_as_the_url_parser_has_them(login, parts):
    text = f"imap://{login}example.com/"
    assert broken(text) == []
    for found in (urlsm.parts(text), urlsm.parse(text).parts):
        assert (found.username, found.auth_mechanism) == parts
    assert urlsm.equivalent(IMAP.build(**found), text)


def test_a_user_name_that_looks_like_an_authentication():
    text = IMAP.build(username="a;AUTH=b", host="h")
    assert text == "imap://a%3BAUTH=b@h/"
    assert (urlsm.parts(text).username, urlsm.parts(text).auth_mechanism) == ("a;AUTH=b", None)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        # server
        ("imap:h", [("authority-missing", 5)]),
        ("imap:///INBOX", [("host-missing", 7)]),
        ("imap://u:p@h/", [("password-not-allowed", 8)]),
        ("imap://:p@h/", [("username-missing", 7), ("password-not-allowed", 7)]),
        ("imap://u;AUTH=@h/", [("imap-auth-missing", 14)]),
        ("imap://u;AUTH@h/", [("imap-auth-missing", 13)]),
        ("imap://u;AUTH=%2a@h/", [("imap-auth-missing", 14)]),
        ("imap://u;AUTH=a;AUTH=b@h/", [("parameter-duplicate", 16)]),
        ("imap://u;x=1@h/", [("parameter-unknown", 9)]),
        ("imap://u;x@h/", [("parameter-unknown", 8)]),  # no name without "="
        ("imap://u;AUTH=a;AUTH@h/", [("parameter-duplicate", 15)]),
        ("imap://u%0D%0A@h/", [("line-break-encoded", 8), ("line-break-encoded", 11)]),
        ("imap://h:x/", [("port-invalid", 9)]),
        # mailbox and search
        ("imap://h/;UIDVALIDITY=1", [("imap-mailbox-missing", 9)]),
        ("imap://h//;UID=1", [("imap-mailbox-missing", 9)]),
        ("imap://h?ALL", [("imap-mailbox-missing", 8)]),
        ("imap://h/A?", [("imap-search-missing", 11)]),
        ("imap://h/A?a?b;c%00", [("character-not-allowed", 12), ("character-not-allowed", 14), ("nul-encoded", 16)]),
        ("imap://h/A%00%0a", [("nul-encoded", 10), ("line-break-encoded", 13)]),
        ("imap://h/A[1]", [("character-not-allowed", 10), ("character-not-allowed", 12)]),
        # message
        ("imap://h/A;UID=1", [("parameter-unknown", 11)]),
        ("imap://h/A;B", [("parameter-unknown", 10)]),
        ("imap://h/A/;UID=01", [("imap-number-invalid", 16)]),
        ("imap://h/A/;UID=4294967296", [("imap-number-invalid", 16)]),
        ("imap://h/A/;UID=", [("imap-number-invalid", 16)]),
        ("imap://h/A/;UID", [("parameter-value-missing", 15)]),
        ("imap://h/A/;UID=1/", [("imap-number-invalid", 16)]),
        ("imap://h/A/;UID=1?ALL", [("query-not-allowed", 17)]),
        ("imap://h/A/;UID=1/;UID=2", [("parameter-duplicate", 19)]),
        ("imap://h/a/;UID=1/;UID", [("parameter-duplicate", 18), ("parameter-value-missing", 22)]),
        ("imap://h/A/;UID=1;UIDVALIDITY=2", [("parameter-order", 18)]),
        ("imap://h/A/;UID=1/;PARTIAL=1/;SECTION=2", [("parameter-order", 30)]),
        ("imap://h/A/;SECTION=1", [("parameter-order", 12)]),
        ("imap://h/a/;SECTION=1/;UID=1", [("parameter-order", 12), ("parameter-order", 23)]),
        ("imap://h/A/;UID=1/;SECTION=", [("parameter-value-missing", 27)]),
        ("imap://h/A/;UID=1/;PARTIAL=00.1", []),
        ("imap://h/A/;UID=1/;PARTIAL=a.b", [("imap-number-invalid", 27), ("imap-number-invalid", 29)]),
        ("imap://h/A/;UID=1/;PARTIAL=1.", [("imap-number-invalid", 29)]),
        ("imap://h/A/;UID=1;x=y", [("parameter-unknown", 18)]),
        ("imap://h/A/;u\u0131d=1", [("character-not-allowed", 13), ("parameter-unknown", 12)]),
        # access
        (SIGNED.replace("submit+fred", "submit+"), [("imap-urlauth-invalid", 58)]),
        (SIGNED.replace("submit+fred", "submit+a@b"), [("imap-urlauth-invalid", 58)]),
        (SIGNED.replace(f":internal:{TOKEN}", ""), [("imap-urlauth-invalid", 69)]),
        (SIGNED.replace(f":{TOKEN}", ""), [("imap-urlauth-invalid", 78)]),
        (SIGNED.replace("internal", "in_ternal"), [("imap-urlauth-invalid", 70)]),
        (SIGNED[:-1], [("imap-urlauth-invalid", 79)]),
        (SIGNED + "g", [("imap-urlauth-invalid", 79)]),
        (SIGNED.replace("/;uid=20/;section=1.2", ""), [("parameter-order", 29)]),
        ("imap://h/A/;UID=1;EXPIRE=2007-02-29T00:00:00Z", [("imap-urlauth-invalid", 25), ("imap-urlauth-invalid", 45)]),
    ],
)
def test_violations(text, found):
    assert sorted(broken(text)) == sorted(found)


@pytest.mark.parametrize("date", ["0000-02-29T00:00:00z", "2007-01-02t03:04:05.67-08:00"])
def test_dates(date):
    assert broken(SIGNED.replace(";urlauth", f";EXPIRE={date};urlauth")) == []


@pytest.mark.parametrize(
    "date", ["", "2007-13-01T00:00:00Z", "2007-01-01T24:00:00Z", "2007-01-01", "2007-01-01T0:0:0Z"]
)
def test_no_dates(date):
    assert broken(SIGNED.replace(";urlauth", f";EXPIRE={date};urlauth")) == [("imap-urlauth-invalid", 57)]


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("IMAP://Joe;auth=Plain@H:143", "imap://Joe;AUTH=Plain@h/"),
        ("imap://h/%41/../b;uidvalidity=1/;Uid=2", "imap://h/b;UIDVALIDITY=1/;UID=2"),
        ("imap://h/foo/;UID=20/..", "imap://h/foo/"),  # section 9.1
        ("imap://h/..?ALL", "imap://h/..?ALL"),  # a search needs a mailbox
        ("imap://h/A/;UID=1/;SECTION=a/..", "imap://h/A/;UID=1/;SECTION=a/.."),
        (SIGNED.replace("imap://joe@e", "IMAP://joe@E"), SIGNED.replace("imap://joe@e", "IMAP://joe@E")),
    ],
)
def test_normal_forms(text, normal):
    check_normal_form(text, normal)


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("imap://h", "imap://h:143/", True),
        ("imap://u;AUTH=x@h/a%40b/;uid=1", "imap://u;auth=x@h/a@b/;UID=1", True),
        (SIGNED, SIGNED.replace("internal", "INTERNAL"), True),
        (SIGNED, SIGNED.replace("fred", "Fred"), False),
        ("imap://h/a", "imap://h/A", False),
        ("imap://h/a", "imap://h/a/", False),
        ("imap://h/a", "imap://h/a#b", False),
        ("imap://u@h/", "imap://u;AUTH=*@h/", False),
        ("imap://u;AUTH=x@h/", "imap://u%3BAUTH=x@h/", False),
        ("imap://h/a;x=1", "imap://h/a", False),  # no parts of what is invalid
        ("imap://u:p@h/", "imap://u@h/", False),
    ],
)
def test_equivalence(a, b, same):
    assert urlsm.equivalent(a, b) is urlsm.equivalent(b, a) is same


def test_parts_of_a_url_are_lenient():
    found = urlsm.parse("imap://u:p@h/a b;x=1;UID=2/;PARTIAL=0.0?[x").parts
    assert (found.username, found.mailbox, found.uid, found.partial, found.search) == ("u", "a b", 2, (0, 0), "[x")
    for value in ("*", "", "-1", "1:*", "\u0661", "1.2"):
        found = urlsm.parse(f"imap://h/a;UIDVALIDITY={value}/;UID={value}/;SECTION=2/;PARTIAL=1.{value}").parts
        assert (found.uid_validity, found.uid, found.partial) == (None, None, None)
        assert (found.mailbox, found.section) == ("a", "2")
    assert urlsm.parse("imap://h/a/;UID").parts.uid is None
    assert urlsm.parse("imap://h/a/;UID=1/;PARTIAL=x.1").parts.partial is None


def test_build_encodes():
    text = IMAP.build(
        host="h", username="ü;:@/", auth_mechanism="a;b", mailbox="a?b;c#d%é\udcff", search="SUBJECT {1+}\r\nx"
    )
    assert text == ("imap://%C3%BC%3B%3A%40%2F;AUTH=a%3Bb@h/a%3Fb%3Bc%23d%25%C3%A9%FF?SUBJECT%20%7B1+%7D%0D%0Ax")
    message = IMAP.build(host="h", mailbox="a/", uid_validity=1, uid=2, section="HEADER.FIELDS (TO)", partial=(3, None))
    assert message == "imap://h/a/;UIDVALIDITY=1/;UID=2/;SECTION=HEADER.FIELDS%20(TO)/;PARTIAL=3"


@pytest.mark.parametrize(
    "parts",
    [
        {"host": None},
        {"host": "h", "username": ""},
        {"host": "h", "username": "a\r\nb"},
        {"host": "h", "auth_mechanism": ""},
        {"host": "h", "mailbox": "a\0"},
        {"host": "h", "mailbox": "a\nb"},
        {"host": "h", "search": "ALL"},
        {"host": "h", "mailbox": "a", "uid": "1/;SECTION=2"},
        {"host": "h", "mailbox": "a", "uid": 0},
        {"host": "h", "mailbox": "a", "uid": 1, "section": "1\r\nA LOGOUT"},
        {"host": "h", "mailbox": "a", "section": "1"},
        {"host": "h", "mailbox": "a", "uid": 1, "partial": (1, 0)},
        {"host": "h", "mailbox": "a", "uid": 1, "search": "ALL"},
        {"host": "h", "mailbox": "a", "uid": 1, "urlauth_access": "anonymous"},
        {"host": "h", "mailbox": "a", "uid": 1, "urlauth_mechanism": "internal", "urlauth_token": TOKEN},
        {"host": "h", "mailbox": "a", "uid": 1, "expire": "2007-01-02T03:04:05Z"},
    ],
)
def test_build_refuses(parts):
    with pytest.raises(ValueError):
        IMAP.build(**parts)


@pytest.mark.parametrize(
    ("mailbox", "octets"),
    [
        ("~peter/台北/日本語", b"~peter/&U,BTFw-/&ZeVnLIqe-"),  # RFC 3501 section 5.1.3
        ("a&b", b"a&-b"),
        ("\U0001f600\t", b"&2D3eAAAJ-"),
        (None, b""),
    ],
)
def test_mailbox_bytes(mailbox, octets):
    assert IMAP.parts_type(mailbox=mailbox).mailbox_bytes() == octets


def test_mailbox_bytes_of_what_was_no_utf8():
    with pytest.raises(UnicodeEncodeError):
        IMAP.parts_type(mailbox="\udcff").mailbox_bytes()


def test_fetch_item():
    assert urlsm.parts("imap://h/a/;UID=1").fetch_item() == "BODY.PEEK[]"
    assert urlsm.parts("imap://h/a/;UID=1/;SECTION=1.2/;PARTIAL=0.9").fetch_item() == "BODY.PEEK[1.2]<0.9>"
    for section in ("1\r\nA LOGOUT", "1] UID"):
        with pytest.raises(ValueError):
            IMAP.parts_type(section=section).fetch_item()


@pytest.mark.slow(2)
@pytest.mark.parametrize("piece", [";", "/;UID=1", "/;", ";AUTH=", "0"])
def test_long_texts(piece):
    text = "imap://h/A/;PARTIAL=" + piece * (1 << 13)
    assert broken(text) and urlsm.normalize(urlsm.normalize(text)) == urlsm.normalize(text)


def test_long_numbers():
    assert urlsm.parts(f"imap://h/A/;UID=1/;PARTIAL={'0' * (1 << 20)}7").partial == (7, None)
    assert urlsm.parse(f"imap://h/A/;UID={'7' * (1 << 20)}").parts.uid is None
