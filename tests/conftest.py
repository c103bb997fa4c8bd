"""Options, fixtures and hypothesis profiles of all tests.

pytest --wpt PATH      the folder of urltestdata.json and its kin: a checkout of web-platform-tests, or a folder of
                       these (default: as tools/suites.py lays them out, else ../shared/conformance beside the
                       repository; where both are absent, tests/data/own_urls.json stands in)
pytest --jury PATH     recorded answers of other parsers to hostile texts (tests/security/test_jury.py)
pytest --crawler PATH  the folder of the answers of crawlers' libraries (default: ../shared/crawler; skipped where
absent) pytest --slow          also runs the tests marked slow
pytest --wheel PATH    tests/packaging tests this wheel (default: one that it builds)
pytest --brief         for a second build: without the tests marked once, and with a quarter of the random cases; given
                       twice, for a second interpreter: with a sixteenth
pytest --no-plain      runs all tests with the plain lane off: the machine reads every text
URLSM_SUITES=required  fails where a suite with a public source (tests/data/suites.lock) is absent, instead of skipping
URLSM_SEED=5           other random cases, the same ones for the same number; without it, the fixed ones
URLSM_CASES=1000000    the number of cases per property and differential test, instead of a few hundred or thousand
"""

from __future__ import annotations

import gc
import importlib.util
import itertools
import json
import os
import pathlib
import sys
import sysconfig
from collections.abc import Callable, Iterator

import pytest
from hypothesis import HealthCheck, seed, settings

gc.disable()  # while tests are collected: it would look at thousands of them again and again
TESTS = pathlib.Path(__file__).resolve().parent
# `from support... import ...`, `from oracles... import ...`: importlib mode imports no packages of tests. On sys.path
# their folder would offer `url`, `machine` ... as packages, of which url is also a peer's name.
for _name in ("support", "oracles"):
    _spec = importlib.util.spec_from_file_location(_name, TESTS / _name / "__init__.py")
    assert _spec is not None and _spec.loader is not None
    sys.modules[_name] = importlib.util.module_from_spec(_spec)
    _spec.loader.exec_module(sys.modules[_name])

from support import suites  # noqa: E402
from support.seeds import SEED  # noqa: E402

CASES = int(os.environ.get("URLSM_CASES", "0"))
# the fixed cases: hypothesis keeps no example of another run, and draws by each test's code
settings.register_profile("default", max_examples=200, deadline=None, derandomize=SEED is None, database=None)
settings.register_profile(
    "long",
    settings.get_profile("default"),
    max_examples=CASES or 1_000_000,
    suppress_health_check=list(HealthCheck),
)
settings.load_profile("long" if CASES else "default")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--wpt", metavar="PATH", default=None, help="folder of urltestdata.json, or a checkout of web-platform-tests"
    )
    parser.addoption(
        "--jury",
        metavar="PATH",
        default=suites.BESIDE / "security/jury.json",
        help="what live parsers were recorded to see in hostile texts",
    )
    parser.addoption("--no-plain", action="store_true", help="have the machine read every text")
    parser.addoption("--crawler", metavar="PATH", default=None, help="folder of the answers of crawlers' libraries")
    parser.addoption("--brief", action="count", default=0, help="fewer cases, and without the tests marked once")
    parser.addoption("--slow", action="store_true", help="run the tests marked slow too")
    parser.addoption("--wheel", metavar="PATH", default=None, help="the wheel to test, already built")


