"""ssh and sftp: draft-ietf-secsh-scp-sftp-ssh-uri-04, beyond the vectors."""

from __future__ import annotations

import pytest
from support.checks import check_normal_form, noted

import urlsm
from urlsm.schemes.files.ssh import Sftp, SftpParts, Ssh, SshParts


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("ssh://u;x-a=1,fingerprint=ab@h", []),
        ("ssh://;fingerprint=ab@h", []),
        ("ssh://u;=@h", []),  # paramname and paramvalue are *( ... )
        ("ssh://@h:/", []),
        ("ssh://u:p;a=b@h", [("password-deprecated", 7)]),
        ("ssh://u:;a=b@h", []),
        ("ssh://u:p:q@h", [("password-deprecated", 7)]),
        ("ssh://u;@h", [("parameter-name-missing", 8), ("parameter-value-missing", 8)]),
        ("ssh://u;a=b,@h", [("parameter-name-missing", 12), ("parameter-value-missing", 12)]),
        ("ssh://u;a_b@h", [("character-not-allowed", 9), ("parameter-value-missing", 11)]),
        ("ssh://u;a=%41@h", [("character-not-allowed", 10)]),
        ("ssh://u;a=b=c@h", [("character-not-allowed", 11)]),
        ("ssh://u;a=b;c=d@h", [("character-not-allowed", 11), ("character-not-allowed", 13)]),
        (
            "ssh://u;fingerprint=a,b=c,fingerprint=d,fingerprint=e@h",
            [("parameter-duplicate", 26), ("parameter-duplicate", 40)],
        ),
        ("ssh://u%3Ba@h", []),
        ("ssh://u%3@h", [("bad-percent-escape", 7)]),
        ("ssh://u@@h", [("character-not-allowed", 7)]),
        ("ssh://h/a;b=c", []),
        ("ssh://h?q", [("query-not-allowed", 7)]),
        ("ssh:///", [("host-missing", 6)]),
        ("ssh://u@-h", [("host-leading-hyphen", 8)]),
        ("ssh://h#", [("fragment-ignored", 7)]),
        ("sftp://h/f;type=I", []),
        ("sftp://h/f;x=,type=a", []),
        ("sftp://h/f;TYPE=A", []),
        ("sftp://h/f;TYPE=x", [("sftp-type-unknown", 16)]),
        ("sftp://h/f;type=", [("sftp-type-unknown", 16)]),
        ("sftp://h/f;a=b,type=ai", [("sftp-type-unknown", 20)]),
        ("sftp://h/f;type", [("parameter-value-missing", 15)]),
        ("sftp://h/f;", [("parameter-name-missing", 11), ("parameter-value-missing", 11)]),
        ("sftp://h/a;b=c/d", [("character-not-allowed", 14)]),
        ("sftp://h/a;b=%41", [("character-not-allowed", 13)]),
        ("sftp://h/a%3Bb/,=", []),
        ("sftp://h/a<;b=<", [("character-not-allowed", 10), ("character-not-allowed", 14)]),
        ("sftp://h/f?q#x", [("query-not-allowed", 10)]),
        ("sftp://h/f#x", []),
    ],
)
def test_violations(text, found):
    assert noted(text) == found


def ssh(username, password, params, fingerprint, path=""):
    segments = tuple(path.split("/")[1:])
    return SshParts(username, password, "h", None, path, segments, params, fingerprint)


READ = [
    ("ssh://u;fingerprint=ab-c,x=1@h", ssh("u", None, (("fingerprint", "ab-c"), ("x", "1")), "ab-c")),
    ("ssh://u:p;a=b@H/r", ssh("u", "p", (("a", "b"),), None, "/r")),
    ("ssh://;a=@h", ssh("", None, (("a", ""),), None)),
    ("ssh://u%40:%3A@h", ssh("u@", ":", (), None)),
    ("ssh://us%3Ber@h", ssh("us;er", None, (), None)),
    ("ssh://us,e=r@h", ssh("us,e=r", None, (), None)),
]


