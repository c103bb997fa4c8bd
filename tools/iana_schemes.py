"""Compares the schemes that urlsm.schemes.iana_registry() lists with a copy of IANA's registry.

    python tools/iana_schemes.py uri-schemes-1.csv

The file is https://www.iana.org/assignments/uri-schemes/uri-schemes-1.csv. Says which permanent schemes are new, which
are no longer permanent, and whose document has changed: then edit schemes/rows.py, or write a handler.
"""

from __future__ import annotations

import csv
import re
import sys
from pathlib import Path

from urlsm.schemes import iana_registry


def permanent(text: str) -> dict[str, str]:
    """Return scheme -> the documents that IANA names, from the permanent rows of its file."""
    rows = csv.DictReader(text.splitlines())
    return {row["URI Scheme"].split()[0]: row["Reference"] for row in rows if row["Status"] == "Permanent"}


def differences(text: str) -> list[str]:
    """Return the differences of a copy of IANA's file from this library."""
    theirs, ours = permanent(text), iana_registry()
    found = [f"{name}: new, {theirs[name]}" for name in theirs.keys() - ours.keys()]
    found += [f"{name}: no longer permanent" for name in ours.keys() - theirs.keys()]
    for name in theirs.keys() & ours.keys():
        document = re.match("RFC [0-9]+", ours[name].document)
        if document is not None and document[0].replace(" ", "") not in theirs[name]:
            found.append(f"{name}: {document[0]} here, {theirs[name]} there")
    return sorted(found)


if __name__ == "__main__":
    for line in differences(Path(sys.argv[1]).read_text(encoding="utf-8")):
        print(line)
