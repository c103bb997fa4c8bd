"""Queries that methods write: spaces and "+", fields without "=", texts, and other libraries' multi-maps.

The sources of rows are reports of 2024 to 2026.
"""

from __future__ import annotations

import copy
import pickle
from collections import OrderedDict, UserDict, defaultdict
from collections.abc import Iterator
from email.message import Message
from types import MappingProxyType
from typing import Any

import pytest

from urlsm import URL, ParseError, QueryParams, SchemeError, crawler, parse, register, unregister
from urlsm.cli.app import main
from urlsm.meaning.registry import handler as handler_of
from urlsm.meaning.registry import known
from urlsm.schemes import Field, Parameters, Scheme

TEXT = "a b+c"
CODES = [" ", "+", "%20", "%2B", "a b", "a+b", " +%20%2B", TEXT]
FORMS = ("http", "https", "ws", "wss")


def of_scheme(name: str) -> URL:
    """A URL of this scheme: its handler's example, if the parser takes that."""
    for text in (handler_of(name).example, f"{name}://h/p", f"{name}:x"):
        try:
            url = parse(text)
            return url if url.scheme == name else url.replace(scheme=name)
        except (ParseError, ValueError):
            pass
    raise AssertionError(name)


def fields_of(name: str) -> list[str]:
    """Field names of a scheme: those of its example, those that its table knows, and one that nobody knows."""
    handler = handler_of(name)
    given = [field.partition("=")[0] for field in (of_scheme(name).query or "").split("&")]
    table = handler.query_fields
    known = [] if table is None else [*table.known]
    return [*dict.fromkeys([field for field in given if field.isalnum()] + known + ["zz"])]


def leaves(value: object) -> Iterator[str]:
    """Every text in the parts of a URL."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from leaves(item)


# "blob" and its kin have no query, "jdbc" hands its on to another grammar; no URL has a "_" in its scheme
SCHEMES = [name for name in known() if handler_of(name).query != "forbidden" and "_" not in name]
FIELDS = [(name, field) for name in SCHEMES for field in fields_of(name)]


@pytest.mark.parametrize(("scheme", "field"), FIELDS)
def test_what_is_written_is_read(scheme: str, field: str):
    """By query_params, and by the handler's parts. All methods write the same."""
    url = of_scheme(scheme)
    made = url.update_query({field: TEXT})
    assert made.query_params.get_all(field) == (TEXT,)
    assert crawler.set_query_params(url.href, {field: TEXT}) == made.href
    for given in CODES:
        assert url.with_query({field: given}).query_params[field] == given
        assert url.extend_query([(field, given)]).query_params.get_all(field)[-1] == given
    try:
        read = [*leaves(tuple(dict(made.parts).values()))]
    except SchemeError:
        return
    misread = {text for text in ("a+b+c", "a b c", "a+b c") if any(leaf.endswith(text) for leaf in read)}
    assert not misread or url.handler.query_fields is None, (made.href, read)


@pytest.mark.parametrize(("scheme", "field"), FIELDS)
def test_a_plus_is_read_alike(scheme: str, field: str):
    """By query_params, by the handler, and by what the handler says of its fields."""
    url = of_scheme(scheme).with_query(f"{field}=a+b")
    read = url.query_params[field]
    table = url.handler.query_fields
    assert (read == "a b") == (table is None or table.spaces is True or (table.spaces and field in table.spaces))
    try:
        values = {leaf for leaf in leaves(tuple(dict(url.parts).values())) if leaf in ("a b", "a+b")}
    except SchemeError:
        return
    assert values <= {read}, "the handler reads by another rule: declare it in query_fields"


