"""ipfs and ipns: content identified by its content identifier (CID), and names that point to content."""

from __future__ import annotations

import re
from base64 import b32decode
from collections.abc import Iterator

from urlsm.components.parts import Parts, decode, lower, segments
from urlsm.components.value import Components
from urlsm.errors.rules import Violation
from urlsm.schemes.characters import PCHAR
from urlsm.schemes.contract import P
from urlsm.schemes.generic import Scheme

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

__all__ = ["Ipfs", "IpfsParts", "Ipns", "IpnsParts"]

_BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_BASE36 = "0123456789abcdefghijklmnopqrstuvwxyz"
_CODECS = {0x55: "raw", 0x70: "dag-pb", 0x71: "dag-cbor", 0x72: "libp2p-key", 0x78: "git-raw", 0x0129: "dag-json"}
ABOUT = {  # for urlsm.about
    "codecs of IPFS": {
        "tables": "_CODECS",
        "source": "multiformats, multicodec table",
        "url": "https://github.com/multiformats/multicodec/blob/master/table.csv",
        "date": "2026-11-26",
        "licence": "MIT",
        "used_by": "handler of ipfs",
    },
}
_LONGEST = 512  # a CID with more characters is not read, as the time for base58 grows with the square of their number
_V0 = re.compile("Qm[1-9A-HJ-NP-Za-km-z]{44}")
_V0_LOWERED = re.compile("qm[1-9a-z]{44}")


class IpfsParts(Parts):
    """A file or folder on IPFS, identified by its content.

    Attributes:
        cid: the content identifier (CID), as written
        version: the version of the CID, 0 or 1; None if it is not a CID
        codec: the content type of the CID, such as "dag-pb" or a hexadecimal number; None if it is not a CID
        path: the path as written
        segments: the segments of the path, decoded
        query: the query as written; None if absent

    Example:
        >>> import urlsm
        >>> urlsm.parts("ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi/a.html", "ipfs").codec
        'dag-pb'
    """

    cid: str = ""
    version: int | None = None
    codec: str | None = None
    path: str = ""
    segments: tuple[str, ...] = ()
    query: str | None = None


class IpnsParts(Parts):
    """A file or folder on IPFS, identified by a name whose target can change.

    Attributes:
        name: the key or the domain (DNSLink), as written
        path: the path as written
        segments: the segments of the path, decoded
        query: the query as written; None if absent

    Example:
        >>> import urlsm
        >>> urlsm.parts("ipns://docs.example.org/a.html", "ipns").name
        'docs.example.org'
    """

    name: str = ""
    path: str = ""
    segments: tuple[str, ...] = ()
    query: str | None = None


class _Content(Scheme[P]):
    hierarchical = False
    authority = host = "required"
    host_case = "keep"
    userinfo = port = "forbidden"

    def write_parts(self, parts: Any) -> str:
        root = parts.cid if hasattr(parts, "cid") else parts.name
        path = self.composed_path(parts.path, parts.segments)
        return f"//{self.host_characters.encode(root or '')}{path}{_query(parts)}"

    def _gateway(self, kind: str, name: str, parts: Any) -> str:
        """Return the URL at a public gateway. name is encoded, because it may contain characters that would end the
        segment."""
        return f"https://ipfs.io/{kind}/{PCHAR.encode(name)}{parts.path}{_query(parts)}"


class Ipfs(_Content[IpfsParts]):
    """ "ipfs://" cid [ path ]. Letters in a CID are digits, so their case matters."""

    names: ClassVar[tuple[str, ...]] = ("ipfs",)
    title = "Content identified by its CID"
    reference = "IPFS, addressing content with URLs; the CID specification"
    reference_date = "2026-11-21"
    example = "ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi/docs/a.html"
    host_kind = "CID"
    joined: ClassVar[tuple[str, ...]] = ("//{cid}",)
    rules: ClassVar[dict[str, str]] = {
        "cid-invalid": "the CID is not valid",
        "cid-lower-cased": "this version 0 CID was lowercased and cannot be read",
    }

    def read_parts(self, components: Components) -> IpfsParts:
        cid, path = decode(components.host or ""), components.path or ""
        version, codec = read_cid(cid) or (None, None)
        return IpfsParts(cid, version, codec, path, segments(path), components.query)

    def host_faults(self, components: Components, host: str, start: int, end: int) -> Iterator[Violation]:
        yield from super().host_faults(components, host, start, end)
        cid = decode(host)
        if read_cid(cid) is None:
            yield self.violation("cid-lower-cased" if _V0_LOWERED.fullmatch(cid) else "cid-invalid", "host", start)

    def normal_host(self, host: str) -> str:
        """Lowercase a CID in base 32, 16 or 36. CIDs of version 0 and CIDs in other bases do not change."""
        return _normal_key(super().normal_host(host))

    def web_url(self, parts: Any) -> str | None:
        """Return the URL at a public gateway."""
        return self._gateway("ipfs", parts.cid, parts) if parts.version is not None else None


