"""One call or more of every public function, for stress tests."""

from __future__ import annotations

import copy
import functools
import json
import pathlib
from collections.abc import Callable, Iterator

import urlsm
from urlsm import stdlib, whatwg
from urlsm.schemes import Parts
from urlsm.schemes.built_in import BUILT_IN
from urlsm.url.edit import offsets_of
from urlsm.url.params import QueryParams

TEXT = "https://user:secret@ex%41mple.com:8443/a/./b%7e?q=1&r=\u00e9#f g"
NORMAL = "https://example.com/a/b?q=1#f"
IDN = "http://\u00fcber.example/\u00fc?\u00fc"
BAD = "http://ex ample.com/"
PAGE = '<html><head><base href="/there/"></head><body><a href="x">x</a></body></html>'
RUNNING = "See http://example.com/a, <URL:ftp://f.example/x> or www.example.org."
PAIRS = [("name", "v\u00e9 1"), ("b", "\ud800"), ("name", "2")]

Calls = dict[str, Callable[[], object]]


def _functions() -> Calls:
    """urlsm.__all__: function -> the arguments of each call."""
    texts = [(TEXT,), (NORMAL,), (IDN,), (TEXT.encode(),), (BAD,), ("http://h:x/",)]
    on_base = [*texts, ("../c?d", {"base": NORMAL}), ("\tx\n/ y", {"base": TEXT})]
    on_base += [("//\u00fc/", {"base": NORMAL}), ("#f", {"base": NORMAL}), ("x", {"base": BAD})]
    dialects = ("whatwg", "rfc3986", "rfc2396", "rfc1738", "barth", "stdlib")
    in_dialects = [(text, {"dialect": dialect}) for text in (TEXT, IDN, BAD, "//h/p") for dialect in dialects]
    arguments = {
        "URL": on_base, "parse": on_base, "try_parse": on_base, "can_parse": on_base,
        "split": in_dialects, "explain": in_dialects, "validate": in_dialects,
        "resolve": [
            *(("../c?d#e", {"base": NORMAL, "dialect": d}) for d in dialects if d != "rfc1738"),
            ("\u00fc/ x", {"base": NORMAL}), ("x", {"base": BAD}),
        ],
        "resolve_many": [
            (["x", "//h/\u00fc", "http://[/"], {"base": NORMAL}),
            (["x", "//["], {"base": NORMAL, "dialect": "rfc3986"}),
        ],
        "handler": [("mailto",), ("no-such",)], "parts": [(TEXT,), ("mailto:a@b.example?subject=x",), (BAD,)],
        "normalize": [(TEXT,), (TEXT, {"dialect": "rfc1738"}), ("mailto:A@B.example",)],
        "equivalent": [(TEXT, NORMAL), (TEXT, TEXT)],
        "QueryParams": [(PAIRS,)], "Components": [()],
        "iri_to_uri": [(TEXT,), (IDN,), (BAD,)], "uri_to_iri": [(TEXT,), ("http://xn--bcher-kva.example/%C3%BC",)],
        "Template": [("/{a}{?b,c*}",), ("/{a}{b",)],
    }  # fmt: skip
    calls = _each(urlsm, arguments)
    hosts = [("[64:ff9b::7f00:1]",), ("%31.1",), (b"x.local",), ("8.8.8.8",)]
    security = {
        "address_kind": hosts, "has_public_host": texts, "compare_readers": texts, "is_ambiguous": texts,
        "audit": [*texts, ("http://\u0430pple.example/%2e%2e//..%2f?\u202e",)],
        "safe_join": [(NORMAL, "x/y"), (NORMAL, "/\u00fc"), (NORMAL, "../..//x"), (NORMAL, "%2e%2e/x")],
    }  # fmt: skip
    calls |= _each(urlsm.security, security)
    for name in ("is_safe_redirect", "check_redirect"):
        for target, *_ in (*texts, ("/x",)):
            calls[f"{name} {target!r}"] = lambda name=name, target=target: getattr(urlsm.security, name)(
                target, base=NORMAL
            )
    for text in ("git@h.example:a/b", "https://h.example/a", "ext::sh", *(text for text, *_ in texts)):
        calls[f"check_git_url {text!r}"] = lambda text=text: urlsm.security.check_git_url(text)
    calls |= _each(urlsm.documents, {"extract_urls": [(RUNNING,)], "unwrap": [("<URL: http://h/a\n b>",)]})
    calls["extract_urls of bytes"] = lambda: [*urlsm.documents.extract_urls(RUNNING.encode(), base=NORMAL)]
    calls["base_url"] = lambda: urlsm.documents.base_url(PAGE, url=NORMAL)
    calls["base_url of bytes"] = lambda: urlsm.documents.base_url(PAGE.encode(), enclosing=NORMAL)
    for ref, dialect in (("#x", "rfc3986"), ("#x", "whatwg"), ("y", "rfc2396")):
        calls[f"same_document {ref} {dialect}"] = lambda ref=ref, dialect=dialect: urlsm.documents.same_document(
            ref, base=NORMAL, dialect=dialect
        )
    keys = [*((*text, "w3lib") for text in texts), (IDN, "surt"), (TEXT, "urlsm-1")]
    calls |= _each(urlsm.crawler, {"canonicalize": keys})
    domains = {"registrable_domain": texts, "same_site": [(NORMAL, IDN), (TEXT, "h.example")], "to_ascii": [(IDN,)]}
    calls |= _each(urlsm.domains, domains)
    many = [([TEXT, BAD, IDN, "data:,x", "\udcff\ud800"], "w3lib-2.5")]
    calls |= _each(urlsm.crawler, {"fingerprint_many": [*many, ([IDN], "surt")]})
    for kind in ("sha1", "blake2b-128", "xxh64"):
        calls[f"fingerprint_many, {kind}"] = lambda kind=kind: urlsm.crawler.fingerprint_many(*many[0], kind=kind)
    calls["Link.hash"] = lambda: [link.hash for link in urlsm.crawler.links(["x", IDN], base=NORMAL)]
    calls["DupeFilter.seen"] = lambda: [
        urlsm.crawler.DupeFilter(set(), kind="xxh64").seen(TEXT, method=method, body=b"x") for method in ("GET", "POST")
    ]
    calls["unsplit"] = lambda: urlsm.unsplit(urlsm.split(TEXT))
    calls["Components()"] = lambda: urlsm.Components(scheme="s", host="h", path="/p", query="q")
    calls["register"] = _register
    calls["compare_readers().agree"] = lambda: (
        urlsm.security.compare_readers(TEXT).agree,
        urlsm.security.compare_readers(BAD).differences,
    )
    calls["explain()"] = lambda: str(urlsm.explain(TEXT))
    calls["str(ParseError)"] = lambda: str(_raised(BAD))
    calls["ParseError().position"] = lambda: (_raised("http://[\u00e9::1/").position, _raised("\t http://a b").position)
    return calls


