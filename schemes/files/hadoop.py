"""hdfs, webhdfs and the other file systems that Hadoop opens. The path extends to the end of the URL."""

from __future__ import annotations

from collections.abc import Iterator

from urlsm.components.parts import segments
from urlsm.components.value import Components
from urlsm.errors.rules import Violation
from urlsm.schemes.contract import HierarchicalParts
from urlsm.schemes.generic import Scheme

__all__ = ["Hadoop"]


class Hadoop(Scheme):
    """ "//" authority path: "uri path is the rest of the string -- query & fragment not supported" (Hadoop, Path)"""

    def read_parts(self, components: Components) -> HierarchicalParts:
        found = super().read_parts(components)
        start, end = self._path(components)
        path = components.text[start:end]
        if path == (components.path or ""):
            return found
        return found.__replace__(path=path, segments=segments(path), query=None)

    def _path(self, c: Components) -> tuple[int, int]:
        """Return the start and end of the path, which extends to the end of the URL unless it is empty."""
        start, end = c.span("path") or (0, 0)
        return start, len(c.text) if start < end else end

    def path_violations(self, components: Components) -> Iterator[Violation]:
        yield from self.faults(components, "path", *self._path(components), self.path_characters + "?#")

    def query_violations(self, components: Components) -> Iterator[Violation]:
        return super().query_violations(components) if not components.path else iter(())

    def fragment_violations(self, components: Components) -> Iterator[Violation]:
        return super().fragment_violations(components) if not components.path else iter(())
