"""Redirects and references that must not leave."""

from __future__ import annotations

import time
from contextlib import suppress

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import urlsm
from urlsm import ParseError, parse, resolve
from urlsm.security import is_safe_redirect, redirects, safe_join

HOME = "https://good.example/app/page?q"
SAFE = [
    *("", "/", "/x", "x", "?x", "#x", "../../x", "a b", "é", "/a:b", "/x?u=http://evil.com/", "./1:b", "1:b", "a/b:c"),
    "/a%2Fb",
    *("//good.example/x", "https://good.example/y", "HTTPS://GOOD.example:443/y", "https://good.example"),
    *("/a\\b", "/a/.//evil.com", "/a%5cevil.com", "/\uff0fevil.com"),
]  # fmt: skip
UNSAFE = [
    *("//evil.com", "///evil.com", "////evil.com", "/\\evil.com", "\\\\evil.com", "\\/evil.com"),
    *("https:evil.com", "://evil.com", "/.//evil.com", "/%5cevil.com", "/%5Cx"),
    *("https:/evil.com", "https:///evil.com", "https:\\\\evil.com", "http://good.example/", "http:x"),
    "ftp://good.example/",
    *("javascript:alert(1)", "data:,x", "mailto:a@b", "good.example:80", "https://good.example:8443/"),
    "https://good.example@evil.com",
    *("https://evil.com\\@good.example/", "https://good.example\\@evil.com/", "https://good.example.evil.com/", "c:/x"),
    *("https://u@good.example/", "https://u:p@good.example/x", "//u@good.example/", "https://good%2eexample/"),
    "https://",
    *(" https://good.example/", "https://good.example/ \n", "/x\r\nSet-Cookie: a", "/\t/evil.com", "/x\x7f"),
    *("\x00/x", "/\x01"),
    *("/x\u3000", "\u00a0//evil.com", "\ufeff/x", "/\ud800", "\udcff"),
    *("https://good.example/\u2028", "\u180e/x", "/\x85", "\xad//evil.com", "/\ue000"),
    *("https://fa\u1e9e.de/", "https://fa\u1806.de/", f"https://{'a.' * 127}a/", f"https://{'é.' * 400_000}/"),
    *("/x\x85Set-Cookie: a", "/\u2028x", "/x\u2029/y", f"https://{'a' * 9000}@good.example/", "JavaScript:x//"),
    *("https://good。example/", "https://ｇood.example/", "https://go\u00adod.example/", "https://good.example;x/"),
]  # fmt: skip


@pytest.mark.parametrize("target", SAFE, ids=repr)
def test_safe(target):
    assert is_safe_redirect(target, base=HOME)
    assert is_safe_redirect(target.encode(), base=HOME)


@pytest.mark.parametrize("target", UNSAFE, ids=repr)
def test_unsafe(target):
    assert not is_safe_redirect(target, base=HOME)
    assert not is_safe_redirect(target, base=HOME, allowed_hosts=["other.example", "127.0.0.1"])


@pytest.mark.parametrize(
    ("target", "allowed", "safe"),
    [
        *[("http://a.example/", ["a.example"], True), ("https://A.example:443/", {"a.EXAMPLE"}, True)],
        *[("https://a.example/", ("a.example",), True), ("https://a.example/", ("b.example",), False)],
        *[("https://a.example:8443/", ["a.example"], False), ("https://a.example:8443/", ["a.example:8443"], True)],
        *[("https://a.example/", ["a.example:443"], True), ("http://a.example/", ["a.example:443"], False)],
        *[("https://b.a.example/", ["a.example"], False), ("https://a.example./", ["a.example"], False)],
        *[("ftp://a.example/", ["a.example"], False), ("http://good.example/", ["good.example"], True)],
        *[("https://bücher.example/", ["bücher.example"], True)],
        *[("https://xn--bcher-kva.example/", ["BÜCHER.example"], True)],
        *[("https://faß.de/", ["faß.de", "fass.de", "xn--fa-hia.de"], False)],
        *[("https://xn--fa-hia.de/", ["faß.de"], True)],
        *[("https://[::1]/", ["::1"], True), ("https://[::1]/", ["[0:0::1]"], True)],
        *[("https://[0::1]/", ["::1"], False)],
        *[("https://[::1]:80/", ["[::1]:80"], True), ("https://127.1/", ["127.1", "127.0.0.1"], False)],
        *[("https://127.0.0.1/", ["127.0.0.1"], True), ("https://2130706433/", ["2130706433", "127.0.0.1"], False)],
        *[("https://evil.com\\@a.example/", ["a.example", "evil.com"], False)],
    ],
)  # fmt: skip
def test_allowed_hosts(target, allowed, safe):
    assert is_safe_redirect(target, base=HOME, allowed_hosts=allowed) is safe


