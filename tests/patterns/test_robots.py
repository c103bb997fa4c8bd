"""Robots: a robots.txt by RFC 9309."""

from __future__ import annotations

import copy
import pickle
import re

import pytest
from support.seeds import draws, least, seeded

import urlsm
from urlsm.crawler import Robots
from urlsm.patterns import PatternSet
from urlsm.patterns.robots import folded, key_of, target_of

TEXT = """\ufeff# ours
Disallow: /before
User-agent: a
Crawl-delay: 2
User-agent: B/1.0
Disallow: /x
Allow: /x/y
Crawl-delay: 5
Request-rate: 1/10m 0600-0845
Sitemap: https://h/s.xml

User-Agent: *
Disallow: /*.php$
disalow /old
User-agent: a
Disallow: /z
"""


def test_groups_agents_delays_and_sitemaps():
    robots = Robots(TEXT)
    assert robots.sitemaps == ("https://h/s.xml",)
    assert robots.rules("a") == [(False, "/x"), (True, "/x/y"), (False, "/z")]
    assert robots.rules("b/3 (+https://b)") == [(False, "/x"), (True, "/x/y")]
    assert robots.rules("other") == robots.rules("ab") == [(False, "/*.php$"), (False, "/old")]
    assert (robots.crawl_delay("A"), robots.crawl_delay("b"), robots.crawl_delay("c")) == (5.0, 5.0, None)
    assert robots.request_rate("a") == (1, 600, "0600", "0845")
    header = "Mozilla/5.0 (compatible; B/2.1; +https://b.example/)"
    assert robots.rules(header, header=True) == robots.rules("b")
    assert robots.rules(header) == robots.rules("*")


SITEMAPS = """Sitemap: /a.xml
Sitemap: https://h.example/a.xml
sitemap: HTTPS://H.example:443/x/../a.xml
Sitemap: b.xml?x=1  # ours
Sitemap: //cdn.example/\u00e9.xml
Sitemap:
Sitemap: http://[
Sitemap: /a.xml
"""


@pytest.mark.parametrize(
    "url",
    ["https://h.example/robots.txt", b"https://h.example/robots.txt", urlsm.parse("https://h.example/robots.txt?x#y")],
)
def test_sitemaps_are_resolved_and_unique(url):
    wanted = ("https://h.example/a.xml", "https://h.example/b.xml?x=1", "https://cdn.example/%C3%A9.xml")
    robots = Robots(SITEMAPS, url=url)
    assert robots.sitemaps == wanted == Robots.for_status(200, SITEMAPS, url=url).sitemaps
    for again in (pickle.loads(pickle.dumps(robots)), copy.copy(robots), copy.deepcopy(robots)):
        assert again == robots and hash(again) == hash(robots) and again.sitemaps == wanted
    assert robots != Robots(SITEMAPS)
    assert (
        Robots.for_status(404, SITEMAPS, url=url).sitemaps == Robots.for_status(None, SITEMAPS, url=url).sitemaps == ()
    )


def test_sitemaps_without_a_url_are_as_written():
    assert Robots(SITEMAPS).sitemaps == (
        "/a.xml", "https://h.example/a.xml", "HTTPS://H.example:443/x/../a.xml", "b.xml?x=1",
        "//cdn.example/\u00e9.xml", "http://[",
    )  # fmt: skip
    with pytest.raises(urlsm.ParseError):
        Robots("", url="/robots.txt")
    with pytest.raises(TypeError):
        Robots("", url=5)  # type: ignore[arg-type]
    many = "".join(f"Sitemap: /{k % 1000}.xml\n" for k in range(20_000))
    assert Robots(many, url="http://h/").sitemaps == tuple(f"http://h/{k}.xml" for k in range(1000))