def _register() -> object:
    scheme = "x-of-a-test"
    urlsm.register(scheme, type("Handler", (urlsm.schemes.Scheme,), {"schemes": (scheme,)})())
    urlsm.unregister(scheme)
    return scheme in urlsm.schemes.known()


def _raised(text: str) -> urlsm.ParseError:
    try:
        urlsm.parse(text)
    except urlsm.ParseError as error:
        found = error
    return found


def _each(module: object, arguments: dict[str, list[tuple]]) -> Calls:
    """A dict at the end of the arguments has those by keyword."""
    return {
        f"{name}{given!r}": (lambda name=name, given=given: _whole(_called(getattr(module, name), given)))
        for name, calls in arguments.items()
        for given in calls
    }


def _called(function: Callable[..., object], given: tuple) -> object:
    if given and isinstance(given[-1], dict):
        return function(*given[:-1], **given[-1])
    return function(*given)


def _whole(value: object) -> object:
    return list(value) if isinstance(value, Iterator) else value


def _values() -> Calls:
    """URL, its attributes and methods; QueryParams."""
    urls = {text: urlsm.parse(text) for text in (TEXT, IDN, "mailto:a@b.example", "file:///C:/x", "blob:http://h/")}
    calls_of = {
        "join": [("../x",), ("\u00fc",), ("//[",)], "__truediv__": [("a b",), ("\u00e9",)],
        "replace": [(), *({name: value} for name, value in CHANGES.items())],
        "build": [
            {"scheme": "https", "host": "\u00fc.example", "port": 81, "path": "/a b", "query": {"a": "\u00e9"}},
            {"scheme": "mailto", "path": "a@b"}, {"scheme": "http", "host": "a b"},
        ],
        "from_request_target": [
            {"target": target, "host": "h", "scheme": "http", "method": "GET"} for target in ("/x?\u00e9", "http://u@h/")
        ],
        "from_scope": [(SCOPE,)], "from_environ": [(ENVIRON,)],
        "with_query": [("a=b",), ([("a", "\u00e9"), ("b", 1)],), ({"a": ["1", 2]},), (None,)],
        "update_query": [({"a": "\u00e9"},), ([("b", 1), ("b", 2)],)], "extend_query": [({"a": "x"},)],
        "without_query_params": [("a", "utm_*")],
        "without_credentials": [()], "without_fragment": [()], "relative_to": [("https://example.com/x/",)],
        "append_path": [("a%20b/c",)], "join_location": [("/\u00e9",), (b"../\xe9",)], "rfc3986": [()],
        "masked": [()], "otel_attributes": [()], "__format__": [("masked:>40",)],
        "display": [()], "violations": [()], "__str__": [()], "__repr__": [()], "__hash__": [()], "__reduce__": [()],
        "__copy__": [()], "__deepcopy__": [({},)], "__replace__": [{"path": "/x y"}], "__eq__": [("x",)],
    }  # fmt: skip
    calls: Calls = {}
    for text, url in urls.items():
        for name in (name for name in dir(url) if name[0] != "_" and not callable(getattr(url, name, str))):
            calls[f"URL({text!r}).{name}"] = lambda text=text, name=name: getattr(urlsm.parse(text), name)
        for name, given in ((name, given) for name, several in calls_of.items() for given in several):
            calls[f"URL({text!r}).{name}{given}"] = lambda url=url, name=name, given=given: (
                getattr(url, name)(**given) if isinstance(given, dict) else getattr(url, name)(*given)
            )
        calls[f"URL({text!r}), made again"] = lambda url=url: made_again(*url.__reduce__())
    query = QueryParams.parse("a=1&b=%C3%A9+x&a=%ff")
    methods = {
        "get": ("a",), "get_all": ("a",), "__getitem__": ("b",), "keys": (), "values": (), "items": (), "__len__": (),
        "__hash__": (), "__repr__": (), "__contains__": ("a",), "__iter__": (),
    }  # fmt: skip
    for name, given in methods.items():
        calls[f"QueryParams.{name}"] = lambda name=name, given=given: _whole(getattr(query, name)(*given))
    calls["QueryParams.parse"] = lambda: QueryParams.parse("a=1&b=%C3%A9+x&a=%ff&\u00e9")
    return calls


