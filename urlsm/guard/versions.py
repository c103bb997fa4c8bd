"""The client versions whose private hooks were tested. The guards depend on these hooks, so another version of a client
may be unguarded.
"""

from __future__ import annotations

import re
import warnings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["TESTED", "require_tested"]

# for each client, or the package it builds on: the first version that was tested, and the last one (major.minor)
TESTED: dict[str, tuple[str, str]] = {
    "httpx": ("0.28", "0.28"),
    "httpcore": ("1.0", "1.0"),
    "requests": ("2.32.5", "2.34"),
    "urllib3": ("2.5", "2.8"),
    "aiohttp": ("3.14", "3.14"),
}
ABOUT = {  # for urlsm.about
    "guarded clients": {
        "tables": "TESTED",
        "source": "releases of httpx, httpcore, requests, urllib3, aiohttp",
        "date": "2026-11-26",
        "used_by": "urlsm.guard: require_tested",
    },
}


def _number(version: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", version)[:3]))


def require_tested(allow_untested: bool, *clients: Any) -> None:
    """Raise RuntimeError if the version of a client (a module) was not tested; only warn if allow_untested is set."""
    for client in clients:
        first, last = TESTED[client.__name__]
        version = _number(client.__version__)
        if version < _number(first) or version[:2] > _number(last):
            name, range_ = client.__name__, first if first == last else f"{first} to {last}"
            said = f"urlsm.guard is not tested with {name} {client.__version__}, only with {range_}"
            if not allow_untested:
                raise RuntimeError(f"{said}: pass allow_untested=True to use it")
            warnings.warn(said, RuntimeWarning, stacklevel=3)
