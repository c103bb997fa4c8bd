"""References that are normalised or decoded alone, before they are resolved: hosts, schemes and absolute paths in them.

Rows with a letter and a number are of the review of e498d79 (reports-4: h is hostile.json, counted from 0).
"""

from __future__ import annotations

import ntpath
import posixpath
import re
from contextlib import suppress
from urllib.parse import unquote, unquote_to_bytes

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.security.test_redirect_paths import clean, remove_dot_segments
from urlsm import resolve
from urlsm.security import check_redirect, is_ambiguous, is_safe_redirect, safe_join
from urlsm.security.disguise import climbs, leads_outside

HOME = "https://good.example/app/login"
BASE = "https://good.example/files/"


# --- redirects -----------------------------------------------------------------------------------


def pop_segments(path: str) -> str:
    """As the package rfc3986 removes dot segments: step by step over the list of segments."""
    kept: list[str] = []
    for segment in path.split("/"):
        if segment == "..":
            del kept[-1:]
        elif segment != ".":
            kept.append(segment)
    return "/".join(kept)


NORMALISERS = (str, remove_dot_segments, pop_segments, posixpath.normpath, clean)
LEADS_AWAY = re.compile(r"[\0- ]*(?:[/\\]{2}|[A-Za-z][A-Za-z0-9+.-]*:)")


def leads_away(path: str) -> bool:
    """Return whether a program that normalises a relative path, with "%2e" as a dot or not, or decodes it once, and
    normalises it again, has a host or a scheme."""
    once = {read(text) for text in (path, re.sub("(?i)%2e", ".", path)) for read in NORMALISERS}
    decoded = {re.sub("[\t\r\n]", "", unquote(text).replace("?", "%3F").replace("#", "%23")) for text in once}
    twice = {
        read(text) for text in (*decoded, *(re.sub("(?i)%2e", ".", text) for text in decoded)) for read in NORMALISERS
    }
    return any(LEADS_AWAY.match(text) for text in once | twice)


@pytest.mark.parametrize(
    ("target", "code"),
    [
        ("./javascript:alert(1)", "colon"),  # h51
        ("./https:/evil.example", "colon"),  # h52
        ("x/../javascript:alert(1)", "colon"),  # h53
        ("x/../http://evil.example/", "colon"),  # h54
        (".///evil.com", "double-slash"),  # the rest: issue 39, 4.3
        ("./\\/evil.com", "double-slash"),
        (".%2F%2F%2Fevil.com", "double-slash"),
        ("./javascript%3Aalert(1)", "colon"),
        ("javascript%3Aalert(1)", "colon"),
        ("./Talk:Foo", "colon"),
        ("../Talk:Foo", "colon"),
        ("x/%2e%2e/javascript%3Aa", "colon"),
        ("%20javascript%3Aa", "colon"),
        ("%2F%2Fevil.com", "double-slash"),
        ("x/..//evil.com", "double-slash"),
        ("%09javascript%3Aa", "colon"),
        ("java%0Ascript%3Aa", "colon"),
        # what follows was tried one step beside: posixpath, ntpath and path.posix of Node drop slashes, too
        (".//javascript:alert(1)", "colon"),
        (".//./javascript%3Aalert(1)", "colon"),
        ("././/x/../javascript:alert(1)", "colon"),
        (".//C:", "colon"),
    ],
)
def test_what_a_normaliser_makes_a_host_or_a_scheme_is_refused(target, code):
    for base in (HOME, "https://good.example/a/b/c/", "https://good.example/a/b/c/?q#f"):
        assert check_redirect(target, base=base).codes == (code,)
        for end in ("", "?x=y", "#z"):
            assert not is_safe_redirect(target + end, base=base) and not is_safe_redirect(
                (target + end).encode(), base=base
            )
    assert leads_away(target.replace("\\", "/"))


@pytest.mark.parametrize(
    ("target", "code"),
    [
        ("./\\javascript:alert(1)", "colon"),  # ntpath
        ("\\x/../javascript:alert(1)", "colon"),  # posixpath takes the backslash for a letter
        ("\\%2fevil.com/x/../../y", "double-slash"),  # a browser that gets it decoded does not
        ("./\u200bjavascript:alert(1)", "colon"),  # at the beginning of a text, some readers drop it
        ("./%E2%80%8Bjavascript:alert(1)", "colon"),
        ("./\ufeff//evil.com", "double-slash"),
    ],
)
def test_what_readers_of_backslashes_and_trimmers_find_is_refused(target, code):
    assert check_redirect(target, base=HOME).codes == (code,) and not is_safe_redirect(target, base=HOME)


