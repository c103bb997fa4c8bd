"""When each release of a program was asked for the paths that it sees, and on how many targets, over all options.

Written by `python -m oracles.hops.compare --proofs` in tests/.
"""

from __future__ import annotations

from urlsm.readers.proofs import Proof

__all__ = ["HOP_PROOFS"]

HOP_PROOFS: dict[str, dict[str, Proof]] = {
    "aiohttp": {
        "3.14.5": Proof("2026-11-26", 2000, 2000),
    },
    "apache": {
        "2.4.71": Proof("2026-11-26", 284000, 284000),
    },
    "bottle": {
        "0.13.4": Proof("2026-11-26", 2000, 2000),
    },
    "caddy": {
        "2.11.7": Proof("2026-11-26", 2000, 2000),
    },
    "daphne": {
        "4.2.3": Proof("2026-11-26", 2000, 2000),
    },
    "django": {
        "5.2.19": Proof("2026-11-26", 4000, 4000),
    },
    "envoy": {
        "1.40.0": Proof("2026-11-26", 32000, 32000),
    },
    "express": {
        "4.22.3": Proof("2026-11-26", 6000, 6000),
        "5.3.0": Proof("2026-11-26", 6000, 6000),
    },
    "fastapi": {
        "0.165.0": Proof("2026-11-26", 2000, 2000),
    },
    "fastify": {
        "5.12.8": Proof("2026-11-26", 10000, 10000),
    },
    "flask": {
        "3.1.3": Proof("2026-11-26", 2000, 2000),
    },
    "go": {
        "1.27.3": Proof("2026-11-26", 100000, 100000),
    },
    "gunicorn": {
        "27.0.1": Proof("2026-11-26", 2000, 2000),
    },
    "haproxy": {
        "2.6.12": Proof("2026-11-26", 46000, 46000),
        "2.8.25": Proof("2026-11-26", 166000, 166000),
    },
    "hono": {
        "4.13.19": Proof("2026-11-26", 4000, 4000),
    },
    "hypercorn": {
        "0.18.0": Proof("2026-11-26", 2000, 2000),
    },
    "jetty": {
        "9.4.57": Proof("2026-11-26", 4000, 4000),
    },
    "nginx": {
        "1.22.1": Proof("2026-11-26", 132000, 132000),
        "1.31.3": Proof("2026-11-26", 232000, 232000),
    },
    "node": {
        "20.20.2": Proof("2026-11-26", 4000, 4000),
        "24.19.0": Proof("2026-11-26", 4000, 4000),
    },
    "starlette": {
        "1.10.0": Proof("2026-11-26", 4000, 4000),
    },
    "tomcat": {
        "10.1.60": Proof("2026-11-26", 8000, 8000),
    },
    "uvicorn": {
        "0.54.0": Proof("2026-11-26", 4000, 4000),
    },
    "waitress": {
        "3.0.2": Proof("2026-11-26", 2000, 2000),
    },
}
