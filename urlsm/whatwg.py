"""The browser's API of the URL Standard, in snake_case: URL with setters, and URLSearchParams.

https://url.spec.whatwg.org/#api

A text is str, and a lone surrogate in it counts as U+FFFD (Web IDL's USVString). Two URL or URLSearchParams
objects are equal only if they are the same, as in a browser: both can change. str(a) == str(b) compares texts.
"""

from __future__ import annotations

from urlsm.edit import set_component, set_query
from urlsm.errors import ParseError
from urlsm.query import parse_form, scalar_values, serialize_form
from urlsm.url import URL as _ImmutableURL
from urlsm.url import can_parse, masked, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Protocol

    class _Mapping(Protocol):
        def items(self) -> Iterable[tuple[str, str]]: ...

    class _HasHref(Protocol):
        @property
        def href(self) -> str: ...


__all__ = ["URL", "ParseError", "URLSearchParams", "domain_to_ascii"]


class URL:
    """A mutable URL.

    https://url.spec.whatwg.org/#url-class

    Every attribute is str and, but for origin, settable; one that is absent is "". A setter ignores a value that
    its component cannot be, as in a browser; only href refuses. A value that is no str is a TypeError.

    Args:
        url: str, or an object with a str attribute href (this class, urlsm.URL). bytes are read as UTF-8.
        base: the same; what a relative url is relative to.

    Raises:
        ParseError: a ValueError; url or base does not parse.
        TypeError: url or base is of another type.
    """

    __slots__ = ("__weakref__", "_search_params", "_url")
    _url: _ImmutableURL
    _search_params: URLSearchParams | None

    def __init__(self, url: str | bytes | _HasHref, base: str | bytes | _HasHref | None = None) -> None:
        self._url = parse(url, base)
        self._search_params = None

    @classmethod
    def parse(cls, url: str | bytes | _HasHref, base: str | bytes | _HasHref | None = None) -> URL | None:
        """The URL, or None where url or base does not parse. https://url.spec.whatwg.org/#dom-url-parse"""
        try:
            return cls(url, base)
        except ParseError:
            return None

    @staticmethod
    def can_parse(url: str | bytes | _HasHref, base: str | bytes | _HasHref | None = None) -> bool:
        """Do url and base parse? https://url.spec.whatwg.org/#dom-url-canparse"""
        return can_parse(url, base)

    def _set(self, name: str, value: str) -> None:
        changed = set_component(self._url, name, scalar_values(value))
        if changed is not None:
            self._url = changed

    @property
    def href(self) -> str:
        """The whole. Setting it raises ParseError, and changes nothing, where the value does not parse.

        https://url.spec.whatwg.org/#dom-url-href
        """
        return self._url.href

    @href.setter
    def href(self, value: str) -> None:
        self._url = parse(scalar_values(value))
        if self._search_params is not None:
            self._search_params._pairs[:] = parse_form(self._url.query or "")

    @property
    def origin(self) -> str:
        """The serialised origin, "null" where it is opaque; read-only. https://url.spec.whatwg.org/#dom-url-origin"""
        return self._url.origin

    @property
    def protocol(self) -> str:
        """The scheme and ":". https://url.spec.whatwg.org/#dom-url-protocol"""
        return self._url.scheme + ":"

    @protocol.setter
    def protocol(self, value: str) -> None:
        self._set("protocol", value)

    @property
    def username(self) -> str:
        """Percent-encoded. https://url.spec.whatwg.org/#dom-url-username"""
        return self._url.username or ""

    @username.setter
    def username(self, value: str) -> None:
        self._set("username", value)

    @property
    def password(self) -> str:
        """Percent-encoded. https://url.spec.whatwg.org/#dom-url-password"""
        return self._url.password or ""

    @password.setter
    def password(self, value: str) -> None:
        self._set("password", value)

    @property
    def host(self) -> str:
        """The host and, unless the port is absent or the scheme's default, ":" and the port.

        https://url.spec.whatwg.org/#dom-url-host
        """
        return self.hostname if self._url.port is None else f"{self.hostname}:{self._url.port}"

    @host.setter
    def host(self, value: str) -> None:
        self._set("host", value)

    @property
    def hostname(self) -> str:
        """The host; IPv6 in brackets. https://url.spec.whatwg.org/#dom-url-hostname"""
        return self._url.host or ""

    @hostname.setter
    def hostname(self, value: str) -> None:
        self._set("hostname", value)

    @property
    def port(self) -> str:
        """Decimal digits; "" for the scheme's default too. https://url.spec.whatwg.org/#dom-url-port"""
        return "" if self._url.port is None else str(self._url.port)

    @port.setter
    def port(self, value: str) -> None:
        self._set("port", value)

    @property
    def pathname(self) -> str:
        """The path. https://url.spec.whatwg.org/#dom-url-pathname"""
        return self._url.path

    @pathname.setter
    def pathname(self, value: str) -> None:
        self._set("pathname", value)

    @property
    def search(self) -> str:
        """The query after a "?"; "" where it is empty. https://url.spec.whatwg.org/#dom-url-search"""
        return f"?{self._url.query}" if self._url.query else ""

    @search.setter
    def search(self, value: str) -> None:
        value = scalar_values(value)
        self._set("search", value)
        # "Set this's query object's list to the result of parsing input", which may hold what the URL lacks (a tab)
        self.search_params._pairs[:] = parse_form(value.removeprefix("?"))

    @property
    def search_params(self) -> URLSearchParams:
        """The query's names and values: always the same object, where a change of either changes the other.

        https://url.spec.whatwg.org/#dom-url-searchparams
        """
        if self._search_params is None:
            self._search_params = URLSearchParams(parse_form(self._url.query or ""))
            self._search_params._owner = self
        return self._search_params

    @property
    def hash(self) -> str:
        """The fragment after a "#"; "" where it is empty. https://url.spec.whatwg.org/#dom-url-hash"""
        return f"#{self._url.fragment}" if self._url.fragment else ""

    @hash.setter
    def hash(self, value: str) -> None:
        self._set("hash", value)

    def to_json(self) -> str:
        """The href. https://url.spec.whatwg.org/#dom-url-tojson"""
        return self._url.href

    def __str__(self) -> str:
        return self._url.href

    def __repr__(self) -> str:
        return f"URL({masked(self._url)!r})"

    def __copy__(self) -> URL:
        copy = type(self).__new__(type(self))
        copy.__setstate__((self._url, None))
        if self._search_params is not None:
            copy.search_params._pairs[:] = self._search_params._pairs
        return copy

    def __getstate__(self) -> tuple[_ImmutableURL, URLSearchParams | None]:
        return self._url, self._search_params

    def __setstate__(self, state: tuple[_ImmutableURL, URLSearchParams | None]) -> None:
        self._url, self._search_params = state


