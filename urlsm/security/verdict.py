"""What a judge answers: whether something is allowed, and why not; and the kind of set that it may ask."""

from __future__ import annotations

from urlsm.components.parts import Parts

__all__ = ["UrlSet", "Verdict"]


class Verdict(Parts):
    """The answer of a judge. It is true only if it is allowed and final.

    Attributes:
        allowed: whether nothing speaks against it, as far as the judge saw.
        final: whether the judge saw all that decides. A name, for example, may lead to any address.
        codes: the names of the rules that speak against it, in the order in which they were found.
        why: a sentence for people, without any part of what was judged but a network that would open it, where a wider
            one was given; "" if nothing speaks against it.
        addresses: the addresses that were judged, where the judge asked for some.
    """

    allowed: bool
    final: bool = True
    codes: tuple[str, ...] = ()
    why: str = ""
    addresses: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return self.allowed and self.final


class UrlSet:
    """A set that URLs, and not hosts, are in: PatternSet, which a judge takes in place of a list of hosts."""

    __slots__ = ()
