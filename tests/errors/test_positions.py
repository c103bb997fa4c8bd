"""The position of a ParseError: in characters of the text as given, in linear time and memory."""

from __future__ import annotations

import codecs
import tracemalloc

import pytest
from support.seeds import draws, seeded
from support.times import at_last, least_seconds

import urlsm
from urlsm.octets.text import position_of, positions

CHARACTERS = ["a", "é", "€", "😀", "\ud800", "\udcff", "\t", "\n", " ", "\x00", "/", ":"]
OCTETS = [b"a", b"\t", b"\n", b" ", "é".encode(), "€".encode(), "😀".encode()]
OCTETS += [bytes([k]) for k in range(0x80, 0x100)]


def places(given: str | bytes, removed_from: int, trimmed: bool = True) -> list[int]:
    """positions, character by character, from the decoder's own errors."""
    found: list[int] = []
    if isinstance(given, str):
        for k, character in enumerate(given):
            found += [k] * len(character.encode("utf-8", "surrogatepass"))
        octets = given.encode("utf-8", "surrogatepass")
    else:
        wrong: dict[int, int] = {}

        def note(error: UnicodeError) -> tuple[str, int]:
            assert isinstance(error, UnicodeDecodeError)
            wrong[error.start] = error.end
            return "\ufffd", error.end

        codecs.register_error("urlsm-note", note)
        octets = given.decode("utf-8", "urlsm-note").encode()
        k = 0
        while k < len(given):
            end = wrong.get(k) or next(e for e in range(k + 1, k + 5) if len(given[k:e].decode("utf-8", "ignore")) == 1)
            found += [k] * (3 if k in wrong else end - k)
            k = end
    found.append(len(given))
    if removed_from < 0:
        return found
    end = len(octets)
    while trimmed and end > removed_from and octets[end - 1] <= 0x20:
        end -= 1
    return [found[k] for k in range(removed_from, end) if octets[k] not in b"\t\n\r"] + [found[end]]


def test_a_position_is_that_of_the_character():
    rng = seeded(21)
    for _ in range(draws(2000)):
        n = rng.randrange(12)
        given = "".join(rng.choices(CHARACTERS, k=n)) if rng.random() < 0.5 else b"".join(rng.choices(OCTETS, k=n))
        for removed_from in (-1, 0):
            expected = places(given, removed_from)
            assert positions(given, removed_from) == expected, (given, removed_from)
            for octet in range(len(expected) + 2):
                found = position_of(given, octet, removed_from)
                assert found == expected[min(octet, len(expected) - 1)], (given, octet, removed_from)


@pytest.mark.parametrize(
    ("text", "position"),
    [
        (b"x://\xe2\x82:x/", 7),
        (b"x://\xe2\x82\xf0\x90:1x/", 10),
        (b"x://\xff\xff\xe2\x82<", 8),
        (b"x://\xe2\x82\t\xac:x", 9),
        ("x://é\t\ud800:x", 8),
        ("http://a\t:x\n\n", 10),
    ],
)
def test_the_caret_stands_where_it_is_wrong(text: str | bytes, position: int):
    with pytest.raises(urlsm.ParseError, match=r"port|host") as caught:
        urlsm.parse(text)
    assert caught.value.position == position
    kind = type("Given", (type(text),), {})
    with pytest.raises(urlsm.ParseError, match=r"port|host") as caught:
        urlsm.parse(kind(text))
    assert caught.value.position == position


LONG = {
    "a tab": lambda n: "http://h:x\t" + "a" * n,
    "tabs": lambda n: "http://h:x" + "\t" * n,
    "not ASCII": lambda n: "http://h:x/" + "é" * (n // 2),
    "not ASCII, and a tab": lambda n: "http://h:x/\t" + "é" * (n // 2),
    "surrogates": lambda n: "http://h:x/" + "\ud800" * (n // 3),
    "octets": lambda n: b"http://h:x/" + "é".encode() * (n // 2),
    "octets that are not UTF-8": lambda n: b"http://h:x/" + b"\xe9" * (n // 3),
    "and a tab": lambda n: b"http://h:x/\t" + b"\xe9" * (n // 3),
    "a host": lambda n: "http://" + "é" * (n // 2) + ":x",
    "no scheme": lambda n: "a." * (n // 2),
    "at signs": lambda n: "http://h:x/" + "@:" * (n // 2),
    "passwords": lambda n: "http://h:x/?" + "password=&" * (n // 10),
    "URLs within": lambda n: "http://[" + "http://a:" * (n // 9) + "@",
}


@pytest.mark.parametrize("what", LONG)
def test_a_long_text_that_is_refused_has_its_error_in_linear_time(what: str):
    def error(n: int) -> urlsm.ParseError:
        with pytest.raises(urlsm.ParseError) as caught:
            urlsm.parse(LONG[what](n))
        return caught.value

    def seconds(n: int) -> float:
        refused = error(n)
        return least_seconds(lambda: (str(refused), repr(refused), refused.position), 2)

    assert at_last(lambda: (long := seconds(1 << 19)) < 0.02 or long < 20 * seconds(1 << 16))
    refused = error(1 << 20)
    tracemalloc.start()
    try:
        assert len(str(refused)) < 1000 and len(repr(refused)) < 200 and refused.position >= 0
        assert tracemalloc.get_traced_memory()[1] < 16 << 20  # no list of its octets
    finally:
        tracemalloc.stop()
