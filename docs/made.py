"""The parts of docs/ that are made from the code: the table of traits in contract.md, url.svg, the diagrams of states.

    python docs/made.py            writes them
    python docs/made.py --check    exits with 1 where one of them is out of date
"""

from __future__ import annotations

import inspect
import re
import sys
from pathlib import Path

from diagrams import diagram

from urlsm.machine.driver import DIALECTS
from urlsm.pictures import svg
from urlsm.schemes.contract import Contract

DOCS = Path(__file__).resolve().parent
TRAIT = re.compile(r"^    (\w+): ClassVar\[(.+)\] = (.+?)(?:  # (.*))?$", re.MULTILINE)
MADE = re.compile(r"(<!-- traits -->\n).*?(<!-- end -->)", re.DOTALL)

EXAMPLE = "https://user@example.com:8443/docs/intro.html?lang=en&page=2#top"


def contract() -> str:
    """contract.md, with today's traits."""
    rows = [
        f"| `{name}` | `{kind}` | `{default}` | {comment} |\n".replace(" | None`", r" \| None`")
        for name, kind, default, comment in TRAIT.findall(inspect.getsource(Contract))
    ]
    table = "| trait | type | default | meaning |\n|---|---|---|---|\n" + "".join(rows)
    return MADE.sub(lambda found: found[1] + table + found[2], (DOCS / "contract.md").read_text(encoding="utf-8"))


def main(arguments: list[str]) -> int:
    stale = []
    diagrams = [(f"states-{dialect}.svg", diagram(dialect)) for dialect in DIALECTS]
    for name, made in (("contract.md", contract()), ("url.svg", svg(EXAMPLE)), *diagrams):
        path = DOCS / name
        if not path.exists() or path.read_text(encoding="utf-8") != made:
            stale.append(name)
            if "--check" not in arguments:
                path.write_text(made, encoding="utf-8")
    if "--check" in arguments and stale:
        print(f"out of date: {', '.join(stale)}; run python docs/made.py")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
