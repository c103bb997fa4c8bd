"""How far each scheme's handler is held: python -m oracles.tiers, from the folder tests, writes schemes/tiers.py.

    --record DATE    asks each oracle that is installed about so many texts of its schemes (-n), and notes its release
    --check          exits with 1 if the table is not what the documents, the vectors and the noted records say

A handler is "frozen" if its document does not change and its vectors are strict, "living" if a live program was asked
about it, else a "table": from its document alone. A handler of several schemes is held by what any of them is.
"""

from __future__ import annotations

import argparse
import ast
import importlib.metadata
import json
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from ctypes.util import find_library
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from oracles import test_clients, test_libraries, test_names, test_services, test_stores, test_supply, test_tokens
from oracles.recorded import each
from oracles.rows import Rows, judged
from urlsm.errors.secret_names import SQLALCHEMY
from urlsm.meaning.registry import handler
from urlsm.schemes import tiers
from urlsm.schemes.built_in import BUILT_IN
from urlsm.schemes.tiers import TIERS, Tier

TESTS = Path(__file__).resolve().parents[1]
TARGET = Path(tiers.__file__)
sys.path.append(str(TESTS / "schemes"))  # test_sqlalchemy and test_pack, as pytest imports them
# documents that do not change: RFCs, expired drafts, closed editions
FROZEN = re.compile(r"RFC \d|draft-|BEP \d|NISTIR|ISO/IEC|W3C DID Core 1\.0")
STRICT = 5  # the fewest vectors of a frozen scheme


class Oracle(NamedTuple):
    """A live program. package: that pip installs; "" for a command or a library. needs: a module, a command or a
    library that must be there. prefix: what a case lacks of its URL."""

    package: str
    needs: str
    draw: Callable[[random.Random], str]
    ask: Callable[[list[str]], list[Any]]
    ours: Callable[[str], Any]
    rows: Rows
    prefix: str = ""


def git(texts: list[str]) -> list[Any]:
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["git", "init", "-q", folder], check=True)
        return [test_supply.git(text, folder) for text in texts]


def s3fs(texts: list[str]) -> list[Any]:
    import s3fs as library

    split_path = library.S3FileSystem(anon=True, skip_instance_cache=True).split_path
    return [split_path(text)[:2] for text in texts]


def cloud(texts: list[str]) -> list[Any]:
    from cloudpathlib import local

    kinds = {"s3": (local.LocalS3Path, "bucket", "key"), "gs": (local.LocalGSPath, "bucket", "blob")}
    kinds["az"] = (local.LocalAzureBlobPath, "container", "blob")
    found = [(kinds[text[:2]], text) for text in texts]
    return [(getattr(kind(text), bucket), getattr(kind(text), key)) for (kind, bucket, key), text in found]


OTHERS = ("postgres", "postgresql", "neo4j", "bolt", "sqlite", "duckdb", "bigquery", "snowflake")


def dialect(rng: random.Random) -> str:
    """A URL of a dialect of SQLAlchemy whose parts are a server and a database, with a driver or none."""
    from test_sqlalchemy import NAMES

    names = [*NAMES, *SQLALCHEMY]
    name = rng.choice([name for name in names if name.partition("+")[0] not in OTHERS])
    return f"{name}:{test_libraries.database(rng).partition(':')[2]}"


def account(rng: random.Random) -> str:
    """A URL of a file of a database, of a project or an account."""
    choose = rng.choice
    query = choose(["", "", "?a=b", "?mode=ro&uri=true", "?role=r&warehouse=w%20x"])
    if rng.random() < 0.5:
        path = choose(
            ["", "/", "/a.db", "//abs/b.db", "/:memory:", "/a%20b.db", "/C:/x.db", "/md:db", "/a/../b", "/%C3%A4"]
        )
        return choose(["sqlite", "sqlite+aiosqlite", "duckdb"]) + f"://{path}{query}"
    if rng.random() < 0.5:
        return "bigquery://" + choose(["", "my-project", "p1-x2y"]) + choose(["", "/", "/ds", "/d_1"]) + query
    path = choose(["", "/", "/db", "/db/sch", "/d.c"])
    return f"snowflake://{choose(['', 'u:p@', 'u%40v:p%2Fq@'])}{choose(['acct', 'ab12.eu'])}{path}{query}"


def accounts(text: str) -> tuple[Any, Any]:
    """Return our answer, and SQLAlchemy's, in words that both have."""
    from sqlalchemy.engine import make_url
    from test_pack import database

    found = make_url(text)
    made = {name: getattr(found, name) for name in ("username", "host", "port", "database")}
    made |= {"driver": found.drivername, "password": found.password and str(found.password), "query": dict(found.query)}
    return database(text, made)


def ours_of_dialect(text: str) -> Any:
    from test_sqlalchemy import ours

    from urlsm import SchemeError

    try:
        return ours(text)
    except SchemeError:
        return None


