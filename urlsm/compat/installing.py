"""Replaces functions of other libraries with the functions in urlsm.compat, for the whole process, and restores the
original functions."""

from __future__ import annotations

from importlib import import_module

from urlsm.stdlib import _install as _stdlib
from urlsm.stdlib._replacing import Installation, put_back, replace

__all__ = ["install", "uninstall"]

_STDLIB = "urllib.parse"  # urlsm.stdlib has its functions
# for each other library, the module whose functions are replaced, and the names of these functions
_LIBRARIES: dict[str, tuple[str, tuple[str, ...]]] = {
    "w3lib": (
        "w3lib.url",
        (
            # the functions for files are not replaced, because they ask the operating system
            *("add_http_if_no_scheme", "add_or_replace_parameter", "add_or_replace_parameters", "canonicalize_url"),
            *("is_url", "parse_data_uri", "parse_qsl_to_bytes", "parse_url", "safe_download_url", "safe_url_string"),
            *("url_query_cleaner", "url_query_parameter"),
        ),
    ),
    "surt": ("surt", ("surt",)),
    "protego": ("protego", ("Protego", "RequestRate", "VisitTime")),
}
ABOUT = {  # for urlsm.about
    "functions of libraries": {
        "tables": "_LIBRARIES",
        "source": "w3lib 2.5, surt 0.3, protego 0.7",
        "date": "2026-11-26",
        "used_by": "compat.install",
    },
}


def install(library: str, *, report: bool = False, patch: bool = False) -> Installation:
    """Replace the functions of a library with urlsm's, for the whole process.

    Code that looks up a function in the library then gets urlsm's function. You may call this function more than once,
    and from several threads. The end of a `with install(library):` block undoes the call, unless the functions were
    already installed.

    Args:
        library: "urllib.parse", "w3lib" (its module w3lib.url), "surt" or "protego".
        report: whether to list the modules that have already imported functions from the library, with a line such as
            `from w3lib.url import safe_url_string`.
        patch: whether to list these modules, and also replace the functions in them. Scrapy needs this only if it was
            imported first.

    Returns:
        A list of strings "module.name", one for each such function. It is empty if neither `report` nor `patch` is
        true.

    Raises:
        ValueError: `library` is not one of these four names.
        ModuleNotFoundError: the library is not installed.

    Example:
        >>> import urllib.parse, urlsm.stdlib
        >>> with install("urllib.parse"):
        ...     urllib.parse.urlsplit is urlsm.stdlib.urlsplit
        True
    """
    if library == _STDLIB:
        return _stdlib.install(report=report, patch=patch)
    where, names = _row(library)
    theirs, ours = vars(import_module(where)), vars(import_module(f"urlsm.compat.{library}"))
    return replace(library, theirs, {name: ours[name] for name in names}, None, report, patch)


def uninstall(library: str) -> None:
    """Restore the library's own functions wherever urlsm's functions still replace them. You may call it at any time.

    Args:
        library: as for install().

    Raises:
        ValueError: `library` is not one of these four names.

    Example:
        >>> uninstall("urllib.parse")
    """
    if library != _STDLIB:
        _row(library)
    put_back(library)


install.__module__ = uninstall.__module__ = "urlsm.compat"


def _row(library: str) -> tuple[str, tuple[str, ...]]:
    if library not in _LIBRARIES:
        known = ", ".join(map(repr, (_STDLIB, *_LIBRARIES)))
        raise ValueError(f"library must be one of {known}, not {library!r}")
    return _LIBRARIES[library]
