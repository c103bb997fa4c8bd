"""crawler.DupeFilter: fingerprints in a store, beside Scrapy's own filter."""

from __future__ import annotations

import doctest
import pickle
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from support.seeds import draws, seeded

import urlsm
from urlsm.compat import scrapy
from urlsm.crawler import PROFILES, DupeFilter, canonicalize_many, fingerprint, fingerprint_many, links
from urlsm.crawler.canonical import digest, request_digest, request_fingerprints

KINDS = ("sha1", "blake2b-128", "xxh64")
FILTERS = ("scrapy", *KINDS)
DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = "seen-urls.md", "follow-links.md", "scrapy.md"
TEXT = "\n".join((DOCS / page).read_text(encoding="utf-8") for page in PAGES)
BLOCKS = re.findall(r"^```py\n(.*?)^```$", TEXT, re.M | re.S)


def block_with(text: str) -> str:
    """Return the one block of the pages that has this text."""
    (found,) = (block for block in BLOCKS if text in block)
    return found


def filter_of(store, kind: str) -> DupeFilter:
    return scrapy.DupeFilter(store) if kind == "scrapy" else DupeFilter(store, kind=kind)


@pytest.mark.parametrize("kind", FILTERS)
def test_a_request_is_seen_once(kind):
    store = set()
    dupes = filter_of(store, kind)
    requests = [
        ("http://h/?a=1&b=2", "GET", b""),
        ("http://h/?a=1&b=2", "POST", b""),
        ("http://h/?a=1&b=2", "GET", b"x"),
        ("http://h/?a=1&b=2", "POST", b"x"),
        ("http://h/", "GET", b""),
    ]
    assert [dupes.seen(url, method=method, body=body) for url, method, body in requests] == [False] * 5
    assert [dupes.seen(url, method=method, body=body) for url, method, body in requests] == [True] * 5
    assert dupes.seen("HTTP://H/?b=2&a=1#f") and len(store) == 5
    assert dupes.seen_many([url for url, *_ in requests], method="POST", body=b"x") == [True] * 4 + [False]
    assert (scrapy.fingerprint("http://h/") if kind == "scrapy" else fingerprint("http://h/", kind=kind)) in store
    assert {type(key) for key in store} == {int if kind == "xxh64" else bytes}
    with pytest.raises(urlsm.ParseError):
        dupes.seen("http://h:x/")


def test_what_is_unknown_is_told_at_once():
    with pytest.raises(ValueError, match="md5"):
        DupeFilter(set(), kind="md5")
    with pytest.raises(ValueError, match="none"):
        DupeFilter(set(), profile="none")


def test_the_store_is_closed_if_it_can_be():
    class Store(set):
        closed = False

        def close(self):
            self.closed = True

    store = Store()
    DupeFilter(store).close("finished")
    DupeFilter(set()).close()
    assert store.closed


# --- fingerprints of many, and of other methods than GET ------------------------------------------------


def texts(count: int) -> list[str]:
    random = seeded("fingerprints of many")
    pieces = ("http://h/",
              "HTTPS://\u00e9.example", "?b=2&a=1", "#f", "%7e", "/../", "\u00e9", " ", "\n", "x:", "\udcff", "\ud800",
              "POST ", ":80", "//", "\0", "%0a", "data:")  # fmt: skip
    return ["http://h/"[: random.randrange(10)] + "".join(random.choices(pieces, k=5)) for _ in range(count)]


@pytest.mark.parametrize("kind", KINDS)
def test_many_are_each(kind):
    given = texts(3000)
    for profile in PROFILES:
        found = fingerprint_many(iter(given), profile, kind=kind)
        for url, found_one in zip(given, found, strict=True):
            try:
                one = fingerprint(url, profile, kind=kind)
            except urlsm.ParseError:
                one = None
            assert found_one == one, url
    assert (
        fingerprint_many(["http://h/?b=&a=", b"http://h/?a=&b=", urlsm.parse("http://h/?a=&b=#f")], kind=kind)
        == [fingerprint("http://h/?a=&b=", kind=kind)] * 3
    )


def test_many_of_scrapy_are_each():
    given = texts(3000)
    for url, found in zip(given, request_fingerprints(iter(given), "POST", b"x"), strict=True):
        try:
            one = scrapy.fingerprint(url, method="POST", body=b"x")
        except urlsm.ParseError:
            one = None
        assert found == one, url
    key = urlsm.crawler.canonicalize("http://h/?b&a", "w3lib")
    assert request_digest(key, "POST", b"x") == scrapy.fingerprint("http://h/?b&a", method="POST", body=b"x")


def test_no_key_has_a_line_feed():
    """So the octets of a request that has a method or a body, which digest hashes, are those of no GET."""
    given = texts(5000)
    for profile in PROFILES:
        assert not any("\n" in key for key in canonicalize_many(given, profile) if key is not None)