@pytest.mark.parametrize(
    "target",
    [
        *(
            "./12:30",
            "12:30",
            "2024-01-01T10:00.html",
            "./2024-01-01T10:00.html",
            "a_b:c",
            "x/../12:30",
            "wiki/Talk:Foo",
        ),
        *(
            "/wiki/Talk:Foo",
            "../wiki/Talk:Foo",
            "./x?u=javascript:a",
            "./x#a:b",
            "x/./y",
            ".//x",
            "a/.//b:c",
            "./.",
            "..",
        ),
        *("caf%C3%A9/../x", "./%2Bx:y", "./-a:b", "./é:b", "./%C3%A9%3Ab", "./a%20b:c", "x?y/../javascript:a"),
    ],
)
def test_what_stays_a_path_is_safe(target):
    assert is_safe_redirect(target, base=HOME) and check_redirect(target, base=HOME).allowed
    assert not leads_away(target.partition("?")[0].partition("#")[0])


def test_a_text_before_a_colon_and_two_slashes_may_be_a_scheme():
    for target in ("1http://evil.example/", "h_p://evil.example/", "1:/evil.example", "-http:\\\\evil.example"):
        assert not is_safe_redirect(target, base=HOME)


PIECES = (
    "/",
    "./",
    "../",
    "x",
    "x/",
    ":",
    "%3a",
    "a:",
    "1:",
    "%2e",
    "%2f",
    "\\",
    ".",
    "%25",
    "3A",
    "%09",
    "é",
    "%20",
    "//e",
)
relative = (
    st.lists(st.sampled_from(PIECES), max_size=9).map("".join).filter(lambda text: text[:1] not in ("", "/", "\\"))
)


@given(relative)
@example("x/..//e")
@example("%2e%2f%2f%2fe")
def test_no_reference_is_safe_that_leads_away_alone(path):
    if leads_away(path) or leads_away(path.replace("\\", "/")):
        assert not is_safe_redirect(path, base=HOME)


@given(relative.filter(lambda text: "\\" not in text))
def test_no_reference_is_said_to_have_a_scheme_that_has_none(path):
    if "colon" in check_redirect(path, base=HOME).codes:
        assert leads_away(path)


# --- references below a base ---------------------------------------------------------------------

OUTSIDE = [
    *("%2Fetc/passwd", "./%2fetc/passwd", "./%5c%5cserver/share", "%5cwindows/x", "./C:/windows/win.ini"),  # h21-h25
    *("C%3A/x", "..%ff/x", ".%ff./x", ".%ad./x", "..\U0001bca0/x", "..\U000e0020/x"),  # h26-h31
    *("1%3A/x", "./\u00e9:x", "./1:x", "C%7C/x", "./C|/x", "./c:", "./c:x", "%63%3ax", "%u002fetc", "C%u003A/x"),
    *("/files//x", "/files/%2Fx", ".//etc", "x/..//etc", "%252Fetc", "%252525%32fetc", "%20/etc", "%09%2Fetc"),
    *("./\uff23\uff1a/x", "./C\t:/x", "%ff%2fetc", "%ff/x", "%c0%afetc", "..%c0%b0", "%e2%80%8b/etc", "./\u200b/etc"),
    *(".%2%ffe/x", "%2%e2%80%8be%2e/x", "./;a/etc", "x/%2e%2e/%2Fetc", "x/..%2f%2fetc", "%ef%bc%8fetc", "\\\\etc"),
    *(";:", ";:x/y", "x/../;:y"),  # ntpath takes any character for a drive
    *("%ed%a0%80./../x/../../y", "%f5%80%80%80../x", "x\\..\\\\etc"),
]  # fmt: skip
WITHIN = [
    *("x", "x/", "", ".", "./", "x//y", "x%2Fy", "x%2F%2Fy", "x/C:/y", "x/%2Fy", "./ab:c", "./12:30", "12:30", "C/x"),
    *("2024-01-01T10:00.html", "/files/x", "/files/", "https://good.example/files/C.txt", "%C3%A9/x", "a%ff/b", "C"),
    *("\u65e5/x", "C%2Fx", "./C%20:/x", "%F0%9F%98%80/x", "?//x", "#C:/x", "x?C:/", "?..%ff/"),
]  # fmt: skip


@pytest.mark.parametrize("ref", OUTSIDE, ids=ascii)
def test_a_reference_that_leads_outside_for_some_reader_is_refused(ref):
    for base in (BASE, BASE + "page?q#f"):
        for given_ref in (ref, ref + "?x"):
            with pytest.raises(ValueError):
                safe_join(base, given_ref)


