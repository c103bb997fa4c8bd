"""s3 (Amazon S3), gs (Cloud Storage) and similar stores: a bucket, and the key of an object in it, as written."""

from __future__ import annotations

import re
from collections.abc import Iterator

from urlsm.components.parts import Parts, lower
from urlsm.components.value import Components, split
from urlsm.errors.rules import Violation
from urlsm.schemes.fields import read_number
from urlsm.schemes.generic import after_scheme
from urlsm.schemes.stores.store import PLACE, Store, escaped, unescaped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

    from typing_extensions import TypeVar

    from urlsm.url.value import URL

__all__ = ["S3", "Bucket", "BucketParts", "Gs", "GsParts", "bucket"]

_REGION = "[a-z]{2,4}(?:-[a-z]+)+-[0-9]"
_S3 = re.compile(
    rf"(?:(.+)\.)?s3(?:-(?:accelerate|fips|external-1|{_REGION})|express-[a-z0-9]+-az[0-9]+)?(?:\.dualstack)?"
    rf"(?:\.{_REGION})?\.amazonaws\.(?:com(?:\.cn)?|eu)\.?"
)
_GS = re.compile(
    r"(?:(.+)\.)?(?:storage(?:-download|\.mtls|\.[a-z]+-[a-z]+[0-9]+\.rep)?|commondatastorage)\.googleapis\.com\.?"
    r"|storage\.cloud\.google\.com"
)
_GS_JSON = re.compile("(?:/(?:download|upload))?(?:/storage/v1|/v0)/b/([^/]+)/o/([^/]+)")
_GS_API = re.compile("/(?:(?:download|upload|batch|resumable)/)?(?:storage/v1|v0)(?:/|\\Z)")
_GS_JSON_HOSTS = ("storage.googleapis.com", "www.googleapis.com", "firebasestorage.googleapis.com")
_ADDRESS = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,3}){3}")


class BucketParts(Parts):
    """An object in a bucket.

    Attributes:
        bucket: the bucket, as written
        key: the key of the object, as written; "" for the bucket itself

    Example:
        >>> import urlsm
        >>> urlsm.parts("s3://my-bucket/trip data/100%.csv", "s3").key
        'trip data/100%.csv'
    """

    bucket: str
    key: str = ""


class GsParts(BucketParts):
    """An object in Google Cloud Storage.

    Attributes:
        generation: the generation number (version) of the object; None if absent

    Example:
        >>> import urlsm
        >>> urlsm.parts("gs://my-bucket/a.txt#1360887759327000", "gs").generation
        1360887759327000
    """

    generation: int | None = None


if TYPE_CHECKING:
    B = TypeVar("B", bound=Parts, default=BucketParts, covariant=True)
else:
    B = BucketParts


class Bucket(Store[B]):
    """A base class for stores. A URL contains a bucket and an object key. The key is used as written.

    To define the rules for names, set `wrong_in_bucket` and override `is_forbidden_name`.

    Example:
        >>> from urlsm.schemes import Bucket
        >>> class Silo(Bucket):
        ...     names = ("silo",)
        >>> Silo().parts("silo://my-bucket/a//b/../c?d#e").key
        'a//b/../c?d#e'
    """

    host = "required"
    host_kind = "bucket"
    userinfo = "forbidden"
    port = "forbidden"

    # matches a character that the name of a bucket must not have, or must not have at its position
    wrong_in_bucket: ClassVar[re.Pattern[str]] = re.compile("[^A-Za-z0-9._~-]")
    rules: ClassVar[dict[str, str]] = {
        "bucket-missing": "the bucket is missing",
        "bucket-name-invalid": "the bucket name is not valid",
    }

    def is_forbidden_name(self, bucket: str) -> bool:
        """Return whether a bucket name is forbidden even though each of its characters is allowed.

        Args:
            bucket: the bucket name.
        """
        return False

    def read_parts(self, components: Components) -> B:
        return BucketParts(*self.place(components))  # type: ignore[return-value]

    def place(self, components: Components) -> tuple[str, str]:
        """Return the bucket and the key, as written.

        Args:
            components: the URL.

        Raises:
            SchemeError: the URL has no authority.
        """
        if components.host is None:
            raise self.refusal(components, "authority-missing", "authority", after_scheme(components))
        bucket, _, key = components.rest[2:].partition("/")
        return bucket, key

    def violations(self, components: Components) -> Iterator[Violation]:
        yield from self.scheme_violations(components)
        yield from self.authority_violations(components)
        if components.host is not None:
            yield from self.key_violations(components, len(components.text) - len(self.place(components)[1]))

    def host_violations(self, components: Components) -> Iterator[Violation]:
        bucket, start = self.place(components)[0], after_scheme(components) + len("//")
        if not bucket:
            yield self.violation("bucket-missing", "host", start)
            return
        wrong = self.wrong_in_bucket.search(bucket)
        if wrong is not None:
            char = bucket[wrong.start()]
            allowed = self.wrong_in_bucket.search(f"a{char}a") is None
            said = (
                f"the bucket name must not have {char!r} here"
                if allowed
                else f"the bucket name must not contain {char!r}"
            )
            yield self.violation("bucket-name-invalid", "host", start + wrong.start(), message=said)
        if self.is_forbidden_name(bucket):
            at, reason = self._reason(bucket) or (0, None)
            yield self.violation("bucket-name-invalid", "host", start + at, message=reason)

    def _reason(self, bucket: str) -> tuple[int, str] | None:
        """Return the position at which is_forbidden_name forbids a name, and why; None if it does not, or if the reason
        is unknown."""
        return None

    def normalize(self, components: Components) -> Components:
        """Lowercase only the scheme, because "a%20b" and "a b", or "a//b" and "a/b", are different keys."""
        if components.host is None:
            return components if components.scheme is None else components.replace(scheme=lower(components.scheme))
        return split(
            f"{lower(components.scheme or '')}:{self.write_parts(self.read_parts(components))}",
            dialect=components.dialect,
        )

    def equivalent(self, a: Components, b: Components) -> bool:
        return self.normalize(a).rest == self.normalize(b).rest

    def write_parts(self, parts: Any) -> str:
        return f"//{parts.bucket or ''}/{parts.key or ''}"


