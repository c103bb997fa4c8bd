"""The keys of stores: as written, by text, URL, build, column and shell; what a URL loses of them; and in https."""

from __future__ import annotations

import copy
import json
import pickle

import pytest
from support.checks import broken, check_equivalence, noted

import urlsm
from urlsm.cli.app import main
from urlsm.errors import SchemeError
from urlsm.meaning.registry import known
from urlsm.schemes import Parts

STORES = [name for name in known() if "key" in urlsm.handler(name).parts_type._fields]
# (reports-4: editing.json 12-25, jobs.json 0-24; earth-mover/icechunk#1463, apache/arrow#35714)
KEYS = [
    *("trip data/a.parquet", "año.csv", "日本/語.parquet", "it's (1).csv", "a=1/t=2020-01-01 00:00:00/f.parquet"),
    *("a\\b", "a\tb", "100%", "a/../b", "a b.pdf", "é.pdf", 'a"b.pdf', "a^b.pdf", "a|b.pdf", "a%20b", "%", "%zz"),
    *("..", ".", "date=2024-01-01 00:00:00/part.parquet", "a/./b//", "/a", "//", " a ", "a\r\nb\n", "a\0b", "<{}>`[]"),
    *("a?b#c/../d", "%E2%82%AC", "%2E%2e/x", "\U0001f600", "\ufeff", "e\u0301", "İ", "a+b", "a:b@c", "?", "#"),
    *("?#", "a" * 10000, ""),
]  # fmt: skip


def of(scheme: str, key: str) -> str:
    """Return the text of a key, where the example of its scheme is."""
    example = urlsm.handler(scheme).example
    return f"{scheme}://{example.split('/')[2]}/{key}"


def test_the_stores_are_nineteen():
    assert len(STORES) == 19 and [name for name in known() if urlsm.handler(name).literal] == sorted([*STORES, "hf"])


@pytest.mark.parametrize("scheme", [*STORES, "hf"])
def test_the_key_is_the_text(scheme):
    handler = urlsm.handler(scheme)
    for key in KEYS:
        text = of(scheme, key) if scheme != "hf" else f"hf://datasets/a/b@main/{key}"
        c = urlsm.split(text, dialect="rfc3986")
        assert handler.read_parts(c)[handler.literal] == key, text
        if scheme == "hf" and "//" in f"/{key}":
            continue  # an error of huggingface_hub's
        parts = urlsm.parts(text)
        assert parts[handler.literal] == key and parts.exact and "exact" not in repr(parts)
        assert urlsm.parts(text.encode()) == parts
        assert broken(text) == []
        built = handler.build(scheme=scheme, **parts)
        assert built == text or scheme == "hf" or (key == "" and built == text.rstrip("/")), built
        assert urlsm.normalize(text) == (text if key or scheme != "hf" else built)
        assert urlsm.equivalent(text, built)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("s3://abc/trip data/a", [("character-not-allowed", 13)]),
        ("s3://abc/año", [("character-not-allowed", 10)]),
        ("s3://abc/100%", [("bad-percent-escape", 12)]),
        ("s3://abc/a/../b", [("key-dot-segment", 11)]),
        ("s3://abc/..", [("key-dot-segment", 9)]),
        ("s3://abc/./a?b", [("key-dot-segment", 9)]),
        ("s3://abc/a/.%2E?b", [("key-dot-segment", 11)]),
        ("s3://abc/..a/.../a..", []),
        ("az://abc/a b/..", [("character-not-allowed", 10), ("key-dot-segment", 13)]),
        ("hf://a/b/c d/../e", [("character-not-allowed", 10), ("key-dot-segment", 13)]),
        ("s3://abc/a%20b?c#d#e", []),
    ],
)
def test_what_rfc_3986_forbids_is_a_warning(text, wanted):
    assert noted(text) == wanted and broken(text) == []


def test_a_lone_surrogate_is_in_no_key():
    for text in ("s3://abc/a\udcffb", "hf://a/b/\ud800", "abfss://abc@acc.dfs.core.windows.net/\udfff"):
        assert [code for code, _ in broken(text)] == ["key-not-unicode"]
    with pytest.raises(SchemeError):
        urlsm.parts(b"s3://abc/\xff")
    assert broken(b"s3://abc/\xc3\xb1\xff") == [("key-not-unicode", 11)]
    with pytest.raises(SchemeError):
        urlsm.handler("s3").build(bucket="abc", key="\udcff")


