"""The reference, generated from the code when the site is built, so that the repository contains none of its pages.

    python docs/reference.py FOLDER      writes the pages into a folder, to read them without a site
    python docs/reference.py --check     generates them, and prints what the code leaves undocumented

As a Sphinx extension, it writes the pages into docs/reference before Sphinx reads the sources.
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

import reference_api
import reference_codes
import reference_data
import reference_fields
import reference_schemes


@cache
def pages() -> dict[str, str]:
    """Return every generated page, by its file in docs/reference."""
    made: dict[str, str] = {}
    for module in (reference_api, reference_schemes, reference_codes, reference_data, reference_fields):
        made |= module.pages()
    return made


def write(folder: Path) -> None:
    """Write the pages that have changed, and remove pages that are no longer generated."""
    made = pages()
    for path in folder.rglob("*.md") if folder.is_dir() else ():
        if str(path.relative_to(folder)) not in made:
            path.unlink()
    for name, text in made.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def setup(app):
    app.connect("builder-inited", lambda app: write(Path(app.srcdir) / "reference"))


def main(arguments: list[str]) -> int:
    if arguments == ["--check"]:
        made = pages()
        print(f"{len(made)} pages, {sum(map(len, made.values())) // 1024} KiB")
        for name in reference_schemes.undocumented():
            print(f"without a meaning: {name}")
        return 0
    write(Path(arguments[0]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
