from collections.abc import Iterator, Sequence
from typing import Any, final

from urlsm.patterns.matcher import Matcher
from urlsm.patterns.rule import Program, Rule
from urlsm.patterns.syntax import Syntax
from urlsm.url.value import StrOrURL

_Weight = tuple[tuple[tuple[int, int], ...], int]

SYNTAX: Syntax

def selection(template: str, *, decodes: bool = False, fewest: int = 0) -> tuple[Program, _Weight]: ...
def rules(pattern: str, options: dict[str, Any]) -> Iterator[Rule]: ...

@final
class TemplateProver:
    def __new__(
        cls, matcher: Matcher, patterns: Sequence[str], included: int, options: dict[str, Any]
    ) -> TemplateProver: ...
    def find(self, url: StrOrURL) -> tuple[int, dict[str, Any]] | None: ...
    def find_all(self, url: StrOrURL) -> list[tuple[int, dict[str, Any]]]: ...
    def decides(self, url: StrOrURL) -> int: ...
