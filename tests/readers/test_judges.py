"""audit, is_ambiguous, check_redirect, Policy and PatternSet never allow more with named programs than without."""

from __future__ import annotations

import pickle

import pytest
from oracles.replay import ANSWERS, load

from urlsm.guard import Policy
from urlsm.patterns import PatternSet
from urlsm.readers.programs import DECODED, DELIMITED, GROUPS, OPAQUE, SEEN, SELECTORS
from urlsm.security import audit, check_redirect, compare_readers, is_ambiguous, is_safe_redirect, readers

TRICK = "http://127.0.0.1:6666\\@1.1.1.1"
PROXIED = ("curl", "go", "nginx", "requests")


@pytest.fixture(scope="module")
def texts() -> list[str]:
    return [row[0] for row in load(ANSWERS)["rows"]][::7]


def test_views_are_of_the_release_asked_for():
    found = compare_readers("http://h/a/%2e/b", readers=["curl@7.88", "curl@8.14", "curl", "whatwg"])
    assert [view.path for view in found.views.values()] == ["/a/%2e/b", "/a/b", "/a/b", "/a/b"]
    assert [view.version for view in list(found.views.values())[:3]] == ["7.88.1", "8.14.1", "8.23.0"]
    assert pickle.loads(pickle.dumps(found)) == found


@pytest.mark.parametrize("names", [["curl@7.1"], ["curl@x"], ["nosuch"], [""], ["browsers@1"], ["curl@"]])
def test_an_unknown_reader_is_an_error(names):
    for call in (
        lambda: compare_readers("http://h/", readers=names),
        lambda: is_ambiguous("http://h/", readers=names),
        lambda: audit("http://h/", readers=names),
        lambda: is_safe_redirect("/x", base="http://h/", readers=names),
        lambda: check_redirect("\x00", base="http://h/", readers=names),
        lambda: Policy(readers=names),
        lambda: PatternSet(["h"], readers=names),
    ):
        with pytest.raises(ValueError, match=r"reader|release"):
            call()


def test_dialects_have_fewer_components():
    for names in (None, ["whatwg", "stdlib"]):
        found = compare_readers("http://127.1/a?b", readers=names)
        assert found.agree_on("refusal", "path") and not found.agree_on("host")
        for component in ("query", "fragment", "connects", "x"):
            with pytest.raises(ValueError, match=f"unknown component '{component}'; the components are refusal"):
                found.agree_on(component)
    assert compare_readers("http://127.1/a?b", readers=["whatwg", "curl"]).agree_on("query", "connects")


def test_a_bare_name_is_an_error():
    for call in (compare_readers, is_ambiguous, audit):
        with pytest.raises(TypeError, match="iterable of names"):
            call("http://h/", readers="curl")


def test_groups_stand_for_their_programs():
    assert list(compare_readers("http://h/", readers=["browsers"]).views) == ["chromium", "firefox"]
    assert {one.name for one in readers() if "python" in one.groups} >= {"requests", "httpx", "urllib.parse"}


def test_every_program_can_be_asked_by_its_name():
    """Also rfc3986, which is the name of a dialect, too."""
    names = {one.name for one in readers()}
    tables = (DECODED, DELIMITED, OPAQUE, SEEN, SELECTORS, *GROUPS.values())
    assert names >= {name for table in tables for name in table}
    assert not names & {*GROUPS}
    assert all(view.reader == name for name, view in compare_readers("http://h/", readers=names).views.items())


def test_a_redirect_is_never_safer(texts):
    for text in texts:
        if is_safe_redirect(text, base="https://good.example/", readers=PROXIED):
            assert is_safe_redirect(text, base="https://good.example/")
        elif is_safe_redirect(text, base="https://good.example/"):
            assert check_redirect(text, base="https://good.example/", readers=PROXIED).codes == ("ambiguous",)


def test_a_policy_and_a_set_never_allow_more(texts):
    lax, strict = Policy(), Policy(readers=PROXIED)
    wide, narrow = PatternSet(["example"]), PatternSet(["example"], readers=PROXIED)
    blocking = PatternSet(["evil.example"], "blocklist", readers=PROXIED)
    shielding = PatternSet(["evil.example"], "blocklist")
    for text in texts:
        assert lax.check(text).allowed or not strict.check(text).allowed
        assert text in wide or text not in narrow
        assert text in blocking or text not in shielding
    assert "http://good.example/a/../b" in wide and "http://good.example/a/../b" not in narrow
    assert pickle.loads(pickle.dumps(narrow)) == narrow != wide
    assert pickle.loads(pickle.dumps(strict)) == strict != lax
    assert "readers=" in repr(strict)


def test_audit_finds_what_it_finds_without_and_says_who_sees_what(texts):
    for text in texts:
        found = audit(text, readers=PROXIED)
        assert [hazard for hazard in found if hazard.code != "readers-disagree"] == audit(text)
    found = [
        hazard for hazard in audit(TRICK, readers=["urllib.parse", "requests"]) if hazard.code == "readers-disagree"
    ]
    assert [hazard.component for hazard in found] == ["host", "path"]
    assert found[0].message == "urllib.parse sees the host 1.1.1.1, requests sees the host 127.0.0.1"


