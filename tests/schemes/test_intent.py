"""intent: where its fields end, and the types of its extras, by Android's Intent.parseUri."""

from __future__ import annotations

import pytest
from support.checks import noted

import urlsm


@pytest.mark.parametrize(
    ("fields", "package", "wanted"),
    [
        ("package=a.b;end", "a.b", []),
        ("package=a.b;end;", "a.b", []),  # reports-4, jobs.json 73; mozilla-mobile/fenix#15952
        ("end", None, []),
        ("end;", None, []),
        ("package=a.b;end;S.x=y", "a.b", [("intent-text-after-end", 27)]),
        ("package=a.b;endless=1;package=c.d;end", "a.b", [("intent-text-after-end", 27)]),
        ("package=a.b;;end", "a.b", [("intent-field-unknown", 27), ("parameter-value-missing", 27)]),
        (";end", None, [("intent-field-unknown", 15), ("parameter-value-missing", 15)]),
        ("package=a.b", "a.b", [("intent-end-missing", 26)]),
        ("package=a.bend", "a.bend", [("intent-end-missing", 29)]),
        ("package=a.b;END", "a.b", [("intent-end-missing", 30)]),
        ("", None, [("intent-end-missing", 15)]),
    ],
)
def test_where_the_fields_end(fields, package, wanted):
    text = f"intent:#Intent;{fields}"
    assert urlsm.parse(text).parts.package == package and noted(text) == wanted


@pytest.mark.parametrize(
    ("name", "written", "value"),
    [
        *(
            ("i", "5", 5),
            ("i", "+5", 5),
            ("i", "-05", -5),
            ("i", "2147483647", 2**31 - 1),
            ("i", "-2147483648", -(2**31)),
        ),
        *(
            ("b", "-128", -128),
            ("s", "32767", 32767),
            ("l", "-9223372036854775808", -(2**63)),
            ("i", "0" * 500 + "1", 1),
        ),
        *(("B", "true", True), ("B", "TRUE", True), ("B", "yes", False), ("S", "5", "5"), ("c", "x", "x")),
        *(("f", "1.5f", 1.5), ("d", ".5", 0.5), ("d", "-1e3D", -1000.0), ("d", " 2 ", 2.0)),
        *(("d", "NaN", "NaN"), ("d", "-Infinity", "-Infinity"), ("d", "1e999", "1e999")),
    ],
)
def test_extras_have_their_types(name, written, value):
    text = f"intent:#Intent;{name}.x={written.replace(' ', '%20')};end"
    parts = urlsm.parts(text)
    assert parts.extras == ((f"{name}.x", value),) and type(parts.extras[0][1]) is type(value)
    assert parts.fields == ((f"{name}.x", written),)
    build = urlsm.handler("intent").build
    assert urlsm.parts(build(**parts)) == parts
    assert urlsm.parts(build(extras=parts.extras)).extras == parts.extras


@pytest.mark.parametrize(
    ("name", "written"),
    [
        *(("i", "2147483648"), ("i", "1.0"), ("i", "x"), ("i", ""), ("b", "128"), ("s", "-32769"), ("l", "9" * 20)),
        *(("i", "1_0"), ("i", "٣"), ("i", " 1"), ("c", ""), ("d", "x"), ("d", "1_0"), ("d", "inf"), ("f", "1ff")),
    ],
)
def test_a_value_of_another_type_stays_a_text(name, written):
    text = f"intent:#Intent;{name}.x={written.replace(' ', '%20').replace('٣', '%D9%A3')};end"
    assert urlsm.parse(text).parts.extras == ((f"{name}.x", written),)
    assert noted(text) == [("intent-extra-invalid", 19)]
    with pytest.raises(urlsm.SchemeError):
        urlsm.handler("intent").build(extras=((f"{name}.x", written),))
