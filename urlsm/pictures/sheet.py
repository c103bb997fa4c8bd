"""Writes a page about a URL: its spans, how five parsers (the dialects of urlsm.security.compare_readers) read it, and
its components, parts, hazards and violations.

The page has no script and loads nothing, and its Content-Security-Policy forbids both. It shows the URL as escaped
text, without secrets. Characters that a browser would hide or act on are written as escapes.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from html import escape
from urllib.parse import quote

from urlsm.components.trace import Trace, explain
from urlsm.errors import ParseError, PluginError
from urlsm.errors.excerpt import printable, shortened, with_caret
from urlsm.errors.masking import masked_parts
from urlsm.meaning.web import validate
from urlsm.pictures import bands
from urlsm.pictures.drawing import COLOURS, html
from urlsm.security.comparison import ReaderComparison, compare_readers, readers_named, text_of
from urlsm.security.masked_views import secrets_of
from urlsm.security.masked_views import shown as as_shown
from urlsm.security.ordinary import audit
from urlsm.url.masked import masked_components, without_secrets_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from urlsm.url.value import URL, StrOrURL

__all__ = ["STYLE", "comparison_table", "made", "page", "policy"]

_SPANS = "".join([f".u-{name}{{background:{colour};color:#1a1a1a}}" for name, (colour, _) in COLOURS.items()])
_BANDS = "".join([f".band-{k}{{background:{colour};color:#1a1a1a}}" for k, colour in enumerate(bands.COLOURS)])
STYLE = (
    "*{box-sizing:border-box}:root{color-scheme:light dark}"
    "body{font:16px/1.5 system-ui,sans-serif;max-width:64rem;margin:0 auto;padding:1.5rem 1rem 3rem}"
    "h1{font-size:1.4rem;margin:0 0 .8rem}h2{font-size:1.1rem;margin:1.8rem 0 .4rem}"
    "code,pre,td,th{overflow-wrap:anywhere}pre{white-space:pre-wrap;margin:0}"
    # each span of the text stands above its label; the labels are not copied with the text
    ".u{display:flex;flex-wrap:wrap;gap:2px;font-size:1.15rem;white-space:pre-wrap}"
    ".u>span{padding:.1rem .3rem;border-radius:3px;min-width:0;border-bottom:3px solid #0000}"
    ".u>.u-wrong{border-bottom:3px solid #b00020}"
    ".label{display:block;font:.75rem/1.4 system-ui,sans-serif;user-select:none;-webkit-user-select:none}"
    "table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.25rem .6rem;"
    "border-bottom:1px solid #8886}th{font-weight:600;width:12rem}.differs{background:#b0002033;font-weight:600}"
    # a component and a position stay whole beside a long message
    "table:not(.readers) td:not(:last-child){overflow-wrap:normal}"
    # the table of the five readers: each row is a reader, each column a part of the URL
    ".readers{table-layout:fixed}.readers td{font-family:ui-monospace,monospace;font-size:.9rem}"
    ".heads th:first-child{width:6rem}.heads th:nth-child(2){width:5.5rem}.heads th:nth-child(3){width:17%}"
    ".heads th:nth-child(4){width:23%}.heads th:nth-child(5){width:4.5rem}.heads th:last-child{width:auto}"
    # the table of the chosen programs: each row has the colour and the letter of what the program sees
    ".named{table-layout:auto}.named .heads th{width:auto}.named th{white-space:nowrap}"
    ".named td:first-child{font-weight:700}"
    ".other{font-weight:600;text-decoration:underline}"
    "form{display:flex;flex-wrap:wrap;gap:.5rem}input{flex:1 1 20rem;font:inherit;padding:.4rem;min-width:0}"
    "button{font:inherit;padding:.4rem .9rem}:focus-visible{outline:3px solid #0b57d0;outline-offset:2px}"
    "a{color:#0b57d0}.bad{color:#b00020}"
    "@media (prefers-color-scheme:dark){a{color:#a8c7fa}.bad{color:#ff8a95}:focus-visible{outline-color:#a8c7fa}}"
    # on a narrow screen, each row becomes a block, in which the parts stand below each other, each beside its name
    "@media (max-width:48rem){tr{display:flex;flex-wrap:wrap;border-bottom:1px solid #8886;padding:.2rem 0}"
    "th,td{border:0;padding:.1rem .4rem .1rem 0;width:auto}td:last-child{flex-basis:100%}"
    ".readers .heads{display:none}.readers th,.readers td{flex-basis:100%}"
    ".readers td[data-part]{display:grid;grid-template-columns:5rem minmax(0,1fr)}"
    ".readers td[data-part]::before{content:attr(data-part);font-family:system-ui,sans-serif;font-weight:400}"
    ".named td:first-child,.named th{flex-basis:auto}.named tr{padding:.2rem .4rem}}"
    # where colours are replaced, the letter tells
    "@media print{tr,.u>span{print-color-adjust:exact;-webkit-print-color-adjust:exact}}" + _SPANS + _BANDS
)
_MOST = 100  # a table shows at most this many rows
_LONGEST_LINK = 8000  # in octets; every browser and proxy should support a link of this length (RFC 9110 section 4.1)


def policy(*, form: bool) -> str:
    """Return the Content-Security-Policy of a page. It allows only the page's own style sheet and, if `form` is true,
    the page's form."""
    digest = b64encode(sha256(STYLE.encode()).digest()).decode()
    action = "'self'" if form else "'none'"
    return f"default-src 'none'; style-src 'sha256-{digest}'; form-action {action}; base-uri 'none'"


