"""tel (RFC 3966), and the telephone-subscriber, which sms URIs also contain."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from urlsm.components.parts import Parts, decode, lower
from urlsm.components.value import Components
from urlsm.errors.rules import Violation
from urlsm.schemes.characters import BAD_ESCAPE, UNRESERVED
from urlsm.schemes.contact import DOMAIN_NAME, PARAMETER, Contact
from urlsm.schemes.contract import P
from urlsm.schemes.fields import Parameters, QueryParams

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

    from urlsm._words import Component
__all__ = [
    "Subscribers",
    "Tel",
    "TelParts",
    "normal_subscriber",
    "read_subscriber",
]

_NUMBER = UNRESERVED + "+*()"

# phonedigit = DIGIT / visual-separator; phonedigit-hex = HEXDIG / "*" / "#" / visual-separator, where "#" is %23
_NO_DIGIT = re.compile("[^0-9.()-]+")
_NO_HEX_DIGIT = re.compile("(?:[^0-9A-Fa-f*.()%-]|%(?!23))+")
_NO_NAME = re.compile("[^A-Za-z0-9-]+")  # pname = 1*( alphanum / "-" )
# "," is a pause, and ";" (escaped in the URL) is a wait. "p" and "w" mean the same between digits, where they cannot be
# part of a name.
_PAUSE = re.compile("[,;]|(?<=[0-9])[PW](?=[0-9*#,;PW]*[0-9*#])")
_DIALLED = re.compile("[0-9*#,;PWpw]*")
_GLOBAL_DIGITS = re.compile(r"\+[.()-]*[0-9][0-9.()-]*")

_PARAMETERS = Parameters(separator=";", fold=True, names=UNRESERVED, values=PARAMETER)
_RANKS = {"isub": 0, "ext": 0, "phone-context": 1}  # the parameters that come first, and their ranks
# removes visual separators, and the spaces in many links, from a number; puts letters (hexadecimal digits) in upper
# case
_PLAIN = str.maketrans(
    {**dict.fromkeys("-.() \xa0"), **{letter: letter.upper() for letter in "abcdefghijklmnopqrstuvwxyz"}}
)


class TelParts(Parts):
    """A telephone number.

    RFC 3966 does not define post_dial: only URL.parts reads it.

    Attributes:
        number: the number without separators; a global number begins with "+"
        is_global: whether the number is valid everywhere
        extension: the extension without separators; None if absent
        isdn_subaddress: the ISDN subaddress, decoded; None if absent
        phone_context: the context in which a local number is valid: a domain, or the first digits of a global number;
            None if absent
        params: the other parameters as (name, value) pairs, decoded, with names in lower case; a value is None if there
            is no "="
        post_dial: the sequence to dial after the number, from the first pause, such as ",,32288696#"; None if absent

    Example:
        >>> import urlsm
        >>> urlsm.parts("tel:+1-202-555-0123;ext=77", "tel").number
        '+12025550123'
    """

    number: str
    is_global: bool
    extension: str | None = None
    isdn_subaddress: str | None = None
    phone_context: str | None = None
    params: tuple[tuple[str, str | None], ...] = ()
    post_dial: str | None = None


def plain_number(text: str) -> str:
    """Return a decoded number without separators and with letters in upper case."""
    return text.translate(_PLAIN)


def plain_context(text: str) -> str:
    """Return the normal form of a decoded phone-context: context = ";phone-context=" ( domainname /
    global-number-digits )."""
    return lower(plain_number(text) if text.startswith("+") else text)


def read_subscriber(text: str) -> TelParts:
    """Return the parts of a telephone-subscriber."""
    digits, *_ = text.split(";", 1)
    number = plain_number(decode(digits))
    pause = _PAUSE.search(number)
    number, after = (number, None) if pause is None else (number[: pause.start()], number[pause.start() :])
    own: dict[str, str | None] = {}
    others = []
    for name, value in _params(text):
        if name in ("ext", "isub", "phone-context"):
            own[name] = value
        else:
            others.append((name, value))
    extension, context = own.get("ext"), own.get("phone-context")
    return TelParts(
        number,
        number.startswith("+"),
        None if extension is None else plain_number(extension),
        own.get("isub"),
        None if context is None else plain_context(context),
        tuple(others),
        after,
    )


def normal_subscriber(text: str) -> str:
    """Return the normal form of a telephone-subscriber. It is the same for numbers that section 4 considers equivalent.
    It has no separators. Its parameters are in lower case ("SHOULD use lower-case characters") and in the order of
    section 3."""
    parameters = []
    for name, value in _params(text):
        if value is not None:
            value = plain_context(value) if name == "phone-context" else lower(value)
            if name == "ext":
                value = plain_number(value)
        parameters.append((name, value))
    return written_subscriber(plain_number(decode(text.split(";", 1)[0])), parameters)


def written_subscriber(number: str, parameters: Iterable[tuple[str, str | None]]) -> str:
    """Return the telephone-subscriber for a decoded number and decoded parameters, which are written in the order of
    section 3."""
    ordered = in_order(parameters)
    return _NUMBER.encode(number) + (";" + _PARAMETERS.write(ordered) if ordered else "")


def in_order(parameters: Iterable[tuple[str, str | None]]) -> list[tuple[str, str | None]]:
    """Return the parameters in order: "isdn-subaddress or extension MUST appear first, followed by the context
    parameter, followed by any other parameters in lexicographical order" (section 3)."""
    pairs = [(name, value) for name, value in parameters]
    return sorted(pairs, key=lambda pair: _rank(lower(pair[0])))


def _rank(name: str) -> tuple[int, str]:
    rank = _RANKS.get(name, 2)
    return rank, name if rank == 2 else ""


