"""The tables of the world that urlsm holds: where each is from, how old it is, and what compares it."""

from urlsm.octets.later import later as _later

_HOMES = dict.fromkeys(("Table", "tables"), "urlsm.about.declared")

__all__ = [*_HOMES]

__getattr__, __dir__ = _later(globals(), _HOMES)
