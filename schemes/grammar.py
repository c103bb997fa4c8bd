"""The base class for grammars that cover URLs of every scheme: RFC 1738's genericurl and RFC 2396's appendix A."""

from __future__ import annotations

from urlsm.components.parts import Parts, read_host
from urlsm.components.value import Components
from urlsm.errors import SchemeError
from urlsm.schemes.generic import Scheme

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["AnyScheme"]


class AnyScheme(Scheme[Parts]):
    """The grammar that one RFC defines for URLs of every scheme. It checks a URL before the handler of the scheme
    interprets it."""

    def __init__(self, scheme: Scheme[Any] | None = None) -> None:
        self.scheme: Scheme[Any] = scheme if scheme is not None else Scheme()

    def seen(self, components: Components) -> Components:
        """Return the components as the handler of the scheme expects them."""
        return components

    def read_parts(self, components: Components) -> Parts:
        """Return the parts that the handler of the scheme reads. If that handler rejects the URL, return the parts
        common to all schemes. If this also fails, because the authority is not user, host and port, use everything
        after the user as the host."""
        components = self.seen(components)
        for handler in self.scheme, _ANY:
            try:
                return handler.read_parts(components)
            except SchemeError:
                continue
        return _ANY.read_parts(components.replace(host="h", port=None)).__replace__(
            host=read_host(f"{components.host}:{components.port}")
        )

    def normalize(self, components: Components) -> Components:
        return self.scheme.normalize(self.seen(components))

    def equivalent(self, a: Components, b: Components) -> bool:
        return self.scheme.equivalent(self.seen(a), self.seen(b))


_ANY = Scheme()
