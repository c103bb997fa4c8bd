"""Functions that change the query of a text. They have the names of the methods of URL that do the same."""

from urlsm.url.params import only_parameters as only_query_params
from urlsm.url.params import set_parameters as set_query_params
from urlsm.url.params import without_parameters as without_query_params

__all__ = ["only_query_params", "set_query_params", "without_query_params"]
