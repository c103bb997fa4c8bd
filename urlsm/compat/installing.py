"""Replaces other libraries' functions by those of urlsm.compat, for the whole process, and puts them back."""

from __future__ import annotations

from importlib import import_module

from urlsm.stdlib._replacing import Installation, put_back, replace

__all__ = ["install", "uninstall"]

# for each library, the module whose functions are replaced, and their names
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
    """Put our functions into "w3lib" (w3lib.url), "surt" or "protego", for the process: code that looks them up there
    gets ours.

    Args:
        report: list the modules that already hold the library's functions (`from w3lib.url import safe_url_string`).
        patch: list them, and replace the functions there too. Scrapy needs it only if it was imported before.

    It is safe to call this twice, and from several threads. uninstall(library) undoes it. So does the end of a
    `with install(library):`, if this call is the one that installed the functions.

    Raises:
        ValueError: an unknown library. ModuleNotFoundError: it is not installed.
    """
    where, names = _row(library)
    theirs, ours = vars(import_module(where)), vars(import_module(f"urlsm.compat.{library}"))
    return replace(library, theirs, {name: ours[name] for name in names}, None, report, patch)


def uninstall(library: str) -> None:
    """Put the library's functions back wherever ours still are. It is safe to call this at any time. ValueError: an
    unknown library."""
    _row(library)
    put_back(library)


def _row(library: str) -> tuple[str, tuple[str, ...]]:
    if library not in _LIBRARIES:
        raise ValueError(f"unknown library {library!r}; the libraries are {', '.join(_LIBRARIES)}")
    return _LIBRARIES[library]
