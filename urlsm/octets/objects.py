"""Converts other libraries' URLs to text. They are recognised by their class; str() is never called on an unknown
object."""

from __future__ import annotations

from collections.abc import Callable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["url_string", "url_text"]

_LIBRARIES = "yarl, httpx, pydantic, Starlette, SQLAlchemy, hyperlink and urllib.parse"
# for the module and name of a class: the function that returns the text of an instance of that class or of a subclass
_TEXTS: dict[str, Callable[[Any], str | bytes]] = {
    # the first key is what the class's __module__ says; the next is where the class is really defined, in case a
    # release stops setting __module__
    "yarl.URL": str,
    "yarl._url.URL": str,
    "httpx.URL": str,
    "httpx._urls.URL": str,
    "starlette.datastructures.URL": str,
    "url.URL": str,
    "pydantic.networks._BaseUrl": str,
    "pydantic.networks._BaseMultiHostUrl": str,
    "pydantic_core._pydantic_core.Url": str,
    "pydantic_core._pydantic_core.MultiHostUrl": str,
    # for the URLs of these libraries, str() would hide the password
    "sqlalchemy.engine.url.URL": lambda url: url.render_as_string(hide_password=False),
    "hyperlink._url.URL": lambda url: url.to_text(with_password=True),
    "hyperlink._url.DecodedURL": lambda url: url.to_text(with_password=True),
    "urllib.parse._ResultMixinStr": lambda result: result.geturl(),
    "urllib.parse._ResultMixinBytes": lambda result: result.geturl(),
}
ABOUT = {  # for urlsm.about
    "classes of URLs": {
        "tables": "_TEXTS",
        "source": "yarl, httpx, pydantic, Starlette, SQLAlchemy, hyperlink, urllib.parse",
        "date": "2026-11-26",
        "used_by": "parse, and all that takes a URL",
    },
}


def url_text(given: object, name: str = "a URL") -> str | bytes:
    """Return the text of an object that represents a URL: a str or bytes; an object with `href` (urlsm.URL,
    urlsm.whatwg.URL); or a URL of yarl, httpx, pydantic, Starlette, SQLAlchemy, hyperlink or urllib.parse. An instance
    of a subclass of str or bytes is copied to an exact str or bytes, because the subclass may override methods.
    Anything else raises TypeError. name: the name of the argument, for the message."""
    if type(given) is str or type(given) is bytes:
        return given
    if isinstance(given, str):
        return str.__str__(given)
    if isinstance(given, bytes):
        return bytes.__getitem__(given, slice(None))
    href = getattr(given, "href", None)
    if isinstance(href, str):
        return href
    for base in type(given).__mro__:
        text = _TEXTS.get(f"{base.__module__}.{base.__qualname__}")
        if text is not None:
            return text(given)
    said = f"{name} must be str, bytes or urlsm.URL, not {type(given).__name__}"
    raise TypeError(
        f"{said}: URL objects from {_LIBRARIES} can be passed unchanged; "
        "convert any other object to text first, with its password, which str() may hide"
    )


def url_string(given: object, name: str = "a URL") -> str:
    """Return the result of url_text as a str. Bytes are decoded as UTF-8; those that are not UTF-8 become lone
    surrogates."""
    text = url_text(given, name)
    return text.decode("utf-8", "surrogateescape") if isinstance(text, bytes) else text
