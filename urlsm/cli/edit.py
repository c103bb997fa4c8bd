"""The edits that `urlsm parse` makes before it prints a URL (--set, --qtrim, --append, --replace, --sort-query,
--iterate). The options are the same as in trurl, with some additions."""

from __future__ import annotations

from itertools import product, repeat

from urlsm.url.value import URL, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable, Iterator
    from typing import Any, TypeAlias

    _Step: TypeAlias = Callable[[URL], URL]

__all__ = ["NAMES", "Edits", "declare_edits", "in_unicode"]

NAMES = {"user": "username"}
_SET = ("scheme", "user", "username", "password", "host", "port", "path", "query", "fragment")
_GUESSED = ("ftp", "dict", "ldap", "imap", "smtp", "pop3")  # guessed from the first label of a host, as in libcurl


def declare_edits(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("edits, made in this order")
    group.add_argument("--guess-scheme", action="store_true", help="read example.com/x as http://example.com/x")
    group.add_argument(
        *("--set", "-s"),
        action="append",
        default=[],
        metavar="NAME=TEXT",
        help="set a component and percent-encode it; NAME:=TEXT sets it as it is, NAME?=TEXT only if it is absent, "
        "NAME= removes it",
    )
    group.add_argument(
        "--qtrim",
        action="append",
        default=[],
        metavar="NAME",
        help="remove query parameters (utm_* removes all that begin with utm_)",
    )
    group.add_argument(
        "--append",
        "-a",
        action="append",
        default=[],
        metavar="path=TEXT",
        help="append a path segment, or with query=NAME=VALUE a query parameter",
    )
    group.add_argument(
        "--replace", action="append", default=[], metavar="NAME=VALUE", help="set a query parameter that exists"
    )
    group.add_argument("--sort-query", action="store_true", help="sort the query parameters by name")
    group.add_argument(
        "--iterate", action="append", default=[], metavar="NAME=A B", help="print one URL per value of a component"
    )
    shown = parser.add_argument_group("output")
    shown.add_argument(
        *("--get", "-g"),
        metavar="TEMPLATE",
        help="{host}, {port}, {path}, {query:key}, {query-all:key}, {parts.recipients}, {registrable_domain}, {input} "
        "..., decoded; "
        "{url:path} percent-encoded, {default:port}, {must:query}, {idn:host}; \\n and \\t",
    )
    shown.add_argument("--keep-port", action="store_true", help="keep a default port that the URL has")
    shown.add_argument("--default-port", action="store_true", help="show the scheme's default port")
    shown.add_argument("--as-idn", action="store_true", help="show the host in Unicode")


class Edits:
    """The edits that the arguments request, if any."""

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
        self.steps: list[_Step] = [*self._made_steps()]  # the edits of each URL, except those of --iterate
        self.asked: bool = bool(self.steps or loops) or args.guess_scheme or self.shows or args.get is not None

    def guessed(self, text: str) -> str:
        """Return the URL, with a guessed scheme if it has none."""
        if not self.args.guess_scheme or "://" in text:
            return text
        first = text.partition(".")[0].lower()
        return f"{first if first in _GUESSED and '.' in text else 'http'}://{text}"

    def _made_steps(self) -> Iterator[_Step]:
        for name, how, value in self.sets:
            yield _setter(name, how, value)
        if self.args.qtrim:
            yield _trimmer(self.args.qtrim)
        for name, _, value in self.appends:
            yield _segment_adder(value) if name == "path" else _field_adder(value)
        for key, value in self.replaced:
            yield _field_setter(key, value)
        if self.args.sort_query:
            yield _query_sorter()

    def __call__(self, url: URL) -> Iterator[URL]:
        """Yield the URLs that result from applying the edits to `url`. Raise ValueError if an edit is impossible."""
        for step in self.steps:
            url = step(url)
        for values in product(*self.values):
            changed = url
            for name, value in zip(self.iterated, values, strict=True):
                changed = _setter(name, "", value)(changed)
            yield changed

    def lines(self, base: URL | None) -> Callable[[str], str] | None:
        """If the output line is just the edited href, return a function that maps an input to its output line;
        otherwise return None."""
        if self.values or self.shows or self.args.guess_scheme or self.args.get is not None:
            return None
        steps = self.steps

        def line(text: str) -> str:
            url = parse(text, base=base)
            for step in steps:
                url = step(url)
            return f"{url.href}\n"  # an href is printable ASCII, because all other characters are percent-encoded

        return line

    def written(self, url: URL, given: str, default: bool = False) -> str:
        """Return the URL's href, with the port and host written as the options specify. default: whether to add the
        scheme's default port."""
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
            host = in_unicode(host)
        authority = url.authority or ""
        userinfo, at, _ = authority.rpartition("@")
        start = len(url.scheme) + 3
        shown = f"{userinfo}{at}{host}" + ("" if port in (None, "") else f":{port}")
        return f"{url.scheme}://{shown}{url.href[start + len(authority) :]}"


def _assignment(text: str, names: tuple[str, ...]) -> tuple[str, str, str]:
    import re

    found = re.fullmatch(r"(\w+)([:?]*)=(.*)", text, re.DOTALL)
    if found is None or found[1] not in names:
        raise ValueError(f"{text!r} must be NAME=TEXT, where NAME is one of {', '.join(names)}")
    return NAMES.get(found[1], found[1]), found[2], found[3]


# (replace(**{name: value}) would take several times as long as everything else that is done for a line)
_REPLACING: dict[str, Callable[[URL, Any], URL]] = {
    "scheme": lambda url, value: url.replace(scheme=value),
    "username": lambda url, value: url.replace(username=value),
    "password": lambda url, value: url.replace(password=value),
    "host": lambda url, value: url.replace(host=value),
    "port": lambda url, value: url.replace(port=value),
    "path": lambda url, value: url.replace(path=value),
    "query": lambda url, value: url.replace(query=value),
    "fragment": lambda url, value: url.replace(fragment=value),
}


def _setter(name: str, how: str, value: str) -> _Step:
    """Return the function that sets a component. Because the function runs for many lines, it does only the work that
    differs from line to line."""
    replaced = _REPLACING[name]
    absent_only = "?" in how
    made: str | int | None = value or None
    if name == "port" and value.isdigit():
        made = int(value)
    elif name == "scheme":
        made = value.lower()
    elif ":" not in how and name not in ("host", "port"):
        made = value.replace("%", "%25")
        if name == "path" and not value.startswith("/"):
            made = f"/{made}"
        made = _encoded_once(name, made) or None

    def step(url: URL) -> URL:
        if absent_only and getattr(url, name) is not None:
            return url
        if name == "port" and isinstance(made, str):
            raise ValueError(f"a port must be a number from 0 to 65535, not {made!r}")
        return replaced(url, made)

    return step


def _encoded_once(name: str, value: str) -> str:
    """Percent-encode the characters in a value that are not allowed in this component of any URL, so that no later step
    needs to encode them again."""
    try:
        return getattr(_REPLACING[name](parse("x://h/"), value), name) or ""
    except ValueError:  # the step will raise the same error for every URL
        return value


def _trimmer(names: list[str]) -> _Step:
    def step(url: URL) -> URL:
        if url.query is None:
            return url
        url = url.without_query_params(*names)
        return url if url.query else url.replace(query=None)

    return step


def _segment_adder(segment: str) -> _Step:
    """Return the function that adds a segment to the path. The function keeps the query and the fragment, like
    trurl."""
    return lambda url: (url / segment).replace(query=url.query, fragment=url.fragment)


def _field_adder(field: str) -> _Step:
    name, equals, value = field.partition("=")
    given = [(name, value if equals else None)]
    return lambda url: url.extend_query(given)


def _field_setter(key: str, value: str) -> _Step:
    return lambda url: url.update_query({key: value}) if key in url.query_params else url


def _query_sorter() -> _Step:
    import re

    has_stray = re.compile("%(?![0-9A-Fa-f]{2})").search
    return lambda url: _with_sorted_query(url, has_stray)


def _with_sorted_query(url: URL, has_stray: Callable[[str], object]) -> URL:
    query = url.query
    if not query or ("&" not in query and "%" not in query):
        return url
    fields = [field for field in query.split("&") if field] if "&&" in f"&{query}&" else query.split("&")
    names = next(zip(*map(str.partition, "&".join(fields).lower().split("&"), repeat("=")), strict=False))
    made = "&".join([fields[k] for k in sorted(range(len(fields)), key=names.__getitem__)])
    if "%" in made and has_stray(made):  # replace encodes a stray "%"
        return url.replace(query=made)
    if made == query:
        return url
    end = "" if url.fragment is None else f"#{url.fragment}"
    return parse(f"{url.href[: url.href.index('?')]}?{made}{end}")  # (this cannot fail: the fields are those of a URL)


def in_unicode(host: str) -> str:
    if "xn--" not in host:
        return host

    from urlsm.unicode.idna import to_unicode

    return to_unicode(host)