def test_the_base_decides():
    assert (
        is_safe_redirect("/x", base="https://u:p@faß.de:8443/a")
        and is_safe_redirect("x", base="http://127.1/") is False
    )
    # its host is not in normal form
    assert is_safe_redirect("//faß.de:8443/", base="https://u:p@faß.de:8443/a") is False
    assert not is_safe_redirect("/x", base="ftp://good.example/") and not is_safe_redirect("x", base="mailto:a@b")
    assert is_safe_redirect("https://good.example/", base=parse(HOME)) and is_safe_redirect(parse(HOME), base=HOME)
    with pytest.raises(ParseError):
        is_safe_redirect("/x", base="/no/base")
    for wrong in ((None, HOME), ("/x", None), ("http://a/", HOME, [None])):
        with pytest.raises(TypeError):
            is_safe_redirect(*wrong)


BASE = "https://good.example/files/a/index.html?q"
WITHIN = {
    **{"x": "x", "": "index.html?q", ".": "", "./": "", "?p": "index.html?p", "#f": "index.html?q#f", "x/../y": "y"},
    **{"../a/x": "x", "/files/a/": "", "/files/a/b/../c": "c", "//good.example/files/a/x": "x", "x//y": "x//y"},
    **{"https://GOOD.example:443/files/a/x": "x", "%2e/x": "x", "a%2Fb": "a%2Fb", "a%5cb": "a%5cb", "a\\b": "a/b"},
    **{"...": "...", "..x": "..x", "x..": "x..", "a%252fb": "a%252fb", "%25": "%25", "é": "%C3%A9"},
    **{"x/%2e%2e%20y": "x/%2e%2e%20y", "x%2f..": "x%2f..", "a/b%5c..%5c..": "a/b%5c..%5c..", "%c0x": "%c0x"},
    **{"%20": "%20", "x ": "x", "...%20": "...%20", "%e2%80%a6": "%e2%80%a6", "%e9t%e9/%c0": "%e9t%e9/%c0"},
    **{"a%2f..%2fb": "a%2f..%2fb", ";x": ";x", "x?../../..": "x?../../..", "x#/../..": "x#/../.."},
}  # fmt: skip
OUTSIDE = [
    "x//../../y",  # urllib.parse drops empty segments first
    *("..", "../", "../x", "../a", "x/../../y", "/", "/x", "/files/", "/files/ab/x", "/files/a"),
    *("/files/a/../b", "/Files/a/x"),
    *("%2e%2e", "%2E%2e/x", ".%2e/x", "%2e./x", "..%2fx", "..%5cx", "..\\x", "\\..\\..\\x"),
    *("%2fx/..%2f..%2f..", "a/..%2f..%2fx"),
    *("%252e%252e%252fx", "%25252e%25252e/x", "%2%65%2e/x", "..;/x", "..;a=b/x", "%2e%2e;/x", "%c0%ae%c0%ae/x"),
    "..%c0%afx",
    *("%00", "x%00/../..", "..%00/x", "..%09/x", "..\t/x", ".\n./x", "//evil.com/files/a/"),
    "http://good.example/files/a/x",
    *("https://good.example:8443/files/a/x", "https:x", "https:/files/a/x", "\\\\evil.com\\files\\a\\"),
    "/\\evil.com/files/a/",
    *("//good.example\\@evil.com/files/a/x", "../a%2f", "../a%2fx", "..//a/", "mailto:a"),
    *("javascript:x", "x//..%2f..%2fy", "%2525252525252e"),
    *("..%e0%80%af", "%f0%80%80%ae%f0%80%80%ae/", "%f8%80%80%80%ae./x", "..%fc%80%80%80%80%afx", "%c0%2e%c0%ae/"),
    *("%u002e%u002e/", "..%u002fx", "..%u2215x", "%u002E.%u005cx", "%25u002e./x", "%uff0e%uff0e%uff0fx"),
    *("..%20/", ".. /", "..%c2%a0/x", "..%e3%80%80", "..\u2003/x", "..%09", "..%ef%bb%bf/x", "..%20;a/x", ".%09./x"),
    *("．．/x", "․․/x", "‥/x", "︰/x", "..／x", "..＼x", "％2e％2e/", "%ef%bc%8e%ef%bc%8e/x", "..%e2%88%95x"),
    *("..%3fx", "..%23x", "..%3bx", "x%c0%afy%2f..%2f..%2fz", "x%5cy%2f..%2f..%2fz", "%2e%2e%2fa%2fx"),
    *("%c0%2e%c0%2e%c0%2fx", "..%c0%2f", "..%c0%5cx", ".\u00ad./x", ".%e2%80%8b./x", "\u200b../x", "..%3a/x"),
    "\ud800x",
    *("%\U0001ccf2e%\U0001ccf2\U0001ccda/x", "%u00\U0001ccf2e./x", "..%\U0001ccf2\ua7f3x"),  # newer than some Pythons
    *(" ../x", "\x01../x", "./..::$INDEX_ALLOCATION/x"),
    *("x%c0%80", "x%u0000/y", f"//{'é.' * 400_000}/", f"//{'a.' * 127}a/files/a/x"),
]  # fmt: skip


