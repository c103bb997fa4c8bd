"""Columns of fingerprints, traps, hazards and of what readers disagree on give what the functions of one text give."""

from __future__ import annotations

import datetime
import hashlib
import random

import pytest
from support.generate import random_case
from support.seeds import draws, seeded

import urlsm
import urlsm.columns as uc
from urlsm import crawler
from urlsm.columns.rows import use_vectors

pa = pytest.importorskip("pyarrow", minversion="16", reason="needs pyarrow 16 or newer")

RANDOM = random.Random(11)
TODAY = datetime.date(2026, 11, 1)
TEXTS = [
    *("http://a.example/", "", "no url", "http://good.example\\@evil.example/", "http://u@a@b/", "http://127.1/"),
    *(
        "http://localhost:8080/",
        "http://a.example:443/",
        "http://a.example/%2e%2e/\u202e",
        "http://\u0430pple.example/",
    ),
    *("http://xn--80ak6aa92e.example/", "http://a.example/\u00e4", "http://a.example/a%00b", "http://a/b/c/b/c/b/c"),
    *("http://a.example/2099/01/?a=1&a=2&PHPSESSID=0123456789abcdef", "http://a.example/" + "a" * 3000),
    *(f"http://a.example:{'0' * zeros}80/" for zeros in (1, 480, 520)),
    *(random_case(RANDOM)[0].encode("utf-8", "replace").decode() for _ in range(1000)),
]
ROWS = [*TEXTS, None]


def of_each(function):
    def of(text):
        try:
            return None if text is None else function(text)
        except urlsm.ParseError:
            return None

    return [of(text) for text in ROWS]


def equal(made, expected):
    """The same by our own reading, by Arrow, sliced, chunked, of a dictionary, by two threads."""
    assert made(pa.array(ROWS)).to_pylist() == expected
    theirs = pa.array(made(pa.array(ROWS), threads=2))
    theirs.validate(full=True)
    assert theirs.to_pylist() == expected
    assert theirs.null_count == expected.count(None)
    assert made(pa.array(ROWS, pa.string_view()).slice(7)).to_pylist() == expected[7:]
    chunks = pa.chunked_array(made(pa.chunked_array([ROWS[:5], [], ROWS[5:]])))
    assert chunks.to_pylist() == expected
    assert made(pa.array(ROWS).dictionary_encode()).to_pylist() == expected
    assert made(pa.array([], pa.string())).to_pylist() == []


@pytest.mark.parametrize("kind", ["xxh64", "sha1", "blake2b-128"])
@pytest.mark.parametrize("profile", ["w3lib", "surt", "urlsm-1"])
def test_fingerprint(kind, profile):
    expected = of_each(lambda text: crawler.fingerprint(text, profile, kind=kind))
    equal(lambda column, **options: uc.fingerprint(column, profile, kind=kind, **options), expected)
    types = {"xxh64": pa.uint64(), "sha1": pa.binary(20), "blake2b-128": pa.binary(16)}
    made = uc.fingerprint(pa.array(ROWS), profile, kind=kind)
    assert pa.array(made).type == types[kind]
    assert str(made.schema).removesuffix("[20]").removesuffix("[16]") in ("uint64", "fixed_size_binary")


def test_fingerprint_refuses_other_kinds():
    with pytest.raises(ValueError, match="unknown kind"):
        uc.fingerprint(pa.array(ROWS), kind="scrapy")
    with pytest.raises(ValueError, match="nonsense"):
        uc.fingerprint(pa.array(ROWS), "nonsense")


def test_blake2b_is_that_of_hashlib():
    for n in [*range(140), 255, 256, 257, 1000]:
        text = "http://h/" + "a" * n
        assert crawler.fingerprint(text, kind="blake2b-128") == hashlib.blake2b(text.encode(), digest_size=16).digest()


