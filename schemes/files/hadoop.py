"""hdfs, webhdfs and the other file systems that Hadoop opens. The path extends to the end of the text."""

from __future__ import annotations

from collections.abc import Iterator

from urlsm.components.parts import Parts, segments
from urlsm.components.value import Components
from urlsm.errors.rules import Violation
from urlsm.schemes.generic import Scheme

__all__ = ["Hadoop"]


class Hadoop(Scheme):
    """ "//" authority path: "uri path is the rest of the string -- query & fragment not supported" (Hadoop, Path)"""

    def refine(self, components: Components) -> Parts:
        found = super().refine(components)
        start, end = self._path(components)
        path = components.text[start:end]
        if path == (components.path or ""):
            return found
        return found.__replace__(path=path, segments=segments(path), query=None)

    def _path(self, c: Components) -> tuple[int, int]:
        """Return start and end of the path, which extends to the end of the text unless it is empty."""
        start, end = c.span("path") or (0, 0)
        return start, len(c.text) if start < end else end

    def path_violations(self, c: Components) -> Iterator[Violation]:
        yield from self.faults(c, "path", *self._path(c), self.path_characters + "?#")

    def query_violations(self, c: Components) -> Iterator[Violation]:
        return super().query_violations(c) if not c.path else iter(())

    def fragment_violations(self, c: Components) -> Iterator[Violation]:
        return super().fragment_violations(c) if not c.path else iter(())