# --- of a URL ---


@pytest.mark.parametrize("scheme", STORES)
def test_what_the_parser_has_written_is_undone(scheme):
    for octet in [*range(0x20, 0x80), 0x80, 0xE9, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF]:
        for before in ("a", "a?b", "a#b", "a?b#c"):
            key = f"{before}{chr(octet)}z"
            url = urlsm.parse(of(scheme, key))
            parts = url.parts
            assert parts.key == key, (scheme, key)
            assert parts.exact is (url.href == of(scheme, key))
            assert urlsm.parts(url) == parts


@pytest.mark.parametrize(
    ("key", "wanted", "exact"),
    [
        ("a%20b", "a b", False),
        ("a b", "a b", False),
        ("a%01%7F%09b", "a\1\x7f\tb", False),
        ("%22%3C%3E%5E%60%7B%7D", '"<>^`{}', False),
        ("x?%22%3C%3E%5E%60%7B%7D", 'x?"<>%5E%60%7B%7D', False),  # the parser escapes fewer in a query
        ("x#%22%3C%3E%5E%60%7B%7D", 'x#"<>%5E`%7B%7D', False),
        ("x?%5E", "x?%5E", True),
        ("%25%2F%3A%3F%23%41%7C%5C%27", "%25%2F%3A%3F%23%41%7C%5C%27", True),
        ("%c3%b1", "%c3%b1", True),  # the parser writes capitals
        ("%C3%b1", "%C3%b1", True),
        ("%C3%B1%c3", "ñ%c3", False),
        ("%FF%C0%AF%E0%80%80%ED%A0%80%F4%90%80%80%C3", "%FF%C0%AF%E0%80%80%ED%A0%80%F4%90%80%80%C3", True),
        ("%2520", "%2520", True),
        ("a%2520%20", "a%2520 ", False),
        ("%E2%82%AC%F0%9F%98%80", "€\U0001f600", False),
        ("\ud800", "\ufffd", False),
        ("a\tb", "ab", True),  # which the page names
        ("a/../b", "b", True),
        ("100%", "100%", True),
    ],
)
def test_keys_of_urls(key, wanted, exact):
    url = urlsm.parse(f"s3://abc/{key}")
    assert (url.parts.key, url.parts.exact) == (wanted, exact)
    assert ("exact=False" in repr(url.parts)) is not exact
    assert urlsm.parse(url.href).parts == url.parts == urlsm.parts(url)


def test_what_is_not_exact_stays_so():
    parts = urlsm.parse("gs://abc/a b#12").parts
    assert parts.generation == 12 and not parts.exact
    for same in (copy.copy(parts), copy.deepcopy(parts), parts.__replace__(), *(
        pickle.loads(pickle.dumps(parts, protocol)) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)
    )):  # fmt: skip
        assert same == parts and not same.exact and type(same) is type(parts)
    exact = urlsm.parts("gs://abc/a b#12")
    assert exact != parts and dict(exact) == dict(parts) and exact.exact
    assert urlsm.handler("gs").build(**parts) == "gs://abc/a b#12"
    assert parts.__replace__(key="c").key == "c"


def test_parts_of_other_schemes_are_exact():
    for scheme in known():
        if not urlsm.handler(scheme).literal:
            url = urlsm.try_parse(urlsm.handler(scheme).example)
            assert url is None or url.parts.exact


def test_a_literal_field_is_a_field():
    from urlsm.schemes.stores.bucket import Bucket

    class OtherParts(Parts):
        bucket: str

    with pytest.raises(ValueError, match="literal"):
        type("Other", (Bucket,), {"parts_type": OtherParts})
    with pytest.raises(ValueError, match="special"):
        type("Other", (Bucket,), {"special": True})


# --- columns and the shell ---


@pytest.mark.parametrize("kind", ["string", "binary", "dictionary", "chunked", "large_string", "string_view"])
def test_keys_in_columns(kind):
    pa = pytest.importorskip("pyarrow", minversion="16")
    import urlsm.columns as uc

    texts = [of(scheme, key) for scheme in ("s3", "abfss", "oss") for key in KEYS]
    given = pa.array(texts)
    made = {
        "string": lambda: given,
        "binary": lambda: given.cast(pa.binary()),
        "dictionary": given.dictionary_encode,
        "chunked": lambda: pa.chunked_array([texts[:7], texts[7:]]),
        "large_string": lambda: given.cast(pa.large_string()),
        "string_view": lambda: given.cast(pa.string_view()),
    }[kind]()
    assert uc.parse(made, ("parts.key",)).field("parts.key").to_pylist() == KEYS * 3
    assert uc.parse(made[5:], ("host", "parts.key")).field("parts.key").to_pylist() == (KEYS * 3)[5:]
    stream = uc.parse_stream(pa.table({"u": made}), ("parts.key",), column="u", batch_size=4)
    assert [row["parts.key"] for batch in stream for row in batch.to_pylist()] == KEYS * 3