def made_again(function: Callable[..., object], arguments: tuple) -> object:
    """Return the object that pickle makes of __reduce__'s answer (without memory, pickle itself reports a lost
    class)."""
    return function(*arguments)


CHANGES = {
    "scheme": "http", "username": "a b", "password": "\u00e9", "host": "\u00fcber.example", "port": 80,
    "path": "/a/\u00e9", "query": "a b", "fragment": None,
}  # fmt: skip
SCOPE = {"type": "http", "path": "/a \u00e9", "headers": [(b"host", b"h.example:81")]}
ENVIRON = {"PATH_INFO": "/a \u00e9", "HTTP_HOST": "h.example", "wsgi.url_scheme": "http"}
SETTERS = {
    "href": NORMAL, "protocol": "http:", "username": "a b", "password": "\u00e9", "host": "\u00fc.example:80",
    "hostname": "h", "port": "8080", "pathname": "/x/../\u00e9", "search": "?a=\u00e9", "hash": "#x y",
}  # fmt: skip


def _whatwg() -> Calls:
    calls: Calls = {}
    for name, value in SETTERS.items():
        calls[f"whatwg.URL.{name} = "] = lambda name=name, value=value: _set(whatwg.URL(TEXT), name, value)
    for name in (*SETTERS, "origin", "search_params"):
        calls[f"whatwg.URL.{name}"] = lambda name=name: str(getattr(whatwg.URL(TEXT), name))
    for name in ("to_json", "__str__", "__repr__", "__copy__"):
        calls[f"whatwg.URL.{name}"] = lambda name=name: str(getattr(whatwg.URL(TEXT), name)())
    calls["whatwg.URL.href = (refused)"] = lambda: _set(whatwg.URL(TEXT), "href", BAD)
    calls["whatwg.URL.parse"] = lambda: (whatwg.URL.parse(BAD), str(whatwg.URL.parse("x", NORMAL)))
    calls["whatwg.URL.can_parse"] = lambda: (whatwg.URL.can_parse(BAD), whatwg.URL.can_parse("x", NORMAL))
    calls["whatwg.URL, copied"] = lambda: str(copy.deepcopy(whatwg.URL(TEXT)))
    calls["domains.to_ascii"] = lambda: urlsm.domains.to_ascii("\u00fcber.example", strict=True)
    calls["URLSearchParams.size"] = lambda: whatwg.URLSearchParams(PAIRS).size
    for name, given in {"append": ("x", "\u00e9"), "delete": ("q",), "set": ("q", "2"), "sort": ()}.items():
        calls[f"search_params.{name}"] = lambda name=name, given=given: _changed(name, given)
    for name, given in {"get": ("b",), "get_all": ("name",), "has": ("b",), "keys": (), "values": (), "items": (),
                        "__len__": (), "__str__": (), "__repr__": (), "__iter__": ()}.items():  # fmt: skip
        calls[f"URLSearchParams.{name}"] = lambda name=name, given=given: _whole(
            getattr(whatwg.URLSearchParams(PAIRS), name)(*given)
        )
    for name, init in {"text": "?a=b&\u00e9=%ff", "dict": {"a": "\u00e9"}, "nothing": None}.items():
        calls[f"URLSearchParams of {name}"] = lambda init=init: str(copy.copy(whatwg.URLSearchParams(init)))
    return calls


