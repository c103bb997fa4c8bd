"""Values without the module dataclasses do as that module's do."""

from __future__ import annotations

import dataclasses
import inspect
import pickle
from typing import get_type_hints

import pytest

from urlsm.errors.rules import Rule, Violation
from urlsm.octets.records import NamedTuple, Record
from urlsm.security.addresses import Row
from urlsm.security.hazards import Hazard


@dataclasses.dataclass(frozen=True)
class Theirs:
    code: str
    component: str
    position: int
    message: str
    reference: str


FACTS = ("nul-encoded", "path", 3, "said", "RFC")
OURS, OTHER = Hazard(*FACTS), Theirs(*FACTS)


def outcome(function, *args):
    try:
        return function(*args)
    except Exception as error:
        return type(error), str(error).replace("Theirs", "Hazard")


@pytest.mark.parametrize(
    "seen",
    [
        lambda value: repr(value).replace("Theirs", "Hazard"),
        hash,
        vars,
        dataclasses.asdict,
        dataclasses.astuple,
        dataclasses.is_dataclass,
        lambda value: [(field.name, field.type, field.default) for field in dataclasses.fields(value)],
        lambda value: [field.name for field in dataclasses.fields(type(value))],
        lambda value: vars(dataclasses.replace(value, position=4)),
        lambda value: dataclasses.replace(value, nothing=4),
        lambda value: get_type_hints(type(value)),
        lambda value: list(inspect.signature(type(value)).parameters.values()),
        lambda value: type(value).__match_args__,
        lambda value: type(value)(1, 2),
        lambda value: setattr(value, "code", "x"),
        lambda value: setattr(value, "more", "x"),
        lambda value: delattr(value, "code"),
        lambda value: delattr(value, "more"),
        lambda value: vars(pickle.loads(pickle.dumps(value))),
        lambda value: value == type(value)(*FACTS),
        lambda value: value == type(value)(*FACTS[:-1], "x"),
        lambda value: value != type(value)(*FACTS),
        lambda value: value == FACTS,
        lambda value: value < value,
    ],
)
def test_a_record_does_as_a_frozen_dataclass(seen):
    assert outcome(seen, OURS) == outcome(seen, OTHER)


def test_records_of_different_classes_differ():
    class Other(Hazard):
        pass

    assert OURS != OTHER
    assert Other(*FACTS) != OURS
    made = Other(*FACTS)
    made.note = "a subclass may have more"  # as with a dataclass
    assert made.note
    del made.note
    with pytest.raises(dataclasses.FrozenInstanceError):
        made.code = "x"


def test_a_dataclass_can_extend_a_record():
    @dataclasses.dataclass(frozen=True)
    class More(Violation):
        seen: int = 0

    made = More("a", "b", 1, "c", "d", "e", seen=2)
    assert dataclasses.asdict(made)["seen"] == 2
    assert [field.name for field in dataclasses.fields(made)] == [*Violation.__match_args__, "seen"]


def test_match():
    match OURS:
        case Hazard(code, component=component):
            assert (code, component) == ("nul-encoded", "path")
        case _:
            pytest.fail("no match")


def test_named_tuples_have_defaults_methods_and_docstrings():
    class Pair(NamedTuple):
        """Two."""

        a: int
        b: int = 2

        def sum(self) -> int:
            return self.a + self.b

    assert Pair(1).sum() == 3 and Pair(1) == (1, 2) and repr(Pair(1)) == "Pair(a=1, b=2)" and Pair.__doc__ == "Two."
    assert Pair._field_defaults == {"b": 2} and Pair.__module__ == __name__
    assert Row._fields == ("network", "name", "document", "public", "hazard", "ipv4_at")
    assert pickle.loads(pickle.dumps(Rule("a", "b", "c"))) == ("a", "b", "c")


def test_a_subclass_without_fields_is_a_record():
    class Nothing(Record):
        pass

    assert repr(Nothing()).endswith("Nothing()") and Nothing() == Nothing()


def test_annotations_need_not_be_texts():
    made = {"NamedTuple": NamedTuple, "__name__": __name__}
    exec(compile("class Pair(NamedTuple):\n    a: int\n    b: int = 2", "", "exec", dont_inherit=True), made)
    assert made["Pair"](1) == (1, 2)
