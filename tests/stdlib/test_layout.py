"""An unknown interpreter: result classes of another layout, functions that answer differently. Each in a process of its
own, in which urllib.parse is changed before urlsm.stdlib is imported."""

import gc
import pickle
import subprocess
import sys
import urllib.parse as theirs

import pytest

import urlsm.stdlib as ours

PROGRAM = """if True:
    import gc, pickle, sys, warnings
    import urllib.parse as theirs
    warnings.simplefilter("ignore")
    original = {{name: getattr(theirs, name) for name in theirs.__all__}}
    {change}
    import urlsm.stdlib as ours

    def outcome(function, *arguments):
        try:
            result = function(*arguments)
        except Exception as error:
            return type(error), str(error)
        return type(result), result, getattr(result, "__dict__", None), getattr(result, "extra", None)

    calls = [
        *((name, url) for name in ("urlsplit", "urlparse", "urldefrag")
          for url in ("http://u@h:8/a;b?c#d", b"http://h/a#b", "", "a\\tb", "//é/#é", "//[", "HTTP:x?#")),
        ("urljoin", "http://a/b/c", "../d;e?"), ("urlunsplit", ("http", "h", "p", "q", "f")), ("quote", "a b"),
        ("urlunsplit", theirs.SplitResult("http", "h", "/p", "", "f")), ("unquote", "a%20b"), ("parse_qs", "a=b&c=d"),
        ("parse_qsl", "a=b"), ("urlencode", {{"a": "b c"}}), ("quote_plus", "a b"), ("unquote_to_bytes", "%20"),
        ("urlunparse", ("http", "h", "p", "", "q", "f")),
    ]
    for name, *arguments in calls:
        assert outcome(getattr(ours, name), *arguments) == outcome(getattr(theirs, name), *arguments), (name, arguments)
    for _ in range(300):
        kept = [outcome(getattr(ours, name), *arguments) for name, *arguments in calls]
        for _, result, *_ in kept:
            repr(result), hash(result) if isinstance(result, tuple) else None
        gc.collect(0)
    del kept, result
    gc.collect()
    print(sorted(set(theirs.__all__) & set(original) - set(ours.FUNCTIONS) - {{n for n in original if n[0] < "a"}}))
"""

SUBCLASSES = """for name in ("SplitResult", "ParseResult", "DefragResult"):
        pair = [type(name + end, (getattr(theirs, name + end),), {body}) for end in ("", "Bytes")]
        pair[0]._encoded_counterpart, pair[1]._decoded_counterpart = pair[1], pair[0]
        theirs.__dict__.update({{name: pair[0], name + "Bytes": pair[1]}})"""
BY_CONSTRUCTOR = {  # the classes are others: their constructors make the results
    "a dict": "{'__module__': 'x'}",
    "an initializer": "{'__slots__': (), '__init__': lambda self, *parts: None}",
}
if sys.version_info >= (3, 15):  # tuples may have slots
    BY_CONSTRUCTOR["a slot"] = "{'__slots__': ('extra',)}"
    BY_CONSTRUCTOR["slots"] = "{'__slots__': ('extra', 'more')}"

ANSWERS = {
    "urlsplit": "theirs.urlsplit = lambda *a: original['urlsplit'](*a)._replace(path='x')",
    "urlparse": "theirs.urlparse = lambda *a: original['urlparse'](*a)._replace(path='x')",
    "urldefrag": "theirs.urldefrag = lambda *a: original['urldefrag'](*a)._replace(fragment=a[0][:0])",
    "urlunsplit": "theirs.urlunsplit = lambda p: original['urlunsplit'](p).replace('////', '//./') + '!'",
    "urlunparse": "theirs.urlunparse = lambda p: 1 / 0",
    "urljoin": "theirs.urljoin = lambda a, b, *c: original['urljoin'](a, b, *c) if b not in ('?', b'?') else 'new'",
    "quote": "theirs.quote = lambda *a: original['quote'](*a).lower()",
    "quote_plus": "theirs.quote_plus = lambda *a: original['quote_plus'](*a).replace('+', '%20')",
    "unquote": "theirs.unquote = lambda *a: original['unquote'](*a).replace(' ', '_')",
    "unquote_to_bytes": "theirs.unquote_to_bytes = lambda *a: bytearray(original['unquote_to_bytes'](*a))",
    "parse_qs": "theirs.parse_qs = lambda *a: {k: tuple(v) for k, v in original['parse_qs'](*a).items()}",
    "parse_qsl": "theirs.parse_qsl = lambda *a: tuple(original['parse_qsl'](*a))",
    "urlencode": "theirs.urlencode = lambda *a: original['urlencode'](*a).encode()",
}


