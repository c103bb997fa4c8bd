"""Random texts of URLs in which readers may see one of several hosts."""

from __future__ import annotations

HOSTS = ["open.example.com", "inside.example.com", "mixed.example.com", "127.0.0.1", "127.77.0.1", "[::1]", "0x7f.1"]
HOSTS += [
    "2130706433",
    "[::ffff:127.0.0.1]",
    "localhost",
    "127\u30020.0.1",
    "127.0.0.%31",
    "[64:ff9b::7f00:1]",
    "a",
    "0",
]
PIECES = [
    "http://",
    "HTTP:",
    "//",
    "/",
    "\\",
    "\\\\",
    "@",
    "u:p@",
    ":",
    "?",
    "#",
    ".",
    "%2f",
    "%40",
    "%5c",
    "%00",
    "ok",
]
PIECES += ["\t", "\n", "\r", " ", "\0", "\u2028", "\uff0f", "\uff20", "\u3002", "\xad", "file:", "..", ";", "[", "]"]


def texts(rng, port, count):
    for _ in range(count):
        parts = [rng.choice(("http://", "http://", "//", "http:", "http:\\\\"))]
        for _ in range(rng.randrange(1, 6)):
            parts.append(rng.choice(HOSTS))
            parts += rng.choices(["", f":{port}", rng.choice(PIECES), rng.choice(PIECES)], k=2)
        yield "".join(parts)
