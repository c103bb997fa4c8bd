from collections.abc import Callable
from typing import Any

class Rulebook:
    def __new__(cls, fields: dict[str, Any], choice: Callable[[str, object], int]) -> Rulebook: ...
    @property
    def standard(self) -> bool: ...
