"""What libraries answer to texts of our generators, recorded: python -m oracles.recorded, from the folder tests.

It asks those that are installed, and keeps the rows of the others. tests/oracles/test_recorded.py compares the rows
with us, so that a machine without these libraries does so too; the tests beside it ask the libraries themselves.
"""

from __future__ import annotations

import ast
import importlib.metadata
import random
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any, NamedTuple
from unittest import mock

from support.drawn_patterns import AGENTS, ASKED, line_of, made, path_of, random_init, random_url
from support.generate import random_case
from support.recorded import record, recorded

from oracles import test_clients, test_libraries, test_stores, test_supply
from oracles.rows import Rows
from urlsm.compat.scrapy import fingerprint as scrapy_fingerprint
from urlsm.crawler import try_canonicalize
from urlsm.patterns.urlpattern import NAMES, URLPattern

COUNT = 400  # cases of each library
FILE = "peers"


class Peer(NamedTuple):
    package: str  # that pip installs, or ""
    module: str
    case: Callable[[random.Random], Any]
    ask: Callable[[list[Any]], list[Any]]  # the library, about all cases
    ours: Callable[[Any], Any]
    rows: Rows  # the known differences


def each(function: Callable[[Any], Any]) -> Callable[[list[Any]], list[Any]]:
    return lambda cases: [function(case) for case in cases]


def text_of(rng: random.Random) -> str:
    return random_case(rng)[0]


# --- keys ---


def w3lib(text: str) -> str | None:
    from w3lib.url import canonicalize_url

    try:
        return canonicalize_url(text)
    except ValueError:
        return None


@contextmanager
def without_dns() -> Iterator[None]:
    """surt asks the DNS for hosts that look like numbers: here for addresses alone."""

    def addresses(host: bytes) -> tuple[str, list[str], list[str]]:
        try:
            return "", [], [socket.inet_ntoa(socket.inet_aton(host.decode()))]
        except OSError:
            raise socket.gaierror from None

    with mock.patch.object(socket, "gethostbyname_ex", addresses):
        yield


def surt(texts: list[str]) -> list[str | None]:
    from surt import surt as key

    def answer(text: str) -> str | None:
        try:
            return key(text)
        except (ValueError, AttributeError):
            return None

    with without_dns():
        return [answer(text) for text in texts]


def scrapy(text: str) -> str | None:
    from scrapy import Request
    from scrapy.utils.request import fingerprint as of_request

    try:
        return of_request(Request(text)).hex()
    except ValueError:
        return None


def our_fingerprint(text: str) -> str | None:
    try:
        return scrapy_fingerprint(text).hex()
    except ValueError:
        return None


# --- patterns ---


def robots_case(rng: random.Random) -> tuple[str, list[tuple[str, str]]]:
    """A file, and what is asked of it: URL and agent."""
    text = f"User-agent: {rng.choice(AGENTS)}\n" + "".join(line_of(rng) + "\n" for _ in range(rng.randrange(1, 12)))
    urls = ["https://h.example/" + path_of(rng) for _ in range(4)]
    return text, [(url, rng.choice(ASKED)) for url in urls]


def allowed(parse: Callable[[str], Any], case: tuple[str, list[tuple[str, str]]]) -> list[Any]:
    robots, found = parse(case[0]), []
    for url, agent in case[1]:
        try:
            found.append((robots.can_fetch(url, agent), robots.crawl_delay(agent)))
        except ValueError:
            found.append("ValueError")
    return found


def protego(case: Any) -> list[Any]:
    from protego import Protego

    return allowed(Protego.parse, case)


def our_protego(case: Any) -> list[Any]:
    from urlsm.compat.protego import Protego

    return allowed(Protego.parse, case)


def pattern_case(rng: random.Random) -> tuple[dict[str, str], list[str]]:
    return random_init(rng), [random_url(rng) for _ in range(8)]


def matched(kind: Any, case: tuple[dict[str, str], list[str]]) -> Any:
    """Return the components of a pattern, and for each URL what its groups hold."""
    pattern = made(kind, case[0])
    if pattern is None:
        return None
    found = [pattern.exec(url) for url in case[1]]
    return (
        [getattr(pattern, name) for name in NAMES],
        [one and [(one[name]["input"], dict(one[name]["groups"])) for name in NAMES] for one in found],
    )


