"""The index of marks: each width of vectors gives what the portable path gives, whatever stands where."""

from __future__ import annotations

import random

import pytest

from urlsm import ParseError, can_parse, parse, split
from urlsm.machine import DIALECTS, use_vectors

LENGTHS = [
    *range(131),
    *range(190, 195),
    *range(254, 259),
    *range(500, 531),
    *range(574, 578),
    *range(1020, 1031),
    2047,
    2048,
    2049,
]
# what some step looks at, and what it passes over
SPECIAL = b"/\\?#:@[]%.;|^ \t\n\r<>\"'`{}\x00\x1f\x7f\x80\xc3\xa9\xff/.%2e%2E..Zz"
PLAIN = b"abcxyz0189-_~"
HEADS = [
    b"http://h/",
    b"https://Ex.org/a/",
    b"foo:",
    b"foo://h/",
    b"http://",
    b"file:///C|/",
    b"http://u@",
    b"http://h?",
    b"http://h#",
    b"",
]


@pytest.fixture(autouse=True)
def restore_vectors():
    yield
    use_vectors(64)


def seen(text: bytes) -> tuple:
    """All that can be seen of what the machine does with a text."""
    results = []
    for given in (text, text.decode("latin-1")):
        try:
            url = parse(given)
            results.append(
                (
                    url.href,
                    url.scheme,
                    url.username,
                    url.password,
                    url.host,
                    url.port,
                    url.path,
                    url.query,
                    url.fragment,
                )
            )
        except ParseError as error:
            results.append((error.code, error.position, error.state))
        results.append(can_parse(given))
    for dialect in DIALECTS:
        try:
            c = split(text, dialect)
            results.append((c.scheme, c.username, c.password, c.host, c.port, c.path, c.query, c.fragment))
        except ParseError as error:
            results.append((error.code, error.position))
    return tuple(results)


def differing(texts: list[bytes]) -> list[bytes]:
    """Those texts that some width reads otherwise than the portable path does."""
    assert use_vectors(1) == 1
    wanted = [seen(text) for text in texts]
    wrong = []
    for width in (32, 64):
        if use_vectors(width) == width:
            wrong += [(width, text) for text, want in zip(texts, wanted, strict=True) if seen(text) != want]
    return wrong


def test_use_vectors_tells_the_width_in_force():
    assert use_vectors(1) == 1
    assert use_vectors(32) in (1, 32)
    assert use_vectors(64) in (1, 32, 64)
    assert use_vectors(64) >= use_vectors(32)


def test_random_octets_of_every_length():
    rng = random.Random(512)
    texts = []
    for n in LENGTHS:
        for density in (0.02, 0.2, 0.9):
            for head in (b"", rng.choice(HEADS)):
                body = bytes(rng.choice(SPECIAL) if rng.random() < density else rng.choice(PLAIN) for _ in range(n))
                texts.append((head + body)[: max(n, len(head))])
        texts.append(bytes(rng.randrange(256) for _ in range(n)))
    assert differing(texts) == []


@pytest.mark.parametrize("head", HEADS)
def test_each_octet_at_the_borders_of_words_and_of_the_window(head):
    """One interesting octet, alone, at each offset around a multiple of 32 and around the window's end."""
    texts = []
    for border in (32, 64, 96, 128, 512, 1024):
        for at in range(border - 2, border + 3):
            for octet in SPECIAL:
                text = bytearray(head + b"a" * (border + 70 - len(head)))
                text[at] = octet
                texts.append(bytes(text))
                texts.append(bytes(text[: at + 1]))
    assert differing(texts) == []


def test_pairs_that_straddle_a_border():
    """ "/.", "%2e", "//" and the like, one octet on each side."""
    texts = []
    for head in (b"http://h/", b"foo://h/", b"file:///"):
        for border in (32, 64, 128, 512):
            for pair in (
                b"/.",
                b"/..",
                b"/./",
                b"/../",
                b"%2e",
                b"/%2e",
                b"/%2E%2e/",
                b"//",
                b"\\..",
                b"@",
                b"?#",
                b"#?",
                b"/.a",
                b"\xc3\xa9",
            ):
                for shift in range(len(pair) + 2):
                    start = border - shift
                    for tail in (b"", b"b", b"/c"):
                        texts.append(head + b"a" * (start - len(head)) + pair + tail)
    assert differing(texts) == []


def test_every_octet_in_a_long_path_is_read_as_in_a_short_one(index_width):
    """Past the window the octets are looked at one by one: the same rules hold there."""
    for octet in range(0x80):
        short = f"http://h/x{chr(octet)}y/../z"
        for filler in (40, 64, 503, 510, 511, 512, 600):
            long = short.replace("/x", "/" + "x" * filler)
            one, other = parse(short), parse(long)
            assert (
                other.path.replace("x" * filler, "x") == one.path
                and other.query == one.query
                and other.fragment == one.fragment
            ), (octet, filler)


def test_upper_case_beyond_the_window_is_lowered(index_width):
    for before in (0, 20, 55, 500, 503, 504, 600):
        for at in range(8):
            host = "a" * before + "".join("B" if k == at else "b" for k in range(8)) + ".org"
            assert parse(f"http://{host}/").host == host.lower()


def test_an_exact_size_buffer_is_not_overread(index_width):
    """The octets after the text are somebody else's: a slice ends the text for all steps."""
    whole = b"http://example.org/path/" + b"a" * 600 + b"?query#fragment"
    for n in range(len(whole)):
        assert split(whole[:n]) == split(bytes(bytearray(whole[:n])))
        assert can_parse(whole[:n]) == (n > 7)