Bucket.__module__ = "urlsm.schemes"


class S3(Bucket):
    names: ClassVar[tuple[str, ...]] = ("s3", "s3a", "s3n")
    title = "Amazon S3 object"
    reference = "AWS CLI, S3Uri; S3, general purpose bucket naming rules"
    example = "s3://my-bucket/path/to/key.txt"
    wrong_in_bucket: ClassVar[re.Pattern[str]] = re.compile(r"[^a-z0-9.-]|\A[.-]|(?<=\.)\.|[.-]\Z")

    def is_forbidden_name(self, bucket: str) -> bool:
        return self._reason(bucket) is not None

    def _reason(self, bucket: str) -> tuple[int, str] | None:
        if not 3 <= len(bucket) <= 63:
            return 0, "a bucket name has 3 to 63 characters"
        if _ADDRESS.fullmatch(bucket):
            return 0, "a bucket name must not look like an IPv4 address"
        for start in ("xn--", "sthree-", "amzn-s3-demo-"):
            if bucket.startswith(start):
                return 0, f"{start!r} is reserved at the start of a bucket name"
        for end in ("-s3alias", "--ol-s3", ".mrap", "--x-s3", "--table-s3"):
            if bucket.endswith(end):
                return len(bucket) - len(end), f"{end!r} is reserved at the end of a bucket name"
        return None

    def web_url(self, parts: Any) -> str | None:
        """Return the URL of the object at the endpoint without a region. This endpoint redirects requests. The bucket
        is in the host, with two exceptions. It is in the path if its name contains a dot, which the certificate for
        *.s3 does not cover. It is also in the path if its name breaks the naming rules: for example with a capital
        letter, which hosts cannot contain."""
        path = escaped(parts.key, parts.bucket)
        if path is None:
            return None
        if "." in parts.bucket or self.wrong_in_bucket.search(parts.bucket):
            return f"https://s3.amazonaws.com/{path}"
        return f"https://{parts.bucket}.s3.amazonaws.com/{escaped(parts.key)}"

    def of_web(self, url: URL) -> BucketParts | None:
        """Return the parts of bucket.s3.region.amazonaws.com/key or s3.region.amazonaws.com/bucket/key."""
        found = _S3.fullmatch(url.host or "")
        return None if found is None else _in_bucket(found[1], url.path[1:], plus=True)


# for each scheme: title, reference, the shortest and the longest name, and what a name may hold besides lower-case
# letters, digits and "-"
_OTHERS: dict[str, tuple[str, str, int, int, str]] = {
    "oss": ("Alibaba Cloud object", "Alibaba Cloud OSS, bucket naming", 3, 63, ""),
    "cos": ("Tencent Cloud object", "Tencent COS, bucket naming", 3, 60, ""),
    "cosn": ("Tencent Cloud object in Hadoop", "hadoop-cos", 3, 60, ""),
    "obs": ("Huawei Cloud object", "Huawei OBS, bucket naming", 3, 63, "."),
    "tos": ("Volcano Engine object", "Volcano Engine TOS, bucket naming", 3, 63, ""),
    "r2": ("Cloudflare object", "Cloudflare R2, bucket naming", 3, 63, ""),
    "b2": ("Backblaze object", "Backblaze B2, bucket naming", 6, 63, "A-Z"),
    "minio": ("MinIO object", "MinIO, bucket naming", 3, 63, "."),
}
ABOUT = {  # for urlsm.about
    "names of buckets": {
        "tables": "_OTHERS",
        "source": "the page that each row names",
        "date": "2026-11-26",
        "used_by": "handler of oss, cos, r2 and others",
    },
}


