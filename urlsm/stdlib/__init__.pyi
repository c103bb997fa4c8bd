from typing import Any
from urllib.parse import (
    DefragResult as DefragResult,
)
from urllib.parse import (
    DefragResultBytes as DefragResultBytes,
)
from urllib.parse import (
    ParseResult as ParseResult,
)
from urllib.parse import (
    ParseResultBytes as ParseResultBytes,
)
from urllib.parse import (
    SplitResult as SplitResult,
)
from urllib.parse import (
    SplitResultBytes as SplitResultBytes,
)

from urlsm.stdlib._parse import parse_qs as parse_qs
from urlsm.stdlib._parse import parse_qsl as parse_qsl
from urlsm.stdlib._parse import (
    quote as quote,
)
from urlsm.stdlib._parse import (
    quote_from_bytes as quote_from_bytes,
)
from urlsm.stdlib._parse import (
    quote_plus as quote_plus,
)
from urlsm.stdlib._parse import (
    unquote as unquote,
)
from urlsm.stdlib._parse import (
    unquote_plus as unquote_plus,
)
from urlsm.stdlib._parse import (
    unquote_to_bytes as unquote_to_bytes,
)
from urlsm.stdlib._parse import (
    urldefrag as urldefrag,
)
from urlsm.stdlib._parse import urlencode as urlencode
from urlsm.stdlib._parse import (
    urljoin as urljoin,
)
from urlsm.stdlib._parse import urlparse as urlparse
from urlsm.stdlib._parse import urlsplit as urlsplit
from urlsm.stdlib._parse import (
    urlunparse as urlunparse,
)
from urlsm.stdlib._parse import (
    urlunsplit as urlunsplit,
)

__all__ = [
    "DefragResult",
    "DefragResultBytes",
    "ParseResult",
    "ParseResultBytes",
    "SplitResult",
    "SplitResultBytes",
    "parse_qs",
    "parse_qsl",
    "quote",
    "quote_from_bytes",
    "quote_plus",
    "unquote",
    "unquote_plus",
    "unquote_to_bytes",
    "urldefrag",
    "urlencode",
    "urljoin",
    "urlparse",
    "urlsplit",
    "urlunparse",
    "urlunsplit",
]
FUNCTIONS: dict[str, Any]
uses_relative: list[str]
uses_netloc: list[str]
uses_params: list[str]
uses_query: list[str]
uses_fragment: list[str]

def clear_cache() -> None: ...
def __getattr__(name: str) -> Any: ...