@pytest.mark.parametrize(("text", "parts"), READ)
def test_parts_are_the_same_before_and_after_the_url_parser(text, parts):
    assert urlsm.parts(text) == parts
    url = urlsm.parse(text)
    assert ";" not in url.href  # the URL Standard's userinfo percent-encode set
    assert url.parts == parts
    assert Ssh().build(**url.parts) == Ssh().build(**parts)
    # it escapes "=" too, which is not undone elsewhere than before parameters (RFC 3986 section 6.2.2.2)
    assert urlsm.equivalent(url.href, text) or "%3D" in url.href.partition("%3B")[0]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("ssh://u;a@h", ssh("u", None, (("a", None),), None)),
        ("ssh://u;a=b:c@h", ssh("u", None, (("a", "b:c"),), None)),
        ("ssh://u;fingerprint=a,fingerprint=b@h", ssh("u", None, (("fingerprint", "a"), ("fingerprint", "b")), "a")),
        ("ssh://u;@h", ssh("u", None, (), None)),
        # after the URL parser only what reads as parameters does
        ("ssh://u%3Ba@h", ssh("u;a", None, (), None)),
        ("ssh://u%3Ba%3Db:p@h", ssh("u;a=b", "p", (), None)),
        ("ssh://u:p%3ba%3d%62@h", ssh("u", "p", (("a", "b"),), None)),
        ("ssh://u%3Bfingerprint=a,fingerprint=b@h", ssh("u;fingerprint=a,fingerprint=b", None, (), None)),
    ],
)
def test_a_link_is_read_whatever_its_characters(text, parts):
    assert Ssh().read_parts(urlsm.split(text, dialect="rfc3986")) == parts


@pytest.mark.parametrize(
    ("path", "segments", "params", "typecode"),
    [
        ("", (), (), None),
        ("/~/a%20b", ("~", "a b"), (), None),
        ("/a%3Bb;type=I,x=", ("a;b",), (("type", "I"), ("x", "")), "i"),
        ("/f;TYPE=A", ("f",), (("TYPE", "A"),), "a"),
        ("/;type=d", ("",), (("type", "d"),), "d"),
        ("/f;type=x", ("f",), (("type", "x"),), None),
        ("/f;type", ("f",), (("type", None),), None),
        ("/f;", ("f",), (), None),
    ],
)
def test_sftp_parts(path, segments, params, typecode):
    parts = SftpParts("u", None, "h", None, path, segments, (("a", "b"),), None, params, typecode)
    assert urlsm.parse("sftp://u;a=b@h" + path).parts == parts


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("SSH://U;fingerprint=Ab@H:22/%7e", "ssh://U;fingerprint=Ab@h/~"),
        ("ssh://u%3Ba%3Db@h", "ssh://u;a=b@h"),  # as the URL parser writes it
        ("ssh://u%3ba%3db%2cc%3d%64@h", "ssh://u;a=b,c=d@h"),
        ("ssh://u%2C%3B:p%3A;a=b@h", "ssh://u%2C%3B:p%3A;a=b@h"),
        ("ssh://u%3Ba%3Db%3Bc%3Dd@h", "ssh://u%3Ba=b;c=d@h"),
        ("sftp://h:0022/a/../b;type=I", "sftp://h/b;type=i"),
        ("sftp://h/B;X-y=A,TYPE=D,Type=X", "sftp://h/B;X-y=A,type=d,Type=X"),
        ("sftp://h/a%3Bb;type=i,x-n/./t%2/../%2e1", "sftp://h/a%3Bb;type=i,x-n/.1"),
        ("ssh://h/t%2/../%2e./a", "ssh://h/a"),
    ],
)
def test_normal_forms(text, normal):
    check_normal_form(text, normal)


