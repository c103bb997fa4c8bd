"""What holds for each name that has a handler, and not only for one of each class (test_properties has those)."""

from __future__ import annotations

import json
import os
import re
from html import escape
from itertools import pairwise

import pytest
from support.seeds import seeded

import urlsm
from urlsm.meaning.questions import plain
from urlsm.meaning.registry import known
from urlsm.schemes.built_in import BUILT_IN
from urlsm.testing import _PIECES as PIECES

TRIED = int(os.environ.get("URLSM_CASES", "0")) or 40  # texts of each scheme

# build writes these otherwise than their normal form, which keeps the order and what says nothing: the same by parts
SPELT = {
    *("databricks", "mssql", "sqlserver"),  # "+" in the query is a space, and stays
    *("intent", "magnet"),  # the parts do not say which escapes a value had
}


def example_of(scheme: str) -> str:
    return f"{scheme}:{urlsm.handler(scheme).example.partition(':')[2]}"


def texts(scheme: str) -> list[str]:
    """The example, spoilt: pieces that mean something to some handler in it, and characters of it gone."""
    draw, start = seeded(scheme), example_of(scheme).partition(":")[2]
    made = [start]
    while len(made) < TRIED:
        at = draw.randrange(len(start) + 1)
        pieces = "".join(draw.choice(PIECES) for _ in range(draw.randrange(4)))
        made.append(start[:at] + pieces + start[at + draw.randrange(4) :])
    return [f"{scheme}:{rest}" for rest in made]


def errors(text: str) -> list[urlsm.Violation]:
    return [violation for violation in urlsm.validate(text) if violation.severity == "error"]


@pytest.mark.parametrize("scheme", sorted(known()))
def test_the_example_is_valid_and_build_makes_it_again(scheme):
    text = example_of(scheme)
    assert not errors(text), text
    handler, c = urlsm.handler(scheme), urlsm.split(text, dialect="rfc3986")
    again = handler.build(scheme=scheme, **urlsm.parts(text))
    if c.fragment is not None and "#" not in again:
        again += f"#{c.fragment}"
    assert urlsm.equivalent(again, text)
    assert (urlsm.normalize(again) == urlsm.normalize(text)) is (scheme not in SPELT), again


def test_the_page_and_json_show_all_parts_of_the_examples():
    for scheme in known():
        text = example_of(scheme)
        url = urlsm.try_parse(text)
        if url is None:  # no port of the URL Standard's: aaa://h:6666;transport=tcp
            continue
        shown, found = urlsm.pictures.page(text), plain(url.parts)
        assert json.loads(json.dumps(found)) == found
        _, _, table = shown.partition(f"<h2>Parts: {escape(url.handler.title)}</h2>")
        names = [name for name, value in found.items() if value is not None]
        table = table.partition("</table>")[0]
        assert names and [*re.findall("<th[^>]*>(.*?)</th>", table)] == names, scheme
        for name in names:
            if isinstance(url.parts[name], str) and "***" not in repr(url.parts):
                assert escape(found[name]) in table, (scheme, name)


@pytest.mark.parametrize("scheme", sorted(known()))
def test_what_is_said_of_any_text_holds(scheme):
    handler = urlsm.handler(scheme)
    for text in texts(scheme):
        found = urlsm.validate(text)
        assert found == sorted(found, key=lambda violation: violation.position)
        assert all(0 <= one.position <= len(text) and one.message and one.reference for one in found), text
        normal = urlsm.normalize(text)
        assert urlsm.normalize(normal) == normal, text
        assert urlsm.equivalent(text, normal) and urlsm.equivalent(normal, text), text
        if errors(text):
            with pytest.raises(urlsm.SchemeError) as caught:
                urlsm.parts(text)
            assert str(caught.value)
            continue
        assert not errors(normal), text
        parts = urlsm.parts(text)
        assert repr(parts) and parts == urlsm.parts(text)
        c = urlsm.split(text, dialect="rfc3986")
        again = handler.build(scheme=c.scheme, **parts)
        if c.fragment is not None and "#" not in again:
            again += f"#{c.fragment}"
        assert urlsm.parts(again) == parts and urlsm.equivalent(text, again), text


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("pkg:NPM/a?x=1&b=2", "pkg:npm/a?b=2&x=1"),
        ("pkg://npm/a", "pkg:npm/a"),
        ("pkcs11:token=a;object=b", "pkcs11:object=b;token=a"),
        ("mysql://h/d?a=b+c", "mysql://h:3306/d?a=b%20c"),
        ("otpauth://totp/A:b?secret=abcd", "otpauth://totp/A:b?digits=6&secret=ABCD&period=30"),
        ("git+https://h/a@v1#egg=x", "git+https://h/a@%76%31#egg=x"),
    ],
)
def test_texts_with_equal_parts_are_equivalent(a, b):
    assert urlsm.equivalent(a, b) and urlsm.equivalent(b, a)
    assert not urlsm.equivalent(a, b + "x") and not urlsm.equivalent(a + "x", b)


@pytest.mark.parametrize("scheme", [name for name in sorted(known()) if urlsm.handler(name).equal_by_parts])
def test_what_is_equal_by_parts_has_equal_parts(scheme):
    """For whom the trait says so, and of all that the texts above have."""
    valid = [text for text in texts(scheme) if not errors(text)]
    handler = urlsm.handler(scheme)
    for a, b in pairwise(valid):
        normal = [urlsm.split(urlsm.normalize(text), dialect="rfc3986") for text in (a, b)]
        same = handler.read_parts(normal[0]) == handler.read_parts(normal[1])
        fragments = handler.fragment != "allowed" or normal[0].fragment == normal[1].fragment
        assert urlsm.equivalent(a, b) is (same and fragments), (a, b)


def test_what_is_behind_the_plus_of_a_database_is_its_driver():
    assert [urlsm.parts(f"{name}://h/d").driver for name in ("mysql+pymysql", "mysql", "oracle+cx_oracle")] == [
        *("pymysql", None, "cx_oracle")
    ]


def test_a_place_of_scp_is_below_the_home_unless_it_begins_with_a_slash():
    from_scp = urlsm.handler("ssh").from_scp
    assert from_scp("h:r") == "ssh://h/~/r" and from_scp("u@h:/r") == "ssh://u@h/r"
    assert from_scp("[h:2222]:r.git") == "ssh://h:2222/~/r.git"


def test_each_module_with_a_handler_is_in_the_folder_of_a_family():
    assert {module for place in BUILT_IN.values() if "." not in (module := place.partition(":")[0])} == {"rows"}
