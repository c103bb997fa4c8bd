from collections.abc import Iterable, Sequence
from typing import final

from urlsm.columns.array import Array, Source
from urlsm.columns.names import Schema
from urlsm.crawler.record import Profile
from urlsm.crawler.sites import Suffixes
from urlsm.url.value import URL

@final
class Question:
    fields: tuple[str, ...]
    text: str | None
    raw: bool
    def __new__(
        cls,
        fields: Iterable[str],
        *,
        single: bool = False,
        raw: bool = False,
        dialect: int = -1,
        base: URL | None = None,
        text: str | None = None,
        profile: str | Profile | None = None,
        suffixes: Suffixes | None = None,
        param: str | None = None,
        bare_hosts: bool = False,
        only_listed: bool = False,
        judge: object = None,
        latest: int = 0,
    ) -> Question: ...
    def schema(self, given: Schema) -> Schema: ...

@final
class Work:
    octets: int
    plain: int
    def __new__(cls, question: Question, source: Source, bases: Source | None = None) -> Work: ...
    def part(self, number: int) -> None: ...
    def run(self, threads: int | None = 1) -> Array: ...

def text_format(given: str, text: str | None, raw: bool = False) -> str: ...
def cast_to(array: Array, wanted: Schema) -> Array: ...
def with_texts(struct: Array, names: tuple[str, ...], texts: dict[str, list[str | None]]) -> Array: ...
def segments_of_paths(paths: Array) -> Array: ...
def named(words: Array, names: Sequence[str]) -> Array: ...
def as_text(source: Source) -> Source: ...
def ports_of(ports: Array) -> Array: ...
def struct_of(struct: Array, children: Sequence[Array], names: Sequence[str]) -> Array: ...