def _params(text: str) -> QueryParams:
    _, semicolon, written = text.partition(";")
    return _PARAMETERS.read(written) if semicolon else ()


class Subscribers(Contact[P]):
    """telephone-subscriber = global-number / local-number; global-number = global-number-digits *par;
    local-number = local-number-digits *par context *par"""

    in_text = "digits"
    rules: ClassVar[dict[str, str]] = {
        "tel-number-missing": "the number has no digits",
        "tel-context-missing": "a local number needs a phone-context",
        "tel-context-invalid": "the phone-context is neither a domain nor the digits of a global number",
        "tel-ext-isub-conflict": "ext and isub cannot be used together",
        "tel-mandatory-parameter-unknown": 'an unknown "m-" parameter makes the number unusable',
    }

    def subscriber_violations(self, components: Components, start: int, end: int) -> Iterator[Violation]:
        """Yield the violations of components.text[start:end], read as a telephone-subscriber."""
        digits, semicolon, _ = components.text[start:end].partition(";")
        after = start + len(digits)
        is_global = digits.startswith("+")
        yield from self.lexical_faults(components, start + is_global, after, _NO_DIGIT if is_global else _NO_HEX_DIGIT)
        if not re.search("[0-9]" if is_global else "[0-9A-Fa-f*]|%23", digits):
            yield self.violation("tel-number-missing", "path", after)
        names: set[str] = set()
        highest = (0, "")
        for at, name, value in _PARAMETERS.within(components.text, after + 1, end) if semicolon else ():
            yield from self.parameter_violations(components, at, name, value)
            name = lower(name)
            if name in names:
                yield self.violation("parameter-duplicate", "path", at)
            elif name in ("ext", "isub") and names & {"ext", "isub"}:
                yield self.violation("tel-ext-isub-conflict", "path", at)
            elif _rank(name) < highest:
                yield self.violation("parameter-order", "path", at)
            highest = max(highest, _rank(name))
            names.add(name)
        if digits and not is_global and "phone-context" not in names:
            yield self.violation("tel-context-missing", "path", end)

    def parameter_violations(
        self, components: Components, start: int, name: str, value: str | None
    ) -> Iterator[Violation]:
        if not name:
            yield self.violation("parameter-name-missing", "path", start)
        yield from self.lexical_faults(components, start, start + len(name), _NO_NAME)
        name = lower(name)
        if name.startswith("m-"):  # "if the parameter is not understood, the URI MUST be ignored"; none is known here
            yield self.violation("tel-mandatory-parameter-unknown", "path", start)
        start += len(name)
        if value is None:
            if name in _RANKS:
                yield self.violation("parameter-value-missing", "path", start)
            return
        start += 1
        end = start + len(value)
        if not value:
            yield self.violation("parameter-value-missing", "path", end)
        if name == "ext":
            yield from self.lexical_faults(components, start, end, _NO_DIGIT)
        elif name != "phone-context":
            yield from self.faults(components, "path", start, end, PARAMETER)
        elif not DOMAIN_NAME.fullmatch(value) and not _GLOBAL_DIGITS.fullmatch(value):
            yield self.violation("tel-context-invalid", "path", start)

    def lexical_faults(
        self, components: Components, start: int, end: int, wrong: re.Pattern[str], component: Component = "path"
    ) -> Iterator[Violation]:
        """Yield a violation for each run of characters that are not allowed in components.text[start:end], where
        escapes are not allowed."""
        for fault in wrong.finditer(components.text, start, end):
            code = (
                "bad-percent-escape"
                if BAD_ESCAPE.match(components.text, fault.start(), end)
                else "character-not-allowed"
            )
            yield self.violation(code, component, fault.start())


class Tel(Subscribers[TelParts]):
    """telephone-uri = "tel:" telephone-subscriber"""

    names: ClassVar[tuple[str, ...]] = ("tel",)
    title = "Telephone number"
    reference = "RFC 3966 section 3"
    example = "tel:863-1234;ext=77;phone-context=+1-914-555"
    query = "forbidden"

    def read_parts(self, components: Components) -> TelParts:
        found, fragment = read_subscriber(self.address(components)), components.fragment
        if fragment is None or found.post_dial is None or not _DIALLED.fullmatch(fragment):
            return found
        return found.__replace__(post_dial=f"{found.post_dial}#{fragment}")  # the "#" was meant to be dialled

    def path_violations(self, components: Components) -> Iterator[Violation]:
        return self.subscriber_violations(components, *(components.span("path") or (0, 0)))

    def normalize(self, components: Components) -> Components:
        normal = super().normalize(components)
        if components.host is not None:
            return normal
        number, *parameters = normal_subscriber(components.path or "").split(";", 1)
        # a "," is a pause, and stays unescaped
        return normal.replace(path=";".join([number.replace("%2C", ","), *parameters]))

    def build(self, *, scheme: str | None = None, fragment: str | None = None, **parts: Any) -> str:
        """Return the URL for a number, as in build(number="+1 (201) 555-0123"); see Scheme.build. number, extension and
        phone_context may have separators, and params may be in any order."""
        for name, plain in (("number", plain_number), ("extension", plain_number), ("phone_context", plain_context)):
            if parts.get(name) is not None:
                parts[name] = plain(parts[name])
        if parts.get("params") is not None:
            parts["params"] = in_order(parts["params"])
        return super().build(scheme=scheme, fragment=fragment, **parts)

    def write_parts(self, parts: Any) -> str:
        own = (("ext", parts.extension), ("isub", parts.isdn_subaddress), ("phone-context", parts.phone_context))
        given = [(name, value) for name, value in own if value is not None]
        number = (parts.number or "") + (parts.post_dial or "")
        return written_subscriber(number, [*given, *(parts.params or ())])