@pytest.mark.parametrize("ref", WITHIN, ids=ascii)
def test_a_reference_that_stays_is_resolved(ref):
    assert safe_join(BASE, ref).href == resolve(ref, base=BASE)


def readings(rest: str) -> set[str]:
    """The rest of a path as programs see it that decode it up to three times, with each way of Python's to treat octets
    that are not UTF-8."""
    seen = {rest}
    for _ in range(3):
        seen |= {
            unquote_to_bytes(text).decode(errors=errors)
            for text in seen
            for errors in ("ignore", "replace", "surrogateescape")
            if text.isascii()
        }
    return seen


@given(
    st.lists(st.sampled_from((*PIECES, "%ff", "%c3", "c", "|", "%7C", "%5C", "%2e%2E", "%e2%80")), max_size=8).map(
        "".join
    )
)
@example("%ff/x")
@example("x/..//y")
@example("%09:")
@example("%20%3ax")
def test_no_accepted_rest_replaces_the_directory_it_is_joined_to(ref):
    with suppress(ValueError):
        rest = safe_join(BASE, ref).href.removeprefix(BASE).partition("?")[0].partition("#")[0]
        for text in readings(rest):
            assert posixpath.normpath(posixpath.join("/srv", text)).startswith("/srv")
            assert ntpath.normpath(ntpath.join("r:\\srv", text)).startswith("r:\\srv")


# DerivedCoreProperties.txt of Unicode 16, Default_Ignorable_Code_Point
IGNORABLE = (
    "AD 34F 61C 115F-1160 17B4-17B5 180B-180F 200B-200F 202A-202E 2060-206F 3164 FE00-FE0F FEFF FFA0 FFF0-FFF8 "
    "1BCA0-1BCA3 1D173-1D17A E0000-E0FFF"
)


def test_every_ignorable_code_point_counts_as_dropped():
    for span in IGNORABLE.split():
        first, _, last = span.partition("-")
        for code in {*range(int(first, 16), int(last or first, 16) + 1)}:
            for text in (f".{chr(code)}./x", f"..{chr(code)}/x", f"{chr(code)}../x", f"{chr(code)}/x"):
                assert leads_outside(text, 4), hex(code)
            assert not climbs(f"a{chr(code)}../x", 4)


def test_every_octet_that_is_not_utf8_counts_as_dropped():
    for octets in (
        "80",
        "ad",
        "bf",
        "c0",
        "c1",
        "c3",
        "e2%80",
        "f0%9f%98",
        "f5%80%80%80",
        "f8%88%80%80%80",
        "ff",
        "ed%a0%80",
    ):
        escapes = "%" + octets
        assert climbs(f"..{escapes}/x", 4) and climbs(f".{escapes}./x", 4) and leads_outside(f"{escapes}/x", 4)
        assert not climbs(f"a{escapes}/x", 4) and climbs(f"a{escapes}/../../x", 4)
    assert not climbs("%C3%A9/..", 4) and not climbs("..%C3%A9/x", 4) and not climbs("..%F0%9F%98%80", 4)


@pytest.mark.parametrize(
    "unit", ["%ff", "%c0%af", "\u200b", "C:", "%3a", ".%ff", "%25", "x/%ff/", "%e2%80", "\U000e0020"]
)
def test_a_long_reference_takes_linear_time(unit):
    for ref in (unit * 50_000, "./" + unit * 50_000, "x/../" + unit * 50_000):
        assert is_safe_redirect(ref, base=HOME) in (True, False)
        with suppress(ValueError):
            safe_join(BASE, ref)


# --- schemes -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("evil.example://good.example/", True),  # h55
        ("a.b://h/", True),
        ("A.B-c+d://h", True),
        ("a.b:/h", True),
        ("a.b:@h/", True),
        ("soap.beep://h/", True),
        ("view-source:a.b://h/", True),
        ("ab://h/", False),
        ("http://h/a.b://c", False),
        ("http://a.b/", False),
        ("javascript:a.b://c", False),
        ("mailto:a.b://c", False),
    ],
)
def test_a_scheme_with_a_dot_is_a_host_to_urllib3(text, wanted):
    assert is_ambiguous(text) is wanted and is_ambiguous(text.encode()) is wanted
    parse_url = pytest.importorskip("urllib3.util").parse_url
    if "view-source" not in text:
        assert (parse_url(text).scheme is None) is wanted
