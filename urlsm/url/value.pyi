from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar, Literal, Protocol, TypeAlias, final, overload
from urllib.parse import DefragResult, DefragResultBytes, ParseResult, ParseResultBytes, SplitResult, SplitResultBytes

from urlsm.components.parts import Parts
from urlsm.errors.rules import Violation
from urlsm.schemes.generic import Scheme
from urlsm.server.requests import Hosts
from urlsm.url.params import QueryParams

# Protocols for the URLs of other libraries, which may not be installed. Each is recognised by one attribute that only
# it has. At run time octets/objects.py recognises them by their classes, so these types accept a little more.

class _HasHref(Protocol):  # urlsm.whatwg.URL is an example
    @property
    def href(self) -> str: ...

class _Yarl(Protocol):
    def human_repr(self) -> str: ...

class _Httpx(Protocol):
    @property
    def raw_path(self) -> bytes: ...

class _Starlette(Protocol):
    @property
    def components(self) -> SplitResult: ...

class _Pydantic(Protocol):
    def unicode_string(self) -> str: ...

_OfUrllib: TypeAlias = SplitResult | ParseResult | DefragResult
_Text: TypeAlias = str | URL | _HasHref | _OfUrllib | _Yarl | _Httpx | _Starlette | _Pydantic
_Octets: TypeAlias = bytes | SplitResultBytes | ParseResultBytes | DefragResultBytes

StrOrURL: TypeAlias = _Text | _Octets  # what every function takes as a URL

_Value: TypeAlias = str | int | float
_Values: TypeAlias = (
    _Value
    | list[str]
    | list[int]
    | list[float]
    | list[_Value]
    | list[str | None]
    | list[_Value | None]
    | tuple[_Value | None, ...]
    | None
)

class _Items(Protocol):  # QueryParams is an example
    def items(self) -> Iterable[tuple[str, _Values]]: ...

def parse(
    url: StrOrURL, *, base: StrOrURL | None = None, encoding: str = "utf-8", max_length: int | None = None
) -> URL: ...
def try_parse(
    url: StrOrURL, *, base: StrOrURL | None = None, encoding: str = "utf-8", max_length: int | None = None
) -> URL | None: ...
def can_parse(url: StrOrURL, *, base: StrOrURL | None = None, max_length: int | None = None) -> bool: ...
def base_of(base: StrOrURL, role: str = "base") -> URL: ...
def use_handlers(handlers: dict[str, Scheme[Any]]) -> None: ...

@final
class Later:
    def __init__(self, name: str, module: str) -> None: ...
    def __get__(self, owner: object, kind: type | None = None, /) -> Any: ...

