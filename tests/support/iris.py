"""IRIs made from the ABNF of RFC 3987 section 2.2, and a regular expression made from it, as an oracle."""

from __future__ import annotations

import ipaddress
import random
import re
from collections.abc import Callable

# the ranges of ucschar and iprivate, as the RFC writes them, without what its section 4.1 forbids
_UCSCHAR = [(0xA0, 0xD7FF), (0xF900, 0xFDCF), (0xFDF0, 0xFFEF)] + [
    (plane * 0x10000 + (0x1000 if plane == 14 else 0), plane * 0x10000 + 0xFFFD) for plane in range(1, 15)
]
_IPRIVATE = [(0xE000, 0xF8FF), (0xF0000, 0xFFFFD), (0x100000, 0x10FFFD)]
_FORBIDDEN = {0x200E, 0x200F, *range(0x202A, 0x202F)}


def _class(ranges: list[tuple[int, int]]) -> str:
    return "".join(f"{chr(first)}-{chr(last)}" for first, last in ranges)


_FORMATTING = "\u200e\u200f\u202a-\u202e"
_UCS = f"(?![{_FORMATTING}])[{_class(_UCSCHAR)}]"
_PCT = "%[0-9A-Fa-f]{2}"
_SUB = "!$&'()*+,;="
_UNRESERVED = f"(?:[A-Za-z0-9\\-._~]|{_UCS})"
_PCHAR = f"(?:{_UNRESERVED}|{_PCT}|[{_SUB}:@])"
_QUERY = f"(?:{_PCHAR}|[{_class(_IPRIVATE)}/?])*"
_FRAGMENT = f"(?:{_PCHAR}|[/?])*"
_REG_NAME = f"(?:{_UNRESERVED}|{_PCT}|[{_SUB}])*"
_USERINFO = f"(?:{_UNRESERVED}|{_PCT}|[{_SUB}:])*"
_LITERAL = rf"\[(?:[vV][0-9A-Fa-f]+\.[A-Za-z0-9\-._~{_SUB}:]+|(?P<six>[0-9A-Fa-f:.]+))\]"
_AUTHORITY = f"(?:{_USERINFO}@)?(?:{_LITERAL}|{_REG_NAME})(?::[0-9]*)?"
_ABEMPTY = f"(?:/{_PCHAR}*)*"
_ABSOLUTE = f"/(?:{_PCHAR}+(?:/{_PCHAR}*)*)?"
_ROOTLESS = f"{_PCHAR}+(?:/{_PCHAR}*)*"
_NOSCHEME = f"(?:{_UNRESERVED}|{_PCT}|[{_SUB}@])+(?:/{_PCHAR}*)*"
_TAIL = rf"(?:\?{_QUERY})?(?:#{_FRAGMENT})?"
_IRI = re.compile(f"[A-Za-z][A-Za-z0-9+.\\-]*:(?://{_AUTHORITY}{_ABEMPTY}|{_ABSOLUTE}|{_ROOTLESS}|){_TAIL}")
_RELATIVE = re.compile(f"(?://{_AUTHORITY}{_ABEMPTY}|{_ABSOLUTE}|{_NOSCHEME}|){_TAIL}")


def is_in_grammar(text: str, reference: bool) -> bool:
    """Return whether a text is an IRI or, with reference, an IRI or a relative reference."""
    found = _IRI.fullmatch(text) or (_RELATIVE.fullmatch(text) if reference else None)
    if found is None or found["six"] is None:
        return found is not None
    try:
        ipaddress.IPv6Address(found["six"])
    except ValueError:
        return False
    return True


def draw_iri(rng: random.Random) -> tuple[str, bool, Callable[[str, bool], bool]]:
    """Return an IRI reference that the ABNF generates, whether it is only a relative reference, and the oracle."""

    def wide(ranges: list[tuple[int, int]]) -> str:
        while True:
            code = rng.choice([rng.randint(*rng.choice(ranges)), rng.choice(rng.choice(ranges))])
            if code not in _FORBIDDEN:
                return chr(code)

    def run(more: str, least: int = 0, private: bool = False) -> str:
        made = ""
        for _ in range(rng.randint(least, 4)):
            kind = rng.randrange(8)
            if kind == 0:
                made += f"%{rng.randrange(256):02{rng.choice('xX')}}"
            elif kind == 1:
                made += wide(_UCSCHAR)
            elif kind == 2 and private:
                made += wide(_IPRIVATE)
            else:
                made += rng.choice("abZ09-._~" + _SUB + more)
        return made

    def authority() -> str:
        host = rng.choice([run(""), run(""), "[::1]", "[1:2:3:4:5:6:7:8]", "[::ffff:1.2.3.4]", "[v1F.a:b]"])
        return f"//{rng.choice(['', run(':') + '@'])}{host}{rng.choice(['', ':', ':80', ':99999'])}"

    def segments() -> str:
        return "".join(f"/{run(':@')}" for _ in range(rng.randrange(4)))

    relative = rng.random() < 0.4
    scheme = "" if relative else rng.choice("aZ") + "".join(rng.choice("a0+.-") for _ in range(rng.randrange(3))) + ":"
    shape = rng.randrange(4)
    if shape == 0:
        text = scheme + authority() + segments()
    elif shape == 1:
        text = scheme + "/" + rng.choice(["", run(":@", 1) + segments()])
    elif shape == 2:
        text = scheme + run("@" if relative else ":@", 1) + segments()
    else:
        text = scheme
    text += rng.choice(["", "?" + run(":@/?", private=True)]) + rng.choice(["", "#" + run(":@/?")])
    return text, relative, is_in_grammar
