"""The last comparison of each table with its source. Written by tools/age.py --record."""

from __future__ import annotations

from urlsm.octets.records import NamedTuple

__all__ = ["COMPARED", "Compared"]


class Compared(NamedTuple):
    """A comparison: the tool, what it compared with, its day, the number of rows or texts, and how many differed."""

    comparer: str
    against: str
    compared: str
    over: int
    differences: int


COMPARED: dict[str, Compared] = {
    "IANA's permanent schemes": Compared(
        "tools/age.py",
        "@silverbucket/iana-schemes 1.4.4",
        "2026-11-27",
        97,
        7,
    ),
    "IDNA 2008": Compared(
        "tools/age.py",
        "idna 3.20",
        "2026-11-27",
        19482,
        0,
    ),
    "adblock options": Compared(
        "tools/age.py",
        "@gorhill/ubo-core 0.1.30",
        "2026-11-27",
        61,
        5,
    ),
    "blocked ports": Compared(
        "tools/age.py",
        "undici 7.30.2",
        "2026-11-27",
        83,
        1,
    ),
    "classes of URLs": Compared(
        "tools/age.py",
        "yarl 1.25.1, httpx 0.28.1, starlette 1.10.0, pydantic 2.14.4, SQLAlchemy 2.1.9, ...",
        "2026-11-27",
        6,
        0,
    ),
    "dialects of SQLAlchemy": Compared(
        "tools/age.py",
        "SQLAlchemy 2.1.9",
        "2026-11-27",
        5,
        0,
    ),
    "directives of Protego": Compared(
        "tools/age.py",
        "Protego 0.7.0",
        "2026-11-27",
        400,
        0,
    ),
    "domain names": Compared(
        "tools/age.py",
        "idna 3.20",
        "2026-11-27",
        19482,
        0,
    ),
    "elements with links": Compared(
        "tools/age.py",
        "lxml 6.1.3",
        "2026-11-27",
        16,
        9,
    ),
    "encodings": Compared(
        "tools/age.py",
        "webencodings 0.6.1",
        "2026-11-27",
        228,
        0,
    ),
    "functions of libraries": Compared(
        "tools/age.py",
        "w3lib 2.5.0, surt 0.3.1, Protego 0.7.0",
        "2026-11-27",
        1195,
        0,
    ),
    "git transports": Compared(
        "tools/age.py",
        "git version 2.39.5",
        "2026-11-27",
        7,
        0,
    ),
    "guarded clients": Compared(
        "tools/age.py",
        "httpx 0.28.1, httpcore 1.0.9, requests 2.34.2, urllib3 2.8.0, aiohttp 3.14.5",
        "2026-11-27",
        5,
        0,
    ),
    "hops": Compared(
        "tools/age.py",
        "nginx@1.31.3, node@20.20.2, express@5.3.0, fastify@5.12.8, hono@4.13.19, ...",
        "2026-11-27",
        940,
        0,
    ),
    "key words of libpq": Compared(
        "tools/age.py",
        "psycopg 3.3.9, libpq 180006",
        "2026-11-27",
        50,
        0,
    ),
    "lists of urllib.parse": Compared(
        "tools/age.py",
        "CPython 3.11.7",
        "2026-11-27",
        41,
        1,
    ),
    "options of MongoDB": Compared(
        "tools/age.py",
        "pymongo 4.20.1",
        "2026-11-27",
        46,
        0,
    ),
    "options of surt": Compared(
        "tools/age.py",
        "surt 0.3.1",
        "2026-11-27",
        398,
        0,
    ),
    "profiles of programs": Compared(
        "tools/age.py",
        "w3lib 2.5.0, surt 0.3.1, Scrapy 2.19.0",
        "2026-11-27",
        1194,
        0,
    ),
    "readers": Compared(
        "tools/age.py",
        "curl 7.88.1, urllib3 2.8.0, requests 2.34.2, httpx 0.28.1, yarl 1.25.1, aiohttp ...",
        "2026-11-27",
        8770,
        0,
    ),
    "secret parameters": Compared(
        "tools/age.py",
        "sentry-sdk 2.75.0",
        "2026-11-27",
        15,
        4,
    ),
    "shapes of tokens": Compared(
        "tools/age.py",
        "detect-secrets 1.5.0",
        "2026-11-27",
        12,
        1,
    ),
    "trackers": Compared(
        "tools/age.py",
        "tidy-url 1.18.3",
        "2026-11-27",
        110,
        41,
    ),
    "transports of repositories": Compared(
        "tools/age.py",
        "pip 23.2.1",
        "2026-11-27",
        20,
        1,
    ),
    "types of repositories": Compared(
        "tools/age.py",
        "huggingface_hub 2.4.0",
        "2026-11-27",
        5,
        0,
    ),
}
