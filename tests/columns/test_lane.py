"""The plain lane of columns: whatever it takes, the machine reads in the same way; and it takes the common links."""

from __future__ import annotations

import ctypes
import mmap
import platform
import sys
from collections.abc import Iterator

import pytest
from support.seeds import draws, seeded

import urlsm
import urlsm.columns as uc
from urlsm.columns import rows
from urlsm.columns.names import LISTED
from urlsm.columns.work import Question, Work, source_of
from urlsm.machine import driver

pa = pytest.importorskip("pyarrow", minversion="16", reason="needs pyarrow 16 or newer")

NAMES = tuple(name for name in uc.FIELDS if name not in ("can_parse", "error_code", "error_position", *LISTED))
LAYOUTS = ("string", "large_string", "string_view")
PIECES = [
    *("http://", "https://", "HTTP://", "http:", "ftp://", "//", "/", "/", "/.", "/..", "/./", "/%2e", "/%2E%2e/"),
    *("/%20", "%2e", ".", "example.org", "www.ex-ample.de", "localhost", "a_b", "a.b.", "a..b", "1.2.3.4", "0x7f"),
    *("a.0x", "x.1f", "ex.1", "EX", "xn--a", "user@", "u:p@", ":80", ":8080", "[::1]", "a!b", "a;b", "a,b", "a%41"),
    *("é", "?", "?", "#", "#", "?q=1&r=/../", "'", "<", "^", "`", "{", "|", '"', "\\", " ", "\t", "\n", "\x00"),
    *("\x7f",),
    "a" * 40,
    "b" * 64,
    "c" * 500,
]
COMMON = [
    *("http://example.org/", "https://www.example.de/a/b.html", "https://example.org/?q=a%20b&c=/./#top?#"),
    *("https://e.org/#", "https://ab.cd/a..b/c.d%20?x=%2e/../", "http://localhost/!$&()*+,;=:@~", "https://e.org/?"),
    *("http://1.2.3.d/",),
    "http://a.b/" + "segment/" * 200 + "?" + "q=1&" * 300 + "#" + "f" * 999,
]
DECLINED = [
    *("", "http://", "http:///", "http://a", "http://a?b", "HTTP://a/", "http://A/", "http://a:80/", "http://u@a/"),
    *("http://1.2.3.4/", "http://a.1/", "http://a.0x/", "http://a./", "http://a/.", "http://a/b/../c"),
    *("http://a/%2e", "http://a/ b", "http://a/b ", " http://a/b", "http://a/<", "http://a/{", "http://a/?'"),
    *("http://[::1]/", "http://a^/", 'http://a/?"', "http://a/#`", "http://a/\\", "http://a\\b", "http://a/\t"),
    *("ftp://a/", "http://a%41/", "http://1a/", "http://h/%2f"),
    "http://" + "a" * 60 + "/",
    "http://a/" + "b" * 600 + "/%2e",
    "http://a/" + "b" * 600 + " ",
]
BEHIND = "x" * 1000  # after all texts that the lane is to take: it reads whole blocks


@pytest.fixture(params=[64, 32, 16, 1], ids=lambda width: f"{width} octets at a time")
def width(request: pytest.FixtureRequest) -> Iterator[int]:
    if rows.use_vectors(request.param) != request.param:
        rows.use_vectors(64)
        pytest.skip("this CPU, or this build, has no such vectors")
    yield request.param
    rows.use_vectors(64)


def taken(texts: list[str], fields: tuple[str, ...] = ("path",)) -> int:
    """Return the number of texts that the lane takes."""
    work = Work(Question(fields), source_of(pa.array([*texts, BEHIND])))
    work.run()
    return work.plain


def by_hand(text: str | None) -> dict[str, object]:
    url = None if text is None else urlsm.try_parse(text)
    return {name: getattr(url, name, None) for name in NAMES}


def check(texts: list[str]) -> None:
    expected = [by_hand(text) for text in texts]
    hosts = [row["host"] for row in expected]
    for layout in LAYOUTS:
        array = pa.array([*texts, BEHIND], getattr(pa, layout)())
        for text in ("view", "string"):
            made = pa.array(uc.parse(array, NAMES, layout=text))
            made.validate(full=True)
            assert made.to_pylist()[:-1] == expected
            assert pa.array(uc.host(array, layout=text)).to_pylist()[:-1] == hosts


