"""The class Profile, which checks the values of a profile's fields.

A named profile always gives the same keys: it never changes. A profile with other values gets a new name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from urlsm.crawler.keys import Rulebook
from urlsm.crawler.rules import CHOICES, DEFAULTS, TABLE

if TYPE_CHECKING:
    from urlsm.url.value import StrOrURL

__all__ = ["Profile", "named"]

_MAY_BE_NONE = {rule.name for rule in TABLE if rule.may_be_none}


def _check(name: str, value: Any) -> Any:
    """Return the value of a field; a list becomes a tuple. Raises ValueError if the field cannot have this value, and
    TypeError for a str instead of a sequence."""
    if name in CHOICES:
        if value not in CHOICES[name]:
            raise ValueError(f"{name} must be one of {', '.join(CHOICES[name])}, not {value!r}")
        return value
    default = DEFAULTS[name]
    if isinstance(default, tuple):
        if isinstance(value, str | bytes):
            raise TypeError(f"{name} must be a sequence of str, not {type(value).__name__}")
        if not all(isinstance(item, str) for item in value):
            raise ValueError(f"{name} must be a sequence of str, not {value!r}")
        return tuple(value)
    if isinstance(default, bool):
        if not isinstance(value, bool):
            raise ValueError(f"{name} must be True or False, not {value!r}")
        return value
    if not (isinstance(value, str) and value.isascii()) and not (value is None and name in _MAY_BE_NONE):
        raise ValueError(f"{name} must be ASCII text, not {value!r}")
    return value


class _Signature:
    """The attribute __signature__ of the class Profile, with a keyword for each field. It is created when help() or an
    editor needs it."""

    def __get__(self, owner: object, kind: object = None) -> Any:
        if owner is not None:
            raise AttributeError("__signature__")
        from inspect import Parameter, Signature

        fields = [Parameter(rule.name, Parameter.KEYWORD_ONLY, default=rule.default) for rule in TABLE]
        return Signature(fields)


class Profile:
    """The rules that turn a URL into a key. A Profile is immutable. Equality and hash depend on its fields, not its
    name.

    Profile(...) accepts the fields as keyword arguments; fields that you omit have their default values. The profile
    reference explains each field. `urlsm.crawler.profile` returns a named profile; `replace` returns a copy with some
    fields changed.

    Raises:
        ValueError: a field does not exist, or its value is not allowed.

    Example:
        >>> shop = profile("urlsm-1").replace(remove_params=["sid"], www="one")
        >>> shop.canonicalize("http://www.shop.example/?sid=1&id=2")
        'http://shop.example/?id=2'
    """

    __slots__ = ("_fields", "_name", "rulebook")
    _fields: dict[str, Any]
    _name: str | None
    rulebook: Rulebook
    __module__ = "urlsm.crawler"
    __signature__ = _Signature()

    def __init__(self, **fields: Any) -> None:
        unknown = [name for name in fields if name not in DEFAULTS]
        if unknown:
            raise ValueError(f"unknown profile field: {', '.join(unknown)}; the fields are {', '.join(DEFAULTS)}")
        made = {name: _check(name, fields[name]) if name in fields else value for name, value in DEFAULTS.items()}
        object.__setattr__(self, "_fields", made)
        object.__setattr__(self, "_name", None)
        object.__setattr__(self, "rulebook", Rulebook(made))

    @property
    def name(self) -> str | None:
        """The profile's name; None for a profile that was created from fields."""
        return self._name

    @property
    def dates(self) -> dict[str, str]:
        """The dates of the tables that the keys depend on, by the tables' names in `urlsm.about.tables`.

        Example:
            >>> profile("urlsm-1").replace(remove_params=TRACKERS).dates["trackers"]
            '2026-11-22'
        """
        from urlsm.crawler.trackers import ABOUT as trackers
        from urlsm.crawler.trackers import TRACKERS
        from urlsm.unicode.encoding import ABOUT as encodings
        from urlsm.unicode.idna import ABOUT as domains

        tables: dict[str, Any] = {**encodings}
        if self._fields["idna"] == "uts46" or self._fields["dialect"] == "whatwg":
            tables["domain names"] = domains["domain names"]
        if not TRACKERS.keys().isdisjoint(self._fields["remove_params"]):
            tables |= trackers
        return {name: str(said["date"]) for name, said in tables.items()}

    def fields(self) -> dict[str, Any]:
        """Return a dict with the name and value of each field.

        Example:
            >>> profile("urlsm-1").fields()["dialect"]
            'whatwg'
        """
        return dict(self._fields)

    def replace(self, **fields: Any) -> Profile:
        """Return a copy of this profile with different values for some fields. The copy has no name.

        Args:
            fields: the fields to change, as keyword arguments.

        Raises:
            ValueError: a field does not exist, or its value is not allowed.

        Example:
            >>> profile("urlsm-1").replace(fragment="keep").canonicalize("http://h/#a")
            'http://h/#a'
        """
        return Profile(**{**self._fields, **fields})

    def canonicalize(self, url: StrOrURL, *, base: StrOrURL | None = None, encoding: str | None = None) -> str:
        """Return the key of a URL under this profile, like urlsm.crawler.canonicalize.

        Args:
            url: str, bytes or URL.
            base: the URL against which a relative reference is resolved first.
            encoding: the encoding of the page that contains the URL. None: UTF-8.

        Raises:
            ParseError: the profile rejects the URL, or `base` is not a URL.
            ValueError: the encoding is not a superset of ASCII.
            LookupError: the encoding is unknown.
            TypeError: `url` is not str, bytes or URL.

        Example:
            >>> profile("surt").canonicalize("http://www.example.org/")
            'org,example)/'
        """
        from urlsm.crawler.canonical import canonicalize

        return canonicalize(url, self, base=base, encoding=encoding)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Profile is immutable: to get a changed copy, call replace({name}=...)")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a Profile is immutable: {name} cannot be deleted")

    def __eq__(self, other: object) -> bool:
        return self._fields == other._fields if isinstance(other, Profile) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self._fields.values()))

    def __repr__(self) -> str:
        if self._name is not None:
            return f"<Profile {self._name}>"
        changed = ", ".join(f"{name}={value!r}" for name, value in self._fields.items() if value != DEFAULTS[name])
        return f"Profile({changed})"

    def __reduce__(self) -> tuple[object, ...]:
        changed = {name: value for name, value in self._fields.items() if value != DEFAULTS[name]}
        return named, (self._name, changed)

    def __copy__(self) -> Profile:
        return self

    def __deepcopy__(self, memo: object) -> Profile:
        return self


def named(name: str | None, fields: dict[str, Any]) -> Profile:
    """Return a profile with these fields and this name."""
    made = Profile(**fields)
    object.__setattr__(made, "_name", name)
    return made