def _set(url: whatwg.URL, name: str, value: str) -> str:
    setattr(url, name, value)
    return url.href


def _changed(name: str, given: tuple) -> str:
    url = whatwg.URL(TEXT)
    getattr(url.search_params, name)(*given)
    return url.href


def _stdlib() -> Calls:
    pairs = [("a", "1 2"), ("b", "\u00e9"), ("c", ["1", b"\xff"])]
    arguments = {
        "urlsplit": [(TEXT,), (NORMAL,), (NORMAL.encode(),), ("\thttp://h/\n",), ("//[", "http")],
        "urlparse": [(TEXT,), ("http://h/a;b?c",), (b"x;y",)],
        "urlunsplit": [(("http", "h", "/p\u00e9", "q", "f"),), ((b"http", b"h", b"/p", b"", b""),)],
        "urlunparse": [(("http", "h", "/p", "x", "q", "f"),)],
        "urljoin": [(NORMAL, "../x?y"), (NORMAL, "\u00fc;x"), (b"http://h/a/", b"..//b")],
        "urldefrag": [(NORMAL,), (TEXT,), (b"x#y",)],
        "quote": [("a b/\u00e9",), (b"a b",), ("a b", "", "latin-1", "strict"), ("plain",)],
        "quote_plus": [("a b/\u00e9",), (b"a b",)], "quote_from_bytes": [(b"a b\xff",)],
        "unquote": [("a%20b%C3%A9",), ("\u00e9%ff",), (b"%41",), ("%e9", "latin-1")],
        "unquote_plus": [("a+b%20",)], "unquote_to_bytes": [("a%ff\u00e9",), (b"%41",)],
        "parse_qs": [("a=1&b=%C3%A9+x&a=%ff",), ("\u00e9=\u00e9",), (b"a=b",)],
        "parse_qsl": [("a=1&b=%C3%A9+x&a=%ff",), ("\u00e9=\u00e9",), (b"a=b",)],
        "urlencode": [(pairs,), (pairs, True), (["ab"],), (5,), ({"a": 1, "\u00e9": b"x"},)],
    }  # fmt: skip
    return {f"stdlib.{name}": call for name, call in _each(stdlib, arguments).items()}


def _handlers() -> Calls:
    vectors = json.loads((pathlib.Path(__file__).parents[1] / "schemes/vectors.json").read_text(encoding="utf-8"))
    calls: Calls = {}
    first = {made: scheme for scheme, made in reversed(BUILT_IN.items())}  # of each class, or function that makes some
    for scheme in first.values():
        good = [v["url"] for v in vectors if v["scheme"] == scheme and v["valid"] is True]
        bad = [v["url"] for v in vectors if v["scheme"] == scheme and v["valid"] is False]
        text = max(good, key=len, default=urlsm.handler(scheme).example)
        calls[f"{scheme}: parts"] = lambda text=text: urlsm.parts(text)
        calls[f"{scheme}: normalize"] = lambda text=text: urlsm.normalize(text)
        calls[f"{scheme}: equivalent"] = lambda text=text: urlsm.equivalent(text, text)
        for wrong in [text, *bad[:1]]:
            calls[f"{scheme}: validate({wrong!r})"] = lambda wrong=wrong: urlsm.validate(wrong)
        handler, parts = urlsm.handler(scheme), dict(urlsm.parts(text))
        calls[f"{scheme}: build"] = lambda scheme=scheme, handler=handler, parts=parts: handler.build(
            scheme=scheme, **parts
        )
    return calls