def sqlalchemy(text: str) -> Any:
    from sqlalchemy.exc import ArgumentError
    from test_sqlalchemy import theirs

    try:
        found = theirs(text)
    except (ArgumentError, ValueError):
        return None
    return (*found[:3], found[3].lower() if found[3] else found[3], *found[4:])


def of_store(*schemes: str) -> Callable[[random.Random], str]:
    return lambda rng: f"{rng.choice(schemes)}://bucket{test_stores.any_key(rng)}"


def transport(rng: random.Random) -> str:
    """A repository as test_supply draws it, over any transport."""
    schemes = [name for name in BUILT_IN if BUILT_IN[name] == "supply.vcs:Vcs" and not name.endswith("file")]
    text = test_supply.requirement(rng)
    return text if text.startswith("git+file") else rng.choice(schemes) + text[text.index(":") :]


libraries, services, stores, supply = test_libraries, test_services, test_stores, test_supply
ORACLES = {
    "SQLAlchemy": Oracle(
        "SQLAlchemy", "sqlalchemy", dialect, each(sqlalchemy), ours_of_dialect, {
            "escapes of the database": (
                libraries.SQLALCHEMY_ROWS["escapes of the database"][0],
                lambda text, ours, theirs: ours and theirs and "%" in (theirs[5] or "") and ours[:5] == theirs[:5],
            ),
        },
    ),
    "SQLAlchemy, files and accounts": Oracle(
        "SQLAlchemy", "sqlalchemy", account, each(lambda text: accounts(text)[1]), lambda text: accounts(text)[0], {}
    ),
    "packageurl-python": Oracle(
        "packageurl-python", "packageurl", libraries.package, each(libraries.packageurl), libraries.ours_of_package,
        libraries.PACKAGE_ROWS,
    ),
    "pyotp": Oracle("pyotp", "pyotp", libraries.key, each(libraries.pyotp), libraries.ours_of_key, libraries.KEY_ROWS),
    "huggingface_hub": Oracle(
        "huggingface_hub", "huggingface_hub", stores.repository, each(stores.huggingface), stores.ours_of_repository,
        stores.REPOSITORY_ROWS,
    ),
    "s3fs": Oracle("s3fs", "s3fs", of_store("s3", "s3a"), s3fs, stores.ours_of_key, stores.S3FS_ROWS),
    "cloudpathlib": Oracle("cloudpathlib", "cloudpathlib", of_store("s3", "gs", "az"), cloud, stores.ours_of_key, {}),
    "adlfs": Oracle(
        "adlfs", "adlfs", stores.container, each(stores.adlfs), stores.ours_of_container, stores.ADLFS_ROWS
    ),
    "pyarrow": Oracle(
        "pyarrow", "pyarrow", stores.object_of, each(stores.pyarrow), stores.ours_of_object, stores.PYARROW_ROWS
    ),
    "libpq, by psycopg2": Oracle(
        "psycopg2-binary", "psycopg2",
        lambda rng: test_clients.drawn(rng, ["postgresql://", "postgres://"], test_clients.POSTGRES_NAMES,
                                       test_clients.POSTGRES_VALUES),
        each(test_clients.libpq), test_clients.settings_of, test_clients.POSTGRES_ROWS,
    ),
    "pymongo": Oracle(
        "pymongo", "pymongo",
        lambda rng: test_clients.drawn(rng, ["mongodb://"], test_clients.MONGO_NAMES, test_clients.MONGO_VALUES),
        each(test_clients.pymongo), test_clients.connection_of, {
            **test_clients.MONGO_ROWS,
            "both refuse": ("no difference", lambda text, ours, theirs: ours is None and isinstance(theirs, str)),
        },
    ),
    "redis-py": Oracle(
        "redis", "redis", services.server, each(services.redis), services.ours_of_server, services.SERVER_ROWS
    ),
    "pika": Oracle("pika", "pika", services.broker, each(services.pika), services.ours_of_broker, services.BROKER_ROWS),
    "spiffe": Oracle(
        "spiffe", "spiffe", services.workload, each(services.spiffe), services.ours_of_workload, services.WORKLOAD_ROWS
    ),
    "git": Oracle("", "git", supply.place, git, supply.ours_of_place, supply.PLACE_ROWS),
    "pip": Oracle("pip", "pip", transport, supply.pip, supply.ours_of_requirement, supply.REQUIREMENT_ROWS),
    "docker-image-py": Oracle(
        "docker-image-py", "docker_image", supply.image, each(supply.docker), supply.ours_of_image, supply.IMAGE_ROWS,
        "docker://",
    ),
    "cpe": Oracle(
        "cpe", "cpe", test_names.platform, each(test_names.cpe), test_names.ours_of_platform, test_names.PLATFORM_ROWS
    ),
    "mautrix": Oracle(
        "mautrix", "mautrix", test_names.resource, each(test_names.mautrix), test_names.ours_of_resource,
        test_names.RESOURCE_ROWS,
    ),
    "p11-kit": Oracle(
        "", "p11-kit", test_tokens.token, lambda texts: each(test_tokens.P11Kit(find_library("p11-kit") or ""))(texts),
        test_tokens.ours_of_token, test_tokens.TOKEN_ROWS,
    ),
}  # fmt: skip
SLOW = {"git": 500}  # a process for each text


