"""Quoting of text, for urlencode."""
from urlsm.percent cimport Quoting

cdef const Quoting* quoting_for(object safe, bint plus, Quoting* scratch) except NULL
