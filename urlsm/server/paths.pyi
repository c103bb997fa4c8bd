from collections.abc import Iterable, Mapping
from typing import Any, Literal, final

from urlsm.server.hop_list import Hop
from urlsm.server.path_verdict import PathVerdict

@final
class Paths:
    @property
    def protected(self) -> tuple[str, ...]: ...
    @property
    def open(self) -> tuple[str, ...]: ...
    @property
    def hops(self) -> tuple[Hop, ...]: ...
    def __init__(
        self,
        protected: Iterable[str] = (),
        open: Iterable[str] = (),
        *,
        hops: Iterable[str | Hop] | None = None,
        at: int | str = 0,
        canonical: bool = False,
        raw: Literal["absent"] | None = None,
    ) -> None: ...
    def check(self, request: str | bytes | Mapping[str, Any]) -> PathVerdict: ...

def made_of(
    protected: tuple[str, ...], open: tuple[str, ...], hops: tuple[Hop, ...] | None, more: dict[str, Any]
) -> Paths: ...
def refusal(code: str, message: str = "") -> PathVerdict: ...