@pytest.mark.parametrize(("rules", "path", "allowed"), [
    ("Disallow: /a", "/a/b", False), ("Disallow: /a", "/b/a", True), ("Disallow:", "/", True),
    ("Disallow: /a\nAllow: /a", "/a", True), ("Allow: /a/b\nDisallow: /a", "/a/b/c", True),
    ("Disallow: /*.php$", "/x.php", False), ("Disallow: /*.php$", "/x.php?y", True), ("Disallow: *x", "/ax", False),
    ("Disallow: /", "/robots.txt", True), ("Disallow: /a%2fb", "/a/b", True), ("Disallow: /a%2fb", "/a%2Fb", False),
    ("Disallow: /%61", "/a", False), ("Disallow: /ü", "/%C3%BC", False), ("Disallow: /%c3%bc", "/ü", False),
    ("Disallow: /a*b", "/a%2Ab", False), ("Disallow: /%2A", "/*", False), ("Disallow: /%2A", "/x", True),
    ("Disallow: /d\nAllow: /d/index.html", "/d/", True), ("Disallow: /d\nAllow: /d/index.html", "/d/x", False),
    ("Disallow: /admin", "/a/../admin", False), ("Disallow: /a$b", "/a$b", False), ("Disallow: /x?y", "/x?yz", False),
])  # fmt: skip
def test_rules(rules, path, allowed):
    robots = Robots(f"User-agent: *\n{rules}\n")
    assert robots.allows(path, "bot") == allowed
    assert robots.allows(f"https://h{path}", "bot") == allowed
    assert robots.allows(urlsm.parse(f"https://h{path}").href.encode(), "bot") == allowed
    assert robots.allows(urlsm.parse(f"https://h{path}"), "bot") == allowed
    assert (f"https://h{path}" in urlsm.patterns.PatternSet(rules, "robots")) == allowed or path == "/robots.txt"


def test_an_apostrophe_is_the_same_as_its_escape():
    """The URL Standard escapes it in a query, and not in a path."""
    for rule in ("/?a='b", "/?a=%27b", "/*'b", "/*%27b$"):
        robots = Robots(f"User-agent: *\nDisallow: {rule}")
        for path in ("/?a='b", "/?a=%27b"):
            assert not robots.allows(f"http://h{path}", "x") and not robots.allows(path, "x"), (rule, path)
            assert not robots.allows(urlsm.parse(f"http://h{path}"), "x")
        assert robots.allows("http://h/?a=b", "x")
    assert not Robots("User-agent: *\nDisallow: /it's").allows("http://h/it%27s", "x")


def test_statuses():
    text = "User-agent: *\nDisallow: /x\n"
    for status, allowed in (
        (200, False),
        (204, False),
        (301, True),
        (404, True),
        (429, True),
        (500, False),
        (None, False),
    ):
        assert Robots.for_status(status, text).allows("https://h/x", "bot") == allowed
    assert not Robots.for_status(503).allows("https://h/", "bot")


def test_utf_16_with_a_byte_order_mark():
    text = "User-agent: *\nDisallow: /\u00e9\nSitemap: http://h.example/\u00e9.xml\n"
    for encoding in ("utf-16-le", "utf-16-be"):
        robots = Robots(("\ufeff" + text).encode(encoding))
        assert not robots.allows("/%C3%A9", "a") and robots.allows("/e", "a")
        assert robots.sitemaps == ("http://h.example/\u00e9.xml",)
    assert Robots(b"\xff\xfe\0").allows("/", "a") and Robots(b"\xfe\xff\xd8").allows("/", "a")


def test_any_text_is_read():
    rng = seeded("robots")
    pieces = ("User-agent:", "Disallow:", "Allow", ":", "/", "*", "$", "%", "%zz", "#", "\r", "\n", "\0", "é", " ",
              "\ud800", "Crawl-delay: ", "nan", "1e999", "Request-rate: 9/0", "\ufeff", "a" * 300)  # fmt: skip
    for _ in range(draws(2000)):
        text = "".join(rng.choice(pieces) for _ in range(rng.randrange(40)))
        robots = Robots(text)
        assert robots.allows("https://h/a", "a") in (True, False)
        assert robots.crawl_delay("a") is None or robots.crawl_delay("a") >= 0
        assert robots == Robots(text)
        robots.lint()
    assert not Robots(b"\xff\n\0User-agent: *\nDisallow: /\xff").allows("https://h/%FF", "a")
    assert not Robots().allows("no URL", "a")
    for wrong in (1, None, []):
        with pytest.raises(TypeError):
            Robots(wrong)


