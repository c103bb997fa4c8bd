"""The view of each dialect, its normal form, and where dialects disagree."""

from __future__ import annotations

import copy
import pickle
import urllib.parse

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.replay import differences

import urlsm
from urlsm.machine.driver import use_plain
from urlsm.readers.programs import program
from urlsm.security import ReaderComparison, compare_readers, is_ambiguous
from urlsm.security.comparison import READERS, View, folded_host, see
from urlsm.security.plain import is_ordinary, scalars

ALL = ("whatwg", "rfc3986", "rfc2396", "barth", "stdlib")
REFUSED = "refused"
NOWHERE = (None, None, None, None)

# text -> (scheme, userinfo, host, port) of all dialects, or of each
SEEN = {
    "https://Example.ORG/a?b#c": ("https", None, "example.org", None),
    "HTTPS://u:p@example.org:443/": ("https", "u:p", "example.org", None),
    "http://example.org:0443/": ("http", None, "example.org", 443),
    "http://example.org:/": ("http", None, "example.org", None),
    "ssh://git@example.org:22/": ("ssh", "git", "example.org", 22),
    "http://bücher.example/": ("http", None, "xn--bcher-kva.example", None),
    "http://[0:0:0:0:0:FFFF:1.2.3.4]/": ("http", None, "[::ffff:102:304]", None),
    "file:///etc/passwd": ("file", None, None, None),
    "mailto:a@example.org": ("mailto", None, None, None),
    "/a/b:c": NOWHERE,
    "": NOWHERE,
    "//example.org:80/a": (None, None, "example.org", 80),
    "http://a.b\\@c.d": [("http", None, "a.b", None), REFUSED, REFUSED, ("http", None, "a.b", None)],
    "http://a%2eb/": [("http", None, "a.b", None), ("http", None, "a%2eb", None), ("http", *NOWHERE[1:]),
                      ("http", None, "a%2eb", None)],
    "http://127.1/": [("http", None, "127.0.0.1", None), ("http", None, "127.1", None), ("http", *NOWHERE[1:]),
                      ("http", None, "127.1", None)],
    "http://127．0.0.1/": [("http", None, "127.0.0.1", None), ("http", None, "127．0.0.1", None),
                          ("http", *NOWHERE[1:]), ("http", None, "127．0.0.1", None)],
    "http:/a.b/": [("http", None, "a.b", None), ("http", *NOWHERE[1:]), ("http", *NOWHERE[1:]),
                   ("http", None, "a.b", None)],
    "a.b:80": [("a.b", *NOWHERE[1:])] * 3 + [("a.b", None, "80", None)],
    "http://a.b:8x/": [REFUSED, REFUSED, REFUSED, ("http", None, "a.b", "8x")],
    "http://a.b:65536/": [REFUSED] + [("http", None, "a.b", 65536)] * 3,
    "http://a.b:999999/": [REFUSED] + [("http", None, "a.b", "999999")] * 3,
    "http://a@b@c.d/": [("http", "a%40b", "c.d", None), REFUSED, REFUSED, ("http", "a@b", "c.d", None)],
    "http://a.b;c/": [("http", None, "a.b;c", None), ("http", None, "a.b;c", None), ("http", *NOWHERE[1:]),
                      ("http", None, "a.b", None)],
    "/\\a.b/c": [(None, None, "a.b", None), NOWHERE, NOWHERE, (None, None, "a.b", None)],
    "a b:c": [NOWHERE, REFUSED, REFUSED, NOWHERE],
}  # fmt: skip


def seen_by_stdlib(text):
    """Return the answer of urllib.parse itself, in normal form."""
    found = urllib.parse.urlsplit(text)
    userinfo, _, hostport = found.netloc.rpartition("@")
    try:
        port = found.port
    except ValueError:
        port = hostport.rpartition(":")[2]
        port = int(port) if port.isdigit() and len(port) < 6 else port
    port = None if port == {"http": 80, "https": 443}.get(found.scheme) else port
    host = found.hostname
    return found.scheme or None, userinfo or None, folded_host(f"[{host}]" if host and ":" in host else host), port


@pytest.mark.parametrize("text", SEEN, ids=repr)
def test_views(text):
    wanted = [*(SEEN[text] if isinstance(SEEN[text], list) else [SEEN[text]] * 4), seen_by_stdlib(text)]
    comparison = compare_readers(text)
    assert tuple(comparison.views) == ALL == tuple(READERS)
    for (dialect, view), seen in zip(comparison.views.items(), wanted, strict=True):
        assert view.dialect == dialect
        if seen is REFUSED:
            assert view.refusal and view == View(dialect, None, None, None, None, None, view.refusal)
        else:
            assert (view.scheme, view.userinfo, view.host, view.port, view.refusal) == (*seen, None), dialect
            assert isinstance(view.path, str)
    decisive = {seen if seen is REFUSED else (seen[0], *seen[2:]) for seen in wanted}
    assert comparison.agree is (len(decisive) == 1) is not is_ambiguous(text)


