"""The public names, as a walk over the code finds them: each has one home, one subject, one word and one default for an
argument, and a docstring whose example runs."""

from __future__ import annotations

import ast
import collections
import importlib
import inspect
import pickle
import re
import types
from typing import Any

import pytest
from support.calls import ENVIRON, SCOPE
from support.public import MIRRORS, annotations_of, callables, is_record, members, names

import urlsm
from urlsm import crawler, guard, patterns

URL = "https://user@ex.com:8443/a/b?q=1#f"
CALLS = {name: thing for name, thing in callables() if not name.startswith(MIRRORS)}
KINDS = {f"{module}.{name}": thing for module, name, thing in names() if isinstance(thing, type)}


def parameters(name: str) -> list[inspect.Parameter]:
    try:
        found = inspect.signature(CALLS[name]).parameters.values()
    except (TypeError, ValueError):  # an exception, or a record of C, which tells no signature
        return []
    # a method of a URL that is loaded on first use is a function of that URL
    its_own = {"self", "cls", *(("url",) if name.startswith("urlsm.URL.") else ())}
    return [each for each in found if each.name not in its_own]


# --- names ---------------------------------------------------------------------------------------


def test_a_name_has_one_home():
    homes = collections.defaultdict(list)
    for module, name, thing in names():
        if callable(thing) or isinstance(thing, dict | tuple | frozenset | types.MappingProxyType):
            homes[id(thing)].append(f"{module}.{name}")
    assert [each for each in homes.values() if len(each) > 1] == []


@pytest.mark.parametrize("name", KINDS)
def test_a_class_tells_a_name_that_can_be_imported(name):
    kind = KINDS[name]
    assert getattr(importlib.import_module(kind.__module__), kind.__qualname__) is kind
    assert pickle.loads(pickle.dumps(kind)) is kind
    if not name.startswith(MIRRORS):
        assert f"{kind.__module__}.{kind.__qualname__}" == name


@pytest.mark.parametrize("name", ["urlsm", *urlsm._MODULES])
def test_dir_shows_public_names_only(name):
    module = urlsm if name == "urlsm" else importlib.import_module(f"urlsm.{name}")
    if name in ("engines", "stdlib"):  # a package of modules alone; a mirror, which has its peer's names
        return
    public = {*module.__all__, "annotations", "TYPE_CHECKING"}
    others = [each for each in dir(module) if not each.startswith("_") and each not in public]
    # a module whose library is absent cannot be loaded
    assert [each for each in others if not isinstance(vars(module).get(each, types), types.ModuleType)] == []


@pytest.mark.parametrize("name", ["dask", "duckdb", "pandas", "polars", "spark"])
def test_an_engine_lists_its_names(name):
    try:
        module = importlib.import_module(f"urlsm.engines.{name}")
    except ModuleNotFoundError as error:
        pytest.skip(str(error))
    assert module.__all__ == {"duckdb": ["install"], "spark": ["install", "parse", "with_columns"]}.get(name, [])


def test_each_name_of_dir_can_be_read_of_a_url():
    url = urlsm.parse(URL)
    for name in (each for each in dir(urlsm.URL) if not each.startswith("__get_pydantic_")):
        getattr(url, name)
        getattr(urlsm.URL, name)


# --- arguments -----------------------------------------------------------------------------------

