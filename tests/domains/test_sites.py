"""Public suffixes by a list of our own, sites, and the links of a page."""

from __future__ import annotations

import pathlib
import pickle
import re
import subprocess
import sys
from collections.abc import Callable

import pytest
from hypothesis import given
from support import suites
from support.generate import any_text
from support.seeds import draws, seeded

import urlsm
from urlsm import ParseError, parse
from urlsm.crawler import Link, canonicalize, has_extension, links
from urlsm.domains import PublicSuffixList, in_domains, public_suffix, registrable_domain, same_site

LIST = """\
// VERSION: 2026-01-01
// ===BEGIN ICANN DOMAINS===
com
uk trailing words are not read
co.uk

*.ck
!www.ck
jp
*.kobe.jp
!city.kobe.jp
公司.cn
// ===END ICANN DOMAINS===
// ===BEGIN PRIVATE DOMAINS===
github.example
*.cloud.example
!own.cloud.example
"""


@pytest.fixture(scope="module")
def some(tmp_path_factory: pytest.TempPathFactory) -> PublicSuffixList:
    path = tmp_path_factory.mktemp("suffixes") / "list.dat"
    path.write_text(LIST, encoding="utf-8")
    return PublicSuffixList(path)


@pytest.mark.parametrize(
    ("host", "suffix", "domain"),
    [
        ("a.b.com", "com", "b.com"),
        ("b.com", "com", "b.com"),
        ("com", "com", None),
        ("Example.COM.", "com", "example.com"),
        ("a.co.uk", "co.uk", "a.co.uk"),
        ("co.uk", "co.uk", None),
        ("x.uk", "uk", "x.uk"),
        ("a.b.c.ck", "c.ck", "b.c.ck"),
        ("c.ck", "c.ck", None),
        ("ck", "ck", None),
        ("www.ck", "ck", "www.ck"),
        ("a.www.ck", "ck", "www.ck"),
        ("kobe.jp", "jp", "kobe.jp"),
        ("a.kobe.jp", "a.kobe.jp", None),
        ("b.a.kobe.jp", "a.kobe.jp", "b.a.kobe.jp"),
        ("x.city.kobe.jp", "kobe.jp", "city.kobe.jp"),
        ("a.b.unknown", "unknown", "b.unknown"),
        ("unknown", "unknown", None),
        ("me.github.example", "github.example", "me.github.example"),
        ("a.b.cloud.example", "b.cloud.example", "a.b.cloud.example"),
        ("x.own.cloud.example", "cloud.example", "own.cloud.example"),
        ("a.食狮.公司.cn", "公司.cn", "食狮.公司.cn"),
        ("a.xn--85x722f.xn--55qx5d.cn", "xn--55qx5d.cn", "xn--85x722f.xn--55qx5d.cn"),
        *[(text, None, None) for text in ("", ".", ".com", "a..com", "1.2.3.4", "0x7f.1", "a b.com", "[::1]", "a_b%")],
    ],
)
def test_the_published_algorithm(host: str, suffix: str | None, domain: str | None, some: PublicSuffixList):
    assert public_suffix(host, suffix_list=some) == some.public_suffix(host) == suffix
    assert registrable_domain(host, suffix_list=some) == some.registrable_domain(host) == domain


def test_private_rules_may_be_left_out(some: PublicSuffixList):
    assert some.registrable_domain("me.github.example", only_icann=True) == "github.example"
    assert some.public_suffix("a.b.cloud.example", only_icann=True) == "example"
    assert some.split("x.me.github.example") == ("x", "me", "github.example", True)
    assert some.split("x.me.github.example", only_icann=True) == ("x.me", "github", "example", False)
    assert some.split("co.uk") == ("", "", "co.uk", False) and some.split("b.com") == ("", "b", "com", False)
    assert some.split("a.食狮.公司.cn") == ("a", "食狮", "公司.cn", False) and some.split("1.2.3.4") is None


