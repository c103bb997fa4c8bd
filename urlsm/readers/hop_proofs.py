"""When each release of a program was asked for the paths that it sees, and on how many targets, over all options.

Written by `python -m oracles.hops.compare --proofs` in tests/.
"""

from __future__ import annotations

from urlsm.readers.proofs import Proof

__all__ = ["HOP_PROOFS"]

HOP_PROOFS: dict[str, dict[str, Proof]] = {
    "aiohttp": {
        "3.14.5": Proof("2026-11-26", 100000, 100000),
    },
    "apache": {
        "2.4.71": Proof("2026-11-26", 1500000, 1500000),
    },
    "bottle": {
        "0.13.4": Proof("2026-11-26", 200000, 200000),
    },
    "caddy": {
        "2.11.7": Proof("2026-11-26", 100000, 100000),
    },
    "daphne": {
        "4.2.3": Proof("2026-11-26", 100000, 100000),
    },
    "django": {
        "5.2.19": Proof("2026-11-26", 600000, 600000),
    },
    "envoy": {
        "1.40.0": Proof("2026-11-26", 1600000, 1600000),
    },
    "express": {
        "4.22.3": Proof("2026-11-26", 300000, 300000),
        "5.3.0": Proof("2026-11-26", 300000, 300000),
    },
    "fastapi": {
        "0.165.0": Proof("2026-11-26", 400000, 400000),
    },
    "fastify": {
        "5.12.8": Proof("2026-11-26", 500000, 500000),
    },
    "flask": {
        "3.1.3": Proof("2026-11-26", 200000, 200000),
    },
    "go": {
        "1.27.3": Proof("2026-11-26", 100000, 100000),
    },
    "gunicorn": {
        "27.0.1": Proof("2026-11-26", 100000, 100000),
    },
    "haproxy": {
        "2.6.12": Proof("2026-11-26", 400000, 400000),
        "2.8.25": Proof("2026-11-26", 400000, 400000),
    },
    "hono": {
        "4.13.19": Proof("2026-11-26", 200000, 200000),
    },
    "hypercorn": {
        "0.18.0": Proof("2026-11-26", 100000, 100000),
    },
    "jetty": {
        "9.4.57": Proof("2026-11-26", 200000, 200000),
    },
    "nginx": {
        "1.22.1": Proof("2026-11-26", 1000000, 1000000),
        "1.31.3": Proof("2026-11-26", 1000000, 1000000),
    },
    "node": {
        "20.20.2": Proof("2026-11-26", 200000, 200000),
        "24.19.0": Proof("2026-11-26", 200000, 200000),
    },
    "starlette": {
        "1.10.0": Proof("2026-11-26", 400000, 400000),
    },
    "tomcat": {
        "10.1.60": Proof("2026-11-26", 400000, 400000),
    },
    "uvicorn": {
        "0.54.0": Proof("2026-11-26", 200000, 200000),
    },
    "waitress": {
        "3.0.2": Proof("2026-11-26", 100000, 100000),
    },
}

ABOUT = {  # for urlsm.about
    "hops": {
        "tables": "HOP_PROOFS",
        "source": "the live servers, proxies and routers, on targets of this project",
        "date": min(proof.date for releases in HOP_PROOFS.values() for proof in releases.values()),
        "licence": "CC0-1.0",
        "used_by": "path_as, Paths, audit: hops-disagree",
    },
}
