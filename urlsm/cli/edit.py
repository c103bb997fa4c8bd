"""The edits that `urlsm parse` makes before it prints a URL (--set, --append, --iterate, --qtrim, --sort-query), and
the templates that say what to print (--get). The vocabulary is trurl's, and more."""

from __future__ import annotations

from itertools import product

from urlsm.url.value import URL, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable, Iterator
    from typing import Any, TypeAlias

    from urlsm.cli.rows import Form

    _Show: TypeAlias = Callable[[URL, str], str]

__all__ = ["Edits", "MissingError", "declare_edits", "form_of", "template"]

_NAMES = {"user": "username"}
_SET = ("scheme", "user", "username", "password", "host", "port", "path", "query", "fragment")
_GUESSED = ("ftp", "dict", "ldap", "imap", "smtp", "pop3")  # of a host's first label, as libcurl


class MissingError(ValueError):
    """A component that a template requires is missing."""


def declare_edits(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("edits, in this order")
    group.add_argument("--guess-scheme", action="store_true", help="read example.com/x as http://example.com/x")
    group.add_argument(
        *("--set", "-s"),
        action="append",
        default=[],
        metavar="NAME=TEXT",
        help="set a component, percent-encoded; NAME:=TEXT as it is, NAME?=TEXT if it is absent; no TEXT removes it",
    )
    group.add_argument(
        "--qtrim", action="append", default=[], metavar="NAME", help="drop fields of the query (also utm_*)"
    )
    group.add_argument(
        "--append", "-a", action="append", default=[], metavar="path=TEXT", help="add; or query=NAME=VALUE"
    )
    group.add_argument("--replace", action="append", default=[], metavar="NAME=VALUE", help="set fields of the query")
    group.add_argument("--sort-query", action="store_true", help="sort the fields of the query by name")
    group.add_argument("--iterate", action="append", default=[], metavar="NAME=A B", help="one URL for each value")
    shown = parser.add_argument_group("what is printed")
    shown.add_argument(
        *("--get", "-g"),
        metavar="TEMPLATE",
        help="{host}, {port}, {path}, {query:key}, {query-all:key}, {parts.recipients}, {site}, {input}, ...: decoded; "
        "{url:path} as it stands, {default:port}, {must:query}, {idn:host}; \\n and \\t",
    )
    shown.add_argument("--keep-port", action="store_true", help="show a default port that is written")
    shown.add_argument("--default-port", action="store_true", help="show the scheme's default port")
    shown.add_argument("--as-idn", action="store_true", help="show the host in Unicode")


class Edits:
    """The edits that arguments ask for. Empty if they ask for none."""

    def __init__(self, args: Namespace) -> None:
        self.args: Namespace = args
        self.sets: list[tuple[str, str, str]] = [_assignment(text, _SET) for text in args.set]
        self.appends: list[tuple[str, str, str]] = [_assignment(text, ("path", "query")) for text in args.append]
        self.replaced: list[tuple[str, ...]] = [text.partition("=")[::2] for text in args.replace]
        names = [name for name, _, _ in self.sets]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"--set names {name} twice")
        loops = [_assignment(text, _SET) for text in args.iterate]
        self.iterated: list[str] = [name for name, _, _ in loops]
        if len(set(self.iterated)) < len(loops):
            raise ValueError("--iterate names a component twice")
        for name in {*self.iterated} & {*names}:
            raise ValueError(f"--set and --iterate both name {name}")
        self.values: list[list[str]] = [values.split() for _, _, values in loops]
        self.shows: bool = args.keep_port or args.default_port or args.as_idn
        asked = (args.set, args.qtrim, args.append, args.replace, args.sort_query, args.iterate)
        self.asked: bool = any(asked) or args.guess_scheme or self.shows or args.get is not None

    def guessed(self, text: str) -> str:
        """The text, with the scheme that is meant where it has none."""
        if not self.args.guess_scheme or "://" in text:
            return text
        first = text.partition(".")[0].lower()
        return f"{first if first in _GUESSED and '.' in text else 'http'}://{text}"

    def __call__(self, url: URL) -> Iterator[URL]:
        """The URLs that the edits make of one. ValueError where none can be."""
        for name, how, value in self.sets:
            url = _set(url, name, how, value)
        if self.args.qtrim:
            url = url.without_query_params(*self.args.qtrim)
            url = url if url.query else url.replace(query=None)
        for name, _, value in self.appends:
            url = _with_segment(url, value) if name == "path" else _with_field(url, value)
        for key, value in self.replaced:
            if key in url.query_params:
                url = url.update_query({key: value})
        if self.args.sort_query and url.query:
            fields = [field for field in url.query.split("&") if field]
            url = url.replace(query="&".join(sorted(fields, key=lambda field: field.partition("=")[0].lower())))
        for values in product(*self.values):
            changed = url
            for name, value in zip(self.iterated, values, strict=True):
                changed = _set(changed, name, "", value)
            yield changed

    def written(self, url: URL, given: str, default: bool = False) -> str:
        """href, with the port and the host as they are to be shown. default: with the scheme's default port."""
        if not (self.shows or default) or url.host is None:
            return url.href
        port: int | str | None = url.port
        host = url.host
        if port is None and self.args.keep_port:
            ports = [value for name, _, value in self.sets if name == "port"]
            if ports:
                port = ports[0]
            else:
                from urlsm.components.value import split

                port = split(given).port
        if port is None and (self.args.default_port or default):
            port = url.effective_port
        if self.args.as_idn:
            host = _unicode(host)
        authority = url.authority or ""
        userinfo, at, _ = authority.rpartition("@")
        start = len(url.scheme) + 3
        shown = f"{userinfo}{at}{host}" + ("" if port in (None, "") else f":{port}")
        return f"{url.scheme}://{shown}{url.href[start + len(authority) :]}"


