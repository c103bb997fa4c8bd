"""A Profile and a Policy tell the dates of the tables that they stand on."""

from __future__ import annotations

from urlsm import about
from urlsm.crawler import TRACKERS, profile
from urlsm.guard import Policy

DATES = {table.name: table.date for table in about.tables()}


def test_the_dates_of_a_profile():
    own = profile("urlsm-1")
    assert own.dates.keys() == {"encodings", "domain names"} and profile("w3lib-2.5").dates.keys() == {"encodings"}
    with_trackers = own.replace(remove_params=["utm_*", "x"])
    assert with_trackers.dates.keys() == own.dates.keys() | {"trackers"}
    assert own.replace(remove_params=["x"]).dates == own.dates
    assert with_trackers.dates.items() <= DATES.items()
    assert with_trackers.dates["trackers"] == min(row.date for row in TRACKERS.values())


def test_the_dates_of_a_policy():
    plain = {"special addresses", "special-use names", "metadata hosts", "domain names"}
    assert Policy().dates.keys() == plain
    assert Policy(readers=["curl"]).dates.keys() == plain | {"readers"}
    assert Policy(readers=["curl"]).dates.items() <= DATES.items()
