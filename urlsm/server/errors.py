"""The faults that a request can have: a table of codes, for RequestError and for the results of checking a Host
header."""

from __future__ import annotations

from urlsm.errors import SchemeError
from urlsm.errors.rules import Violation
from urlsm.octets.records import NamedTuple
from urlsm.security.verdict import Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from urlsm._words import Component

__all__ = ["TABLE", "VERDICTS", "Fault", "RequestError", "error_of"]


class Fault(NamedTuple):
    """A row of TABLE: the code, the message, the document that defines the rule, and the status of the response."""

    code: str
    message: str
    reference: str
    status: int = 400


_HOST = "RFC 9110 section 7.2"
_TARGET = "RFC 9112 section 3.2"
_PROXIES = "RFC 7239 section 4"
TABLE = (  # the enum Fault in requests.pyx has the numbers of these rows
    Fault("", "", ""),
    Fault("host-missing", "the request has no Host header", "RFC 9112 section 3.2"),
    Fault("host-repeated", "the request has more than one Host header", "RFC 9112 section 3.2"),
    Fault("host-invalid", "the Host header is not a valid host", _HOST),
    Fault("userinfo-not-allowed", 'the Host header must not contain "user@"', "RFC 9110 section 4.2.4"),
    Fault("ip-literal-invalid", "the brackets do not contain an IPv6 address", "RFC 3986 section 3.2.2"),
    Fault("ipv4-invalid", "programs read this number as different IPv4 addresses", "RFC 3986 section 7.4"),
    Fault("port-invalid", "the port is not a number from 0 to 65535", "RFC 3986 section 3.2.3"),
    Fault("host-not-allowed", "the host is not in the allowed hosts", "RFC 9110 section 7.4", 421),
    Fault("target-form-invalid", "the request target is not valid for this method", _TARGET),
    Fault("character-not-allowed", "this character is not allowed in a request target", _TARGET),
    Fault("scheme-invalid", "the scheme must be http or https", "RFC 9110 section 4.2"),
    Fault(
        "scheme-misdirected",
        "the scheme of the request target is not the scheme of the connection",
        "RFC 9110 section 7.4",
        421,
    ),
    Fault(
        "dot-segments", "some routers resolve this dot segment, others match it as it is", "RFC 3986 section 6.2.2.3"
    ),
    Fault("forwarded-invalid", "the forwarding header is malformed", _PROXIES),
    Fault("forwarded-uneven", "the forwarding headers disagree in length, so the trusted value is unknown", _PROXIES),
    # of Paths
    Fault("hops-disagree", "two programs on the way see the path under different rules", "CWE-436; CWE-177"),
    Fault("hop-refuses", "a program on the way refuses this target, or its routes may not fit it", "CWE-436"),
    Fault("not-forwarded", "a program on the way cannot have sent this target, or does not send it on", "CWE-436"),
    Fault("path-not-canonical", "the path is not in canonical form", "RFC 3986 section 6.2.2"),
    Fault("path-overridden", "X-Original-URL or X-Rewrite-URL may replace the path", "CWE-436"),
)
_BY_CODE = {fault.code: fault for fault in TABLE}
VERDICTS = tuple(
    Verdict(not fault.code, codes=(fault.code,) if fault.code else (), message=fault.message) for fault in TABLE
)


class RequestError(SchemeError):
    """Raised for a request whose URL or host is missing, invalid or contradictory. Respond with `.status`.

    Attributes:
        url: the invalid header value or request target; `position` is an index into it.
        state: "host", "request-target" or "forwarded".
        status: the status code for the response, 400 or 421.

    Example:
        >>> try:
        ...     urlsm.URL.from_request_target("/", host="a@b", scheme="http", method="GET")
        ... except urlsm.server.RequestError as error:
        ...     print(error.code, error.status)
        userinfo-not-allowed 400
    """

    __module__ = "urlsm.server"

    @property
    def status(self) -> int:
        """The status code for the response, 400 or 421.

        Example:
            >>> try: urlsm.URL.from_request_target("/", host=None, scheme="http", method="GET")
            ... except urlsm.server.RequestError as error: error.status
            400
        """
        fault = _BY_CODE.get(self.code)  # the table does not have the codes of the URL Standard's host parser
        return 400 if fault is None else fault.status


def error_of(row: int | str, component: Component, position: int, text: str | bytes) -> RequestError:
    """Return the RequestError for a row of the table. row: the number of the row, or its code."""
    fault = TABLE[row] if isinstance(row, int) else _BY_CODE[row]
    return RequestError(Violation(fault.code, component, position, "fatal", fault.reference, fault.message), text)