@pytest.mark.parametrize("scheme", [*SCHEMES, "unknown", "git+unknown"])
def test_how_a_space_is_written(scheme: str):
    url = of_scheme(scheme)
    table = url.handler.query_fields
    plus = scheme in FORMS or (table is not None and table.spaces is True)
    assert url.with_query({"zz": TEXT}).query == ("zz=a+b%2Bc" if plus else "zz=a%20b%2Bc")
    assert url.with_query({"a b": "1"}).query == ("a+b=1" if scheme in FORMS else "a%20b=1")
    for made in (
        url.with_query({"a b": TEXT}, space="%20"),
        url.with_query(None).update_query({"a b": TEXT}, space="%20"),
        url.with_query(None).extend_query([("a b", TEXT)], space="%20"),
    ):
        assert made.query == "a%20b=a%20b%2Bc"


def test_signers_write_only_unreserved_characters_as_they_are():
    """RFC 5849 section 3.6, and "UriEncode" of AWS Signature Version 4."""
    octets = "".join(map(chr, range(128)))
    kept = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    wanted = "".join([c if c in kept else f"%{ord(c):02X}" for c in octets])
    assert parse("https://h/").with_query({"a": octets}, space="%20").query == f"a={wanted}"
    assert parse("https://h/").update_query(b="~*", space="%20").query == "b=~%2A"
    assert URL.build(scheme="https", host="h", path="/", query={"a": " "}, space="%20").query == "a=%20"
    assert crawler.set_query_params("https://h/", {"a": " "}, space="%20") == "https://h/?a=%20"


@pytest.mark.parametrize("space", ["+", "", " ", "x" * 99, b"%20", 1])
def test_no_other_space(space):
    url = parse("http://h/")
    for call in (
        lambda: url.with_query({"a": " "}, space=space),
        lambda: url.update_query({"a": " "}, space=space),
        lambda: url.extend_query(a=" ", space=space),
        lambda: crawler.set_query_params("http://h/", {"a": " "}, space=space),
        lambda: URL.build(scheme="http", host="h", query={"a": " "}, space=space),
    ):
        with pytest.raises(ValueError, match=r"%20.*in a mapping"):
            call()
    assert url.update_query({"space": "wide"}).query == "space=wide"


