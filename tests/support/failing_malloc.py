"""python failing_malloc.py SHIM module|plugin|patterns, with SHIM preloaded: each place where malloc may fail in calls.

Prints what was wrong, a line each, and last the number of failures tried.
"""

from __future__ import annotations

import ctypes
import gc
import sys
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import urlsm.columns as uc
from urlsm.columns import work
from urlsm.columns.work import column_of_lines

LINES = b"\n".join(
    [b"http://example.com/a?b#c", b"HTTP://User:pw@EXAMPLE.com:81/a b/../c?q=1&x=%41#f", b"http://a b/", b"/rel", b"",
     b"mailto:a@b", b"http://b\xc3\xbccher.example/%ff/\xe4", b"blob:https://a.b:99/x"] * 40
)  # fmt: skip
MOST = 400  # places


class Series(ctypes.Structure):
    """SeriesExport of polars-ffi 0.1."""


RELEASE = ctypes.CFUNCTYPE(None, ctypes.POINTER(Series))
Series._fields_ = [
    ("field", ctypes.c_void_p),
    ("arrays", ctypes.POINTER(ctypes.c_void_p)),
    ("count", ctypes.c_size_t),
    ("release", RELEASE),
    ("private", ctypes.c_void_p),
]


def module_calls() -> dict[str, Callable[[], object]]:
    binary = column_of_lines(LINES)
    columns = {name: uc.split(binary, ("path",), layout=name).field("path") for name in ("string", "view")}
    columns["binary"] = binary
    calls: dict[str, Callable[[], object]] = {}
    for name, column in columns.items():
        for text in ("view", "large_string"):
            calls[f"parse {name} {text}"] = lambda c=column, t=text: uc.parse(c, uc.FIELDS[:14], layout=t)
        calls[f"host {name}"] = lambda c=column: uc.host(c)
        calls[f"split {name}"] = lambda c=column: uc.split(c, dialect="rfc3986")
        calls[f"segments {name}"] = lambda c=column: uc.segments(c)
        calls[f"param {name}"] = lambda c=column: uc.query_param(c, "q")
        calls[f"resolve {name}"] = lambda c=column: uc.resolve(c, base=binary)
        calls[f"keys {name}"] = lambda c=column: uc.canonicalize(c, "w3lib")
        calls[f"export {name}"] = lambda c=column: uc.parse(c).__arrow_c_array__()
    codes = uc.parse(binary, ("error_code",)).field("error_code")  # a dictionary
    for text in ("view", "string", "large_string"):
        calls[f"dictionary {text}"] = lambda t=text: uc.parse(codes, ("host", "path"), base="http://a/", layout=t)
    calls["chunks"] = lambda: list(uc.parse_stream(uc.ChunkedArray([binary, binary], binary.schema), threads=1))
    calls["lines"] = lambda: column_of_lines(LINES)
    return calls


def patterns_calls() -> dict[str, Callable[[], object]]:
    """Sets of patterns that are made, and plugin_arguments."""
    from urlsm.crawler import Robots
    from urlsm.patterns import PatternSet
    from urlsm.whatwg import URLPattern

    lists = {
        "domains": [f"{'a' * 50}{k}.example.com" for k in range(60)],
        "match-pattern": [f"https://*.h{k}.example/{'p' * 60}*{k}*" for k in range(60)],
        "glob": [f"https://h{k}.example/**/[a-f]{{{'x' * 40},y}}/**" for k in range(10)],
    }
    long = "https://h1.EXAMPLE/" + "é" * 900
    robots = "User-agent: *\n" + "".join(f"Disallow: /{'x' * 40}{k}*y\n" for k in range(60))
    pattern = URLPattern("https://*.example/:a/([a-c]+)*")
    column = column_of_lines(b"\n".join([long.encode(), b"https://a@b@h1.example/", b"x", b"http://a/..%2f"] * 20))
    calls: dict[str, Callable[[], object]] = {}
    for name, patterns in lists.items():
        made = PatternSet(patterns, name, exclude=patterns[:3])
        calls[f"make {name}"] = lambda p=patterns, n=name: PatternSet(p, n, exclude=p[:3])
        calls[f"ask {name}"] = lambda m=made: (long in m, m.match(long), m.filter([long]), m.all(long))
        calls[f"column {name}"] = lambda m=made: (uc.matches(column, m), uc.pattern_index(column, m))
    calls["robots"] = lambda: Robots(robots).allows("/" + "%41é" * 400, "bot")
    calls["url pattern"] = lambda: (pattern.test(long), pattern.exec(long))
    return calls


