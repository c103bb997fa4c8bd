"""The index of marks: every width of vectors gives the bits of the portable path, for any octets."""

from __future__ import annotations

import sys
import threading
import time

import pytest
from support.seeds import seeded

from urlsm import ParseError, can_parse, parse, split
from urlsm.machine.driver import DIALECTS, use_vectors

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
# octets that a step checks, and octets that it skips
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
    """Return all visible results of the machine for a text."""
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
            c = split(text, dialect=dialect)
            results.append((c.scheme, c.username, c.password, c.host, c.port, c.path, c.query, c.fragment))
        except ParseError as error:
            results.append((error.code, error.position))
    return tuple(results)


def differing(texts: list[bytes]) -> list[bytes]:
    """Return the texts that some width reads differently from the portable path."""
    assert use_vectors(1) == 1
    wanted = [seen(text) for text in texts]
    wrong = []
    for width in (16, 32, 64):
        if use_vectors(width) == width:
            wrong += [(width, text) for text, want in zip(texts, wanted, strict=True) if seen(text) != want]
    return wrong


def test_use_vectors_tells_the_width_in_force():
    assert use_vectors(1) == 1
    assert use_vectors(16) in (1, 16)
    assert use_vectors(32) in (1, 16, 32)
    assert use_vectors(64) in (1, 16, 32, 64)
    assert use_vectors(64) >= use_vectors(32) >= use_vectors(16)


@pytest.mark.once
def test_random_octets_of_every_length():
    rng = seeded(512)
    texts = []
    for n in LENGTHS:
        for density in (0.02, 0.2, 0.9):
            for head in (b"", rng.choice(HEADS)):
                body = bytes(rng.choice(SPECIAL) if rng.random() < density else rng.choice(PLAIN) for _ in range(n))
                texts.append((head + body)[: max(n, len(head))])
        texts.append(bytes(rng.randrange(256) for _ in range(n)))
    assert differing(texts) == []


@pytest.mark.once
@pytest.mark.parametrize("head", HEADS)
def test_each_octet_at_the_borders_of_words_and_of_the_window(head):
    """One interesting octet, alone, at each offset around a multiple of 32 and around the window's end."""
    texts = []
    for border in (16, 32, 48, 64, 96, 128, 512, 576, 1024):
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
        for border in (32, 64, 128, 512, 576, 640):
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
    """After the window the octets are searched, by the same rules."""
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
    """The octets after the text are not ours: a slice ends the text for all steps."""
    whole = b"http://example.org/path/" + b"a" * 600 + b"?query#fragment"
    for n in range(len(whole)):
        assert split(whole[:n]) == split(bytes(bytearray(whole[:n])))
        assert can_parse(whole[:n]) == (n > 7)


def plainly_read(path: str) -> tuple[str, str | None, str | None]:
    """Path, query and fragment of an ASCII text behind a host, found and encoded without any search."""
    path, hash_, fragment = path.partition("#")
    path, question, query = path.partition("?")
    segments: list[str] = []
    for segment in path[1:].replace("\\", "/").split("/"):
        dots = segment.lower().replace("%2e", ".")
        segments = segments[:-1] if dots == ".." else segments if dots == "." else [*segments, segment]
    segments += [""] if dots in (".", "..") else []
    return (
        "/" + "/".join(encoded(segment, ' "#<>?^`{}') for segment in segments),
        encoded(query, " \"#<>'") if question else None,
        encoded(fragment, ' "<>`') if hash_ else None,
    )


def encoded(text: str, octets: str) -> str:
    return "".join(f"%{ord(char):02X}" if char in octets or char > "~" else char for char in text)


UNITS = ["a", "abc/", "/", "/.", "/..", "/%2e", "/%2E%2e", "/%2", "/%", "%2e", "/%2f", "/.a", "'", "|", " ", "\\",
         "\x7f", "?", "#", "x" * 61, "y" * 64, "z" * 300]  # fmt: skip


def test_long_texts_are_read_as_by_hand(index_width):
    rng = seeded(4096)
    for _ in range(100):
        units = rng.choices(UNITS[:-2], k=6) + [rng.choice("abc/x")] * rng.choice([0, 5, 200])
        text = "/" + "".join(rng.choice(units + UNITS[-3:]) for _ in range(rng.randrange(1, 400))) + "x"
        url = parse("http://h" + text)
        assert (url.path, url.query, url.fragment) == plainly_read(text), text


@pytest.mark.once
@pytest.mark.parametrize("unit", ["a", "/", "/%2", "/%2f/", "'", "?", ";", "%", "/..", "/%2e%2E/", "a" * 9 + "'"])
def test_each_offset_past_the_window(unit, index_width):
    """The octets searched for are at every offset of a block, between other and similar octets."""
    for before in range(508, 700, 3):
        for found in ("?", "#", "'", "/..", "/%2e"):
            text = "/" + (unit * before)[:before] + found + (unit * 100)[:100] + "x"
            url = parse("http://h" + text)
            assert (url.path, url.query, url.fragment) == plainly_read(text), text


@pytest.mark.skipif(sys.platform == "emscripten", reason="no threads")
def test_other_threads_run_while_a_long_text_is_read():
    """The lock is never handed over by force: if another thread counts, it was released."""
    count = 0
    stop = threading.Event()

    def counting() -> None:
        nonlocal count
        while not stop.is_set():
            count += 1
            time.sleep(0)  # hands it over

    interval = sys.getswitchinterval()
    text = "http://h/" + "a" * (1 << 23)
    thread = threading.Thread(target=counting)
    try:
        sys.setswitchinterval(1000)
        thread.start()
        for _ in range(1000):  # the other thread has to wake up in time
            before = count
            parse(text)
            if count > before:
                break
        assert count > before
    finally:
        stop.set()
        sys.setswitchinterval(interval)
        thread.join()
