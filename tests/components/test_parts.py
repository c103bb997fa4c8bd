"""Parts: frozen, slotted, typed values; and the functions with which handlers read components."""

from __future__ import annotations

import copy
import pickle

import pytest
from support.seeds import draws, seeded

from urlsm import SchemeError, split
from urlsm.components.parts import driver_of, known_fields, lower, name_of_path, read_fields, read_host
from urlsm.schemes import Parts, Scheme, decode, decode_bytes, segments, server


class Point(Parts):
    x: int
    y: int = 0


class Place(Point):
    name: str | None = None
    password: str | None = None


def test_fields_are_given_by_position_by_name_or_by_default():
    assert Point(1, 2) == Point(x=1, y=2) == Point(1, y=2)
    assert Point(1) == Point(1, 0) and Place(1).name is None
    assert Place(1, 2, "n", "p") == Place(name="n", password="p", x=1, y=2)
    assert Place._fields == Place.__match_args__ == ("x", "y", "name", "password")


@pytest.mark.parametrize(
    ("args", "kwargs", "said"),
    [((), {}, "a value for x"), ((1, 2, 3), {}, "2 fields"), ((1,), {"x": 1}, "two values"), ((1,), {"z": 1}, "'z'")],
)
def test_other_arguments_are_refused(args, kwargs, said):
    with pytest.raises(TypeError, match=said):
        Point(*args, **kwargs)


def test_values_are_frozen_and_slotted():
    point = Point(1, 2)
    for name in ("x", "z", "_fields", "__class__"):
        with pytest.raises((AttributeError, TypeError)):
            setattr(point, name, 3)
    with pytest.raises(AttributeError):
        del point.x
    assert not hasattr(point, "__dict__")
    point.__init__(5, 6)  # as object's: without effect
    assert (point.x, point.y) == (1, 2)


def test_refine_calls_the_init_of_the_parts_that_an_author_wrote():
    made = []

    class Shelf(Parts):
        host: str
        path: str

        def __init__(self, host, path):
            if path == "/":
                raise ValueError("no shelf")
            made.append((self, host, path))

    class Library(Scheme):
        names = ("library",)
        parts_type = Shelf

    found = Library().read_parts(split("library://a/b", dialect="rfc3986"))
    assert [(found, "a", "/b")] == made and found == Shelf("a", "/b")
    with pytest.raises(ValueError, match="no shelf"):
        Library().read_parts(split("library://a/", dialect="rfc3986"))


def test_a_field_of_a_second_base_is_not_read_past_the_values():
    class Size(Parts):
        width: int
        height: int

    class Spot(Parts):
        x: int

    class Both(Spot, Size):
        pass

    assert Both(1).x == 1
    with pytest.raises(IndexError):
        _ = Both(1).height


def test_values_are_equal_by_class_and_value():
    assert Point(1, 2) != Point(1, 3) and Point(1, 2) != (1, 2) and Point(1, 0) != Place(1, 0)
    assert hash(Point(1, 2)) == hash(Point(1, 2)) and len({Point(1, 2), Point(1, 2), Place(1, 2)}) == 2


def test_values_name_their_fields():
    assert dict(Point(1, 2)) == {"x": 1, "y": 2} and Point(1, 2)["y"] == 2
    assert {**Point(1, 2)} == {"x": 1, "y": 2}
    for wrong in ("z", "values", ""):
        with pytest.raises(KeyError):
            Point(1, 2)[wrong]


def test_repr_masks_a_password():
    assert repr(Place(1, 2, "n", "p")) == "Place(x=1, y=2, name='n', password='***')"
    assert repr(Place(1)) == "Place(x=1, y=0, name=None, password=None)"


def test_values_pickle_copy_and_match():
    place = Place(1, 2, "\udcff", "p")
    assert pickle.loads(pickle.dumps(place)) == place and copy.copy(place) is place
    assert copy.deepcopy(place) == place and place.__replace__(y=3) == Place(1, 3, "\udcff", "p")
    match place:
        case Place(x, 2, name):
            assert (x, name) == (1, "\udcff")
        case _:
            pytest.fail("no match")


def test_annotations_that_begin_with_an_underscore_are_not_fields():
    class Noted(Parts):
        _note: str
        x: int

    assert Noted._fields == ("x",)


