"""A slice of the small scope (oracles/scope.py runs the whole)."""

from __future__ import annotations

from support.seeds import seeded

from oracles.scope import TELLING, differences, representatives, texts
from urlsm.machine.driver import octet_classes


def test_the_octets_stand_for_all():
    chosen = representatives()
    assert set(TELLING) <= set(chosen)
    for name, octets in octet_classes().items():
        assert octets & set(chosen), name
        assert octets == set(range(256)) or set(chosen) - octets, name


def test_every_text_of_up_to_two_octets():
    assert not [difference for length in range(3) for difference in differences(texts(length))]


def test_some_texts_of_three_to_five_octets(cases):
    rng, chosen = seeded("small scope"), representatives()
    drawn = (bytes(rng.choices(chosen, k=rng.choice([3, 4, 5, 5]))) for _ in range(cases))
    assert not list(differences(drawn))
