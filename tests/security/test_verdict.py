"""Verdict: what a judge answers."""

from __future__ import annotations

import copy
import pickle

import pytest

from urlsm.security import Verdict


@pytest.mark.parametrize("allowed", [True, False])
@pytest.mark.parametrize("final", [True, False])
def test_a_verdict_is_true_only_if_it_is_allowed_and_final(allowed, final):
    assert bool(Verdict(allowed, final)) is (allowed and final)


def test_its_fields_and_defaults():
    verdict = Verdict(False, codes=("credentials",), message="there is user information")
    assert (verdict.allowed, verdict.final, verdict.codes, verdict.addresses) == (False, True, ("credentials",), ())
    assert verdict.message == "there is user information"
    assert Verdict(True) == Verdict(allowed=True, final=True, codes=(), message="", addresses=())
    assert Verdict(True) != Verdict(True, False) and len({Verdict(True), Verdict(True)}) == 1
    with pytest.raises(TypeError):
        Verdict()
    match verdict:
        case Verdict(allowed=False, codes=codes):
            assert codes == ("credentials",)


def test_it_is_frozen_and_has_no_room_for_more():
    verdict = Verdict(True)
    for name in ("allowed", "other"):
        with pytest.raises(AttributeError):
            setattr(verdict, name, False)
    assert verdict and not hasattr(verdict, "__dict__")


def test_it_survives_pickling_and_copying():
    verdict = Verdict(False, False, ("a",), "b", ("127.0.0.1",))
    for made in (pickle.loads(pickle.dumps(verdict)), copy.copy(verdict), copy.deepcopy(verdict)):
        assert made == verdict and type(made) is Verdict
    assert repr(verdict).startswith("Verdict(allowed=False, final=False, codes=('a',)")
