"""The columns of Common Crawl's index, held to what its own code does (HostName.java, WarcUri.java), in Python."""

from __future__ import annotations

import random
import re
from urllib.parse import urlsplit

import pytest

import urlsm
import urlsm.columns as uc
from urlsm import crawler

pa = pytest.importorskip("pyarrow", minversion="16", reason="needs pyarrow 16 or newer")
pytest.importorskip("publicsuffixlist", reason="the list of public suffixes is publicsuffixlist's")

# cc-index-schema-flat.json, without "url"
NAMES = [
    *("url_surtkey", "url_host_name", "url_host_tld", "url_host_2nd_last_part", "url_host_3rd_last_part"),
    *("url_host_4th_last_part", "url_host_5th_last_part", "url_host_registry_suffix", "url_host_registered_domain"),
    *("url_host_private_suffix", "url_host_private_domain", "url_host_name_reversed", "url_protocol", "url_port"),
    *("url_path", "url_query"),
]
HOSTS = [
    *("example.com", "www.example.co.uk", "a.b.c.d.e.f.example.org", "user.github.io", "github.io", "x.kobe.jp"),
    *("city.kobe.jp", "a.notatld", "localhost", "www.ck", "a.b.ck", "xn--85x722f.xn--55qx5d.cn", "example.com."),
    *("192.0.2.1", "[2001:db8::1]", "co.uk", "a_b.example.com", "0.example.com", "s3.amazonaws.com"),
]
UNLISTED = ("notatld", "localhost")  # top-level domains that the list does not know
TAILS = ["", "/", "/a/b?c=d&e", "/?", ":80/", ":8443/x;y?z=/", "/%7Ea/../b", "/\u00e4?\u00e4"]


def theirs(text):
    """Return the sixteen values for an http URL whose host is in lower-case ASCII, as the Java code makes them."""
    parts = urlsplit(text)
    host = parts.netloc.rpartition(":")[0] if re.search(r":\d+$", parts.netloc) else parts.netloc
    labels, suffixes = None, [None] * 4
    if not host.startswith("[") and not re.fullmatch(r"[\d.]+", host):
        host = host.removesuffix(".")
        labels = host.split(".")[::-1]
        psl = urlsm.domains.PublicSuffixList()
        if labels[0] not in UNLISTED:
            for at, private in ((0, False), (2, True)):
                suffixes[at] = psl.public_suffix(host, only_icann=not private)
                suffixes[at + 1] = psl.registrable_domain(host, only_icann=not private)
    last = [labels[k] if labels and k < len(labels) else None for k in range(5)]
    path = text.split("://", 1)[1].partition("?")[0]
    return [
        crawler.surt(text, "commoncrawl"),
        *(host, *last, *suffixes, labels and ".".join(labels), parts.scheme, parts.port),
        *("/" + path.partition("/")[2] if "/" in path else "", text.partition("?")[2] if "?" in text else None),
    ]


def test_names_order_and_types():
    made = pa.array(uc.commoncrawl(pa.array(["http://a.example/"])))
    assert [field.name for field in made.type] == NAMES
    assert {field.name: field.type for field in made.type if field.type != pa.string()} == {"url_port": pa.int32()}
    assert pa.array(uc.commoncrawl(pa.array(["http://h/"]), layout="view")).type[0].type == pa.string_view()


def test_values_are_those_of_the_index():
    chosen = random.Random(3)
    texts = [f"{scheme}://{host}{tail}" for scheme in ("http", "https") for host in HOSTS for tail in TAILS]
    chosen.shuffle(texts)
    made = uc.commoncrawl(pa.array(texts))
    pa.array(made).validate(full=True)
    for text, row in zip(texts, made.to_pylist(), strict=True):
        assert list(row.values()) == theirs(text), text


def test_hosts_in_upper_case():
    texts = [
        *("foo://A.Example.co.uk/Path", "postgres://DB.Example.CO.UK./x", "foo://%41.com/", "foo://a.0X/"),
        *("http://WWW.example.com/", "foo://CO.UK", None, "foo://X.y.GitHub.IO:81/", "foo://" + "A." * 3000 + "com"),
    ] * 40
    lower = [text and re.sub("[A-Z]", lambda found: found[0].lower(), text) for text in texts]
    fields = ("registrable_domain", "public_suffix", "icann_registrable_domain", "icann_public_suffix")
    for kind in (pa.string(), pa.large_string(), pa.string_view()):
        column, other = pa.array(texts, kind), pa.array(lower, kind)
        made = uc.commoncrawl(column)
        pa.array(made).validate(full=True)
        for name in NAMES[1:12]:
            assert made.field(name).to_pylist() == uc.commoncrawl(other).field(name).to_pylist(), name
        read = pa.array(uc.parse(column, (*fields, "host", "href", "path")))
        read.validate(full=True)
        for name in fields:
            assert read.field(name).to_pylist() == pa.array(uc.parse(other, fields)).field(name).to_pylist()
        assert read.field("registrable_domain").to_pylist() == [
            text and urlsm.domains.registrable_domain(text) for text in texts
        ]
        assert read.field("host").to_pylist() == [text and urlsm.parse(text).host for text in texts]


def test_refused_null_and_every_layout():
    texts = ["http://a b/", None, "https://WWW.Example.com:443/A?b", "x", "http://\u00e4.example.com/"]
    plain = uc.commoncrawl(pa.array(texts)).to_pylist()
    assert plain[0] == plain[1] == plain[3] == dict.fromkeys(NAMES)
    assert plain[2]["url_host_name_reversed"] == "com.example.www"
    assert (plain[2]["url_port"], plain[2]["url_path"], plain[2]["url_protocol"]) == (443, "/A", "https")
    assert plain[4]["url_host_name"] == urlsm.parse(texts[4]).host
    for kind in (pa.large_string(), pa.string_view(), pa.binary()):
        assert uc.commoncrawl(pa.array(texts, kind)).to_pylist() == plain
    octets = uc.commoncrawl(pa.array([b"http://h/\xff?\xff", b"http://\xff/"])).to_pylist()
    assert (octets[0]["url_path"], octets[0]["url_query"]) == ("/\ufffd", "\ufffd")
    assert octets[1] == dict.fromkeys(NAMES)
    assert uc.commoncrawl(pa.array(texts).dictionary_encode()).to_pylist() == plain
    chunks = uc.commoncrawl(pa.chunked_array([texts, texts[2:]]), threads=2)
    assert pa.chunked_array(chunks).to_pylist() == plain + plain[2:]
    assert uc.commoncrawl(pa.array([], pa.string())).to_pylist() == []
    assert len(pa.chunked_array(uc.commoncrawl(pa.chunked_array([], pa.string())))) == 0
    with pytest.raises(TypeError):
        uc.commoncrawl(pa.array([1]))