def _assignment(text: str, names: tuple[str, ...]) -> tuple[str, str, str]:
    import re

    found = re.fullmatch(r"(\w+)([:?]*)=(.*)", text, re.DOTALL)
    if found is None or found[1] not in names:
        raise ValueError(f"{text!r} is not NAME=TEXT with one of {', '.join(names)}")
    return _NAMES.get(found[1], found[1]), found[2], found[3]


def _set(url: URL, name: str, how: str, value: str) -> URL:
    if "?" in how and getattr(url, name) is not None:
        return url
    if name == "port":
        if value and not value.isdigit():
            raise ValueError(f"not a port: {value!r}")
        return url.replace(port=int(value) if value else None)
    if name == "scheme":
        return url.replace(scheme=value.lower())
    if ":" not in how and name != "host":
        value = value.replace("%", "%25")
        if name == "path" and not value.startswith("/"):
            value = f"/{value}"
    changes: dict[str, Any] = {name: value or None}
    return url.replace(**changes)


def _with_segment(url: URL, segment: str) -> URL:
    """Query and fragment stay, as in trurl. The browser's setter leaves a stray "%" as it is; replace would not."""
    from urlsm.whatwg import URL as BrowserURL

    edited = BrowserURL(url)
    edited.pathname = (url / segment.replace("%", "%25")).path
    return parse(edited.href)


def _with_field(url: URL, field: str) -> URL:
    name, equals, value = field.partition("=")
    made = "".join([_encoded(name), equals, _encoded(value)])
    return url.replace(query=f"{url.query}&{made}" if url.query else made)


def _encoded(text: str) -> str:
    from urlsm.stdlib import quote_plus

    return quote_plus(text, errors="surrogateescape")


def _unicode(host: str) -> str:
    if "xn--" not in host:
        return host
    from urlsm.octets.idna import domain_to_unicode

    return domain_to_unicode(host)


# --- templates ---------------------------------------------------------------------------------

_TOKEN = r"(?s)\\(.)|\{([^{}]*)\}|\[([^\[\]]*)\]|([^\\{\[]+|.)"
_AS_IT_STANDS = ("url", "href", "input", "origin", "site")  # never decoded
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}


def _pieces(text: str) -> Iterator[tuple[str, str]]:
    """The pieces of a template: pairs of a name and a text between names, one of which is empty. ValueError: a brace
    that is not closed, or nothing between two."""
    import re

    for escape, braces, brackets, plain in re.findall(_TOKEN, text):
        if braces or brackets:
            yield braces or brackets, ""
        elif plain == "{":  # a "[" without its end is a "[", as in trurl
            raise ValueError(f'"{{" without "}}" in a template: {_printable(text)} (a backslash before it prints it)')
        elif not (escape or plain):
            raise ValueError(f"a name is missing between braces in a template: {_printable(text)}")
        else:
            yield "", _ESCAPES.get(escape, escape if escape in "\\{[" else f"\\{escape}") if escape else plain


