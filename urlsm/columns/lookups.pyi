from typing import final

from urlsm.columns.names import Schema
from urlsm.columns.work import Array, Source
from urlsm.patterns.matcher import Lookup

MATCHES: Schema
INDEX: Schema

@final
class Lookups:
    def __new__(cls, patterns: Lookup, source: Source, which: bool = False) -> Lookups: ...
    def part(self, number: int) -> None: ...
    def leave_off(self) -> None: ...
    def run(self, threads: int | None = 1) -> Array: ...
