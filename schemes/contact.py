"""The base class for schemes that contact people: mailto, sip, tel, sms."""

from __future__ import annotations

import re

from urlsm.components.value import Components
from urlsm.schemes.characters import LABEL, MARKED
from urlsm.schemes.contract import P
from urlsm.schemes.generic import Scheme

__all__ = ["DOMAIN_NAME", "LINE_BREAK", "PARAMETER", "Contact"]

PARAMETER = MARKED + "[]/:&+$"  # paramchar = param-unreserved / unreserved / pct-encoded
# domainname = *( domainlabel "." ) toplabel [ "." ]
DOMAIN_NAME = re.compile(rf"(?:{LABEL}\.)*(?![0-9]){LABEL}\.?")
LINE_BREAK = re.compile("(?:%0[ADad])+")


class Contact(Scheme[P]):
    """A scheme that has no authority and no dot segments, and in which a fragment has no meaning."""

    hierarchical = False
    authority = "forbidden"
    fragment = "ignored"

    def address(self, components: Components) -> str:
        """Return the path, preceded by the authority if there is one. Many links have an authority, although they
        should not (tel://+15550100)."""
        return components.path or "" if components.host is None else f"{components.authority}{components.path}"