def disputed(url, *names):
    return [hazard[1:4] for hazard in audit(url, readers=names) if hazard.code == "readers-disagree"]


def test_audit_says_it_in_english():
    said = "php and urllib.parse see the host 127.1, curl sees the host 127.0.0.1"
    assert disputed("http://127.1/", "php", "curl", "urllib.parse") == [("host", 7, said)]
    said = "go and curl reject the URL, php accepts the URL"
    assert disputed("http://h.example/\n", "go", "curl", "php") == [("url", 7, said)]


def test_audit_compares_urls_within_and_counts_bytes():
    said = "curl sees the path /b, php sees the path /a/../b"
    for text, at in (("http://h.example/a/../b", 16), ("http://\u00e9@h.example/a/../b", 18)):
        assert disputed(text, "curl", "php") == [("path", at, said)]
        assert disputed(text.encode(), "curl", "php") == [("path", len(text[:at].encode()), said)]
    found = audit("view-source:http://127.1/a/../b", readers=iter(["chromium", "php"]))
    assert [(one.component, one.position) for one in found if one.code == "readers-disagree"] == [
        ("host", 19),
        ("path", 24),
    ]


def test_a_url_within_is_judged_to_its_end():
    inner = "http://h.example/%zz"  # which Go rejects
    for text in (inner, f"view-source:{inner}"):
        found = compare_readers(text, readers=["go", "php"])
        assert not found.agree and is_ambiguous(text, readers=["go", "php"])
        assert disputed(text, "go", "php")


def test_a_long_value_is_told_without_its_middle():
    (hazard,) = disputed(f"http://h.example/{'a' * 10_000}/../b", "curl", "php")
    assert len(hazard[2]) < 300


def test_ordinary_links_are_alike_to_all():
    every = [f"{one.name}@{version}" for one in readers() for version in one.versions]
    for text in ("https://example.com/", "http://www.example.org/a/b.html?c=d&e", "https://a-b.example/x_y~z;v=1/@:"):
        found = compare_readers(text, readers=every)
        for name, view in found.views.items():
            assert view.refusal is None, (name, text)
        assert found.differences == {}, text


@pytest.mark.parametrize(
    ("host", "readers_seen"),
    [
        # UTS 46 allows these since Unicode 16; pydantic and Node.js are older
        ("a\u04c0b", {"ada": "xn--ab-uyc", "node": None, "pydantic": None}),
        ("h.\u180e", {"ada": "h.", "node": None, "pydantic": None}),
        # ... and this since 15.1
        ("\U0002f868", {"node": None, "pydantic": "xn--snl", "ada": "xn--snl"}),
        # Ada knows the marks and directions of Unicode 13: 14.0 has these
        ("a\u0870b", {"ada": "xn--ab-h8e", "node": "xn--ab-h8e", "pydantic": None}),
        ("\u0628\u0870", {"ada": None, "node": None, "pydantic": "xn--ngb28i"}),
        ("\u0898", {"ada": "xn--hyb", "node": "xn--hyb", "pydantic": None}),
        # of Unicode 15, and 16
        ("a\U0001e4d0b", {"glib@2.74": "xn--ab-iw71a", "soup@2.74": "xn--ab-iw71a"}),
        ("a\u1c8ab", {"glib@2.74": None, "soup@2.74": None}),
        # of Unicode 18
        ("a\u058bb", {"ada": None, "node": None, "pydantic": None}),
    ],
)
def test_hosts_are_those_of_a_program_s_unicode(host, readers_seen):
    """The answers of the live programs (the recorded texts have few such code points)."""
    found = compare_readers(f"http://{host}/", readers=readers_seen)
    assert {name: view.host for name, view in found.views.items()} == readers_seen


@pytest.mark.parametrize(
    ("text", "names", "component"),
    [
        ("http://localhost./", ["nginx", "curl"], "host"),
        ("http://xn--a/", ["firefox", "curl"], "refusal"),
        (f"http://{'a' * 64}.example/", ["okhttp", "curl"], "refusal"),
    ],
)
def test_what_looks_ordinary_and_is_not(text, names, component):
    found = compare_readers(text, readers=names)
    assert not found.agree and not found.agree_on(component) and component in found.differences
    assert is_ambiguous(text, readers=names)
    assert [hazard.component for hazard in audit(text, readers=names) if hazard.code == "readers-disagree"]


def test_the_longest_names_are_ordinary():
    every = [one.name for one in readers()]
    for host in ("a" * 63 + ".example", "a." * 125 + "abc", "a--b.example", "0.example"):
        assert compare_readers(f"http://{host}/", readers=every).differences == {}, host


