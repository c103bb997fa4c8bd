"""urlsm.whatwg.URL's setters: every case of web-platform-tests' setters_tests.json, every expected attribute."""

import json
import pathlib

import pytest

from urlsm.url.value import parse
from urlsm.whatwg import URL

SETTERS = ["href", "protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "hash"]


@pytest.fixture
def cases(conformance_dir: pathlib.Path) -> dict[str, list[dict]]:
    text = (conformance_dir / "setters_tests.json").read_text(encoding="utf-8")
    return {name: found for name, found in json.loads(text).items() if name != "comment"}


def test_setters_are_all_here(cases):
    assert set(cases) <= set(SETTERS)
    assert sum(map(len, cases.values())) >= 150


@pytest.mark.parametrize("setter", SETTERS)
@pytest.mark.parametrize("touched", [False, True], ids=["", "search_params made before"])
def test_setter(cases, setter, touched):
    wrong = []
    for case in cases.get(setter, []):
        url = URL(case["href"])
        if touched:
            assert len(url.search_params) >= 0
        setattr(url, setter, case["new_value"])
        found = {name: getattr(url, name) for name in case["expected"]}
        if found != case["expected"]:
            wrong.append((case, found))
        assert str(parse(url.href)) == url.href
    assert not wrong
