"""The plain lane: whatever it takes, the machine reads in the same way; and it takes the common links."""

from __future__ import annotations

import ctypes
import mmap
import sys
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.odd import differences, link
from support.seeds import draws, least, seeded

import urlsm
from urlsm import stdlib
from urlsm.crawler import Profile, try_canonicalize
from urlsm.machine.driver import DIALECTS, plain_offsets, use_plain, use_vectors
from urlsm.url.edit import offsets_of

PIECES = [
    *("http://", "https://", "HTTP://", "http:", "ftp://", "//", "/", "/", "/.", "/..", "/./", "/%2e", "/%2E%2e/"),
    *("/%20", "%2e", ".", "example.org", "www.ex-ample.de", "localhost", "a_b", "a.b.", "a..b", "1.2.3.4", "0x7f"),
    *("a.0x", "x.1f", "ex.1", "ex.f1", "EX", "xn--a", "user@", "u:p@", ":80", ":8080", "[::1]", "a!b", "a;b", "a,b"),
    *("a%41", "é", "?", "?", "#", "#", "?q=1&r=/../", "'", '"', "<", "^", "`", "{", "|", "\\", " ", "\t", "\n", "\x00"),
    *("\x7f", "index.html", "a" * 40, "b" * 64, "c" * 500),
]
COMMON = [
    "http://example.org/",
    "https://www.example.de/a/b.html",
    "https://example.org/?q=a%20b&c=/./#top?#",
    "https://ab.cd/a..b/c.d/%20/%2f?x=%2e/../",
    "http://localhost/|'!$&()*+,;=:@~",
    "https://e.org/#",
    "https://e.org/?",
    "http://a.b/" + "segment/" * 200 + "?" + "q=1&" * 300 + "#" + "f" * 999,
]
DECLINED = [
    *("", "http://", "http:///", "http://a", "http://a?b", "HTTP://a/", "http://A/", "http://a:80/", "http://u@a/"),
    *("http://1.2.3.4/", "http://a.1/", "http://a.0x/", "http://a./", "http://a/.", "http://a/b/../c", "http://a/%2e"),
    *("http://a/b/%2E%2e/c", "http://a/ b", "http://a/b ", " http://a/b", "http://a/<", "http://a/{", "http://a/?'"),
    *('http://a/?"', "http://a/#`", "http://a/\\", "http://a\\b", "http://a/\t", "ftp://a/", "http://" + "a" * 60),
    *("https://example.org", "https://example.org?", "http://example.org?q#f", "https://a.bc#f?q", "http://a.b?'"),
    *("https://example.org?" + "q=1&" * 200 + "#", "https://example.org?" + "q" * 600 + "<", "http://" + "a" * 57),
    *("http://a/" + "b" * 600 + "/%2e", "http://a/" + "b" * 600 + " ", "http://[::1]/", "http://a%41/", "http://a^/"),
]


@pytest.fixture(autouse=True)
def restore() -> Iterator[None]:
    before = use_plain(True)
    yield
    use_plain(before)
    use_vectors(64)


def outcome(text: str) -> list[object]:
    """Return the answers of all callers of the lane to a text."""
    said: list[object] = [urlsm.can_parse(text)]
    for read in (urlsm.parse, urlsm.try_parse, urlsm.URL, lambda text: urlsm.parse("x/../y?z", base=text)):
        try:
            url = read(text)
        except urlsm.ParseError as error:
            said.append((error.code, error.position, error.state, str(error)))
        else:  # href and offsets; another test checks that the attributes come from these
            said.append(url and ((url.href, offsets_of(url)), url.host, url.path, url.query, url.fragment))
    calls = [
        lambda: urlsm.resolve("../b?c", base=text),
        lambda: stdlib.urlsplit(text),
        lambda: stdlib.urlparse(text),
        lambda: stdlib.urlsplit(text, allow_fragments=False),
        lambda: stdlib.urlsplit(text, missing_as_none=True),
        lambda: stdlib.urljoin(text, "../b"),
        lambda: stdlib.urldefrag(text),
        lambda: text.isascii() and stdlib.urlsplit(text.encode()),
    ]
    for call in calls:
        try:
            said.append(call())
        except ValueError as error:
            said.append(str(error))
    return said


