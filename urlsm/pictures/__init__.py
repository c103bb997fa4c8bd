"""Draw a URL as coloured text, HTML and SVG, with the part that each state of the parser read; and a page about it."""

from urlsm.octets.later import later as _later

_HOMES = {
    **dict.fromkeys(("Span", "spans"), "urlsm.pictures.cutting"),
    **dict.fromkeys(("ansi", "html", "svg"), "urlsm.pictures.drawing"),
    "page": "urlsm.pictures.sheet",
}

__all__ = [*_HOMES]

__getattr__, __dir__ = _later(globals(), _HOMES)