BITCOIN = "bitcoin:175tWpb8K1S7NmH4Zx6rewF9WQrcZv245W"
ROWS: list[tuple[str, Any, object]] = [
    # RFC 6068 section 5; vutuv#2006, openstreetmap-website#5587, AAO-React-Native#7966
    (
        "mailto",
        lambda: parse("mailto:a@b.example").with_query({"subject": "two words"}).parts.headers,
        (("subject", "two words"),),
    ),
    (
        "mailto, build",
        lambda: URL.build(scheme="mailto", path="a@b.example", query={"subject": "two words"}).href,
        "mailto:a@b.example?subject=two%20words",
    ),
    (
        "mailto, as text",
        lambda: crawler.set_query_params("mailto:a@b.example?x=1", {"subject": "two words"}),
        "mailto:a@b.example?x=1&subject=two%20words",
    ),
    # keycloak#52296, oslo-project/otp#8, otp-java#89
    (
        "otpauth",
        lambda: parse("otpauth://totp/Two%20Words:a?secret=JBSW").update_query(issuer="Two Words").parts.issuer,
        "Two Words",
    ),
    ("bitcoin, label", lambda: parse(BITCOIN).update_query({"label": "a b"}).href, f"{BITCOIN}?label=a%20b"),
    ("bitcoin, message", lambda: parse(BITCOIN).update_query({"message": "a b"}).href, f"{BITCOIN}?message=a%20b"),
    (
        "payto",
        lambda: parse("payto://iban/DE75512108001245126199?amount=EUR:200.0").update_query(message="a b").query,
        "amount=EUR:200.0&message=a%20b",
    ),
    ("magnet", lambda: parse("magnet:?dn=a").update_query({"xt": "a b", "dn": "a b"}).href, "magnet:?dn=a+b&xt=a%20b"),
    ("redis", lambda: parse("redis://localhost/0").update_query(foo="a b").href, "redis://localhost/0?foo=a%20b"),
    ("turn", lambda: parse("turn:turn.example.org").update_query(transport="a b").query, "transport=a%20b"),
    ("pkcs11", lambda: parse("pkcs11:token=t").update_query({"module-name": "a b"}).query, "module-name=a%20b"),
    ("ni", lambda: parse("ni://example.com/sha-256-32;f4OxZQ").update_query(ct="a b").query, "ct=a%20b"),
    # texts; yarl keeps "&b"
    ("no equals sign", lambda: parse("http://h/").extend_query("b=1&flag").query, "b=1&flag"),
    ("escapes as they are", lambda: parse("http://h/").extend_query("sig=%2b%2F").query, "sig=%2b%2F"),
    ("tilde", lambda: parse("http://h/").extend_query("t=~a").query, "t=~a"),
    ("%20 stays", lambda: parse("http://h/").extend_query("x=a%20b").query, "x=a%20b"),
    ("flag", lambda: parse("http://h/?a=1").extend_query("flag").query, "a=1&flag"),
    ("None", lambda: parse("http://h/?a=1").update_query({"flag": None}).query, "a=1&flag"),
    # one step beside
    ("text, updated", lambda: parse("http://h/?a=1&b=2").update_query("a=%2b&c").query, "a=%2b&b=2&c"),
    ("text, and names", lambda: parse("http://h/").extend_query("a=~", b="~ ").query, "a=~&b=%7E+"),
    ("text, not legal", lambda: parse("http://h/").extend_query("a=b c#é'\"").query, "a=b%20c%23%C3%A9%27%22"),
    ("text, not special", lambda: parse("x://h/").extend_query("a=b c'").query, "a=b%20c'"),
    ("text, stray %", lambda: parse("http://h/").extend_query("a=100%&b=%zz").query, "a=100%&b=%zz"),
    ("text, empty fields", lambda: parse("http://h/?x").extend_query("&&a&").query, "x&&&a&"),
    ("text, empty fields, updated", lambda: parse("http://h/?x").update_query("&&a&").query, "x&a"),
    ("text, empty", lambda: parse("http://h/?x").extend_query("").query, "x"),
    ("text of octets", lambda: parse("http://h/").extend_query("a=\udcff").query, "a=%FF"),
    ("None in a list", lambda: parse("http://h/").with_query({"a": [None, "1", None]}).query, "a&a=1&a"),
    ("None in pairs", lambda: parse("http://h/").extend_query([("a", None), ("b", "")]).query, "a&b="),
    ("None, build", lambda: URL.build(scheme="http", host="h", path="/", query={"a": None}).query, "a"),
    ("None, as text", lambda: crawler.set_query_params("x?a=1", {"a": None}), "x?a"),
    ("None as keyword", lambda: parse("http://h/?a=1").update_query(a=None).query, "a"),
    (
        "field query",
        lambda: parse("http://h/?a=1").update_query(query="x", url="y", self="z").query,
        "a=1&query=x&url=y&self=z",
    ),
    ("field query, appended", lambda: parse("http://h/").extend_query(query="x", url="y").query, "query=x&url=y"),
    ("scheme in capitals", lambda: crawler.set_query_params("MAILTO:a@b", {"a": " "}), "MAILTO:a@b?a=%20"),
    ("blanks before", lambda: crawler.set_query_params(" \tmailto:a@b", {"a": " "}), " \tmailto:a@b?a=%20"),
    ("a reference", lambda: crawler.set_query_params("/a:b?c", {"a": " "}), "/a:b?c&a=+"),
    ("port, no scheme", lambda: crawler.set_query_params("//h:80/", {"a": " "}), "//h:80/?a=+"),
    ("bytes", lambda: crawler.set_query_params(b"mailto:a@b", {"a": " +"}), "mailto:a@b?a=%20%2B"),
    ("a name with plus", lambda: parse("mailto:a@b?a+b=1&c=2").without_query_params("a+b").query, "c=2"),
    ("a name with plus, http", lambda: parse("http://h/?a+b=1&c=2").without_query_params("a b").query, "c=2"),
    ("a name with plus, update", lambda: parse("mailto:a@b?a+b=1").update_query({"a+b": "2"}).query, "a%2Bb=2"),
    ("names as text", lambda: crawler.without_query_params("mailto:a@b?a+b=1&c", ["a b"]), "mailto:a@b?a+b=1&c"),
    ("only names", lambda: crawler.only_query_params("otpauth://totp/a?a+b=1&c", ["a+b"]), "otpauth://totp/a?a+b=1"),
    ("ftp", lambda: parse("ftp://h/").with_query({"a": " +"}).query, "a=%20%2B"),
    ("unknown, read", lambda: parse("zz://h/?a=b+c").query_params["a"], "b c"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "wanted"), [pytest.param(*row[1:], id=row[0]) for row in ROWS])