def test_columns_fall_back_to_the_url():
    pa = pytest.importorskip("pyarrow", minversion="16")
    import urlsm.columns as uc

    found = uc.parse(pa.array(["b c", " s3://x/a b", "S3://abc/a b", None]), ("parts.key",), base="s3://abc/a/x")
    assert found.field("parts.key").to_pylist() == ["a/b c", "a b", "a b", None]


@pytest.mark.parametrize("key", ["a%20b", "a b", "a/../b", "año", "100%", "%2520", "a?b#c"])
def test_keys_in_the_shell(key, capsys):
    text = f"s3://my-bucket/{key}"
    assert main(["parse", "--get", "{parts.key}", text]) == 0
    assert capsys.readouterr().out == f"{key}\n"
    assert main(["parse", "--parts", "--json", text]) == 0
    assert json.loads(capsys.readouterr().out)["parts"]["key"] == key
    assert main(["parse", "--parts", "--json", "--dialect", "rfc3986", text]) == 0
    assert json.loads(capsys.readouterr().out)["parts"]["key"] == key


def test_an_edited_url_has_its_own_key(capsys):
    assert main(["parse", "--set", "path=/c d", "--get", "{parts.key} {parts.exact}", "s3://abc/a b"]) == 0
    assert capsys.readouterr().out == "c d False\n"


def test_no_part_is_decoded_twice(capsys):
    assert main(["parse", "--get", "{parts.username} {parts.segments}", "ftp://a%2540b@h/x%2525"]) == 0
    assert capsys.readouterr().out == "a%40b x%25\n"


# --- Azure ---


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            "abfss://myaccount.dfs.core.windows.net/my-fs/p/a.parquet",  # duckdb/duckdb-azure#71
            ("my-fs", "myaccount", "dfs.core.windows.net", "p/a.parquet"),
        ),
        ("az://acc.blob.core.windows.net/cont", ("cont", "acc", "blob.core.windows.net", "")),
        ("abfs://ACC.DFS.core.windows.net/Cont/../k d", ("Cont", "acc", "dfs.core.windows.net", "../k d")),
        ("az://$web/k", ("$web", None, None, "k")),
        ("az://cont/acc.blob.core.windows.net/k", ("cont", None, None, "acc.blob.core.windows.net/k")),
        ("abfss://h.example/cont/k", ("h.example", None, None, "cont/k")),
        ("abfss://c@acc.dfs.core.windows.net/d/k", ("c", "acc", "dfs.core.windows.net", "d/k")),
        ("abfss://acc.z12.blob.storage.azure.net/c/k", ("c", "acc", "z12.blob.storage.azure.net", "k")),
    ],
)
def test_the_account_first(text, wanted):
    assert tuple(dict(urlsm.handler("az").read_parts(urlsm.split(text, dialect="rfc3986"))).values()) == wanted


def test_both_forms_of_azure_mean_the_same():
    check_equivalence(
        "abfss://acc.dfs.core.windows.net/cont/a b", "abfss://cont@ACC.dfs.core.windows.net/a b", same=True
    )
    check_equivalence("abfss://acc.dfs.core.windows.net/cont/a", "abfss://cont/a", same=False)
    assert urlsm.normalize("ABFSS://Acc.DFS.core.windows.net/Cont/K") == "abfss://acc.dfs.core.windows.net/Cont/K"
    built = urlsm.handler("abfss").build(**urlsm.parts("abfss://acc.dfs.core.windows.net/cont/k"))
    assert built == "abfss://cont@acc.dfs.core.windows.net/k"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("abfss://acc.dfs.core.windows.net/Cont/k", [("azure-container-invalid", 33)]),
        ("abfss://acc.dfs.core.windows.net/", [("azure-container-missing", 33)]),
        ("abfss://acc.dfs.core.windows.net", [("azure-container-missing", 32)]),
        ("abfss://a_c.dfs.core.windows.net/cont", [("azure-account-invalid", 9)]),
        ("abfss://cont@a_c.dfs.core.windows.net", [("azure-account-invalid", 14)]),
        ("abfss://@acc.dfs.core.windows.net/k", [("azure-container-missing", 8)]),
        ("az://acc.blob.core.windows.net/cont/k", []),
    ],
)
def test_violations_of_the_account_first(text, wanted):
    assert broken(text) == wanted


