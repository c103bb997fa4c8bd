"""The record of choices that a profile is: its fields, their values, and what each means.

A profile's answers are a promise: a named profile never changes; a change gets a new name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from urlsm.crawler.rulebook import Rulebook

if TYPE_CHECKING:
    from urlsm.url.value import StrOrURL

__all__ = ["CHOICES", "DEFAULTS", "Profile", "choice"]

# What a field may be: one of these words, in the order of its enum in rules.pxd.
CHOICES: dict[str, tuple[str, ...]] = {
    "trim": ("nothing", "c0-space", "whitespace"),
    "scheme_sign": (":", ":/", "listed"),
    "backslashes": ("keep", "special", "refuse"),
    "authority": ("last-at", "first-at", "whole"),
    "brackets": ("any", "paired", "whole"),
    "ports": ("any", "16-bit", "after-colons"),
    "host_required": ("no", "or-rest", "yes"),
    "scheme": ("lower", "keep", "http", "drop"),
    "userinfo": ("keep", "requote", "drop"),
    "host_unescape": ("nothing", "once", "unreserved", "repeatedly"),
    "idna": ("none", "2003", "nfkc-2003", "2003-ignoring", "uts46"),
    "dots": ("keep", "trailing", "pairs", "squeeze"),
    "ipv4": ("keep", "inet_aton", "four", "any"),
    "ipv6": ("keep", "rfc5952", "bare", "bare-without-dots", "bracketed"),
    "host_case": ("keep", "lower", "lower-escapes", "lower-name"),
    "host_others": ("keep", "encode", "refuse"),
    "www": ("keep", "one", "all"),
    "port": ("keep", "drop-default", "drop-http-default", "drop-http-default-and-0", "drop"),
    "no_authority": ("nothing", "urllib", "urllib-3.11", "whatwg"),
    "path_unescape": ("nothing", "once", "unreserved", "repeatedly"),
    "empty_path": ("keep", "slash", "slash-after-host-or-before-query", "slash-before-special-query"),
    "resolve": ("nothing", "rfc3986", "wayback"),
    "trailing_slash": ("keep", "strip-unless-root", "strip"),
    "query": ("keep", "drop"),
    "fields": ("raw", "form"),
    "blanks": ("keep", "drop", "bare"),
    "query_unescape": ("nothing", "once", "unreserved", "repeatedly"),
    "sort": ("nothing", "pairs", "names", "decoded-names"),
    "fragment": ("drop", "keep", "routes"),
    "form": ("url", "surt", "bare"),
}

# Every field, and the value it has where none is given.
DEFAULTS: dict[str, Any] = {
    # --- the text
    "empty": None,  # the key of an empty text; None: it is read like others
    "verbatim": (),  # texts that are their own keys; a "*" at the end: all that begin so
    "trim": "c0-space",  # what goes at the ends
    "remove_tabs": True,  # TAB, LF and CR go everywhere
    "fragment_first": False,  # the fragment is cut off before anything else
    "unescape_first": False,  # all escapes are decoded, repeatedly, before the split
    "scheme_sign": ":",  # what must follow a scheme for it to be one
    "default_scheme": "",  # the scheme of a text without one
    "schemes": (),  # the schemes that are read; (): all
    "repair_schemes": False,  # of "http://https://" the last counts
    "many_slashes": False,  # of "http:////host" two slashes stay
    "backslashes": "keep",  # "special": they are "/" in the authority and path of the special schemes
    # --- the split
    "dialect": "stdlib",
    "authority": "last-at",  # where user information ends; "whole": what follows it is all host
    "host_from_path": False,  # http without a host takes the first segment of the path
    "params": (),  # the schemes in which ";" and what follows in the path's last segment stays as it is
    "brackets": "any",
    "ports": "any",
    "nfkc_refused": "",  # what NFKC of the authority must not bring in
    "host_required": "no",
    # --- the authority
    "scheme": "lower",  # dropped from a SURT without a host it stays as it is
    "userinfo": "keep",
    "userinfo_set": "",
    "host_unescape": "nothing",
    "idna": "none",
    "idna_required": False,  # a host that IDNA refuses is refused; else it stays
    "dots": "keep",
    "ipv4": "keep",
    "ipv6": "keep",
    "host_case": "lower",
    "host_set": None,  # ASCII octets kept beside the unreserved ones; None: all octets
    "host_others": "keep",
    "www": "keep",
    "www_needs_dot": False,  # only where another dot follows
    "port": "keep",
    "no_authority": "nothing",  # what is written in place of an authority
    "netloc_schemes": (),  # for urllib: the schemes before whose paths it writes "//"
    # --- the path
    "path_unescape": "nothing",
    "path_keep": "",  # octets whose escapes stay, in upper case
    "path_set": "!$&'()*+,;=:@/%",  # octets kept beside the unreserved ones, others are encoded; None: all octets
    "params_set": "!$&'()*+,;=:@/%",
    "empty_path": "keep",
    "resolve": "nothing",  # dot segments
    "merge_slashes": False,
    "path_lower": False,
    "path_sessions": False,  # folders with session identifiers go
    "trailing_slash": "keep",
    # --- the query
    "query": "keep",
    "split_fields": True,
    "fields": "raw",
    "separators": "&",  # the first is written; a second one may separate too
    "empty_fields": True,  # "&&"; False: they go
    "nameless": True,  # "=1"; False: they go
    "blanks": "keep",  # "a="; "bare": becomes "a"
    "query_unescape": "nothing",
    "query_set": "!$&'()*+,;=:@/?%",
    "special_query_set": None,  # of the URL Standard's special schemes; None: the same
    "query_lower": False,
    "query_sessions": False,
    "empty_query": False,  # "?" alone stays
    "sort": "nothing",
    "sorted_schemes": (),  # the schemes whose queries have fields; (): all
    "remove": (),  # names of fields that go; a "*" at the end: all that begin so
    # --- the rest
    "fragment": "drop",
    "fragment_set": "!$&'()*+,;=:@/?%",
    "form": "url",
    "trailing_comma": False,  # of a SURT
    "reverse_addresses": True,  # IPv4 addresses too, in a SURT
}


_MAY_BE_NONE = ("empty", "host_set", "path_set", "special_query_set")


def choice(name: str, value: object) -> int:
    """The place of a field's value in its enum."""
    return CHOICES[name].index(value)


