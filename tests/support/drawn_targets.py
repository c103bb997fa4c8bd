"""Targets of requests that are drawn for the tests of hops."""

from __future__ import annotations

import random

PIECES = [
    *(b"/", b"/", b"/", b"admin", b"a", b".", b"..", b";x", b"\\", b"%", b"+", b"#", b"?", b":", b"@", b"%2e", b"%2F"),
    *(b"%5c", b"%3B", b"%25", b"%252e", b"%2", b"%61", b"%C3%A9", b"%E9", b"%ED%A0%80", b"\xc3\xa9", b"\xe9", b"\x01"),
    *(b"\t", b"\x7f", b"%00", b"%0a", b'"', b"|", b"'", b"(", b"%%", b"2f", b"41", b"A"),
]
CALM = [b"/", b"/", b"admin", b"a", b"b.c", b".d", b"...", b"~", b"-_", b"!$&'()*+,=:@", b"A"]


def drawn(rng: random.Random, pieces: list[bytes] = PIECES) -> bytes:
    return b"/" + b"".join(rng.choices(pieces, k=rng.randrange(10)))


def canonical(rng: random.Random) -> bytes:
    """Return a target that every program reads as it is."""
    segments = [
        b"".join(rng.choices([p for p in CALM if p != b"/"], k=rng.randint(1, 3))) for _ in range(rng.randint(1, 4))
    ]
    path = b"/" + b"/".join(one for one in segments if one not in (b".", b"..")) + rng.choice((b"", b"/"))
    return path.replace(b"//", b"/") + rng.choice((b"", b"", b"?a=b%20c&d=/../x;y?"))