@pytest.mark.parametrize("text", ["mailto:a@b?subject=c", "data:,x", "javascript:f()", "view-source:http://h.example/"])
def test_an_opaque_path_is_one_path(text):
    """Its host is "" or None, Go tells it as Opaque, and Java, Perl and Ruby have the query in it."""
    names = [
        "chromium",
        "firefox",
        "node",
        "whatwg",
        "php",
        "go",
        "urllib.parse",
        "yarl",
        "java.net.URI",
        "perl",
        "ruby",
    ]
    found = compare_readers(text, readers=names)
    assert found.agree_on("refusal", "scheme", "host", "port", "path", "query")
    assert [hazard for hazard in audit(text, readers=names) if hazard.code == "readers-disagree"] == []
    assert text in PatternSet(["**"], "glob", flavor="playwright", readers=names)


@pytest.mark.parametrize("text", ["http://h.example/%E4", "http://h.example/%ed%b3%bf", "http://h.example/%C3%A4"])
def test_octets_that_are_not_utf_8_are_decoded_as_others(text):
    names = ["go", "nginx", "apache", "curl", "requests", "chromium", "whatwg"]
    assert compare_readers(text, readers=names).agree_on("path")
    assert text in PatternSet(["h.example"], readers=["nginx", "go"])


def test_a_question_mark_in_a_query_is_kept():
    """Some programs give the "?" and "#" with the query and fragment, and some queries begin with "?"."""
    names = ["chromium", "node", "mono", "curl", "go", "php", "urllib.parse"]
    for text in ("http://h/?a#b", "http://h/??a##b", "http://h/?#"):
        assert compare_readers(text, readers=names).agree_on("query", "fragment")


def test_the_host_field_is_no_host_of_the_text():
    assert compare_readers("//h.example/p", readers=["nginx", "go"]).agree
    assert compare_readers("/p", readers=["nginx"]).views["nginx"].host == "front.example"
    text = "http://evil.example\\@front.example/"  # names that host itself
    assert {view.host for view in compare_readers(text, readers=["haproxy", "requests"]).views.values()} == {
        "front.example", "evil.example"
    }  # fmt: skip
    assert is_ambiguous(text, readers=["haproxy@2.6", "requests"])


@pytest.mark.parametrize("text", ["ldap://h/", "LDAP://h:389/", "gopher://h/", "telnet://h/", "net.tcp://h/"])
def test_a_port_that_system_uri_fills_in_is_no_difference(text):
    assert compare_readers(text, readers=["mono", "go", "whatwg"]).agree_on("scheme", "host", "port")


@pytest.mark.parametrize("text", ["http://localhost:8080/", "http://foo.localhost/", "http://LOCALHOST/"])
def test_curl_sees_localhost_as_others_do(text):
    """It connects to ::1 without asking a resolver."""
    names = ["curl", "requests", "go", "urllib.parse", "chromium"]
    assert not is_ambiguous(text, readers=names)
    assert compare_readers(text, readers=names).differences == {}
    assert is_safe_redirect("/a", base=text, readers=names)


@pytest.mark.parametrize("text", ["http://[::1]:8080/", "http://h.example:8080/", "http://[2001:db8::1]/"])
def test_haproxy_sees_the_host_without_its_port(text):
    assert compare_readers(text, readers=["haproxy", "haproxy@2.6", "go", "curl"]).differences == {}


@pytest.mark.parametrize(
    ("name", "version"),
    [
        ("curl@7.88", "7.88.1"),
        ("curl@7", "7.88.1"),
        ("curl@7.99.9", "7.88.1"),
        ("curl@8.10", "7.88.1"),
        ("curl@8.14", "8.14.1"),
        ("curl@8.20.5", "8.14.1"),
        ("curl@8", "8.23.0"),
        ("curl@8.24", "8.23.0"),
        ("haproxy@2.7", "2.6.12"),
        ("haproxy@2.8", "2.6.12"),
        ("haproxy@3", "3.2.26"),
        ("urllib.parse@3.10", "3.10.13"),
        ("urllib.parse@3.10.15", "3.10.13"),
        ("urllib.parse@3.13", "3.13.15"),
        ("urllib.request@3.14.10", "3.13.15"),
        ("urllib.parse@3.14.11", "3.14.10"),
        ("urllib.request@3.9", "3.9.18"),
    ],
)
def test_a_release_between_two_known_ones_is_the_lower(name, version):
    assert compare_readers("http://h/", readers=[name]).views[name].version == version


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("curl@", "curl@ has no version after the @"),
        ("curl@v8", "curl@v8 has no version after the @"),
        ("curl@8.1.", r"curl@8\.1\. has no version after the @"),
        ("curl@7.87", r"curl@7\.87 is older than all that is known"),
    ],
)
def test_a_bad_version_is_told_with_the_good_ones(name, said):
    with pytest.raises(ValueError, match=rf"{said}; the known releases are 7\.88\.1, 8\.14\.1, 8\.23\.0$"):
        compare_readers("http://h/", readers=[name])