def _patterns() -> Calls:
    from urlsm.crawler import Robots
    from urlsm.patterns import PatternError, PatternSet

    lists = {
        "domains": ("example.com", "=a.example", "10.0.0.0/8"), "origins": ("https://*.example.com:8443",),
        "redirect-uri": ("https://example.com/cb",), "no-proxy": (".example.com:8080", "10.0.0.0/8"),
        "robots": ("Disallow: /a*b$", "Allow: /a"), "match-pattern": ("*://*.example.com/a/*",),
        "glob": ("https://{a,b}.example.com/**/[ab]*",), "urlpattern": ("https://:x.example.com/a/(b|c)*",),
        "csp": ("https://*.example.com/a/",), "surt": ("http://(com,example,)/",), "blocklist": (".example.com/a?b=c",),
        "adblock": ("||ads.example^$third-party,domain=a.example|b.*", "/banner-*/ad^", "@@||ok.example^"),
    }  # fmt: skip
    file = "User-agent: a\nUser-agent: b\nDisallow: /x*y\nAllow: /index.html\nCrawl-delay: 2\nDisalow /z\n"
    # URLs of each way: the lane's, the long way's, an ambiguous one, and none
    texts = ["https://a.example.com/a/b", TEXT, "https://example.com/a/..%2fb", "https://ads.example\\@b/", BAD]
    made: Calls = {}

    def refused(syntax: str) -> object:
        try:
            return PatternSet(["https://[x"], syntax)
        except PatternError as error:
            return str(error)

    for syntax, lines in lists.items():
        patterns = PatternSet(lines, syntax)
        made[f"PatternSet {syntax}"] = lambda lines=lines, syntax=syntax: PatternSet(lines, syntax)._facts()
        made[f"refused {syntax}"] = functools.partial(refused, syntax)
        made[f"filter {syntax}"] = functools.partial(patterns.filter, texts)
        made[f"match_many {syntax}"] = functools.partial(patterns.match_many, texts)
        made[f"all {syntax}"] = functools.partial(patterns.all, texts[0])
        made[f"explain {syntax}"] = functools.partial(patterns.explain, texts[0])
        if syntax == "adblock":
            asked = ("https://x.ads.example/banner-1/ad?", "https://a.example/", "script")
            made["match adblock"] = functools.partial(patterns.match, *asked)
            made["all of adblock"] = functools.partial(patterns.all, *asked)
    robots = Robots(file)
    made["Robots"] = lambda: (Robots(file).rules("b"), Robots(file).crawl_delay("a"))
    made["allows"] = lambda: [robots.allows(text, "a") for text in ("/xy", "https://h/\u00e9", "x")]
    made["allows, compiled"] = lambda: Robots(file).allows("/xy", "a")
    made["lint of Robots"] = robots.lint
    pattern = {"pathname": "/a/:b{/c}?", "hostname": "*.example.com"}
    asked_pattern = whatwg.URLPattern(pattern)
    made["URLPattern"] = lambda: whatwg.URLPattern(pattern).pathname
    made["URLPattern of a text"] = lambda: whatwg.URLPattern("https://*.example.com/:x(a|b)").hostname
    made["test"] = lambda: whatwg.URLPattern(pattern).test(texts[0])
    made["exec"] = lambda: str(asked_pattern.exec(texts[0]))
    return made


AREAS: dict[str, Callable[[], Calls]] = {
    "functions": _functions, "values": _values, "whatwg": _whatwg, "stdlib": _stdlib, "handlers": _handlers,
    "patterns": _patterns,
}  # fmt: skip


def told(value: object) -> object:
    """Return a value that is equal for equal results only."""
    if type(value) is urlsm.URL:
        return value.href, offsets_of(value)
    if isinstance(value, Parts):
        return type(value).__name__, [(name, told(value[name])) for name in value.keys()]  # noqa: SIM118
    if isinstance(value, (list, tuple)):
        return type(value).__name__, [told(item) for item in value]
    if isinstance(value, BaseException):
        return type(value).__name__, str(value)
    return type(value).__name__, repr(value)
