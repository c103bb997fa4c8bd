"""magnet (BEP 9 and the overview of the MAGNET-URI project)."""

from __future__ import annotations

import re
from base64 import b32decode
from collections.abc import Iterator

from urlsm.components.parts import Parts, lower
from urlsm.components.value import Components, split
from urlsm.errors.rules import Violation
from urlsm.octets.records import NamedTuple
from urlsm.schemes.characters import QUERY
from urlsm.schemes.fields import Field, Parameters
from urlsm.schemes.generic import Scheme
from urlsm.schemes.names.urn import is_urn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

__all__ = ["Magnet", "MagnetParts"]

# in practice "+" is a space in texts for people (dn, kt), and stands for itself elsewhere
_PARAMETERS = Parameters(Field("dn", plus=True), Field("kt", plus=True), names=QUERY - "&+=", values=QUERY - "&+")
_BTIH = re.compile("(?i:urn:btih:)(?:([0-9A-Fa-f]{40})|([A-Za-z2-7]{32}))")
_BTMH = re.compile("(?i:urn:btmh:)(1220[0-9A-Fa-f]{64})")  # a multihash: SHA-256, 32 octets
_SEVERAL = ("xt", "tr", "ws", "as", "xs", "mt", "x.pe")  # a client takes all parameters of these names
_LENGTH = re.compile("0*[0-9]{1,20}")


class MagnetParts(Parts):
    """A peer-to-peer download, identified by its hash.

    Attributes:
        topics: the URNs of the content (xt, xt.1 ...), decoded
        display_name: the name of the file (dn), decoded; None if absent
        length: the size in bytes (xl); None if absent
        trackers: the URLs of trackers (tr), decoded
        query_params: the parameters as (name, value) pairs, decoded and in order; a value is None if there is no "="

    Example:
        >>> import urlsm
        >>> urlsm.parts("magnet:?xt=urn:btih:c12fe1c06bba254a9dc9f519b335aa7c1367a88a&dn=Leaves", "magnet").display_name
        'Leaves'
    """

    topics: tuple[str, ...]
    display_name: str | None
    length: int | None
    trackers: tuple[str, ...]
    query_params: tuple[tuple[str, str | None], ...]

    def info_hashes(self) -> tuple[bytes, ...]:
        """Return the BitTorrent info hashes among the topics: 20 bytes for btih, a multihash for btmh.

        Example:
            >>> import urlsm
            >>> urn = "urn:btih:c12fe1c06bba254a9dc9f519b335aa7c1367a88a"
            >>> urlsm.parts(f"magnet:?xt={urn}", "magnet").info_hashes()[0].hex()
            'c12fe1c06bba254a9dc9f519b335aa7c1367a88a'
        """
        return tuple([octets for topic in self.topics if (octets := _info_hash(topic)) is not None])


class _Parameter(NamedTuple):
    name: str
    value: str | None
    position: int  # where the parameter begins in the text
    value_position: int

    @property
    def kind(self) -> str:
        """The name without the number of its group: "xt" for "xt.1"."""
        return re.sub(r"\.[0-9]+\Z", "", self.name)


