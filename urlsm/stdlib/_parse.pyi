from typing import Any, Literal, overload
from urllib.parse import ParseResult, ParseResultBytes, SplitResult, SplitResultBytes

from urlsm.stdlib._results import (
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