def test_a_digest_is_of_method_key_and_body():
    requests = [
        ("GET", "k", b""),
        ("POST", "k", b""),
        ("GET", "k", b"x"),
        ("GET", "x k", b""),
        ("POST", "k\u00e9", b""),
    ]
    for kind in KINDS:
        assert len({digest(key, kind, method, body) for method, key, body in requests}) == len(requests)
        assert digest("k", kind, "post", b"") == digest("k", kind, "POST", b"")
        assert digest("http://h/", kind) == fingerprint("http://h/", kind=kind)
        if kind != "xxh64":
            assert len(digest("k", kind, "POST")) == (16 if kind == "blake2b-128" else 20)
    for kind in ("md5", None, b"sha1"):
        with pytest.raises(ValueError, match="unknown kind"):
            fingerprint_many([], kind=kind)
    with pytest.raises(TypeError):
        fingerprint_many([None])
    with pytest.raises(ValueError, match="none"):
        fingerprint_many([], "none")


def test_a_link_has_the_hash_of_its_key():
    (link,) = links(["?b&\u00e9"], base="http://h/")
    assert link.hash == fingerprint(link.url) == fingerprint(link.url, link.key and "urlsm-1", kind="xxh64")
    assert len(link) == 3 and link._fields == ("url", "key", "registrable_domain")


# --- in batches, and in stores ----------------------------------------------------------------


class Batches:
    """A store that has add_new alone."""

    def __init__(self):
        self.keys, self.calls = set(), 0

    def add_new(self, keys):
        assert len({*keys}) == len(keys) > 0
        self.calls += 1
        new = [key not in self.keys for key in keys]
        self.keys.update(keys)
        return new


def check_store(store, kind="blake2b-128"):
    """Compare a store with a set, on URLs of which many are the same."""
    dupes, expected, random = filter_of(store, kind), filter_of(set(), kind), seeded("stores")
    for _ in range(40):
        urls = [
            f"http://h/{random.randrange(500)}?b&a"[: random.choice((None, None, 3))]
            for _ in range(random.randrange(40))
        ]
        assert dupes.seen_many(urls) == expected.seen_many(urls)
        url = f"http://h/{random.randrange(500)}?a&b"
        method, body = random.choice((("GET", b""), ("POST", b"x")))
        assert dupes.seen(url, method=method, body=body) == expected.seen(url, method=method, body=body)
    return dupes


@pytest.mark.parametrize("kind", FILTERS)
def test_a_store_of_batches(kind):
    store = Batches()
    check_store(store, kind)
    assert 40 < store.calls <= 80
    assert DupeFilter(Batches()).seen_many([]) == [] == DupeFilter(Batches()).seen_many(["x" * 0])[1:]


def test_a_bitmap():
    store = pytest.importorskip("pyroaring", reason="pyroaring is not installed").BitMap64()
    check_store(store, "xxh64")


def store_of_the_page(name: str, library: str, *given):
    """Return a store by the lines of the page, of which only those of its library run."""
    pytest.importorskip(library, reason=f"{library} is not installed")
    lines = block_with(f"class {name}")
    imports = [line for line in lines.splitlines() if re.match(rf"(import|from) {library}\b", line)]
    (body,) = re.findall(rf"^class {name}:.*?(?=^class |\Z)", lines, re.M | re.S)
    names: dict = {}
    exec(compile("\n".join([*imports, body]), "docs", "exec"), names)
    return names[name](*given)


@pytest.mark.parametrize(("name", "library"), [("LmdbStore", "lmdb"), ("RocksStore", "rocksdict")])
def test_stores_on_disk_of_the_page(name, library, tmp_path):
    dupes = check_store(store_of_the_page(name, library, str(tmp_path / "seen")))
    assert dupes.seen("http://h/of-the-last-run") is False
    dupes.close("finished")
    again = DupeFilter(store_of_the_page(name, library, str(tmp_path / "seen")), kind="blake2b-128")
    assert again.seen("http://h/of-the-last-run") is True and again.seen("http://h/of-this-run") is False
    again.close()


def test_a_store_of_redis_of_the_page(tmp_path):
    redis = pytest.importorskip("redis", reason="redis is not installed")
    server = shutil.which("redis-server") or shutil.which("valkey-server")
    if server is None:
        pytest.skip("no redis-server is on the PATH")
    socket = str(tmp_path / "socket")
    with subprocess.Popen([server, "--port", "0", "--unixsocket", socket, "--dir", str(tmp_path), "--save", ""],
                          stdout=subprocess.DEVNULL) as process:  # fmt: skip
        try:
            for _ in range(200):
                if Path(socket).exists():
                    break
                time.sleep(0.05)
            store = store_of_the_page("RedisStore", "redis", redis.Redis(unix_socket_path=socket))
            check_store(store).close()
        finally:
            process.kill()


# --- Scrapy -----------------------------------------------------------------------------------


