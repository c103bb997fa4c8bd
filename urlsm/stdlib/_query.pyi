from collections.abc import Callable, Mapping, Sequence
from typing import Any, AnyStr

def parse_qsl(
    qs: AnyStr | None,
    keep_blank_values: bool = False,
    strict_parsing: bool = False,
    encoding: str = "utf-8",
    errors: str = "replace",
    max_num_fields: int | None = None,
    separator: str = "&",
    *,
    _stacklevel: int = 1,
) -> list[tuple[AnyStr, AnyStr]]: ...
def parse_qs(
    qs: AnyStr | None,
    keep_blank_values: bool = False,
    strict_parsing: bool = False,
    encoding: str = "utf-8",
    errors: str = "replace",
    max_num_fields: int | None = None,
    separator: str = "&",
) -> dict[AnyStr, list[AnyStr]]: ...
def urlencode(
    query: Mapping[Any, Any] | Sequence[tuple[Any, Any]],
    doseq: bool = False,
    safe: str | bytes = "",
    encoding: str | None = None,
    errors: str | None = None,
    quote_via: Callable[..., str] = ...,
) -> str: ...
def fill(made: dict[Any, Any], query: str, errors: str = "replace") -> None: ...
def fill_last(made: dict[str, str], query: str | bytes) -> list[tuple[str, str]]: ...
