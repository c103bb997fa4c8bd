from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from urlsm.url.value import StrOrURL

DIALECTS: tuple[str, ...]
SCHEMES: tuple[str | None, ...]
SPECIAL: dict[str, int | None]
_Dialect: TypeAlias = Literal["whatwg", "rfc3986", "rfc3987", "barth", "rfc1738", "rfc2396", "stdlib"]

_Facts: TypeAlias = tuple[int, int, int] | tuple[int, int, int, str]

class Refusal(ValueError):
    url: StrOrURL
    facts: _Facts

def special_kind(name: bytes, port: int, active: bool | None = None) -> int: ...
def use_vectors(width: int) -> int: ...
def use_plain(wanted: bool) -> bool: ...
def plain_offsets(octets: bytes | memoryview) -> tuple[int, ...] | None: ...
def octet_classes() -> dict[str, frozenset[int]]: ...
def set_opaque_schemes(names: Iterable[str], first: bool = False) -> None: ...
