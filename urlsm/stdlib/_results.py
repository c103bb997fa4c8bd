"""Results in which a component that is absent is None, and one that is empty is "": what CPython 3.15 calls
missing_as_none. Each class is one of the interpreter's own, with None allowed; equality, order and hash are those
of the tuples.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import (
    DefragResult,
    DefragResultBytes,
    ParseResult,
    ParseResultBytes,
    SplitResult,
    SplitResultBytes,
)

from urlsm.stdlib import _general, _parse, _unparse

RESULTS = (DefragResult, DefragResultBytes, ParseResult, ParseResultBytes, SplitResult, SplitResultBytes)


class Optional:
    """What the six classes share."""

    __slots__ = ()

    def geturl(self: Any) -> Any:
        """The URL again, with the delimiters of what is empty."""
        if len(self) == 2:
            hash = "#" if isinstance(self.url, str) else b"#"
            return self.url if self.fragment is None else self.url + hash + self.fragment
        return (_unparse.urlunsplit if len(self) == 5 else _unparse.urlunparse)(self, keep_empty=True)

    @property
    def _userinfo(self: Any) -> Any:
        return (None, None) if self.netloc is None else super()._userinfo  # type: ignore[misc]

    @property
    def _hostinfo(self: Any) -> Any:
        return (None, None) if self.netloc is None else super()._hostinfo  # type: ignore[misc]


class OptionalText(Optional):
    __slots__ = ()

    def encode(self: Any, encoding: str = "ascii", errors: str = "strict") -> Any:
        return self._encoded_counterpart(*(part if part is None else part.encode(encoding, errors) for part in self))


class OptionalBytes(Optional):
    __slots__ = ()

    def decode(self: Any, encoding: str = "ascii", errors: str = "strict") -> Any:
        return self._decoded_counterpart(*(part if part is None else part.decode(encoding, errors) for part in self))


class OptionalSplitResult(OptionalText, SplitResult):
    __slots__ = ()


class OptionalSplitResultBytes(OptionalBytes, SplitResultBytes):
    __slots__ = ()


class OptionalParseResult(OptionalText, ParseResult):
    __slots__ = ()


class OptionalParseResultBytes(OptionalBytes, ParseResultBytes):
    __slots__ = ()


class OptionalDefragResult(OptionalText, DefragResult):
    __slots__ = ()


class OptionalDefragResultBytes(OptionalBytes, DefragResultBytes):
    __slots__ = ()


_PAIRS: tuple[tuple[Any, Any], ...] = (
    (OptionalSplitResult, OptionalSplitResultBytes),
    (OptionalParseResult, OptionalParseResultBytes),
    (OptionalDefragResult, OptionalDefragResultBytes),
)
for _text, _octets in _PAIRS:
    _text._encoded_counterpart = _octets
    _octets._decoded_counterpart = _text


# --- str, or bytes that stand for str ----------------------------------------------------------


def _coerced(*args: Any) -> tuple[list[Any], Callable[[Any], Any]]:
    """All as str or None, and the function that gives results the type that the arguments had."""
    kinds = {isinstance(arg, str) for arg in args if arg or isinstance(arg, bytes)}
    if len(kinds) > 1:
        raise TypeError("Cannot mix str and non-str arguments")
    if kinds == {False}:
        return [None if arg is None else arg.decode("ascii", "strict") if arg else "" for arg in args], _general.encoded
    return [*args], _general.as_it_is


def _read(url: Any, scheme: Any, fragments: Any, with_params: bool) -> tuple[Any, ...]:
    (url, scheme), typed = _coerced("" if url is None else url, scheme or None)
    url, scheme, fragments = _general.clean(url, scheme or "", fragments)
    return (*_parse.components(url, scheme or None, fragments, with_params), typed)


def urlsplit(url: Any, scheme: Any, fragments: Any) -> Any:
    scheme, netloc, path, _, query, fragment, typed = _read(url, scheme, fragments, False)
    return typed(OptionalSplitResult(scheme, netloc, path, query, fragment))


def urlparse(url: Any, scheme: Any, fragments: Any) -> Any:
    *components, typed = _read(url, scheme, fragments, True)
    return typed(OptionalParseResult(*components))


def urldefrag(url: Any, missing_as_none: Any, keep_empty: Any) -> Any:
    *components, fragment, typed = _read(url, None, True, True)
    kept = missing_as_none if keep_empty is None else keep_empty
    (text,), _ = _coerced(url or "")
    if fragment is not None:
        scheme, netloc, path, params, query = components
        text = _joined(kept, scheme, netloc, path, params, query, None)
    if missing_as_none:
        return typed(OptionalDefragResult(text, fragment))
    return typed(DefragResult(text, fragment or ""))


# --- putting together --------------------------------------------------------------------------


def _is_kept(components: Any, keep_empty: Any) -> bool:
    if keep_empty is None:
        return isinstance(components, Optional)
    if keep_empty and isinstance(components, RESULTS) and not isinstance(components, Optional):
        raise ValueError(
            "Cannot distinguish between empty and not defined URI components in the result of parsing URL with "
            "missing_as_none=False"
        )
    return bool(keep_empty)


def _joined(kept: bool, scheme: Any, netloc: Any, path: Any, params: Any, query: Any, fragment: Any) -> Any:
    if not kept:
        return _unparse.urlunparse(tuple(part or "" for part in (scheme, netloc, path, params, query, fragment)))
    path = path or ""
    if params is not None:
        path = f"{path};{params}"
    if netloc is not None:
        path = f"//{netloc}{'/' if path and path[:1] != '/' else ''}{path}"
    elif path[:2] == "//":
        path = "//" + path
    before = "" if not scheme else scheme + ":"
    return before + path + ("" if query is None else "?" + query) + ("" if fragment is None else "#" + fragment)


def urlunsplit(components: Any, keep_empty: Any) -> Any:
    kept = _is_kept(components, keep_empty)
    (scheme, netloc, path, query, fragment), typed = _coerced(*components)
    return typed(_joined(kept, scheme, netloc, path, None, query, fragment))


def urlunparse(components: Any, keep_empty: Any) -> Any:
    kept = _is_kept(components, keep_empty)
    (scheme, netloc, path, params, query, fragment), typed = _coerced(*components)
    return typed(_joined(kept, scheme, netloc, path, params, query, fragment))
