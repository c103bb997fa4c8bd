"""ni and nih (RFC 6920): content named by its hash."""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator

from urlsm.components.parts import Parts, lower
from urlsm.components.value import Components
from urlsm.errors.rules import Violation
from urlsm.schemes.characters import PCHAR
from urlsm.schemes.contract import P
from urlsm.schemes.fields import Parameters, QueryParams
from urlsm.schemes.generic import Scheme

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

__all__ = ["Ni", "NiParts", "Nih", "NihParts"]

# section 9.4: SHA-256 and its truncations, by number and by name; their lengths in octets
_SUITES = {
    "1": "sha-256",
    "2": "sha-256-128",
    "3": "sha-256-120",
    "4": "sha-256-96",
    "5": "sha-256-64",
    "6": "sha-256-32",
}
_LENGTHS = {"sha-256": 32, "sha-256-128": 16, "sha-256-120": 15, "sha-256-96": 12, "sha-256-64": 8, "sha-256-32": 4}
ABOUT = {  # for urlsm.about
    "named hashes": {
        "tables": "_SUITES",
        "source": "IANA, Named Information Hash Algorithm Registry",
        "url": "https://www.iana.org/assignments/named-information/",
        "date": "2026-11-23",
        "licence": "CC0-1.0",
        "used_by": "handler of ni and nih",
    },
}
_BASE64 = re.compile("[A-Za-z0-9_-]*")
_HEX = re.compile("[0-9A-Fa-f-]+")


class NiParts(Parts):
    """Content named by its hash (RFC 6920).

    Attributes:
        authority: the host and port of a server that has the content; None if absent
        algorithm: the hash function, such as "sha-256"
        digest: the hash value; None if it is not valid base64url
        query_params: the parameters as (name, value) pairs, decoded and in order; a value is None if there is no "=";
            "ct" is the media type

    Example:
        >>> import urlsm
        >>> urlsm.parts("ni:///sha-256-32;f4OxZQ", "ni").algorithm
        'sha-256-32'
    """

    authority: str | None = None
    algorithm: str = ""
    digest: bytes | None = None
    query_params: QueryParams = ()


class NihParts(Parts):
    """Content named by its hash, in a human-readable form (RFC 6920).

    Attributes:
        algorithm: the name of the hash function, even if the URL contains its number
        digest: the hash value; None if it is not hexadecimal
        check_digit: the check digit as written; None if absent

    Example:
        >>> import urlsm
        >>> urlsm.parts("nih:sha-256-32;53269057;b", "nih").algorithm
        'sha-256-32'
    """

    algorithm: str = ""
    digest: bytes | None = None
    check_digit: str | None = None


class _Hash(Scheme[P]):
    hierarchical = False
    fragment = "ignored"
    equal_by_parts = True
    rules: ClassVar[dict[str, str]] = {
        "digest-missing": "the algorithm or the hash is missing",
        "digest-invalid": "the hash is malformed",
        "digest-length": "the length of the hash does not match its algorithm",
        "digest-algorithm-unknown": "the algorithm is not in RFC 6920",
        "check-digit-wrong": "the check digit does not match the hash",
    }

    def digest_violations(self, algorithm: str, digest: bytes | None, at: int, after: int) -> Iterator[Violation]:
        """Yield the violations in the algorithm, which begins at `at`, and in the hash, which begins at `after`."""
        if algorithm not in _LENGTHS:
            yield self.violation("digest-algorithm-unknown", "path", at, "warning")
        elif digest is not None and len(digest) != _LENGTHS[algorithm]:
            yield self.violation("digest-length", "path", after)
        if digest is None:
            yield self.violation("digest-invalid", "path", after)


