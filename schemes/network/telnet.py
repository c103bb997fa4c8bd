"""telnet (RFC 4248)."""

from __future__ import annotations

from urlsm.schemes.contract import ServerParts
from urlsm.schemes.generic import Scheme
from urlsm.schemes.rfc1738 import WithoutQuery

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

__all__ = ["StrictTelnet", "Telnet"]


class Telnet(Scheme[ServerParts]):
    """telnet://<user>:<password>@<host>:<port>/, where "the final "/" character may be omitted"."""

    names: ClassVar[tuple[str, ...]] = ("telnet",)
    title = "Interactive session"
    reference = "RFC 4248 section 2"
    example = "telnet://guest@host.example.org:2323/"
    default_port: ClassVar[int | None] = 23
    authority = "required"
    host = "required"
    hierarchical = False
    path = "root"
    query = "forbidden"
    fragment = "ignored"
    empty_path_is_root = True
    forbidden_escapes = "\r\n"  # a line break would be typed into the session

    def write_parts(self, parts: Any) -> str:
        return super().write_parts(parts) + "/"


class StrictTelnet(WithoutQuery[ServerParts], Telnet):
    """telneturl = "telnet://" login [ "/" ]"""


Telnet.strict = StrictTelnet