class Ipns(_Content[IpnsParts]):
    """ "ipns://" name [ path ], where the name is a key (written as a CID) or a domain"""

    names: ClassVar[tuple[str, ...]] = ("ipns",)
    title = "Name that points to content"
    reference = "IPFS, addressing content with URLs; IPNS"
    reference_date = "2026-11-21"
    example = "ipns://k51qzi5uqu5dgutdk6i1ynyzgkqngpha5xpgia3a5qqp4jsh0u4csozksxel2r/docs/"
    host_kind = "key or domain"
    joined: ClassVar[tuple[str, ...]] = ("//{name}",)

    def read_parts(self, components: Components) -> IpnsParts:
        path = components.path or ""
        return IpnsParts(decode(components.host or ""), path, segments(path), components.query)

    def normal_host(self, host: str) -> str:
        """Lowercase a domain, or a key in base 32, 16 or 36."""
        normal = super().normal_host(host)
        return lower(normal) if "." in normal else _normal_key(normal)

    def web_url(self, parts: Any) -> str | None:
        """Return the URL at a public gateway."""
        return self._gateway("ipns", parts.name, parts) if parts.name else None


def _normal_key(text: str) -> str:
    return lower(text) if text[:1] in tuple("bBfFkK") and read_cid(lower(text)) is not None else text


def _query(parts: Any) -> str:
    return "" if parts.query is None else f"?{parts.query}"


def read_cid(text: str) -> tuple[int, str] | None:
    """Return the version and the codec of a CID; None if it is not a CID."""
    if _V0.fullmatch(text):
        return 0, "dag-pb"
    octets = _octets(text) if len(text) <= _LONGEST else None
    if octets is None:
        return None
    numbers = []
    for _ in range(4):  # version, codec, hash function, length of the hash
        number, octets = _varint(octets)
        if number is None:
            return None
        numbers.append(number)
    if numbers[0] != 1 or numbers[3] != len(octets):
        return None
    return 1, _CODECS.get(numbers[1], hex(numbers[1]))


def _octets(text: str) -> bytes | None:
    """Return the bytes of a multibase string in one of the bases for CIDs; None for any other string."""
    base, digits = text[:1], text[1:]
    if base in ("B", "F", "K") and text == text.upper():  # base32upper, base16upper, base36upper
        base, digits = lower(base), lower(digits)
    try:
        if base == "b" and re.fullmatch("[a-z2-7]+", digits):
            return b32decode(digits.upper() + "=" * (-len(digits) % 8))
        if base == "f" and re.fullmatch("[0-9a-f]+", digits):
            return bytes.fromhex(digits)
    except ValueError:
        return None
    alphabet = {"z": _BASE58, "k": _BASE36}.get(base)
    if alphabet is None or not digits or any(digit not in alphabet for digit in digits):
        return None
    number = 0
    for digit in digits:
        number = number * len(alphabet) + alphabet.index(digit)
    zeros = len(digits) - len(digits.lstrip(alphabet[0]))
    return b"\0" * zeros + number.to_bytes((number.bit_length() + 7) // 8, "big")


def _varint(octets: bytes) -> tuple[int | None, bytes]:
    number = 0
    for k, octet in enumerate(octets[:9]):
        number |= (octet & 0x7F) << 7 * k
        if octet < 0x80:
            return number, octets[k + 1 :]
    return None, octets
