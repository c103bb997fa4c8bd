"""Put the external suites that the tests run into tests/suites, as tests/data/suites.lock pins them.

    python tools/suites.py                  from their sources
    python tools/suites.py FOLDER           from a checkout of web-platform-tests, or a folder of its files
    python tools/suites.py --record         and write the SHA-256 of what came into the lock, where it has none
    python tools/suites.py --commit COMMIT  pin another commit: fetches, and writes commit and SHA-256 into the lock

If the SHA-256 of a file is not that of the lock, it is an error, and nothing is written.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import shutil
import sys
import urllib.request
from pathlib import Path, PurePosixPath

TESTS = Path(__file__).resolve().parents[1] / "tests"
LOCK = TESTS / "data/suites.lock"


class Refused(Exception):
    """A file that is absent, or differs from the pinned one."""


def fetched(source: str, commit: str, path: str) -> bytes:
    url = source.format(commit=commit, path=path)
    with urllib.request.urlopen(url, timeout=60) as response:
        return response.read()


def found(folder: Path, path: str) -> bytes:
    """Return the file in a checkout, or under its bare name."""
    for candidate in (folder / path, folder / PurePosixPath(path).name):
        if candidate.is_file():
            return candidate.read_bytes()
    raise Refused(f"{folder} has neither {path} nor {PurePosixPath(path).name}")


def lay_out(suite: dict, folder: Path | None, to: Path, record: bool) -> None:
    """Verify all files of a suite, then write them to a folder under their bare names. record: into suite, too."""
    contents = {}
    for path, pinned in suite["files"].items():
        content = fetched(suite["source"], suite["commit"], path) if folder is None else found(folder, path)
        digest = hashlib.sha256(content).hexdigest()
        if pinned is not None and digest != pinned:
            raise Refused(f"{path}: SHA-256 is {digest}, the lock has {pinned}")
        if pinned is None and not record:
            print(f"{path}: the lock has no SHA-256 yet (--record); it is {digest}", file=sys.stderr)
        if record:
            suite["files"][path] = digest
        contents[PurePosixPath(path).name] = content
    shutil.rmtree(to, ignore_errors=True)
    to.mkdir(parents=True)
    for name, content in contents.items():
        (to / name).write_bytes(content)
    print(f"{to}: {len(contents)} files")


def main(arguments: list[str], lock: Path = LOCK, to: Path = TESTS / "suites") -> int:
    parser = argparse.ArgumentParser(description="Lay out the suites of others that the tests run.")
    parser.add_argument("folder", nargs="?", type=Path, help="a checkout of web-platform-tests (default: fetch)")
    parser.add_argument("--record", action="store_true", help="write each SHA-256 that is missing into the lock")
    parser.add_argument("--commit", help="pin this commit instead")
    options = parser.parse_args(arguments)
    if options.commit and not re.fullmatch("[0-9a-f]{40}", options.commit):
        parser.error("a commit has 40 hexadecimal digits in lower case")
    if options.commit and options.folder:
        parser.error("a folder does not tell its commit: --commit fetches")
    pins = json.loads(lock.read_text(encoding="utf-8"))
    try:
        for name, suite in pins["suites"].items():
            if options.commit:
                suite |= {"commit": options.commit, "files": dict.fromkeys(suite["files"])}
            lay_out(suite, options.folder, to / name, options.record or bool(options.commit))
    except (Refused, OSError) as refused:
        print(f"{name}: {refused}", file=sys.stderr)
        return 1
    if options.record or options.commit:
        lock.write_text(json.dumps(pins, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
