"""What urlsm.server.Paths takes for a path, and how many paths of real links it splits: python -m bench.paths

The ten rules are those of USUAL. A path is split if two of the known hops see it under different ones.
"""

from __future__ import annotations

import gc
from time import process_time

import urlsm
from bench.clocks import load_average
from bench.corpora import FOLDER, generate, read
from urlsm.server import Paths

USUAL = ("/admin", "/api", "/login", "/account", "/user", "/wp-admin", "/static", "/internal", "/health", "/metrics")
TEN = ("nginx", "haproxy", "apache", "envoy", "caddy", "tomcat", "go", "fastify", "starlette", "aiohttp")


def best(call: object, argument: object, rounds: int = 7, count: int = 20_000) -> float:
    """Return the microseconds of processor time of a call, of the best round."""
    times = []
    for _ in range(rounds):
        start = process_time()
        for _ in range(count):
            call(argument)  # type: ignore[operator]
        times.append((process_time() - start) / count * 1e6)
    return min(times)


def main() -> None:
    gc.disable()
    print(f"load {load_average()}")
    all_hops = Paths(protected=USUAL[:5], open=USUAL[5:])
    named = Paths(protected=["/admin"], hops=["nginx", "uvicorn", "starlette"], at="uvicorn")
    for title, paths, target in (
        ("a canonical path, three hops", named, "/admin/users/42?page=2"),
        ("a canonical path, every hop", all_hops, "/blog/2026/11/an-article.html"),
        ("an escape, three hops", named, "/caf%C3%A9/x"),
        ("an escape, every hop", all_hops, "/caf%C3%A9/x"),
    ):
        print(f"{best(paths.check, target):8.2f} us  {title}")
    each = [Paths(protected=["/admin"], hops=[name]) for name in TEN]
    total = sum(best(paths.check, "/x/..;/caf%C3%A9//b", 5, 5_000) for paths in each)
    print(f"{total:8.2f} us  a remarkable path, ten hops")
    for length in (10_000, 100_000, 1_000_000):
        target = "/" + "%2e%2e/a;x/" * (length // 11)
        print(f"{best(all_hops.check, target, 2, 1) / 1000:8.2f} ms  {length:9,} characters, every hop")
    files = [FOLDER / f"{name}.txt" for name in ("top100", "bookmarks")]
    texts = [text for file in files for text in read(file)] if FOLDER.is_dir() else generate(100_000)
    links = [url for url in map(urlsm.try_parse, texts) if url is not None and url.scheme in ("http", "https")]
    split = [url.request_target for url in links if not all_hops.check(url.request_target)]
    print(
        f"{len(split)} of {len(links)} paths of links are split by the ten rules, {100 * len(split) / len(links):.4f} %"
    )
    for target in split[:10]:
        print(f"    {target[:100]!r}: {all_hops.check(target).message}")


if __name__ == "__main__":
    main()
