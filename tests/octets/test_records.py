"""NamedTuple does as typing's does, and the classes made with it."""

from __future__ import annotations

import copy
import inspect
import pickle
import typing

import pytest

from urlsm.errors.rules import Rule, Violation
from urlsm.octets.records import NamedTuple
from urlsm.security.addresses import Row
from urlsm.security.hazards import Hazard


class Theirs(typing.NamedTuple):
    """Two."""

    a: int
    b: int = 2

    def sum(self) -> int:
        return self.a + self.b


class Ours(NamedTuple):
    """Two."""

    a: int
    b: int = 2

    def sum(self) -> int:
        return self.a + self.b


def outcome(function, *args):
    try:
        return function(*args)
    except Exception as error:
        return type(error), str(error).replace("Theirs", "Ours")


@pytest.mark.parametrize(
    "seen",
    [
        lambda kind: repr(kind(1)).replace("Theirs", "Ours"),
        lambda kind: (kind(1), kind(1).sum(), hash(kind(1)), kind(1)._asdict(), tuple(kind(1)._replace(b=3))),
        lambda kind: (kind._fields, kind._field_defaults, kind.__match_args__, kind.__doc__, kind.__module__),
        lambda kind: typing.get_type_hints(kind),
        lambda kind: [(name, p.default) for name, p in inspect.signature(kind).parameters.items()],
        lambda kind: kind(),
        lambda kind: kind(1, c=2),
        lambda kind: setattr(kind(1), "a", 2),
        lambda kind: setattr(kind(1), "more", 2),
        lambda kind: tuple(pickle.loads(pickle.dumps(kind(1)))),
        lambda kind: tuple(copy.deepcopy(kind(1))),
    ],
)
def test_ours_does_as_that_of_typing(seen):
    assert outcome(seen, Ours) == outcome(seen, Theirs)


@pytest.mark.parametrize("kind", [Hazard, Rule, Row, Violation])
def test_records_of_the_package_are_matched_pickled_and_told(kind):
    made = kind(*map(str, range(len(kind._fields))))
    assert pickle.loads(pickle.dumps(made)) == made and type(copy.copy(made)) is kind
    assert repr(made).startswith(f"{kind.__name__}({kind._fields[0]}='0', ")
    match made:
        case kind(first):
            assert first == "0"
        case _:
            pytest.fail("no match")


def test_annotations_need_not_be_texts():
    made = {"NamedTuple": NamedTuple, "__name__": __name__}
    exec(compile("class Pair(NamedTuple):\n    a: int\n    b: int = 2", "", "exec", dont_inherit=True), made)
    assert made["Pair"](1) == (1, 2)
