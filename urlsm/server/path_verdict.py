"""The class PathVerdict, which is the result of Paths.check."""

from __future__ import annotations

from urlsm.security.verdict import Verdict

__all__ = ["PathVerdict"]


class PathVerdict(Verdict):
    """The result of Paths.check. It is true only if all hops see the path under the same rule; then `protected` tells
    whether the request needs whatever protects the path.

    Attributes:
        rule: the rule that every hop saw; None if no rule fits, or if the request is rejected.
        protected: whether that rule is in `protected`; True if the request is rejected.
        allowed, final, codes, message, addresses: as in Verdict. The message names hops and rules, and never quotes the
            path.

    Example:
        >>> paths = urlsm.server.Paths(protected=["/admin"], hops=["nginx", "starlette"])
        >>> verdict = paths.check("/admin/users")
        >>> bool(verdict), verdict.protected, verdict.rule
        (True, True, '/admin')
    """

    __module__ = "urlsm.server"

    rule: str | None = None
    protected: bool = True
