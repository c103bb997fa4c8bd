"""cpe and mautrix, where installed, beside the handlers of platforms' names and of Matrix."""

from __future__ import annotations

import random
import re
import warnings
from typing import Any
from urllib.parse import unquote

import pytest
from support.seeds import seeded

from oracles.rows import Rows, judged
from oracles.test_libraries import codes, parts

Seen = tuple[Any, ...] | None

# --- cpe ---

VALUES = {
    "2.2": (
        *("a", "Foo", "Bar", "1.0", "-", "", "x_y", "a~b", "%24", "%5c", "%7e", "%01", "%02", "b%01", "%02b", "%41"),
        *("a b", "?", "é", "8.%02", "%", "-1", "~a~b~c~d~e", "~~~~~", "~x", "de", "en-us", "en-us-x", "z*"),
    ),
    "2.3": (
        *("*", "*", "-", "a", "Foo", "Bar", "1.0", "", "x_y", r"a\:b", r"a\\", r"\$", "?", "??", "b?", "*b", "b*"),
        *("**", "a*b", r"\-", r"a\.b", "a b", "é", "a~b", r"a\~", "a%20", "de"),
    ),
}
LANGUAGES = ("*", "-", "de", "en-us", "en-419", "en-us-x", "x_y")


def platform(rng: random.Random) -> str:
    choose = rng.choice
    if choose((True, False)):
        values = [choose(VALUES["2.2"]) for _ in range(rng.randrange(8))]
        return "cpe:/" + ":".join([choose(("a", "o", "h", "A", "", "x", "-")), *values])
    values = [choose(VALUES["2.3"]) for _ in range(choose((*[10] * 9, 9, 11)))]
    values[5] = choose(LANGUAGES)
    return "cpe:2.3:" + ":".join([choose(("a", "o", "h", "*", "-", "x", "A")), *values])


def ours_of_platform(text: str) -> Seen:
    found = parts(text)
    return None if found is None else tuple(found[name] or "*" for name in found._fields[1:])


def cpe(text: str) -> Seen:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from cpe import CPE
    try:
        written = CPE(text, CPE.VERSION_2_3).as_fs().lower()
    except (NotImplementedError, IndexError):  # how it refuses
        return None
    return tuple(re.findall(r":((?:\\.|[^:\\])*)", written.removeprefix("cpe:2.3")))


PLATFORM_ROWS: Rows = {
    "tildes": (
        "NISTIR 7695 6.1.3.3.7: a tilde of the URI that packs nothing is a mark",
        lambda text, ours, theirs: theirs is None and text.startswith("cpe:/") and "~" in text,
    ),
    "a wildcard alone": (
        "section 5.3.2: a question mark may be the whole value; of the URI, it raises IndexError",
        lambda text, ours, theirs: theirs is None and re.search(":%01(?::|$)", text) is not None,
    ),
    "a quoted backslash": (
        'it takes the ":" behind a quoted backslash for a quoted colon',
        lambda text, ours, theirs: "\\\\:" in text or (text.endswith("\\\\") and theirs is None),
    ),
    "a quoted colon": (
        "it divides values that have one",
        lambda text, ours, theirs: theirs is None and "\\:" in text,
    ),
    "what is not of the grammar": (
        "figures 6-1 and 6-3 have neither other characters, nor quoted letters, nor empty values, nor other languages",
        lambda text, ours, theirs: ours is None
        and codes(text)
        and codes(text)
        <= {
            *("character-not-allowed", "cpe-quoting", "cpe-wildcard", "cpe-attribute-invalid"),
            *("cpe-attribute-missing", "cpe-edition-packed", "cpe-attribute-count"),
        },
    ),
    "languages of the URI": (
        "figure 6-1 takes any language tag of RFC 5646",
        lambda text, ours, theirs: theirs is None and ":en-us-x" in text and text.startswith("cpe:/"),
    ),
}  # fmt: skip


def test_cpe_sees_the_same_attributes(cases):
    pytest.importorskip("cpe", reason="cpe is not installed")
    rng = seeded("cpe")
    texts = [platform(rng) for _ in range(cases)]
    seen = judged([(text, ours_of_platform(text), cpe(text)) for text in texts], PLATFORM_ROWS)
    assert seen["agree"] > 0.8 * cases, seen


# --- mautrix ---

SIGILS = {"u": "@", "r": "#", "roomid": "!"}


def resource(rng: random.Random) -> str:
    choose = rng.choice
    kind = choose(["u", "r", "roomid", "roomid", "user", "room", "U", "e", "x", ""]) + choose(["/", "/", "/", ""])
    name = choose(["a:b.c", "alice:example.org", "caf%C3%A9:x", "a%2Fb:c", "a/b", "", "a:b:80", "a%3Ab"])
    event = choose(["", "", "/e/ev", "/event/ev", "/E/x", "/e/", "/e", "/u/x", "/", "/e/%24x"])
    query = choose(["", "?via=h", "?via=h&via=i:80", "?action=join", "?action=chat", "?action=x", "?a.b=c", "?via="])
    more = choose(["", "", "&action=join", "&action=chat"]) if query else ""
    return f"matrix:{choose(['', '', '', '//h/', '/'])}{kind}{name}{event}{query}{more}{choose(['', '', '#f'])}"


def ours_of_resource(text: str) -> Seen:
    found = parts(text)
    if found is None:
        return None
    event = None if found.event is None else f"${found.event}"
    return SIGILS[found.kind] + found.id, event, found.via, found.action


def mautrix(text: str) -> Seen:
    from mautrix.types import MatrixURI

    try:
        found = MatrixURI.parse(text)
    except (ValueError, TypeError):
        return None
    names = [found.user_id or found.room_id or found.room_alias, found.event_id]
    first, event = [None if name is None else unquote(name) for name in names]
    return first, event, tuple(found.via or ()), getattr(found.action, "value", found.action)


RESOURCE_ROWS: Rows = {
    "types": (
        "MSC2312: types have no case, and those of earlier editions may be read; and an authority does not matter",
        lambda text, ours, theirs: theirs is None
        and re.match("matrix:(?://|user/|room/|U/)|.*/(?:E|event)/", text) is not None,
    ),
    "paths": (
        "MSC2312: 2 or 4 segments, none of them empty, and an event in a room only; a server for via",
        lambda text, ours, theirs: ours is None
        and codes(text)
        <= {"matrix-path-invalid", "matrix-kind-unknown", "matrix-id-missing", "matrix-via-invalid", "path-missing"},
    ),
    "the last action": (
        "MSC2312: the last action counts",
        lambda text, ours, theirs: text.count("action=") > 1 and ours[:3] == theirs[:3],
    ),
}  # fmt: skip


def test_mautrix_sees_the_same_resource(cases):
    pytest.importorskip("mautrix.types", reason="mautrix is not installed")
    rng = seeded("mautrix")
    texts = [resource(rng) for _ in range(cases)]
    seen = judged([(text, ours_of_resource(text), mautrix(text)) for text in texts], RESOURCE_ROWS)
    assert seen["agree"] > 0.5 * cases, seen