class Magnet(Scheme[MagnetParts]):
    names: ClassVar[tuple[str, ...]] = ("magnet",)
    title = "Content identified by its hash"
    reference = "BEP 9"
    example = "magnet:?xt=urn:btih:c12fe1c06bba254a9dc9f519b335aa7c1367a88a&dn=Leaves+of+Grass&xl=1024"
    hierarchical = False
    authority = "forbidden"
    fragment = "ignored"
    query_fields: ClassVar[Parameters | None] = _PARAMETERS
    in_text = "parameters"
    rules: ClassVar[dict[str, str]] = {
        "magnet-topic-missing": "the exact topic (xt) is missing",
        "magnet-topic-invalid": "the exact topic (xt) must be a URN with a well-formed hash",
        "magnet-length-invalid": "the length must be a number",
    }

    def read_parts(self, components: Components) -> MagnetParts:
        parameters = _parameters(components)
        values: dict[str, list[str]] = {"xt": [], "dn": [], "tr": []}
        length: int | None = None
        for parameter in parameters:
            if parameter.value is None:
                continue
            if parameter.kind in values:
                values[parameter.kind].append(parameter.value)
            elif parameter.kind == "xl" and length is None:
                length = int(parameter.value[-20:]) if _LENGTH.fullmatch(parameter.value) else None
        return MagnetParts(
            topics=tuple(values["xt"]),
            display_name=values["dn"][0] if values["dn"] else None,
            length=length,
            trackers=tuple(values["tr"]),
            query_params=tuple([(parameter.name, parameter.value) for parameter in parameters]),
        )

    def hosts(self, components: Components) -> Iterator[tuple[int, str]]:
        """Yield the hosts of trackers, sources and peers (BEP 9, BEP 19; MAGNET-URI). The position of each host is the
        position of its parameter's value."""
        for parameter in _parameters(components):
            value = parameter.value or ""
            if parameter.kind in ("tr", "ws", "as", "xs", "mt"):
                for dialect in ("rfc3986", "whatwg"):
                    yield parameter.value_position, split(value, dialect=dialect).host or ""
            elif parameter.kind == "x.pe":
                yield parameter.value_position, value.rpartition(":")[0] or value

    def equivalent(self, a: Components, b: Components) -> bool:
        """Return whether a and b have the same parameters after decoding. Their order does not matter, except among
        parameters with the same name, if only the first of them counts. An info hash may be hexadecimal or base32. A
        fragment has no meaning."""
        return self._meaning(a) == self._meaning(b)

    def _meaning(self, c: Components) -> tuple[Components, list[tuple[str, str, object]]]:
        parameters: list[tuple[str, str, object]] = []
        for parameter in _parameters(c):
            octets = _info_hash(parameter.value or "") if parameter.kind == "xt" else None
            among = (parameter.value or "") if parameter.kind in _SEVERAL else ""
            among = among if octets is None else octets.hex()
            parameters.append((parameter.name, among, parameter.value if octets is None else octets))
        parameters.sort(key=lambda parameter: parameter[:2])
        return self.normalize(c).replace(scheme=self.names[0], query=c.query and "", fragment=None), parameters

    def write_parts(self, parts: Any) -> str:
        """Return "?" and query_params, or the other parts if query_params is not given."""
        parameters = parts.query_params
        if parameters is None:
            length = None if parts.length is None else str(parts.length)
            one = [("dn", parts.display_name), ("xl", length)]
            parameters = [("xt", topic) for topic in parts.topics or ()]
            parameters += [(name, value) for name, value in one if value is not None]
            parameters += [("tr", tracker) for tracker in parts.trackers or ()]
        return "?" + _PARAMETERS.write(parameters)

    # --- violations ---

    def path_violations(self, components: Components) -> Iterator[Violation]:
        yield from super().path_violations(components)
        start, end = components.span("path") or (0, 0)
        if start < end:
            yield self.violation("path-not-allowed", "path", start)

    def query_violations(self, components: Components) -> Iterator[Violation]:
        yield from super().query_violations(components)
        where = components.span("query")
        if where is None:
            yield self.violation("query-missing", "query", (components.span("path") or (0, 0))[1])
            return
        parameters = _parameters(components)
        if not any(parameter.kind == "xt" for parameter in parameters):
            yield self.violation("magnet-topic-missing", "query", where[0])
        for parameter in parameters:
            if not parameter.name:
                yield self.violation("parameter-name-missing", "query", parameter.position)
            elif parameter.kind == "xt" and not _is_topic(parameter.value or ""):
                yield self.violation("magnet-topic-invalid", "query", parameter.value_position)
            elif parameter.kind == "xl" and not _LENGTH.fullmatch(parameter.value or ""):
                yield self.violation("magnet-length-invalid", "query", parameter.value_position)
            elif parameter.value is None:
                yield self.violation("parameter-value-missing", "query", parameter.value_position)


def _parameters(c: Components) -> list[_Parameter]:
    """Return the parameters of the query, decoded."""
    if not c.query:
        return []
    return [
        _Parameter(*pair, start, start + len(name) + (value is not None))
        for pair, (start, name, value) in zip(_PARAMETERS.read(c.query), _PARAMETERS.of_query(c), strict=True)
    ]


def _is_topic(text: str) -> bool:
    if lower(text[:9]) in ("urn:btih:", "urn:btmh:"):
        return _info_hash(text) is not None
    return is_urn(text)


def _info_hash(text: str) -> bytes | None:
    """Return the bytes of an info hash, "urn:btih:" (40 hexadecimal or 32 base32 characters) or "urn:btmh:", as defined
    in BEP 9; None for any other text."""
    found = _BTIH.fullmatch(text) or _BTMH.fullmatch(text)
    if found is None:
        return None
    digits = found[found.lastindex or 0]
    return b32decode(digits.upper()) if len(digits) == 32 else bytes.fromhex(digits)