def test_a_list(some: PublicSuffixList, tmp_path: pathlib.Path):
    assert (some.rules, some.version, pathlib.Path(some.path).name) == (12, "2026-01-01", "list.dat")
    assert pickle.loads(pickle.dumps(some)).rules == 12 and "12 rules" in repr(some)
    with pytest.raises(OSError):
        PublicSuffixList(tmp_path / "absent.dat")
    (tmp_path / "empty.dat").write_text("// nothing\n\n")
    with pytest.raises(ValueError, match="no rules"):
        PublicSuffixList(tmp_path / "empty.dat")
    with pytest.raises(TypeError):
        registrable_domain("a.com", suffix_list="list.dat")  # type: ignore[arg-type]


def suffix_by_the_page(host: str, rules: set[str]) -> str:
    """https://github.com/publicsuffix/list/wiki/Format#algorithm, word by word."""
    labels = host.split(".")
    tails = [labels[k:] for k in range(len(labels))]  # the longest first
    for tail in tails:
        if "!" + ".".join(tail) in rules:
            return ".".join(tail[1:])
    for tail in tails:
        if ".".join(tail) in rules or ".".join(["*", *tail[1:]]) in rules:
            return ".".join(tail)
    return labels[-1]


def test_the_table_and_the_page_agree_for_hosts_of_any_length(tmp_path: pathlib.Path):
    rng = seeded(12)
    labels = ["a", "b", "co", "uk", "com", "abcdefg", "abcdefgh", "abcdefghi", "x" * 16, "y" * 17, "z" * 63, "-", "_b"]
    rules = {".".join(rng.choices(labels, k=rng.randrange(1, 5))) for _ in range(60)}
    rules |= {"*." + rule for rule in rng.sample(sorted(rules), 12)}
    rules |= {f"!{rng.choice(labels)}{rule[1:]}" for rule in sorted(rules) if rule[0] == "*" and rng.random() < 0.5}
    (tmp_path / "list.dat").write_text("\n".join(sorted(rules)))
    made = PublicSuffixList(tmp_path / "list.dat")
    for _ in range(draws(4000)):
        host = ".".join(rng.choices(labels, k=rng.randrange(1, 9)))
        suffix = suffix_by_the_page(host, rules)
        above = host.removesuffix(suffix).removesuffix(".").rpartition(".")[2]
        domain = f"{above}.{suffix}" if host != suffix else None
        ways = (host, host + ".", f"https://{host}/p:/x?y", f"http://{host}", f"http://{host}?#", f"HTTP://u@{host}:1/")
        for given_text in (*ways, host.upper(), host.encode()):
            assert public_suffix(given_text, suffix_list=made) == suffix, given_text
            assert registrable_domain(given_text, suffix_list=made) == domain, given_text
        assert registrable_domain(host.replace(".", "..", 1), suffix_list=made) == (None if "." in host else domain)


@given(any_text())
def test_the_short_way_to_a_host_is_the_long_one(some: PublicSuffixList, text: str):
    """The machine reads bytes, subclasses of str and URLs."""
    site = registrable_domain(text, suffix_list=some)
    assert registrable_domain(Text(text), suffix_list=some) == site
    url = urlsm.try_parse(text)
    if url is not None:
        assert registrable_domain(url, suffix_list=some) == site


class Text(str):
    pass


def test_many_rules(tmp_path: pathlib.Path):
    """More rules than the table has places for at first."""
    (tmp_path / "long.dat").write_text("".join(f"s{k}.t{k % 97}\n" for k in range(40_000)))
    many = PublicSuffixList(tmp_path / "long.dat")
    assert all(many.registrable_domain(f"a.b.s{k}.t{k % 97}") == f"b.s{k}.t{k % 97}" for k in range(0, 40_000, 7))
    assert many.registrable_domain("a.b.s1.t2") == "s1.t2"


def test_urls_and_hosts(some: PublicSuffixList):
    for url in ("https://A.b.CO.UK:81/x", "//", b"ftp://u@a.b.co.uk./", parse("http://a.b.co.uk"), "a.b.co.uk"):
        assert registrable_domain(url, suffix_list=some) == (None if url == "//" else "b.co.uk")
    assert registrable_domain("http://食狮.公司.cn/", suffix_list=some) == "xn--85x722f.xn--55qx5d.cn"
    assert registrable_domain("foo://A.Example/", suffix_list=some) == "a.example"
    for text in (
        "http://[::1]/",
        "http://1.2.3.4/",
        "http://www.b.co.uk../",
        "www.b.co.uk..",
        "mailto:a@b.com",
        "a.com/x",
        "data:,b.com",
        "http://x:y/",
        "file:///x",
    ):
        assert registrable_domain(text, suffix_list=some) is None
    with pytest.raises(TypeError):
        registrable_domain(None, suffix_list=some)  # type: ignore[arg-type]


