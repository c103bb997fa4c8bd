"""Quoting with custom sets: every path that reads many octets at once agrees with reading one at a time."""

from urllib.parse import quote as reference

import pytest
from support.seeds import seeded

from urlsm import parse
from urlsm.machine.driver import octet_classes
from urlsm.octets.text import use_vectors
from urlsm.stdlib import quote, quote_from_bytes


@pytest.fixture(params=[64, 32, 16, 1], ids=lambda width: f"{width} octets at a time")
def width(request):
    if use_vectors(request.param) != request.param:
        use_vectors(64)
        pytest.skip("this CPU, or this build, has no such vectors")
    yield request.param
    use_vectors(64)


def test_every_octet_at_every_place(width):
    for octet in range(256):
        for place in range(130):
            octets = b"a" * place + bytes([octet]) + b"b" * (place % 3)
            kept = chr(octet).isascii() and (chr(octet).isalnum() or octet in b"_.-~/")
            written = chr(octet) if kept else f"%{octet:02X}"
            assert quote_from_bytes(octets) == "a" * place + written + "b" * (place % 3)
            if octet < 128:
                text = octets.decode()
                assert (quote(text) is text) == kept


def test_any_set(width, cases):
    rng = seeded(3)
    for _ in range(cases // 10):
        safe = "".join(map(chr, rng.choices(range(128), k=rng.choice([0, 1, 3, 60]))))
        text = "".join(map(chr, rng.choices(range(128), k=rng.choice([1, 31, 32, 33, 63, 64, 65, 200]))))
        assert quote(text, safe) == reference(text, safe)
        text = "".join(rng.choices("abc" + safe, k=150))
        assert quote(text, safe) == reference(text, safe)


def test_encode_sets_in_texts_of_any_length(width, cases):
    rng = seeded(4)
    classes = octet_classes()
    sets = {"?": classes["enc_query"], "#": classes["enc_fragment"]}
    for _ in range(cases // 10):
        mark, encoded = rng.choice([*sets.items()])
        # most octets are kept, so that some of the stretches hold nothing to encode
        few = rng.choices([" ", '"', "<", "`", "\x7f", "é", "中", "😀", "\ud800"], k=rng.choice([0, 1, 1, 5, 100]))
        units = few + rng.choices(["a", "%41", "'"], k=rng.choice([0, 3, 70, 300]))
        text = "".join(rng.sample(units, len(units))) + "z"
        octets = text.replace("\ud800", "\ufffd").encode()
        wanted = "".join(f"%{o:02X}" if o in encoded else chr(o) for o in octets)
        assert str(parse(f"x://h{mark}{text}")) == f"x://h{mark}{wanted}"
