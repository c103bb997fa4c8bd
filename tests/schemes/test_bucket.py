"""s3 and gs beyond the vectors: the bucket naming rules, and keys that are taken as written."""

from __future__ import annotations

import pytest
from support.checks import broken, check_build, check_equivalence

import urlsm
from urlsm.errors import SchemeError


@pytest.mark.parametrize("bucket", ["abc", "a" * 63, "1-2", "a.-b", "1.2.3", "1.2.3.4.5", "xn-a", "a--x-s4"])
def test_buckets_of_s3(bucket: str) -> None:
    assert broken(f"s3://{bucket}/k") == []


@pytest.mark.parametrize(
    ("bucket", "position"),
    [
        ("ab", 0),
        ("a" * 64, 0),
        ("-ab", 0),
        ("ab-", 2),
        ("ab.", 2),
        ("a..b", 2),
        ("aBc", 1),
        ("a_c", 1),
        ("a%62c", 1),
        ("abc?x", 3),
        ("abc#x", 3),
        ("abc\n", 3),
        ("ab\u00e9", 2),
        ("1.22.333.4", 0),
        ("sthree-a", 0),
        ("sthree-configurator", 0),
        ("amzn-s3-demo-bucket", 0),
        ("a-s3alias", 1),
        ("a--ol-s3", 1),
        ("abc.mrap", 3),
        ("abc--x-s3", 3),
        ("abc--table-s3", 3),
    ],
)
def test_no_buckets_of_s3(bucket: str, position: int) -> None:
    assert broken(f"s3://{bucket}/k") == [("bucket-name-invalid", 5 + position)]


@pytest.mark.parametrize("bucket", ["a_b", "a" * 63, "a" * 63 + "." + "b" * 63, "goo-g", "xn--a", "a.b-s3alias"])
def test_buckets_of_gs(bucket: str) -> None:
    assert broken(f"gs://{bucket}/k") == []


@pytest.mark.parametrize(
    ("bucket", "position"),
    [
        ("ab", 0),
        ("a" * 64, 0),
        ("a." + "b" * 64, 0),
        (("a" * 50 + ".") * 4 + "b" * 19, 0),  # 223
        ("_ab", 0),
        ("ab_", 2),
        ("a..b", 2),
        ("googa", 0),
        ("my-google-b", 0),
        ("g00gle-b", 0),
        ("10.0.0.1", 0),
    ],
)
def test_no_buckets_of_gs(bucket: str, position: int) -> None:
    assert broken(f"gs://{bucket}/k") == [("bucket-name-invalid", 5 + position)]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("s3://abc/k?a#b#c/../%41//@:", []),
        ("s3://abc/100%", []),
        ("s3://abc/a b[\u00e9", []),
        ("s3://abc/a#b\n?c\0", []),
        ("s3://abc/a\udcffb", [("key-not-unicode", 10)]),
        ("gs:/abc/k", [("authority-missing", 3)]),
        ("gs://", [("bucket-missing", 5)]),
        ("gs:///k", [("bucket-missing", 5)]),
        ("s3://u@abc/k", [("userinfo-not-allowed", 5), ("bucket-name-invalid", 6)]),
        ("s3://abc:80/k", [("bucket-name-invalid", 8), ("port-not-allowed", 8)]),
        ("s3://aB..c/^", [("bucket-name-invalid", 6)]),
    ],
)
def test_violations(text: str, wanted: list[tuple[str, int]]) -> None:
    assert sorted(broken(text), key=lambda found: (found[1], found[0])) == wanted


@pytest.mark.parametrize(
    ("text", "key", "generation"),
    [
        ("gs://abc/x#12", "x", 12),
        ("gs://abc/x#0012", "x", 12),
        ("gs://abc/x#1#2", "x#1", 2),
        ("gs://abc/x?y#2", "x?y", 2),
        ("gs://abc/x#" + "9" * 4300, "x", 10**4300 - 1),
        ("gs://abc/x#" + "9" * 4301, "x#" + "9" * 4301, None),
        ("gs://abc/x#", "x#", None),
        ("gs://abc/x#1a", "x#1a", None),
        ("gs://abc/#12", "#12", None),  # of no object
        ("gs://abc", "", None),
    ],
)
def test_generations(text: str, key: str, generation: int | None) -> None:
    parts = urlsm.parts(text)
    assert (parts.key, parts.generation) == (key, generation)
    assert urlsm.equivalent(urlsm.handler("gs").build(**parts), text)


def test_only_ascii_digits_are_a_generation() -> None:
    c = urlsm.split("gs://abc/x#\u0663", dialect="rfc3986")
    assert dict(urlsm.handler("gs").read_parts(c)) == {"bucket": "abc", "key": "x#\u0663", "generation": None}


