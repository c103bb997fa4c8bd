"""One class a client behind a policy, in a module of the client's name: the tests of tests/guard ask all of them
alike."""

from __future__ import annotations

import importlib
import pathlib
from typing import Any, NamedTuple

import pytest

NAMES = sorted(path.stem for path in pathlib.Path(__file__).parent.glob("[a-z]*.py"))


class Answer(NamedTuple):
    status: int
    content: bytes
    url: str  # after redirects


def asker_of(name: str) -> type[Any]:
    """Return the class Asker of a client, or skip the test if the client is not installed.

    An Asker is made of a policy and, for https, of an ssl.SSLContext: Asker(policy, context=None). It has refused and
    error, the guard's exception and the client's own (of which all failures are); ask(url, method="GET", headers=None,
    body=None, timeout=None), which returns an Answer after all of the content was read; and close(). It is used by many
    threads.
    """
    pytest.importorskip(name.removesuffix("_async"))
    module = importlib.import_module(f"support.askers.{name}")
    return module.Asker
