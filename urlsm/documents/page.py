"""The links of an HTML page: what its elements and its CSS refer to, as a browser resolves it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from importlib import import_module
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from urlsm.documents.html import base_of
from urlsm.unicode.encoding import decode, output_encoding
from urlsm.url.value import try_parse

if TYPE_CHECKING:
    from urlsm.url.value import StrOrURL

__all__ = ["PageLink", "page_links"]

# The attributes that hold URLs, by element; "style" also stands for the style attributes of all elements.
ATTRIBUTES: dict[str, tuple[str, ...]] = {
    "a": ("href",),
    "area": ("href",),
    "audio": ("src",),
    "button": ("formaction",),
    "embed": ("src",),
    "form": ("action",),
    "frame": ("src",),
    "iframe": ("src",),
    "img": ("src", "srcset"),
    "input": ("src", "formaction"),
    "link": ("href", "imagesrcset"),
    "meta": ("content",),
    "object": ("data",),
    "script": ("src",),
    "source": ("src", "srcset"),
    "style": (),
    "track": ("src",),
    "video": ("src", "poster"),
}
# An empty value is the document's own URL there; elsewhere "if the attribute's value is the empty string, then return".
_EMPTY_TOO = {("a", "href"), ("area", "href"), ("form", "action")}
_SPACE = " \t\n\f\r"


class PageLink(NamedTuple):
    """A link of a page.

    url: the URL, in normal form. element: the name of the element, in lower case. attribute: that of the value; None:
    the link is in the CSS of a style element. rel: the words of the element's rel, in lower case: ("canonical",).
    position: the number of links before it. line: the one where the element's start tag ends, from 1 on; None where the
    parser has none.
    """

    url: str
    element: str
    attribute: str | None
    rel: tuple[str, ...]
    position: int
    line: int | None


# --- texts that hold several URLs, or one among other words ----------------------------------------

_CANDIDATE = re.compile(rf"[{_SPACE},]*([^{_SPACE},][^{_SPACE}]*)")
_DESCRIPTORS = re.compile(r"(?:[^,(]+|\([^)]*\)?)*")


def _candidates(text: str) -> Iterator[str]:
    """Yield the URLs of a srcset (https://html.spec.whatwg.org/#parse-a-srcset-attribute), whatever their
    descriptors."""
    at = 0
    while found := _CANDIDATE.match(text, at):
        url, at = found[1], found.end()
        if not url.endswith(","):  # otherwise it has no descriptors
            at = _DESCRIPTORS.match(text, at).end()  # type: ignore[union-attr]  # (it matches "")
        yield url.rstrip(",")


_TIME = re.compile(rf"[{_SPACE}]*(?:[0-9]+|(?=\.))[0-9.]*(?=[{_SPACE};,])")
_AFTER_TIME = re.compile(
    rf"(?:url[{_SPACE}]*=[{_SPACE}]*)?(?:\"([^\"]*)|'([^']*)|(.*))", re.IGNORECASE | re.ASCII | re.DOTALL
)


def _refresh(text: str) -> Iterator[str]:
    """Yield the URL of a refresh (https://html.spec.whatwg.org/#shared-declarative-refresh-steps)."""
    time = _TIME.match(text)
    if time is None:
        return
    rest = text[time.end() :].lstrip(_SPACE)
    if rest.startswith((";", ",")):
        rest = rest[1:].lstrip(_SPACE)
    found = _AFTER_TIME.match(rest)
    if rest and found is not None:
        yield found[found.lastindex or 0]


# Tokens of CSS (https://www.w3.org/TR/css-syntax-3/#tokenization): comments and strings are passed over
_CSS = re.compile(
    r"""/\*.*?(?:\*/|\Z)|@namespace\b[^;]*
    |(?P<call>(?<![\w\\-])url\(\s*|@import\s*(?:/\*(?:[^*]|\*(?!/))*\*/\s*)*(?=["']))?
     (?:"(?P<double>(?:[^"\\\n]|\\.)*)"?|'(?P<single>(?:[^'\\\n]|\\.)*)'?)
    |(?<![\w\\-])url\(\s*(?P<bare>(?:[^"'()\\\s]|\\[^\n])*)\s*(?:\)|\Z)""",
    re.IGNORECASE | re.DOTALL | re.VERBOSE,
)
_ESCAPE = re.compile(r"\\(?:([0-9A-Fa-f]{1,6})(?:\r\n|\s)?|\r?\n|(.))", re.DOTALL)


def _unescaped(found: re.Match[str]) -> str:
    if not found[1]:
        return found[2] or ""  # (a "\" at the end of a line continues a string)
    code = int(found[1], 16)
    return "\ufffd" if not 0 < code < 0x110000 or 0xD800 <= code < 0xE000 else chr(code)


def _of_css(text: str) -> Iterator[str]:
    """Yield the URLs of url() and @import, but not those of @namespace, which are names."""
    for found in _CSS.finditer(text):
        kind = found.lastgroup
        if kind is not None and found[kind] and (kind == "bare" or found["call"]):
            yield _ESCAPE.sub(_unescaped, found[kind])


_SETS = ("srcset", "imagesrcset")


# --- elements ----------------------------------------------------------------------------------


def _octets_of(html: str) -> bytes:
    try:
        return html.encode()
    except UnicodeEncodeError:  # lone surrogates
        return html.encode("utf-8", "surrogatepass").decode("utf-8", "replace").encode()


def _root(html: str) -> Any:
    try:
        etree: Any = import_module("lxml.etree")
    except ModuleNotFoundError as error:
        message = "page_links reads HTML by lxml: pip install 'urlsm[html]'"
        raise ModuleNotFoundError(message, name=error.name) from None
    return etree.fromstring(_octets_of(html), etree.HTMLParser(encoding="utf-8", huge_tree=True, recover=True))


def _references(element: Any, name: str) -> Iterator[tuple[str | None, str]]:
    """Yield each attribute that refers to something, and the reference."""
    for attribute in ATTRIBUTES[name]:
        value = element.get(attribute)
        if value is None:
            continue
        if name == "meta":
            if (element.get("http-equiv") or "").lower() == "refresh":
                yield from ((attribute, text) for text in _refresh(value))
        elif attribute in _SETS:
            yield from ((attribute, text) for text in _candidates(value))
        elif value.strip(_SPACE) or (name, attribute) in _EMPTY_TOO:
            yield attribute, value


def _in_styles(element: Any, name: str) -> Iterator[tuple[str | None, str]]:
    yield from (("style", text) for text in _of_css(element.get("style") or ""))
    if name == "style":
        yield from ((None, text) for text in _of_css(element.text or ""))


def page_links(
    html: str | bytes,
    retrieved: StrOrURL,
    *,
    tags: str | Iterable[str] | None = None,
    encoding: str = "utf-8",
) -> list[PageLink]:
    """Return the links of an HTML page, in the order of the document, each resolved as browsers resolve it.

    These are the URLs of a, area, audio, button, embed, form, frame, iframe, img, input, link (of which rel="canonical"
    is one), object, script, source, track and video, each candidate of a srcset, the URL of a meta refresh, and url()
    and @import in style elements and style attributes. The base is that of urlsm.base_of: `<base href>` counts. What is
    not a URL is left out, and so is what stands in a template, which is not rendered.

    Args:
        html: the document, as str or bytes. retrieved: its URL, after redirections.
        tags: an iterable of the names of elements to take, of those above; "style" is CSS, of any element. None: all.
        encoding: a label of the Encoding Standard, the document's encoding: it decodes bytes without a byte order mark,
            and encodes the queries of links.

    Raises:
        ParseError: retrieved is not a URL. ValueError: no such tag. LookupError: no such encoding. TypeError: html is
        not str or bytes. ModuleNotFoundError: lxml is not installed (the extra urlsm[html]).

    HTML is read by lxml, which gives up a branch more than 2,048 elements deep.
    https://html.spec.whatwg.org/#resolving-urls
    """
    names = ATTRIBUTES.keys() if tags is None else {tags} if isinstance(tags, str) else {*tags}
    if unknown := [name for name in names if name not in ATTRIBUTES]:
        raise ValueError(f"no links are in {', '.join(map(repr, unknown))}; the tags are {', '.join(ATTRIBUTES)}")
    queries = output_encoding(encoding)
    if isinstance(html, bytes):
        html = decode(html, encoding)
    elif not isinstance(html, str):
        raise TypeError(f"a page is str or bytes, not {type(html).__name__}")
    base = base_of(html, retrieved=retrieved)
    root = _root(html)
    if root is None:
        return []
    inert = set()
    for template in root.iter("template"):  # one with this attribute is a part of the page
        if (template.get("shadowrootmode") or "").lower() not in ("open", "closed"):
            inert.update(template.iter())
    styles = "style" in names
    styled = styles and any("url(" in element.get("style").lower() for element in root.iterfind(".//*[@style]"))
    found: list[PageLink] = []
    for element in root.iter("*") if styled else root.iter(*names):
        name = element.tag
        if inert and element in inert:
            continue
        references = _references(element, name) if name in names else iter(())
        if styled or (styles and name == "style"):
            references = chain(references, _in_styles(element, name))
        for attribute, text in references:
            url = try_parse(text, base, query_encoding=queries)
            if url is not None:
                rel = element.get("rel")
                words = tuple(rel.lower().split()) if rel else ()
                found.append(PageLink(url.href, name, attribute, words, len(found), element.sourceline))
    return found