# --- https ---

WEB = [
    ("s3", "https://my-bucket.s3.amazonaws.com/a%20b/%C3%B1", "s3://my-bucket/a b/ñ"),
    ("s3", "https://my-bucket.s3.us-east-1.amazonaws.com/k?X-Amz-Signature=1&versionId=2#f", "s3://my-bucket/k"),
    ("s3", "http://my-bucket.s3-eu-west-1.amazonaws.com/", "s3://my-bucket/"),
    ("s3", "https://my.bucket.s3.dualstack.ap-southeast-2.amazonaws.com/k", "s3://my.bucket/k"),
    ("s3", "https://b-1.s3-accelerate.amazonaws.com/k", "s3://b-1/k"),
    ("s3", "https://b-1.s3-fips.dualstack.us-gov-west-1.amazonaws.com/k", "s3://b-1/k"),
    ("s3", "https://s3.amazonaws.com/my.bucket/a+b%2Bc%252F", "s3://my.bucket/a b+c%2F"),
    ("s3", "HTTPS://S3.us-west-2.AMAZONAWS.com:443/bkt/k//l", "s3://bkt/k//l"),
    ("s3", "https://s3.cn-north-1.amazonaws.com.cn/bkt/k", "s3://bkt/k"),
    ("s3", "https://amzn-s3-demo-bucket.s3.us-west-2.amazonaws.com/p.jpg", "s3://amzn-s3-demo-bucket/p.jpg"),
    ("s3", "https://b--use1-az4--x-s3.s3express-use1-az4.us-east-1.amazonaws.com/k", "s3://b--use1-az4--x-s3/k"),
    ("gs", "https://storage.googleapis.com/bkt/a%20b+c", "gs://bkt/a b+c"),
    ("gs", "https://bkt.storage.googleapis.com/k?generation=12&x=y", "gs://bkt/k#12"),
    ("gs", "https://my.bucket.storage.googleapis.com/k%23a", "gs://my.bucket/k#a"),
    ("gs", "https://storage.cloud.google.com/bkt/k", "gs://bkt/k"),
    ("gs", "https://commondatastorage.googleapis.com/bkt/k", "gs://bkt/k"),
    ("gs", "https://storage.googleapis.com/storage/v1/b/bkt/o/a%2Fb%20c?alt=media", "gs://bkt/a/b c"),
    ("gs", "https://www.googleapis.com/download/storage/v1/b/bkt/o/k?generation=3&alt=media", "gs://bkt/k#3"),
    ("gs", "https://firebasestorage.googleapis.com/v0/b/app.appspot.com/o/i%2Fa.png?token=x", "gs://app.appspot.com/i/a.png"),
    ("abfss", "https://acc.blob.core.windows.net/cont/a%20b?sv=1&sig=x", "abfss://cont@acc.blob.core.windows.net/a b"),
    ("az", "https://acc.dfs.core.windows.net/cont", "az://cont@acc.dfs.core.windows.net/"),
    ("az", "https://acc.blob.core.windows.net/index.html", "az://$root@acc.blob.core.windows.net/index.html"),
    ("abfss", "https://ACC.blob.core.chinacloudapi.cn/cont/k", "abfss://cont@acc.blob.core.chinacloudapi.cn/k"),
]  # fmt: skip


@pytest.mark.parametrize(("scheme", "web", "wanted"), WEB)
def test_from_https(scheme, web, wanted):
    handler = urlsm.handler(scheme)
    assert handler.from_web_url(web) == wanted == handler.from_web_url(urlsm.parse(web))
    parts = handler.read_parts(urlsm.split(wanted, dialect="rfc3986"))
    back = handler.web_url(parts)
    assert handler.from_web_url(back) == wanted


