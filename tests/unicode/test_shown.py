"""Which domains people may see: the proof in C says so only where urlsm.url.display does."""

from __future__ import annotations

import pytest
from support.seeds import draws, least, seeded

from urlsm.unicode.domains import LOOKALIKES, certainly_shown
from urlsm.url.display import is_safe_label

WIDE = range(0x80, 0x32000)
LETTERS = "aé\u0142ñжяасеїѳάβωאבןعربيةनमสวัहिकカナーひら漢字한글ґთაաə"
OTHERS = "-019_·~.ßς\u200d\u0301١०٣。ﬁ☃Ⅷ𝐚\u0483ªªÉЖ"


def test_each_code_point_that_is_shown_is_safe():
    shown = [chr(code) for code in WIDE if certainly_shown(chr(code)) or certainly_shown(f"\u0436{chr(code)}")]
    assert len(shown) > 40_000 and all(is_safe_label(char) or char in LOOKALIKES for char in shown)
    assert not any(map(certainly_shown, "ßς\u200c\u200d\u1806"))  # versions of IDNA differ on the first five


def test_what_is_shown_is_safe():
    rng, shown = seeded(46), 0
    for _ in range(draws(100_000)):
        script = rng.choices(LETTERS, k=rng.choice((1, 1, 2)))
        text = "".join(
            rng.choices([*script, *script, "a", rng.choice(OTHERS), rng.choice(LETTERS)], k=rng.randrange(1, 6))
        )
        if certainly_shown(text):
            shown += not text.isascii()
            assert all(map(is_safe_label, text.split("."))), ascii(text)
    assert shown > least(10_000)


@pytest.mark.parametrize(
    ("domain", "shown"),
    [
        *(("bücher.com", True), ("пример-1.рф", True), ("日本かなカーnew.jp", True), ("한국.h", True), ("a_b.é", True)),
        *(("асе.com", False), ("аe.com", False), ("éж", False), ("é_", False), ("é☃", False), ("", True), (".", True)),
        *(("a.асе", False), ("асе1-", False), ("асеж", True), ("\ud800", False), ("é.", True)),
    ],
)
def test_domains(domain: str, shown: bool):
    assert certainly_shown(domain) is shown
