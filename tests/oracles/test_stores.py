"""huggingface_hub, s3fs, cloudpathlib, adlfs and pyarrow, where installed, beside the handlers of stores."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from support.seeds import seeded

import urlsm
from oracles.rows import Rows, judged
from oracles.test_libraries import codes, parts
from urlsm.components.parts import decode

Seen = tuple[Any, ...] | None
KEYS = (
    *("", "/", "/k", "/a/b.parquet", "/a%20b", "/a b", "/a//b", "/../x", "/%2F", "/a?b", "/a#b", "/ä", "/a%zz"),
    *("/100%", "/a/./b/..", "/a\tb", "/a\r\nb\n", "/ a ", "/a^b|c", "/日本/\U0001f600", "/a?b#c"),
    *("/a\\b", "/'(1)'", "/{}<>`\"", "/\0"),
)  # fmt: skip


def one_of(rng: random.Random, *words: str) -> str:
    return rng.choice(words)


def any_key(rng: random.Random) -> str:
    return rng.choice(KEYS[1:]) + one_of(rng, *KEYS, "?versionId=3")


# --- huggingface_hub ---


def repository(rng: random.Random) -> str:
    kind = one_of(rng, "", "", "models/", "datasets/", "spaces/", "kernels/", "buckets/", "dataset/", "Datasets/")
    owner = one_of(rng, *3 * ("a", "my-org", "A.b_c"), "-a", "a b", "a--b", "")
    name = one_of(rng, *3 * ("/m", "/my.data", "/D_1"), "/m.git", "/-m", "/m--n", "", "/")
    revision = one_of(rng, "", "", "@main", "@refs/pr/3", "@refs%2Fpr%2F3", "@refs/convert/parquet", "@v1.0", "@",
                      "@a%20b", "@refs/x", "@a@b")  # fmt: skip
    return f"hf://{kind}{owner}{name}{revision}" + one_of(
        rng, "", "/", "/a/b.csv", "/a//b", "/../x", "/a%20b", "/a@b", "/?x=1#y", "/refs/pr/1", "//a", *KEYS
    )


def ours_of_repository(text: str) -> Seen:
    found = parts(text)
    return None if found is None else (found.type, found.id, found.revision, found.path)


def huggingface(text: str) -> Seen:
    from huggingface_hub.utils import parse_hf_uri

    try:
        found = parse_hf_uri(text)
    except ValueError:
        return None
    return (found.type, found.id, found.revision, found.path_in_repo)


REPOSITORY_ROWS: Rows = {
    "slashes at both ends": (
        "huggingface_hub strips them; our handler refuses an empty owner or segment, and gives a path as written",
        lambda text, ours, theirs: ("//" in text[4:] and codes(text) <= {"hf-id-missing", "hf-segment-empty"})
        if ours is None else (theirs and ours[:3] == theirs[:3] and ours[3].rstrip("/") == theirs[3]),
    ),
    "characters of a bucket": (
        "huggingface_hub leaves a bucket's name to the server; one with a blank or a bare % is not in a URI (RFC 3986)",
        lambda text, ours, theirs: ours is None and theirs[0] == "bucket"
        and codes(text) <= {"character-not-allowed", "bad-percent-escape"},
    ),
}  # fmt: skip


def test_huggingface_hub_sees_the_same_repository(cases):
    pytest.importorskip("huggingface_hub.utils._hf_uris", reason="huggingface_hub is not installed")
    rng = seeded("huggingface_hub")
    texts = [repository(rng) for _ in range(cases)]
    seen = judged([(text, ours_of_repository(text), huggingface(text)) for text in texts], REPOSITORY_ROWS)
    assert seen["agree"] > 0.5 * cases, seen


# --- s3fs, cloudpathlib ---


def ours_of_key(text: str) -> Seen:
    found = parts(text)
    return None if found is None else (found.bucket if "bucket" in found.keys() else found.container, found.key)  # noqa: SIM118


S3FS_ROWS: Rows = {
    "versions": (
        "s3fs ends a key at ?versionId=, of which no other tool knows",
        lambda text, ours, theirs: ours and "?versionId=" in text and ours[1].partition("?versionId=")[0] == theirs[1],
    ),
    "nothing but slashes": (
        "s3fs strips the slashes at the end before it looks for a key",
        lambda text, ours, theirs: ours and ours[1].strip("/") == theirs[1] == "",
    ),
}


def test_s3fs_sees_the_same_key(cases):
    s3fs = pytest.importorskip("s3fs", reason="s3fs is not installed")
    rng = seeded("s3fs")
    split_path = s3fs.S3FileSystem(anon=True, skip_instance_cache=True).split_path
    texts = [f"{one_of(rng, 's3', 's3a')}://bucket{any_key(rng)}" for _ in range(cases)]
    seen = judged([(text, ours_of_key(text), split_path(text)[:2]) for text in texts], S3FS_ROWS)
    assert seen["agree"] > 0.8 * cases, seen


def test_cloudpathlib_sees_the_same_key(cases):
    local = pytest.importorskip("cloudpathlib.local", reason="cloudpathlib is not installed")
    rng = seeded("cloudpathlib")
    kinds = {
        "s3": (local.LocalS3Path, "bucket", "key"),
        "gs": (local.LocalGSPath, "bucket", "blob"),
        "az": (local.LocalAzureBlobPath, "container", "blob"),
    }

    def theirs(text: str) -> Seen:
        kind, bucket, key = kinds[text[:2]]
        found = kind(text)
        return getattr(found, bucket), getattr(found, key)

    texts = [f"{rng.choice(list(kinds))}://bucket{any_key(rng)}" for _ in range(cases)]
    seen = judged([(text, ours_of_key(text), theirs(text)) for text in texts], {})
    assert seen["agree"] == cases


# --- adlfs ---


def container(rng: random.Random) -> str:
    name = one_of(rng, *3 * ("data", "my-data", "a1b", "$web"), "Data", "d", "a_b")
    account = one_of(rng, "", "", "@acc", "@acc1", "@acc", "@Acc", "@a-b")
    endpoint = one_of(rng, "dfs.core.windows.net", "dfs.core.windows.net", "blob.core.windows.net",
                      "DFS.core.windows.net", "dfs.core.chinacloudapi.cn", "")  # fmt: skip
    host = account + (f".{endpoint}" if account and endpoint else "")
    if host.count(".") > 2 and rng.random() < 0.3:  # the form of DuckDB
        return one_of(rng, "abfss", "az") + f"://{host[1:]}/{name}" + rng.choice(KEYS)
    return one_of(rng, "abfss", "abfs", "az") + f"://{name}{host}" + rng.choice(KEYS)


def ours_of_container(text: str) -> Seen:
    found = parts(text)
    return None if found is None else (found.container, found.account, found.key)


def adlfs(text: str) -> Seen:
    from adlfs import AzureBlobFileSystem

    account = AzureBlobFileSystem._get_kwargs_from_urls(text).get("account_name")
    name, _, key = AzureBlobFileSystem._strip_protocol(text).partition("/")
    return (name, account, key)


_NAMES = {"azure-container-invalid", "azure-account-invalid", "character-not-allowed", "bad-percent-escape"}


def refused(text: str, ours: Any, theirs: Any) -> bool:
    return ours is None and bool(codes(text)) and codes(text) <= _NAMES


ADLFS_ROWS: Rows = {
    "tabs and line breaks": (
        "adlfs takes the text apart with urllib, which drops them",
        lambda text, ours, theirs: ours and ours[2] != theirs[2] == re.sub("[\t\r\n]", "", ours[2]),
    ),
    "both query and fragment": (
        "adlfs writes the query behind the fragment",
        lambda text, ours, theirs: ours and re.search(r"\?.*#", text) and sorted(ours[2]) == sorted(theirs[2]),
    ),
    "the account first": (
        "adlfs knows that form at the endpoint dfs.core.windows.net only",
        lambda text, ours, theirs: ours and "@" not in text and theirs[0].lower().startswith(f"{ours[1]}."),
    ),
    "names": ("adlfs leaves the rules of names to the server, and URIs may have blanks", refused),
    "the host of an account": (
        "adlfs finds an account only before an endpoint of Azure's public cloud in lower case, and keeps its capitals",
        lambda text, ours, theirs: ours and (ours[0], ours[2]) == (theirs[0], theirs[2])
        and (theirs[1] or ours[1]).lower() == ours[1],
    ),
}  # fmt: skip


def test_adlfs_sees_the_same_container(cases):
    pytest.importorskip("adlfs", reason="adlfs is not installed")
    rng = seeded("adlfs")
    texts = [container(rng) for _ in range(cases)]
    seen = judged([(text, ours_of_container(text), adlfs(text)) for text in texts], ADLFS_ROWS)
    assert seen["agree"] > 0.3 * cases, seen


# --- pyarrow ---


def object_of(rng: random.Random) -> str:
    key = rng.choice(KEYS) + one_of(rng, "", "", "/b", "?c=d", "#e")
    bucket = one_of(rng, "bucket", "my-bucket", "b1.example", "B", "a_b", "")
    if rng.random() < 0.5:
        return one_of(rng, "gs://", "gcs://") + one_of(rng, "", "", "anonymous@") + bucket + key
    account = one_of(rng, "acc", "acc1", "Acc") + one_of(rng, *2 * (".dfs.core.windows.net",), ".blob.core.windows.net")
    return one_of(rng, "abfss://", "abfs://") + one_of(rng, "data", "my-data", "Data", "d") + f"@{account}{key}"


def ours_of_object(text: str) -> Seen:
    found = parts(text)
    if found is None:
        return None
    return (found.container if text.startswith("abfs") else found.bucket, found.key)


def pyarrow(text: str) -> Seen:
    from pyarrow.fs import FileSystem

    try:
        bucket, _, key = FileSystem.from_uri(text)[1].partition("/")
    except (OSError, ValueError):
        return None
    return bucket, key


def ended(key: str) -> str:
    """A key like in pyarrow: decoded, up to the query, without slashes around it."""
    return decode(re.split("[?#]", key)[0]).strip("/")


PYARROW_ROWS: Rows = {
    "names": (
        "pyarrow leaves the rules of names to the server",
        lambda text, ours, theirs: ours is None and bool(codes(text)) and codes(text) <= {
            *_NAMES, "bucket-missing", "bucket-name-invalid", "userinfo-not-allowed",
        },
    ),
    "options": (
        "pyarrow takes a query for its own options, and refuses others; the tools have it as a part of the key",
        lambda text, ours, theirs: ours and "?" in ours[1] and theirs is None,
    ),
    "fragments": (
        'a text with two "#" is not a URI (RFC 3986); the tools have them as a part of the key',
        lambda text, ours, theirs: ours and ours[1].count("#") == 2 and theirs is None,
    ),
    "no URI": (
        "pyarrow refuses what RFC 3986 forbids; the tools take it as it is",
        lambda text, ours, theirs: ours and theirs is None and any(
            violation.code in _NAMES for violation in urlsm.validate(text)
        ),
    ),
    "endpoint of blobs": (
        "there pyarrow takes the container from the path; the ABFS driver reads every endpoint the same way",
        lambda text, ours, theirs: ours and theirs and ".blob." in text and theirs[0] != ours[0],
    ),
    "keys": (
        "the tools of the stores take a key as it is written; pyarrow decodes it, and ends it at a query or a fragment",
        lambda text, ours, theirs: ours and theirs and ours[0] == theirs[0] and ended(ours[1]) == theirs[1].strip("/"),
    ),
}  # fmt: skip


@pytest.mark.once
def test_pyarrow_sees_the_same_object(cases):
    pytest.importorskip("pyarrow.fs", reason="pyarrow is not installed")
    rng = seeded("pyarrow")
    texts = [object_of(rng) for _ in range(cases)]
    seen = judged([(text, ours_of_object(text), pyarrow(text)) for text in texts], PYARROW_ROWS)
    assert seen["agree"] > 0.2 * cases, seen