def one_of(config: pytest.Config) -> int:
    """Return how many cases a full run has for each of this one."""
    return 4 ** config.getoption("--brief")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--brief") and not CASES:
        default = settings.get_profile("default")
        settings.register_profile("brief", default, max_examples=default.max_examples // one_of(config))
        settings.load_profile("brief")
    if config.getoption("--no-plain"):
        from urlsm.machine.driver import use_plain

        use_plain(False)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if CASES:  # as long as it takes
        for item in items:
            item.add_marker(pytest.mark.timeout(0))
    if SEED is not None:
        for test in {item.obj for item in items if getattr(getattr(item, "obj", None), "is_hypothesis_test", False)}:
            seed(SEED)(test)
    if not config.getoption("--slow"):
        for item in items:
            if "slow" in item.keywords:
                item.add_marker(pytest.mark.skip(reason="slow: run with --slow"))
    if config.getoption("--brief"):
        for item in items:
            if "once" in item.keywords:
                item.add_marker(pytest.mark.skip(reason="once: left out with --brief"))


def pytest_collection_finish() -> None:
    gc.enable()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print which external suites did not run, and why, since a run without them looks much like one with them; and how
    to draw the random cases of this run again."""
    for suite, why in suites.ABSENT.items():
        terminalreporter.write_line(f"did not run: {suite} ({why})")
    if SEED is not None:
        terminalreporter.write_line(f"random cases of URLSM_SEED={SEED}")


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail a run on a free-threaded CPython whose lock is on at its end: an imported module has asked for it."""
    if sysconfig.get_config_var("Py_GIL_DISABLED") and sys._is_gil_enabled():
        pytest.exit("the lock is on: set PYTHON_GIL=0, or leave out the package that needs it", returncode=1)


@pytest.fixture(scope="session")
def conformance_dir(request: pytest.FixtureRequest) -> pathlib.Path:
    """The folder of urltestdata.json, setters_tests.json, toascii.json, IdnaTestV2.json, percent-encoding.json."""
    given = request.config.getoption("--wpt")
    if given and suites.wpt("urltestdata.json", given) is None:
        pytest.fail(f"--wpt {given}: no urltestdata.json there, nor in its url/resources")
    return suites.wpt_or_skip("urltestdata.json", given).parent


@pytest.fixture(scope="session")
def conformance_cases(conformance_dir: pathlib.Path) -> Callable[[str], list[dict]]:
    """The cases of one of those files, without the comments between them."""

    def load(name: str) -> list[dict]:
        return [
            case for case in json.loads((conformance_dir / name).read_text(encoding="utf-8")) if isinstance(case, dict)
        ]

    return load


@pytest.fixture(scope="session")
def peers_rows(request: pytest.FixtureRequest) -> Callable[[str], list[dict]]:
    """The rows of one file of the answers of crawlers' libraries."""
    given = request.config.getoption("--crawler")
    folder = suites.folder("the crawlers' answers", "crawler", given)
    if folder is None:
        suites.absent("the crawlers' answers", "--crawler PATH names their folder")
    if not folder.is_dir():
        pytest.fail(f"--crawler {given}: no such folder")
    return lambda name: json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))


@pytest.fixture(params=[64, 32, 16, 1], ids=lambda width: f"{width} octets at a time")
def index_width(request: pytest.FixtureRequest) -> Iterator[int]:
    """Each width of the index of marks that this CPU has; the others are skipped."""
    from urlsm.machine.driver import use_vectors

    if use_vectors(request.param) != request.param:
        use_vectors(64)
        pytest.skip("this CPU, or this build, has no such vectors")
    yield request.param
    use_vectors(64)


@pytest.fixture(scope="session")
def cases(request: pytest.FixtureRequest) -> int:
    """The number of cases of a loop over seeded random cases."""
    return CASES or 20_000 // one_of(request.config)


@pytest.fixture(scope="session")
def share(request: pytest.FixtureRequest) -> Callable[..., list]:
    """Takes the rows that a brief run has of a long table: each row in turn, by the number of its caller."""
    step = 1 if CASES else one_of(request.config)
    return lambda rows, number=0: list(itertools.islice(rows, number % step, None, step))


@pytest.fixture(scope="session")
def many(cases: int) -> int:
    """The number of cases in which a fast way is compared with the long way, if both are fast enough."""
    return cases if CASES else 5 * cases
