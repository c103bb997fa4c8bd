"""Options, fixtures and hypothesis profiles of all tests.

pytest                 all rooms, but the tests marked slow: in a worker for each core where pytest-xdist is there, and
                       with a quarter of the random cases. Whatever narrows a run (a path, -k, -m, --pdb, -s) keeps it
                       in one process; -n 4 or -n 0 chooses
pytest --full          with all random cases
pytest --wpt PATH      the folder of urltestdata.json and its kin: a checkout of web-platform-tests, or a folder of
                       these (default: as tools/suites.py lays them out, else ../shared/conformance beside the
                       repository; where both are absent, tests/data/own_urls.json stands in)
pytest --jury PATH     recorded answers of other parsers to more hostile texts than tests/data has (test_jury.py)
pytest --crawler PATH  the folder of the answers of crawlers' libraries (default: ../shared/crawler; skipped where
                       absent)
pytest --readers PATH  recorded answers of named programs, also to texts of others (tests/readers)
pytest --slow          also runs the tests marked slow
pytest --wheel PATH    tests/packaging tests this wheel (default: one that it builds)
pytest --brief         for a second build: without the tests marked once; given twice, for a second interpreter: with a
                       sixteenth of the random cases
pytest --no-plain      runs all tests with the plain lane off: the machine reads every text
URLSM_SUITES=required  fails where a suite with a public source (tests/data/suites.lock) is absent, instead of skipping
URLSM_SEED=5           other random cases, the same ones for the same number; without it, the fixed ones
URLSM_CASES=1000000    the number of cases per property and differential test, instead of a few hundred or thousand
"""

from __future__ import annotations

import contextlib
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
from _pytest.runner import runtestprotocol  # as pytest-rerunfailures takes it
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

from support import seeds, suites  # noqa: E402
from support.seeds import CASES, SEED  # noqa: E402

# the fixed cases: hypothesis keeps no example of another run, and draws by each test's code
settings.register_profile("default", max_examples=200, deadline=None, derandomize=SEED is None, database=None)
settings.register_profile(
    "long",
    settings.get_profile("default"),
    max_examples=CASES or 1_000_000,
    suppress_health_check=list(HealthCheck),
)
settings.load_profile("long" if CASES else "default")
with contextlib.suppress(ImportError, AttributeError):
    # hypothesis also draws constants of those local modules that are loaded by then: which, depends on the order
    from hypothesis.internal.conjecture import providers

    NO_CONSTANTS = providers.Constants()
    providers._get_local_constants = lambda: NO_CONSTANTS


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
    parser.addoption(
        "--readers",
        metavar="PATH",
        default=suites.BESIDE / "readers/answers.json",
        help="what named programs were recorded to see in hostile texts and links",
    )
    parser.addoption("--full", action="store_true", help="run all random cases, instead of a quarter")
    parser.addoption("--no-plain", action="store_true", help="have the machine read every text")
    parser.addoption("--crawler", metavar="PATH", default=None, help="folder of the answers of crawlers' libraries")
    parser.addoption("--brief", action="count", default=0, help="fewer cases, and without the tests marked once")
    parser.addoption("--slow", action="store_true", help="run the tests marked slow too")
    parser.addoption("--wheel", metavar="PATH", default=None, help="the wheel to test, already built")


def is_narrow(config: pytest.Config) -> bool:
    """Return whether a run is of a part of the tests, or one that a person watches: workers would cost more than they
    save, or take its input and output away."""
    option = config.option
    part = any(pathlib.Path(argument).resolve() != TESTS for argument in config.args)
    return bool(part or option.keyword or option.markexpr or option.usepdb or option.trace or option.capture == "no")


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Choose the workers, before pytest-xdist asks."""
    if hasattr(config, "workerinput"):  # this process is a worker
        return
    option = config.option
    if getattr(option, "numprocesses", 0) is None and not option.collectonly and not is_narrow(config):
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        if cores > 1:
            option.numprocesses = min(cores, 8)
    if getattr(option, "numprocesses", 0) and option.dist == "no":
        gc.enable()  # this process collects nothing
        option.dist = "worksteal"  # a stretch of the tests for each worker: most files make their fixtures once


class ShortReports:
    """A worker sends only what the terminal shows of a test: its call, and a setup or teardown that failed or skipped.
    To send all six messages would take longer than most tests."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> bool:
        for report in runtestprotocol(item, log=False, nextitem=nextitem):
            if report.when == "call" or not report.passed:
                item.ihook.pytest_runtest_logreport(report=report)
        return True


