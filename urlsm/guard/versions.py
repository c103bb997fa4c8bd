"""The versions of the clients whose private hooks were tried. The guards lean on these hooks, so another version may
have no guard where this one has it."""

from __future__ import annotations

import re
import warnings

__all__ = ["TRIED", "require_tried"]

# client: (the first version tried, the first one that is not known), of major and minor; httpcore and others that a
# client stands on are tried with it
TRIED: dict[str, tuple[str, str]] = {
    "httpx": ("0.28", "0.29"),
    "httpcore": ("1.0", "1.1"),
    "requests": ("2.32", "2.35"),
    "urllib3": ("2.5", "2.9"),
    "aiohttp": ("3.12", "3.15"),
}


def _number(version: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", version)[:2]))


def require_tried(untried: str, *clients: tuple[str, str]) -> None:
    """Raise RuntimeError if a client (its name and version) was not tried with the guard; warn if untried is "warn"."""
    if untried not in ("raise", "warn"):
        raise ValueError(f"untried is 'raise' or 'warn', not {untried!r}")
    for name, version in clients:
        first, end = TRIED[name]
        if not _number(first) <= _number(version) < _number(end):
            said = f"{name} {version} was not tried with urlsm.guard (from {first}, before {end}, was)"
            if untried == "raise":
                raise RuntimeError(f"{said}; untried='warn' lets it through")
            warnings.warn(said, RuntimeWarning, stacklevel=4)
