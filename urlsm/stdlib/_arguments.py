"""Converts arguments (bytes and other objects) to str, with the same operations as the interpreter's urllib.parse."""

from __future__ import annotations

from urlsm.stdlib._probe import DIFFERENCES
from urlsm.url.value import URL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

C0_OR_SPACE = "".join(map(chr, range(0x21)))


def coerce_given(*args: Any) -> Any:
    """Return all arguments as str or None, and the function that converts results to the right type. None may be mixed
    with str and with bytes."""
    args = _written(args)
    is_text = None
    for arg in args:
        if arg:
            if is_text is None:
                is_text = isinstance(arg, str)
            elif isinstance(arg, str) != is_text:
                raise TypeError("Cannot mix str and non-str arguments")
    if is_text is None:
        is_text = next((isinstance(arg, str) for arg in args if arg is not None), True)
    if is_text:
        return (*args, as_it_is)
    return (*(arg.decode("ascii", "strict") if arg else None if arg is None else "" for arg in args), encoded)


def coerce_first(*args: Any) -> Any:
    """Return all arguments as str, and the function that converts results to the type of the first one."""
    args = _written(args)
    is_text = isinstance(args[0], str)
    for arg in args[1:]:
        # the empty str is the default of scheme=
        if arg and isinstance(arg, str) != is_text:
            raise TypeError("Cannot mix str and non-str arguments")
    if is_text:
        return (*args, as_it_is)
    return (*(arg.decode("ascii", "strict") if arg else "" for arg in args), encoded)


def _written(args: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the arguments with each URL object replaced by its text, because urllib.parse does not know URL."""
    return tuple([str(arg) if isinstance(arg, URL) else arg for arg in args])


coerce_args = coerce_given if DIFFERENCES["none_is_neither"] else coerce_first
# if a call fails, the interpreter's message names the function, so ours needs the same name
coerce_args.__module__, coerce_args.__qualname__ = "urllib.parse", "_coerce_args"


def as_it_is(result: Any) -> Any:
    return result


def encoded(result: Any) -> Any:
    return result.encode("ascii", "strict")


def check_hashes(*args: object) -> None:
    """Raise TypeError for an unhashable argument if lru_cache does so in this interpreter."""
    if DIFFERENCES["hashes_arguments"]:
        for arg in args:
            hash(arg)


def clean(url: Any, scheme: Any, fragments: Any) -> tuple[str, Any, bool]:
    """Return url and scheme as exact str (the scheme without the characters that urlsplit removes from it), and
    fragments as a bool. scheme may be None if the interpreter allows that. (The machine removes such characters from
    url.)"""
    url = url.lstrip("")
    if scheme is None and DIFFERENCES["scheme_may_be_none"]:
        return url, None, bool(fragments)
    if DIFFERENCES["strips_start"]:
        scheme = scheme.strip(C0_OR_SPACE)
    for removed in "\t\r\n":
        scheme = scheme.replace(removed, "")
    return url, scheme, bool(fragments)
