"""The own tests of Starlette, Django and werkzeug, with queries read by urlsm.compat.

    python tests/oracles/frameworks.py FOLDER

FOLDER holds the source distributions of the installed releases, unpacked: starlette-1.10.0, django-5.2.19 ... Wherever
a test, or the framework below it, makes the class of a query out of a text, or out of pairs of texts, ours makes it.
The program prints how often, and exits with 1 if a suite fails or ours was not asked. Starlette's tests need httpx2.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

asked = 0  # how often ours made an object


def query_of(given: Any) -> Any:
    """Return a query that says the same as pairs of texts; a text as it is; None of anything else."""
    if isinstance(given, (str, bytes)):
        return given
    if not isinstance(given, list) or not all(isinstance(part, str) for pair in given for part in pair):
        return None
    return urlencode(given)


def copy_into(made: Any, ours: Any) -> None:
    global asked
    asked += 1
    if isinstance(made, dict):
        dict.update(made, ours if type(ours) is dict else dict(dict.items(ours)))
    vars(made).update(vars(ours))


def over_starlette(tests: Path) -> int:
    import pytest
    from starlette.datastructures import QueryParams

    from urlsm.compat.starlette import query_params

    theirs = QueryParams.__init__

    def init(self: QueryParams, *given: Any, **more: Any) -> None:
        query = query_of(given[0]) if len(given) == 1 and not more else None
        if query is None:
            return theirs(self, *given, **more)
        copy_into(self, query_params(query))

    QueryParams.__init__ = init  # type: ignore[method-assign]
    os.chdir(tests.parent)
    paths = ["tests/test_datastructures.py", "tests/test_requests.py"]
    return pytest.main(["-q", "-p", "no:cacheprovider", "-W", "ignore", *paths])


def over_werkzeug(tests: Path) -> int:
    import pytest
    from werkzeug.datastructures import ImmutableMultiDict
    from werkzeug.sansio.request import Request
    from werkzeug.utils import cached_property

    from urlsm.compat.werkzeug import args

    theirs, their_args = ImmutableMultiDict.__init__, Request.args.fget  # type: ignore[attr-defined]

    def init(self: Any, given: Any = None) -> None:
        query = None if isinstance(given, (str, bytes)) else query_of(given)
        if query is None:
            return theirs(self, given)
        copy_into(self, args(query))

    def get(self: Any) -> Any:
        global asked
        if self.parameter_storage_class is not ImmutableMultiDict:
            return their_args(self)
        asked += 1
        return args(self.query_string)

    ImmutableMultiDict.__init__ = init  # type: ignore[method-assign]
    Request.args = cached_property(get, name="args")  # type: ignore[assignment]
    paths = [str(tests / name) for name in ("test_datastructures.py", "test_wrappers.py", "sansio")]
    return pytest.main(["-q", "-p", "no:cacheprovider", "--noconftest", "--rootdir", str(tests), *paths])


def over_django(tests: Path) -> int:
    import runpy

    from django.http import QueryDict

    from urlsm.compat.django import query_dict

    theirs = QueryDict.__init__
    ours_at_work = []

    def init(self: Any, query_string: Any = None, mutable: bool = False, encoding: str | None = None) -> None:
        if ours_at_work or not isinstance(query_string, (str, bytes)):
            return theirs(self, query_string, mutable, encoding)
        ours_at_work.append(1)
        try:
            copy_into(self, query_dict(query_string, encoding))
        finally:
            ours_at_work.pop()
        self._mutable = mutable

    QueryDict.__init__ = init
    os.chdir(tests)
    sys.path.insert(0, str(tests))
    labels = ("httpwrappers", "requests_tests", "utils_tests", "test_client", "handlers")
    sys.argv = ["runtests.py", "--parallel=1", *labels]
    try:
        runpy.run_path("runtests.py", run_name="__main__")
    except SystemExit as end:
        return int(end.code or 0)
    return 0


SUITES: dict[str, Callable[[Path], int]] = {
    "starlette": over_starlette,
    "werkzeug": over_werkzeug,
    "django": over_django,
}


_SAID = re.compile(r"^(?:=*\s*\d+ (?:passed|failed).*|Ran \d+ tests.*|OK.*|FAILED.*|asked .*)$", re.M)


def main(folder: str) -> None:
    failed = []
    for name in SUITES:
        tests = Path(folder).resolve() / f"{name}-{version(name)}" / "tests"
        if not tests.is_dir():
            sys.exit(f"{tests} is not there")
        done = subprocess.run(
            [sys.executable, __file__, "--over", name, str(tests)],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
        )  # fmt: skip
        said = _SAID.findall(done.stdout)
        print(f"{name} {version(name)}: {'; '.join(line.strip('= ') for line in said)}", flush=True)
        if done.returncode:
            print(done.stdout)
            failed.append(name)
    sys.exit(bool(failed))


if __name__ == "__main__":
    if sys.argv[1] == "--over":
        sys.path.remove(str(Path(__file__).resolve().parent))  # the names of the tools beside this file are not theirs
        status = SUITES[sys.argv[2]](Path(sys.argv[3]))
        print(f"asked {asked} times")
        sys.exit(status or not asked)
    main(sys.argv[1])