def _printable(text: str) -> str:
    from urlsm.errors.excerpt import printable

    return printable(text)


def form_of(text: str, edits: Edits) -> Form | None:
    """A template as a form for many lines at once; None: it is not so simple."""
    import re

    from urlsm.cli.rows import FIELDS, Form

    names: list[str] = []
    literals, decoded = [""], []
    for name, between in _pieces(text):
        if between:
            literals[-1] += between
        elif name:
            *how, plain = name.rsplit(":", 1)
            plain = {"user": "username", "url": "href"}.get(plain, plain)
            if (how and how[0] not in ("", "url")) or plain not in (*FIELDS, "site") or edits.shows or len(names) == 32:
                return None
            names.append(plain)
            literals.append("")
            decoded.append(not how and plain not in _AS_IT_STANDS)
    if re.fullmatch("[\t\n -~]*", "".join(literals)):
        literals[-1] += "\n"
        return Form(tuple(names), tuple([between.encode() for between in literals]), bytes(decoded))
    return None


def template(text: str, edits: Edits) -> _Show:
    """A function of a URL, and of the text that was given for it, that fills a template in. ValueError: a name that no
    component has. MissingError, when called: "must:" of an absent name."""
    pieces: list[str | _Show] = []
    for name, between in _pieces(text):
        pieces.append(_value(name, edits) if name else between)
    if len(pieces) == 1 and callable(pieces[0]):
        return pieces[0]
    return lambda url, given: "".join([piece if isinstance(piece, str) else piece(url, given) for piece in pieces])


def _value(name: str, edits: Edits) -> _Show:
    """The function that fills in {name}."""
    import re

    hows: set[str] = set()
    while found := re.match(r"(url|strict|must|default|puny|idn|):", name):
        hows.add(found[1] or "url")
        name = name[found.end() :]
    get = _getter(name, hows, edits)
    decoded, must = "url" not in hows and name not in _AS_IT_STANDS, "must" in hows

    def show(url: URL, given: str) -> str:
        value = get(url, given)
        if value is None:
            if must:
                raise MissingError(f"missing {name}")
            return ""
        if decoded and "%" in value:
            from urllib.parse import unquote

            value = unquote(value, errors="strict" if "strict" in hows else "replace")
        return value if value.isprintable() else _printable(value)

    return show


def _getter(name: str, hows: set[str], edits: Edits) -> Callable[[URL, str], str | None]:
    name = _NAMES.get(name, name)
    if name in ("username", "password", "host", "path", "query", "fragment", "scheme", "origin", "name", "suffix"):
        if name == "host" and ("idn" in hows or edits.args.as_idn):
            return lambda url, given: None if url.host is None else _unicode(url.host)
        return lambda url, given: getattr(url, name)
    if name == "port":
        default = "default" in hows or edits.args.default_port
        return lambda url, given: _text(url.effective_port if default else url.port)
    if name in ("url", "href"):
        return lambda url, given: edits.written(url, given, "default" in hows)
    if name == "input":
        return lambda url, given: given
    if name == "site":
        from urlsm.crawler.sites import registrable_domain

        try:
            registrable_domain("http://example.org/")
        except ImportError as error:  # the extra suffixes is not installed
            raise ValueError(str(error)) from error
        return lambda url, given: registrable_domain(url)
    if name.startswith("parts."):
        return lambda url, given: _text(getattr(url.parts, name[6:], None))
    if name.startswith(("query:", "query-all:")):
        kind, _, key = name.partition(":")
        return _field(key, kind == "query-all", "url" in hows)
    raise ValueError(f"unknown name in a template: {{{name}}}")


def _field(key: str, every: bool, as_it_stands: bool) -> Callable[[URL, str], str | None]:
    from urlsm.url.params import parse_form

    def field(url: URL, given: str) -> str | None:
        found = []
        for text in (url.query or "").split("&"):
            if text and parse_form(text)[0][0] == key:
                found.append(text.partition("=")[2] if as_it_stands else parse_form(text)[0][1].replace("%", "%25"))
        return None if not found else " ".join(found) if every else found[0]

    return field


def _text(value: object) -> str | None:
    if value is None or isinstance(value, str):
        return value
    return ",".join([str(item) for item in value]) if isinstance(value, (tuple, list)) else str(value)