def test_a_row(call, wanted):
    assert call() == wanted


def test_a_handler_of_ones_own_says_where_a_plus_is_a_space():
    class Shout(Scheme):
        names = ("shout-here",)
        parameters = Parameters(Field("say", plus=True), fold=True)

    register(Shout)
    try:
        url = parse("shout-here://h/?say=a+b&SAY=a+b&x=a+b&a+b=1")
        assert url.query_params.items() == (("say", "a b"), ("SAY", "a b"), ("x", "a+b"), ("a+b", "1"))
        assert url.with_query({"Say": TEXT, "x": TEXT}).query == "Say=a+b%2Bc&x=a%20b%2Bc"
    finally:
        unregister("shout-here")
    assert parse("shout-here://h/?x=a+b").query_params["x"] == "a b"


# --- the shell and columns ---


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(list(arguments)) == 0
    return capsys.readouterr().out.rstrip("\n")


@pytest.mark.parametrize(
    "url", ["mailto:a@b?subject=a+b&a+b=1", "http://h/?subject=a+b&a+b=1", "zz:x?subject=a+b&a+b=1"]
)
def test_the_shell_reads_and_writes_alike(url: str, capsys: pytest.CaptureFixture[str]):
    for name, value in parse(url).query_params.items():
        assert printed(capsys, "parse", url, "--get", f"{{query:{name}}}") == value
    made = parse(url).extend_query({"x": TEXT})
    assert printed(capsys, "parse", url, "--append", f"query=x={TEXT}", "--get", "{url}") == made.href
    made = parse(url).extend_query({"x": None})
    assert printed(capsys, "parse", url, "--append", "query=x", "--get", "{url}") == made.href
    made = parse(url).update_query({"subject": TEXT})
    assert printed(capsys, "parse", url, "--replace", f"subject={TEXT}", "--get", "{url}") == made.href


def test_columns_read_alike():
    pa = pytest.importorskip("pyarrow")
    import urlsm.columns as uc

    texts = [of_scheme(scheme).with_query(f"x&{field}=a+b&a+b=1").href for scheme, field in FIELDS]
    for name in dict.fromkeys(["a+b", "a b", *[field for _, field in FIELDS]]):
        wanted = [parse(text).query_params.get(name) for text in texts]
        assert pa.array(uc.query_param(pa.array(texts), name)).to_pylist() == wanted


# --- multi-maps ---


class Hiding(dict[str, Any]):
    """Stores lists, shows the last value, and has no method that returns all."""

    def items(self) -> Any:
        return [(name, values[-1]) for name, values in dict.items(self)]


class Short(UserDict[str, str]):
    def __len__(self) -> int:
        return 3


PAIRS = [("a", "1"), ("b", "x"), ("a", "2")]