def run(change):
    code = PROGRAM.format(change=change)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return eval(done.stdout)


def test_nothing_is_handed_over_here():
    assert run("") == []
    assert {name for name in theirs.__all__ if not isinstance(getattr(theirs, name), type)} <= set(ours.FUNCTIONS)


@pytest.mark.parametrize("body", BY_CONSTRUCTOR)
def test_classes_laid_out_in_another_way_make_their_own_instances(body):
    assert run(SUBCLASSES.format(body=BY_CONSTRUCTOR[body])) == []


@pytest.mark.parametrize("name", ANSWERS)
def test_a_function_that_answers_as_none_did_stays_the_interpreters(name):
    assert name in run(ANSWERS[name])


def test_what_results_hold_besides_is_known_to_the_interpreter_alone():
    held = SUBCLASSES.format(body="{'__module__': 'x'}").replace("{{", "{").replace("}}", "}")
    changed = "def changed(*a, **k): r = urlsplit(*a, **k); r.extra = 5; return r"
    plain = "urlsplit = getattr(theirs.urlsplit, '__wrapped__', theirs.urlsplit)"
    lines = [held, plain, changed, "theirs.urlsplit = changed"]
    assert "urlsplit" in run("\n    ".join(lines))


def test_lists_may_lack_what_they_always_had():
    assert run("for name in ('params', 'netloc', 'relative'): getattr(theirs, 'uses_' + name).remove('https')") == []


def printed(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()


def test_a_function_is_loaded_and_tried_when_it_is_asked_for():
    loaded = "print(*(m[13:] for m in sys.modules if m.startswith('urlsm.stdlib._')))"
    lines = ["import sys, urlsm.stdlib as ours", loaded, "print('-')", "split = ours.urlsplit", loaded, "print('-')",
             "from urlsm.stdlib import *", "print(split is ours.urlsplit is vars(ours)['urlsplit'])"]  # fmt: skip
    first, then, same = " ".join(printed("\n".join(lines))).split(" - ")
    assert first == "_install"
    assert {"_install", "_parse", "_trial"} <= set(then.split())
    assert same == "True"


def test_functions_are_held_to_those_that_stood_there_at_import():
    """Another function in urllib.parse for a while does not change the result."""
    lines = ["import urllib.parse as theirs, urlsm.stdlib as ours", "kept = dict(vars(theirs))",
             "for name in theirs.__all__:",
             "    if not isinstance(kept[name], type): setattr(theirs, name, lambda *a, **k: 1 / 0)",
             "found = [getattr(ours, name) for name in ours._OURS]", "vars(theirs).update(kept)",
             "print(len(found), len(ours.FUNCTIONS), ours.urljoin('http://a/b', 'c'))"]  # fmt: skip
    count, _, joined = printed("\n".join(lines))
    assert (int(count), joined) == (len(ours._OURS), "http://a/c")


@pytest.mark.slow(20)
def test_results_live_and_die_a_million_times():
    """In a build with sanitizers, or under a debug build of the interpreter, a wrong size or count ends the process."""
    url = "http://user@h:8/a;b?c#d"
    calls = [(ours.urlsplit, url), (ours.urlparse, url), (ours.urldefrag, url), (ours.urlsplit, url.encode()),
             (ours.urlparse, url.encode()), (ours.urldefrag, "http://h/é#é")]  # fmt: skip
    wanted = [getattr(theirs, call.__name__)(argument) for call, argument in calls]
    counts = sys.getrefcount(url), sys.getrefcount(theirs.SplitResult)
    kept = []
    for turn in range(1_000_000 // len(calls) + 1):
        kept = [call(argument) for call, argument in calls]
        if turn % 5000 == 0:
            assert kept == wanted
            assert [hash(result) for result in kept] == [hash(result) for result in wanted]
            assert [pickle.loads(pickle.dumps(result)) for result in kept] == wanted
            assert [result.geturl() for result in kept] == [result.geturl() for result in wanted]
            gc.collect()
    kept.clear()
    assert (sys.getrefcount(url), sys.getrefcount(theirs.SplitResult)) == counts