def release_of(oracle: Oracle) -> str | None:
    """Return the release that is installed; None if the oracle is not."""
    if oracle.package:
        return importlib.metadata.version(oracle.package) if find_spec(oracle.needs) else None
    command = {"p11-kit": ["pkg-config", "--modversion", "p11-kit-1"]}.get(oracle.needs, [oracle.needs, "--version"])
    if shutil.which(command[0]) is None or (oracle.needs == "p11-kit" and find_library("p11-kit") is None):
        return None
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip().rpartition(" ")[2]


def asked(name: str, count: int) -> Counter[str]:
    """Ask an oracle, and return how many texts of each handler, named by its first scheme, it was asked about. A
    difference that is not known fails."""
    oracle, rng = ORACLES[name], random.Random(f"tiers {name}")
    texts = list(dict.fromkeys(oracle.draw(rng) for _ in range(count)))[: SLOW.get(name, count)]
    judged([(text, oracle.ours(text), theirs) for text, theirs in zip(texts, oracle.ask(texts), strict=True)],
           oracle.rows)  # fmt: skip
    found: Counter[str] = Counter()
    for text in texts:
        scheme = "ssh" if name == "git" and "://" not in text else f"{oracle.prefix}{text}".partition(":")[0].lower()
        names = handler(scheme).names
        if names:
            found[names[0]] += 1
    return found


def vectors() -> Counter[str]:
    """Return how many texts of each handler are in vectors.json and in the tests of schemes."""
    texts = [row["url"] for row in json.loads((TESTS / "schemes/vectors.json").read_text(encoding="utf-8"))]
    for path in sorted((TESTS / "schemes").glob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                texts.append(node.value)
    found: Counter[str] = Counter()
    for text in dict.fromkeys(texts):
        scheme, colon, rest = text.partition(":")
        if colon and not rest.startswith(" ") and scheme.lower() in BUILT_IN:
            found[handler(scheme).names[0]] += 1
    return found


def made(records: dict[str, tuple[str, str, str, int]]) -> Iterator[tuple[str, Tier]]:
    """Yield the tier of each handler. records: of a handler the oracle, its release, the day and the texts."""
    counted = vectors()
    for name in dict.fromkeys(handler(scheme).names[0] for scheme in BUILT_IN):
        strict = counted[name] if FROZEN.match(handler(name).reference) else 0
        record = records.get(name, ("", "", "", 0))
        tier = "frozen" if strict >= STRICT else "living" if record[3] else "table"
        yield name, Tier(tier, strict if tier == "frozen" else 0, *record)


def noted() -> dict[str, tuple[str, str, str, int]]:
    return {name: tier[2:] for name, tier in TIERS.items() if tier.texts}


def written(records: dict[str, tuple[str, str, str, int]]) -> str:
    """Return the text of schemes/tiers.py."""
    head, _, old = TARGET.read_text(encoding="utf-8").partition("TIERS: ")
    lines = []
    for name, tier in sorted(made(records)):
        values = [json.dumps(value) for value in tier]
        while values[-1] in ('""', "0"):
            values.pop()
        lines.append(f"    {json.dumps(name)}: Tier({', '.join(values)}),\n")
    return f"{head}TIERS: dict[str, Tier] = {{\n{''.join(lines)}}}\n{old.partition(f'{chr(10)}}}{chr(10)}')[2]}"


def main() -> int:
    parser = argparse.ArgumentParser(description="Writes schemes/tiers.py.")
    parser.add_argument("--record", metavar="DATE")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("-n", type=int, default=10_000)
    parser.add_argument("names", nargs="*", metavar="ORACLE")
    options = parser.parse_args()
    records = noted()
    for name in (options.names or ORACLES) if options.record else ():
        release = release_of(ORACLES[name])
        if release is None:
            print(f"{name}: not installed; its record stays")
            continue
        counted = asked(name, options.n)
        print(f"{name} {release}: {sum(counted.values())} texts, {dict(counted)}", flush=True)
        for scheme, count in counted.items():
            before = records.get(scheme)
            if before is None or before[0] == name or before[3] < count:
                records[scheme] = (name, release, options.record, count)
        TARGET.write_text(written(records), encoding="utf-8")
    text = written(records)
    if options.check:
        return int(text != TARGET.read_text(encoding="utf-8"))
    TARGET.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