def multi_maps() -> dict[str, Any]:
    """A maker of a multi-map of each library that is installed."""
    from importlib import import_module

    def of_sanic(pairs):
        made: dict[str, list[str]] = {}
        for name, value in pairs:
            made.setdefault(name, []).append(value)
        return import_module("sanic.request").RequestParameters(made)

    def of_django(pairs):
        from urllib.parse import urlencode

        settings = import_module("django.conf").settings
        if not settings.configured:
            settings.configure()
        return import_module("django.http").QueryDict(urlencode(pairs))

    def of_compat_django(pairs):
        of_django([])  # sets Django up
        return import_module("urlsm.compat.django").query_dict(_text(pairs))

    def of_message(pairs):
        made = Message()
        for name, value in pairs:
            made[name] = value
        return made

    def of_furl(pairs):
        made = import_module("furl").furl("http://h/")
        for name, value in pairs:
            made.add(args={name: value})
        return made.args

    makers = {
        "httpx.QueryParams": lambda pairs: import_module("httpx").QueryParams(pairs),
        "starlette.QueryParams": lambda pairs: import_module("starlette.datastructures").QueryParams(pairs),
        "starlette.MultiDict": lambda pairs: import_module("starlette.datastructures").MultiDict(pairs),
        "werkzeug.MultiDict": lambda pairs: import_module("werkzeug.datastructures").MultiDict(pairs),
        "werkzeug.ImmutableMultiDict": lambda pairs: import_module("werkzeug.datastructures").ImmutableMultiDict(pairs),
        "werkzeug.CombinedMultiDict": lambda pairs: import_module("werkzeug.datastructures").CombinedMultiDict(
            [import_module("werkzeug.datastructures").MultiDict(pairs)]
        ),
        "django.QueryDict": of_django,
        "urlsm.compat.starlette": lambda pairs: import_module("urlsm.compat.starlette").query_params(_text(pairs)),
        "urlsm.compat.werkzeug": lambda pairs: import_module("urlsm.compat.werkzeug").args(_text(pairs)),
        "urlsm.compat.django": of_compat_django,
        "multidict.MultiDict": lambda pairs: import_module("multidict").MultiDict(pairs),
        "yarl.URL.query": lambda pairs: import_module("yarl").URL(f"http://h/?{_text(pairs)}").query,
        "webob.MultiDict": lambda pairs: import_module("webob.multidict").MultiDict(pairs),
        "bottle.MultiDict": lambda pairs: _appended(import_module("bottle").MultiDict(), pairs),
        "furl.args": of_furl,
        "sanic.RequestParameters": of_sanic,
        "email.message.Message": of_message,
        "urlsm.QueryParams": QueryParams,
    }  # fmt: skip
    return makers


def _text(pairs: list[tuple[str, str]]) -> str:
    return "&".join([f"{name}={value}" for name, value in pairs])


def _appended(made: Any, pairs: list[tuple[str, str]]) -> Any:
    for name, value in pairs:
        made.append(name, value)
    return made


TAKERS = {
    "with_query": lambda given: parse("http://h/").with_query(given).query,
    "extend_query": lambda given: parse("http://h/").extend_query(given).query,
    "update_query": lambda given: parse("http://h/?a=0&a=9").update_query(given).query,
    "build": lambda given: URL.build(scheme="http", host="h", path="/", query=given).query,
    "set_query_params": lambda given: crawler.set_query_params("http://h/", given).partition("?")[2],
    "QueryParams": lambda given: str(QueryParams(given)),
    "URLSearchParams": lambda given: str(__import__("urlsm.whatwg").whatwg.URLSearchParams(given)),
}


@pytest.mark.parametrize("taker", TAKERS)
@pytest.mark.parametrize("library", multi_maps())
def test_every_value_of_a_multi_map_counts(library: str, taker: str):
    """fastapi-proxy-lib#56, opencve#763, starlette#1738, aiperf#1394"""
    try:
        given = multi_maps()[library](PAIRS)
    except (ImportError, AttributeError) as error:
        pytest.skip(str(error))
    fields = TAKERS[taker](given).split("&")
    assert sorted(fields) == ["a=1", "a=2", "b=x"]
    assert fields.index("a=1") < fields.index("a=2")


