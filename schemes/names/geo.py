"""geo (RFC 5870): a place on Earth."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from decimal import Decimal

from urlsm.components.parts import Parts, decode, lower
from urlsm.components.value import Components
from urlsm.errors.rules import Violation
from urlsm.schemes.characters import ALPHA, DIGIT, MARKED, Characters, normal_escapes
from urlsm.schemes.fields import Field, Parameters, QueryParams
from urlsm.schemes.generic import Scheme

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

__all__ = ["Geo", "GeoParts"]

_LABEL = Characters(ALPHA + DIGIT + "-")
_VALUE = MARKED + "[]:&+$"  # paramchar = p-unreserved / unreserved / pct-encoded
_UNSIGNED = re.compile(r"[0-9]+(?:\.[0-9]+)?")  # pnum = 1*DIGIT [ "." 1*DIGIT ]
_NUMBER = re.compile(f"-?{_UNSIGNED.pattern}")  # num = [ "-" ] pnum
_BEGUN = re.compile(r"-?(?:[0-9]+(?:\.[0-9]*)?)?")  # the beginning of a number
_WGS84 = "wgs84"
_NO_LABEL = re.compile("[^A-Za-z0-9-]+")  # labeltext = 1*( alphanum / "-" ), so it cannot hold escapes
_POINT = re.compile(rf" *({_NUMBER.pattern}), *({_NUMBER.pattern}) *(?:\((.*)\) *)?", re.DOTALL)
_QUERY_FIELDS = ("q", "z")
_PARAMETERS = Parameters(  # "crs" comes first, then "u", then all others
    Field("crs", repeat="forbid"),
    Field("u", repeat="forbid"),
    separator=";",
    fold=True,
    ordered=True,
    repeat="forbid",
    no_name=_NO_LABEL,
)


class GeoParts(Parts):
    """A place on Earth, or a map search.

    Attributes:
        coordinates: 2 or 3 numbers; in wgs84 latitude, longitude (degrees) and altitude (metres)
        crs: the coordinate reference system, in lower case
        uncertainty: the uncertainty in metres; None if unknown
        params: the other parameters as (name, value) pairs, decoded, with names in lower case; a value is None if there
            is no "="
        q: the search text (Android), decoded; None if absent
        point: the latitude and longitude in q; None if absent
        label: the label of that point; None if absent
        query_params: the parameters of the query as (name, value) pairs, decoded

    Example:
        >>> import urlsm
        >>> urlsm.parts("geo:48.2010,16.3695;u=40", "geo").coordinates
        (48.201, 16.3695)
    """

    coordinates: tuple[float, ...]
    crs: str = _WGS84
    uncertainty: float | None = None
    params: QueryParams = ()
    q: str | None = None
    point: tuple[float, float] | None = None
    label: str | None = None
    query_params: QueryParams = ()


class Geo(Scheme[GeoParts]):
    names: ClassVar[tuple[str, ...]] = ("geo",)
    title = "Geographic location"
    reference = "RFC 5870 section 3.3"
    example = "geo:48.2010,16.3695,183;crs=wgs84;u=40"
    hierarchical = False
    authority = "forbidden"
    query = "forbidden"
    fragment = "ignored"
    parameters: ClassVar[Parameters] = Parameters(Field("q", plus=True))  # Android, "Common intents", section "Maps"
    in_text = "position"
    rules: ClassVar[dict[str, str]] = {
        "geo-coordinates-invalid": "the coordinates must be 2 or 3 decimal numbers",
        "geo-latitude-out-of-range": "the latitude must be from -90 to 90",
        "geo-longitude-out-of-range": "the longitude must be from -180 to 180",
        "geo-uncertainty-invalid": "the uncertainty must be a decimal number, 0 or more",
    }

    def read_parts(self, components: Components) -> GeoParts:
        """Return the parts. Raise SchemeError if the coordinates are malformed or too large for a float."""
        numbers, fault = _coordinates(components)
        if fault is not None:
            raise self.refusal(components, "geo-coordinates-invalid", "path", fault)
        own: dict[str, str | None] = {}
        params = []
        for _, name, value in _parameters(components):
            key = lower(name)
            if key not in ("crs", "u"):
                params.append((key, value and decode(value)))
            else:
                own.setdefault(key, value)
        uncertainty = own.get("u")
        fields = self.query_params(components)
        q = next((value for name, value in fields if name == "q"), None)
        found = _POINT.fullmatch(q or "")
        if found is not None and (abs(float(found[1])) > 90 or abs(float(found[2])) > 180):
            found = None  # no such point exists, so q is just a text with two numbers
        return GeoParts(
            tuple([float(number) + 0.0 for _, number in numbers]),  # + 0.0 turns -0.0 into 0.0
            lower(own.get("crs") or _WGS84),
            float(uncertainty) if uncertainty is not None and _is_uncertainty(uncertainty) else None,
            tuple(params),
            q,
            None if found is None else (float(found[1]) + 0.0, float(found[2]) + 0.0),
            None if found is None else found[3],
            fields,
        )

    def path_violations(self, components: Components) -> Iterator[Violation]:
        """Yield the violations of geo-path = coordinates p; p = [ crsp ] [ uncp ] *parameter."""
        numbers, fault = _coordinates(components)
        if fault is not None:
            yield self.violation("geo-coordinates-invalid", "path", fault)
        if lower(_crs(components)) == _WGS84:
            for (start, number), (axis, limit) in zip(numbers, (("latitude", 90), ("longitude", 180)), strict=False):
                if not -limit <= Decimal(number) <= limit:  # a float might be rounded to the limit
                    yield self.violation(f"geo-{axis}-out-of-range", "path", start)
        start, end = _span(components)
        if start:

            def further(at: int, name: str, value: str | None) -> Iterator[Violation]:
                return self._value_violations(components, lower(name), at + len(name) + (value is not None), value)

            yield from _PARAMETERS.violations(self, components, "path", start, end, further)

    def query_violations(self, components: Components) -> Iterator[Violation]:
        """Yield the violations in the query. RFC 5870 allows no query, but many links have a query as Android defines
        it, so this is only a warning."""
        for violation in super().query_violations(components):
            known = violation.code == "query-not-allowed" and self._is_androids(components)
            yield violation._replace(severity="warning") if known else violation

    def _is_androids(self, c: Components) -> bool:
        return all(name in _QUERY_FIELDS and value for name, value in self.query_params(c)) and bool(c.query)

    def _value_violations(self, c: Components, name: str, start: int, value: str | None) -> Iterator[Violation]:
        if value == "" or (value is None and name in ("crs", "u")):
            yield self.violation("parameter-value-missing", "path", start)
        if name == "u":
            if not _is_uncertainty(value):
                yield self.violation("geo-uncertainty-invalid", "path", start)
        elif name == "crs":
            yield from self.lexical_faults(c, start, start + len(value or ""), _NO_LABEL)
        else:
            yield from self.faults(c, "path", start, start + len(value or ""), _VALUE)

    def normalize(self, components: Components) -> Components:
        """Return the same form for all valid URLs that RFC 5870 section 3.4.4 considers equal. Numbers are as short as
        possible, and "crs=wgs84" is left out. The longitude is 0 at the poles, and 180 instead of -180. Parameter names
        are lowercased, and parameters are sorted by name."""
        normal = super().normalize(components)
        if next(self.path_violations(normal), None) is not None:
            return normal
        numbers = [_shortest(number) for _, number in _coordinates(normal)[0]]
        crs = lower(_crs(normal))
        if crs == _WGS84:
            if numbers[0] in ("90", "-90"):
                numbers[1] = "0"
            elif numbers[1] == "-180":
                numbers[1] = "180"
        path = ",".join(numbers) + ("" if crs == _WGS84 else f";crs={crs}")
        others = []
        for _, name, value in _parameters(normal):
            if lower(name) == "u":
                path += f";u={_shortest(value or '')}"
            elif lower(name) != "crs":
                others.append(";" + lower(name) + ("" if value is None else "=" + normal_escapes(value, _VALUE)))
        return normal.replace(path=path + "".join(sorted(others)))

    def equivalent(self, a: Components, b: Components) -> bool:
        """Return whether the places are equal according to RFC 5870 section 3.4.4. The values of params are compared as
        strings, because their meaning is unknown."""
        first, second = [self.normalize(c).replace(scheme=self.names[0], query=None, fragment=None) for c in (a, b)]
        return first == second and self.query_params(a) == self.query_params(b)

    def write_parts(self, parts: Any) -> str:
        path = ",".join(map(_written, parts.coordinates or ()))
        if parts.crs is not None and lower(parts.crs) != _WGS84:
            path += ";crs=" + _LABEL.encode(parts.crs)
        if parts.uncertainty is not None:
            path += ";u=" + _written(parts.uncertainty)
        for name, value in parts.params or ():
            path += ";" + _LABEL.encode(name) + ("" if value is None else "=" + _VALUE.encode(value))
        fields, q = parts.query_params, parts.q
        if fields is None:
            if q is None and parts.point is not None:
                q = ",".join(map(_written, parts.point)) + ("" if parts.label is None else f"({parts.label})")
            fields = () if q is None else (("q", q),)
        return path + self.parameters.composed(fields)


def _coordinates(c: Components) -> tuple[list[tuple[int, str]], int | None]:
    """Return (start, number) for each number of num "," num [ "," num ], and the position of the first character that
    does not match. If all match, the position is None."""
    start, end = c.span("path") or (0, 0)
    semicolon = c.text.find(";", start, end)
    end = end if semicolon < 0 else semicolon
    found: list[tuple[int, str]] = []
    while True:
        begun = _BEGUN.match(c.text, start, end)
        stop = begun.end() if begun else start
        number = c.text[start:stop]
        if not _NUMBER.fullmatch(number):
            return found, stop
        if math.isinf(float(number)):
            return found, start
        found.append((start, number))
        if stop == end and len(found) > 1:
            return found, None
        if stop == end or c.text[stop] != "," or len(found) == 3:
            return found, stop
        start = stop + 1


def _parameters(c: Components) -> Iterator[tuple[int, str, str | None]]:
    start, end = _span(c)
    return _PARAMETERS.within(c.text, start, end) if start else iter(())


def _span(c: Components) -> tuple[int, int]:
    """Return the start and end of the parameters, which follow the coordinates and ";". The start is 0 if there are
    none."""
    start, end = c.span("path") or (0, 0)
    return c.text.find(";", start, end) + 1, end


def _crs(c: Components) -> str:
    """Return the reference system, as written: the value of the first parameter "crs", or wgs84 if there is none."""
    return next((value for _, name, value in _parameters(c) if lower(name) == "crs" and value), _WGS84)


def _is_uncertainty(value: str | None) -> bool:
    """Return whether the text is uval = pnum, and is not too large for a float."""
    return value is not None and _UNSIGNED.fullmatch(value) is not None and not math.isinf(float(value))


def _shortest(number: str) -> str:
    """Return a number without redundant zeros."""
    whole, _, fraction = number.removeprefix("-").partition(".")
    whole, fraction = whole.lstrip("0") or "0", fraction.rstrip("0")
    shortest = f"{whole}.{fraction}" if fraction else whole
    return f"-{shortest}" if number[0] == "-" and shortest != "0" else shortest


def _written(number: object) -> str:
    if isinstance(number, float):  # repr may write an exponent, which a geo URL cannot hold
        return _shortest(format(Decimal(float.__repr__(number)), "f"))
    return _VALUE.encode(str(number))
