"""The base of the schemes that reach people: mailto, sip, tel, sms."""

from __future__ import annotations

import re

from urlsm.components.value import Components
from urlsm.schemes.generic import Scheme

__all__ = ["LINE_BREAK", "Contact"]

LINE_BREAK = re.compile("(?:%0[ADad])+")


class Contact(Scheme):
    """A scheme without authority and dot segments, in which a fragment means nothing."""

    hierarchical = False
    authority = "forbidden"
    fragment = "ignored"

    def address(self, c: Components) -> str:
        """The path, after an authority that should not be there, as in the tel://+15550100 of many links."""
        return c.path or "" if c.host is None else f"{c.authority}{c.path}"
