"""Run the example of one extra, in an environment that holds urlsm with this extra alone (nox -s extras makes one for
each):

    python tools/extras.py            the extras of pyproject.toml, one a line; fails where one has no example here
    python tools/extras.py duckdb     runs the example of its page
"""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
REFUSED = "http://127.0.0.1/"  # no client may ask it

# the page, words of the blocks that are the example, and a call of what they define
PAGES = {
    "polars": ("docs/data-frames.md", "urlsm.engines.polars", ""),
    "duckdb": ("docs/sql.md", "urlsm.engines.duckdb", ""),
    "pandas": ("docs/data-frames.md", "import urlsm.engines.pandas", ""),
    "dask": ("docs/data-frames.md", "import urlsm.engines.dask", ""),
    "httpx": ("docs/safe-fetch.md", "not fetched", f"assert fetch('{REFUSED}').startswith('not fetched')"),
    "requests": ("docs/safe-fetch.md", "import requests", f"assert deliver('{REFUSED}', {{}}) is False"),
    "aiohttp": (
        "docs/safe-fetch.md",
        "import aiohttp",
        f"try:\n    asyncio.run(image('{REFUSED}'))\nexcept ValueError:\n    pass",
    ),
    "suffixes": ("docs/domains.md", "domains.registrable_domain(", ""),
    "jsonschema": ("docs/formats.md", "jsonschema.FormatChecker", ""),
    "html": ("docs/follow-links.md", "urlsm.documents.page_links(", ""),
    "recipes": ("docs/integrations.md", "", ""),
}
SPARK = """
import os
import shutil
import sys
import urlsm.engines.spark
from pyspark.sql import SparkSession
if shutil.which("java"):
    os.environ["PYSPARK_PYTHON"] = sys.executable  # the workers' too
    spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
    df = spark.createDataFrame([("http://Example.com/a",)], ["url"])
    assert df.select(urlsm.engines.spark.parse("url", ("host", "path")).alias("p")).select("p.host").first()[0] == "example.com"
    assert urlsm.engines.spark.with_columns(df, "url", ("host", "path")).select("url_parsed.path").first()[0] == "/a"
else:
    print("no java: only imported")
"""  # noqa: E501
POOL = f"""
from urlsm.guard import BlockedError, Policy, urllib3_pool
try:
    urllib3_pool(Policy()).request("GET", "{REFUSED}")
except BlockedError as blocked:
    assert "loopback-address" in blocked.verdict.codes
else:
    raise SystemExit("not blocked")
"""
PYTHON = [sys.executable, "-m"]
# run in an empty folder: the tree holds an urlsm that is not built, which Spark's workers would import too
COMMANDS = {
    "spark": [[sys.executable, "-c", SPARK]],
    "urllib3": [[sys.executable, "-c", POOL]],
    "cli": [[*PYTHON, "urlsm", "parse", "HTTP://Ex.com:80/a/../b?q#f"], [*PYTHON, "urlsm", "compare", "http://a@b/"]],
    "files": [[*PYTHON, "urlsm", "columns", "links.txt", "-f", "host,path,registrable_domain", "-o", "hosts.parquet"]],
    "test": [[*PYTHON, "pytest", "-q", str(ROOT / "tests/whatwg"), "-c", str(ROOT / "pyproject.toml")]],
    "docs": [[*PYTHON, "sphinx", "-q", "-W", str(ROOT / "docs"), "site"]],
    "bench": [[*PYTHON, "bench.table", "--help"]],
}


def extras() -> list[str]:
    """Return the names in pyproject.toml (Python 3.10 has no tomllib)."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    section = text.partition("[project.optional-dependencies]\n")[2].partition("\n[")[0]
    return re.findall(r"^([\w-]+) = \[", section, re.MULTILINE)


def blocks(page: str, words: str) -> list[str]:
    """Return the Python blocks of a page that have these words, or else build on such a block's names."""
    found = re.findall(r"^```py(?:thon)?\n(.*?)^```$", (ROOT / page).read_text(encoding="utf-8"), re.M | re.S)
    return [block for block in found if words in block]


def run_block(block: str, call: str) -> None:
    if ">>>" not in block:
        exec(compile(f"{block}\n{call}\n", "example", "exec"), {"__name__": "example"})
        return
    names: dict[str, object] = {}
    exec("from urlsm import crawler, domains", names)  # of an earlier block
    examples = doctest.DocTestParser().get_doctest(block, names, "example", None, 0)
    if doctest.DocTestRunner().run(examples).failed:
        raise SystemExit(1)


def main(arguments: list[str]) -> int:
    if not arguments:
        known = PAGES.keys() | COMMANDS.keys()
        print(*extras(), sep="\n")
        without = set(extras()) ^ known
        if without:
            print(f"without an example, or not in pyproject.toml: {', '.join(sorted(without))}", file=sys.stderr)
        return bool(without)
    [name] = arguments
    if name in PAGES:
        page, words, call = PAGES[name]
        found = blocks(page, words)
        for block in found:
            run_block(block, call)
        print(f"{name}: {len(found)} examples of {page}")
        return not found
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "links.txt").write_text("http://Example.com/a\n", encoding="utf-8")
        environment = os.environ | {"PYTHONSAFEPATH": "1", "PYTHONPATH": folder}
        if name == "bench":
            Path(folder, "bench").symlink_to(ROOT / "bench")
        for command in COMMANDS.get(name, ()):
            subprocess.run(command, cwd=folder, env=environment, check=True)
    print(f"{name}: ran")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
