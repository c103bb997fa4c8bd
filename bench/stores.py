"""DupeFilter over stores: octets a URL, adds a second of processor time, and what is there after `kill -9`.

    python -m bench.stores --count 50000000 --folder FOLDER

Each store is filled in a process of its own, in batches of 1,000 different URLs, which then kills itself; another
process opens it again and asks for all. The lines for the stores are those of docs/seen-urls.md. The times are of the
process and its threads, with fingerprints; Redis' own time is added. A store whose package or server is missing is left
out.
"""

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from urlsm.crawler import DupeFilter, fingerprint_many

PAGE = Path(__file__).resolve().parents[1] / "docs/seen-urls.md"
BATCH = 1000


def urls(count: int) -> Iterator[list[str]]:
    for start in range(0, count, BATCH):
        yield [f"https://www.example.org/{k}/page.html?id={k}" for k in range(start, min(count, start + BATCH))]


def of_the_page(name: str, *given: Any) -> Any:
    """Return a store by the lines of docs/seen-urls.md."""
    (block,) = re.findall(
        r"^```py\n((?:(?!^```).)*?^class LmdbStore.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S
    )
    names: dict[str, Any] = {}
    exec(compile(block, PAGE.name, "exec"), names)
    return names[name](*given)


def opened(name: str, folder: Path) -> tuple[Any, str]:
    """Return a store and the kind of its keys."""
    if name == "set":
        return set(), "blake2b-128"
    if name == "set of ints":
        return set(), "xxh64"
    if name == "BitMap64":
        from pyroaring import BitMap64

        return BitMap64(), "xxh64"
    if name == "Redis":
        from redis import Redis

        return of_the_page("RedisStore", Redis(unix_socket_path=str(folder / "socket"))), "blake2b-128"
    return of_the_page("LmdbStore" if name == "LMDB" else "RocksStore", str(folder / "seen")), "blake2b-128"


def resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def on_disk(folder: Path) -> int:
    return sum(path.stat().st_blocks * 512 for path in folder.rglob("*") if path.is_file())


def fill(name: str, folder: Path, count: int) -> None:
    """Add the URLs, say what it cost, and be killed."""
    store, kind = opened(name, folder)
    dupes = DupeFilter(store, kind=kind)
    before, spent = resident(), 0.0
    server = (lambda: store.client.info()) if name == "Redis" else dict
    first = server()
    for batch in urls(count):
        start = time.process_time()
        seen = dupes.seen_many(batch)
        spent += time.process_time() - start
        assert not any(seen) or kind == "xxh64"
    last = server()
    spent += sum(last[field] - first[field] for field in last if field in ("used_cpu_user", "used_cpu_sys"))
    told = {
        "resident": resident() - before,
        "spent": spent,
        "server": last.get("used_memory", 0) - first.get("used_memory", 0),
    }
    print(json.dumps(told), flush=True)
    os.kill(last.get("process_id", os.getpid()), signal.SIGKILL)  # Redis is the one that keeps
    os.kill(os.getpid(), signal.SIGKILL)


def known(name: str, folder: Path, count: int) -> None:
    """Say how many of the URLs are there."""
    store, kind = opened(name, folder)
    found = 0
    for batch in urls(count):
        keys = fingerprint_many(batch, kind=kind)  # type: ignore[call-overload]
        found += (
            sum(not new for new in store.add_new(keys))
            if hasattr(store, "add_new")
            else sum(key in store for key in keys)
        )
    print(found)


def redis_server(folder: Path) -> "subprocess.Popen[bytes]":
    server = shutil.which("redis-server") or shutil.which("valkey-server")
    if server is None:
        raise FileNotFoundError("no redis-server")
    options = [
        "--port",
        "0",
        "--unixsocket",
        str(folder / "socket"),
        "--dir",
        str(folder),
        "--save",
        "",
        "--appendonly",
        "yes",
    ]
    process = subprocess.Popen([server, *options], stdout=subprocess.DEVNULL)
    time.sleep(3)
    return process


def measured(name: str, folder: Path, count: int) -> dict[str, Any]:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    servers = [redis_server(folder)] if name == "Redis" else []
    argv = [sys.executable, "-m", "bench.stores", "--count", str(count), "--folder", str(folder), "--store", name]
    try:
        filled = subprocess.run([*argv, "--fill"], capture_output=True, text=True, check=False)
        told: dict[str, Any] = json.loads(filled.stdout or "null") or {
            "error": filled.stderr.strip().rpartition("\n")[2]
        }
        told["disk"] = on_disk(folder)
        if "error" not in told:
            servers += [redis_server(folder)] if servers else []
            told["survived"] = int(subprocess.run(argv, capture_output=True, text=True, check=True).stdout)
    finally:
        for server in servers:
            server.kill()
            server.wait()
    return told


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--store", help="only this one")
    parser.add_argument("--fill", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.store:
        (fill if options.fill else known)(options.store, options.folder, options.count)
        return
    print(
        "| store | key | octets a URL in memory | on disk | adds a second | after kill -9 |\n"
        "|---|---|---:|---:|---:|---|"
    )
    for name in ("set", "set of ints", "BitMap64", "LMDB", "rocksdict", "Redis"):
        told = measured(name, options.folder / name.replace(" ", "-"), options.count)
        if "error" in told:
            print(f"| {name} | {told['error']} |")
            continue
        kind = "xxh64" if name in ("set of ints", "BitMap64") else "blake2b-128"
        memory = (told["server"] or told["resident"]) / options.count
        print(
            f"| {name} | {kind} | {memory:.0f} | {told['disk'] / options.count:.0f} | "
            f"{options.count / told['spent']:,.0f} | {told['survived']:,} of {options.count:,} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