def test_same_site(some: PublicSuffixList):
    for a, b, same in [
        ("https://a.x.com/1", "https://b.x.com:81/2", True),
        ("https://a.x.com/", "http://a.x.com/", False),
        ("https://a.github.example/", "https://b.github.example/", False),
        ("https://com/", "https://com/", True),
        ("https://1.2.3.4/", "https://1.2.3.4/", True),
        ("https://1.2.3.4/", "https://4.2.3.4/", False),
        ("data:,a", "data:,a", False),
        ("data:,a", "https://a.x.com/", False),
        ("blob:https://a.x.com/1", "https://b.x.com/", True),  # an origin's site, not a scheme's
        ("blob:https://a.x.com/1", "blob:https://b.x.com/1", True),
        ("blob:https://a.x.com/1", "blob:https://a.y.com/1", False),
        ("blob:https://a.x.com/1", "http://a.x.com/", False),
        ("blob:data:,a", "blob:data:,a", False),
        ("wss://a.x.com/", "https://a.x.com/", False),
    ]:
        assert same_site(a, b, suffix_list=some) is same and same_site(parse(b), a, suffix_list=some) is same
    with pytest.raises(ParseError):
        same_site("a.com", "https://a.com/", suffix_list=some)


@pytest.mark.parametrize(("a", "b", "same"), [
    ("https://a.x.com/", "http://b.x.com:81/", True), ("wss://a.x.com/", "ftp://b.x.com/", True),
    ("https://a.x.com/", "http://a.y.com/", False), ("https://com/", "http://com/", True),
    ("https://[::1]/", "http://[0::1]:1/", True), ("https://1.2.3.4/", "http://4.2.3.4/", False),
    ("blob:https://a.x.com/1", "http://b.x.com/", True), ("blob:https://a.x.com/", "blob:http://b.x.com/", True),
    ("data:,a", "data:,a", False), ("file:///a", "file:///a", False), ("file://x.com/a", "http://x.com/a", False),
    ("about:blank", "http://x.com/", False), ("foo://x.com/", "bar://x.com/", False),
])  # fmt: skip
def test_schemelessly_same_site(some: PublicSuffixList, a: str, b: str, same: bool):
    """https://html.spec.whatwg.org/multipage/browsers.html#schemelessly-same-site"""
    for left, right in ((a, b), (b, a), (parse(a), b.encode())):
        assert same_site(left, right, schemeful=False, suffix_list=some) is same
        of_one_scheme = (
            urlsm.parse(urlsm.parse(a).origin).scheme == urlsm.parse(urlsm.parse(b).origin).scheme if same else False
        )
        assert same_site(left, right, suffix_list=some) is of_one_scheme


@given(any_text())
def test_any_text_has_a_site_or_none(some: PublicSuffixList, text: str):
    site = registrable_domain(text, suffix_list=some)
    assert site is None or registrable_domain(site, suffix_list=some) == site
    suffix = public_suffix(text, suffix_list=some)
    assert site is None or (suffix is not None and site.endswith("." + suffix))


def test_without_the_extra():
    """In an interpreter of its own, in which publicsuffixlist cannot be found: the list is loaded once."""
    code = """if True:
        import importlib.util, sys
        importlib.util.find_spec = lambda name: None
        from urlsm.crawler import links
        from urlsm.domains import PublicSuffixList, registrable_domain
        assert links(["x"], base="http://h/") == [("http://h/x", "http://h/x", None)]
        asked = lambda: links(["x"], base="http://h/", domains=True)
        for call in (PublicSuffixList, lambda: registrable_domain("a.com"), asked):
            try:
                call()
            except ModuleNotFoundError as error:
                assert "urlsm[suffixes]" in str(error), error
            else:
                raise AssertionError(call)
    """
    root = pathlib.Path(urlsm.__file__).parents[1]
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=root, check=False)
    assert run.returncode == 0, run.stderr