class Asked:
    """A mapping with one method that returns all values."""

    def __init__(self, method: str, answer: Any) -> None:
        setattr(self, method, answer)

    def keys(self) -> list[str]:
        return ["a", "b"]

    def __len__(self) -> int:
        return 2

    def items(self) -> list[tuple[str, str]]:
        return [("a", "2"), ("b", "x")]


@pytest.mark.parametrize(
    ("method", "answer"),
    [
        ("multi_items", lambda: iter(PAIRS)),
        ("allitems", lambda: PAIRS),
        ("items", lambda multi=False: PAIRS if multi else [("a", "2")]),
        ("lists", lambda: iter([("a", ["1", "2"]), ("b", ["x"])])),
        ("dict_of_lists", lambda: {"a": ["1", "2"], "b": ["x"]}),
        ("getlist", lambda name: [value for key, value in PAIRS if key == name]),
        ("getall", lambda name: [value for key, value in PAIRS if key == name]),
        ("get_all", lambda name: tuple([value for key, value in PAIRS if key == name])),
    ],
)
@pytest.mark.parametrize("taker", ["with_query", "update_query", "build", "set_query_params"])
def test_each_method_is_asked(taker: str, method: str, answer: Any):
    assert sorted(TAKERS[taker](Asked(method, answer)).split("&")) == ["a=1", "a=2", "b=x"]


@pytest.mark.parametrize("taker", TAKERS)
@pytest.mark.parametrize("given", [Hiding(a=["1", "2"], b=["x"]), Short(a="2", b="x")], ids=["stored", "counted"])
def test_a_mapping_that_hides_values_is_refused(given: object, taker: str):
    with pytest.raises(TypeError, match=r"^(Hiding|Short) returns only one value for each name"):
        TAKERS[taker](given)


@pytest.mark.parametrize(
    "given",
    [OrderedDict(a="1", b="x"), defaultdict(str, a="1", b="x"), UserDict(a="1", b="x"), Hiding(a=["1"], b=["x"]),
     MappingProxyType({"a": "1", "b": "x"})],
    ids=lambda given: type(given).__name__,
)  # fmt: skip
@pytest.mark.parametrize("taker", TAKERS)
def test_a_mapping_with_one_value_of_each_name_is_taken(given: object, taker: str):
    assert sorted(TAKERS[taker](given).split("&")) == ["a=1", "b=x"]


# --- errors ---


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"a": True}, r"^query\['a'\] must be str, int or float, not bool: write 'true'"),
        ({"a": b"s3cret"}, r"^query\['a'\] .*, not bytes$"),
        ({"a": ["x", {}]}, r"^query\['a'\] .*, not dict$"),
        ({"p\x1b[0m": object()}, r"^query\['p\\x1b\[0m'\] .*, not object$"),
        ({"a" * 999: set()}, "not set$"),
        ([("a", b"b")], r"^query\['a'\] .*, not bytes$"),
        ({1: "a"}, "query names must be str, not int$"),
        ([(None, "a")], "query names must be str, not NoneType$"),
        (b"a=b", "query must be str, a mapping or pairs, not bytes$"),
        (bytearray(b"a=b"), "query must be str, a mapping or pairs, not bytearray$"),
        (7, "^(query must be str, a mapping or pairs|params must be a mapping, .*), not int$"),
        (["ab", "cd"], "each item of query must be a pair \\(name, value\\), not str"),
        ([("a", "1"), 7], "each item of query must be a pair \\(name, value\\), not int"),
    ],
)  # fmt: skip
def test_an_error_names_field_and_type(given: Any, said: str):
    url = parse("http://h/")
    takers = (url.with_query, url.extend_query, url.update_query, lambda q: URL.build(scheme="x", host="h", query=q))
    for take in (*takers, lambda q: crawler.set_query_params("x", q)):
        with pytest.raises(TypeError, match=said) as caught:
            take(given)
        assert len(str(caught.value)) < 300 and "s3cret" not in str(caught.value)


