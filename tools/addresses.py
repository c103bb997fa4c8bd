"""Compare urlsm/security/addresses.py with IANA's registries of special-purpose addresses, and print what differs.

    python tools/addresses.py iana-ipv4-special-registry-1.csv iana-ipv6-special-registry-1.csv

The files are those of https://www.iana.org/assignments/iana-ipv4-special-registry/ and .../iana-ipv6-special-registry/.
After fixing a difference, set REGISTRIES to the day on which they were fetched. Exits with 1 if there is a difference.
"""

import csv
import re
import sys
from collections.abc import Iterable, Iterator

from urlsm.security.addresses import IPV4, IPV6


def words(cell: str) -> str:
    """Return a cell without its footnotes, with its documents as in our rows: "RFC 8190; RFC 919 section 7"."""
    cell = re.sub(r"\s*\[\d+\]", "", cell)
    cell = re.sub(r"\s*\[RFC ?([^]]*)\]", r"; RFC \1", cell).removeprefix("; ")
    return cell.replace(", Section", " section")


def differences(files: Iterable[Iterable[str]]) -> Iterator[str]:
    """Yield what the files have and our rows lack, and the rows that they no longer have."""
    ours = {row.network: row for row in (*IPV4, *IPV6)}
    for lines in files:
        for record in csv.DictReader(lines):
            name, document = words(record["Name"]), words(record["RFC"])
            public = record["Globally Reachable"].startswith("True")
            for network in words(record["Address Block"]).split(", "):
                row = ours.pop(network, None)
                if row is None:
                    yield f"{network} is new: {name}, {document}, {public=}"
                elif (row.name, row.reference) != (name, document):
                    yield f"{network} is now {name}, {document}"
                elif row.public is not public and row.ipv4_at is None:  # the others are judged by the address within
                    yield f"{network} is now {public=}"
    for network in ours:
        yield f"{network} is not there any more"


def main(paths: list[str]) -> int:
    files = []
    for path in paths:
        with open(path, encoding="utf-8", newline="") as file:
            files.append(file.readlines())
    found = [*differences(files)]
    print("\n".join(found) or "no difference")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
