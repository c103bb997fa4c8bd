"""The table of differences between interpreters: its rows are right for the running one, and each row has its effect
either way (in a process where the table was filled beforehand)."""

import subprocess
import sys
import urllib.parse as theirs

import pytest

import urlsm.stdlib as ours
from urlsm.stdlib import _probe
from urlsm.stdlib._probe import DIFFERENCES

# row -> (call, result if the row is false, if it is true); a name of an exception: it is raised.
# "with": other rows that it takes
ROWS = {
    "hashes_arguments": ("urlsplit(bytearray(b'a')).path", "b'a'", "TypeError"),
    "hashes_throughout": ("urljoin('http://a/b', 'c', [])", "'http://a/c'", "TypeError"),
    "strips_start": ("urlsplit('\\x01 a b ').path", r"'\x01 a b '", "'a b '"),
    "scheme_starts_with_letter": ("urlsplit('1a:b').scheme", "'1a'", "''"),
    "scheme_may_be_none": ("urlparse('//h', None).netloc", "AttributeError", "'h'"),
    "none_is_neither": ("type(urlparse(None)).__name__", "'ParseResultBytes'", "'ParseResult'"),
    "checks_brackets": ("urlsplit('//[a]').netloc", "'[a]'", "ValueError"),
    "checks_beside_brackets": ("urlsplit('//a[::1]').netloc", "'a[::1]'", "ValueError"),
    "accepts_upper_case_v": ("urlsplit('//[Va.b]').netloc", "ValueError", "'[Va.b]'"),
    "doubles_slashes": ("urlunsplit(('', '', '//a', '', ''))", "'//a'", "'////a'"),
    "keeps_relative_path": ("urlunsplit(('http', '', 'a', '', ''))", "'http:///a'", "'http:a'"),
    "params_come_last": ("urlunparse(('http', '', '', 'a', '', ''))", "'http:;a'", "'http:///;a'"),
    "keeps_empty": (
        "(urljoin('http://h/a;b?c', '?'), urldefrag('http:///a?#b').url)",
        "('http://h/a;b?c', 'http:///a')",
        "('http://h/a;b?', 'http:///a?')",
    ),
    "missing_as_none": ("urlsplit('a', missing_as_none=True).__class__", "TypeError", repr(theirs.SplitResult)),
    "empty_query_has_no_field": ("parse_qsl('', strict_parsing=True)", "ValueError", "[]"),
    "queries_of_octets": ("parse_qsl(b'a=%ff')", "UnicodeEncodeError", r"[(b'a', b'\xff')]"),
    "deprecates_false_queries": ("parse_qsl(FalseOctets(b'a=b'))", "[]", "[(b'a', b'b')]"),
    "unquotes_to_exact_bytes": ("type(unquote_to_bytes(bytearray(b'a'))).__name__", "'bytearray'", "'bytes'"),
    "urlencode_chains": ("has_cause(lambda: urlencode(1))", "False", "True"),
}

PROGRAM = """if True:
    import importlib.util, sys
    spec = importlib.util.spec_from_file_location("urlsm.stdlib._probe", {path!r})
    probe = sys.modules["urlsm.stdlib._probe"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(probe)
    probe.DIFFERENCES.update({differences})
    trial = sys.modules["urlsm.stdlib._trial"] = type(sys)("urlsm.stdlib._trial")
    trial.agrees = lambda name, function: True  # or what is not this interpreter's way would not be used
    from urlsm.stdlib import *
    has_cause, FalseOctets = probe._has_cause, probe._FalseOctets
    try:
        print(repr({call}))
    except Exception as error:
        print(type(error).__name__)
"""
# a row may depend on others
NEEDED = {
    "hashes_throughout": {"hashes_arguments": True},
    "checks_beside_brackets": {"checks_brackets": True}, "accepts_upper_case_v": {"checks_brackets": True},
    "params_come_last": {"doubles_slashes": True, "keeps_relative_path": True},
    "none_is_neither": {"scheme_may_be_none": True}, "deprecates_false_queries": {"queries_of_octets": True},
    "missing_as_none": {},
}  # fmt: skip


def test_every_row_is_here():
    assert set(ROWS) == set(DIFFERENCES)
    assert all(type(value) is bool for value in DIFFERENCES.values())


def result_of(call, module):
    try:
        names = {"has_cause": _probe._has_cause, "FalseOctets": _probe._FalseOctets}
        return repr(eval(call, {**vars(module), **names}))
    except Exception as error:
        return type(error).__name__


@pytest.mark.parametrize("row", ROWS)
def test_this_interpreters_row_is_right(row):
    call, without, with_it = ROWS[row]
    if DIFFERENCES[row] or all(DIFFERENCES[other] for other in NEEDED.get(row, ())):
        assert result_of(call, theirs) == (with_it if DIFFERENCES[row] else without)
    if row != "missing_as_none":  # ours have it in any case
        assert result_of(call, ours) == result_of(call, theirs)


@pytest.mark.parametrize("value", [False, True])
@pytest.mark.parametrize("row", [row for row in ROWS if row != "missing_as_none"])  # which is about the classes
def test_a_row_does_what_it_says(row, value):
    differences = {**DIFFERENCES, **NEEDED.get(row, {}), row: value}
    code = PROGRAM.format(path=_probe.__file__, differences=differences, call=ROWS[row][0])
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.stdout.strip() == ROWS[row][1 + value]
