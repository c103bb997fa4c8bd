"""oxiri, the IRI library in Rust that pyoxigraph brings, where installed, beside urlsm.formats."""

from __future__ import annotations

import os

import pytest
from support.iris import draw_iri
from support.seeds import seeded

from urlsm import formats

pytestmark = pytest.mark.once

# oxiri does not refuse what RFC 3987 section 4.1 forbids beside the grammar
FORMATTING = set("\u200e\u200f\u202a\u202b\u202c\u202d\u202e")


def test_a_text_is_an_iri_as_oxiri_has_it():
    pyoxigraph = pytest.importorskip("pyoxigraph")
    rng, counts = seeded("oxiri"), [0, 0]
    for _ in range(int(os.environ.get("URLSM_CASES", 10_000))):
        text = draw_iri(rng)[0]
        at = rng.randrange(len(text) + 1)
        changed = text[:at] + rng.choice("%:/?#[]@ \\é\ue000\u202e\ufffe\x80`\n") + text[at + rng.randrange(2) :]
        for one in (text, changed):
            try:
                expected = str(pyoxigraph.NamedNode(one).value) == one and not FORMATTING & set(one)
            except ValueError:
                expected = False
            counts[expected] += 1
            assert formats.is_iri(one) == expected, ascii(one)
    assert min(counts) > sum(counts) // 5
