"""Draws spans as coloured text, HTML and SVG. All text from a URL is escaped, so markup in it has no effect."""

from __future__ import annotations

from html import escape

from urlsm.components.trace import Trace
from urlsm.pictures.cutting import Span, spans
from urlsm.url.value import URL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.text import Text

    from urlsm.url.value import StrOrURL

__all__ = ["COLOURS", "ansi", "colour", "html", "svg"]

COLOURS = {  # for each component: a colour that suits black text, and the nearest colour of a terminal
    "scheme": ("#cfe3ff", 153),
    "slashes": ("#e6e6e6", 254),
    "authority": ("#ffe2b8", 223),
    "host": ("#c8f0cf", 157),
    "port": ("#f6d3ea", 218),
    "path": ("#fff3b0", 229),
    "query": ("#d9d4ff", 189),
    "fragment": ("#ffd2cc", 217),
    "rest": ("#f4b8b8", 210),  # the text that no state has consumed
}
_ABOUT = {
    **dict.fromkeys(("scheme start state", "no scheme state", "consume scheme", "no scheme"), "scheme"),
    **dict.fromkeys(("hostname state", "file host state", "consume host"), "host"),
    **dict.fromkeys(("consume user-info", "authority state"), "authority"),
    **dict.fromkeys(("consume slash characters", "file state", "file slash state", "relative slash state"), "slashes"),
    **dict.fromkeys(("opaque path state", "path start state", "relative state", "consume path"), "path"),
    **dict.fromkeys(("consume port",), "port"),
    **dict.fromkeys(("consume query",), "query"),
    **dict.fromkeys(("consume fragment",), "fragment"),
    "": "rest",
}
_LABELS = {"authority": "userinfo", "rest": "not read"}  # the labels that differ from the key of COLOURS
OCTET, HEIGHT, MARGIN = 12, 34, 16  # in pixels: the width of a character, the height of a box, the picture's margin
SMALL, BAND = 9, 26  # in pixels: the width of a character in a band, the height of a band


def colour(state: str) -> str:
    """Return the key in COLOURS for a parser state."""
    if state in _ABOUT:
        return _ABOUT[state]
    name = state.removesuffix(" state")
    return name if name in COLOURS else "slashes"


def ansi(url: Trace | StrOrURL) -> str:
    """Return a URL coloured for a terminal, with one colour for each part that a parser state read.

    Args:
        url: the URL, or a Trace from urlsm.explain.

    Raises:
        TypeError: `url` has any other type.

    Example:
        >>> ansi("http://h").startswith("\\x1b[38;5;16;48;5;153mhttp:")
        True
    """
    pieces = []
    for span in spans(url):
        under = "4;" if span.codes else ""
        pieces.append(f"\x1b[{under}38;5;16;48;5;{COLOURS[colour(span.state)][1]}m{span.text}\x1b[0m")
    return "".join(pieces)


def html(url: Trace | StrOrURL, *, classes: bool = False) -> str:
    """Return a URL as HTML: a coloured span for each part, with the parser state and the violations in its title.

    Args:
        url: the URL, or a Trace from urlsm.explain.
        classes: whether to write class names ("u-host") and a label below each span instead of style attributes. Use it
            for a page whose Content-Security-Policy forbids style attributes.

    Raises:
        TypeError: `url` has any other type.

    Example:
        >>> html("http://h/<b>").endswith("/&lt;b&gt;</span></code>")
        True
    """
    pieces = [_html(span, classes) for span in spans(url)]
    style = ' class="u"' if classes else ' style="white-space:pre-wrap;overflow-wrap:anywhere"'
    return f"<code{style}>{''.join(pieces)}</code>"


def _repr_html_(shown: Trace | URL) -> str:
    """Return the HTML that notebooks show for a URL or Trace: the coloured text and, for a Trace, its steps."""
    return html(shown.href) if isinstance(shown, URL) else f"{html(shown)}<pre>{escape(str(shown))}</pre>"


