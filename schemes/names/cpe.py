"""cpe: a name in the Common Platform Enumeration, in either of its bindings."""

from __future__ import annotations

import re
from collections.abc import Iterator

from urlsm.components.parts import Parts, lower
from urlsm.components.value import Components, split
from urlsm.errors.rules import Violation
from urlsm.schemes.generic import Scheme, after_scheme

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

__all__ = ["Cpe", "CpeParts"]

_MARKS = re.escape("!\"#$%&'()+,/:;<=>@[\\]^`{|}~*?")  # the characters that a "\" quotes
# a value in a formatted string (figure 6-3); it may consist of "?" alone (section 5.3.2, 4)
_VALUE = re.compile(rf"(?:\?+|\*)?(?:[A-Za-z0-9._-]|\\[{_MARKS}])+(?:\?+|\*)?|\?+")
_TOKEN = re.compile(rf"[A-Za-z0-9._-]+|\\[{_MARKS}]|[?*]|(\\)|(.)", re.DOTALL)
_LANGUAGE = re.compile("[A-Za-z]{2,3}(?:-(?:[A-Za-z]{2}|[0-9]{3}))?")
_TAG = re.compile("[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*")  # the shape of any language tag (RFC 5646)
# text that a value in the URI cannot hold (figure 6-1), or that the formatted string writes in another way
_IN_URI = re.compile("%(?:(01)|(02)|(2[1-9a-c]|2f|3[a-f]|40|5[b-e]|60|7[b-e]))|(~)|%|[^A-Za-z0-9._-]")
_ENCODED = re.compile(r"\\(.)|([?*])", re.DOTALL)
_COLON, _COLON_OR_QUOTED = re.compile(":"), re.compile(r"\\.|:", re.DOTALL)
_BINDINGS = {"2.3": "2.3:", "2.2": "/"}  # the text with which a name of each binding begins
_URI = ("part", "vendor", "product", "version", "update", "edition", "language")


class CpeParts(Parts):
    """The name of a product, as vulnerability databases write it (CPE).

    Attributes are written as in the formatted string, in lower case. None means ANY, and "-" means NA. To convert a
    name, build it with the other binding.

    Attributes:
        binding: "2.3" (the formatted string) or "2.2" (the URI)
        part: "a" (application), "o" (operating system) or "h" (hardware)
        vendor: the vendor of the product
        product: the name of the product
        version: the version of the product
        update: the update or service pack
        edition: the edition (legacy)
        language: the language of the user interface
        sw_edition: the edition for a particular market
        target_sw: the software that the product runs on
        target_hw: the hardware that the product runs on
        other: any other information

    Example:
        >>> import urlsm
        >>> urlsm.parts("cpe:2.3:a:microsoft:internet_explorer:8.0:beta:*:*:*:*:*:*", "cpe").product
        'internet_explorer'
    """

    binding: str = "2.3"
    part: str | None = None
    vendor: str | None = None
    product: str | None = None
    version: str | None = None
    update: str | None = None
    edition: str | None = None
    language: str | None = None
    sw_edition: str | None = None
    target_sw: str | None = None
    target_hw: str | None = None
    other: str | None = None


_ATTRIBUTES = CpeParts._fields[1:]


