"""The rows of the table: all public functions and methods, by the page's chapters, and all classes of links."""

from bench import classes
from bench.measure import Row
from bench.rows import crawler, judges, parse, stdlib, url, whatwg

_PARSERS = {"can_ada": "parse(u)", "url-py": "parse(u)", "ada-url": "URL(u) -> x.href", "upa-url": "URL(u)"}
_CAN = {"can_ada": "can_parse(u)", "ada-url": "check_url(u)", "upa-url": "can_parse(u)"}

GROUPS: dict[str, list[Row]] = {
    "parse": parse.ROWS,
    "url": url.ROWS,
    "judges": judges.ROWS,
    "crawler": crawler.ROWS,
    "stdlib": stdlib.ROWS,
    "whatwg": whatwg.ROWS,
    "classes": [
        Row(f"parse: {name}", f"{kind}: {name}", "parse(u)", _PARSERS)
        for kind in ("ordinary", "hosts", "schemes")
        for name in getattr(classes, kind.upper())
    ],
    "can_parse": [
        Row(f"can_parse: {name}", f"{kind}: {name}", "can_parse(u)", _CAN)
        for kind, names in (("hosts", classes.HOSTS), ("refused", classes.REFUSED))
        for name in names
    ],
    "references": [
        Row(f"join: {name}", f"references: {name}", "base.join(u)",
            {"url-py": "base.join(u)", "can_ada": "base + u", "upa-url": "URL(u, base)"})
        for name in classes.REFERENCES
    ],
    "refused": [
        Row(f"refused: {name}", f"refused: {name}", "parse(u)", {**_PARSERS, "pydantic_core": "Url(u)"}, refused=True)
        for name in classes.REFUSED
    ],
}  # fmt: skip
CLASSES_OF_LINKS = ("classes", "can_parse", "references", "refused")
