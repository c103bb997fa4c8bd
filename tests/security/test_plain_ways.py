"""The plain ways of the judging functions: they take ordinary links, and answer as the long way does."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from oracles.judges import judge
from support.seeds import seeded

from urlsm import parse, resolve
from urlsm.machine.driver import use_plain
from urlsm.security import audit, compare_readers, is_ambiguous, is_safe_redirect, safe_join
from urlsm.security.plain import is_ordinary, is_plainly_safe, joined_plainly, unremarkable

HOME = "https://good.example/app/page?q"


@pytest.fixture(autouse=True)
def plain() -> Iterator[None]:
    before = use_plain(True)
    yield
    use_plain(before)


def test_they_answer_as_the_long_way_does(many):
    counts, wrong = judge(seeded("plain ways"), many)
    assert not wrong, "\n".join(wrong[:5])
    assert len(counts) == 6 and min(counts.values()) > many // 100, counts


def test_a_plain_way_that_is_wrong_is_found(monkeypatch):
    """Such as without the check of escapes: the case is compared, and differs."""
    from oracles import judges

    case = ("http://h/%2f", HOME, "//evil.com", tuple)
    monkeypatch.setattr(judges, "cases", lambda rng: iter([case]))
    monkeypatch.setattr(judges, "is_plainly_safe", lambda *_: True)
    real = is_safe_redirect
    monkeypatch.setattr(
        "urlsm.security.is_safe_redirect", lambda *given, **more: use_plain_is_on() or real(*given, **more)
    )
    _, wrong = judge(seeded(1), 1)
    assert len(wrong) == 1 and "is_safe_redirect" in wrong[0]


def use_plain_is_on() -> bool:
    before = use_plain(True)
    use_plain(before)
    return before


@pytest.mark.parametrize(
    "target",
    [
        *(
            "",
            "/",
            "/next?x=1",
            "/next?next=%2Fa%2F",
            "?x=%2F",
            "#top",
            "/a/b.html#c",
            "/@user/x",
            "/a:b",
            "/..",
            "/%20",
        ),
        *("next", "accounts/login?next=/x//y", "../up", "/%D0%9F/", "/x?u=https://evil.com/&v=[\\]", "/a%252Fb"),
        *(
            "/10.1016%2Fx",
            "/a%5cb//c",
            "a%2fb",
            "/x//y",
            "x//y",
            "//good.example/x",
            "/web/2015/http://h.com//x/",
            "//GOOD.example:443?x",
        ),
        *("https://good.example", "https://good.example/x?y", "HTTPS://GOOD.example:443/y", "https://good.example?x"),
    ],
)
def test_plain_targets(target):
    for base in (HOME, "https://good.example", "https://GOOD.example:443/x/y?z", parse(HOME)):
        assert is_plainly_safe(target, base, ()) is True is is_safe_redirect(target, base=base, allowed_hosts=None)


@pytest.mark.parametrize(
    "target",
    [
        *(
            "///evil.com",
            "/\\evil.com",
            "\\/evil.com",
            "/x/..//y",
            "//good.example//x",
            "/x//%2e",
            "/x//.y",
            "/%2fevil.com",
            "/x/..%5Ce",
            "/%09/e",
            "/x\ny",
            "/x y",
        ),
        *(" /x", "/x ", "javascript:x", "a:b", "https:evil.com", "https:///evil.com", "http:x", "/%", "/x\x7f", "/é"),
        *(
            "https://u@good.example/",
            "https://good.example\\@evil.com/",
            "https://1.2.3.4./",
            "https://1.2.3/",
            "https://good.example:80x",
        ),
        *(
            "https://good.example:000443/",
            "https://good.example//x",
            "ftp://good.example/",
            "./x//y",
            "./%2f",
            "\ud800",
        ),
    ],
)
def test_targets_that_take_a_closer_look(target):
    assert is_plainly_safe(target, HOME, ()) is None


def test_bases_that_take_a_closer_look():
    for base in (
        "https://u@h/",
        "https://1.2.3.4./",
        "https://1.2.3.04/",
        "ftp://h/",
        "mailto:a@b",
        "/x",
        "",
        "https://é/",
        b"https://h/",
        None,
    ):
        assert is_plainly_safe("/x", base, ()) is None
    assert is_plainly_safe("x", "https://h//a/", ()) is None and is_plainly_safe("/x", "https://h//a/", ()) is True
    assert is_plainly_safe(b"/x", HOME, ()) is None and is_plainly_safe(None, HOME, ()) is None


@pytest.mark.parametrize(
    ("allowed", "answer"),
    [
        *(
            (("other.example",), True),
            ("other.example", None),
            (["x", "OTHER.example"], True),
            ({"other.example:443"}, True),
        ),
        *(((), False), (("x", "y:443"), False), (["other.example:80"], False), (["ther.example"], False)),
        *((frozenset({"other.example."}), True), ([".other.example"], None), (["other.example:*"], None)),
        *((["*"], None), ([""], None), (["other.example:"], None), (["127.1"], None), (["0.0.0.0/0"], None)),
        *(
            ([None], None),
            (["é"], None),
            (["::1"], None),
            (["[::1]"], None),
            (iter(["other.example"]), None),
            (None, None),
        ),
        *(({"other.example": 1}, None), ([None, "other.example"], None)),
    ],
    ids=lambda value: re.sub(" object at 0x[0-9a-f]+", "", repr(value)),
)
def test_other_hosts(allowed, answer):
    assert is_plainly_safe("https://other.example/x", HOME, allowed) is answer
    if isinstance(allowed, str):
        with pytest.raises(TypeError, match="allowed_hosts must be"):
            is_safe_redirect("https://other.example/x", base=HOME, allowed_hosts=allowed)
    if answer is not None:
        assert is_safe_redirect("https://other.example/x", base=HOME, allowed_hosts=allowed) is answer


def test_addresses_are_hosts_as_others():
    for address in ("8.8.8.8", "127.0.0.1"):
        base = f"http://{address}/x"
        assert is_plainly_safe("/y", base, ()) is is_plainly_safe(f"http://{address}:80/", base, ()) is True
        assert is_plainly_safe("//8.8.4.4/", base, ()) is is_plainly_safe("//h.com/", base, ["8.8.8.8"]) is False
        assert is_plainly_safe("//evil.com", base, ()) is False and is_plainly_safe("//o.com/", base, ["o.com"]) is True
    assert unremarkable("http://8.8.8.8/x") == 16 and not unremarkable("http://127.0.0.1/x")


def test_what_follows_another_host_does_not_matter():
    for rest in ("//x", "/\\", "\\", " ", "/%2f", "\x00"):
        target = f"https://other.example/{rest}"
        assert is_plainly_safe(target, HOME, ()) is False and is_plainly_safe(target, HOME, ("other.example",)) is None


def test_links_without_hazards_are_told_at_once():
    for rest in ("", "/", "/%D0%9F%20x", "/?next=%2Fa%2F..", "/?a=%2520b", "/a%25", "/%", "?%2f#%5c", "/é", "/é?%2F"):
        text = f"https://good.com{rest}"
        assert unremarkable(text) == len(text) and audit(text) == []
    for text in ("https://h.com:443/x", "http://h.com.:80?q", "http://a_b.example/", "http://9.9.9.9"):
        assert unremarkable(text) == len(text) and audit(text) == []
    for text in (
        "https://h.com:80/",
        "http://x.local/",
        "http://localhost.:80/",
        "http://10.0.0.1/",
        "http://9.9.9.9./",
    ):
        assert not unremarkable(text)
    for rest in ("/%2F", "/%5c", "/%2e", "/?%00", "/#%0D", "/%250a", "/%25252f", "/\\", "/?\t", "#\x7f", "/é%2f"):
        assert unremarkable(f"https://good.com{rest}") == len("https://good.com") and audit(f"http://h.com{rest}")


def test_domains_in_unicode_are_told_at_once():
    for host in (
        "bücher.example",
        "пример-1.рф",
        "日本かなnew.jp",
        "a.한국.h.",
        "é-.h",
        "xn--e1afmkfd.com",
        "XN--bcher-KVA.h",
    ):
        for rest in ("", "/é", "?x#é", "/" + "é" * 2000):
            text = f"https://{host}{rest}"
            assert unremarkable(text) == len(text) and audit(text) == []
        assert unremarkable(f"ws://{host}/é%2F") == len(f"ws://{host}")
    for host in ("асе.com", "faß.de", "Bücher.de", "cafe\u0301.h", "é.local", "é:8080", "é.1", "a_é", "\ud800", "u@é"):
        assert not unremarkable(f"https://{host}/")
    for host in ("é" * 127 + ".h", "xn--80ak6aa92e.com", "é..h", "-.é", "é\\h", "é%2f", "é x"):
        assert not unremarkable(f"https://{host}/")


def test_references_that_plainly_stay():
    for ref in ("", "x", "a/b.c/d", "a%20b%3B/", "x?../..", "x#//", "~u/@v", "a;b", "x..", "x%2e%2e/y"):
        assert joined_plainly(HOME, ref) == safe_join(HOME, ref).href == resolve(ref, base=HOME)
    for ref in ("..", ".x", "x/..", "x/.y", "/x", "//h", "a:b", "x//y", "%2e", "x/%2e", "x%2f", "x%5C", "x%00", "x%25"):
        assert joined_plainly(HOME, ref) is None
    for ref in ("x%c0%af", "x\\", "x y", "é", "x%", ";x", "%20", "x/;", "x%7f"):
        assert joined_plainly(HOME, ref) is None
    for base in (
        "https://h/../x",
        "https://h/a//b",
        "https://h/%2e/",
        "https://h:000080/",
        "https://u@h/",
        "x",
        "s3://h/",
    ):
        assert joined_plainly(base, "x") is None


def test_ordinary_links_are_compared_at_once():
    for rest in ("/", "/%2F%zz?a b", "/|[]?'#`", "/é"):
        assert is_ordinary(f"https://good.example{rest}") and not is_ambiguous(f"https://good.example{rest}")
        assert compare_readers(f"https://good.example{rest}").agree
