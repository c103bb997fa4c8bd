from collections.abc import Iterable
from typing import Any, AnyStr, Literal, overload
from urllib.parse import DefragResult, DefragResultBytes

from urlsm.stdlib._results import OptionalDefragResult, OptionalDefragResultBytes
from urlsm.url.value import URL

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