def __rich__(url: URL) -> Text:
    """Return the text that rich shows for a URL, for example in a table. Secrets are masked. A URL that is too wide is
    wrapped."""
    from rich.text import Text

    return Text(url.masked(), overflow="fold")


def _html(span: Span, classes: bool) -> str:
    name = colour(span.state)
    title = ", ".join([span.state or "not consumed", *span.codes])
    label = ""
    if classes:
        style = f'class="u-{name}{" u-wrong" if span.codes else ""}"'
        label = f'<span class="label">{_LABELS.get(name, name)}</span>'
    else:
        line = ";border-bottom:2px solid #b00020" if span.codes else ""
        style = f'style="background:{COLOURS[name][0]};color:#1a1a1a{line}"'
    return f'<span {style} title="{escape(title)}">{escape(span.text)}{label}</span>'


def svg(url: Trace | StrOrURL, *, readers: Iterable[str] | None = None) -> str:
    """Return a URL as an SVG image, with the parser state below each part.

    Args:
        url: the URL, or a Trace from urlsm.explain.
        readers: the names of programs, as for `urlsm.security.compare_readers`. Below the URL is a band for each of
            them with what it sees; those that see the same have one letter and colour.

    Raises:
        TypeError: `url` has any other type, or `readers` is a str.
        ValueError: `readers` contains an unknown name, or is empty.

    Example:
        >>> svg("http://h/").startswith("<svg ")
        True
        >>> "curl 8.23.0" in svg("http://127.1/", readers=["curl", "go"])
        True
    """
    shown: list[str] = []
    drawn: list[str] = []
    end = 0
    for span in spans(url):
        x, width = MARGIN + end * OCTET, len(span.text) * OCTET
        foot = MARGIN + HEIGHT + 22 + 22 * (len(drawn) % 2)
        middle = f"{x + width / 2:g}"
        shown.append(
            f'<rect x="{x}" y="{MARGIN}" width="{width}" height="{HEIGHT}" fill="{COLOURS[colour(span.state)][0]}"/>'
            f'<text x="{middle}" y="{MARGIN + 23}" textLength="{width - 2}">{escape(span.text)}</text>'
        )
        drawn.append(
            f'<line x1="{middle}" y1="{MARGIN + HEIGHT}" x2="{middle}" y2="{foot - 12}"/>'
            f'<text class="state" x="{middle}" y="{foot}">{escape(span.state.removesuffix(" state"))}</text>'
        )
        end += len(span.text)
    width, height = 2 * MARGIN + end * OCTET, 2 * MARGIN + HEIGHT + 40
    title, style = "A URL as the spans that the states of the machine consumed", ""
    if readers is not None:
        from urlsm.pictures.bands import COLOURS as BANDS
        from urlsm.pictures.bands import bands, line
        from urlsm.security.comparison import compare_readers

        found = bands(compare_readers(url.input if isinstance(url, Trace) else url, readers=readers))
        width = max(width, *[2 * MARGIN + (len(line(band)) + 2) * SMALL for band in found])
        title, style = f"{title}, and as programs see it", ".band{font-size:15px;text-anchor:start;white-space:pre}"
        for band in found:
            drawn.append(
                f'<rect x="{MARGIN}" y="{height}" width="{width - 2 * MARGIN}" height="{BAND}" '
                f'fill="{BANDS[band.place]}"/>'
                f'<text class="band" x="{MARGIN + SMALL}" y="{height + 18}">{escape(line(band))}</text>'
            )
            height += BAND + 4
        height += MARGIN
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img"><title>{title}</title>\n'
        "<style>text{font:18px ui-monospace,monospace;text-anchor:middle;fill:#1a1a1a}"
        f".state{{font-size:13px;font-family:ui-sans-serif,sans-serif}}line{{stroke:#888}}{style}</style>\n"
        f'<rect width="{width}" height="{height}" rx="8" fill="#fff"/>\n' + "\n".join(shown + drawn) + "\n</svg>\n"
    )


ansi.__module__ = html.__module__ = svg.__module__ = "urlsm.pictures"
