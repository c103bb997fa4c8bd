"""Objects and texts that attack the readers: no exception but the documented ones, and linear time."""

from __future__ import annotations

import time

import pytest

from urlsm import parse
from urlsm.readers.programs import HOMES, number, program
from urlsm.security import audit, compare_readers, is_ambiguous, sent

NAMES = sorted(HOMES)
CLIENTS = [name for name in NAMES if program(name).sent is not None]
# what is repeated after each of HEADS: each is hostile to some step of some reader
UNITS = [
    "a", "@", ":", "[", "]", "%", "%41", "%2e", "%2e%2e/", "../", "./", "a/./", "//", "\\", "?", "#", ".", "1.", "xn--",
    "-", "\u3002", "\u00df", "\u00e9", "\uff45.", "\ufdfa", "a\u0300\u0316", "\u0300\u0316", "\ud800", "\udcff", "\0",
    "\t", " ", "\n", "0x", "9", "a:b@", "[::", "%25", "%zz", "?@#", "+", ";", "xn--a.", "\u05d0", "\u200d", "&a=b",
    "\U0010ffff", "<", "{", "v1.", "view-source:", "jar:",
]  # fmt: skip
HEADS = (
    "http://", "http://h/", "http://h:", "http://[", "http://[@", "http://xn--", "http://--.", "http://h?", "http://h#",
    "", ".", "ssh://", "file:",
)  # fmt: skip


class Evil(str):
    """A str whose methods lie and raise."""

    def _raise(self, *args, **kwargs):
        raise AssertionError("a method of the caller's object was called")

    partition = rpartition = find = rfind = split = lower = strip = lstrip = encode = replace = startswith = _raise
    __eq__ = __getitem__ = __len__ = __iter__ = __contains__ = __add__ = __str__ = __hash__ = _raise


def test_a_subclass_of_str_is_read_as_its_text():
    text, evil = "http://127.1/%7e\\@b", Evil("http://127.1/%7e\\@b")
    found = compare_readers(evil, readers=NAMES)
    assert dict(found.views) == dict(compare_readers(text, readers=NAMES).views)
    assert type(found.url) is str
    assert is_ambiguous(evil, readers=NAMES) is True
    assert audit(evil, readers=["curl", "go"]) == audit(text, readers=["curl", "go"])
    for client in CLIENTS:
        assert answer(lambda name=client: sent(evil, name)) == answer(lambda name=client: sent(text, name))


def answer(call):
    try:
        return call()
    except ValueError as error:
        return str(error)


@pytest.mark.parametrize("value", [bytearray(b"http://h/"), memoryview(b"http://h/"), None, 1, ["http://h/"], object()])
def test_other_types_are_type_errors(value):
    for call in (
        lambda: compare_readers(value, readers=["curl", "go"]),
        lambda: is_ambiguous(value, readers=["curl", "go"]),
        lambda: audit(value, readers=["curl", "go"]),
        lambda: sent(value, "requests"),
        lambda: sent("http://h/", value),
    ):
        with pytest.raises(TypeError):
            call()


@pytest.mark.parametrize("name", [type("Name", (str,), {})("curl"), b"curl", None, 1, ["curl"]], ids=repr)
def test_names_of_other_types_are_type_errors(name):
    assert is_ambiguous("http://h/", readers=["curl"]) is False  # a name that is known by now
    for call in (
        lambda: compare_readers("http://h/", readers=[name]),
        lambda: is_ambiguous("http://h/", readers=[name]),
        lambda: audit("http://h/", readers=[name]),
        lambda: sent("http://h/", name),
    ):
        with pytest.raises(TypeError, match="must"):
            call()


def test_bytes_and_urls_are_read_as_their_text():
    text = "http://h.example/%7Ea?b"
    for given in (text.encode(), parse(text)):
        assert dict(compare_readers(given, readers=NAMES).views) == dict(compare_readers(text, readers=NAMES).views)
    assert dict(compare_readers(b"http://\xff/", readers=NAMES).views).keys() == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_hostile_texts_raise_nothing(name):
    for head in HEADS:
        for unit in UNITS:
            text = head + unit * (300 // len(unit))
            for tail in ("", "/", "@h/", "]"):
                read(name, text + tail)


def test_urls_within_urls_do_not_overflow_the_stack():
    for text in ("view-source:" * 100_000 + "http://h/", "jar:" * 100_000 + "http://h/" + "!/" * 100_000):
        for name in NAMES:
            read(name, text)


@pytest.mark.parametrize("name", ["ada", "node", "pydantic", "whatwg-url", "php-whatwg"])
def test_a_long_label_in_punycode_is_read_at_once(name):
    many = "".join(map(chr, range(0x4E00, 0x9FA0)))  # Punycode takes the longest for many characters
    for label in ("xn--" + "a9" * 100_000, "\u200d".join(many)):
        assert duration(name, f"http://{label}/") < 1


def read(name: str, text: str) -> None:
    """Read a text by all functions of a program."""
    found = program(name)
    release = number(found.releases[-1])
    for function in (found.read, found.sent):
        if function is not None:
            seen = function(text, release)
            assert isinstance(seen, str) or len(seen) in ((7, 8) if function is found.read else (2,))


def duration(name: str, text: str) -> float:
    start = time.process_time()
    read(name, text)
    return time.process_time() - start


@pytest.mark.slow(60)
@pytest.mark.parametrize("number", range(len(NAMES)), ids=NAMES)
def test_time_is_linear(number, share):
    """Four times the text takes four times as long, not sixteen times. What takes less than 5 ms is not measured."""
    name = NAMES[number]
    quadratic = []
    for head, unit in share([(head, unit) for head in HEADS for unit in UNITS], number):
        short, long = (head + unit * (size // len(unit)) for size in (1 << 14, 1 << 16))
        spent = duration(name, long)
        if spent > 0.005:
            spent, before = (min(duration(name, text) for _ in range(3)) for text in (long, short))
            if spent > 9 * before:
                quadratic.append((head, unit, spent))
    assert quadratic == []


@pytest.mark.slow(60)
@pytest.mark.parametrize("number", range(len(NAMES)), ids=NAMES)
def test_a_megabyte_is_read(number, share):
    for unit in share(UNITS, number):
        assert duration(NAMES[number], "http://h/" + unit * ((1 << 20) // len(unit))) < 5
