"""The characters of an IRI beyond ASCII (RFC 3987), and their escapes in a URI."""

from __future__ import annotations

import re
from itertools import accumulate

from urlsm.components.value import Components
from urlsm.octets.text import utf8

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from urlsm.schemes.contract import Contract

__all__ = ["FORMATTING", "PRIVATE", "UCSCHAR", "ends_in_uri", "hosts_are_domains", "uri_of"]

# ucschar: without the private use areas, surrogates, noncharacters and tags (section 2.2)
UCSCHAR = "\xa0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef" + "".join(
    [f"{chr(plane + (plane == 0xE0000) * 0x1000)}-{chr(plane + 0xFFFD)}" for plane in range(0x10000, 0xF0000, 0x10000)]
)
PRIVATE = "\ue000-\uf8ff\U000f0000-\U000ffffd\U00100000-\U0010fffd"  # iprivate, which only a query may contain
# "IRIs MUST NOT contain bidirectional formatting characters (LRM, RLM, LRE, RLE, LRO, RLO, and PDF)" (section 4.1)
FORMATTING = "\u200e\u200f\u202a-\u202e"

_NAMES = ("reg-name", "hostname", "domain name")  # the kinds of hosts (host_kind) that are domain names
_WRITTEN_AS_ESCAPES = re.compile(f"[{UCSCHAR}{PRIVATE}]+")


def uri_of(c: Components) -> str:
    """Return an IRI with each ucschar and iprivate as escapes of its UTF-8 (section 3.1, step 2).

    Everything else stays, so what neither an IRI nor a URI may contain is still there.
    """
    return _WRITTEN_AS_ESCAPES.sub(lambda run: "".join([f"%{octet:02X}" for octet in utf8(run[0])]), c.text)


def ends_in_uri(text: str) -> list[int]:
    """Return for each character of an IRI where it ends in the URI that uri_of makes."""
    return [*accumulate(3 * len(utf8(char)) if _WRITTEN_AS_ESCAPES.match(char) else 1 for char in text)]


def hosts_are_domains(scheme: Contract[Any]) -> bool:
    """Return whether the hosts of a handler's schemes are DNS names, which may be internationalised."""
    return scheme.host_case == "fold" and scheme.host_kind.startswith(_NAMES)