def page(url: StrOrURL | None = None, *, form: bool = False, readers: Iterable[str] | None = None) -> str:
    """Return an HTML page about a URL: its parts, how five parsers read it, its components, hazards and violations.

    The page loads nothing, runs no script and shows no secrets. If no URL is given, it contains only the form.

    Args:
        url: the URL.
        form: whether the page contains a form to enter another URL, like the page that `urlsm serve` shows.
        readers: the names of programs, as for `urlsm.security.compare_readers`. The page shows how each of them reads
            the URL.

    Raises:
        TypeError: `url` has any other type, or `readers` is a str.
        ValueError: `readers` contains an unknown name, or is empty.

    Example:
        >>> page("http://ex.com/").startswith("<!doctype html>")
        True
    """
    names = None if readers is None else [*readers_named(readers)]
    return made(None if url is None else text_of(url), form, names, ", ".join(names or ()))


def made(given: str | None, form: bool, names: list[str] | None, written: str, wrong: str | None = None) -> str:
    """Return the page about a text. names: the readers. written: what the form says about them. wrong: what is wrong
    with that."""
    masked = "" if given is None else without_secrets_of(given)
    shown = printable(shortened(masked))
    body = "" if given is None else "".join(_sections(given, names))
    if wrong is not None:
        body = f'<p class="bad" role="alert">{_cell(wrong)}</p>{body}'
    if masked != (given or ""):
        body = f"<p>Secrets are shown as ***. Positions count characters in the URL as it was given.</p>{body}"
    field = ""
    if form:
        # the button sends the text of the field, so the field never holds a masked or shortened text
        kept = "value" if shown == (given or "") else "placeholder"
        field = (
            '<form action="/" method="get"><input name="url" aria-label="URL" autofocus spellcheck="false" '
            f'{kept}="{escape(shown)}"><input name="readers" aria-label="programs to compare" spellcheck="false" '
            f'placeholder="programs, such as curl, go, requests" value="{escape(printable(shortened(written)))}">'
            "<button>Look</button></form>"
        )
        # a text with secrets gets no link, which would hold the secrets or lead to the page about another text
        if given is not None:
            link = _permalink(given, names) if masked == given else None
            field += f'<p><a href="{escape(link)}">Link to this page</a></p>' if link else ""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy(form=form)}">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        '<meta name="referrer" content="no-referrer">'
        f"<title>{escape(shown[:80] or 'urlsm')}</title><style>{STYLE}</style></head>\n"
        f"<body><h1>What is this URL?</h1>{field}{body}</body></html>\n"
    )


def _permalink(text: str, readers: list[str] | None) -> str | None:
    """Return the path and query of a link to the page about a URL; None if the URL cannot be put in a link."""
    try:
        link = "/?url=" + quote(text, safe="", errors="surrogateescape")
    except UnicodeEncodeError:  # the text has a lone surrogate that does not stand for an octet
        return None
    if readers is not None:
        link += "&readers=" + quote(",".join(readers), safe=",")
    return link if len(link) < _LONGEST_LINK else None


