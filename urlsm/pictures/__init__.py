"""Draw a URL as coloured text, HTML or SVG that shows which part each parser state read, or as a page about the URL."""

from urlsm.octets.later import later as _later

_HOMES = {
    **dict.fromkeys(("Span", "spans"), "urlsm.pictures.cutting"),
    **dict.fromkeys(("ansi", "html", "svg"), "urlsm.pictures.drawing"),
    "page": "urlsm.pictures.sheet",
}

__all__ = [*_HOMES]

__getattr__, __dir__ = _later(globals(), _HOMES)
