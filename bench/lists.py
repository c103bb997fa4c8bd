"""The lists of inputs over which rows are timed: real links if there are some, links of every class, and lists made of
both: references, pairs, hosts, queries. A row names its list."""

import random
from collections import defaultdict
from functools import cached_property
from typing import Any

import urlsm
from bench import classes, corpora, peers
from bench.extract import prose
from urlsm.crawler import surt
from urlsm.domains import PublicSuffixList

LIMIT = 10_000
OF_EACH_CLASS = 3  # in `links`; each class is also a list of a thousand
TARGETS = {  # the names that a loop over the list binds; by default u
    "pairs": "u, v", "twins": "u, v", "refs and bases": "u, v", "redirects": "u, v, host", "pages": "u, v",
    "mappings": "u, v", "registrable pairs": "u, v", "handovers": "u, v",
}  # fmt: skip


class Lists:
    """The lists by name; each is made when it is first asked for.

    Args:
        only: the name of one source, or None for those that are here.
    """

    def __init__(self, only: str | None = None, limit: int = LIMIT) -> None:
        self.limit = limit
        real = [name for name in corpora.NAMES[:-1] if (corpora.FOLDER / f"{name}.txt").exists()]
        self.sources = [only] if only else real or ["generated"]
        self.made: dict[str, list[Any]] = {}
        self.rng = random.Random(corpora.SEED)

    def __getitem__(self, name: str) -> list[Any]:
        if name not in self.made:
            kind, _, class_name = name.partition(": ")
            if class_name:
                self.made[name] = list(classes.made(getattr(classes, kind.upper())[class_name]))
            else:
                made = getattr(self, name.replace(" ", "_"))
                self.made[name] = [made[at] for at in range(0, len(made), -(-len(made) // self.limit))]
        return self.made[name]

    @cached_property
    def real(self) -> list[str]:
        """Return the same number of links from each source, in their order."""
        found: list[str] = []
        for name in self.sources:
            lines = corpora.generate(100_000) if name == "generated" else corpora.read(corpora.FOLDER / f"{name}.txt")
            found += corpora.thinned(lines, 5 * self.limit // len(self.sources))
        return found

    @cached_property
    def unusual(self) -> set[str]:
        return set(classes.a_few(OF_EACH_CLASS))

    @cached_property
    def links(self) -> list[str]:
        rare = sorted(self.unusual)
        found = [*self.rng.sample(self.real, min(self.limit - len(rare), len(self.real))), *rare]
        self.rng.shuffle(found)
        return corpora.fresh(found)

    @cached_property
    def web(self) -> list[str]:
        """Return the links that are http(s) and ASCII, with a path: crawlers' libraries take these."""
        return [text for text in self.links if text.isascii() and text[:4] == "http" and "://" in text[:8]
                and urlsm.can_parse(text) and text.count("/") > 2 and text.strip() == text]  # fmt: skip

    @cached_property
    def normal(self) -> list[str]:
        return [text for text in self.links if str(urlsm.try_parse(text)) == text]

    @cached_property
    def changed(self) -> list[str]:
        return [text for text in self.real if (url := urlsm.try_parse(text)) and str(url) != text]

    @cached_property
    def escaped_links(self) -> list[str]:
        return [text for text in self.real if "%" in text and urlsm.can_parse(text)]

    @cached_property
    def octets(self) -> list[bytes]:
        return [text.encode() for text in self.links]

    @cached_property
    def refs(self) -> list[str]:
        return corpora.fresh(corpora.references([text for text in self.real if urlsm.can_parse(text)]))

    @cached_property
    def pairs(self) -> list[tuple[str, str]]:
        """Return pairs of links with one host."""
        by_host: dict[str | None, list[str]] = defaultdict(list)
        for text in self.real:
            if text.isascii() and (url := urlsm.try_parse(text)) and url.host and str(url) == text:
                by_host[url.host].append(text)
        found = [(text, self.rng.choice(own)) for own in by_host.values() if len(own) > 1 for text in own]
        self.rng.shuffle(found)
        return found

    @cached_property
    def registrable_pairs(self) -> list[tuple[str, str]]:
        return [(u, v if at % 2 else self.web[at - 1]) for at, (u, v) in enumerate(self.pairs[: len(self.web)])]

    @cached_property
    def twins(self) -> list[tuple[str, str]]:
        """Return pairs of a link and an equivalent text."""
        port = {"http": ":80", "https": ":443"}
        found = []
        for text in self.web:
            url = urlsm.parse(text)
            if url.port is None and "@" not in text and url.host in text:
                found.append((text, text.replace(url.host, url.host + port[url.scheme], 1)))
        return found

    @cached_property
    def refs_and_bases(self) -> list[tuple[str, str]]:
        return [(ref, self.web[at % len(self.web)]) for at, ref in enumerate(self.refs[: self.limit])]

    @cached_property
    def redirects(self) -> list[tuple[str, str, str]]:
        """Return (target, page, host of the page): targets are paths, and links to this host and to others."""
        found = []
        for at, text in enumerate(self.web):
            url = urlsm.parse(text)
            if url.host:
                other = self.web[at - 1]
                to = [url.request_target, url.request_target, text, other][at % 4]
                found.append((to, f"{url.scheme}://{url.host}/account", url.host))
        return found

    @cached_property
    def hosts(self) -> list[str]:
        return [host for text in self.web if (host := urlsm.parse(text).host)]

    @cached_property
    def surts(self) -> list[str]:
        return [surt(text) for text in self.web]

    @cached_property
    def queries(self) -> list[str]:
        return [query for text in self.real if (url := urlsm.try_parse(text)) and (query := url.query)]

    @cached_property
    def with_fragment(self) -> list[str]:
        return [text for text in self.real if "#" in text]

    @cached_property
    def pieces(self) -> list[str]:
        return corpora.fresh(piece for query in self.queries for pair in query.split("&") for piece in pair.split("="))

    @cached_property
    def decoded(self) -> list[str]:
        unquote = peers.names_of("urllib.parse")["unquote_plus"]  # type: ignore[index]
        paths = [unquote(url.path) for text in self.real if (url := urlsm.try_parse(text))]
        return [text for text in [*paths, *map(unquote, self.pieces)] if text]

    @cached_property
    def clean(self) -> list[str]:
        quote = peers.names_of("urllib.parse")["quote"]  # type: ignore[index]
        return [text for text in self.decoded if quote(text) == text]

    @cached_property
    def dirty(self) -> list[str]:
        quote = peers.names_of("urllib.parse")["quote"]  # type: ignore[index]
        return [text for text in self.decoded if quote(text) != text]

    @cached_property
    def escaped(self) -> list[str]:
        return [piece for piece in self.pieces if "%" in piece]

    @cached_property
    def unescaped(self) -> list[str]:
        return [piece for piece in self.pieces if piece and "%" not in piece]

    @cached_property
    def mappings(self) -> list[tuple[str, dict[str, str]]]:
        """Return pairs of a link and the parameters of another."""
        parse_qsl = peers.names_of("urllib.parse")["parse_qsl"]  # type: ignore[index]
        made = [found for query in self.queries if (found := dict(parse_qsl(query)))]
        return [(text, made[at % len(made)]) for at, text in enumerate(self.web)]

    @cached_property
    def handovers(self) -> list[tuple[str, str]]:
        """Return pairs of a link and the last segment of a new path."""
        return [(text, f"{self.rng.choice(corpora.WORDS)}-{at}") for at, text in enumerate(self.web)]

    @cached_property
    def pages(self) -> list[tuple[str, list[str]]]:
        """Return pairs of a page's URL and fifty links on it, half of them relative."""
        refs = [ref if at % 2 else self.web[at % len(self.web)] for at, ref in enumerate(self.refs)]
        return [(self.web[at], refs[50 * at : 50 * at + 50]) for at in range(min(200, len(refs) // 50))]

    @cached_property
    def texts(self) -> list[str]:
        """Return running texts of 2 KiB, with a link for every twelve words."""
        plain = [text for text in self.web if not set("'\"`\\()[]{}|;,%") & set(text) and text[-1].isalnum()]
        return [prose(plain, 2048, 12, seed)[0] for seed in range(200)]

    @cached_property
    def suffix_lists(self) -> list[str]:
        return [str(PublicSuffixList().path)] * 20

    @cached_property
    def data(self) -> list[str]:
        return [f"data:text/plain,{word}%20{at}" for at, word in enumerate(corpora.WORDS * 10)]

    @cached_property
    def wrapped(self) -> list[str]:
        return [f"<{text[: len(text) // 2]}\n{text[len(text) // 2 :]}>" for text in self.web]

    @cached_property
    def documents(self) -> list[tuple[str, str]]:
        head = "<!doctype html><html><head><meta charset=utf-8><title>{}</title><base href='/{}/'></head><body>"
        return [head.format(text[:9].replace("<", ""), at) for at, text in enumerate(self.web)]  # type: ignore[misc]