def test_long_texts_take_linear_time():
    field = "&".join([f"a{k}=%2b" for k in range(60_000)])
    assert parse("http://h/").extend_query(field).query == field
    assert parse(f"http://h/?{field}").update_query(field).query == field


# --- names whose case does not matter -------------------------------------------------------------

FOLDING = [name for name in sorted(known()) if getattr(handler_of(name).query_fields, "fold", False)]


@pytest.mark.parametrize("scheme", FOLDING)
def test_a_field_is_found_in_every_case_where_the_scheme_folds_names(scheme):
    url = parse(f"{scheme}:x?Ab=1&%41B=2&c=3")
    assert url.update_query(aB="4 +").query == "aB=4%20%2B&c=3"
    assert url.update_query("AB=4").query == "AB=4&c=3"
    assert url.update_query({f"ab{number}": "" for number in range(20)} | {"ab": "4"}).query.startswith("ab=4&c=3&")
    assert url.without_query_params("ab").query == url.without_query_params("A*").query == "c=3"
    assert crawler.only_query_params(url, ["AB"]) == f"{scheme}:x?Ab=1&%41B=2"
    assert crawler.set_query_params(url, {"AB": "4"}) == f"{scheme}:x?AB=4&c=3"


@pytest.mark.parametrize("scheme", FOLDING)
def test_and_is_read_in_every_case(scheme):
    url = parse(f"{scheme}:x?c=3&Ab=1&%41B=2")
    params = url.query_params
    for same in (
        params,
        pickle.loads(pickle.dumps(params)),
        copy.copy(params),
        parse(url.href + "&x" * 99).query_params,
    ):
        assert same["aB"] == same.get("ab") == "1" and same.get_all("AB") == ("1", "2") and "ab" in same
        assert same.get("a") is None and same.get_all("abc") == () and 5 not in same
    assert params.items() == (("c", "3"), ("Ab", "1"), ("AB", "2"))  # as written
    assert params == QueryParams(params.items()) and "ab" not in QueryParams(params.items())


def test_columns_read_names_in_every_case_too():
    pa = pytest.importorskip("pyarrow")
    import urlsm.columns as uc

    schemes = [*FOLDING, "magnet", "unknown", "http", "file"]
    texts = [f"{scheme}:{'//h/' * (scheme == 'http')}?{query}" for scheme in schemes
             for query in ("c=3&Ab=1&ab=2", "%41b=1&b=2", "ABC=1&AB=%41+", "ab=&AB=1", "&=1&=2&\u00c4=1")]  # fmt: skip
    for name in ("ab", "AB", "aBC", "", "c", "\u00c4", "\u00e4"):
        wanted = [parse(text).query_params.get(name) for text in texts]
        assert pa.array(uc.query_param(pa.array(texts), name)).to_pylist() == wanted, name


def test_elsewhere_the_case_of_a_name_counts():
    assert "mailto" in FOLDING
    assert parse("http://h/?A=1").query_params.get("a") is None
    assert parse("magnet:?XT=1").query_params.get("xt") is None
    assert parse("http://h/?A=1").update_query(a="2").query == "A=1&a=2"
    assert parse("magnet:?XT=1").without_query_params("xt").query == "XT=1"


def test_an_item_that_is_no_pair_is_named():
    for wrong in [("a",)], [("a", "b", "c")]:
        with pytest.raises(ValueError, match=r"pair \(name, value\), not"):
            parse("http://h/").with_query(wrong)


def test_a_method_that_is_named_as_a_multi_maps_and_returns_nothing_hides_nothing():
    listing = type("Listing", (dict,), {"lists": lambda self: iter(())})
    assert parse("http://h/").with_query(listing(a="1")).query == "a=1"
