"""Targets of requests: segments that servers read differently, in plain and in odd spellings, near protected names.

Two thirds have nothing that most servers refuse, so that each is asked about paths that it serves; half of these have
neither plain dot segments nor two slashes in a row, for which Go's ServeMux redirects.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

# fmt: off
NAMES = (b"admin admin admin admin x a b.c api users administrator Admin ADMIN admi admin. health ~u a-b_c x:y a@b a+b "
         b"a=b&c a,b (a) !$'* ... .a a. ..a a..").split()
DOTS = b". .. .. %2e %2E %2e%2e .%2e %2e. %2E%2E".split()
DOTS_ESCAPED = b"%2e %2E %2e%2e .%2e %2e. %2E%2E".split()
PARAMETERS = b"; ;x ;a=b ;jsessionid=1 ;x;y".split()
DOTTED = b"..; ..;x .; ..;a=b %2e%2e; ..%3b ;.. ;/.. ..%00 ..%20 %2e%2e%3bx".split()
TWICE = b"%252e %252e%252e %252f %252F %255c %2525 %253b %2561dmin %2500 %25".split()
SLASHES = b"// /// /./ /../".split()
DETOURS = [b"", *rb"/x/.. /. / /x/%2e%2e /; /x/..; /.;x /x%2f.. /x\.. /%2e".split()]
ODD_SLASHES = rb"%2f %2F \ %5c %5C %2f%2f /%2f %2f/ \\ %c0%af %ef%bc%8f".split()
ESCAPES = (b"%20 %21 %23 %24 %26 %2b %2B %2c %3a %3A %3d %40 %7e %7E %22 %3c %3C %5b %7c %c3%a9 %C3%A9 %e2%82%ac "
           b"%F0%9F%98%80 %2d %61 %41 %5f").split()
HARSH = (rb"""%00 %0a %0A %0d %09 %1f %7f %3b %3f %3F %80 %ff %FF %c3 %c3%28 %e2%82 %ed%a0%80 %c0%80 %f5%80%80%80 """
         rb"""% %zz %4 %4g %u0061 %%61 # #x #/../admin | " < > ^ ` { } [ ] \ """).split()
OCTETS = [bytes([octet]) for octet in (*range(10), *range(11, 32), 0x7F, 0x80, 0xA0, 0xC3, 0xE9, 0xFF)]
CHARACTERS = [character.encode() for character in ("é", "€", "\uff0f", "\uff0e", "\uff41")]  # "/", "." and "a", wide
ENDS = [b"", b"", b"", *b"/ /. /.. /%2e // /; %2f /%2e%2e %0a ; /./ .".split()]
QUERIES = b"? ?q ?q=1&r=/../admin ?a=%2f%zz ?/../.. ?a?b ?a#b ?%00 ?; ?a=%c3%a9 ?//".split()
ALPHABET = b"//////..;;\\%%%%+#?:@aA0125fFeEcCbdmin"
PREFIXES = b"http://h.example HTTP://h.example https://h.example:443 http://u:p@h.example http:".split()
# fmt: on


def escaped(text: bytes, rng: random.Random) -> bytes:
    """Return the text with some octets as escapes, a few of them twice."""
    made = bytearray()
    for octet in text:
        if octet != 0x25 and rng.random() < 0.25:
            escape = b"%%%02x" % octet
            escape = escape.upper() if rng.random() < 0.4 else escape
            made += b"%25" + escape[1:] if rng.random() < 0.15 else escape
        else:
            made.append(octet)
    return bytes(made)


def segment(rng: random.Random, calm: bool, clean: bool) -> bytes:
    kind = rng.random()
    if kind < 0.42:
        made = rng.choice(NAMES)
        if rng.random() < 0.3:
            made = escaped(made, rng)
    elif kind < 0.56:
        made = rng.choice(DOTS_ESCAPED if clean else DOTS)
    elif kind < 0.62:
        made = rng.choice(TWICE)
    elif kind < 0.76:
        made = rng.choice(NAMES) + rng.choice(ESCAPES) + rng.choice((b"", *NAMES))
    elif kind < 0.85:
        made = rng.choice(NAMES) + rng.choice(PARAMETERS)
    elif kind < 0.91 and not clean:
        made = rng.choice(DOTTED)
    else:
        made = rng.choice(NAMES) if clean else b""
    if not calm and rng.random() < 0.18:
        odd = rng.choice(rng.choice((HARSH, HARSH, HARSH, ODD_SLASHES, ODD_SLASHES, OCTETS, CHARACTERS)))
        at = rng.randint(0, len(made))
        made = made[:at] + odd + made[at:]
    return made


def path(rng: random.Random, calm: bool, clean: bool) -> bytes:
    made = b""
    for _ in range(rng.choice((1, 1, 2, 2, 2, 3, 3, 4, 5))):
        if clean or rng.random() < 0.8:
            made += b"/"
        elif calm or rng.random() < 0.6:
            made += rng.choice(SLASHES)
        else:
            made += rng.choice(ODD_SLASHES)
        made += segment(rng, calm, clean)
    if rng.random() < 0.3:
        made += rng.choice((b"", b"/", b"/%2e", b"/;") if clean else ENDS)
    return made


def near_admin(rng: random.Random, calm: bool, clean: bool) -> bytes:
    """Return a path to /admin, or to something much like it."""
    made = b"" if clean else rng.choice(DETOURS)
    made += b"/" + (
        escaped(b"admin", rng) if rng.random() < 0.5 else rng.choice((b"admin", b"admin", b"ADMIN", b"Admin"))
    )
    if not calm:
        made += rng.choice(rng.choice((HARSH, ODD_SLASHES, PARAMETERS, DOTTED)))
    if rng.random() < 0.5:
        made += b"/" + segment(rng, calm, clean)
    return made + rng.choice((b"", b"/", b"%0a", b";x", b"?q") if clean else ENDS)


def target(rng: random.Random) -> bytes:
    kind = rng.random()
    mood = rng.random()
    calm, clean = mood < 0.65, mood < 0.35
    if kind < 0.15:
        made = near_admin(rng, calm, clean)
    elif kind < 0.9:
        made = path(rng, calm, clean)
        if rng.random() < 0.35:  # deep enough not to climb above the root, which several servers refuse
            made = b"/x/y/z" + made
    else:
        made = b"/" + bytes(rng.choices(ALPHABET, k=rng.randrange(12)))
    if rng.random() < 0.2:
        made += rng.choice(QUERIES)
    odd = rng.random()
    if odd < 0.02:
        made = rng.choice(PREFIXES) + made
    elif odd < 0.03:
        made = made.lstrip(b"/") or b"*"
    elif not made.startswith(b"/"):
        made = b"/" + made
    return made


def targets(count: int, seed: int) -> Iterator[bytes]:
    """Yield so many targets, all different; a seed makes the same ones."""
    rng = random.Random(seed)
    seen: set[bytes] = set()
    while len(seen) < count:
        made = target(rng)
        if made not in seen:
            seen.add(made)
            yield made
