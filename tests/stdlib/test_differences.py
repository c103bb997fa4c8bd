"""The table of what differs between interpreters: the row of the one at hand is right, and each row, either way, does
what it says (in a process where the table was filled beforehand)."""

import subprocess
import sys
import urllib.parse as theirs

import pytest

import urlsm.stdlib as ours
from urlsm.stdlib._probe import DIFFERENCES

# row -> (call, what it gives where the row is false, where it is true); a name of an exception: that is raised.
# "with": other rows that it takes
ROWS = {
    "hashes_arguments": ("urlsplit(bytearray(b'a')).path", "b'a'", "TypeError"),
    "strips_start": ("urlsplit('\\x01 a b ').path", r"'\x01 a b '", "'a b '"),
    "scheme_starts_with_letter": ("urlsplit('1a:b').scheme", "'1a'", "''"),
    "checks_brackets": ("urlsplit('//[a]').netloc", "'[a]'", "ValueError"),
    "checks_beside_brackets": ("urlsplit('//a[::1]').netloc", "'a[::1]'", "ValueError"),
    "doubles_slashes": ("urlunsplit(('', '', '//a', '', ''))", "'//a'", "'////a'"),
    "keeps_relative_path": ("urlunsplit(('http', '', 'a', '', ''))", "'http:///a'", "'http:a'"),
    "empty_query_has_no_field": ("parse_qsl('', strict_parsing=True)", "ValueError", "[]"),
    "queries_of_octets": ("parse_qsl(b'a=%ff')", "UnicodeEncodeError", r"[(b'a', b'\xff')]"),
    "unquotes_to_exact_bytes": ("type(unquote_to_bytes(bytearray(b'a'))).__name__", "'bytearray'", "'bytes'"),
    "urlencode_chains": ("has_cause(lambda: urlencode(1))", "False", "True"),
    "quoter_is_deprecated": ("[Quoter.__name__]", "['Quoter']", "['_Quoter']"),
}

HAS_CAUSE = """def has_cause(call):
        try:
            call()
        except TypeError as error:
            return error.__cause__ is not None
"""
exec(HAS_CAUSE)

PROGRAM = """if True:
    import sys, types
    probe = sys.modules["urlsm.stdlib._probe"] = types.ModuleType("urlsm.stdlib._probe")
    probe.DIFFERENCES = {differences}
    import urllib.parse
    from urlsm.stdlib import *
    from urlsm.stdlib import Quoter
    {has_cause}
    try:
        print(repr({call}))
    except Exception as error:
        print(type(error).__name__)
"""


def test_every_row_is_here():
    assert set(ROWS) == set(DIFFERENCES)
    assert all(type(value) is bool for value in DIFFERENCES.values())


def result_of(call, module):
    try:
        quoter = vars(theirs).get("_Quoter") or vars(theirs).get("Quoter")
        return repr(eval(call, {**vars(module), "Quoter": quoter, "has_cause": globals()["has_cause"]}))
    except Exception as error:
        return type(error).__name__


@pytest.mark.parametrize("row", ROWS)
def test_this_interpreters_row_is_right(row):
    call, without, with_it = ROWS[row]
    assert result_of(call, theirs) == (with_it if DIFFERENCES[row] else without)
    assert result_of(call, ours) == result_of(call, theirs)


@pytest.mark.parametrize("value", [False, True])
@pytest.mark.parametrize("row", [row for row in ROWS if row != "quoter_is_deprecated"])
def test_a_row_does_what_it_says(row, value):
    needed = {"checks_beside_brackets": {"checks_brackets": True}, "queries_of_octets": {}}.get(row, {})
    code = PROGRAM.format(differences={**DIFFERENCES, **needed, row: value}, call=ROWS[row][0], has_cause=HAS_CAUSE)
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.stdout.strip() == ROWS[row][1 + value]