@pytest.mark.parametrize("width", [64, 32, 1])
def test_digests_are_those_of_hashlib_by_vectors_of_each_width(width):
    """Batches in which short and long keys share the lanes, and rows without a key stand between them."""
    draw = seeded("digests in lanes")
    lengths = [*range(9, 280), *range(9, 140), 1000, 5000]
    texts = ["http://h/" + "".join(draw.choices("abcdefgh", k=8)) * 700 for _ in range(50)]
    rows = [
        draw.choice((None, "no url", "")) if draw.random() < 0.05 else draw.choice(texts)[: draw.choice(lengths)]
        for _ in range(draws(100_000))
    ]
    keys = [text.encode() if text and text != "no url" else None for text in rows]
    try:
        if use_vectors(width) != width:
            pytest.skip(f"no vectors of {width} octets here")
        column = pa.array(rows)
        made = uc.fingerprint(column, "urlsm-1", kind="sha1").to_pylist()
        assert made == [None if key is None else hashlib.sha1(key).digest() for key in keys]
        made = uc.fingerprint(column, "urlsm-1", kind="blake2b-128").to_pylist()
        assert made == [None if key is None else hashlib.blake2b(key, digest_size=16).digest() for key in keys]
    finally:
        use_vectors(64)


def test_the_hash_of_a_link():
    for link in crawler.links(["b?d&c", "http://\u00e4.example/", "http://h/%FF"], base="http://a.example/"):
        assert link.hash == crawler.fingerprint(link.url, kind="xxh64")
        assert len(link) == 3


def test_traps():
    expected = of_each(lambda text: list(crawler.traps(text, today=TODAY)))
    assert len({name for row in expected for name in row or ()}) == 4
    equal(lambda column, **options: uc.traps(column, today=TODAY, **options), expected)
    assert uc.traps(pa.array(["http://h/"])).to_pylist() == [[]]


def test_ambiguous():
    equal(uc.is_ambiguous, of_each(urlsm.security.is_ambiguous))


def test_audit():
    order = list(urlsm.security.HAZARDS)
    expected = of_each(lambda text: sorted({hazard.code for hazard in urlsm.security.audit(text)}, key=order.index))
    assert len({code for row in expected for code in row or ()}) > 8
    equal(uc.audit, expected)
    octets = [
        b"http://a.example/\xff",
        b"http://a\xff.example/",
        b"http://a.example/\x00",
        b"\xff",
        b"http://a.example/a%",
    ]
    found = [sorted({hazard.code for hazard in urlsm.security.audit(text)}, key=order.index) for text in octets]
    assert uc.audit(pa.array(octets)).to_pylist() == found
    assert uc.is_ambiguous(pa.array(octets)).to_pylist() == [urlsm.security.is_ambiguous(text) for text in octets]


def test_suffixes_of_hosts_and_urls():
    pytest.importorskip("publicsuffixlist", reason="the list of public suffixes is publicsuffixlist's")
    texts = [*TEXTS, "user.github.io", "http://user.github.io/", "b\u00fccher.co.uk", "x.notatld", "co.uk", "a.co.uk."]
    for function in ("registrable_domain", "public_suffix"):
        one = getattr(urlsm.domains, function)
        for only_icann in (True, False):
            for accept_unknown in (True, False):
                asked = {"only_icann": only_icann, "accept_unknown": accept_unknown}
                made = getattr(uc, function)(pa.array([*texts, None]), **asked)
                assert made.to_pylist() == [*(one(text, **asked) for text in texts), None]
        for name in ("only_icann", "accept_unknown"):
            with pytest.raises(TypeError, match=f"{name} must be a bool, not NoneType"):
                getattr(uc, function)(pa.array(texts), **{name: None})
    assert urlsm.domains.registrable_domain("a.notatld", accept_unknown=False) is None
    assert urlsm.domains.public_suffix("a.b.github.io", accept_unknown=False) == "github.io"
    assert urlsm.domains.public_suffix("a.b.github.io", only_icann=True) == "io"


def test_suffixes_by_a_list_of_ones_own(tmp_path):
    (tmp_path / "list.dat").write_text("example\n// ===BEGIN PRIVATE DOMAINS===\na.example\n", "ascii")
    own = urlsm.domains.PublicSuffixList(tmp_path / "list.dat")
    column = pa.array(["http://c.b.a.example/", "c.b.a.example", "\u00e4.b.a.example", "a.test"])
    made = uc.registrable_domain(column, suffix_list=own, accept_unknown=False).to_pylist()
    assert made == ["b.a.example", "b.a.example", "b.a.example", None]
    fields = ("registrable_domain", "public_suffix", "icann_registrable_domain", "icann_public_suffix")
    pytest.importorskip("publicsuffixlist", reason="the list of public suffixes is publicsuffixlist's")
    rows = uc.parse(pa.array(["http://x.a.github.io/", "x:"]), fields).to_pylist()
    assert rows[0] == dict(zip(fields, ("a.github.io", "github.io", "github.io", "io"), strict=True))
    assert set(rows[1].values()) == {None}