# Two by position: the second is the question itself, or what the first is looked up by or read with.
QUESTIONS = {
    **{key: ["a", "b"] for key in ["urlsm.equivalent", "urlsm.domains.same_site"]},
    "urlsm.parts": ["url", "scheme"],
    "urlsm.QueryParams.get": ["name", "default"],  # as dict.get
    "urlsm.formats.check": ["text", "format"],
    "urlsm.domains.in_domains": ["url", "domains"],
    "urlsm.security.sent": ["url", "client"],
    "urlsm.security.safe_join": ["base", "ref"],  # as the functions of this name in Werkzeug and Django
    "urlsm.patterns.PatternSet": ["patterns", "syntax"],
    "urlsm.patterns.PatternSet.from_file": ["path", "syntax"],
    **{key: ["app", "hosts"] for key in ["urlsm.server.AsgiHosts", "urlsm.server.WsgiHosts"]},
    **{key: ["app", "paths"] for key in ["urlsm.server.AsgiPaths", "urlsm.server.WsgiPaths"]},
    **{key: ["target", "hop"] for key in ["urlsm.server.path_as", "urlsm.server.forwards"]},
    "urlsm.server.Paths": ["protected", "open"],
    "urlsm.crawler.Robots.allows": ["url", "agent"],
    "urlsm.crawler.Robots.for_status": ["status", "text"],
    "urlsm.crawler.has_extension": ["url", "extensions"],
    "urlsm.crawler.set_query_params": ["url", "params"],
    **{key: ["url", "names"] for key in ["urlsm.crawler.only_query_params", "urlsm.crawler.without_query_params"]},
    **{
        f"urlsm.crawler.{name}": ["url", "profile"]
        for name in ("canonicalize", "try_canonicalize", "fingerprint", "surt")
    },
    **{f"urlsm.crawler.{name}_many": ["urls", "profile"] for name in ("canonicalize", "fingerprint")},
    **{f"urlsm.columns.{name}": ["column", "profile"] for name in ("canonicalize", "fingerprint", "surt")},
    **{f"urlsm.columns.{name}": ["column", "fields"] for name in ("parse", "split")},
    **{f"urlsm.columns.{name}": ["column", "patterns"] for name in ("matches", "pattern_index")},
    "urlsm.columns.query_param": ["column", "name"],
    "urlsm.columns.parse_stream": ["reader", "fields"],
}
# The contract of handlers, whose methods handlers call; what only this library makes; what a framework calls.
INSIDE = re.compile(r"urlsm\.(schemes\.[A-Z]|columns\.Stream$|engines\.|compat\.(scrapy\.DupeFilter|django)\.)")


@pytest.mark.parametrize("name", CALLS)
def test_a_function_has_one_subject(name):
    if (
        INSIDE.match(name)
        or is_record(CALLS[name])
        or (isinstance(CALLS[name], type) and issubclass(CALLS[name], BaseException))
    ):
        return
    by_position = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    positional = [each.name for each in parameters(name) if each.kind in by_position]
    if len(positional) > 1:
        assert positional == QUESTIONS.get(name)


# Words with two defaults, and what the other one means.
TWO_DEFAULTS = {
    "allowed_hosts": "a redirect stays on its base; a repository may be anywhere, which None says",
    "dialect": "the root's functions parse as browsers do; those about a scheme's rules go by RFC 3986",
    "encoding": "None: that which the document declares, or bytes that are not UTF-8 as the profile says",
    "fields": "split has the authority as written, parse has the host",
    "kind": "a filter stores digests, which do not collide; a fingerprint is a number",
    "domains": "links adds them on request",
    "profile": "surt has its own",
    "query": "with_query tells None, which removes the query, from no argument",
    "require_all_addresses": "None: what the policy says",
    "schemes": "None: those that the crawler's profile reads",
    "strict": "to_ascii has the URL Standard's beStrict",
    "url": "an exception has a text",
}
# A profile's fields are rules; a Rule and a Syntax are made by plug-ins.
RECORDS = re.compile(
    r"urlsm\.(crawler\.Profile|patterns\.(Rule|Syntax)|compat\.pydantic\.|testing\.|Components$|documents\.PageLink)"
)


