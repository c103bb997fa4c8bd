"""telnet (RFC 4248)."""

from __future__ import annotations

from urlsm.components.parts import Parts
from urlsm.schemes.contract import ServerParts
from urlsm.schemes.generic import Scheme
from urlsm.schemes.rfc1738 import WithoutQuery

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

__all__ = ["StrictTelnet", "Telnet"]


class Telnet(Scheme):
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
    parts_type: ClassVar[type[Parts]] = ServerParts

    def compose(self, parts: Any) -> str:
        return super().compose(parts) + "/"


class StrictTelnet(WithoutQuery, Telnet):
    """telneturl = "telnet://" login [ "/" ]"""


Telnet.strict = StrictTelnet
