"""Recorded answers of other parsers, and every version of IDNA on every code point.

The texts of most rows are of generators of this project, and in tests/data. Those of the others were published, and are
not in this project; rows of our own are in test_payloads.py.
"""

from __future__ import annotations

import json
import pathlib
from collections.abc import Iterator

import pytest
from support.checks import allowable
from support.recorded import recorded
from support.suites import absent

from urlsm import try_parse
from urlsm.security import audit, compare_readers, is_ambiguous, is_safe_redirect
from urlsm.security.hazards import HAZARDS

HOME = "https://home.example/"


@pytest.fixture(scope="module", params=["generated", "published"])
def jury(request: pytest.FixtureRequest) -> list[list]:
    """The rows: input, a letter per parser, the hosts found, 1 where two of them find different hosts."""
    generated = recorded("jury")[1]
    assert len(generated) > 3700
    if request.param == "generated":
        return generated
    path = pathlib.Path(request.config.getoption("--jury"))
    if not path.is_file():
        absent("the jury of parsers on published texts", "--jury PATH names its file")
    texts = {row[0] for row in generated}
    return [row for row in json.loads(path.read_text(encoding="utf-8"))["rows"] if row[0] not in texts]


def test_what_two_parsers_see_differently_is_ambiguous(jury):
    assert len(jury) > 400
    assert [text for text, _, _, differ in jury if differ and not is_ambiguous(text)] == []


def test_what_two_parsers_see_differently_is_a_hazard_and_no_redirect(jury):
    for text, _, hosts, differ in jury[::7]:
        if differ:
            assert "dialects-disagree" in {hazard.code for hazard in audit(text)}
            assert not is_safe_redirect(text, base=HOME, allowed_hosts=allowable(hosts)), text


def names() -> Iterator[tuple[str, str, str]]:
    """Yield host, its name by IDNA 2003 and by the URL Standard, if these differ, for one code point between
    letters."""
    for code in range(0x80, 0x110000):
        host = f"a{chr(code)}b.example"
        try:
            old = host.encode("idna").decode().lower()
        except UnicodeError:
            continue
        url = try_parse(f"http://{host}/")
        if url is not None and url.host != old:
            yield host, old, url.host


@pytest.mark.slow(10)
def test_no_code_point_on_which_versions_of_idna_differ_passes():
    found = list(names())
    assert len(found) > 1000  # 1,163 by Unicode 15 and 16
    for host, old, new in found:
        check_disputed(host, old, new)


@pytest.mark.parametrize("char", "ßẞς\u200c\u200d\u1806\u32ff\u0344", ids=ascii)
@pytest.mark.parametrize("form", ["fa{}.de", "{}a.de", "A{}b.example", "x.{}.y", "\u00fc{}b.de"])
def test_disputed_characters(char, form):
    host = form.format(char)
    check_disputed(host, host, host)


def check_disputed(host: str, old: str, new: str) -> None:
    url = f"http://{host}/"
    assert is_ambiguous(url) and not compare_readers(url).agree, ascii(host)
    assert not is_safe_redirect(url, base=HOME, allowed_hosts=allowable([host, old, new, host.lower()])), ascii(host)
    codes = {hazard.code for hazard in audit(url)}
    assert codes & {"dialects-disagree", "mapped-host"} and codes <= set(HAZARDS), ascii(host)
