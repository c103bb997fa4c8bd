"""The modules that stood in schemes/ before its families had folders: their old names are still found."""

from __future__ import annotations

import importlib
import json
import pathlib
import pickle
import subprocess
import sys

import pytest

import urlsm
import urlsm.schemes
from urlsm.schemes import BUILT_IN, MOVED, Parts, Scheme

FOLDER = pathlib.Path(urlsm.schemes.__file__).parent


@pytest.mark.parametrize("name", MOVED)
def test_an_old_name_is_the_same_module(name):
    new = importlib.import_module(f"urlsm.schemes.{MOVED[name]}.{name}")
    assert importlib.import_module(f"urlsm.schemes.{name}") is new is getattr(urlsm.schemes, name)
    assert sys.modules[f"urlsm.schemes.{name}"] is new
    assert new.__spec__.name == new.__name__ == f"urlsm.schemes.{MOVED[name]}.{name}"


@pytest.mark.parametrize("name", MOVED)
def test_pickles_name_classes_by_either(name):
    module = importlib.import_module(f"urlsm.schemes.{name}")
    classes = [
        found
        for found in vars(module).values()
        if isinstance(found, type) and issubclass(found, (Parts, Scheme)) and found.__module__ == module.__name__
    ]
    assert classes or name == "media_type"
    for found in classes:
        assert pickle.loads(pickle.dumps(found)) is found
        assert pickle.loads(f"curlsm.schemes.{name}\n{found.__name__}\n.".encode()) is found


def test_in_a_new_interpreter_each_way_of_importing_comes_first():
    ways = [
        "import urlsm.schemes.http; found = urlsm.schemes.http.Http",
        "import urlsm.schemes.http as http; found = http.Http",
        "from urlsm.schemes.http import Http as found",
        "from urlsm.schemes import http; found = http.Http",
        "import urlsm; found = urlsm.schemes.http.Http",
        "import pickle; found = pickle.loads(b'curlsm.schemes.http\\nHttp\\n.')",
        "from urlsm.schemes.web.http import Http as found",
    ]
    for way in ways:
        code = f"{way}\nimport json, sys, urlsm\nfound = [found is type(urlsm.handler('http')), found.__module__]"
        said = subprocess.run(
            [sys.executable, "-c", f"{code}\nprint(json.dumps(found))"], capture_output=True, text=True, check=True
        )
        assert json.loads(said.stdout) == [True, "urlsm.schemes.web.http"], way


def test_parts_that_were_pickled_before_are_read():
    parts = urlsm.parse("ftp://ex.com/a;type=i").parts
    old = pickle.dumps(parts, 0).replace(b"urlsm.schemes.files.ftp", b"urlsm.schemes.ftp")
    assert b"urlsm.schemes.ftp\n" in old
    assert pickle.loads(old) == parts


def test_nothing_else_is_found():
    for name in ("nowhere", "web.nowhere", "http.nowhere", "Http"):
        with pytest.raises(ModuleNotFoundError):
            importlib.import_module(f"urlsm.schemes.{name}")
    with pytest.raises(AttributeError, match="no attribute 'nowhere'"):
        _ = urlsm.schemes.nowhere


def test_each_module_with_a_handler_is_in_the_folder_of_a_family():
    flat = {place.partition(":")[0] for place in BUILT_IN.values()} - {"rows"}
    assert {module for module in flat if "." not in module} == set()
    assert {f"{family}/{name}.py" for name, family in MOVED.items()} <= {
        path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.py")
    }