@pytest.mark.slow(1)
def test_lines_of_megabytes():
    robots = Robots("User-agent: *\nDisallow: /" + "a*" * 500_000 + "b$\n" + "x" * 2_000_000 + "\nDisallow: /last\n")
    assert robots.allows("https://h/" + "a" * 100_000, "bot")
    assert not robots.allows("https://h/last", "bot")


def test_lint_names_the_lines():
    found = {(lint.line, lint.code) for lint in Robots(TEXT + "Disallow: x\nfoo: bar\n").lint()}
    assert found == {(2, "no-agent"), (14, "mistyped-key"), (17, "no-slash"), (18, "unknown-key")}


def test_it_is_a_value():
    robots = Robots(TEXT)
    assert pickle.loads(pickle.dumps(robots)) == robots == Robots(TEXT.encode())
    assert len({robots, Robots(TEXT)}) == 1
    assert "agents" in repr(robots)


def refolded(path: bytes) -> bytes:
    """Return a path by RFC 9309 section 2.2.2, by a regular expression."""

    def one(found: re.Match[bytes]) -> bytes:
        octet = int(found[0][1:], 16) if len(found[0]) == 3 else found[0][0]
        if len(found[0]) == 3 and re.fullmatch(rb"[A-Za-z0-9._~-]", bytes([octet])):
            return bytes([octet])
        return b"%%%02X" % octet

    return re.sub(rb"%[0-9A-Fa-f]{2}|[^A-Za-z0-9._~:/?#\[\]@!&'()+,;=-]", one, path)


def test_paths_are_folded_and_looked_up_as_by_the_long_way():
    rng, inside = seeded("robots paths"), 0
    robots = Robots("User-agent: *\nDisallow: /a*b\nAllow: /a/%7eb$\nDisallow: /*?q=%2f\nDisallow: /x y\n")
    pieces = ("/", "a", "b", "%7E", "%7e", "~", "?q=", "%2F", "%2f", "x y", "x%20y", "#", "*", "%2a", "..", "\\", "\t",
              "é", "//", "%", "%4", "$", "http://h", "https://h/", "HTTP://H", "mailto:", "\ud800", "?",
              "robots.txt")  # fmt: skip
    for _ in range(draws(20_000)):
        text = rng.choice(("/", "https://h/", "", "http://h.org")) + "".join(rng.choices(pieces, k=rng.randrange(6)))
        octets = text.encode("utf-8", "surrogatepass")
        assert folded(octets) == refolded(octets)
        target = target_of(text)
        rule = None if target is None else robots._rules_for("*", False).decides_text(target)
        allowed = target == b"/robots.txt" or (
            rule is not None and (rule < 0 or robots._rules_for("*", False).allows(rule))
        )
        assert robots.allows(text, "bot") == allowed, text
        url = urlsm.try_parse(text)
        if url is not None:
            assert robots.allows(url, "bot", header=True) == robots.allows(url.href, "bot"), text
        inside += not allowed
    assert inside > least(1000)


def test_any_number_of_agents_is_asked():
    robots = Robots("User-agent: a\nDisallow: /x\n")
    for k in range(300):
        assert robots.allows("/x", f"b{k}")
        assert not robots.allows("/x", f"a/{k}")
        assert not robots.allows("/x", f"Mozilla/{k} a", header=True)
    for agent in (b"a", None, 1):
        with pytest.raises(TypeError):
            robots.allows("/x", agent)


KEY = re.compile(rb"[ \t\0]*([^:#]*?)[ \t]*:[ \t]*([^#]*)")
NO_COLON = re.compile(rb"[ \t]*([^\s:#]+)[ \t]+([^\s#]+)[ \t]*(?:#.*)?$", re.DOTALL)
KEYS = (b"user-agent", b"allow", b"disallow", b"crawl-delay", b"request-rate", b"sitemap", b"host")
MISTYPED = {b"useragent": 0, b"user agent": 0, b"disalow": 2, b"dissallow": 2, b"site-map": 5, b"crawldelay": 3}


