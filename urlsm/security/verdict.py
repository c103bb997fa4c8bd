"""What a judge answers: whether something is allowed, and why not; and what it may be given to ask."""

from __future__ import annotations

from urlsm.components.parts import Parts
from urlsm.octets.records import NamedTuple

__all__ = ["PlainAnswers", "UrlSet", "Verdict"]


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


class PlainAnswers(NamedTuple):
    """What a Gate answers where the case is plain.

    Attributes:
        rows: the verdict on an address of each row of addresses.ROWS. public, unallocated: on other addresses. name: on
        a name. other: on a host that is not one of `only`.
        only: the only hosts, or None. public_open: whether what is public is open. more_open: whether other networks
        are. has_prefixes: whether there are prefixes of NAT64. http, https: whether the scheme is open at its own port.
    """

    rows: tuple[Verdict, ...]
    public: Verdict
    unallocated: Verdict
    name: Verdict
    other: Verdict
    only: UrlSet | None
    public_open: bool
    more_open: bool
    has_prefixes: bool
    http: bool
    https: bool
