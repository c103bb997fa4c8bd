"""Pictures of a URL: the spans that the machine's states consumed, as coloured text, HTML and SVG; and a page."""

from urlsm.octets.later import later as _later

_HOMES = {
    **dict.fromkeys(("Span", "spans"), "urlsm.pictures.cutting"),
    **dict.fromkeys(("html", "svg", "text"), "urlsm.pictures.drawing"),
    "page": "urlsm.pictures.sheet",
}

__all__ = [*_HOMES]

__getattr__, __dir__ = _later(globals(), _HOMES)