class Cpe(Scheme[CpeParts]):
    """ "cpe:2.3:" and 11 attributes separated by ":"; or "cpe:/" and up to 7 attributes, of which the sixth may contain
    five values"""

    names: ClassVar[tuple[str, ...]] = ("cpe",)
    title = "Name of a platform"
    reference = "NISTIR 7695, CPE naming 2.3"
    reference_date = "2011-08-30"
    example = "cpe:2.3:a:microsoft:internet_explorer:8.0.6001:beta:*:*:*:windows:x64:*"
    hierarchical = False
    authority = "forbidden"
    in_text: ClassVar[str] = rf"/[aho]:[A-Za-z0-9%]|(2\.3:[aho*-](?::(?:[A-Za-z0-9._*?-]|\\[{_MARKS}]){{1,50}}){{10}})"
    rules: ClassVar[dict[str, str]] = {
        "cpe-binding-unknown": 'a name must begin with "cpe:2.3:" or "cpe:/"',
        "cpe-attribute-count": "a formatted string must have 11 attributes, and a URI at most 7 attributes",
        "cpe-attribute-missing": 'the attribute is empty: write "*" for any value',
        "cpe-attribute-invalid": 'the part must be "a", "o" or "h", and the language must be a tag such as en-us',
        "cpe-edition-packed": 'an edition that begins with "~" must contain five values',
        "cpe-escape": "only punctuation, %01 and %02 may be escaped",
        "cpe-quoting": 'only punctuation may be quoted with "\\", but not "-", "." or "_"',
        "cpe-wildcard": '"*" and "?" may only begin or end a value',
    }

    def _cut(self, c: Components) -> tuple[str, list[tuple[int, str]], list[tuple[str, int]]]:
        """Return the binding ("" if the text has neither), the attributes, and the code and position of each fault.
        Each attribute is its start and its text as written, in the order of the formatted string."""
        start, text = after_scheme(c), c.text
        binding = next((name for name, sign in _BINDINGS.items() if text.startswith(sign, start)), "")
        if not binding:
            return "", [], [("cpe-binding-unknown", start)]
        at = start + len(_BINDINGS[binding])
        found: list[tuple[int, str]] = []
        for mark in (_COLON_OR_QUOTED if binding == "2.3" else _COLON).finditer(text, at):
            if mark[0] == ":":
                found.append((at, text[at : mark.start()]))
                at = mark.end()
        found.append((at, text[at:]))
        most = 11 if binding == "2.3" else 7
        wrong = [("cpe-attribute-count", found[most][0] - 1)] if len(found) > most else []
        if binding == "2.3":
            if len(found) < most:
                wrong = [("cpe-attribute-count", len(text))]
            return binding, found[:most], wrong
        found = found[:most] + [(len(text), "")] * (most - len(found))
        place, edition = found[5]
        packed = [(place, edition), *[(place + len(edition), "")] * 4]
        if edition.startswith("~"):
            values = edition[1:].split("~", 4)
            if len(values) < 5:
                wrong.append(("cpe-edition-packed", place))
                values = ["", "", "", "", ""]
            packed, place = [], place + 1
            for value in values:
                packed.append((place, value))
                place += len(value) + 1
        return binding, [*found[:5], packed[0], found[6], *packed[1:]], wrong

    def read_parts(self, components: Components) -> CpeParts:
        binding, found, wrong = self._cut(components)
        for code, at in wrong:
            raise self.refusal(components, code, "path", at)
        values = [_unbound(text) if binding == "2.2" else lower(text) for _, text in found]
        for (at, _), value in zip(found, values, strict=True):
            if value not in ("", "*") and not _VALUE.fullmatch(value):
                raise self.refusal(components, "cpe-attribute-invalid", "path", at)
        return CpeParts(binding, *[None if value in ("", "*") else value for value in values])

    def violations(self, components: Components) -> Iterator[Violation]:
        yield from self.scheme_violations(components)
        if components.host is not None:
            yield self.violation("authority-not-allowed", "authority", after_scheme(components))
            return
        binding, found, wrong = self._cut(components)
        for code, at in wrong:
            yield self.violation(code, "path", at)
        for name, (at, text) in zip(_ATTRIBUTES, found, strict=False):
            code, offset = (_fault_in_uri if binding == "2.2" else _fault)(text)
            if code:
                yield self.violation(code, "path", at + offset)
            elif not (text == "*" and binding == "2.3") and (
                (name == "part" and text and text not in ("-aohAOH" if binding == "2.3" else "aohAOH"))
                or (name == "language" and text not in ("", "-") and not _is_language(text, binding))
            ):
                yield self.violation("cpe-attribute-invalid", "path", at)

    def normalize(self, components: Components) -> Components:
        """Normalise: lowercase the name, and remove empty attributes from the end of a URI. If the text is not a CPE
        name, only the scheme is lowercased."""
        if components.scheme is None:
            return components
        if any(found.severity == "error" for found in self.violations(components)):
            return components.replace(scheme=lower(components.scheme))
        return split(f"cpe:{self.write_parts(self.read_parts(components))}", dialect=components.dialect)

    def equivalent(self, a: Components, b: Components) -> bool:
        """Return whether the well-formed names are equal. The binding does not matter (section 7)."""
        first, second = self.normalize(a), self.normalize(b)
        if any(self.violations(first)) or any(self.violations(second)):
            return first == second
        return dict(self.read_parts(first), binding="") == dict(self.read_parts(second), binding="")

    def write_parts(self, parts: Any) -> str:
        values = {name: getattr(parts, name) for name in _ATTRIBUTES}
        if parts.binding != "2.2":
            return f"{parts.binding or '2.3'}:" + ":".join([value or "*" for value in values.values()])
        bound = {name: _ENCODED.sub(_encoded, value or "") for name, value in values.items()}
        extended = "~".join([bound[name] for name in ("sw_edition", "target_sw", "target_hw", "other")])
        if extended != "~~~":
            bound["edition"] = f"~{bound['edition']}~{extended}"
        return "/" + ":".join([bound[name] for name in _URI]).rstrip(":")