def test_a_fragment_means_nothing_to_ssh_alone():
    assert urlsm.equivalent("ssh://h/#a", "ssh://h/")
    assert not urlsm.equivalent("sftp://h/#a", "sftp://h/")


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("ssh://u;a=b@h", "ssh://u@h"),
        ("ssh://u;a=b@h", "ssh://u;a=B@h"),
        ("ssh://u;a=b,c=d@h", "ssh://u;c=d,a=b@h"),
        ("ssh://u%3Ba@h", "ssh://u;a@h"),
        ("ssh://@h", "ssh://h"),
        ("ssh://h", "ssh://h:2222"),
        ("sftp://h/a", "sftp://h/a;type=i"),
        ("sftp://h/a%3Btype=i", "sftp://h/a;type=i"),
    ],
)
def test_not_equivalent(a, b):
    assert not urlsm.equivalent(a, b)


@pytest.mark.parametrize(
    ("parts", "url"),
    [
        ({"host": "h"}, "ssh://h"),
        ({"host": "h", "fingerprint": "ab"}, "ssh://;fingerprint=ab@h"),
        ({"host": "h", "username": "u", "connection_params": [("a", "b"), ("c", "")]}, "ssh://u;a=b,c=@h"),
        (
            {"host": "::1", "port": 2222, "username": "a;b@c:d/%", "password": "\udcffé;"},
            "ssh://a%3Bb%40c%3Ad%2F%25:%FF%C3%A9%3B@[::1]:2222",
        ),
        ({"host": "h", "username": "", "segments": ("a b",)}, "ssh://@h/a%20b"),
    ],
)
def test_build_ssh(parts, url):
    assert Ssh().build(**parts) == url


@pytest.mark.parametrize(
    ("parts", "url"),
    [
        ({"host": "h", "typecode": "d"}, "sftp://h/;type=d"),
        ({"host": "h", "segments": ("a;b", "c,="), "params": (("type", "i"), ("x", "y"))}, None),
        ({"host": "h", "path": "/f;type=a", "typecode": "a", "segments": ("f",)}, "sftp://h/f;type=a"),
    ],
)
def test_build_sftp(parts, url):
    assert Sftp().build(**parts) == (url or "sftp://h/a%3Bb/c,=;type=i,x=y")


HOSTILE = ["a\r\nb", "a\0", "a@evil", "a/b", "a#b", "a?b", "a%41", "é", "\ud800", "a,b=c", "a;b=c", "a b"]


@pytest.mark.parametrize("value", HOSTILE)
def test_build_refuses_parameters_that_cannot_be(value):
    for parts in ({"fingerprint": value}, {"connection_params": [("a", value)]}, {"connection_params": [(value, "a")]}):
        with pytest.raises(ValueError):
            Ssh().build(host="h", username="u", **parts)
    for parts in ({"typecode": value}, {"params": [("a", value)]}, {"params": [(value, "a")]}):
        with pytest.raises(ValueError):
            Sftp().build(host="h", path=None, segments=("f",), **parts)


@pytest.mark.parametrize(
    "parts",
    [
        {},
        {"host": ""},
        {"host": "h", "username": "u;fingerprint=a"},  # would pass for a parameter
        {"host": "h", "fingerprint": "a", "connection_params": [("fingerprint", "b")]},
        {"host": "h", "connection_params": [("fingerprint", "a"), ("fingerprint", "b")]},
        {"host": "h", "connection_params": [("a", None)]},
        {"host": "h", "path": "a"},
        {"host": "h", "port": "22@evil"},
        {"host": "h", "port": 65536},
    ],
)
def test_build_refuses(parts):
    with pytest.raises(ValueError):
        Ssh().build(**parts)


@pytest.mark.parametrize(
    "parts",
    [
        {"host": "h", "path": "/f", "typecode": "a"},
        {"host": "h", "params": [("type", "x")]},
        {"host": "h", "params": [("type", "a")], "typecode": "i"},
        {"host": "h", "segments": (), "typecode": "a"},
    ],
)
def test_build_sftp_refuses(parts):
    with pytest.raises(ValueError):
        Sftp().build(**parts)