@pytest.mark.parametrize("scheme", ["s3", "gs", "abfss"])
def test_https_and_back(scheme):
    handler = urlsm.handler(scheme)
    for key in KEYS:
        parts = handler.read_parts(urlsm.split(of(scheme, key), dialect="rfc3986"))
        web = handler.web_url(parts)
        if web is None:
            assert any(
                segment in ("..", ".", "%2E%2e") for segment in key.replace("?", "/").replace("#", "/").split("/")
            )
            continue
        assert urlsm.validate(web) == [] and urlsm.parse(web).href == web
        assert handler.from_web_url(web) == of(scheme, key)


@pytest.mark.parametrize(
    ("parts", "web"),
    [
        ("s3://my-bucket/a b+c/ñ?#%", "https://my-bucket.s3.amazonaws.com/a%20b%2Bc/%C3%B1%3F%23%25"),
        ("s3://my.bucket/k", "https://s3.amazonaws.com/my.bucket/k"),
        ("s3://My_Bucket/k", "https://s3.amazonaws.com/My_Bucket/k"),
        ("s3://my-bucket/a/../b", None),
        ("s3://../k", None),
        ("s3://a?b/k", None),
        ("gs://storage/v1/b/c/o/d", None),  # the API of JSON
        ("gs://bkt/storage/v1/b/c/o/d", "https://storage.googleapis.com/bkt/storage/v1/b/c/o/d"),
        ("az://a%2Fb@acc.blob.core.windows.net/k", None),
        ("az://cont@acc.blob?x/k", None),
        ("gs://bkt/a b#12", "https://storage.googleapis.com/bkt/a%20b?generation=12"),
        ("oss://my-bucket/a", None),
    ],
)
def test_to_https(parts, web):
    handler = urlsm.handler(parts.partition(":")[0])
    assert handler.web_url(handler.read_parts(urlsm.split(parts, dialect="rfc3986"))) == web


@pytest.mark.parametrize(
    ("scheme", "web"),
    [
        ("s3", "https://example.org/a"),
        ("s3", "https://s3.amazonaws.com/"),
        ("s3", "https://s3.amazonaws.com.evil.example/b/k"),
        ("s3", "https://evil-s3.amazonaws.com/b/k"),
        ("s3", "https://bkt.s3-website-us-east-1.amazonaws.com/k"),
        ("s3", "https://p-123.s3-accesspoint.us-west-2.amazonaws.com/k"),
        ("s3", "https://bkt.s3.amazonaws.com:8443/k"),
        ("s3", "https://bkt.s3.amazonaws.com/%FF"),
        ("s3", "https://s3.amazonaws.com/a%2Fb/c"),  # no bucket has a "/" in its name, or what ends a host
        ("s3", "https://s3.amazonaws.com/a%3Fb/c"),
        ("s3", "https://s3.amazonaws.com/u@b/c"),
        ("s3", "https://s3.amazonaws.com/a+b/c"),
        ("gs", "https://storage.googleapis.com/b%2Fx/k"),
        ("gs", "https://storage.googleapis.com/storage/v1/b/b%2Fx/o/k"),
        ("gs", "https://storage.googleapis.com/storage/v1/b/bkt/o/%FF"),
        ("gs", "https://storage.googleapis.com/storage/v1/b/bkt/o?prefix=a"),  # a list of objects
        ("gs", "https://storage.googleapis.com/upload/storage/v1/b/bkt/o?name=x"),
        ("abfss", "https://acc.blob.core.windows.net/a%2Fb/c"),
        ("abfss", "https://acc.blob.core.windows.net/a%2Fb"),
        ("abfss", "https://acc.blob.core.windows.net/x@y/k"),
        ("s3", "ftp://bkt.s3.amazonaws.com/k"),
        ("s3", "s3://bkt/k"),
        ("s3", "not a URL"),
        ("gs", "https://bkt.storage.example/k"),
        ("gs", "https://storage.googleapis.com/bkt/k%231"),  # as a gs: URL, its generation 1
        ("gs", "https://bkt.s3.amazonaws.com/k"),
        ("abfss", "https://acc.web.core.windows.net/k"),
        ("abfss", "https://core.windows.net/k"),
        ("abfss", "https://acc.dfs.core.windows.net/"),
        ("oss", "https://bkt.oss-cn-hangzhou.aliyuncs.com/k"),
        ("adl", "https://acc.azuredatalakestore.net/k"),
    ],
)
def test_no_https_of_a_store(scheme, web):
    with pytest.raises(ValueError):
        urlsm.handler(scheme).from_web_url(web)
