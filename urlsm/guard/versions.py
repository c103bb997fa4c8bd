"""The versions of the clients whose private hooks were tried. The guards depend on these hooks, so another version of a
client may be unguarded."""

from __future__ import annotations

import re
import warnings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["TRIED", "require_tried"]

# for each client, or the package it builds on: the first version that was tried, and the last one (major.minor)
TRIED: dict[str, tuple[str, str]] = {
    "httpx": ("0.28", "0.28"),
    "httpcore": ("1.0", "1.0"),
    "requests": ("2.32.5", "2.34"),
    "urllib3": ("2.5", "2.8"),
    "aiohttp": ("3.14", "3.14"),
}


def _number(version: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", version)[:3]))


def require_tried(untried: str, *clients: Any) -> None:
    """Raise RuntimeError if the version of a client (a module) was not tried; only warn if untried is "warn"."""
    if untried not in ("raise", "warn"):
        raise ValueError(f"untried must be 'raise' or 'warn', not {untried!r}")
    for client in clients:
        first, last = TRIED[client.__name__]
        version = _number(client.__version__)
        if version < _number(first) or version[:2] > _number(last):
            said = f"{client.__name__} {client.__version__} was not tried with urlsm.guard ({first} to {last} were)"
            if untried == "raise":
                raise RuntimeError(f"{said}; untried='warn' accepts it")
            warnings.warn(said, RuntimeWarning, stacklevel=3)