@final
class URL:
    __match_args__: ClassVar[tuple[str, ...]]
    def __new__(
        cls,
        url: StrOrURL,
        *,
        base: StrOrURL | None = None,
        encoding: str = "utf-8",
        max_length: int | None = None,
    ) -> URL: ...
    @property
    def href(self) -> str: ...
    @property
    def scheme(self) -> str: ...
    @property
    def username(self) -> str | None: ...
    @property
    def password(self) -> str | None: ...
    @property
    def host(self) -> str | None: ...
    @property
    def port(self) -> int | None: ...
    @property
    def authority(self) -> str | None: ...
    @property
    def path(self) -> str: ...
    @property
    def query(self) -> str | None: ...
    @property
    def fragment(self) -> str | None: ...
    @property
    def segments(self) -> tuple[str, ...]: ...
    @property
    def query_params(self) -> QueryParams: ...
    @property
    def origin(self) -> str: ...
    @property
    def handler(self) -> Scheme[Parts]: ...
    @property
    def parts(self) -> Parts: ...
    def violations(self) -> list[Violation]: ...
    @overload
    @staticmethod
    def build(
        *,
        scheme: str,
        username: str | None = None,
        password: str | None = None,
        auth: tuple[str, str] | None = None,
        host: str | None = None,
        port: int | None = None,
        path: str = "",
        query: Mapping[str, _Values],
        fragment: str | None = None,
        space: Literal["%20"] | None = None,
    ) -> URL: ...
    @overload
    @staticmethod
    def build(
        *,
        scheme: str,
        username: str | None = None,
        password: str | None = None,
        auth: tuple[str, str] | None = None,
        host: str | None = None,
        port: int | None = None,
        path: str = "",
        query: str | _Items | Iterable[tuple[str, _Values]] | None = None,
        fragment: str | None = None,
        space: Literal["%20"] | None = None,
    ) -> URL: ...
    @staticmethod
    def from_request_target(
        target: str | bytes,
        *,
        host: str | bytes | None,
        scheme: str,
        method: str,
        peer: str | None = None,
        headers: Iterable[tuple[str | bytes, str | bytes]] = (),
        trusted_proxies: Hosts | Iterable[str] | int = (),
        forwarded: Literal["forwarded", "x-forwarded"] | None = None,
        dots: Literal["refuse", "resolve"] = "refuse",
    ) -> URL: ...
    @staticmethod
    def from_scope(
        scope: Mapping[str, Any],
        *,
        trusted_proxies: Hosts | Iterable[str] | int = (),
        forwarded: Literal["forwarded", "x-forwarded"] | None = None,
        dots: Literal["refuse", "resolve"] = "refuse",
    ) -> URL: ...
    @staticmethod
    def from_environ(
        environ: Mapping[str, Any],
        *,
        trusted_proxies: Hosts | Iterable[str] | int = (),
        forwarded: Literal["forwarded", "x-forwarded"] | None = None,
        dots: Literal["refuse", "resolve"] = "refuse",
    ) -> URL: ...
    def join(self, ref: StrOrURL) -> URL: ...
    def __truediv__(self, segment: str, /) -> URL: ...
    # an argument that is not given leaves its component as it is; None removes the component
    def replace(
        self,
        *,
        scheme: str = ...,
        username: str | None = ...,
        password: str | None = ...,
        auth: tuple[str, str] | None = ...,
        host: str | None = ...,
        port: int | None = ...,
        path: str | None = ...,
        query: str | Mapping[str, _Values] | _Items | Iterable[tuple[str, _Values]] | None = ...,
        fragment: str | None = ...,
        space: Literal["%20"] | None = None,
    ) -> URL: ...
    def __replace__(self, **changes: Any) -> URL: ...
    @overload
    def with_query(
        self, query: Mapping[str, _Values], /, *, space: Literal["%20"] | None = None, **fields: _Values
    ) -> URL: ...
    @overload
    def with_query(
        self,
        query: str | _Items | Iterable[tuple[str, _Values]] | None = ...,
        /,
        *,
        space: Literal["%20"] | None = None,
        **fields: _Values,
    ) -> URL: ...
    @overload
    def update_query(
        self, query: Mapping[str, _Values], /, *, space: Literal["%20"] | None = None, **more: _Values
    ) -> URL: ...
    @overload
    def update_query(
        self,
        query: str | _Items | Iterable[tuple[str, _Values]] | None = None,
        /,
        *,
        space: Literal["%20"] | None = None,
        **more: _Values,
    ) -> URL: ...
    @overload
    def extend_query(
        self, query: Mapping[str, _Values], /, *, space: Literal["%20"] | None = None, **more: _Values
    ) -> URL: ...
    @overload
    def extend_query(
        self,
        query: str | _Items | Iterable[tuple[str, _Values]] | None = None,
        /,
        *,
        space: Literal["%20"] | None = None,
        **more: _Values,
    ) -> URL: ...
    def without_query_params(self, *names: str) -> URL: ...
    @property
    def auth(self) -> tuple[str, str] | None: ...
    @property
    def socket_host(self) -> str | None: ...
    def append_path(self, path: str) -> URL: ...
    def join_location(self, field: str | bytes) -> URL: ...
    def rfc3986(self) -> str: ...
    def without_credentials(self) -> URL: ...
    def without_fragment(self) -> URL: ...
    def relative_to(self, base: StrOrURL) -> str: ...
    def display(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def suffix(self) -> str: ...
    @property
    def parent(self) -> URL: ...
    @property
    def effective_port(self) -> int | None: ...
    @property
    def request_target(self) -> str: ...
    def masked(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def __rich__(self) -> Any: ...
    def __rich_repr__(self) -> Iterator[str]: ...
    def otel_attributes(self) -> dict[str, str | int]: ...
    def __format__(self, spec: str, /) -> str: ...
    def __conform__(self, protocol: object) -> str | None: ...
    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: object) -> Any: ...
    @classmethod
    def __get_pydantic_json_schema__(cls, schema: object, handler: object) -> Any: ...
    def __len__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __lt__(self, other: URL, /) -> bool: ...
    def __le__(self, other: URL, /) -> bool: ...
    def __gt__(self, other: URL, /) -> bool: ...
    def __ge__(self, other: URL, /) -> bool: ...
    def __copy__(self) -> URL: ...
    def __deepcopy__(self, memo: object) -> URL: ...
    def __reduce__(self) -> tuple[object, ...]: ...
