from collections.abc import Callable

from urlsm.url import StrOrURL
from urlsm.values import Parts

_Seen = tuple[str | None, str | None, str | None, int | str | None, str | None]

DECIDES: tuple[str, ...]
READERS: dict[str, tuple[Callable[[str], _Seen], Callable[[str, str], str]]]

class View(Parts):
    dialect: str
    scheme: str | None
    userinfo: str | None
    host: str | None
    port: int | str | None
    path: str | None
    refusal: str | None

class Comparison(Parts):
    url: str
    views: dict[str, View]
    @property
    def agree(self) -> bool: ...
    @property
    def differences(self) -> dict[str, dict[str, int | str | None]]: ...

def compare(url: StrOrURL) -> Comparison: ...
def is_ambiguous(url: StrOrURL) -> bool: ...
def see(dialect: str, text: str) -> View: ...
def folded_host(host: str | None) -> str | None: ...
def text_of(url: StrOrURL) -> str: ...
def is_plain(text: str) -> bool: ...
def unremarkable(text: str) -> int: ...
