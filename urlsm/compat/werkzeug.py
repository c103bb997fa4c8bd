"""Creates Werkzeug's Request.args, an ImmutableMultiDict, from a query, in C. Nothing in Werkzeug is replaced."""

from __future__ import annotations

from werkzeug import urls as _urls  # noqa: F401  (registers the error handler below)
from werkzeug.datastructures import ImmutableMultiDict

from urlsm.stdlib._parse import fill

__all__ = ["args"]

_ERRORS = "werkzeug.url_quote"  # the name of an error handler: octets that are not UTF-8 stay escaped


def args(query: str | bytes) -> ImmutableMultiDict[str, str]:
    """Return the value of `werkzeug.Request.args` for a query, created in C. Nothing in Werkzeug is replaced.

    Args:
        query: the query as str, or the bytes `Request.query_string`.

    Raises:
        UnicodeDecodeError: the bytes are not UTF-8, as in Werkzeug.

    Example:
        >>> args("a=1&a=2").getlist("a")
        ['1', '2']
    """
    made: ImmutableMultiDict[str, str] = ImmutableMultiDict.__new__(ImmutableMultiDict)
    fill(made, query if isinstance(query, str) else query.decode(), _ERRORS)
    return made
