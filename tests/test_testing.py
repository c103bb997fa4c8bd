"""urlsm.testing: the built-in handlers keep the contract, and the errors name what is wrong with broken ones."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import urlsm
from urlsm import Components, Violation, testing
from urlsm.schemes import PCHAR, Field, Parameters, Parts, Scheme, decode
from urlsm.schemes.built_in import BUILT_IN
from urlsm.testing import check_handler, hostile_urls, hosts, queries, urls

few = settings(max_examples=max(settings.default.max_examples // 20, 5))


# one of each class on every interpreter; those that share it, or are rows of a table, on one
FIRST = {place: name for name, place in reversed(BUILT_IN.items())}.values()
EACH = [
    pytest.param(name, marks=() if name in FIRST else pytest.mark.once) for name in sorted(BUILT_IN) if "_" not in name
]


@pytest.mark.parametrize("scheme", EACH)
def test_built_in_handlers_keep_the_contract(scheme, share, monkeypatch):
    monkeypatch.setattr(testing, "_HOSTILE", len(share(range(testing._HOSTILE))))
    check_handler(urlsm.handler(scheme), linear=False)  # tests/schemes time them


class BookParts(Parts):
    shelf: str
    title: str | None = None


class Book(Scheme):
    names = ("book",)
    title = "A book on a shelf"
    reference = "the rules of the house"
    example = "book://crime/The%20Moonstone"
    authority = host = "required"
    userinfo = port = query = "forbidden"
    empty_path_is_root = True
    unreserved = PCHAR
    parts_type = BookParts

    def read_parts(self, components: Components) -> Parts:
        return BookParts(components.host or "", decode((components.path or "")[1:]) or None)

    def violations(self, components: Components) -> Iterator[Violation]:
        yield from super().violations(components)
        start, end = components.span("path") or (0, 0)
        slash = components.text.find("/", start + 1, end)
        if slash >= 0:
            yield self.violation("path-not-allowed", "path", slash)

    def write_parts(self, parts: Any) -> str:
        return f"//{parts.shelf}" + ("" if parts.title is None else "/" + PCHAR.encode(parts.title))


VALID = ["book://crime", "book://crime/a%2Fb#page", "BOOK://crime/x"]
BROKEN = ["book:crime", ("book://crime?x", "query-not-allowed"), ("book:///x", "host-missing")]


def test_the_handler_of_the_docs_keeps_it():
    check_handler(Book, valid=VALID, broken=BROKEN)
    check_handler(Book(), valid=iter(VALID))


class NeverDone(Book):
    def normalize(self, components: Components) -> Components:
        return components.replace(path=(components.path or "") + "/x")


class Loses(Book):
    def normalize(self, components: Components) -> Components:
        return super().normalize(components).replace(path="/")

    def equivalent(self, a: Components, b: Components) -> bool:
        return a.path == b.path


class Raises(Book):
    def read_parts(self, components: Components) -> Parts:
        return BookParts(components.host or "", str(int(decode((components.path or "")[1:]) or 0)))

    example = "book://crime/12"


class NotParts(Book):
    def read_parts(self, components: Components) -> Parts:
        return {"shelf": components.host}  # type: ignore[return-value]


class Unescaped(Book):
    def write_parts(self, parts: Any) -> str:
        return f"//{parts.shelf}" + ("" if parts.title is None else "/" + parts.title)


class Encodes(Book):
    unreserved = Scheme.unreserved


class Swapped(Book):
    def write_parts(self, parts: Any) -> str:
        return f"//{parts.shelf}" + ("" if parts.title is None else "/" + PCHAR.encode(parts.title[:3]))


class Outside(Book):
    def violations(self, components: Components) -> Iterator[Violation]:
        yield from super().violations(components)
        if components.query is not None:
            yield self.violation("query-not-allowed", "query", 9999)


class Misnamed(Book):
    def violations(self, components: Components) -> Iterator[Violation]:
        yield from super().violations(components)
        if components.host == "poison":
            yield self.violation("host-invalid", "shelf", 0)


class Fatal(Book):
    def violations(self, components: Components) -> Iterator[Violation]:
        yield from super().violations(components)
        if components.host == "poison":
            yield self.violation("host-invalid", "host", 0, "fatal")


class UnknownCode(Book):
    def violations(self, components: Components) -> Iterator[Violation]:
        yield from super().violations(components)
        if components.host == "poison":
            yield self.violation("shelf-locked", "host", 0)


class Remembers(Book):
    def read_parts(self, components: Components) -> Parts:
        self.last = components.host
        return super().read_parts(components)


class Counts(Book):
    numbers = itertools.count()

    def read_parts(self, components: Components) -> Parts:
        return BookParts(components.host or "", str(next(self.numbers)))


class Quadratic(Book):
    def violations(self, components: Components) -> Iterator[Violation]:
        yield from super().violations(components)
        path = components.path or ""
        for k in range(0, len(path), 24):
            sorted(path[:k])


class NoExample(Book):
    title = "Another"
    example = Scheme.example


class WrongExample(Book):
    example = "book://crime?x"


class NotItsName(Book):
    example = "boook://crime"


class UpperCase(Book):
    names = ("Book",)


class Port(Book):
    default_port = 70000


@pytest.mark.parametrize(
    ("handler", "said"),
    [
        (NeverDone, r"NeverDone\.normalize\('book://crime/.*which it would change again.*must not change it"),
        (Loses, r"Loses\.equivalent says that 'book://crime/The%20Moonstone' is not equivalent to its own normal form"),
        (
            Raises,
            r"Raises\.read_parts raised ValueError \(invalid literal .* for 'book:.*It may raise only SchemeError",
        ),
        (NotParts, r"NotParts\.read_parts\('book://crime/The%20Moonstone'\) gives a dict, not a BookParts"),
        (
            Unescaped,
            r"Unescaped\.build, which calls write_parts, raised SchemeError \(.*\(character-not-allowed.*Moonstone",
        ),
        (Encodes, r"Encodes\.equivalent says that 'book://crime/The%20Moonstone%21' .* the trait unreserved"),
        (
            Swapped,
            r"Swapped\.build, which calls write_parts, raised ValueError \(this URL cannot contain the title as given",
        ),
        (Outside, r"Outside\.violations\('book:\?'\) gives query-not-allowed at 9999, outside of the text \(0 to 6\)"),
        (Misnamed, r"Misnamed\.violations\('book://poison/'\) gives host-invalid of an unknown component, 'shelf'"),
        (Fatal, r"Fatal\.violations\('book://poison/'\) gives host-invalid with the severity 'fatal'"),
        (UnknownCode, r"UnknownCode\.violations raised KeyError \('shelf-locked'\) for 'book://poison/'"),
        (Remembers, r"Remembers has changed while it was checked: \['last'\] has a new value"),
        (Counts, r"Counts\.read_parts\('book://crime/The%20Moonstone'\) gives BookParts\(.*\), and then BookParts"),
        (Quadratic, r"Quadratic\.violations took .* s for 4096 characters and .* s for 32768"),
        (NoExample, r"NoExample\.example is 'scheme://host/path\?query#fragment': every handler must have its own"),
        (WrongExample, r"WrongExample\.violations finds 'book://crime\?x' broken, which should be valid \(query"),
        (NotItsName, r"NotItsName\.example is 'boook://crime', but 'boook' is not one of its names: book"),
        (UpperCase, r"UpperCase: invalid scheme 'Book': use lower-case"),
        (Port, r"Port: default_port must be an int from 1 to 65535"),
    ],
)
def test_a_broken_handler_is_told_what_is_wrong(handler, said):
    with pytest.raises(AssertionError, match=said):
        check_handler(handler, broken=["book://poison/"] if "poison" in said else [])


def test_texts_that_are_not_as_promised_are_named():
    with pytest.raises(AssertionError, match=r"Book\.violations finds 'book:x' broken, .*authority-missing at 5"):
        check_handler(Book, valid=["book:x"])
    with pytest.raises(AssertionError, match=r"Book\.violations finds nothing wrong with 'book://a/b', which should"):
        check_handler(Book, broken=["book://a/b"])
    with pytest.raises(AssertionError, match=r"Book\.violations finds query-not-allowed in 'book://a\?', but not"):
        check_handler(Book, broken=[("book://a?", "path-missing")])
    with pytest.raises(TypeError, match=r"handler must be a urlsm\.schemes.Scheme, not type"):
        check_handler(int)


@pytest.mark.parametrize(
    ("name", "meant"),
    [("defalt_port", "default_port"), ("exmaple", "example"), ("normalise", "normalize"), ("part_type", "parts_type")],
)
def test_a_misspelt_name_is_refused_with_the_right_one(name, meant):
    with pytest.raises(TypeError, match=f"Shelf.{name} is not a trait or method of a handler. Did you mean {meant}\\?"):
        type("Shelf", (Scheme,), {name: None})
    type("Shelf", (Scheme,), {"shelves": 3, "_defalt_port": 5, "read_shelf": print})


@pytest.mark.parametrize("scheme", ["http", "mailto", "urn", "data", "ftp", "tel", "no-such"])
@few
@given(st.data())
def test_urls_are_valid(scheme, data):
    text = data.draw(urls(scheme))
    assert text.startswith(f"{scheme}:")
    assert [found for found in urlsm.validate(text) if found.severity == "error"] == []


@few
@given(hosts(), queries())
def test_hosts_and_queries_stand_in_a_url(host, query):
    url = urlsm.parse(f"http://{host}/?{query}")
    assert url.query == query.replace("'", "%27") and url.path == "/"
    assert [found.component for found in urlsm.validate(f"http://h/?{query}") if found.severity == "error"] == []


@few
@given(hostile_urls("mailto"))
def test_hostile_urls_fail_with_a_parse_error_only(text):
    with suppress(urlsm.ParseError):
        urlsm.parts(text)


# --- fields, inner URLs, secrets ---


class Lamp(Scheme):
    names = ("lamp",)
    title = "A lamp"
    reference = "the rules of the house"
    example = "lamp://hall/?level=5"
    authority = host = "required"
    parameters = Parameters(Field("level", "number", required=True, repeat="forbid"), Field("dim", "decimal"))


class Deaf(Lamp):
    def query_violations(self, components: Components) -> Iterator[Violation]:
        yield from ()


class Within(Lamp):
    def nested(self, components: Components) -> Any:
        return [components]


class Raising(Lamp):
    def nested(self, components: Components) -> Any:
        return {"hall": ()}[components.host or ""]


class PinParts(Parts):
    pin: str = ""

    def __repr__(self) -> str:
        return f"PinParts({self.pin})"


class Telling(Scheme):
    names = ("telling",)
    title = "What tells its PIN"
    reference = "the rules of the house"
    example = "telling:1234"
    hierarchical = False
    authority = query = fragment = "forbidden"
    secrets = ("pin",)
    parts_type = PinParts

    def read_parts(self, components: Components) -> Parts:
        return PinParts(decode(components.path or ""))

    def write_parts(self, parts: Any) -> str:
        return PCHAR.encode(parts.pin)


def test_a_table_of_parameters_is_asked():
    check_handler(Lamp, broken=[("lamp://hall/?dim=1", "parameter-missing")], linear=False)


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (Deaf, "Deaf.violations finds nothing wrong with 'lamp://hall/?level=5&level=1': the field level twice"),
        (Within, "Within.nested('lamp://hall/?level=5') gives [Components"),
        (Raising, "Raising.nested raised KeyError"),
        (Telling, "Telling: repr of the parts of 'telling:1234' shows the pin, which is secret"),
    ],
)
def test_what_fields_inner_urls_and_secrets_are_asked_for(broken, said):
    with pytest.raises(AssertionError) as caught:
        check_handler(broken, linear=False)
    assert said in str(caught.value)