@pytest.mark.parametrize("ref", WITHIN, ids=repr)
def test_within(ref):
    assert safe_join(BASE, ref).href == urlsm.resolve(ref, base=BASE) == f"https://good.example/files/a/{WITHIN[ref]}"


@pytest.mark.parametrize("ref", OUTSIDE, ids=repr)
def test_outside(ref):
    with pytest.raises(ValueError):
        safe_join(BASE, ref)


def test_bases():
    assert safe_join("https://h", "x").href == "https://h/x" and safe_join(b"s3://b/c/", b"d").href == "s3://b/c/d"
    assert safe_join(parse("https://h/a/"), parse("https://h/a/b")).href == "https://h/a/b"
    assert safe_join("file:///srv/www/", "a/b").href == "file:///srv/www/a/b"
    assert safe_join("https://h/a%20b/", "../a%20b/c").href == "https://h/a%20b/c"
    for base, ref in (
        ("https://h", ".."),
        ("file:///srv/www/", "../etc"),
        ("https://h/a/b", "../c"),
        ("https://h/%00/", "x"),
    ):
        with pytest.raises(ValueError):
            safe_join(base, ref)
    for base in ("/a/", "mailto:a@b", "", "https://a b/"):
        with pytest.raises(ParseError):
            safe_join(base, "x")
    with pytest.raises(TypeError):
        safe_join(BASE, None)


def test_no_message_shows_a_password():
    for ref in ("..", "//evil.com", "//u:Secret@evil.com:x/"):
        with pytest.raises(ValueError) as caught:
            safe_join("https://u:Secret@good.example/a/", ref)
        assert "Secret" not in str(caught.value) + repr(caught.value)


steps = st.lists(
    st.sampled_from(["..", "%2e%2e", ".", "/", "%2f", "\\", "%5c", "x", "files", "a", ";", "?", "#", "%25", "2e", "//"])
)


@given(steps.map("".join))
def test_what_is_within_stays_there_however_often_it_is_decoded(ref):
    try:
        path = safe_join(BASE, ref).path
    except ValueError:
        return
    for _ in range(3):
        assert path.startswith("/files/a/")
        path = path.replace("%25", "%").replace("%2e", ".").replace("%2f", "/").replace("%5c", "/")
        path = parse(path, base="https://h/").path


BASES = [BASE, "https://h/", "http:/h/x", "s3://b/../c/", "https://h/a\\b/x", "https://h/a\0b"]


@given(steps.map("".join) | st.text(), st.sampled_from(BASES))
@example("\0", BASE)  # some readers remove it, for others it ends a path
@example("", "https://h/a\0b")
def test_what_is_plainly_below_its_base_stays_there_by_every_dialect(ref, base):
    base, ref = redirects._to_path(base), redirects._to_path(ref)
    with suppress(urlsm.ParseError):
        resolve(ref, base=base)
        if redirects._is_below(base, ref):
            redirects._follow(base, ref)


def test_a_long_reference_is_a_plain_path_or_refused():
    assert safe_join(BASE, "a/" * 300_000).href == f"https://good.example/files/a/{'a/' * 300_000}"
    assert safe_join(BASE, f"../a/x?{'/' * 300_000}").href.startswith("https://good.example/files/a/x?/")
    for ref in ("../a/" + "x" * 300_000, "/files/a/" + "x" * 300_000, f"//{'a' * 9000}@good.example/files/a/"):
        with pytest.raises(ValueError):
            safe_join(BASE, ref)


