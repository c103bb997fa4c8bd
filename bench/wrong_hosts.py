"""How many hosts each engine gets wrong, of the texts of web-platform-tests that have no base.

python -m bench.wrong_hosts --texts urltestdata.json     (../shared/conformance/urltestdata.json if there is one)
"""

from __future__ import annotations

import argparse
import json
import pathlib
import re
from collections.abc import Callable
from urllib.parse import urlsplit

import urlsm

# the expression of RFC 3986, appendix B, as data pipelines have it: what follows "//", less user and port
USUAL = re.compile(r"^(?:[^:/?#]+:)?//(?:[^/?#]*@)?([^/?#:]*)")
ROOT = pathlib.Path(__file__).resolve().parents[1]


def _urllib(text: str) -> str | None:
    try:
        return urlsplit(text).hostname
    except ValueError:
        return None


def _regex(text: str) -> str | None:
    match = USUAL.match(text)
    return match and match[1]


def _urlsm(text: str) -> str | None:
    url = urlsm.try_parse(text)
    return url and url.host


def engines() -> dict[str, Callable[[list[str]], list[str | None]]]:
    found: dict[str, Callable[[list[str]], list[str | None]]] = {
        name: lambda texts, of=of: [of(text) for text in texts]
        for name, of in [("urlsm", _urlsm), ("urllib.parse", _urllib), ("regular expression", _regex)]
    }
    try:
        import duckdb
    except ImportError:
        return found
    sql = "select split_part(split_part(?, '://', 2), '/', 1)"
    found["DuckDB split_part"] = lambda texts: [duckdb.execute(sql, [text]).fetchone()[0] for text in texts]
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--texts", default=ROOT / "../shared/conformance/urltestdata.json", type=pathlib.Path)
    rows = json.loads(parser.parse_args().texts.read_text(encoding="utf-8"))
    rows = [row for row in rows if isinstance(row, dict) and row.get("base") is None]
    rows = [
        row for row in rows if row["input"].isascii() or row["input"].encode("utf-8", "ignore").decode() == row["input"]
    ]
    texts = [row["input"] for row in rows]
    expected = [row.get("hostname") or None for row in rows]
    print(f"{len(rows)} texts, {sum(host is not None for host in expected)} of which have a host")
    for name, hosts_of in engines().items():
        wrong = sum((host or None) != right for host, right in zip(hosts_of(texts), expected, strict=True))
        print(f"{name:20} {wrong:4} {'#' * round(wrong / 4)}")


if __name__ == "__main__":
    main()
