"""Write urlsm/machine/opaque.py, the schemes that are opaque to Barth's dialect, by the traits of built-in handlers; or
check it.

    python tools/opaque_schemes.py [--check]

The machine reads this list when the dialect is first used: no handler has to be loaded for it, and nothing compiled.
"""

import sys
from pathlib import Path

from urlsm.meaning.registry import built_in, is_opaque
from urlsm.schemes.built_in import BUILT_IN

FILE = Path(__file__).resolve().parents[1] / "urlsm" / "machine" / "opaque.py"
RARELY_WITH_AUTHORITY = {"dns", "news", "xmpp"}  # though their examples have one, to show all that can be there


def written() -> str:
    """Return the text of the file."""
    names = {name for name in BUILT_IN if is_opaque(built_in(name))} | RARELY_WITH_AUTHORITY
    rows = "".join(f'    "{name}",\n' for name in sorted(names))
    return f'''"""The schemes that are opaque to Barth's dialect: not hierarchical, as their built-in handlers say, and
mostly written without an authority.

Written by tools/opaque_schemes.py. urlsm.register adds schemes, and removes them, as their handlers say.
"""

OPAQUE = (
{rows})
'''


def stale() -> bool:
    return FILE.read_text(encoding="utf-8") != written()


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit("python tools/opaque_schemes.py" if stale() else 0)
    FILE.write_text(written(), encoding="utf-8")
