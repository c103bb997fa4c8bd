"""A document's grammar of any scheme: the common base of RFC 1738's genericurl and RFC 2396's appendix A."""

from __future__ import annotations

from urlsm.components.parts import Parts, read_host
from urlsm.components.value import Components
from urlsm.errors import SchemeError
from urlsm.schemes.generic import Scheme

__all__ = ["AnyScheme"]


class AnyScheme(Scheme):
    """A document's grammar of any URL, which checks a text before the scheme's handler reads its meaning."""

    def __init__(self, scheme: Scheme | None = None) -> None:
        self.scheme: Scheme = scheme if scheme is not None else Scheme()

    def seen(self, c: Components) -> Components:
        """Return the components for the handler of the scheme."""
        return c

    def refine(self, c: Components) -> Parts:
        """Return the scheme's parts. A text that the scheme's own grammar forbids gets the parts of any scheme. If its
        authority is not user, host and port, all of it but the user is the host."""
        c = self.seen(c)
        for handler in self.scheme, _ANY:
            try:
                return handler.refine(c)
            except SchemeError:
                continue
        return _ANY.refine(c.replace(host="h", port=None)).__replace__(host=read_host(f"{c.host}:{c.port}"))

    def normalize(self, c: Components) -> Components:
        return self.scheme.normalize(self.seen(c))

    def equivalent(self, a: Components, b: Components) -> bool:
        return self.scheme.equivalent(self.seen(a), self.seen(b))


_ANY = Scheme()
