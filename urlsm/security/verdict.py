"""The class Verdict, which is the result of a security check, and two classes whose objects are passed to such checks
or to the class Gate: UrlSet and PlainAnswers."""

from __future__ import annotations

from urlsm.components.parts import Parts
from urlsm.octets.records import NamedTuple

__all__ = ["PlainAnswers", "UrlSet", "Verdict"]


class Verdict(Parts):
    """The result of a security check. It is true only if both `allowed` and `final` are true.

    Attributes:
        allowed: whether the checked value breaks no rule.
        final: whether no further check is needed. It is false, for example, for an allowed host name that has not been
            resolved.
        codes: the codes of the broken rules, in the order in which they were found.
        message: a human-readable reason; "" if there is none. It never quotes the checked value.
        addresses: the IP addresses that were checked, if names were resolved.

    Example:
        >>> verdict = check_redirect("https://evil.example/", base="https://good.example/")
        >>> bool(verdict), verdict.codes
        (False, ('host-not-allowed',))
    """

    __module__ = "urlsm.security"

    allowed: bool
    final: bool = True
    codes: tuple[str, ...] = ()
    message: str = ""
    addresses: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return self.allowed and self.final


class UrlSet:
    """The base class of PatternSet. Functions that accept a list of allowed hosts also accept such a set of URLs."""

    __slots__ = ()


class PlainAnswers(NamedTuple):
    """The results that a Gate (urlsm.security.plain) returns without calling a method of Policy.

    Attributes:
        rows: for each row of addresses.ROWS, the verdict on its addresses. public: the verdict on addresses without a
        row. unallocated: the verdict on IPv6 addresses that IANA has not allocated. name: the verdict on a name. other:
        the verdict on a host that is not in `only`. only: the hosts that are allowed, or None for all. public_open:
        whether everything public is allowed. more_open: whether other networks are allowed. has_prefixes: whether the
        policy has NAT64 prefixes. http, https: whether the scheme is allowed on its default port.
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
