from collections.abc import Callable
from typing import Any, final

KINDS: tuple[int, int, int, int]

def parse_constructor_string(text: str, is_special: Callable[[str], bool]) -> dict[str, str]: ...

@final
class Part:
    kind: int
    value: str
    modifier: str
    name: str
    prefix: str
    suffix: str

class PatternString:
    parts: tuple[Part, ...]
    names: tuple[str, ...]
    encode: Callable[[str], str]
    delimiter: str
    prefix: str
    segment_wildcard: str
    ignore_case: bool
    has_regexp_groups: bool
    @property
    def fixed_text(self) -> str | None: ...
    @property
    def is_any(self) -> bool: ...
    def plain_program(self) -> tuple[Any, ...] | None: ...
    def __new__(
        cls, text: str, which: int, encode: Callable[[str], str], ignore_case: bool = False
    ) -> PatternString: ...
