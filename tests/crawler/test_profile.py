"""Profiles: validated, frozen, and their form in C."""

from __future__ import annotations

import copy
import pathlib
import pickle
import re

import pytest

from urlsm import crawler
from urlsm.crawler import PROFILES, Profile, canonicalize, profile
from urlsm.crawler.rules import DEFAULTS, TABLE

RULES = pathlib.Path(crawler.__file__ or "").parent / "rules.pxd"


def test_names():
    assert profile("w3lib") is PROFILES["w3lib-2.5"] and profile("urlsm") is PROFILES["urlsm-1"]
    assert profile("surt").name == "surt" and repr(profile("surt")) == "<Profile surt>"
    with pytest.raises(ValueError, match=r"w3lib-2\.5, .*urlsm-1"):
        profile("w3lib-9")


def test_a_profile_is_its_fields():
    p = profile("w3lib")
    assert set(p.fields()) == set(DEFAULTS)
    assert Profile(**p.fields()) == p and hash(Profile(**p.fields())) == hash(p)
    assert Profile(**p.fields()).name is None and p.replace().name is None
    assert p.replace(fragment="keep") != p != object()
    assert p.replace(fragment="keep").fields()["fragment"] == "keep"
    assert eval(repr(p.replace(remove_params=["a"])), {"Profile": Profile}) == p.replace(remove_params=("a",))
    assert copy.copy(p) is p and copy.deepcopy(p) is p
    for q in (p, p.replace(fragment="keep")):
        again = pickle.loads(pickle.dumps(q))
        assert again == q and again.name == q.name
        assert again.canonicalize("http://h/?b&a#c") == q.canonicalize("http://h/?b&a#c")


def test_a_profile_is_frozen():
    p = profile("w3lib")
    for name in ("trim", "name", "rulebook"):
        with pytest.raises(AttributeError):
            setattr(p, name, "x")
        with pytest.raises(AttributeError):
            delattr(p, name)
    p.fields()["trim"] = "none"
    assert p.fields()["trim"] == "c0-space"


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"no_such": 1}, "no_such"),
        ({"trim": "all"}, "whitespace"),
        ({"trim": 1}, "whitespace"),
        ({"path_lower": 1}, "True or False"),
        ({"remove_params": [1]}, "sequence"),
        ({"path_safe": "é"}, "ASCII"),
        ({"path_params_safe": None}, "ASCII"),
        ({"dialect": "rfc822"}, "rfc3986"),
        ({"param_separators": ""}, "one or two"),
        ({"param_separators": "&;,"}, "one or two"),
    ],
)
def test_unknown_fields_and_values_are_refused(fields: dict, says: str):
    with pytest.raises(ValueError, match=says):
        Profile(**fields)
    with pytest.raises(ValueError, match=says):
        profile("surt").replace(**fields)


def test_a_text_is_no_sequence():
    with pytest.raises(TypeError, match="schemes must be a sequence of str, not str"):
        Profile(schemes="http")


def test_each_word_is_the_member_of_its_enum_with_its_number():
    """In rules.pxd, which tools/tables.py writes: C compares numbers."""
    if not RULES.is_file():
        pytest.skip("rules.pxd is in the source, not in a wheel")
    text = RULES.read_text(encoding="utf-8")
    enums = dict(re.findall(r"^cdef enum (\w+):.*\n((?:    .*\n)+)", text, re.MULTILINE))
    members = {name: re.findall(r"^    ([A-Z]\w*)", text, re.MULTILINE) for name, text in enums.items()}
    signs = {":": "colon", ":/": "colon_slash"}
    for rule in TABLE:
        if rule.choices:
            enum = re.search(rf"^    (\w+) {rule.name}\b", text, re.MULTILINE)[1]
            prefix = re.sub(r"(?<!^)(?=[A-Z])", "_", enum).upper()
            wanted = [f"{prefix}_{re.sub(r'[-.]', '_', signs.get(word, word)).upper()}" for word in rule.choices]
            assert members[enum] == wanted, rule.name


@pytest.mark.parametrize(
    ("fields", "text", "key"),
    [
        (
            {"remove_params": ["utm_*", "gclid"]},
            "http://h/?utm_source=a&x=1&gclid=2&gclids=3",
            "http://h/?x=1&gclids=3",
        ),
        ({"remove_params": ["a b", "é"]}, "http://h/?a+b=1&%C3%A9=2&a%20b&c", "http://h/?c"),
        ({"remove_params": ["*"]}, "http://h/?a&b", "http://h/"),
        ({"scheme": "http"}, "https://h/x", "http://h/x"),
        ({"scheme": "drop"}, "https://h/x", "//h/x"),
        ({"key_form": "bare"}, "https://h/x?y", "h/x?y"),
        ({"scheme": "keep"}, "HTTPS://h/x", "HTTPS://h/x"),
        ({"fragment": "keep"}, "http://h/#a b", "http://h/#a%20b"),
        ({"fragment": "routes"}, "http://h/#!a", "http://h/#!a"),
        ({"fragment": "routes"}, "http://h/#a", "http://h/"),
        ({"query": "drop"}, "http://h/x?y", "http://h/x"),
        ({"trailing_slash": "strip"}, "http://h/x/", "http://h/x"),
        ({"trailing_slash": "strip"}, "http://h/", "http://h"),
        ({"trailing_slash": "strip-unless-root"}, "http://h/", "http://h/"),
        ({"www": "one"}, "http://www2.h.org/", "http://h.org/"),
        ({"www": "one", "www_needs_dot": True}, "http://www.org/", "http://www.org/"),
        ({"www": "all", "www_needs_dot": True}, "http://www.www1.h.org/", "http://h.org/"),
        ({"port": "drop-default"}, "ftp://h:21/", "ftp://h/"),
        ({"port": "drop"}, "http://h:81/", "http://h/"),
        ({"blank_values": "drop"}, "http://h/?a=&b&c=1", "http://h/?c=1"),
        ({"blank_values": "bare"}, "http://h/?a=&b=1", "http://h/?a&b=1"),
        ({"idna": "uts46"}, "http://faß.de/", "http://xn--fa-hia.de/"),
        ({"idna": "2003"}, "http://faß.de/", "http://fass.de/"),
        ({"path_lower": True, "path_decode": "unreserved"}, "http://h/A%c3%41", "http://h/a%c3a"),
        ({"merge_slashes": True}, "http://h//a///b/../c", "http://h/a/b/../c"),
        ({"key_form": "surt", "scheme": "keep", "trailing_comma": True}, "http://a.b/x", "http://(b,a,)/x"),
        ({"key_form": "surt", "reverse_addresses": False}, "http://1.2.3.4/x", "http://(1.2.3.4)/x"),
        ({"param_separators": ";"}, "http://h/?b;a", "http://h/?b;a"),
        ({"param_separators": ";&", "sort_params": "names"}, "http://h/?b&a;c", "http://h/?a;b;c"),
        ({"dialect": "whatwg", "no_authority": "whatwg"}, "file:///c|/x", "file:///c:/x"),
    ],
)
def test_composed(fields: dict, text: str, key: str):
    assert canonicalize(text, Profile(**fields)) == key
