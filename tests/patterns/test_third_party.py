"""A third party adds a syntax: forty lines, announced by the entry-point group "urlsm.syntaxes".

The example is the list of hosts files and DNS blockers (Pi-hole, AdAway): "0.0.0.0 ads.example" blocks a name, and a
line with only a name also blocks the names below it.
"""

from __future__ import annotations

import pathlib
import pickle
import sys

import pytest

from urlsm.patterns import PatternError, PatternSet

# --- the module of the third party: from here ---------------------------------------------------------------
MODULE = '''
"""The syntax "hosts-file": the names that a hosts file sends to nowhere."""

from urlsm.patterns import PatternError, Rule, Syntax
from urlsm.patterns.rule import BOTH, EXACT
from urlsm.patterns.syntax import host_key

NOWHERE = ("0.0.0.0", "127.0.0.1", "::", "::1")
OWN = ("localhost", "localhost.localdomain", "local", "broadcasthost", "ip6-localhost", "ip6-loopback")


def rules(pattern, options):
    """"0.0.0.0 ads.example www.ads.example" are these names; "ads.example" is that name and all below it."""
    words = pattern.partition("#")[0].split()
    if len(words) == 1:
        yield Rule(host=(BOTH, host_key(words[0], pattern, addresses=False)))
        return
    if words[0] not in NOWHERE:
        if options["others"] == "skip":
            return
        raise PatternError("not-nowhere", f"{words[0]} is an address that somebody answers at", pattern)
    for name in words[1:]:
        if name not in OWN:
            yield Rule(host=(EXACT, host_key(name, pattern, pattern.index(name), addresses=False)))


SYNTAX = Syntax("hosts-file", rules=rules, options={"others": "refuse"}, blocks=True)
'''
# --- to here -------------------------------------------------------------------------------------------------
ENTRY_POINTS = "[urlsm.syntaxes]\nhosts-file = hosts_file:SYNTAX\n"

LIST = """\
# a list
127.0.0.1 localhost
0.0.0.0 ads.example www.ads.example  # two names
0.0.0.0 Tracker.Example
everything-below.example
"""


@pytest.fixture
def installed(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write the distribution of the third party as pip would lay it out."""
    (tmp_path / "hosts_file.py").write_text(MODULE, encoding="utf-8")
    about = tmp_path / "hosts_file-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: hosts-file\nVersion: 1.0\n", encoding="utf-8")
    (about / "entry_points.txt").write_text(ENTRY_POINTS, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "hosts_file", raising=False)


@pytest.mark.usefixtures("installed")
def test_a_syntax_that_a_distribution_announces():
    assert len(MODULE.strip().splitlines()) <= 40
    patterns = PatternSet(LIST, "hosts-file")
    assert len(patterns) == 4
    for url, blocked in (
        ("https://ads.example/", True),
        ("https://a.ads.example/", False),
        ("https://www.ads.example/x", True),
        ("https://tracker.example/", True),
        ("https://a.everything-below.example/", True),
        ("http://localhost/", False),
        ("https://example.org/", False),
        ("not a URL", True),
    ):
        assert (url in patterns) is blocked, url
    assert patterns.match("https://www.ads.example/").line == 3
    assert patterns.explain("https://example.org/").component == "host"
    assert pickle.loads(pickle.dumps(patterns)) == patterns
    assert "covered" in {lint.code for lint in PatternSet("a.example\nb.a.example", "hosts-file").lint()}


@pytest.mark.usefixtures("installed")
def test_its_options_and_errors():
    with pytest.raises(PatternError, match="somebody answers"):
        PatternSet("192.0.2.1 a.example", "hosts-file")
    assert "https://a.example/" not in PatternSet("192.0.2.1 a.example", "hosts-file", others="skip")
    with pytest.raises(TypeError, match="the syntax 'hosts-file' has no option 'flavor'"):
        PatternSet("a.example", "hosts-file", flavor="x")


@pytest.mark.usefixtures("installed")
def test_the_command_line_has_it(capsys: pytest.CaptureFixture[str]):
    from urlsm.cli.app import main

    assert main(["match", "--syntax", "hosts-file", "--pattern", "a.example", "https://b.a.example/"]) == 0
    assert capsys.readouterr().out == "in   https://b.a.example/  a.example  (line 1)\n"


def test_it_is_not_there_unless_installed():
    with pytest.raises(ValueError, match=r"syntax must be one of .*, not 'hosts-file'"):
        PatternSet("a.example", "hosts-file")
