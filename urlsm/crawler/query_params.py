"""The functions that change the query of a text, under the names that the methods of URL have."""

from urlsm.url.params import only_parameters as only_query_params
from urlsm.url.params import set_parameters as set_query_params
from urlsm.url.params import without_parameters as without_query_params

__all__ = ["only_query_params", "set_query_params", "without_query_params"]