def test_common_links_are_taken_and_others_are_not(width):
    if not driver.use_plain(True):
        driver.use_plain(False)
        pytest.skip("--no-plain")
    wide = width > (16 if platform.machine() in ("x86_64", "AMD64") else 1)
    assert taken(COMMON) == taken(COMMON, ("host",)) == (len(COMMON) if wide else 0)
    assert [text for text in DECLINED if taken([text])] == []
    before = driver.use_plain(False)
    try:
        assert taken(COMMON) == 0
    finally:
        driver.use_plain(before)


def test_what_is_taken_is_what_the_machine_reads(width):
    rng = seeded(width)
    texts = [*COMMON, *DECLINED]
    for _ in range(draws(3000)):
        start = rng.choice(["http://a.b/", "https://example.org/", "https://", ""])
        texts.append(start + "".join(rng.choice(PIECES) for _ in range(rng.randrange(6))))
    check([text.encode("utf-8", "replace").decode() for text in texts])


def test_every_octet_at_every_place(width):
    """Each octet in each component, before and after the ends of blocks."""
    places = [
        "https://a{}b.c/",
        "https://a.b{}/",
        "https://a.b/{}",
        "https://a.b/c?{}d",
        "http://a.b/?d#{}e",
        "http{}//a/",
    ]
    check([place.format(chr(octet)) for octet in range(0x80) for place in places])
    for n in (63, 64, 65, 127, 128, 129, 191, 192, 193, 511, 512, 513):
        for stop in ("?", "#", "/.", "/%2e", "|", "<", "'", "é", "?/../", "#?", "?#", "/", "."):
            for place in range(n - 3, n + 2):
                text = "https://example.org/" + "p" * (place - 20)
                check([text + stop + "tail", text + stop, f"{text}{stop}{'q' * 70}#f"])


def test_long_hosts(width):
    ends = ("/", ".de/x", "")
    check([f"{scheme}://{'h' * n}{end}" for scheme in ("http", "https") for n in range(45, 70) for end in ends])


def test_the_last_texts_of_a_buffer(width):
    """Nothing after the octets of a column is read: that memory is not mapped."""
    if sys.platform != "linux":
        pytest.skip("pages are guarded by Linux's mprotect")
    page = mmap.PAGESIZE
    pages = mmap.mmap(-1, 3 * page)
    start = ctypes.addressof(ctypes.c_char.from_buffer(pages))
    protect = ctypes.CDLL(None, use_errno=True).mprotect
    guarded = ctypes.c_void_p(start + 2 * page)
    assert protect(guarded, page, 0) == 0
    try:
        for last in range(0, 300):
            texts = ["https://example.org/a?b#c", "http://h/" + "p" * last]
            octets = "".join(texts).encode()
            at = 2 * page - len(octets)
            pages[at : 2 * page] = octets
            offsets = pa.array([0, len(texts[0]), len(octets)], pa.int32()).buffers()[1]
            array = pa.Array.from_buffers(
                pa.string(), 2, [None, offsets, pa.foreign_buffer(start + at, len(octets), pages)]
            )
            for text in ("view", "string"):
                assert uc.parse(array, NAMES, layout=text).to_pylist() == [by_hand(text) for text in texts]
    finally:
        assert protect(guarded, page, mmap.PROT_READ | mmap.PROT_WRITE) == 0


def test_views_that_need_no_buffer():
    """A column of only short texts has only views, which must not be taken for rewritten texts."""
    whole = pa.array(["foo:ba", "http://a.b", None, "http://a.c/", "http://A.D/"], pa.string_view())
    array = pa.Array.from_buffers(pa.string_view(), len(whole), whole.buffers()[:2])
    expected = [by_hand(text) for text in whole.to_pylist()]
    for text in ("view", "string"):
        assert pa.array(uc.parse(array, NAMES, layout=text)).to_pylist() == expected
