"""Options, fixtures and hypothesis profiles of all tests.

pytest --wpt PATH      where urltestdata.json and its kin lie (default: ../shared/conformance beside the repository,
                       absent in a bare clone: tests/data/own_urls.json stands in); also a checkout of
                       web-platform-tests or its url/resources
pytest --slow          runs those marked slow too
URLSM_CASES=1000000    so many cases per property and per differential test, instead of a few hundred or thousand
"""

from __future__ import annotations

import json
import os
import pathlib
import sys
from collections.abc import Callable, Iterator

import pytest
from hypothesis import HealthCheck, settings

TESTS = pathlib.Path(__file__).resolve().parent
if str(TESTS) not in sys.path:
    sys.path.append(str(TESTS))  # `from support... import ...`: importlib mode imports no packages of tests

CASES = int(os.environ.get("URLSM_CASES", "0"))
settings.register_profile("default", max_examples=200, deadline=None, derandomize=True)  # the same ones each time
settings.register_profile(
    "long", max_examples=CASES or 1_000_000, deadline=None, suppress_health_check=list(HealthCheck)
)
settings.load_profile("long" if CASES else "default")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--wpt", metavar="PATH", default=None, help="folder of urltestdata.json, or a checkout of web-platform-tests"
    )
    parser.addoption("--slow", action="store_true", help="run the tests marked slow too")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--slow"):
        for item in items:
            if "slow" in item.keywords:
                item.add_marker(pytest.mark.skip(reason="slow: run with --slow"))


@pytest.fixture(scope="session")
def conformance_dir(request: pytest.FixtureRequest) -> pathlib.Path:
    """The folder of urltestdata.json, setters_tests.json, toascii.json, IdnaTestV2.json, percent-encoding.json."""
    given = request.config.getoption("--wpt")
    folder = pathlib.Path(given) if given else TESTS.parent / "../shared/conformance"
    for candidate in (folder, folder / "resources", folder / "url/resources"):
        if (candidate / "urltestdata.json").is_file():
            return candidate.resolve()
    if given:
        pytest.fail(f"--wpt {given}: no urltestdata.json there, nor in its url/resources")
    pytest.skip(f"no web-platform-tests data: {folder} is absent (give --wpt PATH)")


@pytest.fixture(scope="session")
def conformance_cases(conformance_dir: pathlib.Path) -> Callable[[str], list[dict]]:
    """The cases of one of those files, without the comments between them."""

    def load(name: str) -> list[dict]:
        return [
            case for case in json.loads((conformance_dir / name).read_text(encoding="utf-8")) if isinstance(case, dict)
        ]

    return load


@pytest.fixture(params=[64, 32, 1], ids=lambda width: f"{width} octets at a time")
def index_width(request: pytest.FixtureRequest) -> Iterator[int]:
    """Each path of the index of marks that this CPU has (a narrower one stands in for a missing one: skipped)."""
    from urlsm.machine import use_vectors

    if use_vectors(request.param) != request.param:
        use_vectors(64)
        pytest.skip("this CPU, or this build, has no such vectors")
    yield request.param
    use_vectors(64)


@pytest.fixture(scope="session")
def cases() -> int:
    """How many cases a loop over seeded random cases takes."""
    return CASES or 20_000
