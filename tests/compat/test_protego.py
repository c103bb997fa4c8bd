"""Protego under its name: its own answers, on random files beside it and on the files of sites."""

from __future__ import annotations

import functools
import json
import pickle
from datetime import time

import pytest
from support.drawn_patterns import AGENTS, ASKED, line_of, path_of
from support.seeds import seeded
from support.suites import BESIDE, absent

from urlsm.compat import install, uninstall
from urlsm.compat.protego import Protego, RequestRate, VisitTime
from urlsm.crawler import Robots

DATA = BESIDE / "patterns"


def test_what_it_reads_as_rfc_9309_does_not():
    text = "User-agent: a\nCrawl-delay: 2\nUser-agent: b\nDisallow: /x\n"
    assert Protego.parse(text).can_fetch("https://h/x", "a")
    assert not Robots(text).allows("https://h/x", "a")
    assert Protego.parse(text).crawl_delay("b") is None


@pytest.mark.parametrize(
    ("lines", "url", "allowed"),
    [
        ("Disallow: /a*b$", "/a/x/b", False),
        ("Disallow: /a*b$", "/a/x/bc", True),
        ("Disallow: /a$b", "/a$b", False),
        ("Disallow: /a$", "/a$c", False),  # a "$" at the end is also itself
        ("Disallow: /\nAllow: /d/index.html", "/d/", True),
        ("Disallow: /\nAllow: /d/index.html", "/d/x", False),
        ("Disallow: /%7Ejoe", "/~joe/", False),
        ("Disallow: /é", "/%C3%A9", False),
        ("Disallow: /%2fx", "//x", True),
        ("Disallow: /%2fx", "/%2Fx", False),
        ("Disallow: /a?b", "/a%3Fb", False),
        ("Disallow: https://h/x", "/https://h/x", False),
        ("Disallow /x", "/x", False),
        ("Disalow: /x", "/x", False),
        ("Disallow: /x\nAllow: /x", "/x", True),
        ("Disallow: /robots.txt", "https://h/robots.txt?a", True),
        ("Disallow: /a?", "/a?#b", False),
    ],
)
def test_rules(lines: str, url: str, allowed: bool):
    assert Protego.parse(f"User-agent: *\n{lines}\n").can_fetch(url, "any") is allowed


def test_agents():
    robots = Protego.parse(
        "user agent foobot\nDisallow: /f\n\nUser-agent: bot\nDisallow: /b\nUser-Agent: *\nDisallow: /s\n"
    )
    for agent, path in (
        ("Mozilla/5.0 (compatible; FooBot/1.0)", "/f"),
        ("bot", "/b"),
        ("a bot", "/b"),
        ("mybot", "/s"),
        ("", "/s"),
    ):
        assert [p for p in ("/f", "/b", "/s") if not robots.can_fetch(p, agent)] == [path], agent


def test_values():
    robots = Protego.parse(
        "User-agent: a\nCrawl-delay: 1.5\nCrawl-delay: inf\nRequest-rate: 1/10m 0100-230\nRequest-rate: 0/1\n"
        "Visit-time: 0400 0845\nHost: h\nSitemaps: https://h/1\n\nbogus: x\nbogus\n"
    )
    assert robots.crawl_delay("a") == 1.5
    assert robots.request_rate("a") == RequestRate(1, 600, time(1, 0), time(2, 30))
    assert robots.visit_time("a") == VisitTime(time(4, 0), time(8, 45))
    assert robots.preferred_host == "h" and list(robots.sitemaps) == ["https://h/1"]
    assert (robots._total_line_seen, robots._total_directive_seen, robots._valid_directive_seen) == (11, 9, 8)
    nobody = Protego.parse("")
    assert nobody.crawl_delay("a") is nobody.request_rate("a") is nobody.visit_time("a") is None
    assert nobody.can_fetch("/x", "a")


def test_the_value():
    robots = Protego.parse("User-agent: *\nDisallow: /x\n")
    assert not robots.can_fetch("/x", "a")
    assert not pickle.loads(pickle.dumps(robots)).can_fetch("/x", "a")
    with pytest.raises(TypeError, match="expects str, got bytes"):
        Protego.parse(b"")  # type: ignore[arg-type]


def test_the_rows_of_sites():
    path = DATA / "robots-protego.json"
    if not path.is_file():
        absent("data of pattern matchers", f"robots-protego.json in {DATA}")

    @functools.cache
    def robots(file: str) -> Protego:
        return Protego.parse((DATA / "robots-files" / file).read_bytes().decode("utf-8-sig"))

    rows = json.loads(path.read_text(encoding="utf-8"))
    for row in rows:
        assert robots(row["file"]).can_fetch(row["url"], row["agent"]) == row["allowed"], row
        assert robots(row["file"]).crawl_delay(row["agent"]) == row["delay"], row
    assert len(rows) == 3000


def test_it_answers_as_protego(cases: int):
    theirs = pytest.importorskip("protego").Protego
    rng = seeded("protego")

    def answer(robots: object, url: str, agent: str) -> object:
        try:
            return robots.can_fetch(url, agent)
        except ValueError as error:
            return type(error)

    for _ in range(max(cases, 3000)):
        ends = ("\n", "\n", "\r\n", "\r", "\x0b", "\u2028", "\n\n")
        text = "".join(line_of(rng) + rng.choice(ends) for _ in range(rng.randrange(1, 12)))
        if rng.random() < 0.5:
            text = f"User-agent: {rng.choice(AGENTS)}\n{text}"
        ours, peer = Protego.parse(text), theirs.parse(text)
        for name in ("_total_line_seen", "_total_directive_seen", "_invalid_directive_seen", "preferred_host"):
            assert getattr(ours, name) == getattr(peer, name), text
        assert list(ours.sitemaps) == list(peer.sitemaps), text
        for agent in rng.sample(ASKED, 2):
            for name in ("crawl_delay", "request_rate", "visit_time"):
                assert getattr(ours, name)(agent) == getattr(peer, name)(agent), (text, agent)
            for _ in range(3):
                start = rng.choice(("", "http://h", "https://h:8/", "//h/", "/", "http://[x", "/robots.txt"))
                url = start + rng.choice(("/", "")) + path_of(rng)
                assert answer(ours, url, agent) == answer(peer, url, agent), (text, url, agent)


def test_scrapy_gets_it():
    robotstxt = pytest.importorskip("scrapy.robotstxt")
    pytest.importorskip("protego")
    with install("protego", patch=True):
        parser = robotstxt.ProtegoRobotParser(b"User-agent: *\nDisallow: /x*y\nCrawl-delay: 2\n", None)
        assert type(parser.rp) is Protego
        assert not parser.allowed("https://h/x/y", b"bot")
        assert parser.allowed("https://h/", "bot")
    uninstall("protego")
    assert type(robotstxt.ProtegoRobotParser(b"", None).rp) is not Protego
