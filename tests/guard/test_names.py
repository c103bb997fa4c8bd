"""The public names of urlsm.guard: its clients, and the one exception that they raise."""

from __future__ import annotations

import copy
import pickle
import sys
import traceback

import pytest
from support.askers import NAMES, asker_of

import urlsm.guard
from urlsm.guard import BlockedError, Policy


@pytest.mark.parametrize("client", NAMES)
def test_what_a_client_raises_is_one_public_exception_and_the_clients_own(client):
    kind = asker_of(client)
    asker = kind(Policy())
    with pytest.raises(BlockedError) as found:
        asker.ask("http://127.0.0.1/")
    asker.close()
    error = found.value
    assert isinstance(error, kind.error) and error.verdict.codes == ("loopback-address",)
    said = traceback.format_exception_only(type(error), error)[0]
    assert said.startswith("urlsm.guard.BlockedError: ")
    assert str(type(error)) == "<class 'urlsm.guard.BlockedError'>"
    for made in (copy.copy(error), pickle.loads(pickle.dumps(error))):
        assert type(made) is type(error) and made.verdict == error.verdict and str(made) == str(error)


def test_a_program_may_subclass_the_exception():
    class OurError(BlockedError):
        pass

    assert OurError.__module__ == __name__


@pytest.mark.parametrize("client", ["aiohttp", "httpcore", "httpx", "requests", "urllib", "urllib3"])
def test_no_name_of_the_guard_hides_a_client(client):
    assert client not in dir(urlsm.guard)
    with pytest.raises(ImportError):
        exec(f"from urlsm.guard import {client}")


def test_each_name_shows_where_it_is_imported_from():
    for name in urlsm.guard.__all__:
        try:
            thing = getattr(urlsm.guard, name)
        except ModuleNotFoundError as error:
            assert str(error).startswith(f"urlsm.guard.{name} needs {error.name}: pip install 'urlsm[")
            continue
        assert (thing.__module__, thing.__name__) == ("urlsm.guard", name)


@pytest.mark.parametrize(
    ("name", "extra", "absent"),
    [
        ("httpx_client", "httpx", "httpx"),
        ("HttpcoreBackend", "httpx", "httpcore"),
        ("requests_session", "requests", "requests"),
        ("urllib3_pool", "urllib3", "urllib3"),
        ("AiohttpConnector", "aiohttp", "aiohttp"),
    ],
)
def test_a_client_that_is_absent_is_named_with_its_extra(monkeypatch, name, extra, absent):
    for module in [*sys.modules]:
        if module.startswith("urlsm.guard._") or module in ("urlsm.guard.connector", "urlsm.guard.protocols"):
            monkeypatch.delitem(sys.modules, module)
    for module in ("httpx", "httpcore", "requests", "urllib3", "aiohttp", absent):
        monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.delitem(vars(urlsm.guard), name, raising=False)
    with pytest.raises(ModuleNotFoundError) as found:
        getattr(urlsm.guard, name)
    said = str(found.value)
    assert said.startswith(f"urlsm.guard.{name} needs ") and said.endswith(f": pip install 'urlsm[{extra}]'")