def plugin_calls() -> dict[str, Callable[[], object]]:
    """Return calls of the C functions that Polars calls."""
    import pickle

    from urlsm.columns.names import FIVE, SPANS, plugin_arguments

    library = ctypes.CDLL(work.__file__)
    library._polars_plugin_get_last_error_message.restype = ctypes.c_char_p
    library._polars_plugin_get_last_error_message()  # (glibc aborts if memory runs out for a thread's data)
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    column = uc.split(column_of_lines(LINES), ("path",), layout="view").field("path")
    column = uc.resolve(column, base="http://a/", layout="view")
    keep = RELEASE(lambda series: None)

    def call(name: str, question: str) -> Callable[[], object]:
        kwargs = pickle.dumps({"q": question}, protocol=5)
        function = getattr(library, f"_polars_plugin_{name}")

        def called() -> object:
            fail(-1)
            schema, array = column.__arrow_c_array__()
            arrays = (ctypes.c_void_p * 1)(pointer(array, b"arrow_array"))
            given = Series(pointer(schema, b"arrow_schema"), arrays, 1, keep, None)
            out = Series()
            size = ctypes.c_size_t(len(kwargs))
            fail(place)
            function(ctypes.byref(given), ctypes.c_size_t(1), kwargs, size, ctypes.byref(out), None)
            fail(-1)
            if not out.private:
                message = library._polars_plugin_get_last_error_message()
                raise MemoryError if b"MemoryError" in message else ValueError(message)
            ctypes.CFUNCTYPE(None, ctypes.c_void_p)(
                ctypes.cast(ctypes.c_void_p(out.arrays[0] + RELEASE_AT), ctypes.POINTER(ctypes.c_void_p))[0]
            )(out.arrays[0])
            out.release(ctypes.byref(out))
            return None

        return called

    return {
        "host": call("url_host", "1-Dhost,"),
        "parse": call("url_parse", plugin_arguments("+-", FIVE)),
        "split": call("url_split", plugin_arguments("+1", SPANS)),
    }


RELEASE_AT = 8 * 8  # of the struct ArrowArray: after five numbers and three pointers
place = -1
shim = ctypes.CDLL(sys.argv[1])
live = ctypes.c_long.in_dll(shim, "live")
fail = shim.fail_at
fail.argtypes, fail.restype = [ctypes.c_long], None


def attempt(call: Callable[[], Any]) -> str:
    error = ""
    try:
        fail(place)
        call()
    except MemoryError:
        error = "MemoryError"
    except BaseException as caught:
        fail(-1)
        error = repr(caught)
    fail(-1)
    return error


def leaks(call: Callable[[], Any]) -> int:
    """Return how many more blocks each of five more attempts leaves."""
    counts = []
    for _ in range(6):
        attempt(call)
        gc.collect()
        counts.append(live.value)
    return min(b - a for a, b in pairwise(counts))


def main() -> None:
    global place
    tried = 0
    calls = {"module": module_calls, "plugin": plugin_calls, "patterns": patterns_calls}[sys.argv[2]]()
    for name, call in calls.items():
        place = -1
        if error := attempt(call):
            print(f"{name}: {error}")
        for place in range(MOST):
            error = attempt(call)
            tried += 1
            if error not in ("", "MemoryError"):
                print(f"{name} {place}: {error}")
            if not error:
                break
            if leaks(call):
                print(f"{name} {place}: leaks")
    print(f"tried {tried}")


main()