def test_differences():
    assert compare_readers("https://a.b/c").differences == {}
    found = compare_readers("http://u:secret@a.b/../c").differences
    assert list(found) == ["path"] and found["path"] == dict(zip(ALL, ("/c", *["/../c"] * 4), strict=True))
    found = compare_readers("http://u:secret@a%2eb/").differences
    assert list(found) == ["userinfo", "host"]
    assert found["userinfo"] == {**dict.fromkeys(ALL, "u:***"), "rfc2396": None}
    assert found["host"] == {"whatwg": "a.b", "rfc3986": "a%2eb", "rfc2396": None, "barth": "a%2eb", "stdlib": "a%2eb"}
    found = compare_readers("http://a.b:65536/").differences
    assert found == {"refusal": {"whatwg": "port-out-of-range", **dict.fromkeys(ALL[1:])}}
    assert compare_readers("http://a b/").differences["refusal"] == {
        "whatwg": "domain-to-ASCII",
        "rfc3986": "the authority breaks RFC 3986 section 3.2",
        "rfc2396": "the authority is not a server by RFC 2396 section 3.2.2",
        "barth": None,
        "stdlib": None,
    }


def test_paths_are_as_each_dialect_has_them():
    views = compare_readers("http://a.b;c/./d é?e").views
    assert [view.path for view in views.values()] == ["/d%20%C3%A9", "/./d é", "/./d é", ";c/./d é", "/./d é"]


@pytest.mark.parametrize(
    ("host", "folded"),
    [
        *[(None, None), ("", None), ("A.b", "a.b"), ("A%4A.b", "a%4a.b"), ("127.1", "127.1"), ("A.B.", "a.b.")],
        *[("[::0:1]", "[::1]"), ("[FE80::1%25e]", "[fe80::1%25e]"), ("[::1]:80", "[::1]:80"), ("[X]", "[x]")],
        *[("BÜcher.DE", "xn--bcher-kva.de"), ("XN--FA-HIA.de", "xn--fa-hia.de")],
        *[("FAß.de", "faß.de"), ("fa\u1e9e.de", "faß.de"), ("ΑΣ", "ας"), ("a\u0308.b", "a\u0308.b")],
        *[("\u32ff.b", "\u32ff.b"), ("a\u1806b", "a\u1806b"), ("क\u094d\u200dष", "क\u094d\u200dष")],
        *[("É." * 126 + "b", "xn--9ca." * 126 + "b"), ("É." * 126 + "bc", "é." * 126 + "bc")],
        *[("É." * 126 + "b.", "xn--9ca." * 126 + "b."), ("[" + "0" * 300 + "::F]", "[" + "0" * 300 + "::f]")],
        *[("a。b", "a。b"), ("ｅ.b", "ｅ.b"), ("é。b", "é。b"), ("１.2.3.4", "１.2.3.4")],
        *[("a／é", "a／é"), ("\ud800", "\ud800")],
    ],
)  # fmt: skip
def test_folded_hosts(host, folded):
    assert folded_host(host) == folded


def test_what_is_a_text():
    wanted = compare_readers("http://é.example/ü")
    for url in ("http://é.example/ü".encode(), type("Text", (str,), {})("http://é.example/ü")):
        assert compare_readers(url) == wanted
    assert compare_readers(urlsm.parse("http://é.example/")) == compare_readers("http://xn--9ca.example/")
    assert type(compare_readers(b"x").url) is str
    assert compare_readers(b"http://\xff/").views["whatwg"].refusal == "domain-to-ASCII"
    for wrong in (None, 1, ["x"]):
        with pytest.raises(TypeError):
            compare_readers(wrong)
        with pytest.raises(TypeError):
            is_ambiguous(wrong)


def test_values():
    comparison = compare_readers("http://a.b\\@c.d")
    assert isinstance(comparison, ReaderComparison)
    assert pickle.loads(pickle.dumps(comparison)) == comparison == copy.copy(comparison)
    assert comparison != compare_readers("http://a.b")
    for name in ("url", "views", "agree"):
        with pytest.raises(AttributeError):
            setattr(comparison, name, None)
    assert repr(comparison.views["whatwg"]) == "View('whatwg', scheme='http', host='a.b', port=None)"
    assert repr(compare_readers("xy://a.b:8z").views["barth"]) == "View('barth', scheme='xy', host='a.b', port='***')"
    assert repr(comparison).startswith("ReaderComparison(agree=False, views=[View('whatwg', ")


@given(st.sampled_from(["{}:{}@a.b", "{}:{}\\@a.b", "{}:{};@a.b", "/{}:{}@a.b", "{}:{}@a@b", "a.b:80@{}:{}@c"]))
def test_no_repr_shows_a_password(form):
    text = "http://" + form.format("user", "Secret")
    comparison = compare_readers(text)
    shown = (
        repr(comparison) + "".join(map(repr, comparison.views.values())) + repr(comparison.differences.get("userinfo"))
    )
    assert "secret" not in shown.lower()


