"""Replaces functions of other libraries by those of urlsm.compat, for the whole process, and puts the original
functions back."""

from __future__ import annotations

from importlib import import_module

from urlsm.stdlib._replacing import Installation, put_back, replace

__all__ = ["install", "uninstall"]

# for each library, the module whose functions are replaced, and the names of these functions
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


def install(library: str, *, report: bool = False, patch: bool = False) -> Installation:
    """Put urlsm's functions into a library, for the whole process. Code that looks up a function in the library then
    gets urlsm's function.

    Args:
        library: "w3lib" (its module w3lib.url), "surt" or "protego".
        report: whether to list the modules that already hold functions of the library (because of a line such as
            `from w3lib.url import safe_url_string`).
        patch: whether to list these modules, and to replace the functions in them as well. Scrapy needs this only if it
            was imported before.

    It is safe to call this twice, and from several threads. uninstall(library) undoes it. The end of a
    `with install(library):` undoes it as well, if this call is the one that installed the functions.

    Raises:
        ValueError: an unknown library. ModuleNotFoundError: the library is not installed.
    """
    where, names = _row(library)
    theirs, ours = vars(import_module(where)), vars(import_module(f"urlsm.compat.{library}"))
    return replace(library, theirs, {name: ours[name] for name in names}, None, report, patch)


def uninstall(library: str) -> None:
    """Restore the library's functions wherever urlsm's functions still stand in their place. It is safe to call this at
    any time. Raises ValueError for an unknown library."""
    _row(library)
    put_back(library)


def _row(library: str) -> tuple[str, tuple[str, ...]]:
    if library not in _LIBRARIES:
        raise ValueError(f"unknown library {library!r}; the libraries are {', '.join(_LIBRARIES)}")
    return _LIBRARIES[library]