@given(st.text() | st.binary())
def test_any_text(ref):
    assert is_safe_redirect(ref, base=HOME) in (True, False)
    with suppress(ValueError):
        assert safe_join(BASE, ref).href.startswith("https://good.example/files/a/")


@pytest.mark.parametrize("unit", ["../", "%2e", "%25", "%252e/", "\\", "@", "a/", ";", "\ud800", "%c0%ae"])
def test_a_long_reference_takes_no_longer_than_linear(unit):
    ref = unit * 100_000
    assert is_safe_redirect(ref, base=HOME) in (True, False)
    with suppress(ValueError):
        safe_join(BASE, ref)


@pytest.mark.slow(11)
@pytest.mark.parametrize("start", ["http://", "http://u:", "http://[", "javascript:", "//", "file:///"])
def test_each_judgement_of_a_mebibyte_takes_milliseconds(start):
    """50 ms on a quiet machine, and ten times that here: once, views of long ports and users were decoded repeatedly,
    and a regular expression went through all colons after a bracket."""
    for unit in ("é", "é\t", "\ud800a", "[", "[:", "]", ":", "\u3000", "%", "1", "😀@"):
        text = start + unit * (2**20 // len(unit.encode("utf-8", "surrogatepass")))
        for judge in (
            urlsm.security.compare_readers,
            urlsm.security.audit,
            urlsm.security.is_ambiguous,
            lambda text: is_safe_redirect(text, base=HOME),
            lambda text: is_safe_redirect("/x", base=text),
            lambda text: safe_join(BASE, text),
        ):
            took = []
            for _ in range(2):
                begin = time.process_time()
                with suppress(ValueError):
                    judge(text)
                took.append(time.process_time() - begin)
            assert min(took) < 0.5


@pytest.mark.slow(1)
def test_a_judgement_of_a_mebibyte_is_quick():
    """50 ms each on a quiet machine; the limit here only catches quadratic time, or seconds."""
    start = time.process_time()
    for unit in ("é.", "ß", "%61", "%C3%A9", "a."):
        text = f"http://{unit * (2**20 // len(unit.encode()))}/"
        assert (
            urlsm.security.is_ambiguous(text)
            and not is_safe_redirect(text, base=HOME)
            and not is_safe_redirect("/x", base=text)
        )
        assert "host-too-long" in {hazard.code for hazard in urlsm.security.audit(text)}
        for base, ref in ((BASE, text), (text, "x")):
            with pytest.raises(ValueError):
                safe_join(base, ref)
    for unit in ("\t", "%25", "../", "ﷺ", "\u0301", "a/", "\udcff", ":", "["):
        text = "x" + unit * (2**20 // len(unit.encode("utf-8", "surrogatepass")))
        assert is_safe_redirect(text, base=HOME) in (True, False) and isinstance(
            urlsm.security.audit(HOME + text), list
        )
        with suppress(ValueError):
            safe_join(BASE, text)
    assert time.process_time() - start < 20


@pytest.mark.parametrize("kind", [list, tuple, set, frozenset, iter, dict.fromkeys])
def test_allowed_hosts_are_read_whatever_the_target_is_and_each_time(kind):
    target, base = "https://b.example/", "https://a.example/"
    for _ in range(2):  # what was read before is known
        assert is_safe_redirect(target, base=base, allowed_hosts=kind(["b.example", "c.example"]))
        assert not is_safe_redirect(target, base=base, allowed_hosts=kind(["c.example"]))
        for wrong in (["b.example", "*"], ["*"], ["b.example", "https://c.example/"]):
            for each in (target, "/path"):
                with pytest.raises(ValueError):
                    is_safe_redirect(each, base=base, allowed_hosts=kind(wrong))
    hosts = ["b.example"]
    assert is_safe_redirect(target, base=base, allowed_hosts=hosts)
    hosts.append("*")
    with pytest.raises(ValueError, match="every host"):
        is_safe_redirect("/path", base=base, allowed_hosts=hosts)
    many = [f"h{k}.example" for k in range(3000)]
    assert is_safe_redirect("https://h2999.example/", base=base, allowed_hosts=kind(many))
