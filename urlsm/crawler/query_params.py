"""Functions that change the query of a URL given as a string. They have the same names as the URL methods that do the
same."""

from __future__ import annotations

from urlsm.url.params import text_with_only_params as only_query_params
from urlsm.url.params import text_with_params as set_query_params
from urlsm.url.params import text_without_params as without_query_params

__all__ = ["only_query_params", "set_query_params", "without_query_params"]

for _function, _name in (
    (only_query_params, "only_query_params"),
    (set_query_params, "set_query_params"),
    (without_query_params, "without_query_params"),
):
    _function.__name__ = _function.__qualname__ = _name
    _function.__module__ = "urlsm.crawler"
