"""A table of all security hazards in URLs, and hazards_in(), which finds them for audit().

To add a hazard, add a row to HAZARDS, and a yield to one of the functions below that find hazards. The functions of
plain.pyx must not call a text with the new hazard harmless, or audit never looks for it. disguise.pyx finds hazards
of single characters, in the order of _SUSPECTS. The tests provoke each hazard of the table.

audit reports these hosts as misleading: hosts that IDNA maps to others, and hosts with labels that mix scripts (except
Latin with Chinese, Japanese or Korean), that contain characters other than letters, marks and digits, or that consist
only of Cyrillic or Greek letters that look like Latin ones. It does not find look-alikes within one script ("rn" for
"m", "paypa1"), names that resemble a brand, or look-alikes from other scripts. It uses no table of confusables (UTS
39), so a host without such a hazard may still be misleading.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from unicodedata import normalize

from urlsm.components.parts import decode
from urlsm.components.value import split
from urlsm.errors import PluginError
from urlsm.octets.records import NamedTuple
from urlsm.security.comparison import (
    DECIDES,
    ReaderComparison,
    agree_alone,
    compare_start,
    differs,
    disagreements,
    folded_host,
    has_long_host,
    is_too_long,
    readers_named,
)
from urlsm.security.disguise import first_suspects
from urlsm.security.plain import canonical_host, hazards_of, scalars, stands_for_ipv4, unremarkable
from urlsm.url.value import try_parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from urlsm._words import Component, HazardCode
    from urlsm.url.value import StrOrURL

__all__ = ["HAZARDS", "Danger", "Hazard"]


class Danger(NamedTuple):
    """A row of HAZARDS: a human-readable message, and its source."""

    message: str
    reference: str


def cwe_of(reference: str) -> tuple[int, ...]:
    """Return the numbers of CWE that a reference names."""
    return tuple(map(int, re.findall(r"\bCWE-(\d+)", reference)))


class Hazard(NamedTuple):
    """A construct that is known from attacks, but may be harmless in this URL.

    Attributes:
        code: its name, which is a key in urlsm.security.HAZARDS.
        component: "scheme", "userinfo", "host", "port", "path", "query" or "fragment"; "url" if it is in none of these.
        position: the index in the URL as given, in characters (in bytes, if the URL is bytes).
        message: a human-readable description, which contains no part of the URL.
        reference: the document that describes it, such as a CWE or an RFC.

    Example:
        >>> audit("http://h/%2e%2e/x")[0].code
        'dot-segment-encoded'
    """

    code: HazardCode
    component: Component
    position: int
    message: str
    reference: str

    @property
    def cwe(self) -> tuple[int, ...]:
        """The numbers of the weaknesses in MITRE's Common Weakness Enumeration, which `reference` names. The codes
        "blocked-port" and "non-default-port" have none.

        Example:
            >>> audit("http://127.0.0.1/")[0].cwe
            (918,)
        """
        return cwe_of(self.reference)

    def _repr_html_(self) -> str:
        """Return the hazard as HTML, for notebooks."""
        return f"<b>{self.code}</b> in {self.component} at {self.position}: {self.message} <i>({self.reference})</i>"

    def __rich_repr__(self) -> Iterator[str | tuple[str, object]]:
        yield self.code
        yield "in", f"{self.component} at {self.position}"
        yield "message", self.message
        yield "reference", self.reference


Hazard.__module__ = "urlsm.security"


HAZARDS: dict[str, Danger] = {
    "dialects-disagree": Danger(
        "parsers disagree about the scheme, host or port: a check and a request may reach different servers",
        "CWE-436; RFC 3986 section 7.6",
    ),
    "readers-disagree": Danger(
        "the programs in `readers` disagree: a check and a request may reach different servers or files",
        "CWE-436; RFC 3986 section 7.6",
    ),
    "hops-disagree": Danger(
        "the programs in `hops` match on different paths: what one protects, another one serves",
        "CWE-436; CWE-177; RFC 3986 section 6.2.2",
    ),
    "credentials": Danger(
        "a user name or password: it may look like a host, and everyone who sees the URL sees it",
        "CWE-522; RFC 3986 sections 7.5 and 7.6; RFC 2396 section 7",
    ),
    "backslash": Danger(
        'a backslash: browsers read it as "/" in http URLs, the RFCs as a plain character',
        "CWE-436; https://url.spec.whatwg.org/#url-parsing, invalid-reverse-solidus",
    ),
    "control-character": Danger(
        "a control character: some programs drop it or stop there, and in a header it starts a new line",
        "CWE-93, CVE-2022-0391; https://url.spec.whatwg.org/#url-parsing, invalid-URL-unit",
    ),
    "control-character-encoded": Danger(
        "a percent-encoded control character: once decoded, it may get into a protocol or a file name",
        "RFC 3986 section 7.3; RFC 2396 section 7; CWE-93, CWE-626",
    ),
    "delimiter-encoded": Danger(
        "a percent-encoded delimiter: decoded before the URL is split, it moves the components. In a path, "
        "nginx, Jetty, uvicorn and gunicorn decode it; HAProxy, Envoy, Go and Node do not",
        "RFC 3986 sections 2.2 and 7.3; CWE-177",
    ),
    "dot-segment-encoded": Danger(
        'a percent-encoded "." or "..": a program that decodes the path first leaves the directory, as nginx, Apache, '
        "Caddy and Tomcat do; HAProxy, Envoy and Node see a name",
        "RFC 3986 section 7.3; CWE-22, CVE-2021-41773",
    ),
    "dot-segment-parameter": Danger(
        'a "..;" segment: nginx and HAProxy see a name; Tomcat drops the parameter and leaves the directory',
        "CWE-22, CVE-2020-5902; RFC 3986 section 3.3",
    ),
    "slashes-doubled": Danger(
        'two slashes before a name such as "admin": nginx, Apache, Caddy and Tomcat see one; HAProxy, Envoy, uvicorn '
        "and gunicorn see another path",
        "CWE-51; RFC 3986 sections 3.3 and 6.2.2",
    ),
    "network-share": Danger(
        "a path that begins with two slashes: Windows and nturl2path.url2pathname connect to the host that follows",
        "CWE-40, CVE-2024-21413; RFC 8089 appendix E.3.2",
    ),
    "script": Danger(
        "a script: browsers run it with the rights of the page, whatever host it seems to contain",
        "https://html.spec.whatwg.org/#the-javascript:-url-special-case; CWE-79",
    ),
    "git-helper": Danger(
        "a git helper address: git runs what follows ext:: as a command",
        "git-remote-ext(1), git-remote-fd(1); CWE-78, CVE-2015-7545",
    ),
    "ipv4-odd-form": Danger(
        "an IPv4 address in an odd form: a filter may not recognise it",
        "CWE-1389; RFC 3986 section 7.4; https://url.spec.whatwg.org/#concept-ipv4-parser",
    ),
    "ipv4-mapped-address": Danger(
        "an IPv6 address that stands for an IPv4 address: a filter may check only the IPv4 form",
        "RFC 4291 section 2.5.5.2, RFC 6052; CWE-918",
    ),
    # hazards_of (plain.pyx) finds the next four, by the row that address_kind returns
    "loopback-address": Danger("the host is this machine", "RFC 1122 section 3.2.1.3, RFC 6761 section 6.3; CWE-918"),
    "link-local-address": Danger("the address is link-local", "RFC 3927, RFC 4291 section 2.5.6; CWE-918"),
    "private-address": Danger(
        "the address or name is not on the public Internet", "RFC 1918, RFC 6890, RFC 6761; CWE-918"
    ),
    "metadata-address": Danger("the address is a cloud metadata service", "CWE-918"),
    "blocked-port": Danger("browsers block http on this port", "https://fetch.spec.whatwg.org/#bad-port"),
    "non-default-port": Danger("the port is not the scheme's default", "RFC 3986 section 7.2; RFC 2396 section 7"),
    "misleading-host": Danger(
        "a label mixes scripts, holds a character that is neither letter nor digit, or looks like a Latin label",
        "CWE-1007; https://url.spec.whatwg.org/#url-rendering-internationalization; UTS 39",
    ),
    "mapped-host": Danger(
        "IDNA maps some characters to others, or its versions map them differently: the host is another one",
        "CWE-176; UTS 46 section 7; https://url.spec.whatwg.org/#host-equivalence",
    ),
    "fake-a-label": Danger(
        'a label begins with "xn--", but is not the encoded form of a name: only some programs accept the host',
        "CWE-1289; RFC 5890 section 2.3.2.1; CVE-2024-12224",
    ),
    "host-too-long": Danger(
        "the host is longer than any domain name: it cannot be resolved, and mapping it may take long",
        "RFC 1035 section 2.3.4; CWE-400",
    ),
    "leading-hyphen": Danger(
        'it starts with "-": a shell command may read it as an option', "CWE-88, CVE-2017-1000117"
    ),
    "nested-too-deeply": Danger(
        "more nested URLs than are examined: where the innermost lead is unknown", "CWE-674; CWE-918"
    ),
    "unknown-scheme": Danger(
        "the scheme has no handler: what it makes a program do is unknown", "CWE-939; RFC 7595 section 3.7"
    ),
}

# https://fetch.spec.whatwg.org/#port-blocking
BAD_PORTS = frozenset({
    0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109,
    110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530,
    531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190,
    5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
})  # fmt: skip
ABOUT = {  # for urlsm.about
    "hazards": {
        "tables": "HAZARDS",
        "source": "MITRE, Common Weakness Enumeration; the documents that the rows name",
        "url": "https://cwe.mitre.org/data/index.html",
        "date": "2026-11-27",
        "used_by": "audit, Hazard.cwe",
    },
    "blocked ports": {
        "tables": "BAD_PORTS",
        "source": "Fetch Standard, bad ports",
        "url": "https://fetch.spec.whatwg.org/#bad-port",
        "date": "2026-11-26",
        "licence": "CC-BY-4.0",
        "used_by": "audit: blocked-port",
    },
}
# schemes to which BAD_PORTS applies; None stands for a text without a scheme, a reference on a page of such a scheme
_FETCHED = (None, "http", "https", "ws", "wss")
_COMPONENTS = ("scheme", "userinfo", "host", "port", "path", "query", "fragment")

# the hazards that first_suspects finds, in its order, each with the components in which it is a hazard
_SUSPECTS = (
    ("backslash", (*_COMPONENTS, "url")),
    ("control-character", (*_COMPONENTS, "url")),
    ("control-character-encoded", (*_COMPONENTS, "url")),
    ("delimiter-encoded", ("host", "path")),  # an escaped slash or backslash
    ("delimiter-encoded", ("host",)),
    ("dot-segment-encoded", ("path",)),
)

_ESCAPE_OF = "%(?:25)*"
_DOT = f"(?:\\.|{_ESCAPE_OF}2[Ee])"
_DELIMITED = rf"(?=[/\\;]|{_ESCAPE_OF}(?:2[Ff]|5[Cc]|3[Bb])|\Z)"
_WITH_PARAMETER = re.compile(rf"(?:\A|[/\\]|{_ESCAPE_OF}(?:2[Ff]|5[Cc]))({_DOT}{{1,2}}(?:;|{_ESCAPE_OF}3[Bb]))")
_NAME_WITH_DOTS = re.compile(rf"(?<![./\\])(?<!%2[Ee])(?=\.{{0,1}}%){_DOT}{{2}}{_DELIMITED}")
_AFTER_TWO_SLASHES = re.compile(r"(?<=/)/([^/;]*)")
# names of what is often protected
_GUARDED = {
    *("actuator", "admin", "administrator", "console", "debug", "internal", "management", "manager", "metrics"),
    *("private", "wp-admin"),
}
_SHARE = re.compile(
    rf"(?:[/\\]|{_ESCAPE_OF}(?:2[Ff]|5[Cc])){{2,}}(?:(?:[?.]|%3F)[/\\]UNC[/\\])?([^/\\%?#]*)", re.IGNORECASE
)
_HELPER = re.compile(r"[\0- ]*(?:git(?:\+|::))*(?:ext|fd)::", re.IGNORECASE)  # "git+" is npm's, "git::" is go-getter's
# an option, also as the host or path of the short form of ssh ("git@host:path")
_OPTION = re.compile(r"[\0- ]*(?:[^/:@]*@(?=-[^/:]*:)|[^/:@]+@[^/:]*:(?=-))?-")

_Found = tuple[str, str, int]  # the code, component and position of a hazard
_Spans = dict[str, tuple[int, int]]  # the spans of components, in the order of the text


def hazards_in(
    text: str, clear: int, url: StrOrURL, readers: Iterable[str] | None, hops: Iterable[str] | None
) -> list[Hazard]:
    """Return what audit returns. text: `url` as a str. clear: how much of it is unremarkable."""
    found = [] if clear == len(text) else _hazards(text, clear, url)
    if readers is not None:
        found += _of_readers(text, tuple(readers_named(readers)), url)
    if hops is not None:
        from urlsm.security.hop_views import hop_disagreement, hops_named

        if (told := hop_disagreement(text, hops_named(hops))) is not None:
            found.append(Hazard("hops-disagree", "path", *told, HAZARDS["hops-disagree"].reference))
    found.sort(key=lambda hazard: hazard.position)
    return found


def _of_readers(text: str, names: tuple[str, ...], url: StrOrURL) -> Iterator[Hazard]:
    """Yield what these readers disagree on, in a URL and in URLs within it: the first for each component."""
    from urlsm.meaning.within import urls_within

    differing = disagreements(text, names)
    for inner in urls_within(scalars(text))[0]:
        differing += [
            (component, min(inner.at(at), len(text)), said) for component, at, said in disagreements(inner.text, names)
        ]
    first: dict[Component, tuple[int, str]] = {}
    for component, at, said in differing:
        first.setdefault(component, (at, said))
    for component, (at, said) in first.items():
        yield Hazard("readers-disagree", component, _place(text, at, url), said, HAZARDS["readers-disagree"].reference)


def _place(text: str, at: int, url: StrOrURL) -> int:
    """Return a position in the text of a URL as one in the URL, which may be bytes."""
    if isinstance(url, bytes) and not bytes.isascii(url):
        return len(text[:at].encode("utf-8", "surrogateescape"))
    return at


def _hazards(text: str, clear: int, url: StrOrURL) -> list[Hazard]:
    """Return what audit returns for a URL whose first `clear` characters hold no hazard."""
    found: dict[tuple[str, str], int] = {}
    for code, component, position in _suspects(text, clear) if clear else _suspects_in_all(scalars(text)):
        found[code, component] = min(position, found.get((code, component), position))
    hazards = [
        Hazard(code, component, _place(text, at, url), *HAZARDS[code])  # type: ignore[arg-type]
        for (code, component), at in found.items()
    ]
    return sorted(hazards, key=lambda hazard: hazard.position)


def _suspects(text: str, clear: int) -> Iterator[_Found]:
    """Yield the hazards of a URL, except those of URLs within it. clear: the result of `unremarkable(text)`."""
    text = scalars(text)
    c = split(text)
    spans = {name: span for name in _COMPONENTS[4 if clear else 0 :] if (span := c.span(name)) is not None}
    yield from _of_octets(text, spans, clear)
    yield from _of_segments(text, *spans.get("path", (0, 0)), is_web=c.scheme is None or c.scheme.lower() in _FETCHED)
    if not clear:
        yield from _of_scheme(text, c.scheme, spans)
        comparison = compare_start(text, c)
        yield from _of_views(comparison, spans)
        yield from _of_hosts(comparison, c.host or "", spans)
        from urlsm.meaning.within import hosts_within

        start, end = spans.get("path", (0, 0))
        for at, host in hosts_within(text):
            # the dialects agree, but SQLAlchemy reads another host (its passwords may contain "/")
            if c.host is not None and start <= at < end and agree_alone(comparison):
                yield "dialects-disagree", "path", at
            for code in _host_codes(host):
                yield code, "host", at


def _suspects_in_all(text: str) -> Iterator[_Found]:
    """Yield the hazards of a URL, and those of URLs within it."""
    from urlsm.meaning.connections import with_hyphens
    from urlsm.meaning.within import urls_within

    yield from _suspects(text, 0)
    if option := _OPTION.match(text):
        yield "leading-hyphen", "url", option.end() - 1
    if _HELPER.match(text):
        yield "git-helper", "url", 0
    driven = with_hyphens(text)  # the dialects see no scheme in "oracle+cx_oracle:", because of the "_"
    if driven is not None:
        yield from (found for found in _suspects(driven, 0) if found[0] != "unknown-scheme")
    within, are_all = urls_within(text)
    for inner in within:
        clear = unremarkable(inner.text)
        for code, component, position in _suspects(inner.text, clear) if clear < len(inner.text) else ():
            yield code, component, min(inner.at(position), len(text))
    if not are_all:
        yield "nested-too-deeply", "path", within[-1].at(0)


def _of_octets(text: str, spans: _Spans, at: int) -> Iterator[_Found]:
    """Yield the hazards of single characters and escapes in text[at:]. at: the start of the text or of a component. All
    of text[at:] is searched first, because in an ordinary link this one search finds nothing. No delimiter splits an
    escape, so this search finds something if any component has such a hazard."""
    if max(first_suspects(text, at, len(text))) < 0:
        return
    for component, (start, end) in [*spans.items(), ("url", (len(text), len(text)))]:
        for name, first, last in (("url", at, start), (component, start, end)):
            if first < last:
                for (code, where), place in zip(_SUSPECTS, first_suspects(text, first, last), strict=True):
                    if place >= 0 and name in where:
                        yield code, name, place
        at = end


def _of_segments(text: str, start: int, end: int, is_web: bool) -> Iterator[_Found]:
    """Yield the hazards of dot segments with a parameter ("..;"), of escaped dots at the end of a segment, and of two
    slashes before a name that is often protected."""
    path = text[start:end]
    if is_web and "//" in path:
        for found in _AFTER_TWO_SLASHES.finditer(path):
            if decode(found[1]).lower() in _GUARDED:
                yield "slashes-doubled", "path", start + found.start() - 1
                break
    if ";" in path or "%" in path:
        if with_parameter := _WITH_PARAMETER.search(path):
            yield "dot-segment-parameter", "path", start + with_parameter.start(1)
        if "%" in path and (behind := _NAME_WITH_DOTS.search(path)):
            yield "dot-segment-encoded", "path", start + behind.start()


def _of_scheme(text: str, scheme: str | None, spans: _Spans) -> Iterator[_Found]:
    """Yield the hazards of javascript:, and of file: URLs whose path leads to another machine."""
    if scheme is not None and scheme.lower() == "javascript":
        yield "script", "scheme", _start(spans, "scheme")
    if scheme is None or scheme.lower() != "file":
        return
    start = spans.get("path", (0, 0))[0]
    url = try_parse(text)  # this turns "/..//host" into "//host"
    # match in the text as well, to find "//?/UNC/host", where the URL Standard sees a query
    for share in (_SHARE.match(text, start), None if url is None else _SHARE.match(url.path)):
        if share is not None and share[1]:
            yield "network-share", "path", start
            for code in _host_codes(folded_host(share[1]) or ""):
                yield code, "path", start


def _of_views(comparison: ReaderComparison, spans: _Spans) -> Iterator[_Found]:
    """Yield the hazards of the scheme, user information, host and port that each dialect sees."""
    views = [view for view in comparison.views.values() if view.refusal is None]
    if not agree_alone(comparison):
        where = next((name for name in DECIDES if name in spans and differs(comparison, name)), "url")
        yield "dialects-disagree", where, _start(spans, where)
    handlers = {scheme: _handler(scheme) for scheme in {view.scheme for view in views}}
    for view in views:
        if view.userinfo:
            yield "credentials", "userinfo", _start(spans, "userinfo")
            if decode(view.userinfo).startswith("-"):  # git decodes a URL of ssh as a whole
                yield "leading-hyphen", "userinfo", _start(spans, "userinfo")
        if view.host is not None and decode(view.host).startswith("-"):
            yield "leading-hyphen", "host", _start(spans, "host")
        known, default = handlers[view.scheme]
        if not known:
            yield "unknown-scheme", "scheme", _start(spans, "scheme")
        if view.port is not None and view.port != default:
            yield "non-default-port", "port", _start(spans, "port")
            if view.scheme in _FETCHED and isinstance(view.port, int) and view.port in BAD_PORTS:
                yield "blocked-port", "port", _start(spans, "port")


def _start(spans: _Spans, component: str) -> int:
    """Return where a component starts. If the URL Standard does not find the component, return where the authority
    starts. Return 0 for "url", and if there is no authority either."""
    if component == "url":
        return 0
    return next((spans[name][0] for name in (component, "userinfo", "host") if name in spans), 0)


def _handler(scheme: str | None) -> tuple[bool, int | None]:
    """Return whether a scheme has a handler of its own, and the scheme's default port."""
    from urlsm.meaning.registry import handler

    if scheme is None:
        return True, None
    try:
        found = handler(scheme)
    except PluginError:  # the scheme has a handler, but loading it fails
        return True, None
    return bool(found.names), found.default_port_of(scheme)


