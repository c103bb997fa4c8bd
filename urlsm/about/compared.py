"""The last comparison of each table with its source. Written by tools/age.py --record."""

from __future__ import annotations

from urlsm.octets.records import NamedTuple

__all__ = ["COMPARED", "Compared"]


class Compared(NamedTuple):
    """A comparison: the tool, what it compared with, its day, the number of rows or texts, and how many differed."""

    comparer: str
    against: str
    compared: str
    over: int
    differences: int


COMPARED: dict[str, Compared] = {}
