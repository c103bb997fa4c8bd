"""Parts of a scheme that is asked for, the class in brackets, and parameters that become parts."""

from __future__ import annotations

import importlib
import pkgutil
from datetime import date
from decimal import Decimal
from enum import Enum

import pytest

import urlsm
from urlsm import SchemeError
from urlsm.components.parts import Parts
from urlsm.schemes import (
    Bucket,
    BucketParts,
    Field,
    HierarchicalParts,
    MailtoParts,
    Name,
    Parameters,
    Scheme,
    Section,
    ServerParts,
)
from urlsm.schemes.built_in import BUILT_IN
from urlsm.testing import check_handler

# --- urlsm.schemes ---


def test_every_class_of_parts_is_in_urlsm_schemes():
    for module in pkgutil.walk_packages(urlsm.schemes.__path__, "urlsm.schemes."):
        importlib.import_module(module.name)
    kinds, found = [Parts], set()
    while kinds:
        kind = kinds.pop()
        kinds += kind.__subclasses__()
        if kind.__module__ == "urlsm.schemes":
            found.add(kind)
            assert getattr(urlsm.schemes, kind.__name__) is kind and kind.__name__ in urlsm.schemes.__all__
    assert {urlsm.handler(name).parts_type for name in BUILT_IN} <= found


def test_the_stub_of_urlsm_schemes_has_its_names():
    stub = pkgutil.get_data("urlsm.schemes", "__init__.pyi").decode()
    lines = {f"from {home} import {name} as {name}" for name, home in urlsm.schemes._HOMES.items()}
    assert {line for line in stub.splitlines() if line.startswith("from")} == lines
    assert {*urlsm.schemes.__all__} == {*urlsm.schemes._HOMES, "known", "iana_registry"}


# --- parts of a scheme ---


@pytest.mark.parametrize(
    ("text", "scheme", "kind"),
    [
        ("mailto:a@b.c", "mailto", MailtoParts),
        ("MailTo:a@b.c", "mailto", MailtoParts),
        ("mailto:a@b.c", "MAILTO", MailtoParts),
        ("mailto:a@b.c", MailtoParts, MailtoParts),
        ("mailto:a@b.c", Parts, MailtoParts),
        ("s3a://bucket/k", "s3", BucketParts),  # one handler serves both
        ("postgresql+psycopg://h/d", "postgresql", urlsm.schemes.HostListParts),
        ("http://h/", ServerParts, HierarchicalParts),
        ("no-such:x", "no-such", HierarchicalParts),
    ],
)
def test_parts_of_the_scheme_asked_for(text, scheme, kind):
    found = urlsm.parts(text, scheme)
    assert isinstance(found, kind) and found == urlsm.parts(text) == urlsm.parts(text.encode(), scheme)
    if isinstance(scheme, str):
        assert urlsm.handler(scheme).parts(text) == found


@pytest.mark.parametrize(
    ("text", "scheme", "said"),
    [
        ("s3://bucket/k", "mailto", 'the scheme is "s3", not "mailto"'),
        ("s3://bucket/k", MailtoParts, 'the scheme is "s3", not one with MailtoParts'),
        ("s3://bucket/k", "gs", 'the scheme is "s3", not "gs"'),
        ("https://h/", "http", 'the scheme is "https", not "http"'),
        ("no-such:x", "another", 'the scheme is "no-such", not "another"'),
        ("http://h/", urlsm.schemes.FtpParts, "not one with FtpParts"),
    ],
)
def test_another_scheme_has_no_such_parts(text, scheme, said):
    for given in (text, text.encode(), urlsm.parse(text)):
        with pytest.raises(SchemeError) as caught:
            urlsm.parts(given, scheme)
        assert said in str(caught.value)
        assert (caught.value.code, caught.value.position) == ("scheme-not-expected", 0)
    if isinstance(scheme, str) and urlsm.handler(scheme).names:
        with pytest.raises(SchemeError, match="scheme-not-expected"):
            urlsm.handler(scheme).parts(text)


def test_the_scheme_is_a_name_or_a_class_of_parts():
    for wrong in (1, b"mailto", MailtoParts(()), str, Scheme):
        with pytest.raises(TypeError, match="scheme must be str or a Parts class, not"):
            urlsm.parts("mailto:a@b.c", wrong)
    with pytest.raises(SchemeError, match="missing-scheme"):
        urlsm.parts("a@b.c", "mailto")


def test_a_handler_reads_its_own_grammar_though_another_is_registered():
    class Other(Scheme):
        names = ("http",)
        path = "root"

    assert Other().parts("http://h/").host == "h"
    with pytest.raises(SchemeError, match="path-not-allowed"):
        Other().parts("http://h/a")
    assert urlsm.handler("ftp").parts("ftp://h/a;type=i", dialect="rfc1738").typecode == "i"
    assert urlsm.handler("no-such").parts("other:x").path == "x"
    with pytest.raises(ValueError, match="rfc3986"):
        Other().parts("http://h/", dialect="whatwg")


# --- the class in brackets ---


class Color(Enum):
    RED = "red"
    WARM = "warm"


class LampParts(Parts):
    host: str | None = None
    level: int = 5
    color: Color | None = None
    since: date | None = None
    lit: bool | None = None
    mode: str | None = None
    max_age: Decimal | None = None
    tags: tuple[str, ...] = ()
    token: bytes | None = None
    note: str | None = None


