"""Replaces the functions of urllib.parse with urlsm.stdlib's for the whole process, and restores them:
urlsm.compat.install ("urllib.parse")."""

from __future__ import annotations

import urllib.parse as theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from urlsm.stdlib._replacing import Installation

ORIGINALS: dict[str, Callable[..., Any]] = {
    name: value for name, value in vars(theirs).items() if callable(value) and not isinstance(value, type)
}


def install(*, report: bool = False, patch: bool = False) -> Installation:
    """Do what urlsm.compat.install("urllib.parse") does, with the same arguments."""
    from urlsm.stdlib import FUNCTIONS
    from urlsm.stdlib._replacing import replace

    return replace("urllib.parse", vars(theirs), FUNCTIONS, ORIGINALS, report, patch)


def uninstall() -> None:
    """Do what urlsm.compat.uninstall("urllib.parse") does."""
    from urlsm.stdlib._replacing import put_back

    put_back("urllib.parse")
