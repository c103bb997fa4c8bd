from collections.abc import Callable, Iterable
from typing import Any, final

from urlsm.patterns.matcher import Matcher
from urlsm.patterns.rule import Rule
from urlsm.url.value import StrOrURL

KINDS: tuple[int, int, int, int]
AGENT: int
ALLOW: int
DISALLOW: int
DELAY: int
RATE: int
SITEMAP: int

def folded(path: bytes) -> bytes: ...
def key_of(line: bytes) -> tuple[int, bytes, bool] | None: ...

class Paths:
    @property
    def _text(self) -> bytes: ...
    def _read(self, text: bytes) -> tuple[list[tuple[int, bytes, int]], int]: ...
    def _paths(self, start: int, stop: int) -> list[tuple[bool, bytes]]: ...
    def _compiled(
        self, spans: list[tuple[int, int]], path_rules: Callable[[bool, bytes], Iterable[Rule]]
    ) -> Matcher: ...
    def allows(self, url: StrOrURL, agent: str, *, header: bool = False) -> bool: ...

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
