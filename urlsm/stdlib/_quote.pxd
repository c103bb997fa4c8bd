"""Quoting of text, for urlencode."""
from urlsm.octets.text cimport Quoting

cdef const Quoting* quoting_for(object safe, bint plus, Quoting* scratch) except NULL