def upa_url(case: Any) -> Any:
    from upa_url import URLPattern as Theirs

    return matched(Theirs, case)


# --- schemes ---


def git(texts: list[str]) -> list[Any]:
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["git", "init", "-q", folder], check=True)
        return [test_supply.git(text, folder) for text in texts]


def postgres_text(rng: random.Random) -> str:
    schemes = ["postgresql://", "postgres://", "POSTGRESQL://"]
    return test_clients.drawn(rng, schemes, test_clients.POSTGRES_NAMES, test_clients.POSTGRES_VALUES)


libraries, stores, supply = test_libraries, test_stores, test_supply
PEERS = {
    "w3lib": Peer("w3lib", "w3lib.url", text_of, each(w3lib), lambda text: try_canonicalize(text, "w3lib"), {}),
    "surt": Peer("surt", "surt", text_of, surt, lambda text: try_canonicalize(text, "surt"), {}),
    "scrapy": Peer("Scrapy", "scrapy", text_of, each(scrapy), our_fingerprint, {}),
    "protego": Peer("Protego", "protego", robots_case, each(protego), our_protego, {}),
    "upa_url": Peer(
        "upa-url", "upa_url", pattern_case, each(upa_url), lambda case: matched(URLPattern, case), {}
    ),
    "sqlalchemy": Peer(
        "SQLAlchemy", "sqlalchemy", libraries.database, each(libraries.sqlalchemy), libraries.ours_of_database,
        libraries.SQLALCHEMY_ROWS,
    ),
    "packageurl": Peer(
        "packageurl-python", "packageurl", libraries.package, each(libraries.packageurl), libraries.ours_of_package,
        libraries.PACKAGE_ROWS,
    ),
    "pyotp": Peer("pyotp", "pyotp", libraries.key, each(libraries.pyotp), libraries.ours_of_key, libraries.KEY_ROWS),
    "huggingface_hub": Peer(
        "huggingface_hub", "huggingface_hub", stores.repository, each(stores.huggingface), stores.ours_of_repository,
        stores.REPOSITORY_ROWS,
    ),
    "libpq": Peer(
        "psycopg2-binary", "psycopg2", postgres_text, each(test_clients.libpq), test_clients.settings_of,
        test_clients.POSTGRES_ROWS,
    ),
    "git": Peer("", "", supply.place, git, supply.ours_of_place, supply.PLACE_ROWS),
    "pip": Peer("pip", "pip", supply.requirement, supply.pip, supply.ours_of_requirement, supply.REQUIREMENT_ROWS),
}  # fmt: skip


def answers(name: str) -> list[tuple[Any, Any]]:
    """Return the recorded cases of a library, each with its answer."""
    return [
        (ast.literal_eval(case), ast.literal_eval(answer)) for peer, case, answer in recorded(FILE)[1] if peer == name
    ]


def cases_of(name: str) -> list[Any]:
    """Return each case once."""
    rng, found = random.Random(f"recorded {name}"), {}
    for _ in range(COUNT):
        case = PEERS[name].case(rng)
        found.setdefault(repr(case), case)
    return [*found.values()]


def version_of(program: str) -> str:
    return subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.strip()


def main() -> None:
    try:
        head, rows = recorded(FILE)
    except FileNotFoundError:
        head, rows = {"how": "rows: [library, repr of the case, repr of its answer]", "versions": {}}, []
    for name, peer in PEERS.items():
        if peer.module and find_spec(peer.module.partition(".")[0]) is None:
            print(f"{name}: not installed; its rows stay", file=sys.stderr)
            continue
        cases = cases_of(name)
        rows = [row for row in rows if row[0] != name]
        rows += [[name, repr(case), repr(answer)] for case, answer in zip(cases, peer.ask(cases), strict=True)]
        said = importlib.metadata.version(peer.package) if peer.package else ""
        head["versions"][name] = (
            said or subprocess.run([name, "--version"], capture_output=True, text=True).stdout.strip()
        )
    record(FILE, head, rows)
    print(f"{len(rows)} rows of {len(PEERS)} libraries")


if __name__ == "__main__":
    main()