class _Other(Bucket):
    least: ClassVar[int]
    most: ClassVar[int]

    def is_forbidden_name(self, bucket: str) -> bool:
        return self._reason(bucket) is not None

    def _reason(self, bucket: str) -> tuple[int, str] | None:
        if self.least <= len(bucket) <= self.most:
            return None
        return 0, f"a bucket name has {self.least} to {self.most} characters"


def bucket(name: str) -> Bucket:
    """Return the handler for a scheme in _OTHERS."""
    title, reference, least, most, more = _OTHERS[name]
    wrong = re.compile(rf"[^a-z0-9-{more}]|\A[.-]|[.-]\Z")
    traits = {
        "names": (name,),
        "title": title,
        "reference": reference,
        "example": f"{name}://my-bucket/path/to/key.txt",
    }
    found: Bucket = type("Store", (_Other,), {**traits, "least": least, "most": most, "wrong_in_bucket": wrong})()
    return found


class Gs(Bucket[GsParts]):
    names: ClassVar[tuple[str, ...]] = ("gs", "gcs")
    title = "Cloud Storage object"
    reference = "Cloud Storage, gs:// URIs; bucket name requirements"
    example = "gs://my-bucket/path/object.txt#1360887759327000"
    wrong_in_bucket: ClassVar[re.Pattern[str]] = re.compile(r"[^a-z0-9._-]|\A[._-]|(?<=\.)\.|[._-]\Z")

    def is_forbidden_name(self, bucket: str) -> bool:
        return self._reason(bucket) is not None

    def _reason(self, bucket: str) -> tuple[int, str] | None:
        most = 222 if "." in bucket else 63
        if not 3 <= len(bucket) <= most:
            return 0, f"a bucket name {'with dots ' if '.' in bucket else ''}has 3 to {most} characters"
        if any(len(label) > 63 for label in bucket.split(".")):
            return 0, "a label of a bucket name has at most 63 characters"
        if _ADDRESS.fullmatch(bucket):
            return 0, "a bucket name must not look like an IPv4 address"
        if bucket.startswith("goog") or "google" in bucket or "g00gle" in bucket:
            return 0, "a bucket name must not begin with 'goog' or contain 'google' or 'g00gle'"
        return None

    def read_parts(self, components: Components) -> GsParts:
        bucket, key = self.place(components)
        name, _, digits = key.rpartition("#")
        generation = read_number(digits) if name else None
        return GsParts(bucket, key) if generation is None else GsParts(bucket, name, generation)

    def web_url(self, parts: Any) -> str | None:
        path = escaped(parts.key, parts.bucket)
        if path is None or _GS_API.match(f"/{path}"):
            return None
        version = "" if parts.generation is None else f"?generation={parts.generation}"
        return f"https://storage.googleapis.com/{path}{version}"

    def of_web(self, url: URL) -> GsParts | None:
        """Return the parts of storage.googleapis.com/bucket/key, bucket.storage.googleapis.com/key, or
        .../b/bucket/o/key in the JSON API."""
        json = _GS_JSON.fullmatch(url.path) if url.host in _GS_JSON_HOSTS else None
        found = _GS.fullmatch(url.host or "")
        if json is not None:
            made = _in_bucket(unescaped(json[1]), json[2])
        elif found is None or (found[1] is None and _GS_API.match(url.path)):  # the URL requests a list, or a change
            made = None
        else:
            made = _in_bucket(found[1], url.path[1:])
        version = re.search("(?:^|&)generation=([0-9]+)(?:&|$)", url.query or "")
        return None if made is None else GsParts(made.bucket, made.key, read_number(version[1]) if version else None)

    def write_parts(self, parts: Any) -> str:
        return super().write_parts(parts) + ("" if parts.generation is None else f"#{parts.generation}")


def _in_bucket(bucket: str | None, path: str, *, plus: bool = False) -> BucketParts | None:
    """Return the parts for a path that is still escaped. bucket: the bucket in the host; None if the first segment of
    the path is the bucket. Return None if a bucket cannot have this name."""
    if bucket is None:
        first, _, path = path.partition("/")
        bucket = unescaped(first, plus=plus)
    return BucketParts(bucket, unescaped(path, plus=plus)) if PLACE.fullmatch(bucket) else None
