"""The methods of .url in Polars, pandas and Dask, made from the functions of urlsm.columns (columns/functions.py).

Their types are in methods.pyi, which tools/tables.py writes.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from inspect import Parameter, Signature, cleandoc, signature
from typing import Any

import urlsm.columns as uc
from urlsm.columns.functions import Function, functions

__all__ = ["Methods"]

_HIDDEN = ("column", "layout")  # the parameters that methods lack: the engine has the column, and a layout of its own


class Methods:
    """Methods of .url. A subclass defines _answer(row, options), which calls the function in a row of the table. The
    options contain a value for each parameter of the method."""

    _answer: Callable[[Function, dict[str, Any]], Any]


def _method(row: Function) -> Callable[..., Any]:
    function = getattr(uc, row.name)
    parameters = [each for each in signature(function).parameters.values() if each.name not in _HIDDEN]
    own = Signature([Parameter("self", Parameter.POSITIONAL_OR_KEYWORD), *parameters])

    def method(self: Methods, *arguments: Any, **options: Any) -> Any:
        given = own.bind(self, *arguments, **options)
        given.apply_defaults()
        del given.arguments["self"]
        return self._answer(row, given.arguments)

    method.__name__, method.__qualname__ = row.name, f"Methods.{row.name}"
    method.__doc__ = _described(function.__doc__ or "")
    setattr(method, "__signature__", own)  # noqa: B010  (type checkers know no such attribute)
    return method


def _described(text: str) -> str:
    """Return a function's docstring for its method: without the hidden parameters and the example."""
    text = re.sub(rf"\n    (?:{'|'.join(_HIDDEN)}): .*(?:\n {{8,}}.*)*", "", cleandoc(text))
    return re.sub(r"\nExample:\n(?: {4}.*\n?)+", "", text)


for _row in functions("method"):
    setattr(Methods, _row.name, _method(_row))
