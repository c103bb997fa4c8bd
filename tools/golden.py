"""Add a named profile to tests/crawler/golden.json: its key of each text there. Existing keys are never changed.

python tools/golden.py --add NAME
"""

import json
import sys
from pathlib import Path

from urlsm.crawler import PROFILES, try_canonicalize

GOLDEN = Path(__file__).resolve().parents[1] / "tests" / "crawler" / "golden.json"


def written(golden: dict[str, list]) -> str:
    """Return the file: a line for each text."""
    rows = ",\n".join(json.dumps(row) for row in golden["keys"])
    return f'{{"profiles": {json.dumps(golden["profiles"])},\n "keys": [\n{rows}\n]}}\n'


def with_profile(golden: dict[str, list], name: str) -> dict[str, list]:
    """Return golden with one more column. ValueError: the profile is there already, or unknown."""
    if name not in PROFILES or name in golden["profiles"]:
        raise ValueError(f"{name!r} is golden already, or not a profile; the profiles are {', '.join(PROFILES)}")
    keys = [[*row, try_canonicalize(row[0], name)] for row in golden["keys"]]
    return {"profiles": [*golden["profiles"], name], "keys": keys}


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] != "--add":
        sys.exit(__doc__)
    try:
        text = written(with_profile(json.loads(GOLDEN.read_text("utf-8")), sys.argv[2]))
    except ValueError as error:
        sys.exit(str(error))
    GOLDEN.write_text(text, "utf-8")