def _checked(name: str, value: Any) -> Any:
    """The value of a field, a list as a tuple. ValueError: not a value that the field can have."""
    if name in CHOICES:
        if value not in CHOICES[name]:
            raise ValueError(f"{name} is one of {', '.join(CHOICES[name])}, not {value!r}")
        return value
    default = DEFAULTS[name]
    if isinstance(default, tuple):
        if isinstance(value, str) or not all(isinstance(item, str) for item in value):
            raise ValueError(f"{name} is a sequence of str, not {value!r}")
        return tuple(value)
    if isinstance(default, bool):
        if not isinstance(value, bool):
            raise ValueError(f"{name} is True or False, not {value!r}")
        return value
    if not (isinstance(value, str) and value.isascii()) and not (value is None and name in _MAY_BE_NONE):
        raise ValueError(f"{name} is ASCII text, not {value!r}")
    return value


class Profile:
    """How a URL becomes a key: a frozen record of choices, hashable, equal and pickled by its fields.

    Profile(**fields) takes any of `fields()`; the rest have defaults. ValueError: an unknown name, or a value that the
    field cannot have. A profile made so has no name; urlsm.crawler.profile gives those that have one.
    """

    __slots__ = ("_fields", "_name", "rulebook")
    _fields: dict[str, Any]
    _name: str | None
    rulebook: Rulebook

    def __init__(self, **fields: Any) -> None:
        unknown = [name for name in fields if name not in DEFAULTS]
        if unknown:
            raise ValueError(f"unknown field of a profile: {', '.join(unknown)}; the fields are {', '.join(DEFAULTS)}")
        made = {name: _checked(name, fields[name]) if name in fields else value for name, value in DEFAULTS.items()}
        object.__setattr__(self, "_fields", made)
        object.__setattr__(self, "_name", None)
        object.__setattr__(self, "rulebook", Rulebook(made, choice))

    @property
    def name(self) -> str | None:
        """The profile's name; None where it was composed."""
        return self._name

    def fields(self) -> dict[str, Any]:
        """Each field's name and value."""
        return dict(self._fields)

    def replace(self, **fields: Any) -> Profile:
        """Another profile, with these fields. ValueError: an unknown name, or a value that the field cannot have."""
        return Profile(**{**self._fields, **fields})

    def canonicalize(self, url: StrOrURL, *, base: StrOrURL | None = None, encoding: str | None = None) -> str:
        """The key of a URL; see urlsm.crawler.canonicalize."""
        from urlsm.crawler.canonical import canonicalize

        return canonicalize(url, self, base=base, encoding=encoding)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Profile is frozen: {name} cannot be set; replace makes another Profile")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a Profile is frozen: {name} cannot be deleted")

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
    """A profile with a name."""
    made = Profile(**fields)
    object.__setattr__(made, "_name", name)
    return made
