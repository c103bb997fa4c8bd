"""Pictures of a URL, as coloured text, HTML and SVG, which show the part of the URL that each state of the machine
consumed; and a page about a URL."""

from urlsm.octets.later import later as _later

_HOMES = {
    **dict.fromkeys(("Span", "spans"), "urlsm.pictures.cutting"),
    **dict.fromkeys(("ansi", "html", "svg"), "urlsm.pictures.drawing"),
    "page": "urlsm.pictures.sheet",
}

__all__ = [*_HOMES]

__getattr__, __dir__ = _later(globals(), _HOMES)