class Lamp(Scheme[LampParts]):
    names = ("lamp",)
    title = "A lamp"
    reference = "the rules of the house"
    example = "lamp://hall/?level=7&color=red&since=2026-11-26&lit=true&mode=on&max-age=1.5&tag=a&tag=b&note=a%20b"
    authority = host = "required"
    userinfo = port = "forbidden"
    path, fragment = "root", "ignored"
    equal_by_parts = True
    parameters = Parameters(
        Field("level", "number", repeat="forbid"),
        Field("color", Color, repeat="forbid", fold=True),
        Field("since", "date", repeat="forbid"),
        Field("lit", "bool", repeat="forbid"),
        Field("mode", repeat="forbid", choices=("on", "off")),
        Field("max-age", "decimal", repeat="forbid"),
        Field("tags", repeat="all"),
        Field("token", "bytes", repeat="forbid"),
        Field("note", repeat="forbid", plus=True),
        closed=True,
    )


TEXT = "lamp://hall?level=7&color=red&since=2026-11-26&lit=true&mode=on&max-age=1.5&tags=a&tags=b&token=%FF&note=a%20b"
READ = LampParts(
    "hall", 7, Color.RED, date(2026, 11, 26), True, "on", Decimal("1.5"), ("a", "b"), b"\xff", "a b"
)  # fmt: skip


def test_parameters_become_parts_and_parts_parameters():
    assert Lamp.parts_type is LampParts
    assert Lamp().parts(TEXT) == READ
    assert Lamp().build(**dict(READ)) == TEXT
    assert Lamp().parts("lamp://hall/?note=a+b&color=RED") == LampParts("hall", color=Color.RED, note="a b")
    assert Lamp().parts("lamp://hall") == LampParts("hall")
    assert Lamp().build(host="hall", lit=False) == "lamp://hall?lit=false"


@pytest.mark.parametrize(
    "query",
    ["color=blue", "since=2026-02-30", "since=20261126", "lit=True", "lit=1", "mode=On", "mode", "level=x", "x=1"],
)
def test_a_value_that_a_field_cannot_have_is_a_violation(query):
    text = f"lamp://hall/?{query}"
    read = Lamp().read_parts(urlsm.split(text, dialect="rfc3986"))
    assert read == LampParts("hall", level=5 if "level" not in query else None)
    if query != "mode":
        with pytest.raises(SchemeError, match=r"parameter-(value-invalid|unknown)"):
            Lamp().parts(text)


def test_a_handler_whose_parameters_are_parts_keeps_the_contract():
    Lamp.example = TEXT
    check_handler(
        Lamp,
        valid=["lamp://hall", "lamp://hall/?color=Red"],
        broken=[("lamp://hall?lit=1", "parameter-value-invalid")],
        linear=False,
    )


def test_a_default_and_a_writer_of_a_field():
    class HeatParts(Parts):
        host: str | None = None
        level: int | None = None
        on: bool | None = None
        query_params: urlsm.schemes.fields.QueryParams = ()

    class Heat(Scheme[HeatParts]):
        names = ("heat",)
        example = "heat://h"
        parameters = Parameters(
            Field("level", "number", default="5"),
            Field("on", {"1": True, "0": False}.__getitem__, write=lambda on: "1" if on else "0"),
        )

    heat = Heat()
    assert heat.parts("heat://h") == HeatParts("h", 5)
    assert heat.parts("heat://h?on=1&x") == HeatParts("h", 5, True, (("on", "1"), ("x", None)))
    assert heat.build(host="h", level=5, on=False) == "heat://h?on=0"
    assert heat.build(host="h", query_params=[("x", None)]) == "heat://h?x"


def test_a_part_from_nowhere_is_named():
    class OddParts(Parts):
        host: str | None = None
        odd: str | None = None

    class Odd(Scheme[OddParts]):
        names = ("odd",)

    with pytest.raises(TypeError, match=r"OddParts\.odd is neither .*: override Odd\.read_parts"):
        Odd().parts("odd://h")


def test_a_kind_is_a_word_or_a_function():
    with pytest.raises(ValueError, match=r"must be a function or one of text, number, .*, not 'octets'"):
        Parameters(Field("id", "octets"))


def test_bases_have_parts_of_their_own():
    class TwoParts(BucketParts):
        second: str = ""

    class Silo(Bucket):
        names = ("silo",)

    class Two(Bucket[TwoParts]):
        names = ("two",)

    class Shelf(Name[LampParts]):
        sections = (Section("host"),)

    assert Silo.parts_type is BucketParts and Silo().parts("silo://b/k") == BucketParts("b", "k")
    assert Two.parts_type is TwoParts and Shelf.parts_type is LampParts
    assert Scheme[LampParts]().names == () and Scheme.parts_type is HierarchicalParts


def test_check_handler_compares_the_class_in_brackets():
    class Other(Lamp):
        names = ("other",)
        example = "other://hall"
        parts_type = HierarchicalParts

    with pytest.raises(AssertionError, match=r"Other\.parts_type is HierarchicalParts, but .* LampParts: .*Scheme\["):
        check_handler(Other, linear=False)


def test_json_and_repr_of_such_parts():
    from urlsm.meaning.questions import plain

    assert plain(READ)["color"] == "red" and plain(READ)["since"] == "2026-11-26"
    assert repr(READ).startswith("LampParts(host='hall', level=7, color=<Color.RED: 'red'>, since=datetime.date(2026")