def check(text: str) -> None:
    """Check that the lane answers like the machine at each width, and takes the same texts at each."""
    use_plain(False)
    wanted = outcome(text)
    use_plain(True)
    taken = set()
    for width in (64, 32, 16, 1):
        use_vectors(width)
        assert outcome(text) == wanted, (text, width)
        taken.add(plain_offsets(text.encode("utf-8", "surrogatepass")))
    assert len(taken) == 1
    for found in taken - {None}:
        (href, (scheme_end, username_end, host_start, host_end, path, query, fragment, *rest)), *_ = wanted[1]
        absent = [at if at < 2**32 - 1 else -1 for at in (query, fragment)]
        assert href == text and rest == [-1, 2 if text[4] == "s" else 1, True, False]
        assert found == (scheme_end, host_start, host_end, *absent, min(at for at in (*absent, len(text)) if at >= 0))
        assert username_end == host_start and path == host_end


@pytest.mark.parametrize("text", COMMON)
def test_common_links_are_taken(text):
    assert plain_offsets(text.encode())
    check(text)


@pytest.mark.parametrize("text", DECLINED)
def test_what_is_to_be_decided_is_left_to_the_machine(text):
    assert plain_offsets(text.encode()) is None
    check(text)


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_any_pieces(text):
    check(text)


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_any_pieces_behind_a_host(text):
    check("https://example.org/" + text)
    check("https://example.org" + text)