PIECES = [*"/?#.:;@-_~!$&'()*+,=[]%\\^|{}<> \té", "//", "/..", "/./", "%2e", "a", "b1", "0x7", "xn--a", "A"]


@given(
    st.sampled_from(["http://", "https://", "HTTP://", "http:", "ws://", ""]),
    st.sampled_from(["a.b", "a-b.c_d", "-a.b", "a-", "1.2.3.4", "a.1", "a.b.", "u@a", "a:80", "a" * 254, ""]),
    st.lists(st.sampled_from(PIECES), max_size=8).map("".join),
)
def test_ordinary_links_are_compared_as_all_others(scheme, host, rest):
    """The fast way of compare_readers against each reader's own view."""
    for text in (scheme + host + rest, scheme + host + "/" + rest):
        assert compare_readers(text).views == {dialect: see(dialect, text) for dialect in READERS}, text


@given(st.text() | st.binary())
def test_any_text(url):
    comparison = compare_readers(url)
    assert is_ambiguous(url) is not comparison.agree
    assert comparison.agree or comparison.differences.keys() & {"refusal", "scheme", "host", "port"}


@pytest.mark.slow(2)
@pytest.mark.parametrize(
    "unit", ["a", "@", ":", "%", "%25", "[", "\\", "/", ".", "é", "\t", "0", ";", "\ud800", "a.", "é."]
)
@pytest.mark.parametrize("form", ["{}", "http://{}", "http://{}@h/", "http://h/{}", "http://h:{}/", "x:{}", "//{}"])
def test_a_long_text_takes_no_longer_than_linear(form, unit):
    # quadratic time would be minutes
    text = form.format(unit * (300_000 if unit.isascii() else 20_000))
    assert is_ambiguous(text) is not compare_readers(text).agree


@pytest.mark.parametrize("host", ["-1", "a-", "-a.b", "a-.b", "a.-b", "a.b-", "a.b-.", "-", "a.-"])
def test_a_label_that_begins_or_ends_with_a_hyphen_is_not_of_a_server(host):
    """RFC 2396 section 3.2.2: domainlabel = alphanum | alphanum *( alphanum | "-" ) alphanum."""
    assert compare_readers(f"http://{host}/").views["rfc2396"].host is None
    assert is_ambiguous(f"http://{host}/") and is_ambiguous(f"https://{host}:8080?q")


@pytest.mark.parametrize("host", ["a-b", "_dmarc.example", "a_", "_", "a--b.c-d.", "1-a.b"])
def test_what_resolves_is_a_server(host):
    """ "_" is not RFC 2396's, but names that have it resolve."""
    assert compare_readers(f"http://{host}/").views["rfc2396"].host == host
    assert not is_ambiguous(f"http://{host}/")


@pytest.mark.parametrize(
    ("netloc", "is_accepted"),
    [
        *(("[::1]", True), ("[::1%a]:80", True), ("u@[::1]", True), ("[v1.x]", True), ("[Vf.%]", True)),
        *(("[]", False), ("[%]", False), ("[v.x]", False), ("[v1.]", False), ("[vg.x]", False), ("[g]", False)),
        *(("[::1", False), ("::1]", False), ("[::g%]", False), ("[v1x]", False), ("[:\u3000]", False)),
        *(("[1.2.3.4]", False), ("[a%]", False), ("[::%25]%]", False), ("[::1%]", False)),
        *(("[::1]x", False), ("a.[v1.x].b", False), ("[::1]@a", False)),  # CVE-2025-0938
        *(("bücher.example", True), ("a\uff20b", False), ("a\u2100b@c", False), ("a\uff03", False)),
        ("\uff1a:@a", False),
    ],
)
def test_urllib_reads_a_netloc_as_its_newest_release(netloc, is_accepted):
    """As CPython 3.14 was seen to: _check_bracketed_netloc, _checknetloc."""
    found = compare_readers(f"http://{netloc}/", readers=["stdlib", "urllib.parse@3.14"]).views.values()
    assert [view.refusal is None for view in found] == [is_accepted] * 2


def test_urllib_reads_as_the_recorded_program():
    wrong, count = [], 0
    for kind, text, seen, _ in differences(program("urllib.parse"), "3.14.10"):
        if kind == "read" and scalars(text) is text:
            view, count = see("stdlib", text), count + 1
            scheme = None if seen == "refused" else seen[0] or None
            if (view.refusal is None, view.scheme) != (seen != "refused", scheme):
                wrong.append(text)
    assert count > 4000 and wrong == []


def test_an_ordinary_link_is_told_by_its_start():
    """Beyond ASCII only a scheme, a name and a port are read; a port of many zeros may go on."""
    before = use_plain(True)
    assert is_ordinary("http://a.b:80/" + 600 * "é") and is_ordinary("http://a.b:" + 600 * "0" + "80/")
    assert not is_ordinary("http://a.b:" + 600 * "0" + "x/é") and not is_ordinary("http://a.b:" + 600 * "0" + "@é/")
    use_plain(before)
