"""The tables of the world, from the declaration beside each: ABOUT in its module. `compared.py` has the last comparison
of each."""

from __future__ import annotations

from datetime import date
from importlib import import_module, metadata

from urlsm.about.compared import COMPARED
from urlsm.octets.records import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

__all__ = ["MODULES", "STALE", "Table", "tables"]

STALE = 400  # days after which the documentation marks a table

# the modules that declare tables; tests/about finds one that is missing
MODULES = (
    *("urlsm.security.addresses", "urlsm.security.hazards", "urlsm.security.git_urls"),
    *("urlsm.unicode.idna", "urlsm.unicode.encoding", "urlsm.errors.rules", "urlsm.errors.secret_names"),
    *("urlsm.errors.secrets", "urlsm.octets.objects", "urlsm.readers", "urlsm.readers.proofs"),
    *("urlsm.readers.hop_proofs", "urlsm.documents.page", "urlsm.crawler.trackers", "urlsm.crawler.profiles"),
    *("urlsm.compat.installing", "urlsm.compat.protego", "urlsm.compat.surt", "urlsm.patterns.adblock"),
    *("urlsm.patterns.proxy_flavors", "urlsm.patterns.hosts_files", "urlsm.patterns.blocklist"),
    *(
        "urlsm.columns.names",
        "urlsm.guard.versions",
        "urlsm.schemes.rows",
        "urlsm.schemes.tiers",
        "urlsm.schemes.supply.purl_types",
    ),
    *("urlsm.schemes.supply.vcs", "urlsm.schemes.databases.servers", "urlsm.schemes.databases.mongodb"),
    *("urlsm.schemes.databases.postgresql", "urlsm.schemes.stores.bucket", "urlsm.schemes.stores.hf"),
    *("urlsm.schemes.stores.ipfs", "urlsm.schemes.names.digest", "urlsm.schemes.apps.intent"),
)


class Table(NamedTuple):
    """A table of facts about the world, which change without urlsm.

    Attributes:
        name: what it lists.
        source: who publishes the facts.
        url: a page of the source; "" if each row names its own.
        version: the version of the source; "" if it has none.
        date: the day or month of that version, or on which the rows were last read: "2026-07-18" or "2026-07". If the
            rows have dates, the oldest one.
        rows: the number of rows.
        licence: of the source, as an SPDX identifier; "facts" if only names and numbers were taken from it.
        age: the days since the date.
        comparer: the tool that compares the table with its source; "" if there is none.
        against: what it was compared with, and the release of that.
        compared: the day of the last comparison; "" if there was none.
        over: the number of rows or texts that were compared on that day.
        differences: how many of them differed.
        used_by: what stands on the table.

    Example:
        >>> from urlsm import about
        >>> [table.version for table in about.tables() if table.name == "domain names"]
        ['18.0.0']
    """

    name: str
    source: str
    url: str
    version: str
    date: str
    rows: int
    licence: str
    age: int
    comparer: str
    against: str
    compared: str
    over: int
    differences: int
    used_by: str

    @property
    def stale(self) -> bool:
        """Whether the table is older than 400 days."""
        return self.age > STALE


Table.__module__ = "urlsm.about"


def tables(*, today: date | None = None) -> list[Table]:
    """Return every table, sorted by name. The public suffix list is the one that is installed, if there is one.

    Args:
        today: the day from which ages are counted. None: the current day.

    Raises:
        TypeError: `today` is not a datetime.date.

    Example:
        >>> from datetime import date
        >>> from urlsm import about
        >>> [found] = [t for t in about.tables(today=date(2026, 12, 1)) if t.name == "special addresses"]
        >>> found.date, found.age, found.licence
        ('2026-07-18', 136, 'CC0-1.0')
    """
    if today is None:
        today = date.today()
    elif not isinstance(today, date):
        raise TypeError(f"today must be a datetime.date, not {type(today).__name__}")
    found = [*_suffixes(today)]
    for module in MODULES:
        home = import_module(module)
        for name, said in home.ABOUT.items():
            rows = said.get("rows", 0) + sum(len(getattr(home, table)) for table in said.get("tables", "").split())
            found.append(_made(name, {**said, "rows": rows}, today))
    return sorted(found, key=lambda table: table.name.lower())


def _suffixes(today: date) -> list[Table]:
    """Return the public suffix list of the package publicsuffixlist, whose version ends with its day."""
    from urlsm.crawler.sites import PublicSuffixList

    try:
        version = metadata.version("publicsuffixlist")
    except metadata.PackageNotFoundError:
        return []
    day = version.rpartition(".")[2]
    said: dict[str, Any] = {
        "rows": PublicSuffixList().rules,
        "source": "Mozilla, Public Suffix List, by the installed publicsuffixlist",
        "url": "https://publicsuffix.org/list/",
        "version": version,
        "date": f"{day[:4]}-{day[4:6]}-{day[6:]}",
        "licence": "MPL-2.0",
        "used_by": "registrable_domain, public_suffix, same_site, Link",
    }
    return [_made("public suffixes", said, today)]


def _made(name: str, said: Mapping[str, Any], today: date) -> Table:
    day = f"{said['date']}-01"[:10]  # of a month, the first
    age = (today - date.fromisoformat(day)).days
    made: dict[str, Any] = {"url": "", "version": "", "licence": "facts", **said, "name": name, "age": age}
    for key in ("tables", "file"):
        made.pop(key, None)
    found = COMPARED.get(name)
    if found is not None:
        made |= found._asdict()
    return Table(**{"comparer": "", "against": "", "compared": "", "over": 0, "differences": 0, **made})
