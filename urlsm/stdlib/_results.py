"""Results in which an absent component is None and an empty one is "": CPython 3.15's missing_as_none.

CPython 3.15 marks results of its own classes. For older interpreters, the classes here allow None. Their instances are
compared and hashed as tuples.
"""

from __future__ import annotations

from urllib.parse import (
    DefragResult,
    DefragResultBytes,
    ParseResult,
    ParseResultBytes,
    SplitResult,
    SplitResultBytes,
    uses_netloc,
)

from urlsm.stdlib import _arguments, _parse
from urlsm.stdlib._probe import DIFFERENCES, UNSPECIFIED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ARE_NATIVE = DIFFERENCES["missing_as_none"]
RESULTS = (DefragResult, DefragResultBytes, ParseResult, ParseResultBytes, SplitResult, SplitResultBytes)


class Optional:
    """The base class of the six result classes in which an absent component is None."""

    __slots__ = ()
    _keep_empty = True

    def geturl(self: Any) -> Any:
        """Return the URL. An empty component keeps its delimiter."""
        if len(self) == 2:
            hash = "#" if isinstance(self.url, str) else b"#"
            return self.url if self.fragment is None else self.url + hash + self.fragment
        return (_parse.urlunsplit if len(self) == 5 else _parse.urlunparse)(self, keep_empty=True)

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
_SPLIT, _PARSE, _DEFRAG = (SplitResult, ParseResult, DefragResult) if ARE_NATIVE else [text for text, _ in _PAIRS]


def marked(result: Any, missing_as_none: Any) -> Any:
    """Return the result, marked as a result of missing_as_none if the interpreter can do that."""
    if ARE_NATIVE:
        result._keep_empty = missing_as_none
    return result


def keeps_empty(components: Any) -> bool:
    """Return whether the components are a result that distinguishes empty components from absent ones."""
    return bool(getattr(components, "_keep_empty", False))


# --- splitting ---------------------------------------------------------------------------------


def _read(url: Any, scheme: Any, fragments: Any, with_params: bool) -> tuple[Any, ...]:
    url, scheme, typed = _arguments.coerce_given(url, scheme)
    if not ARE_NATIVE:  # in older interpreters the default is "", and None means the same
        scheme = scheme or ""
    url, scheme, fragments = _arguments.clean("" if url is None else url, scheme, fragments)
    return (*_parse.components(url, scheme if ARE_NATIVE else scheme or None, fragments, with_params), typed)


def urlsplit(url: Any, scheme: Any, fragments: Any, missing_as_none: Any) -> Any:
    scheme, netloc, path, _, query, fragment, typed = _read(url, scheme, fragments, False)
    return marked(typed(_SPLIT(scheme, netloc, path, query, fragment)), missing_as_none)


def urlparse(url: Any, scheme: Any, fragments: Any, missing_as_none: Any) -> Any:
    *components, typed = _read(url, scheme, fragments, True)
    return marked(typed(_PARSE(*components)), missing_as_none)


def urldefrag(url: Any, missing_as_none: Any, keep_empty: Any) -> Any:
    if url is None and not ARE_NATIVE:
        url = ""
    text, typed = _arguments.coerce_given(url)
    fragment: Any = None
    if "#" in text:
        scheme, netloc, path, params, query, fragment, _ = _read(text, None, True, True)
        keeps = (missing_as_none or DIFFERENCES["keeps_empty"]) if keep_empty is None else keep_empty
        text = _joined(keeps, scheme, netloc, path, params, query, None)
    if missing_as_none:
        return marked(typed(_DEFRAG(text, fragment)), missing_as_none)
    return marked(typed(DefragResult(text, fragment or "")), missing_as_none)


# --- putting together --------------------------------------------------------------------------


def unsplit_given(scheme: Any, netloc: Any, url: Any, query: Any, fragment: Any) -> Any:
    """Do the same as urlunsplit, for str; an absent component is None."""
    if netloc is not None:
        if url and url[:1] != "/":
            url = "/" + url
        url = "//" + netloc + url
    elif url[:2] == "//":
        url = "//" + url
    if scheme:
        url = scheme + ":" + url
    if query is not None:
        url = url + "?" + query
    if fragment is not None:
        url = url + "#" + fragment
    return url


def netloc_of(scheme: Any, netloc: Any, url: Any) -> Any:
    """Return the netloc to write, or None to write no netloc. An empty netloc is written if the scheme is in
    uses_netloc and the url is empty or begins with "/"."""
    if netloc:
        return netloc
    return "" if scheme and scheme in uses_netloc and (not url or url[:1] == "/") else None


def unsplit_dropping(scheme: Any, netloc: Any, url: Any, params: Any, query: Any, fragment: Any) -> Any:
    """Do the same as urlunparse in interpreters that decide on the netloc before they add params. Empty components are
    left out."""
    netloc = netloc_of(scheme, netloc, url)
    if params:
        url = f"{url!s};{params!s}"
    return unsplit_given(scheme or None, netloc, url, query or None, fragment or None)


def _is_kept(components: Any, keep_empty: Any) -> bool:
    if keep_empty is UNSPECIFIED:
        return keeps_empty(components)
    cannot = not ARE_NATIVE and isinstance(components, RESULTS)
    if keep_empty and not getattr(components, "_keep_empty", not cannot):
        raise ValueError(
            "Cannot distinguish between empty and not defined URI components in the result of parsing URL with "
            "missing_as_none=False"
        )
    return bool(keep_empty)


def _joined(kept: bool, scheme: Any, netloc: Any, path: Any, params: Any, query: Any, fragment: Any) -> Any:
    if kept:
        if params is not None:
            path = f"{path!s};{params!s}"
        return unsplit_given(scheme, netloc, path, query, fragment)
    if ARE_NATIVE:
        return unsplit_dropping(scheme, netloc, path, params, query, fragment)
    return _parse.urlunparse(tuple(part or "" for part in (scheme, netloc, path, params, query, fragment)))


def urlunsplit(components: Any, keep_empty: Any) -> Any:
    scheme, netloc, path, query, fragment, typed = _arguments.coerce_given(*components)
    return typed(_joined(_is_kept(components, keep_empty), scheme, netloc, path, None, query, fragment))


def urlunparse(components: Any, keep_empty: Any) -> Any:
    scheme, netloc, path, params, query, fragment, typed = _arguments.coerce_given(*components)
    return typed(_joined(_is_kept(components, keep_empty), scheme, netloc, path, params, query, fragment))
