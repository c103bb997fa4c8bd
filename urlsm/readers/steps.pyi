from collections.abc import Callable, Iterable
from typing import Literal, NamedTuple, final

NAMES: tuple[str, ...]

class Step(NamedTuple):
    code: str
    octets: bytes = b""
    name: str = ""
    function: Callable[[bytes], bytes | None] | None = None

@final
class Pipeline:
    @property
    def steps(self) -> tuple[Step, ...]: ...
    def __new__(cls, steps: Iterable[Step]) -> Pipeline: ...

def ask(target: bytes, *pipelines: Pipeline) -> tuple[Literal["done", "refused", "redirected"], bytes | None]: ...