def test_equal_arguments_have_equal_defaults():
    defaults: dict[str, dict[str, list[str]]] = collections.defaultdict(lambda: collections.defaultdict(list))
    for name in CALLS:
        if INSIDE.match(name) or RECORDS.match(name):
            continue
        for parameter in parameters(name):
            if parameter.default is not parameter.empty:
                defaults[parameter.name][repr(parameter.default)].append(name)
    several = {word: dict(found) for word, found in defaults.items() if len(found) > 1}
    assert {word: found for word, found in several.items() if word not in TWO_DEFAULTS} == {}
    assert several.keys() >= TWO_DEFAULTS.keys(), "a word of TWO_DEFAULTS has one default now"


# Words that other functions call otherwise, or that have two meanings; with the word to use.
SAID_OTHERWISE = {
    "retrieved": "base or url", "query_encoding": "encoding", "charset": "encoding", "guess": "guess_scheme",
    "within": "nested", "private": "only_icann", "unknown": "accept_unknown", "suffixes": "suffix_list",
    "given": "url", "trusted": "trusted_proxies", "batch_rows": "batch_size", "sets": "patterns",
    "max_octets": "max_bytes", "redirects": "max_redirects", "sites": "domains", "parameters": "params",
    "c": "components",
}  # fmt: skip


def test_an_argument_has_the_word_of_its_like():
    words = {each.name: name for name in CALLS for each in parameters(name)}
    assert {words[word]: f"{word} -> {SAID_OTHERWISE[word]}" for word in words.keys() & SAID_OTHERWISE.keys()} == {}


# What a call needs beside the argument in question, and what a method is called of.
SAMPLES: dict[str, Any] = {
    "url": URL, "urls": [URL], "target": "/x", "base": URL, "refs": ["x"], "ref": "x", "host": "ex.com", "name": "a",
    "html": "<a href=x>", "params": {"a": "1"}, "scheme": "http", "method": "GET", "text": "http://h/", "app": print,
    "environ": ENVIRON, "scope": SCOPE, "rules": list, "column": None, "reader": None,
    "handler": urlsm.handler("http"), "a": URL, "b": "https://b.example/", "names": ["a"],
    "domains": ["a.example"], "extensions": [".a"],
    "agent": "a", "status": 200, "store": set(), "pairs": [("a", "1")], "query": "a=1", "entries": ["a.example"],
    "url_or_host": URL, "domain": "a.example", "patterns": patterns.PatternSet(["a.example"]), "library": "w3lib",
    "hosts": ["a.example"], "path": __file__, "profile": "urlsm-1", "policy": guard.Policy(), "address": "8.8.8.8",
    "checker": None,
}  # fmt: skip
OF = (
    *(urlsm.parse(URL), patterns.PatternSet(["a.example"]), crawler.Robots(""), crawler.profile("urlsm-1")),
    *(urlsm.split(URL), urlsm.QueryParams([]), crawler.DupeFilter(set()), guard.Policy(), urlsm.Template("{a}")),
)
CONTAINER = re.compile(r"^(Iterable|Collection|Sequence|Container|AbstractSet|Set|list|tuple)\[str\b")


def of_texts() -> list[tuple[str, str]]:
    """Return the arguments that take texts and no single one, as their annotations say."""
    found = []
    for name in CALLS:
        if INSIDE.match(name):
            continue
        for word, annotation in annotations_of(name).items():
            kinds = [ast.unparse(each) for each in union(annotation)]
            if any(map(CONTAINER.match, kinds)) and "str" not in kinds:
                found.append((name, word))
    return found


def union(annotation: ast.expr) -> list[ast.expr]:
    if isinstance(annotation, ast.BinOp):
        return [*union(annotation.left), *union(annotation.right)]
    return [annotation]


def bound(name: str) -> Any:
    """Return what to call: a method of an object in OF, or the function itself."""
    owner = KINDS.get(name.rpartition(".")[0])
    return next((getattr(thing, name.rpartition(".")[2]) for thing in OF if type(thing) is owner), CALLS[name])