class Ni(_Hash[NiParts]):
    """NI-URI = "ni" ":" hier-part [ "?" query ], where hier-part is "//" [ authority ] "/" alg ";" val"""

    names: ClassVar[tuple[str, ...]] = ("ni",)
    title = "Content identified by its hash"
    reference = "RFC 6920 section 3"
    example = "ni://example.com/sha-256-32;f4OxZQ?ct=text/plain"
    authority = "required"
    userinfo = "forbidden"
    parameters: ClassVar[Parameters] = Parameters(named=False)

    def read_parts(self, components: Components) -> NiParts:
        algorithm, _, value = (components.path or "").removeprefix("/").partition(";")
        authority = lower(components.authority or "") or None
        return NiParts(authority, algorithm, _from_base64(value), self.query_params(components))

    def path_violations(self, components: Components) -> Iterator[Violation]:
        start, end = components.span("path") or (0, 0)
        yield from self.faults(components, "path", start, end, PCHAR + "/")
        path = components.path or ""
        at = start + path.startswith("/")
        algorithm, _, value = path.removeprefix("/").partition(";")
        if not algorithm or not value or not path.startswith("/"):
            yield self.violation("digest-missing", "path", end)
        else:
            yield from self.digest_violations(algorithm, _from_base64(value), at, end - len(value))

    def write_parts(self, parts: Any) -> str:
        value = urlsafe_b64encode(parts.digest or b"").rstrip(b"=").decode()
        return f"//{parts.authority or ''}/{parts.algorithm or ''};{value}" + self.parameters.composed(
            parts.query_params
        )


class Nih(_Hash[NihParts]):
    """humanReadable = "nih:" alg ";" hex [ ";" check digit ], where hex may contain "-" anywhere"""

    names: ClassVar[tuple[str, ...]] = ("nih",)
    title = "Human-readable hash"
    reference = "RFC 6920 section 7"
    example = "nih:sha-256-32;53269057;b"
    authority = "forbidden"
    query = "forbidden"
    in_text = "[A-Za-z0-9-]{1,64};[0-9A-Fa-f-]"

    def read_parts(self, components: Components) -> NihParts:
        algorithm, value, check = _nih(components.path or "")
        return NihParts(_SUITES.get(algorithm, algorithm), _from_hex(value or ""), check)

    def path_violations(self, components: Components) -> Iterator[Violation]:
        start, end = components.span("path") or (0, 0)
        yield from self.faults(components, "path", start, end, PCHAR)
        algorithm, value, check = _nih(components.path or "")
        if not algorithm or not value:
            yield self.violation("digest-missing", "path", end)
            return
        after = start + len(algorithm) + 1
        digest = _from_hex(value)
        yield from self.digest_violations(_SUITES.get(algorithm, algorithm), digest, start, after)
        if check is not None and digest is not None and check != _check_digit(digest.hex()):
            yield self.violation("check-digit-wrong", "path", after + len(value) + 1)

    def normalize(self, components: Components) -> Components:
        """Normalise: write the algorithm by its name, and the digits in lower case without "-". A URL that contains an
        error, such as a wrong check digit, is only normalised according to RFC 3986."""
        normal = super().normalize(components)
        if normal.host is not None or any(v.severity == "error" for v in self.violations(normal)):
            return normal
        return normal.replace(path=self.write_parts(self.read_parts(normal)))

    def write_parts(self, parts: Any) -> str:
        check = "" if parts.check_digit is None else f";{parts.check_digit}"
        return f"{parts.algorithm or ''};{(parts.digest or b'').hex()}{check}"


def _from_base64(value: str) -> bytes | None:
    if not _BASE64.fullmatch(value) or len(value) % 4 == 1:
        return None
    octets = urlsafe_b64decode(value + "=" * (-len(value) % 4))
    return octets if urlsafe_b64encode(octets).rstrip(b"=").decode() == value else None


def _from_hex(value: str) -> bytes | None:
    digits = value.replace("-", "")
    return bytes.fromhex(digits) if _HEX.fullmatch(value) and len(digits) % 2 == 0 else None


def _nih(path: str) -> tuple[str, str | None, str | None]:
    algorithm, *rest = path.split(";", 2)
    return algorithm, rest[0] if rest else None, rest[1] if len(rest) > 1 else None


def _check_digit(digits: str) -> str:
    """Return the check digit, calculated with Luhn's algorithm in base 16 (section 7)."""
    total = 0
    for k, digit in enumerate(reversed(digits)):
        value = int(digit, 16) * (2 - k % 2)
        total += value // 16 + value % 16
    return f"{-total % 16:x}"
