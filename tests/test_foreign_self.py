"""What is written in C, called wrongly: with another object for self, an object that was never initialised, the state
of another, or a text whose methods lie.

Each raises and does not crash. Cython's own functions do not check self, so such a class has @cython.binding(False):
its methods are then the interpreter's own descriptors, which do.
"""

from __future__ import annotations

import contextlib
import json
import pathlib
import subprocess
import sys

import pytest

import urlsm

TESTS = str(pathlib.Path(__file__).parent)
FIND = """
import copy, faulthandler, importlib, inspect, json, pickle, pkgutil
import urlsm.guard, urlsm.patterns
import urlsm
from importlib.machinery import EXTENSION_SUFFIXES
from urlsm import URL
faulthandler.enable()
HEAP_TYPE = 1 << 9  # written in Python
NO_SELF = ("staticmethod", "classmethod", "classmethod_descriptor")
classes = {}
for found in pkgutil.walk_packages(urlsm.__path__, "urlsm."):
    if not found.module_finder.find_spec(found.name).origin.endswith(tuple(EXTENSION_SUFFIXES)):
        continue
    for kind in vars(importlib.import_module(found.name)).values():
        if isinstance(kind, type) and kind.__module__.startswith("urlsm.") and not kind.__flags__ & HEAP_TYPE:
            classes[f"{kind.__module__}.{kind.__qualname__}"] = kind
calls, wrong = 0, []
def tried(call, *names):
    global calls
    calls += 1
    try:
        call()
    except ALLOWED:
        pass
    except BaseException as error:
        wrong.append([*names, repr(error)])
    else:
        if ANSWERS_ARE_WRONG:
            wrong.append([*names, "an answer"])
"""
FOREIGN = """
for name, kind in classes.items():
    for attribute, method in vars(kind).items():
        if inspect.isroutine(method) and type(method).__name__ not in NO_SELF and attribute != "__new__":
            for self in (object(), None, "x", 1, b"", kind, (), URL):
                for more in ((), ("a",), ("a", "b"), (None, None, None)):
                    tried(lambda: method(self, *more), name, attribute, repr(self), len(more))
"""
LATER = """
for name in dir(URL):  # the rarer ones are functions and properties of other modules
    method = getattr(URL, name, None)
    method = method.fget if isinstance(method, property) else method
    if inspect.isroutine(method) and not hasattr(object, name):
        for self in (object(), None, "x", 1, b"", URL, ()):
            for more in ((), ("a",), ("a", "b"), (None, None, None)):
                tried(lambda: method(self, *more), name, repr(self), len(more))
"""
STATES = """
for name, kind in classes.items():  # and what is derived of them in Python
    for attribute in ("__setstate_cython__", "__reduce_cython__"):
        tried(lambda: getattr(kind, attribute), name, attribute)
    if "__setstate__" not in vars(kind):
        tried(lambda: kind.__setstate__, name, "__setstate__")
for made in (urlsm.guard.Policy(), urlsm.patterns.PatternSet(["a.b"])):
    tried(lambda: made.__setstate__(()), repr(made))
"""
LYING = """
from support import calls as every
ABSURD = {"__len__": lambda self: 10**9, "__getitem__": lambda self, key: "x" * 99,
          "__iter__": lambda self: iter([self]), "__contains__": lambda self, other: True,
          "__hash__": lambda self: 1, "isascii": lambda self: True,
          "__str__": lambda self: "y" * 99, "__bytes__": lambda self: b"y" * 99, "find": lambda self, *more: 10**6,
          "encode": lambda self, *more: b"z" * 99, "decode": lambda self, *more: "z" * 99,
          "startswith": lambda self, *more: True, "partition": lambda self, *more: (self,) * 3}
Text, Octets = type("Text", (str,), ABSURD), type("Octets", (bytes,), ABSURD)
each = every._each
def lying(given):
    if type(given) in (str, bytes):
        return Text(given) if type(given) is str else Octets(given)
    return type(given)(map(lying, given)) if type(given) in (list, tuple) else given
def subjects(arguments):
    for name, several in arguments.items():
        for given in several:
            octets = [a.encode("utf-8", "surrogatepass") if type(a) is str else a for a in given[:1]]
            yield name, [lying(given), lying(given[:1]) + given[1:], (*lying(octets), *given[1:])]
every._each = lambda module, arguments: {key + str(number): call for number, (name, several) in
    enumerate(subjects(arguments)) for key, call in each(module, {name: several}).items()}
for area in every.AREAS.values():
    for name, call in area().items():
        tried(call, name)
tried(lambda: urlsm.explain(Octets(b"\\xff" * 30)), "explain")
"""
EMPTY = """
for name, kind in classes.items():
    try:
        made = kind.__new__(kind)
    except Exception:
        continue
    for attribute, method in vars(kind).items():
        if attribute not in ("__new__", "__del__"):
            tried(lambda: getattr(made, attribute), name, attribute)
            for more in ((), ("a",), ("a", "b"), (made,)):
                tried(lambda: getattr(made, attribute)(*more), name, attribute, len(more))
    for call in (repr, str, hash, len, iter, list, dict, copy.copy, copy.deepcopy, pickle.dumps, bool):
        tried(lambda: call(made), name, call.__name__)
"""


@pytest.mark.parametrize(
    ("script", "allowed", "answers"),
    [
        (FOREIGN, "TypeError", True),
        (LATER, "Exception", False),
        (EMPTY, "Exception", False),
        (STATES, "AttributeError", True),
        (LYING, "Exception", False),
    ],
    ids=["foreign", "later", "empty", "states", "lying"],
)
def test_nothing_trusts_what_it_is_given(script, allowed, answers):
    code = f"import sys\nsys.path.insert(0, {TESTS!r})\n{FIND}{script}\nprint(json.dumps([len(classes), calls, wrong]))"
    code = code.replace("ALLOWED", allowed).replace("ANSWERS_ARE_WRONG", str(answers))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    classes, calls, wrong = json.loads(done.stdout)
    assert wrong == []
    assert classes > 15 and calls > 60


def test_an_attribute_with_a_name_that_no_look_up_caches():
    for name in ("a" * 101, "a", "href", "\u00e9" * 200):
        with pytest.raises(AttributeError):
            setattr(urlsm.parse("http://h/"), name, 1)
        with pytest.raises(AttributeError):
            delattr(urlsm.parse("http://h/"), name)


def test_what_join_returns_is_raised_however_it_is_called():
    """It returns the exception, which the interpreter must not see, also in a specialised call."""
    url = urlsm.parse("http://h/a/b")
    bound, calls = url.join, 0
    for _ in range(100):
        for call in (url.join, bound, lambda ref: url.join(ref), lambda ref: url.join(ref=ref)):
            with pytest.raises(urlsm.ParseError):
                call("http://a b/")
            assert call("c").path == "/a/c"
        with contextlib.suppress(urlsm.ParseError):
            url.join("http://a b/")
            calls += 1
    assert calls == 0