def test_links_with_any_octet_anywhere(cases):
    rng = seeded(98)
    for _ in range(cases // 10):
        text = rng.choice(COMMON)[: rng.choice((30, 70, 140, 600, 4000))]
        for _ in range(rng.choice((1, 1, 2, 3))):
            at = rng.randrange(len(text) + 1)
            text = text[:at] + chr(rng.randrange(0x82)) + text[at + rng.randrange(2) :]
        check(text)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_keys_of_plain_texts_are_those_of_the_machine_in_each_dialect(dialect):
    how = Profile(dialect=dialect)
    for text in (*COMMON, "https://a.bc/?x", "http://a.bc/?x", "https://a.bc/x?y=1#z"):
        use_plain(False)
        key = try_canonicalize(text, how)
        use_plain(True)
        assert try_canonicalize(text, how) == key


@pytest.mark.parametrize("piece", ["/.", "/..", "/%2e", "/%2E%2e", "/.a", "?", "#", "?#?/.", " ", "%"])
def test_pieces_where_the_blocks_end(piece):
    """After the 512th octet, marks and dots are searched for in another way."""
    for end in (64, 128, 512, 576):
        for at in range(end - len(piece) - 3, end + 3):
            for behind in ("", "/", "x/b", "?/../#"):
                check(f"http://h/{'a' * (at - 9)}{piece}{behind}")


def test_each_octet_at_each_place_of_a_host_and_behind_it():
    """Each width, and each octet: only these leave a link plain."""
    for width in (64, 32, 16, 1):
        if use_vectors(width) != width:
            continue
        for octet in map(chr, range(0x80)):
            for head in ("http://", "https://"):
                taken = plain_offsets(f"{head}ex{octet}ample/".encode())
                stays = str(urlsm.try_parse(f"{head}ex{octet}ample/")) == f"{head}ex{octet}ample/"
                assert stays if taken else octet not in "abcdefghijklmnopqrstuvwxyz0123456789.-_", (width, octet)
            for behind, classes in (("", ' "#<>?^`{}\\'), ("?", " \"#<>'"), ("#", ' "<>`')):
                text = f"https://e.org/a{behind}b{octet}c"
                refused = (octet in classes and octet not in "?#") or octet < " " or octet == "\x7f"
                assert bool(plain_offsets(text.encode())) == (not refused), (width, text)


@pytest.mark.skipif(sys.platform != "linux", reason="pages are guarded by Linux's mprotect")
def test_nothing_beside_the_text_is_read(index_width):
    """At the beginning and at the end of a page whose neighbours are not readable."""
    page = mmap.PAGESIZE
    pages = mmap.mmap(-1, 3 * page)
    start = ctypes.addressof(ctypes.c_char.from_buffer(pages))
    protect = ctypes.CDLL(None, use_errno=True).mprotect
    protect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    for guarded in (start, start + 2 * page):
        assert protect(guarded, page, 0) == 0
    try:
        view = memoryview(pages)
        for n in (*range(0, 200), *range(500, 720), 1500, page):
            text = (b"https://example.org/%20/" + b"segment/%20" * 400)[:n]
            for at in (page, 2 * page - n):
                view[at : at + n] = text
                taken = plain_offsets(view[at : at + n])
                assert bool(taken) == (n >= 20)
    finally:
        for guarded in (start, start + 2 * page):
            assert protect(guarded, page, mmap.PROT_READ | mmap.PROT_WRITE) == 0


def test_ipv4_addresses_are_taken_as_the_ipv4_parser_reads_them():
    """The lane takes four numbers as the serializer writes them; the machine decides on all others."""
    rng = seeded(57)
    numbers = [
        *("0", "1", "9", "10", "99", "127", "255"),
        *("256", "300", "00", "01", "0x1", "0xff", "1e1", "x", "", "a"),
    ]
    tails = ["", "/", "/a?b#c", "?q", "#f", "/..", ":80/", ":81", "/ ", "\\a", "."]
    taken = 0
    for _ in range(draws(100_000)):
        host = ".".join(rng.choices(numbers if rng.randrange(3) else numbers[:7], k=rng.choice((1, 2, 3, 4, 4, 4, 5))))
        text = f"{rng.choice(('http', 'https'))}://{host}{rng.choice(tails)}"
        use_plain(False)
        url = urlsm.try_parse(text)
        wanted = url and (url.href, offsets_of(url))
        use_plain(True)
        found = urlsm.try_parse(text)
        assert (found and (found.href, offsets_of(found))) == wanted, text
        assert urlsm.can_parse(text) == urlsm.can_parse(text.encode()) == (wanted is not None), text
        assert url is None or urlsm.resolve(text, base="ws://h/") == url.href, text
        taken += found is not None and found.host == host and host.count(".") == 3
    assert taken > least(10_000)


@pytest.mark.parametrize("host", ["1.2.3.4", "0.0.0.0", "255.255.255.255"])
def test_those_for_whom_a_name_is_proved_are_left_to_the_machine(host):
    assert plain_offsets(f"https://{host}/".encode()) is None
    check(f"https://{host}/a?b#c")


def test_texts_of_which_parts_are_odd_are_read_as_by_the_states(many):
    rng = seeded(21)
    texts = [link(rng) for _ in range(many)]
    assert differences(texts) == []
    written = [url for text in texts if (url := urlsm.try_parse(text)) and url.href != text]
    assert len(written) > many // 5


@pytest.mark.parametrize(
    ("text", "href"),
    [
        ("HTTP://h/a", "http://h/a"),
        ("hTTpS://Ex.ORG/A?B#C", "https://ex.org/A?B#C"),
        ("http://0x7f.1/a", "http://127.0.0.1/a"),
        ("https://010.0.256?q", "https://8.0.1.0/?q"),
        ("http://[2001:DB8:0:0:1:0:0:1]:0080/#f", "http://[2001:db8::1:0:0:1]/#f"),
        ("http://[::ffff:1.2.3.4]:81", "http://[::ffff:102:304]:81/"),
        ("https://h:443/a/../b/./c/%2E%2e?d/../e", "https://h/b/?d/../e"),
        ("http://h:/", "http://h/"),
        ("http://a./", "http://a./"),
    ],
)
def test_what_is_odd_is_written_anew(text, href):
    assert urlsm.parse(text).href == href == urlsm.parse(text.encode()).href == urlsm.resolve(text, base="ws://h/")
    check(text)
