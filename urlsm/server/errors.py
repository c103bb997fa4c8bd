"""The faults that a request can have: a table of codes, for RequestError and for the verdicts on a Host."""

from __future__ import annotations

from urlsm.errors import SchemeError
from urlsm.errors.rules import Violation
from urlsm.octets.records import NamedTuple
from urlsm.security.verdict import Verdict

__all__ = ["TABLE", "VERDICTS", "Fault", "RequestError", "error_of"]


class Fault(NamedTuple):
    """A row of TABLE: the code, the message, the document with the rule, and the status of the response."""

    code: str
    message: str
    reference: str
    status: int = 400


_HOST = "RFC 9110 section 7.2"
_TARGET = "RFC 9112 section 3.2"
_PROXIES = "RFC 7239 section 4"
TABLE = (  # the enum Fault in requests.pyx has the numbers of these rows
    Fault("", "", ""),
    Fault("host-missing", "the request names no host", "RFC 9112 section 3.2"),
    Fault("host-repeated", "the request has more than one Host", "RFC 9112 section 3.2"),
    Fault("host-invalid", "this is not the name of a server", _HOST),
    Fault("userinfo-not-allowed", "user information is not a part of Host", "RFC 9110 section 4.2.4"),
    Fault("ip-literal-invalid", "this is not an IPv6 address in brackets", "RFC 3986 section 3.2.2"),
    Fault("ipv4-invalid", "readers differ on the address that this number is", "RFC 3986 section 7.4"),
    Fault("port-invalid", "this is not a port", "RFC 3986 section 3.2.3"),
    Fault("host-not-allowed", "the host is not one of the server's", "RFC 9110 section 7.4", 421),
    Fault("target-form-invalid", "the request target has none of the four forms, or not that of its method", _TARGET),
    Fault("character-not-allowed", "this character is not allowed in a request target", _TARGET),
    Fault("scheme-invalid", "the scheme is neither http nor https", "RFC 9110 section 4.2"),
    Fault("scheme-misdirected", "the target has another scheme than the connection", "RFC 9110 section 7.4", 421),
    Fault("dot-segments", "routers match this dot segment as it is, or resolve it first", "RFC 3986 section 6.2.2.3"),
    Fault("forwarded-invalid", "the field breaks the grammar of its elements", _PROXIES),
    Fault("forwarded-uneven", "the fields do not tell which value came from a trusted proxy", _PROXIES),
)
_BY_CODE = {fault.code: fault for fault in TABLE}
VERDICTS = tuple(
    Verdict(not fault.code, codes=(fault.code,) if fault.code else (), why=fault.message) for fault in TABLE
)


class RequestError(SchemeError):
    """A request that a server must refuse, because it is not certain what it asks for.

    Attributes: those of ParseError. url is the field or the request target at fault, and position is a position in that
        text. state is "host", "request-target" or "forwarded". status: the status code of the response, 400 or 421.
    """

    @property
    def status(self) -> int:
        fault = _BY_CODE.get(self.code)  # the table does not have the codes of the URL Standard's host parser
        return 400 if fault is None else fault.status


def error_of(row: int | str, component: str, position: int, text: str | bytes) -> RequestError:
    """Return the RequestError for a row of the table. row: the number of the row, or its code."""
    fault = TABLE[row] if isinstance(row, int) else _BY_CODE[row]
    return RequestError(Violation(fault.code, component, position, "fatal", fault.reference, fault.message), text)
