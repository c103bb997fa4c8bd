from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, AnyStr, Literal, overload
from urllib.parse import (
    DefragResult,
    DefragResultBytes,
    ParseResult,
    ParseResultBytes,
    SplitResult,
    SplitResultBytes,
)

from urlsm.stdlib._results import (
    OptionalDefragResult,
    OptionalDefragResultBytes,
    OptionalParseResult,
    OptionalParseResultBytes,
    OptionalSplitResult,
    OptionalSplitResultBytes,
)
from urlsm.url.value import URL

def split(text: Any, scheme: Any, fragments: bool) -> Any: ...
def parse(text: Any, scheme: Any, fragments: bool) -> Any: ...
def components(text: str, scheme: str | None, fragments: bool, with_params: bool) -> tuple[str | None, ...]: ...
@overload
def urlsplit(
    url: str | URL, scheme: str = "", allow_fragments: bool = True, *, missing_as_none: Literal[False] = False
) -> SplitResult: ...
@overload
def urlsplit(
    url: bytes | bytearray | None,
    scheme: bytes | bytearray | Literal[""] | None = "",
    allow_fragments: bool = True,
    *,
    missing_as_none: Literal[False] = False,
) -> SplitResultBytes: ...
@overload
def urlsplit(
    url: str | URL, scheme: str | None = "", allow_fragments: bool = True, *, missing_as_none: Literal[True]
) -> OptionalSplitResult: ...
@overload
def urlsplit(
    url: bytes | bytearray,
    scheme: bytes | bytearray | Literal[""] | None = "",
    allow_fragments: bool = True,
    *,
    missing_as_none: Literal[True],
) -> OptionalSplitResultBytes: ...
@overload
def urlparse(
    url: str | URL, scheme: str = "", allow_fragments: bool = True, *, missing_as_none: Literal[False] = False
) -> ParseResult: ...
@overload
def urlparse(
    url: bytes | bytearray | None,
    scheme: bytes | bytearray | Literal[""] | None = "",
    allow_fragments: bool = True,
    *,
    missing_as_none: Literal[False] = False,
) -> ParseResultBytes: ...
@overload
def urlparse(
    url: str | URL, scheme: str | None = "", allow_fragments: bool = True, *, missing_as_none: Literal[True]
) -> OptionalParseResult: ...
@overload
def urlparse(
    url: bytes | bytearray,
    scheme: bytes | bytearray | Literal[""] | None = "",
    allow_fragments: bool = True,
    *,
    missing_as_none: Literal[True],
) -> OptionalParseResultBytes: ...
def urlunsplit(components: Iterable[AnyStr | None], *, keep_empty: bool | None = None) -> AnyStr: ...
def urlunparse(components: Iterable[AnyStr | None], *, keep_empty: bool | None = None) -> AnyStr: ...
@overload
def urldefrag(
    url: str | URL, *, missing_as_none: Literal[False] = False, keep_empty: bool | None = None
) -> DefragResult: ...
@overload
def urldefrag(
    url: bytes | bytearray | None, *, missing_as_none: Literal[False] = False, keep_empty: bool | None = None
) -> DefragResultBytes: ...
@overload
def urldefrag(
    url: str | URL, *, missing_as_none: Literal[True], keep_empty: bool | None = None
) -> OptionalDefragResult: ...
@overload
def urldefrag(
    url: bytes | bytearray, *, missing_as_none: Literal[True], keep_empty: bool | None = None
) -> OptionalDefragResultBytes: ...
def join(base: Any, url: Any, fragments: bool) -> Any: ...
@overload
def urljoin(base: AnyStr, url: AnyStr | None, allow_fragments: bool = True) -> AnyStr: ...
@overload
def urljoin(base: str | URL, url: str | URL | None, allow_fragments: bool = True) -> str: ...
@overload
def quote(
    string: str, safe: str | Iterable[int] = "/", encoding: str | None = None, errors: str | None = None
) -> str: ...
@overload
def quote(
    string: bytes | bytearray, safe: str | Iterable[int] = "/", encoding: None = None, errors: None = None
) -> str: ...
@overload
def quote_plus(
    string: str, safe: str | Iterable[int] = "", encoding: str | None = None, errors: str | None = None
) -> str: ...
@overload
def quote_plus(
    string: bytes | bytearray, safe: str | Iterable[int] = "", encoding: None = None, errors: None = None
) -> str: ...
def quote_from_bytes(bs: bytes | bytearray, safe: str | Iterable[int] = "/") -> str: ...
def unquote(string: str | bytes, encoding: str | None = "utf-8", errors: str | None = "replace") -> str: ...
def unquote_plus(string: str, encoding: str | None = "utf-8", errors: str | None = "replace") -> str: ...
def unquote_to_bytes(string: str | bytes | bytearray) -> bytes: ...
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
