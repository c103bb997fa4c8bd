"""Finds the links in an HTML page: the URLs that its elements and CSS refer to, resolved as in a browser."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from importlib import import_module
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from urlsm.documents.prescan import declared_encoding
from urlsm.documents.scanning import base_in
from urlsm.unicode.encoding import in_utf8, output_encoding
from urlsm.url.value import base_of, try_parse

if TYPE_CHECKING:
    from urlsm.url.value import URL, StrOrURL

__all__ = ["PageLink", "page_links"]

# for each element, the attributes that hold URLs; "style" also stands for the style attributes of all elements
ATTRIBUTES: dict[str, tuple[str, ...]] = {
    "a": ("href", "xlink:href"),
    "area": ("href",),
    "audio": ("src",),
    "body": ("background",),
    "button": ("formaction",),
    "embed": ("src",),
    "form": ("action",),
    "frame": ("src",),
    "iframe": ("src",),
    "image": ("href", "xlink:href"),
    "img": ("src", "srcset"),
    "input": ("src", "formaction"),
    "link": ("href", "imagesrcset"),
    "meta": ("content",),
    "object": ("data",),
    "script": ("src",),
    "source": ("src", "srcset"),
    "style": (),
    "track": ("src",),
    "use": ("href", "xlink:href"),
    "video": ("src", "poster"),
}
ABOUT = {  # for urlsm.about
    "elements with links": {
        "tables": "ATTRIBUTES",
        "source": "HTML Standard, attributes; SVG 2; Scrapy's and lxml's lists",
        "url": "https://html.spec.whatwg.org/multipage/indices.html#attributes-3",
        "date": "2026-11-23",
        "licence": "CC-BY-4.0",
        "used_by": "page_links",
    },
}
_SPACE = " \t\n\f\r"


class PageLink(NamedTuple):
    """A link in a page: an item in the result of `page_links`.

    Attributes:
        url: the URL, in normal form.
        element: the name of the element, in lower case.
        attribute: the name of the attribute; None for a link in a style element.
        rel: the words in the element's rel attribute, in lower case, for example ("canonical",).
        position: the index of the link in the page's list of links.
        line: the number of the line in which the element's start tag ends, counted from 1; None if it is unknown.

    Example:
        >>> PageLink("https://h/", "a", "href", ("nofollow",), 0, 1).rel
        ('nofollow',)
    """

    url: str
    element: str
    attribute: str | None
    rel: tuple[str, ...]
    position: int
    line: int | None


PageLink.__module__ = "urlsm.documents"


# --- attributes with several URLs, or with a URL among other words ---------------------------------

_CANDIDATE = re.compile(rf"[{_SPACE},]*([^{_SPACE},][^{_SPACE}]*)")
# descriptors end at a comma, unless it is within parentheses
_DESCRIPTORS = re.compile(r"(?:[^,(]+|\([^)]*(?:\)|\Z))*")
_DESCRIPTOR = re.compile(  # a width, a height, or a density of at least 0
    r"0*[1-9][0-9]*[wh]|(?:-(?=[0.]+[eEx]))?(?:[0-9]+|[0-9]*\.[0-9]+)(?:[eE][+-]?[0-9]+)?x"
)


def _candidates(text: str) -> Iterator[str]:
    """Yield the URL of each candidate of a srcset, except candidates with invalid descriptors.

    https://html.spec.whatwg.org/#parse-a-srcset-attribute
    """
    at = 0
    while found := _CANDIDATE.match(text, at):
        url, at = found[1], found.end()
        if url.endswith(","):  # the candidate has no descriptors
            yield url.rstrip(",")
            continue
        descriptors = _DESCRIPTORS.match(text, at)
        assert descriptors is not None  # the pattern also matches ""
        at = descriptors.end()
        words = [word for word in re.split(f"[{_SPACE}]+", descriptors[0]) if word]
        units = sorted(word[-1] for word in words if _DESCRIPTOR.fullmatch(word))
        if len(units) == len(words) and units in ([], ["w"], ["x"], ["h", "w"]):
            yield url


_TIME = re.compile(rf"[{_SPACE}]*[0-9.]+(?=[{_SPACE};,])")
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


# matches in all CSS that holds a URL; the backslash is here because "url" and the other names may contain escapes
_MAYBE = re.compile(r"url\(|@import|image-set\(|\\", re.IGNORECASE)


def _of_css(text: str, sheet: bool = True) -> Iterator[str]:
    """Yield the URLs in url(), @import and image-set(), except URLs in @namespace, which are only names, and URLs that
    begin with "#" (https://www.w3.org/TR/css-values-4/#local-urls). sheet: whether the text is a style sheet; False:
    it is a style attribute, in which "At-rules are not allowed" (https://www.w3.org/TR/css-style-attr/#syntax)."""
    if _MAYBE.search(text) is None:
        return
    tokens = _parser("tinycss2").parse_component_value_list(text, skip_comments=True)
    # the blocks and functions around the current token, each with whether strings directly in it are URLs
    within: list[tuple[Iterator[Any], bool]] = [(iter(tokens), False)]
    rule = ""  # the name of the current at-rule, until its URL has been read
    while within:
        block, strings = within[-1]
        token = next(block, None)
        if token is None:
            within.pop()
            continue
        kind, url = token.type, ""
        if kind == "at-keyword":
            rule = token.lower_value if sheet else "namespace"
            continue
        if kind == "url" or (kind == "string" and (strings or rule == "import")):
            url = token.value
        elif kind == "function" and token.lower_name == "url":
            # the only argument must be a string; at the end of the text, the string's closing quote or the ")" may be
            # missing, for which the list has tokens of the type "error"
            first, *more = [found for found in token.arguments if found.type != "whitespace"] or [token]
            if first.type == "string" and all(found.type == "error" for found in more):
                url = first.value
        elif kind == "function":
            within.append((iter(token.arguments), token.lower_name in ("image-set", "-webkit-image-set")))
        elif kind.endswith(" block") and rule != "namespace":
            within.append((iter(token.content), False))
        if url and rule != "namespace" and not url.startswith("#"):
            yield url
        if kind != "whitespace" and (rule != "namespace" or kind == "{} block" or token == ";"):
            rule = ""


# --- elements ----------------------------------------------------------------------------------


def _parser(module: str) -> Any:
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        message = "page_links needs lxml and tinycss2: pip install 'urlsm[html]'"
        raise ModuleNotFoundError(message, name=error.name) from None


def _root(html: str | bytes) -> Any:
    etree = _parser("lxml.etree")
    if isinstance(html, str):
        html = html.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()
    less = {"collect_ids": False, "remove_comments": True, "remove_pis": True}  # these options make a smaller tree
    return etree.fromstring(html, etree.HTMLParser(encoding="utf-8", huge_tree=True, recover=True, **less))


_OF_SVG = ("image", "use")


def _in_svg(element: Any, attribute: str) -> bool:
    """Return whether the element is within an svg element, and the attribute counts there: href, or xlink:href if the
    element has no href."""
    return next(element.iterancestors("svg"), None) is not None and (attribute == "href" or element.get("href") is None)


def _references(element: Any, name: str) -> list[tuple[str, str]]:
    """Return a pair for each reference of an element: the name of the attribute, and the reference in it."""
    found: list[tuple[str, str]] = []
    for attribute in ATTRIBUTES[name]:
        if found and attribute == "xlink:href":
            break  # the element has a href, and its xlink:href does not count
        value = element.get(attribute)
        if value is None or ((name in _OF_SVG or attribute == "xlink:href") and not _in_svg(element, attribute)):
            continue
        if attribute == "href" or attribute == "src":
            # an empty value is a link only in the elements "a" and "area"; the src of an input counts only if its type
            # is "image"
            if (name == "a" or name == "area" or value.strip(_SPACE)) and (
                name != "input" or (element.get("type") or "").lower() == "image"
            ):
                found.append((attribute, value))
        elif attribute.endswith("srcset"):
            found += [(attribute, text) for text in _candidates(value)]
        elif attribute == "content":
            if (element.get("http-equiv") or "").lower() == "refresh":
                found += [(attribute, text) for text in _refresh(value)]
        elif value.strip(_SPACE) or attribute.endswith("action"):
            found.append((attribute, value))
    return found


def _styles(element: Any, name: str) -> Iterator[tuple[str | None, str]]:
    """Yield a pair for each reference in the CSS of an element: "style" if the CSS is in the style attribute, or None
    if it is in a style element; and the reference."""
    for text in _of_css(element.get("style") or "", False):
        yield "style", text
    if name == "style" and (element.get("type") or "text/css").lower() == "text/css":
        for text in _of_css(element.text or "", True):
            yield None, text


def _found(root: Any, names: Collection[str]) -> Iterator[tuple[Any, str | None, str, bool]]:
    """Yield a tuple for each reference of the page: the element, the name of the attribute or None, the reference, and
    whether it is in CSS. names: the elements to read."""
    hidden: set[Any] = set()  # the elements within templates, except templates that make a shadow root
    styles = "style" in names
    # lxml puts elements after </html> beside the root; HTML puts them into the body ("after after body")
    tops = (root, *root.itersiblings())
    styled = styles and any(_MAYBE.search(text) for text in root.xpath("//@style", smart_strings=False))
    taken = ("*",) if styled else ("template", *names)
    for element in chain.from_iterable(top.iter(*taken) for top in tops):
        if hidden and element in hidden:
            continue
        name: str = element.tag
        if name == "template" and (element.get("shadowrootmode") or "").lower() not in ("open", "closed"):
            hidden.update(element.iter())
            continue
        if name in names:
            for attribute, text in _references(element, name):
                yield element, attribute, text, False
        if styled or name == "style":
            for of_css, text in _styles(element, name):
                yield element, of_css, text, True


def page_links(
    html: str | bytes,
    *,
    url: StrOrURL,
    tags: Iterable[str] | None = None,
    encoding: str | None = None,
) -> list[PageLink]:
    """Extract the links from an HTML page in document order, and resolve them as browsers do.

    Links come from elements such as a, area, form, iframe, img, link, script and video, from srcset, a meta refresh,
    SVG, and CSS in style elements and attributes. <base href> is respected. Templates are ignored, and scripts do not
    run. References that do not resolve to a valid URL are left out. This function needs lxml and tinycss2: pip install
    'urlsm[html]'.

    Args:
        html: the document, as str or bytes.
        url: the URL of the document, after redirects.
        tags: the names of the elements to read; "style" means all CSS. None means all elements.
        encoding: the encoding of the document, for example the charset in its Content-Type: a label from the Encoding
            Standard or a Python codec name. A byte order mark takes precedence. None: the encoding that the document
            declares, otherwise UTF-8.

    Returns:
        A list of PageLink.

    Raises:
        ParseError: `url` is not a URL.
        ValueError: `tags` contains an element that cannot have links.
        LookupError: the encoding is unknown.
        TypeError: `html` is not str or bytes, or `tags` is a str.
        ModuleNotFoundError: lxml or tinycss2 is not installed.

    Example:
        >>> [link.url for link in page_links('<a href="b?x">', url="https://example.org/a/")]
        ['https://example.org/a/b?x']

    https://html.spec.whatwg.org/#resolving-urls
    """
    if isinstance(tags, (str, bytes)) or not (tags is None or isinstance(tags, Iterable)):
        raise TypeError(f"tags must be an iterable of str, such as ['a'], not {type(tags).__name__}")
    names = ATTRIBUTES.keys() if tags is None else {*tags}
    if unknown := [name for name in names if name not in ATTRIBUTES]:
        raise ValueError(
            f"unknown tags {', '.join(map(repr, unknown))}; the tags that can have links are {', '.join(ATTRIBUTES)}"
        )
    if isinstance(html, bytes):
        html, queries = in_utf8(html, declared_encoding(html) or "utf-8" if encoding is None else encoding)
    elif isinstance(html, str):
        queries = output_encoding("utf-8" if encoding is None else encoding)
        # a str with lone surrogates cannot be encoded, and stays a str
        with suppress(UnicodeEncodeError):
            html = html.encode()
    else:
        raise TypeError(f"html must be str or bytes, not {type(html).__name__}")
    document = base_of(url, "document")
    octets = html if isinstance(html, bytes) else html.encode("utf-8", "surrogatepass")
    base = base_in(octets, document.without_fragment(), queries)
    root = _root(html)
    if root is None or not names:
        return []
    links: list[PageLink] = []
    new = tuple.__new__  # saves a tenth of the time for a link, since PageLink(...) runs Python code
    for element, attribute, text, of_css in _found(root, names):
        link: URL | None
        if attribute in ("action", "formaction") and not text.strip(_SPACE):
            link = document  # "If action is the empty string, let action be the URL of the form document."
        elif of_css or queries == "UTF-8":
            link = try_parse(text, base=base)
        else:
            link = try_parse(text, base=base, encoding=queries)
        if link is not None:
            rel = element.get("rel")
            words = tuple(rel.lower().split()) if rel else ()
            fields = link.href, element.tag, attribute, words, len(links), element.sourceline
            links.append(new(PageLink, fields))
    return links