def pytest_configure(config: pytest.Config) -> None:
    if hasattr(config, "workerinput") and not is_narrow(config):  # who wants to see more runs the test alone
        config.option.showlocals = True
        sys.meta_path[:] = [each for each in sys.meta_path if type(each).__module__ != "_pytest.assertion.rewrite"]
    if hasattr(config, "workerinput") and not (config.option.durations or config.option.xmlpath):
        config.pluginmanager.register(ShortReports())
    brief = config.getoption("--brief")
    seeds.ONE_OF = 1 if config.getoption("--full") else 4 ** max(brief, 1)
    if not CASES:
        default = settings.get_profile("default")
        settings.register_profile("some", default, max_examples=default.max_examples // seeds.ONE_OF)
        settings.load_profile("some")
    if config.getoption("--no-plain"):
        from urlsm.machine.driver import use_plain

        use_plain(False)


def pytest_sessionstart(session: pytest.Session) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None and not CASES and seeds.ONE_OF > 1:
        say_the_share(reporter)


def say_the_share(reporter: pytest.TerminalReporter) -> None:
    """Have the last line of the run say how many of the random cases it had."""
    share = {4: "a quarter", 16: "a sixteenth"}.get(seeds.ONE_OF, f"1 of {seeds.ONE_OF}")
    build = reporter.build_summary_stats_line

    def with_share() -> tuple[list[tuple[str, dict[str, bool]]], str]:
        parts, color = build()
        return [*parts, (f"{share} of the random cases (all: --full)", {color: True})], color

    reporter.build_summary_stats_line = with_share  # type: ignore[method-assign]


def seconds_of(slow: pytest.Mark) -> str:
    """Return what the mark says: seconds of a CPU, for all cases of its function, or of its file if that is marked."""
    return f"about {slow.args[0]} s" if slow.args else "nobody knows how much"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if CASES:  # as long as it takes
        for item in items:
            item.add_marker(pytest.mark.timeout(0))
    if SEED is not None:
        for test in {item.obj for item in items if getattr(getattr(item, "obj", None), "is_hypothesis_test", False)}:
            seed(SEED)(test)
    for item in items:
        if (slow := item.get_closest_marker("slow")) and not config.getoption("--slow"):
            item.add_marker(pytest.mark.skip(reason=f"slow, {seconds_of(slow)}: run with --slow"))
    if config.getoption("--brief"):
        for item in items:
            if "once" in item.keywords:
                item.add_marker(pytest.mark.skip(reason="once: left out with --brief"))


def pytest_collection_finish() -> None:
    gc.freeze()  # the tests stay to the end: the collector need not go through them again and again
    gc.enable()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print which external suites did not run, and why, since a run without them looks much like one with them; and how
    to draw the random cases of this run again."""
    for suite, why in sorted(suites.ABSENT.items()):
        terminalreporter.write_line(f"did not run: {suite} ({why})")
    if SEED is not None:
        terminalreporter.write_line(f"random cases of URLSM_SEED={SEED}")


def lock_is_on() -> bool:
    """Return whether this is a free-threaded CPython whose lock is on: an imported module has asked for it."""
    return bool(sysconfig.get_config_var("Py_GIL_DISABLED")) and sys._is_gil_enabled()


LOCKED = []  # the workers of whose interpreters the lock is on


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node) -> None:
    """Take what a worker of pytest-xdist has to say."""
    said = getattr(node, "workeroutput", {})
    suites.ABSENT.update(said.get("absent", {}))
    if said.get("locked"):
        LOCKED.append(node)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail a run on a free-threaded CPython whose lock is on at its end."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput |= {"absent": suites.ABSENT, "locked": lock_is_on()}
    elif LOCKED or lock_is_on():
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
def cases() -> int:
    """The number of cases of a loop over seeded random cases."""
    return CASES or seeds.draws(20_000)


@pytest.fixture(scope="session")
def share() -> Callable[..., list]:
    """Takes the rows that a brief run has of a long table: each row in turn, by the number of its caller."""
    step = 1 if CASES else seeds.ONE_OF
    return lambda rows, number=0: list(itertools.islice(rows, number % step, None, step))


@pytest.fixture(scope="session")
def many(cases: int) -> int:
    """The number of cases in which a fast way is compared with the long way, if both are fast enough."""
    return cases if CASES else 5 * cases
