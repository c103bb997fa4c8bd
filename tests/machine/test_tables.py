"""The tables that C and Python share by number agree: steps, dialects, special schemes."""

from __future__ import annotations

import pathlib
import re

import pytest

import urlsm
from urlsm.machine.driver import DIALECTS, SCHEMES, SPECIAL
from urlsm.machine.steps import STEPS, step_name

ROOM = pathlib.Path(urlsm.__file__).parent / "machine"


def members(name: str, head: str) -> list[str]:
    """The members of an enum of a .pxd file, which begins with this line."""
    block = (ROOM / name).read_text(encoding="utf-8").partition(head)[2].partition("\n\n")[0]
    return re.findall(r"^    ([A-Z]\w*)", block, re.MULTILINE)


def test_each_step_has_its_row():
    steps = members("log.pxd", "cdef enum Step:")
    rows = [standard.upper().replace(" ", "_") or "AFTER_SCHEME" for standard, _, _ in STEPS]
    assert rows == steps[: steps.index("DONE")]


def test_each_step_has_a_name_in_each_dialect():
    assert all(step_name(k, dialect) for k in range(len(STEPS)) for dialect in DIALECTS)
    assert step_name(9) == "authority state" and step_name(9, "barth") == "consume user-info"


def test_each_dialect_has_its_number():
    numbers = members("dialects.pxd", "cdef enum:  ")
    assert numbers == [*(name.upper() for name in DIALECTS), "DIALECT_COUNT"]


def test_each_special_scheme_has_its_kind():
    kinds = members("special.pxd", "cdef enum SchemeKind:")
    assert kinds[1:] == [name.upper() for name in SCHEMES[1:]] == [name.upper() for name in SPECIAL]


@pytest.mark.parametrize(("name", "port"), SPECIAL.items())
def test_special_schemes_have_the_ports_that_the_parser_drops(name, port):
    """ "If port is url's scheme's default port, null" (#port-state); a file URL has no port to drop."""
    assert urlsm.parse(f"{name}:/a").scheme == name if port is None else urlsm.parse(f"{name}://h:{port}/").port is None
