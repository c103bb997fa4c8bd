"""Lists the programs whose reading of a URL is known."""

from __future__ import annotations

from urlsm.octets.records import NamedTuple
from urlsm.readers.programs import GROUPS, HOMES, program
from urlsm.readers.proofs import PROOFS

__all__ = ["ReaderInfo", "names_in", "readers"]


class ReaderInfo(NamedTuple):
    """A program that `compare_readers` can ask: an element of the result of `readers`.

    Attributes:
        name: its name, as in `compare_readers(url, readers=["curl"])`.
        versions: its known releases, oldest first; "curl@8.14.1" asks for one.
        call: the call that is meant, as in "libcurl, curl_url_set(CURLUPART_URL)". It begins with the product that the
            versions belong to: for `ruby`, this is the gem uri, not Ruby.
        groups: the groups that it is in, such as "python".
        proved: the date, as YYYY-MM-DD, of the last comparison with the live program.
        texts: how many texts were compared then, over all versions.
        equal: how many of them urlsm reads exactly as the program does. If this is less than `texts`, the reader is
            unproved.

    Example:
        >>> next(reader for reader in readers() if reader.name == "curl").versions
        ('7.88.1', '8.14.1', '8.23.0')
    """

    name: str
    versions: tuple[str, ...]
    call: str
    groups: tuple[str, ...]
    proved: str
    texts: int
    equal: int


ReaderInfo.__module__ = "urlsm.security"


def readers() -> list[ReaderInfo]:
    """Return the programs that `compare_readers` can ask, by name. No program is run: urlsm has their rules.

    Example:
        >>> [reader.name for reader in readers() if "browsers" in reader.groups]
        ['chromium', 'firefox']
    """
    found = []
    for name in sorted(HOMES):
        known = program(name)
        groups = tuple([group for group, names in GROUPS.items() if name in names])
        proofs = PROOFS[name]
        texts = sum(proof.texts for proof in proofs.values())
        equal = sum(proof.equal for proof in proofs.values())
        date = max(proof.date for proof in proofs.values())
        found.append(ReaderInfo(name, known.releases, known.call, groups, date, texts, equal))
    return found


def names_in(text: str) -> list[str]:
    """Return the names in a text with commas between them, such as "curl@7.88, go". An empty text has one, which no
    reader has."""
    return [name.strip() for name in text.split(",")]
