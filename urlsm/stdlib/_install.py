"""install() puts the functions of urlsm.stdlib into urllib.parse, for the whole process; uninstall() removes them."""

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
    """Put the functions of urlsm.stdlib into urllib.parse, for the whole process: code that looks them up there gets
    ours.

    Args:
        report: list the modules that already hold the interpreter's functions (`from urllib.parse import urlsplit`).
        patch: list these modules, and replace the functions there too.

    It is safe to call this twice, and from several threads. The functions are removed by uninstall(), or at the end of
    `with install():` unless they were installed before.
    """
    from urlsm.stdlib import FUNCTIONS
    from urlsm.stdlib._replacing import replace

    return replace("urllib.parse", vars(theirs), FUNCTIONS, ORIGINALS, report, patch)


def uninstall() -> None:
    """Put the interpreter's functions back wherever ours still are. It is safe to call this at any time."""
    from urlsm.stdlib._replacing import put_back

    put_back("urllib.parse")
