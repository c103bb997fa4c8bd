"""validate against the RFCs' grammars as regular expressions (support/grammar.py): strings made from them are valid,
and of strings with one octet changed, those that they match."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support import grammar

import urlsm

REFERENCES = {"rfc3986": grammar.REFERENCE_3986, "rfc2396": grammar.REFERENCE_2396}
# rules of RFC 1738 and of the protocols behind it that its grammar leaves out
BEYOND = {
    "gopher": {"gopher-selector-forbidden-octet", "line-break-encoded", "nul-encoded"},
    "ftp": {"line-break-encoded", "nul-encoded"},
    "telnet": {"line-break-encoded"},
    "mailto": {"mailto-address-invalid", "nul-encoded"},
    "news": {"news-message-id-invalid", "line-break-encoded", "authority-not-allowed"},  # an article "//...@host"
    "nntp": {"line-break-encoded"},
    "wais": {"line-break-encoded"},
}


def mutations(text: str, data: st.DataObject) -> str:
    """Yield the text with one octet removed, inserted or replaced."""
    at = data.draw(st.integers(0, max(len(text) - 1, 0)))
    octet = data.draw(st.sampled_from("/?#[]@:;=&%+,~!$'()*-._ \t\n\\^`{}|<>\"\0\x7faZ09évV"))
    return text[:at] + data.draw(st.sampled_from([octet, ""])) + text[at + data.draw(st.integers(0, 1)) :]


def codes(text: str, dialect: str) -> set[str]:
    return {violation.code for violation in urlsm.validate(text, dialect=dialect) if violation.severity != "warning"}


def ascii_strings(pattern: str) -> st.SearchStrategy[str]:
    return st.from_regex(re.compile(pattern, re.ASCII), fullmatch=True)


few = settings(suppress_health_check=list(HealthCheck), max_examples=settings.default.max_examples // 4)


@pytest.mark.once
@pytest.mark.parametrize("dialect", REFERENCES)
@few
@given(st.data())
def test_any_reference(dialect, data):
    text = data.draw(ascii_strings(REFERENCES[dialect]))
    assert codes(text, dialect) == set(), text
    changed = mutations(text, data)
    known = re.match("([a-z0-9+.-]+):", changed, re.IGNORECASE)
    if known is None or dialect == "rfc2396" or urlsm.handler(known[1]).names == ():
        # another scheme without a handler will do
        judged = changed if known is None else "zz" + changed if known[1][0].isalpha() else changed
        assert (codes(changed, dialect) == set()) == grammar.matches(REFERENCES[dialect], judged), changed


@pytest.mark.once
@pytest.mark.parametrize("scheme", grammar.RFC_1738)
@few
@given(st.data())
def test_rfc_1738(scheme, data):
    pattern = grammar.RFC_1738[scheme]
    rest = data.draw(ascii_strings(pattern))
    assert codes(f"{scheme}:{rest}", "rfc1738") <= BEYOND.get(scheme, set()), rest
    changed = mutations(rest, data)
    if grammar.matches(pattern, changed):
        assert codes(f"{scheme}:{changed}", "rfc1738") <= BEYOND.get(scheme, set()), changed
    else:
        assert codes(f"{scheme}:{changed}", "rfc1738"), changed
