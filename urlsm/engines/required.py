"""required() imports a package that an engine needs, or raises an error that says what to install."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType


def required(package: str, extra: str) -> ModuleType:
    """Import and return the package. If it is not installed, raise an ImportError that says what to install."""
    try:
        return import_module(package)
    except ModuleNotFoundError as error:
        if error.name != package.partition(".")[0]:
            raise
        message = f"urlsm.engines.{extra} needs {package}: pip install 'urlsm[{extra}]'"
        raise ModuleNotFoundError(message, name=error.name) from None