def reread(line: bytes) -> tuple[int, bytes, bool] | None:
    """Return what a line of robots.txt says, by regular expressions."""
    found = KEY.match(line) or NO_COLON.match(line)
    if found is None:
        return None
    name = found[1].lower()
    number = KEYS.index(name) if name in KEYS else MISTYPED.get(name)
    mistyped = name not in KEYS or found.re is NO_COLON
    return None if number is None else (number, found[2].strip(b" \t\0\v\f"), mistyped)


LINES = (b"User-agent", b"useragent", b"user agent", b"allow", b"Disallow", b"disalow", b"Sitemap", b"Host", b"x",
         b":", b":", b" ", b"\t", b"\0", b"#", b"/x", b"*", b"\v", b"\x85", b"e", b"crawl-delay",
         b"REQUEST-RATE")  # fmt: skip


def test_lines_are_read_as_by_regular_expressions():
    rng, taken = seeded("robots lines"), 0
    for _ in range(draws(100_000)):
        line = b"".join(rng.choices(LINES, k=rng.randrange(7)))
        assert key_of(line) == reread(line), line
        taken += key_of(line) is not None
    assert taken > least(3000)


def regrouped(text: bytes) -> dict[str, list[tuple[bool, bytes]]]:
    """Return the rules of each agent of a file, line by line."""
    groups: dict[str, list[tuple[bool, bytes]]] = {}
    agents, ended = [], True
    for line in re.split(rb"\r\n|[\r\n]", text.removeprefix(b"\xef\xbb\xbf")):
        number, value, _ = reread(line) or (-1, b"", False)
        if number == 0:
            agents = [] if ended else agents
            name = re.match(r"\*(?=\s|$)|[A-Za-z_-]*", value.decode("utf-8", "replace"))[0].lower()
            agents += [name] if name not in agents else []
            groups.setdefault(name, [])
            ended = False
        elif number in (1, 2) and agents:
            ended = True
            for name in agents if value else ():
                groups[name].append((number == 1, value))
    return groups


def test_groups_are_those_of_the_lines_one_by_one():
    rng, rules = seeded("robots groups"), 0
    words = ("User-agent: a", "User-agent: B", "user-agent: *", "User-agent: * x", "Disallow: /x", "Allow: /y*",
             "Allow:", "disallow /z", "Crawl-delay: 3", "Host: h", "#", "x: y")  # fmt: skip
    for _ in range(draws(3000)):
        text = "".join(rng.choice(words) + rng.choice(("\n", "\r", "\r\n", "\n\n")) for _ in range(rng.randrange(14)))
        expected = regrouped(text.encode())
        robots = Robots(rng.choice(("", "\ufeff")) + text)
        for agent in ("a", "b", "c"):
            found = [(allow, path.encode()) for allow, path in robots.rules(agent)]
            assert found == expected.get(agent, expected.get("*", [])), text
            rules += len(found)
    assert rules > least(3000)


def test_paths_that_are_compiled_at_once_decide_as_rules_do():
    rng = seeded("robots prefixes")
    for _ in range(300):
        weights = [5, 4, 3, 1, 1, 1, 1, 1, 1]
        paths = [
            "/"
            + "".join(
                rng.choices(
                    ("a", "b", "/", "%41", "é", "*", "$", "/index.htm", "abababababc"), weights, k=rng.randrange(5)
                )
            )
            for _ in range(rng.randrange(1, 8))
        ]
        lines = [f"{rng.choice(('Allow', 'Disallow'))}: {path}" for path in paths]
        robots, rules = Robots("\n".join(["User-agent: *", *lines])), PatternSet(lines, "robots")
        for path in paths:
            filled = path.replace("*", "abab").removesuffix("$")
            for text in (path, path + "a", path[:-1] or "/", f"{path}/b", filled, filled + "a"):
                if not text.startswith("//"):
                    assert robots.allows(text, "bot") == (text in rules), (lines, text)