def _of_hosts(comparison: ReaderComparison, written: str, spans: _Spans) -> Iterator[_Found]:
    """Yield the hazards of the hosts that the dialects find."""
    at = _start(spans, "host")
    if has_long_host(comparison):
        yield "host-too-long", "host", at
        return
    found = [view.host for view in comparison.views.values() if view.host is not None]
    decoded = decode(written)
    if decoded[:1] == "[":
        decoded = normalize("NFKC", decoded)
    if decoded != written:  # some readers decode a host, or map it in brackets, before they look for an address
        found.append(folded_host(decoded) or "")
    for host in dict.fromkeys(filter(None, found)):
        for code in _host_codes(host):
            yield code, "host", at
    if not written.isascii() and folded_host(written) == written.lower():
        yield "mapped-host", "host", at


def _host_codes(host: str) -> Iterator[str]:
    if is_too_long(host):
        yield "host-too-long"
        return
    yield from hazards_of(host)
    canonical = canonical_host(host) or ""
    if canonical.startswith("["):
        if stands_for_ipv4(canonical):
            yield "ipv4-mapped-address"
    elif canonical.rpartition(".")[2].isdigit():
        if host != canonical:
            yield "ipv4-odd-form"
    elif "xn--" in canonical:
        from urlsm.unicode.idna import to_unicode
        from urlsm.url.display import is_safe_label

        labels = to_unicode(canonical).split(".")
        if not all(map(is_safe_label, labels)):
            yield "misleading-host"
        if any(label.startswith("xn--") for label in labels):  # if one cannot be decoded, to_unicode decodes none
            yield "fake-a-label"