@pytest.mark.parametrize(
    ("text", "decoded", "octets"),
    [
        ("", "", b""),
        ("a+b", "a+b", b"a+b"),
        ("%41%e4%bd%A0", "A你", b"A\xe4\xbd\xa0"),
        ("%", "%", b"%"),
        ("%zz%4", "%zz%4", b"%zz%4"),
        ("%FF%00é", "\udcff\0é", b"\xff\0\xc3\xa9"),
        ("é%ff", "é\udcff", b"\xc3\xa9\xff"),
        ("\ud800%41", "\ufffdA", b"\xef\xbf\xbdA"),
        ("\udc80", "\udc80", b"\x80"),
    ],
)
def test_decode(text, decoded, octets):
    assert decode(text) == decoded and decode_bytes(text) == octets


def test_segments():
    assert segments("") == () and segments("/") == ("",) and segments("a") == ("a",)
    assert segments("/a%2Fb//%C3%A9/") == ("a/b", "", "é", "")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("x:p", (None, None, None, None)),
        ("x://", (None, None, None, None)),
        ("x://:@H%4F:080", ("", "", "ho", 80)),
        ("x://u%40:p:%3a@[::A]:", ("u@", "p::", "::a", None)),
        ("x://[", (None, None, "[", None)),
        ("x://\u212a", (None, None, "\u212a", None)),  # the Kelvin sign is not a k
        ("x://É:00000000000000080", (None, None, "É", 80)),
    ],
)
def test_server(text, wanted):
    assert server(split(text, dialect="rfc3986")) == wanted


@pytest.mark.parametrize(
    ("port", "code"),
    [("8o", "port-invalid"), ("-1", "port-invalid"), ("١", "port-invalid"), ("123456", "port-out-of-range")],
)
def test_a_port_that_is_not_a_number_cannot_be_read(port, code):
    with pytest.raises(SchemeError) as caught:
        server(split(f"x://é:{port}", dialect="rfc3986"))
    assert (caught.value.code, caught.value.position) == (code, 6)
    with pytest.raises(SchemeError):
        server(split("x://h:" + "9" * 1_000_000, dialect="rfc3986"))


@pytest.mark.parametrize("function", [decode, decode_bytes, segments, server, read_host, lower])
def test_anything_but_text_is_refused(function):
    for wrong in (None, b"a", 1):
        with pytest.raises(TypeError):
            function(wrong)


def long_way(text, separator, fold, plus):
    """What read_fields says, with the methods of str."""
    found = []
    for field in text.split(separator):
        name, equals, value = field.partition("=")
        name = lower(decode(name)) if fold else decode(name)
        if plus is not False and (plus is True or name in plus):
            value = value.replace("+", " ")
        found.append((name, decode(value) if equals else None))
    return tuple(found)


@pytest.mark.once
def test_fields_are_read_as_the_long_way_has_them():
    rng = seeded("fields")
    pieces = [*"a=&;+AB%\0é", "%3D", "%26", "%2b", "\ud800", "%zz", "%FF", "name", ""]
    for _ in range(draws(100_000)):
        text = "".join(rng.choices(pieces, k=rng.randrange(10)))
        separator, fold, plus = (
            rng.choice("&;"),
            rng.random() < 0.5,
            rng.choice((False, True, frozenset(("a", "name")))),
        )
        fields = long_way(text, separator, fold, plus)
        assert read_fields(text, separator, fold, plus) == fields, text
        first = {name: value for name, value in reversed(fields) if name in ("a", "name", "b")}
        others = tuple(field for field in fields if field[0] not in first)
        found = [first.get(name, default) for name, default in (("a", "1"), ("name", None), ("b", "2"))]
        known = known_fields(text, separator, fold, plus, {"a": 0, "name": 1, "b": 2}, ("1", None, "2"))
        assert known == (found, others), text


def test_the_driver_and_the_name_that_a_url_has():
    rng = seeded("driver")
    for _ in range(draws(20_000)):
        scheme = "a" + "".join(rng.choices(("+", "b", "C", "-"), k=rng.randrange(5)))
        path = "".join(rng.choices(("/", "a", "%2F", "%41", "é", "%"), k=rng.randrange(5)))
        c = split(f"{scheme}://h{'/' * bool(path)}{path}", dialect="rfc3986")
        written = c.path or ""
        assert driver_of(c) == (lower(scheme).partition("+")[2] or None)
        assert name_of_path(c) == (decode(written[1:] if written.startswith("/") else written) if written else None)
    assert driver_of(split("//h", dialect="rfc3986")) is None is name_of_path(split("", dialect="rfc3986"))
