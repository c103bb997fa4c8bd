"""Every public function from many threads at once, for interpreters without a lock and for ThreadSanitizer.

stress.py SECONDS [--threads 16]   first all threads load what is loaded on first use. Then each makes random calls of
                                   support.calls, whose answers must be those that one thread gets, and changes what
                                   all share: the registry, a whatwg.URL, kept memory
stress.py 0 --install              only replaces urllib.parse and puts it back, while others call it
stress.py 0 --race                 only writes a switch of the tests from all threads, without a guard:
                                   ThreadSanitizer must report that
"""

from __future__ import annotations

import argparse
import contextlib
import pathlib
import random
import sys
import threading
import time
import traceback
import urllib.parse
from collections.abc import Callable

if __name__ == "__main__":  # within pytest, tests/url would be what `import url` finds
    sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))

import urlsm  # no room above url yet

LINES = b"\n".join(b"http://h%d.example/p/../%d?q=%d" % (k % 9, k, k) for k in range(600))
ROBOTS = "User-agent: *\nDisallow: /private\nAllow: /private/a$\n"
PAGE = "See http://example.com/a, <URL:ftp://f.example/x> or www.example.org. " * 3


def at_once(count: int, work: Callable[[int, random.Random], object]) -> list[str]:
    """Call work(number, source of choices) in this many threads, which begin together. Returns the tracebacks of those
    that raised."""
    begin = threading.Barrier(count)
    raised: list[str] = []

    def run(number: int) -> None:
        begin.wait()
        try:
            work(number, random.Random(number))
        except BaseException:
            raised.append(traceback.format_exc())

    threads = [threading.Thread(target=run, args=(k,)) for k in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return raised


def load(number: int, chosen: random.Random) -> None:
    """Ask for what is loaded, made or read on first use."""
    names = [name for name in urlsm.__all__ if name != "site"]
    for name in chosen.sample(names, len(names)):
        getattr(urlsm, name)
    url = urlsm.parse("https://user@www.example.co.uk/a?b=c#d")
    for ask in chosen.sample(FIRST, len(FIRST)):
        ask(url)


FIRST: list[Callable[[urlsm.URL], object]] = [
    lambda url: url.parts,
    lambda url: url.violations(),
    lambda url: url.display(),
    lambda url: url.query_params.get("b"),
    lambda url: url.replace(path="/x y"),
    lambda url: urlsm.try_parse("http://a b/"),
    lambda url: urlsm.crawler.robots_path("/%7ea/\u00e9"),
    lambda url: urlsm.crawler.surt(url),
    lambda url: urlsm.security.compare_readers("http://a\\@b/").agree,
    lambda url: urlsm.normalize("git+https://h/%7er"),
    lambda url: urlsm.schemes.known(),
    lambda url: urlsm.stdlib.urlsplit("http://h/\u00e9;p"),
    lambda url: urlsm.stdlib.FUNCTIONS,
    lambda url: urlsm.parse("http://h/?\u00e9", encoding="shift_jis"),
    lambda url: list(urlsm.documents.extract_urls(PAGE)),
]


class Stress:
    """Calls whose answers are known, and changes of what the threads share."""

    def __init__(self) -> None:
        from support.calls import AREAS

        calls = {f"{area}: {name}": call for area, make in AREAS.items() for name, call in make().items()}
        calls |= {f"more: {k}": call for k, call in enumerate(_more())}
        self.calls = [(call, _answer(call)) for name, call in sorted(calls.items()) if not name.endswith("__hash__()")]
        self.web = urlsm.whatwg.URL("https://ex.example/?a=1&b=2")
        self.until = 0.0
        self.done: list[int] = []  # by each thread

    def run(self, seconds: float, threads: int) -> list[str]:
        self.until = time.monotonic() + seconds
        return at_once(threads, self.work)

    def work(self, number: int, chosen: random.Random) -> None:
        changes = (self.register, self.unregister, self.change, self.look)
        made = 0
        while not made or time.monotonic() < self.until:  # at least once, however late a busy machine starts it
            chosen.choice(changes)(chosen)
            for call, expected in chosen.sample(self.calls, 20):
                found = _answer(call)
                assert found == expected, f"{found}\ninstead of {expected}"
            made += 21
        self.done.append(made)

    def register(self, chosen: random.Random) -> None:
        from urlsm.schemes.generic import Scheme

        class Mine(Scheme):
            names = (f"x-mine{chosen.randrange(3)}",)
            special = True

        urlsm.register(Mine)
        assert urlsm.parse(f"{Mine.names[0]}:a").href in (f"{Mine.names[0]}:a", f"{Mine.names[0]}://a/")

    def unregister(self, chosen: random.Random) -> None:
        with contextlib.suppress(KeyError):
            urlsm.unregister(f"x-mine{chosen.randrange(3)}")

    def change(self, chosen: random.Random) -> None:
        """Change the URL that all share."""
        web, n = self.web, chosen.randrange(7)
        if n == 0:
            web.href = "https://ex.example/?a=1"
        elif n == 1:
            web.search_params.append("k", "\u00e9")
        elif n == 2:
            web.search_params.delete("k")
        elif n == 3:
            web.search = "?" + "&".join(f"k{k}={k}" for k in range(chosen.randrange(30)))
        elif n == 4:
            web.pathname, web.hash = "/\u00e9", "x"
        elif n == 5:
            web.search_params.sort()
        else:
            web.search_params.set("a", "2")

    def look(self, chosen: random.Random) -> None:
        """Read it: the answers are those of some moment."""
        web = self.web
        assert urlsm.parse(web.href).host == "ex.example"
        assert web.pathname in ("/", "/%C3%A9") and web.hash in ("", "#x") and web.search[:1] in ("", "?")
        assert all(len(pair) == 2 for pair in web.search_params) and len(repr(web.search_params)) > 2


def _more() -> list[Callable[[], object]]:
    """Calls of what support.calls leaves out, most of them of one object that all threads use."""
    from urlsm import columns, crawler, guard, patterns, pictures, security, server
    from urlsm.columns.work import column_of_lines
    from urlsm.compat import protego, w3lib

    url = urlsm.parse("https://user:pw@ex.example:8443/a/b;c?x=1&y=2&x=3#f")
    column, query = column_of_lines(LINES), url.query_params
    listed = patterns.PatternSet(["*.example.com", "h.example"])
    robots = crawler.Robots(ROBOTS)
    like_protego = protego.Protego.parse(ROBOTS)
    pattern = urlsm.whatwg.URLPattern({"pathname": "/a/:name"})
    policy, hosts = (
        guard.Policy(host_networks={"h.example": "10.0.0.0/8"}),
        server.Hosts([".example.com", "10.0.0.0/8"]),
    )
    forwarded = [("Forwarded", 'for=10.0.0.2;host="a.example.com";proto=https')]
    return [
        lambda: (url.parts, url.handler.names, url.violations(), url.masked(), url.display(), url / "x", hash(url)),
        lambda: (query.get_all("x"), query["y"], "z" in query, list(query.items())),
        lambda: columns.parse(column, ("scheme", "host", "path", "query"), threads=4).to_pylist(),
        lambda: columns.host(column, threads=3).to_pylist()[-3:],
        lambda: columns.matches(column, listed, threads=4).to_pylist()[:9],
        lambda: [listed.match(text) for text in ("http://a.example.com/", "http://h.example/x", "http://b/", "")],
        lambda: [robots.allows(path, f"bot{len(path)}") for path in ("/", "/private", "/private/a", "/%70rivate")],
        lambda: (pattern.test("http://h/a/b"), str(pattern.exec("http://h/a/b"))),
        lambda: (crawler.surt(url), crawler.fingerprint(url), crawler.robots_path("/a\u00e9?%7e")),
        lambda: (
            urlsm.domains.PublicSuffixList() is urlsm.domains.PublicSuffixList(),
            urlsm.domains.public_suffix("a.b.co.uk"),
        ),
        lambda: [*crawler.links("http://h/", base='<a href="x y">')],
        lambda: (w3lib.canonicalize_url("http://h/?b=1&a=2"), len(pictures.html(url))),
        lambda: [match.text for match in urlsm.documents.extract_urls(PAGE)],
        lambda: [policy.check(text).codes for text in ("http://a/", "http://0x7f.1/", "https://8.8.8.8/", "x:")],
        lambda: [policy.check_address(text).codes for text in ("10.0.0.1", "::1", "64:ff9b::808:808", "")],
        lambda: [hosts.check(text).codes for text in ("a.example.com", b"10.1.2.3:443", "b", "\u00e9", None)],
        lambda: urlsm.URL.from_request_target(
            "/x",
            host="h",
            scheme="http",
            method="GET",
            peer="10.0.0.1",
            headers=forwarded,
            trusted_proxies=hosts,
            forwarded="forwarded",
        ),
        lambda: [like_protego.can_fetch(path, "bot") for path in ("http://h/private", "http://h/private/a", "/%70")],
        lambda: (security.address_kind("169.254.169.254"), security.has_public_host(url)),
        lambda: (crawler.traps(url), crawler.shape(url), crawler.split_surt(crawler.surt(url)), pictures.svg(url)),
        lambda: columns.canonicalize(column, "surt", threads=2).to_pylist()[-3:],
        lambda: columns.registrable_domain(column).to_pylist()[-3:],
    ]


def _answer(call: Callable[[], object]) -> object:
    from support.calls import told

    try:
        return told(call())
    except Exception as error:
        return told(error)


def replace(number: int, chosen: random.Random) -> None:
    """The first thread puts our functions into urllib.parse and takes them away; the others call what is there."""
    from urlsm import compat

    for _ in range(300):
        if number == 0:
            compat.install("urllib.parse")
            compat.uninstall("urllib.parse")
        assert urllib.parse.urlsplit("http://h:1/a?b#c").port == 1
        assert urllib.parse.urljoin("http://h/a/b", "../c") == "http://h/c"
        assert urllib.parse.parse_qs("a=1&a=2") == {"a": ["1", "2"]}


def race(number: int, chosen: random.Random) -> None:
    """Write a global of the machine without a guard."""
    from urlsm.machine.driver import use_plain

    for _ in range(10_000):
        use_plain(True)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("seconds", type=float)
    parser.add_argument("--threads", type=int, default=16)
    parser.add_argument("--install", action="store_true")
    parser.add_argument("--race", action="store_true")
    given = parser.parse_args()
    made = 0
    if given.race or given.install:
        raised = at_once(given.threads, race if given.race else replace)
    else:
        raised = at_once(given.threads, load)
        stress = Stress()
        raised += stress.run(given.seconds, given.threads)
        made = sum(stress.done)
    for text in raised:
        print(text)
    lock = getattr(sys, "_is_gil_enabled", lambda: True)()
    print(f"{given.threads} threads, {made} calls, {len(raised)} raised, {'with' if lock else 'without'} the lock")
    return bool(raised)


if __name__ == "__main__":
    sys.exit(main())