class URLSearchParams:
    """A mutable list of pairs of name and value; url.search_params is one that is kept equal to the URL's query.

    https://url.spec.whatwg.org/#interface-urlsearchparams

    Iteration gives pairs, goes by index, and so sees what is changed meanwhile. A copy belongs to no URL (copy.copy)
    or to a copy of it (copy.deepcopy, pickle).

    Args:
        init: query text (str; one leading "?" is removed), pairs of str, or an object with items() that gives them:
            a mapping of str to str, another URLSearchParams, urlsm.query.QueryParams. None: nothing.

    Raises:
        TypeError: init is of another type, a pair has not exactly two items, a name or value is no str. So do all
            methods for a name or value that is no str.
    """

    __slots__ = ("__weakref__", "_owner", "_pairs")
    _pairs: list[tuple[str, str]]
    _owner: URL | None

    def __init__(self, init: str | Iterable[Iterable[str]] | _Mapping | None = None) -> None:
        self._owner = None
        if init is None:
            self._pairs = []
        elif isinstance(init, str):
            self._pairs = parse_form(str.removeprefix(init, "?"))
        elif isinstance(init, dict):
            # a record: names that become equal as USVString are one name
            self._pairs = list(dict(map(_pair, init.items())).items())
        elif hasattr(init, "items"):
            self._pairs = list(map(_pair, init.items()))
        else:
            self._pairs = list(map(_pair, init))

    def _update(self) -> None:
        """https://url.spec.whatwg.org/#concept-urlsearchparams-update"""
        if self._owner is not None:
            # "If serializedQuery is the empty string, then set serializedQuery to null."
            query = serialize_form(self._pairs).encode("ascii") or None
            self._owner._url = set_query(self._owner._url, query)

    @property
    def size(self) -> int:
        """How many pairs there are. https://url.spec.whatwg.org/#dom-urlsearchparams-size"""
        return len(self._pairs)

    def append(self, name: str, value: str) -> None:
        """Add a pair at the end. https://url.spec.whatwg.org/#dom-urlsearchparams-append"""
        self._pairs.append((scalar_values(name), scalar_values(value)))
        self._update()

    def delete(self, name: str, value: str | None = None) -> None:
        """Remove all pairs of this name, or of this name and value.

        https://url.spec.whatwg.org/#dom-urlsearchparams-delete
        """
        name, wanted = scalar_values(name), None if value is None else scalar_values(value)
        self._pairs[:] = [(n, v) for n, v in self._pairs if n != name or (wanted is not None and v != wanted)]
        self._update()

    def get(self, name: str) -> str | None:
        """The first value of this name. https://url.spec.whatwg.org/#dom-urlsearchparams-get"""
        name = scalar_values(name)
        return next((v for n, v in self._pairs if n == name), None)

    def get_all(self, name: str) -> list[str]:
        """All values of this name. https://url.spec.whatwg.org/#dom-urlsearchparams-getall"""
        name = scalar_values(name)
        return [v for n, v in self._pairs if n == name]

    def has(self, name: str, value: str | None = None) -> bool:
        """Is there a pair of this name, or of this name and value?

        https://url.spec.whatwg.org/#dom-urlsearchparams-has
        """
        found = self.get_all(name)
        return bool(found) if value is None else scalar_values(value) in found

    def set(self, name: str, value: str) -> None:
        """Give the first pair of this name the value and remove the others, or append the pair.

        https://url.spec.whatwg.org/#dom-urlsearchparams-set
        """
        name, value = scalar_values(name), scalar_values(value)
        first = next((k for k, (n, _) in enumerate(self._pairs) if n == name), len(self._pairs))
        self._pairs[first:] = [(name, value), *(pair for pair in self._pairs[first:] if pair[0] != name)]
        self._update()

    def sort(self) -> None:
        """Sort by name, in UTF-16 code units; stable. https://url.spec.whatwg.org/#dom-urlsearchparams-sort"""
        self._pairs.sort(key=lambda pair: pair[0].encode("utf-16-be"))
        self._update()

    def keys(self) -> Iterator[str]:
        """The name of each pair."""
        return (name for name, _ in self._pairs)

    def values(self) -> Iterator[str]:
        """The value of each pair."""
        return (value for _, value in self._pairs)

    def items(self) -> Iterator[tuple[str, str]]:
        """Each pair."""
        return iter(self._pairs)  # a list's iterator goes by index; so all here change the one list in place

    __iter__ = items

    def __len__(self) -> int:
        return len(self._pairs)

    def __str__(self) -> str:
        """The query text, form-encoded. https://url.spec.whatwg.org/#urlsearchparams-stringification-behavior"""
        return serialize_form(self._pairs)

    def __repr__(self) -> str:
        return f"URLSearchParams({self._pairs!r})"

    def __copy__(self) -> URLSearchParams:
        return type(self)(self._pairs)

    def __getstate__(self) -> tuple[list[tuple[str, str]], URL | None]:
        return self._pairs, self._owner

    def __setstate__(self, state: tuple[list[tuple[str, str]], URL | None]) -> None:
        self._pairs, self._owner = state


def _pair(item: Iterable[str]) -> tuple[str, str]:
    """Web IDL: a sequence<USVString> of two."""
    if isinstance(item, str):
        raise TypeError("expected a pair of name and value, not str")
    pair = tuple(map(scalar_values, item))
    if len(pair) != 2:
        raise TypeError(f"expected a pair of name and value, not {len(pair)} items")
    return pair


def domain_to_ascii(domain: str, strict: bool = False) -> str:
    """The domain as a URL's host has it (not its IPv4 and IPv6 forms), by the domain parser.

    https://url.spec.whatwg.org/#concept-domain-to-ascii

    Args:
        domain: Unicode or ASCII text, not percent-encoded.
        strict: the standard's beStrict: also refuse what DNS or STD 3 does not allow, and long labels.

    Raises:
        urlsm.idna.IDNAError: a ValueError; its `reason` names the rule that the domain breaks.
        TypeError: domain is no str.
    """
    from urlsm.idna import parse_domain

    return parse_domain(scalar_values(domain), strict)
