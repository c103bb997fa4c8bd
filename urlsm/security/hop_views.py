"""On which path each program on the way of a request matches its rules, for audit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from urlsm.components.value import split
from urlsm.errors.excerpt import printable
from urlsm.readers.hops import Settings, settings
from urlsm.readers.steps import ask
from urlsm.url.masked import without_secrets_of

__all__ = ["hop_disagreement", "hops_named", "target_of"]


def hops_named(names: Iterable[str]) -> list[Settings]:
    """Return the programs of these names, such as "nginx@1.22", with their default options.

    TypeError: names is a str or bytes, or one of them is not. ValueError: a name is unknown, or there are none.
    """
    if isinstance(names, (str, bytes)) or not hasattr(names, "__iter__"):
        raise TypeError(f"hops must be an iterable of str, not {type(names).__name__}")
    found = []
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"a hop must be str, not {type(name).__name__}")
        found.append(settings(name, {}))
    if not found:
        raise ValueError("hops must not be empty")
    return found


def target_of(text: str) -> str:
    """Return the request target of a URL, as it is written. A text that begins with "/" is a target."""
    if text.startswith("/"):
        return text
    c = split(text)
    return (c.path or "/") + ("" if c.query is None else f"?{c.query}")


def hop_disagreement(text: str, hops: Sequence[Settings]) -> tuple[int, str] | None:
    """Return where the path of a URL is, and a sentence that says who matches on which path. None: those that accept it
    agree. Secrets are masked, and control characters escaped."""
    octets = target_of(text).encode("utf-8", "surrogatepass")
    seen: dict[str, list[str]] = {}
    for hop in hops:
        _, path = ask(octets, hop.reads, hop.match)
        if path is not None:
            seen.setdefault(path.decode("utf-8", "surrogateescape"), []).append(hop.program.name)
    if len(seen) < 2:
        return None
    said = [
        f"{' and '.join(names)} {'see' if len(names) > 1 else 'sees'} the path {printable(without_secrets_of(path))}"
        for path, names in seen.items()
    ]
    span = None if text.startswith("/") else split(text).span("path")
    return span[0] if span else 0, ", ".join(said)
