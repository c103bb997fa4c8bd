"""Makes docs/page-light.png and docs/page-dark.png: the page about a URL, as Chromium shows it.

python tests/support/screenshots.py [FOLDER]
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support.browser import MISSING, Browser
from urlsm.pictures import page

DOCS = Path(__file__).resolve().parents[2] / "docs"
EXAMPLE = "http://example.org\\@127.1:25/a/%2e%2e/b?q=1#top"


def make(folder: Path) -> list[Path]:
    """Write the pictures; return their paths."""
    made = []
    with tempfile.TemporaryDirectory() as scratch, Browser(f"{scratch}/profile") as browser:
        file = Path(scratch) / "page.html"
        file.write_text(page(EXAMPLE), encoding="utf-8")
        for scheme in ("light", "dark"):
            browser.prefer(scheme)
            browser.resize(820, 700)
            browser.open(file.as_uri())
            made.append(folder / f"page-{scheme}.png")
            made[-1].write_bytes(browser.picture())
    return made


if __name__ == "__main__":
    if MISSING:
        sys.exit(MISSING)
    print(*make(Path(sys.argv[1]) if len(sys.argv) > 1 else DOCS), sep="\n")
