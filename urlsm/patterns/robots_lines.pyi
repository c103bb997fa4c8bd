from collections.abc import Callable, Iterable

from urlsm.patterns.matcher import Matcher
from urlsm.patterns.rule import Rule
from urlsm.url.value import StrOrURL

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
