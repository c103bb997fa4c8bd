"""The templates for the output of `urlsm parse` (--get). They use the same names as trurl, with some additions."""

from __future__ import annotations

import re
from urllib.parse import unquote

from urlsm.cli.edit import NAMES, in_unicode
from urlsm.cli.rows import FIELDS, Form
from urlsm.errors.excerpt import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeAlias

    from urlsm.cli.edit import Edits
    from urlsm.url.value import URL

    _Show: TypeAlias = Callable[[URL, str], str]

__all__ = ["MissingError", "form_of", "template"]

_TOKEN = r"(?s)\\(.)|\{([^{}]*)\}|\[([^\[\]]*)\]|([^\\{\[]+|.)"
_AS_IT_STANDS = ("url", "href", "input", "origin", "registrable_domain")  # names whose values are never decoded
KNOWN = (*FIELDS, "registrable_domain")  # names that columns have
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}


class MissingError(ValueError):
    """Raised if a component that a template requires is missing."""


def _pieces(text: str) -> Iterator[tuple[str, str]]:
    """Yield the pieces of a template: pairs of a name and a literal string, one of which is empty. Raise ValueError for
    an unclosed brace or an empty pair of braces."""
    for escape, braces, brackets, plain in re.findall(_TOKEN, text):
        if braces or brackets:
            yield braces or brackets, ""
        elif plain == "{":  # a "[" without "]" stands for itself, as in trurl
            raise ValueError(f'"{{" without "}}" in a template: {printable(text)} (write \\{{ to print it)')
        elif not (escape or plain):
            raise ValueError(f"empty braces in a template: {printable(text)}")
        else:
            yield "", _ESCAPES.get(escape, escape if escape in "\\{[" else f"\\{escape}") if escape else plain


def form_of(text: str, edits: Edits) -> Form | None:
    """Convert a template to a form that C can fill in for many lines at once. Return None if C cannot fill it in."""
    names: list[str] = []
    literals, decoded = [""], []
    for name, between in _pieces(text):
        if between:
            literals[-1] += between
        elif name:
            *how, plain = name.rsplit(":", 1)
            plain = {"user": "username", "url": "href"}.get(plain, plain)
            if (how and how[0] not in ("", "url")) or plain not in KNOWN or edits.shows or len(names) == 32:
                return None
            names.append(plain)
            literals.append("")
            decoded.append(not how and plain not in _AS_IT_STANDS)
    if re.fullmatch("[\t\n -~]*", "".join(literals)):
        literals[-1] += "\n"
        return Form(tuple(names), tuple([between.encode() for between in literals]), bytes(decoded))
    return None


def template(text: str, edits: Edits) -> _Show:
    """Return a function that fills in a template from a URL and its text. Raise ValueError for an unknown name. The
    function raises MissingError if a component with "must:" is absent."""
    pieces: list[str | _Show] = []
    for name, between in _pieces(text):
        pieces.append(_value(name, edits) if name else between)
    if len(pieces) == 1 and callable(pieces[0]):
        return pieces[0]
    return lambda url, given: "".join([piece if isinstance(piece, str) else piece(url, given) for piece in pieces])


def _value(name: str, edits: Edits) -> _Show:
    """Return the function that fills in {name}."""
    hows: set[str] = set()
    while found := re.match(r"(url|strict|must|default|puny|idn|):", name):
        hows.add(found[1] or "url")
        name = name[found.end() :]
    get = _getter(name, hows, edits)
    as_it_stands = name in _AS_IT_STANDS or name.startswith("parts.")  # the handler has already decoded a part
    decoded, must = "url" not in hows and not as_it_stands, "must" in hows

    def show(url: URL, given: str) -> str:
        value = get(url, given)
        if value is None:
            if must:
                raise MissingError(f"missing {name}")
            return ""
        if decoded and "%" in value:
            value = unquote(value, errors="strict" if "strict" in hows else "replace")
        return value if value.isprintable() else printable(value)

    return show


def _getter(name: str, hows: set[str], edits: Edits) -> Callable[[URL, str], str | None]:
    name = NAMES.get(name, name)
    if name in ("username", "password", "host", "path", "query", "fragment", "scheme", "origin", "name", "suffix"):
        if name == "host" and ("idn" in hows or edits.args.as_idn):
            return lambda url, given: None if url.host is None else in_unicode(url.host)
        return lambda url, given: getattr(url, name)
    if name == "port":
        default = "default" in hows or edits.args.default_port
        return lambda url, given: _text(url.effective_port if default else url.port)
    if name in ("url", "href"):
        return lambda url, given: edits.written(url, given, "default" in hows)
    if name == "input":
        return lambda url, given: given
    if name == "registrable_domain":
        from urlsm.crawler.sites import registrable_domain

        try:
            registrable_domain("http://example.org/")
        except ImportError as error:  # the optional dependencies "suffixes" are not installed
            raise ValueError(str(error)) from error
        return lambda url, given: registrable_domain(url)
    if name.startswith("parts."):
        from urlsm.meaning.literal import parts_of_text

        part, edited = name[6:], edits.steps or edits.values
        if edited:
            return lambda url, given: _text(getattr(url.parts, part, None))
        return lambda url, given: _text(getattr(parts_of_text(given, url), part, None))
    if name.startswith(("query:", "query-all:")):
        kind, _, key = name.partition(":")
        return _field(key, kind == "query-all", "url" in hows)
    raise ValueError(f"unknown name in a template: {{{name}}}")


def _field(key: str, every: bool, as_it_stands: bool) -> Callable[[URL, str], str | None]:
    def field(url: URL, given: str) -> str | None:
        fields = [text for text in (url.query or "").split("&") if text]
        found = [
            text.partition("=")[2] if as_it_stands else value.replace("%", "%25")
            for text, (name, value) in zip(fields, url.query_params.items(), strict=True)
            if name == key
        ]
        return None if not found else " ".join(found) if every else found[0]

    return field


def _text(value: object) -> str | None:
    if value is None or isinstance(value, str):
        return value
    return ",".join([str(item) for item in value]) if isinstance(value, (tuple, list)) else str(value)