def test_beside_scrapys_filter():
    pytest.importorskip("scrapy", reason="scrapy is not installed")
    from scrapy import Request
    from scrapy.dupefilters import RFPDupeFilter

    ours, theirs, random = scrapy.DupeFilter(set()), RFPDupeFilter(), seeded("dupes")
    paths = ("?b=2&a=1", "?a=1&b=2", "?a=1&b=2#f", "%7ea", "~a", "a b", "a%20b", "é", "%C3%A9", "")
    for _ in range(draws(2000)):
        meta = {"verbatim_url": True} if random.random() < 0.2 else {}
        url = "http://h/" + random.choice(paths)
        request = Request(url, method=random.choice(("GET", "POST")), body=random.choice((b"", b"x")), meta=meta)
        assert ours.request_seen(request) == theirs.request_seen(request), request


def test_its_statistics():
    counted = []
    stats = SimpleNamespace(inc_value=counted.append)
    scrapy.DupeFilter(set()).log(None, SimpleNamespace(crawler=SimpleNamespace(stats=stats)))
    assert counted == ["dupefilter/filtered"]


CRAWL = """
import scrapy
from scrapy.crawler import CrawlerProcess
from urlsm.compat.scrapy import DupeFilter

class Seen(DupeFilter):
    @classmethod
    def from_crawler(cls, crawler):
        return cls({*()})

class Pages(scrapy.Spider):
    name = "pages"

    async def start(self):
        self.visited = []
        yield scrapy.Request("data:text/html,%3Ca%20href=data:,b%3E", self.parse)

    def parse(self, response):
        self.visited.append((response.request.method, response.url))
        for url in ("data:,a?y&x", "data:,a?x=&y=", "data:,a?y&x#f", "data:,b"):
            yield scrapy.Request(url, self.parse)
        yield scrapy.Request("data:,b", self.parse, method="POST")

process = CrawlerProcess({"LOG_LEVEL": "ERROR", "TELNETCONSOLE_ENABLED": False})
crawlers = []
for dupes in ("scrapy.dupefilters.RFPDupeFilter", DupeFilter, Seen):
    crawlers.append(process.create_crawler(type("Of", (Pages,), {"custom_settings": {"DUPEFILTER_CLASS": dupes}})))
    process.crawl(crawlers[-1])
process.start()
for crawler in crawlers:
    print(crawler.stats.get_value("dupefilter/filtered"), sorted(crawler.spider.visited))
"""


def test_a_crawl_by_scrapy(tmp_path):
    """A whole crawl (without a network: of data: URLs) visits the same pages, and filters as many requests."""
    pytest.importorskip("scrapy", minversion="2.13", reason="scrapy is not installed")
    program = tmp_path / "crawl.py"
    program.write_text(CRAWL)
    run = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, timeout=120)
    theirs, *ours = run.stdout.splitlines() or pytest.fail(run.stderr)
    assert (
        theirs.startswith("17 [('GET', 'data:,a?y&x'), ('GET', 'data:,b'), ('GET', 'data:text") and ours == [theirs] * 2
    )


# --- the rest of the page ---------------------------------------------------------------------

SITE = {
    "https://www.example.org/": '<base href="/a/"><a href="b?y&x">1</a><a href="b?x&y#f">2</a>'
    '<a href="mailto:me@h">3</a>',
    "https://www.example.org/a/b?y&x": '<a href=/private/c>1</a><a href=//other.example/>2</a><img src=d.png><a href="http://[">'
    '<a rel="x NoFollow" href=n>3</a><iframe src="../z"></iframe><a href=/m/m/m/m>4</a><a href=//x.example.org/c></a>',
    "https://www.example.org/z": '<meta http-equiv=refresh content="0;url=/y"><a href=/a/b?y&x></a>',
}


def test_the_crawler_of_the_page():
    for name in ("lxml", "tinycss2", "publicsuffixlist"):
        pytest.importorskip(name, reason=f"{name} is not installed")
    names: dict = {}
    exec(compile(block_with("queues = "), "docs", "exec"), names)
    assert [*names["crawl"]("https://www.example.org/", SITE.get)] == [
        "https://www.example.org/",
        "https://www.example.org/a/b?y&x",
        "https://www.example.org/z",
        "https://www.example.org/y",
        "https://x.example.org/c",
    ]
    assert names["queues"] == {}


def test_the_links_of_the_page():
    for name in ("lxml", "tinycss2"):
        pytest.importorskip(name, reason=f"{name} is not installed")
    block = block_with(">>> html = ")
    examples = doctest.DocTestParser().get_doctest(block, {}, "docs", "docs", 0)
    said: list[str] = []
    doctest.DocTestRunner(verbose=False).run(examples, out=said.append)
    assert not said, "".join(said)


def test_a_filter_can_be_pickled():
    kept = DupeFilter({1, 2}, profile="urlsm-1", kind="xxh64")
    kept.seen("http://h/")
    again = pickle.loads(pickle.dumps(kept))
    assert (again.store, again.profile, again.kind) == (kept.store, "urlsm-1", "xxh64")
    assert again.seen("http://h/") and not again.seen("http://h/2") and not kept.seen("http://h/2")
