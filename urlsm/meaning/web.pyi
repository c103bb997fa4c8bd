from typing import Literal

from urlsm.errors.rules import Violation
from urlsm.machine.driver import _Dialect
from urlsm.url.value import StrOrURL

def normalize(
    url: StrOrURL,
    *,
    dialect: _Dialect = "rfc3986",
    generic: Literal["rfc3986"] | None = None,
    unicode_form: Literal["NFC"] | None = None,
) -> str: ...
def equivalent(
    a: StrOrURL,
    b: StrOrURL,
    *,
    dialect: _Dialect = "rfc3986",
    generic: Literal["rfc3986"] | None = None,
    unicode_form: Literal["NFC"] | None = None,
) -> bool: ...
def validate(url: StrOrURL, *, dialect: _Dialect = "rfc3986", base: StrOrURL | None = None) -> list[Violation]: ...
def normal_link(url: object) -> str | None: ...
def equivalent_links(a: object, b: object) -> bool | None: ...
def is_valid_link(url: object, dialect: str) -> bool: ...