def test_the_installed_list():
    pytest.importorskip("publicsuffixlist")
    assert PublicSuffixList() is PublicSuffixList() and PublicSuffixList().rules > 9000
    assert (
        registrable_domain("http://a.example.co.uk/")
        == "example.co.uk"
        == urlsm.domains.registrable_domain("example.co.uk")
    )
    assert urlsm.domains.same_site("https://a.example.org/", "https://b.example.org/")


# --- links ---


def test_links_of_some_schemes_on_a_base():
    refs = ["a", "mailto:a@h", "FTP://h/", "//x/", "http://["]
    urls = [link and link.url for link in links(refs, base="https://h/", schemes=["https", "ftp"])]
    assert urls == ["https://h/a", None, "ftp://h/", "https://x/", None]
    assert [link and link.url for link in links(refs, base="http://h/", schemes=["mailto"])][1] == "mailto:a@h"
    assert links(refs, base="http://h/", schemes=()) == [None] * 5
    for wrong in ({"refs": "a"}, {"refs": b"a"}, {"schemes": "http"}, {"schemes": b"http"}, {"schemes": [1]}):
        with pytest.raises(TypeError, match="must be an iterable of"):
            links(**{"refs": ["a"], "base": "http://h/", **wrong})
    for base in ("nonsense", "http://[", "", b"\xff"):
        with pytest.raises(urlsm.ParseError) as caught:
            links(["a"], base=base, profile="no profile")
        assert caught.value.url == base


def test_links(some: PublicSuffixList):
    refs = ["../y?b&a", "//Foo.github.example/#f", "mailto:x", "http://[", "?z", "é", b"b%41", "http://h:99999/"]
    found = links(refs, base="http://a.example.co.uk/x/", domains=True, suffix_list=some)
    assert found == [
        Link("http://a.example.co.uk/y?b&a", "http://a.example.co.uk/y?a&b", "example.co.uk"),
        Link("http://foo.github.example/#f", "http://foo.github.example/", "foo.github.example"),
        Link("mailto:x", "mailto:x", None),
        None,
        Link("http://a.example.co.uk/x/?z", "http://a.example.co.uk/x/?z", "example.co.uk"),
        Link("http://a.example.co.uk/x/%C3%A9", "http://a.example.co.uk/x/%C3%A9", "example.co.uk"),
        Link("http://a.example.co.uk/x/b%41", "http://a.example.co.uk/x/bA", "example.co.uk"),
        None,
    ]
    base = parse("http://a.example.co.uk/x/")
    for profile in ("surt", "urlsm-1"):
        for link in links(iter(refs), base=base, profile=profile, domains=True, suffix_list=some):
            assert link is None or link.key == canonicalize(link.url, profile)
    assert links([], base=base, domains=True, suffix_list=some) == []
    with pytest.raises(ParseError):
        links([], base="x")
    with pytest.raises(TypeError):
        links([], base=None)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        links([None], base=base)  # type: ignore[list-item]


@pytest.mark.parametrize(
    "url",
    [
        *(
            "postgres://DB.Example.CO.UK/x",
            "foo://A.B.c.com",
            "foo://CO.UK/",
            "foo://b%C3%BCcher.ch/",
            "foo://%41.com/",
        ),
        *(
            "foo://A.(B)/",
            "foo://1.2.3.4/",
            "foo://a.0X/",
            "foo://[::1]/",
            "foo://x.GitHub.Example./",
            "foo:a",
            "foo://",
        ),
    ],
)
def test_an_opaque_host_has_one_site(url: str, some: PublicSuffixList):
    link = links([url], base="http://h/", domains=True, suffix_list=some)[0]
    assert link is not None and link.registrable_domain == registrable_domain(url, suffix_list=some)