def _encoded(found: re.Match[str]) -> str:
    """Return a quoted punctuation mark, or a wildcard, as the URI writes it (tables 6-1 and 6-2)."""
    return f"%{ord(found[1]):02x}" if found[1] else "%01" if found[2] == "?" else "%02"


def _decoded(found: re.Match[str]) -> str:
    one, many, mark, tilde = found.groups()
    if mark or tilde:
        return "\\" + (chr(int(mark, 16)) if mark else tilde)
    return "?" if one else "*" if many else "\0"  # no value can hold "\0"


def _unbound(text: str) -> str:
    """Return a value from the URI as the formatted string writes it (section 6.1.3), but "" for the logical value
    ANY."""
    text = _IN_URI.sub(_decoded, lower(text))
    return "\0" if text == "*" else text  # a lone "*" is not valid here: a URI writes the logical value ANY as ""


def _is_language(text: str, binding: str) -> bool:
    return (_LANGUAGE if binding == "2.3" else _TAG).fullmatch(text) is not None


def _fault(text: str) -> tuple[str, int]:
    """Return the code and position of the first fault in a value of a formatted string; the code is "" if there is
    none."""
    if text == "*" or _VALUE.fullmatch(text):
        return "", 0
    for token in _TOKEN.finditer(text):
        if token[1] or token[2]:
            return "cpe-quoting" if token[1] else "character-not-allowed", token.start()
    return ("cpe-wildcard", _inner_wildcard(text)) if text else ("cpe-attribute-missing", 0)


def _inner_wildcard(text: str) -> int:
    """Return the position of the first wildcard that is not at the beginning; 0 if there is none."""
    tokens = [(token.start(), token[0]) for token in _TOKEN.finditer(text)]
    inner = [k for k, (at, token) in enumerate(tokens) if token in ("?", "*") and at]
    return tokens[inner[0]][0] if inner else 0


def _fault_in_uri(text: str) -> tuple[str, int]:
    """Return the code and position of the first fault in a value of the URI; the code is "" if there is none."""
    for found in _IN_URI.finditer(lower(text)):
        if not any(found.groups()):
            code = "cpe-escape" if re.match("%[0-9a-f]{2}", lower(text)[found.start() :]) else "bad-percent-escape"
            return code if found[0] == "%" else "character-not-allowed", found.start()
    value = _unbound(text)
    if value and not _VALUE.fullmatch(value):
        special = re.search("(?<!^)%0[12]", text)
        return "cpe-wildcard", special.start() if special else 0
    return "", 0
