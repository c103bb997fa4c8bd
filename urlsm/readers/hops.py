"""Programs on the way of a request, as data: what each makes of the path, in steps.

A program has three tuples of steps. `reads` is the beginning of both others; `match` makes the path that the program's
rules are compared with, and `forward` the target that it sends on. An option chooses among tuples with `by`. The steps
themselves are in steps.pyx.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

from urlsm.readers.programs import asked_of, number
from urlsm.readers.steps import Pipeline, Step, ask

__all__ = [
    "APACHE_PATH",
    "HAPROXY_LINE",
    "NGINX_PATH",
    "PATH",
    "PROGRAMS",
    "SERVERS",
    "HopProgram",
    "Settings",
    "answer",
    "path_program",
    "settings",
]

PATH = "path"  # an option whose value is "" or a path from "/" to "/", which is put in the place of the first slash
ALL = bytes(range(256))
CONTROLS = bytes(range(0x20))
HIGH = bytes(range(0x80, 0x100))
DIGITS = b"0123456789"
LETTERS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
UNRESERVED = LETTERS + DIGITS + b"-._~"


def without(octets: bytes) -> bytes:
    """Return all other octets."""
    return bytes(octet for octet in ALL if octet not in octets)


class By(NamedTuple):
    """Steps that an option chooses by its value. No value: no steps."""

    option: str
    steps: Mapping[Any, tuple[Any, ...]]


class Since(NamedTuple):
    """Steps of a program since a release; before it, others."""

    release: str
    steps: tuple[Any, ...]
    before: tuple[Any, ...] = ()


def by(option: str, steps: Mapping[Any, tuple[Any, ...]]) -> By:
    return By(option, steps)


# --- steps ---------------------------------------------------------------------------------------


def _shown(octets: bytes) -> str:
    if octets == HIGH:
        return "octets over 7F"
    if len(octets) > 40:
        return "all but " + _shown(without(octets))
    return " ".join(chr(octet) if 0x20 < octet < 0x7F else f"{octet:02X}" for octet in octets)


def refuse(octets: bytes, name: str = "") -> Step:
    return Step("refuse", octets, f"refuse {name or _shown(octets)}")


def refuse_escaped(octets: bytes) -> Step:
    return Step("refuse escaped", octets, "refuse " + " ".join(f"%{octet:02X}" for octet in octets))


def cut(octets: bytes) -> Step:
    return Step("cut", octets, f"cut {_shown(octets)}")


def decode(kept: bytes = b"") -> Step:
    if kept == without(UNRESERVED):
        return Step("decode", kept, "decode unreserved characters")
    return Step("decode", kept, f"decode once, but {_shown(kept)}" if kept else "decode once")


def encode(kept: bytes, code: str = "encode") -> Step:
    return Step(code, kept, "re-encode if something was decoded" if code != "encode" else "re-encode")


def replace(octet: bytes, by: bytes) -> Step:
    return Step("replace", octet + by, f"{_shown(octet)} is {_shown(by)}")


AS_SENT = Step("as sent", name="as it was sent")
QUERY = Step("query", name="cut ?")
WITH_QUERY = Step("with query", name="with the query")
WITH_QUERY_NOT_EMPTY = Step("with query not empty", name="with the query, if it is not empty")
MERGE = Step("merge", name="merge slashes")
ONE_SLASH = Step("one slash", name="one slash at the start")
PARAMETERS = Step("parameters", name="strip ;parameters")
REFUSE_BAD_ESCAPES = Step("refuse bad escapes", name="refuse %zz")
BACKSLASH = replace(b"\\", b"/")
# the bits are those of Dots in steps.pyx
DOTS_REFUSED = Step("dots", b"\0", "remove dots, refuse above /")
DOTS_BARE = Step("dots", b"\2", "remove dots, refuse above /, no slash after them")
DOTS = Step("dots", b"\1", "remove dots, stay at /")
DOTS_CLEANED = Step("dots", b"\3", "remove dots, stay at /, no slash after them")
DOTS_ESCAPED = Step("dots", b"\5", "remove dots, also %2e, stay at /")
UTF8_REFUSED = Step("utf-8 refused", name="refuse what is not UTF-8")
UTF8_REPLACED = Step("utf-8 replaced", name="U+FFFD for what is not UTF-8")
UTF8_IGNORED = Step("utf-8 ignored", name="drop what is not UTF-8")
UTF8_ESCAPED = Step("utf-8 escaped", name="re-encode what is not UTF-8")
MARK = Step("mark", name="(")
REDIRECT_CHANGED = Step("redirect changed", name="), redirect if that changed it")
VISIBLE = refuse(without(bytes(range(0x21, 0x7F))), "all but 21 to 7E")


class HopProgram(NamedTuple):
    """A program whose reading of a path is known.

    name, releases: as in programs.Program.
    call: what is asked, as in "ServeMux".
    reads, match, forward: steps, and choices of steps. No `forward`: it sends nothing on.
    options: the values of each option, the default first; PATH for a path.
    folds: whether rules are compared without regard to letter case, or the option and the values by which they are.
    line_feeds: whether a path with a line feed fits some kinds of rules and not others, because "." of a regular
        expression is no line feed, and "$" is also before one.
    strips: the options with which it was compared while it strips a prefix; PATH is any path. None: with none.
    mounts: whether it was compared while it puts a prefix, otherwise than by an option.
    unstable: options with which what is sent on, or what a server tells of it, does not say what was matched.
    """

    name: str
    call: str
    releases: tuple[str, ...]
    reads: tuple[Any, ...]
    match: tuple[Any, ...] = ()
    forward: tuple[Any, ...] = ()
    options: Mapping[str, tuple[Any, ...]] = {}
    folds: bool | tuple[str, Any] = False
    line_feeds: bool = False
    strips: Mapping[str, Any] | None = None
    mounts: bool = False
    unstable: tuple[Mapping[str, Any], ...] = ()


class Settings(NamedTuple):
    """A release of a program with its options: its pipelines, and the path that it puts before what it sends on."""

    program: HopProgram
    release: str
    options: dict[str, Any]
    reads: Pipeline
    match: Pipeline
    forward: Pipeline
    mount: str
    folds: bool

    @property
    def name(self) -> str:
        """As in "nginx@1.22.1"."""
        return f"{self.program.name}@{self.release}"

    @property
    def serves(self) -> str:
        """The value of the option "server" of the frameworks that this program serves; "" if it serves none."""
        name = self.program.name
        return "" if name not in SERVERS else f"{name}-h11" if self.options.get("http") == "h11" else name

    @property
    def can_strip(self) -> bool:
        """Whether it is known what it sends on when it strips a prefix."""
        wanted = self.program.strips
        return wanted is not None and all(
            self.options[option] if value == PATH else self.options[option] == value for option, value in wanted.items()
        )

    @property
    def is_stable(self) -> bool:
        """Whether what it sends on tells what it has matched: it is matched alike and sent on as it is, or would not
        be sent on as it is, so that the check refuses it (test_hops.py)."""
        return not any(
            all(self.options[option] == value for option, value in one.items()) for one in self.program.unstable
        )


def _chosen(steps: tuple[Any, ...], options: Mapping[str, Any], version: int) -> Iterator[Step]:
    for step in steps:
        if isinstance(step, By):
            value = options[step.option]
            yield from _chosen(step.steps.get(value, step.steps.get(PATH, ()) if value else ()), options, version)
        elif isinstance(step, Since):
            yield from _chosen(step.steps if version >= number(step.release) else step.before, options, version)
        else:
            yield step


def _is_path(value: object) -> bool:
    return isinstance(value, str) and value[:1] == "/" == value[-1:]


def path_program(name: str) -> HopProgram:
    """Return the program of a name. ValueError: there is none."""
    if name not in _BY_NAME:
        raise ValueError(f"no program {name!r} is known; those that are: {', '.join(sorted(_BY_NAME))}")
    return _BY_NAME[name]


def settings(name: str, given: Mapping[str, Any]) -> Settings:
    """Return the pipelines of a name, such as "nginx@1.22", and options; the others have the program's defaults.

    ValueError: there is no such program, release, option or value.
    """
    found, chosen = asked_of(path_program, name)
    options = {option: values[0] if values != (PATH,) else "" for option, values in found.options.items()}
    for option, value in given.items():
        values = found.options.get(option)
        if values is None:
            known = ", ".join(found.options) or "none"
            raise ValueError(f"{found.name} has no option {option!r}; it has: {known}")
        fits = value == "" or _is_path(value) if values == (PATH,) else value in values
        if not fits:
            known = 'a path that begins and ends with "/"' if values == (PATH,) else ", ".join(map(repr, values))
            raise ValueError(f"{option} must be one of: {known}; not {value!r}")
        options[option] = value
    version = number(chosen)
    reads, match, forward = (
        Pipeline(_chosen(steps, options, version)) for steps in (found.reads, found.match, found.forward)
    )
    folds = found.folds if isinstance(found.folds, bool) else options[found.folds[0]] == found.folds[1]
    mount = "".join(options[option][:-1] for option, values in found.options.items() if values == (PATH,))
    return Settings(found, chosen, options, reads, match, forward, mount, folds)


def answer(target: bytes, hop: Settings) -> tuple[str, bytes | None, bytes | None]:
    """Return what a program does: "matched", "refused" or "redirected"; the path that it matches on, and the target
    that it sends on, without the path that it puts before it. What does not begin with "/" is refused."""
    if target[:1] != b"/":
        return "refused", None, None
    done, matched = ask(target, hop.reads, hop.match)
    if matched is None:
        return done, None, None
    return "matched", matched, ask(target, hop.reads, hop.forward)[1] if hop.program.forward else None


# --- proxies -------------------------------------------------------------------------------------

# ngx_escape_uri, NGX_ESCAPE_URI
_NGINX_KEPT = bytes(octet for octet in range(0x21, 0x7F) if octet not in b'"#%<>?\\^`{|}')
_NGINX_DECODED = (REFUSE_BAD_ESCAPES, refuse_escaped(b"\0"), decode())
NGINX_PATH = (*_NGINX_DECODED, MERGE, DOTS_REFUSED)  # ngx_http_parse_complex_uri, for the reader of URLs
_NGINX = HopProgram(
    "nginx",
    "location",
    ("1.22.1", "1.31.3"),
    (
        refuse(CONTROLS + b"\x7f", "controls"),  # ngx_http_parse_request_line, also after "?"
        cut(b"#"),
        QUERY,
        *_NGINX_DECODED,
        by("merge_slashes", {True: (MERGE,)}),
        DOTS_REFUSED,
    ),
    forward=(
        by(
            "proxy_pass",
            {"": (AS_SENT,), PATH: (encode(_NGINX_KEPT, "encode if decoded"), WITH_QUERY_NOT_EMPTY)},
        ),
    ),
    options={"merge_slashes": (True, False), "proxy_pass": (PATH,)},
    strips={"proxy_pass": PATH},
)

_NOT_VISIBLE = without(bytes(range(0x21, 0x7F)))
HAPROXY_LINE = Step("refuse line", _NOT_VISIBLE + b"#", "refuse # and all but 21 to 7E, but for a DEL beside others")


# a request line may have tabs for spaces, so that those at the end are not part of the target
_NO_FINAL_TABS = Step("strip end", b"\t", "no tabs at the end")
_HAPROXY_ACCEPTED = Step("refuse line", bytes(range(0x21)) + b"\x7f", "refuse controls, but for a DEL beside others")
_HAPROXY = HopProgram(
    "haproxy",
    "path",
    ("2.6.12", "2.8.25"),
    (
        _NO_FINAL_TABS,
        by(
            "accept_invalid",
            {
                False: (Since("2.8", (VISIBLE, refuse(b"#")), before=(HAPROXY_LINE,)),),
                True: (Since("2.8", (refuse(bytes(range(0x21)) + b"\x7f", "controls"),), before=(_HAPROXY_ACCEPTED,)),),
            },
        ),
        QUERY,
    ),
    forward=(AS_SENT, _NO_FINAL_TABS),
    options={"accept_invalid": (False, True)},
    strips={},
    mounts=True,
    unstable=({"accept_invalid": True},),  # it sends "#" on, and uvicorn's raw_path has nothing of what "#" begins
)

_APACHE_ENCODED = encode(LETTERS + DIGITS + b"~$-_.+!*'(),;:@&=/")  # ap_proxy_canonenc


def _slashes_stay_encoded(text: bytes) -> bytes:
    return text.replace(b"%252f", b"%2f").replace(b"%252F", b"%2F")


_APACHE_UNRESERVED = (REFUSE_BAD_ESCAPES, decode(without(UNRESERVED)))
# ap_normalize_path, then ap_unescape_url, for the reader of URLs
APACHE_PATH = (*_APACHE_UNRESERVED, MERGE, DOTS_REFUSED, decode())
_APACHE = HopProgram(
    "apache",
    "<Location>",
    ("2.4.71",),
    (
        refuse(CONTROLS + b"\x7f", "controls"),
        refuse(b"#"),
        QUERY,
        ONE_SLASH,  # ap_parse_uri
        *_APACHE_UNRESERVED,  # ap_normalize_path
        by("MergeSlashes", {"On": (MERGE,)}),
        DOTS_REFUSED,
        # ap_unescape_url_ex
        refuse_escaped(b"\0"),
        by(
            "AllowEncodedSlashes",
            {
                "Off": (refuse_escaped(b"/"), decode()),
                "On": (decode(), by("MergeSlashes", {"On": (MERGE,)}), DOTS),
                "NoDecode": (decode(b"/"),),
            },
        ),
    ),
    match=(MERGE,),  # ap_location_walk
    forward=(
        by("nocanon", {True: (Step("as sent if slashes", name="as it was sent, if it begins with as many slashes"),)}),
        ONE_SLASH,  # alias_match
        by("AllowEncodedSlashes", {"NoDecode": (REFUSE_BAD_ESCAPES,)}),
        _APACHE_ENCODED,
        by("AllowEncodedSlashes", {"NoDecode": (Step("call", name="%2F stays", function=_slashes_stay_encoded),)}),
        WITH_QUERY,
    ),
    options={
        "AllowEncodedSlashes": ("Off", "On", "NoDecode"),
        "MergeSlashes": ("On", "Off"),
        "ProxyPass": (PATH,),
        "nocanon": (False, True),
    },
    strips={"MergeSlashes": "On", "nocanon": False},
    # "//%2Fa" is sent on as "/%2Fa", and that as "/a"
    unstable=({"AllowEncodedSlashes": "On", "MergeSlashes": "Off", "nocanon": True},),
)


def _envoy_merged(text: bytes) -> bytes:
    """PathTransformer::mergeSlashes: what is between the first and the last slash is split and joined, so that nothing
    but slashes becomes two."""
    if b"//" not in text:
        return text
    inner = b"/".join(part for part in text.split(b"/") if part)
    return b"/" + inner + (b"/" if text.endswith(b"/") else b"")


_UNESCAPED_SLASHES = decode(without(b"/\\"))
_ENVOY = HopProgram(
    "envoy",
    "route, prefix",
    ("1.40.0",),
    (
        Step("strip end", b"\t\r", "no tabs and CR at the end"),
        VISIBLE,
        refuse(b"#"),
        QUERY,
        by(
            "path_with_escaped_slashes_action",
            {
                "REJECT_REQUEST": (refuse_escaped(b"/\\"),),
                "UNESCAPE_AND_REDIRECT": (_UNESCAPED_SLASHES,),
                "UNESCAPE_AND_FORWARD": (_UNESCAPED_SLASHES,),
            },
        ),
        by(
            "normalize_path",
            {
                True: (
                    refuse_escaped(b"\0"),
                    Step("dot parameters", name="strip ;parameters of . and .."),
                    BACKSLASH,
                    Step("decode unnested", without(UNRESERVED), "decode unreserved characters"),
                    DOTS,
                    encode(bytes(octet for octet in range(0x21, 0x7F) if octet not in b'"<>^`{|}')),
                )
            },
        ),
        by("merge_slashes", {True: (Step("call", name="merge slashes", function=_envoy_merged),)}),
        by(
            "path_with_escaped_slashes_action",
            {"UNESCAPE_AND_REDIRECT": (Step("redirect decoded", name="redirect if a slash was unescaped"),)},
        ),
    ),
    forward=(WITH_QUERY,),
    options={
        "normalize_path": (False, True),
        "merge_slashes": (False, True),
        "path_with_escaped_slashes_action": (
            "KEEP_UNCHANGED",
            "REJECT_REQUEST",
            "UNESCAPE_AND_REDIRECT",
            "UNESCAPE_AND_FORWARD",
        ),
        "prefix_rewrite": (PATH,),
    },
    strips={},
)

# --- Go ------------------------------------------------------------------------------------------

# net/url, parse and setPath
_GO_READ = (refuse(CONTROLS + b"\x7f", "controls"), QUERY, REFUSE_BAD_ESCAPES)
_GO_ESCAPED = Step("go escaped", UNRESERVED + b"$&+,/:;=@", "escape anew, %2F becomes /, if it has octets to escape")
_GO = HopProgram(
    "go",
    "net/http, ServeMux",
    ("1.27.3",),
    (*_GO_READ, _GO_ESCAPED, MARK, MERGE, DOTS_CLEANED, REDIRECT_CHANGED),
    match=(Step("capitals", name="escapes in capitals"), decode(b"/")),
)
_CADDY = HopProgram(
    "caddy",
    "path",
    ("2.11.7",),
    _GO_READ,
    match=(decode(), MERGE, DOTS_CLEANED),
    forward=(_GO_ESCAPED, WITH_QUERY),
    folds=True,
)

# --- Node ----------------------------------------------------------------------------------------

_URI_RESERVED = b"#$%&+,/:;=?@"  # what decodeURI keeps, and "%"
_URL_PATH_KEPT = bytes(octet for octet in range(0x21, 0x7F) if octet not in b'"#<>?^`{}')


def _pathname(reader: str, version: str, target: bytes) -> bytes | None:
    """`new URL(req.url, "http://h.example").pathname`, as a reader of URLs sees it."""
    from urlsm.readers.programs import program

    text = target.decode()  # VISIBLE has refused all but ASCII
    at_host = len(text) > 1 and text[1] in "/\\"
    found = program(reader).read(("http:" if at_host else "http://h.example") + text, number(version))
    return None if isinstance(found, str) else (found[4] or "").encode("utf-8", "surrogateescape")


def _new_url(reader: str, version: str) -> Step:
    return Step("call", name="new URL", function=partial(_pathname, reader, version))


def _express_path(target: bytes) -> bytes | None:
    """parseurl: the path before "?", unless url.parse is asked."""
    from urlsm.readers.programs import program

    if b"#" not in target:  # of the octets that make a difference, the only one that VISIBLE lets through
        return target.partition(b"?")[0]
    found = program("node-legacy").read(target.decode(), number("20.20.2"))
    # "//a@b" is an authority without a path
    return None if isinstance(found, str) or not found[4] else found[4].encode("utf-8", "surrogateescape")


def _no_final_slash(text: bytes) -> bytes:
    return text[:-1] if text.endswith(b"/") and len(text) > 1 else text


_NO_FINAL_SLASH = Step("call", name="no slash at the end", function=_no_final_slash)
_NODE = HopProgram(
    "node",
    "http, req.url before ?; or new URL(req.url, base).pathname",
    ("20.20.2", "24.19.0"),
    (VISIBLE,),
    match=(
        by(
            "reader",
            {
                "req.url": (QUERY,),
                "new URL": (Since("24", (_new_url("ada", "4.0.0"),), (_new_url("node", "20.20.2"),)),),
            },
        ),
    ),
    options={"reader": ("req.url", "new URL")},
)
_EXPRESS = HopProgram(
    "express",
    "app.use",
    ("4.22.3", "5.3.0"),
    (VISIBLE,),
    match=(Step("call", name="parseurl", function=_express_path),),
    options={"case sensitive routing": (False, True), "strict routing": (False, True)},
    folds=("case sensitive routing", False),
)
_FASTIFY = HopProgram(
    "fastify",
    "find-my-way",
    ("5.12.8",),
    (VISIBLE,),
    match=(
        by("useSemicolonDelimiter", {True: (cut(b";"),)}),
        cut(b"?#"),
        REFUSE_BAD_ESCAPES,
        decode(_URI_RESERVED),
        UTF8_REFUSED,
        by("ignoreDuplicateSlashes", {True: (MERGE,)}),
        by("ignoreTrailingSlash", {True: (_NO_FINAL_SLASH,)}),
    ),
    options={
        "ignoreTrailingSlash": (False, True),
        "ignoreDuplicateSlashes": (False, True),
        "useSemicolonDelimiter": (False, True),
        "caseSensitive": (True, False),
    },
    folds=("caseSensitive", False),
)
_HONO = HopProgram(
    "hono",
    "@hono/node-server",
    ("4.13.19",),
    (VISIBLE, QUERY, refuse(b"\\"), cut(b"#")),
    match=(
        DOTS_ESCAPED,
        encode(_URL_PATH_KEPT),
        Step("decode runs", _URI_RESERVED, "decode what decodeURI can"),
        by("strict", {False: (_NO_FINAL_SLASH,)}),
    ),
    options={"strict": (True, False)},
)

# --- Python's servers ----------------------------------------------------------------------------

_ASGI = (decode(), UTF8_REPLACED)  # urllib.parse.unquote
_H11 = (VISIBLE, QUERY)
_TWISTED = (refuse(without(bytes(range(0x21, 0x80))), "all but 21 to 7F"), QUERY)
_HTTPTOOLS = (VISIBLE, cut(b"#"), QUERY)
_GUNICORN = (VISIBLE, cut(b"#"), QUERY, decode())  # urlsplit, unquote_to_bytes


def _waitress_path(target: bytes) -> bytes | None:
    """split_uri: urlsplit for what does not begin with "//". It refuses octets over 7F and drops tabs."""
    if not target.startswith(b"//"):
        if not target.isascii():
            return None
        target = target.replace(b"\t", b"")
        if target.startswith(b"//"):  # it does now: an authority
            authority = re.match(rb"//([^/?#]*)", target)
            if authority is None or b"[" in authority[1] or b"]" in authority[1]:  # releases of Python differ in these
                return None
            target = target[authority.end() :]
    return target.partition(b"#")[0].partition(b"?")[0]


_WAITRESS = (refuse(b"\n\r"), Step("call", name="urlsplit", function=_waitress_path), decode(), ONE_SLASH)
SERVERS: dict[str, tuple[Any, ...]] = {
    "uvicorn": (*_HTTPTOOLS, *_ASGI),
    "uvicorn-h11": (*_H11, *_ASGI),
    "hypercorn": (*_H11, *_ASGI),
    "daphne": (*_TWISTED, *_ASGI),
    "gunicorn": _GUNICORN,
    "waitress": _WAITRESS,
}
_ON_ASGI = ("uvicorn", "uvicorn-h11", "hypercorn", "daphne")
_ON_WSGI = ("gunicorn", "waitress")


def _server(names: tuple[str, ...]) -> tuple[By, dict[str, tuple[Any, ...]]]:
    """Return the steps of the servers, by the option, and the option."""
    return by("server", {name: SERVERS[name] for name in names}), {"server": names}


_ASGI_SERVER, _ASGI_OPTION = _server(_ON_ASGI)
_WSGI_SERVER, _WSGI_OPTION = _server(_ON_WSGI)
_BOTH, _BOTH_OPTION = _server(_ON_WSGI + _ON_ASGI)

_PYTHON = (
    HopProgram(
        "uvicorn",
        "scope['path']",
        ("0.54.0",),
        (by("http", {"httptools": _HTTPTOOLS, "h11": _H11}),),
        match=_ASGI,
        forward=(AS_SENT,),
        options={"http": ("httptools", "h11")},
    ),
    HopProgram("hypercorn", "scope['path']", ("0.18.0",), _H11, match=_ASGI, forward=(AS_SENT,)),
    HopProgram("daphne", "scope['path']", ("4.2.3",), _TWISTED, match=_ASGI, forward=(AS_SENT,)),
    HopProgram("gunicorn", "environ['PATH_INFO']", ("27.0.1",), _GUNICORN, forward=(AS_SENT,)),
    HopProgram("waitress", "environ['PATH_INFO']", ("3.0.2",), _WAITRESS, forward=(AS_SENT,)),
    HopProgram("starlette", "Route and Mount", ("1.10.0",), (_ASGI_SERVER,), options=_ASGI_OPTION, line_feeds=True),
    HopProgram("fastapi", "routes", ("0.165.0",), (_ASGI_SERVER,), options=_ASGI_OPTION, line_feeds=True),
    HopProgram(
        "django",
        "path and re_path",
        ("5.2.19",),
        (_BOTH,),
        match=(UTF8_ESCAPED,),  # repercent_broken_unicode; the text of ASGI's servers is UTF-8
        options=_BOTH_OPTION,
        line_feeds=True,
    ),
    HopProgram(
        "flask",
        "routes",
        ("3.1.3",),
        (_WSGI_SERVER,),
        match=(UTF8_REPLACED, ONE_SLASH),
        options=_WSGI_OPTION,
        line_feeds=True,
    ),
    HopProgram(
        "bottle",
        "routes",
        ("0.13.4",),
        (_WSGI_SERVER,),
        match=(UTF8_IGNORED,),
        options=_WSGI_OPTION,
        line_feeds=True,
    ),
    HopProgram(
        "aiohttp",
        "resources",
        ("3.14.5",),
        (VISIBLE, Step("cut unless query", b"#", "cut # unless ? comes"), QUERY),
        match=(Step("decode utf-8", b"/%", "decode UTF-8 once, but / %"),),
        line_feeds=True,
    ),
)

# --- Java ----------------------------------------------------------------------------------------

# HttpParser, IS_NOT_REQUEST_TARGET
_TOMCAT = HopProgram(
    "tomcat",
    "servlet mapping",
    ("10.1.60",),
    (
        _NO_FINAL_TABS,
        refuse(CONTROLS + b' "#<>[\\]^`{|}\x7f' + HIGH, 'controls, octets over 7F and "#<>[\\]^`{|}'),
        QUERY,
        PARAMETERS,
        REFUSE_BAD_ESCAPES,
        by(
            "encodedSolidusHandling",
            {"reject": (refuse_escaped(b"/"), decode()), "decode": (decode(),), "passthrough": (decode(b"/%"),)},
        ),
        by("allowBackslash", {True: (BACKSLASH,), False: (refuse(b"\\"),)}),
        refuse(b"\0"),
        MERGE,
        DOTS_BARE,
        UTF8_REFUSED,
    ),
    options={"encodedSolidusHandling": ("reject", "decode", "passthrough"), "allowBackslash": (False, True)},
)


def _jetty_digit(char: str) -> int | None:
    """TypeUtil.convertHexDigit, which takes ":" for 10 and "@" for 9; None: it throws."""
    code = ord(char)
    digit = (code & 0x1F) + (code >> 6) * 25 - 16
    return digit if 0 <= digit < 16 else None


def _jetty_path(target: bytes) -> bytes | None:
    """HttpURI.parse and URIUtil.decodePath. An escape takes two octets, whatever they are, so also "?" and ";"."""
    try:
        text = target.decode()
    except UnicodeDecodeError:
        return None
    beyond = re.search(r"[^\0-\x7f]", text)
    if beyond and text.find("\x7f", beyond.end()) >= 0:  # HttpParser's way for ASCII, which lets it through, ends there
        return None
    made: list[str | int] = []  # characters; octets that were escaped
    k, segment, n = 0, 0, len(text)
    parameter = -1  # where the last one begins
    within = decoded = False  # within a parameter; whether more is done than the last parameter cut
    while k < n:
        char = text[k]
        if char in "?#":
            break
        if char == "/":
            decoded = decoded or within
            within, segment = False, k + 1
        elif char == ";":
            if not within and re.fullmatch(r"(?:\.|%2e){1,2}", text[segment:k], re.IGNORECASE):
                return None  # AMBIGUOUS_PATH_PARAMETER
            within, parameter = True, k
        elif within:
            pass
        elif char == "." and k == segment:
            decoded = True
        elif char == "%":
            size = 4 if text[k + 1 : k + 2] == "u" else 2
            digits = text[k + size // 2 : k + size // 2 + size]
            values = [_jetty_digit(digit) for digit in digits]
            if len(values) < size or None in values or not any(values):
                return None
            if size == 4:
                if not re.fullmatch("[0-9A-Fa-f]{4}", digits):
                    return None
                made.append(chr(int(digits, 16)))
            else:
                made.append(int(values[0] or 0) << 4 | int(values[1] or 0))
            decoded = True
            k += 1 + size // 2 - 1 + size
            continue
        if not within:
            made.append(char)
        k += 1
    if not decoded:
        return text[: parameter if within else k].encode()
    octets = b"".join(one.encode("utf-8", "replace") if isinstance(one, str) else bytes([one]) for one in made)
    try:
        octets.decode()
    except UnicodeDecodeError:  # decodeISO88591Path
        return "".join(one if isinstance(one, str) else chr(one) for one in made).encode()
    return octets


def _jetty_compact(text: bytes) -> bytes:
    """URIUtil.compactPath, which stops at a "?", also at one that was decoded."""
    path, mark, rest = text.partition(b"?")
    return re.sub(b"/+", b"/", path) + mark + rest


_JETTY = HopProgram(
    "jetty",
    "servlet mapping",
    ("9.4.57",),
    (
        refuse(CONTROLS, "controls"),
        Step("call", name="cut ? #; strip ;parameters; decode once, as UTF-8 or ISO 8859-1", function=_jetty_path),
        DOTS_REFUSED,
        by("compactPath", {True: (Step("call", name="merge slashes", function=_jetty_compact),)}),
    ),
    options={"compactPath": (False, True)},
)

PROGRAMS: tuple[HopProgram, ...] = (
    _NGINX,
    _HAPROXY,
    _APACHE,
    _ENVOY,
    _CADDY,
    _TOMCAT,
    _JETTY,
    _GO,
    _NODE,
    _EXPRESS,
    _FASTIFY,
    _HONO,
    *_PYTHON,
)
_BY_NAME = {program.name: program for program in PROGRAMS}
