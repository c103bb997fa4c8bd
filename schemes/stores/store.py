"""The code that all stores share: object keys, which their tools use literally, and https URLs for the same objects."""

from __future__ import annotations

import re
from collections.abc import Iterator

from urlsm.components.parts import Parts, decode
from urlsm.components.value import Components, split
from urlsm.errors.rules import Violation
from urlsm.schemes.characters import PCHAR
from urlsm.schemes.generic import Scheme
from urlsm.url.value import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import ClassVar

    from typing_extensions import TypeVar

    from urlsm.url.value import URL, StrOrURL

__all__ = ["PLACE", "Store", "StoreParts", "escaped", "unescaped"]

_KEY = PCHAR + "/?#"
_IN_PATH = PCHAR - "+" + "/"  # S3 reads "+" as a space even in a path
_DOTS = re.compile(r"(?:(?<=/)|\A)(?:\.|%2[Ee]){1,2}(?=[/?#]|\Z)")
_NO_URI = "RFC 3986 does not allow this here, but escaping it would change the key"
_SURROGATE = re.compile("[\ud800-\udfff]")
PLACE = re.compile(r"(?!\.{1,2}\Z)[A-Za-z0-9$._~-]+")  # a bucket or a container that https URLs can name


class StoreParts(Parts):
    """An object in a store.

    Attributes:
        key: the key of the object, as written.

    Example:
        >>> import urlsm
        >>> urlsm.parts("s3://bucket/logs/a.csv", "s3").key
        'logs/a.csv'
    """

    key: str = ""


if TYPE_CHECKING:
    S = TypeVar("S", bound=Parts, default=StoreParts, covariant=True)
else:
    S = StoreParts


class Store(Scheme[S]):
    """A bucket or container, followed by the key of an object. The tools for a store read the key literally: it has no
    escapes, query, fragment or dot segments."""

    hierarchical = False
    authority = "required"
    literal = "key"
    rules: ClassVar[dict[str, str]] = {
        "key-not-unicode": "a key must be valid Unicode: this is a lone surrogate",
        "key-dot-segment": "URL parsers resolve this dot segment and get a different key",
    }

    def key_violations(self, components: Components, start: int) -> Iterator[Violation]:
        """Yield the violations in the key components.text[start:]. Characters that RFC 3986 forbids are only warnings,
        because stores accept them."""
        text = components.text
        surrogate = _SURROGATE.search(text, start)
        if surrogate is not None:
            yield self.violation("key-not-unicode", "path", surrogate.start())
        for code, position in _KEY.faults(text, start):
            yield self.violation(code, "path", position, "warning", _NO_URI)
        for dots in _DOTS.finditer(text[start:]):
            yield self.violation("key-dot-segment", "path", start + dots.start(), "warning")

    # --- https ---

    def from_web_url(self, url: StrOrURL) -> str:
        """Return the URL, in this scheme, for the object that an https or http URL of the store identifies.

        The key is decoded. Signatures and options in the query, and the fragment, are left out, because they do not
        identify the object.

        Args:
            url: the https URL.

        Raises:
            ValueError: the URL does not belong to the store, its key is not UTF-8, or a URL in this scheme cannot
                contain the key.

        Example:
            >>> import urlsm
            >>> urlsm.handler("s3").from_web_url("https://my-bucket.s3.amazonaws.com/a%20b.csv")
            's3://my-bucket/a b.csv'
        """
        found = parse(url)
        parts = self.of_web(found) if found.scheme in ("https", "http") and found.port is None else None
        if parts is None:
            raise ValueError(f"{found.display()} is not a URL for this store ({self.title})")
        text = f"{self.names[0]}:{self.write_parts(parts)}"
        if self.read_parts(split(text, dialect="rfc3986")) != parts:
            raise ValueError(f"no {self.names[0]} URL can contain the key {parts[self.literal]!r}")
        return text

    def of_web(self, url: URL) -> Parts | None:
        """Return the parts for the object that an https URL identifies; None if the URL does not belong to the store.

        Args:
            url: the https URL.
        """
        return None


def escaped(key: str, place: str | None = None) -> str | None:
    """Return the path of the https URL for a key. If place (a bucket or container) is given, the path begins with it.
    Return None if clients would change the path, or if an https URL cannot contain the place."""
    if _DOTS.search(key) or (place is not None and not PLACE.fullmatch(place)):
        return None
    return ("" if place is None else f"{place}/") + _IN_PATH.encode(key)


def unescaped(text: str, *, plus: bool = False) -> str:
    """Return a piece of the path of an https URL, decoded. plus: whether "+" means a space."""
    found = decode(text.replace("+", "%20") if plus else text)
    if _SURROGATE.search(found):
        raise ValueError(f"the path is not UTF-8: {text}")
    return found
