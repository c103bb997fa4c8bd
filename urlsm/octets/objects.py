"""The text of URLs that other libraries made, by what they are: an unknown object is never turned into text by str."""

from __future__ import annotations

from collections.abc import Callable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["url_string", "url_text"]

_LIBRARIES = "yarl, httpx, pydantic, Starlette and urllib.parse"
# classes by module and name, the ways to their text; subclasses count
_TEXTS: dict[str, Callable[[Any], str | bytes]] = {
    "yarl.URL": str,  # where the class says it stands; and where it is, in case a release says so
    "yarl._url.URL": str,
    "httpx.URL": str,
    "httpx._urls.URL": str,
    "starlette.datastructures.URL": str,
    "url.URL": str,
    "pydantic.networks._BaseUrl": str,
    "pydantic.networks._BaseMultiHostUrl": str,
    "pydantic_core._pydantic_core.Url": str,
    "pydantic_core._pydantic_core.MultiHostUrl": str,
    "urllib.parse._ResultMixinStr": lambda result: result.geturl(),
    "urllib.parse._ResultMixinBytes": lambda result: result.geturl(),
}


def url_text(given: object) -> str | bytes:
    """The text of an object given as a URL: str and bytes as they are, the `href` of one that has it (urlsm.URL,
    urlsm.whatwg.URL), what yarl, httpx, pydantic, Starlette or urllib.parse have made. TypeError for anything else."""
    if isinstance(given, (str, bytes)):
        return given
    href = getattr(given, "href", None)
    if isinstance(href, str):
        return href
    for base in type(given).__mro__:
        text = _TEXTS.get(f"{base.__module__}.{base.__qualname__}")
        if text is not None:
            return text(given)
    said = f"a URL is str, bytes or urlsm.URL, not {type(given).__name__}"
    raise TypeError(f"{said}: those of {_LIBRARIES} are taken as well; of another, give its text, such as str(url)")


def url_string(given: object) -> str:
    """url_text as str: bytes are decoded as UTF-8, and octets that are not UTF-8 become lone surrogates."""
    text = url_text(given)
    return text.decode("utf-8", "surrogateescape") if isinstance(text, bytes) else text
