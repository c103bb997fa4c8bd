"""Random patterns, and what is asked of them: of URLPattern, and lines of robots.txt."""

from __future__ import annotations

import random

from urlsm.patterns.urlpattern import NAMES

# --- URLPattern ---

PIECES = ("a", "b", ".", "/", ":x", "*", "(a|b)", "{a}?", "{/b}*", ":y?", "%41", "(.*)", "+", "?", "é", "-", "{b:z}",
          "([ab]+)", "[", "&", "=")  # fmt: skip
TEXTS = ("a", "b", ".", "/", "A", "é", "x", "?a", "#b", "%41", "-", "&", "ab")


def random_init(rng):
    init = {}
    for name in NAMES:
        if rng.random() < 0.35:
            init[name] = "".join(rng.choice(PIECES) for _ in range(rng.randrange(5)))
    if "pathname" in init and rng.random() < 0.7:
        init["pathname"] = "/" + init["pathname"]
    if "protocol" in init and rng.random() < 0.7:
        init["protocol"] = rng.choice(("http", "https", "http{s}?", "*", "foo"))
    if "port" in init:
        init["port"] = rng.choice(("", "80", "8*", "443"))
    return init


def random_url(rng):
    host = "".join(rng.choice("ab.") for _ in range(rng.randrange(1, 4))) + rng.choice(("", ":80", ":8080"))
    path = "".join(rng.choice(TEXTS) for _ in range(rng.randrange(6)))
    return f"{rng.choice(('http://', 'https://', 'foo://', 'foo:', 'http://u:p@'))}{host}/{path}"


def made(kind, init):
    try:
        return kind(init)
    except (TypeError, ValueError, RuntimeError):
        return None


# --- robots.txt ---

KEYS = (
    *("user-agent", "User-Agent", "useragent", "user agent", "allow", "Allow", "disallow", "disalow", "Disallow"),
    *("sitemap", "site-map", "host", "crawl-delay", "crawl delay", "request-rate", "Request Rate", "visit-time", "foo"),
)
AGENTS = ("*", "a", "foo", "foobot", "my-bot", "mybot", "foo*", "b*r", "googlebot", "googlebot-news")
ASKED = ("a", "foobot", "Foo", "mybot", "Mozilla/5.0 (foobot/1.0)", " GoogleBot-News ", "zz", "", "*", "b*r")
PATHS = (
    *("/", "a", "b", "*", "$", "%2f", "%2A", "%24", "%41", "%c3%a9", "é", "?", "=", "&", "index.html", "/index.html"),
    *("%", "%zz", "%25", "~", " ", ";", "http://x/", "//", "-", "#", "%ff", "\u2028", "'", "(", "+", ".", "..", "\t"),
)
VALUES = {
    "delay": ("1", "0.5", "-1", "inf", "nan", "x", "1e3", "1_0", ""),
    "rate": ("1/10", "1/5m", "2/3h 0100-0230", "0/5", "1/", "a/b", "/", "1/2/3", "1/9 100-1460", "5/5D", "1/2 3 4", ""),
    "time": ("0400-0845", "0400 0845", "400-845", "2500-0000", "x", "0400-0845-1", ""),
}


def path_of(rng: random.Random) -> str:
    return "".join(rng.choice(PATHS) for _ in range(rng.randrange(7)))


def line_of(rng: random.Random) -> str:
    key = rng.choice(KEYS)
    if "agent" in key.lower():
        value = rng.choice(AGENTS)
    elif "low" in key.lower():
        value = rng.choice(("/", "")) + path_of(rng)
    else:
        kind = next((kind for kind in VALUES if kind in key.lower()), None)
        value = rng.choice(VALUES[kind] if kind else ("http://x/s", "x y", ""))
    return key + rng.choice((":", ": ", " ", " : ", ":\t", "")) + value + rng.choice(("", "", "#c", " #x"))