def _sections(text: str, readers: list[str] | None) -> Iterator[str]:
    trace = explain(text)
    yield f"<h2>As the parser reads it</h2>{html(trace, classes=True)}"
    if trace.error is not None:
        yield f'<p class="bad">{_cell(_line(trace.error))}</p><pre>{_caret(trace)}</pre>'
    if readers is not None:
        chosen = bands.table(compare_readers(text, readers=readers), classes=True)
        yield f"<h2>As the chosen programs read it</h2>{chosen}"
    yield f"<h2>As five parsers read it</h2>{comparison_table(compare_readers(text), classes=True)}"
    if trace.url is not None:
        url = trace.url
        yield "<h2>Components</h2>" + _table(_rows(masked_components(url)))
        yield from _parts(url)
    found = audit(text, readers=readers)
    hazards = [(item.code, item.component, str(item.position), item.message) for item in found]
    yield "<h2>Hazards</h2>" + (_table(hazards) if hazards else "<p>none</p>")
    violations = [
        (v.severity, v.code, f"{v.component} at {v.position}", v.message) for v in validate(text, dialect="whatwg")
    ]
    yield "<h2>Violations of the URL Standard</h2>" + (_table(violations) if violations else "<p>none</p>")


def _parts(url: URL) -> Iterator[str]:
    try:
        parts = url.parts
    except (ParseError, PluginError) as error:
        yield f'<h2>Parts</h2><p class="bad">{_cell(_line(error))}</p>'
        return
    shown = dict(zip(parts.keys(), masked_parts(dict(parts).items(), type(parts)), strict=True))
    yield f"<h2>Parts: {escape(url.handler.title)}</h2>" + _table(_rows(shown))


def _rows(values: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    for name, value in values.items():
        if value is not None:
            yield name, str(value) if isinstance(value, (str, int)) else repr(value)


def comparison_table(found: ReaderComparison, *, classes: bool = False) -> str:
    """Return an HTML table of how the parsers read the URL. A cell is highlighted if its value differs from the value
    for the first parser that accepts the URL."""
    if not isinstance(found.views, dict):  # of named programs
        return bands.table(found, classes=classes)
    views, secrets = list(found.views.items()), secrets_of(found.url)
    mark = ' class="differs"' if classes else ' style="background:#b0002033;font-weight:600"'
    first = next((view for _, view in views if view.refusal is None), None)
    rows = []
    for name, view in views:
        if view.refusal is not None:
            rows.append(
                f'<tr><th>{name}</th><td colspan="{len(bands.SEEN)}">rejects the URL: {_cell(view.refusal)}</td></tr>'
            )
            continue
        cells = []
        for part in bands.SEEN:
            value, other = getattr(view, part), getattr(first, part)
            named = f' data-part="{part}"' if classes else ""
            cells.append(f"<td{named}{mark if value != other else ''}>{_cell(as_shown(view, part, secrets))}</td>")
        rows.append(f"<tr><th>{name}</th>{''.join(cells)}</tr>")
    heads = "".join([f"<th>{name}</th>" for name in ("reader", *bands.SEEN)])
    table, row = ('<table class="readers">', '<tr class="heads">') if classes else ("<table>", "<tr>")
    agreed = "They agree." if found.agree else "They do not agree on scheme, host or port."
    return f"{table}{row}{heads}</tr>{''.join(rows)}</table><p>{agreed}</p>"


def _table(rows: Iterable[Iterable[str]]) -> str:
    shown = list(rows)
    more = f"<p>and {len(shown) - _MOST:,} more</p>" if len(shown) > _MOST else ""
    return "<table>" + "".join([_row(row) for row in shown[:_MOST]]) + "</table>" + more


def _row(row: Iterable[str]) -> str:
    first, *rest = row
    return f"<tr><th>{_cell(first)}</th>{''.join([f'<td>{_cell(text)}</td>' for text in rest])}</tr>"


def _cell(value: object) -> str:
    """Return a value as HTML text: "-" for None, and two quotation marks for an empty string."""
    if value is None:
        return "-"
    return '""' if value == "" else escape(printable(shortened(str(value))))


def _line(error: Exception) -> str:
    return str(error).partition("\n")[0]


def _caret(trace: Trace) -> str:
    error = trace.error
    return "" if error is None else escape(with_caret(trace.input, error.position))


page.__module__ = "urlsm.pictures"