@pytest.mark.parametrize(
    ("url", "domains", "matches"),
    [
        ("http://a.b.example.org:81/", ["x.org", "Example.ORG."], True),
        ("http://example.org/", ("example.org",), True),
        ("http://bexample.org/", ["example.org"], False),
        ("http://org/", ["example.org"], False),
        ("a.bücher.example", ["xn--bcher-kva.example"], True),
        ("http://a/", [], False),
        ("http://[::1]/", ["[::1]"], True),
        ("http://[::1]:81/", ["a", "0:0::1"], True),
        ("http://127.0.0.1/", ("127.0.0.1",), True),
        ("http://0x7f.1:80/", ["a", "127.0.0.1"], True),
        ("127.0.0.1", ["127.0.0.1", "a"], True),
        ("http://127.0.0.1/", ["0.0.1", "1", "127.0.0.1:81"], False),
        ("http://127.0.0.1/", ["127.0.0.1:80"], True),
        ("http://127.0.0.1:0/", ["127.0.0.1:80"], False),
        ("127.0.0.1", ["127.0.0.1:80"], False),
        ("http://10.1.2.3:8080/", ["10.0.0.0/8"], True),
        ("http://[2001:db8::1]/", ["2001:db8::/32"], True),
        ("http://a.example.org:81/", ["example.org:81", "=example.org:*"], True),
        ("http://a.example.org/", ["=example.org", "example.org:81", "*.a.example.org"], False),
        ("http://a.example.org/", ["*.example.org"], True),
        ("http://example.org./", ["=example.org."], True),
        ("http://127.0.0.1/", ["127.0.0.2", "[::1]", "127.0.0.1.a"], False),
        ("http://[::1]/", ["::2", "[::1]:81", "1"], False),
        ("http://a.127.0.0.1.b/", ["127.0.0.1"], False),
        ("nonsense:", ["a"], False),
    ],
)
def test_in_domains(url: str, domains: list[str], matches: bool):
    assert in_domains(url, domains) is matches


@pytest.mark.parametrize("domains", ["example.org", b"example.org", [b"example.org"], [None], 1])
def test_domains_that_are_no_iterable_of_str(domains: object):
    with pytest.raises(TypeError):
        in_domains("http://example.org/", domains)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("url", "has"),
    [
        ("http://h/a.PD%46?x.txt", True),
        ("http://h/a.pdf/b", False),
        ("http://h/.pdf", False),
        ("http://h/pdf", False),
        ("http://h/a.pdf.gz", False),
        ("http://h/a.x.pdf#b", True),
        ("http://h.pdf", False),
    ],
)
def test_has_extension(url: str, has: bool):
    assert has_extension(url, {".pdf"}) is has is has_extension(parse(url), frozenset({"pdf"}))
    with pytest.raises(ParseError):
        has_extension("a.pdf", {".pdf"})


def test_an_extension_may_have_dots():
    for extensions in ({".tar.gz"}, {"tar.gz"}, {".gz"}):
        assert has_extension("http://h/a.Tar.gz", extensions) and has_extension("http://h/a.b.c.tar.gz", extensions)
        assert not has_extension("http://h/a.tar.gzip", extensions)
    assert not has_extension("http://h/.tar.gz", {".tar.gz"}) and not has_extension("http://h/a.gz", {".tar.gz"})
    assert not has_extension("http://h/" + "." * 1_000_000, {".tar.gz"})


# --- the answers of others ---


def test_the_lists_own_tests(peers_rows: Callable[[str], list[dict]], request: pytest.FixtureRequest):
    """test_psl.txt, tests.txt and publicsuffixlist's answers; of tldextract's those of plain http URLs."""
    rows = [row for row in peers_rows("psl") if row["input"] is not None]
    folder = suites.folder("the crawlers' answers", "crawler", request.config.getoption("--crawler"))
    assert folder is not None
    published = PublicSuffixList(folder / "public_suffix_list.dat")
    plain = re.compile(r"https?://[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*\.(com|org|net|uk|de|edu|gov|io)(:\d{1,4})?(/.*)?")
    for row in rows:
        private = row["options"].get("private", True)
        if row["function"] != "extract":
            ask = registrable_domain if row["function"] == "registrable_domain" else public_suffix
            assert ask(row["input"], only_icann=not private, suffix_list=published) == row["expected"], row
        elif plain.fullmatch(row["input"]):
            got = published.split(row["input"], only_icann=not private)
            assert got is not None and [*got[:3]] == [part.lower() for part in row["expected"]], row


@pytest.mark.parametrize("domains", ["h.example", ["h.example"], None])
def test_the_domains_of_links_are_a_question_not_a_filter(domains):
    with pytest.raises(TypeError, match=r"domains must be a bool, not .*: to filter links, use in_domains"):
        urlsm.crawler.links(["a"], base="http://h.example/", domains=domains)