def needed_by(name: str, word: str) -> dict[str, Any] | None:
    """Return the arguments that a call needs beside the one in question; None if SAMPLES lacks one."""
    needed = [
        each.name for each in parameters(name)
        if each.default is each.empty and each.name != word and each.kind not in (each.VAR_KEYWORD, each.VAR_POSITIONAL)
    ]  # fmt: skip
    return {each: SAMPLES[each] for each in needed} if SAMPLES.keys() >= {*needed} else None


class Odd:
    """An object that is nothing that an argument could be."""


# Arguments that take any object, or are read only beside another argument.
ANYTHING = {"urlsm.QueryParams.get default", "urlsm.documents.base_url encoding"}


def beside_the_subject() -> list[tuple[str, str]]:
    """Return the arguments that a message has to name: all but the first, flags (true or false of anything), objects of
    other libraries, and what needs a column of Arrow."""
    found = []
    for name in CALLS:
        thing = CALLS[name]
        if INSIDE.match(name) or name.startswith("urlsm.columns.") or name == "urlsm.Violation" or is_record(thing):
            continue
        if isinstance(thing, type) and issubclass(thing, BaseException):
            continue
        annotations = annotations_of(name)
        for k, each in enumerate(parameters(name)):
            kinds = [ast.unparse(kind) for kind in union(annotations[each.name])] if each.name in annotations else []
            if (
                each.kind not in (each.VAR_KEYWORD, each.VAR_POSITIONAL)
                and (k > 0 or each.kind is each.KEYWORD_ONLY)
                and not {"bool", "Any", "object"}.intersection(kinds)
                and each.name not in ("connector", "context", "header")
                and f"{name} {each.name}" not in ANYTHING
            ):
                found.append((name, each.name))
    return found


@pytest.mark.parametrize(("name", "word"), beside_the_subject())
def test_a_message_about_an_argument_names_it(name, word):
    needed = needed_by(name, word)
    assert needed is not None, "SAMPLES lacks an argument that is needed"
    needed |= {"query": {"a": "1"}} if name == "urlsm.URL.with_query" else {}
    needed |= {"scheme": "http", "host": "h", "query": {"a": "1"}} if name == "urlsm.URL.build" else {}
    given = needed | {word: Odd()}
    first = [
        given.pop(each.name) for each in parameters(name) if each.kind is each.POSITIONAL_ONLY and each.name in given
    ]
    with pytest.raises((TypeError, ValueError), match=word):
        bound(name)(*first, **given)


@pytest.mark.parametrize(("name", "word"), of_texts())
def test_a_container_of_texts_refuses_one_text(name, word):
    needed, function = needed_by(name, word), bound(name)
    for text in ("abc", b"abc"):
        with pytest.raises(TypeError, match=rf"^{word} must be .*, not {type(text).__name__}"):
            function(**needed | {word: text})


# --- docstrings ----------------------------------------------------------------------------------


def text_of(thing: Any) -> str:
    """Return a docstring without the signature that a compiled class begins with."""
    return re.sub(r"\A[^\n]*\n--\n\n", "", inspect.getdoc(thing) or "")


DOCUMENTED = CALLS | {
    f"{name}.{member}": thing
    for name, kind in KINDS.items()
    if not name.startswith(MIRRORS)
    for member, thing in members(kind)
}


@pytest.mark.parametrize("name", DOCUMENTED)
def test_a_docstring_begins_with_a_sentence(name):
    first = text_of(DOCUMENTED[name]).partition("\n\n")[0]
    assert re.match(r"[A-Z\"'`(][^\n]*(\n[^\n]+)?[.:]$", first), first


# House words that users do not know; CONTRIBUTING.md has those to use.
UNSAID = re.compile(r"\b(octets?|strangers?|judges?|judged|those of|that of|taken for|refused|wrapping)\b")


@pytest.mark.parametrize("name", DOCUMENTED)
def test_a_docstring_uses_the_words_of_its_readers(name):
    assert UNSAID.findall(text_of(DOCUMENTED[name])) == []
