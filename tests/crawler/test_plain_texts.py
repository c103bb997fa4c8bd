"""The plain lane (machine/lane) finds the components of a plain text: its keys are those by the machine."""

from __future__ import annotations

import pytest
from support.seeds import draws, least, seeded

from urlsm import ParseError
from urlsm.crawler import PROFILES, Profile, profile, robots_path, try_canonicalize
from urlsm.machine.driver import plain_offsets, use_plain

PIECES = [
    *("http://", "https://", "/", "/", "/", "//", "example.org", "www.", "www2.", ".", "a..b", "b_c", "~", "!"),
    *("xn--a", "1.2.3.f", "0x", "9", "a;b", ";", "%41", "%2f", "%7E", "%25", "%zz", "?", "?", "&", "&&", "=", "+"),
    *("#", "#/", "b", "b=2", "a=1", "A", "Z", "(S(" + "a" * 24 + "))/", "x.aspx", "jsessionid=" + "a" * 32),
    *("utm_source=x", "|", "'", ":", "\\"),
]
HOSTS = [
    *(
        "h.example",
        "www.h.example",
        "www7.www.h.example",
        "www.h",
        "www2.www3.h",
        "wwwx.h",
        "www",
        "a..b",
        ".a",
        "",
        "h",
    ),
    *(
        "w_w.h!",
        "a." * 31 + "b",
        "a." * 32 + "b",
        "www." + "a." * 40 + "b",
        "a" * 64,
        "a" * 63 + ".b",
        "1.2.3.x",
        "1.2.g",
    ),
]
COMPOSED = {
    "routes": profile("urlsm-1").replace(fragment="routes", remove_params=("utm_*",), www="one"),
    "fragment first": profile("w3lib").replace(fragment_first=True, fragment="keep"),
    "www": profile("surt").replace(www="all", www_needs_dot=True, scheme="keep", dots="keep", host_others="refuse"),
    "own host": profile("surt").replace(host_safe="!", www="all", dots="squeeze", trailing_comma=True),
    "bare": profile("surt").replace(key_form="bare"),
    "squeezed": profile("w3lib").replace(dots="squeeze", host_safe="", host_others="refuse"),
    "ftp alone": profile("crawler-commons").replace(schemes=("ftp",)),
    "http alone": profile("w3lib").replace(schemes=("http",)),
}


@pytest.mark.parametrize("how", [*PROFILES.values(), *COMPOSED.values()], ids=[*PROFILES, *COMPOSED])
def test_the_lane_and_the_machine_lead_to_one_key(how: Profile):
    rng = seeded(12)
    texts = []
    for _ in range(draws(1500)):
        rest = "".join(rng.choices(PIECES, k=rng.randrange(9)))
        texts.append(f"{rng.choice(PIECES[:2])}{rng.choice(HOSTS)}/{rest}")
    before = use_plain(True)
    try:
        assert sum(plain_offsets(text.encode()) is not None for text in texts) > least(500)
        keys = [try_canonicalize(text, how) for text in texts]
        use_plain(False)
        assert keys == [try_canonicalize(text, how) for text in texts]
    finally:
        use_plain(before)


def path_of(text: str) -> str | None:
    try:
        return robots_path(text)
    except ParseError:
        return None


def test_robots_path_of_a_plain_text_is_that_of_its_key():
    rng = seeded(9309)
    texts = [
        f"{rng.choice(PIECES[:2])}{rng.choice(HOSTS[:12])}{rng.choice(('/', '/', '?', '#', ''))}"
        + "".join(rng.choices([*PIECES[3:], "%2F", "%C3%A9", "%2E", '"', "é", "/./", "\t"], k=rng.randrange(6)))
        for _ in range(draws(100_000))
    ]
    before = use_plain(True)
    try:
        paths = [path_of(text) for text in texts]
        use_plain(False)
        assert paths == [path_of(text) for text in texts]
    finally:
        use_plain(before)
    assert sum(path is not None for path in paths) > least(50_000)