def test_parts_of_a_url_are_lenient() -> None:
    assert dict(urlsm.parse("s3://My_Bucket/a[1]?b{#c").parts) == {"bucket": "My_Bucket", "key": "a[1]?b{#c"}
    assert dict(urlsm.parse("s3:///k").parts) == {"bucket": "", "key": "k"}
    with pytest.raises(SchemeError, match="authority"):
        _ = urlsm.parse("gs:abc/k").parts


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("S3://abc", "s3://abc/", True),
        ("gs://abc/x#012", "GS://abc/x#12", True),
        ("s3://abc/a%20b", "s3://abc/a b", False),
        ("s3://abc/%41", "s3://abc/A", False),
        ("s3://abc/%2f", "s3://abc/%2F", False),
        ("s3://abc/a//b", "s3://abc/a/b", False),
        ("s3://abc/a/../b", "s3://abc/b", False),
        ("s3://abc//a", "s3://abc/a", False),
        ("s3://abc/a?b", "s3://abc/a", False),
        ("s3://abc/a#b", "s3://abc/a", False),
        ("s3://Abc/a", "s3://abc/a", False),
        ("gs://abc/x#12", "gs://abc/x", False),
        ("s3://abc/a", "gs://abc/a", False),
    ],
)
def test_equivalence(a: str, b: str, same: bool) -> None:
    check_equivalence(a, b, same)


@pytest.mark.parametrize("text", ["s3://abc/%2f/../%41//?#%7e", "s3://Abc:80/x"])
def test_normal_forms_keep_keys(text: str) -> None:
    assert urlsm.normalize(text) == text


def test_a_bucket_that_is_missing_has_no_normal_form() -> None:
    assert urlsm.normalize("S3:Abc/../k") == "s3:Abc/../k"


@pytest.mark.parametrize(
    ("scheme", "given", "wanted"),
    [
        ("s3", {"bucket": "abc"}, "s3://abc/"),
        ("s3", {"bucket": "abc", "key": "/a%20b//../c?d#e"}, "s3://abc//a%20b//../c?d#e"),
        ("gs", {"bucket": "abc", "key": "x#1", "generation": 2}, "gs://abc/x#1#2"),
    ],
)
def test_build(scheme: str, given: dict[str, object], wanted: str) -> None:
    check_build(scheme, given, wanted)


@pytest.mark.parametrize(
    ("scheme", "given", "error"),
    [
        ("s3", {}, SchemeError),
        ("s3", {"bucket": "ab"}, SchemeError),
        ("s3", {"bucket": "abc", "key": "\udcff"}, SchemeError),
        ("s3", {"bucket": "u@abc", "key": "k"}, SchemeError),
        ("s3", {"bucket": "abc/def", "key": "k"}, ValueError),
        ("s3", {"bucket": "abc", "key": "k", "fragment": "f"}, ValueError),
        ("gs", {"bucket": "abc", "key": "x#1"}, ValueError),
        ("gs", {"bucket": "abc", "key": "x", "generation": -1}, ValueError),
        ("gs", {"bucket": "abc", "generation": 1}, ValueError),
        ("s3", {"bucket": "abc", "generation": 1}, TypeError),
    ],
)
def test_build_refuses(scheme: str, given: dict[str, object], error: type[Exception]) -> None:
    with pytest.raises(error):
        urlsm.handler(scheme).build(**given)


@pytest.mark.parametrize(
    ("url", "said"),
    {
        "s3://My-bucket/": "the bucket name must not contain 'M'",
        "s3://my..bucket/": "the bucket name must not have '.' here",
        "s3://ab/": "a bucket name has 3 to 63 characters",
        "s3://10.0.0.1/": "a bucket name must not look like an IPv4 address",
        "s3://xn--a/": "'xn--' is reserved at the start of a bucket name",
        "s3://a.mrap/": "'.mrap' is reserved at the end of a bucket name",
        "b2://abcde/": "a bucket name has 6 to 63 characters",
        "gs://google-a/": "a bucket name must not begin with 'goog' or contain 'google' or 'g00gle'",
    }.items(),
)  # fmt: skip
def test_a_message_names_the_rule_of_buckets(url: str, said: str) -> None:
    assert [found.message for found in urlsm.validate(url) if found.code == "bucket-name-invalid"] == [said]


def test_a_reserved_suffix_of_a_bucket_is_pointed_at() -> None:
    [found] = urlsm.validate("s3://my-bucket--ol-s3/key")
    assert (found.position, found.message[:8]) == (len("s3://my-bucket"), "'--ol-s3")
    assert urlsm.validate("s3://xn--a/")[0].position == len("s3://")
