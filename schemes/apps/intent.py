"""intent: URLs that tell Android what to open, as Intent.parseUri reads them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from math import isinf

from urlsm.components.parts import Parts, decode, lower
from urlsm.components.value import Components
from urlsm.errors.rules import Violation
from urlsm.schemes.characters import QUERY
from urlsm.schemes.fields import Parameters, QueryParams
from urlsm.schemes.generic import Scheme

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

__all__ = ["Intent", "IntentParts"]

_FIELDS = Parameters(separator=";", names=QUERY - ";=", values=QUERY - ";")
_BEGIN = "Intent;"
_BITS = {"b": 8, "s": 16, "i": 32, "l": 64}  # the sizes of Java's byte, short, int and long
_INTEGER = re.compile("[+-]?0*([0-9]{1,19})")
_FLOAT = re.compile("[+-]?(?:[0-9]{1,400}(?:[.][0-9]{0,400})?|[.][0-9]{1,400})(?:[eE][+-]?[0-9]{1,9})?(?=[fFdD]?\\Z)")
_BLANKS = "".join(map(chr, range(0x21)))  # the characters that Java's trim removes
_SPECIAL_FLOAT = re.compile("[+-]?(?:NaN|Infinity)")
_END = re.compile("(?:\\A|;)end")
_EXTRA = re.compile(r"[SBbcdfils]\..+", re.DOTALL)
_KNOWN = ("action", "category", "type", "identifier", "launchFlags", "package", "component", "scheme", "sourceBounds")
ABOUT = {  # for urlsm.about
    "fields of intents": {
        "tables": "_KNOWN",
        "source": "Android, Intent.parseUri",
        "url": "https://developer.android.com/reference/android/content/Intent",
        "date": "2026-11-21",
        "licence": "Apache-2.0",
        "used_by": "handler of intent",
    },
}
_FALLBACK = "S.browser_fallback_url"
_SELECTOR = ("SEL", None)


class IntentParts(Parts):
    """An Android intent: the app to open and the data to pass to it.

    All fields except `data` are decoded. If a field is repeated, the last one counts.

    Attributes:
        data: the text between "intent:" and "#Intent;", as written
        data_scheme: the scheme of the data; None if absent
        action: the action, such as "android.intent.action.VIEW"; None if absent
        package: the package name of the app; None if absent
        component: the activity or service within an app; None if absent
        type: the media type of the data; None if absent
        categories: the categories, in order
        fallback: the URL to open if no app handles the intent; None if absent
        extras: (name, value) pairs, converted to the type that the name specifies: str, bool, int or float; a value
            that cannot be converted remains a str
        fields: all fields before "end" as (name, value) pairs, in order
        selector: the fields after "SEL", which describe another intent

    Example:
        >>> import urlsm
        >>> urlsm.parts("intent:#Intent;package=com.example;i.count=3;end", "intent").extras
        (('i.count', 3),)
    """

    data: str = ""
    data_scheme: str | None = None
    action: str | None = None
    package: str | None = None
    component: str | None = None
    type: str | None = None
    categories: tuple[str, ...] = ()
    fallback: str | None = None
    extras: tuple[tuple[str, str | bool | int | float | None], ...] = ()
    fields: QueryParams = ()
    selector: QueryParams = ()


class Intent(Scheme[IntentParts]):
    """ "intent:" data "#Intent;" *( name "=" value ";" ) "end" """

    names: ClassVar[tuple[str, ...]] = ("intent",)
    title = "Android intent"
    reference = "Android, Intent.parseUri"
    reference_date = "2026-11-21"
    example = (
        "intent://scan/#Intent;scheme=zxing;package=com.example.scan;S.browser_fallback_url=https%3A%2F%2Fzxing.org;end"
    )
    hierarchical = False
    host_case = "keep"
    in_text = r"/[A-Za-z0-9%_]|[^\x00-\x20\"<>`#]{0,255}#Intent;"
    rules: ClassVar[dict[str, str]] = {
        "intent-begin-missing": '"#Intent;" is missing before the fields',
        "intent-end-missing": '"end" is missing after the fields',
        "intent-text-after-end": 'Android ignores everything after a field that begins with "end"',
        "intent-extra-invalid": "the value does not match the type that its name specifies",
        "intent-field-unknown": "Android does not support this field, or extras of this type",
        "intent-fallback-not-web": "a fallback that is not http or https may run a script or read a file",
        "intent-selector": "a selector may open a component that the link does not name",
        "intent-component": "the link names a component, which may not expect links from the web",
    }

    def read_parts(self, components: Components) -> IntentParts:
        pairs = self.fields(components)
        place = pairs.index(_SELECTOR) if _SELECTOR in pairs else len(pairs)
        own = pairs[:place]
        found = dict(own)
        fragment = components.fragment
        data = components.rest if fragment is None else components.rest[: -len(fragment) - 1]
        return IntentParts(
            data,
            found.get("scheme"),
            found.get("action"),
            found.get("package"),
            found.get("component"),
            found.get("type"),
            tuple([value for name, value in own if name == "category" and value is not None]),
            found.get(_FALLBACK),
            tuple([(name, typed(*pair)[0]) for pair in own if _EXTRA.fullmatch(name := pair[0]) and name != _FALLBACK]),
            pairs,
            pairs[place + 1 :],
        )

    def fields(self, components: Components) -> QueryParams:
        text = components.fragment or ""
        if not text.startswith(_BEGIN):
            return ()
        text = text[len(_BEGIN) :]
        text = text[: _end(text)].removesuffix(";")
        return _FIELDS.read(text) if text else ()

    def fragment_violations(self, components: Components) -> Iterator[Violation]:
        yield from super().fragment_violations(components)
        where = components.span("fragment")
        if where is None or not components.text.startswith(_BEGIN, *where):
            place = len(components.text) if where is None else where[0]
            yield self.violation("intent-begin-missing", "fragment", place)
            return
        start = where[0] + len(_BEGIN)
        end = start + _end(components.text[start : where[1]])
        if end == where[1]:
            yield self.violation("intent-end-missing", "fragment", where[1])
            return
        if components.text[end : where[1]] not in ("end", "end;"):
            yield self.violation("intent-text-after-end", "fragment", end, "warning")
        end -= 1
        seen: set[str] = set()
        for at, name, value in _FIELDS.within(components.text, start, end) if start <= end else ():
            text = decode(value or "")
            key = decode(name)
            if key == _FALLBACK and not re.match("https?://", text, re.IGNORECASE):
                yield self.violation("intent-fallback-not-web", "fragment", at + len(name) + 1)
            elif key == "SEL":
                seen.clear()
                yield self.violation("intent-selector", "fragment", at, "warning")
            elif key == "component":
                yield self.violation("intent-component", "fragment", at, "warning")
            elif key not in _KNOWN and not _EXTRA.fullmatch(key):
                yield self.violation("intent-field-unknown", "fragment", at)
            elif value is not None and key not in _KNOWN and not typed(key, text)[1]:
                yield self.violation("intent-extra-invalid", "fragment", at + len(name) + 1)
            if key in seen and key != "category":
                yield self.violation("parameter-duplicate", "fragment", at, "warning")
            seen.add(key)
            if value is None and key != "SEL":
                yield self.violation("parameter-value-missing", "fragment", at + len(name))

    def equivalent(self, a: Components, b: Components) -> bool:
        """Return whether the parts, including the fields, are equal."""
        return self.same_parts(self.normalize(a), self.normalize(b))

    def nested(self, components: Components) -> Iterable[str]:
        """Return every fallback, and the data combined with every scheme that a field specifies."""
        found = self.read_parts(components)
        data = [f"{value}:{found.data}" for name, value in found.fields if name == "scheme"]
        return [*(value for name, value in found.fields if name == _FALLBACK and value), *data]

    def write_parts(self, parts: Any) -> str:
        pairs = parts.fields
        if pairs is None:
            names = ("action", "package", "component", "type")
            own = [("scheme", parts.data_scheme), *((name, getattr(parts, name)) for name in names)]
            pairs = [(name, value) for name, value in own if value is not None]
            pairs += [("category", value) for value in parts.categories or ()]
            pairs += [] if parts.fallback is None else [(_FALLBACK, parts.fallback)]
            pairs += [(name, _as_text(value)) for name, value in parts.extras or ()]
            pairs += [_SELECTOR, *parts.selector] if parts.selector else ()
        written = "".join([_FIELDS.write([pair]) + ";" for pair in pairs])
        return f"{parts.data or ''}#{_BEGIN}{written}end"


def _end(text: str) -> int:
    """Return where the fields end: at the first field that begins with "end" ("while (!uri.startsWith("end", i))"). If
    no field does, they end with the URL."""
    found = _END.search(text)
    return len(text) if found is None else found.end() - len("end")


def typed(name: str, value: str | None) -> tuple[str | bool | int | float | None, bool]:
    """Return the value of an extra, and whether its conversion succeeded. The first letter of the name specifies the
    type, and the value is converted by Java's rules. A value that cannot be converted remains a str, and so does a
    float that JSON cannot represent."""
    if value is None:
        return None, True
    kind = name[0]
    if kind in "SB":
        return (value, True) if kind == "S" else (lower(value) == "true", True)
    if kind == "c":  # Java's "value.charAt(0)" fails for an empty text
        return value, value != ""
    if kind in _BITS:
        found = _INTEGER.fullmatch(value)
        number = int(found[1]) * (-1 if value[0] == "-" else 1) if found else 0
        limit = 1 << (_BITS[kind] - 1)
        return (number, True) if found and -limit <= number < limit else (value, False)
    written = _FLOAT.match(value.strip(_BLANKS))
    if written is None:
        return value, _SPECIAL_FLOAT.fullmatch(value) is not None
    real = float(written[0])
    return (value, True) if isinf(real) else (real, True)


def _as_text(value: object) -> str | None:
    """Return the value of an extra as Java writes it."""
    if value is None or isinstance(value, str):
        return value
    return lower(str(value)) if isinstance(value, bool) else str(value)
